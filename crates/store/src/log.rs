//! The log of an event: who changed what, when, from what to what, and why. Append-only, and a
//! chain of hashes (`docs/log.md`): a later change to the past shows.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use interchange::log_file::{Broken, Chain, Head, Link, LogFile, LogHash};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tournament::Number;
use uuid::Uuid;

use crate::changes::{Kind, Touched};
use crate::error::unreadable;
use crate::events::Event;
use crate::json::{Word, count, number, stored};
use crate::{Actor, Change, Page, Paging, Refused, Result, Tx};

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
    /// An event was declared final.
    EventFrozen,
    /// An event that was final was opened again.
    EventUnfrozen,
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
    /// A published round became a draft again.
    PublicationWithdrawn,
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
    /// A public word was added to a draw.
    WordAdded,
    /// A public word was taken back.
    WordRemoved,
    /// The field was split into groups.
    GroupsDrawn,
    /// A game record was brought for a board that had none.
    RecordBrought,
    /// A game record was brought in the place of another one, which is kept.
    RecordReplaced,
    /// A game record was withdrawn; it is kept.
    RecordWithdrawn,
    /// A game record that is kept was put in its place again.
    RecordBroughtBack,
    /// The codes of all boards were made anew.
    RecordCodesRenewed,
    /// Somebody was given a right in the event.
    RightGiven,
    /// Somebody's right in the event became another one.
    RightChanged,
    /// Somebody's right in the event was taken away.
    RightTaken,
    /// A link was made by which somebody can take a right.
    InvitationMade,
    /// Such a link was taken back.
    InvitationRevoked,
    /// An entry is here.
    EntryHere,
    /// An entry is not here after all.
    EntryAway,
    /// Whether and how players sign up was set.
    SignUpSet,
    /// A sign-up was refused.
    SignUpRefused,
    /// A sign-up waits for a decision again.
    SignUpPutBack,
    /// A link was made by which results are entered.
    ResultLinkMade,
    /// Such a link was taken back.
    ResultLinkRevoked,
    /// A result was reported that waits for a second word, or such a report was taken back.
    ResultReported,
    /// What is asked of results was changed.
    ResultSettingsChanged,
    /// Something was ruled at a board that leaves its result as it is.
    BoardNoted,
    /// Drawn numbers were put back.
    NumbersPutBack,
    /// Drawn groups were put back.
    GroupsPutBack,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 49] = [
        Self::EventCreated,
        Self::EventImported,
        Self::EventUpdated,
        Self::EventFrozen,
        Self::EventUnfrozen,
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
        Self::PublicationWithdrawn,
        Self::RoundThrownAway,
        Self::RoundChanged,
        Self::ResultEntered,
        Self::ResultCorrected,
        Self::ResultCleared,
        Self::WordAdded,
        Self::WordRemoved,
        Self::GroupsDrawn,
        Self::RecordBrought,
        Self::RecordReplaced,
        Self::RecordWithdrawn,
        Self::RecordBroughtBack,
        Self::RecordCodesRenewed,
        Self::RightGiven,
        Self::RightChanged,
        Self::RightTaken,
        Self::InvitationMade,
        Self::InvitationRevoked,
        Self::EntryHere,
        Self::EntryAway,
        Self::SignUpSet,
        Self::SignUpRefused,
        Self::SignUpPutBack,
        Self::ResultLinkMade,
        Self::ResultLinkRevoked,
        Self::ResultReported,
        Self::ResultSettingsChanged,
        Self::BoardNoted,
        Self::NumbersPutBack,
        Self::GroupsPutBack,
    ];

    /// The word that is stored, and a stable word for programs and translations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EventCreated => "event-created",
            Self::EventImported => "event-imported",
            Self::EventUpdated => "event-updated",
            Self::EventFrozen => "event-frozen",
            Self::EventUnfrozen => "event-unfrozen",
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
            Self::PublicationWithdrawn => "publication-withdrawn",
            Self::RoundThrownAway => "round-thrown-away",
            Self::RoundChanged => "round-changed",
            Self::ResultEntered => "result-entered",
            Self::ResultCorrected => "result-corrected",
            Self::ResultCleared => "result-cleared",
            Self::WordAdded => "word-added",
            Self::WordRemoved => "word-removed",
            Self::GroupsDrawn => "groups-drawn",
            Self::RecordBrought => "record-brought",
            Self::RecordReplaced => "record-replaced",
            Self::RecordWithdrawn => "record-withdrawn",
            Self::RecordBroughtBack => "record-brought-back",
            Self::RecordCodesRenewed => "record-codes-renewed",
            Self::RightGiven => "right-given",
            Self::RightChanged => "right-changed",
            Self::RightTaken => "right-taken",
            Self::InvitationMade => "invitation-made",
            Self::InvitationRevoked => "invitation-revoked",
            Self::EntryHere => "entry-here",
            Self::EntryAway => "entry-away",
            Self::SignUpSet => "sign-up-set",
            Self::SignUpRefused => "sign-up-refused",
            Self::SignUpPutBack => "sign-up-put-back",
            Self::ResultLinkMade => "result-link-made",
            Self::ResultLinkRevoked => "result-link-revoked",
            Self::ResultReported => "result-reported",
            Self::ResultSettingsChanged => "result-settings-changed",
            Self::BoardNoted => "board-noted",
            Self::NumbersPutBack => "numbers-put-back",
            Self::GroupsPutBack => "groups-put-back",
        }
    }

    /// As what everybody may know of it; none where it changes nothing that is public. What is done
    /// to a table is public once it is published, which [`Act::quiet_if`] says.
    fn is_public(self) -> Option<Kind> {
        Some(match self {
            // A draft is nobody's business, nor who may do what, nor who has come, nor what waits.
            Self::RoundPaired
            | Self::RoundPairedByHand
            | Self::RecordCodesRenewed
            | Self::RightGiven
            | Self::RightChanged
            | Self::RightTaken
            | Self::InvitationMade
            | Self::InvitationRevoked
            | Self::EntryHere
            | Self::EntryAway
            | Self::SignUpRefused
            | Self::SignUpPutBack
            | Self::ResultLinkMade
            | Self::ResultLinkRevoked
            | Self::ResultReported
            | Self::BoardNoted => return None,
            Self::EventCreated
            | Self::EventImported
            | Self::EventUpdated
            | Self::EventFrozen
            | Self::EventUnfrozen
            | Self::EventDeleted
            | Self::SignUpSet
            | Self::ResultSettingsChanged => Kind::Event,
            Self::EntryAdded
            | Self::EntryUpdated
            | Self::EntryDeleted
            | Self::EntryWithdrawn
            | Self::EntryReturned
            | Self::EntrySitsOut
            | Self::EntryPlays => Kind::Entries,
            Self::NumbersDrawn
            | Self::NumbersPutBack
            | Self::GroupsDrawn
            | Self::GroupsPutBack
            | Self::WordAdded
            | Self::WordRemoved => Kind::Draw,
            Self::RoundPublished => Kind::RoundPublished,
            Self::PublicationSet => Kind::Announced,
            Self::PublicationWithdrawn | Self::RoundThrownAway => Kind::RoundWithdrawn,
            Self::RoundChanged => Kind::RoundChanged,
            Self::ResultEntered | Self::ResultCorrected | Self::ResultCleared => Kind::Result,
            Self::RecordBrought | Self::RecordReplaced | Self::RecordWithdrawn | Self::RecordBroughtBack => {
                Kind::Record
            }
        })
    }

    /// Whether it is about who may do what.
    fn is_of_rights(self) -> bool {
        matches!(self, Self::RightGiven | Self::RightChanged | Self::RightTaken)
    }

    /// Whether it can be done in an event that is final: who may do what is no part of how it went.
    fn stays_possible(self) -> bool {
        matches!(
            self,
            Self::RightGiven
                | Self::RightChanged
                | Self::RightTaken
                | Self::InvitationMade
                | Self::InvitationRevoked
                | Self::ResultLinkRevoked
        )
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
    /// The key of the entry, when the subject is one: its number can change.
    pub entry: Option<Uuid>,
    /// What was there before; null when nothing was.
    pub before: Value,
    /// What is there after; null when nothing is.
    pub after: Value,
    /// Why.
    pub reason: Option<String>,
    /// The hash over this act and all acts before it.
    pub hash: LogHash,
}

