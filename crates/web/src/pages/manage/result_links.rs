//! `/manage/e/{slug}/result-links`: who hands in results beside directors and arbiters. Links for the
//! boards of a room, and what the event asks of a result before it counts.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use chrono::{DateTime, TimeDelta, Utc};
use store::events::Event;
use store::result_links::{self as stored, NewLink, ResultLink, ResultSettings};

use super::{Fields, change, event_of, refused, secret_page, told};
use crate::auth::new_secret;
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::public::screen::{base, code};
use crate::pages::{page, words};
use crate::state::AppState;

/// For how long a link may work, in hours, and the key of how that is said.
const HOURS: [(i64, &str); 4] = [
    (12, "link-for-12"),
    (24, "link-for-24"),
    (72, "link-for-72"),
    (168, "link-for-168"),
];

/// The largest board number that a link can name.
const BOARDS: u32 = 50_000;

/// A link in the list.
#[derive(Clone, Debug, Default)]
pub struct LinkRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its boards.
    pub boards: String,
    /// Who made it, and when.
    pub made: String,
    /// What has become of it.
    pub state: String,
    /// Whether it works.
    pub open: bool,
}

/// A link that was just made: its secret is shown this once.
#[derive(Clone, Debug, Default)]
pub struct MadeLink {
    /// Its name.
    pub name: String,
    /// Its boards.
    pub boards: String,
    /// Until when it works.
    pub until: String,
    /// Its address.
    pub href: String,
    /// The address as a QR code.
    pub qr: String,
}

/// A link as it was typed.
#[derive(Clone, Debug, Default)]
pub struct LinkForm {
    /// The name.
    pub name: String,
    /// The first board.
    pub first: String,
    /// The last board.
    pub last: String,
    /// The hours.
    pub hours: String,
}

/// The links of an event.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/result_links.html")]
pub struct ResultLinksPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// What was just made.
    pub made: Option<MadeLink>,
    /// The links.
    pub rows: Vec<LinkRow>,
    /// What was typed.
    pub form: LinkForm,
    /// For how long: hours and words.
    pub hours: Vec<(String, String)>,
    /// What the event asks of results.
    pub settings: ResultSettings,
}

fn boards(t: Language, link: &ResultLink) -> String {
    t.with2("boards-from-to", "first", link.first, "last", link.last)
}

/// Builds the page.
pub fn view(
    visit: &Visit,
    event: &Event,
    links: &[ResultLink],
    settings: ResultSettings,
    now: DateTime<Utc>,
) -> ResultLinksPage {
    let t = visit.t;
    let at = |moment| words::moment_of(t, &event.schedule, moment);
    let most = event.stage.rounds.last().map_or(0, |round| round.boards.len());
    ResultLinksPage {
        t,
        frame: visit.frame_of(event, "rounds"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        made: None,
        rows: links
            .iter()
            .map(|link| LinkRow {
                id: link.id.to_string(),
                name: link.name.clone(),
                boards: boards(t, link),
                made: t.with2("link-made", "who", link.made_by.clone(), "at", at(link.made_at)),
                state: match (link.revoked_at, link.used_at) {
                    (Some(revoked), _) => t.with("link-revoked", "at", at(revoked)),
                    _ if !link.is_open(now) => t.with("link-ended", "at", at(link.expires_at)),
                    (None, Some(used)) => {
                        t.with2("link-open-used", "until", at(link.expires_at), "used", at(used))
                    }
                    (None, None) => t.with("link-open", "until", at(link.expires_at)),
                },
                open: link.is_open(now),
            })
            .collect(),
        form: LinkForm {
            name: String::new(),
            first: "1".to_owned(),
            last: if most > 0 { most.to_string() } else { String::new() },
            hours: "24".to_owned(),
        },
        hours: HOURS.map(|(hours, key)| (hours.to_string(), t.say(key))).to_vec(),
        settings,
    }
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `needs-director`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Director(_): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let links = stored::list(&mut tx, event.id).await?;
    let settings = stored::settings(&mut tx, event.id).await?;
    page(&view(&visit, &event, &links, settings, state.clock.now()))
}

/// What was typed as boards.
fn range(form: &LinkForm) -> Result<(u32, u32)> {
    let board = |text: &str| {
        let found = text.parse().ok().filter(|board| (1..=BOARDS).contains(board));
        found.ok_or_else(|| {
            Error::from(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-a-board").arg("found", text))
        })
    };
    let (first, last) = (board(&form.first)?, board(&form.last)?);
    if last < first {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "boards-backwards")
            .arg("first", first)
            .arg("last", last)
            .into());
    }
    Ok((first, last))
}

