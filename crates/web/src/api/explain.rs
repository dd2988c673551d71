//! What the values of the standings are made of, why one of two entries stands before the other, and
//! what is to be looked at before the next round is paired.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Refused;
use utoipa::{IntoParams, ToSchema};

use super::common::{ReadRefusals, RightRefusals, find, number, tagged};
use super::standings::{AfterQuery, as_of};
use crate::errors::{ProblemDetails, Result};
use crate::extract::{Caller, InPath, InQuery};
use crate::i18n::Language;
use crate::pages::manage::overview::{self, ReadyLine};
use crate::state::AppState;

/// What every value of one entry is made of.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only its description is used; the answer is made where sentences of it are"
)]
pub(super) struct ExplainedOut {
    /// The number.
    number: u32,
    /// The name.
    name: String,
    /// The place.
    place: u32,
    /// Whether another entry has the same place.
    shared: bool,
    /// The last round that is in it.
    after: u32,
    /// Whether results are missing.
    provisional: bool,
    /// How unplayed games count in opponents' sums.
    #[schema(value_type = super::model::UnplayedWord)]
    unplayed: Value,
    /// The criteria in order, each with `criterion`, `value` (exact), `printed` and `made`: its `kind`
    /// (`sum`, `total`, `cuts`, `looks`, `places`, `given`) and the `parts` that add up to the value,
    /// each with `round`, `opponent`, `counted`, `amount` and `left_out`.
    #[schema(value_type = Vec<Object>)]
    criteria: Value,
}

/// Explains an entry's values
///
/// What each criterion of the standings is made of for one entry: parts that add up to it again.
#[utoipa::path(get, path = "/events/{event}/standings/{number}", tag = "standings",
    params(("event" = String, Path, description = "The id or the slug"), ("number" = u32, Path), AfterQuery),
    responses((status = 200, body = ExplainedOut, headers(("ETag" = String))),
        (status = 304, description = "Unchanged"), ReadRefusals))]
pub async fn explain(
    State(state): State<AppState>,
    caller: Caller,
    InPath((key, entry)): InPath<(String, u32)>,
    InQuery(after): InQuery<AfterQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let (stage, after) = as_of(&event, after)?;
    let number = number(entry)?;
    let told = interchange::explained_json(&stage, after, number).ok_or(Refused::UnknownEntry { number })?;
    tagged(&headers, &caller, None, &told)
}

/// Which two entries.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CompareQuery {
    /// The number of the one.
    pub a: u32,
    /// The number of the other.
    pub b: u32,
    /// As of this round; the last published one when left out.
    #[serde(default)]
    pub after: Option<u32>,
}

/// Why one of two entries stands before the other.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only its description is used; the answer is made where sentences of it are"
)]
pub(super) struct ComparedOut {
    /// The last round that is in it.
    after: u32,
    /// Whether results are missing.
    provisional: bool,
    /// The one: `number`, `name`, `place`, `shared`.
    #[schema(value_type = Object)]
    a: Value,
    /// The other.
    #[schema(value_type = Object)]
    b: Value,
    /// The number of who stands before; null where they share a place.
    before: Option<u32>,
    /// The criteria one by one, up to the one that decides: `criterion`, the values of `a` and `b`,
    /// `decides`.
    #[schema(value_type = Vec<Object>)]
    steps: Value,
    /// What the deciding value is made of for `a` and for `b`.
    #[schema(value_type = Object)]
    deciding: Value,
}

/// Compares two entries
///
/// Criterion by criterion, up to the one that decides which of the two stands before the other.
#[utoipa::path(get, path = "/events/{event}/standings/compare", tag = "standings",
    params(("event" = String, Path, description = "The id or the slug"), CompareQuery),
    responses((status = 200, body = ComparedOut, headers(("ETag" = String))),
        (status = 304, description = "Unchanged"), ReadRefusals,
        (status = 422, description = "The same entry twice", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn compare(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    InQuery(query): InQuery<CompareQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let (stage, after) = as_of(&event, AfterQuery { after: query.after })?;
    let (a, b) = (number(query.a)?, number(query.b)?);
    for number in [a, b] {
        if stage.entry(number).is_none() {
            return Err(Refused::UnknownEntry { number }.into());
        }
    }
    if a == b {
        return Err(Refused::SameEntry { number: a }.into());
    }
    let told =
        interchange::compared_json(&stage, after, (a, b)).ok_or(Refused::UnknownEntry { number: a })?;
    tagged(&headers, &caller, None, &told)
}

/// One thing to look at.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadyLineOut {
    /// The sentence, in the language of `Accept-Language`.
    pub text: String,
    /// Whether something is to be done.
    pub to_do: bool,
}

/// What is to be looked at before the next round is paired.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadinessOut {
    /// The round that is paired next; null when no round is left.
    pub round: Option<u32>,
    /// The draft that is there already.
    pub draft: Option<u32>,
    /// Boards of the last round without a result.
    pub pending: Vec<u32>,
    /// How many play.
    pub players: usize,
    /// Whether the round can be paired now: nothing is pending, there is no draft, a round is left.
    pub ready: bool,
    /// All of it in sentences, and what a director should know besides.
    pub lines: Vec<ReadyLineOut>,
}

/// Shows what the next round waits for
///
/// For those who see drafts.
#[utoipa::path(get, path = "/events/{event}/readiness", tag = "rounds",
    params(("event" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = ReadinessOut, headers(("ETag" = String))), RightRefusals, ReadRefusals))]
pub async fn readiness(
    State(state): State<AppState>,
    caller: Caller,
    t: Language,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let stage = &event.stage;
    let draft = event.draft().map(|info| info.round);
    let next = draft.unwrap_or_else(|| stage.next_round());
    let round = (next <= stage.rounds_planned).then_some(next);
    let last = stage.rounds.iter().rfind(|table| table.round < next);
    let pending: Vec<u32> = last
        .into_iter()
        .flat_map(|table| table.pending().map(|board| board.board))
        .collect();
    let players = stage.entries.iter().filter(|entry| entry.plays_in(next)).count();
    let here = store::check_in::list(&mut tx, event.id).await?;
    let reports = store::reports::waiting(&mut tx, event.id).await?;
    // The page says what is next in a place of its own.
    let next = (draft.is_some() || !pending.is_empty()).then(|| ReadyLine {
        sentence: overview::next(t, &event).0.sentence,
        now: true,
        ..ReadyLine::default()
    });
    let mut lines: Vec<ReadyLine> = next.into_iter().collect();
    lines.extend(overview::unconfirmed(t, &event.slug, &reports));
    lines.extend(
        overview::readiness(t, &event, &here)
            .into_iter()
            .flat_map(|ready| ready.lines),
    );
    let out = ReadinessOut {
        round,
        draft,
        ready: round.is_some() && draft.is_none() && pending.is_empty() && players > 1,
        pending,
        players,
        lines: lines
            .into_iter()
            .map(|line| ReadyLineOut {
                text: line.sentence,
                to_do: line.now,
            })
            .collect(),
    };
    tagged(&headers, &caller, None, &out)
}
