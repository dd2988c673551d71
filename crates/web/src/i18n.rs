//! The reader's language and the sentences in it.
//!
//! Sentences live in `translations/{zh-CN,en}/*.ftl`; a test holds both languages to the same
//! keys and the code to keys that exist.

use std::borrow::Cow;
use std::collections::HashMap;

use fluent_templates::fluent_bundle::FluentValue;
use fluent_templates::{LanguageIdentifier, Loader, langid};

fluent_templates::static_loader! {
    static SENTENCES = {
        locales: "./translations",
        fallback_language: "en",
        // Isolating marks would come out of every page as invisible characters in what a reader
        // copies; `Argument` isolates the few values that need it.
        customise: |bundle| bundle.set_use_isolating(false),
    };
}

static CHINESE: LanguageIdentifier = langid!("zh-CN");
static ENGLISH: LanguageIdentifier = langid!("en");

/// A language that every page and every refusal exists in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// Simplified Chinese, the language of whoever says nothing.
    #[default]
    Chinese,
    /// English.
    English,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Chinese, Self::English];

    /// The tag for `lang` attributes, cookies and `Content-Language`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Chinese => "zh-CN",
            Self::English => "en",
        }
    }

    /// The language with a tag, by its first part: `zh-Hant-TW` is Chinese.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("zh") {
            Some(Self::Chinese)
        } else if primary.eq_ignore_ascii_case("en") {
            Some(Self::English)
        } else {
            None
        }
    }

    /// The best language for an `Accept-Language` header. A reader of neither language gets
    /// English when some language was named, and the default when nothing sensible was said.
    pub fn negotiate(accept: &str) -> Self {
        let mut best: Option<(u16, Self)> = None;
        let mut named = false;
        for part in accept.split(',').take(50) {
            let mut pieces = part.split(';');
            let tag = pieces.next().unwrap_or_default().trim();
            let weight = pieces
                .find_map(|piece| piece.trim().strip_prefix("q="))
                .map_or(Some(1000), thousandths);
            let Some(weight) = weight.filter(|weight| *weight > 0) else {
                continue;
            };
            named |= (2..=3).contains(&tag.split('-').next().unwrap_or_default().len())
                && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
            if let Some(language) = Self::from_tag(tag)
                && best.is_none_or(|(so_far, _)| weight > so_far)
            {
                best = Some((weight, language));
            }
        }
        match best {
            Some((_, language)) => language,
            None if named => Self::English,
            None => Self::default(),
        }
    }

    /// A sentence without arguments.
    pub fn say(self, key: &str) -> String {
        self.look_up(key, None)
    }

    /// A sentence with one argument.
    pub fn with(self, key: &str, name: &'static str, value: impl Argument) -> String {
        self.tell(key, &[(name, value.argument())])
    }

    /// A sentence with two arguments.
    pub fn with2(
        self,
        key: &str,
        first: &'static str,
        value: impl Argument,
        second: &'static str,
        other: impl Argument,
    ) -> String {
        self.tell(key, &[(first, value.argument()), (second, other.argument())])
    }

    /// A sentence with any number of arguments.
    pub fn tell(self, key: &str, arguments: &[(&'static str, FluentValue<'static>)]) -> String {
        let arguments: HashMap<Cow<'static, str>, FluentValue<'static>> = arguments
            .iter()
            .map(|(name, value)| (Cow::Borrowed(*name), value.clone()))
            .collect();
        self.look_up(key, Some(&arguments))
    }

    /// Whether there is a sentence with this key.
    pub fn knows(self, key: &str) -> bool {
        match SENTENCES.lookup_single_language::<&str>(self.identifier(), key, None) {
            Ok(_) => true,
            // It is there and misses its arguments. The error's type has no public name, so its
            // words must tell it from the others.
            Err(error) => error.to_string().starts_with("Fluent errors"),
        }
    }

    /// Words put one after another as this language lists things: 甲、乙 or “one, two”.
    pub fn list<S: AsRef<str>>(self, items: impl IntoIterator<Item = S>) -> String {
        joined(items, self.either("、", ", "))
    }

    /// Parts of a sentence put one after another, each of them perhaps a list: 甲、乙，丙.
    pub fn parts<S: AsRef<str>>(self, items: impl IntoIterator<Item = S>) -> String {
        joined(items, self.either("，", ", "))
    }

    /// Changes put one after another, each of them perhaps with commas of its own.
    pub fn changes<S: AsRef<str>>(self, items: impl IntoIterator<Item = S>) -> String {
        joined(items, self.either("；", "; "))
    }

    /// What stands between two sentences: nothing in Chinese, where a full stop has its own room.
    pub fn gap(self) -> &'static str {
        self.either("", " ")
    }

    /// The colon after a word, with the room behind it.
    pub fn colon(self) -> &'static str {
        self.either("：", ": ")
    }

    /// Words in the brackets of this language, with the room before them.
    pub fn in_brackets(self, words: &str) -> String {
        match self {
            Self::Chinese => format!("（{words}）"),
            Self::English => format!(" ({words})"),
        }
    }

    fn either(self, chinese: &'static str, english: &'static str) -> &'static str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }

    fn identifier(self) -> &'static LanguageIdentifier {
        match self {
            Self::Chinese => &CHINESE,
            Self::English => &ENGLISH,
        }
    }

    fn look_up(
        self,
        key: &str,
        arguments: Option<&HashMap<Cow<'static, str>, FluentValue<'static>>>,
    ) -> String {
        SENTENCES
            .try_lookup_complete(self.identifier(), key, arguments)
            .unwrap_or_else(|| {
                // A test that meets a missing sentence must not pass.
                #[cfg(test)]
                panic!("no sentence “{key}” in {}", self.tag());
                #[cfg(not(test))]
                {
                    tracing::error!(key, language = self.tag(), "no sentence with this key");
                    key.to_owned()
                }
            })
    }
}

