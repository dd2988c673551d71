//! Who scored what, and when: the bookkeeping below standings and pairing.

use crate::entry::{Entry, Number};
use crate::result::{Outcome, Side};
use crate::round::Round;
use crate::score::Score;
use crate::stage::Stage;

/// What a round was for one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A game that was played, draws and games that both lost included.
    Game,
    /// A board decided by absence, of one side or of both: points, but no colour.
    Forfeit,
    /// A bye (轮空).
    Bye,
    /// On no board and without a bye (缺席): with leave, before a late entry or after a withdrawal.
    Absent,
    /// A board without a result.
    Pending,
}

/// One recorded round, seen by one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The round.
    pub round: u32,
    /// What it was.
    pub kind: Kind,
    /// Across the board, when there was a board.
    pub opponent: Option<Number>,
    /// The side assigned by the pairing (Art. 17.1), when there was a board.
    pub side: Option<Side>,
    /// The side as a colour that counts: of a game that was played, unless its colours came from
    /// nigiri and are not known.
    pub colour: Option<Side>,
    /// The board's result; none without a board and while it is pending.
    pub outcome: Option<Outcome>,
    /// Points from this round; 0 while it is pending.
    pub points: Score,
    /// Warnings to this entry in this round (Art. 24).
    pub warnings: u8,
}

impl Played {
    /// Whether this side of the board got the two points, at the board or by forfeit. A bye is no win.
    pub fn won(&self) -> bool {
        self.side.is_some() && self.outcome.and_then(Outcome::winner) == self.side
    }
}

/// What an entry has after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryTally {
    /// The entry.
    pub number: Number,
    /// Start score, what is carried, and the points of every recorded round so far.
    pub score: Score,
    /// The score after each recorded round; one for each of `games`.
    pub running: Vec<Score>,
    /// Every recorded round so far, in order.
    pub games: Vec<Played>,
}

impl EntryTally {
    /// The score before the recorded round with this index in `games`.
    pub fn score_before(&self, index: usize) -> Score {
        self.running[index] - self.games[index].points
    }
}

/// Where each number stands among the entries of a stage.
pub(crate) struct Index(Vec<Option<u32>>);

impl Index {
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let largest = entries.iter().map(|entry| entry.number.get()).max();
        let mut index = Self(vec![None; largest.map_or(0, |number| number as usize + 1)]);
        for (at, entry) in (0..).zip(entries) {
            index.0[entry.number.get() as usize] = Some(at);
        }
        index
    }

    /// The position of the entry with this number; nothing when there is none.
    pub(crate) fn get(&self, number: Number) -> Option<usize> {
        let at = self.0.get(number.get() as usize).copied().flatten()?;
        Some(at as usize)
    }
}

/// The books after a round: one line for each entry of the stage, in the stage's order.
///
/// Later rounds are ignored entirely, so that the books of a round never change when the next one
/// is paired. Each recorded round gives every entry exactly one [`Played`]: the points of its
/// board (Art. 27), `bye_score` for a bye, `absent_score` when it is neither on a board nor has a
/// bye. Numbers that no entry has are passed over; [`faults`](crate::validate::faults) reports them.
pub fn tally(stage: &Stage, after: u32) -> Vec<EntryTally> {
    let index = Index::of(&stage.entries);
    let rounds = recorded(stage, after).count();
    let mut books: Vec<EntryTally> = stage
        .entries
        .iter()
        .map(|entry| EntryTally {
            number: entry.number,
            score: entry.start_score + entry.carried.as_ref().map_or(Score::ZERO, |c| c.score),
            running: Vec::with_capacity(rounds),
            games: Vec::with_capacity(rounds),
        })
        .collect();
    for round in recorded(stage, after) {
        let mut seats: Vec<Option<Played>> = vec![None; books.len()];
        for board in &round.boards {
            for side in [Side::Black, Side::White] {
                let Some(seat) = index.get(board.on(side)) else {
                    continue;
                };
                let kind = match board.result {
                    None => Kind::Pending,
                    Some(outcome) if outcome.played() => Kind::Game,
                    Some(_) => Kind::Forfeit,
                };
                seats[seat].get_or_insert(Played {
                    round: round.round,
                    kind,
                    opponent: Some(board.on(side.other())),
                    side: Some(side),
                    colour: Some(side).filter(|_| kind == Kind::Game && !board.nigiri),
                    outcome: board.result,
                    points: board.result.map_or(Score::ZERO, |outcome| outcome.score(side)),
                    warnings: board.warnings.of(side),
                });
            }
        }
        let without_board = |kind, points| Played {
            round: round.round,
            kind,
            opponent: None,
            side: None,
            colour: None,
            outcome: None,
            points,
            warnings: 0,
        };
        for &number in &round.byes {
            if let Some(seat) = index.get(number) {
                seats[seat].get_or_insert(without_board(Kind::Bye, stage.pairing.bye_score));
            }
        }
        for (book, seat) in books.iter_mut().zip(seats) {
            let played = seat.unwrap_or(without_board(Kind::Absent, stage.pairing.absent_score));
            book.score += played.points;
            book.running.push(book.score);
            book.games.push(played);
        }
    }
    books
}

