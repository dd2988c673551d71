//! Users, sessions, bearer tokens and the one-time link of the first administrator. What they may
//! do in events is in [`people`](crate::people).
//!
//! Secrets come in as hashes only; hashing is the caller's.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tournament::validate::{Fault, text_fault};
use uuid::Uuid;

use crate::changes::Touched;
use crate::error::unreadable;
use crate::json::{Word, hex};
use crate::{Change, Refused, Result, Role, Scope, Store, Tx, log, people};

/// How long a session lasts that nobody uses.
pub const SESSION_IDLE: TimeDelta = TimeDelta::days(3);

/// A user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Its id.
    pub id: Uuid,
    /// Its name; two names that differ in case only are the same.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The hash of its password; none when it cannot sign in by password.
    pub password_hash: Option<String>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was closed: from then on it opens nothing.
    pub disabled_at: Option<DateTime<Utc>>,
}

/// A session that has not run out, with its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id, which is no secret.
    pub id: Uuid,
    /// Who.
    pub user: User,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// Until when, however much it is used.
    pub expires_at: DateTime<Utc>,
    /// When it was last used, to within some minutes.
    pub used_at: DateTime<Utc>,
}

impl Session {
    /// Whether it has not run out at a moment, and was used lately enough.
    fn works(&self, at: DateTime<Utc>) -> bool {
        self.expires_at > at && self.used_at > at - SESSION_IDLE
    }
}

/// A bearer token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its id.
    pub id: Uuid,
    /// Whose.
    pub user: Uuid,
    /// What it is for.
    pub name: String,
    /// What it may do of what its holder may.
    pub scope: Scope,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// The form of a name in which two that differ in case only are the same.
fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

/// Refuses a name that is empty or no line of text.
pub(crate) fn check_name(name: &str) -> Result<()> {
    if name.is_empty() {
        return Err(Refused::EmptyName.into());
    }
    if let Some(kind) = text_fault(name) {
        let path = "name".to_owned();
        return Err(Refused::Faults(vec![Fault { path, kind }]).into());
    }
    Ok(())
}

/// A row of `users`.
struct UserRow {
    user_id: Uuid,
    name: String,
    role: String,
    password_hash: Option<String>,
    created_at: DateTime<Utc>,
    disabled_at: Option<DateTime<Utc>>,
}

impl UserRow {
    fn into_user(self) -> Result<User> {
        Ok(User {
            id: self.user_id,
            name: self.name,
            role: Word::of(&self.role)?,
            password_hash: self.password_hash,
            created_at: self.created_at,
            disabled_at: self.disabled_at,
        })
    }
}

/// Adds a user.
///
/// # Errors
/// Refused when the name is taken or empty.
pub async fn add_user(
    tx: &mut Tx,
    change: &Change<'_>,
    name: &str,
    password_hash: Option<&str>,
    role: Role,
) -> Result<User> {
    let user = User {
        id: Uuid::now_v7(),
        name: name.trim().to_owned(),
        role,
        password_hash: password_hash.map(str::to_owned),
        created_at: change.at,
        disabled_at: None,
    };
    check_name(&user.name)?;
    let added = sqlx::query!(
        r#"insert into users (user_id, name, name_folded, role, password_hash, created_at)
           values ($1, $2, $3, $4, $5, $6)
           on conflict on constraint users_name_unique do nothing"#,
        user.id,
        user.name,
        folded(&user.name),
        role.as_str(),
        user.password_hash,
        change.at
    )
    .execute(tx.conn())
    .await?
    .rows_affected();
    if added == 0 {
        return Err(Refused::UserExists { name: user.name }.into());
    }
    let after = json!({"name": user.name, "role": role.as_str()});
    let subject = format!("user {}", user.name);
    log::site(tx.conn(), change, "user-added", &subject, None, Some(after)).await?;
    Ok(user)
}

/// The user of a name.
///
/// # Errors
/// Only of the database.
pub async fn find_user_by_name(tx: &mut Tx, name: &str) -> Result<Option<User>> {
    if name.contains('\0') {
        return Ok(None);
    }
    let row = sqlx::query_as!(
        UserRow,
        "select user_id, name, role, password_hash, created_at, disabled_at from users where name_folded = $1",
        folded(name)
    )
    .fetch_optional(tx.conn())
    .await?;
    row.map(UserRow::into_user).transpose()
}

