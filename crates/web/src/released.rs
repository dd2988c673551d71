//! Public pages and answers in memory: each is made once for a change, a language and an address,
//! and served from then on without a question to the database.
//!
//! [`Front`] stands before everything else. It answers what it has, as long as the event's public
//! number ([`crate::live`]) is the one at which the page was made, and hands on the rest. Whoever
//! is known (a cookie beside the language, a token) is always handed on. The gate
//! ([`crate::rights`]) says of an answer that it may be kept, by filling the [`Slot`] that goes
//! along with the request; that it was made is told by the answer itself.

use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::io::Write as _;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, TimeDelta, Utc};
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};
use sha2::{Digest, Sha256};
use tower::{Service, ServiceExt as _};
use uuid::Uuid;

use crate::api::common::hex;
use crate::extract::{LANGUAGE_COOKIE, cookie, language_of};
use crate::i18n::Language;
use crate::live::Known;
use crate::state::AppState;

/// The largest answer that is kept.
const MOST: usize = 8 * 1024 * 1024;
/// How long an address is known to have nothing that can be kept, where no change will tell.
const NOTHING: Duration = Duration::from_secs(1);
/// How often a page is made anew for one request, while it changes faster than it can be made.
const TRIES: usize = 4;
/// The smallest answer that is worth compressing.
const WORTH: usize = 1024;

/// What of an event may be kept, by its route: what follows from the event's public state alone.
const ROUTES: [&str; 19] = [
    "/e/{slug}",
    "/e/{slug}/rounds/{round}",
    "/e/{slug}/rounds/{round}/withdrawn",
    "/e/{slug}/standings",
    "/e/{slug}/standings/compare",
    "/e/{slug}/standings/{number}",
    "/e/{slug}/crosstable",
    "/e/{slug}/players/{number}",
    "/e/{slug}/find",
    "/api/v1/events/{event}",
    "/api/v1/events/{event}/entries",
    "/api/v1/events/{event}/entries/{number}",
    "/api/v1/events/{event}/entries/{number}/games",
    "/api/v1/events/{event}/rounds",
    "/api/v1/events/{event}/rounds/{round}",
    "/api/v1/events/{event}/standings",
    "/api/v1/events/{event}/standings/{number}",
    "/api/v1/events/{event}/standings/compare",
    "/api/v1/events/{event}/crosstable",
];

/// Whether a path can be one of [`ROUTES`]: whatever else is asked for goes on as it is, and is not
/// asked for twice.
fn may_be_kept(path: &str) -> bool {
    let mut segments = [""; 8];
    let mut count = 0;
    for segment in path.split('/').skip(1) {
        let Some(place) = segments.get_mut(count) else {
            return false;
        };
        *place = segment;
        count += 1;
    }
    matches!(
        segments[..count],
        ["e", _]
            | ["e", _, "standings" | "crosstable" | "find"]
            | ["e", _, "rounds" | "standings" | "players", _]
            | ["e", _, "rounds", _, "withdrawn"]
            | ["api", "v1", "events", _]
            | [
                "api",
                "v1",
                "events",
                _,
                "entries" | "rounds" | "standings" | "crosstable"
            ]
            | ["api", "v1", "events", _, "entries" | "rounds" | "standings", _]
            | ["api", "v1", "events", _, "entries", _, "games"]
    )
}

/// Until when an answer holds although nothing changes: a header of answers that depend on the time.
#[derive(Clone, Copy, Debug)]
pub struct HoldsUntil(pub DateTime<Utc>);

/// Until when an answer holds at most that is made now: whether a moment is told with its year follows
/// from the clock.
fn until_of(now: DateTime<Utc>, extensions: &Extensions) -> DateTime<Utc> {
    let most = now + TimeDelta::hours(1);
    extensions
        .get::<HoldsUntil>()
        .map_or(most, |HoldsUntil(until)| most.min(*until))
}

/// Where the gate says of which event an answer is, and as of which public number at least.
#[derive(Clone, Debug, Default)]
pub struct Slot(Arc<OnceLock<(Uuid, i64)>>);

