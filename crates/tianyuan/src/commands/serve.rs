//! `tianyuan serve`: the server.
#![expect(
    clippy::doc_markdown,
    reason = "the comments of arguments are their help texts, shown as they are"
)]

use std::io::{self, IsTerminal, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use private_postgres::{Cluster, Options};
use store::Store;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tracing_subscriber::EnvFilter;
use web::{AppState, Clock, Config, Limits, live};

use super::database::{self, DATABASE};
use super::samples;
use crate::backup::automatic::{self, Plan, Span};
use crate::failure::Failure;

/// Serve events to browsers and programs.
///
/// With no configuration at all, a private PostgreSQL in the data folder and http://127.0.0.1:8080.
#[derive(clap::Args)]
pub struct Args {
    /// The address to listen on.
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1:8080",
        env = "TIANYUAN_LISTEN"
    )]
    listen: SocketAddr,
    #[command(flatten)]
    database: database::Args,
    /// A streaming replica of the database, from which public pages are read where it is new enough.
    #[arg(
        long,
        value_name = "URL",
        env = "DATABASE_REPLICA_URL",
        hide_env_values = true
    )]
    database_replica_url: Option<String>,
    /// Load sample events, unless they are there.
    #[arg(long)]
    demo: bool,
    /// The public address, as https://go.example.org, when it is another than the one listened on.
    #[arg(long, value_name = "URL", env = "TIANYUAN_BASE_URL", value_parser = base_url)]
    base_url: Option<String>,
    /// Believe X-Forwarded-Proto and X-Forwarded-For: only with a proxy in front that sets them.
    #[arg(long, env = "TIANYUAN_BEHIND_PROXY")]
    behind_proxy: bool,
    /// The most streams of changes that are kept open.
    #[arg(long, value_name = "NUMBER", default_value_t = live::Limits::default().streams, env = "TIANYUAN_STREAMS")]
    streams: usize,
    /// The most of them from one address: a whole hall may be behind one.
    #[arg(long, value_name = "NUMBER", default_value_t = live::Limits::default().from_one_address, env = "TIANYUAN_STREAMS_PER_ADDRESS")]
    streams_per_address: usize,
    /// How many MiB of public pages are kept in memory; 0 for none.
    #[arg(long, value_name = "MIB", default_value_t = 64, env = "TIANYUAN_PAGE_MEMORY")]
    page_memory: u32,
    /// How many connections to the database it may have. A request holds one for as long as it works.
    #[arg(long, value_name = "N", default_value_t = 16, env = "TIANYUAN_DATABASE_CONNECTIONS",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    database_connections: u32,
    /// The folder for backups that the server makes by itself [default: `backups` in the data folder;
    /// none where another database is named].
    #[arg(long, value_name = "DIR", env = "TIANYUAN_BACKUP_DIR")]
    backup_dir: Option<PathBuf>,
    /// How often it makes one, when anything was written: 15m, 1h, 1d; or off.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "1h",
        env = "TIANYUAN_BACKUP_EVERY"
    )]
    backup_every: Span,
    /// For how long it keeps the last one of each day; those of the last 24 hours it keeps all.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "30d",
        env = "TIANYUAN_BACKUP_KEEP"
    )]
    backup_keep: Span,
    /// How lines of the log are written to standard error.
    #[arg(long, value_enum, default_value_t = LogFormat::Text, env = "TIANYUAN_LOG_FORMAT")]
    log_format: LogFormat,
    /// Another address at which /metrics answers whoever reaches it; at the public one it answers
    /// administrators only.
    #[arg(long, value_name = "ADDRESS", env = "TIANYUAN_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
    /// How many connections of clients may be open at once.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = Limits::default().connections,
        env = "TIANYUAN_CONNECTIONS"
    )]
    connections: usize,
    /// For how many seconds it goes on answering when it is told to stop, while /readyz says that it is not
    /// ready, so that a proxy can notice [default: 3 behind a proxy, else 0].
    #[arg(long, value_name = "SECONDS", env = "TIANYUAN_DRAIN", value_parser = clap::value_parser!(u64).range(..=300))]
    drain: Option<u64>,
}

