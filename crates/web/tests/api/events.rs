use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::Server;

#[sqlx::test(migrations = "../../migrations")]
async fn an_event_is_made_found_by_id_and_slug_changed_and_removed(pool: PgPool) {
    let server = Server::start(pool).await;
    let made = server
        .post(
            "/events",
            &json!({"name": "Spring Open", "rounds": 7, "komi": "6,5", "rules": "japanese"}),
        )
        .await;
    assert_eq!(made.status, 201, "{}", made.text());
    let event = made.json();
    assert_eq!(event["slug"], "spring-open");
    // A decimal comma is a point: 6.5, never 65.
    assert_eq!(event["komi"], "6.5");
    let location = made.header("location").expect("a location").to_owned();
    let by_id = server.get(&location).await;
    let by_slug = server.get("/events/spring-open").await;
    assert_eq!((by_id.status, by_slug.status), (200, 200));
    assert_eq!(by_id.body, by_slug.body);

    let changed = server
        .as_director("PATCH", "/events/spring-open")
        .if_match(&event["version"])
        .json(&json!({"place": "Hall 3", "pairing": {"bye_score": 1}}))
        .send()
        .await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let now = changed.json();
    assert_eq!(
        (&now["place"], &now["pairing"]["bye_score"]),
        (&json!("Hall 3"), &json!(1))
    );
    // What was left out kept its value.
    assert_eq!(
        (&now["komi"], &now["pairing"]["avoid_team_rounds"]),
        (&json!("6.5"), &json!(1))
    );

    let stale = server
        .as_director("PATCH", "/events/spring-open")
        .if_match(&event["version"])
        .json(&json!({"place": "Hall 4"}))
        .send()
        .await;
    assert_eq!(stale.status, 412, "{}", stale.text());
    assert_eq!(stale.json()["current"]["place"], "Hall 3");

    let emptied = server.patch("/events/spring-open", &json!({"place": null})).await;
    assert_eq!(emptied.json()["place"], Value::Null);
    let removed = server.as_director("DELETE", "/events/spring-open").send().await;
    assert_eq!(removed.status, 204, "{}", removed.text());
    assert_eq!(server.get("/events/spring-open").await.problem(), "unknown-event");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_hidden_event_is_there_for_directors_only(pool: PgPool) {
    let server = Server::start(pool).await;
    let body = json!({"name": "Trial", "slug": "trial", "rounds": 3, "visibility": "hidden"});
    assert_eq!(server.post("/events", &body).await.status, 201);
    let hidden = server.get("/events/trial").await;
    let missing = server.get("/events/other").await;
    assert_eq!(hidden.status, 404);
    let same = missing.text().replace("other", "trial");
    assert_eq!(hidden.text(), same);
    for path in [
        "entries",
        "rounds",
        "standings",
        "crosstable",
        "export",
        "entries/1/games",
        "rounds/1/draw",
    ] {
        assert_eq!(
            server.get(&format!("/events/trial/{path}")).await.status,
            404,
            "{path}"
        );
    }
    assert_eq!(server.get("/events").await.json()["total"], 0);
    assert_eq!(
        server.as_director("GET", "/events").send().await.json()["total"],
        1
    );
    assert_eq!(
        server.as_director("GET", "/events/trial").send().await.status,
        200
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_number_of_rounds_changes_but_not_below_what_is_paired(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Club", 5, 8).await;
    for round in 1..=2 {
        server.round(&event).await;
        server.results(&event, round, "bbbb").await;
    }
    server.round(&event).await;
    let before = server.scores(&event, 2).await;
    let log = server.log_length(&event).await;
    assert_eq!(server.patch(&event, &json!({"rounds": 4})).await.status, 200);
    let too_few = server.patch(&event, &json!({"rounds": 2})).await;
    assert_eq!(too_few.status, 409);
    assert_eq!(too_few.problem(), "fewer-than-paired");
    assert!(
        too_few.json()["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("Round 3"))
    );
    assert_eq!(server.patch(&event, &json!({"rounds": 6})).await.status, 200);
    assert_eq!(server.scores(&event, 2).await, before);
    assert_eq!(server.log_length(&event).await, log + 2);
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_is_exported_is_imported_without_loss(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Club", 5, 9).await;
    server.round(&event).await;
    server.results(&event, 1, "bwd-").await;
    let file = server.get(&format!("{event}/export")).await;
    assert_eq!(file.status, 200);
    let disposition = file.header("content-disposition").expect("a file");
    assert!(disposition.contains("filename=\"club.json\""), "{disposition}");
    let again = server
        .as_director("POST", "/events/import")
        .header("content-type", "application/json")
        .body(file.body.clone())
        .send()
        .await;
    assert_eq!(again.status, 201, "{}", again.text());
    let copy = format!("/events/{}", again.json()["id"].as_str().expect("an id"));
    assert_eq!(server.get(&format!("{copy}/export")).await.body, file.body);
    assert_eq!(server.scores(&copy, 1).await, server.scores(&event, 1).await);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_faulty_event_file_is_refused_whole_with_every_fault(pool: PgPool) {
    let server = Server::start(pool).await;
    // A player with both a bye and a board; one on two boards; an unknown field.
    let file = r#"{
  "format": "tianyuan-event", "version": 1,
  "event": {"name": "Bad", "rounds": 3, "colour": "red"},
  "entries": [{"number": 1, "name": "A"}, {"number": 2, "name": "B"}, {"number": 3, "name": "C"}],
  "rounds": [{"round": 1, "boards": [
    {"board": 1, "black": 1, "white": 2, "result": "black"},
    {"board": 2, "black": 1, "white": 3, "result": null}], "byes": [2], "absent": []}]
}"#;
    let refused = server
        .as_director("POST", "/events/import")
        .header("content-type", "application/json")
        .body(file)
        .send()
        .await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert_eq!(refused.problem(), "bad-file");
    let told = refused.json();
    let errors = told["errors"].as_array().expect("faults");
    let codes: Vec<&str> = errors.iter().filter_map(|error| error["code"].as_str()).collect();
    for code in ["unknown-field", "two-boards", "two-places"] {
        assert!(codes.contains(&code), "{code}: {told}");
    }
    assert!(
        errors
            .iter()
            .all(|error| error["line"].is_u64() && error["column"].is_u64()),
        "{told}"
    );
    let unknown = errors
        .iter()
        .find(|error| error["code"] == "unknown-field")
        .expect("the unknown field");
    assert_eq!(
        (&unknown["path"], &unknown["line"]),
        (&json!("event.colour"), &json!(3))
    );
    assert_eq!(server.get("/events").await.json()["total"], 0);
}

#[sqlx::test(migrations = "../../migrations")]
async fn lists_come_in_pages(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Big", 3, 12).await;
    let page = server
        .get(&format!("{event}/entries?offset=5&limit=4"))
        .await
        .json();
    let numbers: Vec<u64> = page["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|entry| entry["number"].as_u64())
        .collect();
    assert_eq!((numbers, &page["total"]), (vec![6, 7, 8, 9], &json!(12)));
    let bad = server.get(&format!("{event}/entries?offset=x")).await;
    assert_eq!((bad.status, bad.problem().as_str()), (400, "bad-query"));
    let told = async |query: &str, language: &str| {
        let request = server.request("GET", &format!("{event}/entries?{query}"));
        let answer = request.header("accept-language", language).send().await.json();
        answer["detail"].as_str().expect("a sentence").to_owned()
    };
    let chinese = told("offset=%E7%94%B2", "zh").await;
    assert!(chinese.contains("offset") && chinese.contains('甲'), "{chinese}");
    assert!(
        !chinese.contains("invalid") && !chinese.contains("deserialize"),
        "{chinese}"
    );
    let unknown = told("page=2", "zh").await;
    assert!(
        unknown.contains("“page”") && !unknown.contains("unknown"),
        "{unknown}"
    );
    let twice = told("limit=2&limit=3", "en").await;
    assert!(twice.contains("stands twice"), "{twice}");
    assert_eq!(server.get(&format!("{event}/entries?page=2")).await.status, 400);
}

#[sqlx::test(migrations = "../../migrations")]
async fn standings_are_there_before_anything_is_played(pool: PgPool) {
    let server = Server::start(pool).await;
    let empty = server.event("Empty", 3, 0).await;
    let table = server.get(&format!("{empty}/standings")).await;
    assert_eq!(table.status, 200, "{}", table.text());
    assert_eq!(table.json()["rows"], json!([]));
    let event = server.event("Soon", 3, 4).await;
    assert_eq!(server.scores(&event, 0).await.len(), 4);
    server.round(&event).await;
    let table = server.get(&format!("{event}/standings")).await.json();
    assert_eq!(
        (&table["provisional"], table["pending"].as_array().map(Vec::len)),
        (&json!(true), Some(2))
    );
    let games = server.get(&format!("{event}/entries/1/games")).await;
    assert_eq!(games.json()["games"][0]["kind"], "pending");
    let early = server.get(&format!("{event}/standings?after=2")).await;
    assert_eq!(
        (early.status, early.problem().as_str()),
        (404, "round-not-published")
    );
}
