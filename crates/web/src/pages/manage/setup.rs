//! `/setup/{token}`: the first visitor becomes the administrator.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;

use super::{Fields, refused, told};
use crate::auth;
use crate::errors::Result;
use crate::extract::{InPath, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, page_with};
use crate::state::AppState;

/// The form for the first administrator.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/setup.html")]
pub struct SetupPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// Whether the link still works.
    pub open: bool,
    /// The name as it was typed.
    pub name: String,
    /// The fewest characters of a password.
    pub least: usize,
}

fn view(visit: &Visit, open: bool) -> SetupPage {
    SetupPage {
        t: visit.t,
        frame: visit.frame(),
        problem: None,
        open,
        name: String::new(),
        least: auth::PASSWORD_LEAST,
    }
}

/// The form.
///
/// # Errors
/// Only of the database.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath(token): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    if auth::setup_link_works(&mut tx, &token, state.clock.now()).await? {
        page(&view(&visit, true))
    } else {
        page_with(StatusCode::GONE, &view(&visit, false))
    }
}

/// Makes the administrator.
///
/// # Errors
/// Only of the database: what is wrong is told on the form.
pub async fn set_up(
    State(state): State<AppState>,
    peer: Peer,
    visit: Visit,
    InPath(token): InPath<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let name = fields.get("name");
    let password = fields.exact("password");
    match auth::set_up(
        &state,
        &mut tx,
        (&token, &auth::browser(&headers)),
        name,
        password,
    )
    .await
    {
        Ok(session) => {
            tx.commit().await?;
            let mut response = done("/manage", &visit.t.with("done-set-up", "name", name));
            let cookie = auth::session_cookie(&session, peer, state.clock.now());
            response.headers_mut().append(header::SET_COOKIE, cookie);
            Ok(response)
        }
        Err(error) => {
            drop(tx);
            let mut tx = state.store.begin().await?;
            let open = auth::setup_link_works(&mut tx, &token, state.clock.now()).await?;
            refused(&SetupPage {
                problem: Some(told(error, visit.t)?),
                name: name.to_owned(),
                ..view(&visit, open)
            })
        }
    }
}
