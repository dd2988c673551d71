//! Whether the database answers. A connection that was cut says so; one that is frozen, by a network
//! that drops everything or a machine that stands still, says nothing for as long as anybody waits.
//! So somebody asks every second, on a connection of its own, and everybody else looks here.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use tokio::sync::watch;

/// Between two questions while all is well, and while nothing is.
const EVERY: Duration = Duration::from_secs(1);
const EVERY_WHILE_SILENT: Duration = Duration::from_millis(200);
/// An answer that takes longer is none.
const PATIENCE: Duration = Duration::from_secs(4);

/// For how long requests wait for a database that is silent: a restart is over sooner.
pub const GRACE: Duration = Duration::from_secs(3);

/// What is known of the database.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Since when it has been silent; `None` while it answers.
    silent: Option<Instant>,
    /// How often connections were found frozen.
    frozen: u64,
}

/// Whether the database answers. What nobody asks after is taken to be alive.
#[derive(Clone, Debug)]
pub struct Pulse(Arc<watch::Sender<Known>>);

impl Default for Pulse {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Known::default())))
    }
}

impl Pulse {
    /// Whether the database has been silent for longer than anybody should wait.
    pub fn is_gone(&self) -> bool {
        self.0
            .borrow()
            .silent
            .is_some_and(|since| since.elapsed() > GRACE)
    }

    /// Whether it answered when it was asked last.
    pub fn is_there(&self) -> bool {
        self.0.borrow().silent.is_none()
    }

    /// Waits until it is gone, or until the connections there are now were found frozen.
    pub async fn gone(&self) {
        let mut looked_at = self.0.subscribe();
        let before = looked_at.borrow_and_update().frozen;
        loop {
            let known = *looked_at.borrow_and_update();
            if known.frozen != before || self.is_gone() {
                return;
            }
            let grace = async {
                match known.silent {
                    Some(since) => tokio::time::sleep(GRACE.saturating_sub(since.elapsed()) + A_MOMENT).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // The sender lives as long as this.
                _ = looked_at.changed() => {}
                () = grace => {}
            }
        }
    }

    fn tell(&self, answered: bool, asked: Instant) {
        self.0.send_if_modified(|known| match (answered, known.silent) {
            (false, None) => {
                tracing::warn!("the database does not answer");
                known.silent = Some(asked);
                true
            }
            (true, Some(began)) => {
                let seconds = began.elapsed().as_secs();
                tracing::info!(seconds, "the database answers again");
                known.silent = None;
                true
            }
            _ => false,
        });
    }

    /// Asks, for as long as it is awaited. `give_up` is called when a connection that was there is
    /// frozen: the others are likely to be so, too, and never to come back. It says by which name the
    /// database knows them: it may still hold them, and what they have locked.
    pub(crate) async fn ask(&self, options: PgConnectOptions, give_up: impl Fn() -> Option<String>) {
        let options = options.application_name("tianyuan pulse");
        let mut conn: Option<PgConnection> = None;
        let mut given_up: Vec<String> = Vec::new();
        loop {
            let asked = Instant::now();
            let was_there = conn.is_some();
            let answer = tokio::time::timeout(PATIENCE, question(&mut conn, &options)).await;
            let answered = matches!(answer, Ok(Ok(())));
            if !answered {
                // Not closed in good order: that would wait for an answer, too.
                conn = None;
            }
            self.tell(answered, asked);
            if let Some(conn) = conn.as_mut().filter(|_| answered && !given_up.is_empty()) {
                match tokio::time::timeout(PATIENCE, end(conn, &given_up)).await {
                    Ok(Ok(())) => given_up.clear(),
                    // Tried again with the next answer.
                    failed => tracing::warn!(?failed, "lost connections could not be ended"),
                }
            }
            if was_there && answer.is_err() {
                given_up.extend(give_up());
                self.0.send_modify(|known| known.frozen += 1);
            }
            tokio::time::sleep(if answered { EVERY } else { EVERY_WHILE_SILENT }).await;
        }
    }
}

/// So that what is waited for is over when the waiting is.
const A_MOMENT: Duration = Duration::from_millis(1);

async fn question(conn: &mut Option<PgConnection>, options: &PgConnectOptions) -> sqlx::Result<()> {
    let asked = match conn {
        Some(conn) => conn,
        None => conn.insert(options.connect().await?),
    };
    asked.ping().await
}

/// Ends connections in the database that nobody has any more at this end.
async fn end(conn: &mut PgConnection, names: &[String]) -> sqlx::Result<()> {
    sqlx::query(
        "select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = any($1) and usename = current_user",
    )
    .bind(names)
    .execute(conn)
    .await?;
    Ok(())
}
