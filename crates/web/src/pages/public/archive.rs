//! `GET /archive?q=`: a player over all public events.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use store::events::{FOUND_MOST, Found, search_names};

use crate::errors::Result;
use crate::extract::InQuery;
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::tables::player_href;
use crate::pages::{page, words};
use crate::state::AppState;

/// Whom to look for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// A name or a part of one.
    #[serde(default)]
    pub q: String,
}

/// Somebody in an event.
#[derive(Clone, Debug, Default)]
pub struct FoundRow {
    /// The player's page.
    pub href: String,
    /// The number and the name.
    pub person: String,
    /// The team, or nothing.
    pub team: String,
    /// The event, its day, whether it is final.
    pub event: String,
}

/// The page.
#[derive(Clone, Debug, Template)]
#[template(path = "public/archive.html")]
pub struct ArchivePage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What was typed.
    pub query: String,
    /// Who was found.
    pub rows: Vec<FoundRow>,
    /// How it went.
    pub summary: Option<String>,
}

/// Builds the page.
pub fn view(visit: &Visit, query: &str, found: &[Found]) -> ArchivePage {
    let t = visit.t;
    let query = query.trim();
    let summary = if query.is_empty() {
        None
    } else if found.is_empty() {
        Some(t.say("archive-nobody"))
    } else if i64::try_from(found.len()).is_ok_and(|count| count >= FOUND_MOST) {
        Some(t.with("archive-more", "count", found.len()))
    } else {
        Some(t.with("archive-found", "count", found.len()))
    };
    ArchivePage {
        t,
        frame: visit.frame(),
        query: query.to_owned(),
        rows: found
            .iter()
            .map(|one| {
                let mut event = vec![one.event.clone()];
                event.extend(one.starts_on.map(|day| words::day(t, day)));
                if one.frozen {
                    event.push(t.say("final-word"));
                }
                FoundRow {
                    href: player_href(&one.slug, one.number),
                    person: t.with2("person", "number", one.number.get(), "name", one.name.as_str()),
                    team: one.team.clone().unwrap_or_default(),
                    event: event.join(" · "),
                }
            })
            .collect(),
        summary,
    }
}

/// The page.
///
/// # Errors
/// Only of the database.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let query: String = asked.q.chars().take(100).collect();
    let found = search_names(&mut state.store.snapshot().await?, &query).await?;
    page(&view(&visit, &query, &found))
}
