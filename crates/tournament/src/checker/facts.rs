//! What is known of everybody before a round, worked out from the record alone.

use std::collections::BTreeMap;

use crate::entry::Number;
use crate::result::{Outcome, Side};
use crate::round::Round;
use crate::score::Score;
use crate::settings::NumberOrder;
use crate::stage::Stage;

/// One player as a pairing sees him or her.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The number.
    pub number: Number,
    /// The score before the round.
    pub score: Score,
    /// Games assigned as White less games assigned as Black, over the games that were played.
    pub balance: i32,
    /// The team, when there is one.
    pub team: Option<String>,
    /// Byes and wins by forfeit so far.
    pub points_without_play: u32,
    /// Has floated down before.
    pub floated_down: bool,
    /// Has floated up before.
    pub floated_up: bool,
    /// The colour of the last two games that were played, when it was the same in both.
    pub streak: Option<Side>,
}

/// How often a pair has met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meetings {
    /// How often.
    pub times: u32,
    /// Whether once in the round just before.
    pub just_before: bool,
}

/// Everything that the criteria of one round look at.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The round that is paired.
    pub round: u32,
    /// Whether smaller numbers come first in this round.
    pub ascending: bool,
    /// Whether team mates are kept apart in this round.
    pub teams_matter: bool,
    /// Whether repeated floats are avoided.
    pub repeated_floats_matter: bool,
    /// Everybody who takes part, in list order: by score, highest first, then by number in the
    /// round's direction.
    pub players: Vec<Player>,
    place: BTreeMap<Number, usize>,
    met: BTreeMap<(Number, Number), Meetings>,
}

impl Facts {
    /// The facts before round `round`: of the recorded rounds only earlier ones count. Taking part
    /// is every entry that is neither withdrawn, nor absent by its own word, nor named in `sat_out`.
    pub fn before(stage: &Stage, round: u32, sat_out: &[Number]) -> Self {
        let mut all: BTreeMap<Number, Tally> = stage
            .entries
            .iter()
            .map(|entry| {
                let mut tally = Tally {
                    score: entry.start_score,
                    ..Tally::default()
                };
                if let Some(carried) = &entry.carried {
                    tally.score += carried.score;
                    tally.balance = carried.balance;
                }
                (entry.number, tally)
            })
            .collect();
        let mut met: BTreeMap<(Number, Number), Meetings> = BTreeMap::new();
        for entry in &stage.entries {
            let mut listed: BTreeMap<Number, u32> = BTreeMap::new();
            for other in entry.carried.iter().flat_map(|carried| &carried.met) {
                *listed.entry(*other).or_default() += 1;
            }
            for (other, times) in listed {
                // Both sides list the meeting, so the sums are not added up.
                let meetings = met.entry(ordered(entry.number, other)).or_default();
                meetings.times = meetings.times.max(times);
            }
        }
        for past in stage.rounds.iter().filter(|past| past.round < round) {
            for board in &past.boards {
                let forfeited = board.result.is_some_and(|outcome| !outcome.played());
                if !(forfeited && stage.pairing.forfeits_may_meet_again) {
                    let meetings = met.entry(ordered(board.black, board.white)).or_default();
                    meetings.times += 1;
                    meetings.just_before |= past.round + 1 == round;
                }
            }
            record(past, stage, &mut all);
        }
        let mut players: Vec<Player> = stage
            .entries
            .iter()
            .filter(|entry| entry.plays_in(round) && !sat_out.contains(&entry.number))
            .map(|entry| {
                let tally = &all[&entry.number];
                let streak = match tally.colours[..] {
                    [.., before, last] if before == last => Some(last),
                    _ => None,
                };
                Player {
                    number: entry.number,
                    score: tally.score,
                    balance: tally.balance,
                    team: entry.team.clone().filter(|team| !team.trim().is_empty()),
                    points_without_play: tally.points_without_play,
                    floated_down: tally.floated_down,
                    floated_up: tally.floated_up,
                    streak,
                }
            })
            .collect();
        let ascending = match stage.pairing.number_order {
            NumberOrder::Alternate => round % 2 == 1,
            NumberOrder::Ascending => true,
            NumberOrder::Descending => false,
        };
        players.sort_by(|a, b| {
            b.score.cmp(&a.score).then(if ascending {
                a.number.cmp(&b.number)
            } else {
                b.number.cmp(&a.number)
            })
        });
        players.dedup_by_key(|player| player.number);
        let place = players.iter().enumerate().map(|(i, p)| (p.number, i)).collect();
        Self {
            round,
            ascending,
            teams_matter: round <= stage.pairing.avoid_team_rounds,
            repeated_floats_matter: stage.pairing.avoid_repeated_floats,
            players,
            place,
            met,
        }
    }

