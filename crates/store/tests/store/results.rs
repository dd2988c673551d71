use sqlx::PgPool;
use store::log::{Action, Filter};
use store::results::{self, BoardInput, BoardResult, ResultInput};
use store::{Error, Refused, events};
use tournament::validate::FaultKind;
use tournament::{By, Margin, Number, Outcome, Score, Warnings, standings};

use crate::support::{Hall, n, refused, won};

async fn put_many(hall: &Hall, round: u32, inputs: &[BoardInput]) -> Result<Vec<BoardResult>, Error> {
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    let done = results::put_many(&mut tx, &hall.change(9), event.id, round, inputs).await?;
    tx.commit().await?;
    Ok(done)
}

fn input(board: u32, expected: Option<i64>, result: Outcome) -> BoardInput {
    BoardInput {
        board,
        expected,
        input: won(result),
    }
}

/// Every result of the rules is kept with how it came about.
#[sqlx::test(migrations = "../../migrations")]
async fn every_result_is_kept_as_it_was_entered(pool: PgPool) {
    let hall = Hall::open(pool, 5, 14).await;
    let pairs: Vec<(u32, u32)> = (0..7).map(|i| (2 * i + 1, 2 * i + 2)).collect();
    hall.round(&pairs, None).await;
    let margin: Margin = "0.75".parse().expect("a margin");
    for (board, outcome) in (1..).zip(Outcome::ALL) {
        let counted = matches!(outcome, Outcome::Black | Outcome::White);
        let given = ResultInput {
            result: Some(outcome),
            by: counted.then_some(By::Count),
            margin: counted.then_some(margin),
            warnings: Warnings { black: 0, white: 2 },
            black: None,
        };
        let done = hall.put(1, board, given).await.expect("a result");
        assert!(done.changed && done.later_rounds.is_empty());
        let kept = hall.event().await.stage.rounds[0].boards[usize::try_from(board).expect("small") - 1];
        assert_eq!(kept, done.board);
        assert_eq!(
            (kept.result, kept.by, kept.margin, kept.warnings),
            (given.result, given.by, given.margin, given.warnings)
        );
        assert_eq!(
            hall.points(2 * board - 1, 1).await,
            outcome.score(tournament::Side::Black)
        );
        assert_eq!(
            hall.points(2 * board, 1).await,
            outcome.score(tournament::Side::White)
        );
    }
    hall.assert_log_without_gap().await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_result_that_contradicts_itself_is_refused(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let margin = Margin::from_quarters(3).ok();
    let cases = [
        (None, Some(By::Time), None, "by", FaultKind::NotPending("by")),
        (None, None, margin, "margin", FaultKind::NotPending("margin")),
        (
            Some(Outcome::Draw),
            None,
            margin,
            "margin",
            FaultKind::NotWithResult("margin"),
        ),
        (
            Some(Outcome::BothLose),
            None,
            margin,
            "margin",
            FaultKind::NotWithResult("margin"),
        ),
        (
            Some(Outcome::BlackForfeit),
            Some(By::Time),
            None,
            "by",
            FaultKind::NotWithResult("by"),
        ),
        (
            Some(Outcome::WhiteForfeit),
            None,
            margin,
            "margin",
            FaultKind::NotWithResult("margin"),
        ),
    ];
    let before = hall.event().await;
    for (result, by, margin, path, kind) in cases {
        let given = ResultInput {
            result,
            by,
            margin,
            ..ResultInput::default()
        };
        let Refused::Faults(faults) = refused(hall.put(1, 1, given).await) else {
            panic!("no faults");
        };
        assert_eq!((faults[0].path.as_str(), &faults[0].kind), (path, &kind));
    }
    assert_eq!(hall.event().await, before);
}

/// No result for what is no running board; the winner cannot be named otherwise: a result names a side.
#[sqlx::test(migrations = "../../migrations")]
async fn only_a_board_of_a_published_round_has_a_result(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    hall.round(&[(1, 2), (3, 4)], Some(5)).await;
    let before = hall.event().await;
    for board in [0, 3, 99, u32::MAX] {
        let there_is_none = refused(hall.put(1, board, won(Outcome::Black)).await);
        assert_eq!(there_is_none, Refused::UnknownBoard { round: 1, board });
    }
    for round in [0, 2, 9, u32::MAX] {
        let there_is_none = refused(hall.put(round, 1, won(Outcome::Black)).await);
        assert_eq!(there_is_none, Refused::UnknownRound { round });
    }
    let mut tx = hall.begin().await;
    let elsewhere = uuid::Uuid::from_u128(5);
    let unknown = results::put(
        &mut tx,
        &hall.change(1),
        elsewhere,
        1,
        1,
        None,
        won(Outcome::Black),
    )
    .await;
    assert_eq!(refused(unknown), Refused::UnknownRound { round: 1 });
    drop(tx);
    hall.black_wins(1).await;
    hall.pair().await.expect("paired");
    assert_eq!(
        refused(hall.put(2, 1, won(Outcome::Black)).await),
        Refused::NotPublished { round: 2 }
    );
    hall.act(async |tx, change, event| store::rounds::throw_away(tx, change, event, 2, None).await)
        .await
        .expect("thrown away");
    assert_eq!(
        refused(hall.put(2, 1, won(Outcome::Black)).await),
        Refused::UnknownRound { round: 2 }
    );
    assert_eq!(hall.event().await.stage.entries, before.stage.entries);
}

/// A request that comes again is answered as before, without a second act.
#[sqlx::test(migrations = "../../migrations")]
async fn the_same_result_again_writes_nothing(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let seen = hall.event().await.rounds[0].board_version(1);
    let first = hall
        .put_expecting(1, 1, seen, won(Outcome::Black))
        .await
        .expect("a result");
    let acts = hall.log(Filter::default()).await.len();
    let again = hall
        .put_expecting(1, 1, seen, won(Outcome::Black))
        .await
        .expect("the same result");
    assert_eq!((again.version, again.changed), (first.version, false));
    assert_eq!(again.board, first.board);
    assert_eq!(hall.log(Filter::default()).await.len(), acts);
    // Another value on what was seen before is late.
    let late = refused(hall.put_expecting(1, 1, seen, won(Outcome::White)).await);
    assert_eq!(
        late,
        Refused::Stale {
            current: first.version
        }
    );
    let cleared = hall
        .put_expecting(1, 1, Some(first.version), ResultInput::default())
        .await
        .expect("cleared");
    assert!(cleared.version > first.version);
    let kinds: Vec<Action> = hall
        .log(Filter {
            board: Some(1),
            ..Filter::default()
        })
        .await
        .iter()
        .map(|a| a.action)
        .collect();
    assert_eq!(kinds, [Action::ResultCleared, Action::ResultEntered]);
}

#[sqlx::test(migrations = "../../migrations")]
async fn many_results_come_in_all_or_none(pool: PgPool) {
    let hall = Hall::open(pool, 5, 8).await;
    hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8)], None).await;
    hall.put(1, 2, won(Outcome::Draw)).await.expect("a result");
    let before = hall.event().await;
    let version = |board| before.rounds[0].board_version(board);
    let stale = [
        input(1, version(1), Outcome::Black),
        input(2, version(1), Outcome::White),
    ];
    assert_eq!(refused(put_many(&hall, 1, &stale).await).code(), "stale");
    let unknown = [input(1, None, Outcome::Black), input(9, None, Outcome::White)];
    assert_eq!(
        refused(put_many(&hall, 1, &unknown).await),
        Refused::UnknownBoard { round: 1, board: 9 }
    );
    let twice = [input(1, None, Outcome::Black), input(1, None, Outcome::White)];
    assert_eq!(
        refused(put_many(&hall, 1, &twice).await),
        Refused::BoardTwice { board: 1 }
    );
    let mut broken = input(3, None, Outcome::Draw);
    broken.input.margin = Margin::from_quarters(1).ok();
    let Refused::Faults(faults) =
        refused(put_many(&hall, 1, &[input(1, None, Outcome::Black), broken]).await)
    else {
        panic!("no faults");
    };
    assert_eq!(faults[0].path, "results[1].margin");
    assert_eq!(hall.event().await, before);

    let good = [
        input(4, version(4), Outcome::White),
        input(2, None, Outcome::Draw),
        input(1, version(1), Outcome::Black),
    ];
    let done = put_many(&hall, 1, &good).await.expect("results");
    let answers: Vec<(u32, bool)> = done.iter().map(|done| (done.board.board, done.changed)).collect();
    assert_eq!(answers, [(4, true), (2, false), (1, true)]);
    let event = hall.event().await;
    for done in &done {
        assert_eq!(
            event.rounds[0].board_version(done.board.board),
            Some(done.version)
        );
    }
    assert_eq!(event.last_seq, before.last_seq + 2);
    hall.assert_log_without_gap().await;
}

