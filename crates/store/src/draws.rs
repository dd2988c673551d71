//! Draws of lots that anybody can check (pairing specification, section 5; `docs/draw.md`): promised
//! before, with words of the public, revealed when the draw becomes public.
//!
//! A secret is made when there is something to promise, and no function gives it out before it is
//! revealed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::{DateTime, Utc};
use interchange::draw_file::{self, DrawFile, Promise};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tournament::draw::{self, Commitment, Decides, EventId, Secret, Seed, Split, Word};
use tournament::{Entry, Number};
use uuid::Uuid;

use crate::error::unreadable;
use crate::events::{Event, Locked, RoundStatus, trimmed_or_none};
use crate::json::{count, number, stored};
use crate::log::{self, Act, Action, LogHead, Subject};
use crate::{Change, Refused, Result, Tx, entries};

/// 256 random bits for one change, from outside: this room makes no chance of its own.
#[derive(Clone, Copy)]
pub struct Chance(pub [u8; 32]);

/// Not what it is: nothing that is logged may tell a secret.
impl fmt::Debug for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chance")
    }
}

impl Chance {
    /// The secret of one draw. One change may have to promise several.
    fn secret(self, event: Uuid, decides: Decides, edition: u32) -> Secret {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(format!("tianyuan secret\n{event}\n{decides}\n{edition}\n"));
        Secret(hash.finalize().into())
    }
}

/// How many words one draw takes.
const WORDS_LIMIT: usize = 100;

/// A draw as everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// What it decides.
    pub decides: Decides,
    /// 1, and one more for every time that numbers or groups are drawn again.
    pub edition: u32,
    /// What was promised.
    pub commitment: Commitment,
    /// When.
    pub promised_at: DateTime<Utc>,
    /// The act of the log that says it.
    pub promised_seq: i64,
    /// Whether all that the draw depends on was known already then: it was not promised beforehand.
    pub late: bool,
    /// The words of the public, in the order in which they were given.
    pub words: Vec<PublicWord>,
    /// What was revealed, once it was.
    pub revealed: Option<Revealed>,
}

/// A word that somebody in the hall gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicWord {
    /// Its place: what it is taken back by.
    pub position: u32,
    /// The word.
    pub word: Word,
    /// Who said it.
    pub said_by: Option<String>,
    /// When it was entered.
    pub at: DateTime<Utc>,
}

/// What a draw reveals when it becomes public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revealed {
    /// The secret that was promised.
    pub secret: Secret,
    /// The seed that follows.
    pub seed: Seed,
    /// When.
    pub at: DateTime<Utc>,
    /// The act of the log that did it.
    pub seq: i64,
    /// When what was drawn was put back, and counts no more.
    pub put_back_at: Option<DateTime<Utc>>,
}

impl Draw {
    /// Whether it was drawn and counts.
    pub fn is_drawn(&self) -> bool {
        self.revealed
            .as_ref()
            .is_some_and(|revealed| revealed.put_back_at.is_none())
    }
}

/// The id of an event as draws spell it.
///
/// # Errors
/// Never: a UUID is written in one form.
fn event_id(event: Uuid) -> Result<EventId> {
    EventId::new(&event.hyphenated().to_string()).ok_or_else(|| unreadable(event))
}

/// A draw with its secret: does not leave this file.
struct Kept {
    draw: Draw,
    secret: Secret,
    drawn: bool,
    /// Whether it was promised with the draw itself.
    with_draw: bool,
}

impl Kept {
    /// Whether the promise was made with a draft: it would tell that there is one.
    fn told_by_draft(&self) -> bool {
        let of_round = matches!(self.draw.decides, Decides::Round(_));
        of_round && self.with_draw && self.draw.revealed.is_none()
    }

    fn words(&self) -> Vec<Word> {
        self.draw.words.iter().map(|word| word.word.clone()).collect()
    }

    fn redeem(&self, event: Uuid) -> Result<(Promise, Seed)> {
        let id = event_id(event)?;
        Ok(Promise::redeem(&id, self.draw.decides, self.secret, self.words()))
    }
}

