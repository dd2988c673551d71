//! `/manage/e/{slug}/rounds/{n}/boards/{b}`: one result with its way, margin and warnings;
//! corrections with a reason and with what they change in the standings; rulings as directors say them.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use rules::Unit;
use store::events::{Event, RoundInfo, RoundStatus};
use store::log::Filter;
use store::reports::{self, Reported};
use store::results::{self as stored, BoardResult, ResultInput};
use store::{Change, Paging, Tx};
use tournament::{Board, By, Number, Outcome, Stage, Warnings};

use super::log::LogLine;
use super::preview::{Changes, Preview};
use super::records::{self, RecordLine};
use super::results::{NigiriRow, had_black, later_rounds, later_warning};
use super::ruling::Ruling;
use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Arbiter, InPath, ResultsReader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::public::game::path;
use crate::pages::tables::{Field, SeatView};
use crate::pages::{page, words};
use crate::results::{Hand, clearing};
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
    /// The article of a ruling, where it is another than usual.
    pub article: String,
    /// The remark with a ruling.
    pub remark: String,
}

impl BoardForm {
    fn sent(fields: &Fields) -> Self {
        let field = |name: &str| fields.get(name).to_owned();
        Self {
            result: field("result"),
            by: field("by"),
            margin: field("margin"),
            warnings_black: field("warnings_black"),
            warnings_white: field("warnings_white"),
            had_black: field("had_black"),
            reason: field("reason"),
            article: field("article"),
            remark: field("remark"),
        }
    }
}

