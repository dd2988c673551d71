//! Results: one per board, entered in any order by many hands at once.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use tournament::validate::{Fault, FaultKind};
use tournament::{Board, By, Colours, Margin, Number, Outcome, Side, Warnings};
use uuid::Uuid;

use crate::error::unreadable;
use crate::events::RoundStatus;
use crate::json::{self, Word, count, stored};
use crate::load::{self, STAGE, Sides};
use crate::log::{self, Act, Action, Subject};
use crate::{Change, Refused, Result, Store, Tx};

/// The result of a board as it is to be. `result: None` makes the board pending again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultInput {
    /// The result.
    pub result: Option<Outcome>,
    /// How the game ended.
    pub by: Option<By>,
    /// By how much.
    pub margin: Option<Margin>,
    /// Warnings.
    pub warnings: Warnings,
    /// Who had Black, where the colours came from nigiri; what else is said goes by it. `None`
    /// leaves the colours as they are.
    pub black: Option<Number>,
}

impl ResultInput {
    /// Without the way and the margin that the board had before, where this result can have none: they are
    /// what is left in a form when the result is corrected. What is said anew stays, to be refused.
    #[must_use]
    pub fn without_leftovers(mut self, before: &Board) -> Self {
        let played = self.result.is_some_and(Outcome::played);
        let won = self.result.is_some_and(|result| result.winner().is_some());
        if !played && self.by == before.by {
            self.by = None;
        }
        if !(played && won) && self.margin == before.margin {
            self.margin = None;
        }
        self
    }
}

/// A board in a list of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardInput {
    /// The board.
    pub board: u32,
    /// The version it must have, when the caller says so.
    pub expected: Option<i64>,
    /// Its result.
    pub input: ResultInput,
}

/// A board after a result was put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardResult {
    /// The round.
    pub round: u32,
    /// The board as it is now.
    pub board: Board,
    /// Its version.
    pub version: i64,
    /// False when the same result was there already: nothing was written.
    pub changed: bool,
    /// Later rounds, drafts included, that were paired on another result of this board: they stay
    /// as they are. Empty unless the round is an earlier one.
    pub later_rounds: Vec<u32>,
}

/// Puts the result of one board of a published round. The same result again is a success that
/// writes nothing, whatever version is expected: so a repeated request is harmless.
///
/// # Errors
/// Refused for an unknown or unpublished round, an unknown board, a result that contradicts
/// itself (a margin without a winner), and as stale when the board has another version.
pub async fn put(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    round: u32,
    board: u32,
    expected: Option<i64>,
    input: ResultInput,
) -> Result<BoardResult> {
    let input = BoardInput {
        board,
        expected,
        input,
    };
    let mut done = put_many(tx, change, event, round, &[input]).await?;
    Ok(done.pop().ok_or(Refused::UnknownBoard { round, board })?)
}

/// A board as it lies in the database, locked.
#[derive(Debug)]
struct Found {
    board: Board,
    version: i64,
}

/// Puts the results of many boards of one round, all or none; the answer is in the order given.
///
/// # Errors
/// As [`put`]; also when a board stands twice in the list.
pub async fn put_many(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    round: u32,
    inputs: &[BoardInput],
) -> Result<Vec<BoardResult>> {
    // Results share the lock among themselves; a pairing, a thrown away round or a changed table
    // comes wholly before or wholly after.
    tx.lock_shared(event).await?;
    let boards: Vec<u32> = inputs.iter().map(|input| input.board).collect();
    let table = lock_boards(tx, event, round, &boards).await?;
    put_locked(tx, change, &table, inputs).await
}

/// Boards of a published round, locked until the transaction ends.
#[derive(Debug)]
pub struct Table {
    event: Uuid,
    round: u32,
    /// Whether no later round is there.
    last: bool,
    found: BTreeMap<u32, Found>,
}

impl Table {
    /// A board as it is now, and its version.
    pub fn board(&self, board: u32) -> Option<(&Board, i64)> {
        self.found.get(&board).map(|found| (&found.board, found.version))
    }
}

