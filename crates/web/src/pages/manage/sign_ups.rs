//! `/manage/e/{slug}/sign-ups`: who has signed up; confirm one or all, refuse with a reason, and
//! whether players sign up at all.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, NaiveDateTime, Utc};
use interchange::names::search_key;
use store::Schedule;
use store::batches::{self, Batch, Kind};
use store::events::Event;
use store::sign_ups::{self as stored, Settings, SignUp, Status};

use super::check_in::UndoView;
use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, words};
use crate::state::AppState;

/// A sign-up in the list.
#[derive(Clone, Debug, Default)]
pub struct SignUpRow {
    /// Its number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// Team, grade, category.
    pub details: String,
    /// Where the player is reached.
    pub contact: String,
    /// A word to the director.
    pub note: String,
    /// When it came.
    pub at: String,
    /// What is to be looked at: entered already, signed up twice, beyond the places.
    pub warnings: Vec<String>,
    /// What was decided, by whom, and why.
    pub decided: String,
    /// Whether it can wait again.
    pub can_put_back: bool,
}

/// The settings as they were typed.
#[derive(Clone, Debug, Default)]
pub struct SettingsForm {
    /// Whether players sign up by themselves.
    pub open: bool,
    /// Until when, in the server's time.
    pub closes_at: String,
    /// How many places.
    pub places: String,
    /// What players read.
    pub notice: String,
}

impl SettingsForm {
    fn of(settings: &Settings, schedule: &Schedule) -> Self {
        Self {
            open: settings.open,
            closes_at: settings
                .closes_at
                .map(|at| schedule.local(at).format("%Y-%m-%dT%H:%M").to_string())
                .unwrap_or_default(),
            places: settings
                .places
                .map(|places| places.to_string())
                .unwrap_or_default(),
            notice: settings.notice.clone(),
        }
    }

    fn sent(fields: &Fields) -> Self {
        Self {
            open: fields.ticked("open"),
            closes_at: fields.get("closes_at").to_owned(),
            places: fields.get("places").to_owned(),
            notice: fields.get("notice").to_owned(),
        }
    }

    fn read(&self, schedule: &Schedule) -> Result<Settings> {
        let places = match self.places.as_str() {
            "" => None,
            typed => Some(
                typed
                    .parse()
                    .ok()
                    .filter(|places| (1..=20_000).contains(places))
                    .ok_or_else(|| {
                        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-places").arg("found", typed)
                    })?,
            ),
        };
        if self.notice.chars().count() > 2000 {
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "notice-too-long").into());
        }
        Ok(Settings {
            open: self.open,
            closes_at: moment(schedule, &self.closes_at)?,
            places,
            notice: self.notice.clone(),
        })
    }
}

/// A moment as the clock of the event shows it, as browsers send it, or nothing.
fn moment(schedule: &Schedule, typed: &str) -> Result<Option<DateTime<Utc>>> {
    if typed.is_empty() {
        return Ok(None);
    }
    let spaced = typed.replace('T', " ");
    NaiveDateTime::parse_from_str(spaced.get(..16).unwrap_or(&spaced), "%Y-%m-%d %H:%M")
        .ok()
        .and_then(|at| schedule.moment(at))
        .map(|at| Some(at.to_utc()))
        .ok_or_else(|| {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-a-moment")
                .arg("found", typed)
                .into()
        })
}

/// The page.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/sign_ups.html")]
pub struct SignUpsPage {
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
    /// Whether sign-ups are taken now.
    pub state: String,
    /// How many places are left, where there is a limit.
    pub places: String,
    /// Those that wait.
    pub waiting: Vec<SignUpRow>,
    /// The numbers of those that can be confirmed at once.
    pub confirm_all: Vec<u32>,
    /// Those that somebody has decided on.
    pub decided: Vec<SignUpRow>,
    /// The settings.
    pub form: SettingsForm,
    /// Whether the settings are open.
    pub form_open: bool,
    /// Whether the caller may decide.
    pub directs: bool,
    /// What can be taken back.
    pub undo: Option<UndoView>,
}

