//! Trap 3: a cluster is whole or not there, and no error leaves a process behind.

use std::fs;
use std::time::{Duration, Instant};

use private_postgres::{Error, Options, start};

use crate::{Place, Server, eventually, names_in, runs, volatile};

#[tokio::test]
async fn a_failed_initdb_says_why_and_leaves_nothing() {
    let place = Place::new();
    let half = "touch \"$2/PG_VERSION\" \"$2/half\"; echo 'initdb: error: no space left' >&2; exit 1\n";
    let programs = place.programs_with("initdb", half);
    let options = Options {
        bin_dir: Some(programs),
        ..volatile(place.data())
    };
    let error = start(&options).await.unwrap_err();
    assert_eq!(error.code(), "postgres-init-failed");
    assert!(error.to_string().contains("no space left"), "{error}");
    assert_eq!(names_in(&place.data()), ["server.lock"]);

    start(&volatile(place.data()))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
}

#[tokio::test]
async fn giving_up_while_initdb_runs_kills_it_and_what_it_started() {
    let place = Place::new();
    let pids = place.path().join("pids");
    fs::create_dir(&pids).unwrap();
    open_to_all(&pids);
    let script = format!("sleep 600 & touch {0}/$! {0}/$$; wait\n", pids.display());
    let options = Options {
        bin_dir: Some(place.programs_with("initdb", &script)),
        ..volatile(place.data())
    };
    let started = tokio::spawn(async move { start(&options).await.map(|_| ()) });
    eventually(10, "initdb runs", async || names_in(&pids).len() == 2).await;
    started.abort();
    let _ = started.await;
    for pid in names_in(&pids) {
        eventually(5, "initdb and its child have ended", async || {
            !runs(pid.parse().unwrap())
        })
        .await;
    }
    assert!(!place.data().join("postgres").exists());
}

#[tokio::test]
async fn a_server_killed_while_making_a_cluster_does_not_stop_the_next_one() {
    let place = Place::new();
    let mut making = std::process::Command::new(crate::PROGRAM)
        .arg(place.data())
        .spawn()
        .unwrap();
    eventually(10, "a cluster is being made", async || {
        place.data().exists()
            && names_in(&place.data())
                .iter()
                .any(|name| name.starts_with("postgres.new-"))
    })
    .await;
    making.kill().unwrap();
    making.wait().unwrap();
    assert!(!place.data().join("postgres").exists());

    start(&volatile(place.data()))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
    let names = names_in(&place.data());
    assert_eq!(names, ["postgres", "postgres.log", "run", "server.lock"]);
}

#[tokio::test]
async fn a_postgresql_that_does_not_start_is_quoted_at_once() {
    let place = Place::new();
    start(&volatile(place.data()))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
    let configuration = place.data().join("postgres/postgresql.conf");
    let mut text = fs::read_to_string(&configuration).unwrap();
    text.push_str("shared_buffers = 'many'\n");
    fs::write(&configuration, text).unwrap();

    let begun = Instant::now();
    let error = start(&volatile(place.data())).await.unwrap_err();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "it waited as if for a lock"
    );
    assert_eq!(error.code(), "postgres-start-failed");
    assert!(error.to_string().contains("shared_buffers"), "{error}");
    assert!(error.to_string().contains("postgres.log"), "{error}");
}

#[tokio::test]
async fn giving_up_while_postgresql_starts_ends_it() {
    let place = Place::new();
    let pids = place.path().join("pids");
    fs::create_dir(&pids).unwrap();
    open_to_all(&pids);
    let script = format!("touch {}/$$; exec sleep 600\n", pids.display());
    start(&volatile(place.data()))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
    let options = Options {
        bin_dir: Some(place.programs_with("postgres", &script)),
        ..volatile(place.data())
    };
    let started = tokio::spawn(async move { start(&options).await.map(|_| ()) });
    eventually(10, "postgres runs", async || names_in(&pids).len() == 1).await;
    started.abort();
    let _ = started.await;
    let pid = names_in(&pids)[0].parse().unwrap();
    eventually(5, "postgres has ended", async || !runs(pid)).await;
    // And the folder is free.
    start(&volatile(place.data()))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
}

#[tokio::test]
async fn dropping_a_cluster_shuts_it_down() {
    let place = Place::new();
    let cluster = start(&place.options()).await.unwrap();
    let pid = cluster.pid().unwrap();
    drop(cluster);
    eventually(10, "PostgreSQL has ended", async || !runs(pid)).await;
    let log = fs::read_to_string(place.data().join("postgres.log")).unwrap();
    assert!(log.contains("database system is shut down"), "{log}");
}

#[tokio::test]
async fn what_lies_in_the_cluster_s_place_is_not_touched() {
    let place = Place::new();
    let photos = place.data().join("postgres");
    fs::create_dir_all(&photos).unwrap();
    fs::write(photos.join("final.jpg"), "a photograph").unwrap();
    let error = start(&volatile(place.data())).await.unwrap_err();
    // Root's own folder is refused for that already.
    let expected = if crate::geteuid().is_root() {
        "postgres-data-owned-by-root"
    } else {
        "postgres-data-unknown"
    };
    assert_eq!(error.code(), expected, "{error}");
    assert_eq!(
        fs::read_to_string(photos.join("final.jpg")).unwrap(),
        "a photograph"
    );
    assert!(matches!(
        error,
        Error::NotACluster { .. } | Error::OwnedByRoot { .. }
    ));
}

#[tokio::test]
async fn ctrl_c_and_sigterm_reach_the_server_which_shuts_postgresql_down_in_good_order() {
    use nix::sys::signal::Signal;

    let place = Place::new();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let mut server = Server::start(&place.data());
        let pid = crate::postmaster_of(&place.data());
        assert_eq!(crate::ps(pid, "pgid"), pid.to_string(), "its own process group");
        let _open = crate::connect(&server.url).await;
        server.signal(signal);
        assert!(server.wait().success());
        assert!(!runs(pid));
        let log = fs::read_to_string(place.data().join("postgres.log")).unwrap();
        assert!(log.trim_end().ends_with("database system is shut down"), "{log}");
        assert!(!place.data().join("postgres/postmaster.pid").exists());
        fs::remove_file(place.data().join("postgres.log")).unwrap();
    }
}

fn open_to_all(dir: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;

    fs::set_permissions(dir, fs::Permissions::from_mode(0o777)).unwrap();
}
