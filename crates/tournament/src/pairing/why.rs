//! Why a round is paired as it is: for each criterion what was reached and how it is known that less
//! is impossible, for each board what is unusual about it and what would have been without it.
//!
//! A question is answered by pairing the round once more with one thing changed: this pair, float or
//! bye excluded, or that pair fixed. The first criterion that comes out otherwise is the answer; where
//! all of them stay the same, list order (P7) decided.

use crate::entry::Number;
use crate::measure::Measure;
use crate::result::Side;
use crate::score::Score;

/// The report of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// The round.
    pub round: u32,
    /// Every criterion, in order.
    pub values: Vec<Reached>,
    /// Every board, in board order.
    pub boards: Vec<BoardReasons>,
    /// Every bye.
    pub byes: Vec<ByeReason>,
}

/// What a round reached in one criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// What is counted.
    pub measure: Measure,
    /// The score group it is counted in; for a border, the group above it.
    pub group: Option<Score>,
    /// What the round has.
    pub reached: i64,
    /// The least that is proved, all criteria before this one being as they are.
    pub least: i64,
    /// How that is known.
    pub proof: Proof,
}

/// How it is known that a criterion cannot be less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// Nothing is less than nothing.
    Nothing,
    /// Every table there is was tried: fields of up to ten players.
    EveryTable,
    /// By counting: parity at the borders, the surplus of a colour or a team in a group, the pairs
    /// that are left to meet.
    Counting,
    /// By a certificate, which the checker has verified.
    Certificate,
    /// A better table is known to exist: the round was changed by hand, or made on other results.
    Better,
    /// It is not proved.
    Open,
}

impl Proof {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::EveryTable => "every-table",
            Self::Counting => "counting",
            Self::Certificate => "certificate",
            Self::Better => "better",
            Self::Open => "open",
        }
    }
}

/// What there is to say of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardReasons {
    /// The board.
    pub board: u32,
    /// Who comes first in list order; of a float, the higher player.
    pub first: Number,
    /// The other one.
    pub second: Number,
    /// Whether the director fixed the pair.
    pub chosen: bool,
    /// What is unusual about it.
    pub properties: Vec<PropertyReason>,
    /// What would have been without this pair. None where it was not asked: large fields, fixed pairs,
    /// boards with nothing unusual.
    pub without: Option<Without>,
}

/// Something unusual about a board, and what would have been without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyReason {
    /// What it is.
    pub property: Property,
    /// The criterion that counts it, and where.
    pub counted: (Measure, Option<Score>),
    /// What would have been without it. None where it was not asked: large fields and fixed pairs.
    pub without: Option<Without>,
}

/// Something unusual about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// The two have met before.
    Repeat {
        /// How often.
        times: u32,
        /// Whether once in the round just before.
        just_before: bool,
    },
    /// The two have different scores.
    Float {
        /// The higher player.
        down: Number,
        /// The lower player.
        up: Number,
    },
    /// A player floats in a direction in which he or she has floated before.
    RepeatedFloat {
        /// The player.
        number: Number,
        /// Whether down.
        down: bool,
    },
    /// Both are of one team, in a round in which that is avoided.
    TeamMates,
    /// The settings name the two as a pair to avoid.
    Unwanted,
    /// Both had this colour in their last two games; one of them has it a third time.
    ThirdColour {
        /// The colour.
        side: Side,
    },
    /// Both are owed the same colour.
    SameColour {
        /// The colour.
        owed: Side,
        /// Whether both are owed it by two games or more.
        twice: bool,
    },
}

impl Property {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Repeat { .. } => "repeat",
            Self::Float { .. } => "float",
            Self::RepeatedFloat { .. } => "repeated-float",
            Self::TeamMates => "team-mates",
            Self::Unwanted => "unwanted",
            Self::ThirdColour { .. } => "third-colour",
            Self::SameColour { .. } => "same-colour",
        }
    }
}

/// What the best table without something is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// There is none.
    NoTable,
    /// It is worse: this is the first criterion in which it is.
    Worse(Change),
    /// It is as good on P1 to P6; list order (P7) prefers the table as it is.
    ListOrder(Choice),
    /// It is better: the round was changed by hand, or made on other results.
    Better(Change),
}

impl Without {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoTable => "no-table",
            Self::Worse(_) => "worse",
            Self::ListOrder(_) => "list-order",
            Self::Better(_) => "better",
        }
    }
}

/// The first criterion in which another table differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is counted.
    pub measure: Measure,
    /// The score group it is counted in; for a border, the group above it.
    pub group: Option<Score>,
    /// What the round has.
    pub from: i64,
    /// What the other table has.
    pub to: i64,
}

/// The first choice of list order (P7) that another table would have made otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The bye goes to the last player in list order for whom it is allowed.
    Bye {
        /// Who has it.
        number: Number,
        /// Who would have it.
        instead: Number,
    },
    /// Going through the list, each player stays in the group if that is allowed.
    Float {
        /// Who floats down.
        number: Number,
        /// Who would float down.
        instead: Number,
    },
    /// The first in the list who is not paired takes the first later one who is allowed: first
    /// among those not owed the same colour, then among all who are left.
    Partner {
        /// Who takes.
        number: Number,
        /// Who is taken.
        takes: Number,
        /// Who would be taken.
        instead: Number,
    },
    /// Nothing differs but the order in which the same pairs were written.
    None,
}

/// Why somebody has the bye.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByeReason {
    /// Who.
    pub number: Number,
    /// How it came.
    pub kind: ByeKind,
    /// What would have been if somebody else had it. None where it was not asked.
    pub without: Option<Without>,
}

/// How a bye came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ByeKind {
    /// The player asked for it.
    Asked,
    /// The director gave it.
    Chosen,
    /// Odd count: one player has it (P2, then P7).
    Odd,
}

impl ByeKind {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Chosen => "chosen",
            Self::Odd => "odd",
        }
    }
}

/// Why two players did not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotMet {
    /// They do.
    Meet {
        /// The board.
        board: u32,
    },
    /// One of them is not paired in this round.
    NotPaired {
        /// Who.
        number: Number,
    },
    /// The director fixed whom one of them meets.
    Chosen {
        /// Who.
        number: Number,
    },
    /// A rule keeps them apart.
    Barred(Bar),
    /// With this pair the best table is worse, or there is none, or list order decides.
    With {
        /// The rounds in which they have met.
        met: Vec<u32>,
        /// What the best table with the pair is like.
        then: Without,
    },
}

impl NotMet {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Meet { .. } => "meet",
            Self::NotPaired { .. } => "not-paired",
            Self::Chosen { .. } => "chosen",
            Self::Barred(bar) => bar.code(),
            Self::With { then, .. } => then.code(),
        }
    }
}

/// A rule that keeps two players apart in any table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bar {
    /// The settings forbid the pair.
    ForbiddenPair,
    /// Team mates are never paired in this round.
    TeamMates,
    /// Both had this colour in their last two games, and a third time is forbidden.
    ThirdColour(Side),
    /// The director keeps them apart in this round.
    Apart,
}

impl Bar {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::ForbiddenPair => "forbidden-pair",
            Self::TeamMates => "team-mates-barred",
            Self::ThirdColour(_) => "third-colour-barred",
            Self::Apart => "apart",
        }
    }
}
