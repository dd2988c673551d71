//! Game records (棋谱) that were brought for the boards of an event.
//!
//! A record is evidence beside the result and changes nothing by itself. It belongs to a game, that is
//! to two entries in a round: exchanged colours and other board numbers do not touch it, and when a
//! table is changed or thrown away it waits for the two to meet in that round again. Nobody can lose
//! one: a newer record takes the place of an older one, which is kept, and what is withdrawn can be
//! brought back.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use rules::{
    Agreement, Colour, Entered, FindingKind, Komi, Margin, Point, Recorded, RecordedKind, RuleSet, Standing,
    Unit, Verdict, count_with_entered, result_with_entered,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use subtle::ConstantTimeEq;
use tournament::{Board, By, Number, Outcome};
use uuid::Uuid;

use crate::error::unreadable;
use crate::events::{Event, Locked, RoundStatus};
use crate::json::{self, Word, count, stored};
use crate::load::STAGE;
use crate::log::{self, Act, Action, Subject};
use crate::{Actor, Change, Refused, Result, Role, Tx, Via};

/// The most bytes of one record.
pub const SIZE_LIMIT: usize = 1024 * 1024;
/// How many records of one game are kept. The next one is refused: nothing is thrown away for it.
pub const PER_GAME: usize = 20;
/// How many of them players may bring.
pub const PER_GAME_BY_PLAYERS: usize = 5;
/// How many bytes players may bring to one event in all.
pub const EVENT_BYTES_BY_PLAYERS: u64 = 256 * 1024 * 1024;

/// What becomes of a record that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It is the record of its board.
    Current,
    /// A later one has taken its place.
    Replaced,
    /// A director has taken it away from the board.
    Withdrawn,
}

impl Status {
    /// The word that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Replaced => "replaced",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// What was chosen when a record was brought, because the file left it open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Which game of the file, from 1; none where the file has one game.
    pub game: Option<u32>,
    /// The encoding of its text, where it was not left to detection.
    pub encoding: Option<String>,
    /// The dead stones; `Some` of none says that all live.
    pub dead: Option<Vec<Point>>,
}

/// What is compared with the entered result, without reading the file again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Whether the game stands.
    pub standing: Standing,
    /// The record's own result.
    pub recorded: Option<Recorded>,
    /// Whether the names are those of the board with the colours exchanged; none where the names say
    /// too little.
    pub swapped: Option<bool>,
    /// What it was counted to.
    pub counted: Option<Tally>,
}

/// A counted margin with what goes into it beside the game: when that changes, it has to be counted anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Black's margin.
    pub margin: Margin,
    /// The rules.
    pub rules: RuleSet,
    /// The komi.
    pub komi: Komi,
    /// Warnings to Black and White.
    pub warnings: (u8, u8),
}

impl Summary {
    /// The word of its standing: `legal`, `illegal` …
    pub fn standing_word(&self) -> &'static str {
        self.standing.word()
    }

    /// The summary of a verdict on a record of this board. A count that rests on proposed dead stones is
    /// none.
    pub fn of(verdict: &Verdict, board: &Board) -> Self {
        let found = |wanted: fn(&FindingKind) -> bool| verdict.findings.iter().any(|one| wanted(&one.kind));
        let swapped = if found(|kind| matches!(kind, FindingKind::NamesSwapped)) {
            Some(true)
        } else if found(|kind| {
            matches!(
                kind,
                FindingKind::NameMissing { .. } | FindingKind::NameDiffers { .. }
            )
        }) {
            None
        } else {
            // Before nigiri is told, nobody knows who has Black.
            (!board.nigiri).then_some(false)
        };
        let counted = verdict.counted_result().map(|margin| Tally {
            margin,
            rules: verdict.rules,
            komi: verdict.komi,
            warnings: (board.warnings.black, board.warnings.white),
        });
        Self {
            standing: verdict.standing,
            recorded: verdict.recorded.clone(),
            swapped,
            counted,
        }
    }
}

/// A record as it is brought.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// The file as it came.
    pub bytes: Vec<u8>,
    /// What was chosen.
    pub choice: Choice,
    /// The verdict as it is given now.
    pub verdict: Value,
    /// What is compared with the entered result.
    pub summary: Summary,
}

/// A record that is kept, without its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The round.
    pub round: u32,
    /// The board it was brought for.
    pub brought_for: u32,
    /// Who had Black and White at that board then.
    pub players: (Number, Number),
    /// 1, 2, 3 … of each game.
    pub version: u32,
    /// What has become of it.
    pub status: Status,
    /// How many bytes the file has.
    pub size: u32,
    /// SHA-256 of the file.
    pub hash: [u8; 32],
    /// What was chosen.
    pub choice: Choice,
    /// When it was brought.
    pub brought_at: DateTime<Utc>,
    /// Who brought it: a user's name, or of a player with the board's code the names of the two.
    pub brought_by: String,
    /// Whether it came with the code of the board.
    pub from_player: bool,
    /// The verdict as it was given then.
    pub verdict: Value,
    /// What is compared with the entered result.
    pub summary: Summary,
    game: Game,
}

impl Kept {
    /// The hash in hexadecimal digits, as other programs print it.
    pub fn hash_digits(&self) -> String {
        json::hex(&self.hash)
    }
}

