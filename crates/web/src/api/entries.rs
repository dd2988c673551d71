//! Entries: who plays, who sits out, leaves and returns.
#![expect(
    clippy::option_option,
    reason = "in a change, null empties and nothing leaves as it is"
)]

use std::borrow::Cow;

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::Refused;
use store::entries::{self, EntryPatch, NewEntry, Seated};
use store::events::{Event, Locked};
use store::{Change, Tx};
use tournament::{Number, Score, Stage};
use utoipa::ToSchema;

use super::BASE;
use super::common::{
    Begun, ChangeRefusals, IdempotencyHeader, PageOf, PageQuery, ReadRefusals, ReasonQuery, Repeatable, at,
    change, changed, find, lock, number, tagged,
};
use super::model::{CarriedWord, EntryOut, Faults, there};
use crate::errors::Result;
use crate::extract::{Caller, Director, IdempotencyKey, InJson, InPath, InQuery, JsonBytes, from_json};
use crate::state::AppState;

/// An entry to be added.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryIn {
    /// The number; the next free one when left out.
    #[schema(minimum = 1, maximum = 99999)]
    pub number: Option<u32>,
    /// The name.
    pub name: String,
    /// Whether the public reads the number instead of the name.
    #[serde(default)]
    pub name_withheld: bool,
    /// The club or team.
    pub team: Option<String>,
    /// The grade: `9p` … `1p`, `8d` … `1d`, `1k` … `32k`, also 九段, 5段, 3级, `5 dan`.
    #[schema(example = "5d")]
    pub grade: Option<String>,
    /// The rating.
    pub rating: Option<i32>,
    /// The category.
    pub category: Option<String>,
    /// Points before the first round; 0 when left out.
    #[serde(default)]
    pub start_score: i32,
    /// Rounds that are sat out.
    #[serde(default)]
    pub absent_rounds: Vec<u32>,
    /// Rounds in which the bye is asked for.
    #[serde(default)]
    pub bye_rounds: Vec<u32>,
    /// What is carried over from earlier rounds.
    pub carried: Option<CarriedWord>,
}

/// One entry or a list of entries.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One.
    One(EntryIn),
    /// Many: all are added or none.
    Many(Vec<EntryIn>),
}

impl EntryIn {
    fn read(self, path: &str, faults: &mut Faults) -> NewEntry {
        let at = |field: &str| {
            if path.is_empty() {
                field.to_owned()
            } else {
                format!("{path}.{field}")
            }
        };
        NewEntry {
            number: self.number.and_then(|number| faults.number(at("number"), number)),
            name: self.name,
            name_withheld: self.name_withheld,
            team: self.team,
            grade: self.grade.and_then(|grade| faults.grade(at("grade"), &grade)),
            rating: self.rating,
            category: self.category,
            start_score: Score(self.start_score),
            absent_rounds: self.absent_rounds,
            bye_rounds: self.bye_rounds,
            carried: self.carried.map(|carried| carried.read(&at("carried"), faults)),
        }
    }
}

/// The entries of an answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Entries {
    /// The entries, in the order in which they were given.
    pub items: Vec<EntryOut>,
}

/// What was added.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its description is used")]
pub enum Added {
    /// The entry, where one was sent.
    One(Box<EntryOut>),
    /// The entries, where a list was sent.
    Many(Entries),
}

/// The stage as a caller may see it.
fn seen_by<'a>(caller: &Caller, event: &'a Event) -> Cow<'a, Stage> {
    if caller.sees_all() {
        Cow::Borrowed(&event.stage)
    } else {
        Cow::Owned(event.public_stage())
    }
}

fn entry_of(stage: &Stage, number: Number) -> Result<EntryOut> {
    stage
        .entry(number)
        .map(EntryOut::from)
        .ok_or_else(|| Refused::UnknownEntry { number }.into())
}

