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
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, TimeDelta, Utc};
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};
use sha2::{Digest, Sha256};
use store::replica::Reading;
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
/// How long making a page may take that is read from the replica, before it is read elsewhere.
const FROM_REPLICA: Duration = Duration::from_secs(5);
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
pub struct Slot {
    as_of: Arc<OnceLock<(Uuid, i64)>>,
    /// Whether it may be read from the replica.
    from_replica: bool,
    reading: Reading,
}

impl Slot {
    /// Says it. Where the answer is read may be remembered in what is returned, and whether it may be from
    /// the replica: what is kept follows from the event's public state alone.
    pub fn fill(&self, event: Uuid, number: i64) -> (Reading, bool) {
        let _ = self.as_of.set((event, number));
        (self.reading.clone(), self.from_replica)
    }
}

/// Whether the answers to a route may be kept.
pub fn is_kept(route: &str) -> bool {
    ROUTES.contains(&route)
}

/// By this header an answer tells the number of the last public change that it shows, and a request the
/// last one that its sender has seen in the event.
pub const NUMBER: HeaderName = HeaderName::from_static("tianyuan-number");
/// A browser says the same by this cookie, for some seconds after a change and for the pages of one event:
/// it sends no header of ours when somebody follows a link. Scripts set it (`static/live.js`) and answers
/// never do, so what proxies keep has none in it, and outside of those seconds requests have none either.
const NUMBER_COOKIE: &str = "seen";

