//! Entries: who plays, who comes late, sits out, leaves and returns.

use tournament::{Carried, Grade, Number, Score};

use crate::events::Locked;
use crate::{Change, Result, Tx};

/// An entry to be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewEntry {
    /// Its number; none for the next free one.
    pub number: Option<Number>,
    /// Its name, kept as given but for white space around it.
    pub name: String,
    /// The club or team.
    pub team: Option<String>,
    /// The grade.
    pub grade: Option<Grade>,
    /// The rating.
    pub rating: Option<i32>,
    /// The category.
    pub category: Option<String>,
    /// Points before the first round.
    pub start_score: Score,
    /// Rounds it sits out.
    pub absent_rounds: Vec<u32>,
    /// What is carried over.
    pub carried: Option<Carried>,
}

/// What is to be changed of an entry; what is `None` stays as it is, `Some(None)` empties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryPatch {
    /// The number; only before the first round.
    pub number: Option<Number>,
    /// The name.
    pub name: Option<String>,
    /// The club or team.
    pub team: Option<Option<String>>,
    /// The grade.
    pub grade: Option<Option<Grade>>,
    /// The rating.
    pub rating: Option<Option<i32>>,
    /// The category.
    pub category: Option<Option<String>>,
    /// Points before the first round.
    pub start_score: Option<Score>,
    /// What is carried over.
    pub carried: Option<Option<Carried>>,
}

/// What becomes of the board of somebody who leaves at once, with the round already paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seated {
    /// Nothing is decided: the withdrawal is refused and the refusal says what can be chosen.
    #[default]
    Ask,
    /// The opponent wins by forfeit.
    Forfeit,
    /// This entry, who has the bye or no board, takes the seat.
    ReplacedBy(Number),
}

/// Adds entries, all or none, and returns their numbers in the order given. Somebody who comes
/// when rounds are published is absent in those.
///
/// # Errors
/// Refused with every fault: a number that is taken, an empty name, a value out of range.
pub async fn add(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    new: Vec<NewEntry>,
) -> Result<Vec<Number>> {
    todo!()
}

/// Changes an entry. A patch that changes nothing leaves no trace.
///
/// # Errors
/// Refused for an unknown number, a number that is taken, a number after the first round, or a fault.
pub async fn update(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    patch: EntryPatch,
) -> Result<()> {
    todo!()
}

/// Removes an entry that has had no board and no bye; its number stays vacant.
///
/// # Errors
/// Refused for an unknown number, and for an entry that has played: withdraw it instead.
pub async fn delete(tx: &mut Tx, change: &Change<'_>, event: &mut Locked, number: Number) -> Result<()> {
    todo!()
}

/// Withdraws an entry: it is not paired after round `after` (0: plays none).
///
/// # Errors
/// Refused for an unknown number, when already withdrawn, when a published round later than
/// `after` has a result of the entry, or when it has a pending board there and `seated` does not
/// say what becomes of it.
pub async fn withdraw(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    after: u32,
    seated: Seated,
) -> Result<()> {
    todo!()
}

/// Takes a withdrawal back: the entry plays again from `round`; rounds missed meanwhile are
/// absences. When `round` is paired already, [`crate::rounds::seat`] can give it a board.
///
/// # Errors
/// Refused for an unknown number, or when the entry is not withdrawn or `round` is not after its last.
pub async fn return_to(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    round: u32,
) -> Result<()> {
    todo!()
}

/// Sets whether an entry sits out a round.
///
/// # Errors
/// Refused for an unknown number, and for a published round in which the entry has a board or bye.
pub async fn sit_out(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    round: u32,
    out: bool,
) -> Result<()> {
    todo!()
}

/// Draws the numbers 1 to n by lot. The same seed and the same numbers before give the same draw.
///
/// # Errors
/// Refused when a round is paired or something is carried over: numbers are fixed then.
pub async fn draw_numbers(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    seed: [u8; 32],
) -> Result<()> {
    todo!()
}
