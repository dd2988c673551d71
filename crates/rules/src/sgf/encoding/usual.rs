//! How usual characters are in the writing of each encoding, in game records: names, grades, events, results
//! and comments.

use encoding_rs::{Encoding, ISO_8859_2, WINDOWS_1250};

/// Of names, of the game and of any text, in simplified characters (简体).
const SIMPLIFIED: &str = "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可\
里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴杨陈刘赵吴徐孙胡朱郭何罗高林郑梁谢宋唐冯韩曹彭曾肖田董袁潘蒋蔡余杜叶魏苏吕丁任沈姚卢姜崔钟谭陆范汪廖石贾韦夏付方邹熊孟秦邱侯江尹薛闫段雷黎史龙陶贺顾毛郝龚邵钱严覃武戴莫孔向汤伟芳娜敏静秀丽强磊军洋勇艳杰娟涛超霞刚桂英华玉萍鹏辉宇浩轩梓涵欣怡晨阳博睿佳琪俊豪雨雪思源诚瑞祥嘉诗雅琳倩颖婷云菲晓晴航凯鑫旭斌宁毅坚靖晗耀柯洁古力檀啸聂孝棋围弈黑胜负盘贴级段局赛杯届轮决冠亚季预选循环联升降组团体个业余职让子目半点数时限读秒超认投和棋提劫眼气征活死定式布局官子名战甲乙丙初终胜者败快慢记谱解说评注裁判对局先白";

/// The same in traditional characters (繁體).
const TRADITIONAL: &str = "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可\
裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市眼體別處總才場師書比住員九笑性通目華報立馬命張活難神數件安表原車白應路期叫死常提感金何更反合放做系計或司利受光王果親界及今京務制解各任至清物台象記邊共風戰接它許八特覺望直服毛林題建南度統色字請交愛讓認算論百吃義科怎元社術結六功指思非流每青管夫連遠資隊跟帶花快條院變聯言權往展該領傳近留紅治決周保達辦運武半候七必城父強步完革深區即求品士轉量空甚眾技輕程告江語英基派滿式李息寫呢識極令黃德收臉錢黨倒未持取設始版雙歷越史商千片容研像找友孩站廣改議形委早房音火際則首單據導影失拿網香似斯專石若兵弟誰校讀志飛觀爭究包組造落視濟喜離雖壞興楊陳劉趙吳徐孫胡朱郭羅鄭梁謝宋唐馮韓曹彭曾蕭田董袁潘蔣蔡余杜葉魏蘇呂丁沈姚盧姜崔鍾譚陸范汪廖賈韋夏鄒熊孟秦邱侯尹薛段雷黎龍陶賀顧郝龔邵嚴戴莫孔湯偉芳娜敏靜秀麗磊洋勇豔傑娟濤超霞剛桂玉萍鵬輝宇浩軒梓涵欣怡晨陽博睿佳琪俊豪雨雪源誠瑞祥嘉詩雅琳倩穎婷雲菲曉晴航凱鑫旭斌寧毅堅靖耀棋圍弈黑勝負盤貼級局賽盃屆輪冠亞季預選循環升降團職讓目限秒投提劫征布官甲乙丙初終敗慢譜評注裁判先";

/// Of names, of the game and of any text, in Japanese characters (漢字).
const KANJI: &str = "日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千\
水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢藤佐鈴伊渡辺村加吉松井上林清斎阿部森池橋石崎坂原岡長谷岩谷島福太郎次幸健和美由紀裕子直樹哲也浩誠智恵康弘隆之助雄夫介平郎光正治義信博昭久雅章彦孝敏勝武秀克洋俊隼翔陽奈香織菜結衣愛咲碁囲棋対局段級位戦初終局勝負敗目中押半投了手番互先置石込持時間秒読黒白布定石劫活死本因坊名人聖王座天元十段碁聖杯戦予選決第期回者優準選手権大会院日本関西協会道場塾一力張栩許趙治勲仲邑菫芝野虎丸沢柳梅桜竹内宮城戸尾瀬浜横堀菅菊地酒巻片須藤遠近工安武";

