//! `/manage/e/{slug}/records` and what directors do with the record of a board: which records
//! contradict what was entered, the codes by which players bring theirs, dead stones, encodings.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use interchange::record;
use rules::Standing;
use store::Tx;
use store::events::{Event, RoundStatus};
use store::records::{self as stored, Choice, Flagged, Kept, Record, Status};

use super::board::told_result;
use super::{Fields, change, event_of, locked, secret_page};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Peer, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit, done, encoded};
use crate::pages::public::diagram::Position;
use crate::pages::public::game::{named_dead, path, unknown_dead};
use crate::pages::tables::{Field, SeatView};
use crate::pages::words::Mark;
use crate::pages::{page, words};
use crate::records::{asked, judge, language, new_record};
use crate::state::AppState;

/// A board at whose record a director is to look.
#[derive(Clone, Debug, Default)]
pub struct FlaggedRow {
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// Who has Black.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// The board's page.
    pub href: String,
    /// Where the result is changed.
    pub result_href: String,
    /// The entered result.
    pub entered: String,
    /// The record's own result.
    pub recorded: String,
    /// What it counts to.
    pub counted: String,
    /// What is the matter.
    pub marks: Vec<Mark>,
}

/// A record whose game no table has any more.
#[derive(Clone, Debug, Default)]
pub struct LooseRow {
    /// Where it was brought.
    pub place: String,
    /// Whose game it is.
    pub players: String,
    /// When it came.
    pub at: String,
}

/// The records at which a director is to look.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/records.html")]
pub struct RecordsPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// The boards.
    pub rows: Vec<FlaggedRow>,
    /// Records without a board.
    pub loose: Vec<LooseRow>,
    /// The rounds for which there are codes, with the page of each.
    pub codes: Vec<(u32, String)>,
}

/// A word on what a record contradicts, or on a game that is not in order.
fn marks(t: Language, flagged: &Flagged) -> Vec<Mark> {
    let standing = (flagged.summary.standing != Standing::Legal)
        .then(|| record::standing_said(flagged.summary.standing, language(t)).to_owned());
    let against = flagged
        .contradictions
        .iter()
        .map(|one| Mark::now(t.say(&format!("record-against-{}", one.as_str()))));
    let other_board = flagged
        .other_board
        .then(|| Mark::now(t.say("record-other-board")));
    against
        .chain(other_board)
        .chain(standing.map(Mark::quiet))
        .collect()
}

/// Builds the list.
pub fn view(visit: &Visit, event: &Event, flagged: &[Flagged], loose: &[Kept]) -> RecordsPage {
    let t = visit.t;
    let unit = event.rules.unit();
    let mut fields: BTreeMap<u32, Field<'_>> = BTreeMap::new();
    let rows = flagged.iter().filter_map(|one| {
        let board = stored::published_board(event, one.round, one.board).ok()?;
        let field = fields
            .entry(one.round)
            .or_insert_with(|| Field::before(t, &event.slug, &event.stage, one.round));
        let href = path(&event.slug, one.round, one.board);
        let recorded = one.summary.recorded.as_ref();
        Some(FlaggedRow {
            round: one.round,
            board: one.board,
            black: field.seat_view(board.black),
            white: field.seat_view(board.white),
            result_href: format!("/manage{href}"),
            href,
            entered: told_result(t, unit, board),
            recorded: recorded.map_or_else(
                || t.say("game-not-written"),
                |it| record::recorded(it, language(t)),
            ),
            counted: one.summary.counted.map_or_else(
                || "–".to_owned(),
                |it| it.margin.said(it.rules.unit(), language(t)),
            ),
            marks: marks(t, one),
        })
    });
    let rows = rows.collect();
    RecordsPage {
        t,
        frame: visit.frame_of(event, "records"),
        event_name: event.name.clone(),
        rows,
        loose: loose
            .iter()
            .map(|kept| LooseRow {
                place: t.with2("board-of-round", "round", kept.round, "board", kept.brought_for),
                players: [kept.players.0, kept.players.1]
                    .map(|number| words::person(t, &event.stage, number))
                    .join(" – "),
                at: words::moment_of(t, &event.schedule, kept.brought_at),
            })
            .collect(),
        codes: codes_of(event),
    }
}

/// The published rounds with the page of their codes, where players bring records.
fn codes_of(event: &Event) -> Vec<(u32, String)> {
    let published = event
        .rounds
        .iter()
        .filter(|info| info.status == RoundStatus::Published);
    published
        .filter(|_| event.records.from_players)
        .map(|info| (info.round, codes_href(event, info.round)))
        .collect()
}

/// The page of a round's codes.
pub fn codes_href(event: &Event, round: u32) -> String {
    format!("/manage/e/{}/rounds/{round}/codes", event.slug)
}

