//! The log of an event: who changed what, when, from what to what, and why. Append-only.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use tournament::Number;
use uuid::Uuid;

use crate::error::unreadable;
use crate::events::Event;
use crate::json::{Word, count, number, stored};
use crate::{Actor, Change, Page, Paging, Result, Tx};

/// What a change was made to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The event and its settings.
    Event,
    /// An entry.
    Entry(Number),
    /// A round.
    Round(u32),
    /// A board.
    Board {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// An event was made.
    EventCreated,
    /// An event came in as a file.
    EventImported,
    /// Settings were changed.
    EventUpdated,
    /// An event was removed.
    EventDeleted,
    /// An entry was added.
    EntryAdded,
    /// An entry was changed.
    EntryUpdated,
    /// An entry was removed.
    EntryDeleted,
    /// An entry left.
    EntryWithdrawn,
    /// An entry came back.
    EntryReturned,
    /// An entry sits out a round.
    EntrySitsOut,
    /// An entry plays a round after all.
    EntryPlays,
    /// Numbers were drawn.
    NumbersDrawn,
    /// A round was paired.
    RoundPaired,
    /// A round was paired by hand.
    RoundPairedByHand,
    /// A round was published.
    RoundPublished,
    /// The time at which a draft is published was set or taken away.
    PublicationSet,
    /// A round was thrown away.
    RoundThrownAway,
    /// A round's table was changed by hand.
    RoundChanged,
    /// A result was entered where there was none.
    ResultEntered,
    /// A result was changed.
    ResultCorrected,
    /// A result was taken away.
    ResultCleared,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::EventCreated,
        Self::EventImported,
        Self::EventUpdated,
        Self::EventDeleted,
        Self::EntryAdded,
        Self::EntryUpdated,
        Self::EntryDeleted,
        Self::EntryWithdrawn,
        Self::EntryReturned,
        Self::EntrySitsOut,
        Self::EntryPlays,
        Self::NumbersDrawn,
        Self::RoundPaired,
        Self::RoundPairedByHand,
        Self::RoundPublished,
        Self::PublicationSet,
        Self::RoundThrownAway,
        Self::RoundChanged,
        Self::ResultEntered,
        Self::ResultCorrected,
        Self::ResultCleared,
    ];

    /// The word that is stored, and a stable word for programs and translations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EventCreated => "event-created",
            Self::EventImported => "event-imported",
            Self::EventUpdated => "event-updated",
            Self::EventDeleted => "event-deleted",
            Self::EntryAdded => "entry-added",
            Self::EntryUpdated => "entry-updated",
            Self::EntryDeleted => "entry-deleted",
            Self::EntryWithdrawn => "entry-withdrawn",
            Self::EntryReturned => "entry-returned",
            Self::EntrySitsOut => "entry-sits-out",
            Self::EntryPlays => "entry-plays",
            Self::NumbersDrawn => "numbers-drawn",
            Self::RoundPaired => "round-paired",
            Self::RoundPairedByHand => "round-paired-by-hand",
            Self::RoundPublished => "round-published",
            Self::PublicationSet => "publication-set",
            Self::RoundThrownAway => "round-thrown-away",
            Self::RoundChanged => "round-changed",
            Self::ResultEntered => "result-entered",
            Self::ResultCorrected => "result-corrected",
            Self::ResultCleared => "result-cleared",
        }
    }
}

/// One act.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// 1, 2, 3 … in each event, without a gap.
    pub seq: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// Who.
    pub actor: Actor,
    /// What was done.
    pub action: Action,
    /// To what.
    pub subject: Subject,
    /// What was there before; null when nothing was.
    pub before: Value,
    /// What is there after; null when nothing is.
    pub after: Value,
    /// Why.
    pub reason: Option<String>,
}

/// Which acts are wanted; what is `None` does not restrict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this entry.
    pub entry: Option<Number>,
    /// Of this round, its boards included.
    pub round: Option<u32>,
    /// Of this board (with `round`).
    pub board: Option<u32>,
    /// Of this kind.
    pub action: Option<Action>,
    /// Numbered below this one: the next page of a list that grows.
    pub before: Option<i64>,
}

/// One act to be logged.
#[derive(Debug)]
pub(crate) struct Act {
    pub(crate) action: Action,
    pub(crate) subject: Subject,
    /// The key of the entry, when the subject is one: numbers can be drawn again.
    pub(crate) entry: Option<Uuid>,
    pub(crate) before: Value,
    pub(crate) after: Value,
}

impl Act {
    pub(crate) fn new(action: Action, subject: Subject, before: Value, after: Value) -> Self {
        Self {
            action,
            subject,
            entry: None,
            before,
            after,
        }
    }

    pub(crate) fn of_entry(self, entry: Uuid) -> Self {
        Self {
            entry: Some(entry),
            ..self
        }
    }
}

/// Takes the numbers of so many acts; returns the first. From here to the end of the transaction
/// nobody else can log in this event, so this comes as late as possible.
pub(crate) async fn take(conn: &mut PgConnection, event: Uuid, acts: usize) -> Result<i64> {
    let acts = i64::try_from(acts).unwrap_or(i64::MAX);
    let last = sqlx::query_scalar!(
        "update log_heads set last_seq = last_seq + $2 where event_id = $1 returning last_seq",
        event,
        acts
    )
    .fetch_one(conn)
    .await?;
    Ok(last - acts + 1)
}

