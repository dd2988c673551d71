//! The people of an event: directors, arbiters, viewers; and the links by which somebody takes a
//! right, an account or a new password.
//!
//! Secrets come in as hashes only; hashing is the caller's.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::unreadable;
use crate::events::Visibility;
use crate::json::Word;
use crate::log::{self, Act, Action, Subject};
use crate::{Change, Refused, Result, Role, Store, Tx, Tz, accounts};

/// An event as the question of rights sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The event.
    pub event: Uuid,
    /// Its name.
    pub name: String,
    /// Who may see it.
    pub visibility: Visibility,
    /// The role of the user among its people, or those of its family: the higher one, where there are two.
    pub role: Option<Role>,
    /// The zone in which it is played; none for that of the server.
    pub zone: Option<Tz>,
    /// The number of its last public change, so that whatever is read after this is at least as new;
    /// 0 for a family.
    pub public_no: i64,
}

/// Who asks where he or she stands: the event's id or slug, and the user.
pub(crate) type Whereabouts = (String, Option<Uuid>);

/// How a user stands in an event, by the event's id or slug; none when there is no such event. Asked together
/// with whoever asks at the same time.
///
/// # Errors
/// Only of the database.
pub async fn standing(store: &Store, key: &str, user: Option<Uuid>) -> Result<Option<Standing>> {
    // A NUL cannot even be asked for.
    if key.contains('\0') {
        return Ok(None);
    }
    store.asked.standings.ask(store, (key.to_owned(), user)).await
}

/// How users stand in events.
pub(crate) async fn standings_of(
    conn: impl sqlx::PgExecutor<'_>,
    asked: Vec<Whereabouts>,
) -> Result<HashMap<Whereabouts, Standing>> {
    // As JSON, since a list as PostgreSQL has it would be planned for its length each time.
    let questions: Value = (asked.iter().enumerate())
        .map(|(place, (key, user))| {
            let id = Uuid::try_parse(key).ok();
            json!({"place": place, "id": id, "slug": key, "user_id": user})
        })
        .collect();
    let rows = sqlx::query!(
        r#"select q.place as "place!", e.event_id, e.name, e.visibility, e.time_zone, h.public_no,
                  (select r.role from event_rights r where r.event_id = e.event_id and r.user_id = q.user_id
                   order by r.role = 'director' desc, r.by_family limit 1) as "role?"
           from jsonb_to_recordset($1) q (place integer, id uuid, slug text, user_id uuid)
                join events e on e.event_id = q.id or e.slug = q.slug
                join log_heads h on h.event_id = e.event_id"#,
        questions
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let standing = Standing {
                event: row.event_id,
                name: row.name,
                visibility: Word::of(&row.visibility)?,
                role: row.role.as_deref().map(Word::of).transpose()?,
                zone: row
                    .time_zone
                    .map(|zone| zone.parse().map_err(unreadable))
                    .transpose()?,
                public_no: row.public_no,
            };
            let place = usize::try_from(row.place).map_err(unreadable)?;
            let asked = asked.get(place).ok_or_else(|| unreadable(row.place))?;
            Ok((asked.clone(), standing))
        })
        .collect()
}

/// Somebody with a right in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The user.
    pub user: Uuid,
    /// The name.
    pub name: String,
    /// Director, arbiter or viewer.
    pub role: Role,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Who gave the right; none for one from before there were rights by event.
    pub given_by: Option<String>,
    /// Whether the account is closed.
    pub closed: bool,
}

/// The people of an event, directors first, then by name.
///
/// # Errors
/// Only of the database.
pub async fn list(tx: &mut Tx, event: Uuid) -> Result<Vec<Person>> {
    let rows = sqlx::query!(
        r#"select p.user_id, u.name, p.role, p.since, p.given_by, u.disabled_at
           from event_people p join users u on u.user_id = p.user_id
           where p.event_id = $1
           order by array_position(array['director', 'arbiter', 'viewer'], p.role), u.name_folded"#,
        event
    )
    .fetch_all(tx.conn())
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Person {
                user: row.user_id,
                name: row.name,
                role: Word::of(&row.role)?,
                since: row.since,
                given_by: row.given_by,
                closed: row.disabled_at.is_some(),
            })
        })
        .collect()
}