/// All users by name.
///
/// # Errors
/// Only of the database.
pub async fn users(tx: &mut Tx) -> Result<Vec<User>> {
    sqlx::query_as!(
        UserRow,
        "select user_id, name, role, password_hash, created_at, disabled_at from users order by name_folded"
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(UserRow::into_user)
    .collect()
}

/// Sets a user's password and ends the user's sessions.
///
/// # Errors
/// Refused for an unknown user.
pub async fn set_password(tx: &mut Tx, change: &Change<'_>, user: Uuid, password_hash: &str) -> Result<()> {
    let name = sqlx::query_scalar!(
        "update users set password_hash = $2 where user_id = $1 returning name",
        user,
        password_hash
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownUser)?;
    end_sessions(tx, user).await?;
    let subject = format!("user {name}");
    log::site(tx.conn(), change, "password-set", &subject, None, None).await
}

/// The user of an id.
///
/// # Errors
/// Only of the database.
pub async fn find_user(tx: &mut Tx, user: Uuid) -> Result<Option<User>> {
    let row = sqlx::query_as!(
        UserRow,
        "select user_id, name, role, password_hash, created_at, disabled_at from users where user_id = $1",
        user
    )
    .fetch_optional(tx.conn())
    .await?;
    row.map(UserRow::into_user).transpose()
}

/// A user to be changed; others who change users of the site wait.
async fn lock_user(tx: &mut Tx, user: Uuid) -> Result<User> {
    // One key for all accounts: whether this is the last administrator depends on the others.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('accounts', 0))")
        .execute(tx.conn())
        .await?;
    find_user(tx, user)
        .await?
        .ok_or_else(|| Refused::UnknownUser.into())
}

/// Refuses to leave the site without an administrator who can sign in.
async fn check_not_last_admin(tx: &mut Tx, user: &User) -> Result<()> {
    if user.role != Role::Admin || user.disabled_at.is_some() {
        return Ok(());
    }
    let others = sqlx::query_scalar!(
        r#"select exists (select from users
                          where role = 'admin' and disabled_at is null and user_id <> $1) as "there!""#,
        user.id
    )
    .fetch_one(tx.conn())
    .await?;
    if others {
        Ok(())
    } else {
        let name = user.name.clone();
        Err(Refused::LastAdmin { name }.into())
    }
}

/// Gives a user another role on the site. The same role leaves no trace.
///
/// # Errors
/// Refused for an unknown user, and when it would leave no administrator.
pub async fn set_role(tx: &mut Tx, change: &Change<'_>, user: Uuid, role: Role) -> Result<()> {
    let user = lock_user(tx, user).await?;
    if user.role == role {
        return Ok(());
    }
    check_not_last_admin(tx, &user).await?;
    sqlx::query!(
        "update users set role = $2 where user_id = $1",
        user.id,
        role.as_str()
    )
    .execute(tx.conn())
    .await?;
    people::revoke_site_invitations_of(tx, change, user.id).await?;
    let subject = format!("user {}", user.name);
    let (before, after) = (
        json!({"role": user.role.as_str()}),
        json!({"role": role.as_str()}),
    );
    log::site(
        tx.conn(),
        change,
        "role-changed",
        &subject,
        Some(before),
        Some(after),
    )
    .await
}

/// Closes an account: its sessions end, its tokens and password open nothing, links that it made
/// stop working. Nothing is deleted. Closed already is fine.
///
/// # Errors
/// Refused for an unknown user, and when it would leave no administrator.
pub async fn disable(tx: &mut Tx, change: &Change<'_>, user: Uuid) -> Result<()> {
    let user = lock_user(tx, user).await?;
    if user.disabled_at.is_some() {
        return Ok(());
    }
    check_not_last_admin(tx, &user).await?;
    sqlx::query!(
        "update users set disabled_at = $2 where user_id = $1",
        user.id,
        change.at
    )
    .execute(tx.conn())
    .await?;
    end_sessions(tx, user.id).await?;
    tx.touch(Touched::everybody());
    people::revoke_invitations_of(tx, change, user.id).await?;
    let subject = format!("user {}", user.name);
    log::site(tx.conn(), change, "account-closed", &subject, None, None).await
}

