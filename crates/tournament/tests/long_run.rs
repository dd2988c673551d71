//! Thousands of events of every kind, with every round judged: by the checker, which verifies a proof
//! for each table, and table by table by the oracles, up to nine players by trying every table and up
//! to sixty by a matching that shares no code with the engine.
//!
//! `TIANYUAN_EVENTS=10000` plays so many events per test instead of the usual few and says how far it
//! is; `TIANYUAN_SEED=7` begins at that seed.

mod support;

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use support::oracle::{by_the_book, listed, room};
use support::{given, seeds};
use tournament::checker::Facts;
use tournament::simulate::Simulation;
use tournament::simulate::trial::{Breach, Counts, trial_with};
use tournament::{Board, Number, Round, Stage};

/// The most players of whom the oracle tries every table.
const TRY_ALL: usize = 9;
/// How often a long run says how far it is.
const EVERY: Duration = Duration::from_secs(5);

/// Plays events of these sizes and judges them; in a usual run one in so many by the oracles too, in
/// a long one each of them.
fn run(name: &str, usual: u64, one_in: u64, players: RangeInclusive<u32>) -> Counts {
    let long = given("TIANYUAN_EVENTS").is_some();
    let seeds = seeds(usual);
    let all = seeds.end - seeds.start;
    let mut clock = Clock::start();
    let mut counts = Counts::default();
    let mut breaches: Vec<(u64, Breach)> = Vec::new();
    let mut compared = 0_u64;
    for seed in seeds {
        let simulation = Simulation::mixed(players.clone(), 1..=12, seed);
        // Going by the book with a matching for every choice takes longer than all the rest.
        let by_the_book = long || seed % one_in == 0;
        let trial = trial_with(&simulation, |stage, round| {
            if by_the_book {
                compared += 1;
                compare(stage, round)?;
            }
            Ok(())
        });
        counts += trial.counts;
        if let Some(breach) = trial.breach {
            println!("{name}: seed {seed}, {breach}");
            breaches.push((seed, breach));
        }
        if let Some(seconds) = clock.told() {
            let left = seconds * (all - counts.events) / counts.events;
            println!(
                "{name}: {} of {all} events, {} rounds, {} breaches; {seconds} s, about {left} s left",
                counts.events,
                counts.rounds,
                breaches.len()
            );
        }
    }
    println!("{name}: {compared} tables compared, {counts:?}");
    assert!(breaches.is_empty(), "{breaches:?}");
    assert!(counts.rounds >= counts.events, "{counts:?}");
    counts
}

/// The one table that the specification leaves, found without the engine.
fn compare(stage: &Stage, round: &Round) -> Result<(), String> {
    let facts = Facts::of(stage, round);
    let oracle = if facts.players.len() <= TRY_ALL {
        listed(&facts)
    } else {
        room(&facts)
    };
    let mut oracle = oracle.ok_or("the oracle has no table")?;
    let expected = by_the_book(&facts, stage.pairing.order, &mut *oracle);
    if (&expected.boards, &expected.byes) == (&round.boards, &round.byes) {
        return Ok(());
    }
    let words = |boards: &[Board], byes: &[Number]| {
        let boards = boards.iter();
        let pairs: Vec<String> = boards
            .map(|board| format!("{}–{}", board.black, board.white))
            .collect();
        format!("{} byes {byes:?}", pairs.join(" "))
    };
    let (made, due) = (
        words(&round.boards, &round.byes),
        words(&expected.boards, &expected.byes),
    );
    Err(format!("{made}, but by the book {due}"))
}

/// Tells the time of a long run now and then; of the usual run nothing.
struct Clock {
    begun: Instant,
    told: Duration,
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever waits for a long run wants to know how long"
)]
impl Clock {
    fn start() -> Self {
        Self {
            begun: Instant::now(),
            told: Duration::ZERO,
        }
    }

    /// The seconds so far, when it is time to tell them.
    fn told(&mut self) -> Option<u64> {
        let now = self.begun.elapsed();
        let due = given("TIANYUAN_EVENTS").is_some() && now >= self.told + EVERY;
        due.then(|| {
            self.told = now;
            now.as_secs()
        })
    }
}

#[test]
fn small_fields_come_out_as_trying_every_table_says() {
    let counts = run("2–9 players", 4000, 1, 2..=9);
    assert!(counts.tried == counts.rounds, "{counts:?}");
}

#[test]
fn middle_fields_come_out_as_the_matching_says() {
    let counts = run("10–60 players", 2000, 5, 10..=60);
    assert!(
        counts.certified > 0 && counts.by_whole > 0 && counts.choices > 0,
        "{counts:?}"
    );
}
