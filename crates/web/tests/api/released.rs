//! Public pages from memory: always what a fresh page would be, on every server, and made once.

use std::io::Read as _;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;
use web::Config;

use crate::support::{Answer, Request, Server};

/// Everything of an event that may be kept.
const PATHS: [&str; 21] = [
    "///e/open",
    "///e/open/rounds/1",
    "///e/open/rounds/1?order=name",
    "///e/open/rounds/2",
    "///e/open/rounds/1/withdrawn",
    "///e/open/standings",
    "///e/open/standings?after=1",
    "///e/open/standings/2",
    "///e/open/standings/compare?p=1&p=2",
    "///e/open/crosstable",
    "///e/open/players/3",
    "///e/open/find?q=C",
    "/events/open",
    "/events/open/entries",
    "/events/open/entries/3",
    "/events/open/entries/2/games",
    "/events/open/rounds",
    "/events/open/rounds/1",
    "/events/open/rounds/2",
    "/events/open/standings",
    "/events/open/crosstable",
];

fn no_memory() -> Config {
    Config {
        page_memory: 0,
        ..Config::default()
    }
}

/// Numbers that follow from a seed.
struct Lots(u64);

impl Lots {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % most
    }
}

/// Some act of a director. Most are taken, some are refused: both must leave no page out of date.
async fn act(server: &Server, lots: &mut Lots) -> String {
    let (entry, board, round) = (lots.below(6) + 1, lots.below(3) + 1, lots.below(2) + 1);
    let nth = lots.below(1000);
    let result = ["black", "white", "draw"][usize::try_from(lots.below(3)).expect("small")];
    let even = nth.is_multiple_of(2);
    let second = ["wins", "opponents_score"][usize::from(even)];
    let soon = (server.state.clock.now() + TimeDelta::hours(1)).to_rfc3339();
    let (method, path, body) = match lots.below(26) {
        0 => (
            "POST",
            "/entries".to_owned(),
            json!({"name": format!("Late {nth}")}),
        ),
        1 => (
            "PATCH",
            format!("/entries/{entry}"),
            json!({"name": format!("N {nth}"), "team": format!("T {nth}")}),
        ),
        2 => (
            "PATCH",
            format!("/entries/{entry}"),
            json!({"absent_rounds": [round + 1]}),
        ),
        3 => ("PATCH", format!("/entries/{entry}"), json!({"absent_rounds": []})),
        4 => (
            "PATCH",
            format!("/entries/{entry}"),
            json!({"withdrawn_after": 1}),
        ),
        5 => (
            "PATCH",
            format!("/entries/{entry}"),
            json!({"name_withheld": even}),
        ),
        6 | 7 => ("POST", "/rounds".to_owned(), json!({})),
        8 | 9 => ("POST", format!("/rounds/{round}/publish"), json!({})),
        10 => ("POST", format!("/rounds/{round}/publish"), json!({"at": soon})),
        11 => (
            "PATCH",
            format!("/rounds/{round}"),
            json!({"swap": [entry, entry % 6 + 1]}),
        ),
        12 => ("DELETE", format!("/rounds/{round}"), json!({})),
        13 => ("DELETE", format!("/rounds/{round}/publish"), json!({})),
        14..=18 => (
            "PUT",
            format!("/rounds/{round}/boards/{board}/result"),
            json!({"result": result, "reason": "seen"}),
        ),
        19 => (
            "DELETE",
            format!("/rounds/{round}/boards/{board}/result"),
            json!({}),
        ),
        20 => (
            "PATCH",
            String::new(),
            json!({"name": format!("Open {nth}"), "place": "Hall"}),
        ),
        21 => ("PUT", "/sign-ups/settings".to_owned(), json!({"open": even})),
        22 => ("POST", "/numbers/draw".to_owned(), json!({})),
        23 => ("PUT", format!("/entries/{entry}/check-in"), json!({})),
        24 => {
            let log = server.as_director("GET", "/events/open/log?limit=1").send().await;
            let seq = log.json()["items"][0]["seq"].clone();
            ("POST", format!("/log/{seq}/undo"), json!({"reason": "a mistake"}))
        }
        _ => ("PATCH", String::new(), json!({"ranking": ["score", second]})),
    };
    let answer = server
        .as_director(method, &format!("/events/open{path}"))
        .header("if-match", "*")
        .json(&body)
        .send()
        .await;
    assert!(answer.status < 500, "{method} {path} {body}: {}", answer.text());
    format!("{} {method} {path} {body}", answer.status)
}

fn told(answer: &Answer) -> (u16, String) {
    (answer.status, answer.text())
}

