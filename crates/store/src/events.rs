//! Events: create, find, lock, change settings, take in and give out.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Utc};
pub use interchange::RecordSettings;
use interchange::event_file::{Circumstances, TableFacts, komi_fault};
use interchange::{Date, EventFile};
use rules::{Komi, OnRepetition, RuleSet};
use serde_json::Value;
use tournament::validate::{Fault, FaultKind, is_blank, text_fault, year_fault};
use tournament::{
    Awards, Colours, Criteria, Criterion, Entry, Number, NumberOrder, OrderBy, PairingOrder, PairingSettings,
    Prizes, Promotion, Ranking, Score, Stage, TeamAvoidance, ThirdColour, Unplayed,
};
use uuid::Uuid;

use crate::draws::Draw;
use crate::error::unreadable;
use crate::json::{self, Word, count, stored};
use crate::load::{self, GROUP, Loaded, STAGE};
use crate::log::{self, Act, Action, LogHead, Subject};
use crate::result_links::{self, ResultSettings};
use crate::{
    Change, Error, Page, Paging, Refused, Result, Schedule, Tx, Tz, draws, entries, people, records, rounds,
    schedule,
};

/// Who may see an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everybody.
    #[default]
    Public,
    /// Directors only; for everybody else it does not exist.
    Hidden,
}

impl Visibility {
    /// The word that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Hidden => "hidden",
        }
    }
}

/// That an event is final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// Since when.
    pub at: DateTime<Utc>,
    /// Who declared it.
    pub by: String,
    /// In which words.
    pub reason: Option<String>,
}

impl Frozen {
    /// The refusal of a change.
    pub(crate) fn refusal(&self) -> Refused {
        Refused::Frozen {
            by: self.by.clone(),
            at: self.at,
        }
    }
}

/// A whole event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its id.
    pub id: Uuid,
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The rules of the game.
    pub rules: RuleSet,
    /// The komi.
    pub komi: Komi,
    /// Where it is played.
    pub place: Option<String>,
    /// The first day.
    pub starts_on: Option<NaiveDate>,
    /// Its time zone, and when its rounds begin.
    pub schedule: Schedule,
    /// Who may see it.
    pub visibility: Visibility,
    /// What it asks of game records.
    pub records: RecordSettings,
    /// What it asks of results.
    pub results: ResultSettings,
    /// Promotion and prizes.
    pub awards: Awards,
    /// Since when it is final and takes no change.
    pub frozen: Option<Frozen>,
    /// Entries, settings and rounds, **drafts included**: for directors' eyes. Everything public
    /// goes through [`Event::public_stage`].
    pub stage: Stage,
    /// What is known of each round beside its table, in the order of `stage.rounds`.
    pub rounds: Vec<RoundInfo>,
    /// The draws that were promised, in that order, as everybody may know them.
    pub draws: Vec<Draw>,
    /// Changes with every change of the settings; for `If-Match`.
    pub version: i64,
    /// The number of the last log entry. It moves with drafts too: never show it to the public.
    pub last_seq: i64,
    /// The end of the log as everybody may know it: see [`Event::public_seq`]. None for a log that
    /// somebody has cut short.
    pub head: Option<LogHead>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When the settings were changed last.
    pub updated_at: DateTime<Utc>,
}

impl Event {
    /// Refuses when the event is final. The log refuses each act all the same; asked first, somebody whose
    /// change is refused for another reason as well is not sent to put that right in vain.
    ///
    /// # Errors
    /// `frozen`.
    pub fn expect_open(&self) -> Result<()> {
        match &self.frozen {
            None => Ok(()),
            Some(frozen) => Err(frozen.refusal().into()),
        }
    }

    /// The stage without drafts, and without absences in rounds that are not published: seating
    /// somebody in a draft changes them.
    pub fn public_stage(&self) -> Stage {
        let mut stage = self.stage.clone();
        let last = self.last_published().map_or(0, |info| info.round);
        for entry in &mut stage.entries {
            entry.absent_rounds.retain(|round| *round <= last);
        }
        stage.rounds.retain(|round| {
            self.round_info(round.round)
                .is_some_and(|info| info.status == RoundStatus::Published)
        });
        stage
    }

    /// The act at which the log is shown to everybody: when the last published table was published
    /// or changed; at the end of the event, when everything planned is played, the last result; before
    /// the first round, the last draw of numbers or groups, or the beginning. It follows from what is public alone, so it never tells of a
    /// draft.
    pub(crate) fn public_seq(&self) -> i64 {
        let published = || {
            self.rounds
                .iter()
                .filter(|info| info.status == RoundStatus::Published)
        };
        let Some(last) = published().next_back() else {
            let drawn = self.draws.iter().filter_map(|draw| draw.revealed.as_ref());
            return drawn.map(|revealed| revealed.seq).max().unwrap_or(1);
        };
        let pending = self
            .stage
            .rounds
            .iter()
            .any(|round| round.pending().next().is_some());
        if last.round < self.stage.rounds_planned || pending {
            return last.version;
        }
        let boards = published().flat_map(|info| &info.board_versions);
        boards
            .map(|(_, version)| *version)
            .chain(published().map(|info| info.version))
            .max()
            .unwrap_or(1)
    }

    /// Puts what is shown instead in the place of the names that are withheld from the public.
    pub fn withhold_names(&mut self, shown: impl Fn(Number) -> String) {
        for entry in &mut self.stage.entries {
            if entry.name_withheld {
                entry.name = shown(entry.number);
            }
        }
    }

    /// What is known of a round, draft or published.
    pub fn round_info(&self, round: u32) -> Option<&RoundInfo> {
        self.rounds.iter().find(|info| info.round == round)
    }

    /// The draft, when there is one. It is always the last round.
    pub fn draft(&self) -> Option<&RoundInfo> {
        self.rounds.iter().find(|info| info.status == RoundStatus::Draft)
    }

    /// The last published round.
    pub fn last_published(&self) -> Option<&RoundInfo> {
        self.rounds
            .iter()
            .rev()
            .find(|info| info.status == RoundStatus::Published)
    }
}

/// An event on which the caller's transaction holds the lock. The functions that change it bring
/// it up to date.
#[derive(Debug)]
pub struct Locked(pub(crate) Loaded);

impl std::ops::Deref for Locked {
    type Target = Event;

    fn deref(&self) -> &Event {
        &self.0.event
    }
}

impl Locked {
    /// The event as it is now, for the time after the transaction.
    pub fn into_event(self) -> Event {
        self.0.event
    }

