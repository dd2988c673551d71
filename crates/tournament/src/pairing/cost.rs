//! What makes a pair good: the criteria P1 to P6 as digits of one number, the first the highest.

use super::field::Field;
use super::wide::{Weight, Wide};
use crate::settings::{TeamAvoidance, ThirdColour};

/// One digit of a pair's cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digit {
    /// P1: the pair has met.
    Repeat,
    /// P1: how often.
    Meetings,
    /// P1: it met in the round just before.
    JustBefore,
    /// P2: byes and wins by forfeit so far of the one who has the bye. Not of a pair.
    ByesSoFar,
    /// P2: how many groups there are below the one who has the bye. Not of a pair.
    ByeGroup,
    /// P3: pairs across the border below this group.
    Across(usize),
    /// P3: the square of the score difference.
    Square,
    /// P4: team mates or an unwanted pair, in the lower group.
    TeamMates(usize),
    /// P5: one of them has the same colour a third time running.
    ThirdColour(usize),
    /// P5: both owed the same colour by two games or more.
    SameColourTwice(usize),
    /// P5: both owed the same colour.
    SameColour(usize),
    /// P6: floats repeated.
    RepeatedFloats(usize),
}

/// How the ones who float across a border are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floaters {
    /// By the sum of their places in the list: exact where only one pair crosses.
    BySum,
    /// By a binary digit for every player from this one to the border: exact for any number of
    /// pairs, when nobody before this player is in one. Of those it is only counted how many are.
    ByBits(usize),
}

/// Calls `digit` with every digit of a pair (`a` before `b` in list order) that is not zero.
pub(super) fn of_pair(field: &Field, a: usize, b: usize, mut digit: impl FnMut(Digit, u64)) {
    let met = field.met(a, b);
    if met.times > 0 {
        digit(Digit::Repeat, 1);
        digit(Digit::Meetings, u64::from(met.times));
        if met.just_before {
            digit(Digit::JustBefore, 1);
        }
    }
    let (above, below) = (field.group_of[a], field.group_of[b]);
    let (first, second) = (&field.players[a], &field.players[b]);
    if above != below {
        for border in above..below {
            digit(Digit::Across(border), 1);
        }
        let difference = u64::from((first.score.0 - second.score.0).unsigned_abs());
        digit(Digit::Square, difference * difference);
        if field.floats_counted {
            let repeated = u64::from(first.floated_down) + u64::from(second.floated_up);
            if repeated > 0 {
                digit(Digit::RepeatedFloats(below), repeated);
            }
        }
    }
    if field.unwanted(a, b) {
        digit(Digit::TeamMates(below), 1);
    }
    if field.third_colour == ThirdColour::Avoided && field.third_time(a, b) {
        digit(Digit::ThirdColour(below), 1);
    }
    if field.same_colour(a, b) {
        digit(Digit::SameColour(below), 1);
        if first.balance.abs() >= 2 && second.balance.abs() >= 2 {
            digit(Digit::SameColourTwice(below), 1);
        }
    }
}

/// Where each digit stands in a number, wide enough that no sum over a whole table can overflow
/// into the next one.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    repeats: Option<[usize; 3]>,
    bye: Option<[usize; 2]>,
    across: Vec<usize>,
    square: usize,
    teams: Vec<usize>,
    third: Vec<usize>,
    twice: Vec<usize>,
    same: Vec<usize>,
    floats: Vec<usize>,
    who: Vec<(usize, Floaters)>,
    who_bye: Option<usize>,
    places: Vec<(Digit, usize, usize)>,
    bits: usize,
}

