//! How long a large round takes: simulates an event and prints the time of each round.
//!
//! `cargo run --release -p tournament --example pair_1000 [PLAYERS [ROUNDS [SEED [KIND]]]]`, where
//! KIND is `plain`, `mixed` (the default: teams, draws, byes, withdrawals, forfeits) or `teams`.
#![expect(clippy::disallowed_methods, reason = "a stopwatch around the pure core")]

use std::time::{Duration, Instant};

use tournament::checker::judge;
use tournament::pairing::{Confirmed, pair};
use tournament::simulate::{Simulation, simulate_with};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u32| {
        arguments
            .get(at)
            .and_then(|text| text.parse().ok())
            .unwrap_or(usual)
    };
    let mut simulation = Simulation::new(number(0, 1000), number(1, 9), u64::from(number(2, 1)));
    let kind = arguments.get(3).map_or("mixed", String::as_str);
    if kind != "plain" {
        simulation.teams = 800;
    }
    if kind == "mixed" {
        simulation.draws = 30;
        simulation.byes = 10;
        simulation.withdrawals = 10;
        simulation.forfeits = 10;
    }
    let confirmed = Confirmed {
        repeats: true,
        ..Confirmed::default()
    };
    let mut last = Duration::ZERO;
    let stage = simulate_with(&simulation, |stage| {
        let begin = Instant::now();
        let pairing = pair(stage, confirmed).ok()?;
        last = begin.elapsed();
        println!(
            "round {:2}: {:4} boards in {last:?}",
            pairing.round,
            pairing.boards.len()
        );
        Some(pairing.to_round())
    });
    if let Some(round) = stage.rounds.last() {
        let begin = Instant::now();
        let judgement = judge(&stage, round);
        println!(
            "{} players, {kind}: round {} paired in {last:?}; judged in {:?}, {}",
            simulation.players,
            round.round,
            begin.elapsed(),
            if judgement.is_sound() {
                "nothing wrong"
            } else {
                "something wrong"
            }
        );
    }
}