/// What a proxy needs to notice that asks every second.
const DRAIN_BEHIND_PROXY: u64 = 3;

impl Args {
    fn drain(&self) -> Duration {
        let usual = if self.behind_proxy { DRAIN_BEHIND_PROXY } else { 0 };
        Duration::from_secs(self.drain.unwrap_or(usual))
    }

    /// The backups to be made.
    fn backups(&self) -> Option<Plan> {
        let own = || {
            self.database
                .url()
                .is_none()
                .then(|| automatic::own_folder(&self.database.data_dir()))
        };
        let folder = self
            .backup_dir
            .clone()
            .filter(|folder| !folder.as_os_str().is_empty())
            .or_else(own)?;
        (!self.backup_every.0.is_zero()).then(|| Plan {
            folder,
            every: self.backup_every.0,
            keep: TimeDelta::from_std(self.backup_keep.0).unwrap_or(TimeDelta::MAX),
        })
    }
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LogFormat {
    /// For people.
    Text,
    /// One object a line, for programs.
    Json,
}

/// Begins to write the log.
fn log_as(format: LogFormat) {
    let asked = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(asked)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).init(),
    }
}

fn base_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    let host = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', ' ']) => Ok(url.to_owned()),
        _ => Err("write scheme and host, as https://go.example.org".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    log_as(args.log_format);
    web::metrics::begin();
    database::runtime()?.block_on(serve(args))
}

/// Allows as many open files as this user may have: each stream of changes is one, and the usual
/// limit of 1024 is for programs that ask about descriptors in the old way.
fn raise_open_files() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let raised = getrlimit(Resource::RLIMIT_NOFILE)
        .and_then(|(_, most)| setrlimit(Resource::RLIMIT_NOFILE, most, most));
    if let Err(error) = raised {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
}

/// A private cluster that is kept running.
struct Postgres {
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), private_postgres::Error>>,
}

impl Postgres {
    fn supervise(cluster: Cluster) -> Self {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(cluster.supervise(async { drop(stopped.await) }));
        Self { stop, task }
    }

    async fn stop(self) -> Result<(), Failure> {
        drop(self.stop);
        match self.task.await {
            Ok(ended) => ended.map_err(|error| Failure::Internal(error.to_string())),
            Err(error) => Err(Failure::Internal(error.to_string())),
        }
    }
}

async fn serve(args: Args) -> Result<(), Failure> {
    raise_open_files();
    // Before anything that takes long, so that a signal is never lost.
    let mut interrupt = signal(SignalKind::interrupt()).map_err(internal)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(internal)?;
    let mut asked_to_stop = Box::pin(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    });
    // An address that is taken is found out before a cluster is made.
    let listener = listen(args.listen, "--listen").await?;
    let metrics = match args.metrics_listen {
        Some(address) => Some(listen(address, "--metrics-listen").await?),
        None => None,
    };
    let starting = start_database(&args.database);
    let (url, postgres) = tokio::select! {
        started = starting => started?,
        // Dropping the start kills what it has started.
        () = &mut asked_to_stop => return Ok(()),
    };
    let served = match prepare(&args, &url, &listener).await {
        Ok(state) => {
            let store = state.store.clone();
            if let Some(metrics) = metrics {
                tokio::spawn(web::serve_metrics(metrics, state.clone()));
            }
            // Only a service manager that waits for it has said where to send this.
            let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
            web::serve(listener, state, asked_to_stop).await;
            let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
            tracing::info!("stopping");
            store.close().await;
            Ok(())
        }
        Err(failure) => Err(failure),
    };
    if let Some(postgres) = postgres {
        postgres.stop().await?;
    }
    served
}

async fn listen(address: SocketAddr, option: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        Failure::input(format!(
            "cannot listen on {address}: {error}; choose another address with {option}"
        ))
    })
}

