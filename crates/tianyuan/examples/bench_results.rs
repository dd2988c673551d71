//! `scripts/bench results`: how many results a second 64 writers enter over HTTP, beside how many
//! transactions of one updated and one inserted row 64 clients of `pgbench` make on the same cluster,
//! with the same durability. Both take turns, so that what else the machine does falls on both.
//!
//! Writers, server and PostgreSQL share the machine. `--seconds N` says how long each turn is, `--turns N`
//! how many there are, `--writers N` how many write.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use chrono::Utc;
use mimalloc::MiMalloc;
use private_postgres::{Client, Options};
use serde_json::{Value, json};
use store::{Actor, Change, Role, Scope, Store, Via};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Child;
use web::{AppState, Clock, Config};

/// As the server has it.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

/// The share of pgbench's rate that is to be reached.
const TARGET: f64 = 0.5;
/// The server's connections to the database, as `tianyuan serve` has them.
const CONNECTIONS: u32 = 16;
const WORDS: [&str; 4] = ["black", "white", "draw", "both_lose"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let done = match arguments.first().map(String::as_str) {
        Some("serve") => runtime.block_on(serve(&arguments[1])).map(|()| true),
        _ => runtime.block_on(measure(&arguments)),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::from(3)
        }
    }
}

/// The server, as a process of its own.
async fn serve(url: &str) -> Result<()> {
    let store = Store::connect(url, CONNECTIONS).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let watched = store.clone();
    tokio::spawn(async move { watched.watch().await });
    let state = AppState::new(store, Clock::system(), Config::default());
    web::serve(listener, state, std::future::pending()).await;
    Ok(())
}

fn number(arguments: &[String], name: &str, usual: u64) -> Result<u64> {
    match arguments.iter().position(|argument| argument == name) {
        None => Ok(usual),
        Some(place) => arguments
            .get(place + 1)
            .and_then(|text| text.parse().ok())
            .with_context(|| format!("{name} needs a number")),
    }
}

async fn measure(arguments: &[String]) -> Result<bool> {
    let seconds = number(arguments, "--seconds", 5)?;
    let turns = number(arguments, "--turns", 5)?;
    let writers = usize::try_from(number(arguments, "--writers", 64)?)?;
    let folder = std::env::current_dir()?.join("target/bench-results");
    let _ = std::fs::remove_dir_all(&folder);
    let cluster = private_postgres::start(&Options::durable(&folder)).await?;
    cluster.create_database_if_missing("tianyuan").await?;
    let url = cluster.database_url("tianyuan");
    let measured = measure_on(&url, &folder, seconds, turns, writers).await;
    cluster.stop().await?;
    let _ = std::fs::remove_dir_all(&folder);
    measured
}

