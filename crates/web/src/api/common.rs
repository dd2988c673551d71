//! What the handlers share: finding events, versions, pages of lists, repeated requests.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::events::{self, Event, Locked};
use store::idempotency::{self, Answer, Claimed};
use store::{Actor, Page, Paging, Refused, Tx};
use tournament::Number;
use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::errors::{Error, Problem, ProblemDetails, Result};
use crate::extract::{Caller, IdempotencyKey, IfMatch};
use crate::state::AppState;
pub use crate::state::change;

// ---------------------------------------------------------------- events

/// An event that the caller may see, as it is shown to the caller.
pub async fn find(tx: &mut Tx, key: &str, caller: &Caller) -> Result<Event> {
    events::find(tx, key)
        .await?
        .and_then(|event| caller.shown(event))
        .ok_or_else(|| Refused::UnknownEvent { key: key.to_owned() }.into())
}

/// An event, locked for a change that an event that is final does not take.
pub async fn lock(tx: &mut Tx, key: &str) -> Result<Locked> {
    let event = lock_even_final(tx, key).await?;
    event.expect_open()?;
    Ok(event)
}

/// An event, locked for a change that it takes although it is final.
pub async fn lock_even_final(tx: &mut Tx, key: &str) -> Result<Locked> {
    events::lock(tx, key)
        .await?
        .ok_or_else(|| Refused::UnknownEvent { key: key.to_owned() }.into())
}

/// A number of the path. One that cannot be a number has no entry.
pub fn number(number: u32) -> Result<Number> {
    Number::new(number).ok_or_else(Error::not_found)
}

// ---------------------------------------------------------------- answers with a version

/// An answer whose entity tag begins with the version (where there is one) and goes on with a
/// hash of the body: it changes with whatever the answer shows, and the version can be read off it.
pub fn tagged(
    request: &HeaderMap,
    caller: &Caller,
    version: Option<i64>,
    body: &impl Serialize,
) -> Result<Response> {
    let bytes = serde_json::to_vec(body).map_err(Error::internal)?;
    let tag = entity_tag(version, &bytes);
    let unchanged = request
        .get_all(header::IF_NONE_MATCH)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|one| one == tag || one == "*");
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        json_bytes(StatusCode::OK, bytes)
    };
    let headers = response.headers_mut();
    headers.insert(
        header::ETAG,
        HeaderValue::from_str(&tag).map_err(Error::internal)?,
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept_by(caller)));
    headers.append(
        header::VARY,
        HeaderValue::from_static("accept-language, authorization, cookie"),
    );
    Ok(response)
}

/// Who may keep an answer: everybody or the caller alone. Whoever keeps it asks again each time, so that a
/// table that was replaced is never shown for longer than one request takes.
pub fn kept_by(caller: &Caller) -> &'static str {
    if caller.actor.is_some() {
        "private, no-cache"
    } else {
        "public, no-cache"
    }
}