/// Opens a transaction in which boards of the last round there is are locked, so that their results can be put
/// by [`put_locked`]; without a table when the round is not there, not published, or not the last one.
///
/// # Errors
/// Refused when a board stands twice in the list.
pub async fn begin_last(
    store: &Store,
    event: Uuid,
    round: u32,
    boards: &[u32],
) -> Result<(Tx, Option<Table>)> {
    let mut tx = store.begin_routine().await?;
    tx.lock_shared(event).await?;
    match lock_boards(&mut tx, event, round, boards).await {
        Ok(table) => Ok((tx, Some(table).filter(|table| table.last))),
        Err(crate::Error::Refused(Refused::UnknownRound { .. } | Refused::NotPublished { .. })) => {
            Ok((tx, None))
        }
        Err(error) => Err(error),
    }
}

/// Whether nothing in a result contradicts itself.
pub fn is_consistent(input: ResultInput) -> bool {
    contradiction(0, 1, input).is_none()
}

/// As [`put_many`], where the boards are locked already.
///
/// # Errors
/// As [`put_many`].
pub async fn put_locked(
    tx: &mut Tx,
    change: &Change<'_>,
    table: &Table,
    inputs: &[BoardInput],
) -> Result<Vec<BoardResult>> {
    let Table {
        event,
        round,
        last,
        ref found,
    } = *table;
    let nigiri = inputs.iter().any(|given| given.input.black.is_some()) && by_nigiri(tx, event).await?;
    let mut acts = Vec::new();
    let mut changed = Vec::new();
    let mut faults = Vec::new();
    for (index, given) in inputs.iter().enumerate() {
        let board = given.board;
        let Found { board: old, version } =
            found.get(&board).ok_or(Refused::UnknownBoard { round, board })?;
        let new = with_result(round, old, given.input, nigiri)?;
        if *old == new {
            continue;
        }
        if let Some(fault) = contradiction(index, inputs.len(), given.input) {
            faults.push(fault);
        }
        if given.expected.is_some_and(|expected| expected != *version) {
            return Err(Refused::Stale { current: *version }.into());
        }
        let action = match (old.result, new.result) {
            (None, Some(_)) => Action::ResultEntered,
            (Some(_), None) => Action::ResultCleared,
            _ => Action::ResultCorrected,
        };
        let subject = Subject::Board { round, board };
        acts.push(Act::new(action, subject, json::board(old), json::board(&new)));
        changed.push((*old, new));
    }
    if !faults.is_empty() {
        return Err(Refused::Faults(faults).into());
    }
    let mut versions: BTreeMap<u32, i64> = BTreeMap::new();
    if !changed.is_empty() {
        let taken = log::take(tx.conn(), event, acts.len()).await?;
        let first = taken.first;
        versions = (first..)
            .zip(&changed)
            .map(|(seq, (_, new))| (new.board, seq))
            .collect();
        write(tx, event, round, first, &changed).await?;
        if !last {
            mark_later_rounds(tx, event, round, &changed).await?;
        }
        log::write(tx, change, event, taken, acts).await?;
    }
    let mut later = if last {
        BTreeMap::new()
    } else {
        later_rounds(tx, event, round).await?
    };
    inputs
        .iter()
        .map(|given| {
            let board = given.board;
            let Found { board: old, version } =
                found.get(&board).ok_or(Refused::UnknownBoard { round, board })?;
            Ok(BoardResult {
                round,
                board: with_result(round, old, given.input, nigiri)?,
                version: versions.get(&board).copied().unwrap_or(*version),
                changed: versions.contains_key(&board),
                later_rounds: later.remove(&board).unwrap_or_default(),
            })
        })
        .collect()
}

/// Keeps in the log what was ruled at a board of a published round and leaves its result as it is: that the
/// game is adjourned (封棋), say. What was ruled is the change's reason.
///
/// # Errors
/// Refused for an unknown or unpublished round.
pub async fn note(tx: &mut Tx, change: &Change<'_>, event: Uuid, round: u32, board: u32) -> Result<()> {
    tx.lock_shared(event).await?;
    published(tx, event, round).await?;
    let subject = Subject::Board { round, board };
    let act = Act::new(Action::BoardNoted, subject, Value::Null, Value::Null);
    log::append(tx, change, event, act).await?;
    Ok(())
}

