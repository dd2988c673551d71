//! `/r/{token}`: the results page for whoever comes with a link for some boards, on a phone and without
//! an account. It shows the boards of the link in the round that is being played, and nothing else.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::Tx;
use store::events::Event;
use store::result_links::{self, ResultLink};

use crate::auth::digest;
use crate::errors::{Error, Problem, Result};
use crate::extract::{InPath, InQuery};
use crate::pages::frame::Visit;
use crate::pages::manage::results::{Asked, of_link, save_by, view, with_reports};
use crate::pages::manage::{Fields, event_of};
use crate::pages::page;
use crate::results::Hand;
use crate::state::AppState;

async fn found(tx: &mut Tx, state: &AppState, token: &str) -> Result<(Event, ResultLink)> {
    let spent = || Error::from(Problem::new(StatusCode::GONE, "result-link-spent"));
    let found = result_links::find(tx, &digest(token), state.clock.now()).await?;
    let (slug, link) = found.ok_or_else(spent)?;
    Ok((event_of(tx, &slug).await?, link))
}

/// The page.
///
/// # Errors
/// `result-link-spent`; `link-too-early` before the first round is published.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath(token): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let (event, link) = found(&mut tx, &state, &token).await?;
    let round = event.last_published().map(|info| info.round);
    let round = round.ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, "link-too-early"))?;
    let mut view = view(&visit, &event, round, asked.only_open())?;
    let reports = store::reports::waiting(&mut tx, event.id).await?;
    with_reports(&mut view, &reports, false);
    page(&of_link(view, &visit, &link, &token))
}

/// Saves the form.
///
/// # Errors
/// `result-link-spent`; `not-of-link`, `not-round-of-link`; what else is wrong is told on the page.
pub async fn save(
    State(state): State<AppState>,
    visit: Visit,
    InPath(token): InPath<String>,
    InQuery(asked): InQuery<Asked>,
    fields: Fields,
) -> Result<Response> {
    let (event, link) = found(&mut state.store.snapshot().await?, &state, &token).await?;
    let round = fields.get("round").parse().map_err(|_| Error::not_found())?;
    let actor = link.actor();
    let hand = Hand::Link(&link, &actor);
    save_by(
        &state,
        &hand,
        &visit,
        (&event.slug, round, &token),
        &asked,
        &fields,
    )
    .await
}
