//! The pages over plain HTTP: who may see and do what, and what stays whole when it should not.

use std::time::Duration;

use serde_json::json;
use sqlx::PgPool;
use store::{Role, accounts};
use web::auth;
use web::extract::Peer;

use crate::support::{Answer, Request, Server};

/// A name that is trouble wherever it is put together with anything.
const TROUBLE: &str = "</title><script>alert('1')</script>\"'>&amp;{{7*7}}";

/// Every address under `/manage` and whether it takes forms, read from where they are made: a new
/// one cannot be forgotten here.
fn addresses() -> Vec<(String, bool, bool)> {
    let source = include_str!("../../src/pages/manage/mod.rs");
    let router = source.split("pub fn router").nth(1).expect("a router");
    let router = router.split("\n}\n").next().expect("its end");
    router
        .split(".route(")
        .skip(1)
        .map(|route| {
            let path = route.split('"').nth(1).expect("a path").to_owned();
            let shows = route.contains("get(");
            let takes = route.contains("post(") || route.contains("acts(");
            (path, shows, takes)
        })
        .collect()
}

/// What everybody may ask for.
const OPEN: [&str; 4] = [
    "/setup/{token}",
    "/invitation/{token}",
    "/manage/sign-in",
    "/manage/sign-out",
];

fn page(server: &Server, method: &str, path: &str) -> Request {
    server.request(method, &format!("//{path}"))
}

fn form(request: Request, body: &str) -> Request {
    request
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
}

fn html(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).expect("text")
}

fn slug(event: &serde_json::Value) -> String {
    event["slug"].as_str().expect("a slug").to_owned()
}

async fn slug_of(server: &Server, event: &str) -> String {
    slug(&server.get(event).await.json())
}

#[sqlx::test(migrations = "../../migrations")]
async fn no_page_of_the_directors_opens_for_somebody_unknown(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    server.round(&event).await;
    let slug = slug_of(&server, &event).await;
    let before = server.get(&format!("{event}/export")).await.body;
    let log = server.log_length(&event).await;
    let addresses = addresses();
    assert!(addresses.len() > 20, "{addresses:?}");
    for (path, shows, takes) in addresses {
        if OPEN.contains(&path.as_str()) {
            continue;
        }
        let path = path
            .replace("{slug}", &slug)
            .replace("{number}", "1")
            .replace("{round}", "1")
            .replace("{board}", "1");
        for cookie in ["x=1", "tianyuan=0000; __Host-tianyuan=0000"] {
            if shows {
                let answer = page(&server, "GET", &path).header("cookie", cookie).send().await;
                let to = answer.header("location").unwrap_or_default().to_owned();
                assert_eq!(answer.status, 303, "GET {path}: {}", answer.text());
                assert!(
                    to.starts_with("/manage/sign-in?next=%2Fmanage"),
                    "GET {path}: {to}"
                );
            }
            if takes {
                let sent = "name=X&text=X&word=Open&result=black&version=1&round=2";
                let answer = form(page(&server, "POST", &path).header("cookie", cookie), sent)
                    .send()
                    .await;
                assert_eq!(answer.status, 401, "POST {path}: {}", answer.text());
                assert!(!html(&answer).contains("name=\"version\""), "POST {path}");
            }
        }
    }
    assert_eq!(server.get(&format!("{event}/export")).await.body, before);
    assert_eq!(server.log_length(&event).await, log);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_form_of_another_site_does_nothing_on_any_page(pool: PgPool) {
    let server = Server::start(pool).await;
    let mut paths: Vec<String> = addresses()
        .into_iter()
        .filter(|(_, _, takes)| *takes)
        .map(|(path, ..)| path.replace(['{', '}'], ""))
        .collect();
    paths.push("/language".to_owned());
    for path in paths {
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://elsewhere.example"),
            ("origin", "null"),
        ] {
            let answer = form(page(&server, "POST", &path), "language=en&back=/")
                .token(&server.token)
                .header(name, value)
                .send()
                .await;
            assert_eq!(answer.status, 403, "{path} {name}: {value}");
            assert!(answer.header("set-cookie").is_none(), "{path}");
        }
    }
}

