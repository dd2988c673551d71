//! Who plays a round, and what is known of them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::entry::Number;
use crate::result::Side;
use crate::score::Score;
use crate::settings::{Colours, NumberOrder, TeamAvoidance, ThirdColour};
use crate::stage::Stage;
use crate::tally::{Kind, tally};

/// An active player, with everything that pairing looks at.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) number: Number,
    pub(super) score: Score,
    /// Games as White less games as Black: positive is 多白, owed Black.
    pub(super) balance: i32,
    /// Team mates have the same one.
    pub(super) team: Option<usize>,
    pub(super) floated_down: bool,
    pub(super) floated_up: bool,
    /// Byes and wins by forfeit so far.
    pub(super) byes: u32,
    /// The colour of the last two games, when it was the same in both. Byes and forfeits between
    /// them do not count.
    pub(super) streak: Option<Side>,
}

/// How often two players have met, and whether in the round just before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Met {
    pub(super) times: u32,
    pub(super) just_before: bool,
}

/// A score group: its players stand next to one another in list order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) score: Score,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The field of one round. Players are in list order: groups downwards, numbers in the round's
/// direction; an index into `players` therefore says who comes first.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) players: Vec<Player>,
    pub(super) group_of: Vec<usize>,
    pub(super) groups: Vec<Group>,
    met: Vec<BTreeMap<usize, Met>>,
    /// Of each player, ascending, with whom no pair is made in any case.
    forbidden: Vec<Vec<usize>>,
    /// Of each player, ascending, with whom a pair counts as one of team mates. `None` when the
    /// settings name no such pair, of whomever.
    pub(super) unwanted: Option<Vec<Vec<usize>>>,
    /// Whether the smaller number comes first in this round.
    pub(super) ascending: bool,
    /// Whether team mates are kept apart in this round.
    pub(super) teams_apart: bool,
    /// How much that matters.
    pub(super) team_avoidance: TeamAvoidance,
    /// The same colour three times running; it is allowed where nobody assigns colours.
    pub(super) third_colour: ThirdColour,
    /// Who has Black at equal balance, and whether anybody has.
    pub(super) colours: Colours,
    /// Whether repeated floats are avoided.
    pub(super) floats_counted: bool,
}

