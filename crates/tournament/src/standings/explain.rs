//! What the values of the standings are made of, and why one entry stands before another.
//!
//! Every explanation is a list of parts that adds up to its value again
//! ([`Made::value`]): nothing is told that was not counted, and nothing was counted that is not told.

use std::cmp::Ordering;

use super::groups::Groups;
use super::opponents::{Term, VirtualOpponent, tells};
use super::{Field, Standings, field, ties, value};
use super::{Ratio, Value};
use crate::entry::Number;
use crate::result::Side;
use crate::score::Score;
use crate::settings::Criterion;
use crate::stage::Stage;
use crate::tally::{Kind, Played};

/// How a part of a sum came to its amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The score the entry began with.
    Start,
    /// The score carried over from the rounds that are not recorded.
    Carried,
    /// The points of the round.
    Points,
    /// The score after the round.
    Running,
    /// The opponent's own score.
    Opponent,
    /// The share of the opponent's own score that the game brought: all of it, half of it, nothing.
    Share {
        /// The points of the game: 2, 1 or 0.
        points: Score,
        /// The opponent's own score.
        of: i64,
    },
    /// The opponent's own sum of opponents' scores.
    OpponentsSum,
    /// A virtual opponent: the entry's score before the round, what the round left it, and a draw
    /// for each later round.
    Virtual(VirtualOpponent),
    /// The share of a virtual opponent's score that a forfeited board brought.
    VirtualShare {
        /// The points of the board.
        points: Score,
        /// The virtual opponent.
        of: VirtualOpponent,
    },
    /// One for a board won, nothing otherwise.
    Win,
    /// The warnings of the round.
    Warnings,
    /// The opponent's place in the table of the criteria before.
    Place,
    /// Nothing: a bye, an absence or a forfeit that does not count.
    Nothing,
    /// Not yet: the board has no result, or no board of the round has one.
    NotYet,
}

/// One part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What the round was for the entry; nothing for what was there before the recorded rounds.
    pub game: Option<Played>,
    /// Who is counted: the opponent across the board, or one met in a carried round.
    pub opponent: Option<Number>,
    /// How it came to its amount.
    pub counted: Counted,
    /// What it adds: halves at most.
    pub amount: Ratio,
    /// Whether it is left out: one of the lowest or the highest.
    pub left_out: bool,
}

/// One look at a group that is tied, for direct encounter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Everybody in the group, the entry itself included, by number.
    pub among: Vec<Number>,
    /// The entry's boards against the others of the group.
    pub parts: Vec<Part>,
    /// Whether all of them have met, so that the look says something.
    pub all_met: bool,
}

/// What a value is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// A sum.
    Sum(Vec<Part>),
    /// `score + (opponents / (top / 2) − rounds)`.
    Total {
        /// The score.
        score: Score,
        /// What the opponents bring.
        opponents: Vec<Part>,
        /// The highest score of any entry. At 0 the value is the score.
        top: Score,
        /// The rounds played.
        rounds: u32,
    },
    /// The running scores, of which the first one is left out, then the first two …
    Cuts(Vec<Part>),
    /// Looks at smaller and smaller tied groups.
    Looks(Vec<Look>),
    /// Places of opponents beaten.
    Places(Vec<Part>),
    /// Given with the entry: rating, number, lot.
    Given(Value),
}

/// One criterion of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The criterion.
    pub criterion: Criterion,
    /// Its value, as in the table.
    pub value: Value,
    /// What it is made of.
    pub made: Made,
}

/// Adds up halves and whole numbers; what is left out is not added.
pub fn total(parts: &[Part]) -> Ratio {
    let halves = |ratio: Ratio| ratio.numerator() * 2 / ratio.denominator();
    let doubled = parts.iter().filter(|part| !part.left_out);
    Ratio::new(doubled.map(|part| halves(part.amount)).sum(), 2)
}

