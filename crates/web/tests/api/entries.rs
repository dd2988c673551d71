use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::Server;

#[sqlx::test(migrations = "../../migrations")]
async fn a_list_is_added_whole_or_not_at_all_and_every_fault_is_named(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 0).await;
    let entries = format!("{event}/entries");
    let refused = server
        .post(&entries, &json!([{"name": "A", "grade": "九段"}, {"name": "B", "grade": "9d"}, {"name": "C", "number": 0}]))
        .await;
    assert_eq!(refused.status, 422);
    let told = refused.json();
    let faults: Vec<(&str, &str)> = told["errors"]
        .as_array()
        .expect("faults")
        .iter()
        .map(|fault| {
            (
                fault["path"].as_str().unwrap_or(""),
                fault["code"].as_str().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(
        faults,
        [("[1].grade", "not-a-grade"), ("[2].number", "bad-number")]
    );
    assert_eq!(server.get(&entries).await.json()["total"], 0);

    let added = server
        .post(
            &entries,
            &json!([{"name": "A", "grade": "九段"}, {"name": "B", "grade": "5 dan"}]),
        )
        .await;
    assert_eq!(added.status, 201, "{}", added.text());
    let added = added.json();
    assert_eq!(
        (&added["items"][0]["grade"], &added["items"][1]["grade"]),
        (&json!("9p"), &json!("5d"))
    );
    let one = server
        .post(&entries, &json!({"name": "C", "number": 7, "team": "River Club"}))
        .await;
    assert_eq!(one.json()["number"], 7);
    assert!(
        one.header("location")
            .is_some_and(|location| location.ends_with("/entries/7"))
    );
    let taken = server
        .post(&entries, &json!([{"name": "D"}, {"name": "E", "number": 7}]))
        .await;
    assert!([409, 422].contains(&taken.status), "{}", taken.text());
    assert_eq!(server.get(&entries).await.json()["total"], 3);
}

#[sqlx::test(migrations = "../../migrations")]
async fn names_come_out_as_they_went_in_and_never_as_markup(pool: PgPool) {
    let server = Server::start(pool).await;
    let names = [
        "<script>alert(1)</script>",
        "\" onmouseover=\"alert(1)",
        "</title>{{7*7}}",
        "javascript:alert(1)",
        "O'Neil-Łuczak",
        "李🐼",
        "محمد",
        "Jose\u{301}",
    ];
    let event = server.event("Names", 3, 0).await;
    let list: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "team": name}))
        .collect();
    let added = server.post(&format!("{event}/entries"), &list.into()).await;
    assert_eq!(added.status, 201, "{}", added.text());
    let answer = server.get(&format!("{event}/entries")).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let policy = answer.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains("default-src 'none'") && !policy.contains("unsafe-inline"),
        "{policy}"
    );
    let items = answer.json();
    for (i, name) in names.iter().enumerate() {
        assert_eq!(items["items"][i]["name"], *name);
    }
    let bad = server
        .post(
            &format!("{event}/entries"),
            &json!({"name": "x", "grade": "<script>"}),
        )
        .await;
    assert_eq!(bad.header("content-type"), Some("application/problem+json"));
    let nul = server
        .post(&format!("{event}/entries"), &json!({"name": "a\u{0}b"}))
        .await;
    assert_eq!(nul.status, 422, "{}", nul.text());
}

#[sqlx::test(migrations = "../../migrations")]
async fn somebody_withdraws_sits_out_and_returns(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    server.round(&event).await;
    server.results(&event, 1, "bbb").await;
    let left = server
        .patch(
            &format!("{event}/entries/2"),
            &json!({"withdrawn_after": 1, "reason": "ill"}),
        )
        .await;
    assert_eq!(left.json()["withdrawn_after"], 1, "{}", left.text());
    // Said again, it is so already.
    let again = server
        .patch(&format!("{event}/entries/2"), &json!({"withdrawn_after": 1}))
        .await;
    assert_eq!(again.status, 200, "{}", again.text());
    let out = server
        .patch(&format!("{event}/entries/4"), &json!({"absent_rounds": [2]}))
        .await;
    assert_eq!(out.json()["absent_rounds"], json!([2]));
    let second = server.round(&event).await;
    assert_eq!(second["absent"], json!([2, 4]));
    assert_eq!(second["boards"].as_array().map(Vec::len), Some(2));
    server.results(&event, 2, "bb").await;
    let back = server
        .patch(&format!("{event}/entries/2"), &json!({"withdrawn_after": null}))
        .await;
    assert_eq!(back.json()["withdrawn_after"], Value::Null, "{}", back.text());
    assert_eq!(back.json()["absent_rounds"], json!([2]));
    let third = server.round(&event).await;
    assert_eq!(
        (&third["absent"], third["boards"].as_array().map(Vec::len)),
        (&json!([]), Some(3))
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn whoever_has_played_is_withdrawn_and_not_removed(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    server.round(&event).await;
    let late = server
        .post(&format!("{event}/entries"), &json!({"name": "Late"}))
        .await
        .json();
    let played = server
        .as_director("DELETE", &format!("{event}/entries/1"))
        .send()
        .await;
    assert_eq!((played.status, played.problem().as_str()), (409, "has-played"));
    let late = server
        .as_director("DELETE", &format!("{event}/entries/{}", late["number"]))
        .send()
        .await;
    assert_eq!(late.status, 204, "{}", late.text());
    assert_eq!(
        server
            .as_director("DELETE", &format!("{event}/entries/99"))
            .send()
            .await
            .status,
        404
    );
}