/// Bits for numbers up to `most`.
fn width(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

/// Takes room for a count in each group, the first group's highest.
fn by_group(
    sizes: &[usize],
    per_player: usize,
    digit: fn(usize) -> Digit,
    take: &mut impl FnMut(Digit, usize) -> usize,
) -> Vec<usize> {
    let mut places: Vec<usize> = sizes
        .iter()
        .enumerate()
        .rev()
        .map(|(group, size)| take(digit(group), width(size * per_player)))
        .collect();
    places.reverse();
    places
}

impl Plan {
    /// A plan for a whole field. With `repeats`, pairs that have met are told from others; without,
    /// they must have been left out. P7's choice of the bye and of the floaters is the lowest part
    /// of the number; `floaters` says how they are told apart at each border. With `None` there is
    /// no such part: P1 to P6 alone.
    pub(super) fn of_field(field: &Field, repeats: bool, floaters: Option<&[Floaters]>) -> Self {
        let count = field.players.len();
        let sizes: Vec<usize> = field.groups.iter().map(|group| group.end - group.start).collect();
        let borders = field.groups.len().saturating_sub(1);
        let mut at = 2; // The two lowest bits stay free: weights are multiples of four.
        let mut take = |bits: usize| {
            let here = at;
            at += bits;
            here
        };
        // From the lowest digit to the highest.
        let mut who = Vec::new();
        if let Some(floaters) = floaters {
            who = vec![(0, Floaters::BySum); borders];
            for border in (0..borders).rev() {
                let above = field.groups[border].end;
                let bits = match floaters[border] {
                    Floaters::BySum => width(above.min(count - above) * above),
                    Floaters::ByBits(from) => above - from + width(from),
                };
                who[border] = (take(bits), floaters[border]);
            }
        }
        let who_bye = floaters.map(|_| take(width(count)));
        let mut places = Vec::new();
        let mut digit = |digit: Digit, bits: usize| {
            let here = take(bits);
            places.push((digit, here, bits));
            here
        };
        let floats = by_group(&sizes, 2, Digit::RepeatedFloats, &mut digit);
        let same = by_group(&sizes, 1, Digit::SameColour, &mut digit);
        let twice = by_group(&sizes, 1, Digit::SameColourTwice, &mut digit);
        let third = by_group(&sizes, 1, Digit::ThirdColour, &mut digit);
        let teams_first = field.team_avoidance == TeamAvoidance::Strong;
        let teams_after_floats = (!teams_first).then(|| by_group(&sizes, 1, Digit::TeamMates, &mut digit));
        let most = field.players.first().map_or(0, |player| player.score.0)
            - field.players.last().map_or(0, |player| player.score.0);
        let most = usize::try_from(most).unwrap_or(0);
        let square = digit(Digit::Square, width(count * most * most));
        let mut across: Vec<usize> = (0..borders)
            .rev()
            .map(|border| {
                let above = field.groups[border].end;
                digit(Digit::Across(border), width(above.min(count - above)))
            })
            .collect();
        across.reverse();
        let teams = teams_after_floats.unwrap_or_else(|| by_group(&sizes, 1, Digit::TeamMates, &mut digit));
        let bye = (count % 2 == 1).then(|| {
            let group = digit(Digit::ByeGroup, width(field.groups.len()));
            let so_far = digit(Digit::ByesSoFar, 32);
            [so_far, group]
        });
        let repeats = repeats.then(|| {
            let just_before = digit(Digit::JustBefore, width(count));
            let meetings = digit(Digit::Meetings, width(count) + 16);
            let repeat = digit(Digit::Repeat, width(count));
            [repeat, meetings, just_before]
        });
        places.reverse();
        Self {
            repeats,
            bye,
            across,
            square,
            teams,
            third,
            twice,
            same,
            floats,
            who,
            who_bye,
            places,
            bits: at,
        }
    }

    /// Where each digit of P1 to P6 stands, the highest first: the digit, its lowest bit and its
    /// width in bits.
    pub(super) fn places(&self) -> &[(Digit, usize, usize)] {
        &self.places
    }

    /// The bits that dual values can need: the sum of all costs, twice, and a sign.
    pub(super) fn bits(&self, vertices: usize) -> usize {
        self.bits + 2 * width(vertices) + 4
    }

    /// The cost of a pair, `a` before `b` in list order.
    pub(super) fn pair<const N: usize>(&self, field: &Field, a: usize, b: usize) -> Wide<N> {
        let mut cost = Wide::ZERO;
        of_pair(field, a, b, |digit, value| {
            if let Some(place) = self.place(digit) {
                cost.add_at(place, value);
            }
        });
        for border in field.group_of[a]..field.group_of[b] {
            let later = field.groups[border].end - 1 - a;
            match self.who.get(border) {
                Some(&(place, Floaters::BySum)) => cost.add_at(place, later as u64),
                Some(&(place, Floaters::ByBits(from))) => {
                    let bits = field.groups[border].end - from;
                    cost.add_at(place + later.min(bits), 1);
                }
                None => {}
            }
        }
        cost
    }

    /// The cost of two such players, whoever they are: without what depends on their teams, their
    /// last two colours and their places in the list (P7).
    pub(super) fn pair_alone<const N: usize>(&self, field: &Field, a: usize, b: usize) -> Wide<N> {
        let mut cost = Wide::ZERO;
        of_pair(field, a, b, |digit, value| {
            if let Some(place) = self
                .place(digit)
                .filter(|_| !matches!(digit, Digit::TeamMates(_) | Digit::ThirdColour(_)))
            {
                cost.add_at(place, value);
            }
        });
        cost
    }

    fn place(&self, digit: Digit) -> Option<usize> {
        match digit {
            Digit::Repeat => self.repeats.map(|places| places[0]),
            Digit::Meetings => self.repeats.map(|places| places[1]),
            Digit::JustBefore => self.repeats.map(|places| places[2]),
            Digit::Across(border) => Some(self.across[border]),
            Digit::Square => Some(self.square),
            Digit::TeamMates(group) => Some(self.teams[group]),
            Digit::ThirdColour(group) => Some(self.third[group]),
            Digit::SameColourTwice(group) => Some(self.twice[group]),
            Digit::SameColour(group) => Some(self.same[group]),
            Digit::RepeatedFloats(group) => Some(self.floats[group]),
            Digit::ByesSoFar => self.bye.map(|places| places[0]),
            Digit::ByeGroup => self.bye.map(|places| places[1]),
        }
    }

    /// The cost of giving a player the bye.
    pub(super) fn bye<const N: usize>(&self, field: &Field, player: usize) -> Wide<N> {
        let mut cost = self.bye_alone(field, player, field.players[player].byes);
        if let Some(who) = self.who_bye {
            cost.add_at(who, (field.players.len() - 1 - player) as u64);
        }
        cost
    }

    /// The cost of giving the bye to somebody like this player, with so many byes so far: without
    /// what depends on the place in the list (P7).
    pub(super) fn bye_alone<const N: usize>(&self, field: &Field, like: usize, byes: u32) -> Wide<N> {
        let mut cost = Wide::ZERO;
        if let Some([so_far, group]) = self.bye {
            cost.add_at(so_far, u64::from(byes));
            cost.add_at(group, (field.groups.len() - 1 - field.group_of[like]) as u64);
        }
        cost
    }
}

/// Where each digit stands in the cost of a pair inside one group, when it is settled who plays
/// there: floats and their squares are then the same for every table.
#[derive(Clone, Debug)]
pub(super) struct GroupPlan {
    repeats: [usize; 3],
    teams: usize,
    third: usize,
    twice: usize,
    same: usize,
    floats: usize,
}

/// The limbs of a cost inside a group: eight digits of up to 14 bits and the dual values' room.
pub(super) type GroupCost = Wide<4>;

impl GroupPlan {
    /// A plan for so many players.
    pub(super) fn of(players: usize) -> Self {
        let digit = width(2 * players);
        let floats = 2; // The two lowest bits stay free: weights are multiples of four.
        let same = floats + digit;
        let twice = same + digit;
        let third = twice + digit;
        let teams = third + digit;
        let just_before = teams + digit;
        let meetings = just_before + digit;
        let repeat = meetings + digit + 16;
        Self {
            repeats: [repeat, meetings, just_before],
            teams,
            third,
            twice,
            same,
            floats,
        }
    }

    /// The cost of a pair, `a` before `b` in list order.
    pub(super) fn pair(&self, field: &Field, a: usize, b: usize) -> GroupCost {
        let mut cost = Wide::ZERO;
        of_pair(field, a, b, |digit, value| {
            let place = match digit {
                Digit::Repeat => self.repeats[0],
                Digit::Meetings => self.repeats[1],
                Digit::JustBefore => self.repeats[2],
                Digit::TeamMates(_) => self.teams,
                Digit::ThirdColour(_) => self.third,
                Digit::SameColourTwice(_) => self.twice,
                Digit::SameColour(_) => self.same,
                Digit::RepeatedFloats(_) => self.floats,
                Digit::Across(_) | Digit::Square | Digit::ByesSoFar | Digit::ByeGroup => return,
            };
            cost.add_at(place, value);
        });
        cost
    }
}

/// What a group's pairs reach, digit by digit, except for floats: who floats is settled before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) repeats: u32,
    pub(super) meetings: u32,
    pub(super) just_before: u32,
    pub(super) teams: u32,
    pub(super) third: u32,
    pub(super) twice: u32,
    pub(super) same: u32,
    pub(super) floats: u32,
}

