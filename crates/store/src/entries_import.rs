//! A list of entries taken in at once: new ones and changes of those there are, all or nothing.

use tournament::{Entry, Number};

use crate::batches::{self, Kind};
use crate::entries::{EntryPatch, NewEntry, add, array_text};
use crate::events::{Locked, trimmed, trimmed_or_none};
use crate::json;
use crate::load::STAGE;
use crate::log::{self, Act, Action, Subject};
use crate::{Change, Refused, Result, Tx};

/// Adds entries and changes others, all or nothing, and returns the numbers of the new ones in the
/// order given. Of a patch name, team, grade, rating, category, start score and whether the name is
/// withheld are taken.
///
/// # Errors
/// Refused for an unknown number, or with every fault of the entries as they would be.
pub async fn take_in(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    new: Vec<NewEntry>,
    changes: Vec<(Number, EntryPatch)>,
) -> Result<Vec<Number>> {
    let since = batches::last_act(tx, event.id).await?;
    let mut stage = event.stage.clone();
    let mut acts = Vec::new();
    let mut changed: Vec<Entry> = Vec::new();
    for (number, patch) in changes {
        let entry = stage
            .entries
            .iter_mut()
            .find(|entry| entry.number == number)
            .ok_or(Refused::UnknownEntry { number })?;
        let before = json::entry(entry);
        patched(entry, patch);
        let Some((before, after)) = json::difference(&before, &json::entry(entry)) else {
            continue;
        };
        let id = event.entry_id(number)?;
        let act = Act::new(Action::EntryUpdated, Subject::Entry(number), before, after).of_entry(id);
        acts.push(act.seen_in(event));
        changed.push(entry.clone());
    }
    if !changed.is_empty() {
        let faults = tournament::validate::faults(&stage);
        if !faults.is_empty() {
            return Err(Refused::Faults(faults).into());
        }
        write(tx, event, &changed).await?;
        let taken = log::take(tx.conn(), event.id, acts.len()).await?;
        log::write(tx, change, event.id, taken, acts).await?;
        event.reload(tx).await?;
    }
    let numbers = add(tx, change, event, new).await?;
    batches::keep(tx, change, event.id, Kind::List, since).await?;
    Ok(numbers)
}

fn patched(entry: &mut Entry, patch: EntryPatch) {
    if let Some(name) = patch.name {
        entry.name = trimmed(&name);
    }
    if let Some(team) = patch.team {
        entry.team = team.as_deref().and_then(trimmed_or_none);
    }
    if let Some(grade) = patch.grade {
        entry.grade = grade;
    }
    if let Some(rating) = patch.rating {
        entry.rating = rating;
    }
    if let Some(category) = patch.category {
        entry.category = category.as_deref().and_then(trimmed_or_none);
    }
    if let Some(score) = patch.start_score {
        entry.start_score = score;
    }
    if let Some(withheld) = patch.name_withheld {
        entry.name_withheld = withheld;
    }
}

/// Writes entries that are there already as they are to be: what they say of themselves, start
/// score, absences and withdrawal.
pub(crate) async fn write(tx: &mut Tx, event: &Locked, entries: &[Entry]) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut keys = Vec::with_capacity(entries.len());
    for entry in entries {
        keys.push(event.entry_id(entry.number)?);
    }
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let teams: Vec<Option<&str>> = entries.iter().map(|entry| entry.team.as_deref()).collect();
    let grades: Vec<Option<String>> = entries
        .iter()
        .map(|entry| entry.grade.map(|grade| grade.to_string()))
        .collect();
    let ratings: Vec<Option<i32>> = entries.iter().map(|entry| entry.rating).collect();
    let categories: Vec<Option<&str>> = entries.iter().map(|entry| entry.category.as_deref()).collect();
    let withheld: Vec<bool> = entries.iter().map(|entry| entry.name_withheld).collect();
    let scores: Vec<i32> = entries.iter().map(|entry| entry.start_score.0).collect();
    // Arrays of arrays must be rectangles, so a list of rounds travels as a text.
    let absences: Vec<String> = entries
        .iter()
        .map(|entry| array_text(&entry.absent_rounds))
        .collect();
    let withdrawn: Vec<Option<i32>> = entries
        .iter()
        .map(|entry| entry.withdrawn_after.map(json::stored))
        .collect();
    sqlx::query!(
        r#"update entries e
           set name = n.name, team = n.team, grade = n.grade, rating = n.rating, category = n.category,
               name_withheld = n.withheld
           from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::boolean[])
                as n (entry_id, name, team, grade, rating, category, withheld)
           where e.event_id = $1 and e.entry_id = n.entry_id"#,
        event.id,
        &keys,
        &names as &[&str],
        &teams as &[Option<&str>],
        &grades as &[Option<String>],
        &ratings as &[Option<i32>],
        &categories as &[Option<&str>],
        &withheld
    )
    .execute(tx.conn())
    .await?;
    sqlx::query!(
        r#"update stage_entries e
           set start_score = n.score, absent_rounds = n.absent::integer[], withdrawn_after = n.withdrawn
           from unnest($3::uuid[], $4::integer[], $5::text[], $6::integer[])
                as n (entry_id, score, absent, withdrawn)
           where e.event_id = $1 and e.stage_no = $2 and e.entry_id = n.entry_id"#,
        event.id,
        STAGE,
        &keys,
        &scores,
        &absences,
        &withdrawn as &[Option<i32>]
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}
