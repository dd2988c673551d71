//! Whatever comes in, the judge answers, at once, and its verdict hangs together.

#![expect(clippy::disallowed_methods, reason = "a test may look at the clock")]

use std::time::{Duration, Instant};

use proptest::prelude::*;
use rules::{
    Asked, Colour, Count, Move, OnRepetition, Point, RefusalKind, RuleSet, Sides, Size, Standing, Verdict,
    Weight, judge,
};

/// Pieces of records, whole and broken.
const PIECES: [&str; 40] = [
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    ":",
    ",",
    "B[aa]",
    "W[bb]",
    ";B[cc]",
    ";W[dd]",
    ";B[ba];W[ab]",
    ";B[]",
    ";W[tt]",
    "AB[aa:cc]",
    "AW[ee][ff]",
    "AE[aa:ii]",
    "SZ[9]",
    "SZ[5:5]",
    "SZ[19]",
    "SZ[52]",
    "GM[1]",
    "GM[2]",
    "KM[375]",
    "KM[7目半]",
    "HA[2]",
    "HA[x]",
    "RE[B+R]",
    "RE[白胜1/4子]",
    "RU[Japanese]",
    "PB[甲]",
    "PW[乙]",
    "CA[GBK]",
    "TB[aa:bb]",
    "TW[hh,ii]",
    "C[x\\]]",
    "BL[1.5]",
    "(;GM[1]SZ[9]",
    "\u{feff}",
];

fn asked() -> impl Strategy<Value = Asked> {
    let rules = prop::option::of(prop::sample::select(RuleSet::ALL.as_slice()));
    let on_repetition = prop::option::of(prop::sample::select(OnRepetition::ALL.as_slice()));
    let point = (0..20u8, 0..20u8).prop_map(|(column, row)| Point { column, row });
    let dead = prop::option::of(prop::collection::vec(point, 0..5));
    let handicap = prop::option::of(0..10u32);
    let game = prop::option::of(0..3usize);
    (rules, on_repetition, dead, handicap, game).prop_map(|(rules, on_repetition, dead, handicap, game)| {
        Asked {
            rules,
            on_repetition,
            dead,
            handicap,
            game,
            ..Asked::default()
        }
    })
}

/// Some moves, most of them on a small board, with passes.
fn moves() -> impl Strategy<Value = Vec<(bool, Option<(u8, u8)>)>> {
    let play = prop::option::weighted(0.95, (0..5u8, 0..5u8));
    prop::collection::vec((prop::bool::weighted(0.05), play), 0..120)
}

