//! Before the first round: lists taken back, sign-up, check-in, those who are missing.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::{Answer, Request, Server};

async fn slug_of(server: &Server, event: &str) -> String {
    let event = server.get(event).await.json();
    event["slug"].as_str().expect("a slug").to_owned()
}

fn page(server: &Server, method: &str, path: &str) -> Request {
    server.request(method, &format!("//{path}"))
}

async fn post(server: &Server, path: &str, body: &str) -> Answer {
    page(server, "POST", path)
        .token(&server.token)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
        .send()
        .await
}

async fn sign_up(server: &Server, path: &str, body: &str) -> Answer {
    page(server, "POST", path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
        .send()
        .await
}

async fn read(server: &Server, path: &str) -> String {
    let answer = page(server, "GET", path).token(&server.token).send().await;
    String::from_utf8(answer.body).expect("text")
}

async fn entries(server: &Server, event: &str) -> Vec<Value> {
    let path = format!("{event}/entries");
    let all = server.as_director("GET", &path).send().await.json();
    all["items"].as_array().expect("entries").clone()
}

async fn take(server: &Server, event: &str, list: &str) -> Answer {
    server
        .as_director("POST", &format!("{event}/entries/import"))
        .header("content-type", "text/csv")
        .body(list)
        .send()
        .await
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_list_is_taken_back_as_a_whole_unless_something_changed_since(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 2).await;
    let slug = slug_of(&server, &event).await;
    let before = entries(&server, &event).await;
    let first = before[0]["name"].as_str().expect("a name").to_owned();
    let list = format!("name,team,grade\n{first},East,3d\nC,,\nD,,1k\n");
    assert_eq!(take(&server, &event, &list).await.json()["counts"]["changed"], 1);
    assert!(
        read(&server, &format!("/manage/e/{slug}/entries/import"))
            .await
            .contains("name=\"batch\" value=\"1\"")
    );

    let changed = server
        .patch(&format!("{event}/entries/4"), &json!({"team": "West"}))
        .await;
    assert_eq!(changed.status, 200);
    let path = format!("/manage/e/{slug}/entries/undo");
    let refused = post(&server, &path, "batch=1&back=import").await;
    assert_eq!(refused.status, 409);
    assert!(String::from_utf8_lossy(&refused.body).contains("Number 4 changed since"));
    assert_eq!(entries(&server, &event).await.len(), 4);

    server
        .patch(&format!("{event}/entries/4"), &json!({"team": null}))
        .await;
    assert_eq!(post(&server, &path, "batch=1&back=import").await.status, 303);
    assert_eq!(entries(&server, &event).await, before);
    assert_eq!(post(&server, &path, "batch=1&back=import").await.status, 404);
}

#[sqlx::test(migrations = "../../migrations")]
async fn players_sign_up_and_a_director_decides(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 1).await;
    let slug = slug_of(&server, &event).await;
    let path = format!("/e/{slug}/sign-up");
    let manage = format!("/manage/e/{slug}/sign-ups");
    // Closed as long as nobody opens it.
    assert_eq!(sign_up(&server, &path, "name=A&contact=1").await.status, 422);
    let set = post(
        &server,
        &format!("{manage}/settings"),
        "open=1&places=3&notice=Bring+a+clock",
    )
    .await;
    assert_eq!(set.status, 303);
    assert!(read(&server, &path).await.contains("Bring a clock"));

    for (body, told) in [
        ("name=&contact=1", "name is missing"),
        ("name=A&contact=", "reach you"),
        ("name=A&contact=1&grade=9d", "not a grade"),
        ("name=A&contact=1&website=x", "leave this empty"),
    ] {
        let refused = sign_up(&server, &path, body).await;
        assert_eq!(refused.status, 422, "{body}");
        assert!(String::from_utf8_lossy(&refused.body).contains(told), "{body}");
    }
    let mut links = Vec::new();
    for name in ["Ada", "Bo", "Cy"] {
        let taken = sign_up(
            &server,
            &path,
            &format!("name={name}&contact=secret-{name}&grade=3d"),
        )
        .await;
        assert_eq!(taken.status, 303, "{}", taken.text());
        links.push(taken.header("location").expect("a link").to_owned());
    }
    // The same form twice, after an answer that was lost, is one sign-up.
    let key = links[0].rsplit('/').next().expect("a key");
    let again = sign_up(&server, &path, &format!("name=Ada&contact=1&key={key}")).await;
    assert_eq!(again.header("location"), Some(links[0].as_str()));
    assert!(read(&server, &links[0]).await.contains("waits to be confirmed"));
    assert!(
        read(&server, &links[2])
            .await
            .contains("number 1 on the waiting list")
    );
    let public = server.get(&format!("{event}/entries")).await;
    assert_eq!(public.json()["total"], 1);
    let list = read(&server, &manage).await;
    assert!(
        list.contains("secret-Ada") && list.contains("value=\"1,2\""),
        "{list}"
    );
    // Nobody else reads a contact.
    let stranger = page(&server, "GET", &manage).send().await;
    assert!(!String::from_utf8_lossy(&stranger.body).contains("secret-Ada"));

    assert_eq!(
        post(&server, &format!("{manage}/confirm"), "sign_up=1,2")
            .await
            .status,
        303
    );
    assert!(read(&server, &links[1]).await.contains("entered with number 3"));
    let refused = post(&server, &format!("{manage}/confirm"), "sign_up=1").await;
    assert_eq!(refused.status, 422);
    assert_eq!(
        post(&server, &format!("{manage}/decide"), "sign_up=3&reason=full")
            .await
            .status,
        303
    );
    assert!(read(&server, &links[2]).await.contains("full"));
    assert_eq!(
        post(&server, &format!("{manage}/decide"), "sign_up=3&put_back=1")
            .await
            .status,
        303
    );
    assert_eq!(sign_up(&server, &links[2], "").await.status, 303);
    assert!(read(&server, &links[2]).await.contains("taken your sign-up back"));
    // Confirmed by mistake: both wait again.
    assert_eq!(
        post(
            &server,
            &format!("/manage/e/{slug}/entries/undo"),
            "batch=1&back=sign-ups"
        )
        .await
        .status,
        303
    );
    assert_eq!(entries(&server, &event).await.len(), 1);
    assert!(read(&server, &links[0]).await.contains("waits to be confirmed"));
    // What somebody wrote of himself or herself is in no log.
    let log = server.as_director("GET", &format!("{event}/log")).send().await;
    assert!(!log.text().contains("secret-Ada"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_sign_up_that_could_not_become_an_entry_is_not_taken(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 0).await;
    let slug = slug_of(&server, &event).await;
    let path = format!("/e/{slug}/sign-up");
    let settings = format!("/manage/e/{slug}/sign-ups/settings");
    post(&server, &settings, "open=1").await;
    for sent in [
        "name=A%07&contact=1",
        "name=A%E2%80%AEB&contact=1",
        "name=%E2%80%8B&contact=1",
        "name=A&team=B%1b%5B31m&contact=1",
        "name=A&contact=1%0A2",
        "name=A&contact=1&note=%00",
    ] {
        let refused = sign_up(&server, &path, sent).await;
        assert_eq!(refused.status, 422, "{sent}: {}", refused.text());
    }
    assert_eq!(
        sign_up(&server, &path, "name=A&contact=1&note=B%0AC")
            .await
            .status,
        303
    );
    // The page holds the secret of a link to come, and that of the link holds the contact.
    for path in [&path, &format!("{path}/nothing")] {
        let page = server.request("GET", &format!("//{path}")).send().await;
        assert_eq!(page.header("cache-control"), Some("no-store"), "{path}");
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn sign_up_ends_at_its_time_and_one_connection_cannot_flood_it(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 0).await;
    let slug = slug_of(&server, &event).await;
    let path = format!("/e/{slug}/sign-up");
    post(
        &server,
        &format!("/manage/e/{slug}/sign-ups/settings"),
        "open=1&closes_at=2026-05-03T12:00",
    )
    .await;
    let mut taken = 0;
    let last = loop {
        let answer = sign_up(&server, &path, &format!("name=P{taken}&contact=1")).await;
        if answer.status != 303 {
            break answer;
        }
        taken += 1;
    };
    assert_eq!((taken, last.status), (30, 422));
    assert!(String::from_utf8_lossy(&last.body).contains("Too many sign-ups"));
    server.pass(TimeDelta::hours(2));
    assert_eq!(sign_up(&server, &path, "name=Q&contact=1").await.status, 303);
    server.pass(TimeDelta::days(3));
    assert_eq!(sign_up(&server, &path, "name=R&contact=1").await.status, 422);
    assert!(read(&server, &path).await.contains("Sign-up is closed"));
}

// Who is missing before round 1 is left out, and put back.
#[sqlx::test(migrations = "../../migrations")]
async fn who_is_missing_is_left_out_and_put_back(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    let slug = slug_of(&server, &event).await;
    let path = format!("/manage/e/{slug}/check-in");
    let overview = format!("/manage/e/{slug}");
    assert!(
        read(&server, &overview)
            .await
            .contains("Nobody is checked in yet.")
    );
    for number in 1..=5 {
        assert_eq!(post(&server, &path, &format!("here={number}")).await.status, 303);
    }
    assert_eq!(post(&server, &path, "here=6&quiet=1").await.status, 204);
    let log = server.log_length(&event).await;
    assert_eq!(post(&server, &path, "here=6&quiet=1").await.status, 204);
    assert_eq!(server.log_length(&event).await, log);
    assert_eq!(post(&server, &path, "away=6&quiet=1").await.status, 204);
    let shown = read(&server, &format!("{path}?show=missing")).await;
    assert!(shown.contains("value=\"6,7,8\""), "{shown}");
    assert!(read(&server, &overview).await.contains("Not checked in (3): "));
    // Six came one after another: one line, each in its own when asked, and when it is about one of them.
    let told = format!("/manage/e/{slug}/log");
    let story = read(&server, &told).await;
    assert!(
        story.contains("is here: 6 players") && !story.contains("3 C: is here"),
        "{story}"
    );
    for query in ["?all=1", "?player=3", "?all=1&order=oldest", "?player=C"] {
        let each = read(&server, &format!("{told}{query}")).await;
        assert!(
            each.contains("3 C: is here") && !each.contains("6 players"),
            "{query}: {each}"
        );
    }
    for (query, wrong) in [
        ("?player=Nobody", "Nobody"),
        ("?round=one", "write a whole number"),
    ] {
        let refused = read(&server, &format!("{told}{query}")).await;
        assert!(
            refused.contains(wrong) && !refused.contains("is here: 6 players"),
            "{query}: {refused}"
        );
    }
    // Number 6 comes while the director looks at the list.
    post(&server, &path, "here=6").await;
    let left = post(&server, &format!("{path}/missing"), "kind=sit_out&missing=6,7,8").await;
    assert_eq!(left.status, 303);
    let absent = |entries: &[Value]| -> Vec<u64> {
        let absent = entries
            .iter()
            .filter(|entry| entry["absent_rounds"] == json!([1]));
        absent.filter_map(|entry| entry["number"].as_u64()).collect()
    };
    assert_eq!(absent(&entries(&server, &event).await), [7, 8]);
    let undo = format!("/manage/e/{slug}/entries/undo");
    assert_eq!(post(&server, &undo, "batch=1&back=check-in").await.status, 303);
    assert_eq!(absent(&entries(&server, &event).await), Vec::<u64>::new());

    assert_eq!(
        post(&server, &format!("{path}/missing"), "kind=withdrawal&missing=7,8")
            .await
            .status,
        303
    );
    assert_eq!(entries(&server, &event).await[7]["withdrawn_after"], 0);
    let round = server.round(&event).await;
    assert_eq!(round["boards"].as_array().map(Vec::len), Some(3));
    // Once there is a table, each is put right on its own page.
    let refused = post(&server, &undo, "batch=2&back=check-in").await;
    assert_eq!(refused.status, 409);
    assert!(String::from_utf8_lossy(&refused.body).contains("Round 1 is paired"));
    let nobody = page(&server, "POST", &path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body("here=7")
        .send()
        .await;
    assert_eq!(nobody.status, 401);
}