/// One sentence on the records that contradict what was entered, for the overview.
pub fn sentence(t: Language, flagged: &[Flagged]) -> Option<String> {
    if flagged.is_empty() {
        return None;
    }
    let mut boards: Vec<String> = flagged
        .iter()
        .take(6)
        .map(|one| t.with2("board-of-round", "round", one.round, "board", one.board))
        .collect();
    if flagged.len() > 6 {
        boards.push("…".to_owned());
    }
    Some(t.with2(
        "records-flagged",
        "count",
        flagged.len(),
        "boards",
        t.list(boards),
    ))
}

/// The list.
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
    let flagged = stored::flagged(&mut tx, &event).await?;
    let loose = stored::without_board(&mut tx, event.id).await?;
    page(&view(&visit, &event, &flagged, &loose))
}

// ---------------------------------------------------------------- codes

/// The code of a board.
#[derive(Clone, Debug, Default)]
pub struct CodeRow {
    /// The board.
    pub board: u32,
    /// Who has Black, or is named first.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// The code.
    pub code: String,
    /// The link that holds it.
    pub link: String,
}

/// The codes of a round, to be printed and given out.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/codes.html")]
pub struct CodesPage {
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
    /// Why there are none.
    pub closed: Option<String>,
    /// The boards.
    pub rows: Vec<CodeRow>,
}

/// Builds the list of codes; `codes` tells the code of a board.
pub fn codes_view(
    visit: &Visit,
    event: &Event,
    round: u32,
    base: &str,
    codes: Option<&dyn Fn(&tournament::Board) -> String>,
) -> Option<CodesPage> {
    let t = visit.t;
    let info = event.round_info(round)?;
    let table = event.stage.rounds.iter().find(|table| table.round == round)?;
    if info.status != RoundStatus::Published {
        return None;
    }
    let field = Field::before(t, &event.slug, &event.stage, round);
    let codes = codes.filter(|_| event.records.from_players);
    let rows = table.boards.iter().filter_map(|board| {
        let code = codes?(board);
        Some(CodeRow {
            board: board.board,
            black: field.seat_view(board.black),
            white: field.seat_view(board.white),
            link: format!(
                "{base}{}/record?code={}",
                path(&event.slug, round, board.board),
                encoded(&code)
            ),
            code,
        })
    });
    Some(CodesPage {
        t,
        frame: visit.frame_of_round(event, "rounds", round),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round,
        closed: codes.is_none().then(|| t.say("codes-closed")),
        rows: rows.collect(),
    })
}

/// The codes of a round.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn codes(
    State(state): State<AppState>,
    Director(_): Director,
    peer: Peer,
    headers: HeaderMap,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let codes = stored::codes(&mut tx, event.id).await?;
    let told = codes.map(|codes| move |board: &tournament::Board| codes.of(round, board));
    let told = told
        .as_ref()
        .map(|told| told as &dyn Fn(&tournament::Board) -> String);
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    let scheme = if peer.https { "https" } else { "http" };
    let here = format!("{scheme}://{host}");
    let base = state.config.base_url.as_deref().unwrap_or(&here);
    secret_page(&codes_view(&visit, &event, round, base, told).ok_or_else(Error::not_found)?)
}

/// Makes all codes anew.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn renew(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    if !fields.ticked("void") {
        return Ok(done(&codes_href(&event, round), &visit.t.say("codes-renew-tick")));
    }
    stored::renew_codes(&mut tx, &change(&state, &actor, None), &mut event).await?;
    tx.commit().await?;
    Ok(done(&codes_href(&event, round), &visit.t.say("done-codes")))
}

// ---------------------------------------------------------------- one record

/// A record that was brought for a game, as directors see it.
#[derive(Clone, Debug, Default)]
pub struct RecordLine {
    /// Its version.
    pub version: u32,
    /// What has become of it.
    pub mark: String,
    /// When and by whom.
    pub words: String,
    /// Whether it is the board's record.
    pub current: bool,
    /// The file.
    pub file_href: String,
}

/// Everything that was brought for the game of a board, the latest first.
pub fn lines(t: Language, event: &Event, round: u32, board: u32, kept: &[Kept]) -> Vec<RecordLine> {
    kept.iter()
        .map(|one| RecordLine {
            version: one.version,
            mark: t.say(match one.status {
                Status::Current => "record-current",
                Status::Replaced => "record-replaced",
                Status::Withdrawn => "record-withdrawn",
            }),
            words: t.tell(
                "game-came",
                &[
                    ("who", one.brought_by.clone().into()),
                    ("at", words::moment_of(t, &event.schedule, one.brought_at).into()),
                    ("version", one.version.into()),
                ],
            ),
            current: one.status == Status::Current,
            file_href: format!(
                "/manage{}/record/{}",
                path(&event.slug, round, board),
                one.version
            ),
        })
        .collect()
}

