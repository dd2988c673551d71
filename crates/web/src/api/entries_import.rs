//! Lists of entries: CSV or a workbook comes in and is answered row by row.

use std::collections::BTreeMap;

use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use interchange::entries_table::{self as table, Plan, Source, Verdict};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::entries_import::take_in;
use utoipa::{IntoParams, ToSchema};

use super::common::{Begun, ChangeRefusals, IdempotencyHeader, Repeatable, change, changed, lock};
use crate::entry_lists;
use crate::errors::{FieldDetails, Problem, Result};
use crate::extract::{Director, IdempotencyKey, InPath, InQuery, body, media_type};
use crate::i18n::Language;
use crate::state::AppState;

/// The kinds of content that are taken; a form of another site can send none of them.
const TAKEN: [&str; 4] = [
    "text/csv",
    "text/tab-separated-values",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/octet-stream",
];

/// How a list is taken in.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Says what would happen, and changes nothing.
    pub dry_run: bool,
    /// People of one name are different people, where nothing else shows that they are one.
    pub namesakes: bool,
    /// The encoding of a text, as `gb18030`; found out when left out.
    pub encoding: Option<String>,
}

/// What a list was read from.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListSource {
    /// `text` or `workbook`.
    pub kind: &'static str,
    /// The encoding of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// The sheet of a workbook that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
}

/// A column of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListColumn {
    /// Its letter.
    pub column: String,
    /// Its heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// The field of an entry that it gives; null when it is left out.
    pub field: Option<&'static str>,
}

/// A field that becomes another one.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListChange {
    /// What it was.
    pub before: Option<String>,
    /// What it becomes.
    pub after: String,
}

/// What becomes of a row.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListRow {
    /// Its line in the text or its row in the sheet.
    pub line: usize,
    /// `new`, `changed`, `same` or `refused`.
    pub verdict: &'static str,
    /// The name.
    pub name: String,
    /// The number of the entry; of a new one when it is given or once it is there.
    pub number: Option<u32>,
    /// With `changed`: what changes, by field.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<&'static str, ListChange>,
    /// With `refused`: why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<FieldDetails>,
}

/// How many rows are what.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListCounts {
    /// New entries.
    pub new: usize,
    /// Entries that become others.
    pub changed: usize,
    /// Rows that say what is there already.
    pub same: usize,
    /// Rows that cannot be taken.
    pub refused: usize,
}

/// What a list does, row by row.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListOut {
    /// Whether it was carried out: never with `dry_run`, nor with a refused row.
    pub taken: bool,
    /// From what it was read.
    pub source: ListSource,
    /// Its columns.
    pub columns: Vec<ListColumn>,
    /// How many rows are what.
    pub counts: ListCounts,
    /// Its rows.
    pub rows: Vec<ListRow>,
}

fn rows_of(plan: &Plan, t: Language) -> Vec<ListRow> {
    plan.rows
        .iter()
        .map(|planned| {
            let row = &planned.row;
            let mut out = ListRow {
                line: row.line,
                verdict: "new",
                name: row.name.clone(),
                number: row.number.map(tournament::Number::get),
                changes: BTreeMap::new(),
                problems: Vec::new(),
            };
            match &planned.verdict {
                Verdict::New => {}
                Verdict::Same { number, .. } => {
                    out.verdict = "same";
                    out.number = Some(number.get());
                }
                Verdict::Changed { number, changes } => {
                    out.verdict = "changed";
                    out.number = Some(number.get());
                    out.changes.extend(changes.iter().map(|change| {
                        let (before, after) = (change.before.clone(), change.after.clone());
                        (change.field.as_str(), ListChange { before, after })
                    }));
                }
                Verdict::Bad(problems) => {
                    out.verdict = "refused";
                    let told = problems
                        .iter()
                        .map(|problem| entry_lists::fault(row.line, problem).told(t));
                    out.problems.extend(told);
                }
            }
            out
        })
        .collect()
}

