//! What the engine must find, found in other ways: by trying every table for small fields, by a
//! matching with lexicographic weights for larger ones. Both read section 2 of the pairing
//! specification anew, P7 included; only the facts come from the checker.

use integer_blossom::{Weight, min_weight_perfect_matching};
use tournament::checker::{Facts, criteria};
use tournament::{Board, Criteria, InGroup, PairingOrder, Round};

/// Partner of each player by place; the bye's player has none.
pub type Partners = Vec<Option<usize>>;

/// What remains possible while choices are made: all best tables, minus those ruled out so far.
pub trait Room {
    /// Rules out every pair (or bye, when the second is none) that `out` names, if a best table is
    /// then left; otherwise changes nothing and says so.
    fn rule_out(&mut self, out: &dyn Fn(usize, Option<usize>) -> bool) -> bool;
    /// Some best table that is left.
    fn table(&self) -> &Partners;
}

/// Every best table, listed.
pub struct Listed {
    /// Whom the director leaves to be paired.
    free: Vec<bool>,
    tables: Vec<Partners>,
}

impl Listed {
    /// None when there is no table at all.
    pub fn new(facts: &Facts) -> Option<Self> {
        let mut best: Option<Criteria> = None;
        let mut tables = Vec::new();
        every_table(facts, &mut |partners| {
            let reached = value(facts, partners);
            if best.as_ref().is_none_or(|best| reached < *best) {
                tables.clear();
                best = Some(reached.clone());
            }
            if best.as_ref() == Some(&reached) {
                tables.push(partners.clone());
            }
        });
        let free = (0..facts.players.len()).map(|place| facts.free(place)).collect();
        (!tables.is_empty()).then_some(Self { free, tables })
    }
}

/// Whether a table has a pair or bye that `out` names, of those that are not fixed.
fn named(partners: &Partners, free: &[bool], out: &dyn Fn(usize, Option<usize>) -> bool) -> bool {
    partners
        .iter()
        .enumerate()
        .any(|(a, b)| free[a] && b.is_none_or(|b| a < b) && out(a, *b))
}

impl Room for Listed {
    fn rule_out(&mut self, out: &dyn Fn(usize, Option<usize>) -> bool) -> bool {
        let left: Vec<Partners> = self
            .tables
            .iter()
            .filter(|table| !named(table, &self.free, out))
            .cloned()
            .collect();
        let possible = !left.is_empty();
        if possible {
            self.tables = left;
        }
        possible
    }

    fn table(&self) -> &Partners {
        &self.tables[0]
    }
}

/// Calls back with every table that the rules allow, around what is fixed; one bye when those who
/// are left to be paired are odd.
pub fn every_table(facts: &Facts, done: &mut impl FnMut(&Partners)) {
    fn from(
        facts: &Facts,
        first: usize,
        bye_left: bool,
        partners: &mut Partners,
        seated: u32,
        done: &mut impl FnMut(&Partners),
    ) {
        let n = partners.len();
        let Some(a) = (first..n).find(|a| seated & 1 << a == 0) else {
            done(partners);
            return;
        };
        for b in a + 1..n {
            if seated & 1 << b == 0 && facts.barred(a, b).is_none() {
                partners[a] = Some(b);
                partners[b] = Some(a);
                from(facts, a + 1, bye_left, partners, seated | 1 << a | 1 << b, done);
                partners[a] = None;
                partners[b] = None;
            }
        }
        if bye_left {
            from(facts, a + 1, false, partners, seated | 1 << a, done);
        }
    }
    let mut partners = around(facts);
    let fixed = (0..partners.len()).filter(|place| !facts.free(*place));
    let seated = fixed.map(|place| 1 << place).sum::<u32>();
    let free = partners.len() - seated.count_ones() as usize;
    from(facts, 0, free % 2 == 1, &mut partners, seated, done);
}

/// A table with the fixed pairs and nothing else.
fn around(facts: &Facts) -> Partners {
    (0..facts.players.len()).map(|place| facts.fixed(place)).collect()
}

/// The criteria of a table.
pub fn value(facts: &Facts, partners: &Partners) -> Criteria {
    let mut pairs = Vec::new();
    let mut byes = Vec::new();
    for (a, b) in partners.iter().enumerate() {
        match b {
            Some(b) if a < *b => pairs.push((a, *b)),
            None if facts.free(a) => byes.push(a),
            _ => {}
        }
    }
    criteria(facts, &pairs, &byes)
}

