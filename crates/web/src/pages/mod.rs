//! The pages: plain HTML from templates, complete without scripts. One file per use case, each with
//! what its template shows, how that is built from the event, and the handler.

use askama::Template;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, MatchedPath, Request};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use sha2::{Digest, Sha256};
use store::Tx;
use store::events::{self, Event};

use crate::errors::{Error, Problem, Result};
use crate::i18n::Language;
use crate::state::AppState;

pub mod assets;
pub mod frame;
pub mod manage;
pub mod paging;
pub mod public;
#[cfg(test)]
mod samples;
pub mod search;
pub mod sheets;
pub mod tables;
pub mod words;

use frame::{Frame, ProblemView, Visit, encoded};

/// The most bytes of a form with a game record: the file, half as much again where it comes back as text
/// in a form, and the other fields.
const RECORD_BODY: usize = store::records::SIZE_LIMIT / 2 * 3;

/// The largest page that an entity tag is computed for: far more than the longest table needs.
const PAGE_MOST: usize = 32 * 1024 * 1024;

/// Every page and the files that pages load.
pub fn router() -> Router<AppState> {
    let pages = Router::new()
        .route("/", get(public::events::show))
        .route("/archive", get(public::archive::show))
        .route("/f/{family}", get(public::family::show))
        .route("/f/{family}/find", get(public::family::find))
        .route("/f/{family}/screen", get(public::family::screen))
        .route("/e/{slug}", get(public::event::show))
        .route("/e/{slug}/rounds/{round}", get(public::round::show))
        .route("/e/{slug}/rounds/{round}/withdrawn", get(public::withdrawn::show))
        .route("/e/{slug}/rounds/{round}/boards/{board}", get(public::game::show))
        .route(
            "/e/{slug}/rounds/{round}/boards/{board}/count",
            get(public::game::count),
        )
        .route(
            "/e/{slug}/rounds/{round}/boards/{board}/record.sgf",
            get(public::game::file),
        )
        .route(
            "/e/{slug}/rounds/{round}/boards/{board}/record",
            get(public::record::show)
                .post(public::record::bring)
                .layer(DefaultBodyLimit::max(RECORD_BODY)),
        )
        .route("/e/{slug}/standings", get(public::standings::show))
        .route("/e/{slug}/standings/compare", get(public::explain::compare))
        .route("/e/{slug}/standings/{number}", get(public::explain::show))
        .route("/e/{slug}/crosstable", get(public::crosstable::show))
        .route("/e/{slug}/players/{number}", get(public::player::show))
        .route("/e/{slug}/find", get(public::find::show))
        .route("/e/{slug}/find/poster", get(public::poster::show))
        .route("/e/{slug}/screen", get(public::screen::show))
        .route(
            "/e/{slug}/hand-in",
            get(public::hand_in::show).post(public::hand_in::hand_in),
        )
        .route(
            "/e/{slug}/sign-up",
            get(public::sign_up::show).post(public::sign_up::sign_up),
        )
        .route(
            "/e/{slug}/sign-up/{key}",
            get(public::sign_up::show_link).post(public::sign_up::take_back),
        )
        .route("/e/{slug}/draw/{what}", get(public::draw::show))
        .route("/r/{token}", get(public::enter::show).post(public::enter::save))
        .route("/language", post(public::language::choose))
        .merge(manage::router())
        .layer(from_fn(caching));
    pages.route("/static/{file}", get(assets::serve))
}

/// A template as a page.
///
/// # Errors
/// When the template fails.
pub fn page(template: &impl Template) -> Result<Response> {
    page_with(StatusCode::OK, template)
}

/// A template as a page with a status: 422 for a form that comes back with what is wrong in it.
///
/// # Errors
/// When the template fails.
pub fn page_with(status: StatusCode, template: &impl Template) -> Result<Response> {
    let html = template.render().map_err(Error::internal)?;
    Ok((status, Html(html)).into_response())
}

/// The event of an address: for a hidden one, and for one that is not there, the answer is the
/// same to whoever is not signed in.
///
/// # Errors
/// `not-found`.
pub async fn event_of(state: &AppState, visit: &Visit, slug: &str) -> Result<Event> {
    event_in(&mut state.store.snapshot().await?, visit, slug).await
}

/// The event of an address, as [`event_of`], for a page that asks for more in the same snapshot.
///
/// # Errors
/// `not-found`.
pub async fn event_in(tx: &mut Tx, visit: &Visit, slug: &str) -> Result<Event> {
    events::find(tx, slug)
        .await?
        .and_then(|event| visit.caller.shown(event))
        .ok_or_else(Error::not_found)
}

