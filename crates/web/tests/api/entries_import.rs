use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::{Answer, Server};

async fn send(server: &Server, path: &str, list: impl Into<Vec<u8>>) -> Answer {
    server
        .as_director("POST", path)
        .header("content-type", "text/csv")
        .body(list)
        .send()
        .await
}

fn verdicts(answer: &Value) -> Vec<(u64, String, Option<u64>)> {
    answer["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            let verdict = row["verdict"].as_str().expect("a word").to_owned();
            (
                row["line"].as_u64().expect("a line"),
                verdict,
                row["number"].as_u64(),
            )
        })
        .collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_list_is_answered_row_by_row_and_taken_whole_or_not_at_all(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 0).await;
    let path = format!("{event}/entries/import");
    let list = "姓名,段位,单位\n甲,5段,A\n乙,9d,B\n,1k,\n甲,5段,\n";
    let said = send(&server, &format!("{path}?dry_run=true"), list).await;
    assert_eq!(said.status, 200, "{}", said.text());
    let said = said.json();
    assert_eq!(
        said["counts"],
        json!({"new": 1, "changed": 0, "same": 0, "refused": 3})
    );
    assert_eq!(said["taken"], false);
    assert_eq!(said["source"], json!({"kind": "text", "encoding": "UTF-8"}));
    assert_eq!(
        said["columns"][1],
        json!({"column": "B", "heading": "段位", "field": "grade"})
    );

    let refused = send(&server, &path, list).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (422, "list-refused"),
        "{}",
        refused.text()
    );
    let told = refused.json();
    let faults: Vec<(&str, &str)> = told["errors"]
        .as_array()
        .expect("faults")
        .iter()
        .map(|fault| {
            (
                fault["path"].as_str().unwrap_or(""),
                fault["code"].as_str().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(
        faults,
        [
            ("B3", "cell-not-a-grade"),
            ("A4", "cell-no-name"),
            ("", "row-name-twice")
        ]
    );
    assert_eq!(server.get(&format!("{event}/entries")).await.json()["total"], 0);
    assert_eq!(server.log_length(&event).await, 1);

    let mut mark = vec![0xef, 0xbb, 0xbf];
    mark.extend("姓名;编号;段位\n甲;7;５段\n乙;;3k\n".as_bytes());
    let taken = send(&server, &path, mark).await;
    assert_eq!(taken.status, 200, "{}", taken.text());
    assert_eq!(
        verdicts(&taken.json()),
        [(2, "new".to_owned(), Some(7)), (3, "new".to_owned(), Some(8))]
    );

    // The list once more, put right: nothing doubles.
    let again = send(&server, &path, "姓名,段位,等级分\n甲,5d,2310\n乙,3级,\n丙,,\n").await;
    let again = again.json();
    assert_eq!(
        verdicts(&again),
        [
            (2, "changed".to_owned(), Some(7)),
            (3, "same".to_owned(), Some(8)),
            (4, "new".to_owned(), Some(9))
        ]
    );
    assert_eq!(
        again["rows"][0]["changes"],
        json!({"rating": {"before": null, "after": "2310"}})
    );
    let entry = server.get(&format!("{event}/entries/7")).await.json();
    assert_eq!((&entry["rating"], &entry["grade"]), (&json!(2310), &json!("5d")));
    assert_eq!(server.log_length(&event).await, 5);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_name_in_another_form_is_the_same_person_and_keeps_its_accents(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 0).await;
    let path = format!("{event}/entries/import");
    send(&server, &path, "name\nJosé\nMüller\nLI Ming\n").await;
    let again = send(&server, &path, "name\nJose\u{301}\nMULLER\nＬＩ\u{a0}Ming\n").await;
    assert_eq!(
        again.json()["counts"],
        json!({"new": 0, "changed": 0, "same": 3, "refused": 0})
    );
    assert_eq!(
        server.get(&format!("{event}/entries/1")).await.json()["name"],
        "José"
    );
}

// Who comes with a list in round 3 owes no result of the rounds before.
#[sqlx::test(migrations = "../../migrations")]
async fn who_comes_with_a_list_late_is_absent_before(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    for round in 1..=2 {
        server.round(&event).await;
        server.publish(&event, round).await;
        server.results(&event, round, "bbbb").await;
    }
    let late = send(&server, &format!("{event}/entries/import"), "name\nLate\n").await;
    assert_eq!(late.status, 200, "{}", late.text());
    let entry = server.get(&format!("{event}/entries/9")).await.json();
    assert_eq!(entry["absent_rounds"], json!([1, 2]));
    let round = server.round(&event).await;
    assert_eq!(round["boards"].as_array().map(Vec::len), Some(4));
    assert_eq!(round["byes"].as_array().map(Vec::len), Some(1));
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_is_no_list_is_refused_in_words(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 0).await;
    let path = format!("{event}/entries/import");
    for (list, code) in [
        (b"".to_vec(), "list-empty"),
        (b"PK\x03\x04".to_vec(), "list-bad-workbook"),
        (b"\xd0\xcf\x11\xe0".to_vec(), "list-old-workbook"),
        (vec![b'x'; 5 * 1024 * 1024 + 1], "too-large"),
        ("姓名,名字\n甲,乙".into(), "list-column-twice"),
    ] {
        let refused = send(&server, &path, list).await;
        assert_eq!(refused.problem(), code, "{}", refused.text());
    }
    let plain = server
        .as_director("POST", &path)
        .header("content-type", "text/plain")
        .body("name\nA")
        .send()
        .await;
    assert_eq!(plain.status, 415);
    let public = server
        .request("POST", &path)
        .header("content-type", "text/csv")
        .body("name\nA")
        .send()
        .await;
    assert_eq!(public.status, 401);
}