/// Somebody with a right by the family of an event: it is a right in each of its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByFamily {
    /// The name.
    pub name: String,
    /// Director, arbiter or viewer.
    pub role: Role,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Who gave the right.
    pub given_by: String,
    /// Whether the account is closed.
    pub closed: bool,
    /// The family: its name in addresses, and its name.
    pub family: (String, String),
}

/// Who has a right in an event by its family, directors first, then by name.
///
/// # Errors
/// Only of the database.
pub async fn by_family(tx: &mut Tx, event: Uuid) -> Result<Vec<ByFamily>> {
    sqlx::query!(
        r#"select u.name, p.role, p.since, p.given_by, u.disabled_at, f.slug, f.name as family
           from family_people p join users u on u.user_id = p.user_id
           join families f on f.family_id = p.family_id
           where f.field_event = $1
              or exists (select from family_events g where g.family_id = f.family_id and g.event_id = $1)
           order by array_position(array['director', 'arbiter', 'viewer'], p.role), u.name_folded"#,
        event
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(|row| {
        Ok(ByFamily {
            name: row.name,
            role: Word::of(&row.role)?,
            since: row.since,
            given_by: row.given_by,
            closed: row.disabled_at.is_some(),
            family: (row.slug, row.family),
        })
    })
    .collect()
}

/// The roles of a user, by event: among its people, or those of its family.
///
/// # Errors
/// Only of the database.
pub async fn roles_of(tx: &mut Tx, user: Uuid) -> Result<HashMap<Uuid, Role>> {
    sqlx::query!(
        r#"select distinct on (event_id) event_id as "event_id!", role as "role!" from event_rights
           where user_id = $1 order by event_id, role = 'director' desc, by_family"#,
        user
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(|row| Ok((row.event_id, Word::of(&row.role)?)))
    .collect()
}

/// Whoever makes an event directs it.
pub(crate) async fn begin(tx: &mut Tx, change: &Change<'_>, event: Uuid) -> Result<()> {
    if let Some(user) = change.actor.user {
        sqlx::query!(
            r#"insert into event_people (event_id, user_id, role, since, given_by)
               select $1, user_id, 'director', $3, $4 from users where user_id = $2"#,
            event,
            user,
            change.at,
            change.actor.name
        )
        .execute(tx.conn())
        .await?;
    }
    Ok(())
}

/// The people of an event, so that nobody else changes them until the transaction ends.
async fn locked(tx: &mut Tx, event: Uuid) -> Result<Vec<Person>> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('people ' || $1::text, 0))",
        event.to_string()
    )
    .execute(tx.conn())
    .await?;
    list(tx, event).await
}

fn told(name: &str, role: Role) -> Value {
    json!({"user": name, "right": role.as_str()})
}

/// Refuses to leave an event without a director who can sign in.
fn check_not_last_director(people: &[Person], person: &Person) -> Result<()> {
    let directs = |one: &Person| one.role == Role::Director && !one.closed;
    let others = people.iter().any(|one| one.user != person.user && directs(one));
    if others || !directs(person) {
        return Ok(());
    }
    let name = person.name.clone();
    Err(Refused::LastDirector { name }.into())
}