/// Writes acts under numbers from `first` on.
pub(crate) async fn write(
    conn: &mut PgConnection,
    change: &Change<'_>,
    event: Uuid,
    first: i64,
    acts: &[Act],
) -> Result<()> {
    let null = |value: &Value| (!value.is_null()).then(|| value.clone());
    let int = |count: u32| i32::try_from(count).ok();
    let seqs: Vec<i64> = (first..).take(acts.len()).collect();
    let actions: Vec<&str> = acts.iter().map(|act| act.action.as_str()).collect();
    let mut subjects = Vec::new();
    let mut numbers = Vec::new();
    let mut rounds = Vec::new();
    let mut boards = Vec::new();
    for act in acts {
        let (subject, number, round, board) = match act.subject {
            Subject::Event => ("event", None, None, None),
            Subject::Entry(number) => ("entry", int(number.get()), None, None),
            Subject::Round(round) => ("round", None, int(round), None),
            Subject::Board { round, board } => ("board", None, int(round), int(board)),
        };
        subjects.push(subject);
        numbers.push(number);
        rounds.push(round);
        boards.push(board);
    }
    let entries: Vec<Option<Uuid>> = acts.iter().map(|act| act.entry).collect();
    let before: Vec<Option<Value>> = acts.iter().map(|act| null(&act.before)).collect();
    let after: Vec<Option<Value>> = acts.iter().map(|act| null(&act.after)).collect();
    sqlx::query!(
        r#"insert into log (event_id, at, actor_user, actor_name, actor_role, actor_via, reason,
                            seq, action, subject, subject_number, subject_entry, subject_round,
                            subject_board, before, after)
           select $1, $2, $3, $4, $5, $6, $7, a.*
           from unnest($8::bigint[], $9::text[], $10::text[], $11::integer[], $12::uuid[],
                       $13::integer[], $14::integer[], $15::jsonb[], $16::jsonb[]) a"#,
        event,
        change.at,
        change.actor.user,
        change.actor.name,
        change.actor.role.as_str(),
        change.actor.via.as_str(),
        change.reason,
        &seqs,
        &actions as &[&str],
        &subjects as &[&str],
        &numbers as &[Option<i32>],
        &entries as &[Option<Uuid>],
        &rounds as &[Option<i32>],
        &boards as &[Option<i32>],
        &before as &[Option<Value>],
        &after as &[Option<Value>],
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Logs one act and returns its number.
pub(crate) async fn append(
    conn: &mut PgConnection,
    change: &Change<'_>,
    event: Uuid,
    act: Act,
) -> Result<i64> {
    let seq = take(&mut *conn, event, 1).await?;
    write(conn, change, event, seq, &[act]).await?;
    Ok(seq)
}

/// Logs what belongs to no event.
pub(crate) async fn site(
    conn: &mut PgConnection,
    change: &Change<'_>,
    action: &str,
    subject: &str,
    before: Option<Value>,
    after: Option<Value>,
) -> Result<()> {
    sqlx::query!(
        r#"insert into site_log (at, actor_user, actor_name, actor_role, actor_via, action, subject,
                                 before, after, reason)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"#,
        change.at,
        change.actor.user,
        change.actor.name,
        change.actor.role.as_str(),
        change.actor.via.as_str(),
        action,
        subject,
        before,
        after,
        change.reason
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The log of an event, the latest act first.
///
/// # Errors
/// Only of the database.
pub async fn list(tx: &mut Tx, event: &Event, filter: Filter, page: Paging) -> Result<Page<LogEntry>> {
    let entry = filter.entry.map(|number| stored(number.get()));
    let (round, board) = (filter.round.map(stored), filter.board.map(stored));
    let action = filter.action.map(Action::as_str);
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from log
           where event_id = $1
             and ($2::integer is null or subject_entry =
                  (select entry_id from entries where event_id = $1 and number = $2))
             and ($3::integer is null or subject_round = $3)
             and ($4::integer is null or subject_board = $4)
             and ($5::text is null or action = $5)
             and ($6::bigint is null or seq < $6)"#,
        event.id,
        entry,
        round,
        board,
        action,
        filter.before
    )
    .fetch_one(tx.conn())
    .await?;
    let rows = sqlx::query!(
        r#"select seq, at, actor_user, actor_name, actor_role, actor_via, action, subject,
                  subject_number, subject_round, subject_board, before, after, reason
           from log
           where event_id = $1
             and ($2::integer is null or subject_entry =
                  (select entry_id from entries where event_id = $1 and number = $2))
             and ($3::integer is null or subject_round = $3)
             and ($4::integer is null or subject_board = $4)
             and ($5::text is null or action = $5)
             and ($6::bigint is null or seq < $6)
           order by seq desc limit $7 offset $8"#,
        event.id,
        entry,
        round,
        board,
        action,
        filter.before,
        page.limit(),
        i64::from(page.offset)
    )
    .fetch_all(tx.conn())
    .await?;
    let items = rows
        .into_iter()
        .map(|row| {
            let part = |part: Option<i32>| part.ok_or_else(|| unreadable(&row.subject));
            let subject = match row.subject.as_str() {
                "event" => Subject::Event,
                "entry" => Subject::Entry(number(part(row.subject_number)?)?),
                "round" => Subject::Round(count(part(row.subject_round)?)?),
                _ => Subject::Board {
                    round: count(part(row.subject_round)?)?,
                    board: count(part(row.subject_board)?)?,
                },
            };
            Ok(LogEntry {
                seq: row.seq,
                at: row.at,
                actor: Actor {
                    user: row.actor_user,
                    name: row.actor_name,
                    role: Word::of(&row.actor_role)?,
                    via: Word::of(&row.actor_via)?,
                },
                action: Word::of(&row.action)?,
                subject,
                before: row.before.unwrap_or_default(),
                after: row.after.unwrap_or_default(),
                reason: row.reason,
            })
        })
        .collect::<Result<_>>()?;
    Ok(Page {
        items,
        total: total.unsigned_abs(),
    })
}
