//! Troubles of people who run tournaments. Scores are doubled: two points a win.

use tournament::standings::{Value, standings, why};
use tournament::tally::tally;
use tournament::{Criterion, Entry, Kind, Outcome, Score, Stage, Unplayed};

use crate::support::{column, number, places, play, stage, value, wins};

const A: u32 = 1;
const B: u32 = 2;
const C: u32 = 3;
const D: u32 = 4;
const E: u32 = 5;
const F: u32 = 6;

#[test]
fn forfeits_and_byes_are_no_wins_as_white() {
    let mut stage = stage(3, &[Criterion::Score, Criterion::Wins, Criterion::WinsAsWhite]);
    play(&mut stage, &[(B, A, Some(Outcome::White))], &[C]);
    play(&mut stage, &[(C, A, Some(Outcome::BlackForfeit))], &[B]);
    wins(&mut stage, &[(B, C)], &[A]);
    let table = standings(&stage, 3);
    assert_eq!(value(&table, A, Criterion::Score).as_deref(), Some("6"));
    assert_eq!(value(&table, A, Criterion::Wins).as_deref(), Some("2"));
    assert_eq!(value(&table, A, Criterion::WinsAsWhite).as_deref(), Some("1"));
}

#[test]
fn a_half_point_is_one_number_in_the_table_in_the_groups_and_in_every_sum() {
    // Start score 27, two wins, a round missed with half a point: 29½.
    let mut stage = stage(4, &[Criterion::Score, Criterion::OpponentsScore]);
    stage.pairing.absent_score = Score(1);
    stage.entries[0].start_score = Score(54);
    wins(&mut stage, &[(A, B), (C, D)], &[]);
    wins(&mut stage, &[(A, C), (B, D)], &[]);
    stage.entries[0].absent_rounds = vec![3];
    wins(&mut stage, &[(B, C)], &[D]);
    stage.rounds[2].absent = vec![number(A)];
    let table = standings(&stage, 3);
    assert_eq!(column(&table, Criterion::Score), ["59", "4", "2", "2"]);
    assert_eq!(value(&table, B, Criterion::OpponentsScore).as_deref(), Some("63"));
    assert_eq!(value(&table, C, Criterion::OpponentsScore).as_deref(), Some("65"));
    let scores: Vec<Score> = tally(&stage, 3).iter().map(|book| book.score).collect();
    assert_eq!(scores, [59, 4, 2, 2].map(Score));
}

#[test]
fn grades_and_start_scores_of_nobody_are_no_points() {
    let mut stage = stage(4, &[Criterion::Score]);
    for (entry, grade) in stage.entries.iter_mut().zip(["1d", "5k", "15k", "25k"]) {
        entry.grade = Some(grade.parse().expect("a grade"));
    }
    assert_eq!(
        column(&standings(&stage, 0), Criterion::Score),
        ["0", "0", "0", "0"]
    );
    wins(&mut stage, &[(D, A), (B, C)], &[]);
    assert_eq!(
        column(&standings(&stage, 1), Criterion::Score),
        ["0", "2", "0", "2"]
    );
}

#[test]
fn byes_add_nothing_to_opponents_sums_and_places_are_shared() {
    let mut stage = stage(
        5,
        &[
            Criterion::Score,
            Criterion::OpponentsScore,
            Criterion::BeatenOpponentsScore,
        ],
    );
    wins(&mut stage, &[(A, B), (C, D)], &[E]);
    wins(&mut stage, &[(A, C), (E, D)], &[B]);
    wins(&mut stage, &[(A, E), (B, C)], &[D]);
    let table = standings(&stage, 3);
    assert_eq!(column(&table, Criterion::Score), ["6", "4", "2", "2", "4"]);
    assert_eq!(
        column(&table, Criterion::OpponentsScore),
        ["10", "8", "12", "6", "8"]
    );
    assert_eq!(
        column(&table, Criterion::BeatenOpponentsScore),
        ["10", "2", "2", "0", "2"]
    );
    assert_eq!(places(&table), [(1, A), (2, B), (2, E), (4, C), (5, D)]);
    assert_eq!(
        table.rows.iter().map(|row| row.shared).collect::<Vec<_>>(),
        [false, true, true, false, false]
    );
    // Whatever the event says of unplayed games, a bye beats nobody.
    for unplayed in [Unplayed::Virtual, Unplayed::Nothing] {
        stage.ranking.unplayed = unplayed;
        let table = standings(&stage, 3);
        assert_eq!(
            column(&table, Criterion::BeatenOpponentsScore),
            ["10", "2", "2", "0", "2"]
        );
    }
}

