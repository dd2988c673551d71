//! Sign-up (报名) by players themselves, and what directors decide.

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::sign_ups::{self, NewSignUp, Settings, SignUp};
use store::{Refused, batches};
use utoipa::ToSchema;

use super::common::{
    Begun, ChangeRefusals, IdempotencyHeader, ReadRefusals, Repeatable, RightRefusals, at, change, changed,
    find, lock, tagged,
};
use super::model::{Faults, moment};
use super::sheets::FinalIn as Why;
use crate::auth;
use crate::errors::{Problem, Result};
use crate::extract::{Caller, Director, IdempotencyKey, InJson, InPath, MaybeJson, Peer};
use crate::state::AppState;

/// Whether and how players sign up.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SettingsOut {
    /// Whether they do.
    pub open: bool,
    /// Until when.
    pub closes_at: Option<String>,
    /// Beyond so many entries there is a waiting list; null for no limit.
    pub places: Option<u32>,
    /// How many of them are left.
    pub left: Option<usize>,
    /// What players read above the form.
    pub notice: String,
    /// Whether a sign-up is taken now.
    pub takes: bool,
}

impl SettingsOut {
    fn of(settings: Settings, event: &store::events::Event, now: DateTime<Utc>) -> Self {
        Self {
            takes: settings.takes(now),
            left: settings.left(event),
            open: settings.open,
            closes_at: settings.closes_at.map(moment),
            places: settings.places,
            notice: settings.notice,
        }
    }
}

/// Whether and how players sign up; all of it is replaced.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsIn {
    /// Whether they do.
    pub open: bool,
    /// Until when; always when left out.
    #[serde(default)]
    pub closes_at: Option<DateTime<Utc>>,
    /// Beyond so many entries there is a waiting list, 1 to 20000; no limit when left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 20000)]
    pub places: Option<u32>,
    /// What players read above the form, up to 2000 characters.
    #[serde(default)]
    pub notice: String,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Shows whether players can sign up
#[utoipa::path(get, path = "/events/{event}/sign-ups/settings", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug")),
    responses((status = 200, body = SettingsOut, headers(("ETag" = String))), ReadRefusals))]
pub async fn settings(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let settings = sign_ups::settings(&mut tx, event.id).await?;
    let out = SettingsOut::of(settings, &event, state.clock.now());
    tagged(&headers, &caller, None, &out)
}

/// Sets whether and how players sign up
///
/// The same again is a success that changes nothing.
#[utoipa::path(put, path = "/events/{event}/sign-ups/settings", tag = "entries", request_body = SettingsIn,
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = SettingsOut), ChangeRefusals))]
pub async fn set(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    InJson { value, .. }: InJson<SettingsIn>,
) -> Result<Response> {
    if let Some(places) = value.places.filter(|places| !(1..=20_000).contains(places)) {
        return Err(wrong("not-places").arg("found", places).into());
    }
    if value.notice.chars().count() > 2000 {
        return Err(wrong("notice-too-long").into());
    }
    let mut tx = state.store.begin().await?;
    let event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    let new = Settings {
        open: value.open,
        closes_at: value.closes_at,
        places: value.places,
        notice: value.notice,
    };
    sign_ups::set(&mut tx, &change, &event, new).await?;
    let settings = sign_ups::settings(&mut tx, event.id).await?;
    let response = changed(
        StatusCode::OK,
        None,
        &SettingsOut::of(settings, &event, state.clock.now()),
    )?;
    tx.commit().await?;
    Ok(response)
}

/// A sign-up, for directors.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignUpOut {
    /// 1, 2, 3 … in the order in which they came.
    pub number: u32,
    /// When it came.
    pub at: String,
    /// The name.
    pub name: String,
    /// The club or team.
    pub team: Option<String>,
    /// The grade.
    pub grade: Option<String>,
    /// The category.
    pub category: Option<String>,
    /// Where the player is reached.
    pub contact: String,
    /// A word to the director.
    pub note: String,
    /// `waiting`, `confirmed`, `refused` or `withdrawn`.
    pub status: &'static str,
    /// The number of the entry that came of it, while that is there.
    pub entry: Option<u32>,
    /// When it was decided.
    pub decided_at: Option<String>,
    /// Who decided.
    pub decided_by: Option<String>,
    /// Why it was refused.
    pub reason: Option<String>,
}

impl From<SignUp> for SignUpOut {
    fn from(one: SignUp) -> Self {
        Self {
            number: one.number,
            at: moment(one.at),
            name: one.said.name,
            team: one.said.team,
            grade: one.said.grade.map(|grade| grade.to_string()),
            category: one.said.category,
            contact: one.said.contact,
            note: one.said.note,
            status: one.status.as_str(),
            entry: one.entry.map(tournament::Number::get),
            decided_at: one.decided_at.map(moment),
            decided_by: one.decided_by,
            reason: one.reason,
        }
    }
}