/// Takes in a list of entries
///
/// CSV, tab-separated text or an XLSX workbook, up to 5 MiB and 20,000 rows, in any usual encoding
/// and with columns in any order under Chinese or English headings. The answer says of every row
/// what becomes of it. All rows are taken or none: with a row that cannot be taken the answer is
/// 422 with each fault in `errors` (its place as in a spreadsheet, `C12`) and the same rows as
/// `list`.
#[utoipa::path(post, path = "/events/{event}/entries/import", tag = "entries",
    params(("event" = String, Path, description = "The id or the slug"), ListQuery, IdempotencyHeader),
    request_body(content = String, content_type = "text/csv", description = "The list; also as \
        text/tab-separated-values, application/octet-stream or as an XLSX workbook"),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = ListOut), ChangeRefusals))]
#[expect(clippy::too_many_arguments, reason = "each is a part of the request")]
pub async fn import(
    State(state): State<AppState>,
    Director(actor): Director,
    t: Language,
    InPath(key): InPath<String>,
    InQuery(query): InQuery<ListQuery>,
    idempotency: IdempotencyKey,
    method: Method,
    uri: Uri,
    request: Request,
) -> Result<Response> {
    if !media_type(request.headers()).is_some_and(|media| TAKEN.contains(&media.as_str())) {
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type")
            .arg("expected", TAKEN.join(", "))
            .into());
    }
    let bytes = body(request, &state).await?;
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    let list = entry_lists::read(bytes.into(), query.encoding).await?;
    let mut tx = state.store.begin().await?;
    let repeatable = match Repeatable::begin(&mut tx, idempotency, &actor, (&method, &uri), digest).await? {
        Begun::New(repeatable) => repeatable,
        Begun::Answered(response) => return Ok(response),
    };
    let mut event = lock(&mut tx, &key).await?;
    let columns = list.columns.iter().enumerate();
    let columns = columns
        .map(|(index, column)| ListColumn {
            column: table::letter(index),
            heading: column.heading.clone(),
            field: column.field.map(table::Field::as_str),
        })
        .collect();
    let source = match list.source {
        Source::Text { encoding, .. } => ListSource {
            kind: "text",
            encoding: Some(encoding),
            sheet: None,
        },
        Source::Workbook { sheet, .. } => ListSource {
            kind: "workbook",
            encoding: None,
            sheet: Some(sheet),
        },
    };
    let plan = table::plan(list.rows, &event.stage.entries, query.namesakes);
    let [new, changed_rows, same, refused] = plan.counts();
    let mut out = ListOut {
        taken: false,
        source,
        columns,
        counts: ListCounts {
            new,
            changed: changed_rows,
            same,
            refused,
        },
        rows: rows_of(&plan, t),
    };
    if query.dry_run {
        return changed(StatusCode::OK, None, &out);
    }
    if !plan.is_sound() {
        let mut faults = Vec::new();
        for planned in &plan.rows {
            if let Verdict::Bad(problems) = &planned.verdict {
                let line = planned.row.line;
                faults.extend(problems.iter().map(|problem| entry_lists::fault(line, problem)));
            }
        }
        let list = serde_json::to_value(&out).map_err(crate::errors::Error::internal)?;
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "list-refused")
            .faults(faults)
            .extra("list", list)
            .into());
    }
    let (added, changes) = entry_lists::taken(&plan);
    let change = change(&state, &actor, None);
    let numbers = take_in(&mut tx, &change, &mut event, added, changes).await?;
    let rows_new = out.rows.iter_mut().filter(|row| row.verdict == "new");
    for (row, number) in rows_new.zip(numbers) {
        row.number = Some(number.get());
    }
    out.taken = true;
    let response = changed(StatusCode::OK, None, &out)?;
    let response = repeatable.finish(&mut tx, &state, response).await?;
    tx.commit().await?;
    Ok(response)
}
