//! The exact search: one matching of the whole field settles what can be reached and who floats;
//! then each group is paired in list order, looking ahead (P7).
//!
//! Why groups can be taken one by one: once it is settled who has the bye and who floats where,
//! no pair in one group changes what is possible in another, and the best table of the field is
//! made of the best table of each group.

use super::cost::{Floaters, GroupCost, GroupPlan, Plan};
use super::field::Field;
use super::matching::{Edge, Matching};
use super::wide::{Weight, Wide};

/// Fields up to this size are searched with every possible pair at once; larger ones start from
/// likely pairs and take in others as long as one could improve the table.
const WHOLE: usize = 260;

/// A pair in the order in which it was made. The player who comes first in list order is `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Made in the second pass: both are owed the same colour.
    pub(super) second_pass: bool,
}

/// The best table: who has the bye, and the pairs of each group from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) bye: Option<usize>,
    pub(super) groups: Vec<Vec<Pair>>,
}

/// The best table of a field. `None` when `repeats` is false and every table has a repeat.
pub(super) fn best(field: &Field, repeats: bool) -> Option<Table> {
    let borders = field.groups.len().saturating_sub(1);
    let mut floaters = vec![Floaters::BySum; borders];
    let mut partners = partners(field, repeats, &floaters)?;
    for (border, floaters) in floaters.iter_mut().enumerate() {
        let crossing = |a: &usize| {
            let b = partners[*a];
            b < field.players.len() && field.group_of[*a] <= border && field.group_of[b] > border
        };
        if (0..field.groups[border].end).filter(crossing).count() > 1 {
            *floaters = Floaters::ByBits;
        }
    }
    if floaters.contains(&Floaters::ByBits) {
        partners = self::partners(field, repeats, &floaters)?;
    }
    let mut lists = vec![Vec::new(); field.groups.len()];
    let mut bye = None;
    for (player, &partner) in partners.iter().enumerate() {
        if partner == field.players.len() {
            bye = Some(player);
        } else {
            lists[field.group_of[player].max(field.group_of[partner])].push(player);
        }
    }
    let groups = lists
        .iter()
        .enumerate()
        .map(|(group, list)| pair_group(field, group, list, repeats))
        .collect();
    Some(Table { bye, groups })
}

/// Every player's partner in a best table with the right bye and floaters; the bye is a partner
/// one past the last player.
fn partners(field: &Field, repeats: bool, floaters: &[Floaters]) -> Option<Vec<usize>> {
    let plan = Plan::of_field(field, repeats, floaters);
    match plan.bits(field.players.len() + 1).div_ceil(64) {
        ..=4 => search::<4>(field, &plan, repeats),
        5..=8 => search::<8>(field, &plan, repeats),
        9..=16 => search::<16>(field, &plan, repeats),
        17..=32 => search::<32>(field, &plan, repeats),
        33..=64 => search::<64>(field, &plan, repeats),
        65..=256 => search::<256>(field, &plan, repeats),
        _ => search::<1024>(field, &plan, repeats),
    }
}

fn search<const N: usize>(field: &Field, plan: &Plan, repeats: bool) -> Option<Vec<usize>> {
    let players = field.players.len();
    let vertices = players + players % 2;
    let legal = |a: usize, b: usize| b == players || repeats || field.met(a, b).times == 0;
    let cost = |a: usize, b: usize| {
        if b == players {
            plan.bye::<N>(field, a)
        } else {
            plan.pair::<N>(field, a, b)
        }
    };
    let mut pairs = if vertices <= WHOLE {
        all_pairs(vertices, legal)
    } else {
        likely_pairs(field, legal)
    };
    let mut whole = vertices <= WHOLE;
    loop {
        let edges = pairs
            .iter()
            .map(|&(a, b)| Edge {
                a,
                b,
                weight: cost(a as usize, b as usize),
            })
            .collect();
        let mut matching = Matching::<Wide<N>>::new(vertices, edges);
        if matching.solve().is_err() {
            if whole {
                return None;
            }
            pairs = all_pairs(vertices, legal);
            whole = true;
            continue;
        }
        let better = if whole {
            Vec::new()
        } else {
            improving_pairs(&matching, vertices, legal, cost)
        };
        if better.is_empty() {
            let partner = |vertex| matching.partner(vertex).expect("every vertex is matched") as usize;
            return Some((0..index(players)).map(partner).collect());
        }
        pairs.extend(better);
        pairs.sort_unstable();
        pairs.dedup();
    }
}

