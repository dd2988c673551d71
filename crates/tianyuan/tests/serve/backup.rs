//! Backups: of a running server, put back elsewhere, refused where they would do harm.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::hall::{self, Hall};
use crate::{Desk, enter, open_event};

fn code(output: &Output) -> (Option<i32>, String) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !said.contains("panicked") && !said.contains("RUST_BACKTRACE"),
        "{said}"
    );
    (output.status.code(), said)
}

fn restore(folder: &Path, file: &Path, arguments: &[&str]) -> Output {
    hall::binary()
        .arg("restore")
        .arg(file)
        .arg("--data-dir")
        .arg(folder)
        .args(arguments)
        .output()
        .expect("the program runs")
}

/// Every event file and every log there is, to the byte.
fn everything(hall: &Hall) -> Vec<(String, String, String)> {
    let events = hall.get("/api/v1/events?limit=500");
    let events = events["items"].as_array().expect("a list");
    let text = |path: String| hall::text(hall.address, &hall.token, &path);
    events
        .iter()
        .map(|event| {
            let id = event["id"].as_str().expect("an id").to_owned();
            let file = text(format!("/api/v1/events/{id}/export"));
            let log = text(format!("/api/v1/events/{id}/log/file"));
            (id, file, log)
        })
        .collect()
}

