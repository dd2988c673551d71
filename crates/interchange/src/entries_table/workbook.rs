//! Lists as a workbook (`.xlsx`).

use std::io::{Cursor, Read, copy, sink};

use calamine::{DataRef, Reader, SheetVisible, Xlsx};

use super::{COLUMNS_LIMIT, ROWS_LIMIT, RawRow, Refusal, Source, columns};

/// The most bytes that a workbook may unpack to.
pub(super) const UNPACKED_LIMIT: u64 = 64 * 1024 * 1024;
/// So many empty rows are kept as empty lines.
const GAP_KEPT: usize = 100;
/// The most sheets that are looked at, and the most cells of them together. Many sheets may name one part,
/// so how much a workbook unpacks to is no measure of how long it takes to read.
const SHEETS_LIMIT: usize = 50;
const CELLS_LIMIT: usize = 2_000_000;
/// The most parts of a workbook.
const PARTS_LIMIT: usize = 2000;

fn bad(error: impl std::fmt::Display) -> Refusal {
    Refusal::BadWorkbook(error.to_string().chars().take(200).collect())
}

/// Unpacks everything once, to nowhere: sizes that an archive only claims are no measure.
fn measure(bytes: &[u8]) -> Result<(), Refusal> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(bad)?;
    if archive.len() > PARTS_LIMIT {
        return Err(Refusal::Inflates);
    }
    let mut left = UNPACKED_LIMIT;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(bad)?;
        let size = copy(&mut part.take(left + 1), &mut sink()).map_err(bad)?;
        left = left.checked_sub(size).ok_or(Refusal::Inflates)?;
    }
    Ok(())
}

/// The rows of the first sheet that has any: hidden ones come last.
pub(super) fn rows(bytes: &[u8]) -> Result<(Source, Vec<RawRow>, String), Refusal> {
    measure(bytes)?;
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(bad)?;
    let mut sheets: Vec<(bool, String)> = book
        .sheets_metadata()
        .iter()
        .map(|sheet| (sheet.visible != SheetVisible::Visible, sheet.name.clone()))
        .collect();
    sheets.sort_by_key(|(hidden, _)| *hidden);
    let mut filled: Option<(String, Vec<RawRow>)> = None;
    let mut cells = CELLS_LIMIT;
    for (_, name) in sheets.iter().take(SHEETS_LIMIT) {
        // A sheet of charts has no cells.
        let Ok(rows) = sheet(&mut book, name, &mut cells)? else {
            continue;
        };
        if rows.is_empty() {
            continue;
        }
        let headed = columns::has_headings(&rows);
        if headed || filled.is_none() {
            filled = Some((name.clone(), rows));
        }
        if headed {
            break;
        }
    }
    let (sheet, rows) = filled.ok_or(Refusal::Empty)?;
    let others = sheets.len() - 1;
    let text = as_text(&rows);
    Ok((Source::Workbook { sheet, others }, rows, text))
}

/// The rows as text that reads as the same rows, on the same lines where no great gap is between.
fn as_text(rows: &[RawRow]) -> String {
    let mut text = String::new();
    let mut line = 1;
    for row in rows {
        let gap = row.line.saturating_sub(line);
        if gap <= GAP_KEPT {
            text.extend(std::iter::repeat_n('\n', gap));
            line = row.line;
        }
        for (index, cell) in row.cells.iter().enumerate() {
            if index > 0 {
                text.push('\t');
            }
            let cell = cell.replace(['\t', '\n', '\r'], " ");
            if cell.starts_with('"') {
                text.push('"');
                text.push_str(&cell.replace('"', "\"\""));
                text.push('"');
            } else {
                text.push_str(&cell);
            }
        }
        if row.cells.len() == 1 {
            // With one column nothing else says what stands between cells.
            text.push('\t');
        }
        text.push('\n');
        line += 1;
    }
    text
}

/// The rows of a sheet, read cell by cell: a cell far away must not make a huge table.
fn sheet(
    book: &mut Xlsx<Cursor<&[u8]>>,
    name: &str,
    left: &mut usize,
) -> Result<Result<Vec<RawRow>, calamine::XlsxError>, Refusal> {
    let mut cells = match book.worksheet_cells_reader(name) {
        Ok(cells) => cells,
        Err(error) => return Ok(Err(error)),
    };
    let mut rows: Vec<RawRow> = Vec::new();
    while let Some(cell) = cells.next_cell().map_err(bad)? {
        *left = left.checked_sub(1).ok_or(Refusal::TooManyRows)?;
        let (row, column) = cell.get_position();
        let value = cell.get_value();
        let text = written(value);
        if text.is_empty() {
            continue;
        }
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        if column >= COLUMNS_LIMIT {
            return Err(Refusal::TooManyColumns);
        }
        let line = usize::try_from(row).unwrap_or(usize::MAX).saturating_add(1);
        if rows.last().is_none_or(|last| last.line != line) {
            if rows.len() > ROWS_LIMIT + columns::HEADINGS_WITHIN {
                return Err(Refusal::TooManyRows);
            }
            rows.push(RawRow {
                line,
                ..RawRow::default()
            });
        }
        let Some(last) = rows.last_mut() else { continue };
        if matches!(value, DataRef::Error(_)) {
            last.errors.push(column);
        }
        if last.cells.len() <= column {
            last.cells.resize(column + 1, String::new());
        }
        last.cells[column] = text;
    }
    Ok(Ok(rows))
}

/// A cell as it is read by people: whole numbers without a point, days as `2026-05-01`.
fn written(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(true) => "TRUE".to_owned(),
        DataRef::Bool(false) => "FALSE".to_owned(),
        DataRef::DateTime(moment) => {
            let (year, month, day, hour, minute, _, _) = moment.to_ymd_hms_milli();
            if (hour, minute) == (0, 0) {
                format!("{year:04}-{month:02}-{day:02}")
            } else {
                format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
            }
        }
        DataRef::Error(error) => error.to_string(),
    }
}
