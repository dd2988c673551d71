//! `/manage/e/{slug}/finish`: after the last round: promotion, prizes, and declaring the event final.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use store::events::{self, Event};

use super::promotion::state_of;
use super::{Fields, change, event_of, locked_even_final, refused, told};
use crate::errors::{Error, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, words};
use crate::state::AppState;

/// The page.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/finish.html")]
pub struct FinishPage {
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
    /// As of which round, and what is missing.
    pub state: String,
    /// That it is final: since when, by whom.
    pub frozen: Option<String>,
    /// In which words.
    pub words: Option<String>,
    /// That fewer rounds were played than are planned.
    pub short: Option<String>,
    /// The version it was made from.
    pub version: String,
    /// Why, as it was typed.
    pub reason: String,
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event) -> FinishPage {
    let t = visit.t;
    let (after, state) = state_of(t, event);
    let frozen = event.frozen.as_ref();
    FinishPage {
        t,
        frame: visit.frame_of(event, "finish"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        state,
        frozen: frozen.map(|frozen| {
            let at = words::moment_of(t, &event.schedule, frozen.at);
            t.with2("finish-is-final", "by", frozen.by.as_str(), "at", at)
        }),
        words: frozen.and_then(|frozen| frozen.reason.clone()),
        short: (after < event.stage.rounds_planned).then(|| {
            t.with2(
                "finish-short",
                "round",
                after,
                "planned",
                event.stage.rounds_planned,
            )
        }),
        version: event.version.to_string(),
        reason: String::new(),
    }
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let event = event_of(&mut state.store.snapshot().await?, &slug).await?;
    page(&view(&visit, &event))
}

/// Declares the event final, or opens it again.
///
/// # Errors
/// `not-found`; what is wrong is told on the page.
pub async fn act(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked_even_final(&mut tx, &slug).await?;
    let reason = fields.some("reason");
    let change = change(&state, &actor, reason.as_deref());
    let open = match fields.get("act") {
        "open" => true,
        "freeze" => false,
        _ => return Err(Error::not_found()),
    };
    let acted = if open {
        events::unfreeze(&mut tx, &change, &mut event, fields.version()).await
    } else {
        events::freeze(&mut tx, &change, &mut event, fields.version()).await
    };
    match acted {
        Ok(()) => {
            tx.commit().await?;
            let said = if open { "done-unfrozen" } else { "done-frozen" };
            Ok(done(&format!("/manage/e/{slug}/finish"), &visit.t.say(said)))
        }
        Err(error) => {
            let problem = Some(told(Error::from(error), visit.t)?);
            refused(&FinishPage {
                problem,
                reason: reason.unwrap_or_default(),
                ..view(&visit, &event)
            })
        }
    }
}
