//! `/e/{slug}/sign-up`: a player signs up (报名), and comes back by a link of his or her own.

use std::fmt::Write as _;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use sha2::{Digest, Sha256};
use store::Refused;
use store::events::Event;
use store::sign_ups::{self as stored, NewSignUp, Settings, SignUp, Status};

use crate::auth;
use crate::errors::{Error, Problem, Result};
use crate::extract::{InPath, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done, go};
use crate::pages::manage::{Fields, entries, refused, secret_page, told};
use crate::pages::{event_in, page, words};
use crate::state::{AppState, chance};

/// The most characters of each text.
const TEXT_MOST: usize = 200;
/// The most characters of a word to the director.
const NOTE_MOST: usize = 1000;

/// What was typed.
#[derive(Clone, Debug, Default)]
pub struct SignUpForm {
    /// The name.
    pub name: String,
    /// The team.
    pub team: String,
    /// The grade.
    pub grade: String,
    /// The category.
    pub category: String,
    /// Where the player is reached.
    pub contact: String,
    /// A word to the director.
    pub note: String,
}

impl SignUpForm {
    fn sent(fields: &Fields) -> Self {
        let field = |name: &str| fields.get(name).to_owned();
        Self {
            name: field("name"),
            team: field("team"),
            grade: field("grade"),
            category: field("category"),
            contact: field("contact"),
            note: field("note"),
        }
    }

    fn read(&self) -> Result<NewSignUp> {
        let wrong = |code: &'static str| Error::from(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code));
        if self.name.is_empty() {
            return Err(wrong("sign-up-without-name"));
        }
        if self.contact.is_empty() {
            return Err(wrong("sign-up-without-contact"));
        }
        let short = [&self.name, &self.team, &self.category, &self.contact]
            .iter()
            .all(|text| text.chars().count() <= TEXT_MOST);
        if !short || self.note.chars().count() > NOTE_MOST {
            return Err(wrong("sign-up-too-long"));
        }
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Ok(NewSignUp {
            name: self.name.clone(),
            team: some(&self.team),
            grade: entries::grade(&self.grade)?,
            category: some(&self.category),
            contact: self.contact.clone(),
            note: self.note.clone(),
        })
    }
}

/// The form.
#[derive(Clone, Debug, Template)]
#[template(path = "public/sign_up.html")]
pub struct SignUpPage {
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
    /// Why nobody signs up now.
    pub closed: Option<String>,
    /// What the director says, line by line.
    pub notice: Vec<String>,
    /// Until when, and how many places are left.
    pub terms: Vec<String>,
    /// What was typed.
    pub form: SignUpForm,
    /// The secret of the link that will lead back.
    pub key: String,
}

/// What became of a sign-up.
#[derive(Clone, Debug, Template)]
#[template(path = "public/sign_up_link.html")]
pub struct SignUpLinkPage {
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
    /// The secret of the link.
    pub key: String,
    /// The name.
    pub name: String,
    /// Team, grade, category.
    pub details: String,
    /// What became of it.
    pub sentence: String,
    /// The player's own page, once it is an entry.
    pub href: Option<String>,
    /// Whether it can be taken back.
    pub waits: bool,
}

