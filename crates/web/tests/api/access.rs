use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;
use store::Role;
use web::Config;
use web::extract::Peer;

use crate::support::{Server, new_token};

// Every change asks who is calling, whatever a page would hide.
#[sqlx::test(migrations = "../../migrations")]
async fn no_change_is_made_for_somebody_unknown(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = server.event("Open", 5, 6).await;
    server.round(&event).await;
    let before = server.get(&format!("{event}/export")).await.body;
    let log = server.log_length(&event).await;
    let document = server.get("/api/v1/openapi.json").await.json();
    let mut asked = 0;
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let Some(security) = operation["security"].as_array() else {
                continue;
            };
            // An empty one says that somebody unknown may too, with a code or within bounds.
            if security
                .iter()
                .any(|way| way.as_object().is_some_and(serde_json::Map::is_empty))
            {
                continue;
            }
            let id = event.trim_start_matches("/events/");
            let path = path
                .replace("{event}", id)
                .replace("{number}", "1")
                .replace("{round}", "1")
                .replace("{board}", "1");
            let method = method.to_uppercase();
            for token in [None, Some("ty_0000"), Some("nonsense")] {
                let request = server
                    .request(&method, &path)
                    .header("if-match", "*")
                    .json(&json!({}));
                let request = match token {
                    Some(token) => request.token(token),
                    None => request.header("cookie", "tianyuan=0000; __Host-tianyuan=0000"),
                };
                let answer = request.send().await;
                assert_eq!(answer.status, 401, "{method} {path} {token:?}: {}", answer.text());
                assert!(answer.header("www-authenticate").is_some(), "{method} {path}");
                let expected = if token.is_some() {
                    "bad-token"
                } else {
                    "sign-in-needed"
                };
                assert_eq!(answer.problem(), expected);
                asked += 1;
            }
        }
    }
    assert!(asked > 40, "{asked}");
    assert_eq!(server.get(&format!("{event}/export")).await.body, before);
    assert_eq!(server.log_length(&event).await, log);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_revoked_token_opens_nothing(pool: PgPool) {
    let server = Server::start(pool).await;
    let token = new_token(&server.state, "director-2", Role::Director).await;
    assert_eq!(
        server.request("GET", "/events").token(&token).send().await.status,
        200
    );
    let actor = store::Actor {
        user: None,
        name: "tests".to_owned(),
        role: Role::Admin,
        via: store::Via::CommandLine,
    };
    let change = store::Change {
        actor: &actor,
        at: server.state.clock.now(),
        reason: None,
        chance: web::state::chance(),
    };
    let mut tx = server.store.begin().await.expect("a transaction");
    let user = store::accounts::find_user_by_name(&mut tx, "director-2")
        .await
        .expect("a look")
        .expect("a user");
    let tokens = store::accounts::tokens(&mut tx, user.id).await.expect("tokens");
    store::accounts::revoke_token(&mut tx, &change, tokens[0].id)
        .await
        .expect("revoked");
    tx.commit().await.expect("committed");
    let refused = server.request("GET", "/events").token(&token).send().await;
    assert_eq!((refused.status, refused.problem().as_str()), (401, "bad-token"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_request_from_another_site_changes_nothing(pool: PgPool) {
    let server = Server::start(pool).await;
    let cookie = signed_in(&server).await;
    let body = json!({"name": "Forged", "rounds": 3});
    let own = format!("http://{}", server.address);
    let post = || server.request("POST", "/events").header("cookie", &cookie);
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://elsewhere.example"),
        ("origin", "null"),
    ] {
        let refused = post().header(name, value).json(&body).send().await;
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (403, "cross-site"),
            "{name}: {value}"
        );
    }
    // What a form can send without asking first is no JSON, however it looks.
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
    ] {
        let refused = post()
            .header("content-type", kind)
            .body(body.to_string())
            .send()
            .await;
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (415, "media-type"),
            "{kind}"
        );
    }
    let untyped = post().body(body.to_string()).send().await;
    assert_eq!(untyped.status, 415);
    assert_eq!(server.get("/events").await.json()["total"], 0);
    let same = post()
        .header("origin", &own)
        .header("sec-fetch-site", "same-origin")
        .json(&body)
        .send()
        .await;
    assert_eq!(same.status, 201, "{}", same.text());

    // Changes are never made by GET.
    let document = server.get("/api/v1/openapi.json").await.json();
    let event = format!("/events/{}", same.json()["id"].as_str().expect("an id"));
    crate::support::give(&server.state, "forged", "director-1", Role::Viewer).await;
    let log = server.log_length(&event).await;
    for path in document["paths"].as_object().expect("paths").keys() {
        let path = path.replace("{event}", &event[8..]).replace("{number}", "1");
        let path = path.replace("{round}", "1").replace("{board}", "1");
        let answer = server
            .request("GET", &path)
            .header("cookie", &cookie)
            .send()
            .await;
        // Some need to be asked for something: 400.
        assert!(
            [200, 400, 404, 405].contains(&answer.status),
            "{path}: {}",
            answer.text()
        );
    }
    assert_eq!(server.log_length(&event).await, log);
}

