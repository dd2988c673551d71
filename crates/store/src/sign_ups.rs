//! Sign-up (报名) by players themselves, which a director confirms.
//!
//! Sign-ups are no acts on the event until somebody decides on them: they stand in a table of their
//! own, from which contacts can go, and the log tells of the decisions.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tournament::validate::{Fault, FaultKind, is_blank, text_fault};
use tournament::{Entry, Grade, Number};
use uuid::Uuid;

use crate::batches::{self, Kind};
use crate::entries::{self, NewEntry};
use crate::error::unreadable;
use crate::events::{Event, Locked, trimmed, trimmed_or_none};
use crate::json::{Word, count, stored};
use crate::log::{self, Act, Action, Subject};
use crate::{Change, Refused, Result, Tx};

/// The most sign-ups that wait for a decision in one event.
pub const WAITING_MOST: i64 = 2000;

/// Whether and how players sign up by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether they do.
    pub open: bool,
    /// Until when.
    pub closes_at: Option<DateTime<Utc>>,
    /// Beyond so many entries there is a waiting list.
    pub places: Option<u32>,
    /// What players read above the form.
    pub notice: String,
}

impl Settings {
    /// Whether a sign-up is taken at this moment.
    pub fn takes(&self, now: DateTime<Utc>) -> bool {
        self.open && self.closes_at.is_none_or(|closes| now < closes)
    }

    /// How many places are left; none where there is no limit.
    pub fn left(&self, event: &Event) -> Option<usize> {
        let entered = event
            .stage
            .entries
            .iter()
            .filter(|entry| entry.withdrawn_after.is_none())
            .count();
        let places = usize::try_from(self.places?).unwrap_or(usize::MAX);
        Some(places.saturating_sub(entered))
    }

    fn told(&self) -> Value {
        json!({
            "open": self.open,
            "closes_at": self.closes_at.map(log::exact),
            "places": self.places,
            "notice": self.notice,
        })
    }
}

/// What became of a sign-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nobody has decided.
    Waiting,
    /// It is an entry.
    Confirmed,
    /// A director has refused it.
    Refused,
    /// The player took it back.
    Withdrawn,
}

impl Status {
    /// The word that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Confirmed => "confirmed",
            Self::Refused => "refused",
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl Word for Status {
    const ALL: &'static [Self] = &[Self::Waiting, Self::Confirmed, Self::Refused, Self::Withdrawn];
    fn word(self) -> &'static str {
        self.as_str()
    }
}

/// What a player says of himself or herself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSignUp {
    /// The name.
    pub name: String,
    /// The club or team.
    pub team: Option<String>,
    /// The grade.
    pub grade: Option<Grade>,
    /// The category.
    pub category: Option<String>,
    /// Where the player is reached; only directors read it.
    pub contact: String,
    /// A word to the director.
    pub note: String,
}

/// A sign-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignUp {
    /// 1, 2, 3 … in each event, in the order in which they came.
    pub number: u32,
    /// When it came.
    pub at: DateTime<Utc>,
    /// What it says.
    pub said: NewSignUp,
    /// What became of it.
    pub status: Status,
    /// The number of the entry that came of it, while that is there.
    pub entry: Option<Number>,
    /// Who decided.
    pub decided_by: Option<String>,
    /// When.
    pub decided_at: Option<DateTime<Utc>>,
    /// Why it was refused.
    pub reason: Option<String>,
}

/// Whether and how players sign up by themselves for an event.
///
/// # Errors
/// Of the database.
pub async fn settings(tx: &mut Tx, event: Uuid) -> Result<Settings> {
    let row = sqlx::query!(
        "select is_open, closes_at, places, notice from sign_up_settings where event_id = $1",
        event
    )
    .fetch_optional(tx.conn())
    .await?;
    row.map_or_else(
        || Ok(Settings::default()),
        |row| {
            Ok(Settings {
                open: row.is_open,
                closes_at: row.closes_at,
                places: row.places.map(count).transpose()?,
                notice: row.notice,
            })
        },
    )
}