fn entity_tag(version: Option<i64>, bytes: &[u8]) -> String {
    let hash = hex(&Sha256::digest(bytes)[..8]);
    match version {
        Some(version) => format!("\"{version}-{hash}\""),
        None => format!("\"{hash}\""),
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;

    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// A JSON answer from bytes.
pub fn json_bytes(status: StatusCode, bytes: Vec<u8>) -> Response {
    let mut response = (status, Body::from(bytes)).into_response();
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// An answer to a change: the new state with its version as the entity tag.
pub fn changed(status: StatusCode, version: Option<i64>, body: &impl Serialize) -> Result<Response> {
    let bytes = serde_json::to_vec(body).map_err(Error::internal)?;
    let tag = entity_tag(version, &bytes);
    let mut response = json_bytes(status, bytes);
    response.headers_mut().insert(
        header::ETAG,
        HeaderValue::from_str(&tag).map_err(Error::internal)?,
    );
    no_store(&mut response);
    Ok(response)
}

/// Forbids to keep an answer.
pub fn no_store(response: &mut Response) {
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

/// With the address of what was made.
pub fn at(mut response: Response, location: &str) -> Result<Response> {
    let location = HeaderValue::from_str(location).map_err(Error::internal)?;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

/// The answer when a thing has changed since the caller looked at it.
pub fn changed_meanwhile(version: i64, current: &impl Serialize) -> Error {
    let current = serde_json::to_value(current).unwrap_or(Value::Null);
    Problem::new(StatusCode::PRECONDITION_FAILED, "changed-meanwhile")
        .extra("version", version)
        .extra("current", current)
        .into()
}

/// Checks what the caller has seen against the version that is there.
pub fn check_version(
    if_match: &IfMatch,
    version: i64,
    required: bool,
    current: &impl Serialize,
) -> Result<()> {
    match if_match.versions() {
        Some(versions) if !versions.contains(&version) => Err(changed_meanwhile(version, current)),
        None if required && *if_match == IfMatch::Absent => {
            Err(Problem::new(StatusCode::PRECONDITION_REQUIRED, "if-match-needed")
                .arg("version", version.to_string())
                .extra("version", version)
                .extra("current", serde_json::to_value(current).unwrap_or(Value::Null))
                .into())
        }
        _ => Ok(()),
    }
}

// ---------------------------------------------------------------- repeated requests

/// A request that may be a repetition of an earlier one.
#[derive(Debug)]
pub struct Repeatable {
    key: Option<(String, uuid::Uuid)>,
    hash: [u8; 32],
}

/// What [`Repeatable::begin`] found.
pub enum Begun {
    /// To be carried out, then [`Repeatable::finish`]ed.
    New(Repeatable),
    /// Answered before: answer likewise.
    Answered(Response),
}

impl Repeatable {
    /// Claims the key of a request, if it has one.
    ///
    /// # Errors
    /// When the key came with another request.
    pub async fn begin(
        tx: &mut Tx,
        IdempotencyKey(key): IdempotencyKey,
        actor: &Actor,
        (method, uri): (&Method, &Uri),
        body: [u8; 32],
    ) -> Result<Begun> {
        let mut hash = Sha256::new();
        hash.update(method.as_str());
        hash.update(b"\n");
        hash.update(uri.path_and_query().map_or("", |path| path.as_str()));
        hash.update(b"\n");
        hash.update(body);
        let hash = hash.finalize().into();
        let (Some(key), Some(user)) = (key, actor.user) else {
            return Ok(Begun::New(Self { key: None, hash }));
        };
        match idempotency::claim(tx, &key, user, &hash).await? {
            Claimed::New => Ok(Begun::New(Self {
                key: Some((key, user)),
                hash,
            })),
            Claimed::Conflict => {
                Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-conflict").into())
            }
            Claimed::Replay(answer) => Ok(Begun::Answered(replayed(answer))),
        }
    }

    /// Keeps the answer for a repetition, in the transaction of the change.
    ///
    /// # Errors
    /// Only when the database fails.
    pub async fn finish(self, tx: &mut Tx, state: &AppState, response: Response) -> Result<Response> {
        let Some((key, user)) = self.key else {
            return Ok(response);
        };
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX)
            .await
            .map_err(Error::internal)?;
        let kept = [header::CONTENT_TYPE, header::ETAG, header::LOCATION];
        let headers = kept
            .iter()
            .filter_map(|name| {
                let value = parts.headers.get(name)?.to_str().ok()?;
                Some((name.as_str().to_owned(), value.to_owned()))
            })
            .collect();
        let answer = Answer {
            status: parts.status.as_u16(),
            headers,
            body: bytes.to_vec(),
        };
        idempotency::complete(tx, &key, user, &self.hash, state.clock.now(), &answer).await?;
        Ok(Response::from_parts(parts, Body::from(bytes)))
    }
}

fn replayed(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut response = (status, Body::from(answer.body)).into_response();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    for (name, value) in answer.headers {
        if let (Ok(name), Ok(value)) = (
            header::HeaderName::from_bytes(name.as_bytes()),
            HeaderValue::from_str(&value),
        ) {
            headers.insert(name, value);
        }
    }
    headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
    no_store(&mut response);
    response
}

// ---------------------------------------------------------------- lists

/// Which part of a list.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// How many to skip.
    pub offset: u32,
    /// How many at most, 1 to 500.
    #[param(minimum = 1, maximum = 500)]
    pub limit: u32,
}

impl Default for PageQuery {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: Paging::default().limit,
        }
    }
}

impl PageQuery {
    /// As the store takes it.
    pub fn paging(self) -> Paging {
        Paging {
            offset: self.offset,
            limit: self.limit.clamp(1, Paging::MOST),
        }
    }
}

/// A part of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageOf<T> {
    /// The part.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: u64,
    /// How many were skipped.
    pub offset: u32,
    /// How many were asked for at most.
    pub limit: u32,
}

