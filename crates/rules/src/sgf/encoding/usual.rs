//! How usual characters are in the writing of each encoding, in game records: names, grades, events, results
//! and comments.

use encoding_rs::{Encoding, ISO_8859_2, WINDOWS_1250};

/// Of names, of the game and of any text, in simplified characters (简体).
const SIMPLIFIED: &str = "一丁七万三上下不与专世丙业东两严个中为主丽么义之乙九也书了争事二于云五亚些交产京亲人什今从他付代令以\
    们件任众会伟传似但位住体何余作你佳使侯便俊保信倒候倩做像儿元先光党入全八公六共关兴兵其内再写军冠冯决\
    几凯出分刘则刚初判利别到制前力办功加务动劫勇包化北区十千升半华单南博卢即却历原去又及友双反发取受变口\
    古只叫可台史叶司吃各合同名后向吕听吴告员呢周命和品唐商啸喜嘉四回因团围国在地场坏坚城基士声处夏外多大\
    天太夫失头女好如始委姚姜娜娟婷子孔字孙孝孟季学孩宁它宇安宋完官定实家容对导将小少就尹局届展山崔工己已\
    市布师带常干平年并广应度廖建开弈式弟张强当形彭影往征很徐得循德心必志快怎思怡性总息情想意感慢成我或战\
    戴房所手才打找技把投报拿持指据接提收改放政敏教数文斌斯新方无日早旭时明是晓晗晨晴更曹曾最月有服望期未\
    本术朱机权李杜条来杨杯杰极林果柯校样桂梁梓棋檀次欣正此步武死段毅每比毛民气水求江汤汪沈没治法注洁洋活\
    派流济浩海涛涵深清源满潘火点然熊爱父片版物特玉王环现理琪琳瑞甚生用田由甲电界留白百的盘目直相看真眼着\
    睿知石研磊社神祥离秀种科秒秦程究空立站笑第等算管系红级组终经结给统网罗美耀老者而聂职联肖胜胡能脸自至\
    航色艳花芳苏若英范莫菲萍落董蒋蔡薛虽行表袁被裁西要覃见观视觉解言计认让议记许论设评识诗诚话该语说请读\
    谁谢谭谱象豪负败贴贺贾资赛走赵起超越跟路身车轩转轮轻辉边达过运近还这进远连选通造道那邱邵邹郑郝部郭都\
    里重量金鑫钟钱长门闫问间队阳际陆陈降限院陶难雅雨雪雷霞青靖静非面革韦韩音顾预领颖题风飞首香马高魏鹏黄\
    黎黑龙龚";

/// The same in traditional characters (繁體).
const TRADITIONAL: &str = "一丁七三上下不世丙並中主之乙九也了事二五些亞交京人什今他代令以件任似但位住何余作你佳使來侯便俊保信個\
    們倒候倩偉做傑傳像元先光兒入內全兩八公六共兵其再冠凱出分初判別利到制則前剛劉力功加劫勇動務勝包化北區\
    十千升半南博即卻原去又及友反取受口只叫可台史司吃各合同名向吳呂告呢周命和品員唐商問喜單嘉嚴四回因國圍\
    團在地城基堅報場壞士夏外多大天太夫失女好如始委姚姜娜娟婷子孔字孟季孩孫學它宇安宋完官定家容實寧寫將專\
    對導小少就尹局屆展山崔工己已市布師帶常平年幾度廖廣建弈式弟張強形彭影往征很後徐得從循德心必志快怎思怡\
    性息情想意愛感慢應成我或戰戴房所手才打找技把投拿持指接提據收改放政敏敗教數文斌斯新方於日早旭明是時晨\
    晴曉更書曹曾最會月有服望期未本朱李杜東林果校桂梁梓條棋楊業極樣機權次欣正此步武歷死段毅每比毛民氣水求\
    江汪決沈沒治法注洋活派流浩海涵深清湯源滿潘濟濤火為無然熊爭父片版物特玉王現理琪琳瑞環甚生產用田由甲界\
    留當發白百的盃盤盧目直相看真眼眾睿知石研磊社神祥秀科秒秦程種穎究空立站笑第等算管系紅級終組結給統經網\
    總羅美義耀老者而聯聲職聽胡能臉自至與興航色花芳若英范莫華菲萍萬落葉著董蔡蔣蕭薛蘇處行術表袁被裁裡西要\
    見視親覺觀解言計記設許評詩話該認語誠說誰請論謝識譚譜議讀變讓豔象豪負貼賀資賈賽走起超越趙跟路身車軍軒\
    輕輝輪轉辦近這通造連進運過道達遠選還邊那邱邵郝部郭都鄒鄭重量金錢鍾鑫長門開間關降限院陳陶陸陽隊際雅雖\
    雙離難雨雪雲雷電霞青靖靜非面革韋韓音預領頭題顧風飛首香馬馮體高魏鵬麗麼黃黎黑點黨龍龔";

