//! Backups that the server makes by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use web::AppState;

use super::file::{self, Manifest};
use super::keep;
use crate::failure::Failure;

/// How long after its start a server makes the first one, unless they come more often.
const FIRST: Duration = Duration::from_secs(300);
/// Of a database that has not answered for so long there is no backup to be had.
const PATIENCE: Duration = Duration::from_secs(1800);

/// How often, where to, and for how long.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The folder; made when it is missing.
    pub folder: PathBuf,
    /// Between two of them.
    pub every: Duration,
    /// How long the last one of a day is kept.
    pub keep: TimeDelta,
}

/// A span of time as an argument: `90s`, `15m`, `1h`, `30d`; `off` is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "write a number and s, m, h or d, as 1h or 30d; or off".to_owned();
        if text == "off" {
            return Ok(Self(Duration::ZERO));
        }
        let unit = match text.chars().last() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 3600,
            Some('d') => 86_400,
            _ => return Err(wrong()),
        };
        let count: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
        // A hundred years are for ever.
        match count.checked_mul(unit) {
            Some(seconds @ 1..=3_153_600_000) => Ok(Self(Duration::from_secs(seconds))),
            _ => Err(wrong()),
        }
    }
}

const PREFIX: &str = "tianyuan-";
const SUFFIX: &str = ".backup";
const TIME: &str = "%Y%m%dT%H%M%SZ";

fn name(at: DateTime<Utc>) -> String {
    format!("{PREFIX}{}{SUFFIX}", at.format(TIME))
}

/// When the automatic backup of this name was made; `None` of other files.
fn time_of(name: &str) -> Option<DateTime<Utc>> {
    let time = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    Some(NaiveDateTime::parse_from_str(time, TIME).ok()?.and_utc())
}

/// The automatic backups in a folder, the oldest first.
fn there(folder: &Path) -> Vec<DateTime<Utc>> {
    let mut times: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| time_of(entry.file_name().to_str()?))
        .collect();
    times.sort_unstable();
    times
}

/// Where a server with a data folder of its own keeps them, unless another folder is named.
pub fn own_folder(data_dir: &Path) -> PathBuf {
    data_dir.join("backups")
}

/// When the newest automatic backup in a folder was made.
pub fn last(folder: &Path) -> Option<DateTime<Utc>> {
    there(folder).last().copied()
}

/// Makes one now, and removes those that have been outlived.
pub async fn make(plan: &Plan, url: &str, at: DateTime<Utc>) -> Result<Manifest, Failure> {
    prepare(&plan.folder)?;
    let path = plan.folder.join(name(at));
    let taken = tokio::time::timeout(PATIENCE, super::take(url, &path)).await;
    let manifest = taken.map_err(|_| Failure::Internal("the database does not answer".to_owned()))??;
    for time in keep::outlived(&there(&plan.folder), at, plan.keep) {
        let path = plan.folder.join(name(time));
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "an old backup cannot be removed");
        }
    }
    Ok(manifest)
}

/// Makes the folder, closed to others, and removes what a server that was killed left unfinished.
fn prepare(folder: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::DirBuilderExt as _;

    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|error| Failure::Internal(format!("the folder {}: {error}", folder.display())))?;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(file::UNFINISHED) {
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Makes backups for as long as it is awaited. What fails is logged, shown to administrators, and
/// tried again; where nothing was written since the last one there is none to make.
pub async fn keep_making(plan: Plan, url: String, state: AppState) {
    let since_last =
        |now: DateTime<Utc>| last(&plan.folder).map(|last| (now - last).to_std().unwrap_or_default());
    let now = state.clock.now();
    let mut wait = match since_last(now) {
        Some(age) => plan.every.saturating_sub(age).max(FIRST.min(plan.every)),
        None => FIRST.min(plan.every),
    };
    let mut written = None;
    loop {
        tokio::time::sleep(wait).await;
        wait = plan.every;
        let now = state.clock.now();
        let writes = store::backup::writes(&url).await.ok();
        if writes.is_some() && writes == written {
            continue;
        }
        match make(&plan, &url, now).await {
            Ok(manifest) => {
                tracing::info!(
                    events = manifest.contents.events,
                    acts = manifest.contents.acts,
                    bytes = manifest.length,
                    "a backup was made"
                );
                state.backups.made(now);
                written = writes;
            }
            Err(failure) => {
                let why = failure.lines().join(" ");
                tracing::error!(why, "an automatic backup failed; trying again");
                state.backups.failed(now, &why);
                // Sooner than the next one would be, and not all the time.
                wait = plan.every.min(FIRST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_numbers_with_a_unit() {
        for (text, seconds) in [
            ("90s", 90),
            ("15m", 900),
            ("1h", 3600),
            ("30d", 2_592_000),
            ("off", 0),
        ] {
            assert_eq!(text.parse(), Ok(Span(Duration::from_secs(seconds))), "{text}");
        }
        for text in [
            "",
            "h",
            "1",
            "0h",
            "-1h",
            "1w",
            "1.5h",
            "99999999999999999999d",
            "1天",
        ] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_name_of_a_backup_says_when_it_was_made() {
        let at: DateTime<Utc> = "2026-05-10T12:30:05Z".parse().expect("a time");
        assert_eq!(name(at), "tianyuan-20260510T123005Z.backup");
        assert_eq!(time_of(&name(at)), Some(at));
        for other in [
            "open.backup",
            "tianyuan-x.backup",
            "tianyuan-20260510T123005Z.backup.old",
        ] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }
}