/// Sets it. The same again leaves no trace.
///
/// # Errors
/// Refused for a number of places or a notice that is out of range.
pub async fn set(tx: &mut Tx, change: &Change<'_>, event: &Locked, new: Settings) -> Result<()> {
    let old = settings(tx, event.id).await?;
    let new = Settings {
        notice: trimmed(&new.notice),
        ..new
    };
    let (Value::Object(before), Value::Object(after)) = (old.told(), new.told()) else {
        return Ok(());
    };
    let Some((before, after)) = crate::json::difference(&before, &after) else {
        return Ok(());
    };
    sqlx::query!(
        "insert into sign_up_settings (event_id, is_open, closes_at, places, notice)
         values ($1, $2, $3, $4, $5)
         on conflict (event_id) do update set is_open = $2, closes_at = $3, places = $4, notice = $5",
        event.id,
        new.open,
        new.closes_at,
        new.places.map(stored),
        new.notice
    )
    .execute(tx.conn())
    .await?;
    let act = Act::new(Action::SignUpSet, Subject::Event, before, after);
    log::append(tx, change, event.id, act).await?;
    Ok(())
}

/// Whether a character ends a line, or turns what stands after it the other way, the rest of a row of the director's
/// list too. A director may write one; of a stranger it is none.
fn turns_text(character: char) -> bool {
    matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Refuses what could not become an entry, and what no list of people should have to show.
fn check(new: &NewSignUp) -> Result<()> {
    if is_blank(&new.name) {
        return Err(Refused::EmptyName.into());
    }
    let lines = [
        ("name", Some(&new.name)),
        ("team", new.team.as_ref()),
        ("category", new.category.as_ref()),
        ("contact", Some(&new.contact)),
    ];
    let mut faults: Vec<Fault> = Vec::new();
    for (path, text) in lines {
        let turned = text.filter(|text| text.chars().any(turns_text));
        let kind = text
            .and_then(|text| text_fault(text.trim()))
            .or(turned.map(|_| FaultKind::ControlCharacter));
        faults.extend(kind.map(|kind| Fault {
            path: path.to_owned(),
            kind,
        }));
    }
    if new
        .note
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
    {
        let (path, kind) = ("note".to_owned(), FaultKind::ControlCharacter);
        faults.push(Fault { path, kind });
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Refused::Faults(faults).into())
    }
}

/// Takes a sign-up, and returns its number. `token_hash` is of the link by which the player comes
/// back to it.
///
/// # Errors
/// Refused when sign-up is closed, as it is once the event is final, or too many wait for a decision.
pub async fn add(
    tx: &mut Tx,
    now: DateTime<Utc>,
    event: Uuid,
    new: NewSignUp,
    token_hash: &[u8; 32],
) -> Result<u32> {
    check(&new)?;
    // One after another: two at the same moment have two numbers. A sign-up is no act of the log, so
    // that nothing else would keep it out of an event that is final.
    sqlx::query!(
        "select event_id from sign_up_settings where event_id = $1
           and not exists (select from log_heads where event_id = $1 and frozen_at is not null)
         for update",
        event
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::SignUpClosed)?;
    if !settings(tx, event).await?.takes(now) {
        return Err(Refused::SignUpClosed.into());
    }
    let counted = sqlx::query!(
        r#"select count(*) filter (where status = 'waiting') as "waiting!", coalesce(max(sign_up_no), 0) as "last!"
           from sign_ups where event_id = $1"#,
        event
    )
    .fetch_one(tx.conn())
    .await?;
    if counted.waiting >= WAITING_MOST {
        return Err(Refused::SignUpsFull.into());
    }
    let number = counted.last + 1;
    sqlx::query!(
        "insert into sign_ups (event_id, sign_up_no, at, name, team, grade, category, contact, note,
                               token_hash, status)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting')",
        event,
        number,
        now,
        trimmed(&new.name),
        new.team.as_deref().and_then(trimmed_or_none),
        new.grade.map(|grade| grade.to_string()),
        new.category.as_deref().and_then(trimmed_or_none),
        trimmed(&new.contact),
        trimmed(&new.note),
        &token_hash[..]
    )
    .execute(tx.conn())
    .await?;
    count(number)
}

struct Row {
    sign_up_no: i32,
    at: DateTime<Utc>,
    name: String,
    team: Option<String>,
    grade: Option<String>,
    category: Option<String>,
    contact: String,
    note: String,
    status: String,
    number: Option<i32>,
    decided_at: Option<DateTime<Utc>>,
    decided_by: Option<String>,
    reason: Option<String>,
}

