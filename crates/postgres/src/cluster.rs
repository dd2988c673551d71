//! Starting, watching, restarting and stopping a cluster.

use std::fs::{self, File};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use sqlx::Postgres;
use sqlx::migrate::MigrateDatabase;

use crate::binaries::{self, Binaries};
use crate::folder::{Folder, PORT, SUPERUSER, State, in_one_line, socket_path};
use crate::process::{self, Holder, POLL, PidFile, Postmaster, Running, database_url};
use crate::user::RunAs;
use crate::watchdog::Watchdog;
use crate::{Client, Durability, Error, Options};

/// How long a start waits for what a killed postmaster left behind to go away.
const LINGER: Duration = Duration::from_secs(10);

/// A postmaster that ran this long was no failed attempt.
const STEADY: Duration = Duration::from_secs(60);

/// The longest pause between two attempts to restart.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Starts the cluster in a data folder, making folder and cluster when they are missing, and
/// waits until it takes connections.
///
/// A postmaster that an earlier, killed server left running on the folder is shut down first.
/// Recovery after a crash takes as long as it takes; each ten seconds are logged. Dropping the
/// future kills what it has started.
///
/// # Errors
/// See [`Error`]: above all no programs, a folder that cannot be used, another server on it,
/// data of another major version.
pub async fn start(options: &Options) -> Result<Cluster, Error> {
    start_until(options, None).await
}

/// As [`start`]; the data folder is removed when a volatile cluster ends.
pub(crate) async fn start_until(
    options: &Options,
    remove_afterwards: Option<&Path>,
) -> Result<Cluster, Error> {
    let found = binaries::find(options.bin_dir.as_deref())?;
    let folder = Folder::open_or_create(&options.data_dir)?;
    let lock = folder.lock().await?;
    let run_as = RunAs::for_cluster(&folder.cluster())?;
    let state = folder.state()?;
    let data_version = match &state {
        State::Empty => None,
        State::Cluster { version } => Some(version.as_str()),
    };
    let binaries = binaries::choose(&found, &folder.cluster(), data_version)?;
    run_as.check_reach(folder.root(), &binaries.postgres()).await?;
    if matches!(state, State::Empty) {
        folder.initialise(&binaries, &run_as, options.durability).await?;
    }
    let socket_dir = folder.socket_dir(&run_as)?;
    let mut cluster = Cluster {
        postmaster: None,
        watchdog: None,
        binaries,
        run_as,
        durability: options.durability,
        remove_afterwards: remove_afterwards.map(Path::to_path_buf),
        socket_dir,
        folder,
        _lock: lock,
    };
    cluster.restart().await?;
    Ok(cluster)
}

/// Makes a copy of a running cluster that follows it, in a data folder that does not exist yet, and
/// starts it. It may lose everything, as all of it is in the other one. Replication goes over the
/// other one's socket, which is the only way to it, as whoever may read everything there already.
pub(crate) async fn start_following(primary: &Cluster, data_dir: &Path) -> Result<Cluster, Error> {
    let folder = Folder::open_or_create(data_dir)?;
    let program = Client::find(primary.binaries.major())?.pg_basebackup();
    let output = primary
        .run_as
        .command(&program)
        .arg("--pgdata")
        .arg(folder.prepare(&primary.run_as)?)
        .arg("--host")
        .arg(&primary.socket_dir)
        .args([
            "--port",
            &PORT.to_string(),
            "--username",
            SUPERUSER,
            "--no-password",
        ])
        .args([
            "--write-recovery-conf",
            "--wal-method=stream",
            "--checkpoint=fast",
            "--no-sync",
        ])
        .current_dir(folder.root())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .output()
        .await
        .map_err(Error::io("run", &program))?;
    if !output.status.success() {
        return Err(Error::InitFailed {
            dir: folder.root().to_path_buf(),
            said: in_one_line(&String::from_utf8_lossy(&output.stderr)),
        });
    }
    start_until(&Options::volatile(data_dir), Some(data_dir)).await
}

/// The cluster of `data_dir`, if a server runs it right now; for a command that has something to
/// do in the database beside the server.
pub fn running(data_dir: &Path) -> Option<Running> {
    let cluster = Folder::open(data_dir).ok()?.cluster();
    let file = PidFile::read(&cluster)?;
    let Holder::Postmaster(pid) = process::holder(&cluster) else {
        return None;
    };
    (file.pid == pid && file.ready).then_some(Running {
        pid,
        socket_dir: file.socket_dir?,
    })
}

/// A running cluster, and the only right to its data folder.
///
/// Dropping it begins a shutdown and does not wait for it; [`Cluster::stop`] waits.
#[derive(Debug)]
pub struct Cluster {
    // Dropped first: PostgreSQL is told to stop while the folder is still locked.
    postmaster: Option<Postmaster>,
    watchdog: Option<Watchdog>,
    binaries: Binaries,
    run_as: RunAs,
    durability: Durability,
    remove_afterwards: Option<PathBuf>,
    socket_dir: PathBuf,
    folder: Folder,
    _lock: File,
}

