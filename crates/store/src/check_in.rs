//! Who is here (签到), and leaving out those who are not.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde_json::json;
use tournament::{Entry, Number};
use uuid::Uuid;

use crate::batches::{self, Kind};
use crate::entries_import::write;
use crate::events::{Event, Locked};
use crate::log::{self, Act, Action, Subject};
use crate::{Change, Refused, Result, Tx, json};

/// That somebody is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Here {
    /// Since when that is known.
    pub at: DateTime<Utc>,
    /// Who said so.
    pub by: String,
}

/// Who is here.
///
/// # Errors
/// Of the database.
pub async fn list(tx: &mut Tx, event: Uuid) -> Result<BTreeMap<Number, Here>> {
    sqlx::query!(
        "select e.number, c.at, c.checked_by from check_ins c join entries e using (event_id, entry_id)
         where c.event_id = $1",
        event
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(|row| {
        let here = Here {
            at: row.at,
            by: row.checked_by,
        };
        Ok((json::number(row.number)?, here))
    })
    .collect()
}

/// The entries that are to play the first round of the event's list and are not here, by number.
pub fn missing<'e>(event: &'e Event, here: &BTreeMap<Number, Here>) -> Vec<&'e Entry> {
    let first = event.stage.first_round;
    let mut missing: Vec<&Entry> = event
        .stage
        .entries
        .iter()
        .filter(|entry| entry.plays_in(first) && !here.contains_key(&entry.number))
        .collect();
    missing.sort_by_key(|entry| entry.number);
    missing
}

/// Says that an entry is here, or that it is not. What is known already leaves no trace.
///
/// # Errors
/// Refused for an unknown number.
pub async fn set(tx: &mut Tx, change: &Change<'_>, event: &Locked, number: Number, here: bool) -> Result<()> {
    let id = event.entry_id(number)?;
    let changed = if here {
        sqlx::query!(
            "insert into check_ins (event_id, entry_id, at, checked_by) values ($1, $2, $3, $4)
             on conflict do nothing",
            event.id,
            id,
            change.at,
            change.actor.name
        )
        .execute(tx.conn())
        .await?
    } else {
        sqlx::query!(
            "delete from check_ins where event_id = $1 and entry_id = $2",
            event.id,
            id
        )
        .execute(tx.conn())
        .await?
    };
    if changed.rows_affected() == 0 {
        return Ok(());
    }
    let action = if here {
        Action::EntryHere
    } else {
        Action::EntryAway
    };
    let (before, after) = (json!({"here": !here}), json!({"here": here}));
    let act = Act::new(action, Subject::Entry(number), before, after).of_entry(id);
    log::append(tx, change, event.id, act).await?;
    Ok(())
}

/// Says of several at once that they are here. Whoever is here already is left as that says, and so is whoever
/// has no such number any more. Returns how many are new; [`batches::undo`] takes it back.
///
/// # Errors
/// Refused in an event that is final.
pub async fn set_all(tx: &mut Tx, change: &Change<'_>, event: &Locked, numbers: &[Number]) -> Result<usize> {
    let ids: Vec<(Uuid, Number)> = numbers
        .iter()
        .filter_map(|number| Some((event.entry_id(*number).ok()?, *number)))
        .collect();
    let wanted: Vec<Uuid> = ids.iter().map(|(id, _)| *id).collect();
    let since = batches::last_act(tx, event.id).await?;
    let new = sqlx::query!(
        "insert into check_ins (event_id, entry_id, at, checked_by)
         select $1, w.*, $3, $4 from unnest($2::uuid[]) w
         on conflict do nothing returning entry_id",
        event.id,
        &wanted,
        change.at,
        change.actor.name
    )
    .fetch_all(tx.conn())
    .await?;
    let new: BTreeSet<Uuid> = new.into_iter().map(|row| row.entry_id).collect();
    let acts: Vec<Act> = ids
        .into_iter()
        .collect::<BTreeMap<_, _>>()
        .into_iter()
        .filter(|(id, _)| new.contains(id))
        .map(|(id, number)| {
            let (before, after) = (json!({"here": false}), json!({"here": true}));
            Act::new(Action::EntryHere, Subject::Entry(number), before, after).of_entry(id)
        })
        .collect();
    let count = acts.len();
    if count > 0 {
        let taken = log::take(tx.conn(), event.id, count).await?;
        log::write(tx, change, event.id, taken, acts).await?;
        batches::keep(tx, change, event.id, Kind::Here, since).await?;
    }
    Ok(count)
}

/// Leaves out those of these entries who are not here: they sit out the first round, or are
/// withdrawn. Returns how many; [`batches::undo`] takes it back.
///
/// # Errors
/// Refused once a round is paired, and for a kind that is neither.
pub async fn leave_out(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    kind: Kind,
    numbers: &[Number],
) -> Result<usize> {
    if let Some(round) = event.stage.rounds.first() {
        return Err(Refused::RoundsBegun { round: round.round }.into());
    }
    let here = list(tx, event.id).await?;
    let first = event.stage.first_round;
    let since = batches::last_act(tx, event.id).await?;
    let (mut entries, mut acts) = (Vec::new(), Vec::new());
    for entry in missing(event, &here) {
        if !numbers.contains(&entry.number) {
            continue;
        }
        let mut new = entry.clone();
        let action = if kind == Kind::Withdrawal {
            new.withdrawn_after = Some(first.saturating_sub(1));
            Action::EntryWithdrawn
        } else {
            new.absent_rounds.push(first);
            Action::EntrySitsOut
        };
        crate::entries::in_order(&mut new);
        let Some((before, after)) = json::difference(&json::entry(entry), &json::entry(&new)) else {
            continue;
        };
        let id = event.entry_id(entry.number)?;
        let act = Act::new(action, Subject::Entry(entry.number), before, after).of_entry(id);
        acts.push(act.seen_in(event));
        entries.push(new);
    }
    let count = entries.len();
    if count > 0 {
        write(tx, event, &entries).await?;
        let taken = log::take(tx.conn(), event.id, count).await?;
        log::write(tx, change, event.id, taken, acts).await?;
        batches::keep(tx, change, event.id, kind, since).await?;
        event.reload(tx).await?;
    }
    Ok(count)
}
