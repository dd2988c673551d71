//! Rounds: paired as drafts, looked at, changed by hand, published, thrown away.

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use store::events::{Locked, RoundStatus};
use store::rounds::{self, Table};
use store::{Change, Refused, Tx};
use tournament::pairing::{Confirmed, Request};
use tournament::{Choices, Number};
use utoipa::ToSchema;

use super::BASE;
use super::common::{
    Begun, ChangeRefusals, IdempotencyHeader, IfMatchHeader, ReadRefusals, ReasonQuery, Repeatable,
    VersionRefusals, at, change, changed, check_version, find, lock, tagged,
};
use super::model::{Faults, RoundOut, StatusWord, moment};
use crate::errors::{Problem, Result, with_names};
use crate::extract::{Caller, Director, IdempotencyKey, IfMatch, InJson, InPath, InQuery, MaybeJson};
use crate::state::AppState;

/// A round in the list of rounds.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoundLine {
    /// The round.
    pub round: u32,
    /// Draft or published.
    pub status: StatusWord,
    /// The version of the table; directors only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// 1 for the table as it was first published, one more for every later published one.
    pub edition: u32,
    /// When it was published.
    pub published_at: Option<String>,
    /// How many boards it has.
    pub boards: usize,
    /// How many of them wait for their result.
    pub pending: usize,
    /// Whether a result of an earlier round is another one now than when this was paired.
    pub made_on_earlier_results: bool,
}

/// The rounds of an event.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rounds {
    /// In order.
    pub items: Vec<RoundLine>,
}

/// Lists rounds
///
/// Published ones; for directors the draft too.
#[utoipa::path(get, path = "/events/{event}/rounds", tag = "rounds",
    params(("event" = String, Path, description = "The id or the slug")),
    responses((status = 200, body = Rounds, headers(("ETag" = String))), ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let items = event
        .stage
        .rounds
        .iter()
        .filter_map(|round| {
            let info = event
                .round_info(round.round)
                .filter(|info| caller.sees_all() || info.status == RoundStatus::Published)?;
            Some(RoundLine {
                round: round.round,
                status: info.status.into(),
                version: caller.sees_all().then_some(info.version),
                edition: info.edition,
                published_at: info.published_at.map(moment),
                boards: round.boards.len(),
                pending: round.pending().count(),
                made_on_earlier_results: info.made_on_earlier_results,
            })
        })
        .collect();
    tagged(&headers, &caller, None, &Rounds { items })
}

/// What the director confirms for one pairing.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Confirm {
    /// Players may meet again when there is no other way.
    pub repeats: bool,
    /// Boards without a result count as a draw for this pairing only.
    pub provisional: bool,
}

impl From<Confirm> for Confirmed {
    fn from(confirm: Confirm) -> Self {
        Self {
            repeats: confirm.repeats,
            provisional: confirm.provisional,
        }
    }
}

/// A pair.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairIn {
    /// Who has Black.
    pub black: u32,
    /// Who has White.
    pub white: u32,
}

/// A table made by hand: everybody who plays stands in it exactly once.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TableIn {
    /// The pairs, from board 1.
    pub boards: Vec<PairIn>,
    /// Who has the bye.
    #[serde(default)]
    pub byes: Vec<u32>,
}

impl TableIn {
    fn read(&self, faults: &mut Faults) -> Table {
        let boards = self.boards.iter().enumerate().filter_map(|(i, pair)| {
            let black = faults.number(format!("table.boards[{i}].black"), pair.black);
            let white = faults.number(format!("table.boards[{i}].white"), pair.white);
            Some((black?, white?))
        });
        let boards = boards.collect();
        let byes = faults.numbers("table.byes", &self.byes);
        Table { boards, byes }
    }
}

