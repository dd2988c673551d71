//! What is known of everybody before a round, worked out from the record alone.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::draw::{Label, shuffled};
use crate::entry::{Entry, Number};
use crate::result::{Outcome, Side};
use crate::round::Round;
use crate::score::Score;
use crate::settings::{Colours, NumberOrder, OrderBy, PairingOrder, TeamAvoidance, ThirdColour};
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
    /// The colour of the last game that was played with one.
    pub last: Option<Side>,
    /// The colour of the last two games that were played with one, when it was the same in both.
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

/// Why two players are not paired in any table, unless the director fixes the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Barred {
    /// The settings forbid the pair.
    Forbidden,
    /// The director keeps the two apart in this round.
    Apart,
    /// Team mates are never paired in this round.
    TeamMates,
    /// Both had the same colour in their last two games, and a third time is forbidden.
    ThirdColour,
}

/// Everything that the criteria of one round look at.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether one setting matters in the round"
)]
pub struct Facts {
    /// The round that is paired.
    pub round: u32,
    /// Whether smaller numbers come first in this round.
    pub ascending: bool,
    /// Whether team mates are kept apart in this round.
    pub teams_matter: bool,
    /// How much that matters.
    pub team_avoidance: TeamAvoidance,
    /// Whether P4 counts anything in this round: team mates or unwanted pairs.
    pub avoided_pairs_matter: bool,
    /// The same colour three times running; allowed where no colours are assigned.
    pub third_colour: ThirdColour,
    /// Who has Black at equal balance, and whether colours are assigned.
    pub colours: Colours,
    /// Whether repeated floats are avoided.
    pub repeated_floats_matter: bool,
    /// Whether the list order is known: an order by lots needs the seed.
    pub order_known: bool,
    /// Everybody in the field, in list order: by score, highest first, then as the setting says, the
    /// default being by number in the round's direction.
    pub players: Vec<Player>,
    /// Who has a bye for having asked for it, ascending. They are not among the players.
    pub byes_asked: Vec<Number>,
    /// Who has a bye by the director's choice, ascending. They are among the players.
    pub byes_chosen: Vec<Number>,
    /// Who has reached the standard and is not paired any more, ascending.
    pub finished: Vec<Number>,
    /// By place, the partner whom the director has fixed.
    fixed: Vec<Option<usize>>,
    /// By place, whether the director has given the bye.
    bye_fixed: Vec<bool>,
    /// By place, where the lots for colours put a player.
    colour_lots: Option<Vec<usize>>,
    /// By number, the place.
    place: Vec<u32>,
    met: Vec<Vec<(usize, Meetings)>>,
    forbidden: Vec<Vec<usize>>,
    apart: Vec<Vec<usize>>,
    unwanted: Vec<Vec<usize>>,
    any_barred: bool,
}

const NOWHERE: u32 = u32::MAX;

impl Facts {
    /// The facts before round `round`, without choices of the director and without lots: of the
    /// recorded rounds only earlier ones count. `sat_out` are not in the field.
    pub fn before(stage: &Stage, round: u32, sat_out: &[Number]) -> Self {
        Self::of(
            stage,
            &Round {
                round,
                absent: sat_out.to_vec(),
                ..Round::default()
            },
        )
    }

