//! `GET /e/{slug}/players/{number}`: one player's games, colours, sums and next board.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use store::events::Event;
use tournament::standings::{Row, standings};
use tournament::tally::Kind;
use tournament::{Number, Side, Stage};

use super::game;
use super::standings::place;
use crate::errors::{Error, Result};
use crate::extract::InPath;
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::tables::{Field, SeatOf};
use crate::pages::words::{self, Fact, Mark};
use crate::pages::{event_in, page};
use crate::state::AppState;

/// Where the player has to be now.
#[derive(Clone, Debug, Default)]
pub struct PlayerNow {
    /// The round.
    pub round: u32,
    /// The board.
    pub seat: Option<SeatOf>,
    /// 轮空 and the like, without a board.
    pub words: String,
}

/// One round of the player.
#[derive(Clone, Debug, Default)]
pub struct GameLine {
    /// The round.
    pub round: u32,
    /// Its table.
    pub round_href: String,
    /// The board.
    pub seat: Option<SeatOf>,
    /// Whether the result is missing.
    pub open: bool,
    /// The result.
    pub words: String,
    /// Points from this round.
    pub points: String,
    /// The score after it.
    pub score_after: String,
    /// The board's page, when there is a record of the game.
    pub record_href: Option<String>,
}

/// The page of a player.
#[derive(Clone, Debug, Template)]
#[template(path = "public/player.html")]
pub struct PlayerPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// Withdrawn, sitting out.
    pub marks: Vec<Mark>,
    /// Who the player is and where he or she stands.
    pub facts: Vec<Fact>,
    /// Where the player has to be now.
    pub now: Option<PlayerNow>,
    /// The rounds.
    pub games: Vec<GameLine>,
    /// Where a director changes the entry.
    pub edit_href: Option<String>,
}

fn facts(
    t: Language,
    stage: &Stage,
    number: Number,
    row: &Row,
    criteria: &[tournament::Criterion],
) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Some(entry) = stage.entry(number) {
        facts.extend(entry.team.as_ref().map(|team| Fact::new(t.say("col-team"), team)));
        facts.extend(
            entry
                .grade
                .map(|grade| Fact::new(t.say("col-grade"), words::grade(t, grade))),
        );
        facts.extend(entry.rating.map(|rating| Fact::new(t.say("col-rating"), rating)));
        facts.extend(
            entry
                .category
                .as_ref()
                .map(|category| Fact::new(t.say("col-category"), category)),
        );
        if let Some(carried) = &entry.carried {
            facts.push(Fact::new(t.say("carried-score"), carried.score));
        } else if entry.start_score.0 != 0 {
            facts.push(Fact::new(t.say("start-score"), entry.start_score));
        }
    }
    facts.push(Fact::new(t.say("col-place"), place(row.place, row.shared)));
    for (criterion, value) in criteria.iter().zip(&row.values) {
        facts.push(Fact::new(words::criterion(t, *criterion), value.printed()));
    }
    let colours = |side| row.games.iter().filter(|game| game.colour == Some(side)).count();
    let (black, white) = (colours(Side::Black), colours(Side::White));
    facts.push(Fact::new(
        t.say("colours-so-far"),
        t.with2("colours-counted", "black", black, "white", white),
    ));
    facts
}

/// Builds the page; nothing for a number that no entry has.
pub fn view(visit: &Visit, event: &Event, number: Number) -> Option<PlayerPage> {
    let t = visit.t;
    let stage = event.public_stage();
    let entry = stage.entry(number)?;
    let last = stage
        .rounds
        .last()
        .map_or(stage.first_round - 1, |round| round.round);
    let table = standings(&stage, last);
    let row = table.row(number)?;
    let field = Field::before(t, &event.slug, &stage, last);
    let now = stage.rounds.last().and_then(|round| {
        let running = round.pending().next().is_some();
        let seat = round.board_of(number).filter(|(board, _)| board.result.is_none());
        match seat {
            Some(_) => Some(PlayerNow {
                round: round.round,
                seat: field.seat_of(round, number),
                words: String::new(),
            }),
            None if running && round.board_of(number).is_none() => Some(PlayerNow {
                round: round.round,
                seat: None,
                words: field.without_seat(round, number),
            }),
            None => None,
        }
    });
    let games = row
        .games
        .iter()
        .zip(&row.running)
        .filter_map(|(game, running)| {
            let round = stage.rounds.iter().find(|round| round.round == game.round)?;
            let board = round.board_of(number).map(|(board, _)| board);
            let details = board.map(|board| words::result_details(t, event.rules.unit(), board));
            let told = match game.kind {
                Kind::Absent => field.without_seat(round, number),
                _ => words::played(t, game),
            };
            let told = match details {
                Some(details) if !details.is_empty() => {
                    t.with2("result-with-details", "result", told, "details", details)
                }
                _ => told,
            };
            Some(GameLine {
                round: game.round,
                round_href: format!("/e/{}/rounds/{}", event.slug, game.round),
                seat: field.seat_of(round, number),
                open: game.kind == Kind::Pending,
                words: told,
                points: if game.kind == Kind::Pending {
                    "–".to_owned()
                } else {
                    game.points.to_string()
                },
                score_after: running.to_string(),
                record_href: None,
            })
        })
        .collect();
    Some(PlayerPage {
        t,
        frame: visit.frame_of(event, "player"),
        event_name: event.name.clone(),
        number: number.get(),
        name: entry.name.clone(),
        marks: words::attendance(t, entry, last + 1),
        facts: facts(t, &stage, number, row, &table.criteria),
        now,
        games,
        edit_href: visit
            .directs()
            .then(|| format!("/manage/e/{}/entries/{number}", event.slug)),
    })
}

/// The page.
///
/// # Errors
/// `not-found` for an unknown event or number.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, number)): InPath<(String, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let number = Number::new(number).ok_or_else(Error::not_found)?;
    let mut view = view(&visit, &event, number).ok_or_else(Error::not_found)?;
    let records = store::records::all_with_records(&mut tx, event.id).await?;
    for line in &mut view.games {
        let board = line.seat.as_ref().map(|seat| seat.board);
        let board = board.filter(|board| records.contains(&(line.round, *board)));
        line.record_href = board.map(|board| game::path(&slug, line.round, board));
    }
    page(&view)
}
