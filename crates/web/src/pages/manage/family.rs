//! `/manage/f/{family}`: the groups of a tournament as their director works with them: what is next in
//! each, what is done to all of them at once, who has a right in all, and the family itself.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::events::{self, Event, Listed, Visibility};
use store::families::{self, AllGroups, Family, FamilyPatch, GroupSetting, NewFamily, Part};
use store::{Actor, Paging, Role, Tx, accounts, people};
use uuid::Uuid;

use super::draft::moment_typed;
use super::new_event::day;
use super::overview::{self, NextStep};
use super::{Fields, change, event_of, locked_even_final, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::sheets::Which;
use crate::pages::{page, words};
use crate::state::AppState;

/// A group, and what is next in it.
#[derive(Clone, Debug, Default)]
pub struct GroupView {
    /// The event.
    pub event: String,
    /// Its name in addresses.
    pub slug: String,
    /// What it is called.
    pub label: String,
    /// Whether only its people see it.
    pub hidden: bool,
    /// How many are entered.
    pub players: String,
    /// What is to be done next.
    pub next: NextStep,
    /// The first board.
    pub first_board: u32,
}

/// Somebody with a right in all groups.
#[derive(Clone, Debug, Default)]
pub struct PersonView {
    /// The user.
    pub user: String,
    /// The name.
    pub name: String,
    /// The role's word.
    pub role: &'static str,
    /// The role in words.
    pub role_words: String,
    /// Since when.
    pub since: String,
}

/// An act on the family.
#[derive(Clone, Debug, Default)]
pub struct ActView {
    /// When.
    pub at: String,
    /// Who.
    pub by: String,
    /// What.
    pub what: String,
}

/// The family as its director works with it.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/family.html")]
pub struct FamilyPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Where it is played.
    pub place: String,
    /// The first day.
    pub starts_on: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// Whether the reader may change it.
    pub directs: bool,
    /// The groups.
    pub groups: Vec<GroupView>,
    /// How many groups can be paired now.
    pub ready: usize,
    /// Which groups wait for results, or for entries.
    pub waiting: String,
    /// How many drafts there are.
    pub drafts: usize,
    /// The zone in which a time is typed.
    pub zone: String,
    /// The time that was typed.
    pub at: String,
    /// Events that can become groups: id and name.
    pub others: Vec<(String, String)>,
    /// The sheets that are printed for all groups: word and name.
    pub sheets: Vec<(&'static str, String)>,
    /// The event with everybody's entries.
    pub field: Option<String>,
    /// Who has a right in all groups.
    pub people: Vec<PersonView>,
    /// The rights that can be given.
    pub roles: Vec<(&'static str, String)>,
    /// What was done.
    pub acts: Vec<ActView>,
}

/// The sheets that are worth printing for all groups at once.
const SHEETS: [Which; 6] = [
    Which::Pairing,
    Which::PairingByName,
    Which::Results,
    Which::Standings,
    Which::SignIn,
    Which::Prizes,
];

/// What the page is built from.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The family.
    pub family: Family,
    /// The events of its groups, in their order.
    pub events: Vec<Event>,
    /// Its people.
    pub people: Vec<families::FamilyPerson>,
    /// What was done to it.
    pub acts: Vec<families::FamilyAct>,
    /// The events that can become groups.
    pub others: Vec<(String, String)>,
}

fn act(t: Language, act: &families::FamilyAct) -> String {
    let word = match act.action.as_str() {
        "family-made" => t.say("family-act-made"),
        "family-right-given" => t.say("family-act-right-given"),
        "family-right-taken" => t.say("family-act-right-taken"),
        _ => t.say("family-act-changed"),
    };
    let person = |value: &serde_json::Value| value["user"].as_str().map(str::to_owned);
    let right = act.after["right"]
        .as_str()
        .and_then(|word| word.parse().ok())
        .map(|role| words::role(t, role));
    let mut parts = vec![word];
    parts.extend(person(&act.after).or_else(|| person(&act.before)));
    parts.extend(right);
    parts.extend(act.reason.clone());
    parts.join(" · ")
}

/// Builds the page.
pub fn view(visit: &Visit, whole: &Whole) -> FamilyPage {
    let t = visit.t;
    let Whole {
        family,
        events,
        people,
        acts,
        others,
    } = whole;
    let groups: Vec<GroupView> = events
        .iter()
        .filter_map(|event| {
            let group = family.group(event.id)?;
            Some(GroupView {
                event: event.id.to_string(),
                slug: event.slug.clone(),
                label: group.label.clone(),
                hidden: event.visibility == Visibility::Hidden,
                players: t.with("players-n", "count", event.stage.entries.len()),
                next: overview::next(t, event).0,
                first_board: group.first_board,
            })
        })
        .collect();
    let open =
        |event: &&Event| event.draft().is_none() && event.stage.next_round() <= event.stage.rounds_planned;
    let can = |event: &Event| {
        let round = event.stage.next_round();
        let all_in = event
            .stage
            .rounds
            .iter()
            .all(|table| table.pending().next().is_none());
        let playing = event.stage.entries.iter().filter(|entry| entry.plays_in(round));
        all_in && playing.count() > 1
    };
    let waiting: Vec<String> = events
        .iter()
        .filter(open)
        .filter(|event| !can(event))
        .filter_map(|event| Some(family.group(event.id)?.label.clone()))
        .collect();
    FamilyPage {
        t,
        frame: visit.frame(),
        slug: family.slug.clone(),
        name: family.name.clone(),
        place: family.place.clone().unwrap_or_default(),
        starts_on: family.starts_on.map(|day| day.to_string()).unwrap_or_default(),
        problem: None,
        directs: visit.directs(),
        groups,
        ready: events.iter().filter(open).filter(|event| can(event)).count(),
        waiting: t.list(waiting),
        drafts: events.iter().filter(|event| event.draft().is_some()).count(),
        zone: events.first().map_or_else(String::new, |event| {
            words::zone(&event.schedule, event.updated_at)
        }),
        at: String::new(),
        others: others.clone(),
        sheets: SHEETS
            .iter()
            .map(|which| (which.as_str(), t.say(&format!("sheet-{}", which.as_str()))))
            .collect(),
        field: family.field.as_ref().map(|field| field.slug.clone()),
        people: people
            .iter()
            .map(|person| PersonView {
                user: person.user.to_string(),
                name: person.name.clone(),
                role: person.role.as_str(),
                role_words: words::role(t, person.role),
                since: words::moment(t, person.since),
            })
            .collect(),
        roles: Role::IN_EVENT
            .iter()
            .map(|role| (role.as_str(), words::role(t, *role)))
            .collect(),
        acts: acts
            .iter()
            .map(|one| ActView {
                at: words::moment(t, one.at),
                by: one.by.clone(),
                what: act(t, one),
            })
            .collect(),
    }
}

/// The events that somebody directs and that are no groups yet, as id and name.
async fn free_events(tx: &mut Tx, actor: &Actor) -> Result<Vec<(String, String)>> {
    let listed = match actor.user {
        Some(user) if actor.role != Role::Admin => Listed::Of(user),
        _ => Listed::All,
    };
    let roles = match actor.user {
        Some(user) => people::roles_of(tx, user).await?,
        None => std::collections::HashMap::new(),
    };
    let mut free = Vec::new();
    for event in events::list(tx, listed, Paging::default()).await?.items {
        let directs = actor.role == Role::Admin || roles.get(&event.id).is_some_and(|role| role.directs());
        if directs && !event.frozen && families::of_event(tx, event.id).await?.is_none() {
            free.push((event.id.to_string(), event.name));
        }
    }
    Ok(free)
}

async fn whole(tx: &mut Tx, visit: &Visit, key: &str) -> Result<Whole> {
    let family = families::find(tx, key).await?.ok_or_else(Error::not_found)?;
    let mut events = Vec::new();
    for group in &family.groups {
        events.extend(events::find(tx, &group.event.id.to_string()).await?);
    }
    let others = match &visit.caller.actor {
        Some(actor) if visit.directs() => free_events(tx, actor).await?,
        _ => Vec::new(),
    };
    Ok(Whole {
        people: families::people(tx, family.id).await?,
        acts: families::acts(tx, family.id).await?,
        family,
        events,
        others,
    })
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(key): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    page(&view(&visit, &whole(&mut tx, &visit, &key).await?))
}

/// The page again, with what is wrong; a family that is gone is not found.
async fn with_problem(
    state: &AppState,
    visit: &Visit,
    key: &str,
    error: Error,
    at: &str,
) -> Result<Response> {
    let problem = Some(told(error, visit.t)?);
    let whole = whole(&mut state.store.snapshot().await?, visit, key).await?;
    refused(&FamilyPage {
        problem,
        at: at.to_owned(),
        ..view(visit, &whole)
    })
}

async fn family_locked(tx: &mut Tx, key: &str) -> Result<Family> {
    families::lock(tx, key).await?.ok_or_else(Error::not_found)
}

/// Does something to all groups, and says to which rounds it was done.
async fn to_all(
    state: &AppState,
    visit: &Visit,
    actor: &Actor,
    key: &str,
    (what, said): (AllGroups, &str),
) -> Result<String> {
    let mut tx = state.store.begin().await?;
    let family = family_locked(&mut tx, key).await?;
    let done = families::all_groups(&mut tx, &change(state, actor, None), &family, what)
        .await
        .map_err(|error| crate::errors::in_groups(error, visit.t))?;
    tx.commit().await?;
    let t = visit.t;
    let rounds = done.iter().map(|group| {
        t.with2(
            "family-group-round",
            "group",
            group.label.as_str(),
            "round",
            group.round,
        )
    });
    Ok(t.with(said, "rounds", t.list(rounds)))
}

/// Pairs the next round of every group.
///
/// # Errors
/// `not-found`; a refusal is told on the page, group by group, and nothing is paired.
pub async fn pair(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(key): InPath<String>,
) -> Result<Response> {
    match to_all(
        &state,
        &visit,
        &actor,
        &key,
        (AllGroups::Pair, "family-done-paired"),
    )
    .await
    {
        Ok(sentence) => Ok(done(&format!("/manage/f/{key}"), &sentence)),
        Err(error) => with_problem(&state, &visit, &key, error, "").await,
    }
}

/// Publishes the drafts of all groups, now or at a time.
///
/// # Errors
/// `not-found`; a refusal is told on the page, group by group, and nothing is published.
pub async fn publish(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(key): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let at = match fields.get("at") {
        "" => Ok(None),
        typed => {
            let mut tx = state.store.snapshot().await?;
            let family = families::find(&mut tx, &key)
                .await?
                .ok_or_else(Error::not_found)?;
            let first = family.groups.first().map(|group| group.event.id.to_string());
            let event = match first {
                Some(id) => event_of(&mut tx, &id).await?,
                None => return Err(Error::not_found()),
            };
            moment_typed(&visit, &event, typed, state.clock.now()).map(Some)
        }
    };
    let said = if matches!(at, Ok(Some(_))) {
        "family-done-publish-at"
    } else {
        "family-done-published"
    };
    let published = match at {
        Ok(at) => to_all(&state, &visit, &actor, &key, (AllGroups::Publish(at), said)).await,
        Err(error) => Err(error),
    };
    match published {
        Ok(sentence) => Ok(done(&format!("/manage/f/{key}"), &sentence)),
        Err(error) => with_problem(&state, &visit, &key, error, fields.get("at")).await,
    }
}

/// Throws the drafts of all groups away.
///
/// # Errors
/// As [`pair`].
pub async fn throw_away(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(key): InPath<String>,
) -> Result<Response> {
    let what = (AllGroups::ThrowAway, "family-done-thrown-away");
    match to_all(&state, &visit, &actor, &key, what).await {
        Ok(sentence) => Ok(done(&format!("/manage/f/{key}"), &sentence)),
        Err(error) => with_problem(&state, &visit, &key, error, "").await,
    }
}

fn wrong(code: &'static str, found: &str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
        .arg("found", found)
        .into()
}

/// Refuses an event that the actor does not direct: nobody takes another's event into a family.
///
/// # Errors
/// `unknown-event`, `needs-director`.
pub async fn require_directed(tx: &mut Tx, actor: &Actor, event: &str) -> Result<Uuid> {
    let earlier = crate::earlier::find(tx, actor, event).await?;
    if earlier.role.is_some_and(Role::directs) {
        return Ok(earlier.event.id);
    }
    Err(Problem::new(StatusCode::FORBIDDEN, "needs-director")
        .arg("event", earlier.event.name)
        .arg("yours", earlier.role.map_or("none", Role::as_str))
        .arg("name", actor.name.as_str())
        .into())
}

/// The actor with the role on the site, of whom the role in this family was asked.
async fn on_site(tx: &mut Tx, actor: &Actor) -> Result<Actor> {
    let user = match actor.user {
        Some(user) => accounts::find_user(tx, user).await?,
        None => None,
    };
    Ok(Actor {
        role: user.map_or(actor.role, |user| user.role),
        ..actor.clone()
    })
}

async fn save_settings(state: &AppState, actor: &Actor, key: &str, fields: &Fields) -> Result<()> {
    let mut tx = state.store.begin().await?;
    let mut family = family_locked(&mut tx, key).await?;
    let mut groups = Vec::new();
    let mut places = Vec::new();
    for group in &family.groups {
        let id = group.event.id;
        if fields.ticked(&format!("leaves-{id}")) {
            continue;
        }
        let first = fields.get(&format!("first-{id}"));
        places.push(
            fields
                .get(&format!("place-{id}"))
                .parse::<usize>()
                .unwrap_or(usize::MAX),
        );
        groups.push(GroupSetting {
            event: id,
            label: fields.get(&format!("label-{id}")).to_owned(),
            first_board: match first {
                "" => group.first_board,
                typed => typed.parse().map_err(|_| wrong("not-a-first-board", typed))?,
            },
        });
    }
    let mut ordered: Vec<(usize, GroupSetting)> = places.into_iter().zip(groups).collect();
    ordered.sort_by_key(|(place, _)| *place);
    let mut groups: Vec<GroupSetting> = ordered.into_iter().map(|(_, group)| group).collect();
    let site = on_site(&mut tx, actor).await?;
    for other in fields.all("add").filter(|other| !other.is_empty()) {
        let event = require_directed(&mut tx, &site, other).await?;
        let label = match events::summary(&mut tx, other).await? {
            Some(event) => event.name.chars().take(60).collect(),
            None => String::new(),
        };
        groups.push(GroupSetting {
            event,
            label,
            first_board: 1,
        });
    }
    let patch = FamilyPatch {
        name: Some(fields.get("name").to_owned()),
        place: Some(fields.some("place")),
        starts_on: Some(day(fields.get("starts_on"))?),
        groups: Some(groups),
    };
    let reason = fields.some("reason");
    families::update(
        &mut tx,
        &change(state, actor, reason.as_deref()),
        &mut family,
        patch,
    )
    .await?;
    tx.commit().await?;
    Ok(())
}

/// Changes the family: its name, its groups, their labels, order and first boards.
///
/// # Errors
/// `not-found`; what is wrong is told on the page.
pub async fn settings(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(key): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    match save_settings(&state, &actor, &key, &fields).await {
        Ok(()) => Ok(done(&format!("/manage/f/{key}"), &visit.t.say("done-settings"))),
        Err(error) => with_problem(&state, &visit, &key, error, "").await,
    }
}

async fn give(state: &AppState, actor: &Actor, key: &str, fields: &Fields) -> Result<()> {
    let mut tx = state.store.begin().await?;
    let family = family_locked(&mut tx, key).await?;
    let role = match fields.get("role") {
        "" => None,
        word => Some(
            word.parse::<Role>()
                .ok()
                .filter(|role| Role::IN_EVENT.contains(role))
                .ok_or_else(|| wrong("not-a-choice", word))?,
        ),
    };
    let name = fields.get("user_name");
    let user = accounts::find_user_by_name(&mut tx, name)
        .await?
        .ok_or_else(|| wrong("no-such-account", name))?;
    families::give(&mut tx, &change(state, actor, None), &family, user.id, role).await?;
    tx.commit().await?;
    Ok(())
}

/// Gives somebody a right in all groups, or takes it away.
///
/// # Errors
/// `not-found`; what is wrong is told on the page.
pub async fn give_right(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(key): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    match give(&state, &actor, &key, &fields).await {
        Ok(()) => Ok(done(
            &format!("/manage/f/{key}#people"),
            &visit.t.with("family-done-right", "name", fields.get("user_name")),
        )),
        Err(error) => with_problem(&state, &visit, &key, error, "").await,
    }
}

async fn dissolve_now(state: &AppState, actor: &Actor, key: &str, fields: &Fields) -> Result<Family> {
    let mut tx = state.store.begin().await?;
    let family = family_locked(&mut tx, key).await?;
    let groups = match fields.get("what") {
        "keep" => false,
        "remove" => true,
        other => return Err(wrong("not-a-choice", other)),
    };
    if groups && fields.get("word") != family.slug {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "delete-word")
            .arg("slug", family.slug)
            .into());
    }
    families::dissolve(&mut tx, &change(state, actor, None), &family, groups).await?;
    tx.commit().await?;
    Ok(family)
}

