use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::Server;

#[sqlx::test(migrations = "../../migrations")]
async fn a_round_is_not_paired_while_results_are_missing_and_the_refusal_names_them(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 10).await;
    server.round(&event).await;
    server.results(&event, 1, "bbbbb").await;
    let second = server.round(&event).await;
    server.results(&event, 2, "b-bb-").await;
    let log = server.log_length(&event).await;
    let refused = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "missing-results")
    );
    let told = refused.json();
    assert_eq!(told["round"], 2);
    let boards: Vec<Value> = [1, 4]
        .iter()
        .map(|i: &usize| {
            let board = &second["boards"][*i];
            json!({"board": board["board"], "black": board["black"], "white": board["white"]})
        })
        .collect();
    assert_eq!(told["boards"], Value::from(boards.clone()));
    let detail = told["detail"].as_str().expect("a sentence");
    for board in &boards {
        let named = format!("{} ({}–{})", board["board"], board["black"], board["white"]);
        assert!(detail.contains(&named), "{detail}");
    }
    assert_eq!(
        server
            .as_director("GET", &format!("{event}/rounds/3"))
            .send()
            .await
            .status,
        404
    );
    assert_eq!(server.log_length(&event).await, log);

    let provisional = server
        .post(
            &format!("{event}/rounds"),
            &json!({"confirm": {"provisional": true}}),
        )
        .await;
    assert_eq!(provisional.status, 201, "{}", provisional.text());
}

#[sqlx::test(migrations = "../../migrations")]
async fn nobody_left_to_play_is_said_and_nothing_is_made(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 0).await;
    let none = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!((none.status, none.problem().as_str()), (409, "too-few-players"));
    server
        .post(&format!("{event}/entries"), &json!({"name": "A"}))
        .await;
    let one = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!((one.status, one.json()["active"].clone()), (409, json!([1])));
    assert_eq!(
        server
            .as_director("GET", &format!("{event}/rounds"))
            .send()
            .await
            .json()["items"],
        json!([])
    );
}

// A has met C and D, B has met C and D; only A–B and C–D are free, and then nothing is.
#[sqlx::test(migrations = "../../migrations")]
async fn repeats_are_refused_with_their_names_until_they_are_confirmed(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Club", 4, 4).await;
    for (round, pairs) in [
        (1, [(1, 3), (2, 4)]),
        (2, [(1, 4), (2, 3)]),
        (3, [(1, 2), (3, 4)]),
    ] {
        server.round_of(&event, &pairs, &[]).await;
        server.results(&event, round, "bb").await;
    }
    let refused = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "repeats-needed")
    );
    let told = refused.json();
    assert_eq!(told["pairs"].as_array().map(Vec::len), Some(2), "{told}");
    assert!(
        told["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("confirm repeats")),
        "{told}"
    );
    let confirmed = server
        .post(&format!("{event}/rounds"), &json!({"confirm": {"repeats": true}}))
        .await;
    assert_eq!(confirmed.status, 201, "{}", confirmed.text());
    let draft = confirmed.json();
    assert_eq!(draft["criteria"]["P1"]["repeats"], 2);
    let repeats = draft["notes"]
        .as_array()
        .expect("notes")
        .iter()
        .filter(|note| note["code"] == "repeat");
    assert_eq!(repeats.count(), 2, "{draft}");
}

