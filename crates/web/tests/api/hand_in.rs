//! Players who hand in their own results, rulings at a board, and what a correction would change.

use serde_json::json;
use sqlx::PgPool;

use crate::support::{Answer, Request, Server};

fn page(server: &Server, method: &str, path: &str) -> Request {
    let request = server.request(method, &format!("//{path}")).token(&server.token);
    if method == "POST" {
        request.header("content-type", "application/x-www-form-urlencoded")
    } else {
        request
    }
}

async fn slug_of(server: &Server, event: &str) -> String {
    let event = server.get(event).await.json();
    event["slug"].as_str().expect("a slug").to_owned()
}

/// The code on the card of each player, by number.
async fn codes(server: &Server, slug: &str) -> Vec<String> {
    let ask = page(server, "POST", &format!("/manage/e/{slug}/result-links/ask"));
    assert_eq!(ask.body("from_players=1").send().await.status, 303);
    let cards = page(server, "GET", &format!("/manage/e/{slug}/result-links/cards"));
    let html = cards.send().await.text();
    html.split("<code>")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap_or_default().to_owned())
        // The head of the log is a code too, of another kind.
        .filter(|code| !code.is_empty())
        .collect()
}

async fn hand_in(server: &Server, slug: &str, who: (u64, &str), at: (u64, u64), result: &str) -> Answer {
    let body = format!(
        "number={}&code={}&round={}&board={}&result={result}",
        who.0, who.1, at.0, at.1
    );
    server
        .request("POST", &format!("///e/{slug}/hand-in"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
        .send()
        .await
}

async fn board(server: &Server, event: &str, round: u64, board: u64) -> serde_json::Value {
    let path = format!("{event}/rounds/{round}/boards/{board}/result");
    server.get(&path).await.json()
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_result_counts_when_both_players_hand_in_the_same(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    let slug = slug_of(&server, &event).await;
    server
        .round_of(&event, &[(1, 2), (3, 4), (5, 6), (7, 8)], &[])
        .await;
    // Nothing is taken before the event says so.
    let closed = hand_in(&server, &slug, (1, "x"), (1, 1), "won").await;
    assert_eq!(closed.status, 409, "{}", closed.text());
    let link = format!(r#"href="/e/{slug}/hand-in""#);
    let shown = async |path: &str| server.request("GET", path).send().await.text().contains(&link);
    let public = [format!("///e/{slug}"), format!("///e/{slug}/rounds/1")];
    for path in &public {
        assert!(!shown(path).await, "{path}");
    }
    let codes = codes(&server, &slug).await;
    assert_eq!(codes.len(), 8);
    // Everybody is led there while results are missing.
    for path in &public {
        assert!(shown(path).await, "{path}");
    }
    let code = |number: u64| codes[usize::try_from(number).expect("small") - 1].as_str();

    // A and B say different things: disputed, and it counts for nobody.
    assert_eq!(
        hand_in(&server, &slug, (1, code(1)), (1, 1), "won").await.status,
        303
    );
    assert_eq!(
        hand_in(&server, &slug, (2, code(2)), (1, 1), "won").await.status,
        303
    );
    let log = server.log_length(&event).await;
    // The same again is harmless.
    assert_eq!(
        hand_in(&server, &slug, (1, code(1)), (1, 1), "won").await.status,
        303
    );
    assert_eq!(server.log_length(&event).await, log);
    assert_eq!(board(&server, &event, 1, 1).await["result"], json!(null));
    assert!(
        server
            .scores(&event, 1)
            .await
            .iter()
            .all(|(_, score, _)| *score == 0)
    );
    let shown = page(&server, "GET", &format!("/manage/e/{slug}"))
        .send()
        .await
        .text();
    assert!(
        shown.contains("One board of round 1 is disputed: board 1"),
        "{shown}"
    );

    // C knows a code, and it is not one for the board of A and B; nor is another player's.
    for who in [(3, code(3)), (1, code(3)), (1, ""), (99, code(1))] {
        let refused = hand_in(&server, &slug, who, (1, 1), "won").await;
        assert_eq!(refused.status, 403, "{who:?} {}", refused.text());
    }
    assert_eq!(server.log_length(&event).await, log);
    let unusual = hand_in(&server, &slug, (3, code(3)), (1, 2), "black_forfeit").await;
    assert_eq!(unusual.status, 422, "{}", unusual.text());

    // B thinks again: both say the same, it counts, once.
    assert_eq!(
        hand_in(&server, &slug, (2, code(2)), (1, 1), "lost").await.status,
        303
    );
    assert_eq!(board(&server, &event, 1, 1).await["result"], "black");
    let log = server.log_length(&event).await;
    assert_eq!(
        hand_in(&server, &slug, (2, code(2)), (1, 1), "lost").await.status,
        303
    );
    assert_eq!(server.log_length(&event).await, log);
    let late = hand_in(&server, &slug, (2, code(2)), (1, 1), "won").await;
    assert_eq!(late.status, 409, "{}", late.text());
    assert_eq!(board(&server, &event, 1, 1).await["result"], "black");

    // What an arbiter enters counts, whoever said what before; a word can be taken back.
    assert_eq!(
        hand_in(&server, &slug, (3, code(3)), (1, 2), "won").await.status,
        303
    );
    server.results(&event, 1, "-d--").await;
    assert_eq!(board(&server, &event, 1, 2).await["result"], "draw");
    assert_eq!(
        hand_in(&server, &slug, (5, code(5)), (1, 3), "won").await.status,
        303
    );
    assert_eq!(
        hand_in(&server, &slug, (5, code(5)), (1, 3), "none").await.status,
        303
    );
    assert_eq!(
        hand_in(&server, &slug, (6, code(6)), (1, 3), "lost").await.status,
        303
    );
    assert_eq!(board(&server, &event, 1, 3).await["result"], json!(null));

    // Codes end with the option, and are void when all are made anew.
    let own = format!("///e/{slug}/hand-in?number=1&code={}", code(1));
    let shown = server.request("GET", &own).send().await;
    assert!(
        shown.text().contains("The result counts: Black wins"),
        "{}",
        shown.text()
    );
    let renew = page(&server, "POST", &format!("/manage/e/{slug}/rounds/1/codes"));
    let ticked = page(&server, "POST", &format!("/manage/e/{slug}/rounds/1/codes"));
    assert_eq!(renew.body("").send().await.status, 303);
    // Printed cards become void: nothing happens before that is ticked.
    assert_eq!(server.request("GET", &own).send().await.status, 200);
    assert_eq!(ticked.body("void=1").send().await.status, 303);
    assert_eq!(server.request("GET", &own).send().await.status, 403);
    for _ in 0..12 {
        server.request("GET", &own).send().await;
    }
    assert_eq!(server.request("GET", &own).send().await.status, 429);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_ruling_is_a_result_with_its_article_in_the_log(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    let slug = slug_of(&server, &event).await;
    server
        .round_of(&event, &[(1, 2), (3, 4), (5, 6), (7, 8)], &[])
        .await;
    let rule = |board: u64, ruling: &str| {
        page(
            &server,
            "POST",
            &format!("/manage/e/{slug}/rounds/1/boards/{board}"),
        )
        .body(format!("ruling={ruling}&remark=phone"))
        .send()
    };
    for (at, ruling, result, by) in [
        (1, "warning-black", json!(null), json!(null)),
        (1, "warning-black", json!("white"), json!("penalty")),
        (2, "late-white", json!("white_forfeit"), json!(null)),
        (3, "both-lose", json!("both_lose"), json!("penalty")),
        (4, "colours-white", json!("white"), json!(null)),
        (4, "replay", json!(null), json!(null)),
    ] {
        let done = rule(at, ruling).await;
        assert_eq!(done.status, 303, "{ruling}: {}", done.text());
        let now = board(&server, &event, 1, at).await;
        assert_eq!(
            (&now["result"], now.get("by").unwrap_or(&json!(null))),
            (&result, &by),
            "{ruling}: {now}"
        );
    }
    assert_eq!(board(&server, &event, 1, 1).await["warnings"]["black"], 2);
    // There is no warning in a game that was not played, and a ruling that changes nothing is kept too.
    assert_eq!(rule(2, "warning-black").await.status, 422);
    assert_eq!(rule(2, "nonsense").await.status, 422);
    assert_eq!(rule(4, "adjourned").await.status, 303);
    let log = server
        .as_director("GET", &format!("{event}/log?limit=1"))
        .send()
        .await
        .json();
    let act = &log["items"][0];
    assert_eq!(
        (act["action"].as_str(), act["reason"].as_str()),
        (Some("board-noted"), Some("Adjourned: phone"))
    );
    let shown = page(&server, "GET", &format!("/manage/e/{slug}/rounds/1/boards/1"))
        .send()
        .await
        .text();
    assert!(shown.contains("Warning (Art. 24): phone"), "{shown}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_correction_of_an_earlier_round_is_shown_before_it_is_kept(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let slug = slug_of(&server, &event).await;
    server.round_of(&event, &[(1, 2), (3, 4)], &[]).await;
    server.results(&event, 1, "bb").await;
    server.round_of(&event, &[(1, 3), (2, 4)], &[]).await;
    server.results(&event, 2, "f-").await;
    let correct = |body: &str| {
        page(&server, "POST", &format!("/manage/e/{slug}/rounds/1/boards/1"))
            .body(body)
            .send()
    };
    let log = server.log_length(&event).await;
    let shown = correct("result=white").await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    let html = shown.text();
    assert!(
        html.contains("Not saved yet. The result would be: White wins"),
        "{html}"
    );
    assert!(html.contains("players change"), "{html}");
    assert_eq!(board(&server, &event, 1, 1).await["result"], "black");
    assert_eq!(server.log_length(&event).await, log);
    // What was typed comes back to be typed again, and is kept by the second press.
    assert_eq!(correct("result=white&reason=x&again=1").await.status, 200);
    assert_eq!(correct("result=white&reason=x&keep=1").await.status, 303);
    assert_eq!(board(&server, &event, 1, 1).await["result"], "white");
    // A margin moves nobody: it is kept at once.
    let margin = correct("result=white&by=count&margin=2.5").await;
    assert_eq!(margin.status, 303, "{}", margin.text());
    // On wish the changes of any result are shown.
    let look = page(&server, "POST", &format!("/manage/e/{slug}/rounds/2/boards/2"))
        .body("result=white&look=1")
        .send()
        .await;
    assert_eq!(look.status, 200, "{}", look.text());
    assert_eq!(board(&server, &event, 2, 2).await["result"], json!(null));
}

// Twice away in a row: the results page asks whether to withdraw.
#[sqlx::test(migrations = "../../migrations")]
async fn who_stays_away_twice_in_a_row_is_named_to_directors(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let slug = slug_of(&server, &event).await;
    let put = |round: u64, result: &'static str| {
        let path = format!("{event}/rounds/{round}/results");
        let body = json!({"results": [{"board": 1, "result": result}, {"board": 2, "result": "black"}]});
        server.as_director("PUT", &path).json(&body).send()
    };
    let shown = |round: u64| {
        page(
            &server,
            "GET",
            &format!("/manage/e/{slug}/rounds/{round}/results"),
        )
        .send()
    };
    server.round_of(&event, &[(1, 2), (3, 4)], &[]).await;
    assert_eq!(put(1, "white_forfeit").await.status, 200);
    server.round_of(&event, &[(3, 2), (4, 1)], &[]).await;
    assert_eq!(put(2, "white_forfeit").await.status, 200);
    let html = shown(2).await.text();
    assert!(html.contains("has stayed away in rounds 1 and 2"), "{html}");
    assert!(!shown(1).await.text().contains("has stayed away"));
}