// How long an answer takes must not say that a round is being paired.
#[sqlx::test(migrations = "../../migrations")]
async fn readers_do_not_wait_for_a_director_at_work(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 8).await;
    server.round(&event).await;
    let slug = slug_of(&server, &event).await;
    let mut tx = server.store.begin().await.expect("a transaction");
    let key = event.trim_start_matches("/events/");
    let locked = store::events::lock(&mut tx, key).await.expect("a lock");
    assert!(locked.is_some());
    let paths = [
        "",
        "/rounds/1",
        "/rounds/2",
        "/standings",
        "/crosstable",
        "/players/1",
        "/find?q=A",
    ]
    .map(|path| format!("///e/{slug}{path}"))
    .into_iter()
    .chain(
        [
            "",
            "/rounds",
            "/rounds/1",
            "/rounds/2",
            "/standings",
            "/entries",
            "/export",
        ]
        .map(|path| format!("{event}{path}")),
    )
    .chain(["///".to_owned(), "/events".to_owned()]);
    for path in paths {
        let answer = tokio::time::timeout(Duration::from_secs(5), server.get(&path)).await;
        let answer = answer.unwrap_or_else(|_| panic!("{path} waits"));
        let expected = if path.ends_with("/rounds/2") { 404 } else { 200 };
        assert_eq!(answer.status, expected, "{path}");
    }
    let overview = page(&server, "GET", &format!("/manage/e/{slug}"))
        .token(&server.token)
        .send();
    let overview = tokio::time::timeout(Duration::from_secs(5), overview).await;
    assert_eq!(overview.expect("no waiting").status, 200);
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_address_that_only_acts_leads_back_to_its_page(pool: PgPool) {
    let server = Server::start(pool).await;
    server.event("Open", 5, 0).await;
    for (from, to) in [
        ("/manage/e/open/rounds/3/publish", "/manage/e/open/rounds/3"),
        ("/manage/e/open/rounds/3/swap?x=1", "/manage/e/open/rounds/3"),
        ("/manage/e/open/entries/7/withdraw", "/manage/e/open/entries/7"),
        ("/manage/e/open/draws/numbers", "/manage/e/open/draws"),
        ("/manage/sign-out", "/manage"),
    ] {
        let answer = page(&server, "GET", from).token(&server.token).send().await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(to)),
            "{from}"
        );
    }
}

// A table typed for one round is no other round's, and nobody's draft is replaced unseen.
#[sqlx::test(migrations = "../../migrations")]
async fn a_table_by_hand_does_not_replace_what_its_maker_has_not_seen(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let slug = slug_of(&server, &event).await;
    let path = format!("/manage/e/{slug}/rounds/by-hand");
    let keep = |fields: String| {
        let request = page(&server, "POST", &path).token(&server.token);
        form(request, &format!("table=1+2%0A3+4&{fields}")).send()
    };
    // Shown before anything was paired; somebody else pairs meanwhile.
    let paired = server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    assert_eq!(paired.status, 201);
    let version = paired.json()["version"].clone();
    let blind = keep("round=1&version=".to_owned()).await;
    assert_eq!(blind.status, 422);
    assert!(html(&blind).contains("director-1"), "says whose draft it is");
    assert!(html(&blind).contains("1 2\n3 4"), "what was typed is still there");
    let old = keep(format!(
        "round=1&version={}",
        version.as_i64().expect("a number") - 1
    ))
    .await;
    assert_eq!(old.status, 422);
    let now = server
        .as_director("GET", &format!("{event}/rounds/1"))
        .send()
        .await
        .json();
    assert_eq!(now["version"], version);
    // With the draft before one's eyes it is replaced.
    let seen = keep(format!("round=1&version={version}")).await;
    assert_eq!(seen.status, 303, "{}", seen.text());
    server.publish(&event, 1).await;
    server.results(&event, 1, "bb").await;
    // Typed for round 1, sent when round 2 is next.
    let late = keep("round=1&version=&repeats=1".to_owned()).await;
    assert_eq!(late.status, 422);
    let none = server
        .as_director("GET", &format!("{event}/rounds/2"))
        .send()
        .await;
    assert_eq!(none.status, 404);
}

