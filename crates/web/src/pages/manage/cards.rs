//! `/manage/e/{slug}/result-links/cards`: a card for each player, eight to a page of A4, with the code by
//! which he or she hands in results.

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use store::events::Event;
use store::hand_in::{self, PlayerCodes};
use store::result_links;

use super::{event_of, secret_page};
use crate::errors::Result;
use crate::extract::{Director, InPath, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit, encoded};
use crate::pages::public::screen::{base, code};
use crate::state::AppState;

/// The card of a player.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The team, or nothing.
    pub team: String,
    /// The code.
    pub code: String,
    /// The player's link as a QR code.
    pub qr: String,
}

/// The cards of an event.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/cards.html")]
pub struct CardsPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// Where results are handed in by whoever types the code.
    pub address: String,
    /// Whether players hand in results in this event.
    pub open: bool,
    /// Sheets of at most eight.
    pub sheets: Vec<Vec<Card>>,
}

/// How many cards are on a sheet.
const ON_A_SHEET: usize = 8;

/// Builds the cards; `base` is this server's address. Without codes there is none.
///
/// # Errors
/// When an address is too long for a QR code.
pub fn view(visit: &Visit, event: &Event, codes: Option<&PlayerCodes>, base: &str) -> Result<CardsPage> {
    let address = format!("{base}/e/{}/hand-in", encoded(&event.slug));
    let mut cards = Vec::new();
    for entry in &event.stage.entries {
        let Some(own) = codes.and_then(|codes| codes.of(entry.number)) else {
            continue;
        };
        let letters = own.replace('-', "");
        cards.push(Card {
            number: entry.number.get(),
            name: entry.name.clone(),
            team: entry.team.clone().unwrap_or_default(),
            qr: code(&format!("{address}?number={}&code={letters}", entry.number))?,
            code: own,
        });
    }
    cards.sort_by_key(|card| card.number);
    Ok(CardsPage {
        t: visit.t,
        frame: visit.frame_of(event, "rounds"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        address,
        open: codes.is_some(),
        sheets: cards.chunks(ON_A_SHEET).map(<[Card]>::to_vec).collect(),
    })
}

/// The cards.
///
/// # Errors
/// `sign-in-needed`, `needs-director`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Director(_): Director,
    peer: Peer,
    headers: HeaderMap,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let open = result_links::settings(&mut tx, event.id).await?.from_players;
    let codes = if open {
        hand_in::codes(&mut tx, event.id, None).await?
    } else {
        None
    };
    secret_page(&view(
        &visit,
        &event,
        codes.as_ref(),
        &base(&state, &peer, &headers),
    )?)
}
