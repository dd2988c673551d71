//! The database: the only room that knows SQL. Each use case is one function over the caller's
//! transaction: it loads what it needs, asks the pure rooms, writes rows and a log entry.
//!
//! Who changes the structure of an event (settings, entries, rounds) starts with [`events::lock`];
//! who enters a result does not, and waits for such a change only while it lasts. A transaction
//! that is dropped leaves nothing behind.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection as _, PgPool};
use uuid::Uuid;

use crate::asked::Asked;

pub mod accounts;
mod asked;
pub mod attempts;
pub mod backup;
pub mod batches;
pub mod changes;
pub mod check_in;
pub mod draws;
pub mod editions;
pub mod entries;
pub mod entries_import;
pub mod error;
pub mod events;
pub mod families;
pub mod hand_in;
pub mod idempotency;
mod json;
mod load;
pub mod log;
pub mod people;
pub mod pulse;
pub mod records;
pub mod replica;
pub mod reports;
pub mod result_links;
pub mod results;
pub mod rounds;
pub mod schedule;
pub mod sign_ups;
pub mod undo;

pub use draws::Chance;
pub use error::{Error, Refused, Result, TableFaults};
pub use pulse::Pulse;
pub use schedule::{Schedule, Tz};

/// The migrations, embedded in the binary.
pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations");

/// How long somebody waits for a free connection.
const ACQUIRE: Duration = Duration::from_secs(5);
/// How long a sign of life is waited for.
const PING: Duration = Duration::from_secs(2);
/// How long what runs may still take when everything is closed.
const CLOSING: Duration = Duration::from_secs(5);
/// A connection that was used so lately is not asked whether it is alive before it is used again.
const FRESH: Duration = Duration::from_secs(1);

/// A pool of connections to one database.
#[derive(Clone, Debug)]
pub struct Store {
    /// Replaced when the database was silent: connections that are frozen never come back.
    pool: Arc<RwLock<PgPool>>,
    pulse: Pulse,
    /// Who is told of what was committed here.
    told: changes::Told,
    /// Where public pages are read.
    replica: Option<Arc<replica::Replica>>,
    /// What every request asks.
    asked: Questions,
}

/// What every request asks, together with those that come at the same time.
#[derive(Clone, Debug)]
struct Questions {
    holders: Asked<[u8; 32], (accounts::Token, accounts::User)>,
    sessions: Asked<[u8; 32], accounts::Session>,
    standings: Asked<people::Whereabouts, people::Standing>,
}

impl Default for Questions {
    fn default() -> Self {
        Self {
            holders: Asked::by(|pool, hashes| {
                Box::pin(async move { accounts::holders_of(&pool, &hashes).await })
            }),
            sessions: Asked::by(|pool, hashes| {
                Box::pin(async move { accounts::sessions_of(&pool, &hashes).await })
            }),
            standings: Asked::by(|pool, asked| {
                Box::pin(async move { people::standings_of(&pool, asked).await })
            }),
        }
    }
}

/// How a transaction begins that shows things.
const SNAPSHOT: &str = "begin isolation level repeatable read read only";
/// How one begins that does the same as many before it. Nothing may stand here that can fail once the
/// transaction is open: sqlx 0.9 would put the connection back with it.
const ROUTINE: &str = "begin; set local plan_cache_mode = force_generic_plan";

/// How every connection is made. No request may hold a lock, or wait for one, for as long as it likes.
fn connect_options(url: &str) -> Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    Ok(options.application_name(&own_name()).options([
        ("lock_timeout", "15s"),
        ("statement_timeout", "60s"),
        ("idle_in_transaction_session_timeout", "90s"),
        // A client that went away without a word is noticed, and its locks are let go of. Nothing of
        // this is heeded on a Unix socket.
        ("tcp_keepalives_idle", "20"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_keepalives_count", "4"),
        ("tcp_user_timeout", "40000"),
    ]))
}

impl Store {
    /// Connects to the database of a `postgres://` address.
    ///
    /// # Errors
    /// When the address is no such address or nobody answers there in time.
    pub async fn connect(url: &str, max_connections: u32) -> Result<Self> {
        let pool = pool_options(max_connections)
            .acquire_timeout(ACQUIRE)
            .connect_with(connect_options(url)?)
            .await?;
        Ok(Self::from(pool))
    }

    /// Asks the database every second whether it is there, for as long as it is awaited. While it is
    /// not, nobody waits for it in vain: see [`Pulse`]. Looks after the replica as well.
    pub async fn watch(&self) {
        let options = (*self.current().connect_options()).clone();
        let pulse = self.pulse.ask(options, || self.replace_pool());
        tokio::join!(pulse, self.watch_replica());
    }

