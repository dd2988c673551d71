//! What was done to many entries at once, and taking it back at once.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};
use tournament::{Entry, Grade, Number, Score};
use uuid::Uuid;

use crate::entries_import::write;
use crate::error::unreadable;
use crate::events::Locked;
use crate::json::{self as fields, Word, stored};
use crate::log::{self, Act, Action, Subject};
use crate::{Change, Refused, Result, Tx};

/// What kind of acts were done together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A list was taken in.
    List,
    /// Sign-ups were confirmed.
    SignUps,
    /// Those who are missing sit out the first round.
    SitOut,
    /// Those who are missing are withdrawn.
    Withdrawal,
    /// Several were checked in with one press.
    Here,
}

impl Kind {
    /// The word that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::SignUps => "sign_ups",
            Self::SitOut => "sit_out",
            Self::Withdrawal => "withdrawal",
            Self::Here => "here",
        }
    }
}

impl Word for Kind {
    const ALL: &'static [Self] = &[
        Self::List,
        Self::SignUps,
        Self::SitOut,
        Self::Withdrawal,
        Self::Here,
    ];
    fn word(self) -> &'static str {
        self.as_str()
    }
}

/// Acts that were done together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// 1, 2, 3 … in each event.
    pub number: u32,
    /// What kind.
    pub kind: Kind,
    /// How many acts.
    pub acts: u32,
    /// When.
    pub at: DateTime<Utc>,
    /// By whom.
    pub by: String,
}

/// The number of the last act of the event's log.
pub(crate) async fn last_act(tx: &mut Tx, event: Uuid) -> Result<i64> {
    let seq = sqlx::query_scalar!("select last_seq from log_heads where event_id = $1", event)
        .fetch_one(tx.conn())
        .await?;
    Ok(seq)
}