/// How the next round is paired.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PairRequest {
    /// Which round is meant; when it is there already, the answer is 409 and no round more is
    /// paired. The next one when left out.
    pub round: Option<u32>,
    /// What is confirmed.
    pub confirm: Confirm,
    /// These two meet, also when they have met before. The rest is paired around this and the next.
    #[schema(example = json!([[3, 7]]))]
    pub fixed: Vec<[u32; 2]>,
    /// These two do not meet.
    pub apart: Vec<[u32; 2]>,
    /// These have the bye.
    pub byes: Vec<u32>,
    /// These sit out.
    pub sitting_out: Vec<u32>,
    /// A table made by hand, instead of the engine's; it leaves nothing to fix.
    pub table: Option<TableIn>,
    /// Why, for the log.
    pub reason: Option<String>,
}

impl PairRequest {
    fn choices(&self, faults: &mut Faults) -> Choices {
        let choices = Choices {
            pairs: faults.pairs("fixed", &self.fixed),
            apart: faults.pairs("apart", &self.apart),
            byes: faults.numbers("byes", &self.byes),
            sitting_out: faults.numbers("sitting_out", &self.sitting_out),
        };
        if self.table.is_some() && !choices.is_empty() {
            faults.add(
                "table",
                "table-or-choices",
                "",
                "a table made by hand leaves nothing to fix: send either `table` or what is fixed",
            );
        }
        choices
    }
}

/// Pairs the next round
///
/// The answer is a draft that only directors see, with the value of each criterion and notes.
/// While results of the round before are missing: 409 with `boards`, the list of them. When players
/// would have to meet again: 409 with `pairs`; confirm it with `{"confirm": {"repeats": true}}`.
/// While there is a draft already: 409, naming who made it and when. What is fixed and contradicts
/// itself: 409 with every contradiction.
#[utoipa::path(post, path = "/events/{event}/rounds", tag = "rounds",
    request_body(content = Option<PairRequest>),
    params(("event" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = RoundOut, headers(("Location" = String), ("ETag" = String))), ChangeRefusals))]
pub async fn pair(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    MaybeJson { value, digest }: MaybeJson<PairRequest>,
) -> Result<Response> {
    let mut faults = Faults::default();
    let table = value.table.as_ref().map(|table| table.read(&mut faults));
    let choices = value.choices(&mut faults);
    faults.none_or(())?;
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    let confirmed = Confirmed::from(value.confirm);
    let info = match table {
        None => {
            let request = Request {
                confirmed,
                choices,
                seed: None,
            };
            rounds::pair(&mut tx, &change, &mut event, value.round, request)
                .await
                .map_err(|error| with_names(error, &event.stage))?
        }
        Some(table) => {
            // A draft of somebody else is not replaced in passing: PATCH does that, with `If-Match`.
            rounds::expect_next(&event, value.round)?;
            rounds::by_hand(&mut tx, &change, &mut event, table, confirmed).await?
        }
    };
    let out = RoundOut::find(&event, info.round, Some(store::Role::Director))?;
    let response = changed(StatusCode::CREATED, out.version, &out)?;
    let response = at(
        response,
        &format!("{BASE}/events/{}/rounds/{}", event.id, out.round),
    )?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Shows a round
///
/// A draft answers the public exactly as a round that does not exist.
#[utoipa::path(get, path = "/events/{event}/rounds/{round}", tag = "rounds",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path)),
    responses((status = 200, body = RoundOut, headers(("ETag" = String))), (status = 304, description = "Unchanged"),
        ReadRefusals))]
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    InPath((key, round)): InPath<(String, u32)>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let out = RoundOut::find(&event, round, caller.role())?;
    tagged(&headers, &caller, out.version, &out)
}

/// Colours of a board.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ColoursIn {
    /// The board.
    pub board: u32,
    /// Who of its two has Black.
    pub black: u32,
}

/// Somebody takes a place.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceIn {
    /// Who gives the place up and is absent then.
    pub out: u32,
    /// Who takes it; has the bye or no board.
    #[serde(rename = "in")]
    pub into: u32,
}

