//! What holds for every event.

use std::collections::HashSet;

use proptest::prelude::*;
use tournament::standings::explain::{explain, steps};
use tournament::standings::{Standings, Value, standings, why};
use tournament::{Board, Criterion, Entry, Number, Outcome, Ranking, Round, Score, Stage, Unplayed};

use crate::support::number;

/// What happens to a pair or to one who is left over.
type Dice = u8;

fn result(dice: Dice) -> Outcome {
    match dice % 16 {
        0..=5 => Outcome::Black,
        6..=10 => Outcome::White,
        11 => Outcome::Draw,
        12 => Outcome::BlackForfeit,
        13 => Outcome::WhiteForfeit,
        14 => Outcome::BothForfeit,
        _ => Outcome::BothLose,
    }
}

/// Rounds in which neighbours in a shuffled row sit down, with a few absent and pending.
fn arb_stage() -> impl Strategy<Value = Stage> {
    let criteria = Just(Criterion::ALL.to_vec()).prop_shuffle();
    let unplayed = prop_oneof![
        Just(Unplayed::Opponent),
        Just(Unplayed::Virtual),
        Just(Unplayed::Nothing)
    ];
    (
        1usize..14,
        0usize..6,
        criteria,
        0usize..=16,
        unplayed,
        any::<bool>(),
    )
        .prop_flat_map(|(entries, rounds, mut criteria, kept, unplayed, half_absent)| {
            let row = Just((0..entries).collect::<Vec<_>>()).prop_shuffle();
            let round = (row, proptest::collection::vec(any::<Dice>(), entries));
            let rounds = proptest::collection::vec(round, rounds);
            let starts = proptest::collection::vec(0..4i32, entries);
            criteria.truncate(kept.max(1));
            (rounds, starts).prop_map(move |(rounds, starts)| {
                let mut stage = Stage::swiss(9);
                stage.ranking = Ranking {
                    unplayed,
                    ..Ranking::of(&criteria)
                };
                stage.pairing.absent_score = Score(half_absent.into());
                stage.entries = (1..)
                    .zip(&starts)
                    .map(|(n, start)| Entry {
                        start_score: Score(*start),
                        rating: (n % 3 > 0).then_some(i32::try_from(n % 5).expect("small")),
                        ..Entry::new(number(n), "Somebody")
                    })
                    .collect();
                for (round, (row, dice)) in (1..).zip(&rounds) {
                    stage.rounds.push(one_round(round, row, dice));
                }
                stage
            })
        })
}

fn one_round(round: u32, row: &[usize], dice: &[Dice]) -> Round {
    let entry = |at: usize| number(u32::try_from(at + 1).expect("small"));
    let mut made = Round {
        round,
        ..Round::default()
    };
    for (pair, dice) in row.chunks(2).zip(dice) {
        match *pair {
            [black, white] if dice % 11 > 0 => made.boards.push(Board {
                result: (dice % 13 > 0).then(|| result(*dice)),
                ..Board::new(
                    u32::try_from(made.boards.len() + 1).expect("small"),
                    entry(black),
                    entry(white),
                )
            }),
            [one, other] => made.absent.extend([entry(one), entry(other)]),
            [one] => made.byes.push(entry(one)),
            _ => {}
        }
    }
    made
}

fn last(stage: &Stage) -> u32 {
    stage.next_round() - 1
}

fn numbers(standings: &Standings) -> HashSet<Number> {
    standings.rows.iter().map(|row| row.number).collect()
}

fn whole(standings: &Standings, number: Number, criterion: Criterion) -> i64 {
    let at = standings
        .criteria
        .iter()
        .position(|c| *c == criterion)
        .expect("in the ranking");
    match &standings.row(number).expect("a row").values[at] {
        Value::Number(ratio) if ratio.denominator() == 1 => ratio.numerator(),
        other => panic!("not a whole number: {other:?}"),
    }
}