/// A moment to the microsecond, which is what the database keeps: `2026-05-01T09:30:00.000000Z`.
pub fn exact(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
}

/// An act of the log and its hash, which covers everything before: what is printed on pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogHead {
    /// The number of the act.
    pub seq: i64,
    /// Its hash.
    pub hash: LogHash,
}

impl LogHead {
    /// As files say it: `412:3f2a…`.
    pub(crate) fn told(self) -> Head {
        Head {
            seq: self.seq,
            digits: self.hash.to_string(),
        }
    }
}

/// Which acts are wanted; what is `None` does not restrict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this entry, the results of its boards included.
    pub entry: Option<Number>,
    /// Of this round, its boards included.
    pub round: Option<u32>,
    /// Of this board (with `round`).
    pub board: Option<u32>,
    /// Of this kind.
    pub action: Option<Action>,
    /// By this user.
    pub by: Option<Uuid>,
    /// Numbered below this one: the next page of a list that grows.
    pub before: Option<i64>,
    /// Numbered above this one: the next page from the beginning on.
    pub after: Option<i64>,
    /// The first act first, instead of the latest.
    pub oldest_first: bool,
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
    /// What of it everybody may know; none when it changes nothing that is public.
    public: Option<Kind>,
}

impl Act {
    pub(crate) fn new(action: Action, subject: Subject, before: Value, after: Value) -> Self {
        Self {
            action,
            subject,
            entry: None,
            before,
            after,
            public: action.is_public(),
        }
    }

