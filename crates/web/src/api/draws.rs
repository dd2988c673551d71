//! Draws of lots: what was promised, the words of the public, what was revealed, draw files.

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::draws::{self, Draw, GroupRequest, NumberRequest, StrengthBy};
use store::events::Event;
use tournament::Number;
use tournament::draw::{Decides, Split};
use utoipa::ToSchema;

use super::common::{
    Begun, ChangeRefusals, IdempotencyHeader, ReadRefusals, ReasonQuery, Repeatable, change, changed, find,
    lock, tagged,
};
use super::model::{EntryOut, Faults, RoundOut, moment};
use crate::errors::{Error, Result};
use crate::extract::{Caller, Director, IdempotencyKey, InJson, InPath, InQuery, MaybeJson};
use crate::state::AppState;

/// A public word.
#[derive(Debug, Serialize, ToSchema)]
pub struct WordOut {
    /// What it is taken back by.
    pub position: u32,
    /// The word.
    pub word: String,
    /// Who said it.
    pub said_by: Option<String>,
    /// When it was entered.
    pub at: String,
}

/// A draw that was promised, and what was revealed of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DrawOut {
    /// `round 4`, `numbers` or `groups`.
    pub draw: String,
    /// 1, and one more for every time that numbers or groups are drawn again.
    pub edition: u32,
    /// SHA-256 of `tianyuan commitment 1`, the event's id, `draw` and the secret, a line each.
    pub commitment: String,
    /// When that was published.
    pub promised_at: String,
    /// The act of the log that says it.
    pub promised_seq: i64,
    /// Whether it was promised before everything that the draw depends on was known.
    pub promised_beforehand: bool,
    /// The public words in the order in which they enter the seed.
    pub words: Vec<WordOut>,
    /// The secret; null until the draw is public.
    pub secret: Option<String>,
    /// The seed; null until the draw is public.
    pub seed: Option<String>,
    /// When it was revealed.
    pub revealed_at: Option<String>,
    /// When what was drawn was put back, and counts no more.
    pub put_back_at: Option<String>,
}

impl From<&Draw> for DrawOut {
    fn from(draw: &Draw) -> Self {
        let revealed = draw.revealed.as_ref();
        Self {
            draw: draw.decides.to_string(),
            edition: draw.edition,
            commitment: draw.commitment.to_string(),
            promised_at: moment(draw.promised_at),
            promised_seq: draw.promised_seq,
            promised_beforehand: !draw.late,
            words: draw
                .words
                .iter()
                .map(|word| WordOut {
                    position: word.position,
                    word: word.word.as_str().to_owned(),
                    said_by: word.said_by.clone(),
                    at: moment(word.at),
                })
                .collect(),
            secret: revealed.map(|revealed| revealed.secret.to_string()),
            seed: revealed.map(|revealed| revealed.seed.to_string()),
            revealed_at: revealed.map(|revealed| moment(revealed.at)),
            put_back_at: revealed.and_then(|revealed| revealed.put_back_at).map(moment),
        }
    }
}

/// The draws of an event.
#[derive(Debug, Serialize, ToSchema)]
pub struct Draws {
    /// In the order in which they were promised.
    pub items: Vec<DrawOut>,
}

/// Lists draws
///
/// What is promised and not drawn yet has its commitment; the secret comes with the draw.
#[utoipa::path(get, path = "/events/{event}/draws", tag = "draws",
    params(("event" = String, Path, description = "The id or the slug")),
    responses((status = 200, body = Draws, headers(("ETag" = String))), ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, &key, &caller).await?;
    let items = event.draws.iter().map(DrawOut::from).collect();
    tagged(&headers, &caller, None, &Draws { items })
}

async fn file(
    state: &AppState,
    caller: &Caller,
    key: &str,
    headers: &HeaderMap,
    decides: Decides,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = find(&mut tx, key, caller).await?;
    let version = match decides {
        Decides::Round(round) => RoundOut::find(&event, round, caller.role())?.version,
        Decides::Numbers | Decides::Groups => None,
    };
    let text = draws::file(&mut tx, &event, decides).await?;
    let file: Value = serde_json::from_str(&text).map_err(Error::internal)?;
    tagged(headers, caller, version, &file)
}

