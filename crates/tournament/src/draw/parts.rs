//! What a seed is made of: a secret that was promised before, and words of the public.

use std::fmt;

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::{Commitment, Secret, Seed};

/// What a draw decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decides {
    /// The pairing of this round.
    Round(u32),
    /// The numbers of all entries (编号).
    Numbers,
    /// Who plays in which group (分组).
    Groups,
}

impl Decides {
    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    pub fn from_word(text: &str) -> Option<Self> {
        let round = |digits: &str| {
            let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
            digits.parse().ok().filter(|_| plain).map(Self::Round)
        };
        match text {
            "numbers" => Some(Self::Numbers),
            "groups" => Some(Self::Groups),
            _ => text.strip_prefix("round ").and_then(round),
        }
    }
}

/// `round 4`, `numbers` or `groups`.
impl fmt::Display for Decides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Round(round) => write!(f, "round {round}"),
            Self::Numbers => f.write_str("numbers"),
            Self::Groups => f.write_str("groups"),
        }
    }
}

/// The id of an event: a UUID in its usual form of 36 characters, lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(String);

impl EventId {
    /// An id, when the text is one.
    pub fn new(text: &str) -> Option<Self> {
        let digits = |part: &str| part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let parts: Vec<&str> = text.split('-').collect();
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let right = lengths == [8, 4, 4, 4, 12] && parts.iter().all(|part| digits(part));
        right.then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A line of text that somebody in the hall has given, so that nobody could know the seed before:
/// 1 to 200 characters in Unicode's form NFC, no line break or other control character, no white
/// space at either end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(String);

/// Why a text is no public word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordFault {
    /// Nothing but white space.
    #[error("a public word is empty: give at least one character")]
    Empty,
    /// Too many characters.
    #[error("a public word has {characters} characters: at most {} are taken", Word::MAX)]
    TooLong {
        /// How many.
        characters: usize,
    },
    /// A line break or another control character inside.
    #[error("a public word has a line break or another control character in it: write it on one line")]
    Control,
}

impl WordFault {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "public-word-empty",
            Self::TooLong { .. } => "public-word-too-long",
            Self::Control => "public-word-control",
        }
    }
}

impl Word {
    /// How many characters a word may have.
    pub const MAX: usize = 200;

    /// Makes a word of a text: white space at the ends goes, the rest is brought to NFC.
    ///
    /// # Errors
    /// When nothing is left, when it is too long, or when it is not one line.
    pub fn new(text: &str) -> Result<Self, WordFault> {
        let word: String = text.trim().nfc().collect();
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        match word.chars().count() {
            0 => Err(WordFault::Empty),
            _ if word.contains(breaks) => Err(WordFault::Control),
            characters @ ..=Self::MAX => {
                debug_assert!(characters > 0);
                Ok(Self(word))
            }
            characters => Err(WordFault::TooLong { characters }),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What is published before the results that a draw depends on are known (pairing specification,
/// section 5): SHA-256 of `tianyuan commitment 1`, the event, what is drawn and the secret, a line each.
pub fn commitment(event: &EventId, decides: Decides, secret: Secret) -> Commitment {
    let text = format!("tianyuan commitment 1\n{event}\n{decides}\n{secret}\n");
    Commitment(Sha256::digest(text).into())
}

/// The seed of a draw: SHA-256 of `tianyuan seed 1`, the event, what is drawn, the secret and the
/// public words in the order in which they were given, a line each.
pub fn seed(event: &EventId, decides: Decides, secret: Secret, words: &[Word]) -> Seed {
    let mut text = format!("tianyuan seed 1\n{event}\n{decides}\n{secret}\n");
    for word in words {
        text.push_str(word.as_str());
        text.push('\n');
    }
    Seed(Sha256::digest(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_draw_decides_has_one_spelling() {
        for decides in [
            Decides::Round(1),
            Decides::Round(40),
            Decides::Numbers,
            Decides::Groups,
        ] {
            assert_eq!(Decides::from_word(&decides.to_string()), Some(decides));
        }
        for wrong in [
            "",
            "round",
            "round ",
            "round 0",
            "round 04",
            "round +4",
            "round 4 ",
            "Numbers",
            "round 99999999999",
        ] {
            assert_eq!(Decides::from_word(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_event_has_one_spelling() {
        let id = "0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5";
        assert_eq!(EventId::new(id).expect("an id").as_str(), id);
        for wrong in [
            "",
            &id.to_uppercase(),
            &id.replace('-', ""),
            &id[1..],
            &format!("{{{id}}}"),
            &id.replace('7', "g"),
        ] {
            assert_eq!(EventId::new(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_word_is_one_line_in_one_form() {
        let word = |text: &str| Word::new(text).map(|word| word.0);
        assert_eq!(word("  天元 \n"), Ok("天元".to_owned()));
        assert_eq!(word("e\u{301}"), Ok("\u{e9}".to_owned()));
        assert_eq!(word(&"天".repeat(200)), Ok("天".repeat(200)));
        assert_eq!(
            word(&"天".repeat(201)),
            Err(WordFault::TooLong { characters: 201 })
        );
        for empty in ["", " ", "\u{3000}\n"] {
            assert_eq!(word(empty), Err(WordFault::Empty));
        }
        for broken in ["a\nb", "a\rb", "a\u{85}b", "a\u{2028}b", "a\u{0}b", "a\tb"] {
            assert_eq!(word(broken), Err(WordFault::Control));
        }
    }
}
