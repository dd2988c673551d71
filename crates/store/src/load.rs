//! A whole event, from its rows.

use std::collections::{BTreeMap, HashMap};

use sqlx::PgConnection;
use tournament::{
    Board, Carried, Entry, Margin, Number, PairingSettings, Ranking, Round, Score, Stage, Warnings,
};
use uuid::Uuid;

use crate::Result;
use crate::error::unreadable;
use crate::events::{EarlierResult, Event, RoundInfo};
use crate::json::{Word, count, criteria_of, criteria_of_ranking, notes_of, number};

/// The only stage of an event for now; the tables hold more.
pub(crate) const STAGE: i32 = 1;
/// The only group of an event for now; the tables hold more.
pub(crate) const GROUP: i32 = 1;

/// An event and the keys of its entries.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) event: Event,
    pub(crate) ids: BTreeMap<Number, Uuid>,
}

/// The id of an event by its id or slug.
pub(crate) async fn id(conn: &mut PgConnection, key: &str) -> Result<Option<Uuid>> {
    let by_id = Uuid::try_parse(key).ok();
    // A NUL cannot even be asked for.
    if key.contains('\0') {
        return Ok(None);
    }
    Ok(sqlx::query_scalar!(
        "select event_id from events where event_id = $1 or slug = $2",
        by_id,
        key
    )
    .fetch_optional(conn)
    .await?)
}

