//! `GET /e/{slug}/standings?after=N`: places after a round.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use store::events::Event;
use tournament::standings::{Standings, standings};
use tournament::{Criterion, Stage, Unplayed};

use super::explain::fraction;
use crate::errors::{Error, Result};
use crate::extract::{InPath, InQuery};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::paging::{PageLink, paged};
use crate::pages::tables::{CellView, cell, player_href};
use crate::pages::words::{self, Mark};
use crate::pages::{event_of, page};
use crate::state::AppState;

/// Which part of which standings.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// After which round.
    pub after: Option<u32>,
    /// The page of the table.
    pub page: Option<usize>,
    /// The criterion whose value is asked about.
    pub of: Option<String>,
}

/// A criterion as the head of a column.
#[derive(Clone, Debug, Default)]
pub struct CriterionHead {
    /// The short name.
    pub short: String,
    /// The name.
    pub long: String,
    /// Whether its values are lists of numbers.
    pub list: bool,
    /// Its word, for addresses.
    pub word: &'static str,
}

/// A criterion's value.
#[derive(Clone, Debug, Default)]
pub struct ValueView {
    /// For people.
    pub printed: String,
    /// Exactly, where that differs.
    pub exact: Option<String>,
    /// Whether it is a list of numbers.
    pub list: bool,
    /// The word of the criterion, for addresses.
    pub word: &'static str,
}

/// One line.
#[derive(Clone, Debug, Default)]
pub struct StandingsRow {
    /// The place.
    pub place: String,
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
    /// The rounds.
    pub rounds: Vec<CellView>,
    /// The criteria.
    pub values: Vec<ValueView>,
}

/// The standings.
#[derive(Clone, Debug, Template)]
#[template(path = "public/standings.html")]
pub struct StandingsPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// After this round.
    pub after: u32,
    /// The heading.
    pub heading: String,
    /// Which results are missing.
    pub provisional: Option<String>,
    /// The rounds that can be asked for.
    pub after_choices: Vec<u32>,
    /// The rounds that have a column.
    pub rounds: Vec<u32>,
    /// The criteria that have a column.
    pub criteria: Vec<CriterionHead>,
    /// The lines.
    pub rows: Vec<StandingsRow>,
    /// The pages of the table, when it has more than one.
    pub pages: Vec<PageLink>,
    /// In which order the criteria decide.
    pub order_note: String,
    /// How unplayed games count.
    pub unplayed_note: String,
    /// What the marks in the cells mean.
    pub marks_note: String,
}

/// A place, with a sign where it is shared.
pub fn place(place: u32, shared: bool) -> String {
    if shared {
        format!("{place}=")
    } else {
        place.to_string()
    }
}

/// The boards that a table still waits for.
pub fn missing(t: Language, table: &Standings) -> Option<String> {
    if !table.is_provisional() {
        return None;
    }
    let count = table.pending.len();
    let boards = table
        .pending
        .iter()
        .take(12)
        .map(|board| t.with2("board-of-round", "round", board.round, "board", board.board));
    let mut boards = t.list(boards);
    if count > 12 {
        boards.push('…');
    }
    Some(t.with2("standings-missing", "count", count, "boards", boards))
}

/// How unplayed games count, as a sentence.
pub fn unplayed(t: Language, unplayed: Unplayed) -> String {
    t.say(match unplayed {
        Unplayed::Opponent => "unplayed-opponent",
        Unplayed::Virtual => "unplayed-virtual",
        Unplayed::Nothing => "unplayed-nothing",
    })
}

/// The round that is asked for, the last one when none is; nothing when there is no table after it.
/// What came before the first recorded round is carried over as a sum: there are no places after
/// the single rounds of it.
pub fn published_until(stage: &Stage, asked: Option<u32>) -> Option<u32> {
    let before = stage.first_round - 1;
    let last = stage.rounds.last().map_or(before, |round| round.round);
    let after = asked.unwrap_or(last);
    (before..=last).contains(&after).then_some(after)
}

/// Builds the page; nothing for a round that is not published.
pub fn view(visit: &Visit, event: &Event, asked: &Asked) -> Option<StandingsPage> {
    let t = visit.t;
    let stage: Stage = event.public_stage();
    let after = published_until(&stage, asked.after)?;
    let table = standings(&stage, after);
    let rounds: Vec<u32> = stage
        .rounds
        .iter()
        .map(|round| round.round)
        .filter(|round| *round <= after)
        .collect();
    let (shown, pages) = paged(table.rows.len(), asked.page, |page| {
        format!("/e/{}/standings?after={after}&page={page}", event.slug)
    });
    let rows = table.rows[shown]
        .iter()
        .map(|row| {
            let entry = stage.entry(row.number);
            StandingsRow {
                place: place(row.place, row.shared),
                number: row.number.get(),
                name: entry.map(|entry| entry.name.clone()).unwrap_or_default(),
                href: player_href(&event.slug, row.number),
                team: entry.and_then(|entry| entry.team.clone()).unwrap_or_default(),
                marks: entry.map(|entry| withdrawn(t, entry, after)).unwrap_or_default(),
                rounds: row.games.iter().map(|game| cell(t, &stage, game)).collect(),
                values: row
                    .values
                    .iter()
                    .zip(&table.criteria)
                    .map(|(value, criterion)| {
                        let printed = value.printed();
                        let exact = fraction(value);
                        ValueView {
                            word: criterion.as_str(),
                            printed,
                            exact,
                            list: is_list(*criterion),
                        }
                    })
                    .collect(),
            }
        })
        .collect();
    let complete = after >= stage.rounds_planned && !table.is_provisional();
    Some(StandingsPage {
        t,
        frame: visit.frame_of(event, "standings"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        after,
        heading: if complete {
            t.say("standings-final")
        } else if after == 0 {
            t.say("standings-before")
        } else {
            t.with("standings-after-round", "round", after)
        },
        provisional: missing(t, &table),
        after_choices: rounds_to(&stage),
        rounds,
        criteria: table
            .criteria
            .iter()
            .map(|criterion| CriterionHead {
                short: words::criterion_short(t, *criterion),
                long: words::criterion(t, *criterion),
                list: is_list(*criterion),
                word: criterion.as_str(),
            })
            .collect(),
        rows,
        pages,
        order_note: t.with(
            "standings-order",
            "criteria",
            t.list(
                table
                    .criteria
                    .iter()
                    .map(|criterion| words::criterion(t, *criterion)),
            ),
        ),
        unplayed_note: unplayed(t, table.unplayed),
        marks_note: t.say("cells-legend"),
    })
}

/// Whether the column of a criterion is of lists, which start at the left, or of numbers.
fn is_list(criterion: Criterion) -> bool {
    matches!(criterion, Criterion::BestBeaten | Criterion::RunningCut)
}

/// A withdrawal shows in the tables after its round and not in those before.
fn withdrawn(t: Language, entry: &tournament::Entry, after: u32) -> Vec<Mark> {
    match entry.withdrawn_after {
        Some(last) if last <= after => words::attendance(t, entry, last + 1),
        _ => Vec::new(),
    }
}

fn rounds_to(stage: &Stage) -> Vec<u32> {
    stage.rounds.iter().map(|round| round.round).collect()
}

/// The page.
///
/// # Errors
/// `not-found` for a round that is not published.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath(slug): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let event = event_of(&state, &visit, &slug).await?;
    page(&view(&visit, &event, &asked).ok_or_else(Error::not_found)?)
}
