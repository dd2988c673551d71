//! The draw file, version 1: a draw of lots or the pairing of a round, with everything that it was
//! made from, so that anybody can repeat it.
//!
//! `docs/draw.md` describes every field, the generator and the rules, for those who write a checker
//! of their own; `docs/draw-file.schema.json` says the fields to programs.

mod check;
mod derive;
mod problem;
mod read;
#[cfg(test)]
mod schema;
mod write;

use std::collections::BTreeSet;

use serde_json::Value;
use tournament::draw::{
    self, Commitment, Decides, ENGINE, EventId, GroupFault, Groups, NumberFault, Numbers, Secret, Seed,
    Split, Sum, Word,
};
use tournament::pairing::prove;
use tournament::{Choices, Number, Round};

pub use check::{Statement, check};
pub use problem::{DrawFault, DrawProblem};
pub use read::{is_draw_file, read};
pub use write::write;

use crate::event_file::EventFile;
use crate::log_file::Head;
use crate::output::criteria_json;

/// A draw as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawFile {
    /// The program whose rules it follows: [`ENGINE`].
    pub engine: String,
    /// The event.
    pub event: EventId,
    /// The promise that was made before, revealed; none where nothing was promised.
    pub promise: Option<Promise>,
    /// The seed; none where no lots are drawn.
    pub seed: Option<Seed>,
    /// The log of the event when the draw became public; none where it is not known.
    pub log: Option<Head>,
    /// What is drawn, from what, and what came out.
    pub content: Content,
}

/// A draw file as it was read, with the sum that stands in it and the one that its content comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The draw.
    pub draw: DrawFile,
    /// The sum in the file.
    pub written: Sum,
    /// The sum of its content.
    pub found: Sum,
}

/// What was promised before a draw, and what the public added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// What was published before.
    pub commitment: Commitment,
    /// What was kept secret until the draw.
    pub secret: Secret,
    /// The public words, in the order in which they were given.
    pub words: Vec<Word>,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The pairing of a round.
    Round(Box<RoundDraw>),
    /// Numbers.
    Numbers(NumberDraw),
    /// Groups.
    Groups(GroupDraw),
}

/// A round that is paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundDraw {
    /// The event up to the round before.
    pub input: EventFile,
    /// What the director had fixed.
    pub choices: Choices,
    /// The active players in the order of the lots, where the order is by lots.
    pub order: Option<Vec<Number>>,
    /// The active players in the order in which lots give Black, where they do.
    pub colours: Option<Vec<Number>>,
    /// What the rounds before left with each active player, as in the file.
    pub players: Value,
    /// The table; results are not looked at.
    pub table: Round,
    /// The value of each criterion, as in the file.
    pub criteria: Value,
    /// A proof that no table is better, as in the file.
    pub certificate: Option<Value>,
}

/// Numbers that are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberDraw {
    /// The numbers that seeded entries draw among, ascending.
    pub slots: Vec<Number>,
    /// The entries in the order in which they were listed.
    pub entries: Vec<NumberedEntry>,
}

/// An entry that draws a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedEntry {
    /// The name, unless it is withheld.
    pub name: Option<String>,
    /// Whether it is seeded (种子).
    pub seeded: bool,
    /// The number it drew.
    pub number: Number,
}

/// Groups that are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupDraw {
    /// How many groups.
    pub groups: usize,
    /// How they are made.
    pub split: Split,
    /// The entries in the order in which they were listed.
    pub entries: Vec<GroupedEntry>,
}

/// An entry that is put into a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupedEntry {
    /// The name, unless it is withheld.
    pub name: Option<String>,
    /// The number, when it has one already.
    pub number: Option<Number>,
    /// The group; 0 is A.
    pub group: usize,
}

impl RoundDraw {
    /// Adds a certificate that no table is better; says whether there is one.
    pub fn certify(&mut self, seed: Option<Seed>) -> bool {
        let table = derive::seated(&self.input.stage, &self.choices, seed, &self.table);
        let certificate = prove::certificate(&self.input.stage, &table);
        self.certificate = certificate.as_ref().map(crate::certificate_json);
        self.certificate.is_some()
    }
}

impl Promise {
    /// A promise with the public words that were added to it, and the seed that comes of both.
    pub fn redeem(event: &EventId, decides: Decides, secret: Secret, words: Vec<Word>) -> (Self, Seed) {
        let seed = draw::seed(event, decides, secret, &words);
        let promise = Self {
            commitment: draw::commitment(event, decides, secret),
            secret,
            words,
        };
        (promise, seed)
    }
}

impl DrawFile {
    /// What the draw decides.
    pub fn decides(&self) -> Decides {
        match &self.content {
            Content::Round(round) => Decides::Round(round.table.round),
            Content::Numbers(_) => Decides::Numbers,
            Content::Groups(_) => Decides::Groups,
        }
    }

