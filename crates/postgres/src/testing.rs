//! Clusters for tests: fast, in a folder of their own, gone with the process that started them.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use nix::sys::signal::Signal;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

use crate::cluster::{start_following, start_until};
use crate::process::{POLL, send};
use crate::{Cluster, Error, Options};

/// Starts a volatile cluster in a new temporary folder. The cluster is shut down and the folder
/// removed when the cluster is dropped or this process ends, even by `kill -9`.
///
/// # Errors
/// As [`crate::start`].
pub async fn start_scratch() -> Result<Cluster, Error> {
    let folder = scratch_folder();
    let started = start_until(&Options::volatile(&folder), Some(&folder)).await;
    if started.is_err() {
        // The reason is what matters; a folder left in the system's temporary one does not.
        let _ = std::fs::remove_dir_all(&folder);
    }
    started
}

/// A folder that is not there yet.
fn scratch_folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let nanoseconds = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos());
    let name = format!(
        "private-postgres-{}-{}-{nanoseconds}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    );
    std::env::temp_dir().join(name)
}

/// A copy of a running cluster that follows it and can only be read: a streaming replica, in a
/// temporary folder of its own. It ends as a cluster of [`start_scratch`] does.
#[derive(Debug)]
pub struct Replica {
    cluster: Cluster,
}

impl Replica {
    /// Copies `primary`, and follows it from then on over its socket.
    ///
    /// # Errors
    /// [`Error::InitFailed`] when `pg_basebackup` refuses, and those of [`crate::start`].
    pub async fn of(primary: &Cluster) -> Result<Self, Error> {
        let folder = scratch_folder();
        match start_following(primary, &folder).await {
            Ok(cluster) => Ok(Self { cluster }),
            Err(error) => {
                let _ = std::fs::remove_dir_all(&folder);
                Err(error)
            }
        }
    }

    /// The address of a database in it, as [`Cluster::database_url`].
    pub fn database_url(&self, database: &str) -> String {
        self.cluster.database_url(database)
    }

    /// The folder with its socket.
    pub fn socket_dir(&self) -> &Path {
        self.cluster.socket_dir()
    }

    /// Its postmaster's process; `None` while it is down.
    pub fn pid(&self) -> Option<i32> {
        self.cluster.pid()
    }

    /// Holds back what comes from the primary from now on: it stays as it is.
    ///
    /// # Errors
    /// [`Error::Database`] when it does not answer.
    pub async fn pause(&self) -> Result<(), Error> {
        self.ask("select pg_wal_replay_pause()").await?;
        // The pause begins when what is being replayed is done.
        while self.ask("select pg_get_wal_replay_pause_state()").await? != "paused" {
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Catches up, and follows again.
    ///
    /// # Errors
    /// As [`Replica::pause`].
    pub async fn resume(&self) -> Result<(), Error> {
        self.ask("select pg_wal_replay_resume()").await?;
        Ok(())
    }

    /// Waits until it has all that `primary` has now.
    ///
    /// # Errors
    /// [`Error::Database`] when one of them does not answer.
    pub async fn catch_up(&self, primary: &Cluster) -> Result<(), Error> {
        // What a volatile cluster has acknowledged need not be written yet.
        let there = ask(primary, "select pg_current_wal_insert_lsn()::text").await?;
        let here = format!("select (pg_last_wal_replay_lsn() >= '{there}')::text");
        while self.ask(&here).await? != "true" {
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// `kill -9` of its postmaster.
    pub async fn kill(&mut self) {
        if let Some(pid) = self.cluster.pid() {
            send(pid, Signal::SIGKILL);
        }
        self.cluster.exited().await;
    }

    /// Starts it again after [`Replica::kill`]; it goes on where it was.
    ///
    /// # Errors
    /// As [`Cluster::restart`].
    pub async fn start_again(&mut self) -> Result<(), Error> {
        self.cluster.restart().await
    }

    /// Shuts it down and removes its folder.
    ///
    /// # Errors
    /// As [`Cluster::stop`].
    pub async fn stop(self) -> Result<(), Error> {
        self.cluster.stop().await
    }

    async fn ask(&self, question: &str) -> Result<String, Error> {
        ask(&self.cluster, question).await
    }
}

/// What a cluster answers to a question, as text.
async fn ask(cluster: &Cluster, question: &str) -> Result<String, Error> {
    let database = "postgres";
    let asked = async {
        let mut conn = PgConnection::connect(&cluster.database_url(database)).await?;
        let row = sqlx::raw_sql(AssertSqlSafe(question))
            .fetch_one(&mut conn)
            .await?;
        let answer = row.try_get_raw(0)?;
        let answer = answer.as_str().unwrap_or_default().to_owned();
        conn.close().await?;
        Ok(answer)
    };
    asked.await.map_err(|source| Error::Database {
        name: database.to_owned(),
        source,
    })
}

/// The address of a PostgreSQL for tests: `DATABASE_URL` when it is set, else a volatile cluster
/// that this process starts once and that ends with it.
///
/// `#[sqlx::test]` reads `DATABASE_URL` itself, and a process cannot safely set its own
/// environment: run such tests under `private-postgres --volatile -- cargo test`.
///
/// # Panics
/// When no cluster can be started; the message says why.
pub fn database_url() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    URL.get_or_init(|| {
        if let Ok(url) = std::env::var("DATABASE_URL") {
            return url;
        }
        // On a thread of its own, since the caller may be inside a runtime, and a test's runtime
        // ends with the test.
        let started = std::thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime for the test cluster");
            let cluster = runtime
                .block_on(start_scratch())
                .unwrap_or_else(|error| panic!("{error}"));
            let url = cluster.database_url("postgres");
            // Never dropped: the watchdog ends it with this process.
            std::mem::forget(cluster);
            url
        });
        match started.join() {
            Ok(url) => url,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
