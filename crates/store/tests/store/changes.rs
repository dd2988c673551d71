//! Public changes: their numbers, who is told of them, and what has none.

use std::sync::{Arc, Mutex};

use sqlx::PgPool;
use store::changes::{self, Kind, Touched};
use store::entries::{self, EntryPatch};
use store::{Store, check_in, events, rounds};
use tournament::Outcome;
use uuid::Uuid;

use crate::support::{Hall, n, won};

/// The number of the last public change, which is also what a list of them ends with.
async fn number(hall: &Hall) -> i64 {
    let id = hall.event().await.id;
    let head = changes::heads(&hall.store, &[id]).await.expect("heads")[&id];
    let all = changes::since(&hall.store, id, 0, 10_000).await.expect("changes");
    let numbers: Vec<i64> = all.iter().map(|change| change.number).collect();
    assert_eq!(numbers, (1..=head.number).collect::<Vec<_>>());
    head.number
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_is_done_to_a_draft_has_no_public_number(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    let begun = number(&hall).await;
    hall.pair().await.expect("paired");
    hall.act(async |tx, change, event| rounds::swap(tx, change, event, 1, (n(1), n(2)), None).await)
        .await
        .expect("swapped");
    hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await)
        .await
        .expect("thrown away");
    for out in [true, false] {
        hall.act(async |tx, change, event| entries::sit_out(tx, change, event, n(3), 2, out).await)
            .await
            .expect("changed");
    }
    hall.act(async |tx, change, event| entries::sit_out(tx, change, event, n(4), 2, true).await)
        .await
        .expect("sits out");
    hall.act(async |tx, change, event| check_in::set(tx, change, event, n(4), true).await)
        .await
        .expect("here");
    hall.pair().await.expect("paired");
    assert_eq!(number(&hall).await, begun);
    hall.publish(1).await.expect("published");
    assert_eq!(number(&hall).await, begun + 1);
    let patch = EntryPatch {
        name: Some("Somebody".to_owned()),
        ..EntryPatch::default()
    };
    hall.act(async |tx, change, event| entries::update(tx, change, event, n(3), patch).await)
        .await
        .expect("changed");
    assert_eq!(number(&hall).await, begun + 2);
}

#[sqlx::test(migrations = "../../migrations")]
async fn whoever_hears_commits_learns_of_each_and_of_nothing_that_was_not_kept(pool: PgPool) {
    let hall = Hall::open(pool.clone(), 5, 4).await;
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    let store = Store::from(pool);
    let heard: Arc<Mutex<Vec<Touched>>> = Arc::default();
    let hearer = Arc::clone(&heard);
    store.on_commit(move |touched| hearer.lock().expect("a list").extend(touched));
    let number = number(&hall).await;
    let id = hall.event().await.id;
    for kept in [false, true] {
        let mut tx = store.begin().await.expect("a transaction");
        let done = store::results::put(&mut tx, &hall.change(9), id, 1, 1, None, won(Outcome::Black)).await;
        assert!(done.is_ok(), "{done:?}");
        if kept {
            tx.commit().await.expect("committed");
        }
    }
    let told = heard.lock().expect("a list").clone();
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].event, told[0].public), (id, Some(number + 1)));
    let change = changes::since(&store, id, number, 10).await.expect("changes")[0];
    assert_eq!(
        (change.kind, change.round, change.board),
        (Kind::Result, Some(1), Some(1))
    );
    let mut tx = store.begin().await.expect("a transaction");
    let event = events::lock(&mut tx, &id.to_string())
        .await
        .expect("a look")
        .expect("an event");
    events::delete(&mut tx, &hall.change(10), event, None)
        .await
        .expect("removed");
    tx.commit().await.expect("committed");
    assert!(heard.lock().expect("a list")[1].removed);
    assert!(
        changes::since(&store, id, 0, 10)
            .await
            .expect("changes")
            .is_empty()
    );
    assert!(changes::heads(&store, &[id]).await.expect("heads").is_empty());
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_one_server_tells_another_hears(pool: PgPool) {
    let hall = Hall::open(pool.clone(), 5, 4).await;
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let mut listener = changes::Listener::open(&Store::from(pool), other)
        .await
        .expect("listening");
    let event = hall.event().await.id;
    let touched: Vec<Touched> = (0..200)
        .map(|act| Touched {
            event,
            act,
            public: (act % 2 == 0).then_some(act),
            reports: false,
            rights: act == 7,
            removed: false,
        })
        .collect();
    // What it has told itself it knows already.
    for (from, touched) in [(other, &touched[7..8]), (one, &touched[..])] {
        changes::tell(&hall.store, from, touched).await.expect("told");
    }
    let mut heard = Vec::new();
    while heard.len() < touched.len() {
        heard.extend(listener.hear().await.expect("heard").expect("a connection"));
    }
    assert_eq!(heard, touched);
}
