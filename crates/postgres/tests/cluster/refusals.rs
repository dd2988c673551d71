//! Trap 5: what stops with a message.

use std::fs;
use std::process::Command;

use private_postgres::{Options, start};

use crate::{PROGRAM, Place, Server, volatile};

#[tokio::test]
async fn two_servers_on_one_folder_are_refused_with_folder_and_process() {
    let place = Place::new();
    let mut server = Server::start_with(Command::new(PROGRAM).arg(place.data()).arg("--volatile"));
    let postmaster = crate::postmaster_of(&place.data());
    let error = start(&volatile(place.data())).await.unwrap_err();
    assert_eq!(error.code(), "postgres-data-in-use");
    let message = error.to_string();
    assert!(
        message.contains(&format!("process {}", server.process.id())),
        "{message}"
    );
    assert!(message.contains(place.data().to_str().unwrap()), "{message}");
    assert!(
        crate::runs(postmaster),
        "the refused server shot the other one's PostgreSQL"
    );

    // The way out: stop the first.
    server.signal(nix::sys::signal::Signal::SIGTERM);
    assert!(server.wait().success());
    start(&volatile(place.data()))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
}

#[tokio::test]
async fn data_of_another_major_version_is_refused_and_left_alone() {
    let place = Place::new();
    start(&volatile(place.data()))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
    let version = place.data().join("postgres/PG_VERSION");
    let own = fs::read_to_string(&version).unwrap();
    fs::write(&version, "11\n").unwrap();
    let error = start(&volatile(place.data())).await.unwrap_err();
    assert_eq!(error.code(), "postgres-data-other-version");
    let message = error.to_string();
    for part in [
        "PostgreSQL 11",
        &format!("only PostgreSQL {}", own.trim()),
        "postgresql-11",
        "PG_BIN_DIR",
    ] {
        assert!(message.contains(part), "{part} is missing: {message}");
    }
    fs::write(&version, own).unwrap();
    start(&volatile(place.data()))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
}

#[tokio::test]
async fn a_folder_of_programs_without_programs_is_refused_before_anything_is_made() {
    let place = Place::new();
    let options = Options {
        bin_dir: Some(place.path().join("nothing")),
        ..volatile(place.data())
    };
    let error = start(&options).await.unwrap_err();
    assert_eq!(error.code(), "postgres-bin-dir-incomplete");
    assert!(!place.data().exists());

    // The same by the environment, as the program's one line.
    let output = Command::new(PROGRAM)
        .arg(place.data())
        .env("PG_BIN_DIR", place.path().join("nothing"))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(
        said.contains("PG_BIN_DIR") && said.trim_end().lines().count() == 1,
        "{said}"
    );
}

#[tokio::test]
async fn a_file_where_the_data_folder_should_be_is_named() {
    let place = Place::new();
    fs::write(place.data(), "a file").unwrap();
    for data in [place.data(), place.data().join("below")] {
        let error = start(&volatile(data.clone())).await.unwrap_err();
        assert_eq!(error.code(), "postgres-io");
        assert!(
            error.to_string().contains(place.data().to_str().unwrap()),
            "{error}"
        );
    }
}
