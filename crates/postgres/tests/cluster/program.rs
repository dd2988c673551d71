//! The program for scripts, and clusters that end with their process.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use private_postgres::testing;

use crate::{PROGRAM, Place, Server, ask, eventually, postmaster_of, runs};

/// The data folder in the address of a scratch cluster.
fn folder_in(url: &str) -> PathBuf {
    let host = url.split_once("host=").unwrap().1.split('&').next().unwrap();
    PathBuf::from(host.replace("%2F", "/"))
        .parent()
        .unwrap()
        .to_path_buf()
}

#[tokio::test]
async fn a_command_runs_with_a_database_and_its_status_is_passed_on() {
    let output = Command::new(PROGRAM)
        .args([
            "--volatile",
            "--database",
            "go",
            "--",
            "sh",
            "-c",
            "echo $DATABASE_URL; exit 7",
        ])
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(7),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let url = String::from_utf8(output.stdout).unwrap();
    assert!(url.starts_with("postgres:///go?host="), "{url}");
    assert!(
        !folder_in(url.trim()).exists(),
        "the temporary folder was left behind"
    );
}

#[tokio::test]
async fn a_volatile_cluster_ends_with_its_process_even_by_kill_9() {
    let mut server = Server::start_with(Command::new(PROGRAM).arg("--volatile"));
    let folder = folder_in(&server.url);
    let postmaster = postmaster_of(&folder);
    assert_eq!(ask(&server.url, "select 'here'").await, "here");
    server.kill_9();
    eventually(10, "PostgreSQL and its folder are gone", async || {
        !runs(postmaster) && !folder.exists()
    })
    .await;
}

#[tokio::test]
async fn the_program_restarts_postgresql_and_stops_when_its_input_closes() {
    let place = Place::new();
    let mut server = Server::start_with(
        Command::new(PROGRAM)
            .arg(place.data())
            .args(["--volatile", "--until-stdin-closes"])
            .stdin(Stdio::piped()),
    );
    let first = postmaster_of(&place.data());
    crate::kill_9(first);
    eventually(10, "PostgreSQL answers again", async || {
        sqlx::Connection::ping(
            &mut match <sqlx::PgConnection as sqlx::Connection>::connect(&server.url).await {
                Ok(connection) => connection,
                Err(_) => return false,
            },
        )
        .await
        .is_ok()
    })
    .await;
    let second = postmaster_of(&place.data());
    assert_ne!(first, second);
    drop(server.process.stdin.take());
    assert!(server.wait().success());
    // When the program was still waiting for the restart, the kernel ends PostgreSQL a moment later.
    eventually(10, "PostgreSQL is gone", async || !runs(second)).await;
}

#[tokio::test]
async fn a_scratch_cluster_leaves_nothing_when_stopped_or_dropped() {
    let stopped = testing::start_scratch().await.unwrap();
    let dropped = testing::start_scratch().await.unwrap();
    let folders = [&stopped, &dropped].map(|cluster| cluster.data_dir().to_path_buf());
    assert_ne!(folders[0], folders[1]);
    // A restart is not an end.
    let mut dropped = dropped;
    dropped.restart().await.unwrap();
    assert_eq!(
        ask(&dropped.database_url("postgres"), "select 'here'").await,
        "here"
    );
    stopped.stop().await.unwrap();
    assert!(!folders[0].exists());
    drop(dropped);
    eventually(10, "the folder is gone", async || !folders[1].exists()).await;
}

#[test]
fn tests_share_one_database_url() {
    let url = testing::database_url();
    assert_eq!(url, testing::database_url());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    assert_eq!(runtime.block_on(ask(url, "select 'shared'")), "shared");
}

#[test]
fn a_wrong_call_is_answered_with_the_right_one() {
    for (arguments, fault) in [
        (&["--fast"][..], "there is no option --fast"),
        (&["a", "b"], "a second folder"),
        (&["--database"], "--database needs"),
        (&["--"], "a command has to follow"),
    ] {
        let output = Command::new(PROGRAM).args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(said.contains(fault) && said.contains("Usage:"), "{said}");
    }
}
