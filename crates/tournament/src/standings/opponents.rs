//! What the opponents bring: the terms of every sum of opponents' scores.

use crate::entry::Number;
use crate::score::Score;
use crate::settings::Unplayed;
use crate::stage::Stage;
use crate::tally::{EntryTally, Index, Kind, Played};

/// What one round adds to an entry's sums of opponents' scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// The opponent whose own score is counted; none for a virtual opponent and for a round that
    /// counts nothing.
    pub opponent: Option<usize>,
    /// The score that is counted.
    pub score: i64,
    /// The points won from it, for the sum over opponents beaten; zero where that is unknown.
    pub points: i64,
    /// Which of the entry's recorded rounds it is of; none for an opponent met in a carried one.
    pub game: Option<usize>,
    /// Who stands in for an opponent, where one does.
    pub stand_in: Option<VirtualOpponent>,
}

/// A virtual opponent and where its score comes from: the sum of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VirtualOpponent {
    /// The entry's own score before the round.
    pub before: Score,
    /// What the round left the opponent: 2 less the points of the round.
    pub left: Score,
    /// A draw for each later round.
    pub later: i64,
}

impl VirtualOpponent {
    /// The score that is counted.
    pub fn score(self) -> i64 {
        i64::from((self.before + self.left).0) + self.later
    }
}

/// The terms of every entry, in the order of `books`.
///
/// - A game that was played: the opponent's own score, whatever became of the opponent later.
/// - A forfeited board: as [`Unplayed`] says.
/// - A bye or an absence: a virtual opponent where the event has them, else 0, and never a part of
///   the sum over opponents beaten: nobody was beaten. The 0 is a term like any other, so it is
///   what [`Criterion::OpponentsScoreCut`](crate::settings::Criterion::OpponentsScoreCut) leaves out first.
/// - A pending board: no term at all.
/// - A round in which no board has a result yet: no term for anybody, byes and absences included.
/// - Opponents met in carried rounds: their own score. What came of those games is not known, so
///   they add nothing to the sum over opponents beaten.
///
/// A virtual opponent has the entry's own score before the round, what the round left it (2 less
/// the points of the round), and a draw for every round after it up to the one asked for: the
/// formula that chess tie-break rules used under this name.
pub(super) fn terms(stage: &Stage, books: &[EntryTally], begun: &[bool], index: &Index) -> Vec<Vec<Term>> {
    let nothing = Term {
        opponent: None,
        score: 0,
        points: 0,
        game: None,
        stand_in: None,
    };
    let against = |number: Number, points: Score| {
        index.get(number).map_or(nothing, |opponent| Term {
            opponent: Some(opponent),
            score: i64::from(books[opponent].score.0),
            points: i64::from(points.0),
            ..nothing
        })
    };
    stage
        .entries
        .iter()
        .zip(books)
        .map(|(entry, book)| {
            let met = entry.carried.as_ref().map_or(&[][..], |carried| &carried.met);
            let mut terms = Vec::with_capacity(met.len() + book.games.len());
            terms.extend(met.iter().map(|number| against(*number, Score::ZERO)));
            let mut rounds_left = begun.iter().filter(|begun| **begun).count();
            for (at, game) in book.games.iter().enumerate().filter(|(at, _)| begun[*at]) {
                rounds_left -= 1;
                let term = match (game.kind, stage.ranking.unplayed, game.opponent) {
                    (Kind::Pending, ..) => continue,
                    (Kind::Game, _, Some(number)) | (Kind::Forfeit, Unplayed::Opponent, Some(number)) => {
                        against(number, game.points)
                    }
                    (kind, Unplayed::Virtual, _) => {
                        let left = Score::WIN - game.points;
                        let later = i64::from(Score::DRAW.0) * i64::try_from(rounds_left).unwrap_or(i64::MAX);
                        let stand_in = VirtualOpponent {
                            before: book.score_before(at),
                            left,
                            later,
                        };
                        Term {
                            score: stand_in.score(),
                            points: if kind == Kind::Forfeit {
                                i64::from(game.points.0)
                            } else {
                                0
                            },
                            stand_in: Some(stand_in),
                            ..nothing
                        }
                    }
                    _ => nothing,
                };
                terms.push(Term {
                    game: Some(at),
                    ..term
                });
            }
            terms
        })
        .collect()
}

/// Whether a board tells who of two is the better one, or was beaten by whom: played games do; a
/// forfeit does where the event counts it with the opponent who was paired.
pub(super) fn tells(game: &Played, unplayed: Unplayed) -> bool {
    match game.kind {
        Kind::Game => true,
        Kind::Forfeit => unplayed == Unplayed::Opponent,
        Kind::Bye | Kind::Absent | Kind::Pending => false,
    }
}
