//! Why a round is paired as it is: for each criterion what was reached and how it is known that less
//! is impossible, for each board what is unusual about it and what would have been without it.
//!
//! A question is answered by pairing the round once more with one thing changed: this pair, float or
//! bye excluded, or that pair fixed. The first criterion that comes out otherwise is the answer; where
//! all of them stay the same, list order (P7) decided.

use std::cmp::Ordering;

use super::field::Field;
use super::{Pairing, Refusal, Request, pair_changed, prove};
use crate::checker::{self, Barred, Facts, Value};
use crate::draw::Seed;
use crate::entry::Number;
use crate::measure::Measure;
use crate::result::{Outcome, Side};
use crate::round::{Board, Choices, Round};
use crate::score::Score;
use crate::stage::Stage;

/// The report of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// The round.
    pub round: u32,
    /// Every criterion, in order.
    pub values: Vec<Reached>,
    /// Every board, in board order.
    pub boards: Vec<BoardReasons>,
    /// Every bye.
    pub byes: Vec<ByeReason>,
}

/// What a round reached in one criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// What is counted.
    pub measure: Measure,
    /// The score group it is counted in; for a border, the group above it.
    pub group: Option<Score>,
    /// What the round has.
    pub reached: i64,
    /// The least that is proved, all criteria before this one being as they are.
    pub least: i64,
    /// How that is known.
    pub proof: Proof,
}

/// How it is known that a criterion cannot be less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// Nothing is less than nothing.
    Nothing,
    /// Every table there is was tried: fields of up to ten players.
    EveryTable,
    /// By counting: parity at the borders, the surplus of a colour or a team in a group, the pairs
    /// that are left to meet.
    Counting,
    /// By a certificate, which the checker has verified.
    Certificate,
    /// A better table is known to exist: the round was changed by hand, or made on other results.
    Better,
    /// It is not proved.
    Open,
}

impl Proof {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::EveryTable => "every-table",
            Self::Counting => "counting",
            Self::Certificate => "certificate",
            Self::Better => "better",
            Self::Open => "open",
        }
    }
}

/// What there is to say of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardReasons {
    /// The board.
    pub board: u32,
    /// Who comes first in list order; of a float, the higher player.
    pub first: Number,
    /// The other one.
    pub second: Number,
    /// Whether the director fixed the pair.
    pub chosen: bool,
    /// What is unusual about it.
    pub properties: Vec<PropertyReason>,
    /// What would have been without this pair. None where it was not asked: large fields, fixed pairs,
    /// boards with nothing unusual.
    pub without: Option<Without>,
}

/// Something unusual about a board, and what would have been without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyReason {
    /// What it is.
    pub property: Property,
    /// The criterion that counts it, and where.
    pub counted: (Measure, Option<Score>),
    /// What would have been without it. None where it was not asked: large fields and fixed pairs.
    pub without: Option<Without>,
}

/// Something unusual about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// The two have met before.
    Repeat {
        /// How often.
        times: u32,
        /// Whether once in the round just before.
        just_before: bool,
    },
    /// The two have different scores.
    Float {
        /// The higher player.
        down: Number,
        /// The lower player.
        up: Number,
    },
    /// A player floats in a direction in which he or she has floated before.
    RepeatedFloat {
        /// The player.
        number: Number,
        /// Whether down.
        down: bool,
    },
    /// Both are of one team, in a round in which that is avoided.
    TeamMates,
    /// The settings name the two as a pair to avoid.
    Unwanted,
    /// Both had this colour in their last two games; one of them has it a third time.
    ThirdColour {
        /// The colour.
        side: Side,
    },
    /// Both are owed the same colour.
    SameColour {
        /// The colour.
        owed: Side,
        /// Whether both are owed it by two games or more.
        twice: bool,
    },
}

impl Property {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Repeat { .. } => "repeat",
            Self::Float { .. } => "float",
            Self::RepeatedFloat { .. } => "repeated-float",
            Self::TeamMates => "team-mates",
            Self::Unwanted => "unwanted",
            Self::ThirdColour { .. } => "third-colour",
            Self::SameColour { .. } => "same-colour",
        }
    }
}

