//! `/manage/e/{slug}/entries/paste`: a list from a spreadsheet, looked at row by row, then taken
//! whole or not at all.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use sha2::{Digest, Sha256};
use store::entries::{self as stored, NewEntry};
use store::events::Event;
use tournament::{Grade, Number};

use super::entries::EntryForm;
use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::search::folded;
use crate::pages::{page, words};
use crate::state::AppState;

/// A column of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Number,
    Name,
    Team,
    Grade,
    Rating,
    Category,
    StartScore,
    /// Not known here, and left out.
    Other,
}

impl Column {
    /// The column with a heading, in the words of spreadsheets.
    fn of_heading(heading: &str) -> Option<Self> {
        Some(match folded(heading).as_str() {
            "编号" | "号码" | "序号" | "no" | "no." | "nr" | "number" | "#" => Self::Number,
            "姓名" | "名字" | "棋手" | "选手" | "name" | "player" => Self::Name,
            "单位" | "代表队" | "队" | "俱乐部" | "学校" | "team" | "club" => Self::Team,
            "段位" | "级位" | "段级位" | "段级" | "grade" | "rank" => Self::Grade,
            "等级分" | "rating" | "elo" | "gor" => Self::Rating,
            "组别" | "组" | "category" | "group" => Self::Category,
            "起始分" | "startscore" => Self::StartScore,
            _ => return None,
        })
    }

    fn heading(self, t: Language) -> String {
        t.say(match self {
            Self::Number => "col-number",
            Self::Name => "col-name",
            Self::Team => "col-team",
            Self::Grade => "col-grade",
            Self::Rating => "col-rating",
            Self::Category => "col-category",
            Self::StartScore => "start-score",
            Self::Other => "column-left-out",
        })
    }
}

/// The list as cells, each row with its line.
fn cells(text: &str) -> Vec<(usize, Vec<String>)> {
    let separator = ['\t', ';', '；', ',', '，']
        .into_iter()
        .find(|separator| text.contains(*separator))
        .unwrap_or('\t');
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let (mut line, mut begun) = (1, 1);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            // A quote opens a cell only where the cell begins: a name may have quotes inside.
            '"' if cell.trim().is_empty() && closes(characters.clone(), separator) => {
                cell.clear();
                quoted = true;
            }
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push((begun, std::mem::take(&mut row)));
                line += 1;
                begun = line;
            }
            '\n' => {
                line += 1;
                cell.push(' ');
            }
            '\r' => {}
            c if c == separator && !quoted => row.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    row.push(cell);
    rows.push((begun, row));
    rows.retain(|(_, row)| row.iter().any(|cell| !cell.trim().is_empty()));
    for (_, row) in &mut rows {
        for cell in row {
            *cell = cell.trim().to_owned();
        }
    }
    rows
}

/// Whether a quote that opens here is closed again at the end of a cell.
fn closes(rest: std::iter::Peekable<std::str::Chars<'_>>, separator: char) -> bool {
    let mut rest = rest;
    while let Some(c) = rest.next() {
        if c == '"' {
            match rest.peek() {
                Some('"') => {
                    rest.next();
                }
                None | Some('\n' | '\r') => return true,
                Some(next) => return *next == separator,
            }
        }
    }
    false
}

/// What the columns are: by a row of headings, else by what stands in them.
fn columns(rows: &mut Vec<(usize, Vec<String>)>) -> Vec<Column> {
    let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    if let Some((_, first)) = rows.first() {
        let headed: Vec<Option<Column>> = first.iter().map(|cell| Column::of_heading(cell)).collect();
        if headed.contains(&Some(Column::Name)) {
            rows.remove(0);
            let mut columns: Vec<Column> = headed
                .into_iter()
                .map(|column| column.unwrap_or(Column::Other))
                .collect();
            columns.resize(width, Column::Other);
            return columns;
        }
    }
    let mut texts = [Column::Name, Column::Team, Column::Category].into_iter();
    let mut found = Vec::new();
    for index in 0..width {
        let cells: Vec<&str> = rows
            .iter()
            .filter_map(|(_, row)| row.get(index).map(String::as_str))
            .filter(|cell| !cell.is_empty())
            .collect();
        let most = |fits: &dyn Fn(&str) -> bool| {
            !cells.is_empty() && cells.iter().filter(|cell| fits(cell)).count() * 5 >= cells.len() * 4
        };
        let integer = |cell: &str| cell.parse::<i32>().is_ok();
        let column = if most(&|cell| cell.parse::<Grade>().is_ok()) && !found.contains(&Column::Grade) {
            Column::Grade
        } else if most(&integer) && index == 0 {
            Column::Number
        } else if most(&integer) && !found.contains(&Column::Rating) {
            Column::Rating
        } else {
            texts.next().unwrap_or(Column::Other)
        };
        found.push(column);
    }
    found
}