/// Opens a closed account again, with the rights it had.
///
/// # Errors
/// Refused for an unknown user.
pub async fn enable(tx: &mut Tx, change: &Change<'_>, user: Uuid) -> Result<()> {
    let user = lock_user(tx, user).await?;
    if user.disabled_at.is_none() {
        return Ok(());
    }
    sqlx::query!("update users set disabled_at = null where user_id = $1", user.id)
        .execute(tx.conn())
        .await?;
    let subject = format!("user {}", user.name);
    log::site(tx.conn(), change, "account-opened", &subject, None, None).await
}

/// Ends all sessions of a user, and says how many there were.
///
/// # Errors
/// Only of the database.
pub async fn end_sessions(tx: &mut Tx, user: Uuid) -> Result<u64> {
    let done = sqlx::query!("delete from sessions where user_id = $1", user)
        .execute(tx.conn())
        .await?;
    tx.touch(Touched::everybody());
    Ok(done.rows_affected())
}

/// Ends one session of a user; ended already is fine.
///
/// # Errors
/// Only of the database.
pub async fn end_session(tx: &mut Tx, user: Uuid, session: Uuid) -> Result<()> {
    sqlx::query!(
        "delete from sessions where user_id = $1 and session_id = $2",
        user,
        session
    )
    .execute(tx.conn())
    .await?;
    tx.touch(Touched::everybody());
    Ok(())
}

/// A session in the list that its user sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionLine {
    /// Its id, which is no secret.
    pub id: Uuid,
    /// The browser, roughly.
    pub browser: String,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// Until when.
    pub expires_at: DateTime<Utc>,
}

/// A user's sessions that have not run out at `at`, the latest first.
///
/// # Errors
/// Only of the database.
pub async fn sessions(tx: &mut Tx, user: Uuid, at: DateTime<Utc>) -> Result<Vec<SessionLine>> {
    Ok(sqlx::query_as!(
        SessionLine,
        r#"select session_id as id, browser, created_at, expires_at from sessions
           where user_id = $1 and expires_at > $2 and used_at > $3
           order by created_at desc, session_id"#,
        user,
        at,
        at - SESSION_IDLE
    )
    .fetch_all(tx.conn())
    .await?)
}

/// Keeps a session.
///
/// # Errors
/// Refused for an unknown user.
pub async fn create_session(
    tx: &mut Tx,
    user: Uuid,
    token_hash: &[u8; 32],
    browser: &str,
    at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        r#"insert into sessions (token_hash, session_id, user_id, browser, created_at, expires_at, used_at)
           values ($1, $2, $3, $4, $5, $6, $5)"#,
        token_hash.as_slice(),
        Uuid::now_v7(),
        user,
        browser,
        at,
        expires_at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The session of a token, unless it has run out at `at` or was not used for [`SESSION_IDLE`].
///
/// # Errors
/// Only of the database.
pub async fn find_session(tx: &mut Tx, token_hash: &[u8; 32], at: DateTime<Utc>) -> Result<Option<Session>> {
    let mut found = sessions_of(tx.conn(), &[*token_hash]).await?;
    Ok(found.remove(token_hash).filter(|session| session.works(at)))
}

/// As [`find_session`], in a transaction of its own, together with whoever asks at the same time.
///
/// # Errors
/// Only of the database.
pub async fn session(store: &Store, token_hash: &[u8; 32], at: DateTime<Utc>) -> Result<Option<Session>> {
    let found = store.asked.sessions.ask(store, *token_hash).await?;
    Ok(found.filter(|session| session.works(at)))
}

/// The sessions of tokens, also those that have run out, unless the account is closed.
pub(crate) async fn sessions_of(
    conn: impl sqlx::PgExecutor<'_>,
    token_hashes: &[[u8; 32]],
) -> Result<HashMap<[u8; 32], Session>> {
    let token_hashes = as_json(token_hashes);
    let rows = sqlx::query!(
        r#"select s.token_hash, s.session_id, s.created_at, s.expires_at, s.used_at,
                  u.user_id, u.name, u.role, u.password_hash, u.created_at as user_created_at
           from sessions s join users u on u.user_id = s.user_id
           where s.token_hash in (select decode(hash, 'hex') from jsonb_array_elements_text($1) as hash)
             and u.disabled_at is null"#,
        token_hashes
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let session = Session {
                id: row.session_id,
                user: User {
                    id: row.user_id,
                    name: row.name,
                    role: Word::of(&row.role)?,
                    password_hash: row.password_hash,
                    created_at: row.user_created_at,
                    disabled_at: None,
                },
                created_at: row.created_at,
                expires_at: row.expires_at,
                used_at: row.used_at,
            };
            Ok((hash_of(&row.token_hash)?, session))
        })
        .collect()
}

