//! What can be wrong with an event file, said so that its author can put it right.

use std::fmt;

use rules::{NotAKomi, UnknownRuleSet};
use tournament::Number;
use tournament::grade::NotAGrade;
use tournament::result::{NotAMargin, UnknownWord};
use tournament::validate::FaultKind;

use super::date::NotADate;
use crate::json::{SIZE_LIMIT, Syntax, VALUES_LIMIT};
use crate::names::set_apart;

/// One fault of an event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place as a path: `rounds[1].boards[11].white`. Empty for the file as a whole.
    pub path: String,
    /// The line, from 1. Of a field that is missing: of the object that lacks it.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What the place is in the terms of the event.
    pub place: Place,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// The player and the board that a place of the file belongs to, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The player: number and name.
    pub player: Option<(Number, String)>,
    /// The round.
    pub round: Option<u32>,
    /// The board in that round.
    pub board: Option<u32>,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The bytes are no JSON.
    Syntax(Syntax),
    /// `format` is not `tianyuan-event`.
    WrongFormat,
    /// A version that is not known here.
    WrongVersion(String),
    /// A field that the format does not have.
    UnknownField {
        /// The field.
        field: String,
        /// The fields that may stand there, joined by commas.
        known: String,
    },
    /// A field stands twice in one object.
    DuplicateField(String),
    /// A field that must be there is not.
    MissingField(&'static str),
    /// A value of another kind.
    WrongType {
        /// What should stand there.
        expected: &'static str,
        /// What does.
        found: &'static str,
    },
    /// A number with a fraction or an exponent, or one that no field can hold.
    NotWhole(String),
    /// A number outside its range.
    OutOfRange {
        /// What was written.
        found: i64,
        /// The least that is allowed.
        least: i64,
        /// The most that is allowed.
        most: i64,
    },
    /// A word that is none of those expected.
    UnknownWord {
        /// What was written.
        found: String,
        /// What may be written, joined by commas.
        expected: String,
    },
    /// No grade.
    Grade(NotAGrade),
    /// No margin.
    Margin(NotAMargin),
    /// No komi.
    Komi(NotAKomi),
    /// No rule set.
    Rules(UnknownRuleSet),
    /// No day.
    Date(NotADate),
    /// No seed of a draw.
    NotASeed(String),
    /// No time zone.
    NotATimeZone(String),
    /// No time in the hall.
    NotALocalTime(String),
    /// No moment with its offset.
    NotAMoment(String),
    /// A time that no clock of the zone shows.
    SkippedTime {
        /// The time.
        local: String,
        /// The zone.
        zone: &'static str,
    },
    /// A round is named twice in one list.
    RoundTwice(u32),
    /// An earlier result of a board that is not there.
    NoSuchBoard {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// An event is said to be final while a board has no result.
    FinalButPending {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// `balance_size` without `balance`.
    SizeWithoutBalance,
    /// Something is carried, no round is recorded, and `first_round` does not say which comes first.
    CarriedFromNowhere,
    /// A fault of the event as a whole.
    Fault(FaultKind),
    /// There are more faults than are listed.
    MoreProblems(usize),
}

impl ProblemKind {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Syntax(Syntax::TooLarge | Syntax::TooManyValues | Syntax::TooDeep) => "file-too-large",
            Self::Syntax(Syntax::Utf16 | Syntax::NotUtf8) => "not-utf8",
            Self::Syntax(_) => "syntax",
            Self::WrongFormat => "wrong-format",
            Self::WrongVersion(_) => "wrong-version",
            Self::UnknownField { .. } => "unknown-field",
            Self::DuplicateField(_) => "duplicate-field",
            Self::MissingField(_) => "missing-field",
            Self::WrongType { .. } => "wrong-type",
            Self::NotWhole(_) => "not-whole",
            Self::OutOfRange { .. } => "out-of-range",
            Self::UnknownWord { .. } => "unknown-word",
            Self::Grade(_) => "not-a-grade",
            Self::Margin(_) => "not-a-margin",
            Self::Komi(_) => "not-a-komi",
            Self::Rules(_) => "unknown-rules",
            Self::Date(_) => "not-a-date",
            Self::NotASeed(_) => "not-a-seed",
            Self::NotATimeZone(_) => "not-a-time-zone",
            Self::NotALocalTime(_) => "not-a-local-time",
            Self::NotAMoment(_) => "not-a-moment",
            Self::SkippedTime { .. } => "skipped-time",
            Self::RoundTwice(_) => "round-twice",
            Self::NoSuchBoard { .. } => "no-such-board",
            Self::FinalButPending { .. } => "final-but-pending",
            Self::SizeWithoutBalance => "size-without-balance",
            Self::CarriedFromNowhere => "carried-from-nowhere",
            Self::Fault(kind) => kind.code(),
            Self::MoreProblems(_) => "more-problems",
        }
    }

    pub(super) fn word(error: UnknownWord) -> Self {
        Self::UnknownWord {
            found: error.found,
            expected: error.expected.to_owned(),
        }
    }
}

impl Problem {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }
}