async fn measure_on(url: &str, folder: &Path, seconds: u64, turns: u64, writers: usize) -> Result<bool> {
    let store = Store::connect(url, 2).await?;
    store.migrate().await?;
    let token = token(&store).await?;
    let server = Server::start(url).await?;
    let mut setup = Line::open(server.address).await?;
    // All writers in one event, and in eight: the log of an event takes one act after the other.
    let one = Hall::open(&store, &mut setup, &token, (1, 2 * writers)).await?;
    let eight = Hall::open(&store, &mut setup, &token, (8, (writers / 4).max(2))).await?;
    let pgbench = Pgbench::prepare(url, folder, writers).await?;

    println!("{writers} writers, {turns} turns of {seconds} s each, fsync and synchronous_commit on\n");
    println!("turn   pgbench/s   one event/s          eight events/s");
    let mut rates: [Vec<f64>; 3] = Default::default();
    let mut waits: [Vec<f64>; 2] = Default::default();
    for turn in 1..=turns {
        let base = pgbench.run(seconds)?;
        let in_one = one.write(server.address, &token, writers, seconds).await?;
        let in_eight = eight.write(server.address, &token, writers, seconds).await?;
        let share = |run: &Run| 100.0 * run.rate / base;
        println!(
            "{turn:>4} {base:>11.0} {:>11.0} ({:>3.0} %) {:>16.0} ({:>3.0} %)",
            in_one.rate,
            share(&in_one),
            in_eight.rate,
            share(&in_eight)
        );
        rates[0].push(base);
        rates[1].push(in_one.rate);
        rates[2].push(in_eight.rate);
        waits[0].push(in_one.p99);
        waits[1].push(in_eight.p99);
    }
    drop(server);
    for hall in [&one, &eight] {
        hall.check(&store).await?;
    }
    let [base, in_one, in_eight] = rates.map(median);
    let [one_wait, eight_wait] = waits.map(median);
    println!("\nmedians: pgbench {base:.0}/s");
    let mut met = true;
    for (name, rate, wait) in [
        ("one event", in_one, one_wait),
        ("eight events", in_eight, eight_wait),
    ] {
        let share = rate / base;
        met &= share >= TARGET;
        println!(
            "  {name}: {rate:.0} results/s, {:.0} % of pgbench (target {:.0} %: {}), p99 {wait:.0} ms",
            100.0 * share,
            100.0 * TARGET,
            if share >= TARGET { "met" } else { "missed" }
        );
    }
    println!("  every acknowledged result is an act of its log, and every chain holds");
    Ok(met)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

async fn token(store: &Store) -> Result<String> {
    let actor = Actor {
        user: None,
        name: "bench".to_owned(),
        role: Role::Admin,
        via: Via::CommandLine,
    };
    let change = Change {
        actor: &actor,
        at: Utc::now(),
        reason: None,
        chance: web::state::chance(),
    };
    let mut tx = store.begin().await?;
    let user = store::accounts::add_user(&mut tx, &change, "Desk", None, Role::Admin).await?;
    let made = web::auth::add_token(&mut tx, &change, user.id, "bench", Scope::Everything).await;
    let token = made.ok().context("no token")?;
    tx.commit().await?;
    Ok(token)
}

struct Server {
    /// Ends with this.
    _process: Child,
    address: std::net::SocketAddr,
}

impl Server {
    async fn start(url: &str) -> Result<Self> {
        let mut process = tokio::process::Command::new(std::env::current_exe()?)
            .args(["serve", url])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut out = BufReader::new(process.stdout.take().context("a standard output")?);
        let mut line = String::new();
        out.read_line(&mut line).await?;
        let address = line.trim().parse().context("the server does not start")?;
        Ok(Self {
            _process: process,
            address,
        })
    }
}

/// A connection that is kept.
struct Line(BufReader<TcpStream>);

impl Line {
    async fn open(address: std::net::SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    async fn ask(&mut self, token: &str, method: &str, path: &str, body: &str) -> Result<(u16, Vec<u8>)> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\nif-match: *\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.get_mut().write_all(request.as_bytes()).await?;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            if self.0.read_line(&mut line).await? == 0 {
                bail!("the connection was closed");
            }
            let text = line.trim_end();
            if text.is_empty() {
                break;
            }
            if let Some(rest) = text.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next().unwrap_or_default().parse()?;
            } else if let Some((name, value)) = text.split_once(": ")
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.parse()?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await?;
        Ok((status, body))
    }

    async fn must(&mut self, token: &str, method: &str, path: &str, body: &Value) -> Result<Value> {
        let text = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let (status, answer) = self.ask(token, method, path, &text).await?;
        if !(200..300).contains(&status) {
            bail!("{method} {path}: {status} {}", String::from_utf8_lossy(&answer));
        }
        Ok(serde_json::from_slice(&answer).unwrap_or(Value::Null))
    }
}

/// How a turn went.
struct Run {
    rate: f64,
    /// In milliseconds.
    p99: f64,
}

/// Events with a published round, and what was entered in them.
struct Hall {
    events: Vec<String>,
    boards: usize,
    /// How many acts there were before the first result.
    before: i64,
    entered: Arc<AtomicU64>,
}

impl Hall {
    async fn open(
        store: &Store,
        line: &mut Line,
        token: &str,
        (events, boards): (usize, usize),
    ) -> Result<Self> {
        let mut paths = Vec::new();
        for number in 1..=events {
            let settings = json!({"name": format!("Bench {events}-{number}"), "rounds": 5});
            let made = line.must(token, "POST", "/api/v1/events", &settings).await?;
            let event = format!("/api/v1/events/{}", made["id"].as_str().context("an id")?);
            let entries: Vec<Value> = (1..=2 * boards)
                .map(|n| json!({"name": format!("P{n}")}))
                .collect();
            line.must(token, "POST", &format!("{event}/entries"), &entries.into())
                .await?;
            line.must(token, "POST", &format!("{event}/rounds"), &json!({}))
                .await?;
            line.must(token, "POST", &format!("{event}/rounds/1/publish"), &json!({}))
                .await?;
            paths.push(event);
        }
        let mut hall = Self {
            events: paths,
            boards,
            before: 0,
            entered: Arc::default(),
        };
        hall.before = hall.acts(store).await?;
        Ok(hall)
    }

