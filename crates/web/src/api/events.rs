//! Events and event files.

use std::fmt::Write as _;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use store::events::{self, Listed};
use store::{Actor, Role};

use super::BASE;
use super::common::{
    Begun, ChangeRefusals, IdempotencyHeader, IfMatchHeader, PageOf, PageQuery, ReadRefusals, ReasonQuery,
    Repeatable, at, change, changed, check_version, find, json_bytes, kept_by, lock, tagged,
};
use super::model::{CopyIn, EventChange, EventIn, EventLine, EventOut};
use crate::earlier;
use crate::errors::{Error, Problem, ProblemDetails, Result};
use crate::extract::{Caller, Director, IdempotencyKey, IfMatch, InJson, InPath, InQuery, body, media_type};
use crate::state::AppState;

/// The events that a caller finds in the list.
fn listed(caller: &Caller) -> Listed {
    match &caller.actor {
        Some(actor) if actor.role == Role::Admin => Listed::All,
        Some(Actor { user: Some(user), .. }) => Listed::SeenBy(*user),
        _ => Listed::Public,
    }
}

/// Lists events
///
/// The latest first day first. Hidden events are listed for those only who have a right in them.
#[utoipa::path(get, path = "/events", tag = "events", params(PageQuery),
    responses((status = 200, body = PageOf<EventLine>, headers(("ETag" = String))), ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    InQuery(page): InQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let paging = page.paging();
    let events = events::list(&mut tx, listed(&caller), paging).await?;
    tagged(
        &headers,
        &caller,
        None,
        &PageOf::of(events, paging, EventLine::from),
    )
}

/// Makes an event
#[utoipa::path(post, path = "/events", tag = "events", request_body = EventIn, params(IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = EventOut, headers(("Location" = String), ("ETag" = String))), ChangeRefusals))]
pub async fn create(
    State(state): State<AppState>,
    Director(actor): Director,
    key: IdempotencyKey,
    method: Method,
    uri: Uri,
    InJson { value, digest }: InJson<EventIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, key, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let reason = value.reason.clone();
    let change = change(&state, &actor, reason.as_deref());
    let event = events::create(&mut tx, &change, value.read()?).await?;
    let response = made(&event)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Copies an event
///
/// A new event with the settings, promotion and prizes of an earlier one, and with its people when
/// `entries` says so, numbered anew. No results, records, drawn numbers, lots or rounds go along, and the
/// earlier event stays as it is. Hidden when the earlier one is, unless said otherwise.
#[utoipa::path(post, path = "/events/copy", tag = "events", request_body = CopyIn, params(IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = EventOut, headers(("Location" = String), ("ETag" = String))), ChangeRefusals))]
pub async fn copy(
    State(state): State<AppState>,
    Director(actor): Director,
    key: IdempotencyKey,
    method: Method,
    uri: Uri,
    InJson { value, digest }: InJson<CopyIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, key, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let earlier = earlier::find(&mut tx, &actor, &value.of).await?;
    if value.entries {
        earlier.require_entries(&actor)?;
    }
    let earlier = earlier.event;
    let change = change(&state, &actor, value.reason.as_deref());
    let event = events::copy(&mut tx, &change, &earlier, value.over(&earlier), value.entries).await?;
    let response = made(&event)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

fn made(event: &events::Event) -> Result<Response> {
    let response = changed(
        StatusCode::CREATED,
        Some(event.version),
        &EventOut::of(event, true),
    )?;
    at(response, &format!("{BASE}/events/{}", event.id))
}

/// Shows an event
#[utoipa::path(get, path = "/events/{event}", tag = "events",
    params(("event" = String, Path, description = "The id or the slug")),
    responses((status = 200, body = EventOut, headers(("ETag" = String))), (status = 304, description = "Unchanged"),
        ReadRefusals))]
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let version = caller.sees_all().then_some(event.version);
    tagged(
        &headers,
        &caller,
        version,
        &EventOut::of(&event, caller.sees_all()),
    )
}

