//! Game records: bringing, showing, withdrawing, and judging without keeping.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rules::{Asked, Komi, Point, Size};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::events::Event;
use store::records::{self, Choice, Contradiction, Done, Flagged, Kept, Record, Status};
use store::{Refused, Tx};
use tournament::Board;
use utoipa::{IntoParams, ToSchema};

use super::common::{
    ChangeRefusals, DraftRefusals, ReadRefusals, ReasonQuery, RightRefusals, change, changed,
    changed_meanwhile, find, lock, no_store, tagged,
};
use super::model::{Faults, OnRepetitionWord, RulesWord, moment};
use crate::auth;
use crate::errors::{Arg, Problem, Result};
use crate::extract::{IfMatch, InPath, InQuery, Peer, body, media_type};
use crate::i18n::Language;
use crate::records::{
    Judged, asked, bringer, judge, judge_kept, new_record, problem, told, with_names, work,
};
use crate::rights::{Caller, Director, Reader};
use crate::state::AppState;

/// The media type of a game record.
const SGF: &str = "application/x-go-sgf";
/// The kinds of content that a record comes as. Browsers and programs call it by each of them.
const TAKEN: [&str; 5] = [
    SGF,
    "application/sgf",
    "text/plain",
    "application/octet-stream",
    "text/x-sgf",
];
/// The header that carries the code of a board.
const CODE_HEADER: &str = "board-code";

// ---------------------------------------------------------------- what comes in

/// What a file leaves open, and the code of a player.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct RecordQuery {
    /// Which game of a file with several, from 1.
    #[param(minimum = 1)]
    pub game: Option<u32>,
    /// The encoding of its text, instead of finding out: `gb18030`, `big5`, `shift_jis`, `euc-kr`, `utf-8` …
    pub encoding: Option<String>,
    /// The dead stones as points of the record, joined by commas; empty when all live.
    #[param(example = "cc,dd")]
    pub dead: Option<String>,
    /// The code of the board, when a player brings the record; better in the header `Board-Code`.
    pub code: Option<String>,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// What a game is judged by.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct CheckQuery {
    /// The rules; those of the record when left out, else the Chinese.
    pub rules: Option<RulesWord>,
    /// The komi, a decimal in the unit of the rules.
    #[param(example = "3.75")]
    pub komi: Option<String>,
    /// How many handicap stones there should be; 0 for an even game.
    #[param(maximum = 1000)]
    pub handicap: Option<u32>,
    /// How many lines the board should have.
    #[param(minimum = 2, maximum = 52)]
    pub size: Option<u8>,
    /// What a repetition leads to; as the rules say when left out.
    pub on_repetition: Option<OnRepetitionWord>,
    /// The dead stones as points of the record, joined by commas; empty when all live.
    #[param(example = "cc,dd")]
    pub dead: Option<String>,
    /// Which game of a file with several, from 1.
    #[param(minimum = 1)]
    pub game: Option<u32>,
    /// The encoding of its text, instead of finding out.
    pub encoding: Option<String>,
}

fn dead_stones(text: Option<&str>, faults: &mut Faults) -> Option<Vec<Point>> {
    let mut points: Vec<Point> = Vec::new();
    for letters in text?
        .split(',')
        .map(str::trim)
        .filter(|letters| !letters.is_empty())
    {
        match Point::from_record(letters) {
            Some(point) => points.push(point),
            None => faults.add("dead", "not-a-point", letters, "not a point of a record"),
        }
    }
    // The same stones are the same choice, in whatever order they are named.
    points.sort_unstable();
    points.dedup();
    Some(points)
}

impl RecordQuery {
    fn choice(&self) -> Result<Choice> {
        let mut faults = Faults::default();
        let dead = dead_stones(self.dead.as_deref(), &mut faults);
        faults.none_or(Choice {
            game: self.game,
            encoding: self.encoding.clone().filter(|name| !name.is_empty()),
            dead,
        })
    }
}

