//! `/f/{family}`: the groups (组别) of a tournament on one page, what is on now in each, who plays where
//! in any of them, and one screen that turns through all.

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use store::events::{self, Event, Visibility};
use store::families::{self, Family, Group};
use store::{Paging, Tx};

use super::screen::{self, Leaf, ScreenPage};
use crate::errors::{Error, Result};
use crate::extract::{Caller, InPath, InQuery, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit, encoded};
use crate::pages::public::events::{self as list, EventRow};
use crate::pages::tables::NameRow;
use crate::pages::{page, words};
use crate::state::AppState;

/// A family as a list of events shows it.
pub fn row(t: Language, family: &Family) -> EventRow {
    let mut facts = Vec::new();
    facts.extend(family.starts_on.map(|day| words::day(t, day)));
    facts.extend(family.place.clone());
    let players: u32 = family.groups.iter().map(|group| group.event.entries).sum();
    facts.push(t.with("players-n", "count", players));
    EventRow {
        href: format!("/f/{}", family.slug),
        slug: family.slug.clone(),
        name: family.name.clone(),
        state: t.with("family-groups-n", "count", family.groups.len()),
        facts: facts.join(" · "),
        hidden: family.visibility() == Visibility::Hidden,
        role: None,
        groups: Vec::new(),
    }
}

/// The families that everybody sees, as rows of a list.
///
/// # Errors
/// Only of the database.
pub async fn rows(tx: &mut Tx, t: Language) -> Result<Vec<EventRow>> {
    let found = families::list(tx, families::Listed::Public, Paging::default()).await?;
    Ok(found.iter().map(|family| row(t, family)).collect())
}

/// The family of an address, with those of its groups that the reader may see.
///
/// # Errors
/// `not-found`.
pub async fn family_in(tx: &mut Tx, caller: &Caller, key: &str) -> Result<Family> {
    let mut family = families::find(tx, key).await?.ok_or_else(Error::not_found)?;
    if !caller.belongs() {
        let shown = |group: &Group| group.event.visibility == Visibility::Public;
        family.groups.retain(shown);
        family.field = family
            .field
            .filter(|field| field.visibility == Visibility::Public);
    }
    Ok(family)
}

/// The events of a family's groups, as the caller is shown them.
///
/// # Errors
/// Only of the database.
pub async fn events_of(tx: &mut Tx, caller: &Caller, family: &Family) -> Result<Vec<Event>> {
    let mut shown = Vec::new();
    for group in &family.groups {
        let event = events::find(tx, &group.event.id.to_string()).await?;
        shown.extend(event.and_then(|event| caller.shown(event)));
    }
    Ok(shown)
}

/// A group on the page of its family.
#[derive(Clone, Debug, Default)]
pub struct GroupRow {
    /// What it is called.
    pub label: String,
    /// Its event's name in addresses.
    pub slug: String,
    /// How far it is, and what is on.
    pub state: String,
    /// How many play.
    pub players: String,
    /// The last published round and its word; none before the first.
    pub round: Option<(String, String)>,
    /// Whether only its people see it.
    pub hidden: bool,
}

/// The page of a family.
#[derive(Clone, Debug, Template)]
#[template(path = "public/family.html")]
pub struct FamilyPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Where and when.
    pub facts: String,
    /// The groups.
    pub groups: Vec<GroupRow>,
    /// The event with everybody's entries, and whether the draw of groups can be looked at there.
    pub field: Option<(String, bool)>,
    /// Whether the reader has a right in it.
    pub belongs: bool,
}

/// What is on now in a group.
pub fn state(t: Language, group: &Group) -> String {
    let event = &group.event;
    let far = list::row(t, event).state;
    match event.last_published {
        Some(_) if event.pending > 0 => {
            format!("{far} · {}", t.with("family-pending", "count", event.pending))
        }
        Some(_) if !event.frozen => format!("{far} · {}", t.say("family-all-in")),
        _ => far,
    }
}

/// Builds the page. `drawn`: whether the groups were drawn, so that the draw can be looked at.
pub fn view(visit: &Visit, family: &Family, drawn: bool) -> FamilyPage {
    let t = visit.t;
    let mut facts = Vec::new();
    facts.extend(family.starts_on.map(|day| words::day(t, day)));
    facts.extend(family.place.clone());
    FamilyPage {
        t,
        frame: visit.frame(),
        slug: family.slug.clone(),
        name: family.name.clone(),
        facts: facts.join(" · "),
        groups: family
            .groups
            .iter()
            .map(|group| GroupRow {
                label: group.label.clone(),
                slug: group.event.slug.clone(),
                state: state(t, group),
                players: t.with("players-n", "count", group.event.entries),
                round: group.event.last_published.map(|round| {
                    (
                        format!("/e/{}/rounds/{round}", group.event.slug),
                        t.with("pairing-of-round", "round", round),
                    )
                }),
                hidden: group.event.visibility == Visibility::Hidden,
            })
            .collect(),
        field: family.field.as_ref().map(|field| (field.slug.clone(), drawn)),
        belongs: visit.caller.belongs(),
    }
}

/// The page.
///
/// # Errors
/// `not-found`.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath(key): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let family = family_in(&mut tx, &visit.caller, &key).await?;
    let drawn = match &family.field {
        Some(field) => {
            let event = events::find(&mut tx, &field.slug).await?;
            event.is_some_and(|event| {
                let groups = |draw: &store::draws::Draw| {
                    draw.decides == tournament::draw::Decides::Groups && draw.is_drawn()
                };
                event.draws.iter().any(groups)
            })
        }
        None => false,
    };
    page(&view(&visit, &family, drawn))
}