/// A row as it will be taken in.
#[derive(Clone, Debug, Default)]
pub struct PasteRow {
    /// The line it stands on.
    pub line: usize,
    /// The number.
    pub number: String,
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
    /// What is to be said of it.
    pub verdict: String,
    /// Whether it cannot be taken.
    pub bad: bool,
}

/// The form for a list, with what is made of it.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/paste.html")]
pub struct PastePage {
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
    /// What the columns were taken for.
    pub columns_note: String,
    /// The rows.
    pub rows: Vec<PasteRow>,
    /// What was pasted.
    pub text: String,
    /// Whether all rows can be taken.
    pub ready: bool,
    /// Stands for the text that was looked at.
    pub text_mark: String,
}

/// What was made of a list.
struct Read {
    page: PastePage,
    entries: Vec<NewEntry>,
}

fn mark(text: &str) -> String {
    let mut mark = String::new();
    for byte in &Sha256::digest(text.as_bytes())[..8] {
        let _ = write!(mark, "{byte:02x}");
    }
    mark
}

fn read(visit: &Visit, event: &Event, text: &str) -> Read {
    let t = visit.t;
    let mut rows = cells(text);
    let columns = columns(&mut rows);
    let taken: BTreeMap<Number, &str> = event
        .stage
        .entries
        .iter()
        .map(|entry| (entry.number, entry.name.as_str()))
        .collect();
    let known: BTreeMap<String, Number> = event
        .stage
        .entries
        .iter()
        .map(|entry| (folded(&entry.name), entry.number))
        .collect();
    let mut numbers: BTreeMap<Number, usize> = BTreeMap::new();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let (mut views, mut entries) = (Vec::new(), Vec::new());
    for (line, row) in &rows {
        let at = |wanted: Column| {
            columns
                .iter()
                .position(|column| *column == wanted)
                .and_then(|index| row.get(index))
                .cloned()
                .unwrap_or_default()
        };
        let form = EntryForm {
            number: at(Column::Number),
            number_fixed: false,
            name: at(Column::Name),
            team: at(Column::Team),
            grade: at(Column::Grade),
            rating: at(Column::Rating),
            category: at(Column::Category),
            start_score: at(Column::StartScore),
        };
        let mut view = PasteRow {
            line: *line,
            number: form.number.clone(),
            name: form.name.clone(),
            team: form.team.clone(),
            grade: form.grade.clone(),
            rating: form.rating.clone(),
            category: form.category.clone(),
            ..PasteRow::default()
        };
        let new = match form.read() {
            Ok(new) => new,
            Err(error) => {
                view.bad = true;
                view.verdict = told(error, t).map(|problem| problem.sentence).unwrap_or_default();
                views.push(view);
                continue;
            }
        };
        if let Some(grade) = new.grade {
            view.grade = words::grade(t, grade);
        }
        let name = folded(&new.name);
        let twice = new.number.and_then(|number| numbers.insert(number, *line));
        let owner = new.number.and_then(|number| taken.get(&number));
        (view.bad, view.verdict) = if new.name.is_empty() {
            (true, t.say("row-without-name"))
        } else if let Some(owner) = owner {
            (true, t.with("row-number-taken", "name", *owner))
        } else if let Some(first) = twice {
            (true, t.with("row-number-twice", "line", first))
        } else if let Some(number) = known.get(&name) {
            (false, t.with("row-same-name", "number", number.get()))
        } else if let Some(first) = names.get(&name) {
            (false, t.with("row-same-name-in-list", "line", *first))
        } else {
            (false, t.say("row-fine"))
        };
        names.entry(name).or_insert(*line);
        entries.push(new);
        views.push(view);
    }
    let ready = !views.is_empty() && views.iter().all(|row| !row.bad);
    let bad = views.iter().filter(|row| row.bad).count();
    let problem = if views.is_empty() {
        Some(ProblemView::of(t.say("paste-empty")))
    } else if bad > 0 {
        Some(ProblemView::of(t.with("paste-bad-rows", "count", bad)))
    } else {
        None
    };
    let headings = t.list(columns.iter().map(|column| column.heading(t)));
    Read {
        page: PastePage {
            problem,
            columns_note: t.with("paste-columns", "columns", headings),
            rows: views,
            text: text.to_owned(),
            ready,
            text_mark: mark(text),
            ..empty(visit, event)
        },
        entries,
    }
}

