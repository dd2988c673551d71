//! `GET /e/{slug}/screen`: what a projector shows. The pairing by board and by name, the standings
//! once a round is complete, and a draw of numbers, in pages that follow one another by themselves.
//!
//! Each page is an address of its own (`?page=`), and without scripts leads to the next one after
//! [`TURN`] seconds. It is what everybody may see, whoever opens it: people look over the shoulder
//! of a projector.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;
use store::draws;
use store::events::{Event, RoundInfo};
use tournament::draw::Decides;
use tournament::standings::standings;
use tournament::{Round, Stage};
use unicode_width::UnicodeWidthStr as _;

use super::round::published;
use super::standings::place;
use crate::errors::{Error, Result};
use crate::extract::{Caller, InPath, InQuery, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit, encoded};
use crate::pages::tables::{BoardRow, BoardlessRow, Field, NameRow};
use crate::pages::{event_in, page, words};
use crate::state::AppState;

/// Seconds until the next page comes.
pub const TURN: u32 = 12;
/// The most boards on one page: two columns of fourteen, or one of twenty-eight on a tall screen.
const BOARDS: usize = 28;
/// The most names on one page: three columns of fourteen.
const NAMES: usize = 42;
/// The most places on one page: two columns of fourteen.
const PLACES: usize = 28;

/// What the screen is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// `board`, `name`, `standings` or `draw`; everything that fits the moment without it.
    #[serde(default)]
    pub show: String,
    /// The page, 1 for the first; after the last one the first comes again.
    pub page: Option<usize>,
}

/// A line of the standings, with what counts most.
#[derive(Clone, Debug, Default)]
pub struct PlaceRow {
    /// The place.
    pub place: String,
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// How small the name has to be.
    pub size: &'static str,
    /// The first criterion, and the second.
    pub values: Vec<String>,
}

/// A board with the sizes of its names.
#[derive(Clone, Debug, Default)]
pub struct BoardLine {
    /// The board.
    pub row: BoardRow,
    /// How small the name of Black has to be.
    pub black_size: &'static str,
    /// How small the name of White has to be.
    pub white_size: &'static str,
}

/// A name with its size.
#[derive(Clone, Debug, Default)]
pub struct NameLine {
    /// The name and where it sits.
    pub row: NameRow,
    /// How small the name has to be.
    pub size: &'static str,
}

/// Somebody without a board, with the size of the name.
#[derive(Clone, Debug, Default)]
pub struct BoardlessLine {
    /// Who, and why.
    pub row: BoardlessRow,
    /// How small the name has to be.
    pub size: &'static str,
}

/// A number that was drawn.
#[derive(Clone, Debug, Default)]
pub struct DrawnLine {
    /// The number.
    pub number: String,
    /// Whose it is.
    pub name: String,
    /// How small the name has to be.
    pub size: &'static str,
}

/// What one page shows.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// Boards, and at the end those without one.
    Boards(Vec<BoardLine>, Vec<BoardlessLine>),
    /// Names.
    Names(Vec<NameLine>),
    /// Places, under the short names of the first criteria.
    Places(Vec<String>, Vec<PlaceRow>),
    /// Numbers as they were drawn.
    Drawn(Vec<DrawnLine>),
    /// Nothing is published yet.
    Waiting,
}

/// When something will happen that was announced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Announced {
    /// What, and when, with the zone.
    pub sentence: String,
    /// The moment, for the script that counts down.
    pub at: String,
}

