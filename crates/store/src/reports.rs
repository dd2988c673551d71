//! Results that somebody has reported and nobody has confirmed yet. They are kept beside the boards and
//! never in them: no standing and no pairing sees them. A report counts when a second person says the
//! same and nobody says anything else, or when a director enters or confirms it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::Value;
use tournament::{Board, By, Number, Outcome};
use uuid::Uuid;

use crate::json::{self, number, stored};
use crate::load::{self, STAGE, Sides};
use crate::log::{self, Act, Action, Subject};
use crate::results::{self, BoardInput, BoardResult, ResultInput};
use crate::{Change, Refused, Result, Tx};

/// Whose word a report is. Nobody can confirm what he or she has reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reporter {
    /// An account.
    User(Uuid),
    /// Whoever comes with a link.
    Link(Uuid),
    /// One of the two players.
    Player(Number),
}

impl Reporter {
    fn kind(self) -> &'static str {
        match self {
            Self::User(_) => "user",
            Self::Link(_) => "link",
            Self::Player(_) => "entry",
        }
    }
}

/// A result that waits for a second word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The round.
    pub round: u32,
    /// The board as it would be.
    pub board: Board,
    /// By whom, by name.
    pub by: String,
    /// Which of the two players it is, when it is one of them.
    pub player: Option<Number>,
    /// When.
    pub at: DateTime<Utc>,
    reporter: Uuid,
}

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reported {
    /// It counts.
    Counts(BoardResult),
    /// It waits for a second word.
    Waits,
    /// Somebody else has reported another result: a director decides.
    Disputed,
}

fn says_the_same(one: &Board, other: &Board) -> bool {
    one.result == other.result && one.black == other.black
}

/// Reports the result of a board of a published round. The same report again changes nothing.
///
/// # Errors
/// Refused as [`results::put`], and for a player who does not sit there.
pub async fn report(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    (round, board): (u32, u32),
    reporter: Reporter,
    input: ResultInput,
) -> Result<Reported> {
    tx.lock_shared(event).await?;
    let table = results::lock_boards(tx, event, round, &[board]).await?;
    let (old, _) = table.board(board).ok_or(Refused::UnknownBoard { round, board })?;
    let nigiri = results::by_nigiri(tx, event).await?;
    let new = results::with_result(round, old, input, nigiri)?;
    if let Some(fault) = results::contradiction(0, 1, input) {
        return Err(Refused::Faults(vec![fault]).into());
    }
    let key = key_of(tx, event, (round, board), old, reporter).await?;
    if let (Reporter::Player(_), Some(_)) = (reporter, old.result) {
        // What counts was confirmed by somebody else: a player can say the same, and nothing changes.
        return if says_the_same(old, &new) {
            let unchanged = as_input(old, nigiri);
            results::put(tx, change, event, round, board, None, unchanged)
                .await
                .map(Reported::Counts)
        } else {
            Err(Refused::ResultCounts { round, board }.into())
        };
    }
    let known = of_boards(tx, event, Some((round, board))).await?;
    let (own, others): (Vec<&Report>, Vec<&Report>) = known.iter().partition(|one| one.reporter == key);
    let own = own.first().copied();
    if new.result.is_none() || (old.result.is_some() && says_the_same(old, &new)) {
        // Taken back, or what counts already: with the details that may be new in it.
        take_back(tx, change, event, (round, board), key, own).await?;
        let put = results::put(tx, change, event, round, board, None, as_input(&new, nigiri)).await;
        return if new.result.is_none() && old.result.is_none() {
            Ok(Reported::Waits)
        } else {
            put.map(Reported::Counts)
        };
    }
    let agree = others.iter().find(|one| says_the_same(&one.board, &new));
    let differ = others.iter().any(|one| !says_the_same(&one.board, &new));
    if let Some(agree) = agree.filter(|_| !differ) {
        // What only the first word knew stays: how the game ended, and by how much.
        let both = Board {
            by: new.by.or(agree.board.by),
            margin: new.margin.or(agree.board.margin),
            ..new
        };
        return results::put(tx, change, event, round, board, None, as_input(&both, nigiri))
            .await
            .map(Reported::Counts);
    }
    if own.is_none_or(|own| own.board != new) {
        keep(tx, change, event, (round, key, reporter), &new).await?;
        let subject = Subject::Board { round, board };
        let before = own.map_or(Value::Null, |own| json::board(&own.board));
        let act = Act::new(Action::ResultReported, subject, before, json::board(&new));
        log::append(tx, change, event, act).await?;
    }
    Ok(if differ {
        Reported::Disputed
    } else {
        Reported::Waits
    })
}

/// A board as somebody would enter it.
fn as_input(board: &Board, nigiri: bool) -> ResultInput {
    ResultInput {
        result: board.result,
        by: board.by,
        margin: board.margin,
        warnings: board.warnings,
        black: Some(board.black).filter(|_| nigiri && board.result.is_some() && !board.nigiri),
    }
}

/// The key by which the word of a reporter is known.
async fn key_of(
    tx: &mut Tx,
    event: Uuid,
    (round, board): (u32, u32),
    seats: &Board,
    reporter: Reporter,
) -> Result<Uuid> {
    let player = match reporter {
        Reporter::User(key) | Reporter::Link(key) => return Ok(key),
        Reporter::Player(player) => player,
    };
    let not_there = Refused::NotAtBoard {
        number: player,
        round,
        board,
    };
    if seats.side_of(player).is_none() {
        return Err(not_there.into());
    }
    let key = sqlx::query_scalar!(
        "select entry_id from entries where event_id = $1 and number = $2",
        event,
        stored(player.get())
    )
    .fetch_optional(tx.conn())
    .await?;
    Ok(key.ok_or(not_there)?)
}

