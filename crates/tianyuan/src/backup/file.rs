//! The file of a backup: a head of fixed size that says what follows, then what `pg_dump` wrote.
//!
//! The head is text: a line with the format, a line of JSON, blanks, and at its end the SHA-256 of
//! all that in hexadecimal. It is written last, over blanks, so that a file that was not finished
//! has none.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use interchange::record::harmless;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::backup::Contents;

use crate::failure::Failure;

/// The first word of a backup.
const NAME: &str = "tianyuan-backup";
/// The version of the format that this program writes and reads.
const FORMAT: u32 = 1;
/// The bytes of the head.
const HEAD: usize = 4096;
/// Those of them that are its sum, with the line's end.
const SUM: usize = 65;

/// What a backup says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The version of the program that made it.
    pub version: String,
    /// When.
    pub taken_at: DateTime<Utc>,
    /// What the database held.
    pub contents: Contents,
    /// The major version of PostgreSQL it was taken from.
    pub postgres: u32,
    /// The bytes after the head.
    pub length: u64,
    /// Their SHA-256, in hexadecimal.
    pub sha256: String,
}

impl Manifest {
    fn head(&self) -> Vec<u8> {
        let told = json!({
            "version": self.version,
            "taken_at": self.taken_at.to_rfc3339_opts(SecondsFormat::Secs, true),
            "migration": self.contents.migration,
            "events": self.contents.events,
            "acts": self.contents.acts,
            "accounts": self.contents.accounts,
            "postgres": self.postgres,
            "length": self.length,
            "sha256": self.sha256,
        });
        let mut head = format!("{NAME} {FORMAT}\n{told}\n").into_bytes();
        head.resize(HEAD - SUM, b' ');
        let sum = hex(&Sha256::digest(&head));
        head.extend(sum.as_bytes());
        head.push(b'\n');
        head
    }

    /// Reads a head; what is wrong with it otherwise, as the end of a sentence about the file.
    fn read(head: &[u8]) -> Result<Self, String> {
        let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first);
        let format = first
            .strip_prefix(NAME)
            .ok_or_else(|| "is no backup of tianyuan".to_owned())?;
        match format.trim().parse::<u32>() {
            Ok(FORMAT) => {}
            Ok(newer) if newer > FORMAT => {
                return Err(format!(
                    "is a backup of format {newer}, and this program knows up to format {FORMAT}: \
                     use a newer tianyuan"
                ));
            }
            _ => return Err(altered()),
        }
        if head.len() < HEAD {
            return Err(format!("is cut: it has only {} bytes", head.len()));
        }
        let (text, sum) = head.split_at(HEAD - SUM);
        if hex(&Sha256::digest(text)).as_bytes() != sum.trim_ascii_end() {
            return Err(altered());
        }
        let line = text.split(|byte| *byte == b'\n').nth(1).unwrap_or_default();
        let told: Value = serde_json::from_slice(line).map_err(|_| altered())?;
        Self::of(&told).ok_or_else(altered)
    }

    fn of(told: &Value) -> Option<Self> {
        let number = |name: &str| told[name].as_u64();
        let text = |name: &str| told[name].as_str().map(str::to_owned);
        Some(Self {
            version: text("version")?,
            taken_at: text("taken_at")?.parse().ok()?,
            contents: Contents {
                migration: told["migration"].as_i64()?,
                events: number("events")?,
                acts: number("acts")?,
                accounts: number("accounts")?,
                foreign_tables: 0,
            },
            postgres: number("postgres")?.try_into().ok()?,
            length: number("length")?,
            sha256: text("sha256")?,
        })
    }
}

fn altered() -> String {
    "was altered: its sum does not agree with what it holds. Use another backup".to_owned()
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;

    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A backup being written, beside its place and under another name. Dropped, it is gone.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    place: PathBuf,
    folder: PathBuf,
    file: File,
    sum: Sha256,
    length: u64,
    done: bool,
}

/// How the names of unfinished backups begin.
pub const UNFINISHED: &str = ".tianyuan-unfinished-";

