//! Who may do what, route by route: every route of the API and of the pages is asked as everybody,
//! and a route that nobody has put into the table fails.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sqlx::PgPool;
use store::{Role, Scope};

use crate::support::{Answer, Request, Server, give, new_token, token_for};

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
    /// Directs the event with an account that is closed.
    Closed,
    /// Sends the secret of a link for results as if it were a token.
    Link,
    Stranger,
    /// Makes events, and has no right in this one.
    OtherDirector,
    /// Arbiter of another event.
    OtherArbiter,
    Viewer,
    Arbiter,
    Director,
    /// Directs the event, and has no right in the family.
    GroupDirector,
    /// These three have their right in the family alone.
    FamilyViewer,
    FamilyArbiter,
    FamilyDirector,
    /// The director, with a token that may only enter results, and with one that may only read.
    ForResults,
    ForReading,
    Admin,
}

const EVERYBODY: [Who; 16] = [
    Who::Nobody,
    Who::Closed,
    Who::Link,
    Who::Stranger,
    Who::OtherDirector,
    Who::OtherArbiter,
    Who::Viewer,
    Who::Arbiter,
    Who::Director,
    Who::GroupDirector,
    Who::FamilyViewer,
    Who::FamilyArbiter,
    Who::FamilyDirector,
    Who::ForResults,
    Who::ForReading,
    Who::Admin,
];

impl Who {
    /// Whether somebody of this kind may do on a route what needs this.
    fn holds(self, needs: Needs, route: &str) -> bool {
        let right = self.right_in(route);
        match needs {
            Needs::Nothing => !self.is_refused_as_caller(),
            Needs::Account => self != Self::Nobody && !self.is_refused_as_caller() && !self.is_scoped(),
            Needs::Sees => matches!(right, Some(Role::Viewer | Role::Director | Role::Admin)),
            Needs::SeesResults => right.is_some(),
            Needs::EntersResults => matches!(right, Some(Role::Arbiter | Role::Director | Role::Admin)),
            Needs::Directs => matches!(right, Some(Role::Director | Role::Admin)),
            Needs::MakesEvents => matches!(self, Self::OtherDirector | Self::Director | Self::Admin),
            Needs::Administers => self == Self::Admin,
        }
    }

    /// The right in the event or the family of a route.
    fn right_in(self, route: &str) -> Option<Role> {
        match self {
            Self::Nobody
            | Self::Closed
            | Self::Link
            | Self::Stranger
            | Self::OtherDirector
            | Self::OtherArbiter => None,
            Self::Viewer | Self::FamilyViewer | Self::ForReading => Some(Role::Viewer),
            Self::Arbiter | Self::FamilyArbiter | Self::ForResults => Some(Role::Arbiter),
            Self::GroupDirector if route.contains("{family}") => None,
            Self::Director | Self::GroupDirector | Self::FamilyDirector => Some(Role::Director),
            Self::Admin => Some(Role::Admin),
        }
    }

    /// Whether the token is for less than its holder may do.
    fn is_scoped(self) -> bool {
        matches!(self, Self::ForResults | Self::ForReading)
    }

    /// Whether the token is one that nobody has.
    fn is_refused_as_caller(self) -> bool {
        matches!(self, Self::Closed | Self::Link)
    }
}

const GET: &str = "GET";
const POST: &str = "POST";

