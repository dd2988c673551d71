//! Many events at once, played to find fault with the pairing.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tournament::simulate::trial::{Breach, Counts, Trial, trial};

use super::{Args, FIRST_SEED, file};
use crate::failure::Failure;
use crate::output;

/// So many breaches are told and written down; of more only the number is.
const TOLD: u64 = 20;

/// Plays many events, on every core there is.
pub(super) fn run(args: &Args, events: u64) -> Result<(), Failure> {
    let first = args.seed.unwrap_or(FIRST_SEED);
    let begun = Instant::now();
    let stop = stopped_by_hand();
    let next = AtomicU64::new(0);
    let (mut counts, mut breaches) = (Counts::default(), 0_u64);
    let bar = ProgressBar::with_draw_target(Some(events), ProgressDrawTarget::stderr_with_hz(4));
    if let Ok(style) = ProgressStyle::with_template("{pos} of {len} events, {per_sec}, {eta} left{msg}") {
        bar.set_style(style);
    }
    let (tell, told) = mpsc::channel::<(u64, Trial)>();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            let (tell, next, stop) = (tell.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let event = next.fetch_add(1, Ordering::Relaxed);
                    let seed = first.wrapping_add(event);
                    if event >= events || tell.send((seed, trial(&args.simulation(seed)))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(tell);
        for (seed, trial) in told {
            counts += trial.counts;
            if let Some(breach) = &trial.breach {
                breaches += 1;
                bar.set_message(format!(", BREACHES: {breaches}"));
                if breaches <= TOLD {
                    bar.suspend(|| complain(args, seed, &trial, breach));
                }
            }
            bar.inc(1);
        }
    });
    bar.finish_and_clear();
    if counts.events < events {
        output::complain(&format!("ended after {} of {events} events", counts.events));
    }
    let last = first.wrapping_add(counts.events.saturating_sub(1));
    let all = counts.events == events;
    output::answer(&summary(
        &counts,
        breaches,
        all.then_some((first, last)),
        begun.elapsed(),
    ))?;
    if breaches == 0 {
        Ok(())
    } else {
        Err(Failure::No(Vec::new()))
    }
}

/// Becomes true when somebody presses Ctrl-C: what is under way is finished then and summed up. A
/// second time ends the program at once.
fn stopped_by_hand() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let pressed = Arc::clone(&stop);
    let listen = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            tokio::signal::ctrl_c().await?;
            pressed.store(true, Ordering::Relaxed);
            tokio::signal::ctrl_c().await
        })
    };
    std::thread::spawn(move || {
        // Where nobody can listen, Ctrl-C still ends the program as it always does.
        if listen().is_ok() {
            std::process::exit(STOPPED);
        }
    });
    stop
}

/// The exit code of a program that Ctrl-C ended.
const STOPPED: i32 = 130;

/// Says what is wrong, how to have it again, and writes the event that shows it.
fn complain(args: &Args, seed: u64, trial: &Trial, breach: &Breach) {
    output::complain(&format!("seed {seed}, {breach}"));
    output::complain(&format!("  again: {}", again(std::env::args().skip(1), seed)));
    let path = args
        .failures
        .join(format!("simulated-{seed}-round-{}.json", breach.round));
    match std::fs::write(&path, interchange::write(&file(seed, trial.stage.clone()))) {
        Ok(()) => output::complain(&format!("  written to {}", path.display())),
        Err(error) => output::complain(&format!("  {} cannot be written: {error}", path.display())),
    }
}

/// The command that plays one of the events again: the same one for one event and its seed.
fn again(mut given: impl Iterator<Item = String>, seed: u64) -> String {
    let mut words = vec!["tianyuan".to_owned()];
    while let Some(word) = given.next() {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        if matches!(name, "--events" | "--seed" | "--failures") {
            if name == word {
                given.next();
            }
        } else {
            words.push(word);
        }
    }
    format!("{} --events 1 --seed {seed}", words.join(" "))
}

fn summary(counts: &Counts, breaches: u64, seeds: Option<(u64, u64)>, time: Duration) -> String {
    let seeds = seeds.map_or_else(String::new, |(first, last)| format!("seeds {first} to {last}"));
    let seconds = time.as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "events a second, for people")]
    let rate = counts.events as f64 / seconds.max(f64::EPSILON);
    let mut text = String::new();
    for (what, count, note) in [
        ("events", counts.events, seeds.as_str()),
        ("rounds", counts.rounds, ""),
        ("boards", counts.boards, ""),
        ("found by counting", counts.by_counting, "rounds"),
        ("found by parts of the field", counts.by_part, "rounds"),
        ("found by the whole field", counts.by_whole, "rounds"),
        (
            "certified by dual values",
            counts.certified,
            "rounds that counting alone does not prove",
        ),
        (
            "held against every table",
            counts.tried,
            "rounds of up to ten players",
        ),
        ("with repeats", counts.repeats, "rounds"),
        ("with choices", counts.choices, "rounds"),
        ("choices that cannot be had", counts.dropped, "rounds"),
        (
            "without any table",
            counts.refused,
            "rounds, the event ends there",
        ),
        ("breaches", breaches, ""),
    ] {
        let line = format!("{what:<28}{count:>10}  {note}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    format!("{text}{seconds:.1} s, {rate:.0} events a second\n")
}

#[cfg(test)]
mod tests {
    use super::again;

    #[test]
    fn a_breach_says_the_command_that_plays_its_event_again() {
        for given in [
            "simulate --events 500 --players 2-9 --seed=3 --order fold --failures /tmp",
            "simulate --seed 3 --players 2-9 --failures=/tmp --order fold --events=500",
        ] {
            assert_eq!(
                again(given.split(' ').map(str::to_owned), 17),
                "tianyuan simulate --players 2-9 --order fold --events 1 --seed 17"
            );
        }
    }
}