    /// Brings it up to date after a change.
    pub(crate) async fn reload(&mut self, tx: &mut Tx) -> Result<()> {
        let id = self.id;
        self.0 = load::event(tx.conn(), id).await?.ok_or_else(|| unreadable(id))?;
        Ok(())
    }

    /// The key of an entry.
    pub(crate) fn entry_id(&self, number: Number) -> Result<Uuid> {
        Ok(*self.0.ids.get(&number).ok_or(Refused::UnknownEntry { number })?)
    }
}

/// How far a round has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundStatus {
    /// Paired, and seen by directors only.
    Draft,
    /// Seen by everybody.
    Published,
}

impl RoundStatus {
    /// The word that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published => "published",
        }
    }
}

/// What is known of a round beside its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundInfo {
    /// The round.
    pub round: u32,
    /// Draft or published.
    pub status: RoundStatus,
    /// Changes with every change of the table and of the status; for `If-Match`. No value comes
    /// twice in an event, not even when a round is thrown away and paired again.
    pub version: i64,
    /// The log when the table was published or changed last; none for a draft, and for a log that
    /// somebody has cut short.
    pub head: Option<LogHead>,
    /// 1 for the table as it was first published, one more for every later published table of
    /// this round: the "version 2" on the wall. A draft has the one it will be published as.
    pub edition: u32,
    /// When it was paired.
    pub paired_at: DateTime<Utc>,
    /// Who paired it.
    pub paired_by: String,
    /// When it was published.
    pub published_at: Option<DateTime<Utc>>,
    /// When a draft is to be published by itself.
    pub publish_at: Option<DateTime<Utc>>,
    /// What the pairing reached when it was made. None for a round that came in a file.
    pub criteria: Option<Criteria>,
    /// What the best table would have reached without what the director had fixed, where
    /// something was.
    pub free_criteria: Option<Criteria>,
    /// What the pairing had to say, when it was made.
    pub notes: Vec<tournament::pairing::Note>,
    /// Whether people have changed the table after the engine made it, or made it by hand.
    pub by_hand: bool,
    /// Each board's version, for `If-Match`; no value comes twice in an event.
    pub board_versions: Vec<(u32, i64)>,
    /// Whether a result of an earlier round is another one now than when this was paired.
    pub made_on_earlier_results: bool,
    /// Which results those were.
    pub earlier_results: Vec<EarlierResult>,
}

impl RoundInfo {
    /// The version of a board.
    pub fn board_version(&self, board: u32) -> Option<i64> {
        self.board_versions
            .iter()
            .find_map(|(b, version)| (*b == board).then_some(*version))
    }
}

pub use interchange::event_file::EarlierResult;

/// An event in a list, and all that entering a result needs to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSummary {
    /// Its id.
    pub id: Uuid,
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Where it is played.
    pub place: Option<String>,
    /// The first day.
    pub starts_on: Option<NaiveDate>,
    /// Who may see it.
    pub visibility: Visibility,
    /// How many entries it has.
    pub entries: u32,
    /// How many rounds are planned.
    pub rounds_planned: u32,
    /// The last published round, none before the first.
    pub last_published: Option<u32>,
    /// Boards of published rounds without a result.
    pub pending: u32,
    /// Whether it is final.
    pub frozen: bool,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// The family of which it is a group: its name in addresses, and its name.
    pub family: Option<(String, String)>,
}

/// What a new event starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// Its name in addresses; none to have one made from the name.
    pub slug: Option<String>,
    /// Its name.
    pub name: String,
    /// The rules of the game.
    pub rules: RuleSet,
    /// The komi.
    pub komi: Komi,
    /// Where it is played.
    pub place: Option<String>,
    /// The first day.
    pub starts_on: Option<NaiveDate>,
    /// Its time zone, and when its rounds begin.
    pub schedule: Schedule,
    /// Who may see it.
    pub visibility: Visibility,
    /// What it asks of game records.
    pub records: RecordSettings,
    /// Promotion and prizes.
    pub awards: Awards,
    /// How many rounds are planned.
    pub rounds_planned: u32,
    /// The first round recorded here.
    pub first_round: u32,
    /// How rounds are paired.
    pub pairing: PairingSettings,
    /// How places are made.
    pub ranking: Ranking,
}

/// What is to be changed of an event; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventPatch {
    /// Its name in addresses.
    pub slug: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// The rules of the game.
    pub rules: Option<RuleSet>,
    /// The komi.
    pub komi: Option<Komi>,
    /// Where it is played; `Some(None)` empties it.
    pub place: Option<Option<String>>,
    /// The first day; `Some(None)` empties it.
    pub starts_on: Option<Option<NaiveDate>>,
    /// Its time zone; `Some(None)` is that of the server.
    pub time_zone: Option<Option<Tz>>,
    /// When its rounds begin, as the clock in the hall shows it.
    pub starts: Option<BTreeMap<u32, NaiveDateTime>>,
    /// Who may see it.
    pub visibility: Option<Visibility>,
    /// What it asks of game records.
    pub records: RecordsPatch,
    /// Promotion.
    pub promotion: Option<Promotion>,
    /// Prizes.
    pub prizes: Option<Prizes>,
    /// How many rounds are planned; not fewer than there are.
    pub rounds_planned: Option<u32>,
    /// The first round recorded here; only while there is none.
    pub first_round: Option<u32>,
    /// How rounds are paired.
    pub pairing: PairingPatch,
    /// The criteria of the final order.
    pub criteria: Option<Vec<Criterion>>,
    /// How unplayed games count.
    pub unplayed: Option<Unplayed>,
    /// The drawn lots.
    pub lots: Option<Vec<(Number, u32)>>,
}

/// What is to be changed of what an event asks of game records; what is `None` stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordsPatch {
    /// How many lines the boards have.
    pub board_size: Option<u8>,
    /// What a repetition leads to; `Some(None)` leaves it to the rules.
    pub repetition: Option<Option<OnRepetition>>,
    /// Whether players bring records too.
    pub from_players: Option<bool>,
}

impl RecordsPatch {
    /// The settings with this changed.
    #[must_use]
    pub fn over(self, base: RecordSettings) -> RecordSettings {
        RecordSettings {
            board_size: self.board_size.unwrap_or(base.board_size),
            repetition: self.repetition.unwrap_or(base.repetition),
            from_players: self.from_players.unwrap_or(base.from_players),
        }
    }
}