/// A record with its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What is known of it.
    pub kept: Kept,
    /// The file as it came.
    pub bytes: Vec<u8>,
}

/// What bringing a record has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// The board had none.
    Brought,
    /// It took the place of this version, which is kept.
    Replaced(u32),
    /// It was kept already, and is the board's record again.
    BroughtBack,
    /// It was the board's record already: nothing was written.
    Nothing,
}

/// A record after it was brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Put {
    /// The record.
    pub record: Kept,
    /// What was done.
    pub done: Done,
}

/// Two entries in a round, as records are kept: the smaller key first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Game {
    round: i32,
    one: Uuid,
    other: Uuid,
}

/// The game of a board, and who sits there.
struct Seated {
    game: Game,
    black: i32,
    white: i32,
}

/// The actor in the log for a player who comes with the code of a board. Which of the two it is cannot
/// be known, so both are named.
pub fn player(event: &Event, board: &Board) -> Actor {
    let name = |number| {
        let entry = event.stage.entries.iter().find(|entry| entry.number == number);
        entry.map_or_else(String::new, |entry| entry.name.clone())
    };
    Actor {
        user: None,
        name: format!("{} / {}", name(board.black), name(board.white)),
        role: Role::Player,
        via: Via::Code,
    }
}

/// A board of a published round with its round.
///
/// # Errors
/// Refused for an unknown round, a draft, and an unknown board.
pub fn published_board(event: &Event, round: u32, board: u32) -> Result<&Board> {
    let table = event.stage.rounds.iter().find(|table| table.round == round);
    let info = event.round_info(round).ok_or(Refused::UnknownRound { round })?;
    if info.status != RoundStatus::Published {
        return Err(Refused::NotPublished { round }.into());
    }
    let found = table.and_then(|table| table.boards.iter().find(|one| one.board == board));
    Ok(found.ok_or(Refused::UnknownBoard { round, board })?)
}

// ---------------------------------------------------------------- what contradicts

/// A result as a judge of records takes it; none while it is pending.
pub fn entered(board: &Board, unit: Unit) -> Option<Entered> {
    let (winner, kind) = match board.result? {
        Outcome::Black => (Some(Colour::Black), None),
        Outcome::White => (Some(Colour::White), None),
        Outcome::Draw => (None, Some(RecordedKind::Draw)),
        Outcome::BothLose | Outcome::BothForfeit => (None, Some(RecordedKind::BothLose)),
        Outcome::BlackForfeit => (Some(Colour::White), Some(RecordedKind::Forfeit)),
        Outcome::WhiteForfeit => (Some(Colour::Black), Some(RecordedKind::Forfeit)),
    };
    let by = board.by.map(|by| match by {
        By::Count => RecordedKind::Score,
        By::Resignation => RecordedKind::Resign,
        By::Time => RecordedKind::Time,
        By::Penalty => RecordedKind::Forfeit,
    });
    let margin = board.margin.zip(winner).map(|(margin, winner)| {
        let quarters = i32::from(margin.quarters());
        let size = match unit {
            Unit::Stones => quarters,
            Unit::Points => quarters / 2,
        };
        Margin(if winner == Colour::Black { size } else { -size })
    });
    Some(Entered {
        winner,
        both_lost: matches!(board.result, Some(Outcome::BothLose | Outcome::BothForfeit)),
        // How both came to lose is no other result.
        kind: kind
            .filter(|kind| *kind == RecordedKind::BothLose)
            .or(by)
            .or(kind),
        margin,
    })
}

/// In what a record contradicts what is entered for its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contradiction {
    /// The record's own result is another one.
    Result,
    /// It counts to another winner or margin.
    Count,
    /// Its names are those of the board with the colours exchanged.
    Names,
}

impl Contradiction {
    /// A stable word for programs and translations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Count => "count",
            Self::Names => "names",
        }
    }
}

/// A board at whose record a director is to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flagged {
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// The version of its record.
    pub version: u32,
    /// Whether a player has brought it.
    pub from_player: bool,
    /// What the record says.
    pub summary: Summary,
    /// In what it contradicts what is entered now; empty where only the game itself is not in order.
    pub contradictions: Vec<Contradiction>,
    /// Whether it can be judged no longer: the event is played on another board now.
    pub other_board: bool,
}

/// In what a record contradicts what is entered for its board as it is now.
pub fn contradictions_of(kept: &Kept, event: &Event, board: &Board) -> Vec<Contradiction> {
    contradictions(&kept.summary, event, board, board.black != kept.players.0)
}

/// As [`contradictions_of`]. `turned` says whether the colours were exchanged since it was brought.
fn contradictions(summary: &Summary, event: &Event, board: &Board, turned: bool) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let warnings = (board.warnings.black, board.warnings.white);
    // What was counted under other rules or with other warnings says nothing of the board as it is now.
    let counted = summary
        .counted
        .filter(|one| (one.rules, one.komi, one.warnings) == (event.rules, event.komi, warnings));
    if let Some(entered) = entered(board, event.rules.unit()) {
        let recorded = summary.recorded.as_ref();
        if recorded.is_some_and(|recorded| result_with_entered(recorded, &entered) == Agreement::No) {
            found.push(Contradiction::Result);
        }
        if counted.is_some_and(|counted| count_with_entered(counted.margin, &entered) == Agreement::No) {
            found.push(Contradiction::Count);
        }
    }
    if summary.swapped.is_some_and(|swapped| swapped != turned) {
        found.push(Contradiction::Names);
    }
    found
}

