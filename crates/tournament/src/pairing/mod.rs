//! Pairing a Swiss round (积分编排): the best table under the published criteria, and only that one.
//!
//! The way of the data: field (who plays, what is known of them) → choices (what the director has
//! fixed) → shortage (whether there is a table at all) → cost (what makes a pair good) → engine
//! (the exact search) → boards (order, colours) → report (what was reached). The checker beside this
//! module shares none of it.

mod boards;
mod choices;
mod cost;
mod counting;
mod duals;
mod engine;
mod field;
mod group;
mod kernel;
mod matching;
pub mod prove;
mod report;
mod shortage;
pub mod why;
mod wide;

pub use choices::{Contradiction, Place};
pub use shortage::{Rule, Shortage};

use std::collections::BTreeSet;

use self::choices::Fixed;
use self::field::{Elsewhere, Field};
use self::group::Pair;
use crate::criteria::Criteria;
use crate::draw::Seed;
use crate::entry::Number;
use crate::result::Outcome;
use crate::round::{Board, Choices, Round};
use crate::stage::Stage;

/// A paired round and what it reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The round.
    pub round: u32,
    /// The boards in order, without results.
    pub boards: Vec<Board>,
    /// Who has a bye, ascending: asked for, given by the director, or because of an odd count.
    pub byes: Vec<Number>,
    /// Who is not paired, ascending: withdrawn, sitting out, or at the score at which nobody is
    /// paired any more.
    pub absent: Vec<Number>,
    /// What the director had fixed.
    pub choices: Choices,
    /// The seed it was paired with.
    pub seed: Option<Seed>,
    /// The value of each criterion.
    pub criteria: Criteria,
    /// What a director should look at, board by board.
    pub notes: Vec<Note>,
    /// How it is known that no table is better.
    pub proof: Proof,
}

impl Pairing {
    /// The round to add to a stage.
    pub fn to_round(&self) -> Round {
        Round {
            round: self.round,
            boards: self.boards.clone(),
            byes: self.byes.clone(),
            absent: self.absent.clone(),
            choices: self.choices.clone(),
            seed: self.seed,
        }
    }
}

/// How it is known that no table is better than the one that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// By counting: parity and surpluses let no table reach less.
    Counting,
    /// By an exact search of parts of the field, whose dual values fit the others too.
    PartOfField {
        /// How many players the largest search held.
        players: u32,
    },
    /// By an exact search with every player.
    WholeField,
}

/// Something about a pairing that a director wants to see in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Note {
    /// The pair has met before.
    #[error("board {board}: {black} and {white} have met before ({times} times)")]
    Repeat {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
        /// How often they have met.
        times: u32,
    },
    /// A player floats down to a lower group.
    #[error("board {board}: {down} floats down to meet {up}")]
    Float {
        /// The board.
        board: u32,
        /// The higher player.
        down: Number,
        /// The lower player.
        up: Number,
    },
    /// A player floats in the same direction again.
    #[error("board {board}: {number} floats in the same direction again")]
    RepeatedFloat {
        /// The board.
        board: u32,
        /// The player.
        number: Number,
    },
    /// Both players are owed the same colour.
    #[error("board {board}: {black} and {white} are owed the same colour")]
    SameColour {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
    },
    /// Both players are of one team, in a round in which that is avoided.
    #[error("board {board}: {black} and {white} are of one team")]
    TeamMates {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
    },
    /// The settings name the two as a pair to avoid.
    #[error("board {board}: {black} and {white} are a pair to avoid")]
    Unwanted {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
    },
    /// A player has the same colour a third time running, where that is avoided.
    #[error("board {board}: {number} has the same colour a third time running")]
    ThirdColour {
        /// The board.
        board: u32,
        /// The player.
        number: Number,
    },
    /// The director has fixed the pair.
    #[error("board {board}: {black} and {white} were fixed by the director")]
    Fixed {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
    },
    /// Beside the byes that the director gave, the others are an odd number and one more has the bye.
    #[error("{number} has the bye because the byes given by hand left an odd number of players")]
    FurtherBye {
        /// Who has it.
        number: Number,
    },
}

