//! `/manage/account`: one's own password, sessions and tokens.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use store::accounts::{self, SessionLine, Token};
use store::{Actor, Scope, Tx};
use uuid::Uuid;

use super::people::id;
use super::{Fields, change, refused, told};
use crate::auth;
use crate::errors::{Error, Result};
use crate::extract::{Peer, SignedIn};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, words};
use crate::state::AppState;

/// Where the page is.
const HERE: &str = "/manage/account";

/// A session.
#[derive(Clone, Debug, Default)]
pub struct SessionRow {
    /// Its id.
    pub id: String,
    /// The browser, roughly.
    pub browser: String,
    /// Since when.
    pub since: String,
    /// Until when.
    pub until: String,
    /// Whether it is this one.
    pub here: bool,
}

/// A bearer token.
#[derive(Clone, Debug, Default)]
pub struct TokenRow {
    /// Its id.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// What it may do.
    pub scope: String,
    /// Since when.
    pub since: String,
    /// When it was revoked.
    pub revoked: Option<String>,
}

/// The reader's account.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/account.html")]
pub struct AccountPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// The token that has just been made: it is shown this once.
    pub token: Option<String>,
    /// The name.
    pub name: String,
    /// What the account is.
    pub role: String,
    /// Whether it has a password.
    pub has_password: bool,
    /// The fewest characters of a password.
    pub least: usize,
    /// The sessions.
    pub sessions: Vec<SessionRow>,
    /// The tokens.
    pub tokens: Vec<TokenRow>,
}

/// Builds the page.
pub fn view(
    visit: &Visit,
    actor: &Actor,
    has_password: bool,
    sessions: &[SessionLine],
    tokens: &[Token],
    here: Option<Uuid>,
) -> AccountPage {
    let t = visit.t;
    AccountPage {
        t,
        frame: visit.frame(),
        problem: None,
        token: None,
        name: actor.name.clone(),
        role: words::role(t, actor.role),
        has_password,
        least: auth::PASSWORD_LEAST,
        sessions: sessions
            .iter()
            .map(|session| SessionRow {
                id: session.id.to_string(),
                browser: if session.browser.is_empty() {
                    t.say("browser-unknown")
                } else {
                    session.browser.clone()
                },
                since: words::dated(t, session.created_at),
                until: words::dated(t, session.expires_at),
                here: here == Some(session.id),
            })
            .collect(),
        tokens: tokens
            .iter()
            .map(|token| TokenRow {
                id: token.id.to_string(),
                name: token.name.clone(),
                scope: t.say(&format!("token-scope-{}", token.scope.as_str())),
                since: words::dated(t, token.created_at),
                revoked: token
                    .revoked_at
                    .map(|at| t.with("token-revoked-at", "at", words::dated(t, at))),
            })
            .collect(),
    }
}

/// The account behind an actor; an actor of the command line has none.
fn user_of(actor: &Actor) -> Result<Uuid> {
    actor.user.ok_or_else(Error::not_found)
}

async fn build(
    state: &AppState,
    tx: &mut Tx,
    visit: &Visit,
    actor: &Actor,
    (headers, peer): (&HeaderMap, Peer),
) -> Result<AccountPage> {
    let user = user_of(actor)?;
    let now = state.clock.now();
    let has_password = accounts::find_user(tx, user)
        .await?
        .is_some_and(|user| user.password_hash.is_some());
    let sessions = accounts::sessions(tx, user, now).await?;
    let tokens = accounts::tokens(tx, user).await?;
    let here = auth::session_of(tx, headers, peer, now).await?;
    Ok(view(
        visit,
        actor,
        has_password,
        &sessions,
        &tokens,
        here.map(|session| session.id),
    ))
}

/// The page.
///
/// # Errors
/// `sign-in-needed`.
pub async fn show(
    State(state): State<AppState>,
    SignedIn(actor): SignedIn,
    peer: Peer,
    visit: Visit,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    page(&build(&state, &mut tx, &visit, &actor, (&headers, peer)).await?)
}