/// A sum of counts, the first word deciding first. An ordered group, so the matching's arithmetic
/// (duals, slacks, halves of even differences) holds word by word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Words<const K: usize>([i64; K]);

impl<const K: usize> std::ops::Add for Words<K> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const K: usize> std::ops::Sub for Words<K> {
    type Output = Self;
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl<const K: usize> std::ops::AddAssign for Words<K> {
    fn add_assign(&mut self, other: Self) {
        for k in 0..K {
            self.0[k] += other.0[k];
        }
    }
}

impl<const K: usize> std::ops::SubAssign for Words<K> {
    fn sub_assign(&mut self, other: Self) {
        for k in 0..K {
            self.0[k] -= other.0[k];
        }
    }
}

impl<const K: usize> Weight for Words<K> {
    const ZERO: Self = Self([0; K]);
    const ONE: Self = {
        let mut words = [0; K];
        words[K - 1] = 1;
        Self(words)
    };
    fn inf() -> Self {
        let mut words = [0; K];
        words[0] = i64::MAX / 4;
        Self(words)
    }
    fn double(self) -> Self {
        self + self
    }
    fn half(mut self) -> Self {
        for word in &mut self.0 {
            assert!(*word % 2 == 0, "only even differences are halved");
            *word /= 2;
        }
        self
    }
}

/// Words a field needs; see [`cost`].
fn words_needed(groups: usize) -> usize {
    7 + groups.saturating_sub(1).div_ceil(COUNTS) + 5 * groups.div_ceil(COUNTS)
}

/// Counts to a word, and the bits of each: no count of a table of up to 1000 players reaches 2047.
const COUNTS: usize = 4;
const BITS: usize = 11;

/// What one pair (or bye) adds to the criteria. Word 0 is kept for what is ruled out.
fn cost<const K: usize>(facts: &Facts, a: usize, b: Option<usize>) -> Words<K> {
    let one = match b {
        Some(b) => criteria(facts, &[(a, b)], &[]),
        None => criteria(facts, &[], &[a]),
    };
    let mut words = [0i64; K];
    words[1] = i64::from(one.repeats);
    words[2] = i64::from(one.repeat_meetings);
    words[3] = i64::from(one.repeats_just_before);
    words[4] = i64::from(one.bye_so_far);
    words[5] = i64::from(one.bye_score.0);
    let mut at = 6;
    let mut pack = |counts: Vec<u32>| {
        for word in counts.chunks(COUNTS) {
            for (k, count) in word.iter().enumerate() {
                words[at] |= i64::from(*count) << (BITS * (COUNTS - 1 - k));
            }
            at += 1;
        }
        at
    };
    let counts = |groups: &[InGroup]| groups.iter().map(|in_group| in_group.count).collect::<Vec<u32>>();
    if one.team_mates_first {
        pack(counts(&one.team_mates));
    }
    pack(one.floats.iter().map(|border| border.pairs).collect());
    let squares = pack(vec![0]) - 1;
    if !one.team_mates_first {
        pack(counts(&one.team_mates));
    }
    for groups in [
        &one.third_colour,
        &one.same_colour_twice,
        &one.same_colour,
        &one.repeated_floats,
    ] {
        pack(counts(groups));
    }
    words[squares] = i64::try_from(one.float_squares).expect("a small square");
    Words(words)
}

/// The best tables as the optimum of a matching: one of them, and a way to look for others.
/// Vertices are places among those who are left to be paired, and one more for the bye when they
/// are odd.
pub struct Matched<const K: usize> {
    n: usize,
    /// Their places in the field.
    who: Vec<usize>,
    free: Vec<bool>,
    around: Partners,
    cost: Vec<Words<K>>,
    ruled_out: Vec<bool>,
    best: Words<K>,
    table: Partners,
}

impl<const K: usize> Matched<K> {
    /// None when there is no table at all.
    pub fn new(facts: &Facts) -> Option<Self> {
        let free: Vec<bool> = (0..facts.players.len()).map(|place| facts.free(place)).collect();
        let who: Vec<usize> = (0..free.len()).filter(|place| free[*place]).collect();
        let n = who.len() + who.len() % 2;
        let mut costs = vec![Words::ZERO; n * n];
        let mut ruled_out = vec![false; n * n];
        for a in 0..who.len() {
            for b in a + 1..n {
                costs[a * n + b] = cost(facts, who[a], who.get(b).copied());
                ruled_out[a * n + b] = who.get(b).is_some_and(|b| facts.barred(who[a], *b).is_some());
            }
        }
        let mut room = Self {
            n,
            who,
            free,
            around: around(facts),
            cost: costs,
            ruled_out,
            best: Words::ZERO,
            table: Vec::new(),
        };
        let (best, table) = room.solve(&room.ruled_out);
        room.best = best;
        room.table = table;
        (best.0[0] == 0).then_some(room)
    }