// Only the value that stands when the round is paired counts.
#[sqlx::test(migrations = "../../migrations")]
async fn a_corrected_result_is_what_the_next_round_is_paired_on(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    server.round(&event).await;
    server.results(&event, 1, "bbbb").await;
    let board = format!("{event}/rounds/1/boards/1/result");
    let now = server.as_director("GET", &board).send().await.json();
    let corrected = server
        .as_director("PUT", &board)
        .if_match(&now["version"])
        .json(&json!({"result": "white", "reason": "the slip was misread"}))
        .send()
        .await;
    assert_eq!(corrected.status, 200, "{}", corrected.text());
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await
        .json();
    let scores = server.scores(&event, 1).await;
    assert_eq!((scores[0].1, scores[1].1), (0, 2));
    let winner = draft["boards"]
        .as_array()
        .expect("boards")
        .iter()
        .find(|board| board["black"] == 2 || board["white"] == 2)
        .expect("B plays");
    let opponent = if winner["black"] == 2 {
        &winner["white"]
    } else {
        &winner["black"]
    };
    let opponent = opponent.as_u64().expect("a number");
    let score = scores
        .iter()
        .find(|(number, ..)| *number == opponent)
        .map(|(_, score, _)| *score);
    assert_eq!(score, Some(2), "B is in the group with two points");
    // The explanation of the draw holds the same result.
    let draw = server
        .as_director("GET", &format!("{event}/rounds/2/draw"))
        .send()
        .await
        .json();
    assert_eq!(draw["input"]["rounds"][0]["boards"][0]["result"], "white");
    let log = server
        .as_director("GET", &format!("{event}/log?action=result-corrected"))
        .send()
        .await
        .json();
    assert_eq!(log["items"][0]["reason"], "the slip was misread");
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_last_round_can_be_thrown_away_to_repair_the_one_before(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 5).await;
    for round in 1..=2 {
        server.round(&event).await;
        server.results(&event, round, "bb").await;
    }
    let third = server.round(&event).await;
    let path = format!("{event}/rounds/3");
    let unseen = server.as_director("DELETE", &path).send().await;
    assert_eq!(
        (unseen.status, unseen.problem().as_str()),
        (428, "if-match-needed")
    );
    let gone = server
        .as_director("DELETE", &path)
        .if_match(&third["version"])
        .send()
        .await;
    assert_eq!(gone.status, 204, "{}", gone.text());
    let board = format!("{event}/rounds/2/boards/2/result");
    let corrected = server
        .as_director("PUT", &board)
        .header("if-match", "*")
        .json(&json!({"result": "white"}))
        .send()
        .await;
    assert_eq!(corrected.status, 200, "{}", corrected.text());
    let new = server.round(&event).await;
    assert_eq!(
        (&new["round"], &new["made_on_earlier_results"]),
        (&json!(3), &json!(false))
    );
    assert_eq!(new["byes"].as_array().map(Vec::len), Some(1));

    server.results(&event, 3, "bb").await;
    let played = server
        .as_director("DELETE", &path)
        .header("if-match", "*")
        .send()
        .await;
    assert_eq!((played.status, played.problem().as_str()), (409, "has-results"));
    assert_eq!(played.json()["boards"], json!([1, 2]));
    let earlier = server
        .as_director("DELETE", &format!("{event}/rounds/2"))
        .header("if-match", "*")
        .send()
        .await;
    assert_eq!(
        (earlier.status, earlier.problem().as_str()),
        (409, "not-last-round")
    );

    let only = server.event("Only", 5, 4).await;
    server.round(&only).await;
    let gone = server
        .as_director("DELETE", &format!("{only}/rounds/1"))
        .header("if-match", "*")
        .send()
        .await;
    assert_eq!(gone.status, 204);
    server.round(&only).await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_newcomer_is_seated_against_the_bye_and_the_bye_is_gone(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 9).await;
    let first = server.round(&event).await;
    let bye = first["byes"][0].as_u64().expect("a bye");
    server
        .post(&format!("{event}/entries"), &json!({"name": "Newcomer"}))
        .await;
    let path = format!("{event}/rounds/1");
    let seated = server
        .as_director("PATCH", &path)
        .if_match(&first["version"])
        .json(&json!({"seat": {"black": bye, "white": 10}}))
        .send()
        .await;
    assert_eq!(seated.status, 200, "{}", seated.text());
    let round = seated.json();
    assert_eq!((&round["byes"], &round["edition"]), (&json!([]), &json!(2)));
    for i in 0..4 {
        assert_eq!(round["boards"][i]["black"], first["boards"][i]["black"]);
        assert_eq!(round["boards"][i]["white"], first["boards"][i]["white"]);
    }
    server.results(&event, 1, "----b").await;
    let games = server.get(&format!("{event}/entries/{bye}/games")).await.json();
    assert_eq!(
        (&games["score"], &games["games"][0]["kind"]),
        (&json!(2), &json!("game"))
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_table_by_hand_seats_everybody_once(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    server.round_of(&event, &[(1, 2), (3, 4), (5, 6)], &[]).await;
    server.results(&event, 1, "bbb").await;
    let rounds = format!("{event}/rounds");
    let table = |pairs: &[(u32, u32)], repeats: bool| {
        let boards: Vec<Value> = pairs
            .iter()
            .map(|(black, white)| json!({"black": black, "white": white}))
            .collect();
        json!({"table": {"boards": boards}, "confirm": {"repeats": repeats}})
    };
    let twice = server
        .post(&rounds, &table(&[(1, 2), (1, 3), (4, 5)], true))
        .await;
    assert_eq!((twice.status, twice.problem().as_str()), (422, "table"));
    assert_eq!(
        (&twice.json()["twice"], &twice.json()["missing"]),
        (&json!([1]), &json!([6]))
    );
    let oneself = server
        .post(&rounds, &table(&[(1, 1), (2, 3), (4, 5)], true))
        .await;
    assert_eq!(
        oneself.json()["against_oneself"],
        json!([1]),
        "{}",
        oneself.text()
    );
    let again = server
        .post(&rounds, &table(&[(1, 2), (3, 5), (4, 6)], false))
        .await;
    assert_eq!((again.status, again.problem().as_str()), (409, "repeats"));
    let confirmed = server
        .post(&rounds, &table(&[(1, 2), (3, 5), (4, 6)], true))
        .await;
    assert_eq!(confirmed.status, 201, "{}", confirmed.text());
    assert_eq!(confirmed.json()["by_hand"], true);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_draft_is_changed_by_hand_only_by_who_has_seen_it(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await
        .json();
    let path = format!("{event}/rounds/1");
    let blind = server.patch(&path, &json!({"swap": [1, 3]})).await;
    assert_eq!((blind.status, blind.problem().as_str()), (428, "if-match-needed"));
    let swapped = server
        .as_director("PATCH", &path)
        .if_match(&draft["version"])
        .json(&json!({"swap": [1, 3]}))
        .send()
        .await;
    assert_eq!(swapped.status, 200, "{}", swapped.text());
    let now = swapped.json();
    assert_eq!(
        (&now["boards"][0]["black"], &now["boards"][1]["black"]),
        (&json!(3), &json!(1))
    );
    let late = server
        .as_director("PATCH", &path)
        .if_match(&draft["version"])
        .json(&json!({"colours": {"board": 1, "black": 2}}))
        .send()
        .await;
    assert_eq!((late.status, late.problem().as_str()), (412, "changed-meanwhile"));
    assert_eq!(late.json()["current"]["boards"][0]["black"], 3);
    // The whole entity tag does as well as the version.
    let tag = swapped.header("etag").expect("a tag").to_owned();
    let turned = server
        .as_director("PATCH", &path)
        .header("if-match", &tag)
        .json(&json!({"colours": {"board": 1, "black": 2}}))
        .send()
        .await;
    assert_eq!(turned.json()["boards"][0]["black"], 2, "{}", turned.text());
    let two = server
        .as_director("PATCH", &path)
        .header("if-match", "*")
        .json(&json!({"swap": [1, 3], "seat": {"black": 1, "white": 2}}))
        .send()
        .await;
    assert_eq!((two.status, two.problem().as_str()), (422, "invalid"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_draw_can_be_repeated_by_anybody(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 9).await;
    server.round(&event).await;
    server.results(&event, 1, "bwdb").await;
    let second = server.round(&event).await;
    // Later changes do not reach back: a correction, somebody leaving, somebody coming.
    let board = format!("{event}/rounds/1/boards/1/result");
    server
        .as_director("PUT", &board)
        .header("if-match", "*")
        .json(&json!({"result": "white"}))
        .send()
        .await;
    server
        .post(&format!("{event}/entries"), &json!({"name": "Late"}))
        .await;
    let draw = server.get(&format!("{event}/rounds/2/draw")).await;
    assert_eq!(draw.status, 200);
    let sealed = interchange::draw_file::read(&draw.body).expect("a draw file");
    for statement in interchange::draw_file::check(&sealed) {
        assert!(statement.holds(), "{statement}");
    }
    let blacks = |boards: &Value| -> Vec<u64> {
        let boards = boards.as_array().expect("boards").iter();
        boards.filter_map(|board| board["black"].as_u64()).collect()
    };
    assert_eq!(blacks(&draw.json()["table"]["boards"]), blacks(&second["boards"]));
}

#[sqlx::test(migrations = "../../migrations")]
async fn directors_learn_why_a_round_is_paired_so_and_the_public_does_not(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 9).await;
    server.round(&event).await;
    server.results(&event, 1, "bwdb").await;
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await
        .json();
    let why = async |round: u32, query: &str| {
        server
            .as_director("GET", &format!("{event}/rounds/{round}/why{query}"))
            .send()
            .await
    };
    let told = why(2, "").await;
    assert_eq!(told.status, 200, "{}", told.text());
    let told = told.json();
    for value in told["values"].as_array().expect("values") {
        assert_ne!(value["proof"], "better", "{value}");
        assert!(value["reached"].as_i64() >= value["least"].as_i64(), "{value}");
    }
    assert_eq!(told["byes"][0]["number"], draft["byes"][0]);
    assert_eq!(told["boards"].as_array().map(Vec::len), Some(4));
    let pair = &draft["boards"][0];
    let meet = why(2, &format!("?one={}&other={}", pair["black"], pair["white"]))
        .await
        .json();
    assert_eq!(meet["why_not"]["code"], "meet", "{meet}");
    let other = why(
        2,
        &format!(
            "?one={}&other={}&board=1",
            pair["black"], draft["boards"][3]["white"]
        ),
    )
    .await
    .json();
    assert_ne!(other["why_not"]["code"], "meet");
    assert_eq!(other["board"]["board"], 1);
    for (query, status, problem) in [
        ("?one=1&other=99", 404, "unknown-entry"),
        ("?board=77", 404, "unknown-board"),
    ] {
        let answer = why(2, query).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (status, problem),
            "{query}"
        );
    }
    assert_eq!(why(3, "").await.status, 404);
    for round in [1, 2, 3] {
        let answer = server.get(&format!("{event}/rounds/{round}/why")).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (401, "sign-in-needed")
        );
    }
}
