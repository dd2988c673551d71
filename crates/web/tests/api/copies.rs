//! New events by kind, and as copies of earlier ones.

use serde_json::json;
use sqlx::PgPool;
use store::Role;

use crate::support::{Server, give, new_token};

async fn form(server: &Server, body: &str) -> crate::support::Answer {
    server
        .request("POST", "///manage/new")
        .token(&server.token)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
        .send()
        .await
}

async fn page(server: &Server, path: &str) -> String {
    let answer = server
        .request("GET", &format!("//{path}"))
        .token(&server.token)
        .send()
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    String::from_utf8(answer.body).expect("text")
}

#[sqlx::test(migrations = "../../migrations")]
async fn each_kind_of_event_is_made_with_settings_that_fit_it(pool: PgPool) {
    let server = Server::start(pool).await;
    for (kind, rounds, apart, again, second) in [
        ("open", 9, 1, false, "opponents_score"),
        ("grading", 7, 1, false, "opponents_score"),
        ("qualifier", 13, 3, false, "opponents_score"),
        ("club", 4, 0, true, "opponents_score"),
    ] {
        let shown = page(&server, &format!("/manage/new?kind={kind}")).await;
        assert!(shown.contains(&format!(
            "name=\"rounds\" inputmode=\"numeric\" value=\"{rounds}\""
        )));
        assert!(shown.contains("Art. 27.1") && shown.contains("(P4)"), "{kind}");
        let made = form(&server, &format!("preset={kind}&name={kind}")).await;
        assert_eq!(made.status, 303, "{}", made.text());
        let event = server.get(&format!("/events/{kind}")).await.json();
        assert_eq!(event["rounds"], rounds, "{kind}");
        assert_eq!(event["pairing"]["avoid_team_rounds"], apart, "{kind}");
        assert_eq!(event["pairing"]["forfeits_may_meet_again"], again, "{kind}");
        assert_eq!(event["ranking"][1], second, "{kind}");
    }
    for (body, told) in [
        ("preset=blank&name=B", "Say how many rounds"),
        ("preset=none&name=B", "no such kind"),
        ("preset=blank&name=B&rounds=5&ranking=best", "best"),
        ("copy=nowhere&name=B", ""),
    ] {
        let refused = form(&server, body).await;
        assert!((400..500).contains(&refused.status), "{}", refused.text());
        assert!(String::from_utf8_lossy(&refused.body).contains(told), "{body}");
    }
    // What the form says goes before the kind, and komi follows the rules.
    let body = "preset=blank&name=B&rounds=5&rules=japanese&ranking=method_a&bye_score=1";
    assert_eq!(form(&server, body).await.status, 303);
    let event = server.get("/events/b").await.json();
    assert_eq!(
        (&event["komi"], &event["rules"]),
        (&json!("6.5"), &json!("japanese"))
    );
    assert_eq!(
        (&event["ranking"][0], &event["pairing"]["bye_score"]),
        (&json!("total_score"), &json!(1))
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_copy_has_the_settings_of_the_earlier_event_and_nothing_that_points_back(pool: PgPool) {
    let server = Server::start(pool).await;
    let made = server
        .post(
            "/events",
            &json!({"name": "Cup 2026", "rounds": 3, "starts_on": "2026-05-01", "place": "Hall",
                "round_starts": [{"round": 1, "local": "2026-05-01T09:30"}],
                "pairing": {"bye_score": 1, "avoid_team_rounds": 2},
                "ranking": ["score", "wins", "lots"],
                "prizes": {"list": [{"name": "First", "count": 1}]}}),
        )
        .await;
    assert_eq!(made.status, 201, "{}", made.text());
    let earlier = "/events/cup-2026";
    let names = json!([
        {"name": "A", "number": 1, "team": "East", "grade": "3d", "start_score": 2},
        {"name": "B", "number": 2, "team": "West"},
        {"name": "C", "number": 3},
        {"name": "D", "number": 9}
    ]);
    assert_eq!(
        server.post(&format!("{earlier}/entries"), &names).await.status,
        201
    );
    let settings = json!({"pairing": {"forbidden_pairs": [[1, 9]]}, "lots": [{"number": 9, "lot": 1}]});
    assert_eq!(server.patch(earlier, &settings).await.status, 200);
    server.round_of(earlier, &[(1, 2), (3, 9)], &[]).await;
    server.results(earlier, 1, "bw").await;
    server
        .patch(&format!("{earlier}/entries/2"), &json!({"withdrawn_after": 1}))
        .await;
    let before = server.get(&format!("{earlier}/export")).await.body;

    // Without people: no number stands anywhere, and round 1 is paired from those who are added.
    let body = json!({"of": "cup-2026", "name": "Cup 2027", "starts_on": "2027-04-30"});
    let copy = server.post("/events/copy", &body).await;
    assert_eq!(copy.status, 201, "{}", copy.text());
    let copy = copy.json();
    assert_eq!(copy["slug"], "cup-2027");
    assert_eq!(copy["place"], "Hall");
    assert_eq!(copy["round_starts"][0]["local"], "2027-04-30T09:30");
    assert_eq!(copy["ranking"], json!(["score", "wins", "lots"]));
    assert_eq!(copy["pairing"]["avoid_team_rounds"], 2);
    assert_eq!(copy["pairing"]["forbidden_pairs"], json!([]));
    assert_eq!(copy["lots"], json!([]));
    assert_eq!(copy["prizes"]["list"][0]["name"], "First");
    let four = json!([{"name": "E"}, {"name": "F"}, {"name": "G"}, {"name": "H"}]);
    assert_eq!(server.post("/events/cup-2027/entries", &four).await.status, 201);
    let round = server.round("/events/cup-2027").await;
    assert_eq!(round["boards"].as_array().map(Vec::len), Some(2));

    // With people: numbered anew, without scores and withdrawals, the pair kept apart is the same two.
    let body = json!({"of": "cup-2026", "name": "Again", "entries": true, "rounds": 5});
    let again = server.post("/events/copy", &body).await.json();
    assert_eq!(again["rounds"], 5);
    assert_eq!(again["pairing"]["forbidden_pairs"], json!([[1, 4]]));
    let entries = server.get("/events/again/entries").await.json();
    let told: Vec<_> = entries["items"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| {
            assert_eq!(entry["start_score"], 0);
            assert_eq!(entry["withdrawn_after"], json!(null));
            (
                entry["number"].as_u64(),
                entry["name"].as_str().map(str::to_owned),
            )
        })
        .collect();
    let expected = [(1, "A"), (2, "B"), (3, "C"), (4, "D")];
    assert_eq!(told, expected.map(|(n, name)| (Some(n), Some(name.to_owned()))));
    assert_eq!(server.get(&format!("{earlier}/export")).await.body, before);
    let log = server.as_director("GET", "/events/again/log").send().await.json();
    assert_eq!(log["items"][0]["after"]["copy_of"], "cup-2026");

    // From the page, with what was typed in the place of what was there.
    let shown = page(&server, "/manage/new?copy=cup-2026").await;
    assert!(shown.contains("value=\"Cup 2026\"") && shown.contains("Take its 4 entries along"));
    let body = "copy=cup-2026&name=By+form&rounds=4&entries=1&avoid_team_rounds=0&ranking=earlier";
    assert_eq!(form(&server, body).await.status, 303);
    let made = server.get("/events/by-form").await.json();
    assert_eq!(made["pairing"]["avoid_team_rounds"], 0);
    assert_eq!(made["pairing"]["forbidden_pairs"], json!([[1, 4]]));
    assert_eq!(
        (&made["ranking"][1], &made["rounds"]),
        (&json!("wins"), &json!(4))
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn only_who_sees_an_event_copies_it_and_only_who_sees_all_copies_its_people(pool: PgPool) {
    let server = Server::start(pool).await;
    for (name, visibility) in [("Open", "public"), ("Secret", "hidden")] {
        let body = json!({"name": name, "rounds": 3, "visibility": visibility});
        assert_eq!(server.post("/events", &body).await.status, 201);
    }
    let other = new_token(&server.state, "other", Role::Director).await;
    let copy = async |of: &str, entries: bool| {
        let body = json!({"of": of, "name": "Copy", "entries": entries});
        let request = server.request("POST", "/events/copy").token(&other);
        request.json(&body).send().await
    };
    assert_eq!(copy("open", false).await.status, 201);
    assert_eq!(copy("open", true).await.problem(), "needs-viewer");
    assert_eq!(copy("secret", false).await.problem(), "unknown-event");
    give(&server.state, "secret", "other", Role::Viewer).await;
    let made = copy("secret", true).await;
    assert_eq!((made.status, &made.json()["visibility"]), (201, &json!("hidden")));
}