/// Keeps the acts after `since` as done together; none when there are none.
pub(crate) async fn keep(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    kind: Kind,
    since: i64,
) -> Result<Option<u32>> {
    let last = last_act(tx, event).await?;
    if last <= since {
        return Ok(None);
    }
    let number = sqlx::query_scalar!(
        r#"insert into batches (event_id, batch_no, kind, first_seq, last_seq, at, made_by)
           select $1, coalesce(max(batch_no), 0) + 1, $2, $3, $4, $5, $6 from batches where event_id = $1
           returning batch_no"#,
        event,
        kind.as_str(),
        since + 1,
        last,
        change.at,
        change.actor.name
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(Some(fields::count(number)?))
}

/// What was done together last, of these kinds, and not taken back.
///
/// # Errors
/// Of the database.
pub async fn last(tx: &mut Tx, event: Uuid, kinds: &[Kind]) -> Result<Option<Batch>> {
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    sqlx::query!(
        r#"select batch_no, kind, last_seq - first_seq + 1 as "acts!", at, made_by from batches
           where event_id = $1 and kind = any($2) and undone_at is null
           order by batch_no desc limit 1"#,
        event,
        &kinds as &[&str]
    )
    .fetch_optional(tx.conn())
    .await?
    .map(|row| {
        Ok(Batch {
            number: fields::count(row.batch_no)?,
            kind: Kind::of(&row.kind)?,
            acts: fields::count(row.acts)?,
            at: row.at,
            by: row.made_by,
        })
    })
    .transpose()
}

/// Takes back what was done together: entries that were added go, those that were changed are
/// what they were. All of it or nothing. Entries that are gone already stay gone.
///
/// # Errors
/// Refused when it was taken back already, when an entry has changed since or has played, and for
/// absences and withdrawals once a round is paired.
pub async fn undo(tx: &mut Tx, change: &Change<'_>, event: &mut Locked, batch: u32) -> Result<()> {
    let found = sqlx::query!(
        "select kind, first_seq, last_seq from batches
         where event_id = $1 and batch_no = $2 and undone_at is null",
        event.id,
        stored(batch)
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownBatch)?;
    let kind = Kind::of(&found.kind)?;
    if kind == Kind::Here {
        return away_again(tx, change, event, batch, (found.first_seq, found.last_seq)).await;
    }
    let attendance = matches!(kind, Kind::SitOut | Kind::Withdrawal);
    if let Some(round) = event.stage.rounds.first().filter(|_| attendance) {
        return Err(Refused::RoundsBegun { round: round.round }.into());
    }
    let acts = sqlx::query!(
        "select subject_entry, before, after from log
         where event_id = $1 and seq between $2 and $3 order by seq desc",
        event.id,
        found.first_seq,
        found.last_seq
    )
    .fetch_all(tx.conn())
    .await?;
    let numbers: BTreeMap<Uuid, Number> = event.0.ids.iter().map(|(number, id)| (*id, *number)).collect();
    let mut stage = event.stage.clone();
    let (mut overtaken, mut removed, mut restored) = (Vec::new(), Vec::new(), Vec::new());
    for act in acts {
        let Some((id, number)) = act.subject_entry.and_then(|id| Some((id, *numbers.get(&id)?))) else {
            continue;
        };
        let Some(at) = stage.entries.iter().position(|entry| entry.number == number) else {
            continue;
        };
        let now = fields::entry(&stage.entries[at]);
        let after = act.after.as_ref().and_then(Value::as_object);
        let as_left = after.is_some_and(|after| {
            after
                .iter()
                .all(|(field, value)| field == "number" || now.get(field) == Some(value))
        });
        if !as_left {
            overtaken.push(number);
            continue;
        }
        match act.before.as_ref().and_then(Value::as_object) {
            None => {
                removed.push((id, number, now));
                stage.entries.remove(at);
            }
            Some(before) => {
                restore(&mut stage.entries[at], before)?;
                restored.push((id, now, stage.entries[at].clone()));
            }
        }
    }
    if !overtaken.is_empty() {
        overtaken.sort_unstable();
        return Err(Refused::Overtaken { numbers: overtaken }.into());
    }
    for (_, number, _) in &removed {
        free_to_go(event, *number)?;
    }
    let faults = tournament::validate::faults(&stage);
    if !faults.is_empty() {
        return Err(Refused::Faults(faults).into());
    }
    let mut acts = Vec::new();
    let mut entries = Vec::new();
    for (id, before, entry) in restored {
        if let Some((before, after)) = fields::difference(&before, &fields::entry(&entry)) {
            let act = Act::new(Action::EntryUpdated, Subject::Entry(entry.number), before, after);
            acts.push(act.of_entry(id).seen_in(event));
        }
        entries.push(entry);
    }
    write(tx, event, &entries).await?;
    let gone: Vec<Uuid> = removed.iter().map(|(id, ..)| *id).collect();
    for (id, number, before) in removed {
        let before = Value::Object(before);
        acts.push(Act::new(Action::EntryDeleted, Subject::Entry(number), before, Value::Null).of_entry(id));
    }
    sqlx::query!(
        "update sign_ups set status = 'waiting', entry_id = null, decided_at = null, decided_by = null,
                reason = null
         where event_id = $1 and entry_id = any($2)",
        event.id,
        &gone
    )
    .execute(tx.conn())
    .await?;
    sqlx::query!(
        "delete from entries where event_id = $1 and entry_id = any($2)",
        event.id,
        &gone
    )
    .execute(tx.conn())
    .await?;
    taken_back(tx, change, event, batch).await?;
    let taken = log::take(tx.conn(), event.id, acts.len()).await?;
    log::write(tx, change, event.id, taken, acts).await?;
    event.reload(tx).await
}

/// Takes back that several are here. Whoever has been ticked off again by hand since stays as that says.
async fn away_again(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    batch: u32,
    (first, last): (i64, i64),
) -> Result<()> {
    let gone = sqlx::query!(
        r#"delete from check_ins c using log l
           where c.event_id = $1 and l.event_id = $1 and l.seq between $2 and $3
             and c.entry_id = l.subject_entry
             and not exists (select from log later
                             where later.event_id = $1 and later.subject_entry = c.entry_id
                               and later.seq > $3 and later.action in ('entry-here', 'entry-away'))
           returning c.entry_id"#,
        event.id,
        first,
        last
    )
    .fetch_all(tx.conn())
    .await?;
    let gone: BTreeSet<Uuid> = gone.into_iter().map(|row| row.entry_id).collect();
    let acts: Vec<Act> = event
        .0
        .ids
        .iter()
        .filter(|(_, id)| gone.contains(id))
        .map(|(number, id)| {
            let (before, after) = (json!({"here": true}), json!({"here": false}));
            Act::new(Action::EntryAway, Subject::Entry(*number), before, after).of_entry(*id)
        })
        .collect();
    taken_back(tx, change, event, batch).await?;
    let taken = log::take(tx.conn(), event.id, acts.len()).await?;
    log::write(tx, change, event.id, taken, acts).await
}

/// Keeps that a batch was taken back.
async fn taken_back(tx: &mut Tx, change: &Change<'_>, event: &Locked, batch: u32) -> Result<()> {
    sqlx::query!(
        "update batches set undone_at = $3 where event_id = $1 and batch_no = $2",
        event.id,
        stored(batch),
        change.at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Refuses for an entry that has had a board or a bye, or that others carry over.
fn free_to_go(event: &Locked, number: Number) -> Result<()> {
    let rounds: Vec<u32> = event
        .stage
        .rounds
        .iter()
        .filter(|round| round.board_of(number).is_some() || round.byes.contains(&number))
        .map(|round| round.round)
        .collect();
    if !rounds.is_empty() {
        return Err(Refused::HasPlayed { number, rounds }.into());
    }
    Ok(())
}

/// Sets the fields of an entry to what the log says they were.
fn restore(entry: &mut Entry, before: &Map<String, Value>) -> Result<()> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let small = |value: &Value| value.as_i64().and_then(|value| i32::try_from(value).ok());
    let round = |value: &Value| value.as_u64().and_then(|value| u32::try_from(value).ok());
    for (field, value) in before {
        match field.as_str() {
            "name_withheld" => entry.name_withheld = value.as_bool().unwrap_or_default(),
            "name" => entry.name = text(value).ok_or_else(|| unreadable(field))?,
            "team" => entry.team = text(value),
            "category" => entry.category = text(value),
            "grade" => {
                entry.grade = value
                    .as_str()
                    .map(str::parse::<Grade>)
                    .transpose()
                    .map_err(unreadable)?;
            }
            "rating" => entry.rating = small(value),
            "start_score" => entry.start_score = Score(small(value).unwrap_or(0)),
            "withdrawn_after" => entry.withdrawn_after = round(value),
            "absent_rounds" => {
                entry.absent_rounds = value.as_array().into_iter().flatten().filter_map(round).collect();
            }
            _ => return Err(unreadable(field)),
        }
    }
    Ok(())
}