/// Eight players, two full rounds.
fn two_rounds() -> Stage {
    let mut stage = stage(
        8,
        &[
            Criterion::Score,
            Criterion::OpponentsScore,
            Criterion::OpponentsOpponentsScore,
            Criterion::RunningScore,
        ],
    );
    wins(&mut stage, &[(1, 2), (3, 4), (5, 6), (7, 8)], &[]);
    wins(&mut stage, &[(1, 3), (5, 7), (2, 4), (6, 8)], &[]);
    stage
}

#[test]
fn the_table_of_a_round_does_not_know_the_next_one() {
    let mut stage = two_rounds();
    let before = standings(&stage, 2);
    play(
        &mut stage,
        &[
            (1, 5, Some(Outcome::White)),
            (3, 7, Some(Outcome::Draw)),
            (2, 6, None),
            (4, 8, None),
        ],
        &[],
    );
    assert_eq!(standings(&stage, 2), before);
    assert!(!before.is_provisional());

    let live = standings(&stage, 3);
    assert!(live.is_provisional());
    assert_eq!(
        live.pending
            .iter()
            .map(|p| (p.round, p.board, p.black.get(), p.white.get()))
            .collect::<Vec<_>>(),
        [(3, 3, 2, 6), (3, 4, 4, 8)]
    );
    // Those who still play have neither points nor opponents from the round.
    assert_eq!(value(&live, 2, Criterion::OpponentsScore).as_deref(), Some("4"));
    assert_eq!(
        live.row(number(2)).map(|row| row.games[2].kind),
        Some(Kind::Pending)
    );
}

#[test]
fn an_opponent_who_left_counts_with_the_score_he_has() {
    let mut stage = stage(4, &[Criterion::Score, Criterion::OpponentsScore]);
    let (x, y) = (1, 2);
    stage.entries[1].withdrawn_after = Some(2);
    wins(&mut stage, &[(x, y), (3, 4)], &[]);
    wins(&mut stage, &[(y, 3)], &[x, 4]);
    for _ in 3..=5 {
        wins(&mut stage, &[(3, 4)], &[x]);
    }
    for (absent, opponents, score) in [(0, "2", "10"), (1, "5", "10")] {
        stage.pairing.absent_score = Score(absent);
        let table = standings(&stage, 5);
        assert_eq!(
            value(&table, x, Criterion::OpponentsScore).as_deref(),
            Some(opponents)
        );
        assert_eq!(value(&table, x, Criterion::Score).as_deref(), Some(score));
    }
}

#[test]
fn going_back_to_the_old_criteria_gives_the_old_table() {
    let mut stage = two_rounds();
    let before = standings(&stage, 2);
    let old = std::mem::replace(
        &mut stage.ranking.criteria,
        vec![Criterion::Score, Criterion::BeatenOpponentsScore],
    );
    assert_ne!(standings(&stage, 2), before);
    stage.ranking.criteria = old;
    assert_eq!(standings(&stage, 2), before);
}