/// A change of a table by hand: exactly one of `swap`, `colours`, `seat`, `replace`, `table`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RoundChange {
    /// Two entries exchange their places: seats at boards, the bye, the absence.
    #[schema(min_items = 2, max_items = 2)]
    pub swap: Option<[u32; 2]>,
    /// Who of a board has Black.
    pub colours: Option<ColoursIn>,
    /// A new last board of two who have the bye or no board.
    pub seat: Option<PairIn>,
    /// One gives the place to another.
    pub replace: Option<ReplaceIn>,
    /// A table made by hand in place of the draft.
    pub table: Option<TableIn>,
    /// With `table`: what is confirmed.
    pub confirm: Confirm,
    /// Why, for the log.
    pub reason: Option<String>,
}

enum Move {
    Swap(Number, Number),
    Colours(u32, Number),
    Seat(Number, Number),
    Replace(Number, Number),
    Table(Table),
}

impl RoundChange {
    fn read(&self) -> Result<Move> {
        let mut faults = Faults::default();
        let mut moves = Vec::new();
        if let Some([one, other]) = self.swap {
            let pair = (faults.number("swap[0]", one), faults.number("swap[1]", other));
            moves.extend(both(pair).map(|(one, other)| Move::Swap(one, other)));
        }
        if let Some(ColoursIn { board, black }) = self.colours {
            moves.extend(
                faults
                    .number("colours.black", black)
                    .map(|black| Move::Colours(board, black)),
            );
        }
        if let Some(PairIn { black, white }) = self.seat {
            let pair = (
                faults.number("seat.black", black),
                faults.number("seat.white", white),
            );
            moves.extend(both(pair).map(|(black, white)| Move::Seat(black, white)));
        }
        if let Some(ReplaceIn { out, into }) = self.replace {
            let pair = (
                faults.number("replace.out", out),
                faults.number("replace.in", into),
            );
            moves.extend(both(pair).map(|(out, into)| Move::Replace(out, into)));
        }
        if let Some(table) = &self.table {
            moves.push(Move::Table(table.read(&mut faults)));
        }
        if moves.len() != 1 {
            faults.add(
                "",
                "one-change",
                "",
                "send exactly one of swap, colours, seat, replace, table",
            );
        }
        let first = moves.into_iter().next();
        match faults.none_or(first)? {
            Some(first) => Ok(first),
            None => Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad-request").into()),
        }
    }
}

fn both<T>((one, other): (Option<T>, Option<T>)) -> Option<(T, T)> {
    Some((one?, other?))
}

async fn carry_out(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    act: Move,
    confirmed: Confirmed,
) -> Result<()> {
    match act {
        Move::Swap(one, other) => {
            rounds::swap(tx, change, event, round, (one, other), None).await?;
        }
        Move::Colours(board, black) => {
            rounds::set_colours(tx, change, event, round, board, black, None).await?;
        }
        Move::Seat(black, white) => {
            rounds::seat(tx, change, event, round, (black, white), None).await?;
        }
        Move::Replace(out, into) => {
            rounds::replace(tx, change, event, round, (out, into), None).await?;
        }
        Move::Table(table) => {
            if event.draft().is_none_or(|draft| draft.round != round) {
                let next = event.stage.next_round();
                return Err(Refused::NotNextRound { round, next }.into());
            }
            rounds::by_hand(tx, change, event, table, confirmed).await?;
        }
    }
    Ok(())
}

/// Changes a table by hand
///
/// Needs `If-Match`. A published round stays published, as its next edition.
#[utoipa::path(patch, path = "/events/{event}/rounds/{round}", tag = "rounds", request_body = RoundChange,
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = RoundOut, headers(("ETag" = String))), ChangeRefusals, VersionRefusals))]
pub async fn update(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, round)): InPath<(String, u32)>,
    if_match: IfMatch,
    InJson { value, .. }: InJson<RoundChange>,
) -> Result<Response> {
    let act = value.read()?;
    let mut tx = state.store.begin().await?;
    let mut event = lock(&mut tx, &key).await?;
    let now = RoundOut::find(&event, round, Some(store::Role::Director))?;
    check_version(&if_match, now.version.unwrap_or_default(), true, &now)?;
    let change = change(&state, &actor, value.reason.as_deref());
    carry_out(&mut tx, &change, &mut event, round, act, value.confirm.into()).await?;
    let out = RoundOut::find(&event, round, Some(store::Role::Director))?;
    let response = changed(StatusCode::OK, out.version, &out)?;
    tx.commit().await?;
    Ok(response)
}

