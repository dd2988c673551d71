//! How long standings with every criterion take, beside a plain recomputation and the target.
//!
//! `cargo run --release -p tournament --example bench_standings -- [RUNS]`: for 1,000, 3,000 and
//! 10,000 players after 13 rounds the median time of RUNS runs (usually 21), the most memory the
//! process had meanwhile (Linux only), and how many times as long it takes to work out nothing but
//! every opponents' score by looking each board up in its round. Both must give the same sums.
//! Exit code 1 when a target is missed.
#![expect(clippy::disallowed_methods, reason = "a stopwatch around the pure core")]

mod support;

use std::collections::HashSet;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tournament::simulate::{Simulation, simulate_with};
use tournament::standings::{Standings, Value, standings};
use tournament::{Board, Criterion, Number, Ranking, Round, Score, Stage, tally};

const ROUNDS: u32 = 13;
/// The most that standings of 10,000 players may take.
const TARGET: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let runs = std::env::args().nth(1).and_then(|runs| runs.parse().ok());
    let runs: usize = runs.unwrap_or(21).max(1);
    println!("Standings after {ROUNDS} rounds, every criterion, one core, median of {runs} runs");
    println!("players      median      memory  plain opponents' score");
    let medians = [1_000, 3_000, 10_000].map(|players| measure(players, runs));
    println!(
        "growth from 1,000 to 10,000 players: {:.1} times",
        medians[2].as_secs_f64() / medians[0].as_secs_f64()
    );
    let met = medians[2] < TARGET;
    println!(
        "target, 10,000 players under {TARGET:?}: {}",
        if met { "met" } else { "missed" }
    );
    if met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One line of the table; the median.
fn measure(players: u32, runs: usize) -> Duration {
    let stage = event(players);
    let table = standings(&stage, ROUNDS);
    let (median, _, peak) = support::measured(runs, || {
        black_box(standings(black_box(&stage), ROUNDS));
    });
    let begin = Instant::now();
    let sums = plain_opponents_scores(&stage);
    let plain = begin.elapsed();
    assert_eq!(sums, opponents_scores(&stage, &table), "two ways, two sums");
    println!(
        "{players:7}  {:7.2} ms  {:>10}  {:8.0} ms, {:.0} times as long",
        median.as_secs_f64() * 1e3,
        peak.map_or_else(|| "unknown".to_owned(), |mib| format!("{mib} MiB")),
        plain.as_secs_f64() * 1e3,
        plain.as_secs_f64() / median.as_secs_f64()
    );
    median
}

/// An event with teams, draws, byes, forfeits, withdrawals and late entries. Neighbours in score
/// order who have not met sit down: a table need not be the best one to be counted.
fn event(players: u32) -> Stage {
    let mut simulation = Simulation::new(players, ROUNDS, 1);
    simulation.teams = 800;
    simulation.draws = 30;
    simulation.byes = 10;
    simulation.forfeits = 10;
    simulation.withdrawals = 10;
    simulation.both_lose = 2;
    simulation.late = 20;
    let mut met: HashSet<(Number, Number)> = HashSet::new();
    let mut stage = simulate_with(&simulation, |stage| {
        let round = stage.next_round();
        let books = tally(stage, round - 1);
        let mut field: Vec<(Score, Number)> = stage
            .entries
            .iter()
            .zip(&books)
            .filter(|(entry, _)| entry.plays_in(round))
            .map(|(entry, book)| (book.score, entry.number))
            .collect();
        field.sort_unstable();
        let mut table = Round {
            round,
            ..Round::default()
        };
        while let Some((_, black)) = field.pop() {
            let mut new = |white: Number| met.insert((black.min(white), black.max(white)));
            let Some(opponent) = field.iter().rposition(|(_, white)| new(*white)) else {
                table.byes.push(black);
                continue;
            };
            let white = field.remove(opponent).1;
            let board = u32::try_from(table.boards.len() + 1).ok()?;
            table.boards.push(Board::new(board, black, white));
        }
        Some(table)
    });
    let lots = stage
        .entries
        .iter()
        .map(|entry| (entry.number, entry.number.get()));
    stage.ranking = Ranking {
        lots: lots.collect(),
        ..Ranking::of(&Criterion::ALL)
    };
    stage
}

/// Every opponents' score in the order of the entries, each board looked up in its round.
fn plain_opponents_scores(stage: &Stage) -> Vec<i64> {
    let score = |number: Number| -> Score {
        let points = stage.rounds.iter().map(|round| match round.board_of(number) {
            Some((board, side)) => board.result.map_or(Score::ZERO, |outcome| outcome.score(side)),
            None if round.byes.contains(&number) => stage.pairing.bye_score,
            None => stage.pairing.absent_score,
        });
        points.sum()
    };
    let of_entry = |number: Number| -> Score {
        let boards = stage.rounds.iter().filter_map(|round| round.board_of(number));
        boards.map(|(board, side)| score(board.on(side.other()))).sum()
    };
    stage
        .entries
        .iter()
        .map(|entry| i64::from(of_entry(entry.number).0))
        .collect()
}

/// The same sums as the table has them.
fn opponents_scores(stage: &Stage, table: &Standings) -> Vec<i64> {
    let at = Criterion::ALL
        .iter()
        .position(|criterion| *criterion == Criterion::OpponentsScore);
    let of_entry = |number: Number| match table.row(number)?.values.get(at?)? {
        Value::Number(sum) => Some(sum.numerator()),
        _ => None,
    };
    let sums = stage.entries.iter().map(|entry| of_entry(entry.number));
    sums.map(|sum| sum.expect("a sum for everybody")).collect()
}
