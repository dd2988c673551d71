//! `/e/{slug}/rounds/{n}/boards/{b}/record`: a game record is brought, by a director or by a player with
//! the board's code.

use askama::Template;
use axum::extract::multipart::MultipartError;
use axum::extract::{Multipart, State};
use axum::http::StatusCode;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use interchange::record;
use rules::{Refusal, RefusalKind};
use serde::Deserialize;
use store::events::Event;
use store::records::{self, Choice, Done, SIZE_LIMIT};

use super::game::path;
use crate::errors::{Error, Problem, Result};
use crate::extract::{InPath, InQuery, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::manage::told;
use crate::pages::tables::{Field, SeatView};
use crate::pages::{event_in, page, page_with};
use crate::records::{asked, bringer, judge, language, new_record, with_names};
use crate::state::{AppState, change};

/// The encodings that can be chosen, as the reader knows them.
pub const ENCODINGS: [&str; 8] = [
    "UTF-8",
    "GB18030",
    "Big5",
    "Shift_JIS",
    "EUC-KR",
    "UTF-16LE",
    "UTF-16BE",
    "windows-1252",
];

/// The code in a link.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Link {
    /// The code of the board.
    #[serde(default)]
    pub code: String,
}

/// A game of a file that holds several.
#[derive(Clone, Debug, Default)]
pub struct GameChoice {
    /// Its number in the file.
    pub number: usize,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// How long it is, and its result as written.
    pub details: String,
}

/// The form for a record.
#[derive(Clone, Debug, Template)]
#[template(path = "public/record.html")]
pub struct RecordPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// The board's page.
    pub path: String,
    /// Whether it is not known who has Black.
    pub nigiri: bool,
    /// Who has Black.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// Why nobody without an account can bring one here.
    pub closed: Option<String>,
    /// Whether the code of the board is asked for.
    pub needs_code: bool,
    /// The code.
    pub code: String,
    /// The games to choose from, when the file has several.
    pub games: Vec<GameChoice>,
    /// How many games of the file are not among them.
    pub more_games: usize,
    /// The file, when it is here already and a game of it is to be chosen.
    pub data: String,
    /// The encodings, each with whether it is chosen.
    pub encodings: Vec<(&'static str, bool)>,
}

/// What a form brings.
#[derive(Debug, Default)]
struct Sent {
    bytes: Vec<u8>,
    code: String,
    game: Option<u32>,
    encoding: Option<String>,
}

/// Builds the form; nothing for a board that is not published.
pub fn view(visit: &Visit, event: &Event, round: u32, number: u32, code: &str) -> Option<RecordPage> {
    let t = visit.t;
    let stage = event.public_stage();
    let table = stage.rounds.iter().find(|table| table.round == round)?;
    let board = table.boards.iter().find(|board| board.board == number)?;
    let field = Field::before(t, &event.slug, &stage, round);
    let needs_code = !visit.caller.enters_results();
    Some(RecordPage {
        t,
        frame: visit.frame_of_round(event, "pairings", round),
        event_name: event.name.clone(),
        round,
        board: number,
        path: path(&event.slug, round, number),
        nigiri: board.nigiri,
        black: field.seat_view(board.black),
        white: field.seat_view(board.white),
        problem: None,
        closed: (needs_code && !event.records.from_players).then(|| t.say("record-by-directors")),
        needs_code,
        code: code.to_owned(),
        games: Vec::new(),
        more_games: 0,
        data: String::new(),
        encodings: ENCODINGS.map(|name| (name, false)).to_vec(),
    })
}

/// The form.
///
/// # Errors
/// `not-found`.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, round, board)): InPath<(String, u32, u32)>,
    InQuery(link): InQuery<Link>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    page(&view(&visit, &event, round, board, link.code.trim()).ok_or_else(Error::not_found)?)
}

async fn sent(mut form: Multipart) -> Result<Sent> {
    let unreadable = |error: MultipartError| {
        let code = if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
            "record-too-large"
        } else {
            "bad-request"
        };
        Error::from(Problem::new(error.status(), code))
    };
    let mut sent = Sent::default();
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        let name = field.name().unwrap_or_default().to_owned();
        let bytes = field.bytes().await.map_err(unreadable)?;
        let text = || String::from_utf8_lossy(&bytes).trim().to_owned();
        match name.as_str() {
            "file" if !bytes.is_empty() => sent.bytes = bytes.to_vec(),
            // A file that was read before; one that is chosen anew goes first.
            "data" if sent.bytes.is_empty() => sent.bytes = BASE64.decode(text()).unwrap_or_default(),
            "code" => sent.code = text(),
            "game" => sent.game = text().parse().ok(),
            "encoding" => sent.encoding = Some(text()).filter(|name| !name.is_empty()),
            _ => {}
        }
    }
    Ok(sent)
}

