//! `/manage/e/{slug}/promotion`: the event's table of promotion (升段), and who goes up by it.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::events::{self, Event, EventPatch};
use tournament::Promotion;
use tournament::promotion::{ByPlace, ByWins, From, To, promotions};

use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::sheets::{from_grade, promotion_open, promotion_reason, to_grade};
use crate::pages::{page, words};
use crate::state::AppState;

/// How many empty lines a table has for more.
const MORE: usize = 3;

/// A line of the table of wins as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WinsLine {
    /// For whom.
    pub from: String,
    /// How many wins.
    pub wins: String,
    /// In how many games.
    pub games: String,
    /// The new grade.
    pub to: String,
}

/// A line of the table of places as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceLine {
    /// The category; empty is everybody.
    pub category: String,
    /// How many per cent.
    pub percent: String,
    /// The new grade.
    pub to: String,
}

/// The table as it was typed.
#[derive(Clone, Debug, Default)]
pub struct PromotionForm {
    /// The version it was made from.
    pub version: String,
    /// Whether byes count.
    pub byes_count: bool,
    /// By wins.
    pub by_wins: Vec<WinsLine>,
    /// By places.
    pub by_place: Vec<PlaceLine>,
    /// Why.
    pub reason: String,
}

/// Somebody who goes up.
#[derive(Clone, Debug, Default)]
pub struct PromotedRow {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The team, or nothing.
    pub team: String,
    /// The grade so far.
    pub from: String,
    /// The new grade.
    pub to: String,
    /// Why.
    pub why: String,
}

/// The page.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/promotion.html")]
pub struct PromotionPage {
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
    pub form: PromotionForm,
    /// The categories that entries have.
    pub categories: Vec<String>,
    /// As of which round, and what is missing.
    pub state: String,
    /// Whether there is a table.
    pub has_table: bool,
    /// Who goes up.
    pub promoted: Vec<PromotedRow>,
    /// What is open.
    pub open: Vec<String>,
    /// A table of more games than the event has.
    pub longer: Option<String>,
}

fn form_of(t: Language, event: &Event) -> PromotionForm {
    let table = &event.awards.promotion;
    let by_wins = table.by_wins.iter().map(|line| WinsLine {
        from: from_grade(t, line.from),
        wins: line.wins.to_string(),
        games: line.games.to_string(),
        to: words::grade(t, line.to),
    });
    let by_place = table.by_place.iter().map(|line| PlaceLine {
        category: line.category.clone().unwrap_or_default(),
        percent: line.percent.to_string(),
        to: to_grade(t, line.to),
    });
    PromotionForm {
        version: event.version.to_string(),
        byes_count: table.byes_count,
        by_wins: by_wins.collect(),
        by_place: by_place.collect(),
        reason: String::new(),
    }
}

/// The categories of an event, each once.
pub fn categories(event: &Event) -> Vec<String> {
    let all = event
        .stage
        .entries
        .iter()
        .filter_map(|entry| entry.category.clone());
    let mut all: Vec<String> = all.collect();
    all.sort();
    all.dedup();
    all
}