    /// A recorded round of an event as a draw: what the pairing of that round looked at, and the
    /// table. None when the event has no such round.
    ///
    /// Whoever has no place in the round did not take part, whatever has changed since; results are
    /// those of the event as it is given. Names stay; see [`withhold_names`](Self::withhold_names).
    pub fn of_round(event: EventId, promise: Option<Promise>, file: &EventFile, round: u32) -> Option<Self> {
        let recorded = file.stage.rounds.iter().find(|table| table.round == round)?;
        let input = derive::input(file, recorded);
        let stage = &input.stage;
        let table = derive::table(recorded);
        let judged = derive::judged(stage, &recorded.choices, recorded.seed, &table);
        let lots = |wanted: bool, label| {
            let seed = recorded.seed.filter(|_| wanted)?;
            Some(derive::lots(stage, &recorded.choices, seed, label))
        };
        let by_lots = stage.pairing.order == tournament::PairingOrder::Random;
        let colours_by_lots = stage.pairing.colours == tournament::Colours::Lots;
        Some(Self {
            engine: ENGINE.to_owned(),
            event,
            promise,
            seed: recorded.seed,
            log: None,
            content: Content::Round(Box::new(RoundDraw {
                choices: recorded.choices.clone(),
                order: lots(by_lots, draw::Label::Order),
                colours: lots(colours_by_lots, draw::Label::Colours),
                players: derive::players(stage, &recorded.choices),
                criteria: criteria_json(&judged.reached),
                certificate: None,
                table,
                input,
            })),
        })
    }

    /// Draws numbers for entries in the order of their list; those with `true` are seeded.
    ///
    /// # Errors
    /// When the slots do not fit the entries.
    pub fn draw_numbers(
        event: EventId,
        promise: Option<Promise>,
        seed: Seed,
        entries: Vec<(Option<String>, bool)>,
        slots: Vec<Number>,
    ) -> Result<Self, NumberFault> {
        let numbers = numbers_of(&slots, entries.iter().map(|(_, seeded)| *seeded)).draw(seed)?;
        let entries = entries.into_iter().zip(numbers);
        let entries = entries.map(|((name, seeded), number)| NumberedEntry { name, seeded, number });
        Ok(Self {
            engine: ENGINE.to_owned(),
            event,
            promise,
            seed: Some(seed),
            log: None,
            content: Content::Numbers(NumberDraw {
                slots,
                entries: entries.collect(),
            }),
        })
    }

    /// Splits entries, in the order of their list, into groups.
    ///
    /// # Errors
    /// When they cannot be split so.
    pub fn draw_groups(
        event: EventId,
        promise: Option<Promise>,
        seed: Seed,
        entries: Vec<(Option<String>, Option<Number>)>,
        groups: usize,
        split: Split,
    ) -> Result<Self, GroupFault> {
        let drawn = Groups {
            entries: entries.len(),
            groups,
            split,
        }
        .draw(seed)?;
        let entries = entries.into_iter().zip(drawn);
        let entries = entries.map(|((name, number), group)| GroupedEntry { name, number, group });
        Ok(Self {
            engine: ENGINE.to_owned(),
            event,
            promise,
            seed: Some(seed),
            log: None,
            content: Content::Groups(GroupDraw {
                groups,
                split,
                entries: entries.collect(),
            }),
        })
    }

    /// Takes the names of some away, who are meant by name or by number. Players keep their numbers,
    /// teams stay.
    pub fn withhold_names_of(&mut self, names: &BTreeSet<String>, numbers: &BTreeSet<Number>) {
        // A number that was changed by hand since, or a name that was put right: either is enough.
        let hide = |name: &mut Option<String>, number: Option<Number>| {
            let named = name.as_ref().is_some_and(|name| names.contains(name));
            if named || number.is_some_and(|number| numbers.contains(&number)) {
                *name = None;
            }
        };
        match &mut self.content {
            Content::Round(round) => {
                for entry in &mut round.input.stage.entries {
                    if numbers.contains(&entry.number) || names.contains(&entry.name) {
                        entry.name = entry.number.to_string();
                    }
                }
            }
            Content::Numbers(draw) => {
                let entries = draw.entries.iter_mut();
                entries.for_each(|entry| hide(&mut entry.name, Some(entry.number)));
            }
            Content::Groups(draw) => {
                let entries = draw.entries.iter_mut();
                entries.for_each(|entry| hide(&mut entry.name, entry.number));
            }
        }
    }

    /// Takes names away: players keep their numbers, teams become letters.
    pub fn withhold_names(&mut self) {
        match &mut self.content {
            Content::Round(round) => derive::withhold_names(&mut round.input),
            Content::Numbers(draw) => draw.entries.iter_mut().for_each(|entry| entry.name = None),
            Content::Groups(draw) => draw.entries.iter_mut().for_each(|entry| entry.name = None),
        }
    }
}

/// The draw of numbers for a list in which some are seeded.
fn numbers_of(slots: &[Number], seeded: impl Iterator<Item = bool>) -> Numbers {
    let mut draw = Numbers {
        slots: slots.to_vec(),
        ..Numbers::default()
    };
    for (place, seeded) in seeded.enumerate() {
        draw.entries = place + 1;
        if seeded {
            draw.seeded.push(place);
        }
    }
    draw
}
