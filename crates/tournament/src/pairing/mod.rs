//! Pairing a Swiss round (积分编排): the best table under the published criteria, and only that one.
//!
//! The way of the data: field (who plays, what is known of them) → cost (what makes a pair
//! good) → engine (the exact search) → boards (order, colours) → report (what was
//! reached). The checker beside this module shares none of it.

mod boards;
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
pub mod why;
mod wide;

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
    /// Who has the bye.
    pub byes: Vec<Number>,
    /// Who is not paired: sitting out or withdrawn.
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
        "round {round} needs at least two players, and {} taking part: return somebody who withdrew or sits out, or end the event here",
        match active[..] { [] => "nobody is".to_owned(), [one] => format!("only number {one} is"), _ => String::new() }
    )]
    TooFewPlayers {
        /// The round.
        round: u32,
        /// Who would play.
        active: Vec<Number>,
    },
    /// Every table would pair somebody again.
    #[error(
        "round {round} cannot be paired without players meeting again; the fewest repeats are {}: confirm them, or change who takes part",
        listed(pairs.iter().map(|p| format!("{}–{}", p.first, p.second)))
    )]
    RepeatsNeeded {
        /// The round.
        round: u32,
        /// The repeats of the best table.
        pairs: Vec<RepeatedPair>,
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
    let placed: std::collections::BTreeSet<Number> = recorded
        .boards
        .iter()
        .flat_map(|board| [board.black, board.white])
        .chain(recorded.byes.iter().copied())
        .collect();
    for entry in &mut before.entries {
        entry.absent_rounds.retain(|absent| *absent != round);
        if placed.contains(&entry.number) {
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

fn field_of(before: &Stage, _request: &Request) -> Option<field::Field> {
    let mut provisional = before.clone();
    for board in provisional
        .rounds
        .iter_mut()
        .flat_map(|earlier| &mut earlier.boards)
    {
        board.result.get_or_insert(Outcome::Draw);
    }
    let field = field::Field::of(&provisional);
    (field.players.len() > 1).then_some(field)
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
/// Never: with repeats a table always exists.
pub fn pair(stage: &Stage, request: impl Into<Request>) -> Result<Pairing, Refusal> {
    let Request {
        confirmed,
        choices,
        seed,
    } = request.into();
    let round = stage.next_round();
    if round > stage.rounds_planned {
        return Err(Refusal::NoRoundLeft {
            planned: stage.rounds_planned,
        });
    }
    if !confirmed.provisional {
        results_in(stage)?;
    }
    let mut provisional = stage.clone();
    for board in provisional
        .rounds
        .iter_mut()
        .flat_map(|earlier| &mut earlier.boards)
    {
        board.result.get_or_insert(Outcome::Draw);
    }
    let field = field::Field::of(&provisional);
    if field.players.len() < 2 {
        return Err(Refusal::TooFewPlayers {
            round,
            active: field.players.iter().map(|p| p.number).collect(),
        });
    }
    let table = if let Some(table) = engine::best(&field, false) {
        table
    } else {
        let table = engine::best(&field, true).expect("with repeats everybody can meet everybody");
        if !confirmed.repeats {
            let pairs = repeated_pairs(&field, &table);
            return Err(Refusal::RepeatsNeeded { round, pairs });
        }
        table
    };
    let boards = boards::boards(&field, &table);
    let playing: std::collections::BTreeSet<Number> =
        field.players.iter().map(|player| player.number).collect();
    let mut absent: Vec<Number> = stage
        .entries
        .iter()
        .map(|entry| entry.number)
        .filter(|number| !playing.contains(number))
        .collect();
    absent.sort_unstable();
    Ok(Pairing {
        round,
        byes: table
            .bye
            .map(|bye| field.players[bye].number)
            .into_iter()
            .collect(),
        absent,
        choices,
        seed,
        criteria: report::criteria(&field, &table),
        notes: report::notes(&field, &boards),
        proof: table.proof,
        boards,
    })
}

fn repeated_pairs(field: &field::Field, table: &engine::Table) -> Vec<RepeatedPair> {
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
