//! Accounts, the people of an event, links that work once, and names that the public does not read.

use serde_json::{Value, json};
use sqlx::PgPool;
use store::people::{Offer, Purpose};
use store::{Refused, Role, accounts, people};
use web::auth;
use web::errors::Error;
use web::extract::Peer;

use crate::support::{Answer, Request, Server, change_by, new_token, operator};

/// A password that nobody guesses.
const PASSWORD: &str = "seven quiet herons";
/// Another one.
const OTHER: &str = "eleven loud kettles";

fn page(server: &Server, method: &str, path: &str) -> Request {
    server.request(method, &format!("//{path}"))
}

fn form(request: Request, body: &str) -> Request {
    request
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
}

/// The cookies that an answer sets, as the next request sends them.
fn cookies(answer: &Answer) -> String {
    let set = answer.headers.iter().filter(|(name, _)| name == "set-cookie");
    let pairs: Vec<&str> = set
        .filter_map(|(_, value)| value.split(';').next())
        .filter(|pair| pair.starts_with("tianyuan="))
        .collect();
    pairs.join("; ")
}

/// The value of a field that is shown once.
fn secret(answer: &Answer) -> String {
    let html = String::from_utf8(answer.body.clone()).expect("text");
    let rest = html.split("class=\"secret\" value=\"").nth(1).expect("a secret");
    rest.split('"').next().expect("its end").to_owned()
}

/// The path of an invitation that a director makes on the page.
async fn invited(server: &Server, slug: &str, role: &str) -> String {
    let path = format!("/manage/e/{slug}/people/invite");
    let request = page(server, "POST", &path).token(&server.token);
    let made = form(request, &format!("role={role}&note=Hall+2")).send().await;
    assert_eq!(made.status, 200, "{}", made.text());
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let address = secret(&made);
    address[address.find("/invitation/").expect("a path")..].to_owned()
}

