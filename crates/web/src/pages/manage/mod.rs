//! The directors' tools.

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use axum::handler::Handler;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use store::events::{Event, Locked};
use store::{Tx, events};

use super::frame::{ProblemView, go};
use crate::IMPORT_LIMIT;
use crate::errors::{Error, Problem, Result};
use crate::i18n::Language;
use crate::state::AppState;
pub use crate::state::change;

pub mod account;
pub mod board;
pub mod by_hand;
pub mod cards;
pub mod check_in;
pub mod draft;
pub mod draws;
pub mod entries;
pub mod entry;
pub mod events_list;
pub mod family;
pub mod family_import;
pub mod family_print;
pub mod finish;
pub mod import;
pub mod import_entries;
pub mod invitation;
pub mod log;
pub mod new_event;
pub mod overview;
pub mod pairing_fields;
pub mod people;
pub mod picks;
pub mod preview;
pub mod print;
pub mod prizes;
pub mod promotion;
pub mod records;
pub mod result_links;
pub mod results;
pub mod rounds;
pub mod ruling;
pub mod settings;
pub mod setup;
pub mod sign_in;
pub mod sign_ups;
pub mod slips;
pub mod users;
pub mod why;

/// The directors' pages.
pub fn router() -> Router<AppState> {
    Router::new()
        .route("/setup/{token}", get(setup::show).post(setup::set_up))
        .route("/manage", get(events_list::show))
        .route("/manage/sign-in", get(sign_in::show).post(sign_in::sign_in))
        .route("/manage/sign-out", acts(sign_in::sign_out))
        .route(
            "/invitation/{token}",
            get(invitation::show).post(invitation::take),
        )
        .route("/manage/account", get(account::show))
        .route("/manage/account/password", acts(account::change_password))
        .route(
            "/manage/account/sign-out-everywhere",
            acts(account::sign_out_everywhere),
        )
        .route("/manage/account/end-session", acts(account::end_session))
        .route("/manage/account/add-token", acts(account::add_token))
        .route("/manage/account/revoke-token", acts(account::revoke_token))
        .route("/manage/users", get(users::show))
        .route("/manage/users/role", acts(users::set_role))
        .route("/manage/users/close", acts(users::close))
        .route("/manage/users/open", acts(users::open))
        .route("/manage/users/invite", acts(users::invite))
        .route("/manage/users/revoke", acts(users::revoke))
        .route("/manage/new", get(new_event::show).post(new_event::create))
        .route(
            "/manage/import",
            get(import::show)
                .post(import::import)
                .layer(DefaultBodyLimit::max(IMPORT_LIMIT + 64 * 1024)),
        )
        .route("/manage/families/new", get(family::show_new).post(family::create))
        .route("/manage/f/{family}", get(family::show))
        .route("/manage/f/{family}/pair", acts(family::pair))
        .route("/manage/f/{family}/publish", acts(family::publish))
        .route("/manage/f/{family}/throw-away", acts(family::throw_away))
        .route("/manage/f/{family}/settings", acts(family::settings))
        .route("/manage/f/{family}/people", acts(family::give_right))
        .route("/manage/f/{family}/dissolve", acts(family::dissolve))
        .route(
            "/manage/f/{family}/entries/import",
            get(family_import::show)
                .post(family_import::import)
                .layer(DefaultBodyLimit::max(IMPORT_LIMIT)),
        )
        .route("/manage/f/{family}/print/{sheet}", get(family_print::show))
        .route(
            "/manage/e/{slug}/split",
            get(family::show_split).post(family::split),
        )
        .route("/manage/e/{slug}", get(overview::show))
        .route("/manage/e/{slug}/entries", get(entries::show).post(entries::add))
        .route(
            "/manage/e/{slug}/entries/import",
            get(import_entries::show)
                .post(import_entries::import)
                .layer(DefaultBodyLimit::max(IMPORT_LIMIT)),
        )
        .route("/manage/e/{slug}/entries/undo", acts(check_in::undo))
        .route(
            "/manage/e/{slug}/check-in",
            get(check_in::show).post(check_in::mark),
        )
        .route("/manage/e/{slug}/check-in/missing", acts(check_in::leave_out))
        .route("/manage/e/{slug}/sign-ups", get(sign_ups::show))
        .route("/manage/e/{slug}/sign-ups/confirm", acts(sign_ups::confirm))
        .route("/manage/e/{slug}/sign-ups/decide", acts(sign_ups::decide))
        .route("/manage/e/{slug}/sign-ups/settings", acts(sign_ups::set))
        .route(
            "/manage/e/{slug}/entries/{number}",
            get(entry::show).post(entry::change),
        )
        .route(
            "/manage/e/{slug}/entries/{number}/withdraw",
            acts(entry::withdraw),
        )
        .route("/manage/e/{slug}/entries/{number}/return", acts(entry::return_to))
        .route("/manage/e/{slug}/entries/{number}/sit-out", acts(entry::sit_out))
        .route("/manage/e/{slug}/entries/{number}/delete", acts(entry::delete))
        .route("/manage/e/{slug}/draws", get(draws::show))
        .route("/manage/e/{slug}/draws/words", acts(draws::add_word))
        .route("/manage/e/{slug}/draws/words/remove", acts(draws::remove_word))
        .route("/manage/e/{slug}/draws/numbers", acts(draws::draw_numbers))
        .route("/manage/e/{slug}/draws/groups", acts(draws::draw_groups))
        .route("/manage/e/{slug}/rounds", get(rounds::show).post(rounds::pair))
        .route(
            "/manage/e/{slug}/rounds/by-hand",
            get(by_hand::show).post(by_hand::keep),
        )
        .route("/manage/e/{slug}/rounds/{round}", get(draft::show))
        .route("/manage/e/{slug}/rounds/{round}/why", get(why::show))
        .route("/manage/e/{slug}/rounds/{round}/publish", acts(draft::publish))
        .route(
            "/manage/e/{slug}/rounds/{round}/publish-at",
            acts(draft::publish_at),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/throw-away",
            acts(draft::throw_away),
        )
        .route("/manage/e/{slug}/rounds/{round}/swap", acts(draft::swap))
        .route("/manage/e/{slug}/rounds/{round}/colours", acts(draft::colours))
        .route(
            "/manage/e/{slug}/rounds/{round}/results",
            get(results::show).post(results::save),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/results/confirm",
            acts(results::confirm),
        )
        .route("/manage/e/{slug}/rounds/{round}/slips", get(slips::show))
        .route(
            "/manage/e/{slug}/result-links",
            get(result_links::show).post(result_links::add),
        )
        .route("/manage/e/{slug}/result-links/cards", get(cards::show))
        .route("/manage/e/{slug}/result-links/revoke", acts(result_links::revoke))
        .route("/manage/e/{slug}/result-links/ask", acts(result_links::ask))
        .route(
            "/manage/e/{slug}/rounds/{round}/boards/{board}",
            get(board::show).post(board::save),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/boards/{board}/record",
            get(|uri: Uri| async move {
                // A form of the board's own page was sent when the session had run out.
                let path = uri.path().strip_prefix("/manage").unwrap_or("/");
                go(path.strip_suffix("/record").unwrap_or("/"))
            }),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/boards/{board}/record/{version}",
            get(records::file),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/boards/{board}/record/dead",
            acts(records::dead),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/boards/{board}/record/encoding",
            acts(records::encoding),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/boards/{board}/record/withdraw",
            acts(records::withdraw),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/boards/{board}/record/bring-back",
            acts(records::bring_back),
        )
        .route(
            "/manage/e/{slug}/rounds/{round}/codes",
            get(records::codes).post(records::renew),
        )
        .route("/manage/e/{slug}/records", get(records::show))
        .route(
            "/manage/e/{slug}/settings",
            get(settings::show).post(settings::save),
        )
        .route("/manage/e/{slug}/people", get(people::show))
        .route("/manage/e/{slug}/people/invite", acts(people::invite))
        .route("/manage/e/{slug}/people/role", acts(people::set_role))
        .route("/manage/e/{slug}/people/remove", acts(people::remove))
        .route("/manage/e/{slug}/people/revoke", acts(people::revoke))
        .route("/manage/e/{slug}/print", get(print::list))
        .route("/manage/e/{slug}/print/{sheet}", get(print::show))
        .route("/manage/e/{slug}/finish", get(finish::show).post(finish::act))
        .route(
            "/manage/e/{slug}/promotion",
            get(promotion::show).post(promotion::save),
        )
        .route("/manage/e/{slug}/prizes", get(prizes::show).post(prizes::save))
        .route("/manage/e/{slug}/delete", acts(settings::delete))
        .route("/manage/e/{slug}/log", get(log::show))
        .route("/manage/e/{slug}/log/undo", acts(log::take_back))
}

