//! Who may do what: the caller, the caller's standing in the event of the address, and the gate
//! that every request for an event passes.
//!
//! A handler says by an extractor ([`Director`], [`Arbiter`], [`Reader`] …) what its caller has to
//! be, and gets the actor. It cannot forget to ask: [`gate`] has asked before it, by a table in
//! which everything that changes something needs a director unless it stands there as open to
//! more. `docs/rights.md` has the whole as a table for people.

use axum::extract::{FromRef, FromRequestParts, MatchedPath, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use store::events::{Event, Visibility};
use store::people::{self, Standing};
use store::{Actor, Refused, Role, Scope, families, replica};
use tournament::Board;
use uuid::Uuid;

use crate::auth;
use crate::errors::{Error, Problem, Result};
use crate::extract::{Peer, language_of};
use crate::hall::{self, Hall};
use crate::i18n::Language;
use crate::live::Ear;
use crate::released::{self, Slot};
use crate::state::AppState;

/// What something needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// To be somebody: any account.
    SignedIn,
    /// To see of an event what directors see: its directors and viewers.
    Sees,
    /// To see the results page of an event: its directors, arbiters and viewers.
    SeesResults,
    /// To enter and clear the results of an event: its directors and arbiters.
    EntersResults,
    /// To change an event: its directors.
    Directs,
    /// To make events: directors on the site.
    MakesEvents,
    /// To manage accounts: administrators.
    Administers,
}

/// The event in the address of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OfEvent {
    /// The address is not of an event.
    Not,
    /// It names an event that is not there.
    Unknown,
    /// This one.
    Known(Standing),
}

/// What an address names: an event, or a family of events, in which rights are asked for likewise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Named {
    /// Whether it is a family.
    family: bool,
    /// Whether the address is one of the API.
    api: bool,
    /// The id or the slug.
    key: String,
}

/// Whoever is calling, which may be nobody that we know, and what of the event in the address the
/// caller may see and do.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who, in the role that counts here: the one in the event, where the address is of an event.
    pub actor: Option<Actor>,
    /// The role that counts here; none for somebody without a right in this event.
    role: Option<Role>,
    /// What of that role counts: less than everything for a token that was made for less.
    scope: Scope,
    event: OfEvent,
    /// The event or the family as the address has it.
    named: Named,
    /// In which words something stands for a name that is withheld.
    language: Language,
}

impl Caller {
    /// Whoever asks for something that is not of an event.
    pub fn outside_of_events(actor: Option<Actor>) -> Self {
        Self {
            role: actor.as_ref().map(|actor| actor.role),
            scope: Scope::Everything,
            actor,
            event: OfEvent::Not,
            named: Named::default(),
            language: Language::default(),
        }
    }