async fn start_database(args: &database::Args) -> Result<(String, Option<Postgres>), Failure> {
    if let Some(url) = args.url() {
        return Ok((url, None));
    }
    let data_dir: PathBuf = args.data_dir();
    tracing::info!(folder = %data_dir.display(), "starting a private PostgreSQL");
    let cluster = private_postgres::start(&Options::durable(&data_dir))
        .await
        .map_err(|error| database::in_lines(&error))?;
    cluster
        .create_database_if_missing(DATABASE)
        .await
        .map_err(internal)?;
    Ok((cluster.database_url(DATABASE), Some(Postgres::supervise(cluster))))
}

/// Brings the database up to date, loads samples, and says where the server is.
async fn prepare(args: &Args, url: &str, listener: &TcpListener) -> Result<AppState, Failure> {
    let mut store = database::connect(url, args.database_connections).await?;
    if let Some(replica) = args.database_replica_url.as_deref().filter(|url| !url.is_empty()) {
        store = database::with_replica(store, replica, args.database_connections)?;
    }
    let backups = args.backups();
    if let Some(plan) = &backups {
        before_new_tables(plan, url).await?;
    }
    store.migrate().await.map_err(database::failure)?;
    if args.demo {
        samples::load(&store).await?;
    }
    let config = Config {
        base_url: args.base_url.clone(),
        behind_proxy: args.behind_proxy,
        limits: Limits {
            connections: args.connections.max(1),
            ..Limits::default()
        },
        streams: live::Limits {
            streams: args.streams,
            from_one_address: args.streams_per_address,
        },
        page_memory: u64::from(args.page_memory) * 1024 * 1024,
        drain: args.drain(),
    };
    let state = AppState::new(store.clone(), Clock::system(), config);
    tokio::spawn(async move { store.watch().await });
    tokio::spawn(web::housekeeping(state.clone()));
    tokio::spawn(web::publisher(state.clone()));
    tokio::spawn(web::metrics::upkeep());
    if let Some(plan) = backups {
        tokio::spawn(automatic::keep_making(plan, url.to_owned(), state.clone()));
    }
    tokio::spawn(web::live::follow(state.clone()));
    let address = listener.local_addr().map_err(internal)?;
    say_where(args, &state.store, address).await?;
    Ok(state)
}

/// Makes a backup where this version is about to change tables that hold something: the one step of
/// an upgrade that cannot be taken back otherwise.
async fn before_new_tables(plan: &Plan, url: &str) -> Result<(), Failure> {
    let now = store::backup::contents(url).await.map_err(database::failure)?;
    if now.is_empty() || now.migration >= store::backup::newest_migration() {
        return Ok(());
    }
    match automatic::make(plan, url, Utc::now()).await {
        Ok(_) => {
            tracing::info!(folder = %plan.folder.display(), "a backup was made before the tables are changed");
            Ok(())
        }
        Err(failure) => Err(Failure::No(vec![format!(
            "the tables are to be brought up to this version, and the backup before it failed: {}. Mend that, \
             or start with --backup-every off to go on without one",
            failure.lines().join(" ")
        )])),
    }
}

async fn say_where(args: &Args, store: &Store, address: SocketAddr) -> Result<(), Failure> {
    let base = args.base_url.clone().unwrap_or_else(|| {
        // Nobody can open 0.0.0.0; on this machine, localhost is the same server.
        let mut open = address;
        if open.ip().is_unspecified() {
            open.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{open}")
    });
    let link = web::auth::create_setup_link(store, Utc::now())
        .await
        .map_err(|error| database::refused(&error))?;
    let mut text = format!("Tianyuan is at {base}\n");
    if let Some(path) = link {
        text.push_str("Open this link once to become the administrator (it works for 24 hours):\n");
        text.extend([base.as_str(), path.as_str(), "\n"]);
    }
    let mut out = io::stdout().lock();
    // A closed standard output is no reason not to serve.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    Ok(())
}

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::Internal(error.to_string())
}
