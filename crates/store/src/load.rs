//! A whole event, from its rows.

use std::collections::{BTreeMap, HashMap};

use interchange::RecordSettings;
use sqlx::PgConnection;
use tournament::draw::Seed;
use tournament::{
    Board, Carried, Choices, Entry, Margin, Number, PairingSettings, Ranking, Round, Score, Stage, Warnings,
};
use uuid::Uuid;

use crate::error::unreadable;
use crate::events::{EarlierResult, Event, Frozen, RoundInfo, RoundStatus};
use crate::json::{Word, count, criteria_of, criteria_of_ranking, notes_of, number};
use crate::{Result, draws, log, schedule};

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
                  e.version, e.created_at, e.updated_at, e.board_size, e.repetition,
                  e.records_from_players, e.awards, h.last_seq, h.frozen_at, h.frozen_by, h.frozen_reason,
                  s.format, s.rounds_planned, s.first_round, s.pairing_order, s.order_by, s.number_order,
                  s.avoid_team_rounds, s.team_avoidance, s.third_colour, s.colours, s.bye_score,
                  s.absent_score, s.forfeits_may_meet_again, s.avoid_repeated_floats, s.stop_at,
                  s.ranking, s.unplayed
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
    let (entries, numbers) = entries(&mut *conn, id).await?;
    let mut lots = sqlx::query!(
        "select entry_id, lot from lots where event_id = $1 and stage_no = $2",
        id,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?
    .into_iter()
    .map(|row| Ok((numbers.of(row.entry_id)?, count(row.lot)?)))
    .collect::<Result<Vec<_>>>()?;
    lots.sort_unstable();
    let (forbidden_pairs, unwanted_pairs) = kept_apart(&mut *conn, id, &numbers).await?;
    let (rounds, infos) = rounds(&mut *conn, id, &numbers).await?;
    let stage = Stage {
        format: Word::of(&row.format)?,
        rounds_planned: count(row.rounds_planned)?,
        first_round: count(row.first_round)?,
        pairing: PairingSettings {
            order: Word::of(&row.pairing_order)?,
            order_by: Word::of(&row.order_by)?,
            number_order: Word::of(&row.number_order)?,
            avoid_team_rounds: count(row.avoid_team_rounds)?,
            team_avoidance: Word::of(&row.team_avoidance)?,
            forbidden_pairs,
            unwanted_pairs,
            third_colour: Word::of(&row.third_colour)?,
            colours: Word::of(&row.colours)?,
            bye_score: Score(row.bye_score),
            absent_score: Score(row.absent_score),
            forfeits_may_meet_again: row.forfeits_may_meet_again,
            avoid_repeated_floats: row.avoid_repeated_floats,
            stop_at: row.stop_at.map(Score),
        },
        ranking: Ranking {
            criteria: criteria_of_ranking(&row.ranking)?,
            unplayed: Word::of(&row.unplayed)?,
            lots,
        },
        entries,
        rounds,
    };
    let mut event = Event {
        id,
        slug: row.slug,
        name: row.name,
        rules: row.rules.parse().map_err(unreadable)?,
        komi: rules::Komi::from_quarters(row.komi_quarters).map_err(unreadable)?,
        place: row.place,
        starts_on: row.starts_on,
        schedule: schedule::of(&mut *conn, id).await?,
        visibility: Word::of(&row.visibility)?,
        records: RecordSettings {
            board_size: row.board_size.try_into().map_err(unreadable)?,
            repetition: row.repetition.as_deref().map(Word::of).transpose()?,
            from_players: row.records_from_players,
        },
        results: crate::result_links::settings_of(&mut *conn, id).await?,
        awards: interchange::event_file::read_awards(row.awards.to_string().as_bytes())
            .map_err(|_| unreadable("the promotion and prizes of an event"))?,
        frozen: row.frozen_at.zip(row.frozen_by).map(|(at, by)| Frozen {
            at,
            by,
            reason: row.frozen_reason,
        }),
        stage,
        rounds: infos,
        draws: draws::all(&mut *conn, id).await?,
        version: row.version,
        last_seq: row.last_seq,
        head: None,
        created_at: row.created_at,
        updated_at: row.updated_at,
    };
    heads(conn, &mut event).await?;
    let ids = numbers.0.into_iter().map(|(id, number)| (number, id)).collect();
    Ok(Some(Loaded { event, ids }))
}

