//! `/manage/users`: the accounts of the site, for administrators.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use chrono::{DateTime, Utc};
use store::accounts::{self, User};
use store::people::{self, Invitation, Offer, Purpose};
use store::{Role, Schedule, Tx};

use super::people::{InvitationRow, NewLink, id, invitation_row};
use super::{Fields, change, refused, told};
use crate::auth;
use crate::errors::{Error, Problem, Result};
use crate::extract::{Admin, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, words};
use crate::state::AppState;

/// Where the page is.
const HERE: &str = "/manage/users";

/// An account.
#[derive(Clone, Debug, Default)]
pub struct UserRow {
    /// Its id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The role, as a word of the form.
    pub role: &'static str,
    /// Since when it is there.
    pub since: String,
    /// Since when it is closed.
    pub closed: Option<String>,
    /// Whether it is the reader's.
    pub you: bool,
}

/// The accounts.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/users.html")]
pub struct UsersPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// The link that has just been made.
    pub link: Option<NewLink>,
    /// The accounts.
    pub users: Vec<UserRow>,
    /// The links.
    pub invitations: Vec<InvitationRow>,
    /// The roles: the word of the form and its name.
    pub roles: Vec<(&'static str, String)>,
}

/// Builds the page.
pub fn view(visit: &Visit, users: &[User], invitations: &[Invitation], now: DateTime<Utc>) -> UsersPage {
    let t = visit.t;
    let reader = visit.caller.actor.as_ref().and_then(|actor| actor.user);
    UsersPage {
        t,
        frame: visit.frame(),
        problem: None,
        link: None,
        users: users
            .iter()
            .map(|user| UserRow {
                id: user.id.to_string(),
                name: user.name.clone(),
                role: user.role.as_str(),
                since: words::dated(t, user.created_at),
                closed: user
                    .disabled_at
                    .map(|at| t.with("account-closed-since", "at", words::dated(t, at))),
                you: reader == Some(user.id),
            })
            .collect(),
        invitations: invitations
            .iter()
            .map(|one| {
                let what = match &one.offer {
                    Offer::Password { name, .. } => t.with("link-for-password", "name", name.as_str()),
                    Offer::Event { role, .. } | Offer::Site(role) => {
                        t.with("link-for-account", "role", words::role(t, *role))
                    }
                };
                invitation_row(t, &Schedule::default(), one, what, now)
            })
            .collect(),
        roles: [Role::Director, Role::Arbiter, Role::Viewer, Role::Admin]
            .map(|role| (role.as_str(), words::role(t, role)))
            .to_vec(),
    }
}

async fn build(state: &AppState, tx: &mut Tx, visit: &Visit) -> Result<UsersPage> {
    let users = accounts::users(tx).await?;
    let invitations = people::invitations(tx, None).await?;
    Ok(view(visit, &users, &invitations, state.clock.now()))
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `needs-admin`.
pub async fn show(State(state): State<AppState>, Admin(_): Admin, visit: Visit) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    page(&build(&state, &mut tx, &visit).await?)
}

async fn refuse(state: &AppState, visit: &Visit, error: Error) -> Result<Response> {
    let problem = Some(told(error, visit.t)?);
    let mut tx = state.store.snapshot().await?;
    let page = build(state, &mut tx, visit).await?;
    refused(&UsersPage { problem, ..page })
}

fn role(word: &str) -> Result<Role> {
    word.parse().map_err(|_| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-a-role")
            .arg("found", word)
            .into()
    })
}

/// What was done, told on the page.
async fn finish(state: &AppState, tx: Tx, visit: &Visit, ended: Result<()>, said: &str) -> Result<Response> {
    match ended {
        Ok(()) => {
            tx.commit().await?;
            Ok(done(HERE, said))
        }
        Err(error) => {
            drop(tx);
            refuse(state, visit, error).await
        }
    }
}

/// Gives an account another role.
///
/// # Errors
/// `needs-admin`; what is wrong is told on the page.
pub async fn set_role(
    State(state): State<AppState>,
    Admin(actor): Admin,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    let user = id(&fields, "user")?;
    let mut tx = state.store.begin().await?;
    let change = change(&state, &actor, None);
    let ended = match role(fields.get("role")) {
        Ok(role) => accounts::set_role(&mut tx, &change, user, role)
            .await
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    finish(&state, tx, &visit, ended, &visit.t.say("done-role-changed")).await
}

/// Closes an account.
///
/// # Errors
/// `needs-admin`; what is wrong is told on the page.
pub async fn close(
    State(state): State<AppState>,
    Admin(actor): Admin,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    let user = id(&fields, "user")?;
    let mut tx = state.store.begin().await?;
    let ended = accounts::disable(&mut tx, &change(&state, &actor, None), user).await;
    let said = visit.t.say("done-account-closed");
    finish(&state, tx, &visit, ended.map_err(Error::from), &said).await
}

/// Opens a closed account again.
///
/// # Errors
/// `needs-admin`; what is wrong is told on the page.
pub async fn open(
    State(state): State<AppState>,
    Admin(actor): Admin,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    let user = id(&fields, "user")?;
    let mut tx = state.store.begin().await?;
    let ended = accounts::enable(&mut tx, &change(&state, &actor, None), user).await;
    let said = visit.t.say("done-account-opened");
    finish(&state, tx, &visit, ended.map_err(Error::from), &said).await
}

/// Makes a link for a new account, or for a new password, and shows it once.
///
/// # Errors
/// `needs-admin`; what is wrong is told on the page.
pub async fn invite(
    State(state): State<AppState>,
    Admin(actor): Admin,
    peer: Peer,
    visit: Visit,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let mut tx = state.store.begin().await?;
    let change = change(&state, &actor, None);
    let wanted = if fields.get("user").is_empty() {
        role(fields.get("role")).map(|role| (Purpose::Site(role), words::role(t, role)))
    } else {
        let user = id(&fields, "user")?;
        let user = accounts::find_user(&mut tx, user)
            .await?
            .ok_or(store::Refused::UnknownUser)?;
        Ok((Purpose::Password(user.id), user.name))
    };
    let made = match wanted {
        Ok((purpose, what)) => auth::invite(&mut tx, &change, purpose, fields.get("note"))
            .await
            .map(|made| (purpose, what, made)),
        Err(error) => Err(error),
    };
    match made {
        Ok((purpose, what, (path, until))) => {
            tx.commit().await?;
            let mut tx = state.store.snapshot().await?;
            let view = build(&state, &mut tx, &visit).await?;
            let until = words::dated(t, until);
            super::secret_page(&UsersPage {
                link: Some(NewLink {
                    address: auth::address_of(&state, peer, &headers, &path),
                    sentence: match purpose {
                        Purpose::Password(_) => t.with2("link-made-password", "name", what, "until", until),
                        _ => t.with2("link-made-account", "role", what, "until", until),
                    },
                }),
                ..view
            })
        }
        Err(error) => {
            drop(tx);
            refuse(&state, &visit, error).await
        }
    }
}

/// Takes a link back.
///
/// # Errors
/// `needs-admin`, `unknown-invitation`.
pub async fn revoke(
    State(state): State<AppState>,
    Admin(actor): Admin,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    let invitation = id(&fields, "invitation")?;
    let mut tx = state.store.begin().await?;
    people::revoke(&mut tx, &change(&state, &actor, None), None, invitation).await?;
    tx.commit().await?;
    Ok(done(HERE, &visit.t.say("done-invitation-revoked")))
}
