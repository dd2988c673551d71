//! What can go wrong, each as a sentence with the way out.

use std::io;
use std::path::{Path, PathBuf};

/// Why a cluster could not be found, made, started, asked or stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no PostgreSQL on this machine.
    #[error(
        "no PostgreSQL found (looked in {looked_in}): install it with `apt-get install postgresql`, \
         or set DATABASE_URL to a PostgreSQL you already run, or use `docker compose up`"
    )]
    BinariesMissing {
        /// The places that were searched, separated by commas.
        looked_in: String,
    },
    /// The folder that was named holds no PostgreSQL.
    #[error(
        "PG_BIN_DIR is {}, but that folder does not hold both `initdb` and `postgres`: \
         name the folder that does, or unset PG_BIN_DIR to search the usual places",
        .dir.display()
    )]
    BinDirIncomplete {
        /// The folder that was named.
        dir: PathBuf,
    },
    /// A program was found but does not run.
    #[error(
        "{} does not run ({reason}): reinstall PostgreSQL, or name another one in PG_BIN_DIR",
        .program.display()
    )]
    BinaryBroken {
        /// The program.
        program: PathBuf,
        /// What happened.
        reason: String,
    },
    /// The newest PostgreSQL found is older than this server supports.
    #[error(
        "{} is PostgreSQL {found}, and at least PostgreSQL {needed} is needed: install a newer one, \
         or set DATABASE_URL to a newer PostgreSQL",
        .program.display()
    )]
    BinariesTooOld {
        /// The program that was asked for its version.
        program: PathBuf,
        /// Its major version.
        found: u32,
        /// The oldest major version that is supported.
        needed: u32,
    },
    /// The programs that copy databases are not there in the version of the server.
    #[error(
        "the database runs on PostgreSQL {major}, and its programs `pg_dump` and `pg_restore` of that \
         version are not on this machine (found: {found}): install them with \
         `apt-get install postgresql-client-{major}`, or name their folder in PG_BIN_DIR"
    )]
    ClientMissing {
        /// The major version that is needed.
        major: u32,
        /// What was found instead.
        found: String,
    },
    /// Root started the server, and there is no other user to run PostgreSQL as.
    #[error(
        "PostgreSQL refuses to run as root, and this machine has neither a user `postgres` nor a \
         user `nobody` to run it as: make one with `useradd --system postgres`, or start the \
         server as an ordinary user"
    )]
    NoServiceUser,
    /// The user that runs PostgreSQL cannot enter a folder.
    #[error(
        "PostgreSQL runs as the user {user}, who cannot reach {} because {} is closed to it: \
         use another data folder (for example /var/lib/tianyuan), or open the way with \
         `chmod o+x {}`",
        .path.display(), .closed.display(), .closed.display()
    )]
    Unreachable {
        /// The folder or program that has to be reached.
        path: PathBuf,
        /// The first thing on the way that is closed.
        closed: PathBuf,
        /// The user who has to reach it.
        user: String,
    },
    /// The cluster belongs to another user.
    #[error(
        "the PostgreSQL data in {} belongs to {owner}: run the server as that user, \
         or use another data folder",
        .dir.display()
    )]
    OwnedByAnother {
        /// The cluster's folder.
        dir: PathBuf,
        /// Its owner.
        owner: String,
    },
    /// The cluster belongs to root, as after restoring a backup.
    #[error(
        "the PostgreSQL data in {dir} belongs to root, and PostgreSQL refuses to run as root: \
         give it to the user that shall run it, for example with `chown -R {user} {dir}`",
        dir = .dir.display()
    )]
    OwnedByRoot {
        /// The cluster's folder.
        dir: PathBuf,
        /// A user that could run it.
        user: String,
    },
    /// Something else lies where the cluster should be.
    #[error(
        "{} is not empty and is no PostgreSQL data folder (it has no PG_VERSION): \
         move it away, or use another data folder",
        .dir.display()
    )]
    NotACluster {
        /// Where the cluster should be.
        dir: PathBuf,
    },
    /// The cluster was made by a major version that is not installed.
    #[error(
        "the data in {dir} was written by PostgreSQL {data}, and this machine has only PostgreSQL \
         {found}: install PostgreSQL {data} beside it (`apt-get install postgresql-{data}`, or name \
         its programs in PG_BIN_DIR), or move the data over with `pg_upgrade` or with `pg_dumpall` \
         and an empty data folder",
        dir = .dir.display()
    )]
    OtherMajorVersion {
        /// The cluster's folder.
        dir: PathBuf,
        /// The version of the data, as `PG_VERSION` names it.
        data: String,
        /// The versions that were found, separated by commas.
        found: String,
    },
    /// Another server uses the data folder.
    #[error(
        "another server (process {holder}) is using the data folder {}: stop it first, \
         or give this server another data folder",
        .dir.display()
    )]
    InUse {
        /// The data folder.
        dir: PathBuf,
        /// The process that holds it, or `unknown`.
        holder: String,
    },
    /// A PostgreSQL left by an earlier server cannot be got rid of.
    #[error(
        "a PostgreSQL left by an earlier server (process {pid}) still runs on {} and does not stop: \
         end it with `kill -INT {pid}` and start again",
        .dir.display()
    )]
    LeftoverRuns {
        /// The cluster's folder.
        dir: PathBuf,
        /// Its process.
        pid: i32,
    },
    /// No folder could be made for the socket.
    #[error(
        "no folder for PostgreSQL's socket: a socket's path may have at most {longest} bytes, and \
         none of these will do: {tried}; use a data folder with a shorter path"
    )]
    NoSocketFolder {
        /// The most bytes of a socket's path.
        longest: usize,
        /// What was tried, and why it will not do.
        tried: String,
    },
    /// `initdb` refused.
    #[error("PostgreSQL could not make its data folder in {}: {said}", .dir.display())]
    InitFailed {
        /// The data folder.
        dir: PathBuf,
        /// What `initdb` said.
        said: String,
    },
    /// `postgres` ended before it was ready.
    #[error("PostgreSQL did not start on {}: {said} (its log is {})", .dir.display(), .log.display())]
    StartFailed {
        /// The cluster's folder.
        dir: PathBuf,
        /// What `postgres` said.
        said: String,
        /// Where it says more.
        log: PathBuf,
    },
    /// `postgres` does not end.
    #[error("PostgreSQL (process {pid}) does not stop, not even when killed")]
    DoesNotStop {
        /// Its process.
        pid: i32,
    },
    /// The running cluster did not give a database.
    #[error("the private PostgreSQL could not make the database {name}: {source}")]
    Database {
        /// The database.
        name: String,
        /// What the driver says.
        source: sqlx::Error,
    },
    /// A file or folder did not do what was asked.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Error {
    /// A short name that does not change, for programs and for translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BinariesMissing { .. } => "postgres-missing",
            Self::BinDirIncomplete { .. } => "postgres-bin-dir-incomplete",
            Self::BinaryBroken { .. } => "postgres-broken",
            Self::BinariesTooOld { .. } => "postgres-too-old",
            Self::ClientMissing { .. } => "postgres-client-missing",
            Self::NoServiceUser => "postgres-no-user",
            Self::Unreachable { .. } => "postgres-data-unreachable",
            Self::OwnedByAnother { .. } => "postgres-data-owned-by-another",
            Self::OwnedByRoot { .. } => "postgres-data-owned-by-root",
            Self::NotACluster { .. } => "postgres-data-unknown",
            Self::OtherMajorVersion { .. } => "postgres-data-other-version",
            Self::InUse { .. } => "postgres-data-in-use",
            Self::LeftoverRuns { .. } => "postgres-leftover-runs",
            Self::NoSocketFolder { .. } => "postgres-no-socket-folder",
            Self::InitFailed { .. } => "postgres-init-failed",
            Self::StartFailed { .. } => "postgres-start-failed",
            Self::DoesNotStop { .. } => "postgres-does-not-stop",
            Self::Database { .. } => "postgres-database",
            Self::Io { .. } => "postgres-io",
        }
    }

    /// Turns what the system says about `path` into a sentence.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            action,
            path: path.to_path_buf(),
            source,
        }
    }
}
