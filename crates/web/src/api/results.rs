//! Results: one board, or many at once.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use store::events::{self, Event, RoundStatus};
use store::reports::{self, Reported};
use store::results::{self, BoardInput, BoardResult, ResultInput};
use store::{Refused, Role, Tx, result_links};
use tournament::Margin;
use utoipa::{IntoParams, ToSchema};

use super::common::{
    ChangeRefusals, IfMatchHeader, ReadRefusals, ReasonQuery, VersionRefusals, change, changed,
    changed_meanwhile, check_version, find, tagged,
};
use super::model::{BoardOut, ByWord, Faults, OutcomeWord, WarningsWord};
use super::together::{self, Given};
use crate::auth::digest;
use crate::errors::{Error, Problem, Result};
use crate::extract::{Arbiter, Caller, IfMatch, InJson, InPath, InQuery, language_of};
use crate::i18n::Language;
use crate::pages::manage::preview::Changes;
use crate::results::{Hand, clearing, played_now};
use crate::rights::Right;
use crate::state::AppState;

/// The result of a board as it is to be.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultIn {
    /// The result; null makes the board pending again. It cannot be left out: a body that forgets
    /// it would otherwise take a result away.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub result: Option<OutcomeWord>,
    /// How the game ended.
    #[serde(default)]
    pub by: Option<ByWord>,
    /// By how much, a decimal in the unit of the rules.
    #[serde(default)]
    #[schema(example = "0.75")]
    pub margin: Option<String>,
    /// Warnings.
    #[serde(default)]
    pub warnings: WarningsWord,
    /// The number of who had Black, where colours come from nigiri; the rest of the result goes by
    /// it. Colours that the pairing has assigned stand (Art. 17.1): another one is refused.
    #[serde(default)]
    pub black: Option<u32>,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// The result of one of many boards.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardIn {
    /// The board.
    pub board: u32,
    /// The version that the caller has seen; needed to change a result that is there.
    #[serde(default)]
    pub version: Option<i64>,
    /// The result; null makes the board pending again. It cannot be left out: a body that forgets
    /// it would otherwise take a result away.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub result: Option<OutcomeWord>,
    /// How the game ended.
    #[serde(default)]
    pub by: Option<ByWord>,
    /// By how much, a decimal in the unit of the rules.
    #[serde(default)]
    pub margin: Option<String>,
    /// Warnings.
    #[serde(default)]
    pub warnings: WarningsWord,
    /// The number of who had Black, where colours come from nigiri.
    #[serde(default)]
    pub black: Option<u32>,
}

/// Results of many boards of one round.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultsIn {
    /// Each board once.
    pub results: Vec<BoardIn>,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A board after its result was put.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultOut {
    /// The round.
    pub round: u32,
    /// The board as it is now.
    #[serde(flatten)]
    pub board: BoardOut,
    /// False when the same result was there already: nothing was written then.
    pub changed: bool,
    /// Later rounds that were paired on another result of this board. They stay as they are.
    pub later_rounds: Vec<u32>,
    /// What it waits for before it counts: `second_word`, or `director` where another was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<&'static str>,
    /// With `dry_run`: what it would change in the standings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standings: Option<ChangesOut>,
}

/// What a result would change in the public standings.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangesOut {
    /// After which round they are.
    pub after: u32,
    /// Who would have another place or score, by the place then; the first forty.
    pub moved: Vec<MovedOut>,
    /// How many more would.
    pub more: usize,
    /// How many would keep place and score and have another value in some criterion.
    pub values_only: usize,
    /// The same in one sentence, in the caller's language.
    pub sentence: String,
}

/// Somebody whose place or score would be another.
#[derive(Debug, Serialize, ToSchema)]
pub struct MovedOut {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The place now, as the standings show it.
    pub place_now: String,
    /// The place then.
    pub place_then: String,
    /// The score now.
    pub score_now: String,
    /// The score then.
    pub score_then: String,
}

impl ChangesOut {
    fn of(changes: Changes, language: Language) -> Self {
        Self {
            after: changes.after,
            sentence: changes.sentence(language),
            more: changes.more,
            values_only: changes.values_only,
            moved: changes
                .moved
                .into_iter()
                .map(|one| MovedOut {
                    number: one.number,
                    name: one.name,
                    place_now: one.place_now,
                    place_then: one.place_then,
                    score_now: one.score_now,
                    score_then: one.score_then,
                })
                .collect(),
        }
    }
}