impl<T> PageOf<T> {
    /// A page of the store, each item as the API shows it.
    pub fn of<S>(page: Page<S>, paging: Paging, show: impl FnMut(S) -> T) -> Self {
        Self {
            items: page.items.into_iter().map(show).collect(),
            total: page.total,
            offset: paging.offset,
            limit: paging.limit,
        }
    }
}

/// Why something is done, for the log, where a request has no body.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReasonQuery {
    /// Why, for the log.
    pub reason: Option<String>,
}

// ---------------------------------------------------------------- refusals, for the document

/// What can go wrong when something is read.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its description is used")]
pub enum ReadRefusals {
    /// The query cannot be read.
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(ProblemDetails),
    /// A bearer token that nobody has.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(ProblemDetails),
    /// Not there, or not there for this caller.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(ProblemDetails),
}

/// What can go wrong besides when something is read that not everybody may see.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its description is used")]
pub enum RightRefusals {
    /// A right is missing, which the sentence names.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(ProblemDetails),
}

/// What can go wrong besides when something of a board is read that begins with the publication of its round.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its description is used")]
pub enum DraftRefusals {
    /// The round is a draft, which the caller may see.
    #[response(status = 409, content_type = "application/problem+json")]
    NotPublished(ProblemDetails),
}

/// What can go wrong when something is changed.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its description is used")]
pub enum ChangeRefusals {
    /// The body is no JSON, or a header or the query cannot be read.
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(ProblemDetails),
    /// Nobody is signed in, or the token is unknown.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(ProblemDetails),
    /// A right is missing, which the sentence names; or the request came from another site.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(ProblemDetails),
    /// Not there.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(ProblemDetails),
    /// The state of the event forbids it; the sentence says what can be done.
    #[response(status = 409, content_type = "application/problem+json")]
    Conflict(ProblemDetails),
    /// The body is too large.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemDetails),
    /// The body is of another kind than this takes.
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(ProblemDetails),
    /// A value cannot be accepted (`errors` lists each with its path), or the `Idempotency-Key`
    /// was used for another request.
    #[response(status = 422, content_type = "application/problem+json")]
    Unprocessable(ProblemDetails),
}

/// What can go wrong besides when a version is guarded.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its description is used")]
pub enum VersionRefusals {
    /// It has changed meanwhile: `current` holds it as it is now.
    #[response(status = 412, content_type = "application/problem+json")]
    PreconditionFailed(ProblemDetails),
    /// `If-Match` is missing: `version` is the current one, `current` the current state.
    #[response(status = 428, content_type = "application/problem+json")]
    PreconditionRequired(ProblemDetails),
}

/// Headers that a repeatable request can carry.
#[derive(IntoParams)]
#[expect(dead_code, reason = "only its description is used")]
#[into_params(parameter_in = Header)]
pub struct IdempotencyHeader {
    /// Makes the request safe to repeat: 1 to 200 visible characters, a new one for each new request.
    #[param(rename = "Idempotency-Key", required = false)]
    idempotency_key: Option<String>,
}

/// The header that guards a version.
#[derive(IntoParams)]
#[expect(dead_code, reason = "only its description is used")]
#[into_params(parameter_in = Header)]
pub struct IfMatchHeader {
    /// The version that the caller has seen, in double quotes, or the whole entity tag, or `*`.
    #[param(rename = "If-Match", required = false, example = "\"3\"")]
    if_match: Option<String>,
}