impl Field {
    /// The field of the next round of a stage in which every board has a result.
    pub(super) fn of(stage: &Stage) -> Self {
        let round = stage.next_round();
        let history = History::of(stage);
        let ascending = match stage.pairing.number_order {
            NumberOrder::Alternate => round % 2 == 1,
            NumberOrder::Ascending => true,
            NumberOrder::Descending => false,
        };
        let mut teams: BTreeMap<&str, usize> = BTreeMap::new();
        let mut players: Vec<(usize, Player)> = Vec::new();
        for (at, entry) in stage
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.plays_in(round))
        {
            let past = &history.entries[at];
            let team = entry
                .team
                .as_deref()
                .map(str::trim)
                .filter(|team| !team.is_empty())
                .map(|team| {
                    let next = teams.len();
                    *teams.entry(team).or_insert(next)
                });
            let player = Player {
                number: entry.number,
                score: past.score,
                balance: past.balance,
                team,
                floated_down: past.floated_down,
                floated_up: past.floated_up,
                byes: past.byes,
                streak: past.streak,
            };
            players.push((at, player));
        }
        players.sort_by(|(_, a), (_, b)| {
            let by_number = if ascending {
                a.number.cmp(&b.number)
            } else {
                b.number.cmp(&a.number)
            };
            b.score.cmp(&a.score).then(by_number)
        });
        let place: BTreeMap<usize, usize> = players.iter().enumerate().map(|(i, (at, _))| (*at, i)).collect();
        let numbered: BTreeMap<Number, usize> = players
            .iter()
            .enumerate()
            .map(|(i, (_, player))| (player.number, i))
            .collect();
        let settings = &stage.pairing;
        let nigiri = settings.colours == Colours::Nigiri;
        let met = players
            .iter()
            .map(|(at, _)| {
                let others = history.met[*at].iter();
                others
                    .filter_map(|(other, met)| Some((*place.get(other)?, *met)))
                    .collect()
            })
            .collect();
        let players: Vec<Player> = players.into_iter().map(|(_, player)| player).collect();
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of = Vec::with_capacity(players.len());
        for (i, player) in players.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if group.score == player.score => group.end = i + 1,
                _ => groups.push(Group {
                    score: player.score,
                    start: i,
                    end: i + 1,
                }),
            }
            group_of.push(groups.len() - 1);
        }
        Self {
            players,
            group_of,
            groups,
            met,
            forbidden: each_way(&settings.forbidden_pairs, &numbered),
            unwanted: (!settings.unwanted_pairs.is_empty())
                .then(|| each_way(&settings.unwanted_pairs, &numbered)),
            ascending,
            teams_apart: round <= settings.avoid_team_rounds,
            team_avoidance: settings.team_avoidance,
            third_colour: if nigiri {
                ThirdColour::Allowed
            } else {
                settings.third_colour
            },
            colours: settings.colours,
            floats_counted: settings.avoid_repeated_floats,
        }
    }

    /// The field with some of its players only, given in list order; at least one of each group.
    pub(super) fn only(&self, kept: &[usize]) -> Self {
        let mut place = vec![None; self.players.len()];
        for (at, player) in kept.iter().enumerate() {
            place[*player] = Some(at);
        }
        let met = kept.iter().map(|player| {
            self.met[*player]
                .iter()
                .filter_map(|(other, met)| Some((place[*other]?, *met)))
                .collect()
        });
        let among = |pairs: &[Vec<usize>]| -> Vec<Vec<usize>> {
            let of = |player: &usize| {
                let others = pairs[*player].iter();
                others.filter_map(|other| place[*other]).collect()
            };
            kept.iter().map(of).collect()
        };
        let mut groups = self.groups.clone();
        for (group, span) in groups.iter_mut().enumerate() {
            span.start = kept.partition_point(|player| self.group_of[*player] < group);
            span.end = kept.partition_point(|player| self.group_of[*player] <= group);
        }
        Self {
            players: kept.iter().map(|player| self.players[*player].clone()).collect(),
            group_of: kept.iter().map(|player| self.group_of[*player]).collect(),
            groups,
            met: met.collect(),
            forbidden: among(&self.forbidden),
            unwanted: self.unwanted.as_deref().map(among),
            ..*self
        }
    }

    /// Some neighbouring groups as a field of their own. With `open`, if there are groups below them,
    /// two who can meet anybody stand for all of those, in a group after the others: who meets one
    /// of them floats out of the part.
    pub(super) fn part(&self, groups: Range<usize>, open: bool) -> Self {
        let players: Vec<usize> =
            (self.groups[groups.start].start..self.groups[groups.end - 1].end).collect();
        let mut part = self.only(&players);
        part.groups = part.groups[groups.clone()].to_vec();
        part.group_of.iter_mut().for_each(|group| *group -= groups.start);
        if let Some(below) = self.groups.get(groups.end).filter(|_| open) {
            let start = part.players.len();
            part.groups.push(Group {
                score: below.score,
                start,
                end: start + 2,
            });
            for _ in 0..2 {
                part.players.push(Player {
                    number: part.players[0].number,
                    score: below.score,
                    balance: 0,
                    team: None,
                    floated_down: false,
                    floated_up: false,
                    byes: u32::MAX,
                    streak: None,
                });
                part.group_of.push(groups.len());
                part.met.push(BTreeMap::new());
                part.forbidden.push(Vec::new());
                if let Some(unwanted) = &mut part.unwanted {
                    unwanted.push(Vec::new());
                }
            }
        }
        part
    }

    /// How often two players have met.
    pub(super) fn met(&self, a: usize, b: usize) -> Met {
        self.met[a].get(&b).copied().unwrap_or_default()
    }

    /// Whether two players may be paired at all: they have not met (or `repeats` are confirmed), and
    /// no rule keeps them apart.
    pub(super) fn legal(&self, a: usize, b: usize, repeats: bool) -> bool {
        (repeats || self.met[a].is_empty() || self.met(a, b).times == 0)
            && !(self.forbidden(a, b) || self.team_barred(a, b) || self.third_barred(a, b))
    }

    /// Whether the two are a forbidden pair.
    pub(super) fn forbidden(&self, a: usize, b: usize) -> bool {
        self.forbidden[a].binary_search(&b).is_ok()
    }

    /// Whether the two are team mates in a round in which those are never paired.
    pub(super) fn team_barred(&self, a: usize, b: usize) -> bool {
        self.team_avoidance == TeamAvoidance::Absolute && self.teams_apart && self.team_mates(a, b)
    }

    /// Whether one of the two would have the same colour a third time, and that is forbidden.
    pub(super) fn third_barred(&self, a: usize, b: usize) -> bool {
        self.third_colour == ThirdColour::Forbidden && self.third_time(a, b)
    }

    fn team_mates(&self, a: usize, b: usize) -> bool {
        self.players[a].team.is_some() && self.players[a].team == self.players[b].team
    }

    /// Whether P4 counts the pair: team mates in the rounds in which they are kept apart, and
    /// unwanted pairs in every round.
    pub(super) fn unwanted(&self, a: usize, b: usize) -> bool {
        let listed = |unwanted: &Vec<Vec<usize>>| unwanted[a].binary_search(&b).is_ok();
        (self.teams_apart && self.team_mates(a, b)) || self.unwanted.as_ref().is_some_and(listed)
    }

    /// Whether both had the same colour in their last two games, so that one of them would have it
    /// a third time.
    pub(super) fn third_time(&self, a: usize, b: usize) -> bool {
        self.players[a].streak.is_some() && self.players[a].streak == self.players[b].streak
    }

    /// Whether two players are owed the same colour.
    pub(super) fn same_colour(&self, a: usize, b: usize) -> bool {
        self.players[a].balance.signum() * self.players[b].balance.signum() > 0
    }
}

