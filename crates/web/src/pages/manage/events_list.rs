//! `GET /manage`: all events.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use store::events;

use crate::errors::Result;
use crate::extract::{Director, InQuery};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::page;
use crate::pages::public::events::{EventRow, From, row};
use crate::state::AppState;

/// The list of events with the directors' buttons.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/events.html")]
pub struct EventsPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The events.
    pub events: Vec<EventRow>,
    /// Where older ones are.
    pub older: Option<String>,
}

/// The page.
///
/// # Errors
/// `sign-in-needed`.
pub async fn show(
    State(state): State<AppState>,
    Director(_): Director,
    visit: Visit,
    InQuery(from): InQuery<From>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let list = events::list(&mut tx, true, from.paging()).await?;
    page(&EventsPage {
        t: visit.t,
        frame: visit.frame(),
        events: list.items.iter().map(|event| row(visit.t, event)).collect(),
        older: from.older("/manage", list.total),
    })
}
