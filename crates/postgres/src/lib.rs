//! A private PostgreSQL cluster for a server without configuration, and for tests.
//!
//! [`start`] finds the PostgreSQL programs on this machine, makes a cluster in a data folder
//! when there is none yet, starts it on a Unix socket only and hands back a [`Cluster`]:
//!
//! ```no_run
//! # async fn serve() -> Result<(), private_postgres::Error> {
//! use private_postgres::{Options, default_data_dir, start};
//!
//! let cluster = start(&Options::durable(default_data_dir())).await?;
//! cluster.create_database_if_missing("tianyuan").await?;
//! let database_url = cluster.database_url("tianyuan");
//!
//! // Restarts PostgreSQL whenever it dies, and shuts it down when told so.
//! let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
//! let postgres = tokio::spawn(cluster.supervise(async { drop(stopped.await) }));
//! // … serve until Ctrl-C or SIGTERM …
//! # let _ = database_url;
//! drop(stop);
//! postgres.await.expect("the supervisor does not panic")?;
//! # Ok(())
//! # }
//! ```
//!
//! # What lies in the data folder
//!
//! | path | for |
//! | --- | --- |
//! | `server.lock` | locked, with its process id inside, by the one server that uses the folder |
//! | `postgres/` | the cluster (`PGDATA`) |
//! | `postgres.new-…/` | a cluster being made; renamed to `postgres/` when complete |
//! | `postgres.log`, `postgres.log.1` | what PostgreSQL says |
//! | `run/` | the socket, unless its path would be too long |
//!
//! # Who may connect
//!
//! PostgreSQL refuses to run as root. Started by root, the cluster runs as the user `postgres`,
//! or else `nobody`; started by anyone else, as that user. The cluster listens on no network
//! address, and its socket lies in a folder of mode 0700 that belongs to this user: only that
//! user and root can reach it at all. Behind that door the cluster trusts whoever comes
//! (`trust`): `peer` would let the same two in, after a map of names that has to follow the
//! user PostgreSQL happens to run as.
//!
//! # What survives what
//!
//! PostgreSQL runs in its own process group, so Ctrl-C on a terminal reaches only the server,
//! which then calls [`Cluster::stop`]. When the server is killed, PostgreSQL outlives it; the next
//! [`start`] on the folder shuts that one down in good order and starts its own. When PostgreSQL
//! is killed, [`Cluster::supervise`] starts it again. When both are killed, the next start
//! recovers from the write-ahead log. A [`Durability::Volatile`] cluster ends with the process
//! that started it, however that process ends.

mod binaries;
mod client;
mod cluster;
mod error;
mod folder;
mod process;
pub mod testing;
mod user;
mod watchdog;

use std::path::{Path, PathBuf};

pub use client::Client;
pub use cluster::{Cluster, running, start};
pub use error::Error;
pub use process::Running;

/// What a cluster may lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Nothing that was committed: `fsync` on, data checksums.
    Durable,
    /// Everything: `fsync` off, and the cluster is shut down when the process that started it
    /// ends. For tests.
    Volatile,
}

/// Where and how to run a cluster.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data folder; made when missing. See the crate's page for what lies in it.
    pub data_dir: PathBuf,
    /// What the cluster may lose.
    pub durability: Durability,
    /// The folder with `initdb` and `postgres`. `None` looks in `PG_BIN_DIR`, `PATH` and
    /// `/usr/lib/postgresql/*/bin`.
    pub bin_dir: Option<PathBuf>,
}

impl Options {
    /// A cluster that keeps what was committed.
    pub fn durable(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            durability: Durability::Durable,
            bin_dir: None,
        }
    }

    /// A fast cluster that may lose everything.
    pub fn volatile(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            durability: Durability::Volatile,
            bin_dir: None,
        }
    }
}

/// The folder of the programs that would run the cluster of a data folder, made or not yet made, and their
/// major version. Nothing is made or started.
///
/// # Errors
/// When there are none that can.
pub fn programs_for(data_dir: &Path) -> Result<(PathBuf, u32), Error> {
    let found = binaries::find(None)?;
    let version = match folder::Folder::open(data_dir) {
        Ok(folder) => match folder.state()? {
            folder::State::Cluster { version } => Some(version),
            folder::State::Empty => None,
        },
        Err(_) => None,
    };
    binaries::choose(&found, data_dir, version.as_deref()).map(binaries::Binaries::into_parts)
}

/// The data folder of a server that was told none: `/var/lib/tianyuan` for root, else
/// `$XDG_DATA_HOME/tianyuan`, else `~/.local/share/tianyuan`.
///
/// Root's is not below `/root`, which the user that runs PostgreSQL cannot enter.
pub fn default_data_dir() -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from).or_else(user::home);
    let xdg_data_home = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    data_dir_for(
        nix::unistd::geteuid().is_root(),
        xdg_data_home.as_deref(),
        home.as_deref(),
    )
}

fn data_dir_for(root: bool, xdg_data_home: Option<&Path>, home: Option<&Path>) -> PathBuf {
    if root {
        return PathBuf::from("/var/lib/tianyuan");
    }
    // The XDG specification has relative paths ignored.
    let data_home = match xdg_data_home {
        Some(path) if path.is_absolute() => path.to_path_buf(),
        _ => home.unwrap_or(Path::new("/")).join(".local/share"),
    };
    data_home.join("tianyuan")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_data_folder_follows_the_user() {
        let home = Some(Path::new("/home/director"));
        assert_eq!(
            data_dir_for(true, None, Some(Path::new("/root"))),
            Path::new("/var/lib/tianyuan")
        );
        assert_eq!(
            data_dir_for(false, Some(Path::new("/data")), home),
            Path::new("/data/tianyuan")
        );
        for unusable in [None, Some(Path::new("")), Some(Path::new("relative"))] {
            assert_eq!(
                data_dir_for(false, unusable, home),
                Path::new("/home/director/.local/share/tianyuan")
            );
        }
    }
}
