//! PostgreSQL's processes: which run, whose they are, and how they are ended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::Child;

use crate::Error;
use crate::folder::{PORT, SUPERUSER};

/// How often a process that is to start or to end is looked at.
pub(crate) const POLL: Duration = Duration::from_millis(25);

/// The signals that end a postmaster, and how long each is given: a fast shutdown, which writes a
/// checkpoint; an immediate one, after which the next start recovers; the last resort.
const WAYS_TO_STOP: [(Signal, Duration); 3] = [
    (Signal::SIGINT, Duration::from_secs(60)),
    (Signal::SIGQUIT, Duration::from_secs(10)),
    (Signal::SIGKILL, Duration::from_secs(5)),
];

/// What `postmaster.pid` in a cluster's folder says. It may be stale.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PidFile {
    pub(crate) pid: i32,
    /// The cluster's folder, as the postmaster was told it.
    data_dir: PathBuf,
    pub(crate) socket_dir: Option<PathBuf>,
    pub(crate) ready: bool,
}

impl PidFile {
    /// `None` when there is none, or when it is not complete enough to name a process.
    pub(crate) fn read(cluster: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(Self::path(cluster)).ok()?)
    }

    pub(crate) fn path(cluster: &Path) -> PathBuf {
        cluster.join("postmaster.pid")
    }

    /// The lines: process, data folder, start time, port, socket folder, address, shared memory,
    /// status.
    fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().collect();
        // A single-user PostgreSQL writes its process with a minus.
        let pid = lines.first()?.trim().parse::<i32>().ok()?.checked_abs()?;
        Some(Self {
            pid,
            data_dir: PathBuf::from(lines.get(1)?),
            socket_dir: lines.get(4).filter(|dir| !dir.is_empty()).map(PathBuf::from),
            ready: lines.get(7).is_some_and(|status| status.trim() == "ready"),
        })
    }
}

/// Who a `postmaster.pid` speaks of.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// No process, or one that has nothing to do with the cluster: the file is stale.
    Nobody,
    /// The cluster's postmaster.
    Postmaster(i32),
    /// A postmaster that was started when the cluster lay elsewhere.
    Moved(i32),
}

/// Who the `postmaster.pid` of `cluster` speaks of.
///
/// The process id alone says nothing: after a restart of the machine or the container another
/// program may have it.
pub(crate) fn holder(cluster: &Path) -> Holder {
    let Some(file) = PidFile::read(cluster) else {
        return Holder::Nobody;
    };
    let Some(arguments) = arguments(file.pid) else {
        return Holder::Nobody;
    };
    if serves(&arguments, cluster) {
        return Holder::Postmaster(file.pid);
    }
    // Where the cluster's old place still holds a cluster, this folder is a copy of that one.
    if serves(&arguments, &file.data_dir) && !file.data_dir.join("PG_VERSION").exists() {
        return Holder::Moved(file.pid);
    }
    Holder::Nobody
}

fn serves(arguments: &[Vec<u8>], cluster: &Path) -> bool {
    let path = cluster.as_os_str().as_encoded_bytes();
    arguments
        .windows(2)
        .any(|pair| pair[0] == b"-D" && pair[1] == path)
}

/// The command line of a process; `None` when it does not run (a zombie has none).
///
/// Chosen over `/proc/…/cwd`, which root in a container may not read of another user's process.
fn arguments(pid: i32) -> Option<Vec<Vec<u8>>> {
    let (text, separator) = if Path::new("/proc/self/cmdline").exists() {
        (fs::read(format!("/proc/{pid}/cmdline")).ok()?, 0)
    } else {
        (arguments_by_ps(pid)?, b' ')
    };
    let arguments: Vec<Vec<u8>> = text
        .split(|byte| *byte == separator)
        .map(<[u8]>::to_vec)
        .collect();
    arguments
        .iter()
        .any(|argument| !argument.is_empty())
        .then_some(arguments)
}

