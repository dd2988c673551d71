//! A real server on a port of its own, with a clock that stands still, and a small client.

use std::net::SocketAddr;
use std::sync::{Arc, LazyLock, Mutex};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sqlx::PgPool;
use store::{Actor, Change, Role, Scope, Store, Via};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use web::{AppState, Clock, Config};

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    pub store: Store,
    pub state: AppState,
    /// A director's bearer token.
    pub token: String,
    now: Arc<Mutex<DateTime<Utc>>>,
}

impl Server {
    pub async fn start(pool: PgPool) -> Self {
        Self::configured(pool, Config::default()).await
    }

    pub async fn configured(pool: PgPool, config: Config) -> Self {
        Self::configured_as(pool, config, "director-1").await
    }

    /// Beside another server of the same database.
    pub async fn configured_as(pool: PgPool, config: Config, director: &str) -> Self {
        let start = DateTime::parse_from_rfc3339("2026-05-01T01:00:00Z").expect("a moment");
        let now = Arc::new(Mutex::new(start.with_timezone(&Utc)));
        let clock = {
            let now = Arc::clone(&now);
            Clock::of(move || *now.lock().expect("the clock"))
        };
        let store = Store::from(pool);
        let state = AppState::new(store.clone(), clock, config);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(web::serve(listener, state.clone(), std::future::pending()));
        let token = new_token(&state, director, Role::Director).await;
        Self {
            address,
            store,
            state,
            token,
            now,
        }
    }

    /// A server that hears of changes as one that runs does, and tells of them.
    pub async fn following(pool: PgPool) -> Self {
        let server = Self::start(pool).await;
        server.follow().await;
        server
    }

    /// Hears of changes from here on.
    pub async fn follow(&self) {
        tokio::spawn(web::live::follow(self.state.clone()));
        while !self.state.live.hears() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// Another server over the same database, with the same clock.
    pub async fn beside(&self, pool: PgPool, config: Config) -> Self {
        let store = Store::from(pool);
        let clock = self.state.clock.clone();
        let state = AppState::new(store.clone(), clock, config);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(web::serve(listener, state.clone(), std::future::pending()));
        Self {
            address,
            store,
            state,
            token: self.token.clone(),
            now: Arc::clone(&self.now),
        }
    }

    /// Opens a stream of changes.
    pub async fn listen(&self, path: &str) -> Listening {
        self.request("GET", path).listen().await
    }

    /// Lets time pass.
    pub fn pass(&self, time: TimeDelta) {
        *self.now.lock().expect("the clock") += time;
    }

    pub fn request(&self, method: &str, path: &str) -> Request {
        Request {
            address: self.address,
            method: method.to_owned(),
            path: if path.starts_with("/api") || path.starts_with("//") {
                path.trim_start_matches("//").to_owned()
            } else {
                format!("/api/v1{path}")
            },
            headers: vec![("accept-language".to_owned(), "en".to_owned())],
            body: Vec::new(),
        }
    }

    /// As the public.
    pub async fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send().await
    }

    /// As a director.
    pub fn as_director(&self, method: &str, path: &str) -> Request {
        self.request(method, path).token(&self.token)
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.as_director("POST", path).json(body).send().await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.as_director("PATCH", path).json(body).send().await
    }

    /// An event with so many entries, named A, B, C … or P27 …; returns its path.
    pub async fn event(&self, name: &str, rounds: u32, entries: u32) -> String {
        let made = self
            .post("/events", &json!({"name": name, "rounds": rounds}))
            .await;
        assert_eq!(made.status, 201, "{}", made.text());
        let path = format!("/events/{}", made.json()["id"].as_str().expect("an id"));
        if entries > 0 {
            let names: Vec<Value> = (1..=entries)
                .map(|number| json!({"name": name_of(number)}))
                .collect();
            let added = self.post(&format!("{path}/entries"), &names.into()).await;
            assert_eq!(added.status, 201, "{}", added.text());
        }
        path
    }

