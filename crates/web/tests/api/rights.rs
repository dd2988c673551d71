//! Who may do what, route by route: every route of the API and of the pages is asked as everybody,
//! and a route that nobody has put into the table fails.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sqlx::PgPool;
use store::Role;

use crate::support::{Server, give, new_token};

/// What a route needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// Nothing.
    Nothing,
    /// To be somebody.
    Account,
    /// To see what directors see.
    Sees,
    /// To see the results page.
    SeesResults,
    /// To enter results.
    EntersResults,
    /// To direct.
    Directs,
    /// To make events.
    MakesEvents,
    /// To manage accounts.
    Administers,
}

/// Everybody who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    Closed,
    Stranger,
    OtherDirector,
    Viewer,
    Arbiter,
    Director,
    Admin,
}

const EVERYBODY: [Who; 8] = [
    Who::Nobody,
    Who::Closed,
    Who::Stranger,
    Who::OtherDirector,
    Who::Viewer,
    Who::Arbiter,
    Who::Director,
    Who::Admin,
];

impl Who {
    fn holds(self, needs: Needs) -> bool {
        use Who::{Admin, Arbiter, Closed, Director, Nobody, OtherDirector, Viewer};
        match needs {
            Needs::Nothing => self != Closed,
            Needs::Account => !matches!(self, Nobody | Closed),
            Needs::Sees => matches!(self, Viewer | Director | Admin),
            Needs::SeesResults => matches!(self, Viewer | Arbiter | Director | Admin),
            Needs::EntersResults => matches!(self, Arbiter | Director | Admin),
            Needs::Directs => matches!(self, Director | Admin),
            Needs::MakesEvents => matches!(self, OtherDirector | Director | Admin),
            Needs::Administers => self == Admin,
        }
    }
}

/// The routes of the pages, as the routers name them.
fn page_routes() -> BTreeSet<String> {
    let sources = [
        include_str!("../../src/pages/mod.rs"),
        include_str!("../../src/pages/manage/mod.rs"),
    ];
    let mut routes = BTreeSet::new();
    for piece in sources.iter().flat_map(|source| source.split(".route(").skip(1)) {
        let path = piece.trim_start().strip_prefix('"').expect("a path");
        routes.insert(path.split('"').next().expect("a path").to_owned());
    }
    assert!(routes.len() > 40, "{routes:?}");
    routes
}

/// The methods and routes of the API, as its document names them.
fn api_routes() -> BTreeSet<(String, String)> {
    let document = serde_json::to_value(web::api::document()).expect("JSON");
    let mut routes = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for method in operations.as_object().expect("operations").keys() {
            routes.insert((method.to_uppercase(), path.clone()));
        }
    }
    routes
}

const GET: &str = "GET";
const POST: &str = "POST";

