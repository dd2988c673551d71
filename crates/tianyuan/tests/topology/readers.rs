//! People who look without pause, at whichever server they come to, and never may see anything go back.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::hall::exchange;

/// What all of them have seen together.
#[derive(Debug, Default)]
pub struct Seen {
    /// Answers.
    pub answers: AtomicU64,
    /// Requests without a whole answer.
    pub failures: AtomicU64,
    /// Streams that were opened.
    pub streams: AtomicU64,
    /// Streams that came back after a break and were told what they had missed.
    pub resumed: AtomicU64,
    /// The last change that any stream told.
    pub told: AtomicU64,
    stop: AtomicBool,
}

impl Seen {
    /// Ends the looking.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::SeqCst)
    }

    pub fn failed(&self) -> u64 {
        self.failures.load(Ordering::SeqCst)
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(found, _)| found.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

/// How a reader says what it has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// As a script does.
    ByHeader,
    /// As a browser does that follows a link.
    ByCookie,
}

/// Looks at pages and answers of an event in turn. The versions of its boards are numbers of acts, so each
/// is greater after a change than before; `pages` begin with the round in JSON.
pub fn look(address: SocketAddr, pages: &[String], says: Says, seen: &Seen) {
    let mut number = 0;
    let mut versions: BTreeMap<u64, i64> = BTreeMap::new();
    let mut tags: BTreeMap<&str, String> = BTreeMap::new();
    for page in pages.iter().cycle() {
        if !seen.goes_on() {
            return;
        }
        let mut asked = match says {
            Says::ByHeader => format!("tianyuan-number: {number}\r\n"),
            Says::ByCookie => format!("cookie: seen={number}\r\n"),
        };
        if let Some(tag) = tags.get(page.as_str()) {
            asked.extend(["if-none-match: ", tag, "\r\n"]);
        }
        let answer = exchange(address, "", "GET", page, &Value::Null, &asked);
        let Ok((status, head, body)) = answer.inspect_err(|error| println!("{page}: {error}")) else {
            seen.failures.fetch_add(1, Ordering::SeqCst);
            continue;
        };
        if status >= 500 {
            println!("{page}: {head}");
            seen.failures.fetch_add(1, Ordering::SeqCst);
            continue;
        }
        assert!(status == 200 || status == 304, "{page}: {head}");
        let now: i64 = header(&head, "tianyuan-number")
            .and_then(|number| number.parse().ok())
            .unwrap_or_else(|| panic!("{page} tells no number: {head}"));
        assert!(now >= number, "{page} as of {now} after {number} was seen");
        number = now;
        if let Some(tag) = header(&head, "etag") {
            tags.insert(page, tag.to_owned());
        }
        seen.answers.fetch_add(1, Ordering::SeqCst);
        if status == 200 && header(&head, "content-type").is_some_and(|kind| kind.contains("json")) {
            let told: Value = serde_json::from_slice(&body).expect("JSON");
            for board in told["boards"].as_array().into_iter().flatten() {
                let version = board["version"].as_i64().unwrap_or_default();
                let board = board["board"].as_u64().expect("a number");
                let before = versions.insert(board, version).unwrap_or_default();
                assert!(
                    version >= before,
                    "board {board} went back from {before} to {version} as of {now}"
                );
            }
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Listens to an event's stream, first at one address and after each break at another, where it comes back
/// with the last number it has heard.
pub fn listen(first: SocketAddr, then: SocketAddr, path: &str, seen: &Seen) {
    let mut last: Option<u64> = None;
    let mut address = first;
    while seen.goes_on() {
        // Whatever ends it, it comes back.
        let _ = listen_once(address, path, &mut last, seen);
        address = then;
        thread::sleep(Duration::from_millis(100));
    }
}

fn listen_once(address: SocketAddr, path: &str, last: &mut Option<u64>, seen: &Seen) -> std::io::Result<()> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let resume = last.map_or_else(String::new, |last| format!("last-event-id: {last}\r\n"));
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{resume}\r\n").as_bytes())?;
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    let mut id = None;
    let mut opened = false;
    let mut comes_back = last.is_some();
    while seen.goes_on() {
        match lines.read_until(b'\n', &mut line) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            // What was read of a line stays there.
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) =>
            {
                continue;
            }
            Err(error) => return Err(error),
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        line.clear();
        if text.starts_with("HTTP/1.1 200 ") && !opened {
            opened = true;
            seen.streams.fetch_add(1, Ordering::SeqCst);
        }
        if let Some(told) = text.strip_prefix("id: ") {
            id = told.parse::<u64>().ok();
        }
        if let (Some(name), Some(now)) = (text.strip_prefix("event: "), id) {
            id = None;
            if let Some(before) = *last {
                assert!(now >= before, "a stream told {now} after {before}");
                let whole = now <= before + 1 || name == "reset" || name == "now";
                assert!(whole, "a stream left out what is between {before} and {now}");
            }
            if std::mem::take(&mut comes_back) {
                seen.resumed.fetch_add(1, Ordering::SeqCst);
            }
            *last = Some(now);
            seen.told.fetch_max(now, Ordering::SeqCst);
        }
    }
    Ok(())
}
