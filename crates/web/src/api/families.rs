//! Families: events that belong together, the groups (组别) of one tournament.
#![expect(
    clippy::option_option,
    reason = "in a change, null empties and nothing leaves as it is"
)]

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use store::events::Event;
use store::families::{self, AllGroups, Family, FamilyPatch, GroupSetting, InGroup, NewFamily};
use store::{Refused, Role, Tx, accounts};
use utoipa::{IntoParams, ToSchema};

use super::BASE;
use super::common::{
    Begun, ChangeRefusals, IdempotencyHeader, PageQuery, ReadRefusals, Repeatable, at, change, changed,
    lock_even_final, tagged,
};
use super::model::{VisibilityWord, there};
use crate::errors::{Error, Problem, Result, in_groups};
use crate::extract::{Caller, Director, IdempotencyKey, InJson, InPath, InQuery, language_of};
use crate::pages::manage::family::require_directed;
use crate::pages::public::family::{events_of, family_in};
use crate::pages::search::{matches, search_text};
use crate::state::AppState;

/// A group of a family.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupOut {
    /// What it is called among the groups.
    pub label: String,
    /// The event that it is: its id.
    pub event: String,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub name: String,
    /// Who may see it.
    pub visibility: VisibilityWord,
    /// How many entries it has.
    pub entries: u32,
    /// How many rounds are planned.
    pub rounds: u32,
    /// The last published round.
    pub last_published: Option<u32>,
    /// Boards of published rounds without a result.
    pub pending: u32,
    /// The number of the first board in rounds that are paired from now on.
    pub first_board: u32,
}

/// A family.
#[derive(Debug, Serialize, ToSchema)]
pub struct FamilyOut {
    /// Its id.
    pub id: String,
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Where it is played.
    pub place: Option<String>,
    /// The first day.
    pub starts_on: Option<NaiveDate>,
    /// The event with everybody's entries and the draw of groups, where the groups came of one: its slug.
    pub field: Option<String>,
    /// The groups in their order.
    pub groups: Vec<GroupOut>,
}

impl From<&Family> for FamilyOut {
    fn from(family: &Family) -> Self {
        Self {
            id: family.id.to_string(),
            slug: family.slug.clone(),
            name: family.name.clone(),
            place: family.place.clone(),
            starts_on: family.starts_on,
            field: family.field.as_ref().map(|field| field.slug.clone()),
            groups: family
                .groups
                .iter()
                .map(|group| GroupOut {
                    label: group.label.clone(),
                    event: group.event.id.to_string(),
                    slug: group.event.slug.clone(),
                    name: group.event.name.clone(),
                    visibility: group.event.visibility.into(),
                    entries: group.event.entries,
                    rounds: group.event.rounds_planned,
                    last_published: group.event.last_published,
                    pending: group.event.pending,
                    first_board: group.first_board,
                })
                .collect(),
        }
    }
}

/// Families in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct FamiliesOut {
    /// The families, the latest first day first.
    pub items: Vec<FamilyOut>,
}

/// An event as a group.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupIn {
    /// The event: its id or slug. Its director takes it in.
    pub event: String,
    /// What it is called among the groups.
    #[schema(example = "A")]
    pub label: String,
    /// The number of the first board in rounds that are paired from now on; 1 when left out.
    #[schema(minimum = 1, maximum = 90000)]
    pub first_board: Option<u32>,
}

/// A new family.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FamilyIn {
    /// The name.
    #[schema(example = "Spring Open")]
    pub name: String,
    /// The name in addresses; left out, it is made from the name.
    pub slug: Option<String>,
    /// Where it is played.
    pub place: Option<String>,
    /// The day of the first round.
    pub starts_on: Option<NaiveDate>,
    /// The groups in their order.
    pub groups: Vec<GroupIn>,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// A change of a family; what is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FamilyChange {
    /// The name.
    pub name: Option<String>,
    /// Where it is played; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<String>)]
    pub place: Option<Option<String>>,
    /// The day of the first round; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<NaiveDate>)]
    pub starts_on: Option<Option<NaiveDate>>,
    /// All groups in their new order. One that is left out is a group no more, and stays as an event.
    pub groups: Option<Vec<GroupIn>>,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// How an event is split into groups.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SplitIn {
    /// Whether the groups play in one hall: their boards are numbered on from group to group.
    pub one_hall: bool,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// When the drafts are published.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PublishAllIn {
    /// The moment; now when left out or past.
    pub at: Option<DateTime<Utc>>,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// Why something is done to all groups.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AllIn {
    /// Why, for the log.
    pub reason: Option<String>,
}