    /// Pairs and publishes the next round.
    pub async fn round(&self, event: &str) -> Value {
        let paired = self.as_director("POST", &format!("{event}/rounds")).send().await;
        assert_eq!(paired.status, 201, "{}", paired.text());
        self.publish(event, paired.json()["round"].as_u64().expect("a round"))
            .await
    }

    /// Makes a round by hand and publishes it.
    pub async fn round_of(&self, event: &str, pairs: &[(u32, u32)], byes: &[u32]) -> Value {
        let boards: Vec<Value> = pairs
            .iter()
            .map(|(black, white)| json!({"black": black, "white": white}))
            .collect();
        let body = json!({"table": {"boards": boards, "byes": byes}});
        let paired = self.post(&format!("{event}/rounds"), &body).await;
        assert_eq!(paired.status, 201, "{}", paired.text());
        self.publish(event, paired.json()["round"].as_u64().expect("a round"))
            .await
    }

    pub async fn publish(&self, event: &str, round: u64) -> Value {
        let published = self
            .as_director("POST", &format!("{event}/rounds/{round}/publish"))
            .send()
            .await;
        assert_eq!(published.status, 200, "{}", published.text());
        published.json()
    }

    /// Enters results from board 1 on: `b`, `w`, `d`, and `-` for none.
    pub async fn results(&self, event: &str, round: u64, results: &str) {
        let given: Vec<Value> = results
            .chars()
            .enumerate()
            .filter(|(_, result)| *result != '-')
            .map(|(i, result)| {
                let word = match result {
                    'b' => "black",
                    'w' => "white",
                    _ => "draw",
                };
                json!({"board": i + 1, "result": word})
            })
            .collect();
        let put = self
            .as_director("PUT", &format!("{event}/rounds/{round}/results"))
            .json(&json!({"results": given}))
            .send()
            .await;
        assert_eq!(put.status, 200, "{}", put.text());
    }

    /// Number → score and opponents' score, after a round.
    pub async fn scores(&self, event: &str, after: u64) -> Vec<(u64, i64, String)> {
        let table = self.get(&format!("{event}/standings?after={after}")).await;
        assert_eq!(table.status, 200, "{}", table.text());
        let table = table.json();
        let mut scores: Vec<_> = table["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| {
                (
                    row["number"].as_u64().expect("a number"),
                    row["score"].as_i64().expect("a score"),
                    row["values"]["opponents_score"]
                        .as_str()
                        .unwrap_or("–")
                        .to_owned(),
                )
            })
            .collect();
        scores.sort();
        scores
    }

    /// How many entries the log of an event has.
    pub async fn log_length(&self, event: &str) -> u64 {
        let log = self.as_director("GET", &format!("{event}/log")).send().await;
        log.json()["total"].as_u64().expect("a total")
    }
}

/// A, B, C … and then P27, P28 …
pub fn name_of(number: u32) -> String {
    match u8::try_from(number) {
        Ok(n @ 1..=26) => char::from(b'A' + n - 1).to_string(),
        _ => format!("P{number}"),
    }
}

/// Whoever works on the machine itself.
pub fn operator() -> Actor {
    Actor {
        user: None,
        name: "tests".to_owned(),
        role: Role::Admin,
        via: Via::CommandLine,
    }
}

/// A change by that actor.
pub fn change_by<'a>(state: &AppState, actor: &'a Actor) -> Change<'a> {
    Change {
        actor,
        at: state.clock.now(),
        reason: None,
        chance: web::state::chance(),
    }
}

/// Gives a user a right in an event.
pub async fn give(state: &AppState, event: &str, name: &str, role: Role) {
    let actor = operator();
    let mut tx = state.store.begin().await.expect("a transaction");
    let event = store::events::find(&mut tx, event)
        .await
        .expect("a look")
        .expect("an event");
    let user = store::accounts::find_user_by_name(&mut tx, name)
        .await
        .expect("a look")
        .expect("a user");
    store::people::give(&mut tx, &change_by(state, &actor), event.id, user.id, role)
        .await
        .expect("given");
    tx.commit().await.expect("committed");
}

