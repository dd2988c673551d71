//! Counting final positions: the sums of the rules, dead stones, seki, and what can be proposed.

#![expect(clippy::disallowed_methods, reason = "a test may read the records")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rules::{
    Asked, Board, Colour, Count, Counted, Counting, DeadFrom, Doubt, HandicapReturn, Margin, MarksFault,
    Owner, Point, RuleSet, Sides, Size, Suicide, Tax, Terms, Unfilled, Unit, count, dead_from_marks, doubts,
    judge, propose,
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
fn points_in_seki_count_by_area_and_not_by_territory() {
    // Each of the two groups in the middle has an eye, and the point between them neither can fill.
    let rows = [
        ".........",
        "xxxxxxxxx",
        "ooooooooo",
        "o.ooooooo",
        "oooooooo.",
        "xxxxxxxxx",
        "x.xxxxxxx",
        "xxxxxxxxx",
        "ooooooooo",
        ".........",
    ];
    check(&rows, "", AREA, 10, 10, 1);
    let territory = check(&rows, "", TERRITORY, 9, 9, 1);
    let size = Size::new(9, 10).expect("a board");
    let seki: Vec<Point> = size
        .all()
        .zip(&territory.owners)
        .filter(|(_, owner)| **owner == Owner::Seki)
        .map(|(point, _)| point)
        .collect();
    assert_eq!(seki, named(size, "B7 B4"));
}

#[test]
fn an_unfilled_point_takes_nothing_from_a_group_with_two_eyes() {
    let rows = [
        ".xo..", //
        ".xo..", //
        ".x.o.", //
        ".xo..", //
        ".xo..",
    ];
    check(&rows, "", TERRITORY, 5, 9, 1);
    // One side without two eyes is enough to be no seki: the other could fill the point.
    let rows = [
        ".x.xo.", //
        "xxxxo.", //
        "ooo.o.", //
        "..o.o.", //
    ];
    check(&rows, "", TERRITORY, 2, 6, 2);
    let law = Terms {
        unfilled: Unfilled::MakesSeki,
        ..terms(Counting::Territory, Tax::Seki)
    };
    let (size, position) = diagram(&rows);
    let counted = count(size, &position, &[], DeadFrom::Given, &law);
    assert_eq!(
        counted.points,
        Sides::default(),
        "by the letter every group here has a shared point"
    );
}

#[test]
fn group_tax_is_paid_for_each_living_group_beyond_the_opponents() {
    // Black lives twice, White once.
    let rows = [".x.xoox.x.", "xxxxooxxxx", "oooooooooo", ".........."];
    let tax = (Counting::Area, Tax::All);
    let counted = check(&rows, "", tax, 4, 10, 0);
    // One group more is two points: one stone.
    assert_eq!(counted.group_tax, Margin(4));
    let untaxed = check(&rows, "", AREA, 4, 10, 0);
    assert_eq!(untaxed.margin.0 - counted.margin.0, 4);
    // A group in seki pays nothing, and its eye counts for nobody.
    let seki = [
        ".........",
        "xxxxxxxxx",
        "ooooooooo",
        "o.ooooooo",
        "oooooooo.",
        "xxxxxxxxx",
        "x.xxxxxxx",
        "xxxxxxxxx",
        "ooooooooo",
        ".........",
    ];
    assert_eq!(check(&seki, "", tax, 9, 9, 1).group_tax, Margin(0));
}

#[test]
fn an_empty_board_is_shared_and_one_stone_has_all_of_it() {
    let counted = check(&["...", "...", "..."], "", AREA, 0, 0, 9);
    assert_eq!(counted.margin, Margin(0));
    assert_eq!(
        check(&["...", ".x.", "..."], "", AREA, 8, 0, 0).margin,
        Margin(18)
    );
    assert_eq!(
        check(&["...", ".x.", "..."], "B2", AREA, 0, 0, 9).prisoners,
        Sides { black: 0, white: 1 }
    );
    // A board that is not square; a side may own nothing.
    check(&["..", "xx", "xo", "o."], "", AREA, 2, 1, 0);
}

fn proposal(rows: &[&str]) -> (Vec<String>, bool, usize) {
    let (size, position) = diagram(rows);
    let proposal = propose(size, &position, Suicide::Forbidden);
    assert_eq!(proposal.settled, proposal.unsettled.is_empty());
    let dead = proposal.dead.iter().map(|point| point.name(size)).collect();
    (dead, proposal.settled, proposal.unsettled.len())
}