/// The boards of published rounds at whose records a director is to look: those that contradict what
/// is entered **as it is now**, those whose game is not in order, and those that can be judged no longer
/// because the event is played on another board now. In the order of rounds and boards.
///
/// # Errors
/// Only of the database.
pub async fn flagged(tx: &mut Tx, event: &Event) -> Result<Vec<Flagged>> {
    let rows = sqlx::query!(
        r#"select round_no, entry_id, other_id, version, from_player, black_number, standing, recorded,
                  names, recorded_kind, recorded_winner, recorded_margin, recorded_unit, counted_margin,
                  counted_rules, counted_komi_quarters, counted_black_warnings, counted_white_warnings,
                  verdict->'size' as played_on
           from records where event_id = $1 and stage_no = $2 and status = 'current'"#,
        event.id,
        STAGE
    )
    .fetch_all(tx.conn())
    .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let boards = boards_of_games(tx.conn(), event.id, None).await?;
    let mut flagged = Vec::new();
    for row in rows {
        let game = Game {
            round: row.round_no,
            one: row.entry_id,
            other: row.other_id,
        };
        let Some(board_no) = boards.get(&game) else {
            continue;
        };
        let round = count(row.round_no)?;
        let Ok(board) = published_board(event, round, *board_no) else {
            continue;
        };
        let summary = summary_of(
            &row.standing,
            (
                row.recorded,
                row.recorded_kind,
                row.recorded_winner,
                row.recorded_margin,
                row.recorded_unit,
            ),
            row.names.as_deref(),
            (
                row.counted_margin,
                row.counted_rules,
                row.counted_komi_quarters,
                row.counted_black_warnings,
                row.counted_white_warnings,
            ),
        )?;
        let turned = stored(board.black.get()) != row.black_number;
        let contradictions = contradictions(&summary, event, board, turned);
        let in_order = matches!(summary.standing, Standing::Legal | Standing::Uncertain);
        let size = event.records.size();
        let lines = |side: &str| row.played_on.as_ref().and_then(|size| size[side].as_u64());
        let played_on = lines("columns").zip(lines("rows"));
        let other_board = played_on.is_some_and(|it| it != (size.columns().into(), size.rows().into()));
        if !contradictions.is_empty() || !in_order || other_board {
            flagged.push(Flagged {
                round,
                board: *board_no,
                version: count(row.version)?,
                from_player: row.from_player,
                summary,
                contradictions,
                other_board,
            });
        }
    }
    flagged.sort_unstable_by_key(|one| (one.round, one.board));
    Ok(flagged)
}

// ---------------------------------------------------------------- what is kept

/// The record of a board of a published round; none where there is none, or where it is withdrawn.
///
/// # Errors
/// Only of the database.
pub async fn current(tx: &mut Tx, event: Uuid, round: u32, board: u32) -> Result<Option<Record>> {
    match current_kept(tx, event, round, board).await? {
        Some(kept) => Ok(Some(with_file(tx, event, kept).await?)),
        None => Ok(None),
    }
}

/// As [`current`], without the file.
///
/// # Errors
/// Only of the database.
pub async fn current_kept(tx: &mut Tx, event: Uuid, round: u32, board: u32) -> Result<Option<Kept>> {
    match seated(tx.conn(), event, round, board).await? {
        Some(seated) => {
            let kept = of_game_only(tx.conn(), event, seated.game, Some(Status::Current), None).await?;
            Ok(kept.into_iter().next())
        }
        None => Ok(None),
    }
}

/// A record of a board by its version, also one that is replaced or withdrawn: for directors' eyes.
///
/// # Errors
/// Only of the database.
pub async fn version(
    tx: &mut Tx,
    event: Uuid,
    round: u32,
    board: u32,
    version: u32,
) -> Result<Option<Record>> {
    let Some(seated) = seated(tx.conn(), event, round, board).await? else {
        return Ok(None);
    };
    let kept = of_game_only(tx.conn(), event, seated.game, None, Some(version)).await?;
    match kept.into_iter().next() {
        Some(kept) => Ok(Some(with_file(tx, event, kept).await?)),
        None => Ok(None),
    }
}

/// Everything that was ever brought for the game of a board, the latest first: for directors' eyes.
///
/// # Errors
/// Only of the database.
pub async fn all_of_board(tx: &mut Tx, event: Uuid, round: u32, board: u32) -> Result<Vec<Kept>> {
    match seated(tx.conn(), event, round, board).await? {
        Some(seated) => of_game(tx.conn(), event, seated.game).await,
        None => Ok(Vec::new()),
    }
}

/// The boards of a round that have a record.
///
/// # Errors
/// Only of the database.
pub async fn boards_with_records(tx: &mut Tx, event: Uuid, round: u32) -> Result<BTreeSet<u32>> {
    let all = with_records(tx, event, Some(round)).await?;
    Ok(all.into_iter().map(|(_, board)| board).collect())
}

