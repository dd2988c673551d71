//! Reaching the database from the command line: a given one, the running server's, or a private
//! one started for the moment.
#![expect(
    clippy::doc_markdown,
    reason = "the comments of arguments are their help texts, shown as they are"
)]

use std::path::PathBuf;

use private_postgres::Options;
use store::{Actor, Role, Store, Via};
use tokio::runtime::Runtime;
use web::i18n::Language;

use crate::failure::Failure;

/// The database's name in a private cluster.
pub const DATABASE: &str = "tianyuan";

/// Which database.
#[derive(clap::Args)]
#[group(id = "database")]
pub struct Args {
    /// The database, as postgres://user@host/name; without it a private PostgreSQL is used.
    #[arg(long, value_name = "URL", env = "DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    /// The folder of the private PostgreSQL [default: /var/lib/tianyuan for root, else
    /// ~/.local/share/tianyuan].
    #[arg(long, value_name = "DIR", env = "TIANYUAN_DATA_DIR")]
    data_dir: Option<PathBuf>,
}

impl Args {
    /// The address of a given database. An empty variable is none.
    pub fn url(&self) -> Option<String> {
        self.database_url.clone().filter(|url| !url.is_empty())
    }

    /// The data folder.
    pub fn data_dir(&self) -> PathBuf {
        self.data_dir
            .clone()
            .unwrap_or_else(private_postgres::default_data_dir)
    }
}

/// The runtime that everything asynchronous runs in.
pub fn runtime() -> Result<Runtime, Failure> {
    Runtime::new().map_err(|error| Failure::Internal(format!("no runtime: {error}")))
}

/// Connects.
pub async fn connect(url: &str, connections: u32) -> Result<Store, Failure> {
    Store::connect(url, connections).await.map_err(unreachable)
}

/// Reads public pages from a replica.
pub fn with_replica(store: Store, url: &str, connections: u32) -> Result<Store, Failure> {
    store.with_replica(url, connections).map_err(|error| {
        Failure::input(format!(
            "the address of the replica is none: {}; write it as postgres://user@host/name",
            chain(&error)
        ))
    })
}

/// Why there is no connection.
#[expect(clippy::needless_pass_by_value, reason = "to be given to map_err as it is")]
pub fn unreachable(error: store::Error) -> Failure {
    Failure::No(vec![format!(
        "{}: is the address right, and does the database run?",
        chain(&error)
    )])
}

/// Does something in the database: beside the server when one runs on the data folder.
pub fn with_store<T>(args: &Args, work: impl AsyncFnOnce(Store) -> Result<T, Failure>) -> Result<T, Failure> {
    with_url(args, async |url| {
        let store = connect(&url, 2).await?;
        store.migrate().await.map_err(failure)?;
        let worked = work(store.clone()).await;
        store.close().await;
        worked
    })
}

/// Does something with the address of the database: the given one, that of the server that runs on
/// the data folder, or that of a private one started for the moment.
pub fn with_url<T>(args: &Args, work: impl AsyncFnOnce(String) -> Result<T, Failure>) -> Result<T, Failure> {
    runtime()?.block_on(async {
        let data_dir = args.data_dir();
        let running = private_postgres::running(&data_dir).map(|running| running.database_url(DATABASE));
        if let Some(url) = args.url().or(running) {
            return work(url).await;
        }
        let cluster = private_postgres::start(&Options::durable(&data_dir))
            .await
            .map_err(|error| in_lines(&error))?;
        let worked = match cluster.create_database_if_missing(DATABASE).await {
            Ok(()) => work(cluster.database_url(DATABASE)).await,
            Err(error) => Err(Failure::Internal(error.to_string())),
        };
        let stopped = cluster.stop().await;
        let worked = worked?;
        stopped.map_err(|error| Failure::Internal(error.to_string()))?;
        Ok(worked)
    })
}

/// Why a private PostgreSQL does not start, which takes several lines.
pub fn in_lines(error: &private_postgres::Error) -> Failure {
    Failure::No(error.to_string().lines().map(str::to_owned).collect())
}

/// Whoever works on the machine itself.
pub fn actor() -> Actor {
    Actor {
        user: None,
        name: "tianyuan".to_owned(),
        role: Role::Admin,
        via: Via::CommandLine,
    }
}

/// A failure of the store as the command line says it.
pub fn failure(error: store::Error) -> Failure {
    match error {
        store::Error::Refused(why) => refused(&why.into()),
        error => Failure::Internal(chain(&error)),
    }
}

/// A refusal of the web layer as the command line says it.
pub fn refused(error: &web::errors::Error) -> Failure {
    match error {
        web::errors::Error::Problem(problem) => {
            let mut lines = vec![problem.detail(Language::English)];
            lines.extend(problem.errors.iter().map(|error| {
                let told = error.told(Language::English);
                format!("{}: {}", told.path, told.detail)
            }));
            if problem.status.as_u16() == 422 {
                Failure::Input(lines)
            } else {
                Failure::No(lines)
            }
        }
        web::errors::Error::Internal(cause) => Failure::Internal(chain(&**cause)),
    }
}

/// An error with what caused it, in one line.
pub fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let said = cause.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        next = cause.source();
    }
    text.replace(['\n', '\r'], " ")
}