/// A board as a refusal names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenBoard {
    /// The board.
    pub board: u32,
    /// Who has Black.
    pub black: Number,
    /// Who has White.
    pub white: Number,
}

/// A pair that would meet again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RepeatedPair {
    /// The smaller number.
    pub first: Number,
    /// The larger number.
    pub second: Number,
    /// How often they have met.
    pub times: u32,
}

/// Why a round is not paired, and what can be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Results of the round before are missing.
    #[error(
        "round {round} has no result yet on board{} {}: enter {}, or pair with provisional results",
        if boards.len() == 1 { "" } else { "s" },
        listed(boards.iter().map(|b| format!("{} ({} against {})", b.board, b.black, b.white))),
        if boards.len() == 1 { "it" } else { "them" }
    )]
    MissingResults {
        /// The round.
        round: u32,
        /// The boards without a result.
        boards: Vec<OpenBoard>,
    },
    /// Fewer than two players would play.
    #[error(
        "round {round} needs at least two players, and {} to be paired: {}",
        match active[..] { [] => "nobody is".to_owned(), [one] => format!("only number {one} is"), _ => String::new() },
        match byes[..] {
            [] => "return somebody who withdrew or sits out, or end the event here".to_owned(),
            _ => format!("take back a bye ({}), or return somebody who withdrew or sits out", listed(byes.iter().map(ToString::to_string))),
        }
    )]
    TooFewPlayers {
        /// The round.
        round: u32,
        /// Who would play.
        active: Vec<Number>,
        /// Who has asked for the bye or was given it.
        byes: Vec<Number>,
    },
    /// Every table would pair somebody again.
    #[error(
        "round {round} cannot be paired without players meeting again, since {because}; the fewest repeats are {}: {}",
        listed(pairs.iter().map(|p| format!("{}–{}", p.first, p.second))),
        because.ways_out().join(", or ")
    )]
    RepeatsNeeded {
        /// The round.
        round: u32,
        /// The repeats of the best table.
        pairs: Vec<RepeatedPair>,
        /// Why none is without.
        because: Box<Shortage>,
    },
    /// There is no table, even with repeats.
    #[error("round {round} cannot be paired at all, since {because}: {}", because.ways_out().join(", or "))]
    NoTable {
        /// The round.
        round: u32,
        /// Why.
        because: Box<Shortage>,
    },
    /// What the director has fixed cannot all be kept.
    #[error(
        "round {round} cannot be paired as it is fixed, since {}: take one of each back",
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    Contradictions {
        /// The round.
        round: u32,
        /// All of them.
        found: Vec<Contradiction>,
    },
    /// The settings ask for lots, and there is no seed to draw them from.
    #[error("round {round} is paired by lots: draw a seed for it first")]
    SeedNeeded {
        /// The round.
        round: u32,
    },
    /// All planned rounds have been paired.
    #[error("all {planned} planned rounds are paired: raise the number of rounds to pair another")]
    NoRoundLeft {
        /// How many rounds are planned.
        planned: u32,
    },
}

impl Refusal {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingResults { .. } => "missing-results",
            Self::TooFewPlayers { .. } => "too-few-players",
            Self::RepeatsNeeded { .. } => "repeats-needed",
            Self::NoTable { .. } => "no-table",
            Self::Contradictions { .. } => "contradictions",
            Self::SeedNeeded { .. } => "seed-needed",
            Self::NoRoundLeft { .. } => "no-round-left",
        }
    }
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// What the director has confirmed for this one pairing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confirmed {
    /// Players may meet again when there is no other way.
    pub repeats: bool,
    /// Boards without a result count as a draw for this pairing only.
    pub provisional: bool,
}

/// What is asked for when a round is paired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What the director has confirmed.
    pub confirmed: Confirmed,
    /// What the director has fixed.
    pub choices: Choices,
    /// The seed of the draw, for settings that [need one](crate::PairingSettings::needs_seed).
    pub seed: Option<Seed>,
}