/// What the best table without something is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// There is none.
    NoTable,
    /// It is worse: this is the first criterion in which it is.
    Worse(Change),
    /// It is as good on P1 to P6; list order (P7) prefers the table as it is.
    ListOrder(Choice),
    /// It is better: the round was changed by hand, or made on other results.
    Better(Change),
}

impl Without {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoTable => "no-table",
            Self::Worse(_) => "worse",
            Self::ListOrder(_) => "list-order",
            Self::Better(_) => "better",
        }
    }
}

/// The first criterion in which another table differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is counted.
    pub measure: Measure,
    /// The score group it is counted in; for a border, the group above it.
    pub group: Option<Score>,
    /// What the round has.
    pub from: i64,
    /// What the other table has.
    pub to: i64,
}

/// The first choice of list order (P7) that another table would have made otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The bye goes to the last player in list order for whom it is allowed.
    Bye {
        /// Who has it.
        number: Number,
        /// Who would have it.
        instead: Number,
    },
    /// Going through the list, each player stays in the group if that is allowed.
    Float {
        /// Who floats down.
        number: Number,
        /// Who would float down.
        instead: Number,
    },
    /// The first in the list who is not paired takes the first later one who is allowed: first
    /// among those not owed the same colour, then among all who are left.
    Partner {
        /// Who takes.
        number: Number,
        /// Who is taken.
        takes: Number,
        /// Who would be taken.
        instead: Number,
    },
    /// Nothing differs but the order in which the same pairs were written.
    None,
}

/// Why somebody has the bye.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByeReason {
    /// Who.
    pub number: Number,
    /// How it came.
    pub kind: ByeKind,
    /// What would have been if somebody else had it. None where it was not asked.
    pub without: Option<Without>,
}

/// How a bye came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ByeKind {
    /// The player asked for it.
    Asked,
    /// The director gave it.
    Chosen,
    /// Odd count: one player has it (P2, then P7).
    Odd,
}

impl ByeKind {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Chosen => "chosen",
            Self::Odd => "odd",
        }
    }
}

/// Why two players did not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotMet {
    /// They do.
    Meet {
        /// The board.
        board: u32,
    },
    /// One of them is not paired in this round.
    NotPaired {
        /// Who.
        number: Number,
    },
    /// The director fixed whom one of them meets.
    Chosen {
        /// Who.
        number: Number,
    },
    /// A rule keeps them apart.
    Barred(Bar),
    /// With this pair the best table is worse, or there is none, or list order decides.
    With {
        /// The rounds in which they have met.
        met: Vec<u32>,
        /// What the best table with the pair is like.
        then: Without,
    },
}

impl NotMet {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Meet { .. } => "meet",
            Self::NotPaired { .. } => "not-paired",
            Self::Chosen { .. } => "chosen",
            Self::Barred(bar) => bar.code(),
            Self::With { then, .. } => then.code(),
        }
    }
}

/// A rule that keeps two players apart in any table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bar {
    /// The settings forbid the pair.
    ForbiddenPair,
    /// Team mates are never paired in this round.
    TeamMates,
    /// Both had this colour in their last two games, and a third time is forbidden.
    ThirdColour(Side),
    /// The director keeps them apart in this round.
    Apart,
}

impl Bar {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::ForbiddenPair => "forbidden-pair",
            Self::TeamMates => "team-mates-barred",
            Self::ThirdColour(_) => "third-colour-barred",
            Self::Apart => "apart",
        }
    }
}

/// Up to so many players the report asks every question itself; above, whoever reads it does.
const ASKED_AT_ONCE: usize = 300;
/// Up to so many players what counting leaves open is proved by a certificate.
const CERTIFIED: usize = 1000;

/// How many byes are tried where every other one makes somebody meet again.
const BYES_TRIED: usize = 48;