/// What is to be changed of how rounds are paired; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairingPatch {
    /// The order inside a score group.
    pub order: Option<PairingOrder>,
    /// What it goes by.
    pub order_by: Option<OrderBy>,
    /// The direction of numbers.
    pub number_order: Option<NumberOrder>,
    /// Team mates are kept apart in rounds 1 to this one.
    pub avoid_team_rounds: Option<u32>,
    /// How much that matters.
    pub team_avoidance: Option<TeamAvoidance>,
    /// Pairs that are never made.
    pub forbidden_pairs: Option<Vec<(Number, Number)>>,
    /// Pairs that are avoided.
    pub unwanted_pairs: Option<Vec<(Number, Number)>>,
    /// The same colour three times running.
    pub third_colour: Option<ThirdColour>,
    /// Who has Black when balances are equal.
    pub colours: Option<Colours>,
    /// Points for a bye.
    pub bye_score: Option<Score>,
    /// Points for an absence with leave.
    pub absent_score: Option<Score>,
    /// Whether a forfeit may be paired again.
    pub forfeits_may_meet_again: Option<bool>,
    /// Whether repeated floats are avoided.
    pub avoid_repeated_floats: Option<bool>,
    /// The score at which nobody is paired any more; `Some(None)` is none.
    pub stop_at: Option<Option<Score>>,
}

impl PairingPatch {
    /// The settings with this changed.
    #[must_use]
    pub fn over(self, base: PairingSettings) -> PairingSettings {
        PairingSettings {
            order: self.order.unwrap_or(base.order),
            order_by: self.order_by.unwrap_or(base.order_by),
            number_order: self.number_order.unwrap_or(base.number_order),
            avoid_team_rounds: self.avoid_team_rounds.unwrap_or(base.avoid_team_rounds),
            team_avoidance: self.team_avoidance.unwrap_or(base.team_avoidance),
            forbidden_pairs: self.forbidden_pairs.unwrap_or(base.forbidden_pairs),
            unwanted_pairs: self.unwanted_pairs.unwrap_or(base.unwanted_pairs),
            third_colour: self.third_colour.unwrap_or(base.third_colour),
            colours: self.colours.unwrap_or(base.colours),
            bye_score: self.bye_score.unwrap_or(base.bye_score),
            absent_score: self.absent_score.unwrap_or(base.absent_score),
            forfeits_may_meet_again: self
                .forfeits_may_meet_again
                .unwrap_or(base.forfeits_may_meet_again),
            avoid_repeated_floats: self.avoid_repeated_floats.unwrap_or(base.avoid_repeated_floats),
            stop_at: self.stop_at.unwrap_or(base.stop_at),
        }
    }
}

/// Makes an event.
///
/// # Errors
/// Refused when the slug is taken or no slug, the name is empty, or a setting is out of range.
pub async fn create(tx: &mut Tx, change: &Change<'_>, new: NewEvent) -> Result<Event> {
    make(tx, change, new, None).await
}

/// What a copy of an event begins with: the settings of an earlier one, and nothing that points to its
/// people or its rounds. No numbers, no lots, no pairs kept apart, no rounds carried over; of the starts
/// of rounds the times remain when both first days are known.
pub fn copied(earlier: &Event, starts_on: Option<NaiveDate>) -> NewEvent {
    let later = earlier.starts_on.zip(starts_on).map(|(was, is)| is - was);
    let starts = later.map_or_else(BTreeMap::new, |later| {
        let moved = earlier.schedule.starts.iter();
        moved
            .filter_map(|(round, at)| Some((*round, at.checked_add_signed(later)?)))
            .collect()
    });
    NewEvent {
        slug: None,
        name: earlier.name.clone(),
        rules: earlier.rules,
        komi: earlier.komi,
        place: earlier.place.clone(),
        starts_on,
        schedule: Schedule {
            zone: earlier.schedule.zone,
            starts,
        },
        visibility: earlier.visibility,
        records: earlier.records,
        awards: earlier.awards.clone(),
        rounds_planned: earlier.stage.rounds_planned,
        first_round: 1,
        pairing: PairingSettings {
            forbidden_pairs: Vec::new(),
            unwanted_pairs: Vec::new(),
            ..earlier.stage.pairing.clone()
        },
        ranking: Ranking {
            lots: Vec::new(),
            ..earlier.stage.ranking.clone()
        },
    }
}

/// Makes an event that is a copy of an earlier one: `new` from [`copied`], changed as somebody wants it,
/// and with `entries` the people, numbered anew from 1 in the order of their numbers. Of an entry the
/// name, the team, the grade, the rating and the category go along, and pairs that are kept apart; no
/// score, absence or withdrawal. The earlier event stays as it is.
///
/// # Errors
/// As [`create`].
pub async fn copy(
    tx: &mut Tx,
    change: &Change<'_>,
    earlier: &Event,
    mut new: NewEvent,
    entries: bool,
) -> Result<Event> {
    let mut people = Vec::new();
    if entries {
        let mut numbers = BTreeMap::new();
        for (number, entry) in (1..).filter_map(Number::new).zip(&earlier.stage.entries) {
            numbers.insert(entry.number, number);
            people.push(Entry {
                name_withheld: entry.name_withheld,
                team: entry.team.clone(),
                grade: entry.grade,
                rating: entry.rating,
                category: entry.category.clone(),
                ..Entry::new(number, entry.name.as_str())
            });
        }
        let apart = |pairs: &[(Number, Number)]| -> Vec<(Number, Number)> {
            let both = |pair: &(Number, Number)| Some((*numbers.get(&pair.0)?, *numbers.get(&pair.1)?));
            pairs.iter().filter_map(both).collect()
        };
        new.pairing.forbidden_pairs = apart(&earlier.stage.pairing.forbidden_pairs);
        new.pairing.unwanted_pairs = apart(&earlier.stage.pairing.unwanted_pairs);
    }
    make(tx, change, new, Some((&earlier.slug, people))).await
}