/// The boards of all rounds that have a record, as round and board.
///
/// # Errors
/// Only of the database.
pub async fn all_with_records(tx: &mut Tx, event: Uuid) -> Result<BTreeSet<(u32, u32)>> {
    with_records(tx, event, None).await
}

async fn with_records(tx: &mut Tx, event: Uuid, round: Option<u32>) -> Result<BTreeSet<(u32, u32)>> {
    let rows = sqlx::query!(
        r#"select round_no, entry_id, other_id from records
           where event_id = $1 and stage_no = $2 and status = 'current'
             and ($3::integer is null or round_no = $3)"#,
        event,
        STAGE,
        round.map(stored)
    )
    .fetch_all(tx.conn())
    .await?;
    if rows.is_empty() {
        return Ok(BTreeSet::new());
    }
    let boards = boards_of_games(tx.conn(), event, round).await?;
    rows.into_iter()
        .filter_map(|row| {
            let game = Game {
                round: row.round_no,
                one: row.entry_id,
                other: row.other_id,
            };
            boards.get(&game).map(|board| Ok((count(row.round_no)?, *board)))
        })
        .collect()
}

/// Other boards to which the same game of the same file is attached, as round and board.
///
/// # Errors
/// Only of the database.
pub async fn duplicates(tx: &mut Tx, event: Uuid, kept: &Kept) -> Result<Vec<(u32, u32)>> {
    let rows = sqlx::query!(
        r#"select round_no, entry_id, other_id from records
           where event_id = $1 and stage_no = $2 and hash = $3 and game is not distinct from $4
             and status = 'current'"#,
        event,
        STAGE,
        &kept.hash[..],
        kept.choice.game.map(stored)
    )
    .fetch_all(tx.conn())
    .await?;
    let games: Vec<Game> = rows
        .into_iter()
        .map(|row| Game {
            round: row.round_no,
            one: row.entry_id,
            other: row.other_id,
        })
        .filter(|game| *game != kept.game)
        .collect();
    if games.is_empty() {
        return Ok(Vec::new());
    }
    let boards = boards_of_games(tx.conn(), event, None).await?;
    let mut found = games
        .into_iter()
        .filter_map(|game| Some((game, boards.get(&game)?)))
        .map(|(game, board)| Ok((count(game.round)?, *board)))
        .collect::<Result<Vec<_>>>()?;
    found.sort_unstable();
    Ok(found)
}

/// Records of games that no table has any more: their round was thrown away or its table changed. They
/// are the board's again when the two meet in that round.
///
/// # Errors
/// Only of the database.
pub async fn without_board(tx: &mut Tx, event: Uuid) -> Result<Vec<Kept>> {
    let rows = sqlx::query!(
        r#"select distinct round_no, entry_id, other_id from records
           where event_id = $1 and stage_no = $2 order by round_no"#,
        event,
        STAGE
    )
    .fetch_all(tx.conn())
    .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let boards = boards_of_games(tx.conn(), event, None).await?;
    let mut found = Vec::new();
    for row in rows {
        let game = Game {
            round: row.round_no,
            one: row.entry_id,
            other: row.other_id,
        };
        if !boards.contains_key(&game) {
            found.extend(of_game(tx.conn(), event, game).await?);
        }
    }
    Ok(found)
}

/// The file of a record that is kept.
///
/// # Errors
/// Only of the database.
pub async fn with_file(tx: &mut Tx, event: Uuid, kept: Kept) -> Result<Record> {
    let bytes = file(tx, event, &kept).await?;
    Ok(Record { kept, bytes })
}

