//! `/invitation/{token}`: a link that works once: for a right in an event, an account, a password.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use store::people::{Invitation, Offer};

use super::{Fields, refused, told};
use crate::auth::{self, Taken};
use crate::errors::Result;
use crate::extract::{InPath, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, page_with, words};
use crate::state::AppState;

/// The page of a link.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/invitation.html")]
pub struct InvitationPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// What the link gives, from whom; nothing when it does not work.
    pub offer: Option<String>,
    /// Whether it sets a password.
    pub password: bool,
    /// Who is signed in and could take it.
    pub user: Option<String>,
    /// The name as it was typed.
    pub name: String,
    /// The fewest characters of a password.
    pub least: usize,
}

/// Builds the page.
pub fn view(visit: &Visit, invitation: Option<&Invitation>) -> InvitationPage {
    let t = visit.t;
    let offer = invitation.map(|one| match &one.offer {
        Offer::Event { name, role, .. } => t.tell(
            "offer-event",
            &[
                ("from", one.made_by.clone().into()),
                ("event", name.clone().into()),
                ("role", words::role(t, *role).into()),
            ],
        ),
        Offer::Site(role) => t.with2(
            "offer-site",
            "from",
            one.made_by.as_str(),
            "role",
            words::role(t, *role),
        ),
        Offer::Password { name, .. } => t.with("offer-password", "name", name.as_str()),
    });
    InvitationPage {
        t,
        frame: visit.frame(),
        problem: None,
        offer,
        password: invitation.is_some_and(|one| matches!(one.offer, Offer::Password { .. })),
        user: visit.caller.actor.as_ref().map(|actor| actor.name.clone()),
        name: String::new(),
        least: auth::PASSWORD_LEAST,
    }
}

/// The page. Looking at it uses nothing up: programs that preview links look too.
///
/// # Errors
/// Only of the database.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath(token): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    match auth::invitation(&mut tx, &token, state.clock.now()).await? {
        Some(invitation) => page(&view(&visit, Some(&invitation))),
        None => page_with(StatusCode::GONE, &view(&visit, None)),
    }
}

/// Takes what the link gives: with the account that is signed in, with another one, or a new one.
///
/// # Errors
/// Only of the database: what is wrong is told on the page.
pub async fn take(
    State(state): State<AppState>,
    peer: Peer,
    visit: Visit,
    InPath(token): InPath<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let (name, password) = (fields.get("name"), fields.exact("password"));
    let from = (peer, auth::browser(&headers));
    let from = (from.0, from.1.as_str());
    let taken = match (fields.get("how"), visit.caller.account()) {
        ("accept", Some(actor)) => auth::accept(&state, &token, actor).await,
        ("new", _) => auth::accept_as_new(&state, from, &token, name, password).await,
        ("password", _) => auth::accept_password(&state, from, &token, password).await,
        _ => auth::accept_signing_in(&state, from, &token, name, password).await,
    };
    match taken {
        Ok(Taken { offer, session }) => {
            let (to, said) = match offer {
                Offer::Event { name, role, slug, .. } => {
                    let to = if role.sees_all() {
                        format!("/manage/e/{slug}")
                    } else {
                        "/manage".to_owned()
                    };
                    let said = t.with2("done-right-given", "event", name, "role", words::role(t, role));
                    (to, said)
                }
                Offer::Site(role) => (
                    "/manage".to_owned(),
                    t.with("done-account-made", "role", words::role(t, role)),
                ),
                Offer::Password { .. } => ("/manage".to_owned(), t.say("done-password-changed")),
            };
            let mut response = done(&to, &said);
            if let Some(session) = session {
                let cookie = auth::session_cookie(&session, peer, state.clock.now());
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
            Ok(response)
        }
        Err(error) => {
            let problem = Some(told(error, t)?);
            let mut tx = state.store.begin().await?;
            let invitation = auth::invitation(&mut tx, &token, state.clock.now()).await?;
            refused(&InvitationPage {
                problem: problem.filter(|_| invitation.is_some()),
                name: name.to_owned(),
                ..view(&visit, invitation.as_ref())
            })
        }
    }
}
