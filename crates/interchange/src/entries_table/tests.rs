use std::io::{Cursor, Write};

use encoding_rs::GB18030;
use tournament::{Entry, Grade, Number};
use zip::write::SimpleFileOptions;

use super::*;

const LIST: &str = "姓名,编号,段位,等级分,单位,备注\r\n赵青山,1,5段,2310,杭州,x\r\n钱晓舟,2,九段,,,\r\n";

/// Line, number, name, team, grade and rating of a row.
type Told<'t> = (
    usize,
    Option<u32>,
    &'t str,
    Option<&'t str>,
    Option<Grade>,
    Option<i32>,
);

fn told(table: &Table) -> Vec<Told<'_>> {
    table
        .rows
        .iter()
        .map(|row| {
            let number = row.number.map(Number::get);
            (
                row.line,
                number,
                row.name.as_str(),
                row.team.as_deref(),
                row.grade,
                row.rating,
            )
        })
        .collect()
}

fn wanted() -> Vec<Told<'static>> {
    vec![
        (
            2,
            Some(1),
            "赵青山",
            Some("杭州"),
            Some(Grade::Dan(5)),
            Some(2310),
        ),
        (3, Some(2), "钱晓舟", None, Some(Grade::Professional(9)), None),
    ]
}

fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
    let marked = if mark {
        format!("\u{feff}{text}")
    } else {
        text.to_owned()
    };
    marked
        .encode_utf16()
        .flat_map(|unit| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        })
        .collect()
}

#[test]
fn one_list_in_every_encoding_and_with_every_separator_is_one_list() {
    let tabs = LIST.replace(',', "\t");
    let mut forms: Vec<(&str, Vec<u8>)> = vec![
        ("UTF-8", LIST.into()),
        ("UTF-8 with a mark", format!("\u{feff}{LIST}").into()),
        ("semicolons", LIST.replace(',', ";").into()),
        ("lines ended by CR", LIST.replace("\r\n", "\r").into()),
        (
            "said by Excel",
            format!("sep=;\r\n{}", LIST.replace(',', ";")).into(),
        ),
        ("GB18030", GB18030.encode(LIST).0.into()),
        ("GB18030, tabs", GB18030.encode(&tabs).0.into()),
    ];
    for (little, mark) in [(true, true), (false, true), (true, false), (false, false)] {
        forms.push(("UTF-16", utf16(&tabs, little, mark)));
    }
    for (form, bytes) in forms {
        let table = read(&bytes, None).unwrap_or_else(|refusal| panic!("{form}: {refusal}"));
        let mut told = told(&table);
        if form == "said by Excel" {
            for row in &mut told {
                row.0 -= 1;
            }
        }
        assert_eq!(told, wanted(), "{form}");
        assert_eq!(table.columns[0].heading.as_deref(), Some("姓名"), "{form}");
        assert_eq!(table.columns[5].field, None, "{form}");
    }
}

#[test]
fn headings_are_read_in_both_languages_below_a_title_and_in_any_order() {
    for text in [
        "2026 Open,,,\nGrade,Name,No.,Club\n5 dan,甲,3,A\n",
        "段位（必填）;姓名;编号;代表队\n业余5段;甲;3;A\n",
        "Rank\tPLAYER\t#\tTeam\n5D\t甲\t３\tA\n",
        "３,甲,A,５段\n",
    ] {
        let table = read(text.as_bytes(), None).expect("a list");
        let row = &table.rows[0];
        assert_eq!(
            (
                row.number.map(Number::get),
                row.name.as_str(),
                row.team.as_deref(),
                row.grade
            ),
            (Some(3), "甲", Some("A"), Some(Grade::Dan(5))),
            "{text}"
        );
    }
    assert_eq!(
        read("姓名,Name\n甲,A".as_bytes(), None),
        Err(Refusal::ColumnTwice {
            field: Field::Name,
            first: "A".into(),
            second: "B".into()
        })
    );
}