/// Makes an event; a copy says of which one, and with whom.
pub(crate) async fn make(
    tx: &mut Tx,
    change: &Change<'_>,
    new: NewEvent,
    copied: Option<(&str, Vec<Entry>)>,
) -> Result<Event> {
    let (copy_of, people) = copied.unzip();
    let slug = match &new.slug {
        Some(slug) => slug.clone(),
        None => free_slug(tx, &new.name).await?,
    };
    let mut stage = Stage::swiss(new.rounds_planned);
    stage.first_round = new.first_round;
    stage.pairing = new.pairing;
    stage.ranking = new.ranking;
    stage.entries = people.unwrap_or_default();
    let event = Event {
        id: Uuid::now_v7(),
        slug,
        name: trimmed(&new.name),
        rules: new.rules,
        komi: new.komi,
        place: new.place.as_deref().and_then(trimmed_or_none),
        starts_on: new.starts_on,
        schedule: new.schedule,
        visibility: new.visibility,
        records: new.records,
        results: ResultSettings::default(),
        awards: new.awards,
        frozen: None,
        stage,
        rounds: Vec::new(),
        draws: Vec::new(),
        version: 1,
        last_seq: 1,
        head: None,
        created_at: change.at,
        updated_at: change.at,
    };
    let made = insert(
        tx,
        change,
        event,
        Action::EventCreated,
        (copy_of, &BTreeMap::new()),
    )
    .await?;
    Ok(made.into_event())
}

/// Makes an event of an event file, its rounds published. An event that is final there is declared final
/// here, by whoever imports it.
///
/// # Errors
/// Refused with every fault of the file.
pub async fn import(tx: &mut Tx, change: &Change<'_>, file: &EventFile) -> Result<Event> {
    let around = &file.circumstances;
    let slug = free_slug(tx, &file.name).await?;
    let event = Event {
        id: Uuid::now_v7(),
        slug,
        name: file.name.clone(),
        rules: file.rules,
        komi: file.komi,
        place: file.place.clone(),
        starts_on: file
            .starts_on
            .and_then(|day| NaiveDate::from_ymd_opt(day.year().into(), day.month().into(), day.day().into())),
        schedule: Schedule {
            zone: around.zone,
            starts: around.starts.clone(),
        },
        visibility: if around.hidden {
            Visibility::Hidden
        } else {
            Visibility::Public
        },
        records: file.records,
        results: ResultSettings::default(),
        awards: file.awards.clone(),
        frozen: None,
        stage: file.stage.clone(),
        rounds: Vec::new(),
        draws: Vec::new(),
        version: 1,
        last_seq: 1,
        head: None,
        created_at: change.at,
        updated_at: change.at,
    };
    let mut event = insert(tx, change, event, Action::EventImported, (None, &around.tables)).await?;
    let results = ResultSettings {
        by_two: around.results_by_two,
        from_players: around.results_from_players,
    };
    if result_links::set_settings(tx, change, event.id, results).await? {
        event.reload(tx).await?;
    }
    if around.is_final {
        freeze(tx, change, &mut event, None).await?;
    }
    Ok(event.into_event())
}

/// Writes a new event with everything in it.
async fn insert(
    tx: &mut Tx,
    change: &Change<'_>,
    mut event: Event,
    action: Action,
    (copy_of, tables): (Option<&str>, &BTreeMap<u32, TableFacts>),
) -> Result<Locked> {
    event.stage.entries.iter_mut().for_each(entries::in_order);
    in_order(&mut event.stage.pairing);
    check(&event)?;
    if slug_is_taken(tx, &event.slug).await? {
        return Err(Refused::SlugTaken { slug: event.slug }.into());
    }
    sqlx::query!(
        r#"insert into events (event_id, slug, name, rules, komi_quarters, place, starts_on, visibility,
                               version, created_at, updated_at, board_size, repetition,
                               records_from_players, awards)
           values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9, $10, $11, $12, $13)"#,
        event.id,
        event.slug,
        event.name,
        event.rules.slug(),
        event.komi.quarters(),
        event.place,
        event.starts_on,
        event.visibility.as_str(),
        change.at,
        i16::from(event.records.board_size),
        event.records.repetition.map(Word::word),
        event.records.from_players,
        interchange::event_file::awards_json(&event.awards)
    )
    .execute(tx.conn())
    .await
    .map_err(|error| slug_taken_meanwhile(error, &event.slug))?;
    log::begin(tx.conn(), event.id).await?;
    if event.records.from_players {
        records::promise_codes(tx, change, event.id).await?;
    }
    sqlx::query!(
        "insert into groups (event_id, group_no) values ($1, $2)",
        event.id,
        GROUP
    )
    .execute(tx.conn())
    .await?;
    let stage = &event.stage;
    sqlx::query!(
        r#"insert into stages (event_id, stage_no, group_no, format, rounds_planned, first_round,
                               pairing_order, number_order, avoid_team_rounds, bye_score, absent_score,
                               forfeits_may_meet_again, avoid_repeated_floats, ranking, unplayed,
                               order_by, team_avoidance, third_colour, colours, stop_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
                   $20)"#,
        event.id,
        STAGE,
        GROUP,
        stage.format.word(),
        stored(stage.rounds_planned),
        stored(stage.first_round),
        stage.pairing.order.word(),
        stage.pairing.number_order.word(),
        stored(stage.pairing.avoid_team_rounds),
        stage.pairing.bye_score.0,
        stage.pairing.absent_score.0,
        stage.pairing.forfeits_may_meet_again,
        stage.pairing.avoid_repeated_floats,
        json::ranking(&stage.ranking.criteria),
        stage.ranking.unplayed.word(),
        stage.pairing.order_by.word(),
        stage.pairing.team_avoidance.word(),
        stage.pairing.third_colour.word(),
        stage.pairing.colours.word(),
        stage.pairing.stop_at.map(|score| score.0)
    )
    .execute(tx.conn())
    .await?;
    let mut after = json::settings(&event);
    after.insert("entries".into(), stage.entries.len().into());
    after.insert("rounds_paired".into(), stage.rounds.len().into());
    if let Some(slug) = copy_of {
        after.insert("copy_of".into(), slug.into());
    }
    let next = Some(stage.next_round()).filter(|next| *next <= stage.rounds_planned);
    let all_in = |last: &tournament::Round| last.pending().next().is_none();
    let due = draws::due_for(tx, change, &event, next, stage.rounds.last().is_some_and(all_in)).await?;
    due.tell(&mut after);
    let act = Act::new(action, Subject::Event, Value::Null, Value::Object(after));
    let seq = log::append(tx, change, event.id, act).await?;
    due.keep(tx, change, event.id, seq).await?;
    people::begin(tx, change, event.id).await?;
    let ids: BTreeMap<Number, Uuid> = stage
        .entries
        .iter()
        .map(|entry| (entry.number, Uuid::now_v7()))
        .collect();
    entries::insert(tx, event.id, &stage.entries, &ids).await?;
    write_lots(tx, event.id, &stage.ranking.lots, &ids).await?;
    schedule::write(tx, event.id, &event.schedule).await?;
    write_kept_apart(tx, event.id, &stage.pairing, &ids).await?;
    for round in &stage.rounds {
        let facts = tables.get(&round.round).cloned().unwrap_or_default();
        let new = rounds::NewRound {
            status: RoundStatus::Published,
            version: seq,
            edition: facts.edition,
            criteria: None,
            free_criteria: None,
            notes: Vec::new(),
            by_hand: facts.by_hand,
            published_at: facts.published_at,
        };
        rounds::insert(tx, change, event.id, round, new, &ids).await?;
        rounds::keep_earlier(tx, event.id, round.round, &facts.earlier_results).await?;
    }
    let loaded = load::event(tx.conn(), event.id)
        .await?
        .ok_or_else(|| unreadable(event.id))?;
    Ok(Locked(loaded))
}