    /// The facts before a table's round, with the choices and the seed it was paired with; its boards,
    /// byes and results are not looked at. In the field is every entry that is neither withdrawn, nor
    /// absent by its own word, nor listed as absent or sitting out, nor has reached the standard, nor
    /// has asked for the bye.
    pub fn of(stage: &Stage, table: &Round) -> Self {
        let round = table.round;
        let settings = &stage.pairing;
        let most = stage.entries.iter().map(|entry| entry.number.get()).max();
        let index = Index::of(most.unwrap_or(0), stage.entries.iter().map(|entry| entry.number));
        let mut all = history(stage, round, &index);
        let mut field: Vec<(usize, &Entry)> = Vec::new();
        let (mut byes_asked, mut byes_chosen, mut finished) = (Vec::new(), Vec::new(), Vec::new());
        let absent = Index::of(most.unwrap_or(0), table.absent.iter().copied());
        let sitting_out = Index::of(most.unwrap_or(0), table.choices.sitting_out.iter().copied());
        for (at, entry) in stage.entries.iter().enumerate() {
            let number = entry.number;
            if index.get(number) != Some(at) || !entry.plays_in(round) {
                continue;
            }
            let sits_out = absent.get(number).is_some() || sitting_out.get(number).is_some();
            if settings.stop_at.is_some_and(|standard| all[at].score >= standard) {
                finished.push(number);
            } else if sits_out {
                // Neither paired nor given the bye.
            } else if entry.bye_rounds.contains(&round) {
                byes_asked.push(number);
            } else {
                if table.choices.byes.contains(&number) {
                    byes_chosen.push(number);
                }
                field.push((at, entry));
            }
        }
        for list in [&mut byes_asked, &mut byes_chosen, &mut finished] {
            list.sort_unstable();
        }
        let ascending = match settings.number_order {
            NumberOrder::Alternate => round % 2 == 1,
            NumberOrder::Ascending => true,
            NumberOrder::Descending => false,
        };
        field.sort_by_key(|(_, entry)| entry.number);
        let lots = |label: Label| -> Option<Vec<usize>> {
            let order = shuffled(table.seed?, label, field.len());
            let mut place_of = vec![0; order.len()];
            for (place, who) in order.into_iter().enumerate() {
                place_of[who] = place;
            }
            Some(place_of)
        };
        let by_lots = (settings.order == PairingOrder::Random)
            .then(|| lots(Label::Order))
            .flatten();
        let colours_by_lots = (settings.colours == Colours::Lots)
            .then(|| lots(Label::Colours))
            .flatten();
        let order_known = settings.order != PairingOrder::Random || by_lots.is_some();
        let mut order: Vec<usize> = (0..field.len()).collect();
        order.sort_by(|a, b| {
            let ((at_a, one), (at_b, other)) = (field[*a], field[*b]);
            let by_number = one.number.cmp(&other.number);
            let in_group = match settings.order {
                PairingOrder::Random => by_lots.as_ref().map_or(by_number, |lots| lots[*a].cmp(&lots[*b])),
                PairingOrder::Fold | PairingOrder::Slide => {
                    by_strength(settings.order_by, one, other).then(by_number)
                }
                PairingOrder::Classic if ascending => by_number,
                PairingOrder::Classic => by_number.reverse(),
            };
            all[at_b].score.cmp(&all[at_a].score).then(in_group)
        });
        let mut place = vec![NOWHERE; most.map_or(0, |most| most as usize + 1)];
        let players: Vec<Player> = order
            .iter()
            .zip(0_u32..)
            .map(|(who, at_place)| {
                let (at, entry) = field[*who];
                place[entry.number.get() as usize] = at_place;
                let past = std::mem::take(&mut all[at]);
                Player {
                    number: entry.number,
                    score: past.score,
                    balance: past.balance,
                    team: entry
                        .team
                        .as_deref()
                        .map(str::trim)
                        .filter(|team| !team.is_empty())
                        .map(str::to_owned),
                    points_without_play: past.points_without_play,
                    floated_down: past.floated_down,
                    floated_up: past.floated_up,
                    last: past.last,
                    streak: past.streak,
                }
            })
            .collect();
        let count = players.len();
        let mut facts = Self {
            round,
            ascending,
            teams_matter: round <= settings.avoid_team_rounds,
            team_avoidance: settings.team_avoidance,
            avoided_pairs_matter: round <= settings.avoid_team_rounds || !settings.unwanted_pairs.is_empty(),
            third_colour: if settings.colours == Colours::Nigiri {
                ThirdColour::Allowed
            } else {
                settings.third_colour
            },
            colours: settings.colours,
            repeated_floats_matter: settings.avoid_repeated_floats,
            order_known,
            players,
            byes_asked,
            byes_chosen,
            finished,
            fixed: vec![None; count],
            bye_fixed: vec![false; count],
            colour_lots: colours_by_lots.map(|lots| order.iter().map(|who| lots[*who]).collect()),
            place,
            met: Vec::new(),
            forbidden: Vec::new(),
            apart: Vec::new(),
            unwanted: Vec::new(),
            any_barred: false,
        };
        for (one, other) in &table.choices.pairs {
            if let (Some(a), Some(b)) = (facts.place(*one), facts.place(*other))
                && a != b
                && facts.fixed[a].is_none()
                && facts.fixed[b].is_none()
            {
                facts.fixed[a] = Some(b);
                facts.fixed[b] = Some(a);
            }
        }
        for number in &facts.byes_chosen {
            if let Some(place) = facts.place(*number) {
                facts.bye_fixed[place] = true;
            }
        }
        facts.forbidden = facts.each_way(&settings.forbidden_pairs);
        facts.apart = facts.each_way(&table.choices.apart);
        facts.unwanted = facts.each_way(&settings.unwanted_pairs);
        facts.any_barred = !settings.forbidden_pairs.is_empty()
            || !table.choices.apart.is_empty()
            || facts.third_colour == ThirdColour::Forbidden
            || (facts.teams_matter && facts.team_avoidance == TeamAvoidance::Absolute);
        facts.met = facts.meetings_in(stage);
        facts
    }

