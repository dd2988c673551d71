//! The log: who changed what, when, why. For directors.

use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::log::{self, Action, Filter, LogEntry, Subject};
use store::{Paging, Refused, events, undo};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::common::{
    Begun, ChangeRefusals, IdempotencyHeader, PageOf, ReadRefusals, Repeatable, RightRefusals, change,
    changed, json_bytes, lock_even_final, no_store, number,
};
use super::sheets::FinalIn as Why;
use crate::errors::{FieldProblem, Result};
use crate::extract::{Director, IdempotencyKey, InPath, InQuery, MaybeJson, Reader, bad_query};
use crate::state::AppState;

/// Which acts are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// How many to skip.
    pub offset: u32,
    /// How many at most, 1 to 500.
    pub limit: Option<u32>,
    /// Of this entry.
    pub entry: Option<u32>,
    /// Of this round, its boards included.
    pub round: Option<u32>,
    /// Of this board (with `round`).
    pub board: Option<u32>,
    /// Of this kind: `result-corrected` …
    pub action: Option<String>,
    /// Numbered below this one: the next page of a list that grows meanwhile.
    pub before: Option<i64>,
}

/// Who did something.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActorOut {
    /// The id of the user; null on the command line.
    pub user: Option<Uuid>,
    /// The name.
    pub name: String,
    /// In which role: `admin` or `director`.
    pub role: &'static str,
    /// Which way: `session`, `token`, `command_line`, or `code` for a player with the code of a board.
    pub via: &'static str,
}

/// What a change was made to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SubjectOut {
    /// The event and its settings.
    Event,
    /// An entry.
    Entry {
        /// Its number then.
        number: u32,
        /// Its key, which stays when numbers are drawn.
        #[serde(skip_serializing_if = "Option::is_none")]
        entry: Option<Uuid>,
    },
    /// A round.
    Round {
        /// The round.
        round: u32,
    },
    /// A board.
    Board {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
}

/// One act.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogLine {
    /// 1, 2, 3 … in each event, without a gap.
    pub seq: i64,
    /// When, to the microsecond.
    pub at: String,
    /// Who.
    pub actor: ActorOut,
    /// What was done: `result-entered`, `result-corrected`, `round-published` …
    pub action: &'static str,
    /// To what.
    pub subject: SubjectOut,
    /// What was there before; null when nothing was.
    pub before: Value,
    /// What is there after; null when nothing is.
    pub after: Value,
    /// Why.
    pub reason: Option<String>,
    /// SHA-256 over the hash of the act before and this act without its hash (`docs/log.md`).
    pub hash: String,
}

impl From<LogEntry> for LogLine {
    fn from(entry: LogEntry) -> Self {
        Self {
            seq: entry.seq,
            at: log::exact(entry.at),
            actor: ActorOut {
                user: entry.actor.user,
                name: entry.actor.name,
                role: entry.actor.role.as_str(),
                via: entry.actor.via.as_str(),
            },
            action: entry.action.as_str(),
            subject: match entry.subject {
                Subject::Event => SubjectOut::Event,
                Subject::Entry(number) => SubjectOut::Entry {
                    number: number.get(),
                    entry: entry.entry,
                },
                Subject::Round(round) => SubjectOut::Round { round },
                Subject::Board { round, board } => SubjectOut::Board { round, board },
            },
            before: entry.before,
            after: entry.after,
            reason: entry.reason,
            hash: entry.hash.to_string(),
        }
    }
}

fn action_of(word: &str) -> Result<Action> {
    let known = Action::ALL.into_iter().find(|action| action.as_str() == word);
    known.ok_or_else(|| {
        let expected = Action::ALL.map(Action::as_str).join(", ");
        bad_query(FieldProblem {
            path: "action".to_owned(),
            code: "unknown-word".into(),
            args: vec![("found", word.into()), ("expected", expected.into())],
            fallback: "no such action".to_owned(),
            ..FieldProblem::default()
        })
    })
}

/// Shows the log
///
/// The latest act first.
#[utoipa::path(get, path = "/events/{event}/log", tag = "log",
    params(("event" = String, Path, description = "The id or the slug"), LogQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = PageOf<LogLine>), RightRefusals, ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    _reader: Reader,
    InPath(key): InPath<String>,
    InQuery(query): InQuery<LogQuery>,
) -> Result<Response> {
    let action = query.action.as_deref().map(action_of).transpose()?;
    let filter = Filter {
        entry: query.entry.map(number).transpose()?,
        round: query.round,
        board: query.board,
        action,
        before: query.before,
        ..Filter::default()
    };
    let paging = Paging {
        offset: query.offset,
        limit: query
            .limit
            .unwrap_or(Paging::default().limit)
            .clamp(1, Paging::MOST),
    };
    let mut tx = state.store.snapshot().await?;
    let event = events::find(&mut tx, &key)
        .await?
        .ok_or_else(|| Refused::UnknownEvent { key: key.clone() })?;
    let page = log::list(&mut tx, &event, filter, paging).await?;
    changed(StatusCode::OK, None, &PageOf::of(page, paging, LogLine::from))
}

/// An act that was taken back, and the act that did it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Undone {
    /// What was taken back.
    pub undone: LogLine,
    /// The act by which it was, which can be taken back in its turn; null when nothing was left to change.
    pub by: Option<LogLine>,
}

/// Takes an act back
///
/// By the act that leads to what was there before; only while nothing later was done to the same board,
/// entry, round or settings, and only acts of kinds that can be undone. The refusal names what stands
/// in the way.
#[utoipa::path(post, path = "/events/{event}/log/{seq}/undo", tag = "log", request_body = Why,
    params(("event" = String, Path, description = "The id or the slug"),
        ("seq" = i64, Path, description = "The number of the act"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = Undone), ChangeRefusals))]
pub async fn undo(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, seq)): InPath<(String, i64)>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    MaybeJson { value, digest }: MaybeJson<Why>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock_even_final(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    let before = event.last_seq;
    let act = undo::undo(&mut tx, &change, &mut event, seq).await?;
    let one = Paging { offset: 0, limit: 1 };
    let last = log::list(&mut tx, &event, Filter::default(), one)
        .await?
        .items
        .pop();
    let out = Undone {
        undone: act.into(),
        by: last.filter(|act| act.seq > before).map(LogLine::from),
    };
    let response = repeatable
        .finish(&mut tx, &state, changed(StatusCode::OK, None, &out)?)
        .await?;
    tx.commit().await?;
    Ok(response)
}

/// The whole log of an event, from its first act on.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only its description is used; the file is written where it is read"
)]
struct LogFileOut {
    /// `tianyuan-log`.
    format: String,
    /// 1.
    version: i64,
    /// The id of the event: the chain begins with it.
    event: Uuid,
    /// Its name.
    name: String,
    /// The acts, the first one first.
    acts: Vec<LogLine>,
}

/// Gives the whole log as a file
///
/// Every act with its hash, the first one first: `tianyuan check` follows the chain, and compares it
/// with a head that was printed (`--head 412:3f2a91bc04d7`).
#[utoipa::path(get, path = "/events/{event}/log/file", tag = "log",
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = LogFileOut), RightRefusals, ReadRefusals))]
pub async fn file(
    State(state): State<AppState>,
    _reader: Reader,
    InPath(key): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = events::find(&mut tx, &key)
        .await?
        .ok_or_else(|| Refused::UnknownEvent { key: key.clone() })?;
    let text = log::export(&mut tx, &event).await?.write();
    let mut response = json_bytes(StatusCode::OK, text.into_bytes());
    no_store(&mut response);
    Ok(response)
}
