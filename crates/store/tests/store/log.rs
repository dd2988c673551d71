use interchange::log_file::{Broken, Head};
use sqlx::PgPool;
use store::draws::{self, NumberRequest};
use store::entries::{self, EntryPatch, Seated};
use store::log::{self, Action, Filter, Subject};
use store::{Actor, Change, Paging, Role, Via};
use tournament::Outcome;

use crate::support::{Hall, moment, n, won};

#[sqlx::test(migrations = "../../migrations")]
async fn every_act_says_who_when_what_and_why(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let referee = Actor {
        user: Some(uuid::Uuid::from_u128(7)),
        name: "Referee".to_owned(),
        role: Role::Admin,
        via: Via::Token,
    };
    let change = Change {
        actor: &referee,
        at: moment(30),
        reason: Some("slip read wrongly"),
        chance: store::Chance([7; 32]),
    };
    hall.put(1, 2, won(Outcome::Black)).await.expect("a result");
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    store::results::put(&mut tx, &change, event.id, 1, 2, None, won(Outcome::White))
        .await
        .expect("corrected");
    tx.commit().await.expect("committed");

    let acts = hall.log(Filter::default()).await;
    let last = &acts[0];
    assert_eq!(last.actor, referee);
    assert_eq!(last.at, moment(30));
    assert_eq!(last.reason.as_deref(), Some("slip read wrongly"));
    assert_eq!(last.action, Action::ResultCorrected);
    assert_eq!(last.subject, Subject::Board { round: 1, board: 2 });
    assert_eq!(
        (&last.before["result"], &last.after["result"]),
        (&"black".into(), &"white".into())
    );
    assert_eq!(
        (&last.after["black"], &last.after["white"]),
        (&3.into(), &4.into())
    );
    let kinds: Vec<Action> = acts.iter().rev().map(|act| act.action).collect();
    assert_eq!(
        kinds,
        [
            Action::EventCreated,
            Action::EntryAdded,
            Action::EntryAdded,
            Action::EntryAdded,
            Action::EntryAdded,
            Action::RoundPairedByHand,
            Action::RoundPublished,
            Action::ResultEntered,
            Action::ResultCorrected,
        ]
    );
    hall.assert_log_without_gap().await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_log_of_an_entry_follows_it_through_a_draw(pool: PgPool) {
    let hall = Hall::open(pool, 5, 6).await;
    let patch = EntryPatch {
        team: Some(Some("Red".to_owned())),
        ..EntryPatch::default()
    };
    hall.act(async |tx, change, event| entries::update(tx, change, event, n(3), patch).await)
        .await
        .expect("updated");
    hall.act(async |tx, change, event| {
        draws::draw_numbers(tx, change, event, NumberRequest::default()).await
    })
    .await
    .expect("drawn");
    let event = hall.event().await;
    let number = event
        .stage
        .entries
        .iter()
        .find(|entry| entry.name == "C")
        .expect("C")
        .number;
    hall.act(async |tx, change, event| entries::withdraw(tx, change, event, number, 0, Seated::Ask).await)
        .await
        .expect("withdrawn");
    let filter = Filter {
        entry: Some(number),
        ..Filter::default()
    };
    let kinds: Vec<Action> = hall.log(filter).await.iter().map(|act| act.action).collect();
    assert_eq!(
        kinds,
        [Action::EntryWithdrawn, Action::EntryUpdated, Action::EntryAdded]
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_log_is_read_in_pages_while_it_grows(pool: PgPool) {
    let hall = Hall::open(pool, 5, 10).await;
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    let four = Paging { offset: 0, limit: 4 };
    let first = log::list(&mut tx, &event, Filter::default(), four)
        .await
        .expect("a page");
    assert_eq!(first.total, 11);
    assert_eq!(
        first.items.iter().map(|act| act.seq).collect::<Vec<_>>(),
        [11, 10, 9, 8]
    );
    let older = Filter {
        before: Some(8),
        ..Filter::default()
    };
    let second = log::list(&mut tx, &event, older, four).await.expect("a page");
    assert_eq!(
        second.items.iter().map(|act| act.seq).collect::<Vec<_>>(),
        [7, 6, 5, 4]
    );
    let filter = Filter {
        action: Some(Action::RoundPaired),
        round: Some(1),
        board: Some(1),
        ..Filter::default()
    };
    assert_eq!(
        log::list(&mut tx, &event, filter, four)
            .await
            .expect("a page")
            .total,
        0
    );
}

/// Does something to the log past this program, as somebody with the database's password can.
async fn tamper(hall: &Hall, statement: &str) {
    let mut conn = hall.pool.acquire().await.expect("a connection");
    for statement in [
        "alter table log disable trigger log_append_only",
        statement,
        "alter table log enable trigger log_append_only",
    ] {
        sqlx::query(sqlx::AssertSqlSafe(statement.to_owned()))
            .execute(&mut *conn)
            .await
            .expect(statement);
    }
}

async fn checked(hall: &Hall) -> log::Checked {
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    log::check(&mut tx, &event).await.expect("checked")
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_change_of_the_past_is_found(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    hall.black_wins(1).await;
    let sound = checked(&hall).await;
    assert_eq!((sound.acts, &sound.broken[..]), (9, &[][..]));
    tamper(
        &hall,
        "update log set at = at + interval '1 microsecond' where seq = 3",
    )
    .await;
    assert_eq!(checked(&hall).await.broken, [Broken::Changed { seq: 3 }]);
    tamper(
        &hall,
        "update log set at = at - interval '1 microsecond' where seq = 3",
    )
    .await;
    assert_eq!(checked(&hall).await, sound);
    for column in [
        "after = '{}'",
        "reason = ''",
        "actor_user = gen_random_uuid()",
        "subject_entry = gen_random_uuid()",
        "action = 'no-such-act'",
        "hash = sha256('')",
    ] {
        tamper(&hall, "create table kept as select * from log where seq = 5").await;
        tamper(&hall, &format!("update log set {column} where seq = 5")).await;
        let broken = checked(&hall).await.broken;
        assert_eq!(broken.first(), Some(&Broken::Changed { seq: 5 }), "{column}");
        tamper(&hall, "delete from log where seq = 5").await;
        let broken = checked(&hall).await.broken;
        assert_eq!(broken.first(), Some(&Broken::Gap { after: 4, found: 6 }));
        tamper(&hall, "insert into log select * from kept").await;
        tamper(&hall, "drop table kept").await;
    }
    tamper(&hall, "delete from log where seq > 7").await;
    assert_eq!(
        checked(&hall).await.broken,
        [Broken::EndMissing { last: 7, seq: 9 }]
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_everybody_sees_of_the_log_says_nothing_of_drafts(pool: PgPool) {
    let hall = Hall::open(pool, 2, 4).await;
    let head = async || hall.event().await.head.expect("a head").seq;
    assert_eq!(head().await, 1);
    hall.round(&[(1, 2), (3, 4)], None).await;
    let first = head().await;
    assert_eq!(first, 7, "the publication");
    hall.black_wins(1).await;
    assert_eq!(head().await, first);
    hall.pair().await.expect("a draft");
    assert_eq!(head().await, first, "neither the results nor the draft");
    assert_eq!(hall.event().await.round_info(2).expect("a draft").head, None);
    hall.publish(2).await.expect("published");
    let event = hall.event().await;
    assert_eq!(event.head.expect("a head").seq, event.last_seq);
    assert_eq!(
        event.round_info(1).expect("a round").head.expect("a head").seq,
        first
    );
    hall.black_wins(2).await;
    let event = hall.event().await;
    assert_eq!(
        event.head.expect("a head").seq,
        event.last_seq,
        "the final result"
    );
    let mut tx = hall.begin().await;
    let file = log::export(&mut tx, &event).await.expect("a file");
    let known: Vec<Head> = [event.head, event.rounds[0].head, event.rounds[1].head]
        .into_iter()
        .flatten()
        .map(|head| Head {
            seq: head.seq,
            digits: head.hash.short(),
        })
        .collect();
    assert_eq!(known.len(), 3);
    let read = interchange::log_file::read(file.write().as_bytes()).expect("a log");
    assert_eq!(read.check(&known), []);
}

/// The migrations before logs were chains, acts of all kinds, then the rest.
#[sqlx::test(migrations = false)]
async fn a_log_from_before_is_chained_once(pool: PgPool) {
    let before = async |pool: &PgPool, chained: bool| {
        for migration in store::MIGRATOR.iter().filter(|one| (one.version >= 3) == chained) {
            sqlx::raw_sql(migration.sql.clone())
                .execute(pool)
                .await
                .expect("migrated");
        }
    };
    before(&pool, false).await;
    sqlx::raw_sql(
        r#"insert into log_heads values ('0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5', 4),
                                        ('0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f6', 0);
           insert into log (event_id, seq, at, actor_user, actor_name, actor_role, actor_via, action, subject,
                            subject_number, subject_entry, subject_round, subject_board, before, after, reason)
           select '0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5', a.* from (values
             (1, timestamptz '2026-05-01 09:00:00.000001+08', null::uuid, '裁判"长"', 'director', 'session',
              'event-created', 'event', null::integer, null::uuid, null::integer, null::integer, null::jsonb,
              '{"name": "春 \\ \"1\"\n\t\u0001\u007f", "b": [1, -2, {}, [], null, true], "aa": 1, "B": ""}'::jsonb,
              null),
             (2, '2026-05-01 01:00:00Z', gen_random_uuid(), 'x', 'admin', 'token', 'entry-added', 'entry', 7,
              gen_random_uuid(), null, null, null, '{}', ' why '),
             (3, '2026-05-01 01:00:00.5Z', null, 'x', 'admin', 'token', 'round-paired', 'round', null, null, 1,
              null, '[]', 'null', ''),
             (4, '1999-12-31 23:59:59.999999Z', null, 'x', 'admin', 'command_line', 'result-entered', 'board',
              null, null, 1, 3, '"t"', '{"é": {"天": 0}, "z": 1}', null)) a"#,
    )
    .execute(&pool)
    .await
    .expect("acts");
    before(&pool, true).await;
    let hall = Hall::open(pool.clone(), 5, 2).await;
    let mut event = hall.event().await;
    for id in [
        "0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5",
        "0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f6",
    ] {
        event.id = id.parse().expect("an id");
        let mut tx = hall.begin().await;
        assert_eq!(log::check(&mut tx, &event).await.expect("checked").broken, []);
    }
    for statement in ["update log set reason = ''", "delete from log"] {
        sqlx::query(statement)
            .execute(&pool)
            .await
            .expect_err("append-only");
    }
}
