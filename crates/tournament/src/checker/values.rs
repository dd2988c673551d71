//! The value of each criterion of a table, and the least value that can be proved.

use super::bounds;
use super::facts::Facts;
use crate::criteria::{Border, Criteria, InGroup};
use crate::measure::Measure;
use crate::score::Score;
use crate::settings::{TeamAvoidance, ThirdColour};

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
pub(crate) const TRY_ALL: usize = 10;

/// The criteria of a table given by places in [`Facts::players`].
pub fn criteria(facts: &Facts, pairs: &[(usize, usize)], byes: &[usize]) -> Criteria {
    let groups = facts.groups();
    let nothing = |matters: bool| -> Vec<InGroup> {
        let counted = groups.iter().filter(|_| matters);
        counted
            .map(|group| InGroup {
                group: *group,
                count: 0,
            })
            .collect()
    };
    let mut found = Criteria {
        floats: groups
            .windows(2)
            .map(|two| Border {
                above: two[0],
                below: two[1],
                pairs: 0,
            })
            .collect(),
        team_mates_first: facts.team_avoidance == TeamAvoidance::Strong,
        team_mates: nothing(facts.avoided_pairs_matter),
        third_colour: nothing(facts.third_colour == ThirdColour::Avoided),
        same_colour_twice: nothing(facts.colours_matter()),
        same_colour: nothing(facts.colours_matter()),
        repeated_floats: nothing(facts.repeated_floats_matter),
        ..Criteria::default()
    };
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
        let group = groups.partition_point(|group| *group > low.score);
        if high.score > low.score {
            let first = groups.partition_point(|group| *group > high.score);
            for border in &mut found.floats[first..group] {
                border.pairs += 1;
            }
            let difference = u64::from((high.score - low.score).0.unsigned_abs());
            found.float_squares += difference * difference;
            if facts.repeated_floats_matter {
                found.repeated_floats[group].count +=
                    u32::from(high.floated_down) + u32::from(low.floated_up);
            }
        }
        if facts.avoided_pairs_matter && facts.avoided(a, b) {
            found.team_mates[group].count += 1;
        }
        if facts.third_colour == ThirdColour::Avoided && facts.third_colour(a, b).is_some() {
            found.third_colour[group].count += 1;
        }
        if facts.same_sign(a, b) {
            found.same_colour[group].count += 1;
            if high.balance.abs() >= 2 && low.balance.abs() >= 2 {
                found.same_colour_twice[group].count += 1;
            }
        }
    }
    found
}

/// The values of criteria one by one, in the order in which they are compared.
pub(crate) fn one_by_one(criteria: &Criteria) -> Vec<(Measure, Option<Score>, i64)> {
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
    let by_group = |measure: Measure, groups: &[InGroup]| -> Vec<(Measure, Option<Score>, i64)> {
        let counts = groups.iter();
        counts
            .map(|in_group| (measure, Some(in_group.group), i64::from(in_group.count)))
            .collect()
    };
    let team_mates = by_group(Measure::TeamMates, &criteria.team_mates);
    if criteria.team_mates_first {
        list.extend(&team_mates);
    }
    list.extend(
        criteria
            .floats
            .iter()
            .map(|border| (Measure::FloatsAcross, Some(border.above), i64::from(border.pairs))),
    );
    let squares = i64::try_from(criteria.float_squares).unwrap_or(i64::MAX);
    list.push((Measure::FloatSquares, None, squares));
    if !criteria.team_mates_first {
        list.extend(&team_mates);
    }
    for (measure, groups) in [
        (Measure::ThirdColour, &criteria.third_colour),
        (Measure::SameColourTwice, &criteria.same_colour_twice),
        (Measure::SameColour, &criteria.same_colour),
        (Measure::RepeatedFloats, &criteria.repeated_floats),
    ] {
        list.extend(by_group(measure, groups));
    }
    list
}

/// The values of a complete, well-formed and legal table.
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
    let free = (0..facts.players.len()).filter(|place| facts.free(*place));
    if free.count() <= TRY_ALL {
        by_trying(facts, &mut values);
    } else {
        bounds::by_counting(facts, byes, &mut values);
    }
    (reached, values)
}

/// The pairs that the director has fixed, by place.
pub(super) fn fixed_pairs(facts: &Facts) -> Vec<(usize, usize)> {
    (0..facts.players.len())
        .filter_map(|a| Some((a, facts.fixed(a)?)))
        .filter(|(a, b)| a < b)
        .collect()
}

/// Every table there is: at most 945 for ten players.
fn by_trying(facts: &Facts, values: &mut [Value]) {
    let mut tables: Vec<Vec<i64>> = Vec::new();
    every_table(facts, &mut |pairs, bye| {
        let criteria = criteria(facts, pairs, bye.as_slice());
        let digits = one_by_one(&criteria).into_iter();
        tables.push(digits.map(|(_, _, value)| value).collect());
    });
    for (k, value) in values.iter_mut().enumerate() {
        value.least = tables.iter().map(|table| table[k]).min().unwrap_or(value.reached);
        value.attained = true;
        tables.retain(|table| table[k] == value.reached);
    }
}

/// Calls back with every legal table: its pairs, and who has the bye when the count is odd.
pub(super) fn every_table(facts: &Facts, done: &mut impl FnMut(&[(usize, usize)], Option<usize>)) {
    fn complete(
        facts: &Facts,
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
            if !facts.legal(first, left[k]) {
                continue;
            }
            let other = left.remove(k);
            pairs.push((first, other));
            complete(facts, left, pairs, bye, done);
            pairs.pop();
            left.insert(k, other);
        }
        if bye.is_none() && left.len().is_multiple_of(2) {
            complete(facts, left, pairs, Some(first), done);
        }
        left.insert(0, first);
    }
    let mut left: Vec<usize> = (0..facts.players.len())
        .filter(|place| facts.free(*place))
        .collect();
    complete(facts, &mut left, &mut fixed_pairs(facts), None, done);
}
