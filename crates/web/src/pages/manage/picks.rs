//! Entries and pairs as people type them: by number, by name, or both.

use interchange::names::search_key;
use tournament::{Number, Stage};

use crate::errors::{Arg, FieldProblem};

/// What may stand between the two of a pair. A blank comes last: names have them inside.
const BETWEEN: [&[char]; 3] = [
    &['/', '／', ',', '，', '、', ';', '；', '\t', '|'],
    &['-', '–', '—', '－', '~', '～'],
    &[' ', '\u{3000}'],
];

fn fault(code: &'static str, found: &str) -> FieldProblem {
    FieldProblem {
        code: code.into(),
        args: vec![("found", Arg::from(found))],
        ..FieldProblem::default()
    }
}

/// An entry: `7`, `７号`, `7 张三`, or a name that only one entry has, in whatever letters.
///
/// # Errors
/// Nobody has the number or the name, or several have the name.
pub fn entry(stage: &Stage, text: &str) -> Result<Number, Box<FieldProblem>> {
    let text = text.trim();
    let key = search_key(text);
    let digits: String = key.chars().take_while(char::is_ascii_digit).collect();
    let rest = key[digits.len()..]
        .trim_start_matches(['号', '.', '#', '．'])
        .trim();
    if let Some(found) = digits
        .parse()
        .ok()
        .and_then(Number::new)
        .and_then(|number| stage.entry(number))
        && (rest.is_empty() || rest == search_key(&found.name))
    {
        return Ok(found.number);
    }
    let named: Vec<Number> = stage
        .entries
        .iter()
        .filter(|entry| !key.is_empty() && search_key(&entry.name) == key)
        .map(|entry| entry.number)
        .collect();
    match named[..] {
        [one] => Ok(one),
        [] => Err(Box::new(fault("pick-unknown", text))),
        _ => {
            let mut several = fault("pick-several", text);
            several.args.push(("numbers", Arg::list(named)));
            Err(Box::new(several))
        }
    }
}