impl CheckQuery {
    fn asked(self) -> Result<Asked> {
        let mut faults = Faults::default();
        let komi = self.komi.as_deref().and_then(|text| {
            text.parse::<Komi>()
                .map_err(|error| faults.add("komi", "not-a-komi", text, &error))
                .ok()
        });
        let size = self.size.and_then(|lines| {
            let size = Size::square(lines);
            if size.is_none() {
                let found = lines.to_string();
                faults.add("size", "not-a-board", &found, "a board has 2 to 52 lines");
            }
            size
        });
        let dead = dead_stones(self.dead.as_deref(), &mut faults);
        faults.none_or(Asked {
            rules: self.rules.map(Into::into),
            komi,
            handicap: self.handicap,
            size,
            on_repetition: self.on_repetition.map(Into::into),
            dead,
            game: self.game.and_then(|game| usize::try_from(game).ok()),
            encoding: self.encoding.filter(|name| !name.is_empty()),
            ..Asked::default()
        })
    }
}

/// The bytes of a record. Called once it is known that the caller may bring one.
async fn file(request: Request, state: &AppState) -> Result<Vec<u8>> {
    let media = media_type(request.headers());
    if media.is_some_and(|media| !TAKEN.contains(&media.as_str())) {
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type")
            .arg("expected", Arg::list(TAKEN))
            .into());
    }
    Ok(body(request, state).await?.to_vec())
}

// ---------------------------------------------------------------- what goes out

/// What has become of a record that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordStatus {
    /// It is the record of its board.
    Current,
    /// A later one has taken its place.
    Replaced,
    /// A director has taken it away from the board.
    Withdrawn,
}

impl From<Status> for RecordStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Current => Self::Current,
            Status::Replaced => Self::Replaced,
            Status::Withdrawn => Self::Withdrawn,
        }
    }
}

/// In what a record contradicts what is entered for its board now: its own result, what it counts to,
/// or its names, which are those of the board with the colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContradictionWord {
    /// The record's own result is another one.
    Result,
    /// It counts to another winner or margin.
    Count,
    /// Its names are those of the board with the colours exchanged.
    Names,
}

impl From<Contradiction> for ContradictionWord {
    fn from(contradiction: Contradiction) -> Self {
        match contradiction {
            Contradiction::Result => Self::Result,
            Contradiction::Count => Self::Count,
            Contradiction::Names => Self::Names,
        }
    }
}

/// A record that is kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptOut {
    /// 1, 2, 3 … of each game.
    pub version: u32,
    /// What has become of it.
    pub status: RecordStatus,
    /// SHA-256 of the file.
    pub sha256: String,
    /// How many bytes the file has.
    pub size: u32,
    /// Which game of the file was chosen, where it has several.
    pub game: Option<u32>,
    /// The encoding that was chosen; null where it was found out.
    pub encoding: Option<String>,
    /// The dead stones that were named; null where none were.
    pub dead: Option<Vec<String>>,
    /// When it was brought.
    pub brought_at: String,
    /// Whether it came with the code of the board.
    pub from_player: bool,
    /// Who brought it; directors only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brought_by: Option<String>,
    /// The board it was brought for.
    pub brought_for: u32,
    /// Who had Black there then.
    pub black: u32,
    /// Who had White there then.
    pub white: u32,
}

impl KeptOut {
    fn of(kept: &Kept, directs: bool) -> Self {
        let choice = &kept.choice;
        Self {
            version: kept.version,
            status: kept.status.into(),
            sha256: kept.hash_digits(),
            size: kept.size,
            game: choice.game,
            encoding: choice.encoding.clone(),
            dead: choice
                .dead
                .as_ref()
                .map(|dead| dead.iter().map(|point| point.to_record()).collect()),
            brought_at: moment(kept.brought_at),
            from_player: kept.from_player,
            brought_by: directs.then(|| kept.brought_by.clone()),
            brought_for: kept.brought_for,
            black: kept.players.0.get(),
            white: kept.players.1.get(),
        }
    }
}

/// A board by its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BoardAt {
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
}

