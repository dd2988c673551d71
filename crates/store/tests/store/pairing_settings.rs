//! Settings of the pairing, what is fixed before a round is paired, and colours from nigiri.

use serde_json::json;
use sqlx::PgPool;
use store::draws::{self, NumberRequest};
use store::entries::{self, EntryPatch};
use store::events::{self, EventPatch, PairingPatch};
use store::log::{Action, Filter};
use store::results::ResultInput;
use store::{Error, Refused, rounds};
use tournament::draw::Seed;
use tournament::pairing::Request;
use tournament::{
    Board, Choices, Colours, NumberOrder, OrderBy, Outcome, PairingOrder, PairingSettings, Score,
    TeamAvoidance, ThirdColour,
};

use crate::support::{Hall, n, player, refused, won};

async fn set(hall: &Hall, pairing: PairingPatch) -> Result<(), Error> {
    let patch = EventPatch {
        pairing,
        ..EventPatch::default()
    };
    hall.act(async |tx, change, event| events::update(tx, change, event, patch, None).await)
        .await
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_setting_is_kept_and_a_change_of_one_is_logged_alone(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    let every = PairingPatch {
        order: Some(PairingOrder::Random),
        order_by: Some(OrderBy::Number),
        number_order: Some(NumberOrder::Descending),
        avoid_team_rounds: Some(3),
        team_avoidance: Some(TeamAvoidance::Strong),
        forbidden_pairs: Some(vec![(n(4), n(2)), (n(1), n(2))]),
        unwanted_pairs: Some(vec![(n(3), n(5))]),
        third_colour: Some(ThirdColour::Forbidden),
        colours: Some(Colours::Lots),
        bye_score: Some(Score(1)),
        absent_score: Some(Score(1)),
        forfeits_may_meet_again: Some(true),
        avoid_repeated_floats: Some(false),
        stop_at: Some(Some(Score(8))),
    };
    set(&hall, every.clone()).await.expect("set");
    let kept = hall.event().await.stage.pairing;
    // A pair has no first and second, and pairs no order.
    let expected = PairingPatch {
        forbidden_pairs: Some(vec![(n(1), n(2)), (n(2), n(4))]),
        ..every.clone()
    };
    assert_eq!(kept, expected.over(PairingSettings::default()));
    // The same again in another order is no change.
    let acts = hall.log(Filter::default()).await.len();
    set(&hall, every).await.expect("nothing to do");
    assert_eq!(hall.log(Filter::default()).await.len(), acts);
    let clear = PairingPatch {
        forbidden_pairs: Some(vec![(n(2), n(4))]),
        stop_at: Some(None),
        ..PairingPatch::default()
    };
    set(&hall, clear).await.expect("cleared");
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(act.action, Action::EventUpdated);
    assert_eq!(
        (&act.before, &act.after),
        (
            &json!({"forbidden_pairs": [[1, 2], [2, 4]], "stop_at": 8}),
            &json!({"forbidden_pairs": [[2, 4]], "stop_at": null})
        )
    );
    let unknown = PairingPatch {
        unwanted_pairs: Some(vec![(n(3), n(99))]),
        ..PairingPatch::default()
    };
    assert!(set(&hall, unknown).await.is_err());
}

#[sqlx::test(migrations = "../../migrations")]
async fn pairs_belong_to_people_and_not_to_numbers(pool: PgPool) {
    let hall = Hall::open(pool, 5, 6).await;
    let pairs = PairingPatch {
        forbidden_pairs: Some(vec![(n(1), n(2))]),
        unwanted_pairs: Some(vec![(n(2), n(3))]),
        ..PairingPatch::default()
    };
    set(&hall, pairs).await.expect("set");
    let named =
        |event: &events::Event, pairs: &[(tournament::Number, tournament::Number)]| -> Vec<[String; 2]> {
            let name = |number| event.stage.entry(number).expect("an entry").name.clone();
            pairs
                .iter()
                .map(|(one, other)| {
                    let mut pair = [name(*one), name(*other)];
                    pair.sort_unstable();
                    pair
                })
                .collect()
        };
    hall.act(async |tx, change, event| {
        draws::draw_numbers(tx, change, event, NumberRequest::default()).await
    })
    .await
    .expect("drawn");
    let taken = hall
        .event()
        .await
        .stage
        .entries
        .iter()
        .find(|entry| entry.name == "A")
        .expect("A")
        .number;
    let other = EntryPatch {
        number: Some(n(77)),
        ..EntryPatch::default()
    };
    hall.act(async |tx, change, event| entries::update(tx, change, event, taken, other).await)
        .await
        .expect("another number");
    let event = hall.event().await;
    let pairing = &event.stage.pairing;
    assert_eq!(named(&event, &pairing.forbidden_pairs), [["A", "B"]]);
    assert_eq!(named(&event, &pairing.unwanted_pairs), [["B", "C"]]);
    let c = event
        .stage
        .entries
        .iter()
        .find(|entry| entry.name == "C")
        .expect("C")
        .number;
    hall.act(async |tx, change, event| entries::delete(tx, change, event, c).await)
        .await
        .expect("removed");
    let event = hall.event().await;
    assert_eq!(event.stage.pairing.unwanted_pairs, []);
    assert_eq!(event.stage.pairing.forbidden_pairs.len(), 1);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_bye_that_is_asked_for_is_kept(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    let asked = |rounds: &[u32]| EntryPatch {
        bye_rounds: Some(rounds.to_vec()),
        ..EntryPatch::default()
    };
    for (given, kept) in [(&[3, 1, 3][..], &[1, 3][..]), (&[], &[])] {
        hall.act(async |tx, change, event| entries::update(tx, change, event, n(2), asked(given)).await)
            .await
            .expect("asked");
        assert_eq!(hall.event().await.stage.entries[1].bye_rounds, kept);
    }
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(
        (&act.before, &act.after),
        (&json!({"bye_rounds": [1, 3]}), &json!({"bye_rounds": []}))
    );
    let new = entries::NewEntry {
        bye_rounds: vec![2],
        ..player("New")
    };
    hall.act(async |tx, change, event| entries::add(tx, change, event, vec![new.clone()]).await)
        .await
        .expect("added");
    assert_eq!(hall.event().await.stage.entries[5].bye_rounds, [2]);
}

fn request(choices: Choices) -> Request {
    Request {
        choices,
        ..Request::default()
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_was_fixed_stays_with_its_round(pool: PgPool) {
    let hall = Hall::open(pool, 5, 9).await;
    let choices = Choices {
        pairs: vec![(n(9), n(1))],
        apart: vec![(n(3), n(2))],
        byes: vec![n(4)],
        sitting_out: vec![n(6), n(5)],
    };
    let given = Request {
        seed: Some(Seed([3; 32])),
        ..request(choices)
    };
    hall.act(async |tx, change, event| rounds::pair(tx, change, event, None, given.clone()).await)
        .await
        .expect("paired");
    let kept = Choices {
        pairs: vec![(n(1), n(9))],
        apart: vec![(n(2), n(3))],
        byes: vec![n(4)],
        sitting_out: vec![n(5), n(6)],
    };
    let event = hall.event().await;
    let draft = &event.stage.rounds[0];
    // Only a promised draw gives a seed, and this event draws no lots: nobody chooses one.
    assert_eq!((&draft.choices, draft.seed), (&kept, None));
    assert_eq!(draft.byes, [n(4)]);
    assert_eq!(draft.absent, [n(5), n(6)]);
    assert!(
        draft
            .board_of(n(1))
            .is_some_and(|(board, _)| board.side_of(n(9)).is_some())
    );
    let info = &event.rounds[0];
    assert_eq!(info.free_criteria.as_ref().map(|free| free.bye_so_far), Some(0));
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(
        act.after["choices"],
        json!({"pairs": [[1, 9]], "apart": [[2, 3]], "byes": [4], "sitting_out": [5, 6]})
    );
    assert_eq!(act.after["seed"], serde_json::Value::Null);
    // A change by hand leaves it, and who sits out by choice is not missing from the table.
    hall.act(async |tx, change, event| rounds::swap(tx, change, event, 1, (n(2), n(4)), None).await)
        .await
        .expect("swapped");
    assert_eq!(hall.event().await.stage.rounds[0].choices, kept);
    hall.publish(1).await.expect("up to date");
    let event = hall.event().await;
    assert_eq!(event.stage.rounds[0].choices, kept);
    // A file that goes out and in keeps it too.
    assert_eq!(events::export(&event).stage.rounds[0].choices, kept);
}

/// Re-pairing must not multiply byes.
#[sqlx::test(migrations = "../../migrations")]
async fn a_bye_given_to_somebody_else_is_the_only_one(pool: PgPool) {
    let hall = Hall::open(pool, 5, 9).await;
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    hall.black_wins(1).await;
    hall.pair().await.expect("paired");
    let first = hall.event().await.stage.rounds[1].byes[0];
    let other = hall.event().await.stage.rounds[1].boards[3].black;
    hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 2, None).await)
        .await
        .expect("thrown away");
    let choices = Choices {
        byes: vec![other],
        ..Choices::default()
    };
    hall.act(async |tx, change, event| rounds::pair(tx, change, event, None, request(choices.clone())).await)
        .await
        .expect("paired");
    let event = hall.event().await;
    let draft = &event.stage.rounds[1];
    assert_eq!(draft.byes, [other]);
    assert!(draft.board_of(first).is_some());
    assert_eq!(draft.boards.len(), 4);
}

async fn nigiri(hall: &Hall) {
    let colours = PairingPatch {
        colours: Some(Colours::Nigiri),
        ..PairingPatch::default()
    };
    set(hall, colours).await.expect("set");
}

fn board(event: &events::Event, round: usize) -> Board {
    event.stage.rounds[round].boards[0]
}

#[sqlx::test(migrations = "../../migrations")]
async fn who_had_black_by_nigiri_comes_with_the_result(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    nigiri(&hall).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let event = hall.event().await;
    assert!(event.stage.rounds[0].boards.iter().all(|board| board.nigiri));
    // Without a word on the colours the result goes by who is named first.
    hall.put(1, 2, won(Outcome::Black)).await.expect("a result");
    assert!(hall.event().await.stage.rounds[0].boards[1].nigiri);
    let had_black = |black, result| ResultInput {
        black: Some(n(black)),
        ..won(result)
    };
    let done = hall
        .put(1, 1, had_black(2, Outcome::Black))
        .await
        .expect("a result");
    assert_eq!(
        (done.board.black, done.board.white, done.board.nigiri),
        (n(2), n(1), false)
    );
    assert_eq!(board(&hall.event().await, 0), done.board);
    assert_eq!(hall.points(2, 1).await, Score(2));
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(
        (&act.before["black"], &act.after["black"]),
        (&json!(1), &json!(2))
    );
    // The same again is a success that writes nothing.
    assert!(
        !hall
            .put(1, 1, had_black(2, Outcome::Black))
            .await
            .expect("again")
            .changed
    );

    // Corrected after the next round was paired: the other had Black, and the same player has won.
    hall.pair().await.expect("paired");
    let turned = hall
        .put(1, 1, had_black(1, Outcome::White))
        .await
        .expect("corrected");
    assert_eq!(
        (turned.board.black, turned.later_rounds.as_slice()),
        (n(1), &[][..])
    );
    assert!(!hall.event().await.rounds[1].made_on_earlier_results);
    // Now another one has won; and turned once more, the mark still knows who had.
    hall.put(1, 1, won(Outcome::Black)).await.expect("corrected");
    hall.put(1, 1, had_black(2, Outcome::White))
        .await
        .expect("turned");
    let earlier = &hall.event().await.rounds[1].earlier_results;
    assert_eq!((earlier.len(), earlier[0].result), (1, Some(Outcome::Black)));
    let back = hall.put(1, 1, had_black(1, Outcome::White)).await.expect("back");
    assert_eq!(back.later_rounds, Vec::<u32>::new());
    let stranger = hall.put(1, 1, had_black(3, Outcome::White)).await;
    assert_eq!(refused(stranger).code(), "not-at-board");
    hall.assert_log_without_gap().await;
}

/// Art. 17.1: what the pairing assigned stands.
#[sqlx::test(migrations = "../../migrations")]
async fn assigned_colours_stand(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let before = hall.event().await;
    let said = |black| ResultInput {
        black: Some(n(black)),
        ..won(Outcome::Black)
    };
    let refused = refused(hall.put(1, 1, said(2)).await);
    assert_eq!(
        refused,
        Refused::ColoursAssigned {
            round: 1,
            board: 1,
            black: n(1)
        }
    );
    assert!(refused.to_string().contains("Art. 17.1"), "{refused}");
    assert_eq!(hall.event().await, before);
    hall.put(1, 1, said(1)).await.expect("what was assigned");
}

/// What is there when the settings come keeps what it was paired with.
#[sqlx::test(migrations = false)]
async fn an_event_from_before_keeps_its_settings(pool: PgPool) {
    let mut files: Vec<_> = std::fs::read_dir("../../migrations")
        .expect("migrations")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort_unstable();
    let run = async |range: &[std::path::PathBuf]| {
        for file in range {
            let sql = std::fs::read_to_string(file).expect("SQL");
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql))
                .execute(&pool)
                .await
                .expect("migrated");
        }
    };
    let at = files
        .iter()
        .position(|file| file.to_string_lossy().contains("pairing_settings"))
        .expect("the migration");
    run(&files[..at]).await;
    let hash = sqlx::query("select hash from log_heads")
        .execute(&pool)
        .await
        .is_ok();
    let head = if hash {
        "insert into log_heads (event_id, last_seq, hash) values ('00000000-0000-0000-0000-000000000001', 0, sha256(''))"
    } else {
        "insert into log_heads (event_id, last_seq) values ('00000000-0000-0000-0000-000000000001', 0)"
    };
    let rows = "insert into events values ('00000000-0000-0000-0000-000000000001', 'old', 'Old', 'chinese', 15,
                                           null, null, 'public', 1, now(), now());
         insert into groups (event_id, group_no) values ('00000000-0000-0000-0000-000000000001', 1);
         insert into stages (event_id, stage_no, group_no, format, rounds_planned, first_round,
                             pairing_order, number_order, avoid_team_rounds, bye_score, absent_score,
                             forfeits_may_meet_again, avoid_repeated_floats, ranking, unplayed)
         values ('00000000-0000-0000-0000-000000000001', 1, 1, 'swiss', 5, 1, 'classic', 'ascending', 2, 1, 1,
                 true, false, '[\"score\"]', 'nothing');
         insert into entries (event_id, entry_id, group_no, kind, number, name)
         select '00000000-0000-0000-0000-000000000001', i::text::uuid, 1, 'player', n, 'P' || n
         from (values (1, '00000000-0000-0000-0000-00000000000a'), (2, '00000000-0000-0000-0000-00000000000b')) p (n, i);
         insert into stage_entries (event_id, stage_no, entry_id, start_score, absent_rounds)
         select event_id, 1, entry_id, 0, '{3}' from entries;
         insert into rounds (event_id, stage_no, round_no, status, version, edition, paired_at, paired_by,
                             published_at, notes, by_hand)
         values ('00000000-0000-0000-0000-000000000001', 1, 1, 'published', 1, 1, now(), 'x', now(), '[]', false);
         insert into boards (event_id, stage_no, round_no, board_no, result, version)
         values ('00000000-0000-0000-0000-000000000001', 1, 1, 1, 'black', 1);
         insert into seats (event_id, stage_no, round_no, entry_id, place, board_no)
         select event_id, 1, 1, entry_id, case number when 1 then 'black' else 'white' end, 1 from entries;";
    for sql in [head, rows] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))
            .execute(&pool)
            .await
            .expect("an event");
    }
    run(&files[at..]).await;
    let store = store::Store::from(pool.clone());
    let mut tx = store.begin().await.expect("a transaction");
    let event = events::find(&mut tx, "old").await.expect("read").expect("there");
    let old = PairingSettings {
        number_order: NumberOrder::Ascending,
        avoid_team_rounds: 2,
        bye_score: Score(1),
        absent_score: Score(1),
        forfeits_may_meet_again: true,
        avoid_repeated_floats: false,
        ..PairingSettings::default()
    };
    assert_eq!(event.stage.pairing, old);
    let round = &event.stage.rounds[0];
    assert!(round.choices.is_empty() && round.seed.is_none() && !round.boards[0].nigiri);
    assert!(event.stage.entries[0].bye_rounds.is_empty());
}