    /// The same when `quiet` says that it is about a draft, so that the public learns nothing of it.
    pub(crate) fn quiet_if(self, quiet: bool) -> Self {
        Self {
            public: self.public.filter(|_| !quiet),
            ..self
        }
    }

    /// The same, as a change of an entry: one that changes only absences in rounds that are not
    /// published is not public ([`Event::public_stage`]).
    pub(crate) fn seen_in(self, event: &Event) -> Self {
        let only = |value: &Value| {
            let fields = value.as_object();
            fields.is_some_and(|fields| fields.keys().all(|field| field == "absent_rounds"))
        };
        let last = event.last_published().map_or(0, |info| info.round);
        let public = |value: &Value| -> Vec<Value> {
            let rounds = value["absent_rounds"].as_array().into_iter().flatten();
            let seen = rounds.filter(|round| round.as_u64().is_none_or(|round| round <= last.into()));
            seen.cloned().collect()
        };
        let quiet = only(&self.before) && only(&self.after) && public(&self.before) == public(&self.after);
        self.quiet_if(quiet)
    }

    pub(crate) fn of_entry(self, entry: Uuid) -> Self {
        Self {
            entry: Some(entry),
            ..self
        }
    }
}

/// Numbers that were taken for acts, and what the first of them follows after.
#[derive(Debug)]
pub(crate) struct Taken {
    /// The number of the first act.
    pub(crate) first: i64,
    before: LogHash,
    /// The number of the last public change.
    public_no: i64,
    /// Since when and by whom the log takes no acts.
    frozen: Option<(DateTime<Utc>, String)>,
}

/// Takes the numbers of so many acts. From here to the end of the transaction nobody else can log
/// in this event, so this comes as late as possible; [`write`] has to follow with as many acts.
pub(crate) async fn take(conn: &mut PgConnection, event: Uuid, acts: usize) -> Result<Taken> {
    let acts = i64::try_from(acts).unwrap_or(i64::MAX);
    let head = sqlx::query!(
        "update log_heads set last_seq = last_seq + $2 where event_id = $1 returning last_seq, hash, public_no, frozen_at, frozen_by",
        event,
        acts
    )
    .fetch_one(conn)
    .await?;
    Ok(Taken {
        first: head.last_seq - acts + 1,
        before: hash_of(&head.hash)?,
        public_no: head.public_no,
        frozen: head.frozen_at.zip(head.frozen_by),
    })
}

fn hash_of(stored: &[u8]) -> Result<LogHash> {
    Ok(LogHash(stored.try_into().map_err(unreadable)?))
}

/// The heads at these acts.
pub(crate) async fn heads(conn: &mut PgConnection, event: Uuid, seqs: &[i64]) -> Result<Vec<LogHead>> {
    sqlx::query!(
        "select seq, hash from log where event_id = $1 and seq = any($2)",
        event,
        seqs
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|row| {
        let (seq, hash) = (row.seq, hash_of(&row.hash)?);
        Ok(LogHead { seq, hash })
    })
    .collect()
}

