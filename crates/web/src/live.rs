//! What this server knows of changes, and who is told of them while they look.
//!
//! [`Live`] has one number for each event: its last public change that was heard of. It is raised
//! by the commit itself where this server made the change, by a message of the server that made it,
//! and by asking the database every second, which finds what was lost on the way. Pages kept in
//! memory hold while the number is the one they were made at; open streams get what is new.
//!
//! All streams of an event share the bytes that are sent. A stream that does not take them in time
//! is ended, and comes back with the number it has seen.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::Stream;
use serde_json::{Value, json};
use store::Store;
use store::changes::{self, Head, Listener, PublicChange, Touched};
use store::events::Visibility;
use tokio::sync::{Notify, broadcast};
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use crate::state::AppState;

/// How many messages a stream may be behind before it is ended.
const BEHIND: usize = 64;
/// The most changes that are told one by one; who has missed more loads the page anew.
const MOST: u32 = 1000;
/// How often the database is asked how events stand.
const LOOK: Duration = Duration::from_secs(1);
/// For how long the last look is good enough to believe what was heard since.
const BELIEVED: Duration = Duration::from_secs(3);
/// How often every stream gets a sign of life.
const BEAT: Duration = Duration::from_secs(15);
/// For how long somebody's right is believed in a stream; then the browser asks again.
const RIGHTS_BELIEVED: Duration = Duration::from_secs(600);
/// How long changes are gathered before they are told together.
const GATHER: Duration = Duration::from_millis(10);
/// How long to wait before the database is asked again after a failure.
const AGAIN: Duration = Duration::from_millis(500);

/// How many streams one server keeps open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// In all.
    pub streams: usize,
    /// From one address: a whole hall may be behind one.
    pub from_one_address: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            streams: 10_000,
            from_one_address: 8_000,
        }
    }
}

/// Who listens to a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ear {
    /// Anybody: hears of public changes.
    Public,
    /// Whoever sees the results page: hears also that results wait for a second word.
    Results,
    /// Whoever sees drafts: hears also that something not public has changed.
    Staff,
}

/// Bytes for all streams that may hear them.
#[derive(Clone, Debug)]
struct Message {
    /// The number of the last public change in it; 0 for anything else.
    number: i64,
    ear: Ear,
    bytes: Bytes,
}

/// An event that this server has heard of.
#[derive(Debug)]
pub struct Known {
    event: Uuid,
    /// Its last public change; the greatest number for an event that is gone.
    number: AtomicI64,
    /// The last act of its log that was heard of.
    act: AtomicI64,
    /// The last act that was there when the database was asked last.
    there: AtomicI64,
    room: Mutex<Room>,
}

impl Known {
    /// The event.
    pub fn event(&self) -> Uuid {
        self.event
    }

    /// The last public change that was heard of.
    pub fn number(&self) -> i64 {
        self.number.load(Ordering::Acquire)
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        unpoisoned(&self.room)
    }
}

/// The open streams of an event.
#[derive(Debug, Default)]
struct Room {
    /// Those of people without a right in the event.
    public: Option<broadcast::Sender<Message>>,
    /// Those of people with one.
    people: Option<broadcast::Sender<Message>>,
    /// Up to which public change they were told.
    told: i64,
}

impl Room {
    fn is_empty(&self) -> bool {
        self.public.is_none() && self.people.is_none()
    }

    fn listened(&self) -> impl Iterator<Item = &broadcast::Sender<Message>> {
        self.public.iter().chain(&self.people)
    }

    fn send(&self, message: &Message) {
        if message.ear == Ear::Public {
            for sender in self.listened() {
                let _ = sender.send(message.clone());
            }
        } else if let Some(people) = &self.people {
            let _ = people.send(message.clone());
        }
    }