proptest! {
    #[test]
    fn the_order_of_entries_boards_and_byes_does_not_matter(stage in arb_stage(), seed in any::<usize>()) {
        let table = standings(&stage, last(&stage));
        let mut other = stage.clone();
        let entries = other.entries.len();
        other.entries.rotate_left(seed % entries);
        other.entries.swap(0, seed % entries);
        for round in &mut other.rounds {
            round.boards.reverse();
            round.byes.reverse();
        }
        let mut again = standings(&other, last(&stage));
        again.pending.sort_by_key(|p| (p.round, p.board));
        prop_assert_eq!(again, table);
    }

    #[test]
    fn places_count_up_and_are_shared_exactly_where_nothing_separates(stage in arb_stage()) {
        let table = standings(&stage, last(&stage));
        prop_assert_eq!(table.rows.len(), stage.entries.len());
        prop_assert_eq!(numbers(&table).len(), stage.entries.len());
        for (at, row) in (1..).zip(&table.rows) {
            prop_assert!(row.place <= at);
            prop_assert_eq!(row.values.len(), table.criteria.len());
        }
        for (at, pair) in (2..).zip(table.rows.windows(2)) {
            let difference = why(&table, pair[0].number, pair[1].number);
            if pair[0].place == pair[1].place {
                prop_assert!(pair[0].shared && pair[1].shared);
                prop_assert!(pair[0].number < pair[1].number);
                prop_assert_eq!(difference, None);
            } else {
                prop_assert_eq!(pair[1].place, at);
                prop_assert!(difference.is_some());
            }
        }
    }

    #[test]
    fn the_table_of_a_round_is_the_same_before_and_after_later_rounds(stage in arb_stage()) {
        for after in 0..=last(&stage) {
            prop_assert_eq!(standings(&stage, after), standings(&stage.after(after), after));
        }
    }

    /// With two points in every game, the points of a round are twice its boards and byes.
    #[test]
    fn points_are_neither_lost_nor_made(stage in arb_stage()) {
        let table = standings(&stage, last(&stage));
        let starts: i32 = stage.entries.iter().map(|entry| entry.start_score.0).sum();
        let mut expected = starts;
        for round in &stage.rounds {
            let outcomes = round.boards.iter().filter_map(|board| board.result);
            expected += outcomes
                .map(|outcome| match outcome {
                    Outcome::BothForfeit | Outcome::BothLose => 0,
                    _ => 2,
                })
                .sum::<i32>();
            let byes = i32::try_from(round.byes.len()).expect("small");
            let seated = round.boards.len() * 2 + round.byes.len();
            let absent = i32::try_from(stage.entries.len() - seated).expect("small");
            expected += byes * 2 + absent * stage.pairing.absent_score.0;
        }
        prop_assert_eq!(table.rows.iter().map(|row| row.score.0).sum::<i32>(), expected);
        for row in &table.rows {
            prop_assert_eq!(row.running.last().copied().unwrap_or(row.score), row.score);
        }
    }

    /// Everybody's score stands once in the sum of each opponent, for each meeting.
    #[test]
    fn opponents_sums_add_up_to_scores_times_meetings(mut stage in arb_stage()) {
        stage.ranking = Ranking::of(&[Criterion::OpponentsScore, Criterion::OpponentsOpponentsScore]);
        let table = standings(&stage, last(&stage));
        let meetings = |row: &tournament::standings::Row| {
            i64::try_from(row.games.iter().filter(|game| game.outcome.is_some()).count()).expect("small")
        };
        let sums = |criterion| -> i64 {
            table.rows.iter().map(|row| whole(&table, row.number, criterion)).sum()
        };
        let once: i64 = table.rows.iter().map(|row| i64::from(row.score.0) * meetings(row)).sum();
        prop_assert_eq!(sums(Criterion::OpponentsScore), once);
        let twice: i64 = table
            .rows
            .iter()
            .map(|row| whole(&table, row.number, Criterion::OpponentsScore) * meetings(row))
            .sum();
        prop_assert_eq!(sums(Criterion::OpponentsOpponentsScore), twice);
    }

    /// Methods A and B rank alike inside one score, since A only adds the opponents' sum there.
    #[test]
    fn total_score_and_opponents_score_agree_inside_one_score(mut stage in arb_stage()) {
        stage.ranking.criteria = vec![Criterion::Score, Criterion::TotalScore];
        let by_total = standings(&stage, last(&stage));
        stage.ranking.criteria = vec![Criterion::Score, Criterion::OpponentsScore];
        let by_sum = standings(&stage, last(&stage));
        if by_total.top_score > Score::ZERO {
            let places = |table: &Standings| {
                table.rows.iter().map(|row| (row.place, row.number)).collect::<Vec<_>>()
            };
            prop_assert_eq!(places(&by_total), places(&by_sum));
        }
    }

    #[test]
    fn the_parts_of_every_value_add_up_to_it(stage in arb_stage()) {
        for after in 0..=last(&stage) {
            let table = standings(&stage, after);
            for row in &table.rows {
                let explained = explain(&stage, after, row.number).expect("an entry");
                prop_assert_eq!(explained.len(), table.criteria.len());
                for (one, (criterion, value)) in explained.iter().zip(table.criteria.iter().zip(&row.values)) {
                    prop_assert_eq!(one.criterion, *criterion);
                    prop_assert_eq!(&one.value, value);
                    prop_assert_eq!(&one.made.value(), value, "{:?}: {:?}", criterion, one.made);
                }
            }
        }
    }

    #[test]
    fn of_two_entries_the_last_step_and_no_other_decides(stage in arb_stage()) {
        let table = standings(&stage, last(&stage));
        for a in &table.rows {
            for b in &table.rows {
                let steps = steps(&table, a.number, b.number).expect("two entries");
                let (end, before) = steps.split_last().expect("a criterion");
                prop_assert!(before.iter().all(|step| step.ordering.is_eq()));
                prop_assert_eq!(end.ordering, a.place.cmp(&b.place));
                let decided = why(&table, a.number, b.number).map(|why| why.criterion);
                prop_assert_eq!(decided, end.ordering.is_ne().then_some(end.criterion));
            }
        }
    }
}
