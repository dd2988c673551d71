//! The doors: what stands around every answer, connections that are slow, many or odd, and what the
//! server tells of itself.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;
use sqlx::PgPool;
use store::Role;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use web::extract::Peer;
use web::state::Limits;
use web::{Config, auth};

use crate::support::{Answer, Server, new_token};

/// What comes back for these bytes until the server closes, or until it says nothing for a while.
async fn raw(server: &Server, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).await.expect("a connection");
    let _ = stream.write_all(bytes).await;
    let mut said = Vec::new();
    let mut part = [0; 4096];
    while let Ok(Ok(read @ 1..)) = timeout(Duration::from_millis(500), stream.read(&mut part)).await {
        said.extend_from_slice(&part[..read]);
    }
    String::from_utf8_lossy(&said).into_owned()
}

fn statuses(said: &str) -> Vec<&str> {
    let heads = said.split("HTTP/1.1 ").skip(1);
    heads
        .map(|head| head.split(' ').next().unwrap_or_default())
        .collect()
}

// Whatever stands in front may read such a request otherwise: nothing in it may become a second one.
#[sqlx::test(migrations = "../../migrations")]
async fn what_could_be_read_as_two_requests_is_answered_once(pool: PgPool) {
    let server = Server::start(pool).await;
    let hidden = "GET /smuggled HTTP/1.1\r\nhost: a\r\n\r\n";
    let chunked = format!("0\r\n\r\n{hidden}");
    let head = "POST /language HTTP/1.1\r\nhost: a\r\n";
    for (what, request, expected) in [
        (
            "a length, then chunks",
            format!("{head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n{chunked}"),
            None,
        ),
        (
            "chunks, then a length",
            format!("{head}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n{chunked}"),
            None,
        ),
        (
            "chunks alone",
            format!("{head}transfer-encoding: chunked\r\n\r\n{chunked}"),
            None,
        ),
        (
            "chunks that are none",
            format!("{head}transfer-encoding: xchunked\r\n\r\n{chunked}"),
            Some("400"),
        ),
        (
            "chunks that are not the last coding",
            format!("{head}transfer-encoding: chunked, identity\r\n\r\n{chunked}"),
            Some("400"),
        ),
        (
            "two lengths",
            format!("{head}content-length: 0\r\ncontent-length: 40\r\n\r\n{hidden}"),
            Some("400"),
        ),
        (
            "a length that is no number",
            format!("{head}content-length: +4\r\n\r\n{hidden}"),
            Some("400"),
        ),
        (
            "two hosts",
            format!("{head}host: b\r\ncontent-length: 0\r\n\r\n"),
            Some("400"),
        ),
        (
            "a header that goes on in the next line",
            format!("{head}x-a: b\r\n content-length: 4\r\n\r\n{hidden}"),
            Some("400"),
        ),
        (
            "a space before the colon",
            format!("{head}content-length : 4\r\n\r\n{hidden}"),
            Some("400"),
        ),
        (
            "a zero byte",
            format!("{head}x-a: b\0c\r\n\r\n{hidden}"),
            Some("400"),
        ),
        (
            "chunks in HTTP/1.0",
            format!("POST /language HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n{chunked}"),
            Some("400"),
        ),
    ] {
        let said = raw(&server, request.as_bytes()).await;
        let found = statuses(&said);
        assert_eq!(found.len(), 1, "{what}: {said}");
        assert!(
            expected.is_none_or(|expected| found == [expected]),
            "{what}: {said}"
        );
        assert!(!found[0].starts_with('5'), "{what}: {said}");
    }
    // Two honest ones are two.
    let twice = format!("{hidden}{hidden}");
    assert_eq!(statuses(&raw(&server, twice.as_bytes()).await), ["404", "404"]);
    // A line that ends in LF alone ends, as RFC 9112 allows; it is one request all the same.
    let said = raw(&server, b"GET /healthz HTTP/1.1\nhost: a\n\n").await;
    assert!(statuses(&said).len() <= 1, "{said}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn heads_have_a_limit(pool: PgPool) {
    let server = Server::start(pool).await;
    let long = format!("///?q={}", "x".repeat(9000));
    let answer = server.request("GET", &long).send().await;
    assert_eq!(answer.status, 414, "{}", answer.text());
    let many = "x-a: a\r\n".repeat(200);
    let huge = format!("x-a: {}\r\n", "x".repeat(300_000));
    for headers in [many, huge] {
        let request = format!("GET / HTTP/1.1\r\nhost: a\r\n{headers}\r\n");
        assert_eq!(statuses(&raw(&server, request.as_bytes()).await), ["431"]);
    }
}

/// Whether the server closes within two seconds.
async fn closes(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    timeout(Duration::from_secs(2), stream.read_to_end(&mut rest))
        .await
        .is_ok()
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_client_that_is_slow_is_let_go(pool: PgPool) {
    let limits = Limits {
        head: Duration::from_millis(200),
        body: Duration::from_millis(200),
        ..Limits::default()
    };
    let server = Server::configured(
        pool,
        Config {
            limits,
            ..Config::default()
        },
    )
    .await;
    // Nothing at all, half a head, and a head after which nothing comes any more.
    for begun in ["", "GET / HT", "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n"] {
        let mut stream = TcpStream::connect(server.address).await.expect("a connection");
        stream.write_all(begun.as_bytes()).await.expect("sent");
        assert!(closes(&mut stream).await, "{begun:?}");
    }
    // A body that does not come is answered.
    let half = "POST /language HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\n\
                content-length: 100\r\n\r\nlang=";
    let mut stream = TcpStream::connect(server.address).await.expect("a connection");
    stream.write_all(half.as_bytes()).await.expect("sent");
    let mut said = Vec::new();
    let ended = timeout(Duration::from_secs(3), stream.read_to_end(&mut said)).await;
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(ended.is_ok(), "{said}");
    assert!(
        statuses(&said)
            .iter()
            .all(|status| ["400", "408"].contains(status)),
        "{said}"
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn who_comes_when_all_places_are_taken_waits_for_one(pool: PgPool) {
    let limits = Limits {
        connections: 2,
        ..Limits::default()
    };
    let server = Server::configured(
        pool,
        Config {
            limits,
            ..Config::default()
        },
    )
    .await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(server.address).await.expect("a connection");
        stream
            .write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n")
            .await
            .expect("sent");
        let mut part = [0; 512];
        assert!(stream.read(&mut part).await.expect("an answer") > 0);
        held.push(stream);
    }
    let mut third = TcpStream::connect(server.address)
        .await
        .expect("a place in the queue");
    third
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .expect("sent");
    let mut part = [0; 512];
    assert!(
        timeout(Duration::from_millis(300), third.read(&mut part))
            .await
            .is_err()
    );
    held.pop();
    let read = timeout(Duration::from_secs(5), third.read(&mut part)).await;
    assert!(read.expect("an answer in time").expect("an answer") > 0);
}

/// One answer of each kind.
async fn kinds(server: &Server) -> Vec<(&'static str, Answer)> {
    let event = server.event("Open", 3, 4).await;
    let file = server.get("///").await.text();
    let style = file.split("href=\"").find(|rest| rest.starts_with("/static/"));
    let style = style
        .and_then(|rest| rest.split('"').next())
        .expect("a style sheet")
        .to_owned();
    let tag = server.get(&event).await.header("etag").expect("a tag").to_owned();
    vec![
        ("a page", server.get("///").await),
        ("a page of an event", server.get("///e/open").await),
        ("a form", server.get("///manage/sign-in").await),
        ("a page that is not there", server.get("///nothing").await),
        ("a redirection", server.get("///manage").await),
        ("a file of the pages", server.get(&format!("//{style}")).await),
        ("the API", server.get(&event).await),
        (
            "something unchanged",
            server
                .request("GET", &event)
                .header("if-none-match", &tag)
                .send()
                .await,
        ),
        ("a refusal of the API", server.get("/events/none").await),
        (
            "a method that is not there",
            server.request("PUT", "/events").send().await,
        ),
        ("something from another site", {
            let request = server
                .request("POST", "/events")
                .header("sec-fetch-site", "cross-site");
            request.send().await
        }),
        ("the viewer of the API", server.get("/api/docs/").await),
        ("a sign of life", server.get("///healthz").await),
        (
            "an odd request",
            server.get(&format!("///?q={}", "x".repeat(9000))).await,
        ),
    ]
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_answer_says_what_a_browser_may_do_with_it(pool: PgPool) {
    let server = Server::start(pool).await;
    for (what, answer) in kinds(&server).await {
        let header = |name: &str| answer.header(name).unwrap_or_default().to_owned();
        let policy = header("content-security-policy");
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(directive), "{what}: {policy}");
        }
        let inline = policy.contains("unsafe-inline");
        // The viewer of the API writes styles, and no script, into its pages.
        assert_eq!(inline, what == "the viewer of the API", "{what}: {policy}");
        assert!(
            !policy.contains("unsafe-eval") && !policy.contains("script-src 'self' 'unsafe"),
            "{policy}"
        );
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(header(name), value, "{what}: {name}");
        }
        assert!(header("permissions-policy").contains("camera=()"), "{what}");
        assert!(!header("x-request-id").is_empty(), "{what}");
        assert_eq!(header("access-control-allow-origin"), "", "{what}");
        assert_eq!(header("server"), "", "{what}");
        // By http alone: a browser would never come back to a server without a certificate.
        assert_eq!(header("strict-transport-security"), "", "{what}");
    }
    assert_eq!(
        statuses(&raw(&server, b"TRACE / HTTP/1.1\r\nhost: a\r\n\r\n").await),
        ["405"]
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn by_https_every_cookie_and_every_later_visit_stays_there(pool: PgPool) {
    let config = Config {
        base_url: Some("https://go.example.org".to_owned()),
        behind_proxy: true,
        ..Config::default()
    };
    let server = Server::configured(pool, config).await;
    let over = |request: crate::support::Request| request.header("x-forwarded-proto", "https");
    let page = over(server.request("GET", "///")).send().await;
    assert_eq!(page.header("strict-transport-security"), Some("max-age=31536000"));
    let form = over(server.request("POST", "///language"))
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", "https://go.example.org")
        .body("language=en&back=%2F");
    let chosen = form.send().await;
    let mut set = 0;
    for (name, cookie) in &chosen.headers {
        if name == "set-cookie" {
            assert!(cookie.ends_with("; Secure"), "{cookie}");
            assert!(cookie.contains("SameSite=Lax"), "{cookie}");
            set += 1;
        }
    }
    assert!(set > 0, "{chosen:?}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_request_has_the_id_of_the_proxy_or_one_of_its_own(pool: PgPool) {
    let alone = Server::start(pool.clone()).await;
    let behind_proxy = Config {
        behind_proxy: true,
        ..Config::default()
    };
    let behind = Server::configured_as(pool, behind_proxy, "director-2").await;
    let id = async |server: &Server, given: &str| {
        let request = server
            .request("GET", "/events/none")
            .header("x-request-id", given);
        let answer = request.send().await;
        let id = answer.header("x-request-id").expect("an id").to_owned();
        // Whoever complains has it at hand.
        assert_eq!(answer.json()["request_id"], id.as_str());
        id
    };
    assert_ne!(id(&alone, "made-up").await, "made-up");
    assert_eq!(id(&behind, "a1b2-c3").await, "a1b2-c3");
    for odd in ["a b", "a\"b", "", &"x".repeat(65)] {
        assert_ne!(id(&behind, odd).await, odd);
    }
}

// Counted, not timed: how long something takes says little on a machine that does other things too.
#[sqlx::test(migrations = "../../migrations")]
async fn a_wrong_sign_in_costs_the_same_work_whoever_it_is(pool: PgPool) {
    let server = Server::start(pool).await;
    let state = &server.state;
    let actor = crate::support::operator();
    let change = crate::support::change_by(state, &actor);
    let mut tx = state.store.begin().await.expect("a transaction");
    for name in ["Li", "Closed"] {
        auth::add_user(&mut tx, &change, name, "a sentence to remember", Role::Director)
            .await
            .expect("a user");
    }
    tx.commit().await.expect("committed");
    crate::support::close_account(state, "Closed").await;
    // "director-1" has no password at all.
    for (name, password) in [
        ("Li", "not this one"),
        ("Closed", "not this one"),
        ("director-1", "not this one"),
        ("Nobody", "not this one"),
        ("", "not this one"),
    ] {
        let before = state.hashed.load(Ordering::Relaxed);
        let refused = auth::sign_in(state, Peer::default(), "", name, password).await;
        let Err(web::errors::Error::Problem(problem)) = refused else {
            panic!("{name}: {refused:?}")
        };
        assert_eq!(problem.code, "wrong-password", "{name}");
        assert_eq!(state.hashed.load(Ordering::Relaxed) - before, 1, "{name}");
    }
}

/// The cookies that an answer sets, as a browser sends them back.
fn cookie_of(answer: &Answer) -> String {
    let set = answer.headers.iter().filter(|(name, _)| name == "set-cookie");
    let pairs: Vec<&str> = set.filter_map(|(_, cookie)| cookie.split(';').next()).collect();
    pairs.join("; ")
}

#[sqlx::test(migrations = "../../migrations")]
async fn signing_in_begins_a_new_session_and_ends_the_one_that_was_there(pool: PgPool) {
    let server = Server::start(pool).await;
    let state = &server.state;
    let actor = crate::support::operator();
    let change = crate::support::change_by(state, &actor);
    let mut tx = state.store.begin().await.expect("a transaction");
    auth::add_user(&mut tx, &change, "Li", "a sentence to remember", Role::Director)
        .await
        .expect("a user");
    tx.commit().await.expect("committed");
    let sign_in = async |cookie: &str| {
        let request = server
            .request("POST", "///manage/sign-in")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("cookie", cookie)
            .body("name=Li&password=a+sentence+to+remember");
        let answer = request.send().await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        cookie_of(&answer)
    };
    let opens = async |cookie: &str| {
        let request = server.request("GET", "///manage").header("cookie", cookie);
        request.send().await.status == 200
    };
    // A secret that somebody else has put there is not taken for a session.
    let planted = format!("tianyuan={}", "0".repeat(64));
    let first = sign_in(&planted).await;
    assert!(!first.contains(&"0".repeat(64)) && opens(&first).await);
    assert!(!opens(&planted).await);
    let second = sign_in(&first).await;
    assert_ne!(first, second);
    assert!(opens(&second).await && !opens(&first).await);
}

// A link for a new account is made with the address that the operator has named, whatever Host says.
#[sqlx::test(migrations = "../../migrations")]
async fn links_are_made_for_the_address_of_the_operator(pool: PgPool) {
    let config = Config {
        base_url: Some("https://go.example.org".to_owned()),
        ..Config::default()
    };
    let server = Server::configured(pool, config).await;
    server.event("Open", 3, 4).await;
    let made = server
        .as_director("POST", "///manage/e/open/people/invite")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("host", "elsewhere.example")
        .body("role=arbiter&note=Wu")
        .send()
        .await;
    let text = made.text();
    assert!(text.contains("https://go.example.org/invitation/"), "{text}");
    assert!(!text.contains("elsewhere.example"), "{text}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_server_is_measured_for_administrators_and_tells_of_nobody(pool: PgPool) {
    let server = Server::start(pool).await;
    web::metrics::begin();
    let event = server.event("东湖杯", 3, 4).await;
    server.round(&event).await;
    server.get(&format!("{event}/standings")).await;
    server.get("///e/nothing-here").await;
    server.request("BREW", "///pot").send().await;
    assert_eq!(server.get("///metrics").await.status, 303);
    let refused = server.as_director("GET", "///metrics").send().await;
    assert_eq!(refused.status, 403, "{}", refused.text());
    let admin = new_token(&server.state, "admin", Role::Admin).await;
    let told = server.request("GET", "///metrics").token(&admin).send().await;
    assert_eq!(told.status, 200, "{}", told.text());
    let text = String::from_utf8(told.body).expect("text");
    for series in [
        "tianyuan_request_seconds_count{method=\"GET\",route=\"/api/v1/events/{event}/standings\",status=\"2xx\"}",
        "tianyuan_request_seconds_bucket{method=\"GET\",route=\"/e/{slug}\",status=\"4xx\",le=\"0.1\"}",
        "tianyuan_request_seconds_count{method=\"other\",route=\"none\",status=\"4xx\"}",
        "tianyuan_database_connections{state=\"in_use\"}",
        "tianyuan_database_wait_seconds_count",
        "tianyuan_pairing_seconds_count",
        "tianyuan_connections",
        "tianyuan_streams 0",
        "tianyuan_pages_made_total",
        "tianyuan_pages_from_memory_total{unchanged=\"no\"}",
        "tianyuan_process_resident_bytes",
        "tianyuan_info{version=",
    ] {
        assert!(text.contains(series), "{series} is missing:\n{text}");
    }
    let id = event.trim_start_matches("/events/");
    for told in [
        "东湖杯",
        id,
        "nothing-here",
        "pot",
        "BREW",
        "director-1",
        "127.0.0.1",
    ] {
        assert!(!text.contains(told), "{told}");
    }
    assert!(json!(text).as_str().is_some_and(|text| text.len() < 200_000));
}

/// The sources of a folder and those below it, one after another.
fn sources(folder: &std::path::Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push_str(&std::fs::read_to_string(path).expect("a source file"));
        }
    }
}

#[test]
fn every_test_that_the_document_names_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = std::fs::read_to_string(root.join("docs/security.md")).expect("the document");
    let mut all = String::new();
    sources(&root.join("crates"), &mut all);
    let named: Vec<&str> = document
        .split('`')
        .filter(|word| word.matches('_').count() > 2 && !word.contains([' ', '/']))
        .collect();
    assert!(named.len() > 60, "{named:?}");
    for name in named {
        assert!(all.contains(&format!("fn {name}(")), "{name}");
    }
}
