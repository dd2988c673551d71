//! After the event, over HTTP: sheets, promotion, prizes, final, archive.

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

fn rows(sheet: &Value) -> &Vec<Value> {
    sheet["sections"][0]["rows"].as_array().expect("rows")
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_sheet_opens_in_a_spreadsheet_and_no_name_is_a_formula(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 0).await;
    let names = [
        "李测试",
        "Étienne",
        "=1+2",
        "+SUM(A1)",
        "-cmd",
        "@x",
        "O'Neil-Łuczak",
        "\"Ann & Bob\" <x>",
        "李🐼",
        "a, \"b\"",
    ];
    let entries: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "grade": "2d"}))
        .collect();
    let added = server.post(&format!("{event}/entries"), &entries.into()).await;
    assert_eq!(added.status, 201, "{}", added.text());
    let csv = server.get(&format!("{event}/sheets/sign-in.csv")).await;
    assert_eq!(csv.status, 200, "{}", csv.text());
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(
        csv.header("content-disposition")
            .is_some_and(|told| told.starts_with("attachment; filename=\"open-sign-in.csv\""))
    );
    let text = html(&csv);
    let lines: Vec<&str> = text
        .strip_prefix('\u{feff}')
        .expect("a mark")
        .split("\r\n")
        .collect();
    for (line, cell) in lines[1..].iter().zip([
        "李测试",
        "Étienne",
        "'=1+2",
        "'+SUM(A1)",
        "'-cmd",
        "'@x",
        "O'Neil-Łuczak",
        "\"\"\"Ann & Bob\"\" <x>\"",
        "李🐼",
        "\"a, \"\"b\"\"\"",
    ]) {
        let (_, rest) = line.split_once(',').expect("a number");
        assert!(rest.starts_with(&format!("{cell},")), "{line}");
    }
    let asked = server
        .request("GET", &format!("{event}/sheets/sign-in"))
        .header("accept", "text/csv");
    assert_eq!(asked.send().await.body, csv.body);
    // As JSON the names are as they are.
    let told = server.get(&format!("{event}/sheets/sign-in")).await.json();
    let given: Vec<&str> = rows(&told)
        .iter()
        .map(|row| row[1].as_str().expect("a name"))
        .collect();
    assert_eq!(given, names);
    let media = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    for book in [
        server.get(&format!("{event}/sheets/sign-in.xlsx")).await,
        server
            .request("GET", &format!("{event}/sheets/sign-in"))
            .header("accept", media)
            .send()
            .await,
    ] {
        assert_eq!(book.status, 200);
        assert_eq!(book.header("content-type"), Some(media));
        assert!(book.body.starts_with(b"PK"));
    }
    for nothing in ["nothing", "sign-in.pdf", "sign-in.css", "pairing", "results"] {
        let answer = server.get(&format!("{event}/sheets/{nothing}")).await;
        assert_eq!(answer.status, 404, "{nothing}");
    }
}

