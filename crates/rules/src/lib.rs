//! The game of Go: rule sets, komi and counting units.
//!
//! Pure: no clock, no chance, no files, and no panic on any input.

mod komi;
mod rule_set;

pub use komi::{Komi, NotAKomi};
pub use rule_set::{Counting, RuleSet, Unit, UnknownRuleSet};
