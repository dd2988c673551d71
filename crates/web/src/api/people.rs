//! The people of an event, their rights, and the links by which somebody takes one.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::people::{self, Invitation, Offer, Person, Purpose};
use store::{Refused, Role};
use utoipa::ToSchema;
use uuid::Uuid;

use super::common::{
    ChangeRefusals, ReadRefusals, ReasonQuery, RightRefusals, change, changed, find, tagged,
};
use super::model::moment;
use crate::auth;
use crate::errors::Result;
use crate::extract::{Caller, Director, InJson, InPath, InQuery, Peer};
use crate::state::AppState;

/// A right in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RightWord {
    /// Everything.
    Director,
    /// Results, and who is here.
    Arbiter,
    /// To see what directors see.
    Viewer,
}

impl From<RightWord> for Role {
    fn from(word: RightWord) -> Self {
        match word {
            RightWord::Director => Self::Director,
            RightWord::Arbiter => Self::Arbiter,
            RightWord::Viewer => Self::Viewer,
        }
    }
}

/// Somebody with a right in the event.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonOut {
    /// The id of the user.
    pub user: Uuid,
    /// The name.
    pub name: String,
    /// `director`, `arbiter` or `viewer`.
    pub right: &'static str,
    /// Since when.
    pub since: String,
    /// Who gave the right; null for one from before there were rights by event.
    pub given_by: Option<String>,
    /// Whether the account is closed.
    pub closed: bool,
}

impl From<Person> for PersonOut {
    fn from(person: Person) -> Self {
        Self {
            user: person.user,
            name: person.name,
            right: person.role.as_str(),
            since: moment(person.since),
            given_by: person.given_by,
            closed: person.closed,
        }
    }
}

/// A link by which somebody can take a right, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationOut {
    /// What it is taken back by.
    pub id: Uuid,
    /// The right that it gives.
    pub right: Option<&'static str>,
    /// For whom it is meant.
    #[serde(rename = "for")]
    pub meant_for: String,
    /// When it was made.
    pub made_at: String,
    /// By whom.
    pub made_by: String,
    /// Until when it works.
    pub until: String,
    /// When it was used, and by whom.
    pub used_at: Option<String>,
    /// By whom it was used.
    pub used_by: Option<String>,
    /// When it was taken back.
    pub revoked_at: Option<String>,
    /// Whether it works now.
    pub open: bool,
}

impl InvitationOut {
    fn of(one: Invitation, now: chrono::DateTime<chrono::Utc>) -> Self {
        Self {
            open: one.is_open(now),
            id: one.id,
            right: match one.offer {
                Offer::Event { role, .. } | Offer::Site(role) => Some(role.as_str()),
                Offer::Password { .. } => None,
            },
            meant_for: one.note,
            made_at: moment(one.made_at),
            made_by: one.made_by,
            until: moment(one.expires_at),
            used_at: one.used_at.map(moment),
            used_by: one.used_by,
            revoked_at: one.revoked_at.map(moment),
        }
    }
}

/// The people of an event and the links that were made.
#[derive(Debug, Serialize, ToSchema)]
pub struct PeopleOut {
    /// Who has a right, directors first.
    pub people: Vec<PersonOut>,
    /// The links, the latest first.
    pub invitations: Vec<InvitationOut>,
}

/// Lists the people of an event
///
/// For those who see what directors see.
#[utoipa::path(get, path = "/events/{event}/people", tag = "people",
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = PeopleOut, headers(("ETag" = String))), RightRefusals, ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let now = state.clock.now();
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let people = people::list(&mut tx, event.id).await?;
    let invitations = people::invitations(&mut tx, Some(event.id)).await?;
    let out = PeopleOut {
        people: people.into_iter().map(PersonOut::from).collect(),
        invitations: invitations
            .into_iter()
            .map(|one| InvitationOut::of(one, now))
            .collect(),
    };
    tagged(&headers, &caller, None, &out)
}

/// Another right.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventRightIn {
    /// The right.
    pub right: RightWord,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

