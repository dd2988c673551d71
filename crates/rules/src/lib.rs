//! The game of Go: rule sets, boards, counting, game records and what is to be said of them.
//!
//! Pure: no clock, no chance, no files, and no panic on any input.

mod board;
mod counting;
mod finding;
mod judge;
mod komi;
mod language;
mod outcome;
mod point;
mod replay;
mod rule_set;
pub mod sgf;
mod verdict;

pub use board::{Board, Forbidden};
pub use counting::{
    Doubt, MarksFault, Proposal, Tax, Terms, Unfilled, count, dead_from_marks, doubts, propose,
};
pub use finding::{Finding, FindingKind, Place, Repeated, RepetitionKind, Twice, Weight};
pub use judge::{count_with_entered, judge, judge_game, result_with_entered};
pub use komi::{Komi, KomiNotRead, NotAKomi, RecordKomi};
pub use language::Language;
pub use outcome::{Margin, Recorded, RecordedKind};
pub use point::{Colour, Move, Point, Sides, Size, column_name};
pub use replay::{Played, Problem, Replay};
pub use rule_set::{
    Counting, HandicapReturn, OnRepetition, Repetition, RuleSet, Rules, Suicide, Unit, UnknownRuleSet,
};
pub use verdict::{
    Agreement, Asked, Count, Counted, DeadFrom, End, Entered, GameName, Header, JudgedMove, Owner, Refusal,
    RefusalKind, Standing, Verdict,
};
