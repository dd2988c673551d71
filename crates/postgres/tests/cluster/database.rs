//! What a cluster is like: durable, private, in UTF-8; what was committed stays.

use private_postgres::{running, start};

use crate::{Place, ask, connect, mode, tell, volatile};

#[tokio::test]
async fn a_durable_cluster_keeps_what_was_committed_and_listens_on_its_socket_only() {
    let place = Place::new();
    let cluster = start(&place.options()).await.unwrap();
    cluster.create_database_if_missing("tianyuan").await.unwrap();
    let url = cluster.database_url("tianyuan");
    for (setting, value) in [
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("data_checksums", "on"),
        ("listen_addresses", ""),
        ("server_encoding", "UTF8"),
        ("TimeZone", "UTC"),
        ("unix_socket_permissions", "0700"),
    ] {
        assert_eq!(ask(&url, &format!("show {setting}")).await, value, "{setting}");
    }
    let collation = "select datcollate from pg_database where datname = 'tianyuan'";
    assert_eq!(ask(&url, collation).await, "C.UTF-8");
    assert_eq!(mode(cluster.socket_dir()), 0o700);
    assert_eq!(mode(cluster.data_dir().join("postgres")), 0o700);
    assert_eq!(mode(cluster.log_file()), 0o600);

    tell(
        &url,
        "create table entry (name text); insert into entry values ('城市杯 O''Brien 🏆')",
    )
    .await;
    tell(&url, "create unique index entry_name_unique on entry (name)").await;
    let again = "insert into entry select name from entry";
    sqlx::raw_sql(again)
        .execute(&mut connect(&url).await)
        .await
        .unwrap_err();
    let log = std::fs::read_to_string(cluster.log_file()).unwrap();
    assert!(log.contains("entry_name_unique"), "{log}");
    assert!(
        !log.contains("Brien") && !log.contains("select name"),
        "a name is in the log: {log}"
    );
    let first = cluster.pid().unwrap();
    cluster.stop().await.unwrap();

    let cluster = start(&place.options()).await.unwrap();
    assert_ne!(cluster.pid().unwrap(), first);
    assert_eq!(cluster.database_url("tianyuan"), url);
    cluster.create_database_if_missing("tianyuan").await.unwrap();
    assert_eq!(ask(&url, "select name from entry").await, "城市杯 O'Brien 🏆");
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn databases_of_any_name_are_made_once_and_bad_names_are_refused_by_name() {
    let place = Place::new();
    let cluster = start(&volatile(place.data())).await.unwrap();
    for name in [
        "go",
        "Go club",
        "天元/2026?x=1&y#z",
        "o'brien \"quoted\" 100%",
        "postgres",
    ] {
        for _ in 0..2 {
            cluster.create_database_if_missing(name).await.unwrap();
        }
        assert_eq!(
            ask(&cluster.database_url(name), "select current_database()::text").await,
            name
        );
    }
    let error = cluster.create_database_if_missing("no\0name").await.unwrap_err();
    assert_eq!(error.code(), "postgres-database");
    assert!(error.to_string().contains("no\0name"), "{error}");
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn a_volatile_cluster_does_not_wait_for_the_disk() {
    let place = Place::new();
    let cluster = start(&volatile(place.data())).await.unwrap();
    let url = cluster.database_url("postgres");
    assert_eq!(ask(&url, "show fsync").await, "off");
    assert_eq!(ask(&url, "show synchronous_commit").await, "off");
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn another_process_finds_the_running_cluster_and_no_other() {
    let place = Place::new();
    assert!(running(&place.data()).is_none());
    let cluster = start(&volatile(place.data())).await.unwrap();
    let found = running(&place.data()).unwrap();
    assert_eq!(Some(found.pid()), cluster.pid());
    assert_eq!(found.database_url("postgres"), cluster.database_url("postgres"));
    assert_eq!(
        ask(&found.database_url("postgres"), "select 'here'").await,
        "here"
    );
    cluster.stop().await.unwrap();
    assert!(running(&place.data()).is_none());
}
