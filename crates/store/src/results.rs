//! Results: one per board, entered in any order by many hands at once.

use tournament::{Board, By, Margin, Outcome, Warnings};
use uuid::Uuid;

use crate::{Change, Result, Tx};

/// The result of a board as it is to be. `result: None` makes the board pending again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultInput {
    /// The result.
    pub result: Option<Outcome>,
    /// How the game ended.
    pub by: Option<By>,
    /// By how much.
    pub margin: Option<Margin>,
    /// Warnings.
    pub warnings: Warnings,
}

/// A board in a list of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardInput {
    /// The board.
    pub board: u32,
    /// The version it must have, when the caller says so.
    pub expected: Option<i64>,
    /// Its result.
    pub input: ResultInput,
}

/// A board after a result was put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardResult {
    /// The round.
    pub round: u32,
    /// The board as it is now.
    pub board: Board,
    /// Its version.
    pub version: i64,
    /// False when the same result was there already: nothing was written.
    pub changed: bool,
    /// Later rounds, drafts included, that were paired on another result of this board: they stay
    /// as they are. Empty unless the round is an earlier one.
    pub later_rounds: Vec<u32>,
}

/// Puts the result of one board of a published round. The same result again is a success that
/// writes nothing, whatever version is expected: so a repeated request is harmless.
///
/// # Errors
/// Refused for an unknown or unpublished round, an unknown board, a result that contradicts
/// itself (a margin without a winner), and as stale when the board has another version.
pub async fn put(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    round: u32,
    board: u32,
    expected: Option<i64>,
    input: ResultInput,
) -> Result<BoardResult> {
    todo!()
}

/// Puts the results of many boards of one round, all or none; the answer is in the order given.
///
/// # Errors
/// As [`put`]; also when a board stands twice in the list.
pub async fn put_many(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    round: u32,
    inputs: &[BoardInput],
) -> Result<Vec<BoardResult>> {
    todo!()
}
