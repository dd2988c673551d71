//! Splitting a field into groups (分组; pairing specification, section 4).

use super::{Label, Lots, Seed};

/// How a field is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// By lots: everybody is shuffled and dealt out in turn, A B C A B C ….
    Lots,
    /// By strength (蛇形): the list, the strongest first, is cut into layers, each layer is
    /// shuffled, and all are dealt out to and fro, A B C C B A A B C ….
    Snake {
        /// How many a layer has, from 1; the last one may have fewer. As many as there are groups is usual.
        layer: usize,
    },
}

/// What is split: so many entries in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// How many entries.
    pub entries: usize,
    /// Into how many groups, 2 to 26.
    pub groups: usize,
    /// How.
    pub split: Split,
}

/// Why a field cannot be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroupFault {
    /// Too few or too many groups.
    #[error(
        "a field is split into 2 to {} groups, named A to Z, not into {groups}",
        Groups::MAX
    )]
    Groups {
        /// How many were asked for.
        groups: usize,
    },
    /// More groups than entries.
    #[error("{entries} entries cannot fill {groups} groups")]
    TooFewEntries {
        /// How many entries.
        entries: usize,
        /// How many groups.
        groups: usize,
    },
    /// A layer of nobody.
    #[error("a layer has at least one entry")]
    Layer,
}

impl GroupFault {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Groups { .. } => "group-count",
            Self::TooFewEntries { .. } => "groups-without-entries",
            Self::Layer => "empty-layer",
        }
    }
}

impl Groups {
    /// How many groups there can be.
    pub const MAX: usize = 26;

    /// What does not fit together, the first of it.
    ///
    /// # Errors
    /// A [`GroupFault`].
    pub fn check(&self) -> Result<(), GroupFault> {
        let Self {
            entries,
            groups,
            split,
        } = *self;
        if !(2..=Self::MAX).contains(&groups) {
            return Err(GroupFault::Groups { groups });
        }
        if entries < groups {
            return Err(GroupFault::TooFewEntries { entries, groups });
        }
        match split {
            Split::Snake { layer: 0 } => Err(GroupFault::Layer),
            _ => Ok(()),
        }
    }

    /// Draws: the group of each entry, in the order of the list; 0 is group A.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn draw(&self, seed: Seed) -> Result<Vec<usize>, GroupFault> {
        self.check()?;
        let mut lots = Lots::new(seed, Label::Groups);
        let mut order: Vec<usize> = (0..self.entries).collect();
        let layer = match self.split {
            Split::Lots => self.entries,
            Split::Snake { layer } => layer,
        };
        for layer in order.chunks_mut(layer) {
            lots.shuffle(layer);
        }
        let mut group_of = vec![0; self.entries];
        for (place, entry) in order.into_iter().enumerate() {
            let (row, column) = (place / self.groups, place % self.groups);
            let back = matches!(self.split, Split::Snake { .. }) && row % 2 == 1;
            group_of[entry] = if back { self.groups - 1 - column } else { column };
        }
        Ok(group_of)
    }

    /// The letter of a group.
    pub fn letter(group: usize) -> char {
        u8::try_from(group).map_or('?', |group| char::from(b'A' + group.min(25)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn groups(entries: usize, groups: usize, split: Split) -> Groups {
        Groups {
            entries,
            groups,
            split,
        }
    }

    #[test]
    fn a_snake_without_lots_goes_to_and_fro() {
        let snake = groups(10, 3, Split::Snake { layer: 1 });
        let letters: String = snake
            .draw(Seed([9; 32]))
            .expect("a draw")
            .into_iter()
            .map(Groups::letter)
            .collect();
        assert_eq!(letters, "ABCCBAABCC");
    }

    #[test]
    fn every_layer_is_spread_over_the_groups_by_lots() {
        let snake = groups(8, 2, Split::Snake { layer: 2 });
        let mut firsts = std::collections::BTreeSet::new();
        for key in 0..50 {
            let drawn = snake.draw(Seed([key; 32])).expect("a draw");
            for layer in drawn.chunks(2) {
                assert_ne!(layer[0], layer[1]);
            }
            firsts.insert(drawn);
        }
        assert_eq!(firsts.len(), 16, "each layer either way");
    }

    #[test]
    fn by_lots_groups_differ_by_one_entry_at_most() {
        let drawn = groups(11, 3, Split::Lots).draw(Seed([5; 32])).expect("a draw");
        let size = |group| drawn.iter().filter(|of| **of == group).count();
        assert_eq!([size(0), size(1), size(2)], [4, 4, 3]);
    }

    #[test]
    fn what_cannot_be_split_is_named() {
        for (wrong, fault) in [
            (groups(9, 1, Split::Lots), GroupFault::Groups { groups: 1 }),
            (groups(99, 27, Split::Lots), GroupFault::Groups { groups: 27 }),
            (
                groups(3, 4, Split::Lots),
                GroupFault::TooFewEntries {
                    entries: 3,
                    groups: 4,
                },
            ),
            (groups(9, 3, Split::Snake { layer: 0 }), GroupFault::Layer),
        ] {
            assert_eq!(wrong.draw(Seed([0; 32])), Err(fault));
        }
    }
}
