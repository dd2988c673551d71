//! Verifies that a certificate proves a table best, without any solver.
//!
//! Nothing of the certificate is believed: who is paired, which pairs are legal and what each of them
//! costs is worked out here; the digits must be those of the criteria and wide enough; the values must
//! fit every legal pair; their sum must be what the table costs. Players who are alike are looked at
//! together, from the largest values down, so that ten thousand need no fifty million sums.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use super::values::{criteria, one_by_one};
use super::{choices, free_byes, judge, placed, seats};
use crate::certificate::{Certificate, Digit, Duals, Whole};
use crate::entry::Number;
use crate::measure::Measure;
use crate::result::Side;
use crate::round::Round;
use crate::score::Score;
use crate::settings::ThirdColour;
use crate::stage::Stage;

/// The most bits of a cost: far more than any event needs.
const MOST_BITS: u32 = 1 << 16;
/// From so many players on, a set or a team makes a difference between those who are otherwise alike.
const LARGE: usize = 48;

/// Why a certificate does not prove a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// The table breaks a rule, so that there is nothing to prove.
    #[error("the table itself is not in order: {0}")]
    Table(String),
    /// The digits are not the criteria of this round, in their order.
    #[error("digit {at} of the certificate is {}, and should be {}", digit_words(*found), digit_words(*expected))]
    Digit {
        /// Which one, from 1.
        at: usize,
        /// What it should be; none: there should be no more digits.
        expected: Option<(Measure, Option<Score>)>,
        /// What it is; none: digits are missing.
        found: Option<(Measure, Option<Score>)>,
    },
    /// A digit could overflow into the one before it.
    #[error("the digit of {measure}{} has {width} bits, and {needed} can be needed", measure.place(*group))]
    Narrow {
        /// What is counted.
        measure: Measure,
        /// Where.
        group: Option<Score>,
        /// How many bits it has.
        width: u32,
        /// How many it needs.
        needed: u32,
    },
    /// Two digits share bits, or stand in the wrong order.
    #[error("the digit of {measure}{} ends at bit {end} and runs into the digit before it, which begins at bit {begins}", measure.place(*group))]
    Overlap {
        /// What is counted by the lower one.
        measure: Measure,
        /// Where.
        group: Option<Score>,
        /// The bit after its last one.
        end: u32,
        /// Where the one before it begins.
        begins: u32,
    },
    /// More bits than any event needs.
    #[error("the numbers of the certificate have {bits} bits; at most {MOST_BITS} are read")]
    TooWide {
        /// How many.
        bits: u64,
    },
    /// A value or a set names somebody who is not paired freely in this round.
    #[error("{number} has no part in the proof: not paired in this round, or fixed by the director")]
    Unknown {
        /// Who.
        number: Number,
    },
    /// Somebody has two values, or is twice in one set.
    #[error("{number} is named twice{}", set.map_or_else(String::new, |set| format!(" in set {set}")))]
    Twice {
        /// Who.
        number: Number,
        /// In which set, from 1; none: among the values.
        set: Option<usize>,
    },
    /// Somebody has no value.
    #[error("{number} has no value")]
    Missing {
        /// Who.
        number: Number,
    },
    /// There is a bye and no value for it, or the other way round.
    #[error("{}", if *needed { "one player has the bye, and the bye has no value" } else { "nobody is given the bye, and the certificate has a value or a set for it" })]
    Bye {
        /// Whether there is a bye.
        needed: bool,
    },
    /// A set is not odd: then it bounds nothing.
    #[error("set {set} has {size} members; only odd sets prove something")]
    EvenSet {
        /// Which one, from 1.
        set: usize,
        /// How many it has.
        size: usize,
    },
    /// A set has a value below zero.
    #[error("set {set} has a value below zero")]
    NegativeSet {
        /// Which one, from 1.
        set: usize,
    },
    /// The values of two players who may meet are larger than what they cost.
    #[error("the values of {first} and {second} exceed what the pair costs")]
    Pair {
        /// The smaller number.
        first: Number,
        /// The larger number.
        second: Number,
    },
    /// The values of a player and the bye are larger than what that bye costs.
    #[error("the values of {number} and of the bye exceed what this bye costs")]
    ByeCost {
        /// The player.
        number: Number,
    },
    /// The sum of the values is not what the table costs.
    #[error("the values add up to {} than the table costs; the first difference is in {measure}{}",
        if *less { "less" } else { "more" }, measure.place(*group))]
    Sum {
        /// The first digit that differs.
        measure: Measure,
        /// Where.
        group: Option<Score>,
        /// Whether the values add up to less: then the table may not be the best one.
        less: bool,
    },
    /// A certificate by counting names another least value than counting proves.
    #[error("counting proves at least {proved} {measure}{}, not {claimed}", measure.place(*group))]
    Least {
        /// What is counted.
        measure: Measure,
        /// Where.
        group: Option<Score>,
        /// What the certificate says.
        claimed: i64,
        /// What counting proves.
        proved: i64,
    },
    /// The table does not reach what counting proves.
    #[error("the table has {reached} {measure}{}, and counting proves at least {least} only", measure.place(*group))]
    NotReached {
        /// What is counted.
        measure: Measure,
        /// Where.
        group: Option<Score>,
        /// What the table has.
        reached: i64,
        /// What counting proves.
        least: i64,
    },
}

