//! `GET /e/{slug}/rounds/{n}`: the pairing table, by board or by name.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use store::Schedule;
use store::editions::{self, Replaced};
use store::events::{Event, RoundInfo};
use tournament::draw::Decides;

use super::{draw, game, withdrawn};
use crate::errors::{Error, Result};
use crate::extract::{InPath, InQuery};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit, encoded};
use crate::pages::search::matches;
use crate::pages::tables::{BoardRow, BoardlessRow, Field, NameRow};
use crate::pages::{event_in, page, words};
use crate::state::AppState;

/// How the table is asked for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// `name` for the table by name.
    #[serde(default)]
    pub by: String,
    /// Who is looked for.
    #[serde(default)]
    pub q: String,
    /// An earlier edition of the table; the one that counts without it.
    pub edition: Option<u32>,
}

/// The pairing table of a round.
#[derive(Clone, Debug, Template)]
#[template(path = "public/round.html")]
#[expect(clippy::struct_excessive_bools, reason = "what a template asks is yes or no")]
pub struct RoundPage {
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
    /// Which edition of the table, published when.
    pub published: String,
    /// Said of a table that was replaced: when, why, and that it counts no more.
    pub replaced: Option<String>,
    /// The other editions of the table, with their addresses.
    pub editions: Vec<(String, String)>,
    /// Said when results that the pairing was made on are other ones now.
    pub earlier_results_note: Option<String>,
    /// Whether the table is by name.
    pub by_name: bool,
    /// The address by board.
    pub by_board_href: String,
    /// The address by name.
    pub by_name_href: String,
    /// The address without a search.
    pub all_href: String,
    /// What is looked for.
    pub query: String,
    /// Whether nobody fits.
    pub nothing_found: bool,
    /// Whether colours come from nigiri.
    pub nigiri: bool,
    /// The boards.
    pub rows: Vec<BoardRow>,
    /// Byes, then the absent.
    pub without_board: Vec<BoardlessRow>,
    /// The table by name.
    pub name_rows: Vec<NameRow>,
    /// Where the tables of this round are that were published and withdrawn.
    pub withdrawn: Option<(String, String)>,
    /// All published rounds.
    pub rounds: Vec<u32>,
    /// Where the draw of this round is explained, and what is promised for the next one.
    pub draws: Vec<(String, String)>,
    /// Where a director enters results.
    pub results_href: Option<String>,
    /// Whether players can hand in results of the round now.
    pub hands_in: bool,
}

/// Which edition of the table this is, published when.
pub fn published(t: Language, schedule: &Schedule, info: &RoundInfo) -> String {
    match info.published_at {
        Some(at) => t.with2(
            "published-edition",
            "edition",
            info.edition,
            "at",
            words::moment_of(t, schedule, at),
        ),
        None => t.with("edition", "edition", info.edition),
    }
}

/// The sentence on a pairing that was made on results which are other ones now.
pub fn earlier_results(t: Language, info: &RoundInfo) -> Option<String> {
    if !info.made_on_earlier_results {
        return None;
    }
    let boards = t.list(
        info.earlier_results
            .iter()
            .map(|earlier| t.with2("board-of-round", "round", earlier.round, "board", earlier.board)),
    );
    Some(t.with("made-on-earlier-results", "boards", boards))
}

/// The pages of this round's draw and, beside the last round, of the next one where it is promised.
fn draw_links(t: Language, event: &Event, number: u32) -> Vec<(String, String)> {
    let this = draw::href(&event.slug, Decides::Round(number));
    let next = draw::href(&event.slug, Decides::Round(number + 1));
    let last = event.last_published().is_some_and(|last| last.round == number);
    let all = draw::links(t, event).into_iter();
    all.filter(|(href, _)| *href == this || (last && *href == next))
        .collect()
}

/// Says of a table that it was replaced, when, and why.
fn replaced_sentence(t: Language, event: &Event, old: &Replaced) -> String {
    let at = words::moment_of(t, &event.schedule, old.at);
    let sentence = t.with2("edition-replaced", "edition", old.edition, "at", at);
    match &old.reason {
        Some(reason) => t.with2(
            "sentence-and-reason",
            "sentence",
            sentence,
            "reason",
            reason.as_str(),
        ),
        None => sentence,
    }
}