/// The sign-ups of an event.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignUps {
    /// In the order in which they came.
    pub items: Vec<SignUpOut>,
}

/// Lists sign-ups
///
/// With contacts: for those who see what directors see.
#[utoipa::path(get, path = "/events/{event}/sign-ups", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = SignUps, headers(("ETag" = String))), RightRefusals, ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let items = sign_ups::list(&mut tx, event.id).await?;
    let items = items.into_iter().map(SignUpOut::from).collect();
    tagged(&headers, &caller, None, &SignUps { items })
}

/// What a player says of himself or herself.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignUpIn {
    /// The secret of the link that will lead back: 32 hexadecimal digits of the caller's own choice. The
    /// same once more is answered as the first time.
    #[schema(example = "5f0c7d1e9a3b48f2a6c4d0e1b2a39487")]
    pub key: String,
    /// The name, up to 200 characters.
    pub name: String,
    /// The club or team.
    #[serde(default)]
    pub team: Option<String>,
    /// The grade, in any spelling.
    #[serde(default)]
    pub grade: Option<String>,
    /// The category.
    #[serde(default)]
    pub category: Option<String>,
    /// Where the player is reached; only directors read it.
    pub contact: String,
    /// A word to the director, up to 1000 characters.
    #[serde(default)]
    pub note: String,
}

/// What became of a sign-up, for whoever has its key.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnSignUp {
    /// The name.
    pub name: String,
    /// `waiting`, `confirmed`, `refused` or `withdrawn`.
    pub status: &'static str,
    /// How many wait before it.
    pub before: usize,
    /// The number of the entry that came of it.
    pub entry: Option<u32>,
    /// Why it was refused.
    pub reason: Option<String>,
}

fn wrong(code: &'static str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

async fn own(tx: &mut store::Tx, event: uuid::Uuid, key: &str) -> Result<OwnSignUp> {
    let (one, before) = sign_ups::of_link(tx, event, &hash(key)).await?;
    Ok(OwnSignUp {
        name: one.said.name,
        status: one.status.as_str(),
        before,
        entry: one.entry.map(tournament::Number::get),
        reason: one.reason,
    })
}

impl SignUpIn {
    fn read(&self) -> Result<NewSignUp> {
        const MOST: usize = 200;
        let mut faults = Faults::default();
        if self.key.len() != 32 || !self.key.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            faults.add("key", "not-a-key", &self.key, "32 hexadecimal digits");
        }
        if self.name.trim().is_empty() {
            return Err(wrong("sign-up-without-name").into());
        }
        if self.contact.trim().is_empty() {
            return Err(wrong("sign-up-without-contact").into());
        }
        let some = |text: &Option<String>| text.clone().unwrap_or_default().trim().to_owned();
        let (team, category) = (some(&self.team), some(&self.category));
        let long = [&self.name, &self.contact, &team, &category]
            .iter()
            .any(|text| text.chars().count() > MOST);
        if long || self.note.chars().count() > 1000 {
            return Err(wrong("sign-up-too-long").into());
        }
        let grade = self
            .grade
            .as_deref()
            .and_then(|grade| faults.grade("grade", grade));
        faults.none_or(NewSignUp {
            name: self.name.clone(),
            team: Some(team).filter(|team| !team.is_empty()),
            grade,
            category: Some(category).filter(|category| !category.is_empty()),
            contact: self.contact.clone(),
            note: self.note.clone(),
        })
    }
}

/// Signs a player up
///
/// While that is open, by anybody; a director decides. So many from one address are taken in a while.
#[utoipa::path(post, path = "/events/{event}/sign-ups", tag = "entries", request_body = SignUpIn,
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = []), ()),
    responses((status = 201, body = OwnSignUp, headers(("Location" = String))),
        (status = 200, body = OwnSignUp, description = "This key has signed up already"), ChangeRefusals,
        (status = 429, description = "Too many from this address", body = crate::errors::ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn sign_up(
    State(state): State<AppState>,
    caller: Caller,
    peer: Peer,
    InPath(key): InPath<String>,
    InJson { value, .. }: InJson<SignUpIn>,
) -> Result<Response> {
    let new = value.read()?;
    let mut tx = state.store.begin().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let status = match sign_ups::of_link(&mut tx, event.id, &hash(&value.key)).await {
        Ok(_) => StatusCode::OK,
        Err(store::Error::Refused(Refused::UnknownSignUp)) => {
            auth::sign_up(&state, peer, &event.slug)?;
            sign_ups::add(&mut tx, state.clock.now(), event.id, new, &hash(&value.key)).await?;
            StatusCode::CREATED
        }
        Err(error) => return Err(error.into()),
    };
    let response = changed(status, None, &own(&mut tx, event.id, &value.key).await?)?;
    let place = format!("{}/events/{}/sign-up/{}", super::BASE, event.id, value.key);
    let response = at(response, &place)?;
    tx.commit().await?;
    Ok(response)
}

/// Shows what became of a sign-up
///
/// For whoever has its key.
#[utoipa::path(get, path = "/events/{event}/sign-up/{key}", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug"), ("key" = String, Path)),
    responses((status = 200, body = OwnSignUp), ReadRefusals))]