impl Slot {
    /// Says it, where the answer to a route may be kept.
    pub fn fill(&self, route: &str, event: Uuid, number: i64) {
        if ROUTES.contains(&route) {
            let _ = self.0.set((event, number));
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    address: Box<str>,
    language: Language,
}

/// The same, of a request.
#[derive(Clone, Copy, Debug)]
struct Asked<'a> {
    address: &'a str,
    language: Language,
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (address, language) = (&*self.address, self.language);
        Asked { address, language }.hash(state);
    }
}

impl Hash for Asked<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.address.hash(state);
        self.language.tag().hash(state);
    }
}

impl Equivalent<Key> for Asked<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self.address == *key.address && self.language == key.language
    }
}

/// A body in one encoding, with the headers that go with it.
#[derive(Debug)]
struct Form {
    bytes: Bytes,
    headers: HeaderMap,
    /// The headers of the answer that nothing has changed.
    unchanged: HeaderMap,
}

/// An answer that is kept.
#[derive(Debug)]
struct Page {
    known: Arc<Known>,
    number: i64,
    until: DateTime<Utc>,
    /// The entity tag of all forms without what tells them apart.
    tag: String,
    plain: Form,
    gzip: Option<Form>,
    brotli: Option<Form>,
}

/// What is known of an address.
#[derive(Clone, Debug)]
enum Kept {
    Page(Arc<Page>),
    /// The answer is not one that can be kept: nobody waits for another's.
    Nothing {
        as_of: Option<(Arc<Known>, i64)>,
        since: Instant,
    },
}

#[derive(Clone, Debug)]
struct Weight;

impl Weighter<Key, Kept> for Weight {
    fn weight(&self, key: &Key, kept: &Kept) -> u64 {
        /// About what the headers and the bookkeeping take.
        const AROUND: usize = 2048;
        let bytes = match kept {
            Kept::Page(page) => {
                let forms = [Some(&page.plain), page.gzip.as_ref(), page.brotli.as_ref()];
                forms
                    .into_iter()
                    .flatten()
                    .map(|form| form.bytes.len() + AROUND)
                    .sum()
            }
            Kept::Nothing { .. } => 200,
        };
        u64::try_from(bytes + key.address.len()).unwrap_or(u64::MAX)
    }
}

type Memory = Cache<Key, Kept, Weight>;

/// The pages in memory.
#[derive(Debug)]
pub struct Released {
    /// Addresses without a query.
    plain: Memory,
    /// Addresses with one: there are as many as somebody cares to think of, so they have their own room.
    queried: Memory,
    served: AtomicU64,
    unchanged: AtomicU64,
    made: AtomicU64,
}

impl Released {
    /// Room for so many bytes; with none, nothing is kept.
    pub fn with_room(bytes: u64) -> Self {
        let memory = |bytes: u64| Cache::with_weighter(1000, bytes, Weight);
        Self {
            plain: memory(bytes / 4 * 3),
            queried: memory(bytes / 4),
            served: AtomicU64::new(0),
            unchanged: AtomicU64::new(0),
            made: AtomicU64::new(0),
        }
    }

    /// How many answers came from memory, and how many of them said that nothing has changed.
    pub fn served(&self) -> (u64, u64) {
        (
            self.served.load(Ordering::Relaxed),
            self.unchanged.load(Ordering::Relaxed),
        )
    }

    /// How many answers were made and kept.
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// How many bytes are kept.
    pub fn bytes(&self) -> u64 {
        self.plain.weight() + self.queried.weight()
    }

    fn memory(&self, address: &str) -> Option<&Memory> {
        let memory = if address.contains('?') {
            &self.queried
        } else {
            &self.plain
        };
        Some(memory).filter(|memory| memory.capacity() > 0)
    }

    /// The answer to a request, when it is in memory and holds.
    fn answer(&self, state: &AppState, page: &Page, request: &Request) -> Option<Response> {
        if page.known.number() > page.number || state.clock.now() >= page.until {
            return None;
        }
        let headers = request.headers();
        let accepts = Accepts::of(headers);
        let form = page.brotli.as_ref().filter(|_| accepts.brotli);
        let form = form.or(page.gzip.as_ref().filter(|_| accepts.gzip));
        let form = form.unwrap_or(&page.plain);
        self.served.fetch_add(1, Ordering::Relaxed);
        let mut response = Response::new(Body::empty());
        if names_tag(headers, &page.tag) {
            self.unchanged.fetch_add(1, Ordering::Relaxed);
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = form.unchanged.clone();
        } else {
            *response.headers_mut() = form.headers.clone();
            if request.method() == Method::GET {
                *response.body_mut() = Body::from(form.bytes.clone());
            }
        }
        if headers.contains_key(header::COOKIE) {
            let private = HeaderValue::from_static("private, no-cache");
            response.headers_mut().insert(header::CACHE_CONTROL, private);
        }
        Some(response)
    }
}