#[test]
fn every_spelling_of_a_grade_is_read_and_what_is_none_is_told_with_its_place() {
    let grades = [
        ("3d", Some(Grade::Dan(3))),
        ("3D", Some(Grade::Dan(3))),
        ("3 dan", Some(Grade::Dan(3))),
        ("３段", Some(Grade::Dan(3))),
        ("业余5段", Some(Grade::Dan(5))),
        ("5级", Some(Grade::Kyu(5))),
        ("5K", Some(Grade::Kyu(5))),
        ("9p", Some(Grade::Professional(9))),
        ("30k", Some(Grade::Kyu(30))),
        ("?", None),
        ("1500", None),
        ("0d", None),
        ("-3d", None),
    ];
    let mut text = "姓名,段位\n".to_owned();
    for (at, (grade, _)) in grades.iter().enumerate() {
        use std::fmt::Write as _;
        let _ = writeln!(text, "甲{at},{grade}");
    }
    let table = read(text.as_bytes(), None).expect("a list");
    for (row, (found, grade)) in table.rows.iter().zip(grades) {
        assert_eq!(row.grade, grade, "{found}");
        let faults: Vec<_> = row
            .faults
            .iter()
            .map(|f| (f.column.as_str(), f.kind, f.found.as_str()))
            .collect();
        if grade.is_none() {
            assert_eq!(faults, [("B", CellFaultKind::NotAGrade, found)]);
        } else {
            assert_eq!(faults, []);
        }
    }
    let empty = read("姓名,段位\n甲,\n".as_bytes(), None).expect("a list");
    assert_eq!((empty.rows[0].grade, empty.rows[0].faults.len()), (None, 0));
}

#[test]
fn names_stay_what_they_are() {
    let text = "name,club\nO'Neil-Łuczak,\"Smith, \"\"Bo\"\"\"\n\"Ann & Bob\" <x>,<b>\n李🐼,\nدوד ,x\n'=1+2,y\n=\"007\",z\n";
    let table = read(text.as_bytes(), None).expect("a list");
    let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(
        names,
        ["O'Neil-Łuczak", "\"Ann & Bob\" <x>", "李🐼", "دوד", "=1+2", "007"]
    );
    assert_eq!(table.rows[0].team.as_deref(), Some("Smith, \"Bo\""));
}

fn workbook(sheet: &str, strings: &str) -> Vec<u8> {
    workbook_of(1, sheet, strings)
}