/// Gives the draw file of a round
///
/// Everything that the table was made from, the seed's parts and the table, as it was when the
/// round was published: `tianyuan check` repeats the draw and judges it. Of a draft directors get
/// it without what is not revealed yet.
#[utoipa::path(get, path = "/events/{event}/rounds/{round}/draw", tag = "draws",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path)),
    responses((status = 200, body = Object, description = "A draw file", headers(("ETag" = String))),
        ReadRefusals))]
pub async fn round(
    State(state): State<AppState>,
    caller: Caller,
    InPath((key, round)): InPath<(String, u32)>,
    headers: HeaderMap,
) -> Result<Response> {
    file(&state, &caller, &key, &headers, Decides::Round(round)).await
}

/// Gives the draw file of the numbers
#[utoipa::path(get, path = "/events/{event}/numbers/draw", tag = "draws",
    params(("event" = String, Path, description = "The id or the slug")),
    responses((status = 200, body = Object, description = "A draw file", headers(("ETag" = String))),
        ReadRefusals))]
pub async fn numbers(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    file(&state, &caller, &key, &headers, Decides::Numbers).await
}

/// Gives the draw file of the groups
#[utoipa::path(get, path = "/events/{event}/groups/draw", tag = "draws",
    params(("event" = String, Path, description = "The id or the slug")),
    responses((status = 200, body = Object, description = "A draw file", headers(("ETag" = String))),
        ReadRefusals))]
pub async fn groups(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    file(&state, &caller, &key, &headers, Decides::Groups).await
}

/// How numbers are drawn.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NumbersIn {
    /// Who is seeded, by the numbers of now.
    pub seeded: Vec<u32>,
    /// The numbers that seeded entries draw among, ascending; evenly spread when left out.
    pub slots: Option<Vec<u32>>,
    /// Draws again what was drawn already.
    pub again: bool,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// What was drawn.
#[derive(Debug, Serialize, ToSchema)]
pub struct DrawnOut {
    /// The draw, revealed.
    pub draw: Option<DrawOut>,
    /// The entries as they are now.
    pub entries: Vec<EntryOut>,
}

impl DrawnOut {
    fn of(event: &Event, decides: Decides) -> Self {
        let draw = event
            .draws
            .iter()
            .rfind(|draw| draw.decides == decides && draw.revealed.is_some());
        let mut all: Vec<_> = event.stage.entries.iter().collect();
        all.sort_by_key(|entry| entry.number);
        Self {
            draw: draw.map(DrawOut::from),
            entries: all.into_iter().map(EntryOut::from).collect(),
        }
    }
}

/// Draws the numbers by lot
///
/// 1 to n, in place of the numbers there were, from the secret that was promised with the event and
/// the public words. Only before the first round; a second time only with `again`.
#[utoipa::path(post, path = "/events/{event}/numbers/draw", tag = "draws",
    request_body(content = Option<NumbersIn>),
    params(("event" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = DrawnOut), ChangeRefusals))]
pub async fn draw_numbers(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    MaybeJson { value, digest }: MaybeJson<NumbersIn>,
) -> Result<Response> {
    let mut faults = Faults::default();
    let mut read = |path: &str, numbers: &[u32]| -> Vec<Number> {
        let numbers = numbers.iter().enumerate();
        numbers
            .filter_map(|(i, number)| faults.number(format!("{path}[{i}]"), *number))
            .collect()
    };
    let request = NumberRequest {
        seeded: read("seeded", &value.seeded),
        slots: value.slots.as_ref().map(|slots| read("slots", slots)),
        again: value.again,
    };
    faults.none_or(())?;
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    draws::draw_numbers(&mut tx, &change, &mut event, request).await?;
    let response = changed(StatusCode::OK, None, &DrawnOut::of(&event, Decides::Numbers))?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// How a field is split.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SplitWord {
    /// By lots.
    #[default]
    Lots,
    /// By strength, to and fro, with lots inside each layer.
    Snake,
}

/// What makes strength.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StrengthWord {
    /// The rating.
    #[default]
    Rating,
    /// The grade.
    Grade,
    /// The number, the smaller the stronger.
    Number,
}