/// Which encodings a request takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Accepts {
    gzip: bool,
    brotli: bool,
}

impl Accepts {
    fn of(headers: &HeaderMap) -> Self {
        let mut accepts = Self::default();
        for value in headers.get_all(header::ACCEPT_ENCODING) {
            for part in value.to_str().unwrap_or_default().split(',') {
                let (name, quality) = part.split_once(';').unwrap_or((part, ""));
                let refused = quality
                    .trim()
                    .strip_prefix("q=")
                    .is_some_and(|quality| quality.trim_matches(['0', '.']).is_empty());
                match name.trim() {
                    "gzip" => accepts.gzip = !refused,
                    "br" => accepts.brotli = !refused,
                    _ => {}
                }
            }
        }
        accepts
    }
}

/// What a tag has at its end for a compressed form.
const ENDINGS: [&str; 2] = ["-gz", "-br"];

/// Whether a request has this answer already, in whichever form.
fn names_tag(headers: &HeaderMap, tag: &str) -> bool {
    headers.get_all(header::IF_NONE_MATCH).into_iter().any(|value| {
        value.to_str().unwrap_or_default().split(',').any(|one| {
            let one = one.trim();
            let one = one.strip_prefix("W/").unwrap_or(one).trim_matches('"');
            let base = ENDINGS.iter().find_map(|ending| one.strip_suffix(ending));
            one == "*" || base.unwrap_or(one) == tag
        })
    })
}

/// What stands before the whole application.
#[derive(Clone, Debug)]
pub struct Front(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    state: AppState,
    app: Router,
}

impl Front {
    /// Before an application.
    pub fn before(state: AppState, app: Router) -> Self {
        Self(Arc::new(Inner { state, app }))
    }
}

/// Whether the answer to a request may be one for everybody, and at which address.
fn shared(request: &Request) -> Option<Asked<'_>> {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads || !may_be_kept(request.uri().path()) {
        return None;
    }
    let address = request.uri().path_and_query()?.as_str();
    let headers = request.headers();
    if headers.contains_key(header::AUTHORIZATION) || headers.contains_key(header::RANGE) {
        return None;
    }
    if headers.contains_key(header::COOKIE) && !only_language(headers) {
        return None;
    }
    Some(Asked {
        address,
        language: language_of(headers),
    })
}

/// Whether the cookies of a request say a language and nothing else.
fn only_language(headers: &HeaderMap) -> bool {
    let mut names = headers
        .get_all(header::COOKIE)
        .into_iter()
        .flat_map(|value| value.to_str().unwrap_or("?").split(';'))
        .map(|pair| pair.trim().split('=').next().unwrap_or_default());
    names.all(|name| name == LANGUAGE_COOKIE || name.is_empty()) && cookie(headers, LANGUAGE_COOKIE).is_some()
}

impl Service<Request> for Front {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let inner = &self.0;
        let state = &inner.state;
        let Some(asked) = shared(&request) else {
            return Box::pin(inner.app.clone().oneshot(request));
        };
        let Some(memory) = state.released.memory(asked.address) else {
            return Box::pin(inner.app.clone().oneshot(request));
        };
        if state.live.hears()
            && let Some(Kept::Page(page)) = memory.get(&asked)
            && let Some(response) = state.released.answer(state, &page, &request)
        {
            return Box::pin(std::future::ready(Ok(response)));
        }
        let inner = Arc::clone(inner);
        Box::pin(async move { Ok(inner.make(request).await) })
    }
}

