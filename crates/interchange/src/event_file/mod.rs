//! The event file, version 1: one event, complete, as UTF-8 JSON.
//!
//! `docs/event-file.md` describes every field, `docs/event-file.schema.json` says the same to programs.

mod circumstances;
mod date;
mod problem;
mod read;
#[cfg(test)]
pub(crate) mod schema;
mod words;
mod write;

use rules::{Komi, OnRepetition, RuleSet, Size};
use tournament::{Awards, Stage};

pub use crate::json::Syntax;
pub use circumstances::{Circumstances, EarlierResult, TableFacts};
pub use date::{Date, NotADate};
pub(crate) use problem::quote;
pub use problem::{Place, Problem, ProblemKind};
pub(crate) use read::{Object, Reader, fields as event_fields, of_node};
pub use read::{PROBLEMS_LIMIT, komi_fault, read, read_awards};
pub(crate) use write::{OPEN_LEVELS, choices_json, criterion_json, text_of, value};
pub use write::{awards_json, write};

impl EventFile {
    /// Where a round is named that the event does not have, and which. They have no effect, and come of a
    /// number of rounds that was made smaller, so the file is taken; a reader may have meant another round.
    pub fn rounds_beyond(&self) -> Vec<(String, u32)> {
        let planned = self.stage.rounds_planned;
        let entries = self.stage.entries.iter().enumerate().flat_map(|(index, entry)| {
            let lists = [
                ("absent_rounds", &entry.absent_rounds),
                ("bye_rounds", &entry.bye_rounds),
            ];
            let listed = lists.into_iter().flat_map(move |(list, rounds)| {
                (0..)
                    .zip(rounds)
                    .map(move |(at, round): (usize, &u32)| (format!("entries[{index}].{list}[{at}]"), *round))
            });
            let withdrawn = entry
                .withdrawn_after
                .map(|round| (format!("entries[{index}].withdrawn_after"), round));
            listed.chain(withdrawn)
        });
        let starts = (0..)
            .zip(self.circumstances.starts.keys())
            .map(|(at, round): (usize, &u32)| (format!("event.round_starts[{at}]"), *round));
        entries
            .chain(starts)
            .filter(|(_, round)| *round > planned)
            .collect()
    }
}

/// An event as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFile {
    /// The name of the event.
    pub name: String,
    /// Where it is played.
    pub place: Option<String>,
    /// The day of the first round.
    pub starts_on: Option<Date>,
    /// The rules it is played under; they give komi and margins their unit.
    pub rules: RuleSet,
    /// The komi, in the unit of the rules.
    pub komi: Komi,
    /// What the event asks of game records. The records themselves are not in the file.
    pub records: RecordSettings,
    /// Promotion and prizes.
    pub awards: Awards,
    /// What a server knows beside that, as far as it goes with the file.
    pub circumstances: Circumstances,
    /// Entries, rounds and settings. A stage that comes from [`read`] has no
    /// [`faults`](tournament::validate::faults).
    pub stage: Stage,
}

/// What an event asks of the game records (棋谱) of its boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordSettings {
    /// How many lines its boards have, 2 to 52. Records of other boards are refused.
    pub board_size: u8,
    /// What a repetition leads to (Art. 20); `None` leaves it to the rules.
    pub repetition: Option<OnRepetition>,
    /// Whether players bring records too, each with the code of the board.
    pub from_players: bool,
}

impl RecordSettings {
    /// The board that records are judged on.
    pub fn size(self) -> Size {
        Size::square(self.board_size).unwrap_or(Size::NINETEEN)
    }
}

impl Default for RecordSettings {
    fn default() -> Self {
        Self {
            board_size: 19,
            repetition: None,
            from_players: false,
        }
    }
}
