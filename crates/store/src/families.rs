//! Families: events that belong together, the groups (组别) of one tournament.
//!
//! Each group stays an event with its own entries, rounds, log and addresses. A family binds them for
//! people: one page, one set of rights, and what is done to all groups at once. What is done to a group
//! stands in that event's log; what is done to the family itself, in the log of the site.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use serde_json::{Value, json};
use tournament::validate::{Fault, year_fault};
use tournament::{Carried, Entry, Number};
use uuid::Uuid;

use crate::error::unreadable;
use crate::events::{self, Event, EventSummary, Locked, RoundInfo, Visibility, trimmed, trimmed_or_none};
use crate::json::{Word, count, stored};
use crate::people::Standing;
use crate::{Change, Error, Paging, Refused, Result, Role, Store, Tx, accounts, entries, load, log, rounds};

/// The most groups that a family has.
pub const GROUPS_MOST: usize = 40;
/// The longest label of a group, in characters.
const LABEL_MOST: usize = 60;
/// The most that the first board of a group can be.
pub const FIRST_BOARD_MOST: u32 = 90_000;

/// A group of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The event that it is.
    pub event: EventSummary,
    /// What it is called among the groups: A, U12 ….
    pub label: String,
    /// The number of its first board in rounds that are paired from now on.
    pub first_board: u32,
}

/// Events that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its id.
    pub id: Uuid,
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Where it is played.
    pub place: Option<String>,
    /// The first day.
    pub starts_on: Option<NaiveDate>,
    /// The event with everybody's entries and the draw of groups, where the groups came of one.
    pub field: Option<EventSummary>,
    /// The groups in their order.
    pub groups: Vec<Group>,
    /// When it was made.
    pub made_at: DateTime<Utc>,
}

impl Family {
    /// Everybody sees a family of which everybody sees a group.
    pub fn visibility(&self) -> Visibility {
        let shown = |group: &Group| group.event.visibility == Visibility::Public;
        if self.groups.iter().any(shown) {
            Visibility::Public
        } else {
            Visibility::Hidden
        }
    }

    /// The group that is an event.
    pub fn group(&self, event: Uuid) -> Option<&Group> {
        self.groups.iter().find(|group| group.event.id == event)
    }
}

/// What a new family starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewFamily {
    /// Its name in addresses; none to have one made from the name.
    pub slug: Option<String>,
    /// Its name.
    pub name: String,
    /// Where it is played.
    pub place: Option<String>,
    /// The first day.
    pub starts_on: Option<NaiveDate>,
}

/// A group as somebody wants it: the event, its label, its first board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupSetting {
    /// The event.
    pub event: Uuid,
    /// What it is called among the groups.
    pub label: String,
    /// The number of its first board.
    pub first_board: u32,
}

/// What is to be changed of a family; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FamilyPatch {
    /// Its name.
    pub name: Option<String>,
    /// Where it is played; `Some(None)` empties it.
    pub place: Option<Option<String>>,
    /// The first day; `Some(None)` empties it.
    pub starts_on: Option<Option<NaiveDate>>,
    /// The groups, all of them in their new order. One that is left out is a group no more, and stays as
    /// an event.
    pub groups: Option<Vec<GroupSetting>>,
}

/// Somebody with a right in a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyPerson {
    /// The user.
    pub user: Uuid,
    /// The name.
    pub name: String,
    /// Director, arbiter or viewer.
    pub role: Role,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Who gave the right.
    pub given_by: String,
}

/// An act on a family itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyAct {
    /// When.
    pub at: DateTime<Utc>,
    /// Who.
    pub by: String,
    /// Its word: `family-made`, `family-changed`, `family-right-given`, `family-right-taken`.
    pub action: String,
    /// What was there before.
    pub before: Value,
    /// What is there now.
    pub after: Value,
    /// Why.
    pub reason: Option<String>,
}

// ---------------------------------------------------------------- finding

async fn id(tx: &mut Tx, key: &str) -> Result<Option<Uuid>> {
    if key.contains('\0') {
        return Ok(None);
    }
    Ok(sqlx::query_scalar!(
        "select family_id from families where family_id = $1 or slug = $2",
        Uuid::try_parse(key).ok(),
        key
    )
    .fetch_optional(tx.conn())
    .await?)
}

