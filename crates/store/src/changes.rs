//! What changes for everybody: public changes with their numbers, and the way by which every
//! server of one database learns of them.
//!
//! A public change is numbered in the transaction that makes it (`log::write`). Servers are told
//! outside of it: a `NOTIFY` inside would take a lock that all writers share, and hold it until the
//! disk has answered. What is lost on the way (a server that dies between the two, a broken
//! connection) is found by [`heads`], which each server asks again and again.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use sqlx::postgres::PgListener;
use uuid::Uuid;

use crate::events::Visibility;
use crate::json::{Word, count};
use crate::{Result, Store};

/// The channel by which servers tell one another.
const CHANNEL: &str = "tianyuan_changes";

/// What of an event has changed, as everybody may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A round was published.
    RoundPublished,
    /// A published round was withdrawn, or the announcement of one.
    RoundWithdrawn,
    /// The table of a published round was changed: there is a new edition.
    RoundChanged,
    /// The moment at which a round will be published was announced, or is not any more.
    Announced,
    /// A result was entered, corrected or cleared.
    Result,
    /// A game record was brought or withdrawn.
    Record,
    /// Entries were added, changed or removed.
    Entries,
    /// Numbers or groups were drawn, or a public word was added.
    Draw,
    /// Anything else of the event: its settings, whether it is final.
    Event,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::RoundPublished,
        Self::RoundWithdrawn,
        Self::RoundChanged,
        Self::Announced,
        Self::Result,
        Self::Record,
        Self::Entries,
        Self::Draw,
        Self::Event,
    ];

    /// The word that is stored, and the name of the event in a stream.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RoundPublished => "round-published",
            Self::RoundWithdrawn => "round-withdrawn",
            Self::RoundChanged => "round-changed",
            Self::Announced => "round-announced",
            Self::Result => "result-entered",
            Self::Record => "record-changed",
            Self::Entries => "entries-changed",
            Self::Draw => "draw-changed",
            Self::Event => "event-changed",
        }
    }

    /// Whether standings may be other ones now.
    pub fn changes_standings(self) -> bool {
        matches!(
            self,
            Self::RoundPublished
                | Self::RoundWithdrawn
                | Self::RoundChanged
                | Self::Result
                | Self::Entries
                | Self::Event
        )
    }
}

/// A public change of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicChange {
    /// 1, 2, 3 … in each event, without a gap.
    pub number: i64,
    /// What has changed.
    pub kind: Kind,
    /// The round, where it is of one.
    pub round: Option<u32>,
    /// The board, where it is of one.
    pub board: Option<u32>,
    /// When.
    pub at: DateTime<Utc>,
}

/// What a committed transaction has done to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The event.
    pub event: Uuid,
    /// The number of the last act of its log, public or not. For servers only.
    pub act: i64,
    /// The number of its last public change; none when nothing public has changed.
    pub public: Option<i64>,
    /// Whether a result waits for a second word, or does not any more.
    pub reports: bool,
    /// Whether somebody's right has changed.
    pub rights: bool,
    /// Whether the event was removed.
    pub removed: bool,
}

impl Touched {
    /// Somebody's account, session or token has ended, in whichever events it opened something: told of an
    /// event that is none.
    #[must_use]
    pub fn everybody() -> Self {
        Self {
            event: Uuid::nil(),
            act: 0,
            public: None,
            reports: false,
            rights: true,
            removed: false,
        }
    }

    /// Whether it is of no event and means all.
    #[must_use]
    pub fn is_of_everybody(&self) -> bool {
        self.event.is_nil()
    }

    /// What this and a later one have done together.
    pub fn add(&mut self, later: Self) {
        self.act = self.act.max(later.act);
        self.public = self.public.max(later.public);
        self.reports |= later.reports;
        self.rights |= later.rights;
        self.removed |= later.removed;
    }

    fn written(self) -> String {
        let mut text = format!("{} a{}", self.event, self.act);
        if let Some(number) = self.public {
            text.extend([" p", &number.to_string()]);
        }
        for (word, is) in [(" w", self.reports), (" r", self.rights), (" x", self.removed)] {
            if is {
                text.push_str(word);
            }
        }
        text
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let mut touched = Self {
            event: Uuid::try_parse(words.next()?).ok()?,
            act: 0,
            public: None,
            reports: false,
            rights: false,
            removed: false,
        };
        for word in words {
            match word.split_at_checked(1)? {
                ("a", number) => touched.act = number.parse().ok()?,
                ("p", number) => touched.public = Some(number.parse().ok()?),
                ("w", "") => touched.reports = true,
                ("r", "") => touched.rights = true,
                ("x", "") => touched.removed = true,
                // A word of a later version.
                _ => {}
            }
        }
        Some(touched)
    }
}

/// Whoever wants to know at once what was committed through a store.
type Hearer = Box<dyn Fn(&[Touched]) + Send + Sync>;

/// Tells one hearer of commits.
#[derive(Clone, Default)]
pub(crate) struct Told(Arc<OnceLock<Hearer>>);

impl Told {
    pub(crate) fn tell(&self, touched: &[Touched]) {
        if let Some(hearer) = self.0.get().filter(|_| !touched.is_empty()) {
            hearer(touched);
        }
    }
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Told")
    }
}