#[test]
fn a_virtual_opponent_counts_as_published() {
    // P (1) has 1.5 after round 2 and is absent in round 3; Q (2) has 3.5 after round 5 and wins
    // round 6 by forfeit. Every other round is played against the rest, who have no other game.
    let mut stage = stage(20, &[Criterion::Score, Criterion::OpponentsScore]);
    stage.ranking.unplayed = Unplayed::Virtual;
    let (p, q) = (1, 2);
    let win = Some(Outcome::Black);
    let draw = Some(Outcome::Draw);
    let loss = Some(Outcome::White);
    let of_p = [win, draw, None, loss, loss, loss, loss, loss, loss];
    let of_q = [
        win,
        win,
        win,
        draw,
        loss,
        Some(Outcome::WhiteForfeit),
        loss,
        loss,
        loss,
    ];
    for (round, (of_p, of_q)) in (0..).zip(of_p.into_iter().zip(of_q)) {
        let mut boards = vec![(q, 12 + round, of_q)];
        if of_p.is_some() {
            boards.push((p, 3 + round, of_p));
        }
        play(&mut stage, &boards, &[]);
    }
    // What the real opponents bring, so that the rest is the virtual one's.
    let virtual_score = |who: u32, after: u32| {
        let table = standings(&stage, after);
        let row = table.row(number(who)).expect("a row");
        let real: i32 = row
            .games
            .iter()
            .filter(|game| game.kind == Kind::Game)
            .filter_map(|game| table.row(game.opponent?))
            .map(|opponent| opponent.score.0)
            .sum();
        let all: i32 = value(&table, who, Criterion::OpponentsScore)
            .and_then(|sum| sum.parse().ok())
            .expect("a whole number");
        all - real
    };
    assert_eq!(virtual_score(p, 2), 0);
    assert_eq!(virtual_score(p, 3), 5, "2.5 after round 3");
    assert_eq!(virtual_score(p, 9), 11, "5.5 at the end");
    assert_eq!(virtual_score(q, 6), 7, "3.5 after round 6");
    assert_eq!(virtual_score(q, 9), 10, "5.0 at the end");
}

#[test]
fn a_table_before_anything_was_played() {
    let all = Criterion::ALL;
    let empty = standings(&stage(0, &all), 3);
    assert!(empty.rows.is_empty() && empty.pending.is_empty());
    assert_eq!((empty.after, empty.rounds_played), (0, 0));

    let by_score = [Criterion::Score, Criterion::TotalScore, Criterion::OpponentsScore];
    let mut stage = stage(4, &by_score);
    let no_round = standings(&stage, 0);
    assert_eq!(places(&no_round), [(1, 1), (1, 2), (1, 3), (1, 4)]);

    play(&mut stage, &[(1, 2, None), (3, 4, None)], &[]);
    let paired = standings(&stage, 1);
    assert_eq!(
        (paired.after, paired.rounds_played, paired.pending.len()),
        (1, 0, 2)
    );
    for criterion in by_score {
        assert_eq!(column(&paired, criterion), ["0", "0", "0", "0"]);
    }

    stage.entries.push(Entry::new(number(9), "Latecomer"));
    stage.ranking.criteria = all.to_vec();
    let table = standings(&stage, 1);
    let late = table.row(number(9)).expect("a row");
    assert_eq!(
        late.games.iter().map(|game| game.kind).collect::<Vec<_>>(),
        [Kind::Absent]
    );
    assert_eq!(late.values.len(), all.len());
}

#[test]
fn a_board_that_nobody_came_to() {
    let mut stage = stage(
        6,
        &[
            Criterion::Score,
            Criterion::OpponentsScore,
            Criterion::BeatenOpponentsScore,
        ],
    );
    wins(&mut stage, &[(A, C), (D, B), (E, F)], &[]);
    play(
        &mut stage,
        &[
            (C, D, Some(Outcome::BothForfeit)),
            (A, E, Some(Outcome::Black)),
            (B, F, Some(Outcome::Black)),
        ],
        &[],
    );
    let table = standings(&stage, 2);
    assert!(!table.is_provisional());
    assert_eq!(column(&table, Criterion::Score), ["4", "2", "0", "2", "2", "0"]);
    // C met A (4) and was to meet D (2); D beat B (2) and was to meet C (0).
    let of_c_and_d = |unplayed| {
        let mut stage = stage.clone();
        stage.ranking.unplayed = unplayed;
        let table = standings(&stage, 2);
        [C, D].map(|who| {
            let at = |criterion| value(&table, who, criterion).expect("a value");
            (at(Criterion::OpponentsScore), at(Criterion::BeatenOpponentsScore))
        })
    };
    let pair = |sos: &str, sodos: &str| (sos.to_owned(), sodos.to_owned());
    assert_eq!(of_c_and_d(Unplayed::Opponent), [pair("6", "0"), pair("2", "2")]);
    assert_eq!(of_c_and_d(Unplayed::Nothing), [pair("4", "0"), pair("2", "2")]);
    // Virtual: C had 0 before and leaves 2; D had 2 before and leaves 2.
    assert_eq!(of_c_and_d(Unplayed::Virtual), [pair("6", "0"), pair("6", "2")]);
}