/// The last public change that whoever asks has seen. Another server may have told it: a page in memory
/// that is from before is not shown until the database has been asked.
fn brought(headers: &HeaderMap) -> i64 {
    let header = headers.get(NUMBER).and_then(|number| number.to_str().ok());
    let cookie = cookie(headers, NUMBER_COOKIE);
    let told = header
        .into_iter()
        .chain(cookie)
        .filter_map(|number| number.parse().ok());
    let tags = tags(headers).filter_map(|tag| without_ending(tag.trim_matches('"')).split_once('.'));
    told.chain(tags.filter_map(|(_, number)| number.parse().ok()))
        .max()
        .unwrap_or_default()
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
    /// The entity tag of all forms without number and encoding.
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
        if let Some(named) = named_tag(headers, &page.tag) {
            self.unchanged.fetch_add(1, Ordering::Relaxed);
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = form.unchanged.clone();
            // By its own tag a cache knows which of its answers holds on; the number in it may be an older one.
            if let Ok(tag) = HeaderValue::from_str(named)
                && named != "*"
            {
                response.headers_mut().insert(header::ETAG, tag);
            }
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

/// The tags of the answers that a request has already.
fn tags(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(header::IF_NONE_MATCH).into_iter();
    values
        .flat_map(|value| value.to_str().unwrap_or_default().split(','))
        .map(str::trim)
        .map(|one| one.strip_prefix("W/").unwrap_or(one))
}

fn without_ending(tag: &str) -> &str {
    let base = ENDINGS.iter().find_map(|ending| tag.strip_suffix(ending));
    base.unwrap_or(tag)
}

/// The tag by which a request has this answer already, in whichever form and as of whichever change.
fn named_tag<'a>(headers: &'a HeaderMap, tag: &str) -> Option<&'a str> {
    tags(headers).find(|one| {
        let base = without_ending(one.trim_matches('"'));
        *one == "*" || base == tag || base.split_once('.').is_some_and(|(base, _)| base == tag)
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
    // What has a body or two hosts is odd for a question, and looked at by the layers behind.
    let odd = headers.contains_key(header::TRANSFER_ENCODING)
        || headers
            .get(header::CONTENT_LENGTH)
            .is_some_and(|length| length != "0")
        || headers.get_all(header::HOST).iter().nth(1).is_some();
    if odd || headers.contains_key(header::AUTHORIZATION) || headers.contains_key(header::RANGE) {
        return None;
    }
    if headers.contains_key(header::COOKIE) && !of_nobody(headers) {
        return None;
    }
    Some(Asked {
        address,
        language: language_of(headers),
    })
}

/// The cookies that do not tell who somebody is.
const OF_NOBODY: [&str; 2] = [LANGUAGE_COOKIE, NUMBER_COOKIE];

/// Whether the cookies of a request say nothing about who asks.
fn of_nobody(headers: &HeaderMap) -> bool {
    let mut names = headers
        .get_all(header::COOKIE)
        .into_iter()
        .flat_map(|value| value.to_str().unwrap_or("?").split(';'))
        .map(|pair| pair.trim().split('=').next().unwrap_or_default());
    names.all(|name| OF_NOBODY.contains(&name) || name.is_empty())
        && OF_NOBODY.iter().any(|name| cookie(headers, name).is_some())
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
            && page.known.number() >= brought(request.headers())
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
                        && (!state.live.hears() || known.number() < brought(request.headers()))
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
                    let asks = [true, false]
                        .map(|from_replica| Slot {
                            from_replica,
                            ..Slot::default()
                        })
                        .map(|slot| (bare(&request, language, slot.clone()), slot));
                    let (response, slot) = self.made_for_all(asks).await;
                    let as_of = slot.as_of.get().copied();
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

    /// The answer that everybody gets, read from the replica where that is new enough and goes through
    /// with it, and else from the first database.
    async fn made_for_all(&self, [request, again]: [(Request, Slot); 2]) -> (Response, Slot) {
        let Some(replica) = self.state.store.replica() else {
            return (self.hand_on(again.0).await, again.1);
        };
        let (request, slot) = request;
        let mut made = pin!(self.hand_on(request));
        let response = match tokio::time::timeout(FROM_REPLICA, &mut made).await {
            Ok(response) => response,
            Err(_) if slot.reading.used_replica() => StatusCode::GATEWAY_TIMEOUT.into_response(),
            Err(_) => made.await,
        };
        if !slot.reading.used_replica() || !response.status().is_server_error() {
            return (response, slot);
        }
        tracing::warn!(status = %response.status(), "a page could not be read from the replica");
        replica.rest();
        (self.hand_on(again.0).await, again.1)
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
        // A tag that the answer has by itself is one for `If-Match`, and stays as it is.
        let shown = headers.get(NUMBER).and_then(|number| number.to_str().ok());
        let shown = shown.filter(|_| strong.is_none());
        let tag = strong.unwrap_or_else(|| hex(&Sha256::digest(bytes)[..12]));
        let whole = shown.map_or_else(|| tag.clone(), |shown| format!("{tag}.{shown}"));
        let smaller =
            |compressed: Option<Vec<u8>>| compressed.filter(|compressed| compressed.len() < bytes.len());
        let worth = bytes.len() >= WORTH;
        let gzip = smaller(worth.then(|| gzipped(bytes)).flatten());
        let brotli = smaller(worth.then(|| brotlied(bytes)).flatten());
        let form =
            |bytes: Bytes, encoding: Option<(&'static str, &str)>| Form::of(headers, &whole, bytes, encoding);
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
    fn a_tag_names_an_answer_in_every_form_and_as_of_every_change() {
        for (value, named) in [
            ("\"0a1b\"", true),
            ("W/\"0a1b\"", true),
            ("\"0a1b-gz\"", true),
            ("\"ffff\", \"0a1b-br\"", true),
            ("\"0a1b.7\"", true),
            ("\"0a1b.12-br\"", true),
            ("*", true),
            ("\"0a1b-xx\"", false),
            ("\"0a1.7\"", false),
            ("\"0a1\"", false),
        ] {
            let asked = headers(header::IF_NONE_MATCH, value);
            assert_eq!(named_tag(&asked, "0a1b").is_some(), named, "{value}");
        }
    }

    #[test]
    fn the_greatest_number_counts_that_whoever_asks_has_seen() {
        assert_eq!(brought(&HeaderMap::new()), 0);
        for (name, value, number) in [
            (NUMBER, "12", 12),
            (NUMBER, "twelve", 0),
            (header::COOKIE, "lang=en; seen=7", 7),
            (
                header::IF_NONE_MATCH,
                "\"0a1b.7\", W/\"0a1b.31-gz\", \"ffff-br\"",
                31,
            ),
            (header::IF_NONE_MATCH, "\"31\"", 0),
            (header::IF_NONE_MATCH, "*", 0),
        ] {
            assert_eq!(brought(&headers(name.clone(), value)), number, "{name}: {value}");
        }
        let mut several = headers(NUMBER, "3");
        several.insert(header::COOKIE, HeaderValue::from_static("seen=5"));
        several.insert(header::IF_NONE_MATCH, HeaderValue::from_static("\"0a1b.4\""));
        assert_eq!(brought(&several), 5);
    }

    #[test]
    fn cookies_beside_language_and_number_are_somebodys_own() {
        for (value, only) in [
            ("lang=en", true),
            ("lang=en; seen=7", true),
            ("seen=7", true),
            ("lang=en; said=x", false),
            ("__Host-tianyuan=secret", false),
            ("other=1", false),
        ] {
            assert_eq!(of_nobody(&headers(header::COOKIE, value)), only, "{value}");
        }
    }
}