/// Dissolves the family; the groups stay as events, or go with it while no round is paired.
///
/// # Errors
/// `not-found`; what is wrong is told on the page.
pub async fn dissolve(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(key): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    match dissolve_now(&state, &actor, &key, &fields).await {
        Ok(family) => {
            let to = family.field.map_or_else(
                || "/manage".to_owned(),
                |field| format!("/manage/e/{}", field.slug),
            );
            Ok(done(
                &to,
                &visit.t.with("family-done-dissolved", "name", family.name),
            ))
        }
        Err(error) => with_problem(&state, &visit, &key, error, "").await,
    }
}

// ---------------------------------------------------------------- a new family

/// The form for a new family.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/new_family.html")]
pub struct NewFamilyPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// The events that can be groups: id, name, whether it is ticked.
    pub events: Vec<(String, String, bool)>,
    /// The name.
    pub name: String,
    /// The place.
    pub place: String,
    /// The first day.
    pub starts_on: String,
    /// The name in addresses.
    pub slug: String,
}

/// Builds the form.
pub fn new_view(visit: &Visit, events: Vec<(String, String)>, fields: &Fields) -> NewFamilyPage {
    NewFamilyPage {
        t: visit.t,
        frame: visit.frame(),
        problem: None,
        events: events
            .into_iter()
            .map(|(id, name)| {
                let ticked = fields.all("event").any(|event| event == id);
                (id, name, ticked)
            })
            .collect(),
        name: fields.get("name").to_owned(),
        place: fields.get("place").to_owned(),
        starts_on: fields.get("starts_on").to_owned(),
        slug: fields.get("slug").to_owned(),
    }
}

