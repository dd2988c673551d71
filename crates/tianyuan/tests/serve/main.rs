//! The server as a process: from an empty folder, stopped in good order, killed without warning.

mod backup;
mod doors;
#[allow(dead_code, reason = "other tests use the rest of it")]
mod hall;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use hall::{Hall, send};
use serde_json::{Value, json};

const BOARDS: u32 = 20;

#[test]
fn a_server_starts_from_nothing_and_stops_in_good_order() {
    let mut hall = Hall::open("start", &["--demo"]);
    assert!(hall.said.contains("/setup/"), "{}", hall.said);
    let link = hall
        .said
        .lines()
        .find(|line| line.contains("/setup/"))
        .expect("the link")
        .to_owned();
    let events = hall.get("/api/v1/events");
    assert_eq!(events["total"], 3, "{events}");
    for signal in ["-TERM", "-INT"] {
        let ended = hall.stop(signal);
        assert!(ended.success(), "{signal}: {ended}");
        assert!(
            private_postgres::running(&hall.folder).is_none(),
            "{signal}: PostgreSQL still runs"
        );
        hall.start(&["--demo"]);
        // Samples are loaded once, and each start makes a new link while nobody has used one.
        assert_eq!(hall.get("/api/v1/events")["total"], 3);
        assert!(
            hall.said.contains("/setup/") && !hall.said.contains(&link),
            "{}",
            hall.said
        );
    }
}

#[test]
fn users_and_tokens_are_added_with_and_without_a_running_server() {
    let mut hall = Hall::open("users", &[]);
    let made = hall.command(&["user", "add", "Li", "--role", "admin"], "");
    assert!(made.status.success(), "{made:?}");
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(
        said.contains("Li can sign in as admin") && said.contains("password: "),
        "{said}"
    );
    let again = hall.command(&["user", "add", "li", "--role", "director"], "");
    assert_eq!(again.status.code(), Some(1), "{again:?}");
    let short = hall.command(
        &["user", "add", "Wu", "--role", "director", "--password-stdin"],
        "short\n",
    );
    assert_eq!(short.status.code(), Some(2), "{short:?}");
    let role = hall.command(&["user", "add", "Wu", "--role", "king"], "");
    assert_eq!(role.status.code(), Some(2), "{role:?}");
    assert!(hall.stop("-TERM").success());
    // Without the server, the database is started for the moment.
    let token = hall.command(&["token", "add", "Li"], "");
    assert!(token.status.success(), "{token:?}");
    let token = String::from_utf8_lossy(&token.stdout).trim().to_owned();
    let nobody = hall.command(&["token", "add", "Nobody"], "");
    assert_eq!(nobody.status.code(), Some(1), "{nobody:?}");
    hall.start(&[]);
    // There is an administrator now: no link any more.
    assert!(!hall.said.contains("/setup/"), "{}", hall.said);
    hall.token = token;
    hall.call(
        "POST",
        "/api/v1/events",
        &json!({"name": "Open", "rounds": 3}),
        201,
    );
}

#[test]
fn an_address_that_is_taken_is_said_before_anything_is_made() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let folder = hall::new_folder("taken");
    let ended = hall::binary()
        .args(["serve", "--listen", &address, "--data-dir"])
        .arg(&folder)
        .output()
        .expect("the program runs");
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(said.contains(&address) && said.contains("--listen"), "{said}");
    assert!(!folder.exists());
}

/// What the hands at the desk know: what was sent, and what the server has acknowledged.
#[derive(Default)]
struct Desk {
    acknowledged: BTreeMap<u32, String>,
    /// Sent, and no answer came that says what became of it.
    doubtful: Vec<(u32, String)>,
    count: u32,
}