async fn kept(conn: &mut PgConnection, event: Uuid) -> Result<Vec<Kept>> {
    let mut words: BTreeMap<(String, i32), Vec<PublicWord>> = BTreeMap::new();
    let rows = sqlx::query!(
        r#"select draw, edition, position, word, said_by, at from draw_words
           where event_id = $1 order by draw, edition, position"#,
        event
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        words
            .entry((row.draw, row.edition))
            .or_default()
            .push(PublicWord {
                position: count(row.position)?,
                word: Word::new(&row.word).map_err(unreadable)?,
                said_by: row.said_by,
                at: row.at,
            });
    }
    let bits = |bytes: &[u8]| -> Result<[u8; 32]> { bytes.try_into().map_err(unreadable) };
    let id = event_id(event)?;
    let rows = sqlx::query!(
        r#"select draw, edition, secret, commitment, promised_at, promised_seq, late, drawn_at,
                  revealed_at, revealed_seq, put_back_at
           from draws where event_id = $1 order by promised_seq, draw, edition"#,
        event
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let decides = Decides::from_word(&row.draw).ok_or_else(|| unreadable(&row.draw))?;
            let secret = Secret(bits(&row.secret)?);
            let words = words.remove(&(row.draw, row.edition)).unwrap_or_default();
            let revealed = row.revealed_at.zip(row.revealed_seq).map(|(at, seq)| {
                let spoken: Vec<Word> = words.iter().map(|word| word.word.clone()).collect();
                Revealed {
                    secret,
                    seed: draw::seed(&id, decides, secret, &spoken),
                    at,
                    seq,
                    put_back_at: row.put_back_at,
                }
            });
            let draw = Draw {
                decides,
                edition: count(row.edition)?,
                commitment: Commitment(bits(&row.commitment)?),
                promised_at: row.promised_at,
                promised_seq: row.promised_seq,
                late: row.late,
                words,
                revealed,
            };
            Ok(Kept {
                with_draw: row.late && row.drawn_at == Some(draw.promised_at),
                drawn: row.drawn_at.is_some(),
                draw,
                secret,
            })
        })
        .collect()
}

/// The draws of an event that everybody may know, in the order in which they were promised.
pub(crate) async fn all(conn: &mut PgConnection, event: Uuid) -> Result<Vec<Draw>> {
    let kept = kept(conn, event).await?;
    let public = kept.into_iter().filter(|kept| !kept.told_by_draft());
    Ok(public.map(|kept| kept.draw).collect())
}

// ---------------------------------------------------------------- promises

/// What is to be promised with a change, before its act has a number.
pub(crate) struct Due(Vec<NewPromise>);

struct NewPromise {
    decides: Decides,
    edition: u32,
    secret: Secret,
    commitment: Commitment,
    late: bool,
}

impl NewPromise {
    fn new(change: &Change<'_>, event: Uuid, decides: Decides, edition: u32, late: bool) -> Result<Self> {
        let secret = change.chance.secret(event, decides, edition);
        Ok(Self {
            decides,
            edition,
            secret,
            commitment: draw::commitment(&event_id(event)?, decides, secret),
            late,
        })
    }
}

impl Due {
    /// Puts the commitments into what an act says.
    pub(crate) fn tell(&self, after: &mut Map<String, Value>) {
        if !self.0.is_empty() {
            let told: Map<String, Value> = self
                .0
                .iter()
                .map(|promise| (promise.decides.to_string(), promise.commitment.to_string().into()))
                .collect();
            after.insert("commitments".into(), told.into());
        }
    }

    /// Keeps the promises that the act of this number has told.
    pub(crate) async fn keep(self, tx: &mut Tx, change: &Change<'_>, event: Uuid, seq: i64) -> Result<()> {
        for promise in self.0 {
            sqlx::query!(
                r#"insert into draws (event_id, draw, edition, secret, commitment, promised_at,
                                      promised_seq, late)
                   values ($1, $2, $3, $4, $5, $6, $7, $8)"#,
                event,
                promise.decides.to_string(),
                stored(promise.edition),
                &promise.secret.0[..],
                &promise.commitment.0[..],
                change.at,
                seq,
                promise.late
            )
            .execute(tx.conn())
            .await?;
        }
        Ok(())
    }
}

/// The round whose pairing would be promised: the one after the last published round. Whether there
/// is a draft of it makes no difference, so that nobody learns of it.
pub fn next_public_round(event: &Event) -> Option<u32> {
    let next = event
        .last_published()
        .map_or(event.stage.first_round, |info| info.round + 1);
    (next <= event.stage.rounds_planned).then_some(next)
}

/// Whether results that the pairing of the next public round depends on are still open. Before the
/// first round there are none to wait for.
fn results_are_open(event: &Event) -> bool {
    let Some(last) = event.last_published() else {
        return true;
    };
    let round = event.stage.rounds.iter().find(|round| round.round == last.round);
    round.is_some_and(|round| round.pending().next().is_some())
}

/// What has to be promised now that the event is as it is.
pub(crate) async fn due(tx: &mut Tx, change: &Change<'_>, event: &Event) -> Result<Due> {
    let late = !results_are_open(event);
    due_for(tx, change, event, next_public_round(event), late).await
}

