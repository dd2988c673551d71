//! A list of entries (报名表) as people have it: CSV, text out of a spreadsheet, or a workbook.
//!
//! [`read`] takes bytes and gives rows, each with its line and with every cell that is not what it
//! should be; [`plan`] says of each row what it would do to the entries that there are. Neither
//! guesses: what could mean two things is a problem with its place.

mod columns;
mod plan;
mod text;
mod workbook;

use std::collections::BTreeMap;

use tournament::validate::TEXT_LIMIT;
use tournament::{Grade, Number, Score};

use crate::sheets::begins_as_formula;

pub use plan::{FieldChange, Plan, Planned, RowProblem, Verdict, plan};

/// The most bytes of a list.
pub const BYTES_LIMIT: usize = 5 * 1024 * 1024;
/// The most rows of a list.
pub const ROWS_LIMIT: usize = 20_000;
/// The most columns of a list.
const COLUMNS_LIMIT: usize = 200;

/// What a column says of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The number (编号).
    Number,
    /// The name (姓名).
    Name,
    /// The club or team (单位).
    Team,
    /// The grade (段位).
    Grade,
    /// The rating (等级分).
    Rating,
    /// The category (组别).
    Category,
    /// Points before the first round (起始分).
    StartScore,
    /// Whether the public reads the number instead of the name (不公开姓名).
    NameWithheld,
}

impl Field {
    /// The name that the event file and the API have for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Name => "name",
            Self::Team => "team",
            Self::Grade => "grade",
            Self::Rating => "rating",
            Self::Category => "category",
            Self::StartScore => "start_score",
            Self::NameWithheld => "name_withheld",
        }
    }
}

/// What a list was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Text.
    Text {
        /// The name of its encoding.
        encoding: &'static str,
        /// What stands between its cells.
        separator: char,
    },
    /// A workbook.
    Workbook {
        /// The name of the sheet that was read.
        sheet: String,
        /// How many other sheets were left aside.
        others: usize,
    },
}

/// A column as it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnUse {
    /// Its heading; none where the list has no headings.
    pub heading: Option<String>,
    /// What it says; none for one that is left out.
    pub field: Option<Field>,
}

/// Why a list cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Too many bytes.
    #[error("the list has more than {} MiB", BYTES_LIMIT / 1024 / 1024)]
    TooLarge,
    /// Too many rows.
    #[error("the list has more than {ROWS_LIMIT} rows")]
    TooManyRows,
    /// Too many columns.
    #[error("the list has more than {COLUMNS_LIMIT} columns")]
    TooManyColumns,
    /// No row at all.
    #[error("there is no row with an entry in the list")]
    Empty,
    /// Bytes that are no text in any encoding that we know.
    #[error("the list is no text that can be read: save it as UTF-8 or as a workbook (.xlsx)")]
    NoText,
    /// An encoding that we do not know, or that the bytes are not in.
    #[error("the list is not in {0}")]
    NotInEncoding(String),
    /// A workbook of before 2007, or one with a password.
    #[error("this is an old (.xls) or locked workbook: save it as .xlsx without a password, or as CSV")]
    OldWorkbook,
    /// A damaged workbook, or another kind of archive.
    #[error("the workbook cannot be read ({0}): open it in the spreadsheet program and save it again")]
    BadWorkbook(String),
    /// A small file that becomes a huge one.
    #[error("the workbook unpacks to more than {} MiB", workbook::UNPACKED_LIMIT / 1024 / 1024)]
    Inflates,
    /// Two columns with one meaning.
    #[error("columns {first} and {second} both give the {}", field.as_str())]
    ColumnTwice {
        /// What both give.
        field: Field,
        /// The letter of the first.
        first: String,
        /// The letter of the second.
        second: String,
    },
}

impl Refusal {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge => "list-too-large",
            Self::TooManyRows => "list-too-many-rows",
            Self::TooManyColumns => "list-too-many-columns",
            Self::Empty => "list-empty",
            Self::NoText => "list-no-text",
            Self::NotInEncoding(_) => "list-not-in-encoding",
            Self::OldWorkbook => "list-old-workbook",
            Self::BadWorkbook(_) => "list-bad-workbook",
            Self::Inflates => "list-inflates",
            Self::ColumnTwice { .. } => "list-column-twice",
        }
    }
}

