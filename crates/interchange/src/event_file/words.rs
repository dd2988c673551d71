//! The words of the file for settings of [`tournament`] that are plain choices there.

use tournament::{Criterion, NumberOrder, PairingOrder, Unplayed};

/// A choice and its word.
type Words<T> = &'static [(T, &'static str)];

pub(super) const SYSTEMS: Words<tournament::Format> = &[(tournament::Format::Swiss, "swiss")];

pub(super) const ORDERS: Words<PairingOrder> = &[(PairingOrder::Classic, "classic")];

pub(super) const NUMBER_ORDERS: Words<NumberOrder> = &[
    (NumberOrder::Alternate, "alternate"),
    (NumberOrder::Ascending, "ascending"),
    (NumberOrder::Descending, "descending"),
];

pub(super) const UNPLAYED: Words<Unplayed> = &[
    (Unplayed::Opponent, "opponent"),
    (Unplayed::Virtual, "virtual"),
    (Unplayed::Nothing, "nothing"),
];

pub(super) fn word_of<T: Copy + PartialEq>(words: Words<T>, choice: T) -> &'static str {
    words
        .iter()
        .find(|(other, _)| *other == choice)
        .map_or("", |(_, word)| word)
}

pub(super) fn choice_of<T: Copy>(words: Words<T>, word: &str) -> Option<T> {
    words
        .iter()
        .find(|(_, other)| *other == word)
        .map(|(choice, _)| *choice)
}

pub(super) fn listed<T>(words: Words<T>) -> String {
    words.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", ")
}

pub(crate) fn unplayed_word(unplayed: Unplayed) -> &'static str {
    word_of(UNPLAYED, unplayed)
}

/// The criterion of a plain word; `opponents_score_cut` then leaves out one low and one high score.
pub(super) fn criterion(word: &str) -> Option<Criterion> {
    Criterion::ALL
        .into_iter()
        .find(|criterion| criterion.as_str() == word)
}

pub(super) fn criteria_listed() -> String {
    Criterion::ALL.map(Criterion::as_str).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_a_word() {
        // A choice that is added without a word would be written as an empty one.
        for (choice, word) in NUMBER_ORDERS {
            assert_eq!(choice_of(NUMBER_ORDERS, word), Some(*choice));
        }
        assert_eq!(word_of(ORDERS, PairingOrder::default()), "classic");
        assert_eq!(word_of(UNPLAYED, Unplayed::default()), "opponent");
        assert_eq!(word_of(SYSTEMS, tournament::Format::default()), "swiss");
    }
}
