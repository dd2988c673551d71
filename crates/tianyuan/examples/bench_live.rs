//! How long a result takes to reach every open stream of an event, and what a stream costs.
//!
//! `cargo run --release -p tianyuan --example bench_live -- [STREAMS] [RESULTS]`: usually 5000 streams and 20
//! results, one after the other. The server and `PostgreSQL` run here, whoever listens in a process of
//! its own. The time is from before the result is entered until the last byte of it is read at a stream.
//! Exit code 1 when a target is missed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, ensure};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use private_postgres::Options;
use store::results::ResultInput;
use store::{Store, results};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tournament::Outcome;
use tournament::simulate::{Simulation, simulate};
use web::{AppState, Clock, Config};

mod bench;

/// The most that the slowest of a hundred streams may wait.
const SLOWEST: Duration = Duration::from_secs(1);

fn main() -> Result<ExitCode> {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most, most)?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let [word, address, path, streams, results] = &arguments[..]
        && word == "listen"
    {
        let listening = listen(address.parse()?, path, streams.parse()?, results.parse()?);
        runtime.block_on(listening)?;
        return Ok(ExitCode::SUCCESS);
    }
    let number = |at: usize, usual: u32| arguments.get(at).map_or(Ok(usual), |text| text.parse());
    runtime.block_on(measure(usize::try_from(number(0, 5000)?)?, number(1, 20)?))
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// How much memory this process has, in bytes.
fn memory() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: f64 = line.context("no VmRSS")?.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes * 1024.0)
}

async fn measure(streams: usize, results: u32) -> Result<ExitCode> {
    let folder = tempfile::tempdir()?;
    let cluster = private_postgres::start(&Options::durable(folder.path())).await?;
    cluster.create_database_if_missing("bench").await?;
    let store = Store::connect(&cluster.database_url("bench"), 16).await?;
    store.migrate().await?;
    let stage = simulate(&Simulation::new(200, 3, 1));
    let board = stage.rounds[2].boards[0];
    let event = bench::event(&store, stage).await?;
    let actor = bench::actor();
    let state = AppState::new(store.clone(), Clock::system(), Config::default());
    tokio::spawn(web::live::follow(state.clone()));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(web::serve(listener, state.clone(), std::future::pending()));

    let before = memory()?;
    let mut child = Command::new(std::env::current_exe()?)
        .args([
            "listen",
            &address.to_string(),
            &format!("/api/v1/events/{}/stream", event.slug),
        ])
        .args([streams.to_string(), results.to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
    let mut line = || -> Result<String> { Ok(lines.next().context("the listener ended")??) };
    ensure!(tokio::task::block_in_place(&mut line)? == "open");
    ensure!(
        state.live.streams() == streams,
        "{} streams are open",
        state.live.streams()
    );
    tokio::time::sleep(Duration::from_secs(1)).await;
    let each = (memory()? - before) / f64::from(u32::try_from(streams)?);

    let mut late: Vec<f64> = Vec::new();
    for turn in 0..results {
        let other = if turn % 2 == 0 {
            Outcome::Draw
        } else {
            Outcome::White
        };
        let input = ResultInput {
            result: Some(other),
            by: None,
            margin: None,
            warnings: board.warnings,
            black: None,
        };
        let began = now();
        let mut tx = store.begin().await?;
        results::put(
            &mut tx,
            &bench::change(&actor),
            event.id,
            3,
            board.board,
            None,
            input,
        )
        .await?;
        tx.commit().await?;
        let heard = tokio::task::block_in_place(&mut line)?;
        for at in heard.split(' ') {
            late.push((at.parse::<f64>()? / 1e9 - began.as_secs_f64()) * 1000.0);
        }
    }
    child.wait()?;
    late.sort_unstable_by(f64::total_cmp);
    ensure!(
        late.len() == streams * usize::try_from(results)?,
        "every stream hears every result"
    );
    let at = |part: usize| late[(late.len() - 1) * part / 1000];
    let slowest = at(990);
    println!(
        "{results} results to {streams} streams: p50 {:.0} p99 {slowest:.0} last {:.0} ms (target: p99 under {} ms)",
        at(500),
        at(1000),
        SLOWEST.as_millis()
    );
    println!("memory: {:.1} kB a stream", each / 1000.0);
    drop(store);
    cluster.stop().await?;
    Ok(if slowest < SLOWEST.as_secs_f64() * 1000.0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Opens the streams, says so, and prints for each result when each stream had it, in nanoseconds.
async fn listen(server: SocketAddr, path: &str, streams: usize, results: u32) -> Result<()> {
    let (open, mut opened) = mpsc::channel(streams);
    let (heard, mut all) = mpsc::channel(streams);
    let head = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\nAccept: text/event-stream\r\n\r\n");
    for _ in 0..streams {
        let (head, open, heard) = (head.clone(), open.clone(), heard.clone());
        tokio::spawn(async move {
            let mut stream = TcpStream::connect(server).await?;
            stream.write_all(head.as_bytes()).await?;
            let mut bytes = Vec::new();
            let mut waits = true;
            loop {
                ensure!(stream.read_buf(&mut bytes).await? > 0, "the stream ended");
                let text = String::from_utf8_lossy(&bytes);
                if waits && text.contains("event: now") && text.ends_with("\n\n\r\n") {
                    waits = false;
                    open.send(()).await?;
                    bytes.clear();
                } else if !waits && text.contains("event: result-entered") && text.ends_with("\n\n\r\n") {
                    heard.send(now().as_nanos()).await?;
                    bytes.clear();
                }
            }
            #[expect(unreachable_code, reason = "says what the task fails with")]
            anyhow::Ok(())
        });
    }
    for _ in 0..streams {
        opened.recv().await.context("a stream could not be opened")?;
    }
    println!("open");
    for _ in 0..results {
        let mut line = Vec::with_capacity(streams);
        for _ in 0..streams {
            line.push(all.recv().await.context("a stream ended")?.to_string());
        }
        println!("{}", line.join(" "));
        std::io::stdout().flush()?;
    }
    Ok(())
}
