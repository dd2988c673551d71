//! Counting final positions: the sums of the rules, dead stones, seki, and what can be proposed.

#![expect(clippy::disallowed_methods, reason = "a test may read the records")]

use std::path::PathBuf;

use rules::{
    Colour, Counted, Counting, DeadFrom, Doubt, HandicapReturn, Margin, MarksFault, Owner, Point, RuleSet,
    Sides, Size, Tax, Terms, Unfilled, count, dead_from_marks, doubts, propose,
};
use serde_json::Value;

/// Black is x, White is o; other letters are empty.
fn diagram(rows: &[&str]) -> (Size, Vec<Option<Colour>>) {
    let side = |length: usize| u8::try_from(length).expect("a small board");
    let size = Size::new(side(rows[0].len()), side(rows.len())).expect("a board");
    let stone = |letter| match letter {
        'x' => Some(Colour::Black),
        'o' => Some(Colour::White),
        _ => None,
    };
    (size, rows.iter().flat_map(|row| row.chars().map(stone)).collect())
}

fn named(size: Size, names: &str) -> Vec<Point> {
    names
        .split_whitespace()
        .map(|name| {
            size.all()
                .find(|point| point.name(size) == name)
                .expect("a point of the board")
        })
        .collect()
}

fn terms(counting: Counting, group_tax: Tax) -> Terms {
    Terms {
        counting,
        komi: Margin(0),
        prisoners: Sides::default(),
        handicap: 0,
        handicap_return: HandicapReturn::Nothing,
        white_passed_first: false,
        group_tax,
        unfilled: Unfilled::Harmless,
        warnings: Sides::default(),
    }
}

const AREA: (Counting, Tax) = (Counting::Area, Tax::None);
const TERRITORY: (Counting, Tax) = (Counting::Territory, Tax::Seki);

fn counted(rows: &[&str], dead: &str, (counting, tax): (Counting, Tax)) -> Counted {
    let (size, position) = diagram(rows);
    let counted = count(
        size,
        &position,
        &named(size, dead),
        DeadFrom::Given,
        &terms(counting, tax),
    );
    let total = counted.stones.black + counted.stones.white + counted.points.black + counted.points.white;
    let seki = counted
        .owners
        .iter()
        .filter(|owner| **owner == Owner::Seki)
        .count();
    assert_eq!(
        total + counted.shared + u32::try_from(seki).expect("few"),
        u32::from(size.points()),
        "every point is somebody's, or shared"
    );
    counted
}

/// A board of 19 lines with so many stones and points of Black, so many shared points, so many points of
/// White; Black above, White below.
fn halves(stones: usize, points: usize, shared: usize, white_points: usize) -> Vec<Option<Colour>> {
    let mut board = vec![None; points];
    board.extend(vec![Some(Colour::Black); stones]);
    board.extend(vec![None; shared]);
    board.resize(361 - white_points, Some(Colour::White));
    board.resize(361, None);
    board
}

#[test]
fn the_worked_example_adds_up_under_both_ways_of_counting() {
    let board = halves(140, 44, 0, 37);
    let margin = |counting, komi| {
        let terms = Terms {
            komi: Margin(komi),
            ..terms(counting, Tax::None)
        };
        let counted = count(Size::NINETEEN, &board, &[], DeadFrom::Given, &terms);
        assert_eq!((counted.stones.black, counted.stones.white), (140, 140));
        assert_eq!((counted.points.black, counted.points.white), (44, 37));
        counted.margin.0
    };
    for (komi, expected) in [(0, 14), (13, 1), (15, -1)] {
        assert_eq!(
            margin(Counting::Area, komi),
            expected,
            "komi of {komi} quarter stones"
        );
        assert_eq!(
            margin(Counting::Territory, komi),
            expected,
            "komi of {komi} half points"
        );
    }
}

#[test]
fn with_a_komi_of_three_and_three_quarters_black_needs_184_and_a_half() {
    let terms = Terms::of(RuleSet::Chinese, Margin(15));
    for (black, shared, margin) in [(185, 0, 3), (184, 0, -1), (184, 1, 1)] {
        let board = halves(black - 44, 44, shared, 37);
        let counted = count(Size::NINETEEN, &board, &[], DeadFrom::Given, &terms);
        assert_eq!(counted.margin, Margin(margin), "{black} and {shared} shared");
    }
}