/// What has to be promised before this round can be paired, and whether that is too late: the
/// pairing, where the settings draw lots, and the draws of numbers and groups as long as they can
/// be made.
pub(crate) async fn due_for(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &Event,
    next: Option<u32>,
    late: bool,
) -> Result<Due> {
    let there: Vec<Draw> = kept(tx.conn(), event.id)
        .await?
        .into_iter()
        .map(|kept| kept.draw)
        .collect();
    let mut due = Vec::new();
    if let Some(round) = next.filter(|_| event.stage.pairing.needs_seed()) {
        let decides = Decides::Round(round);
        if !there.iter().any(|draw| draw.decides == decides) {
            due.push(NewPromise::new(change, event.id, decides, 1, late)?);
        }
    }
    if !entries::numbers_are_fixed(event) {
        for decides in [Decides::Numbers, Decides::Groups] {
            let last = there.iter().rfind(|draw| draw.decides == decides);
            if last.is_none_or(|draw| draw.revealed.is_some()) {
                let edition = last.map_or(1, |draw| draw.edition + 1);
                due.push(NewPromise::new(change, event.id, decides, edition, false)?);
            }
        }
    }
    Ok(Due(due))
}

/// Takes the promised draw that comes next, or makes the promise in this moment, too late.
async fn open(tx: &mut Tx, change: &Change<'_>, event: &Event, decides: Decides) -> Result<Kept> {
    let all = kept(tx.conn(), event.id).await?;
    let last = all.into_iter().rfind(|kept| kept.draw.decides == decides);
    let edition = match last {
        // A round that was published, thrown away and is paired again keeps its seed.
        Some(kept) if kept.draw.revealed.is_none() || matches!(decides, Decides::Round(_)) => {
            return Ok(kept);
        }
        Some(kept) => kept.draw.edition + 1,
        None => 1,
    };
    let promise = NewPromise::new(change, event.id, decides, edition, true)?;
    let kept = Kept {
        draw: Draw {
            decides,
            edition,
            commitment: promise.commitment,
            promised_at: change.at,
            promised_seq: event.last_seq + 1,
            late: true,
            words: Vec::new(),
            revealed: None,
        },
        secret: promise.secret,
        drawn: false,
        with_draw: true,
    };
    // The event is locked: the act that is logged next is the one that tells of the draw.
    Due(vec![promise])
        .keep(tx, change, event.id, event.last_seq + 1)
        .await?;
    Ok(kept)
}

/// The seed that the next round is paired with, where the settings draw lots; and the commitment,
/// when it had to be made in this moment. From now on no word is taken; a draft that is thrown away
/// and paired again has the same seed.
pub(crate) async fn seed_for(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &Event,
    round: u32,
) -> Result<Option<(Seed, Option<Commitment>)>> {
    if !event.stage.pairing.needs_seed() {
        return Ok(None);
    }
    let kept = open(tx, change, event, Decides::Round(round)).await?;
    let (_, seed) = kept.redeem(event.id)?;
    mark_drawn(tx, change, event.id, &kept.draw).await?;
    let now = kept.draw.promised_seq > event.last_seq;
    Ok(Some((seed, now.then_some(kept.draw.commitment))))
}

