//! The HTTP API, version 1: thin over the use cases of the store.
//!
//! Reading is open to everybody and shows what is published; with a right in the event (`rights.rs`)
//! also what is not. Changing needs a token or a session, and a right. A change answers with the new
//! state and its version, and every refusal is a problem with a stable `type` (RFC 9457).

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa::openapi::Ref;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::errors::Error;
use crate::state::AppState;

mod check_in;
pub(crate) mod common;
mod draws;
mod entries;
mod entries_import;
mod events;
mod explain;
mod families;
mod log;
mod model;
mod people;
mod records;
mod results;
mod rounds;
mod sheets;
mod sign_ups;
mod standings;
mod stream;
pub(crate) mod together;
mod why;

/// Where version 1 lives.
pub const BASE: &str = "/api/v1";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tianyuan",
        description = "Swiss-system tournaments for Go (积分编排).\n\n\
            **Reading** needs no account and shows what is published. Who has a right in an event also sees it when \
            it is hidden, and its directors and viewers see drafts. To everybody else a draft answers exactly as a \
            round that does not exist, and a hidden event as none.\n\n\
            **Changing** needs `Authorization: Bearer ty_…` (made in one's account or with `tianyuan token add NAME`) \
            or the session cookie of the pages, and a right in the event: arbiters enter and clear results \
            and check players in, directors do everything. A missing right is named (403, `needs-director` …). Names that are withheld \
            from the public read as the number to whoever has no right in the event. Bodies are `application/json`; unknown fields are refused with their path.\n\n\
            **Refusals** are problem details (RFC 9457, `application/problem+json`) with a stable `type`, a sentence \
            in the language of `Accept-Language` (zh-CN or en), and single faults with their paths in `errors`.\n\n\
            **Versions.** To directors, events, rounds and boards carry a `version`, which also begins their `ETag`. A change of \
            a result that is there already, and any change or removal of a round, needs it as `If-Match: \"VERSION\"` \
            (the whole ETag does as well, and `*` means: whatever it is now). Without it the answer is 428; when the \
            thing has changed meanwhile, 412 with the state as it is now in `current`. The first result of a board \
            needs no `If-Match`. The same result again is a success that changes nothing.\n\n\
            **Retries.** A POST with an `Idempotency-Key` can be repeated after a lost answer: it is answered as the \
            first time and done once; invitations are the exception, since nothing keeps their secret. The same key with another request is refused with 422.\n\n\
            **Scores** are whole numbers, two for a win. Fractions are strings (`\"279/11\"`), decimals are strings \
            with a point (`\"3.75\"`), moments are RFC 3339 in UTC.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    modifiers(&Security),
    tags(
        (name = "events", description = "Events and event files"),
        (name = "families", description = "Events that belong together: the groups of one tournament"),
        (name = "entries", description = "Who plays: numbers, absences, withdrawals"),
        (name = "draws", description = "Draws of lots: promised before, with public words, checkable by anybody"),
        (name = "rounds", description = "Pairing, drafts, publication"),
        (name = "results", description = "Results, board by board or many at once"),
        (name = "records", description = "Game records (棋谱): brought, judged, kept; evidence beside the results"),
        (name = "standings", description = "Places, games, crosstable"),
        (name = "live", description = "What changes, as it changes"),
        (name = "people", description = "Who may do what in an event, and invitations"),
        (name = "log", description = "Who changed what, when, why"),
    )
)]
struct Document;

struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
        components.add_security_scheme(
            "session",
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("__Host-tianyuan"))),
        );
    }
}

/// The name of the answer that any route may give, among the components of the description.
const UNAVAILABLE: &str = "Unavailable";

/// Says of each route what it answers while it cannot do its work.
fn describe_unavailable(document: &mut utoipa::openapi::OpenApi) {
    let answer = ResponseBuilder::new()
        .description(
            "The server cannot answer now: its database does not, it is stopping, or it has as many streams as it keeps. \
             `Retry-After` says when to ask again; nothing was changed that was not acknowledged",
        )
        .content(
            "application/problem+json",
            ContentBuilder::new()
                .schema(Some(Ref::from_schema_name("ProblemDetails")))
                .build(),
        )
        .build();
    let components = document.components.get_or_insert_default();
    components.responses.insert(UNAVAILABLE.into(), answer.into());
    for path in document.paths.paths.values_mut() {
        let operations = [
            &mut path.get,
            &mut path.put,
            &mut path.post,
            &mut path.delete,
            &mut path.patch,
        ];
        for operation in operations.into_iter().flatten() {
            let unavailable = Ref::from_response_name(UNAVAILABLE).into();
            operation.responses.responses.insert("503".into(), unavailable);
        }
    }
}