fn sos(event: &events::Event, number: Number, after: u32) -> (Score, String) {
    let table = standings::standings(&event.public_stage(), after);
    let row = table.row(number).expect("a row");
    (row.score, row.values[1].exact().expect("a value"))
}

/// Round 2 corrected after round 4 was published (in the scale of two points a win).
#[sqlx::test(migrations = "../../migrations")]
async fn a_correction_changes_standings_and_no_published_table(pool: PgPool) {
    let hall = Hall::open(pool, 5, 6).await;
    for pairs in [
        [(1, 4), (2, 5), (3, 6)],
        [(1, 2), (3, 4), (5, 6)],
        [(1, 3), (2, 6), (4, 5)],
    ] {
        let round = hall.round(&pairs, None).await;
        hall.black_wins(round).await;
    }
    hall.round(&[(1, 6), (4, 2), (5, 3)], None).await;
    let before = hall.event().await;
    let expected_before = [(6, "10"), (4, "8"), (4, "8"), (2, "12"), (2, "6"), (0, "10")];
    for (number, (score, opponents)) in (1..).zip(expected_before) {
        assert_eq!(
            sos(&before, n(number), 3),
            (Score(score), opponents.to_owned()),
            "{number}"
        );
    }
    let done = hall.put(2, 1, won(Outcome::White)).await.expect("corrected");
    assert_eq!(done.later_rounds, [3, 4]);
    let after = hall.event().await;
    let expected = [(4, "12"), (6, "6"), (4, "6"), (2, "10"), (2, "8"), (0, "12")];
    for (number, (score, opponents)) in (1..).zip(expected) {
        assert_eq!(
            sos(&after, n(number), 3),
            (Score(score), opponents.to_owned()),
            "{number}"
        );
    }
    for round in [3, 4] {
        let at = round - 1;
        assert_eq!(after.stage.rounds[at], before.stage.rounds[at]);
        let info = &after.rounds[at];
        assert!(info.made_on_earlier_results);
        assert_eq!(
            info.earlier_results,
            [events::EarlierResult {
                round: 2,
                board: 1,
                result: Some(Outcome::Black)
            }]
        );
        assert_eq!(
            (info.version, info.edition),
            (before.rounds[at].version, before.rounds[at].edition)
        );
    }
    assert!(!after.rounds[1].made_on_earlier_results);
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(
        (act.action, act.actor.name.as_str()),
        (Action::ResultCorrected, "Director")
    );
    assert_eq!(
        (&act.before["result"], &act.after["result"]),
        (&"black".into(), &"white".into())
    );

    // Corrected once more, the later rounds were still made on the first one …
    hall.put(2, 1, won(Outcome::Draw)).await.expect("corrected");
    assert_eq!(
        hall.event().await.rounds[3].earlier_results[0].result,
        Some(Outcome::Black)
    );
    // … and corrected back, nothing is left to be said. A margin alone never was a reason.
    let counted = ResultInput {
        by: Some(By::Count),
        margin: Margin::from_quarters(5).ok(),
        ..won(Outcome::Black)
    };
    let back = hall.put(2, 1, counted).await.expect("corrected back");
    assert!(back.later_rounds.is_empty());
    let event = hall.event().await;
    assert!(event.rounds.iter().all(|info| !info.made_on_earlier_results));
    hall.assert_log_without_gap().await;
}