async fn mark_drawn(tx: &mut Tx, change: &Change<'_>, event: Uuid, draw: &Draw) -> Result<()> {
    sqlx::query!(
        r#"update draws set drawn_at = $4
           where event_id = $1 and draw = $2 and edition = $3 and drawn_at is null"#,
        event,
        draw.decides.to_string(),
        stored(draw.edition),
        change.at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Reveals a draw with the act of this number.
pub(crate) async fn reveal(
    tx: &mut Tx,
    change: &Change<'_>,
    event: Uuid,
    decides: Decides,
    seq: i64,
) -> Result<()> {
    sqlx::query!(
        r#"update draws set drawn_at = coalesce(drawn_at, $3), revealed_at = $3, revealed_seq = $4
           where event_id = $1 and draw = $2 and revealed_at is null and promised_seq <= $4"#,
        event,
        decides.to_string(),
        change.at,
        seq
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

// ---------------------------------------------------------------- public words

/// Whether words are taken for a draw now. For directors' eyes: that a draft is there closes them.
pub fn takes_words(event: &Event, draw: &Draw) -> bool {
    let open = match draw.decides {
        Decides::Round(round) => {
            next_public_round(event) == Some(round)
                && event.stage.next_round() == round
                && results_are_open(event)
        }
        Decides::Numbers | Decides::Groups => !entries::numbers_are_fixed(event),
    };
    open && draw.revealed.is_none()
}

async fn words_open(tx: &mut Tx, event: &Event, decides: Decides) -> Result<Kept> {
    let all = kept(tx.conn(), event.id).await?;
    let last = all.into_iter().rfind(|kept| kept.draw.decides == decides);
    let kept = last.ok_or(Refused::NothingPromised { decides })?;
    if kept.drawn || !takes_words(event, &kept.draw) {
        return Err(Refused::WordsClosed { decides }.into());
    }
    Ok(kept)
}

/// Adds a public word to a draw that is promised and not closed.
///
/// # Errors
/// Refused when the text is no word, nothing is promised, the last result is in or the draw was
/// made, and when there are too many words.
pub async fn add_word(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    decides: Decides,
    word: &str,
    said_by: Option<&str>,
) -> Result<()> {
    let word = Word::new(word).map_err(Refused::Word)?;
    let kept = words_open(tx, event, decides).await?;
    if kept.draw.words.len() >= WORDS_LIMIT {
        let most = WORDS_LIMIT;
        return Err(Refused::TooManyWords { most }.into());
    }
    let position = kept
        .draw
        .words
        .iter()
        .map(|word| word.position)
        .max()
        .unwrap_or(0)
        + 1;
    let said_by = said_by.and_then(trimmed_or_none);
    let after = json!({"draw": decides.to_string(), "word": word.as_str(), "said_by": said_by});
    let act = Act::new(Action::WordAdded, subject(decides), Value::Null, after);
    log::append(tx, change, event.id, act).await?;
    sqlx::query!(
        r#"insert into draw_words (event_id, draw, edition, position, word, said_by, at)
           values ($1, $2, $3, $4, $5, $6, $7)"#,
        event.id,
        decides.to_string(),
        stored(kept.draw.edition),
        stored(position),
        word.as_str(),
        said_by,
        change.at
    )
    .execute(tx.conn())
    .await?;
    event.reload(tx).await
}

/// Takes a public word back, as long as words are taken.
///
/// # Errors
/// Refused as [`add_word`], and when there is no such word.
pub async fn remove_word(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    decides: Decides,
    position: u32,
) -> Result<()> {
    let kept = words_open(tx, event, decides).await?;
    let word = kept.draw.words.iter().find(|word| word.position == position);
    let word = word.ok_or(Refused::UnknownWord { position })?;
    let before = json!({"draw": decides.to_string(), "word": word.word.as_str(), "said_by": word.said_by});
    let act = Act::new(Action::WordRemoved, subject(decides), before, Value::Null);
    log::append(tx, change, event.id, act).await?;
    sqlx::query!(
        "delete from draw_words where event_id = $1 and draw = $2 and edition = $3 and position = $4",
        event.id,
        decides.to_string(),
        stored(kept.draw.edition),
        stored(position)
    )
    .execute(tx.conn())
    .await?;
    event.reload(tx).await
}

fn subject(decides: Decides) -> Subject {
    match decides {
        Decides::Round(round) => Subject::Round(round),
        Decides::Numbers | Decides::Groups => Subject::Event,
    }
}

// ---------------------------------------------------------------- numbers and groups

/// How numbers are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberRequest {
    /// Who is seeded (种子), by the numbers of now.
    pub seeded: Vec<Number>,
    /// The numbers that seeded entries draw among, ascending; none for the usual ones.
    pub slots: Option<Vec<Number>>,
    /// Whether numbers that were drawn already are drawn again.
    pub again: bool,
}

/// What makes the list that is split by strength, the strongest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StrengthBy {
    /// Higher rating first.
    #[default]
    Rating,
    /// Higher grade first.
    Grade,
    /// Smaller number first.
    Number,
}

/// How the field is split into groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupRequest {
    /// Into how many.
    pub groups: usize,
    /// Where by strength, what makes it; equal ones, and those without it, follow by number.
    pub by: StrengthBy,
    /// By lots or by strength.
    pub split: Split,
    /// Whether categories that are there already are replaced.
    pub again: bool,
}

/// Refuses what was drawn already, unless it is to be drawn again.
fn once(event: &Event, decides: Decides, again: bool) -> Result<()> {
    let there = event
        .draws
        .iter()
        .rfind(|draw| draw.decides == decides && draw.is_drawn());
    match there.and_then(|draw| draw.revealed.as_ref()) {
        Some(revealed) if !again => Err(Refused::DrawnAlready {
            decides,
            at: revealed.at,
        }
        .into()),
        _ => Ok(()),
    }
}

/// Draws the numbers 1 to n by lot, from the promised secret and the public words.
///
/// # Errors
/// Refused when a round is paired or something is carried over: numbers are fixed then; when they
/// were drawn already and are not to be drawn again; when seeded entries and slots do not fit.
pub async fn draw_numbers(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    request: NumberRequest,
) -> Result<()> {
    let decides = Decides::Numbers;
    if entries::numbers_are_fixed(event) {
        return Err(Refused::NumbersFixed.into());
    }
    once(event, decides, request.again)?;
    for number in &request.seeded {
        event.entry_id(*number)?;
    }
    let list = by_number(event);
    let seeded: Vec<(Option<String>, bool)> = list
        .iter()
        .map(|entry| (Some(entry.name.clone()), request.seeded.contains(&entry.number)))
        .collect();
    let count_seeded = seeded.iter().filter(|(_, seeded)| *seeded).count();
    let slots = request
        .slots
        .unwrap_or_else(|| draw::usual_slots(list.len(), count_seeded));
    let kept = open(tx, change, event, decides).await?;
    let (promise, seed) = kept.redeem(event.id)?;
    let file = DrawFile::draw_numbers(event_id(event.id)?, Some(promise), seed, seeded, slots)
        .map_err(Refused::NumberDraw)?;
    let draw_file::Content::Numbers(drawn) = &file.content else {
        return Err(unreadable("the draw of numbers"));
    };
    let keys = list
        .iter()
        .map(|entry| event.entry_id(entry.number))
        .collect::<Result<Vec<Uuid>>>()?;
    let numbers: Vec<i32> = drawn
        .entries
        .iter()
        .map(|entry| stored(entry.number.get()))
        .collect();
    let told = |numbers: &mut dyn Iterator<Item = Number>| -> Map<String, Value> {
        numbers
            .zip(&list)
            .map(|(number, entry)| (number.to_string(), entry.name.as_str().into()))
            .collect()
    };
    let before = told(&mut list.iter().map(|entry| entry.number));
    let after = told(&mut drawn.entries.iter().map(|entry| entry.number));
    sqlx::query!(
        r#"update entries set number = drawn.number
           from unnest($2::uuid[], $3::integer[]) as drawn (entry_id, number)
           where entries.event_id = $1 and entries.entry_id = drawn.entry_id"#,
        event.id,
        &keys,
        &numbers
    )
    .execute(tx.conn())
    .await?;
    finish(
        tx,
        change,
        event,
        &kept,
        Action::NumbersDrawn,
        (before, after),
        file,
    )
    .await
}

/// Splits the field into groups A, B, …: the categories of the entries.
///
/// # Errors
/// Refused when a round is paired, when there are categories already and they are not to be
/// replaced, and when the field cannot be split so.
pub async fn draw_groups(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    request: GroupRequest,
) -> Result<()> {
    let decides = Decides::Groups;
    if entries::numbers_are_fixed(event) {
        return Err(Refused::GroupsFixed.into());
    }
    once(event, decides, request.again)?;
    let mut list = by_number(event);
    if !request.again {
        let named: Vec<Number> = list
            .iter()
            .filter(|entry| entry.category.is_some())
            .map(|entry| entry.number)
            .collect();
        if !named.is_empty() {
            return Err(Refused::CategoriesThere { numbers: named }.into());
        }
    }
    if matches!(request.split, Split::Snake { .. }) {
        match request.by {
            StrengthBy::Rating => list.sort_by_key(|entry| std::cmp::Reverse(entry.rating)),
            StrengthBy::Grade => list.sort_by_key(|entry| std::cmp::Reverse(entry.grade)),
            StrengthBy::Number => {}
        }
    }
    let named = list
        .iter()
        .map(|entry| (Some(entry.name.clone()), Some(entry.number)))
        .collect();
    let kept = open(tx, change, event, decides).await?;
    let (promise, seed) = kept.redeem(event.id)?;
    let id = event_id(event.id)?;
    let file = DrawFile::draw_groups(id, Some(promise), seed, named, request.groups, request.split)
        .map_err(Refused::GroupDraw)?;
    let draw_file::Content::Groups(drawn) = &file.content else {
        return Err(unreadable("the draw of groups"));
    };
    let letters: Vec<String> = drawn
        .entries
        .iter()
        .map(|entry| draw::Groups::letter(entry.group).to_string())
        .collect();
    let keys = list
        .iter()
        .map(|entry| event.entry_id(entry.number))
        .collect::<Result<Vec<Uuid>>>()?;
    let before = list
        .iter()
        .map(|entry| (entry.number.to_string(), json!(entry.category)))
        .collect();
    let after = list
        .iter()
        .zip(&letters)
        .map(|(entry, letter)| (entry.number.to_string(), json!(letter)))
        .collect();
    sqlx::query!(
        r#"update entries set category = drawn.category
           from unnest($2::uuid[], $3::text[]) as drawn (entry_id, category)
           where entries.event_id = $1 and entries.entry_id = drawn.entry_id"#,
        event.id,
        &keys,
        &letters
    )
    .execute(tx.conn())
    .await?;
    finish(
        tx,
        change,
        event,
        &kept,
        Action::GroupsDrawn,
        (before, after),
        file,
    )
    .await
}

/// Puts drawn numbers back: everybody has the number of before the draw, as far as the entry is still
/// there. What was revealed stays public, and the next draw is from the next promise.
///
/// # Errors
/// Refused once numbers are fixed, when numbers were given anew or entries removed since, and when a
/// number of before is somebody else's by now.
pub(crate) async fn put_numbers_back(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    seq: i64,
    before: &[Number],
) -> Result<()> {
    let decides = Decides::Numbers;
    if entries::numbers_are_fixed(event) {
        return Err(Refused::NumbersFixed.into());
    }
    let edition = drawn_by(tx, event, decides, seq).await?;
    let text = sqlx::query_scalar!(
        "select file from draw_files where event_id = $1 and draw = $2 and edition = $3",
        event.id,
        decides.to_string(),
        stored(edition)
    )
    .fetch_one(tx.conn())
    .await?;
    let file = draw_file::read(text.as_bytes())
        .map_err(|_| unreadable(event.id))?
        .draw;
    let draw_file::Content::Numbers(drawn) = file.content else {
        return Err(unreadable("the draw of numbers"));
    };
    // Both are in the order of the numbers of before.
    let old: BTreeMap<Number, Number> = drawn
        .entries
        .iter()
        .map(|entry| entry.number)
        .zip(before.iter().copied())
        .collect();
    let list = by_number(event);
    let put: Vec<Number> = list
        .iter()
        .map(|entry| old.get(&entry.number).copied().unwrap_or(entry.number))
        .collect();
    let mut stage = tournament::Stage::swiss(1);
    for (entry, number) in list.iter().zip(&put) {
        stage.entries.push(Entry::new(*number, entry.name.clone()));
    }
    let faults = tournament::validate::faults(&stage);
    if !faults.is_empty() {
        return Err(Refused::Faults(faults).into());
    }
    let keys = keys_of(event, &list)?;
    let numbers: Vec<i32> = put.iter().map(|number| stored(number.get())).collect();
    sqlx::query!(
        r#"update entries set number = drawn.number
           from unnest($2::uuid[], $3::integer[]) as drawn (entry_id, number)
           where entries.event_id = $1 and entries.entry_id = drawn.entry_id"#,
        event.id,
        &keys,
        &numbers
    )
    .execute(tx.conn())
    .await?;
    let told = |number: Number, entry: &Entry| (number.to_string(), Value::from(entry.name.as_str()));
    let before = list.iter().map(|entry| told(entry.number, entry)).collect();
    let after = list
        .iter()
        .zip(&put)
        .map(|(entry, number)| told(*number, entry))
        .collect();
    put_back(
        tx,
        change,
        event,
        (decides, edition),
        Action::NumbersPutBack,
        (before, after),
    )
    .await
}

/// Who has which category.
pub(crate) type Categories = BTreeMap<Number, Option<String>>;

/// Gives everybody the category of before the groups were drawn.
///
/// # Errors
/// As [`put_numbers_back`], and when a category has been changed since.
pub(crate) async fn put_groups_back(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    seq: i64,
    (before, after): (&Categories, &Categories),
) -> Result<()> {
    let decides = Decides::Groups;
    if entries::numbers_are_fixed(event) {
        return Err(Refused::GroupsFixed.into());
    }
    let edition = drawn_by(tx, event, decides, seq).await?;
    let list: Vec<Entry> = by_number(event)
        .into_iter()
        .filter(|entry| before.contains_key(&entry.number))
        .collect();
    let changed: Vec<Number> = list
        .iter()
        .filter(|entry| after.get(&entry.number) != Some(&entry.category))
        .map(|entry| entry.number)
        .collect();
    if !changed.is_empty() {
        return Err(Refused::Overtaken { numbers: changed }.into());
    }
    let keys = keys_of(event, &list)?;
    let categories: Vec<Option<&str>> = list
        .iter()
        .map(|entry| before.get(&entry.number).and_then(Option::as_deref))
        .collect();
    sqlx::query!(
        r#"update entries set category = drawn.category
           from unnest($2::uuid[], $3::text[]) as drawn (entry_id, category)
           where entries.event_id = $1 and entries.entry_id = drawn.entry_id"#,
        event.id,
        &keys,
        &categories as &[Option<&str>]
    )
    .execute(tx.conn())
    .await?;
    let now = list
        .iter()
        .map(|entry| (entry.number.to_string(), json!(entry.category)));
    let then = list
        .iter()
        .zip(&categories)
        .map(|(entry, category)| (entry.number.to_string(), json!(category)));
    let told = (now.collect(), then.collect());
    put_back(tx, change, event, (decides, edition), Action::GroupsPutBack, told).await
}

/// The edition that an act has drawn, when nothing since has made it another thing to put back.
async fn drawn_by(tx: &mut Tx, event: &Locked, decides: Decides, seq: i64) -> Result<u32> {
    let last = event
        .draws
        .iter()
        .rfind(|draw| draw.decides == decides && draw.is_drawn());
    let last = last.ok_or(Refused::NothingDrawn { decides })?;
    let later = sqlx::query!(
        r#"select seq, action from log
           where event_id = $1 and seq > $2
             and (action in ('numbers-drawn', 'numbers-put-back', 'entry-deleted')
                  or action = 'entry-updated' and jsonb_exists(after, 'number'))
           order by seq limit 1"#,
        event.id,
        seq
    )
    .fetch_optional(tx.conn())
    .await?;
    if let Some(later) = later {
        return Err(Refused::ChangedSince {
            seq,
            later: later.seq,
            action: crate::json::Word::of(&later.action)?,
        }
        .into());
    }
    let drawn = last.revealed.as_ref().filter(|revealed| revealed.seq == seq);
    drawn.ok_or(Refused::NothingDrawn { decides })?;
    Ok(last.edition)
}

/// Logs that a draw was put back, and remembers it.
async fn put_back(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    (decides, edition): (Decides, u32),
    action: Action,
    (before, after): (Map<String, Value>, Map<String, Value>),
) -> Result<()> {
    let act = Act::new(action, Subject::Event, before.into(), after.into());
    log::append(tx, change, event.id, act).await?;
    sqlx::query!(
        "update draws set put_back_at = $4 where event_id = $1 and draw = $2 and edition = $3",
        event.id,
        decides.to_string(),
        stored(edition),
        change.at
    )
    .execute(tx.conn())
    .await?;
    event.reload(tx).await
}

fn keys_of(event: &Locked, list: &[Entry]) -> Result<Vec<Uuid>> {
    list.iter().map(|entry| event.entry_id(entry.number)).collect()
}

fn by_number(event: &Event) -> Vec<Entry> {
    let mut list = event.stage.entries.clone();
    list.sort_unstable_by_key(|entry| entry.number);
    list
}

/// Logs a draw of numbers or groups, reveals it, keeps its file and promises the next one.
async fn finish(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    kept: &Kept,
    action: Action,
    (before, mut after): (Map<String, Value>, Map<String, Value>),
    mut file: DrawFile,
) -> Result<()> {
    let decides = kept.draw.decides;
    let next = NewPromise::new(change, event.id, decides, kept.draw.edition + 1, false)?;
    let next = Due(vec![next]);
    if let Some(seed) = file.seed {
        after.insert("seed".into(), seed.to_string().into());
    }
    after.insert("secret".into(), kept.secret.to_string().into());
    if kept.draw.late {
        after.insert("commitment".into(), kept.draw.commitment.to_string().into());
    }
    next.tell(&mut after);
    let act = Act::new(action, Subject::Event, before.into(), after.into());
    let seq = log::append(tx, change, event.id, act).await?;
    mark_drawn(tx, change, event.id, &kept.draw).await?;
    reveal(tx, change, event.id, decides, seq).await?;
    next.keep(tx, change, event.id, seq).await?;
    file.log = log::heads(tx.conn(), event.id, &[seq])
        .await?
        .pop()
        .map(LogHead::told);
    keep_file(tx, event.id, decides, kept.draw.edition, &file).await?;
    event.reload(tx).await
}

// ---------------------------------------------------------------- files

async fn keep_file(tx: &mut Tx, event: Uuid, decides: Decides, edition: u32, file: &DrawFile) -> Result<()> {
    sqlx::query!(
        r#"insert into draw_files (event_id, draw, edition, file) values ($1, $2, $3, $4)
           on conflict on constraint draw_files_key do update set file = excluded.file"#,
        event,
        decides.to_string(),
        stored(edition),
        draw_file::write(file)
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Keeps the draw file of a published round as it is now: entries, settings and results that it was
/// made from may change later.
pub(crate) async fn keep_round(tx: &mut Tx, event: &Event, round: u32) -> Result<()> {
    let Some(edition) = event.round_info(round).map(|info| info.edition) else {
        return Ok(());
    };
    let promise = promise_of(tx, event, round).await?;
    let head = event.round_info(round).and_then(|info| info.head);
    let event = event.clone();
    let id = event.id;
    // A large field takes a while, and the thread has other requests to answer.
    let file = tokio::task::spawn_blocking(move || round_file(&event, round, promise))
        .await
        .map_err(unreadable)??;
    match file {
        Some(mut file) => {
            file.log = head.map(LogHead::told);
            keep_file(tx, id, Decides::Round(round), edition, &file).await
        }
        None => Ok(()),
    }
}

/// What was promised for a round, once it is revealed and the round was paired with its seed.
async fn promise_of(tx: &mut Tx, event: &Event, round: u32) -> Result<Option<Promise>> {
    let all = kept(tx.conn(), event.id).await?;
    let seed = event
        .stage
        .rounds
        .iter()
        .find(|table| table.round == round)
        .and_then(|table| table.seed);
    let Some(kept) = all
        .into_iter()
        .find(|kept| kept.draw.decides == Decides::Round(round) && kept.draw.revealed.is_some())
    else {
        return Ok(None);
    };
    let (promise, of_promise) = kept.redeem(event.id)?;
    Ok((seed == Some(of_promise)).then_some(promise))
}

/// The draw of a round from the event as it is known, with results as they stood when it was paired.
fn round_file(event: &Event, round: u32, promise: Option<Promise>) -> Result<Option<DrawFile>> {
    let file = interchange::EventFile {
        stage: as_it_stood(event, round),
        // What is asked of game records decides nothing in a draw.
        records: interchange::RecordSettings::default(),
        awards: tournament::Awards::default(),
        ..crate::events::export(event)
    };
    Ok(DrawFile::of_round(event_id(event.id)?, promise, &file, round))
}

/// The stage as it stood when a round had been paired: without later rounds, and results that were
/// corrected since as they were then.
pub fn as_it_stood(event: &Event, round: u32) -> tournament::Stage {
    let mut stage = event.stage.after(round);
    let earlier = event.round_info(round).map(|info| &info.earlier_results[..]);
    for earlier in earlier.unwrap_or_default() {
        let boards = stage
            .rounds
            .iter_mut()
            .filter(|table| table.round == earlier.round)
            .flat_map(|table| &mut table.boards)
            .filter(|board| board.board == earlier.board);
        for board in boards {
            board.result = earlier.result;
            board.by = None;
            board.margin = None;
        }
    }
    stage
}

/// The draw file of a published round, of the numbers or of the groups, as its text. For a draft,
/// which only directors may ask for, it has no promise yet: that is revealed with the publication.
///
/// # Errors
/// Refused when there is no such round, or nothing was drawn.
pub async fn file(tx: &mut Tx, event: &Event, decides: Decides) -> Result<String> {
    let edition = match decides {
        Decides::Round(round) => {
            let info = event.round_info(round).ok_or(Refused::UnknownRound { round })?;
            (info.status == RoundStatus::Published).then_some(info.edition)
        }
        Decides::Numbers | Decides::Groups => {
            let draw = event
                .draws
                .iter()
                .rfind(|draw| draw.decides == decides && draw.is_drawn());
            Some(draw.ok_or(Refused::NothingDrawn { decides })?.edition)
        }
    };
    let kept = match edition {
        Some(edition) => {
            sqlx::query_scalar!(
                "select file from draw_files where event_id = $1 and draw = $2 and edition = $3",
                event.id,
                decides.to_string(),
                stored(edition)
            )
            .fetch_optional(tx.conn())
            .await?
        }
        None => None,
    };
    let text = match (kept, decides) {
        (Some(file), _) => file,
        // A round from before draw files were kept, or one that came in a file.
        (None, Decides::Round(round)) => {
            let promise = promise_of(tx, event, round).await?;
            let event = event.clone();
            tokio::task::spawn_blocking(move || round_file(&event, round, promise))
                .await
                .map_err(unreadable)??
                .map(|file| draw_file::write(&file))
                .ok_or(Refused::UnknownRound { round })?
        }
        (None, _) => return Err(Refused::NothingDrawn { decides }.into()),
    };
    without_withheld(tx, event.id, text).await
}

/// A draw file with the numbers instead of the names that are withheld now, whoever reads it: it is
/// there to be passed on.
async fn without_withheld(tx: &mut Tx, event: Uuid, text: String) -> Result<String> {
    let withheld = sqlx::query!(
        "select number, name from entries where event_id = $1 and name_withheld",
        event
    )
    .fetch_all(tx.conn())
    .await?;
    if withheld.is_empty() {
        return Ok(text);
    }
    let names: BTreeSet<String> = withheld.iter().map(|row| row.name.clone()).collect();
    let numbers = withheld
        .iter()
        .map(|row| number(row.number))
        .collect::<Result<BTreeSet<Number>>>()?;
    let mut file = draw_file::read(text.as_bytes())
        .map_err(|_| unreadable(event))?
        .draw;
    file.withhold_names_of(&names, &numbers);
    Ok(draw_file::write(&file))
}