/// Begins the log of a new event.
pub(crate) async fn begin(conn: &mut PgConnection, event: Uuid) -> Result<()> {
    sqlx::query!(
        "insert into log_heads (event_id, last_seq, hash) values ($1, 0, $2)",
        event,
        &LogHash::beginning(&event.to_string()).0[..]
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes acts under the numbers that were taken for them, and what of them is public under its own.
///
/// # Errors
/// Refused in an event that is final, unless all of them are possible there.
pub(crate) async fn write(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    taken: Taken,
    acts: Vec<Act>,
) -> Result<()> {
    // Here and nowhere else: whatever changes an event is an act of its log.
    change.check_reason()?;
    if let Some((at, by)) = taken.frozen
        && !acts.iter().all(|act| act.action.stays_possible())
    {
        return Err(Refused::Frozen { by, at }.into());
    }
    let public: Vec<(Kind, Subject)> = acts
        .iter()
        .filter_map(|act| Some((act.public?, act.subject)))
        .collect();
    let public_no = taken.public_no + i64::try_from(public.len()).unwrap_or(i64::MAX);
    let removed = acts.iter().any(|act| act.action == Action::EventDeleted);
    let reports = acts.iter().any(|act| act.action == Action::ResultReported);
    let rights = acts.iter().any(|act| act.action.is_of_rights());
    let mut hash = taken.before;
    let rows: Vec<Row> = (taken.first..)
        .zip(acts)
        .map(|(seq, act)| {
            let row = Row::of(seq, change, act);
            hash = hash.then(&row.act());
            Row {
                hash: hash.0.to_vec(),
                ..row
            }
        })
        .collect();
    let all = |part: fn(&Row) -> Option<i32>| rows.iter().map(part).collect::<Vec<Option<i32>>>();
    let seqs: Vec<i64> = rows.iter().map(|row| row.seq).collect();
    let actions: Vec<&str> = rows.iter().map(|row| row.action.as_str()).collect();
    let subjects: Vec<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
    let keys: Vec<Option<Uuid>> = rows.iter().map(|row| row.subject_entry).collect();
    let (numbers, rounds) = (all(|row| row.subject_number), all(|row| row.subject_round));
    let boards = all(|row| row.subject_board);
    let before: Vec<&Option<Value>> = rows.iter().map(|row| &row.before).collect();
    let after: Vec<&Option<Value>> = rows.iter().map(|row| &row.after).collect();
    let hashes: Vec<&[u8]> = rows.iter().map(|row| &row.hash[..]).collect();
    let numbers_public: Vec<i64> = (taken.public_no + 1..=public_no).collect();
    let kinds: Vec<&str> = public.iter().map(|(kind, _)| kind.as_str()).collect();
    let (on_rounds, on_boards): (Vec<Option<i32>>, Vec<Option<i32>>) = public
        .iter()
        .map(|(_, subject)| match *subject {
            Subject::Round(round) => (Some(stored(round)), None),
            Subject::Board { round, board } => (Some(stored(round)), Some(stored(board))),
            Subject::Event | Subject::Entry(_) => (None, None),
        })
        .unzip();
    sqlx::query!(
        r#"with head as (update log_heads set hash = $18, public_no = $19 where event_id = $1),
                public as (insert into public_changes (event_id, number, kind, round, board, at)
                           select $1, p.number, p.kind, p.round, p.board, $2
                           from unnest($20::bigint[], $21::text[], $22::integer[], $23::integer[])
                                p (number, kind, round, board))
           insert into log (event_id, at, actor_user, actor_name, actor_role, actor_via, reason,
                            seq, action, subject, subject_number, subject_entry, subject_round,
                            subject_board, before, after, hash)
           select $1, $2, $3, $4, $5, $6, $7, a.*
           from unnest($8::bigint[], $9::text[], $10::text[], $11::integer[], $12::uuid[],
                       $13::integer[], $14::integer[], $15::jsonb[], $16::jsonb[], $17::bytea[]) a"#,
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
        &keys as &[Option<Uuid>],
        &rounds as &[Option<i32>],
        &boards as &[Option<i32>],
        &before as &[&Option<Value>],
        &after as &[&Option<Value>],
        &hashes as &[&[u8]],
        &hash.0[..],
        public_no,
        &numbers_public,
        &kinds as &[&str],
        &on_rounds as &[Option<i32>],
        &on_boards as &[Option<i32>]
    )
    .execute(tx.conn())
    .await?;
    tx.touch(Touched {
        event,
        act: seqs.last().copied().unwrap_or_default(),
        public: (!public.is_empty()).then_some(public_no),
        reports,
        rights,
        removed,
    });
    Ok(())
}

/// Logs one act and returns its number.
pub(crate) async fn append(tx: &mut Tx, change: &Change<'_>, event: Uuid, act: Act) -> Result<i64> {
    let taken = take(tx.conn(), event, 1).await?;
    let seq = taken.first;
    write(tx, change, event, taken, vec![act]).await?;
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
    change.check_reason()?;
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
             and ($2::integer is null
                  or subject_entry = (select entry_id from entries where event_id = $1 and number = $2)
                  or subject = 'board' and $2::integer::text in (coalesce(after, before)->>'black',
                                                        coalesce(after, before)->>'white'))
             and ($3::integer is null or subject_round = $3)
             and ($4::integer is null or subject_board = $4)
             and ($5::text is null or action = $5)
             and ($6::bigint is null or seq < $6)
             and ($7::uuid is null or actor_user = $7)
             and ($8::bigint is null or seq > $8)"#,
        event.id,
        entry,
        round,
        board,
        action,
        filter.before,
        filter.by,
        filter.after
    )
    .fetch_one(tx.conn())
    .await?;
    let rows = sqlx::query_as!(
        Row,
        r#"select seq, at, actor_user, actor_name, actor_role, actor_via, action, subject,
                  subject_number, subject_entry, subject_round, subject_board, before, after, reason, hash
           from log
           where event_id = $1
             and ($2::integer is null
                  or subject_entry = (select entry_id from entries where event_id = $1 and number = $2)
                  or subject = 'board' and $2::integer::text in (coalesce(after, before)->>'black',
                                                        coalesce(after, before)->>'white'))
             and ($3::integer is null or subject_round = $3)
             and ($4::integer is null or subject_board = $4)
             and ($5::text is null or action = $5)
             and ($6::bigint is null or seq < $6)
             and ($7::uuid is null or actor_user = $7)
             and ($10::bigint is null or seq > $10)
           order by case when $11 then seq end, seq desc limit $8 offset $9"#,
        event.id,
        entry,
        round,
        board,
        action,
        filter.before,
        filter.by,
        page.limit(),
        i64::from(page.offset),
        filter.after,
        filter.oldest_first
    )
    .fetch_all(tx.conn())
    .await?;
    Ok(Page {
        items: rows.into_iter().map(Row::read).collect::<Result<_>>()?,
        total: total.unsigned_abs(),
    })
}

/// The rounds of which a published table was withdrawn, or thrown away, at some time.
///
/// # Errors
/// Only of the database.
pub async fn withdrawn_rounds(tx: &mut Tx, event: &Event) -> Result<BTreeSet<u32>> {
    sqlx::query_scalar!(
        r#"select distinct subject_round as "round!" from log
           where event_id = $1 and subject_round is not null and before->>'status' = 'published'
             and action in ('publication-withdrawn', 'round-thrown-away')"#,
        event.id
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(crate::json::count)
    .collect()
}

/// An act as it lies in the database.
struct Row {
    seq: i64,
    at: DateTime<Utc>,
    actor_user: Option<Uuid>,
    actor_name: String,
    actor_role: String,
    actor_via: String,
    action: String,
    subject: String,
    subject_number: Option<i32>,
    subject_entry: Option<Uuid>,
    subject_round: Option<i32>,
    subject_board: Option<i32>,
    before: Option<Value>,
    after: Option<Value>,
    reason: Option<String>,
    hash: Vec<u8>,
}

impl Row {
    fn of(seq: i64, change: &Change<'_>, act: Act) -> Self {
        let int = |count: u32| i32::try_from(count).ok();
        let (subject, number, round, board) = match act.subject {
            Subject::Event => ("event", None, None, None),
            Subject::Entry(number) => ("entry", int(number.get()), None, None),
            Subject::Round(round) => ("round", None, int(round), None),
            Subject::Board { round, board } => ("board", None, int(round), int(board)),
        };
        let there = |value: Value| (!value.is_null()).then_some(value);
        Self {
            seq,
            at: change.at,
            actor_user: change.actor.user,
            actor_name: change.actor.name.clone(),
            actor_role: change.actor.role.as_str().to_owned(),
            actor_via: change.actor.via.as_str().to_owned(),
            action: act.action.as_str().to_owned(),
            subject: subject.to_owned(),
            subject_number: number,
            subject_entry: act.entry,
            subject_round: round,
            subject_board: board,
            before: there(act.before),
            after: there(act.after),
            reason: change.reason.map(str::to_owned),
            hash: Vec::new(),
        }
    }

    /// The act as a JSON object without its hash: what the hash is made of.
    fn act(&self) -> Value {
        let mut subject = json!({"kind": self.subject});
        for (name, part) in [
            ("number", self.subject_number),
            ("round", self.subject_round),
            ("board", self.subject_board),
        ] {
            if let Some(part) = part {
                subject[name] = part.into();
            }
        }
        if let Some(entry) = self.subject_entry {
            subject["entry"] = json!(entry);
        }
        json!({
            "seq": self.seq,
            "at": exact(self.at),
            "actor": {
                "user": self.actor_user,
                "name": self.actor_name,
                "role": self.actor_role,
                "via": self.actor_via,
            },
            "action": self.action,
            "subject": subject,
            "before": self.before,
            "after": self.after,
            "reason": self.reason,
        })
    }

    fn link(&self) -> Result<Link> {
        Ok(Link {
            seq: self.seq,
            hash: hash_of(&self.hash)?,
            act: self.act(),
        })
    }

    fn read(self) -> Result<LogEntry> {
        let part = |part: Option<i32>| part.ok_or_else(|| unreadable(&self.subject));
        let subject = match self.subject.as_str() {
            "event" => Subject::Event,
            "entry" => Subject::Entry(number(part(self.subject_number)?)?),
            "round" => Subject::Round(count(part(self.subject_round)?)?),
            _ => Subject::Board {
                round: count(part(self.subject_round)?)?,
                board: count(part(self.subject_board)?)?,
            },
        };
        Ok(LogEntry {
            seq: self.seq,
            at: self.at,
            actor: Actor {
                user: self.actor_user,
                name: self.actor_name,
                role: Word::of(&self.actor_role)?,
                via: Word::of(&self.actor_via)?,
            },
            action: Word::of(&self.action)?,
            subject,
            entry: self.subject_entry,
            before: self.before.unwrap_or_default(),
            after: self.after.unwrap_or_default(),
            reason: self.reason,
            hash: hash_of(&self.hash)?,
        })
    }
}

/// How many acts are read at once where a whole log is.
const CHUNK: i64 = 5_000;

/// The acts after one, in order, and so many at most.
async fn after(tx: &mut Tx, event: Uuid, seq: i64) -> Result<Vec<Link>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select seq, at, actor_user, actor_name, actor_role, actor_via, action, subject,
                  subject_number, subject_entry, subject_round, subject_board, before, after, reason, hash
           from log where event_id = $1 and seq > $2 order by seq limit $3"#,
        event,
        seq,
        CHUNK
    )
    .fetch_all(tx.conn())
    .await?;
    rows.iter().map(Row::link).collect()
}