    /// The same, told in a language.
    #[must_use]
    pub fn reading(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// Whether drafts, the log and all the rest that is not public may be shown.
    pub fn sees_all(&self) -> bool {
        self.scope != Scope::Results && self.role.is_some_and(Role::sees_all)
    }

    /// Whether the event may be changed; outside of events, whether events may be made.
    pub fn directs(&self) -> bool {
        self.scope == Scope::Everything && self.role.is_some_and(Role::directs)
    }

    /// Whether results may be entered.
    pub fn enters_results(&self) -> bool {
        self.scope != Scope::Reading && self.role.is_some_and(Role::enters_results)
    }

    /// Whether the caller has any right here: sees the event when it is hidden, and names that are
    /// withheld from the public.
    pub fn belongs(&self) -> bool {
        self.role.is_some()
    }

    /// The id of the event that the address names; none where that is a family, or nothing.
    pub fn event_id(&self) -> Option<Uuid> {
        match &self.event {
            OfEvent::Known(standing) if !self.named.family => Some(standing.event),
            _ => None,
        }
    }

    /// Whose account it is, where all that its holder may do may be done.
    pub fn account(&self) -> Option<&Actor> {
        self.actor.as_ref().filter(|_| self.scope == Scope::Everything)
    }

    /// The role that counts here, as far as it counts.
    pub fn role(&self) -> Option<Role> {
        let role = self.role?;
        Some(match self.scope {
            Scope::Results => Role::Arbiter,
            Scope::Reading if role.directs() => Role::Viewer,
            Scope::Reading | Scope::Everything => role,
        })
    }

    /// The event of the address, and a number of its public changes that whatever is read later is
    /// at least as new as.
    pub fn event(&self) -> Option<(Uuid, i64)> {
        match &self.event {
            OfEvent::Known(standing) if !self.named.family => Some((standing.event, standing.public_no)),
            _ => None,
        }
    }

    /// What the caller hears of the event's changes.
    pub fn ear(&self) -> Ear {
        if self.sees_all() {
            Ear::Staff
        } else if self.belongs() {
            Ear::Results
        } else {
            Ear::Public
        }
    }

    /// Whether the event of the address is there for this caller.
    fn finds_event(&self) -> bool {
        match &self.event {
            OfEvent::Not => true,
            OfEvent::Unknown => false,
            OfEvent::Known(standing) => self.belongs() || standing.visibility == Visibility::Public,
        }
    }

    /// An event as it is shown to the caller: not at all when it is hidden from the caller, and
    /// without the names that are withheld from the public.
    pub fn shown(&self, mut event: Event) -> Option<Event> {
        if self.belongs() {
            return Some(event);
        }
        let t = self.language;
        event.withhold_names(|number| t.with("withheld-name", "number", number.get()));
        Some(event).filter(|event| event.visibility == Visibility::Public)
    }

    /// Whether the record of a board may be shown: it names its players in many places, so one of a
    /// player whose name is withheld is for the people of the event only.
    pub fn reads_record(&self, event: &Event, board: &Board) -> bool {
        let withheld = |number| event.stage.entry(number).is_some_and(|entry| entry.name_withheld);
        self.belongs() || !(withheld(board.black) || withheld(board.white))
    }

    /// The answer for an event that is not there, or not there for this caller: one and the same.
    pub(crate) fn no_such_event(&self) -> Error {
        let key = self.named.key.clone();
        if self.named.api && self.named.family {
            Refused::UnknownFamily { key }.into()
        } else if self.named.api {
            Refused::UnknownEvent { key }.into()
        } else {
            Error::not_found()
        }
    }

    fn holds(&self, right: Right) -> bool {
        match right {
            Right::SignedIn => self.account().is_some(),
            Right::Sees => self.sees_all(),
            Right::SeesResults => self.belongs(),
            Right::EntersResults => self.enters_results(),
            Right::Directs | Right::MakesEvents => self.directs(),
            Right::Administers => self.account().is_some() && self.role == Some(Role::Admin),
        }
    }

    /// The actor, when the caller has a right.
    ///
    /// # Errors
    /// `sign-in-needed` for somebody unknown, whatever is asked for; 404 for an event that is not
    /// there for the caller; else 403, with the right that is missing.
    pub fn require(&self, right: Right) -> Result<Actor> {
        let Some(actor) = &self.actor else {
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "sign-in-needed")
                .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
                .into());
        };
        if !self.finds_event() {
            return Err(self.no_such_event());
        }
        if self.holds(right) {
            return Ok(actor.clone());
        }
        let whole = Self {
            scope: Scope::Everything,
            ..self.clone()
        };
        if whole.holds(right) {
            return Err(Problem::new(StatusCode::FORBIDDEN, "token-scope")
                .arg("scope", self.scope.as_str())
                .into());
        }
        let code = match right {
            Right::SignedIn | Right::MakesEvents => "needs-maker",
            Right::Sees | Right::SeesResults => "needs-viewer",
            Right::EntersResults => "needs-arbiter",
            Right::Directs => "needs-director",
            Right::Administers => "needs-admin",
        };
        let event = match &self.event {
            OfEvent::Known(standing) => standing.name.clone(),
            _ => String::new(),
        };
        Err(Problem::new(StatusCode::FORBIDDEN, code)
            .arg("event", event)
            .arg("yours", self.role.map_or("none", Role::as_str))
            .arg("name", actor.name.as_str())
            .into())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller
where
    AppState: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        if let Some(known) = parts.extensions.get::<Self>() {
            return Ok(known.clone());
        }
        let state = AppState::from_ref(state);
        let peer = Peer::of(&state, parts);
        let known = auth::caller(&state, &parts.headers, peer).await?;
        let (mut actor, scope) =
            known.map_or((None, Scope::Everything), |(actor, scope)| (Some(actor), scope));
        let named = named_in(parts).await;
        let (event, role) = match &named {
            None => (OfEvent::Not, actor.as_ref().map(|actor| actor.role)),
            Some(Named { family, key, .. }) => {
                let user = actor.as_ref().and_then(|actor| actor.user);
                let standing = if *family {
                    families::standing(&state.store, key, user).await?
                } else {
                    people::standing(&state.store, key, user).await?
                };
                match standing {
                    None => (OfEvent::Unknown, None),
                    Some(standing) => {
                        let admin = actor.as_ref().is_some_and(|actor| actor.role == Role::Admin);
                        let role = if admin { Some(Role::Admin) } else { standing.role };
                        (OfEvent::Known(standing), role)
                    }
                }
            }
        };
        if let (Some(actor), Some(role)) = (&mut actor, role) {
            // Where two have to say the same, a token for results has the word of an arbiter.
            let as_arbiter = scope == Scope::Results && role.directs();
            actor.role = if as_arbiter { Role::Arbiter } else { role };
        }
        let caller = Self {
            actor,
            role,
            scope,
            event,
            named: named.unwrap_or_default(),
            language: language_of(&parts.headers),
        };
        parts.extensions.insert(caller.clone());
        Ok(caller)
    }
}

