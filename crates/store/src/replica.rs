//! A second database that follows the first: public pages that have to be made are read from it, so that
//! the first has its hands free for what changes.
//!
//! A reading says of which event and as of which public number at least, and the replica is asked for its
//! number in the same snapshot as for all the rest. Where that is lower, or nobody answers in time, the
//! first database is read: nothing fails because of a replica, and nobody sees by it an older state than
//! the one this server has already told. One that fails is left alone for a while; somebody looks every
//! second, on a connection of its own, whether it follows, and whether it is a copy of this database at
//! all: a database of another history may have the same events with higher numbers.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection, PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::{CLOSING, Result, SNAPSHOT, Store, connect_options, own_name, pool_options};

/// A replica that takes longer to begin is not waited for.
const PATIENCE: Duration = Duration::from_millis(500);
/// For how long one that failed is left alone.
const REST: Duration = Duration::from_secs(2);
/// Between two looks.
const EVERY: Duration = Duration::from_secs(1);
/// A look that takes longer is a failed one.
const LOOK: Duration = Duration::from_secs(2);

tokio::task_local! {
    static AT_LEAST: AtLeast;
}

/// What is read may be as old as this, and no older.
#[derive(Clone, Debug)]
struct AtLeast {
    event: Uuid,
    number: i64,
    from_replica: bool,
    reading: Reading,
}

#[derive(Debug, Default)]
struct Read {
    from_replica: AtomicBool,
    number: AtomicI64,
}

/// Remembers where something was read, and what it shows.
#[derive(Clone, Debug, Default)]
pub struct Reading(Arc<Read>);

impl Reading {
    /// Whether any of it was read from the replica.
    pub fn used_replica(&self) -> bool {
        self.0.from_replica.load(Ordering::Acquire)
    }

    /// The event's last public change that it shows: what was there in the same snapshot. Zero when
    /// nothing was read.
    pub fn number(&self) -> i64 {
        self.0.number.load(Ordering::Acquire)
    }

    fn shows(&self, number: i64) {
        self.0.number.fetch_max(number, Ordering::AcqRel);
    }
}

/// Does something whose snapshots ([`Store::snapshot`]) show an event as of this public number or a later
/// one, and remembers as of which. With `from_replica` they may come from the replica; that is for what
/// follows from the event's public state alone, as a replica may be behind in all the rest.
pub async fn at_least<F: Future>(
    event: Uuid,
    number: i64,
    from_replica: bool,
    reading: Reading,
    work: F,
) -> F::Output {
    let at_least = AtLeast {
        event,
        number,
        from_replica,
        reading,
    };
    AT_LEAST.scope(at_least, work).await
}

/// Which database was read, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The replica.
    Replica,
    /// The first one, since the replica was behind.
    Behind,
    /// The first one, since the replica failed or was too slow.
    Failed,
    /// The first one, since the replica is left alone.
    Resting,
}

impl Choice {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Replica, Self::Behind, Self::Failed, Self::Resting];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replica => "replica",
            Self::Behind => "behind",
            Self::Failed => "failed",
            Self::Resting => "resting",
        }
    }
}

/// How far a replica is behind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lag {
    /// How many bytes of the write-ahead log it has not replayed.
    pub bytes: i64,
    /// How old the last transaction is that it has replayed; zero when nothing is missing.
    pub seconds: f64,
}

/// What a look at a replica has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// It follows.
    Follows(Lag),
    /// It takes changes itself, so it is none, or is none any more.
    TakesChanges,
    /// It follows another database.
    OfAnother,
}

#[derive(Debug, Default)]
struct Known {
    /// What was found at the last look; none before the first, and when there was no answer.
    found: Option<Found>,
    /// Until when it is left alone.
    rests_until: Option<Instant>,
}