/// What each route of the pages needs: to be read, and to do something. A route that only acts is
/// read by nobody: it leads back to its page.
const PAGES: &[(&str, Needs, Option<Needs>)] = &[
    ("/", Needs::Nothing, None),
    ("/archive", Needs::Nothing, None),
    ("/f/{family}", Needs::Nothing, None),
    ("/f/{family}/find", Needs::Nothing, None),
    ("/f/{family}/screen", Needs::Nothing, None),
    ("/e/{slug}", Needs::Nothing, None),
    ("/e/{slug}/rounds/{round}", Needs::Nothing, None),
    ("/e/{slug}/rounds/{round}/withdrawn", Needs::Nothing, None),
    ("/e/{slug}/rounds/{round}/boards/{board}", Needs::Nothing, None),
    (
        "/e/{slug}/rounds/{round}/boards/{board}/count",
        Needs::Nothing,
        None,
    ),
    (
        "/e/{slug}/rounds/{round}/boards/{board}/record.sgf",
        Needs::Nothing,
        None,
    ),
    // Who brings a record is asked for the right or the code of a board that is there.
    (
        "/e/{slug}/rounds/{round}/boards/{board}/record",
        Needs::Nothing,
        Some(Needs::Nothing),
    ),
    ("/e/{slug}/standings", Needs::Nothing, None),
    ("/e/{slug}/standings/compare", Needs::Nothing, None),
    ("/e/{slug}/standings/{number}", Needs::Nothing, None),
    ("/e/{slug}/crosstable", Needs::Nothing, None),
    ("/e/{slug}/players/{number}", Needs::Nothing, None),
    ("/e/{slug}/find", Needs::Nothing, None),
    ("/e/{slug}/find/poster", Needs::Nothing, None),
    ("/e/{slug}/screen", Needs::Nothing, None),
    ("/e/{slug}/sign-up", Needs::Nothing, Some(Needs::Nothing)),
    ("/e/{slug}/sign-up/{key}", Needs::Nothing, Some(Needs::Nothing)),
    ("/e/{slug}/draw/{what}", Needs::Nothing, None),
    ("/static/{file}", Needs::Nothing, None),
    ("/language", Needs::Nothing, Some(Needs::Nothing)),
    // The player's code is the right; a wrong one is told on the page.
    ("/e/{slug}/hand-in", Needs::Nothing, Some(Needs::Nothing)),
    // The secret in the address is the right.
    ("/r/{token}", Needs::Nothing, Some(Needs::Nothing)),
    ("/setup/{token}", Needs::Nothing, Some(Needs::Nothing)),
    ("/invitation/{token}", Needs::Nothing, Some(Needs::Nothing)),
    ("/manage", Needs::Account, None),
    ("/manage/sign-in", Needs::Nothing, Some(Needs::Nothing)),
    ("/manage/sign-out", Needs::Nothing, Some(Needs::Nothing)),
    ("/manage/account", Needs::Account, None),
    ("/manage/account/password", Needs::Nothing, Some(Needs::Account)),
    (
        "/manage/account/sign-out-everywhere",
        Needs::Nothing,
        Some(Needs::Account),
    ),
    (
        "/manage/account/end-session",
        Needs::Nothing,
        Some(Needs::Account),
    ),
    ("/manage/account/add-token", Needs::Nothing, Some(Needs::Account)),
    (
        "/manage/account/revoke-token",
        Needs::Nothing,
        Some(Needs::Account),
    ),
    ("/manage/users", Needs::Administers, None),
    ("/manage/users/role", Needs::Nothing, Some(Needs::Administers)),
    ("/manage/users/close", Needs::Nothing, Some(Needs::Administers)),
    ("/manage/users/open", Needs::Nothing, Some(Needs::Administers)),
    ("/manage/users/invite", Needs::Nothing, Some(Needs::Administers)),
    ("/manage/users/revoke", Needs::Nothing, Some(Needs::Administers)),
    ("/manage/new", Needs::MakesEvents, Some(Needs::MakesEvents)),
    ("/manage/import", Needs::MakesEvents, Some(Needs::MakesEvents)),
    (
        "/manage/families/new",
        Needs::MakesEvents,
        Some(Needs::MakesEvents),
    ),
    ("/manage/f/{family}", Needs::Sees, None),
    ("/manage/f/{family}/pair", Needs::Sees, Some(Needs::Directs)),
    ("/manage/f/{family}/publish", Needs::Sees, Some(Needs::Directs)),
    ("/manage/f/{family}/throw-away", Needs::Sees, Some(Needs::Directs)),
    ("/manage/f/{family}/settings", Needs::Sees, Some(Needs::Directs)),
    ("/manage/f/{family}/people", Needs::Sees, Some(Needs::Directs)),
    ("/manage/f/{family}/dissolve", Needs::Sees, Some(Needs::Directs)),
    (
        "/manage/f/{family}/entries/import",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    ("/manage/f/{family}/print/{sheet}", Needs::Sees, None),
    ("/manage/e/{slug}/split", Needs::Sees, Some(Needs::Directs)),
    ("/manage/e/{slug}", Needs::Sees, None),
    ("/manage/e/{slug}/entries", Needs::Sees, Some(Needs::Directs)),
    (
        "/manage/e/{slug}/entries/import",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/entries/undo", Needs::Sees, Some(Needs::Directs)),
    (
        "/manage/e/{slug}/check-in",
        Needs::SeesResults,
        Some(Needs::EntersResults),
    ),
    (
        "/manage/e/{slug}/check-in/missing",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/sign-ups", Needs::Sees, None),
    (
        "/manage/e/{slug}/sign-ups/confirm",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/sign-ups/decide",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/sign-ups/settings",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/entries/{number}",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/entries/{number}/withdraw",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/entries/{number}/return",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/entries/{number}/sit-out",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/entries/{number}/delete",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/draws", Needs::Sees, None),
    ("/manage/e/{slug}/draws/words", Needs::Sees, Some(Needs::Directs)),
    (
        "/manage/e/{slug}/draws/words/remove",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/draws/numbers",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/draws/groups", Needs::Sees, Some(Needs::Directs)),
    ("/manage/e/{slug}/rounds", Needs::Sees, Some(Needs::Directs)),
    (
        "/manage/e/{slug}/rounds/by-hand",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/rounds/{round}", Needs::Sees, None),
    ("/manage/e/{slug}/rounds/{round}/why", Needs::Sees, None),
    (
        "/manage/e/{slug}/rounds/{round}/publish",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/publish-at",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/throw-away",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/swap",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/colours",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/results",
        Needs::SeesResults,
        Some(Needs::EntersResults),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/results/confirm",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/rounds/{round}/slips", Needs::Sees, None),
    (
        "/manage/e/{slug}/result-links",
        Needs::Directs,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/result-links/cards", Needs::Directs, None),
    (
        "/manage/e/{slug}/result-links/revoke",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/result-links/ask",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/boards/{board}",
        Needs::SeesResults,
        Some(Needs::EntersResults),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/boards/{board}/record",
        Needs::Sees,
        None,
    ),
    (
        "/manage/e/{slug}/rounds/{round}/boards/{board}/record/{version}",
        Needs::Sees,
        None,
    ),
    (
        "/manage/e/{slug}/rounds/{round}/boards/{board}/record/dead",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/boards/{board}/record/encoding",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/boards/{board}/record/withdraw",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/boards/{board}/record/bring-back",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/rounds/{round}/codes",
        Needs::Directs,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/records", Needs::Sees, None),
    ("/manage/e/{slug}/settings", Needs::Sees, Some(Needs::Directs)),
    ("/manage/e/{slug}/print", Needs::Sees, None),
    ("/manage/e/{slug}/print/{sheet}", Needs::Sees, None),
    ("/manage/e/{slug}/finish", Needs::Sees, Some(Needs::Directs)),
    ("/manage/e/{slug}/promotion", Needs::Sees, Some(Needs::Directs)),
    ("/manage/e/{slug}/prizes", Needs::Sees, Some(Needs::Directs)),
    ("/manage/e/{slug}/delete", Needs::Sees, Some(Needs::Directs)),
    ("/manage/e/{slug}/log", Needs::Sees, None),
    ("/manage/e/{slug}/log/undo", Needs::Sees, Some(Needs::Directs)),
    ("/manage/e/{slug}/people", Needs::Sees, None),
    (
        "/manage/e/{slug}/people/invite",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    ("/manage/e/{slug}/people/role", Needs::Sees, Some(Needs::Directs)),
    (
        "/manage/e/{slug}/people/remove",
        Needs::Sees,
        Some(Needs::Directs),
    ),
    (
        "/manage/e/{slug}/people/revoke",
        Needs::Sees,
        Some(Needs::Directs),
    ),
];

/// What each route of the API needs that is not open to everybody who reads, nor to directors alone
/// who change something.
const API: &[(&str, &str, Needs)] = &[
    (POST, "/api/v1/events", Needs::MakesEvents),
    (POST, "/api/v1/events/import", Needs::MakesEvents),
    (POST, "/api/v1/events/copy", Needs::MakesEvents),
    (POST, "/api/v1/families", Needs::MakesEvents),
    (GET, "/api/v1/events/{event}/log", Needs::Sees),
    (GET, "/api/v1/events/{event}/log/file", Needs::Sees),
    (GET, "/api/v1/events/{event}/people", Needs::Sees),
    (GET, "/api/v1/events/{event}/readiness", Needs::Sees),
    (GET, "/api/v1/events/{event}/sign-ups", Needs::Sees),
    (POST, "/api/v1/events/{event}/sign-ups", Needs::Nothing),
    ("DELETE", "/api/v1/events/{event}/sign-up/{key}", Needs::Nothing),
    (GET, "/api/v1/events/{event}/check-in", Needs::SeesResults),
    (
        "PUT",
        "/api/v1/events/{event}/entries/{number}/check-in",
        Needs::EntersResults,
    ),
    (
        "DELETE",
        "/api/v1/events/{event}/entries/{number}/check-in",
        Needs::EntersResults,
    ),
    (GET, "/api/v1/events/{event}/rounds/{round}/codes", Needs::Directs),
    (GET, "/api/v1/events/{event}/records", Needs::Sees),
    (
        GET,
        "/api/v1/events/{event}/rounds/{round}/boards/{board}/records",
        Needs::Sees,
    ),
    (
        GET,
        "/api/v1/events/{event}/rounds/{round}/boards/{board}/records/{version}",
        Needs::Sees,
    ),
    // Who brings a record is asked for the right or the code of a board that is there.
    (
        "PUT",
        "/api/v1/events/{event}/rounds/{round}/boards/{board}/record",
        Needs::Nothing,
    ),
    (POST, "/api/v1/records/check", Needs::Nothing),
    (GET, "/api/v1/events/{event}/rounds/{round}/why", Needs::Sees),
    (
        "PUT",
        "/api/v1/events/{event}/rounds/{round}/boards/{board}/result",
        Needs::EntersResults,
    ),
    (
        "DELETE",
        "/api/v1/events/{event}/rounds/{round}/boards/{board}/result",
        Needs::EntersResults,
    ),
    (
        "PUT",
        "/api/v1/events/{event}/rounds/{round}/results",
        Needs::EntersResults,
    ),
];

/// Every route with what it needs.
fn table() -> Vec<(String, String, Needs)> {
    let mut table = Vec::new();
    let routes = page_routes();
    for (route, reading, acting) in PAGES {
        assert!(routes.contains(*route), "there is no page {route}");
        table.push((GET.to_owned(), (*route).to_owned(), *reading));
        if let Some(acting) = acting {
            table.push((POST.to_owned(), (*route).to_owned(), *acting));
        }
    }
    let known: BTreeSet<&str> = PAGES.iter().map(|(route, ..)| *route).collect();
    let forgotten: Vec<&String> = routes
        .iter()
        .filter(|route| !known.contains(route.as_str()))
        .collect();
    assert!(forgotten.is_empty(), "who may see and do {forgotten:?}?");
    for (method, route) in api_routes() {
        let named = API
            .iter()
            .find(|(known, path, _)| *known == method && *path == route);
        let needs = match named {
            Some((.., needs)) => *needs,
            None if method == GET => Needs::Nothing,
            None => Needs::Directs,
        };
        table.push((method, route, needs));
    }
    table
}

/// An address of a route. The numbers lead nowhere, so that whoever has the right changes nothing
/// that others ask for later.
fn address(route: &str, event: &str) -> String {
    let path = route
        .replace("{event}", event)
        .replace("{slug}", event)
        .replace("{family}", event)
        .replace("{number}", "77")
        .replace("{round}", "77")
        .replace("{board}", "77")
        .replace("{what}", "numbers")
        .replace("{sheet}", "standings")
        .replace("{token}", "nothing")
        .replace("{key}", "nothing")
        .replace("{file}", "style.css")
        .replace("{draw}", "numbers")
        .replace("{version}", "77")
        .replace("{seq}", "77")
        .replace("{batch}", "77")
        .replace("{sign_up}", "77")
        .replace("{user}", "00000000-0000-0000-0000-000000000077")
        .replace("{invitation}", "00000000-0000-0000-0000-000000000077")
        .replace("{position}", "77");
    assert!(!path.contains('{'), "{path}: what stands there?");
    if path.starts_with("/api") {
        path
    } else {
        format!("//{path}")
    }
}

struct Cast {
    server: Server,
    tokens: Vec<(Who, Option<String>)>,
}

impl Cast {
    /// An event with its people, public or hidden, and those who have nothing to do with it.
    async fn of(pool: PgPool, visibility: &str) -> Self {
        let server = Server::start(pool).await;
        let made = server
            .post(
                "/events",
                &json!({"name": "Open", "rounds": 3, "visibility": visibility}),
            )
            .await;
        assert_eq!(made.status, 201, "{}", made.text());
        let names: Vec<Value> = ["A", "B", "C", "D"].map(|name| json!({"name": name})).to_vec();
        server.post("/events/open/entries", &names.into()).await;
        let mut tokens = vec![(Who::Nobody, None), (Who::Director, Some(server.token.clone()))];
        for (who, name, role) in [
            (Who::Closed, "closed", Role::Director),
            (Who::Stranger, "stranger", Role::Viewer),
            (Who::OtherDirector, "other", Role::Director),
            (Who::Viewer, "viewer", Role::Viewer),
            (Who::Arbiter, "arbiter", Role::Arbiter),
            (Who::Admin, "admin", Role::Admin),
        ] {
            tokens.push((who, Some(new_token(&server.state, name, role).await)));
        }
        give(&server.state, "open", "viewer", Role::Viewer).await;
        give(&server.state, "open", "arbiter", Role::Arbiter).await;
        give(&server.state, "open", "closed", Role::Director).await;
        let family = json!({"name": "Open", "groups": [{"event": "open", "label": "A"}]});
        assert_eq!(server.post("/families", &family).await.status, 201);
        for (user, right) in [
            ("viewer", "viewer"),
            ("arbiter", "arbiter"),
            ("closed", "director"),
        ] {
            let body = json!({"user": user, "right": right});
            let given = server
                .as_director("PUT", "/families/open/people")
                .json(&body)
                .send()
                .await;
            assert_eq!(given.status, 200, "{}", given.text());
        }
        crate::support::close_account(&server.state, "closed").await;
        Self { server, tokens }
    }

    fn token(&self, who: Who) -> Option<&str> {
        let found = self.tokens.iter().find(|(one, _)| *one == who);
        found.and_then(|(_, token)| token.as_deref())
    }

    async fn ask(&self, who: Who, method: &str, path: &str) -> crate::support::Answer {
        // Whoever may remove the event has seen another version of it: the others still have to ask.
        let removes = method == "DELETE" && path.matches('/').count() == 4;
        let seen = if removes { "\"0\"" } else { "*" };
        let mut request = self.server.request(method, path).header("if-match", seen);
        request = if path.starts_with("/api") {
            request.json(&json!({"nonsense": true}))
        } else if method == POST {
            let kind = if path.contains("/import") {
                "multipart/form-data; boundary=x"
            } else {
                "application/x-www-form-urlencoded"
            };
            request.header("content-type", kind)
        } else {
            request
        };
        if let Some(token) = self.token(who) {
            request = request.token(token);
        }
        request.send().await
    }
}

/// The kind of refusal of an answer, of a page too.
fn is_refused(status: u16, location: Option<&str>) -> bool {
    status == 401 || status == 403 || location.is_some_and(|to| to.starts_with("/manage/sign-in"))
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_route_asks_everybody_for_the_right_it_needs(pool: PgPool) {
    let cast = Cast::of(pool, "public").await;
    let mut refused = 0;
    for (method, route, needs) in table() {
        for who in EVERYBODY {
            let answer = cast.ask(who, &method, &address(&route, "open")).await;
            let at = format!("{who:?}: {method} {route}: {}", answer.status);
            // A wrong token is refused wherever somebody asks who is calling; a file asks nobody.
            if who == Who::Closed && needs == Needs::Nothing {
                continue;
            }
            let location = answer.header("location").map(str::to_owned);
            let is_refused = is_refused(answer.status, location.as_deref());
            assert_eq!(is_refused, !who.holds(needs), "{at}");
            if is_refused && !matches!(who, Who::Nobody | Who::Closed) {
                assert_eq!(answer.status, 403, "{at}");
                let text = answer.text();
                let named = match who {
                    Who::Viewer => "its viewer",
                    Who::Arbiter => "its arbiter",
                    _ => "no right in this event",
                };
                let of_event = route.contains("{event}") || route.contains("{slug}");
                assert!(!of_event || text.contains(named), "{at}: {text}");
                refused += 1;
            }
            assert!(answer.status < 500, "{at}");
        }
    }
    assert!(refused > 150, "{refused}");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_hidden_event_answers_strangers_as_one_that_does_not_exist(pool: PgPool) {
    let cast = Cast::of(pool, "hidden").await;
    for (method, route, needs) in table() {
        if !["{event}", "{slug}", "{family}"]
            .iter()
            .any(|named| route.contains(named))
        {
            continue;
        }
        for who in EVERYBODY {
            let there = cast.ask(who, &method, &address(&route, "open")).await;
            if matches!(
                who,
                Who::Nobody | Who::Closed | Who::Stranger | Who::OtherDirector
            ) {
                let nowhere = cast.ask(who, &method, &address(&route, "nope")).await;
                let told = |answer: &crate::support::Answer| {
                    let text = answer.text().replace("nope", "open");
                    (
                        answer.status,
                        text,
                        answer.header("location").map(|to| to.replace("nope", "open")),
                    )
                };
                assert_eq!(told(&there), told(&nowhere), "{who:?}: {method} {route}");
            } else if who.holds(needs) {
                assert!(
                    !is_refused(there.status, there.header("location")),
                    "{who:?}: {method} {route}: {}",
                    there.text()
                );
            } else {
                assert_eq!(there.status, 403, "{who:?}: {method} {route}");
            }
        }
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn everybody_finds_the_events_that_are_there_for_them(pool: PgPool) {
    let cast = Cast::of(pool, "hidden").await;
    let open = json!({"name": "Public", "rounds": 3});
    cast.server.post("/events", &open).await;
    for who in EVERYBODY {
        let listed = cast.ask(who, GET, "/api/v1/events").await;
        let expected = match who {
            Who::Closed => {
                assert_eq!(listed.status, 401);
                continue;
            }
            Who::Nobody | Who::Stranger | Who::OtherDirector => 1,
            _ => 2,
        };
        assert_eq!(listed.json()["total"], expected, "{who:?}");
        // The list of one's own work has no event of others.
        let own = cast.ask(who, GET, "///manage").await.text();
        let (hidden, public) = match who {
            Who::Director | Who::Admin => (true, true),
            Who::Viewer | Who::Arbiter => (true, false),
            _ => (false, false),
        };
        assert_eq!(own.contains(">Open<"), hidden, "{who:?}");
        assert_eq!(own.contains(">Public<"), public, "{who:?}");
    }
}

// An arbiter works from published tables alone: a draft is not there.
#[sqlx::test(migrations = "../../migrations")]
async fn an_arbiter_enters_results_and_knows_no_draft(pool: PgPool) {
    let cast = Cast::of(pool, "public").await;
    let server = &cast.server;
    let paired = server.as_director("POST", "/events/open/rounds").send().await;
    assert_eq!(paired.status, 201, "{}", paired.text());
    let arbiter = cast.token(Who::Arbiter).expect("a token");
    let result = json!({"result": "black"});
    for (path, body) in [
        ("/events/open/rounds/1/boards/1/result", result.clone()),
        (
            "/events/open/rounds/1/results",
            json!({"results": [{"board": 1, "result": "black"}]}),
        ),
    ] {
        let put = server
            .request("PUT", path)
            .token(arbiter)
            .json(&body)
            .send()
            .await;
        assert_eq!(
            (put.status, put.problem().as_str()),
            (404, "unknown-round"),
            "{path}"
        );
    }
    for path in ["/events/open/rounds/1", "/events/open/rounds/1/boards/1/result"] {
        let get = server.request("GET", path).token(arbiter).send().await;
        assert_eq!(
            (get.status, get.problem().as_str()),
            (404, "unknown-round"),
            "{path}"
        );
    }
    let rounds = server
        .request("GET", "/events/open/rounds")
        .token(arbiter)
        .send()
        .await;
    assert_eq!(rounds.json()["items"], json!([]));
    let viewer = cast.token(Who::Viewer).expect("a token");
    let seen = server
        .request("GET", "/events/open/rounds/1")
        .token(viewer)
        .send()
        .await;
    assert_eq!((seen.status, &seen.json()["status"]), (200, &json!("draft")));

    server.publish("/events/open", 1).await;
    let path = "/events/open/rounds/1/boards/1/result";
    let put = server
        .request("PUT", path)
        .token(arbiter)
        .json(&result)
        .send()
        .await;
    assert_eq!(put.status, 200, "{}", put.text());
    let got = server.request("GET", path).token(arbiter).send().await.json();
    assert!(
        got["version"].is_i64(),
        "an arbiter needs the version to correct: {got}"
    );
    let cleared = server
        .request("DELETE", path)
        .token(arbiter)
        .if_match(&got["version"])
        .send()
        .await;
    assert_eq!(cleared.status, 200, "{}", cleared.text());
    let log = server.as_director("GET", "/events/open/log").send().await.json();
    let actor = &log["items"][0]["actor"];
    assert_eq!(
        (&actor["name"], &actor["role"]),
        (&json!("arbiter"), &json!("arbiter")),
        "{log}"
    );
}
