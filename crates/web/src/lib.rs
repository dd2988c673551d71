//! Pages, API, sessions and translations.
//!
//! [`app`] puts the house together: the API under `/api`, the pages beside it, and around both the
//! layers that every request passes. [`serve`] runs it on a listener until it is told to stop.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use chrono::TimeDelta;
use tokio::net::TcpListener;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::csrf::CsrfLayer;
use tower_http::timeout::{RequestBodyTimeoutLayer, TimeoutLayer};
use tower_http::trace::TraceLayer;

pub mod api;
pub mod around;
pub mod auth;
pub mod connections;
pub mod earlier;
pub mod entry_lists;
pub mod errors;
pub mod extract;
pub mod hall;
pub mod i18n;
pub mod live;
pub mod metrics;
pub mod pages;
pub mod records;
pub mod released;
pub mod results;
pub mod rights;
pub mod state;

pub use connections::Limits;
pub use state::{AppState, Clock, Config};

/// The most bytes of a body, except where a file comes in.
pub const BODY_LIMIT: usize = 1024 * 1024;
/// The most bytes of a file that is imported.
pub const IMPORT_LIMIT: usize = 16 * 1024 * 1024;
/// How long one request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// How long requests that are under way may take after the server was told to stop.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

/// Every route, behind the gate that asks for rights; a test holds them to its table.
pub fn routes(state: &AppState) -> Router<AppState> {
    Router::new()
        .merge(api::router(state))
        .merge(pages::router())
        .route_layer(from_fn_with_state(state.clone(), rights::gate))
        .layer(from_fn_with_state(state.clone(), errors::unless_gone))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics::show))
}

/// The whole application.
pub fn app(state: AppState) -> Router {
    let mut csrf = CsrfLayer::new();
    if let Some(base) = &state.config.base_url {
        // A proxy may put its own name into Host; the browser's Origin is then this one.
        match csrf.clone().add_trusted_origin(base) {
            Ok(trusting) => csrf = trusting,
            Err(error) => tracing::warn!(%error, "the public address is no origin"),
        }
    }
    // As one stack: a layer of a router by itself is boxed and copied for every request, with all that is in it.
    let layers = ServiceBuilder::new()
        .layer(TraceLayer::new_for_http().make_span_with(span))
        .layer(from_fn(metrics::measure))
        .layer(RequestBodyTimeoutLayer::new(state.config.limits.body))
        .map_request(|request: axum::http::Request<_>| request.map(Body::new))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(state.clone(), errors::tell))
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            // The panic hook has logged what happened; the caller learns only that it did.
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            REQUEST_TIMEOUT,
        ))
        .layer(from_fn(around::refuse_odd))
        .layer(csrf)
        .layer(DefaultBodyLimit::max(BODY_LIMIT));
    let all = routes(&state)
        .fallback(|| async { errors::Error::not_found() })
        .layer(layers)
        .with_state(state.clone());
    // What is in memory is answered before anything else is done.
    Router::new()
        .fallback_service(released::Front::before(state.clone(), all))
        .layer(from_fn_with_state(state, around::around))
}

/// What the log says of a request: the route and not the path, which may hold a secret link; no
/// address, no name.
fn span(request: &Request) -> tracing::Span {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("", MatchedPath::as_str);
    let id = request
        .extensions()
        .get::<around::RequestId>()
        .map_or("", around::RequestId::as_str);
    tracing::info_span!("request", method = %request.method(), route, id)
}

async fn ready(State(state): State<AppState>) -> Response {
    if state.leaving.load(Ordering::Acquire) {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    match state.store.ping().await {
        Ok(()) => "ready\n".into_response(),
        Err(error) => {
            tracing::warn!(%error, "the database does not answer");
            errors::Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy").into_response()
        }
    }
}

/// Forgets what has run out, every hour, for as long as it is awaited: sessions, and the answers
/// kept for repeated requests after a day. More than one instance doing it does no harm.
pub async fn housekeeping(state: AppState) {
    let mut hours = tokio::time::interval(Duration::from_secs(3600));
    loop {
        hours.tick().await;
        let now = state.clock.now();
        let swept = in_time(async {
            let mut tx = state.store.begin().await?;
            store::accounts::purge_sessions(&mut tx, now).await?;
            store::attempts::purge(&mut tx, now).await?;
            store::idempotency::purge(&mut tx, now - TimeDelta::days(1)).await?;
            tx.commit().await?;
            store::changes::purge(&state.store, now - TimeDelta::days(2)).await
        });
        if let Err(why) = swept.await {
            tracing::warn!(why, "what has run out could not be forgotten");
        }
    }
}

/// What is done beside requests, given up when it takes longer than any of them may: a connection that
/// is frozen would be waited for in vain. What went wrong, in one line.
async fn in_time<T>(work: impl Future<Output = store::Result<T>>) -> std::result::Result<T, String> {
    match tokio::time::timeout(REQUEST_TIMEOUT, work).await {
        Ok(done) => done.map_err(|error| errors::chain(&error)),
        Err(_) => Err("the database does not answer".to_owned()),
    }
}

/// Publishes drafts at the moments set for them, for as long as it is awaited. More than one
/// instance doing it publishes each once.
pub async fn publisher(state: AppState) {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    seconds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        seconds.tick().await;
        let published = in_time(store::rounds::publish_due(
            &state.store,
            state.clock.now(),
            state::chance,
        ));
        if let Err(why) = published.await {
            tracing::warn!(why, "a round could not be published at its time; trying again");
        }
    }
}

/// Serves the application until `shutdown` is done. From then on it says that it is not ready, and goes on
/// answering for as long as a proxy may need to notice (`Config::drain`); then it takes no more connections,
/// ends its streams, and gives requests that are under way ten seconds.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()> + Send + 'static,
) {
    let limits = state.config.limits;
    let (live, leaving, drain) = (
        Arc::clone(&state.live),
        Arc::clone(&state.leaving),
        state.config.drain,
    );
    let shutdown = async move {
        shutdown.await;
        leaving.store(true, Ordering::Release);
        tokio::time::sleep(drain).await;
        // A stream would be under way for ever.
        live.close();
    };
    connections::serve(listener, app(state), limits, shutdown, DRAIN_TIMEOUT).await;
}

/// Serves the measures alone, to whoever reaches the listener, for as long as it is awaited.
pub async fn serve_metrics(listener: TcpListener, state: AppState) {
    let limits = Limits {
        connections: 16,
        ..state.config.limits
    };
    let show = |State(state): State<AppState>| async move { metrics::answer(&state) };
    let app = Router::new().route("/metrics", get(show)).with_state(state);
    connections::serve(listener, app, limits, std::future::pending(), DRAIN_TIMEOUT).await;
}