/// The screen.
#[derive(Clone, Debug, Template)]
#[template(path = "public/screen.html")]
pub struct ScreenPage {
    /// The language.
    pub t: Language,
    /// Around the page; only addresses of files are used.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// What the page shows.
    pub heading: String,
    /// Which edition of the table, published when.
    pub edition: String,
    /// Said when results that the pairing was made on are other ones now, or some are missing.
    pub note: Option<String>,
    /// What was announced for a moment.
    pub announced: Option<Announced>,
    /// Whether colours come from nigiri.
    pub nigiri: bool,
    /// What is shown.
    pub leaf: Leaf,
    /// The page, 1 for the first.
    pub here: usize,
    /// How many there are.
    pub pages: usize,
    /// The page before.
    pub back_href: String,
    /// The page after; it comes by itself.
    pub next_href: String,
    /// The first page, for what is shown from the beginning.
    pub first_href: String,
    /// Seconds until the next page comes.
    pub turn: u32,
    /// Where changes are told as they come.
    pub stream_href: String,
    /// What can be chosen to be shown: address, word, whether it is.
    pub choices: Vec<(String, String, bool)>,
    /// The code that leads to "where do I play?".
    pub code: String,
}

/// How small a name has to be to stay whole in `room` half-width characters: nothing, `long` or
/// `longer`.
fn size(name: &str, room: usize) -> &'static str {
    match name.width() {
        width if width <= room => "",
        width if width <= room * 2 => "long",
        _ => "longer",
    }
}

/// A code that leads to an address, as SVG, black on white in every mode: readers want it so.
///
/// # Errors
/// When the address is too long for a code.
pub fn code(address: &str) -> Result<String> {
    let code =
        qrcode::QrCode::with_error_correction_level(address, qrcode::EcLevel::M).map_err(Error::internal)?;
    let svg = code
        .render::<qrcode::render::svg::Color>()
        .module_dimensions(1, 1)
        .build();
    // In a page the drawing needs no declaration, and takes the size that the styles give it.
    let start = svg.find("<svg").unwrap_or_default();
    Ok(svg[start..].replacen("<svg ", "<svg class=\"code\" aria-hidden=\"true\" ", 1))
}