/// How many old opponents are tried for somebody who has nobody new to meet.
const OLD_OPPONENTS: usize = 8;

/// The report of a round of a stage, recorded or a draft. Rounds from this one on do not count.
pub fn reasons(stage: &Stage, table: &Round) -> Reasons {
    let round = Asked::of(stage, table);
    let all = round.facts.players.len() <= ASKED_AT_ONCE;
    let boards = table.boards.iter();
    Reasons {
        round: table.round,
        values: round.values(),
        boards: boards.filter_map(|board| round.board(board, all)).collect(),
        byes: table.byes.iter().map(|number| round.bye(*number, all)).collect(),
    }
}

/// What there is to say of one board, every question asked. `None` when there is no such board, or
/// one of the two is not in the field.
pub fn board(stage: &Stage, table: &Round, board: u32) -> Option<BoardReasons> {
    let found = table.boards.iter().find(|found| found.board == board)?;
    Asked::of(stage, table).board(found, true)
}

/// Why somebody has the bye, every question asked. `None` for somebody who has none.
pub fn bye(stage: &Stage, table: &Round, number: Number) -> Option<ByeReason> {
    table
        .byes
        .contains(&number)
        .then(|| Asked::of(stage, table).bye(number, true))
}

/// Why two players do not meet in a round.
pub fn not_met(stage: &Stage, table: &Round, one: Number, other: Number) -> NotMet {
    let together = |board: &&Board| board.side_of(one).is_some() && board.side_of(other).is_some();
    if let Some(board) = table.boards.iter().find(together) {
        return NotMet::Meet { board: board.board };
    }
    let round = Asked::of(stage, table);
    let mut places = [0; 2];
    for (place, number) in places.iter_mut().zip([one, other]) {
        match round.facts.place(number) {
            Some(found) => *place = found,
            None => return NotMet::NotPaired { number },
        }
    }
    let [a, b] = places;
    if a == b {
        return NotMet::NotPaired { number: one };
    }
    if let Some(place) = places.into_iter().find(|place| !round.facts.free(*place)) {
        let number = round.facts.players[place].number;
        return NotMet::Chosen { number };
    }
    if let Some(barred) = round.facts.barred(a, b) {
        let side = round.facts.third_colour(a, b).unwrap_or(Side::Black);
        return NotMet::Barred(match barred {
            Barred::Forbidden => Bar::ForbiddenPair,
            Barred::Apart => Bar::Apart,
            Barred::TeamMates => Bar::TeamMates,
            Barred::ThirdColour => Bar::ThirdColour(side),
        });
    }
    let mut request = round.request.clone();
    request.choices.pairs.push((one, other));
    NotMet::With {
        met: round.met(one, other),
        then: round.compared(pair_changed(&round.before, request, |_| {})),
    }
}

/// A round that is asked about.
struct Asked<'a> {
    table: &'a Round,
    before: Stage,
    request: Request,
    facts: Facts,
    reached: Vec<(Measure, Option<Score>, i64)>,
}

impl<'a> Asked<'a> {
    fn of(stage: &Stage, table: &'a Round) -> Self {
        let (mut before, mut request) = super::as_recorded(stage, table);
        before.rounds_planned = before.rounds_planned.max(table.round);
        if before.pairing.needs_seed() && request.seed.is_none() {
            // No criterion depends on it.
            request.seed = Some(Seed([0; 32]));
        }
        // The places of facts and field are the same: both go by this seed.
        let with_seed = Round {
            seed: request.seed,
            ..table.clone()
        };
        let facts = Facts::of(&before, &with_seed);
        let reached = checker::one_by_one(&checker::reached(&before, table));
        Self {
            table,
            before,
            request,
            facts,
            reached,
        }
    }

