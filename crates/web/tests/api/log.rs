use interchange::log_file::{self, Head};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::Server;

/// What a page or an answer says of the log.
fn head(told: &Value) -> Head {
    let head = &told["log_head"];
    let (seq, hash) = (&head["seq"], head["hash"].as_str().expect("a hash"));
    Head::parse(&format!("{seq}:{hash}")).expect("a head")
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_log_that_directors_get_gives_the_hashes_that_everybody_sees(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 2, 4).await;
    server.round(&event).await;
    server.results(&event, 1, "bw").await;
    server.round(&event).await;
    let public = [
        server.get(&event).await.json(),
        server.get(&format!("{event}/rounds/1")).await.json(),
        server.get(&format!("{event}/rounds/2")).await.json(),
        server.get(&format!("{event}/standings")).await.json(),
    ];
    let known: Vec<Head> = public.iter().map(head).collect();
    assert!(known[1].seq < known[2].seq);
    assert_eq!((&known[0], &known[3]), (&known[2], &known[2]));

    let file = server
        .as_director("GET", &format!("{event}/log/file"))
        .send()
        .await;
    let log = log_file::read(&file.body).expect("a log");
    assert_eq!(log.check(&known), []);

    // The pages of the log tell the same acts, member by member.
    let list = server
        .as_director("GET", &format!("{event}/log"))
        .send()
        .await
        .json();
    let mut told: Vec<Value> = list["items"].as_array().expect("acts").clone();
    told.reverse();
    let told: Vec<(Value, Value)> = told
        .into_iter()
        .map(|mut act| (act["hash"].take(), act))
        .collect();
    for (link, (hash, mut act)) in log.links.iter().zip(told) {
        act.as_object_mut().expect("an act").remove("hash");
        assert_eq!((link.hash.to_string().into(), &link.act), (hash, &act));
    }
    for path in ["log", "log/file"] {
        assert_eq!(server.get(&format!("{event}/{path}")).await.status, 401);
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_foot_of_a_page_says_nothing_of_drafts(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 3, 4).await;
    server.round(&event).await;
    server.results(&event, 1, "bw").await;
    let slug = server.get(&event).await.json()["slug"]
        .as_str()
        .expect("a slug")
        .to_owned();
    let pages = ["", "/rounds/1", "/standings", "/crosstable", "/players/1"];
    let public = async || {
        let mut answers = Vec::new();
        for page in pages {
            let answer = server.get(&format!("///e/{slug}{page}")).await;
            assert!(answer.text().contains("log-head"), "{page}");
            answers.push(answer.text());
        }
        answers.push(server.get(&event).await.text());
        answers
    };
    let before = public().await;
    let draft = server.post(&format!("{event}/rounds"), &json!({})).await;
    assert_eq!(draft.status, 201, "{}", draft.text());
    assert_eq!(public().await, before);
}