/// Signs a director in by name and password and returns the cookie.
async fn signed_in(server: &Server) -> String {
    signed_in_as(server, "Li").await
}

async fn signed_in_as(server: &Server, name: &str) -> String {
    let peer = Peer::default();
    let now = server.state.clock.now();
    let actor = store::Actor {
        user: None,
        name: "tests".to_owned(),
        role: Role::Admin,
        via: store::Via::CommandLine,
    };
    let change = store::Change {
        actor: &actor,
        at: now,
        reason: None,
        chance: web::state::chance(),
    };
    let mut tx = server.store.begin().await.expect("a transaction");
    let password = web::auth::generated_password();
    web::auth::add_user(&mut tx, &change, name, &password, Role::Director)
        .await
        .expect("a user");
    tx.commit().await.expect("committed");
    let typed = format!(" {} ", name.to_lowercase());
    let session = web::auth::sign_in(&server.state, peer, "", &typed, &password)
        .await
        .expect("signed in");
    let cookie = web::auth::session_cookie(&session, peer, now);
    let cookie = cookie.to_str().expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && !cookie.contains("Secure"));
    cookie.split(';').next().expect("a value").to_owned()
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_session_ends_by_itself_and_by_signing_out(pool: PgPool) {
    let server = Server::start(pool).await;
    let cookie = signed_in(&server).await;
    let hidden = json!({"name": "Hidden", "rounds": 3, "visibility": "hidden"});
    let made = server
        .request("POST", "/events")
        .header("cookie", &cookie)
        .json(&hidden);
    assert_eq!(made.send().await.status, 201);
    let seen = || async {
        server
            .request("GET", "/events")
            .header("cookie", &cookie)
            .send()
            .await
            .json()["total"]
            .clone()
    };
    assert_eq!(seen().await, 1);
    // It lasts while it is used, and no longer than fourteen days.
    for _ in 0..6 {
        server.pass(TimeDelta::days(2));
        assert_eq!(seen().await, 1);
    }
    server.pass(TimeDelta::days(2));
    assert_eq!(seen().await, 0);
    let cookie = signed_in_as(&server, "Bo").await;
    let page = || async {
        let request = server.request("GET", "///manage").header("cookie", &cookie);
        request.send().await.status
    };
    assert_eq!(page().await, 200);
    server.pass(TimeDelta::days(3));
    assert_eq!(page().await, 303);
}

#[sqlx::test(migrations = "../../migrations")]
async fn guessing_passwords_is_slowed_and_says_nothing_about_names(pool: PgPool) {
    let server = Server::start(pool).await;
    let peer = Peer::default();
    let _ = signed_in(&server).await;
    let mut told = Vec::new();
    for name in ["Li", "nobody"] {
        let refused = web::auth::sign_in(&server.state, peer, "", name, "not this one").await;
        let Err(web::errors::Error::Problem(problem)) = refused else {
            panic!("{refused:?}")
        };
        told.push((problem.status, problem.detail(web::i18n::Language::English)));
    }
    assert_eq!(told[0], told[1]);
    for _ in 0..9 {
        let _ = web::auth::sign_in(&server.state, peer, "", "Li", "not this one").await;
    }
    let refused = web::auth::sign_in(&server.state, peer, "", "Li", "not this one").await;
    let Err(web::errors::Error::Problem(problem)) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(
        (problem.status.as_u16(), &*problem.code),
        (429, "too-many-attempts")
    );
    assert!(problem.headers.contains_key("retry-after"));
}

