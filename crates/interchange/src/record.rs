//! What is said of a game record: as JSON for programs, in sentences for people (棋谱审查).
//!
//! All words about a record are here, in Chinese and in English; pages, API and command line use the
//! same. Text that comes from a file is made harmless where it goes into a sentence; in the JSON it is
//! as it was written. `docs/record.md` describes the JSON.

mod finding;
mod json;
mod numbers;
mod refusal;
mod text;
mod verdict;
mod words;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod schema;

pub use finding::{matter, sentence, whereabouts};
pub use json::{json, refusal_json};
pub use numbers::komi_said;
pub use refusal::refusal;
pub use text::{board, harmless, text};
pub use verdict::{
    agreement_with_count, agreement_with_entered, count, count_sums, end, recorded, standing, summary,
};
pub use words::{
    agreement_word, dead_from_word, encoding_hint, encoding_said, end_word, on_repetition_said,
    recorded_kind_word, repetition_kind_word, repetition_said, rules_said, side_said, standing_said,
    standing_word, weight_said, weight_word,
};