/// How a family is dissolved.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DissolveIn {
    /// Whether its groups are removed too, which takes a split back; only while no round is paired.
    pub groups: bool,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// A right in all groups of a family.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RightIn {
    /// The name of the account.
    pub user: String,
    /// `director`, `arbiter` or `viewer`; null takes the right away.
    #[schema(required = true)]
    pub right: Option<String>,
}

/// The rounds to which something was done.
#[derive(Debug, Serialize, ToSchema)]
pub struct InGroupsOut {
    /// Group by group.
    pub rounds: Vec<InGroupOut>,
}

/// A round of a group.
#[derive(Debug, Serialize, ToSchema)]
pub struct InGroupOut {
    /// The group.
    pub label: String,
    /// Its event's name in addresses.
    pub slug: String,
    /// The round.
    pub round: u32,
}

impl From<Vec<InGroup>> for InGroupsOut {
    fn from(done: Vec<InGroup>) -> Self {
        Self {
            rounds: done
                .into_iter()
                .map(|group| InGroupOut {
                    label: group.label,
                    slug: group.slug,
                    round: group.round,
                })
                .collect(),
        }
    }
}

/// Who is looked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct FindQuery {
    /// Characters of a name, a number, or the first letters of its pinyin.
    pub q: String,
}

/// Where somebody plays.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundOut {
    /// The group.
    pub label: String,
    /// Its event's name in addresses.
    pub slug: String,
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The last published round.
    pub round: Option<u32>,
    /// The board in it; null for somebody without one.
    pub board: Option<u32>,
}

/// Everybody who was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundInGroups {
    /// Group by group, by number; at most 200.
    pub items: Vec<FoundOut>,
}

async fn locked(tx: &mut Tx, key: &str) -> Result<Family> {
    families::lock(tx, key)
        .await?
        .ok_or_else(|| Refused::UnknownFamily { key: key.to_owned() }.into())
}

/// Lists the families that everybody sees
///
/// The latest first day first.
#[utoipa::path(get, path = "/families", tag = "families", params(PageQuery),
    responses((status = 200, body = FamiliesOut, headers(("ETag" = String))), ReadRefusals))]
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    InQuery(page): InQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let found = families::list(&mut tx, families::Listed::Public, page.paging()).await?;
    let mut items = Vec::new();
    for family in &found {
        let shown = family_in(&mut tx, &Caller::outside_of_events(None), &family.slug).await?;
        items.push(FamilyOut::from(&shown));
    }
    tagged(&headers, &caller, None, &FamiliesOut { items })
}

/// Makes a family of events
///
/// Each event stays what it is, with its own entries, rounds, log and addresses. Whoever makes the family
/// directs each of its events, and then the family.
#[utoipa::path(post, path = "/families", tag = "families", request_body = FamilyIn, params(IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = FamilyOut, headers(("Location" = String))), ChangeRefusals))]
pub async fn create(
    State(state): State<AppState>,
    Director(actor): Director,
    key: IdempotencyKey,
    method: Method,
    uri: Uri,
    InJson { value, digest }: InJson<FamilyIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, key, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut groups = Vec::new();
    for group in &value.groups {
        groups.push(GroupSetting {
            event: require_directed(&mut tx, &actor, &group.event).await?,
            label: group.label.clone(),
            first_board: group.first_board.unwrap_or(1),
        });
    }
    let new = NewFamily {
        slug: value.slug,
        name: value.name,
        place: value.place,
        starts_on: value.starts_on,
    };
    let change = change(&state, &actor, value.reason.as_deref());
    let family = families::make(&mut tx, &change, new, &groups, None).await?;
    let response = made(&family)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

fn made(family: &Family) -> Result<Response> {
    let response = changed(StatusCode::CREATED, None, &FamilyOut::from(family))?;
    at(response, &format!("{BASE}/families/{}", family.id))
}

/// Splits an event into groups
///
/// An event for each category of its entries, with the same settings and these entries numbered anew, and a
/// family around them. The event stays as the field: everybody's entries, and the draw of groups that
/// anybody can check.
#[utoipa::path(post, path = "/events/{event}/split", tag = "families", request_body = SplitIn,
    params(("event" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = FamilyOut, headers(("Location" = String))), ChangeRefusals))]