/// The board with another result, and turned where that says who had Black.
pub(crate) fn with_result(round: u32, board: &Board, input: ResultInput, nigiri: bool) -> Result<Board> {
    let mut new = Board {
        result: input.result,
        by: input.by,
        margin: input.margin,
        warnings: input.warnings,
        ..*board
    };
    if let Some(black) = input.black {
        let Some(side) = board.side_of(black) else {
            let (number, board) = (black, board.board);
            return Err(Refused::NotAtBoard { number, round, board }.into());
        };
        let turn = side == Side::White;
        if turn && !(nigiri || board.nigiri) {
            return Err(Refused::ColoursAssigned {
                round,
                board: board.board,
                black: board.black,
            }
            .into());
        }
        if turn {
            std::mem::swap(&mut new.black, &mut new.white);
        }
        new.nigiri = false;
    }
    Ok(new)
}

/// Whether the colours of the event come from nigiri.
pub(crate) async fn by_nigiri(tx: &mut Tx, event: Uuid) -> Result<bool> {
    let colours = sqlx::query_scalar!(
        "select colours from stages where event_id = $1 and stage_no = $2",
        event,
        STAGE
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(Colours::of(&colours)? == Colours::Nigiri)
}

/// What contradicts itself in a result.
pub(crate) fn contradiction(index: usize, of: usize, input: ResultInput) -> Option<Fault> {
    let (field, kind) = match input.result {
        None if input.by.is_some() => ("by", FaultKind::NotPending("by")),
        None if input.margin.is_some() => ("margin", FaultKind::NotPending("margin")),
        Some(result) if !result.played() && input.by.is_some() => ("by", FaultKind::NotWithResult("by")),
        Some(result) if input.margin.is_some() && (!result.played() || result.winner().is_none()) => {
            ("margin", FaultKind::NotWithResult("margin"))
        }
        _ => return None,
    };
    let path = if of == 1 {
        field.to_owned()
    } else {
        format!("results[{index}].{field}")
    };
    Some(Fault { path, kind })
}

/// Refuses a round that is not there or not published; says whether it is the last one there is.
pub(crate) async fn published(tx: &mut Tx, event: Uuid, round: u32) -> Result<bool> {
    let row = sqlx::query!(
        r#"select status, not exists (select from rounds later
                                      where later.event_id = r.event_id and later.stage_no = r.stage_no
                                        and later.round_no > r.round_no) as "last!"
           from rounds r where event_id = $1 and stage_no = $2 and round_no = $3"#,
        event,
        STAGE,
        stored(round)
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownRound { round })?;
    if row.status == "published" {
        Ok(row.last)
    } else {
        Err(Refused::NotPublished { round }.into())
    }
}

/// Locks the boards in board order, so that two lists of results never wait for one another. Boards that
/// are not there are left out.
///
/// # Errors
/// As [`published`]; also when a board stands twice in the list.
pub(crate) async fn lock_boards(tx: &mut Tx, event: Uuid, round: u32, boards: &[u32]) -> Result<Table> {
    let mut wanted = boards.to_vec();
    wanted.sort_unstable();
    if let Some(pair) = wanted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Refused::BoardTwice { board: pair[0] }.into());
    }
    let wanted: Vec<i32> = wanted.into_iter().map(stored).collect();
    // Of a board that somebody else has changed meanwhile, this reads what it is now.
    let rows = sqlx::query!(
        r#"select b.board_no, b.nigiri, b.result, b.ended_by, b.margin_quarters, b.black_warnings,
                  b.white_warnings, b.version, r.status,
                  not exists (select from rounds later
                              where later.event_id = $1 and later.stage_no = $2 and later.round_no > $3) as "last!"
           from rounds r join boards b on b.event_id = r.event_id and b.stage_no = r.stage_no
                                          and b.round_no = r.round_no
           where r.event_id = $1 and r.stage_no = $2 and r.round_no = $3 and b.board_no = any($4)
           order by b.board_no for no key update of b"#,
        event,
        STAGE,
        stored(round),
        &wanted
    )
    .fetch_all(tx.conn())
    .await?;
    let last = match rows.first() {
        Some(row) if row.status == RoundStatus::Published.as_str() => row.last,
        _ => published(tx, event, round).await?,
    };
    let mut sides = sides_of(tx, event, round, &wanted).await?;
    let found = rows
        .into_iter()
        .map(|row| {
            let board = load::board(
                row.board_no,
                sides.remove(&row.board_no).unwrap_or_default(),
                row.nigiri,
                (
                    row.result.as_deref(),
                    row.ended_by.as_deref(),
                    row.margin_quarters,
                ),
                (row.black_warnings, row.white_warnings),
            )?;
            let version = row.version;
            Ok((board.board, Found { board, version }))
        })
        .collect::<Result<_>>()?;
    Ok(Table {
        event,
        round,
        last,
        found,
    })
}

