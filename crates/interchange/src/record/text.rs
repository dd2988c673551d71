//! A verdict as text for people, and texts of a file made harmless.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rules::{Colour, Count, Finding, Language, Move, Size, Verdict, column_name};

use super::numbers::komi_said;
use super::words::{encoding_said, rules_said, side_said, weight_said};
use super::{
    agreement_with_count, agreement_with_entered, count, count_sums, end, recorded, sentence, standing,
};
use crate::names::set_apart;

/// The most characters of a text that go into a sentence.
const LONGEST: usize = 60;

/// A text for one line of other text, as on a terminal: white space of every kind becomes a space,
/// other control characters and marks of direction become U+FFFD, and text from the right is set apart.
pub fn harmless(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.trim().chars() {
        if c.is_whitespace() {
            if !plain.ends_with(' ') {
                plain.push(' ');
            }
        } else if c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        {
            plain.push('\u{fffd}');
        } else {
            plain.push(c);
        }
    }
    set_apart(&plain).into_owned()
}

/// A harmless text of at most 60 characters.
pub(super) fn short(text: &str) -> String {
    // What is far behind the cut need not be looked at.
    let head: String = text.trim_start().chars().take(LONGEST + 1).collect();
    if head.chars().count() > LONGEST {
        let head: String = head.chars().take(LONGEST).collect();
        return format!("{}…", harmless(&head));
    }
    harmless(&head)
}

/// A short harmless text in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    format!("“{}”", short(text))
}

/// A verdict in full, line by line. Texts of the file in it are harmless.
pub fn text(verdict: &Verdict, language: Language) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    let zh = language == Language::Chinese;
    let player = |side: Colour| {
        let header = &verdict.header;
        let name = match short(&header.names[side]) {
            name if name.is_empty() => language.choose("（未写明）", "(not named)").to_owned(),
            name => name,
        };
        let more: Vec<String> = [&header.grades[side], &header.teams[side]]
            .into_iter()
            .map(|text| short(text))
            .filter(|text| !text.is_empty())
            .collect();
        match (more.is_empty(), zh) {
            (true, _) => name,
            (false, true) => format!("{name}（{}）", more.join("，")),
            (false, false) => format!("{name} ({})", more.join(", ")),
        }
    };
    for side in [Colour::Black, Colour::White] {
        let (side_name, player) = (side_said(side, language), player(side));
        line(if zh {
            format!("{side_name}：{player}")
        } else {
            format!("{side_name}: {player}")
        });
    }
    let event: Vec<String> = [
        &verdict.header.event,
        &verdict.header.round,
        &verdict.header.date,
        &verdict.header.place,
    ]
    .into_iter()
    .map(|text| short(text))
    .filter(|text| !text.is_empty())
    .collect();
    if !event.is_empty() {
        let event = event.join(language.choose("，", ", "));
        line(if zh {
            format!("赛事：{event}")
        } else {
            format!("Event: {event}")
        });
    }
    let unit = verdict.rules.unit();
    let komi = komi_said(verdict.komi, unit, language);
    let (rules, size, encoding) = (
        rules_said(verdict.rules, language),
        verdict.size,
        encoding_said(verdict.encoding),
    );
    let handicap = verdict.handicap;
    line(match (zh, handicap) {
        (true, 0) => format!("规则：{rules}，{size}，贴{komi}；编码{encoding}"),
        (true, _) => format!("规则：{rules}，{size}，让{handicap}子，贴{komi}；编码{encoding}"),
        (false, 0) => format!("Rules: {rules}, {size}, komi {komi}; read as {encoding}"),
        (false, _) => format!("Rules: {rules}, {size}, handicap {handicap}, komi {komi}; read as {encoding}"),
    });
    let (moves, taken) = (verdict.moves.len(), verdict.captures);
    let passes = verdict
        .moves
        .iter()
        .filter(|judged| judged.play == Move::Pass)
        .count();
    line(if zh {
        format!(
            "着手：{moves}手，其中虚着{passes}手；黑提{}子，白提{}子",
            taken.black, taken.white
        )
    } else {
        format!(
            "Moves: {moves}, passes among them: {passes}; captured by Black: {}, by White: {}",
            taken.black, taken.white
        )
    });
    let label = |chinese: &str, english: &str, said: &str| {
        if zh {
            format!("{chinese}：{said}")
        } else {
            format!("{english}: {said}")
        }
    };
    line(standing(verdict, language));
    line(label("终局", "End", &end(verdict.end, language)));
    if let Some(result) = &verdict.recorded {
        line(label(
            "棋谱结果",
            "Result in the record",
            &recorded(result, language),
        ));
    }
    let said = count(verdict, language);
    if let Count::Counted(counted) = &verdict.count {
        line(label("数棋", "Count", &said));
        for sum in count_sums(counted, verdict, language) {
            line(format!("  {sum}"));
        }
    } else {
        line(said);
    }
    for agreement in [
        agreement_with_count(verdict.agrees_with_count, language),
        agreement_with_entered(verdict.agrees_with_entered, language),
    ]
    .into_iter()
    .flatten()
    {
        line(agreement.to_owned());
    }
    let (findings, left_out) = listed(&verdict.findings, FINDINGS);
    for finding in findings {
        let weight = weight_said(finding.kind.weight(), language);
        line(match language {
            Language::Chinese => format!("  {weight}：{}", sentence(finding, verdict, language)),
            Language::English => format!("  {weight}: {}", sentence(finding, verdict, language)),
        });
    }
    if left_out > 0 {
        line(if zh {
            format!("  另有{left_out}处同类的问题，没有一一列出。")
        } else {
            format!("  {left_out} more of the same kinds are not listed.")
        });
    }
    text
}