pub async fn split(
    State(state): State<AppState>,
    Director(actor): Director,
    key: IdempotencyKey,
    method: Method,
    uri: Uri,
    InPath(event): InPath<String>,
    InJson { value, digest }: InJson<SplitIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, key, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let event = lock_even_final(&mut tx, &event).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    let family = families::split(&mut tx, &change, &event, value.one_hall).await?;
    let response = made(&family)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Shows a family
#[utoipa::path(get, path = "/families/{family}", tag = "families",
    params(("family" = String, Path, description = "The id or the slug")),
    responses((status = 200, body = FamilyOut, headers(("ETag" = String))), (status = 304, description = "Unchanged"),
        ReadRefusals))]
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let family = family_in(&mut tx, &caller, &key).await?;
    tagged(&headers, &caller, None, &FamilyOut::from(&family))
}

/// Changes a family
#[utoipa::path(patch, path = "/families/{family}", tag = "families", request_body = FamilyChange,
    params(("family" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = FamilyOut), ChangeRefusals))]
pub async fn update(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    InJson { value, .. }: InJson<FamilyChange>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut family = locked(&mut tx, &key).await?;
    let groups = match value.groups {
        None => None,
        Some(wanted) => {
            let mut groups = Vec::new();
            for group in wanted {
                let there = family.groups.iter().find(|there| {
                    there.event.slug == group.event || there.event.id.to_string() == group.event
                });
                groups.push(GroupSetting {
                    event: match there {
                        Some(there) => there.event.id,
                        None => require_directed(&mut tx, &actor, &group.event).await?,
                    },
                    label: group.label,
                    first_board: group
                        .first_board
                        .unwrap_or_else(|| there.map_or(1, |there| there.first_board)),
                });
            }
            Some(groups)
        }
    };
    let patch = FamilyPatch {
        name: value.name,
        place: value.place,
        starts_on: value.starts_on,
        groups,
    };
    let change = change(&state, &actor, value.reason.as_deref());
    families::update(&mut tx, &change, &mut family, patch).await?;
    tx.commit().await?;
    changed(StatusCode::OK, None, &FamilyOut::from(&family))
}

/// Dissolves a family
///
/// Its groups stay as events; with `groups` they are removed too, which takes a split back.
#[utoipa::path(post, path = "/families/{family}/dissolve", tag = "families", request_body = DissolveIn,
    params(("family" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = FamilyOut, description = "As it was"), ChangeRefusals))]
pub async fn dissolve(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    InJson { value, .. }: InJson<DissolveIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let family = locked(&mut tx, &key).await?;
    let change = change(&state, &actor, value.reason.as_deref());
    families::dissolve(&mut tx, &change, &family, value.groups).await?;
    tx.commit().await?;
    changed(StatusCode::OK, None, &FamilyOut::from(&family))
}

/// Gives somebody a right in all groups
#[utoipa::path(put, path = "/families/{family}/people", tag = "families", request_body = RightIn,
    params(("family" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = FamilyOut), ChangeRefusals))]
pub async fn give(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    InJson { value, .. }: InJson<RightIn>,
) -> Result<Response> {
    let wrong = |code: &'static str, found: &str| -> Error {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
            .arg("found", found)
            .into()
    };
    let role = match &value.right {
        None => None,
        Some(word) => Some(
            word.parse::<Role>()
                .ok()
                .filter(|role| Role::IN_EVENT.contains(role))
                .ok_or_else(|| wrong("not-a-choice", word))?,
        ),
    };
    let mut tx = state.store.begin().await?;
    let family = locked(&mut tx, &key).await?;
    let user = accounts::find_user_by_name(&mut tx, &value.user)
        .await?
        .ok_or_else(|| wrong("no-such-account", &value.user))?;
    families::give(&mut tx, &change(&state, &actor, None), &family, user.id, role).await?;
    tx.commit().await?;
    changed(StatusCode::OK, None, &FamilyOut::from(&family))
}

struct ToAll<'a> {
    key: &'a str,
    what: AllGroups,
    reason: Option<&'a str>,
}

