//! Links by which somebody without an account enters the results of some boards: one secret each, kept
//! as its hash, for boards from … to … of the round that is being played. And what an event asks of its
//! results beside that: whether two have to say the same, and whether players hand in their own.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::accounts::check_name;
use crate::json::{count, stored};
use crate::log::{self, Act, Action, Subject};
use crate::{Actor, Change, Refused, Result, Role, Tx, Via};

/// What an event asks of its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultSettings {
    /// Whether a result counts only when a second person says the same, or a director enters it.
    pub by_two: bool,
    /// Whether players hand in the results of their own games.
    pub from_players: bool,
}

impl ResultSettings {
    fn json(self) -> Value {
        json!({"by_two": self.by_two, "from_players": self.from_players})
    }
}

/// What an event asks of its results; neither of the two where nothing was ever said.
///
/// # Errors
/// Only of the database.
pub async fn settings(tx: &mut Tx, event: Uuid) -> Result<ResultSettings> {
    settings_of(tx.conn(), event).await
}

pub(crate) async fn settings_of(conn: &mut sqlx::PgConnection, event: Uuid) -> Result<ResultSettings> {
    let row = sqlx::query!(
        "select by_two, from_players from result_settings where event_id = $1",
        event
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map_or_else(ResultSettings::default, |row| ResultSettings {
        by_two: row.by_two,
        from_players: row.from_players,
    }))
}

/// Changes what an event asks of its results; results that wait for a second word go on waiting. The
/// same again writes nothing. The first time that players may hand in results, the event gets the secret
/// of which their codes are made.
///
/// # Errors
/// Only of the database.
pub async fn set_settings(tx: &mut Tx, change: &Change<'_>, event: Uuid, to: ResultSettings) -> Result<bool> {
    tx.lock_alone(event).await?;
    let before = settings(tx, event).await?;
    if before == to {
        return Ok(false);
    }
    sqlx::query!(
        r#"insert into result_settings (event_id, by_two, from_players) values ($1, $2, $3)
           on conflict on constraint result_settings_key
           do update set by_two = excluded.by_two, from_players = excluded.from_players"#,
        event,
        to.by_two,
        to.from_players
    )
    .execute(tx.conn())
    .await?;
    if to.from_players {
        crate::records::promise_codes(tx, change, event).await?;
    }
    let act = Act::new(
        Action::ResultSettingsChanged,
        Subject::Event,
        before.json(),
        to.json(),
    );
    log::append(tx, change, event, act).await?;
    Ok(true)
}

/// A link for results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultLink {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The first of its boards.
    pub first: u32,
    /// The last of its boards.
    pub last: u32,
    /// When it was made.
    pub made_at: DateTime<Utc>,
    /// By whom.
    pub made_by: String,
    /// From when on it does not work any more.
    pub expires_at: DateTime<Utc>,
    /// When a result came with it last.
    pub used_at: Option<DateTime<Utc>>,
    /// When it was taken back.
    pub revoked_at: Option<DateTime<Utc>>,
}

impl ResultLink {
    /// Whether it works at a moment.
    pub fn is_open(&self, at: DateTime<Utc>) -> bool {
        self.revoked_at.is_none() && at < self.expires_at
    }

    /// Whether a board is one of its boards.
    pub fn holds(&self, board: u32) -> bool {
        (self.first..=self.last).contains(&board)
    }

    /// Whoever comes with it, as the log shows it.
    pub fn actor(&self) -> Actor {
        Actor {
            user: None,
            name: self.name.clone(),
            role: Role::Arbiter,
            via: Via::Link,
        }
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "boards": format!("{}–{}", self.first, self.last),
            "until": log::exact(self.expires_at),
        })
    }
}

/// A link as it is to be.
#[derive(Clone, Debug)]
pub struct NewLink<'a> {
    /// Its name, a line of text.
    pub name: &'a str,
    /// The first of its boards, from 1.
    pub first: u32,
    /// The last of its boards, not before the first.
    pub last: u32,
    /// From when on it does not work any more.
    pub expires_at: DateTime<Utc>,
}

