//! Positions that come again: what is illegal under which rules, and what kind of cycle it was.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests read the records, the rules do not"
)]

use std::path::PathBuf;

use rules::{
    Colour, Forbidden, Move, OnRepetition, Point, Problem, Repetition, RepetitionKind, Replay, RuleSet,
    Rules, Size, Suicide,
};

/// The folder of real records, when it is there.
fn records() -> Option<PathBuf> {
    let folder = std::env::var_os("TIANYUAN_RECORDS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/records"),
        PathBuf::from,
    );
    let there = folder.is_dir();
    if !there {
        println!("skipped: there are no records in {}", folder.display());
    }
    there.then_some(folder)
}

fn rules(repetition: Repetition, suicide: Suicide) -> Rules {
    Rules {
        repetition,
        suicide,
        on_repetition: if repetition == Repetition::SimpleKo {
            OnRepetition::NoResult
        } else {
            OnRepetition::Illegal
        },
        ..*RuleSet::Chinese.rules()
    }
}

/// A replay from a diagram: `x` for Black, `o` for White.
fn diagram(rows: &[&str], rules: &Rules) -> Replay {
    let [columns, lines] = [rows[0].len(), rows.len()].map(|lines| u8::try_from(lines).expect("a size"));
    let size = Size::new(columns, lines).expect("a size");
    let mut replay = Replay::new(size, rules, None);
    for (point, stone) in size.all().zip(rows.concat().bytes()) {
        let stone = match stone {
            b'x' => Some(Colour::Black),
            b'o' => Some(Colour::White),
            _ => None,
        };
        replay.set_up(point, stone);
    }
    replay
}

/// The moves and what is wrong with them, in the words of the collection of cases.
fn verdict(replay: &mut Replay, first: Colour, moves: impl Iterator<Item = Move>) -> String {
    let mut side = first;
    for (number, play) in (1..).zip(moves) {
        let wrong = match replay.play(side, play).problem {
            Some(Problem::Void(Forbidden::Suicide { .. })) => "suicide",
            Some(Problem::Void(forbidden)) => panic!("move {number}: {forbidden:?}"),
            Some(Problem::Repeated(repeated)) if repeated.ruling == Some(OnRepetition::Illegal) => {
                if repeated.kind == RepetitionKind::BasicKo {
                    "ko"
                } else {
                    "repeat"
                }
            }
            _ => "",
        };
        if !wrong.is_empty() {
            return format!("illegal-at-{number}({wrong})");
        }
        side = side.other();
    }
    "all-legal".to_owned()
}

#[test]
fn every_case_of_the_collection_is_judged_as_it_says() {
    let Some(folder) = records() else { return };
    let text = std::fs::read_to_string(folder.join("ko.json")).expect("cases");
    let cases: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for case in cases.as_array().expect("a list") {
        let name = case["name"].as_str().expect("a name");
        let rows: Vec<&str> = (case["rows"].as_array().expect("rows").iter())
            .map(|row| row.as_str().expect("a row"))
            .collect();
        let moves = case["moves"].as_array().expect("moves").iter().map(|play| {
            let place = |at: usize| Some(u8::try_from(play.get(at)?.as_u64()?).expect("small"));
            match (place(0), place(1)) {
                (Some(column), Some(row)) => Move::Stone(Point { column, row }),
                _ => Move::Pass,
            }
        });
        let first = if case["first"] == "W" {
            Colour::White
        } else {
            Colour::Black
        };
        for (word, repetition) in [
            ("SIMPLE", Repetition::SimpleKo),
            ("PSK", Repetition::Positional),
            ("SSK", Repetition::Situational),
        ] {
            let rules = rules(repetition, Suicide::Forbidden);
            let found = verdict(&mut diagram(&rows, &rules), first, moves.clone());
            let expected = case["verdict"][word].as_str().expect("a verdict");
            // The collection tells a basic ko from other repetitions under simple ko alone.
            let same = found == expected || word != "SIMPLE" && found.replace("(ko)", "(repeat)") == expected;
            assert!(same, "{name}, {word}: {found}, not {expected}");
        }
    }
}