/// Pairs of numbers as, for each player, the others ascending; numbers that do not play are left out.
fn each_way(pairs: &[(Number, Number)], place: &BTreeMap<Number, usize>) -> Vec<Vec<usize>> {
    let mut others = vec![Vec::new(); place.len()];
    for (one, other) in pairs {
        if let (Some(&a), Some(&b)) = (place.get(one), place.get(other)) {
            others[a].push(b);
            others[b].push(a);
        }
    }
    for others in &mut others {
        others.sort_unstable();
    }
    others
}

/// What the rounds so far left with each entry, in the order of the stage's entries.
struct History {
    entries: Vec<Past>,
    met: Vec<BTreeMap<usize, Met>>,
}

#[derive(Clone, Default)]
struct Past {
    score: Score,
    balance: i32,
    floated_down: bool,
    floated_up: bool,
    byes: u32,
    last: Option<Side>,
    streak: Option<Side>,
}

impl History {
    fn of(stage: &Stage) -> Self {
        let place: BTreeMap<Number, usize> = stage
            .entries
            .iter()
            .enumerate()
            .map(|(at, entry)| (entry.number, at))
            .collect();
        let last = stage.next_round() - 1;
        let books = tally(stage, last);
        let mut met = vec![BTreeMap::<usize, Met>::new(); stage.entries.len()];
        let mut entries = Vec::with_capacity(stage.entries.len());
        for (at, (entry, book)) in stage.entries.iter().zip(&books).enumerate() {
            let mut past = Past {
                score: book.score,
                ..Past::default()
            };
            if let Some(carried) = &entry.carried {
                past.balance = carried.balance;
                // On paper a meeting is often noted with one of the two only.
                for other in carried.met.iter().filter_map(|number| place.get(number).copied()) {
                    met[at].insert(
                        other,
                        Met {
                            times: 1,
                            just_before: false,
                        },
                    );
                    met[other].insert(
                        at,
                        Met {
                            times: 1,
                            just_before: false,
                        },
                    );
                }
            }
            entries.push(past);
        }
        for (at, book) in books.iter().enumerate() {
            let past = &mut entries[at];
            for (index, game) in book.games.iter().enumerate() {
                let played = game.kind == Kind::Game;
                past.byes += u32::from(game.kind == Kind::Bye || (game.won() && !played));
                let Some((other, side)) = game
                    .opponent
                    .and_then(|number| place.get(&number).copied())
                    .zip(game.side)
                else {
                    continue;
                };
                if played {
                    past.balance += if side == Side::White { 1 } else { -1 };
                    past.streak = Some(side).filter(|_| past.last == Some(side));
                    past.last = Some(side);
                }
                let (mine, theirs) = (book.score_before(index), books[other].score_before(index));
                past.floated_down |= mine > theirs;
                past.floated_up |= mine < theirs;
                if game.kind != Kind::Forfeit || !stage.pairing.forfeits_may_meet_again {
                    let met = met[at].entry(other).or_default();
                    met.times += 1;
                    met.just_before |= game.round == last;
                }
            }
        }
        Self { entries, met }
    }
}