/// With so many sheets that are all the same part.
fn workbook_of(sheets: usize, sheet: &str, strings: &str) -> Vec<u8> {
    let mut names = vec![String::new()];
    names.extend((2..=sheets).map(|id| id.to_string()));
    let sheets: Vec<String> = names
        .iter()
        .map(|name| format!(r#"<sheet name="报名{name}" sheetId="1" r:id="rId1"/>"#))
        .collect();
    let sheets = sheets.concat();
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut part = |name: &str, text: &str| {
        archive
            .start_file(name, SimpleFileOptions::default())
            .expect("a part");
        archive.write_all(text.as_bytes()).expect("written");
    };
    part(
        "[Content_Types].xml",
        r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#,
    );
    part(
        "_rels/.rels",
        r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    );
    part(
        "xl/_rels/workbook.xml.rels",
        r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#,
    );
    part(
        "xl/workbook.xml",
        &format!(
            r#"<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>{sheets}</sheets></workbook>"#
        ),
    );
    part(
        "xl/styles.xml",
        r#"<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#,
    );
    part(
        "xl/sharedStrings.xml",
        &format!(
            r#"<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{strings}</sst>"#
        ),
    );
    part(
        "xl/worksheets/sheet1.xml",
        &format!(
            r#"<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{sheet}</sheetData></worksheet>"#
        ),
    );
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn a_workbook_is_read_with_its_numbers_days_and_errors() {
    let strings = "<si><t>姓名</t></si><si><t>编号</t></si><si><t>等级分</t></si><si><t>段位</t></si><si><r><t>赵</t></r><r><t>青山</t></r></si><si><t>5段</t></si>";
    let sheet = r#"<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c><c r="D2" t="s"><v>3</v></c></row><row r="4"><c r="A4" t="s"><v>4</v></c><c r="B4"><v>7</v></c><c r="C4"><v>2310.0</v></c><c r="D4" t="s"><v>5</v></c></row><row r="5"><c r="A5" t="inlineStr"><is><t>乙</t></is></c><c r="B5" s="1"><v>46143</v></c><c r="C5"><v>2310.5</v></c><c r="D5" t="e"><v>#N/A</v></c></row>"#;
    let table = read(&workbook(sheet, strings), None).expect("a workbook");
    assert_eq!(
        table.source,
        Source::Workbook {
            sheet: "报名".into(),
            others: 0
        }
    );
    assert_eq!(
        told(&table)[0],
        (4, Some(7), "赵青山", None, Some(Grade::Dan(5)), Some(2310))
    );
    let faults: Vec<(&str, CellFaultKind, &str)> = table.rows[1]
        .faults
        .iter()
        .map(|fault| (fault.column.as_str(), fault.kind, fault.found.as_str()))
        .collect();
    assert_eq!(
        faults,
        [
            ("B", CellFaultKind::NotANumber, "2026-05-01"),
            ("C", CellFaultKind::NotARating, "2310.5"),
            ("D", CellFaultKind::SpreadsheetError, "#N/A"),
        ]
    );
}

#[test]
fn monstrous_files_are_refused_and_nothing_panics() {
    assert_eq!(read(&vec![b'a'; BYTES_LIMIT + 1], None), Err(Refusal::TooLarge));
    assert_eq!(
        read("a\n".repeat(ROWS_LIMIT + 1).as_bytes(), None),
        Err(Refusal::TooManyRows)
    );
    assert_eq!(read(",".repeat(500).as_bytes(), None), Err(Refusal::Empty));
    assert_eq!(read(b"", None), Err(Refusal::Empty));
    assert_eq!(read("姓名\n".as_bytes(), None), Err(Refusal::Empty));
    assert_eq!(
        read(&[0xd0, 0xcf, 0x11, 0xe0, 0], None),
        Err(Refusal::OldWorkbook)
    );
    assert_eq!(
        read("甲".as_bytes(), Some("gb9999")),
        Err(Refusal::NotInEncoding("gb9999".into()))
    );
    assert!(matches!(
        read(b"PK\x03\x04 and no more", None),
        Err(Refusal::BadWorkbook(_))
    ));
    let bomb = workbook("", &format!("<si><t>{}</t></si>", "0".repeat(70 * 1024 * 1024)));
    assert!(bomb.len() < BYTES_LIMIT);
    assert_eq!(read(&bomb, None), Err(Refusal::Inflates));
    let far =
        r#"<row r="1"><c r="XFD1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>"#;
    assert_eq!(read(&workbook(far, ""), None), Err(Refusal::TooManyColumns));
    let far = r#"<row r="1"><c r="A1" t="inlineStr"><is><t>甲</t></is></c></row><row r="1048576"><c r="A1048576" t="inlineStr"><is><t>乙</t></is></c></row>"#;
    assert_eq!(
        read(&workbook(far, ""), None).expect("two rows").rows[1].line,
        1_048_576
    );
    // Many sheets that are one part are not all read.
    let row = format!("<row>{}</row>", "<c t=\"b\"><v>1</v></c>".repeat(9));
    let long = row.repeat(ROWS_LIMIT);
    assert_eq!(
        read(&workbook_of(900, &long, ""), None),
        Err(Refusal::TooManyRows)
    );
    // A thousand cuts of a workbook.
    let whole = workbook(far, "");
    for end in 0..whole.len() {
        let _ = read(&whole[..end], None);
    }
}

fn entry(number: u32, name: &str, team: Option<&str>, grade: Option<Grade>) -> Entry {
    Entry {
        team: team.map(str::to_owned),
        grade,
        ..Entry::new(Number::new(number).expect("a number"), name)
    }
}

fn verdicts(text: &str, namesakes: bool) -> Vec<String> {
    let entries = [
        entry(1, "José", Some("A"), Some(Grade::Dan(1))),
        entry(2, "李明", Some("B"), None),
        entry(3, "李明", Some("C"), None),
        entry(4, "王伟", None, None),
    ];
    let table = read(text.as_bytes(), None).expect("a list");
    plan(table.rows, &entries, namesakes)
        .rows
        .iter()
        .map(|planned| match &planned.verdict {
            Verdict::New => "new".to_owned(),
            Verdict::Same {
                number,
                spelled_otherwise,
            } => format!("same {number} {spelled_otherwise}"),
            Verdict::Changed { number, changes } => {
                let changes: Vec<String> = changes
                    .iter()
                    .map(|c| {
                        format!(
                            "{} {} {}",
                            c.field.as_str(),
                            c.before.as_deref().unwrap_or("-"),
                            c.after
                        )
                    })
                    .collect();
                format!("changed {number}: {}", changes.join(", "))
            }
            Verdict::Bad(problems) => problems
                .iter()
                .map(RowProblem::code)
                .collect::<Vec<_>>()
                .join(" "),
        })
        .collect()
}

#[test]
fn each_row_is_new_the_same_changed_or_a_problem_that_is_named() {
    let head = "no,name,team,grade\n";
    for (rows, plain, namesakes) in [
        // Composed and decomposed accents, capitals, full-width letters: one person, no doubt.
        (",Jose\u{301},A,", "same 1 true", "same 1 true"),
        (",JOSE,,1 dan", "same 1 true", "same 1 true"),
        (",José,A,2d", "changed 1: grade 1d 2d", "changed 1: grade 1d 2d"),
        ("1,José,B,", "changed 1: team A B", "changed 1: team A B"),
        (",José,B,", "row-other-team", "new"),
        ("9,José,A,", "row-other-number", "new"),
        ("1,丁,,", "row-number-taken", "row-number-taken"),
        (",李明,C,1k", "changed 3: grade - 1k", "changed 3: grade - 1k"),
        (",李明,,", "row-several-named", "new"),
        (",王伟,D,", "changed 4: team - D", "changed 4: team - D"),
        (",戊,,9d", "cell-not-a-grade", "cell-not-a-grade"),
        ("5,,,", "cell-no-name", "cell-no-name"),
    ] {
        let text = format!("{head}{rows}\n");
        assert_eq!(verdicts(&text, false), [plain], "{rows}");
        assert_eq!(verdicts(&text, true), [namesakes], "{rows}");
    }
    for (rows, plain, namesakes) in [
        (
            "7,甲,,\n7,乙,,",
            ["new", "row-number-twice"],
            ["new", "row-number-twice"],
        ),
        (",甲,,\n,甲,A,", ["new", "row-name-twice"], ["new", "new"]),
        (",甲,A,\n,甲,B,", ["new", "new"], ["new", "new"]),
        ("7,甲,,\n8,甲,,", ["new", "new"], ["new", "new"]),
        (
            ",王伟,,\n,王伟,,",
            ["same 4 false", "row-name-twice"],
            ["same 4 false", "new"],
        ),
    ] {
        let text = format!("{head}{rows}\n");
        assert_eq!(verdicts(&text, false), plain, "{rows}");
        assert_eq!(verdicts(&text, true), namesakes, "{rows}");
    }
}

/// What our own sheets make safe against formulas is what it was when it comes in again.
#[test]
fn a_name_that_a_sheet_made_safe_comes_back_as_it_was() {
    use crate::sheets::{Cell, Column, Kind, Section, Sheet, csv};
    let names = [
        "=1+2",
        "＝１",
        "＋SUM",
        "－cmd",
        "＠x",
        "'=quoted",
        "''@twice",
        "'plain'",
        "李·测试",
        "+ 1",
    ];
    let sheet = Sheet {
        sections: vec![Section {
            columns: vec![Column::new("姓名", Kind::Name)],
            rows: names.iter().map(|name| vec![Cell::text(*name)]).collect(),
            ..Section::default()
        }],
        ..Sheet::default()
    };
    let table = read(csv(&sheet).as_bytes(), None).expect("a list");
    let back: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(back, names);
}

#[test]
fn a_list_says_whose_name_is_withheld() {
    let text = "姓名,不公开姓名\n甲,是\n乙,否\n丙,\n丁,也许\n";
    let table = read_text(text).expect("a list");
    let said: Vec<Option<bool>> = table.rows.iter().map(|row| row.name_withheld).collect();
    assert_eq!(said, [Some(true), Some(false), None, None]);
    let fault = &table.rows[3].faults[0];
    assert_eq!(
        (fault.kind, fault.column.as_str(), fault.found.as_str()),
        (CellFaultKind::NotYesOrNo, "B", "也许")
    );
    let entry = |number, name: &str| Entry::new(Number::new(number).expect("a number"), name);
    let mut there = vec![entry(1, "甲"), entry(2, "乙"), entry(3, "丙")];
    there[2].name_withheld = true;
    let rows = table.rows[..3].to_vec();
    let verdicts: Vec<Verdict> = plan(rows, &there, false)
        .rows
        .into_iter()
        .map(|row| row.verdict)
        .collect();
    let Verdict::Changed { changes, .. } = &verdicts[0] else {
        panic!("{verdicts:?}")
    };
    assert_eq!(
        (changes[0].field, changes[0].after.as_str()),
        (Field::NameWithheld, "true")
    );
    // An empty cell changes nothing.
    assert!(
        matches!(verdicts[1..], [Verdict::Same { .. }, Verdict::Same { .. }]),
        "{verdicts:?}"
    );
}