/// Syllables of names, of the game and of any text, in Korean (한글).
const HANGUL: &str = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지나엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국은준영수호훈철환태동재상승희경혜미순숙자아예윤슬빈찬규범석종섭용일광병욱건학창봉복두삼세형관균근단덕람래련렬로록리린림만목무배별보부비사산샘생섬솔시식실애언에와요운율을의익입잔점중집참청초춘충치칠코토통파판팔평포필해행향화흑불계승반패급단국대회바둑결예선강본이가는을를고다하기서도로에한지만들어있것사그나리자라수일보시해게대여아니면않없내때말같더전까또부터된되었던했습합입니까요네거두점집호선접덤제회차우준챔피언배컵리그프로아마세계기원한국협초중고등학교백흑";

/// Letters beside the English ones in Western, Central European and Cyrillic writing.
const WESTERN: &str = "éèêëàâäáåãæçíìîïñóòôöõøœúùûüýÿßÉÈÀÄÅÇÖØÜÁÓÚŠšžŽ";
const CENTRAL: &str = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽäöüßÄÖÜőűŐŰăâîșşţĂÂÎŞŢđĐĺľŕ";

/// How usual the characters of an encoding are.
pub(super) struct Usual {
    writing: Writing,
    /// The most usual ones, sorted.
    most: Vec<char>,
}

/// The kinds of writing that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    Simplified,
    Traditional,
    /// Whether it is the one of the two encodings in which half of a character can be ASCII.
    Japanese(bool),
    Korean,
    Latin,
    Cyrillic,
    /// Greek, Thai and others.
    Other,
    /// UTF-8.
    Any,
}

/// What is written in an encoding.
pub(super) fn writing(encoding: &'static Encoding) -> Writing {
    match encoding.name() {
        "gb18030" | "GBK" => Writing::Simplified,
        "Big5" => Writing::Traditional,
        "Shift_JIS" => Writing::Japanese(true),
        "EUC-JP" | "ISO-2022-JP" => Writing::Japanese(false),
        "EUC-KR" => Writing::Korean,
        "windows-1251" | "KOI8-R" | "KOI8-U" | "IBM866" | "ISO-8859-5" | "x-mac-cyrillic" => {
            Writing::Cyrillic
        }
        "windows-1253" | "ISO-8859-7" | "windows-874" | "windows-1255" | "ISO-8859-8" | "ISO-8859-8-I"
        | "windows-1256" | "ISO-8859-6" => Writing::Other,
        "UTF-8" | "UTF-16LE" | "UTF-16BE" => Writing::Any,
        _ => Writing::Latin,
    }
}

/// The table for an encoding.
pub(super) fn of(encoding: &'static Encoding) -> Usual {
    let writing = writing(encoding);
    let most = match writing {
        Writing::Simplified => SIMPLIFIED,
        Writing::Traditional => TRADITIONAL,
        Writing::Japanese(_) => KANJI,
        Writing::Korean => HANGUL,
        Writing::Latin if encoding == WINDOWS_1250 || encoding == ISO_8859_2 => CENTRAL,
        Writing::Latin | Writing::Any => WESTERN,
        Writing::Cyrillic | Writing::Other => "",
    };
    let mut most: Vec<char> = most.chars().collect();
    most.sort_unstable();
    Usual { writing, most }
}