    /// Forgets the senders that nobody listens to any more.
    fn tidy(&mut self) {
        for sender in [&mut self.public, &mut self.people] {
            if sender.as_ref().is_some_and(|sender| sender.receiver_count() == 0) {
                *sender = None;
            }
        }
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a server knows of changes, and its open streams.
#[derive(Debug)]
pub struct Live {
    /// By which the others know what this server tells.
    id: Uuid,
    limits: Limits,
    events: Mutex<HashMap<Uuid, Arc<Known>>>,
    /// What was committed here and has to be told to the other servers.
    outbox: Mutex<HashMap<Uuid, Touched>>,
    to_tell: Notify,
    /// The events of which open streams have to be told something.
    news: Mutex<HashMap<Uuid, Arc<Known>>>,
    to_spread: Notify,
    /// Whether messages of other servers arrive.
    hears: std::sync::atomic::AtomicBool,
    /// When the database was asked last, in milliseconds since `began`, and one more; 0 for never.
    looked: AtomicU64,
    began: Instant,
    streams: AtomicUsize,
    from: Mutex<HashMap<IpAddr, usize>>,
    opened: AtomicU64,
    cut: AtomicU64,
    closed: std::sync::atomic::AtomicBool,
}

impl Live {
    /// Nothing known yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            id: Uuid::now_v7(),
            limits,
            events: Mutex::default(),
            outbox: Mutex::default(),
            to_tell: Notify::new(),
            news: Mutex::default(),
            to_spread: Notify::new(),
            hears: false.into(),
            looked: AtomicU64::new(0),
            began: Instant::now(),
            streams: AtomicUsize::new(0),
            from: Mutex::default(),
            opened: AtomicU64::new(0),
            cut: AtomicU64::new(0),
            closed: false.into(),
        }
    }

    /// How many streams are open.
    pub fn streams(&self) -> usize {
        self.streams.load(Ordering::Relaxed)
    }

    /// How many streams were opened since the start.
    pub fn streams_opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    /// How many streams were ended because they did not take what was sent.
    pub fn streams_cut(&self) -> u64 {
        self.cut.load(Ordering::Relaxed)
    }

    /// What is known of an event, beginning with a number that was read of it.
    pub fn known(&self, event: Uuid, number: i64) -> Arc<Known> {
        let known = Arc::clone(unpoisoned(&self.events).entry(event).or_insert_with(|| {
            Arc::new(Known {
                event,
                number: AtomicI64::new(number),
                act: AtomicI64::new(0),
                there: AtomicI64::new(0),
                room: Mutex::default(),
            })
        }));
        known.number.fetch_max(number, Ordering::AcqRel);
        known
    }

    /// Whether what was heard can be believed: messages arrive, and the database was asked lately.
    pub fn hears(&self) -> bool {
        let looked = self.looked.load(Ordering::Acquire);
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let believed = u64::try_from(BELIEVED.as_millis()).unwrap_or_default();
        self.hears.load(Ordering::Acquire) && looked > 0 && now.saturating_sub(looked) <= believed
    }

    /// Takes in what this server has committed: called before whoever committed is answered.
    pub fn committed(&self, touched: &[Touched]) {
        {
            let mut outbox = unpoisoned(&self.outbox);
            for touched in touched {
                outbox
                    .entry(touched.event)
                    .and_modify(|known| known.add(*touched))
                    .or_insert(*touched);
            }
        }
        self.to_tell.notify_one();
        for touched in touched {
            self.learn(*touched);
        }
    }

    /// Takes in what has changed, wherever it comes from.
    fn learn(&self, touched: Touched) {
        if touched.is_of_everybody() {
            let events: Vec<Arc<Known>> = unpoisoned(&self.events).values().cloned().collect();
            for known in events {
                known.room().people = None;
            }
            return;
        }
        let known = self.known(touched.event, 0);
        let newer = known.act.fetch_max(touched.act, Ordering::AcqRel) < touched.act;
        if touched.removed {
            self.gone(touched.event, &known);
            return;
        }
        if touched.rights {
            // Who may hear what is asked anew when they come back.
            known.room().people = None;
        }
        if let Some(number) = touched.public
            && known.number.fetch_max(number, Ordering::AcqRel) < number
        {
            self.has_news(touched.event, &known);
        }
        if newer && touched.public.is_none() {
            let (ear, name) = if touched.reports {
                (Ear::Results, "result-reported")
            } else {
                (Ear::Staff, "act")
            };
            known.room().send(&Message {
                number: 0,
                ear,
                bytes: block(None, name, &json!({})).into(),
            });
        }
    }

    fn gone(&self, event: Uuid, known: &Known) {
        known.number.store(i64::MAX, Ordering::Release);
        *known.room() = Room::default();
        unpoisoned(&self.events).remove(&event);
    }

    fn has_news(&self, event: Uuid, known: &Arc<Known>) {
        if known.room().is_empty() {
            return;
        }
        unpoisoned(&self.news).insert(event, Arc::clone(known));
        self.to_spread.notify_one();
    }