    /// Whether the database answers.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// The connections, unless the database would be waited for in vain.
    pub(crate) fn pool(&self) -> Result<PgPool> {
        if self.pulse.is_gone() {
            return Err(Error::Database(sqlx::Error::PoolTimedOut));
        }
        Ok(self.current())
    }

    fn current(&self) -> PgPool {
        // Nothing in here is left half done by a panic.
        self.pool.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Gives all connections up for new ones, and says by which name the database knows the old ones.
    fn replace_pool(&self) -> Option<String> {
        let mut pool = self.pool.write().unwrap_or_else(PoisonError::into_inner);
        let options = (*pool.connect_options()).clone();
        let name = options.get_application_name().map(str::to_owned);
        let new = pool
            .options()
            .clone()
            .connect_lazy_with(options.application_name(&own_name()));
        let old = std::mem::replace(&mut *pool, new);
        drop(pool);
        tracing::warn!("the connections to the database are given up");
        tokio::spawn(async move { tokio::time::timeout(CLOSING, old.close()).await });
        name
    }

    /// A transaction that begins so.
    ///
    /// It begins in a task of its own, so that it is rolled back when whoever waits for it goes away:
    /// sqlx 0.9 counts a transaction from the answer to its `BEGIN` on, and a connection that is let go
    /// of before would come back to the pool with a transaction open that nobody ends.
    async fn acquire(&self, begin: &'static str) -> Result<sqlx::Transaction<'static, sqlx::Postgres>> {
        let pool = self.pool()?;
        match tokio::spawn(async move { pool.begin_with(begin).await }).await {
            Ok(begun) => Ok(begun?),
            // Nothing gives the task up but the end of the server.
            Err(_) => Err(Error::Database(sqlx::Error::WorkerCrashed)),
        }
    }

    /// Brings the tables up to this version; does nothing when they are.
    ///
    /// # Errors
    /// When the database is of a newer version, or a step fails.
    pub async fn migrate(&self) -> Result<()> {
        // A step may take long; others that start meanwhile wait for it. It waits no longer for the locks
        // of requests than these wait for its own.
        let mut conn = self.current().acquire().await?.detach();
        sqlx::query("set statement_timeout = 0")
            .execute(&mut conn)
            .await?;
        MIGRATOR.run(&mut conn).await?;
        Ok(conn.close().await?)
    }

    /// Opens a transaction.
    ///
    /// # Errors
    /// When no connection is free in time.
    pub async fn begin(&self) -> Result<Tx> {
        self.begin_as("begin").await
    }

    /// Opens a transaction that does the same as many before it, every fraction of a second. PostgreSQL takes
    /// the plans that it has; otherwise it plans what has a list in it anew each time, for the length of the
    /// list, which takes as long as doing it.
    ///
    /// # Errors
    /// When no connection is free in time.
    pub(crate) async fn begin_routine(&self) -> Result<Tx> {
        self.begin_as(ROUTINE).await
    }

    async fn begin_as(&self, begin: &'static str) -> Result<Tx> {
        Ok(Tx {
            inner: waited(self.acquire(begin)).await?,
            snapshot: false,
            touched: Vec::new(),
            told: self.told.clone(),
        })
    }

    /// Opens a transaction that reads everything as of one moment, waits for nobody, makes nobody
    /// wait, and cannot write: the one for showing things. Within [`replica::at_least`] it may be one of
    /// the replica.
    ///
    /// # Errors
    /// When no connection is free in time.
    pub async fn snapshot(&self) -> Result<Tx> {
        Ok(Tx {
            inner: waited(self.chosen_snapshot()).await?,
            snapshot: true,
            touched: Vec::new(),
            told: self.told.clone(),
        })
    }

    /// How many connections are open; none while the pool is being replaced.
    pub fn connections(&self) -> Connections {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.pool().map_or_else(
            |_| Connections::default(),
            |pool| {
                let idle = count(pool.num_idle());
                Connections {
                    in_use: pool.size().saturating_sub(idle),
                    idle,
                    most: pool.options().get_max_connections(),
                }
            },
        )
    }

    /// What the database says of itself.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn server(&self) -> Result<Server> {
        let pool = self.pool()?;
        let (version, now): (String, DateTime<Utc>) =
            sqlx::query_as("select current_setting('server_version'), clock_timestamp()")
                .fetch_one(&pool)
                .await?;
        let newest = MIGRATOR.iter().map(|migration| migration.version).max();
        // An empty database has no such table yet.
        let made: bool = sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null")
            .fetch_one(&pool)
            .await?;
        let there = if made {
            let newest = "select coalesce(max(version), 0) from _sqlx_migrations where success";
            sqlx::query_scalar(newest).fetch_one(&pool).await?
        } else {
            0
        };
        Ok(Server {
            version,
            now,
            migrations_known: newest.unwrap_or_default(),
            migrations_there: there,
        })
    }

    /// When the first act after a moment was done, in any event or beside all of them; the first of all
    /// without a moment.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn first_act_after(&self, moment: Option<DateTime<Utc>>) -> Result<Option<DateTime<Utc>>> {
        let first = "select min(at) from (select at from log union all select at from site_log) acts
                     where $1::timestamptz is null or at > $1";
        Ok(sqlx::query_scalar(first)
            .bind(moment)
            .fetch_one(&self.pool()?)
            .await?)
    }

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// When there is none in time.
    pub async fn ping(&self) -> Result<()> {
        if !self.pulse.is_there() {
            return Err(Error::Database(sqlx::Error::PoolTimedOut));
        }
        let pool = self.current();
        let asked = tokio::time::timeout(PING, sqlx::query("select 1").execute(&pool)).await;
        asked.map_err(|_| Error::Database(sqlx::Error::PoolTimedOut))??;
        Ok(())
    }