/// What each route needs, by method. A route that only acts is read by nobody: it leads back to its
/// page, and so needs nothing to be read where it needs an account to act.
const TABLE: &str = "
GET    /metrics  administers
GET    /  nothing
GET    /archive  nothing
GET    /f/{family}  nothing
GET    /f/{family}/find  nothing
GET    /f/{family}/screen  nothing
GET    /e/{slug}  nothing
GET    /e/{slug}/rounds/{round}  nothing
GET    /e/{slug}/rounds/{round}/withdrawn  nothing
GET    /e/{slug}/rounds/{round}/boards/{board}  nothing
GET    /e/{slug}/rounds/{round}/boards/{board}/count  nothing
GET    /e/{slug}/rounds/{round}/boards/{board}/record.sgf  nothing
GET    /e/{slug}/rounds/{round}/boards/{board}/record  nothing
POST   /e/{slug}/rounds/{round}/boards/{board}/record  nothing
GET    /e/{slug}/standings  nothing
GET    /e/{slug}/standings/compare  nothing
GET    /e/{slug}/standings/{number}  nothing
GET    /e/{slug}/crosstable  nothing
GET    /e/{slug}/players/{number}  nothing
GET    /e/{slug}/find  nothing
GET    /e/{slug}/find/poster  nothing
GET    /e/{slug}/screen  nothing
GET    /e/{slug}/sign-up  nothing
POST   /e/{slug}/sign-up  nothing
GET    /e/{slug}/sign-up/{key}  nothing
POST   /e/{slug}/sign-up/{key}  nothing
GET    /e/{slug}/draw/{what}  nothing
GET    /static/{file}  nothing
POST   /language  nothing
GET    /e/{slug}/hand-in  nothing
POST   /e/{slug}/hand-in  nothing
GET    /r/{token}  nothing
POST   /r/{token}  nothing
GET    /setup/{token}  nothing
POST   /setup/{token}  nothing
GET    /invitation/{token}  nothing
POST   /invitation/{token}  nothing
GET    /manage  account
GET    /manage/sign-in  nothing
POST   /manage/sign-in  nothing
GET    /manage/sign-out  nothing
POST   /manage/sign-out  nothing
GET    /manage/account  account
GET    /manage/account/password  nothing
POST   /manage/account/password  account
GET    /manage/account/sign-out-everywhere  nothing
POST   /manage/account/sign-out-everywhere  account
GET    /manage/account/end-session  nothing
POST   /manage/account/end-session  account
GET    /manage/account/add-token  nothing
POST   /manage/account/add-token  account
GET    /manage/account/revoke-token  nothing
POST   /manage/account/revoke-token  account
GET    /manage/users  administers
GET    /manage/users/role  nothing
POST   /manage/users/role  administers
GET    /manage/users/close  nothing
POST   /manage/users/close  administers
GET    /manage/users/open  nothing
POST   /manage/users/open  administers
GET    /manage/users/invite  nothing
POST   /manage/users/invite  administers
GET    /manage/users/revoke  nothing
POST   /manage/users/revoke  administers
GET    /manage/new  makes-events
POST   /manage/new  makes-events
GET    /manage/import  makes-events
POST   /manage/import  makes-events
GET    /manage/families/new  makes-events
POST   /manage/families/new  makes-events
GET    /manage/f/{family}  sees
GET    /manage/f/{family}/pair  sees
POST   /manage/f/{family}/pair  directs
GET    /manage/f/{family}/publish  sees
POST   /manage/f/{family}/publish  directs
GET    /manage/f/{family}/throw-away  sees
POST   /manage/f/{family}/throw-away  directs
GET    /manage/f/{family}/settings  sees
POST   /manage/f/{family}/settings  directs
GET    /manage/f/{family}/people  sees
POST   /manage/f/{family}/people  directs
GET    /manage/f/{family}/dissolve  sees
POST   /manage/f/{family}/dissolve  directs
GET    /manage/f/{family}/entries/import  sees
POST   /manage/f/{family}/entries/import  directs
GET    /manage/f/{family}/print/{sheet}  sees
GET    /manage/e/{slug}/split  sees
POST   /manage/e/{slug}/split  directs
GET    /manage/e/{slug}  sees
GET    /manage/e/{slug}/entries  sees
POST   /manage/e/{slug}/entries  directs
GET    /manage/e/{slug}/entries/import  sees
POST   /manage/e/{slug}/entries/import  directs
GET    /manage/e/{slug}/entries/undo  sees
POST   /manage/e/{slug}/entries/undo  directs
GET    /manage/e/{slug}/check-in  sees-results
POST   /manage/e/{slug}/check-in  enters-results
GET    /manage/e/{slug}/check-in/missing  sees
POST   /manage/e/{slug}/check-in/missing  directs
GET    /manage/e/{slug}/sign-ups  sees
GET    /manage/e/{slug}/sign-ups/confirm  sees
POST   /manage/e/{slug}/sign-ups/confirm  directs
GET    /manage/e/{slug}/sign-ups/decide  sees
POST   /manage/e/{slug}/sign-ups/decide  directs
GET    /manage/e/{slug}/sign-ups/settings  sees
POST   /manage/e/{slug}/sign-ups/settings  directs
GET    /manage/e/{slug}/entries/{number}  sees
POST   /manage/e/{slug}/entries/{number}  directs
GET    /manage/e/{slug}/entries/{number}/withdraw  sees
POST   /manage/e/{slug}/entries/{number}/withdraw  directs
GET    /manage/e/{slug}/entries/{number}/return  sees
POST   /manage/e/{slug}/entries/{number}/return  directs
GET    /manage/e/{slug}/entries/{number}/sit-out  sees
POST   /manage/e/{slug}/entries/{number}/sit-out  directs
GET    /manage/e/{slug}/entries/{number}/delete  sees
POST   /manage/e/{slug}/entries/{number}/delete  directs
GET    /manage/e/{slug}/draws  sees
GET    /manage/e/{slug}/draws/words  sees
POST   /manage/e/{slug}/draws/words  directs
GET    /manage/e/{slug}/draws/words/remove  sees
POST   /manage/e/{slug}/draws/words/remove  directs
GET    /manage/e/{slug}/draws/numbers  sees
POST   /manage/e/{slug}/draws/numbers  directs
GET    /manage/e/{slug}/draws/groups  sees
POST   /manage/e/{slug}/draws/groups  directs
GET    /manage/e/{slug}/rounds  sees
POST   /manage/e/{slug}/rounds  directs
GET    /manage/e/{slug}/rounds/by-hand  sees
POST   /manage/e/{slug}/rounds/by-hand  directs
GET    /manage/e/{slug}/rounds/{round}  sees
GET    /manage/e/{slug}/rounds/{round}/why  sees
GET    /manage/e/{slug}/rounds/{round}/publish  sees
POST   /manage/e/{slug}/rounds/{round}/publish  directs
GET    /manage/e/{slug}/rounds/{round}/publish-at  sees
POST   /manage/e/{slug}/rounds/{round}/publish-at  directs
GET    /manage/e/{slug}/rounds/{round}/throw-away  sees
POST   /manage/e/{slug}/rounds/{round}/throw-away  directs
GET    /manage/e/{slug}/rounds/{round}/swap  sees
POST   /manage/e/{slug}/rounds/{round}/swap  directs
GET    /manage/e/{slug}/rounds/{round}/colours  sees
POST   /manage/e/{slug}/rounds/{round}/colours  directs
GET    /manage/e/{slug}/rounds/{round}/results  sees-results
POST   /manage/e/{slug}/rounds/{round}/results  enters-results
GET    /manage/e/{slug}/rounds/{round}/results/confirm  sees
POST   /manage/e/{slug}/rounds/{round}/results/confirm  directs
GET    /manage/e/{slug}/rounds/{round}/slips  sees
GET    /manage/e/{slug}/result-links  directs
POST   /manage/e/{slug}/result-links  directs
GET    /manage/e/{slug}/result-links/cards  directs
GET    /manage/e/{slug}/result-links/revoke  sees
POST   /manage/e/{slug}/result-links/revoke  directs
GET    /manage/e/{slug}/result-links/ask  sees
POST   /manage/e/{slug}/result-links/ask  directs
GET    /manage/e/{slug}/rounds/{round}/boards/{board}  sees-results
POST   /manage/e/{slug}/rounds/{round}/boards/{board}  enters-results
GET    /manage/e/{slug}/rounds/{round}/boards/{board}/record  sees
GET    /manage/e/{slug}/rounds/{round}/boards/{board}/record/{version}  sees
GET    /manage/e/{slug}/rounds/{round}/boards/{board}/record/dead  sees
POST   /manage/e/{slug}/rounds/{round}/boards/{board}/record/dead  directs
GET    /manage/e/{slug}/rounds/{round}/boards/{board}/record/encoding  sees
POST   /manage/e/{slug}/rounds/{round}/boards/{board}/record/encoding  directs
GET    /manage/e/{slug}/rounds/{round}/boards/{board}/record/withdraw  sees
POST   /manage/e/{slug}/rounds/{round}/boards/{board}/record/withdraw  directs
GET    /manage/e/{slug}/rounds/{round}/boards/{board}/record/bring-back  sees
POST   /manage/e/{slug}/rounds/{round}/boards/{board}/record/bring-back  directs
GET    /manage/e/{slug}/rounds/{round}/codes  directs
POST   /manage/e/{slug}/rounds/{round}/codes  directs
GET    /manage/e/{slug}/records  sees
GET    /manage/e/{slug}/settings  sees
POST   /manage/e/{slug}/settings  directs
GET    /manage/e/{slug}/print  sees
GET    /manage/e/{slug}/print/{sheet}  sees
GET    /manage/e/{slug}/finish  sees
POST   /manage/e/{slug}/finish  directs
GET    /manage/e/{slug}/promotion  sees
POST   /manage/e/{slug}/promotion  directs
GET    /manage/e/{slug}/prizes  sees
POST   /manage/e/{slug}/prizes  directs
GET    /manage/e/{slug}/delete  sees
POST   /manage/e/{slug}/delete  directs
GET    /manage/e/{slug}/log  sees
GET    /manage/e/{slug}/log/undo  sees
POST   /manage/e/{slug}/log/undo  directs
GET    /manage/e/{slug}/people  sees
GET    /manage/e/{slug}/people/invite  sees
POST   /manage/e/{slug}/people/invite  directs
GET    /manage/e/{slug}/people/role  sees
POST   /manage/e/{slug}/people/role  directs
GET    /manage/e/{slug}/people/remove  sees
POST   /manage/e/{slug}/people/remove  directs
GET    /manage/e/{slug}/people/revoke  sees
POST   /manage/e/{slug}/people/revoke  directs