/// The event or the family that an address names.
async fn named_in(parts: &mut Parts) -> Option<Named> {
    let api = parts.uri.path().starts_with("/api/");
    let params = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    params.iter().find_map(|(name, value)| {
        let family = name == "family";
        (family || name == "event" || name == "slug").then(|| Named {
            family,
            api,
            key: value.to_owned(),
        })
    })
}

/// Where an arbiter changes something: results, and who is here before the first round.
const OF_RESULTS: [&str; 6] = [
    "/api/v1/events/{event}/rounds/{round}/boards/{board}/result",
    "/api/v1/events/{event}/rounds/{round}/results",
    "/manage/e/{slug}/rounds/{round}/results",
    "/manage/e/{slug}/rounds/{round}/boards/{board}",
    "/api/v1/events/{event}/entries/{number}/check-in",
    "/manage/e/{slug}/check-in",
];

/// Where records of games are brought, also by players with the code of a board: the handlers ask for
/// the one or the other by `records::bringer`.
const OF_RECORDS: [&str; 2] = [
    "/api/v1/events/{event}/rounds/{round}/boards/{board}/record",
    "/e/{slug}/rounds/{round}/boards/{board}/record",
];

/// Where players sign up, whoever they are.
const OF_SIGN_UP: [&str; 3] = [
    "/e/{slug}/sign-up",
    "/e/{slug}/sign-up/{key}",
    "/api/v1/events/{event}/sign-ups",
];

/// The own sign-up of whoever has its key, in the API.
const OWN_SIGN_UP: &str = "/api/v1/events/{event}/sign-up/{key}";

/// What of the API the people of an event read, arbiters too.
const FOR_PEOPLE: [&str; 1] = ["/api/v1/events/{event}/check-in"];

/// Where players hand in the results of their own games: the handler asks for the player's code.
const OF_HAND_IN: [&str; 1] = ["/e/{slug}/hand-in"];

/// What of the API is read by those only who see what directors see.
const NOT_PUBLIC: [&str; 9] = [
    "/api/v1/events/{event}/people",
    "/api/v1/events/{event}/sign-ups",
    "/api/v1/events/{event}/readiness",
    "/api/v1/events/{event}/log",
    "/api/v1/events/{event}/log/file",
    "/api/v1/events/{event}/rounds/{round}/why",
    "/api/v1/events/{event}/rounds/{round}/boards/{board}/records",
    "/api/v1/events/{event}/rounds/{round}/boards/{board}/records/{version}",
    "/api/v1/events/{event}/records",
];

/// What of the API is read by directors only: whoever has a code can bring a record.
const FOR_DIRECTORS: [&str; 1] = ["/api/v1/events/{event}/rounds/{round}/codes"];

/// What a request for an event needs, by its route; nothing where the public is shown what is
/// public. Whatever is not named here needs the most.
fn needed(method: &Method, route: &str) -> Option<Right> {
    let reads = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let of_results = OF_RESULTS.contains(&route);
    let brings = matches!(*method, Method::PUT | Method::POST) && OF_RECORDS.contains(&route);
    match (reads, route.starts_with("/manage/")) {
        (true, true) if of_results => Some(Right::SeesResults),
        (true, true) => Some(Right::Sees),
        (true, false) if NOT_PUBLIC.contains(&route) => Some(Right::Sees),
        (true, false) if FOR_PEOPLE.contains(&route) => Some(Right::SeesResults),
        (true, false) if FOR_DIRECTORS.contains(&route) => Some(Right::Directs),
        (true, false) => None,
        (false, _) if of_results => Some(Right::EntersResults),
        (false, _) if brings => None,
        (false, _)
            if *method == Method::POST && (OF_SIGN_UP.contains(&route) || OF_HAND_IN.contains(&route)) =>
        {
            None
        }
        (false, _) if *method == Method::DELETE && route == OWN_SIGN_UP => None,
        (false, _) => Some(Right::Directs),
    }
}