/// As of which round, and what is missing.
pub fn state_of(t: Language, event: &Event) -> (u32, String) {
    let stage = event.public_stage();
    let after = stage
        .rounds
        .last()
        .map_or(stage.first_round - 1, |round| round.round);
    let table = tournament::standings(&stage, after);
    let mut state = if after == 0 {
        t.say("standings-before")
    } else {
        t.with("after-round", "round", after)
    };
    if let Some(missing) = crate::pages::public::standings::missing(t, &table) {
        state = format!("{state}{}{missing}", t.gap());
    }
    (after, state)
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, form: Option<PromotionForm>) -> PromotionPage {
    let t = visit.t;
    let stage = event.public_stage();
    let table = &event.awards.promotion;
    let (after, state) = state_of(t, event);
    let found = promotions(&stage, after, table);
    let promoted = found.promoted.iter().map(|one| {
        let entry = stage.entry(one.number);
        PromotedRow {
            number: one.number.get(),
            name: entry.map(|entry| entry.name.clone()).unwrap_or_default(),
            team: entry.and_then(|entry| entry.team.clone()).unwrap_or_default(),
            from: one
                .from
                .map_or_else(|| "–".to_owned(), |grade| words::grade(t, grade)),
            to: words::grade(t, one.to),
            why: promotion_reason(t, &one.reason),
        }
    });
    let mut form = form.unwrap_or_else(|| form_of(t, event));
    form.by_wins
        .extend(std::iter::repeat_n(WinsLine::default(), MORE));
    form.by_place
        .extend(std::iter::repeat_n(PlaceLine::default(), MORE));
    let games = table.by_wins.iter().map(|line| line.games).max().unwrap_or(0);
    PromotionPage {
        t,
        frame: visit.frame_of(event, "finish"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        form,
        categories: categories(event),
        state,
        has_table: *table != Promotion::default(),
        promoted: promoted.collect(),
        open: promotion_open(t, &stage, &found),
        longer: (games > stage.rounds_planned)
            .then(|| t.with2("promotion-longer", "games", games, "rounds", stage.rounds_planned)),
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

/// A refusal that names the line and the field.
fn wrong(code: &'static str, line: usize, found: &str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
        .arg("line", line + 1)
        .arg("found", found)
        .into()
}

fn count(line: usize, text: &str, most: u32) -> Result<u32> {
    text.parse()
        .ok()
        .filter(|count| (1..=most).contains(count))
        .ok_or_else(|| {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-a-count-in-line")
                .arg("line", line + 1)
                .arg("found", text)
                .arg("most", most)
                .into()
        })
}

fn from(t: Language, line: usize, text: &str) -> Result<From> {
    if text.is_empty() || text == t.say("promotion-no-grade") {
        return Ok(From::None);
    }
    if text == t.say("promotion-no-dan") {
        return Ok(From::NoDan);
    }
    text.parse().map_err(|_| wrong("not-a-grade-in-line", line, text))
}

fn to(t: Language, line: usize, text: &str) -> Result<To> {
    if text == t.say("promotion-next") {
        return Ok(To::Next);
    }
    text.parse().map_err(|_| wrong("not-a-grade-in-line", line, text))
}

/// The table of a form; a line in which nothing stands is none.
fn read(t: Language, form: &PromotionForm) -> Result<Promotion> {
    let mut table = Promotion {
        byes_count: form.byes_count,
        ..Promotion::default()
    };
    for (at, line) in form.by_wins.iter().enumerate() {
        let games = count(at, &line.games, tournament::validate::ROUNDS_LIMIT)?;
        table.by_wins.push(ByWins {
            from: from(t, at, &line.from)?,
            wins: count(at, &line.wins, games)?,
            games,
            to: line
                .to
                .parse()
                .map_err(|_| wrong("not-a-grade-in-line", at, &line.to))?,
        });
    }
    for (at, line) in form.by_place.iter().enumerate() {
        table.by_place.push(ByPlace {
            category: Some(line.category.clone()).filter(|text| !text.is_empty()),
            percent: count(at, line.percent.trim_end_matches(['%', '％']).trim(), 100)?,
            to: to(t, at, &line.to)?,
        });
    }
    Ok(table)
}

/// Saves the table.
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
    let form = PromotionForm {
        version: fields.get("version").to_owned(),
        byes_count: fields.ticked("byes_count"),
        by_wins: (0..fields.all("wins").count())
            .map(|at| WinsLine {
                from: line("from", at),
                wins: line("wins", at),
                games: line("games", at),
                to: line("to", at),
            })
            .filter(|line| *line != WinsLine::default())
            .collect(),
        by_place: (0..fields.all("percent").count())
            .map(|at| PlaceLine {
                category: line("category", at),
                percent: line("percent", at),
                to: line("place_to", at),
            })
            .filter(|line| *line != PlaceLine::default())
            .collect(),
        reason: fields.get("reason").to_owned(),
    };
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let reason = fields.some("reason");
    let change = change(&state, &actor, reason.as_deref());
    let saved = match read(visit.t, &form) {
        Ok(table) => {
            let patch = EventPatch {
                promotion: Some(table),
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
                &format!("/manage/e/{slug}/promotion"),
                &visit.t.say("done-promotion"),
            ))
        }
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            refused(&PromotionPage {
                problem,
                ..view(&visit, &event, Some(form))
            })
        }
    }
}