/// How a user stands in a family, by its id or slug; none when there is no such family.
///
/// # Errors
/// Only of the database.
pub async fn standing(store: &Store, key: &str, user: Option<Uuid>) -> Result<Option<Standing>> {
    if key.contains('\0') {
        return Ok(None);
    }
    let row = sqlx::query!(
        r#"select f.family_id, f.name, p.role as "role?",
                  (select e.time_zone from family_events g join events e on e.event_id = g.event_id
                   where g.family_id = f.family_id order by e.time_zone is null, g.position limit 1)
                      as time_zone,
                  exists (select from family_events g join events e on e.event_id = g.event_id
                          where g.family_id = f.family_id and e.visibility = 'public') as "shown!"
           from families f
           left join family_people p on p.family_id = f.family_id and p.user_id = $3
           where f.family_id = $1 or f.slug = $2"#,
        Uuid::try_parse(key).ok(),
        key,
        user
    )
    .fetch_optional(&store.pool()?)
    .await?;
    row.map(|row| {
        Ok(Standing {
            event: row.family_id,
            name: row.name,
            visibility: if row.shown {
                Visibility::Public
            } else {
                Visibility::Hidden
            },
            role: row.role.as_deref().map(Word::of).transpose()?,
            // Of groups in several zones the first; whatever is told by it names it.
            zone: row
                .time_zone
                .map(|zone| zone.parse().map_err(unreadable))
                .transpose()?,
            public_no: 0,
        })
    })
    .transpose()
}

/// A family by its id or slug, with all its groups.
///
/// # Errors
/// Only of the database.
pub async fn find(tx: &mut Tx, key: &str) -> Result<Option<Family>> {
    let Some(id) = id(tx, key).await? else {
        return Ok(None);
    };
    Ok(families(tx, &[id]).await?.pop())
}

/// The family of which an event is a group, or of whose groups it is the field.
///
/// # Errors
/// Only of the database.
pub async fn of_event(tx: &mut Tx, event: Uuid) -> Result<Option<Family>> {
    let id = sqlx::query_scalar!(
        r#"select coalesce((select family_id from family_events where event_id = $1),
                           (select family_id from families where field_event = $1 limit 1))"#,
        event
    )
    .fetch_one(tx.conn())
    .await?;
    match id {
        Some(id) => Ok(families(tx, &[id]).await?.pop()),
        None => Ok(None),
    }
}

/// Which families a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// What everybody sees.
    Public,
    /// Those in which this user has a right.
    Of(Uuid),
    /// All of them.
    All,
}

/// Families, the latest first day first.
///
/// # Errors
/// Only of the database.
pub async fn list(tx: &mut Tx, listed: Listed, page: Paging) -> Result<Vec<Family>> {
    let user = match listed {
        Listed::Of(user) => Some(user),
        Listed::Public | Listed::All => None,
    };
    let ids = sqlx::query_scalar!(
        r#"select f.family_id from families f
           where $1
              or ($2 and exists (select from family_events g join events e on e.event_id = g.event_id
                                 where g.family_id = f.family_id and e.visibility = 'public'))
              or exists (select from family_people p where p.family_id = f.family_id and p.user_id = $3)
           order by f.starts_on desc nulls last, f.made_at desc, f.family_id
           limit $4 offset $5"#,
        listed == Listed::All,
        listed == Listed::Public,
        user,
        page.limit(),
        i64::from(page.offset)
    )
    .fetch_all(tx.conn())
    .await?;
    families(tx, &ids).await
}

