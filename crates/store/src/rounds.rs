//! Rounds: paired as drafts, published, thrown away, changed by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tournament::checker::{self, Facts};
use tournament::draw::{Commitment, Decides};
use tournament::pairing::{self, Confirmed, Note, Refusal, RepeatedPair, Request};
use tournament::{Board, Choices, Colours, Criteria, Number, Round, Score, Stage, tally};
use uuid::Uuid;

use crate::error::{TableFaults, unreadable};
use crate::events::{self, EarlierResult, Event, Locked, RoundInfo, RoundStatus, expect};
use crate::json::{self, Word, count, stored};
use crate::load::{self, STAGE};
use crate::log::{self, Act, Action, Subject};
use crate::{Actor, Chance, Change, Error, Refused, Result, Store, Tx, draws, families};

/// A table made by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Black and White of each board, from board 1.
    pub boards: Vec<(Number, Number)>,
    /// Who has the bye.
    pub byes: Vec<Number>,
}

/// What a new round has beside its table.
pub(crate) struct NewRound {
    pub(crate) status: RoundStatus,
    pub(crate) version: i64,
    pub(crate) edition: u32,
    pub(crate) criteria: Option<Criteria>,
    pub(crate) free_criteria: Option<Criteria>,
    pub(crate) notes: Vec<Note>,
    pub(crate) by_hand: bool,
    /// When it was published, where that was not now.
    pub(crate) published_at: Option<chrono::DateTime<chrono::Utc>>,
}

/// Writes a round that is new.
pub(crate) async fn insert(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    round: &Round,
    new: NewRound,
    ids: &BTreeMap<Number, Uuid>,
) -> Result<()> {
    sqlx::query!(
        r#"insert into rounds (event_id, stage_no, round_no, status, version, edition, paired_at,
                               paired_by, published_at, criteria, notes, by_hand, seed, free_criteria)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"#,
        event,
        STAGE,
        stored(round.round),
        new.status.as_str(),
        new.version,
        stored(new.edition),
        change.at,
        change.actor.name,
        (new.status == RoundStatus::Published).then(|| new.published_at.unwrap_or(change.at)),
        new.criteria.as_ref().map(json::criteria),
        json::notes(&new.notes),
        new.by_hand,
        round.seed.as_ref().map(|seed| &seed.0[..]),
        new.free_criteria.as_ref().map(json::criteria)
    )
    .execute(tx.conn())
    .await?;
    insert_choices(tx, event, round, ids).await?;
    insert_boards(tx, event, round.round, &round.boards, new.version).await?;
    insert_seats(tx, event, round, ids).await
}

