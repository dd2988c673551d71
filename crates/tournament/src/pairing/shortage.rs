//! Why there is no table: too few possible opponents, so that anybody can count it.
//!
//! A table matches everybody, the bye of an odd field being one more opponent for all. When it does
//! not exist, some players fall into more groups, each odd and closed in itself, than there are
//! opponents outside for all of them together: one of every odd group needs one of those (Tutte).
//! The tree of a search that cannot go on is such a set.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::field::Field;
use crate::entry::Number;

/// A rule that keeps two players apart whatever it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// They have met, and repeats are not confirmed.
    Met,
    /// They are a forbidden pair.
    Forbidden,
    /// The director has fixed something for this round: two who do not meet, a pair, a bye.
    Chosen,
    /// They are of one team, and team mates are never paired in this round.
    TeamMates,
    /// Both had the same colour in their last two games, and a third time is forbidden.
    ThirdColour,
}

impl Rule {
    /// All of them, those that are judged fastest first.
    pub const ALL: [Self; 5] = [
        Self::TeamMates,
        Self::ThirdColour,
        Self::Forbidden,
        Self::Chosen,
        Self::Met,
    ];

    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Forbidden => "forbidden",
            Self::Chosen => "chosen",
            Self::TeamMates => "team-mates",
            Self::ThirdColour => "third-colour",
        }
    }

    /// The rule in words, as what something comes from.
    pub fn cause(self) -> &'static str {
        match self {
            Self::Met => "earlier meetings",
            Self::Forbidden => "forbidden pairs",
            Self::Chosen => "what was fixed for this round",
            Self::TeamMates => "absolute team avoidance",
            Self::ThirdColour => "the ban of a third colour running",
        }
    }

    fn way_out(self) -> &'static str {
        match self {
            Self::Met => "confirm repeats",
            Self::Forbidden => "lift a forbidden pair",
            Self::Chosen => "take back what was fixed for this round",
            Self::TeamMates => "make team avoidance strong instead of absolute",
            Self::ThirdColour => "let a third colour running be avoided instead of forbidden",
        }
    }
}

/// Players with too few possible opponents. It can be verified without a search: nobody of `groups`
/// may be paired with anybody outside the own group and `opponents`, every group has an odd number
/// of players, and there are more groups than opponents and bye.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// The players, often each a group alone; ascending, as are the groups.
    pub groups: Vec<Vec<Number>>,
    /// Whom they may meet outside of their group, ascending.
    pub opponents: Vec<Number>,
    /// Whether one of them can have the bye.
    pub bye: bool,
    /// The rules that keep them apart from everybody else.
    pub rules: Vec<Rule>,
    /// The forbidden pairs, and those that the director keeps apart, that do so.
    pub pairs: Vec<(Number, Number)>,
    /// Rules of which each, lifted alone, makes a table possible.
    pub lift: Vec<Rule>,
}

impl Shortage {
    /// The ways out, each in words: "lift a forbidden pair", "change who takes part".
    pub fn ways_out(&self) -> Vec<&'static str> {
        let mut ways: Vec<&str> = self.lift.iter().map(|rule| rule.way_out()).collect();
        if ways.is_empty() && self.rules.len() > 1 {
            ways.push("lift several of these rules");
        }
        ways.push("change who takes part");
        ways
    }
}

impl fmt::Display for Shortage {
    /// "the 3 players 1, 2 and 3 have only 2 possible opponents (4 and 5), because of earlier
    /// meetings and forbidden pairs (1–2)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alone: Option<Vec<Number>> = self
            .groups
            .iter()
            .map(|group| <[Number; 1]>::try_from(&group[..]).ok().map(|[one]| one))
            .collect();
        match alone.as_deref() {
            Some([one]) => write!(f, "player {one} has ")?,
            Some(players) => write!(f, "the {} players {} have ", players.len(), and(players))?,
            None => match &self.groups[..] {
                [group] => write!(
                    f,
                    "the {} players {} are an odd number, can meet only one another and have ",
                    group.len(),
                    and(group)
                )?,
                groups => {
                    let words: Vec<String> = groups.iter().map(|group| and(group)).collect();
                    write!(
                        f,
                        "{} groups of players, each of an odd number and closed in itself ({}), have ",
                        groups.len(),
                        words.join("; ")
                    )?;
                }
            },
        }
        let outside = if alone.is_some() { "" } else { " outside" };
        match (&self.opponents[..], self.bye) {
            ([], false) => write!(f, "no possible opponent{outside}")?,
            ([], true) => write!(f, "no possible opponent{outside} but the bye")?,
            (opponents, bye) => {
                let plural = if opponents.len() == 1 { "" } else { "s" };
                let bye = if bye { " and the bye" } else { "" };
                let (count, list) = (opponents.len(), and(opponents));
                write!(f, "only {count} possible opponent{plural}{outside} ({list}){bye}")?;
            }
        }
        let causes: Vec<&str> = self.rules.iter().map(|rule| rule.cause()).collect();
        if !causes.is_empty() {
            write!(f, ", because of {}", causes.join(" and "))?;
        }
        if !self.pairs.is_empty() {
            let pairs: Vec<String> = self.pairs.iter().map(|(a, b)| format!("{a}–{b}")).collect();
            write!(f, " ({})", pairs.join(", "))?;
        }
        Ok(())
    }
}

