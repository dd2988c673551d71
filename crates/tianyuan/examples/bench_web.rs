//! How fast the public pairing page of 500 boards comes, beside a bare handler that gives the same
//! bytes from memory.
//!
//! `cargo run --release -p tianyuan --example bench_web -- [SECONDS]`: so many seconds for each measurement
//! (usually 6). Needs wrk. Server, bare handler and `PostgreSQL` run here, the load in a process of its own.
//! First as many requests as 64 connections can make, the two by turns, as browsers ask (compressed) and as
//! plain bytes; then what a browser asks again (304); then half of what the server can do, at a steady
//! rate, for the latencies: each is counted from when the request was due, so one that is late makes
//! those behind it late too.
//! Exit code 1 when a target is missed.

use std::net::SocketAddr;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::get;
use private_postgres::Options;
use store::Store;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tournament::simulate::{Simulation, simulate};
use web::{AppState, Clock, Config};

mod bench;

/// The least part of the bare handler's requests per second.
const PART: f64 = 0.7;
/// The most that the slowest of a hundred may take at half load.
const SLOWEST: Duration = Duration::from_millis(20);
/// Connections of the load.
const CONNECTIONS: usize = 64;
/// How often the two are measured by turns.
const TURNS: usize = 3;

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let [word, address, path, rate, seconds] = &arguments[..]
        && word == "load"
    {
        let load = steady(address.parse()?, path, rate.parse()?, seconds.parse()?);
        runtime.block_on(load)?;
        return Ok(ExitCode::SUCCESS);
    }
    let seconds = arguments.first().map_or(Ok(6), |text| text.parse())?;
    runtime.block_on(measure(seconds))
}

async fn measure(seconds: u64) -> Result<ExitCode> {
    let folder = tempfile::tempdir()?;
    let cluster = private_postgres::start(&Options::volatile(folder.path())).await?;
    cluster.create_database_if_missing("bench").await?;
    let store = Store::connect(&cluster.database_url("bench"), 16).await?;
    store.migrate().await?;
    let path = event(&store).await?;
    let state = AppState::new(store.clone(), Clock::system(), Config::default());
    tokio::spawn(web::live::follow(state.clone()));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let server = listener.local_addr()?;
    tokio::spawn(web::serve(listener, state, std::future::pending()));
    tokio::time::sleep(Duration::from_millis(500)).await;

    let mut met = true;
    let mut most = 0.0;
    println!(
        "the pairing page of 500 boards, {CONNECTIONS} connections, {seconds} s each, the best of {TURNS}"
    );
    for (name, encoding) in [("compressed", "gzip, deflate, br"), ("plain bytes", "identity")] {
        let asks = format!("Accept-Encoding: {encoding}");
        let (tag, answer) = ask(server, &path, &asks).await?;
        let bare = bare(&answer).await?;
        let (mut ours, mut theirs) = (0.0_f64, 0.0_f64);
        for _ in 0..TURNS {
            theirs = theirs.max(wrk(bare, &path, &asks, seconds).await?);
            ours = ours.max(wrk(server, &path, &asks, seconds).await?);
        }
        let part = ours / theirs;
        met &= part >= PART;
        println!(
            "{name:>12}: {} bytes, {ours:.0} requests/s, a bare handler {theirs:.0}: {:.0} % (target {:.0} %)",
            answer.len(),
            part * 100.0,
            PART * 100.0
        );
        if encoding != "identity" {
            most = ours;
            let unchanged = wrk(server, &path, &format!("If-None-Match: {tag}"), seconds).await?;
            met &= unchanged > ours;
            println!(
                "{:>12}: {unchanged:.0} requests/s (target: more than {ours:.0})",
                "unchanged"
            );
        }
    }
    let rate = most / 2.0;
    let mut load = Command::new(std::env::current_exe()?);
    load.args([
        "load",
        &server.to_string(),
        &path,
        &format!("{rate:.0}"),
        &seconds.to_string(),
    ]);
    let told = run(load).await?;
    let slowest: f64 = field(&told, "p99").context("no latencies")?;
    met &= slowest < SLOWEST.as_secs_f64() * 1000.0;
    println!(
        "at half load: {} (target: p99 under {} ms)",
        told.trim(),
        SLOWEST.as_millis()
    );
    drop(store);
    cluster.stop().await?;
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Makes an event of 1000 players with a published round, and says where that round is.
async fn event(store: &Store) -> Result<String> {
    let stage = simulate(&Simulation::new(1000, 3, 1));
    ensure!(stage.rounds.len() == 3, "three rounds");
    let event = bench::event(store, stage).await?;
    Ok(format!("/e/{}/rounds/3", event.slug))
}

/// A page as it comes over the wire: its tag and its body.
async fn ask(server: SocketAddr, path: &str, asks: &str) -> Result<(String, Bytes)> {
    let mut stream = TcpStream::connect(server).await?;
    let head = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\n{asks}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    let end = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .context("a head")?;
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    ensure!(head.starts_with("http/1.1 200"), "{head}");
    let tag = head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .context("a tag")?;
    Ok((tag.to_owned(), Bytes::from(bytes.split_off(end + 4))))
}

/// The same bytes from a handler that does nothing else.
async fn bare(answer: &Bytes) -> Result<SocketAddr> {
    let answer = answer.clone();
    let app = Router::new().route(
        "/e/{slug}/rounds/{round}",
        get(move || {
            let answer = answer.clone();
            async move { ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], answer) }
        }),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(address)
}