/// The record of a board, and that it is still the one the reader has seen.
async fn seen(tx: &mut Tx, event: &Event, at: (u32, u32), fields: &Fields) -> Result<Record> {
    let (round, board) = at;
    let record = stored::current(tx, event.id, round, board).await?;
    let record = record.ok_or_else(Error::not_found)?;
    if fields.version() == Some(record.kept.version.into()) {
        return Ok(record);
    }
    Err(Problem::new(StatusCode::CONFLICT, "record-changed")
        .arg("board", board)
        .into())
}

/// Reads the board's record again with another choice, and keeps it so.
async fn again(
    state: &AppState,
    visit: &Visit,
    actor: &store::Actor,
    event: &Event,
    at: (u32, u32),
    record: Record,
    choice: Choice,
) -> Result<()> {
    let board = stored::published_board(event, at.0, at.1)?;
    let (bytes, judged) = judge(record.bytes, asked(event, board, &choice)).await?;
    let verdict = judged.map_err(|refusal| {
        let told = record::refusal(&refusal, language(visit.t));
        Error::from(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "record-unreadable").arg("told", told))
    })?;
    let new = new_record(visit.t, board, bytes, choice, &verdict);
    let mut tx = state.store.begin().await?;
    stored::put(&mut tx, &change(state, actor, None), event.id, at.0, at.1, new).await?;
    tx.commit().await?;
    Ok(())
}

/// Keeps dead stones with the board's record.
///
/// # Errors
/// `sign-in-needed`, `not-found`, `record-changed`.
pub async fn dead(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round, board)): InPath<(String, u32, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let seated = stored::published_board(&event, round, board)?;
    let record = seen(&mut tx, &event, (round, board), &fields).await?;
    drop(tx);
    let (bytes, judged) = judge(record.bytes, asked(&event, seated, &record.kept.choice)).await?;
    let verdict = judged.map_err(|_| Error::not_found())?;
    let named = named_dead(&Position::after(&verdict, usize::MAX), fields.get("dead"));
    if let Some(told) = unknown_dead(visit.t, &named) {
        return Err(
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "record-unreadable")
                .arg("told", told)
                .into(),
        );
    }
    let choice = Choice {
        dead: Some(named.dead),
        ..record.kept.choice.clone()
    };
    let record = Record { bytes, ..record };
    again(&state, &visit, &actor, &event, (round, board), record, choice).await?;
    Ok(done(
        &format!("{}#count", path(&slug, round, board)),
        &visit.t.say("done-dead"),
    ))
}

/// Reads the board's record in another encoding.
///
/// # Errors
/// `sign-in-needed`, `not-found`, `record-changed`.
pub async fn encoding(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round, board)): InPath<(String, u32, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let record = seen(&mut tx, &event, (round, board), &fields).await?;
    drop(tx);
    let choice = Choice {
        encoding: fields.some("encoding"),
        ..record.kept.choice.clone()
    };
    again(&state, &visit, &actor, &event, (round, board), record, choice).await?;
    Ok(done(&path(&slug, round, board), &visit.t.say("done-encoding")))
}

/// Takes the record away from its board; it is kept.
///
/// # Errors
/// `sign-in-needed`, `not-found`, `record-changed`.
pub async fn withdraw(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round, board)): InPath<(String, u32, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    let reason = fields.some("reason");
    let expected = fields.version().and_then(|version| u32::try_from(version).ok());
    let change = change(&state, &actor, reason.as_deref());
    stored::withdraw(&mut tx, &change, event.id, round, board, expected).await?;
    tx.commit().await?;
    let here = format!("/manage{}#records", path(&slug, round, board));
    Ok(done(
        &here,
        &visit.t.with("done-record-withdrawn", "board", board),
    ))
}

/// Makes a record that is kept the board's record again.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn bring_back(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round, board)): InPath<(String, u32, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    let version = fields.version().and_then(|version| u32::try_from(version).ok());
    let version = version.ok_or_else(Error::not_found)?;
    let change = change(&state, &actor, None);
    stored::bring_back(&mut tx, &change, event.id, round, board, version).await?;
    tx.commit().await?;
    let here = format!("/manage{}#records", path(&slug, round, board));
    Ok(done(&here, &visit.t.with("done-record-again", "board", board)))
}

/// The file of any record that was brought for the game of a board.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn file(
    State(state): State<AppState>,
    Reader(_): Reader,
    InPath((slug, round, board, version)): InPath<(String, u32, u32, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let record = stored::version(&mut tx, event.id, round, board, version).await?;
    let record = record.ok_or_else(Error::not_found)?;
    Ok(crate::pages::public::game::file_response(round, board, record))
}
