//! `GET /manage`: the events in which the reader has a right; to an administrator all of them.

use std::collections::HashMap;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use store::events::{self, EventSummary, Listed};
use store::{Actor, Paging, Role, families, people};

use crate::errors::Result;
use crate::extract::{InQuery, SignedIn};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::public::events::{EventRow, From, row};
use crate::pages::public::family::row as family_row;
use crate::pages::{page, words};
use crate::state::{AppState, BackupState};

/// The list of events with the directors' buttons.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/events.html")]
pub struct EventsPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// Whether the reader may make events.
    pub makes: bool,
    /// Whether the reader manages accounts.
    pub administers: bool,
    /// The families.
    pub families: Vec<EventRow>,
    /// The events.
    pub events: Vec<EventRow>,
    /// Where older ones are.
    pub older: Option<String>,
    /// To administrators: that the automatic backups fail.
    pub backups_fail: Option<String>,
}

/// The events that somebody has to do with.
fn listed(actor: &Actor) -> Listed {
    match actor.user {
        Some(user) if actor.role != Role::Admin => Listed::Of(user),
        _ => Listed::All,
    }
}

/// Where somebody begins to work: an arbiter with the results of the last published round.
fn href(event: &EventSummary, role: Option<Role>) -> String {
    let slug = &event.slug;
    match (role, event.last_published) {
        (Some(Role::Arbiter), Some(round)) => format!("/manage/e/{slug}/rounds/{round}/results"),
        (Some(Role::Arbiter), None) => format!("/e/{slug}"),
        _ => format!("/manage/e/{slug}"),
    }
}

/// That the automatic backups fail: since when, why, and how old the last one is.
pub fn backups_fail(t: Language, backups: &BackupState) -> Option<String> {
    let (since, why) = backups.failing.as_ref()?;
    let last = backups
        .made
        .map_or_else(|| t.say("backups-none"), |at| words::moment(t, at));
    let args = [
        ("since", words::moment(t, *since).into()),
        ("why", why.clone().into()),
        ("last", last.into()),
    ];
    Some(t.tell("backups-fail", &args))
}

/// The page.
///
/// # Errors
/// `sign-in-needed`.
pub async fn show(
    State(state): State<AppState>,
    SignedIn(actor): SignedIn,
    visit: Visit,
    InQuery(from): InQuery<From>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let roles = match actor.user {
        Some(user) => people::roles_of(&mut tx, user).await?,
        None => HashMap::new(),
    };
    let list = events::list(&mut tx, listed(&actor), from.paging()).await?;
    let families = match actor.user {
        Some(user) if actor.role != Role::Admin => families::Listed::Of(user),
        _ => families::Listed::All,
    };
    let families = families::list(&mut tx, families, Paging::default()).await?;
    let shown = |event: &EventSummary| {
        let role = roles.get(&event.id).copied();
        EventRow {
            href: href(event, role),
            role: role.map(|role| words::role(visit.t, role)),
            ..row(visit.t, event)
        }
    };
    page(&EventsPage {
        families: families
            .iter()
            .map(|family| EventRow {
                href: format!("/manage/f/{}", family.slug),
                groups: family
                    .groups
                    .iter()
                    .map(|group| EventRow {
                        name: group.label.clone(),
                        ..shown(&group.event)
                    })
                    .collect(),
                ..family_row(visit.t, family)
            })
            .collect(),
        t: visit.t,
        frame: visit.frame(),
        makes: actor.role.directs(),
        administers: actor.role == Role::Admin,
        events: list
            .items
            .iter()
            // A group stands under its family.
            .filter(|event| {
                let in_list = |slug: &String| families.iter().any(|family| family.slug == *slug);
                !event.family.as_ref().is_some_and(|(slug, _)| in_list(slug))
            })
            .map(shown)
            .collect(),
        older: from.older("/manage", list.total),
        backups_fail: (actor.role == Role::Admin)
            .then(|| state.backups.state())
            .and_then(|backups| backups_fail(visit.t, &backups)),
    })
}
