//! Events: create, find, lock, change settings, take in and give out.

use chrono::{DateTime, NaiveDate, Utc};
use tournament::{
    Criteria, Criterion, Number, NumberOrder, PairingOrder, PairingSettings, Ranking, Score, Stage, Unplayed,
};
use uuid::Uuid;

use crate::interim::{EventFile, Komi, RuleSet};
use crate::{Change, Page, Paging, Result, Tx};

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
    /// Who may see it.
    pub visibility: Visibility,
    /// Entries, settings and rounds, **drafts included**: for directors' eyes. Everything public
    /// goes through [`Event::public_stage`].
    pub stage: Stage,
    /// What is known of each round beside its table, in the order of `stage.rounds`.
    pub rounds: Vec<RoundInfo>,
    /// Changes with every change of the settings; for `If-Match`.
    pub version: i64,
    /// The number of the last log entry. It moves with drafts too: never show it to the public.
    pub last_seq: i64,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When the settings were changed last.
    pub updated_at: DateTime<Utc>,
}

impl Event {
    /// The stage without drafts.
    pub fn public_stage(&self) -> Stage {
        let mut stage = self.stage.clone();
        stage.rounds.retain(|round| {
            self.round_info(round.round)
                .is_some_and(|info| info.status == RoundStatus::Published)
        });
        stage
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
pub struct Locked(pub(crate) Event);

impl std::ops::Deref for Locked {
    type Target = Event;

    fn deref(&self) -> &Event {
        &self.0
    }
}

impl Locked {
    /// The event as it is now, for the time after the transaction.
    pub fn into_event(self) -> Event {
        self.0
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
    /// 1 for the table as it was first published, one more for every later published table of
    /// this round: the "version 2" on the wall. A draft has the one it will be published as.
    pub edition: u32,
    /// When it was paired.
    pub paired_at: DateTime<Utc>,
    /// Who paired it.
    pub paired_by: String,
    /// When it was published.
    pub published_at: Option<DateTime<Utc>>,
    /// What the pairing reached when it was made. None for a round that came in a file.
    pub criteria: Option<Criteria>,
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

/// A result as it stood when a later round was paired, and has changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierResult {
    /// The round of the board.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// The result then; none for a board that was pending.
    pub result: Option<tournament::Outcome>,
}

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
    /// When it was made.
    pub created_at: DateTime<Utc>,
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
    /// Who may see it.
    pub visibility: Visibility,
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
    /// Who may see it.
    pub visibility: Option<Visibility>,
    /// How many rounds are planned; not fewer than there are.
    pub rounds_planned: Option<u32>,
    /// The first round recorded here; only while there is none.
    pub first_round: Option<u32>,
    /// The order inside a score group.
    pub order: Option<PairingOrder>,
    /// The direction of numbers.
    pub number_order: Option<NumberOrder>,
    /// Team mates are kept apart in rounds 1 to this one.
    pub avoid_team_rounds: Option<u32>,
    /// Points for a bye.
    pub bye_score: Option<Score>,
    /// Points for an absence with leave.
    pub absent_score: Option<Score>,
    /// Whether a forfeit may be paired again.
    pub forfeits_may_meet_again: Option<bool>,
    /// Whether repeated floats are avoided.
    pub avoid_repeated_floats: Option<bool>,
    /// The criteria of the final order.
    pub criteria: Option<Vec<Criterion>>,
    /// How unplayed games count.
    pub unplayed: Option<Unplayed>,
    /// The drawn lots.
    pub lots: Option<Vec<(Number, u32)>>,
}

/// Makes an event.
///
/// # Errors
/// Refused when the slug is taken or no slug, the name is empty, or a setting is out of range.
pub async fn create(tx: &mut Tx, change: &Change<'_>, new: NewEvent) -> Result<Event> {
    todo!()
}

/// Events, the latest first day first, those without a day by when they were made.
///
/// # Errors
/// Only of the database.
pub async fn list(tx: &mut Tx, include_hidden: bool, page: Paging) -> Result<Page<EventSummary>> {
    todo!()
}

/// The summary of one event by its id or slug: all that entering a result needs.
///
/// # Errors
/// Only of the database.
pub async fn summary(tx: &mut Tx, key: &str) -> Result<Option<EventSummary>> {
    todo!()
}

/// A whole event by its id or slug, as of one moment.
///
/// # Errors
/// Only of the database.
pub async fn find(tx: &mut Tx, key: &str) -> Result<Option<Event>> {
    todo!()
}

/// A whole event by its id or slug, locked: until the transaction ends nobody else changes its
/// settings, entries or rounds, and no result comes in.
///
/// # Errors
/// Only of the database.
pub async fn lock(tx: &mut Tx, key: &str) -> Result<Option<Locked>> {
    todo!()
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
    todo!()
}

/// Removes an event with everything in it but its log.
///
/// # Errors
/// Refused when `expected` is not the event's version.
pub async fn delete(tx: &mut Tx, change: &Change<'_>, event: Locked, expected: Option<i64>) -> Result<()> {
    todo!()
}

/// Makes an event of an event file, its rounds published.
///
/// # Errors
/// Refused with every fault of the file.
pub async fn import(tx: &mut Tx, change: &Change<'_>, file: &EventFile) -> Result<Event> {
    todo!()
}

/// The event file of an event: all published rounds, no draft.
pub fn export(event: &Event) -> EventFile {
    todo!()
}
