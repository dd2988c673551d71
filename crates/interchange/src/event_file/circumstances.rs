//! What a server knows of an event beside its stage: it travels with the file, so that the event goes
//! on elsewhere as it was. Nothing here has a part in pairing or in places.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, NaiveDateTime, Timelike, Utc};
use chrono_tz::Tz;
use tournament::Outcome;

/// How a time in the hall is written, without an offset.
pub(super) const LOCAL_TIME: &str = "%Y-%m-%dT%H:%M";

/// What is known of an event beside its settings, entries and results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four things that are so or not, each for itself"
)]
pub struct Circumstances {
    /// The time zone; none for that of the server that the event is on.
    pub zone: Option<Tz>,
    /// Round → when it begins, to the minute, as the clock in the hall shows it.
    pub starts: BTreeMap<u32, NaiveDateTime>,
    /// Whether only those with a right in it see the event.
    pub hidden: bool,
    /// Whether the event is declared final.
    pub is_final: bool,
    /// Whether a result counts only when a second person says the same, or a director enters it.
    pub results_by_two: bool,
    /// Whether players hand in the results of their own games.
    pub results_from_players: bool,
    /// What is known of rounds beside their tables; rounds without an entry have the defaults.
    pub tables: BTreeMap<u32, TableFacts>,
}

/// What is known of a published round beside its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFacts {
    /// When the table was published, to the microsecond.
    pub published_at: Option<DateTime<Utc>>,
    /// Which published table of this round it is, from 1.
    pub edition: u32,
    /// Whether people made or changed the table after the engine.
    pub by_hand: bool,
    /// Results of earlier rounds that are other ones now than when the round was paired, in the order of
    /// rounds and boards.
    pub earlier_results: Vec<EarlierResult>,
}

impl Default for TableFacts {
    fn default() -> Self {
        Self {
            published_at: None,
            edition: 1,
            by_hand: false,
            earlier_results: Vec::new(),
        }
    }
}

/// A result as it stood when a later round was paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierResult {
    /// The round of the board.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// The result then; none for a board that was pending.
    pub result: Option<Outcome>,
}

/// A time in the hall; none when the text is not exactly one.
pub(super) fn local_time(text: &str) -> Option<NaiveDateTime> {
    let local = NaiveDateTime::parse_from_str(text, LOCAL_TIME).ok()?;
    (local.format(LOCAL_TIME).to_string() == text && (1..=9999).contains(&local.year())).then_some(local)
}

/// A moment with its offset, to the microsecond; none when the text is not one.
pub(super) fn moment(text: &str) -> Option<DateTime<Utc>> {
    let at = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
    // Finer than a database keeps it, and a leap second, would come out as another moment.
    let kept = at.nanosecond() < 1_000_000_000 && at.nanosecond().is_multiple_of(1000);
    (kept && (1..=9999).contains(&at.year())).then_some(at)
}