/// Puts in what of the log is shown to everybody.
async fn heads(conn: &mut PgConnection, event: &mut Event) -> Result<()> {
    let mut seqs = vec![event.public_seq()];
    seqs.extend(event.rounds.iter().map(|info| info.version));
    let heads = log::heads(conn, event.id, &seqs).await?;
    let head = |seq| heads.iter().find(|head| head.seq == seq).copied();
    event.head = head(seqs[0]);
    for info in &mut event.rounds {
        info.head = head(info.version).filter(|_| info.status == RoundStatus::Published);
    }
    Ok(())
}

/// The numbers of entries by their keys.
struct Numbers(HashMap<Uuid, Number>);

impl Numbers {
    fn of(&self, entry: Uuid) -> Result<Number> {
        self.0.get(&entry).copied().ok_or_else(|| unreadable(entry))
    }
}

// Tables are read one by one, each a single range of its key, and put together here. A join would
// be planned by statistics that a new event does not have yet, and can take minutes.

async fn entries(conn: &mut PgConnection, event: Uuid) -> Result<(Vec<Entry>, Numbers)> {
    let people = sqlx::query!(
        r#"select entry_id, number, name, name_withheld, team, grade, rating, category
           from entries where event_id = $1 order by number"#,
        event
    )
    .fetch_all(&mut *conn)
    .await?;
    let numbers = people
        .iter()
        .map(|row| Ok((row.entry_id, number(row.number)?)))
        .collect::<Result<_>>()
        .map(Numbers)?;
    let mut met: HashMap<Uuid, Vec<Number>> = HashMap::new();
    let meetings = sqlx::query!(
        r#"select entry_id, opponent_id from carried_meetings
           where event_id = $1 and stage_no = $2 order by entry_id, position"#,
        event,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in meetings {
        met.entry(row.entry_id)
            .or_default()
            .push(numbers.of(row.opponent_id)?);
    }
    let mut parts: HashMap<Uuid, _> = sqlx::query!(
        r#"select entry_id, start_score, absent_rounds, bye_rounds, withdrawn_after, carried_score,
                  carried_balance
           from stage_entries where event_id = $1 and stage_no = $2"#,
        event,
        STAGE
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|row| (row.entry_id, row))
    .collect();
    let mut entries = Vec::with_capacity(people.len());
    for row in people {
        // Who is of another group has no part in this stage.
        let Some(part) = parts.remove(&row.entry_id) else {
            continue;
        };
        let carried = part
            .carried_score
            .zip(part.carried_balance)
            .map(|(score, balance)| Carried {
                score: Score(score),
                balance,
                met: met.remove(&row.entry_id).unwrap_or_default(),
            });
        entries.push(Entry {
            number: numbers.of(row.entry_id)?,
            name: row.name,
            name_withheld: row.name_withheld,
            team: row.team,
            grade: row
                .grade
                .map(|grade| grade.parse())
                .transpose()
                .map_err(unreadable)?,
            rating: row.rating,
            category: row.category,
            start_score: Score(part.start_score),
            absent_rounds: part.absent_rounds.into_iter().map(count).collect::<Result<_>>()?,
            bye_rounds: part.bye_rounds.into_iter().map(count).collect::<Result<_>>()?,
            withdrawn_after: part.withdrawn_after.map(count).transpose()?,
            carried,
        });
    }
    Ok((entries, numbers))
}

async fn rounds(
    conn: &mut PgConnection,
    event: Uuid,
    numbers: &Numbers,
) -> Result<(Vec<Round>, Vec<RoundInfo>)> {
    let mut rounds = Vec::new();
    let mut infos = Vec::new();
    let mut index: HashMap<i32, usize> = HashMap::new();
    let rows = sqlx::query!(
        r#"select round_no, status, version, edition, paired_at, paired_by, published_at, publish_at, criteria,
                  free_criteria, notes, by_hand, seed
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
            seed: row
                .seed
                .map(|seed| Ok::<_, crate::Error>(Seed(seed.as_slice().try_into().map_err(unreadable)?)))
                .transpose()?,
            ..Round::default()
        });
        infos.push(RoundInfo {
            round,
            status: Word::of(&row.status)?,
            version: row.version,
            head: None,
            edition: count(row.edition)?,
            paired_at: row.paired_at,
            paired_by: row.paired_by,
            published_at: row.published_at,
            publish_at: row.publish_at,
            criteria: row.criteria.as_ref().map(criteria_of).transpose()?,
            free_criteria: row.free_criteria.as_ref().map(criteria_of).transpose()?,
            notes: notes_of(&row.notes)?,
            by_hand: row.by_hand,
            board_versions: Vec::new(),
            made_on_earlier_results: false,
            earlier_results: Vec::new(),
        });
    }
    let mut sides: HashMap<(i32, i32), Sides> = HashMap::new();
    let rows = sqlx::query!(
        r#"select round_no, entry_id, place, board_no from seats
           where event_id = $1 and stage_no = $2"#,
        event,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        // A round that came between two statements of one transaction is not part of what was asked.
        let Some(&at) = index.get(&row.round_no) else {
            continue;
        };
        let number = numbers.of(row.entry_id)?;
        match (row.place.as_str(), row.board_no) {
            (place, Some(board)) => sides.entry((row.round_no, board)).or_default().set(place, number),
            ("bye", None) => rounds[at].byes.push(number),
            (_, None) => rounds[at].absent.push(number),
        }
    }
    let rows = sqlx::query!(
        r#"select round_no, choice, entry_id, other_id from round_choices
           where event_id = $1 and stage_no = $2"#,
        event,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        let Some(&at) = index.get(&row.round_no) else {
            continue;
        };
        let one = numbers.of(row.entry_id)?;
        let other = row.other_id.map(|other| numbers.of(other)).transpose()?;
        let choices = &mut rounds[at].choices;
        match (row.choice.as_str(), other) {
            ("meet", Some(other)) => choices.pairs.push((one.min(other), one.max(other))),
            (_, Some(other)) => choices.apart.push((one.min(other), one.max(other))),
            ("bye", None) => choices.byes.push(one),
            (_, None) => choices.sitting_out.push(one),
        }
    }
    for round in &mut rounds {
        round.byes.sort_unstable();
        round.absent.sort_unstable();
        in_order(&mut round.choices);
    }
    let rows = sqlx::query!(
        r#"select round_no, board_no, nigiri, result, ended_by, margin_quarters, black_warnings,
                  white_warnings, version
           from boards where event_id = $1 and stage_no = $2 order by round_no, board_no"#,
        event,
        STAGE
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        if let Some(&at) = index.get(&row.round_no) {
            let board = board(
                row.board_no,
                sides.remove(&(row.round_no, row.board_no)).unwrap_or_default(),
                row.nigiri,
                (
                    row.result.as_deref(),
                    row.ended_by.as_deref(),
                    row.margin_quarters,
                ),
                (row.black_warnings, row.white_warnings),
            )?;
            infos[at].board_versions.push((board.board, row.version));
            rounds[at].boards.push(board);
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

/// Pairs of which the smaller number stands first, sorted.
type Pairs = Vec<(Number, Number)>;

/// The forbidden and the unwanted pairs.
async fn kept_apart(conn: &mut PgConnection, event: Uuid, numbers: &Numbers) -> Result<(Pairs, Pairs)> {
    let rows = sqlx::query!(
        "select rule, entry_id, other_id from kept_apart where event_id = $1 and stage_no = $2",
        event,
        STAGE
    )
    .fetch_all(conn)
    .await?;
    let (mut forbidden, mut unwanted) = (Pairs::new(), Pairs::new());
    for row in rows {
        let (one, other) = (numbers.of(row.entry_id)?, numbers.of(row.other_id)?);
        let pairs = if row.rule == "forbidden" {
            &mut forbidden
        } else {
            &mut unwanted
        };
        pairs.push((one.min(other), one.max(other)));
    }
    forbidden.sort_unstable();
    unwanted.sort_unstable();
    Ok((forbidden, unwanted))
}

/// Choices in one order, whatever the order in which they were made.
pub(crate) fn in_order(choices: &mut Choices) {
    for pairs in [&mut choices.pairs, &mut choices.apart] {
        for pair in pairs.iter_mut() {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        pairs.sort_unstable();
    }
    choices.byes.sort_unstable();
    choices.sitting_out.sort_unstable();
}

/// Who sits at a board, as far as it is known.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sides {
    black: Option<Number>,
    white: Option<Number>,
}

impl Sides {
    /// Puts an entry on the side of its place.
    pub(crate) fn set(&mut self, place: &str, number: Number) {
        if place == "black" {
            self.black = Some(number);
        } else {
            self.white = Some(number);
        }
    }
}

/// A board from its columns.
pub(crate) fn board(
    board: i32,
    sides: Sides,
    nigiri: bool,
    (result, by, margin): (Option<&str>, Option<&str>, Option<i32>),
    (black_warnings, white_warnings): (i16, i16),
) -> Result<Board> {
    Ok(Board {
        nigiri,
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
        ..Board::new(
            count(board)?,
            sides.black.ok_or_else(|| unreadable(board))?,
            sides.white.ok_or_else(|| unreadable(board))?,
        )
    })
}