// Several servers share a database: whoever asks them in turn has no more guesses.
#[sqlx::test(migrations = "../../migrations")]
async fn all_servers_count_guesses_together(pool: PgPool) {
    let server = Server::start(pool).await;
    let _ = signed_in(&server).await;
    let fresh = || {
        web::AppState::new(
            server.store.clone(),
            server.state.clock.clone(),
            Config::default(),
        )
    };
    let guess = async |from: u8| {
        let peer = Peer {
            address: Some([192, 0, 2, from].into()),
            https: false,
        };
        let refused = web::auth::sign_in(&fresh(), peer, "", "Li", "not this one").await;
        let Err(web::errors::Error::Problem(problem)) = refused else {
            panic!("{refused:?}")
        };
        problem.code.to_string()
    };
    for _ in 0..10 {
        assert_eq!(guess(1).await, "wrong-password");
    }
    assert_eq!(guess(1).await, "too-many-attempts");
    // From many addresses it ends too, for an hour.
    for from in 2..11 {
        for _ in 0..10 {
            assert_eq!(guess(from).await, "wrong-password");
        }
    }
    assert_eq!(guess(11).await, "too-many-attempts");
    server.pass(TimeDelta::minutes(30));
    assert_eq!(guess(12).await, "too-many-attempts");
    // A new password is one that nobody has guessed at; how long a name is costs nobody anything.
    let mut tx = server.store.begin().await.expect("a transaction");
    web::auth::forgive(&mut tx, " li").await.expect("forgotten");
    tx.commit().await.expect("committed");
    for from in 13..23 {
        for _ in 0..10 {
            assert_eq!(guess(from).await, "wrong-password");
        }
    }
    assert_eq!(guess(12).await, "too-many-attempts");
    server.pass(TimeDelta::minutes(61));
    assert_eq!(guess(12).await, "wrong-password");
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_first_administrator_comes_by_a_link_that_works_once(pool: PgPool) {
    let server = Server::start(pool).await;
    let now = server.state.clock.now();
    let old = web::auth::create_setup_link(&server.store, now)
        .await
        .expect("a look")
        .expect("a link");
    let link = web::auth::create_setup_link(&server.store, now)
        .await
        .expect("a look")
        .expect("a link");
    let secret = |link: &str| link.strip_prefix("/setup/").expect("a path").to_owned();
    let mut tx = server.store.begin().await.expect("a transaction");
    assert!(
        !web::auth::setup_link_works(&mut tx, &secret(&old), now)
            .await
            .expect("a look")
    );
    assert!(
        web::auth::setup_link_works(&mut tx, &secret(&link), now)
            .await
            .expect("a look")
    );
    let short = web::auth::set_up(&server.state, &mut tx, (&secret(&link), ""), "Admin", "short").await;
    assert!(short.is_err());
    web::auth::set_up(
        &server.state,
        &mut tx,
        (&secret(&link), ""),
        "Admin",
        "long enough for this",
    )
    .await
    .expect("an administrator");
    tx.commit().await.expect("committed");
    let mut tx = server.store.begin().await.expect("a transaction");
    let again = web::auth::set_up(
        &server.state,
        &mut tx,
        (&secret(&link), ""),
        "Other",
        "long enough for this",
    )
    .await;
    assert!(again.is_err());
    drop(tx);
    assert_eq!(
        web::auth::create_setup_link(&server.store, now)
            .await
            .expect("a look"),
        None
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn refusals_are_told_in_the_callers_language_whatever_the_header_holds(pool: PgPool) {
    let server = Server::start(pool).await;
    let garbage: String = (0..2048_u32)
        .map(|i| char::from(b'!' + u8::try_from(i * 37 % 90).unwrap_or(0)))
        .collect();
    for (accept, language) in [
        ("zh-CN,zh;q=0.9", "zh-CN"),
        ("en-GB,en;q=0.9", "en"),
        ("fr-CH, de;q=0.8, *;q=0.1", "en"),
        ("xx", "en"),
        ("", "zh-CN"),
        ("en;q=nonsense;;,,", "zh-CN"),
    ] {
        let answer = server
            .request("GET", "/events/none")
            .header("accept-language", accept)
            .send()
            .await;
        assert_eq!(
            (answer.status, answer.header("content-language")),
            (404, Some(language)),
            "{accept}"
        );
    }
    for accept in [garbage.as_str(), "\u{4e2d}\u{6587}"] {
        let answer = server
            .request("GET", "/events/none")
            .header("accept-language", accept)
            .send()
            .await;
        assert_eq!(answer.status, 404);
    }
    let chosen = server
        .request("GET", "/events/none")
        .header("cookie", "lang=zh-CN")
        .send()
        .await;
    assert_eq!(chosen.header("content-language"), Some("zh-CN"));
    let unasked = server
        .request("GET", "/events/none")
        .without("accept-language")
        .send()
        .await;
    assert_eq!(unasked.json()["detail"], "没有赛事“none”，请在赛事列表中查找。");
    // Numbers are the same in every language.
    let event = server
        .post("/events", &json!({"name": "Open", "rounds": 3, "komi": "3,75"}))
        .await
        .json();
    let path = format!("/events/{}", event["id"].as_str().expect("an id"));
    let chinese = server
        .request("GET", &path)
        .header("accept-language", "zh")
        .send()
        .await;
    assert_eq!(chinese.json()["komi"], "3.75");
    for komi in ["65000", "6.55", "6,5,0", "x"] {
        let refused = server.patch(&path, &json!({"komi": komi})).await;
        assert_eq!(
            (refused.status, &refused.json()["errors"][0]["path"]),
            (422, &json!("komi")),
            "{komi}"
        );
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_proxy_is_believed_only_when_there_is_one(pool: PgPool) {
    let config = Config {
        base_url: Some("https://go.example.org".to_owned()),
        behind_proxy: true,
        ..Config::default()
    };
    let server = Server::configured(pool, config).await;
    // The browser's origin is the public one, whatever Host the proxy passes on.
    let body = json!({"name": "Open", "rounds": 3});
    let origin = |origin: &str| {
        server
            .as_director("POST", "/events")
            .header("origin", origin)
            .json(&body)
            .send()
    };
    assert_eq!(origin("https://go.example.org").await.status, 201);
    assert_eq!(origin("https://elsewhere.example").await.status, 403);
}

#[sqlx::test(migrations = "../../migrations")]
async fn health_says_whether_the_database_answers(pool: PgPool) {
    let server = Server::start(pool.clone()).await;
    assert_eq!(server.get("///healthz").await.status, 200);
    assert_eq!(server.get("///readyz").await.status, 200);
    pool.close().await;
    assert_eq!(server.get("///healthz").await.status, 200);
    assert_eq!(server.get("///readyz").await.status, 503);
    let broken = server.get("/events").await;
    assert!([500, 503].contains(&broken.status), "{}", broken.text());
    // The cause is for the server's log and not for the caller.
    let told: Value = broken.json();
    assert!(!told.to_string().to_lowercase().contains("pool"), "{told}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_documentation_is_readable_without_anything_from_outside(pool: PgPool) {
    let server = Server::start(pool).await;
    let page = server.get("/api/docs/").await;
    assert_eq!(page.status, 200);
    let html = String::from_utf8(page.body.clone()).expect("HTML");
    assert!(!html.contains("http://") && !html.contains("https://"), "{html}");
    for attribute in ["src=\"", "href=\""] {
        for link in html
            .split(attribute)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
        {
            let path = format!("/api/docs/{}", link.trim_start_matches("./"));
            let part = server.get(&path).await;
            assert_eq!(part.status, 200, "{path}");
            assert!(
                part.header("content-security-policy")
                    .is_some_and(|policy| policy.contains("script-src 'self'"))
            );
        }
    }
    let document = server.get("/api/v1/openapi.json").await;
    assert_eq!(
        (document.status, &document.json()["openapi"]),
        (200, &json!("3.1.0"))
    );
}