fn index(value: usize) -> u32 {
    u32::try_from(value).expect("fewer players than 2^32")
}

fn all_pairs(vertices: usize, legal: impl Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
    let later = |a| (a + 1..vertices).map(move |b| (a, b));
    (0..vertices)
        .flat_map(later)
        .filter(|&(a, b)| legal(a, b))
        .map(|(a, b)| (index(a), index(b)))
        .collect()
}

/// Pairs that a good table is likely to be made of: near ones in the same group and the next
/// ones, of opposite balance first. A poor guess costs time, never the result.
fn likely_pairs(field: &Field, legal: impl Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
    const GROUPS_DOWN: usize = 3;
    let players = field.players.len();
    let mut pairs = Vec::new();
    for a in 0..players {
        let own = field.group_of[a];
        for (distance, group) in field.groups[own..].iter().take(GROUPS_DOWN).enumerate() {
            let size = group.end - group.start;
            let (opposite, any) = match (distance, size) {
                (_, ..=16) => (size, size),
                (0, _) => (10, 4),
                (1, _) => (6, 2),
                _ => (2, 1),
            };
            let from = if distance == 0 { a - group.start } else { a % size };
            let around = (0..size)
                .map(|step| group.start + (from + step) % size)
                .filter(|&b| b != a && legal(a, b));
            let (mut opposite_left, mut any_left) = (opposite, any);
            for b in around {
                let left = if field.same_colour(a, b) {
                    &mut any_left
                } else {
                    &mut opposite_left
                };
                if *left > 0 {
                    *left -= 1;
                    pairs.push((index(a.min(b)), index(a.max(b))));
                }
                if opposite_left == 0 && any_left == 0 {
                    break;
                }
            }
        }
        if players % 2 == 1 {
            pairs.push((index(a), index(players)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The pairs whose absence could have made the table worse: those with a negative slack, the most
/// negative few of each player. None: the dual values prove the table for every pair.
fn improving_pairs<const N: usize>(
    matching: &Matching<Wide<N>>,
    vertices: usize,
    legal: impl Fn(usize, usize) -> bool,
    cost: impl Fn(usize, usize) -> Wide<N>,
) -> Vec<(u32, u32)> {
    const EACH: usize = 8;
    let proof = matching.proof();
    let mut found = Vec::new();
    for a in 0..vertices {
        let mut mine: Vec<(Wide<N>, usize)> = (a + 1..vertices)
            .filter(|&b| legal(a, b))
            .map(|b| (proof.slack(index(a), index(b), cost(a, b)), b))
            .filter(|(slack, _)| *slack < Wide::ZERO)
            .collect();
        if mine.len() > EACH {
            mine.select_nth_unstable(EACH);
            mine.truncate(EACH);
        }
        found.extend(mine.into_iter().map(|(_, b)| (index(a), index(b))));
    }
    found
}

/// Pairs the players of one group (floaters from above first) by list order: each takes the first
/// later player of another balance with whom the best table is still possible; those left over
/// take the first later one with whom it is.
fn pair_group(field: &Field, group: usize, list: &[usize], repeats: bool) -> Vec<Pair> {
    let mut rest = Rest::of(field, group, list, repeats);
    let mut paired = vec![false; list.len()];
    let mut pairs = Vec::with_capacity(list.len() / 2);
    for second_pass in [false, true] {
        for first in 0..list.len() {
            if paired[first] {
                continue;
            }
            let partner = (first + 1..list.len()).find(|&second| {
                !paired[second]
                    && (second_pass || !field.same_colour(list[first], list[second]))
                    && rest.take_out(first, second)
            });
            if let Some(second) = partner {
                paired[first] = true;
                paired[second] = true;
                pairs.push(Pair {
                    first: list[first],
                    second: list[second],
                    second_pass,
                });
            }
        }
    }
    debug_assert!(
        paired.iter().all(|paired| *paired),
        "the best table is always still possible"
    );
    pairs
}

/// What is left of a group, and whether a pair can be taken out of it without loss.
struct Rest {
    /// Pairs that can be part of a best table.
    tight: Vec<Vec<bool>>,
    kind: RestKind,
}

enum RestKind {
    /// Every perfect matching of the tight pairs is best.
    Plain(Matching<i64>),
    /// Not every one is: each question is a matching of its own.
    Weighted {
        costs: Vec<Vec<Option<GroupCost>>>,
        left: Vec<usize>,
        least: GroupCost,
    },
}

impl Rest {
    fn of(field: &Field, group: usize, list: &[usize], repeats: bool) -> Self {
        let count = list.len();
        let plan = GroupPlan::of(count);
        let start = field.groups[group].start;
        let mut costs: Vec<Vec<Option<GroupCost>>> = vec![vec![None; count]; count];
        for (i, &a) in list.iter().enumerate() {
            for (j, &b) in list.iter().enumerate().skip(i + 1) {
                // Two floaters from above would be a pair of a higher group.
                if b >= start && (repeats || field.met(a, b).times == 0) {
                    let cost = plan.pair(field, a, b);
                    costs[i][j] = Some(cost);
                }
            }
        }
        let left: Vec<usize> = (0..count).collect();
        let matching = match_all(&costs, &left).expect("the table of the field holds one of this group");
        let proof = matching.proof();
        let mut tight = vec![vec![false; count]; count];
        let mut edges = Vec::new();
        for (i, row) in costs.iter().enumerate() {
            for (j, cost) in row.iter().enumerate() {
                let Some(cost) = cost else { continue };
                if proof.slack(index(i), index(j), *cost) == GroupCost::ZERO {
                    tight[i][j] = true;
                    edges.push(Edge {
                        a: index(i),
                        b: index(j),
                        weight: 0,
                    });
                }
            }
        }
        let kind = if matching.has_blossoms() {
            let least = total(&costs, &left, &matching);
            RestKind::Weighted { costs, left, least }
        } else {
            let mut plain = Matching::new(count, edges);
            plain.match_like(|vertex| matching.partner(vertex));
            RestKind::Plain(plain)
        };
        Self { tight, kind }
    }

    /// Takes a pair out if the rest can still reach the best; says whether it could.
    fn take_out(&mut self, first: usize, second: usize) -> bool {
        if !self.tight[first][second] {
            return false;
        }
        match &mut self.kind {
            RestKind::Plain(matching) => matching.take_out(index(first), index(second)),
            RestKind::Weighted { costs, left, least } => {
                let cost = costs[first][second].expect("a tight pair has a cost");
                let others: Vec<usize> = left
                    .iter()
                    .copied()
                    .filter(|k| *k != first && *k != second)
                    .collect();
                let Some(matching) = match_all(costs, &others) else {
                    return false;
                };
                let rest = total(costs, &others, &matching);
                let possible = rest + cost == *least;
                if possible {
                    *left = others;
                    *least = rest;
                }
                possible
            }
        }
    }
}

/// The best matching of some players of a group; vertices are places in `of`.
fn match_all(costs: &[Vec<Option<GroupCost>>], of: &[usize]) -> Option<Matching<GroupCost>> {
    let mut edges = Vec::new();
    for (a, &i) in of.iter().enumerate() {
        for (b, &j) in of.iter().enumerate().skip(a + 1) {
            if let Some(weight) = costs[i][j] {
                edges.push(Edge {
                    a: index(a),
                    b: index(b),
                    weight,
                });
            }
        }
    }
    let mut matching = Matching::new(of.len(), edges);
    matching.solve().ok()?;
    Some(matching)
}

fn total(costs: &[Vec<Option<GroupCost>>], of: &[usize], matching: &Matching<GroupCost>) -> GroupCost {
    let mut sum = GroupCost::ZERO;
    for (a, &i) in of.iter().enumerate() {
        let b = matching.partner(index(a)).expect("every vertex is matched") as usize;
        if a < b {
            sum = sum + costs[i][of[b]].expect("a matched pair has a cost");
        }
    }
    sum
}