async fn write_lots(
    tx: &mut Tx,
    event: Uuid,
    lots: &[(Number, u32)],
    ids: &BTreeMap<Number, Uuid>,
) -> Result<()> {
    sqlx::query!(
        "delete from lots where event_id = $1 and stage_no = $2",
        event,
        STAGE
    )
    .execute(tx.conn())
    .await?;
    let mut entries = Vec::new();
    for (number, _) in lots {
        entries.push(*ids.get(number).ok_or(Refused::UnknownEntry { number: *number })?);
    }
    let lots: Vec<i32> = lots.iter().map(|(_, lot)| stored(*lot)).collect();
    sqlx::query!(
        r#"insert into lots (event_id, stage_no, entry_id, lot)
           select $1, $2, l.* from unnest($3::uuid[], $4::integer[]) l"#,
        event,
        STAGE,
        &entries,
        &lots
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Puts the forbidden and unwanted pairs in the place of those that are there.
async fn write_kept_apart(
    tx: &mut Tx,
    event: Uuid,
    pairing: &PairingSettings,
    ids: &BTreeMap<Number, Uuid>,
) -> Result<()> {
    sqlx::query!(
        "delete from kept_apart where event_id = $1 and stage_no = $2",
        event,
        STAGE
    )
    .execute(tx.conn())
    .await?;
    let key = |number| ids.get(&number).copied().ok_or(Refused::UnknownEntry { number });
    let (mut rules, mut entries, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (rule, pairs) in [
        ("forbidden", &pairing.forbidden_pairs),
        ("unwanted", &pairing.unwanted_pairs),
    ] {
        for (one, other) in pairs {
            let (one, other) = (key(*one)?, key(*other)?);
            rules.push(rule);
            entries.push(one.min(other));
            others.push(one.max(other));
        }
    }
    sqlx::query!(
        r#"insert into kept_apart (event_id, stage_no, rule, entry_id, other_id)
           select $1, $2, p.* from unnest($3::text[], $4::uuid[], $5::uuid[]) p"#,
        event,
        STAGE,
        &rules as &[&str],
        &entries,
        &others
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// A text without the white space around it. What people enter is trimmed; what a file says is kept.
pub(crate) fn trimmed(text: &str) -> String {
    text.trim().to_owned()
}

pub(crate) fn trimmed_or_none(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Refuses an event that does not make sense as a whole, with every fault.
fn check(event: &Event) -> Result<()> {
    event.schedule.check()?;
    if !is_slug(&event.slug) {
        let slug = event.slug.clone();
        return Err(Refused::BadSlug { slug }.into());
    }
    let mut faults = Vec::new();
    if is_blank(&event.name) {
        faults.push(fault("event.name", FaultKind::EmptyName));
    }
    for (path, text) in [
        ("event.name", Some(&event.name)),
        ("event.place", event.place.as_ref()),
    ] {
        if let Some(kind) = text.and_then(|text| text_fault(text)) {
            faults.push(fault(path, kind));
        }
    }
    if let Some(kind) = event.starts_on.and_then(|day| year_fault(day.year())) {
        faults.push(fault("event.starts_on", kind));
    }
    for (index, local) in event.schedule.starts.values().enumerate() {
        if let Some(kind) = year_fault(local.year()) {
            faults.push(fault(&format!("event.round_starts[{index}].at"), kind));
        }
    }
    if let Some(kind) = komi_fault(event.komi, event.rules.unit()) {
        faults.push(fault("event.komi", kind));
    }
    faults.extend(tournament::prizes::faults(&event.awards));
    faults.extend(tournament::validate::faults(&event.stage));
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Refused::Faults(faults).into())
    }
}

fn fault(path: &str, kind: FaultKind) -> Fault {
    Fault {
        path: path.to_owned(),
        kind,
    }
}

/// The longest slug, in characters.
const SLUG_LIMIT: usize = 80;

/// Words that stand where a slug could stand in addresses.
const RESERVED_SLUGS: [&str; 3] = ["copy", "import", "new"];

pub(crate) fn is_slug(text: &str) -> bool {
    slug_of(text).as_deref() == Some(text)
}

/// A slug made of a name: its letters and digits in small letters, everything between them a hyphen.
pub(crate) fn slug_of(name: &str) -> Option<String> {
    let mut slug = String::new();
    for word in name
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(word);
    }
    let slug: String = slug.chars().take(SLUG_LIMIT).collect();
    let slug = slug.trim_end_matches('-');
    // An id is looked up as an id; a slug that looks like one would never be found.
    let usable = !slug.is_empty() && !RESERVED_SLUGS.contains(&slug) && Uuid::try_parse(slug).is_err();
    usable.then(|| slug.to_owned())
}

async fn slug_is_taken(tx: &mut Tx, slug: &str) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from events where slug = $1) as "taken!""#,
        slug
    )
    .fetch_one(tx.conn())
    .await?)
}

/// The refusal of a slug that somebody else took after it was looked for.
fn slug_taken_meanwhile(error: sqlx::Error, slug: &str) -> Error {
    let constraint = error
        .as_database_error()
        .and_then(|database| database.constraint());
    if constraint == Some("events_slug_unique") {
        let slug = slug.to_owned();
        Refused::SlugTaken { slug }.into()
    } else {
        error.into()
    }
}

