//! What is read from a replica: only what is as new as it has to be, and never at the price of a failure.

use std::time::{Duration, Instant};

use private_postgres::Cluster;
use private_postgres::testing::{Replica, start_scratch};
use sqlx::PgPool;
use store::replica::{Choice, Found, Reading, at_least};
use store::{Store, changes, events};

use crate::support::Hall;

/// How long anything may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

async fn until(what: &str, mut is: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !is().await {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A store that reads from what is named as the replica, and that somebody looks after.
async fn store(primary: &str, replica: &str) -> Store {
    let store = Store::connect(primary, 4).await.expect("a database");
    let store = store.with_replica(replica, 4).expect("an address");
    let watched = store.clone();
    tokio::spawn(async move { watched.watch().await });
    store
}

/// How many published rounds somebody sees who has to see the event as of a number at least, and whether
/// that comes from the replica.
async fn read(store: &Store, hall: &Hall, least: i64) -> (usize, bool) {
    let event = hall.event().await.id;
    let reading = Reading::default();
    let found = at_least(event, least, true, reading.clone(), async {
        let mut tx = store.snapshot().await.expect("a snapshot");
        events::find(&mut tx, &hall.key).await.expect("read")
    });
    let rounds = found.await.expect("an event").rounds.len();
    assert!(reading.number() >= least);
    (rounds, reading.used_replica())
}

async fn number(hall: &Hall) -> i64 {
    let event = hall.event().await.id;
    changes::heads(&hall.store, &[event]).await.expect("heads")[&event].number
}

/// A database with an event, by its address too.
async fn primary() -> (Cluster, String, Hall) {
    let primary = start_scratch().await.expect("PostgreSQL");
    primary
        .create_database_if_missing("tianyuan")
        .await
        .expect("a database");
    let url = primary.database_url("tianyuan");
    let pool = PgPool::connect(&url).await.expect("a connection");
    store::MIGRATOR.run(&pool).await.expect("tables");
    let hall = Hall::open(pool, 5, 4).await;
    (primary, url, hall)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_is_read_where_it_is_new_enough_and_else_the_first_database() {
    let (primary, url, hall) = primary().await;
    let mut replica = Replica::of(&primary).await.expect("a replica");
    let store = store(&url, &replica.database_url("tianyuan")).await;
    let told = store.replica().expect("a replica");
    until("the replica is not found", async || told.found().is_some()).await;
    assert!(matches!(told.found(), Some(Found::Follows(_))), "{told:?}");

    let before = number(&hall).await;
    assert_eq!(read(&store, &hall, before).await, (0, true));
    let reading = Reading::default();
    let event = hall.event().await.id;
    let read_here = at_least(event, 0, false, reading.clone(), store.snapshot());
    drop(read_here.await.expect("a snapshot"));
    assert_eq!((reading.used_replica(), reading.number()), (false, before));
    // Whoever does not say how old it may be reads what is now.
    let mut tx = store.snapshot().await.expect("a snapshot");
    assert!(events::find(&mut tx, &hall.key).await.expect("read").is_some());
    drop(tx);
    assert_eq!(told.chosen(Choice::Replica), 1);

    replica.pause().await.expect("paused");
    hall.round(&[(1, 2), (3, 4)], None).await;
    let after = number(&hall).await;
    assert!(after > before);
    assert_eq!(read(&store, &hall, after).await, (1, false));
    assert_eq!(told.chosen(Choice::Behind), 1);
    assert_eq!(read(&store, &hall, before).await, (0, true));
    until(
        "nobody sees that it is behind",
        async || matches!(told.found(), Some(Found::Follows(lag)) if lag.bytes > 0),
    )
    .await;
    replica.resume().await.expect("resumed");
    replica.catch_up(&primary).await.expect("caught up");
    assert_eq!(read(&store, &hall, after).await, (1, true));

    replica.kill().await;
    for _ in 0..5 {
        assert_eq!(read(&store, &hall, after).await, (1, false));
    }
    until("nobody sees that it is gone", async || told.found().is_none()).await;
    assert!(told.chosen(Choice::Failed) + told.chosen(Choice::Resting) >= 5);
    replica.start_again().await.expect("started");
    until("it is not read again", async || {
        read(&store, &hall, after).await == (1, true)
    })
    .await;

    replica.stop().await.expect("stopped");
    primary.stop().await.expect("stopped");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_replica_of_this_database_is_never_read() {
    let (primary, url, hall) = primary().await;
    primary
        .create_database_if_missing("other")
        .await
        .expect("a database");
    for (named, found) in [
        (url.clone(), Some(Found::TakesChanges)),
        (primary.database_url("other"), Some(Found::OfAnother)),
        (primary.database_url("missing"), None),
    ] {
        let store = store(&url, &named).await;
        let told = store.replica().expect("a replica");
        until("nothing is found", async || told.found() == found).await;
        assert_eq!(store.look_at_replica().await.ok(), found);
        assert_eq!(read(&store, &hall, 1).await, (0, false));
        assert_eq!(told.chosen(Choice::Resting), 1);
    }
    primary.stop().await.expect("stopped");
}