/// Gives a user a right in an event, or another one than the user has. The same right leaves no
/// trace.
///
/// # Errors
/// Refused for an unknown user, for a role that is none in an event, and when it would leave the
/// event without a director.
pub async fn give(tx: &mut Tx, change: &Change<'_>, event: Uuid, user: Uuid, role: Role) -> Result<()> {
    let people = locked(tx, event).await?;
    let there = people.iter().find(|person| person.user == user);
    if there.is_some_and(|person| person.role == role) {
        return Ok(());
    }
    let (action, name, before) = if let Some(person) = there {
        if role != Role::Director {
            check_not_last_director(&people, person)?;
        }
        let before = told(&person.name, person.role);
        (Action::RightChanged, person.name.clone(), before)
    } else {
        let user = accounts::find_user(tx, user).await?.ok_or(Refused::UnknownUser)?;
        (Action::RightGiven, user.name, Value::Null)
    };
    sqlx::query!(
        r#"insert into event_people (event_id, user_id, role, since, given_by) values ($1, $2, $3, $4, $5)
           on conflict on constraint event_people_key
           do update set role = excluded.role, since = excluded.since, given_by = excluded.given_by"#,
        event,
        user,
        role.as_str(),
        change.at,
        change.actor.name
    )
    .execute(tx.conn())
    .await?;
    if role != Role::Director {
        revoke_in_event_of(tx, change, event, user).await?;
    }
    let act = Act::new(action, Subject::Event, before, told(&name, role));
    log::append(tx, change, event, act).await?;
    Ok(())
}

/// Takes a user's right in an event away; links that the user made for it stop working.
///
/// # Errors
/// Refused when the user has none, or it would leave the event without a director.
pub async fn take(tx: &mut Tx, change: &Change<'_>, event: Uuid, user: Uuid) -> Result<()> {
    let people = locked(tx, event).await?;
    let person = people
        .iter()
        .find(|person| person.user == user)
        .ok_or(Refused::NotAmongPeople)?;
    check_not_last_director(&people, person)?;
    sqlx::query!(
        "delete from event_people where event_id = $1 and user_id = $2",
        event,
        user
    )
    .execute(tx.conn())
    .await?;
    revoke_in_event_of(tx, change, event, user).await?;
    let before = told(&person.name, person.role);
    let act = Act::new(Action::RightTaken, Subject::Event, before, Value::Null);
    log::append(tx, change, event, act).await?;
    Ok(())
}

// ---------------------------------------------------------------- links that work once

/// What a link is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A right in an event.
    Event {
        /// The event.
        event: Uuid,
        /// Its name in addresses.
        slug: String,
        /// Its name.
        name: String,
        /// Director, arbiter or viewer.
        role: Role,
    },
    /// A role on the site.
    Site(Role),
    /// A new password.
    Password {
        /// Whose.
        user: Uuid,
        /// The name.
        name: String,
    },
}

/// What a new link is to be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A right in an event.
    Event(Uuid, Role),
    /// A role on the site.
    Site(Role),
    /// A new password of this user.
    Password(Uuid),
}

/// A link, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: Uuid,
    /// What it is for.
    pub offer: Offer,
    /// For whom it is meant, as whoever made it says.
    pub note: String,
    /// When it was made.
    pub made_at: DateTime<Utc>,
    /// By whom.
    pub made_by: String,
    /// Until when it works.
    pub expires_at: DateTime<Utc>,
    /// When it was used.
    pub used_at: Option<DateTime<Utc>>,
    /// By whom.
    pub used_by: Option<String>,
    /// When it was taken back.
    pub revoked_at: Option<DateTime<Utc>>,
}

impl Invitation {
    /// Whether it still works at `at`.
    pub fn is_open(&self, at: DateTime<Utc>) -> bool {
        self.used_at.is_none() && self.revoked_at.is_none() && at < self.expires_at
    }
}

/// A row of `invitations` with what it refers to.
struct Row {
    invitation_id: Uuid,
    event_id: Option<Uuid>,
    slug: Option<String>,
    event_name: Option<String>,
    role: Option<String>,
    user_id: Option<Uuid>,
    user_name: Option<String>,
    note: String,
    made_at: DateTime<Utc>,
    made_by: String,
    expires_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
    used_by: Option<String>,
    revoked_at: Option<DateTime<Utc>>,
}