    /// The place of a number in [`players`](Self::players); none when it does not take part.
    pub fn place(&self, number: Number) -> Option<usize> {
        self.place.get(&number).copied()
    }

    /// How often two players, by place, have met.
    pub fn meetings(&self, a: usize, b: usize) -> Meetings {
        self.met
            .get(&ordered(self.players[a].number, self.players[b].number))
            .copied()
            .unwrap_or_default()
    }

    /// The scores that occur among those who take part, highest first.
    pub fn groups(&self) -> Vec<Score> {
        let mut groups: Vec<Score> = self.players.iter().map(|player| player.score).collect();
        groups.dedup();
        groups
    }

    /// Whether two players are owed the same colour.
    pub fn same_sign(&self, a: usize, b: usize) -> bool {
        self.players[a].balance.signum() * self.players[b].balance.signum() > 0
    }

    /// Whether two players are of one team.
    pub fn team_mates(&self, a: usize, b: usize) -> bool {
        self.players[a].team.is_some() && self.players[a].team == self.players[b].team
    }

    /// Who of two players has Black by the rule: the larger balance, then the first in the
    /// round's number order.
    pub fn black_by_rule(&self, a: usize, b: usize) -> usize {
        let (first, second) = (&self.players[a], &self.players[b]);
        let a_has_black = if first.balance == second.balance {
            (first.number < second.number) == self.ascending
        } else {
            first.balance > second.balance
        };
        if a_has_black { a } else { b }
    }
}

#[derive(Default)]
struct Tally {
    score: Score,
    balance: i32,
    points_without_play: u32,
    floated_down: bool,
    floated_up: bool,
    colours: Vec<Side>,
}

fn ordered(a: Number, b: Number) -> (Number, Number) {
    (a.min(b), a.max(b))
}

fn record(past: &Round, stage: &Stage, all: &mut BTreeMap<Number, Tally>) {
    let before: BTreeMap<Number, Score> = all.iter().map(|(number, tally)| (*number, tally.score)).collect();
    let mut points: BTreeMap<Number, Score> = BTreeMap::new();
    for board in &past.boards {
        // A pending board is taken as a draw: the director has agreed to that, or there would be
        // no later round.
        let outcome = board.result.unwrap_or(Outcome::Draw);
        for side in [Side::Black, Side::White] {
            let (me, other) = (board.on(side), board.on(side.other()));
            points.insert(me, outcome.score(side));
            let theirs = before.get(&other).copied();
            let Some(tally) = all.get_mut(&me) else { continue };
            if outcome.played() {
                tally.balance += if side == Side::White { 1 } else { -1 };
                tally.colours.push(side);
            } else if outcome.winner() == Some(side) {
                tally.points_without_play += 1;
            }
            if let Some(theirs) = theirs {
                tally.floated_down |= before[&me] > theirs;
                tally.floated_up |= before[&me] < theirs;
            }
        }
    }
    for number in &past.byes {
        points.insert(*number, stage.pairing.bye_score);
        if let Some(tally) = all.get_mut(number) {
            tally.points_without_play += 1;
        }
    }
    for (number, tally) in all {
        tally.score += points.get(number).copied().unwrap_or(stage.pairing.absent_score);
    }
}