#[test]
fn handicap_warnings_and_a_first_pass_of_white_are_sums_of_their_own() {
    let board = halves(140, 44, 0, 37);
    let counted = |change: &dyn Fn(&mut Terms)| {
        let mut terms = terms(Counting::Area, Tax::None);
        change(&mut terms);
        count(Size::NINETEEN, &board, &[], DeadFrom::Given, &terms)
    };
    // Black needs 180½ + n/2: with four stones 182½, so 184 are 1½ stones more.
    let four = counted(&|terms| {
        terms.handicap = 4;
        terms.handicap_return = HandicapReturn::Whole;
    });
    assert_eq!((four.handicap, four.margin), (Margin(8), Margin(6)));
    let four = counted(&|terms| {
        terms.handicap = 4;
        terms.handicap_return = HandicapReturn::AllButOne;
    });
    assert_eq!((four.handicap, four.margin), (Margin(6), Margin(8)));
    let one = counted(&|terms| {
        terms.handicap = 1;
        terms.handicap_return = HandicapReturn::Whole;
    });
    assert_eq!((one.handicap, one.margin), (Margin(0), Margin(14)));
    let passed = counted(&|terms| terms.white_passed_first = true);
    assert_eq!((passed.passed_first, passed.margin), (Margin(2), Margin(12)));
    let warned = counted(&|terms| terms.warnings = Sides { black: 2, white: 1 });
    assert_eq!((warned.warnings, warned.margin), (Margin(4), Margin(10)));
    let beyond = counted(&|terms| terms.warnings.black = u32::MAX);
    assert_eq!(beyond.margin, Margin(i32::MIN));
}

/// The folder of real records beside the project, if it is there.
fn records() -> Option<PathBuf> {
    let folder = std::env::var_os("TIANYUAN_RECORDS").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/records")),
        PathBuf::from,
    );
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no records in {}", folder.display());
    None
}

