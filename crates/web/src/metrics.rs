//! What the server measures of itself, as Prometheus reads it.
//!
//! Each room counts by the macros of `metrics` where something happens; here they are collected, described
//! and written. A label is a route as the router names it, a method, a class of status or a fixed word,
//! never an address, a name or an event: there are as many series as routes, however many ask.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use store::replica::{Choice, Found, Replica};

use crate::extract::Admin;
use crate::state::AppState;

/// The upper bounds of how long something took, in seconds.
const BUCKETS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0,
];

/// How often what was counted is put in order, so that nothing piles up where nobody asks.
const UPKEEP: Duration = Duration::from_secs(5);

/// What collects the measures of this process: one for all servers in it.
fn collected() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE
        .get_or_init(|| {
            let builder = PrometheusBuilder::new().set_buckets(&BUCKETS).ok()?;
            let handle = builder.install_recorder().ok()?;
            describe();
            Some(handle)
        })
        .as_ref()
}

/// Begins to collect: what was counted before is lost.
pub fn begin() {
    if collected().is_none() {
        tracing::warn!("nothing is measured: another collector is there already");
    }
}

/// Keeps what is collected small, for as long as it is awaited.
pub async fn upkeep() {
    let mut ticks = tokio::time::interval(UPKEEP);
    loop {
        ticks.tick().await;
        if let Some(handle) = collected() {
            handle.run_upkeep();
        }
    }
}

fn describe() {
    describe_histogram!(
        "tianyuan_request_seconds",
        Unit::Seconds,
        "How long requests took, until the head of the answer"
    );
    describe_gauge!(
        "tianyuan_requests_under_way",
        "Requests that are not answered yet"
    );
    describe_gauge!("tianyuan_connections", "Open connections of clients");
    describe_counter!(
        "tianyuan_connections_full_total",
        "Connections that had to wait because as many were open as there may be"
    );
    describe_gauge!("tianyuan_streams", "Open streams of server-sent events");
    describe_counter!(
        "tianyuan_streams_opened_total",
        "Streams that were opened since the start"
    );
    describe_counter!(
        "tianyuan_streams_cut_total",
        "Streams that were ended because they did not take what was sent"
    );
    describe_counter!(
        "tianyuan_pages_from_memory_total",
        "Answers that came from memory, by whether they said that nothing has changed; requests do not count them"
    );
    describe_counter!(
        "tianyuan_pages_made_total",
        "Answers that were made and kept in memory"
    );
    describe_gauge!(
        "tianyuan_pages_bytes",
        Unit::Bytes,
        "Answers that are kept in memory"
    );
    describe_counter!(
        "tianyuan_notifications_total",
        "Notifications of changes that came from the database"
    );
    describe_gauge!(
        "tianyuan_database_connections",
        "Connections to the database, in use and idle"
    );
    describe_gauge!(
        "tianyuan_database_connections_most",
        "Connections to the database that there may be"
    );
    describe_histogram!(
        "tianyuan_database_wait_seconds",
        Unit::Seconds,
        "How long it took until a transaction was open"
    );
    describe_counter!(
        "tianyuan_database_failures_total",
        "Transactions that could not be opened"
    );
    describe_histogram!(
        "tianyuan_pairing_seconds",
        Unit::Seconds,
        "How long it took to pair a round"
    );
    describe_gauge!(
        "tianyuan_records_waiting",
        "Game records that wait to be judged, or are being judged"
    );
    describe_counter!(
        "tianyuan_password_hashes_total",
        "Passwords that were hashed or compared"
    );
    describe_counter!(
        "tianyuan_attempts_refused_total",
        "Attempts that came too often, by kind"
    );
    describe_gauge!(
        "tianyuan_process_resident_bytes",
        Unit::Bytes,
        "Memory of this process"
    );
    describe_gauge!("tianyuan_process_file_handles", "File handles that are open");
    describe_gauge!("tianyuan_replica_follows", "1 while the replica follows");
    describe_gauge!(
        "tianyuan_replica_lag_bytes",
        Unit::Bytes,
        "How much of the write-ahead log the replica has not replayed"
    );
    describe_gauge!(
        "tianyuan_replica_lag_seconds",
        Unit::Seconds,
        "How old the last change is that the replica has"
    );
    describe_counter!(
        "tianyuan_replica_reads_total",
        "Public readings by choice: from the replica, or from the first database and why"
    );
    describe_gauge!("tianyuan_info", "1, with the version as a label");
}