impl CertificateFault {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Table(_) => "table",
            Self::Digit { .. } => "digit",
            Self::Narrow { .. } => "narrow",
            Self::Overlap { .. } => "overlap",
            Self::TooWide { .. } => "too-wide",
            Self::Unknown { .. } => "unknown-number",
            Self::Twice { .. } => "twice",
            Self::Missing { .. } => "missing",
            Self::Bye { .. } => "bye",
            Self::EvenSet { .. } => "even-set",
            Self::NegativeSet { .. } => "negative-set",
            Self::Pair { .. } => "pair",
            Self::ByeCost { .. } => "bye-cost",
            Self::Sum { .. } => "sum",
            Self::Least { .. } => "least",
            Self::NotReached { .. } => "not-reached",
        }
    }
}

fn digit_words(digit: Option<(Measure, Option<Score>)>) -> String {
    digit.map_or_else(
        || "none".to_owned(),
        |(measure, group)| format!("{measure}{}", measure.place(group)),
    )
}

/// Verifies that a certificate proves a table best on P1 to P6, given the director's choices: no
/// table equals it and none betters it in a criterion before one in which it is worse. `before` and
/// `table` are as for [`judge`].
///
/// # Errors
/// The first thing in it that proves nothing.
pub fn verify(before: &Stage, table: &Round, certificate: &Certificate) -> Result<(), CertificateFault> {
    let facts = Facts::of(before, table);
    let pairs = placed(&facts, table);
    let mut wrong = seats(before, table, &facts);
    wrong.extend(choices(&facts, table, &pairs));
    if let Some(wrong) = wrong.first() {
        return Err(CertificateFault::Table(wrong.to_string()));
    }
    match certificate {
        Certificate::Counting(claimed) => {
            let judged = judge(before, table);
            let mut claims = claimed.iter();
            for (at, value) in (1..).zip(&judged.values) {
                let expected = Some((value.measure, value.group));
                let claim = claims.next();
                let found = claim.map(|claim| (claim.measure, claim.group));
                if found != expected {
                    return Err(CertificateFault::Digit { at, expected, found });
                }
                let (measure, group) = (value.measure, value.group);
                if value.least != value.reached {
                    return Err(CertificateFault::NotReached {
                        measure,
                        group,
                        reached: value.reached,
                        least: value.least,
                    });
                }
                if let Some(claim) = claim.filter(|claim| claim.least != value.least) {
                    return Err(CertificateFault::Least {
                        measure,
                        group,
                        claimed: claim.least,
                        proved: value.least,
                    });
                }
            }
            claims.next().map_or(Ok(()), |more| {
                Err(CertificateFault::Digit {
                    at: claimed.len(),
                    expected: None,
                    found: Some((more.measure, more.group)),
                })
            })
        }
        Certificate::Duals(duals) => {
            let pairs: Vec<(usize, usize)> = pairs
                .iter()
                .map(|(_, a, b)| (*a.min(b), *a.max(b)))
                .filter(|(a, _)| facts.free(*a))
                .collect();
            let byes = free_byes(&facts, table);
            Proof::of(&facts, &pairs, byes.first().copied(), duals)?.holds(&pairs)
        }
    }
}

/// A number of as many limbs as all numbers of a proof, in two's complement, the lowest first.
type Limbs = Vec<u64>;

fn add(to: &mut [u64], value: &[u64]) {
    let mut carry = false;
    for (limb, other) in to.iter_mut().zip(value) {
        let (sum, first) = limb.overflowing_add(*other);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        *limb = sum;
        carry = first | second;
    }
}

