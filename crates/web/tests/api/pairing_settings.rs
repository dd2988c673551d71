//! Settings of the pairing, what is fixed before a round is paired, and colours from nigiri.

use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::{Answer, Server};

async fn pair(server: &Server, event: &str, body: &Value) -> Answer {
    server.post(&format!("{event}/rounds"), body).await
}

fn pairs(round: &Value) -> Vec<[u64; 2]> {
    let boards = round["boards"].as_array().expect("boards");
    boards
        .iter()
        .map(|board| {
            let mut pair = ["black", "white"].map(|side| board[side].as_u64().expect("a number"));
            pair.sort_unstable();
            pair
        })
        .collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_setting_is_set_read_back_exported_and_taken_in_again(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    let every = json!({
        "order": "slide", "order_by": "number", "number_order": "descending", "avoid_team_rounds": 2,
        "team_avoidance": "strong", "forbidden_pairs": [[1, 2], [3, 6]], "unwanted_pairs": [[1, 5]],
        "third_colour": "avoided", "colours": "alternate", "bye_score": 1, "absent_score": 1,
        "forfeits_may_meet_again": true, "avoid_repeated_floats": false, "stop_at": 8,
    });
    let set = server
        .patch(&event, &json!({"pairing": every, "reason": "siblings"}))
        .await;
    assert_eq!(
        (set.status, &set.json()["pairing"]),
        (200, &every),
        "{}",
        set.text()
    );
    assert_eq!(server.get(&event).await.json()["pairing"], every);
    // One more setting leaves the others; null takes the score away at which somebody stops.
    let changed = server
        .patch(
            &event,
            &json!({"pairing": {"colours": "number", "stop_at": null}}),
        )
        .await
        .json();
    assert_eq!(changed["pairing"]["stop_at"], Value::Null);
    assert_eq!(changed["pairing"]["forbidden_pairs"], every["forbidden_pairs"]);
    let file = server
        .as_director("GET", &format!("{event}/export"))
        .send()
        .await
        .json();
    assert_eq!(file["event"]["pairing"]["order"], "slide");
    let copy = server.post("/events/import", &file).await;
    assert_eq!(copy.status, 201, "{}", copy.text());
    assert_eq!(copy.json()["pairing"], changed["pairing"]);
    // And it pairs by them: 1–6 would be first, 3–6 is forbidden as well.
    let paired = pair(&server, &event, &json!({})).await;
    assert_eq!(paired.status, 201, "{}", paired.text());
    assert_eq!(pairs(&paired.json()), [[1, 6], [2, 5], [3, 4]]);
}

#[sqlx::test(migrations = "../../migrations")]
async fn settings_that_cannot_be_are_refused_with_their_place(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let before = server.get(&event).await.json();
    for (pairing, path) in [
        (json!({"forbidden_pairs": [[1, 9]]}), "forbidden_pairs"),
        (json!({"unwanted_pairs": [[2, 2]]}), "unwanted_pairs"),
        (
            json!({"forbidden_pairs": [[0, 1]]}),
            "pairing.forbidden_pairs[0][0]",
        ),
        (json!({"stop_at": 0}), "stop_at"),
        (json!({"colours": "red"}), "pairing.colours"),
        (json!({"forbidden_pairs": [[1, 2, 3]]}), "pairing.forbidden_pairs"),
    ] {
        let refused = server.patch(&event, &json!({"pairing": pairing})).await;
        assert_eq!(refused.status, 422, "{pairing}: {}", refused.text());
        let found = refused.json()["errors"][0]["path"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(found.contains(path), "{found} for {pairing}");
    }
    assert_eq!(server.get(&event).await.json(), before);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_ban_is_never_broken_and_the_refusal_names_whom_and_the_ways_out(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Youth", 3, 4).await;
    server
        .patch(&event, &json!({"pairing": {"forbidden_pairs": [[1, 2]]}}))
        .await;
    server.round_of(&event, &[(1, 3), (2, 4)], &[]).await;
    server.results(&event, 1, "bb").await;
    server.round_of(&event, &[(4, 1), (3, 2)], &[]).await;
    server.results(&event, 2, "bb").await;
    let refused = pair(&server, &event, &json!({})).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "repeats-needed"),
        "{}",
        refused.text()
    );
    let told = refused.json();
    assert_eq!(told["because"]["rules"], json!(["forbidden", "met"]), "{told}");
    let detail = told["detail"].as_str().expect("a sentence");
    for word in ["1 A", "2 B", "forbidden pairs", "confirm repeats"] {
        assert!(detail.contains(word), "{word} in {detail}");
    }
    let paired = pair(&server, &event, &json!({"confirm": {"repeats": true}})).await;
    assert_eq!(paired.status, 201, "{}", paired.text());
    let pairs = pairs(&paired.json());
    assert!(!pairs.contains(&[1, 2]), "{pairs:?}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn one_board_is_fixed_and_the_rest_is_paired_around_it(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Club", 5, 9).await;
    server
        .round_of(&event, &[(1, 2), (3, 4), (6, 7), (8, 9)], &[5])
        .await;
    server.results(&event, 1, "bbbb").await;
    let fixed = json!({"fixed": [[6, 3]], "reason": "a photograph"});
    let paired = pair(&server, &event, &fixed).await;
    assert_eq!(paired.status, 201, "{}", paired.text());
    let round = paired.json();
    assert_eq!(
        round["choices"],
        json!({"fixed": [[3, 6]], "apart": [], "byes": [], "sitting_out": []})
    );
    let pairs = pairs(&round);
    assert!(pairs.contains(&[3, 6]), "{pairs:?}");
    assert_eq!(pairs.len(), 4);
    assert!(
        round["byes"]
            .as_array()
            .is_some_and(|byes| byes.len() == 1 && byes[0] != 5),
        "{round}"
    );
    for met in [[1, 2], [3, 4], [6, 7], [8, 9]] {
        assert!(!pairs.contains(&met), "{pairs:?}");
    }
    let log = server
        .as_director("GET", &format!("{event}/log"))
        .send()
        .await
        .json();
    assert_eq!(log["items"][0]["reason"], "a photograph");
    assert_eq!(log["items"][0]["after"]["choices"]["pairs"], json!([[3, 6]]));
    // What was fixed is part of the public draw, once it is published.
    server.publish(&event, 2).await;
    assert_eq!(
        server.get(&format!("{event}/rounds/2")).await.json()["choices"]["fixed"],
        json!([[3, 6]])
    );
    let draw = server.get(&format!("{event}/rounds/2/draw")).await.text();
    assert!(draw.contains("[[3,6]]") || draw.contains("[[3, 6]]"), "{draw}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_bye_that_goes_to_somebody_else_is_the_only_one(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Club", 5, 9).await;
    server
        .round_of(&event, &[(1, 2), (3, 4), (6, 7), (8, 9)], &[5])
        .await;
    server.results(&event, 1, "bbbb").await;
    let first = pair(&server, &event, &json!({})).await;
    let had = first.json()["byes"][0].as_u64().expect("a bye");
    let instead = if had == 2 { 4 } else { 2 };
    let version = first.header("etag").expect("a version");
    let thrown = server
        .as_director("DELETE", &format!("{event}/rounds/2"))
        .header("if-match", version)
        .send()
        .await;
    assert_eq!(thrown.status, 204, "{}", thrown.text());
    let again = pair(&server, &event, &json!({"byes": [instead]})).await.json();
    assert_eq!((&again["byes"], pairs(&again).len()), (&json!([instead]), 4));
    assert!(pairs(&again).iter().flatten().any(|number| *number == had));
}

#[sqlx::test(migrations = "../../migrations")]
async fn byes_that_are_asked_for_are_given_and_never_too_many(pool: PgPool) {
    let server = Server::start(pool).await;
    for (asked, boards, byes) in [(1, 2, 1), (2, 1, 3)] {
        let event = server.event("Club", 5, 5).await;
        for number in 1..=asked {
            let path = format!("{event}/entries/{number}");
            let entry = server.patch(&path, &json!({"bye_rounds": [1]})).await;
            assert_eq!((entry.status, &entry.json()["bye_rounds"]), (200, &json!([1])));
        }
        let paired = pair(&server, &event, &json!({})).await;
        assert_eq!(paired.status, 201, "{}", paired.text());
        let round = paired.json();
        let given = round["byes"].as_array().expect("byes");
        assert_eq!((pairs(&round).len(), given.len()), (boards, byes));
        for number in 1..=asked {
            assert!(given.contains(&json!(number)), "{given:?}");
        }
        server.publish(&event, 1).await;
    }
    let event = server.event("Club", 5, 5).await;
    for number in 1..=5 {
        server
            .patch(&format!("{event}/entries/{number}"), &json!({"bye_rounds": [1]}))
            .await;
    }
    let refused = pair(&server, &event, &json!({})).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "too-few-players")
    );
    let detail = refused.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(detail.contains("Take back a bye (1 A, 2 B"), "{detail}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn contradictions_are_all_named_and_nothing_is_made(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Club", 5, 8).await;
    let log = server.log_length(&event).await;
    let wrong = json!({
        "fixed": [[1, 2], [1, 3], [4, 5]], "apart": [[4, 5]], "byes": [6], "sitting_out": [6],
    });
    let refused = pair(&server, &event, &wrong).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "contradictions"),
        "{}",
        refused.text()
    );
    let told = refused.json();
    let said: Vec<&str> = told["errors"]
        .as_array()
        .expect("each")
        .iter()
        .filter_map(|error| error["detail"].as_str())
        .collect();
    assert_eq!(
        said,
        [
            "1 A is to meet both 2 B and 3 C.",
            "4 D and 5 E are to meet and to be kept apart.",
            "6 F has the bye and to sit out.",
        ],
        "{told}"
    );
    let both = pair(
        &server,
        &event,
        &json!({"fixed": [[1, 2]], "table": {"boards": []}}),
    )
    .await;
    assert_eq!(both.status, 422, "{}", both.text());
    let nobody = pair(&server, &event, &json!({"byes": [0]})).await;
    assert_eq!(nobody.json()["errors"][0]["path"], "byes[0]");
    assert_eq!(server.log_length(&event).await, log);
    // The public fixes nothing.
    let public = server
        .request("POST", &format!("{event}/rounds"))
        .json(&json!({"fixed": [[1, 2]]}))
        .send()
        .await;
    assert_eq!(public.status, 401);
}

