//! Text of a record in one spelling, so that each word has to be known only once.

use unicode_normalization::UnicodeNormalization;

/// Letters beyond this make no result, komi or rule set.
const LONGEST: usize = 200;

/// What may stand at the end.
const END: [char; 5] = ['.', '。', '!', ';', ' '];

/// Full width as half width, traditional and Japanese characters as simplified ones, small letters,
/// nothing invisible, single spaces, no full stop at the end. `None` for text that is too long to be what
/// is looked for.
pub(crate) fn plain(text: &str) -> Option<String> {
    if text.is_ascii() && text.len() <= LONGEST {
        return Some(plain_ascii(text));
    }
    let mut apart = String::new();
    for letter in text.trim().chars() {
        if apart.len() > LONGEST * 4 {
            return None;
        }
        if letter.is_control() && !letter.is_whitespace() || is_invisible(letter) {
            continue;
        }
        // 3¼ is not 31/4.
        let fraction = match letter {
            '¼' => " 1/4",
            '½' => " 1/2",
            '¾' => " 3/4",
            _ => {
                apart.push(letter);
                continue;
            }
        };
        apart.push_str(fraction);
    }
    let mut plain = String::new();
    let mut space = false;
    for letter in apart.nfkc().flat_map(char::to_lowercase).map(simplified) {
        if letter.is_whitespace() {
            space = true;
            continue;
        }
        if space && !plain.is_empty() {
            plain.push(' ');
        }
        space = false;
        plain.push(letter);
    }
    let plain = plain.trim_end_matches(END);
    (plain.chars().count() <= LONGEST).then(|| plain.to_owned())
}

/// The same for letters that have but one width and one script.
fn plain_ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_whitespace() {
            if !plain.is_empty() && !plain.ends_with(' ') {
                plain.push(' ');
            }
        } else if !letter.is_control() {
            plain.push(letter.to_ascii_lowercase());
        }
    }
    let end = plain.trim_end_matches(END).len();
    plain.truncate(end);
    plain
}

fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
    )
}

/// The simplified form of the characters that results and rules are written with.
fn simplified(letter: char) -> char {
    match letter {
        '盤' => '盘',
        '勝' => '胜',
        '負' => '负',
        '敗' => '败',
        '無' => '无',
        '時' => '时',
        '間' => '间',
        '棄' => '弃',
        '權' | '権' => '权',
        '黒' => '黑',
        '認' => '认',
        '輸' => '输',
        '贏' => '赢',
        '獲' => '获',
        '點' => '点',
        '計' => '计',
        '數' => '数',
        '雙' | '両' => '双',
        '結' => '结',
        '決' => '决',
        '規' => '规',
        '則' => '则',
        '違' => '违',
        '讀' | '読' => '读',
        '國' => '国',
        '韓' => '韩',
        '應' => '应',
        '罰' => '罚',
        '貳' => '贰',
        '兩' => '两',
        '戰' | '戦' => '战',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{2212}' => '-',
        '、' => ',',
        _ => letter,
    }
}