/// A slug for a name, with a number behind it when another event has it already.
async fn free_slug(tx: &mut Tx, name: &str) -> Result<String> {
    let base = slug_of(name).unwrap_or_else(|| "event".to_owned());
    let base: String = base.chars().take(SLUG_LIMIT - 6).collect();
    let base = base.trim_end_matches('-');
    // Two events of one name made at once get their slugs one after the other.
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('slug ' || $1::text, 0))",
        base
    )
    .execute(tx.conn())
    .await?;
    let taken = sqlx::query_scalar!(
        "select slug from events where slug = $1 or starts_with(slug, $1 || '-')",
        base
    )
    .fetch_all(tx.conn())
    .await?;
    // Of one more than are taken, one is free.
    let free = std::iter::once(base.to_owned())
        .chain((2..=taken.len() + 2).map(|n| format!("{base}-{n}")))
        .find(|slug| !taken.contains(slug));
    free.ok_or_else(|| unreadable(base))
}

/// Which events a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// What everybody sees.
    Public,
    /// What everybody sees but groups and fields of families, which stand under their family.
    Single,
    /// What everybody sees, and the hidden ones in which this user has a right.
    SeenBy(Uuid),
    /// Those in which this user has a right.
    Of(Uuid),
    /// All of them.
    All,
}

/// Events, the latest first day first, those without a day by when they were made.
///
/// # Errors
/// Only of the database.
pub async fn list(tx: &mut Tx, listed: Listed, page: Paging) -> Result<Page<EventSummary>> {
    let public = matches!(listed, Listed::Public | Listed::Single | Listed::SeenBy(_));
    let all = listed == Listed::All;
    let user = match listed {
        Listed::SeenBy(user) | Listed::Of(user) => Some(user),
        Listed::Public | Listed::Single | Listed::All => None,
    };
    let single = listed == Listed::Single;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from events e
           where $1
              or ($2 and e.visibility = 'public'
                  and not ($4 and (exists (select from family_events g where g.event_id = e.event_id)
                                   or exists (select from families f where f.field_event = e.event_id))))
              or exists (select from event_rights p where p.event_id = e.event_id and p.user_id = $3)"#,
        all,
        public,
        user,
        single
    )
    .fetch_one(tx.conn())
    .await?;
    let ids = sqlx::query_scalar!(
        r#"select e.event_id from events e
           where $1
              or ($2 and e.visibility = 'public'
                  and not ($6 and (exists (select from family_events g where g.event_id = e.event_id)
                                   or exists (select from families f where f.field_event = e.event_id))))
              or exists (select from event_rights p where p.event_id = e.event_id and p.user_id = $3)
           order by e.starts_on desc nulls last, e.created_at desc, e.event_id
           limit $4 offset $5"#,
        all,
        public,
        user,
        page.limit(),
        i64::from(page.offset),
        single
    )
    .fetch_all(tx.conn())
    .await?;
    Ok(Page {
        items: summaries(tx, &ids).await?,
        total: total.unsigned_abs(),
    })
}

/// The summary of one event by its id or slug: all that entering a result needs.
///
/// # Errors
/// Only of the database.
pub async fn summary(tx: &mut Tx, key: &str) -> Result<Option<EventSummary>> {
    let Some(id) = load::id(tx.conn(), key).await? else {
        return Ok(None);
    };
    Ok(summaries(tx, &[id]).await?.pop())
}