/// Hashes as one JSON value. A list as PostgreSQL has it would be planned for its length each time, and that
/// takes longer than the answer.
fn as_json(hashes: &[[u8; 32]]) -> Value {
    hashes.iter().map(|hash| hex(hash)).collect()
}

fn hash_of(stored: &[u8]) -> Result<[u8; 32]> {
    stored.try_into().map_err(unreadable)
}

/// Notes that a session was used.
///
/// # Errors
/// Only of the database.
pub async fn use_session(tx: &mut Tx, session: Uuid, at: DateTime<Utc>) -> Result<()> {
    sqlx::query!(
        "update sessions set used_at = $2 where session_id = $1",
        session,
        at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Ends a session; ended already is fine.
///
/// # Errors
/// Only of the database.
pub async fn delete_session(tx: &mut Tx, token_hash: &[u8; 32]) -> Result<()> {
    sqlx::query!(
        "delete from sessions where token_hash = $1",
        token_hash.as_slice()
    )
    .execute(tx.conn())
    .await?;
    tx.touch(Touched::everybody());
    Ok(())
}

/// Forgets the sessions that have run out at `at`, and says how many they were.
///
/// # Errors
/// Only of the database.
pub async fn purge_sessions(tx: &mut Tx, at: DateTime<Utc>) -> Result<u64> {
    let done = sqlx::query!(
        "delete from sessions where expires_at <= $1 or used_at <= $2",
        at,
        at - SESSION_IDLE
    )
    .execute(tx.conn())
    .await?;
    Ok(done.rows_affected())
}

/// Keeps a bearer token.
///
/// # Errors
/// Refused for an unknown user or an empty name.
pub async fn add_token(
    tx: &mut Tx,
    change: &Change<'_>,
    user: Uuid,
    name: &str,
    scope: Scope,
    token_hash: &[u8; 32],
) -> Result<Token> {
    let token = Token {
        id: Uuid::now_v7(),
        user,
        name: name.trim().to_owned(),
        scope,
        created_at: change.at,
        revoked_at: None,
    };
    check_name(&token.name)?;
    sqlx::query!(
        r#"insert into api_tokens (token_id, token_hash, user_id, name, created_at, scope)
           values ($1, $2, $3, $4, $5, $6)"#,
        token.id,
        token_hash.as_slice(),
        user,
        token.name,
        change.at,
        scope.as_str()
    )
    .execute(tx.conn())
    .await?;
    let after = json!({"name": token.name, "user": user, "scope": scope.as_str()});
    let subject = format!("token {}", token.id);
    log::site(tx.conn(), change, "token-added", &subject, None, Some(after)).await?;
    Ok(token)
}

/// A bearer token that is not revoked, and its user; asked together with whoever asks at the same time.
///
/// # Errors
/// Only of the database.
pub async fn holder(store: &Store, token_hash: &[u8; 32]) -> Result<Option<(Token, User)>> {
    store.asked.holders.ask(store, *token_hash).await
}

/// The tokens that are not revoked, and their users.
pub(crate) async fn holders_of(
    conn: impl sqlx::PgExecutor<'_>,
    token_hashes: &[[u8; 32]],
) -> Result<HashMap<[u8; 32], (Token, User)>> {
    let token_hashes = as_json(token_hashes);
    let rows = sqlx::query!(
        r#"select t.token_hash, t.token_id, t.name as token_name, t.created_at as token_created_at, t.scope,
                  u.user_id, u.name, u.role, u.password_hash, u.created_at
           from api_tokens t join users u on u.user_id = t.user_id
           where t.token_hash in (select decode(hash, 'hex') from jsonb_array_elements_text($1) as hash)
             and t.revoked_at is null and u.disabled_at is null"#,
        token_hashes
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let token = Token {
                id: row.token_id,
                user: row.user_id,
                name: row.token_name,
                scope: Word::of(&row.scope)?,
                created_at: row.token_created_at,
                revoked_at: None,
            };
            let user = User {
                id: row.user_id,
                name: row.name,
                role: Word::of(&row.role)?,
                password_hash: row.password_hash,
                created_at: row.created_at,
                disabled_at: None,
            };
            Ok((hash_of(&row.token_hash)?, (token, user)))
        })
        .collect()
}

/// A user's tokens, the latest first.
///
/// # Errors
/// Only of the database.
pub async fn tokens(tx: &mut Tx, user: Uuid) -> Result<Vec<Token>> {
    let rows = sqlx::query!(
        r#"select token_id, name, scope, created_at, revoked_at from api_tokens
           where user_id = $1 order by created_at desc, token_id desc"#,
        user
    )
    .fetch_all(tx.conn())
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Token {
                id: row.token_id,
                user,
                name: row.name,
                scope: Word::of(&row.scope)?,
                created_at: row.created_at,
                revoked_at: row.revoked_at,
            })
        })
        .collect()
}

