//! `/manage/e/{slug}/entries`: who plays; entries one by one; numbers drawn by lot.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use store::Refused;
use store::entries::{self as stored, NewEntry};
use store::events::Event;
use tournament::{Entry, Grade, Number, Score};

use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, InQuery, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::search::{matches, search_text};
use crate::pages::words::Mark;
use crate::pages::{page, words};
use crate::state::AppState;

/// An entry as it was typed.
#[derive(Clone, Debug, Default)]
pub struct EntryForm {
    /// The number; empty for the next free one.
    pub number: String,
    /// Whether the number can no longer be changed.
    pub number_fixed: bool,
    /// The name.
    pub name: String,
    /// The team.
    pub team: String,
    /// The grade.
    pub grade: String,
    /// The rating.
    pub rating: String,
    /// The category.
    pub category: String,
    /// The start score.
    pub start_score: String,
    /// Whether the public reads the number instead of the name.
    pub name_withheld: bool,
    /// Whether somebody of this name and team is entered already, so that the form asks.
    pub namesake: bool,
}

impl EntryForm {
    /// What was sent.
    pub fn sent(fields: &Fields) -> Self {
        Self {
            number: fields.get("number").to_owned(),
            number_fixed: false,
            name: fields.get("name").to_owned(),
            team: fields.get("team").to_owned(),
            grade: fields.get("grade").to_owned(),
            rating: fields.get("rating").to_owned(),
            category: fields.get("category").to_owned(),
            start_score: fields.get("start_score").to_owned(),
            name_withheld: fields.ticked("name_withheld"),
            namesake: false,
        }
    }

    /// An entry as it is.
    pub fn of(t: Language, entry: &Entry) -> Self {
        Self {
            number: entry.number.to_string(),
            number_fixed: false,
            name: entry.name.clone(),
            team: entry.team.clone().unwrap_or_default(),
            grade: entry
                .grade
                .map(|grade| words::grade(t, grade))
                .unwrap_or_default(),
            rating: entry.rating.map(|rating| rating.to_string()).unwrap_or_default(),
            category: entry.category.clone().unwrap_or_default(),
            start_score: entry.start_score.to_string(),
            name_withheld: entry.name_withheld,
            namesake: false,
        }
    }

    /// The entry that was typed.
    ///
    /// # Errors
    /// The first field that is not what it should be, with what may be written there.
    pub fn read(&self) -> Result<NewEntry> {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Ok(NewEntry {
            number: number(&self.number)?,
            name: self.name.clone(),
            team: some(&self.team),
            grade: grade(&self.grade)?,
            rating: rating(&self.rating)?,
            category: some(&self.category),
            start_score: score(&self.start_score)?,
            name_withheld: self.name_withheld,
            ..NewEntry::default()
        })
    }
}

fn wrong(code: &'static str, found: &str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
        .arg("found", found)
        .into()
}

/// Digits as people type them, full-width ones too.
fn digits(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '０'..='９' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            '−' | '－' => '-',
            _ => c,
        })
        .collect()
}

/// A number, or nothing.
///
/// # Errors
/// `not-a-number`.
pub fn number(text: &str) -> Result<Option<Number>> {
    if text.is_empty() {
        return Ok(None);
    }
    digits(text)
        .parse()
        .ok()
        .and_then(Number::new)
        .map(Some)
        .ok_or_else(|| wrong("not-a-number", text))
}

/// A grade in any spelling, or nothing.
///
/// # Errors
/// `not-a-grade`.
pub fn grade(text: &str) -> Result<Option<Grade>> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| wrong("not-a-grade", text))
}

/// A rating, or nothing.
///
/// # Errors
/// `not-a-rating`.
pub fn rating(text: &str) -> Result<Option<i32>> {
    if text.is_empty() {
        return Ok(None);
    }
    digits(text)
        .parse()
        .map(Some)
        .map_err(|_| wrong("not-a-rating", text))
}

/// A start score; nothing is 0.
fn score(text: &str) -> Result<Score> {
    if text.is_empty() {
        return Ok(Score::ZERO);
    }
    digits(text)
        .parse()
        .map(Score)
        .map_err(|_| wrong("not-a-score", text))
}

/// An entry in the list.
#[derive(Clone, Debug, Default)]
pub struct EntryRow {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// Where it is changed.
    pub href: String,
    /// The team.
    pub team: String,
    /// The grade.
    pub grade: String,
    /// The rating.
    pub rating: String,
    /// The category.
    pub category: String,
    /// Withdrawn, sitting out.
    pub marks: Vec<Mark>,
    /// By what it is found.
    pub search: String,
}

