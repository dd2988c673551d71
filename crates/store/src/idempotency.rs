//! Answers kept by `Idempotency-Key`, so that a request can be repeated after a lost answer.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{Result, Tx};

/// An answer as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers that matter, by name.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// What is known of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// Nothing: do the work, then [`complete`].
    New,
    /// The same request was answered: answer likewise.
    Replay(Answer),
    /// The key came with another request: refuse.
    Conflict,
}

/// Takes a key for the rest of the transaction: a second request with it waits until this one is
/// answered or given up. `actor` keeps one user's keys apart from another's.
///
/// # Errors
/// Only of the database.
pub async fn claim(tx: &mut Tx, key: &str, actor: Uuid, request_hash: &[u8; 32]) -> Result<Claimed> {
    todo!()
}

/// Keeps the answer to the request of a claimed key, in the transaction of its changes.
///
/// # Errors
/// Only of the database.
pub async fn complete(
    tx: &mut Tx,
    key: &str,
    actor: Uuid,
    request_hash: &[u8; 32],
    at: DateTime<Utc>,
    answer: &Answer,
) -> Result<()> {
    todo!()
}

/// Forgets answers older than `before`, and says how many they were.
///
/// # Errors
/// Only of the database.
pub async fn purge(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    todo!()
}
