//! The stream of changes: over several servers, after a break, and of nothing that is not public.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use serde_json::json;
use sqlx::PgPool;
use store::Role;
use web::Config;
use web::live::Limits;

use crate::support::{Server, close_account, give, new_token};

fn told(heard: &[(&str, Option<i64>)]) -> Vec<(String, Option<i64>)> {
    heard.iter().map(|(name, id)| ((*name).to_owned(), *id)).collect()
}

/// An event with a published round of two boards.
async fn open(server: &Server) -> String {
    let event = server.event("Open", 5, 4).await;
    server.round(&event).await;
    event
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_result_through_one_server_reaches_a_stream_of_another_at_once(pool: PgPool) {
    let one = Server::following(pool.clone()).await;
    let other = one.beside(pool, Config::default()).await;
    other.follow().await;
    let event = open(&one).await;
    let mut there = other.listen(&format!("{event}/stream")).await;
    assert_eq!(there.status, 200, "{}", there.head);
    assert!(
        there.head.contains("content-type: text/event-stream"),
        "{}",
        there.head
    );
    let now = there.next_within(5000).await.expect("where it begins");
    assert_eq!(now.name, "now");
    let number = now.id.expect("a number");
    // A busy machine gets some room; the benchmark holds it to a second.
    one.results(&event, 1, "b-").await;
    let standings = there.next_within(5000).await.expect("heard");
    assert_eq!(
        (standings.name.as_str(), standings.id),
        ("standings-changed", None)
    );
    let result = there.next_within(5000).await.expect("heard");
    assert_eq!(
        (result.name.as_str(), result.id),
        ("result-entered", Some(number + 1))
    );
    assert_eq!(
        (
            &result.data["round"],
            &result.data["board"],
            &result.data["number"]
        ),
        (&json!(1), &json!(1), &json!(number + 1))
    );
    one.results(&event, 1, "bb").await;
    there
        .hears(&told(&[
            ("standings-changed", None),
            ("result-entered", Some(number + 2)),
        ]))
        .await;
    // The next round comes too, and its publication is one change.
    one.round(&event).await;
    there
        .hears(&told(&[
            ("standings-changed", None),
            ("round-published", Some(number + 3)),
        ]))
        .await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_stream_goes_on_after_a_break_where_it_was(pool: PgPool) {
    let server = Server::following(pool).await;
    let event = server.event("Open", 5, 6).await;
    server.round(&event).await;
    let path = format!("{event}/stream");
    let now = server.listen(&path).await.next_within(5000).await.expect("now");
    let seen = now.id.expect("a number");
    server.results(&event, 1, "bw").await;
    let missed = told(&[
        ("result-entered", Some(seen + 1)),
        ("standings-changed", None),
        ("result-entered", Some(seen + 2)),
    ]);
    let after = |id: String| server.request("GET", &path).header("last-event-id", &id).listen();
    after(seen.to_string()).await.hears(&missed).await;
    server
        .listen(&format!("{path}?since={seen}"))
        .await
        .hears(&missed)
        .await;
    // Nothing was missed, and what comes next comes once.
    let mut up_to_date = after((seen + 2).to_string()).await;
    assert!(up_to_date.heard().await.is_empty());
    server.results(&event, 1, "--b").await;
    let next = told(&[("standings-changed", None), ("result-entered", Some(seen + 3))]);
    up_to_date.hears(&next).await;
    // Numbers that were never given, and changes that are not kept any more: everything anew.
    let anew = told(&[("reset", Some(seen + 3))]);
    for id in [(seen + 99).to_string(), "-5".to_owned(), "x".to_owned()] {
        after(id.clone()).await.hears(&anew).await;
    }
    server.pass(TimeDelta::days(3));
    store::changes::purge(&server.store, server.state.clock.now())
        .await
        .expect("forgotten");
    after(seen.to_string()).await.hears(&anew).await;
    assert!(after((seen + 3).to_string()).await.heard().await.is_empty());
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_stream_says_nothing_of_a_draft(pool: PgPool) {
    let server = Server::following(pool).await;
    let event = open(&server).await;
    server.results(&event, 1, "bb").await;
    let viewer = new_token(&server.state, "viewer-1", Role::Director).await;
    give(
        &server.state,
        &event["/events/".len()..],
        "viewer-1",
        Role::Viewer,
    )
    .await;
    let arbiter = new_token(&server.state, "arbiter-1", Role::Director).await;
    give(
        &server.state,
        &event["/events/".len()..],
        "arbiter-1",
        Role::Arbiter,
    )
    .await;
    let path = format!("{event}/stream");
    let mut public = server.listen(&path).await;
    let mut arbiters = server.request("GET", &path).token(&arbiter).listen().await;
    let mut staff = server.request("GET", &path).token(&viewer).listen().await;
    let number = public.next_within(5000).await.expect("now").id.expect("a number");
    for stream in [&mut arbiters, &mut staff] {
        assert_eq!(stream.next_within(5000).await.expect("now").id, Some(number));
    }
    let draft = async |method: &str, path: &str, body: serde_json::Value| {
        let answer = server
            .as_director(method, &format!("{event}{path}"))
            .header("if-match", "*")
            .json(&body)
            .send()
            .await;
        assert!(answer.status < 300, "{method} {path}: {}", answer.text());
    };
    draft("POST", "/rounds", json!({})).await;
    draft("PATCH", "/rounds/2", json!({"swap": [1, 2]})).await;
    draft("DELETE", "/rounds/2", json!({})).await;
    // Somebody who will not play the next round may be seated in a draft all the same.
    draft("PATCH", "/entries/4", json!({"absent_rounds": [2]})).await;
    draft("PATCH", "/entries/4", json!({"absent_rounds": []})).await;
    draft("POST", "/rounds", json!({})).await;
    assert!(public.heard().await.is_empty());
    assert!(arbiters.heard().await.is_empty());
    staff.hears(&vec![("act".to_owned(), None); 6]).await;
    // Whoever comes now begins at the same number, and the publication is the next one.
    let late = server.listen(&path).await.next_within(5000).await.expect("now");
    assert_eq!(late.id, Some(number));
    server.publish(&event, 2).await;
    let published = told(&[("standings-changed", None), ("round-published", Some(number + 1))]);
    for stream in [&mut public, &mut arbiters, &mut staff] {
        stream.hears(&published).await;
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_hidden_event_has_no_stream_for_the_public_and_hiding_one_ends_its_streams(pool: PgPool) {
    let server = Server::following(pool.clone()).await;
    let other = server.beside(pool, Config::default()).await;
    other.follow().await;
    let event = open(&server).await;
    let path = format!("{event}/stream");
    let mut public = other.listen(&path).await;
    let mut director = other.as_director("GET", &path).listen().await;
    assert!(public.next_within(5000).await.is_some() && director.next_within(5000).await.is_some());
    let hidden = server
        .as_director("PATCH", &event)
        .header("if-match", "*")
        .json(&json!({"visibility": "hidden"}))
        .send()
        .await;
    assert_eq!(hidden.status, 200, "{}", hidden.text());
    assert!(public.ends().await);
    assert_eq!(
        director.next_within(5000).await.expect("heard").name,
        "standings-changed"
    );
    let gone = other.get(&path).await;
    let never = other.get("/events/nowhere/stream").await;
    assert_eq!((gone.status, gone.problem()), (404, never.problem()));
    // Whoever loses the right loses the stream.
    let removed = server
        .as_director("DELETE", &event)
        .header("if-match", "*")
        .send()
        .await;
    assert!(removed.status < 300, "{}", removed.text());
    assert!(director.ends().await);
}

// On another server, too: the browser or the program comes back, and is asked who it is.
#[sqlx::test(migrations = "../../migrations")]
async fn a_stream_ends_with_the_account_or_the_token_by_which_it_was_opened(pool: PgPool) {
    // This one tells nobody, so that no news of the right comes late.
    let silent = Server::start(pool.clone()).await;
    let event = open(&silent).await;
    let viewer = new_token(&silent.state, "viewer-1", Role::Director).await;
    give(
        &silent.state,
        &event["/events/".len()..],
        "viewer-1",
        Role::Viewer,
    )
    .await;
    let server = silent.beside(pool.clone(), Config::default()).await;
    let other = silent.beside(pool, Config::default()).await;
    server.follow().await;
    other.follow().await;
    let path = format!("{event}/stream");
    let mut public = other.listen(&path).await;
    let listen = async |server: &Server| {
        let mut stream = server.request("GET", &path).token(&viewer).listen().await;
        assert_eq!(
            stream.next_within(5000).await.expect("where it begins").name,
            "now"
        );
        stream
    };
    let (mut here, mut there) = (listen(&server).await, listen(&other).await);
    close_account(&server.state, "viewer-1").await;
    assert!(here.ends().await && there.ends().await);
    assert_eq!(
        server.request("GET", &path).token(&viewer).send().await.status,
        401
    );
    // Who brought nothing goes on.
    server.results(&event, 1, "b").await;
    assert_eq!(
        public.next_within(5000).await.expect("where it begins").name,
        "now"
    );
    assert_eq!(
        public.next_within(5000).await.expect("heard").name,
        "standings-changed"
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn there_are_as_many_streams_as_the_operator_allows(pool: PgPool) {
    let limits = |streams, from_one_address| Config {
        streams: Limits {
            streams,
            from_one_address,
        },
        ..Config::default()
    };
    let server = Server::configured(pool.clone(), limits(2, 9)).await;
    let event = open(&server).await;
    let path = format!("{event}/stream");
    let (one, two) = (server.listen(&path).await, server.listen(&path).await);
    assert_eq!(
        (one.status, two.status, server.state.live.streams()),
        (200, 200, 2)
    );
    let full = server.get(&path).await;
    assert_eq!((full.status, full.problem().as_str()), (503, "too-many-streams"));
    assert!(full.header("retry-after").is_some());
    drop(one);
    let again = Instant::now();
    while server.state.live.streams() == 2 {
        assert!(
            again.elapsed() < Duration::from_secs(5),
            "a closed stream gives its place back"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(server.listen(&path).await.status, 200);
    let server = server.beside(pool, limits(9, 1)).await;
    let _one = server.listen(&path).await;
    assert_eq!(server.get(&path).await.status, 503);
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_a_server_did_not_hear_it_finds_by_asking(pool: PgPool) {
    // This one changes things and tells nobody, as one that dies between the two.
    let silent = Server::start(pool.clone()).await;
    let event = open(&silent).await;
    let server = silent.beside(pool, Config::default()).await;
    server.follow().await;
    let mut stream = server.listen(&format!("{event}/stream")).await;
    assert_eq!(stream.next_within(5000).await.expect("now").name, "now");
    silent.results(&event, 1, "b").await;
    let heard = stream.next_within(5000).await.expect("found");
    assert_eq!(heard.name, "standings-changed");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_server_that_stops_ends_its_streams_at_once(pool: PgPool) {
    let server = Server::following(pool).await;
    let event = open(&server).await;
    let mut stream = server.listen(&format!("{event}/stream")).await;
    assert!(stream.next_within(5000).await.is_some());
    server.state.live.close();
    assert!(stream.ends().await);
    assert_eq!(server.get(&format!("{event}/stream")).await.status, 503);
}
