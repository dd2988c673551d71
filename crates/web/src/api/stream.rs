//! The stream of an event's changes.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use super::common::ReadRefusals;
use crate::errors::{Error, Problem, Result};
use crate::extract::{Caller, InQuery, Peer};
use crate::live::OpenError;
use crate::state::AppState;

/// Where a stream begins.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct SinceQuery {
    /// The number of the last change that was seen, where a client cannot send `Last-Event-ID`.
    pub since: Option<i64>,
}

/// Tells of changes as they come
///
/// Server-sent events: `round-published`, `round-withdrawn`, `round-changed`, `round-announced`, `result-entered`,
/// `record-changed`, `entries-changed`, `draw-changed`, `event-changed`, each with the number of the change as its id
/// (1, 2, 3 … in each event, without a gap) and `{"number", "round", "board", "at"}` as data; `standings-changed` where
/// standings may be other ones now. Without a number that was seen, `now` comes first, with the number as of which the
/// stream begins. After a break the changes that were missed come first, or `reset` when they are too many or too long
/// ago: then load everything anew. A change may come twice after a break. Whoever sees drafts also hears `act` for
/// anything that is not public, and the people of the event `result-reported` for results that wait for a second word;
/// these have no id. `beat` comes every fifteen seconds. They say that something has changed; what it is now is asked as ever.
#[utoipa::path(get, path = "/events/{event}/stream", tag = "live",
    params(("event" = String, Path, description = "The id or the slug"), SinceQuery,
        ("last-event-id" = Option<String>, Header, description = "The number of the last change that was seen")),
    responses((status = 200, content_type = "text/event-stream", body = String), ReadRefusals))]
pub async fn stream(
    State(state): State<AppState>,
    caller: Caller,
    peer: Peer,
    InQuery(query): InQuery<SinceQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let Some((event, _)) = caller.event() else {
        return Err(Error::not_found());
    };
    let last = headers
        .get("last-event-id")
        .and_then(|last| last.to_str().ok())
        .map(str::trim)
        .filter(|last| !last.is_empty());
    // Something that is no number was not given here: everything is looked at anew.
    let seen = last.map_or(query.since, |last| Some(last.parse().unwrap_or(-1)));
    let opened = state
        .live
        .open(
            &state.store,
            event,
            (caller.ear(), caller.belongs()),
            seen,
            peer.address,
        )
        .await;
    let stream = match opened {
        Ok(stream) => stream,
        Err(OpenError::Full) => {
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too-many-streams")
                .header(header::RETRY_AFTER, HeaderValue::from_static("30"))
                .into());
        }
        Err(OpenError::Gone) => return Err(caller.no_such_event()),
        Err(OpenError::Store(error)) => return Err(error.into()),
    };
    let mut response = Response::new(Body::from_stream(stream));
    for (name, value) in [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // A proxy that gathers answers before it passes them on would hold changes back.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}
