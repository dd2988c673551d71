//! `/manage/sign-in`, `/manage/sign-out`.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::Deserialize;

use super::{Fields, refused, told};
use crate::auth;
use crate::errors::Result;
use crate::extract::{InQuery, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, go, safe_path};
use crate::pages::page;
use crate::state::AppState;

/// The form for signing in.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/sign_in.html")]
pub struct SignInPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// The name as it was typed.
    pub name: String,
    /// Where to go afterwards.
    pub next: String,
}

/// Where to go afterwards.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    next: String,
}

fn next(path: &str) -> String {
    match safe_path(path) {
        "/" => "/manage".to_owned(),
        path => path.to_owned(),
    }
}

/// The form.
///
/// # Errors
/// When the template fails.
pub async fn show(visit: Visit, InQuery(asked): InQuery<Asked>) -> Result<Response> {
    if visit.caller.actor.is_some() {
        return Ok(go(&next(&asked.next)));
    }
    page(&SignInPage {
        t: visit.t,
        frame: visit.frame(),
        problem: None,
        name: String::new(),
        next: next(&asked.next),
    })
}

/// Signs in.
///
/// # Errors
/// Only of the database: a wrong password is told on the form.
pub async fn sign_in(
    State(state): State<AppState>,
    peer: Peer,
    visit: Visit,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response> {
    let password = fields.exact("password");
    let session = match auth::sign_in(
        &state,
        peer,
        &auth::browser(&headers),
        fields.get("name"),
        password,
    )
    .await
    {
        Ok(session) => session,
        Err(error) => {
            return refused(&SignInPage {
                t: visit.t,
                frame: Frame {
                    here: "/manage/sign-in".to_owned(),
                    ..visit.frame()
                },
                problem: Some(told(error, visit.t)?),
                name: fields.get("name").to_owned(),
                next: next(fields.get("next")),
            });
        }
    };
    // Whoever was signed in here before is so no longer: the new session takes the place of the old one.
    let mut tx = state.store.begin().await?;
    auth::sign_out(&mut tx, &headers, peer).await?;
    tx.commit().await?;
    let mut response = go(&next(fields.get("next")));
    let cookie = auth::session_cookie(&session, peer, state.clock.now());
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Signs out.
///
/// # Errors
/// Only of the database.
pub async fn sign_out(State(state): State<AppState>, peer: Peer, headers: HeaderMap) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    auth::sign_out(&mut tx, &headers, peer).await?;
    tx.commit().await?;
    let mut response = go("/");
    response
        .headers_mut()
        .append(header::SET_COOKIE, auth::forget_cookie(peer));
    Ok(response)
}
