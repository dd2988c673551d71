//! Names that are probably one name: composed and decomposed accents, full-width letters, capitals,
//! and white space of other kinds. Only for finding and warning: stored names stay as they are.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tournament::{Entry, Number};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A name as it is searched for: plain small letters, single spaces. `José`, `JOSE` and `Ｊｏｓé`
/// give `jose`; Chinese characters stay what they are.
pub fn search_key(name: &str) -> String {
    let plain: String = name
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        // A small letter can decompose once more (the Turkish capital İ).
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .collect();
    let mut key = String::with_capacity(plain.len());
    for word in plain.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        word.chars().for_each(|c| match letters(c) {
            Some(letters) => key.push_str(letters),
            None => key.push(c),
        });
    }
    key
}

/// Letters that Unicode does not decompose, as they are typed on a plain keyboard.
fn letters(c: char) -> Option<&'static str> {
    Some(match c {
        'ł' => "l",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ŧ' => "t",
        'þ' => "th",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        '’' | '‘' | 'ʼ' | '`' | '´' => "'",
        '‐' | '‑' | '–' => "-",
        _ => return None,
    })
}

/// A text for a line of other text, as on a terminal: one that runs from right to left is set apart
/// by the marks of Unicode for that (U+2068, U+2069), so that what stands beside it stays where it is.
pub fn set_apart(text: &str) -> Cow<'_, str> {
    let from_the_right = |c| {
        matches!(
            c,
            '\u{590}'..='\u{8ff}'
                | '\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{fb1d}'..='\u{fdff}'
                | '\u{fe70}'..='\u{feff}'
                | '\u{10800}'..='\u{10fff}'
                | '\u{1e800}'..='\u{1efff}'
        )
    };
    if text.contains(from_the_right) {
        Cow::Owned(format!("\u{2068}{text}\u{2069}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Two entries whose names are probably one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAlike {
    /// The entry that stands first.
    pub first: Number,
    /// The other entry.
    pub second: Number,
    /// Whether the names are the same to the letter; namesakes are.
    pub same_spelling: bool,
}

/// The entries whose names are probably one, each beside the first that has the name. A reason to
/// look, not a fault: namesakes exist.
pub fn look_alikes(entries: &[Entry]) -> Vec<LookAlike> {
    let mut first_with: BTreeMap<String, &Entry> = BTreeMap::new();
    let mut found = Vec::new();
    for entry in entries {
        match first_with.get(&search_key(&entry.name)) {
            None => {
                first_with.insert(search_key(&entry.name), entry);
            }
            Some(first) => found.push(LookAlike {
                first: first.number,
                second: entry.number,
                same_spelling: first.name == entry.name,
            }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_in_several_forms_is_found_by_its_plain_letters() {
        for name in ["José", "Jose\u{301}", "JOSE", "Ｊｏｓé", " jose "] {
            assert_eq!(search_key(name), "jose", "{name}");
        }
        for name in ["ＬＩ Ming", "LI Ming", "Li\u{a0}Ming", "li\u{3000} ming"] {
            assert_eq!(search_key(name), "li ming", "{name}");
        }
        for (name, key) in [
            ("Müller", "muller"),
            ("MULLER", "muller"),
            ("O’Neil-Łuczak", "o'neil-luczak"),
            ("İpek", "ipek"),
            ("李小明", "李小明"),
            ("", ""),
        ] {
            assert_eq!(search_key(name), key, "{name}");
        }
    }

    #[test]
    fn only_a_text_from_the_right_is_set_apart() {
        for text in ["", "Anna", "李🐼", "José"] {
            assert_eq!(set_apart(text), text);
        }
        for text in ["דוד", "محمد", "x\u{202e}y"] {
            assert_eq!(set_apart(text), format!("\u{2068}{text}\u{2069}"));
        }
    }

    #[test]
    fn a_second_entry_of_one_name_is_a_reason_to_look() {
        let names = ["José", "李明", "Jose\u{301}", "李明", "Müller", "李小明"];
        let entries: Vec<Entry> = (1..)
            .zip(names)
            .map(|(number, name)| Entry::new(Number::new(number).expect("a number"), name))
            .collect();
        let found: Vec<(u32, u32, bool)> = look_alikes(&entries)
            .iter()
            .map(|l| (l.first.get(), l.second.get(), l.same_spelling))
            .collect();
        assert_eq!(found, [(1, 3, false), (2, 4, true)]);
        // The names themselves are untouched.
        assert_eq!(entries[2].name, "Jose\u{301}");
    }
}
