//! The event file, version 1: one event, complete, as UTF-8 JSON.
//!
//! `docs/event-file.md` describes every field, `docs/event-file.schema.json` says the same to programs.

mod date;
mod problem;
mod read;
#[cfg(test)]
pub(crate) mod schema;
mod words;
mod write;

use rules::{Komi, RuleSet};
use tournament::Stage;

pub use crate::json::Syntax;
pub use date::{Date, NotADate};
pub(crate) use problem::quote;
pub use problem::{Place, Problem, ProblemKind};
pub(crate) use read::{Object, Reader, fields as event_fields, of_node};
pub use read::{PROBLEMS_LIMIT, read};
pub use write::write;
pub(crate) use write::{OPEN_LEVELS, choices_json, criterion_json, text_of, value};

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
    /// Entries, rounds and settings. A stage that comes from [`read`] has no
    /// [`faults`](tournament::validate::faults).
    pub stage: Stage,
}