fn new_key() -> String {
    let mut key = String::new();
    for byte in &chance().0[..16] {
        let _ = write!(key, "{byte:02x}");
    }
    key
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

/// Builds the form.
pub fn view(
    visit: &Visit,
    event: &Event,
    settings: &Settings,
    waiting: usize,
    now: chrono::DateTime<chrono::Utc>,
) -> SignUpPage {
    let t = visit.t;
    let mut terms = Vec::new();
    if let Some(at) = settings.closes_at {
        terms.push(t.with("sign-up-until", "at", words::moment_of(t, &event.schedule, at)));
    }
    if let Some(left) = settings.left(event) {
        let left = left.saturating_sub(waiting);
        terms.push(if left == 0 {
            t.say("sign-up-no-place-left")
        } else {
            t.with("sign-up-places-left", "count", left)
        });
    }
    SignUpPage {
        t,
        frame: visit.frame_of(event, "sign-up"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        closed: (event.frozen.is_some() || !settings.takes(now)).then(|| t.say("refusal-sign-up-closed")),
        notice: settings.notice.lines().map(str::to_owned).collect(),
        terms,
        form: SignUpForm::default(),
        key: new_key(),
    }
}

/// The form.
///
/// # Errors
/// `not-found`.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let settings = stored::settings(&mut tx, event.id).await?;
    let waiting = stored::waiting(&mut tx, event.id).await?;
    secret_page(&view(&visit, &event, &settings, waiting, state.clock.now()))
}

/// Takes a sign-up.
///
/// # Errors
/// `not-found`; what is wrong is told on the form.
pub async fn sign_up(
    State(state): State<AppState>,
    visit: Visit,
    peer: Peer,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let now = state.clock.now();
    let mut tx = state.store.begin().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let form = SignUpForm::sent(&fields);
    let typed = fields.get("key");
    let known = typed.len() == 32 && typed.bytes().all(|byte| byte.is_ascii_hexdigit());
    let key = if known { typed.to_owned() } else { new_key() };
    let here = format!("/e/{slug}/sign-up/{key}");
    // The same form once more, after an answer that was lost.
    if known && stored::of_link(&mut tx, event.id, &hash(&key)).await.is_ok() {
        return Ok(go(&here));
    }
    let taken = async {
        if !fields.get("website").is_empty() {
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "sign-up-robot").into());
        }
        let new = form.read()?;
        auth::sign_up(&state, peer, &slug)?;
        stored::add(&mut tx, now, event.id, new, &hash(&key)).await?;
        Ok::<(), Error>(())
    }
    .await;
    match taken {
        Ok(()) => {
            tx.commit().await?;
            Ok(done(&here, &visit.t.say("done-signed-up")))
        }
        Err(error) => {
            drop(tx);
            let problem = Some(told(error, visit.t)?);
            let mut tx = state.store.snapshot().await?;
            let settings = stored::settings(&mut tx, event.id).await?;
            let waiting = stored::waiting(&mut tx, event.id).await?;
            refused(&SignUpPage {
                problem,
                form,
                key,
                ..view(&visit, &event, &settings, waiting, now)
            })
        }
    }
}

/// What became of a sign-up, in words.
pub fn link_view(
    visit: &Visit,
    event: &Event,
    settings: &Settings,
    sign_up: &SignUp,
    before: usize,
    key: &str,
) -> SignUpLinkPage {
    let t = visit.t;
    let said = &sign_up.said;
    let grade = said.grade.map(|grade| words::grade(t, grade));
    let details: Vec<&str> = [said.team.as_deref(), grade.as_deref(), said.category.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let beyond = settings
        .left(event)
        .and_then(|left| (before + 1).checked_sub(left));
    let sentence = match (sign_up.status, sign_up.entry) {
        (Status::Waiting, _) => match beyond.filter(|beyond| *beyond > 0) {
            Some(place) => t.with("sign-up-your-waiting-place", "place", place),
            None => t.say("sign-up-you-wait"),
        },
        (Status::Confirmed, Some(number)) => t.with("sign-up-you-are-in", "number", number.get()),
        (Status::Confirmed, None) => t.say("sign-up-you-were-removed"),
        (Status::Refused, _) => match sign_up.reason.as_deref() {
            Some(reason) => t.with("sign-up-you-are-refused", "reason", reason),
            None => t.say("sign-up-you-are-refused-plainly"),
        },
        (Status::Withdrawn, _) => t.say("sign-up-you-took-back"),
    };
    SignUpLinkPage {
        t,
        frame: visit.frame_of(event, "sign-up"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        key: key.to_owned(),
        name: said.name.clone(),
        details: details.join(" · "),
        sentence,
        href: sign_up
            .entry
            .filter(|_| sign_up.status == Status::Confirmed)
            .map(|number| format!("/e/{}/players/{number}", event.slug)),
        waits: sign_up.status == Status::Waiting,
    }
}

async fn shown(tx: &mut store::Tx, visit: &Visit, event: &Event, key: &str) -> Result<SignUpLinkPage> {
    let settings = stored::settings(tx, event.id).await?;
    let (sign_up, before) = match stored::of_link(tx, event.id, &hash(key)).await {
        Err(store::Error::Refused(Refused::UnknownSignUp)) => return Err(Error::not_found()),
        found => found?,
    };
    Ok(link_view(visit, event, &settings, &sign_up, before, key))
}

/// The page of the link.
///
/// # Errors
/// `not-found`, also for a link that is not known.
pub async fn show_link(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, key)): InPath<(String, String)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    page(&shown(&mut tx, &visit, &event, &key).await?)
}

/// The player takes the sign-up back.
///
/// # Errors
/// `not-found`; that somebody has decided meanwhile is told on the page.
pub async fn take_back(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, key)): InPath<(String, String)>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let page = shown(&mut tx, &visit, &event, &key).await?;
    match stored::withdraw(&mut tx, state.clock.now(), event.id, &hash(&key)).await {
        Ok(()) => {
            tx.commit().await?;
            Ok(go(&format!("/e/{slug}/sign-up/{key}")))
        }
        Err(error) => refused(&SignUpLinkPage {
            problem: Some(told(error.into(), visit.t)?),
            ..page
        }),
    }
}
