use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::Server;

#[sqlx::test(migrations = "../../migrations")]
async fn a_correction_two_rounds_back_moves_the_standings_and_no_board(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    // A+D B+E C+F; A+B C+D E+F; A+C B+F D+E. Black wins everywhere.
    for (round, pairs) in [
        (1, [(1, 4), (2, 5), (3, 6)]),
        (2, [(1, 2), (3, 4), (5, 6)]),
        (3, [(1, 3), (2, 6), (4, 5)]),
    ] {
        server.round_of(&event, &pairs, &[]).await;
        server.results(&event, round, "bbb").await;
    }
    // Two points a win: the case's 3, 2, 2, 1, 1, 0 and 5, 4, 4, 6, 3, 5 doubled.
    let points = |scores: Vec<(u64, i64, String)>| -> (Vec<i64>, Vec<String>) {
        scores.into_iter().map(|(_, score, sos)| (score, sos)).unzip()
    };
    let (score, sos) = points(server.scores(&event, 3).await);
    assert_eq!(score, [6, 4, 4, 2, 2, 0]);
    assert_eq!(sos, ["10", "8", "8", "12", "6", "10"]);
    server.round(&event).await;
    let tables = |round: Value| -> Vec<(Value, Value)> {
        round["boards"]
            .as_array()
            .expect("boards")
            .iter()
            .map(|board| (board["black"].clone(), board["white"].clone()))
            .collect()
    };
    let mut before = Vec::new();
    for round in [3, 4] {
        before.push(tables(
            server.get(&format!("{event}/rounds/{round}")).await.json(),
        ));
    }

    let board = format!("{event}/rounds/2/boards/1/result");
    let old = server.as_director("GET", &board).send().await.json();
    server.pass(chrono::TimeDelta::minutes(5));
    let corrected = server
        .as_director("PUT", &board)
        .if_match(&old["version"])
        .json(&json!({"result": "white", "reason": "entered the wrong way round"}))
        .send()
        .await;
    assert_eq!(corrected.status, 200, "{}", corrected.text());
    assert_eq!(corrected.json()["later_rounds"], json!([3, 4]));
    let (score, sos) = points(server.scores(&event, 3).await);
    assert_eq!(score, [4, 6, 4, 2, 2, 0]);
    assert_eq!(sos, ["12", "6", "6", "10", "8", "12"]);
    let fourth = server.get(&format!("{event}/rounds/4")).await.json();
    assert_eq!(fourth["made_on_earlier_results"], true);
    assert_eq!(
        fourth["earlier_results"],
        json!([{"round": 2, "board": 1, "result": "black"}])
    );
    for (i, round) in [3, 4].into_iter().enumerate() {
        assert_eq!(
            tables(server.get(&format!("{event}/rounds/{round}")).await.json()),
            before[i]
        );
    }
    let log = server
        .as_director("GET", &format!("{event}/log?limit=1"))
        .send()
        .await
        .json();
    let act = &log["items"][0];
    assert_eq!(
        (&act["action"], &act["actor"]["name"]),
        (&json!("result-corrected"), &json!("director-1"))
    );
    assert_eq!(
        (&act["before"]["result"], &act["after"]["result"]),
        (&json!("black"), &json!("white"))
    );
    assert_eq!(act["at"], "2026-05-01T01:05:00.000000Z");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_result_is_a_word_for_this_board_and_nothing_else(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    server.round(&event).await;
    let board = format!("{event}/rounds/1/boards/1/result");
    for (body, path) in [
        (json!({"result": "black", "winner": 1, "loser": 1}), "winner"),
        (json!({"result": "C"}), "result"),
        (json!({"result": 1}), "result"),
        (json!({"by": "resignation"}), "result"),
        (json!({"result": "black", "by": "knockout"}), "by"),
        (json!({"result": "black", "margin": "0.3"}), "margin"),
        (
            json!({"result": "black", "warnings": {"black": -1}}),
            "warnings.black",
        ),
        (json!({"result": "draw", "margin": "1.5"}), "margin"),
        (json!({"result": "black_forfeit", "by": "time"}), "by"),
        (json!({"result": null, "by": "time"}), "by"),
    ] {
        let refused = server.as_director("PUT", &board).json(&body).send().await;
        assert_eq!(refused.status, 422, "{body}: {}", refused.text());
        let at = refused.json()["errors"][0]["path"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert_eq!(at, path, "{body}: {}", refused.text());
    }
    let open = server.as_director("GET", &board).send().await.json();
    assert_eq!(open["result"], Value::Null);
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_ruling_can_be_entered_and_says_whether_it_was_played(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 14).await;
    server.round(&event).await;
    let rulings = [
        (json!({"result": "draw"}), (1, 1), "game"),
        (json!({"result": "black_forfeit"}), (0, 2), "forfeit"),
        (json!({"result": "white_forfeit"}), (2, 0), "forfeit"),
        (json!({"result": "both_lose", "by": "penalty"}), (0, 0), "game"),
        (json!({"result": "both_forfeit"}), (0, 0), "forfeit"),
        (
            json!({"result": "black", "by": "count", "margin": "0.75"}),
            (2, 0),
            "game",
        ),
        (
            json!({"result": "white", "by": "time", "warnings": {"black": 2}}),
            (0, 2),
            "game",
        ),
    ];
    let round = server.get(&format!("{event}/rounds/1")).await.json();
    for (i, (ruling, (black, white), kind)) in rulings.iter().enumerate() {
        let path = format!("{event}/rounds/1/boards/{}/result", i + 1);
        let put = server.as_director("PUT", &path).json(ruling).send().await;
        assert_eq!(put.status, 200, "{ruling}: {}", put.text());
        for (side, points) in [("black", black), ("white", white)] {
            let number = &round["boards"][i][side];
            let games = server
                .get(&format!("{event}/entries/{number}/games"))
                .await
                .json();
            assert_eq!(games["games"][0]["points"], *points, "{ruling} {side}");
            assert_eq!(games["games"][0]["kind"], *kind, "{ruling} {side}");
        }
    }
    let file = server.get(&format!("{event}/export")).await.json();
    assert_eq!(file["rounds"][0]["boards"][4]["result"], "both_forfeit");
    assert_eq!(server.round(&event).await["round"], 2);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_result_goes_to_a_running_board_or_nowhere(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 5).await;
    server.round(&event).await;
    server.results(&event, 1, "bb").await;
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(draft.status, 201);
    let before = server.get(&format!("{event}/standings")).await.body;
    let log = server.log_length(&event).await;
    let body = json!({"result": "white"});
    for (path, status, problem) in [
        // The bye has no board.
        (format!("{event}/rounds/1/boards/3/result"), 404, "unknown-board"),
        (format!("{event}/rounds/1/boards/0/result"), 404, "unknown-board"),
        (format!("{event}/rounds/9/boards/1/result"), 404, "unknown-round"),
        (format!("{event}/rounds/3/boards/1/result"), 404, "unknown-round"),
        (format!("{event}/rounds/2/boards/1/result"), 409, "not-published"),
        (format!("{event}/rounds/1/boards/-1/result"), 404, "not-found"),
        (
            format!("{event}/rounds/1/boards/99999999999/result"),
            404,
            "not-found",
        ),
        (
            "/events/another/rounds/1/boards/1/result".to_owned(),
            404,
            "unknown-event",
        ),
    ] {
        let put = server.as_director("PUT", &path).json(&body).send().await;
        assert_eq!(
            (put.status, put.problem().as_str()),
            (status, problem),
            "{path}: {}",
            put.text()
        );
    }
    let many = server
        .as_director("PUT", &format!("{event}/rounds/1/results"))
        .json(&json!({"results": [{"board": 1, "version": 1, "result": "white"}, {"board": 7, "result": "white"}]}))
        .send()
        .await;
    assert!([404, 412].contains(&many.status), "{}", many.text());
    assert_eq!(
        server
            .as_director("DELETE", &format!("{event}/rounds/2"))
            .header("if-match", "*")
            .send()
            .await
            .status,
        204
    );
    let deleted = server
        .as_director("PUT", &format!("{event}/rounds/2/boards/1/result"))
        .json(&body)
        .send()
        .await;
    assert_eq!(deleted.status, 404);
    assert_eq!(server.get(&format!("{event}/standings")).await.body, before);
    // Only the draft that was thrown away.
    assert_eq!(server.log_length(&event).await, log + 1);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_same_result_again_is_a_success_that_changes_nothing(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    server.round(&event).await;
    let path = format!("{event}/rounds/1/boards/1/result");
    let now = server.as_director("GET", &path).send().await.json();
    let body = json!({"result": "black", "by": "resignation"});
    let put = || {
        server
            .as_director("PUT", &path)
            .if_match(&now["version"])
            .json(&body)
            .send()
    };
    let first = put().await;
    assert_eq!((first.status, &first.json()["changed"]), (200, &json!(true)));
    let log = server.log_length(&event).await;
    // The answer was lost; the client repeats the request with the version it had.
    let again = put().await;
    assert_eq!(
        (again.status, &again.json()["changed"]),
        (200, &json!(false)),
        "{}",
        again.text()
    );
    assert_eq!(again.json()["version"], first.json()["version"]);
    assert_eq!(server.log_length(&event).await, log);
    // Another result with the version of before is refused, and the state comes along.
    let other = server
        .as_director("PUT", &path)
        .if_match(&now["version"])
        .json(&json!({"result": "white"}))
        .send()
        .await;
    assert_eq!(
        (other.status, other.problem().as_str()),
        (412, "changed-meanwhile")
    );
    assert_eq!(other.json()["current"]["result"], "black");
    let blind = server
        .as_director("PUT", &path)
        .json(&json!({"result": "white"}))
        .send()
        .await;
    assert_eq!(
        (blind.status, &blind.json()["version"]),
        (428, &first.json()["version"])
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn many_results_come_in_together_or_not_at_all(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    server.round(&event).await;
    server.results(&event, 1, "b").await;
    let path = format!("{event}/rounds/1/results");
    let put = |results: Value| {
        server
            .as_director("PUT", &path)
            .json(&json!({"results": results}))
            .send()
    };
    let refused = put(json!([{"board": 2, "result": "white"}, {"board": 1, "result": "white"}])).await;
    assert_eq!(refused.status, 428, "{}", refused.text());
    let twice = put(json!([{"board": 2, "result": "white"}, {"board": 2, "result": "black"}])).await;
    assert_eq!((twice.status, twice.problem().as_str()), (422, "board-twice"));
    let bad =
        put(json!([{"board": 2, "result": "white"}, {"board": 3, "result": "black", "margin": "x"}])).await;
    assert_eq!(bad.json()["errors"][0]["path"], "results[1].margin");
    let round = server.get(&format!("{event}/rounds/1")).await.json();
    assert_eq!(round["boards"][1]["result"], Value::Null);
    let fine = put(json!([{"board": 2, "result": "white"}, {"board": 3, "result": "draw"}])).await;
    assert_eq!(fine.status, 200, "{}", fine.text());
    let taken = server
        .as_director("DELETE", &format!("{event}/rounds/1/boards/3/result"))
        .if_match(&fine.json()["items"][1]["version"])
        .send()
        .await;
    assert_eq!((taken.status, &taken.json()["result"]), (200, &Value::Null));
}
