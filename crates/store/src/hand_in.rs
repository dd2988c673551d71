//! Players who hand in the results of their own games: each comes with a code of his or her own, which
//! reaches the board where that player sits in the last published round and nothing else. What is handed
//! in is a report ([`crate::reports`]): it counts when the other player says the same, or when an arbiter
//! enters or a director confirms it.

use std::collections::BTreeMap;

use tournament::Number;
use uuid::Uuid;

use crate::events::Event;
use crate::json::{number, stored};
use crate::records::Codes;
use crate::{Actor, Result, Role, Tx, Via};

/// The codes of the players of an event, each made of the event's secret and the entry's key: it stays
/// when names are corrected, and a number that is drawn anew takes no code along.
#[derive(Debug)]
pub struct PlayerCodes {
    codes: Codes,
    keys: BTreeMap<Number, Uuid>,
}

impl PlayerCodes {
    /// The code of a player: `abcd-efgh-ijkm`; nothing for a number that nobody has.
    pub fn of(&self, player: Number) -> Option<String> {
        Some(self.codes.of_entry(*self.keys.get(&player)?))
    }

    /// Whether a code is that of a player, however it is spaced and in large letters too.
    pub fn fits(&self, player: Number, code: &str) -> bool {
        self.keys
            .get(&player)
            .is_some_and(|key| self.codes.fits_entry(*key, code))
    }
}

/// The codes of the players of an event, of one when only that one is asked for; none before players were
/// first allowed to hand in anything. Whether they are allowed to now is for the caller to look at.
///
/// # Errors
/// Only of the database.
pub async fn codes(tx: &mut Tx, event: Uuid, one: Option<Number>) -> Result<Option<PlayerCodes>> {
    let Some(codes) = crate::records::codes(tx, event).await? else {
        return Ok(None);
    };
    let rows = sqlx::query!(
        r#"select entry_id, number from entries
           where event_id = $1 and ($2::integer is null or number = $2)"#,
        event,
        one.map(|one| stored(one.get()))
    )
    .fetch_all(tx.conn())
    .await?;
    let keys = rows
        .into_iter()
        .map(|row| Ok((number(row.number)?, row.entry_id)))
        .collect::<Result<_>>()?;
    Ok(Some(PlayerCodes { codes, keys }))
}

/// A player who comes with the code, as the log shows it.
pub fn player(event: &Event, player: Number) -> Actor {
    let entry = event.stage.entry(player);
    Actor {
        user: None,
        name: entry.map_or_else(String::new, |entry| entry.name.clone()),
        role: Role::Player,
        via: Via::Code,
    }
}