async fn families(tx: &mut Tx, ids: &[Uuid]) -> Result<Vec<Family>> {
    let rows = sqlx::query!(
        r#"select f.family_id, f.slug, f.name, f.place, f.starts_on, f.field_event, f.made_at
           from unnest($1::uuid[]) with ordinality as wanted (family_id, place_in_list)
           join families f on f.family_id = wanted.family_id
           order by wanted.place_in_list"#,
        ids
    )
    .fetch_all(tx.conn())
    .await?;
    let groups = sqlx::query!(
        r#"select family_id, event_id, label, first_board from family_events
           where family_id = any($1) order by family_id, position"#,
        ids
    )
    .fetch_all(tx.conn())
    .await?;
    let mut wanted: Vec<Uuid> = groups.iter().map(|group| group.event_id).collect();
    wanted.extend(rows.iter().filter_map(|row| row.field_event));
    let known: BTreeMap<Uuid, EventSummary> = events::summaries(tx, &wanted)
        .await?
        .into_iter()
        .map(|event| (event.id, event))
        .collect();
    rows.into_iter()
        .map(|row| {
            let mine = groups.iter().filter(|group| group.family_id == row.family_id);
            Ok(Family {
                id: row.family_id,
                slug: row.slug,
                name: row.name,
                place: row.place,
                starts_on: row.starts_on,
                field: row.field_event.and_then(|event| known.get(&event).cloned()),
                groups: mine
                    .map(|group| {
                        let event = known.get(&group.event_id).cloned();
                        Ok(Group {
                            event: event.ok_or_else(|| unreadable(group.event_id))?,
                            label: group.label.clone(),
                            first_board: count(group.first_board)?,
                        })
                    })
                    .collect::<Result<_>>()?,
                made_at: row.made_at,
            })
        })
        .collect()
}

/// A family by its id or slug, locked: until the transaction ends nobody else changes its groups or
/// people. Its events are locked one by one, when something is done to them.
///
/// # Errors
/// Only of the database.
pub async fn lock(tx: &mut Tx, key: &str) -> Result<Option<Family>> {
    let Some(id) = id(tx, key).await? else {
        return Ok(None);
    };
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('family ' || $1::text, 0))",
        id.to_string()
    )
    .execute(tx.conn())
    .await?;
    Ok(families(tx, &[id]).await?.pop())
}

// ---------------------------------------------------------------- making and changing

fn told(family: &Family) -> Value {
    let groups: Vec<Value> = family
        .groups
        .iter()
        .map(|group| json!({"event": group.event.slug, "label": group.label, "first_board": group.first_board}))
        .collect();
    json!({"name": family.name, "slug": family.slug, "place": family.place, "starts_on": family.starts_on, "groups": groups})
}

async fn keep(
    tx: &mut Tx,
    change: &Change<'_>,
    family: Uuid,
    action: &str,
    (before, after): (Value, Value),
) -> Result<()> {
    let there = |value: Value| (!value.is_null()).then_some(value);
    let subject = format!("family {family}");
    log::site(tx.conn(), change, action, &subject, there(before), there(after)).await
}

fn check(name: &str, place: Option<&str>, starts_on: Option<NaiveDate>) -> Result<()> {
    accounts::check_name(name)?;
    if let Some(place) = place {
        accounts::check_name(place)?;
    }
    match starts_on.and_then(|day| year_fault(day.year())) {
        None => Ok(()),
        Some(kind) => Err(Refused::Faults(vec![Fault {
            path: "starts_on".to_owned(),
            kind,
        }])
        .into()),
    }
}

async fn free_slug(tx: &mut Tx, wanted: Option<&str>, name: &str) -> Result<String> {
    let taken = sqlx::query_scalar!("select slug from families")
        .fetch_all(tx.conn())
        .await?;
    if let Some(slug) = wanted {
        if !events::is_slug(slug) {
            return Err(Refused::BadSlug {
                slug: slug.to_owned(),
            }
            .into());
        }
        if taken.iter().any(|one| one == slug) {
            return Err(Refused::SlugTaken {
                slug: slug.to_owned(),
            }
            .into());
        }
        return Ok(slug.to_owned());
    }
    let base: String = events::slug_of(name)
        .unwrap_or_else(|| "groups".to_owned())
        .chars()
        .take(70)
        .collect();
    let base = base.trim_end_matches('-');
    let free = std::iter::once(base.to_owned())
        .chain((2..=taken.len() + 2).map(|n| format!("{base}-{n}")))
        .find(|slug| !taken.contains(slug));
    free.ok_or_else(|| unreadable(base))
}