/// The bytes of a record that is kept.
///
/// # Errors
/// Only of the database.
pub async fn file(tx: &mut Tx, event: Uuid, kept: &Kept) -> Result<Vec<u8>> {
    let bytes = sqlx::query_scalar!(
        r#"select bytes from records
           where event_id = $1 and stage_no = $2 and round_no = $3 and entry_id = $4 and other_id = $5
             and version = $6"#,
        event,
        STAGE,
        kept.game.round,
        kept.game.one,
        kept.game.other,
        stored(kept.version)
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(bytes)
}

// ---------------------------------------------------------------- bringing and withdrawing

/// Brings a record for a board of a published round. It becomes the board's record; the one before is
/// kept. The same file with the same choices again is a success that writes nothing, or puts the one
/// that is kept in its place again.
///
/// # Errors
/// Refused for an unknown or unpublished round, an unknown board, an empty or too large file, and when
/// [`PER_GAME`] records are kept already. With the code of a board ([`Role::Player`]) also when a
/// director has brought the board's record or has withdrawn this very one, and beyond
/// [`PER_GAME_BY_PLAYERS`] and [`EVENT_BYTES_BY_PLAYERS`].
pub async fn put(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    round: u32,
    board: u32,
    new: NewRecord,
) -> Result<Put> {
    let from_player = change.actor.role == Role::Player;
    let seated = lock_board(tx, event, round, board).await?;
    let kept = of_game(tx.conn(), event, seated.game).await?;
    let current = kept.iter().find(|one| one.status == Status::Current);
    let hash: [u8; 32] = Sha256::digest(&new.bytes).into();
    let same = kept
        .iter()
        .find(|one| one.hash == hash && one.choice == new.choice);
    if let Some(same) = same.filter(|same| same.status == Status::Current) {
        return Ok(Put {
            record: same.clone(),
            done: Done::Nothing,
        });
    }
    if from_player && current.is_some_and(|current| !current.from_player) {
        return Err(Refused::RecordFromDirector { round, board }.into());
    }
    if let Some(same) = same {
        if from_player && same.status == Status::Withdrawn {
            return Err(Refused::RecordIsWithdrawn { round, board }.into());
        }
        let record = switch(tx, change, event, (round, board), current, same).await?;
        return Ok(Put {
            record,
            done: Done::BroughtBack,
        });
    }
    if new.bytes.is_empty() || new.bytes.len() > SIZE_LIMIT {
        return Err(Refused::RecordSize { most: SIZE_LIMIT }.into());
    }
    let by_players = kept.iter().filter(|one| one.from_player).count();
    if from_player && by_players >= PER_GAME_BY_PLAYERS {
        let most = PER_GAME_BY_PLAYERS;
        return Err(Refused::TooManyRecords { round, board, most }.into());
    }
    if kept.len() >= PER_GAME {
        let most = PER_GAME;
        return Err(Refused::TooManyRecords { round, board, most }.into());
    }
    if from_player {
        let there = bytes_by_players(tx.conn(), event).await?;
        if there + new.bytes.len() as u64 > EVENT_BYTES_BY_PLAYERS {
            return Err(Refused::RecordsFull.into());
        }
    }
    let (action, done) = match current {
        Some(current) => (Action::RecordReplaced, Done::Replaced(current.version)),
        None => (Action::RecordBrought, Done::Brought),
    };
    let record = Kept {
        round,
        brought_for: board,
        players: (json::number(seated.black)?, json::number(seated.white)?),
        version: kept.first().map_or(0, |last| last.version) + 1,
        status: Status::Current,
        size: count(new.bytes.len())?,
        hash,
        choice: new.choice,
        brought_at: change.at,
        brought_by: change.actor.name.clone(),
        from_player,
        verdict: new.verdict,
        summary: new.summary,
        game: seated.game,
    };
    if let Some(current) = current {
        set_status(tx.conn(), event, current, Status::Replaced).await?;
    }
    insert(tx.conn(), event, &record, &new.bytes).await?;
    let before = current.map_or(Value::Null, told);
    let act = Act::new(action, Subject::Board { round, board }, before, told(&record));
    log::append(tx, change, event, act).await?;
    Ok(Put { record, done })
}

/// Withdraws the record of a board: it is kept, and the board has none. `expected` is the version that
/// the caller has seen.
///
/// # Errors
/// Refused when the board has no record, or another version than `expected`.
pub async fn withdraw(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    round: u32,
    board: u32,
    expected: Option<u32>,
) -> Result<Kept> {
    let seated = lock_board(tx, event, round, board).await?;
    let kept = of_game(tx.conn(), event, seated.game).await?;
    let current = kept
        .into_iter()
        .find(|one| one.status == Status::Current)
        .ok_or(Refused::NoRecord { round, board })?;
    if expected.is_some_and(|expected| expected != current.version) {
        let current = i64::from(current.version);
        return Err(Refused::Stale { current }.into());
    }
    set_status(tx.conn(), event, &current, Status::Withdrawn).await?;
    let withdrawn = Kept {
        status: Status::Withdrawn,
        ..current.clone()
    };
    let act = Act::new(
        Action::RecordWithdrawn,
        Subject::Board { round, board },
        told(&current),
        Value::Null,
    );
    log::append(tx, change, event, act).await?;
    Ok(withdrawn)
}

/// Makes a record that is kept the board's record again; the one in its place is kept. False when it
/// is the board's record already: nothing was written.
///
/// # Errors
/// Refused when the board has no record of that version.
pub async fn bring_back(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    round: u32,
    board: u32,
    version: u32,
) -> Result<(Kept, bool)> {
    let seated = lock_board(tx, event, round, board).await?;
    let kept = of_game(tx.conn(), event, seated.game).await?;
    let wanted = kept.iter().find(|one| one.version == version);
    let wanted = wanted.ok_or(Refused::NoRecord { round, board })?;
    if wanted.status == Status::Current {
        return Ok((wanted.clone(), false));
    }
    let current = kept.iter().find(|one| one.status == Status::Current);
    let back = switch(tx, change, event, (round, board), current, wanted).await?;
    Ok((back, true))
}

/// Puts a record that is kept in the place of the current one.
async fn switch(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    (round, board): (u32, u32),
    current: Option<&Kept>,
    wanted: &Kept,
) -> Result<Kept> {
    if let Some(current) = current {
        set_status(tx.conn(), event, current, Status::Replaced).await?;
    }
    set_status(tx.conn(), event, wanted, Status::Current).await?;
    let back = Kept {
        status: Status::Current,
        ..wanted.clone()
    };
    let act = Act::new(
        Action::RecordBroughtBack,
        Subject::Board { round, board },
        current.map_or(Value::Null, told),
        told(&back),
    );
    log::append(tx, change, event, act).await?;
    Ok(back)
}

/// What the log says of a record: by version and hash it can be found and brought back.
fn told(kept: &Kept) -> Value {
    json!({
        "version": kept.version,
        "sha256": kept.hash_digits(),
        "size": kept.size,
        "game": kept.choice.game,
        "encoding": kept.choice.encoding,
        "dead": kept.choice.dead.as_ref().map(|dead| letters(dead)),
        "standing": kept.summary.standing.word(),
        "recorded": kept.summary.recorded.as_ref().map(|recorded| &recorded.text),
        "from_player": kept.from_player,
    })
}

fn letters(points: &[Point]) -> Vec<String> {
    points.iter().map(|point| point.to_record()).collect()
}

// ---------------------------------------------------------------- codes

/// The codes by which players bring the records of their boards. Each is made of the event's secret,
/// the round, the board and its two players: it stays when colours are exchanged, and is void when
/// other people sit there. Of the same secret come those of [`crate::hand_in`].
pub struct Codes {
    event: Uuid,
    secret: [u8; 32],
}

/// Not what it is: nothing that is logged may tell a secret.
impl std::fmt::Debug for Codes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Codes")
    }
}