impl Draft {
    /// Begins a backup that is to stand at `place`. Nobody but this user can read it: it holds the
    /// hashes of passwords and tokens, and whatever else is not for everybody.
    pub fn beside(place: &Path) -> Result<Self, Failure> {
        let folder = match place.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
            _ => PathBuf::from("."),
        };
        if place.file_name().is_none() || place.is_dir() {
            return Err(Failure::input(format!(
                "{} is a folder: name a file in it",
                shown(place)
            )));
        }
        // A link or a device would be replaced by the file, which nobody means.
        match fs::symlink_metadata(place) {
            Ok(there) if !there.is_file() => {
                return Err(Failure::input(format!(
                    "{} is no ordinary file: name another, or what it leads to",
                    shown(place)
                )));
            }
            _ => {}
        }
        let name = place
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let path = folder.join(format!("{UNFINISHED}{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .map_err(|error| Failure::input(format!("{} cannot be written: {error}", shown(place))))?;
        file.write_all(&[b' '; HEAD])
            .map_err(|error| unwritten(place, &error))?;
        Ok(Self {
            path,
            place: place.to_path_buf(),
            folder,
            file,
            sum: Sha256::new(),
            length: 0,
            done: false,
        })
    }

    /// Writes on.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.sum.update(bytes);
        self.length += bytes.len() as u64;
        self.file
            .write_all(bytes)
            .map_err(|error| unwritten(&self.place, &error))
    }

    /// Writes the head, waits until all is on the disk, and puts the file in its place.
    pub fn finish(
        mut self,
        contents: Contents,
        postgres: u32,
        at: DateTime<Utc>,
    ) -> Result<Manifest, Failure> {
        let manifest = Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            taken_at: at,
            contents,
            postgres,
            length: self.length,
            sha256: hex(&self.sum.clone().finalize()),
        };
        let written = self
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.write_all(&manifest.head()))
            .and_then(|()| self.file.sync_all())
            .and_then(|()| fs::rename(&self.path, &self.place));
        written.map_err(|error| unwritten(&self.place, &error))?;
        self.done = true;
        // The name, too, is to outlive a power failure.
        File::open(&self.folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| unwritten(&self.place, &error))?;
        Ok(manifest)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn unwritten(place: &Path, error: &std::io::Error) -> Failure {
    Failure::Internal(format!(
        "{} cannot be written: {error}; what was there before is as it was",
        shown(place)
    ))
}

fn shown(path: &Path) -> String {
    harmless(&path.display().to_string())
}

/// A backup that was read to its end and found whole.
#[derive(Debug)]
pub struct Backup {
    /// What it says of itself.
    pub manifest: Manifest,
    file: File,
}

