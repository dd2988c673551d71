//! `/manage/e/{slug}/prizes`: the prizes of an event, and who gets which.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::events::{self, Event, EventPatch};
use tournament::prizes::{PRIZE_COUNT_LIMIT, prizes};
use tournament::{Prize, Prizes};

use super::promotion::{categories, state_of};
use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::sheets::{group, prize_open};
use crate::pages::{page, words};
use crate::state::AppState;

/// How many empty lines there are for more.
const MORE: usize = 5;

/// A prize as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrizeLine {
    /// What it is called.
    pub name: String,
    /// The category; empty is everybody.
    pub category: String,
    /// How many.
    pub count: String,
}

/// The prizes as they were typed.
#[derive(Clone, Debug, Default)]
pub struct PrizesForm {
    /// The version they were made from.
    pub version: String,
    /// Whether somebody can have more than one.
    pub double: bool,
    /// The prizes.
    pub lines: Vec<PrizeLine>,
    /// Why.
    pub reason: String,
}

/// A prize with who gets it.
#[derive(Clone, Debug, Default)]
pub struct AwardRow {
    /// The prize.
    pub name: String,
    /// For whom it is.
    pub group: String,
    /// Who gets it, with the place.
    pub winners: Vec<String>,
    /// What is open.
    pub open: Vec<String>,
}

/// The page.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/prizes.html")]
pub struct PrizesPage {
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
    /// What was typed.
    pub form: PrizesForm,
    /// The categories that entries have.
    pub categories: Vec<String>,
    /// As of which round, and what is missing.
    pub state: String,
    /// Who gets what.
    pub awards: Vec<AwardRow>,
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, form: Option<PrizesForm>) -> PrizesPage {
    let t = visit.t;
    let stage = event.public_stage();
    let list = &event.awards.prizes;
    let (after, state) = state_of(t, event);
    let awards = prizes(&stage, after, list).into_iter().filter_map(|award| {
        let prize = list.list.get(award.prize)?;
        Some(AwardRow {
            name: prize.name.clone(),
            group: group(t, prize.category.as_deref()),
            winners: award
                .winners
                .iter()
                .map(|(place, number)| {
                    t.with2(
                        "prize-winner",
                        "person",
                        words::person(t, &stage, *number),
                        "place",
                        *place,
                    )
                })
                .collect(),
            open: award
                .open
                .iter()
                .map(|open| prize_open(t, &stage, open))
                .collect(),
        })
    });
    let awards = awards.collect();
    let mut form = form.unwrap_or_else(|| PrizesForm {
        version: event.version.to_string(),
        double: list.double,
        lines: list
            .list
            .iter()
            .map(|prize| PrizeLine {
                name: prize.name.clone(),
                category: prize.category.clone().unwrap_or_default(),
                count: prize.count.to_string(),
            })
            .collect(),
        reason: String::new(),
    });
    form.lines.extend(std::iter::repeat_n(PrizeLine::default(), MORE));
    PrizesPage {
        t,
        frame: visit.frame_of(event, "finish"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        form,
        categories: categories(event),
        state,
        awards,
    }
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
    let event = event_of(&mut state.store.snapshot().await?, &slug).await?;
    page(&view(&visit, &event, None))
}

fn read(form: &PrizesForm) -> Result<Prizes> {
    let mut prizes = Prizes {
        double: form.double,
        ..Prizes::default()
    };
    for (at, line) in form.lines.iter().enumerate() {
        let wrong = |code: &'static str, found: &str| -> Error {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
                .arg("line", at + 1)
                .arg("found", found)
                .arg("most", PRIZE_COUNT_LIMIT)
                .into()
        };
        if line.name.is_empty() {
            return Err(wrong("prize-without-name", ""));
        }
        let count = match line.count.as_str() {
            "" => Some(1),
            text => text
                .parse()
                .ok()
                .filter(|count| (1..=PRIZE_COUNT_LIMIT).contains(count)),
        };
        prizes.list.push(Prize {
            name: line.name.clone(),
            category: Some(line.category.clone()).filter(|text| !text.is_empty()),
            count: count.ok_or_else(|| wrong("not-a-count-in-line", &line.count))?,
        });
    }
    Ok(prizes)
}

/// Saves the prizes.
///
/// # Errors
/// `not-found`; what is wrong is told on the form.
pub async fn save(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    // Every line sends each of its fields, so the n-th values of all of them are a line.
    let line = |name: &'static str, at: usize| fields.all(name).nth(at).unwrap_or_default().to_owned();
    let form = PrizesForm {
        version: fields.get("version").to_owned(),
        double: fields.ticked("double"),
        lines: (0..fields.all("name").count())
            .map(|at| PrizeLine {
                name: line("name", at),
                category: line("category", at),
                count: line("count", at),
            })
            .filter(|line| *line != PrizeLine::default())
            .collect(),
        reason: fields.get("reason").to_owned(),
    };
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let reason = fields.some("reason");
    let change = change(&state, &actor, reason.as_deref());
    let saved = match read(&form) {
        Ok(prizes) => {
            let patch = EventPatch {
                prizes: Some(prizes),
                ..EventPatch::default()
            };
            events::update(&mut tx, &change, &mut event, patch, fields.version())
                .await
                .map_err(Error::from)
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}/prizes"),
                &visit.t.say("done-prizes"),
            ))
        }
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            refused(&PrizesPage {
                problem,
                ..view(&visit, &event, Some(form))
            })
        }
    }
}