/// Revokes a token; revoked already is fine.
///
/// # Errors
/// Refused for an unknown token.
pub async fn revoke_token(tx: &mut Tx, change: &Change<'_>, token: Uuid) -> Result<()> {
    let revoked_at = sqlx::query_scalar!(
        "select revoked_at from api_tokens where token_id = $1 for update",
        token
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownToken)?;
    if revoked_at.is_some() {
        return Ok(());
    }
    sqlx::query!(
        "update api_tokens set revoked_at = $2 where token_id = $1",
        token,
        change.at
    )
    .execute(tx.conn())
    .await?;
    let subject = format!("token {token}");
    tx.touch(Touched::everybody());
    log::site(tx.conn(), change, "token-revoked", &subject, None, None).await
}

/// Whether there is an administrator yet.
///
/// # Errors
/// Only of the database.
pub async fn has_admin(tx: &mut Tx) -> Result<bool> {
    Ok(
        sqlx::query_scalar!(r#"select exists (select from users where role = 'admin') as "there!""#)
            .fetch_one(tx.conn())
            .await?,
    )
}

/// Keeps the one-time token of the first administrator; those made before it stop working.
///
/// # Errors
/// Refused when there is an administrator.
pub async fn create_setup_token(
    tx: &mut Tx,
    token_hash: &[u8; 32],
    at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    if has_admin(tx).await? {
        return Err(Refused::AdminExists.into());
    }
    sqlx::query!("delete from setup_tokens")
        .execute(tx.conn())
        .await?;
    sqlx::query!(
        "insert into setup_tokens (token_hash, created_at, expires_at) values ($1, $2, $3)",
        token_hash.as_slice(),
        at,
        expires_at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Whether a one-time token would be taken, without using it up: for showing the form.
///
/// # Errors
/// Only of the database.
pub async fn setup_token_is_open(tx: &mut Tx, token_hash: &[u8; 32], at: DateTime<Utc>) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from setup_tokens where token_hash = $1 and expires_at > $2)
                  and not exists (select from users where role = 'admin') as "open!""#,
        token_hash.as_slice(),
        at
    )
    .fetch_one(tx.conn())
    .await?)
}

/// Uses up the one-time token: exactly one caller succeeds, and then adds the administrator in
/// the same transaction.
///
/// # Errors
/// Refused when it is unknown, used or has run out, or there is an administrator.
pub async fn consume_setup_token(tx: &mut Tx, token_hash: &[u8; 32], at: DateTime<Utc>) -> Result<()> {
    // Whoever comes second waits for the first here, and then finds the row gone.
    let used = sqlx::query!(
        "delete from setup_tokens where token_hash = $1 and expires_at > $2",
        token_hash.as_slice(),
        at
    )
    .execute(tx.conn())
    .await?
    .rows_affected();
    if has_admin(tx).await? {
        return Err(Refused::AdminExists.into());
    }
    if used == 0 {
        return Err(Refused::SetupLinkSpent.into());
    }
    Ok(())
}