/// What is wrong with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellFaultKind {
    /// A row without a name.
    NoName,
    /// No number of an entry.
    NotANumber,
    /// No grade that is known.
    NotAGrade,
    /// No whole number.
    NotARating,
    /// No whole number from 0 to 1000.
    NotAScore,
    /// Neither yes nor no.
    NotYesOrNo,
    /// More characters than a text may have.
    TooLong,
    /// The spreadsheet itself shows an error here.
    SpreadsheetError,
}

impl CellFaultKind {
    /// A stable word for programs and translations.
    pub fn code(self) -> &'static str {
        match self {
            Self::NoName => "cell-no-name",
            Self::NotANumber => "cell-not-a-number",
            Self::NotAGrade => "cell-not-a-grade",
            Self::NotARating => "cell-not-a-rating",
            Self::NotAScore => "cell-not-a-score",
            Self::NotYesOrNo => "cell-not-yes-or-no",
            Self::TooLong => "cell-too-long",
            Self::SpreadsheetError => "cell-spreadsheet-error",
        }
    }
}

/// A cell that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFault {
    /// The letter of its column; empty when the list has no such column.
    pub column: String,
    /// What the column says.
    pub field: Field,
    /// What is wrong.
    pub kind: CellFaultKind,
    /// What stands there.
    pub found: String,
}

/// A row of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its line in the file, or its row in the sheet; from 1.
    pub line: usize,
    /// What stands in its cells, empty ones left out.
    pub given: BTreeMap<Field, String>,
    /// The number.
    pub number: Option<Number>,
    /// The name.
    pub name: String,
    /// The club or team.
    pub team: Option<String>,
    /// The grade.
    pub grade: Option<Grade>,
    /// The rating.
    pub rating: Option<i32>,
    /// The category.
    pub category: Option<String>,
    /// Points before the first round.
    pub start_score: Option<Score>,
    /// Whether the name is withheld from the public.
    pub name_withheld: Option<bool>,
    /// The cells that are not what they should be.
    pub faults: Vec<CellFault>,
}

/// A list as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// From what.
    pub source: Source,
    /// Its columns.
    pub columns: Vec<ColumnUse>,
    /// Its rows, headings and empty ones left out; one at least.
    pub rows: Vec<Row>,
    /// The list as text, to be looked at and put right.
    pub text: String,
}

/// A row of cells before anybody knows what they mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RawRow {
    line: usize,
    cells: Vec<String>,
    /// Which cells hold an error of the spreadsheet.
    errors: Vec<usize>,
}

/// Reads a list of entries out of the bytes of a CSV file, a text or a workbook (`.xlsx`).
///
/// `encoding` is that of a text, by its name as on the web (`gb18030`); none to find it out: marks
/// at its beginning, UTF-16 by its zero bytes, UTF-8 by its form, else what the bytes look like.
///
/// # Errors
/// Why nothing can be read. Single cells that are wrong are no error: they stand with their rows.
pub fn read(bytes: &[u8], encoding: Option<&str>) -> Result<Table, Refusal> {
    if bytes.len() > BYTES_LIMIT {
        return Err(Refusal::TooLarge);
    }
    let (source, rows, text) = if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        return Err(Refusal::OldWorkbook);
    } else if bytes.starts_with(b"PK\x03\x04") {
        workbook::rows(bytes)?
    } else {
        text::rows(bytes, encoding)?
    };
    table(source, rows, text)
}

/// Reads a list that is text already, as out of a form. See [`read`].
///
/// # Errors
/// Why nothing can be read.
pub fn read_text(text: &str) -> Result<Table, Refusal> {
    let (separator, rows) = text::cut(text);
    let encoding = "UTF-8";
    table(Source::Text { encoding, separator }, rows, text.to_owned())
}

fn table(source: Source, mut rows: Vec<RawRow>, text: String) -> Result<Table, Refusal> {
    for row in &mut rows {
        for cell in &mut row.cells {
            *cell = bare(cell);
        }
        while row.cells.last().is_some_and(String::is_empty) {
            row.cells.pop();
        }
    }
    rows.retain(|row| !row.cells.is_empty());
    if rows.len() > ROWS_LIMIT + columns::HEADINGS_WITHIN {
        return Err(Refusal::TooManyRows);
    }
    let columns = columns::find(&mut rows)?;
    if columns.len() > COLUMNS_LIMIT {
        return Err(Refusal::TooManyColumns);
    }
    if rows.len() > ROWS_LIMIT {
        return Err(Refusal::TooManyRows);
    }
    if rows.is_empty() {
        return Err(Refusal::Empty);
    }
    let rows = rows.iter().map(|raw| row(raw, &columns)).collect();
    Ok(Table {
        source,
        columns,
        rows,
        text,
    })
}