/// Changes the password: all sessions end, and a new one begins here.
///
/// # Errors
/// `sign-in-needed`; what is wrong is told on the page.
pub async fn change_password(
    State(state): State<AppState>,
    SignedIn(actor): SignedIn,
    peer: Peer,
    visit: Visit,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response> {
    let (old, new) = (fields.exact("old"), fields.exact("password"));
    match auth::change_password(&state, peer, &actor, &auth::browser(&headers), old, new).await {
        Ok(session) => {
            let mut response = done(HERE, &visit.t.say("done-password-changed"));
            let cookie = auth::session_cookie(&session, peer, state.clock.now());
            response.headers_mut().append(header::SET_COOKIE, cookie);
            Ok(response)
        }
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            let mut tx = state.store.snapshot().await?;
            let page = build(&state, &mut tx, &visit, &actor, (&headers, peer)).await?;
            refused(&AccountPage { problem, ..page })
        }
    }
}

/// Ends all sessions, this one too.
///
/// # Errors
/// `sign-in-needed`.
pub async fn sign_out_everywhere(
    State(state): State<AppState>,
    SignedIn(actor): SignedIn,
    peer: Peer,
    visit: Visit,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    accounts::end_sessions(&mut tx, user_of(&actor)?).await?;
    tx.commit().await?;
    let mut response = done("/", &visit.t.say("done-signed-out-everywhere"));
    response
        .headers_mut()
        .append(header::SET_COOKIE, auth::forget_cookie(peer));
    Ok(response)
}

/// Ends one session.
///
/// # Errors
/// `sign-in-needed`.
pub async fn end_session(
    State(state): State<AppState>,
    SignedIn(actor): SignedIn,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    let session = id(&fields, "session")?;
    let mut tx = state.store.begin().await?;
    accounts::end_session(&mut tx, user_of(&actor)?, session).await?;
    tx.commit().await?;
    Ok(done(HERE, &visit.t.say("done-session-ended")))
}

/// Makes a token and shows it once.
///
/// # Errors
/// `sign-in-needed`; what is wrong is told on the page.
pub async fn add_token(
    State(state): State<AppState>,
    SignedIn(actor): SignedIn,
    peer: Peer,
    visit: Visit,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response> {
    let user = user_of(&actor)?;
    let scope = match fields.get("scope") {
        "" => Scope::Everything,
        word => word.parse().map_err(|_| Error::not_found())?,
    };
    let mut tx = state.store.begin().await?;
    let change = change(&state, &actor, None);
    let made = auth::add_token(&mut tx, &change, user, fields.get("name"), scope).await;
    match made {
        Ok(token) => {
            tx.commit().await?;
            let mut tx = state.store.snapshot().await?;
            let page = build(&state, &mut tx, &visit, &actor, (&headers, peer)).await?;
            super::secret_page(&AccountPage {
                token: Some(token),
                ..page
            })
        }
        Err(error) => {
            drop(tx);
            let problem = Some(told(error, visit.t)?);
            let mut tx = state.store.snapshot().await?;
            let page = build(&state, &mut tx, &visit, &actor, (&headers, peer)).await?;
            refused(&AccountPage { problem, ..page })
        }
    }
}

/// Revokes a token of one's own.
///
/// # Errors
/// `sign-in-needed`, `unknown-token`.
pub async fn revoke_token(
    State(state): State<AppState>,
    SignedIn(actor): SignedIn,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    let token = id(&fields, "token")?;
    let mut tx = state.store.begin().await?;
    let own = accounts::tokens(&mut tx, user_of(&actor)?).await?;
    if !own.iter().any(|one| one.id == token) {
        return Err(store::Refused::UnknownToken.into());
    }
    accounts::revoke_token(&mut tx, &change(&state, &actor, None), token).await?;
    tx.commit().await?;
    Ok(done(HERE, &visit.t.say("done-token-revoked")))
}