    /// Each writer enters one result after the other at two boards of its own, each another than before.
    async fn write(
        &self,
        address: std::net::SocketAddr,
        token: &str,
        writers: usize,
        seconds: u64,
    ) -> Result<Run> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut tasks = Vec::new();
        for writer in 0..writers {
            let event = self.events[writer % self.events.len()].clone();
            let place = writer / self.events.len();
            let boards = [2 * place, 2 * place + 1].map(|board| board % self.boards + 1);
            let (token, stop) = (token.to_owned(), Arc::clone(&stop));
            let entered = Arc::clone(&self.entered);
            let mut line = Line::open(address).await?;
            tasks.push(tokio::spawn(async move {
                let mut waits = Vec::new();
                let mut turn = 0;
                while !stop.load(Ordering::Relaxed) {
                    let board = boards[turn % 2];
                    let body = format!("{{\"result\":\"{}\"}}", WORDS[turn / 2 % WORDS.len()]);
                    let path = format!("{event}/rounds/1/boards/{board}/result");
                    let asked = Instant::now();
                    let (status, answer) = line.ask(&token, "PUT", &path, &body).await?;
                    waits.push(asked.elapsed());
                    let answer = String::from_utf8_lossy(&answer).into_owned();
                    if status != 200 {
                        bail!("{path}: {status} {answer}");
                    }
                    // The first of a turn may be what the last of the turn before was.
                    entered.fetch_add(u64::from(answer.contains("\"changed\":true")), Ordering::Relaxed);
                    turn += 1;
                }
                Ok(waits)
            }));
        }
        let begun = Instant::now();
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        stop.store(true, Ordering::Relaxed);
        let mut waits = Vec::new();
        for task in tasks {
            waits.extend(task.await??);
        }
        let took = begun.elapsed().as_secs_f64();
        waits.sort_unstable();
        let p99 = waits.get(waits.len() * 99 / 100).copied().unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let count = waits.len() as f64;
        Ok(Run {
            rate: count / took,
            p99: p99.as_secs_f64() * 1000.0,
        })
    }

    /// How many acts stand in the logs, whose chains hold. What the chains hold is read step by step: a file
    /// of so many acts would be larger than any that is taken in.
    async fn acts(&self, store: &Store) -> Result<i64> {
        let mut acts = 0;
        for path in &self.events {
            let mut tx = store.snapshot().await?;
            let key = path.rsplit('/').next().unwrap_or_default();
            let event = store::events::find(&mut tx, key).await?.context("an event")?;
            let checked = store::log::check(&mut tx, &event).await?;
            if let Some(broken) = checked.broken.first() {
                bail!("the log of {path} is broken: {broken}");
            }
            acts += checked.acts;
        }
        Ok(acts)
    }

    /// As many acts more as results were acknowledged, and whole chains.
    async fn check(&self, store: &Store) -> Result<()> {
        let acts = self.acts(store).await? - self.before;
        let entered = i64::try_from(self.entered.load(Ordering::Relaxed))?;
        if acts != entered {
            bail!("{entered} results were acknowledged, and the logs have {acts}");
        }
        Ok(())
    }
}

/// `pgbench` with one row updated and one inserted in a transaction, each client on a row of its own.
struct Pgbench {
    program: std::path::PathBuf,
    script: std::path::PathBuf,
    variables: Vec<(String, String)>,
    clients: usize,
}

impl Pgbench {
    async fn prepare(url: &str, folder: &Path, clients: usize) -> Result<Self> {
        let snapshot = store::backup::Snapshot::take(url).await?;
        let client = Client::find(snapshot.major)?;
        snapshot.end().await?;
        let beside = |name: &str| client.pg_dump().with_file_name(name);
        let reach = store::backup::Reach::of(url)?;
        let variables: Vec<(String, String)> = reach
            .variables()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let tables = format!(
            "create table bench_rows (id integer primary key, version bigint not null, word text);
             create table bench_log (seq bigint generated always as identity primary key,
                 at timestamptz not null, row_id integer not null, word text not null);
             insert into bench_rows select n, 0, null from generate_series(0, {clients}) n;"
        );
        let made = Command::new(beside("psql"))
            .args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", &tables])
            .envs(variables.clone())
            .status()?;
        if !made.success() {
            bail!("psql could not make the tables");
        }
        let script = folder.join("pgbench.sql");
        std::fs::write(
            &script,
            "begin;\n\
             update bench_rows set version = version + 1, word = 'black' where id = :client_id;\n\
             insert into bench_log (at, row_id, word) values (now(), :client_id, 'black');\n\
             end;\n",
        )?;
        Ok(Self {
            program: beside("pgbench"),
            script,
            variables,
            clients,
        })
    }

    fn run(&self, seconds: u64) -> Result<f64> {
        let output = Command::new(&self.program)
            .args(["-n", "-M", "prepared", "-j", "2", "-c", &self.clients.to_string()])
            .args(["-T", &seconds.to_string(), "-f"])
            .arg(&self.script)
            .envs(self.variables.clone())
            .output()
            .context("pgbench")?;
        let said = String::from_utf8_lossy(&output.stdout);
        said.lines()
            .find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok())
            .with_context(|| format!("pgbench: {said}{}", String::from_utf8_lossy(&output.stderr)))
    }
}