#[sqlx::test(migrations = "../../migrations")]
async fn no_name_becomes_markup_on_any_page(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server
        .post(
            "/events",
            &json!({"name": TROUBLE, "place": TROUBLE, "rounds": 4}),
        )
        .await
        .json();
    let (slug, event) = (
        slug(&event),
        format!("/events/{}", event["id"].as_str().expect("an id")),
    );
    let entries: Vec<_> = (0..5)
        .map(|_| json!({"name": TROUBLE, "team": TROUBLE, "category": TROUBLE}))
        .collect();
    assert_eq!(
        server
            .post(&format!("{event}/entries"), &entries.into())
            .await
            .status,
        201
    );
    server.round(&event).await;
    server.results(&event, 1, "bw").await;
    let renamed = server
        .patch(
            &format!("{event}/entries/1"),
            &json!({"name": format!("{TROUBLE}2"), "reason": TROUBLE}),
        )
        .await;
    assert_eq!(renamed.status, 200, "{}", renamed.text());
    server
        .as_director("POST", &format!("{event}/rounds"))
        .send()
        .await;
    let query = "%3Cscript%3Ealert(%271%27)%3C%2Fscript%3E%22";
    let public = [
        "/".to_owned(),
        format!("/e/{slug}"),
        format!("/e/{slug}/rounds/1?q={query}"),
        format!("/e/{slug}/rounds/1?by=name"),
        format!("/e/{slug}/standings"),
        format!("/e/{slug}/crosstable"),
        format!("/e/{slug}/players/1"),
        format!("/e/{slug}/find?q={query}"),
        format!("/e/{slug}/find?q=script"),
        format!("/e/{slug}/sign-up"),
        format!("/e/{slug}/{query}"),
        format!("/manage/sign-in?next={query}"),
    ];
    let manage = [
        "",
        "/entries",
        "/entries/1",
        "/entries/import",
        "/check-in",
        "/sign-ups",
        "/rounds",
        "/rounds/1",
        "/rounds/2",
        "/rounds/by-hand",
        "/rounds/1/results",
        "/rounds/1/boards/1",
        "/settings",
        "/log",
    ]
    .map(|path| format!("/manage/e/{slug}{path}"));
    for path in public.iter().chain(&manage) {
        for said in ["lang=zh-CN", "lang=en; said=%3Cscript%3Ealert(1)%3C%2Fscript%3E"] {
            let mut request = page(&server, "GET", path).header("cookie", said);
            if path.starts_with("/manage/e") {
                request = request.token(&server.token);
            }
            let answer = request.send().await;
            let html = html(&answer);
            assert!([200, 404].contains(&answer.status), "{path}: {html}");
            assert!(
                !html.contains("<script>") && !html.contains("</title><"),
                "{path}: {html}"
            );
            assert!(!html.contains("alert('1')"), "{path}: {html}");
            assert!(!html.contains("\"'>"), "{path}: {html}");
            let policy = answer.header("content-security-policy").expect("a policy");
            assert!(policy.starts_with("default-src 'none'"), "{path}");
        }
    }
}

