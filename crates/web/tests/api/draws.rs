use interchange::draw_file;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::Server;

/// An event that draws lots, of so many rounds and entries; its path and its slug.
async fn by_lots(server: &Server, rounds: u32, entries: u32) -> (String, String) {
    let event = server.event("Lots", rounds, entries).await;
    let set = server
        .as_director("PATCH", &event)
        .header("if-match", "*")
        .json(&json!({"pairing": {"order": "random", "colours": "lots"}}))
        .send()
        .await;
    assert_eq!(set.status, 200, "{}", set.text());
    (event, set.json()["slug"].as_str().expect("a slug").to_owned())
}

async fn draw(server: &Server, event: &str, draw: &str) -> Value {
    let all = server.get(&format!("{event}/draws")).await.json();
    let all = all["items"].as_array().expect("draws").clone();
    all.into_iter()
        .rfind(|one| one["draw"] == draw)
        .unwrap_or_default()
}

fn assert_holds(body: &[u8]) {
    let sealed = draw_file::read(body).expect("a draw file");
    for statement in draw_file::check(&sealed) {
        assert!(statement.holds(), "{statement}");
    }
}

/// Every address that answers the public or directors about an event, as far as a draw is in it.
fn addresses(event: &str, slug: &str) -> Vec<String> {
    let api = [
        "",
        "/draws",
        "/entries",
        "/entries/1",
        "/entries/1/games",
        "/export",
        "/rounds",
        "/rounds/1",
        "/rounds/2",
        "/rounds/1/draw",
        "/rounds/2/draw",
        "/numbers/draw",
        "/groups/draw",
        "/standings",
        "/crosstable",
        "/log",
        "/log/file",
        "/rounds/2/boards/1/result",
    ];
    let public = [
        "",
        "/rounds/1",
        "/rounds/2",
        "/standings",
        "/crosstable",
        "/players/1",
        "/find?q=A",
        "/draw/1",
        "/draw/2",
        "/draw/3",
        "/draw/numbers",
        "/draw/groups",
    ];
    let manage = [
        "",
        "/entries",
        "/rounds",
        "/rounds/1",
        "/rounds/2",
        "/draws",
        "/settings",
        "/log",
    ];
    let api = api.iter().map(|path| format!("{event}{path}"));
    let public = public.iter().map(|path| format!("///e/{slug}{path}"));
    let manage = manage.iter().map(|path| format!("///manage/e/{slug}{path}"));
    api.chain(public).chain(manage).collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_secret_is_told_to_nobody_before_its_round_is_published(pool: PgPool) {
    let server = Server::start(pool.clone()).await;
    let (event, slug) = by_lots(&server, 4, 8).await;
    server.round(&event).await;
    let word = server
        .post(
            &format!("{event}/draws/2/words"),
            &json!({"word": "天元", "said_by": "Coach"}),
        )
        .await;
    assert_eq!(word.status, 201, "{}", word.text());
    server.results(&event, 1, "bwbw").await;
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(draft.status, 201, "{}", draft.text());
    let hidden: Vec<String> =
        sqlx::query_scalar("select encode(secret, 'hex') from draws where revealed_at is null")
            .fetch_all(&pool)
            .await
            .expect("secrets");
    assert!(hidden.len() >= 2, "of round 2, of numbers and groups");
    let mut seen = 0;
    for path in addresses(&event, &slug) {
        for directs in [false, true] {
            let request = server.request("GET", &path);
            let request = if directs {
                request.token(&server.token)
            } else {
                request
            };
            let answer = request.send().await;
            seen += usize::from(answer.status == 200);
            let text = answer.text();
            for secret in &hidden {
                assert!(!text.contains(secret), "{path}");
            }
        }
    }
    assert!(seen > 40, "{seen}");
    // Not in what a refused change answers either.
    let late = server
        .post(&format!("{event}/draws/2/words"), &json!({"word": "late"}))
        .await;
    assert_eq!((late.status, late.problem().as_str()), (409, "words-closed"));
    assert!(hidden.iter().all(|secret| !late.text().contains(secret)));

    server.publish(&event, 2).await;
    let told = draw(&server, &event, "round 2").await;
    assert!(hidden.contains(&told["secret"].as_str().expect("a secret").to_owned()));
    let file = server.get(&format!("{event}/rounds/2/draw")).await;
    assert_holds(&file.body);
    assert_eq!(file.json()["words"], json!(["天元"]));
    assert_eq!(file.json()["commitment"], told["commitment"]);
    let page = server.get(&format!("///e/{slug}/draw/2")).await.text();
    for part in ["commitment", "secret", "seed"] {
        assert!(page.contains(told[part].as_str().expect(part)), "{part}");
    }
    assert!(page.contains("天元"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_is_promised_says_nothing_of_drafts(pool: PgPool) {
    let server = Server::start(pool).await;
    let (event, slug) = by_lots(&server, 4, 8).await;
    let paths = |round: u32| {
        [
            format!("{event}/draws"),
            event.clone(),
            format!("///e/{slug}"),
            format!("///e/{slug}/draw/{round}"),
            format!("///e/{slug}/draw/numbers"),
        ]
    };
    let public = async |round| {
        let mut told = Vec::new();
        for path in paths(round) {
            told.push(server.get(&path).await.text());
        }
        told
    };
    let before = public(1).await;
    assert!(before[3].starts_with("200"), "the promise is public at once");
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(draft.status, 201);
    assert_eq!(public(1).await, before);
    server.publish(&event, 1).await;
    assert_eq!(server.get(&format!("///e/{slug}/draw/3")).await.status, 404);
    // A promise that comes with the draft itself would tell of it: it waits for the publication.
    let set = server
        .as_director("PATCH", &event)
        .header("if-match", "*")
        .json(&json!({"pairing": {"order": "classic", "colours": "number"}}))
        .send()
        .await;
    assert_eq!(set.status, 200);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_promise_made_with_the_draft_waits_for_the_publication(pool: PgPool) {
    let server = Server::start(pool.clone()).await;
    let (event, slug) = by_lots(&server, 3, 8).await;
    // An event from before there were promises.
    sqlx::query("delete from draws")
        .execute(&pool)
        .await
        .expect("deleted");
    let before = server.get(&format!("{event}/draws")).await.text();
    let draft = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(draft.status, 201);
    assert_eq!(server.get(&format!("{event}/draws")).await.text(), before);
    assert_eq!(server.get(&format!("///e/{slug}/draw/1")).await.status, 404);
    server.publish(&event, 1).await;
    let told = draw(&server, &event, "round 1").await;
    assert_eq!(told["promised_beforehand"], false);
    let page = server.get(&format!("///e/{slug}/draw/1")).await.text();
    assert!(page.contains("was not promised beforehand"), "{page}");
    assert_holds(&server.get(&format!("{event}/rounds/1/draw")).await.body);
}

#[sqlx::test(migrations = "../../migrations")]
async fn only_directors_add_words_and_draw(pool: PgPool) {
    let server = Server::start(pool).await;
    let (event, _) = by_lots(&server, 3, 8).await;
    for (method, path, body) in [
        ("POST", "draws/1/words", json!({"word": "x"})),
        ("DELETE", "draws/1/words/1", Value::Null),
        ("POST", "numbers/draw", json!({})),
        ("POST", "groups/draw", json!({"groups": 2})),
    ] {
        let path = format!("{event}/{path}");
        let answer = server.request(method, &path).json(&body).send().await;
        assert_eq!(answer.status, 401, "{path}");
    }
    let words = async |draw: &str, word: &str| {
        server
            .post(&format!("{event}/draws/{draw}/words"), &json!({"word": word}))
            .await
    };
    for (draw, word, problem) in [
        ("1", " ", "public-word-empty"),
        ("1", "a\nb", "public-word-control"),
        ("1", &"x".repeat(201)[..], "public-word-too-long"),
        ("2", "x", "nothing-promised"),
        ("x", "x", "not-found"),
    ] {
        assert_eq!(words(draw, word).await.problem(), problem);
    }
    assert_eq!(words("1", "one").await.status, 201);
    assert_eq!(words("numbers", "two").await.status, 201);
    let gone = server
        .as_director("DELETE", &format!("{event}/draws/1/words/1"))
        .send()
        .await;
    assert_eq!(gone.status, 204);
    assert_eq!(draw(&server, &event, "round 1").await["words"], json!([]));
    let log = server
        .as_director("GET", &format!("{event}/log"))
        .send()
        .await
        .json();
    assert_eq!(log["items"][0]["before"]["word"], "one");
}

#[sqlx::test(migrations = "../../migrations")]
async fn numbers_and_groups_are_drawn_and_drawn_again_only_when_that_is_said(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("One", 3, 20).await;
    let slug = server.get(&event).await.json()["slug"]
        .as_str()
        .expect("a slug")
        .to_owned();
    assert_eq!(
        server.get(&format!("{event}/numbers/draw")).await.problem(),
        "nothing-drawn"
    );
    let promised = draw(&server, &event, "numbers").await;
    let request = json!({"seeded": [4, 9], "slots": [1, 11]});
    let drawn = server.post(&format!("{event}/numbers/draw"), &request).await;
    assert_eq!(drawn.status, 200, "{}", drawn.text());
    let drawn = drawn.json();
    assert_eq!(drawn["draw"]["commitment"], promised["commitment"]);
    assert_eq!(drawn["draw"]["promised_beforehand"], true);
    let name = |number: usize| drawn["entries"][number - 1]["name"].clone();
    let mut seeded = [name(1), name(11)].map(|name| name.as_str().expect("a name").to_owned());
    seeded.sort();
    assert_eq!(seeded, ["D", "I"]);
    assert_holds(&server.get(&format!("{event}/numbers/draw")).await.body);
    let page = server.get(&format!("///e/{slug}/draw/numbers")).await.text();
    assert!(page.starts_with("200") && page.contains("seeded"), "{page}");
    let again = server.post(&format!("{event}/numbers/draw"), &request).await;
    assert_eq!((again.status, again.problem().as_str()), (409, "drawn-already"));
    let again = server
        .post(&format!("{event}/numbers/draw"), &json!({"again": true}))
        .await;
    assert_eq!(again.status, 200);
    assert_ne!(again.json()["draw"]["seed"], drawn["draw"]["seed"]);

    let split = json!({"groups": 2, "split": "snake", "by": "number"});
    let groups = server.post(&format!("{event}/groups/draw"), &split).await;
    assert_eq!(groups.status, 200, "{}", groups.text());
    let letters = |letter: &str| {
        let told = groups.json();
        let entries = told["entries"].as_array().expect("entries").clone();
        entries.iter().filter(|entry| entry["category"] == letter).count()
    };
    assert_eq!((letters("A"), letters("B")), (10, 10));
    assert_holds(&server.get(&format!("{event}/groups/draw")).await.body);
    assert_eq!(server.get(&format!("///e/{slug}/draw/groups")).await.status, 200);
    let bad = server
        .post(
            &format!("{event}/groups/draw"),
            &json!({"groups": 30, "again": true}),
        )
        .await;
    assert_eq!((bad.status, bad.problem().as_str()), (422, "group-count"));
    server.round(&event).await;
    let late = server
        .post(&format!("{event}/numbers/draw"), &json!({"again": true}))
        .await;
    assert_eq!((late.status, late.problem().as_str()), (409, "numbers-fixed"));
}
