//! The data folder: its lock, the making of the cluster, the place of the socket.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use nix::sys::signal::Signal;
use nix::unistd::geteuid;
use tokio::process::Child;

use crate::binaries::Binaries;
use crate::user::RunAs;
use crate::watchdog::Watchdog;
use crate::{Durability, Error};

/// The cluster's superuser, and the only user it has.
pub(crate) const SUPERUSER: &str = "tianyuan";

/// Names the socket's file; never a network port.
pub(crate) const PORT: u16 = 5432;

/// `sun_path` of a socket's address, less its final zero.
const LONGEST_SOCKET_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// How long a server that was told to stop may still hold the lock when the next one starts.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// A log longer than this is set aside at the next start.
const LONGEST_LOG: u64 = 10 * 1024 * 1024;

/// What lies where the cluster should be.
pub(crate) enum State {
    /// Nothing, or an empty folder.
    Empty,
    /// A cluster; what its `PG_VERSION` says.
    Cluster { version: String },
}

/// A data folder that exists.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Makes the data folder when it is missing.
    ///
    /// What root makes can be entered by everyone, because the user that runs PostgreSQL has to
    /// get through; the data itself lies in folders of mode 0700 below.
    pub(crate) fn open_or_create(data_dir: &Path) -> Result<Self, Error> {
        let path = std::path::absolute(data_dir).map_err(Error::io("find", data_dir))?;
        let mut missing: Vec<&Path> = path.ancestors().take_while(|dir| !dir.exists()).collect();
        let mode = if geteuid().is_root() { 0o755 } else { 0o700 };
        while let Some(dir) = missing.pop() {
            match fs::create_dir(dir) {
                // Set afterwards, because the process's mask could close it.
                Ok(()) => fs::set_permissions(dir, Permissions::from_mode(mode))
                    .map_err(Error::io("set the mode of", dir))?,
                Err(error) if error.kind() == ErrorKind::AlreadyExists && dir.is_dir() => {}
                Err(error) => return Err(Error::io("make the folder", dir)(error)),
            }
        }
        Self::open(&path)
    }

    /// The data folder in `path`, which exists.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let root = fs::canonicalize(path).map_err(Error::io("find", path))?;
        if !root.is_dir() {
            let error = std::io::Error::from(ErrorKind::NotADirectory);
            return Err(Error::io("use the data folder", &root)(error));
        }
        Ok(Self { root })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn cluster(&self) -> PathBuf {
        self.root.join("postgres")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.root.join("postgres.log")
    }

    /// The cluster's name in the list of processes: short, and told by the folder alone.
    pub(crate) fn cluster_name(&self) -> String {
        let bytes = self.root.as_os_str().as_encoded_bytes();
        // FNV-1a, since the standard library promises no stable hash.
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        format!("tianyuan-{hash:016x}")
    }

    /// Takes the data folder for this process; another server on it is refused.
    ///
    /// The system lets go of the lock when the process ends, however it ends.
    pub(crate) async fn lock(&self) -> Result<File, Error> {
        let path = self.root.join("server.lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o644)
            .open(&path)
            .map_err(Error::io("open", &path))?;
        let deadline = Instant::now() + LOCK_PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let known = file.read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
                    return Err(Error::InUse {
                        dir: self.root.clone(),
                        holder: if known {
                            holder.trim().to_owned()
                        } else {
                            "unknown".to_owned()
                        },
                    });
                }
                Err(TryLockError::Error(error)) => return Err(Error::io("lock", &path)(error)),
            }
        }
        file.set_len(0)
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(Error::io("write", &path))?;
        Ok(file)
    }

    /// What lies where the cluster should be.
    pub(crate) fn state(&self) -> Result<State, Error> {
        let cluster = self.cluster();
        let version_file = cluster.join("PG_VERSION");
        match fs::read_to_string(&version_file) {
            Ok(version) => {
                return Ok(State::Cluster {
                    version: version.trim().to_owned(),
                });
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io("read", &version_file)(error)),
        }
        match fs::read_dir(&cluster) {
            Ok(mut entries) => match entries.next() {
                None => Ok(State::Empty),
                Some(_) => Err(Error::NotACluster { dir: cluster }),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(State::Empty),
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                Err(Error::NotACluster { dir: cluster })
            }
            Err(error) => Err(Error::io("read", &cluster)(error)),
        }
    }

    /// Makes the cluster beside its place and moves it there when it is complete, so that a
    /// cluster is either whole or not there.
    pub(crate) async fn initialise(
        &self,
        binaries: &Binaries,
        run_as: &RunAs,
        durability: Durability,
    ) -> Result<(), Error> {
        self.remove_unfinished();
        let mut unfinished = Unfinished::create(self, run_as)?;
        tracing::info!(folder = %self.cluster().display(), "making a new PostgreSQL cluster");

        let mut command = run_as.command(&binaries.initdb());
        command
            .arg("-D")
            .arg(&unfinished.path)
            .arg(format!("--username={SUPERUSER}"))
            .args(["--auth-local=trust", "--auth-host=reject"])
            .args(["--encoding=UTF8", "--locale=C.UTF-8"])
            .args(["--data-checksums", "--no-instructions"])
            .current_dir(&self.root)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if durability == Durability::Volatile {
            command.arg("--no-sync");
        }
        let child = command.spawn().map_err(Error::io("run", &binaries.initdb()))?;
        unfinished.watch_over(&child)?;
        let output = child
            .wait_with_output()
            .await
            .map_err(Error::io("run", &binaries.initdb()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Error::InitFailed {
                dir: self.root.clone(),
                said: in_one_line(&said),
            });
        }

        unfinished.move_to(&self.cluster())?;
        if durability == Durability::Durable {
            let synced = File::open(&self.root).and_then(|root| root.sync_all());
            synced.map_err(Error::io("write", &self.root))?;
        }
        Ok(())
    }

    /// Makes the cluster's folder, empty, for a copy that is to go there.
    pub(crate) fn prepare(&self, run_as: &RunAs) -> Result<PathBuf, Error> {
        let path = self.cluster();
        DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .map_err(Error::io("make the folder", &path))?;
        run_as.give(&path)?;
        Ok(path)
    }

    /// Removes what servers that were killed while making a cluster left behind.
    fn remove_unfinished(&self) {
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            if entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(UNFINISHED.as_bytes())
            {
                // What cannot be removed is in nobody's way.
                if let Err(error) = fs::remove_dir_all(entry.path()) {
                    tracing::warn!(path = %entry.path().display(), %error, "cannot remove");
                }
            }
        }
    }

    /// Opens the log to append to it; returns where the new part begins.
    pub(crate) fn open_log(&self) -> Result<(File, u64), Error> {
        let path = self.log();
        if fs::metadata(&path).is_ok_and(|log| log.len() > LONGEST_LOG) {
            let aside = self.root.join("postgres.log.1");
            fs::rename(&path, &aside).map_err(Error::io("move aside", &path))?;
        }
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&path)
            .map_err(Error::io("open", &path))?;
        let start = file.seek(SeekFrom::End(0)).map_err(Error::io("read", &path))?;
        Ok((file, start))
    }

    /// What PostgreSQL wrote to its log from `start` on.
    pub(crate) fn log_since(&self, start: u64) -> String {
        let mut said = Vec::new();
        let read = File::open(self.log()).and_then(|mut log| {
            log.seek(SeekFrom::Start(start))?;
            log.read_to_end(&mut said)
        });
        match read {
            Ok(_) => String::from_utf8_lossy(&said).into_owned(),
            Err(error) => format!("its log cannot be read: {error}"),
        }
    }

    /// A folder for the socket that only `run_as` and root can enter: in the data folder, or where
    /// its path would be too long for a socket, in a short place.
    pub(crate) fn socket_dir(&self, run_as: &RunAs) -> Result<PathBuf, Error> {
        let name = self.cluster_name();
        let runtime = if geteuid().is_root() {
            Some(PathBuf::from("/run"))
        } else {
            std::env::var_os("XDG_RUNTIME_DIR")
                .map(PathBuf::from)
                .filter(|dir| dir.is_absolute())
        };
        let candidates = [
            Some(self.own_socket_dir()),
            runtime.map(|dir| dir.join(&name)),
            Some(Path::new("/tmp").join(&name)),
        ];
        let mut tried = Vec::new();
        for candidate in candidates.into_iter().flatten() {
            match prepare_socket_dir(&candidate, run_as) {
                Ok(()) => return Ok(candidate),
                Err(reason) => tried.push(format!("{} ({reason})", candidate.display())),
            }
        }
        Err(Error::NoSocketFolder {
            longest: LONGEST_SOCKET_PATH,
            tried: tried.join(", "),
        })
    }

    pub(crate) fn own_socket_dir(&self) -> PathBuf {
        self.root.join("run")
    }
}