// What can be seen before anything was played, of an empty event and with one round pending.
#[sqlx::test(migrations = "../../migrations")]
async fn every_page_is_there_before_anything_was_played(pool: PgPool) {
    let server = Server::start(pool).await;
    for entries in [0, 1, 2, 5] {
        let event = server.event(&format!("Open {entries}"), 5, entries).await;
        let slug = slug_of(&server, &event).await;
        for paired in [false, true] {
            if paired && entries < 2 {
                continue;
            }
            if paired {
                server.round(&event).await;
            }
            let manage = [
                "",
                "/entries",
                "/check-in",
                "/sign-ups",
                "/rounds",
                "/rounds/by-hand",
                "/settings",
                "/log",
            ];
            let public = ["", "/standings", "/crosstable", "/find?q=1"];
            let public = public.iter().map(|path| format!("/e/{slug}{path}"));
            for path in public.chain(manage.iter().map(|path| format!("/manage/e/{slug}{path}"))) {
                let answer = page(&server, "GET", &path).token(&server.token).send().await;
                assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            }
            for number in 1..=entries {
                let answer = page(&server, "GET", &format!("/e/{slug}/players/{number}"))
                    .send()
                    .await;
                assert_eq!(answer.status, 200, "{number}: {}", answer.text());
            }
            // The numbers of rounds that are not there are refused alike, and nothing fails.
            for path in [
                "rounds/0",
                "rounds/2",
                "rounds/4294967296",
                "rounds/x",
                "standings?after=2",
                "players/0",
            ] {
                let answer = page(&server, "GET", &format!("/e/{slug}/{path}")).send().await;
                assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
            }
        }
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_a_director_is_shown_is_kept_by_nobody_else(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 4).await;
    let slug = slug_of(&server, &event).await;
    let path = format!("/e/{slug}");
    let of = |answer: &Answer| answer.header("cache-control").map(str::to_owned);
    let public = page(&server, "GET", &path).send().await;
    assert_eq!(of(&public).as_deref(), Some("public, no-cache"));
    let director = page(&server, "GET", &path).token(&server.token).send().await;
    assert_eq!(of(&director).as_deref(), Some("private, no-cache"));
    assert_ne!(public.header("etag"), director.header("etag"));
    let vary = public.header("vary").unwrap_or_default();
    for name in ["accept-language", "authorization", "cookie"] {
        assert!(vary.contains(name), "{vary}");
    }
    for file in [
        page(&server, "GET", &format!("/api/v1/events/{slug}/export")),
        page(&server, "GET", &format!("/api/v1/events/{slug}/sheets/programme")),
    ] {
        let file = file.token(&server.token).send().await;
        assert_eq!(
            (file.status, of(&file).as_deref()),
            (200, Some("private, no-cache"))
        );
    }
    // A round that is not there yet is not remembered as missing.
    let missing = page(&server, "GET", &format!("{path}/rounds/1")).send().await;
    assert_eq!((missing.status, of(&missing).as_deref()), (404, Some("no-store")));
}

// What a form does not say is not set back to what it usually is.
#[sqlx::test(migrations = "../../migrations")]
async fn settings_that_are_not_sent_do_not_open_a_hidden_event(pool: PgPool) {
    let server = Server::start(pool).await;
    let hidden = json!({"name": "Hidden", "rounds": 3, "visibility": "hidden"});
    let event = server.post("/events", &hidden).await.json();
    let path = format!("/manage/e/{}/settings", slug(&event));
    let whole = "name=Hidden&rounds=3&rules=chinese&komi=3.75&avoid_team_rounds=1&bye_score=2&absent_score=0\
        &ranking=method_b&number_order=alternate&unplayed=opponent&board_size=19";
    let post = |sent: String| form(page(&server, "POST", &path).token(&server.token), &sent).send();
    for left_out in ["", "&visibility=", "&visibility=Hidden"] {
        let refused = post(format!("{whole}{left_out}")).await;
        assert_eq!(refused.status, 422, "{left_out}");
    }
    let sent = whole.replace("unplayed=opponent", "unplayed=x");
    assert_eq!(post(format!("{sent}&visibility=public")).await.status, 422);
    assert_eq!(server.get("/events").await.json()["total"], 0);
    let saved = post(format!("{whole}&visibility=public")).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_eq!(server.get("/events").await.json()["total"], 1);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_page_of_a_refusal_knows_who_is_signed_in(pool: PgPool) {
    let server = Server::start(pool).await;
    let (state, actor) = (&server.state, crate::support::operator());
    let mut tx = state.store.begin().await.expect("a transaction");
    let change = crate::support::change_by(state, &actor);
    let user = accounts::add_user(&mut tx, &change, "Li", None, Role::Viewer).await;
    let (user, now) = (user.expect("a user"), state.clock.now());
    let session = auth::begin_session(&mut tx, user.id, "", now)
        .await
        .expect("a session");
    tx.commit().await.expect("committed");
    let cookie = auth::session_cookie(&session, Peer::default(), now);
    let cookie = cookie
        .to_str()
        .expect("text")
        .split(';')
        .next()
        .unwrap_or_default()
        .to_owned();
    let event = slug_of(&server, &server.event("Open", 5, 2).await).await;
    let offers = async |path: &str, cookie: &str| {
        let answer = page(&server, "GET", path).header("cookie", cookie).send().await;
        let text = html(&answer);
        let sign_in = text.contains("/manage/sign-in");
        assert_ne!(sign_in, text.contains("/manage/sign-out"), "{path}: {text}");
        (answer.status, sign_in)
    };
    for path in ["/nowhere", "/e/nowhere", "/manage/e/nowhere"] {
        assert_eq!(offers(path, &cookie).await, (404, false), "{path}");
    }
    // Refused for a right that is missing.
    let entries = format!("/manage/e/{event}/entries");
    assert_eq!(offers(&entries, &cookie).await, (403, false));
    assert_eq!(offers("/nowhere", "theme=dark").await, (404, true));
    let ended = format!("tianyuan={}", "0".repeat(64));
    assert_eq!(offers("/nowhere", &ended).await, (404, true));
}
