//! A sheet as CSV: RFC 4180, UTF-8 with a mark, by which spreadsheets know that it is UTF-8.

use super::{Cell, Section, Sheet};

/// The mark at the beginning (BOM): without it a spreadsheet takes Chinese for something else.
const MARK: char = '\u{feff}';

/// The tables one after the other: of a sheet with one table its head and lines and nothing else, so
/// that it comes in again as a table; of a sheet with several, each under its heading, with an empty
/// line between. A text that a spreadsheet would take for a formula is preceded by an apostrophe;
/// numbers, also those below zero, stay numbers.
pub fn csv(sheet: &Sheet) -> String {
    let mut out = String::from(MARK);
    let several = sheet.sections.len() > 1;
    for (index, section) in sheet.sections.iter().enumerate() {
        if several {
            if index > 0 {
                out.push_str("\r\n");
            }
            line(&mut out, [text(&section.title)].into_iter());
        }
        table(&mut out, section);
    }
    out
}

fn table(out: &mut String, section: &Section) {
    line(out, section.columns.iter().map(|column| text(&column.head)));
    for row in &section.rows {
        line(
            out,
            row.iter().map(|cell| match cell {
                Cell::Text(written) => text(written),
                other => other.as_str().into_owned(),
            }),
        );
    }
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push_str(&cells.collect::<Vec<_>>().join(","));
    out.push_str("\r\n");
}

/// Whether a spreadsheet would take a text for a formula: by how it begins, after white space or not.
/// So is one that says so behind apostrophes, or the one that we write would be taken for its own.
pub(crate) fn begins_as_formula(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    text.starts_with(['\t', '\r', '\n'])
        || text
            .trim_start()
            .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

/// A text as a cell. What begins like a formula gets an apostrophe.
fn text(text: &str) -> String {
    let text = if begins_as_formula(text) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains(['"', ',', ';', '\t', '\r', '\n']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Column, Kind};
    use super::*;

    #[test]
    fn characters_come_out_right_and_no_cell_is_a_formula() {
        let names = [
            ("李测试", "李测试"),
            ("Étienne", "Étienne"),
            ("=1+2", "'=1+2"),
            ("+SUM(A1)", "'+SUM(A1)"),
            ("-cmd", "'-cmd"),
            ("@x", "'@x"),
            ("＝1", "'＝1"),
            ("'=1", "''=1"),
            ("'quoted'", "'quoted'"),
            ("\t=x", "\"'\t=x\""),
            (" =1", "' =1"),
            ("O'Neil-Łuczak", "O'Neil-Łuczak"),
            ("\"Ann & Bob\" <x>", "\"\"\"Ann & Bob\"\" <x>\""),
            ("李🐼", "李🐼"),
            ("a, b", "\"a, b\""),
        ];
        let sheet = Sheet {
            sections: vec![Section {
                columns: vec![Column::new("姓名", Kind::Name), Column::new("积分", Kind::Number)],
                rows: names
                    .iter()
                    .map(|(name, _)| vec![Cell::text(*name), Cell::from(-2)])
                    .collect(),
                ..Section::default()
            }],
            ..Sheet::default()
        };
        let written = csv(&sheet);
        let mut lines = written
            .strip_prefix(MARK)
            .expect("a mark")
            .split("\r\n")
            .collect::<Vec<_>>();
        assert_eq!(lines.pop(), Some(""));
        assert_eq!(lines[0], "姓名,积分");
        for ((_, cell), line) in names.iter().zip(&lines[1..]) {
            assert_eq!(*line, format!("{cell},-2"));
        }
    }

    #[test]
    fn several_tables_stand_under_their_headings() {
        let section = |title: &str| Section {
            title: title.to_owned(),
            columns: vec![Column::new("n", Kind::Number)],
            rows: vec![vec![Cell::from(1)]],
            ..Section::default()
        };
        let sheet = Sheet {
            sections: vec![section("A"), section("B")],
            ..Sheet::default()
        };
        assert_eq!(csv(&sheet), "\u{feff}A\r\nn\r\n1\r\n\r\nB\r\nn\r\n1\r\n");
    }
}