fn sum(one: &[u64], other: &[u64]) -> Limbs {
    let mut sum = one.to_vec();
    add(&mut sum, other);
    sum
}

fn negated(value: &[u64]) -> Limbs {
    let mut carry = true;
    let mut limbs = value.to_vec();
    for limb in &mut limbs {
        let (sum, over) = (!*limb).overflowing_add(u64::from(carry));
        *limb = sum;
        carry = over;
    }
    limbs
}

fn compare(one: &[u64], other: &[u64]) -> Ordering {
    let sign = |value: &[u64]| value.last().is_some_and(|limb| limb >> 63 == 1);
    sign(other)
        .cmp(&sign(one))
        .then_with(|| one.iter().rev().cmp(other.iter().rev()))
}

fn add_at(to: &mut [u64], bit: u32, value: u64) {
    let (from, shift) = (bit as usize / 64, bit % 64);
    let low = value << shift;
    let high = if shift == 0 { 0 } else { value >> (64 - shift) };
    let mut carry = 0;
    for (at, limb) in to.iter_mut().enumerate().skip(from) {
        let part = match at - from {
            0 => low,
            1 => high,
            _ if carry == 0 => break,
            _ => 0,
        };
        let (sum, first) = limb.overflowing_add(part);
        let (sum, second) = sum.overflowing_add(carry);
        *limb = sum;
        carry = u64::from(first | second);
    }
}

/// Bits for numbers up to `most`.
fn bits(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

fn widest(values: impl Iterator<Item = usize>) -> usize {
    values.max().unwrap_or(0)
}

/// What the cost of two players depends on, team and earlier meetings apart: large teams only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Alike {
    group: usize,
    owed: i32,
    twice: bool,
    floated_down: bool,
    floated_up: bool,
    streak: Option<Side>,
    team: Option<usize>,
    /// The large sets, ascending.
    sets: Vec<usize>,
}

struct Proof<'a> {
    facts: &'a Facts,
    bye: Option<usize>,
    /// The free players' groups, from the top.
    groups: Vec<Score>,
    /// By place; players who are not free have none.
    group_of: Vec<Option<usize>>,
    digits: BTreeMap<(Measure, Option<usize>), u32>,
    order: Vec<Digit>,
    with_repeats: bool,
    limbs: usize,
    /// By place.
    value: Vec<Limbs>,
    bye_value: Limbs,
    set_value: Vec<Limbs>,
    set_size: Vec<usize>,
    /// By place, the sets, ascending.
    sets: Vec<Vec<usize>>,
    bye_sets: Vec<usize>,
    teams: Vec<Option<usize>>,
}

impl<'a> Proof<'a> {
    fn of(
        facts: &'a Facts,
        pairs: &[(usize, usize)],
        bye: Option<usize>,
        duals: &Duals,
    ) -> Result<Self, CertificateFault> {
        let free: Vec<usize> = (0..facts.players.len())
            .filter(|place| facts.free(*place))
            .collect();
        let mut groups: Vec<Score> = free.iter().map(|place| facts.players[*place].score).collect();
        groups.dedup();
        let mut group_of = vec![None; facts.players.len()];
        for place in &free {
            group_of[*place] = Some(groups.partition_point(|score| *score > facts.players[*place].score));
        }
        let repeats = criteria(facts, pairs, &[]).repeats > 0;
        let with_repeats = repeats
            || duals
                .digits
                .first()
                .is_some_and(|first| first.measure == Measure::Repeats);
        let mut proof = Self {
            facts,
            bye,
            groups,
            group_of,
            digits: BTreeMap::new(),
            order: duals.digits.clone(),
            with_repeats,
            limbs: 0,
            value: Vec::new(),
            bye_value: Vec::new(),
            set_value: Vec::new(),
            set_size: Vec::new(),
            sets: vec![Vec::new(); facts.players.len()],
            bye_sets: Vec::new(),
            teams: Vec::new(),
        };
        proof.read_digits(&free, duals)?;
        proof.read_values(&free, duals)?;
        proof.read_sets(duals)?;
        proof.large_teams(&free);
        Ok(proof)
    }