/// The list of entries.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/entries.html")]
pub struct EntriesPage {
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
    /// How many there are.
    pub summary: String,
    /// Whether numbers can still be drawn.
    pub can_draw: bool,
    /// Whether a round is published already.
    pub late: bool,
    /// Whether the form is open.
    pub form_open: bool,
    /// What was typed.
    pub form: EntryForm,
    /// Who is looked for.
    pub query: String,
    /// The entries by number.
    pub entries: Vec<EntryRow>,
}

/// Who is looked for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    q: String,
    /// Somebody has just been added by the form, and the next may follow.
    #[serde(default)]
    more: bool,
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, query: &str) -> EntriesPage {
    let t = visit.t;
    let stage = &event.stage;
    let next = stage.next_round();
    let mut entries: Vec<&Entry> = stage.entries.iter().collect();
    entries.sort_by_key(|entry| entry.number);
    let rows = entries
        .iter()
        .map(|entry| {
            let team = entry.team.clone().unwrap_or_default();
            EntryRow {
                number: entry.number.get(),
                name: entry.name.clone(),
                href: format!("/manage/e/{}/entries/{}", event.slug, entry.number),
                search: search_text(entry.number.get(), &entry.name, &team),
                team,
                grade: entry
                    .grade
                    .map(|grade| words::grade(t, grade))
                    .unwrap_or_default(),
                rating: entry.rating.map(|rating| rating.to_string()).unwrap_or_default(),
                category: entry.category.clone().unwrap_or_default(),
                marks: words::marks(t, entry, next),
            }
        })
        .filter(|row| matches(query, &row.search))
        .collect();
    // After the last round there is no next one.
    let counted = next.min(stage.rounds_planned);
    let playing = entries.iter().filter(|entry| entry.plays_in(counted)).count();
    let carried = entries.iter().any(|entry| entry.carried.is_some());
    EntriesPage {
        t,
        frame: visit.frame_of(event, "entries"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        summary: t.tell(
            "entries-summary",
            &[
                ("count", entries.len().into()),
                ("playing", playing.into()),
                ("round", counted.into()),
            ],
        ),
        can_draw: stage.rounds.is_empty() && !carried && entries.len() > 1,
        late: !stage.rounds.is_empty(),
        form_open: entries.is_empty(),
        form: EntryForm::default(),
        query: query.to_owned(),
        entries: rows,
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
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let mut shown = view(&visit, &event, asked.q.trim());
    shown.form_open |= asked.more;
    page(&shown)
}

/// Who of the same name and team is entered already: another person, or a form that was sent twice.
fn namesake(event: &Event, form: &EntryForm) -> Option<Number> {
    let (name, team) = (form.name.trim(), form.team.trim());
    let mut entries = event.stage.entries.iter();
    entries
        .find(|entry| entry.name == name && entry.team.as_deref().unwrap_or_default() == team)
        .map(|entry| entry.number)
}

/// Adds an entry.
///
/// # Errors
/// `not-found`; what is wrong is told on the form.
pub async fn add(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let form = EntryForm::sent(&fields);
    let change = change(&state, &actor, None);
    if let Some(there) = namesake(&event, &form).filter(|_| !fields.ticked("namesake")) {
        let t = visit.t;
        let asked = t.with("entry-namesake", "player", words::person(t, &event.stage, there));
        return refused(&EntriesPage {
            problem: Some(ProblemView::of(asked)),
            form_open: true,
            form: EntryForm {
                namesake: true,
                ..form
            },
            ..view(&visit, &event, "")
        });
    }
    let added = match form.read() {
        Ok(NewEntry {
            number: Some(number), ..
        }) if event.stage.entry(number).is_some() => Err(Refused::NumberTaken { number }.into()),
        Ok(new) => stored::add(&mut tx, &change, &mut event, vec![new])
            .await
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    match added {
        Ok(numbers) => {
            tx.commit().await?;
            let number = numbers.first().map_or(0, |number| number.get());
            Ok(done(
                &format!("/manage/e/{slug}/entries?more=true"),
                &visit
                    .t
                    .with2("done-entry-added", "number", number, "name", form.name),
            ))
        }
        Err(error) => refused(&EntriesPage {
            problem: Some(told(error, visit.t)?),
            form_open: true,
            form,
            ..view(&visit, &event, "")
        }),
    }
}
