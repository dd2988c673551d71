//! Every refusal of the web layer, and how it is told: as problem details (RFC 9457) to programs,
//! as a page to people, in the caller's language.
//!
//! Handlers return [`Error`]. Its response carries a [`Problem`] among its extensions and no body;
//! [`tell`], the outermost layer, knows the request and writes the body. Refusals that other
//! layers make (a body that is too large, a method that does not exist, a panic) pass there too.

use std::borrow::Cow;
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, FixedOffset, Utc};
use fluent_templates::fluent_bundle::FluentValue;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::around::RequestId;
use crate::extract::{Peer, language_of};
use crate::hall;
use crate::i18n::{Argument, Language};
use crate::pages::words;
use crate::state::AppState;

mod refusals;

pub(crate) use refusals::{in_groups, shortage_told, with_names};

/// The result of a handler.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request is not carried out.
#[derive(Debug)]
pub enum Error {
    /// The caller can do something about it.
    Problem(Box<Problem>),
    /// The caller can do nothing about it: the cause goes into the server's log and is never shown.
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// An argument of a sentence.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// Words put one after another as the language lists things.
    List(Vec<String>),
    /// An English phrase out of a fixed set (“a list”), with its own message after `fault-word-`.
    Phrase(String),
    /// Several such phrases, listed.
    Phrases(Vec<String>),
    /// Entries by number and name, in groups: those of a group are listed.
    People(Vec<Vec<(u32, String)>>),
    /// A term by its message.
    Term(Cow<'static, str>),
    /// A moment, as the clock of the event shows it.
    Moment(DateTime<FixedOffset>),
    /// The sentence of a fault.
    Fault(Box<FieldProblem>),
}

impl Arg {
    /// A list of things.
    pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(items.into_iter().map(|item| item.to_string()).collect())
    }

    fn told(&self, language: Language) -> FluentValue<'static> {
        match self {
            Self::Number(number) => number.argument(),
            Self::Text(text) => text.argument(),
            Self::List(items) => language.list(items).argument(),
            Self::Moment(at) => words::local(language, *at).argument(),
            Self::Term(key) => language.say(key).argument(),
            Self::Phrase(phrase) => phrased(phrase, language).argument(),
            Self::Fault(fault) => fault.told(language).detail.argument(),
            Self::Phrases(phrases) => {
                let phrases: Vec<String> = phrases.iter().map(|one| phrased(one, language)).collect();
                language.list(&phrases).argument()
            }
            Self::People(groups) => {
                let person = |(number, name): &(u32, String)| {
                    language.with2("person", "number", *number, "name", name.as_str())
                };
                let groups: Vec<String> = groups
                    .iter()
                    .map(|group| language.list(group.iter().map(person)))
                    .collect();
                groups.join("; ").argument()
            }
        }
    }
}

