//! Game records over HTTP: brought by directors and players, kept in every version, never a result.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::{Answer, Request, Server};

const BLACK_RESIGNS: &str = "(;GM[1]FF[4]SZ[19]KM[7.5]PB[B]PW[A]RE[W+R];B[pd];W[dp];B[pp];W[dd])";

fn sgf(request: Request, text: impl Into<Vec<u8>>) -> Request {
    request.header("content-type", "application/x-go-sgf").body(text)
}

/// A record of the right board: the names, and a result.
fn record(black: &str, white: &str, result: &str) -> String {
    format!("(;GM[1]FF[4]SZ[19]KM[3.75]PB[{black}]PW[{white}]RE[{result}];B[pd];W[dp];B[pp];W[dd])")
}

struct Hall {
    server: Server,
    event: String,
}

impl Hall {
    /// An event of which round 1 is published: board 1 is A against B, board 2 C against D, and so on.
    async fn open(pool: PgPool, players: u32) -> Self {
        let server = Server::start(pool).await;
        let event = server.event("Spring Open", 5, players).await;
        let pairs: Vec<(u32, u32)> = (0..players / 2).map(|i| (2 * i + 1, 2 * i + 2)).collect();
        server.round_of(&event, &pairs, &[]).await;
        Self { server, event }
    }

    fn path(&self, board: u32) -> String {
        format!("{}/rounds/1/boards/{board}/record", self.event)
    }

    /// The page of a board of round 1.
    async fn page(&self, board: u32) -> String {
        let event = self.server.get(&self.event).await.json();
        let slug = event["slug"].as_str().expect("a slug");
        format!("///e/{slug}/rounds/1/boards/{board}")
    }

    async fn bring(&self, board: u32, text: &str) -> Answer {
        sgf(self.server.as_director("PUT", &self.path(board)), text)
            .send()
            .await
    }

    async fn bring_with(&self, board: u32, code: &str, text: &str) -> Answer {
        let request = self
            .server
            .request("PUT", &self.path(board))
            .header("board-code", code);
        sgf(request, text).send().await
    }

    async fn result(&self, board: u32) -> Value {
        let path = format!("{}/rounds/1/boards/{board}/result", self.event);
        self.server.get(&path).await.json()
    }

    async fn codes(&self) -> Vec<String> {
        let path = format!("{}/rounds/1/codes", self.event);
        let answer = self.server.as_director("GET", &path).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let codes = answer.json();
        codes["items"]
            .as_array()
            .expect("codes")
            .iter()
            .map(|item| item["code"].as_str().expect("a code").to_owned())
            .collect()
    }
}

