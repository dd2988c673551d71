//! Hands that write without pause and remember every change the server has acknowledged, and the eyes
//! that look for each of them afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use interchange::log_file;
use serde_json::{Value, json};

use crate::hall::exchange;

/// Boards of the event where results come in one by one.
const BOARDS: u32 = 24;
/// How many hands enter them, each on boards of its own.
const HANDS: u32 = 4;
/// Boards of the event that is paired and published round by round.
const SMALL: u32 = 8;
/// So many rounds of it are played: there is a table without repeats for each.
const ROUNDS: u32 = 6;
/// The words of results, in turn.
const WORDS: [&str; 4] = ["black", "white", "draw", "both_lose"];
/// How long a server that nothing is wrong with any more may be without an answer.
const PATIENCE: Duration = Duration::from_secs(90);

/// What is known of one board: the last acknowledged result, and what was sent since without an answer.
#[derive(Debug, Default)]
struct Board {
    sent: u32,
    acknowledged: Option<&'static str>,
    doubtful: Vec<&'static str>,
}

/// What the hand that pairs and publishes knows.
#[derive(Debug, Default)]
struct Rounds {
    sent: u32,
    published: u32,
    draft: bool,
    /// The word that all boards of the last round were acknowledged to have.
    results: Option<&'static str>,
    /// The words sent since without an answer.
    doubtful: Vec<&'static str>,
    /// Whether a pairing or a publication was sent without an answer.
    unsure: bool,
}

#[derive(Debug, Default)]
struct Memory {
    boards: BTreeMap<u32, Board>,
    /// Of every acknowledged result: the number of its act, its board and its word.
    acts: Vec<(i64, u32, &'static str)>,
    entries: BTreeSet<String>,
    doubtful_entries: BTreeSet<String>,
    /// An entry that was sent without an answer: it is sent again under the same key.
    again: Option<String>,
    rounds: Rounds,
}

/// What the hands have done in all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    /// Changes that were acknowledged.
    pub acknowledged: u64,
    /// Changes that were sent without an answer.
    pub unanswered: u64,
    /// Of those without an answer that were looked for, how many were there.
    pub there_all_the_same: u64,
    /// Answers that the server could not answer now.
    pub told: u64,
}

/// The hands and what they remember.
pub struct Desk {
    address: RwLock<SocketAddr>,
    token: String,
    /// The event where results come in, and the one that is paired and published.
    event: String,
    small: String,
    memory: Mutex<Memory>,
    done: Mutex<Done>,
    stop: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("what the hands remember")
}

/// A server that cannot answer says so: 503 with words in the reader's language and with when to ask
/// again.
fn says_what_it_is(status: u16, head: &str, body: &[u8], path: &str) {
    let text = String::from_utf8_lossy(body);
    let lower = head.to_ascii_lowercase();
    assert_eq!(status, 503, "{path}: {head}\n{text}");
    assert!(lower.contains("retry-after: "), "{path}: {head}\n{text}");
    assert!(
        lower.contains("application/problem+json"),
        "{path}: {head}\n{text}"
    );
    let told: Value = serde_json::from_slice(body).expect("JSON");
    let detail = told["detail"].as_str().unwrap_or_default();
    assert!(detail.contains('请'), "{path}: {detail}");
}

impl Desk {
    /// A desk at a server, with two new events.
    pub fn open(address: SocketAddr, token: &str) -> Self {
        let mut desk = Self {
            address: RwLock::new(address),
            token: token.to_owned(),
            event: String::new(),
            small: String::new(),
            memory: Mutex::default(),
            done: Mutex::default(),
            stop: AtomicBool::new(false),
        };
        desk.new_chapter();
        desk
    }

    /// Begins anew with empty events, so that what is looked through after each fault stays short.
    pub fn new_chapter(&mut self) {
        self.event = self.made("Open", 2 * BOARDS);
        let round = format!("{}/rounds", self.event);
        self.must("POST", &round, &json!({}), 201);
        self.must("POST", &format!("{round}/1/publish"), &json!({}), 200);
        self.small = self.made("Small", 2 * SMALL);
        self.memory = Mutex::default();
    }

