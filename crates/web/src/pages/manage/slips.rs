//! `/manage/e/{slug}/rounds/{n}/slips`: result slips (比分条), four to a page of A4. Laid out so that a
//! stack that is cut twice lies in the order of boards, one pile after the other.

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use store::events::{Event, RoundStatus};

use super::event_of;
use crate::errors::{Error, Result};
use crate::extract::{InPath, Peer, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::page;
use crate::pages::public::game::path;
use crate::pages::public::screen::{base, code};
use crate::pages::tables::{Field, SeatView};
use crate::state::AppState;

/// The slip of a board.
#[derive(Clone, Debug, Default)]
pub struct Slip {
    /// The board.
    pub board: u32,
    /// Whether colours come from nigiri.
    pub nigiri: bool,
    /// Who has Black, or is named first.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// The board's page as a QR code.
    pub qr: String,
}

/// The slips of a round.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/slips.html")]
pub struct SlipsPage {
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
    /// Sheets of four places; a place can be empty.
    pub sheets: Vec<Vec<Option<Slip>>>,
}

/// Which of `count` slips lies on which place of which sheet, four to a sheet: the first places of all
/// sheets come first, so the pile cut from there is in order, and the next pile goes on after it.
fn laid(count: usize) -> Vec<[Option<usize>; 4]> {
    let sheets = count.div_ceil(4);
    let at = |sheet: usize, place: usize| Some(place * sheets + sheet).filter(|slip| *slip < count);
    (0..sheets)
        .map(|sheet| [0, 1, 2, 3].map(|place| at(sheet, place)))
        .collect()
}

/// Builds the slips; `base` is this server's address.
///
/// # Errors
/// `not-found` for a round that is not published.
pub fn view(visit: &Visit, event: &Event, round: u32, base: &str) -> Result<SlipsPage> {
    let t = visit.t;
    let known = event
        .round_info(round)
        .is_some_and(|info| info.status == RoundStatus::Published);
    let table = event.stage.rounds.iter().find(|one| known && one.round == round);
    let table = table.ok_or_else(Error::not_found)?;
    let field = Field::before(t, &event.slug, &event.stage, round);
    let mut slips = Vec::new();
    for board in &table.boards {
        slips.push(Slip {
            board: board.board,
            nigiri: board.nigiri,
            black: field.seat_view(board.black),
            white: field.seat_view(board.white),
            qr: code(&format!("{base}{}", path(&event.slug, round, board.board)))?,
        });
    }
    Ok(SlipsPage {
        t,
        frame: visit.frame_of_round(event, "rounds", round),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round,
        sheets: laid(slips.len())
            .into_iter()
            .map(|sheet| sheet.map(|slip| slip.map(|at| slips[at].clone())).to_vec())
            .collect(),
    })
}

/// The slips.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    peer: Peer,
    headers: HeaderMap,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
) -> Result<Response> {
    let event = event_of(&mut state.store.snapshot().await?, &slug).await?;
    page(&view(&visit, &event, round, &base(&state, &peer, &headers))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_that_is_cut_lies_in_the_order_of_boards() {
        for count in 0..=83 {
            let sheets = laid(count);
            assert_eq!(sheets.len(), count.div_ceil(4));
            let piles: Vec<usize> = (0..4)
                .flat_map(|place| sheets.iter().filter_map(move |sheet| sheet[place]))
                .collect();
            assert_eq!(piles, (0..count).collect::<Vec<_>>(), "{count} boards");
        }
    }
}
