//! How long large and hard rounds take, which way proved them the best, and whether the targets
//! are met.
//!
//! `cargo run --release -p tournament --example bench_pairing -- [RUNS [PART OF A NAME]]`: for each
//! event the median time of RUNS runs (usually 9; 3 where a run takes long) of its slowest round,
//! the most memory the process had meanwhile (Linux only; each event has a process of its own), and
//! the proof. Exit code 1 when a target is missed.
#![expect(
    clippy::disallowed_methods,
    reason = "a stopwatch around the pure core, each event in a process of its own"
)]

mod support;

use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use integer_blossom::min_weight_perfect_matching;
use tournament::pairing::{Confirmed, Proof, pair};
use tournament::simulate::{Simulation, simulate_with};
use tournament::{Carried, Entry, Number, Score, Stage};

const CONFIRMED: Confirmed = Confirmed {
    repeats: true,
    provisional: false,
};
const SECOND: Duration = Duration::from_secs(1);

/// An event, the first of its rounds that is measured, and how long one may take.
struct Case {
    name: String,
    from: u32,
    target: Option<Duration>,
    events: Vec<Event>,
}

enum Event {
    Played(Simulation),
    TakenOver(Stage),
}

/// The slowest round of an event.
struct Slowest {
    time: Duration,
    /// The shortest run: what others on the machine add is least in it.
    shortest: Duration,
    round: u32,
    boards: usize,
    memory: Option<u64>,
    /// The weakest proof of all its rounds.
    proof: Proof,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // How one case is asked for in a process of its own.
    if let [flag, name, runs] = &arguments[..]
        && flag == "--case"
    {
        let case = cases().into_iter().find(|case| case.name == *name);
        let slowest = measure(&case.expect("a case by this name"), runs.parse().unwrap_or(1));
        println!(
            "{}\t{}\t{}\t{}\t{}\t{}",
            slowest.time.as_nanos(),
            slowest.shortest.as_nanos(),
            slowest.round,
            slowest.boards,
            slowest
                .memory
                .map_or_else(|| "unknown".to_owned(), |mib| format!("{mib} MiB")),
            words(slowest.proof)
        );
        return ExitCode::SUCCESS;
    }
    let runs: usize = arguments.first().and_then(|runs| runs.parse().ok()).unwrap_or(9);
    let part = arguments.get(1).map_or("", String::as_str);
    println!(
        "Slowest round of each event, one core, median of {runs} runs; growth compares the shortest run of each size"
    );
    println!(
        "{:58} {:>11} {:>6} {:>7} {:>9}  proof",
        "event", "median", "round", "boards", "memory"
    );
    let (mut met, mut of, mut lines) = (0, 0, Vec::new());
    let mut times: Vec<(String, Duration, Duration)> = Vec::new();
    for case in cases().iter().filter(|case| case.name.contains(part)) {
        let Some(answer) = in_a_process(case, runs) else {
            println!("{:58} did not end well", case.name);
            of += 1;
            continue;
        };
        let fields: Vec<&str> = answer.trim_end().split('\t').collect();
        let [median, shortest, round, boards, memory, proof] = fields[..] else {
            continue;
        };
        let [time, shortest] =
            [median, shortest].map(|text| Duration::from_nanos(text.parse().unwrap_or(u64::MAX)));
        println!(
            "{:58} {:>8.2} ms {round:>6} {boards:>7} {memory:>9}  {proof}",
            case.name,
            time.as_secs_f64() * 1e3
        );
        if let Some(target) = case.target {
            let fits = time < target;
            of += 1;
            met += usize::from(fits);
            if !fits {
                lines.push(format!("missed: {} under {target:?}", case.name));
            }
        }
        times.push((case.name.clone(), time, shortest));
    }
    for kind in ["plain", "mixed"] {
        let time = |players: u32| {
            let name = sized(kind, players);
            times
                .iter()
                .find(|(other, ..)| *other == name)
                .map(|(_, median, shortest)| (*median, *shortest))
        };
        if let (Some((_, small)), Some((_, large))) = (time(1_000), time(10_000)) {
            let growth = large.as_secs_f64() / small.as_secs_f64();
            println!("{kind}: growth from 1,000 to 10,000 players {growth:.1} times");
            of += 1;
            met += usize::from(growth < 20.0);
            if growth >= 20.0 {
                lines.push(format!("missed: growth of {kind} under 20 times"));
            }
        }
        if let Some((small, _)) = time(300) {
            let dense = dense(300);
            println!(
                "{kind}: one dense matching of 300 players over four criteria takes {:.1} ms, {:.0} times as long as the whole pairing",
                dense.as_secs_f64() * 1e3,
                dense.as_secs_f64() / small.as_secs_f64()
            );
        }
    }
    for line in &lines {
        println!("{line}");
    }
    println!("targets: {met} of {of} met");
    if met == of {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn words(proof: Proof) -> String {
    match proof {
        Proof::Counting => "counting".to_owned(),
        Proof::PartOfField { players } => format!("search among {players} players"),
        Proof::WholeField => "search of the whole field".to_owned(),
    }
}

fn in_a_process(case: &Case, runs: usize) -> Option<String> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new(program)
        .args(["--case", &case.name, &runs.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

fn sized(kind: &str, players: u32) -> String {
    format!("{players} players, {kind}, round 9")
}

fn mixed(players: u32, rounds: u32, seed: u64) -> Simulation {
    Simulation {
        teams: 800,
        draws: 30,
        byes: 10,
        withdrawals: 10,
        forfeits: 10,
        late: 20,
        ..Simulation::new(players, rounds, seed)
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: String, from: u32, target: Option<Duration>, events: Vec<Event>| {
        cases.push(Case {
            name,
            from,
            target,
            events,
        });
    };
    let seeds = |of: &dyn Fn(u64) -> Simulation| (1..=5).map(|seed| Event::Played(of(seed))).collect();
    let played = |simulation: Simulation| vec![Event::Played(simulation)];
    for players in [100, 300, 1_000, 3_000, 10_000] {
        let target = match players {
            300 => Some(Duration::from_millis(5)),
            1_000 => Some(Duration::from_millis(20)),
            10_000 => Some(SECOND),
            _ => None,
        };
        let plain = Simulation::new(players, 9, 1);
        add(sized("plain", players), 9, target, played(plain));
        add(sized("mixed", players), 9, target, played(mixed(players, 9, 1)));
    }
    for players in [1_000, 10_000] {
        let name = format!("{players} players, mixed, rounds 1 to 9");
        add(name, 1, Some(SECOND), seeds(&|seed| mixed(players, 9, seed)));
    }
    let few = |seed| Simulation::new(24, 11, seed);
    add(
        "24 players, rounds 1 to 11".to_owned(),
        1,
        Some(SECOND),
        seeds(&few),
    );
    for players in [999, 1_000, 10_000] {
        let name = format!("{players} players, half of them in one team, rounds 1 to 9");
        let half = |seed| {
            let mut simulation = Simulation::new(players, 9, seed);
            (simulation.teams, simulation.large_team) = (500, 500);
            simulation.pairing.avoid_team_rounds = 9;
            simulation
        };
        add(name, 1, Some(SECOND), seeds(&half));
    }
    for players in [1_000, 10_000] {
        let name = format!("{players} players, all balances of one sign");
        let events = (1..=5)
            .map(|seed| Event::TakenOver(one_sign(players, seed)))
            .collect();
        add(name, 6, Some(SECOND), events);
    }
    let long = |seed| mixed(2_000, 25, seed);
    add(
        "2000 players, mixed, rounds 1 to 25".to_owned(),
        1,
        Some(SECOND),
        seeds(&long),
    );
    for (players, rounds) in [(20, 10), (301, 9), (10_000, 9)] {
        let name = format!("{players} players, every game drawn, rounds 1 to {rounds}");
        let drawn = |seed| Simulation {
            draws: 1000,
            ..Simulation::new(players, rounds, seed)
        };
        add(name, 1, Some(SECOND), seeds(&drawn));
    }
    let clubs = |seed| {
        let mut simulation = Simulation {
            draws: 1000,
            byes: 100,
            ..Simulation::new(500, 9, seed)
        };
        // Teams come out at a quarter of those who have one: 20 for 80 of 1,000.
        simulation.teams = 160;
        simulation.pairing.avoid_team_rounds = 9;
        simulation
    };
    add(
        "500 players, 20 clubs, absences, every game drawn".to_owned(),
        1,
        Some(SECOND),
        seeds(&clubs),
    );
    let first = Simulation {
        teams: 1000,
        ..Simulation::new(10_000, 1, 1)
    };
    add(
        "10000 players, teams, round 1".to_owned(),
        1,
        Some(SECOND),
        played(first),
    );
    cases
}

/// Everybody has had White more often than Black in five rounds of which only sums are known.
fn one_sign(players: u32, seed: u64) -> Stage {
    let mut stage = Stage::swiss(9);
    stage.first_round = 6;
    let mut state = seed;
    let mut below = |limit: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((state >> 33) % u64::from(limit)).unwrap_or(0)
    };
    let number = |number: u32| Number::new(number).expect("a number from 1");
    for place in 1..=players {
        let mut entry = Entry::new(number(place), format!("{place}"));
        let wins = (0..5).filter(|_| below(2) == 0).count();
        entry.carried = Some(Carried {
            score: Score(i32::try_from(2 * wins).expect("five games")),
            balance: [1, 1, 3, 3, 5][below(5) as usize],
            met: (0..5)
                .map(|_| number(1 + below(players)))
                .filter(|other| other.get() != place)
                .collect(),
        });
        stage.entries.push(entry);
    }
    stage
}

fn measure(case: &Case, runs: usize) -> Slowest {
    let mut slowest: Option<Slowest> = None;
    let mut round = |stage: &Stage| {
        let begin = Instant::now();
        let pairing = pair(stage, CONFIRMED).ok()?;
        let once = begin.elapsed();
        if pairing.round >= case.from {
            let runs = if once > Duration::from_millis(100) {
                3.min(runs)
            } else {
                runs
            };
            // Only a round that may be the slowest needs to be measured with care.
            let (time, shortest, memory) = if slowest.as_ref().is_none_or(|other| once > other.time) {
                support::measured(runs, || {
                    let _ = black_box(pair(black_box(stage), CONFIRMED));
                })
            } else {
                (once, once, None)
            };
            let weakest = slowest
                .as_ref()
                .map_or(pairing.proof, |other| other.proof.max(pairing.proof));
            if slowest.as_ref().is_none_or(|other| time > other.time) {
                slowest = Some(Slowest {
                    time,
                    shortest,
                    round: pairing.round,
                    boards: pairing.boards.len(),
                    memory,
                    proof: weakest,
                });
            } else if let Some(slowest) = &mut slowest {
                slowest.proof = weakest;
            }
        }
        Some(pairing.to_round())
    };
    for event in &case.events {
        match event {
            Event::Played(simulation) => {
                simulate_with(simulation, &mut round);
            }
            Event::TakenOver(stage) => {
                round(stage);
            }
        }
    }
    slowest.expect("a round was paired")
}

/// How long another solver takes for one dense matching: float, square, colour and an order as one
/// number. The median of a few.
fn dense(players: usize) -> Duration {
    let cost = |a: usize, b: usize| {
        let (one, other) = (a * 10 / players, b * 10 / players);
        let colour = u64::from(a % 3 == b % 3);
        let difference = one.abs_diff(other) as u64;
        let order = ((a + 1) * (b + 1) % 97) as u64;
        let digits = [difference, difference * difference, colour, order];
        let number = digits.iter().fold(0, |number, digit| number * 1_000 + digit);
        i64::try_from(number).unwrap_or(i64::MAX)
    };
    let costs: Vec<i64> = (0..players * players)
        .map(|at| cost(at / players, at % players))
        .collect();
    let run = || {
        black_box(min_weight_perfect_matching(&costs, players));
    };
    support::measured(5, run).0
}
