//! How a game ended and by how much.

pub(crate) mod amount;
pub(crate) mod plain;
mod read;
mod said;

use crate::point::Colour;
use crate::rule_set::Unit;

/// By how much Black is ahead, in quarter stones (1/4 子). A quarter stone is half a point, so the same
/// number is in half points under territory counting. Negative when White is ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Margin(pub i32);

impl Margin {
    /// Who is ahead; `None` when it is even.
    pub fn winner(self) -> Option<Colour> {
        match self.0.signum() {
            1 => Some(Colour::Black),
            -1 => Some(Colour::White),
            _ => None,
        }
    }
}

/// The kind of a result as a record states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordedKind {
    /// By counting (数子, 数目).
    Score,
    /// By resignation (中盘).
    Resign,
    /// On time (超时).
    Time,
    /// By forfeit or penalty (弃权, 判负).
    Forfeit,
    /// By a judge's decision.
    Judge,
    /// A draw (和棋).
    Draw,
    /// No result (无胜负).
    Void,
    /// Both lose (双负).
    BothLose,
    /// Somebody won, and it is not said how.
    Unspecified,
    /// Somebody won in a way that is not known.
    Other,
    /// Nothing that can be read; no guess is made.
    Unknown,
}

/// A result as a record states it (RE).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recorded {
    /// What is written.
    pub text: String,
    /// Who won.
    pub winner: Option<Colour>,
    /// How.
    pub kind: RecordedKind,
    /// By how much, when a number is given that can be read exactly.
    pub margin: Option<Margin>,
    /// The unit in which the number is written.
    pub unit: Option<Unit>,
}