    /// The digits that the criteria of this round have, the highest first, each with the largest value
    /// that a table can have in it.
    fn expected(&self, free: &[usize]) -> Vec<(Measure, Option<usize>, u64)> {
        let facts = self.facts;
        let count = free.len() as u64;
        let most_pairs = count / 2;
        let mut sizes = vec![0_u64; self.groups.len()];
        for group in free.iter().filter_map(|place| self.group_of[*place]) {
            sizes[group] += 1;
        }
        let by_group = |measure: Measure, each: u64| -> Vec<(Measure, Option<usize>, u64)> {
            let sizes = sizes.iter().enumerate();
            sizes
                .map(|(group, size)| (measure, Some(group), size * each))
                .collect()
        };
        let mut expected = Vec::new();
        if self.with_repeats {
            let times = |a: &usize| facts.opponents(*a).map(|b| facts.meetings(*a, b).times).max();
            let most = u64::from(free.iter().filter_map(times).max().unwrap_or(0));
            expected.extend([
                (Measure::Repeats, None, most_pairs),
                (Measure::RepeatMeetings, None, most_pairs * most),
                (Measure::RepeatsJustBefore, None, most_pairs),
            ]);
        }
        if self.bye.is_some() {
            let so_far = free.iter().map(|place| facts.players[*place].points_without_play);
            expected.push((Measure::ByeSoFar, None, so_far.max().unwrap_or(0).into()));
            expected.push((Measure::ByeScore, None, self.groups.len() as u64 - 1));
        }
        // One by one of no pairs: which measures there are, and their order.
        let counted = one_by_one(&criteria(facts, &[], &[]));
        let mut measures: Vec<Measure> = counted.iter().map(|(measure, ..)| *measure).collect();
        measures.dedup();
        for measure in measures {
            match measure {
                Measure::FloatsAcross => {
                    let mut above = 0;
                    for (group, size) in sizes.iter().enumerate().take(self.groups.len().saturating_sub(1)) {
                        above += size;
                        expected.push((measure, Some(group), above.min(count - above)));
                    }
                }
                Measure::FloatSquares => {
                    let span = self.groups.first().zip(self.groups.last());
                    let span = span.map_or(0, |(top, last)| u64::from((*top - *last).0.unsigned_abs()));
                    expected.push((
                        measure,
                        None,
                        most_pairs.saturating_mul(span).saturating_mul(span),
                    ));
                }
                Measure::RepeatedFloats => expected.extend(by_group(measure, 2)),
                Measure::TeamMates
                | Measure::ThirdColour
                | Measure::SameColourTwice
                | Measure::SameColour => {
                    expected.extend(by_group(measure, 1));
                }
                _ => {}
            }
        }
        expected
    }

    fn read_digits(&mut self, free: &[usize], duals: &Duals) -> Result<(), CertificateFault> {
        let expected = self.expected(free);
        let mut begins = None;
        for at in 0..expected.len().max(duals.digits.len()) {
            let wanted = expected
                .get(at)
                .map(|(measure, group, _)| (*measure, group.map(|group| self.groups[group])));
            let found = duals.digits.get(at).map(|digit| (digit.measure, digit.group));
            let (Some((measure, group, most)), Some(digit)) = (expected.get(at), duals.digits.get(at)) else {
                let at = at + 1;
                return Err(CertificateFault::Digit {
                    at,
                    expected: wanted,
                    found,
                });
            };
            if wanted != found {
                return Err(CertificateFault::Digit {
                    at: at + 1,
                    expected: wanted,
                    found,
                });
            }
            if digit.width < bits(*most) {
                return Err(CertificateFault::Narrow {
                    measure: digit.measure,
                    group: digit.group,
                    width: digit.width,
                    needed: bits(*most),
                });
            }
            let end = u64::from(digit.bit) + u64::from(digit.width);
            if end > u64::from(MOST_BITS) {
                return Err(CertificateFault::TooWide { bits: end });
            }
            let end = digit.bit + digit.width;
            if let Some(begins) = begins.filter(|begins| end > *begins) {
                return Err(CertificateFault::Overlap {
                    measure: digit.measure,
                    group: digit.group,
                    end,
                    begins,
                });
            }
            begins = Some(digit.bit);
            self.digits.insert((*measure, *group), digit.bit);
        }
        Ok(())
    }