    fn values(&self) -> Vec<Reached> {
        let judged = checker::judge(&self.before, self.table);
        let few = (0..self.facts.players.len())
            .filter(|place| self.facts.free(*place))
            .count();
        let open = judged.values.iter().any(|value| value.reached > value.least);
        let better = judged.values.iter().any(Value::improvable);
        let certified = open
            && !better
            && self.facts.players.len() <= CERTIFIED
            && prove::by_duals(&self.before, self.table).is_some();
        let mut worse = false;
        let values = judged.values.iter();
        values
            .map(|value| {
                let (least, proof) = if value.reached == 0 {
                    (0, Proof::Nothing)
                } else if value.reached == value.least && few <= checker::TRY_ALL {
                    (value.least, Proof::EveryTable)
                } else if value.reached == value.least {
                    (value.least, Proof::Counting)
                } else if certified {
                    (value.reached, Proof::Certificate)
                } else if value.improvable() && !worse {
                    worse = true;
                    (value.least, Proof::Better)
                } else {
                    (value.least, Proof::Open)
                };
                Reached {
                    measure: value.measure,
                    group: value.group,
                    reached: value.reached,
                    least,
                    proof,
                }
            })
            .collect()
    }

    fn board(&self, board: &Board, ask: bool) -> Option<BoardReasons> {
        let facts = &self.facts;
        let (black, white) = (facts.place(board.black)?, facts.place(board.white)?);
        // The players stand by score, so the earlier one is never the lower one.
        let (a, b) = (black.min(white), black.max(white));
        let (high, low) = (&facts.players[a], &facts.players[b]);
        let group = Some(low.score);
        let mut found: Vec<(Property, Measure, Option<Score>)> = Vec::new();
        let meetings = facts.meetings(a, b);
        if meetings.times > 0 {
            let property = Property::Repeat {
                times: meetings.times,
                just_before: meetings.just_before,
            };
            found.push((property, Measure::Repeats, None));
        }
        if high.score > low.score {
            let property = Property::Float {
                down: high.number,
                up: low.number,
            };
            found.push((property, Measure::FloatsAcross, Some(high.score)));
            if facts.repeated_floats_matter {
                for (player, down, again) in [(high, true, high.floated_down), (low, false, low.floated_up)] {
                    if again {
                        let number = player.number;
                        found.push((
                            Property::RepeatedFloat { number, down },
                            Measure::RepeatedFloats,
                            group,
                        ));
                    }
                }
            }
        }
        if facts.teams_matter && facts.team_mates(a, b) {
            found.push((Property::TeamMates, Measure::TeamMates, group));
        }
        if facts.unwanted(a, b) {
            found.push((Property::Unwanted, Measure::TeamMates, group));
        }
        if let Some(side) = facts.third_colour(a, b) {
            found.push((Property::ThirdColour { side }, Measure::ThirdColour, group));
        }
        if facts.same_sign(a, b) {
            let twice = high.balance.abs() >= 2 && low.balance.abs() >= 2;
            let property = Property::SameColour {
                owed: if high.balance > 0 {
                    Side::Black
                } else {
                    Side::White
                },
                twice,
            };
            let measure = if twice {
                Measure::SameColourTwice
            } else {
                Measure::SameColour
            };
            found.push((property, measure, group));
        }
        let chosen = facts.fixed(a) == Some(b);
        let ask = ask && !chosen && !found.is_empty();
        let without = ask.then(|| self.changed(|field| field.keep_apart(a, b)));
        let properties = found
            .into_iter()
            .map(|(property, measure, group)| PropertyReason {
                property,
                counted: (measure, group),
                without: without.map(|without| match property {
                    Property::Float { .. } | Property::RepeatedFloat { down: true, .. } => {
                        self.without_float(a, true)
                    }
                    Property::RepeatedFloat { down: false, .. } => self.without_float(b, false),
                    _ => without,
                }),
            });
        Some(BoardReasons {
            board: board.board,
            first: high.number,
            second: low.number,
            chosen,
            properties: properties.collect(),
            without,
        })
    }