/// The record of a board, judged against the board as it is now.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordOut {
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// What is kept.
    pub record: KeptOut,
    /// False when it was there already: nothing was written then. Only in the answer to a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<bool>,
    /// The version whose place it took, which is kept. Only in the answer to a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<u32>,
    /// Whether it contradicts what is entered for the board. It changes nothing by itself.
    pub contradicts: bool,
    /// In what.
    pub contradictions: Vec<ContradictionWord>,
    /// Other boards of the event to which the same game of the same file is attached.
    pub duplicate_of: Vec<BoardAt>,
    /// The verdict, as `docs/record.md` describes it; null when the file cannot be judged any more, as
    /// after a change of the event's board.
    #[schema(value_type = Option<Object>)]
    pub verdict: Option<Value>,
    /// How many moves the verdict leaves out: it lists the first 5,000.
    pub moves_left_out: usize,
    /// Why the file cannot be judged any more.
    #[schema(value_type = Option<Object>)]
    pub refusal: Option<Value>,
}

/// All records that are kept for the game of a board.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordsKept {
    /// The latest first.
    pub items: Vec<RecordVersion>,
}

/// A record that is kept, with the verdict as it was given when it was brought.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordVersion {
    /// What is kept.
    #[serde(flatten)]
    pub record: KeptOut,
    /// The verdict then, without its lists of moves and points.
    #[schema(value_type = Object)]
    pub verdict: Value,
}

/// A record that was withdrawn or brought back.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordChanged {
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// The record.
    pub record: KeptOut,
    /// False when nothing was written.
    pub changed: bool,
}

/// A verdict on a file that is not kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checked {
    /// The verdict, as `docs/record.md` describes it.
    #[schema(value_type = Object)]
    pub verdict: Value,
    /// How many moves it leaves out: it lists the first 5,000.
    pub moves_left_out: usize,
}

/// A board at whose record a director is to look.
#[derive(Debug, Serialize, ToSchema)]
pub struct FlaggedOut {
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// The version of its record.
    pub version: u32,
    /// Whether it came with the code of the board.
    pub from_player: bool,
    /// In what it contradicts what is entered now; empty where only the game itself is not in order.
    pub contradictions: Vec<ContradictionWord>,
    /// Whether it can be judged no longer: the event is played on another board now.
    pub other_board: bool,
    /// Whether the game stands, as in a verdict; as it was given when the record came.
    pub standing: &'static str,
    /// The record's own result as it is written.
    pub recorded: Option<String>,
}

impl From<&Flagged> for FlaggedOut {
    fn from(flagged: &Flagged) -> Self {
        Self {
            round: flagged.round,
            board: flagged.board,
            version: flagged.version,
            from_player: flagged.from_player,
            contradictions: flagged.contradictions.iter().copied().map(Into::into).collect(),
            other_board: flagged.other_board,
            standing: flagged.summary.standing_word(),
            recorded: flagged
                .summary
                .recorded
                .as_ref()
                .map(|recorded| recorded.text.clone()),
        }
    }
}

/// What of the records of an event a director is to look at.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordsOfEvent {
    /// Boards whose record contradicts what is entered now, or whose game is not in order.
    pub flagged: Vec<FlaggedOut>,
    /// Records of games that no table has any more. They are the board's again when the two meet in
    /// that round.
    pub without_board: Vec<LostOut>,
}

/// A record of a game that no table has any more.
#[derive(Debug, Serialize, ToSchema)]
pub struct LostOut {
    /// The round.
    pub round: u32,
    /// What is kept.
    #[serde(flatten)]
    pub record: KeptOut,
}

/// The code of a board.
#[derive(Debug, Serialize, ToSchema)]
pub struct CodeOut {
    /// The board.
    pub board: u32,
    /// The code.
    #[schema(example = "abcd-efgh-ijkm")]
    pub code: String,
}

/// The codes of a round.
#[derive(Debug, Serialize, ToSchema)]
pub struct CodesOut {
    /// The round.
    pub round: u32,
    /// Board by board. Empty when players do not bring records.
    pub items: Vec<CodeOut>,
}

// ---------------------------------------------------------------- handlers

/// A board that the caller may see: for the public a draft is not there at all.
fn board_of(event: &Event, (round, board): (u32, u32), directs: bool) -> Result<&Board> {
    records::published_board(event, round, board).map_err(|error| match error {
        store::Error::Refused(Refused::NotPublished { .. }) if !directs => {
            Refused::UnknownRound { round }.into()
        }
        error => error.into(),
    })
}

