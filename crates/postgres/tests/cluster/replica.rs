//! A streaming replica for tests: follows, stands still when told to, and comes back after `kill -9`.

use private_postgres::start;
use private_postgres::testing::Replica;

use crate::{Place, ask, connect, mode, runs, tell, volatile};

const COUNT: &str = "select count(*)::text from board";

#[tokio::test]
async fn a_replica_follows_stands_still_catches_up_and_can_only_be_read() {
    let place = Place::new();
    let primary = start(&volatile(place.data())).await.unwrap();
    primary.create_database_if_missing("tianyuan").await.unwrap();
    let url = primary.database_url("tianyuan");
    tell(
        &url,
        "create table board (number integer); insert into board values (1)",
    )
    .await;

    let mut replica = Replica::of(&primary).await.unwrap();
    let there = replica.database_url("tianyuan");
    assert_ne!(there, url);
    assert_eq!(ask(&there, COUNT).await, "1");
    assert_eq!(ask(&there, "show listen_addresses").await, "");
    assert_eq!(mode(replica.socket_dir()), 0o700);
    // Whoever could come over a network is refused before it is asked who it is.
    let open =
        "select count(*)::text from pg_hba_file_rules where type <> 'local' and auth_method <> 'reject'";
    assert_eq!(ask(&url, open).await, "0");
    let refused = sqlx::raw_sql("insert into board values (0)")
        .execute(&mut connect(&there).await)
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("read-only"), "{refused}");

    tell(&url, "insert into board values (2)").await;
    replica.catch_up(&primary).await.unwrap();
    assert_eq!(ask(&there, COUNT).await, "2");

    replica.pause().await.unwrap();
    tell(&url, "insert into board values (3)").await;
    assert_eq!(ask(&there, COUNT).await, "2");
    replica.resume().await.unwrap();
    replica.catch_up(&primary).await.unwrap();
    assert_eq!(ask(&there, COUNT).await, "3");

    replica.kill().await;
    assert_eq!(replica.pid(), None);
    tell(&url, "insert into board values (4)").await;
    replica.start_again().await.unwrap();
    replica.catch_up(&primary).await.unwrap();
    assert_eq!(ask(&there, COUNT).await, "4");

    let pid = replica.pid().unwrap();
    replica.stop().await.unwrap();
    assert!(!runs(pid));
    primary.stop().await.unwrap();
}
