//! A round as it was paired, with the results that are known.

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
