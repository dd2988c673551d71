//! A stage of an event: one field of entries playing under one format.

use crate::entry::{Entry, Number};
use crate::round::Round;
use crate::settings::{PairingSettings, Ranking};

/// How a stage is played (赛制, Art. 26).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Swiss (积分编排).
    #[default]
    Swiss,
}

/// Everything that pairing and ranking look at. An event has groups (A, B, under 12 …), a group
/// has stages (a Swiss, then a knockout …); each stage is one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The format.
    pub format: Format,
    /// How many rounds are planned.
    pub rounds_planned: u32,
    /// The first round that is recorded in `rounds`: 4 says that rounds 1 to 3 lie in `carried`.
    pub first_round: u32,
    /// How rounds are paired.
    pub pairing: PairingSettings,
    /// How places are made.
    pub ranking: Ranking,
    /// The entries, in any order, numbers unique.
    pub entries: Vec<Entry>,
    /// The rounds paired so far, ascending from `first_round` without a gap.
    pub rounds: Vec<Round>,
}

impl Stage {
    /// A Swiss stage with no entries and no rounds.
    pub fn swiss(rounds_planned: u32) -> Self {
        Self {
            format: Format::Swiss,
            rounds_planned,
            first_round: 1,
            pairing: PairingSettings::default(),
            ranking: Ranking::association_2025(),
            entries: Vec::new(),
            rounds: Vec::new(),
        }
    }

    /// The round that would be paired next.
    pub fn next_round(&self) -> u32 {
        self.rounds
            .last()
            .map_or(self.first_round, |round| round.round + 1)
    }

    /// The entry with a number. Entries mostly stand by number, so that it is found without looking through
    /// all; where they do not, it is found as well.
    pub fn entry(&self, number: Number) -> Option<&Entry> {
        let at = self.entries.partition_point(|entry| entry.number < number);
        self.entries
            .get(at)
            .filter(|entry| entry.number == number)
            .or_else(|| self.entries.iter().find(|entry| entry.number == number))
    }

    /// The stage as it stood when this round was complete: later rounds are gone, entries stay as they are.
    pub fn after(&self, round: u32) -> Self {
        let mut stage = self.clone();
        stage.rounds.retain(|r| r.round <= round);
        stage
    }
}
