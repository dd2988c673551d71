//! Rounds: paired as drafts, published, thrown away, changed by hand.

use tournament::Number;
use tournament::pairing::Confirmed;

use crate::events::{Locked, RoundInfo};
use crate::{Change, Result, Tx};

/// A table made by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Black and White of each board, from board 1.
    pub boards: Vec<(Number, Number)>,
    /// Who has the bye.
    pub byes: Vec<Number>,
}

/// Pairs the next round, as a draft. `round` says which one the caller means, so that a second
/// click after the first has been answered and published does not pair one round more.
///
/// # Errors
/// Refused when there is a draft already or `round` is there already (saying who made it when),
/// when `round` is not the next one, or the engine refuses.
pub async fn pair(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: Option<u32>,
    confirmed: Confirmed,
) -> Result<RoundInfo> {
    todo!()
}

/// Puts a table made by hand in the place of the draft, or makes it the draft of the next round.
/// Entries it does not name and that do not play in the round are absent.
///
/// # Errors
/// Refused, naming everybody concerned, when somebody is on two boards, plays oneself, is missing
/// or does not play; when players would meet again and `confirmed.repeats` is not set; when the
/// results of the round before are missing and `confirmed.provisional` is not set.
pub async fn by_hand(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    table: Table,
    confirmed: Confirmed,
) -> Result<RoundInfo> {
    todo!()
}

/// Publishes the draft of a round. Published already: success, and nothing changes.
///
/// # Errors
/// Refused for an unknown round, when `expected` is not the round's version, and, unless
/// `outdated` is set, when results or entries have changed since it was paired.
pub async fn publish(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    expected: Option<i64>,
    outdated: bool,
) -> Result<RoundInfo> {
    todo!()
}

/// Throws the last round away: a draft always, a published one while no board has a result.
///
/// # Errors
/// Refused for an unknown round, one that is not the last, one with results, and when `expected`
/// is not the round's version.
pub async fn throw_away(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    expected: Option<i64>,
) -> Result<()> {
    todo!()
}

/// Exchanges the places of two entries in a round: seats at boards, the bye, the absence.
///
/// # Errors
/// Refused for an unknown round or entry, when `expected` is not the round's version, or when a
/// board concerned has a result.
pub async fn swap(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    (one, other): (Number, Number),
    expected: Option<i64>,
) -> Result<RoundInfo> {
    todo!()
}

/// Says who of a board has Black.
///
/// # Errors
/// Refused for an unknown round or board, an entry that does not sit there, when `expected` is not
/// the round's version, or when the board has a result.
pub async fn set_colours(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    board: u32,
    black: Number,
    expected: Option<i64>,
) -> Result<RoundInfo> {
    todo!()
}

/// Makes a new last board of two entries who have the bye or no board; all else stays.
///
/// # Errors
/// Refused for an unknown round or entry, when one of the two has a board or has withdrawn, or
/// when `expected` is not the round's version.
pub async fn seat(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    (black, white): (Number, Number),
    expected: Option<i64>,
) -> Result<RoundInfo> {
    todo!()
}

/// Gives the seat (or the bye) of one entry to another who has the bye or no board; the first is absent.
///
/// # Errors
/// As [`seat`]; also when the board has a result.
pub async fn replace(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    (out, into): (Number, Number),
    expected: Option<i64>,
) -> Result<RoundInfo> {
    todo!()
}