/// The whole log of an event as a file.
///
/// # Errors
/// Only of the database.
pub async fn export(tx: &mut Tx, event: &Event) -> Result<LogFile> {
    let mut links: Vec<Link> = Vec::new();
    loop {
        let more = after(tx, event.id, links.last().map_or(0, |link| link.seq)).await?;
        if more.is_empty() {
            break;
        }
        links.extend(more);
    }
    Ok(LogFile {
        event: event.id.to_string(),
        name: event.name.clone(),
        links,
    })
}

/// What was found when a log was checked from its beginning to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many acts there are.
    pub acts: i64,
    /// The first things that do not hold; nothing when all is well.
    pub broken: Vec<Broken>,
}

/// Follows the chain of an event's log: an act that somebody has changed, removed or put in past
/// this program is found.
///
/// # Errors
/// Only of the database.
pub async fn check(tx: &mut Tx, event: &Event) -> Result<Checked> {
    /// A log that was tampered with may be wrong from there to its end; the first places tell.
    const MOST: usize = 20;
    let head = sqlx::query!(
        "select last_seq, hash from log_heads where event_id = $1",
        event.id
    )
    .fetch_one(tx.conn())
    .await?;
    let mut chain = Chain::of(&event.id.to_string());
    let mut broken = Vec::new();
    while broken.len() < MOST {
        let (last, _) = chain.last();
        let more = after(tx, event.id, last).await?;
        if more.is_empty() {
            break;
        }
        broken.extend(more.iter().filter_map(|link| chain.follow(link).err()));
    }
    broken.truncate(MOST);
    let (last, hash) = chain.last();
    let known = hash_of(&head.hash)?;
    if broken.is_empty() && last < head.last_seq {
        let seq = head.last_seq;
        broken.push(Broken::EndMissing { last, seq });
    } else if broken.is_empty() && hash != known {
        broken.push(Broken::OtherHead {
            seq: last,
            found: hash,
            known: known.to_string(),
        });
    }
    Ok(Checked { acts: last, broken })
}