    fn read_values(&mut self, free: &[usize], duals: &Duals) -> Result<(), CertificateFault> {
        let top = duals
            .digits
            .first()
            .map_or(0, |digit| (digit.bit + digit.width) as usize);
        let values = duals.players.iter().map(|shared| &shared.value).chain(&duals.bye);
        let values = values.chain(duals.sets.iter().map(|set| &set.value));
        let widest = widest(values.map(|value| value.limbs().len() * 64)).max(top);
        if widest > MOST_BITS as usize {
            return Err(CertificateFault::TooWide { bits: widest as u64 });
        }
        // Room for the sum of all values, each taken as often as there are players.
        let room = bits(free.len() as u64) + bits(duals.sets.len() as u64 + 1) + 4;
        self.limbs = (widest + 2 * room as usize).div_ceil(64);
        let mut value: Vec<Option<Limbs>> = vec![None; self.facts.players.len()];
        for shared in &duals.players {
            let limbs = self.limbs_of(&shared.value);
            for number in &shared.players {
                let place = self.place(*number)?;
                if value[place].replace(limbs.clone()).is_some() {
                    return Err(CertificateFault::Twice {
                        number: *number,
                        set: None,
                    });
                }
            }
        }
        if let Some(place) = free.iter().find(|place| value[**place].is_none()) {
            return Err(CertificateFault::Missing {
                number: self.facts.players[*place].number,
            });
        }
        let zero = vec![0; self.limbs];
        self.value = value
            .into_iter()
            .map(|value| value.unwrap_or_else(|| zero.clone()))
            .collect();
        match (&duals.bye, self.bye) {
            (Some(value), Some(_)) => self.bye_value = self.limbs_of(value),
            (None, None) => {}
            (_, bye) => {
                return Err(CertificateFault::Bye {
                    needed: bye.is_some(),
                });
            }
        }
        Ok(())
    }

    fn read_sets(&mut self, duals: &Duals) -> Result<(), CertificateFault> {
        for (at, set) in duals.sets.iter().enumerate() {
            if set.bye && self.bye.is_none() {
                return Err(CertificateFault::Bye { needed: false });
            }
            let size = set.players.len() + usize::from(set.bye);
            if size % 2 == 0 {
                return Err(CertificateFault::EvenSet { set: at + 1, size });
            }
            if set.value.is_negative() {
                return Err(CertificateFault::NegativeSet { set: at + 1 });
            }
            for number in &set.players {
                let place = self.place(*number)?;
                if self.sets[place].last() == Some(&at) {
                    return Err(CertificateFault::Twice {
                        number: *number,
                        set: Some(at + 1),
                    });
                }
                self.sets[place].push(at);
            }
            if set.bye {
                self.bye_sets.push(at);
            }
            self.set_value.push(self.limbs_of(&set.value));
            self.set_size.push(size);
        }
        Ok(())
    }

    fn large_teams(&mut self, free: &[usize]) {
        let players = &self.facts.players;
        let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for place in free {
            if let Some(team) = &players[*place].team {
                members.entry(team).or_default().push(*place);
            }
        }
        self.teams = vec![None; players.len()];
        let large = members.into_values().filter(|members| members.len() >= LARGE);
        for (team, members) in large.enumerate().filter(|_| self.facts.teams_matter) {
            for place in members {
                self.teams[place] = Some(team);
            }
        }
    }

    fn place(&self, number: Number) -> Result<usize, CertificateFault> {
        let place = self.facts.place(number).filter(|place| self.facts.free(*place));
        place.ok_or(CertificateFault::Unknown { number })
    }

    fn limbs_of(&self, value: &Whole) -> Limbs {
        let mut limbs = value.limbs().to_vec();
        limbs.resize(self.limbs, if value.is_negative() { u64::MAX } else { 0 });
        limbs
    }

    fn put(&self, cost: &mut [u64], measure: Measure, group: Option<usize>, value: u64) {
        if let Some(bit) = self.digits.get(&(measure, group)) {
            add_at(cost, *bit, value);
        }
    }

    fn alike(&self, place: usize) -> Option<Alike> {
        let facts = self.facts;
        let player = &facts.players[place];
        let colours = facts.colours_matter();
        let large = self.sets[place]
            .iter()
            .copied()
            .filter(|set| self.set_size[*set] >= LARGE);
        Some(Alike {
            group: self.group_of[place]?,
            owed: if colours { player.balance.signum() } else { 0 },
            twice: colours && player.balance.abs() >= 2,
            floated_down: player.floated_down && facts.repeated_floats_matter,
            floated_up: player.floated_up && facts.repeated_floats_matter,
            streak: player
                .streak
                .filter(|_| facts.third_colour != ThirdColour::Allowed),
            team: self.teams[place],
            sets: large.collect(),
        })
    }

