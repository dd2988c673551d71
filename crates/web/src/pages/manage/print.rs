//! `/manage/e/{slug}/print`: every sheet of an event, for paper and as a spreadsheet.

use std::fmt::Write as _;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use interchange::sheets::{self, Kind, Section, Sheet};
use serde::Deserialize;
use store::events::Event;

use super::event_of;
use crate::errors::{Error, Result};
use crate::extract::{InPath, InQuery, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit, encoded};
use crate::pages::sheets::{Medium, Which, sheet};
use crate::pages::{page, words};
use crate::state::AppState;

/// The media type of a workbook.
pub const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Of which round.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Asked {
    /// The round; the last published one when left out.
    pub round: Option<u32>,
}

/// A sheet in the list.
#[derive(Clone, Debug, Default)]
pub struct SheetLine {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub hint: String,
    /// The page to be printed; nothing when there is none yet.
    pub href: Option<String>,
    /// As a workbook.
    pub xlsx: String,
    /// As CSV.
    pub csv: String,
}

/// The list of sheets.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/print.html")]
pub struct PrintPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// The rounds that can be chosen, the last one first.
    pub rounds: Vec<u32>,
    /// The chosen one; 0 when there is none.
    pub round: u32,
    /// The sheets.
    pub sheets: Vec<SheetLine>,
}

/// Builds the list.
pub fn view(visit: &Visit, event: &Event, asked: Asked) -> Option<PrintPage> {
    let t = visit.t;
    let stage = event.public_stage();
    let rounds: Vec<u32> = stage.rounds.iter().rev().map(|round| round.round).collect();
    let round = match asked.round {
        Some(round) if !rounds.contains(&round) => return None,
        Some(round) => Some(round),
        None => rounds.first().copied(),
    };
    let base = format!("/manage/e/{}/print", event.slug);
    let sheets = Which::ALL
        .into_iter()
        .map(|which| {
            let word = which.as_str();
            let of_round = round.filter(|_| which.has_round());
            let query = of_round.map_or_else(String::new, |round| format!("?round={round}"));
            let there = !which.needs_round() || round.is_some();
            SheetLine {
                name: t.say(&format!("sheet-{word}")),
                hint: t.say(&format!("sheet-{word}.hint")),
                href: there.then(|| format!("{base}/{word}{query}")),
                xlsx: format!("{base}/{word}.xlsx{query}"),
                csv: format!("{base}/{word}.csv{query}"),
            }
        })
        .collect();
    Some(PrintPage {
        t,
        frame: visit.frame_of(event, "print"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        rounds,
        round: round.unwrap_or(0),
        sheets,
    })
}

/// The list.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn list(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let event = event_of(&mut state.store.snapshot().await?, &slug).await?;
    page(&view(&visit, &event, asked).ok_or_else(Error::not_found)?)
}

/// A table of a sheet, with a class for each column.
#[derive(Clone, Debug, Default)]
pub struct SectionView {
    /// Its heading, or nothing.
    pub title: String,
    /// The columns: head and class.
    pub columns: Vec<(String, &'static str)>,
    /// The lines: cells and their classes.
    pub rows: Vec<Vec<(String, &'static str)>>,
    /// What is said where there is no line.
    pub empty: String,
}

/// A sheet on paper.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/sheet.html")]
pub struct SheetPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// Where the list of sheets is.
    pub back: String,
    /// The style sheet with the foot of each page.
    pub foot_href: String,
    /// As a workbook.
    pub xlsx: String,
    /// As CSV.
    pub csv: String,
    /// Whether it goes across the paper.
    pub wide: bool,
    /// The event's name.
    pub event_name: String,
    /// What it is.
    pub title: String,
    /// Facts under the heading.
    pub facts: Vec<String>,
    /// When it is printed.
    pub printed: String,
    /// The tables.
    pub sections: Vec<SectionView>,
    /// What the marks mean.
    pub notes: Vec<String>,
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Word => "w",
        Kind::Name => "name",
        Kind::Text => "team",
        Kind::Number => "n",
        Kind::Round => "rounds-cell",
        Kind::Blank => "blank",
    }
}