/// Builds the page.
pub fn view(
    visit: &Visit,
    event: &Event,
    settings: &Settings,
    all: &[SignUp],
    undo: Option<&Batch>,
    now: DateTime<Utc>,
) -> SignUpsPage {
    let t = visit.t;
    let left = settings.left(event);
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    let (mut waiting, mut decided, mut confirm_all) = (Vec::new(), Vec::new(), Vec::new());
    for sign_up in all {
        let mut row = row(t, &event.schedule, sign_up);
        if sign_up.status == Status::Waiting {
            let before = *names
                .entry(search_key(&sign_up.said.name))
                .or_insert(sign_up.number);
            let doubled = stored::probably(event, &sign_up.said);
            if let Some(entry) = doubled {
                row.warnings
                    .push(t.with("sign-up-entered", "number", entry.number.get()));
            }
            if before != sign_up.number {
                row.warnings.push(t.with("sign-up-twice", "number", before));
            }
            let place = left.is_none_or(|left| confirm_all.len() < left);
            if !place {
                row.warnings.push(t.say("sign-up-on-waiting-list"));
            }
            // Whatever should be looked at first is confirmed one by one.
            if place && doubled.is_none() && before == sign_up.number {
                confirm_all.push(sign_up.number);
            }
            waiting.push(row);
        } else {
            decided.push(row);
        }
    }
    decided.reverse();
    SignUpsPage {
        t,
        frame: visit.frame_of(event, "entries"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        state: match settings.closes_at {
            _ if !settings.open => t.say("sign-up-is-closed"),
            Some(at) if now >= at => t.with(
                "sign-up-was-closed",
                "at",
                words::moment_of(t, &event.schedule, at),
            ),
            Some(at) => t.with(
                "sign-up-is-open-until",
                "at",
                words::moment_of(t, &event.schedule, at),
            ),
            None => t.say("sign-up-is-open"),
        },
        places: left
            .map(|left| t.with("sign-up-places-left", "count", left))
            .unwrap_or_default(),
        waiting,
        confirm_all,
        decided,
        form: SettingsForm::of(settings, &event.schedule),
        form_open: !settings.open && all.is_empty(),
        directs: visit.directs(),
        undo: undo.map(|batch| UndoView::of(t, &event.schedule, batch)),
    }
}

fn row(t: Language, schedule: &Schedule, sign_up: &SignUp) -> SignUpRow {
    let said = &sign_up.said;
    let grade = said.grade.map(|grade| words::grade(t, grade));
    let details: Vec<&str> = [said.team.as_deref(), grade.as_deref(), said.category.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let by = sign_up.decided_by.as_deref().unwrap_or_default();
    let decided = match sign_up.status {
        Status::Waiting => String::new(),
        Status::Confirmed => match sign_up.entry {
            Some(number) => t.with2("sign-up-confirmed", "by", by, "number", number.get()),
            None => t.with("sign-up-entry-gone", "by", by),
        },
        Status::Refused => t.with2(
            "sign-up-refused",
            "by",
            by,
            "reason",
            sign_up.reason.as_deref().unwrap_or("–"),
        ),
        Status::Withdrawn => t.say("sign-up-withdrawn"),
    };
    SignUpRow {
        number: sign_up.number,
        name: said.name.clone(),
        details: details.join(" · "),
        contact: said.contact.clone(),
        note: said.note.clone(),
        at: words::moment_of(t, schedule, sign_up.at),
        warnings: Vec::new(),
        decided,
        can_put_back: sign_up.status != Status::Waiting && sign_up.entry.is_none(),
    }
}

async fn shown(tx: &mut store::Tx, visit: &Visit, event: &Event, now: DateTime<Utc>) -> Result<SignUpsPage> {
    let settings = stored::settings(tx, event.id).await?;
    let all = stored::list(tx, event.id).await?;
    let undo = batches::last(tx, event.id, &[Kind::SignUps]).await?;
    Ok(view(visit, event, &settings, &all, undo.as_ref(), now))
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    page(&shown(&mut tx, &visit, &event, state.clock.now()).await?)
}

/// Confirms one, or all that were shown as ready.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn confirm(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let numbers: Vec<u32> = fields
        .get("sign_up")
        .split(',')
        .filter_map(|number| number.trim().parse().ok())
        .collect();
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    match stored::confirm(&mut tx, &change(&state, &actor, None), &mut event, &numbers).await {
        Ok(added) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}/sign-ups"),
                &visit.t.with("done-sign-ups-confirmed", "count", added.len()),
            ))
        }
        Err(error) => back(&state, &visit, &slug, tx, error.into()).await,
    }
}

/// The page again, with what is wrong.
async fn back(state: &AppState, visit: &Visit, slug: &str, tx: store::Tx, error: Error) -> Result<Response> {
    drop(tx);
    let problem = Some(told(error, visit.t)?);
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, slug).await?;
    let page = shown(&mut tx, visit, &event, state.clock.now()).await?;
    refused(&SignUpsPage { problem, ..page })
}

/// Refuses one with a reason, or lets it wait again.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn decide(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let number = fields.get("sign_up").parse().map_err(|_| Error::not_found())?;
    let reason: Option<String> = fields
        .some("reason")
        .map(|reason| reason.chars().take(500).collect());
    let mut tx = state.store.begin().await?;
    let event = locked(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    let (decided, said) = if fields.ticked("put_back") {
        let decided = stored::put_back(&mut tx, &change, &event, number).await;
        (decided, "done-sign-up-put-back")
    } else {
        let decided = stored::refuse(&mut tx, &change, &event, number, reason.as_deref()).await;
        (decided, "done-sign-up-refused")
    };
    match decided {
        Ok(()) => {
            tx.commit().await?;
            Ok(done(&format!("/manage/e/{slug}/sign-ups"), &visit.t.say(said)))
        }
        Err(error) => back(&state, &visit, &slug, tx, error.into()).await,
    }
}

/// Sets whether and how players sign up.
///
/// # Errors
/// `not-found`; what is wrong is told on the form.
pub async fn set(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let form = SettingsForm::sent(&fields);
    let mut tx = state.store.begin().await?;
    let event = locked(&mut tx, &slug).await?;
    match form.read(&event.schedule) {
        Ok(settings) => {
            stored::set(&mut tx, &change(&state, &actor, None), &event, settings).await?;
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}/sign-ups"),
                &visit.t.say("done-sign-up-set"),
            ))
        }
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            let page = shown(&mut tx, &visit, &event, state.clock.now()).await?;
            refused(&SignUpsPage {
                problem,
                form,
                form_open: true,
                ..page
            })
        }
    }
}