fn chain_holds(log: &str) {
    let mut child = hall::binary()
        .args(["check", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("a standard input");
    std::io::Write::write_all(&mut stdin, log.as_bytes()).expect("it is read");
    drop(stdin);
    let checked = child.wait_with_output().expect("it ends");
    assert!(checked.status.success(), "{checked:?}");
}

struct Gone(PathBuf);

impl Drop for Gone {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_backup_of_a_running_server_comes_back_to_the_byte_and_never_over_anything_unasked() {
    let files = Gone(hall::new_folder("backups"));
    fs::create_dir_all(&files.0).expect("a folder");
    let (quiet, under_way) = (files.0.join("quiet.backup"), files.0.join("under-way.backup"));

    let mut hall = Hall::open("backup", &["--demo"]);
    let made = hall.command(
        &["user", "add", "Wu", "--role", "admin", "--password-stdin"],
        "nine stones on a small board\n",
    );
    assert!(made.status.success(), "{made:?}");
    let token = hall.command(&["token", "add", "Wu"], "");
    String::from_utf8_lossy(&token.stdout)
        .trim()
        .clone_into(&mut hall.token);
    let event = open_event(&hall);

    // While results come in.
    let desk = Arc::new(Mutex::new(Desk::default()));
    let stop = Arc::new(AtomicBool::new(false));
    let hands = enter(&hall, &event, &desk, &stop);
    let entered = || desk.lock().expect("the desk").count;
    let begun = Instant::now();
    while entered() < 10 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no result is taken");
        thread::sleep(Duration::from_millis(5));
    }
    let before = entered();
    let file = under_way.to_str().expect("a path");
    let taken = hall.command(&["backup", file], "");
    assert!(taken.status.success(), "{taken:?}");
    assert!(entered() > before, "nothing was entered meanwhile");
    stop.store(true, Ordering::Relaxed);
    hands.join().expect("the desk");

    // When all is quiet.
    let taken = hall.command(&["backup", quiet.to_str().expect("a path")], "");
    assert!(taken.status.success(), "{taken:?}");
    let said = String::from_utf8_lossy(&taken.stdout).into_owned();
    assert!(said.contains("4 events") && said.contains("1 account"), "{said}");
    let mode = fs::metadata(&quiet).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    assert_eq!(fs::read_dir(&files.0).expect("a folder").count(), 2);
    let known = everything(&hall);
    assert_eq!(known.len(), 4);

    // Not under a server that runs, and not without being told over what is there.
    let (status, said) = code(&restore(&hall.folder, &quiet, &["--replace"]));
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("stop it first"), "{said}");
    hall.call(
        "POST",
        "/api/v1/events",
        &json!({"name": "Later", "rounds": 3}),
        201,
    );
    let later = everything(&hall);
    assert!(hall.stop("-TERM").success());
    let (status, said) = code(&restore(&hall.folder, &quiet, &[]));
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("5 events") && said.contains("--replace"), "{said}");

    // Cut and altered files change nothing.
    let whole = fs::read(&quiet).expect("a file");
    let broken = files.0.join("broken.backup");
    for (what, bytes) in [
        ("is cut", whole[..whole.len() - 100].to_vec()),
        ("altered", {
            let mut bytes = whole.clone();
            bytes[whole.len() / 2] ^= 4;
            bytes
        }),
        ("no backup", b"{}".to_vec()),
    ] {
        fs::write(&broken, bytes).expect("a file");
        let (status, said) = code(&restore(&hall.folder, &broken, &["--replace"]));
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains(what), "{what}: {said}");
    }
    hall.start(&[]);
    assert_eq!(everything(&hall), later);
    assert!(hall.stop("-TERM").success());

    // Over what is there, when told so.
    let restored = restore(&hall.folder, &quiet, &["--replace"]);
    assert!(restored.status.success(), "{restored:?}");
    hall.start(&[]);
    assert_eq!(everything(&hall), known);
    let signed_in = hall::sign_in(hall.address, "Wu", "nine stones on a small board");
    assert_eq!(signed_in, 303);
    assert_ne!(
        hall::sign_in(hall.address, "Wu", "ten stones on a small board"),
        303
    );
    // And the event goes on.
    hall.call(
        "PUT",
        &format!("{event}/rounds/1/boards/1/result"),
        &json!({"result": "both_lose"}),
        200,
    );

    // In a folder where nothing was: a prefix of each log, with all that was acknowledged before.
    let elsewhere = Gone(hall::new_folder("elsewhere"));
    let restored = restore(&elsewhere.0, &under_way, &[]);
    assert!(restored.status.success(), "{restored:?}");
    let mut other = Hall::on(&elsewhere.0, &[]);
    other.token.clone_from(&hall.token);
    let then = everything(&other);
    assert_eq!(then.len(), known.len());
    for ((id, _, log), (other_id, _, whole)) in then.iter().zip(&known) {
        assert_eq!(id, other_id);
        chain_holds(log);
        let entries = |text: &str| -> Vec<Value> {
            let file: Value = serde_json::from_str(text).expect("JSON");
            file["acts"].as_array().expect("acts").clone()
        };
        let (part, whole) = (entries(log), entries(whole));
        assert!(!part.is_empty() && whole.starts_with(&part), "{id}: no prefix");
        if event.ends_with(id.as_str()) {
            assert!(
                part.len() > before as usize,
                "{} acts, {before} entered before",
                part.len()
            );
            assert!(part.len() < whole.len(), "taken after the stream");
        }
    }
}

#[test]
fn a_backup_takes_the_place_of_nothing_but_a_file() {
    let files = Gone(hall::new_folder("backup-link"));
    fs::create_dir_all(&files.0).expect("a folder");
    let mut hall = Hall::open("backup-link", &[]);
    let link = files.0.join("link.backup");
    // Whatever it leads to, a device even.
    std::os::unix::fs::symlink("/dev/null", &link).expect("a link");
    let refused = hall.command(&["backup", link.to_str().expect("a path")], "");
    let (code, told) = code(&refused);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("no ordinary file") && link.is_symlink(), "{told}");
    assert!(hall.stop("-TERM").success());
}