impl Row {
    fn read(self) -> Result<Invitation> {
        let id = self.invitation_id;
        let role = self.role.as_deref().map(Word::of).transpose()?;
        let offer = match (self.event_id, self.slug, self.event_name, role) {
            (Some(event), Some(slug), Some(name), Some(role)) => Offer::Event {
                event,
                slug,
                name,
                role,
            },
            (None, _, _, Some(role)) => Offer::Site(role),
            _ => Offer::Password {
                user: self.user_id.ok_or_else(|| unreadable(id))?,
                name: self.user_name.ok_or_else(|| unreadable(id))?,
            },
        };
        Ok(Invitation {
            id,
            offer,
            note: self.note,
            made_at: self.made_at,
            made_by: self.made_by,
            expires_at: self.expires_at,
            used_at: self.used_at,
            used_by: self.used_by,
            revoked_at: self.revoked_at,
        })
    }
}

/// Keeps a link by the hash of its secret. One for a password replaces those that are open for the
/// same user.
///
/// # Errors
/// Refused for an unknown event or user, and for a note that is no line of text.
pub async fn invite(
    tx: &mut Tx,
    change: &Change<'_>,
    purpose: Purpose,
    note: &str,
    token_hash: &[u8; 32],
    expires_at: DateTime<Utc>,
) -> Result<()> {
    let (event, role, user) = match purpose {
        Purpose::Event(event, role) => (Some(event), Some(role), None),
        Purpose::Site(role) => (None, Some(role), None),
        Purpose::Password(user) => (None, None, Some(user)),
    };
    let note = note.trim();
    if !note.is_empty() {
        accounts::check_name(note)?;
    }
    if let Some(user) = user {
        sqlx::query!(
            r#"update invitations set revoked_at = $2
               where user_id = $1 and used_at is null and revoked_at is null"#,
            user,
            change.at
        )
        .execute(tx.conn())
        .await?;
    }
    let id = Uuid::now_v7();
    sqlx::query!(
        r#"insert into invitations (invitation_id, token_hash, event_id, role, user_id, note, made_at,
                                    made_by, made_by_user, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"#,
        id,
        token_hash.as_slice(),
        event,
        role.map(Role::as_str),
        user,
        note,
        change.at,
        change.actor.name,
        change.actor.user,
        expires_at
    )
    .execute(tx.conn())
    .await?;
    let mut after = json!({"until": log::exact(expires_at)});
    if !note.is_empty() {
        after["for"] = note.into();
    }
    if let Some(role) = role {
        after["right"] = role.as_str().into();
    }
    if let Some(event) = event {
        let act = Act::new(Action::InvitationMade, Subject::Event, Value::Null, after);
        log::append(tx, change, event, act).await?;
        return Ok(());
    }
    let (action, subject) = match user {
        Some(user) => ("password-link-made", format!("user {user}")),
        None => ("invitation-made", format!("invitation {id}")),
    };
    log::site(tx.conn(), change, action, &subject, None, Some(after)).await
}