/// Changes an event
///
/// What is left out stays as it is. `If-Match` is checked when it is sent.
#[utoipa::path(patch, path = "/events/{event}", tag = "events", request_body = EventChange,
    params(("event" = String, Path, description = "The id or the slug"), IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = EventOut, headers(("ETag" = String))), ChangeRefusals,
        (status = 412, description = "Changed meanwhile; `current` is the state now", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn update(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    if_match: IfMatch,
    InJson { value, .. }: InJson<EventChange>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = lock(&mut tx, &key).await?;
    check_version(&if_match, event.version, false, &EventOut::of(&event, true))?;
    let reason = value.reason.clone();
    let change = change(&state, &actor, reason.as_deref());
    events::update(&mut tx, &change, &mut event, value.read()?, None).await?;
    let response = changed(StatusCode::OK, Some(event.version), &EventOut::of(&event, true))?;
    tx.commit().await?;
    Ok(response)
}

/// Removes an event
///
/// With its entries, rounds and results; its log stays. `If-Match` is checked when it is sent.
#[utoipa::path(delete, path = "/events/{event}", tag = "events",
    params(("event" = String, Path, description = "The id or the slug"), ReasonQuery, IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Removed"), ChangeRefusals,
        (status = 412, description = "Changed meanwhile; `current` is the state now", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn delete(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    InQuery(query): InQuery<ReasonQuery>,
    if_match: IfMatch,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = super::common::lock_even_final(&mut tx, &key).await?;
    check_version(&if_match, event.version, false, &EventOut::of(&event, true))?;
    let change = change(&state, &actor, query.reason.as_deref());
    events::delete(&mut tx, &change, event, None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Takes in an event file
///
/// The event is made with all its rounds published, or refused whole with every fault listed with
/// its line and column.
#[utoipa::path(post, path = "/events/import", tag = "events", params(IdempotencyHeader),
    request_body(content = Object, content_type = "application/json", description = "An event file, up to 16 MiB"),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = EventOut, headers(("Location" = String), ("ETag" = String))), ChangeRefusals))]
pub async fn import(
    State(state): State<AppState>,
    Director(actor): Director,
    key: IdempotencyKey,
    method: Method,
    uri: Uri,
    request: Request,
) -> Result<Response> {
    if media_type(request.headers()).as_deref() != Some("application/json") {
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type")
            .arg("expected", "application/json")
            .into());
    }
    let bytes: Bytes = body(request, &state).await?;
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    // Up to 16 MiB are read and checked away from the threads that answer requests.
    let file = tokio::task::spawn_blocking(move || interchange::read(&bytes))
        .await
        .map_err(Error::internal)??;
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, key, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let event = events::import(&mut tx, &change(&state, &actor, None), &file).await?;
    let response = made(&event)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Gives out an event file
///
/// The event with its published rounds: another server imports it without loss.
#[utoipa::path(get, path = "/events/{event}/export", tag = "events",
    params(("event" = String, Path, description = "The id or the slug")),
    responses((status = 200, body = Object, description = "The event file", headers(("Content-Disposition" = String))),
        ReadRefusals))]
pub async fn export(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    // Announced absences of rounds to come are for directors: they would tell of a draft.
    let file = if caller.sees_all() {
        events::export(&event)
    } else {
        events::export_public(&event)
    };
    let text = interchange::write(&file);
    let mut response = json_bytes(StatusCode::OK, text.into_bytes());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_DISPOSITION, attachment(&event.slug)?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept_by(&caller)));
    headers.append(header::VARY, HeaderValue::from_static("authorization, cookie"));
    Ok(response)
}

/// A file name that every browser understands (RFC 6266): plain, and with all its letters.
fn attachment(slug: &str) -> Result<HeaderValue> {
    let plain: String = slug
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut full = String::new();
    for byte in slug.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            full.push(char::from(byte));
        } else {
            let _ = write!(full, "%{byte:02X}");
        }
    }
    HeaderValue::from_str(&format!(
        "attachment; filename=\"{plain}.json\"; filename*=UTF-8''{full}.json"
    ))
    .map_err(Error::internal)
}
