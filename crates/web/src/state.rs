//! What every handler can reach: the store, the clock, the configuration.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::password_hash::rand_core::{OsRng, RngCore};
use chrono::{DateTime, TimeDelta, Utc};
use store::{Actor, Chance, Change, Store};

use crate::api::together::Together;
use crate::auth::Attempts;
pub use crate::connections::Limits;
use crate::live::{self, Live};
use crate::released::Released;

/// Where the time comes from. Tests give a fixed one.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>);

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::of(Utc::now)
    }

    /// A clock that tells what this function tells.
    pub fn of(now: impl Fn() -> DateTime<Utc> + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Now.
    pub fn now(&self) -> DateTime<Utc> {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// What the operator decides.
#[derive(Clone, Debug)]
pub struct Config {
    /// The public address, as `https://go.example.org`, when the server is reached under another
    /// one than it listens on.
    pub base_url: Option<String>,
    /// Whether a proxy in front sets `X-Forwarded-Proto` and `X-Forwarded-For`. Without such a
    /// proxy anybody could write them, so they are believed only when this is set.
    pub behind_proxy: bool,
    /// How many clients there may be, and how slow.
    pub limits: Limits,
    /// How many streams of changes may be open.
    pub streams: live::Limits,
    /// How many bytes of public pages are kept in memory; 0 for none.
    pub page_memory: u64,
    /// For how long a server that is to stop goes on answering, so that a proxy can notice.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            base_url: None,
            behind_proxy: false,
            limits: Limits::default(),
            streams: live::Limits::default(),
            page_memory: 64 * 1024 * 1024,
            drain: Duration::ZERO,
        }
    }
}

/// How the automatic backups go.
#[derive(Debug, Default)]
pub struct Backups(Mutex<BackupState>);

/// How the last automatic backups went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupState {
    /// When the last one was made.
    pub made: Option<DateTime<Utc>>,
    /// Since when they fail, and why the last one did; `None` when the last one was made.
    pub failing: Option<(DateTime<Utc>, String)>,
}

impl Backups {
    /// One was made.
    pub fn made(&self, at: DateTime<Utc>) {
        *self.lock() = BackupState {
            made: Some(at),
            failing: None,
        };
    }

    /// One failed.
    pub fn failed(&self, at: DateTime<Utc>, why: &str) {
        let mut state = self.lock();
        let since = state.failing.as_ref().map_or(at, |(since, _)| *since);
        state.failing = Some((since, why.to_owned()));
    }

    /// How they went.
    pub fn state(&self) -> BackupState {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BackupState> {
        // Nothing in here is left half done by a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of the application; cheap to clone, which every request does at every step.
#[derive(Clone, Debug)]
pub struct AppState(Arc<Parts>);

/// What the state is made of.
#[derive(Debug)]
pub struct Parts {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// What the operator decided.
    pub config: Arc<Config>,
    /// Failed attempts to sign in.
    pub attempts: Arc<Attempts>,
    /// Records that were judged for people without an account.
    pub checks: Arc<Attempts>,
    /// Sign-ups for an event.
    pub sign_ups: Arc<Attempts>,
    /// How the automatic backups go.
    pub backups: Arc<Backups>,
    /// Results that wait to be entered together.
    pub(crate) together: Arc<Together>,
    /// What is known of changes, and who listens.
    pub live: Arc<Live>,
    /// Public pages in memory.
    pub released: Arc<Released>,
    /// How many passwords were compared.
    pub hashed: Arc<AtomicU64>,
    /// Whether the server was told to stop.
    pub(crate) leaving: Arc<AtomicBool>,
}

impl AppState {
    /// The state over a store.
    pub fn new(store: Store, clock: Clock, config: Config) -> Self {
        let live = Arc::new(Live::new(config.streams));
        let hearer = Arc::clone(&live);
        store.on_commit(move |touched| hearer.committed(touched));
        Self(Arc::new(Parts {
            store,
            live,
            released: Arc::new(Released::with_room(config.page_memory)),
            clock,
            config: Arc::new(config),
            attempts: Arc::default(),
            checks: Arc::new(Attempts::allowing(120, TimeDelta::minutes(1))),
            hashed: Arc::default(),
            leaving: Arc::default(),
            // A whole club may sign up from one room.
            sign_ups: Arc::new(Attempts::allowing(30, TimeDelta::hours(1))),
            backups: Arc::default(),
            together: Arc::default(),
        }))
    }
}

impl Deref for AppState {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// What goes with a change into the log: who, now, and why.
pub fn change<'a>(state: &AppState, actor: &'a Actor, reason: Option<&'a str>) -> Change<'a> {
    Change {
        actor,
        at: state.clock.now(),
        reason,
        chance: chance(),
    }
}

/// Fresh chance from the operating system.
pub fn chance() -> Chance {
    let mut bits = [0; 32];
    OsRng.fill_bytes(&mut bits);
    Chance(bits)
}