impl Cluster {
    /// The address of a database in this cluster, for sqlx and for `psql`:
    /// `postgres:///NAME?host=…&port=…&user=…&sslmode=disable`. It stays the same when PostgreSQL
    /// is restarted.
    pub fn database_url(&self, database: &str) -> String {
        database_url(&self.socket_dir, database)
    }

    /// Makes an empty database called `name` when there is none of that name.
    ///
    /// # Errors
    /// [`Error::Database`] when the cluster does not answer or refuses the name.
    pub async fn create_database_if_missing(&self, name: &str) -> Result<(), Error> {
        let url = self.database_url(name);
        let made = async {
            if Postgres::database_exists(&url).await? {
                return Ok(());
            }
            Postgres::create_database(&url).await
        };
        made.await.map_err(|source| Error::Database {
            name: name.to_owned(),
            source,
        })
    }

    /// The postmaster's process; `None` while it is down.
    pub fn pid(&self) -> Option<i32> {
        self.postmaster.as_ref().map(Postmaster::pid)
    }

    /// The data folder, absolute.
    pub fn data_dir(&self) -> &Path {
        self.folder.root()
    }

    /// The folder with the socket.
    pub fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    /// PostgreSQL's own log.
    pub fn log_file(&self) -> PathBuf {
        self.folder.log()
    }

    /// Waits until the postmaster ends without having been asked to, and says how, where that is
    /// known. Returns at once while it is down. May be dropped and called again.
    pub async fn exited(&mut self) -> Option<ExitStatus> {
        let status = self.postmaster.as_mut()?.wait().await;
        self.postmaster = None;
        status
    }

