//! Users, sessions, bearer tokens and the one-time link of the first administrator.
//!
//! Secrets come in as hashes only; hashing is the caller's.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{Change, Result, Role, Tx};

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
}

/// A session that has not run out, with its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Who.
    pub user: User,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// Until when.
    pub expires_at: DateTime<Utc>,
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
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
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
    todo!()
}

/// The user of a name.
///
/// # Errors
/// Only of the database.
pub async fn find_user_by_name(tx: &mut Tx, name: &str) -> Result<Option<User>> {
    todo!()
}

/// All users by name.
///
/// # Errors
/// Only of the database.
pub async fn users(tx: &mut Tx) -> Result<Vec<User>> {
    todo!()
}

/// Sets a user's password and ends the user's sessions.
///
/// # Errors
/// Refused for an unknown user.
pub async fn set_password(tx: &mut Tx, change: &Change<'_>, user: Uuid, password_hash: &str) -> Result<()> {
    todo!()
}

/// Keeps a session.
///
/// # Errors
/// Refused for an unknown user.
pub async fn create_session(
    tx: &mut Tx,
    user: Uuid,
    token_hash: &[u8; 32],
    at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    todo!()
}

/// The session of a token, unless it has run out at `at`.
///
/// # Errors
/// Only of the database.
pub async fn find_session(tx: &mut Tx, token_hash: &[u8; 32], at: DateTime<Utc>) -> Result<Option<Session>> {
    todo!()
}

/// Ends a session; ended already is fine.
///
/// # Errors
/// Only of the database.
pub async fn delete_session(tx: &mut Tx, token_hash: &[u8; 32]) -> Result<()> {
    todo!()
}

/// Forgets the sessions that have run out at `at`, and says how many they were.
///
/// # Errors
/// Only of the database.
pub async fn purge_sessions(tx: &mut Tx, at: DateTime<Utc>) -> Result<u64> {
    todo!()
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
    token_hash: &[u8; 32],
) -> Result<Token> {
    todo!()
}

/// The user of a bearer token that is not revoked.
///
/// # Errors
/// Only of the database.
pub async fn find_token(tx: &mut Tx, token_hash: &[u8; 32]) -> Result<Option<(Token, User)>> {
    todo!()
}

/// A user's tokens, the latest first.
///
/// # Errors
/// Only of the database.
pub async fn tokens(tx: &mut Tx, user: Uuid) -> Result<Vec<Token>> {
    todo!()
}

/// Revokes a token; revoked already is fine.
///
/// # Errors
/// Refused for an unknown token.
pub async fn revoke_token(tx: &mut Tx, change: &Change<'_>, token: Uuid) -> Result<()> {
    todo!()
}

/// Whether there is an administrator yet.
///
/// # Errors
/// Only of the database.
pub async fn has_admin(tx: &mut Tx) -> Result<bool> {
    todo!()
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
    todo!()
}

/// Whether a one-time token would be taken, without using it up: for showing the form.
///
/// # Errors
/// Only of the database.
pub async fn setup_token_is_open(tx: &mut Tx, token_hash: &[u8; 32], at: DateTime<Utc>) -> Result<bool> {
    todo!()
}

/// Uses up the one-time token: exactly one caller succeeds, and then adds the administrator in
/// the same transaction.
///
/// # Errors
/// Refused when it is unknown, used or has run out, or there is an administrator.
pub async fn consume_setup_token(tx: &mut Tx, token_hash: &[u8; 32], at: DateTime<Utc>) -> Result<()> {
    todo!()
}