/// Who sits at boards that are locked.
///
/// Seats and numbers are two questions, since PostgreSQL would join them in a new database, of whose tables it
/// knows no sizes yet, by going through all entries once for each seat.
async fn sides_of(tx: &mut Tx, event: Uuid, round: u32, boards: &[i32]) -> Result<BTreeMap<i32, Sides>> {
    let seats = sqlx::query!(
        r#"select board_no as "board_no!", place, entry_id from seats
           where event_id = $1 and stage_no = $2 and round_no = $3 and board_no = any($4)"#,
        event,
        STAGE,
        stored(round),
        boards
    )
    .fetch_all(tx.conn())
    .await?;
    let entries: Vec<Uuid> = seats.iter().map(|seat| seat.entry_id).collect();
    let numbers: HashMap<Uuid, i32> = sqlx::query!(
        "select entry_id, number from entries where event_id = $1 and entry_id = any($2)",
        event,
        &entries
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(|row| (row.entry_id, row.number))
    .collect();
    let mut sides: BTreeMap<i32, Sides> = BTreeMap::new();
    for seat in seats {
        let number = numbers
            .get(&seat.entry_id)
            .ok_or_else(|| unreadable(seat.entry_id))?;
        sides
            .entry(seat.board_no)
            .or_default()
            .set(&seat.place, json::number(*number)?);
    }
    Ok(sides)
}

/// Writes changed results; each board's version is the number of its act.
async fn write(tx: &mut Tx, event: Uuid, round: u32, first: i64, changed: &[(Board, Board)]) -> Result<()> {
    let boards: Vec<i32> = changed.iter().map(|(_, new)| stored(new.board)).collect();
    let versions: Vec<i64> = (first..).take(changed.len()).collect();
    let results: Vec<Option<&str>> = changed
        .iter()
        .map(|(_, new)| new.result.map(Outcome::as_str))
        .collect();
    let by: Vec<Option<&str>> = changed.iter().map(|(_, new)| new.by.map(By::as_str)).collect();
    let margins: Vec<Option<i32>> = changed
        .iter()
        .map(|(_, new)| new.margin.map(|margin| i32::from(margin.quarters())))
        .collect();
    let black: Vec<i16> = changed
        .iter()
        .map(|(_, new)| i16::from(new.warnings.black))
        .collect();
    let white: Vec<i16> = changed
        .iter()
        .map(|(_, new)| i16::from(new.warnings.white))
        .collect();
    let nigiri: Vec<bool> = changed.iter().map(|(_, new)| new.nigiri).collect();
    // What was said of a board whose result is settled now is forgotten.
    sqlx::query!(
        r#"with settled as (delete from reported_results
                            where event_id = $1 and stage_no = $2 and round_no = $3 and board_no = any($4))
           update boards
           set version = new.version, result = new.result, ended_by = new.ended_by,
               margin_quarters = new.margin, black_warnings = new.black, white_warnings = new.white,
               nigiri = new.nigiri
           from unnest($4::integer[], $5::bigint[], $6::text[], $7::text[], $8::integer[],
                       $9::smallint[], $10::smallint[], $11::boolean[])
                as new (board_no, version, result, ended_by, margin, black, white, nigiri)
           where boards.event_id = $1 and boards.stage_no = $2 and boards.round_no = $3
             and boards.board_no = new.board_no"#,
        event,
        STAGE,
        stored(round),
        &boards,
        &versions,
        &results as &[Option<&str>],
        &by as &[Option<&str>],
        &margins as &[Option<i32>],
        &black,
        &white,
        &nigiri
    )
    .execute(tx.conn())
    .await?;
    turn(tx, event, round, changed).await
}