fn entries(name: &str) -> Option<Vec<Value>> {
    let bytes = std::fs::read(records()?.join(name)).expect("the file of the folder");
    Some(serde_json::from_slice(&bytes).expect("a list of entries"))
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

/// A number with at most one half, in halves.
fn halves_of(value: &Value) -> i32 {
    let text = value.to_string();
    let (whole, half) = text.split_once('.').unwrap_or((&text, "0"));
    let size = 2 * whole.trim_start_matches('-').parse::<i32>().expect("a number") + i32::from(half == "5");
    if text.starts_with('-') { -size } else { size }
}

fn check(
    rows: &[&str],
    dead: &str,
    (way, tax): (Counting, Tax),
    black: u32,
    white: u32,
    shared: u32,
) -> Counted {
    let counted = counted(rows, dead, (way, tax));
    let points = counted.points;
    assert_eq!(
        (points.black, points.white, counted.shared),
        (black, white, shared),
        "{rows:?}"
    );
    counted
}

#[test]
fn a_dead_chain_takes_no_other_chain_with_it() {
    // Two white chains in Black's corner, the second is not named.
    let rows = [
        "..xo.", //
        "ooxo.", //
        "..xo.", //
        "o.xo.", //
        "..xo.",
    ];
    let both = check(&rows, "A4 A2", AREA, 10, 5, 0);
    assert_eq!(both.prisoners, Sides { black: 3, white: 0 });
    assert_eq!(both.margin, Margin(2 * (10 + 5 - 5 - 5)));
    assert_eq!(
        check(&rows, "A4 A2", TERRITORY, 10, 5, 0).margin,
        Margin(2 * (10 + 3 - 5))
    );
    check(&rows, "A2", AREA, 0, 5, 8);
    let (size, position) = diagram(&rows);
    let doubts = |dead: &str| doubts(size, &position, &named(size, dead));
    assert_eq!(doubts("A4 A2"), []);
    let named = |name| named(size, name)[0];
    assert_eq!(
        doubts("A2"),
        [Doubt::BesideLiving(named("A2")), Doubt::Open(named("A2"))]
    );
    assert_eq!(doubts("A1 A2 A4"), [Doubt::NoStone(named("A1"))]);
}

#[test]
fn territory_marks_say_which_chains_are_dead_unless_they_contradict() {
    let rows = [
        "..xo.", //
        "ooxo.", //
        "..xox", //
        "o.xo.", //
        "..xo.",
    ];
    let (size, position) = diagram(&rows);
    let dead = |black: &str, white: &str| {
        let marks = Sides {
            black: named(size, black),
            white: named(size, white),
        };
        dead_from_marks(size, &position, &marks)
    };
    let named = |names| named(size, names);
    let white = "E5 E4 E3 E2 E1";
    // One mark on a chain is enough; a mark on a stone of its own side says nothing new.
    assert_eq!(dead("A5 B4 A2 B3 C3", white), Ok(named("A4 B4 E3 A2")));
    assert_eq!(dead("", ""), Err(MarksFault::None));
    assert_eq!(
        dead("A5 B4", white),
        Err(MarksFault::NotSurrounded(named("A5")[0])),
        "A2 is not marked"
    );
    assert_eq!(dead("A4 A2", "B4"), Err(MarksFault::Both(named("B4")[0])));
    assert_eq!(dead("A5", "A5"), Err(MarksFault::Both(named("A5")[0])));
    let outside = Point { column: 5, row: 0 };
    let marks = Sides {
        black: vec![outside],
        white: Vec::new(),
    };
    assert_eq!(
        dead_from_marks(size, &position, &marks),
        Err(MarksFault::OffBoard(outside))
    );
}

#[test]
fn known_positions_count_as_listed_under_each_tax() {
    for entry in entries("scoring.json").unwrap_or_default() {
        let (size, position) = diagram(&texts(&entry["rows"]));
        for list in ["expect_white_minus_black", "katago_white_minus_black"] {
            for (way, expected) in entry[list].as_object().expect("ways of counting") {
                let (counting, tax) = match way.as_str() {
                    "area-none" => (Counting::Area, Tax::None),
                    "area-seki" => (Counting::Area, Tax::Seki),
                    "area-all" => (Counting::Area, Tax::All),
                    "terr-none" => (Counting::Territory, Tax::None),
                    "terr-seki" => (Counting::Territory, Tax::Seki),
                    "terr-all" => (Counting::Territory, Tax::All),
                    other => panic!("{other} is a new way of counting"),
                };
                // The list calls a group with two eyes beside an unfilled point a seki.
                let terms = Terms {
                    komi: Margin(halves_of(&entry["komi"])),
                    unfilled: Unfilled::MakesSeki,
                    ..terms(counting, tax)
                };
                let counted = count(size, &position, &[], DeadFrom::Given, &terms);
                assert_eq!(
                    counted.margin.0,
                    -halves_of(expected),
                    "{} {way} {list}",
                    entry["name"]
                );
            }
        }
    }
}

#[test]
fn each_judged_point_of_real_positions_has_its_owner() {
    for entry in entries("scoring-ogs.json").unwrap_or_default() {
        let (size, position) = diagram(&texts(&entry["board"]));
        let place =
            |pair: &Value, which: usize| pair[which].as_u64().and_then(|place| u8::try_from(place).ok());
        let dead: Vec<Point> = entry["dead"]
            .as_array()
            .expect("points")
            .iter()
            .map(|pair| Point {
                column: place(pair, 0).expect("a column"),
                row: place(pair, 1).expect("a row"),
            })
            .collect();
        let terms = terms(Counting::Area, Tax::None);
        let counted = count(size, &position, &dead, DeadFrom::Given, &terms);
        assert_eq!(
            counted.dead.len(),
            dead.len(),
            "{}: whole chains are listed",
            entry["file"]
        );
        let expected: String = texts(&entry["correct_ownership"]).concat();
        let mut judged = Sides::<u64>::default();
        for ((owner, expected), point) in counted.owners.iter().zip(expected.chars()).zip(size.all()) {
            let said = match expected {
                'B' => Owner::Black,
                'W' => Owner::White,
                // A point at an open border, which is nobody's; a stone on it is not judged.
                's' if position
                    [usize::from(point.row) * usize::from(size.columns()) + usize::from(point.column)]
                .is_none() =>
                {
                    Owner::Shared
                }
                // Not judged: the game goes on there, or either answer is right.
                's' | ' ' | '*' => continue,
                other => panic!("{other} is a new mark"),
            };
            assert_eq!(*owner, said, "{} at {}", entry["file"], point.name(size));
            judged.black += u64::from(said == Owner::Black);
            judged.white += u64::from(said == Owner::White);
        }
        assert_eq!(
            (Some(judged.black), Some(judged.white)),
            (entry["area_black"].as_u64(), entry["area_white"].as_u64()),
            "{}",
            entry["file"]
        );
        let proposal = propose(size, &position);
        assert!(
            proposal.dead.iter().all(|point| dead.contains(point)),
            "{}",
            entry["file"]
        );
    }
}
