use chrono::TimeDelta;
use serde_json::json;
use sqlx::PgPool;

use crate::support::Server;

#[sqlx::test(migrations = "../../migrations")]
async fn a_draft_answers_the_public_as_a_round_that_does_not_exist(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 9).await;
    server.round(&event).await;
    server.results(&event, 1, "bbbb").await;
    let paths = [
        "",
        "/rounds",
        "/standings",
        "/crosstable",
        "/entries",
        "/entries/1",
        "/entries/1/games",
        "/export",
        "/rounds/1",
        "/rounds/1/draw",
        "/rounds/1/boards/1/result",
    ];
    let mut before = Vec::new();
    for path in paths {
        before.push(server.get(&format!("{event}{path}")).await);
    }
    let list = server.get("/events").await.body;
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(draft.status, 201);
    server
        .as_director("PATCH", &format!("{event}/rounds/2"))
        .header("if-match", "*")
        .json(&json!({"swap": [1, 2]}))
        .send()
        .await;
    for (path, before) in paths.iter().zip(&before) {
        let now = server.get(&format!("{event}{path}")).await;
        assert_eq!(now.body, before.body, "{path}");
        assert_eq!(now.header("etag"), before.header("etag"), "{path}");
    }
    assert_eq!(server.get("/events").await.body, list);
    for path in [
        "/rounds/R",
        "/rounds/R/draw",
        "/rounds/R/boards/1/result",
        "/standings?after=R",
        "/crosstable?after=R",
    ] {
        let (two, three) = (path.replace('R', "2"), path.replace('R', "3"));
        let draft = server.get(&format!("{event}{two}")).await;
        let none = server.get(&format!("{event}{three}")).await;
        assert_eq!(draft.status, 404, "{path}");
        assert_eq!(draft.text(), none.text().replace('3', "2"), "{path}");
        let names =
            |headers: &[(String, String)]| headers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&draft.headers), names(&none.headers), "{path}");
    }
    // Nobody but directors gets at the log.
    assert_eq!(server.get(&format!("{event}/log")).await.status, 401);
    server.publish(&event, 2).await;
    assert_eq!(server.get(&format!("{event}/rounds/2")).await.status, 200);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_replaced_table_is_a_new_edition_for_everybody_at_once(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    let first = server.round(&event).await;
    let path = format!("{event}/rounds/1");
    let one = server.get(&path).await;
    let tag = one.header("etag").expect("a tag").to_owned();
    let unchanged = server
        .request("GET", &path)
        .header("if-none-match", &tag)
        .send()
        .await;
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));
    // A cache must ask again each time.
    assert_eq!(one.header("cache-control"), Some("public, no-cache"));
    server.pass(TimeDelta::minutes(2));
    let white = |board: usize| first["boards"][board]["white"].as_u64().expect("a number");
    let swapped = server
        .as_director("PATCH", &path)
        .if_match(&first["version"])
        .json(&json!({"swap": [white(0), white(1)]}))
        .send()
        .await;
    assert_eq!(swapped.status, 200, "{}", swapped.text());
    let fresh = server
        .request("GET", &path)
        .header("if-none-match", &tag)
        .send()
        .await;
    assert_eq!(fresh.status, 200);
    let plain = server.get(&path).await;
    assert_eq!(plain.body, fresh.body);
    assert_ne!(plain.header("etag"), Some(tag.as_str()));
    let now = plain.json();
    assert_eq!(
        (&now["edition"], &now["boards"][0]["white"]),
        (&json!(2), &json!(white(1)))
    );
    assert_eq!(
        server.get(&format!("{event}/rounds")).await.json()["items"][0]["edition"],
        2
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn standings_of_an_earlier_round_and_the_running_round_are_there_side_by_side(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    server.round(&event).await;
    server.results(&event, 1, "bbbb").await;
    let after_one = server.get(&format!("{event}/standings?after=1")).await.body;
    server.round(&event).await;
    server.results(&event, 2, "bb").await;
    // The table of a round never changes when the next one is played.
    assert_eq!(
        server.get(&format!("{event}/standings?after=1")).await.body,
        after_one
    );
    assert_eq!(server.get(&format!("{event}/rounds/2")).await.status, 200);
    assert_eq!(server.get(&event).await.json()["last_published"], 2);
}

#[sqlx::test(migrations = "../../migrations")]
async fn publishing_twice_is_publishing_once(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    let publish = format!("{event}/rounds/1/publish");
    let first = server.post(&publish, &json!({})).await;
    assert_eq!(
        first.json()["published_at"],
        "2026-05-01T01:00:00Z",
        "{}",
        first.text()
    );
    server.pass(TimeDelta::minutes(1));
    let log = server.log_length(&event).await;
    let again = server.as_director("POST", &publish).send().await;
    assert_eq!((again.status, again.json()), (200, first.json()));
    assert_eq!(server.log_length(&event).await, log);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_round_is_published_by_itself_at_the_moment_that_was_set(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    let round = format!("{event}/rounds/1");
    let publish = format!("{round}/publish");
    server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;

    let set = server
        .post(&publish, &json!({"at": "2026-05-01T14:45:00+08:00"}))
        .await;
    assert_eq!(set.status, 200, "{}", set.text());
    assert_eq!(
        (&set.json()["status"], &set.json()["publish_at"]),
        (&json!("draft"), &json!("2026-05-01T06:45:00Z"))
    );
    // Taken away and set again: nothing is public until then, and no earlier.
    let kept = server.as_director("DELETE", &publish).send().await;
    assert_eq!((kept.status, &kept.json()["publish_at"]), (200, &json!(null)));
    server
        .post(&publish, &json!({"at": "2026-05-01T06:45:00Z"}))
        .await;
    server.pass(TimeDelta::minutes(344));
    assert_eq!(publish_due(&server).await, 0);
    assert_eq!(server.get(&round).await.status, 404);

    server.pass(TimeDelta::minutes(1));
    let (one, other) = tokio::join!(publish_due(&server), publish_due(&server));
    assert_eq!(one + other, 1, "published once, by whichever server comes first");
    let public = server.get(&round).await;
    assert_eq!(
        (public.status, &public.json()["published_at"]),
        (200, &json!("2026-05-01T06:45:00Z"))
    );
    assert!(public.json().get("publish_at").is_none(), "{}", public.text());
    let log = server
        .as_director("GET", &format!("{event}/log"))
        .send()
        .await
        .json();
    assert_eq!(log["items"][0]["action"], "round-published");
    assert_eq!(
        log["items"][0]["actor"], log["items"][1]["actor"],
        "in the name of whoever set it"
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_draft_that_has_gone_out_of_date_is_held_back_at_its_moment(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    let round = format!("{event}/rounds/1");
    server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    server
        .post(
            &format!("{round}/publish"),
            &json!({"at": "2026-05-01T06:45:00Z"}),
        )
        .await;
    let late = server
        .post(&format!("{event}/entries"), &json!({"name": "Late"}))
        .await;
    assert_eq!(late.status, 201, "{}", late.text());
    server.pass(TimeDelta::hours(6));
    assert_eq!(publish_due(&server).await, 0);
    assert_eq!(server.get(&round).await.status, 404);
    let held = server.as_director("GET", &round).send().await.json();
    assert_eq!((&held["status"], held.get("publish_at")), (&json!("draft"), None));
    let log = server
        .as_director("GET", &format!("{event}/log"))
        .send()
        .await
        .json();
    assert_eq!(log["items"][0]["action"], "publication-set");
}

#[sqlx::test(migrations = "../../migrations")]
async fn one_event_that_fails_keeps_no_other_from_being_published(pool: PgPool) {
    let server = Server::start(pool.clone()).await;
    let mut events = Vec::new();
    for (name, at) in [
        ("Broken", "2026-05-01T01:01:00Z"),
        ("Open", "2026-05-01T01:02:00Z"),
    ] {
        let event = server.event(name, 5, 4).await;
        server
            .as_director("POST", &format!("{event}/rounds"))
            .send()
            .await;
        let set = server
            .post(&format!("{event}/rounds/1/publish"), &json!({"at": at}))
            .await;
        assert_eq!(set.status, 200, "{}", set.text());
        events.push(event);
    }
    sqlx::query("update rounds set publish_by = '{}' where publish_at < '2026-05-01T01:01:30Z'")
        .execute(&pool)
        .await
        .expect("broken");
    server.pass(TimeDelta::minutes(3));
    let now = server.state.clock.now();
    assert!(
        store::rounds::publish_due(&server.store, now, web::state::chance)
            .await
            .is_err()
    );
    for (event, status) in events.iter().zip([404, 200]) {
        assert_eq!(server.get(&format!("{event}/rounds/1")).await.status, status);
    }
}

async fn publish_due(server: &Server) -> usize {
    store::rounds::publish_due(&server.store, server.state.clock.now(), web::state::chance)
        .await
        .expect("the database")
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_a_draft_changes_of_an_entry_is_not_public_before_it_is_published(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    let entry = format!("{event}/entries/1");
    let entries = format!("{event}/entries");
    let before = (server.get(&entry).await.body, server.get(&entries).await.body);
    let away = server
        .as_director("PATCH", &entry)
        .json(&json!({"absent_rounds": [1]}))
        .send()
        .await;
    assert_eq!(away.status, 200, "{}", away.text());
    assert_eq!(away.json()["absent_rounds"], json!([1]));
    assert_eq!(
        (server.get(&entry).await.body, server.get(&entries).await.body),
        before
    );
}
