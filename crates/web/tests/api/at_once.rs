use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use sqlx::PgPool;
use store::Role;

use crate::support::{Answer, Server, give, new_token};

#[sqlx::test(migrations = "../../migrations")]
async fn a_request_with_a_key_is_done_once_and_answered_twice(pool: PgPool) {
    let server = Server::start(pool).await;
    let body = json!({"name": "Open", "rounds": 3});
    let post = |body: &Value| {
        server
            .as_director("POST", "/events")
            .header("idempotency-key", "k-1")
            .json(body)
            .send()
    };
    let first = post(&body).await;
    let again = post(&body).await;
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.body, again.body);
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(server.get("/events").await.json()["total"], 1);
    let other = post(&json!({"name": "Other", "rounds": 3})).await;
    assert_eq!(
        (other.status, other.problem().as_str()),
        (422, "idempotency-conflict")
    );
    // Another director's key of the same name is another key.
    let token = new_token(&server.state, "director-2", Role::Director).await;
    let second = server
        .request("POST", "/events")
        .token(&token)
        .header("idempotency-key", "k-1")
        .json(&json!({"name": "Another", "rounds": 3}))
        .send()
        .await;
    assert_eq!(second.status, 201, "{}", second.text());
    // A refused request keeps no key: put right, it is carried out.
    let refused = server
        .as_director("POST", "/events")
        .header("idempotency-key", "k-2")
        .json(&json!({"name": "", "rounds": 3}))
        .send()
        .await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    let right = server
        .as_director("POST", "/events")
        .header("idempotency-key", "k-2")
        .json(&body)
        .send()
        .await;
    assert_eq!(right.status, 201, "{}", right.text());
}

#[sqlx::test(migrations = "../../migrations")]
async fn two_clicks_on_pair_make_one_round_and_the_second_learns_of_it(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 20).await;
    let path = format!("{event}/rounds");
    let (one, other) = tokio::join!(
        server.as_director("POST", &path).send(),
        server.as_director("POST", &path).send()
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409], "{} {}", one.text(), other.text());
    let loser = if one.status == 409 { one } else { other };
    assert_eq!(loser.problem(), "draft-exists");
    let told = loser.json();
    assert_eq!((&told["round"], &told["by"]), (&json!(1), &json!("director-1")));
    // The same key twice at once: one round, the same answer.
    let event = server.event("Other", 5, 20).await;
    let path = format!("{event}/rounds");
    let post = || {
        server
            .as_director("POST", &path)
            .header("idempotency-key", "pair-1")
            .send()
    };
    let (one, other) = tokio::join!(post(), post());
    assert_eq!(
        (one.status, other.status),
        (201, 201),
        "{} {}",
        one.text(),
        other.text()
    );
    assert_eq!(one.body, other.body);
}