impl From<Confirmed> for Request {
    fn from(confirmed: Confirmed) -> Self {
        Self {
            confirmed,
            ..Self::default()
        }
    }
}

/// Pairs a recorded round once more, so that anybody can compare the two: among those who had a
/// place in it, on the results of the rounds before as they are now. It comes out otherwise than
/// recorded also when the table was changed by hand, or a result or a setting was changed since.
///
/// # Errors
/// As [`pair`]; with fewer than two places, for one.
pub fn again(stage: &Stage, recorded: &Round) -> Result<Pairing, Refusal> {
    let (before, request) = as_recorded(stage, recorded);
    pair(&before, request)
}

/// The stage before a recorded round, with those who had a place in it and nobody else, and what was
/// asked for then.
fn as_recorded(stage: &Stage, recorded: &Round) -> (Stage, Request) {
    let round = recorded.round;
    let mut before = stage.after(round.saturating_sub(1));
    let byes: BTreeSet<Number> = recorded.byes.iter().copied().collect();
    let boards = recorded.boards.iter();
    let placed: BTreeSet<Number> = boards
        .flat_map(|board| [board.black, board.white])
        .chain(byes.iter().copied())
        .collect();
    for entry in &mut before.entries {
        entry.absent_rounds.retain(|absent| *absent != round);
        if placed.contains(&entry.number) {
            if !byes.contains(&entry.number) {
                entry.bye_rounds.retain(|bye| *bye != round);
            }
            entry.withdrawn_after = entry.withdrawn_after.filter(|last| *last >= round);
        } else {
            entry.absent_rounds.push(round);
        }
    }
    let confirmed = Confirmed {
        repeats: true,
        provisional: true,
    };
    let request = Request {
        confirmed,
        choices: recorded.choices.clone(),
        seed: recorded.seed,
    };
    (before, request)
}

/// The field that a certificate is about: without those who are fixed. `None` when nobody is left to
/// be paired, or when what is fixed contradicts itself.
fn field_of(before: &Stage, request: &Request) -> Option<Field> {
    let field = Field::of(&with_results(before), &request.choices, request.seed);
    let fixed = choices::fixed(&field, &request.choices).ok()?;
    let (rest, _) = field.without(&fixed.players());
    (rest.players.len() > 1).then_some(rest)
}

/// The stage with a draw on every board that has no result.
fn with_results(stage: &Stage) -> Stage {
    let mut provisional = stage.clone();
    for board in provisional
        .rounds
        .iter_mut()
        .flat_map(|earlier| &mut earlier.boards)
    {
        board.result.get_or_insert(Outcome::Draw);
    }
    provisional
}

/// Asks for every result of the rounds there are, before another one is paired.
///
/// # Errors
/// [`Refusal::MissingResults`], with the boards of the first round that has some.
pub fn results_in(stage: &Stage) -> Result<(), Refusal> {
    for earlier in &stage.rounds {
        let boards: Vec<OpenBoard> = earlier
            .pending()
            .map(|board| OpenBoard {
                board: board.board,
                black: board.black,
                white: board.white,
            })
            .collect();
        if !boards.is_empty() {
            return Err(Refusal::MissingResults {
                round: earlier.round,
                boards,
            });
        }
    }
    Ok(())
}

/// Pairs the next round of a stage that has no [`faults`](crate::validate::faults).
///
/// # Errors
/// A [`Refusal`] that names what is wrong; nothing is half done.
///
/// # Panics
/// Never: before the best table is looked for, it is known that there is one.
pub fn pair(stage: &Stage, request: impl Into<Request>) -> Result<Pairing, Refusal> {
    pair_changed(stage, request.into(), |_| {})
}

