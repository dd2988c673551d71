//! Places (名次): the table of a stage after a round, with every criterion's value.
//!
//! The definitions follow Art. 27 of the rules of 2002 and the practice of the Chinese Weiqi
//! Association. Scores are whole numbers at two points a win, and everything made from them is
//! exact; places go by exact values, never by printed ones.

pub mod explain;
mod groups;
mod opponents;
mod ratio;
mod ties;
mod value;

pub use self::opponents::VirtualOpponent;
pub use self::ratio::Ratio;
pub use self::value::Value;

use self::groups::Groups;
use self::opponents::Term;
use crate::entry::Number;
use crate::result::Side;
use crate::score::Score;
use crate::settings::{Criterion, Unplayed};
use crate::stage::Stage;
use crate::tally::{EntryTally, Index, Played, recorded, tally};

/// The table after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// The last round that is in it: the one asked for, or the last one recorded before it; the
    /// last carried one when no recorded round is in it.
    pub after: u32,
    /// How many rounds were played so far: the carried ones, and the recorded ones in which some
    /// board has a result.
    pub rounds_played: u32,
    /// The highest score of any entry (最高积分).
    pub top_score: Score,
    /// The criteria, the first one deciding first; every row has one value for each.
    pub criteria: Vec<Criterion>,
    /// How unplayed games count in opponents' sums.
    pub unplayed: Unplayed,
    /// The entries from the first place to the last; inside a shared place by number.
    pub rows: Vec<Row>,
    /// Boards without a result in the rounds that are in it. They count as if they were not there.
    pub pending: Vec<PendingBoard>,
    /// Rows by number, for looking up.
    by_number: Vec<(Number, usize)>,
}

/// One entry's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The place, from 1. Shared where nothing separates: 1, 2, 2, 4.
    pub place: u32,
    /// Whether another entry has the same place.
    pub shared: bool,
    /// The entry.
    pub number: Number,
    /// The score.
    pub score: Score,
    /// One value for each criterion, in the order of the criteria.
    pub values: Vec<Value>,
    /// The rounds, for the cross table.
    pub games: Vec<Played>,
    /// The score after each of `games`.
    pub running: Vec<Score>,
}

/// A board that waits for its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingBoard {
    /// The round.
    pub round: u32,
    /// The board number.
    pub board: u32,
    /// Who has Black.
    pub black: Number,
    /// Who has White.
    pub white: Number,
}

/// Why one entry stands before another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first criterion that separates them.
    pub criterion: Criterion,
    /// Its value for the one asked for first.
    pub of_a: Value,
    /// Its value for the other.
    pub of_b: Value,
}

impl Standings {
    /// The line of an entry.
    pub fn row(&self, number: Number) -> Option<&Row> {
        let at = self.by_number.binary_search_by_key(&number, |(n, _)| *n).ok()?;
        Some(&self.rows[self.by_number[at].1])
    }

    /// Whether results are missing, so that the table can still change.
    pub fn is_provisional(&self) -> bool {
        !self.pending.is_empty()
    }
}

/// The table of a stage as of round `after`: later rounds are ignored entirely, so that the table
/// of a round never changes when the next one is paired or played. What has to come from all of
/// the past is in it whatever `after` says: start scores and what is carried.
///
/// The criteria of [`Ranking`](crate::settings::Ranking) are applied in order. Each one splits
/// the groups that are still tied after those before it; who is tied after the last one shares
/// a place. What each one means:
///
/// | criterion | value; the larger first unless said otherwise |
/// | --- | --- |
/// | `Score` | start score, what is carried, and the points of every round (Art. 27) |
/// | `TotalScore` | method A of Art. 27.1 ②: score + (opponents' score / (top score / 2) − rounds), where the top score is the highest of any entry in the table and rounds are those played so far, carried ones included. With a top score of 0 it is the score |
/// | `OpponentsScore` | the sum of the opponents' own scores as of the same round, one term for each meeting; unplayed games as [`Unplayed`] says. Opponents met in carried rounds count; a pending board does not |
/// | `OpponentsScoreCut` | the same without so many of the lowest and of the highest terms; a round without an opponent is a term of 0 and is left out first. 0 when nothing remains |
/// | `BeatenOpponentsScore` | the scores of the opponents beaten plus half of those drawn with (Art. 27.1 ①). Byes never count; carried games cannot, since their results are not known |
/// | `RunningScore` | the sum of the scores after each recorded round; carried rounds are in each of them, but not rounds of their own |
/// | `RunningCut` | the running score without the first recorded round's, without the first two …, compared in this order |
/// | `DirectEncounter` | the score among the tied, only when all of them have met; looked at again for parts that stay tied. See below |
/// | `BestBeaten` | the places, in the table made by the criteria before, of the opponents beaten, the best first, compared one by one: the smaller first, then who has one more |
/// | `OpponentsOpponentsScore` | the sum of the opponents' `OpponentsScore`; a virtual opponent adds nothing |
/// | `Wins` | boards won, forfeits included, byes not; carried ones are not known |
/// | `WinsAsWhite` | games won as White; a forfeit carries no colour |
/// | `FewerWarnings` | warnings in all recorded rounds (Art. 24); fewer first |
/// | `Rating` | the rating; none stands last |
/// | `Number` | the number; smaller first |
/// | `Lots` | the lot drawn; smaller first. It decides a tie only when all of the tied have drawn |
///
/// Direct encounter looks at the whole group that is tied so far, of two or more, never at pairs
/// inside it: a circle of three decides nothing, and neither does a group in which two have not met.
/// The association's order of 2025 speaks of the encounter between two; for two tied players the
/// two readings are the same, and for more the rules specification's "all tied players have met" holds.
///
/// The order of `stage.entries` does not matter.
pub fn standings(stage: &Stage, after: u32) -> Standings {
    let field = field(stage, after);
    let (groups, values) = place(&field);
    let pending = recorded(stage, after).flat_map(|round| {
        round.pending().map(|board| PendingBoard {
            round: round.round,
            board: board.board,
            black: board.black,
            white: board.white,
        })
    });
    let pending = pending.collect();
    let last = recorded(stage, after)
        .last()
        .map_or(stage.first_round.saturating_sub(1), |round| round.round);
    rows(field, &groups, values, last, pending)
}