impl Reached {
    /// What one pair adds, `a` before `b` in list order.
    pub(super) fn by(field: &Field, a: usize, b: usize) -> Self {
        let mut reached = Self::default();
        of_pair(field, a, b, |digit, value| {
            let count = match digit {
                Digit::Repeat => &mut reached.repeats,
                Digit::Meetings => &mut reached.meetings,
                Digit::JustBefore => &mut reached.just_before,
                Digit::TeamMates(_) => &mut reached.teams,
                Digit::ThirdColour(_) => &mut reached.third,
                Digit::SameColourTwice(_) => &mut reached.twice,
                Digit::SameColour(_) => &mut reached.same,
                Digit::RepeatedFloats(_) => &mut reached.floats,
                Digit::Across(_) | Digit::Square | Digit::ByesSoFar | Digit::ByeGroup => return,
            };
            *count = u32::try_from(value).expect("a count of games");
        });
        reached
    }

    /// Adds what another pair reaches.
    pub(super) fn add(&mut self, other: &Self) {
        for (mine, other) in self.digits_mut().into_iter().zip(other.digits()) {
            *mine += other;
        }
    }

    /// What is left after a pair; `None` when it takes more of any digit than there is.
    pub(super) fn less(&self, other: &Self) -> Option<Self> {
        let mut left = *self;
        for (mine, other) in left.digits_mut().into_iter().zip(other.digits()) {
            *mine = mine.checked_sub(other)?;
        }
        Some(left)
    }

    fn digits(&self) -> [u32; 8] {
        [
            self.repeats,
            self.meetings,
            self.just_before,
            self.teams,
            self.third,
            self.twice,
            self.same,
            self.floats,
        ]
    }

    fn digits_mut(&mut self) -> [&mut u32; 8] {
        [
            &mut self.repeats,
            &mut self.meetings,
            &mut self.just_before,
            &mut self.teams,
            &mut self.third,
            &mut self.twice,
            &mut self.same,
            &mut self.floats,
        ]
    }
}
