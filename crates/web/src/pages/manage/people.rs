//! `/manage/e/{slug}/people`: who directs, who enters results, who looks on; and the links by
//! which somebody becomes one of them.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use chrono::{DateTime, Utc};
use store::events::Event;
use store::people::{self as stored, ByFamily, Invitation, Person, Purpose};
use store::{Role, Schedule, Tx};
use uuid::Uuid;

use super::{Fields, change, event_of, refused, told};
use crate::auth;
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Peer, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, words};
use crate::state::AppState;

/// Somebody with a right in the event.
#[derive(Clone, Debug, Default)]
pub struct PersonRow {
    /// The account.
    pub user: String,
    /// The name.
    pub name: String,
    /// The right, as a word of the form.
    pub role: &'static str,
    /// The right in words.
    pub role_words: String,
    /// Since when, by whom.
    pub since: String,
    /// Whether the account is closed.
    pub closed: bool,
    /// Whether it is the reader.
    pub you: bool,
}

/// Somebody with a right by the family.
#[derive(Clone, Debug, Default)]
pub struct FamilyRow {
    /// The name.
    pub name: String,
    /// The right in words.
    pub role_words: String,
    /// Since when, by whom.
    pub since: String,
    /// Whether the account is closed.
    pub closed: bool,
    /// The family's page.
    pub href: String,
    /// Its name.
    pub family: String,
}

/// A link that was made.
#[derive(Clone, Debug, Default)]
pub struct InvitationRow {
    /// Its id.
    pub id: String,
    /// What it gives.
    pub what: String,
    /// For whom it is meant.
    pub note: String,
    /// When it was made, by whom.
    pub made: String,
    /// What became of it, or until when it works.
    pub state: String,
    /// Whether it still works.
    pub open: bool,
}

/// A link that has just been made: it is shown this once.
#[derive(Clone, Debug, Default)]
pub struct NewLink {
    /// The whole address.
    pub address: String,
    /// What it gives and until when it works.
    pub sentence: String,
}

/// The people of an event.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/people.html")]
pub struct PeoplePage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// The link that has just been made.
    pub link: Option<NewLink>,
    /// The people.
    pub people: Vec<PersonRow>,
    /// Those who have their right by the family.
    pub by_family: Vec<FamilyRow>,
    /// The links.
    pub invitations: Vec<InvitationRow>,
    /// The rights that can be given: the word of the form, its name, what it is.
    pub roles: Vec<(&'static str, String, String)>,
    /// Whether the reader may change something.
    pub may_change: bool,
}

/// What a right in an event is, in a sentence.
fn explained(t: Language, role: Role) -> String {
    t.say(match role {
        Role::Arbiter => "role-arbiter-is",
        Role::Viewer => "role-viewer-is",
        _ => "role-director-is",
    })
}

/// A link of a list.
pub fn invitation_row(
    t: Language,
    schedule: &Schedule,
    one: &Invitation,
    what: String,
    now: DateTime<Utc>,
) -> InvitationRow {
    let state = match (&one.used_by, one.used_at, one.revoked_at) {
        (Some(by), Some(at), _) => t.with2(
            "invitation-used",
            "name",
            by.as_str(),
            "at",
            words::moment_of(t, schedule, at),
        ),
        (_, _, Some(at)) => t.with("invitation-revoked", "at", words::moment_of(t, schedule, at)),
        _ if one.is_open(now) => t.with(
            "invitation-until",
            "at",
            words::moment_of(t, schedule, one.expires_at),
        ),
        _ => t.with(
            "invitation-ran-out",
            "at",
            words::moment_of(t, schedule, one.expires_at),
        ),
    };
    InvitationRow {
        id: one.id.to_string(),
        what,
        note: one.note.clone(),
        made: t.with2(
            "made-at-by",
            "at",
            words::moment_of(t, schedule, one.made_at),
            "name",
            one.made_by.as_str(),
        ),
        state,
        open: one.is_open(now),
    }
}

