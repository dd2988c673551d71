//! Short ways to write a stage down, and the oracles the engine is measured against.
#![allow(dead_code, reason = "every test binary uses its own part")]

pub mod events;
pub mod oracle;

use tournament::{Board, Entry, Number, Outcome, Round, Stage};

/// A number.
pub fn n(number: u32) -> Number {
    Number::new(number).expect("a number in range")
}

/// A stage with entries 1 to `players`.
pub fn stage(players: u32, rounds: u32) -> Stage {
    let mut stage = Stage::swiss(rounds);
    stage.entries = (1..=players)
        .map(|number| Entry::new(n(number), format!("Player {number}")))
        .collect();
    stage
}

/// A table without results: (black, white) by board, then byes.
pub fn table(round: u32, pairs: &[(u32, u32)], byes: &[u32]) -> Round {
    Round {
        round,
        boards: pairs
            .iter()
            .zip(1..)
            .map(|((black, white), board)| Board::new(board, n(*black), n(*white)))
            .collect(),
        byes: byes.iter().map(|number| n(*number)).collect(),
        absent: Vec::new(),
        ..Round::default()
    }
}

/// A played round: (black, white, result) by board, then byes.
pub fn played(round: u32, games: &[(u32, u32, Outcome)], byes: &[u32]) -> Round {
    let pairs: Vec<(u32, u32)> = games.iter().map(|(black, white, _)| (*black, *white)).collect();
    let mut table = table(round, &pairs, byes);
    for (board, (_, _, outcome)) in table.boards.iter_mut().zip(games) {
        board.result = Some(*outcome);
    }
    table
}

/// The seeds of a run: so many as are usual, or `TIANYUAN_EVENTS`, from 0 or `TIANYUAN_SEED`.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let first = given("TIANYUAN_SEED").unwrap_or(0);
    first..first + given("TIANYUAN_EVENTS").unwrap_or(usual)
}

/// A number given from outside.
#[expect(
    clippy::disallowed_methods,
    reason = "how much to test is for whoever runs the tests to say"
)]
pub fn given(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
