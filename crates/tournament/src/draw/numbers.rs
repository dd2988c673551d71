//! The draw of numbers (编号; pairing specification, section 4), with seeded players apart from
//! one another.

use std::collections::BTreeSet;

use super::{Label, Lots, Seed};
use crate::entry::Number;

/// What numbers are drawn for: so many entries in the order in which they are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// How many entries. The numbers are 1 to this.
    pub entries: usize,
    /// Which of them are seeded (种子), as places in the list from 0, ascending.
    pub seeded: Vec<usize>,
    /// The numbers that seeded entries draw among, ascending: as many as there are seeded ones.
    pub slots: Vec<Number>,
}

/// Why numbers cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberFault {
    /// More entries than there are numbers.
    #[error("{entries} entries draw numbers, and there are at most {}", Number::MAX)]
    TooMany {
        /// How many.
        entries: usize,
    },
    /// Not as many slots as seeded entries.
    #[error(
        "{seeded} entries are seeded and {slots} slots are kept for them: give as many slots as seeded entries"
    )]
    SlotCount {
        /// Seeded entries.
        seeded: usize,
        /// Slots.
        slots: usize,
    },
    /// A slot that is no number of this draw.
    #[error("slot {slot} is none of the numbers 1 to {entries}")]
    NoSuchSlot {
        /// The slot.
        slot: Number,
        /// How many entries there are.
        entries: usize,
    },
    /// Slots that do not ascend.
    #[error("slot {slot} stands after a larger or an equal one: list each slot once, the smallest first")]
    SlotOrder {
        /// The slot.
        slot: Number,
    },
    /// A seeded place that is not in the list, or stands out of order.
    #[error("seeded entry {place} is not in the list of {entries}, or stands after a later one")]
    Seeded {
        /// The place, from 1.
        place: usize,
        /// How many entries there are.
        entries: usize,
    },
}

impl NumberFault {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooMany { .. } => "numbers-too-many",
            Self::SlotCount { .. } => "slot-count",
            Self::NoSuchSlot { .. } => "no-such-slot",
            Self::SlotOrder { .. } => "slot-order",
            Self::Seeded { .. } => "no-such-seeded-entry",
        }
    }
}

impl Numbers {
    /// What does not fit together, the first of it.
    ///
    /// # Errors
    /// A [`NumberFault`].
    pub fn check(&self) -> Result<(), NumberFault> {
        let entries = self.entries;
        if entries > Number::MAX as usize {
            return Err(NumberFault::TooMany { entries });
        }
        let mut after = 0;
        for &place in &self.seeded {
            if place < after || place >= entries {
                return Err(NumberFault::Seeded {
                    place: place + 1,
                    entries,
                });
            }
            after = place + 1;
        }
        if self.seeded.len() != self.slots.len() {
            return Err(NumberFault::SlotCount {
                seeded: self.seeded.len(),
                slots: self.slots.len(),
            });
        }
        if let Some(&slot) = self.slots.iter().find(|slot| slot.get() as usize > entries) {
            return Err(NumberFault::NoSuchSlot { slot, entries });
        }
        match self.slots.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => Err(NumberFault::SlotOrder { slot: pair[1] }),
            None => Ok(()),
        }
    }

    /// Draws: the number of each entry, in the order of the list. The seeded ones are shuffled over
    /// the slots, then the others over what is left, both from one stream.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn draw(&self, seed: Seed) -> Result<Vec<Number>, NumberFault> {
        self.check()?;
        let mut lots = Lots::new(seed, Label::Numbers);
        let seeded: BTreeSet<usize> = self.seeded.iter().copied().collect();
        let slots: BTreeSet<Number> = self.slots.iter().copied().collect();
        let everybody = (1..=Number::MAX).filter_map(Number::new).take(self.entries);
        let free: Vec<Number> = everybody
            .clone()
            .filter(|number| !slots.contains(number))
            .collect();
        let mut numbers: Vec<Number> = everybody.collect();
        let mut give = |mut places: Vec<usize>, to: &[Number]| {
            lots.shuffle(&mut places);
            for (place, number) in places.into_iter().zip(to) {
                numbers[place] = *number;
            }
        };
        give(self.seeded.clone(), &self.slots);
        give(
            (0..self.entries)
                .filter(|place| !seeded.contains(place))
                .collect(),
            &free,
        );
        Ok(numbers)
    }
}

/// The usual slots of `seeded` players among `entries`: 1 + i·⌊entries / seeded⌋. None when there
/// are more seeded players than entries.
pub fn usual_slots(entries: usize, seeded: usize) -> Vec<Number> {
    let Some(apart) = entries.checked_div(seeded) else {
        return Vec::new();
    };
    let slot = |i: usize| u32::try_from(1 + i * apart).ok().and_then(Number::new);
    if apart == 0 {
        Vec::new()
    } else {
        (0..seeded).filter_map(slot).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: u32) -> Number {
        Number::new(n).expect("a number")
    }

    fn numbers(of: &[u32]) -> Vec<Number> {
        of.iter().copied().map(number).collect()
    }

    #[test]
    fn seeded_players_stand_apart_and_everybody_has_one_number() {
        assert_eq!(usual_slots(56, 4), numbers(&[1, 15, 29, 43]));
        assert_eq!(usual_slots(10, 3), numbers(&[1, 4, 7]));
        assert_eq!(usual_slots(10, 0), []);
        assert_eq!(usual_slots(2, 3), []);
        let draw = Numbers {
            entries: 56,
            seeded: vec![3, 4, 5, 55],
            slots: usual_slots(56, 4),
        };
        let mut orders = BTreeSet::new();
        for key in 0..100 {
            let drawn = draw.draw(Seed([key; 32])).expect("a draw");
            let mut seeded: Vec<Number> = draw.seeded.iter().map(|place| drawn[*place]).collect();
            orders.insert(seeded.clone());
            seeded.sort_unstable();
            assert_eq!(seeded, draw.slots);
            let mut all = drawn;
            all.sort_unstable();
            assert_eq!(all, (1..=56).map(number).collect::<Vec<_>>());
        }
        assert_eq!(orders.len(), 24, "each seed in each slot");
    }

    #[test]
    fn what_does_not_fit_together_is_named() {
        let draw = |entries, seeded: &[usize], slots: &[u32]| Numbers {
            entries,
            seeded: seeded.to_vec(),
            slots: numbers(slots),
        };
        for (wrong, fault) in [
            (draw(100_000, &[], &[]), NumberFault::TooMany { entries: 100_000 }),
            (
                draw(4, &[0, 1], &[1]),
                NumberFault::SlotCount { seeded: 2, slots: 1 },
            ),
            (
                draw(4, &[0], &[5]),
                NumberFault::NoSuchSlot {
                    slot: number(5),
                    entries: 4,
                },
            ),
            (
                draw(4, &[0, 1], &[3, 3]),
                NumberFault::SlotOrder { slot: number(3) },
            ),
            (draw(4, &[4], &[1]), NumberFault::Seeded { place: 5, entries: 4 }),
            (
                draw(4, &[1, 1], &[1, 2]),
                NumberFault::Seeded { place: 2, entries: 4 },
            ),
        ] {
            assert_eq!(wrong.draw(Seed([0; 32])), Err(fault));
        }
        assert_eq!(draw(0, &[], &[]).draw(Seed([0; 32])), Ok(Vec::new()));
    }
}