/// The links of an event, or with no event those for accounts and passwords; the latest first.
///
/// # Errors
/// Only of the database.
pub async fn invitations(tx: &mut Tx, event: Option<Uuid>) -> Result<Vec<Invitation>> {
    sqlx::query_as!(
        Row,
        r#"select i.invitation_id, i.event_id, e.slug as "slug?", e.name as "event_name?", i.role,
                  i.user_id, u.name as "user_name?", i.note, i.made_at, i.made_by, i.expires_at, i.used_at,
                  i.used_by, i.revoked_at
           from invitations i
           left join events e on e.event_id = i.event_id
           left join users u on u.user_id = i.user_id
           where i.event_id is not distinct from $1
           order by i.made_at desc, i.invitation_id desc
           limit 200"#,
        event
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(Row::read)
    .collect()
}

/// The link of a secret, when it works at `at`. It is not used up.
///
/// # Errors
/// Only of the database.
pub async fn find_invitation(
    tx: &mut Tx,
    token_hash: &[u8; 32],
    at: DateTime<Utc>,
) -> Result<Option<Invitation>> {
    let row = sqlx::query_as!(
        Row,
        r#"select i.invitation_id, i.event_id, e.slug as "slug?", e.name as "event_name?", i.role,
                  i.user_id, u.name as "user_name?", i.note, i.made_at, i.made_by, i.expires_at, i.used_at,
                  i.used_by, i.revoked_at
           from invitations i
           left join events e on e.event_id = i.event_id
           left join users u on u.user_id = i.user_id
           where i.token_hash = $1"#,
        token_hash.as_slice()
    )
    .fetch_optional(tx.conn())
    .await?;
    let found = row.map(Row::read).transpose()?;
    Ok(found.filter(|invitation| invitation.is_open(at)))
}

/// Uses up the link of a secret: exactly one caller succeeds. What it offers is given by the
/// caller, in the same transaction.
///
/// # Errors
/// Refused when it is unknown, used, taken back or has run out.
pub async fn use_invitation(
    tx: &mut Tx,
    token_hash: &[u8; 32],
    at: DateTime<Utc>,
    by: &str,
) -> Result<Invitation> {
    let found = find_invitation(tx, token_hash, at)
        .await?
        .ok_or(Refused::InvitationSpent)?;
    // Whoever comes second waits for the first here, and then finds it used.
    let used = sqlx::query!(
        r#"update invitations set used_at = $2, used_by = $3
           where invitation_id = $1 and used_at is null and revoked_at is null"#,
        found.id,
        at,
        by
    )
    .execute(tx.conn())
    .await?
    .rows_affected();
    if used == 0 {
        return Err(Refused::InvitationSpent.into());
    }
    Ok(found)
}

/// Takes a link back, of this event or, with no event, of the site. What is used or taken back
/// already stays as it is.
///
/// # Errors
/// Refused for an unknown one.
pub async fn revoke(tx: &mut Tx, change: &Change<'_>, event: Option<Uuid>, invitation: Uuid) -> Result<()> {
    let row = sqlx::query!(
        r#"select role, note, used_at, revoked_at from invitations
           where invitation_id = $1 and event_id is not distinct from $2 for update"#,
        invitation,
        event
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownInvitation)?;
    if row.used_at.is_some() || row.revoked_at.is_some() {
        return Ok(());
    }
    sqlx::query!(
        "update invitations set revoked_at = $2 where invitation_id = $1",
        invitation,
        change.at
    )
    .execute(tx.conn())
    .await?;
    let mut before = json!({});
    if let Some(role) = row.role {
        before["right"] = role.into();
    }
    if !row.note.is_empty() {
        before["for"] = row.note.into();
    }
    if let Some(event) = event {
        let act = Act::new(Action::InvitationRevoked, Subject::Event, before, Value::Null);
        log::append(tx, change, event, act).await?;
        return Ok(());
    }
    let subject = format!("invitation {invitation}");
    log::site(
        tx.conn(),
        change,
        "invitation-revoked",
        &subject,
        Some(before),
        None,
    )
    .await
}

/// Takes back the open links of an event that a user made.
async fn revoke_in_event_of(tx: &mut Tx, change: &Change<'_>, event: Uuid, user: Uuid) -> Result<()> {
    sqlx::query!(
        r#"update invitations set revoked_at = $3
           where event_id = $1 and made_by_user = $2 and used_at is null and revoked_at is null"#,
        event,
        user,
        change.at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Takes back the open links for accounts and passwords that a user made.
pub(crate) async fn revoke_site_invitations_of(tx: &mut Tx, change: &Change<'_>, user: Uuid) -> Result<()> {
    sqlx::query!(
        r#"update invitations set revoked_at = $2
           where event_id is null and made_by_user = $1 and used_at is null and revoked_at is null"#,
        user,
        change.at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Takes back all open links that a user made, and those for the user's password.
pub(crate) async fn revoke_invitations_of(tx: &mut Tx, change: &Change<'_>, user: Uuid) -> Result<()> {
    sqlx::query!(
        r#"update invitations set revoked_at = $2
           where (made_by_user = $1 or user_id = $1) and used_at is null and revoked_at is null"#,
        user,
        change.at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}
