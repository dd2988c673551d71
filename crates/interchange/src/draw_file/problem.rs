//! What can make a draw file unreadable, said so that its reader knows what to do.

use std::fmt;

use tournament::draw::{ENGINE, GroupFault, NumberFault, WordFault};

use crate::event_file::{Problem, quote};

/// One fault of a draw file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawProblem {
    /// As in an event file: of the JSON, of a field, of the event in `input`.
    Shared(Problem),
    /// Of a draw.
    Own {
        /// The place as a path.
        path: String,
        /// The line, from 1.
        line: u32,
        /// The column in characters, from 1.
        column: u32,
        /// What is wrong.
        fault: DrawFault,
    },
}

/// What can be wrong with a draw.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawFault {
    /// `format` is not `tianyuan-draw`.
    #[error("this is not a draw file: `format` must be \"tianyuan-draw\"")]
    WrongFormat,
    /// A version of the format that is not known here.
    #[error("version {} of the draw file is not known here, only version 1: a newer tianyuan can check it", quote(.0))]
    WrongVersion(String),
    /// A version of the rules that is not known here.
    #[error("this draw was made by the rules of {}, and only those of {ENGINE} are known here: check it with {}", quote(.0), quote(.0))]
    UnknownEngine(String),
    /// Not 64 hexadecimal digits.
    #[error("“{}” is not 64 hexadecimal digits, 0–9 and a–f in lower case", quote(.0))]
    NotHex(String),
    /// No event's id.
    #[error("“{}” is no event's id: a UUID of 36 characters in lower case", quote(.0))]
    NotAnEvent(String),
    /// No act of a log with its hash.
    #[error("“{}” names no act of a log: write its number, a colon and the 64 digits of its hash", quote(.0))]
    NotALogHead(String),
    /// Not something that is drawn.
    #[error("“{}” is not drawn here: write round and a number, numbers, or groups", quote(.0))]
    NotADraw(String),
    /// No public word.
    #[error(transparent)]
    Word(#[from] WordFault),
    /// A public word that is not in its one form.
    #[error("a public word has white space at an end or is not in Unicode's form NFC: it must stand here as it was hashed, “{}”", quote(.0))]
    WordForm(String),
    /// Some of what belongs together is missing.
    #[error("commitment, secret, words and seed belong together, and {missing} is missing")]
    HalfAPromise {
        /// What is missing.
        missing: &'static str,
    },
    /// Lots without a seed.
    #[error("lots are drawn, and there is no seed")]
    NoSeed,
    /// The rounds in `input` are not those before the round.
    #[error("the draw is of round {round}, and round {next} comes after the rounds in `input`")]
    OtherRound {
        /// The round of the draw.
        round: u32,
        /// The round that comes next.
        next: u32,
    },
    /// A list of lots where none are drawn.
    #[error("no lots are drawn for `{field}` by the settings in `input`: take it away")]
    NoLots {
        /// The field.
        field: &'static str,
    },
    /// No way to split a field.
    #[error("“{}” is no way to split a field: write lots or snake", quote(.0))]
    NotASplit(String),
    /// Layers where everybody is in one.
    #[error("a split by lots has no layers: take `layer` away, or write snake")]
    NoLayers,
    /// No group.
    #[error(
        "“{}” is no group of this draw: write a letter from A to {last}",
        quote(found)
    )]
    NotAGroup {
        /// What was written.
        found: String,
        /// The last group.
        last: char,
    },
    /// Numbers cannot be drawn so.
    #[error(transparent)]
    Numbers(#[from] NumberFault),
    /// Groups cannot be drawn so.
    #[error(transparent)]
    Groups(#[from] GroupFault),
}

impl DrawProblem {
    /// The line and the column, both from 1.
    pub fn place(&self) -> (u32, u32) {
        match self {
            Self::Shared(problem) => (problem.line, problem.column),
            Self::Own { line, column, .. } => (*line, *column),
        }
    }
}

/// One line: where in the file, what, the way out.
impl fmt::Display for DrawProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shared(problem) => problem.fmt(f),
            Self::Own {
                path,
                line,
                column,
                fault,
            } => write!(f, "line {line}, column {column}, {path}: {fault}"),
        }
    }
}
