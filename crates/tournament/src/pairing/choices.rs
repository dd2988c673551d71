//! What the director has fixed, held against the field and against itself.

use std::collections::{BTreeMap, BTreeSet};

use super::field::{Elsewhere, Field};
use super::shortage::Rule;
use crate::entry::Number;
use crate::round::Choices;

/// A place that a choice gives to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// On a board, in a fixed pair.
    Board,
    /// The bye, given by the director or asked for.
    Bye,
    /// Sitting out.
    SittingOut,
}

impl Place {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Bye => "bye",
            Self::SittingOut => "sitting-out",
        }
    }

    /// The place in words, as what a player has.
    pub fn words(self) -> &'static str {
        match self {
            Self::Board => "a fixed opponent",
            Self::Bye => "the bye",
            Self::SittingOut => "to sit out",
        }
    }
}

/// Choices that cannot all be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Contradiction {
    /// A choice names a number that no entry has.
    #[error("no entry has number {0}")]
    Unknown(Number),
    /// A player is to meet, or not to meet, himself or herself.
    #[error("{0} is named twice in one pair")]
    Oneself(Number),
    /// A player is to play or to have the bye who is withdrawn or absent.
    #[error("{0} is withdrawn or absent in this round")]
    NotPlaying(Number),
    /// The same for one who has reached the standard and is not paired any more.
    #[error("{0} has reached the score at which nobody is paired any more")]
    Stopped(Number),
    /// A player is to meet two others.
    #[error("{number} is to meet both {first} and {second}")]
    TwoPairs {
        /// The player.
        number: Number,
        /// One of the opponents.
        first: Number,
        /// The other.
        second: Number,
    },
    /// Two are to meet and not to meet.
    #[error("{first} and {second} are to meet and to be kept apart")]
    MeetAndApart {
        /// The smaller number.
        first: Number,
        /// The larger number.
        second: Number,
    },
    /// Two are to meet whom a rule keeps apart in any case.
    #[error("{first} and {second} are to meet, and {} keeps them apart", .rule.cause())]
    Barred {
        /// The smaller number.
        first: Number,
        /// The larger number.
        second: Number,
        /// The rule.
        rule: Rule,
    },
    /// A player has two places.
    #[error("{number} has {} and {}", .first.words(), .second.words())]
    TwoPlaces {
        /// The player.
        number: Number,
        /// One of them.
        first: Place,
        /// The other.
        second: Place,
    },
}

impl Contradiction {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "unknown",
            Self::Oneself(_) => "oneself",
            Self::NotPlaying(_) => "not-playing",
            Self::Stopped(_) => "stopped",
            Self::TwoPairs { .. } => "two-pairs",
            Self::MeetAndApart { .. } => "meet-and-apart",
            Self::Barred { .. } => "barred",
            Self::TwoPlaces { .. } => "two-places",
        }
    }
}

/// The choices as players of the field.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    /// The pairs, whoever comes first in list order first.
    pub(super) pairs: BTreeSet<(usize, usize)>,
    pub(super) byes: BTreeSet<usize>,
}

impl Fixed {
    /// Everybody who is not paired by the engine.
    pub(super) fn players(&self) -> BTreeSet<usize> {
        let paired = self.pairs.iter().flat_map(|(a, b)| [*a, *b]);
        paired.chain(self.byes.iter().copied()).collect()
    }
}

/// The choices for a field, or everything that contradicts in them, sorted.
pub(super) fn fixed(field: &Field, choices: &Choices) -> Result<Fixed, Vec<Contradiction>> {
    let place: BTreeMap<Number, usize> = (0..)
        .zip(&field.players)
        .map(|(at, player)| (player.number, at))
        .collect();
    let mut wrong = BTreeSet::new();
    let mut fixed = Fixed::default();
    // Where a player is who is to be on a board or to have the bye.
    let find = |number: Number, wanted: Place, wrong: &mut BTreeSet<Contradiction>| {
        let two = |second| Contradiction::TwoPlaces {
            number,
            first: wanted,
            second,
        };
        let contradiction = match (place.get(&number), field.elsewhere.get(&number)) {
            (Some(&player), _) => return Some(player),
            (None, None) => Contradiction::Unknown(number),
            (None, Some(Elsewhere::Absent)) => Contradiction::NotPlaying(number),
            (None, Some(Elsewhere::Stopped)) => Contradiction::Stopped(number),
            (None, Some(Elsewhere::SatOut)) => two(Place::SittingOut),
            (None, Some(Elsewhere::Bye)) if wanted == Place::Bye => return None,
            (None, Some(Elsewhere::Bye)) => two(Place::Bye),
        };
        wrong.insert(contradiction);
        None
    };
    let mut opponent: BTreeMap<Number, Number> = BTreeMap::new();
    for &(one, other) in &choices.pairs {
        if one == other {
            wrong.insert(Contradiction::Oneself(one));
            continue;
        }
        let (first, second) = (one.min(other), one.max(other));
        for (number, met) in [(first, second), (second, first)] {
            let before = *opponent.entry(number).or_insert(met);
            if before != met {
                wrong.insert(Contradiction::TwoPairs {
                    number,
                    first: before.min(met),
                    second: before.max(met),
                });
            }
        }
        let found = [first, second].map(|number| find(number, Place::Board, &mut wrong));
        let [Some(a), Some(b)] = found else { continue };
        for rule in Rule::ALL {
            match rule {
                Rule::Met => {}
                _ if !field.barred(rule, a, b) => {}
                Rule::Chosen => {
                    wrong.insert(Contradiction::MeetAndApart { first, second });
                }
                rule => {
                    wrong.insert(Contradiction::Barred { first, second, rule });
                }
            }
        }
        fixed.pairs.insert((a.min(b), a.max(b)));
    }
    for &(one, other) in &choices.apart {
        if one == other {
            wrong.insert(Contradiction::Oneself(one));
        }
    }
    for &number in &choices.byes {
        if opponent.contains_key(&number) {
            wrong.insert(Contradiction::TwoPlaces {
                number,
                first: Place::Board,
                second: Place::Bye,
            });
        }
        fixed.byes.extend(find(number, Place::Bye, &mut wrong));
    }
    let named_only = choices.apart.iter().flat_map(|(one, other)| [one, other]);
    for number in named_only.chain(&choices.sitting_out) {
        if !place.contains_key(number) && !field.elsewhere.contains_key(number) {
            wrong.insert(Contradiction::Unknown(*number));
        }
    }
    if wrong.is_empty() {
        Ok(fixed)
    } else {
        Err(wrong.into_iter().collect())
    }
}
