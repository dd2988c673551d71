//! The best table: by counting where that proves it, by an exact search of the field where not.
//!
//! Either way it is settled first who has the bye and who floats where, and what each group can
//! reach at best. Then no pair in one group changes what is possible in another, and each is
//! paired in list order by itself.

use std::ops::Range;

use super::Proof;
use super::cost::{Floaters, Plan, Reached};
use super::counting::{self, Settled};
use super::duals::Duals;
use super::field::Field;
use super::group::{Pair, pair_group};
use super::kernel::{self, Alike, Kernel};
use super::matching::{Edge, Matching};
use super::wide::{Weight, Wide};
use crate::certificate::Whole;
use crate::settings::TeamAvoidance;

/// Fields up to this size are searched with every possible pair at once; larger ones start from
/// likely pairs and take in others as long as one could improve the table.
const WHOLE: usize = 260;

/// How many of each kind of player stay when a large field is searched without the others; where
/// that proves nothing, more. The field has to get so many times smaller to be worth the try.
const KEPT: [usize; 3] = [12, 32, 96];
const SMALLER: usize = 3;

/// Runs something with numbers of so many bits: `N` is then a number of limbs.
macro_rules! with_limbs {
    ($bits:expr, $n:ident => $run:expr) => {{
        macro_rules! with {
            ($limbs:literal) => {{
                const $n: usize = $limbs;
                $run
            }};
        }
        match $bits.div_ceil(64) {
            ..=2 => with!(2),
            3 => with!(3),
            4 => with!(4),
            5..=6 => with!(6),
            7..=8 => with!(8),
            9..=12 => with!(12),
            13..=16 => with!(16),
            17..=24 => with!(24),
            25..=32 => with!(32),
            33..=64 => with!(64),
            65..=256 => with!(256),
            _ => with!(1024),
        }
    }};
}

/// The best table: who has the bye, and the pairs of each group from the top.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) bye: Option<usize>,
    pub(super) groups: Vec<Vec<Pair>>,
    pub(super) proof: Proof,
}

/// The best table of a field. `None` when `repeats` is false and every table has a repeat.
pub(super) fn best(field: &Field, repeats: bool) -> Option<Table> {
    if repeats {
        return searched(field, repeats);
    }
    in_parts(field)
}

/// The best table, part by part.
///
/// Where the number of players above a border is even, nobody need float across it. If nobody
/// does, what is above and what is below have nothing to do with one another, so each can be made
/// the best by itself. A part is closed below only when nothing that is more important gets better
/// by leaving it; when something does, or when there is no table, it is taken together with its
/// neighbour.
fn in_parts(field: &Field) -> Option<Table> {
    let byes = counting::byes(field);
    let bye_group = byes[0].map(|player| field.group_of[player]);
    let fewest_byes = byes[0].map_or(0, |player| field.players[player].byes);
    let mut ends = Vec::new();
    let mut above = 0;
    for (group, span) in field.groups.iter().enumerate() {
        above += span.end - span.start - usize::from(bye_group == Some(group));
        if above.is_multiple_of(2) {
            ends.push(group + 1);
        }
    }
    let mut done: Vec<Part> = Vec::new();
    let (mut start, mut end, mut alone) = (0, 0, true);
    while end < field.groups.len() || start < end {
        if start == end {
            end = *ends.iter().find(|next| **next > end)?;
            alone = true;
        }
        let whole = end - start == field.groups.len();
        let part = Part::of(field, start..end, alone).filter(|part| {
            let bye_is_best = part.bye.is_none_or(|bye| {
                Some(field.group_of[bye]) == bye_group && field.players[bye].byes == fewest_byes
            });
            let apart = field.team_avoidance != TeamAvoidance::Strong || part.teams_apart;
            whole || (bye_is_best && apart)
        });
        alone = false;
        if let Some(part) = part {
            done.push(part);
            start = end;
        } else if let Some(next) = ends.iter().find(|next| **next > end) {
            end = *next;
        } else {
            start = done.pop()?.groups.start;
        }
    }
    let proof = match &done[..] {
        [whole] => whole.proof,
        parts => parts.iter().map(|part| part.proof).max()?,
    };
    Some(Table {
        bye: done.iter().find_map(|part| part.bye),
        groups: done.into_iter().flat_map(|part| part.pairs).collect(),
        proof,
    })
}

