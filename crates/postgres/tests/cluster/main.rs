//! Real clusters in temporary folders: as root when the tests run as root, else as the ordinary
//! user that runs them.

mod database;
mod kills;
mod making;
mod program;
mod refusals;
mod replica;
mod sockets;
mod users;

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};
use private_postgres::{Durability, Options};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// The program that starts a cluster by itself: here in the part of the server.
const PROGRAM: &str = env!("CARGO_BIN_EXE_private-postgres");

/// A temporary folder the user that runs PostgreSQL can enter, as root's are not by themselves.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
        Self(place)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// The data folder, not made yet.
    fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// A durable cluster in [`Place::data`].
    fn options(&self) -> Options {
        Options::durable(self.data())
    }

    /// A folder of programs in which `name` is replaced by a shell script, the others being the
    /// machine's own.
    fn programs_with(&self, name: &str, script: &str) -> PathBuf {
        let dir = self.path().join(format!("programs-{name}"));
        fs::create_dir(&dir).unwrap();
        let real = real_programs();
        for program in ["initdb", "postgres"] {
            if program != name {
                std::os::unix::fs::symlink(real.join(program), dir.join(program)).unwrap();
            }
        }
        let version = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && exec {} --version\n",
            real.join(name).display()
        );
        fs::write(dir.join(name), version + script).unwrap();
        fs::set_permissions(dir.join(name), Permissions::from_mode(0o755)).unwrap();
        dir
    }
}

/// The newest PostgreSQL of this machine.
fn real_programs() -> PathBuf {
    if let Some(dir) = std::env::var_os("PG_BIN_DIR") {
        return PathBuf::from(dir);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    std::env::split_paths(&path)
        .chain(debian.map(|version| version.path().join("bin")))
        .find(|dir| dir.join("initdb").is_file() && dir.join("postgres").is_file())
        .expect("PostgreSQL is installed")
}

/// The program, running a durable cluster in a folder as a server would.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        Self::start_with(Command::new(PROGRAM).arg(data))
    }

    /// Starts `command` in a process group of its own and waits for its `DATABASE_URL`.
    fn start_with(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).process_group(0).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let Some(url) = line.trim_end().strip_prefix("DATABASE_URL=") else {
            panic!("the program said {line:?} and ended: {:?}", process.wait());
        };
        Self {
            url: url.to_owned(),
            process,
        }
    }

    /// Sends a signal to the whole process group, as a terminal does.
    fn signal(&self, signal: Signal) {
        nix::sys::signal::killpg(Pid::from_raw(self.process.id().cast_signed()), signal).unwrap();
    }

    fn kill_9(&mut self) {
        self.signal(Signal::SIGKILL);
        self.process.wait().unwrap();
    }

    fn wait(&mut self) -> ExitStatus {
        self.process.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // For tests that fail: PostgreSQL is shut down with it.
        if self.process.try_wait().unwrap().is_none() {
            self.signal(Signal::SIGTERM);
            let _ = self.process.wait();
        }
    }
}

async fn connect(url: &str) -> PgConnection {
    PgConnection::connect(url).await.unwrap()
}

/// The one value a query answers, as text.
async fn ask(url: &str, query: &str) -> String {
    let mut connection = connect(url).await;
    let answer = sqlx::query_scalar(AssertSqlSafe(query.to_owned()))
        .fetch_one(&mut connection)
        .await;
    connection.close().await.unwrap();
    answer.unwrap()
}

async fn tell(url: &str, statement: &str) {
    let mut connection = connect(url).await;
    sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}

/// The process in the first line of `postmaster.pid`.
fn postmaster_of(data: &Path) -> i32 {
    let file = fs::read_to_string(data.join("postgres/postmaster.pid")).unwrap();
    file.lines().next().unwrap().parse().unwrap()
}

fn kill_9(pid: i32) {
    kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
}

/// Whether the process runs; a zombie does not.
fn runs(pid: i32) -> bool {
    let output = Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output()
        .unwrap();
    let state = String::from_utf8(output.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// What `ps` says of the process, without spaces around it.
fn ps(pid: i32, column: &str) -> String {
    let output = Command::new("ps")
        .args(["-o", &format!("{column}=")])
        .args(["-p", &pid.to_string()])
        .output();
    String::from_utf8(output.unwrap().stdout)
        .unwrap()
        .trim()
        .to_owned()
}

/// Waits until `condition` holds; fails after `seconds`.
async fn eventually(seconds: u64, what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !condition().await {
        assert!(Instant::now() < deadline, "not within {seconds} s: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn is_root(test: &str) -> bool {
    let root = geteuid().is_root();
    if !root {
        eprintln!("skipped, because it needs root: {test}");
    }
    root
}

fn volatile(data: PathBuf) -> Options {
    Options {
        durability: Durability::Volatile,
        ..Options::durable(data)
    }
}

fn names_in(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn mode(path: impl AsRef<OsStr>) -> u32 {
    fs::metadata(Path::new(path.as_ref()))
        .unwrap()
        .permissions()
        .mode()
        & 0o7777
}