    /// Closes all connections; what runs is finished first, if it takes no more than some seconds.
    pub async fn close(&self) {
        // A connection that is frozen would be waited for in vain.
        let _ = tokio::time::timeout(CLOSING, self.current().close()).await;
        self.close_replica().await;
    }
}

/// A name for connections that no others have: `tianyuan 0193…`.
fn own_name() -> String {
    format!("tianyuan {}", Uuid::now_v7().simple())
}

impl From<PgPool> for Store {
    fn from(pool: PgPool) -> Self {
        Self {
            pool: Arc::new(RwLock::new(pool)),
            pulse: Pulse::default(),
            told: changes::Told::default(),
            replica: None,
            asked: Questions::default(),
        }
    }
}

/// The connections of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    /// At work.
    pub in_use: u32,
    /// Waiting for work.
    pub idle: u32,
    /// How many there may be.
    pub most: u32,
}

/// What a database says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its version, as `15.9`.
    pub version: String,
    /// Its time.
    pub now: DateTime<Utc>,
    /// The number of the last migration that this program knows.
    pub migrations_known: i64,
    /// The number of the last one that the tables have seen; 0 before the first.
    pub migrations_there: i64,
}

/// A pool of so many connections, of which one that was idle for long is asked before it is used.
fn pool_options(max_connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(max_connections)
        .test_before_acquire(false)
        .before_acquire(|conn, meta| {
            Box::pin(async move {
                if meta.idle_for > FRESH {
                    conn.ping().await?;
                }
                Ok(true)
            })
        })
}

/// Measures how long a transaction is waited for.
async fn waited<T, E>(opening: impl Future<Output = std::result::Result<T, E>>) -> std::result::Result<T, E> {
    let began = Instant::now();
    let opened = opening.await;
    metrics::histogram!("tianyuan_database_wait_seconds").record(began.elapsed());
    if opened.is_err() {
        metrics::counter!("tianyuan_database_failures_total").increment(1);
    }
    opened
}

/// An open transaction. Dropped without [`commit`](Self::commit), it is rolled back.
#[derive(Debug)]
pub struct Tx {
    inner: sqlx::Transaction<'static, sqlx::Postgres>,
    snapshot: bool,
    touched: Vec<changes::Touched>,
    told: changes::Told,
}

impl Tx {
    /// Makes everything done in the transaction last, and tells this server of it.
    ///
    /// # Errors
    /// When the database could not; nothing has changed then, unless the connection was lost at
    /// this very moment.
    pub async fn commit(self) -> Result<()> {
        self.inner.commit().await?;
        self.told.tell(&self.touched);
        Ok(())
    }

    /// Remembers what the transaction changes, for [`commit`](Self::commit) to tell.
    pub(crate) fn touch(&mut self, touched: changes::Touched) {
        match self.touched.iter_mut().find(|known| known.event == touched.event) {
            Some(known) => known.add(touched),
            None => self.touched.push(touched),
        }
    }

    /// Shares the event's lock until the transaction ends: others may share it, and
    /// [`lock_alone`](Self::lock_alone) waits for them all.
    ///
    /// The lock is an advisory one, because it is fair: whoever wants the event alone gets it in
    /// turn, however many results keep coming in. Locks of rows would let them pass.
    pub(crate) async fn lock_shared(&mut self, event: Uuid) -> Result<()> {
        sqlx::query!("select pg_advisory_xact_lock_shared($1)", lock_key(event))
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Has the event's lock alone until the transaction ends.
    pub(crate) async fn lock_alone(&mut self, event: Uuid) -> Result<()> {
        sqlx::query!("select pg_advisory_xact_lock($1)", lock_key(event))
            .execute(self.conn())
            .await?;
        Ok(())
    }

    pub(crate) fn conn(&mut self) -> &mut sqlx::PgConnection {
        &mut self.inner
    }
}

fn lock_key(event: Uuid) -> i64 {
    let (high, low) = event.as_u64_pair();
    // Ids made in one millisecond share their first half; the second is random.
    (high ^ low).cast_signed()
}

/// What somebody may do: on the site by the account, in an event by a place among its people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Everything, accounts included; never a role in an event.
    Admin,
    /// On the site: makes events. In an event: everything.
    Director,
    /// On the site nothing. In an event: enters and clears results, and sees no draft.
    Arbiter,
    /// On the site nothing. In an event: sees what directors see, and changes nothing.
    Viewer,
    /// The record of one game, with the code of its board. No account has this role.
    Player,
}