    /// The matching over what is not settled: a player with one partner left needs no search.
    fn solve(&self, ruled_out: &[bool]) -> (Words<K>, Partners) {
        let n = self.n;
        let open = |a: usize, b: usize| !ruled_out[a.min(b) * n + a.max(b)];
        let mut mates: Vec<Option<usize>> = vec![None; n];
        for a in 0..n {
            let left: Vec<usize> = (0..n).filter(|b| *b != a && open(a, *b)).take(2).collect();
            if let [b] = left[..]
                && mates[a].is_none()
                && mates[b].is_none()
            {
                mates[a] = Some(b);
                mates[b] = Some(a);
            }
        }
        let rest: Vec<usize> = (0..n).filter(|a| mates[*a].is_none()).collect();
        let m = rest.len();
        let mut small = vec![Words::ZERO; m * m];
        for i in 0..m {
            for j in i + 1..m {
                let mut weight = self.cost[rest[i] * n + rest[j]];
                weight.0[0] = i64::from(!open(rest[i], rest[j]));
                small[i * m + j] = weight;
            }
        }
        for (i, j) in min_weight_perfect_matching(&small, m).into_iter().enumerate() {
            mates[rest[i]] = Some(rest[j]);
        }
        let mut sum = Words::ZERO;
        let mut table = self.around.clone();
        for (a, b) in mates.iter().enumerate() {
            let b = b.expect("a perfect matching");
            if a < b {
                sum += self.cost[a * n + b];
                sum.0[0] += i64::from(!open(a, b));
            }
            if let (Some(a), Some(b)) = (self.who.get(a), self.who.get(b)) {
                table[*a] = Some(*b);
            }
        }
        (sum, table)
    }
}

impl<const K: usize> Room for Matched<K> {
    fn rule_out(&mut self, out: &dyn Fn(usize, Option<usize>) -> bool) -> bool {
        let mut ruled_out = self.ruled_out.clone();
        for a in 0..self.who.len() {
            for b in a + 1..self.n {
                if out(self.who[a], self.who.get(b).copied()) {
                    ruled_out[a * self.n + b] = true;
                }
            }
        }
        if !named(&self.table, &self.free, out) {
            self.ruled_out = ruled_out;
            return true;
        }
        let (best, table) = self.solve(&ruled_out);
        let possible = best == self.best;
        if possible {
            self.ruled_out = ruled_out;
            self.table = table;
        }
        possible
    }

    fn table(&self) -> &Partners {
        &self.table
    }
}

fn boxed<R: Room + 'static>(room: R) -> Box<dyn Room> {
    Box::new(room)
}

/// The room of a field of up to 1000 players; none when there is no table at all.
pub fn room(facts: &Facts) -> Option<Box<dyn Room>> {
    match words_needed(facts.groups().len()) {
        ..=16 => Matched::<16>::new(facts).map(boxed),
        17..=32 => Matched::<32>::new(facts).map(boxed),
        _ => Matched::<80>::new(facts).map(boxed),
    }
}

/// The same by trying every table: for small fields.
pub fn listed(facts: &Facts) -> Option<Box<dyn Room>> {
    Listed::new(facts).map(boxed)
}

/// The best values of P1 to P6; none when there is no table at all.
pub fn optimum(facts: &Facts) -> Option<Criteria> {
    room(facts).map(|room| value(facts, room.table()))
}