/// Lists entries
///
/// By number.
#[utoipa::path(get, path = "/events/{event}/entries", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug"), PageQuery),
    responses((status = 200, body = PageOf<EntryOut>, headers(("ETag" = String))), ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    InQuery(page): InQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let paging = page.paging();
    let stage = seen_by(&caller, &event);
    let mut all: Vec<_> = stage.entries.iter().collect();
    all.sort_by_key(|entry| entry.number);
    let part = all
        .iter()
        .skip(usize::try_from(paging.offset).unwrap_or(usize::MAX))
        .take(usize::try_from(paging.limit).unwrap_or(usize::MAX));
    let page = PageOf {
        items: part.map(|entry| EntryOut::from(*entry)).collect(),
        total: all.len() as u64,
        offset: paging.offset,
        limit: paging.limit,
    };
    tagged(&headers, &caller, None, &page)
}

/// Adds entries
///
/// One entry (answered with the entry) or a list (answered with a list): all are added or none,
/// and every fault is listed. Somebody who is added after rounds were published is absent in those.
#[utoipa::path(post, path = "/events/{event}/entries", tag = "entries", request_body = OneOrMany,
    params(("event" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 201, description = "The entry, or `items` for a list", body = Added,
        headers(("Location" = String))), ChangeRefusals))]
pub async fn add(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    JsonBytes { bytes, digest }: JsonBytes,
) -> Result<Response> {
    let many = bytes.trim_ascii_start().starts_with(b"[");
    let given: Vec<EntryIn> = if many {
        from_json(&bytes)?
    } else {
        vec![from_json(&bytes)?]
    };
    let mut faults = Faults::default();
    let new = given
        .into_iter()
        .enumerate()
        .map(|(i, entry)| {
            let path = if many { format!("[{i}]") } else { String::new() };
            entry.read(&path, &mut faults)
        })
        .collect();
    let new: Vec<NewEntry> = faults.none_or(new)?;
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, None);
    let numbers = entries::add(&mut tx, &change, &mut event, new).await?;
    let items = numbers
        .iter()
        .map(|number| entry_of(&event.stage, *number))
        .collect::<Result<Vec<_>>>()?;
    let entries = format!("{BASE}/events/{}/entries", event.id);
    let response = match &items[..] {
        [one] if !many => at(
            changed(StatusCode::CREATED, None, one)?,
            &format!("{entries}/{}", one.number),
        )?,
        _ => at(changed(StatusCode::CREATED, None, &Entries { items })?, &entries)?,
    };
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Shows an entry
#[utoipa::path(get, path = "/events/{event}/entries/{number}", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug"), ("number" = u32, Path)),
    responses((status = 200, body = EntryOut, headers(("ETag" = String))), ReadRefusals))]
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    InPath((key, entry)): InPath<(String, u32)>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    tagged(
        &headers,
        &caller,
        None,
        &entry_of(&seen_by(&caller, &event), number(entry)?)?,
    )
}

/// A change of an entry; what is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EntryChange {
    /// The number; only before the first round.
    pub number: Option<u32>,
    /// The name.
    pub name: Option<String>,
    /// Whether the public reads the number instead of the name.
    pub name_withheld: Option<bool>,
    /// The club or team; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<String>)]
    pub team: Option<Option<String>>,
    /// The grade; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<String>)]
    pub grade: Option<Option<String>>,
    /// The rating; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<i32>)]
    pub rating: Option<Option<i32>>,
    /// The category; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<String>)]
    pub category: Option<Option<String>>,
    /// Points before the first round.
    pub start_score: Option<i32>,
    /// What is carried over; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<CarriedWord>)]
    pub carried: Option<Option<CarriedWord>>,
    /// Withdraws the entry after this round (0: plays none); null takes a withdrawal back.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<u32>)]
    pub withdrawn_after: Option<Option<u32>>,
    /// With `withdrawn_after: null`: the round from which the entry plays again; the next one to
    /// pair when left out.
    pub returns_in: Option<u32>,
    /// With a withdrawal, when a board of a published round waits for its result: the opponent
    /// wins by forfeit.
    pub opponent_wins: bool,
    /// With a withdrawal, instead of `opponent_wins`: this entry, who has the bye or no board,
    /// takes the seat.
    pub replaced_by: Option<u32>,
    /// The single rounds that are sat out, in place of those there were.
    pub absent_rounds: Option<Vec<u32>>,
    /// The rounds in which the bye is asked for, in place of those there were.
    pub bye_rounds: Option<Vec<u32>>,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// Changes an entry