// A draft is on no sheet, and a table of an earlier round stays what it was.
#[sqlx::test(migrations = "../../migrations")]
async fn sheets_show_what_is_published_and_each_round_as_it_was(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 6).await;
    server.round(&event).await;
    server.results(&event, 1, "bwd").await;
    let first = server
        .get(&format!("{event}/sheets/standings?round=1"))
        .await
        .json();
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(draft.status, 201, "{}", draft.text());
    let slug = slug_of(&server, &event).await;
    for sheet in ["pairing", "standings", "crosstable"] {
        let path = format!("{event}/sheets/{sheet}");
        let asked = server.as_director("GET", &format!("{path}?round=2")).send().await;
        assert_eq!(asked.status, 404, "{sheet}");
        let shown = page(&server, "GET", &format!("/manage/e/{slug}/print/{sheet}?round=2"));
        assert_eq!(shown.send().await.status, 404, "{sheet}");
    }
    assert_eq!(
        rows(&server.get(&format!("{event}/sheets/pairing")).await.json()).len(),
        3
    );
    server.publish(&event, 2).await;
    server.results(&event, 2, "bbb").await;
    assert_eq!(
        server
            .get(&format!("{event}/sheets/standings?round=1"))
            .await
            .json(),
        first
    );
    assert_eq!(
        rows(
            &server
                .get(&format!("{event}/sheets/pairing-by-name"))
                .await
                .json()
        )
        .len(),
        6
    );
    for sheet in [
        "programme",
        "sign-in",
        "pairing",
        "pairing-by-name",
        "results",
        "standings",
        "categories",
        "crosstable",
        "promotion",
        "prizes",
        "report",
    ] {
        let path = format!("/manage/e/{slug}/print/{sheet}");
        let shown = page(&server, "GET", &path).send().await;
        assert_eq!(shown.status, 200, "{sheet}: {}", shown.text());
        assert!(html(&shown).contains(&format!("href=\"{path}.css\"")), "{sheet}");
        let foot = page(&server, "GET", &format!("{path}.css")).send().await;
        assert_eq!(foot.header("content-type"), Some("text/css; charset=utf-8"));
        assert!(html(&foot).contains("@bottom-left"), "{sheet}");
        for ending in ["csv", "xlsx"] {
            let file = page(&server, "GET", &format!("{path}.{ending}")).send().await;
            assert_eq!(file.status, 200, "{sheet}.{ending}");
        }
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn promotion_and_prizes_are_set_and_given_with_reasons(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 2, 0).await;
    let entries: Vec<Value> = (1..=4)
        .map(|n| json!({"name": format!("P{n}"), "grade": "2d", "category": if n > 2 { "women" } else { "open" }}))
        .collect();
    server.post(&format!("{event}/entries"), &entries.into()).await;
    server.round_of(&event, &[(1, 2), (3, 4)], &[]).await;
    server.results(&event, 1, "bb").await;
    server.round_of(&event, &[(1, 3), (2, 4)], &[]).await;
    server.results(&event, 2, "bb").await;
    let promotion = json!({"by_wins": [{"from": "2d", "wins": 2, "games": 2, "to": "3d"}]});
    let prizes = json!({"list": [{"name": "First"}, {"name": "Best woman", "category": "women"}]});
    let changed = server
        .patch(
            &event,
            &json!({"promotion": promotion, "prizes": prizes, "reason": "as announced"}),
        )
        .await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!(changed.json()["promotion"]["by_wins"][0]["wins"], 2);
    let list = server.get(&format!("{event}/sheets/promotion")).await.json();
    assert_eq!(
        rows(&list),
        &[json!([1, "P1", null, "2d", "3d", "2 wins of 2 (2 needed)"])]
    );
    let list = server.get(&format!("{event}/sheets/prizes")).await.json();
    assert_eq!(
        rows(&list)
            .iter()
            .map(|row| (row[0].clone(), row[2].clone()))
            .collect::<Vec<_>>(),
        [(json!("First"), json!(1)), (json!("Best woman"), json!(3))]
    );
    // What cannot be is refused with its path, and nothing has changed.
    let wrong = server
        .patch(
            &event,
            &json!({"promotion": {"by_wins": [{"from": "2d", "wins": 3, "games": 2, "to": "3d"}]}}),
        )
        .await;
    assert_eq!(wrong.status, 422, "{}", wrong.text());
    assert_eq!(
        wrong.json()["errors"][0]["path"],
        "event.promotion.by_wins[0].wins"
    );
    // The form does the same, names the line of what is wrong and keeps what was typed.
    let slug = slug_of(&server, &event).await;
    let path = format!("/manage/e/{slug}/promotion");
    let wins = "from=2d&wins=1&games=2&to=4d&from=&wins=&games=&to=";
    let refused = form(page(&server, "POST", &path), "from=2d&wins=1&games=2&to=best")
        .send()
        .await;
    assert_eq!(refused.status, 422);
    assert!(
        html(&refused).contains("Line 1: “best” is no grade") && html(&refused).contains("value=\"best\"")
    );
    let saved = form(page(&server, "POST", &path), wins).send().await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let list = server.get(&format!("{event}/sheets/promotion")).await.json();
    let up: Vec<_> = rows(&list).iter().map(|row| row[0].clone()).collect();
    assert_eq!(up, [1, 2, 3]);
    let refused = form(
        page(&server, "POST", &format!("/manage/e/{slug}/prizes")),
        "name=A&category=&count=0",
    );
    assert_eq!(refused.send().await.status, 422);
    // A file carries both.
    let file = server.get(&format!("{event}/export")).await.json();
    let copy = server.post("/events/import", &file).await;
    assert_eq!(copy.status, 201, "{}", copy.text());
    assert_eq!(
        copy.json()["prizes"],
        json!({"double": false, "list": [
        {"name": "First", "count": 1}, {"name": "Best woman", "category": "women", "count": 1}]})
    );
    let log = server
        .as_director("GET", &format!("{event}/log"))
        .send()
        .await
        .text();
    assert!(log.contains("as announced"), "{log}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_final_event_takes_no_change_until_it_is_opened_with_a_reason(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 2, 4).await;
    server.round(&event).await;
    server.results(&event, 1, "b").await;
    let slug = slug_of(&server, &event).await;
    let freeze = || server.as_director("PUT", &format!("{event}/final"));
    let refused = freeze().send().await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert_eq!(refused.json()["boards"], json!([{"round": 1, "board": 2}]));
    let told = form(
        page(&server, "POST", &format!("/manage/e/{slug}/finish")),
        "act=freeze",
    )
    .send()
    .await;
    assert_eq!(told.status, 422);
    assert!(html(&told).contains("no result: 1–2"), "{}", told.text());
    server.results(&event, 1, "bw").await;
    server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    let refused = freeze().send().await;
    assert_eq!(refused.status, 409, "a draft: {}", refused.text());
    server.publish(&event, 2).await;
    server.results(&event, 2, "bw").await;
    let frozen = freeze().json(&json!({"reason": "closing ceremony"})).send().await;
    assert_eq!(frozen.status, 200, "{}", frozen.text());
    assert!(frozen.json()["final_since"].is_string());
    let length = server.log_length(&event).await;
    assert_eq!(freeze().send().await.status, 200);
    let before = server.get(&format!("{event}/export")).await.body;
    let bare = |method: &str, path: &str, body: &Value| {
        let request = server.as_director(method, &format!("{event}{path}"));
        request.header("if-match", "*").json(body).send()
    };
    let board = server.as_director("GET", &format!("{event}/rounds/2/boards/1/result"));
    let seen = board.send().await.json();
    for (method, path, body) in [
        ("PATCH", "", json!({"name": "Closed"})),
        ("DELETE", "", Value::Null),
        ("POST", "/entries", json!({"name": "X"})),
        ("PATCH", "/entries/1", json!({"name": "X"})),
        ("PUT", "/rounds/2/boards/1/result", json!({"result": "white"})),
        ("DELETE", "/rounds/2/boards/1/result", Value::Null),
        (
            "PUT",
            "/rounds/2/results",
            json!({"results": [{"board": 1, "result": "draw", "version": seen["version"]}]}),
        ),
    ] {
        let answer = bare(method, path, &body).await;
        assert_eq!(answer.status, 409, "{method} {path}: {}", answer.text());
        assert!(
            answer.text().contains("frozen"),
            "{method} {path}: {}",
            answer.text()
        );
    }
    assert_eq!(server.get(&format!("{event}/export")).await.body, before);
    assert_eq!(server.log_length(&event).await, length);
    // The public pages say so.
    for path in [format!("/e/{slug}/standings"), "/".to_owned()] {
        let shown = server.request("GET", &format!("//{path}")).send().await;
        assert!(html(&shown).contains("final"), "{path}");
    }
    let open = |body: &str| form(page(&server, "POST", &format!("/manage/e/{slug}/finish")), body).send();
    assert_eq!(open("act=open&reason=++").await.status, 422);
    assert_eq!(open("act=open&reason=board+1+was+wrong").await.status, 303);
    let corrected = bare("PUT", "/rounds/2/boards/1/result", &json!({"result": "white"})).await;
    assert_eq!(corrected.status, 200, "{}", corrected.text());
    let log = server
        .as_director("GET", &format!("{event}/log"))
        .send()
        .await
        .text();
    for told in [
        "event-frozen",
        "event-unfrozen",
        "closing ceremony",
        "board 1 was wrong",
    ] {
        assert!(log.contains(told), "{told}");
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn no_form_and_no_stranger_changes_an_event_that_is_final(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 4).await;
    let slug = slug_of(&server, &event).await;
    let post = |path: &str, body: &str| {
        form(page(&server, "POST", &format!("/manage/e/{slug}/{path}")), body).send()
    };
    let sign_up = |name: &str| {
        let request = server.request("POST", &format!("///e/{slug}/sign-up"));
        form(request, &format!("name={name}&contact=1")).send()
    };
    assert_eq!(post("sign-ups/settings", "open=1").await.status, 303);
    assert_eq!(sign_up("Early").await.status, 303);
    assert_eq!(post("check-in", "here=1").await.status, 303);
    server.round_of(&event, &[(1, 2), (3, 4)], &[]).await;
    server.results(&event, 1, "bw").await;
    let list = server
        .as_director("POST", &format!("{event}/entries/import"))
        .header("content-type", "text/csv")
        .body("name\nListed");
    assert_eq!(list.send().await.status, 200);
    let acts = server.log_length(&event).await;
    let made = html(&post("result-links", "name=Hall&first=1&last=9&hours=12").await);
    let link = made
        .split("/r/")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a link")
        .to_owned();
    assert_eq!(post("check-in", "here=3").await.status, 303);
    assert_eq!(post("finish", "act=freeze").await.status, 303);
    let before = server.get(&format!("{event}/export")).await.body;
    let length = server.log_length(&event).await;
    let undo = format!("seq={acts}");
    for (path, body) in [
        ("sign-ups/settings", "open=1&places=3"),
        ("sign-ups/confirm", "sign_up=1"),
        ("sign-ups/decide", "sign_up=1&act=refuse"),
        ("check-in", "here=2"),
        ("check-in", "away=1"),
        ("entries", "name=Late"),
        ("entries/undo", "batch=1&back=import"),
        ("entries/1/withdraw", "after=1"),
        ("rounds", "round=2"),
        ("rounds/1/boards/1", "result=white"),
        ("log/undo", undo.as_str()),
        ("promotion", "from=1d&wins=1&games=3&to=2d"),
        ("prizes", "name=Cup"),
        ("people/invite", "role=viewer"),
    ] {
        let answer = post(path, body).await;
        // People come and go after the end too: their rights are none of the event's results.
        if path.starts_with("people") {
            assert!(answer.status < 400, "{path}: {}", answer.text());
            continue;
        }
        assert!(
            answer.status >= 400,
            "{path} {body}: {} {}",
            answer.status,
            answer.text()
        );
        let told = html(&answer);
        assert!(
            told.contains("final") || told.contains("round 2"),
            "{path} {body}: {told}"
        );
    }
    let at = json!({"at": "2999-01-01T00:00:00Z"});
    let publish = server.as_director("POST", &format!("{event}/rounds/2/publish"));
    let refused = publish.json(&at).send().await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "frozen"),
        "that there is no draft comes second"
    );
    let record = server
        .as_director("PUT", &format!("{event}/rounds/1/boards/1/record"))
        .header("content-type", "application/x-go-sgf")
        .body("(;GM[1]FF[4]SZ[19]KM[3.75]RE[B+R];B[pd];W[dp])");
    let refused = record.send().await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "frozen"),
        "{}",
        refused.text()
    );
    let hall = server.request("PUT", &format!("/result-links/{link}/rounds/1/boards/1/result"));
    let refused = hall
        .header("if-match", "*")
        .json(&json!({"result": "white"}))
        .send()
        .await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "frozen"),
        "{}",
        refused.text()
    );
    let late = sign_up("Late").await;
    assert!(html(&late).contains("Sign-up is closed"), "{}", late.text());
    let shown = server
        .request("GET", &format!("///e/{slug}/sign-up"))
        .send()
        .await;
    assert!(html(&shown).contains("Sign-up is closed") && !html(&shown).contains("name=\"contact\""));
    assert_eq!(server.get(&format!("{event}/export")).await.body, before);
    assert_eq!(
        server.log_length(&event).await,
        length + 1,
        "the invitation alone"
    );
    // Opened again, the same sign-up is taken and the same undo works.
    assert_eq!(post("finish", "act=open&reason=a+late+protest").await.status, 303);
    assert_eq!(sign_up("Late").await.status, 303);
    assert_eq!(post("log/undo", &undo).await.status, 303);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_reason_is_as_long_as_a_reason_is(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 2, 4).await;
    server.round(&event).await;
    let put = |characters: usize| {
        let reason = "词".repeat(characters);
        let request = server.as_director("PUT", &format!("{event}/rounds/1/boards/1/result"));
        let body = json!({"result": "black", "reason": reason});
        request.header("if-match", "*").json(&body).send()
    };
    let length = server.log_length(&event).await;
    let refused = put(1001).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (422, "reason-too-long")
    );
    for told in ["1001", "1000"] {
        assert!(
            refused.text().replace([',', ' '], "").contains(told),
            "{}",
            refused.text()
        );
    }
    assert_eq!(server.log_length(&event).await, length);
    assert_eq!(put(1000).await.status, 200);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_archive_finds_players_of_public_events_and_nobody_else(pool: PgPool) {
    let server = Server::start(pool.clone()).await;
    for (name, hidden) in [("Spring Open", false), ("Secret", true)] {
        let event = server.event(name, 3, 0).await;
        let entries = json!([{"name": "Alice Stone"}, {"name": "alice_100%"}, {"name": "Bob"}]);
        server.post(&format!("{event}/entries"), &entries).await;
        if hidden {
            server.patch(&event, &json!({"visibility": "hidden"})).await;
        }
    }
    let find = |query: &str| server.request("GET", &format!("///archive?q={query}")).send();
    let found = html(&find("aLICE").await);
    assert_eq!(found.matches("class=\"row\"").count(), 2, "{found}");
    assert!(found.contains("Spring Open") && !found.contains("Secret"));
    assert_eq!(html(&find("100%25").await).matches("class=\"row\"").count(), 1);
    assert_eq!(html(&find("zz").await).matches("class=\"row\"").count(), 0);
    assert!(html(&find("").await).contains("name=\"q\""));
    sqlx::query("update entries set name_withheld = true where name = 'Alice Stone'")
        .execute(&pool)
        .await
        .expect("withheld");
    assert!(!html(&find("stone").await).contains("Alice Stone"));
}