/// Exchanges the seats of boards of which the other player had Black, and what later rounds keep of
/// their results.
async fn turn(tx: &mut Tx, event: Uuid, round: u32, changed: &[(Board, Board)]) -> Result<()> {
    let turned: Vec<i32> = changed
        .iter()
        .filter(|(old, new)| old.black != new.black)
        .map(|(_, new)| stored(new.board))
        .collect();
    if turned.is_empty() {
        return Ok(());
    }
    // No board has two Blacks, not even between two rows of one statement: so one statement takes
    // the seats away and another puts them back.
    let seats = sqlx::query!(
        r#"delete from seats
           where event_id = $1 and stage_no = $2 and round_no = $3 and board_no = any($4)
           returning entry_id, place, board_no as "board_no!""#,
        event,
        STAGE,
        stored(round),
        &turned
    )
    .fetch_all(tx.conn())
    .await?;
    let entries: Vec<Uuid> = seats.iter().map(|seat| seat.entry_id).collect();
    let boards: Vec<i32> = seats.iter().map(|seat| seat.board_no).collect();
    let places: Vec<&str> = seats
        .iter()
        .map(|seat| if seat.place == "black" { "white" } else { "black" })
        .collect();
    sqlx::query!(
        r#"insert into seats (event_id, stage_no, round_no, entry_id, place, board_no)
           select $1, $2, $3, s.* from unnest($4::uuid[], $5::text[], $6::integer[]) s"#,
        event,
        STAGE,
        stored(round),
        &entries,
        &places as &[&str],
        &boards
    )
    .execute(tx.conn())
    .await?;
    sqlx::query!(
        r#"update earlier_results
           set result = case result when 'black' then 'white' when 'white' then 'black'
                                    when 'black_forfeit' then 'white_forfeit'
                                    when 'white_forfeit' then 'black_forfeit' else result end
           where event_id = $1 and stage_no = $2 and on_round = $3 and on_board = any($4)"#,
        event,
        STAGE,
        stored(round),
        &turned
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The old result as it reads with the colours of the new board.
fn as_turned(old: &Board, new: &Board) -> Option<Outcome> {
    if old.black == new.black {
        old.result
    } else {
        old.result.map(Outcome::turned)
    }
}

/// Keeps what later rounds were made on, where it is something else now.
async fn mark_later_rounds(tx: &mut Tx, event: Uuid, round: u32, changed: &[(Board, Board)]) -> Result<()> {
    // Only who scored what steers a pairing; a corrected margin does not.
    let scored: Vec<&(Board, Board)> = changed
        .iter()
        .filter(|(old, new)| as_turned(old, new) != new.result)
        .collect();
    if scored.is_empty() {
        return Ok(());
    }
    let boards: Vec<i32> = scored.iter().map(|(_, new)| stored(new.board)).collect();
    let old: Vec<Option<&str>> = scored
        .iter()
        .map(|(old, new)| as_turned(old, new).map(Outcome::as_str))
        .collect();
    // The first change since a later round was paired says what that round was made on …
    sqlx::query!(
        r#"insert into earlier_results (event_id, stage_no, round_no, on_round, on_board, result)
           select $1, $2, later.round_no, $3, old.board_no, old.result
           from rounds later, unnest($4::integer[], $5::text[]) as old (board_no, result)
           where later.event_id = $1 and later.stage_no = $2 and later.round_no > $3
           on conflict on constraint earlier_results_key do nothing"#,
        event,
        STAGE,
        stored(round),
        &boards,
        &old as &[Option<&str>]
    )
    .execute(tx.conn())
    .await?;
    // … and a correction taken back leaves no mark.
    sqlx::query!(
        r#"delete from earlier_results earlier using boards b
           where earlier.event_id = $1 and earlier.stage_no = $2 and earlier.on_round = $3
             and earlier.on_board = any($4)
             and b.event_id = $1 and b.stage_no = $2 and b.round_no = $3
             and b.board_no = earlier.on_board and b.result is not distinct from earlier.result"#,
        event,
        STAGE,
        stored(round),
        &boards
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// For each board of a round, the later rounds that were paired on another result of it.
async fn later_rounds(tx: &mut Tx, event: Uuid, round: u32) -> Result<BTreeMap<u32, Vec<u32>>> {
    let rows = sqlx::query!(
        r#"select on_board, round_no from earlier_results
           where event_id = $1 and stage_no = $2 and on_round = $3 order by round_no"#,
        event,
        STAGE,
        stored(round)
    )
    .fetch_all(tx.conn())
    .await?;
    let mut later: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for row in rows {
        later
            .entry(count(row.on_board)?)
            .or_default()
            .push(count(row.round_no)?);
    }
    Ok(later)
}
