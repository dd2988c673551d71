//! The words of the file that are not defined beside what they stand for, and lists of words for
//! sentences.

use tournament::{Criterion, Format};

pub(super) const SYSTEMS: &[Format] = &[Format::Swiss];

pub(super) fn system(format: Format) -> &'static str {
    match format {
        Format::Swiss => "swiss",
    }
}

pub(super) fn listed<T: Copy>(choices: &[T], word: fn(T) -> &'static str) -> String {
    choices
        .iter()
        .map(|choice| word(*choice))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The criterion of a plain word; `opponents_score_cut` then leaves out one low and one high score.
pub(super) fn criterion(word: &str) -> Option<Criterion> {
    Criterion::ALL
        .into_iter()
        .find(|criterion| criterion.as_str() == word)
}

pub(super) fn criteria_listed() -> String {
    listed(&Criterion::ALL, Criterion::as_str)
}
