//! Places, one entry's games, and the crosstable. All of it shows published rounds only, to
//! directors too: a draft is no part of any table.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Refused;
use store::events::Event;
use tournament::tally::{Kind, Played};
use tournament::{Stage, standings as places};
use utoipa::{IntoParams, ToSchema};

use super::common::{ReadRefusals, find, number, tagged};
use super::model::{EntryOut, LogHeadOut, OutcomeWord, SideWord};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Caller, InPath, InQuery};
use crate::state::AppState;

/// As of which round.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct AfterQuery {
    /// As of this round; the last published one when left out.
    pub after: Option<u32>,
}

/// The published stage and the round that is asked for.
pub(super) fn as_of(event: &Event, AfterQuery { after }: AfterQuery) -> Result<(Stage, u32)> {
    let stage = event.public_stage();
    let first = stage.first_round;
    let last = stage.rounds.last().map_or(first - 1, |round| round.round);
    let Some(after) = after else {
        return Ok((stage, last));
    };
    if after == last || stage.rounds.iter().any(|round| round.round == after) {
        return Ok((stage, after));
    }
    let problem = if stage.rounds.is_empty() {
        Problem::new(StatusCode::NOT_FOUND, "no-round-published")
    } else {
        Problem::new(StatusCode::NOT_FOUND, "round-not-published")
            .arg("first", first)
            .arg("last", last)
    };
    Err(problem.arg("round", after).into())
}

/// One entry's line in the standings.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only its description is used; the rows are made where the command line's are"
)]
struct StandingsRow {
    /// The place, from 1; shared where nothing separates: 1, 2, 2, 4.
    place: u32,
    /// Whether another entry has the same place.
    shared: bool,
    /// The number.
    number: u32,
    /// The name.
    name: String,
    /// The score.
    score: i32,
    /// The value of each criterion by its word, exact: a whole number or a fraction as `279/11`,
    /// several joined by commas, null where the criterion says nothing.
    #[schema(value_type = Object)]
    values: Value,
    /// The same as it is printed: `25.36`.
    #[schema(value_type = Object)]
    printed: Value,
}

/// A board without a result.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
struct PendingRow {
    /// The round.
    round: u32,
    /// The board.
    board: u32,
    /// Who has Black.
    black: u32,
    /// Who has White.
    white: u32,
}

/// The table after a round.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
struct StandingsOut {
    /// The last round that is in it.
    after: u32,
    /// How many rounds were played so far.
    rounds_played: u32,
    /// The highest score (最高积分).
    top_score: i32,
    /// The criteria, the first one deciding first.
    #[schema(value_type = Vec<super::model::CriterionWord>)]
    criteria: Value,
    /// How unplayed games count in opponents' sums.
    #[schema(value_type = super::model::UnplayedWord)]
    unplayed: Value,
    /// Whether results are missing, so that the table can still change.
    provisional: bool,
    /// The entries from the first place down.
    rows: Vec<StandingsRow>,
    /// Boards of these rounds without a result.
    pending: Vec<PendingRow>,
    /// The log at the last publication.
    log_head: Option<LogHeadOut>,
}

/// Shows the standings
///
/// As of a published round: later rounds are ignored entirely.
#[utoipa::path(get, path = "/events/{event}/standings", tag = "standings",
    params(("event" = String, Path, description = "The id or the slug"), AfterQuery),
    responses((status = 200, body = StandingsOut, headers(("ETag" = String))),
        (status = 304, description = "Unchanged"), ReadRefusals))]
pub async fn standings(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    InQuery(after): InQuery<AfterQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let (stage, after) = as_of(&event, after)?;
    let table = places::standings(&stage, after);
    let mut out = interchange::standings_json(&table, &stage);
    // As of an earlier round: the log as that round's table says it, so that the answer stays the same.
    let running = event.last_published().is_none_or(|last| last.round == after);
    let of_round = event.round_info(after).and_then(|info| info.head);
    let head = if running { event.head } else { of_round };
    let head = head.map(LogHeadOut::from);
    out["log_head"] = serde_json::to_value(head).map_err(Error::internal)?;
    tagged(&headers, &caller, None, &out)
}

/// What a round was for an entry.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KindWord {
    /// A game that was played.
    Game,
    /// A board decided by absence: points, but no colour.
    Forfeit,
    /// A bye.
    Bye,
    /// On no board and without a bye.
    Absent,
    /// A board without a result.
    Pending,
}

