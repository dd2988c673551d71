//! How long the checker takes: to judge a table, to verify a certificate with values for everybody;
//! and how long the engine takes to make one.
//!
//! `scripts/bench certificate [PLAYERS…]`
#![expect(clippy::disallowed_methods, reason = "a stopwatch around the pure core")]

use std::time::Instant;

use tournament::certificate::Certificate;
use tournament::checker::{judge, verify};
use tournament::pairing::{Confirmed, pair, prove, why};
use tournament::simulate::{Simulation, simulate};

fn main() {
    let given: Vec<u32> = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok())
        .collect();
    let sizes = if given.is_empty() {
        vec![300, 1000, 3000, 10_000]
    } else {
        given
    };
    for players in sizes {
        for kind in ["plain", "mixed", "teams"] {
            let mut simulation = Simulation::new(players, 8, 1);
            if kind != "plain" {
                simulation.teams = 800;
            }
            if kind == "mixed" {
                simulation.draws = 30;
                simulation.byes = 10;
                simulation.withdrawals = 10;
                simulation.forfeits = 10;
            }
            let mut stage = simulate(&simulation);
            stage.rounds_planned = 9;
            if kind == "teams" {
                stage.pairing.avoid_team_rounds = 9;
            }
            let mut begin = Instant::now();
            let mut lap = || {
                let passed = begin.elapsed();
                begin = Instant::now();
                passed
            };
            let Ok(pairing) = pair(&stage, Confirmed::default()) else {
                continue;
            };
            let table = pairing.to_round();
            let paired = lap();
            let judgement = judge(&stage, &table);
            let judged = lap();
            let open = judgement
                .values
                .iter()
                .filter(|value| value.reached > value.least)
                .count();
            let float = table.boards.iter().find(|board| {
                let found = why::board(&stage, &table, board.board);
                lap();
                found.is_some_and(|found| !found.properties.is_empty())
            });
            lap();
            let (one, other) = (table.boards[0].black, table.boards[1].white);
            why::not_met(&stage, &table, one, other);
            let asked = lap();
            if let Some(board) = float {
                why::board(&stage, &table, board.board);
            }
            let told = lap();
            let all = if players <= 300 {
                why::reasons(&stage, &table);
                format!(", the whole report {:.1?}", lap())
            } else {
                String::new()
            };
            println!("{players:6} {kind:5}: why two did not meet {asked:.1?}, why a board {told:.1?}{all}");
            if players > 3000 {
                println!(
                    "{players:6} {kind:5}: paired {paired:.1?}, judged {judged:.1?} ({open} of {} values open)",
                    judgement.values.len()
                );
                continue;
            }
            lap();
            let certificate = prove::by_duals(&stage, &table);
            let made = lap();
            let Some(Certificate::Duals(duals)) = &certificate else {
                println!(
                    "{players:6} {kind:5}: paired {paired:.1?}, judged {judged:.1?} ({open} open), no certificate"
                );
                continue;
            };
            let verdict = verify(&stage, &table, &Certificate::Duals(duals.clone()));
            let verified = lap();
            println!(
                "{players:6} {kind:5}: paired {paired:.1?}, judged {judged:.1?} ({open} of {} values open), made {made:.1?}, verified {verified:.1?}, {} values, {} sets, {} bits: {}",
                judgement.values.len(),
                duals.players.len(),
                duals.sets.len(),
                duals.digits.first().map_or(0, |digit| digit.bit + digit.width),
                verdict.map_or_else(|fault| fault.to_string(), |()| "it holds".to_owned()),
            );
        }
    }
}
