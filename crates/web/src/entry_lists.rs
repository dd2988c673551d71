//! Lists of entries: what pages and API share between the bytes that come in and the store.

use axum::http::StatusCode;
use interchange::entries_table::{self as table, CellFault, Plan, Refusal, RowProblem, Table, Verdict};
use store::entries::{EntryPatch, NewEntry};
use tokio::sync::Semaphore;
use tournament::{Number, Score};

use crate::errors::{Arg, Error, FieldProblem, Problem, Result};

/// So many lists are read at once; further ones wait.
static READING: Semaphore = Semaphore::const_new(2);

/// Reads a list away from the threads that answer requests.
///
/// # Errors
/// Why nothing can be read.
pub async fn read(bytes: Vec<u8>, encoding: Option<String>) -> Result<Table> {
    let _permit = READING.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || table::read(&bytes, encoding.as_deref()))
        .await
        .map_err(Error::internal)?
        .map_err(|refusal| refused(&refusal).into())
}

/// The same of a text out of a form.
///
/// # Errors
/// Why nothing can be read.
pub async fn read_text(text: String) -> Result<Table> {
    let _permit = READING.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || table::read_text(&text))
        .await
        .map_err(Error::internal)?
        .map_err(|refusal| refused(&refusal).into())
}

/// A list that cannot be read, as a problem.
pub fn refused(refusal: &Refusal) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, refusal.code()).or_say(refusal.to_string());
    match refusal {
        Refusal::NotInEncoding(name) => problem.arg("encoding", name.as_str()),
        Refusal::BadWorkbook(why) => problem.arg("why", why.as_str()),
        Refusal::ColumnTwice { first, second, .. } => problem
            .arg("first", first.as_str())
            .arg("second", second.as_str()),
        Refusal::TooManyRows => problem.arg("most", table::ROWS_LIMIT),
        _ => problem,
    }
}

/// What is wrong with a row, as a fault with its place.
pub fn fault(line: usize, problem: &RowProblem) -> FieldProblem {
    let (path, args): (String, Vec<(&'static str, Arg)>) = match problem {
        RowProblem::Cell(CellFault { column, found, .. }) => (
            format!("{column}{line}"),
            vec![
                ("column", column.as_str().into()),
                ("found", found.as_str().into()),
            ],
        ),
        RowProblem::NumberTaken { number, name } => (
            String::new(),
            vec![("number", (*number).into()), ("name", name.as_str().into())],
        ),
        RowProblem::NumberTwice { line } | RowProblem::NameTwice { line } => {
            (String::new(), vec![("line", (*line).into())])
        }
        RowProblem::OtherNumber { number } => (String::new(), vec![("number", (*number).into())]),
        RowProblem::OtherTeam { number, team } => (
            String::new(),
            vec![("number", (*number).into()), ("team", team.as_str().into())],
        ),
        RowProblem::SeveralNamed { numbers } => (String::new(), vec![("numbers", Arg::list(numbers))]),
    };
    FieldProblem {
        path,
        code: problem.code().into(),
        args,
        fallback: problem.code().to_owned(),
        line: Some(line),
        column: None,
    }
}

/// What a plan that is sound does: the new entries, and the changes of others.
pub fn taken(plan: &Plan) -> (Vec<NewEntry>, Vec<(Number, EntryPatch)>) {
    let (mut new, mut changes) = (Vec::new(), Vec::new());
    for planned in &plan.rows {
        let row = &planned.row;
        match &planned.verdict {
            Verdict::New => new.push(NewEntry {
                number: row.number,
                name: row.name.clone(),
                team: row.team.clone(),
                grade: row.grade,
                rating: row.rating,
                category: row.category.clone(),
                start_score: row.start_score.unwrap_or(Score::ZERO),
                name_withheld: row.name_withheld.unwrap_or_default(),
                ..NewEntry::default()
            }),
            Verdict::Changed { number, .. } => changes.push((
                *number,
                EntryPatch {
                    team: row.team.clone().map(Some),
                    grade: row.grade.map(Some),
                    rating: row.rating.map(Some),
                    category: row.category.clone().map(Some),
                    start_score: row.start_score,
                    name_withheld: row.name_withheld,
                    ..EntryPatch::default()
                },
            )),
            Verdict::Same { .. } | Verdict::Bad(_) => {}
        }
    }
    (new, changes)
}
