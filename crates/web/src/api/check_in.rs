//! Who is here (签到), leaving out who is not, and taking back what was done to many at once.

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::batches::{self, Kind};
use store::check_in::{self, Here};
use tournament::Number;
use utoipa::ToSchema;

use super::common::{
    Begun, ChangeRefusals, IdempotencyHeader, ReadRefusals, Repeatable, RightRefusals, change, changed, find,
    lock, number, tagged,
};
use super::model::{Faults, moment};
use super::sheets::FinalIn as Why;
use crate::errors::Result;
use crate::extract::{Arbiter, Caller, Director, IdempotencyKey, InJson, InPath, MaybeJson};
use crate::state::AppState;

/// Somebody who is here.
#[derive(Debug, Serialize, ToSchema)]
pub struct HereOut {
    /// The number.
    pub number: u32,
    /// Since when that is known.
    pub at: String,
    /// Who said so.
    pub by: String,
}

impl HereOut {
    fn of(number: Number, here: &Here) -> Self {
        Self {
            number: number.get(),
            at: moment(here.at),
            by: here.by.clone(),
        }
    }
}

/// Who is here, and who is not.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckInOut {
    /// The first round of the event, for which it counts.
    pub round: u32,
    /// Who is here, by number.
    pub here: Vec<HereOut>,
    /// Who is to play that round and is not here, by number.
    pub missing: Vec<u32>,
}

/// Shows who is here
///
/// For the people of the event, arbiters too.
#[utoipa::path(get, path = "/events/{event}/check-in", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = CheckInOut, headers(("ETag" = String))), RightRefusals, ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let here = check_in::list(&mut tx, event.id).await?;
    let missing = check_in::missing(&event, &here);
    let out = CheckInOut {
        round: event.stage.first_round,
        missing: missing.iter().map(|entry| entry.number.get()).collect(),
        here: here
            .iter()
            .map(|(number, here)| HereOut::of(*number, here))
            .collect(),
    };
    tagged(&headers, &caller, None, &out)
}

/// Checks somebody in
///
/// By directors and arbiters. Here already: a success that changes nothing.
#[utoipa::path(put, path = "/events/{event}/entries/{number}/check-in", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug"), ("number" = u32, Path)),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = HereOut), ChangeRefusals))]
pub async fn here(
    State(state): State<AppState>,
    Arbiter(actor): Arbiter,
    InPath((key, entry)): InPath<(String, u32)>,
    MaybeJson { value, .. }: MaybeJson<Why>,
) -> Result<Response> {
    let number = number(entry)?;
    let mut tx = state.store.begin().await?;
    let event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    check_in::set(&mut tx, &change, &event, number, true).await?;
    let here = check_in::list(&mut tx, event.id).await?;
    let out = here.get(&number).map(|here| HereOut::of(number, here));
    let response = changed(StatusCode::OK, None, &out)?;
    tx.commit().await?;
    Ok(response)
}

/// Takes a check-in back
///
/// By directors and arbiters. Not here already: a success that changes nothing.
#[utoipa::path(delete, path = "/events/{event}/entries/{number}/check-in", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug"), ("number" = u32, Path)),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Not here"), ChangeRefusals))]
pub async fn away(
    State(state): State<AppState>,
    Arbiter(actor): Arbiter,
    InPath((key, entry)): InPath<(String, u32)>,
    MaybeJson { value, .. }: MaybeJson<Why>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    check_in::set(&mut tx, &change, &event, number(entry)?, false).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// How somebody is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeaveOutWord {
    /// Sits out the first round.
    SitOut,
    /// Is withdrawn.
    Withdrawal,
}

/// Who is left out.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaveOutIn {
    /// The numbers; who is here by now stays in.
    pub numbers: Vec<u32>,
    /// How.
    pub how: LeaveOutWord,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// What was done to many at once.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeftOut {
    /// How many were left out.
    pub count: usize,
    /// What all of it is taken back by (`POST …/batches/{batch}/undo`); null when nothing was done.
    pub batch: Option<u32>,
}

/// Leaves out who is missing
///
/// Before the first round is paired: those of these numbers who are not here.
#[utoipa::path(post, path = "/events/{event}/check-in/leave-out", tag = "entries", request_body = LeaveOutIn,
    params(("event" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = LeftOut), ChangeRefusals))]
pub async fn leave_out(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    InJson { value, digest }: InJson<LeaveOutIn>,
) -> Result<Response> {
    let mut faults = Faults::default();
    let numbers = faults.numbers("numbers", &value.numbers);
    faults.none_or(())?;
    let kind = match value.how {
        LeaveOutWord::SitOut => Kind::SitOut,
        LeaveOutWord::Withdrawal => Kind::Withdrawal,
    };
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    let count = check_in::leave_out(&mut tx, &change, &mut event, kind, &numbers).await?;
    let batch = batches::last(&mut tx, event.id, &[kind]).await?;
    let batch = batch.filter(|_| count > 0).map(|batch| batch.number);
    let response = changed(StatusCode::OK, None, &LeftOut { count, batch })?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Takes back what was done to many at once
///
/// A list that was taken in, sign-ups that were confirmed, entries that were left out: all of it, or
/// nothing where an entry has changed since.
#[utoipa::path(post, path = "/events/{event}/batches/{batch}/undo", tag = "entries", request_body = Why,
    params(("event" = String, Path, description = "The id or the slug"), ("batch" = u32, Path), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Taken back"), ChangeRefusals))]
pub async fn undo(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, batch)): InPath<(String, u32)>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    MaybeJson { value, digest }: MaybeJson<Why>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    batches::undo(&mut tx, &change, &mut event, batch).await?;
    let response = repeatable
        .finish(&mut tx, &state, StatusCode::NO_CONTENT.into_response())
        .await?;
    tx.commit().await?;
    Ok(response)
}
