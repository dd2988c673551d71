//! What can come out of a game (rules of 2002, Art. 17, 22 to 24, 27).

use std::fmt;
use std::str::FromStr;

use crate::score::Score;

/// One side of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Black (黑方), who moves first.
    Black,
    /// White (白方).
    White,
}

impl Side {
    /// The side across the board.
    pub fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// The result of a board. A board without one is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Black wins (黑胜).
    Black,
    /// White wins (白胜).
    White,
    /// A draw (和棋), also no result agreed as one (无胜负).
    Draw,
    /// Both lose a game that was played (双方均负).
    BothLose,
    /// Black is absent and White scores (黑弃权).
    BlackForfeit,
    /// White is absent and Black scores (白弃权).
    WhiteForfeit,
    /// Both are absent (双弃权).
    BothForfeit,
}

impl Outcome {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 7] = [
        Self::Black,
        Self::White,
        Self::Draw,
        Self::BothLose,
        Self::BlackForfeit,
        Self::WhiteForfeit,
        Self::BothForfeit,
    ];

    /// Points for one side: 2, 1 or 0.
    pub fn score(self, side: Side) -> Score {
        match (self, side) {
            (Self::Black | Self::WhiteForfeit, Side::Black)
            | (Self::White | Self::BlackForfeit, Side::White) => Score::WIN,
            (Self::Draw, _) => Score::DRAW,
            _ => Score::ZERO,
        }
    }

    /// Whether a game took place: it then carries colours and may have a margin.
    pub fn played(self) -> bool {
        !matches!(self, Self::BlackForfeit | Self::WhiteForfeit | Self::BothForfeit)
    }

    /// The side that gets the two points, when one does.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::Black | Self::WhiteForfeit => Some(Side::Black),
            Self::White | Self::BlackForfeit => Some(Side::White),
            _ => None,
        }
    }

    /// The same result with the colours exchanged.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
            Self::BlackForfeit => Self::WhiteForfeit,
            Self::WhiteForfeit => Self::BlackForfeit,
            Self::Draw | Self::BothLose | Self::BothForfeit => self,
        }
    }

    /// The word of the event file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
            Self::Draw => "draw",
            Self::BothLose => "both_lose",
            Self::BlackForfeit => "black_forfeit",
            Self::WhiteForfeit => "white_forfeit",
            Self::BothForfeit => "both_forfeit",
        }
    }
}

/// A word that is none of those expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{found}” is not one of {expected}")]
pub struct UnknownWord {
    /// What was written.
    pub found: String,
    /// What may be written, joined by commas.
    pub expected: &'static str,
}

impl FromStr for Outcome {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
            .ok_or_else(|| UnknownWord {
                found: text.to_owned(),
                expected: "black, white, draw, both_lose, black_forfeit, white_forfeit, both_forfeit",
            })
    }
}

/// How a played game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// Counted (数子, 数目).
    Count,
    /// Resignation (中盘胜).
    Resignation,
    /// Time (超时胜).
    Time,
    /// A referee's ruling (判负).
    Penalty,
}

impl By {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Count, Self::Resignation, Self::Time, Self::Penalty];

    /// The word of the event file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Resignation => "resignation",
            Self::Time => "time",
            Self::Penalty => "penalty",
        }
    }
}

impl FromStr for By {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL
            .into_iter()
            .find(|by| by.as_str() == text)
            .ok_or_else(|| UnknownWord {
                found: text.to_owned(),
                expected: "count, resignation, time, penalty",
            })
    }
}

/// By how much a counted game was won, in quarters of the event's counting unit: stones (子)
/// under area scoring, points (目) under territory scoring. Positive; at most 3,000 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Margin(u16);

/// What was written is no margin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a margin: write a positive number in quarters, as 0.75, 3 or 12.5")]
pub struct NotAMargin(pub String);

impl Margin {
    /// A margin of so many quarters of a unit.
    ///
    /// # Errors
    /// When it is zero or more than 3,000 units.
    pub fn from_quarters(quarters: u16) -> Result<Self, NotAMargin> {
        if (1..=12_000).contains(&quarters) {
            Ok(Self(quarters))
        } else {
            Err(NotAMargin(format!("{quarters}/4")))
        }
    }

    /// The margin in quarters of the unit.
    pub fn quarters(self) -> u16 {
        self.0
    }
}

impl FromStr for Margin {
    type Err = NotAMargin;

    /// Reads a decimal string: `0.75`, `3`, `12.5`.
    fn from_str(text: &str) -> Result<Self, NotAMargin> {
        let fault = || NotAMargin(text.to_owned());
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        if whole.is_empty() || whole.len() > 4 || !whole.bytes().all(|b| b.is_ascii_digit()) {
            return Err(fault());
        }
        let quarters = match fraction.trim_end_matches('0') {
            "" if !fraction.is_empty() => 0,
            "25" => 1,
            "5" => 2,
            "75" => 3,
            _ => return Err(fault()),
        };
        let whole: u16 = whole.parse().map_err(|_| fault())?;
        whole
            .checked_mul(4)
            .and_then(|w| w.checked_add(quarters))
            .map_or_else(
                || Err(fault()),
                |total| Self::from_quarters(total).map_err(|_| fault()),
            )
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, quarters) = (self.0 / 4, self.0 % 4);
        match quarters {
            0 => write!(f, "{whole}"),
            1 => write!(f, "{whole}.25"),
            2 => write!(f, "{whole}.5"),
            _ => write!(f, "{whole}.75"),
        }
    }
}

/// Warnings (警告) given in one game (Art. 24). The second one of a side loses it the game; that
/// is the director's result to enter, not ours to infer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Warnings {
    /// Warnings to Black.
    pub black: u8,
    /// Warnings to White.
    pub white: u8,
}

impl Warnings {
    /// Warnings to one side.
    pub fn of(self, side: Side) -> u8 {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_quarters_and_nothing_else() {
        for (text, quarters) in [
            ("0.75", 3),
            ("3", 12),
            ("12.5", 50),
            ("0.25", 1),
            ("3.50", 14),
            ("7.0", 28),
        ] {
            assert_eq!(
                text.parse::<Margin>().map(Margin::quarters),
                Ok(quarters),
                "{text}"
            );
        }
        for text in [
            "", "0", "0.0", "-1", "0.1", ".5", "1.", "1e3", "99999", "3000.25", "0.3333", "1,5",
        ] {
            assert!(text.parse::<Margin>().is_err(), "{text}");
        }
        assert_eq!("3.50".parse::<Margin>().expect("a margin").to_string(), "3.5");
    }

    #[test]
    fn points_of_a_game_add_up_as_the_rules_say() {
        let sums = Outcome::ALL.map(|outcome| (outcome.score(Side::Black).0, outcome.score(Side::White).0));
        assert_eq!(sums, [(2, 0), (0, 2), (1, 1), (0, 0), (0, 2), (2, 0), (0, 0)]);
    }
}
