//! `/manage/e/{slug}/rounds/{n}/results`: results by keyboard and by touch. With the script each
//! one is saved at once; without it the page is a form with one button.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use store::Tx;
use store::events::{Event, RoundStatus};
use store::reports::{Report, Reported, Reporter};
use store::result_links::ResultLink;
use store::results::{self as stored, BoardInput, BoardResult, ResultInput};
use tournament::{Board, Colours, Number, Outcome, Round, Side, Warnings};

use super::board::told_result;
use super::overview;
use super::preview::{Changes, Preview};
use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Result};
use crate::extract::{Arbiter, Director, InPath, InQuery, ResultsReader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::public::game::path;
use crate::pages::tables::{Field, SeatView};
use crate::pages::{page, words};
use crate::results::{Hand, clearing, played_now};
use crate::state::AppState;

/// A board whose result is entered.
#[derive(Clone, Debug, Default)]
pub struct ResultRow {
    /// The board.
    pub board: u32,
    /// Its version.
    pub version: i64,
    /// Whether the cursor is here.
    pub cursor: bool,
    /// Who has Black.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// The stored result as a word of the event file, or nothing.
    pub stored: String,
    /// The result that is chosen in the form.
    pub chosen: String,
    /// Whether that is one of the less usual ones.
    pub other: bool,
    /// Warnings given at the board.
    pub warnings: Warnings,
    /// Who may be said to have had Black, where colours come from nigiri.
    pub nigiri: Option<NigiriRow>,
    /// What is to be said of the board.
    pub state: String,
    /// The result with its details, in words.
    pub told: String,
    /// The board's page, when there is a record of its game.
    pub record_href: Option<String>,
}

/// What a board with colours from nigiri says beside its result. Its results go by who is named
/// first and second.
#[derive(Clone, Debug, Default)]
pub struct NigiriRow {
    /// Who had Black, or nothing while that is not known.
    pub black: String,
    /// The first wins.
    pub first_wins: String,
    /// The second wins.
    pub second_wins: String,
    /// The less usual results: word and name.
    pub others: Vec<(&'static str, String)>,
}

impl NigiriRow {
    /// Of a board, where colours come from nigiri.
    pub fn of(t: Language, event: &Event, board: &Board) -> Option<Self> {
        let by_nigiri = board.nigiri || event.stage.pairing.colours == Colours::Nigiri;
        let told = |outcome| words::outcome_by_number(t, board, outcome);
        by_nigiri.then(|| Self {
            black: if board.nigiri {
                String::new()
            } else {
                board.black.to_string()
            },
            first_wins: told(Outcome::Black),
            second_wins: told(Outcome::White),
            others: OTHERS.map(|outcome| (outcome.as_str(), told(outcome))).to_vec(),
        })
    }
}

/// A link at the head of its page.
#[derive(Clone, Debug, Default)]
pub struct LinkHead {
    /// Its name.
    pub name: String,
    /// Its boards.
    pub boards: String,
}

/// Results that wait for a second word or for a director.
#[derive(Clone, Debug, Default)]
pub struct Confirm {
    /// How many.
    pub sentence: String,
    /// The disputed boards, with what each has reported.
    pub disputes: Vec<String>,
    /// Whether there is something that a director can confirm with one button.
    pub can: bool,
}

/// Entering results.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/results.html")]
#[expect(clippy::struct_excessive_bools, reason = "what a template asks is yes or no")]
pub struct ResultsPage {
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
    /// The page's address.
    pub base: String,
    /// Where the script puts results, before the board's number.
    pub api: String,
    /// The link by which somebody without an account is here.
    pub link: Option<LinkHead>,
    /// Results that wait for a director.
    pub confirm: Option<Confirm>,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// What a director should know.
    pub warnings: Vec<String>,
    /// Who has stayed away twice in a row, each with where a withdrawal is entered.
    pub absentees: Vec<(String, String)>,
    /// Whether only boards without a result are shown.
    pub only_open: bool,
    /// How many results are missing.
    pub count_sentence: String,
    /// Whether none is missing: there is something else to be done then.
    pub all_in: bool,
    /// The less usual results: word and name.
    pub others: Vec<(&'static str, String)>,
    /// Whether results go by who is named first and second.
    pub nigiri: bool,
    /// The boards.
    pub rows: Vec<ResultRow>,
    /// Why results are corrected.
    pub reason: String,
    /// That the event is final: nothing is entered any more.
    pub closed: Option<String>,
    /// Whether a later round is there, so that a correction changes what is known already.
    pub past: bool,
    /// What the results would change, while that is looked at.
    pub preview: Option<Preview>,
}

/// Which boards are wanted.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    open: String,
}

impl Asked {
    /// Whether only boards without a result are wanted.
    pub fn only_open(&self) -> bool {
        !self.open.is_empty()
    }
}

/// The results that are chosen less often.
pub const OTHERS: [Outcome; 4] = [
    Outcome::BlackForfeit,
    Outcome::WhiteForfeit,
    Outcome::BothForfeit,
    Outcome::BothLose,
];

/// The rounds after this one, a draft included: all of them were paired on its results.
pub fn later_rounds(event: &Event, round: u32) -> Vec<u32> {
    event
        .rounds
        .iter()
        .map(|info| info.round)
        .filter(|later| *later > round)
        .collect()
}

/// What must be known before a result of an earlier round is corrected.
pub fn later_warning(t: Language, event: &Event, round: u32) -> Option<String> {
    let later = later_rounds(event, round);
    if later.is_empty() {
        return None;
    }
    let rounds = t.list(later.iter().map(ToString::to_string));
    Some(t.with2("later-rounds-warning", "round", round, "rounds", rounds))
}

/// Whether somebody stayed away from a board.
fn stayed_away(board: &Board, side: Side) -> bool {
    matches!(
        (board.result, side),
        (Some(Outcome::BothForfeit), _)
            | (Some(Outcome::BlackForfeit), Side::Black)
            | (Some(Outcome::WhiteForfeit), Side::White)
    )
}

/// Who has stayed away from the board of a round and from the last board before it, and is not withdrawn:
/// each as a sentence, with where a withdrawal is entered.
pub fn absentees(t: Language, event: &Event, round: u32) -> Vec<(String, String)> {
    let stage = &event.stage;
    let Some(now) = stage.rounds.iter().find(|table| table.round == round) else {
        return Vec::new();
    };
    let away = now.boards.iter().flat_map(|board| {
        [Side::Black, Side::White]
            .into_iter()
            .filter(move |side| stayed_away(board, *side))
            .map(move |side| board.on(side))
    });
    away.filter_map(|number| {
        let entry = stage.entry(number)?;
        if entry.withdrawn_after.is_some() {
            return None;
        }
        let earlier = stage
            .rounds
            .iter()
            .rev()
            .filter(|table| table.round < round)
            .find_map(|table| Some((table.round, table.board_of(number)?)));
        let (before, (board, side)) = earlier?;
        stayed_away(board, side).then(|| {
            let sentence = t.tell(
                "stayed-away-twice",
                &[
                    ("player", words::person(t, stage, number).into()),
                    ("first", before.into()),
                    ("second", round.into()),
                ],
            );
            (sentence, format!("/manage/e/{}/entries/{number}", event.slug))
        })
    })
    .collect()
}

fn published(event: &Event, round: u32) -> Result<&Round> {
    let known = event
        .round_info(round)
        .is_some_and(|info| info.status == RoundStatus::Published);
    event
        .stage
        .rounds
        .iter()
        .find(|one| known && one.round == round)
        .ok_or_else(Error::not_found)
}

/// Builds the page.
///
/// # Errors
/// `not-found` for a round that is not published.
pub fn view(visit: &Visit, event: &Event, number: u32, only_open: bool) -> Result<ResultsPage> {
    let t = visit.t;
    let round = published(event, number)?;
    let info = event.round_info(number).ok_or_else(Error::not_found)?;
    let field = Field::before(t, &event.slug, &event.stage, number);
    let missing: Vec<u32> = round.pending().map(|board| board.board).collect();
    let cursor = missing.first().copied();
    let rows = field
        .boards(round, event.rules.unit())
        .into_iter()
        .zip(&round.boards)
        .filter(|(_, board)| !only_open || board.result.is_none())
        .map(|(row, board)| {
            let stored = board.result.map_or("", Outcome::as_str);
            ResultRow {
                board: board.board,
                version: info.board_version(board.board).unwrap_or(0),
                cursor: cursor == Some(board.board),
                black: row.black,
                white: row.white,
                stored: stored.to_owned(),
                chosen: stored.to_owned(),
                other: board.result.is_some_and(|outcome| OTHERS.contains(&outcome)),
                warnings: board.warnings,
                nigiri: NigiriRow::of(t, event, board),
                told: told_result(t, event.rules.unit(), board),
                state: match (board.result, row.result_details.is_empty()) {
                    (None, _) => t.say("state-open"),
                    (Some(_), true) => t.say("state-saved"),
                    (Some(_), false) => row.result_details,
                },
                record_href: None,
            }
        })
        .collect();
    Ok(ResultsPage {
        t,
        frame: visit.frame_of_round(event, "rounds", number),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round: number,
        base: format!("/manage/e/{}/rounds/{number}/results", event.slug),
        api: format!("/api/v1/events/{}/rounds/{number}/boards/", event.slug),
        link: None,
        confirm: None,
        problem: None,
        warnings: later_warning(t, event, number).into_iter().collect(),
        absentees: if visit.directs() {
            absentees(t, event, number)
        } else {
            Vec::new()
        },
        only_open,
        count_sentence: missing_sentence(t, missing.len()),
        all_in: missing.is_empty(),
        others: OTHERS
            .map(|outcome| (outcome.as_str(), words::outcome(t, outcome)))
            .to_vec(),
        nigiri: event.stage.pairing.colours == Colours::Nigiri,
        rows,
        reason: String::new(),
        closed: event.frozen.as_ref().map(|frozen| {
            let at = words::moment_of(t, &event.schedule, frozen.at);
            t.with2("refusal-frozen", "by", frozen.by.as_str(), "at", at)
        }),
        past: !later_rounds(event, number).is_empty(),
        preview: None,
    })
}

/// The page as it is for a link: its boards only, and no way elsewhere.
pub fn of_link(view: ResultsPage, visit: &Visit, link: &ResultLink, token: &str) -> ResultsPage {
    let t = visit.t;
    let round = view.round;
    let mut rows = view.rows;
    rows.retain(|row| link.holds(row.board));
    let missing = rows.iter().filter(|row| row.stored.is_empty()).count();
    let cursor = rows.iter().position(|row| row.stored.is_empty());
    for (at, row) in rows.iter_mut().enumerate() {
        row.cursor = cursor == Some(at);
    }
    ResultsPage {
        frame: visit.frame(),
        base: format!("/r/{token}"),
        api: format!("/api/v1/result-links/{token}/rounds/{round}/boards/"),
        link: Some(LinkHead {
            name: link.name.clone(),
            boards: t.with2("boards-from-to", "first", link.first, "last", link.last),
        }),
        count_sentence: missing_sentence(t, missing),
        all_in: missing == 0,
        rows,
        warnings: Vec::new(),
        past: false,
        ..view
    }
}

fn missing_sentence(t: Language, missing: usize) -> String {
    if missing == 0 {
        t.say("all-results-in")
    } else {
        t.say("missing-count-template")
            .replace("{n}", &missing.to_string())
    }
}

/// A reported result in words; where colours come from nigiri by number, and with who had Black.
pub fn told_report(t: Language, report: &Report, nigiri: bool) -> String {
    let board = &report.board;
    match board.result {
        Some(outcome) if nigiri => t.with2(
            "result-and-black",
            "result",
            words::outcome_by_number(t, board, outcome),
            "black",
            board.black.get(),
        ),
        _ => words::result(t, board),
    }
}

/// Says of each board what was reported and does not count yet; to whoever `directs`, with a way to
/// confirm it.
pub fn with_reports(view: &mut ResultsPage, reports: &[Report], directs: bool) {
    let t = view.t;
    let (round, nigiri) = (view.round, view.nigiri);
    let told = |report: &Report| {
        let result = told_report(t, report, nigiri);
        t.with2("reported-by", "result", result, "who", report.by.clone())
    };
    let mut confirm = Confirm::default();
    let (mut waiting, mut shown) = (0_usize, 0_usize);
    for row in &mut view.rows {
        let of_board: Vec<&Report> = reports
            .iter()
            .filter(|report| report.round == round && report.board.board == row.board)
            .collect();
        if of_board.is_empty() {
            continue;
        }
        shown += 1;
        let said = t.list(of_board.iter().map(|report| told(report)));
        if store::reports::disputed(&of_board) {
            row.state = t.with("row-disputed", "said", said.clone());
            confirm
                .disputes
                .push(t.with2("dispute-of-board", "board", row.board, "said", said));
        } else {
            waiting += 1;
            row.state = t.with("row-unconfirmed", "said", said);
        }
    }
    if shown > 0 && directs {
        confirm.can = waiting > 0;
        confirm.sentence = t.with2(
            "results-to-confirm",
            "count",
            waiting,
            "disputed",
            confirm.disputes.len(),
        );
        view.confirm = Some(confirm);
    }
}

/// Confirms what waits in a round and is not disputed.
///
/// # Errors
/// `needs-director`, `not-found`.
pub async fn confirm(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    published(&event, round)?;
    let put = store::reports::confirm(&mut tx, &change(&state, &actor, None), event.id, round).await?;
    tx.commit().await?;
    Ok(done(
        &format!("/manage/e/{slug}/rounds/{round}/results"),
        &visit.t.with("done-confirmed", "count", put.len()),
    ))
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    ResultsReader(_): ResultsReader,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let mut view = view(&visit, &event, round, asked.only_open())?;
    let reports = store::reports::waiting(&mut tx, event.id).await?;
    with_reports(&mut view, &reports, visit.directs());
    let records = store::records::boards_with_records(&mut tx, event.id, round).await?;
    for row in view.rows.iter_mut().filter(|row| records.contains(&row.board)) {
        row.record_href = Some(path(&slug, round, row.board));
    }
    page(&view)
}

/// What the form wants for one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Left as it was.
    Same,
    /// This result, or none.
    Is(Option<Outcome>),
    /// Two different ones were chosen.
    Two,
}

/// What was chosen for a board: whichever of the two controls differs from what the form was made with.
fn wanted(fields: &Fields, board: u32) -> Wanted {
    let was = fields.get(&format!("w{board}"));
    let pressed = fields.get(&format!("r{board}"));
    let listed = fields.get(&format!("o{board}"));
    let differs = |word: &&str| !word.is_empty() && *word != was;
    let pressed = Some(pressed).filter(differs);
    // There is nothing to clear where nothing was.
    let listed = Some(listed)
        .filter(differs)
        .filter(|word| *word != "none" || !was.is_empty());
    let outcome = |word: &str| {
        if word == "none" {
            Some(None)
        } else {
            word.parse().ok().map(Some)
        }
    };
    match (pressed, listed) {
        (Some(_), Some(_)) => Wanted::Two,
        (Some(word), None) | (None, Some(word)) => outcome(word).map_or(Wanted::Same, Wanted::Is),
        (None, None) => Wanted::Same,
    }
}

/// A result with everything that still fits it.
pub fn kept(board: &Board, result: Option<Outcome>) -> ResultInput {
    let same = board.result == result;
    ResultInput {
        result,
        by: board.by.filter(|_| same),
        margin: board.margin.filter(|_| same),
        // A warning was given whoever won.
        warnings: board.warnings,
        black: None,
    }
}

/// A result in which somebody is said to have had Black. What was entered goes by how the board
/// stands; where the other had Black, it is turned.
pub fn had_black(board: &Board, input: ResultInput, black: Option<Number>) -> ResultInput {
    if black != Some(board.white) {
        return ResultInput { black, ..input };
    }
    ResultInput {
        result: input.result.map(Outcome::turned),
        warnings: Warnings {
            black: input.warnings.white,
            white: input.warnings.black,
        },
        black,
        ..input
    }
}

/// Who is said to have had Black, where that is news.
fn said_black(fields: &Fields, board: &Board) -> Option<Number> {
    let number = fields.get(&format!("k{}", board.board)).parse().ok();
    number
        .and_then(Number::new)
        .filter(|number| board.nigiri || *number != board.black)
}

/// Saves the form.
///
/// # Errors
/// `not-found`; what is wrong is told on the page.
pub async fn save(
    State(state): State<AppState>,
    Arbiter(actor): Arbiter,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    InQuery(asked): InQuery<Asked>,
    fields: Fields,
) -> Result<Response> {
    let hand = Hand::Account(&actor);
    save_by(&state, &hand, &visit, (&slug, round, ""), &asked, &fields).await
}

/// Saves the form of whoever sends it: what can be saved is saved together, and boards that somebody
/// else has changed meanwhile are told with both results, to choose again. `token` is that of a link.
///
/// # Errors
/// `not-found`; for a link, what is not of its boards or not of its round; what is wrong is told on the
/// page.
pub async fn save_by(
    state: &AppState,
    hand: &Hand<'_>,
    visit: &Visit,
    (slug, round, token): (&str, u32, &str),
    asked: &Asked,
    fields: &Fields,
) -> Result<Response> {
    let t = visit.t;
    let only_open = asked.only_open();
    let shown = |event: &Event| {
        let view = view(visit, event, round, only_open)?;
        Ok::<_, Error>(match hand.link() {
            Some(link) => of_link(view, visit, link, token),
            None => view,
        })
    };
    let mut tx = state.store.begin().await?;
    hand.still_works(&mut tx, state).await?;
    let event = locked(&mut tx, slug).await?;
    let table = published(&event, round)?.clone();
    if let Some(link) = hand.link() {
        // What the page does not show was put into the form by somebody.
        for (name, value) in &fields.0 {
            let board = name
                .strip_prefix(['r', 'o', 'k'])
                .and_then(|rest| rest.parse().ok());
            played_now(
                &event,
                link,
                round,
                board.filter(|_| !value.is_empty()).unwrap_or(link.first),
            )?;
        }
    }
    let reporter = hand.reporter(&mut tx, event.id).await?;
    let info = event.round_info(round).ok_or_else(Error::not_found)?.clone();
    let (mut inputs, mut conflicts, mut twice) = (Vec::new(), Vec::new(), Vec::new());
    for board in &table.boards {
        let black = said_black(fields, board);
        let result = match wanted(fields, board.board) {
            Wanted::Same if black.is_none() => continue,
            Wanted::Same => board.result,
            Wanted::Two => {
                twice.push(board.board);
                continue;
            }
            Wanted::Is(result) if result == board.result && black.is_none() => continue,
            Wanted::Is(result) => result,
        };
        let seen: Option<i64> = fields.get(&format!("v{}", board.board)).parse().ok();
        let current = info.board_version(board.board);
        if seen.is_some() && seen != current {
            let told = |result: Option<Outcome>| {
                result.map_or_else(|| t.say("no-result"), |outcome| words::outcome(t, outcome))
            };
            conflicts.push(t.tell(
                "result-conflict",
                &[
                    ("board", board.board.into()),
                    ("theirs", told(board.result).into()),
                    ("yours", told(result).into()),
                ],
            ));
            continue;
        }
        inputs.push(BoardInput {
            board: board.board,
            expected: current,
            input: had_black(board, kept(board, result), black),
        });
    }
    let reason = fields.some("reason");
    let change = change(state, hand.actor(), reason.as_deref());
    let mut problem = None;
    let mut preview = None;
    let mut waits = 0;
    if fields.ticked("again") {
        let mut view = shown(&event)?;
        chosen(&mut view, fields);
        view.reason = reason.unwrap_or_default();
        return page(&view);
    }
    if !twice.is_empty() {
        problem = Some(ProblemView::of(t.with(
            "two-results",
            "boards",
            overview::boards(t, &twice),
        )));
    } else if let Some(reporter) = reporter {
        match reported(&mut tx, &change, &event, round, reporter, &inputs).await {
            Ok(count) => waits = count,
            Err(error) => problem = Some(told(error, t)?),
        }
    } else if !inputs.is_empty() {
        match stored::put_many(&mut tx, &change, event.id, round, &inputs).await {
            Ok(saved) => preview = to_be_seen(t, &event, &table, &saved, fields),
            Err(error) => problem = Some(told(error.into(), t)?),
        }
    }
    if let Some(preview) = preview {
        // Nothing of it is kept.
        drop(tx);
        return page(&ResultsPage {
            preview: Some(preview),
            ..shown(&event)?
        });
    }
    if let Some(problem) = problem {
        let mut view = shown(&event)?;
        chosen(&mut view, fields);
        return refused(&ResultsPage {
            problem: Some(problem),
            reason: reason.unwrap_or_default(),
            ..view
        });
    }
    let saved = inputs.len();
    tx.commit().await?;
    if !conflicts.is_empty() {
        let mut tx = state.store.begin().await?;
        let event = event_of(&mut tx, slug).await?;
        return refused(&ResultsPage {
            problem: Some(ProblemView {
                sentence: t.with2("results-conflict", "saved", saved, "count", conflicts.len()),
                details: conflicts,
            }),
            ..shown(&event)?
        });
    }
    let base = match hand.link() {
        Some(_) => format!("/r/{token}"),
        None => format!("/manage/e/{slug}/rounds/{round}/results"),
    };
    let said = if waits > 0 {
        t.with2("done-reported", "count", saved, "waits", waits)
    } else {
        t.with("done-results", "count", saved)
    };
    Ok(done(
        &format!("{base}{}", if only_open { "?open=1" } else { "" }),
        &said,
    ))
}

/// The rows with what was chosen in the form.
fn chosen(view: &mut ResultsPage, fields: &Fields) {
    for row in &mut view.rows {
        if let Wanted::Is(result) = wanted(fields, row.board) {
            result.map_or("", Outcome::as_str).clone_into(&mut row.chosen);
            row.other = result.is_some_and(|outcome| OTHERS.contains(&outcome));
        }
    }
}

/// What corrections of an earlier round change in the standings, unless that has been seen already or is
/// nothing.
fn to_be_seen(
    t: Language,
    event: &Event,
    table: &Round,
    saved: &[BoardResult],
    fields: &Fields,
) -> Option<Preview> {
    if fields.ticked("keep") || later_rounds(event, table.round).is_empty() {
        return None;
    }
    let there = |board: &Board| {
        let old = table.boards.iter().find(|old| old.board == board.board);
        old.is_some_and(|old| old.result.is_some())
    };
    let corrected = saved.iter().filter(|one| one.changed && there(&one.board));
    let corrected: Vec<Board> = corrected.map(|one| one.board).collect();
    if corrected.is_empty() {
        return None;
    }
    let changes = Changes::of(event, table.round, &corrected);
    let unit = event.rules.unit();
    let after = corrected.iter().map(|board| {
        let result = told_result(t, unit, board);
        t.with2("board-and-result", "board", board.board, "result", result)
    });
    (!changes.is_nothing()).then(|| Preview::of(t, t.list(after), changes, fields))
}

/// Reports results where two have to say the same; how many do not count yet.
async fn reported(
    tx: &mut Tx,
    change: &store::Change<'_>,
    event: &Event,
    round: u32,
    reporter: Reporter,
    inputs: &[BoardInput],
) -> Result<usize> {
    let mut waits = 0;
    for given in inputs {
        let there = store::records::published_board(event, round, given.board)?;
        clearing(given.board, there.result.is_some(), given.input)?;
        let at = (round, given.board);
        let done = store::reports::report(tx, change, event.id, at, reporter, given.input).await?;
        waits += usize::from(!matches!(done, Reported::Counts(_)));
    }
    Ok(waits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(was: &str, pressed: &str, listed: &str) -> Wanted {
        let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut sent = vec![field("w12", was), field("o12", listed)];
        if !pressed.is_empty() {
            sent.push(field("r12", pressed));
        }
        wanted(&Fields(sent), 12)
    }

    #[test]
    fn what_was_changed_in_the_form_is_what_is_wanted() {
        let black = Wanted::Is(Some(Outcome::Black));
        let absent = Wanted::Is(Some(Outcome::WhiteForfeit));
        for (was, pressed, listed, want) in [
            ("", "", "", Wanted::Same),
            ("", "black", "", black),
            ("white", "black", "", black),
            ("black", "black", "", Wanted::Same),
            ("", "", "white_forfeit", absent),
            ("black", "black", "white_forfeit", absent),
            ("white_forfeit", "", "white_forfeit", Wanted::Same),
            ("white_forfeit", "black", "white_forfeit", black),
            ("white_forfeit", "black", "", black),
            ("black", "black", "none", Wanted::Is(None)),
            ("", "", "none", Wanted::Same),
            ("", "black", "white_forfeit", Wanted::Two),
            ("", "nonsense", "", Wanted::Same),
        ] {
            assert_eq!(chosen(was, pressed, listed), want, "{was} {pressed} {listed}");
        }
    }
}