/// Rulings of one kind.
#[derive(Clone, Debug, Default)]
pub struct RulingRow {
    /// What is ruled.
    pub name: String,
    /// What follows.
    pub hint: String,
    /// The buttons: word and name.
    pub choices: Vec<(&'static str, String)>,
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
    /// What can be ruled.
    pub rulings: Vec<RulingRow>,
    /// What a result would change, while that is looked at.
    pub preview: Option<Preview>,
    /// What was done at the board, the latest first.
    pub acts: Vec<LogLine>,
}

/// What can be ruled at a board: each kind once, with a button for each of the two.
fn rulings(t: Language, stage: &Stage, board: &Board) -> Vec<RulingRow> {
    let mut rows: Vec<(&'static str, RulingRow)> = Vec::new();
    for ruling in Ruling::ALL {
        let name = match ruling.side() {
            Some(side) => t.with(
                &format!("{}.button", ruling.key()),
                "player",
                words::person(t, stage, board.on(side)),
            ),
            None => t.say(&format!("{}.button", ruling.key())),
        };
        let choice = (ruling.word(), name);
        match rows.last_mut().filter(|(key, _)| *key == ruling.key()) {
            Some((_, row)) => row.choices.push(choice),
            None => rows.push((
                ruling.key(),
                RulingRow {
                    name: t.say(ruling.key()),
                    hint: t.say(&format!("{}.hint", ruling.key())),
                    choices: vec![choice],
                },
            )),
        }
    }
    rows.into_iter().map(|(_, row)| row).collect()
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
            ..BoardForm::default()
        },
        game_href: path(&event.slug, round, number),
        records: Vec::new(),
        rulings: rulings(t, &event.stage, board),
        preview: None,
        acts: Vec::new(),
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
    shown(&mut tx, &visit, &event, (round, board), None, None, None).await
}

/// The page with all that belongs to it: the records of the game, and what was done at the board.
async fn shown(
    tx: &mut Tx,
    visit: &Visit,
    event: &Event,
    (round, number): (u32, u32),
    form: Option<BoardForm>,
    problem: Option<ProblemView>,
    preview: Option<Preview>,
) -> Result<Response> {
    let mut view = view(visit, event, round, number)?;
    let kept = store::records::all_of_board(tx, event.id, round, number).await?;
    view.records = records::lines(visit.t, event, round, number, &kept);
    if visit.caller.sees_all() {
        let asked = Filter {
            round: Some(round),
            board: Some(number),
            ..Filter::default()
        };
        let acts = store::log::list(tx, event, asked, Paging { offset: 0, limit: 20 }).await?;
        let told = super::log::view(
            visit,
            event,
            &acts.items,
            false,
            None,
            &super::log::Asked::default(),
        );
        view.acts = told.lines;
    }
    view.form = form.unwrap_or(view.form);
    view.preview = preview;
    view.problem = problem;
    if view.problem.is_some() {
        refused(&view)
    } else {
        page(&view)
    }
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

/// What is wanted of a board: as the form has it, or as a ruling says.
fn wanted(form: &BoardForm, board: &Board, fields: &Fields) -> Result<ResultInput> {
    if !fields.get("ruling").is_empty() {
        let ruling = Ruling::of(fields.get("ruling"));
        return ruling
            .ok_or_else(|| wrong("not-a-result", fields.get("ruling")))?
            .input(board);
    }
    let black = form
        .had_black
        .parse()
        .ok()
        .and_then(Number::new)
        .filter(|number| board.nigiri || *number != board.black);
    let read = read(form)?.without_leftovers(board);
    Ok(had_black(board, read, black))
}

/// Puts the result in the hand of whoever enters it.
async fn put(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &Event,
    (round, number): (u32, u32),
    version: Option<i64>,
    input: ResultInput,
) -> Result<Reported> {
    let (board, _) = find(event, round, number)?;
    let Some(reporter) = Hand::Account(change.actor).reporter(tx, event.id).await? else {
        let put = stored::put(tx, change, event.id, round, number, version, input).await;
        return Ok(put.map(Reported::Counts)?);
    };
    clearing(number, board.result.is_some(), input)?;
    Ok(reports::report(tx, change, event.id, (round, number), reporter, input).await?)
}

/// What was done, in one sentence or two; `before` is the result that was corrected.
fn done_sentence(t: Language, unit: Unit, saved: &BoardResult, before: Option<String>) -> String {
    let number = saved.board.board;
    let after = told_result(t, unit, &saved.board);
    let sentence = match before {
        _ if !saved.changed => t.with("done-result-same", "board", number),
        Some(before) => t.tell(
            "done-result-corrected",
            &[
                ("board", number.into()),
                ("before", before.into()),
                ("after", after.into()),
            ],
        ),
        None => t.with2("done-result", "board", number, "result", after),
    };
    if saved.later_rounds.is_empty() {
        return sentence;
    }
    let rounds = t.list(saved.later_rounds.iter().map(ToString::to_string));
    format!("{sentence} {}", t.with("later-rounds-stay", "rounds", rounds))
}

/// Saves the result. Where places that are known already would be others, they are shown first.
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
    let form = BoardForm::sent(&fields);
    if fields.ticked("again") {
        return shown(&mut tx, &visit, &event, (round, number), Some(form), None, None).await;
    }
    let reason = match Ruling::of(fields.get("ruling")) {
        Some(ruling) => Some(ruling.reason(t, &fields)),
        None => fields.some("reason"),
    };
    let change = change(&state, &actor, reason.as_deref());
    let put = match wanted(&form, board, &fields) {
        Ok(input) => put(&mut tx, &change, &event, (round, number), fields.version(), input).await,
        Err(error) => Err(error),
    };
    let saved = match put {
        Ok(Reported::Counts(saved)) => saved,
        Ok(waits) => {
            tx.commit().await?;
            let said = t.say(match waits {
                Reported::Disputed => "state-disputed",
                _ => "state-unconfirmed",
            });
            let said = t.with2("result-at-board", "board", number, "said", said);
            return Ok(done(
                &format!("/manage/e/{slug}/rounds/{round}/results#board-{number}"),
                &said,
            ));
        }
        Err(error) => {
            let problem = Some(told(error, t)?);
            drop(tx);
            let mut tx = state.store.snapshot().await?;
            let event = event_of(&mut tx, &slug).await?;
            return shown(
                &mut tx,
                &visit,
                &event,
                (round, number),
                Some(form),
                problem,
                None,
            )
            .await;
        }
    };
    let past = corrected && !later_rounds(&event, round).is_empty();
    if (fields.ticked("look") || past) && !fields.ticked("keep") && saved.changed {
        let changes = Changes::of(&event, round, std::slice::from_ref(&saved.board));
        let preview = Preview::of(t, told_result(t, unit, &saved.board), changes, &fields);
        if fields.ticked("look") || !preview.changes.is_nothing() {
            // Nothing of it is kept.
            drop(tx);
            let mut tx = state.store.snapshot().await?;
            return shown(
                &mut tx,
                &visit,
                &event,
                (round, number),
                Some(form),
                None,
                Some(preview),
            )
            .await;
        }
    }
    let noted = !saved.changed && !fields.get("ruling").is_empty();
    if noted {
        stored::note(&mut tx, &change, event.id, round, number).await?;
    }
    tx.commit().await?;
    let sentence = if noted {
        t.with("done-board-noted", "board", number)
    } else {
        done_sentence(t, unit, &saved, corrected.then_some(before))
    };
    Ok(done(
        &format!("/manage/e/{slug}/rounds/{round}/results#board-{number}"),
        &sentence,
    ))
}