/// Puts groups in the place of those that are there.
async fn write_groups(tx: &mut Tx, family: Uuid, groups: &[GroupSetting]) -> Result<()> {
    if groups.len() > GROUPS_MOST {
        return Err(Refused::TooManyGroups {
            found: groups.len(),
            most: GROUPS_MOST,
        }
        .into());
    }
    let mut seen = BTreeSet::new();
    for group in groups {
        let label = group.label.trim();
        if label.is_empty() || label.chars().count() > LABEL_MOST || label.contains('\0') {
            return Err(Refused::BadLabel {
                label: group.label.clone(),
                most: LABEL_MOST,
            }
            .into());
        }
        if !seen.insert(label) {
            return Err(Refused::LabelTwice {
                label: label.to_owned(),
            }
            .into());
        }
        if !(1..=FIRST_BOARD_MOST).contains(&group.first_board) {
            return Err(Refused::BadFirstBoard {
                label: label.to_owned(),
                most: FIRST_BOARD_MOST,
            }
            .into());
        }
        let other = sqlx::query_scalar!(
            r#"select f.name from family_events g join families f on f.family_id = g.family_id
               where g.event_id = $1 and g.family_id <> $2"#,
            group.event,
            family
        )
        .fetch_optional(tx.conn())
        .await?;
        if let Some(family) = other {
            let label = label.to_owned();
            return Err(Refused::GroupElsewhere { label, family }.into());
        }
    }
    sqlx::query!("delete from family_events where family_id = $1", family)
        .execute(tx.conn())
        .await?;
    let events: Vec<Uuid> = groups.iter().map(|group| group.event).collect();
    let labels: Vec<String> = groups.iter().map(|group| trimmed(&group.label)).collect();
    let first: Vec<i32> = groups.iter().map(|group| stored(group.first_board)).collect();
    sqlx::query!(
        r#"insert into family_events (family_id, position, event_id, label, first_board)
           select $1, g.position, g.event_id, g.label, g.first_board
           from unnest($2::uuid[], $3::text[], $4::integer[]) with ordinality
                as g (event_id, label, first_board, position)"#,
        family,
        &events,
        &labels,
        &first
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Makes a family of events. Whoever makes it directs it.
///
/// # Errors
/// Refused for a name that is none, an address that is taken, labels that are empty or stand twice, and
/// an event that is a group of another family.
pub async fn make(
    tx: &mut Tx,
    change: &Change<'_>,
    new: NewFamily,
    groups: &[GroupSetting],
    field: Option<Uuid>,
) -> Result<Family> {
    let name = trimmed(&new.name);
    let place = new.place.as_deref().and_then(trimmed_or_none);
    check(&name, place.as_deref(), new.starts_on)?;
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('families', 0))")
        .execute(tx.conn())
        .await?;
    let slug = free_slug(tx, new.slug.as_deref(), &name).await?;
    let family = Uuid::now_v7();
    sqlx::query!(
        r#"insert into families (family_id, slug, name, place, starts_on, field_event, made_at, made_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8)"#,
        family,
        slug,
        name,
        place,
        new.starts_on,
        field,
        change.at,
        change.actor.name
    )
    .execute(tx.conn())
    .await?;
    write_groups(tx, family, groups).await?;
    if let Some(user) = change.actor.user {
        sqlx::query!(
            r#"insert into family_people (family_id, user_id, role, since, given_by)
               select $1, user_id, 'director', $3, $4 from users where user_id = $2"#,
            family,
            user,
            change.at,
            change.actor.name
        )
        .execute(tx.conn())
        .await?;
    }
    let made = families(tx, &[family])
        .await?
        .pop()
        .ok_or_else(|| unreadable(family))?;
    keep(tx, change, family, "family-made", (Value::Null, told(&made))).await?;
    Ok(made)
}

/// Changes a family. A patch that changes nothing leaves no trace.
///
/// # Errors
/// As [`make`].
pub async fn update(tx: &mut Tx, change: &Change<'_>, family: &mut Family, patch: FamilyPatch) -> Result<()> {
    let before = told(family);
    let name = patch.name.as_deref().map_or_else(|| family.name.clone(), trimmed);
    let place = match patch.place {
        Some(place) => place.as_deref().and_then(trimmed_or_none),
        None => family.place.clone(),
    };
    let starts_on = patch.starts_on.unwrap_or(family.starts_on);
    check(&name, place.as_deref(), starts_on)?;
    sqlx::query!(
        "update families set name = $2, place = $3, starts_on = $4 where family_id = $1",
        family.id,
        name,
        place,
        starts_on
    )
    .execute(tx.conn())
    .await?;
    if let Some(groups) = patch.groups {
        write_groups(tx, family.id, &groups).await?;
    }
    let now = families(tx, &[family.id])
        .await?
        .pop()
        .ok_or_else(|| unreadable(family.id))?;
    *family = now;
    let after = told(family);
    if after == before {
        return Ok(());
    }
    keep(tx, change, family.id, "family-changed", (before, after)).await
}

/// Dissolves a family: its groups stay as events. With `groups` they are removed too, which takes a
/// split back; the field stays as it was.
///
/// # Errors
/// Refused with `groups` when a round of one is paired.
pub async fn dissolve(tx: &mut Tx, change: &Change<'_>, family: &Family, groups: bool) -> Result<()> {
    if groups {
        let paired: Vec<String> = sqlx::query_scalar!(
            r#"select g.label from family_events g
               where g.family_id = $1 and exists (select from rounds r where r.event_id = g.event_id)
               order by g.position"#,
            family.id
        )
        .fetch_all(tx.conn())
        .await?;
        if !paired.is_empty() {
            return Err(Refused::GroupsPaired { labels: paired }.into());
        }
        for event in in_lock_order(family) {
            let locked = locked(tx, event).await?;
            events::delete(tx, change, locked, None).await?;
        }
    }
    sqlx::query!("delete from families where family_id = $1", family.id)
        .execute(tx.conn())
        .await?;
    keep(
        tx,
        change,
        family.id,
        "family-dissolved",
        (told(family), Value::Null),
    )
    .await
}

// ---------------------------------------------------------------- splitting an event

/// A group that a split would make: the category, and whose entries.
pub type Part = (String, Vec<Number>);

/// The groups that an event's categories give, in the order of their names.
///
/// # Errors
/// Refused when a round is paired, when an entry has no category, and for fewer than two categories.
pub fn parts(event: &Event) -> Result<Vec<Part>> {
    if entries::numbers_are_fixed(event) {
        return Err(Refused::GroupsFixed.into());
    }
    let without: Vec<Number> = event
        .stage
        .entries
        .iter()
        .filter(|entry| entry.category.is_none())
        .map(|entry| entry.number)
        .collect();
    if !without.is_empty() {
        return Err(Refused::WithoutCategory { numbers: without }.into());
    }
    let mut parts: BTreeMap<&str, Vec<Number>> = BTreeMap::new();
    for entry in &event.stage.entries {
        let category = entry.category.as_deref().unwrap_or_default();
        parts.entry(category).or_default().push(entry.number);
    }
    if parts.len() < 2 {
        return Err(Refused::OneCategory.into());
    }
    Ok(parts
        .into_iter()
        .map(|(category, numbers)| (category.to_owned(), numbers))
        .collect())
}

/// Splits an event into groups by the categories of its entries, which were typed, came in a list or
/// were drawn (分组抽签): an event for each, with the same settings, and a family around them. The event
/// itself stays as the field: everybody's entries, and the draw that anybody can check.
///
/// Entries are numbered anew in each group, from 1 in the order of their numbers.
///
/// # Errors
/// As [`parts`], and when the event is a group or a field already.
pub async fn split(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &Locked,
    boards_in_one_hall: bool,
) -> Result<Family> {
    if let Some(family) = of_event(tx, event.id).await? {
        return Err(Refused::GroupElsewhere {
            label: event.name.clone(),
            family: family.name,
        }
        .into());
    }
    let mut groups = Vec::new();
    let mut first_board = 1;
    for (label, numbers) in parts(event)? {
        let people = part(event, &numbers);
        let mut new = events::copied(event, event.starts_on);
        new.name = format!("{} {label}", event.name);
        let boards = u32::try_from(people.len().div_ceil(2)).unwrap_or(FIRST_BOARD_MOST);
        let made = events::make(tx, change, new, Some((&event.slug, people))).await?;
        groups.push(GroupSetting {
            event: made.id,
            label,
            first_board,
        });
        if boards_in_one_hall {
            first_board = (first_board + boards).min(FIRST_BOARD_MOST);
        }
    }
    let new = NewFamily {
        slug: None,
        name: event.name.clone(),
        place: event.place.clone(),
        starts_on: event.starts_on,
    };
    make(tx, change, new, &groups, Some(event.id)).await
}

/// The entries of one group, numbered anew. The category is the group, and does not go along.
fn part(event: &Event, numbers: &[Number]) -> Vec<Entry> {
    let new: BTreeMap<Number, Number> = numbers
        .iter()
        .copied()
        .zip((1..).filter_map(Number::new))
        .collect();
    let of = |entry: &Entry| {
        let number = *new.get(&entry.number)?;
        Some(Entry {
            number,
            category: None,
            carried: entry.carried.as_ref().map(|carried| Carried {
                met: carried
                    .met
                    .iter()
                    .filter_map(|met| new.get(met).copied())
                    .collect(),
                ..carried.clone()
            }),
            ..entry.clone()
        })
    };
    event.stage.entries.iter().filter_map(of).collect()
}

// ---------------------------------------------------------------- all groups at once

/// Events in the order in which all who want several of them lock them.
fn in_lock_order(family: &Family) -> Vec<Uuid> {
    let mut ids: Vec<Uuid> = family.groups.iter().map(|group| group.event.id).collect();
    ids.sort_unstable();
    ids
}

async fn locked(tx: &mut Tx, event: Uuid) -> Result<Locked> {
    tx.lock_alone(event).await?;
    let loaded = load::event(tx.conn(), event).await?;
    loaded.map(Locked).ok_or_else(|| {
        Refused::UnknownEvent {
            key: event.to_string(),
        }
        .into()
    })
}

/// What is done to all groups at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllGroups {
    /// The next round of each group is paired. A group that has a draft, and one that is finished, is
    /// passed over.
    Pair,
    /// Each draft is published, now or at a moment. A group without a draft is passed over.
    Publish(Option<DateTime<Utc>>),
    /// Each draft is thrown away.
    ThrowAway,
}