impl Usual {
    /// The charge for a character that is not ASCII, and the bytes it was made of.
    pub(super) fn charge(&self, letter: char, bytes: &[u8]) -> u32 {
        let most = self.most.binary_search(&letter).is_ok();
        let lead = bytes.first().copied().unwrap_or_default();
        let trail = bytes.get(1).copied().unwrap_or_default();
        let usual_sign = matches!(letter, '\u{3000}'..='\u{3002}' | '《' | '》' | '「'..='』' | '，' | '：' | '；' | '！' | '？' | '（' | '）' | '“' | '”' | '‘' | '’' | '…' | '—' | '·' | '・' | 'ー' | '～');
        match self.writing {
            Writing::Any => match letter {
                _ if most => 380,
                'А'..='я' | 'Ά'..='ώ' => 420,
                '\u{100}'..='\u{17F}' => 500,
                _ => 1_000,
            },
            Writing::Other => match letter {
                '\u{370}'..='\u{E5B}' => 380,
                _ => 1_000,
            },
            _ if bytes.len() > 2 => 2_000,
            Writing::Simplified => match (lead, trail) {
                _ if most => 657,
                _ if usual_sign => 680,
                (0xA3, 0xA1..) => 914,
                (0xA4 | 0xA5, 0xA1..) => 1_130,
                (0xB0..=0xD7, 0xA1..) => 960,
                (0xD8..=0xF7, 0xA1..) => 1_220,
                (0xA1..=0xA9, 0xA1..) => 1_200,
                _ => 1_490,
            },
            Writing::Traditional => match lead {
                _ if most => 657,
                _ if usual_sign => 680,
                0xA4..=0xC6 => 988,
                0xC9..=0xF9 => 1_355,
                0xA1..=0xA3 => 1_100,
                _ => 1_800,
            },
            Writing::Japanese(shift) => match (letter, lead) {
                ('ぁ'..='ん', _) => 547,
                ('ァ'..='ヶ', _) => 635,
                _ if most => 704,
                _ if usual_sign => 680,
                ('\u{FF61}'..='\u{FF9F}', _) => 875,
                ('\u{FF01}'..='\u{FF5E}', _) => 914,
                (_, 0x88..=0x97) if shift => 1_015,
                (_, 0xB0..=0xCF) if !shift => 1_015,
                (_, 0x81..=0x84) if shift => 1_150,
                _ => 1_400,
            },
            Writing::Korean => match letter {
                _ if most => 550,
                _ if usual_sign => 800,
                '가'..='힣' if lead >= 0xB0 && trail >= 0xA1 => 912,
                '가'..='힣' => 1_670,
                '\u{4E00}'..='\u{9FFF}' => 1_379,
                _ => 1_100,
            },
            Writing::Latin => match letter {
                _ if most => 380,
                '–' | '—' | '‘' | '’' | '“' | '”' | '…' | '«' | '»' | '°' | '·' | '½' | '\u{A0}' => {
                    650
                }
                '\u{80}'..='\u{9F}' => 1_500,
                _ if letter.is_alphabetic() => 700,
                _ => 950,
            },
            Writing::Cyrillic => match letter {
                'а'..='я' => 340,
                'А'..='Я' | 'ё' => 450,
                '–' | '—' | '«' | '»' | '№' | '…' | '\u{A0}' => 650,
                _ => 1_200,
            },
        }
    }

    /// The charge for a character that is not ASCII after another character.
    pub(super) fn neighbours(&self, before: char, letter: char) -> u32 {
        match self.writing {
            Writing::Latin | Writing::Any if letter.is_alphabetic() && letter < '\u{370}' => {
                let high = if before.is_ascii() { 0 } else { 300 };
                let rise = if letter.is_uppercase() && before.is_lowercase() {
                    300
                } else {
                    0
                };
                high + rise
            }
            Writing::Cyrillic | Writing::Other | Writing::Any if letter.is_alphabetic() => {
                let mixed = if before.is_ascii_alphabetic() { 300 } else { 0 };
                let rise = if letter.is_uppercase() && before.is_lowercase() {
                    300
                } else {
                    0
                };
                mixed + rise
            }
            Writing::Latin | Writing::Cyrillic | Writing::Other | Writing::Any => 50,
            _ if before.is_ascii_alphabetic() => 150,
            _ => 0,
        }
    }

    /// The charge for an ASCII character after another one.
    pub(super) fn after(&self, before: char, letter: char) -> u32 {
        match self.writing {
            Writing::Latin | Writing::Any => 0,
            _ if letter.is_ascii_alphabetic() && !before.is_ascii() && before.is_alphabetic() => 150,
            _ => 0,
        }
    }
}