async fn run(mut command: Command) -> Result<String> {
    let output = tokio::task::spawn_blocking(move || command.output()).await??;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// As many requests per second as it takes.
async fn wrk(server: SocketAddr, path: &str, asks: &str, seconds: u64) -> Result<f64> {
    let mut command = Command::new("wrk");
    command.args([
        "-t1",
        &format!("-c{CONNECTIONS}"),
        &format!("-d{seconds}s"),
        "-H",
        asks,
    ]);
    command.arg(format!("http://{server}{path}"));
    let told = run(command).await.context("wrk")?;
    let failed = told
        .lines()
        .any(|line| line.contains("Non-2xx") || line.contains("Socket errors"));
    ensure!(!failed || asks.starts_with("If-None-Match"), "{told}");
    let line = told
        .lines()
        .find_map(|line| line.trim().strip_prefix("Requests/sec:"));
    Ok(line.context("no rate")?.trim().parse()?)
}

fn field(told: &str, name: &str) -> Option<f64> {
    let mut words = told.split_whitespace();
    words.find(|word| *word == name)?;
    words.next()?.parse().ok()
}

/// Asks at a steady rate and prints the latencies, in milliseconds.
async fn steady(server: SocketAddr, path: &str, rate: f64, seconds: u64) -> Result<()> {
    let each = Duration::from_secs_f64(f64::from(u32::try_from(CONNECTIONS)?) / rate);
    let head = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n");
    let began = Instant::now() + Duration::from_millis(200);
    let mut tasks = Vec::new();
    for index in 0..CONNECTIONS {
        let head = head.clone();
        let first =
            began + each.mul_f64(f64::from(u32::try_from(index)?) / f64::from(u32::try_from(CONNECTIONS)?));
        tasks.push(tokio::spawn(async move {
            let mut stream = TcpStream::connect(server).await?;
            stream.set_nodelay(true)?;
            let mut late = Vec::new();
            let mut due = first;
            let mut bytes = Vec::with_capacity(256 * 1024);
            while due < began + Duration::from_secs(seconds) {
                tokio::time::sleep_until(due.into()).await;
                stream.write_all(head.as_bytes()).await?;
                whole(&mut stream, &mut bytes).await?;
                late.push(due.elapsed());
                due += each;
            }
            anyhow::Ok(late)
        }));
    }
    let mut late = Vec::new();
    for task in tasks {
        late.extend(task.await??);
    }
    late.sort_unstable();
    let at = |part: usize| late[(late.len() - 1) * part / 1000].as_secs_f64() * 1000.0;
    println!(
        "{rate:.0} requests/s, p50 {:.2} p99 {:.2} p999 {:.2} ms",
        at(500),
        at(990),
        at(999)
    );
    Ok(())
}

/// Reads one answer to its end.
async fn whole(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.clear();
    let mut need = usize::MAX;
    while bytes.len() < need {
        ensure!(
            stream.read_buf(bytes).await? > 0,
            "the server closed the connection"
        );
        if need == usize::MAX
            && let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n")
        {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            need = end + 4 + length.context("no length")?.trim().parse::<usize>()?;
        }
    }
    Ok(())
}
