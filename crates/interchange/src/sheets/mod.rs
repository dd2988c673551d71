//! Sheets (表): the tables of an event as values, for paper, for spreadsheets and for programs.
//!
//! A sheet knows no language and no page: whoever makes one has put the words in. CSV and XLSX are
//! written from the same value as the printed page, so the three never differ.

mod csv;
mod xlsx;

pub(crate) use csv::begins_as_formula;
pub use csv::csv;
pub use xlsx::{XlsxError, xlsx};

use serde_json::{Value, json};

/// A sheet: a heading and tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The event.
    pub event: String,
    /// What the sheet is: 对阵表 第3轮.
    pub title: String,
    /// Facts under the heading, one line each.
    pub facts: Vec<String>,
    /// The tables.
    pub sections: Vec<Section>,
    /// What the marks mean; under the tables.
    pub notes: Vec<String>,
}

/// A table of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its heading; empty when the sheet has one table only.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its lines, as long as the columns.
    pub rows: Vec<Vec<Cell>>,
    /// What is said where there is no line.
    pub empty: String,
}

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The head.
    pub head: String,
    /// What is in it.
    pub kind: Kind,
}

impl Column {
    /// A column.
    pub fn new(head: impl Into<String>, kind: Kind) -> Self {
        Self {
            head: head.into(),
            kind,
        }
    }
}

/// What a column holds; it says how wide and on which side the cells stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Short words that stay on one line.
    #[default]
    Word,
    /// A name.
    Name,
    /// A team, or another text that may be long.
    Text,
    /// Numbers, at the right.
    Number,
    /// A round in a character or two, in the middle.
    Round,
    /// Room for a hand: a signature, a tick.
    Blank,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// A text. It is never a formula, whatever it begins with.
    Text(String),
    /// A whole number, which stays one in a spreadsheet, also below zero.
    Whole(i64),
    /// A decimal number as it is printed: `19.36`.
    Decimal(String),
}

impl Cell {
    /// A text, or nothing when it is empty.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            Self::Empty
        } else {
            Self::Text(text)
        }
    }

    /// A printed value: a number where it is one, a text otherwise.
    pub fn printed(text: impl Into<String>) -> Self {
        let text = text.into();
        if let Ok(whole) = text.parse() {
            Self::Whole(whole)
        } else if is_decimal(&text) {
            Self::Decimal(text)
        } else {
            Self::text(text)
        }
    }

    /// As people read it.
    pub fn as_str(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Empty => "".into(),
            Self::Text(text) | Self::Decimal(text) => text.as_str().into(),
            Self::Whole(whole) => whole.to_string().into(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Empty => Value::Null,
            Self::Text(text) | Self::Decimal(text) => text.as_str().into(),
            Self::Whole(whole) => (*whole).into(),
        }
    }
}

impl<T: Into<i64>> From<T> for Cell {
    fn from(whole: T) -> Self {
        Self::Whole(whole.into())
    }
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    digits.len() <= 15
        && digits
            .split_once('.')
            .is_some_and(|(whole, part)| plain(whole) && plain(part))
}

/// A sheet for programs: `event`, `title`, `facts`, `notes`, and `sections` with `title`, `columns`
/// (their heads) and `rows`; a cell is a whole number, a text or null, decimals are texts.
pub fn json(sheet: &Sheet) -> Value {
    let section = |section: &Section| {
        json!({
            "title": section.title,
            "columns": section.columns.iter().map(|column| column.head.as_str()).collect::<Vec<_>>(),
            "rows": section.rows.iter()
                .map(|row| row.iter().map(Cell::json).collect::<Value>())
                .collect::<Vec<_>>(),
        })
    };
    json!({
        "event": sheet.event,
        "title": sheet.title,
        "facts": sheet.facts,
        "sections": sheet.sections.iter().map(section).collect::<Vec<_>>(),
        "notes": sheet.notes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_value_is_a_number_where_it_is_one() {
        for (text, cell) in [
            ("12", Cell::Whole(12)),
            ("-2", Cell::Whole(-2)),
            ("19.36", Cell::Decimal("19.36".into())),
            ("-0.5", Cell::Decimal("-0.5".into())),
            ("3=", Cell::Text("3=".into())),
            ("1,2,3", Cell::Text("1,2,3".into())),
            ("1.", Cell::Text("1.".into())),
            ("=1+2", Cell::Text("=1+2".into())),
            ("", Cell::Empty),
        ] {
            assert_eq!(Cell::printed(text), cell, "{text}");
        }
    }

    #[test]
    fn a_list_that_went_out_comes_in_with_the_names_it_had() {
        let names = [
            "李测试",
            "Étienne",
            "=1+2",
            "+SUM(A1)",
            "-cmd",
            "@x",
            "O'Neil-Łuczak",
            "\"Ann & Bob\" <x>",
            "李🐼",
            "محمد علي",
            "a, \"b\"",
            "𠮷灣䶮",
        ];
        let sheet = Sheet {
            title: "名单".to_owned(),
            sections: vec![Section {
                columns: vec![
                    Column::new("编号", Kind::Number),
                    Column::new("姓名", Kind::Name),
                    Column::new("等级分", Kind::Number),
                ],
                rows: (1_u32..)
                    .zip(names)
                    .map(|(number, name)| vec![Cell::from(number), Cell::text(name), Cell::from(2310)])
                    .collect(),
                ..Section::default()
            }],
            ..Sheet::default()
        };
        for bytes in [csv(&sheet).into_bytes(), xlsx(&sheet).expect("a workbook")] {
            let table = crate::entries_table::read(&bytes, None).expect("a list");
            let back: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
            assert_eq!(back, names);
            assert!(table.rows.iter().all(|row| row.rating == Some(2310)));
        }
    }
}
