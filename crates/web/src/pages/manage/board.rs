//! `/manage/e/{slug}/rounds/{n}/boards/{b}`: one result with its way, margin and warnings;
//! corrections with a reason.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use rules::Unit;
use store::events::{Event, RoundInfo, RoundStatus};
use store::results::{self as stored, ResultInput};
use tournament::{Board, By, Number, Outcome, Warnings};

use super::records::{self, RecordLine};
use super::results::{NigiriRow, had_black, later_warning};
use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Arbiter, InPath, ResultsReader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::public::game::path;
use crate::pages::tables::{Field, SeatView};
use crate::pages::{page, words};
use crate::state::AppState;

/// A result as it was typed.
#[derive(Clone, Debug, Default)]
pub struct BoardForm {
    /// The result's word, or nothing.
    pub result: String,
    /// The way's word, or nothing.
    pub by: String,
    /// The margin.
    pub margin: String,
    /// Warnings to Black.
    pub warnings_black: String,
    /// Warnings to White.
    pub warnings_white: String,
    /// Who had Black, where colours come from nigiri.
    pub had_black: String,
    /// Why.
    pub reason: String,
}

/// One board.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/board.html")]
pub struct BoardPage {
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
    /// The board.
    pub board: u32,
    /// Its version.
    pub version: i64,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// Who has Black.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// What is stored.
    pub stored_sentence: String,
    /// Whether there is a result already.
    pub corrected: bool,
    /// What a director should know.
    pub warnings: Vec<String>,
    /// The results: word and name.
    pub choices: Vec<(&'static str, String)>,
    /// The ways: word and name.
    pub ways: Vec<(&'static str, String)>,
    /// Whether it is not known who has Black.
    pub unknown: bool,
    /// Who may be said to have had Black.
    pub nigiri: Option<NigiriRow>,
    /// The margin with its unit.
    pub margin_label: String,
    /// What was typed.
    pub form: BoardForm,
    /// The board's page, with its game.
    pub game_href: String,
    /// The records that were brought for the game, the latest first.
    pub records: Vec<RecordLine>,
}

fn find(event: &Event, round: u32, board: u32) -> Result<(&Board, &RoundInfo)> {
    let info = event
        .round_info(round)
        .filter(|info| info.status == RoundStatus::Published)
        .ok_or_else(Error::not_found)?;
    event
        .stage
        .rounds
        .iter()
        .filter(|one| one.round == round)
        .flat_map(|one| &one.boards)
        .find(|one| one.board == board)
        .map(|board| (board, info))
        .ok_or_else(Error::not_found)
}

/// A result with its details, in words.
pub fn told_result(t: Language, unit: Unit, board: &Board) -> String {
    let result = match board.result {
        None => t.say("no-result"),
        Some(_) => words::result(t, board),
    };
    let details = words::result_details(t, unit, board);
    if details.is_empty() {
        result
    } else {
        t.with2("result-with-details", "result", result, "details", details)
    }
}

/// Builds the page.
///
/// # Errors
/// `not-found` for a board that is not published.
pub fn view(visit: &Visit, event: &Event, round: u32, number: u32) -> Result<BoardPage> {
    let t = visit.t;
    let (board, info) = find(event, round, number)?;
    let field = Field::before(t, &event.slug, &event.stage, round);
    let table = event
        .stage
        .rounds
        .iter()
        .find(|one| one.round == round)
        .ok_or_else(Error::not_found)?;
    let row = field
        .boards(table, event.rules.unit())
        .into_iter()
        .find(|row| row.board == number)
        .ok_or_else(Error::not_found)?;
    let nigiri = NigiriRow::of(t, event, board);
    let told = |outcome| match &nigiri {
        None => words::outcome(t, outcome),
        Some(_) => words::outcome_by_number(t, board, outcome),
    };
    let mut choices: Vec<(&'static str, String)> = Outcome::ALL
        .map(|outcome| (outcome.as_str(), told(outcome)))
        .to_vec();
    choices.push(("", t.say("no-result")));
    let count = |count: u8| {
        if count == 0 {
            String::new()
        } else {
            count.to_string()
        }
    };
    Ok(BoardPage {
        t,
        frame: visit.frame_of_round(event, "rounds", round),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round,
        board: number,
        version: info.board_version(number).unwrap_or(0),
        problem: None,
        black: row.black,
        white: row.white,
        stored_sentence: t.with(
            "stored-result",
            "result",
            told_result(t, event.rules.unit(), board),
        ),
        corrected: board.result.is_some(),
        warnings: later_warning(t, event, round).into_iter().collect(),
        choices,
        unknown: board.nigiri,
        nigiri: nigiri.clone(),
        ways: By::ALL.map(|way| (way.as_str(), words::by(t, way))).to_vec(),
        margin_label: t.say(match event.rules.unit() {
            Unit::Stones => "margin-in-stones",
            Unit::Points => "margin-in-points",
        }),
        form: BoardForm {
            result: board.result.map_or("", Outcome::as_str).to_owned(),
            by: board.by.map_or("", By::as_str).to_owned(),
            margin: board.margin.map(|margin| margin.to_string()).unwrap_or_default(),
            warnings_black: count(board.warnings.black),
            warnings_white: count(board.warnings.white),
            had_black: nigiri.map(|row| row.black).unwrap_or_default(),
            reason: String::new(),
        },
        game_href: path(&event.slug, round, number),
        records: Vec::new(),
    })
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    ResultsReader(_): ResultsReader,
    visit: Visit,
    InPath((slug, round, board)): InPath<(String, u32, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let mut view = view(&visit, &event, round, board)?;
    let kept = store::records::all_of_board(&mut tx, event.id, round, board).await?;
    view.records = records::lines(visit.t, &slug, round, board, &kept);
    page(&view)
}

fn wrong(code: &'static str, found: &str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
        .arg("found", found)
        .into()
}

fn warning_count(text: &str) -> Result<u8> {
    if text.is_empty() {
        Ok(0)
    } else {
        text.parse().map_err(|_| wrong("not-a-count", text))
    }
}

fn read(form: &BoardForm) -> Result<ResultInput> {
    let word = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let margin = form.margin.replace([',', '，'], ".");
    Ok(ResultInput {
        result: word(&form.result)
            .map(|word| word.parse::<Outcome>())
            .transpose()
            .map_err(|_| wrong("not-a-result", &form.result))?,
        by: word(&form.by)
            .map(|word| word.parse::<By>())
            .transpose()
            .map_err(|_| wrong("not-a-result", &form.by))?,
        margin: word(&margin)
            .map(|margin| margin.parse())
            .transpose()
            .map_err(|_| wrong("not-a-margin", &form.margin))?,
        warnings: Warnings {
            black: warning_count(&form.warnings_black)?,
            white: warning_count(&form.warnings_white)?,
        },
        black: None,
    })
}

/// Saves the result.
///
/// # Errors
/// `not-found`; what is wrong is told on the form.
pub async fn save(
    State(state): State<AppState>,
    Arbiter(actor): Arbiter,
    visit: Visit,
    InPath((slug, round, number)): InPath<(String, u32, u32)>,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let mut tx = state.store.begin().await?;
    let event = locked(&mut tx, &slug).await?;
    let (board, _) = find(&event, round, number)?;
    let unit = event.rules.unit();
    let before = told_result(t, unit, board);
    let corrected = board.result.is_some();
    let form = BoardForm {
        result: fields.get("result").to_owned(),
        by: fields.get("by").to_owned(),
        margin: fields.get("margin").to_owned(),
        warnings_black: fields.get("warnings_black").to_owned(),
        warnings_white: fields.get("warnings_white").to_owned(),
        had_black: fields.get("had_black").to_owned(),
        reason: fields.get("reason").to_owned(),
    };
    let reason = fields.some("reason");
    let change = change(&state, &actor, reason.as_deref());
    let black = form
        .had_black
        .parse()
        .ok()
        .and_then(Number::new)
        .filter(|number| board.nigiri || *number != board.black);
    let put = match read(&form).map(|input| had_black(board, input, black)) {
        Ok(input) => stored::put(&mut tx, &change, event.id, round, number, fields.version(), input)
            .await
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    match put {
        Ok(saved) => {
            tx.commit().await?;
            let after = told_result(t, unit, &saved.board);
            let mut sentence = if !saved.changed {
                t.with("done-result-same", "board", number)
            } else if corrected {
                t.tell(
                    "done-result-corrected",
                    &[
                        ("board", number.into()),
                        ("before", before.into()),
                        ("after", after.into()),
                    ],
                )
            } else {
                t.with2("done-result", "board", number, "result", after)
            };
            if !saved.later_rounds.is_empty() {
                let rounds = t.list(saved.later_rounds.iter().map(ToString::to_string));
                sentence = format!("{sentence} {}", t.with("later-rounds-stay", "rounds", rounds));
            }
            Ok(done(
                &format!("/manage/e/{slug}/rounds/{round}/results#board-{number}"),
                &sentence,
            ))
        }
        Err(error) => {
            let problem = Some(told(error, t)?);
            refused(&BoardPage {
                problem,
                form,
                ..view(&visit, &event, round, number)?
            })
        }
    }
}
