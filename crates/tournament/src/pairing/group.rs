//! One group in list order (P7): each player takes the first later one, in the order the settings
//! prefer, with whom the best is still possible.
//!
//! What the group can reach at best is known. A plain walk that never takes more than that, and
//! comes to its end, is right: what it passed over would have made the table worse. Where it gets
//! stuck, its last choices are taken back until the rest can be paired, and from there on every
//! choice is made with an exact look ahead.

use std::collections::BTreeMap;

use super::cost::{GroupCost, GroupPlan, Reached};
use super::field::{Field, Player};
use super::matching::{Edge, Matching};
use super::wide::Weight;
use crate::settings::PairingOrder;

/// A pair in the order in which it was made. The player who comes first in list order is `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Made in the second pass: both are owed the same colour.
    pub(super) second_pass: bool,
}

/// Pairs the players of one group (in list order, floaters from above first) so that they reach
/// `target` exactly. `None` when that is impossible; `target` must be no worse than the best.
pub(super) fn pair_group(
    field: &Field,
    group: usize,
    list: &[usize],
    target: &Reached,
    repeats: bool,
) -> Option<Vec<Pair>> {
    let walk = Walk {
        field,
        start: field.groups[group].start,
        list,
        repeats,
    };
    let mut steps = walk.plain(*target);
    if steps.len() * 2 == list.len() {
        return Some(walk.pairs(&steps));
    }
    let mut back = 2;
    loop {
        steps.truncate(steps.len().saturating_sub(back));
        if let Some(rest) = walk.exact(&steps, *target) {
            steps.extend(rest);
            return Some(walk.pairs(&steps));
        }
        if steps.is_empty() {
            return None;
        }
        back *= 2;
    }
}

/// A pair as places in the list, and what is left to reach after it.
#[derive(Clone, Copy)]
struct Step {
    first: usize,
    second: usize,
    second_pass: bool,
    left: Reached,
}

/// Where somebody stands who is owed no colour, counting from those owed White.
const EVEN: usize = 1;

/// The places of a list that are not paired yet.
struct Unpaired {
    /// The open places before and after each; the end of the list is one past its last place and
    /// leads on to the first one.
    before: Vec<usize>,
    after: Vec<usize>,
    order: PairingOrder,
    /// How many there are, and, where the order asks for the one in the middle, sums of them over
    /// spans that end at each place (a Fenwick tree, from place 1).
    count: usize,
    sums: Vec<usize>,
}

impl Unpaired {
    fn of(paired: &[bool], order: PairingOrder) -> Self {
        let end = paired.len();
        let mut open = Self {
            before: vec![end; end + 1],
            after: vec![end; end + 1],
            order,
            count: 0,
            sums: Vec::new(),
        };
        let mut last = end;
        for place in (0..end).filter(|place| !paired[*place]) {
            open.after[last] = place;
            open.before[place] = last;
            open.count += 1;
            last = place;
        }
        open.before[end] = last;
        if order == PairingOrder::Fold {
            open.sums = vec![0; end + 1];
            for at in 1..=end {
                open.sums[at] += usize::from(!paired[at - 1]);
                let above = at + (at & at.wrapping_neg());
                if above <= end {
                    open.sums[above] += open.sums[at];
                }
            }
        }
        open
    }

    fn end(&self) -> usize {
        self.after.len() - 1
    }

    /// The next open place after an open one.
    fn after(&self, place: usize) -> Option<usize> {
        Some(self.after[place]).filter(|next| *next != self.end())
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.after(self.end()), |place| self.after(*place))
    }

    fn close(&mut self, place: usize) {
        let (before, after) = (self.before[place], self.after[place]);
        self.after[before] = after;
        self.before[after] = before;
        self.count -= 1;
        let mut at = place + 1;
        while at < self.sums.len() {
            self.sums[at] -= 1;
            at += at & at.wrapping_neg();
        }
    }

    /// The open places after an open one, the preferred partner first: of the m places from this
    /// one on, U[0] to U[m−1], classic and random take U[1], U[2] …; slide U[m−1], U[m−2] …; fold
    /// U[m/2], U[m/2+1] … and then U[m/2−1], U[m/2−2] ….
    fn partners(&self, first: usize) -> impl Iterator<Item = usize> {
        let (up, down) = match self.order {
            PairingOrder::Classic | PairingOrder::Random => (self.after[first], first),
            PairingOrder::Slide => (self.end(), self.before[self.end()]),
            PairingOrder::Fold => {
                let middle = self.middle_from(first);
                (middle, self.before[middle])
            }
        };
        let up = std::iter::successors(Some(up), |place| Some(self.after[*place]));
        let down = std::iter::successors(Some(down), |place| Some(self.before[*place]));
        up.take_while(|place| *place != self.end())
            .chain(down.take_while(move |place| *place != first))
    }

    /// U[m/2] of the open places from this one on; the end when there is no other.
    fn middle_from(&self, first: usize) -> usize {
        let mut earlier = 0;
        let mut at = first;
        while at > 0 {
            earlier += self.sums[at];
            at &= at - 1;
        }
        // The last place with at most so many open ones before it.
        let mut before = earlier + (self.count - earlier) / 2;
        let mut at = 0;
        let mut step = self.sums.len().next_power_of_two() / 2;
        while step > 0 {
            if at + step < self.sums.len() && self.sums[at + step] <= before {
                at += step;
                before -= self.sums[at];
            }
            step /= 2;
        }
        at
    }
}

