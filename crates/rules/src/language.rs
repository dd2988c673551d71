//! The languages in which a game is spoken of.

/// A language for sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Simplified Chinese.
    Chinese,
    /// English.
    English,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Chinese, Self::English];

    /// Its tag: `zh-CN` or `en`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Chinese => "zh-CN",
            Self::English => "en",
        }
    }

    /// The text that is in this language.
    pub fn choose<T>(self, chinese: T, english: T) -> T {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}