impl Row {
    fn read(self) -> Result<SignUp> {
        Ok(SignUp {
            number: count(self.sign_up_no)?,
            at: self.at,
            said: NewSignUp {
                name: self.name,
                team: self.team,
                grade: self
                    .grade
                    .map(|grade| grade.parse())
                    .transpose()
                    .map_err(unreadable)?,
                category: self.category,
                contact: self.contact,
                note: self.note,
            },
            status: Status::of(&self.status)?,
            entry: self.number.map(crate::json::number).transpose()?,
            decided_at: self.decided_at,
            decided_by: self.decided_by,
            reason: self.reason,
        })
    }
}

/// All sign-ups of an event, in the order in which they came.
///
/// # Errors
/// Of the database.
pub async fn list(tx: &mut Tx, event: Uuid) -> Result<Vec<SignUp>> {
    sqlx::query_as!(
        Row,
        r#"select s.sign_up_no, s.at, s.name, s.team, s.grade, s.category, s.contact, s.note, s.status,
                  e.number as "number?", s.decided_at, s.decided_by, s.reason
           from sign_ups s left join entries e on e.event_id = s.event_id and e.entry_id = s.entry_id
           where s.event_id = $1 order by s.sign_up_no"#,
        event
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(Row::read)
    .collect()
}

/// How many wait for a decision.
///
/// # Errors
/// Of the database.
pub async fn waiting(tx: &mut Tx, event: Uuid) -> Result<usize> {
    let waiting = sqlx::query_scalar!(
        r#"select count(*) as "count!" from sign_ups where event_id = $1 and status = 'waiting'"#,
        event
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(usize::try_from(waiting).unwrap_or(0))
}

/// The sign-up of a link, with how many wait before it.
///
/// # Errors
/// Refused for a link that is not known.
pub async fn of_link(tx: &mut Tx, event: Uuid, token_hash: &[u8; 32]) -> Result<(SignUp, usize)> {
    let row = sqlx::query_as!(
        Row,
        r#"select s.sign_up_no, s.at, s.name, s.team, s.grade, s.category, s.contact, s.note, s.status,
                  e.number as "number?", s.decided_at, s.decided_by, s.reason
           from sign_ups s left join entries e on e.event_id = s.event_id and e.entry_id = s.entry_id
           where s.event_id = $1 and s.token_hash = $2"#,
        event,
        &token_hash[..]
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownSignUp)?;
    let before = sqlx::query_scalar!(
        r#"select count(*) as "count!" from sign_ups
           where event_id = $1 and status = 'waiting' and sign_up_no < $2"#,
        event,
        row.sign_up_no
    )
    .fetch_one(tx.conn())
    .await?;
    Ok((row.read()?, usize::try_from(before).unwrap_or(0)))
}

/// The player takes a sign-up back that nobody has decided on.
///
/// # Errors
/// Refused for a link that is not known, and once somebody has decided.
pub async fn withdraw(tx: &mut Tx, now: DateTime<Utc>, event: Uuid, token_hash: &[u8; 32]) -> Result<()> {
    let (sign_up, _) = of_link(tx, event, token_hash).await?;
    let changed = sqlx::query!(
        "update sign_ups set status = 'withdrawn', decided_at = $3, decided_by = name
         where event_id = $1 and token_hash = $2 and status = 'waiting'",
        event,
        &token_hash[..],
        now
    )
    .execute(tx.conn())
    .await?;
    match (changed.rows_affected(), sign_up.status) {
        (0, Status::Withdrawn) => Ok(()),
        (0, _) => Err(Refused::SignUpDecided {
            sign_up: sign_up.number,
        }
        .into()),
        _ => Ok(()),
    }
}

/// Makes entries of sign-ups, all or none, in the order given; [`batches::undo`] takes it back.
///
/// # Errors
/// Refused for one that is not there or does not wait, and for what no entry can be.
pub async fn confirm(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    sign_ups: &[u32],
) -> Result<Vec<Number>> {
    let all = list(tx, event.id).await?;
    let mut new = Vec::with_capacity(sign_ups.len());
    for &number in sign_ups {
        let sign_up = waits(&all, number)?;
        new.push(NewEntry {
            name: sign_up.said.name.clone(),
            team: sign_up.said.team.clone(),
            grade: sign_up.said.grade,
            category: sign_up.said.category.clone(),
            ..NewEntry::default()
        });
    }
    let since = batches::last_act(tx, event.id).await?;
    let numbers = entries::add(tx, change, event, new).await?;
    for (sign_up, number) in sign_ups.iter().zip(&numbers) {
        sqlx::query!(
            "update sign_ups set status = 'confirmed', entry_id = $3, decided_at = $4, decided_by = $5
             where event_id = $1 and sign_up_no = $2",
            event.id,
            stored(*sign_up),
            event.entry_id(*number)?,
            change.at,
            change.actor.name
        )
        .execute(tx.conn())
        .await?;
    }
    batches::keep(tx, change, event.id, Kind::SignUps, since).await?;
    Ok(numbers)
}

fn waits(all: &[SignUp], number: u32) -> Result<&SignUp> {
    let sign_up = all
        .iter()
        .find(|sign_up| sign_up.number == number)
        .ok_or(Refused::UnknownSignUp)?;
    match sign_up.status {
        Status::Waiting => Ok(sign_up),
        _ => Err(Refused::SignUpDecided { sign_up: number }.into()),
    }
}

/// Refuses a sign-up, with a reason that the player reads; [`put_back`] takes it back.
///
/// # Errors
/// Refused for one that is not there or does not wait.
pub async fn refuse(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &Locked,
    number: u32,
    reason: Option<&str>,
) -> Result<()> {
    waits(&list(tx, event.id).await?, number)?;
    sqlx::query!(
        "update sign_ups set status = 'refused', reason = $3, decided_at = $4, decided_by = $5
         where event_id = $1 and sign_up_no = $2",
        event.id,
        stored(number),
        reason,
        change.at,
        change.actor.name
    )
    .execute(tx.conn())
    .await?;
    decided(tx, change, event, number, Action::SignUpRefused).await
}

/// Takes a refusal back: the sign-up waits again.
///
/// # Errors
/// Refused for one that is not there, and for one that is not refused any more.
pub(crate) async fn take_refusal_back(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &Locked,
    number: u32,
) -> Result<()> {
    let all = list(tx, event.id).await?;
    let refused = |one: &&SignUp| one.number == number && one.status == Status::Refused;
    if !all.iter().any(|one| refused(&one)) {
        return Err(Refused::SignUpDecided { sign_up: number }.into());
    }
    put_back(tx, change, event, number).await
}

/// Lets a sign-up that was refused or taken back wait again.
///
/// # Errors
/// Refused for one that is not there or was confirmed: an entry is removed, or its confirmation undone.
pub async fn put_back(tx: &mut Tx, change: &Change<'_>, event: &Locked, number: u32) -> Result<()> {
    let all = list(tx, event.id).await?;
    let sign_up = all
        .iter()
        .find(|sign_up| sign_up.number == number)
        .ok_or(Refused::UnknownSignUp)?;
    match sign_up.status {
        Status::Waiting => return Ok(()),
        // An entry that is gone leaves its sign-up free to wait again.
        Status::Confirmed if sign_up.entry.is_some() => {
            return Err(Refused::SignUpDecided { sign_up: number }.into());
        }
        _ => {}
    }
    sqlx::query!(
        "update sign_ups set status = 'waiting', entry_id = null, reason = null, decided_at = null,
                decided_by = null
         where event_id = $1 and sign_up_no = $2",
        event.id,
        stored(number)
    )
    .execute(tx.conn())
    .await?;
    decided(tx, change, event, number, Action::SignUpPutBack).await
}

/// The log tells of a sign-up by its number alone: what somebody wrote of himself or herself stays
/// out of what can never be changed.
async fn decided(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &Locked,
    number: u32,
    action: Action,
) -> Result<()> {
    let act = Act::new(action, Subject::Event, Value::Null, json!({"sign_up": number}));
    log::append(tx, change, event.id, act).await?;
    Ok(())
}

/// The entry that a sign-up is probably of already: the same name, and no other team.
pub fn probably<'e>(event: &'e Event, said: &NewSignUp) -> Option<&'e Entry> {
    use interchange::names::search_key;
    let key = search_key(&said.name);
    event.stage.entries.iter().find(|entry| {
        let teams = entry.team.as_deref().zip(said.team.as_deref());
        search_key(&entry.name) == key
            && teams.is_none_or(|(one, other)| search_key(one) == search_key(other))
    })
}
