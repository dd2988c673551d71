//! `/manage/e/{slug}/entries/import`: a list of entries (报名表) as a CSV file, a workbook, or
//! pasted: looked at row by row, then taken whole or not at all.

use std::fmt::Write as _;

use askama::Template;
use axum::extract::{Multipart, State};
use axum::response::Response;
use interchange::entries_table::{self as table, Field, FieldChange, Plan, Planned, Source, Table, Verdict};
use sha2::{Digest, Sha256};
use store::batches::{self, Kind};
use store::entries_import::take_in;
use store::events::Event;

use super::check_in::UndoView;
use super::{Fields, change, event_of, locked, multipart, refused, told};
use crate::entry_lists;
use crate::errors::{Error, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, words};
use crate::state::AppState;

/// A row as it will be taken in.
#[derive(Clone, Debug, Default)]
pub struct PreviewRow {
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
    /// What becomes of it.
    pub verdicts: Vec<String>,
    /// Whether it cannot be taken.
    pub bad: bool,
    /// Whether it changes nothing.
    pub idle: bool,
}

/// The form for a list, with what is made of it.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/import_entries.html")]
pub struct ImportEntriesPage {
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
    /// What was read, and what the columns were taken for.
    pub notes: Vec<String>,
    /// What would happen, in numbers.
    pub summary: String,
    /// The rows.
    pub rows: Vec<PreviewRow>,
    /// The list as text.
    pub text: String,
    /// What the button that takes it in says; empty when there is nothing to take in.
    pub keep: String,
    /// Stands for what was looked at.
    pub mark: String,
    /// Whether it is to be asked whether people of one name are different people.
    pub asks_namesakes: bool,
    /// Whether that was said.
    pub namesakes: bool,
    /// What can be taken back.
    pub undo: Option<UndoView>,
}

