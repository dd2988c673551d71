//! Who plays a round, and what is known of them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::shortage::Rule;
use crate::draw::{self, Label, Seed};
use crate::entry::{Entry, Number};
use crate::result::Side;
use crate::round::Choices;
use crate::score::Score;
use crate::settings::{Colours, NumberOrder, OrderBy, PairingOrder, TeamAvoidance, ThirdColour};
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
    /// The colour of the last game. Here and in `streak`, byes and forfeits do not count.
    pub(super) last: Option<Side>,
    /// The colour of the last two games, when it was the same in both.
    pub(super) streak: Option<Side>,
    /// The place in the lots for colours; 0 when none are drawn.
    pub(super) lot: usize,
    /// May not float down, for the sake of a question.
    pub(super) stays: bool,
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

/// More byes than anybody has had.
const KEPT_FROM_BYE: u32 = 1 << 20;

/// Why an entry is not in the field of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elsewhere {
    /// Withdrawn, or sitting the round out by itself.
    Absent,
    /// Sitting the round out because the director says so.
    SatOut,
    /// Has reached the score at which nobody is paired any more.
    Stopped,
    /// Has asked for the bye in this round.
    Bye,
}

impl Elsewhere {
    fn of(stage: &Stage, entry: &Entry, score: Score, sitting_out: &BTreeSet<Number>) -> Option<Self> {
        let round = stage.next_round();
        if !entry.plays_in(round) {
            Some(Self::Absent)
        } else if sitting_out.contains(&entry.number) {
            Some(Self::SatOut)
        } else if stage.pairing.stop_at.is_some_and(|enough| score >= enough) {
            Some(Self::Stopped)
        } else if entry.bye_rounds.contains(&round) {
            Some(Self::Bye)
        } else {
            None
        }
    }
}