    fn bye(&self, number: Number, ask: bool) -> ByeReason {
        let facts = &self.facts;
        let kind = if facts.byes_asked.contains(&number) {
            ByeKind::Asked
        } else if facts.byes_chosen.contains(&number) {
            ByeKind::Chosen
        } else {
            ByeKind::Odd
        };
        let place = facts.place(number).filter(|_| ask && kind == ByeKind::Odd);
        ByeReason {
            number,
            kind,
            without: place.map(|place| self.without_bye(place)),
        }
    }

    /// The best table in which somebody else has the bye.
    fn without_bye(&self, place: usize) -> Without {
        let number = self.facts.players[place].number;
        let changed = pair_changed(&self.before, self.request.clone(), |field| {
            field.keep_from_bye(place);
        });
        match changed {
            Ok(pairing) if pairing.byes.contains(&number) => self.bye_at_the_price_of_repeats(place),
            changed => self.compared(changed),
        }
    }

    /// The same where somebody has to meet again for it: repeats come first, so each bye is tried, the
    /// best ones first.
    fn bye_at_the_price_of_repeats(&self, place: usize) -> Without {
        let players = &self.facts.players;
        let merit = |place: &usize| (players[*place].points_without_play, players[*place].score);
        let mut others: Vec<usize> = (0..players.len())
            .filter(|other| *other != place && self.facts.free(*other))
            .collect();
        others.sort_by_key(merit);
        let mut best: Option<Pairing> = None;
        for other in others.into_iter().take(BYES_TRIED) {
            let (so_far, score) = merit(&other);
            if let Some(best) = &best
                && (best.criteria.bye_so_far, best.criteria.bye_score) < (so_far, score)
                && (best.criteria.repeats, best.criteria.repeat_meetings) == (1, 1)
                && best.criteria.repeats_just_before == 0
            {
                break;
            }
            let mut request = self.request.clone();
            request.choices.byes.push(players[other].number);
            let Ok(mut pairing) = pair_changed(&self.before, request, |_| {}) else {
                continue;
            };
            pairing.criteria.bye_so_far = so_far;
            pairing.criteria.bye_score = score;
            if best.as_ref().is_none_or(|best| pairing.criteria < best.criteria) {
                best = Some(pairing);
            }
        }
        best.map_or(Without::NoTable, |best| self.against(&best))
    }

    /// The best table in which somebody does not float in a direction.
    fn without_float(&self, place: usize, down: bool) -> Without {
        let facts = &self.facts;
        let score = facts.players[place].score;
        let excluded = |other: usize| {
            let theirs = facts.players[other].score;
            (down && theirs < score) || (!down && theirs > score)
        };
        self.without_partners(place, excluded).unwrap_or_else(|| {
            self.changed(|field| {
                if down {
                    field.keep_in_group(place);
                } else {
                    field.keep_from_above(place);
                }
            })
        })
    }

    /// The answer for somebody whom the exclusion leaves nobody new to meet, which needs no search:
    /// the bye, then an old opponent. `None` where that is not how it is.
    fn without_partners(&self, place: usize, excluded: impl Fn(usize) -> bool) -> Option<Without> {
        let facts = &self.facts;
        let players = facts.players.len();
        let left = |other: &usize| *other != place && !excluded(*other) && facts.legal(place, *other);
        let left: Vec<usize> = (0..players).filter(left).collect();
        let all_new = self.reached.first().is_some_and(|(_, _, repeats)| *repeats == 0);
        if !all_new || left.iter().any(|other| facts.meetings(place, *other).times == 0) {
            return None;
        }
        let number = |place: usize| facts.players[place].number;
        let asked = |choose: &dyn Fn(&mut Choices)| {
            let mut request = self.request.clone();
            choose(&mut request.choices);
            pair_changed(&self.before, request, |_| {}).ok()
        };
        if (0..players).filter(|other| facts.free(*other)).count() % 2 == 1 {
            let mut with_bye = asked(&|choices| choices.byes.push(number(place)))?;
            with_bye.criteria.bye_so_far = facts.players[place].points_without_play;
            with_bye.criteria.bye_score = facts.players[place].score;
            return (with_bye.criteria.repeats == 0).then(|| self.against(&with_bye));
        }
        if left.is_empty() {
            return Some(Without::NoTable);
        }
        let mut again = left.iter().take(OLD_OPPONENTS);
        again.find_map(|other| {
            let with = asked(&|choices| choices.pairs.push((number(place), number(*other))))?;
            (with.criteria.repeats == 1).then_some(Without::Worse(Change {
                measure: Measure::Repeats,
                group: None,
                from: 0,
                to: 1,
            }))
        })
    }