async fn person(state: &AppState, event: Uuid, user: Uuid) -> Result<PersonOut> {
    let mut tx = state.store.snapshot().await?;
    let people = people::list(&mut tx, event).await?;
    let found = people.into_iter().find(|one| one.user == user);
    Ok(found.ok_or(Refused::NotAmongPeople)?.into())
}

/// Gives somebody another right
///
/// Only to who has one already: nobody comes in but by an invitation. The last director stays one.
#[utoipa::path(put, path = "/events/{event}/people/{user}", tag = "people", request_body = EventRightIn,
    params(("event" = String, Path, description = "The id or the slug"), ("user" = Uuid, Path)),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = PersonOut), ChangeRefusals))]
pub async fn set(
    State(state): State<AppState>,
    Director(actor): Director,
    caller: Caller,
    InPath((key, user)): InPath<(String, Uuid)>,
    InJson { value, .. }: InJson<EventRightIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let there = people::list(&mut tx, event.id).await?;
    if !there.iter().any(|one| one.user == user) {
        return Err(Refused::NotAmongPeople.into());
    }
    let change = change(&state, &actor, value.reason.as_deref());
    people::give(&mut tx, &change, event.id, user, value.right.into()).await?;
    tx.commit().await?;
    changed(StatusCode::OK, None, &person(&state, event.id, user).await?)
}

/// Takes somebody's right away
///
/// The links that he or she made end with it. The last director cannot leave.
#[utoipa::path(delete, path = "/events/{event}/people/{user}", tag = "people",
    params(("event" = String, Path, description = "The id or the slug"), ("user" = Uuid, Path), ReasonQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Taken away"), ChangeRefusals))]
pub async fn take(
    State(state): State<AppState>,
    Director(actor): Director,
    caller: Caller,
    InPath((key, user)): InPath<(String, Uuid)>,
    InQuery(query): InQuery<ReasonQuery>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let change = change(&state, &actor, query.reason.as_deref());
    people::take(&mut tx, &change, event.id, user).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A link that is to be made.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationIn {
    /// The right that it gives.
    pub right: RightWord,
    /// For whom it is meant.
    #[serde(default, rename = "for")]
    pub meant_for: String,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A link, this once with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewInvitation {
    /// The whole address: whoever opens it takes the right.
    pub address: String,
    /// Until when it works.
    pub until: String,
}

/// Invites somebody
///
/// The address is shown this once; only its hash is kept, so this request cannot be repeated by its
/// key: after a lost answer, take the link back (`DELETE`) and make another.
#[utoipa::path(post, path = "/events/{event}/invitations", tag = "people", request_body = InvitationIn,
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = NewInvitation), ChangeRefusals))]
pub async fn invite(
    State(state): State<AppState>,
    Director(actor): Director,
    caller: Caller,
    peer: Peer,
    headers: HeaderMap,
    InPath(key): InPath<String>,
    InJson { value, .. }: InJson<InvitationIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    let purpose = Purpose::Event(event.id, value.right.into());
    let (path, until) = auth::invite(&mut tx, &change, purpose, &value.meant_for).await?;
    tx.commit().await?;
    let made = NewInvitation {
        address: auth::address_of(&state, peer, &headers, &path),
        until: moment(until),
    };
    changed(StatusCode::CREATED, None, &made)
}

/// Takes a link back
///
/// One that is used or taken back already stays as it is.
#[utoipa::path(delete, path = "/events/{event}/invitations/{invitation}", tag = "people",
    params(("event" = String, Path, description = "The id or the slug"), ("invitation" = Uuid, Path), ReasonQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Taken back"), ChangeRefusals))]
pub async fn revoke(
    State(state): State<AppState>,
    Director(actor): Director,
    caller: Caller,
    InPath((key, invitation)): InPath<(String, Uuid)>,
    InQuery(query): InQuery<ReasonQuery>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let change = change(&state, &actor, query.reason.as_deref());
    people::revoke(&mut tx, &change, Some(event.id), invitation).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
