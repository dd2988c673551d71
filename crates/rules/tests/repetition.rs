//! Positions that come again: what is illegal under which rules, and what kind of cycle it was.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests read the records, the rules do not"
)]

use std::path::PathBuf;

use rules::{
    Colour, FindingKind, Forbidden, Move, OnRepetition, Point, Problem, Repeated, Repetition, RepetitionKind,
    Replay, RuleSet, Rules, Size, Suicide,
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
    set_up(&mut replay, rows);
    replay
}

fn set_up(replay: &mut Replay, rows: &[&str]) {
    for (point, stone) in replay.board().size().all().zip(rows.concat().bytes()) {
        let stone = match stone {
            b'x' => Some(Colour::Black),
            b'o' => Some(Colour::White),
            _ => None,
        };
        replay.set_up(point, stone);
    }
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

/// The moves as pairs of column and row, with the side that begins; a dash is a pass.
fn moves(first: Colour, text: &str) -> impl Iterator<Item = (Colour, Move)> {
    let mut side = first.other();
    text.split_whitespace().map(move |word| {
        side = side.other();
        let play = match word.as_bytes() {
            [column, row] => Move::Stone(Point {
                column: column - b'0',
                row: row - b'0',
            }),
            _ => Move::Pass,
        };
        (side, play)
    })
}

/// What came again, move by move.
fn repeated(replay: &mut Replay, moves: impl Iterator<Item = (Colour, Move)>) -> Vec<Repeated> {
    let again = moves.filter_map(|(side, play)| match replay.play(side, play).problem {
        Some(Problem::Repeated(repeated)) => Some(repeated),
        Some(Problem::Void(forbidden)) => panic!("{side:?} {play:?}: {forbidden:?}"),
        None => None,
    });
    again.collect()
}

/// Kos below one another, each taken by White, or by Black where there is an `x`. They share the stones
/// between them, unless there is a line in between (`-`).
fn kos(taken: &str) -> Vec<&'static str> {
    let mut rows = vec![".xo."];
    for ko in taken.chars() {
        match ko {
            'o' => rows.extend(["xo.o", ".xo."]),
            'x' => rows.extend(["x.xo", ".xo."]),
            _ => rows.extend(["....", ".xo."]),
        }
    }
    rows
}