/// A verdict or a refusal as it is shown.
struct Told {
    verdict: Option<Value>,
    moves_left_out: usize,
    refusal: Option<Value>,
}

impl Told {
    fn of(judged: Judged, t: Language) -> Self {
        match judged {
            Ok(verdict) => {
                let (verdict, moves_left_out) = told(verdict, t);
                Self {
                    verdict: Some(verdict),
                    moves_left_out,
                    refusal: None,
                }
            }
            Err(refusal) => Self {
                verdict: None,
                moves_left_out: 0,
                refusal: Some(interchange::record::refusal_json(
                    &refusal,
                    crate::records::language(t),
                )),
            },
        }
    }
}

/// The record of a board with its verdict now.
async fn shown(
    tx: &mut Tx,
    event: &Event,
    at: (u32, u32),
    kept: &Kept,
    told: Told,
    directs: bool,
) -> Result<RecordOut> {
    let (round, board) = at;
    let Told {
        verdict,
        moves_left_out,
        refusal,
    } = told;
    let contradictions: Vec<ContradictionWord> =
        records::contradictions_of(kept, event, board_of(event, at, true)?)
            .into_iter()
            .map(Into::into)
            .collect();
    let by_verdict = verdict
        .as_ref()
        .is_some_and(|verdict| verdict["contradicts"].as_bool() == Some(true));
    Ok(RecordOut {
        round,
        board,
        record: KeptOut::of(kept, directs),
        changed: None,
        replaced: None,
        contradicts: by_verdict || !contradictions.is_empty(),
        contradictions,
        duplicate_of: records::duplicates(tx, event.id, kept)
            .await?
            .into_iter()
            .map(|(round, board)| BoardAt { round, board })
            .collect(),
        verdict,
        moves_left_out,
        refusal,
    })
}

/// Whether a caller asks for the file rather than for what is said of it: names it, and nothing of JSON
/// with more weight.
fn wants_file(headers: &HeaderMap) -> bool {
    let (mut file, mut json) = (0.0, 0.0);
    let values = headers
        .get_all(header::ACCEPT)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    for one in values.flat_map(|value| value.split(',')) {
        let mut parts = one.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default();
        let weight = parts
            .filter_map(|part| part.split_once('='))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
            .map_or(1.0, |(_, weight)| weight.trim().parse::<f32>().unwrap_or(0.0));
        if kind.eq_ignore_ascii_case(SGF) {
            file = weight;
        } else if kind.eq_ignore_ascii_case("application/json") {
            json = weight;
        }
    }
    file > 0.0 && file >= json
}

/// A file to be downloaded: never shown by a browser, whatever is in it.
fn attachment(round: u32, board: u32, record: Record) -> Result<Response> {
    let name = format!("attachment; filename=\"round-{round}-board-{board}.sgf\"");
    let mut response = Body::from(record.bytes).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(SGF));
    headers.insert(
        header::CONTENT_DISPOSITION,
        HeaderValue::from_str(&name).map_err(crate::errors::Error::internal)?,
    );
    headers.insert(
        header::VARY,
        HeaderValue::from_static("accept, authorization, cookie"),
    );
    no_store(&mut response);
    Ok(response)
}