/// For systems without `/proc`. A path with spaces is not recognised there; PostgreSQL itself then
/// refuses to start beside the other.
fn arguments_by_ps(pid: i32) -> Option<Vec<u8>> {
    let output = Command::new("ps")
        .args(["-ww", "-o", "args=", "-p", &pid.to_string()])
        .output()
        .ok()?;
    Some(output.stdout.trim_ascii_end().to_vec())
}

/// The processes a dead postmaster of the cluster called `name` left behind.
///
/// They end by themselves once they look, but one deep in a query does not look, and keeps the
/// next postmaster from starting.
pub(crate) fn orphans(name: &str) -> Vec<i32> {
    let title = format!("postgres: {name}: ");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.starts_with(title.as_bytes()))
        })
        .collect()
}

/// Sends a signal; `false` when there is no such process any more.
pub(crate) fn send(pid: i32, signal: Signal) -> bool {
    match kill(Pid::from_raw(pid), signal) {
        Ok(()) => true,
        Err(Errno::ESRCH) => false,
        Err(error) => {
            tracing::warn!(pid, %signal, %error, "cannot send a signal to PostgreSQL");
            true
        }
    }
}

/// Ends the postmaster `pid`, which another process started, and waits until it is gone.
pub(crate) async fn stop_foreign(cluster: &Path, pid: i32) -> Result<(), Error> {
    for (signal, patience) in WAYS_TO_STOP {
        send(pid, signal);
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if !arguments(pid).is_some_and(|arguments| serves(&arguments, cluster)) {
                return Ok(());
            }
            tokio::time::sleep(POLL).await;
        }
        tracing::warn!(pid, %signal, "PostgreSQL did not stop in time");
    }
    Err(Error::LeftoverRuns {
        dir: cluster.to_path_buf(),
        pid,
    })
}

/// A postmaster this process started. Dropping it begins a fast shutdown.
#[derive(Debug)]
pub(crate) struct Postmaster {
    child: Child,
    pid: i32,
}

impl Postmaster {
    pub(crate) fn new(child: Child) -> Self {
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
        Self {
            pid: pid.expect("a child that was not waited for has a process id"),
            child,
        }
    }

    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    /// Whether it has ended, without waiting.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Waits until it ends. May be dropped and called again.
    pub(crate) async fn wait(&mut self) -> Option<ExitStatus> {
        self.child.wait().await.ok()
    }

    /// Ends it in good order, or else in another.
    pub(crate) async fn stop(mut self) -> Result<(), Error> {
        for (signal, patience) in WAYS_TO_STOP {
            if self.ended().is_some() {
                return Ok(());
            }
            send(self.pid, signal);
            if tokio::time::timeout(patience, self.wait()).await.is_ok() {
                return Ok(());
            }
            tracing::warn!(pid = self.pid, %signal, "PostgreSQL did not stop in time");
        }
        Err(Error::DoesNotStop { pid: self.pid })
    }
}

impl Drop for Postmaster {
    fn drop(&mut self) {
        // Once it has been waited for, its process id may be another's.
        if self.child.id().is_some() && self.ended().is_none() {
            send(self.pid, Signal::SIGINT);
        }
    }
}

/// A cluster that a server runs right now, seen from another process.
#[derive(Debug)]
pub struct Running {
    pub(crate) pid: i32,
    pub(crate) socket_dir: PathBuf,
}

impl Running {
    /// The address of a database in it, as [`crate::Cluster::database_url`].
    pub fn database_url(&self, database: &str) -> String {
        database_url(&self.socket_dir, database)
    }

    /// The postmaster's process.
    pub fn pid(&self) -> i32 {
        self.pid
    }
}

/// Everything is named, so that no `PGPORT` or `PGSSLMODE` of the environment fills in.
pub(crate) fn database_url(socket_dir: &Path, database: &str) -> String {
    format!(
        "postgres:///{}?host={}&port={PORT}&user={SUPERUSER}&sslmode=disable",
        percent_encoded(database.as_bytes()),
        percent_encoded(socket_dir.as_os_str().as_encoded_bytes()),
    )
}