impl Inner {
    /// The answer to a request that is not in memory, or may not hold: made once, however many ask.
    async fn make(&self, request: Request) -> Response {
        let state = &self.state;
        let Some(asked) = shared(&request) else {
            return self.hand_on(request).await;
        };
        let language = asked.language;
        let key = Key {
            address: asked.address.into(),
            language,
        };
        let Some(memory) = state.released.memory(&key.address) else {
            return self.hand_on(request).await;
        };
        for _ in 0..TRIES {
            match memory.get_value_or_guard_async(&key).await {
                Ok(kept) => {
                    if let Some(known) = kept.known()
                        && !state.live.hears()
                        && let Err(error) = state.live.ask(&state.store, known.event()).await
                    {
                        tracing::warn!(%error, "whether a page in memory holds could not be asked");
                        return self.hand_on(request).await;
                    }
                    match &kept {
                        Kept::Page(page) => {
                            if let Some(response) = state.released.answer(state, page, &request) {
                                return response;
                            }
                        }
                        Kept::Nothing {
                            as_of: Some((known, number)),
                            ..
                        } if known.number() <= *number => {
                            return self.hand_on(request).await;
                        }
                        Kept::Nothing { as_of: None, since } if since.elapsed() < NOTHING => {
                            return self.hand_on(request).await;
                        }
                        Kept::Nothing { .. } => {}
                    }
                    // Out of date: the first to find it so makes it anew.
                    memory.remove_if(&key, |now| now.same(&kept));
                }
                Err(guard) => {
                    let slot = Slot::default();
                    let response = self.hand_on(bare(&request, language, slot.clone())).await;
                    let as_of = slot.0.get().copied();
                    let as_of = as_of.map(|(event, number)| (state.live.known(event, number), number));
                    let (parts, body) = response.into_parts();
                    let fit =
                        parts.status == StatusCode::OK && !parts.headers.contains_key(header::SET_COOKIE);
                    let Some((known, number)) = as_of.clone().filter(|_| fit) else {
                        drop(body);
                        let since = Instant::now();
                        let _ = guard.insert(Kept::Nothing { as_of, since });
                        // Asked again as it was asked: the answer may depend on what was left out.
                        return self.hand_on(request).await;
                    };
                    let until = until_of(state.clock.now(), &parts.extensions);
                    let Ok(bytes) = to_bytes(body, MOST).await else {
                        let since = Instant::now();
                        let _ = guard.insert(Kept::Nothing { as_of, since });
                        return self.hand_on(request).await;
                    };
                    let headers = parts.headers;
                    let made =
                        tokio::task::spawn_blocking(move || Page::of(known, number, until, &headers, &bytes));
                    let Ok(page) = made.await else {
                        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
                    };
                    let page = Arc::new(page);
                    state.released.made.fetch_add(1, Ordering::Relaxed);
                    let _ = guard.insert(Kept::Page(Arc::clone(&page)));
                    if let Some(response) = state.released.answer(state, &page, &request) {
                        return response;
                    }
                    // Something has changed meanwhile.
                }
            }
        }
        self.hand_on(request).await
    }

    async fn hand_on(&self, request: Request) -> Response {
        match self.app.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}

impl Kept {
    fn known(&self) -> Option<&Arc<Known>> {
        match self {
            Self::Page(page) => Some(&page.known),
            Self::Nothing { as_of, .. } => as_of.as_ref().map(|(known, _)| known),
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Page(one), Self::Page(other)) => Arc::ptr_eq(one, other),
            (Self::Nothing { since: one, .. }, Self::Nothing { since: other, .. }) => one == other,
            _ => false,
        }
    }
}

/// The request as everybody could have made it: the whole answer, in one language, as plain bytes.
fn bare(request: &Request, language: Language, slot: Slot) -> Request {
    let mut bare = Request::new(Body::empty());
    *bare.method_mut() = Method::GET;
    *bare.uri_mut() = request.uri().clone();
    *bare.version_mut() = request.version();
    *bare.headers_mut() = request.headers().clone();
    *bare.extensions_mut() = request.extensions().clone();
    bare.extensions_mut().insert(slot);
    let headers = bare.headers_mut();
    for name in [
        header::COOKIE,
        header::ACCEPT_ENCODING,
        header::IF_NONE_MATCH,
        header::IF_MODIFIED_SINCE,
        header::REFERER,
    ] {
        headers.remove(name);
    }
    headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(language.tag()));
    bare
}