/// An address that only carries something out. Asked for as a page (after signing in, a change of
/// language, or from the history of the browser) it leads to the page that its form is on.
fn acts<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState>,
    T: 'static,
{
    post(handler).get(|uri: Uri| async move {
        let path = uri.path();
        go(path.rsplit_once('/').map_or("/manage", |(page, _)| page))
    })
}

/// The fields of a form as they were sent.
#[derive(Clone, Debug, Default)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    /// A field without white space around it; empty when it was not sent.
    pub fn get(&self, name: &str) -> &str {
        self.exact(name).trim()
    }

    /// A field exactly as it was sent: a password may begin with a space.
    pub fn exact(&self, name: &str) -> &str {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map_or("", |(_, value)| value.as_str())
    }

    /// A field without white space around it, unless that leaves nothing.
    pub fn some(&self, name: &str) -> Option<String> {
        Some(self.get(name))
            .filter(|value| !value.is_empty())
            .map(str::to_owned)
    }

    /// All values of a field.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(key, _)| key == name)
            .map(|(_, value)| value.trim())
    }

    /// Whether a box is ticked.
    pub fn ticked(&self, name: &str) -> bool {
        !self.get(name).is_empty()
    }

    /// The version of what the form was made from.
    pub fn version(&self) -> Option<i64> {
        self.get("version").parse().ok()
    }
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let form = axum::extract::Form::<Vec<(String, String)>>::from_request(request, state).await;
        match form {
            Ok(axum::extract::Form(fields)) => Ok(Self(fields)),
            Err(rejection) => {
                let too_large = axum::response::IntoResponse::into_response(rejection).status()
                    == StatusCode::PAYLOAD_TOO_LARGE;
                let (status, code) = if too_large {
                    (StatusCode::PAYLOAD_TOO_LARGE, "too-large")
                } else {
                    (StatusCode::BAD_REQUEST, "bad-request")
                };
                Err(Problem::new(status, code).into())
            }
        }
    }
}

