//! Stand-ins until the rooms `rules` and `interchange` have their own types.

/// A rule set by its word in the event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet(pub String);

/// Komi as a decimal in the event's unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Komi(pub String);

/// An event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFile {
    /// The event's name.
    pub name: String,
    /// The rule set.
    pub rules: RuleSet,
    /// The komi.
    pub komi: Komi,
    /// The stage with entries and rounds.
    pub stage: tournament::Stage,
}