    fn changed(&self, change: impl FnOnce(&mut Field)) -> Without {
        self.compared(pair_changed(&self.before, self.request.clone(), change))
    }

    /// What another table is like beside this one.
    fn compared(&self, other: Result<Pairing, Refusal>) -> Without {
        other.map_or(Without::NoTable, |other| self.against(&other))
    }

    fn against(&self, other: &Pairing) -> Without {
        let values = checker::one_by_one(&other.criteria);
        for ((measure, group, from), (_, _, to)) in self.reached.iter().zip(values) {
            let change = Change {
                measure: *measure,
                group: *group,
                from: *from,
                to,
            };
            match to.cmp(from) {
                Ordering::Less => return Without::Better(change),
                Ordering::Greater => return Without::Worse(change),
                Ordering::Equal => {}
            }
        }
        Without::ListOrder(self.first_choice(&other.to_round()))
    }

    /// By place, the partner.
    fn partners(&self, table: &Round) -> Vec<Option<usize>> {
        let mut partners = vec![None; self.facts.players.len()];
        for board in &table.boards {
            if let (Some(a), Some(b)) = (self.facts.place(board.black), self.facts.place(board.white)) {
                partners[a] = Some(b);
                partners[b] = Some(a);
            }
        }
        partners
    }

    /// The first choice of list order in which two tables differ.
    fn first_choice(&self, other: &Round) -> Choice {
        let players = &self.facts.players;
        let (here, there) = (self.partners(self.table), self.partners(other));
        let bye = |partners: &[Option<usize>], others: &[Option<usize>]| {
            (0..partners.len()).find(|place| partners[*place].is_none() && others[*place].is_some())
        };
        if let (Some(has), Some(instead)) = (bye(&here, &there), bye(&there, &here)) {
            return Choice::Bye {
                number: players[has].number,
                instead: players[instead].number,
            };
        }
        let floats = |partners: &[Option<usize>], place: usize| {
            partners[place].is_some_and(|partner| players[partner].score < players[place].score)
        };
        let unlike = |one: &[Option<usize>], two: &[Option<usize>], score: Score| {
            let mut places = (0..players.len()).filter(|place| players[*place].score == score);
            places.find(|place| floats(one, *place) && !floats(two, *place))
        };
        for score in self.facts.groups() {
            if let (Some(floats), Some(instead)) =
                (unlike(&here, &there, score), unlike(&there, &here, score))
            {
                return Choice::Float {
                    number: players[floats].number,
                    instead: players[instead].number,
                };
            }
        }
        for board in &self.table.boards {
            let (Some(black), Some(white)) = (self.facts.place(board.black), self.facts.place(board.white))
            else {
                continue;
            };
            let (first, second) = (black.min(white), black.max(white));
            if let Some(instead) = there[first].filter(|partner| *partner != second) {
                return Choice::Partner {
                    number: players[first].number,
                    takes: players[second].number,
                    instead: players[instead].number,
                };
            }
        }
        Choice::None
    }

    /// The rounds in which two have met.
    fn met(&self, one: Number, other: Number) -> Vec<u32> {
        let forfeits_count = !self.before.pairing.forfeits_may_meet_again;
        let met = |board: &Board| {
            board.side_of(one).is_some()
                && board.side_of(other).is_some()
                && (forfeits_count || board.result.is_none_or(Outcome::played))
        };
        let rounds = self.before.rounds.iter();
        rounds
            .filter(|round| round.boards.iter().any(met))
            .map(|round| round.round)
            .collect()
    }
}