/// The field of one round: everybody who is paired or may have the bye. Players are in list order:
/// groups downwards, inside a group in the order of the settings; an index into `players` therefore
/// says who comes first.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) players: Vec<Player>,
    pub(super) group_of: Vec<usize>,
    pub(super) groups: Vec<Group>,
    /// The entries that are not in the field, and why.
    pub(super) elsewhere: BTreeMap<Number, Elsewhere>,
    met: Vec<BTreeMap<usize, Met>>,
    /// Of each player, ascending, with whom no pair is made in any case.
    forbidden: Vec<Vec<usize>>,
    /// The same, by choice of the director for this round.
    apart: Vec<Vec<usize>>,
    /// Of each player, ascending, with whom a pair counts as one of team mates. `None` when the
    /// settings name no such pair, of whomever.
    pub(super) unwanted: Option<Vec<Vec<usize>>>,
    /// The partner that is preferred in a group.
    pub(super) order: PairingOrder,
    /// Whether the smaller number comes first in this round's number order.
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
    pub(super) fn of(stage: &Stage, choices: &Choices, seed: Option<Seed>) -> Self {
        let round = stage.next_round();
        let settings = &stage.pairing;
        let history = History::of(stage);
        let ascending = match settings.number_order {
            NumberOrder::Alternate => round % 2 == 1,
            NumberOrder::Ascending => true,
            NumberOrder::Descending => false,
        };
        let mut entries: Vec<(usize, &Entry)> = Vec::new();
        let mut elsewhere = BTreeMap::new();
        let sitting_out: BTreeSet<Number> = choices.sitting_out.iter().copied().collect();
        for (at, entry) in stage.entries.iter().enumerate() {
            match Elsewhere::of(stage, entry, history.entries[at].score, &sitting_out) {
                None => entries.push((at, entry)),
                Some(why) => {
                    elsewhere.insert(entry.number, why);
                }
            }
        }
        entries.sort_by_key(|(_, entry)| entry.number);
        let lots = |label: Label| -> Vec<usize> {
            let mut place = vec![0; stage.entries.len()];
            if let Some(seed) = seed {
                for (lot, who) in draw::shuffled(seed, label, entries.len()).into_iter().enumerate() {
                    place[entries[who].0] = lot;
                }
            }
            place
        };
        let order_lots = lots_for(settings.order == PairingOrder::Random, || lots(Label::Order));
        let colour_lots = lots_for(settings.colours == Colours::Lots, || lots(Label::Colours));
        entries.sort_by(|(at_a, a), (at_b, b)| {
            let in_list = match (settings.order, settings.order_by) {
                (PairingOrder::Classic, _) if !ascending => b.number.cmp(&a.number),
                (PairingOrder::Random, _) => order_lots.get(*at_a).cmp(&order_lots.get(*at_b)),
                (PairingOrder::Fold | PairingOrder::Slide, OrderBy::Rating) => b.rating.cmp(&a.rating),
                (PairingOrder::Fold | PairingOrder::Slide, OrderBy::Grade) => b.grade.cmp(&a.grade),
                _ => Ordering::Equal,
            };
            let score = |at: &usize| history.entries[*at].score;
            score(at_b)
                .cmp(&score(at_a))
                .then(in_list)
                .then(a.number.cmp(&b.number))
        });
        let mut teams: BTreeMap<&str, usize> = BTreeMap::new();
        let players: Vec<(usize, Player)> = entries
            .into_iter()
            .map(|(at, entry)| {
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
                    last: past.last,
                    streak: past.streak,
                    lot: colour_lots.get(at).copied().unwrap_or(0),
                    stays: false,
                };
                (at, player)
            })
            .collect();
        let place: BTreeMap<usize, usize> = players.iter().enumerate().map(|(i, (at, _))| (*at, i)).collect();
        let numbered: BTreeMap<Number, usize> = players
            .iter()
            .enumerate()
            .map(|(i, (_, player))| (player.number, i))
            .collect();
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
            elsewhere,
            met,
            forbidden: each_way(&settings.forbidden_pairs, &numbered),
            apart: each_way(&choices.apart, &numbered),
            unwanted: (!settings.unwanted_pairs.is_empty())
                .then(|| each_way(&settings.unwanted_pairs, &numbered)),
            order: settings.order,
            ascending,
            teams_apart: round <= settings.avoid_team_rounds,
            team_avoidance: settings.team_avoidance,
            third_colour: match settings.colours {
                Colours::Nigiri => ThirdColour::Allowed,
                _ => settings.third_colour,
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
            elsewhere: BTreeMap::new(),
            met: met.collect(),
            forbidden: among(&self.forbidden),
            apart: among(&self.apart),
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
                    last: None,
                    streak: None,
                    lot: 0,
                    stays: false,
                });
                part.group_of.push(groups.len());
                part.met.push(BTreeMap::new());
                part.forbidden.push(Vec::new());
                part.apart.push(Vec::new());
                if let Some(unwanted) = &mut part.unwanted {
                    unwanted.push(Vec::new());
                }
            }
        }
        part
    }

    /// The field without some of its players, and who stayed. Groups of which nobody stayed are gone:
    /// no pair ends in them, so all borders at such a group are crossed by the same pairs.
    pub(super) fn without(&self, out: &BTreeSet<usize>) -> (Self, Vec<usize>) {
        let kept: Vec<usize> = (0..self.players.len())
            .filter(|player| !out.contains(player))
            .collect();
        let mut field = self.only(&kept);
        field.groups.retain(|group| group.start < group.end);
        for (group, span) in field.groups.iter().enumerate() {
            field.group_of[span.start..span.end].fill(group);
        }
        (field, kept)
    }

    /// Keeps two players apart, as the director can.
    pub(super) fn keep_apart(&mut self, a: usize, b: usize) {
        for (one, other) in [(a, b), (b, a)] {
            if let Err(at) = self.apart[one].binary_search(&other) {
                self.apart[one].insert(at, other);
            }
        }
    }

    /// Keeps a player from floating down.
    pub(super) fn keep_in_group(&mut self, player: usize) {
        self.players[player].stays = true;
        let below = self.groups[self.group_of[player]].end..self.players.len();
        self.keep_all_apart(player, below);
    }

    /// Keeps a player from floating up.
    pub(super) fn keep_from_above(&mut self, player: usize) {
        let above = 0..self.groups[self.group_of[player]].start;
        self.keep_all_apart(player, above);
    }

    fn keep_all_apart(&mut self, player: usize, others: Range<usize>) {
        for other in others {
            self.keep_apart(player, other);
        }
    }

    /// Gives a player so many byes that he or she has another one only where nobody else can.
    pub(super) fn keep_from_bye(&mut self, player: usize) {
        self.players[player].byes += KEPT_FROM_BYE;
    }

    /// How often two players have met.
    pub(super) fn met(&self, a: usize, b: usize) -> Met {
        self.met[a].get(&b).copied().unwrap_or_default()
    }

    /// Whether two players may be paired at all: they have not met (or `repeats` are confirmed), and
    /// no rule keeps them apart.
    pub(super) fn legal(&self, a: usize, b: usize, repeats: bool) -> bool {
        let mut rules = Rule::ALL.into_iter();
        !rules.any(|rule| !(repeats && rule == Rule::Met) && self.barred(rule, a, b))
    }

    /// Whether a rule keeps two players apart.
    pub(super) fn barred(&self, rule: Rule, a: usize, b: usize) -> bool {
        match rule {
            Rule::Met => self.met(a, b).times > 0,
            Rule::Forbidden => self.forbidden[a].binary_search(&b).is_ok(),
            Rule::Chosen => self.apart[a].binary_search(&b).is_ok(),
            Rule::TeamMates | Rule::ThirdColour => {
                let class = self.class(rule, a);
                class.is_some() && class == self.class(rule, b)
            }
        }
    }

    /// With whom a player is kept apart by a rule that lists its pairs.
    pub(super) fn listed(&self, rule: Rule, player: usize) -> Vec<usize> {
        match rule {
            Rule::Met => self.met[player].keys().copied().collect(),
            Rule::Forbidden => self.forbidden[player].clone(),
            Rule::Chosen => self.apart[player].clone(),
            Rule::TeamMates | Rule::ThirdColour => Vec::new(),
        }
    }

    /// For a rule that keeps everybody of one kind apart: the kind of a player.
    pub(super) fn class(&self, rule: Rule, player: usize) -> Option<usize> {
        let player = &self.players[player];
        match rule {
            Rule::TeamMates if self.team_avoidance == TeamAvoidance::Absolute && self.teams_apart => {
                player.team
            }
            Rule::ThirdColour if self.third_colour == ThirdColour::Forbidden => {
                player.streak.map(|side| side as usize)
            }
            _ => None,
        }
    }

    pub(super) fn team_mates(&self, a: usize, b: usize) -> bool {
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

    /// The colour owed to a player: −1 White, 0 none, 1 Black.
    pub(super) fn owed(&self, player: usize) -> i32 {
        self.players[player].balance.signum()
    }

    /// Whether two players are owed the same colour.
    pub(super) fn same_colour(&self, a: usize, b: usize) -> bool {
        self.owed(a) * self.owed(b) > 0
    }
}

fn lots_for(needed: bool, lots: impl FnOnce() -> Vec<usize>) -> Vec<usize> {
    if needed { lots() } else { Vec::new() }
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
        // Where nobody assigns colours, none is owed.
        let colours = stage.pairing.colours != Colours::Nigiri;
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
                past.balance = if colours { carried.balance } else { 0 };
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
                if let Some(colour) = game.colour.filter(|_| colours) {
                    past.balance += if colour == Side::White { 1 } else { -1 };
                    past.streak = Some(colour).filter(|_| past.last == Some(colour));
                    past.last = Some(colour);
                }
                let Some(other) = game.opponent.and_then(|number| place.get(&number).copied()) else {
                    continue;
                };
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
