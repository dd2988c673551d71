//! What the benchmarks share: memory and times.

use std::fs;
use std::time::{Duration, Instant};

/// The median and the shortest of so many runs, and the most memory in MiB that the process had meanwhile, the
/// input included; nothing where the system does not tell (only Linux does).
pub fn measured(runs: usize, mut run: impl FnMut()) -> (Duration, Duration, Option<u64>) {
    // Linux begins the peak anew when it is told so; where it refuses, the peak so far stands.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let mut times: Vec<Duration> = (0..runs.max(1))
        .map(|_| {
            let begin = Instant::now();
            run();
            begin.elapsed()
        })
        .collect();
    times.sort_unstable();
    (times[times.len() / 2], times[0], peak())
}

fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(
        kib.trim()
            .trim_end_matches(" kB")
            .parse::<u64>()
            .ok()?
            .div_ceil(1024),
    )
}
