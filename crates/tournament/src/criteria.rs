//! The values of the pairing criteria P1 to P6 (pairing specification, section 2).
//!
//! These are plain values. The engine and the checker compute them each in its own way.

use std::cmp::Ordering;

use crate::score::Score;

/// What a pairing reached. Compared with `<`, a better pairing is smaller, provided that both are
/// of the same field: the groups and borders then stand in the same order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// P1: pairs that have met.
    pub repeats: u32,
    /// P1: how often those have met, summed.
    pub repeat_meetings: u32,
    /// P1: pairs that met in the round just before.
    pub repeats_just_before: u32,
    /// P2: byes and wins by forfeit that the bye's player has had so far; 0 without a bye.
    pub bye_so_far: u32,
    /// P2: the score of the bye's player; 0 without a bye.
    pub bye_score: Score,
    /// P3: for each border between neighbouring score groups, from the top, the pairs across it.
    pub floats: Vec<Border>,
    /// P3: the squares of the score differences, summed.
    pub float_squares: u64,
    /// Whether P4 comes before P3 ([`TeamAvoidance::Strong`](crate::TeamAvoidance::Strong)).
    pub team_mates_first: bool,
    /// P4: pairs of team mates (in the rounds in which they are kept apart) and unwanted pairs, by
    /// group; empty when neither matter in this round.
    pub team_mates: Vec<InGroup>,
    /// P5: pairs in which both had the same colour in their last two games, so that one of them has
    /// it a third time, by group; empty unless that is avoided.
    pub third_colour: Vec<InGroup>,
    /// P5: pairs both owed the same colour by two games or more, by group; empty when colours are
    /// not assigned.
    pub same_colour_twice: Vec<InGroup>,
    /// P5: pairs both owed the same colour, by group; empty when colours are not assigned.
    pub same_colour: Vec<InGroup>,
    /// P6: players floating again in the same direction, by group; empty when it is switched off.
    pub repeated_floats: Vec<InGroup>,
}

impl Ord for Criteria {
    fn cmp(&self, other: &Self) -> Ordering {
        let teams = || self.team_mates.cmp(&other.team_mates);
        let floats = || {
            let squares = || self.float_squares.cmp(&other.float_squares);
            self.floats.cmp(&other.floats).then_with(squares)
        };
        let teams_and_floats = match (self.team_mates_first, other.team_mates_first) {
            (true, true) => teams().then_with(floats),
            (false, false) => floats().then_with(teams),
            (mine, others) => mine.cmp(&others),
        };
        let before = |of: &Self| {
            (
                of.repeats,
                of.repeat_meetings,
                of.repeats_just_before,
                of.bye_so_far,
                of.bye_score,
            )
        };
        before(self)
            .cmp(&before(other))
            .then(teams_and_floats)
            .then_with(|| self.third_colour.cmp(&other.third_colour))
            .then_with(|| self.same_colour_twice.cmp(&other.same_colour_twice))
            .then_with(|| self.same_colour.cmp(&other.same_colour))
            .then_with(|| self.repeated_floats.cmp(&other.repeated_floats))
    }
}

impl PartialOrd for Criteria {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Pairs across one border between neighbouring score groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Border {
    /// The score of the group above.
    pub above: Score,
    /// The score of the group below.
    pub below: Score,
    /// Pairs with one player at or above `above` and one at or below `below`.
    pub pairs: u32,
}

/// A count that belongs to a score group; a float pair belongs to its lower group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InGroup {
    /// The group's score.
    pub group: Score,
    /// The count.
    pub count: u32,
}