/// A cell without white space and marks around it, and without what keeps a spreadsheet from
/// taking it for a formula: our own apostrophe, or Excel's `="…"`.
fn bare(cell: &str) -> String {
    let unseen = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{200e}');
    let cell = cell.trim_matches(unseen);
    let cell = cell
        .strip_prefix("=\"")
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(cell);
    match cell.strip_prefix('\'') {
        Some(rest) if begins_as_formula(rest) => rest.trim_matches(unseen),
        _ => cell,
    }
    .to_owned()
}

/// The letter of a column, from 0: A to Z, AA, AB …
pub fn letter(index: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = index + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(b'A' + u8::try_from(rest % 26).unwrap_or(0));
        rest /= 26;
    }
    letters.iter().rev().map(|letter| char::from(*letter)).collect()
}

/// Digits as people and spreadsheets write them: full-width ones are the same, and a whole number
/// may end with a point and zeros.
fn digits(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| match c {
            '０'..='９' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            '−' | '－' => '-',
            '．' => '.',
            _ => c,
        })
        .collect();
    match plain.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => whole.to_owned(),
        _ => plain,
    }
}

fn row(raw: &RawRow, columns: &[ColumnUse]) -> Row {
    let mut row = Row {
        line: raw.line,
        ..Row::default()
    };
    let place = |wanted: Field| columns.iter().position(|column| column.field == Some(wanted));
    for (index, column) in columns.iter().enumerate() {
        let Some(field) = column.field else { continue };
        let found = raw.cells.get(index).map_or("", String::as_str);
        if found.is_empty() {
            continue;
        }
        row.given.insert(field, found.to_owned());
        let kind = if raw.errors.contains(&index) {
            Some(CellFaultKind::SpreadsheetError)
        } else {
            take(&mut row, field, found)
        };
        if let Some(kind) = kind {
            row.faults.push(CellFault {
                column: letter(index),
                field,
                kind,
                found: found.to_owned(),
            });
        }
    }
    if row.name.is_empty() && !row.faults.iter().any(|fault| fault.field == Field::Name) {
        row.faults.push(CellFault {
            column: place(Field::Name).map(letter).unwrap_or_default(),
            field: Field::Name,
            kind: CellFaultKind::NoName,
            found: String::new(),
        });
    }
    row
}

/// Yes or no as lists say it.
fn yes_or_no(found: &str) -> Option<bool> {
    Some(match found.to_lowercase().as_str() {
        "是" | "对" | "不公开" | "保密" | "yes" | "y" | "true" | "x" | "1" | "√" | "✓" => true,
        "否" | "不" | "公开" | "no" | "n" | "false" | "0" | "×" | "-" => false,
        _ => return None,
    })
}

/// Takes a cell into its row, or says what is wrong with it.
fn take(row: &mut Row, field: Field, found: &str) -> Option<CellFaultKind> {
    let too_long = found.chars().count() > TEXT_LIMIT;
    match field {
        Field::Name | Field::Team | Field::Category if too_long => return Some(CellFaultKind::TooLong),
        Field::Name => found.clone_into(&mut row.name),
        Field::Team => row.team = Some(found.to_owned()),
        Field::Category => row.category = Some(found.to_owned()),
        Field::Number => match digits(found).parse().ok().and_then(Number::new) {
            Some(number) => row.number = Some(number),
            None => return Some(CellFaultKind::NotANumber),
        },
        Field::Grade => match found.parse() {
            Ok(grade) => row.grade = Some(grade),
            Err(_) => return Some(CellFaultKind::NotAGrade),
        },
        Field::Rating => match digits(found).parse() {
            Ok(rating) => row.rating = Some(rating),
            Err(_) => return Some(CellFaultKind::NotARating),
        },
        Field::StartScore => match digits(found).parse() {
            Ok(score @ 0..=1000) => row.start_score = Some(Score(score)),
            _ => return Some(CellFaultKind::NotAScore),
        },
        Field::NameWithheld => match yes_or_no(found) {
            Some(yes) => row.name_withheld = Some(yes),
            None => return Some(CellFaultKind::NotYesOrNo),
        },
    }
    None
}

#[cfg(test)]
mod tests;