impl Codes {
    /// Small letters and digits without those that look alike.
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    /// 60 bits.
    const LENGTH: usize = 12;

    /// The code of a board of a round: `abcd-efgh-ijkm`.
    pub fn of(&self, round: u32, board: &Board) -> String {
        grouped(&self.letters(round, board))
    }

    /// Whether a code is that of the board, however it is spaced and in large letters too. How long it
    /// takes says nothing of how far the code is right.
    pub fn fits(&self, round: u32, board: &Board, code: &str) -> bool {
        same_code(&self.letters(round, board), code)
    }

    fn letters(&self, round: u32, board: &Board) -> String {
        let (one, other) = (board.black.min(board.white), board.black.max(board.white));
        self.made_of(&format!(
            "tianyuan record code\n{}\n{round}\n{}\n{one}\n{other}\n",
            self.event, board.board
        ))
    }

    fn made_of(&self, what: &str) -> String {
        // The secret has a fixed length and comes first, and most of the hash is left away: so nobody
        // can make another code of the codes that he or she knows.
        let mut hash = Sha256::new();
        hash.update(self.secret);
        hash.update(what);
        hash.finalize()[..Self::LENGTH]
            .iter()
            .map(|byte| char::from(Self::LETTERS[usize::from(byte % 32)]))
            .collect()
    }

    /// The code of an entry, by which a player hands in results.
    pub(crate) fn of_entry(&self, entry: Uuid) -> String {
        grouped(&self.letters_of_entry(entry))
    }

    /// Whether a code is that of an entry; as [`Codes::fits`].
    pub(crate) fn fits_entry(&self, entry: Uuid, code: &str) -> bool {
        same_code(&self.letters_of_entry(entry), code)
    }

    fn letters_of_entry(&self, entry: Uuid) -> String {
        self.made_of(&format!("tianyuan player code\n{}\n{entry}\n", self.event))
    }
}

/// A code as it is printed.
fn grouped(letters: &str) -> String {
    let parts: Vec<&str> = letters
        .as_bytes()
        .chunks(4)
        .filter_map(|part| std::str::from_utf8(part).ok())
        .collect();
    parts.join("-")
}

/// Whether a code was typed, however it is spaced.
fn same_code(letters: &str, code: &str) -> bool {
    let given: String = code
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '-')
        .map(|c| c.to_ascii_lowercase())
        .collect();
    letters.as_bytes().ct_eq(given.as_bytes()).into()
}

/// The codes of an event; none before players were first allowed to bring records. Whether they are
/// allowed to now is for the caller to look at, and that the round is published.
///
/// # Errors
/// Only of the database.
pub async fn codes(tx: &mut Tx, event: Uuid) -> Result<Option<Codes>> {
    let secret = sqlx::query_scalar!("select secret from record_secrets where event_id = $1", event)
        .fetch_optional(tx.conn())
        .await?;
    secret
        .map(|secret| {
            let secret = secret.as_slice().try_into().map_err(unreadable)?;
            Ok(Codes { event, secret })
        })
        .transpose()
}

/// Makes all codes of an event anew: those that were given out are void.
///
/// # Errors
/// Only of the database.
pub async fn renew_codes(tx: &mut Tx, change: &Change<'_>, event: &mut Locked) -> Result<()> {
    let act = Act::new(
        Action::RecordCodesRenewed,
        Subject::Event,
        Value::Null,
        Value::Null,
    );
    log::append(tx, change, event.id, act).await?;
    sqlx::query!("delete from record_secrets where event_id = $1", event.id)
        .execute(tx.conn())
        .await?;
    promise_codes(tx, change, event.id).await?;
    event.reload(tx).await
}

