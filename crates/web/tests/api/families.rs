//! Groups of one tournament: events that belong together.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;
use store::Role;

use crate::support::{Answer, Server, new_token};

async fn page(server: &Server, token: Option<&str>, path: &str) -> Answer {
    let request = server.request("GET", &format!("//{path}"));
    match token {
        Some(token) => request.token(token).send().await,
        None => request.send().await,
    }
}

async fn text(server: &Server, path: &str) -> String {
    let answer = page(server, Some(&server.token), path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    String::from_utf8(answer.body).expect("text")
}

async fn form(server: &Server, path: &str, body: &str) -> Answer {
    server
        .request("POST", &format!("//{path}"))
        .token(&server.token)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
        .send()
        .await
}

/// An event of eight in two categories, split into groups that play in one hall.
async fn split(server: &Server) -> Value {
    let event = server.event("Cup", 3, 0).await;
    let people: Vec<Value> = (1..=9)
        .map(
            |n| json!({"name": format!("P{n}"), "number": n, "category": if n % 2 == 0 { "B" } else { "A" }}),
        )
        .collect();
    let added = server.post(&format!("{event}/entries"), &people.into()).await;
    assert_eq!(added.status, 201, "{}", added.text());
    let made = server.post("/events/cup/split", &json!({"one_hall": true})).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()
}

async fn boards(server: &Server, event: &str, round: u32) -> Vec<u64> {
    let round = server
        .get(&format!("/events/{event}/rounds/{round}"))
        .await
        .json();
    let boards = round["boards"].as_array().expect("boards");
    boards
        .iter()
        .filter_map(|board| board["board"].as_u64())
        .collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_field_is_split_and_each_group_plays_by_itself(pool: PgPool) {
    let server = Server::start(pool).await;
    let family = split(&server).await;
    assert_eq!(family["slug"], "cup");
    assert_eq!(family["field"], "cup");
    let told: Vec<_> = family["groups"]
        .as_array()
        .expect("groups")
        .iter()
        .map(|group| {
            (
                group["label"].clone(),
                group["slug"].clone(),
                group["entries"].clone(),
                group["first_board"].clone(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (json!("A"), json!("cup-a"), json!(5), json!(1)),
            (json!("B"), json!("cup-b"), json!(4), json!(4)),
        ]
    );
    let entries = server.get("/events/cup-b/entries").await.json();
    let first = &entries["items"][0];
    assert_eq!(
        (&first["number"], &first["name"], &first["category"]),
        (&json!(1), &json!("P2"), &json!(null))
    );
    // Twice is refused, and says where it belongs.
    let again = server.post("/events/cup/split", &json!({})).await;
    assert_eq!(again.problem(), "group-elsewhere");

    // All at once, and the public sees nothing of it before it is published.
    let paired = server.post("/families/cup/rounds", &json!({})).await;
    assert_eq!(paired.status, 201, "{}", paired.text());
    assert_eq!(paired.json()["rounds"].as_array().map(Vec::len), Some(2));
    assert_eq!(server.get("/events/cup-a/rounds/1").await.status, 404);
    let open = server.get("/families/cup").await.json();
    assert_eq!(open["groups"][0]["last_published"], json!(null));
    let published = server.post("/families/cup/publish", &json!({})).await;
    assert_eq!(published.status, 200, "{}", published.text());
    // One hall: no board number stands twice.
    assert_eq!(boards(&server, "cup-a", 1).await, [1, 2]);
    assert_eq!(boards(&server, "cup-b", 1).await, [4, 5]);
    // The draw is told and checked by the rules' own numbers.
    let draw = server.get("/events/cup-b/rounds/1/draw").await.json();
    assert_eq!(draw["table"]["boards"][0]["board"], 1);

    // One group waits for results: nothing is paired, and the refusal names it.
    server.results("/events/cup-a", 1, "bw").await;
    let refused = server.post("/families/cup/rounds", &json!({})).await;
    assert_eq!(refused.problem(), "in-groups");
    let told = refused.json();
    assert_eq!(told["errors"][0]["path"], "B");
    assert_eq!(told["errors"][0]["code"], "missing-results");
    assert!(
        told["errors"][0]["detail"].as_str().expect("words").contains('4'),
        "{told}"
    );
    assert_eq!(
        server
            .as_director("GET", "/events/cup-a/rounds/2")
            .send()
            .await
            .status,
        404
    );
    let put = server
        .as_director("PUT", "/events/cup-b/rounds/1/results")
        .json(&json!({"results": [{"board": 4, "result": "black"}, {"board": 5, "result": "white"}]}))
        .send()
        .await;
    assert_eq!(put.status, 200, "{}", put.text());

    // From the page, at a time.
    let done = form(&server, "/manage/f/cup/pair", "").await;
    assert_eq!(done.status, 303, "{}", done.text());
    let late = form(&server, "/manage/f/cup/publish", "at=2020-01-01T10:00").await;
    assert_eq!(late.status, 422);
    let at = server.state.clock.now() + TimeDelta::hours(1);
    let set = server.post("/families/cup/publish", &json!({"at": at})).await;
    assert_eq!(set.status, 200, "{}", set.text());
    assert_eq!(server.get("/events/cup-b/rounds/2").await.status, 404);
    let away = form(&server, "/manage/f/cup/throw-away", "").await;
    assert_eq!(away.status, 303, "{}", away.text());
    let nothing = server.post("/families/cup/publish", &json!({})).await;
    assert_eq!(nothing.problem(), "nothing-in-groups");

    // The log of a group tells what was done in it, as ever.
    let log = server.as_director("GET", "/events/cup-b/log").send().await.json();
    let acts: Vec<&str> = log["items"]
        .as_array()
        .expect("acts")
        .iter()
        .filter_map(|act| act["action"].as_str())
        .collect();
    assert!(
        acts.contains(&"round-thrown-away") && acts.contains(&"round-published"),
        "{acts:?}"
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_family_is_one_page_one_list_and_one_search(pool: PgPool) {
    let server = Server::start(pool).await;
    split(&server).await;
    server.post("/families/cup/rounds", &json!({})).await;
    server.post("/families/cup/publish", &json!({})).await;
    let home = page(&server, None, "/").await.text();
    assert!(home.contains("href=\"/f/cup\""), "{home}");
    assert!(!home.contains("/e/cup"), "the family stands there once: {home}");
    let shown = page(&server, None, "/f/cup").await.text();
    assert!(
        shown.contains("/e/cup-a/rounds/1") && shown.contains("/e/cup-b/rounds/1"),
        "{shown}"
    );
    let found = page(&server, None, "/f/cup/find?q=P4").await.text();
    assert!(found.contains(">B<") && !found.contains(">A<"), "{found}");
    let found = server.get("/families/cup/find?q=P4").await.json();
    assert_eq!(
        (&found["items"][0]["label"], &found["items"][0]["number"]),
        (&json!("B"), &json!(2))
    );
    assert!(
        found["items"][0]["board"]
            .as_u64()
            .is_some_and(|board| board >= 4)
    );
    // The screen turns through all groups and comes back to the first.
    let mut next = "/f/cup/screen?page=1".to_owned();
    let mut seen = String::new();
    for _ in 0..8 {
        let shown = page(&server, None, &next).await.text();
        seen.push_str(&shown);
        let after = shown
            .split("data-next=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        next = after
            .expect("a next page")
            .replace("&#38;", "&")
            .replace("&amp;", "&");
        if next.contains("page=1&") || next.ends_with("page=1") {
            break;
        }
    }
    assert!(next.ends_with("page=1"), "{next}");
    assert!(seen.contains("Cup · A") && seen.contains("Cup · B"));
    for sheet in ["pairing", "pairing-by-name", "results", "standings", "sign-in"] {
        let printed = text(&server, &format!("/manage/f/cup/print/{sheet}")).await;
        assert!(
            printed.contains("<bdi>A</bdi>") && printed.contains("<bdi>B</bdi>"),
            "{sheet}"
        );
    }
    // A hidden group is not there for the public, neither on the page nor in the search.
    server
        .patch("/events/cup-b", &json!({"visibility": "hidden"}))
        .await;
    for path in ["/f/cup", "/f/cup/find?q=P4", "/f/cup/screen"] {
        let shown = page(&server, None, path).await.text();
        assert!(
            !shown.contains("cup-b") && !shown.contains("P4<"),
            "{path}: {shown}"
        );
    }
    assert!(text(&server, "/manage/f/cup").await.contains("cup-b"));
    for group in ["cup-a", "cup"] {
        server
            .patch(&format!("/events/{group}"), &json!({"visibility": "hidden"}))
            .await;
    }
    assert_eq!(page(&server, None, "/f/cup").await.status, 404);
    assert_eq!(server.get("/families/cup").await.problem(), "unknown-family");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_right_in_a_family_counts_in_each_of_its_groups(pool: PgPool) {
    let server = Server::start(pool).await;
    split(&server).await;
    server.post("/families/cup/rounds", &json!({})).await;
    server.post("/families/cup/publish", &json!({})).await;
    let arbiter = new_token(&server.state, "helper", Role::Arbiter).await;
    let enter = async |event: &str, board: u32| {
        let path = format!("/events/{event}/rounds/1/boards/{board}/result");
        let request = server.request("PUT", &path).token(&arbiter);
        request.json(&json!({"result": "black"})).send().await.status
    };
    assert_eq!(enter("cup-a", 1).await, 403);
    let right = json!({"user": "helper", "right": "arbiter"});
    let give = |body: Value| {
        server
            .as_director("PUT", "/families/cup/people")
            .json(&body)
            .send()
    };
    assert_eq!(give(right).await.status, 200);
    assert_eq!(enter("cup-a", 1).await, 200);
    assert_eq!(enter("cup-b", 4).await, 200);
    // An arbiter of the family pairs nothing.
    let refused = server
        .request("POST", "/families/cup/rounds")
        .token(&arbiter)
        .json(&json!({}));
    assert_eq!(refused.send().await.problem(), "needs-director");
    let listed = page(&server, Some(&arbiter), "/manage").await.text();
    assert!(
        listed.contains("/manage/f/cup") || listed.contains("cup-a"),
        "{listed}"
    );
    // The page of people of each group says so, and the list has the groups under their family.
    let people = text(&server, "/manage/e/cup-a/people").await;
    let told = people
        .split_once("By the whole tournament")
        .map_or("", |(_, rest)| rest);
    assert!(
        told.contains("helper") && told.contains(r#"href="/manage/f/cup""#),
        "{people}"
    );
    let under = listed.split("/manage/f/cup").nth(1).unwrap_or_default();
    let groups = under
        .split("rows groups")
        .nth(1)
        .and_then(|rest| rest.split("</ul>").next());
    let groups = groups.unwrap_or_default();
    assert!(groups.contains("cup-a") && groups.contains("cup-b"), "{listed}");
    assert_eq!(listed.matches("cup-a/rounds").count(), 1, "{listed}");
    let lines = server.get("/events").await.json();
    let of = |slug: &str| {
        let items = lines["items"].as_array().expect("events").iter();
        items.clone().find(|line| line["slug"] == slug).expect("an event")["family"]["slug"].clone()
    };
    assert_eq!((of("cup-a"), of("cup-b")), (json!("cup"), json!("cup")));
    assert_eq!(give(json!({"user": "helper", "right": null})).await.status, 200);
    assert_eq!(enter("cup-b", 5).await, 403);
    assert_eq!(
        give(json!({"user": "nobody", "right": "viewer"})).await.problem(),
        "no-such-account"
    );
    assert_eq!(
        give(json!({"user": "director-1", "right": null})).await.problem(),
        "last-director"
    );
    let acts = text(&server, "/manage/f/cup").await;
    assert!(acts.contains("right given") && acts.contains("helper"), "{acts}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn nobody_takes_the_event_of_another_into_a_family(pool: PgPool) {
    let server = Server::start(pool).await;
    server.event("Mine", 3, 4).await;
    let other = new_token(&server.state, "other", Role::Director).await;
    let body = json!({"name": "Theirs", "groups": [{"event": "mine", "label": "A"}]});
    let made = server
        .request("POST", "/families")
        .token(&other)
        .json(&body)
        .send()
        .await;
    assert_eq!(made.problem(), "needs-director");
    for (groups, code) in [
        (json!([{"event": "mine", "label": " "}]), "bad-label"),
        (
            json!([{"event": "mine", "label": "A"}, {"event": "mine", "label": "A"}]),
            "label-twice",
        ),
        (
            json!([{"event": "mine", "label": "A", "first_board": 0}]),
            "bad-first-board",
        ),
        (json!([{"event": "nowhere", "label": "A"}]), "unknown-event"),
    ] {
        let refused = server
            .post("/families", &json!({"name": "F", "groups": groups}))
            .await;
        assert_eq!(refused.problem(), code);
    }
    // A split that cannot be done says what is missing.
    let refused = server.post("/events/mine/split", &json!({})).await;
    assert_eq!(refused.problem(), "without-category");
    assert!(
        text(&server, "/manage/e/mine/split")
            .await
            .contains("/manage/e/mine/draws")
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_split_is_taken_back_while_no_round_is_paired(pool: PgPool) {
    let server = Server::start(pool).await;
    split(&server).await;
    server.post("/families/cup/rounds", &json!({})).await;
    let refused = server
        .post("/families/cup/dissolve", &json!({"groups": true}))
        .await;
    assert_eq!(refused.problem(), "groups-paired");
    server.post("/families/cup/throw-away", &json!({})).await;
    let wrong = form(&server, "/manage/f/cup/dissolve", "what=remove&word=no").await;
    assert_eq!(wrong.status, 422);
    let done = form(&server, "/manage/f/cup/dissolve", "what=remove&word=cup").await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(server.get("/events/cup-a").await.problem(), "unknown-event");
    assert_eq!(server.get("/families/cup").await.problem(), "unknown-family");
    let field = server.get("/events/cup/entries").await.json();
    assert_eq!(field["total"], 9);
    // And the other way: the groups stay, the family goes.
    assert_eq!(server.post("/events/cup/split", &json!({})).await.status, 201);
    let done = server.post("/families/cup/dissolve", &json!({})).await;
    assert_eq!(done.status, 200, "{}", done.text());
    assert_eq!(server.get("/events/cup-a").await.status, 200);
}

#[sqlx::test(migrations = "../../migrations")]
async fn one_list_fills_all_groups_or_none(pool: PgPool) {
    let server = Server::start(pool).await;
    split(&server).await;
    let send = async |list: &str, keep: &str| {
        let part = |name: &str, value: &str| {
            format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let body = format!("{}{}--x--\r\n", part("text", list), part("keep", keep));
        server
            .request("POST", "///manage/f/cup/entries/import")
            .token(&server.token)
            .header("content-type", "multipart/form-data; boundary=x")
            .body(body)
            .send()
            .await
    };
    let wrong = send("name,category\nNew,A\nOther,C\n", "").await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("There is no group “C”"), "{}", wrong.text());
    let list = "name,category,team\nNew,A,East\nOther,b组,West\nP2,B,North\n";
    let looked = send(list, "").await;
    assert_eq!(looked.status, 200, "{}", looked.text());
    let looked = looked.text();
    let mark = looked
        .split("name=\"keep\" value=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let taken = send(list, mark.expect("a button")).await;
    assert_eq!(taken.status, 303, "{}", taken.text());
    let names = async |event: &str| {
        let entries = server.get(&format!("/events/{event}/entries")).await.json();
        let items = entries["items"].as_array().expect("entries").clone();
        items
            .iter()
            .map(|entry| format!("{} {}", entry["name"], entry["team"]))
            .collect::<Vec<_>>()
    };
    assert!(names("cup-a").await.contains(&"\"New\" \"East\"".to_owned()));
    let b = names("cup-b").await;
    assert!(
        b.contains(&"\"Other\" \"West\"".to_owned()) && b.contains(&"\"P2\" \"North\"".to_owned()),
        "{b:?}"
    );
}