/// Keeps a link by the hash of its secret.
///
/// # Errors
/// Refused for a name that is no line of text.
pub async fn add(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    new: NewLink<'_>,
    token_hash: &[u8; 32],
) -> Result<ResultLink> {
    let name = new.name.trim();
    check_name(name)?;
    let link = ResultLink {
        id: Uuid::now_v7(),
        name: name.chars().take(80).collect(),
        first: new.first,
        last: new.last,
        made_at: change.at,
        made_by: change.actor.name.clone(),
        expires_at: new.expires_at,
        used_at: None,
        revoked_at: None,
    };
    sqlx::query!(
        r#"insert into result_links (link_id, event_id, token_hash, name, first_board, last_board, made_at,
                                     made_by, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"#,
        link.id,
        event,
        token_hash.as_slice(),
        link.name,
        stored(link.first),
        stored(link.last),
        link.made_at,
        link.made_by,
        link.expires_at
    )
    .execute(tx.conn())
    .await?;
    let act = Act::new(Action::ResultLinkMade, Subject::Event, Value::Null, link.json());
    log::append(tx, change, event, act).await?;
    Ok(link)
}

struct Row {
    link_id: Uuid,
    name: String,
    first_board: i32,
    last_board: i32,
    made_at: DateTime<Utc>,
    made_by: String,
    expires_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
}

impl Row {
    fn read(self) -> Result<ResultLink> {
        Ok(ResultLink {
            id: self.link_id,
            name: self.name,
            first: count(self.first_board)?,
            last: count(self.last_board)?,
            made_at: self.made_at,
            made_by: self.made_by,
            expires_at: self.expires_at,
            used_at: self.used_at,
            revoked_at: self.revoked_at,
        })
    }
}

/// The links of an event, the latest first, at most 200 of them.
///
/// # Errors
/// Only of the database.
pub async fn list(tx: &mut Tx, event: Uuid) -> Result<Vec<ResultLink>> {
    sqlx::query_as!(
        Row,
        r#"select link_id, name, first_board, last_board, made_at, made_by, expires_at, used_at, revoked_at
           from result_links where event_id = $1 order by made_at desc, link_id desc limit 200"#,
        event
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(Row::read)
    .collect()
}

/// The event and the link of a secret, when it works at `at`.
///
/// # Errors
/// Only of the database.
pub async fn find(
    tx: &mut Tx,
    token_hash: &[u8; 32],
    at: DateTime<Utc>,
) -> Result<Option<(String, ResultLink)>> {
    let row = sqlx::query!(
        r#"select e.slug, l.link_id, l.name, l.first_board, l.last_board, l.made_at, l.made_by, l.expires_at,
                  l.used_at, l.revoked_at
           from result_links l join events e on e.event_id = l.event_id
           where l.token_hash = $1"#,
        token_hash.as_slice()
    )
    .fetch_optional(tx.conn())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let link = Row {
        link_id: row.link_id,
        name: row.name,
        first_board: row.first_board,
        last_board: row.last_board,
        made_at: row.made_at,
        made_by: row.made_by,
        expires_at: row.expires_at,
        used_at: row.used_at,
        revoked_at: row.revoked_at,
    }
    .read()?;
    Ok(Some((row.slug, link)).filter(|(_, link)| link.is_open(at)))
}

/// Makes sure that a link still works at `at`, waiting for whoever takes it back at this moment, and
/// keeps that somebody came with it.
///
/// # Errors
/// Refused when it does not work.
pub async fn use_now(tx: &mut Tx, link: Uuid, at: DateTime<Utc>) -> Result<()> {
    let used = sqlx::query!(
        r#"update result_links set used_at = $2
           where link_id = $1 and revoked_at is null and expires_at > $2"#,
        link,
        at
    )
    .execute(tx.conn())
    .await?
    .rows_affected();
    if used == 0 {
        return Err(Refused::InvitationSpent.into());
    }
    Ok(())
}

/// Takes a link of an event back; one that was taken back stays as it is.
///
/// # Errors
/// Refused for an unknown one.
pub async fn revoke(tx: &mut Tx, change: &Change<'_>, event: Uuid, link: Uuid) -> Result<()> {
    let row = sqlx::query_as!(
        Row,
        r#"select link_id, name, first_board, last_board, made_at, made_by, expires_at, used_at, revoked_at
           from result_links where event_id = $1 and link_id = $2 for update"#,
        event,
        link
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownInvitation)?
    .read()?;
    if row.revoked_at.is_some() {
        return Ok(());
    }
    sqlx::query!(
        "update result_links set revoked_at = $2 where link_id = $1",
        link,
        change.at
    )
    .execute(tx.conn())
    .await?;
    let act = Act::new(Action::ResultLinkRevoked, Subject::Event, row.json(), Value::Null);
    log::append(tx, change, event, act).await?;
    Ok(())
}