impl Made {
    /// The value that the parts add up to.
    pub fn value(&self) -> Value {
        match self {
            Self::Sum(parts) => Value::Number(total(parts)),
            Self::Total {
                score,
                opponents,
                top,
                rounds,
            } => {
                let (score, top) = (i64::from(score.0), i64::from(top.0));
                if top <= 0 {
                    return Value::Total(Ratio::from(score));
                }
                let sum = total(opponents);
                // The sum is of whole scores, so its denominator is 1.
                let over = (score - i64::from(*rounds)) * top + sum.numerator() * 2;
                Value::Total(Ratio::new(over, top))
            }
            Self::Cuts(parts) => Value::List(
                (1..parts.len())
                    .map(|first| total(&parts[first..]).numerator())
                    .collect(),
            ),
            Self::Looks(looks) => {
                let told: Vec<i64> = looks
                    .iter()
                    .filter(|look| look.all_met)
                    .map(|look| total(&look.parts).numerator())
                    .collect();
                if told.is_empty() {
                    Value::Nothing
                } else {
                    Value::List(told)
                }
            }
            Self::Places(parts) => {
                let place = |part: &Part| u32::try_from(part.amount.numerator()).unwrap_or(u32::MAX);
                let mut places: Vec<u32> = parts.iter().map(place).collect();
                places.sort_unstable();
                Value::Places(places)
            }
            Self::Given(value) => value.clone(),
        }
    }
}

/// What every value of one entry is made of, as of round `after`, in the order of the criteria;
/// nothing when no entry has the number. The values are those of [`standings`](super::standings).
pub fn explain(stage: &Stage, after: u32, number: Number) -> Option<Vec<Explained>> {
    let field = field(stage, after);
    let entry = field.index.get(number)?;
    let mut explained = Vec::new();
    field.go_through(|criterion, groups, values| {
        explained.push(Explained {
            criterion,
            value: values[entry].clone(),
            made: field.made(criterion, entry, groups, &values[entry]),
        });
    });
    Some(explained)
}

/// How two entries compare in one criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The criterion.
    pub criterion: Criterion,
    /// Its value for the one asked for first.
    pub of_a: Value,
    /// Its value for the other.
    pub of_b: Value,
    /// [`Less`](Ordering::Less) when the first stands before the other by it.
    pub ordering: Ordering,
}

/// The criteria that were looked at for two entries, one by one: all are equal but the last one,
/// which decides; all of them, every one equal, where the two share a place. Nothing when one of
/// the two is not in the table.
pub fn steps(standings: &Standings, a: Number, b: Number) -> Option<Vec<Step>> {
    let (a, b) = (standings.row(a)?, standings.row(b)?);
    let mut steps = Vec::new();
    for (criterion, (of_a, of_b)) in standings.criteria.iter().zip(a.values.iter().zip(&b.values)) {
        let ordering = value::compare(*criterion, of_a, of_b);
        steps.push(Step {
            criterion: *criterion,
            of_a: of_a.clone(),
            of_b: of_b.clone(),
            ordering,
        });
        if ordering.is_ne() {
            break;
        }
    }
    Some(steps)
}

impl Part {
    fn of(game: &Played, counted: Counted, amount: impl Into<i64>) -> Self {
        Self {
            game: Some(*game),
            opponent: game.opponent,
            counted,
            amount: Ratio::from(amount.into()),
            left_out: false,
        }
    }

    fn before(counted: Counted, score: Score) -> Self {
        Self {
            game: None,
            opponent: None,
            counted,
            amount: Ratio::from(i64::from(score.0)),
            left_out: false,
        }
    }
}

