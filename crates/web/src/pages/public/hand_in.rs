//! `/e/{slug}/hand-in`: a player hands in the result of his or her own game, from a phone and without an
//! account, by a code that is nobody else's. It reaches the board where the player sits in the round that
//! is being played; what is handed in counts when the other player says the same, or an arbiter does.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use store::events::Event;
use store::reports::{self, Report, Reported, Reporter};
use store::results::ResultInput;
use store::{Tx, hand_in, result_links};
use tournament::{Board, Colours, Number, Outcome, Round, Side};

use crate::auth;
use crate::errors::{Error, Problem, Result};
use crate::extract::{InPath, InQuery, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::manage::board::told_result;
use crate::pages::manage::results::{had_black, kept, told_report};
use crate::pages::manage::{Fields, told};
use crate::pages::tables::{Field, SeatView};
use crate::pages::{event_in, page, page_with, words};
use crate::state::{AppState, change};

/// Who comes, as a link or the form says it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The player's number.
    pub number: String,
    /// The player's code.
    pub code: String,
}

/// The player's board in the round that is being played.
#[derive(Clone, Debug, Default)]
pub struct OwnBoard {
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// Whether it is not known who has Black.
    pub nigiri: bool,
    /// Who has Black, or is named first.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// How things stand, sentence by sentence.
    pub state: Vec<String>,
    /// Whether the result counts, so that there is nothing to hand in.
    pub counts: bool,
    /// Whether the two have said different things.
    pub disputed: bool,
    /// What the player has handed in: `won`, `lost`, `draw`, or nothing.
    pub own: &'static str,
}

/// Handing in a result.
#[derive(Clone, Debug, Template)]
#[template(path = "public/hand_in.html")]
pub struct HandInPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// Whether players hand in results in this event.
    pub open: bool,
    /// What was typed.
    pub asked: Asked,
    /// Who the player is, once that is known.
    pub player: Option<String>,
    /// The board.
    pub own: Option<OwnBoard>,
    /// Why there is no board.
    pub without_board: String,
}

/// The page before it is known who comes.
pub fn empty(visit: &Visit, event: &Event, open: bool, asked: Asked) -> HandInPage {
    HandInPage {
        t: visit.t,
        frame: visit.frame_of(event, "pairings"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        open,
        asked,
        player: None,
        own: None,
        without_board: String::new(),
    }
}

/// The board of a player in a round, with the side.
fn seat(round: &Round, player: Number) -> Option<(&Board, Side)> {
    round.board_of(player)
}

/// What a result is to one of the two.
fn to(side: Side, result: Option<Outcome>) -> &'static str {
    match (result, side) {
        (Some(Outcome::Black), Side::Black) | (Some(Outcome::White), Side::White) => "won",
        (Some(Outcome::Black), Side::White) | (Some(Outcome::White), Side::Black) => "lost",
        (Some(Outcome::Draw), _) => "draw",
        _ => "",
    }
}