fn percent_encoded(bytes: &[u8]) -> String {
    use std::fmt::Write;

    bytes.iter().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    /// A `postmaster.pid` of PostgreSQL 15 with the given first line, folder and status.
    fn pid_file(pid: &str, data_dir: &Path, status: &str) -> String {
        format!(
            "{pid}\n{}\n1790000000\n5432\n/run/go\n\n   393221         7\n{status}\n",
            data_dir.display()
        )
    }

    #[test]
    fn the_pid_file_is_read_by_lines() {
        let file = PidFile::parse(&pid_file("4711", Path::new("/srv/go/postgres"), "ready   ")).unwrap();
        assert_eq!((file.pid, file.ready), (4711, true));
        assert_eq!(file.socket_dir.as_deref(), Some(Path::new("/run/go")));
        assert!(
            !PidFile::parse(&pid_file("4711", Path::new("/srv"), "starting"))
                .unwrap()
                .ready
        );
        assert_eq!(
            PidFile::parse(&pid_file("-4711", Path::new("/srv"), ""))
                .unwrap()
                .pid,
            4711
        );
        for torn in ["", "\n", "4711", "nonsense\n/srv\n"] {
            assert_eq!(PidFile::parse(torn), None, "{torn:?}");
        }
    }

    #[test]
    fn a_pid_file_that_names_another_program_is_stale() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(holder(temp.path()), Holder::Nobody);
        // This test is alive, and is no postmaster.
        let text = pid_file(&std::process::id().to_string(), temp.path(), "ready");
        fs::write(PidFile::path(temp.path()), text).unwrap();
        assert_eq!(holder(temp.path()), Holder::Nobody);
    }

    #[test]
    fn a_copy_of_a_running_cluster_is_free_and_a_moved_one_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let (here, elsewhere) = (temp.path().join("here"), temp.path().join("elsewhere"));
        fs::create_dir_all(&here).unwrap();
        fs::create_dir_all(&elsewhere).unwrap();
        let mut postmaster = Command::new("sh")
            .args(["-c", "read -r _", "postgres", "-D"])
            .arg(&elsewhere)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = postmaster.id().cast_signed();
        // The command line appears a moment after the process.
        while arguments(pid).is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        fs::write(
            PidFile::path(&here),
            pid_file(&pid.to_string(), &elsewhere, "ready"),
        )
        .unwrap();
        let moved = holder(&here);
        fs::write(elsewhere.join("PG_VERSION"), "15\n").unwrap();
        let copied = holder(&here);
        fs::write(
            PidFile::path(&elsewhere),
            pid_file(&pid.to_string(), &elsewhere, "ready"),
        )
        .unwrap();
        let original = holder(&elsewhere);
        let by_ps = arguments_by_ps(pid);
        postmaster.kill().unwrap();
        // Dead and not yet waited for: a zombie.
        let zombie = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            holder(&elsewhere) == Holder::Nobody
        });
        postmaster.wait().unwrap();

        assert_eq!(moved, Holder::Moved(pid));
        assert_eq!(copied, Holder::Nobody);
        assert_eq!(original, Holder::Postmaster(pid));
        assert!(zombie);
        if let Some(line) = by_ps {
            assert!(String::from_utf8_lossy(&line).ends_with(&format!("-D {}", elsewhere.display())));
        }
    }

    #[test]
    fn a_url_names_everything_and_escapes_what_it_must() {
        assert_eq!(
            database_url(Path::new("/srv/go clubs/天元&run"), "a/b?c"),
            "postgres:///a%2Fb%3Fc?host=%2Fsrv%2Fgo%20clubs%2F%E5%A4%A9%E5%85%83%26run\
             &port=5432&user=tianyuan&sslmode=disable"
        );
    }
}
