//! `/manage/e/{slug}/check-in`: who is here (签到), on a phone at the door; who is missing before
//! the first round, and leaving them out.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use store::batches::{self, Batch, Kind};
use store::check_in::{self as stored, Here};
use store::events::Event;
use store::{Refused, Schedule};
use tournament::{Entry, Number};

use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Result};
use crate::extract::{Arbiter, Director, InPath, InQuery, ResultsReader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done, go};
use crate::pages::search::{matches, search_text};
use crate::pages::{page, words};
use crate::state::AppState;

/// Somebody at the door.
#[derive(Clone, Debug, Default)]
pub struct CheckInRow {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// Team and grade.
    pub details: String,
    /// Whether he or she is here.
    pub here: bool,
    /// Since when, and who said so.
    pub since: String,
    /// Why nobody waits for this entry: withdrawn, or sitting out.
    pub not_expected: String,
    /// By what it is found.
    pub search: String,
}

/// Acts that were done together, and can be taken back.
#[derive(Clone, Debug, Default)]
pub struct UndoView {
    /// Which.
    pub batch: u32,
    /// What was done, when and by whom.
    pub sentence: String,
}

impl UndoView {
    /// What was done together, in words.
    pub fn of(t: Language, schedule: &Schedule, batch: &Batch) -> Self {
        let key = match batch.kind {
            Kind::List => "batch-list",
            Kind::SignUps => "batch-sign-ups",
            Kind::SitOut => "batch-sit-out",
            Kind::Withdrawal => "batch-withdrawal",
            Kind::Here => "batch-here",
        };
        Self {
            batch: batch.number,
            sentence: t.tell(
                key,
                &[
                    ("count", batch.acts.into()),
                    ("at", words::moment_of(t, schedule, batch.at).into()),
                    ("by", batch.by.clone().into()),
                ],
            ),
        }
    }
}

/// The page.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/check_in.html")]
pub struct CheckInPage {
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
    /// How many are here.
    pub here: usize,
    /// How many are waited for.
    pub expected: usize,
    /// Who is looked for.
    pub query: String,
    /// Whether only those who are missing are shown.
    pub only_missing: bool,
    /// The list.
    pub rows: Vec<CheckInRow>,
    /// The numbers of those who are missing.
    pub missing: Vec<u32>,
    /// Their names.
    pub missing_names: String,
    /// The first round.
    pub first_round: u32,
    /// Whether the missing can still be left out.
    pub can_leave_out: bool,
    /// What can be taken back.
    pub undo: Option<UndoView>,
    /// The teams of which somebody is missing: name, how many, and their numbers.
    pub teams: Vec<(String, usize, String)>,
    /// Those who were checked in with one press, while that can be taken back.
    pub together: Option<UndoView>,
}

/// What is asked for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    q: String,
    /// `missing` for those alone.
    #[serde(default)]
    show: String,
}

/// Builds the page.
pub fn view(
    visit: &Visit,
    event: &Event,
    here: &BTreeMap<Number, Here>,
    undo: Option<&Batch>,
    query: &str,
    only_missing: bool,
) -> CheckInPage {
    let t = visit.t;
    let first = event.stage.first_round;
    let missing = stored::missing(event, here);
    let names = missing.iter().map(|entry| {
        t.with2(
            "person",
            "number",
            entry.number.get(),
            "name",
            entry.name.as_str(),
        )
    });
    let missing_names = t.list(names);
    let teams = teams(&missing);
    let missing: Vec<u32> = missing.iter().map(|entry| entry.number.get()).collect();
    let mut entries: Vec<&Entry> = event.stage.entries.iter().collect();
    entries.sort_by_key(|entry| entry.number);
    let rows = entries
        .iter()
        .map(|entry| row(t, event, entry, here.get(&entry.number)))
        .filter(|row| matches(query, &row.search))
        .filter(|row| !only_missing || missing.contains(&row.number))
        .collect();
    let expected = entries.iter().filter(|entry| entry.plays_in(first)).count();
    CheckInPage {
        t,
        frame: visit.frame_of(event, "check-in"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        here: expected - missing.len(),
        expected,
        query: query.to_owned(),
        only_missing,
        rows,
        can_leave_out: event.stage.rounds.is_empty() && !missing.is_empty() && visit.directs(),
        missing,
        missing_names,
        first_round: first,
        undo: undo
            .filter(|_| visit.directs())
            .map(|batch| UndoView::of(t, &event.schedule, batch)),
        teams,
        together: None,
    }
}

/// The teams of those who are missing, by name.
fn teams(missing: &[&Entry]) -> Vec<(String, usize, String)> {
    let mut teams: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for entry in missing {
        if let Some(team) = &entry.team {
            teams.entry(team).or_default().push(entry.number.to_string());
        }
    }
    teams
        .into_iter()
        .map(|(team, numbers)| (team.to_owned(), numbers.len(), numbers.join(",")))
        .collect()
}

fn row(t: Language, event: &Event, entry: &Entry, here: Option<&Here>) -> CheckInRow {
    let first = event.stage.first_round;
    let team = entry.team.clone().unwrap_or_default();
    let grade = entry
        .grade
        .map(|grade| words::grade(t, grade))
        .unwrap_or_default();
    let details: Vec<&str> = [team.as_str(), grade.as_str()]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    CheckInRow {
        number: entry.number.get(),
        name: entry.name.clone(),
        details: details.join(" · "),
        here: here.is_some(),
        since: here
            .map(|here| {
                t.with2(
                    "here-since",
                    "at",
                    words::clock(t, event.schedule.local(here.at)),
                    "by",
                    here.by.as_str(),
                )
            })
            .unwrap_or_default(),
        not_expected: if entry.plays_in(first) {
            String::new()
        } else if entry.withdrawn_after.is_some() {
            t.say("withdrawn-title")
        } else {
            t.with("sits-out-n", "round", first)
        },
        search: search_text(entry.number.get(), &entry.name, &team),
    }
}

/// What of this page can be taken back.
const UNDONE_HERE: [Kind; 2] = [Kind::SitOut, Kind::Withdrawal];

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    ResultsReader(_): ResultsReader,
    visit: Visit,
    InPath(slug): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let here = stored::list(&mut tx, event.id).await?;
    let undo = batches::last(&mut tx, event.id, &UNDONE_HERE).await?;
    let together = batches::last(&mut tx, event.id, &[Kind::Here]).await?;
    let together = together.filter(|_| visit.caller.enters_results());
    let only_missing = asked.show == "missing";
    page(&CheckInPage {
        together: together.map(|batch| UndoView::of(visit.t, &event.schedule, &batch)),
        ..view(&visit, &event, &here, undo.as_ref(), asked.q.trim(), only_missing)
    })
}