/// The other editions of a table: what to call them, and where they are.
fn other_editions(
    t: Language,
    path: &str,
    last: u32,
    shown: Option<u32>,
    replaced: &[Replaced],
) -> Vec<(String, String)> {
    let newest = shown
        .is_some()
        .then(|| (t.with("edition-that-counts", "edition", last), path.to_owned()));
    let older = replaced.iter().filter(|old| shown != Some(old.edition));
    let older = older.map(|old| {
        let name = t.with("edition", "edition", old.edition);
        (name, format!("{path}?edition={}", old.edition))
    });
    newest.into_iter().chain(older).collect()
}

/// Builds the page; nothing for a round that is not published, or an edition that there is not.
/// `replaced` are the tables that were public before.
pub fn view(
    visit: &Visit,
    event: &Event,
    number: u32,
    asked: &Asked,
    replaced: &[Replaced],
) -> Option<RoundPage> {
    let t = visit.t;
    let stage = event.public_stage();
    let round = stage.rounds.iter().find(|round| round.round == number)?;
    let info = event.round_info(number)?;
    let old = match asked.edition.filter(|edition| *edition != info.edition) {
        Some(edition) => Some(replaced.iter().find(|old| old.edition == edition)?),
        None => None,
    };
    let round = old.map_or(round, |old| &old.table);
    let field = Field::before(t, &event.slug, &stage, number);
    let by_name = asked.by == "name";
    let (mut rows, mut without_board, mut name_rows) = if by_name {
        (Vec::new(), Vec::new(), field.by_name(round))
    } else {
        (
            field.boards(round, event.rules.unit()),
            field.without_board(round),
            Vec::new(),
        )
    };
    let query = asked.q.trim().to_owned();
    if !query.is_empty() {
        rows.retain(|row| matches(&query, &row.search));
        without_board.retain(|row| matches(&query, &row.search));
        name_rows.retain(|row| matches(&query, &row.search));
    }
    let path = format!("/e/{}/rounds/{number}", event.slug);
    let search = if query.is_empty() {
        String::new()
    } else {
        format!("q={}", encoded(&query))
    };
    Some(RoundPage {
        t,
        frame: visit.frame_of_round(event, "pairings", number),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round: number,
        published: match old {
            Some(old) => t.with("edition", "edition", old.edition),
            None => published(t, &event.schedule, info),
        },
        replaced: match (old, replaced.first()) {
            (Some(old), _) => Some(replaced_sentence(t, event, old)),
            (None, Some(last)) => Some(replaced_sentence(t, event, last)),
            (None, None) => None,
        },
        editions: other_editions(t, &path, info.edition, old.map(|old| old.edition), replaced),
        earlier_results_note: earlier_results(t, info).filter(|_| old.is_none()),
        by_name,
        by_board_href: if search.is_empty() {
            path.clone()
        } else {
            format!("{path}?{search}")
        },
        by_name_href: if search.is_empty() {
            format!("{path}?by=name")
        } else {
            format!("{path}?by=name&{search}")
        },
        all_href: if by_name { format!("{path}?by=name") } else { path },
        nothing_found: !query.is_empty()
            && rows.is_empty()
            && without_board.is_empty()
            && name_rows.is_empty(),
        query,
        nigiri: round.boards.iter().any(|board| board.nigiri),
        rows,
        without_board,
        name_rows,
        withdrawn: None,
        rounds: stage.rounds.iter().map(|round| round.round).collect(),
        draws: draw_links(t, event, number),
        hands_in: false,
        results_href: visit
            .caller
            .enters_results()
            .then(|| format!("/manage/e/{}/rounds/{number}/results", event.slug)),
    })
}

/// The page.
///
/// # Errors
/// `not-found` for what is not published, exactly as for what does not exist.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let replaced = editions::replaced(&mut tx, &event, round).await?;
    let mut view = view(&visit, &event, round, &asked, &replaced).ok_or_else(Error::not_found)?;
    if asked
        .edition
        .is_some_and(|edition| replaced.iter().any(|old| old.edition == edition))
    {
        return page(&view);
    }
    if store::log::withdrawn_rounds(&mut tx, &event)
        .await?
        .contains(&round)
    {
        view.withdrawn = Some(withdrawn::link(visit.t, &slug, round));
    }
    let last = event.last_published().is_some_and(|info| info.round == round);
    view.hands_in = last && super::event::hands_in(&mut tx, &event).await?;
    let records = store::records::boards_with_records(&mut tx, event.id, round).await?;
    for row in view.rows.iter_mut().filter(|row| records.contains(&row.board)) {
        row.record_href = Some(game::path(&slug, round, row.board));
    }
    page(&view)
}