// ---------------------------------------------------------------- find

/// Who is looked for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    q: String,
}

/// Who fits in one group.
#[derive(Clone, Debug, Default)]
pub struct FoundGroup {
    /// The group.
    pub label: String,
    /// The round that is told.
    pub told: String,
    /// Who fits.
    pub found: Vec<NameRow>,
    /// How many more fit.
    pub more: usize,
}

/// Find my board, in any group.
#[derive(Clone, Debug, Template)]
#[template(path = "public/family_find.html")]
pub struct FamilyFindPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The family's name in addresses.
    pub slug: String,
    /// The family's name.
    pub name: String,
    /// Who is looked for.
    pub query: String,
    /// Who fits, group by group.
    pub groups: Vec<FoundGroup>,
}

/// Builds the page.
pub fn find_view(visit: &Visit, family: &Family, events: &[Event], query: &str) -> FamilyFindPage {
    let groups = events.iter().filter_map(|event| {
        let found = super::find::view(visit, event, query);
        let label = family.group(event.id)?.label.clone();
        (!found.found.is_empty()).then_some(FoundGroup {
            label,
            told: found.told,
            found: found.found,
            more: found.more,
        })
    });
    FamilyFindPage {
        t: visit.t,
        frame: visit.frame(),
        slug: family.slug.clone(),
        name: family.name.clone(),
        query: query.trim().to_owned(),
        groups: groups.collect(),
    }
}

/// Where does somebody play?
///
/// # Errors
/// `not-found`.
pub async fn find(
    State(state): State<AppState>,
    visit: Visit,
    InPath(key): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let family = family_in(&mut tx, &visit.caller, &key).await?;
    let events = if asked.q.trim().is_empty() {
        Vec::new()
    } else {
        events_of(&mut tx, &visit.caller, &family).await?
    };
    page(&find_view(&visit, &family, &events, &asked.q))
}

// ---------------------------------------------------------------- screen

/// The pages of the screens of all groups one after another, as pages of one.
///
/// Groups with nothing to show are passed over as long as another has something.
pub fn screen_view(
    visit: &Visit,
    family: &Family,
    events: &[Event],
    asked: &screen::Asked,
    code: String,
    now: DateTime<Utc>,
) -> Option<ScreenPage> {
    let t = visit.t;
    let of = |event: &Event, page: usize, code: String| {
        let asked = screen::Asked {
            show: asked.show.clone(),
            page: Some(page),
        };
        screen::view(visit, event, &asked, None, code, now)
    };
    let mut places = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let first = of(event, 1, String::new());
        let waits = matches!(first.leaf, Leaf::Waiting);
        places.extend((1..=first.pages).map(|page| (index, page, waits)));
    }
    if places.iter().any(|(.., waits)| !waits) {
        places.retain(|(.., waits)| !waits);
    }
    let pages = places.len();
    let here = asked.page.unwrap_or(1).saturating_sub(1).checked_rem(pages)?;
    let (index, page, _) = places[here];
    let event = &events[index];
    let label = family.group(event.id).map(|group| group.label.as_str());
    let show = match asked.show.as_str() {
        known @ ("board" | "name" | "standings") => known,
        _ => "",
    };
    let href = |show: &str, page: usize| {
        let show = if show.is_empty() {
            String::new()
        } else {
            format!("&show={show}")
        };
        format!("/f/{}/screen?page={page}{show}", family.slug)
    };
    let mut choices = vec![("", "screen-everything")];
    if events.iter().any(|event| event.last_published().is_some()) {
        choices.extend([
            ("board", "by-board"),
            ("name", "by-name"),
            ("standings", "tab-standings"),
        ]);
    }
    Some(ScreenPage {
        event_name: format!("{} · {}", family.name, label.unwrap_or_default()),
        here: here + 1,
        pages,
        back_href: href(show, if here == 0 { pages } else { here }),
        next_href: href(show, if here + 1 == pages { 1 } else { here + 2 }),
        first_href: href(show, 1),
        choices: choices
            .into_iter()
            .map(|(word, key)| (href(word, 1), t.say(key), word == show))
            .collect(),
        ..of(event, page, code)
    })
}

/// The screen of all groups: what everybody may see, whoever opens it.
///
/// # Errors
/// `not-found`.
pub async fn screen(
    State(state): State<AppState>,
    visit: Visit,
    peer: Peer,
    headers: HeaderMap,
    InPath(key): InPath<String>,
    InQuery(asked): InQuery<screen::Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let family = family_in(&mut tx, &visit.caller, &key).await?;
    // The hall looks at it: names that are withheld stay so. Groups that are hidden from everybody are
    // there for their own people only.
    let eyes = Caller::outside_of_events(None).reading(visit.t);
    let mut events = events_of(&mut tx, &eyes, &family).await?;
    if events.is_empty() {
        events = events_of(&mut tx, &visit.caller, &family).await?;
    }
    let base = screen::base(&state, &peer, &headers);
    let code = screen::code(&format!("{base}/f/{}/find", encoded(&family.slug)))?;
    let view = screen_view(&visit, &family, &events, &asked, code, state.clock.now());
    page(&view.ok_or_else(Error::not_found)?)
}