/// The event of an id. The caller sees to it that all of this is read as of one moment.
pub(crate) async fn event(conn: &mut PgConnection, id: Uuid) -> Result<Option<Loaded>> {
    let Some(row) = sqlx::query!(
        r#"select e.slug, e.name, e.rules, e.komi_quarters, e.place, e.starts_on, e.visibility,
                  e.version, e.created_at, e.updated_at, h.last_seq,
                  s.format, s.rounds_planned, s.first_round, s.pairing_order, s.number_order,
                  s.avoid_team_rounds, s.bye_score, s.absent_score, s.forfeits_may_meet_again,
                  s.avoid_repeated_floats, s.ranking, s.unplayed
           from events e
           join stages s on s.event_id = e.event_id and s.stage_no = $2
           join log_heads h on h.event_id = e.event_id
           where e.event_id = $1"#,
        id,
        STAGE
    )
    .fetch_optional(&mut *conn)
    .await?
    else {
        return Ok(None);
    };
    let (entries, ids) = entries(&mut *conn, id).await?;
    let lots = sqlx::query!(
        r#"select e.number, l.lot
           from lots l join entries e on e.event_id = l.event_id and e.entry_id = l.entry_id
           where l.event_id = $1 and l.stage_no = $2 order by e.number"#,
        id,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?
    .into_iter()
    .map(|row| Ok((number(row.number)?, count(row.lot)?)))
    .collect::<Result<Vec<_>>>()?;
    let (rounds, infos) = rounds(&mut *conn, id).await?;
    let stage = Stage {
        format: Word::of(&row.format)?,
        rounds_planned: count(row.rounds_planned)?,
        first_round: count(row.first_round)?,
        pairing: PairingSettings {
            order: Word::of(&row.pairing_order)?,
            number_order: Word::of(&row.number_order)?,
            avoid_team_rounds: count(row.avoid_team_rounds)?,
            bye_score: Score(row.bye_score),
            absent_score: Score(row.absent_score),
            forfeits_may_meet_again: row.forfeits_may_meet_again,
            avoid_repeated_floats: row.avoid_repeated_floats,
        },
        ranking: Ranking {
            criteria: criteria_of_ranking(&row.ranking)?,
            unplayed: Word::of(&row.unplayed)?,
            lots,
        },
        entries,
        rounds,
    };
    let event = Event {
        id,
        slug: row.slug,
        name: row.name,
        rules: row.rules.parse().map_err(unreadable)?,
        komi: rules::Komi::from_quarters(row.komi_quarters).map_err(unreadable)?,
        place: row.place,
        starts_on: row.starts_on,
        visibility: Word::of(&row.visibility)?,
        stage,
        rounds: infos,
        version: row.version,
        last_seq: row.last_seq,
        created_at: row.created_at,
        updated_at: row.updated_at,
    };
    Ok(Some(Loaded { event, ids }))
}

async fn entries(conn: &mut PgConnection, event: Uuid) -> Result<(Vec<Entry>, BTreeMap<Number, Uuid>)> {
    let mut met: HashMap<Uuid, Vec<Number>> = HashMap::new();
    let rows = sqlx::query!(
        r#"select m.entry_id, o.number
           from carried_meetings m
           join entries o on o.event_id = m.event_id and o.entry_id = m.opponent_id
           where m.event_id = $1 and m.stage_no = $2 order by m.entry_id, m.position"#,
        event,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        met.entry(row.entry_id).or_default().push(number(row.number)?);
    }
    let rows = sqlx::query!(
        r#"select e.entry_id, e.number, e.name, e.team, e.grade, e.rating, e.category,
                  s.start_score, s.absent_rounds, s.withdrawn_after, s.carried_score, s.carried_balance
           from stage_entries s
           join entries e on e.event_id = s.event_id and e.entry_id = s.entry_id
           where s.event_id = $1 and s.stage_no = $2 order by e.number"#,
        event,
        STAGE
    )
    .fetch_all(conn)
    .await?;
    let mut ids = BTreeMap::new();
    let entries = rows
        .into_iter()
        .map(|row| {
            let number = number(row.number)?;
            ids.insert(number, row.entry_id);
            let carried = row
                .carried_score
                .zip(row.carried_balance)
                .map(|(score, balance)| Carried {
                    score: Score(score),
                    balance,
                    met: met.remove(&row.entry_id).unwrap_or_default(),
                });
            Ok(Entry {
                number,
                name: row.name,
                team: row.team,
                grade: row
                    .grade
                    .map(|grade| grade.parse())
                    .transpose()
                    .map_err(unreadable)?,
                rating: row.rating,
                category: row.category,
                start_score: Score(row.start_score),
                absent_rounds: row.absent_rounds.into_iter().map(count).collect::<Result<_>>()?,
                withdrawn_after: row.withdrawn_after.map(count).transpose()?,
                carried,
            })
        })
        .collect::<Result<_>>()?;
    Ok((entries, ids))
}

async fn rounds(conn: &mut PgConnection, event: Uuid) -> Result<(Vec<Round>, Vec<RoundInfo>)> {
    let mut rounds = Vec::new();
    let mut infos = Vec::new();
    let mut index: HashMap<i32, usize> = HashMap::new();
    let rows = sqlx::query!(
        r#"select round_no, status, version, edition, paired_at, paired_by, published_at, criteria,
                  notes, by_hand
           from rounds where event_id = $1 and stage_no = $2 order by round_no"#,
        event,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        index.insert(row.round_no, rounds.len());
        let round = count(row.round_no)?;
        rounds.push(Round {
            round,
            ..Round::default()
        });
        infos.push(RoundInfo {
            round,
            status: Word::of(&row.status)?,
            version: row.version,
            edition: count(row.edition)?,
            paired_at: row.paired_at,
            paired_by: row.paired_by,
            published_at: row.published_at,
            criteria: row.criteria.as_ref().map(criteria_of).transpose()?,
            notes: notes_of(&row.notes)?,
            by_hand: row.by_hand,
            board_versions: Vec::new(),
            made_on_earlier_results: false,
            earlier_results: Vec::new(),
        });
    }
    let rows = sqlx::query!(
        r#"select b.round_no, b.board_no, black.number as black, white.number as white, b.result,
                  b.ended_by, b.margin_quarters, b.black_warnings, b.white_warnings, b.version
           from boards b
           join seats sb on sb.event_id = b.event_id and sb.stage_no = b.stage_no
                and sb.round_no = b.round_no and sb.board_no = b.board_no and sb.place = 'black'
           join seats sw on sw.event_id = b.event_id and sw.stage_no = b.stage_no
                and sw.round_no = b.round_no and sw.board_no = b.board_no and sw.place = 'white'
           join entries black on black.event_id = sb.event_id and black.entry_id = sb.entry_id
           join entries white on white.event_id = sw.event_id and white.entry_id = sw.entry_id
           where b.event_id = $1 and b.stage_no = $2 order by b.round_no, b.board_no"#,
        event,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        let board = board(
            row.board_no,
            (row.black, row.white),
            (
                row.result.as_deref(),
                row.ended_by.as_deref(),
                row.margin_quarters,
            ),
            (row.black_warnings, row.white_warnings),
        )?;
        // A round that came between two statements of one transaction is not part of what was asked.
        if let Some(&at) = index.get(&row.round_no) {
            infos[at].board_versions.push((board.board, row.version));
            rounds[at].boards.push(board);
        }
    }
    let rows = sqlx::query!(
        r#"select s.round_no, s.place, e.number
           from seats s join entries e on e.event_id = s.event_id and e.entry_id = s.entry_id
           where s.event_id = $1 and s.stage_no = $2 and s.board_no is null
           order by s.round_no, e.number"#,
        event,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        if let Some(&at) = index.get(&row.round_no) {
            let list = if row.place == "bye" {
                &mut rounds[at].byes
            } else {
                &mut rounds[at].absent
            };
            list.push(number(row.number)?);
        }
    }
    let rows = sqlx::query!(
        r#"select round_no, on_round, on_board, result from earlier_results
           where event_id = $1 and stage_no = $2 order by round_no, on_round, on_board"#,
        event,
        STAGE
    )
    .fetch_all(conn)
    .await?;
    for row in rows {
        if let Some(&at) = index.get(&row.round_no) {
            infos[at].made_on_earlier_results = true;
            infos[at].earlier_results.push(EarlierResult {
                round: count(row.on_round)?,
                board: count(row.on_board)?,
                result: row
                    .result
                    .map(|word| word.parse())
                    .transpose()
                    .map_err(unreadable)?,
            });
        }
    }
    Ok((rounds, infos))
}

/// A board from its columns.
pub(crate) fn board(
    board: i32,
    (black, white): (i32, i32),
    (result, by, margin): (Option<&str>, Option<&str>, Option<i32>),
    (black_warnings, white_warnings): (i16, i16),
) -> Result<Board> {
    Ok(Board {
        board: count(board)?,
        black: number(black)?,
        white: number(white)?,
        result: result.map(str::parse).transpose().map_err(unreadable)?,
        by: by.map(str::parse).transpose().map_err(unreadable)?,
        margin: margin
            .map(|quarters| {
                u16::try_from(quarters)
                    .ok()
                    .and_then(|quarters| Margin::from_quarters(quarters).ok())
                    .ok_or_else(|| unreadable(quarters))
            })
            .transpose()?,
        warnings: Warnings {
            black: u8::try_from(black_warnings).map_err(unreadable)?,
            white: u8::try_from(white_warnings).map_err(unreadable)?,
        },
    })
}