impl From<Kind> for KindWord {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Game => Self::Game,
            Kind::Forfeit => Self::Forfeit,
            Kind::Bye => Self::Bye,
            Kind::Absent => Self::Absent,
            Kind::Pending => Self::Pending,
        }
    }
}

/// One round of one entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameOut {
    /// The round.
    pub round: u32,
    /// What it was.
    pub kind: KindWord,
    /// The board, when there was one.
    pub board: Option<u32>,
    /// The opponent's number, when there was one.
    pub opponent: Option<u32>,
    /// The side, when there was a board. It counts as a colour only where `kind` is `game`.
    pub side: Option<SideWord>,
    /// The board's result; null without a board and while it is pending.
    pub result: Option<OutcomeWord>,
    /// Points from this round.
    pub points: i32,
    /// The score after it.
    pub score: i32,
}

fn game(stage: &Stage, number: tournament::Number, played: &Played, score: i32) -> GameOut {
    let table = stage.rounds.iter().find(|round| round.round == played.round);
    GameOut {
        round: played.round,
        kind: played.kind.into(),
        board: table
            .and_then(|table| table.board_of(number))
            .map(|(board, _)| board.board),
        opponent: played.opponent.map(tournament::Number::get),
        side: played.side.map(Into::into),
        result: played.outcome.map(Into::into),
        points: played.points.0,
        score,
    }
}

fn games_of(stage: &Stage, row: &places::Row) -> Vec<GameOut> {
    row.games
        .iter()
        .zip(&row.running)
        .map(|(played, score)| game(stage, row.number, played, score.0))
        .collect()
}

/// One entry's games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GamesOut {
    /// The entry.
    pub entry: EntryOut,
    /// As of which round.
    pub after: u32,
    /// The place after that round.
    pub place: u32,
    /// Whether another entry has the same place.
    pub shared: bool,
    /// The score after that round.
    pub score: i32,
    /// The recorded rounds, in order.
    pub games: Vec<GameOut>,
}

/// Shows one entry's games
#[utoipa::path(get, path = "/events/{event}/entries/{number}/games", tag = "standings",
    params(("event" = String, Path, description = "The id or the slug"), ("number" = u32, Path), AfterQuery),
    responses((status = 200, body = GamesOut, headers(("ETag" = String))), ReadRefusals))]
pub async fn games(
    State(state): State<AppState>,
    caller: Caller,
    InPath((key, entry)): InPath<(String, u32)>,
    InQuery(after): InQuery<AfterQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let (stage, after) = as_of(&event, after)?;
    let entry = number(entry)?;
    let table = places::standings(&stage, after);
    let (Some(row), Some(entry)) = (table.row(entry), stage.entry(entry)) else {
        return Err(Refused::UnknownEntry { number: entry }.into());
    };
    let games = GamesOut {
        entry: entry.into(),
        after: table.after,
        place: row.place,
        shared: row.shared,
        score: row.score.0,
        games: games_of(&stage, row),
    };
    tagged(&headers, &caller, None, &games)
}

/// One line of the crosstable.
#[derive(Debug, Serialize, ToSchema)]
pub struct CrossRow {
    /// The place.
    pub place: u32,
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The score.
    pub score: i32,
    /// One for each recorded round, in order.
    pub rounds: Vec<GameOut>,
}

/// The crosstable.
#[derive(Debug, Serialize, ToSchema)]
pub struct CrossOut {
    /// As of which round.
    pub after: u32,
    /// The recorded rounds that it shows.
    pub rounds: Vec<u32>,
    /// The entries from the first place down.
    pub rows: Vec<CrossRow>,
}

/// Shows the crosstable
#[utoipa::path(get, path = "/events/{event}/crosstable", tag = "standings",
    params(("event" = String, Path, description = "The id or the slug"), AfterQuery),
    responses((status = 200, body = CrossOut, headers(("ETag" = String))), ReadRefusals))]
pub async fn crosstable(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    InQuery(after): InQuery<AfterQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let (stage, after) = as_of(&event, after)?;
    let table = places::standings(&stage, after);
    let rows = table
        .rows
        .iter()
        .map(|row| CrossRow {
            place: row.place,
            number: row.number.get(),
            name: stage
                .entry(row.number)
                .map(|entry| entry.name.clone())
                .unwrap_or_default(),
            score: row.score.0,
            rounds: games_of(&stage, row),
        })
        .collect();
    let rounds = stage
        .rounds
        .iter()
        .map(|round| round.round)
        .filter(|round| *round <= after)
        .collect();
    tagged(
        &headers,
        &caller,
        None,
        &CrossOut {
            after: table.after,
            rounds,
            rows,
        },
    )
}