/// The fields of a form with a file, and the bytes of the file; none when none was chosen.
///
/// # Errors
/// `too-large`, or `bad-request` for what is no such form.
pub async fn multipart(mut form: Multipart) -> Result<(Fields, Vec<u8>)> {
    let unreadable = |error: axum::extract::multipart::MultipartError| {
        let code = if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
            "too-large"
        } else {
            "bad-request"
        };
        Error::from(Problem::new(error.status(), code))
    };
    let (mut fields, mut file) = (Fields::default(), Vec::new());
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        match field.name().map(str::to_owned) {
            Some(name) if name == "file" => file = field.bytes().await.map_err(unreadable)?.to_vec(),
            Some(name) => fields.0.push((name, field.text().await.map_err(unreadable)?)),
            None => {}
        }
    }
    Ok((fields, file))
}

/// The event of an address, as directors see it.
///
/// # Errors
/// `not-found`.
pub async fn event_of(tx: &mut Tx, slug: &str) -> Result<Event> {
    events::find(tx, slug).await?.ok_or_else(Error::not_found)
}

/// The event of an address, locked for a change.
///
/// # Errors
/// `not-found`.
pub async fn locked(tx: &mut Tx, slug: &str) -> Result<Locked> {
    let event = locked_even_final(tx, slug).await?;
    event.expect_open()?;
    Ok(event)
}

/// As [`locked`], for what is done to an event that is final, too.
///
/// # Errors
/// `not-found`.
pub async fn locked_even_final(tx: &mut Tx, slug: &str) -> Result<Locked> {
    events::lock(tx, slug).await?.ok_or_else(Error::not_found)
}

/// What the reader can put right, to be shown on the form with everything that was typed.
/// Anything else passes on.
///
/// # Errors
/// The error itself, when the reader can do nothing about it or the thing is gone.
pub fn told(error: Error, t: Language) -> Result<ProblemView> {
    match error {
        Error::Problem(problem) if problem.status != StatusCode::NOT_FOUND => {
            Ok(ProblemView::told(&problem, t))
        }
        error => Err(error),
    }
}

/// A page that shows a secret this once: nothing keeps it.
///
/// # Errors
/// When the template fails.
pub fn secret_page(template: &impl askama::Template) -> Result<Response> {
    let mut response = super::page(template)?;
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// A page that comes back with what is wrong.
///
/// # Errors
/// When the template fails.
pub fn refused(template: &impl askama::Template) -> Result<Response> {
    super::page_with(StatusCode::UNPROCESSABLE_ENTITY, template)
}