/// Builds the page for a player who is known; `reports` are those of the player's board.
pub fn view(visit: &Visit, event: &Event, player: Number, asked: Asked, reports: &[Report]) -> HandInPage {
    let t = visit.t;
    let mut page = empty(visit, event, true, asked);
    let stage = event.public_stage();
    page.player = Some(words::person(t, &stage, player));
    let Some(table) = stage.rounds.last() else {
        page.without_board = t.say("hand-in-early");
        return page;
    };
    let Some((board, _)) = seat(table, player) else {
        page.without_board = t.with("hand-in-no-board", "round", table.round);
        return page;
    };
    let field = Field::before(t, &event.slug, &stage, table.round);
    let mut own = OwnBoard {
        round: table.round,
        board: board.board,
        nigiri: board.nigiri,
        black: field.seat_view(board.black),
        white: field.seat_view(board.white),
        counts: board.result.is_some(),
        ..OwnBoard::default()
    };
    let of_board: Vec<&Report> = reports
        .iter()
        .filter(|report| (report.round, report.board.board) == (table.round, board.board))
        .collect();
    if board.result.is_some() {
        let result = told_result(t, event.rules.unit(), board);
        own.state.push(t.with("hand-in-counts", "result", result));
        page.own = Some(own);
        return page;
    }
    let nigiri = stage.pairing.colours == Colours::Nigiri;
    for report in &of_board {
        let said = told_report(t, report, nigiri);
        own.state.push(match report.player {
            Some(who) if who == player => {
                let side = report.board.side_of(player).unwrap_or(Side::Black);
                own.own = to(side, report.board.result);
                t.with("hand-in-you-said", "result", said)
            }
            Some(_) => t.with("hand-in-other-said", "result", said),
            None => t.with2("hand-in-somebody-said", "who", report.by.clone(), "result", said),
        });
    }
    own.disputed = reports::disputed(&of_board);
    if own.disputed {
        own.state.push(t.say("hand-in-disputed"));
    } else if !own.own.is_empty() {
        own.state.push(t.say("hand-in-waits"));
    }
    page.own = Some(own);
    page
}

/// Who comes with a number and a code, where players hand in results.
///
/// Not within a transaction: it has its own, and whoever waits for a second connection while holding one
/// makes everybody wait.
async fn player(state: &AppState, peer: Peer, event: &Event, asked: &Asked) -> Result<Number> {
    let wrong = || Error::from(Problem::new(StatusCode::FORBIDDEN, "hand-in-wrong-code"));
    let attempt = auth::attempt(
        state,
        peer,
        &format!(
            "hand-in {} {}",
            event.id,
            asked.number.chars().take(9).collect::<String>()
        ),
        "too-many-codes",
    )
    .await?;
    let number = asked.number.trim().parse().ok().and_then(Number::new);
    let number = number.ok_or_else(wrong)?;
    let codes = hand_in::codes(&mut state.store.snapshot().await?, event.id, Some(number)).await?;
    if !codes.is_some_and(|codes| codes.fits(number, &asked.code)) {
        tracing::warn!(event = %event.id, player = %number, "somebody came with a wrong code of a player");
        return Err(wrong());
    }
    attempt.succeeded(state).await?;
    Ok(number)
}

/// The page.
///
/// # Errors
/// `not-found`; a wrong code is told on the page.
pub async fn show(
    State(state): State<AppState>,
    peer: Peer,
    visit: Visit,
    InPath(slug): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let open = result_links::settings(&mut tx, event.id).await?.from_players;
    if !open || (asked.number.is_empty() && asked.code.is_empty()) {
        return page(&empty(&visit, &event, open, asked));
    }
    drop(tx);
    match player(&state, peer, &event, &asked).await {
        Ok(number) => {
            let mut tx = state.store.snapshot().await?;
            page(&with_reports(&mut tx, &visit, &event, number, asked).await?)
        }
        Err(error) => back(visit.t, error, empty(&visit, &event, true, asked)),
    }
}

async fn with_reports(
    tx: &mut Tx,
    visit: &Visit,
    event: &Event,
    number: Number,
    asked: Asked,
) -> Result<HandInPage> {
    let stage = event.public_stage();
    let at = stage
        .rounds
        .last()
        .and_then(|table| Some((table.round, seat(table, number)?.0.board)));
    let said = match at {
        Some((round, board)) => reports::of_board(tx, event.id, round, board).await?,
        None => Vec::new(),
    };
    Ok(view(visit, event, number, asked, &said))
}

