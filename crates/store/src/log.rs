//! The log of an event: who changed what, when, from what to what, and why. Append-only.

use chrono::{DateTime, Utc};
use serde_json::Value;
use tournament::Number;

use crate::events::Event;
use crate::{Actor, Page, Paging, Result, Tx};

/// What a change was made to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The event and its settings.
    Event,
    /// An entry.
    Entry(Number),
    /// A round.
    Round(u32),
    /// A board.
    Board {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// An event was made.
    EventCreated,
    /// An event came in as a file.
    EventImported,
    /// Settings were changed.
    EventUpdated,
    /// An event was removed.
    EventDeleted,
    /// An entry was added.
    EntryAdded,
    /// An entry was changed.
    EntryUpdated,
    /// An entry was removed.
    EntryDeleted,
    /// An entry left.
    EntryWithdrawn,
    /// An entry came back.
    EntryReturned,
    /// An entry sits out a round.
    EntrySitsOut,
    /// An entry plays a round after all.
    EntryPlays,
    /// Numbers were drawn.
    NumbersDrawn,
    /// A round was paired.
    RoundPaired,
    /// A round was paired by hand.
    RoundPairedByHand,
    /// A round was published.
    RoundPublished,
    /// A round was thrown away.
    RoundThrownAway,
    /// A round's table was changed by hand.
    RoundChanged,
    /// A result was entered where there was none.
    ResultEntered,
    /// A result was changed.
    ResultCorrected,
    /// A result was taken away.
    ResultCleared,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::EventCreated,
        Self::EventImported,
        Self::EventUpdated,
        Self::EventDeleted,
        Self::EntryAdded,
        Self::EntryUpdated,
        Self::EntryDeleted,
        Self::EntryWithdrawn,
        Self::EntryReturned,
        Self::EntrySitsOut,
        Self::EntryPlays,
        Self::NumbersDrawn,
        Self::RoundPaired,
        Self::RoundPairedByHand,
        Self::RoundPublished,
        Self::RoundThrownAway,
        Self::RoundChanged,
        Self::ResultEntered,
        Self::ResultCorrected,
        Self::ResultCleared,
    ];

    /// The word that is stored, and a stable word for programs and translations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EventCreated => "event-created",
            Self::EventImported => "event-imported",
            Self::EventUpdated => "event-updated",
            Self::EventDeleted => "event-deleted",
            Self::EntryAdded => "entry-added",
            Self::EntryUpdated => "entry-updated",
            Self::EntryDeleted => "entry-deleted",
            Self::EntryWithdrawn => "entry-withdrawn",
            Self::EntryReturned => "entry-returned",
            Self::EntrySitsOut => "entry-sits-out",
            Self::EntryPlays => "entry-plays",
            Self::NumbersDrawn => "numbers-drawn",
            Self::RoundPaired => "round-paired",
            Self::RoundPairedByHand => "round-paired-by-hand",
            Self::RoundPublished => "round-published",
            Self::RoundThrownAway => "round-thrown-away",
            Self::RoundChanged => "round-changed",
            Self::ResultEntered => "result-entered",
            Self::ResultCorrected => "result-corrected",
            Self::ResultCleared => "result-cleared",
        }
    }
}

/// One act.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// 1, 2, 3 … in each event, without a gap.
    pub seq: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// Who.
    pub actor: Actor,
    /// What was done.
    pub action: Action,
    /// To what.
    pub subject: Subject,
    /// What was there before; null when nothing was.
    pub before: Value,
    /// What is there after; null when nothing is.
    pub after: Value,
    /// Why.
    pub reason: Option<String>,
}

/// Which acts are wanted; what is `None` does not restrict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this entry.
    pub entry: Option<Number>,
    /// Of this round, its boards included.
    pub round: Option<u32>,
    /// Of this board (with `round`).
    pub board: Option<u32>,
    /// Of this kind.
    pub action: Option<Action>,
    /// Numbered below this one: the next page of a list that grows.
    pub before: Option<i64>,
}

/// The log of an event, the latest act first.
///
/// # Errors
/// Only of the database.
pub async fn list(tx: &mut Tx, event: &Event, filter: Filter, page: Paging) -> Result<Page<LogEntry>> {
    todo!()
}