fn parts() -> (Router<AppState>, utoipa::openapi::OpenApi) {
    let (router, mut document) = OpenApiRouter::with_openapi(Document::openapi())
        .nest(
            BASE,
            OpenApiRouter::new()
                .routes(routes!(events::list, events::create))
                .routes(routes!(events::copy))
                .routes(routes!(families::list, families::create))
                .routes(routes!(families::get, families::update))
                .routes(routes!(families::split))
                .routes(routes!(families::dissolve))
                .routes(routes!(families::give))
                .routes(routes!(families::pair))
                .routes(routes!(families::publish))
                .routes(routes!(families::throw_away))
                .routes(routes!(families::find))
                .merge(
                    OpenApiRouter::new()
                        .routes(routes!(events::import))
                        .layer(DefaultBodyLimit::max(crate::IMPORT_LIMIT)),
                )
                .routes(routes!(events::get, events::update, events::delete))
                .routes(routes!(events::export))
                .routes(routes!(sheets::get))
                .routes(routes!(sheets::freeze, sheets::unfreeze))
                .routes(routes!(entries::list, entries::add))
                .merge(
                    OpenApiRouter::new()
                        .routes(routes!(entries_import::import))
                        .layer(DefaultBodyLimit::max(interchange::entries_table::BYTES_LIMIT)),
                )
                .routes(routes!(entries::get, entries::update, entries::delete))
                .routes(routes!(check_in::list))
                .routes(routes!(check_in::here, check_in::away))
                .routes(routes!(check_in::leave_out))
                .routes(routes!(check_in::undo))
                .routes(routes!(sign_ups::settings, sign_ups::set))
                .routes(routes!(sign_ups::list, sign_ups::sign_up))
                .routes(routes!(sign_ups::own_sign_up, sign_ups::take_back))
                .routes(routes!(sign_ups::confirm))
                .routes(routes!(sign_ups::refuse))
                .routes(routes!(sign_ups::put_back))
                .routes(routes!(people::list))
                .routes(routes!(people::set, people::take))
                .routes(routes!(people::invite))
                .routes(routes!(people::revoke))
                .routes(routes!(draws::list))
                .routes(routes!(draws::numbers, draws::draw_numbers))
                .routes(routes!(draws::groups, draws::draw_groups))
                .routes(routes!(draws::add_word))
                .routes(routes!(draws::remove_word))
                .routes(routes!(standings::games))
                .routes(routes!(standings::standings))
                .routes(routes!(standings::crosstable))
                .routes(routes!(explain::compare))
                .routes(routes!(explain::explain))
                .routes(routes!(explain::readiness))
                .routes(routes!(rounds::list, rounds::pair))
                .routes(routes!(rounds::get, rounds::update, rounds::delete))
                .routes(routes!(rounds::publish, rounds::keep_as_draft))
                .routes(routes!(why::why))
                .routes(routes!(draws::round))
                .routes(routes!(results::get, results::put, results::delete))
                .routes(routes!(results::put_many))
                .routes(routes!(records::get, records::put, records::withdraw))
                .routes(routes!(records::versions))
                .routes(routes!(records::version))
                .routes(routes!(records::bring_back))
                .routes(routes!(records::of_event))
                .routes(routes!(records::codes))
                .routes(routes!(records::renew_codes))
                .routes(routes!(records::check))
                .routes(routes!(stream::stream))
                .routes(routes!(log::list))
                .routes(routes!(log::undo))
                .routes(routes!(log::file)),
        )
        .split_for_parts();
    describe_unavailable(&mut document);
    (router, document)
}

/// The description of the API, as `/api/v1/openapi.json` serves it.
pub fn document() -> utoipa::openapi::OpenApi {
    parts().1
}

/// Everything under `/api`.
pub fn router(_state: &AppState) -> Router<AppState> {
    let (router, document) = parts();
    let viewer: Router<AppState> = SwaggerUi::new("/api/docs")
        .url("/api/v1/openapi.json", document)
        // The viewer would otherwise ask a server of its makers whether the document is valid.
        .config(Config::default().validator_url("none"))
        .into();
    router
        .route(
            &format!("{BASE}/result-links/{{token}}/rounds/{{round}}/boards/{{board}}/result"),
            axum::routing::put(results::put_by_link),
        )
        .merge(viewer.layer(from_fn(viewer_policy)))
        .route(
            "/api",
            get(|| async { axum::response::Redirect::to("/api/docs/") }),
        )
        .route(
            "/api/{*rest}",
            axum::routing::any(|| async { Error::not_found() }),
        )
}

/// The viewer comes with the binary and loads nothing from outside, but it writes styles inline.
/// Only its own pages may.
async fn viewer_policy(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await.into_response();
    response.headers_mut().insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
             font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
    );
    response
}
