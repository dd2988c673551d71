//! The value of each criterion of a table, and the least value that can be proved.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::matching::most_pairs;
use crate::criteria::{Border, Criteria, InGroup};
use crate::measure::Measure;
use crate::score::Score;

/// What a table reached in one measure, and the least that is proved for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// What is counted.
    pub measure: Measure,
    /// The score group it is counted in; for a border, the group above it.
    pub group: Option<Score>,
    /// What the table reached.
    pub reached: i64,
    /// Every table that equals this one in all values before this one has at least so much.
    pub least: i64,
    /// Whether a table with `least` is known to exist; otherwise `least` is a bound only.
    pub attained: bool,
}

impl Value {
    /// Whether a better table has been proved to exist.
    pub fn improvable(&self) -> bool {
        self.attained && self.reached > self.least
    }
}

/// The most players for whom every table is tried.
pub(super) const TRY_ALL: usize = 10;
/// The most players for whom the fewest repeats are computed.
const MATCHING_LIMIT: usize = 2000;

/// The criteria of a table given by places in [`Facts::players`].
pub fn criteria(facts: &Facts, pairs: &[(usize, usize)], byes: &[usize]) -> Criteria {
    let groups = facts.groups();
    let mut found = Criteria {
        floats: groups
            .windows(2)
            .map(|two| Border {
                above: two[0],
                below: two[1],
                pairs: 0,
            })
            .collect(),
        ..Criteria::default()
    };
    let nothing = || -> Vec<InGroup> {
        groups
            .iter()
            .map(|group| InGroup {
                group: *group,
                count: 0,
            })
            .collect()
    };
    if facts.teams_matter {
        found.team_mates = nothing();
    }
    found.same_colour_twice = nothing();
    found.same_colour = nothing();
    if facts.repeated_floats_matter {
        found.repeated_floats = nothing();
    }
    for bye in byes {
        let player = &facts.players[*bye];
        found.bye_so_far += player.points_without_play;
        found.bye_score += player.score;
    }
    for (a, b) in pairs {
        // The players stand by score, so the earlier one is never the lower one.
        let (a, b) = (*a.min(b), *a.max(b));
        let (high, low) = (&facts.players[a], &facts.players[b]);
        let meetings = facts.meetings(a, b);
        if meetings.times > 0 {
            found.repeats += 1;
            found.repeat_meetings += meetings.times;
            found.repeats_just_before += u32::from(meetings.just_before);
        }
        for border in &mut found.floats {
            if high.score >= border.above && low.score <= border.below {
                border.pairs += 1;
            }
        }
        let difference = u64::from((high.score - low.score).0.unsigned_abs());
        found.float_squares += difference * difference;
        let Some(group) = groups.iter().position(|group| *group == low.score) else {
            continue;
        };
        if facts.teams_matter && facts.team_mates(a, b) {
            found.team_mates[group].count += 1;
        }
        if facts.same_sign(a, b) {
            found.same_colour[group].count += 1;
            if high.balance.abs() >= 2 && low.balance.abs() >= 2 {
                found.same_colour_twice[group].count += 1;
            }
        }
        if facts.repeated_floats_matter && high.score > low.score {
            found.repeated_floats[group].count += u32::from(high.floated_down) + u32::from(low.floated_up);
        }
    }
    found
}