    /// Asks the database how the known events stand, and takes in what was not heard.
    ///
    /// # Errors
    /// Only of the database.
    async fn look(&self, store: &Store) -> store::Result<()> {
        let events: Vec<(Uuid, Arc<Known>)> = unpoisoned(&self.events)
            .iter()
            .map(|(event, known)| (*event, Arc::clone(known)))
            .collect();
        let asked = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let ids: Vec<Uuid> = events.iter().map(|(event, _)| *event).collect();
        let heads = changes::heads(store, &ids).await?;
        for (event, known) in &events {
            match heads.get(event) {
                Some(head) => {
                    self.stands(*event, known, *head);
                    self.unheard(*event, known, *head);
                }
                None => self.gone(*event, known),
            }
        }
        self.looked.store(asked + 1, Ordering::Release);
        Ok(())
    }

    /// Takes in how an event stands for the public.
    fn stands(&self, event: Uuid, known: &Known, head: Head) {
        if known.number() < head.number {
            self.learn(Touched {
                event,
                act: 0,
                public: Some(head.number),
                reports: false,
                rights: false,
                removed: false,
            });
        }
        if head.visibility == Visibility::Hidden {
            known.room().public = None;
        }
    }

    /// Takes in an act that nobody told of: it was there at the last look already, so no message is
    /// on its way. What it was is not known, so only those hear of it who see everything.
    fn unheard(&self, event: Uuid, known: &Known, head: Head) {
        let there = known.there.swap(head.last_seq, Ordering::AcqRel);
        let first = known
            .act
            .compare_exchange(0, head.last_seq, Ordering::AcqRel, Ordering::Acquire);
        if first.is_err_and(|act| act < there) {
            self.learn(Touched {
                event,
                act: there,
                public: None,
                reports: false,
                rights: true,
                removed: false,
            });
        }
    }

    /// Asks the database for the number of an event: where nothing is heard, at each request.
    ///
    /// # Errors
    /// Only of the database.
    pub async fn ask(&self, store: &Store, event: Uuid) -> store::Result<Option<Head>> {
        let head = changes::heads(store, &[event]).await?.remove(&event);
        let known = self.known(event, 0);
        match head {
            Some(head) => self.stands(event, &known, head),
            None => self.gone(event, &known),
        }
        Ok(head)
    }

    /// Tells the open streams of an event what is new.
    async fn spread(&self, store: &Store, event: Uuid, known: &Known) -> store::Result<()> {
        let told = {
            let mut room = known.room();
            room.tidy();
            if room.is_empty() {
                return Ok(());
            }
            room.told
        };
        let Some(head) = self.ask(store, event).await? else {
            return Ok(());
        };
        let found = changes::since(store, event, told, MOST).await?;
        let last = found.last().map_or(told, |change| change.number);
        // Between the two questions more may have come.
        let bytes = if is_whole(&found, told, head.number.max(last)) {
            written(&found)
        } else {
            reset(head.number)
        };
        let number = head.number.max(last);
        let mut room = known.room();
        if room.told == told && number > told {
            room.told = number;
            room.send(&Message {
                number,
                ear: Ear::Public,
                bytes,
            });
        }
        Ok(())
    }

    /// Opens a stream of an event for somebody who has seen its public changes up to `seen`.
    ///
    /// # Errors
    /// When there are as many as there may be, the event is not there, or the database fails.
    pub async fn open(
        self: &Arc<Self>,
        store: &Store,
        event: Uuid,
        (ear, belongs): (Ear, bool),
        seen: Option<i64>,
        address: Option<IpAddr>,
    ) -> Result<impl Stream<Item = Result<Bytes, Infallible>> + use<>, OpenError> {
        let seat = self.seat(address)?;
        let head = self.ask(store, event).await?;
        let Some(head) = head.filter(|head| belongs || head.visibility == Visibility::Public) else {
            return Err(OpenError::Gone);
        };
        let known = self.known(event, 0);
        let (messages, told) = {
            let mut room = known.room();
            if room.is_empty() {
                room.told = head.number;
            }
            let told = room.told;
            let sender = if belongs {
                &mut room.people
            } else {
                &mut room.public
            };
            let sender = sender.get_or_insert_with(|| broadcast::channel(BEHIND).0);
            (sender.subscribe(), told)
        };
        if told < known.number() {
            self.has_news(event, &known);
        }
        // What came between the number that was seen and where this stream begins.
        let mut last = told;
        let mut first = greeting(self.opened.fetch_add(1, Ordering::Relaxed));
        match seen {
            None => first.push_str(&block(Some(told), "now", &json!({"number": told}))),
            Some(seen) if seen == told => {}
            Some(seen) if seen > told && seen <= head.number => last = seen,
            Some(seen) if seen < told && seen >= 0 => {
                let mut found = changes::since(store, event, seen, MOST).await?;
                found.retain(|change| change.number <= told);
                if is_whole(&found, seen, told) {
                    first.push_str(&String::from_utf8_lossy(&written(&found)));
                } else {
                    first.push_str(&String::from_utf8_lossy(&reset(told)));
                }
            }
            // A number that was never given.
            Some(_) => first.push_str(&String::from_utf8_lossy(&reset(told))),
        }
        let open = OpenStream {
            first: Some(first.into()),
            messages,
            last,
            ear,
            until: belongs.then(|| Instant::now() + RIGHTS_BELIEVED),
            seat,
            ended: false,
        };
        Ok(futures_util::stream::unfold(open, OpenStream::next))
    }