    fn each_way(&self, pairs: &[(Number, Number)]) -> Vec<Vec<usize>> {
        let mut others = vec![Vec::new(); self.players.len()];
        for (one, other) in pairs {
            if let (Some(a), Some(b)) = (self.place(*one), self.place(*other)) {
                others[a].push(b);
                others[b].push(a);
            }
        }
        for list in &mut others {
            list.sort_unstable();
        }
        others
    }

    fn meetings_in(&self, stage: &Stage) -> Vec<Vec<(usize, Meetings)>> {
        let mut carried: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for entry in &stage.entries {
            let Some(a) = self.place(entry.number) else {
                continue;
            };
            let mut listed: BTreeMap<usize, u32> = BTreeMap::new();
            let others = entry.carried.iter().flat_map(|carried| &carried.met);
            for b in others.filter_map(|other| self.place(*other)) {
                *listed.entry(b).or_default() += 1;
            }
            for (b, times) in listed {
                // Both sides list the meeting, so the sums are not added up.
                let met = carried.entry((a.min(b), a.max(b))).or_default();
                *met = (*met).max(times);
            }
        }
        let mut met: Vec<Vec<(usize, Meetings)>> = vec![Vec::new(); self.players.len()];
        let mut note = |a: usize, b: usize, meetings: Meetings| {
            met[a].push((b, meetings));
            met[b].push((a, meetings));
        };
        for ((a, b), times) in carried {
            note(
                a,
                b,
                Meetings {
                    times,
                    just_before: false,
                },
            );
        }
        for past in stage.rounds.iter().filter(|past| past.round < self.round) {
            let once = Meetings {
                times: 1,
                just_before: past.round + 1 == self.round,
            };
            for board in &past.boards {
                let forfeited = board.result.is_some_and(|outcome| !outcome.played());
                if forfeited && stage.pairing.forfeits_may_meet_again {
                    continue;
                }
                if let (Some(a), Some(b)) = (self.place(board.black), self.place(board.white))
                    && a != b
                {
                    note(a, b, once);
                }
            }
        }
        for list in &mut met {
            list.sort_by_key(|(other, _)| *other);
            list.dedup_by(|(other, meetings), (kept, sum)| {
                let same = other == kept;
                if same {
                    sum.times += meetings.times;
                    sum.just_before |= meetings.just_before;
                }
                same
            });
        }
        met
    }

    /// The place of a number in [`players`](Self::players); none when it is not paired.
    pub fn place(&self, number: Number) -> Option<usize> {
        let place = self.place.get(number.get() as usize).copied()?;
        (place != NOWHERE).then_some(place as usize)
    }

    /// How often two players, by place, have met.
    pub fn meetings(&self, a: usize, b: usize) -> Meetings {
        self.met[a]
            .binary_search_by_key(&b, |(other, _)| *other)
            .map_or_else(|_| Meetings::default(), |at| self.met[a][at].1)
    }