/// Sees to it that an event has codes.
pub(crate) async fn promise_codes(tx: &mut Tx, change: &Change<'_>, event: Uuid) -> Result<()> {
    let mut hash = Sha256::new();
    hash.update(change.chance.0);
    hash.update(format!("tianyuan record codes\n{event}\n"));
    let secret: [u8; 32] = hash.finalize().into();
    sqlx::query!(
        r#"insert into record_secrets (event_id, secret, changed_at) values ($1, $2, $3)
           on conflict on constraint record_secrets_key do nothing"#,
        event,
        &secret[..],
        change.at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

// ---------------------------------------------------------------- rows

/// Who sits at a board; none where there is no such board.
async fn seated(conn: &mut PgConnection, event: Uuid, round: u32, board: u32) -> Result<Option<Seated>> {
    let seats = sqlx::query!(
        r#"select s.entry_id, s.place, e.number
           from seats s join entries e on e.event_id = s.event_id and e.entry_id = s.entry_id
           where s.event_id = $1 and s.stage_no = $2 and s.round_no = $3 and s.board_no = $4
           order by s.place"#,
        event,
        STAGE,
        stored(round),
        stored(board)
    )
    .fetch_all(conn)
    .await?;
    // Black comes before White by the alphabet too.
    let [black, white] = &seats[..] else {
        return Ok(None);
    };
    Ok(Some(Seated {
        game: Game {
            round: stored(round),
            one: black.entry_id.min(white.entry_id),
            other: black.entry_id.max(white.entry_id),
        },
        black: black.number,
        white: white.number,
    }))
}

/// Locks a board of a published round: records of one board come one after the other, those of
/// different boards side by side with each other and with results.
async fn lock_board(tx: &mut Tx, event: Uuid, round: u32, board: u32) -> Result<Seated> {
    tx.lock_shared(event).await?;
    let status = sqlx::query_scalar!(
        "select status from rounds where event_id = $1 and stage_no = $2 and round_no = $3",
        event,
        STAGE,
        stored(round)
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownRound { round })?;
    if status != RoundStatus::Published.as_str() {
        return Err(Refused::NotPublished { round }.into());
    }
    sqlx::query!(
        r#"select board_no from boards
           where event_id = $1 and stage_no = $2 and round_no = $3 and board_no = $4
           for no key update"#,
        event,
        STAGE,
        stored(round),
        stored(board)
    )
    .fetch_optional(tx.conn())
    .await?
    .ok_or(Refused::UnknownBoard { round, board })?;
    let seated = seated(tx.conn(), event, round, board).await?;
    Ok(seated.ok_or(Refused::UnknownBoard { round, board })?)
}

/// The boards at which games are seated, of one round or of all.
async fn boards_of_games(
    conn: &mut PgConnection,
    event: Uuid,
    round: Option<u32>,
) -> Result<HashMap<Game, u32>> {
    let seats = sqlx::query!(
        r#"select round_no, board_no as "board_no!", entry_id from seats
           where event_id = $1 and stage_no = $2 and board_no is not null
             and ($3::integer is null or round_no = $3)"#,
        event,
        STAGE,
        round.map(stored)
    )
    .fetch_all(conn)
    .await?;
    let mut tables: BTreeMap<(i32, i32), Vec<Uuid>> = BTreeMap::new();
    for seat in seats {
        let at = (seat.round_no, seat.board_no);
        tables.entry(at).or_default().push(seat.entry_id);
    }
    let mut boards = HashMap::with_capacity(tables.len());
    for ((round, board), entries) in tables {
        if let [one, other] = entries[..] {
            let game = Game {
                round,
                one: one.min(other),
                other: one.max(other),
            };
            boards.insert(game, count(board)?);
        }
    }
    Ok(boards)
}

/// The records of a game, the latest first.
async fn of_game(conn: &mut PgConnection, event: Uuid, game: Game) -> Result<Vec<Kept>> {
    of_game_only(conn, event, game, None, None).await
}

/// Those of a status or a version alone: each has its verdict with it.
async fn of_game_only(
    conn: &mut PgConnection,
    event: Uuid,
    game: Game,
    status: Option<Status>,
    version: Option<u32>,
) -> Result<Vec<Kept>> {
    sqlx::query!(
        r#"select version, status, size, hash, game, encoding, dead, brought_at, brought_by, from_player,
                  board_no, black_number, white_number, verdict, standing, recorded, names, recorded_kind,
                  recorded_winner, recorded_margin, recorded_unit, counted_margin, counted_rules,
                  counted_komi_quarters, counted_black_warnings, counted_white_warnings
           from records
           where event_id = $1 and stage_no = $2 and round_no = $3 and entry_id = $4 and other_id = $5
             and ($6::text is null or status = $6) and ($7::integer is null or version = $7)
           order by version desc"#,
        event,
        STAGE,
        game.round,
        game.one,
        game.other,
        status.map(Status::as_str),
        version.map(stored)
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|row| {
        let points = |dead: Vec<String>| {
            dead.iter()
                .map(|letters| Point::from_record(letters).ok_or_else(|| unreadable(letters)))
                .collect::<Result<Vec<_>>>()
        };
        Ok(Kept {
            round: count(game.round)?,
            brought_for: count(row.board_no)?,
            players: (json::number(row.black_number)?, json::number(row.white_number)?),
            version: count(row.version)?,
            status: Word::of(&row.status)?,
            size: count(row.size)?,
            hash: row.hash.as_slice().try_into().map_err(unreadable)?,
            choice: Choice {
                game: row.game.map(count).transpose()?,
                encoding: row.encoding,
                dead: row.dead.map(points).transpose()?,
            },
            brought_at: row.brought_at,
            brought_by: row.brought_by,
            from_player: row.from_player,
            verdict: row.verdict,
            summary: summary_of(
                &row.standing,
                (
                    row.recorded,
                    row.recorded_kind,
                    row.recorded_winner,
                    row.recorded_margin,
                    row.recorded_unit,
                ),
                row.names.as_deref(),
                (
                    row.counted_margin,
                    row.counted_rules,
                    row.counted_komi_quarters,
                    row.counted_black_warnings,
                    row.counted_white_warnings,
                ),
            )?,
            game,
        })
    })
    .collect()
}

type RecordedRow = (
    Option<String>,
    Option<String>,
    Option<String>,
    Option<i32>,
    Option<String>,
);
type CountedRow = (Option<i32>, Option<String>, Option<i16>, Option<i16>, Option<i16>);

fn summary_of(
    standing: &str,
    (text, kind, winner, margin, unit): RecordedRow,
    names: Option<&str>,
    (counted, rules, komi, black, white): CountedRow,
) -> Result<Summary> {
    let recorded = match (text, kind) {
        (Some(text), Some(kind)) => Some(Recorded {
            text,
            kind: Word::of(&kind)?,
            winner: winner.as_deref().map(Word::of).transpose()?,
            margin: margin.map(Margin),
            unit: unit.as_deref().map(Word::of).transpose()?,
        }),
        _ => None,
    };
    let counted = match (counted, rules, komi, black, white) {
        (Some(margin), Some(rules), Some(komi), Some(black), Some(white)) => Some(Tally {
            margin: Margin(margin),
            rules: rules.parse().map_err(unreadable)?,
            komi: Komi::from_quarters(komi).map_err(unreadable)?,
            warnings: (
                black.try_into().map_err(unreadable)?,
                white.try_into().map_err(unreadable)?,
            ),
        }),
        _ => None,
    };
    Ok(Summary {
        standing: Word::of(standing)?,
        recorded,
        swapped: names.map(|names| names == "swapped"),
        counted,
    })
}

async fn set_status(conn: &mut PgConnection, event: Uuid, kept: &Kept, status: Status) -> Result<()> {
    sqlx::query!(
        r#"update records set status = $7
           where event_id = $1 and stage_no = $2 and round_no = $3 and entry_id = $4 and other_id = $5
             and version = $6"#,
        event,
        STAGE,
        kept.game.round,
        kept.game.one,
        kept.game.other,
        stored(kept.version),
        status.as_str()
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn bytes_by_players(conn: &mut PgConnection, event: Uuid) -> Result<u64> {
    let sum = sqlx::query_scalar!(
        r#"select coalesce(sum(size), 0)::bigint as "sum!" from records where event_id = $1 and from_player"#,
        event
    )
    .fetch_one(conn)
    .await?;
    Ok(sum.unsigned_abs())
}

async fn insert(conn: &mut PgConnection, event: Uuid, kept: &Kept, bytes: &[u8]) -> Result<()> {
    let recorded = kept.summary.recorded.as_ref();
    let counted = kept.summary.counted;
    let dead = kept.choice.dead.as_ref().map(|dead| letters(dead));
    let names = kept
        .summary
        .swapped
        .map(|swapped| if swapped { "swapped" } else { "straight" });
    sqlx::query!(
        r#"insert into records (event_id, stage_no, round_no, entry_id, other_id, version, status, bytes,
                                size, hash, game, encoding, dead, brought_at, brought_by, from_player,
                                board_no, black_number, white_number, verdict, standing, recorded, names,
                                recorded_kind, recorded_winner, recorded_margin, recorded_unit,
                                counted_margin, counted_rules, counted_komi_quarters,
                                counted_black_warnings, counted_white_warnings)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
                   $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)"#,
        event,
        STAGE,
        kept.game.round,
        kept.game.one,
        kept.game.other,
        stored(kept.version),
        kept.status.as_str(),
        bytes,
        stored(kept.size),
        &kept.hash[..],
        kept.choice.game.map(stored),
        kept.choice.encoding,
        dead.as_deref(),
        kept.brought_at,
        kept.brought_by,
        kept.from_player,
        stored(kept.brought_for),
        stored(kept.players.0.get()),
        stored(kept.players.1.get()),
        kept.verdict,
        kept.summary.standing.word(),
        recorded.map(|recorded| recorded.text.as_str()),
        names,
        recorded.map(|recorded| recorded.kind.word()),
        recorded.and_then(|recorded| recorded.winner).map(Word::word),
        recorded
            .and_then(|recorded| recorded.margin)
            .map(|margin| margin.0),
        recorded.and_then(|recorded| recorded.unit).map(Word::word),
        counted.map(|counted| counted.margin.0),
        counted.map(|counted| counted.rules.slug()),
        counted.map(|counted| counted.komi.quarters()),
        counted.map(|counted| i16::from(counted.warnings.0)),
        counted.map(|counted| i16::from(counted.warnings.1))
    )
    .execute(conn)
    .await?;
    Ok(())
}
