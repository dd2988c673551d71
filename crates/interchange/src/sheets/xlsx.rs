//! A sheet as a workbook (XLSX), a worksheet for each table.

use rust_xlsxwriter::{Format, FormatAlign, FormatBorder, Workbook, Worksheet};

use super::{Cell, Kind, Section, Sheet};

/// A workbook that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the workbook could not be written: {0}")]
pub struct XlsxError(String);

impl From<rust_xlsxwriter::XlsxError> for XlsxError {
    fn from(error: rust_xlsxwriter::XlsxError) -> Self {
        Self(error.to_string())
    }
}

/// The bytes of a workbook: texts as texts, which no spreadsheet evaluates, numbers as numbers, the
/// head of each table repeated on every printed page. The same sheet gives the same bytes: the
/// workbook tells no time of its own.
///
/// # Errors
/// When a table is larger than a worksheet can be.
pub fn xlsx(sheet: &Sheet) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let day = rust_xlsxwriter::ExcelDateTime::from_ymd(2000, 1, 1)?;
    let about = rust_xlsxwriter::DocProperties::new()
        .set_title(cut(&sheet.title, 250))
        .set_subject(cut(&sheet.event, 250))
        .set_creation_datetime(&day);
    book.set_properties(&about);
    let mut names: Vec<String> = Vec::new();
    for (index, section) in sheet.sections.iter().enumerate() {
        let wanted = if section.title.is_empty() {
            &sheet.title
        } else {
            &section.title
        };
        let name = worksheet_name(wanted, index, &names);
        let worksheet = book.add_worksheet();
        worksheet.set_name(&name)?;
        names.push(name);
        table(worksheet, section)?;
        let title = if section.title.is_empty() {
            sheet.title.clone()
        } else {
            format!("{} {}", sheet.title, section.title)
        };
        // An ampersand begins a code in a page's head.
        let told = |text: &str| cut(text, 80).replace('&', "&&");
        worksheet
            .set_paper_size(9)
            .set_print_fit_to_pages(1, 0)
            .set_header(format!("&L{}&R{}", told(&sheet.event), told(&title)))
            .set_footer("&R&P / &N");
        if section.columns.len() > 10 {
            worksheet.set_landscape();
        }
    }
    if sheet.sections.is_empty() {
        book.add_worksheet();
    }
    Ok(book.save_to_buffer()?)
}

fn table(worksheet: &mut Worksheet, section: &Section) -> Result<(), XlsxError> {
    let head = Format::new()
        .set_bold()
        .set_text_wrap()
        .set_border_bottom(FormatBorder::Thin);
    let plain = Format::new();
    let middle = Format::new().set_align(FormatAlign::Center);
    for (at, column) in (0_u16..).zip(&section.columns) {
        worksheet.write_string_with_format(0, at, &*column.head, &head)?;
        let longest = section
            .rows
            .iter()
            .filter_map(|row| row.get(usize::from(at)))
            .map(|cell| width(&cell.as_str()))
            .chain([width(&column.head)])
            .max()
            .unwrap_or(0);
        let room = longest.clamp(4, 40) + if column.kind == Kind::Blank { 14 } else { 2 };
        worksheet.set_column_width(at, room)?;
    }
    for (line, row) in (1_u32..).zip(&section.rows) {
        for ((at, cell), column) in (0_u16..).zip(row).zip(&section.columns) {
            let format = if column.kind == Kind::Round {
                &middle
            } else {
                &plain
            };
            match cell {
                Cell::Empty => {}
                Cell::Text(text) => {
                    worksheet.write_string_with_format(line, at, text, format)?;
                }
                Cell::Whole(whole) => write_number(worksheet, line, at, &whole.to_string(), format)?,
                Cell::Decimal(text) => write_number(worksheet, line, at, text, format)?,
            }
        }
    }
    worksheet.set_freeze_panes(1, 0)?;
    worksheet.set_repeat_rows(0, 0)?;
    Ok(())
}

/// A number is a float in the format of the file itself; one that a float cannot hold is a text.
fn write_number(
    worksheet: &mut Worksheet,
    line: u32,
    at: u16,
    text: &str,
    format: &Format,
) -> Result<(), XlsxError> {
    match text.parse::<f64>() {
        Ok(number) if text.len() <= 15 => worksheet.write_number_with_format(line, at, number, format)?,
        _ => worksheet.write_string_with_format(line, at, text, format)?,
    };
    Ok(())
}

/// How much room a text takes: a Chinese character as much as two letters.
fn width(text: &str) -> u16 {
    let wide = text
        .chars()
        .map(|c| if u32::from(c) >= 0x2e80 { 2_u16 } else { 1 });
    wide.fold(0, u16::saturating_add)
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// A name that a worksheet may have: 31 characters, some signs not among them, none twice.
fn worksheet_name(wanted: &str, index: usize, taken: &[String]) -> String {
    let clean: String = wanted
        .chars()
        .map(|c| {
            if c.is_control() || "[]:*?/\\'".contains(c) {
                ' '
            } else {
                c
            }
        })
        .collect();
    // Characters outside the basic plane count twice.
    let mut units = 0;
    let clean: String = clean
        .trim()
        .chars()
        .take_while(|c| {
            units += c.len_utf16();
            units <= 26
        })
        .collect();
    let same = |name: &str| {
        taken
            .iter()
            .any(|other| other.to_lowercase() == name.to_lowercase())
    };
    // "History" is a name that spreadsheets keep for themselves.
    if clean.is_empty() || same(&clean) || clean.eq_ignore_ascii_case("history") {
        format!("{clean} {}", index + 1).trim().to_owned()
    } else {
        clean
    }
}

#[cfg(test)]
mod tests {
    use super::super::Column;
    use super::*;

    fn sheet() -> Sheet {
        let section = |title: &str| Section {
            title: title.to_owned(),
            columns: vec![Column::new("姓名", Kind::Name), Column::new("积分", Kind::Number)],
            rows: ["李测试", "=1+2", "<b>&\"", "𠮷灣䶮", "محمد"]
                .iter()
                .map(|name| vec![Cell::text(*name), Cell::from(-2)])
                .collect(),
            ..Section::default()
        };
        Sheet {
            event: "A & B [Cup]".to_owned(),
            title: "名次表".to_owned(),
            sections: vec![section("女子/U12"), section("女子:U12"), section("")],
            ..Sheet::default()
        }
    }

    #[test]
    fn the_same_sheet_gives_the_same_workbook() {
        let bytes = xlsx(&sheet()).expect("a workbook");
        assert!(bytes.starts_with(b"PK"));
        assert_eq!(bytes, xlsx(&sheet()).expect("a workbook"));
        assert!(xlsx(&Sheet::default()).is_ok());
    }

    #[test]
    fn worksheets_have_names_that_are_allowed_and_differ() {
        let mut taken = Vec::new();
        for wanted in [
            "a/b",
            "a:b",
            "A B",
            "",
            "history",
            "李🐼李🐼李🐼李🐼李🐼李🐼李🐼李🐼李🐼",
            "'quoted'",
        ] {
            let name = worksheet_name(wanted, taken.len(), &taken);
            let fine = !name.is_empty() && name.encode_utf16().count() <= 31;
            assert!(
                fine && !name.contains(['[', ']', ':', '*', '?', '/', '\\']),
                "{name}"
            );
            assert!(
                !taken
                    .iter()
                    .any(|other: &String| other.to_lowercase() == name.to_lowercase()),
                "{name}"
            );
            taken.push(name);
        }
    }
}
