//! `/manage/f/{family}/print/{sheet}`: a sheet of all groups, one after another, for paper.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use store::events::Event;
use store::families::{self, Family};

use super::print::{Asked, SheetPage, sheet_view};
use crate::errors::{Error, Result};
use crate::extract::{InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::page;
use crate::pages::sheets::Which;
use crate::state::AppState;

/// A sheet of every group.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/family_sheets.html")]
pub struct FamilySheets {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The family's name in addresses.
    pub slug: String,
    /// The family's name.
    pub name: String,
    /// What it is.
    pub title: String,
    /// The groups with their sheets.
    pub sheets: Vec<(String, SheetPage)>,
    /// The groups that have no such sheet yet.
    pub without: String,
}

/// Builds the page.
pub fn view(
    visit: &Visit,
    family: &Family,
    events: &[Event],
    which: Which,
    now: chrono::DateTime<chrono::Utc>,
) -> FamilySheets {
    let t = visit.t;
    let (mut sheets, mut without) = (Vec::new(), Vec::new());
    for event in events {
        let label = family.group(event.id).map_or("", |group| group.label.as_str());
        match sheet_view(visit, event, which, Asked::default(), now) {
            Some(sheet) => sheets.push((label.to_owned(), sheet)),
            None => without.push(label.to_owned()),
        }
    }
    FamilySheets {
        t,
        frame: visit.frame(),
        slug: family.slug.clone(),
        name: family.name.clone(),
        title: t.say(&format!("sheet-{}", which.as_str())),
        sheets,
        without: t.list(without),
    }
}

/// The page.
///
/// # Errors
/// `sign-in-needed`; `not-found` for what is no sheet.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath((key, sheet)): InPath<(String, String)>,
) -> Result<Response> {
    let which = Which::from_word(&sheet).ok_or_else(Error::not_found)?;
    let mut tx = state.store.snapshot().await?;
    let family = families::find(&mut tx, &key)
        .await?
        .ok_or_else(Error::not_found)?;
    let mut events = Vec::new();
    for group in &family.groups {
        events.extend(store::events::find(&mut tx, &group.event.id.to_string()).await?);
    }
    // Sheets hang on walls and go into mails; only who signs in has to find the own name.
    if which != Which::SignIn {
        for event in &mut events {
            event.withhold_names(|number| visit.t.with("withheld-name", "number", number.get()));
        }
    }
    page(&view(&visit, &family, &events, which, state.clock.now()))
}
