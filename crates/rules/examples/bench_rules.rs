//! How fast games are replayed and judged, beside plain ways and the targets.
//!
//! `cargo run --release -p rules --example bench_rules -- [RUNS]`: RUNS runs (usually 21). Of
//! each game the shortest run counts, and the games are added up: a game takes microseconds, and whatever
//! else the machine does can only make a run longer.
//! Replaying knows captures, suicide and positional repetition; beside it stands a plain replay, which
//! looks for liberties stone by stone at each move and keeps a set of whole boards. Both must take the
//! same stones and find the same repetitions. The games are those of `TIANYUAN_RECORDS`, or of
//! `../shared/records` beside the project; where there are none, random ones.
//! Exit code 1 when a target is missed.
#![expect(clippy::disallowed_methods, reason = "a stopwatch around the pure core")]

use std::collections::HashSet;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rules::{Colour, Move, Point, Problem, Replay, RuleSet, Rules, Size, Suicide};

/// How many times as fast as the plain replay.
const REPLAY: f64 = 8.0;

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
    let (origin, games) = games();
    let met = replays(&origin, &games, runs);
    if met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The replay beside the plain one.
fn replays(origin: &str, games: &[Game], runs: usize) -> bool {
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
    let fast = shortest(games, runs, |game| replay(game, &rules));
    let slow = shortest(games, runs.div_ceil(3), plain);
    let times = slow.as_secs_f64() / fast.as_secs_f64();
    println!("              time   moves a second");
    for (name, time) in [("replay", fast), ("plain", slow)] {
        println!(
            "{name:8}  {:5.2} ms  {:6.1} million",
            time.as_secs_f64() * 1e3,
            count(moves) / time.as_secs_f64() / 1e6
        );
    }
    let met = times >= REPLAY;
    println!(
        "target, {REPLAY} times the plain replay: {times:.1} times, {}",
        if met { "met" } else { "missed" }
    );
    met
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

/// Real games, or random ones, and what they are.
fn games() -> (String, Vec<Game>) {
    let folder = std::env::var_os("TIANYUAN_RECORDS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/records"),
        PathBuf::from,
    );
    let files = std::fs::read_dir(folder.join("games"));
    let mut names: Vec<PathBuf> = (files.into_iter().flatten().flatten())
        .map(|file| file.path())
        .collect();
    names.sort_unstable();
    let read = names.iter().filter_map(|name| std::fs::read(name).ok());
    let games: Vec<Game> = read.filter_map(|bytes| main_line(&bytes)).collect();
    if games.is_empty() {
        ("random games".to_owned(), (0..240).map(random).collect())
    } else {
        ("real games".to_owned(), games)
    }
}

/// A game of random moves that are possible, 300 long.
fn random(seed: u64) -> Game {
    let mut state = seed;
    let mut lot = move |below: u8| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = state;
        number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u8::try_from((number ^ (number >> 31)) % u64::from(below)).unwrap_or(0)
    };
    let mut replay = Replay::new(Size::NINETEEN, RuleSet::Chinese.rules(), None);
    let mut moves = Vec::new();
    let mut side = Colour::Black;
    while moves.len() < 300 {
        let (column, row) = (lot(19), lot(19));
        let play = Move::Stone(Point { column, row });
        if !matches!(replay.play(side, play).problem, Some(Problem::Void(_))) {
            moves.push((side, play));
            side = side.other();
        }
    }
    Game {
        lines: 19,
        setup: Vec::new(),
        moves,
    }
}

/// The first line of a record up to its first branch's end, by its bytes.
fn main_line(bytes: &[u8]) -> Option<Game> {
    let mut game = Game {
        lines: 19,
        ..Game::default()
    };
    let (mut name, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b')' => break,
            b'A'..=b'Z' => {
                if at > 0 && !bytes[at - 1].is_ascii_uppercase() {
                    name.clear();
                }
                name.push(bytes[at]);
            }
            b'[' => {
                let from = at + 1;
                while at < bytes.len() && bytes[at] != b']' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                let text = std::str::from_utf8(bytes.get(from..at)?).unwrap_or_default();
                let point = Point::from_record(text);
                let on_board = point.filter(|point| point.column < game.lines && point.row < game.lines);
                let side = if name.ends_with(b"W") {
                    Colour::White
                } else {
                    Colour::Black
                };
                match name.as_slice() {
                    b"SZ" => game.lines = text.parse().ok().filter(|lines| *lines <= 52)?,
                    b"B" | b"W" => game.moves.push((side, on_board.map_or(Move::Pass, Move::Stone))),
                    b"AB" | b"AW" if game.moves.is_empty() => {
                        game.setup.extend(on_board.map(|point| (side, point)));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        at += 1;
    }
    (!game.moves.is_empty()).then_some(game)
}