#[sqlx::test(migrations = "../../migrations")]
async fn two_directors_at_one_board_leave_one_result_and_the_second_is_told(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    server.round(&event).await;
    let path = format!("{event}/rounds/1/boards/1/result");
    let put = |result: &str| {
        server
            .as_director("PUT", &path)
            .json(&json!({"result": result}))
            .send()
    };
    let (one, other) = tokio::join!(put("black"), put("white"));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    // The slower one either saw the first result before it wrote (428), or ran into it (412).
    assert!(
        statuses == [200, 412] || statuses == [200, 428],
        "{} {}",
        one.text(),
        other.text()
    );
    let (winner, loser) = if one.status == 200 {
        (one, other)
    } else {
        (other, one)
    };
    assert_eq!(loser.json()["current"]["result"], winner.json()["result"]);
    let log = server
        .as_director("GET", &format!("{event}/log?round=1&board=1"))
        .send()
        .await;
    assert_eq!(log.json()["total"], 1);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_last_result_a_correction_and_a_pairing_at_once_leave_one_order_of_things(pool: PgPool) {
    let server = Server::start(pool).await;
    for turn in 0..5 {
        let event = server.event(&format!("Open {turn}"), 5, 8).await;
        server.round(&event).await;
        server.results(&event, 1, "bbb-").await;
        let last = format!("{event}/rounds/1/boards/4/result");
        let corrected = format!("{event}/rounds/1/boards/1/result");
        let rounds = format!("{event}/rounds");
        let (put, correction, paired) = tokio::join!(
            server
                .as_director("PUT", &last)
                .json(&json!({"result": "white"}))
                .send(),
            server
                .as_director("PUT", &corrected)
                .header("if-match", "*")
                .json(&json!({"result": "white"}))
                .send(),
            server.as_director("POST", &rounds).send(),
        );
        assert_eq!(
            (put.status, correction.status),
            (200, 200),
            "{} {}",
            put.text(),
            correction.text()
        );
        let draft = match paired.status {
            201 => paired,
            409 => {
                assert_eq!(paired.problem(), "missing-results");
                server.as_director("POST", &rounds).send().await
            }
            _ => panic!("{}", paired.text()),
        };
        assert_eq!(draft.status, 201, "{}", draft.text());
        // Whichever came first, the round knows whether it was made on a result that has changed.
        let round = server
            .as_director("GET", &format!("{event}/rounds/2"))
            .send()
            .await
            .json();
        let stale = round["made_on_earlier_results"].as_bool().expect("a word");
        assert_eq!(
            stale,
            !round["earlier_results"].as_array().expect("a list").is_empty()
        );
        let total: i64 = server
            .scores(&event, 1)
            .await
            .iter()
            .map(|(_, score, _)| score)
            .sum();
        assert_eq!(total, 8);
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_import_does_not_hold_up_results_elsewhere(pool: PgPool) {
    let server = Arc::new(Server::start(pool).await);
    let event = server.event("Open", 5, 40).await;
    server.round(&event).await;
    let entries: Vec<Value> = (1..=500)
        .map(|n| json!({"number": n, "name": format!("P{n}")}))
        .collect();
    let file = json!({
        "format": "tianyuan-event", "version": 1,
        "event": {"name": "Large", "rounds": 9}, "entries": entries, "rounds": [],
    });
    let import = {
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            server
                .as_director("POST", "/events/import")
                .json(&file)
                .send()
                .await
        })
    };
    let mut slowest = std::time::Duration::ZERO;
    for board in 1..=20 {
        let begun = std::time::Instant::now();
        let put = server
            .as_director("PUT", &format!("{event}/rounds/1/boards/{board}/result"))
            .json(&json!({"result": "black"}))
            .send()
            .await;
        assert_eq!(put.status, 200, "{}", put.text());
        slowest = slowest.max(begun.elapsed());
    }
    let imported = import.await.expect("the import ends");
    assert_eq!(imported.status, 201, "{}", imported.text());
    assert_eq!(imported.json()["entries"], 500);
    assert!(slowest.as_secs() < 2, "{slowest:?}");
}

/// What came of a result that was put.
struct Put {
    hand: usize,
    board: usize,
    result: &'static str,
    answer: Answer,
}

#[sqlx::test(migrations = "../../migrations")]
async fn results_that_come_together_are_each_entered_by_whom_they_are(pool: PgPool) {
    let server = Arc::new(Server::start(pool).await);
    let event = server.event("Open", 5, 60).await;
    server.round(&event).await;
    let slug = &event["/events/".len()..];
    let mut tokens = vec![server.token.clone()];
    for (name, role) in [("director-2", Role::Director), ("arbiter-1", Role::Arbiter)] {
        tokens.push(new_token(&server.state, name, role).await);
        give(&server.state, slug, name, role).await;
    }
    let before = server.log_length(&event).await;
    // Three hands at once at 30 boards and one that is not there: at every third board two of them
    // say different things, at every fifth one says what cannot be.
    let mut work = tokio::task::JoinSet::new();
    let mut put = |hand: usize, board: usize, result: &'static str, body: Value| {
        let request = server
            .request("PUT", &format!("{event}/rounds/1/boards/{board}/result"))
            .token(&tokens[hand])
            .json(&body);
        work.spawn(async move {
            let answer = request.send().await;
            Put {
                hand,
                board,
                result,
                answer,
            }
        });
    };
    for board in 1..=31 {
        let result = ["black", "white"][board % 2];
        put(board % 3, board, result, json!({"result": result}));
        if board % 3 == 0 {
            put(1, board, "draw", json!({"result": "draw"}));
        }
        if board % 5 == 0 {
            put(2, board, "nothing", json!({"result": "draw", "margin": "1.5"}));
        }
    }
    let names = ["director-1", "director-2", "arbiter-1"];
    let mut entered: BTreeMap<usize, (&str, &str)> = BTreeMap::new();
    let mut refused = Vec::new();
    while let Some(done) = work.join_next().await {
        let Put {
            hand,
            board,
            result,
            answer,
        } = done.expect("an answer");
        let at = format!("{board} by {}: {}", names[hand], answer.text());
        match answer.status {
            200 => assert_eq!(entered.insert(board, (result, names[hand])), None, "{at}"),
            404 => assert_eq!(board, 31, "{at}"),
            // Before or after somebody's result was there.
            412 | 422 | 428 if result == "nothing" => {}
            412 | 428 => refused.push((board, result, answer.json()["current"]["result"].clone())),
            _ => panic!("{at}"),
        }
    }
    assert_eq!(
        entered.keys().copied().collect::<Vec<_>>(),
        (1..=30).collect::<Vec<_>>()
    );
    assert_eq!(refused.len(), 10);
    for (board, result, current) in refused {
        assert_ne!(current, result, "{board}");
        assert_eq!(current, entered[&board].0, "{board}");
    }
    // What was answered is what is there and what the log says, once each, in a chain that is whole.
    let round = server.get(&format!("{event}/rounds/1")).await.json();
    for board in round["boards"].as_array().expect("boards") {
        let number = usize::try_from(board["board"].as_u64().expect("a number")).expect("small");
        assert_eq!(board["result"], entered[&number].0, "{board}");
        let path = format!("{event}/log?round=1&board={number}");
        let log = server.as_director("GET", &path).send().await.json();
        assert_eq!(
            (&log["total"], &log["items"][0]["actor"]["name"]),
            (&json!(1), &json!(entered[&number].1)),
            "{log}"
        );
    }
    assert_eq!(server.log_length(&event).await, before + 30);
    let mut tx = server.store.begin().await.expect("a transaction");
    let kept = store::events::find(&mut tx, slug)
        .await
        .expect("a look")
        .expect("an event");
    let checked = store::log::check(&mut tx, &kept).await.expect("a look");
    assert!(checked.broken.is_empty(), "{:?}", checked.broken);
}
