//! Who plays: entries (players or teams) and what is carried over from before.

use std::fmt;

use crate::grade::Grade;
use crate::result::Side;
use crate::score::Score;

/// An entry's number (编号): drawn by lot before round 1, fixed for the whole event, 1 to 99,999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(u32);

impl Number {
    /// The largest number that can be given.
    pub const MAX: u32 = 99_999;

    /// A number, when it is in range.
    pub fn new(number: u32) -> Option<Self> {
        (1..=Self::MAX).contains(&number).then_some(Self(number))
    }

    /// The plain integer.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A player or a team in one stage of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number.
    pub number: Number,
    /// The name, as it was given.
    pub name: String,
    /// Whether the public reads the number instead of the name. Nothing is paired or ranked by it.
    pub name_withheld: bool,
    /// The club or team (单位, 代表队), for avoidance.
    pub team: Option<String>,
    /// The grade (段位).
    pub grade: Option<Grade>,
    /// The rating (等级分).
    pub rating: Option<i32>,
    /// The category (组别) for prizes.
    pub category: Option<String>,
    /// Points before the first round.
    pub start_score: Score,
    /// Single rounds that are sat out; for a late entry, the rounds before it.
    pub absent_rounds: Vec<u32>,
    /// Rounds in which the entry has asked for the bye.
    pub bye_rounds: Vec<u32>,
    /// Not paired after this round; 0 is before the first.
    pub withdrawn_after: Option<u32>,
    /// What happened before the rounds that are recorded here.
    pub carried: Option<Carried>,
}

impl Entry {
    /// An entry with a number and a name and nothing else.
    pub fn new(number: Number, name: impl Into<String>) -> Self {
        Self {
            number,
            name: name.into(),
            name_withheld: false,
            team: None,
            grade: None,
            rating: None,
            category: None,
            start_score: Score::ZERO,
            absent_rounds: Vec::new(),
            bye_rounds: Vec::new(),
            withdrawn_after: None,
            carried: None,
        }
    }

    /// Whether the entry wants to be paired in this round: not withdrawn before it and not sitting it out.
    pub fn plays_in(&self, round: u32) -> bool {
        self.withdrawn_after.is_none_or(|last| round <= last) && !self.absent_rounds.contains(&round)
    }
}

/// An event taken over midway: what earlier rounds left behind, without the rounds themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Points from those rounds.
    pub score: Score,
    /// Games as White less games as Black: positive is 多白, negative 多黑.
    pub balance: i32,
    /// Opponents met so far. It is enough that one of the two names the other: who has met is
    /// read both ways.
    pub met: Vec<Number>,
}

impl Carried {
    /// The colour played more often, when one was.
    pub fn balance_side(&self) -> Option<Side> {
        match self.balance {
            0 => None,
            1.. => Some(Side::White),
            _ => Some(Side::Black),
        }
    }
}