    /// What two such players cost at least, and the z of the large sets that hold both; `None` when no
    /// table pairs two of them.
    fn least_cost(&self, one: &Alike, other: &Alike) -> Option<Limbs> {
        let facts = self.facts;
        let (high, low) = if one.group <= other.group {
            (one, other)
        } else {
            (other, one)
        };
        let below = Some(low.group);
        let mut cost = vec![0; self.limbs];
        if high.group < low.group {
            for border in high.group..low.group {
                self.put(&mut cost, Measure::FloatsAcross, Some(border), 1);
            }
            let gap = self.groups[high.group] - self.groups[low.group];
            let gap = u64::from(gap.0.unsigned_abs());
            self.put(&mut cost, Measure::FloatSquares, None, gap.saturating_mul(gap));
            let again = u64::from(high.floated_down) + u64::from(low.floated_up);
            self.put(&mut cost, Measure::RepeatedFloats, below, again);
        }
        if one.team.is_some() && one.team == other.team {
            if facts.team_avoidance == crate::settings::TeamAvoidance::Absolute {
                return None;
            }
            self.put(&mut cost, Measure::TeamMates, below, 1);
        }
        if one.streak.is_some() && one.streak == other.streak {
            if facts.third_colour == ThirdColour::Forbidden {
                return None;
            }
            self.put(&mut cost, Measure::ThirdColour, below, 1);
        }
        if one.owed * other.owed > 0 {
            self.put(&mut cost, Measure::SameColour, below, 1);
            if one.twice && other.twice {
                self.put(&mut cost, Measure::SameColourTwice, below, 1);
            }
        }
        for set in one.sets.iter().filter(|set| other.sets.contains(set)) {
            add(&mut cost, &self.set_value[*set]);
        }
        Some(cost)
    }

    /// What a pair costs.
    fn cost(&self, a: usize, b: usize) -> Limbs {
        let facts = self.facts;
        let (a, b) = (a.min(b), a.max(b));
        let (high, low) = (&facts.players[a], &facts.players[b]);
        let mut cost = vec![0; self.limbs];
        let (Some(above), Some(below)) = (self.group_of[a], self.group_of[b]) else {
            return cost;
        };
        let meetings = facts.meetings(a, b);
        if meetings.times > 0 {
            self.put(&mut cost, Measure::Repeats, None, 1);
            self.put(&mut cost, Measure::RepeatMeetings, None, meetings.times.into());
            self.put(
                &mut cost,
                Measure::RepeatsJustBefore,
                None,
                meetings.just_before.into(),
            );
        }
        for border in above..below {
            self.put(&mut cost, Measure::FloatsAcross, Some(border), 1);
        }
        let gap = u64::from((high.score - low.score).0.unsigned_abs());
        self.put(&mut cost, Measure::FloatSquares, None, gap.saturating_mul(gap));
        let below = Some(below);
        if high.score > low.score && facts.repeated_floats_matter {
            let again = u64::from(high.floated_down) + u64::from(low.floated_up);
            self.put(&mut cost, Measure::RepeatedFloats, below, again);
        }
        if facts.avoided(a, b) {
            self.put(&mut cost, Measure::TeamMates, below, 1);
        }
        if facts.third_colour == ThirdColour::Avoided && facts.third_colour(a, b).is_some() {
            self.put(&mut cost, Measure::ThirdColour, below, 1);
        }
        if facts.same_sign(a, b) {
            self.put(&mut cost, Measure::SameColour, below, 1);
            if high.balance.abs() >= 2 && low.balance.abs() >= 2 {
                self.put(&mut cost, Measure::SameColourTwice, below, 1);
            }
        }
        cost
    }

    fn bye_cost(&self, place: usize) -> Limbs {
        let mut cost = vec![0; self.limbs];
        let so_far = self.facts.players[place].points_without_play;
        self.put(&mut cost, Measure::ByeSoFar, None, so_far.into());
        if let Some(group) = self.group_of[place] {
            let below = (self.groups.len() - 1 - group) as u64;
            self.put(&mut cost, Measure::ByeScore, None, below);
        }
        cost
    }

    fn add_shared(&self, cost: &mut [u64], one: &[usize], other: &[usize]) {
        for set in one.iter().filter(|set| other.binary_search(set).is_ok()) {
            add(cost, &self.set_value[*set]);
        }
    }