fn and(numbers: &[Number]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    match &words[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// Why `rest` (the field without what the director has fixed) has no table; none when it has one.
/// With `repeats`, earlier meetings keep nobody apart.
pub(super) fn shortage(field: &Field, rest: &Field, repeats: bool) -> Option<Shortage> {
    let rules = |lifted: Option<Rule>| -> Vec<Rule> {
        let in_force = |rule: &Rule| Some(*rule) != lifted && !(repeats && *rule == Rule::Met);
        Rule::ALL.into_iter().filter(in_force).collect()
    };
    let stuck = stuck(rest, &rules(None))?;
    let players = rest.players.len();
    let number = |player: &usize| rest.players[*player].number;
    let numbers = |players: &[usize]| -> Vec<Number> {
        let mut numbers: Vec<Number> = players.iter().map(number).collect();
        numbers.sort_unstable();
        numbers
    };
    let mut groups: Vec<Vec<Number>> = stuck.groups.iter().map(|group| numbers(group)).collect();
    groups.sort_unstable();
    let (mut between, mut pairs) = (BTreeSet::new(), BTreeSet::new());
    // The others, of whom no more need be said, are one group for this.
    let mut group_of = vec![NONE; players];
    for (at, group) in stuck.groups.iter().enumerate() {
        for player in group {
            group_of[*player] = at;
        }
    }
    let opponents: BTreeSet<usize> = stuck.opponents.iter().copied().collect();
    let mut first_of = BTreeMap::new();
    for a in (0..players).filter(|player| !opponents.contains(player)) {
        for rule in rules(None) {
            if let Some(class) = rest.class(rule, a) {
                if *first_of.entry((rule, class)).or_insert(group_of[a]) != group_of[a] {
                    between.insert(rule);
                }
                continue;
            }
            for b in rest.listed(rule, a) {
                if group_of[a] == group_of[b] || opponents.contains(&b) {
                    continue;
                }
                between.insert(rule);
                if rule != Rule::Met {
                    let (one, other) = (number(&a), number(&b));
                    pairs.insert((one.min(other), one.max(other)));
                }
            }
        }
    }
    let helps = |rule: &Rule| match rule {
        Rule::Met if repeats => false,
        Rule::Chosen => stuck_at_all(field, &rules(Some(Rule::Chosen))).is_none(),
        rule => stuck_at_all(rest, &rules(Some(*rule))).is_none(),
    };
    let fixed = rest.players.len() < field.players.len();
    Some(Shortage {
        groups,
        opponents: numbers(&stuck.opponents),
        bye: stuck.bye,
        lift: Rule::ALL
            .into_iter()
            .filter(|rule| between.contains(rule) || (fixed && *rule == Rule::Chosen))
            .filter(helps)
            .collect(),
        rules: Rule::ALL
            .into_iter()
            .filter(|rule| between.contains(rule))
            .collect(),
        pairs: pairs.into_iter().collect(),
    })
}

/// Players of a field who cannot all be matched.
struct Stuck {
    groups: Vec<Vec<usize>>,
    opponents: Vec<usize>,
    bye: bool,
}

impl Stuck {
    fn size(&self) -> usize {
        self.groups.iter().map(Vec::len).sum::<usize>() + self.opponents.len()
    }
}

fn stuck_at_all(field: &Field, rules: &[Rule]) -> Option<Stuck> {
    Search::of(field, rules).stuck(1)
}

/// Of several explanations a small one.
fn stuck(field: &Field, rules: &[Rule]) -> Option<Stuck> {
    const TRIED: usize = 8;
    Search::of(field, rules).stuck(TRIED)
}

/// With how many others each vertex is kept apart; with some it may be twice.
fn kept_apart(field: &Field, rules: &[Rule], vertices: usize) -> Vec<usize> {
    let mut apart = vec![0; vertices];
    for rule in rules {
        let mut classes: BTreeMap<usize, usize> = BTreeMap::new();
        for class in (0..field.players.len()).filter_map(|player| field.class(*rule, player)) {
            *classes.entry(class).or_default() += 1;
        }
        for (player, apart) in apart.iter_mut().enumerate().take(field.players.len()) {
            let class = field.class(*rule, player);
            *apart += field.listed(*rule, player).len() + class.map_or(0, |class| classes[&class] - 1);
        }
    }
    apart
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    None,
    Even,
    Odd,
}

const NONE: usize = usize::MAX;

/// Edmonds' search for a matching of all players, without weights. The pairs that are possible are
/// never listed, since nearly all are; each step meets a new player or one who is kept apart, so a
/// search takes as long as there are players and pairs kept apart.
struct Search<'a> {
    field: &'a Field,
    rules: &'a [Rule],
    /// The players and, when they are odd, the bye.
    vertices: usize,
    /// The vertices, those with the fewest possible opponents first.
    order: Vec<usize>,
    /// The team of a vertex, where team mates are kept apart.
    team: Vec<Option<usize>>,
    mate: Vec<usize>,
    label: Vec<Label>,
    /// The vertex from which an odd one was reached; in a blossom, the next one on the way round.
    from: Vec<usize>,
    /// Union of vertices into blossoms: towards the vertex that stands for the blossom.
    up: Vec<usize>,
    /// For that vertex, the base of the blossom and its members.
    base: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl<'a> Search<'a> {
    fn of(field: &'a Field, rules: &'a [Rule]) -> Self {
        let vertices = field.players.len().next_multiple_of(2);
        let apart = kept_apart(field, rules, vertices);
        let mut order: Vec<usize> = (0..vertices).collect();
        order.sort_by_key(|vertex| std::cmp::Reverse(apart[*vertex]));
        let mut team = vec![None; vertices];
        if rules.contains(&Rule::TeamMates) {
            for (player, team) in team.iter_mut().enumerate().take(field.players.len()) {
                *team = field.class(Rule::TeamMates, player);
            }
        }
        let mut search = Self {
            field,
            rules,
            vertices,
            order,
            team,
            mate: vec![NONE; vertices],
            label: Vec::new(),
            from: Vec::new(),
            up: Vec::new(),
            base: Vec::new(),
            members: Vec::new(),
        };
        search.match_greedily();
        search
    }

    fn possible(&self, a: usize, b: usize) -> bool {
        let players = self.field.players.len();
        a >= players || b >= players || !self.rules.iter().any(|rule| self.field.barred(*rule, a, b))
    }

    fn match_greedily(&mut self) {
        let mut open = self.order.clone();
        open.reverse();
        while let Some(vertex) = open.pop() {
            let partner = open.iter().rposition(|other| self.possible(vertex, *other));
            if let Some(at) = partner {
                let other = open.remove(at);
                self.mate[vertex] = other;
                self.mate[other] = vertex;
            }
        }
    }

    /// Matches as many as can be; what the first few searches that cannot go on say, the smallest.
    fn stuck(&mut self, tried: usize) -> Option<Stuck> {
        let mut found: Vec<Stuck> = Vec::new();
        for root in self.order.clone() {
            if self.mate[root] == NONE
                && found.len() < tried
                && let Some(stuck) = self.grow(root)
            {
                found.push(stuck);
            }
        }
        let smallest = found.into_iter().min_by_key(Stuck::size)?;
        Some(self.with_all_alike(smallest))
    }

    /// Everybody else who may meet the same opponents only belongs to the explanation as well: all of
    /// a team, not just as many as are too many.
    fn with_all_alike(&self, mut stuck: Stuck) -> Stuck {
        let players = self.field.players.len();
        if self.vertices > players && !stuck.bye {
            return stuck;
        }
        let mut elsewhere = vec![true; players];
        for player in stuck.groups.iter().flatten().chain(&stuck.opponents) {
            elsewhere[*player] = false;
        }
        let elsewhere: Vec<usize> = (0..players).filter(|player| elsewhere[*player]).collect();
        for &player in &elsewhere {
            let mut others = elsewhere.iter().filter(|other| **other != player);
            if !others.any(|other| self.possible(player, *other)) {
                stuck.groups.push(vec![player]);
            }
        }
        stuck
    }

    /// Grows a tree from an unmatched vertex until it is matched, or cannot be.
    fn grow(&mut self, root: usize) -> Option<Stuck> {
        self.label = vec![Label::None; self.vertices];
        self.from = vec![NONE; self.vertices];
        self.up = (0..self.vertices).collect();
        self.base = (0..self.vertices).collect();
        self.members = (0..self.vertices).map(|vertex| vec![vertex]).collect();
        let mut unseen = self.order.clone();
        unseen.reverse();
        unseen.retain(|vertex| *vertex != root);
        self.label[root] = Label::Even;
        let (mut queue, mut blossoms) = (vec![root], vec![root]);
        // A large team soon is all that is left on either side; none of them need be asked about
        // each of the others.
        let (mut unseen_team, mut even_team) = (self.one_team(&unseen), self.team[root]);
        let mut next = 0;
        while next < queue.len() {
            let vertex = queue[next];
            next += 1;
            let team = self.team[vertex];
            let seen = blossoms.len();
            let may_meet = if team.is_some() && team == unseen_team {
                0
            } else {
                unseen.len()
            };
            for at in (0..may_meet).rev() {
                let other = unseen[at];
                if self.label[other] != Label::None || !self.possible(vertex, other) {
                    continue;
                }
                self.from[other] = vertex;
                let mate = self.mate[other];
                if mate == NONE {
                    self.augment(other);
                    return None;
                }
                self.label[other] = Label::Odd;
                self.label[mate] = Label::Even;
                queue.push(mate);
                blossoms.push(mate);
                even_team = even_team.filter(|team| self.team[mate] == Some(*team));
            }
            if blossoms.len() > seen {
                unseen.retain(|other| self.label[*other] == Label::None);
                unseen_team = self.one_team(&unseen);
            }
            if team.is_some() && team == even_team {
                continue;
            }
            for &other in &blossoms {
                let other = self.blossom(other);
                if other == self.blossom(vertex) {
                    continue;
                }
                let touched = self.members[other].iter().copied();
                if let Some(member) = touched.into_iter().find(|member| self.possible(vertex, *member)) {
                    self.shrink(vertex, member, &mut queue);
                    even_team = None;
                }
            }
            let whole = std::mem::take(&mut blossoms);
            blossoms = whole
                .into_iter()
                .filter(|vertex| self.up[*vertex] == *vertex)
                .collect();
        }
        let players = self.field.players.len();
        let odd: Vec<usize> = (0..self.vertices)
            .filter(|vertex| self.label[*vertex] == Label::Odd)
            .collect();
        Some(Stuck {
            groups: blossoms
                .into_iter()
                .map(|blossom| std::mem::take(&mut self.members[blossom]))
                .collect(),
            opponents: odd.iter().copied().filter(|vertex| *vertex < players).collect(),
            bye: odd.last().is_some_and(|vertex| *vertex >= players),
        })
    }

    /// The team that all of these vertices are of.
    fn one_team(&self, vertices: &[usize]) -> Option<usize> {
        let team = self.team[*vertices.first()?];
        vertices
            .iter()
            .all(|vertex| self.team[*vertex] == team)
            .then_some(team)?
    }

    /// The vertex that stands for the blossom of a vertex.
    fn blossom(&mut self, vertex: usize) -> usize {
        let mut top = vertex;
        while self.up[top] != top {
            top = self.up[top];
        }
        let mut here = vertex;
        while here != top {
            here = std::mem::replace(&mut self.up[here], top);
        }
        top
    }

    fn base_of(&mut self, vertex: usize) -> usize {
        let blossom = self.blossom(vertex);
        self.base[blossom]
    }

    /// Makes one blossom of the cycle that an edge between two even vertices closes.
    fn shrink(&mut self, a: usize, b: usize, queue: &mut Vec<usize>) {
        let base = self.common(a, b);
        let mut cycle = Vec::new();
        for (mut vertex, mut child) in [(a, b), (b, a)] {
            while self.base_of(vertex) != base {
                let odd = self.mate[vertex];
                self.from[vertex] = child;
                if self.label[odd] == Label::Odd {
                    self.label[odd] = Label::Even;
                    queue.push(odd);
                }
                cycle.extend([vertex, odd]);
                child = odd;
                vertex = self.from[odd];
            }
        }
        for vertex in cycle {
            self.join(base, vertex);
        }
    }

    fn join(&mut self, base: usize, vertex: usize) {
        let (mut into, mut from) = (self.blossom(base), self.blossom(vertex));
        if into == from {
            return;
        }
        if self.members[into].len() < self.members[from].len() {
            std::mem::swap(&mut into, &mut from);
        }
        let members = std::mem::take(&mut self.members[from]);
        self.members[into].extend(members);
        self.up[from] = into;
        self.base[into] = base;
    }

    /// The base in which the ways of two even vertices to the root meet.
    fn common(&mut self, a: usize, b: usize) -> usize {
        let mut seen = BTreeSet::new();
        let mut here = self.base_of(a);
        loop {
            seen.insert(here);
            if self.mate[here] == NONE {
                break;
            }
            here = self.from[self.mate[here]];
            here = self.base_of(here);
        }
        let mut here = self.base_of(b);
        while !seen.contains(&here) {
            here = self.from[self.mate[here]];
            here = self.base_of(here);
        }
        here
    }

    /// Turns the way from the root to an unmatched vertex around.
    fn augment(&mut self, end: usize) {
        let mut odd = end;
        while odd != NONE {
            let even = self.from[odd];
            let next = self.mate[even];
            self.mate[odd] = even;
            self.mate[even] = odd;
            odd = next;
        }
    }
}