/// Pairs the next round after a change to its field.
fn pair_changed(
    stage: &Stage,
    request: Request,
    change: impl FnOnce(&mut Field),
) -> Result<Pairing, Refusal> {
    let Request {
        confirmed,
        choices,
        seed,
    } = request;
    let round = stage.next_round();
    if round > stage.rounds_planned {
        return Err(Refusal::NoRoundLeft {
            planned: stage.rounds_planned,
        });
    }
    if !confirmed.provisional {
        results_in(stage)?;
    }
    if stage.pairing.needs_seed() && seed.is_none() {
        return Err(Refusal::SeedNeeded { round });
    }
    let mut field = Field::of(&with_results(stage), &choices, seed);
    change(&mut field);
    let fixed = choices::fixed(&field, &choices).map_err(|found| Refusal::Contradictions { round, found })?;
    let (mut byes, mut absent) = (Vec::new(), Vec::new());
    for (number, why) in &field.elsewhere {
        match why {
            Elsewhere::Bye => byes.push(*number),
            Elsewhere::Absent | Elsewhere::SatOut | Elsewhere::Stopped => absent.push(*number),
        }
    }
    byes.extend(fixed.byes.iter().map(|bye| field.players[*bye].number));
    byes.sort_unstable();
    let active = |player: &usize| !fixed.byes.contains(player);
    if (0..field.players.len()).filter(active).count() < 2 {
        let active = (0..field.players.len()).filter(active);
        return Err(Refusal::TooFewPlayers {
            round,
            active: active.map(|player| field.players[player].number).collect(),
            byes,
        });
    }
    let table = around(&field, &fixed, confirmed, round)?;
    byes.extend(table.bye.map(|bye| field.players[bye].number));
    byes.sort_unstable();
    let boards = boards::boards(&field, &table.groups);
    Ok(Pairing {
        round,
        byes,
        absent,
        criteria: report::criteria(&field, &table),
        notes: report::notes(&field, &boards, &fixed, table.bye),
        proof: table.proof,
        boards,
        choices,
        seed,
    })
}

/// The best table of a field around what is fixed. Its bye is the one that nobody asked for or gave.
fn around(field: &Field, fixed: &Fixed, confirmed: Confirmed, round: u32) -> Result<engine::Table, Refusal> {
    let (rest, kept) = field.without(&fixed.players());
    let mut table = engine::Table {
        bye: None,
        groups: vec![Vec::new(); field.groups.len()],
        proof: Proof::Counting,
    };
    for &(first, second) in &fixed.pairs {
        table.groups[field.group_of[second]].push(Pair {
            first,
            second,
            second_pass: field.same_colour(first, second),
        });
    }
    if let [only] = kept[..] {
        table.bye = Some(only);
    } else if !kept.is_empty() {
        let best = best(field, &rest, confirmed, round)?;
        table.bye = best.bye.map(|bye| kept[bye]);
        table.proof = best.proof;
        for pair in best.groups.into_iter().flatten() {
            let (first, second) = (kept[pair.first], kept[pair.second]);
            table.groups[field.group_of[second]].push(Pair {
                first,
                second,
                second_pass: pair.second_pass,
            });
        }
    }
    Ok(table)
}

/// The best table of `rest`, which is a field without what is fixed.
fn best(field: &Field, rest: &Field, confirmed: Confirmed, round: u32) -> Result<engine::Table, Refusal> {
    let Some(because) = shortage::shortage(field, rest, false) else {
        return Ok(engine::best(rest, false).expect("nobody is short of opponents"));
    };
    if let Some(because) = shortage::shortage(field, rest, true) {
        let because = Box::new(because);
        return Err(Refusal::NoTable { round, because });
    }
    let table = engine::best(rest, true).expect("with repeats nobody is short of opponents");
    if confirmed.repeats {
        return Ok(table);
    }
    Err(Refusal::RepeatsNeeded {
        round,
        pairs: repeated_pairs(rest, &table),
        because: Box::new(because),
    })
}

fn repeated_pairs(field: &Field, table: &engine::Table) -> Vec<RepeatedPair> {
    let mut pairs: Vec<RepeatedPair> = table
        .groups
        .iter()
        .flatten()
        .filter_map(|pair| {
            let times = field.met(pair.first, pair.second).times;
            let (a, b) = (
                field.players[pair.first].number,
                field.players[pair.second].number,
            );
            (times > 0).then(|| RepeatedPair {
                first: a.min(b),
                second: a.max(b),
                times,
            })
        })
        .collect();
    pairs.sort_unstable();
    pairs
}