/// Builds the page.
pub fn view(
    visit: &Visit,
    event: &Event,
    (people, by_family): (&[Person], &[ByFamily]),
    invitations: &[Invitation],
    now: DateTime<Utc>,
) -> PeoplePage {
    let t = visit.t;
    let reader = visit.caller.actor.as_ref().and_then(|actor| actor.user);
    PeoplePage {
        t,
        frame: visit.frame_of(event, "people"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        link: None,
        people: people
            .iter()
            .map(|person| PersonRow {
                user: person.user.to_string(),
                name: person.name.clone(),
                role: person.role.as_str(),
                role_words: words::role(t, person.role),
                since: match &person.given_by {
                    Some(by) => t.with2(
                        "made-at-by",
                        "at",
                        words::moment_of(t, &event.schedule, person.since),
                        "name",
                        by.as_str(),
                    ),
                    None => words::moment_of(t, &event.schedule, person.since),
                },
                closed: person.closed,
                you: reader == Some(person.user),
            })
            .collect(),
        by_family: by_family
            .iter()
            .map(|person| FamilyRow {
                name: person.name.clone(),
                role_words: words::role(t, person.role),
                since: t.with2(
                    "made-at-by",
                    "at",
                    words::moment_of(t, &event.schedule, person.since),
                    "name",
                    person.given_by.as_str(),
                ),
                closed: person.closed,
                href: format!("/manage/f/{}", person.family.0),
                family: person.family.1.clone(),
            })
            .collect(),
        invitations: invitations
            .iter()
            .map(|one| {
                let what = match &one.offer {
                    stored::Offer::Event { role, .. } | stored::Offer::Site(role) => words::role(t, *role),
                    stored::Offer::Password { name, .. } => name.clone(),
                };
                invitation_row(t, &event.schedule, one, what, now)
            })
            .collect(),
        roles: [Role::Arbiter, Role::Viewer, Role::Director]
            .map(|role| (role.as_str(), words::role(t, role), explained(t, role)))
            .to_vec(),
        may_change: visit.directs(),
    }
}

async fn build(state: &AppState, tx: &mut Tx, visit: &Visit, slug: &str) -> Result<PeoplePage> {
    let event = event_of(tx, slug).await?;
    let people = stored::list(tx, event.id).await?;
    let by_family = stored::by_family(tx, event.id).await?;
    let invitations = stored::invitations(tx, Some(event.id)).await?;
    let now = state.clock.now();
    Ok(view(visit, &event, (&people, &by_family), &invitations, now))
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `needs-viewer`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    page(&build(&state, &mut tx, &visit, &slug).await?)
}

/// A refusal on the page, when the reader can do something about it.
async fn refuse(state: &AppState, visit: &Visit, slug: &str, error: Error) -> Result<Response> {
    let problem = Some(told(error, visit.t)?);
    let mut tx = state.store.snapshot().await?;
    let page = build(state, &mut tx, visit, slug).await?;
    refused(&PeoplePage { problem, ..page })
}

/// A role of a form that somebody can have in an event.
fn role_in_event(word: &str) -> Result<Role> {
    word.parse()
        .ok()
        .filter(|role| Role::IN_EVENT.contains(role))
        .ok_or_else(|| {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-a-role")
                .arg("found", word)
                .into()
        })
}

/// The id of a form.
///
/// # Errors
/// 404 when it is none.
pub fn id(fields: &Fields, name: &str) -> Result<Uuid> {
    fields.get(name).parse().map_err(|_| Error::not_found())
}

/// Makes a link and shows it once.
///
/// # Errors
/// `needs-director`, `not-found`; what is wrong is told on the page.
pub async fn invite(
    State(state): State<AppState>,
    Director(actor): Director,
    peer: Peer,
    visit: Visit,
    headers: HeaderMap,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    let made = match role_in_event(fields.get("role")) {
        Ok(role) => {
            let purpose = Purpose::Event(event.id, role);
            auth::invite(&mut tx, &change, purpose, fields.get("note"))
                .await
                .map(|made| (role, made))
        }
        Err(error) => Err(error),
    };
    match made {
        Ok((role, (path, until))) => {
            tx.commit().await?;
            let mut tx = state.store.snapshot().await?;
            let view = build(&state, &mut tx, &visit, &slug).await?;
            super::secret_page(&PeoplePage {
                link: Some(NewLink {
                    address: auth::address_of(&state, peer, &headers, &path),
                    sentence: t.tell(
                        "invitation-made-event",
                        &[
                            ("role", words::role(t, role).into()),
                            ("event", event.name.clone().into()),
                            ("until", words::moment_of(t, &event.schedule, until).into()),
                        ],
                    ),
                }),
                ..view
            })
        }
        Err(error) => {
            drop(tx);
            refuse(&state, &visit, &slug, error).await
        }
    }
}

/// Gives somebody another right.
///
/// # Errors
/// `needs-director`, `not-found`; what is wrong is told on the page.
pub async fn set_role(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let user = id(&fields, "user")?;
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    let there = stored::list(&mut tx, event.id).await?;
    let given = match (
        role_in_event(fields.get("role")),
        there.iter().any(|one| one.user == user),
    ) {
        // By the form nobody comes in who is not there: that is what links are for.
        (_, false) => Err(store::Refused::NotAmongPeople.into()),
        (Ok(role), true) => stored::give(&mut tx, &change, event.id, user, role)
            .await
            .map_err(Error::from),
        (Err(error), _) => Err(error),
    };
    match given {
        Ok(()) => {
            tx.commit().await?;
            let said = visit.t.say("done-right-changed");
            Ok(done(&format!("/manage/e/{slug}/people"), &said))
        }
        Err(error) => {
            drop(tx);
            refuse(&state, &visit, &slug, error).await
        }
    }
}

/// Takes somebody's right away.
///
/// # Errors
/// `needs-director`, `not-found`; what is wrong is told on the page.
pub async fn remove(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let user = id(&fields, "user")?;
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    match stored::take(&mut tx, &change, event.id, user).await {
        Ok(()) => {
            tx.commit().await?;
            let said = visit.t.say("done-right-taken");
            let to = if actor.user == Some(user) && actor.role != Role::Admin {
                "/manage".to_owned()
            } else {
                format!("/manage/e/{slug}/people")
            };
            Ok(done(&to, &said))
        }
        Err(error) => {
            drop(tx);
            refuse(&state, &visit, &slug, error.into()).await
        }
    }
}

/// Takes a link back.
///
/// # Errors
/// `needs-director`, `not-found`.
pub async fn revoke(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let invitation = id(&fields, "invitation")?;
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    stored::revoke(&mut tx, &change, Some(event.id), invitation).await?;
    tx.commit().await?;
    let said = visit.t.say("done-invitation-revoked");
    Ok(done(&format!("/manage/e/{slug}/people"), &said))
}