fn section(section: &Section) -> SectionView {
    let classes: Vec<&'static str> = section.columns.iter().map(|column| class(column.kind)).collect();
    SectionView {
        title: section.title.clone(),
        columns: section
            .columns
            .iter()
            .zip(&classes)
            .map(|(column, class)| (column.head.clone(), *class))
            .collect(),
        rows: section
            .rows
            .iter()
            .map(|row| {
                row.iter()
                    .zip(&classes)
                    .map(|(cell, class)| (cell.as_str().into_owned(), *class))
                    .collect()
            })
            .collect(),
        empty: section.empty.clone(),
    }
}

/// Builds a sheet's page; nothing for a round that is not published.
pub fn sheet_view(
    visit: &Visit,
    event: &Event,
    which: Which,
    asked: Asked,
    now: DateTime<Utc>,
) -> Option<SheetPage> {
    let t = visit.t;
    let sheet = sheet(t, event, which, asked.round, Medium::Paper)?;
    let base = format!("/manage/e/{}/print", event.slug);
    let word = which.as_str();
    let query = asked
        .round
        .map_or_else(String::new, |round| format!("?round={round}"));
    let widest = sheet.sections.iter().map(|section| section.columns.len()).max();
    Some(SheetPage {
        t,
        frame: asked.round.filter(|_| which.has_round()).map_or_else(
            || visit.frame_of(event, "print"),
            |round| visit.frame_of_round(event, "print", round),
        ),
        back: format!("{base}{query}"),
        foot_href: format!("{base}/{word}.css{query}"),
        xlsx: format!("{base}/{word}.xlsx{query}"),
        csv: format!("{base}/{word}.csv{query}"),
        wide: which.is_wide() || widest.is_some_and(|columns| columns > 10),
        event_name: event.name.clone(),
        title: sheet.title.clone(),
        facts: sheet.facts.clone(),
        printed: t.with("sheet-printed", "at", words::dated_of(t, &event.schedule, now)),
        sections: sheet.sections.iter().map(section).collect(),
        notes: sheet.notes,
    })
}

/// A text in a style sheet: every character that could mean something there as its number.
fn css_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if c.is_alphanumeric() || c == ' ' {
            out.push(c);
        } else if !c.is_control() {
            let _ = write!(out, "\\{:x} ", u32::from(c));
        }
    }
    out.push('"');
    out
}

/// The foot of each page: event, sheet, moment of printing, end of the log. A margin of a page takes
/// only fixed text, so it comes in a style sheet of its own.
fn foot(t: Language, event: &Event, sheet: &Sheet, asked: Asked, now: DateTime<Utc>) -> String {
    let of_round = asked
        .round
        .and_then(|round| event.round_info(round))
        .and_then(|info| info.head);
    let cut = |text: &str, most: usize| -> String {
        let short: String = text.chars().take(most).collect();
        if text.chars().count() > most {
            format!("{short}…")
        } else {
            short
        }
    };
    let mut parts = vec![
        cut(&event.name, 36),
        cut(&sheet.title, 36),
        t.with("sheet-printed", "at", words::dated_of(t, &event.schedule, now)),
    ];
    if let Some(head) = of_round.or(event.head) {
        parts.push(format!(
            "{} {}",
            t.with("log-head", "seq", head.seq),
            head.hash.short()
        ));
    }
    let text = css_text(&parts.join(" · "));
    let margin = format!("@bottom-left {{ content: {text}; font-size: 7pt; text-align: left; width: 85%; }}");
    format!(
        "@media print {{\n@page {{ {margin} }}\n@page wide {{ {margin} }}\n.log-head {{ display: none; }}\n}}\n"
    )
}