#[test]
fn only_what_no_play_can_change_is_proposed() {
    // Two eyes each, and a white stone that has no room for any.
    let settled = [
        ".x.xo.o", //
        "xxxxooo", //
        "x.oxo.o", //
        "xxxxooo", //
    ];
    assert_eq!(proposal(&settled), (vec!["C2".to_owned()], true, 0));
    // In three points in a row White could make no second eye; in a corner of nine it may live.
    let wide = [
        ".x.xxxx", //
        "xxxx..x", //
        "o...o.x", //
        "....xxx", //
        "..ox...", //
    ];
    let (dead, settled, unsettled) = proposal(&wide);
    assert_eq!((dead.as_slice(), settled), ([].as_slice(), false));
    assert!(unsettled >= 3, "the white stones are open");
    // A seki is not settled: each side could still be captured if it passed.
    assert!(
        !proposal(&[
            ".........",
            "xxxxxxxxx",
            "ooooooooo",
            "o.ooooooo",
            "oooooooo.",
            "xxxxxxxxx",
            "x.xxxxxxx",
            "xxxxxxxxx",
            "ooooooooo",
            "........."
        ])
        .1
    );
    assert_eq!(proposal(&["..", ".."]), (Vec::new(), true, 0));
    assert!(
        !proposal(&["...", ".x.", "..."]).1,
        "a lone stone is not alive for certain"
    );
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
    let black = "A5 B5 B4 A3 B3 A2 B2 A1 B1 C3";
    assert_eq!(dead(black, white), Ok(named("A4 B4 E3 A2")));
    assert_eq!(
        dead(black, "E3 E2 E1 E4"),
        Err(MarksFault::NotMarked(named("E5")[0])),
        "the marks leave out a point of White's"
    );
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
    let mut otherwise = BTreeSet::new();
    for entry in entries("scoring.json").unwrap_or_default() {
        let (size, position) = diagram(&texts(&entry["rows"]));
        let name = entry["name"].as_str().expect("a name");
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
                let margin = |unfilled| {
                    let terms = Terms {
                        komi: Margin(halves_of(&entry["komi"])),
                        unfilled,
                        ..terms(counting, tax)
                    };
                    count(size, &position, &[], DeadFrom::Given, &terms).margin.0
                };
                // The list goes by the letter: a group beside an unfilled point is in seki.
                let expected = -halves_of(expected);
                assert_eq!(margin(Unfilled::MakesSeki), expected, "{name} {way} {list}");
                if margin(Unfilled::Harmless) != expected {
                    otherwise.insert((name.to_owned(), way.clone()));
                }
            }
        }
    }
    // As games are counted, groups with two eyes keep their points in these two, where one and three points
    // were left unfilled beside them.
    for (name, way) in otherwise {
        assert!(
            ["group-tax-seki-1", "one-dame"].contains(&name.as_str()),
            "{name} {way}"
        );
        assert!(!way.ends_with("none"), "{name} {way}");
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
        // Ground only stays open where nobody is said to have it.
        for doubt in doubts(size, &position, &dead) {
            let (Doubt::NoStone(point) | Doubt::BesideLiving(point) | Doubt::Open(point)) = doubt;
            let at = usize::from(point.row) * usize::from(size.columns()) + usize::from(point.column);
            let said = expected.chars().nth(at).expect("a mark");
            assert!(!"BW".contains(said), "{}: {doubt:?}", entry["file"]);
        }
        let proposal = propose(size, &position, Suicide::Forbidden);
        assert!(
            proposal.dead.iter().all(|point| dead.contains(point)),
            "{}",
            entry["file"]
        );
    }
}

#[test]
fn a_known_seki_counts_as_its_author_counted_it() {
    let Some(folder) = records() else { return };
    let bytes = std::fs::read(folder.join("exotics/seki_score.sgf")).expect("the record");
    let counted = |rules: RuleSet| {
        let asked = Asked {
            rules: Some(rules),
            dead: Some(Vec::new()),
            ..Asked::default()
        };
        match judge(&bytes, &asked).map(|verdict| verdict.count) {
            Ok(Count::Counted(counted)) => counted,
            other => panic!("{other:?}"),
        }
    };
    let territory = counted(RuleSet::Japanese);
    assert_eq!(territory.points, Sides { black: 96, white: 97 });
    // By area 8 eyes and 1 in seki as well, and a point that both share.
    let area = counted(RuleSet::Chinese);
    assert_eq!(
        (area.points, area.shared),
        (
            Sides {
                black: 104,
                white: 98
            },
            1
        )
    );
    assert_eq!(area.stones, Sides { black: 79, white: 79 });
}