/// The form.
///
/// # Errors
/// `sign-in-needed`.
pub async fn show_new(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
) -> Result<Response> {
    let events = free_events(&mut state.store.snapshot().await?, &actor).await?;
    page(&new_view(&visit, events, &Fields::default()))
}

async fn make(state: &AppState, actor: &Actor, fields: &Fields) -> Result<Family> {
    let mut tx = state.store.begin().await?;
    let mut groups = Vec::new();
    for event in fields.all("event") {
        let id = require_directed(&mut tx, actor, event).await?;
        let summary = events::summary(&mut tx, event).await?;
        groups.push(GroupSetting {
            event: id,
            label: summary.map_or_else(String::new, |event| event.name.chars().take(60).collect()),
            first_board: 1,
        });
    }
    let new = NewFamily {
        slug: fields.some("slug"),
        name: fields.get("name").to_owned(),
        place: fields.some("place"),
        starts_on: day(fields.get("starts_on"))?,
    };
    let family = families::make(&mut tx, &change(state, actor, None), new, &groups, None).await?;
    tx.commit().await?;
    Ok(family)
}

/// Makes a family of events.
///
/// # Errors
/// Only of the database: what is wrong is told on the form.
pub async fn create(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    match make(&state, &actor, &fields).await {
        Ok(family) => Ok(done(
            &format!("/manage/f/{}", family.slug),
            &visit.t.with("family-done-made", "name", family.name),
        )),
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            let events = free_events(&mut state.store.snapshot().await?, &actor).await?;
            refused(&NewFamilyPage {
                problem,
                ..new_view(&visit, events, &fields)
            })
        }
    }
}