/// The form before anything was pasted.
pub fn empty(visit: &Visit, event: &Event) -> PastePage {
    PastePage {
        t: visit.t,
        frame: visit.frame_of(event, "entries"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        columns_note: String::new(),
        rows: Vec::new(),
        text: String::new(),
        ready: false,
        text_mark: String::new(),
    }
}

/// What is made of a list, without taking it in.
pub fn view(visit: &Visit, event: &Event, text: &str) -> PastePage {
    read(visit, event, text).page
}

/// The form.
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
    page(&empty(&visit, &event))
}

/// Looks at a list; takes it in when exactly this list was looked at before.
///
/// # Errors
/// `not-found`; what is wrong is told row by row.
pub async fn paste(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let text = fields.exact("text").replace("\r\n", "\n");
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let Read { page: view, entries } = read(&visit, &event, &text);
    if !view.ready {
        return refused(&view);
    }
    if fields.get("keep") != view.text_mark {
        return page(&view);
    }
    let count = entries.len();
    match stored::add(&mut tx, &change(&state, &actor, None), &mut event, entries).await {
        Ok(_) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}/entries"),
                &visit.t.with("done-entries-added", "count", count),
            ))
        }
        Err(error) => {
            let error: Error = error.into();
            refused(&PastePage {
                problem: Some(told(error, visit.t)?),
                ready: false,
                ..view
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::samples::{empty_event, event, visit};

    fn rows(text: &str) -> Vec<(String, String, String, String, bool)> {
        let page = view(&visit(Language::Chinese, true), &empty_event(), text);
        page.rows
            .into_iter()
            .map(|row| (row.number, row.name, row.team, row.grade, row.bad))
            .collect()
    }

    fn row(number: &str, name: &str, team: &str, grade: &str) -> (String, String, String, String, bool) {
        (number.into(), name.into(), team.into(), grade.into(), false)
    }

    #[test]
    fn a_list_is_read_with_and_without_headings_and_by_any_separator() {
        let wanted = vec![row("1", "赵青山", "杭州", "5段"), row("2", "钱晓舟", "", "九段")];
        for text in [
            "编号\t姓名\t单位\t段位\n1\t赵青山\t杭州\t5D\n2\t钱晓舟\t\t九段\n",
            "1,赵青山,杭州,5段\r\n2,钱晓舟,,9p",
            "1；赵青山；杭州；５段\n\n2；钱晓舟；；九段\n",
            "Grade;Name;No.;Club\n5 dan;赵青山;1;杭州\n9p;钱晓舟;2;\n",
        ] {
            assert_eq!(rows(text), wanted, "{text}");
        }
        assert_eq!(
            rows("赵青山\n钱晓舟"),
            [row("", "赵青山", "", ""), row("", "钱晓舟", "", "")]
        );
    }

    #[test]
    fn quotes_separators_and_markup_in_a_name_stay_in_it() {
        assert_eq!(
            rows("姓名,单位\n\"Smith, \"\"Bo\"\"\",A\nO'Neil \"x\",<b>"),
            [
                row("", "Smith, \"Bo\"", "A", ""),
                row("", "O'Neil \"x\"", "<b>", "")
            ]
        );
        assert_eq!(
            rows("\"Ann & Bob\" <x>\tB"),
            [row("", "\"Ann & Bob\" <x>", "B", "")]
        );
    }

    #[test]
    fn every_bad_row_is_told_with_its_line_and_nothing_is_ready() {
        let page = view(
            &visit(Language::Chinese, true),
            &event(1, 0, false),
            "编号,姓名,段位\n1,甲,3d\n30,乙,9d\n30,丙,3d\n,,\n31,,1k\nx,丁,1k\n40,钱晓舟,1k",
        );
        let told: Vec<(usize, bool)> = page.rows.iter().map(|row| (row.line, row.bad)).collect();
        assert_eq!(
            told,
            [(2, true), (3, true), (4, false), (6, true), (7, true), (8, false)]
        );
        assert!(!page.ready);
        assert!(
            page.rows[0].verdict.contains("赵青山"),
            "{}",
            page.rows[0].verdict
        );
        assert!(page.rows[5].verdict.contains('2'), "{}", page.rows[5].verdict);
    }
}