#[sqlx::test(migrations = "../../migrations")]
async fn who_had_black_is_recorded_where_colours_come_from_nigiri_and_nowhere_else(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Club", 5, 4).await;
    server
        .patch(&event, &json!({"pairing": {"colours": "nigiri"}}))
        .await;
    let round = server.round(&event).await;
    assert!(
        round["boards"]
            .as_array()
            .is_some_and(|boards| boards.iter().all(|board| board["nigiri"] == true))
    );
    let board = &round["boards"][0];
    let path = format!("{event}/rounds/1/boards/1/result");
    let put = |body: Value, version: &Value| {
        server
            .as_director("PUT", &path)
            .header("if-match", &format!("\"{version}\""))
            .json(&body)
            .send()
    };
    let second = board["white"].clone();
    let had = put(json!({"result": "white", "black": second}), &board["version"]).await;
    assert_eq!(had.status, 200, "{}", had.text());
    let now = had.json();
    assert_eq!(
        (&now["black"], &now["white"], &now["nigiri"]),
        (&second, &board["black"], &json!(false))
    );
    let again = put(json!({"result": "white", "black": second}), &now["version"]).await;
    assert_eq!(again.json()["changed"], false, "{}", again.text());
    let public = server.get(&format!("{event}/rounds/1")).await.json();
    assert_eq!(
        (&public["boards"][0]["black"], &public["boards"][1]["nigiri"]),
        (&second, &json!(true))
    );

    let usual = server.event("Open", 5, 4).await;
    let round = server.round(&usual).await;
    let path = format!("{usual}/rounds/1/boards/1/result");
    let other = &round["boards"][0]["white"];
    let refused = server
        .as_director("PUT", &path)
        .json(&json!({"result": "black", "black": other}))
        .send()
        .await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (422, "colours-assigned")
    );
    assert!(
        refused.json()["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("Art. 17.1"))
    );
}