GET    /api/v1/events  nothing
POST   /api/v1/events  makes-events
POST   /api/v1/events/copy  makes-events
POST   /api/v1/events/import  makes-events
GET    /api/v1/events/{event}  nothing
PATCH  /api/v1/events/{event}  directs
DELETE /api/v1/events/{event}  directs
POST   /api/v1/events/{event}/batches/{batch}/undo  directs
GET    /api/v1/events/{event}/check-in  sees-results
POST   /api/v1/events/{event}/check-in/leave-out  directs
POST   /api/v1/events/{event}/codes/renew  directs
GET    /api/v1/events/{event}/crosstable  nothing
GET    /api/v1/events/{event}/draws  nothing
POST   /api/v1/events/{event}/draws/{draw}/words  directs
DELETE /api/v1/events/{event}/draws/{draw}/words/{position}  directs
GET    /api/v1/events/{event}/entries  nothing
POST   /api/v1/events/{event}/entries  directs
POST   /api/v1/events/{event}/entries/import  directs
GET    /api/v1/events/{event}/entries/{number}  nothing
PATCH  /api/v1/events/{event}/entries/{number}  directs
DELETE /api/v1/events/{event}/entries/{number}  directs
PUT    /api/v1/events/{event}/entries/{number}/check-in  enters-results
DELETE /api/v1/events/{event}/entries/{number}/check-in  enters-results
GET    /api/v1/events/{event}/entries/{number}/games  nothing
GET    /api/v1/events/{event}/export  nothing
PUT    /api/v1/events/{event}/final  directs
DELETE /api/v1/events/{event}/final  directs
GET    /api/v1/events/{event}/groups/draw  nothing
POST   /api/v1/events/{event}/groups/draw  directs
POST   /api/v1/events/{event}/invitations  directs
DELETE /api/v1/events/{event}/invitations/{invitation}  directs
GET    /api/v1/events/{event}/log  sees
GET    /api/v1/events/{event}/log/file  sees
POST   /api/v1/events/{event}/log/{seq}/undo  directs
GET    /api/v1/events/{event}/numbers/draw  nothing
POST   /api/v1/events/{event}/numbers/draw  directs
GET    /api/v1/events/{event}/people  sees
PUT    /api/v1/events/{event}/people/{user}  directs
DELETE /api/v1/events/{event}/people/{user}  directs
GET    /api/v1/events/{event}/readiness  sees
GET    /api/v1/events/{event}/records  sees
GET    /api/v1/events/{event}/rounds  nothing
POST   /api/v1/events/{event}/rounds  directs
GET    /api/v1/events/{event}/rounds/{round}  nothing
PATCH  /api/v1/events/{event}/rounds/{round}  directs
DELETE /api/v1/events/{event}/rounds/{round}  directs
GET    /api/v1/events/{event}/rounds/{round}/boards/{board}/record  nothing
PUT    /api/v1/events/{event}/rounds/{round}/boards/{board}/record  nothing
DELETE /api/v1/events/{event}/rounds/{round}/boards/{board}/record  directs
GET    /api/v1/events/{event}/rounds/{round}/boards/{board}/records  sees
GET    /api/v1/events/{event}/rounds/{round}/boards/{board}/records/{version}  sees
POST   /api/v1/events/{event}/rounds/{round}/boards/{board}/records/{version}/bring-back  directs
GET    /api/v1/events/{event}/rounds/{round}/boards/{board}/result  nothing
PUT    /api/v1/events/{event}/rounds/{round}/boards/{board}/result  enters-results
DELETE /api/v1/events/{event}/rounds/{round}/boards/{board}/result  enters-results
GET    /api/v1/events/{event}/rounds/{round}/codes  directs
GET    /api/v1/events/{event}/rounds/{round}/draw  nothing
POST   /api/v1/events/{event}/rounds/{round}/publish  directs
DELETE /api/v1/events/{event}/rounds/{round}/publish  directs
PUT    /api/v1/events/{event}/rounds/{round}/results  enters-results
GET    /api/v1/events/{event}/rounds/{round}/why  sees
GET    /api/v1/events/{event}/sheets/{sheet}  nothing
GET    /api/v1/events/{event}/sign-up/{key}  nothing
DELETE /api/v1/events/{event}/sign-up/{key}  nothing
GET    /api/v1/events/{event}/sign-ups  sees
POST   /api/v1/events/{event}/sign-ups  nothing
POST   /api/v1/events/{event}/sign-ups/confirm  directs
GET    /api/v1/events/{event}/sign-ups/settings  nothing
PUT    /api/v1/events/{event}/sign-ups/settings  directs
POST   /api/v1/events/{event}/sign-ups/{sign_up}/put-back  directs
POST   /api/v1/events/{event}/sign-ups/{sign_up}/refuse  directs
POST   /api/v1/events/{event}/split  directs
GET    /api/v1/events/{event}/standings  nothing
GET    /api/v1/events/{event}/stream  nothing
GET    /api/v1/events/{event}/standings/compare  nothing
GET    /api/v1/events/{event}/standings/{number}  nothing
GET    /api/v1/families  nothing
POST   /api/v1/families  makes-events
GET    /api/v1/families/{family}  nothing
PATCH  /api/v1/families/{family}  directs
POST   /api/v1/families/{family}/dissolve  directs
GET    /api/v1/families/{family}/find  nothing
PUT    /api/v1/families/{family}/people  directs
POST   /api/v1/families/{family}/publish  directs
POST   /api/v1/families/{family}/rounds  directs
POST   /api/v1/families/{family}/throw-away  directs
POST   /api/v1/records/check  nothing
PUT    /api/v1/result-links/{token}/rounds/{round}/boards/{board}/result  nothing
";