async fn people_of(server: &Server, event: &str) -> Vec<(String, &'static str)> {
    let mut tx = server.store.begin().await.expect("a transaction");
    let event = store::events::find(&mut tx, event)
        .await
        .expect("a look")
        .expect("an event");
    let list = people::list(&mut tx, event.id).await.expect("a list");
    list.into_iter()
        .map(|person| (person.name, person.role.as_str()))
        .collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_invitation_gives_its_right_once_to_a_new_account_or_one_that_is_there(pool: PgPool) {
    let server = Server::start(pool).await;
    server.event("Open", 3, 4).await;
    let link = invited(&server, "open", "arbiter").await;
    // Looking uses nothing up.
    for _ in 0..2 {
        let seen = page(&server, "GET", &link).send().await;
        assert_eq!(seen.status, 200);
        assert!(
            seen.text()
                .contains("director-1 invites you to “Open” as arbiter"),
            "{}",
            seen.text()
        );
    }
    let refused = form(
        page(&server, "POST", &link),
        "how=new&name=Arbiter&password=password123",
    )
    .send()
    .await;
    assert_eq!(refused.status, 422);
    assert!(
        refused.text().contains("would soon be guessed"),
        "{}",
        refused.text()
    );
    let body = format!("how=new&name=Arbiter&password={PASSWORD}").replace(' ', "+");
    let taken = form(page(&server, "POST", &link), &body)
        .header(
            "user-agent",
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        )
        .send()
        .await;
    assert_eq!((taken.status, taken.header("location")), (303, Some("/manage")));
    let cookie = cookies(&taken);
    let account = page(&server, "GET", "/manage/account")
        .header("cookie", &cookie)
        .send()
        .await;
    assert!(account.text().contains("Firefox, Linux"), "{}", account.text());
    assert_eq!(
        people_of(&server, "open").await,
        [
            ("director-1".to_owned(), "director"),
            ("Arbiter".to_owned(), "arbiter")
        ]
    );
    let spent = page(&server, "GET", &link).send().await;
    assert_eq!(spent.status, 410);
    let again = form(page(&server, "POST", &link), &body.replace("Arbiter", "Other"))
        .send()
        .await;
    assert_eq!(again.status, 422);
    assert!(!again.text().contains("invites you"), "{}", again.text());

    // The same person becomes a viewer of another event by signing in, and a director by a session.
    server.event("Cup", 3, 4).await;
    let link = invited(&server, "cup", "viewer").await;
    let wrong = form(
        page(&server, "POST", &link),
        "how=sign-in&name=arbiter&password=not+this+one",
    )
    .send()
    .await;
    assert_eq!(wrong.status, 422);
    let body = format!("how=sign-in&name=arbiter&password={PASSWORD}").replace(' ', "+");
    let taken = form(page(&server, "POST", &link), &body).send().await;
    assert_eq!(taken.header("location"), Some("/manage/e/cup"));
    let link = invited(&server, "cup", "director").await;
    let accept = |link: String| {
        form(page(&server, "POST", &link), "how=accept")
            .header("cookie", &cookie)
            .send()
    };
    assert_eq!(accept(link).await.status, 303);
    // A link never takes away.
    let link = invited(&server, "cup", "arbiter").await;
    assert_eq!(accept(link).await.status, 303);
    assert_eq!(
        people_of(&server, "cup").await,
        [
            ("Arbiter".to_owned(), "director"),
            ("director-1".to_owned(), "director")
        ]
    );
    let log = server
        .as_director("GET", "/events/cup/log?limit=500")
        .send()
        .await
        .json();
    let acts: Vec<(&str, &str)> = log["items"]
        .as_array()
        .expect("acts")
        .iter()
        .filter_map(|act| Some((act["action"].as_str()?, act["actor"]["name"].as_str()?)))
        .filter(|(action, _)| action.starts_with("right") || action.starts_with("invitation"))
        .collect();
    assert_eq!(
        acts,
        [
            ("invitation-made", "director-1"),
            ("right-changed", "Arbiter"),
            ("invitation-made", "director-1"),
            ("right-given", "Arbiter"),
            ("invitation-made", "director-1"),
        ]
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_link_ends_with_time_when_taken_back_and_with_the_right_of_its_maker(pool: PgPool) {
    let server = Server::start(pool).await;
    server.event("Open", 3, 4).await;
    let gone = |link: String| {
        let server = &server;
        async move { page(server, "GET", &link).send().await.status == 410 }
    };
    let old = invited(&server, "open", "viewer").await;
    server.pass(chrono::TimeDelta::days(6));
    assert!(!gone(old.clone()).await);
    server.pass(chrono::TimeDelta::days(1));
    assert!(gone(old).await);

    let link = invited(&server, "open", "viewer").await;
    let listed = page(&server, "GET", "/manage/e/open/people")
        .token(&server.token)
        .send()
        .await
        .text();
    assert!(
        !listed.contains(link.rsplit('/').next().expect("a secret")),
        "a secret is shown once"
    );
    let id = listed
        .split("name=\"invitation\" value=\"")
        .nth(1)
        .expect("an open one");
    let id = id.split('"').next().expect("an id");
    let revoke = page(&server, "POST", "/manage/e/open/people/revoke").token(&server.token);
    assert_eq!(form(revoke, &format!("invitation={id}")).send().await.status, 303);
    assert!(gone(link).await);

    let link = invited(&server, "open", "director").await;
    let second = new_token(&server.state, "second", Role::Director).await;
    crate::support::give(&server.state, "open", "second", Role::Director).await;
    let listed = page(&server, "GET", "/manage/e/open/people")
        .token(&second)
        .send()
        .await
        .text();
    let user = |name: &str| {
        let row = listed.split(&format!("<bdi>{name}</bdi>")).nth(1).expect("a row");
        let id = row.split("name=\"user\" value=\"").nth(1).expect("an id");
        id.split('"').next().expect("an id").to_owned()
    };
    let (first, own) = (user("director-1"), user("second"));
    let act = |what: &str, body: String| {
        let request = page(&server, "POST", &format!("/manage/e/open/people/{what}")).token(&second);
        form(request, &body).send()
    };
    assert_eq!(act("remove", format!("user={first}")).await.status, 303);
    assert!(
        gone(link).await,
        "a link does not outlive the right of whoever made it"
    );
    let refused = page(&server, "GET", "/manage/e/open")
        .token(&server.token)
        .send()
        .await;
    assert_eq!(refused.status, 403);
    for (what, body) in [
        ("remove", format!("user={own}")),
        ("role", format!("user={own}&role=viewer")),
    ] {
        let last = act(what, body).await;
        assert_eq!(last.status, 422);
        assert!(
            last.text().contains("second is the only director"),
            "{}",
            last.text()
        );
    }
    let admin = act("role", format!("user={own}&role=admin")).await;
    assert_eq!(admin.status, 422, "no role of the site is given in an event");
    let nobody = act("role", format!("user={first}&role=director")).await;
    assert!(
        nobody.text().contains("no right in this event"),
        "{}",
        nobody.text()
    );
}

fn refusal(error: &Error) -> String {
    match error {
        Error::Problem(problem) => problem.code.to_string(),
        Error::Internal(cause) => panic!("{cause}"),
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn sessions_end_with_the_password_the_account_and_everywhere_at_once(pool: PgPool) {
    let server = Server::start(pool).await;
    let (state, peer) = (&server.state, Peer::default());
    let operator = operator();
    let mut tx = server.store.begin().await.expect("a transaction");
    let change = change_by(state, &operator);
    let user = auth::add_user(&mut tx, &change, "Li", PASSWORD, Role::Director)
        .await
        .expect("a user");
    tx.commit().await.expect("committed");
    let sign_in = |password: &'static str| async move {
        let session = auth::sign_in(state, peer, "Firefox", "li", password).await?;
        let cookie = auth::session_cookie(&session, peer, state.clock.now());
        let cookie = cookie
            .to_str()
            .expect("a cookie")
            .split(';')
            .next()
            .expect("a pair")
            .to_owned();
        Ok::<String, Error>(cookie)
    };
    let works = |cookie: String| {
        let server = &server;
        async move {
            let answer = page(server, "GET", "/manage")
                .header("cookie", &cookie)
                .send()
                .await;
            answer.status == 200
        }
    };
    let (one, two) = (
        sign_in(PASSWORD).await.expect("in"),
        sign_in(PASSWORD).await.expect("in"),
    );
    assert_ne!(one, two, "each sign-in has a secret of its own");
    assert!(works(one.clone()).await && works(two.clone()).await);

    let change_password = |cookie: String, old: &str, new: &str| {
        let body = format!("old={old}&password={new}").replace(' ', "+");
        form(
            page(&server, "POST", "/manage/account/password").header("cookie", &cookie),
            &body,
        )
        .send()
    };
    for (old, new, told) in [
        ("not this one", OTHER, "The old password is not right"),
        (PASSWORD, "short", "10"),
        (PASSWORD, "1234567890", "would soon be guessed"),
    ] {
        let refused = change_password(one.clone(), old, new).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains(told), "{}", refused.text());
    }
    assert!(works(two.clone()).await);
    let changed = change_password(one.clone(), PASSWORD, OTHER).await;
    assert_eq!(changed.status, 303, "{}", changed.text());
    let fresh = cookies(&changed);
    assert!(works(fresh.clone()).await);
    assert!(!works(one).await && !works(two).await);
    assert_eq!(
        refusal(&sign_in(PASSWORD).await.expect_err("the old one")),
        "wrong-password"
    );

    let other = sign_in(OTHER).await.expect("in");
    let out = page(&server, "POST", "/manage/account/sign-out-everywhere").header("cookie", &other);
    assert_eq!(form(out, "").send().await.status, 303);
    assert!(!works(fresh).await && !works(other).await);

    let session = sign_in(OTHER).await.expect("in");
    let token = page(&server, "POST", "/manage/account/add-token").header("cookie", &session);
    let token = secret(&form(token, "name=printer").send().await);
    let asks = || server.request("GET", "/events").token(&token).send();
    assert_eq!(asks().await.status, 200);
    let mut tx = server.store.begin().await.expect("a transaction");
    accounts::disable(&mut tx, &change, user.id)
        .await
        .expect("closed");
    tx.commit().await.expect("committed");
    assert!(!works(session.clone()).await);
    assert_eq!(asks().await.status, 401);
    assert_eq!(
        refusal(&sign_in(OTHER).await.expect_err("closed")),
        "account-closed"
    );
    assert_eq!(
        refusal(&sign_in(PASSWORD).await.expect_err("wrong")),
        "wrong-password"
    );
    let mut tx = server.store.begin().await.expect("a transaction");
    accounts::enable(&mut tx, &change, user.id).await.expect("open");
    tx.commit().await.expect("committed");
    assert!(!works(session).await, "what has ended has ended");
    assert_eq!(asks().await.status, 200);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_site_keeps_an_administrator_and_a_password_link_works_once(pool: PgPool) {
    let server = Server::start(pool).await;
    let admin = new_token(&server.state, "Admin", Role::Admin).await;
    let act = |what: &str, body: String| {
        let request = page(&server, "POST", &format!("/manage/users/{what}")).token(&admin);
        form(request, &body).send()
    };
    let mut tx = server.store.begin().await.expect("a transaction");
    let id = |users: &[accounts::User], name: &str| {
        users.iter().find(|user| user.name == name).expect("a user").id
    };
    let users = accounts::users(&mut tx).await.expect("users");
    drop(tx);
    let (own, director) = (id(&users, "Admin"), id(&users, "director-1"));
    for (what, body) in [
        ("close", format!("user={own}")),
        ("role", format!("user={own}&role=director")),
    ] {
        let refused = act(what, body).await;
        assert_eq!(refused.status, 422);
        assert!(
            refused.text().contains("Admin is the only administrator"),
            "{}",
            refused.text()
        );
    }
    assert_eq!(
        act("role", format!("user={director}&role=admin")).await.status,
        303
    );
    let admins = |server: &Server| {
        let store = server.store.clone();
        async move {
            let mut tx = store.begin().await.expect("a transaction");
            let users = accounts::users(&mut tx).await.expect("users");
            users
                .iter()
                .filter(|user| user.role == Role::Admin && user.disabled_at.is_none())
                .count()
        }
    };
    assert_eq!(admins(&server).await, 2);
    assert_eq!(act("close", format!("user={director}")).await.status, 303);
    assert_eq!(admins(&server).await, 1);
    assert_eq!(act("open", format!("user={director}")).await.status, 303);

    let made = act("invite", format!("user={director}")).await;
    let first = secret(&made);
    let made = act("invite", format!("user={director}")).await;
    let link = secret(&made);
    let path = |link: &str| link[link.find("/invitation/").expect("a path")..].to_owned();
    assert_eq!(
        page(&server, "GET", &path(&first)).send().await.status,
        410,
        "a new one replaces it"
    );
    let accepted = form(page(&server, "POST", &path(&link)), "how=accept")
        .token(&admin)
        .send()
        .await;
    assert_eq!(
        accepted.status, 422,
        "a link for a password gives no right to whoever is signed in"
    );
    let body = format!("how=password&password={PASSWORD}").replace(' ', "+");
    let set = form(page(&server, "POST", &path(&link)), &body).send().await;
    assert_eq!(set.status, 303, "{}", set.text());
    let session = auth::sign_in(&server.state, Peer::default(), "", "director-1", PASSWORD).await;
    assert!(session.is_ok());
    assert_eq!(page(&server, "GET", &path(&link)).send().await.status, 410);

    let made = act("invite", "role=director&note=Club".to_owned()).await;
    let body = format!("how=new&name=Wang&password={PASSWORD}").replace(' ', "+");
    let taken = form(page(&server, "POST", &path(&secret(&made))), &body)
        .send()
        .await;
    assert_eq!(taken.status, 303, "{}", taken.text());
    let new = page(&server, "GET", "/manage/new")
        .header("cookie", &cookies(&taken))
        .send()
        .await;
    assert_eq!(new.status, 200, "a director makes events");
}

#[sqlx::test(migrations = "../../migrations")]
async fn two_who_take_one_link_are_one(pool: PgPool) {
    let server = Server::start(pool).await;
    server.event("Open", 3, 4).await;
    let operator = operator();
    let mut tx = server.store.begin().await.expect("a transaction");
    let event = store::events::find(&mut tx, "open")
        .await
        .expect("a look")
        .expect("there")
        .id;
    let change = change_by(&server.state, &operator);
    let purpose = Purpose::Event(event, Role::Arbiter);
    let (path, _) = auth::invite(&mut tx, &change, purpose, "").await.expect("a link");
    tx.commit().await.expect("committed");
    let secret = path.rsplit('/').next().expect("a secret");
    let take = |name: &'static str| {
        let state = &server.state;
        async move { auth::accept_as_new(state, (Peer::default(), ""), secret, name, PASSWORD).await }
    };
    let (one, two) = tokio::join!(take("One"), take("Two"));
    let won = [&one, &two].into_iter().filter(|taken| taken.is_ok()).count();
    assert_eq!(won, 1, "{one:?} {two:?}");
    let lost = one
        .as_ref()
        .err()
        .or(two.as_ref().err())
        .expect("somebody came second");
    assert_eq!(refusal(lost), "invitation-spent");
    let won = one.or(two).expect("one");
    assert!(matches!(
        won.offer,
        Offer::Event {
            role: Role::Arbiter,
            ..
        }
    ));
    // Whoever came second has no account either: the name is free.
    assert_eq!(people_of(&server, "open").await.len(), 2);
    let mut tx = server.store.begin().await.expect("a transaction");
    assert_eq!(accounts::users(&mut tx).await.expect("users").len(), 2);
    let unknown = people::use_invitation(&mut tx, &[7; 32], server.state.clock.now(), "x").await;
    assert!(matches!(
        unknown,
        Err(store::Error::Refused(Refused::InvitationSpent))
    ));
}

// ---------------------------------------------------------------- names that are withheld

/// A name that stands nowhere else.
const MINOR: &str = "Quillfeather";

/// An event with rounds, results and drawn lots, in which one name is withheld.
async fn event_with_a_minor(server: &Server) -> String {
    let event = server.event("Open", 3, 0).await;
    let names: Vec<Value> = ["A", "B", MINOR, "D", "E", "F"]
        .iter()
        .map(|name| json!({"name": name, "team": format!("Team {}", name.len()), "name_withheld": *name == MINOR}))
        .collect();
    let added = server.post(&format!("{event}/entries"), &names.into()).await;
    assert_eq!(added.status, 201, "{}", added.text());
    let drawn = server.post(&format!("{event}/numbers/draw"), &json!({})).await;
    assert!(drawn.status < 300, "{}", drawn.text());
    server.round(&event).await;
    server.results(&event, 1, "bwb").await;
    server.round(&event).await;
    event
}

/// Everything of the event that the public can ask for.
async fn public_addresses(server: &Server, event: &str) -> Vec<String> {
    let slug = server.get(event).await.json()["slug"]
        .as_str()
        .expect("a slug")
        .to_owned();
    let mut addresses = vec!["///".to_owned()];
    let pages = ["", "/standings", "/crosstable", "/find"].map(|page| format!("///e/{slug}{page}"));
    addresses.extend(pages);
    for number in 1..=6 {
        addresses.push(format!("///e/{slug}/players/{number}"));
        addresses.push(format!("///e/{slug}/rounds/1?q={number}"));
        addresses.push(format!("{event}/entries/{number}"));
        addresses.push(format!("{event}/entries/{number}/games"));
    }
    for what in ["1", "2", "3", "numbers"] {
        addresses.push(format!("///e/{slug}/draw/{what}"));
    }
    addresses.push(format!("///e/{slug}/find?q={MINOR}"));
    addresses.push(format!("///e/{slug}/rounds/1?by=name"));
    addresses.push(format!("///e/{slug}/rounds/2?by=name&q={MINOR}"));
    let document = serde_json::to_value(web::api::document()).expect("JSON");
    for (path, operations) in document["paths"].as_object().expect("paths") {
        if operations.get("get").is_none() || !path.contains("{event}") {
            continue;
        }
        for number in ["1", "2", "3"] {
            let path = path
                .replace("/api/v1/events/{event}", event)
                .replace("{number}", number)
                .replace("{round}", number)
                .replace("{board}", number);
            addresses.push(path.clone());
            for format in ["csv", "json"] {
                addresses.push(format!("{path}?format={format}"));
            }
        }
    }
    addresses.sort();
    addresses.dedup();
    addresses
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_name_that_is_withheld_stands_in_nothing_that_the_public_reads(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = event_with_a_minor(&server).await;
    let stranger = new_token(&server.state, "stranger", Role::Director).await;
    let addresses = public_addresses(&server, &event).await;
    let (mut read, mut told) = (0, 0);
    for address in &addresses {
        for token in [None, Some(&stranger)] {
            for language in ["en", "zh-CN"] {
                let ask = |address: String| {
                    let mut request = server
                        .request("GET", &address)
                        .header("accept-language", language);
                    if let Some(token) = token {
                        request = request.token(token);
                    }
                    request.send()
                };
                let answer = ask(address.clone()).await;
                let mut text = answer.text();
                if address.contains(MINOR) {
                    // A search for the name tells what a search for nobody does.
                    let nobody = ask(address.replace(MINOR, "Unheardof")).await.text();
                    text = text.replace(MINOR, "?");
                    assert_eq!(text, nobody.replace("Unheardof", "?"), "{address}");
                }
                assert!(!text.contains(MINOR), "{address} {language}: {text}");
                read += usize::from(answer.status == 200);
                let number = if language == "en" { "Player " } else { "棋手" };
                told += usize::from(answer.status == 200 && text.contains(number));
            }
        }
    }
    assert!(read > 100 && told > 40, "{read} {told}");

    // Whoever has a right in the event reads it, and the rest is the same.
    let arbiter = new_token(&server.state, "arbiter", Role::Arbiter).await;
    crate::support::give(&server.state, "open", "arbiter", Role::Arbiter).await;
    for token in [&arbiter, &server.token] {
        for path in ["entries", "standings", "crosstable", "export"] {
            let answer = server
                .request("GET", &format!("{event}/{path}"))
                .token(token)
                .send()
                .await;
            let named = answer.text().contains(MINOR);
            assert!(
                named || path != "entries" && path != "export",
                "{path}: {}",
                answer.text()
            );
        }
    }
    let standings = format!("{event}/standings");
    let (public, own) = (
        server.get(&standings).await.json(),
        server.as_director("GET", &standings).send().await.json(),
    );
    let without_names = |table: &Value| table.to_string().replace(MINOR, "");
    let number = own["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["name"] == MINOR)
        .map(|row| row["number"].clone());
    let stand_in = number
        .map(|number| format!("Player {number}"))
        .unwrap_or_default();
    let public = public.to_string();
    assert_eq!(
        if stand_in.is_empty() {
            public
        } else {
            public.replace(&stand_in, "")
        },
        without_names(&own)
    );
    let found = server.get(&format!("///e/open/find?q={MINOR}")).await.text();
    let sought = server.get("///e/open/find?q=Player").await.text();
    assert!(
        !found.contains("/e/open/players/") && sought.contains("/e/open/players/"),
        "{found}"
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_withheld_name_goes_through_the_event_file_and_comes_back_by_the_form(pool: PgPool) {
    let server = Server::start(pool).await;
    let event = event_with_a_minor(&server).await;
    let file = server.as_director("GET", &format!("{event}/export")).send().await;
    let text = String::from_utf8(file.body.clone()).expect("text");
    assert!(
        text.contains(MINOR) && text.matches("name_withheld").count() == 1,
        "{text}"
    );
    let imported = server
        .as_director("POST", "/events/import")
        .header("content-type", "application/json")
        .body(file.body.clone())
        .send()
        .await;
    assert_eq!(imported.status, 201, "{}", imported.text());
    let copy = format!("/events/{}", imported.json()["id"].as_str().expect("an id"));
    assert_eq!(
        server
            .as_director("GET", &format!("{copy}/export"))
            .send()
            .await
            .body,
        file.body
    );
    let entries = server.get(&format!("{copy}/entries")).await.json();
    let withheld: Vec<&Value> = entries["items"]
        .as_array()
        .expect("entries")
        .iter()
        .filter(|entry| entry["name_withheld"] == true)
        .collect();
    let number = withheld[0]["number"].as_u64().expect("a number");
    assert_eq!(withheld[0]["name"], format!("Player {number}"));

    // The box of the form is kept by the form and taken away by it.
    let path = format!("/manage/e/open/entries/{number}");
    let shown = page(&server, "GET", &path)
        .token(&server.token)
        .send()
        .await
        .text();
    assert!(
        shown.contains("name=\"name_withheld\" value=\"1\" checked"),
        "{shown}"
    );
    let body = format!("number={number}&name={MINOR}&start_score=0");
    let saved = form(page(&server, "POST", &path).token(&server.token), &body)
        .send()
        .await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let public = server.get(&format!("{event}/entries/{number}")).await.json();
    assert_eq!(
        (&public["name"], &public["name_withheld"]),
        (&json!(MINOR), &json!(false))
    );
}
