//! Entries: who plays, who comes late, sits out, leaves and returns.

use std::collections::BTreeMap;

use serde_json::Value;
use tournament::validate::Fault;
use tournament::{Carried, Entry, Grade, Number, Outcome, Score};
use uuid::Uuid;

use crate::events::{Event, Locked, RoundStatus, trimmed, trimmed_or_none};
use crate::json::{self, stored};
use crate::load::{GROUP, STAGE};
use crate::log::{self, Act, Action, Subject};
use crate::results::{self, ResultInput};
use crate::{Change, Refused, Result, Tx, rounds};

/// An entry to be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewEntry {
    /// Its number; none for the next free one.
    pub number: Option<Number>,
    /// Its name, kept as given but for white space around it.
    pub name: String,
    /// Whether the public reads the number instead of the name.
    pub name_withheld: bool,
    /// The club or team.
    pub team: Option<String>,
    /// The grade.
    pub grade: Option<Grade>,
    /// The rating.
    pub rating: Option<i32>,
    /// The category.
    pub category: Option<String>,
    /// Points before the first round.
    pub start_score: Score,
    /// Rounds it sits out.
    pub absent_rounds: Vec<u32>,
    /// Rounds in which it has asked for the bye.
    pub bye_rounds: Vec<u32>,
    /// What is carried over.
    pub carried: Option<Carried>,
}

/// What is to be changed of an entry; what is `None` stays as it is, `Some(None)` empties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryPatch {
    /// The number; only before the first round.
    pub number: Option<Number>,
    /// The name.
    pub name: Option<String>,
    /// Whether the public reads the number instead of the name.
    pub name_withheld: Option<bool>,
    /// The club or team.
    pub team: Option<Option<String>>,
    /// The grade.
    pub grade: Option<Option<Grade>>,
    /// The rating.
    pub rating: Option<Option<i32>>,
    /// The category.
    pub category: Option<Option<String>>,
    /// Points before the first round.
    pub start_score: Option<Score>,
    /// Rounds in which it has asked for the bye.
    pub bye_rounds: Option<Vec<u32>>,
    /// What is carried over.
    pub carried: Option<Option<Carried>>,
}

/// What becomes of the board of somebody who leaves at once, with the round already paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seated {
    /// Nothing is decided: the withdrawal is refused and the refusal says what can be chosen.
    #[default]
    Ask,
    /// The opponent wins by forfeit.
    Forfeit,
    /// This entry, who has the bye or no board, takes the seat.
    ReplacedBy(Number),
}

/// Adds entries, all or none, and returns their numbers in the order given. Somebody who comes
/// when rounds are published is absent in those.
///
/// # Errors
/// Refused with every fault: a number that is taken, an empty name, a value out of range.
pub async fn add(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    new: Vec<NewEntry>,
) -> Result<Vec<Number>> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let missed: Vec<u32> = event
        .rounds
        .iter()
        .filter(|info| info.status == RoundStatus::Published)
        .map(|info| info.round)
        .collect();
    let mut stage = event.stage.clone();
    let there = stage.entries.len();
    let mut last = stage
        .entries
        .iter()
        .map(|entry| entry.number.get())
        .max()
        .unwrap_or(0);
    last = new
        .iter()
        .filter_map(|entry| entry.number)
        .map(Number::get)
        .fold(last, u32::max);
    for new in new {
        let number = match new.number {
            Some(number) => number,
            None => Number::new(last + 1).ok_or(Refused::NoNumberLeft { last })?,
        };
        if new.number.is_none() {
            last += 1;
        }
        for round in new.absent_rounds.iter().chain(&new.bye_rounds) {
            within_event(event, 1, *round)?;
        }
        let mut entry = Entry {
            number,
            name: trimmed(&new.name),
            name_withheld: new.name_withheld,
            team: new.team.as_deref().and_then(trimmed_or_none),
            grade: new.grade,
            rating: new.rating,
            category: new.category.as_deref().and_then(trimmed_or_none),
            start_score: new.start_score,
            absent_rounds: new.absent_rounds,
            bye_rounds: new.bye_rounds,
            withdrawn_after: None,
            carried: new.carried,
        };
        entry.absent_rounds.extend(&missed);
        in_order(&mut entry);
        stage.entries.push(entry);
    }
    let faults = tournament::validate::faults(&stage);
    if !faults.is_empty() {
        return Err(Refused::Faults(faults.into_iter().map(|fault| in_list(fault, there)).collect()).into());
    }
    let added = &stage.entries[there..];
    let mut ids = event.0.ids.clone();
    ids.extend(added.iter().map(|entry| (entry.number, Uuid::now_v7())));
    insert(tx, event.id, added, &ids).await?;
    let acts: Vec<Act> = added
        .iter()
        .map(|entry| {
            let after = Value::Object(json::entry(entry));
            Act::new(
                Action::EntryAdded,
                Subject::Entry(entry.number),
                Value::Null,
                after,
            )
            .of_entry(ids[&entry.number])
        })
        .collect();
    let taken = log::take(tx.conn(), event.id, acts.len()).await?;
    log::write(tx, change, event.id, taken, acts).await?;
    let numbers = added.iter().map(|entry| entry.number).collect();
    event.reload(tx).await?;
    Ok(numbers)
}