/// Brings the record of a board
///
/// The body is the file as it is, at most 1 MiB. Directors bring records of every board of a published
/// round; where the event takes records from players, a player does with the code of the board. The record
/// is judged by the event's rules and kept with the verdict. One that contradicts the entered result is
/// kept and flagged; no result is ever changed by a record. An earlier record is kept too. The same file
/// with the same choices again is a success that writes nothing.
///
/// A file that cannot be judged is refused with 422: `refusal` has its code, the place in the file, and of
/// several games the list to choose from. At most 20 records are kept of each game, 5 of them from
/// players, and 256 MiB from players in an event.
#[utoipa::path(put, path = "/events/{event}/rounds/{round}/boards/{board}/record", tag = "records",
    request_body(content((String = "application/x-go-sgf"), (String = "text/plain"), (String = "application/octet-stream"))),
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path),
        RecordQuery,
        ("Board-Code" = Option<String>, Header, description = "The code of the board, when a player brings the record")),
    security(("token" = []), ("session" = []), ()),
    responses((status = 201, description = "Kept", body = RecordOut, headers(("ETag" = String))),
        (status = 200, description = "It was kept already", body = RecordOut, headers(("ETag" = String))), ChangeRefusals,
        (status = 429, description = "Too many codes were tried", body = crate::errors::ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn put(
    State(state): State<AppState>,
    caller: Caller,
    peer: Peer,
    t: Language,
    InPath((key, round, number)): InPath<(String, u32, u32)>,
    InQuery(query): InQuery<RecordQuery>,
    request: Request,
) -> Result<Response> {
    let event = find(&mut state.store.snapshot().await?, &key, &caller).await?;
    let board = *board_of(&event, (round, number), caller.sees_all())?;
    let code = request
        .headers()
        .get(CODE_HEADER)
        .and_then(|code| code.to_str().ok())
        .or(query.code.as_deref());
    let actor = bringer(&state, &caller, peer, &event, (round, &board), code).await?;
    let event = with_names(&state, &event).await?;
    let choice = query.choice()?;
    let bytes = file(request, &state).await?;
    let (bytes, judged) = judge(bytes, asked(&event, &board, &choice)).await?;
    let verdict = judged.map_err(|refusal| problem(&refusal, t))?;
    let (new, told) = work(move || {
        let new = new_record(t, &board, bytes, choice, &verdict);
        (new, Told::of(Ok(verdict), t))
    })
    .await?;
    let mut tx = state.store.begin().await?;
    let change = change(&state, &actor, query.reason.as_deref());
    let put = records::put(&mut tx, &change, event.id, round, number, new).await?;
    let mut out = shown(
        &mut tx,
        &event,
        (round, number),
        &put.record,
        told,
        caller.sees_all(),
    )
    .await?;
    out.changed = Some(put.done != Done::Nothing);
    out.replaced = match put.done {
        Done::Replaced(version) => Some(version),
        _ => None,
    };
    let status = match put.done {
        Done::Brought | Done::Replaced(_) => StatusCode::CREATED,
        Done::BroughtBack | Done::Nothing => StatusCode::OK,
    };
    let response = changed(status, Some(put.record.version.into()), &out)?;
    tx.commit().await?;
    Ok(response)
}

/// Shows the record of a board
///
/// Judged against the board as it is now. To the public there is none where the name of a player is
/// withheld. With `Accept: application/x-go-sgf` the file as it came.
#[utoipa::path(get, path = "/events/{event}/rounds/{round}/boards/{board}/record", tag = "records",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path)),
    responses((status = 200, content((RecordOut = "application/json"), (String = "application/x-go-sgf")),
        headers(("ETag" = String))), (status = 304, description = "Unchanged"), DraftRefusals, ReadRefusals))]
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    t: Language,
    InPath((key, round, number)): InPath<(String, u32, u32)>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let board = *board_of(&event, (round, number), caller.sees_all())?;
    let kept = records::current_kept(&mut tx, event.id, round, number)
        .await?
        .filter(|_| caller.reads_record(&event, &board))
        .ok_or(Refused::NoRecord { round, board: number })?;
    if wants_file(&headers) {
        let record = records::with_file(&mut tx, event.id, kept).await?;
        return attachment(round, number, record);
    }
    // No connection is held while it waits to be judged.
    drop(tx);
    let judged = judge_kept(&state, &event, &board, &kept).await?;
    let told = work(move || Told::of(Arc::unwrap_or_clone(judged), t)).await?;
    let mut tx = state.store.snapshot().await?;
    let out = shown(&mut tx, &event, (round, number), &kept, told, caller.sees_all()).await?;
    let mut response = tagged(&headers, &caller, Some(kept.version.into()), &out)?;
    response
        .headers_mut()
        .append(header::VARY, HeaderValue::from_static("accept, accept-language"));
    Ok(response)
}