#[test]
fn a_backup_of_older_tables_is_brought_up_to_this_version() {
    let folder = Gone(hall::new_folder("older"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (cluster, urls) = runtime.block_on(async {
        let cluster = private_postgres::start(&private_postgres::Options::volatile(&folder.0))
            .await
            .expect("PostgreSQL");
        for name in ["older", "new"] {
            cluster
                .create_database_if_missing(name)
                .await
                .expect("a database");
        }
        let urls = ["older", "new", "third"].map(|name| cluster.database_url(name));
        store::backup::testing::migrate_to(&urls[0], 7)
            .await
            .expect("older tables");
        (cluster, urls)
    });
    let file = folder.0.join("older.backup");
    let run = |command: &str, url: &str, more: &[&str]| {
        let output = hall::binary()
            .arg(command)
            .arg(&file)
            .args(["--database-url", url])
            .args(more)
            .output()
            .expect("the program runs");
        code(&output)
    };
    assert_eq!(run("backup", &urls[0], &[]), (Some(0), String::new()));
    // Into an empty database, and into one that is not there yet.
    for url in &urls[1..] {
        assert_eq!(run("restore", url, &[]), (Some(0), String::new()));
        let contents = runtime
            .block_on(store::backup::contents(url))
            .expect("a database");
        assert_eq!(contents.migration, store::backup::newest_migration());
        assert_eq!((contents.events, contents.accounts), (0, 1));
    }
    // Somebody is in it.
    let held = runtime
        .block_on(store::Store::connect(&urls[1], 1))
        .expect("a connection");
    let (status, said) = run("restore", &urls[1], &["--replace"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("in use (by tianyuan "), "{said}");
    runtime.block_on(held.close());
    let (status, said) = run("restore", &urls[1], &[]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("1 account"), "{said}");
    assert_eq!(run("restore", &urls[1], &["--replace"]), (Some(0), String::new()));
    runtime.block_on(cluster.stop()).expect("PostgreSQL stops");
}

#[test]
fn the_server_makes_backups_by_itself_and_tells_administrators_when_it_cannot() {
    let hall = Hall::open("automatic", &["--demo", "--backup-every", "1s"]);
    let folder = hall.folder.join("backups");
    let backups = || -> Vec<PathBuf> {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| !path.to_string_lossy().contains("unfinished"))
            .collect()
    };
    let until = |what: &str, ready: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !ready() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
            thread::sleep(Duration::from_millis(50));
        }
    };
    until("no backup is made", &|| !backups().is_empty());
    let checked = hall.command(
        &["restore", "--check", backups()[0].to_str().expect("a path")],
        "",
    );
    assert!(checked.status.success(), "{checked:?}");
    assert!(
        String::from_utf8_lossy(&checked.stdout).contains("3 events"),
        "{checked:?}"
    );
    // Nothing is written, and nothing is made, once PostgreSQL has counted what was written at the start:
    // a connection that idles tells of it within ten seconds.
    until("backups are made although nothing is written", &|| {
        let count = backups().len();
        thread::sleep(Duration::from_secs(4));
        backups().len() == count
    });

    // A file stands where the folder should be.
    fs::remove_dir_all(&folder).expect("the folder");
    fs::write(&folder, "").expect("a file");
    let made = hall.command(
        &["user", "add", "Wu", "--role", "admin", "--password-stdin"],
        "nine stones on a small board\n",
    );
    assert!(made.status.success(), "{made:?}");
    let cookie = hall::session(hall.address, "Wu", "nine stones on a small board");
    until("administrators are not told", &|| {
        hall::page(hall.address, &cookie, "/manage").contains("Automatic backups have failed since")
    });
    // Nobody else is.
    let made = hall.command(
        &["user", "add", "Li", "--role", "director", "--password-stdin"],
        "nine stones on a large board\n",
    );
    assert!(made.status.success(), "{made:?}");
    let cookie = hall::session(hall.address, "Li", "nine stones on a large board");
    let page = hall::page(hall.address, &cookie, "/manage");
    assert!(!page.contains("backups") && page.contains("New event"), "{page}");
    fs::remove_file(&folder).expect("the file");
    until("it does not go on", &|| !backups().is_empty());
}