    fn made(&self, name: &str, players: u32) -> String {
        let made = self.must("POST", "/api/v1/events", &json!({"name": name, "rounds": 9}), 201);
        let event = format!("/api/v1/events/{}", made["id"].as_str().expect("an id"));
        let entries: Vec<Value> = (1..=players).map(|n| json!({"name": format!("P{n}")})).collect();
        self.must("POST", &format!("{event}/entries"), &entries.into(), 201);
        event
    }

    /// Where the server is now.
    pub fn moved(&self, address: SocketAddr) {
        *self.address.write().expect("the address") = address;
    }

    /// What has been done so far.
    pub fn done(&self) -> Done {
        *lock(&self.done)
    }

    /// The id of the event where results come in.
    pub fn event_id(&self) -> &str {
        self.event.rsplit('/').next().unwrap_or_default()
    }

    /// One request; `None` when no answer came, or that the server cannot answer.
    fn ask(&self, method: &str, path: &str, body: &Value, key: Option<&str>) -> Option<(u16, Value)> {
        let mut header = "accept-language: zh-CN\r\n".to_owned();
        if method == "PUT" {
            header.push_str("if-match: *\r\n");
        }
        if let Some(key) = key {
            header.extend(["idempotency-key: ", key, "\r\n"]);
        }
        let address = *self.address.read().expect("the address");
        let (status, head, body) = exchange(address, &self.token, method, path, body, &header).ok()?;
        if status >= 500 {
            says_what_it_is(status, &head, &body, path);
            lock(&self.done).told += 1;
            return None;
        }
        Some((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }

    /// A request that is to be granted once the server answers.
    fn must(&self, method: &str, path: &str, body: &Value, status: u16) -> Value {
        let begun = Instant::now();
        loop {
            match self.ask(method, path, body, None) {
                Some((found, value)) => {
                    assert_eq!(found, status, "{method} {path}: {value}");
                    return value;
                }
                None if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(50)),
                None => panic!("{method} {path}: no answer"),
            }
        }
    }

    fn acknowledged(&self) {
        lock(&self.done).acknowledged += 1;
    }

    fn unanswered(&self) {
        lock(&self.done).unanswered += 1;
        // As somebody who presses the button again would.
        thread::sleep(Duration::from_millis(20));
    }

    /// Has the hands work while `during` runs; they stop when it has ended.
    pub fn work<T>(&self, during: impl FnOnce() -> T) -> T {
        self.stop.store(false, Ordering::SeqCst);
        thread::scope(|scope| {
            for hand in 0..HANDS {
                scope.spawn(move || {
                    let boards = (1..=BOARDS).filter(|board| board % HANDS == hand).cycle();
                    self.until_stopped(boards, |board| self.enter(board));
                });
            }
            scope.spawn(|| self.until_stopped(0.., |_| self.add_entry()));
            scope.spawn(|| self.until_stopped(0.., |_| self.play()));
            scope.spawn(|| self.until_stopped(0.., |_| self.look_at_the_door()));
            let stops = StopsAtTheEnd(&self.stop);
            let worked = during();
            drop(stops);
            worked
        })
    }

    fn until_stopped(&self, turns: impl Iterator<Item = u32>, mut work: impl FnMut(u32)) {
        for turn in turns {
            if self.stop.load(Ordering::SeqCst) {
                return;
            }
            work(turn);
        }
    }

    /// Waits until so many more changes were acknowledged.
    pub fn until_acknowledged(&self, more: u64) {
        let (begun, before) = (Instant::now(), self.done().acknowledged);
        while self.done().acknowledged < before + more {
            assert!(begun.elapsed() < PATIENCE, "no change is taken");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Enters one result. Each word differs from the one before, so each is an act of the log.
    fn enter(&self, board: u32) {
        let word = {
            let mut memory = lock(&self.memory);
            let known = memory.boards.entry(board).or_default();
            known.sent += 1;
            WORDS[known.sent as usize % WORDS.len()]
        };
        let path = format!("{}/rounds/1/boards/{board}/result", self.event);
        let answer = self.ask("PUT", &path, &json!({"result": word}), None);
        let mut memory = lock(&self.memory);
        let known = memory.boards.entry(board).or_default();
        match answer {
            Some((200, told)) => {
                known.acknowledged = Some(word);
                known.doubtful.clear();
                if told["changed"] == true {
                    let version = told["version"].as_i64().expect("a version");
                    memory.acts.push((version, board, word));
                }
                self.acknowledged();
            }
            Some((status, told)) => panic!("{path}: {status} {told}"),
            None => {
                known.doubtful.push(word);
                drop(memory);
                self.unanswered();
            }
        }
    }

    /// Adds an entry; one without an answer is sent again with the same key, and must not be there
    /// twice.
    fn add_entry(&self) {
        let name = {
            let mut memory = lock(&self.memory);
            let number = memory.entries.len() + memory.doubtful_entries.len();
            let name = memory.again.take();
            name.unwrap_or_else(|| format!("E{number}"))
        };
        let path = format!("{}/entries", self.event);
        let body = json!({"name": name, "team": format!("Team of {name}"), "rating": 2100});
        let key = format!("{}-{name}", self.event_id());
        let answer = self.ask("POST", &path, &body, Some(&key));
        let mut memory = lock(&self.memory);
        match answer {
            Some((201, _)) => {
                memory.doubtful_entries.remove(&name);
                memory.entries.insert(name);
                self.acknowledged();
            }
            Some((status, told)) => panic!("{path}: {status} {told}"),
            None => {
                memory.doubtful_entries.insert(name.clone());
                memory.again = Some(name);
                drop(memory);
                self.unanswered();
                return;
            }
        }
        drop(memory);
        // Each takes the event alone; the results are to come through as well.
        thread::sleep(Duration::from_millis(30));
    }

    /// Pairs, publishes, and enters all results of a round at once.
    fn play(&self) {
        let (round, draft, entered) = {
            let memory = lock(&self.memory);
            let rounds = &memory.rounds;
            (rounds.published, rounds.draft, rounds.results.is_some())
        };
        let path = format!("{}/rounds", self.small);
        if draft {
            let answer = self.ask("POST", &format!("{path}/{}/publish", round + 1), &json!({}), None);
            self.round_done(&path, answer, 200, |rounds| {
                rounds.published += 1;
                rounds.draft = false;
                rounds.results = None;
                rounds.doubtful.clear();
            });
        } else if round == 0 || (entered && round < ROUNDS) {
            let answer = self.ask("POST", &path, &json!({}), None);
            self.round_done(&path, answer, 201, |rounds| rounds.draft = true);
        } else {
            self.enter_all(&path, round);
        }
    }

    fn round_done(
        &self,
        path: &str,
        answer: Option<(u16, Value)>,
        granted: u16,
        done: impl FnOnce(&mut Rounds),
    ) {
        let mut memory = lock(&self.memory);
        let rounds = &mut memory.rounds;
        match answer {
            Some((status, _)) if status == granted => {
                done(rounds);
                rounds.unsure = false;
                self.acknowledged();
            }
            // What was sent before, without an answer, was done.
            Some((409, _)) if rounds.unsure => {
                done(rounds);
                rounds.unsure = false;
                lock(&self.done).there_all_the_same += 1;
            }
            Some((status, told)) => panic!("{path}: {status} {told}"),
            None => {
                rounds.unsure = true;
                drop(memory);
                self.unanswered();
            }
        }
    }

    fn enter_all(&self, path: &str, round: u32) {
        let word = {
            let mut memory = lock(&self.memory);
            memory.rounds.sent += 1;
            WORDS[memory.rounds.sent as usize % WORDS.len()]
        };
        // A correction says which version it has seen.
        let Some((200, now)) = self.ask("GET", &format!("{path}/{round}"), &Value::Null, None) else {
            return;
        };
        let boards = now["boards"].as_array().expect("boards");
        let results: Vec<Value> = boards
            .iter()
            .map(|board| json!({"board": board["board"], "result": word, "version": board["version"]}))
            .collect();
        let answer = self.ask(
            "PUT",
            &format!("{path}/{round}/results"),
            &json!({"results": results}),
            None,
        );
        let mut memory = lock(&self.memory);
        match answer {
            Some((200, _)) => {
                memory.rounds.results = Some(word);
                memory.rounds.doubtful.clear();
                self.acknowledged();
            }
            // What was sent before, without an answer, came in between.
            Some((412, _)) if !memory.rounds.doubtful.is_empty() => {}
            Some((status, told)) => panic!("{path}: {status} {told}"),
            None => {
                memory.rounds.doubtful.push(word);
                drop(memory);
                self.unanswered();
            }
        }
    }

    /// Whoever asks whether the server lives is told the truth, also while the database does not.
    fn look_at_the_door(&self) {
        let address = *self.address.read().expect("the address");
        let ask = |path: &str| {
            exchange(
                address,
                "",
                "GET",
                path,
                &Value::Null,
                "accept-language: zh-CN\r\n",
            )
        };
        if let Ok((status, head, _)) = ask("/healthz") {
            assert_eq!(status, 200, "{head}");
        }
        if let Ok((status, head, _)) = ask("/readyz") {
            assert!(status == 200 || status == 503, "{head}");
        }
        thread::sleep(Duration::from_millis(50));
    }

    /// How long it takes until the server says that it is ready.
    pub fn until_ready(&self) -> Duration {
        let begun = Instant::now();
        loop {
            let address = *self.address.read().expect("the address");
            if let Ok((200, ..)) = exchange(address, "", "GET", "/readyz", &Value::Null, "") {
                return begun.elapsed();
            }
            assert!(begun.elapsed() < PATIENCE, "the server does not recover");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Looks for everything that was acknowledged, and for what is half there. `what` is said when
    /// something is missing.
    pub fn look(&self, what: &str) {
        let mut memory = lock(&self.memory);
        self.look_at_results(&mut memory, what);
        self.look_at_entries(&mut memory, what);
        self.look_at_rounds(&mut memory, what);
        self.log(&self.small, what);
    }

    /// The acts of an event's log, whose chain holds.
    fn log(&self, event: &str, what: &str) -> Vec<Value> {
        let text = self.must("GET", &format!("{event}/log/file"), &Value::Null, 200);
        let log = log_file::read(text.to_string().as_bytes()).expect("a log file");
        let broken = log.check(&[]);
        assert!(broken.is_empty(), "{what}: the log is broken: {broken:?}");
        log.links.into_iter().map(|link| link.act).collect()
    }

    fn look_at_results(&self, memory: &mut Memory, what: &str) {
        let round = self.must("GET", &format!("{}/rounds/1", self.event), &Value::Null, 200);
        let acts = self.log(&self.event, what);
        let result = |value: &Value| value.as_str().map(str::to_owned);
        for found in round["boards"].as_array().expect("boards") {
            let board = u32::try_from(found["board"].as_u64().expect("a number")).expect("a number");
            let now = result(&found["result"]);
            // The board and the log tell the same: no half of a change is there.
            let last = acts
                .iter()
                .rev()
                .find(|act| act["subject"]["board"] == board && act["subject"]["round"] == 1);
            let told = last.and_then(|act| result(&act["after"]["result"]));
            assert_eq!(now, told, "{what}: board {board} and the log differ");
            if let Some(last) = last {
                assert_eq!(found["version"], last["seq"], "{what}: board {board}");
            }
            let known = memory.boards.entry(board).or_default();
            let doubt = known
                .doubtful
                .iter()
                .find(|word| now.as_deref() == Some(**word))
                .copied();
            let held = now.as_deref() == known.acknowledged;
            assert!(
                held || doubt.is_some(),
                "{what}: board {board} has {now:?}, acknowledged was {:?}, without an answer {:?}",
                known.acknowledged,
                known.doubtful
            );
            if !held {
                lock(&self.done).there_all_the_same += 1;
                known.acknowledged = doubt;
            }
            known.doubtful.clear();
        }
        for (seq, board, word) in memory.acts.drain(..) {
            let act = usize::try_from(seq - 1).ok().and_then(|index| acts.get(index));
            let act = act.unwrap_or_else(|| panic!("{what}: act {seq} was acknowledged and is not there"));
            assert_eq!(act["subject"]["board"], board, "{what}: act {seq}: {act}");
            assert_eq!(act["after"]["result"], word, "{what}: act {seq}: {act}");
        }
    }

    fn look_at_entries(&self, memory: &mut Memory, what: &str) {
        let mut found: BTreeMap<String, Value> = BTreeMap::new();
        let mut offset = 0;
        loop {
            let path = format!("{}/entries?limit=500&offset={offset}", self.event);
            let page = self.must("GET", &path, &Value::Null, 200);
            let items = page["items"].as_array().expect("entries");
            for entry in items {
                let name = entry["name"].as_str().expect("a name").to_owned();
                let twice = found.insert(name.clone(), entry.clone());
                assert!(twice.is_none(), "{what}: {name} is there twice");
            }
            if items.len() < 500 {
                break;
            }
            offset += 500;
        }
        for name in &memory.entries {
            let entry = found
                .get(name)
                .unwrap_or_else(|| panic!("{what}: {name} was acknowledged and is not there"));
            assert_eq!(entry["rating"], 2100, "{what}: {entry}");
            assert_eq!(entry["team"], format!("Team of {name}"), "{what}: {entry}");
        }
        for name in found.keys().filter(|name| name.starts_with('E')) {
            let known = memory.entries.contains(name) || memory.doubtful_entries.contains(name);
            assert!(known, "{what}: nobody sent {name}");
            if memory.doubtful_entries.contains(name) {
                lock(&self.done).there_all_the_same += 1;
            }
        }
    }

    fn look_at_rounds(&self, memory: &mut Memory, what: &str) {
        let rounds = &mut memory.rounds;
        let path = format!("{}/rounds", self.small);
        for round in 1..=rounds.published + 1 {
            let begun = Instant::now();
            let (status, found) = loop {
                match self.ask("GET", &format!("{path}/{round}"), &Value::Null, None) {
                    Some(answer) => break answer,
                    None if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(50)),
                    None => panic!("{what}: no answer"),
                }
            };
            if round > rounds.published {
                // What was not acknowledged may be there, and then wholly.
                assert!(!rounds.draft || status == 200, "{what}: the draft is not there");
                assert!(
                    status == 404 || rounds.draft || rounds.unsure,
                    "{what}: nobody sent round {round}"
                );
            } else {
                assert_eq!(status, 200, "{what}: round {round}");
                assert_eq!(found["status"], "published", "{what}: round {round}");
            }
            if status == 404 {
                continue;
            }
            let boards = found["boards"].as_array().expect("boards");
            assert_eq!(boards.len(), SMALL as usize, "{what}: round {round}");
            let words: BTreeSet<Option<&str>> = boards.iter().map(|board| board["result"].as_str()).collect();
            assert_eq!(words.len(), 1, "{what}: round {round} is half entered: {words:?}");
            if round == rounds.published {
                let now = words.into_iter().next().flatten();
                let doubt = rounds.doubtful.iter().find(|word| now == Some(**word)).copied();
                assert!(
                    now == rounds.results || doubt.is_some(),
                    "{what}: round {round} has {now:?}, acknowledged was {:?}, without an answer {:?}",
                    rounds.results,
                    rounds.doubtful
                );
                if now != rounds.results {
                    lock(&self.done).there_all_the_same += 1;
                    rounds.results = doubt;
                }
                rounds.doubtful.clear();
            }
        }
    }
}

/// Ends the work of the hands, also when what ran beside them has failed.
struct StopsAtTheEnd<'a>(&'a AtomicBool);

impl Drop for StopsAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