/// Withdraws the record of a board
///
/// The board has no record then; the file is kept and can be brought back. With `If-Match` only when the
/// record is still the one that the caller has seen.
#[utoipa::path(delete, path = "/events/{event}/rounds/{round}/boards/{board}/record", tag = "records",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path),
        ReasonQuery, super::common::IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = RecordChanged), ChangeRefusals,
        (status = 412, description = "It is another record now", body = crate::errors::ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn withdraw(
    State(state): State<AppState>,
    Director(actor): Director,
    caller: Caller,
    InPath((key, round, board)): InPath<(String, u32, u32)>,
    InQuery(query): InQuery<ReasonQuery>,
    if_match: IfMatch,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let mut expected = None;
    if let Some(seen) = if_match.versions() {
        let kept = records::all_of_board(&mut tx, event.id, round, board).await?;
        let current = kept.iter().find(|kept| kept.status == Status::Current);
        if let Some(current) = current.filter(|current| !seen.contains(&current.version.into())) {
            let now = KeptOut::of(current, true);
            return Err(changed_meanwhile(current.version.into(), &now));
        }
        expected = current.map(|current| current.version);
    }
    let change = change(&state, &actor, query.reason.as_deref());
    let kept = records::withdraw(&mut tx, &change, event.id, round, board, expected).await?;
    let out = RecordChanged {
        round,
        board,
        record: KeptOut::of(&kept, true),
        changed: true,
    };
    let response = changed(StatusCode::OK, None, &out)?;
    tx.commit().await?;
    Ok(response)
}

/// Lists all records that are kept for the game of a board
///
/// With those that were replaced or withdrawn; for directors.
#[utoipa::path(get, path = "/events/{event}/rounds/{round}/boards/{board}/records", tag = "records",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path)),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = RecordsKept), DraftRefusals, RightRefusals, ReadRefusals))]
pub async fn versions(
    State(state): State<AppState>,
    _reader: Reader,
    caller: Caller,
    InPath((key, round, board)): InPath<(String, u32, u32)>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    board_of(&event, (round, board), true)?;
    let items = records::all_of_board(&mut tx, event.id, round, board)
        .await?
        .into_iter()
        .map(|kept| RecordVersion {
            record: KeptOut::of(&kept, true),
            verdict: kept.verdict,
        })
        .collect();
    tagged(&headers, &caller, None, &RecordsKept { items })
}

/// Gives out the file of a record that is kept, whatever has become of it
#[utoipa::path(get, path = "/events/{event}/rounds/{round}/boards/{board}/records/{version}", tag = "records",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path),
        ("version" = u32, Path)),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = String, content_type = "application/x-go-sgf"), DraftRefusals,
        RightRefusals, ReadRefusals))]
pub async fn version(
    State(state): State<AppState>,
    _reader: Reader,
    caller: Caller,
    InPath((key, round, board, version)): InPath<(String, u32, u32, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    board_of(&event, (round, board), true)?;
    let record = records::version(&mut tx, event.id, round, board, version)
        .await?
        .ok_or(Refused::NoRecord { round, board })?;
    attachment(round, board, record)
}

/// Makes a record that is kept the board's record again
///
/// Undoes a withdrawal, or the bringing of another record; the one in its place is kept.
#[utoipa::path(post, path = "/events/{event}/rounds/{round}/boards/{board}/records/{version}/bring-back",
    tag = "records",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path),
        ("version" = u32, Path), ReasonQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = RecordChanged, headers(("ETag" = String))), ChangeRefusals))]
pub async fn bring_back(
    State(state): State<AppState>,
    Director(actor): Director,
    caller: Caller,
    InPath((key, round, board, version)): InPath<(String, u32, u32, u32)>,
    InQuery(query): InQuery<ReasonQuery>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let change = change(&state, &actor, query.reason.as_deref());
    let (kept, written) = records::bring_back(&mut tx, &change, event.id, round, board, version).await?;
    let out = RecordChanged {
        round,
        board,
        record: KeptOut::of(&kept, true),
        changed: written,
    };
    let response = changed(StatusCode::OK, Some(kept.version.into()), &out)?;
    tx.commit().await?;
    Ok(response)
}