/// The most findings of one kind that the text lists.
const FINDINGS: usize = 10;

/// The first findings of each kind, and how many more there are.
pub(super) fn listed(findings: &[Finding], most: usize) -> (Vec<&Finding>, usize) {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let listed: Vec<&Finding> = findings
        .iter()
        .filter(|finding| {
            let seen = seen.entry(finding.kind.code()).or_default();
            *seen += 1;
            *seen <= most
        })
        .collect();
    let left_out = findings.len() - listed.len();
    (listed, left_out)
}

/// The last position as text: `X` is Black, `O` White, `+` a star point; the last stone stands in
/// brackets.
pub fn board(verdict: &Verdict) -> String {
    let size = verdict.size;
    let last = verdict
        .moves
        .iter()
        .rev()
        .find(|judged| !judged.void && judged.play != Move::Pass)
        .and_then(|judged| judged.play.point());
    let width = (0..size.columns())
        .map(|column| column_name(column).len())
        .max()
        .unwrap_or(1);
    let mut head = String::from("   ");
    for column in 0..size.columns() {
        let _ = write!(head, " {:>width$}", column_name(column));
    }
    let mut text = format!("{head}\n");
    for row in 0..size.rows() {
        let number = size.rows() - row;
        let _ = write!(text, "{number:>3}");
        let mut open = false;
        for column in 0..size.columns() {
            let point = rules::Point { column, row };
            let index = usize::from(row) * usize::from(size.columns()) + usize::from(column);
            let mark = match verdict.position.get(index).copied().flatten() {
                Some(Colour::Black) => 'X',
                Some(Colour::White) => 'O',
                None if star(size, point) => '+',
                None => '.',
            };
            let is_last = last == Some(point) && !matches!(mark, '.' | '+');
            let before = match (is_last, open) {
                (true, _) => '(',
                (false, true) => ')',
                (false, false) => ' ',
            };
            let _ = write!(text, "{before}{mark:>width$}");
            open = is_last;
        }
        let _ = writeln!(text, "{}{number}", if open { ")" } else { " " });
    }
    text.push_str(&head);
    text.push('\n');
    text
}

fn star(size: Size, point: rules::Point) -> bool {
    let on_line = |place: u8, lines: u8| {
        let edge = if lines >= 13 { 3 } else { 2 };
        let middle = lines % 2 == 1 && place == lines / 2;
        (place == edge || place + 1 + edge == lines, middle)
    };
    if size.columns() < 7 || size.rows() < 7 {
        return false;
    }
    let (column_corner, column_middle) = on_line(point.column, size.columns());
    let (row_corner, row_middle) = on_line(point.row, size.rows());
    let sides = size.columns() >= 15 && size.rows() >= 15;
    (column_corner && row_corner)
        || (column_middle && row_middle)
        || (sides && (column_corner && row_middle || column_middle && row_corner))
}