/// Everything the criteria look at, as of a round.
fn field(stage: &Stage, after: u32) -> Field<'_> {
    let books = tally(stage, after);
    let begun: Vec<bool> = recorded(stage, after)
        .map(|round| round.boards.is_empty() || round.pending().count() < round.boards.len())
        .collect();
    let index = Index::of(&stage.entries);
    let carried_rounds = stage.first_round.saturating_sub(1);
    Field {
        terms: opponents::terms(stage, &books, &begun, &index),
        rounds_played: carried_rounds
            + u32::try_from(begun.iter().filter(|b| **b).count()).unwrap_or(u32::MAX),
        top_score: books.iter().map(|b| b.score).max().unwrap_or_default(),
        stage,
        books,
        index,
    }
}

/// The first criterion that separates two entries, with both values; nothing when they share a
/// place or when one of them is not in the table.
pub fn why(standings: &Standings, a: Number, b: Number) -> Option<Difference> {
    let (a, b) = (standings.row(a)?, standings.row(b)?);
    standings
        .criteria
        .iter()
        .zip(a.values.iter().zip(&b.values))
        .find(|(criterion, (a, b))| value::compare(**criterion, a, b).is_ne())
        .map(|(criterion, (a, b))| Difference {
            criterion: *criterion,
            of_a: a.clone(),
            of_b: b.clone(),
        })
}

/// Everything the criteria look at.
struct Field<'a> {
    stage: &'a Stage,
    books: Vec<EntryTally>,
    index: Index,
    terms: Vec<Vec<Term>>,
    rounds_played: u32,
    top_score: Score,
}

/// The groups of equal entries, from the first place down, and for each criterion the value of
/// each entry.
fn place(field: &Field) -> (Groups, Vec<Vec<Value>>) {
    let mut values = Vec::new();
    let groups = field.go_through(|_, _, of_all| values.push(of_all.to_vec()));
    (groups, values)
}