/// The best table of some neighbouring groups.
struct Part {
    groups: Range<usize>,
    bye: Option<usize>,
    pairs: Vec<Vec<Pair>>,
    /// Whether P4 reaches nothing but zero.
    teams_apart: bool,
    proof: Proof,
}

impl Part {
    /// `None` when there is no table, or when somebody floats out of the groups. `alone`: their
    /// number is even after each border that nobody need cross.
    fn of(field: &Field, groups: Range<usize>, alone: bool) -> Option<Self> {
        let start = field.groups[groups.start].start;
        let real = groups.len();
        let counted = || counted(&field.part(groups.clone(), false));
        let part = field.part(groups.clone(), true);
        let mut table = alone.then(counted).flatten().or_else(|| exact(&part))?;
        if table.groups.len() > real {
            let outside = &table.groups[real];
            if outside.len() != 1 {
                return None;
            }
            table.groups.truncate(real);
        }
        if table.bye.is_some_and(|bye| bye >= part.groups[real - 1].end) {
            return None;
        }
        let whole = groups.len() == field.groups.len();
        let proof = match table.proof {
            Proof::WholeField if !whole => Proof::PartOfField {
                players: index(part.players.len()),
            },
            proof => proof,
        };
        let in_field = |pair: Pair| Pair {
            first: pair.first + start,
            second: pair.second + start,
            ..pair
        };
        let teams_apart = !table
            .groups
            .iter()
            .flatten()
            .any(|pair| part.unwanted(pair.first, pair.second));
        Some(Self {
            groups,
            bye: table.bye.map(|bye| bye + start),
            pairs: table
                .groups
                .into_iter()
                .map(|pairs| pairs.into_iter().map(in_field).collect())
                .collect(),
            teams_apart,
            proof,
        })
    }
}

/// The best table by an exact search: of a smaller field where that is enough.
fn exact(field: &Field) -> Option<Table> {
    let small =
        |keep| Kernel::of(field, keep).filter(|kernel| kernel.kept.len() * SMALLER <= field.players.len());
    KEPT.into_iter()
        .filter_map(small)
        .find_map(|kernel| reduced(field, kernel))
        .or_else(|| searched(field, false))
}

/// The best table, when it reaches what counting says nobody can better.
fn counted(field: &Field) -> Option<Table> {
    table(field, &counting::settle(field)?, false, Proof::Counting)
}

/// The best table by an exact search of the field without most of those who are alike, when that
/// proves it for all.
fn reduced(field: &Field, kernel: Kernel) -> Option<Table> {
    let mut settled = settle(&kernel.field, false, &kernel.alike)?;
    settled.bye = settled.bye.map(|player| kernel.kept[player]);
    for list in &mut settled.lists {
        for player in list {
            *player = kernel.kept[*player];
        }
    }
    for player in kernel.left_out {
        settled.lists[field.group_of[player]].push(player);
    }
    settled.lists.iter_mut().for_each(|list| list.sort_unstable());
    let proof = Proof::PartOfField {
        players: index(kernel.kept.len()),
    };
    table(field, &settled, false, proof)
}

/// The best table by an exact search of the whole field.
fn searched(field: &Field, repeats: bool) -> Option<Table> {
    let table = table(field, &settle(field, repeats, &[])?, repeats, Proof::WholeField);
    debug_assert!(
        table.is_some(),
        "what the search reached can be reached in list order"
    );
    table
}