#[test]
fn a_cycle_is_named_by_what_is_taken_in_it() {
    use RepetitionKind as Kind;
    let [black, white] = [Colour::Black, Colour::White];
    let eternal = vec!["o.x.ox.", "oooxxx.", "......."];
    let send_two = vec!["x.o.", ".xxo", "...."];
    let round_robin = vec![".ox.", "o.ox", "o.ox", ".ox.", ".ox.", "ox.x", "ox.x", ".ox."];
    for (rows, first, played, kind, lost) in [
        (kos("o"), black, "21 11", Kind::BasicKo, (1, 1)),
        // Retaken at once, although there were passes before.
        (kos("o"), black, "- - 21 11", Kind::BasicKo, (1, 1)),
        // Not at once.
        (kos("o"), black, "21 - - 11", Kind::Other, (1, 1)),
        (kos("ox"), black, "21 13 - 11 23", Kind::DoubleKo, (2, 2)),
        (kos("oxo"), black, "21 13 25 11 23 15", Kind::TripleKo, (3, 3)),
        (kos("o-x-o"), black, "21 15 29 11 25 19", Kind::TripleKo, (3, 3)),
        (kos("ox-o"), black, "21 13 27 11 23 17", Kind::FalseLife, (3, 3)),
        (
            kos("oxox"),
            black,
            "21 13 25 17 23 11 27 15",
            Kind::QuadrupleKo,
            (4, 4),
        ),
        (eternal, black, "10 30 20 40", Kind::EternalLife, (2, 2)),
        (send_two, white, "10 30 20", Kind::SendingTwoReturningOne, (1, 2)),
        (
            round_robin,
            black,
            "11 25 12 26 15 21 16 22",
            Kind::RoundRobinKo,
            (4, 4),
        ),
        (vec![".o", "o."], black, "00", Kind::Suicide, (1, 0)),
        (vec![".x", "x."], white, "11", Kind::Suicide, (0, 1)),
    ] {
        let mut replay = diagram(&rows, &rules(Repetition::Positional, Suicide::Allowed));
        let found = repeated(&mut replay, moves(first, played));
        let [found] = found[..] else {
            panic!("{rows:?} {played}: {found:?}")
        };
        assert_eq!(
            (found.kind, (found.lost.black, found.lost.white), found.ruling),
            (kind, lost, Some(OnRepetition::Illegal)),
            "{rows:?} {played}"
        );
    }
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

#[test]
fn real_games_repeat_where_they_are_known_to() {
    let Some(folder) = records() else { return };
    let text = std::fs::read_to_string(folder.join("games.json")).expect("games");
    let games: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut found_in = 0;
    for game in games.as_array().expect("a list") {
        let name = game["file"].as_str().expect("a name");
        let bytes = std::fs::read(folder.join(name)).expect(name);
        // Any suicide, any position: the reference takes one stone's suicide for a repetition too.
        let asked = rules::Asked {
            rules: Some(RuleSet::TrompTaylor),
            game: Some(1),
            ..rules::Asked::default()
        };
        let verdict = rules::judge(&bytes, &asked).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let found: Vec<(u32, u32)> = (verdict.findings.iter())
            .filter_map(|finding| match finding.kind {
                FindingKind::Repeated(repeated) => Some((repeated.second, repeated.first)),
                _ => None,
            })
            .collect();
        let mut known: Vec<(u32, u32)> = (game["issues"].as_array().expect("a list").iter())
            .filter_map(|issue| {
                let first = issue[1].as_str()?.strip_prefix("PSK<-")?.parse().ok()?;
                Some((u32::try_from(issue[0].as_u64()?).ok()?, first))
            })
            .collect();
        if name.ends_with("psk-repeat-239.sgf") {
            // Wrong in the list: what stands after move 2 stood before only while the start was set up, when
            // its last stone was still missing. That is no position of the game.
            assert_eq!(known, [(2, 0)]);
            known.clear();
            found_in += 1;
        }
        // The list stops after eight.
        let listed = if known.len() == 8 {
            found.len().min(8)
        } else {
            found.len()
        };
        assert_eq!(found[..listed], known, "{name}");
        found_in += usize::from(!known.is_empty());
    }
    assert_eq!(found_in, 11);
}

#[test]
fn the_rules_and_the_event_say_what_a_repetition_means() {
    use OnRepetition::{Draw, Illegal, NoResult, Referee};
    use RuleSet::{Aga, Chinese, Japanese, NewZealand, TrompTaylor, WeighBoardA};
    let triple = "21 13 25 11 23 15";
    let double = "21 13 - 11 23 - 21";
    for (rules, setting, taken, played, expected) in [
        // A ko retaken at once is illegal whatever the event says; an earlier time makes no difference.
        (
            Japanese,
            Some(NoResult),
            "o",
            "21 11",
            vec![(0, 2, Some(Illegal))],
        ),
        (Chinese, Some(Draw), "o", "21 11", vec![(0, 2, Some(Illegal))]),
        (
            Aga,
            None,
            "o",
            "21 11 21",
            vec![(0, 2, Some(Illegal)), (1, 3, Some(Illegal))],
        ),
        // A cycle with the same side to move.
        (Chinese, None, "oxo", triple, vec![(0, 6, Some(Illegal))]),
        (
            Chinese,
            Some(NoResult),
            "oxo",
            triple,
            vec![(0, 6, Some(NoResult))],
        ),
        (Japanese, None, "oxo", triple, vec![(0, 6, Some(NoResult))]),
        (
            Japanese,
            Some(Referee),
            "oxo",
            triple,
            vec![(0, 6, Some(Referee))],
        ),
        (WeighBoardA, None, "oxo", triple, vec![(0, 6, Some(Illegal))]),
        // A cycle with passes: first with the other side to move, then with the same.
        (
            TrompTaylor,
            None,
            "ox",
            double,
            vec![(0, 5, Some(Illegal)), (1, 7, Some(Illegal))],
        ),
        (
            NewZealand,
            None,
            "ox",
            double,
            vec![(0, 5, None), (1, 7, Some(Illegal))],
        ),
        (Japanese, None, "ox", double, vec![(0, 5, None), (1, 7, None)]),
        (WeighBoardA, None, "ox", double, vec![(0, 5, None), (1, 7, None)]),
    ] {
        let size = Size::new(4, u8::try_from(kos(taken).len()).expect("small")).expect("a size");
        let mut replay = Replay::new(size, rules.rules(), setting);
        set_up(&mut replay, &kos(taken));
        let found = repeated(&mut replay, moves(Colour::Black, played));
        let found: Vec<_> = (found.iter())
            .map(|found| (found.first, found.second, found.ruling))
            .collect();
        assert_eq!(found, expected, "{rules}, {setting:?}: {played}");
    }
}

#[test]
fn stones_set_up_in_a_cycle_leave_it_to_the_referee() {
    let mut replay = diagram(&kos("o"), &rules(Repetition::Positional, Suicide::Forbidden));
    assert_eq!(repeated(&mut replay, moves(Colour::Black, "21")), []);
    let at = |column, row| Point { column, row };
    replay.set_up(at(2, 1), None);
    replay.set_up(at(1, 1), Some(Colour::White));
    // The start stands again, but nobody played it.
    let found = repeated(&mut replay, moves(Colour::White, "- 21"));
    assert_eq!(
        found
            .iter()
            .map(|found| (found.first, found.second, found.kind, found.ruling))
            .collect::<Vec<_>>(),
        [(1, 3, RepetitionKind::Other, Some(OnRepetition::Referee))]
    );
    // Half the board anew is another game.
    let size = Size::NINETEEN;
    let mut replay = Replay::new(size, RuleSet::Chinese.rules(), None);
    let corner = Move::Stone(at(18, 18));
    assert_eq!(replay.play(Colour::Black, corner).problem, None);
    for stone in [Some(Colour::White), None] {
        for point in size.all() {
            replay.set_up(point, stone);
        }
    }
    assert_eq!(replay.play(Colour::Black, corner).problem, None);
    assert_eq!(replay.board().at(at(18, 18)), Some(Colour::Black));
}

/// Records made to be expensive: positions that come again all the time, near and far, in every order.
#[test]
fn a_hundred_thousand_moves_that_repeat_are_told_one_by_one() {
    let size = Size::square(52).expect("a size");
    let rows: Vec<String> = (0..13)
        .flat_map(|_| [".xo.", "xo.o", ".xo.", "...."])
        .map(|row| row.repeat(13))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    for (kos, walk) in [(1, false), (169, false), (12, true), (169, true)] {
        let mut replay = Replay::new(size, &rules(Repetition::SimpleKo, Suicide::Forbidden), None);
        set_up(&mut replay, &rows);
        let mut whites = vec![true; kos];
        let (mut lot, mut again) = (1_u32, 0);
        for number in 0..100_000 {
            lot = lot.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let ko = if walk { lot as usize >> 16 } else { number } % kos;
            let (side, column) = if whites[ko] {
                (Colour::Black, 2)
            } else {
                (Colour::White, 1)
            };
            whites[ko] = !whites[ko];
            let byte = |number| u8::try_from(number).expect("small");
            let point = Point {
                column: byte(ko % 13) * 4 + column,
                row: byte(ko / 13) * 4 + 1,
            };
            let played = replay.play(side, Move::Stone(point));
            assert_eq!(played.captured.len(), 1);
            again += usize::from(played.problem.is_some());
        }
        let expected = match (kos, walk) {
            // Each position but the first ones of the cycle: there are twice as many as kos.
            (kos, false) => 100_000 - (2 * kos - 1),
            // Of at most 4096 positions all come again.
            (12, true) => 100_000 - 4095,
            _ => again,
        };
        assert_eq!(again, expected, "{kos} kos");
    }
}
