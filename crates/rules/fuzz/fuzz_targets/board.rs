//! Any bytes as a game: stones, passes and set-up stones on a board of any size. What comes again is held to
//! a map of whole boards.

#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use rules::{Colour, Move, Point, Problem, Replay, RuleSet, Size};

fuzz_target!(|bytes: &[u8]| {
    let [columns, rows, rules, ref acts @ ..] = *bytes else {
        return;
    };
    // Small boards more often than large ones.
    let lines = |byte: u8| if byte < 128 { 2 + byte % 5 } else { byte - 126 };
    let Some(size) = Size::new(lines(columns), lines(rows)) else {
        return;
    };
    let rules = RuleSet::ALL[usize::from(rules) % RuleSet::ALL.len()];
    let mut replay = Replay::new(size, rules.rules(), None);
    let mut boards = HashMap::new();
    let (mut number, mut set_up) = (0, 0);
    for act in acts.as_chunks::<3>().0 {
        let [what, column, row] = *act;
        let point = Point {
            column: column % (size.columns() + 1),
            row: row % (size.rows() + 1),
        };
        let side = if what & 1 == 0 {
            Colour::Black
        } else {
            Colour::White
        };
        let play = match what >> 1 {
            stone @ (0 | 1) => {
                let stone = (stone == 0).then_some(side);
                set_up += u32::from(size.holds(point) && replay.board().at(point) != stone);
                replay.set_up(point, stone);
                continue;
            }
            2 => Move::Pass,
            _ => Move::Stone(point),
        };
        // A great set-up begins the history anew.
        if std::mem::take(&mut set_up) > 64 {
            boards.clear();
        }
        boards.entry(replay.board().position()).or_insert(number);
        number += 1;
        let before = replay.board().position();
        let played = replay.play(side, play);
        let (own, problem) = (played.own, played.problem);
        assert!(
            played
                .captured
                .is_sorted_by_key(|point| (point.row, point.column))
        );
        let captured = played.captured.to_vec();
        let position = replay.board().position();
        for point in &captured {
            assert_eq!(replay.board().at(*point), None);
        }
        match problem {
            Some(Problem::Void(_)) => assert_eq!(position, before),
            Some(Problem::Repeated(repeated)) => {
                let first = boards.get(&position).copied();
                assert!(
                    first.is_some_and(|first| first <= repeated.first),
                    "{first:?} {repeated:?}"
                );
                assert_eq!(
                    (repeated.second, repeated.cycle),
                    (number, number - repeated.first)
                );
            }
            // A great set-up begins the history anew, so a board may have stood before it.
            None if play == Move::Pass => {}
            None => assert_eq!(boards.insert(position, number), None),
        }
        if problem.is_none() && play != Move::Pass {
            assert!(own || replay.board().liberties(point) > 0);
        }
    }
});