fn prepare_socket_dir(dir: &Path, run_as: &RunAs) -> Result<(), String> {
    let length = socket_path(dir).as_os_str().len();
    if length > LONGEST_SOCKET_PATH {
        return Err(format!("{length} bytes"));
    }
    if dir.to_str().is_none() {
        return Err("not UTF-8".to_owned());
    }
    match DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            // In /tmp anyone may have put it there.
            let found = fs::symlink_metadata(dir).map_err(|error| error.to_string())?;
            let own = found.uid() == run_as.uid() || found.uid() == geteuid().as_raw();
            if !found.is_dir() || !own {
                return Err("is there and belongs to somebody else".to_owned());
            }
        }
        Err(error) => return Err(error.to_string()),
    }
    run_as.give(dir).map_err(|error| error.to_string())?;
    fs::set_permissions(dir, Permissions::from_mode(0o700)).map_err(|error| error.to_string())
}

/// The socket in its folder.
pub(crate) fn socket_path(socket_dir: &Path) -> PathBuf {
    socket_dir.join(format!(".s.PGSQL.{PORT}"))
}

/// What a program said, without line breaks, and not too much of it.
pub(crate) fn in_one_line(said: &str) -> String {
    let lines: Vec<&str> = said
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let from = lines.len().saturating_sub(8);
    lines[from..].join(" / ")
}