/// What asks nobody who is calling: what every page loads, what machines ask, the description of the API.
const FOR_ALL: &str = "
GET    /healthz
GET    /readyz
GET    /api
GET    /api/v1/openapi.json
GET    /api/docs
GET    /api/docs/
GET    /api/docs/{*rest}
-      /api/{*rest}
";

/// Each route of the router and the methods that it takes, as the router itself says: its names, and
/// `Allow` in the answer to a method that nothing takes. A route and method without a row fails, and
/// so does a row without a route.
async fn routes(cast: &Cast) -> BTreeMap<String, BTreeSet<String>> {
    let told = format!("{:?}", web::routes(&cast.server.state));
    let names: BTreeSet<&str> = told
        .split("RouteId(")
        .filter_map(|piece| piece.split_once("): \"")?.1.split('"').next())
        .filter(|name| name.starts_with('/') && !name.contains("fallback"))
        .collect();
    let mut routes = BTreeMap::new();
    for name in names {
        let answer = cast.ask(Who::Admin, "PROPFIND", &address(name, "open")).await;
        let allowed = answer.header("allow").unwrap_or_default();
        let methods = allowed.split(',').map(str::trim);
        let methods = methods.filter(|method| !matches!(*method, "" | "HEAD"));
        routes.insert(name.to_owned(), methods.map(str::to_owned).collect());
    }
    routes
}