impl Field<'_> {
    /// Applies the criteria in order: for each one, the groups still tied before it and its values.
    fn go_through(&self, mut each: impl FnMut(Criterion, &Groups, &[Value])) -> Groups {
        let mut all: Vec<usize> = (0..self.books.len()).collect();
        all.sort_unstable_by_key(|entry| self.books[*entry].number);
        let mut groups = Groups::all_equal(all);
        for &criterion in &self.stage.ranking.criteria {
            let of_all = self.values(criterion, &groups);
            each(criterion, &groups, &of_all);
            groups.split(|a, b| value::compare(criterion, &of_all[a], &of_all[b]));
        }
        groups
    }

    /// The values of one criterion for all entries, given the groups still tied before it.
    fn values(&self, criterion: Criterion, groups: &Groups) -> Vec<Value> {
        let each = |value: &dyn Fn(usize) -> Value| (0..self.books.len()).map(value).collect();
        let count = |entry: usize, counts: &dyn Fn(&Played) -> bool| {
            let games = &self.books[entry].games;
            Value::whole(u32::try_from(games.iter().filter(|game| counts(game)).count()).unwrap_or(u32::MAX))
        };
        match criterion {
            Criterion::Score => each(&|entry| Value::whole(self.books[entry].score.0)),
            Criterion::TotalScore => each(&|entry| self.total_score(entry)),
            Criterion::OpponentsScore => each(&|entry| Value::whole(self.opponents_score(entry))),
            Criterion::OpponentsScoreCut { low, high } => {
                each(&|entry| self.opponents_score_cut(entry, low, high))
            }
            Criterion::BeatenOpponentsScore => each(&|entry| {
                let doubled = self.terms[entry]
                    .iter()
                    .map(|term| term.points * term.score)
                    .sum();
                Value::Number(Ratio::new(doubled, i64::from(Score::WIN.0)))
            }),
            Criterion::RunningScore => each(&|entry| Value::whole(sum(&self.books[entry].running))),
            Criterion::RunningCut => each(&|entry| {
                let running = &self.books[entry].running;
                Value::List((1..running.len()).map(|first| sum(&running[first..])).collect())
            }),
            Criterion::DirectEncounter => {
                let mut values = vec![Value::Nothing; self.books.len()];
                for group in groups.tied() {
                    ties::direct_encounter(self.stage, &self.books, &self.index, group, &mut values);
                }
                values
            }
            Criterion::BestBeaten => {
                let mut places = vec![0; self.books.len()];
                for (place, group) in groups.placed() {
                    for &entry in group {
                        places[entry] = place;
                    }
                }
                ties::best_beaten(&self.books, &self.index, self.stage.ranking.unplayed, &places)
            }
            Criterion::OpponentsOpponentsScore => {
                let sums: Vec<i64> = (0..self.books.len())
                    .map(|entry| self.opponents_score(entry))
                    .collect();
                each(&|entry| {
                    let opponents = self.terms[entry].iter().filter_map(|term| term.opponent);
                    Value::whole(opponents.map(|opponent| sums[opponent]).sum::<i64>())
                })
            }
            Criterion::Wins => each(&|entry| count(entry, &Played::won)),
            Criterion::WinsAsWhite => {
                each(&|entry| count(entry, &|game| game.colour == Some(Side::White) && game.won()))
            }
            Criterion::FewerWarnings => each(&|entry| {
                let games = &self.books[entry].games;
                Value::whole(games.iter().map(|game| i64::from(game.warnings)).sum::<i64>())
            }),
            Criterion::Rating => each(&|entry| {
                self.stage.entries[entry]
                    .rating
                    .map_or(Value::Nothing, Value::whole)
            }),
            Criterion::Number => each(&|entry| Value::whole(self.books[entry].number.get())),
            Criterion::Lots => self.lots(groups),
        }
    }

    fn opponents_score(&self, entry: usize) -> i64 {
        self.terms[entry].iter().map(|term| term.score).sum()
    }

    /// `score + sos / (top / 2) − rounds` over the one denominator `top`.
    fn total_score(&self, entry: usize) -> Value {
        let score = i64::from(self.books[entry].score.0);
        let top = i64::from(self.top_score.0);
        if top <= 0 {
            return Value::Total(Ratio::from(score));
        }
        let opponents = self.opponents_score(entry) * i64::from(Score::WIN.0);
        Value::Total(Ratio::new(
            (score - i64::from(self.rounds_played)) * top + opponents,
            top,
        ))
    }

    fn opponents_score_cut(&self, entry: usize, low: u8, high: u8) -> Value {
        let mut scores: Vec<i64> = self.terms[entry].iter().map(|term| term.score).collect();
        scores.sort_unstable();
        let end = scores.len().saturating_sub(usize::from(high));
        let kept = scores.get(usize::from(low)..end).unwrap_or_default();
        Value::whole(kept.iter().sum::<i64>())
    }

    /// Lots, with none for a tie in which somebody has not drawn.
    fn lots(&self, groups: &Groups) -> Vec<Value> {
        let mut values = vec![Value::Nothing; self.books.len()];
        for (number, lot) in &self.stage.ranking.lots {
            if let Some(entry) = self.index.get(*number) {
                values[entry] = Value::whole(*lot);
            }
        }
        for group in groups.tied() {
            if group.iter().any(|entry| values[*entry] == Value::Nothing) {
                for &entry in group {
                    values[entry] = Value::Nothing;
                }
            }
        }
        values
    }
}

fn sum(scores: &[Score]) -> i64 {
    scores.iter().map(|score| i64::from(score.0)).sum()
}

fn rows(
    field: Field,
    groups: &Groups,
    mut values: Vec<Vec<Value>>,
    after: u32,
    pending: Vec<PendingBoard>,
) -> Standings {
    let mut books: Vec<Option<EntryTally>> = field.books.into_iter().map(Some).collect();
    let mut rows = Vec::with_capacity(books.len());
    for (place, group) in groups.placed() {
        for &entry in group {
            let Some(book) = books[entry].take() else { continue };
            rows.push(Row {
                place,
                shared: group.len() > 1,
                number: book.number,
                score: book.score,
                values: values
                    .iter_mut()
                    .map(|of_all| std::mem::replace(&mut of_all[entry], Value::Nothing))
                    .collect(),
                games: book.games,
                running: book.running,
            });
        }
    }
    let mut by_number: Vec<(Number, usize)> =
        rows.iter().enumerate().map(|(i, row)| (row.number, i)).collect();
    by_number.sort_unstable();
    Standings {
        after,
        rounds_played: field.rounds_played,
        top_score: field.top_score,
        criteria: field.stage.ranking.criteria.clone(),
        unplayed: field.stage.ranking.unplayed,
        rows,
        pending,
        by_number,
    }
}