/// Whether a result is only looked at.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LookQuery {
    /// True: nothing is kept, and the answer says in `standings` what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// Boards after their results were put.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultsOut {
    /// In the order given.
    pub items: Vec<ResultOut>,
}

impl From<&BoardResult> for ResultOut {
    fn from(put: &BoardResult) -> Self {
        Self {
            round: put.round,
            board: BoardOut::of(&put.board, Some(put.version)),
            changed: put.changed,
            later_rounds: put.later_rounds.clone(),
            waits_for: None,
            standings: None,
        }
    }
}

impl ResultOut {
    /// A board whose result is as it was, with what the reported one waits for.
    fn waiting(round: u32, board: BoardOut, reported: &Reported) -> Self {
        Self {
            round,
            board,
            changed: false,
            later_rounds: Vec::new(),
            waits_for: match reported {
                Reported::Counts(_) => None,
                Reported::Waits => Some("second_word"),
                Reported::Disputed => Some("director"),
            },
            standings: None,
        }
    }
}

fn input(
    result: Option<OutcomeWord>,
    by: Option<ByWord>,
    margin: Option<&str>,
    (warnings, black): (WarningsWord, Option<u32>),
    path: &str,
    faults: &mut Faults,
) -> ResultInput {
    let margin = margin.and_then(|text| {
        text.parse::<Margin>()
            .map_err(|error| faults.add(format!("{path}margin"), "not-a-margin", text, &error))
            .ok()
    });
    ResultInput {
        result: result.map(Into::into),
        by: by.map(Into::into),
        margin,
        warnings: warnings.into(),
        black: black.and_then(|number| faults.number(format!("{path}black"), number)),
    }
}

/// A board of a round that the caller may see, with its version.
fn board_of(event: &Event, round: u32, board: u32, role: Option<Role>) -> Result<BoardOut> {
    let drafts = role.is_some_and(Role::sees_all);
    let info = event
        .round_info(round)
        .filter(|info| drafts || info.status == RoundStatus::Published)
        .ok_or(Refused::UnknownRound { round })?;
    let table = event.stage.rounds.iter().find(|table| table.round == round);
    let found = table.and_then(|table| table.boards.iter().find(|one| one.board == board));
    let found = found.ok_or(Refused::UnknownBoard { round, board })?;
    let version = info.board_version(board).filter(|_| role.is_some());
    Ok(BoardOut::of(found, version))
}

async fn event_for_change(tx: &mut Tx, key: &str) -> Result<Event> {
    events::find(tx, key)
        .await?
        .ok_or_else(|| Refused::UnknownEvent { key: key.to_owned() }.into())
}

/// Whether a result is as it is to be, so that putting it again changes nothing.
fn same(now: &BoardOut, input: ResultInput) -> bool {
    now.result.map(tournament::Outcome::from) == input.result
        && now.by.map(tournament::By::from) == input.by
        && now.margin == input.margin.map(|margin| margin.to_string())
        && tournament::Warnings::from(now.warnings) == input.warnings
        && input
            .black
            .is_none_or(|black| black.get() == now.black && !now.nigiri)
}

/// What to expect of a board, once it is known that the caller may change it.
pub(super) fn expected(now: &BoardOut, input: ResultInput, if_match: &IfMatch) -> Result<Option<i64>> {
    if !same(now, input) {
        let there = now.result.is_some();
        check_version(if_match, now.version.unwrap_or_default(), there, now)?;
    }
    // Between this look and the write somebody else may write. What was seen here is what may be
    // changed, also by a repetition that had nothing to change; only `*` means whatever it is then.
    Ok(now.version.filter(|_| *if_match != IfMatch::Any))
}

