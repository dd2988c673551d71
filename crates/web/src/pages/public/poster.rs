//! `GET /e/{slug}/find/poster`: a sheet for the wall whose code leads to "where do I play?".

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use store::events::Event;

use super::screen::{base, code, find_address};
use crate::errors::Result;
use crate::extract::{InPath, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::{event_of, page};
use crate::state::AppState;

/// The sheet.
#[derive(Clone, Debug, Template)]
#[template(path = "public/poster.html")]
pub struct PosterPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// The code.
    pub code: String,
    /// The address, for whoever types it.
    pub address: String,
}

/// Builds the sheet.
///
/// # Errors
/// When the address is too long for a code.
pub fn view(visit: &Visit, event: &Event, base: &str) -> Result<PosterPage> {
    Ok(PosterPage {
        t: visit.t,
        frame: visit.frame_of(event, "find"),
        event_name: event.name.clone(),
        code: code(&find_address(base, &event.slug))?,
        address: format!("{base}/e/{}/find", event.slug),
    })
}

/// The sheet.
///
/// # Errors
/// `not-found` for an unknown event.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    peer: Peer,
    headers: HeaderMap,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let event = event_of(&state, &visit, &slug).await?;
    page(&view(&visit, &event, &base(&state, &peer, &headers))?)
}