/// Who has the bye, who plays where and what each group reaches, by an exact search. `None` when
/// there is no table, or when the proof does not hold for those who are `alike` and not there.
fn settle(field: &Field, repeats: bool, alike: &[Alike]) -> Option<Settled> {
    let borders = field.groups.len().saturating_sub(1);
    let mut floaters = vec![Floaters::BySum; borders];
    let mut partners = partners(field, repeats, &floaters, alike)?;
    // Nobody before the first one who floats here can float in the best table: that would be worse
    // at this border. Where a choice at a higher border changes that, it is seen and done again.
    loop {
        let mut changed = false;
        for (border, floaters) in floaters.iter_mut().enumerate() {
            let crossing = |a: &usize| {
                let b = partners[*a];
                b < field.players.len() && field.group_of[*a] <= border && field.group_of[b] > border
            };
            let mut crossing = (0..field.groups[border].end).filter(crossing);
            let first = crossing.next();
            if let Some(first) = first.filter(|_| crossing.next().is_some()) {
                let told = matches!(*floaters, Floaters::ByBits(from) if from <= first);
                if !told {
                    *floaters = Floaters::ByBits(first);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
        partners = self::partners(field, repeats, &floaters, alike)?;
    }
    let mut settled = Settled::nobody(field);
    for (player, &partner) in partners.iter().enumerate() {
        if partner == field.players.len() {
            settled.bye = Some(player);
            continue;
        }
        let group = field.group_of[player].max(field.group_of[partner]);
        settled.lists[group].push(player);
        if player < partner {
            settled.targets[group].add(&Reached::by(field, player, partner));
        }
    }
    Some(settled)
}

/// Pairs each group in list order. `None` when one cannot reach what was settled for it.
fn table(field: &Field, settled: &Settled, repeats: bool, proof: Proof) -> Option<Table> {
    let groups = (0..field.groups.len())
        .map(|group| {
            pair_group(
                field,
                group,
                &settled.lists[group],
                &settled.targets[group],
                repeats,
            )
        })
        .collect::<Option<_>>()?;
    Some(Table {
        bye: settled.bye,
        groups,
        proof,
    })
}

/// What proves that a best table is best on P1 to P6. `None` when `repeats` is false and every
/// table has a repeat.
pub(super) fn duals(field: &Field, repeats: bool) -> Option<Duals> {
    let plan = Plan::of_field(field, repeats, None);
    with_limbs!(plan.bits(field.players.len() + 1), N => {
        let matching = solved::<N>(field, &plan, repeats)?;
        let proof = matching.proof();
        let vertices = field.players.len() + field.players.len() % 2;
        Some(Duals {
            places: plan.places().to_vec(),
            vertices: (0..vertices).map(|vertex| Whole::from_limbs(proof.dual(vertex).limbs())).collect(),
            sets: proof
                .sets()
                .into_iter()
                .map(|(set, value)| (set, Whole::from_limbs(value.limbs())))
                .collect(),
        })
    })
}

/// Every player's partner in a best table with the right bye and floaters; the bye is a partner
/// one past the last player.
fn partners(field: &Field, repeats: bool, floaters: &[Floaters], alike: &[Alike]) -> Option<Vec<usize>> {
    let plan = Plan::of_field(field, repeats, Some(floaters));
    with_limbs!(plan.bits(field.players.len() + 1), N => search::<N>(field, &plan, repeats, alike))
}

fn search<const N: usize>(field: &Field, plan: &Plan, repeats: bool, alike: &[Alike]) -> Option<Vec<usize>> {
    let matching = solved::<N>(field, plan, repeats)?;
    if !alike.is_empty() && !kernel::proves(field, plan, &matching.proof(), alike) {
        return None;
    }
    let partner = |vertex| matching.partner(vertex).expect("every vertex is matched") as usize;
    Some((0..index(field.players.len())).map(partner).collect())
}

/// A best matching of everybody, proven against every pair.
fn solved<const N: usize>(field: &Field, plan: &Plan, repeats: bool) -> Option<Matching<Wide<N>>> {
    let players = field.players.len();
    let vertices = players + players % 2;
    let legal = |a: usize, b: usize| b == players || field.legal(a, b, repeats);
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
            return Some(matching);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round::Choices;
    use crate::simulate::{Simulation, paired, simulate_requests};

    /// A table without the way that led to it.
    fn pairs(table: Option<Table>) -> Option<(Option<usize>, Vec<Vec<Pair>>)> {
        table.map(|table| (table.bye, table.groups))
    }

    /// How many rounds were compared, and what they showed.
    #[derive(Default)]
    struct Compared {
        rounds: u32,
        counted: u32,
        /// Settled in more than one part, or by a search that is not the whole field's.
        in_parts: u32,
        reduced: u32,
    }

    impl Compared {
        /// Plays out an event and holds every way that claims a proof against the search of the
        /// whole field.
        fn play(&mut self, simulation: &Simulation) {
            simulate_requests(simulation, |stage, request| {
                let field = Field::of(stage, &Choices::default(), request.seed);
                let Some(least) = field.players.len().checked_sub(2) else {
                    return paired(stage, request).ok().map(|pairing| pairing.to_round());
                };
                self.rounds += 1;
                let whole = pairs(searched(&field, false));
                let place = format!("{least}+2 players, round {}, {simulation:?}", stage.next_round());
                let parts = in_parts(&field);
                if parts
                    .as_ref()
                    .is_some_and(|table| table.proof != Proof::WholeField)
                {
                    self.in_parts += 1;
                }
                assert_eq!(pairs(parts), whole, "in parts, {place}");
                if let Some(table) = counted(&field) {
                    self.counted += 1;
                    assert_eq!(pairs(Some(table)), whole, "counted, {place}");
                }
                for keep in [4, 8] {
                    if let Some(table) = Kernel::of(&field, keep).and_then(|kernel| reduced(&field, kernel)) {
                        self.reduced += 1;
                        assert_eq!(pairs(Some(table)), whole, "kept {keep}, {place}");
                    }
                }
                paired(stage, request).ok().map(|pairing| pairing.to_round())
            });
        }
    }

    /// Random events: wherever a way claims a proof, it has the table of the whole search.
    #[test]
    fn what_counting_proves_is_what_the_search_finds() {
        let mut compared = Compared::default();
        for seed in 0..250 {
            let rate = |of: u64, most: u32| u32::try_from((seed / of) % 4).expect("small") * most / 3;
            compared.play(&Simulation {
                withdrawals: rate(1, 50),
                teams: rate(4, 800),
                draws: rate(2, 300),
                byes: rate(8, 60),
                forfeits: rate(3, 60),
                late: rate(5, 100),
                ..Simulation::new(8 + u32::try_from(seed % 90).expect("small"), 7, seed)
            });
        }
        let Compared { rounds, .. } = compared;
        assert!(
            compared.counted * 3 > rounds,
            "counted {} of {rounds}",
            compared.counted
        );
        assert!(
            compared.in_parts * 2 > rounds,
            "in parts {} of {rounds}",
            compared.in_parts
        );
        assert!(
            compared.reduced * 4 > rounds,
            "reduced {} of {rounds}",
            compared.reduced
        );
    }

    /// The kinds that are hard for one way or another: large teams, everything drawn, many rounds
    /// for few players, and every setting there is.
    #[test]
    fn hard_fields_get_the_table_of_the_whole_search() {
        let mut compared = Compared::default();
        for seed in 0..40 {
            let small = u32::try_from(seed).expect("small");
            let mut teams = Simulation {
                teams: 500,
                large_team: 300 + 10 * small,
                draws: 10 * small,
                ..Simulation::new(6 + 2 * small, 6, seed)
            };
            teams.pairing.avoid_team_rounds = 6;
            compared.play(&teams);
            compared.play(&Simulation {
                draws: 1000,
                teams: 400,
                byes: 2 * small,
                ..Simulation::new(4 + small, 9, seed)
            });
            compared.play(&Simulation::new(10 + small, 13, seed));
            compared.play(&Simulation::mixed(2..=60, 2..=9, seed));
        }
        assert!(compared.rounds > 500);
    }

    /// Events with every setting that are too large to try each table of, team avoidance strong in
    /// half of them.
    #[test]
    fn middle_fields_get_the_table_of_the_whole_search() {
        let mut compared = Compared::default();
        for seed in 0..6 {
            let mut simulation = Simulation::mixed(100..=140, 2..=4, seed);
            if seed % 2 == 1 {
                simulation.teams = 600;
                simulation.pairing.avoid_team_rounds = 4;
                simulation.pairing.team_avoidance = TeamAvoidance::Strong;
            }
            compared.play(&simulation);
        }
        assert!(compared.rounds > 10, "{}", compared.rounds);
    }
}
