//! What the columns of a list are: by a row of headings, else by what stands in them.

use tournament::Grade;

use super::{ColumnUse, Field, RawRow, Refusal, digits, letter};
use crate::names::search_key;

/// Within so many rows headings are looked for: a title may stand above them.
pub(super) const HEADINGS_WITHIN: usize = 10;

/// The field with a heading, in the words of spreadsheets.
fn of_heading(heading: &str) -> Option<Field> {
    let plain: String = search_key(heading)
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '*' | ':' | '_' | '.'))
        .collect();
    // What stands in brackets explains: 等级分（2026）, 段位(必填).
    let plain = plain.split(['(', '（', '[', '【']).next().unwrap_or_default();
    Some(match plain {
        "编号" | "編號" | "号码" | "序号" | "序號" | "参赛号" | "参赛编号" | "号" | "no" | "nr"
        | "number" | "#" | "seed" | "pin" => Field::Number,
        "姓名" | "名字" | "名称" | "棋手" | "选手" | "選手" | "棋手姓名" | "选手姓名" | "参赛者" | "name"
        | "player" | "fullname" | "playername" => Field::Name,
        "单位" | "單位" | "代表队" | "代表单位" | "参赛单位" | "队" | "队名" | "俱乐部" | "学校" | "机构"
        | "所属单位" | "team" | "club" | "school" => Field::Team,
        "段位" | "级位" | "段级位" | "段级" | "段/级" | "段位/级位" | "棋力" | "等级" | "grade" | "rank"
        | "strength" => Field::Grade,
        "等级分" | "等級分" | "积分" | "rating" | "elo" | "gor" | "egfrating" => Field::Rating,
        "组别" | "組別" | "组" | "参赛组别" | "级别" | "category" | "group" | "section" => {
            Field::Category
        }
        "起始分" | "startscore" => Field::StartScore,
        "不公开姓名" | "姓名不公开" | "姓名保密" | "隐名" | "namewithheld" | "withheld" | "withholdname" => {
            Field::NameWithheld
        }
        _ => return None,
    })
}

/// The row of headings.
fn headings(rows: &[RawRow]) -> Option<usize> {
    rows.iter()
        .take(HEADINGS_WITHIN)
        .position(|row| row.cells.iter().any(|cell| of_heading(cell) == Some(Field::Name)))
}

/// Whether the rows have headings.
pub(super) fn has_headings(rows: &[RawRow]) -> bool {
    headings(rows).is_some()
}

/// Finds the columns, and takes the headings and what stands above them away from the rows.
pub(super) fn find(rows: &mut Vec<RawRow>) -> Result<Vec<ColumnUse>, Refusal> {
    let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let Some(at) = headings(rows) else {
        return Ok(by_content(rows, width));
    };
    let mut columns: Vec<ColumnUse> = Vec::new();
    for (index, heading) in rows[at].cells.iter().enumerate() {
        let field = of_heading(heading);
        let first = columns.iter().position(|column| column.field == field);
        if let (Some(field), Some(first)) = (field, first) {
            return Err(Refusal::ColumnTwice {
                field,
                first: letter(first),
                second: letter(index),
            });
        }
        columns.push(ColumnUse {
            heading: Some(heading.clone()),
            field,
        });
    }
    columns.resize(
        width.max(columns.len()),
        ColumnUse {
            heading: Some(String::new()),
            field: None,
        },
    );
    rows.drain(..=at);
    Ok(columns)
}

fn by_content(rows: &[RawRow], width: usize) -> Vec<ColumnUse> {
    let mut texts = [Field::Name, Field::Team, Field::Category].into_iter();
    let mut found: Vec<ColumnUse> = Vec::new();
    for index in 0..width {
        let cells = || {
            rows.iter()
                .filter_map(|row| row.cells.get(index))
                .filter(|cell| !cell.is_empty())
        };
        let filled = cells().count();
        let most = |fits: &dyn Fn(&str) -> bool| {
            filled > 0 && cells().filter(|cell| fits(cell)).count() * 5 >= filled * 4
        };
        let there = |field| found.iter().any(|column: &ColumnUse| column.field == Some(field));
        let integer = |cell: &str| digits(cell).parse::<i32>().is_ok();
        let field = if filled == 0 {
            None
        } else if most(&|cell| cell.parse::<Grade>().is_ok()) && !there(Field::Grade) {
            Some(Field::Grade)
        } else if most(&integer) && index == 0 {
            Some(Field::Number)
        } else if most(&integer) && !there(Field::Rating) {
            Some(Field::Rating)
        } else {
            texts.next()
        };
        found.push(ColumnUse { heading: None, field });
    }
    found
}