/// The rounds that are recorded up to this one.
pub(crate) fn recorded(stage: &Stage, after: u32) -> impl Iterator<Item = &Round> {
    stage.rounds.iter().filter(move |round| round.round <= after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Carried, Entry};
    use crate::result::Warnings;
    use crate::round::Board;

    fn number(n: u32) -> Number {
        Number::new(n).expect("a number")
    }

    fn board(board: u32, black: u32, white: u32, result: Option<Outcome>) -> Board {
        Board {
            result,
            ..Board::new(board, number(black), number(white))
        }
    }

    fn stage(entries: u32) -> Stage {
        Stage {
            entries: (1..=entries)
                .map(|n| Entry::new(number(n), format!("Player {n}")))
                .collect(),
            ..Stage::swiss(5)
        }
    }

    fn round(round: u32, boards: Vec<Board>, byes: &[u32]) -> Round {
        Round {
            round,
            boards,
            byes: byes.iter().copied().map(number).collect(),
            absent: Vec::new(),
            ..Round::default()
        }
    }

    #[test]
    fn every_way_to_spend_a_round_has_its_points_and_kind() {
        let mut stage = stage(9);
        stage.pairing.absent_score = Score::DRAW;
        stage.rounds = vec![round(
            1,
            vec![
                board(1, 1, 2, Some(Outcome::White)),
                board(2, 3, 4, Some(Outcome::BlackForfeit)),
                board(3, 5, 6, None),
            ],
            &[7],
        )];
        stage.rounds[0].absent = vec![number(8)];
        let got: Vec<_> = tally(&stage, 1)
            .iter()
            .map(|t| (t.games[0].kind, t.score.0, t.games[0].won()))
            .collect();
        assert_eq!(
            got,
            [
                (Kind::Game, 0, false),
                (Kind::Game, 2, true),
                (Kind::Forfeit, 0, false),
                (Kind::Forfeit, 2, true),
                (Kind::Pending, 0, false),
                (Kind::Pending, 0, false),
                (Kind::Bye, 2, false),
                (Kind::Absent, 1, false),
                (Kind::Absent, 1, false),
            ]
        );
    }

    #[test]
    fn start_and_carried_scores_stand_before_the_first_recorded_round() {
        let mut stage = stage(2);
        stage.first_round = 4;
        stage.entries[0].start_score = Score(3);
        stage.entries[0].carried = Some(Carried {
            score: Score(4),
            balance: 1,
            met: vec![],
        });
        stage.rounds = vec![
            round(4, vec![board(1, 2, 1, Some(Outcome::White))], &[]),
            round(5, vec![board(1, 1, 2, Some(Outcome::Draw))], &[]),
        ];
        let books = tally(&stage, 5);
        assert_eq!(books[0].running, [Score(9), Score(10)]);
        assert_eq!(
            [books[0].score_before(0), books[0].score_before(1)],
            [Score(7), Score(9)]
        );
        assert_eq!(tally(&stage, 3)[0].score, Score(7));
    }

    #[test]
    fn a_round_that_is_not_asked_for_leaves_no_trace() {
        let mut stage = stage(3);
        stage.rounds = vec![round(1, vec![board(1, 1, 2, Some(Outcome::Black))], &[3])];
        let before = tally(&stage, 1);
        stage
            .rounds
            .push(round(2, vec![board(1, 3, 1, Some(Outcome::Black))], &[2]));
        assert_eq!(tally(&stage, 1), before);
    }

    #[test]
    fn a_late_entry_was_absent_before_and_did_not_lose() {
        let mut stage = stage(3);
        stage.entries[2].absent_rounds = vec![1, 2];
        stage.rounds = vec![
            round(1, vec![board(1, 1, 2, Some(Outcome::Black))], &[]),
            round(2, vec![board(1, 2, 1, Some(Outcome::Black))], &[]),
        ];
        for (absent_score, expected) in [(0, 0), (1, 2)] {
            stage.pairing.absent_score = Score(absent_score);
            let late = &tally(&stage, 2)[2];
            assert_eq!(late.score, Score(expected));
            assert!(
                late.games
                    .iter()
                    .all(|game| game.kind == Kind::Absent && game.outcome.is_none())
            );
        }
    }

    #[test]
    fn warnings_belong_to_the_side_that_got_them() {
        let mut stage = stage(2);
        let mut with_warnings = board(1, 1, 2, Some(Outcome::Black));
        with_warnings.warnings = Warnings { black: 0, white: 1 };
        stage.rounds = vec![round(1, vec![with_warnings], &[])];
        let books = tally(&stage, 1);
        assert_eq!([books[0].games[0].warnings, books[1].games[0].warnings], [0, 1]);
    }

    #[test]
    fn a_game_whose_colours_came_from_nigiri_has_none_until_they_are_known() {
        let mut stage = stage(2);
        let mut open = board(1, 1, 2, Some(Outcome::White));
        open.nigiri = true;
        stage.rounds = vec![round(1, vec![open], &[])];
        let books = tally(&stage, 1);
        assert_eq!([books[0].games[0].colour, books[1].games[0].colour], [None; 2]);
        assert!(books[1].games[0].won(), "the result counts all the same");
        stage.rounds[0].boards[0].nigiri = false;
        let books = tally(&stage, 1);
        assert_eq!(books[1].games[0].colour, Some(Side::White));
    }

    #[test]
    fn a_bye_is_worth_what_the_event_says() {
        let mut stage = stage(3);
        stage.rounds = vec![
            round(1, vec![board(1, 1, 2, Some(Outcome::Black))], &[3]),
            round(2, vec![board(1, 1, 3, Some(Outcome::Black))], &[2]),
            round(3, vec![board(1, 2, 3, Some(Outcome::Black))], &[1]),
        ];
        for (bye, expected) in [(2, [6, 4, 2]), (1, [5, 3, 1]), (0, [4, 2, 0])] {
            stage.pairing.bye_score = Score(bye);
            let books = tally(&stage, 3);
            assert_eq!(books.iter().map(|t| t.score.0).collect::<Vec<_>>(), expected);
            for book in &books {
                assert_eq!(book.games.iter().filter(|g| g.kind == Kind::Game).count(), 2);
            }
        }
    }
}