    fn seat(self: &Arc<Self>, address: Option<IpAddr>) -> Result<Seat, OpenError> {
        if self.closed.load(Ordering::Acquire) {
            return Err(OpenError::Full);
        }
        let limits = self.limits;
        let taken = |seats: usize| (seats < limits.streams).then_some(seats + 1);
        self.streams
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, taken)
            .map_err(|_| OpenError::Full)?;
        let mut seat = Seat {
            live: Arc::clone(self),
            address: None,
        };
        if let Some(address) = address {
            let mut from = unpoisoned(&self.from);
            let open = from.entry(address).or_default();
            if *open >= limits.from_one_address {
                return Err(OpenError::Full);
            }
            *open += 1;
            seat.address = Some(address);
        }
        Ok(seat)
    }

    /// Ends all streams and takes no more: browsers come back to another server, or to this one when
    /// it is there again.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        let events: Vec<Arc<Known>> = unpoisoned(&self.events).values().cloned().collect();
        for known in events {
            *known.room() = Room::default();
        }
    }
}

/// Why a stream is not opened.
#[derive(Debug)]
pub enum OpenError {
    /// There are as many as there may be, or the server is about to stop.
    Full,
    /// The event is not there any more.
    Gone,
    /// The database did not answer.
    Store(store::Error),
}

impl From<store::Error> for OpenError {
    fn from(error: store::Error) -> Self {
        Self::Store(error)
    }
}

/// A stream's place among those that may be open.
#[derive(Debug)]
struct Seat {
    live: Arc<Live>,
    address: Option<IpAddr>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.live.streams.fetch_sub(1, Ordering::AcqRel);
        if let Some(address) = self.address {
            let mut from = unpoisoned(&self.live.from);
            if let Some(open) = from.get_mut(&address) {
                *open -= 1;
                if *open == 0 {
                    from.remove(&address);
                }
            }
        }
    }
}

/// An open stream.
#[derive(Debug)]
struct OpenStream {
    first: Option<Bytes>,
    messages: broadcast::Receiver<Message>,
    last: i64,
    ear: Ear,
    until: Option<Instant>,
    seat: Seat,
    ended: bool,
}

impl OpenStream {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        if let Some(first) = self.first.take() {
            return Some((Ok(first), self));
        }
        loop {
            let message = match self.messages.recv().await {
                Ok(message) => message,
                Err(broadcast::error::RecvError::Closed) => return self.farewell(),
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    self.seat.live.cut.fetch_add(1, Ordering::Relaxed);
                    return None;
                }
            };
            if self.until.is_some_and(|until| Instant::now() > until) {
                return None;
            }
            if message.ear > self.ear || (message.number > 0 && message.number <= self.last) {
                continue;
            }
            self.last = self.last.max(message.number);
            return Some((Ok(message.bytes), self));
        }
    }
}

impl OpenStream {
    /// What a stream ends with when the server is about to stop: when to come back, to another one.
    fn farewell(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let live = &self.seat.live;
        if self.ended || !live.closed.load(Ordering::Acquire) {
            return None;
        }
        // One less each time, as the others are gone.
        let left = u64::try_from(live.streams()).unwrap_or_default();
        self.ended = true;
        Some((Ok(greeting(left).into()), self))
    }
}

/// What a stream begins with: when to come back after it has ended. Not all at once.
fn greeting(nth: u64) -> String {
    format!("retry: {}\n: \n\n", 1000 + nth * 379 % 2000)
}