async fn put_one(
    state: &AppState,
    hand: &Hand<'_>,
    (key, round, board): (&str, u32, u32),
    if_match: &IfMatch,
    input: ResultInput,
    reason: Option<&str>,
    look: Option<Language>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let role = Some(hand.actor().role);
    hand.still_works(&mut tx, state).await?;
    let event = event_for_change(&mut tx, key).await?;
    if let Some(link) = hand.link() {
        played_now(&event, link, round, board)?;
    }
    let reporter = hand.reporter(&mut tx, event.id).await?;
    let now = board_of(&event, round, board, role)?;
    let expected = expected(&now, input, if_match)?;
    let change = change(state, hand.actor(), reason);
    let put = match reporter {
        None => results::put(&mut tx, &change, event.id, round, board, expected, input).await,
        Some(reporter) => {
            clearing(board, now.result.is_some(), input)?;
            match reports::report(&mut tx, &change, event.id, (round, board), reporter, input).await {
                Ok(Reported::Counts(put)) => Ok(put),
                Ok(waits) => {
                    let version = now.version;
                    let out = ResultOut::waiting(round, now, &waits);
                    let response = changed(StatusCode::ACCEPTED, version, &out)?;
                    if look.is_none() {
                        tx.commit().await?;
                    }
                    return Ok(response);
                }
                Err(error) => Err(error),
            }
        }
    };
    match put {
        Ok(put) if let Some(language) = look => {
            // Nothing of it is kept.
            drop(tx);
            let changes = Changes::of(&event, round, std::slice::from_ref(&put.board));
            let out = ResultOut {
                standings: Some(ChangesOut::of(changes, language)),
                ..ResultOut::from(&put)
            };
            changed(StatusCode::OK, None, &out)
        }
        Ok(put) => {
            let response = changed(StatusCode::OK, Some(put.version), &ResultOut::from(&put))?;
            tx.commit().await?;
            Ok(response)
        }
        Err(store::Error::Refused(Refused::Stale { .. })) => {
            drop(tx);
            let mut tx = state.store.begin().await?;
            let event = event_for_change(&mut tx, key).await?;
            let now = board_of(&event, round, board, role)?;
            Err(changed_meanwhile(now.version.unwrap_or_default(), &now))
        }
        Err(error) => Err(error.into()),
    }
}

/// Shows a board with its result
#[utoipa::path(get, path = "/events/{event}/rounds/{round}/boards/{board}/result", tag = "results",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path)),
    responses((status = 200, body = BoardOut, headers(("ETag" = String))), (status = 304, description = "Unchanged"),
        ReadRefusals))]
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    InPath((key, round, board)): InPath<(String, u32, u32)>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let out = board_of(&event, round, board, caller.role())?;
    tagged(&headers, &caller, out.version, &out)
}

/// Puts the result of a board
///
/// The first result needs no `If-Match`; changing one does. The same result again is a success
/// that changes nothing, whatever `If-Match` says, so that a retry is harmless. `later_rounds`
/// names rounds that were paired on the result before: they stay as they are. With `dry_run` nothing is kept,
/// and `standings` says what would change there.
#[utoipa::path(put, path = "/events/{event}/rounds/{round}/boards/{board}/result", tag = "results",
    request_body = ResultIn,
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path),
        LookQuery, IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = ResultOut, headers(("ETag" = String))),
        (status = 202, description = "Kept until a second person says the same, where the event wants two",
            body = ResultOut, headers(("ETag" = String))), ChangeRefusals, VersionRefusals))]
pub async fn put(
    State(state): State<AppState>,
    caller: Caller,
    InPath((key, round, board)): InPath<(String, u32, u32)>,
    InQuery(query): InQuery<LookQuery>,
    headers: HeaderMap,
    if_match: IfMatch,
    InJson { value, .. }: InJson<ResultIn>,
) -> Result<Response> {
    let actor = caller.require(Right::EntersResults)?;
    let mut faults = Faults::default();
    let input = input(
        value.result,
        value.by,
        value.margin.as_deref(),
        (value.warnings, value.black),
        "",
        &mut faults,
    );
    faults.none_or(())?;
    if let Some(event) = caller.event_id().filter(|_| !query.dry_run) {
        let given = Given {
            actor: actor.clone(),
            reason: value.reason.clone(),
            board,
            if_match: if_match.clone(),
            input,
        };
        if let Some(put) = together::put(&state, event, round, given).await {
            let put = put?;
            return changed(StatusCode::OK, Some(put.version), &ResultOut::from(&put));
        }
    }
    put_one(
        &state,
        &Hand::Account(&actor),
        (&key, round, board),
        &if_match,
        input,
        value.reason.as_deref(),
        query.dry_run.then(|| language_of(&headers)),
    )
    .await
}

/// Takes a result away
///
/// The board waits for its result again. Needs `If-Match` when there is a result.
#[utoipa::path(delete, path = "/events/{event}/rounds/{round}/boards/{board}/result", tag = "results",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ("board" = u32, Path),
        ReasonQuery, IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = ResultOut, headers(("ETag" = String))), ChangeRefusals, VersionRefusals))]