#[test]
fn the_same_score_in_three_ways_is_one_place() {
    // X, Y and Z (1, 2, 3) play ten rounds against opponents of their own, who are absent
    // otherwise; start scores bring every sum of opponents' scores to 101.
    let mut stage = stage(33, &[Criterion::Score, Criterion::OpponentsScore]);
    stage.pairing.absent_score = Score::DRAW;
    let record = |wins: usize, draws: usize, absent: usize| {
        let mut results = vec![Some(Outcome::White); 10];
        results[..wins].fill(Some(Outcome::Black));
        results[wins..wins + draws].fill(Some(Outcome::Draw));
        results[10 - absent..].fill(None);
        results
    };
    let records = [record(4, 3, 0), record(5, 1, 0), record(5, 0, 1)];
    for round in 0..10 {
        let mut boards = Vec::new();
        for (player, results) in (1..).zip(&records) {
            if let Some(result) = results[round as usize] {
                boards.push((player, player * 10 + round - 6, Some(result)));
            }
        }
        play(&mut stage, &boards, &[]);
    }
    let short = standings(&stage, 10);
    for player in 1..=3 {
        let sum: i32 = value(&short, player, Criterion::OpponentsScore)
            .and_then(|sum| sum.parse().ok())
            .expect("a whole number");
        let first_opponent = short.row(number(player)).and_then(|row| row.games[0].opponent);
        let entry = stage
            .entries
            .iter_mut()
            .find(|entry| Some(entry.number) == first_opponent);
        entry.expect("an opponent").start_score = Score(101 - sum);
    }
    let table = standings(&stage, 10);
    let at = table
        .rows
        .iter()
        .position(|row| row.number == number(1))
        .expect("a row");
    let place = table.rows[at].place;
    for (row, player) in table.rows[at..].iter().zip(1..=3) {
        assert_eq!((row.number, row.place, row.shared), (number(player), place, true));
        assert_eq!(
            row.values.iter().map(Value::printed).collect::<Vec<_>>(),
            ["11", "101"]
        );
    }
    assert_eq!(table.rows[at + 3].place, place + 3);
}

#[test]
fn a_circle_of_three_is_left_to_the_next_criterion() {
    let mut stage = stage(
        6,
        &[
            Criterion::Score,
            Criterion::DirectEncounter,
            Criterion::OpponentsScore,
        ],
    );
    let black = Some(Outcome::Black);
    play(
        &mut stage,
        &[(A, B, black), (C, D, black), (E, F, Some(Outcome::Draw))],
        &[],
    );
    wins(&mut stage, &[(B, C), (A, E), (D, F)], &[]);
    wins(&mut stage, &[(C, A), (B, F), (E, D)], &[]);
    let table = standings(&stage, 3);
    assert_eq!(
        table.rows[..3]
            .iter()
            .map(|row| row.number.get())
            .collect::<Vec<_>>(),
        [A, C, B]
    );
    assert_eq!(column(&table, Criterion::DirectEncounter)[..3], ["2", "2", "2"]);
    assert_eq!(column(&table, Criterion::OpponentsScore)[..3], ["11", "9", "10"]);
    let difference = why(&table, number(A), number(B)).expect("a difference");
    assert_eq!(difference.criterion, Criterion::OpponentsScore);
    assert_eq!(
        (difference.of_a.printed(), difference.of_b.printed()),
        ("11".to_owned(), "9".to_owned())
    );
    for turn in 0..6 {
        stage.entries.rotate_left(turn);
        assert_eq!(standings(&stage, 3), table);
        stage.entries.swap(0, turn);
        assert_eq!(standings(&stage, 3), table);
    }
}