    fn holds(&self, pairs: &[(usize, usize)]) -> Result<(), CertificateFault> {
        self.fits_every_pair()?;
        if self.bye.is_some() {
            for place in (0..self.value.len()).filter(|place| self.facts.free(*place)) {
                let mut cost = self.bye_cost(place);
                self.add_shared(&mut cost, &self.sets[place], &self.bye_sets);
                if compare(&sum(&self.value[place], &self.bye_value), &cost) == Ordering::Greater {
                    let number = self.facts.players[place].number;
                    return Err(CertificateFault::ByeCost { number });
                }
            }
        }
        self.adds_up(pairs)
    }

    fn fits_every_pair(&self) -> Result<(), CertificateFault> {
        let mut alike: BTreeMap<Alike, Vec<usize>> = BTreeMap::new();
        for place in 0..self.value.len() {
            if self.facts.free(place)
                && let Some(kind) = self.alike(place)
            {
                alike.entry(kind).or_default().push(place);
            }
        }
        for members in alike.values_mut() {
            members.sort_by(|a, b| compare(&self.value[*b], &self.value[*a]));
        }
        let alike: Vec<(Alike, Vec<usize>)> = alike.into_iter().collect();
        let mut wrong: BTreeSet<(Number, Number)> = BTreeSet::new();
        for (at, (kind, members)) in alike.iter().enumerate() {
            for (other_kind, others) in &alike[at..] {
                let Some(least) = self.least_cost(kind, other_kind) else {
                    continue;
                };
                for a in members {
                    let mut none = true;
                    for b in others {
                        let sum = sum(&self.value[*a], &self.value[*b]);
                        // From here on values only get smaller.
                        if compare(&sum, &least) != Ordering::Greater {
                            break;
                        }
                        none = false;
                        if a != b && !self.fits(*a, *b, &sum) {
                            let (one, other) = (self.facts.players[*a].number, self.facts.players[*b].number);
                            wrong.insert((one.min(other), one.max(other)));
                        }
                    }
                    if none {
                        break;
                    }
                }
                if let Some((first, second)) = wrong.pop_first() {
                    return Err(CertificateFault::Pair { first, second });
                }
            }
        }
        Ok(())
    }

    fn fits(&self, a: usize, b: usize, sum: &[u64]) -> bool {
        let excluded = !self.with_repeats && self.facts.meetings(a, b).times > 0;
        if excluded || !self.facts.legal(a, b) {
            return true;
        }
        let mut cost = self.cost(a, b);
        self.add_shared(&mut cost, &self.sets[a], &self.sets[b]);
        compare(sum, &cost) != Ordering::Greater
    }

    fn adds_up(&self, pairs: &[(usize, usize)]) -> Result<(), CertificateFault> {
        let mut difference = vec![0; self.limbs];
        for (a, b) in pairs {
            add(&mut difference, &self.cost(*a, *b));
        }
        if let Some(bye) = self.bye {
            add(&mut difference, &self.bye_cost(bye));
            add(&mut difference, &negated(&self.bye_value));
        }
        for place in (0..self.value.len()).filter(|place| self.facts.free(*place)) {
            add(&mut difference, &negated(&self.value[place]));
        }
        for (value, size) in self.set_value.iter().zip(&self.set_size) {
            // So many times the value, by doubling.
            let (mut times, mut power) = (size / 2, value.clone());
            while times > 0 {
                if times % 2 == 1 {
                    add(&mut difference, &power);
                }
                let double = power.clone();
                add(&mut power, &double);
                times /= 2;
            }
        }
        if difference.iter().all(|limb| *limb == 0) {
            return Ok(());
        }
        let less = difference[self.limbs - 1] >> 63 == 0;
        let size = if less { difference } else { negated(&difference) };
        let mut highest = 0;
        for (at, limb) in (0_u32..).zip(&size).filter(|(_, limb)| **limb != 0) {
            highest = 64 * at + 63 - limb.leading_zeros();
        }
        let digit = self
            .order
            .iter()
            .find(|digit| digit.bit <= highest)
            .or(self.order.last());
        let (measure, group) = digit.map_or((Measure::RepeatedFloats, None), |digit| {
            (digit.measure, digit.group)
        });
        Err(CertificateFault::Sum { measure, group, less })
    }
}
