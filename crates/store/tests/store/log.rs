use sqlx::PgPool;
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
    hall.act(async |tx, change, event| entries::draw_numbers(tx, change, event, [9; 32]).await)
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