impl Store {
    /// Has a function called with what each transaction of this store has changed, after its commit
    /// and before whoever committed goes on. There is one such function; a second one is not taken.
    pub fn on_commit(&self, hearer: impl Fn(&[Touched]) + Send + Sync + 'static) {
        let _ = self.told.0.set(Box::new(hearer));
    }
}

/// How an event stands for the public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of its last public change.
    pub number: i64,
    /// The number of the last act of its log, public or not. For this server only.
    pub last_seq: i64,
    /// Who may see it.
    pub visibility: Visibility,
}

/// How events stand; those that are not there any more are missing in the answer.
///
/// # Errors
/// Only of the database.
pub async fn heads(store: &Store, events: &[Uuid]) -> Result<HashMap<Uuid, Head>> {
    sqlx::query!(
        r#"select h.event_id, h.public_no, h.last_seq, e.visibility
           from log_heads h join events e on e.event_id = h.event_id
           where h.event_id = any($1)"#,
        events
    )
    .fetch_all(&store.pool()?)
    .await?
    .into_iter()
    .map(|row| {
        let head = Head {
            number: row.public_no,
            last_seq: row.last_seq,
            visibility: Word::of(&row.visibility)?,
        };
        Ok((row.event_id, head))
    })
    .collect()
}

/// The public changes after one, in order, and so many at most. Those from too long ago are not
/// there any more: the first one is then not the next number.
///
/// # Errors
/// Only of the database.
pub async fn since(store: &Store, event: Uuid, number: i64, most: u32) -> Result<Vec<PublicChange>> {
    let rows = sqlx::query!(
        r#"select number, kind, round, board, at from public_changes
           where event_id = $1 and number > $2 order by number limit $3"#,
        event,
        number,
        i64::from(most)
    )
    .fetch_all(&store.pool()?)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(PublicChange {
                number: row.number,
                // A kind of a later version is told as what always makes pages look anew.
                kind: Kind::ALL
                    .into_iter()
                    .find(|kind| kind.as_str() == row.kind)
                    .unwrap_or(Kind::Event),
                round: row.round.map(count).transpose()?,
                board: row.board.map(count).transpose()?,
                at: row.at,
            })
        })
        .collect()
}

/// Forgets the public changes from before a moment; their numbers stay.
///
/// # Errors
/// Only of the database.
pub async fn purge(store: &Store, before: DateTime<Utc>) -> Result<()> {
    sqlx::query!("delete from public_changes where at < $1", before)
        .execute(&store.pool()?)
        .await?;
    Ok(())
}

/// Tells all servers of this database what has changed; `from` is who tells.
///
/// # Errors
/// Only of the database.
pub async fn tell(store: &Store, from: Uuid, touched: &[Touched]) -> Result<()> {
    /// What one message may hold is 8000 bytes; an event takes about 60.
    const AT_ONCE: usize = 80;
    for some in touched.chunks(AT_ONCE) {
        let mut lines = vec![sender(from)];
        lines.extend(some.iter().map(|touched| touched.written()));
        // Nobody has to wait for the disk: what is lost is found by asking.
        sqlx::query("select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)")
            .bind(CHANNEL)
            .bind(lines.join("\n"))
            .execute(&store.pool()?)
            .await?;
    }
    Ok(())
}

/// A connection on which a server hears what others tell.
#[derive(Debug)]
pub struct Listener {
    listener: PgListener,
    own: String,
}

/// The first line of a message. It reads as no event, so a server that does not know it passes over it.
fn sender(from: Uuid) -> String {
    format!("from {from}")
}

impl Listener {
    /// Listens from here on to all others than `own`, which knows what it has told itself.
    ///
    /// # Errors
    /// Only of the database.
    pub async fn open(store: &Store, own: Uuid) -> Result<Self> {
        let mut listener = PgListener::connect_with(&store.pool()?).await?;
        listener.listen(CHANNEL).await?;
        let own = sender(own);
        Ok(Self { listener, own })
    }

    /// Waits for what is told next, nothing where it was told by oneself; none when the connection was lost, and what was told meanwhile
    /// with it. The next call listens on a new connection.
    ///
    /// # Errors
    /// When a new connection could not be made.
    pub async fn hear(&mut self) -> Result<Option<Vec<Touched>>> {
        let told = self.listener.try_recv().await?;
        Ok(told.map(|told| {
            let mut lines = told.payload().lines().peekable();
            if lines.peek() == Some(&self.own.as_str()) {
                return Vec::new();
            }
            lines.filter_map(Touched::read).collect()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_server_writes_another_reads() {
        for (public, reports, rights, removed) in [
            (None, false, false, false),
            (Some(12), false, false, false),
            (Some(1), true, true, true),
            (None, true, false, false),
        ] {
            let touched = Touched {
                event: Uuid::from_u128(7),
                act: 31,
                public,
                reports,
                rights,
                removed,
            };
            assert_eq!(Touched::read(&touched.written()), Some(touched));
        }
        assert_eq!(Touched::read("nothing"), None);
        assert_eq!(Touched::read(&sender(Uuid::from_u128(7))), None);
    }
}