/// Makes a link and shows it this once.
///
/// # Errors
/// `needs-director`, `not-found`; what is wrong is told on the form.
pub async fn add(
    State(state): State<AppState>,
    Director(actor): Director,
    peer: Peer,
    headers: HeaderMap,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let now = state.clock.now();
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    let settings = stored::settings(&mut tx, event.id).await?;
    let form = LinkForm {
        name: fields.get("name").to_owned(),
        first: fields.get("first").to_owned(),
        last: fields.get("last").to_owned(),
        hours: fields.get("hours").to_owned(),
    };
    let hours = HOURS.map(|(hours, _)| hours);
    let hours = form
        .hours
        .parse()
        .ok()
        .filter(|one| hours.contains(one))
        .unwrap_or(24);
    let expires_at = now + TimeDelta::hours(hours);
    let (secret, hash) = new_secret("");
    let made = match range(&form) {
        Err(error) => Err(error),
        Ok((first, last)) => {
            let name = match form.name.as_str() {
                "" => t.with2("boards-from-to", "first", first, "last", last),
                name => name.to_owned(),
            };
            let new = NewLink {
                name: &name,
                first,
                last,
                expires_at,
            };
            stored::add(&mut tx, &change(&state, &actor, None), event.id, new, &hash)
                .await
                .map_err(Error::from)
        }
    };
    let link = match made {
        Ok(link) => link,
        Err(error) => {
            let problem = Some(told(error, t)?);
            let mut tx = state.store.snapshot().await?;
            let links = stored::list(&mut tx, event.id).await?;
            return refused(&ResultLinksPage {
                problem,
                form,
                ..view(&visit, &event, &links, settings, now)
            });
        }
    };
    let links = stored::list(&mut tx, event.id).await?;
    tx.commit().await?;
    let href = format!("{}/r/{secret}", base(&state, &peer, &headers));
    let made = Some(MadeLink {
        boards: boards(t, &link),
        until: words::moment_of(t, &event.schedule, link.expires_at),
        qr: code(&href)?,
        name: link.name,
        href,
    });
    secret_page(&ResultLinksPage {
        made,
        ..view(&visit, &event, &links, settings, now)
    })
}

/// Takes a link back.
///
/// # Errors
/// `needs-director`, `not-found`.
pub async fn revoke(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let link = fields.get("link").parse().map_err(|_| Error::not_found())?;
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    stored::revoke(&mut tx, &change(&state, &actor, None), event.id, link).await?;
    tx.commit().await?;
    let said = visit.t.say("done-link-revoked");
    Ok(done(&format!("/manage/e/{slug}/result-links"), &said))
}

/// Changes what the event asks of results.
///
/// # Errors
/// `needs-director`, `not-found`.
pub async fn ask(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = event_of(&mut tx, &slug).await?;
    let to = ResultSettings {
        by_two: fields.ticked("by_two"),
        from_players: fields.ticked("from_players"),
    };
    stored::set_settings(&mut tx, &change(&state, &actor, None), event.id, to).await?;
    tx.commit().await?;
    let said = visit.t.say("done-result-settings");
    Ok(done(&format!("/manage/e/{slug}/result-links"), &said))
}
