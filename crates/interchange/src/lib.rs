//! Files in and out: the event file, the draw file, the log file, and answers as JSON and CSV.
//!
//! Bytes in, values out, and back: nothing here opens a file. A file is taken whole or refused
//! whole, and a refusal lists every fault with its place.

mod certificate;
mod json;

pub mod draw_file;
pub mod entries_table;
pub mod event_file;
mod explained;
pub mod log_file;
pub mod names;
pub mod output;
pub mod record;
pub mod sheets;
pub mod why;

pub use certificate::{CertificateProblem, CertificateShape, certificate, certificate_json};
pub use event_file::{Date, EventFile, Problem, ProblemKind, RecordSettings, read, write};
pub use explained::{compared_json, explained_json};
pub use output::{criteria_json, judgement_json, note_json, pairing_json, standings_csv, standings_json};
