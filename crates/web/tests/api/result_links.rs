//! Links for results, and results that two have to say the same of.

use chrono::TimeDelta;
use serde_json::json;
use sqlx::PgPool;
use store::Role;

use crate::support::{Answer, Request, Server, new_token};

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

/// Makes a link on the page of the directors; returns its secret.
async fn link(server: &Server, slug: &str, body: &str) -> String {
    let made = page(server, "POST", &format!("/manage/e/{slug}/result-links"))
        .body(body)
        .send()
        .await;
    assert_eq!(made.status, 200, "{}", made.text());
    let html = made.text();
    assert!(html.contains("<svg"), "{html}");
    let secret = html.split("/r/").nth(1).and_then(|rest| rest.split('"').next());
    secret.expect("the link").to_owned()
}

async fn put(server: &Server, token: &str, round: u32, board: u32, result: &str) -> Answer {
    let path = format!("/result-links/{token}/rounds/{round}/boards/{board}/result");
    server
        .request("PUT", &path)
        .json(&json!({"result": result}))
        .send()
        .await
}

async fn results(server: &Server, event: &str, round: u32) -> Vec<Option<String>> {
    let round = server.get(&format!("{event}/rounds/{round}")).await.json();
    let boards = round["boards"].as_array().expect("boards").clone();
    boards
        .iter()
        .map(|board| board["result"].as_str().map(str::to_owned))
        .collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_link_enters_the_results_of_its_boards_and_nothing_else(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 12).await;
    let slug = slug_of(&server, &event).await;
    let token = link(&server, &slug, "name=Room+2&first=3&last=5&hours=12").await;
    let early = server.request("GET", &format!("///r/{token}")).send().await;
    assert_eq!(early.status, 404, "{}", early.text());
    server.round(&event).await;

    // No account, no cookie: the boards of the link, and no way elsewhere.
    let shown = server.request("GET", &format!("///r/{token}")).send().await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    let html = shown.text();
    assert!(
        html.contains("Room 2") && html.contains("data-board=\"3\""),
        "{html}"
    );
    assert!(
        !html.contains("data-board=\"2\"") && !html.contains("/manage/e/"),
        "{html}"
    );

    let entered = put(&server, &token, 1, 4, "black").await;
    assert_eq!(entered.status, 200, "{}", entered.text());
    let again = put(&server, &token, 1, 4, "black").await;
    assert_eq!((again.status, &again.json()["changed"]), (200, &json!(false)));
    let unseen = put(&server, &token, 1, 4, "white").await;
    assert_eq!(unseen.status, 428, "{}", unseen.text());
    for (round, board, status, problem) in [
        (1, 2, 403, "not-of-link"),
        (1, 6, 403, "not-of-link"),
        (2, 4, 409, "not-round-of-link"),
    ] {
        let refused = put(&server, &token, round, board, "white").await;
        assert_eq!(refused.status, status, "{}", refused.text());
        assert_eq!(refused.problem(), problem);
    }
    let wrong = put(&server, "0000", 1, 4, "white").await;
    assert_eq!(
        (wrong.status, wrong.problem().as_str()),
        (410, "result-link-spent")
    );

    // The same without scripts; a field for another board was put there by somebody.
    let form = |body: &str| {
        server
            .request("POST", &format!("///r/{token}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
    };
    let saved = form("round=1&w5=&r5=white").await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_eq!(form("round=1&w1=&r1=white").await.status, 403);
    assert_eq!(form("round=2&w5=white&r5=black").await.status, 404);
    let black = Some("black".to_owned());
    let expected = vec![None, None, None, black, Some("white".to_owned()), None];
    assert_eq!(results(&server, &event, 1).await, expected);

    let log = server
        .as_director("GET", &format!("{event}/log?limit=1"))
        .send()
        .await
        .json();
    let act = &log["items"][0];
    assert_eq!(act["action"], "result-entered", "{act}");
    assert!(act.to_string().contains("Room 2"), "{act}");

    // A draft is not the round that is played.
    let rest = json!({"results": [{"board": 1, "result": "black"}, {"board": 2, "result": "black"},
        {"board": 3, "result": "black"}, {"board": 6, "result": "black"}]});
    server
        .as_director("PUT", &format!("{event}/rounds/1/results"))
        .json(&rest)
        .send()
        .await;
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(draft.status, 201, "{}", draft.text());
    assert_eq!(put(&server, &token, 2, 3, "black").await.status, 409);

    server.pass(TimeDelta::hours(13));
    assert_eq!(put(&server, &token, 1, 3, "white").await.status, 410);
    assert_eq!(
        server
            .request("GET", &format!("///r/{token}"))
            .send()
            .await
            .status,
        410
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_link_that_is_taken_back_does_nothing_and_what_came_with_it_stays(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    let slug = slug_of(&server, &event).await;
    server.round(&event).await;
    let token = link(&server, &slug, "name=&first=1&last=3&hours=24").await;
    assert_eq!(put(&server, &token, 1, 1, "black").await.status, 200);
    let links = format!("/manage/e/{slug}/result-links");
    let list = page(&server, "GET", &links).send().await.text();
    assert!(!list.contains(&token), "the secret is shown once");
    let id = list
        .split("name=\"link\" value=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let body = format!("link={}", id.expect("a link"));
    let revoked = page(&server, "POST", &format!("{links}/revoke"))
        .body(body)
        .send()
        .await;
    assert_eq!(revoked.status, 303, "{}", revoked.text());
    assert_eq!(put(&server, &token, 1, 2, "black").await.status, 410);
    assert_eq!(results(&server, &event, 1).await[0].as_deref(), Some("black"));
    for body in ["first=5&last=2&hours=12", "first=0&last=2", "first=x&last=2"] {
        let refused = page(&server, "POST", &links).body(body).send().await;
        assert_eq!(refused.status, 422, "{body}: {}", refused.text());
    }
    let stranger = new_token(&server.state, "stranger", Role::Director).await;
    let refused = page(&server, "POST", &links)
        .token(&stranger)
        .body("first=1&last=2")
        .send()
        .await;
    assert_eq!(refused.status, 403, "{}", refused.text());
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_waits_for_a_second_word_steers_nothing_until_it_counts(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    let slug = slug_of(&server, &event).await;
    server.round(&event).await;
    let ask = page(&server, "POST", &format!("/manage/e/{slug}/result-links/ask"));
    assert_eq!(ask.body("by_two=1").send().await.status, 303);
    let one = link(&server, &slug, "name=One&first=1&last=4&hours=24").await;
    let two = link(&server, &slug, "name=Two&first=1&last=4&hours=24").await;

    let reported = put(&server, &one, 1, 1, "black").await;
    assert_eq!(reported.status, 202, "{}", reported.text());
    assert_eq!(reported.json()["waits_for"], "second_word");
    // Nobody confirms what he or she has reported.
    assert_eq!(put(&server, &one, 1, 1, "black").await.status, 202);
    assert_eq!(results(&server, &event, 1).await, [None, None, None, None]);
    assert!(
        server
            .scores(&event, 1)
            .await
            .iter()
            .all(|(_, score, _)| *score == 0)
    );
    let early = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(early.status, 409, "{}", early.text());

    // A second, other word: disputed; the same word: it counts.
    let disputed = put(&server, &two, 1, 1, "white").await;
    assert_eq!(disputed.json()["waits_for"], "director", "{}", disputed.text());
    assert_eq!(put(&server, &one, 1, 2, "black").await.status, 202);
    let counts = put(&server, &two, 1, 2, "black").await;
    assert_eq!(counts.status, 200, "{}", counts.text());
    assert_eq!(put(&server, &one, 1, 3, "white").await.status, 202);
    let results_page = format!("/manage/e/{slug}/rounds/1/results");
    let html = page(&server, "GET", &results_page).send().await.text();
    assert!(
        html.contains("disputed: ") && html.contains("to be confirmed: "),
        "{html}"
    );

    // The director confirms what is not disputed, and decides the rest.
    let confirmed = page(&server, "POST", &format!("{results_page}/confirm"))
        .send()
        .await;
    assert_eq!(confirmed.status, 303, "{}", confirmed.text());
    let (black, white) = (Some("black".to_owned()), Some("white".to_owned()));
    assert_eq!(
        results(&server, &event, 1).await,
        [None, black.clone(), white.clone(), None]
    );
    server.results(&event, 1, "w--d").await;
    assert_eq!(results(&server, &event, 1).await[0], white);
    let html = page(&server, "GET", &results_page).send().await.text();
    assert!(
        !html.contains("disputed: ") && !html.contains("to be confirmed: "),
        "{html}"
    );
    server.round(&event).await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn slips_are_four_to_a_page_with_a_code_each(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 12).await;
    let slug = slug_of(&server, &event).await;
    server.round(&event).await;
    let slips = page(&server, "GET", &format!("/manage/e/{slug}/rounds/1/slips"))
        .send()
        .await;
    assert_eq!(slips.status, 200, "{}", slips.text());
    let html = slips.text();
    assert_eq!(html.matches("class=\"slips\"").count(), 2);
    assert_eq!(html.matches("<svg").count(), 6);
    // The first sheet has boards 1, 3, 5 and the second 2, 4, 6.
    let order: Vec<usize> = [1, 3, 5, 2, 4, 6]
        .iter()
        .map(|board| html.find(&format!("<strong>{board}</strong>")).expect("a slip"))
        .collect();
    assert!(order.is_sorted(), "{order:?}");
}