#[test]
fn a_correction_reaches_every_sum_at_once() {
    let mut stage = stage(6, &[Criterion::Score, Criterion::OpponentsScore]);
    wins(&mut stage, &[(A, D), (B, E), (C, F)], &[]);
    wins(&mut stage, &[(A, B), (C, D), (E, F)], &[]);
    wins(&mut stage, &[(A, C), (B, F), (D, E)], &[]);
    play(&mut stage, &[(A, E, None), (B, D, None), (C, F, None)], &[]);
    let table = standings(&stage, 3);
    assert_eq!(column(&table, Criterion::Score), ["6", "4", "4", "2", "2", "0"]);
    assert_eq!(
        column(&table, Criterion::OpponentsScore),
        ["10", "8", "8", "12", "6", "10"]
    );

    stage.rounds[1].boards[0].result = Some(Outcome::White);
    let table = standings(&stage, 3);
    assert_eq!(column(&table, Criterion::Score), ["4", "6", "4", "2", "2", "0"]);
    assert_eq!(
        column(&table, Criterion::OpponentsScore),
        ["12", "6", "6", "10", "8", "12"]
    );
}

#[test]
fn a_withdrawal_leaves_what_was_played() {
    let mut stage = two_rounds();
    let before = standings(&stage, 2);
    stage.entries[0].withdrawn_after = Some(2);
    assert_eq!(standings(&stage, 2), before);
    play(
        &mut stage,
        &[
            (5, 3, Some(Outcome::Black)),
            (7, 2, Some(Outcome::Black)),
            (6, 4, Some(Outcome::Black)),
        ],
        &[8],
    );
    let table = standings(&stage, 3);
    let gone = table.row(number(1)).expect("a row");
    assert_eq!(gone.score, Score(4));
    assert_eq!(
        gone.games.iter().map(|game| game.kind).collect::<Vec<_>>(),
        [Kind::Game, Kind::Game, Kind::Absent]
    );
    // 2 and 3 lost to 1 and keep the 4 points of 1 in their sums.
    assert_eq!(value(&table, 2, Criterion::OpponentsScore).as_deref(), Some("8"));
    assert_eq!(value(&table, 3, Criterion::OpponentsScore).as_deref(), Some("10"));
}

#[test]
fn what_a_value_is_made_of_names_each_round() {
    use tournament::Number;
    use tournament::standings::explain::{Counted, Made, explain};
    use tournament::tally::Kind;

    // A to E are 1 to 5; a bye counts a win and adds nothing to the opponents' sum.
    let criteria = [
        Criterion::OpponentsScore,
        Criterion::BeatenOpponentsScore,
        Criterion::TotalScore,
    ];
    let mut stage = stage(5, &criteria);
    wins(&mut stage, &[(1, 2), (3, 4)], &[5]);
    wins(&mut stage, &[(1, 3), (5, 4)], &[2]);
    wins(&mut stage, &[(1, 5), (2, 3)], &[4]);
    let parts = |player: u32, at: usize| {
        let mut explained = explain(&stage, 3, number(player)).expect("an entry");
        match explained.swap_remove(at).made {
            Made::Sum(parts) => parts,
            other => panic!("not a sum: {other:?}"),
        }
    };
    let told = |player: u32, at: usize| -> Vec<(Option<u32>, String)> {
        parts(player, at)
            .iter()
            .map(|part| (part.opponent.map(Number::get), part.amount.to_string()))
            .collect()
    };
    let one = |opponent: u32, amount: &str| (Some(opponent), amount.to_owned());
    assert_eq!(told(1, 0), [one(2, "4"), one(3, "2"), one(5, "4")]);
    assert_eq!(told(1, 1), [one(2, "4"), one(3, "2"), one(5, "4")]);
    assert_eq!(told(5, 1), [(None, "0".to_owned()), one(4, "2"), one(1, "0")]);
    let bye = &parts(5, 0)[0];
    assert_eq!(bye.counted, Counted::Nothing);
    assert_eq!(bye.game.map(|game| game.kind), Some(Kind::Bye));
    let total = &explain(&stage, 3, number(1)).expect("an entry")[2];
    let Made::Total {
        score, top, rounds, ..
    } = &total.made
    else {
        panic!("not a total score: {:?}", total.made);
    };
    assert_eq!((score.0, top.0, *rounds), (6, 6, 3));
    // 6 + (10 / (6 / 2) - 3)
    assert_eq!(total.made.value().exact().as_deref(), Some("19/3"));
    assert_eq!(explain(&stage, 3, number(6)), None);
}