async fn to_all(
    state: &AppState,
    actor: &store::Actor,
    headers: &HeaderMap,
    tx: &mut Tx,
    asked: ToAll<'_>,
) -> Result<InGroupsOut> {
    let family = locked(tx, asked.key).await?;
    let change = change(state, actor, asked.reason);
    let done = families::all_groups(tx, &change, &family, asked.what)
        .await
        .map_err(|error| in_groups(error, language_of(headers)))?;
    Ok(done.into())
}

/// Pairs the next round of every group
///
/// In all of them or in none: a group that refuses is named in `errors`. A group that has a draft and one
/// that is finished are passed over.
#[utoipa::path(post, path = "/families/{family}/rounds", tag = "families", request_body = AllIn,
    params(("family" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 201, body = InGroupsOut), ChangeRefusals))]
pub async fn pair(
    State(state): State<AppState>,
    Director(actor): Director,
    idempotency: IdempotencyKey,
    (method, uri): (Method, Uri),
    InPath(key): InPath<String>,
    headers: HeaderMap,
    InJson { value, digest }: InJson<AllIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let asked = ToAll {
        key: &key,
        what: AllGroups::Pair,
        reason: value.reason.as_deref(),
    };
    let out = to_all(&state, &actor, &headers, &mut tx, asked).await?;
    let response = changed(StatusCode::CREATED, None, &out)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Publishes the drafts of all groups
///
/// In all of them or in none, now or at a moment.
#[utoipa::path(post, path = "/families/{family}/publish", tag = "families", request_body = PublishAllIn,
    params(("family" = String, Path, description = "The id or the slug"), IdempotencyHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = InGroupsOut), ChangeRefusals))]
pub async fn publish(
    State(state): State<AppState>,
    Director(actor): Director,
    idempotency: IdempotencyKey,
    (method, uri): (Method, Uri),
    InPath(key): InPath<String>,
    headers: HeaderMap,
    InJson { value, digest }: InJson<PublishAllIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let now = state.clock.now();
    let asked = ToAll {
        key: &key,
        what: AllGroups::Publish(value.at.filter(|at| *at > now)),
        reason: value.reason.as_deref(),
    };
    let out = to_all(&state, &actor, &headers, &mut tx, asked).await?;
    let response = changed(StatusCode::OK, None, &out)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Throws the drafts of all groups away
#[utoipa::path(post, path = "/families/{family}/throw-away", tag = "families", request_body = AllIn,
    params(("family" = String, Path, description = "The id or the slug")),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = InGroupsOut), ChangeRefusals))]
pub async fn throw_away(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    headers: HeaderMap,
    InJson { value, .. }: InJson<AllIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let asked = ToAll {
        key: &key,
        what: AllGroups::ThrowAway,
        reason: value.reason.as_deref(),
    };
    let out = to_all(&state, &actor, &headers, &mut tx, asked).await?;
    tx.commit().await?;
    changed(StatusCode::OK, None, &out)
}

fn found_in(event: &Event, label: &str, query: &str) -> Vec<FoundOut> {
    let stage = event.public_stage();
    let round = stage.rounds.last();
    let fits = stage.entries.iter().filter(|entry| {
        let team = entry.team.as_deref().unwrap_or_default();
        matches(query, &search_text(entry.number.get(), &entry.name, team))
    });
    fits.map(|entry| FoundOut {
        label: label.to_owned(),
        slug: event.slug.clone(),
        number: entry.number.get(),
        name: entry.name.clone(),
        round: round.map(|round| round.round),
        board: round
            .and_then(|round| round.board_of(entry.number))
            .map(|(board, _)| board.board),
    })
    .collect()
}

/// Finds somebody in any group
#[utoipa::path(get, path = "/families/{family}/find", tag = "families",
    params(("family" = String, Path, description = "The id or the slug"), FindQuery),
    responses((status = 200, body = FoundInGroups, headers(("ETag" = String))), ReadRefusals))]
pub async fn find(
    State(state): State<AppState>,
    caller: Caller,
    InPath(key): InPath<String>,
    InQuery(asked): InQuery<FindQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let family = family_in(&mut tx, &caller, &key).await?;
    let query = asked.q.trim();
    let mut items = Vec::new();
    if !query.is_empty() {
        for event in events_of(&mut tx, &caller, &family).await? {
            let label = family.group(event.id).map_or("", |group| group.label.as_str());
            items.extend(found_in(&event, label, query));
        }
        items.truncate(200);
    }
    tagged(&headers, &caller, None, &FoundInGroups { items })
}
