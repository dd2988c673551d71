//! Tables of a round that were public once and are replaced: read back from the log.

use chrono::{DateTime, Utc};
use serde_json::Value;
use tournament::{Board, Number, Round};

use crate::error::unreadable;
use crate::events::{Event, RoundStatus};
use crate::json::stored;
use crate::log::Action;
use crate::{Result, Tx};

/// A published table that another one has replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Which edition it was, 1 for the first.
    pub edition: u32,
    /// The table, without results.
    pub table: Round,
    /// When it was replaced.
    pub at: DateTime<Utc>,
    /// Why, as far as it was said.
    pub reason: Option<String>,
}

fn numbers(value: &Value) -> Option<Vec<Number>> {
    let number = |value: &Value| Number::new(u32::try_from(value.as_u64()?).ok()?);
    value.as_array()?.iter().map(number).collect()
}

fn boards(value: &Value) -> Option<Vec<Board>> {
    let board = |value: &Value| {
        let read = |name: &str| u32::try_from(value[name].as_u64()?).ok();
        let number = |name: &str| Number::new(read(name)?);
        let mut board = Board::new(read("board")?, number("black")?, number("white")?);
        board.nigiri = value["nigiri"] == true;
        Some(board)
    };
    value.as_array()?.iter().map(board).collect()
}

/// Takes a change of a table back.
fn undo(table: &mut Round, before: &Value, after: &Value) -> Option<()> {
    let (old, new) = (boards(&before["boards"])?, boards(&after["boards"])?);
    table.boards.retain(|board| !new.contains(board));
    table.boards.extend(old);
    table.boards.sort_by_key(|board| board.board);
    for (list, name) in [(&mut table.byes, "byes"), (&mut table.absent, "absent")] {
        if !before[name].is_null() {
            *list = numbers(&before[name])?;
        }
    }
    Some(())
}

/// The tables of a round that were public and are replaced, the latest first. Nothing for a round
/// that is not published now: it is as if it were not there.
///
/// # Errors
/// Only of the database, and for a log that somebody has changed.
pub async fn replaced(tx: &mut Tx, event: &Event, round: u32) -> Result<Vec<Replaced>> {
    let info = event
        .round_info(round)
        .filter(|info| info.status == RoundStatus::Published);
    let now = event.stage.rounds.iter().find(|table| table.round == round);
    let (Some(info), Some(now)) = (info, now) else {
        return Ok(Vec::new());
    };
    if info.edition <= 1 {
        return Ok(Vec::new());
    }
    let acts = sqlx::query!(
        r#"select action, at, before, after, reason from log
           where event_id = $1 and subject_round = $2 and subject_board is null order by seq"#,
        event.id,
        stored(round)
    )
    .fetch_all(tx.conn())
    .await?;
    let is = |act: &str, action: Action| act == action.as_str();
    // Rounds of a file are published from the beginning.
    let mut public = true;
    let seen: Vec<bool> = acts
        .iter()
        .map(|act| {
            let was = public;
            if is(&act.action, Action::RoundPublished) {
                public = true;
            } else if [
                Action::RoundPaired,
                Action::RoundPairedByHand,
                Action::RoundThrownAway,
            ]
            .into_iter()
            .any(|action| is(&act.action, action))
            {
                public = false;
            }
            was
        })
        .collect();
    let mut table = now.clone();
    for board in &mut table.boards {
        let nigiri = board.nigiri;
        *board = Board::new(board.board, board.black, board.white);
        board.nigiri = nigiri;
    }
    let mut edition = info.edition;
    let mut found = Vec::new();
    for (act, was_public) in acts.into_iter().zip(seen).rev() {
        let (before, after) = (act.before.unwrap_or_default(), act.after.unwrap_or_default());
        if is(&act.action, Action::RoundChanged) {
            undo(&mut table, &before, &after).ok_or_else(|| unreadable("a changed table"))?;
        } else if is(&act.action, Action::RoundThrownAway) {
            let read = || {
                Some((
                    boards(&before["boards"])?,
                    numbers(&before["byes"])?,
                    numbers(&before["absent"])?,
                ))
            };
            let (boards, byes, absent) = read().ok_or_else(|| unreadable("a table that was thrown away"))?;
            (table.boards, table.byes, table.absent) = (boards, byes, absent);
        } else {
            continue;
        }
        if was_public && edition > 1 {
            edition -= 1;
            found.push(Replaced {
                edition,
                table: table.clone(),
                at: act.at,
                reason: act.reason,
            });
        }
    }
    Ok(found)
}