async fn same_everywhere(pool: PgPool, seed: u64, acts: usize) {
    let server = Server::following(pool.clone()).await;
    let other = server.beside(pool.clone(), Config::default()).await;
    other.follow().await;
    // This one hears nothing, and asks.
    let deaf = server.beside(pool.clone(), Config::default()).await;
    let fresh = server.beside(pool, no_memory()).await;
    server.event("Open", 3, 6).await;
    let mut lots = Lots(seed);
    let mut taken = 0;
    for turn in 0..acts {
        let did = act(&server, &mut lots).await;
        taken += usize::from(did.starts_with('2'));
        for (index, path) in PATHS.into_iter().enumerate() {
            let expected = told(&fresh.get(path).await);
            assert_eq!(told(&server.get(path).await), expected, "{path} here after {did}");
            // Elsewhere a part of them each time.
            if (index + turn) % 3 > 0 {
                continue;
            }
            assert_eq!(
                told(&deaf.get(path).await),
                expected,
                "{path} where nothing is heard after {did}"
            );
            let began = Instant::now();
            while told(&other.get(path).await) != expected {
                assert!(
                    began.elapsed() < Duration::from_secs(5),
                    "{path} elsewhere after {did}"
                );
            }
        }
    }
    assert!(taken > acts / 3, "{taken} acts were taken");
    let (from_memory, _) = server.state.released.served();
    assert!(from_memory > 0);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_page_from_memory_is_a_fresh_one_after_any_acts(pool: PgPool) {
    same_everywhere(pool, 5, 30).await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_page_from_memory_is_a_fresh_one_after_other_acts(pool: PgPool) {
    same_everywhere(pool, 11, 30).await;
}

/// An event with a published round, and a page of it that is more than a kilobyte.
async fn open(server: &Server) -> &'static str {
    let event = server.event("Open", 3, 6).await;
    server.round(&event).await;
    "///e/open/rounds/1"
}

fn with(server: &Server, path: &str, name: &str, value: &str) -> Request {
    server.request("GET", path).header(name, value)
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_page_comes_in_each_encoding_with_its_own_tag_and_is_known_by_any(pool: PgPool) {
    let server = Server::following(pool).await;
    let page = open(&server).await;
    let plain = server.get(page).await;
    let tag = plain.header("etag").expect("a tag").to_owned();
    assert!(tag.starts_with('"'), "{tag}");
    assert_eq!(plain.header("cache-control"), Some("public, no-cache"));
    assert!(plain.header("content-security-policy").is_some());
    assert_eq!(plain.header("x-content-type-options"), Some("nosniff"));
    for (encoding, ending) in [("gzip", "-gz\""), ("br", "-br\"")] {
        let answer = with(&server, page, "accept-encoding", encoding).send().await;
        assert_eq!(answer.header("content-encoding"), Some(encoding));
        assert!(
            answer
                .header("vary")
                .is_some_and(|vary| vary.contains("accept-encoding"))
        );
        let own = answer.header("etag").expect("a tag").to_owned();
        assert!(
            own.ends_with(ending) && own.starts_with(tag.trim_end_matches('"')),
            "{own}"
        );
        let mut bytes = Vec::new();
        if encoding == "gzip" {
            flate2::read::GzDecoder::new(&answer.body[..])
                .read_to_end(&mut bytes)
                .expect("gzip");
        } else {
            brotli::Decompressor::new(&answer.body[..], 4096)
                .read_to_end(&mut bytes)
                .expect("brotli");
        }
        assert_eq!(bytes, plain.body);
        let again = with(&server, page, "if-none-match", &own).header("accept-encoding", encoding);
        let again = again.send().await;
        assert_eq!((again.status, again.body.len()), (304, 0));
        assert_eq!(again.header("etag"), Some(own.as_str()));
    }
    let head = server.request("HEAD", page).send().await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(
        head.header("content-length"),
        Some(plain.body.len().to_string().as_str())
    );
    let chinese = with(&server, page, "accept-language", "zh-CN").send().await;
    assert_ne!(chinese.body, plain.body);
    let chosen = with(&server, page, "cookie", "lang=zh-CN").send().await;
    assert_eq!(chosen.body, chinese.body);
    assert_eq!(chosen.header("cache-control"), Some("private, no-cache"));
    // After a change the old tag is nobody's.
    server.results("/events/open", 1, "b").await;
    assert_eq!(
        with(&server, page, "if-none-match", &tag).send().await.status,
        200
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_whole_hall_makes_a_page_once_and_it_needs_no_database_then(pool: PgPool) {
    let server = Server::following(pool.clone()).await;
    let page = open(&server).await;
    let before = server.state.released.made();
    let asked: Vec<_> = (0..50)
        .map(|_| tokio::spawn(with(&server, page, "accept-encoding", "gzip").send()))
        .collect();
    let mut bodies = Vec::new();
    for answer in asked {
        let answer = answer.await.expect("an answer");
        assert_eq!(answer.status, 200);
        bodies.push(answer.body);
    }
    bodies.dedup();
    assert_eq!((bodies.len(), server.state.released.made() - before), (1, 1));
    // With every connection to the database taken, only memory can answer.
    let mut taken = Vec::new();
    while let Ok(Ok(connection)) = tokio::time::timeout(Duration::from_millis(200), pool.acquire()).await {
        taken.push(connection);
    }
    let began = Instant::now();
    assert_eq!(server.get(page).await.status, 200);
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_is_not_for_everybody_is_neither_kept_nor_taken_from_memory(pool: PgPool) {
    let server = Server::following(pool.clone()).await;
    let other = server.beside(pool, Config::default()).await;
    other.follow().await;
    open(&server).await;
    server.results("/events/open", 1, "bbb").await;
    assert_eq!(
        server
            .as_director("POST", "/events/open/rounds")
            .send()
            .await
            .status,
        201
    );
    let draft = "/events/open/rounds/2";
    for _ in 0..2 {
        assert_eq!(server.as_director("GET", draft).send().await.status, 200);
        assert_eq!(server.get(draft).await.status, 404);
    }
    let page = "///e/open/standings";
    let before = other.get(page).await;
    assert_eq!((before.status, other.get(page).await.body), (200, before.body));
    let hidden = server
        .as_director("PATCH", "/events/open")
        .header("if-match", "*")
        .json(&json!({"visibility": "hidden"}))
        .send()
        .await;
    assert_eq!(hidden.status, 200, "{}", hidden.text());
    assert_eq!(server.get(page).await.status, 404);
    let began = Instant::now();
    while other.get(page).await.status != 404 {
        assert!(began.elapsed() < Duration::from_secs(5));
    }
    // An event of the same address is another one.
    let gone = server
        .as_director("DELETE", "/events/open")
        .header("if-match", "*")
        .send()
        .await;
    assert!(gone.status < 300, "{}", gone.text());
    server.event("Open", 3, 2).await;
    for server in [&server, &other] {
        let began = Instant::now();
        loop {
            let entries: Value = server.get("/events/open/entries").await.json();
            if entries["total"] == 2 {
                break;
            }
            assert!(began.elapsed() < Duration::from_secs(5), "{entries}");
        }
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_page_that_depends_on_the_time_holds_until_then(pool: PgPool) {
    let server = Server::following(pool).await;
    open(&server).await;
    let closes = (server.state.clock.now() + TimeDelta::minutes(10)).to_rfc3339();
    let set = server
        .as_director("PUT", "/events/open/sign-ups/settings")
        .json(&json!({"open": true, "closes_at": closes}))
        .send()
        .await;
    assert!(set.status < 300, "{}", set.text());
    let signs_up = async || {
        let page = server.get("///e/open").await;
        String::from_utf8_lossy(&page.body).contains("/e/open/sign-up")
    };
    assert!(signs_up().await && signs_up().await);
    server.pass(TimeDelta::minutes(11));
    assert!(!signs_up().await);
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_was_seen_at_one_server_is_not_older_at_another(pool: PgPool) {
    // This one does not tell, so the other one finds out only when it asks.
    let server = Server::start(pool.clone()).await;
    let other = server.beside(pool, Config::default()).await;
    other.follow().await;
    let page = open(&server).await;
    let result = "/events/open/rounds/1/boards/1/result";
    for turn in 0..12 {
        // What it has in memory is out of date in a moment.
        assert_eq!(other.get(page).await.status, 200);
        let word = ["black", "white"][turn % 2];
        let entered = server.as_director("PUT", result).header("if-match", "*");
        let entered = entered
            .json(&json!({"result": word, "reason": "seen"}))
            .send()
            .await;
        assert_eq!(entered.status, 200, "{}", entered.text());
        let seen = server.get(page).await;
        let number = seen.header("tianyuan-number").expect("a number").to_owned();
        let asked = match turn % 3 {
            0 => with(&other, page, "tianyuan-number", &number),
            1 => with(&other, page, "cookie", &format!("lang=en; seen={number}")),
            _ => with(&other, page, "if-none-match", seen.header("etag").expect("a tag")),
        };
        let answer = asked.send().await;
        assert_eq!(
            answer.header("tianyuan-number"),
            Some(number.as_str()),
            "turn {turn}"
        );
        match answer.status {
            200 => assert_eq!(answer.body, seen.body, "turn {turn}"),
            status => assert_eq!((status, turn % 3), (304, 2)),
        }
    }
    // A number that was never given costs a question, and no more.
    let answer = with(&other, page, "tianyuan-number", "9000000").send().await;
    assert_eq!((answer.status, answer.body), (200, server.get(page).await.body));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_page_that_a_change_leaves_as_it_was_is_still_known_by_its_tag(pool: PgPool) {
    let server = Server::following(pool).await;
    let page = open(&server).await;
    let before = server.get(page).await;
    let tag = before.header("etag").expect("a tag");
    let set = server
        .as_director("PUT", "/events/open/sign-ups/settings")
        .json(&json!({"open": true}))
        .send()
        .await;
    assert!(set.status < 300, "{}", set.text());
    let again = with(&server, page, "if-none-match", tag).send().await;
    assert_eq!((again.status, again.header("etag")), (304, Some(tag)));
    let number = |answer: &Answer| answer.header("tianyuan-number").expect("a number").parse::<i64>();
    assert!(number(&again).expect("a number") > number(&before).expect("a number"));
}
