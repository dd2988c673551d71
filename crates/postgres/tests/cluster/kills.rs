//! Trap 2: `kill -9` of the server, of the postmaster, and of both.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use private_postgres::start;
use sqlx::Connection;

use crate::{Place, Server, ask, connect, eventually, kill_9, postmaster_of, runs, tell};

/// Writes one row after another until the connection breaks; returns how many were acknowledged.
async fn write_until_broken(url: String) -> i64 {
    let mut connection = connect(&url).await;
    let mut acknowledged = 0;
    loop {
        let insert = sqlx::query("insert into result (board) values ($1)").bind(acknowledged + 1);
        match insert.execute(&mut connection).await {
            Ok(_) => acknowledged += 1,
            Err(_) => return acknowledged,
        }
    }
}

async fn count(url: &str) -> i64 {
    ask(url, "select count(*)::text from result")
        .await
        .parse()
        .unwrap()
}

const TABLE: &str = "create table result (board bigint not null)";

#[tokio::test]
async fn after_kill_9_of_the_server_the_next_start_replaces_its_postgresql() {
    let place = Place::new();
    let mut server = Server::start(&place.data());
    tell(&server.url, TABLE).await;
    tell(&server.url, "insert into result values (1)").await;
    // A connection the dead server leaves open does not hold the shutdown up.
    let open = connect(&server.url).await;
    let postmaster = postmaster_of(&place.data());
    server.kill_9();
    assert!(
        runs(postmaster),
        "PostgreSQL outlives its server, which is what this test is about"
    );

    let cluster = start(&place.options()).await.unwrap();
    assert!(!runs(postmaster));
    assert_ne!(cluster.pid(), Some(postmaster));
    assert_eq!(count(&cluster.database_url("postgres")).await, 1);
    drop(open);
    let log = fs::read_to_string(cluster.log_file()).unwrap();
    assert!(
        !log.contains("automatic recovery in progress"),
        "it was shut down in good order: {log}"
    );
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn after_kill_9_of_the_postmaster_it_is_started_again_with_every_acknowledged_row() {
    let place = Place::new();
    let cluster = start(&place.options()).await.unwrap();
    let url = cluster.database_url("postgres");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let supervisor = tokio::spawn(cluster.supervise(async { drop(stopped.await) }));
    tell(&url, TABLE).await;

    let mut acknowledged = 0;
    // The second time follows after a pause.
    for _ in 0..2 {
        let postmaster = postmaster_of(&place.data());
        let writer = tokio::spawn(write_until_broken(url.clone()));
        tokio::time::sleep(Duration::from_millis(200)).await;
        kill_9(postmaster);
        acknowledged += writer.await.unwrap();
        eventually(15, "PostgreSQL answers again", async || {
            sqlx::PgConnection::connect(&url).await.is_ok()
        })
        .await;
        assert_ne!(postmaster_of(&place.data()), postmaster);
        assert!(acknowledged > 0);
        let kept = count(&url).await;
        assert!(
            kept >= acknowledged,
            "{kept} of {acknowledged} acknowledged rows are left"
        );
    }

    let postmaster = postmaster_of(&place.data());
    drop(stop);
    supervisor.await.unwrap().unwrap();
    assert!(!runs(postmaster));
}

#[tokio::test]
async fn a_stop_while_it_is_started_again_ends_it_in_good_order() {
    let place = Place::new();
    let cluster = start(&place.options()).await.unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let supervisor = tokio::spawn(cluster.supervise(async { drop(stopped.await) }));
    let killed = postmaster_of(&place.data());
    kill_9(killed);
    let file = place.data().join("postgres/postmaster.pid");
    let mut starting = killed;
    eventually(15, "another postmaster starts", async || {
        let first_line = fs::read_to_string(&file)
            .ok()
            .and_then(|file| file.lines().next()?.parse().ok());
        starting = first_line.unwrap_or(killed);
        starting != killed
    })
    .await;
    drop(stop);
    supervisor.await.unwrap().unwrap();
    assert!(!runs(starting));
    assert!(
        !file.exists(),
        "a postmaster that ends in good order takes its file away"
    );
}

#[tokio::test]
async fn after_kill_9_of_both_the_next_start_recovers_every_acknowledged_row() {
    let place = Place::new();
    let mut server = Server::start(&place.data());
    tell(&server.url, TABLE).await;
    let postmaster = postmaster_of(&place.data());
    let writer = tokio::spawn(write_until_broken(server.url.clone()));
    tokio::time::sleep(Duration::from_millis(300)).await;
    // The server first, so that it cannot start PostgreSQL again.
    server.kill_9();
    kill_9(postmaster);
    let acknowledged = writer.await.unwrap();
    assert!(acknowledged > 0);
    let stale = fs::read_to_string(place.data().join("postgres/postmaster.pid")).unwrap();
    assert!(
        stale.contains("ready"),
        "the stale file still says ready: {stale}"
    );

    let cluster = start(&place.options()).await.unwrap();
    assert_eq!(cluster.pid(), Some(postmaster_of(&place.data())));
    let kept = count(&cluster.database_url("postgres")).await;
    assert!(
        kept >= acknowledged,
        "{kept} of {acknowledged} acknowledged rows are left"
    );
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn a_query_that_outlives_its_postmaster_does_not_keep_the_next_one_out() {
    let place = Place::new();
    let mut cluster = start(&place.options()).await.unwrap();
    let url = cluster.database_url("postgres");
    let mut connection = connect(&url).await;
    let backend: i32 = sqlx::query_scalar("select pg_backend_pid()")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    let query = tokio::spawn(async move {
        // Never looks up to see that its postmaster is gone.
        let endless = "do $$ declare n bigint := 0; begin loop n := n + 1; end loop; end $$";
        sqlx::raw_sql(endless).execute(&mut connection).await
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    kill_9(cluster.pid().unwrap());
    let status = cluster.exited().await.unwrap();
    assert!(status.to_string().contains("signal: 9"), "{status}");
    assert_eq!(cluster.pid(), None);
    assert!(
        runs(backend),
        "the query outlives its postmaster, which is what this test is about"
    );

    let begun = Instant::now();
    cluster.restart().await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert!(!runs(backend));
    assert!(query.await.unwrap().is_err());
    assert_eq!(ask(&url, "select 'again'").await, "again");
    cluster.stop().await.unwrap();
}

/// After a restart of the machine or the container any program may have the number.
#[tokio::test]
async fn stale_files_that_name_a_living_program_do_not_keep_postgresql_out() {
    let place = Place::new();
    let cluster = start(&place.options()).await.unwrap();
    let postmaster = cluster.pid().unwrap();
    let owner = std::os::unix::fs::MetadataExt::uid(&fs::metadata(place.data().join("postgres")).unwrap());
    let socket_lock = cluster.socket_dir().join(".s.PGSQL.5432.lock");
    let pid_file = place.data().join("postgres/postmaster.pid");
    let stale = [&pid_file, &socket_lock].map(|path| fs::read_to_string(path).unwrap());
    cluster.stop().await.unwrap();

    // PostgreSQL takes only processes of its own user for a postmaster.
    let mut bystander = Command::new("sleep");
    bystander.arg("60");
    if nix::unistd::geteuid().is_root() {
        bystander.uid(owner);
    }
    let mut bystander = bystander.spawn().unwrap();
    for (path, text) in [&pid_file, &socket_lock].into_iter().zip(stale) {
        let text = text.replacen(&postmaster.to_string(), &bystander.id().to_string(), 1);
        fs::write(path, text).unwrap();
    }

    let begun = Instant::now();
    let started = start(&place.options()).await;
    let unharmed = bystander.try_wait().unwrap().is_none();
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    let cluster = started.unwrap();
    assert!(unharmed, "a bystander was killed");
    assert!(begun.elapsed() < Duration::from_secs(5));
    cluster.stop().await.unwrap();
}
