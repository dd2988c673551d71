//! What the engine must find, found in other ways: by trying every table for small fields, by a
//! matching with lexicographic weights for larger ones. Both read section 2 of the pairing
//! specification anew, P7 included; only the facts come from the checker.

use integer_blossom::{Weight, min_weight_perfect_matching};
use tournament::checker::{Facts, criteria};
use tournament::{Board, Criteria, Round};

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
pub struct Listed(Vec<Partners>);

impl Listed {
    pub fn new(facts: &Facts) -> Self {
        let mut best: Option<Criteria> = None;
        let mut tables = Vec::new();
        every_table(facts.players.len(), &mut |partners| {
            let reached = value(facts, partners);
            if best.as_ref().is_none_or(|best| reached < *best) {
                tables.clear();
                best = Some(reached.clone());
            }
            if best.as_ref() == Some(&reached) {
                tables.push(partners.clone());
            }
        });
        Self(tables)
    }
}

fn named(partners: &Partners, out: &dyn Fn(usize, Option<usize>) -> bool) -> bool {
    partners
        .iter()
        .enumerate()
        .any(|(a, b)| b.is_none_or(|b| a < b) && out(a, *b))
}

impl Room for Listed {
    fn rule_out(&mut self, out: &dyn Fn(usize, Option<usize>) -> bool) -> bool {
        let left: Vec<Partners> = self
            .0
            .iter()
            .filter(|table| !named(table, out))
            .cloned()
            .collect();
        let possible = !left.is_empty();
        if possible {
            self.0 = left;
        }
        possible
    }

    fn table(&self) -> &Partners {
        &self.0[0]
    }
}

/// Calls back with every table of `n` players, one bye when `n` is odd.
pub fn every_table(n: usize, done: &mut impl FnMut(&Partners)) {
    fn from(
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
            if seated & 1 << b == 0 {
                partners[a] = Some(b);
                partners[b] = Some(a);
                from(a + 1, bye_left, partners, seated | 1 << a | 1 << b, done);
                partners[a] = None;
                partners[b] = None;
            }
        }
        if bye_left {
            from(a + 1, false, partners, seated | 1 << a, done);
        }
    }
    from(0, n % 2 == 1, &mut vec![None; n], 0, done);
}

/// The criteria of a table.
pub fn value(facts: &Facts, partners: &Partners) -> Criteria {
    let mut pairs = Vec::new();
    let mut byes = Vec::new();
    for (a, b) in partners.iter().enumerate() {
        match b {
            Some(b) if a < *b => pairs.push((a, *b)),
            Some(_) => {}
            None => byes.push(a),
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
    7 + groups.saturating_sub(1).div_ceil(COUNTS) + 4 * groups.div_ceil(COUNTS)
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
    pack(one.floats.iter().map(|border| border.pairs).collect());
    let squares = pack(vec![0]) - 1;
    for groups in [
        &one.team_mates,
        &one.same_colour_twice,
        &one.same_colour,
        &one.repeated_floats,
    ] {
        pack(groups.iter().map(|in_group| in_group.count).collect());
    }
    words[squares] = i64::try_from(one.float_squares).expect("a small square");
    Words(words)
}

/// The best tables as the optimum of a matching: one of them, and a way to look for others.
pub struct Matched<const K: usize> {
    /// One more than the players when their count is odd: the bye's side.
    n: usize,
    players: usize,
    cost: Vec<Words<K>>,
    ruled_out: Vec<bool>,
    best: Words<K>,
    table: Partners,
}

impl<const K: usize> Matched<K> {
    pub fn new(facts: &Facts) -> Self {
        let players = facts.players.len();
        let n = players + players % 2;
        let mut costs = vec![Words::ZERO; n * n];
        for a in 0..players {
            for b in a + 1..n {
                costs[a * n + b] = cost(facts, a, (b < players).then_some(b));
            }
        }
        let mut room = Self {
            n,
            players,
            cost: costs,
            ruled_out: vec![false; n * n],
            best: Words::ZERO,
            table: Vec::new(),
        };
        let (best, table) = room.solve(&room.ruled_out);
        room.best = best;
        room.table = table;
        room
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
        for (a, b) in mates.iter().enumerate() {
            let b = b.expect("a perfect matching");
            if a < b {
                sum += self.cost[a * n + b];
                sum.0[0] += i64::from(!open(a, b));
            }
        }
        let table = mates[..self.players]
            .iter()
            .map(|mate| mate.filter(|b| *b < self.players))
            .collect();
        (sum, table)
    }
}

impl<const K: usize> Room for Matched<K> {
    fn rule_out(&mut self, out: &dyn Fn(usize, Option<usize>) -> bool) -> bool {
        let mut ruled_out = self.ruled_out.clone();
        for a in 0..self.players {
            for b in a + 1..self.n {
                if out(a, (b < self.players).then_some(b)) {
                    ruled_out[a * self.n + b] = true;
                }
            }
        }
        if !named(&self.table, out) {
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

/// The room of a field of up to 1000 players.
pub fn room(facts: &Facts) -> Box<dyn Room> {
    match words_needed(facts.groups().len()) {
        ..=16 => Box::new(Matched::<16>::new(facts)),
        17..=32 => Box::new(Matched::<32>::new(facts)),
        _ => Box::new(Matched::<80>::new(facts)),
    }
}

/// The best values of P1 to P6.
pub fn optimum(facts: &Facts) -> Criteria {
    value(facts, room(facts).table())
}

/// The one table that P7 leaves, boards in order, colours assigned.
pub fn by_the_book(facts: &Facts, room: &mut dyn Room) -> Round {
    let players = &facts.players;
    let n = players.len();
    let mut round = Round {
        round: facts.round,
        ..Round::default()
    };
    // 1. The bye goes to the last in list order for whom it is allowed.
    let mut bye = None;
    if n % 2 == 1 {
        bye = (0..n).rev().find(|p| {
            room.rule_out(&|a, b| (a == *p) != b.is_none() && (a == *p || b.is_none() || b == Some(*p)))
        });
        round.byes.extend(bye.map(|p| players[p].number));
    }
    // 2. Group by group from the top.
    let mut floaters: Vec<usize> = Vec::new();
    for group in facts.groups() {
        let members = (0..n).filter(|p| players[*p].score == group && bye != Some(*p));
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
                let partner = open.iter().copied().find(|second| {
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
        // A float heads its lower group; opposite balances come before equal ones.
        made.sort_by_key(|(first, _, second_pass)| (players[*first].score == group, *second_pass, *first));
        for (first, second, _) in made {
            let black_first = if players[first].balance == players[second].balance {
                (players[first].number < players[second].number) == facts.ascending
            } else {
                players[first].balance > players[second].balance
            };
            let (black, white) = if black_first {
                (first, second)
            } else {
                (second, first)
            };
            let board = u32::try_from(round.boards.len() + 1).expect("few boards");
            round
                .boards
                .push(Board::new(board, players[black].number, players[white].number));
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