    /// Whom a player has met, by place in ascending order.
    pub fn opponents(&self, a: usize) -> impl Iterator<Item = usize> {
        self.met[a].iter().map(|(other, _)| *other)
    }

    /// The scores that occur among those who are paired, highest first.
    pub fn groups(&self) -> Vec<Score> {
        let mut groups: Vec<Score> = self.players.iter().map(|player| player.score).collect();
        groups.dedup();
        groups
    }

    /// The partner whom the director has fixed for a player.
    pub fn fixed(&self, a: usize) -> Option<usize> {
        self.fixed[a]
    }

    /// Whether the director has fixed nothing for a player: neither a partner nor the bye.
    pub fn free(&self, a: usize) -> bool {
        self.fixed[a].is_none() && !self.bye_fixed[a]
    }

    /// Whether colours are assigned in this event.
    pub fn colours_matter(&self) -> bool {
        self.colours != Colours::Nigiri
    }

    /// Whether two players are owed the same colour.
    pub fn same_sign(&self, a: usize, b: usize) -> bool {
        self.colours_matter() && self.players[a].balance.signum() * self.players[b].balance.signum() > 0
    }

    /// Whether two players are of one team.
    pub fn team_mates(&self, a: usize, b: usize) -> bool {
        self.players[a].team.is_some() && self.players[a].team == self.players[b].team
    }

    /// Whether the settings name two players as a pair to avoid.
    pub fn unwanted(&self, a: usize, b: usize) -> bool {
        self.unwanted[a].binary_search(&b).is_ok()
    }

    /// Whether P4 counts a pair.
    pub fn avoided(&self, a: usize, b: usize) -> bool {
        (self.teams_matter && self.team_mates(a, b)) || self.unwanted(a, b)
    }

    /// The colour that both players had in their last two games, so that one of them would have it
    /// a third time.
    pub fn third_colour(&self, a: usize, b: usize) -> Option<Side> {
        let (one, other) = (self.players[a].streak, self.players[b].streak);
        one.filter(|_| self.colours_matter() && one == other)
    }

    /// What forbids a pair in every table; nothing for most, and for pairs that the director has fixed.
    /// Having met does not: that is P1.
    pub fn barred(&self, a: usize, b: usize) -> Option<Barred> {
        if !self.any_barred || self.fixed[a] == Some(b) {
            None
        } else if self.forbidden[a].binary_search(&b).is_ok() {
            Some(Barred::Forbidden)
        } else if self.apart[a].binary_search(&b).is_ok() {
            Some(Barred::Apart)
        } else if self.team_avoidance == TeamAvoidance::Absolute && self.teams_matter && self.team_mates(a, b)
        {
            Some(Barred::TeamMates)
        } else if self.third_colour == ThirdColour::Forbidden && self.third_colour(a, b).is_some() {
            Some(Barred::ThirdColour)
        } else {
            None
        }
    }

    /// Whether anything can be barred at all.
    pub fn any_barred(&self) -> bool {
        self.any_barred
    }

    /// Whether a pair can be part of a table: nothing bars it, and the director has fixed nothing else
    /// for either.
    pub fn legal(&self, a: usize, b: usize) -> bool {
        self.fixed[a] == Some(b) || (self.free(a) && self.free(b) && self.barred(a, b).is_none())
    }