fn phrased(phrase: &str, language: Language) -> String {
    let slug: String = phrase
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let key = format!("fault-word-{slug}");
    if language.knows(&key) {
        language.say(&key)
    } else {
        phrase.to_owned()
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Arg {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Arg {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Arg {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Arg {
    fn from(number: usize) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<DateTime<Utc>> for Arg {
    fn from(at: DateTime<Utc>) -> Self {
        Self::Moment(hall::local(at))
    }
}

impl From<tournament::Number> for Arg {
    fn from(number: tournament::Number) -> Self {
        Self::Number(number.get().into())
    }
}

/// Arguments of a sentence, by name.
pub type Args = Vec<(&'static str, Arg)>;

fn told(args: &Args, language: Language) -> Vec<(&'static str, FluentValue<'static>)> {
    args.iter()
        .map(|(name, arg)| (*name, arg.told(language)))
        .collect()
}

/// A refusal before it is put into words.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The HTTP status.
    pub status: StatusCode,
    /// The stable word: the end of `type`, and the key of the sentence after `refusal-`.
    pub code: Cow<'static, str>,
    /// Arguments of the sentence.
    pub args: Args,
    /// The sentence in English where no translation has the key.
    pub fallback: Option<String>,
    /// Single faults with their places.
    pub errors: Vec<FieldProblem>,
    /// Further members for programs.
    pub extras: Map<String, Value>,
    /// Headers to answer with.
    pub headers: HeaderMap,
}

/// One fault in what was sent.
#[derive(Clone, Debug, Default)]
pub struct FieldProblem {
    /// The place, as `entries[3].number`; empty for the whole.
    pub path: String,
    /// The stable word: the key of the sentence after `fault-`.
    pub code: Cow<'static, str>,
    /// Arguments of the sentence.
    pub args: Args,
    /// The sentence in English where no translation has the key.
    pub fallback: String,
    /// Line in the text that was sent, from 1.
    pub line: Option<usize>,
    /// Column in that line, from 1.
    pub column: Option<usize>,
}

impl Problem {
    /// A problem with this status and code.
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code: code.into(),
            args: Vec::new(),
            fallback: None,
            errors: Vec::new(),
            extras: Map::new(),
            headers: HeaderMap::new(),
        }
    }

    /// With an argument of the sentence.
    pub fn arg(mut self, name: &'static str, value: impl Into<Arg>) -> Self {
        self.args.push((name, value.into()));
        self
    }

    /// With a member for programs.
    pub fn extra(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extras.insert(name.to_owned(), value.into());
        self
    }

    /// With the English sentence to fall back to.
    pub fn or_say(mut self, sentence: impl Into<String>) -> Self {
        self.fallback = Some(sentence.into());
        self
    }

    /// With a header.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// With single faults.
    pub fn faults(mut self, errors: Vec<FieldProblem>) -> Self {
        self.args.push(("count", errors.len().into()));
        self.errors = errors;
        self
    }

    /// The short summary in a language.
    pub fn title(&self, language: Language) -> String {
        let title = |code: &str| format!("refusal-{code}.title");
        let own = title(&self.code);
        if language.knows(&own) {
            language.say(&own)
        } else {
            language.say(&title("invalid"))
        }
    }

    /// The sentence in a language: what is wrong and what can be done.
    pub fn detail(&self, language: Language) -> String {
        let key = format!("refusal-{}", self.code);
        if language.knows(&key) {
            language.tell(&key, &told(&self.args, language))
        } else {
            self.fallback
                .clone()
                .unwrap_or_else(|| self.status.canonical_reason().unwrap_or("Error").to_owned())
        }
    }

    /// The problem in words.
    pub fn told(&self, language: Language) -> ProblemDetails {
        ProblemDetails {
            r#type: format!("/problems/{}", self.code),
            title: self.title(language),
            status: self.status.as_u16(),
            detail: self.detail(language),
            errors: self.errors.iter().map(|error| error.told(language)).collect(),
            extras: self.extras.clone(),
        }
    }
}

impl FieldProblem {
    /// The fault in words.
    pub fn told(&self, language: Language) -> FieldDetails {
        let key = format!("fault-{}", self.code);
        FieldDetails {
            path: self.path.clone(),
            code: self.code.clone().into_owned(),
            detail: if language.knows(&key) {
                language.tell(&key, &told(&self.args, language))
            } else {
                self.fallback.clone()
            },
            line: self.line,
            column: self.column,
        }
    }
}

/// Problem details (RFC 9457).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProblemDetails {
    /// The kind of problem, as a stable reference: `/problems/missing-results`.
    pub r#type: String,
    /// A short summary of the kind, in the caller's language.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong and what can be done, in the caller's language.
    pub detail: String,
    /// Single faults with their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldDetails>,
    /// Further members: `request_id`, by which the log of the server is searched, and by kind of problem `boards` (missing results), `pairs` (repeats needed),
    /// `current` (the state that made an `If-Match` fail).
    #[serde(flatten)]
    #[schema(additional_properties, value_type = Object)]
    pub extras: Map<String, Value>,
}

/// One fault in what was sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FieldDetails {
    /// The place, as `entries[3].number`; empty for the whole.
    pub path: String,
    /// The kind of fault, a stable word.
    pub code: String,
    /// What is wrong, in the caller's language.
    pub detail: String,
    /// Line in the text that was sent, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column in that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

impl Error {
    /// The answer to a request for something that is not there, or not there for this caller.
    pub fn not_found() -> Self {
        Problem::new(StatusCode::NOT_FOUND, "not-found").into()
    }

    /// A cause that the caller can do nothing about.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let problem = match self {
            Self::Problem(problem) => *problem,
            Self::Internal(cause) => {
                log_cause(&*cause);
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal")
            }
        };
        problem.into_response()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.headers_mut().extend(self.headers.clone());
        response.extensions_mut().insert(self);
        response
    }
}

fn log_cause(cause: &(dyn std::error::Error + 'static)) {
    tracing::error!(cause = chain(cause), "a request failed");
}

/// An error with what caused it, in one line.
pub(crate) fn chain(cause: &(dyn std::error::Error + 'static)) -> String {
    let mut chain = cause.to_string();
    let mut next = cause.source();
    while let Some(cause) = next {
        chain.push_str(": ");
        chain.push_str(&cause.to_string());
        next = cause.source();
    }
    chain
}

/// How long it may take to find out whose page of a refusal it is.
const A_MOMENT: Duration = Duration::from_secs(1);
/// After how many seconds to ask again what cannot be answered now.
const RETRY_AFTER: &str = "2";

/// The layer that gives a request up when the database is gone: what waits for a connection that is
/// frozen would wait for as long as its caller does. What was sent to the database may have been
/// done; the answer says so.
pub async fn unless_gone(State(state): State<AppState>, request: Request, next: Next) -> Response {
    tokio::select! {
        // What needs no database is answered at once, and so is what has been answered.
        biased;
        response = next.run(request) => response,
        () = state.store.pulse().gone() => {
            tracing::warn!("a request was given up: the database does not answer");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy").into_response()
        }
    }
}

/// The layer that puts problems into words, as JSON under `/api` and as a page elsewhere.
pub async fn tell(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let (uri, headers) = (parts.uri.clone(), parts.headers.clone());
    let peer = Peer::of(&state, &parts);
    let id = parts.extensions.get::<RequestId>().cloned();
    let response = next.run(Request::from_parts(parts, body)).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let problem = match response.extensions().get::<Problem>() {
        Some(problem) => problem.clone(),
        // An answer that a handler has already put into words.
        None if response.headers().contains_key(header::CONTENT_TYPE)
            && !is_plain_text(response.headers()) =>
        {
            return response;
        }
        None => foreign(&response),
    };
    if matches!(status.as_u16(), 401 | 403 | 429) {
        tracing::info!(
            status = status.as_u16(),
            code = &*problem.code,
            "a request was refused"
        );
    }
    let problem = match id {
        Some(id) if !problem.extras.contains_key("request_id") => problem.extra("request_id", id.as_str()),
        _ => problem,
    };
    let language = language_of(&headers);
    let mut told = if wants_json(&uri) {
        let mut told = (problem.status, Json(problem.told(language))).into_response();
        told.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        told
    } else {
        // Whoever is signed in stays so on the page of a refusal, unless that takes longer than a page should.
        let asks = status.is_client_error() && !matches!(status.as_u16(), 401 | 429);
        let user = if asks {
            let caller = tokio::time::timeout(A_MOMENT, crate::auth::signed_in(&state, &headers, peer)).await;
            caller.ok().and_then(Result::ok).flatten()
        } else {
            None
        };
        crate::pages::error_page(user, &headers, &uri, language, &problem)
    };
    for (name, value) in response.headers() {
        if name != header::CONTENT_TYPE && name != header::CONTENT_LENGTH {
            told.headers_mut().append(name, value.clone());
        }
    }
    let headers = told.headers_mut();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers
            .entry(header::RETRY_AFTER)
            .or_insert(HeaderValue::from_static(RETRY_AFTER));
    }
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.tag()));
    headers.append(header::VARY, HeaderValue::from_static("accept-language, cookie"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    told
}

fn is_plain_text(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"text/plain"))
}