fn finding_codes(answer: &Value) -> Vec<&str> {
    answer["verdict"]["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|finding| finding["code"].as_str())
        .collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_record_that_contradicts_the_board_is_kept_and_flagged_and_changes_nothing(pool: PgPool) {
    let hall = Hall::open(pool, 14).await;
    let entries = format!("{}/entries/9", hall.event);
    let named = hall.server.patch(&entries, &json!({"name": "李测试"})).await;
    assert_eq!(named.status, 200, "{}", named.text());
    let put = hall
        .server
        .as_director("PUT", &format!("{}/rounds/1/boards/5/result", hall.event))
        .json(&json!({"result": "black", "by": "resignation"}))
        .send()
        .await;
    assert_eq!(put.status, 200, "{}", put.text());
    let entered = hall.result(5).await;
    let flags = async || {
        let path = format!("{}/records", hall.event);
        let answer = hall.server.as_director("GET", &path).send().await.json();
        answer["flagged"].clone()
    };

    // The other colours and the other winner: two things, told apart.
    let wrong = hall.bring(5, &record("J", "李测试", "W+R")).await;
    assert_eq!(wrong.status, 201, "{}", wrong.text());
    let wrong = wrong.json();
    assert_eq!(wrong["contradicts"], true);
    assert_eq!(wrong["contradictions"], json!(["result", "names"]));
    let codes = finding_codes(&wrong);
    assert!(
        codes.contains(&"names-swapped") && codes.contains(&"result-against-board"),
        "{codes:?}"
    );
    let flagged = flags().await;
    assert_eq!(flagged[0]["board"], 5);
    assert_eq!(flagged[0]["contradictions"], json!(["result", "names"]));
    assert_eq!(flagged[0]["recorded"], "W+R");

    let nameless = hall.bring(5, &record("", "", "W+R")).await.json();
    assert_eq!(nameless["contradictions"], json!(["result"]));
    assert_eq!(nameless["replaced"], 1);
    // A name in another script is a warning at most.
    let latin = hall.bring(5, &record("Li Ceshi", "J", "B+R")).await.json();
    assert_eq!(
        (&latin["contradicts"], &latin["contradictions"]),
        (&json!(false), &json!([]))
    );
    assert!(!finding_codes(&latin).contains(&"name-differs"));
    assert_eq!(flags().await, json!([]));
    assert_eq!(hall.result(5).await, entered, "a record is no result");

    // A correction of the result is compared at once.
    let corrected = hall
        .server
        .as_director("PUT", &format!("{}/rounds/1/boards/5/result", hall.event))
        .header("if-match", "*")
        .json(&json!({"result": "white"}))
        .send()
        .await;
    assert_eq!(corrected.status, 200, "{}", corrected.text());
    assert_eq!(flags().await[0]["contradictions"], json!(["result"]));
    let now = hall.server.get(&hall.path(5)).await.json();
    assert_eq!(now["verdict"]["agrees_with_entered"], "no");

    // The same file on another board is pointed out, and kept all the same.
    let again = hall.bring(7, &record("Li Ceshi", "J", "B+R")).await;
    assert_eq!(again.status, 201, "{}", again.text());
    assert_eq!(again.json()["duplicate_of"], json!([{"round": 1, "board": 5}]));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_record_is_shown_given_out_withdrawn_and_brought_back(pool: PgPool) {
    let hall = Hall::open(pool, 4).await;
    let path = hall.path(1);
    assert_eq!(hall.server.get(&path).await.problem(), "no-record");
    let before = hall.server.log_length(&hall.event).await;
    let first = record("A", "B", "B+R");
    let brought = hall.bring(1, &first).await;
    assert_eq!(
        (brought.status, brought.json()["changed"].clone()),
        (201, json!(true))
    );
    for _ in 0..2 {
        let same = hall.bring(1, &first).await;
        assert_eq!((same.status, same.json()["changed"].clone()), (200, json!(false)));
    }
    assert_eq!(hall.server.log_length(&hall.event).await, before + 1);

    let shown = hall.server.get(&path).await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    let etag = shown.header("etag").expect("a tag").to_owned();
    let unchanged = hall.server.request("GET", &path).header("if-none-match", &etag);
    assert_eq!(unchanged.send().await.status, 304);
    let shown = shown.json();
    assert_eq!(shown["record"]["version"], 1);
    assert_eq!(shown["record"]["brought_by"], Value::Null, "not for the public");
    assert_eq!(shown["verdict"]["moves"].as_array().map(Vec::len), Some(4));

    let file = hall
        .server
        .request("GET", &path)
        .header("accept", "application/x-go-sgf")
        .send()
        .await;
    assert_eq!((file.status, &file.body[..]), (200, first.as_bytes()));
    assert_eq!(file.header("content-type"), Some("application/x-go-sgf"));
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"round-1-board-1.sgf\"")
    );
    assert_eq!(file.header("x-content-type-options"), Some("nosniff"));

    let second = record("A", "B", "B+T");
    assert_eq!(hall.bring(1, &second).await.json()["replaced"], 1);
    let withdraw = async |if_match: &str| {
        let request = hall.server.as_director("DELETE", &path);
        request.header("if-match", if_match).send().await
    };
    let stale = withdraw("\"1\"").await;
    assert_eq!(
        (stale.status, stale.json()["current"]["version"].clone()),
        (412, json!(2))
    );
    assert_eq!(withdraw("\"2\"").await.status, 200);
    assert_eq!(hall.server.get(&path).await.status, 404);
    assert_eq!(withdraw("*").await.problem(), "no-record");

    let versions = format!("{}s", hall.path(1));
    let kept = hall.server.as_director("GET", &versions).send().await.json();
    let kept: Vec<(&Value, &Value)> = kept["items"]
        .as_array()
        .expect("versions")
        .iter()
        .map(|one| (&one["version"], &one["status"]))
        .collect();
    assert_eq!(
        kept,
        [(&json!(2), &json!("withdrawn")), (&json!(1), &json!("replaced"))]
    );
    let old = hall
        .server
        .as_director("GET", &format!("{versions}/2"))
        .send()
        .await;
    assert_eq!(old.body, second.as_bytes());
    let back = hall
        .server
        .as_director("POST", &format!("{versions}/2/bring-back"))
        .send()
        .await;
    assert_eq!((back.status, back.json()["changed"].clone()), (200, json!(true)));
    let shown = hall.server.as_director("GET", &path).send().await.json();
    assert_eq!(
        (&shown["record"]["version"], &shown["record"]["brought_by"]),
        (&json!(2), &json!("director-1"))
    );
    for closed in [
        versions.clone(),
        format!("{versions}/1"),
        format!("{}/records", hall.event),
    ] {
        assert_eq!(hall.server.get(&closed).await.status, 401, "{closed}");
    }
    assert_eq!(hall.server.request("DELETE", &path).send().await.status, 401);

    let log = format!("{}/log?round=1&board=1", hall.event);
    let log = hall.server.as_director("GET", &log).send().await.json();
    let acts: Vec<&str> = log["items"]
        .as_array()
        .expect("acts")
        .iter()
        .filter_map(|act| act["action"].as_str())
        .collect();
    assert_eq!(
        acts,
        [
            "record-brought-back",
            "record-withdrawn",
            "record-replaced",
            "record-brought"
        ]
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_player_brings_the_record_of_the_own_board_only(pool: PgPool) {
    let hall = Hall::open(pool, 4).await;
    let text = record("A", "B", "B+R");
    let nobody = sgf(hall.server.request("PUT", &hall.path(1)), text.clone())
        .send()
        .await;
    assert_eq!(
        (nobody.status, nobody.problem().as_str()),
        (401, "sign-in-needed")
    );
    assert_eq!(hall.codes().await, [""; 0]);
    let refused = hall.bring_with(1, "abcd-efgh-ijkm", &text).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (403, "record-by-directors")
    );

    let settings = json!({"records": {"from_players": true}});
    let open = hall
        .server
        .as_director("PATCH", &hall.event)
        .json(&settings)
        .send()
        .await;
    assert_eq!(open.json()["records"]["from_players"], true, "{}", open.text());
    let codes = hall.codes().await;
    assert_eq!(
        hall.server
            .get(&format!("{}/rounds/1/codes", hall.event))
            .await
            .status,
        401
    );
    for wrong in ["abcd-efgh-ijkm", codes[1].as_str(), "", "对局"] {
        let refused = hall.bring_with(1, wrong, &text).await;
        // What no header can hold, and nothing, is no code.
        let (status, code) = match wrong {
            "" | "对局" => (401, "record-needs-code"),
            _ => (403, "record-wrong-code"),
        };
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (status, code),
            "{wrong}"
        );
    }
    assert_eq!(
        hall.server.get(&hall.path(1)).await.status,
        404,
        "nothing is kept"
    );
    let brought = hall.bring_with(1, &codes[0].to_uppercase(), &text).await;
    assert_eq!(brought.status, 201, "{}", brought.text());
    let by_query = format!("{}?code={}", hall.path(2), codes[1]);
    let brought = sgf(hall.server.request("PUT", &by_query), record("C", "D", "0"))
        .send()
        .await;
    assert_eq!(brought.status, 201, "{}", brought.text());
    assert_eq!(brought.json()["record"]["from_player"], true);
    // Players withdraw nothing.
    let withdraw = hall
        .server
        .request("DELETE", &hall.path(1))
        .header("board-code", &codes[0]);
    assert_eq!(withdraw.send().await.status, 401);
    let log = hall
        .server
        .as_director("GET", &format!("{}/log", hall.event))
        .send()
        .await
        .json();
    let actor = &log["items"][1]["actor"];
    assert_eq!(
        (&actor["name"], &actor["role"], &actor["via"]),
        (&json!("A / B"), &json!("player"), &json!("code"))
    );
    // No code stands in the log or in the event file.
    let file = hall
        .server
        .as_director("GET", &format!("{}/export", hall.event))
        .send()
        .await;
    assert_eq!(file.json()["event"]["records"], json!({"from_players": true}));
    for text in [log.to_string(), file.text()] {
        assert!(codes.iter().all(|code| !text.contains(code.as_str())));
    }

    // Guessing ends soon, also for the right code, and only there.
    for _ in 0..10 {
        hall.bring_with(1, "abcd-efgh-ijkm", &text).await;
    }
    let limited = hall.bring_with(1, &codes[0], &text).await;
    assert_eq!(
        (limited.status, limited.problem().as_str()),
        (429, "too-many-codes")
    );
    assert!(limited.header("retry-after").is_some());
    assert_eq!(
        hall.bring_with(2, &codes[1], &record("C", "D", "0")).await.status,
        200
    );
    hall.server.pass(TimeDelta::minutes(10));
    assert_eq!(hall.bring_with(1, &codes[0], &text).await.status, 200);

    let renew = format!("{}/codes/renew", hall.event);
    assert_eq!(hall.server.as_director("POST", &renew).send().await.status, 204);
    assert_eq!(hall.bring_with(1, &codes[0], &text).await.status, 403);
    assert_ne!(hall.codes().await, codes);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_draft_and_a_hidden_event_take_no_record_and_show_none(pool: PgPool) {
    let hall = Hall::open(pool, 4).await;
    let settings = json!({"records": {"from_players": true}});
    hall.server.patch(&hall.event, &settings).await;
    hall.server.results(&hall.event, 1, "bb").await;
    let draft = hall
        .server
        .as_director("POST", &format!("{}/rounds", hall.event))
        .send()
        .await;
    assert_eq!(draft.status, 201, "{}", draft.text());
    let ask = async |method: &str, round: u32, board: u32| {
        let path = format!("{}/rounds/{round}/boards/{board}/record", hall.event);
        let request = hall
            .server
            .request(method, &path)
            .header("board-code", "abcd-efgh-ijkm");
        let answer = sgf(request, record("A", "C", "0")).send().await;
        (answer.status, answer.problem())
    };
    for method in ["GET", "PUT"] {
        let there = ask(method, 2, 1).await;
        assert_eq!(there, ask(method, 3, 1).await, "a draft is not there");
        assert_eq!(there, (404, "unknown-round".to_owned()));
        assert_eq!(ask(method, 1, 9).await, (404, "unknown-board".to_owned()));
    }
    let path = format!("{}/rounds/2/boards/1/record", hall.event);
    let early = sgf(hall.server.as_director("PUT", &path), record("A", "C", "0"))
        .send()
        .await;
    assert_eq!(early.problem(), "not-published");
    // Who may see the draft is told what it waits for.
    for of_board in [
        "boards/1/record",
        "boards/1/records",
        "boards/1/records/1",
        "codes",
    ] {
        let path = format!("{}/rounds/2/{of_board}", hall.event);
        let early = hall.server.as_director("GET", &path).send().await;
        assert_eq!(
            (early.status, early.problem()),
            (409, "not-published".to_owned()),
            "{path}"
        );
    }
    hall.bring(1, &record("A", "B", "B+R")).await;
    hall.server
        .patch(&hall.event, &json!({"visibility": "hidden"}))
        .await;
    assert_eq!(hall.server.get(&hall.path(1)).await.problem(), "unknown-event");
    assert_eq!(ask("PUT", 1, 1).await, (404, "unknown-event".to_owned()));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_file_that_cannot_be_judged_is_refused_with_its_place_or_its_games(pool: PgPool) {
    let hall = Hall::open(pool, 4).await;
    let refused = async |text: &str| {
        let answer = hall.bring(1, text).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (422, "record-refused"),
            "{text}: {}",
            answer.text()
        );
        answer.json()
    };
    for (text, code) in [
        ("hello", "no-tree"),
        ("\u{0}\u{1}\u{2}PK\u{3}\u{4}", "no-tree"),
        ("(;GM[2];B[aa])", "not-go"),
        ("(;SZ[13];B[aa])", "size-not-played"),
        ("(;SZ[13:9];B[aa])", "size-not-played"),
        ("(;SZ[53];B[aa])", "bad-size"),
    ] {
        let problem = refused(text).await;
        assert_eq!(problem["refusal"]["code"], code, "{text}");
        assert_eq!(problem["detail"], problem["refusal"]["text"]);
    }
    let place = refused("(;SZ[19]\nAB[zz];B[aa])").await;
    assert_eq!(place["errors"][0]["line"], 2, "{place}");
    let two = format!("{}{}", record("A", "B", "B+R"), record("C", "D", "W+R"));
    let several = refused(&two).await;
    assert_eq!(several["refusal"]["code"], "several-games");
    assert_eq!(several["refusal"]["games"][1]["black"], "C");
    // The games of one file go to their boards, and that is no duplicate.
    for (board, game) in [(1, 1), (2, 2)] {
        let path = format!("{}?game={game}", hall.path(board));
        let brought = sgf(hall.server.as_director("PUT", &path), two.clone())
            .send()
            .await;
        assert_eq!(brought.status, 201, "{}", brought.text());
        let brought = brought.json();
        assert_eq!(
            (&brought["record"]["game"], &brought["duplicate_of"]),
            (&json!(game), &json!([]))
        );
    }
    let path = format!("{}?game=3", hall.path(1));
    let missing = sgf(hall.server.as_director("PUT", &path), two)
        .send()
        .await
        .json();
    assert_eq!(missing["refusal"]["code"], "no-such-game");
    let path = format!("{}?dead=cc,7", hall.path(1));
    let point = sgf(hall.server.as_director("PUT", &path), BLACK_RESIGNS)
        .send()
        .await;
    assert_eq!(point.json()["errors"][0]["path"], "dead");
    let media = hall
        .server
        .as_director("PUT", &hall.path(1))
        .json(&json!({}))
        .send()
        .await;
    assert_eq!(media.status, 415);
    let told = media.text();
    assert!(
        told.contains("text/plain") && told.contains("application/x-go-sgf"),
        "{told}"
    );
    // What no database keeps in a text is kept in the file.
    let nul = hall
        .bring(1, "(;SZ[19]PB[A]PW[B]C[a\u{0}b]RE[B+R\u{0}];B[pd])")
        .await;
    assert_eq!(nul.status, 201, "{}", nul.text());
}

#[sqlx::test(migrations = "../../migrations")]
async fn komi_and_handicap_that_differ_are_told_and_nothing_fails(pool: PgPool) {
    let hall = Hall::open(pool, 4).await;
    for komi in ["KM[375]", "KM[]", "KM[7目半]", "KM[6,5]", "KM[-5.5]", "", "KM[0]"] {
        let text = format!("(;SZ[19]{komi}PB[A]PW[B]RE[B+R];B[pd];W[dp])");
        let brought = hall.bring(1, &text).await;
        assert_eq!(brought.status, 201, "{komi}: {}", brought.text());
        assert_eq!(brought.json()["verdict"]["komi"], "3.75", "{komi}");
    }
    for (setup, code) in [
        ("HA[7]AB[dd][pd]", Some("handicap-differs")),
        ("HA[3]", Some("handicap-differs")),
        ("AB[dd][pp]", Some("handicap-differs")),
        ("HA[0]AB[]", None),
    ] {
        let text = format!("(;SZ[19]KM[3.75]{setup}PB[C]PW[D]RE[W+R];W[pp];B[dp])");
        let brought = hall.bring(2, &text).await;
        assert_eq!(brought.status, 201, "{setup}: {}", brought.text());
        let brought = brought.json();
        assert_eq!(
            code.is_some_and(|code| finding_codes(&brought).contains(&code)),
            code.is_some(),
            "{setup}: {:?}",
            finding_codes(&brought)
        );
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_record_is_checked_without_an_account_and_nothing_is_kept(pool: PgPool) {
    let hall = Hall::open(pool, 4).await;
    let check = async |query: &str, text: &str| {
        let request = hall.server.request("POST", &format!("/records/check{query}"));
        request
            .header("content-type", "text/plain")
            .body(text)
            .send()
            .await
    };
    let checked = check(
        "?rules=japanese&komi=6.5&on_repetition=no_result&size=19&handicap=0",
        BLACK_RESIGNS,
    )
    .await;
    assert_eq!(checked.status, 200, "{}", checked.text());
    let checked = checked.json();
    assert_eq!(checked["verdict"]["rules"], "japanese");
    assert_eq!(checked["verdict"]["agrees_with_entered"], "unknown");
    assert_eq!(checked["moves_left_out"], 0);
    for (query, path) in [("?komi=much", "komi"), ("?size=1", "size"), ("?dead=x", "dead")] {
        let refused = check(query, BLACK_RESIGNS).await;
        assert_eq!(refused.status, 422, "{query}");
        assert_eq!(refused.json()["errors"][0]["path"], path);
    }
    assert_eq!(check("?colour=red", BLACK_RESIGNS).await.status, 400);
    let mut limited = 0;
    for _ in 0..130 {
        limited = check("", "x").await.status;
        if limited == 429 {
            break;
        }
    }
    assert_eq!(limited, 429);
    let account = hall.server.as_director("POST", "/records/check");
    assert_eq!(sgf(account, BLACK_RESIGNS).send().await.status, 200);
    hall.server.pass(TimeDelta::minutes(1));
    assert_eq!(check("", BLACK_RESIGNS).await.status, 200);
}

/// A record of so many moves on a large board, each with a point of its own as long as there are some.
fn long_record(moves: usize) -> String {
    let mut text = "(;GM[1]FF[4]SZ[19]KM[3.75]PB[A]PW[B]".to_owned();
    for number in 0..moves {
        let side = if number % 2 == 0 { 'B' } else { 'W' };
        let letter = |place: usize| char::from(b'a' + u8::try_from(place % 19).expect("small"));
        text.extend([';', side, '[', letter(number), letter(number / 19), ']']);
    }
    text.push(')');
    text
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_record_of_monstrous_length_has_a_page_of_ordinary_size(pool: PgPool) {
    let hall = Hall::open(pool, 4).await;
    let brought = hall.bring(1, &long_record(99_000)).await;
    assert_eq!(brought.status, 201, "{}", brought.text());
    assert_eq!(brought.json()["moves_left_out"], 94_000);
    let page = async |query: &str| {
        let path = format!("{}{query}", hall.page(1).await);
        let started = Instant::now();
        let answer = hall.server.request("GET", &path).send().await;
        assert_eq!(answer.status, 200, "{path}");
        let text = answer.text();
        println!("{path}: {} bytes, {:?}", text.len(), started.elapsed());
        text
    };
    for query in ["", "", "?move=50000", "?move=0"] {
        let text = page(query).await;
        assert!(text.len() < 700_000, "{} bytes", text.len());
        assert!(!text.contains("game-data"));
        assert_eq!(text.matches("<span class=\"mn\">").count(), 2_000);
    }
    let middle = page("?move=50000").await;
    assert!(middle.contains("move=49999") && middle.contains("move=50010"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_record_that_can_be_judged_no_longer_is_listed_and_told_of(pool: PgPool) {
    let hall = Hall::open(pool, 4).await;
    assert_eq!(hall.bring(1, &record("A", "B", "B+R")).await.status, 201);
    let listed = async || {
        let path = format!("{}/records", hall.event);
        hall.server.as_director("GET", &path).send().await.json()["flagged"].clone()
    };
    assert_eq!(listed().await, json!([]));
    let settings = json!({"records": {"board_size": 9}});
    let changed = hall.server.patch(&hall.event, &settings).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let flagged = listed().await;
    assert_eq!(
        (&flagged[0]["board"], &flagged[0]["other_board"]),
        (&json!(1), &json!(true))
    );
    let shown = hall.server.get(&hall.path(1)).await.json();
    assert_eq!(shown["refusal"]["code"], "size-not-played");
    let page = hall.server.get(&hall.page(1).await).await.text();
    assert!(page.contains("/record.sgf") && page.contains("19"), "{page}");
    let back = hall
        .server
        .patch(&hall.event, &json!({"records": {"board_size": 19}}))
        .await;
    assert_eq!(back.status, 200, "{}", back.text());
    assert_eq!(listed().await, json!([]));
}

/// What somebody may send to hurt: each with the statuses that are an answer.
fn hostile() -> Vec<(Vec<u8>, &'static [u16])> {
    let most = 1024 * 1024;
    let moves = |count: usize| {
        let mut text = "(;SZ[19]".to_owned();
        for number in 0..count {
            let side = if number % 2 == 0 { 'B' } else { 'W' };
            let letter = |place: usize| char::from(b'a' + u8::try_from(place % 19).expect("small"));
            text.extend([';', side, '[', letter(number), letter(number / 19), ']']);
        }
        text.push(')');
        text.into_bytes()
    };
    let mut branches = "(;SZ[19];B[aa]".repeat(200);
    branches.push_str(&")".repeat(200));
    let long_game = {
        let mut text = String::from_utf8(moves(300)).expect("text");
        text.pop();
        text.push_str(&";B[];W[]".repeat(250));
        for _ in 0..200 {
            text.push_str("(;B[aa](;W[bb])");
        }
        text.push_str(&")".repeat(201));
        text.into_bytes()
    };
    vec![
        (";".repeat(100_000).into_bytes(), &[422]),
        ("(;".repeat(most / 2).into_bytes(), &[201, 200, 422]),
        ("(".repeat(50_000).into_bytes(), &[422]),
        ([b"(;C[", &vec![b'x'; 20 * most][..], b"])"].concat(), &[413]),
        (moves(100_000), &[201, 200, 422]),
        (
            format!("(;SZ[19]{})", "AB[zz]".repeat(1_000)).into_bytes(),
            &[422],
        ),
        (branches.into_bytes(), &[201, 200, 422]),
        (b"(;SZ[19];B[pd];W[d".to_vec(), &[201, 200, 422]),
        (vec![0xff; 5_000], &[422]),
        (b"PK\x03\x04\x14\x00".repeat(1_000), &[422]),
        (Vec::new(), &[422]),
        (
            format!("(;SZ[19]C[{}];B[pd])", "[\\]".repeat(100_000)).into_bytes(),
            &[201, 200, 422],
        ),
        (long_game, &[201, 200]),
        (record("A", "B", "B+R").into_bytes(), &[201, 200]),
    ]
}

#[sqlx::test(migrations = "../../migrations")]
async fn twenty_uploads_at_once_are_each_answered_soon_and_never_with_a_failure(pool: PgPool) {
    // Twenty at once on a slow machine, built without optimization, beside other tests.
    const SOON: Duration = Duration::from_secs(if cfg!(debug_assertions) { 40 } else { 2 });
    let hall = Hall::open(pool, 40).await;
    let files = hostile();
    let mut uploads = tokio::task::JoinSet::new();
    for (index, (bytes, expected)) in files.iter().cycle().take(20).cloned().enumerate() {
        let board = u32::try_from(index).expect("few") + 1;
        let request = sgf(hall.server.as_director("PUT", &hall.path(board)), bytes);
        uploads.spawn(async move {
            let begun = Instant::now();
            let answer = request.send().await;
            (index, answer, expected, begun.elapsed())
        });
    }
    // Others are not made to wait.
    let begun = Instant::now();
    assert_eq!(hall.server.get(&hall.event).await.status, 200);
    assert!(begun.elapsed() < SOON);
    while let Some(done) = uploads.join_next().await {
        let (index, answer, expected, took) = done.expect("an answer");
        assert!(
            expected.contains(&answer.status),
            "file {index}: {} {}",
            answer.status,
            answer.text().chars().take(300).collect::<String>()
        );
        assert!(took < SOON, "file {index} took {took:?}");
    }
}