/// The places of those who can be a partner of the first of a list, in the order in which he or she
/// prefers them (section 3): the first later one, the last one, or the first of the lower half, the
/// others of the lower half, then the upper half upwards.
fn preferred(order: PairingOrder, later: &[usize]) -> Vec<usize> {
    let all = later.iter().copied();
    match order {
        PairingOrder::Classic | PairingOrder::Random => all.collect(),
        PairingOrder::Slide => all.rev().collect(),
        PairingOrder::Fold => {
            // Of 1 and the later ones, 2m or 2m + 1 players, the first m are the upper half.
            let half = later.len().div_ceil(2);
            let (upper, lower) = later.split_at(half.saturating_sub(1));
            lower.iter().chain(upper.iter().rev()).copied().collect()
        }
    }
}

/// The one table that P7 leaves, boards in order, colours assigned, asked and chosen byes included.
pub fn by_the_book(facts: &Facts, order: PairingOrder, room: &mut dyn Room) -> Round {
    let players = &facts.players;
    let n = players.len();
    let mut round = Round {
        round: facts.round,
        ..Round::default()
    };
    // 1. The bye goes to the last in list order for whom it is allowed.
    let mut bye = None;
    let free: Vec<usize> = (0..n).filter(|p| facts.free(*p)).collect();
    if free.len() % 2 == 1 {
        bye = free.iter().copied().rev().find(|p| {
            room.rule_out(&|a, b| (a == *p) != b.is_none() && (a == *p || b.is_none() || b == Some(*p)))
        });
    }
    round.byes.extend(bye.map(|p| players[p].number));
    round
        .byes
        .extend(facts.byes_asked.iter().chain(&facts.byes_chosen));
    round.byes.sort_unstable();
    // 2. Group by group from the top.
    let mut floaters: Vec<usize> = Vec::new();
    for group in facts.groups() {
        let members = free
            .iter()
            .copied()
            .filter(|p| players[*p].score == group && bye != Some(*p));
        let list: Vec<usize> = floaters.drain(..).chain(members).collect();
        // a. Who stays.
        let mut stay = Vec::new();
        for p in &list {
            let stays = room.rule_out(&|a, b| {
                b.is_some_and(|b| (a == *p && !list.contains(&b)) || (b == *p && !list.contains(&a)))
            });
            if stays {
                stay.push(*p);
            } else {
                floaters.push(*p);
            }
        }
        // b. First pass: partners who are not owed the same colour. c. Second pass: anybody.
        let mut made: Vec<(usize, usize, bool)> = Vec::new();
        let mut open = stay;
        for second_pass in [false, true] {
            let mut aside = Vec::new();
            while !open.is_empty() {
                let first = open.remove(0);
                let partner = preferred(order, &open).into_iter().find(|second| {
                    (second_pass || !facts.same_sign(first, *second))
                        && room.rule_out(&|a, b| {
                            (a == first || b == Some(first)) && !is_pair(a, b, first, *second)
                        })
                });
                match partner {
                    Some(second) => {
                        open.retain(|p| *p != second);
                        made.push((first, second, second_pass));
                    }
                    None => aside.push(first),
                }
            }
            open = aside;
        }
        assert!(open.is_empty(), "everybody who stays finds a partner: {open:?}");
        // A pair that is fixed takes its place on the list as any pair.
        for first in 0..n {
            let second = facts.fixed(first).filter(|second| first < *second);
            made.extend(
                second
                    .filter(|second| players[*second].score == group)
                    .map(|second| (first, second, facts.same_sign(first, second))),
            );
        }
        // A float heads its lower group; opposite balances come before equal ones.
        made.sort_by_key(|(first, _, second_pass)| (players[*first].score == group, *second_pass, *first));
        for (first, second, _) in made {
            let nigiri = facts.black_by_rule(first, second).is_none();
            let black = facts.black_by_rule(first, second).unwrap_or(first);
            let white = if black == first { second } else { first };
            let board = u32::try_from(round.boards.len() + 1).expect("few boards");
            round.boards.push(Board {
                nigiri,
                ..Board::new(board, players[black].number, players[white].number)
            });
        }
    }
    assert!(
        floaters.is_empty(),
        "nobody floats out of the last group: {floaters:?}"
    );
    round
}

fn is_pair(a: usize, b: Option<usize>, first: usize, second: usize) -> bool {
    b.is_some_and(|b| (a.min(b), a.max(b)) == (first.min(second), first.max(second)))
}