/// What became of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InGroup {
    /// The event.
    pub event: Uuid,
    /// Its label.
    pub label: String,
    /// Its name in addresses.
    pub slug: String,
    /// The round that it was done to.
    pub round: u32,
}

/// Does something to all groups at once: in all of them or in none. Says to which rounds it was done.
///
/// # Errors
/// Refused when a group refuses: [`Refused::InGroups`] names every such group with its refusal, and the
/// caller's transaction is to be dropped. Refused too when there is no group to do it to.
pub async fn all_groups(
    tx: &mut Tx,
    change: &Change<'_>,
    family: &Family,
    what: AllGroups,
) -> Result<Vec<InGroup>> {
    let (mut done, mut refused) = (Vec::new(), Vec::new());
    for id in in_lock_order(family) {
        let mut event = locked(tx, id).await?;
        let Some(group) = family.group(id) else { continue };
        match in_one(tx, change, &mut event, what).await {
            Ok(None) => {}
            Ok(Some(info)) => done.push(InGroup {
                event: id,
                label: group.label.clone(),
                slug: group.event.slug.clone(),
                round: info,
            }),
            Err(Error::Refused(why)) => refused.push((group.label.clone(), why)),
            Err(error) => return Err(error),
        }
    }
    let place = |label: &str| family.groups.iter().position(|group| group.label == label);
    if !refused.is_empty() {
        refused.sort_by_key(|(label, _)| place(label));
        return Err(Refused::InGroups(refused).into());
    }
    if done.is_empty() {
        return Err(Refused::NothingInGroups.into());
    }
    done.sort_by_key(|group| place(&group.label));
    Ok(done)
}

