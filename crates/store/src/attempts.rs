//! Attempts at something that can be guessed: counted here and not by each server, so that whoever asks
//! several of them in turn has no more guesses than whoever asks one.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{Result, Tx};

/// Counts an attempt at what the key is the hash of, as long as there were fewer than `most` within the
/// window that began with the first; otherwise says how many seconds to wait.
///
/// # Errors
/// Only of the database.
pub async fn count(
    tx: &mut Tx,
    key_hash: &[u8; 32],
    most: u32,
    window: TimeDelta,
    at: DateTime<Utc>,
) -> Result<std::result::Result<(), i64>> {
    // One statement, so that many guesses sent at once are counted one by one; beyond the limit nothing
    // is written.
    let counted = sqlx::query_scalar!(
        r#"insert into attempts as a (key_hash, count, ends_at) values ($1, 1, $2)
           on conflict (key_hash) do update
              set count = case when a.ends_at <= $3 then 1 else a.count + 1 end,
                  ends_at = case when a.ends_at <= $3 then excluded.ends_at else a.ends_at end
              where a.ends_at <= $3 or a.count < $4
           returning count"#,
        key_hash.as_slice(),
        at + window,
        at,
        i32::try_from(most).unwrap_or(i32::MAX),
    )
    .fetch_optional(tx.conn())
    .await?;
    if counted.is_some() {
        return Ok(Ok(()));
    }
    let ends = sqlx::query_scalar!(
        "select ends_at from attempts where key_hash = $1",
        key_hash.as_slice()
    )
    .fetch_optional(tx.conn())
    .await?;
    Ok(Err(ends.map_or(1, |ends| (ends - at).num_seconds().max(1))))
}

/// Forgets the attempts at something: the last one was right.
///
/// # Errors
/// Only of the database.
pub async fn forget(tx: &mut Tx, key_hash: &[u8; 32]) -> Result<()> {
    sqlx::query!("delete from attempts where key_hash = $1", key_hash.as_slice())
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// Takes one attempt at something back: it was right.
///
/// # Errors
/// Only of the database.
pub async fn take_back(tx: &mut Tx, key_hash: &[u8; 32]) -> Result<()> {
    let more = sqlx::query!(
        "update attempts set count = count - 1 where key_hash = $1 and count > 1",
        key_hash.as_slice()
    )
    .execute(tx.conn())
    .await?;
    if more.rows_affected() == 0 {
        forget(tx, key_hash).await?;
    }
    Ok(())
}

/// Forgets the attempts whose window has passed at `at`.
///
/// # Errors
/// Only of the database.
pub async fn purge(tx: &mut Tx, at: DateTime<Utc>) -> Result<()> {
    sqlx::query!("delete from attempts where ends_at <= $1", at)
        .execute(tx.conn())
        .await?;
    Ok(())
}