impl Field<'_> {
    fn made(&self, criterion: Criterion, entry: usize, groups: &Groups, value: &Value) -> Made {
        let games = &self.books[entry].games;
        let count = |counted: Counted, amount: &dyn Fn(&Played) -> i64| {
            Made::Sum(
                games
                    .iter()
                    .map(|game| match game.kind {
                        Kind::Pending => Part::of(game, Counted::NotYet, amount(game)),
                        _ => Part::of(game, counted, amount(game)),
                    })
                    .collect(),
            )
        };
        match criterion {
            Criterion::Score => Made::Sum(self.score_parts(entry)),
            Criterion::TotalScore => Made::Total {
                score: self.books[entry].score,
                opponents: self.opponent_parts(entry, own_score),
                top: self.top_score,
                rounds: self.rounds_played,
            },
            Criterion::OpponentsScore => Made::Sum(self.opponent_parts(entry, own_score)),
            Criterion::OpponentsScoreCut { low, high } => {
                Made::Sum(cut(self.opponent_parts(entry, own_score), low, high))
            }
            Criterion::BeatenOpponentsScore => Made::Sum(self.opponent_parts(entry, share)),
            Criterion::OpponentsOpponentsScore => Made::Sum(self.opponent_parts(entry, |field, term| {
                term.opponent
                    .map_or((Counted::Nothing, Ratio::from(0)), |opponent| {
                        (
                            Counted::OpponentsSum,
                            Ratio::from(field.opponents_score(opponent)),
                        )
                    })
            })),
            Criterion::RunningScore => Made::Sum(self.running_parts(entry)),
            Criterion::RunningCut => Made::Cuts(self.running_parts(entry)),
            Criterion::DirectEncounter => Made::Looks(self.looks(entry, groups)),
            Criterion::BestBeaten => Made::Places(self.beaten(entry, groups)),
            Criterion::Wins => count(Counted::Win, &|game| i64::from(game.won())),
            Criterion::WinsAsWhite => count(Counted::Win, &|game| {
                i64::from(game.colour == Some(Side::White) && game.won())
            }),
            Criterion::FewerWarnings => count(Counted::Warnings, &|game| i64::from(game.warnings)),
            Criterion::Rating | Criterion::Number | Criterion::Lots => Made::Given(value.clone()),
        }
    }

    fn score_parts(&self, entry: usize) -> Vec<Part> {
        let who = &self.stage.entries[entry];
        let mut parts = Vec::new();
        if who.start_score != Score::ZERO {
            parts.push(Part::before(Counted::Start, who.start_score));
        }
        if let Some(carried) = &who.carried {
            parts.push(Part::before(Counted::Carried, carried.score));
        }
        parts.extend(self.books[entry].games.iter().map(|game| {
            let counted = match game.kind {
                Kind::Pending => Counted::NotYet,
                _ => Counted::Points,
            };
            Part::of(game, counted, game.points.0)
        }));
        parts
    }

    fn running_parts(&self, entry: usize) -> Vec<Part> {
        let book = &self.books[entry];
        let rounds = book.games.iter().zip(&book.running);
        rounds
            .map(|(game, running)| Part::of(game, Counted::Running, running.0))
            .collect()
    }

    /// One part for each term, and one of nothing for each round that has no term yet.
    fn opponent_parts(&self, entry: usize, amount: impl Fn(&Self, &Term) -> (Counted, Ratio)) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut terms = self.terms[entry].iter().peekable();
        let part = |term: &Term, game: Option<Played>| {
            let (counted, amount) = amount(self, term);
            let met = term.opponent.map(|opponent| self.books[opponent].number);
            Part {
                game,
                opponent: game.and_then(|game| game.opponent).or(met),
                counted,
                amount,
                left_out: false,
            }
        };
        while let Some(term) = terms.next_if(|term| term.game.is_none()) {
            parts.push(part(term, None));
        }
        for (at, game) in self.books[entry].games.iter().enumerate() {
            parts.push(match terms.next_if(|term| term.game == Some(at)) {
                Some(term) => part(term, Some(*game)),
                None => Part::of(game, Counted::NotYet, 0),
            });
        }
        parts
    }

    /// The looks of direct encounter at the groups that the entry is tied in.
    fn looks(&self, entry: usize, groups: &Groups) -> Vec<Look> {
        let tied = groups.tied().find(|group| group.contains(&entry));
        let mut group: Vec<usize> = tied.map(<[usize]>::to_vec).unwrap_or_default();
        let mut looks = Vec::new();
        while group.len() > 1 {
            let scores = ties::scores_inside(self.stage, &self.books, &self.index, &group);
            let mut among: Vec<Number> = group.iter().map(|member| self.books[*member].number).collect();
            among.sort_unstable();
            let inside = |game: &&Played| game.opponent.is_some_and(|number| among.contains(&number));
            let games = self.books[entry].games.iter().filter(inside);
            let parts = games
                .map(|game| match game.kind {
                    Kind::Pending => Part::of(game, Counted::NotYet, 0),
                    _ if ties::meets(self.stage, game) => Part::of(game, Counted::Points, game.points.0),
                    _ => Part::of(game, Counted::Nothing, 0),
                })
                .collect();
            let all_met = scores.is_some();
            looks.push(Look {
                among,
                parts,
                all_met,
            });
            let Some(scores) = scores else { break };
            let own = group.iter().position(|member| *member == entry);
            let own = own.and_then(|at| scores.get(at).copied());
            let before = group.len();
            group = group
                .iter()
                .zip(&scores)
                .filter(|(_, score)| Some(**score) == own)
                .map(|(member, _)| *member)
                .collect();
            // A look that separates nobody is not repeated.
            if group.len() == before {
                break;
            }
        }
        looks
    }

    fn beaten(&self, entry: usize, groups: &Groups) -> Vec<Part> {
        let place_of = |opponent: usize| {
            let placed = groups.placed().find(|(_, group)| group.contains(&opponent));
            placed.map_or(0, |(place, _)| i64::from(place))
        };
        let mut parts: Vec<Part> = self.books[entry]
            .games
            .iter()
            .filter(|game| game.won() && tells(game, self.stage.ranking.unplayed))
            .filter_map(|game| {
                let opponent = self.index.get(game.opponent?)?;
                Some(Part::of(game, Counted::Place, place_of(opponent)))
            })
            .collect();
        parts.sort_by_key(|part| part.amount);
        parts
    }
}