/// Entries, one a line or with commas between them.
///
/// # Errors
/// Every one that cannot be found.
pub fn entries(stage: &Stage, text: &str) -> Result<Vec<Number>, Vec<FieldProblem>> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    let parts = text.split(['\n', ',', '，', '、', ';', '；']).map(str::trim);
    for part in parts.filter(|part| !part.is_empty()) {
        match entry(stage, part) {
            Ok(number) => found.push(number),
            // Numbers alone may have blanks between them; `3 李明` is one entry or nobody.
            Err(wrong) if part.contains(|c: char| c.is_alphabetic()) => faults.push(*wrong),
            Err(wrong) => match part.split_whitespace().map(|one| entry(stage, one)).collect() {
                Ok(numbers) => found.extend::<Vec<Number>>(numbers),
                Err(_) => faults.push(*wrong),
            },
        }
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

/// Pairs, one a line.
///
/// # Errors
/// Every line that is not two entries.
pub fn pairs(stage: &Stage, text: &str) -> Result<Vec<(Number, Number)>, Vec<FieldProblem>> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match pair(stage, line) {
            Ok(pair) => found.push(pair),
            Err(wrong) => faults.push(*wrong),
        }
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

/// Two entries: wherever the line can be parted so that there is one on either side.
fn pair(stage: &Stage, line: &str) -> Result<(Number, Number), Box<FieldProblem>> {
    let mut first_fault = None;
    for between in BETWEEN {
        for (at, parting) in line.match_indices(between) {
            let (one, other) = (
                entry(stage, &line[..at]),
                entry(stage, &line[at + parting.len()..]),
            );
            match (one, other) {
                (Ok(one), Ok(other)) => return Ok((one.min(other), one.max(other))),
                (Err(wrong), _) | (_, Err(wrong)) => {
                    first_fault = first_fault.or(Some(wrong));
                }
            }
        }
    }
    // A line that cannot be parted is no pair; of one that can, somebody is not found.
    Err(first_fault
        .filter(|_| !line.contains(BETWEEN[2]) || line.contains(BETWEEN[0]))
        .unwrap_or_else(|| Box::new(fault("pick-not-a-pair", line))))
}

/// Entries as they are typed: number and name, with commas between them.
pub fn entries_text(stage: &Stage, numbers: &[Number]) -> String {
    let named: Vec<String> = numbers.iter().map(|number| named(stage, *number)).collect();
    named.join(", ")
}

/// Pairs as they are typed, one a line.
pub fn pairs_text(stage: &Stage, pairs: &[(Number, Number)]) -> String {
    let lines: Vec<String> = pairs
        .iter()
        .map(|(one, other)| format!("{} / {}", named(stage, *one), named(stage, *other)))
        .collect();
    lines.join("\n")
}

fn named(stage: &Stage, number: Number) -> String {
    let name = stage.entry(number).map_or("", |entry| entry.name.as_str());
    format!("{number} {name}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use tournament::Entry;

    use super::*;

    fn stage() -> Stage {
        let mut stage = Stage::swiss(5);
        let names = [
            "李小明",
            "Ann/Bob",
            "José Silva",
            "Jean-Luc",
            "李明",
            "李明",
            "4 Fours",
        ];
        stage.entries = (1..)
            .zip(names)
            .map(|(number, name)| Entry::new(Number::new(number).expect("a number"), name))
            .collect();
        stage
    }

    fn numbers(pairs: &[(Number, Number)]) -> Vec<(u32, u32)> {
        pairs
            .iter()
            .map(|(one, other)| (one.get(), other.get()))
            .collect()
    }

    #[test]
    fn a_pair_is_named_by_number_by_name_or_both() {
        let stage = stage();
        for line in [
            "3-1",
            "1 3",
            "１／３",
            "3, 1",
            "李小明 / jose silva",
            "1号李小明-3 JOSÉ SILVA",
            "1 李小明 3",
        ] {
            assert_eq!(
                pairs(&stage, line).map(|pairs| numbers(&pairs)).ok(),
                Some(vec![(1, 3)]),
                "{line}"
            );
        }
        assert_eq!(
            pairs(&stage, "Jean-Luc - Ann/Bob\n\n 7 / 5 \r\n4 Fours/1")
                .map(|pairs| numbers(&pairs))
                .ok(),
            Some(vec![(2, 4), (5, 7), (1, 7)])
        );
    }

    #[test]
    fn what_is_shown_can_be_sent_back() {
        let stage = stage();
        let all: Vec<Number> = stage.entries.iter().map(|entry| entry.number).collect();
        let every: Vec<(Number, Number)> = all
            .iter()
            .flat_map(|one| {
                all.iter()
                    .filter(move |other| one < other)
                    .map(move |other| (*one, *other))
            })
            .collect();
        assert_eq!(pairs(&stage, &pairs_text(&stage, &every)).ok(), Some(every));
        assert_eq!(entries(&stage, &entries_text(&stage, &all)).ok(), Some(all));
    }

    #[test]
    fn who_cannot_be_found_is_named() {
        let stage = stage();
        let codes = |wrong: Vec<FieldProblem>| -> Vec<String> {
            wrong.into_iter().map(|fault| fault.code.into_owned()).collect()
        };
        let wrong = pairs(&stage, "1-99\n李明 / 1\nnobody\n1 / nobody\n1-2").expect_err("faults");
        assert_eq!(
            codes(wrong),
            ["pick-unknown", "pick-several", "pick-not-a-pair", "pick-unknown"]
        );
        assert_eq!(
            codes(entries(&stage, "1 2, 3 李小明").expect_err("a fault")),
            ["pick-unknown"]
        );
        assert_eq!(entries(&stage, "1 2，3").map(|all| all.len()).ok(), Some(3));
        assert_eq!(entries(&stage, " \n").ok(), Some(Vec::new()));
    }
}
