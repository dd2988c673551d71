//! `GET /e/{slug}/rounds/{round}/withdrawn`: the published tables of a round that are not valid any
//! more, and why. They stay readable so that everybody can see what was changed.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde_json::Value;
use store::Paging;
use store::events::Event;
use store::log::{self, Action, Filter, LogEntry};
use tournament::{Number, Stage};

use crate::errors::Result;
use crate::extract::InPath;
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::{event_in, page, words};
use crate::state::AppState;

/// A table that was published and withdrawn.
#[derive(Clone, Debug, Default)]
pub struct OldTable {
    /// Which version, when, by whom.
    pub heading: String,
    /// Why.
    pub reason: Option<String>,
    /// Board, Black, White.
    pub boards: Vec<(String, String, String)>,
    /// Who had the bye.
    pub byes: String,
}

/// The withdrawn tables of a round.
#[derive(Clone, Debug, Template)]
#[template(path = "public/withdrawn.html")]
pub struct WithdrawnPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// The round.
    pub round: u32,
    /// The tables, the latest first.
    pub tables: Vec<OldTable>,
}

/// Where the withdrawn tables of a round are, and how the link is called.
pub fn link(t: Language, slug: &str, round: u32) -> (String, String) {
    (
        format!("/e/{slug}/rounds/{round}/withdrawn"),
        t.with("withdrawn-table-title", "round", round),
    )
}

fn player(t: Language, stage: &Stage, value: Option<&Value>) -> String {
    let number = value
        .and_then(Value::as_u64)
        .and_then(|number| u32::try_from(number).ok());
    number
        .and_then(Number::new)
        .map(|number| words::person(t, stage, number))
        .unwrap_or_default()
}

/// Builds the page from the acts of the log that took a published table away.
pub fn view(visit: &Visit, event: &Event, round: u32, acts: &[LogEntry]) -> WithdrawnPage {
    let t = visit.t;
    // As everybody reads it: some names are withheld.
    let stage = event.public_stage();
    let tables = acts
        .iter()
        .filter(|act| act.before["status"] == "published" && act.before["boards"].is_array())
        .map(|act| {
            let lists = |name: &str| act.before[name].as_array().cloned().unwrap_or_default();
            let edition = act.before["edition"].as_u64().unwrap_or(1);
            OldTable {
                heading: t.tell(
                    "withdrawn-table",
                    &[
                        ("edition", edition.into()),
                        ("at", words::moment_of(t, &event.schedule, act.at).into()),
                        ("by", act.actor.name.clone().into()),
                    ],
                ),
                reason: act
                    .reason
                    .as_ref()
                    .map(|reason| t.with("withdrawn-table-reason", "reason", reason.clone())),
                boards: lists("boards")
                    .iter()
                    .map(|board| {
                        (
                            board["board"].to_string(),
                            player(t, &stage, board.get("black")),
                            player(t, &stage, board.get("white")),
                        )
                    })
                    .collect(),
                byes: t.list(lists("byes").iter().map(|number| player(t, &stage, Some(number)))),
            }
        })
        .collect();
    WithdrawnPage {
        t,
        frame: visit.frame_of(event, "rounds"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round,
        tables,
    }
}

/// The page.
///
/// # Errors
/// `not-found` for an event that the reader may not see.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let mut acts = Vec::new();
    for action in [Action::PublicationWithdrawn, Action::RoundThrownAway] {
        let filter = Filter {
            round: Some(round),
            action: Some(action),
            ..Filter::default()
        };
        acts.extend(log::list(&mut tx, &event, filter, Paging::default()).await?.items);
    }
    acts.sort_by_key(|act| std::cmp::Reverse(act.seq));
    page(&view(&visit, &event, round, &acts))
}