/// The next round goes by the value that was confirmed, and by no other.
#[sqlx::test(migrations = "../../migrations")]
async fn a_pairing_goes_by_the_result_that_stands(pool: PgPool) {
    let hall = Hall::open(pool, 5, 8).await;
    hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8)], None).await;
    hall.put(1, 1, won(Outcome::Black)).await.expect("a result");
    hall.put(1, 1, won(Outcome::White))
        .await
        .expect("confirmed otherwise");
    hall.black_wins(1).await;
    hall.pair().await.expect("paired");
    let event = hall.event().await;
    let table = &event.stage.rounds[1];
    let (board, side) = table.board_of(n(2)).expect("a board");
    let opponent = board.on(side.other());
    assert_eq!(
        hall.points(opponent.get(), 1).await,
        Score(2),
        "winner meets winner"
    );
    assert_eq!(hall.points(2, 1).await, Score(2));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_round_paired_on_a_pending_board_says_so_when_the_result_comes(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    hall.put(1, 1, won(Outcome::Black)).await.expect("a result");
    let provisional = tournament::pairing::Confirmed {
        repeats: false,
        provisional: true,
    };
    hall.act(async |tx, change, event| store::rounds::pair(tx, change, event, Some(2), provisional).await)
        .await
        .expect("paired");
    hall.publish(2).await.expect("published");
    let done = hall.put(1, 2, won(Outcome::Black)).await.expect("a result");
    assert_eq!(done.later_rounds, [2]);
    let event = hall.event().await;
    assert_eq!(event.rounds[1].earlier_results[0].result, None);
}