/// A fault in the list of all entries as one in the list that was given.
fn in_list(mut fault: Fault, there: usize) -> Fault {
    let given = fault
        .path
        .strip_prefix("entries[")
        .and_then(|rest| rest.split_once(']'))
        .and_then(|(index, field)| Some((index.parse::<usize>().ok()?.checked_sub(there)?, field)));
    if let Some((index, field)) = given {
        fault.path = format!("entries[{index}]{field}");
    }
    fault
}

/// Rounds in order, each once.
pub(crate) fn in_order(entry: &mut Entry) {
    for rounds in [&mut entry.absent_rounds, &mut entry.bye_rounds] {
        rounds.sort_unstable();
        rounds.dedup();
    }
}

/// Writes entries that are new.
pub(crate) async fn insert(
    tx: &mut Tx,
    event: Uuid,
    entries: &[Entry],
    ids: &BTreeMap<Number, Uuid>,
) -> Result<()> {
    let mut keys = Vec::new();
    for entry in entries {
        let number = entry.number;
        keys.push(*ids.get(&number).ok_or(Refused::UnknownEntry { number })?);
    }
    let numbers: Vec<i32> = entries.iter().map(|entry| stored(entry.number.get())).collect();
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let withheld: Vec<bool> = entries.iter().map(|entry| entry.name_withheld).collect();
    let teams: Vec<Option<&str>> = entries.iter().map(|entry| entry.team.as_deref()).collect();
    let grades: Vec<Option<String>> = entries
        .iter()
        .map(|entry| entry.grade.map(|grade| grade.to_string()))
        .collect();
    let ratings: Vec<Option<i32>> = entries.iter().map(|entry| entry.rating).collect();
    let categories: Vec<Option<&str>> = entries.iter().map(|entry| entry.category.as_deref()).collect();
    sqlx::query!(
        r#"insert into entries (event_id, group_no, kind, entry_id, number, name, team, grade, rating,
                                category, name_withheld)
           select $1, $2, 'player', e.*
           from unnest($3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::integer[],
                       $9::text[], $10::boolean[]) e"#,
        event,
        GROUP,
        &keys,
        &numbers,
        &names as &[&str],
        &teams as &[Option<&str>],
        &grades as &[Option<String>],
        &ratings as &[Option<i32>],
        &categories as &[Option<&str>],
        &withheld
    )
    .execute(tx.conn())
    .await?;
    let start_scores: Vec<i32> = entries.iter().map(|entry| entry.start_score.0).collect();
    let withdrawn: Vec<Option<i32>> = entries
        .iter()
        .map(|entry| entry.withdrawn_after.map(stored))
        .collect();
    let scores: Vec<Option<i32>> = entries
        .iter()
        .map(|entry| entry.carried.as_ref().map(|carried| carried.score.0))
        .collect();
    let balances: Vec<Option<i32>> = entries
        .iter()
        .map(|entry| entry.carried.as_ref().map(|carried| carried.balance))
        .collect();
    // Arrays of arrays must be rectangles, so a list of rounds travels as a text.
    let absences: Vec<String> = entries
        .iter()
        .map(|entry| array_text(&entry.absent_rounds))
        .collect();
    let byes: Vec<String> = entries
        .iter()
        .map(|entry| array_text(&entry.bye_rounds))
        .collect();
    sqlx::query!(
        r#"insert into stage_entries (event_id, stage_no, entry_id, start_score, absent_rounds, bye_rounds,
                                      withdrawn_after, carried_score, carried_balance)
           select $1, $2, e.entry_id, e.start_score, e.absent::integer[], e.byes::integer[], e.withdrawn,
                  e.score, e.balance
           from unnest($3::uuid[], $4::integer[], $5::text[], $6::text[], $7::integer[], $8::integer[],
                       $9::integer[])
                as e (entry_id, start_score, absent, byes, withdrawn, score, balance)"#,
        event,
        STAGE,
        &keys,
        &start_scores,
        &absences,
        &byes,
        &withdrawn as &[Option<i32>],
        &scores as &[Option<i32>],
        &balances as &[Option<i32>]
    )
    .execute(tx.conn())
    .await?;
    for entry in entries {
        if let Some(carried) = &entry.carried {
            write_meetings(tx, event, entry.number, carried, ids).await?;
        }
    }
    Ok(())
}