/// Takes a record in.
///
/// # Errors
/// `not-found`; what is wrong is told on the form.
pub async fn bring(
    State(state): State<AppState>,
    peer: Peer,
    visit: Visit,
    InPath((slug, round, number)): InPath<(String, u32, u32)>,
    form: std::result::Result<Multipart, axum::extract::multipart::MultipartRejection>,
) -> Result<Response> {
    let t = visit.t;
    let event = event_in(&mut state.store.snapshot().await?, &visit, &slug).await?;
    let empty = view(&visit, &event, round, number, "").ok_or_else(Error::not_found)?;
    let form = form.map_err(|_| Error::from(Problem::new(StatusCode::BAD_REQUEST, "bad-request")))?;
    let sent = match sent(form).await {
        Ok(sent) => sent,
        Err(error) => return back(t, error, empty),
    };
    let mut view = RecordPage {
        code: sent.code.clone(),
        ..empty
    };
    for (name, chosen) in &mut view.encodings {
        *chosen = sent.encoding.as_deref() == Some(*name);
    }
    let board = *records::published_board(&event, round, number)?;
    let actor = match bringer(
        &state,
        &visit.caller,
        peer,
        &event,
        (round, &board),
        Some(&sent.code),
    )
    .await
    {
        Ok(actor) => actor,
        Err(error) => return back(t, error, view),
    };
    if sent.bytes.is_empty() {
        return back(
            t,
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no-record-file").into(),
            view,
        );
    }
    if sent.bytes.len() > SIZE_LIMIT {
        return back(
            t,
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "record-too-large").into(),
            view,
        );
    }
    let choice = Choice {
        game: sent.game,
        encoding: sent.encoding,
        dead: None,
    };
    let named = with_names(&state, &event).await?;
    let (bytes, judged) = judge(sent.bytes, asked(&named, &board, &choice)).await?;
    let verdict = match judged {
        Ok(verdict) => verdict,
        Err(refusal) => {
            (view.games, view.more_games) = games(t, &refusal);
            view.problem = Some(ProblemView::of(if view.games.is_empty() {
                record::refusal(&refusal, language(t))
            } else {
                view.data = BASE64.encode(&bytes);
                t.with("record-several", "count", view.games.len() + view.more_games)
            }));
            return page_with(StatusCode::UNPROCESSABLE_ENTITY, &view);
        }
    };
    let new = new_record(t, &board, bytes, choice, &verdict);
    let mut tx = state.store.begin().await?;
    let put = match records::put(
        &mut tx,
        &change(&state, &actor, None),
        event.id,
        round,
        number,
        new,
    )
    .await
    {
        Ok(put) => put,
        Err(error) => return back(t, error.into(), view),
    };
    tx.commit().await?;
    let said = match put.done {
        Done::Brought => t.with("done-record", "board", number),
        Done::Replaced(_) => t.with("done-record-replaced", "board", number),
        Done::BroughtBack => t.with("done-record-again", "board", number),
        Done::Nothing => t.with("done-record-nothing", "board", number),
    };
    Ok(done(&path(&event.slug, round, number), &said))
}

/// The form with what is wrong.
fn back(t: Language, error: Error, view: RecordPage) -> Result<Response> {
    let status = match &error {
        Error::Problem(problem) => problem.status,
        Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let problem = Some(told(error, t)?);
    page_with(status, &RecordPage { problem, ..view })
}

/// The games of a file that holds several, and how many more are not listed.
fn games(t: Language, refusal: &Refusal) -> (Vec<GameChoice>, usize) {
    let RefusalKind::SeveralGames { games, of } = &refusal.kind else {
        return (Vec::new(), 0);
    };
    let named = |name: &str, side: &str| match record::harmless(name) {
        name if name.is_empty() => t.say(side),
        name => name,
    };
    let listed: Vec<GameChoice> = (1..)
        .zip(games)
        .map(|(number, game)| {
            let moves = t.with("record-moves", "count", game.nodes);
            let parts = [moves, record::harmless(&game.result)];
            GameChoice {
                number,
                black: named(&game.names.black, "black"),
                white: named(&game.names.white, "white"),
                details: t.list(parts.iter().filter(|part| !part.is_empty())),
            }
        })
        .collect();
    let more = of.saturating_sub(listed.len());
    (listed, more)
}