async fn keep(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    (round, key, reporter): (u32, Uuid, Reporter),
    new: &Board,
) -> Result<()> {
    sqlx::query!(
        r#"insert into reported_results (event_id, stage_no, round_no, board_no, reporter, reporter_kind,
               reporter_name, result, ended_by, margin_quarters, black_warnings, white_warnings,
               black_number, white_number, reported_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
           on conflict on constraint reported_results_key do update
           set reporter_name = excluded.reporter_name, result = excluded.result,
               ended_by = excluded.ended_by, margin_quarters = excluded.margin_quarters,
               black_warnings = excluded.black_warnings, white_warnings = excluded.white_warnings,
               black_number = excluded.black_number, white_number = excluded.white_number,
               reported_at = excluded.reported_at"#,
        event,
        STAGE,
        stored(round),
        stored(new.board),
        key,
        reporter.kind(),
        change.actor.name,
        new.result.map_or("", Outcome::as_str),
        new.by.map(By::as_str),
        new.margin.map(|margin| i32::from(margin.quarters())),
        i16::from(new.warnings.black),
        i16::from(new.warnings.white),
        stored(new.black.get()),
        stored(new.white.get()),
        change.at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

async fn take_back(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    (round, board): (u32, u32),
    key: Uuid,
    own: Option<&Report>,
) -> Result<()> {
    let Some(own) = own else { return Ok(()) };
    sqlx::query!(
        r#"delete from reported_results
           where event_id = $1 and stage_no = $2 and round_no = $3 and board_no = $4 and reporter = $5"#,
        event,
        STAGE,
        stored(round),
        stored(board),
        key
    )
    .execute(tx.conn())
    .await?;
    let subject = Subject::Board { round, board };
    let before = json::board(&own.board);
    let act = Act::new(Action::ResultReported, subject, before, Value::Null);
    log::append(tx, change, event, act).await?;
    Ok(())
}

/// What was reported of one board and waits, as it came.
///
/// # Errors
/// Only of the database.
pub async fn of_board(tx: &mut Tx, event: Uuid, round: u32, board: u32) -> Result<Vec<Report>> {
    of_boards(tx, event, Some((round, board))).await
}

/// Every report of an event that waits, by round and board and as they came.
///
/// # Errors
/// Only of the database.
pub async fn waiting(tx: &mut Tx, event: Uuid) -> Result<Vec<Report>> {
    of_boards(tx, event, None).await
}

/// The reports of one board, or of all; what was said of other players than those who sit there is left
/// out.
async fn of_boards(tx: &mut Tx, event: Uuid, at: Option<(u32, u32)>) -> Result<Vec<Report>> {
    let rows = sqlx::query!(
        r#"select r.*, p.number as "player?"
           from reported_results r
                left join entries p on r.reporter_kind = 'entry' and p.event_id = r.event_id
                                       and p.entry_id = r.reporter
           where r.event_id = $1 and r.stage_no = $2
             and ($3::integer is null or (r.round_no = $3 and r.board_no = $4))
             and (select array_agg(e.number order by e.number)
                  from seats s join entries e on e.event_id = s.event_id and e.entry_id = s.entry_id
                  where s.event_id = r.event_id and s.stage_no = r.stage_no and s.round_no = r.round_no
                    and s.board_no = r.board_no)
                 = array[least(r.black_number, r.white_number), greatest(r.black_number, r.white_number)]
           order by r.round_no, r.board_no, r.reported_at, r.reporter"#,
        event,
        STAGE,
        at.map(|(round, _)| stored(round)),
        at.map(|(_, board)| stored(board))
    )
    .fetch_all(tx.conn())
    .await?;
    rows.into_iter()
        .map(|row| {
            let mut sides = Sides::default();
            sides.set("black", number(row.black_number)?);
            sides.set("white", number(row.white_number)?);
            let result = (
                Some(row.result.as_str()),
                row.ended_by.as_deref(),
                row.margin_quarters,
            );
            let warnings = (row.black_warnings, row.white_warnings);
            Ok(Report {
                round: json::count(row.round_no)?,
                board: load::board(row.board_no, sides, false, result, warnings)?,
                by: row.reporter_name,
                player: row.player.map(number).transpose()?,
                at: row.reported_at,
                reporter: row.reporter,
            })
        })
        .collect()
}

/// Whether reports of one board say different things.
pub fn disputed(of_board: &[&Report]) -> bool {
    of_board
        .windows(2)
        .any(|pair| !says_the_same(&pair[0].board, &pair[1].board))
}

/// Confirms what waits in a round and is not disputed: it counts from now on, all or none of it. Boards
/// that nobody has reported are left alone.
///
/// # Errors
/// Refused as [`results::put_many`].
pub async fn confirm(tx: &mut Tx, change: &Change<'_>, event: Uuid, round: u32) -> Result<Vec<BoardResult>> {
    tx.lock_shared(event).await?;
    let nigiri = results::by_nigiri(tx, event).await?;
    let known = of_boards(tx, event, None).await?;
    let mut boards: BTreeMap<u32, Vec<&Report>> = BTreeMap::new();
    for report in known.iter().filter(|report| report.round == round) {
        boards.entry(report.board.board).or_default().push(report);
    }
    let inputs: Vec<BoardInput> = boards
        .into_iter()
        .filter(|(_, reports)| !disputed(reports))
        .filter_map(|(board, reports)| {
            let input = as_input(&reports.last()?.board, nigiri);
            Some(BoardInput {
                board,
                expected: None,
                input,
            })
        })
        .collect();
    results::put_many(tx, change, event, round, &inputs).await
}
