//! `GET /e/{slug}/crosstable`: who met whom.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use store::events::Event;
use tournament::standings::standings;

use super::standings::{missing, place};
use crate::errors::Result;
use crate::extract::{InPath, InQuery};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::paging::{PageLink, paged};
use crate::pages::tables::{CellView, cell, player_href};
use crate::pages::words::{self, Mark};
use crate::pages::{event_of, page};
use crate::state::AppState;

/// The most entries of which a square table can be read.
const MATRIX_MOST: usize = 32;

/// What two entries have against one another.
#[derive(Clone, Debug, Default)]
pub struct AgainstCell {
    /// Whether both are the same.
    pub own: bool,
    /// The results in characters.
    pub mark: String,
    /// In words.
    pub title: String,
}

/// One entry's line.
#[derive(Clone, Debug, Default)]
pub struct CrosstableRow {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The player's page.
    pub href: String,
    /// The team, or nothing.
    pub team: String,
    /// Withdrawn.
    pub marks: Vec<Mark>,
    /// Against each entry, in the order of the lines; empty without the square table.
    pub against: Vec<AgainstCell>,
    /// Round by round.
    pub rounds: Vec<CellView>,
    /// The score.
    pub score: String,
    /// The place.
    pub place: String,
}

/// The cross table.
#[derive(Clone, Debug, Template)]
#[template(path = "public/crosstable.html")]
pub struct CrosstablePage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// After which round, and what is missing.
    pub summary: String,
    /// Whether there is a square table.
    pub matrix: bool,
    /// The rounds that have a column.
    pub rounds: Vec<u32>,
    /// The lines, by number.
    pub rows: Vec<CrosstableRow>,
    /// The pages of the table, when it has more than one.
    pub pages: Vec<PageLink>,
    /// What the marks mean.
    pub marks_note: String,
}

/// Which part of the table.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The page of it.
    pub page: Option<usize>,
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, asked: &Asked) -> CrosstablePage {
    let t = visit.t;
    let stage = event.public_stage();
    let last = stage
        .rounds
        .last()
        .map_or(stage.first_round - 1, |round| round.round);
    let table = standings(&stage, last);
    let mut lines: Vec<_> = table.rows.iter().collect();
    lines.sort_by_key(|row| row.number);
    let matrix = lines.len() <= MATRIX_MOST && !stage.rounds.is_empty();
    let (shown, pages) = paged(lines.len(), asked.page, |page| {
        format!("/e/{}/crosstable?page={page}", event.slug)
    });
    let rows = lines[shown]
        .iter()
        .map(|row| {
            let entry = stage.entry(row.number);
            let against = |other: tournament::Number| {
                let games = row.games.iter().filter(|game| game.opponent == Some(other));
                AgainstCell {
                    own: other == row.number,
                    mark: games.clone().map(|game| words::played_short(t, game)).collect(),
                    title: t.list(games.map(|game| {
                        t.with2(
                            "round-and-result",
                            "round",
                            game.round,
                            "result",
                            words::played(t, game),
                        )
                    })),
                }
            };
            CrosstableRow {
                number: row.number.get(),
                name: entry.map(|entry| entry.name.clone()).unwrap_or_default(),
                href: player_href(&event.slug, row.number),
                team: entry.and_then(|entry| entry.team.clone()).unwrap_or_default(),
                marks: entry
                    .map(|entry| words::attendance(t, entry, last + 1))
                    .unwrap_or_default(),
                against: if matrix {
                    lines.iter().map(|other| against(other.number)).collect()
                } else {
                    Vec::new()
                },
                rounds: row.games.iter().map(|game| cell(t, &stage, game)).collect(),
                score: row.score.to_string(),
                place: place(row.place, row.shared),
            }
        })
        .collect();
    let mut summary = if last == 0 {
        t.say("standings-before")
    } else {
        t.with("after-round", "round", last)
    };
    if let Some(missing) = missing(t, &table) {
        summary = format!("{summary}{}{missing}", t.gap());
    }
    CrosstablePage {
        t,
        frame: visit.frame_of(event, "crosstable"),
        event_name: event.name.clone(),
        summary,
        matrix,
        rounds: stage.rounds.iter().map(|round| round.round).collect(),
        rows,
        pages,
        marks_note: t.say("cells-legend"),
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
    page(&view(&visit, &event, &asked))
}