/// The layer around all routes: a request for an event goes on only when its caller has the right
/// that its route needs, and the event is there for the caller.
pub async fn gate(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let route = parts.extensions.get::<MatchedPath>().cloned();
    let of_event = |route: &&MatchedPath| {
        let route = route.as_str();
        ["{event}", "{slug}", "{family}"]
            .iter()
            .any(|named| route.contains(named))
    };
    let mut zone = None;
    let mut at_least = None;
    if let Some(route) = route.as_ref().filter(of_event) {
        let caller = match Caller::from_request_parts(&mut parts, &state).await {
            Ok(caller) => caller,
            Err(error) => return error.into_response(),
        };
        let refused = match needed(&parts.method, route.as_str()) {
            Some(right) => caller.require(right).err(),
            None => (!caller.finds_event()).then(|| caller.no_such_event()),
        };
        if let Some(error) = refused {
            return error.into_response();
        }
        if let OfEvent::Known(standing) = &caller.event {
            zone = standing.zone;
        }
        if caller.actor.is_none()
            && let Some((event, number)) = caller.event()
            && released::is_kept(route.as_str())
        {
            let slot = parts.extensions.get::<Slot>();
            let (reading, from_replica) = slot.map(|slot| slot.fill(event, number)).unwrap_or_default();
            at_least = Some((event, number, from_replica, reading));
        }
    }
    let hall = Hall {
        now: state.clock.now(),
        zone,
    };
    let answer = hall::within(hall, next.run(Request::from_parts(parts, body)));
    let Some((event, number, from_replica, reading)) = at_least else {
        return answer.await;
    };
    let mut answer = replica::at_least(event, number, from_replica, reading.clone(), answer).await;
    let shown = HeaderValue::from(reading.number().max(number));
    answer.headers_mut().insert(released::NUMBER, shown);
    answer
}

/// An extractor of the actor who has a right.
macro_rules! holder {
    ($(#[$meta:meta])* $name:ident, $right:expr) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name(pub Actor);

        impl<S: Send + Sync> FromRequestParts<S> for $name
        where
            AppState: FromRef<S>,
        {
            type Rejection = Error;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
                let caller = Caller::from_request_parts(parts, state).await?;
                caller.require($right(&caller)).map(Self)
            }
        }
    };
}

holder!(
    /// Somebody who may change the event of the address; outside of events, make one.
    Director,
    |caller: &Caller| match caller.event {
        OfEvent::Not => Right::MakesEvents,
        _ => Right::Directs,
    }
);
holder!(
    /// Somebody who may enter and clear the results of the event of the address.
    Arbiter,
    |_: &Caller| Right::EntersResults
);
holder!(
    /// Somebody who sees of the event of the address what its directors see.
    Reader,
    |_: &Caller| Right::Sees
);
holder!(
    /// Somebody who sees the results page of the event of the address.
    ResultsReader,
    |_: &Caller| Right::SeesResults
);
holder!(
    /// Somebody with an account.
    SignedIn,
    |_: &Caller| Right::SignedIn
);
holder!(
    /// An administrator.
    Admin,
    |_: &Caller| Right::Administers
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_thought_of_needs_a_director() {
        for (method, route, right) in [
            (Method::GET, "/api/v1/events/{event}/standings", None),
            (Method::GET, "/api/v1/events/{event}/log", Some(Right::Sees)),
            (
                Method::POST,
                "/api/v1/events/{event}/anything",
                Some(Right::Directs),
            ),
            (Method::DELETE, "/e/{slug}/anything", Some(Right::Directs)),
            (
                Method::PUT,
                "/api/v1/events/{event}/rounds/{round}/boards/{board}/record",
                None,
            ),
            (
                Method::DELETE,
                "/api/v1/events/{event}/rounds/{round}/boards/{board}/record",
                Some(Right::Directs),
            ),
            (Method::GET, "/manage/e/{slug}/anything", Some(Right::Sees)),
            (
                Method::PUT,
                "/api/v1/events/{event}/rounds/{round}/results",
                Some(Right::EntersResults),
            ),
        ] {
            assert_eq!(needed(&method, route), right, "{method} {route}");
        }
    }
}
