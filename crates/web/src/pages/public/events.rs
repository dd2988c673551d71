//! `GET /`: the events.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use store::Paging;
use store::events::{self, EventSummary, Listed, Visibility};

use crate::errors::Result;
use crate::extract::InQuery;
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::{page, words};
use crate::state::AppState;

/// An event in a list.
#[derive(Clone, Debug, Default)]
pub struct EventRow {
    /// Where it leads.
    pub href: String,
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// How far it is.
    pub state: String,
    /// Where, when, how many.
    pub facts: String,
    /// Whether only those see it who have a right in it.
    pub hidden: bool,
    /// The reader's role in it, where that is worth saying.
    pub role: Option<String>,
    /// The events that are its groups.
    pub groups: Vec<Self>,
}

/// The list of events.
#[derive(Clone, Debug, Template)]
#[template(path = "public/events.html")]
pub struct Events {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The events.
    pub events: Vec<EventRow>,
    /// Where older ones are.
    pub older: Option<String>,
}

/// From which event on.
#[derive(Debug, Default, Deserialize)]
pub struct From {
    #[serde(default)]
    pub(crate) from: u32,
}

impl From {
    /// The part of the list that is asked for.
    pub fn paging(&self) -> Paging {
        Paging {
            offset: self.from,
            ..Paging::default()
        }
    }

    /// The address of the part after it, when there is more.
    pub fn older(&self, path: &str, total: u64) -> Option<String> {
        let next = self.from.saturating_add(self.paging().limit);
        (u64::from(next) < total).then(|| format!("{path}?from={next}"))
    }
}

/// An event as a list shows it.
pub fn row(t: Language, event: &EventSummary) -> EventRow {
    let state = match event.last_published {
        _ if event.frozen => t.say("event-final"),
        None => t.say("event-not-started"),
        Some(last) if last >= event.rounds_planned && event.pending == 0 => t.say("event-finished"),
        Some(last) => t.with2("event-in-round", "round", last, "planned", event.rounds_planned),
    };
    let mut facts = Vec::new();
    facts.extend(event.family.as_ref().map(|(_, name)| name.clone()));
    facts.extend(event.starts_on.map(|day| words::day(t, day)));
    facts.extend(event.place.clone());
    facts.push(t.with("players-n", "count", event.entries));
    EventRow {
        href: format!("/e/{}", event.slug),
        slug: event.slug.clone(),
        name: event.name.clone(),
        state,
        facts: facts.join(" · "),
        hidden: event.visibility == Visibility::Hidden,
        role: None,
        groups: Vec::new(),
    }
}

/// The page.
///
/// # Errors
/// Only of the database.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InQuery(from): InQuery<From>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let list = events::list(&mut tx, Listed::Single, from.paging()).await?;
    let mut rows = if from.from == 0 {
        super::family::rows(&mut tx, visit.t).await?
    } else {
        Vec::new()
    };
    rows.extend(list.items.iter().map(|event| row(visit.t, event)));
    page(&Events {
        t: visit.t,
        frame: visit.frame(),
        events: rows,
        older: from.older("/", list.total),
    })
}