/// Every route with what it needs.
fn table() -> Vec<(String, String, Needs)> {
    let rows = TABLE.lines().filter(|line| !line.is_empty());
    rows.map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, route, needs) = (words.next(), words.next(), words.next());
        let needs = match needs.as_deref() {
            Some("nothing") => Needs::Nothing,
            Some("account") => Needs::Account,
            Some("sees") => Needs::Sees,
            Some("sees-results") => Needs::SeesResults,
            Some("enters-results") => Needs::EntersResults,
            Some("directs") => Needs::Directs,
            Some("makes-events") => Needs::MakesEvents,
            Some("administers") => Needs::Administers,
            _ => panic!("{line}"),
        };
        (method.expect("a method"), route.expect("a route"), needs)
    })
    .collect()
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
        .replace("{position}", "77")
        .replace("{*rest}", "nothing")
        // It would never end.
        .replace("/stream", "/stream?nonsense=true");
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
        let elsewhere = json!({"name": "Elsewhere", "rounds": 3});
        assert_eq!(server.post("/events", &elsewhere).await.status, 201);
        let mut tokens = vec![(Who::Nobody, None), (Who::Director, Some(server.token.clone()))];
        for (who, name, role) in [
            (Who::Closed, "closed", Role::Director),
            (Who::Stranger, "stranger", Role::Viewer),
            (Who::OtherDirector, "other", Role::Director),
            (Who::OtherArbiter, "other arbiter", Role::Arbiter),
            (Who::Viewer, "viewer", Role::Viewer),
            (Who::Arbiter, "arbiter", Role::Arbiter),
            (Who::GroupDirector, "group director", Role::Viewer),
            (Who::FamilyViewer, "family viewer", Role::Viewer),
            (Who::FamilyArbiter, "family arbiter", Role::Viewer),
            (Who::FamilyDirector, "family director", Role::Viewer),
            (Who::Admin, "admin", Role::Admin),
        ] {
            tokens.push((who, Some(new_token(&server.state, name, role).await)));
        }
        for (who, scope) in [
            (Who::ForResults, Scope::Results),
            (Who::ForReading, Scope::Reading),
        ] {
            let token = token_for(&server.state, "director-1", scope).await;
            tokens.push((who, Some(token)));
        }
        for (event, name, role) in [
            ("open", "viewer", Role::Viewer),
            ("open", "arbiter", Role::Arbiter),
            ("open", "closed", Role::Director),
            ("open", "group director", Role::Director),
            ("elsewhere", "other arbiter", Role::Arbiter),
        ] {
            give(&server.state, event, name, role).await;
        }
        let family = json!({"name": "Open", "groups": [{"event": "open", "label": "A"}]});
        assert_eq!(server.post("/families", &family).await.status, 201);
        for (user, right) in [
            ("viewer", "viewer"),
            ("arbiter", "arbiter"),
            ("closed", "director"),
            ("family viewer", "viewer"),
            ("family arbiter", "arbiter"),
            ("family director", "director"),
        ] {
            let body = json!({"user": user, "right": right});
            let given = server
                .as_director("PUT", "/families/open/people")
                .json(&body)
                .send()
                .await;
            assert_eq!(given.status, 200, "{}", given.text());
        }
        let link = server
            .as_director(POST, "///manage/e/open/result-links")
            .header("content-type", "application/x-www-form-urlencoded")
            .body("name=Room+2&first=1&last=2&hours=12")
            .send()
            .await;
        let html = link.text();
        let secret = html.split("/r/").nth(1).and_then(|rest| rest.split('"').next());
        tokens.push((Who::Link, Some(secret.expect("the link").to_owned())));
        crate::support::close_account(&server.state, "closed").await;
        Self { server, tokens }
    }

    fn token(&self, who: Who) -> Option<&str> {
        let found = self.tokens.iter().find(|(one, _)| *one == who);
        found.and_then(|(_, token)| token.as_deref())
    }

    async fn ask(&self, who: Who, method: &str, path: &str) -> Answer {
        self.asking(who, method, path).send().await
    }

    fn asking(&self, who: Who, method: &str, path: &str) -> Request {
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
        match self.token(who) {
            Some(token) => request.token(token),
            None => request,
        }
    }

    /// How many acts the logs hold.
    async fn acts(&self, pool: &PgPool) -> i64 {
        let acts = "select (select count(*) from log) + (select count(*) from site_log)";
        sqlx::query_scalar(acts).fetch_one(pool).await.expect("a count")
    }
}