pub(crate) fn array_text(rounds: &[u32]) -> String {
    let rounds: Vec<String> = rounds.iter().map(u32::to_string).collect();
    format!("{{{}}}", rounds.join(","))
}

async fn write_meetings(
    tx: &mut Tx,
    event: Uuid,
    number: Number,
    carried: &Carried,
    ids: &BTreeMap<Number, Uuid>,
) -> Result<()> {
    let key = |number| ids.get(&number).copied().ok_or(Refused::UnknownEntry { number });
    let opponents = carried
        .met
        .iter()
        .map(|number| key(*number))
        .collect::<std::result::Result<Vec<Uuid>, _>>()?;
    sqlx::query!(
        r#"insert into carried_meetings (event_id, stage_no, entry_id, position, opponent_id)
           select $1, $2, $3, o.position, o.opponent_id
           from unnest($4::uuid[]) with ordinality as o (opponent_id, position)"#,
        event,
        STAGE,
        key(number)?,
        &opponents
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Replaces an entry by what it is to be, with one act in the log. Nothing different: no trace.
pub(crate) async fn replace(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    action: Action,
    mut new: Entry,
) -> Result<()> {
    in_order(&mut new);
    let mut stage = event.stage.clone();
    let old = stage
        .entries
        .iter_mut()
        .find(|entry| entry.number == number)
        .ok_or(Refused::UnknownEntry { number })?;
    let Some((before, after)) = json::difference(&json::entry(old), &json::entry(&new)) else {
        return Ok(());
    };
    let carried_changed = old.carried != new.carried;
    *old = new.clone();
    // Pairs and lots belong to the entry, whatever its number.
    let renamed = |other: &mut Number| {
        if *other == number {
            *other = new.number;
        }
    };
    let pairing = &mut stage.pairing;
    for (one, other) in pairing
        .forbidden_pairs
        .iter_mut()
        .chain(&mut pairing.unwanted_pairs)
    {
        renamed(one);
        renamed(other);
    }
    stage
        .ranking
        .lots
        .iter_mut()
        .for_each(|(other, _)| renamed(other));
    let faults = tournament::validate::faults(&stage);
    if !faults.is_empty() {
        return Err(Refused::Faults(faults).into());
    }
    let id = event.entry_id(number)?;
    sqlx::query!(
        r#"update entries set number = $3, name = $4, team = $5, grade = $6, rating = $7, category = $8,
                  name_withheld = $9
           where event_id = $1 and entry_id = $2"#,
        event.id,
        id,
        stored(new.number.get()),
        new.name,
        new.team,
        new.grade.map(|grade| grade.to_string()),
        new.rating,
        new.category,
        new.name_withheld
    )
    .execute(tx.conn())
    .await?;
    let rounds = |rounds: &[u32]| -> Vec<i32> { rounds.iter().copied().map(stored).collect() };
    sqlx::query!(
        r#"update stage_entries set start_score = $4, absent_rounds = $5, bye_rounds = $6,
                  withdrawn_after = $7, carried_score = $8, carried_balance = $9
           where event_id = $1 and stage_no = $2 and entry_id = $3"#,
        event.id,
        STAGE,
        id,
        new.start_score.0,
        &rounds(&new.absent_rounds),
        &rounds(&new.bye_rounds),
        new.withdrawn_after.map(stored),
        new.carried.as_ref().map(|carried| carried.score.0),
        new.carried.as_ref().map(|carried| carried.balance)
    )
    .execute(tx.conn())
    .await?;
    if carried_changed {
        sqlx::query!(
            "delete from carried_meetings where event_id = $1 and stage_no = $2 and entry_id = $3",
            event.id,
            STAGE,
            id
        )
        .execute(tx.conn())
        .await?;
        if let Some(carried) = &new.carried {
            let mut ids = event.0.ids.clone();
            ids.insert(new.number, id);
            write_meetings(tx, event.id, new.number, carried, &ids).await?;
        }
    }
    let act = Act::new(action, Subject::Entry(new.number), before, after)
        .of_entry(id)
        .seen_in(event);
    log::append(tx, change, event.id, act).await?;
    event.reload(tx).await
}

fn entry(event: &Locked, number: Number) -> Result<Entry> {
    let entry = event
        .stage
        .entry(number)
        .ok_or(Refused::UnknownEntry { number })?;
    Ok(entry.clone())
}

/// Numbers are drawn before the first round and fixed from then on.
pub(crate) fn numbers_are_fixed(event: &Event) -> bool {
    !event.stage.rounds.is_empty() || event.stage.entries.iter().any(|entry| entry.carried.is_some())
}

/// Changes an entry. A patch that changes nothing leaves no trace.
///
/// # Errors
/// Refused for an unknown number, a number that is taken, a number after the first round, or a fault.
pub async fn update(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    patch: EntryPatch,
) -> Result<()> {
    fn set<T>(field: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *field = value;
        }
    }
    let mut new = entry(event, number)?;
    if let Some(wanted) = patch.number.filter(|wanted| *wanted != number) {
        if numbers_are_fixed(event) {
            return Err(Refused::NumbersFixed.into());
        }
        if event.stage.entry(wanted).is_some() {
            return Err(Refused::NumberTaken { number: wanted }.into());
        }
        new.number = wanted;
    }
    set(&mut new.name, patch.name.as_deref().map(trimmed));
    set(&mut new.name_withheld, patch.name_withheld);
    set(
        &mut new.team,
        patch.team.map(|team| team.as_deref().and_then(trimmed_or_none)),
    );
    set(&mut new.grade, patch.grade);
    set(&mut new.rating, patch.rating);
    set(
        &mut new.category,
        patch
            .category
            .map(|category| category.as_deref().and_then(trimmed_or_none)),
    );
    set(&mut new.start_score, patch.start_score);
    for round in patch.bye_rounds.iter().flatten() {
        if !new.bye_rounds.contains(round) {
            within_event(event, 1, *round)?;
        }
    }
    set(&mut new.bye_rounds, patch.bye_rounds);
    set(&mut new.carried, patch.carried);
    replace(tx, change, event, number, Action::EntryUpdated, new).await
}

/// Removes an entry that has had no board and no bye; its number stays vacant.
///
/// # Errors
/// Refused for an unknown number, and for an entry that has played: withdraw it instead.
pub async fn delete(tx: &mut Tx, change: &Change<'_>, event: &mut Locked, number: Number) -> Result<()> {
    let entry = entry(event, number)?;
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
    let by: Vec<Number> = event
        .stage
        .entries
        .iter()
        .filter(|other| {
            other
                .carried
                .as_ref()
                .is_some_and(|carried| carried.met.contains(&number))
        })
        .map(|other| other.number)
        .collect();
    if !by.is_empty() {
        return Err(Refused::MetInCarried { number, by }.into());
    }
    let id = event.entry_id(number)?;
    sqlx::query!(
        "delete from entries where event_id = $1 and entry_id = $2",
        event.id,
        id
    )
    .execute(tx.conn())
    .await?;
    let before = Value::Object(json::entry(&entry));
    let act = Act::new(Action::EntryDeleted, Subject::Entry(number), before, Value::Null).of_entry(id);
    log::append(tx, change, event.id, act).await?;
    event.reload(tx).await
}

/// Refuses a round that the event does not have; 0 stands for before the first.
fn within_event(event: &Locked, least: u32, round: u32) -> std::result::Result<(), Refused> {
    let planned = event.stage.rounds_planned;
    // What is too early has refusals of its own.
    if round > planned || (round == 0 && least > 0) {
        return Err(Refused::BeyondRounds {
            round,
            least: least.min(planned),
            planned,
        });
    }
    Ok(())
}

/// Withdraws an entry: it is not paired after round `after` (0: plays none).
///
/// # Errors
/// Refused for an unknown number, when already withdrawn, when a published round later than
/// `after` has a result of the entry, or when it has a pending board there and `seated` does not
/// say what becomes of it.
pub async fn withdraw(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    after: u32,
    seated: Seated,
) -> Result<()> {
    let mut new = entry(event, number)?;
    within_event(event, 0, after)?;
    match new.withdrawn_after {
        // Asked for again, as after a lost answer.
        Some(already) if already == after => return Ok(()),
        Some(after) => return Err(Refused::AlreadyWithdrawn { number, after }.into()),
        None => {}
    }
    new.withdrawn_after = Some(after);
    let later: Vec<u32> = event
        .rounds
        .iter()
        .filter(|info| info.status == RoundStatus::Published && info.round > after)
        .map(|info| info.round)
        .collect();
    for &round in &later {
        let Some(table) = event.stage.rounds.iter().find(|table| table.round == round) else {
            continue;
        };
        let Some((board, _)) = table.board_of(number) else {
            continue;
        };
        if board.result.is_some() {
            return Err(Refused::PlayedLater { number, round }.into());
        }
        if seated == Seated::Ask {
            let board = board.board;
            return Err(Refused::SeatedNow { number, round, board }.into());
        }
    }
    replace(tx, change, event, number, Action::EntryWithdrawn, new).await?;
    for round in later {
        leave(tx, change, event, number, round, seated).await?;
    }
    Ok(())
}

/// Clears the place of somebody who has left in a published round.
async fn leave(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    round: u32,
    seated: Seated,
) -> Result<()> {
    let Some(table) = event.stage.rounds.iter().find(|table| table.round == round) else {
        return Ok(());
    };
    if let Some((board, side)) = table.board_of(number) {
        let board = board.board;
        match seated {
            Seated::Ask => return Err(Refused::SeatedNow { number, round, board }.into()),
            Seated::ReplacedBy(into) => {
                rounds::replace(tx, change, event, round, (number, into), None).await?;
            }
            Seated::Forfeit => {
                let result = match side {
                    tournament::Side::Black => Outcome::BlackForfeit,
                    tournament::Side::White => Outcome::WhiteForfeit,
                };
                let input = ResultInput {
                    result: Some(result),
                    ..ResultInput::default()
                };
                results::put(tx, change, event.id, round, board, None, input).await?;
                event.reload(tx).await?;
            }
        }
    } else if table.byes.contains(&number) {
        rounds::lose_bye(tx, change, event, round, number).await?;
    }
    Ok(())
}

/// Takes a withdrawal back: the entry plays again from `round`; rounds missed meanwhile are
/// absences. When `round` is paired already, [`crate::rounds::seat`] can give it a board.
///
/// # Errors
/// Refused for an unknown number, or when the entry is not withdrawn or `round` is not after its last.
pub async fn return_to(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    round: u32,
) -> Result<()> {
    let mut new = entry(event, number)?;
    let after = new.withdrawn_after.ok_or(Refused::NotWithdrawn { number })?;
    within_event(event, after + 1, round)?;
    if round <= after {
        return Err(Refused::ReturnTooEarly { number, after }.into());
    }
    new.withdrawn_after = None;
    let missed = (after + 1).max(event.stage.first_round)..round.min(tournament::validate::ROUNDS_LIMIT);
    new.absent_rounds.extend(missed);
    replace(tx, change, event, number, Action::EntryReturned, new).await
}

/// Sets whether an entry sits out a round.
///
/// # Errors
/// Refused for an unknown number, for a published round in which the entry has a board or bye, and,
/// when it is not to sit out, for a published round in which it has no place at all.
pub async fn sit_out(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    round: u32,
    out: bool,
) -> Result<()> {
    let mut new = entry(event, number)?;
    if out {
        within_event(event, 1, round)?;
    }
    let published = event
        .round_info(round)
        .is_some_and(|info| info.status == RoundStatus::Published);
    let table = event.stage.rounds.iter().find(|table| table.round == round);
    let table = table.filter(|_| published);
    let on_table =
        table.is_some_and(|table| table.board_of(number).is_some() || table.byes.contains(&number));
    if out && on_table {
        return Err(Refused::OnTable { number, round }.into());
    }
    // Who came after the round was published would be nowhere in it.
    if !out && !on_table && table.is_some_and(|table| !table.absent.contains(&number)) {
        return Err(Refused::HasNoPlace { number, round }.into());
    }
    new.absent_rounds.retain(|absent| *absent != round);
    let action = if out {
        new.absent_rounds.push(round);
        Action::EntrySitsOut
    } else {
        Action::EntryPlays
    };
    replace(tx, change, event, number, action, new).await
}