///
/// Also withdraws it, takes a withdrawal back, or sets the rounds that it sits out.
#[utoipa::path(patch, path = "/events/{event}/entries/{number}", tag = "entries", request_body = EntryChange,
    params(("event" = String, Path, description = "The id or the slug"), ("number" = u32, Path)),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = EntryOut), ChangeRefusals))]
pub async fn update(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, entry)): InPath<(String, u32)>,
    InJson { value, .. }: InJson<EntryChange>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = lock(&mut tx, &key).await?;
    let entry = number(entry)?;
    if event.stage.entry(entry).is_none() {
        return Err(Refused::UnknownEntry { number: entry }.into());
    }
    let reason = value.reason.clone();
    let change = change(&state, &actor, reason.as_deref());
    let mut faults = Faults::default();
    let patch = EntryPatch {
        number: value.number.and_then(|number| faults.number("number", number)),
        name: value.name.clone(),
        name_withheld: value.name_withheld,
        team: value.team.clone(),
        grade: value
            .grade
            .as_ref()
            .map(|grade| grade.as_ref().and_then(|grade| faults.grade("grade", grade))),
        rating: value.rating,
        category: value.category.clone(),
        start_score: value.start_score.map(Score),
        bye_rounds: value.bye_rounds.clone(),
        carried: value.carried.as_ref().map(|carried| {
            carried
                .as_ref()
                .map(|carried| carried.read("carried", &mut faults))
        }),
    };
    let replaced_by = value
        .replaced_by
        .and_then(|number| faults.number("replaced_by", number));
    if value.opponent_wins && replaced_by.is_some() {
        faults.add(
            "replaced_by",
            "one-of-two",
            "opponent_wins",
            "not together with opponent_wins",
        );
    }
    faults.none_or(())?;
    let seated = match replaced_by {
        Some(number) => Seated::ReplacedBy(number),
        None if value.opponent_wins => Seated::Forfeit,
        None => Seated::Ask,
    };
    entries::update(&mut tx, &change, &mut event, entry, patch.clone()).await?;
    let entry = patch.number.unwrap_or(entry);
    presence(&mut tx, &change, &mut event, entry, seated, &value).await?;
    let response = changed(StatusCode::OK, None, &entry_of(&event.stage, entry)?)?;
    tx.commit().await?;
    Ok(response)
}

/// Withdrawal, return and absences, as far as the change speaks of them and they are not so already.
async fn presence(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    entry: Number,
    seated: Seated,
    value: &EntryChange,
) -> Result<()> {
    let now = event.stage.entry(entry).cloned();
    let Some(now) = now else {
        return Ok(());
    };
    match value.withdrawn_after {
        Some(Some(after)) if now.withdrawn_after != Some(after) => {
            entries::withdraw(tx, change, event, entry, after, seated).await?;
        }
        Some(None) if now.withdrawn_after.is_some() => {
            let round = value.returns_in.unwrap_or_else(|| event.stage.next_round());
            entries::return_to(tx, change, event, entry, round).await?;
        }
        _ => {}
    }
    if let Some(rounds) = &value.absent_rounds {
        let there = &now.absent_rounds;
        for round in rounds.iter().filter(|round| !there.contains(round)) {
            entries::sit_out(tx, change, event, entry, *round, true).await?;
        }
        for round in there.iter().filter(|round| !rounds.contains(round)) {
            entries::sit_out(tx, change, event, entry, *round, false).await?;
        }
    }
    Ok(())
}

/// Removes an entry
///
/// Only while it has had no board and no bye: whoever has played is withdrawn instead.
#[utoipa::path(delete, path = "/events/{event}/entries/{number}", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug"), ("number" = u32, Path), ReasonQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Removed"), ChangeRefusals))]
pub async fn delete(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, entry)): InPath<(String, u32)>,
    InQuery(query): InQuery<ReasonQuery>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, query.reason.as_deref());
    entries::delete(&mut tx, &change, &mut event, number(entry)?).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
