//! Backups: the whole database in one file, taken while the server runs.

pub mod automatic;
pub mod file;
pub mod keep;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;

use chrono::Utc;
use private_postgres::Client;
use store::backup::{Contents, Reach, Snapshot};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStderr, Command};

use crate::commands::database;
use crate::failure::Failure;
use file::{Draft, Manifest};

/// How much is read from `pg_dump` at a time.
const CHUNK: usize = 256 * 1024;
/// The most that is kept of what a program says on its standard error.
const LONGEST_WORDS: usize = 2000;

/// Copies the database of a `postgres://` address, as it is at one moment, into the file `path`.
/// What was in `path` stays until the new file is whole and on the disk.
pub async fn take(url: &str, path: &Path) -> Result<Manifest, Failure> {
    let snapshot = Snapshot::take(url).await.map_err(database::unreachable)?;
    if snapshot.contents.migration == 0 {
        return Err(Failure::no(
            "there is nothing to back up: this database was never used by tianyuan",
        ));
    }
    let client = Client::find(snapshot.major).map_err(|error| database::in_lines(&error))?;
    let mut draft = Draft::beside(path)?;
    let mut dump = program(&client.pg_dump(), url)?
        .args([
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            "--lock-wait-timeout=60s",
        ])
        .arg(format!("--snapshot={}", snapshot.id))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::Internal(format!("{}: {error}", client.pg_dump().display())))?;
    let words = listen(&mut dump);
    let copied = copy(&mut dump, &mut draft).await;
    if copied.is_err() {
        // It would wait for somebody to read on.
        let _ = dump.start_kill();
    }
    ended(dump, words, "pg_dump", copied).await?;
    // The moment was held to the end: what was copied is that moment and no other.
    let (contents, major) = (snapshot.contents, snapshot.major);
    snapshot.end().await.map_err(database::failure)?;
    draft.finish(contents, major, Utc::now())
}

async fn copy(dump: &mut Child, draft: &mut Draft) -> Result<(), Failure> {
    let mut out = dump
        .stdout
        .take()
        .ok_or_else(|| Failure::Internal("pg_dump has no standard output".to_owned()))?;
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = out
            .read(&mut chunk)
            .await
            .map_err(|error| Failure::Internal(format!("what pg_dump writes cannot be read: {error}")))?;
        if read == 0 {
            return Ok(());
        }
        draft.append(&chunk[..read])?;
    }
}

/// One of PostgreSQL's programs, which will find the database of the address and no other.
pub fn program(path: &Path, url: &str) -> Result<Command, Failure> {
    let reach = Reach::of(url).map_err(database::unreachable)?;
    let mut command = Command::new(path);
    for name in ["PGSERVICE", "PGSERVICEFILE", "PGHOSTADDR", "PGOPTIONS"] {
        command.env_remove(name);
    }
    command
        .envs(reach.variables())
        .env("LC_ALL", "C")
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    Ok(command)
}

/// Collects what a program says on its standard error, so that it never waits for a reader.
pub fn listen(child: &mut Child) -> tokio::task::JoinHandle<String> {
    let stderr = child.stderr.take();
    tokio::spawn(async move {
        let mut words = String::new();
        if let Some(stderr) = stderr {
            hear(stderr, &mut words).await;
        }
        words
    })
}

async fn hear(mut stderr: ChildStderr, words: &mut String) {
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut chunk).await {
        if words.len() < LONGEST_WORDS {
            words.push_str(&String::from_utf8_lossy(&chunk[..read]));
        }
    }
}

/// Waits for a program. What went wrong on this side of its pipe is a consequence where the program
/// itself has something to say.
pub async fn ended(
    mut child: Child,
    words: tokio::task::JoinHandle<String>,
    name: &str,
    on_this_side: Result<(), Failure>,
) -> Result<(), Failure> {
    let status = child
        .wait()
        .await
        .map_err(|error| Failure::Internal(format!("{name}: {error}")))?;
    let words = words.await.unwrap_or_default();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match on_this_side {
        // Killed because of what went wrong here.
        Err(failure) if status.code().is_none() || words.is_empty() => Err(failure),
        Ok(()) if status.success() => Ok(()),
        _ if words.is_empty() => Err(Failure::Internal(format!("{name} failed: {status}"))),
        _ => Err(Failure::Internal(format!("{name} failed: {words}"))),
    }
}

/// What is in a database, in words: `3 events, 412 acts, 2 accounts`.
pub fn told(contents: &Contents) -> String {
    let mut text = String::new();
    for (count, one, many) in [
        (contents.events, "event", "events"),
        (contents.acts, "act", "acts"),
        (contents.accounts, "account", "accounts"),
    ] {
        let comma = if text.is_empty() { "" } else { ", " };
        let word = if count == 1 { one } else { many };
        let _ = write!(text, "{comma}{count} {word}");
    }
    text
}