/// The form before anything was sent.
pub fn empty(visit: &Visit, event: &Event) -> ImportEntriesPage {
    ImportEntriesPage {
        t: visit.t,
        frame: visit.frame_of(event, "entries"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        notes: Vec::new(),
        summary: String::new(),
        rows: Vec::new(),
        text: String::new(),
        keep: String::new(),
        mark: String::new(),
        asks_namesakes: false,
        namesakes: false,
        undo: None,
    }
}

fn field_heading(t: Language, field: Field) -> String {
    t.say(match field {
        Field::Number => "col-number",
        Field::Name => "col-name",
        Field::Team => "col-team",
        Field::Grade => "col-grade",
        Field::Rating => "col-rating",
        Field::Category => "col-category",
        Field::StartScore => "start-score",
        Field::NameWithheld => "col-name-withheld",
    })
}

/// A value of a field as the pages write it.
fn value(t: Language, field: Field, text: &str) -> String {
    match (field, text.parse()) {
        (Field::Grade, Ok(grade)) => words::grade(t, grade),
        (Field::NameWithheld, _) => t.say(if text == "true" { "yes" } else { "no" }),
        _ => text.to_owned(),
    }
}

fn change_words(t: Language, change: &FieldChange) -> String {
    let field = field_heading(t, change.field);
    let after = value(t, change.field, &change.after);
    match &change.before {
        Some(before) => t.tell(
            "row-changes",
            &[
                ("field", field.into()),
                ("before", value(t, change.field, before).into()),
                ("after", after.into()),
            ],
        ),
        None => t.with2("row-fills", "field", field, "after", after),
    }
}

pub(super) fn row_view(t: Language, planned: &Planned) -> PreviewRow {
    let row = &planned.row;
    let given = |field: Field| row.given.get(&field).map_or("", String::as_str);
    let mut verdicts = Vec::new();
    match &planned.verdict {
        Verdict::New => verdicts.push(t.say("row-new")),
        Verdict::Same {
            number,
            spelled_otherwise,
        } => verdicts.push(t.with(
            if *spelled_otherwise {
                "row-same-otherwise"
            } else {
                "row-same"
            },
            "number",
            number.get(),
        )),
        Verdict::Changed { number, changes } => {
            let changes = t.list(changes.iter().map(|change| change_words(t, change)));
            verdicts.push(t.with2("row-changed", "number", number.get(), "changes", changes));
        }
        Verdict::Bad(problems) => {
            let told = problems
                .iter()
                .map(|problem| entry_lists::fault(row.line, problem).told(t).detail);
            verdicts.extend(told);
        }
    }
    PreviewRow {
        line: row.line,
        number: given(Field::Number).to_owned(),
        name: given(Field::Name).to_owned(),
        team: given(Field::Team).to_owned(),
        grade: row
            .grade
            .map_or_else(|| given(Field::Grade).to_owned(), |grade| words::grade(t, grade)),
        rating: given(Field::Rating).to_owned(),
        category: given(Field::Category).to_owned(),
        verdicts,
        bad: matches!(planned.verdict, Verdict::Bad(_)),
        idle: matches!(planned.verdict, Verdict::Same { .. }),
    }
}

pub(super) fn notes(t: Language, list: &Table, pasted: bool) -> Vec<String> {
    let mut notes = Vec::new();
    match &list.source {
        Source::Text { .. } if pasted => {}
        Source::Text { encoding, .. } => notes.push(t.with("list-in-encoding", "encoding", *encoding)),
        Source::Workbook { sheet, others } => {
            notes.push(t.with2("list-of-sheet", "sheet", sheet.as_str(), "others", *others));
        }
    }
    let columns = list.columns.iter().enumerate().map(|(index, column)| {
        let letter = table::letter(index);
        let field = match (column.field, &column.heading) {
            (Some(field), _) => field_heading(t, field),
            (None, Some(heading)) if !heading.is_empty() => {
                t.with("column-named-left-out", "heading", heading.as_str())
            }
            (None, _) => t.say("column-left-out"),
        };
        format!("{letter} {field}")
    });
    notes.push(t.with("paste-columns", "columns", t.list(columns)));
    notes
}

/// What was looked at, in a few characters. A browser sends a text back with other ends of lines than
/// those of the file that it came from.
pub(super) fn mark(text: &str, plans: &[Plan]) -> String {
    let mut mark = String::new();
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let seen = format!("{text}\n{plans:?}");
    for byte in &Sha256::digest(seen.as_bytes())[..8] {
        let _ = write!(mark, "{byte:02x}");
    }
    mark
}

/// What is told where a list was to be kept and would do something else than was shown.
pub(super) fn not_as_seen(visit: &Visit, fields: &Fields) -> Option<ProblemView> {
    (!fields.get("keep").is_empty()).then(|| ProblemView::of(visit.t.say("list-not-as-seen")))
}

/// What is made of a list, and the page that shows it.
fn look(
    visit: &Visit,
    event: &Event,
    list: Table,
    pasted: bool,
    namesakes: bool,
) -> (ImportEntriesPage, Plan) {
    let t = visit.t;
    let notes = notes(t, &list, pasted);
    let plan = table::plan(list.rows, &event.stage.entries, namesakes);
    let [new, changed, same, bad] = plan.counts();
    let numbers = [
        ("new", new.into()),
        ("changed", changed.into()),
        ("same", same.into()),
        ("bad", bad.into()),
    ];
    let keep = if bad > 0 || new + changed == 0 {
        String::new()
    } else {
        t.with2("list-keep", "new", new, "changed", changed)
    };
    let doubt = plan.rows.iter().any(|planned| match &planned.verdict {
        Verdict::Bad(problems) => problems.iter().any(table::RowProblem::is_of_namesakes),
        _ => false,
    });
    let mut rows: Vec<PreviewRow> = plan.rows.iter().map(|planned| row_view(t, planned)).collect();
    // What is to be put right stands on top: among 160 rows nobody finds three.
    rows.sort_by_key(|row| !row.bad);
    let page = ImportEntriesPage {
        problem: (bad > 0).then(|| ProblemView {
            sentence: t.with("paste-bad-rows", "count", bad),
            details: Vec::new(),
        }),
        notes,
        summary: t.tell("list-summary", &numbers),
        rows,
        mark: mark(&list.text, std::slice::from_ref(&plan)),
        text: list.text,
        keep,
        asks_namesakes: doubt || namesakes,
        namesakes,
        ..empty(visit, event)
    };
    (page, plan)
}

/// What is made of a text, without taking it in; for a text that cannot be read, why.
pub fn view(visit: &Visit, event: &Event, text: &str) -> ImportEntriesPage {
    match table::read_text(text) {
        Ok(list) => look(visit, event, list, true, false).0,
        Err(refusal) => ImportEntriesPage {
            problem: Some(ProblemView::told(&entry_lists::refused(&refusal), visit.t)),
            text: text.to_owned(),
            ..empty(visit, event)
        },
    }
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
    let last = batches::last(&mut tx, event.id, &[Kind::List]).await?;
    page(&ImportEntriesPage {
        undo: last.map(|batch| UndoView::of(visit.t, &event.schedule, &batch)),
        ..empty(&visit, &event)
    })
}

/// The list that was sent: the file when there is one, else the text.
pub(super) async fn sent(fields: &Fields, file: Vec<u8>) -> Result<(Table, bool)> {
    if file.is_empty() {
        let text = fields.exact("text").replace("\r\n", "\n");
        Ok((entry_lists::read_text(text).await?, true))
    } else {
        Ok((entry_lists::read(file, fields.some("encoding")).await?, false))
    }
}

/// Looks at a list; takes it in when exactly this list was looked at before and would do the same.
///
/// # Errors
/// `not-found`; what is wrong is told row by row.
pub async fn import(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    form: Multipart,
) -> Result<Response> {
    let (fields, file) = multipart(form).await?;
    let list = sent(&fields, file).await;
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let (list, pasted) = match list {
        Ok(list) => list,
        Err(error) => {
            return refused(&ImportEntriesPage {
                problem: Some(told(error, visit.t)?),
                text: fields.exact("text").to_owned(),
                ..empty(&visit, &event)
            });
        }
    };
    let (view, plan) = look(&visit, &event, list, pasted, fields.ticked("namesakes"));
    if !plan.is_sound() {
        return refused(&view);
    }
    if view.keep.is_empty() || fields.get("keep") != view.mark {
        return page(&ImportEntriesPage {
            problem: not_as_seen(&visit, &fields),
            ..view
        });
    }
    let [new, changed, ..] = plan.counts();
    let (added, changes) = entry_lists::taken(&plan);
    match take_in(&mut tx, &change(&state, &actor, None), &mut event, added, changes).await {
        Ok(_) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}/entries"),
                &visit.t.with2("done-list-taken", "new", new, "changed", changed),
            ))
        }
        Err(error) => {
            let error: Error = error.into();
            refused(&ImportEntriesPage {
                problem: Some(told(error, visit.t)?),
                keep: String::new(),
                ..view
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::samples::{empty_event, event, visit};

    #[test]
    fn the_preview_says_row_by_row_what_would_happen() {
        let director = visit(Language::English, true);
        let page = view(
            &director,
            &event(1, 0, false),
            "编号,姓名,段位\n1,甲,3d\n30,乙,9d\n31,丙,3d\n,,\n33,,1k\nx,丁,1k\n2,钱晓舟,\n40,钱晓舟,1k",
        );
        let told: Vec<(usize, bool, bool)> = page
            .rows
            .iter()
            .map(|row| (row.line, row.bad, row.idle))
            .collect();
        assert_eq!(
            told,
            [
                (2, true, false),
                (3, true, false),
                (6, true, false),
                (7, true, false),
                (9, true, false),
                (4, false, false),
                (8, false, true)
            ],
            "what is to be put right stands first"
        );
        let verdict = |index: usize| page.rows[index].verdicts.join(" ");
        assert!(verdict(0).contains("赵青山"), "{}", verdict(0));
        assert!(
            verdict(1).contains("9d") && verdict(1).contains('C'),
            "{}",
            verdict(1)
        );
        assert!(page.keep.is_empty() && page.asks_namesakes);
        assert_eq!(page.text.lines().count(), 9);
    }

    #[test]
    fn a_list_is_the_same_however_its_lines_end() {
        let director = visit(Language::Chinese, true);
        let text = "编号,姓名\n1,赵青山\n2,\"钱\n晓舟\"\n";
        let seen = view(&director, &empty_event(), text);
        for end in ["\r\n", "\r"] {
            let file = view(&director, &empty_event(), &text.replace('\n', end));
            assert!(!file.keep.is_empty() && file.mark == seen.mark, "{end:?}");
        }
        let other = view(&director, &empty_event(), &text.replace("赵", "周"));
        assert!(other.mark != seen.mark);
    }

    #[test]
    fn a_list_without_a_fault_can_be_kept_and_an_empty_one_says_what_to_do() {
        let director = visit(Language::Chinese, true);
        let page = view(
            &director,
            &empty_event(),
            "1；赵青山；杭州；５段\n2；钱晓舟；；九段",
        );
        assert!(!page.keep.is_empty() && page.problem.is_none());
        assert!(view(&director, &empty_event(), " \n").problem.is_some());
    }
}
