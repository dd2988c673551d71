//! The projector's screen, the poster, and "where do I play?", over plain HTTP.

use std::fmt::Write as _;

use chrono::TimeDelta;
use serde_json::json;
use sqlx::PgPool;

use crate::support::{Answer, Server};

fn html(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).expect("text")
}

async fn shown(server: &Server, path: &str) -> String {
    let answer = server.get(&format!("//{path}")).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    html(&answer)
}

async fn slug_of(server: &Server, event: &str) -> String {
    server.get(event).await.json()["slug"]
        .as_str()
        .expect("a slug")
        .to_owned()
}

fn boards(page: &str) -> Vec<u32> {
    page.split("class=\"screen-no\"><span class=\"unseen\">Board </span>")
        .skip(1)
        .map(|rest| {
            rest.split('<')
                .next()
                .expect("a number")
                .parse()
                .expect("a board")
        })
        .collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_screen_shows_every_board_and_every_name_and_leads_on_without_scripts(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 61).await;
    let screen = format!("/e/{}/screen", slug_of(&server, &event).await);
    let waiting = shown(&server, &screen).await;
    assert!(waiting.contains("The pairing of the first round will be shown here."));
    server.round(&event).await;

    let mut path = screen.clone();
    let (mut by_board, mut by_name, mut byes) = (Vec::new(), Vec::new(), 0);
    for page in 1..=4 {
        let told = shown(&server, &path).await;
        assert!(told.len() < 100_000, "page {page}: {} bytes", told.len());
        assert!(told.contains(&format!(">{page} / 4<")), "page {page} of {path}");
        assert!(
            told.contains("<svg class=\"code\""),
            "the code leads to the own board"
        );
        assert!(told.contains("Version 1"), "an edition on every page of a table");
        if told.contains("Round 1 by name") {
            by_name.extend(boards(&told));
        } else {
            by_board.extend(boards(&told));
        }
        byes += told.matches("bye").count();
        let next = told
            .split("content=\"12;url=")
            .nth(1)
            .expect("a turn without scripts");
        path = next.split('"').next().expect("an address").replace("&#38;", "&");
    }
    assert_eq!(
        path,
        format!("{screen}?page=1"),
        "after the last page the first comes again"
    );
    assert_eq!(by_board, (1..=30).collect::<Vec<_>>());
    by_name.sort_unstable();
    assert_eq!(
        by_name,
        (1..=30).flat_map(|board| [board, board]).collect::<Vec<_>>()
    );
    assert_eq!(byes, 2, "the bye is told by board and by name");

    // A page that there is not any more is not missing, and what is asked for wrongly is the screen.
    assert!(
        shown(&server, &format!("{screen}?page=9"))
            .await
            .contains(">1 / 4<")
    );
    assert!(
        shown(&server, &format!("{screen}?show=%3Cb%3E&page=0"))
            .await
            .contains(">1 / 4<")
    );
    let unknown = server.get("///e/nothing/screen").await;
    assert_eq!(unknown.status, 404);

    server.results(&event, 1, &"b".repeat(30)).await;
    let standings = shown(&server, &screen).await;
    assert!(
        standings.contains("Standings after round 1"),
        "a complete round shows the standings"
    );
    assert!(
        shown(&server, &format!("{screen}?show=board"))
            .await
            .contains("Pairing of round 1")
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_screen_says_when_a_round_will_come_and_nothing_of_its_table(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    server.round(&event).await;
    server.results(&event, 1, "bbbb").await;
    let slug = slug_of(&server, &event).await;
    let screen = format!("//e/{slug}/screen?show=board");
    let before = server.get(&format!("/{screen}")).await;
    let made = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(made.status, 201);
    let draft = server.get(&format!("/{screen}")).await;
    assert_eq!(html(&draft), html(&before), "a draft is not there");
    assert_eq!(draft.header("etag"), before.header("etag"));

    let at = json!({"at": "2026-05-01T01:10:00Z"});
    let set = server.post(&format!("{event}/rounds/2/publish"), &at).await;
    assert_eq!(set.status, 200, "{}", set.text());
    let announced = html(&server.get(&format!("/{screen}")).await);
    assert!(announced.contains("Round 2 is published at"), "{announced}");
    assert!(announced.contains("datetime=\"2026-05-01T01:10:00Z\""));
    let table = |page: &str| page.split("<main").nth(1).map(str::to_owned);
    assert_eq!(
        table(&announced),
        table(&html(&before)),
        "the time and nothing else"
    );
    for path in ["", "/find?q=a", "/players/1", "/standings", "/rounds/1"] {
        let page = html(&server.get(&format!("///e/{slug}{path}")).await);
        assert!(!page.contains("Round 2 is"), "{path}");
    }

    server.pass(TimeDelta::minutes(11));
    let now = server.state.clock.now();
    store::rounds::publish_due(&server.store, now, web::state::chance)
        .await
        .expect("published");
    let published = html(&server.get(&format!("/{screen}")).await);
    assert!(published.contains("Pairing of round 2") && !published.contains("data-until"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_table_that_is_replaced_is_another_edition_on_the_screen_at_once(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    server.round(&event).await;
    let path = format!("///e/{}/screen", slug_of(&server, &event).await);
    let first = server.get(&path).await;
    let tag = first.header("etag").expect("a tag").to_owned();
    let same = server
        .request("GET", &path)
        .header("if-none-match", &tag)
        .send()
        .await;
    assert_eq!(same.status, 304);
    let swapped = server
        .as_director("PATCH", &format!("{event}/rounds/1"))
        .header("if-match", "*")
        .json(&json!({"swap": [1, 2]}))
        .send()
        .await;
    assert_eq!(swapped.status, 200, "{}", swapped.text());
    let second = server
        .request("GET", &path)
        .header("if-none-match", &tag)
        .send()
        .await;
    assert_eq!(second.status, 200);
    assert!(html(&first).contains("Version 1") && html(&second).contains("Version 2"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_phone_finds_its_board_or_its_bye_by_two_characters(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 0).await;
    let names = ["赵青山", "钱晓舟", "孙望岳", "李清泉", "曾小满"].map(|name| json!({"name": name}));
    server.post(&format!("{event}/entries"), &json!(names)).await;
    let round = server.round(&event).await;
    let slug = slug_of(&server, &event).await;
    let bye = round["byes"][0]
        .as_u64()
        .unwrap_or_else(|| round["byes"][0]["number"].as_u64().expect("a bye"));
    for (query, number, name) in [
        ("青山", 1, "赵青山"),
        ("qx", 2, "钱晓舟"),
        ("sunwang", 3, "孙望岳"),
        ("4", 4, "李清泉"),
        ("ze", 5, "曾小满"),
    ] {
        let page = shown(&server, &format!("/e/{slug}/find?q={}", encoded(query))).await;
        let answers = page.split("id=\"answers\"").nth(1).expect("answers");
        assert!(answers.contains(name), "{query}");
        assert_eq!(answers.matches("<li").count(), 1, "{query}");
        let own = shown(&server, &format!("/e/{slug}/players/{number}")).await;
        for page in [answers, own.as_str()] {
            if u64::try_from(number) == Ok(bye) {
                assert!(page.contains("bye, 2 points"), "{query}: {page}");
            } else {
                assert!(
                    page.contains("Board ") && page.contains(">vs "),
                    "{query}: {page}"
                );
            }
        }
        assert!(page.contains("Round 1 · Version 1"), "which table this is");
    }
    let poster = shown(&server, &format!("/e/{slug}/find/poster")).await;
    assert!(
        poster.contains(&format!("http://{}/e/{slug}/find", server.address)),
        "{poster}"
    );
    assert!(poster.contains("<svg class=\"code\""));
}

fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        let _ = write!(encoded, "%{byte:02X}");
    }
    encoded
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_start_is_a_time_in_the_hall_with_its_zone(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let starts = |local: &str| json!({"round_starts": [{"round": 1, "local": local}]});
    let nowhere = server.patch(&event, &json!({"time_zone": "Mars/Olympus"})).await;
    assert_eq!(nowhere.status, 422, "{}", nowhere.text());
    assert!(nowhere.text().contains("America/New_York"), "{}", nowhere.text());
    let zone = server
        .patch(&event, &json!({"time_zone": "America/New_York"}))
        .await;
    assert_eq!(zone.status, 200, "{}", zone.text());
    for (local, at) in [
        ("2026-11-01T13:30", "2026-11-01T13:30:00-05:00"),
        ("2026-10-31T13:30", "2026-10-31T13:30:00-04:00"),
    ] {
        let set = server.patch(&event, &starts(local)).await;
        assert_eq!(set.status, 200, "{}", set.text());
        assert_eq!(
            set.json()["round_starts"],
            json!([{"round": 1, "local": local, "at": at}])
        );
    }
    for wrong in ["2026-11-01 13:30", "2026-11-01T13:30Z", "tomorrow"] {
        assert_eq!(server.patch(&event, &starts(wrong)).await.status, 422, "{wrong}");
    }
    let skipped = server.patch(&event, &starts("2026-03-08T02:30")).await;
    assert_eq!(
        (skipped.status, skipped.problem().as_str()),
        (422, "skipped-time")
    );
    assert!(
        skipped.text().contains("America/New_York skips 2026-03-08 02:30"),
        "{}",
        skipped.text()
    );
    server.patch(&event, &starts("2026-11-01T13:30")).await;

    let slug = slug_of(&server, &event).await;
    let page = shown(&server, &format!("/e/{slug}")).await;
    assert!(
        page.contains("America/New_York") && page.contains("1 Nov, 13:30 UTC-5"),
        "{page}"
    );
    let screen = shown(&server, &format!("/e/{slug}/screen")).await;
    assert!(screen.contains("Round 1 begins at 1 Nov, 13:30 UTC-5"));
    assert!(screen.contains("datetime=\"2026-11-01T18:30:00Z\""));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_page_sets_the_time_of_a_publication_in_the_zone_of_the_event(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    server
        .patch(&event, &json!({"time_zone": "America/New_York"}))
        .await;
    let made = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(made.status, 201);
    let path = format!("/manage/e/{}/rounds/1", slug_of(&server, &event).await);
    let send = |body: &'static str| {
        server
            .as_director("POST", &format!("//{path}/publish-at"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
    };
    // It is 21:00 on the day before in New York.
    for (typed, said) in [
        ("at=2026-04-30T20%3A59", "is past: it is 30 Apr, 21:00 UTC-4 now"),
        ("at=soon", "is not a time"),
        ("at=", "is not a time"),
        ("at=2027-03-14T02%3A30", "skips 2027-03-14 02:30"),
    ] {
        let refused = send(typed).await;
        assert_eq!(refused.status, 422, "{typed}");
        assert!(html(&refused).contains(said), "{typed}: {}", refused.text());
    }
    let set = send("at=2026-04-30T21%3A10").await;
    assert_eq!(set.status, 303, "{}", set.text());
    let draft = html(&server.as_director("GET", &format!("//{path}")).send().await);
    assert!(
        draft.contains("publishes itself at 30 Apr, 21:10 UTC-4"),
        "{draft}"
    );
    assert!(draft.contains("value=\"2026-04-30T21:10\""));
    assert_eq!(send("never=1").await.status, 303);
    let draft = html(&server.as_director("GET", &format!("//{path}")).send().await);
    assert!(!draft.contains("publishes itself"));
    send("at=2026-04-30T21%3A10").await;
    server.pass(TimeDelta::minutes(10));
    let now = server.state.clock.now();
    store::rounds::publish_due(&server.store, now, web::state::chance)
        .await
        .expect("published");
    let round = server.get(&format!("{event}/rounds/1")).await.json();
    assert_eq!(round["published_at"], "2026-05-01T01:10:00Z");
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_old_table_stays_readable_with_the_reason_and_says_that_it_counts_no_more(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    server
        .round_of(&event, &[(1, 2), (3, 4), (5, 6), (7, 8)], &[])
        .await;
    let path = format!("/e/{}/rounds/1", slug_of(&server, &event).await);
    for (swap, reason) in [([1, 3], "card misread"), ([5, 8], "second thought")] {
        let changed = server
            .as_director("PATCH", &format!("{event}/rounds/1"))
            .header("if-match", "*")
            .json(&json!({"swap": swap, "reason": reason}))
            .send()
            .await;
        assert_eq!(changed.status, 200, "{}", changed.text());
    }
    let seated = |page: &str| -> Vec<String> {
        let rows = page.split("id=\"board-").skip(1);
        rows.map(|row| {
            let numbers = row.split("players/").skip(1).take(2);
            numbers
                .map(|rest| rest.split('"').next().expect("a number"))
                .collect::<Vec<_>>()
                .join("-")
        })
        .collect()
    };
    let now = shown(&server, &path).await;
    assert_eq!(seated(&now), ["3-2", "1-4", "8-6", "7-5"]);
    assert!(
        now.contains("Version 2 was replaced") && now.contains("Reason: second thought."),
        "{now}"
    );
    let second = shown(&server, &format!("{path}?edition=2")).await;
    assert_eq!(seated(&second), ["3-2", "1-4", "5-6", "7-8"]);
    let first = shown(&server, &format!("{path}?edition=1")).await;
    assert_eq!(seated(&first), ["1-2", "3-4", "5-6", "7-8"]);
    assert!(first.contains("Version 1 was replaced") && first.contains("Reason: card misread."));
    assert!(first.contains("Version 3, which counts"));
    assert_eq!(server.get(&format!("//{path}?edition=4")).await.status, 404);
}