pub async fn delete(
    State(state): State<AppState>,
    Arbiter(actor): Arbiter,
    InPath((key, round, board)): InPath<(String, u32, u32)>,
    InQuery(query): InQuery<ReasonQuery>,
    if_match: IfMatch,
) -> Result<Response> {
    let input = ResultInput::default();
    put_one(
        &state,
        &Hand::Account(&actor),
        (&key, round, board),
        &if_match,
        input,
        query.reason.as_deref(),
        None,
    )
    .await
}

/// Puts the results of many boards of a round
///
/// All or none. A board that has a result already needs its `version` to change it.
#[utoipa::path(put, path = "/events/{event}/rounds/{round}/results", tag = "results", request_body = ResultsIn,
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path)),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = ResultsOut), ChangeRefusals, VersionRefusals))]
pub async fn put_many(
    State(state): State<AppState>,
    Arbiter(actor): Arbiter,
    InPath((key, round)): InPath<(String, u32)>,
    InJson { value, .. }: InJson<ResultsIn>,
) -> Result<Response> {
    let mut faults = Faults::default();
    let given: Vec<(u32, IfMatch, ResultInput)> = value
        .results
        .iter()
        .enumerate()
        .map(|(i, one)| {
            let path = format!("results[{i}].");
            let input = input(
                one.result,
                one.by,
                one.margin.as_deref(),
                (one.warnings, one.black),
                &path,
                &mut faults,
            );
            let if_match = one.version.map_or(IfMatch::Absent, |version| {
                IfMatch::Tags(vec![version.to_string()])
            });
            (one.board, if_match, input)
        })
        .collect();
    faults.none_or(())?;
    let mut tx = state.store.begin().await?;
    let event = event_for_change(&mut tx, &key).await?;
    let inputs = given
        .into_iter()
        .map(|(board, if_match, input)| {
            let now = board_of(&event, round, board, Some(actor.role))?;
            let expected = expected(&now, input, &if_match)?;
            Ok(BoardInput {
                board,
                expected,
                input,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    let change = change(&state, &actor, value.reason.as_deref());
    let items = match Hand::Account(&actor).reporter(&mut tx, event.id).await? {
        None => results::put_many(&mut tx, &change, event.id, round, &inputs)
            .await
            .map_err(Error::from)?
            .iter()
            .map(ResultOut::from)
            .collect(),
        Some(reporter) => {
            let mut items = Vec::new();
            for given in &inputs {
                let (board, input) = (given.board, given.input);
                let now = board_of(&event, round, board, Some(actor.role))?;
                clearing(board, now.result.is_some(), input)?;
                let done =
                    reports::report(&mut tx, &change, event.id, (round, board), reporter, input).await?;
                items.push(match done {
                    Reported::Counts(put) => ResultOut::from(&put),
                    waits => ResultOut::waiting(round, now, &waits),
                });
            }
            items
        }
    };
    let response = changed(StatusCode::OK, None, &ResultsOut { items })?;
    tx.commit().await?;
    Ok(response)
}

/// `PUT /result-links/{token}/rounds/{round}/boards/{board}/result`: as [`put`], for whoever comes with a
/// link for some boards. It is the address of the link's own page and no part of the described API: who
/// writes programs has tokens.
///
/// # Errors
/// `result-link-spent`, `not-of-link`, `not-round-of-link`; else as [`put`].
pub async fn put_by_link(
    State(state): State<AppState>,
    InPath((token, round, board)): InPath<(String, u32, u32)>,
    if_match: IfMatch,
    InJson { value, .. }: InJson<ResultIn>,
) -> Result<Response> {
    let found = {
        let mut tx = state.store.snapshot().await?;
        result_links::find(&mut tx, &digest(&token), state.clock.now()).await?
    };
    let Some((slug, link)) = found else {
        return Err(Problem::new(StatusCode::GONE, "result-link-spent").into());
    };
    let mut faults = Faults::default();
    let input = input(
        value.result,
        value.by,
        value.margin.as_deref(),
        (value.warnings, value.black),
        "",
        &mut faults,
    );
    faults.none_or(())?;
    let actor = link.actor();
    let hand = Hand::Link(&link, &actor);
    let reason = value.reason.as_deref();
    put_one(
        &state,
        &hand,
        (&slug, round, board),
        &if_match,
        input,
        reason,
        None,
    )
    .await
}