impl Page {
    fn of(known: Arc<Known>, number: i64, until: DateTime<Utc>, headers: &HeaderMap, bytes: &Bytes) -> Self {
        let given = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok());
        let strong = given
            .filter(|tag| !tag.starts_with("W/"))
            .map(|tag| tag.trim_matches('"').to_owned());
        let tag = strong.unwrap_or_else(|| hex(&Sha256::digest(bytes)[..12]));
        let smaller =
            |compressed: Option<Vec<u8>>| compressed.filter(|compressed| compressed.len() < bytes.len());
        let worth = bytes.len() >= WORTH;
        let gzip = smaller(worth.then(|| gzipped(bytes)).flatten());
        let brotli = smaller(worth.then(|| brotlied(bytes)).flatten());
        let form =
            |bytes: Bytes, encoding: Option<(&'static str, &str)>| Form::of(headers, &tag, bytes, encoding);
        Self {
            gzip: gzip.map(|gzip| form(gzip.into(), Some(("gzip", ENDINGS[0])))),
            brotli: brotli.map(|brotli| form(brotli.into(), Some(("br", ENDINGS[1])))),
            plain: form(bytes.clone(), None),
            known,
            number,
            until,
            tag,
        }
    }
}

impl Form {
    fn of(made: &HeaderMap, tag: &str, bytes: Bytes, encoding: Option<(&'static str, &str)>) -> Self {
        let mut headers = made.clone();
        for of_one in ["date", "connection", "transfer-encoding", "vary"] {
            headers.remove(of_one);
        }
        let (encoding, ending) = encoding.unzip();
        let quoted = format!("\"{tag}{}\"", ending.unwrap_or_default());
        if let Ok(tag) = HeaderValue::from_str(&quoted) {
            headers.insert(header::ETAG, tag);
        }
        headers.insert(
            header::VARY,
            HeaderValue::from_static("accept-encoding, accept-language, authorization, cookie"),
        );
        let mut unchanged = headers.clone();
        for of_body in [
            header::CONTENT_TYPE,
            header::CONTENT_LENGTH,
            header::CONTENT_ENCODING,
        ] {
            unchanged.remove(of_body);
        }
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        Self {
            bytes,
            headers,
            unchanged,
        }
    }
}

fn gzipped(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).ok()?;
    writer.finish().ok()
}

fn brotlied(bytes: &[u8]) -> Option<Vec<u8>> {
    /// Better than gzip, and about as quick.
    const QUALITY: u32 = 5;
    let mut compressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 4096, QUALITY, 22);
    writer.write_all(bytes).ok()?;
    drop(writer);
    Some(compressed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn every_route_that_is_kept_is_known_by_its_path() {
        for route in ROUTES {
            assert!(may_be_kept(route), "{route}");
        }
        for path in [
            "/",
            "/e",
            "/e/open/screen",
            "/e/open/rounds/1/boards/2",
            "/api/v1/events/open/stream",
            "/api/v1/events/open/export",
            "/api/v1/events/open/rounds/1/boards/2/result",
            "/a/b/c/d/e/f/g/h/i/j",
        ] {
            assert!(!may_be_kept(path), "{path}");
        }
    }

    #[test]
    fn an_encoding_is_taken_where_it_is_named_and_not_refused() {
        for (value, gzip, brotli) in [
            ("gzip, deflate, br, zstd", true, true),
            ("gzip;q=0.5, br;q=0", true, false),
            ("br;q=0.001", false, true),
            ("identity", false, false),
            ("", false, false),
        ] {
            let accepts = Accepts::of(&headers(header::ACCEPT_ENCODING, value));
            assert_eq!(accepts, Accepts { gzip, brotli }, "{value}");
        }
    }

    #[test]
    fn a_tag_names_an_answer_in_every_form() {
        for (value, named) in [
            ("\"0a1b\"", true),
            ("W/\"0a1b\"", true),
            ("\"0a1b-gz\"", true),
            ("\"ffff\", \"0a1b-br\"", true),
            ("*", true),
            ("\"0a1b-xx\"", false),
            ("\"0a1\"", false),
        ] {
            let asked = headers(header::IF_NONE_MATCH, value);
            assert_eq!(names_tag(&asked, "0a1b"), named, "{value}");
        }
    }

    #[test]
    fn cookies_other_than_the_language_are_somebodys_own() {
        for (value, only) in [
            ("lang=en", true),
            ("lang=en; said=x", false),
            ("__Host-tianyuan=secret", false),
            ("other=1", false),
        ] {
            assert_eq!(only_language(&headers(header::COOKIE, value)), only, "{value}");
        }
    }
}