/// What any refusal becomes when it is the whole answer.
#[derive(Clone, Debug, Template)]
#[template(path = "problem.html")]
pub struct ProblemPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The kind of problem.
    pub title: String,
    /// What is wrong and what now.
    pub sentence: String,
    /// Single faults.
    pub details: Vec<String>,
    /// Where the reader came from.
    pub back: String,
    /// Where to sign in, when that is what is missing.
    pub sign_in: bool,
}

/// A refusal as a page. Called by [`tell`](crate::errors::tell), which adds the language and the
/// headers of the problem afterwards. Who has to sign in first is led there and back.
pub fn error_page(
    user: Option<String>,
    headers: &HeaderMap,
    uri: &Uri,
    language: Language,
    problem: &Problem,
) -> Response {
    let here = uri.path_and_query().map_or("/", |path| path.as_str());
    // A form that was sent when the session had run out: what was typed is still on the page it
    // came from, so the reader signs in beside it and goes back.
    let sign_in = problem.code == "sign-in-needed";
    let form = headers.contains_key(header::CONTENT_TYPE);
    if sign_in && !form {
        return Redirect::to(&format!("/manage/sign-in?next={}", encoded(here))).into_response();
    }
    let told = ProblemView::told(problem, language);
    let view = ProblemPage {
        t: language,
        frame: Frame {
            t: language,
            here: "/".to_owned(),
            user,
            event: None,
            notice: None,
        },
        title: problem.title(language),
        sentence: if sign_in {
            language.say("session-ended")
        } else {
            told.sentence
        },
        details: told.details,
        sign_in,
        back: came_from(headers, here),
    };
    match view.render() {
        Ok(html) => (problem.status, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "the page of a problem failed");
            problem.status.into_response()
        }
    }
}

/// The page of this server that the reader came from; the event of the address when that is the page
/// itself or unknown, and the list of events where there is none.
fn came_from(headers: &HeaderMap, here: &str) -> String {
    let came = headers
        .get(header::REFERER)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<Uri>().ok());
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    match came {
        Some(came) if came.authority().map(axum::http::uri::Authority::as_str) == host && host.is_some() => {
            let path = came.path_and_query().map_or("/", |path| path.as_str());
            if path == here {
                of_event(here)
            } else {
                frame::safe_path(path).to_owned()
            }
        }
        _ => of_event(here),
    }
}

/// The first page of the event or the family that an address is in.
fn of_event(here: &str) -> String {
    let path = here.split(['?', '#']).next().unwrap_or(here);
    for area in ["/e/", "/f/", "/manage/e/", "/manage/f/"] {
        if let Some((key, _)) = path.strip_prefix(area).and_then(|rest| rest.split_once('/')) {
            return format!("{area}{key}");
        }
    }
    "/".to_owned()
}

/// Pages are revalidated at every visit: a browser and a cache in between ask each time, and get
/// 304 while nothing has changed, so nobody reads an old pairing table.
async fn caching(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let headers = request.headers();
    let personal = headers.contains_key(header::COOKIE) || headers.contains_key(header::AUTHORIZATION);
    let said = crate::extract::cookie(request.headers(), "said").is_some_and(|said| !said.is_empty());
    // The secret of a link stands in the address and in the page.
    let route = request.extensions().get::<MatchedPath>();
    let secret = route.is_some_and(|route| {
        ["{token}", "{key}"]
            .iter()
            .any(|key| route.as_str().contains(key))
    });
    let mut response = next.run(request).await;
    if secret {
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    // What shows a secret is kept by nobody.
    let kept_by_nobody = response
        .headers()
        .get(header::CACHE_CONTROL)
        .is_some_and(|said| said == "no-store");
    if !reads || response.status() != StatusCode::OK || kept_by_nobody {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, PAGE_MOST).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let digest = Sha256::digest(&bytes);
    let mut tag = String::from("W/\"");
    for byte in &digest[..12] {
        use std::fmt::Write as _;
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    let caching = if personal {
        "private, no-cache"
    } else {
        "public, no-cache"
    };
    parts
        .headers
        .insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    parts.headers.insert(
        header::VARY,
        HeaderValue::from_static("accept-language, authorization, cookie"),
    );
    let fresh = known.is_some_and(|known| known.as_bytes() == tag.as_bytes());
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        parts.headers.insert(header::ETAG, tag);
    }
    let mut response = if fresh && !said {
        parts.status = StatusCode::NOT_MODIFIED;
        Response::from_parts(parts, Body::empty())
    } else {
        Response::from_parts(parts, Body::from(bytes))
    };
    if said {
        frame::forget_said(&mut response);
    }
    response
}