#[test]
fn rare_positions_count_their_seki_and_are_left_to_people() {
    let Some(folder) = records() else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.join("exotics"))
        .expect("the folder")
        .flatten()
    {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "sgf") {
            continue;
        }
        let asked = Asked {
            rules: Some(RuleSet::Japanese),
            dead: Some(Vec::new()),
            ..Asked::default()
        };
        let verdict = judge(&std::fs::read(&path).expect("the record"), &asked).expect("a record");
        let proposal = propose(verdict.size, &verdict.position, Suicide::Forbidden);
        assert_eq!(proposal.dead, [], "{}", path.display());
        assert!(!proposal.settled, "{}", path.display());
        seen += 1;

        let seki = match path.file_stem().and_then(|stem| stem.to_str()) {
            // Without eyes; with an eye each; with a false eye.
            Some("seki1") => "",
            Some("seki2") => "B2 E2",
            Some("seki_stupid") => "A4 D2 A1",
            _ => continue,
        };
        let Count::Counted(counted) = verdict.count else {
            panic!("{}", path.display());
        };
        let found: Vec<Point> = (verdict.size.all().zip(counted.owners))
            .filter(|(_, owner)| *owner == Owner::Seki)
            .map(|(point, _)| point)
            .collect();
        assert_eq!(found, named(verdict.size, seki), "{}", path.display());
    }
    assert!(seen >= 20, "the folder has its positions");
}

/// A stone of each dead chain in the finished games of the records, which do not mark them. GNU Go 3.8 found
/// them; that they are right is shown by the results, which are known from elsewhere.
const DEAD: [(&str, &str); 38] = [
    ("score3.sgf", "ca hb bc bf df rf rh qi"),
    ("score4.sgf", "je fh ki pm sr rs"),
    ("score5.sgf", "nd jg lh bi oi ol ln kq"),
    ("score7.sgf", "dh bi nj ok rn bo oo bq gq bs"),
    ("score8.sgf", "da ab bc ad be ie af pk dn hq"),
    ("score9.sgf", "cb ec ee ge ie dh gh ih fi hi lk rk kl jm"),
    ("score11.sgf", "ea ia ed bj ij il hm an pn rr as qs"),
    ("score12.sgf", "nb rb fc pf mh"),
    ("score13.sgf", "aa ca mc ad jd ci ei ki oi hl em ho aq fs"),
    ("score14.sgf", "aa fc hd be ie qf kh bp lq qq"),
    ("score15.sgf", "ha gc oc pe of ph fi ji kj ik hl lm ep"),
    ("score16.sgf", "bb cc pc nf sf rg ni oj dn"),
    ("score18.sgf", "oa pe rf lj kk gq qr"),
    ("score19.sgf", "ld he me qf ei mk bo"),
    ("score21.sgf", "kg lh mi oj fl bn kn nn cq js"),
    ("score23.sgf", "cd jg ch dj jk nm bn mn on ko no mp qp bq fq ar"),
    ("score24.sgf", "cb fb ec fl oo oq"),
    ("score25.sgf", "ib pb he ke re nq"),
    ("score26.sgf", "hc ie dk bl el hn gp ks"),
    ("score27.sgf", "hj gm qn hr pr"),
    ("score28.sgf", "rd qe cm eq lq"),
    ("score29.sgf", "na ri mq rq"),
    ("score30.sgf", "la db ob gc ah ei cn fq rq"),
    ("score31.sgf", "fd eg lk hl km mm do oo ro"),
    ("score32.sgf", "ce rg bj fj oj rj qk jl gm km mo"),
    (
        "score34.sgf",
        "da hb mb pb jc nc kg lh bi ji dk cl am bn qo dp bq",
    ),
    ("score35.sgf", "hc jc oe dg gg eh ql on bo po nq mr"),
    ("score36.sgf", "ld kf mf ng mh ni ml ln"),
    ("score43.sgf", "kb md le if fk el im"),
    ("score45.sgf", "hl hn"),
    ("score46.sgf", "da gc dd hd"),
    ("score47.sgf", "qf fg bh ji qj fk pl rl mm om qm rn"),
    ("score49.sgf", "ca rb ag cg eh mm lp bq ms"),
    ("score50.sgf", "pn"),
    ("score51.sgf", "bc ic mg kh nh kj mj nl mm fo ap"),
    ("score52.sgf", "dc co eq"),
    ("score56.sgf", "mb qb nc lj"),
    (
        "silverado-gnugo-3.3.8-200209120723.sgf",
        "ea ia db hb jb pb ic hd ef ih hk nm qn eq pr rs",
    ),
];

#[test]
fn finished_games_count_to_their_results_by_territory() {
    for entry in entries("scoring-gnugo.json").unwrap_or_default() {
        let file = entry["file"].as_str().expect("a file");
        let name = file.rsplit('/').next().unwrap_or(file);
        let dead = DEAD
            .iter()
            .find(|(listed, _)| *listed == name)
            .expect("its dead stones")
            .1;
        let asked = Asked {
            rules: Some(RuleSet::Japanese),
            dead: Some(dead.split(' ').filter_map(Point::from_record).collect()),
            ..Asked::default()
        };
        let bytes = std::fs::read(records().expect("the folder").join(file)).expect("the record");
        let verdict = judge(&bytes, &asked).expect(name);
        let Count::Counted(counted) = verdict.count else {
            panic!("{name}: {:?}", verdict.count);
        };
        println!(
            "{name} {} {}",
            counted.margin.to_record(Unit::Points),
            entry["expect"]
        );
    }
}