/// Holds a verdict to itself: captures add up, and the position is what the moves leave.
fn check(verdict: &Verdict) {
    let size = verdict.size;
    let index =
        |point: &Point| usize::from(point.row) * usize::from(size.columns()) + usize::from(point.column);
    let mut board = vec![None; usize::from(size.points())];
    for (side, point) in &verdict.setup {
        assert!(size.holds(*point));
        board[index(point)] = Some(*side);
    }
    let mut captures = Sides::<u32>::default();
    let mut setup = verdict.setup_midgame.iter().peekable();
    for (number, judged) in (1..).zip(&verdict.moves) {
        while let Some((_, stone, point)) = setup.next_if(|(before, ..)| *before <= number) {
            board[index(point)] = *stone;
        }
        if judged.void {
            assert!(judged.captured.is_empty());
            continue;
        }
        let Move::Stone(point) = judged.play else {
            assert!(judged.captured.is_empty());
            continue;
        };
        assert_eq!(
            board[index(&point)].replace(judged.side),
            None,
            "a stone on a stone"
        );
        assert!(
            judged
                .captured
                .is_sorted_by_key(|taken| (taken.row, taken.column))
        );
        let own = judged.captured.contains(&point);
        let taken = if own { judged.side } else { judged.side.other() };
        for point in &judged.captured {
            assert_eq!(
                board[index(point)].take(),
                Some(taken),
                "a stone of the other side"
            );
        }
        captures[taken.other()] += u32::try_from(judged.captured.len()).expect("a small number");
    }
    for (_, stone, point) in setup {
        board[index(point)] = *stone;
    }
    assert_eq!(verdict.position, board);
    assert_eq!(verdict.captures, captures);
    assert!(
        verdict
            .moves
            .windows(2)
            .all(|two| two[0].place.offset <= two[1].place.offset)
    );

    let weight = |weight| verdict.findings.iter().any(|finding| finding.weight() == weight);
    match verdict.standing {
        Standing::Legal => {
            assert!(!weight(Weight::Illegal) && !weight(Weight::Broken) && !weight(Weight::Referee));
        }
        Standing::Illegal => assert!(weight(Weight::Illegal)),
        Standing::Uncertain => assert!(weight(Weight::Broken)),
        Standing::Referee | Standing::NoResult | Standing::Draw | Standing::Replay => {
            assert!(weight(Weight::Referee));
        }
    }
    if let Count::Counted(counted) = &verdict.count {
        let points = counted.owners.len();
        assert_eq!(points, verdict.position.len());
        assert!(
            counted
                .dead
                .iter()
                .all(|point| verdict.position[index(point)].is_some())
        );
    }
    for finding in &verdict.findings {
        assert!(!finding.kind.code().is_empty());
        let moves = u32::try_from(verdict.moves.len()).expect("a small number");
        assert!(
            finding
                .move_number
                .is_none_or(|number| (1..=moves).contains(&number))
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..400), asked in asked()) {
        if let Ok(verdict) = judge(&bytes, &asked) {
            check(&verdict);
        }
    }

    #[test]
    fn pieces_of_records_are_answered(
        pieces in prop::collection::vec(prop::sample::select(PIECES.as_slice()), 0..60),
        asked in asked(),
    ) {
        let record = format!("(;{}", pieces.concat());
        if let Ok(verdict) = judge(record.as_bytes(), &asked) {
            check(&verdict);
        }
    }

    #[test]
    fn games_with_captures_and_repetitions_hang_together(
        moves in moves(),
        asked in asked(),
        cut in prop::option::of((0..400usize, any::<u8>())),
    ) {
        let mut record = "(;GM[1]SZ[5]AB[aa][cc]AW[ee]".to_owned();
        let mut side = Colour::White;
        for (again, play) in moves {
            if !again {
                side = side.other();
            }
            let point = play.map_or_else(String::new, |(column, row)| Point { column, row }.to_record());
            let letter = if side == Colour::Black { "B" } else { "W" };
            record.extend([";", letter, "[", &point, "]"]);
        }
        record.push(')');
        let mut bytes = record.into_bytes();
        if let Some((at, byte)) = cut {
            // A damaged byte somewhere.
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let asked = Asked { game: None, ..asked };
        if let Ok(verdict) = judge(&bytes, &asked) {
            check(&verdict);
        }
    }
}

/// Far more than an optimised build needs; a quadratic step needs minutes.
const AT_ONCE: Duration = Duration::from_secs(20);

fn timed(what: &str, record: &str) -> Result<Verdict, RefusalKind> {
    let start = Instant::now();
    let verdict = judge(record.as_bytes(), &Asked::default()).map_err(|refusal| refusal.kind);
    let took = start.elapsed();
    println!("{what}: {took:?}");
    assert!(took < AT_ONCE, "{what}: {took:?}");
    verdict
}

#[test]
fn hostile_records_are_answered_at_once() {
    let line = |moves: usize| {
        let mut record = "(;GM[1]SZ[52]".to_owned();
        for (number, point) in (0..moves).zip(Size::square(52).expect("a size").all().cycle()) {
            let side = if number % 2 == 0 { "B" } else { "W" };
            record.extend([";", side, "[", &point.to_record(), "]"]);
        }
        record + ")"
    };
    let long = timed("a long line", &line(99_000)).expect("a game");
    assert_eq!(long.moves.len(), 99_000);
    check(&long);

    let occupied = format!("(;GM[1]SZ[9]{})", ";B[aa];W[aa]".repeat(49_000));
    let verdict = timed("stones on stones", &occupied).expect("a game");
    assert_eq!(
        (verdict.moves.len(), verdict.standing),
        (98_000, Standing::Illegal)
    );

    let kos = format!(
        "(;GM[1]SZ[9]AB[ba][ab][bc]AW[ca][bb][db][cc]{})",
        ";B[cb];W[bb]".repeat(49_000)
    );
    let verdict = timed("a ko taken in turn", &kos).expect("a game");
    assert_eq!(
        verdict.captures,
        Sides {
            black: 49_000,
            white: 49_000
        }
    );

    let rectangles = format!("(;GM[1]SZ[52]AB{};B[aa])", "[aa:ZZ]".repeat(140_000));
    assert_eq!(
        timed("rectangles", &rectangles).expect("a game").setup.len(),
        52 * 52
    );

    let setups = format!("(;GM[1]SZ[52];B[aa]{})", ";AB[aa:ZZ];AE[aa:ZZ]".repeat(45_000));
    let refused = timed("points set up over and over", &setups).expect_err("too many");
    assert_eq!(refused, RefusalKind::TooManySetups { limit: 100_000 });

    let off_board = format!("(;GM[1]SZ[9]AB{})", "[zz]".repeat(1_000));
    let refused = timed("points off the board", &off_board).expect_err("not known");
    assert_eq!(
        refused,
        RefusalKind::SetupOffBoard {
            text: "zz".to_owned()
        }
    );

    let comments = format!("(;GM[1]SZ[9];B[aa]{})", ";C[x]".repeat(90_000));
    assert_eq!(timed("comments", &comments).expect("a game").moves.len(), 1);

    let results = format!("(;GM[1]SZ[9]RE{};B[aa])", "[B+R][W+R]".repeat(90_000));
    assert!(timed("results", &results).is_ok());

    let marks = format!("(;GM[1]SZ[52];B[aa]{})", "TB[aa:ZZ]TW[aa:ZZ]".repeat(50_000));
    assert!(timed("marks", &marks).is_ok());

    let two = format!("(;GM[1]SZ[9];{})", "B[aa]B[bb]W[cc]".repeat(60_000));
    assert_eq!(timed("moves in a node", &two).expect("a game").moves.len(), 2);

    let games = "(;GM[1]SZ[9]PB[x];B[aa])".repeat(30_000);
    let Err(RefusalKind::SeveralGames { games, of }) = timed("games", &games) else {
        panic!("several games");
    };
    assert_eq!((games.len(), of), (RefusalKind::GAMES, 30_000));

    let variations = format!("(;GM[1]SZ[9]{}", "(;B[aa](;W[bb])(;W[cc])".repeat(20_000));
    assert!(timed("variations", &variations).is_ok());
}