/// Closes an account.
pub async fn close_account(state: &AppState, name: &str) {
    let actor = operator();
    let mut tx = state.store.begin().await.expect("a transaction");
    let user = store::accounts::find_user_by_name(&mut tx, name)
        .await
        .expect("a look")
        .expect("a user");
    store::accounts::disable(&mut tx, &change_by(state, &actor), user.id)
        .await
        .expect("closed");
    tx.commit().await.expect("committed");
}

/// Adds a user without a password and gives it a token.
pub async fn new_token(state: &AppState, name: &str, role: Role) -> String {
    let actor = operator();
    let mut tx = state.store.begin().await.expect("a transaction");
    store::accounts::add_user(&mut tx, &change_by(state, &actor), name, None, role)
        .await
        .expect("a user");
    tx.commit().await.expect("committed");
    token_for(state, name, Scope::Everything).await
}

/// Gives a user a token.
pub async fn token_for(state: &AppState, name: &str, scope: Scope) -> String {
    let actor = operator();
    let change = change_by(state, &actor);
    let mut tx = state.store.begin().await.expect("a transaction");
    let user = store::accounts::find_user_by_name(&mut tx, name)
        .await
        .expect("a look")
        .expect("a user");
    let token = web::auth::add_token(&mut tx, &change, user.id, "tests", scope)
        .await
        .expect("a token");
    tx.commit().await.expect("committed");
    token
}

/// A request to be sent.
pub struct Request {
    address: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn if_match(self, version: &Value) -> Self {
        self.header("if-match", &format!("\"{version}\""))
    }

    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json")
            .body(body.to_string())
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends it on a connection of its own.
    pub async fn send(self) -> Answer {
        let mut stream = TcpStream::connect(self.address)
            .await
            .expect("the server takes connections");
        let path: String = self
            .path
            .bytes()
            .map(|byte| match byte {
                b'!'..=b'~' => char::from(byte).to_string(),
                _ => format!("%{byte:02X}"),
            })
            .collect();
        let mut head = format!(
            "{} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.method,
            self.body.len()
        );
        if self.headers.iter().all(|(name, _)| name != "host") {
            head.extend(["host: ", &self.address.to_string(), "\r\n"]);
        }
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        // A server that refuses a body may answer and close before it has read all of it.
        let _ = stream.write_all(&[head.as_bytes(), &self.body].concat()).await;
        let mut bytes = Vec::new();
        while let Ok(1..) = stream.read_buf(&mut bytes).await {
            // A stream of changes has no end.
            if bytes
                .windows(31)
                .any(|some| some == b"content-type: text/event-stream")
            {
                break;
            }
        }
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.lines();
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1))
            .expect("a status");
        assert_described(&self.method, &path, status);
        Answer {
            status: status.parse().expect("a status"),
            headers: lines
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect(),
            body: bytes.get(end + 4..).unwrap_or_default().to_vec(),
        }
    }
}

/// Every answer of the API that any of these tests gets is one that the description of the API names.
fn assert_described(method: &str, path: &str, status: &str) {
    static DESCRIPTION: LazyLock<Value> =
        LazyLock::new(|| serde_json::to_value(web::api::document()).expect("JSON"));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let asked = parts(path);
    let fits = |route: &str| {
        let route = parts(route);
        route.len() == asked.len()
            && (route.iter().zip(&asked)).all(|(part, asked)| part.starts_with('{') || part == asked)
    };
    let routes = DESCRIPTION["paths"].as_object().expect("paths");
    // Where a name and a parameter both fit, the name is meant.
    let Some(route) =
        (routes.keys().filter(|route| fits(route))).min_by_key(|route| route.matches('{').count())
    else {
        return;
    };
    let answers = &routes[route][method.to_lowercase()]["responses"];
    assert!(
        answers.is_null() || !answers[status].is_null(),
        "{status} is not in the description of {method} {route}"
    );
}