/// The values of criteria one by one, in the order in which they are compared.
pub(super) fn one_by_one(criteria: &Criteria) -> Vec<(Measure, Option<Score>, i64)> {
    let mut list = vec![
        (Measure::Repeats, None, i64::from(criteria.repeats)),
        (Measure::RepeatMeetings, None, i64::from(criteria.repeat_meetings)),
        (
            Measure::RepeatsJustBefore,
            None,
            i64::from(criteria.repeats_just_before),
        ),
        (Measure::ByeSoFar, None, i64::from(criteria.bye_so_far)),
        (Measure::ByeScore, None, i64::from(criteria.bye_score.0)),
    ];
    list.extend(
        criteria
            .floats
            .iter()
            .map(|border| (Measure::FloatsAcross, Some(border.above), i64::from(border.pairs))),
    );
    let squares = i64::try_from(criteria.float_squares).unwrap_or(i64::MAX);
    list.push((Measure::FloatSquares, None, squares));
    for (measure, groups) in [
        (Measure::TeamMates, &criteria.team_mates),
        (Measure::SameColourTwice, &criteria.same_colour_twice),
        (Measure::SameColour, &criteria.same_colour),
        (Measure::RepeatedFloats, &criteria.repeated_floats),
    ] {
        list.extend(
            groups
                .iter()
                .map(|in_group| (measure, Some(in_group.group), i64::from(in_group.count))),
        );
    }
    list
}

/// The values of a complete, well-formed table.
pub(super) fn values(facts: &Facts, pairs: &[(usize, usize)], byes: &[usize]) -> (Criteria, Vec<Value>) {
    let reached = criteria(facts, pairs, byes);
    let mut values: Vec<Value> = one_by_one(&reached)
        .into_iter()
        .map(|(measure, group, reached)| Value {
            measure,
            group,
            reached,
            least: 0,
            attained: reached == 0,
        })
        .collect();
    if facts.players.len() <= TRY_ALL {
        by_trying(facts, &mut values);
    } else {
        by_counting(facts, byes, &reached, &mut values);
    }
    (reached, values)
}

/// Every table there is: at most 945 for ten players.
fn by_trying(facts: &Facts, values: &mut [Value]) {
    fn complete(
        left: &mut Vec<usize>,
        pairs: &mut Vec<(usize, usize)>,
        bye: Option<usize>,
        done: &mut impl FnMut(&[(usize, usize)], Option<usize>),
    ) {
        let Some(first) = left.first().copied() else {
            done(pairs, bye);
            return;
        };
        left.remove(0);
        for k in 0..left.len() {
            let other = left.remove(k);
            pairs.push((first, other));
            complete(left, pairs, bye, done);
            pairs.pop();
            left.insert(k, other);
        }
        if bye.is_none() && left.len().is_multiple_of(2) {
            complete(left, pairs, Some(first), done);
        }
        left.insert(0, first);
    }
    let mut tables: Vec<Vec<i64>> = Vec::new();
    let mut left: Vec<usize> = (0..facts.players.len()).collect();
    complete(&mut left, &mut Vec::new(), None, &mut |pairs, bye| {
        let criteria = criteria(facts, pairs, bye.as_slice());
        tables.push(
            one_by_one(&criteria)
                .into_iter()
                .map(|(_, _, value)| value)
                .collect(),
        );
    });
    for (k, value) in values.iter_mut().enumerate() {
        value.least = tables.iter().map(|table| table[k]).min().unwrap_or(value.reached);
        value.attained = true;
        tables.retain(|table| table[k] == value.reached);
    }
}

