//! `/manage/e/{slug}/rounds/by-hand`: a table made by hand, one line a board.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::events::Event;
use store::rounds::{self as stored, Table};
use store::{Refused, events};
use tournament::Number;
use tournament::pairing::{Confirmed, Refusal};

use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::page;
use crate::pages::tables::{Field, SeatView};
use crate::state::AppState;

/// The form for a table made by hand.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/by_hand.html")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether one box is there or ticked"
)]
pub struct ByHandPage {
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
    /// The version of the draft that the table is to replace; empty when there is none.
    pub version: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// The table as it was typed.
    pub table: String,
    /// Whether repeats have to be confirmed.
    pub ask_repeats: bool,
    /// Whether they are.
    pub repeats: bool,
    /// Whether missing results have to be confirmed.
    pub ask_provisional: bool,
    /// Whether they are.
    pub provisional: bool,
    /// Why.
    pub reason: String,
    /// Who plays in the round.
    pub waiting: Vec<SeatView>,
}

/// The table of the draft, as it is typed; nothing without a draft.
fn typed(event: &Event) -> String {
    let draft = event.draft().map(|info| info.round);
    let Some(round) = event.stage.rounds.iter().find(|round| Some(round.round) == draft) else {
        return String::new();
    };
    let boards = round
        .boards
        .iter()
        .map(|board| format!("{} {}\n", board.black, board.white));
    let byes = round.byes.iter().map(|number| format!("{number}\n"));
    boards.chain(byes).collect()
}

/// Builds the form.
pub fn view(visit: &Visit, event: &Event) -> ByHandPage {
    let t = visit.t;
    let stage = &event.stage;
    let round = event
        .draft()
        .map_or_else(|| stage.next_round(), |draft| draft.round);
    let field = Field::before(t, &event.slug, stage, round);
    let mut playing: Vec<Number> = stage
        .entries
        .iter()
        .filter(|entry| entry.plays_in(round))
        .map(|entry| entry.number)
        .collect();
    playing.sort();
    let mut waiting: Vec<SeatView> = playing
        .into_iter()
        .map(|number| field.seat_view(number))
        .collect();
    // As the pairing goes: from the highest score down, by number inside a score group.
    waiting.sort_by_key(|seat| std::cmp::Reverse(seat.score.parse::<i32>().unwrap_or(0)));
    ByHandPage {
        t,
        frame: visit.frame_of_round(event, "rounds", round),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round,
        version: event
            .draft()
            .map(|draft| draft.version.to_string())
            .unwrap_or_default(),
        problem: None,
        table: typed(event),
        ask_repeats: false,
        repeats: false,
        ask_provisional: false,
        provisional: false,
        reason: String::new(),
        waiting,
    }
}

/// Reads a table: two numbers a line are Black and White of a board, one alone has the bye.
fn read(text: &str) -> Result<Table> {
    let mut table = Table::default();
    for (line, row) in text.lines().enumerate() {
        let words: Vec<&str> = row
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let numbers: Option<Vec<Number>> = words
            .iter()
            .map(|word| word.parse().ok().and_then(Number::new))
            .collect();
        match numbers.as_deref() {
            Some([]) => {}
            Some([bye]) => table.byes.push(*bye),
            Some([black, white]) => table.boards.push((*black, *white)),
            _ => {
                return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-a-board-line")
                    .arg("line", line + 1)
                    .arg("found", row.trim())
                    .into());
            }
        }
    }
    Ok(table)
}

/// The form.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    page(&view(&visit, &event))
}

/// Refuses when the round of the form has been paired, changed or published since it was shown: a
/// table typed for one round must not become another one's, nor take the place of somebody's draft.
fn unchanged(event: &Event, round: Option<u32>, seen: Option<i64>) -> store::Result<()> {
    match event.draft() {
        Some(draft) if seen.is_some_and(|seen| seen == draft.version) => Ok(()),
        Some(draft) if seen.is_some() => Err(Refused::Stale {
            current: draft.version,
        }
        .into()),
        _ => stored::expect_next(event, round).map(drop),
    }
}

/// Makes the table the draft of the round.
///
/// # Errors
/// `not-found`; what is wrong is told on the form, with everybody concerned.
pub async fn keep(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let text = fields.get("table").replace("\r\n", "\n");
    let confirmed = Confirmed {
        repeats: fields.ticked("repeats"),
        provisional: fields.ticked("provisional"),
    };
    let reason = fields.some("reason");
    let mut tx = state.store.begin().await?;
    let mut event: events::Locked = locked(&mut tx, &slug).await?;
    let change = change(&state, &actor, reason.as_deref());
    let (mut ask_repeats, mut ask_provisional) = (confirmed.repeats, confirmed.provisional);
    let round = fields.get("round").parse().ok();
    let table = unchanged(&event, round, fields.version())
        .map_err(Error::from)
        .and_then(|()| read(&text));
    let error = match table {
        Ok(table) => match stored::by_hand(&mut tx, &change, &mut event, table, confirmed).await {
            Ok(info) => {
                tx.commit().await?;
                let path = format!("/manage/e/{slug}/rounds/{}", info.round);
                return Ok(done(&path, &visit.t.with("done-by-hand", "round", info.round)));
            }
            Err(error) => {
                match &error {
                    store::Error::Refused(Refused::Repeats { .. }) => ask_repeats = true,
                    store::Error::Refused(Refused::Pairing(Refusal::MissingResults { .. })) => {
                        ask_provisional = true;
                    }
                    _ => {}
                }
                Error::from(error)
            }
        },
        Err(error) => error,
    };
    let problem = Some(told(error, visit.t)?);
    refused(&ByHandPage {
        problem,
        table: text,
        ask_repeats,
        repeats: confirmed.repeats,
        ask_provisional,
        provisional: confirmed.provisional,
        reason: reason.unwrap_or_default(),
        ..view(&visit, &event)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_are_a_board_and_one_is_a_bye() {
        let number = |n| Number::new(n).expect("a number");
        let table = read("151 160\n12-7\n\n 3，4 \n9\n").expect("a table");
        assert_eq!(
            table.boards,
            [
                (number(151), number(160)),
                (number(12), number(7)),
                (number(3), number(4))
            ]
        );
        assert_eq!(table.byes, [number(9)]);
        for wrong in ["1 2 3", "1 x", "0 2", "甲 乙"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