pub async fn own_sign_up(
    State(state): State<AppState>,
    caller: Caller,
    InPath((event, key)): InPath<(String, String)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &event, &caller).await?;
    changed(StatusCode::OK, None, &own(&mut tx, event.id, &key).await?)
}

/// Takes one's own sign-up back
///
/// As long as nobody has decided.
#[utoipa::path(delete, path = "/events/{event}/sign-up/{key}", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug"), ("key" = String, Path)),
    security(("token" = []), ("session" = []), ()),
    responses((status = 204, description = "Taken back"), ChangeRefusals))]
pub async fn take_back(
    State(state): State<AppState>,
    caller: Caller,
    InPath((event, key)): InPath<(String, String)>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = find(&mut tx, &event, &caller).await?;
    sign_ups::withdraw(&mut tx, state.clock.now(), event.id, &hash(&key)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Which sign-ups become entries.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmIn {
    /// Their numbers, in the order in which they are entered.
    pub sign_ups: Vec<u32>,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Sign-ups that became entries.
#[derive(Debug, Serialize, ToSchema)]
pub struct Confirmed {
    /// The numbers of the entries, in the order of the sign-ups.
    pub numbers: Vec<u32>,
    /// What all of it is taken back by (`POST …/batches/{batch}/undo`).
    pub batch: Option<u32>,
}

/// Confirms sign-ups
///
/// All of them or none.
#[utoipa::path(post, path = "/events/{event}/sign-ups/confirm", tag = "entries", request_body = ConfirmIn,
    params(("event" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = Confirmed), ChangeRefusals))]
pub async fn confirm(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    InJson { value, digest }: InJson<ConfirmIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    let numbers = sign_ups::confirm(&mut tx, &change, &mut event, &value.sign_ups).await?;
    let batch = batches::last(&mut tx, event.id, &[batches::Kind::SignUps]).await?;
    let out = Confirmed {
        batch: batch.filter(|_| !numbers.is_empty()).map(|batch| batch.number),
        numbers: numbers.iter().map(|number| number.get()).collect(),
    };
    let response = repeatable
        .finish(&mut tx, &state, changed(StatusCode::OK, None, &out)?)
        .await?;
    tx.commit().await?;
    Ok(response)
}

/// Refuses a sign-up
///
/// With a reason that the player reads.
#[utoipa::path(post, path = "/events/{event}/sign-ups/{sign_up}/refuse", tag = "entries", request_body = Why,
    params(("event" = String, Path, description = "The id or the slug"), ("sign_up" = u32, Path), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Refused"), ChangeRefusals))]
pub async fn refuse(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, sign_up)): InPath<(String, u32)>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    MaybeJson { value, digest }: MaybeJson<Why>,
) -> Result<Response> {
    let reason = value
        .reason
        .as_deref()
        .map(str::trim)
        .filter(|reason| !reason.is_empty());
    if reason.is_some_and(|reason| reason.chars().count() > 500) {
        return Err(wrong("sign-up-too-long").into());
    }
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, None);
    sign_ups::refuse(&mut tx, &change, &event, sign_up, reason).await?;
    let response = repeatable
        .finish(&mut tx, &state, StatusCode::NO_CONTENT.into_response())
        .await?;
    tx.commit().await?;
    Ok(response)
}

/// Lets a sign-up wait again
///
/// One that was refused or taken back. Waiting already: a success that changes nothing.
#[utoipa::path(post, path = "/events/{event}/sign-ups/{sign_up}/put-back", tag = "entries", request_body = Why,
    params(("event" = String, Path, description = "The id or the slug"), ("sign_up" = u32, Path), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Waiting"), ChangeRefusals))]
pub async fn put_back(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, sign_up)): InPath<(String, u32)>,
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
    let event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    sign_ups::put_back(&mut tx, &change, &event, sign_up).await?;
    let response = repeatable
        .finish(&mut tx, &state, StatusCode::NO_CONTENT.into_response())
        .await?;
    tx.commit().await?;
    Ok(response)
}