fn own_score(field: &Field, term: &Term) -> (Counted, Ratio) {
    let counted = match (term.opponent, term.stand_in) {
        (Some(_), _) => Counted::Opponent,
        (None, Some(stand_in)) => Counted::Virtual(stand_in),
        (None, None) => Counted::Nothing,
    };
    debug_assert!(
        term.opponent
            .is_none_or(|opponent| { i64::from(field.books[opponent].score.0) == term.score })
    );
    (counted, Ratio::from(term.score))
}

fn share(field: &Field, term: &Term) -> (Counted, Ratio) {
    let amount = Ratio::new(term.points * term.score, i64::from(Score::WIN.0));
    let points = Score(i32::try_from(term.points).unwrap_or_default());
    let counted = match (term.opponent, term.stand_in) {
        // A game of a carried round: its result is not known.
        (Some(_), _) if term.game.is_none() => Counted::Nothing,
        (Some(opponent), _) => Counted::Share {
            points,
            of: i64::from(field.books[opponent].score.0),
        },
        (None, Some(of)) if term.points != 0 => Counted::VirtualShare { points, of },
        (None, _) => Counted::Nothing,
    };
    (counted, amount)
}

/// Marks the lowest and the highest that are left out; of equal ones the earlier round's first.
fn cut(mut parts: Vec<Part>, low: u8, high: u8) -> Vec<Part> {
    let mut order: Vec<usize> = (0..parts.len())
        .filter(|at| parts[*at].counted != Counted::NotYet)
        .collect();
    order.sort_by_key(|at| parts[*at].amount);
    let end = order.len().saturating_sub(usize::from(high));
    for (rank, at) in order.into_iter().enumerate() {
        parts[at].left_out = rank < usize::from(low) || rank >= end;
    }
    parts
}