/// Enters one result after another, and notes each that the server has acknowledged.
fn enter(
    hall: &Hall,
    event: &str,
    desk: &Arc<Mutex<Desk>>,
    stop: &Arc<AtomicBool>,
) -> thread::JoinHandle<()> {
    let (address, token, event) = (hall.address, hall.token.clone(), event.to_owned());
    let (desk, stop) = (Arc::clone(desk), Arc::clone(stop));
    thread::spawn(move || {
        let words = ["black", "white", "draw", "both_lose"];
        let mut turn = 0_u32;
        while !stop.load(Ordering::Relaxed) {
            turn += 1;
            let board = turn % BOARDS + 1;
            let word = words[(turn / BOARDS % 4) as usize];
            let path = format!("{event}/rounds/1/boards/{board}/result");
            let answer = send(address, &token, "PUT", &path, &json!({"result": word}));
            let mut desk = desk.lock().expect("the desk");
            match answer {
                Ok((200, _)) => {
                    desk.acknowledged.insert(board, word.to_owned());
                    desk.doubtful.retain(|(doubt, _)| *doubt != board);
                    desk.count += 1;
                }
                // Refused, or the connection broke: the result may be there or not.
                Ok((500.., _)) | Err(_) => {
                    desk.doubtful.push((board, word.to_owned()));
                    drop(desk);
                    thread::sleep(Duration::from_millis(20));
                }
                Ok((status, body)) => panic!("{status}: {body}"),
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
    })
}

fn everything_acknowledged_is_there(hall: &Hall, event: &str, desk: &Desk, what: &str) {
    let round = hall.get(&format!("{event}/rounds/1"));
    for (board, word) in &desk.acknowledged {
        let found = round["boards"]
            .as_array()
            .and_then(|boards| boards.iter().find(|one| one["board"] == *board))
            .expect("the board");
        let known = found["result"].as_str().unwrap_or("none");
        let may_be = desk
            .doubtful
            .iter()
            .any(|(doubt, other)| doubt == board && other == known);
        assert!(
            known == word || may_be,
            "{what}: board {board} has {known}, acknowledged was {word}"
        );
    }
}

fn open_event(hall: &Hall) -> String {
    let made = hall.call(
        "POST",
        "/api/v1/events",
        &json!({"name": "Open", "rounds": 5}),
        201,
    );
    let event = format!("/api/v1/events/{}", made["id"].as_str().expect("an id"));
    let entries: Vec<Value> = (1..=2 * BOARDS)
        .map(|n| json!({"name": format!("P{n}")}))
        .collect();
    hall.call("POST", &format!("{event}/entries"), &entries.into(), 201);
    hall.call("POST", &format!("{event}/rounds"), &json!({}), 201);
    hall.call("POST", &format!("{event}/rounds/1/publish"), &json!({}), 200);
    event
}

/// Kills what `kill` kills while results come in, and looks for all that was acknowledged.
fn survives(name: &str, kill: impl Fn(&mut Hall)) {
    let mut hall = Hall::open(name, &[]);
    hall.register();
    let event = open_event(&hall);
    let turns: u64 = std::env::var("KILL_TURNS")
        .ok()
        .and_then(|turns| turns.parse().ok())
        .unwrap_or(3);
    for turn in 0..turns {
        let desk = Arc::new(Mutex::new(Desk::default()));
        let stop = Arc::new(AtomicBool::new(false));
        let hands = enter(&hall, &event, &desk, &stop);
        // Another moment each time, after at least one result is in.
        let begun = Instant::now();
        while desk.lock().expect("the desk").count < 5 + 7 * u32::try_from(turn).unwrap_or(0) {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{name}: no result is taken"
            );
            thread::sleep(Duration::from_millis(3));
        }
        kill(&mut hall);
        // What is sent while everything is down is never acknowledged, so the desk stops first.
        stop.store(true, Ordering::Relaxed);
        hands.join().expect("the desk");
        hall.wait_until_ready();
        let desk = desk.lock().expect("the desk");
        everything_acknowledged_is_there(&hall, &event, &desk, &format!("{name}, turn {turn}"));
        // And the event goes on.
        hall.call(
            "PUT",
            &format!("{event}/rounds/1/boards/1/result"),
            &json!({"result": "draw"}),
            200,
        );
    }
}

#[test]
fn every_acknowledged_result_survives_kill_9_of_the_server() {
    survives("server", |hall| {
        hall.kill();
        hall.start(&[]);
    });
}

#[test]
fn every_acknowledged_result_survives_kill_9_of_the_postmaster() {
    survives("postmaster", Hall::kill_postgres);
}

#[test]
fn every_acknowledged_result_survives_kill_9_of_both() {
    survives("both", |hall| {
        hall.kill_postgres();
        hall.kill();
        hall.start(&[]);
    });
}

// The round exists completely or not at all.
#[test]
fn a_round_being_paired_when_the_server_is_killed_is_whole_or_not_there() {
    let mut hall = Hall::open("pairing", &[]);
    hall.register();
    let event = open_event(&hall);
    let results: Vec<Value> = (1..=BOARDS)
        .map(|board| json!({"board": board, "result": "black"}))
        .collect();
    hall.call(
        "PUT",
        &format!("{event}/rounds/1/results"),
        &json!({"results": results}),
        200,
    );
    for turn in 0..4_u64 {
        let (address, token, path) = (hall.address, hall.token.clone(), format!("{event}/rounds"));
        let click = thread::spawn(move || send(address, &token, "POST", &path, &json!({})));
        thread::sleep(Duration::from_millis(2 + 9 * turn));
        hall.kill();
        let answer = click.join().expect("the click");
        hall.start(&[]);
        let (status, round) = send(
            hall.address,
            &hall.token,
            "GET",
            &format!("{event}/rounds/2"),
            &Value::Null,
        )
        .expect("an answer");
        match status {
            200 => {
                assert_eq!(round["boards"].as_array().map(Vec::len), Some(20));
                let gone = hall::send_with(
                    hall.address,
                    &hall.token,
                    "DELETE",
                    &format!("{event}/rounds/2"),
                    &Value::Null,
                    "if-match: *\r\n",
                );
                assert_eq!(gone.expect("an answer").0, 204);
            }
            404 => assert!(!matches!(answer, Ok((201, _))), "acknowledged and not there"),
            _ => panic!("{status}: {round}"),
        }
    }
    hall.call("POST", &format!("{event}/rounds"), &json!({}), 201);
}