/// The kind of refusal of an answer, of a page too.
fn is_refused(status: u16, location: Option<&str>) -> bool {
    status == 401 || status == 403 || location.is_some_and(|to| to.starts_with("/manage/sign-in"))
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_route_of_the_router_stands_in_the_table(pool: PgPool) {
    let cast = Cast::of(pool, "public").await;
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in TABLE
        .lines()
        .chain(FOR_ALL.lines())
        .filter(|line| !line.is_empty())
    {
        let mut words = line.split_whitespace();
        let (method, route) = (words.next().expect("a method"), words.next().expect("a route"));
        let methods = known.entry(route.to_owned()).or_default();
        let new = method == "-" || methods.insert(method.to_owned());
        assert!(new, "{line} stands there twice");
    }
    let routes = routes(&cast).await;
    assert!(
        routes.len() > 150,
        "the router tells its routes otherwise: {routes:?}"
    );
    let unknown: Vec<_> = routes
        .iter()
        .filter(|(route, methods)| known.get(*route) != Some(*methods))
        .collect();
    assert!(unknown.is_empty(), "who may see and do {unknown:?}?");
    let gone: Vec<&String> = known
        .keys()
        .filter(|route| !routes.contains_key(*route))
        .collect();
    assert!(gone.is_empty(), "there is no {gone:?}");
    // And each stands in the description of the API with the same methods.
    let document = serde_json::to_value(web::api::document()).expect("JSON");
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let described: BTreeSet<String> = operations
            .as_object()
            .expect("operations")
            .keys()
            .map(|method| method.to_uppercase())
            .collect();
        assert_eq!(known.get(path), Some(&described), "{path}");
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_route_asks_everybody_for_the_right_it_needs(pool: PgPool) {
    let cast = Cast::of(pool.clone(), "public").await;
    let mut refused = 0;
    for (method, route, needs) in table() {
        let before = cast.acts(&pool).await;
        for who in EVERYBODY {
            let answer = cast.ask(who, &method, &address(&route, "open")).await;
            let at = format!("{who:?}: {method} {route}: {}", answer.status);
            // A wrong token is refused wherever somebody asks who is calling; a file asks nobody.
            if who.is_refused_as_caller() && needs == Needs::Nothing {
                continue;
            }
            let location = answer.header("location").map(str::to_owned);
            let is_refused = is_refused(answer.status, location.as_deref());
            assert_eq!(is_refused, !who.holds(needs, &route), "{at}");
            if is_refused && who != Who::Nobody && !who.is_refused_as_caller() {
                assert_eq!(answer.status, 403, "{at}");
                let text = answer.text();
                let named = match who.right_in(&route) {
                    _ if who.is_scoped() => "this token was made for less",
                    Some(Role::Viewer) => "its viewer",
                    Some(Role::Arbiter) => "its arbiter",
                    _ => "no right in this event",
                };
                let of_event = route.contains("{event}") || route.contains("{slug}");
                assert!(!of_event || text.contains(named), "{at}: {text}");
                refused += 1;
            }
            assert!(answer.status < 500, "{at}");
        }
        // To read something, and to be refused, changes nothing.
        if method == GET {
            assert_eq!(cast.acts(&pool).await, before, "{route}");
        }
    }
    assert!(refused > 400, "{refused}");
}

// Whoever is signed in in a browser: another site can make it send a request, with the cookie, but not
// without saying where it comes from.
#[sqlx::test(migrations = "../../migrations")]
async fn no_route_does_anything_for_another_site(pool: PgPool) {
    let cast = Cast::of(pool.clone(), "public").await;
    let before = cast.acts(&pool).await;
    let mut asked = 0;
    for (method, route, _) in table() {
        if method == GET {
            continue;
        }
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://elsewhere.example"),
            ("origin", "null"),
        ] {
            for who in [Who::Admin, Who::Nobody] {
                let request = cast.asking(who, &method, &address(&route, "open"));
                let answer = request.header(name, value).send().await;
                let at = format!("{method} {route} from {name}: {value}");
                assert_eq!(answer.status, 403, "{at}: {}", answer.text());
                assert!(answer.text().contains("another site"), "{at}: {}", answer.text());
                asked += 1;
            }
        }
    }
    assert!(asked > 800, "{asked}");
    assert_eq!(cast.acts(&pool).await, before);
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
            if who.right_in(&route).is_none() {
                let nowhere = cast.ask(who, &method, &address(&route, "nope")).await;
                let told = |answer: &Answer| {
                    let text = answer.text().replace("nope", "open");
                    (
                        answer.status,
                        text,
                        answer.header("location").map(|to| to.replace("nope", "open")),
                    )
                };
                assert_eq!(told(&there), told(&nowhere), "{who:?}: {method} {route}");
            } else if who.holds(needs, &route) {
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
            Who::Closed | Who::Link => {
                assert_eq!(listed.status, 401);
                continue;
            }
            _ if who.right_in("").is_none() => 2,
            _ => 3,
        };
        assert_eq!(listed.json()["total"], expected, "{who:?}");
        // The list of one's own work has no event of others.
        let own = cast.ask(who, GET, "///manage").await.text();
        let hidden = who.right_in("").is_some() && !who.is_scoped();
        let public = matches!(who, Who::Director | Who::Admin);
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