fn joined<S: AsRef<str>>(items: impl IntoIterator<Item = S>, comma: &str) -> String {
    let mut joined = String::new();
    for item in items {
        if !joined.is_empty() {
            joined.push_str(comma);
        }
        joined.push_str(item.as_ref());
    }
    joined
}

/// `q=0.8` as thousandths; `None` when it is no weight.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let fraction: u16 = format!("{fraction:0<3}").parse().ok()?;
    match whole {
        "0" => Some(fraction),
        "1" if fraction == 0 => Some(1000),
        _ => None,
    }
}

/// What can stand in a sentence.
pub trait Argument {
    /// The value as Fluent takes it.
    fn argument(&self) -> FluentValue<'static>;
}

macro_rules! number_argument {
    ($($integer:ty),*) => {$(
        impl Argument for $integer {
            fn argument(&self) -> FluentValue<'static> {
                FluentValue::from(*self)
            }
        }
    )*};
}
number_argument!(u8, u16, u32, u64, i32, i64, usize);

impl Argument for str {
    fn argument(&self) -> FluentValue<'static> {
        FluentValue::from(isolated(self).into_owned())
    }
}

impl Argument for String {
    fn argument(&self) -> FluentValue<'static> {
        self.as_str().argument()
    }
}

impl<A: Argument + ?Sized> Argument for &A {
    fn argument(&self) -> FluentValue<'static> {
        (**self).argument()
    }
}

