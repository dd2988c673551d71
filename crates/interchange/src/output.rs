//! Answers as JSON and CSV: the same for the command line and the API.

use serde_json::{Map, Value, json};
use tournament::checker::{Judgement, Level};
use tournament::pairing::{Note, Pairing};
use tournament::standings::Standings;
use tournament::{Border, Criteria, InGroup, Stage};

use crate::event_file::{choices_json, criterion_json};

/// A pairing: `round`, `boards` (board, black, white, and `nigiri` where that gives the colours),
/// `byes`, `criteria` as in [`criteria_json`] and `notes`; `choices` where something was fixed and
/// `seed` where lots were drawn, both as in the event file.
pub fn pairing_json(pairing: &Pairing) -> Value {
    let boards = pairing.boards.iter().map(|board| {
        let mut value =
            json!({ "board": board.board, "black": board.black.get(), "white": board.white.get() });
        if board.nigiri {
            value["nigiri"] = true.into();
        }
        value
    });
    let mut value = json!({
        "round": pairing.round,
        "boards": boards.collect::<Vec<_>>(),
        "byes": pairing.byes.iter().map(|number| number.get()).collect::<Vec<_>>(),
        "criteria": criteria_json(&pairing.criteria),
        "notes": pairing.notes.iter().map(note_json).collect::<Vec<_>>(),
    });
    if !pairing.choices.is_empty() {
        value["choices"] = choices_json(&pairing.choices);
    }
    if let Some(seed) = pairing.seed {
        value["seed"] = seed.to_string().into();
    }
    value
}

/// The value of each criterion under its name in the pairing specification, `P1` to `P6`. Counts
/// by border or score group are lists from the top, groups without any left out.
pub fn criteria_json(criteria: &Criteria) -> Value {
    let groups = |counts: &[InGroup]| -> Value {
        let counted = counts.iter().filter(|count| count.count > 0);
        counted
            .map(|count| json!({ "group": count.group.0, "count": count.count }))
            .collect()
    };
    let floats: Vec<Value> = criteria
        .floats
        .iter()
        .filter(|border| border.pairs > 0)
        .map(|&Border { above, below, pairs }| json!({ "above": above.0, "below": below.0, "pairs": pairs }))
        .collect();
    json!({
        "P1": {
            "repeats": criteria.repeats,
            "repeat_meetings": criteria.repeat_meetings,
            "repeats_just_before": criteria.repeats_just_before,
        },
        "P2": { "bye_so_far": criteria.bye_so_far, "bye_score": criteria.bye_score.0 },
        "P3": { "floats": floats, "float_squares": criteria.float_squares },
        "P4": { "team_mates": groups(&criteria.team_mates) },
        "P5": {
            "third_colour": groups(&criteria.third_colour),
            "same_colour_twice": groups(&criteria.same_colour_twice),
            "same_colour": groups(&criteria.same_colour),
        },
        "P6": { "repeated_floats": groups(&criteria.repeated_floats) },
    })
}

/// A note on a board or a bye: a stable `code`, the `board`, the numbers concerned, and a `text` in English.
pub fn note_json(note: &Note) -> Value {
    let text = note.to_string();
    match *note {
        Note::Repeat {
            board,
            black,
            white,
            times,
        } => json!({
            "code": "repeat", "board": board, "black": black.get(), "white": white.get(), "times": times, "text": text,
        }),
        Note::Float { board, down, up } => json!({
            "code": "float", "board": board, "down": down.get(), "up": up.get(), "text": text,
        }),
        Note::RepeatedFloat { board, number } => json!({
            "code": "repeated-float", "board": board, "number": number.get(), "text": text,
        }),
        Note::SameColour { board, black, white } => json!({
            "code": "same-colour", "board": board, "black": black.get(), "white": white.get(), "text": text,
        }),
        Note::TeamMates { board, black, white } => json!({
            "code": "team-mates", "board": board, "black": black.get(), "white": white.get(), "text": text,
        }),
        Note::Unwanted { board, black, white } => json!({
            "code": "unwanted", "board": board, "black": black.get(), "white": white.get(), "text": text,
        }),
        Note::ThirdColour { board, number } => json!({
            "code": "third-colour", "board": board, "number": number.get(), "text": text,
        }),
        Note::Fixed { board, black, white } => json!({
            "code": "fixed", "board": board, "black": black.get(), "white": white.get(), "text": text,
        }),
        Note::FurtherBye { number } => json!({
            "code": "further-bye", "number": number.get(), "text": text,
        }),
    }
}

/// Standings: which round they are as of, the criteria in order, and a row for each entry with its
/// place and the value of every criterion, exact (`values`: a whole number or a fraction such as
/// `279/11`, several joined by commas, null where the criterion says nothing) and as it is
/// `printed`. Names come from `stage`.
pub fn standings_json(standings: &Standings, stage: &Stage) -> Value {
    let names: std::collections::HashMap<_, _> = stage
        .entries
        .iter()
        .map(|entry| (entry.number, entry.name.as_str()))
        .collect();
    let rows = standings.rows.iter().map(|row| {
        let by_word = |value: &dyn Fn(&tournament::standings::Value) -> Value| -> Map<String, Value> {
            let words = standings
                .criteria
                .iter()
                .map(|criterion| criterion.as_str().to_owned());
            words.zip(row.values.iter().map(value)).collect()
        };
        json!({
            "place": row.place,
            "shared": row.shared,
            "number": row.number.get(),
            "name": names.get(&row.number),
            "score": row.score.0,
            "values": by_word(&|value| value.exact().into()),
            "printed": by_word(&|value| value.printed().into()),
        })
    });
    let pending = standings.pending.iter().map(|board| {
        json!({
            "round": board.round, "board": board.board, "black": board.black.get(), "white": board.white.get(),
        })
    });
    json!({
        "after": standings.after,
        "rounds_played": standings.rounds_played,
        "top_score": standings.top_score.0,
        "criteria": standings.criteria.iter().copied().map(criterion_json).collect::<Vec<_>>(),
        "unplayed": standings.unplayed.as_str(),
        "provisional": standings.is_provisional(),
        "rows": rows.collect::<Vec<_>>(),
        "pending": pending.collect::<Vec<_>>(),
    })
}