impl Role {
    /// Those that an account can have.
    pub const ALL: [Self; 4] = [Self::Admin, Self::Director, Self::Arbiter, Self::Viewer];
    /// Those that somebody can have in an event.
    pub const IN_EVENT: [Self; 3] = [Self::Director, Self::Arbiter, Self::Viewer];

    /// The word stored and used by the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Director => "director",
            Self::Arbiter => "arbiter",
            Self::Viewer => "viewer",
            Self::Player => "player",
        }
    }

    /// Whether it directs an event where it is somebody's role there.
    pub fn directs(self) -> bool {
        matches!(self, Self::Admin | Self::Director)
    }

    /// Whether it enters and clears the results of an event where it is somebody's role there.
    pub fn enters_results(self) -> bool {
        matches!(self, Self::Admin | Self::Director | Self::Arbiter)
    }

    /// Whether it sees drafts, the log and all the rest that is not public of an event where it is
    /// somebody's role there.
    pub fn sees_all(self) -> bool {
        matches!(self, Self::Admin | Self::Director | Self::Viewer)
    }
}

impl std::str::FromStr for Role {
    type Err = tournament::result::UnknownWord;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| tournament::result::UnknownWord {
                found: text.to_owned(),
                expected: "admin, director, arbiter, viewer",
            })
    }
}

/// What a token may do of what its holder may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All of it.
    #[default]
    Everything,
    /// See results and enter them, as an arbiter does: no draft, nothing else changed.
    Results,
    /// See, and change nothing.
    Reading,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Everything, Self::Results, Self::Reading];

    /// The word stored and used by the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Results => "results",
            Self::Reading => "reading",
        }
    }
}

impl std::str::FromStr for Scope {
    type Err = tournament::result::UnknownWord;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or_else(|| tournament::result::UnknownWord {
                found: text.to_owned(),
                expected: "everything, results, reading",
            })
    }
}

/// The way an actor came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// Signed in to the pages.
    Session,
    /// With a bearer token.
    Token,
    /// On the machine itself.
    CommandLine,
    /// With the code of a board.
    Code,
    /// With a link for the results of some boards.
    Link,
}

impl Via {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Session,
        Self::Token,
        Self::CommandLine,
        Self::Code,
        Self::Link,
    ];

    /// The word that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Token => "token",
            Self::CommandLine => "command_line",
            Self::Code => "code",
            Self::Link => "link",
        }
    }
}

/// Who does something. Kept by name in the log, so that the log still reads well when the user is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The user; none on the command line.
    pub user: Option<Uuid>,
    /// The name as the log shows it.
    pub name: String,
    /// In which role: where something is done in an event, the role there.
    pub role: Role,
    /// Which way.
    pub via: Via,
}

/// What goes with every change into the log. Time comes from here only, never from the database.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Who.
    pub actor: &'a Actor,
    /// When.
    pub at: DateTime<Utc>,
    /// Why, in the actor's words.
    pub reason: Option<&'a str>,
    /// Fresh chance, for what the change has to promise. It comes from here only.
    pub chance: Chance,
}

impl Change<'_> {
    /// How many characters of a reason the log keeps: a page of writing, and not a book that every
    /// reader of the log would have to load.
    pub const REASON: usize = 1000;

    /// Refuses a reason that is too long.
    pub(crate) fn check_reason(&self) -> std::result::Result<(), Refused> {
        let characters = self.reason.map_or(0, |reason| reason.chars().count());
        if characters > Self::REASON {
            return Err(Refused::ReasonTooLong {
                characters,
                most: Self::REASON,
            });
        }
        Ok(())
    }
}

/// Which part of a long list is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    /// How many to skip.
    pub offset: u32,
    /// How many at most; what is over [`Paging::MOST`] is cut to it.
    pub limit: u32,
}

impl Paging {
    /// The most that one page holds.
    pub const MOST: u32 = 500;

    pub(crate) fn limit(self) -> i64 {
        i64::from(self.limit.min(Self::MOST))
    }
}

impl Default for Paging {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: 100,
        }
    }
}

/// A part of a long list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The part.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: u64,
}