    /// Starts the postmaster again after [`Cluster::exited`]; one that runs is shut down first.
    ///
    /// # Errors
    /// [`Error::StartFailed`] with what PostgreSQL said, and others of [`start`].
    pub async fn restart(&mut self) -> Result<(), Error> {
        if let Some(postmaster) = self.postmaster.take() {
            postmaster.stop().await?;
        }
        self.clear_leftovers().await?;
        let deadline = Instant::now() + LINGER;
        loop {
            let (log, log_start) = self.folder.open_log()?;
            let launched = self.launch(&log)?;
            // Held already while it starts: whoever gives up waiting for it can still stop it in
            // good order.
            let postmaster = self.postmaster.insert(launched);
            if becomes_ready(&self.folder, postmaster).await {
                tracing::info!(pid = postmaster.pid(), socket = %self.socket_dir.display(), "PostgreSQL is ready");
                return Ok(());
            }
            self.postmaster = None;
            let said = self.folder.log_since(log_start);
            if !lingers(&said) || Instant::now() >= deadline {
                return Err(Error::StartFailed {
                    dir: self.folder.cluster(),
                    said: in_one_line(&said),
                    log: self.folder.log(),
                });
            }
            for pid in process::orphans(&self.folder.cluster_name()) {
                tracing::warn!(pid, "ending a process that a killed PostgreSQL left behind");
                process::send(pid, Signal::SIGQUIT);
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }

    /// Restarts PostgreSQL whenever it ends, until `stop` is done; then shuts it down.
    ///
    /// The first restart follows at once, further ones with growing pauses up to half a minute.
    /// Why PostgreSQL ended and why it does not start is logged.
    ///
    /// # Errors
    /// [`Error::DoesNotStop`], from the shutdown.
    pub async fn supervise(mut self, stop: impl Future<Output = ()>) -> Result<(), Error> {
        let mut stop = pin!(stop);
        let mut pause = Duration::ZERO;
        loop {
            let running_since = Instant::now();
            tokio::select! {
                biased;
                () = &mut stop => return self.stop().await,
                status = self.exited() => {
                    let status = status.map_or_else(|| "unknown".to_owned(), |status| status.to_string());
                    tracing::error!(%status, "PostgreSQL has ended by itself; starting it again");
                }
            }
            if running_since.elapsed() >= STEADY {
                pause = Duration::ZERO;
            }
            loop {
                tokio::select! {
                    biased;
                    () = &mut stop => return self.stop().await,
                    () = tokio::time::sleep(pause) => {}
                }
                pause = (pause * 2).clamp(Duration::from_secs(1), LONGEST_PAUSE);
                let restarted = tokio::select! {
                    biased;
                    () = &mut stop => None,
                    restarted = self.restart() => Some(restarted),
                };
                match restarted {
                    None => return self.stop().await,
                    Some(Ok(())) => break,
                    Some(Err(error)) => {
                        tracing::error!(%error, code = error.code(), "PostgreSQL does not start");
                    }
                }
            }
        }
    }

    /// Shuts PostgreSQL down in good order (open transactions are rolled back, what was committed
    /// is written out), waits for it, and lets go of the data folder.
    ///
    /// # Errors
    /// [`Error::DoesNotStop`] when the process is still there after more than a minute.
    pub async fn stop(mut self) -> Result<(), Error> {
        let stopped = match self.postmaster.take() {
            Some(postmaster) => postmaster.stop().await,
            None => Ok(()),
        };
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.dismiss();
        }
        if let Some(folder) = &self.remove_afterwards {
            fs::remove_dir_all(folder).map_err(Error::io("remove", folder))?;
        }
        if self.socket_dir != self.folder.own_socket_dir() {
            // Not empty when PostgreSQL had to be killed; the next start takes it as it is.
            let _ = fs::remove_dir(&self.socket_dir);
        }
        stopped
    }

    /// Shuts down the postmaster an earlier server left, or removes the traces of a dead one that
    /// would keep a new one from starting.
    async fn clear_leftovers(&self) -> Result<(), Error> {
        let cluster = self.folder.cluster();
        match process::holder(&cluster) {
            Holder::Postmaster(pid) => {
                tracing::warn!(
                    pid,
                    "an earlier server left its PostgreSQL running; shutting it down"
                );
                process::stop_foreign(&cluster, pid).await?;
            }
            Holder::Moved(pid) => return Err(Error::LeftoverRuns { dir: cluster, pid }),
            Holder::Nobody => {}
        }
        // PostgreSQL believes these files as long as a process of that number runs, whatever it is.
        // That none of the cluster's own processes still runs it tells by the shared memory.
        let socket = socket_path(&self.socket_dir);
        let socket_lock = socket.with_file_name(format!(".s.PGSQL.{PORT}.lock"));
        for stale in [PidFile::path(&cluster), socket, socket_lock] {
            match fs::remove_file(&stale) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::io("remove", &stale)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Starts a postmaster, its words going to `log`.
    fn launch(&mut self, log: &File) -> Result<Postmaster, Error> {
        let program = self.binaries.postgres();
        let log_path = self.folder.log();
        let output = || {
            log.try_clone()
                .map(Stdio::from)
                .map_err(Error::io("open", &log_path))
        };
        let mut command = self.run_as.command(&program);
        command
            .arg("-D")
            .arg(self.folder.cluster())
            .current_dir(self.folder.root())
            .stdout(output()?)
            .stderr(output()?);
        for (name, value) in self.settings() {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        let postmaster = Postmaster::new(command.spawn().map_err(Error::io("run", &program))?);
        if self.durability == Durability::Volatile {
            if let Some(watchdog) = self.watchdog.take() {
                watchdog.dismiss();
            }
            let folder = self.remove_afterwards.as_deref();
            self.watchdog = Some(Watchdog::over(postmaster.pid(), Signal::SIGQUIT, folder)?);
        }
        Ok(postmaster)
    }

    /// The settings that are this crate's business; others belong in the cluster's
    /// `postgresql.conf`, which these outrank.
    fn settings(&self) -> Vec<(&'static str, String)> {
        let socket_dir = self.socket_dir.to_string_lossy().replace('"', "\"\"");
        let mut settings = vec![
            ("listen_addresses", String::new()),
            ("port", PORT.to_string()),
            // Quoted, since the setting is a list and a folder's name may have a comma.
            ("unix_socket_directories", format!("\"{socket_dir}\"")),
            ("unix_socket_permissions", "0700".to_owned()),
            ("cluster_name", self.folder.cluster_name()),
            ("logging_collector", "off".to_owned()),
            ("log_destination", "stderr".to_owned()),
            ("log_checkpoints", "off".to_owned()),
            ("timezone", "UTC".to_owned()),
            ("log_timezone", "UTC".to_owned()),
        ];
        let durable = match self.durability {
            Durability::Durable => "on",
            Durability::Volatile => "off",
        };
        for name in ["fsync", "full_page_writes", "synchronous_commit"] {
            settings.push((name, durable.to_owned()));
        }
        if self.durability == Durability::Volatile {
            // Tests run side by side, each with its own pool.
            settings.push(("max_connections", "300".to_owned()));
        } else {
            // A refused row holds names; the server that sent it logs what went wrong.
            settings.push(("log_error_verbosity", "terse".to_owned()));
            settings.push(("log_min_error_statement", "panic".to_owned()));
        }
        settings
    }
}

/// Waits until the postmaster takes connections (`true`) or ends (`false`).
///
/// A `postmaster.pid` says "ready" for as long as it lies there, so only one with this very
/// postmaster's process counts.
async fn becomes_ready(folder: &Folder, postmaster: &mut Postmaster) -> bool {
    let cluster = folder.cluster();
    let mut report = Instant::now() + Duration::from_secs(10);
    loop {
        if postmaster.ended().is_some() {
            return false;
        }
        let ready = PidFile::read(&cluster).is_some_and(|file| file.pid == postmaster.pid() && file.ready);
        if ready {
            return true;
        }
        if Instant::now() >= report {
            tracing::info!(log = %folder.log().display(), "PostgreSQL is still starting");
            report += Duration::from_secs(10);
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Whether PostgreSQL did not start because of what a killed one left, which goes away.
fn lingers(said: &str) -> bool {
    [
        "pre-existing shared memory block",
        "lock file \"",
        "could not bind Unix address",
    ]
    .iter()
    .any(|sign| said.contains(sign))
}