/// A position after many moves, none of which fills a point between stones of its own side alone.
fn played(size: Size, moves: &[u16]) -> Board {
    let mut board = Board::new(size);
    let points: Vec<Point> = size.all().collect();
    for (number, at) in moves.iter().enumerate() {
        let side = if number % 2 == 0 {
            Colour::Black
        } else {
            Colour::White
        };
        let point = points[usize::from(*at) % points.len()];
        let own_eye = point.neighbours(size).all(|near| board.at(near) == Some(side));
        if board.at(point).is_none() && !own_eye {
            let _forbidden = board.play(side, point, Suicide::Forbidden);
        }
    }
    board
}

fn swapped(position: &[Option<Colour>]) -> Vec<Option<Colour>> {
    position.iter().map(|stone| stone.map(Colour::other)).collect()
}

/// The points that `side` has whatever comes: its own stones that are safe, and dead ones of the other side.
fn held(board: &Board, side: Colour, suicide: Suicide) -> Vec<Point> {
    let proposal = propose(board.size(), &board.position(), suicide);
    (board.size().all())
        .filter(|point| match board.at(*point) {
            Some(stone) if stone == side => {
                !proposal.unsettled.contains(point) && !proposal.dead.contains(point)
            }
            Some(_) => proposal.dead.contains(point),
            None => false,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_position_counts_to_all_its_points_and_alike_for_both_sides(
        columns in 2_u8..9,
        rows in 2_u8..9,
        stones in vec(0_u8..3, 0..81),
        dead in vec((0_u8..10, 0_u8..10), 0..6),
        territory in any::<bool>(),
        tax in select(vec![Tax::None, Tax::Seki, Tax::All]),
        unfilled in select(vec![Unfilled::Harmless, Unfilled::MakesSeki]),
        suicide in select(vec![Suicide::Forbidden, Suicide::Several]),
    ) {
        let size = Size::new(columns, rows).expect("a board");
        let stone = |number: &u8| [None, Some(Colour::Black), Some(Colour::White)][usize::from(*number)];
        let position: Vec<_> = stones.iter().map(stone).collect();
        let dead: Vec<_> = dead.iter().map(|(column, row)| Point { column: *column, row: *row }).collect();
        let counting = if territory { Counting::Territory } else { Counting::Area };
        let terms = Terms { unfilled, ..terms(counting, tax) };
        let counted = count(size, &position, &dead, DeadFrom::Given, &terms);
        prop_assert_eq!(counted.owners.len(), usize::from(size.points()));
        let seki = counted.owners.iter().filter(|owner| **owner == Owner::Seki).count();
        let sums = counted.stones.black + counted.stones.white + counted.points.black + counted.points.white;
        prop_assert_eq!(sums + counted.shared + u32::try_from(seki).expect("few"), u32::from(size.points()));

        let other = count(size, &swapped(&position), &dead, DeadFrom::Given, &terms);
        prop_assert_eq!(other.margin.0, -counted.margin.0);
        prop_assert_eq!((other.points.black, other.stones.black), (counted.points.white, counted.stones.white));

        prop_assert_eq!(doubts(size, &position, &dead).len(), doubts(size, &swapped(&position), &dead).len());
        let (one, two) = (propose(size, &position, suicide), propose(size, &swapped(&position), suicide));
        prop_assert_eq!(one, two);
        let marks = Sides { black: dead.clone(), white: Vec::new() };
        let _read = dead_from_marks(size, &position, &marks);
    }

    #[test]
    fn what_is_proposed_holds_although_the_side_only_passes(
        moves in vec(any::<u16>(), 0..160),
        attack in vec(any::<u16>(), 0..60),
        lines in 3_u8..7,
        suicide in select(vec![Suicide::Forbidden, Suicide::Several]),
    ) {
        let size = Size::square(lines).expect("a board");
        let board = played(size, &moves);
        let points: Vec<Point> = size.all().collect();
        for side in [Colour::Black, Colour::White] {
            let before = held(&board, side, suicide);
            let mut board = played(size, &moves);
            for at in &attack {
                let point = points[usize::from(*at) % points.len()];
                if board.at(point).is_none() {
                    let _forbidden = board.play(side.other(), point, suicide);
                }
            }
            let after = held(&board, side, suicide);
            for point in before {
                prop_assert!(
                    board.at(point).is_none() || after.contains(&point),
                    "{:?} at {}", board.at(point), point.name(size)
                );
            }
        }
    }
}