struct Walk<'a> {
    field: &'a Field,
    /// The first player of the group itself; those before it in list order are floaters.
    start: usize,
    list: &'a [usize],
    repeats: bool,
}

impl Walk<'_> {
    /// Two floaters from above would be a pair of a higher group.
    fn legal(&self, first: usize, second: usize) -> bool {
        let (a, b) = (self.list[first], self.list[second]);
        b >= self.start && self.field.legal(a, b, self.repeats)
    }

    fn opposite(&self, first: usize, second: usize) -> bool {
        !self.field.same_colour(self.list[first], self.list[second])
    }

    fn reached(&self, first: usize, second: usize) -> Reached {
        Reached::by(self.field, self.list[first], self.list[second])
    }

    fn pairs(&self, steps: &[Step]) -> Vec<Pair> {
        let pair = |step: &Step| Pair {
            first: self.list[step.first],
            second: self.list[step.second],
            second_pass: step.second_pass,
        };
        steps.iter().map(pair).collect()
    }

    /// Both passes of P7 with a test of each pair; pairs whatever can be paired.
    fn passes(&self, paired: &[bool], mut take: impl FnMut(usize, usize) -> Option<Reached>) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut open = Unpaired::of(paired, self.field.order);
        let owed = |place: usize| usize::try_from(self.field.owed(self.list[place]) + 1).unwrap_or(EVEN);
        for second_pass in [false, true] {
            // By the colour owed, how many there are after the one whose turn it is.
            let mut later = [0_usize; 3];
            open.all().for_each(|place| later[owed(place)] += 1);
            let mut turn = open.all().next();
            while let Some(first) = turn {
                let mine = owed(first);
                later[mine] -= 1;
                let alike = if second_pass || mine == EVEN {
                    0
                } else {
                    later[mine]
                };
                let fits = |second: &usize| second_pass || self.opposite(first, *second);
                let found = if later.iter().sum::<usize>() > alike {
                    let mut partners = open.partners(first).filter(fits);
                    partners.find_map(|second| Some((second, take(first, second)?)))
                } else {
                    None
                };
                if let Some((second, left)) = found {
                    later[owed(second)] -= 1;
                    open.close(second);
                    turn = open.after(first);
                    open.close(first);
                    steps.push(Step {
                        first,
                        second,
                        second_pass,
                        left,
                    });
                } else {
                    turn = open.after(first);
                }
            }
        }
        steps
    }

    /// The walk that looks ahead by counting only.
    fn plain(&self, target: Reached) -> Vec<Step> {
        let mut left = target;
        let mut open = Open::of(self);
        self.passes(&vec![false; self.list.len()], |first, second| {
            if !self.legal(first, second) {
                return None;
            }
            let rest = left.less(&self.reached(first, second))?;
            open.take(self.list[first], self.list[second], &rest)
                .then(|| left = rest)?;
            Some(left)
        })
    }

    /// The rest after some steps, looking ahead. `None` when it cannot reach what is left.
    fn exact(&self, done: &[Step], target: Reached) -> Option<Vec<Step>> {
        let mut paired = vec![false; self.list.len()];
        for step in done {
            paired[step.first] = true;
            paired[step.second] = true;
        }
        let left = done.last().map_or(target, |step| step.left);
        let mut rest = Rest::of(self, &paired, left)?;
        let steps = self.passes(&paired, |first, second| {
            rest.take_out(first, second).then_some(left)
        });
        debug_assert_eq!(
            (done.len() + steps.len()) * 2,
            self.list.len(),
            "the best stays possible"
        );
        Some(steps)
    }
}

/// Those who are not paired yet, counted by what can stand in the way of the rest: colours owed,
/// and the largest teams.
struct Open<'a> {
    field: &'a Field,
    count: usize,
    /// By the colour owed; of them, those who are owed it by one game.
    owed: [usize; 3],
    once: [usize; 3],
    /// Teams with many members in the group, by the colour owed.
    teams: Vec<(usize, [usize; 3])>,
}

