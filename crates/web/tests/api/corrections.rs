//! What is corrected on the day, and what can be no more: shown before it is kept, refused in words.

use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::{Answer, Request, Server};

fn page(server: &Server, method: &str, path: &str) -> Request {
    server.request(method, &format!("//{path}")).token(&server.token)
}

fn form(request: Request, body: &str) -> Request {
    request
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
}

fn html(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).expect("text")
}

async fn slug_of(server: &Server, event: &str) -> String {
    let told = server.as_director("GET", event).send().await.json();
    told["slug"].as_str().expect("a slug").to_owned()
}

async fn result_of(server: &Server, event: &str, round: u32, board: u32) -> Value {
    let board = format!("{event}/rounds/{round}/boards/{board}/result");
    server.as_director("GET", &board).send().await.json()
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_a_correction_of_an_earlier_round_changes_is_seen_before_it_is_kept(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let slug = slug_of(&server, &event).await;
    server.round_of(&event, &[(1, 2), (3, 4)], &[]).await;
    server.results(&event, 1, "bb").await;
    let results = |round: u32, body: &str| {
        let path = format!("/manage/e/{slug}/rounds/{round}/results");
        form(page(&server, "POST", &path), body).send()
    };
    let board = format!("{event}/rounds/1/boards/1/result");
    let look = |query: &'static str, result: &'static str, version: Value| {
        let request = server.as_director("PUT", &format!("{board}{query}"));
        request
            .if_match(&version)
            .json(&json!({ "result": result }))
            .send()
    };
    // In the last round a correction is saved at once.
    let version = result_of(&server, &event, 1, 1).await["version"].clone();
    let saved = results(1, &format!("v1={version}&w1=black&o1=both_lose")).await;
    assert_eq!(saved.status, 303, "{}", html(&saved));
    let version = result_of(&server, &event, 1, 1).await["version"].clone();
    let saved = results(1, &format!("v1={version}&w1=both_lose&r1=black")).await;
    assert_eq!(saved.status, 303, "{}", html(&saved));
    server.round_of(&event, &[(1, 3), (2, 4)], &[]).await;

    // Later it is shown first, by the form and to programs, and nothing is kept.
    let seen = result_of(&server, &event, 1, 1).await;
    let length = server.log_length(&event).await;
    let correction = format!("v1={}&w1=black&r1=white&reason=misread", seen["version"]);
    let shown = html(&results(1, &correction).await);
    assert!(
        shown.contains("board 1 White wins") && shown.contains(r#"id="preview""#),
        "{shown}"
    );
    assert!(shown.contains(r#"name="reason" value="misread""#), "{shown}");
    let told = look("?dry_run=true", "white", seen["version"].clone()).await;
    assert_eq!(told.status, 200, "{}", told.text());
    let moved = &told.json()["standings"]["moved"];
    assert!(
        moved.as_array().is_some_and(|moved| moved.len() >= 2),
        "{}",
        told.text()
    );
    let same = look("?dry_run=true", "black", seen["version"].clone())
        .await
        .json();
    assert_eq!(same["standings"]["moved"], json!([]));
    assert_eq!(result_of(&server, &event, 1, 1).await, seen);
    assert_eq!(server.log_length(&event).await, length);

    let kept = results(1, &format!("{correction}&keep=1")).await;
    assert_eq!(kept.status, 303, "{}", html(&kept));
    assert_eq!(result_of(&server, &event, 1, 1).await["result"], "white");
    // A first result changes nothing that was known, and asks nothing.
    let version = result_of(&server, &event, 2, 1).await["version"].clone();
    assert_eq!(
        results(2, &format!("v1={version}&w1=&r1=white")).await.status,
        303
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_an_old_result_leaves_in_the_form_does_not_stand_in_the_way_of_a_correction(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let slug = slug_of(&server, &event).await;
    server.round(&event).await;
    let path = format!("/manage/e/{slug}/rounds/1/boards/1");
    let send = |body: String| form(page(&server, "POST", &path), &body).send();
    for (by, margin, result) in [
        ("count", "3.75", "draw"),
        ("count", "3.75", "black_forfeit"),
        ("resignation", "", "both_forfeit"),
        ("count", "0.25", "both_lose"),
        ("count", "0.25", ""),
    ] {
        let seen = result_of(&server, &event, 1, 1).await["version"].clone();
        let saved = send(format!("version={seen}&result=black&by={by}&margin={margin}")).await;
        assert_eq!(saved.status, 303, "{}", html(&saved));
        let seen = result_of(&server, &event, 1, 1).await["version"].clone();
        let saved = send(format!("version={seen}&result={result}&by={by}&margin={margin}")).await;
        assert_eq!(saved.status, 303, "{result}: {}", html(&saved));
        let now = result_of(&server, &event, 1, 1).await;
        assert_eq!(now["result"].as_str().unwrap_or_default(), result);
        assert_eq!(now["margin"], Value::Null, "{result}");
    }
    // What is typed anew is not dropped, and is refused by the names that stand beside the form.
    let seen = result_of(&server, &event, 1, 1).await["version"].clone();
    for (language, name, json) in [("en", "“margin”", "\"margin\""), ("zh-CN", "“胜差”", "margin")]
    {
        let request = page(&server, "POST", &path).without("accept-language");
        let request = request.header("accept-language", language);
        let refused = form(request, &format!("version={seen}&result=draw&margin=1.5"));
        let told = html(&refused.send().await);
        let told = told.split(r#"class="problem""#).nth(1).expect("a problem");
        let told = told.split("</div>").next().unwrap_or_default();
        assert!(told.contains(name) && !told.contains(json), "{told}");
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_final_event_says_so_on_every_page_and_shows_no_form_that_could_only_be_refused(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 4).await;
    let slug = slug_of(&server, &event).await;
    let zone = json!({"time_zone": "Asia/Shanghai"});
    let set = server
        .as_director("PATCH", &event)
        .header("if-match", "*")
        .json(&zone);
    assert_eq!(set.send().await.status, 200);
    for round in 1..=2 {
        server.round(&event).await;
        server.results(&event, round, "bw").await;
    }
    let pages = [
        "",
        "/entries",
        "/entries/1",
        "/entries/import",
        "/check-in",
        "/sign-ups",
        "/draws",
        "/rounds",
        "/rounds/2",
        "/rounds/by-hand",
        "/rounds/2/results",
        "/rounds/2/boards/1",
        "/result-links",
        "/settings",
        "/promotion",
        "/prizes",
        "/split",
        "/log",
    ];
    let forms = |page: &str| -> Vec<String> {
        let main = page.split("<main").nth(1).unwrap_or_default();
        let main = main.split("</main>").next().unwrap_or_default();
        // A list of which the buttons are gone stays a list.
        let forms = main
            .split("<form")
            .skip(1)
            .map(|form| form.split("</form>").next().unwrap_or_default());
        forms
            .filter(|form| form.contains(r#"method="post""#) && form.contains("<button"))
            .map(|form| form.split('>').next().unwrap_or_default().to_owned())
            .collect()
    };
    let mut open = 0;
    for path in pages {
        let shown = page(&server, "GET", &format!("/manage/e/{slug}{path}"))
            .send()
            .await;
        open += forms(&html(&shown)).len();
    }
    assert!(open > 20, "{open}");
    let frozen = server.as_director("PUT", &format!("{event}/final")).send().await;
    assert_eq!(frozen.status, 200, "{}", frozen.text());
    for path in pages {
        let shown = page(&server, "GET", &format!("/manage/e/{slug}{path}"))
            .send()
            .await;
        let shown = html(&shown);
        // By the clock of the event, with the way to open it.
        let says = "declared final by director-1 on 1 May, 09:00 UTC+8";
        assert!(
            shown.contains(says) && shown.contains("/finish\">After</a>"),
            "{path}: {shown}"
        );
        let mut left = forms(&shown);
        // Opening it again is an undo of the log too.
        left.retain(|form| path != "/log" || !form.contains("/log/undo"));
        assert_eq!(left, Vec::<String>::new(), "{path}");
    }
    let refused = form(
        page(&server, "POST", &format!("/manage/e/{slug}/entries")),
        "name=Late",
    );
    let refused = html(&refused.send().await);
    assert!(
        refused.contains("on 1 May, 09:00 UTC+8 and cannot be changed"),
        "{refused}"
    );
    let programs = server
        .post(&format!("{event}/entries"), &json!({"name": "Late"}))
        .await;
    assert!(
        programs.text().contains("on 1 May, 09:00 UTC+8"),
        "{}",
        programs.text()
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_round_beyond_the_event_is_refused_with_the_rounds_that_can_be(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 6, 4).await;
    let slug = slug_of(&server, &event).await;
    let says = "This event has 6 rounds, and round 99 is none of them.";
    let patch = |body: Value| {
        let request = server.as_director("PATCH", &format!("{event}/entries/1"));
        request.header("if-match", "*").json(&body).send()
    };
    for body in [
        json!({"withdrawn_after": 99}),
        json!({"absent_rounds": [2, 99]}),
        json!({"bye_rounds": [99]}),
    ] {
        let refused = patch(body.clone()).await;
        assert_eq!(refused.status, 422, "{body}: {}", refused.text());
        assert!(refused.text().contains(says), "{}", refused.text());
        assert_eq!(refused.json()["planned"], 6);
    }
    for body in [
        json!({"name": "A", "absent_rounds": [99]}),
        json!({"name": "A", "bye_rounds": [99]}),
    ] {
        let refused = server.post(&format!("{event}/entries"), &body).await;
        assert!(refused.text().contains(says), "{}", refused.text());
    }
    let act = |path: &'static str, body: &'static str| {
        form(
            page(&server, "POST", &format!("/manage/e/{slug}/entries/1/{path}")),
            body,
        )
        .send()
    };
    let refused = html(&act("withdraw", "after=99").await);
    assert!(
        refused.contains(says) && refused.contains("from 0 to 6"),
        "{refused}"
    );
    assert_eq!(act("withdraw", "after=3").await.status, 303);
    let refused = html(&act("return", "round=99").await);
    assert!(
        refused.contains(says) && refused.contains("from 4 to 6"),
        "{refused}"
    );
    assert_eq!(act("return", "round=4").await.status, 303);
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_adjourned_game_does_not_hold_up_the_next_round_where_the_director_says_so(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let slug = slug_of(&server, &event).await;
    server.round_of(&event, &[(1, 2), (3, 4)], &[]).await;
    server.results(&event, 1, "b").await;
    let board = format!("/manage/e/{slug}/rounds/1/boards/2");
    let seen = result_of(&server, &event, 1, 2).await["version"].clone();
    let adjourned = form(
        page(&server, "POST", &board),
        &format!("version={seen}&ruling=adjourned&remark=22.30"),
    );
    assert_eq!(adjourned.send().await.status, 303);
    let shown = async |path: &str| {
        html(
            &page(&server, "GET", &format!("/manage/e/{slug}{path}"))
                .send()
                .await,
        )
    };
    // The overview counts what is in, leads to the missing result, and to pairing all the same.
    let overview = shown("").await;
    assert!(
        overview.contains("Round 1: 1 of 2 results are in ("),
        "{overview}"
    );
    assert!(overview.contains("Pair round 2 all the same"), "{overview}");
    let rounds = shown("/rounds").await;
    assert!(
        rounds.contains("Without a result: round 1 board 2. Round 2 can be paired"),
        "{rounds}"
    );
    let rounds = format!("/manage/e/{slug}/rounds");
    let asks = html(&form(page(&server, "POST", &rounds), "round=2").send().await);
    assert!(asks.contains(r#"name="provisional""#), "{asks}");
    let paired = form(page(&server, "POST", &rounds), "round=2&provisional=1")
        .send()
        .await;
    assert_eq!(paired.status, 303, "{}", html(&paired));
    server.publish(&event, 2).await;
    // For the pairing it was a draw, for the standings it is nothing before it is over.
    let scores = |scores: Vec<(u64, i64, String)>| -> Vec<(u64, i64)> {
        scores
            .into_iter()
            .map(|(number, score, _)| (number, score))
            .collect()
    };
    let before = scores(server.scores(&event, 1).await);
    assert_eq!(
        before.iter().map(|(_, score)| score).sum::<i64>(),
        2,
        "{before:?}"
    );
    let ended = server.as_director("PUT", &format!("{event}/rounds/1/boards/2/result"));
    let ended = ended.json(&json!({"result": "white"})).send().await;
    assert_eq!(ended.json()["later_rounds"], json!([2]), "{}", ended.text());
    assert!(scores(server.scores(&event, 1).await).contains(&(4, 2)));
}

#[sqlx::test(migrations = "../../migrations")]
async fn those_who_come_together_are_checked_in_with_one_press_and_sent_back_with_one(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 0).await;
    let slug = slug_of(&server, &event).await;
    let entries: Vec<Value> = (1..=9)
        .map(|number| json!({"name": format!("Player {number}"), "team": if number <= 4 { "East" } else { "West" }}))
        .collect();
    assert_eq!(
        server
            .post(&format!("{event}/entries"), &json!(entries))
            .await
            .status,
        201
    );
    let path = format!("/manage/e/{slug}/check-in");
    let act = async |body: &str| form(page(&server, "POST", &path), body).send().await.status;
    let here = async || {
        let list = server
            .as_director("GET", &format!("{event}/check-in"))
            .send()
            .await
            .json();
        list["here"].as_array().expect("who is here").len()
    };
    let shown = html(&page(&server, "GET", &path).send().await);
    assert!(shown.contains("The other 9 are here"), "{shown}");
    assert!(
        shown.contains(r#"<option value="1,2,3,4">East (4)</option>"#),
        "{shown}"
    );
    assert_eq!(act("here=2").await, 303);
    server.pass(chrono::TimeDelta::minutes(1));
    // The whole team: who is here already stays as that said; an unknown number is nobody.
    assert_eq!(act("together=1,2,3,4,77").await, 303);
    assert_eq!(here().await, 4);
    server.pass(chrono::TimeDelta::minutes(1));
    assert_eq!(act("together=5,6,7,8,9").await, 303);
    assert_eq!(here().await, 9);
    let together = async || {
        let shown = html(&page(&server, "GET", &path).send().await);
        let told = shown
            .split("Checked in together by director-1")
            .nth(1)
            .expect("a batch");
        let batch = told.split(r#"name="apart" value=""#).nth(1).expect("a button");
        let batch = batch.split('"').next().unwrap_or_default().to_owned();
        (told.contains(": 5 players."), batch)
    };
    let (five, batch) = together().await;
    assert!(five);
    // Two of them go and come back by hand: that is another tick than the common one.
    for number in [8, 9] {
        assert_eq!(act(&format!("away={number}")).await, 303);
        assert_eq!(act(&format!("here={number}")).await, 303);
    }
    assert_eq!(act("apart=99").await, 404);
    assert_eq!(act(&format!("apart={batch}")).await, 303);
    assert_eq!(here().await, 6);
    assert_eq!(act(&format!("apart={batch}")).await, 404);
    let (_, batch) = together().await;
    assert_eq!(act(&format!("apart={batch}")).await, 303);
    assert_eq!(here().await, 3);
}