    /// Who of two players has Black by the rule: the larger balance; at equal balance whom the setting
    /// names, in the end the first in the round's number order. Where the same colour for a third
    /// game is not simply allowed, an order of colours that gives nobody one comes before that.
    /// None where colours are not assigned, or by lots that are not known.
    pub fn black_by_rule(&self, a: usize, b: usize) -> Option<usize> {
        let (first, second) = (&self.players[a], &self.players[b]);
        let a_by_number = (first.number < second.number) == self.ascending;
        let a_at_equal_balance = match self.colours {
            Colours::Nigiri => return None,
            Colours::Number => Some(a_by_number),
            Colours::Alternate => Some(match (first.last, second.last) {
                (Some(Side::White), Some(Side::Black)) => true,
                (Some(Side::Black), Some(Side::White)) => false,
                _ => a_by_number,
            }),
            Colours::Lots => self.colour_lots.as_ref().map(|lots| lots[a] < lots[b]),
        };
        let by_balance = match first.balance.cmp(&second.balance) {
            Ordering::Greater => Some(true),
            Ordering::Less => Some(false),
            Ordering::Equal => a_at_equal_balance,
        };
        let third = |a_has_black: bool| {
            let (black, white) = if a_has_black {
                (first, second)
            } else {
                (second, first)
            };
            black.streak == Some(Side::Black) || white.streak == Some(Side::White)
        };
        let a_has_black = match (self.third_colour, third(true), third(false)) {
            (ThirdColour::Allowed, ..) | (_, true, true) | (_, false, false) => by_balance?,
            (_, third_with_black, _) => !third_with_black,
        };
        Some(if a_has_black { a } else { b })
    }
}

/// The stronger first.
fn by_strength(by: OrderBy, one: &Entry, other: &Entry) -> Ordering {
    match by {
        OrderBy::Rating => other.rating.cmp(&one.rating),
        OrderBy::Grade => other.grade.cmp(&one.grade),
        OrderBy::Number => Ordering::Equal,
    }
}

/// By number, where something is in a list.
struct Index(Vec<u32>);

impl Index {
    /// Of several equal numbers the first counts; numbers above `most` are left out.
    fn of(most: u32, numbers: impl Iterator<Item = Number>) -> Self {
        let mut index = vec![NOWHERE; most as usize + 1];
        for (at, number) in (0_u32..).zip(numbers) {
            if let Some(slot) = index.get_mut(number.get() as usize)
                && *slot == NOWHERE
            {
                *slot = at;
            }
        }
        Self(index)
    }

    fn get(&self, number: Number) -> Option<usize> {
        let at = self.0.get(number.get() as usize).copied()?;
        (at != NOWHERE).then_some(at as usize)
    }
}

#[derive(Clone, Default)]
struct Past {
    score: Score,
    balance: i32,
    points_without_play: u32,
    floated_down: bool,
    floated_up: bool,
    last: Option<Side>,
    streak: Option<Side>,
}

/// What the rounds before one left with each entry, in the order of the stage's entries.
fn history(stage: &Stage, round: u32, index: &Index) -> Vec<Past> {
    let mut all: Vec<Past> = stage
        .entries
        .iter()
        .map(|entry| {
            let carried = entry.carried.as_ref();
            Past {
                score: entry.start_score + carried.map_or(Score::ZERO, |carried| carried.score),
                balance: carried.map_or(0, |carried| carried.balance),
                ..Past::default()
            }
        })
        .collect();
    for past in stage.rounds.iter().filter(|past| past.round < round) {
        let before: Vec<Score> = all.iter().map(|past| past.score).collect();
        let mut points = vec![stage.pairing.absent_score; all.len()];
        for number in &past.byes {
            if let Some(at) = index.get(*number) {
                points[at] = stage.pairing.bye_score;
                all[at].points_without_play += 1;
            }
        }
        for board in &past.boards {
            // A pending board is taken as a draw: the director has agreed to that, or there would be
            // no later round.
            let outcome = board.result.unwrap_or(Outcome::Draw);
            for side in [Side::Black, Side::White] {
                let Some(at) = index.get(board.on(side)) else {
                    continue;
                };
                points[at] = outcome.score(side);
                let player = &mut all[at];
                if !outcome.played() {
                    player.points_without_play += u32::from(outcome.winner() == Some(side));
                } else if !board.nigiri {
                    player.balance += if side == Side::White { 1 } else { -1 };
                    player.streak = player.last.filter(|last| *last == side);
                    player.last = Some(side);
                }
                if let Some(other) = index.get(board.on(side.other())) {
                    player.floated_down |= before[at] > before[other];
                    player.floated_up |= before[at] < before[other];
                }
            }
        }
        for (player, points) in all.iter_mut().zip(points) {
            player.score += points;
        }
    }
    all
}