fn wants_json(uri: &Uri) -> bool {
    uri.path() == "/api" || uri.path().starts_with("/api/")
}

/// The problem behind a refusal that a layer or the framework made.
fn foreign(response: &Response) -> Problem {
    let status = response.status();
    let code = match status {
        StatusCode::NOT_FOUND => "not-found",
        StatusCode::METHOD_NOT_ALLOWED => "method-not-allowed",
        StatusCode::REQUEST_TIMEOUT => "too-slow",
        StatusCode::GATEWAY_TIMEOUT | StatusCode::SERVICE_UNAVAILABLE => "busy",
        StatusCode::PAYLOAD_TOO_LARGE => "too-large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "media-type",
        StatusCode::FORBIDDEN => "cross-site",
        status if status.is_server_error() => "internal",
        _ => "bad-request",
    };
    let problem = Problem::new(status, code);
    if code == "media-type" {
        // The framework refuses only forms for this; what takes JSON refuses by itself.
        return problem.arg("expected", "application/x-www-form-urlencoded");
    }
    problem
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }

    /// The first text in quotes after each of these calls in the source.
    fn words_after(call: &str) -> Vec<String> {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
        let mut words = Vec::new();
        for file in files {
            let source = std::fs::read_to_string(file).expect("a source file");
            let source = source.split("#[cfg(test)]").next().unwrap_or_default();
            for rest in source.split(call).skip(1) {
                let arguments = rest.split(';').next().unwrap_or_default();
                words.extend(arguments.split('"').nth(1).map(str::to_owned));
            }
        }
        words.retain(|word| word.contains('-') && !word.contains(' '));
        words
    }

    #[test]
    fn what_the_framework_refuses_is_said_in_whole_sentences() {
        for status in [400, 403, 404, 405, 408, 413, 415, 422, 500, 503] {
            let status = StatusCode::from_u16(status).expect("a status");
            let problem = foreign(&(status, "").into_response());
            for language in [Language::Chinese, Language::English] {
                let detail = problem.detail(language);
                let whole = detail.contains(' ') || detail.contains('，') || detail.contains('。');
                assert!(whole && !detail.contains("expected}"), "{status}: {detail}");
            }
        }
    }

    #[test]
    fn every_problem_that_this_room_makes_is_said_in_both_languages() {
        let codes = words_after("Problem::new(StatusCode::");
        assert!(codes.len() > 20, "{codes:?}");
        for language in Language::ALL {
            for code in &codes {
                let key = format!("refusal-{code}");
                assert!(language.knows(&key), "{key} in {}", language.tag());
            }
        }
    }
}
