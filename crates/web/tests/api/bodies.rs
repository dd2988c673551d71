use serde_json::json;
use sqlx::PgPool;

use crate::support::Server;

#[sqlx::test(migrations = "../../migrations")]
async fn what_does_not_fit_is_named_with_its_path(pool: PgPool) {
    let server = Server::start(pool).await;
    for (body, status, code, path) in [
        (r#"{"name": "Open"}"#, 422, "missing-field", "rounds"),
        (
            r#"{"name": "Open", "rounds": 3, "colour": 1}"#,
            422,
            "unknown-field",
            "colour",
        ),
        (
            r#"{"name": "Open", "rounds": 3, "pairing": {"byescore": 2}}"#,
            422,
            "unknown-field",
            "pairing.byescore",
        ),
        (
            r#"{"name": "Open", "rounds": "three"}"#,
            422,
            "wrong-type",
            "rounds",
        ),
        (
            r#"{"name": "Open", "rounds": 3, "rules": "chess"}"#,
            422,
            "unknown-word",
            "rules",
        ),
        (
            r#"{"name": "Open", "rounds": 3, "ranking": ["score", "luck"]}"#,
            422,
            "unknown-word",
            "ranking[1]",
        ),
        (
            r#"{"name": "Open", "rounds": 3, "starts_on": "1 May"}"#,
            422,
            "invalid-value",
            "starts_on",
        ),
        (r#"{"name": "Open", "#, 400, "not-json", ""),
        ("", 400, "not-json", ""),
        (r#"{"name": "Open", "rounds": 3} {}"#, 400, "not-json", ""),
    ] {
        let refused = server
            .as_director("POST", "/events")
            .header("content-type", "application/json")
            .body(body)
            .send()
            .await;
        assert_eq!(refused.status, status, "{body}: {}", refused.text());
        let fault = &refused.json()["errors"][0];
        assert_eq!(
            (fault["code"].as_str(), fault["path"].as_str()),
            (Some(code), Some(path)),
            "{body}: {fault}"
        );
    }
    for (body, path) in [
        (json!({"name": "Open", "rounds": 0}), "rounds"),
        (json!({"name": "", "rounds": 3}), "name"),
        (
            json!({"name": "Open", "rounds": 3, "starts_on": "0001-01-01"}),
            "starts_on",
        ),
        (
            json!({"name": "Open", "rounds": 3, "starts_on": "9999-12-31"}),
            "starts_on",
        ),
        (
            json!({"name": "Open", "rounds": 3, "round_starts": [{"round": 1, "local": "0026-05-01T09:00"}]}),
            "round_starts[0].at",
        ),
        (json!({"name": "Open", "rounds": 3, "komi": "-375"}), "komi"),
        (
            json!({"name": "Open", "rounds": 3, "rules": "japanese", "komi": "3.75"}),
            "komi",
        ),
        (
            json!({"name": "Open", "rounds": 3, "pairing": {"bye_score": 5}}),
            "bye_score",
        ),
    ] {
        let refused = server.post("/events", &body).await;
        assert_eq!(refused.status, 422, "{body}: {}", refused.text());
        let told = refused.json();
        let at = told["errors"][0]["path"].as_str().unwrap_or_default();
        assert!(
            at.ends_with(path) || told["type"] == "/problems/empty-name",
            "{body}: {told}"
        );
    }
    assert_eq!(server.get("/events").await.json()["total"], 0);
}

#[sqlx::test(migrations = "../../migrations")]
async fn bodies_have_a_limit_and_files_a_larger_one(pool: PgPool) {
    let server = Server::start(pool).await;
    let long = "x".repeat(1024 * 1024);
    let refused = server.post("/events", &json!({"name": long, "rounds": 3})).await;
    assert_eq!((refused.status, refused.problem().as_str()), (413, "too-large"));
    // A file of this size is read, and refused for what is in it.
    let file = server
        .as_director("POST", "/events/import")
        .json(&json!({"format": "tianyuan-event", "version": 1, "note": long}))
        .send()
        .await;
    assert_eq!((file.status, file.problem().as_str()), (422, "bad-file"));
    let csv = server
        .as_director("POST", "/events/import")
        .header("content-type", "text/csv")
        .body("a,b")
        .send()
        .await;
    assert_eq!((csv.status, csv.problem().as_str()), (415, "media-type"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn addresses_that_lead_nowhere_are_problems_too(pool: PgPool) {
    let server = Server::start(pool).await;
    assert_eq!(server.get("/nothing").await.problem(), "not-found");
    assert_eq!(server.get("/api").await.status, 303);
    let method = server.as_director("PUT", "/events").json(&json!({})).send().await;
    assert_eq!(
        (method.status, method.problem().as_str()),
        (405, "method-not-allowed")
    );
    assert!(
        method.header("allow").is_some_and(|allow| allow.contains("POST")),
        "{:?}",
        method.headers
    );
    let page = server.get("///nothing").await;
    assert_eq!(page.status, 404);
    assert!(
        page.header("content-type")
            .is_some_and(|kind| kind.starts_with("text/html"))
    );
    assert!(page.header("content-security-policy").is_some());
    assert!(page.header("x-request-id").is_some());
}