async fn in_one(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    what: AllGroups,
) -> Result<Option<u32>> {
    let draft = event.draft().map(|draft| draft.round);
    let round = |info: RoundInfo| Some(info.round);
    match (what, draft) {
        (AllGroups::Pair, None) if event.stage.next_round() <= event.stage.rounds_planned => {
            let request = tournament::pairing::Confirmed::default();
            rounds::pair(tx, change, event, None, request).await.map(round)
        }
        (AllGroups::Publish(None), Some(draft)) => rounds::publish(tx, change, event, draft, None, false)
            .await
            .map(round),
        (AllGroups::Publish(at), Some(draft)) => rounds::publish_at(tx, change, event, draft, at, None)
            .await
            .map(round),
        (AllGroups::ThrowAway, Some(draft)) => {
            rounds::throw_away(tx, change, event, draft, None).await?;
            Ok(Some(draft))
        }
        _ => Ok(None),
    }
}

/// By how much the boards of an event are numbered higher than from 1, in rounds that are paired now.
///
/// # Errors
/// Only of the database.
pub(crate) async fn boards_before(tx: &mut Tx, event: Uuid) -> Result<u32> {
    let first = sqlx::query_scalar!("select first_board from family_events where event_id = $1", event)
        .fetch_optional(tx.conn())
        .await?;
    Ok(first.map(count).transpose()?.unwrap_or(1).saturating_sub(1))
}

