//! What directors do on pages, done by programs: explanations, undo, readiness, people, sign-ups,
//! check-in.

use serde_json::{Value, json};
use sqlx::PgPool;
use store::Role;

use crate::support::{Answer, Server, give, new_token};

async fn slug_of(server: &Server, event: &str) -> String {
    let event = server.get(event).await.json();
    event["slug"].as_str().expect("a slug").to_owned()
}

async fn read(server: &Server, path: &str) -> Value {
    let answer = server.as_director("GET", path).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn repeated(server: &Server, path: &str, body: &Value) -> Answer {
    let ask = || {
        server
            .as_director("POST", path)
            .header("idempotency-key", &path.replace('/', "-"))
            .json(body)
    };
    let first = ask().send().await;
    let again = ask().send().await;
    assert_eq!((first.status, &first.body), (again.status, &again.body), "{path}");
    if first.status < 400 {
        assert_eq!(again.header("idempotency-replayed"), Some("true"), "{path}");
    }
    first
}

#[sqlx::test(migrations = "../../migrations")]
async fn values_are_explained_and_two_players_compared(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 4).await;
    server.round_of(&event, &[(1, 2), (3, 4)], &[]).await;
    server.results(&event, 1, "bb").await;
    server.round_of(&event, &[(1, 3), (2, 4)], &[]).await;
    server.results(&event, 2, "bb").await;
    // A 4 points, B and C 2, D 0. B lost to A (4) and beat D (0); C beat D (0) and lost to A (4).
    let told = server.get(&format!("{event}/standings/2")).await.json();
    assert_eq!(
        (&told["name"], &told["after"], &told["score"]),
        (&json!("B"), &json!(2), &Value::Null)
    );
    let of = |word: &str| {
        let criteria = told["criteria"].as_array().expect("criteria");
        let found = criteria.iter().find(|one| one["criterion"] == word);
        found.expect("a criterion").clone()
    };
    let opponents = of("opponents_score");
    assert_eq!(
        (&opponents["value"], &opponents["made"]["sum"]),
        (&json!("4"), &json!("4"))
    );
    let parts = opponents["made"]["parts"].as_array().expect("parts");
    let amounts: Vec<(&Value, &Value)> = parts
        .iter()
        .map(|part| (&part["opponent"], &part["amount"]))
        .collect();
    assert_eq!(amounts, [(&json!(1), &json!("4")), (&json!(4), &json!("0"))]);
    // As of an earlier round it is another one.
    let earlier = server.get(&format!("{event}/standings/2?after=1")).await.json();
    assert_eq!(earlier["criteria"][0]["value"], "0");

    let told = server
        .get(&format!("{event}/standings/compare?a=4&b=1"))
        .await
        .json();
    assert_eq!(
        (&told["before"], &told["steps"][0]["decides"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(told["steps"].as_array().map(Vec::len), Some(1));
    assert_eq!(told["deciding"]["b"]["value"], "4");
    for (path, status, problem) in [
        ("standings/77", 404, "unknown-entry"),
        ("standings/compare?a=1&b=77", 404, "unknown-entry"),
        ("standings/compare?a=1&b=1", 422, "same-entry"),
        ("standings/1?after=3", 404, "round-not-published"),
        ("standings/compare?a=1", 400, "bad-query"),
    ] {
        let refused = server.get(&format!("{event}/{path}")).await;
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (status, problem),
            "{path}"
        );
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn acts_are_taken_back_by_their_number(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 4).await;
    server.round_of(&event, &[(1, 2), (3, 4)], &[]).await;
    server.results(&event, 1, "b-").await;
    let entered = read(&server, &format!("{event}/log")).await["items"][0]["seq"].clone();
    let path = format!("{event}/log/{entered}/undo");
    let undone = repeated(&server, &path, &json!({"reason": "the other board"})).await;
    assert_eq!(undone.status, 200, "{}", undone.text());
    let undone = undone.json();
    assert_eq!(
        (&undone["undone"]["seq"], &undone["by"]["action"]),
        (&entered, &json!("result-cleared"))
    );
    assert_eq!(undone["by"]["reason"], "the other board");
    let board = server
        .get(&format!("{event}/rounds/1/boards/1/result"))
        .await
        .json();
    assert_eq!(board["result"], Value::Null);
    // Once more without the key: it is so already, and nothing is written.
    let again = server.as_director("POST", &path).send().await;
    assert_eq!((again.status, &again.json()["by"]), (200, &Value::Null));
    let made = server
        .as_director("POST", &format!("{event}/log/1/undo"))
        .send()
        .await;
    assert_eq!((made.status, made.problem().as_str()), (409, "no-undo"));
    assert_eq!(made.json()["way"], "remove-event");
    assert!(made.text().contains("Remove the event"), "{}", made.text());
    let nowhere = server
        .as_director("POST", &format!("{event}/log/999/undo"))
        .send()
        .await;
    assert_eq!((nowhere.status, nowhere.problem().as_str()), (404, "unknown-act"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_program_asks_what_the_next_round_waits_for(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 2, 4).await;
    let ask = async || read(&server, &format!("{event}/readiness")).await;
    let before = ask().await;
    assert_eq!(
        (&before["round"], &before["ready"], &before["players"]),
        (&json!(1), &json!(true), &json!(4))
    );
    server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    let draft = ask().await;
    assert_eq!((&draft["draft"], &draft["ready"]), (&json!(1), &json!(false)));
    server.publish(&event, 1).await;
    server.results(&event, 1, "-b").await;
    let open = ask().await;
    assert_eq!(
        (&open["round"], &open["pending"], &open["ready"]),
        (&json!(2), &json!([1]), &json!(false))
    );
    assert!(open["lines"][0]["to_do"].as_bool().expect("a line"), "{open}");
    server.results(&event, 1, "b-").await;
    assert_eq!(ask().await["ready"], true);
    server.round(&event).await;
    server.results(&event, 2, "bb").await;
    assert_eq!(ask().await["round"], Value::Null);
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_arbiter_checks_in_at_the_door_by_page_and_by_program(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 4).await;
    let slug = slug_of(&server, &event).await;
    let arbiter = new_token(&server.state, "arbiter", Role::Arbiter).await;
    give(&server.state, &slug, "arbiter", Role::Arbiter).await;
    let mark = async |method: &str, number: u32| {
        let path = format!("{event}/entries/{number}/check-in");
        server.request(method, &path).token(&arbiter).send().await
    };
    let here = mark("PUT", 2).await;
    assert_eq!((here.status, &here.json()["by"]), (200, &json!("arbiter")));
    assert_eq!(mark("PUT", 2).await.status, 200, "twice is once");
    assert_eq!(mark("PUT", 3).await.status, 200);
    assert_eq!(mark("DELETE", 3).await.status, 204);
    let unknown = mark("PUT", 77).await;
    assert_eq!(
        (unknown.status, unknown.problem().as_str()),
        (404, "unknown-entry")
    );
    let list = server
        .request("GET", &format!("{event}/check-in"))
        .token(&arbiter)
        .send()
        .await
        .json();
    assert_eq!(
        (&list["here"][0]["number"], &list["missing"]),
        (&json!(2), &json!([1, 3, 4]))
    );
    // The page is the arbiter's too, with a way to it and without what needs a director.
    let page = server
        .request("GET", &format!("///manage/e/{slug}/check-in"))
        .token(&arbiter)
        .send()
        .await;
    assert_eq!(page.status, 200);
    assert!(
        !page.text().contains("check-in/missing"),
        "leaving out is for directors"
    );
    assert!(
        page.text()
            .contains(&format!("href=\"/manage/e/{slug}/check-in\""))
    );
    let ticked = server
        .request("POST", &format!("///manage/e/{slug}/check-in"))
        .token(&arbiter)
        .header("content-type", "application/x-www-form-urlencoded")
        .body("here=1&quiet=1")
        .send()
        .await;
    assert_eq!(ticked.status, 204);
    let log = read(&server, &format!("{event}/log")).await;
    assert_eq!(
        (&log["items"][0]["action"], &log["items"][0]["actor"]["role"]),
        (&json!("entry-here"), &json!("arbiter"))
    );

    let body = json!({"numbers": [1, 3, 4], "how": "sit_out"});
    let out = repeated(&server, &format!("{event}/check-in/leave-out"), &body)
        .await
        .json();
    assert_eq!(out["count"], 2, "who is here by now stays in: {out}");
    let absent = async || {
        let entries = read(&server, &format!("{event}/entries")).await;
        let all = entries["items"].as_array().expect("entries").clone();
        all.iter()
            .filter(|one| one["absent_rounds"] == json!([1]))
            .count()
    };
    assert_eq!(absent().await, 2);
    let undo = format!("{event}/batches/{}/undo", out["batch"]);
    assert_eq!(server.as_director("POST", &undo).send().await.status, 204);
    assert_eq!(absent().await, 0);
    let again = server.as_director("POST", &undo).send().await;
    assert_eq!(again.status, 404, "{}", again.text());
}

#[sqlx::test(migrations = "../../migrations")]
async fn sign_ups_are_taken_and_decided_by_programs(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 1).await;
    let key = |number: u32| format!("{number:032x}");
    let sign_up = async |number: u32, name: &str| {
        let body = json!({"key": key(number), "name": name, "contact": "by post", "grade": "3段"});
        let path = format!("{event}/sign-ups");
        server.request("POST", &path).json(&body).send().await
    };
    let closed = sign_up(1, "甲").await;
    assert_eq!(
        (closed.status, closed.problem().as_str()),
        (409, "sign-up-closed")
    );
    let settings = format!("{event}/sign-ups/settings");
    let set = |body: Value| server.as_director("PUT", &settings).json(&body).send();
    let open = set(json!({"open": true, "places": 2})).await;
    assert_eq!(
        (open.status, &open.json()["left"], &open.json()["takes"]),
        (200, &json!(1), &json!(true))
    );
    let wrong = set(json!({"open": true, "places": 0})).await;
    assert_eq!((wrong.status, wrong.problem().as_str()), (422, "not-places"));
    assert_eq!(sign_up(1, "甲").await.status, 201);
    assert_eq!(sign_up(1, "甲").await.status, 200, "an answer was lost");
    assert_eq!(sign_up(2, "乙").await.status, 201);
    assert_eq!(sign_up(3, "丙").await.status, 201);
    assert_eq!(sign_up(4, " ").await.problem(), "sign-up-without-name");
    let bad = server
        .request("POST", &format!("{event}/sign-ups"))
        .json(&json!({"key": "x", "name": "丁", "contact": "c", "grade": "best"}))
        .send()
        .await;
    let paths: Vec<Value> = bad.json()["errors"]
        .as_array()
        .expect("faults")
        .iter()
        .map(|one| one["path"].clone())
        .collect();
    assert_eq!(paths, ["key", "grade"], "{}", bad.text());

    let list = read(&server, &format!("{event}/sign-ups")).await;
    assert_eq!(
        (
            &list["items"][0]["name"],
            &list["items"][0]["contact"],
            &list["items"][0]["grade"]
        ),
        (&json!("甲"), &json!("by post"), &json!("3d"))
    );
    assert_eq!(
        server.get(&format!("{event}/sign-ups")).await.status,
        401,
        "contacts are not public"
    );
    let own = |number: u32| format!("{event}/sign-up/{}", key(number));
    assert_eq!(server.get(&own(2)).await.json()["before"], 1);
    assert_eq!(server.request("DELETE", &own(3)).send().await.status, 204);
    assert_eq!(server.get(&own(3)).await.json()["status"], "withdrawn");

    let confirmed = repeated(
        &server,
        &format!("{event}/sign-ups/confirm"),
        &json!({"sign_ups": [2, 1]}),
    )
    .await;
    let confirmed = confirmed.json();
    assert_eq!(confirmed["numbers"], json!([2, 3]));
    assert_eq!(server.get(&own(2)).await.json()["entry"], 2);
    let late = server.request("DELETE", &own(2)).send().await;
    assert_eq!((late.status, late.problem().as_str()), (409, "sign-up-decided"));
    let undo = format!("{event}/batches/{}/undo", confirmed["batch"]);
    assert_eq!(server.as_director("POST", &undo).send().await.status, 204);
    assert_eq!(server.get(&own(2)).await.json()["status"], "waiting");
    let refuse = repeated(
        &server,
        &format!("{event}/sign-ups/2/refuse"),
        &json!({"reason": "full"}),
    )
    .await;
    assert_eq!(refuse.status, 204);
    let told = server.get(&own(2)).await.json();
    assert_eq!(
        (&told["status"], &told["reason"]),
        (&json!("refused"), &json!("full"))
    );
    let back = server
        .as_director("POST", &format!("{event}/sign-ups/2/put-back"))
        .send()
        .await;
    assert_eq!(back.status, 204);
    assert_eq!(server.get(&own(2)).await.json()["status"], "waiting");
    let unknown = server.get(&own(9)).await;
    assert_eq!(unknown.status, 404, "{}", unknown.text());
}

#[sqlx::test(migrations = "../../migrations")]
async fn rights_are_given_by_links_and_changed_by_programs(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 2).await;
    let slug = slug_of(&server, &event).await;
    new_token(&server.state, "helper", Role::Viewer).await;
    give(&server.state, &slug, "helper", Role::Viewer).await;
    let people = async || read(&server, &format!("{event}/people")).await;
    let list = people().await;
    let (director, helper) = (&list["people"][0], &list["people"][1]);
    assert_eq!(
        (&director["right"], &helper["right"]),
        (&json!("director"), &json!("viewer"))
    );
    let path = |user: &Value| format!("{event}/people/{}", user["user"].as_str().expect("an id"));
    let put = async |path: &str, right: &str| {
        let body = json!({"right": right, "reason": "helps in the hall"});
        server.as_director("PUT", path).json(&body).send().await
    };
    let changed = put(&path(helper), "arbiter").await;
    assert_eq!(
        (changed.status, &changed.json()["right"]),
        (200, &json!("arbiter"))
    );
    let last = put(&path(director), "viewer").await;
    assert_eq!((last.status, last.problem().as_str()), (409, "last-director"));
    let nobody = put(
        &format!("{event}/people/00000000-0000-0000-0000-000000000077"),
        "arbiter",
    )
    .await;
    assert_eq!(
        (nobody.status, nobody.problem().as_str()),
        (404, "not-among-people")
    );

    let invite = json!({"right": "arbiter", "for": "hall B"});
    let made = server.post(&format!("{event}/invitations"), &invite).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let address = made.json()["address"].as_str().expect("an address").to_owned();
    let link = address.split_once("/invitation/").expect("a link").1.to_owned();
    let opened = async || {
        server
            .request("GET", &format!("///invitation/{link}"))
            .send()
            .await
            .status
    };
    assert_eq!(opened().await, 200);
    let list = people().await;
    let one = &list["invitations"][0];
    assert_eq!((&one["for"], &one["open"]), (&json!("hall B"), &json!(true)));
    assert!(!list.to_string().contains(&link), "the secret is shown once");
    let revoke = format!("{event}/invitations/{}", one["id"].as_str().expect("an id"));
    assert_eq!(server.as_director("DELETE", &revoke).send().await.status, 204);
    assert_ne!(opened().await, 200);
    assert_eq!(people().await["invitations"][0]["open"], false);

    assert_eq!(
        server.as_director("DELETE", &path(helper)).send().await.status,
        204
    );
    assert_eq!(people().await["people"].as_array().map(Vec::len), Some(1));
    let log = read(&server, &format!("{event}/log?action=right-changed")).await;
    assert_eq!(log["items"][0]["reason"], "helps in the hall");
}
