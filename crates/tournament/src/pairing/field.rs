//! Who plays a round, and what is known of them.

use std::collections::BTreeMap;

use crate::entry::Number;
use crate::result::Side;
use crate::score::Score;
use crate::settings::NumberOrder;
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
    /// Whether the smaller number comes first in this round.
    pub(super) ascending: bool,
    /// Whether team mates are kept apart in this round.
    pub(super) teams_apart: bool,
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
            ascending,
            teams_apart: round <= stage.pairing.avoid_team_rounds,
            floats_counted: stage.pairing.avoid_repeated_floats,
        }
    }

    /// The field with some of its players only, given in list order; at least one of each group.
    pub(super) fn only(&self, kept: &[usize]) -> Self {
        let place: BTreeMap<usize, usize> = kept
            .iter()
            .enumerate()
            .map(|(at, player)| (*player, at))
            .collect();
        let met = kept.iter().map(|player| {
            self.met[*player]
                .iter()
                .filter_map(|(other, met)| Some((*place.get(other)?, *met)))
                .collect()
        });
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
            ..*self
        }
    }

    /// How often two players have met.
    pub(super) fn met(&self, a: usize, b: usize) -> Met {
        self.met[a].get(&b).copied().unwrap_or_default()
    }

    /// Whether two players are owed the same colour.
    pub(super) fn same_colour(&self, a: usize, b: usize) -> bool {
        self.players[a].balance.signum() * self.players[b].balance.signum() > 0
    }
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