const UNFINISHED: &str = "postgres.new-";

/// A cluster being made. Unless it is moved to its place, what makes it is killed and it is
/// removed, even when this process is killed.
struct Unfinished {
    path: PathBuf,
    watchdog: Option<Watchdog>,
}

impl Unfinished {
    fn create(folder: &Folder, run_as: &RunAs) -> Result<Self, Error> {
        // A name nothing else is still writing to.
        let nanoseconds = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        let path = folder
            .root
            .join(format!("{UNFINISHED}{}-{nanoseconds}", std::process::id()));
        DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .map_err(Error::io("make the folder", &path))?;
        let unfinished = Self { path, watchdog: None };
        run_as.give(&unfinished.path)?;
        Ok(unfinished)
    }

    /// Ends `child`, which leads a process group, together with this folder.
    fn watch_over(&mut self, child: &Child) -> Result<(), Error> {
        if let Some(group) = child.id().and_then(|pid| i32::try_from(pid).ok()) {
            self.watchdog = Some(Watchdog::over(-group, Signal::SIGKILL, Some(&self.path))?);
        }
        Ok(())
    }

    fn move_to(mut self, place: &Path) -> Result<(), Error> {
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.dismiss();
        }
        fs::rename(&self.path, place).map_err(Error::io("move the new cluster to", place))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        match self.watchdog.take() {
            Some(watchdog) => watchdog.bite(),
            // Fails when it was moved, as it should.
            None => drop(fs::remove_dir_all(&self.path)),
        }
    }
}