/// The page with what is wrong.
fn back(t: Language, error: Error, view: HandInPage) -> Result<Response> {
    let status = match &error {
        Error::Problem(problem) => problem.status,
        Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let problem = Some(told(error, t)?);
    page_with(status, &HandInPage { problem, ..view })
}

/// What the form says of a board, from the side of who sends it.
fn input(board: &Board, player: Number, fields: &Fields) -> Result<ResultInput> {
    let unprocessable = |code| Error::from(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code));
    let side = board.side_of(player).unwrap_or(Side::Black);
    let won = match side {
        Side::Black => Outcome::Black,
        Side::White => Outcome::White,
    };
    let result = match fields.get("result") {
        "won" => Some(won),
        "lost" => Some(won.turned()),
        "draw" => Some(Outcome::Draw),
        "none" => None,
        _ => return Err(unprocessable("hand-in-no-result")),
    };
    let input = kept(board, result);
    if !board.nigiri || result.is_none() {
        return Ok(input);
    }
    let opponent = board.on(side.other());
    let black = match fields.get("colour") {
        "black" => player,
        "white" => opponent,
        _ => return Err(unprocessable("hand-in-no-colour")),
    };
    Ok(had_black(board, input, Some(black)))
}

/// Takes a result in.
///
/// # Errors
/// `not-found`; what is wrong is told on the page.
pub async fn hand_in(
    State(state): State<AppState>,
    peer: Peer,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let asked = Asked {
        number: fields.get("number").to_owned(),
        code: fields.get("code").to_owned(),
    };
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let open = result_links::settings(&mut tx, event.id).await?.from_players;
    if !open {
        return back(
            t,
            Problem::new(StatusCode::CONFLICT, "hand-in-closed").into(),
            empty(&visit, &event, false, asked),
        );
    }
    drop(tx);
    let number = match player(&state, peer, &event, &asked).await {
        Ok(number) => number,
        Err(error) => return back(t, error, empty(&visit, &event, true, asked)),
    };
    // The log keeps the name also where the public does not see it.
    let named = crate::records::with_names(&state, &event).await?;
    let mut tx = state.store.begin().await?;
    let done_so = reported(&mut tx, &state, (&event, &named), number, &fields).await;
    match done_so {
        Ok(reported) => {
            tx.commit().await?;
            let said = t.say(match reported {
                _ if fields.get("result") == "none" => "done-hand-in-taken-back",
                Reported::Counts(_) => "done-hand-in-counts",
                Reported::Waits => "done-hand-in-waits",
                Reported::Disputed => "done-hand-in-disputed",
            });
            let code: String = asked.code.chars().filter(char::is_ascii_alphanumeric).collect();
            Ok(done(
                &format!("/e/{slug}/hand-in?number={number}&code={code}"),
                &said,
            ))
        }
        Err(error) => {
            drop(tx);
            let mut tx = state.store.snapshot().await?;
            let event = event_in(&mut tx, &visit, &slug).await?;
            let view = with_reports(&mut tx, &visit, &event, number, asked).await?;
            back(t, error, view)
        }
    }
}

/// Reports what the form says of the board where the player sits.
async fn reported(
    tx: &mut Tx,
    state: &AppState,
    (event, named): (&Event, &Event),
    number: Number,
    fields: &Fields,
) -> Result<Reported> {
    let stage = event.public_stage();
    let sent = |name: &str| fields.get(name).parse::<u32>().ok();
    let (round, at) = (sent("round"), sent("board"));
    let own = stage
        .rounds
        .last()
        .and_then(|table| Some((table.round, seat(table, number)?.0)));
    let (round, board) = own
        .filter(|(own, board)| round == Some(*own) && at == Some(board.board))
        .ok_or_else(|| {
            tracing::warn!(event = %event.id, player = %number, round, board = at, "a player handed in a result of another board");
            Error::from(Problem::new(StatusCode::FORBIDDEN, "hand-in-not-your-board"))
        })?;
    let input = input(board, number, fields)?;
    let actor = hand_in::player(named, number);
    let reporter = Reporter::Player(number);
    let change = change(state, &actor, None);
    Ok(reports::report(tx, &change, event.id, (round, board.board), reporter, input).await?)
}
