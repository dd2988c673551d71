//! Answers kept by `Idempotency-Key`, so that a request can be repeated after a lost answer.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::unreadable;
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
    // Nothing is written before the answer is there, so the claim is a lock and not a row: a
    // request that fails, or dies, leaves its key free.
    sqlx::query!("select pg_advisory_xact_lock($1)", lock_key(key, actor))
        .execute(tx.conn())
        .await?;
    let row = sqlx::query!(
        r#"select request_hash, status, headers, body from idempotency_keys
           where actor = $1 and key = $2"#,
        actor,
        key
    )
    .fetch_optional(tx.conn())
    .await?;
    let Some(row) = row else {
        return Ok(Claimed::New);
    };
    if row.request_hash != request_hash {
        return Ok(Claimed::Conflict);
    }
    Ok(Claimed::Replay(Answer {
        status: u16::try_from(row.status).map_err(unreadable)?,
        headers: Vec::deserialize(&row.headers).map_err(unreadable)?,
        body: row.body,
    }))
}

fn lock_key(key: &str, actor: Uuid) -> i64 {
    let digest = Sha256::new()
        .chain_update("idempotency")
        .chain_update(actor.as_bytes())
        .chain_update(key)
        .finalize();
    digest
        .iter()
        .take(8)
        .fold(0, |sum, byte| (sum << 8) | i64::from(*byte))
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
    sqlx::query!(
        r#"insert into idempotency_keys (actor, key, request_hash, status, headers, body, created_at)
           values ($1, $2, $3, $4, $5, $6, $7)"#,
        actor,
        key,
        request_hash.as_slice(),
        i16::try_from(answer.status).unwrap_or(i16::MAX),
        json!(answer.headers),
        answer.body,
        at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Forgets answers older than `before`, and says how many they were.
///
/// # Errors
/// Only of the database.
pub async fn purge(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    let done = sqlx::query!("delete from idempotency_keys where created_at < $1", before)
        .execute(tx.conn())
        .await?;
    Ok(done.rows_affected())
}
