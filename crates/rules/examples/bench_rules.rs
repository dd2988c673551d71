//! How fast games are replayed and judged, beside plain ways and the targets.
//!
//! `cargo run --release -p rules --example bench_rules -- [RUNS]`: RUNS runs (usually 21). Of
//! each game the shortest run counts, and the games are added up: a game takes microseconds, and whatever
//! else the machine does can only make a run longer.
//! Replaying knows captures, suicide and positional repetition; beside it stands a plain replay, which
//! looks for liberties stone by stone at each move and keeps a set of whole boards. Both must take the
//! same stones and find the same repetitions. Judging begins with the bytes of a file; beside it stands what
//! the crate sgf-parse takes to read the same file. The games are those of `TIANYUAN_RECORDS`, or of
//! `../shared/records` beside the project; where there are none, random ones.
//! Exit code 1 when a target is missed.
#![expect(clippy::disallowed_methods, reason = "a stopwatch around the pure core")]

use std::collections::HashSet;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rules::{Asked, Board, Colour, Move, Point, Problem, Replay, RuleSet, Rules, Size, Suicide, judge, sgf};

/// How many times as fast as the plain replay.
const REPLAY: f64 = 8.0;
/// How many times as fast as another reader.
const VERDICT: f64 = 10.0;
/// The most that a file of the largest size may take.
const MONSTER: Duration = Duration::from_millis(250);

/// A game to replay.
#[derive(Default)]
struct Game {
    lines: u8,
    setup: Vec<(Colour, Point)>,
    moves: Vec<(Colour, Move)>,
}

/// What a replay came to: stones taken, positions that came again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    taken: usize,
    again: usize,
}