/// Keeps the results that a round was made on, where they are other ones now: of a round that came in a
/// file.
pub(crate) async fn keep_earlier(
    tx: &mut Tx,
    event: Uuid,
    round: u32,
    earlier: &[EarlierResult],
) -> Result<()> {
    let rounds: Vec<i32> = earlier.iter().map(|earlier| stored(earlier.round)).collect();
    let boards: Vec<i32> = earlier.iter().map(|earlier| stored(earlier.board)).collect();
    let results: Vec<Option<&str>> = earlier
        .iter()
        .map(|earlier| earlier.result.map(tournament::Outcome::as_str))
        .collect();
    sqlx::query!(
        r#"insert into earlier_results (event_id, stage_no, round_no, on_round, on_board, result)
           select $1, $2, $3, e.* from unnest($4::integer[], $5::integer[], $6::text[]) e"#,
        event,
        STAGE,
        stored(round),
        &rounds,
        &boards,
        &results as &[Option<&str>]
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

async fn insert_choices(tx: &mut Tx, event: Uuid, round: &Round, ids: &BTreeMap<Number, Uuid>) -> Result<()> {
    let (mut choices, mut entries, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let key = |number| ids.get(&number).copied().ok_or(Refused::UnknownEntry { number });
    let fixed = &round.choices;
    for (choice, pairs) in [("meet", &fixed.pairs), ("apart", &fixed.apart)] {
        for (one, other) in pairs {
            choices.push(choice);
            entries.push(key(*one)?);
            others.push(Some(key(*other)?));
        }
    }
    for (choice, numbers) in [("bye", &fixed.byes), ("sits_out", &fixed.sitting_out)] {
        for number in numbers {
            choices.push(choice);
            entries.push(key(*number)?);
            others.push(None);
        }
    }
    sqlx::query!(
        r#"insert into round_choices (event_id, stage_no, round_no, position, choice, entry_id, other_id)
           select $1, $2, $3, c.position, c.choice, c.entry_id, c.other_id
           from unnest($4::text[], $5::uuid[], $6::uuid[])
                with ordinality as c (choice, entry_id, other_id, position)"#,
        event,
        STAGE,
        stored(round.round),
        &choices as &[&str],
        &entries,
        &others as &[Option<Uuid>]
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

async fn insert_boards(tx: &mut Tx, event: Uuid, round: u32, boards: &[Board], version: i64) -> Result<()> {
    let numbers: Vec<i32> = boards.iter().map(|board| stored(board.board)).collect();
    let results: Vec<Option<&str>> = boards
        .iter()
        .map(|board| board.result.map(tournament::Outcome::as_str))
        .collect();
    let by: Vec<Option<&str>> = boards
        .iter()
        .map(|board| board.by.map(tournament::By::as_str))
        .collect();
    let margins: Vec<Option<i32>> = boards
        .iter()
        .map(|board| board.margin.map(|margin| i32::from(margin.quarters())))
        .collect();
    let black: Vec<i16> = boards
        .iter()
        .map(|board| i16::from(board.warnings.black))
        .collect();
    let white: Vec<i16> = boards
        .iter()
        .map(|board| i16::from(board.warnings.white))
        .collect();
    let nigiri: Vec<bool> = boards.iter().map(|board| board.nigiri).collect();
    sqlx::query!(
        r#"insert into boards (event_id, stage_no, round_no, version, board_no, result, ended_by,
                               margin_quarters, black_warnings, white_warnings, nigiri)
           select $1, $2, $3, $4, b.*
           from unnest($5::integer[], $6::text[], $7::text[], $8::integer[], $9::smallint[],
                       $10::smallint[], $11::boolean[]) b"#,
        event,
        STAGE,
        stored(round),
        version,
        &numbers,
        &results as &[Option<&str>],
        &by as &[Option<&str>],
        &margins as &[Option<i32>],
        &black,
        &white,
        &nigiri
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

async fn insert_seats(tx: &mut Tx, event: Uuid, round: &Round, ids: &BTreeMap<Number, Uuid>) -> Result<()> {
    let mut keys = Vec::new();
    let mut places = Vec::new();
    let mut boards = Vec::new();
    let mut seat = |number: Number, place: &'static str, board: Option<u32>| -> Result<()> {
        keys.push(*ids.get(&number).ok_or(Refused::UnknownEntry { number })?);
        places.push(place);
        boards.push(board.map(stored));
        Ok(())
    };
    for board in &round.boards {
        seat(board.black, "black", Some(board.board))?;
        seat(board.white, "white", Some(board.board))?;
    }
    for number in &round.byes {
        seat(*number, "bye", None)?;
    }
    for number in &round.absent {
        seat(*number, "absent", None)?;
    }
    sqlx::query!(
        r#"insert into seats (event_id, stage_no, round_no, entry_id, place, board_no)
           select $1, $2, $3, s.* from unnest($4::uuid[], $5::text[], $6::integer[]) s"#,
        event,
        STAGE,
        stored(round.round),
        &keys,
        &places as &[&str],
        &boards as &[Option<i32>]
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

fn info(event: &Event, round: u32) -> Result<RoundInfo> {
    let info = event.round_info(round).ok_or(Refused::UnknownRound { round })?;
    Ok(info.clone())
}

fn table(event: &Event, round: u32) -> Result<Round> {
    let table = event.stage.rounds.iter().find(|table| table.round == round);
    Ok(table.ok_or(Refused::UnknownRound { round })?.clone())
}

/// The edition that a new table of a round will be published as.
async fn next_edition(tx: &mut Tx, event: Uuid, round: u32) -> Result<u32> {
    let last = sqlx::query_scalar!(
        "select edition from withdrawn_editions where event_id = $1 and stage_no = $2 and round_no = $3",
        event,
        STAGE,
        stored(round)
    )
    .fetch_optional(tx.conn())
    .await?;
    last.map_or(Ok(1), |last| Ok(json::count(last)? + 1))
}

/// The next round to pair.
///
/// # Errors
/// Refused when there is a draft, and when `round` says that the caller means another round.
pub fn expect_next(event: &Event, round: Option<u32>) -> Result<u32> {
    let there = round.and_then(|round| event.round_info(round));
    if let Some(there) = there.filter(|there| there.status == RoundStatus::Published) {
        return Err(Refused::RoundExists {
            round: there.round,
            by: there.paired_by.clone(),
            at: there.paired_at,
        }
        .into());
    }
    if let Some(draft) = event.draft() {
        return Err(Refused::DraftExists {
            round: draft.round,
            by: draft.paired_by.clone(),
            at: draft.paired_at,
        }
        .into());
    }
    let next = event.stage.next_round();
    match round {
        Some(round) if round != next => Err(Refused::NotNextRound { round, next }.into()),
        _ => Ok(next),
    }
}

/// Pairs the next round, as a draft, around what the director has fixed. `round` says which one the
/// caller means, so that a second click after the first has been answered and published does not
/// pair one round more.
///
/// # Errors
/// Refused when there is a draft already or `round` is there already (saying who made it when),
/// when `round` is not the next one, or the engine refuses.
pub async fn pair(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: Option<u32>,
    request: impl Into<Request>,
) -> Result<RoundInfo> {
    expect_next(event, round)?;
    let mut request: Request = request.into();
    load::in_order(&mut request.choices);
    let drawn = draws::seed_for(tx, change, event, event.stage.next_round()).await?;
    request.seed = drawn.map(|(seed, _)| seed);
    let confirmed = request.confirmed;
    let stage = event.stage.clone();
    // A large field takes a while, and the thread has other requests to answer.
    let (pairing, free_criteria) = tokio::task::spawn_blocking(move || {
        let began = Instant::now();
        let pairing = pairing::pair(&stage, request.clone());
        metrics::histogram!("tianyuan_pairing_seconds").record(began.elapsed());
        let pairing = pairing?;
        Ok((pairing, free(&stage, &request)))
    })
    .await
    .map_err(unreadable)?
    .map_err(Refused::Pairing)?;
    let mut table = pairing.to_round();
    let mut notes = pairing.notes;
    let others = families::boards_before(tx, event.id).await?;
    table.boards.iter_mut().for_each(|board| board.board += others);
    notes
        .iter_mut()
        .filter_map(board_of)
        .for_each(|board| *board += others);
    let new = Draft {
        action: Action::RoundPaired,
        table,
        criteria: pairing.criteria,
        free_criteria,
        notes,
        confirmed,
        promised: drawn.and_then(|(_, commitment)| commitment),
    };
    insert_draft(tx, change, event, new).await
}

/// What the best table would reach without the director's choices, where there are some.
fn free(stage: &Stage, request: &Request) -> Option<Criteria> {
    if request.choices.is_empty() {
        return None;
    }
    // Where only the choices make a table possible, there is nothing to compare with.
    let free = pairing::pair(
        stage,
        Request {
            choices: Choices::default(),
            ..*request
        },
    );
    free.ok().map(|pairing| pairing.criteria)
}

/// The board of which a note speaks.
fn board_of(note: &mut Note) -> Option<&mut u32> {
    match note {
        Note::Repeat { board, .. }
        | Note::Float { board, .. }
        | Note::RepeatedFloat { board, .. }
        | Note::SameColour { board, .. }
        | Note::TeamMates { board, .. }
        | Note::Unwanted { board, .. }
        | Note::ThirdColour { board, .. }
        | Note::Fixed { board, .. } => Some(board),
        Note::FurtherBye { .. } => None,
    }
}

struct Draft {
    action: Action,
    table: Round,
    criteria: Criteria,
    free_criteria: Option<Criteria>,
    notes: Vec<Note>,
    confirmed: Confirmed,
    /// What was promised with the pairing, too late.
    promised: Option<Commitment>,
}

async fn insert_draft(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    draft: Draft,
) -> Result<RoundInfo> {
    let round = draft.table.round;
    let mut after = json::table(&draft.table);
    after.insert("criteria".into(), json::criteria(&draft.criteria));
    after.insert(
        "confirmed".into(),
        json!({"repeats": draft.confirmed.repeats, "provisional": draft.confirmed.provisional}),
    );
    if !draft.table.choices.is_empty() {
        after.insert("choices".into(), json::choices(&draft.table.choices));
    }
    if let Some(seed) = draft.table.seed {
        after.insert("seed".into(), seed.to_string().into());
    }
    if let Some(commitment) = draft.promised {
        let draw = Decides::Round(round).to_string();
        after.insert("commitments".into(), json!({draw: commitment.to_string()}));
    }
    let act = Act::new(
        draft.action,
        Subject::Round(round),
        Value::Null,
        Value::Object(after),
    );
    let version = log::append(tx, change, event.id, act).await?;
    let new = NewRound {
        status: RoundStatus::Draft,
        version,
        edition: next_edition(tx, event.id, round).await?,
        criteria: Some(draft.criteria),
        free_criteria: draft.free_criteria,
        notes: draft.notes,
        by_hand: draft.action == Action::RoundPairedByHand,
        published_at: None,
    };
    insert(tx, change, event.id, &draft.table, new, &event.0.ids).await?;
    event.reload(tx).await?;
    info(event, round)
}

/// A board of two players who were seated by hand.
fn seated(stage: &Stage, board: u32, (black, white): (Number, Number)) -> Board {
    Board {
        nigiri: stage.pairing.colours == Colours::Nigiri,
        ..Board::new(board, black, white)
    }
}

/// Who is to have a place in a round: who takes part, does not sit out by the director's choice,
/// and has not reached the score at which nobody is paired any more.
fn playing(before: &Stage, round: u32, choices: &Choices) -> BTreeSet<Number> {
    let mut playing: BTreeSet<Number> = before
        .entries
        .iter()
        .filter(|entry| entry.plays_in(round))
        .map(|entry| entry.number)
        .filter(|number| !choices.sitting_out.contains(number))
        .collect();
    for number in stopped(before, round) {
        playing.remove(&number);
    }
    playing
}

/// Who has reached the score at which nobody is paired any more, before a round.
fn stopped(before: &Stage, round: u32) -> Vec<Number> {
    let Some(enough) = before.pairing.stop_at else {
        return Vec::new();
    };
    let reached = |score: Score| score >= enough;
    tally(before, round.saturating_sub(1))
        .into_iter()
        .filter(|books| reached(books.score))
        .map(|books| books.number)
        .collect()
}

/// The stage as it stood before a round was paired: that round and later ones are gone.
fn before(stage: &Stage, round: u32) -> Stage {
    stage.after(round.saturating_sub(1))
}

/// What a table made by people reaches on the criteria, and what is to be said of it.
fn judge(stage: &Stage, table: &Round) -> (Criteria, Vec<Note>) {
    let facts = Facts::before(&before(stage, table.round), table.round, &[]);
    let mut pairs = Vec::new();
    let mut notes = Vec::new();
    for board in &table.boards {
        let (Some(black), Some(white)) = (facts.place(board.black), facts.place(board.white)) else {
            continue;
        };
        pairs.push((black, white));
        let (at, one, other) = (board.board, board.black, board.white);
        let times = facts.meetings(black, white).times;
        if times > 0 {
            notes.push(Note::Repeat {
                board: at,
                black: one,
                white: other,
                times,
            });
        }
        let (down, up) = if facts.players[black].score >= facts.players[white].score {
            (&facts.players[black], &facts.players[white])
        } else {
            (&facts.players[white], &facts.players[black])
        };
        if down.score > up.score {
            notes.push(Note::Float {
                board: at,
                down: down.number,
                up: up.number,
            });
            let again = [(down.floated_down, down.number), (up.floated_up, up.number)];
            for (_, number) in again.into_iter().filter(|(again, _)| *again) {
                notes.push(Note::RepeatedFloat { board: at, number });
            }
        }
        if facts.same_sign(black, white) {
            notes.push(Note::SameColour {
                board: at,
                black: one,
                white: other,
            });
        }
        if facts.teams_matter && facts.team_mates(black, white) {
            notes.push(Note::TeamMates {
                board: at,
                black: one,
                white: other,
            });
        }
    }
    let byes: Vec<usize> = table
        .byes
        .iter()
        .filter_map(|number| facts.place(*number))
        .collect();
    (checker::criteria(&facts, &pairs, &byes), notes)
}

/// Puts a table made by hand in the place of the draft, or makes it the draft of the next round.
/// Entries it does not name and that do not play in the round are absent.
///
/// # Errors
/// Refused, naming everybody concerned, when somebody is on two boards, plays oneself, is missing
/// or does not play; when players would meet again and `confirmed.repeats` is not set; when the
/// results of the round before are missing and `confirmed.provisional` is not set.
pub async fn by_hand(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    table: Table,
    confirmed: Confirmed,
) -> Result<RoundInfo> {
    let old = event.draft().map(|draft| draft.round);
    let round = old.unwrap_or_else(|| event.stage.next_round());
    let stage = before(&event.stage, round);
    let planned = stage.rounds_planned;
    if round > planned {
        return Err(Refused::Pairing(Refusal::NoRoundLeft { planned }).into());
    }
    if !confirmed.provisional {
        pairing::results_in(&stage).map_err(Refused::Pairing)?;
    }
    let choices = match old {
        Some(draft) => self::table(event, draft)?.choices,
        None => Choices::default(),
    };
    whole(&stage, round, &table, &choices)?;
    let seats: BTreeSet<Number> = table
        .boards
        .iter()
        .flat_map(|(black, white)| [*black, *white])
        .chain(table.byes.iter().copied())
        .collect();
    let others = match old.and_then(|draft| event.stage.rounds.iter().find(|table| table.round == draft)) {
        // A draft keeps the numbers of its boards.
        Some(draft) => draft
            .boards
            .iter()
            .map(|board| board.board)
            .min()
            .map_or(0, |first| first - 1),
        None => families::boards_before(tx, event.id).await?,
    };
    let new = Round {
        round,
        boards: (others + 1..)
            .zip(&table.boards)
            .map(|(board, pair)| seated(&stage, board, *pair))
            .collect(),
        byes: table.byes,
        absent: stage
            .entries
            .iter()
            .map(|entry| entry.number)
            .filter(|number| !seats.contains(number))
            .collect(),
        ..Round::default()
    };
    let (criteria, notes) = judge(&stage, &new);
    let pairs = repeats(&notes);
    if !pairs.is_empty() && !confirmed.repeats {
        return Err(Refused::Repeats { round, pairs }.into());
    }
    if old.is_some() {
        return change_table(tx, change, event, new, None).await;
    }
    let draft = Draft {
        action: Action::RoundPairedByHand,
        table: new,
        criteria,
        free_criteria: None,
        notes,
        confirmed,
        promised: None,
    };
    insert_draft(tx, change, event, draft).await
}

fn repeats(notes: &[Note]) -> Vec<RepeatedPair> {
    let mut pairs: Vec<RepeatedPair> = notes
        .iter()
        .filter_map(|note| match *note {
            Note::Repeat {
                black, white, times, ..
            } => Some(RepeatedPair {
                first: black.min(white),
                second: black.max(white),
                times,
            }),
            _ => None,
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Refuses a table that does not give everybody who plays exactly one place.
fn whole(stage: &Stage, round: u32, table: &Table, choices: &Choices) -> Result<()> {
    let mut places: BTreeMap<Number, u32> = BTreeMap::new();
    let mut against_oneself = BTreeSet::new();
    for (black, white) in &table.boards {
        if black == white {
            against_oneself.insert(*black);
            *places.entry(*black).or_default() += 1;
        } else {
            *places.entry(*black).or_default() += 1;
            *places.entry(*white).or_default() += 1;
        }
    }
    for number in &table.byes {
        *places.entry(*number).or_default() += 1;
    }
    let mut faults = TableFaults {
        against_oneself: against_oneself.into_iter().collect(),
        ..TableFaults::default()
    };
    for (number, count) in &places {
        if *count > 1 {
            faults.twice.push(*number);
        }
        match stage.entry(*number) {
            None => faults.unknown.push(*number),
            Some(entry) if !entry.plays_in(round) => faults.not_playing.push(*number),
            Some(_) => {}
        }
    }
    let playing: Vec<Number> = playing(stage, round, choices).into_iter().collect();
    if playing.len() < 2 {
        let active = playing;
        return Err(Refused::Pairing(Refusal::TooFewPlayers {
            round,
            active,
            byes: Vec::new(),
        })
        .into());
    }
    faults.missing = playing;
    faults.missing.retain(|number| !places.contains_key(number));
    // Any number may have asked for the bye; of those who have not, one can have it.
    let mut byes = table.byes.clone();
    byes.retain(|number| {
        let asked = |entry: &tournament::Entry| entry.bye_rounds.contains(&round);
        !stage.entry(*number).is_some_and(asked)
    });
    if byes.len() > 1 {
        faults.too_many_byes = byes;
    }
    if faults == TableFaults::default() {
        Ok(())
    } else {
        Err(Refused::Table(Box::new(faults)).into())
    }
}

/// Publishes the draft of a round. Published already: success, and nothing changes.
///
/// # Errors
/// Refused for an unknown round, when `expected` is not the round's version, and, unless
/// `outdated` is set, when results or entries have changed since it was paired.
pub async fn publish(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    expected: Option<i64>,
    outdated: bool,
) -> Result<RoundInfo> {
    let draft = info(event, round)?;
    if draft.status == RoundStatus::Published {
        return Ok(draft);
    }
    expect(expected, draft.version)?;
    if !outdated {
        up_to_date(event, &draft)?;
    }
    // Whoever came since has no place in it, and misses it.
    for number in unseated(event, round) {
        sits_out(tx, event, number, round).await?;
    }
    // Results of the round cannot be known yet, so what follows from them is promised in time.
    let next = (round < event.stage.rounds_planned).then_some(round + 1);
    let due = draws::due_for(tx, change, event, next, false).await?;
    let mut after = serde_json::Map::new();
    after.insert("status".into(), "published".into());
    after.insert("edition".into(), draft.edition.into());
    due.tell(&mut after);
    let act = Act::new(
        Action::RoundPublished,
        Subject::Round(round),
        json!({"status": "draft"}),
        after.into(),
    );
    let version = log::append(tx, change, event.id, act).await?;
    due.keep(tx, change, event.id, version).await?;
    draws::reveal(tx, change, event.id, Decides::Round(round), version).await?;
    sqlx::query!(
        r#"update rounds set status = 'published', published_at = $4, version = $5,
                  publish_at = null, publish_by = null
           where event_id = $1 and stage_no = $2 and round_no = $3"#,
        event.id,
        STAGE,
        stored(round),
        change.at,
        version
    )
    .execute(tx.conn())
    .await?;
    event.reload(tx).await?;
    draws::keep_round(tx, event, round).await?;
    info(event, round)
}

/// Sets the moment at which the draft of a round is published by itself ([`publish_due`]), or takes
/// it away. Published already, or set so already: success, and nothing changes.
///
/// # Errors
/// As [`publish`].
pub async fn publish_at(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    at: Option<DateTime<Utc>>,
    expected: Option<i64>,
) -> Result<RoundInfo> {
    let draft = info(event, round)?;
    if draft.status == RoundStatus::Published || draft.publish_at == at {
        return Ok(draft);
    }
    expect(expected, draft.version)?;
    // A table that is out of date can only be published as it is seen: now.
    if at.is_some() {
        up_to_date(event, &draft)?;
    }
    let act = Act::new(
        Action::PublicationSet,
        Subject::Round(round),
        json!({"publish_at": draft.publish_at}),
        json!({"publish_at": at}),
    );
    let version = log::append(tx, change, event.id, act).await?;
    let actor = change.actor;
    let by = json!({"user": actor.user, "name": actor.name, "role": actor.role.as_str(), "via": actor.via.as_str()});
    sqlx::query!(
        r#"update rounds set publish_at = $4, publish_by = $5, version = $6
           where event_id = $1 and stage_no = $2 and round_no = $3"#,
        event.id,
        STAGE,
        stored(round),
        at,
        at.map(|_| by),
        version
    )
    .execute(tx.conn())
    .await?;
    event.reload(tx).await?;
    info(event, round)
}

/// Publishes the drafts whose moment has come, each in a transaction of its own and in the name of
/// whoever set it. A draft that was made of other results or entries than there are now is not
/// published: its moment is taken away, and the log says so. Several servers doing this at once
/// publish each draft once. Returns how many were published.
///
/// # Errors
/// When the database cannot be used; of several failures the first, after all others were tried.
pub async fn publish_due(store: &Store, now: DateTime<Utc>, chance: impl Fn() -> Chance) -> Result<usize> {
    let mut tx = store.begin().await?;
    let due = sqlx::query!(
        "select event_id, round_no from rounds where publish_at <= $1 order by publish_at, event_id",
        now
    )
    .fetch_all(tx.conn())
    .await?;
    drop(tx);
    let (mut published, mut failed) = (0, None);
    for row in due {
        // One event that cannot be published must not keep all others waiting.
        match publish_one_due(store, (now, chance()), row.event_id, count(row.round_no)?).await {
            Ok(done) => published += usize::from(done),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(published), Err)
}

/// The reason in the log of a publication at a moment that was set.
pub const AT_ITS_TIME: &str = "at the time that was set";

/// The reason in the log when a draft stays one although its moment has come.
pub const NOT_PUBLISHED: &str = "not published: results or entries have changed since it was paired";

/// Publishes a draft whose moment has come, or takes its moment away; says whether it is public now.
async fn publish_one_due(
    store: &Store,
    (now, chance): (DateTime<Utc>, Chance),
    event: Uuid,
    round: u32,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    let Some(mut event) = events::lock(&mut tx, &event.to_string()).await? else {
        return Ok(false);
    };
    // Somebody may have been quicker, or have set another time.
    let set = sqlx::query_scalar!(
        r#"select publish_by as "by!" from rounds
               where event_id = $1 and stage_no = $2 and round_no = $3 and publish_at <= $4"#,
        event.id,
        STAGE,
        stored(round),
        now
    )
    .fetch_optional(tx.conn())
    .await?;
    let Some(by) = set else { return Ok(false) };
    let actor = actor_of(&by)?;
    let at_the_time = Change {
        actor: &actor,
        at: now,
        reason: Some(AT_ITS_TIME),
        chance,
    };
    let published = match publish(&mut tx, &at_the_time, &mut event, round, None, false).await {
        Ok(_) => true,
        Err(Error::Refused(Refused::Outdated { .. })) => {
            let reason = Some(NOT_PUBLISHED);
            let held = Change {
                reason,
                ..at_the_time
            };
            publish_at(&mut tx, &held, &mut event, round, None, None).await?;
            false
        }
        Err(error) => return Err(error),
    };
    tx.commit().await?;
    Ok(published)
}

fn actor_of(by: &Value) -> Result<Actor> {
    let text = |field: &str| by[field].as_str().ok_or_else(|| unreadable(field));
    Ok(Actor {
        user: by["user"]
            .as_str()
            .map(str::parse)
            .transpose()
            .map_err(unreadable)?,
        name: text("name")?.to_owned(),
        role: Word::of(text("role")?)?,
        via: Word::of(text("via")?)?,
    })
}

/// Who plays in a round and is not on its table.
fn unseated(event: &Event, round: u32) -> Vec<Number> {
    let Some(table) = event.stage.rounds.iter().find(|table| table.round == round) else {
        return Vec::new();
    };
    playing(&before(&event.stage, round), round, &table.choices)
        .into_iter()
        .filter(|number| table.board_of(*number).is_none() && !table.byes.contains(number))
        .collect()
}

/// Refuses a draft that was made of other results or other entries than there are now.
fn up_to_date(event: &Event, draft: &RoundInfo) -> Result<()> {
    let round = draft.round;
    let table = table(event, round)?;
    let seated = |number: Number| table.board_of(number).is_some() || table.byes.contains(&number);
    let results: Vec<(u32, u32)> = draft
        .earlier_results
        .iter()
        .map(|earlier| (earlier.round, earlier.board))
        .collect();
    let entries = || event.stage.entries.iter();
    let gone: Vec<Number> = entries()
        .filter(|entry| !entry.plays_in(round) && seated(entry.number))
        .map(|entry| entry.number)
        .collect();
    let unseated = unseated(event, round);
    if results.is_empty() && gone.is_empty() && unseated.is_empty() {
        return Ok(());
    }
    Err(Refused::Outdated {
        round,
        results,
        gone,
        unseated,
    }
    .into())
}

/// Makes a draft of the last published round again. What was published stays in the log with its
/// reason and can be read there; the table is published anew as a later edition. A draft already:
/// success, and nothing changes.
///
/// # Errors
/// Refused for an unknown round, one that is not the last, one with results, and when `expected`
/// is not the round's version.
pub async fn withdraw_publication(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    expected: Option<i64>,
) -> Result<RoundInfo> {
    let old = info(event, round)?;
    if old.status == RoundStatus::Draft {
        return Ok(old);
    }
    expect(expected, old.version)?;
    let table = last_without_results(event, round)?;
    let mut before = json::table(&table);
    before.insert("status".into(), old.status.as_str().into());
    before.insert("edition".into(), old.edition.into());
    let act = Act::new(
        Action::PublicationWithdrawn,
        Subject::Round(round),
        Value::Object(before),
        json!({"status": "draft"}),
    );
    let version = log::append(tx, change, event.id, act).await?;
    withdrawn(tx, event.id, round, old.edition).await?;
    sqlx::query!(
        r#"update rounds set status = 'draft', published_at = null, version = $4, edition = $5
           where event_id = $1 and stage_no = $2 and round_no = $3"#,
        event.id,
        STAGE,
        stored(round),
        version,
        stored(old.edition + 1)
    )
    .execute(tx.conn())
    .await?;
    event.reload(tx).await?;
    info(event, round)
}

/// Remembers which edition of a round was withdrawn last: the next one has the number after it.
async fn withdrawn(tx: &mut Tx, event: Uuid, round: u32, edition: u32) -> Result<()> {
    sqlx::query!(
        r#"insert into withdrawn_editions (event_id, stage_no, round_no, edition)
               values ($1, $2, $3, $4)
               on conflict on constraint withdrawn_editions_key do update set edition = excluded.edition"#,
        event,
        STAGE,
        stored(round),
        stored(edition)
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The table of a round that is the last one and has no results.
fn last_without_results(event: &Event, round: u32) -> Result<Round> {
    let last = event.stage.next_round() - 1;
    if round != last {
        return Err(Refused::NotLastRound { round, last }.into());
    }
    let table = table(event, round)?;
    let boards: Vec<u32> = table
        .boards
        .iter()
        .filter(|board| board.result.is_some())
        .map(|board| board.board)
        .collect();
    if !boards.is_empty() {
        return Err(Refused::HasResults { round, boards }.into());
    }
    Ok(table)
}

/// Throws the last round away: a draft always, a published one while no board has a result.
///
/// # Errors
/// Refused for an unknown round, one that is not the last, one with results, and when `expected`
/// is not the round's version.
pub async fn throw_away(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    expected: Option<i64>,
) -> Result<()> {
    let old = info(event, round)?;
    expect(expected, old.version)?;
    let table = last_without_results(event, round)?;
    let mut before = json::table(&table);
    before.insert("status".into(), old.status.as_str().into());
    before.insert("edition".into(), old.edition.into());
    let act = Act::new(
        Action::RoundThrownAway,
        Subject::Round(round),
        Value::Object(before),
        Value::Null,
    )
    // Of a draft everybody knows the moment announced for it, and nothing else.
    .quiet_if(old.status == RoundStatus::Draft && old.publish_at.is_none());
    log::append(tx, change, event.id, act).await?;
    if old.status == RoundStatus::Published {
        withdrawn(tx, event.id, round, old.edition).await?;
    }
    sqlx::query!(
        "delete from rounds where event_id = $1 and stage_no = $2 and round_no = $3",
        event.id,
        STAGE,
        stored(round)
    )
    .execute(tx.conn())
    .await?;
    event.reload(tx).await
}

/// Puts another table in the place of a round's. Boards that stay as they are keep their results
/// and versions; of the others none may have a result.
async fn change_table(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    mut new: Round,
    expected: Option<i64>,
) -> Result<RoundInfo> {
    let round = new.round;
    let old_info = info(event, round)?;
    let old = table(event, round)?;
    new.byes.sort_unstable();
    new.absent.sort_unstable();
    // What was fixed and drawn is part of how the round came about, whatever becomes of its table.
    new.choices.clone_from(&old.choices);
    new.seed = old.seed;
    let place = |board: &Board| (board.board, board.black, board.white, board.nigiri);
    let same = |one: &Board, other: &Board| place(one) == place(other);
    let kept = |board: &Board| old.boards.iter().find(|other| same(board, other));
    for board in &mut new.boards {
        if let Some(kept) = kept(board) {
            *board = *kept;
        }
    }
    let gone: Vec<&Board> = old
        .boards
        .iter()
        .filter(|board| !new.boards.iter().any(|other| same(board, other)))
        .collect();
    if old == new {
        return Ok(old_info);
    }
    expect(expected, old_info.version)?;
    let with_result: Vec<u32> = gone
        .iter()
        .filter(|board| board.result.is_some())
        .map(|board| board.board)
        .collect();
    if !with_result.is_empty() {
        let boards = with_result;
        return Err(Refused::HasResults { round, boards }.into());
    }
    let mut stage = event.stage.clone();
    if let Some(table) = stage.rounds.iter_mut().find(|table| table.round == round) {
        table.clone_from(&new);
    }
    let faults = tournament::validate::faults(&stage);
    if !faults.is_empty() {
        return Err(Refused::Faults(faults).into());
    }
    let (criteria, notes) = judge(&stage, &new);
    let (before, mut after) = json::table_difference(&old, &new);
    after["criteria"] = json::criteria(&criteria);
    let published = old_info.status == RoundStatus::Published;
    let act = Act::new(Action::RoundChanged, Subject::Round(round), before, after).quiet_if(!published);
    let version = log::append(tx, change, event.id, act).await?;
    let edition = old_info.edition + u32::from(published);
    sqlx::query!(
        r#"update rounds set version = $4, edition = $5, criteria = $6, notes = $7, by_hand = true
           where event_id = $1 and stage_no = $2 and round_no = $3"#,
        event.id,
        STAGE,
        stored(round),
        version,
        stored(edition),
        json::criteria(&criteria),
        json::notes(&notes)
    )
    .execute(tx.conn())
    .await?;
    sqlx::query!(
        "delete from seats where event_id = $1 and stage_no = $2 and round_no = $3",
        event.id,
        STAGE,
        stored(round)
    )
    .execute(tx.conn())
    .await?;
    let gone: Vec<i32> = gone.iter().map(|board| stored(board.board)).collect();
    sqlx::query!(
        r#"delete from boards
           where event_id = $1 and stage_no = $2 and round_no = $3 and board_no = any($4)"#,
        event.id,
        STAGE,
        stored(round),
        &gone
    )
    .execute(tx.conn())
    .await?;
    let fresh: Vec<Board> = new
        .boards
        .iter()
        .filter(|board| !old.boards.iter().any(|other| same(board, other)))
        .copied()
        .collect();
    insert_boards(tx, event.id, round, &fresh, version).await?;
    insert_seats(tx, event.id, &new, &event.0.ids).await?;
    event.reload(tx).await?;
    if published {
        draws::keep_round(tx, event, round).await?;
    }
    info(event, round)
}

/// Makes a round's table what it was before it was changed by hand: the boards that the change made go,
/// those it took away come back, and so do byes and absences where it touched them.
///
/// # Errors
/// Refused when a board concerned has a result, and when somebody who would sit again has left.
pub(crate) async fn change_back(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    (gone, back): (&[u32], Vec<Board>),
    (byes, absent): (Option<Vec<Number>>, Option<Vec<Number>>),
) -> Result<RoundInfo> {
    let now = table(event, round)?;
    let mut new = now.clone();
    new.boards.retain(|board| !gone.contains(&board.board));
    new.boards.extend(back);
    new.boards.sort_unstable_by_key(|board| board.board);
    new.byes = byes.unwrap_or(new.byes);
    new.absent = absent.unwrap_or(new.absent);
    let seated = |table: &Round| -> BTreeSet<Number> {
        let boards = table.boards.iter().flat_map(|board| [board.black, board.white]);
        boards.chain(table.byes.iter().copied()).collect()
    };
    let (then, now) = (seated(&new), seated(&now));
    let nobody = Round {
        round,
        ..Round::default()
    };
    for number in then.difference(&now) {
        free_to_sit(event, &nobody, *number)?;
        plays_after_all(tx, event, *number, round).await?;
    }
    for number in now.difference(&then) {
        sits_out(tx, event, *number, round).await?;
    }
    event.reload(tx).await?;
    change_table(tx, change, event, new, None).await
}

/// Exchanges the places of two entries in a round: seats at boards, or a seat and the bye.
///
/// # Errors
/// Refused for an unknown round or entry, when `expected` is not the round's version, when one of
/// the two has neither board nor bye (see [`replace`]), or when a board concerned has a result.
pub async fn swap(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    (one, other): (Number, Number),
    expected: Option<i64>,
) -> Result<RoundInfo> {
    let mut new = table(event, round)?;
    two_entries(event, one, other)?;
    for number in [one, other] {
        if new.board_of(number).is_none() && !new.byes.contains(&number) {
            return Err(Refused::HasNoPlace { number, round }.into());
        }
    }
    let exchange = |number: &mut Number| {
        if *number == one {
            *number = other;
        } else if *number == other {
            *number = one;
        }
    };
    for board in &mut new.boards {
        exchange(&mut board.black);
        exchange(&mut board.white);
    }
    new.byes.iter_mut().for_each(exchange);
    change_table(tx, change, event, new, expected).await
}

fn two_entries(event: &Locked, one: Number, other: Number) -> Result<()> {
    for number in [one, other] {
        event.entry_id(number)?;
    }
    if one == other {
        return Err(Refused::SameEntry { number: one }.into());
    }
    Ok(())
}

/// Says who of a board has Black.
///
/// # Errors
/// Refused for an unknown round or board, an entry that does not sit there, when `expected` is not
/// the round's version, or when the board has a result.
pub async fn set_colours(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    board: u32,
    black: Number,
    expected: Option<i64>,
) -> Result<RoundInfo> {
    let mut new = table(event, round)?;
    let Some(seats) = new.boards.iter_mut().find(|seats| seats.board == board) else {
        return Err(Refused::UnknownBoard { round, board }.into());
    };
    seats.nigiri = false;
    if seats.white == black {
        std::mem::swap(&mut seats.black, &mut seats.white);
    } else if seats.black != black {
        let number = black;
        return Err(Refused::NotAtBoard { number, round, board }.into());
    }
    change_table(tx, change, event, new, expected).await
}

/// Makes a new last board of two entries who have the bye or no board; all else stays. Who was to
/// sit the round out plays it after all.
///
/// # Errors
/// Refused for an unknown round or entry, when one of the two has a board or has withdrawn, or
/// when `expected` is not the round's version.
pub async fn seat(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    (black, white): (Number, Number),
    expected: Option<i64>,
) -> Result<RoundInfo> {
    let new = table(event, round)?;
    let sits = new
        .boards
        .iter()
        .any(|board| (board.black, board.white) == (black, white));
    if sits {
        // Asked for again, as after a lost answer.
        return info(event, round);
    }
    expect(expected, info(event, round)?.version)?;
    two_entries(event, black, white)?;
    for number in [black, white] {
        free_to_sit(event, &new, number)?;
    }
    for number in [black, white] {
        plays_after_all(tx, event, number, round).await?;
    }
    event.reload(tx).await?;
    let mut new = table(event, round)?;
    let last = new.boards.iter().map(|board| board.board).max().unwrap_or(0);
    new.boards.push(seated(&event.stage, last + 1, (black, white)));
    for list in [&mut new.byes, &mut new.absent] {
        list.retain(|number| ![black, white].contains(number));
    }
    change_table(tx, change, event, new, None).await
}

/// Gives the seat (or the bye) of one entry to another who has the bye or no board; the first is absent.
///
/// # Errors
/// As [`seat`]; also when the board has a result.
pub async fn replace(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    (out, into): (Number, Number),
    expected: Option<i64>,
) -> Result<RoundInfo> {
    let old = table(event, round)?;
    expect(expected, info(event, round)?.version)?;
    two_entries(event, out, into)?;
    if old.board_of(out).is_none() && !old.byes.contains(&out) {
        return Err(Refused::HasNoPlace { number: out, round }.into());
    }
    free_to_sit(event, &old, into)?;
    plays_after_all(tx, event, into, round).await?;
    sits_out(tx, event, out, round).await?;
    event.reload(tx).await?;
    let mut new = table(event, round)?;
    for list in [&mut new.byes, &mut new.absent] {
        list.retain(|number| *number != into);
    }
    let exchange = |number: &mut Number| {
        if *number == out {
            *number = into;
        }
    };
    for board in &mut new.boards {
        exchange(&mut board.black);
        exchange(&mut board.white);
    }
    new.byes.iter_mut().for_each(exchange);
    new.absent.push(out);
    change_table(tx, change, event, new, None).await
}

/// Turns the bye of an entry that has left into an absence.
pub(crate) async fn lose_bye(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    round: u32,
    number: Number,
) -> Result<()> {
    let mut new = table(event, round)?;
    new.byes.retain(|other| *other != number);
    new.absent.push(number);
    change_table(tx, change, event, new, None).await?;
    Ok(())
}

/// Refuses an entry that has a board in the round, or has withdrawn before it.
fn free_to_sit(event: &Event, table: &Round, number: Number) -> Result<()> {
    let round = table.round;
    if let Some((board, _)) = table.board_of(number) {
        let board = board.board;
        return Err(Refused::HasBoard { number, round, board }.into());
    }
    let left = event
        .stage
        .entry(number)
        .and_then(|entry| entry.withdrawn_after)
        .is_some_and(|after| round > after);
    if left {
        return Err(Refused::NotPlaying { number, round }.into());
    }
    Ok(())
}

/// Takes a round out of those an entry sits out. The act that seats it is the one in the log.
async fn plays_after_all(tx: &mut Tx, event: &Locked, number: Number, round: u32) -> Result<()> {
    sqlx::query!(
        r#"update stage_entries set absent_rounds = array_remove(absent_rounds, $4)
           where event_id = $1 and stage_no = $2 and entry_id = $3"#,
        event.id,
        STAGE,
        event.entry_id(number)?,
        stored(round)
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Adds a round to those an entry sits out, unless it has left anyway.
async fn sits_out(tx: &mut Tx, event: &Locked, number: Number, round: u32) -> Result<()> {
    sqlx::query!(
        r#"update stage_entries
           set absent_rounds = (select array_agg(distinct r order by r)
                                from unnest(absent_rounds || $4::integer) r)
           where event_id = $1 and stage_no = $2 and entry_id = $3
             and (withdrawn_after is null or withdrawn_after >= $4)"#,
        event.id,
        STAGE,
        event.entry_id(number)?,
        stored(round)
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}
