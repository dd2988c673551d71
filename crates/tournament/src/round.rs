//! A round as it was paired, with the results that are known.

use crate::draw::Seed;
use crate::entry::Number;
use crate::result::{By, Margin, Outcome, Side, Warnings};

/// One round (轮).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// 1 for the first.
    pub round: u32,
    /// The boards, in board order.
    pub boards: Vec<Board>,
    /// Who has the bye (轮空).
    pub byes: Vec<Number>,
    /// Who was known to be absent (缺席) when the round was paired. Entries on no board, with no
    /// bye and not named here count as absent too.
    pub absent: Vec<Number>,
    /// What the director had fixed before it was paired.
    pub choices: Choices,
    /// The seed of its draw, when it was paired with one.
    pub seed: Option<Seed>,
}

/// What a director fixes before a round is paired (pairing specification, section 6). The rest is
/// paired around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// These two meet, also when they have met before.
    pub pairs: Vec<(Number, Number)>,
    /// These two do not.
    pub apart: Vec<(Number, Number)>,
    /// These have the bye.
    pub byes: Vec<Number>,
    /// These sit out.
    pub sitting_out: Vec<Number>,
}

impl Choices {
    /// Whether nothing is fixed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Round {
    /// The board an entry sits at, and on which side.
    pub fn board_of(&self, number: Number) -> Option<(&Board, Side)> {
        self.boards
            .iter()
            .find_map(|board| board.side_of(number).map(|side| (board, side)))
    }

    /// Boards without a result.
    pub fn pending(&self) -> impl Iterator<Item = &Board> {
        self.boards.iter().filter(|board| board.result.is_none())
    }
}

/// One board (台) of a round. The colours are those assigned by the pairing: later pairings go by
/// them even when a game was played with the wrong ones (Art. 17.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The board number (台次), from 1.
    pub board: u32,
    /// Who has Black.
    pub black: Number,
    /// Who has White.
    pub white: Number,
    /// Whether the colours come from nigiri (猜先) and are not known yet. `black` is then just the
    /// player who is named first.
    pub nigiri: bool,
    /// The result; none while the game is pending.
    pub result: Option<Outcome>,
    /// How the game ended, where it is known.
    pub by: Option<By>,
    /// By how much, where it was counted.
    pub margin: Option<Margin>,
    /// Warnings in this game.
    pub warnings: Warnings,
}

impl Board {
    /// A board that has been paired and not played.
    pub fn new(board: u32, black: Number, white: Number) -> Self {
        Self {
            board,
            black,
            white,
            nigiri: false,
            result: None,
            by: None,
            margin: None,
            warnings: Warnings::default(),
        }
    }

    /// The entry on a side.
    pub fn on(&self, side: Side) -> Number {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }

    /// The side of an entry, when it sits here.
    pub fn side_of(&self, number: Number) -> Option<Side> {
        if self.black == number {
            Some(Side::Black)
        } else if self.white == number {
            Some(Side::White)
        } else {
            None
        }
    }
}