/// The address under which the public reaches this server: the operator's, or the one asked under.
pub fn base(state: &AppState, peer: &Peer, headers: &HeaderMap) -> String {
    if let Some(base) = &state.config.base_url {
        return base.trim_end_matches('/').to_owned();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let scheme = if peer.https { "https" } else { "http" };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

/// The address of "where do I play?", in characters that every reader of codes understands.
pub fn find_address(base: &str, slug: &str) -> String {
    format!("{base}/e/{}/find", encoded(slug))
}

fn boards(t: Language, event: &Event, stage: &Stage, round: &Round) -> Vec<Leaf> {
    let field = Field::before(t, &event.slug, stage, round.round);
    let mut lines: Vec<BoardLine> = field
        .boards(round, event.rules.unit())
        .into_iter()
        .map(|row| BoardLine {
            black_size: size(&row.black.name, 12),
            white_size: size(&row.white.name, 12),
            row,
        })
        .collect();
    let mut without: Vec<BoardlessLine> = field
        .without_board(round)
        .into_iter()
        .map(|row| BoardlessLine {
            size: size(&row.name, 12),
            row,
        })
        .collect();
    let mut leaves = Vec::new();
    while !lines.is_empty() || !without.is_empty() {
        let rest = lines.split_off(lines.len().min(BOARDS));
        let room = BOARDS - lines.len();
        let later = without.split_off(if rest.is_empty() {
            without.len().min(room)
        } else {
            0
        });
        leaves.push(Leaf::Boards(lines, without));
        (lines, without) = (rest, later);
    }
    leaves
}

fn names(t: Language, event: &Event, stage: &Stage, round: &Round) -> Vec<Leaf> {
    let field = Field::before(t, &event.slug, stage, round.round);
    let lines: Vec<NameLine> = field
        .by_name(round)
        .into_iter()
        .map(|row| NameLine {
            size: size(&row.name, 14),
            row,
        })
        .collect();
    lines
        .chunks(NAMES)
        .map(|lines| Leaf::Names(lines.to_vec()))
        .collect()
}

fn places(t: Language, stage: &Stage, after: u32) -> Vec<Leaf> {
    let table = standings(stage, after);
    let heads: Vec<String> = table
        .criteria
        .iter()
        .take(2)
        .map(|criterion| words::criterion_short(t, *criterion))
        .collect();
    let rows: Vec<PlaceRow> = table
        .rows
        .iter()
        .map(|row| {
            let name = stage
                .entry(row.number)
                .map(|entry| entry.name.clone())
                .unwrap_or_default();
            PlaceRow {
                place: place(row.place, row.shared),
                number: row.number.get(),
                size: size(&name, 16),
                name,
                values: row
                    .values
                    .iter()
                    .take(2)
                    .map(tournament::standings::Value::printed)
                    .collect(),
            }
        })
        .collect();
    rows.chunks(PLACES)
        .map(|rows| Leaf::Places(heads.clone(), rows.to_vec()))
        .collect()
}

fn drawn(file: Option<&Value>) -> Vec<Leaf> {
    let entries = file.and_then(|file| file["entries"].as_array());
    let mut lines: Vec<(i64, String)> = entries
        .into_iter()
        .flatten()
        .map(|entry| {
            let name = entry["name"].as_str().unwrap_or_default();
            (entry["number"].as_i64().unwrap_or_default(), name.to_owned())
        })
        .collect();
    lines.sort();
    let lines: Vec<DrawnLine> = lines
        .into_iter()
        .map(|(number, name)| DrawnLine {
            number: number.to_string(),
            size: size(&name, 14),
            name,
        })
        .collect();
    lines
        .chunks(NAMES)
        .map(|lines| Leaf::Drawn(lines.to_vec()))
        .collect()
}

/// What was announced for a moment still to come: that a round will be published, of which the
/// time is said and nothing else, or that one begins.
fn announced(t: Language, event: &Event, now: DateTime<Utc>) -> Option<Announced> {
    let told = |key: &str, round: u32, at: DateTime<Utc>| Announced {
        sentence: t.with2(
            key,
            "round",
            round,
            "at",
            words::moment_of(t, &event.schedule, at),
        ),
        at: at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
    };
    let published = event
        .draft()
        .and_then(|draft| Some((draft.round, draft.publish_at?)));
    if let Some((round, at)) = published {
        return Some(told("screen-publishes", round, at));
    }
    let last = event
        .last_published()
        .map_or(event.stage.first_round - 1, |info| info.round);
    (last..=event.stage.rounds_planned).find_map(|round| {
        let at = event.schedule.start_of(round)?.to_utc();
        (at > now).then(|| told("screen-starts", round, at))
    })
}

/// Whether the numbers of the event were drawn.
pub fn has_draw(event: &Event) -> bool {
    event
        .draws
        .iter()
        .any(|draw| draw.decides == Decides::Numbers && draw.is_drawn())
}

/// Which pages there are: each with its heading.
fn leaves(
    t: Language,
    event: &Event,
    stage: &Stage,
    show: &str,
    file: Option<&Value>,
) -> Vec<(String, Leaf)> {
    let headed = |heading: String, leaves: Vec<Leaf>| {
        leaves
            .into_iter()
            .map(move |leaf| (heading.clone(), leaf))
            .collect::<Vec<_>>()
    };
    let last = stage.rounds.last();
    let complete = last.is_some_and(|round| round.pending().next().is_none());
    let by_board = || {
        last.map_or_else(Vec::new, |round| {
            headed(
                t.with("pairing-of-round", "round", round.round),
                boards(t, event, stage, round),
            )
        })
    };
    let by_name = || {
        last.map_or_else(Vec::new, |round| {
            headed(
                t.with("screen-by-name", "round", round.round),
                names(t, event, stage, round),
            )
        })
    };
    let in_places = || {
        last.map_or_else(Vec::new, |round| {
            let heading = if complete && round.round >= stage.rounds_planned {
                t.say("standings-final")
            } else {
                t.with("standings-after-round", "round", round.round)
            };
            headed(heading, places(t, stage, round.round))
        })
    };
    let numbers = || headed(t.say("draw-title-numbers"), drawn(file));
    let mut leaves = match show {
        "board" => by_board(),
        "name" => by_name(),
        "standings" => in_places(),
        "draw" => numbers(),
        _ if complete => in_places(),
        _ if last.is_none() => numbers(),
        _ => by_board().into_iter().chain(by_name()).collect(),
    };
    if leaves.is_empty() {
        leaves.push((t.say("event-no-rounds"), Leaf::Waiting));
    }
    leaves
}

fn href(slug: &str, show: &str, page: usize) -> String {
    let mut href = format!("/e/{slug}/screen?page={page}");
    if !show.is_empty() {
        href.push_str("&show=");
        href.push_str(show);
    }
    href
}

/// Builds the page. `file` is the draw file of the numbers, where it is needed; `code` the code
/// that leads to "where do I play?".
pub fn view(
    visit: &Visit,
    event: &Event,
    asked: &Asked,
    file: Option<&Value>,
    code: String,
    now: DateTime<Utc>,
) -> ScreenPage {
    let t = visit.t;
    let stage = event.public_stage();
    let show = match asked.show.as_str() {
        known @ ("board" | "name" | "standings" | "draw") => known,
        _ => "",
    };
    let mut leaves = leaves(t, event, &stage, show, file);
    let pages = leaves.len();
    let here = asked.page.unwrap_or(1).saturating_sub(1) % pages;
    let (heading, leaf) = leaves.swap_remove(here);
    let slug = event.slug.as_str();
    let info: Option<&RoundInfo> = event.last_published();
    let of_round = matches!(leaf, Leaf::Boards(..) | Leaf::Names(_));
    let missing = || super::standings::missing(t, &standings(&stage, info.map_or(0, |info| info.round)));
    let mut choices = vec![("", "screen-everything")];
    if info.is_some() {
        choices.extend([
            ("board", "by-board"),
            ("name", "by-name"),
            ("standings", "tab-standings"),
        ]);
    }
    if has_draw(event) {
        choices.push(("draw", "draw-title-numbers"));
    }
    ScreenPage {
        t,
        frame: visit.frame(),
        event_name: event.name.clone(),
        heading,
        edition: info
            .filter(|_| of_round)
            .map(|info| published(t, &event.schedule, info))
            .unwrap_or_default(),
        note: match leaf {
            Leaf::Boards(..) | Leaf::Names(_) => info.and_then(|info| super::round::earlier_results(t, info)),
            Leaf::Places(..) => missing(),
            _ => None,
        },
        announced: announced(t, event, now),
        nigiri: stage
            .rounds
            .last()
            .is_some_and(|round| round.boards.iter().any(|board| board.nigiri)),
        leaf,
        here: here + 1,
        pages,
        back_href: href(slug, show, if here == 0 { pages } else { here }),
        next_href: href(slug, show, if here + 1 == pages { 1 } else { here + 2 }),
        first_href: href(slug, show, 1),
        turn: TURN,
        stream_href: format!("/api/v1/events/{}/stream", encoded(slug)),
        choices: choices
            .into_iter()
            .map(|(word, key)| (href(slug, word, 1), t.say(key), word == show))
            .collect(),
        code,
    }
}

/// The page.
///
/// # Errors
/// `not-found` for an unknown event.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    peer: Peer,
    headers: HeaderMap,
    InPath(slug): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    // Whoever opens it, the hall looks at it: names that are withheld stay so. A hidden event is
    // there for its own people only, as everywhere.
    let eyes = Visit {
        caller: Caller::outside_of_events(None).reading(visit.t),
        ..visit.clone()
    };
    let event = match event_in(&mut tx, &eyes, &slug).await {
        Ok(event) => event,
        Err(_) => event_in(&mut tx, &visit, &slug).await?,
    };
    let wanted = asked.show == "draw" || (asked.show.is_empty() && event.last_published().is_none());
    let file: Option<Value> = if wanted && has_draw(&event) {
        let text = draws::file(&mut tx, &event, Decides::Numbers).await?;
        Some(serde_json::from_str(&text).map_err(Error::internal)?)
    } else {
        None
    };
    let code = code(&find_address(&base(&state, &peer, &headers), &event.slug))?;
    page(&view(
        &visit,
        &event,
        &asked,
        file.as_ref(),
        code,
        state.clock.now(),
    ))
}