/// Numbers with commas between.
fn numbers_of(text: &str) -> Vec<Number> {
    text.split(',')
        .filter_map(|number| number.trim().parse().ok().and_then(Number::new))
        .collect()
}

fn number(fields: &Fields, name: &str) -> Option<Number> {
    fields.get(name).parse().ok().and_then(Number::new)
}

/// Somebody is here, or is not: the button of one row. Or several are with one press, or that is taken back.
///
/// # Errors
/// `not-found`, also for a number that no entry has.
pub async fn mark(
    State(state): State<AppState>,
    Arbiter(actor): Arbiter,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    if let Some(numbers) = fields.some("together") {
        let mut tx = state.store.begin().await?;
        let event = locked(&mut tx, &slug).await?;
        let count = stored::set_all(
            &mut tx,
            &change(&state, &actor, None),
            &event,
            &numbers_of(&numbers),
        )
        .await?;
        tx.commit().await?;
        let said = visit.t.with("done-here-together", "count", count);
        return Ok(done(&format!("/manage/e/{slug}/check-in"), &said));
    }
    if let Some(batch) = fields.some("apart") {
        let batch = batch.parse().map_err(|_| Error::not_found())?;
        let mut tx = state.store.begin().await?;
        let mut event = locked(&mut tx, &slug).await?;
        // Whoever may tick people off may take that back, and nothing else.
        let last = batches::last(&mut tx, event.id, &[Kind::Here]).await?;
        last.filter(|last| last.number == batch)
            .ok_or(Refused::UnknownBatch)?;
        batches::undo(&mut tx, &change(&state, &actor, None), &mut event, batch).await?;
        tx.commit().await?;
        return Ok(done(
            &format!("/manage/e/{slug}/check-in"),
            &visit.t.say("done-undone"),
        ));
    }
    let (entry, here) = match (number(&fields, "here"), number(&fields, "away")) {
        (Some(entry), _) => (entry, true),
        (None, Some(entry)) => (entry, false),
        (None, None) => return Err(Error::not_found()),
    };
    let mut tx = state.store.begin().await?;
    let event = locked(&mut tx, &slug).await?;
    stored::set(&mut tx, &change(&state, &actor, None), &event, entry, here).await?;
    tx.commit().await?;
    if fields.ticked("quiet") {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let show = if fields.get("show") == "missing" {
        "?show=missing"
    } else {
        ""
    };
    Ok(go(&format!("/manage/e/{slug}/check-in{show}#n{entry}")))
}

/// Leaves out those who were shown as missing and still are.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn leave_out(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let kind = match fields.get("kind") {
        "withdrawal" => Kind::Withdrawal,
        _ => Kind::SitOut,
    };
    let numbers = numbers_of(fields.get("missing"));
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    match stored::leave_out(&mut tx, &change(&state, &actor, None), &mut event, kind, &numbers).await {
        Ok(count) => {
            tx.commit().await?;
            let said = if kind == Kind::Withdrawal {
                "done-missing-withdrawn"
            } else {
                "done-missing-out"
            };
            Ok(done(
                &format!("/manage/e/{slug}/check-in"),
                &visit.t.with(said, "count", count),
            ))
        }
        Err(error) => {
            let problem = Some(told(error.into(), visit.t)?);
            let here = stored::list(&mut tx, event.id).await?;
            refused(&CheckInPage {
                problem,
                ..view(&visit, &event, &here, None, "", false)
            })
        }
    }
}

/// Takes back what was done together, on this page, with a list, or with sign-ups.
///
/// # Errors
/// `not-found`; a refusal is told on this page.
pub async fn undo(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let back = match fields.get("back") {
        "import" => "entries/import",
        "sign-ups" => "sign-ups",
        _ => "check-in",
    };
    let batch = fields.get("batch").parse().map_err(|_| Error::not_found())?;
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    batches::undo(&mut tx, &change(&state, &actor, None), &mut event, batch).await?;
    tx.commit().await?;
    Ok(done(
        &format!("/manage/e/{slug}/{back}"),
        &visit.t.say("done-undone"),
    ))
}