impl Request {
    /// Sends it and keeps the connection open, for an answer that goes on.
    pub async fn listen(self) -> Listening {
        let mut stream = TcpStream::connect(self.address).await.expect("a connection");
        let mut head = format!(
            "GET {} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n",
            self.path, self.address
        );
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).await.expect("sent");
        let mut listening = Listening {
            stream,
            status: 0,
            head: String::new(),
            text: String::new(),
        };
        while !listening.text.contains("\r\n\r\n") {
            assert!(listening.more().await, "an answer: {}", listening.text);
        }
        let (head, rest) = listening.text.split_once("\r\n\r\n").expect("a head");
        (listening.head, listening.text) = (head.to_ascii_lowercase(), rest.to_owned());
        listening.status = listening.head[9..12].parse().expect("a status");
        listening
    }
}

/// An open stream of changes.
pub struct Listening {
    stream: TcpStream,
    pub status: u16,
    pub head: String,
    text: String,
}

/// What a stream told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub name: String,
    pub id: Option<i64>,
    pub data: Value,
}

impl Listening {
    async fn more(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.stream.read(&mut bytes).await {
            Ok(0) | Err(_) => false,
            Ok(read) => {
                self.text.push_str(&String::from_utf8_lossy(&bytes[..read]));
                true
            }
        }
    }

    /// What is told next; none when the stream has ended, or nothing comes for so long.
    pub async fn next_within(&mut self, milliseconds: u64) -> Option<Told> {
        let wait = std::time::Duration::from_millis(milliseconds);
        tokio::time::timeout(wait, self.next()).await.ok().flatten()
    }

    async fn next(&mut self) -> Option<Told> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                let field = |name: &str| {
                    let start = format!("{name}: ");
                    let mut lines = block.lines();
                    lines.find_map(|line| line.strip_prefix(&start).map(str::to_owned))
                };
                // Beats say only that the stream is there, whenever the clock has them.
                if let Some(name) = field("event").filter(|name| name != "beat") {
                    return Some(Told {
                        name,
                        id: field("id").map(|id| id.parse().expect("a number")),
                        data: serde_json::from_str(&field("data")?).expect("JSON"),
                    });
                }
            }
            if !self.more().await {
                return None;
            }
        }
    }

    /// So much that is told, however long that takes, and what comes right after it.
    pub async fn hears(&mut self, expected: &[(String, Option<i64>)]) {
        let mut heard = Vec::new();
        while heard.len() < expected.len() {
            match self.next_within(10_000).await {
                Some(told) => heard.push((told.name, told.id)),
                None => break,
            }
        }
        heard.extend(self.heard().await);
        assert_eq!(heard, expected);
    }

    /// What is told, by name and number, until nothing comes for a while.
    pub async fn heard(&mut self) -> Vec<(String, Option<i64>)> {
        let mut heard = Vec::new();
        while let Some(told) = self.next_within(400).await {
            heard.push((told.name, told.id));
        }
        heard
    }

    /// Whether the server ends the stream soon.
    pub async fn ends(&mut self) -> bool {
        let wait = std::time::Duration::from_secs(3);
        tokio::time::timeout(wait, async { while self.more().await {} })
            .await
            .is_ok()
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Without the id of the request, which is another each time.
    pub fn text(&self) -> String {
        let said = String::from_utf8_lossy(&self.body).into_owned();
        let own = self
            .header("x-request-id")
            .map(|id| format!(",\"request_id\":\"{id}\""));
        let said = own.map_or(said.clone(), |own| said.replace(&own, ""));
        format!("{} {said}", self.status)
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    /// The kind of problem, after checking that it is told as problems are.
    pub fn problem(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{}",
            self.text()
        );
        let told = self.json();
        assert_eq!(told["status"], self.status, "{told}");
        assert!(
            told["detail"].as_str().is_some_and(|detail| !detail.is_empty()),
            "{told}"
        );
        let kind = told["type"].as_str().expect("a type");
        kind.strip_prefix("/problems/").expect("a stable type").to_owned()
    }
}