/// Lists what of the records of an event a director is to look at
///
/// Compared with the results as they are now.
#[utoipa::path(get, path = "/events/{event}/records", tag = "records",
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = RecordsOfEvent), RightRefusals, ReadRefusals))]
pub async fn of_event(
    State(state): State<AppState>,
    _reader: Reader,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let out = RecordsOfEvent {
        flagged: records::flagged(&mut tx, &event)
            .await?
            .iter()
            .map(Into::into)
            .collect(),
        without_board: records::without_board(&mut tx, event.id)
            .await?
            .iter()
            .map(|kept| LostOut {
                round: kept.round,
                record: KeptOut::of(kept, true),
            })
            .collect(),
    };
    tagged(&headers, &caller, None, &out)
}

/// Lists the codes by which players bring the records of their boards
///
/// For directors, who hand them out. A code is for one board and its two players, and void when somebody
/// else sits there.
#[utoipa::path(get, path = "/events/{event}/rounds/{round}/codes", tag = "records",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path)),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = CodesOut), DraftRefusals, RightRefusals, ReadRefusals))]
pub async fn codes(
    State(state): State<AppState>,
    _director: Director,
    caller: Caller,
    InPath((key, round)): InPath<(String, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let out = codes_of(&mut tx, &event, round).await?;
    changed(StatusCode::OK, None, &out)
}

async fn codes_of(tx: &mut Tx, event: &Event, round: u32) -> Result<CodesOut> {
    let table = event.stage.rounds.iter().find(|table| table.round == round);
    let table = table.ok_or(Refused::UnknownRound { round })?;
    let published = event
        .round_info(round)
        .is_some_and(|info| info.status == store::events::RoundStatus::Published);
    if !published {
        return Err(Refused::NotPublished { round }.into());
    }
    let codes = records::codes(tx, event.id).await?;
    let items = codes
        .filter(|_| event.records.from_players)
        .map(|codes| {
            let boards = table.boards.iter();
            boards
                .map(|board| CodeOut {
                    board: board.board,
                    code: codes.of(round, board),
                })
                .collect()
        })
        .unwrap_or_default();
    Ok(CodesOut { round, items })
}

/// Makes all codes of an event anew
///
/// Those that were handed out are void from then on.
#[utoipa::path(post, path = "/events/{event}/codes/renew", tag = "records",
    params(("event" = String, Path, description = "The id or the slug"), ReasonQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "All codes are new"), ChangeRefusals))]
pub async fn renew_codes(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    InQuery(query): InQuery<ReasonQuery>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, query.reason.as_deref());
    records::renew_codes(&mut tx, &change, &mut event).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Judges a record and keeps nothing
///
/// Needs no account. The body is the file as it is, at most 1 MiB; without an account 120 files a minute
/// from one address.
#[utoipa::path(post, path = "/records/check", tag = "records",
    request_body(content((String = "application/x-go-sgf"), (String = "text/plain"), (String = "application/octet-stream"))),
    params(CheckQuery),
    security(("token" = []), ("session" = []), ()),
    responses((status = 200, body = Checked), ChangeRefusals,
        (status = 429, description = "Too many files in a minute", body = crate::errors::ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn check(
    State(state): State<AppState>,
    caller: Caller,
    peer: Peer,
    t: Language,
    InQuery(query): InQuery<CheckQuery>,
    request: Request,
) -> Result<Response> {
    if caller.actor.is_none() {
        auth::check(&state, peer)?;
    }
    let asked = query.asked()?;
    let bytes = file(request, &state).await?;
    let judged = work(move || rules::judge(&bytes, &asked).map(|verdict| told(verdict, t))).await?;
    let (verdict, moves_left_out) = judged.map_err(|refusal| problem(&refusal, t))?;
    changed(
        StatusCode::OK,
        None,
        &Checked {
            verdict,
            moves_left_out,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_given_out_to_whom_it_is_welcome() {
        for (accept, file) in [
            ("application/x-go-sgf", true),
            ("application/x-go-sgf;q=0.5", true),
            ("Application/X-Go-SGF, */*;q=0.1", true),
            ("application/x-go-sgf, application/json", true),
            ("application/x-go-sgf;q=0, application/json", false),
            ("application/x-go-sgf; q=0.3, application/json", false),
            ("application/x-go-sgf;q=0", false),
            ("application/json", false),
            ("*/*", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            assert_eq!(wants_file(&headers), file, "{accept}");
        }
    }
}