/// A snapshot, and the event's public number in it.
type Numbered = (Transaction<'static, Postgres>, i64);

/// The replica.
#[derive(Debug)]
pub struct Replica {
    options: PgConnectOptions,
    /// Replaced when it was silent, as in [`Store`].
    pool: RwLock<PgPool>,
    known: Mutex<Known>,
    chosen: [AtomicU64; Choice::ALL.len()],
}

impl Replica {
    fn to(url: &str, max_connections: u32) -> Result<Self> {
        let options = connect_options(url)?.options([("statement_timeout", "10s")]);
        let pool = pool_options(max_connections)
            .acquire_timeout(PATIENCE)
            .connect_lazy_with(options.clone());
        Ok(Self {
            options,
            pool: RwLock::new(pool),
            known: Mutex::default(),
            chosen: Default::default(),
        })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn current(&self) -> PgPool {
        self.pool.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the last look has found; none when there was no answer.
    pub fn found(&self) -> Option<Found> {
        self.known().found
    }

    /// How often which database was read.
    pub fn chosen(&self, choice: Choice) -> u64 {
        self.chosen[choice as usize].load(Ordering::Relaxed)
    }

    /// Leaves it alone for a while: something that was read from it failed.
    pub fn rest(&self) {
        self.known().rests_until = Some(Instant::now() + REST);
    }

    fn may_be_asked(&self) -> bool {
        let known = self.known();
        let rests = known.rests_until.is_some_and(|until| Instant::now() < until);
        matches!(known.found, Some(Found::Follows(_))) && !rests
    }

    /// A snapshot that shows an event as of a number at least; none when there is no such.
    async fn snapshot(&self, event: Uuid, number: i64) -> Option<Numbered> {
        let (choice, snapshot) = self.choose(event, number).await;
        self.chosen[choice as usize].fetch_add(1, Ordering::Relaxed);
        snapshot
    }

    async fn choose(&self, event: Uuid, number: i64) -> (Choice, Option<Numbered>) {
        if !self.may_be_asked() {
            return (Choice::Resting, None);
        }
        let pool = self.current();
        // In a task of its own, as in [`Store`]: nothing is left open when it is given up.
        let begun = tokio::spawn(async move {
            let mut tx = pool.begin_with(SNAPSHOT).await?;
            let there: Option<(i64, bool)> =
                sqlx::query_as("select public_no, pg_is_in_recovery() from log_heads where event_id = $1")
                    .bind(event)
                    .fetch_optional(&mut *tx)
                    .await?;
            Ok::<_, sqlx::Error>((tx, there))
        });
        match tokio::time::timeout(PATIENCE, begun).await {
            Ok(Ok(Ok((tx, Some((there, true)))))) if there >= number => (Choice::Replica, Some((tx, there))),
            Ok(Ok(Ok(_))) => (Choice::Behind, None),
            failed => {
                let why = match failed {
                    Ok(Ok(Err(error))) => error.to_string(),
                    Ok(Err(error)) => error.to_string(),
                    _ => "no answer in time".to_owned(),
                };
                tracing::warn!(why, "the replica fails; it is left alone for a while");
                self.rest();
                (Choice::Failed, None)
            }
        }
    }

    /// Looks every second, for as long as it is awaited.
    async fn watch(&self, primary: &Store) {
        let options = self.options.clone().application_name("tianyuan replica");
        let mut conn: Option<PgConnection> = None;
        loop {
            let was_there = conn.is_some();
            let looked = tokio::time::timeout(LOOK, look(&mut conn, &options, primary)).await;
            let found = match &looked {
                Ok(Ok(found)) => Some(*found),
                // Whether the first database answers is not for this to say.
                Ok(Err(Failure::Primary)) => self.found(),
                Ok(Err(Failure::Replica(error))) => {
                    tracing::debug!(%error, "the replica does not answer");
                    conn = None;
                    None
                }
                Err(_) => {
                    conn = None;
                    if was_there {
                        self.replace_pool();
                    }
                    None
                }
            };
            self.learn(found);
            tokio::time::sleep(EVERY).await;
        }
    }

    fn learn(&self, found: Option<Found>) {
        let mut known = self.known();
        let before = std::mem::replace(&mut known.found, found);
        drop(known);
        let same = match (before, found) {
            (Some(before), Some(now)) => std::mem::discriminant(&before) == std::mem::discriminant(&now),
            (before, now) => before.is_none() && now.is_none(),
        };
        if same {
            return;
        }
        match found {
            Some(Found::Follows(lag)) => {
                tracing::info!(
                    bytes = lag.bytes,
                    "the replica follows; public pages are read from it"
                );
            }
            Some(Found::TakesChanges) => {
                tracing::error!("what is named as the replica takes changes itself; it is not read");
            }
            Some(Found::OfAnother) => {
                tracing::error!("the replica follows another database; it is not read");
            }
            None => tracing::warn!("the replica does not answer; everything is read from the first database"),
        }
    }

    /// Gives all connections up for new ones: those that are frozen never come back.
    fn replace_pool(&self) {
        let mut pool = self.pool.write().unwrap_or_else(PoisonError::into_inner);
        let new = pool
            .options()
            .clone()
            .connect_lazy_with(self.options.clone().application_name(&own_name()));
        let old = std::mem::replace(&mut *pool, new);
        drop(pool);
        tokio::spawn(async move { tokio::time::timeout(CLOSING, old.close()).await });
    }

    async fn close(&self) {
        let _ = tokio::time::timeout(CLOSING, self.current().close()).await;
    }
}

/// Whose failure it is that nothing was found.
#[derive(Debug)]
enum Failure {
    Primary,
    Replica(sqlx::Error),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Replica(error)
    }
}

/// Which cluster and database, and up to where: asked there, and compared here.
const THERE: &str = "select pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn(), '0/0')::text,
    (select system_identifier from pg_control_system())::text || '/' || current_database(),
    coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8";
const HERE: &str = "select greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn), 0)::int8,
    (select system_identifier from pg_control_system())::text || '/' || current_database()";

async fn look(
    conn: &mut Option<PgConnection>,
    options: &PgConnectOptions,
    primary: &Store,
) -> std::result::Result<Found, Failure> {
    let there = match conn {
        Some(conn) => conn,
        None => conn.insert(options.connect().await?),
    };
    let (follows, replayed, its_name, seconds): (bool, String, String, f64) =
        sqlx::query_as(THERE).fetch_one(there).await?;
    let pool = primary.pool().map_err(|_| Failure::Primary)?;
    let (bytes, name): (i64, String) = sqlx::query_as(HERE)
        .bind(&replayed)
        .fetch_one(&pool)
        .await
        .map_err(|_| Failure::Primary)?;
    if name != its_name {
        return Ok(Found::OfAnother);
    }
    if !follows {
        return Ok(Found::TakesChanges);
    }
    let seconds = if bytes == 0 { 0.0 } else { seconds };
    Ok(Found::Follows(Lag { bytes, seconds }))
}

impl Store {
    /// Reads public pages from a replica where it is new enough. It need not be there now.
    ///
    /// # Errors
    /// When the address is no address of a database.
    pub fn with_replica(mut self, url: &str, max_connections: u32) -> Result<Self> {
        self.replica = Some(Arc::new(Replica::to(url, max_connections)?));
        Ok(self)
    }

    /// The replica, where there is one.
    pub fn replica(&self) -> Option<&Replica> {
        self.replica.as_deref()
    }

    /// Looks at the replica once.
    ///
    /// # Errors
    /// When one of the two databases does not answer, or there is no replica.
    pub async fn look_at_replica(&self) -> Result<Found> {
        let gone = || crate::Error::Database(sqlx::Error::PoolTimedOut);
        let replica = self.replica.as_ref().ok_or_else(gone)?;
        let mut conn = None;
        let looked = tokio::time::timeout(LOOK, look(&mut conn, &replica.options, self)).await;
        match looked.map_err(|_| gone())? {
            Ok(found) => Ok(found),
            Err(Failure::Replica(error)) => Err(error.into()),
            Err(Failure::Primary) => Err(gone()),
        }
    }

    pub(crate) async fn watch_replica(&self) {
        if let Some(replica) = &self.replica {
            replica.watch(self).await;
        }
    }

    pub(crate) async fn close_replica(&self) {
        if let Some(replica) = &self.replica {
            replica.close().await;
        }
    }

    /// A snapshot of what is done now: from the replica where that may be, and may show it.
    pub(crate) async fn chosen_snapshot(&self) -> Result<Transaction<'static, Postgres>> {
        let Ok(at_least) = AT_LEAST.try_with(Clone::clone) else {
            return self.acquire(SNAPSHOT).await;
        };
        let AtLeast {
            event,
            number,
            from_replica,
            reading,
        } = at_least;
        if let Some(replica) = self.replica.as_ref().filter(|_| from_replica)
            && let Some((snapshot, there)) = replica.snapshot(event, number).await
        {
            reading.0.from_replica.store(true, Ordering::Release);
            reading.shows(there);
            return Ok(snapshot);
        }
        let mut snapshot = self.acquire(SNAPSHOT).await?;
        let there: Option<i64> = sqlx::query_scalar("select public_no from log_heads where event_id = $1")
            .bind(event)
            .fetch_optional(&mut *snapshot)
            .await?;
        reading.shows(there.unwrap_or_default());
        Ok(snapshot)
    }
}