/// Standings as CSV (RFC 4180, UTF-8 without a mark, lines ending in CR LF): place, number, name,
/// team, grade, category, and one column for each criterion as it is printed. A text that a
/// spreadsheet would take for a formula is preceded by an apostrophe, which a spreadsheet hides.
pub fn standings_csv(standings: &Standings, stage: &Stage) -> String {
    let mut csv = String::new();
    let mut line = |cells: Vec<String>| {
        csv.push_str(&cells.join(","));
        csv.push_str("\r\n");
    };
    let mut head: Vec<String> = ["place", "number", "name", "team", "grade", "category"]
        .map(str::to_owned)
        .into();
    head.extend(
        standings
            .criteria
            .iter()
            .map(|criterion| criterion.as_str().to_owned()),
    );
    line(head);
    let entries: std::collections::HashMap<_, _> =
        stage.entries.iter().map(|entry| (entry.number, entry)).collect();
    for row in &standings.rows {
        let entry = entries.get(&row.number);
        let text = |text: Option<&String>| text.map_or_else(String::new, |text| csv_text(text));
        let mut cells = vec![
            row.place.to_string(),
            row.number.to_string(),
            text(entry.map(|entry| &entry.name)),
            text(entry.and_then(|entry| entry.team.as_ref())),
            entry
                .and_then(|entry| entry.grade)
                .map_or_else(String::new, |grade| grade.to_string()),
            text(entry.and_then(|entry| entry.category.as_ref())),
        ];
        cells.extend(row.values.iter().map(|value| match value.exact() {
            Some(_) => value.printed(),
            None => String::new(),
        }));
        line(cells);
    }
    csv
}

/// A text as a CSV cell.
fn csv_text(text: &str) -> String {
    let text = if crate::sheets::begins_as_formula(text) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains(['"', ',', '\r', '\n']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// What the checker says of a round: `round`, `sound`, `findings` (level, code, text), the
/// `criteria` reached and `least`, the value of each measure that is proved to be the least.
pub fn judgement_json(judgement: &Judgement) -> Value {
    let findings = judgement.findings.iter().map(|finding| {
        let level = match finding.level() {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
        json!({ "level": level, "code": finding.code(), "text": finding.to_string() })
    });
    let least = judgement.values.iter().map(|value| {
        json!({
            "criterion": value.measure.criterion(),
            "measure": value.measure.code(),
            "group": value.group.map(|group| group.0),
            "reached": value.reached,
            "least": value.least,
        })
    });
    json!({
        "round": judgement.round,
        "sound": judgement.is_sound(),
        "findings": findings.collect::<Vec<_>>(),
        "criteria": criteria_json(&judgement.reached),
        "least": least.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use tournament::{Number, Score};

    use super::*;

    #[test]
    fn every_criterion_stands_under_its_name() {
        let in_group = |group, count| InGroup {
            group: Score(group),
            count,
        };
        let border = |above, below, pairs| Border {
            above: Score(above),
            below: Score(below),
            pairs,
        };
        let criteria = Criteria {
            repeats: 1,
            repeat_meetings: 2,
            repeats_just_before: 1,
            bye_so_far: 1,
            bye_score: Score(3),
            floats: vec![border(6, 4, 0), border(4, 2, 2)],
            float_squares: 8,
            team_mates_first: false,
            team_mates: vec![in_group(6, 0), in_group(4, 1)],
            third_colour: vec![],
            same_colour_twice: vec![in_group(4, 1)],
            same_colour: vec![in_group(4, 2)],
            repeated_floats: vec![in_group(2, 1)],
        };
        assert_eq!(
            criteria_json(&criteria),
            json!({
                "P1": { "repeats": 1, "repeat_meetings": 2, "repeats_just_before": 1 },
                "P2": { "bye_so_far": 1, "bye_score": 3 },
                "P3": { "floats": [{ "above": 4, "below": 2, "pairs": 2 }], "float_squares": 8 },
                "P4": { "team_mates": [{ "group": 4, "count": 1 }] },
                "P5": {
                    "third_colour": [],
                    "same_colour_twice": [{ "group": 4, "count": 1 }],
                    "same_colour": [{ "group": 4, "count": 2 }],
                },
                "P6": { "repeated_floats": [{ "group": 2, "count": 1 }] },
            })
        );
    }

    #[test]
    fn a_note_names_its_board_and_players_for_programs_and_people() {
        let number = |number| Number::new(number).expect("a number");
        assert_eq!(
            note_json(&Note::Float {
                board: 3,
                down: number(57),
                up: number(2)
            }),
            json!({
                "code": "float", "board": 3, "down": 57, "up": 2, "text": "board 3: 57 floats down to meet 2",
            })
        );
    }

    #[test]
    fn no_cell_is_a_formula_and_every_cell_is_one_cell() {
        for (text, cell) in [
            ("李测试", "李测试"),
            ("=1+2", "'=1+2"),
            ("+SUM(A1)", "'+SUM(A1)"),
            ("-cmd", "'-cmd"),
            ("@x", "'@x"),
            ("a,b", "\"a,b\""),
            ("=\"a\",b", "\"'=\"\"a\"\",b\""),
            ("ends with a space ", "\"ends with a space \""),
        ] {
            assert_eq!(csv_text(text), cell);
        }
    }
}