/// Whether these are all changes after one number up to another.
fn is_whole(found: &[PublicChange], after: i64, to: i64) -> bool {
    (after + 1..=to).eq(found.iter().map(|change| change.number))
}

/// Changes as a stream tells them. That standings are other ones comes before the number of the
/// last change, so that whoever has the number has heard of it too.
fn written(found: &[PublicChange]) -> Bytes {
    let mut text = String::new();
    for change in found {
        let number = change.number;
        if Some(change) == found.iter().rfind(|change| change.kind.changes_standings()) {
            let data = json!({"number": number});
            text.push_str(&block(None, "standings-changed", &data));
        }
        let mut data = json!({"number": number});
        for (name, value) in [("round", change.round), ("board", change.board)] {
            if let Some(value) = value {
                data[name] = value.into();
            }
        }
        data["at"] = change
            .at
            .to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
            .into();
        text.push_str(&block(Some(number), change.kind.as_str(), &data));
    }
    text.into()
}

/// Whoever has missed what is not told any more looks at everything anew.
fn reset(number: i64) -> Bytes {
    block(Some(number), "reset", &json!({"number": number})).into()
}

/// One thing that a stream tells.
fn block(id: Option<i64>, name: &str, data: &Value) -> String {
    let id = id.map_or_else(String::new, |id| format!("id: {id}\n"));
    format!("{id}event: {name}\ndata: {data}\n\n")
}

/// Tells other servers, hears them, and tells open streams, for as long as it is awaited. Each
/// server has one of these.
pub async fn follow(state: AppState) {
    let (store, live) = (&state.store, &state.live);
    tokio::join!(
        tell(store, live),
        hear(store, live),
        spread(store, live),
        watch(store, live),
        beat(live)
    );
}

async fn tell(store: &Store, live: &Live) {
    loop {
        live.to_tell.notified().await;
        loop {
            tokio::time::sleep(GATHER).await;
            let touched: Vec<Touched> = unpoisoned(&live.outbox).drain().map(|(_, one)| one).collect();
            if touched.is_empty() {
                break;
            }
            // What cannot be told is found by those who ask.
            if let Err(error) = changes::tell(store, live.id, &touched).await {
                tracing::warn!(%error, "other servers could not be told what has changed");
                tokio::time::sleep(AGAIN).await;
            }
        }
    }
}

async fn hear(store: &Store, live: &Live) {
    while !live.closed.load(Ordering::Acquire) {
        if let Err(error) = listen(store, live).await
            && !live.closed.load(Ordering::Acquire)
        {
            tracing::warn!(%error, "what other servers change is not heard; asking at each request");
        }
        live.hears.store(false, Ordering::Release);
        tokio::time::sleep(AGAIN).await;
    }
}

async fn listen(store: &Store, live: &Live) -> store::Result<()> {
    let mut listener = Listener::open(store, live.id).await?;
    loop {
        // What was told before this connection listened.
        live.look(store).await?;
        live.hears.store(true, Ordering::Release);
        while let Some(touched) = listener.hear().await? {
            metrics::counter!("tianyuan_notifications_total").increment(1);
            for touched in touched {
                live.learn(touched);
            }
        }
        live.hears.store(false, Ordering::Release);
    }
}

async fn spread(store: &Store, live: &Live) {
    loop {
        live.to_spread.notified().await;
        tokio::time::sleep(GATHER).await;
        let news: Vec<(Uuid, Arc<Known>)> = unpoisoned(&live.news).drain().collect();
        for (event, known) in news {
            if let Err(error) = live.spread(store, event, &known).await {
                tracing::warn!(%error, "open streams could not be told what has changed; trying again");
                tokio::time::sleep(AGAIN).await;
                live.has_news(event, &known);
            }
        }
    }
}

async fn watch(store: &Store, live: &Live) {
    let mut seconds = tokio::time::interval(LOOK);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        seconds.tick().await;
        if let Err(error) = live.look(store).await {
            tracing::warn!(%error, "the database could not be asked for changes");
        }
    }
}

async fn beat(live: &Live) {
    let mut beats = tokio::time::interval_at(tokio::time::Instant::now() + BEAT, BEAT);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let message = Message {
        number: 0,
        ear: Ear::Public,
        bytes: Bytes::from_static(b"event: beat\ndata: {}\n\n"),
    };
    loop {
        beats.tick().await;
        let events: Vec<Arc<Known>> = unpoisoned(&live.events).values().cloned().collect();
        for known in events {
            let mut room = known.room();
            room.tidy();
            room.send(&message);
        }
    }
}