/// The layer that measures requests.
pub async fn measure(request: Request, next: Next) -> Response {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "none".to_owned(), |route| route.as_str().to_owned());
    let method = method_of(request.method());
    let under_way = Gauge::up("tianyuan_requests_under_way");
    let began = Instant::now();
    let response = next.run(request).await;
    drop(under_way);
    let status = match response.status().as_u16() {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    };
    histogram!("tianyuan_request_seconds", "method" => method, "route" => route, "status" => status)
        .record(began.elapsed());
    response
}

/// A method as a label. Anybody can make up others.
fn method_of(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        _ => "other",
    }
}

/// One more of something for as long as this lives, also when whoever waits for it gives up.
#[derive(Debug)]
pub struct Gauge(&'static str);

impl Gauge {
    /// One more.
    pub fn up(name: &'static str) -> Self {
        gauge!(name).increment(1.0);
        Self(name)
    }
}

impl Drop for Gauge {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1.0);
    }
}

/// The measures as text, with those that are looked up now.
pub fn text(state: &AppState) -> String {
    let Some(handle) = collected() else {
        return String::new();
    };
    let pool = state.store.connections();
    gauge!("tianyuan_database_connections", "state" => "in_use").set(f64::from(pool.in_use));
    gauge!("tianyuan_database_connections", "state" => "idle").set(f64::from(pool.idle));
    gauge!("tianyuan_database_connections_most").set(f64::from(pool.most));
    gauge!("tianyuan_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let live = &state.live;
    gauge!("tianyuan_streams").set(as_float(live.streams()));
    counter!("tianyuan_streams_opened_total").absolute(live.streams_opened());
    counter!("tianyuan_streams_cut_total").absolute(live.streams_cut());
    let released = &state.released;
    let (served, unchanged) = released.served();
    let pages = |unchanged: bool, number: u64| {
        let unchanged = if unchanged { "yes" } else { "no" };
        counter!("tianyuan_pages_from_memory_total", "unchanged" => unchanged).absolute(number);
    };
    pages(true, unchanged);
    pages(false, served.saturating_sub(unchanged));
    counter!("tianyuan_pages_made_total").absolute(released.made());
    gauge!("tianyuan_pages_bytes").set(as_float(usize::try_from(released.bytes()).unwrap_or(usize::MAX)));
    if let Some(replica) = state.store.replica() {
        tell_of(replica);
    }
    if let Some(bytes) = resident_bytes() {
        gauge!("tianyuan_process_resident_bytes").set(bytes);
    }
    if let Some(handles) = open_handles() {
        gauge!("tianyuan_process_file_handles").set(f64::from(handles));
    }
    handle.render()
}

/// Whether the replica follows, how far it is behind, and how often it was read.
fn tell_of(replica: &Replica) {
    let found = replica.found();
    if let Some(Found::Follows(lag)) = found {
        let bytes = usize::try_from(lag.bytes).unwrap_or_default();
        gauge!("tianyuan_replica_lag_bytes").set(as_float(bytes));
        gauge!("tianyuan_replica_lag_seconds").set(lag.seconds);
    }
    let follows = matches!(found, Some(Found::Follows(_)));
    gauge!("tianyuan_replica_follows").set(f64::from(u8::from(follows)));
    for choice in Choice::ALL {
        counter!("tianyuan_replica_reads_total", "choice" => choice.as_str())
            .absolute(replica.chosen(choice));
    }
}

/// A number for a gauge, which are floats: exact up to four thousand million.
fn as_float(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The memory of this process, where the system says it as Linux does.
fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u32 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(f64::from(kilobytes) * 1024.0)
}

/// The open file handles of this process, where the system lists them as Linux does.
fn open_handles() -> Option<u32> {
    u32::try_from(std::fs::read_dir("/proc/self/fd").ok()?.count()).ok()
}

/// `/metrics`, for administrators: a program comes with a token of one. Without one they are to be had at
/// the address of `--metrics-listen` alone, for an address that is near may be that of a proxy.
///
/// # Errors
/// `sign-in-needed`, `needs-admin`.
pub async fn show(_admin: Admin, State(state): State<AppState>) -> Response {
    answer(&state)
}

/// The measures as an answer.
pub fn answer(state: &AppState) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    let no_store = HeaderValue::from_static("no-store");
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, no_store)];
    (headers, text(state)).into_response()
}