pub(crate) async fn summaries(tx: &mut Tx, ids: &[Uuid]) -> Result<Vec<EventSummary>> {
    sqlx::query!(
        r#"select e.event_id, e.slug, e.name, e.place, e.starts_on, e.visibility, e.created_at,
                  s.rounds_planned,
                  (select count(*) from stage_entries n
                   where n.event_id = e.event_id and n.stage_no = s.stage_no) as "entries!",
                  (select max(r.round_no) from rounds r
                   where r.event_id = e.event_id and r.stage_no = s.stage_no
                     and r.status = 'published') as last_published,
                  (select count(*) from boards b
                   join rounds r using (event_id, stage_no, round_no)
                   where b.event_id = e.event_id and b.stage_no = s.stage_no
                     and b.result is null and r.status = 'published') as "pending!",
                  exists (select from log_heads h
                          where h.event_id = e.event_id and h.frozen_at is not null) as "frozen!",
                  f.slug as "family_slug?", f.name as "family_name?"
           from unnest($1::uuid[]) with ordinality as wanted (event_id, place_in_list)
           join events e on e.event_id = wanted.event_id
           join stages s on s.event_id = e.event_id and s.stage_no = $2
           left join family_events g on g.event_id = e.event_id
           left join families f on f.family_id = g.family_id
           order by wanted.place_in_list"#,
        ids,
        STAGE
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(|row| {
        Ok(EventSummary {
            id: row.event_id,
            slug: row.slug,
            name: row.name,
            place: row.place,
            starts_on: row.starts_on,
            visibility: Word::of(&row.visibility)?,
            entries: count(row.entries)?,
            rounds_planned: count(row.rounds_planned)?,
            last_published: row.last_published.map(count).transpose()?,
            pending: count(row.pending)?,
            frozen: row.frozen,
            created_at: row.created_at,
            family: row.family_slug.zip(row.family_name),
        })
    })
    .collect()
}

/// A whole event by its id or slug, as of one moment.
///
/// In a transaction of [`Store::snapshot`](crate::Store::snapshot) it waits for nobody. In another
/// one it waits for a change of the event that is under way.
///
/// # Errors
/// Only of the database.
pub async fn find(tx: &mut Tx, key: &str) -> Result<Option<Event>> {
    let Some(id) = load::id(tx.conn(), key).await? else {
        return Ok(None);
    };
    if !tx.snapshot {
        tx.lock_shared(id).await?;
    }
    Ok(load::event(tx.conn(), id).await?.map(|loaded| loaded.event))
}

/// A whole event by its id or slug, locked: until the transaction ends nobody else changes its
/// settings, entries or rounds, and no result comes in.
///
/// # Errors
/// Only of the database.
pub async fn lock(tx: &mut Tx, key: &str) -> Result<Option<Locked>> {
    let Some(id) = load::id(tx.conn(), key).await? else {
        return Ok(None);
    };
    tx.lock_alone(id).await?;
    Ok(load::event(tx.conn(), id).await?.map(Locked))
}

/// Refuses when the caller looked at another version.
pub(crate) fn expect(expected: Option<i64>, current: i64) -> Result<()> {
    if expected.is_none_or(|expected| expected == current) {
        Ok(())
    } else {
        Err(Refused::Stale { current }.into())
    }
}

/// Changes settings. A patch that changes nothing leaves no trace.
///
/// # Errors
/// Refused when `expected` is not the event's version, or the settings do not fit what is there.
pub async fn update(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    patch: EventPatch,
    expected: Option<i64>,
) -> Result<()> {
    let new = patched(event, patch);
    let Some((before, mut after)) = json::difference(&json::settings(event), &json::settings(&new)) else {
        return Ok(());
    };
    expect(expected, event.version)?;
    if let Some(last) = new.stage.rounds.last() {
        if new.stage.first_round != event.stage.first_round {
            return Err(Refused::FirstRoundFixed.into());
        }
        let (planned, last) = (new.stage.rounds_planned, last.round);
        if planned < last {
            return Err(Refused::FewerThanPaired { planned, last }.into());
        }
    }
    check(&new)?;
    if new.slug != event.slug && slug_is_taken(tx, &new.slug).await? {
        return Err(Refused::SlugTaken { slug: new.slug }.into());
    }
    let due = draws::due(tx, change, &new).await?;
    if let Value::Object(after) = &mut after {
        due.tell(after);
    }
    let act = Act::new(Action::EventUpdated, Subject::Event, before, after);
    let version = log::append(tx, change, new.id, act).await?;
    due.keep(tx, change, new.id, version).await?;
    sqlx::query!(
        r#"update events set slug = $2, name = $3, rules = $4, komi_quarters = $5, place = $6,
                  starts_on = $7, visibility = $8, version = $9, updated_at = $10, board_size = $11,
                  repetition = $12, records_from_players = $13, awards = $14
           where event_id = $1"#,
        new.id,
        new.slug,
        new.name,
        new.rules.slug(),
        new.komi.quarters(),
        new.place,
        new.starts_on,
        new.visibility.as_str(),
        version,
        change.at,
        i16::from(new.records.board_size),
        new.records.repetition.map(Word::word),
        new.records.from_players,
        interchange::event_file::awards_json(&new.awards)
    )
    .execute(tx.conn())
    .await
    .map_err(|error| slug_taken_meanwhile(error, &new.slug))?;
    if new.records.from_players {
        records::promise_codes(tx, change, new.id).await?;
    }
    let stage = &new.stage;
    sqlx::query!(
        r#"update stages set rounds_planned = $3, first_round = $4, pairing_order = $5,
                  number_order = $6, avoid_team_rounds = $7, bye_score = $8, absent_score = $9,
                  forfeits_may_meet_again = $10, avoid_repeated_floats = $11, ranking = $12,
                  unplayed = $13, order_by = $14, team_avoidance = $15, third_colour = $16,
                  colours = $17, stop_at = $18
           where event_id = $1 and stage_no = $2"#,
        new.id,
        STAGE,
        stored(stage.rounds_planned),
        stored(stage.first_round),
        stage.pairing.order.word(),
        stage.pairing.number_order.word(),
        stored(stage.pairing.avoid_team_rounds),
        stage.pairing.bye_score.0,
        stage.pairing.absent_score.0,
        stage.pairing.forfeits_may_meet_again,
        stage.pairing.avoid_repeated_floats,
        json::ranking(&stage.ranking.criteria),
        stage.ranking.unplayed.word(),
        stage.pairing.order_by.word(),
        stage.pairing.team_avoidance.word(),
        stage.pairing.third_colour.word(),
        stage.pairing.colours.word(),
        stage.pairing.stop_at.map(|score| score.0)
    )
    .execute(tx.conn())
    .await?;
    write_kept_apart(tx, new.id, &stage.pairing, &event.0.ids).await?;
    if new.schedule != event.schedule {
        schedule::write(tx, new.id, &new.schedule).await?;
    }
    if new.stage.ranking.lots != event.stage.ranking.lots {
        write_lots(tx, new.id, &new.stage.ranking.lots, &event.0.ids).await?;
    }
    event.reload(tx).await
}

/// The event with a patch applied: what the patch does not name stays, and 0 is a value.
fn patched(event: &Event, patch: EventPatch) -> Event {
    fn set<T>(field: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *field = value;
        }
    }
    let mut new = event.clone();
    set(&mut new.slug, patch.slug);
    set(&mut new.name, patch.name.as_deref().map(trimmed));
    set(&mut new.rules, patch.rules);
    set(&mut new.komi, patch.komi);
    set(
        &mut new.place,
        patch
            .place
            .map(|place| place.as_deref().and_then(trimmed_or_none)),
    );
    set(&mut new.starts_on, patch.starts_on);
    set(&mut new.schedule.zone, patch.time_zone);
    set(&mut new.schedule.starts, patch.starts);
    set(&mut new.visibility, patch.visibility);
    new.records = patch.records.over(new.records);
    set(&mut new.awards.promotion, patch.promotion);
    set(&mut new.awards.prizes, patch.prizes);
    set(&mut new.stage.rounds_planned, patch.rounds_planned);
    set(&mut new.stage.first_round, patch.first_round);
    new.stage.pairing = patch.pairing.over(new.stage.pairing);
    in_order(&mut new.stage.pairing);
    let ranking = &mut new.stage.ranking;
    set(&mut ranking.criteria, patch.criteria);
    set(&mut ranking.unplayed, patch.unplayed);
    set(&mut ranking.lots, patch.lots);
    ranking.lots.sort_unstable();
    new
}

