//! `GET /e/{slug}/find?q=`: find my board.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use store::events::Event;
use tournament::{Number, Round};

use crate::errors::Result;
use crate::extract::{InPath, InQuery};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::search::{matches, search_text, sort_key};
use crate::pages::tables::{Field, NameRow};
use crate::pages::{event_of, page};
use crate::state::AppState;

/// The most that one answer lists.
const MOST: usize = 30;

/// Who is looked for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    q: String,
}

/// Find my board.
#[derive(Clone, Debug, Template)]
#[template(path = "public/find.html")]
pub struct FindPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// Who is looked for.
    pub query: String,
    /// The event's name in addresses.
    pub slug: String,
    /// The round that is told, and which edition of its table.
    pub told: String,
    /// Who fits, with board, colour and opponent of the last published round.
    pub found: Vec<NameRow>,
    /// How many more fit.
    pub more: usize,
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, query: &str) -> FindPage {
    let t = visit.t;
    let stage = event.public_stage();
    let query = query.trim();
    let mut numbers: Vec<Number> = stage
        .entries
        .iter()
        .filter(|entry| {
            let team = entry.team.as_deref().unwrap_or_default();
            !query.is_empty() && matches(query, &search_text(entry.number.get(), &entry.name, team))
        })
        .map(|entry| entry.number)
        .collect();
    // A number that was typed in full comes before those that only begin with it.
    numbers.sort_by_cached_key(|number| {
        let name = stage.entry(*number).map_or("", |entry| entry.name.as_str());
        (number.to_string() != query, sort_key(name), *number)
    });
    let nothing = Round::default();
    let round = stage.rounds.last();
    let field = Field::before(t, &event.slug, &stage, round.map_or(0, |round| round.round));
    let found = numbers
        .iter()
        .take(MOST)
        .map(|number| match round {
            Some(round) => field.name_row(round, *number),
            None => NameRow {
                without_seat: t.say("event-not-started"),
                ..field.name_row(&nothing, *number)
            },
        })
        .collect();
    FindPage {
        t,
        frame: visit.frame_of(event, "find"),
        query: query.to_owned(),
        slug: event.slug.clone(),
        told: event.last_published().map_or_else(String::new, |info| {
            let round = t.with("round-n", "round", info.round);
            format!("{round} · {}", super::round::published(t, &event.schedule, info))
        }),
        found,
        more: numbers.len().saturating_sub(MOST),
    }
}

/// The page.
///
/// # Errors
/// `not-found` for an unknown event.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath(slug): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let event = event_of(&state, &visit, &slug).await?;
    page(&view(&visit, &event, &asked.q))
}