// ---------------------------------------------------------------- splitting an event

/// How an event would be split.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/split.html")]
pub struct SplitPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// The groups that there would be: name and how many; empty when it cannot be split now.
    pub parts: Vec<(String, String)>,
    /// Whether there is nobody yet.
    pub nobody: bool,
    /// The family that it belongs to already.
    pub family: Option<(String, String)>,
}

/// Builds the page.
///
/// # Errors
/// None that the page does not tell itself.
pub fn split_view(
    visit: &Visit,
    event: &Event,
    parts: store::Result<Vec<Part>>,
    family: Option<&Family>,
) -> Result<SplitPage> {
    let t = visit.t;
    let (parts, problem) = match parts {
        Ok(parts) => (parts, None),
        Err(error) => (Vec::new(), Some(told(error.into(), t)?)),
    };
    let nobody = event.stage.entries.is_empty();
    Ok(SplitPage {
        t,
        frame: visit.frame_of(event, "settings"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: problem.filter(|_| family.is_none() && !nobody),
        nobody,
        parts: parts
            .into_iter()
            .map(|(label, numbers)| (label, t.with("players-n", "count", numbers.len())))
            .collect(),
        family: family.map(|family| (family.slug.clone(), family.name.clone())),
    })
}

/// What a split would make.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show_split(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let family = families::of_event(&mut tx, event.id).await?;
    page(&split_view(
        &visit,
        &event,
        families::parts(&event),
        family.as_ref(),
    )?)
}

/// Splits the event into groups.
///
/// # Errors
/// `not-found`; what is wrong is told on the page.
pub async fn split(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = locked_even_final(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    match families::split(&mut tx, &change, &event, fields.ticked("one_hall")).await {
        Ok(family) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/f/{}", family.slug),
                &visit.t.with("family-done-split", "count", family.groups.len()),
            ))
        }
        Err(error) => {
            drop(tx);
            let family = families::of_event(&mut state.store.snapshot().await?, event.id).await?;
            refused(&split_view(&visit, &event, Err(error), family.as_ref())?)
        }
    }
}