impl<'a> Open<'a> {
    /// Smaller teams get by without being counted.
    const LARGE: usize = 6;

    fn of(walk: &Walk<'a>) -> Self {
        let field = walk.field;
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        if field.teams_apart {
            for team in walk.list.iter().filter_map(|player| field.players[*player].team) {
                *sizes.entry(team).or_default() += 1;
            }
        }
        let large = |&(_, size): &(usize, usize)| size * Self::LARGE > walk.list.len();
        let mut open = Self {
            field,
            count: walk.list.len(),
            owed: [0; 3],
            once: [0; 3],
            teams: sizes
                .into_iter()
                .filter(large)
                .map(|(team, _)| (team, [0; 3]))
                .collect(),
        };
        for &player in walk.list {
            open.change(player, |count| *count += 1);
        }
        open
    }

    fn change(&mut self, player: usize, by: impl Fn(&mut usize)) {
        let Player { balance, team, .. } = self.field.players[player];
        let place = if self.field.same_colour(player, player) {
            usize::from(balance > 0) * 2
        } else {
            1
        };
        by(&mut self.owed[place]);
        if balance.abs() < 2 {
            by(&mut self.once[place]);
        }
        if let Some((_, owed)) = self.teams.iter_mut().find(|(large, _)| Some(*large) == team) {
            by(&mut owed[place]);
        }
    }

    /// Takes a pair out, unless counting shows that the others cannot reach what is left then.
    fn take(&mut self, first: usize, second: usize, left: &Reached) -> bool {
        for player in [first, second] {
            self.change(player, |count| *count -= 1);
        }
        self.count -= 2;
        let possible = self.possible(left);
        if !possible {
            for player in [first, second] {
                self.change(player, |count| *count += 1);
            }
            self.count += 2;
        }
        possible
    }

    fn possible(&self, left: &Reached) -> bool {
        let [teams, twice, same] = [left.teams, left.twice, left.same].map(|digit| digit as usize);
        // Of a set, so many cannot meet somebody outside it.
        let colours = [0, 2].into_iter().all(|colour| {
            let pairs = (2 * self.owed[colour]).saturating_sub(self.count).div_ceil(2);
            pairs <= same && pairs.saturating_sub(self.once[colour]) <= twice
        });
        colours
            && self.teams.iter().all(|(_, team)| {
                let size: usize = team.iter().sum();
                (2 * size).saturating_sub(self.count) <= 2 * teams
                    && [0, 2].into_iter().all(|colour| {
                        let others = (self.count - self.owed[colour]) - (size - team[colour]);
                        team[colour].saturating_sub(others) <= teams + same
                    })
            })
    }
}

/// What is left of a group, and whether a pair can be taken out of it without loss.
struct Rest {
    /// The vertex of each place in the list that is open.
    vertex: Vec<usize>,
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
    /// What is not paired yet, if it can reach `left` exactly. Vertices are places in the list.
    fn of(walk: &Walk<'_>, paired: &[bool], left: Reached) -> Option<Self> {
        let open: Vec<usize> = (0..paired.len()).filter(|place| !paired[*place]).collect();
        let count = open.len();
        let plan = GroupPlan::of(count);
        let mut costs: Vec<Vec<Option<GroupCost>>> = vec![vec![None; count]; count];
        for (i, &first) in open.iter().enumerate() {
            for (j, &second) in open.iter().enumerate().skip(i + 1) {
                if walk.legal(first, second) {
                    costs[i][j] = Some(plan.pair(walk.field, walk.list[first], walk.list[second]));
                }
            }
        }
        let everyone: Vec<usize> = (0..count).collect();
        let matching = match_all(&costs, &everyone)?;
        let mut reached = Reached::default();
        for (i, &first) in open.iter().enumerate() {
            let j = matching.partner(index(i)).expect("every vertex is matched") as usize;
            if i < j {
                reached.add(&walk.reached(first, open[j]));
            }
        }
        if reached != left {
            return None;
        }
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
            let least = total(&costs, &everyone, &matching);
            RestKind::Weighted {
                costs,
                left: everyone,
                least,
            }
        } else {
            let mut plain = Matching::new(count, edges);
            plain.match_like(|vertex| matching.partner(vertex));
            RestKind::Plain(plain)
        };
        let mut vertex = vec![usize::MAX; paired.len()];
        for (v, &place) in open.iter().enumerate() {
            vertex[place] = v;
        }
        Some(Self { vertex, tight, kind })
    }

    /// Takes a pair out if the rest can still reach the best; says whether it could.
    fn take_out(&mut self, first: usize, second: usize) -> bool {
        let (first, second) = (self.vertex[first], self.vertex[second]);
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

fn index(value: usize) -> u32 {
    u32::try_from(value).expect("fewer players than 2^32")
}