impl From<StrengthWord> for StrengthBy {
    fn from(word: StrengthWord) -> Self {
        match word {
            StrengthWord::Rating => Self::Rating,
            StrengthWord::Grade => Self::Grade,
            StrengthWord::Number => Self::Number,
        }
    }
}

/// How groups are drawn.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupsIn {
    /// Into how many, 2 to 26: A, B, C ….
    pub groups: u32,
    /// By lots, or by strength.
    #[serde(default)]
    pub split: SplitWord,
    /// Where by strength, what makes it.
    #[serde(default)]
    pub by: StrengthWord,
    /// Where by strength, how many a layer has; as many as there are groups when left out.
    #[serde(default)]
    pub layer: Option<u32>,
    /// Draws again what was drawn already, and replaces categories that are there.
    #[serde(default)]
    pub again: bool,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Splits the field into groups
///
/// Each entry's category becomes A, B, …, from the secret that was promised and the public words.
/// Only before the first round; a second time, or over categories that are there, only with `again`.
#[utoipa::path(post, path = "/events/{event}/groups/draw", tag = "draws", request_body = GroupsIn,
    params(("event" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = DrawnOut), ChangeRefusals))]
pub async fn draw_groups(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    InJson { value, digest }: InJson<GroupsIn>,
) -> Result<Response> {
    let groups = size(value.groups);
    let request = GroupRequest {
        groups,
        by: value.by.into(),
        split: match value.split {
            SplitWord::Lots => Split::Lots,
            SplitWord::Snake => Split::Snake {
                layer: value.layer.map_or(groups, size),
            },
        },
        again: value.again,
    };
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    draws::draw_groups(&mut tx, &change, &mut event, request).await?;
    let response = changed(StatusCode::OK, None, &DrawnOut::of(&event, Decides::Groups))?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// A draw in an address: a round, `numbers` or `groups`.
fn decides(word: &str) -> Result<Decides> {
    Decides::from_word(word)
        .or_else(|| Decides::from_word(&format!("round {word}")))
        .ok_or_else(Error::not_found)
}

/// A word that somebody in the hall gives.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WordIn {
    /// The word: one line of 1 to 200 characters.
    pub word: String,
    /// Who said it.
    #[serde(default)]
    pub said_by: Option<String>,
    /// Why, for the log.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Adds a public word
///
/// To a draw that is promised: of a round as long as results of the round before are missing, of
/// numbers and groups until they are drawn. It is public at once, and enters the seed.
#[utoipa::path(post, path = "/events/{event}/draws/{draw}/words", tag = "draws", request_body = WordIn,
    params(("event" = String, Path, description = "The id or the slug"),
        ("draw" = String, Path, description = "The round, `numbers` or `groups`"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = Draws), ChangeRefusals))]
pub async fn add_word(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, draw)): InPath<(String, String)>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    InJson { value, digest }: InJson<WordIn>,
) -> Result<Response> {
    let decides = decides(&draw)?;
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    let said_by = value.said_by.as_deref();
    draws::add_word(&mut tx, &change, &mut event, decides, &value.word, said_by).await?;
    let items = event.draws.iter().map(DrawOut::from).collect();
    let response = changed(StatusCode::CREATED, None, &Draws { items })?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Takes a public word back
///
/// As long as words are taken.
#[utoipa::path(delete, path = "/events/{event}/draws/{draw}/words/{position}", tag = "draws",
    params(("event" = String, Path, description = "The id or the slug"),
        ("draw" = String, Path, description = "The round, `numbers` or `groups`"), ("position" = u32, Path),
        ReasonQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 204, description = "Taken back"), ChangeRefusals))]
pub async fn remove_word(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath((key, draw, position)): InPath<(String, String, u32)>,
    InQuery(query): InQuery<ReasonQuery>,
) -> Result<Response> {
    let decides = decides(&draw)?;
    let mut tx = state.store.begin().await?;
    let mut event = lock(&mut tx, &key).await?;
    let change = change(&state, &actor, query.reason.as_deref());
    draws::remove_word(&mut tx, &change, &mut event, decides, position).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