/// Throws a round away
///
/// The last one: a draft always, a published one while it has no results. Needs `If-Match`.
#[utoipa::path(delete, path = "/events/{event}/rounds/{round}", tag = "rounds",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ReasonQuery,
        IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Thrown away"), ChangeRefusals, VersionRefusals))]
pub async fn delete(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, round)): InPath<(String, u32)>,
    InQuery(query): InQuery<ReasonQuery>,
    if_match: IfMatch,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = lock(&mut tx, &key).await?;
    let now = RoundOut::find(&event, round, Some(store::Role::Director))?;
    check_version(&if_match, now.version.unwrap_or_default(), true, &now)?;
    let change = change(&state, &actor, query.reason.as_deref());
    rounds::throw_away(&mut tx, &change, &mut event, round, None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// How a round is published.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PublishIn {
    /// When, with its offset from UTC; now when left out or past. Until then it stays a draft.
    pub at: Option<DateTime<Utc>>,
    /// Publishes although results or entries have changed since the round was paired. Only for
    /// publishing now: at a set moment, a table that is out of date is held back.
    pub outdated: bool,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// Publishes a round
///
/// Published already: a success that changes nothing. `If-Match` is checked when it is sent.
#[utoipa::path(post, path = "/events/{event}/rounds/{round}/publish", tag = "rounds",
    request_body(content = Option<PublishIn>),
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), IfMatchHeader,
        IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = RoundOut, headers(("ETag" = String))), ChangeRefusals, VersionRefusals))]
#[expect(clippy::too_many_arguments, reason = "each is a part of the request")]
pub async fn publish(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, round)): InPath<(String, u32)>,
    idempotency: IdempotencyKey,
    if_match: IfMatch,
    method: Method,
    uri: Uri,
    MaybeJson { value, digest }: MaybeJson<PublishIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let now = RoundOut::find(&event, round, Some(store::Role::Director))?;
    check_version(&if_match, now.version.unwrap_or_default(), false, &now)?;
    let change = change(&state, &actor, value.reason.as_deref());
    match value.at.filter(|at| *at > change.at) {
        None => rounds::publish(&mut tx, &change, &mut event, round, None, value.outdated).await?,
        at => rounds::publish_at(&mut tx, &change, &mut event, round, at, None).await?,
    };
    let out = RoundOut::find(&event, round, Some(store::Role::Director))?;
    let response = changed(StatusCode::OK, out.version, &out)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Takes the time of a publication away
///
/// The round stays a draft until it is published. `If-Match` is checked when it is sent.
#[utoipa::path(delete, path = "/events/{event}/rounds/{round}/publish", tag = "rounds",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), ReasonQuery,
        IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = RoundOut, headers(("ETag" = String))), ChangeRefusals, VersionRefusals))]
pub async fn keep_as_draft(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, round)): InPath<(String, u32)>,
    InQuery(query): InQuery<ReasonQuery>,
    if_match: IfMatch,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = lock(&mut tx, &key).await?;
    let now = RoundOut::find(&event, round, Some(store::Role::Director))?;
    check_version(&if_match, now.version.unwrap_or_default(), false, &now)?;
    let change = change(&state, &actor, query.reason.as_deref());
    rounds::publish_at(&mut tx, &change, &mut event, round, None, None).await?;
    let out = RoundOut::find(&event, round, Some(store::Role::Director))?;
    let response = changed(StatusCode::OK, out.version, &out)?;
    tx.commit().await?;
    Ok(response)
}