fn main() -> ExitCode {
    let runs = std::env::args().nth(1).and_then(|runs| runs.parse().ok());
    let runs: usize = runs.unwrap_or(21).max(1);
    let (origin, files) = records();
    let met = [
        replays(origin, &files, runs),
        verdicts(origin, &files, runs),
        monsters(runs),
    ];
    if met.into_iter().all(|met| met) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// From bytes to a verdict beside what another reader takes to read the same files alone. It reads text, so
/// only files that are text are given to either, and of those the ones that it can read.
fn verdicts(origin: &str, files: &[Vec<u8>], runs: usize) -> bool {
    let texts: Vec<&str> = (files.iter())
        .filter_map(|file| std::str::from_utf8(file).ok())
        .filter(|text| sgf_parse::parse(text).is_ok() && judge(text.as_bytes(), &first_game()).is_ok())
        .collect();
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    println!(
        "\nFrom bytes to a verdict, {} {origin} that sgf-parse 4.2.8 reads too, {:.0} KiB",
        texts.len(),
        count(bytes) / 1024.0
    );
    let asked = first_game();
    let ours = shortest(&texts, runs, |text| judge(text.as_bytes(), &asked));
    let read = shortest(&texts, runs, |text| sgf::read(text.as_bytes(), None));
    let theirs = shortest(&texts, runs, |text| sgf_parse::parse(text));
    println!("                       time   MiB a second");
    for (name, time) in [("read", read), ("verdict", ours), ("sgf-parse, read", theirs)] {
        println!(
            "{name:16}  {:6.2} ms  {:11.0}",
            time.as_secs_f64() * 1e3,
            count(bytes) / time.as_secs_f64() / f64::from(1 << 20)
        );
    }
    println!(
        "reading alone is {:.1} times as fast as sgf-parse's",
        theirs.as_secs_f64() / read.as_secs_f64()
    );
    target("sgf-parse's reading alone", VERDICT, theirs, ours)
}

/// Files as large as they may be.
fn monsters(runs: usize) -> bool {
    let branches = b"(;".repeat(1 << 19);
    let line = record(&random_of(19, 99_999, 1));
    let mut ko = b"(;SZ[52]AB[ba][ab][bc]AW[bb][ca][db][cc]".to_vec();
    for number in 0..99_999 {
        ko.extend_from_slice(if number % 2 == 0 { b";B[cb]" } else { b";W[bb]" });
    }
    ko.push(b')');
    println!("\nLarge files, shortest of {runs} runs: time to the answer, and what it is");
    let mut met = true;
    for (name, file) in [
        ("1 MiB of “(;”", branches),
        ("99,999 random moves in a line", line),
        ("99,999 moves that retake one ko", ko),
    ] {
        let asked = first_game();
        let time = shortest(&[&file], runs, |file| judge(file, &asked));
        let answer = match judge(&file, &asked) {
            Ok(verdict) => format!(
                "{:?}, {} moves, {} findings",
                verdict.standing,
                verdict.moves.len(),
                verdict.findings.len()
            ),
            Err(refusal) => format!("refused: {:?}", refusal.kind),
        };
        println!("{name:32} {:6.1} ms  {answer}", time.as_secs_f64() * 1e3);
        met &= time < MONSTER;
    }
    println!(
        "target, each under {MONSTER:?}: {}",
        if met { "met" } else { "missed" }
    );
    met
}

/// Says whether the fast one is so many times as fast as the slow one.
fn target(of: &str, times: f64, slow: Duration, fast: Duration) -> bool {
    let reached = slow.as_secs_f64() / fast.as_secs_f64();
    let met = reached >= times;
    println!(
        "target, {times} times {of}: {reached:.1} times, {}",
        if met { "met" } else { "missed" }
    );
    met
}

/// The replay beside the plain one.
fn replays(origin: &str, files: &[Vec<u8>], runs: usize) -> bool {
    let games: Vec<Game> = files.iter().filter_map(|file| game(file)).collect();
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    println!(
        "Replay of {} {origin}, {moves} moves, with captures, suicide and positional repetition; one core, \
         shortest of {runs} runs of each",
        games.len()
    );
    let rules = Rules {
        suicide: Suicide::Several,
        ..*RuleSet::Chinese.rules()
    };
    let ours: Vec<Sum> = games.iter().map(|game| replay(game, &rules)).collect();
    let theirs: Vec<Sum> = games.iter().map(plain).collect();
    assert_eq!(ours, theirs, "two ways, two sums");
    let fast = shortest(&games, runs, |game| replay(game, &rules));
    let slow = shortest(&games, runs, plain);
    println!("              time   moves a second");
    for (name, time) in [("replay", fast), ("plain", slow)] {
        println!(
            "{name:8}  {:5.2} ms  {:6.1} million",
            time.as_secs_f64() * 1e3,
            count(moves) / time.as_secs_f64() / 1e6
        );
    }
    target("the plain replay", REPLAY, slow, fast)
}

/// Each one's shortest time of so many runs, added up.
fn shortest<T, R>(of: &[T], runs: usize, mut run: impl FnMut(&T) -> R) -> Duration {
    let mut times = vec![Duration::MAX; of.len()];
    for _ in 0..runs {
        for (one, time) in of.iter().zip(&mut times) {
            let begin = Instant::now();
            black_box(run(black_box(one)));
            *time = begin.elapsed().min(*time);
        }
    }
    times.into_iter().sum()
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn count(number: usize) -> f64 {
    number as f64
}

fn replay(game: &Game, rules: &Rules) -> Sum {
    let size = Size::square(game.lines).unwrap_or(Size::NINETEEN);
    let mut replay = Replay::new(size, rules, None);
    for (side, point) in &game.setup {
        replay.set_up(*point, Some(*side));
    }
    let mut sum = Sum::default();
    for (side, play) in &game.moves {
        let played = replay.play(*side, *play);
        sum.taken += played.captured.len();
        sum.again += usize::from(matches!(played.problem, Some(Problem::Repeated(_))));
    }
    sum
}

/// The plain way: a byte for each point, every chain looked up anew, every board kept whole.
fn plain(game: &Game) -> Sum {
    let lines = usize::from(game.lines);
    let place = |point: Point| usize::from(point.row) * lines + usize::from(point.column);
    let stone = |side: Colour| if side == Colour::Black { 1 } else { 2 };
    let mut board = vec![0; lines * lines];
    for (side, point) in &game.setup {
        board[place(*point)] = stone(*side);
    }
    let mut boards = HashSet::from([board.clone()]);
    let mut sum = Sum::default();
    for (side, play) in &game.moves {
        let Some(at) = play.point().map(place).filter(|at| board[*at] == 0) else {
            continue;
        };
        board[at] = stone(*side);
        let mut taken = 0;
        for near in neighbours(at, lines) {
            if board[near] == stone(side.other()) {
                taken += take_without_liberties(&mut board, near, lines);
            }
        }
        if taken == 0 {
            taken = take_without_liberties(&mut board, at, lines);
            // One stone alone may not take itself.
            if taken == 1 {
                continue;
            }
        }
        sum.taken += taken;
        sum.again += usize::from(!boards.insert(board.clone()));
    }
    sum
}

fn neighbours(at: usize, lines: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (at / lines, at % lines);
    [
        (row > 0).then(|| at - lines),
        (column > 0).then(|| at - 1),
        (column + 1 < lines).then(|| at + 1),
        (row + 1 < lines).then(|| at + lines),
    ]
    .into_iter()
    .flatten()
}

/// Takes the chain on a point off the board when it has no liberty; how many stones that were.
fn take_without_liberties(board: &mut [u8], at: usize, lines: usize) -> usize {
    let (chain, liberties) = flood(board, at, lines);
    if liberties > 0 {
        return 0;
    }
    for stone in &chain {
        board[*stone] = 0;
    }
    chain.len()
}

/// The chain on a point, and the number of its liberties.
fn flood(board: &[u8], at: usize, lines: usize) -> (Vec<usize>, usize) {
    let mut seen = vec![false; board.len()];
    seen[at] = true;
    let mut chain = vec![at];
    let mut liberties = 0;
    let mut looked = 0;
    while looked < chain.len() {
        for near in neighbours(chain[looked], lines) {
            if seen[near] {
                continue;
            }
            seen[near] = true;
            if board[near] == board[at] {
                chain.push(near);
            } else if board[near] == 0 {
                liberties += 1;
            }
        }
        looked += 1;
    }
    (chain, liberties)
}

/// The files of real games, or of random ones, and what they are.
fn records() -> (&'static str, Vec<Vec<u8>>) {
    let folder = std::env::var_os("TIANYUAN_RECORDS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/records"),
        PathBuf::from,
    );
    let files = std::fs::read_dir(folder.join("games"));
    let mut names: Vec<PathBuf> = (files.into_iter().flatten().flatten())
        .map(|file| file.path())
        .collect();
    names.sort_unstable();
    let files: Vec<Vec<u8>> = (names.iter())
        .filter_map(|name| std::fs::read(name).ok())
        .collect();
    if files.is_empty() {
        (
            "random games",
            (0..240).map(|seed| record(&random(seed))).collect(),
        )
    } else {
        ("real games", files)
    }
}

/// What the replay needs of a file: its first game, when it can be judged and nothing is set up in it later.
fn game(file: &[u8]) -> Option<Game> {
    let verdict = judge(file, &first_game()).ok()?;
    let plain = verdict.size.is_square() && verdict.setup_midgame.is_empty() && !verdict.moves.is_empty();
    plain.then(|| Game {
        lines: verdict.size.rows(),
        setup: verdict.setup,
        moves: verdict.moves.iter().map(|play| (play.side, play.play)).collect(),
    })
}

fn first_game() -> Asked {
    Asked {
        game: Some(1),
        ..Asked::default()
    }
}

/// A game as a file.
fn record(game: &Game) -> Vec<u8> {
    let mut text = format!("(;GM[1]FF[4]SZ[{}]", game.lines);
    for (side, play) in &game.moves {
        let side = if *side == Colour::Black { "B" } else { "W" };
        let point = play.point().map(Point::to_record).unwrap_or_default();
        text.extend(["\n;", side, "[", &point, "]"]);
    }
    text.push(')');
    text.into_bytes()
}

/// A game of 300 random moves.
fn random(seed: u64) -> Game {
    random_of(19, 300, seed)
}

/// A game of random moves that are possible.
fn random_of(lines: u8, length: usize, seed: u64) -> Game {
    let mut state = seed;
    let mut lot = move |below: u8| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = state;
        number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u8::try_from((number ^ (number >> 31)) % u64::from(below)).unwrap_or(0)
    };
    let size = Size::square(lines).unwrap_or(Size::NINETEEN);
    let mut board = Board::new(size);
    let mut side = Colour::Black;
    let moves = std::iter::repeat_with(|| {
        // A side may have no point left.
        let play = (0..1_000).find_map(|_| {
            let (column, row) = (lot(lines), lot(lines));
            let point = Point { column, row };
            let played = board.play(side, point, Suicide::Forbidden).is_ok();
            played.then_some(Move::Stone(point))
        });
        side = side.other();
        (side.other(), play.unwrap_or(Move::Pass))
    });
    let moves = moves.take(length).collect();
    Game {
        lines,
        setup: Vec::new(),
        moves,
    }
}