/// A file to be kept, with a name that every browser understands (RFC 6266).
///
/// # Errors
/// When the name fits into no header, which cannot be.
pub fn download(bytes: Vec<u8>, media: &'static str, name: &str, ending: &str) -> Result<Response> {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let full = encoded(name);
    let disposition = HeaderValue::from_str(&format!(
        "attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{full}.{ending}"
    ))
    .map_err(Error::internal)?;
    Ok((
        [
            (header::CONTENT_TYPE, HeaderValue::from_static(media)),
            (header::CONTENT_DISPOSITION, disposition),
            (
                header::CACHE_CONTROL,
                HeaderValue::from_static("private, no-cache"),
            ),
        ],
        bytes,
    )
        .into_response())
}

/// What a sheet is asked for as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum As {
    /// A page; for programs, JSON.
    Page,
    /// The foot of its pages.
    Foot,
    /// CSV.
    Csv,
    /// A workbook.
    Xlsx,
}

/// The sheet and the form of `standings.xlsx`.
pub fn named(name: &str) -> Option<(Which, As)> {
    let (word, form) = match name.split_once('.') {
        None => (name, As::Page),
        Some((word, "css")) => (word, As::Foot),
        Some((word, "csv")) => (word, As::Csv),
        Some((word, "xlsx")) => (word, As::Xlsx),
        Some(_) => return None,
    };
    Some((Which::from_word(word)?, form))
}

/// A sheet as CSV or as a workbook, which is made away from the threads that answer requests.
///
/// # Errors
/// When a workbook cannot be written.
pub async fn file(event: &Event, which: Which, sheet: Sheet, form: As) -> Result<Response> {
    let name = format!("{}-{}", event.slug, which.as_str());
    if form == As::Csv {
        let text = sheets::csv(&sheet);
        return download(text.into_bytes(), "text/csv; charset=utf-8", &name, "csv");
    }
    let bytes = tokio::task::spawn_blocking(move || sheets::xlsx(&sheet))
        .await
        .map_err(Error::internal)?
        .map_err(Error::internal)?;
    download(bytes, XLSX, &name, "xlsx")
}

/// A sheet: as a page, and by the ending of its name as a file.
///
/// # Errors
/// `sign-in-needed`; `not-found` for what is no sheet, and for a round that is not published.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath((slug, name)): InPath<(String, String)>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let (which, form) = named(&name).ok_or_else(Error::not_found)?;
    let mut event = event_of(&mut state.store.snapshot().await?, &slug).await?;
    // Sheets hang on walls and go into mails; only who signs in has to find the own name.
    if which != Which::SignIn {
        event.withhold_names(|number| visit.t.with("withheld-name", "number", number.get()));
    }
    let now = state.clock.now();
    if form == As::Page {
        return page(&sheet_view(&visit, &event, which, asked, now).ok_or_else(Error::not_found)?);
    }
    let medium = if form == As::Foot {
        Medium::Paper
    } else {
        Medium::Table
    };
    let sheet = sheet(visit.t, &event, which, asked.round, medium).ok_or_else(Error::not_found)?;
    if form == As::Foot {
        let text = foot(visit.t, &event, &sheet, asked, now);
        let kind = HeaderValue::from_static("text/css; charset=utf-8");
        return Ok(([(header::CONTENT_TYPE, kind)], text).into_response());
    }
    file(&event, which, sheet, form).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_ends_the_text_of_a_style_sheet() {
        for text in [
            "a\"; } body { display: none",
            "\\",
            "</style>",
            "a\nb",
            "天元杯 <x>",
        ] {
            let told = css_text(text);
            let inside = &told[1..told.len() - 1];
            assert!(!inside.contains(['"', '\n', '<', '}', ';']), "{told}");
        }
        assert_eq!(css_text("天元 3"), "\"天元 3\"");
    }

    #[test]
    fn a_sheet_is_asked_for_by_its_ending() {
        assert_eq!(named("standings"), Some((Which::Standings, As::Page)));
        assert_eq!(named("sign-in.xlsx"), Some((Which::SignIn, As::Xlsx)));
        assert_eq!(named("standings.pdf"), None);
        assert_eq!(named("nothing.csv"), None);
        for which in Which::ALL {
            assert_eq!(named(which.as_str()), Some((which, As::Page)));
        }
    }
}