/// Pairs in one order, whatever the order in which they were named.
fn in_order(pairing: &mut PairingSettings) {
    for pairs in [&mut pairing.forbidden_pairs, &mut pairing.unwanted_pairs] {
        for pair in pairs.iter_mut() {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        pairs.sort_unstable();
    }
}

/// Declares an event final: until it is opened again nothing of it can be changed. Final already:
/// success, and nothing changes. Fewer rounds than planned may have been played.
///
/// # Errors
/// Refused while there is a draft, while a board has no result, and when `expected` is not the event's
/// version.
pub async fn freeze(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    expected: Option<i64>,
) -> Result<()> {
    if event.frozen.is_some() {
        return Ok(());
    }
    expect(expected, event.version)?;
    if let Some(draft) = event.draft() {
        let (round, by, at) = (draft.round, draft.paired_by.clone(), draft.paired_at);
        return Err(Refused::DraftExists { round, by, at }.into());
    }
    let boards: Vec<(u32, u32)> = event
        .stage
        .rounds
        .iter()
        .flat_map(|round| round.pending().map(|board| (round.round, board.board)))
        .collect();
    if !boards.is_empty() {
        return Err(Refused::NotFinished { boards }.into());
    }
    let state = |yes: bool| serde_json::json!({ "final": yes });
    let act = Act::new(Action::EventFrozen, Subject::Event, state(false), state(true));
    let version = log::append(tx, change, event.id, act).await?;
    sqlx::query!(
        "update log_heads set frozen_at = $2, frozen_by = $3, frozen_reason = $4 where event_id = $1",
        event.id,
        change.at,
        change.actor.name,
        change.reason
    )
    .execute(tx.conn())
    .await?;
    touch(tx, change, event, version).await
}

/// Opens an event again that was final. Not final: success, and nothing changes.
///
/// # Errors
/// Refused without a reason, and when `expected` is not the event's version.
pub async fn unfreeze(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    expected: Option<i64>,
) -> Result<()> {
    if event.frozen.is_none() {
        return Ok(());
    }
    expect(expected, event.version)?;
    if change.reason.is_none_or(|reason| reason.trim().is_empty()) {
        return Err(Refused::ReasonNeeded.into());
    }
    sqlx::query!(
        "update log_heads set frozen_at = null, frozen_by = null, frozen_reason = null where event_id = $1",
        event.id
    )
    .execute(tx.conn())
    .await?;
    let state = |yes: bool| serde_json::json!({ "final": yes });
    let act = Act::new(Action::EventUnfrozen, Subject::Event, state(true), state(false));
    let version = log::append(tx, change, event.id, act).await?;
    touch(tx, change, event, version).await
}

/// Gives an event the version of an act.
async fn touch(tx: &mut Tx, change: &Change<'_>, event: &mut Locked, version: i64) -> Result<()> {
    sqlx::query!(
        "update events set version = $2, updated_at = $3 where event_id = $1",
        event.id,
        version,
        change.at
    )
    .execute(tx.conn())
    .await?;
    event.reload(tx).await
}

/// Somebody of a name in an event that everybody may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event: String,
    /// Its first day.
    pub starts_on: Option<NaiveDate>,
    /// Whether it is final.
    pub frozen: bool,
    /// The number.
    pub number: Number,
    /// The name.
    pub name: String,
    /// The team.
    pub team: Option<String>,
}

/// The most that a search over all events answers with.
pub const FOUND_MOST: i64 = 200;

/// Who has a name that begins like this, or a part of it, over all public events: the latest
/// first, at most [`FOUND_MOST`]. Names that are withheld are not found.
///
/// # Errors
/// Only of the database.
pub async fn search_names(tx: &mut Tx, part: &str) -> Result<Vec<Found>> {
    let part = part.trim();
    if part.is_empty() || part.contains('\0') {
        return Ok(Vec::new());
    }
    sqlx::query!(
        r#"select e.slug, e.name as event, e.starts_on, h.frozen_at is not null as "frozen!",
                  n.number, n.name, n.team
           from entries n
           join events e on e.event_id = n.event_id
           join log_heads h on h.event_id = n.event_id
           where e.visibility = 'public' and not n.name_withheld
             and strpos(lower(n.name), lower($1)) > 0
           order by e.starts_on desc nulls last, e.created_at desc, e.event_id, n.number
           limit $2"#,
        part,
        FOUND_MOST
    )
    .fetch_all(tx.conn())
    .await?
    .into_iter()
    .map(|row| {
        Ok(Found {
            slug: row.slug,
            event: row.event,
            starts_on: row.starts_on,
            frozen: row.frozen,
            number: json::number(row.number)?,
            name: row.name,
            team: row.team,
        })
    })
    .collect()
}

/// Removes an event with everything in it but its log.
///
/// # Errors
/// Refused when `expected` is not the event's version.
pub async fn delete(tx: &mut Tx, change: &Change<'_>, event: Locked, expected: Option<i64>) -> Result<()> {
    expect(expected, event.version)?;
    let before = Value::Object(json::settings(&event));
    let act = Act::new(Action::EventDeleted, Subject::Event, before, Value::Null);
    log::append(tx, change, event.id, act).await?;
    let subject = format!("event {}", event.id);
    // Kept whole, so that a removal can be undone by importing it again.
    let file = serde_json::from_str(&interchange::event_file::write(&export(&event))).map_err(unreadable)?;
    log::site(
        tx.conn(),
        change,
        Action::EventDeleted.as_str(),
        &subject,
        Some(file),
        None,
    )
    .await?;
    sqlx::query!("delete from public_changes where event_id = $1", event.id)
        .execute(tx.conn())
        .await?;
    sqlx::query!("delete from events where event_id = $1", event.id)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// The event file of an event: all published rounds, no draft.
///
/// A draft is a proposal that can be made again from the same file; a file must not carry into
/// the open what is not published. Published rounds with their results come back as they went.
///
/// For directors: it holds announced absences of rounds to come, which [`export_public`] leaves out.
pub fn export(event: &Event) -> EventFile {
    let mut file = export_public(event);
    file.stage.entries.clone_from(&event.stage.entries);
    file
}

/// The event file as everybody may have it: without announced absences in rounds that are not
/// published, since seating somebody in a draft changes them.
pub fn export_public(event: &Event) -> EventFile {
    let published = event
        .rounds
        .iter()
        .filter(|info| info.status == RoundStatus::Published);
    EventFile {
        name: event.name.clone(),
        place: event.place.clone(),
        starts_on: event.starts_on.and_then(file_date),
        rules: event.rules,
        komi: event.komi,
        records: event.records,
        awards: event.awards.clone(),
        circumstances: Circumstances {
            zone: event.schedule.zone,
            starts: event.schedule.starts.clone(),
            hidden: event.visibility == Visibility::Hidden,
            is_final: event.frozen.is_some(),
            results_by_two: event.results.by_two,
            results_from_players: event.results.from_players,
            tables: published.map(|info| (info.round, facts_of(info))).collect(),
        },
        stage: event.public_stage(),
    }
}

fn facts_of(info: &RoundInfo) -> TableFacts {
    TableFacts {
        published_at: info.published_at,
        edition: info.edition,
        by_hand: info.by_hand,
        earlier_results: info.earlier_results.clone(),
    }
}

/// A day as the file has it; none for one outside the years it can hold.
fn file_date(day: NaiveDate) -> Option<Date> {
    Date::new(
        day.year().try_into().ok()?,
        day.month().try_into().ok()?,
        day.day().try_into().ok()?,
    )
}