/// The longest piece of the file that a sentence repeats, in characters.
const QUOTE_LIMIT: usize = 60;

/// A piece of the file for a sentence: without line breaks and control characters, and not too long.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted: String = text
        .chars()
        .take(QUOTE_LIMIT)
        .map(|c| {
            if c.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect();
    if text.chars().nth(QUOTE_LIMIT).is_some() {
        quoted.push('…');
    }
    set_apart(&quoted).into_owned()
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(Syntax::TooLarge) => {
                write!(
                    f,
                    "the file is larger than the {} MiB an event can take",
                    SIZE_LIMIT / 1024 / 1024
                )
            }
            Self::Syntax(Syntax::TooManyValues) => {
                write!(
                    f,
                    "the file holds more than the {VALUES_LIMIT} values an event can take"
                )
            }
            Self::Syntax(syntax) => syntax.fmt(f),
            Self::WrongFormat => {
                write!(
                    f,
                    "this is not an event file: `format` must be \"tianyuan-event\""
                )
            }
            Self::WrongVersion(found) => write!(
                f,
                "version {} of the event file is not known here, only version 1: export the event again, or use a newer program",
                quote(found)
            ),
            Self::UnknownField { field, known } => write!(
                f,
                "there is no field `{}` here: take it away or write one of {known}",
                quote(field)
            ),
            Self::DuplicateField(field) => {
                write!(f, "field `{}` stands twice here: keep one of them", quote(field))
            }
            Self::MissingField(field) => write!(f, "field `{field}` is missing here: add it"),
            Self::WrongType { expected, found } => write!(f, "this is {found}: write {expected}"),
            Self::NotWhole(found) => write!(f, "{} cannot stand here: write a whole number", quote(found)),
            Self::OutOfRange { found, least, most } => {
                write!(
                    f,
                    "{found} is out of range: write a whole number from {least} to {most}"
                )
            }
            Self::UnknownWord { found, expected } => {
                write!(f, "“{}” cannot stand here: write one of {expected}", quote(found))
            }
            Self::Grade(NotAGrade(found)) => NotAGrade(quote(found)).fmt(f),
            Self::Margin(NotAMargin(found)) => NotAMargin(quote(found)).fmt(f),
            Self::Komi(NotAKomi(found)) => NotAKomi(quote(found)).fmt(f),
            Self::Rules(UnknownRuleSet(found)) => UnknownRuleSet(quote(found)).fmt(f),
            Self::Date(NotADate(found)) => NotADate(quote(found)).fmt(f),
            Self::NotASeed(found) => write!(
                f,
                "“{}” is no seed: write the 64 hexadecimal digits, 0–9 and a–f, of the draw",
                quote(found)
            ),
            Self::NotATimeZone(found) => write!(
                f,
                "“{}” is not a time zone: write a name of the IANA database, such as Asia/Shanghai",
                quote(found)
            ),
            Self::NotALocalTime(found) => write!(
                f,
                "“{}” is not a time in the hall: write it as 2027-04-10T14:45, without an offset",
                quote(found)
            ),
            Self::NotAMoment(found) => write!(
                f,
                "“{}” is not a moment: write it with its offset as 2027-04-10T06:45:00Z, to the microsecond at most",
                quote(found)
            ),
            Self::SkippedTime { local, zone } => write!(
                f,
                "the clock in {zone} skips {local}, it is put forward past it: write another time"
            ),
            Self::RoundTwice(round) => write!(f, "round {round} is named twice here: keep one of them"),
            Self::NoSuchBoard { round, board } => write!(
                f,
                "there is no board {board} in round {round} before this one, or it is named twice: take this earlier result away"
            ),
            Self::FinalButPending { round, board } => write!(
                f,
                "board {board} of round {round} has no result, so the event is not final: enter the result, or take `final` away"
            ),
            Self::SizeWithoutBalance => write!(
                f,
                "`balance_size` says how many games but not of which colour: add `balance`, white or black, or take `balance_size` away"
            ),
            Self::CarriedFromNowhere => write!(
                f,
                "results are carried, but nothing says how many rounds they come from: add `first_round`, the round to pair next, to `event`"
            ),
            Self::Fault(kind) => kind.fmt(f),
            Self::MoreProblems(count) => write!(f, "and {count} more faults: put these right first"),
        }
    }
}

impl fmt::Display for Problem {
    /// One line: where, in the file and in the event; what; the way out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if !self.path.is_empty() {
            write!(f, ", {}", quote_path(&self.path))?;
        }
        let Place { player, round, board } = &self.place;
        let mut terms = Vec::new();
        if let Some(board) = board {
            terms.push(format!("board {board}"));
        }
        if let Some(round) = round {
            terms.push(format!("round {round}"));
        }
        if let Some((number, name)) = player {
            terms.push(format!("player {number} “{}”", quote(name)));
        }
        if !terms.is_empty() {
            write!(f, " ({})", terms.join(", "))?;
        }
        write!(f, ": {}", self.kind)
    }
}

fn quote_path(path: &str) -> String {
    path.chars()
        .map(|c| {
            if c.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect()
}
