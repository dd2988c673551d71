//! The log: who changed what, when, why. For directors.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::log::{self, Action, Filter, LogEntry, Subject};
use store::{Paging, Refused, events};
use utoipa::{IntoParams, ToSchema};

use super::common::{PageOf, ReadRefusals, changed, number};
use super::model::moment;
use crate::errors::{Problem, Result};
use crate::extract::{Director, InPath, InQuery};
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
    /// The name.
    pub name: String,
    /// In which role: `admin` or `director`.
    pub role: &'static str,
    /// Which way: `session`, `token` or `command_line`.
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
        /// Its number.
        number: u32,
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
    /// When.
    pub at: String,
    /// Who.
    pub actor: ActorOut,
    /// What was done: `result-entered`, `result-corrected`, `round-published` …
    pub action: &'static str,
    /// To what.
    pub subject: SubjectOut,
    /// What was there before; null when nothing was.
    #[schema(value_type = Object)]
    pub before: Value,
    /// What is there after; null when nothing is.
    #[schema(value_type = Object)]
    pub after: Value,
    /// Why.
    pub reason: Option<String>,
}

impl From<LogEntry> for LogLine {
    fn from(entry: LogEntry) -> Self {
        Self {
            seq: entry.seq,
            at: moment(entry.at),
            actor: ActorOut {
                name: entry.actor.name,
                role: entry.actor.role.as_str(),
                via: entry.actor.via.as_str(),
            },
            action: entry.action.as_str(),
            subject: match entry.subject {
                Subject::Event => SubjectOut::Event,
                Subject::Entry(number) => SubjectOut::Entry { number: number.get() },
                Subject::Round(round) => SubjectOut::Round { round },
                Subject::Board { round, board } => SubjectOut::Board { round, board },
            },
            before: entry.before,
            after: entry.after,
            reason: entry.reason,
        }
    }
}

fn action_of(word: &str) -> Result<Action> {
    let known = Action::ALL.into_iter().find(|action| action.as_str() == word);
    known.ok_or_else(|| {
        let message = format!("action: {}", Action::ALL.map(Action::as_str).join(", "));
        Problem::new(StatusCode::BAD_REQUEST, "bad-query")
            .arg("message", message)
            .into()
    })
}

/// Shows the log
///
/// The latest act first.
#[utoipa::path(get, path = "/events/{event}/log", tag = "log",
    params(("event" = String, Path, description = "The id or the slug"), LogQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = PageOf<LogLine>), ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    _director: Director,
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