/// A text that cannot turn the sentence around it: right-to-left text is put between isolating
/// marks, any other text stays as it is.
pub fn isolated(text: &str) -> Cow<'_, str> {
    let turns = |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{202a}'..='\u{202e}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
    if text.contains(turns) {
        Cow::Owned(format!("\u{2068}{text}\u{2069}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(directory).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                found.extend(files(&path, ending));
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
        found.sort();
        found
    }

    fn root() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
    }

    /// Every key of a language with the names of its arguments.
    fn keys(language: Language) -> BTreeMap<String, BTreeSet<String>> {
        let mut keys = BTreeMap::new();
        let mut key = String::new();
        for file in files(&root().join("translations").join(language.tag()), "ftl") {
            for line in fs::read_to_string(&file).expect("a readable file").lines() {
                let starts = line.starts_with(|c: char| c.is_ascii_lowercase());
                if starts && let Some((name, _)) = line.split_once(" =") {
                    name.clone_into(&mut key);
                    let new = keys.insert(key.clone(), BTreeSet::new()).is_none();
                    assert!(new, "{key} stands twice in {}", language.tag());
                }
                if line.starts_with('#') {
                    continue;
                }
                for piece in line.split('$').skip(1) {
                    let name = piece
                        .chars()
                        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_');
                    keys.entry(key.clone()).or_default().insert(name.collect());
                }
            }
        }
        keys
    }

    #[test]
    fn both_languages_have_the_same_keys_with_the_same_arguments() {
        let (chinese, english) = (keys(Language::Chinese), keys(Language::English));
        for key in chinese.keys().chain(english.keys()) {
            assert!(chinese.contains_key(key), "{key} has no Chinese");
            assert!(english.contains_key(key), "{key} has no English");
            let only_english: Vec<_> = chinese[key].difference(&english[key]).collect();
            assert!(
                only_english.is_empty(),
                "{key}: English leaves out {only_english:?}"
            );
            let only_chinese: Vec<_> = english[key].difference(&chinese[key]).collect();
            assert!(
                only_chinese.is_empty(),
                "{key}: Chinese leaves out {only_chinese:?}"
            );
            assert!(
                Language::Chinese.knows(key) && Language::English.knows(key),
                "{key} does not parse"
            );
        }
    }

    /// Keys made at run time from a code: `refusal-` and the code of the refusal.
    const FAMILIES: [&str; 20] = [
        "refusal-",
        "fault-",
        "criterion-",
        "outcome-",
        "by-",
        "log-",
        "grade-",
        "rules-",
        "preset-",
        "unplayed-",
        "order-",
        "place-",
        "measure-",
        "why-proof-",
        "pairing-",
        "repetition-",
        "record-against-",
        "explain-of-",
        "sheet-",
        "token-scope-",
    ];

    #[test]
    fn no_sentence_is_unused_and_none_is_missing() {
        let known = keys(Language::Chinese);
        let mut sources = String::new();
        for file in files(&root().join("../../templates"), "html") {
            sources.push_str(&fs::read_to_string(file).expect("a readable file"));
        }
        for file in files(&root().join("src"), "rs") {
            sources.push_str(&fs::read_to_string(file).expect("a readable file"));
        }
        for file in files(&root().join("../../static"), "js") {
            sources.push_str(&fs::read_to_string(file).expect("a readable file"));
        }
        let unused: Vec<&String> = known
            .keys()
            .filter(|key| !FAMILIES.iter().any(|family| key.starts_with(family)))
            .filter(|key| !sources.contains(&format!("\"{key}\"")))
            .collect();
        assert!(unused.is_empty(), "nobody says {unused:?}");
        let mut missing = BTreeSet::new();
        for call in [".say(\"", ".with(\"", ".with2(\"", ".tell(\""] {
            for piece in sources.split(call).skip(1) {
                let key: String = piece.chars().take_while(|c| *c != '"').collect();
                if !known.contains_key(&key) {
                    missing.insert(key);
                }
            }
        }
        assert!(missing.is_empty(), "no sentence for {missing:?}");
    }

    #[test]
    fn a_browser_gets_a_language_it_reads_and_never_an_error() {
        for (accept, language) in [
            ("zh-CN,zh;q=0.9", Language::Chinese),
            ("zh-TW", Language::Chinese),
            ("en-GB,en;q=0.9,zh;q=0.8", Language::English),
            ("en;q=0.5, zh;q=0.9", Language::Chinese),
            ("zh;q=0, en", Language::English),
            ("fr-CH, de;q=0.8, *;q=0.1", Language::English),
            ("xx", Language::English),
            ("", Language::Chinese),
            ("*", Language::Chinese),
            ("en;q=nonsense", Language::Chinese),
        ] {
            assert_eq!(Language::negotiate(accept), language, "{accept}");
        }
        assert_eq!(Language::negotiate(&"\u{1}\"%,;=".repeat(400)), Language::Chinese);
    }

    #[test]
    fn only_text_that_runs_the_other_way_is_isolated() {
        assert_eq!(isolated("李🐼"), "李🐼");
        assert_eq!(isolated("O'Neil-Łuczak"), "O'Neil-Łuczak");
        assert_eq!(isolated("محمد"), "\u{2068}محمد\u{2069}");
    }
}