impl Backup {
    /// Opens a backup and reads it through: one that is cut, altered, or of a version that this
    /// program does not know is refused.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let faulty = |what: String| Failure::input(format!("{} {what}", shown(path)));
        let unread = |error: std::io::Error| faulty(format!("cannot be read: {error}"));
        let mut file = File::open(path).map_err(unread)?;
        let mut head = Vec::with_capacity(HEAD);
        (&mut file)
            .take(HEAD as u64)
            .read_to_end(&mut head)
            .map_err(unread)?;
        let manifest = Manifest::read(&head).map_err(faulty)?;
        let newest = store::backup::newest_migration();
        if manifest.contents.migration > newest {
            return Err(faulty(format!(
                "was made by a newer tianyuan ({}, tables of step {}; this one knows up to step {newest}): \
                 restore it with that version",
                manifest.version, manifest.contents.migration
            )));
        }
        let mut sum = Sha256::new();
        let length = std::io::copy(&mut file, &mut sum).map_err(unread)?;
        if length < manifest.length {
            return Err(faulty(format!(
                "is cut: {length} of {} bytes are there. Use another backup, or fetch this one again",
                manifest.length
            )));
        }
        if length > manifest.length || hex(&sum.finalize()) != manifest.sha256 {
            return Err(faulty(altered()));
        }
        Ok(Self { manifest, file })
    }

    /// The file, where what `pg_restore` reads begins.
    pub fn dump(mut self) -> std::io::Result<File> {
        self.file.seek(SeekFrom::Start(HEAD as u64))?;
        Ok(self.file)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn contents() -> Contents {
        Contents {
            migration: 1,
            events: 2,
            acts: 30,
            accounts: 4,
            foreign_tables: 0,
        }
    }

    fn written(place: &Path, bytes: &[u8]) -> Manifest {
        let mut draft = Draft::beside(place).expect("a draft");
        for part in bytes.chunks(7) {
            draft.append(part).expect("room");
        }
        draft.finish(contents(), 15, Utc::now()).expect("a backup")
    }

    fn refusal(path: &Path) -> String {
        let failure = Backup::open(path).expect_err("a refusal");
        assert_eq!(failure.exit_code(), 2);
        failure.lines().join(" ")
    }

    #[test]
    fn a_backup_is_read_back_and_any_cut_or_changed_byte_is_refused() {
        let temp = tempfile::tempdir().expect("a folder");
        let place = temp.path().join("open.backup");
        let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let manifest = written(&place, &bytes);
        assert_eq!(
            fs::metadata(&place).expect("a file").permissions().mode() & 0o777,
            0o600
        );
        let backup = Backup::open(&place).expect("a backup");
        assert_eq!(backup.manifest.sha256, manifest.sha256);
        assert_eq!(backup.manifest.contents, contents());
        let mut read = Vec::new();
        backup
            .dump()
            .expect("the file")
            .read_to_end(&mut read)
            .expect("bytes");
        assert_eq!(read, bytes);

        let whole = fs::read(&place).expect("a file");
        let other = temp.path().join("other.backup");
        for length in [0, 5, 40, HEAD - 1, HEAD, HEAD + 1, whole.len() - 1] {
            fs::write(&other, &whole[..length]).expect("a file");
            let said = refusal(&other);
            let cut = said.contains("cut") || said.contains("is no backup") || said.contains("altered");
            assert!(cut && said.contains("other.backup"), "{length}: {said}");
        }
        // Every byte of what says something, and some of the rest.
        for at in (0..700).chain([2000, HEAD - SUM, HEAD - 2, HEAD, whole.len() - 1]) {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&other, &changed).expect("a file");
            refusal(&other);
        }
        let mut longer = whole.clone();
        longer.push(0);
        fs::write(&other, &longer).expect("a file");
        assert!(refusal(&other).contains("altered"));
    }

    #[test]
    fn backups_of_newer_versions_are_refused_with_the_version() {
        let temp = tempfile::tempdir().expect("a folder");
        let place = temp.path().join("new.backup");
        let mut draft = Draft::beside(&place).expect("a draft");
        draft.append(b"x").expect("room");
        let newer = Contents {
            migration: 9999,
            ..contents()
        };
        draft.finish(newer, 15, Utc::now()).expect("a backup");
        assert!(refusal(&place).contains("newer tianyuan"));
        fs::write(&place, "tianyuan-backup 7\n").expect("a file");
        assert!(refusal(&place).contains("format 7"));
        assert!(refusal(&temp.path().join("none")).contains("cannot be read"));
    }

    #[test]
    fn what_is_not_finished_leaves_nothing_and_what_was_there_as_it_was() {
        let temp = tempfile::tempdir().expect("a folder");
        let place = temp.path().join("open.backup");
        fs::write(&place, "before").expect("a file");
        let mut draft = Draft::beside(&place).expect("a draft");
        draft.append(b"half").expect("room");
        drop(draft);
        assert_eq!(fs::read(&place).expect("a file"), b"before");
        assert_eq!(fs::read_dir(temp.path()).expect("a folder").count(), 1);
        let folder = Draft::beside(temp.path()).expect_err("a folder");
        assert_eq!(folder.exit_code(), 2);
    }
}
