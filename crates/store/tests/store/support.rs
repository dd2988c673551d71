//! What most tests need: a director, a clock that stands still, an event with players.

use chrono::{DateTime, TimeZone, Utc};
use sqlx::PgPool;
use store::entries::NewEntry;
use store::events::{self, Event, Locked, NewEvent, RoundInfo, Visibility};
use store::results::{self, ResultInput};
use store::{Actor, Change, Error, Refused, Role, Store, Tx, Via, entries, log, rounds};
use tournament::pairing::Confirmed;
use tournament::{Number, Outcome, PairingSettings, Ranking, Score, standings};

/// A store over a test's database.
pub struct Hall {
    pub store: Store,
    pub pool: PgPool,
    pub director: Actor,
    /// The key of the event that most tests are about.
    pub key: String,
}

pub fn moment(minute: u32) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 5, 1, 9, minute, 0)
        .single()
        .expect("a moment")
}

pub fn n(number: u32) -> Number {
    Number::new(number).expect("a number")
}

pub fn new_event(name: &str, rounds: u32) -> NewEvent {
    NewEvent {
        slug: None,
        name: name.to_owned(),
        rules: rules::RuleSet::default(),
        komi: rules::RuleSet::default().default_komi(),
        place: None,
        starts_on: None,
        schedule: store::Schedule::default(),
        visibility: Visibility::Public,
        records: store::events::RecordSettings::default(),
        awards: tournament::Awards::default(),
        rounds_planned: rounds,
        first_round: 1,
        pairing: PairingSettings::default(),
        ranking: Ranking::association_2025(),
    }
}

pub fn player(name: &str) -> NewEntry {
    NewEntry {
        name: name.to_owned(),
        ..NewEntry::default()
    }
}

/// The refusal of a use case that must not succeed.
pub fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> Refused {
    match result {
        Err(Error::Refused(refused)) => refused,
        other => panic!("not refused: {other:?}"),
    }
}

pub fn won(result: Outcome) -> ResultInput {
    ResultInput {
        result: Some(result),
        ..ResultInput::default()
    }
}

impl Hall {
    /// A store with one event of so many rounds and players; the player with number 1 is A, and so on.
    pub async fn open(pool: PgPool, rounds: u32, players: u32) -> Self {
        let director = Actor {
            user: None,
            name: "Director".to_owned(),
            role: Role::Director,
            via: Via::Session,
        };
        let mut hall = Self {
            store: Store::from(pool.clone()),
            pool,
            director,
            key: String::new(),
        };
        let mut tx = hall.begin().await;
        let event = events::create(&mut tx, &hall.change(0), new_event("Spring Open", rounds))
            .await
            .expect("an event");
        let mut event = events::lock(&mut tx, &event.slug)
            .await
            .expect("found")
            .expect("there");
        let names = (0..players).map(|i| player(&name_of(i))).collect();
        entries::add(&mut tx, &hall.change(0), &mut event, names)
            .await
            .expect("players");
        tx.commit().await.expect("committed");
        hall.key = event.slug.clone();
        hall
    }

    pub fn change(&self, minute: u32) -> Change<'_> {
        Change {
            actor: &self.director,
            at: moment(minute),
            reason: None,
            chance: store::Chance([7; 32]),
        }
    }

    pub async fn begin(&self) -> Tx {
        self.store.begin().await.expect("a transaction")
    }

    pub async fn event(&self) -> Event {
        let mut tx = self.store.snapshot().await.expect("a snapshot");
        events::find(&mut tx, &self.key)
            .await
            .expect("found")
            .expect("there")
    }

    pub async fn lock(&self, tx: &mut Tx) -> Locked {
        events::lock(tx, &self.key).await.expect("found").expect("there")
    }

    /// Does one thing to the event in a transaction of its own; refused, it leaves nothing.
    pub async fn act<T>(
        &self,
        work: impl AsyncFnOnce(&mut Tx, &Change<'_>, &mut Locked) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut tx = self.begin().await;
        let mut event = self.lock(&mut tx).await;
        let done = work(&mut tx, &self.change(5), &mut event).await?;
        tx.commit().await?;
        Ok(done)
    }

    pub async fn pair(&self) -> Result<RoundInfo, Error> {
        self.act(async |tx, change, event| rounds::pair(tx, change, event, None, Confirmed::default()).await)
            .await
    }

    pub async fn publish(&self, round: u32) -> Result<RoundInfo, Error> {
        self.act(async |tx, change, event| rounds::publish(tx, change, event, round, None, false).await)
            .await
    }

    /// Makes and publishes the next round of pairs: the first of each has Black.
    pub async fn round(&self, boards: &[(u32, u32)], bye: Option<u32>) -> u32 {
        let table = rounds::Table {
            boards: boards
                .iter()
                .map(|(black, white)| (n(*black), n(*white)))
                .collect(),
            byes: bye.into_iter().map(n).collect(),
        };
        let confirmed = Confirmed {
            repeats: true,
            provisional: false,
        };
        let info = self
            .act(async |tx, change, event| rounds::by_hand(tx, change, event, table, confirmed).await)
            .await
            .expect("a table");
        self.publish(info.round).await.expect("published").round
    }

    pub async fn put(
        &self,
        round: u32,
        board: u32,
        input: ResultInput,
    ) -> Result<results::BoardResult, Error> {
        self.put_expecting(round, board, None, input).await
    }

    pub async fn put_expecting(
        &self,
        round: u32,
        board: u32,
        expected: Option<i64>,
        input: ResultInput,
    ) -> Result<results::BoardResult, Error> {
        let mut tx = self.begin().await;
        let summary = events::summary(&mut tx, &self.key).await?.expect("there");
        let done = results::put(
            &mut tx,
            &self.change(9),
            summary.id,
            round,
            board,
            expected,
            input,
        )
        .await?;
        tx.commit().await?;
        Ok(done)
    }

    /// Black wins on every board of a round that has no result.
    pub async fn black_wins(&self, round: u32) {
        let event = self.event().await;
        let table = event
            .stage
            .rounds
            .iter()
            .find(|table| table.round == round)
            .expect("a round");
        for board in table.pending() {
            self.put(round, board.board, won(Outcome::Black))
                .await
                .expect("a result");
        }
    }

    pub async fn log(&self, filter: log::Filter) -> Vec<log::LogEntry> {
        let event = self.event().await;
        let mut tx = self.begin().await;
        let all = store::Paging {
            offset: 0,
            limit: 500,
        };
        log::list(&mut tx, &event, filter, all)
            .await
            .expect("a log")
            .items
    }

    /// The points of an entry after a round.
    pub async fn points(&self, number: u32, after: u32) -> Score {
        let event = self.event().await;
        let table = standings::standings(&event.public_stage(), after);
        table.row(n(number)).expect("a row").score
    }

    /// All numbers of the log from 1 without a gap, and the head says the last.
    pub async fn assert_log_without_gap(&self) {
        let event = self.event().await;
        let seqs: Vec<i64> = sqlx::query_scalar("select seq from log where event_id = $1 order by seq")
            .bind(event.id)
            .fetch_all(&self.pool)
            .await
            .expect("numbers");
        let expected: Vec<i64> = (1..).take(seqs.len()).collect();
        assert_eq!(seqs, expected);
        assert_eq!(seqs.last(), Some(&event.last_seq));
    }
}

/// A, B … Z, A1, B1 …
pub fn name_of(index: u32) -> String {
    let letter = char::from(b'A' + u8::try_from(index % 26).expect("small"));
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