// ---------------------------------------------------------------- people

/// The people of a family, directors first, then by name.
///
/// # Errors
/// Only of the database.
pub async fn people(tx: &mut Tx, family: Uuid) -> Result<Vec<FamilyPerson>> {
    sqlx::query!(
        r#"select p.user_id, u.name, p.role, p.since, p.given_by
           from family_people p join users u on u.user_id = p.user_id
           where p.family_id = $1
           order by array_position(array['director', 'arbiter', 'viewer'], p.role), u.name_folded"#,
        family
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(|row| {
        Ok(FamilyPerson {
            user: row.user_id,
            name: row.name,
            role: Word::of(&row.role)?,
            since: row.since,
            given_by: row.given_by,
        })
    })
    .collect()
}

/// Gives a user a right in all groups of a family, or with none takes it away. What is so already leaves
/// no trace. Rights that somebody has in a single group are not touched.
///
/// # Errors
/// Refused for an unknown user, and when it would leave the family without a director.
pub async fn give(
    tx: &mut Tx,
    change: &Change<'_>,
    family: &Family,
    user: Uuid,
    role: Option<Role>,
) -> Result<()> {
    let people = people(tx, family.id).await?;
    let there = people.iter().find(|person| person.user == user);
    if there.map(|person| person.role) == role {
        return Ok(());
    }
    let directs = |person: &FamilyPerson| person.role == Role::Director;
    if let Some(person) = there.filter(|person| directs(person))
        && !people.iter().any(|other| other.user != user && directs(other))
    {
        let name = person.name.clone();
        return Err(Refused::LastDirector { name }.into());
    }
    let name = match there {
        Some(person) => person.name.clone(),
        None => {
            accounts::find_user(tx, user)
                .await?
                .ok_or(Refused::UnknownUser)?
                .name
        }
    };
    match role {
        Some(role) => {
            sqlx::query!(
                r#"insert into family_people (family_id, user_id, role, since, given_by)
                   values ($1, $2, $3, $4, $5)
                   on conflict on constraint family_people_key
                   do update set role = excluded.role, since = excluded.since, given_by = excluded.given_by"#,
                family.id,
                user,
                role.as_str(),
                change.at,
                change.actor.name
            )
            .execute(tx.conn())
            .await?;
        }
        None => {
            sqlx::query!(
                "delete from family_people where family_id = $1 and user_id = $2",
                family.id,
                user
            )
            .execute(tx.conn())
            .await?;
        }
    }
    let told =
        |role: Option<Role>| role.map_or(Value::Null, |role| json!({"user": name, "right": role.as_str()}));
    let action = if role.is_some() {
        "family-right-given"
    } else {
        "family-right-taken"
    };
    let before = told(there.map(|person| person.role));
    keep(tx, change, family.id, action, (before, told(role))).await
}

/// What was done to a family itself, the latest first, at most 100 acts.
///
/// # Errors
/// Only of the database.
pub async fn acts(tx: &mut Tx, family: Uuid) -> Result<Vec<FamilyAct>> {
    let rows = sqlx::query!(
        r#"select at, actor_name, action, before, after, reason from site_log
           where subject = $1 order by seq desc limit 100"#,
        format!("family {family}")
    )
    .fetch_all(tx.conn())
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| FamilyAct {
            at: row.at,
            by: row.actor_name,
            action: row.action,
            before: row.before.unwrap_or_default(),
            after: row.after.unwrap_or_default(),
            reason: row.reason,
        })
        .collect())
}