/// Bounds that hold whoever has met whom.
fn by_counting(facts: &Facts, byes: &[usize], reached: &Criteria, values: &mut [Value]) {
    let seated = |place: usize| !byes.contains(&place);
    let (fewest, fewest_known) = fewest_repeats(facts, reached.repeats);
    let (bye_so_far, bye_score, bye_known) = best_bye(facts, byes, reached);
    // Players leaving a group downwards lie across the border below it, those coming in lie
    // across the border above it.
    let across = |group: Score| -> (i64, i64) {
        let mut through = (0, 0);
        for border in &reached.floats {
            if border.below == group {
                through.0 = i64::from(border.pairs);
            }
            if border.above == group {
                through.1 = i64::from(border.pairs);
            }
        }
        through
    };
    // When so many of a group must find partners outside their kind, the rest meet one another.
    let forced = |group: Score, alike: i64| -> i64 {
        let members =
            count((0..facts.players.len()).filter(|p| seated(*p) && facts.players[*p].score == group));
        let (coming, leaving) = across(group);
        ((alike - leaving) - (members - alike) - coming + 1).max(0) / 2
    };
    let owed = |group: Score, by: i32| -> i64 {
        [1, -1]
            .into_iter()
            .map(|sign| {
                let alike = count((0..facts.players.len()).filter(|p| {
                    let player = &facts.players[*p];
                    seated(*p) && player.score == group && player.balance * sign >= by
                }));
                forced(group, alike)
            })
            .max()
            .unwrap_or(0)
    };
    for value in values {
        value.least = match (value.measure, value.group) {
            (Measure::Repeats, _) => fewest,
            (Measure::RepeatMeetings, _) => i64::from(reached.repeats),
            (Measure::ByeSoFar, _) => bye_so_far,
            (Measure::ByeScore, _) => bye_score,
            (Measure::FloatsAcross, Some(above)) => {
                count((0..facts.players.len()).filter(|p| seated(*p) && facts.players[*p].score >= above)) % 2
            }
            (Measure::FloatSquares, _) => reached
                .floats
                .iter()
                .map(|border| {
                    let gap = i64::from((border.above - border.below).0);
                    gap * gap * i64::from(border.pairs)
                })
                .sum(),
            (Measure::TeamMates, Some(group)) => {
                let mut teams: BTreeMap<&str, i64> = BTreeMap::new();
                for (place, player) in facts.players.iter().enumerate() {
                    if let Some(team) = &player.team
                        && seated(place)
                        && player.score == group
                    {
                        *teams.entry(team).or_default() += 1;
                    }
                }
                teams
                    .values()
                    .map(|alike| forced(group, *alike))
                    .max()
                    .unwrap_or(0)
            }
            (Measure::SameColourTwice, Some(group)) => owed(group, 2),
            (Measure::SameColour, Some(group)) => owed(group, 1),
            _ => 0,
        };
        value.attained = value.reached == value.least
            || match value.measure {
                Measure::Repeats => fewest_known,
                Measure::ByeSoFar | Measure::ByeScore => bye_known,
                _ => false,
            };
    }
}

fn count(items: impl Iterator<Item = usize>) -> i64 {
    i64::try_from(items.count()).unwrap_or(i64::MAX)
}

/// The fewest pairs that must have met, and whether it is known.
fn fewest_repeats(facts: &Facts, reached: u32) -> (i64, bool) {
    let n = facts.players.len();
    if reached == 0 {
        return (0, true);
    }
    if n > MATCHING_LIMIT {
        return (0, false);
    }
    let new_pairs = most_pairs(n, |a, b| facts.meetings(a, b).times == 0);
    (i64::try_from(n / 2 - new_pairs).unwrap_or(i64::MAX), true)
}

/// The best bye: byes so far and score, and whether a table with it is known to exist.
fn best_bye(facts: &Facts, byes: &[usize], reached: &Criteria) -> (i64, i64, bool) {
    let merit = |place: usize| {
        (
            facts.players[place].points_without_play,
            facts.players[place].score,
        )
    };
    let [bye] = *byes else { return (0, 0, true) };
    let n = facts.players.len();
    let mut candidates: Vec<usize> = (0..n).filter(|place| merit(*place) < merit(bye)).collect();
    candidates.sort_by_key(|place| merit(*place));
    let bound = candidates.first().map_or(merit(bye), |place| merit(*place));
    let known = if reached.repeats > 0 || n > MATCHING_LIMIT {
        None
    } else {
        candidates.iter().copied().find(|out| {
            most_pairs(n, |a, b| {
                a != *out && b != *out && facts.meetings(a, b).times == 0
            }) == n / 2
        })
    };
    let (so_far, score) = known.map_or(bound, merit);
    // The score is compared only among byes that are equal before it.
    let score = if so_far == merit(bye).0 {
        score
    } else {
        Score::ZERO
    };
    let attained = known.is_some();
    (i64::from(so_far), i64::from(score.0), attained)
}