/// Of names, of the game and of any text, in Japanese characters (漢字).
const KANJI: &str = "一七万三上下不世中丸主久之九也了予事二互五井京人今介仕代以仲伊休会位住佐体何作使俊信借健優元兄先光克\
    入八公六内円写冬出切初別前力加助劫勉動勝勲北医十千午半協南博原去友口古台右吉同名味和咲品員哲問四回因\
    囲図国土地坂坊城堀堂場塾売夏夕外多夜大天太夫奈女妹姉始子字孝学安定室宮家対小少尾局屋山岡岩島崎川工左\
    巻布帰平年幸広店度座康建弘弟張強彦待後心思急恵悪意愛戦戸手投押持敏敗教文斎料新方旅族日早明映春昭昼時\
    智曜書月有服朝期木本村来杯東松林柳校栩桜梅棋森業楽権横樹橋次歌止正武歩死段母毎気水池決沢治注洋活浜浩\
    海清渡準漢瀬火父片牛物特犬王理生用田由男町画界番病発白百目直真着知石研碁社福秀私秋秒究空立章竹第答紀\
    紙級終結織置美義習翔考者聖聞肉自色芝花英茶菅菊菜菫藤虎行衣裕西見親言計許試話語誠読谷負買貸質赤走起趙\
    足車転辺込近送通週運道遠選邑郎部酒重野金鈴銀長開間関阿院陽隆隼雄雅集雨電青音須題風食飯飲館香駅験高魚\
    鳥黒";

/// Syllables of names, of the game and of any text, in Korean (한글).
const HANGUL: &str = "가강같거건것게결경계고공곽관광교구국권규균그근금급기길김까나남내네노는니다단대더덕던덤도동되된두둑들\
    등때또라람래련렬로록류를리린림마만말맹면명모목무문미민바박반방배백범변별병보복본봉부불비빈사산삼상샘\
    생서석선설섬섭성세소손솔송수숙순슬습승시식신실심아안않애양어언엄없었에여연염영예오옥와왕요용우욱운원\
    위유육윤율은을의이익인일임입있자잔장재전점접정제조종주준중지진집차찬참창채챔천철청초최추춘충치칠컵코\
    탁태터토통파판팔패평포표프피필하학한함합해했행향허현협형혜호홍화환황회훈흑희";

/// Letters beside the English ones in Western, Central European and Cyrillic writing.
const WESTERN: &str = "ÀÁÄÅÇÈÉÓÖØÚÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœŠšŽž";
const CENTRAL: &str = "ÁÂÄÉÍÎÓÖÚÜÝßáâäéíîóöúüýĂăĄąĆćČčĎďĐđĘęĚěĺľŁłŃńŇňŐőŕŘřŚśŞşŠšŢţŤťŮůŰűŹźŻżŽžș";

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
    Usual {
        writing,
        most: most.chars().collect(),
    }
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
        let is_letter = letter.is_alphabetic();
        let rise = if letter.is_uppercase() && before.is_lowercase() {
            300
        } else {
            0
        };
        // Latin letters end before those of Greek.
        let is_latin = |letter: char| letter < '\u{370}';
        match self.writing {
            Writing::Latin | Writing::Any if is_letter && is_latin(letter) => {
                rise + if before.is_ascii() { 0 } else { 300 }
            }
            Writing::Cyrillic | Writing::Other | Writing::Any if is_letter => {
                rise + if before.is_alphabetic() && is_latin(before) {
                    300
                } else {
                    0
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_characters_are_listed_in_order() {
        for list in [SIMPLIFIED, TRADITIONAL, KANJI, HANGUL, WESTERN, CENTRAL] {
            assert!(list.chars().is_sorted_by(|one, two| one < two), "{list}");
        }
    }
}
