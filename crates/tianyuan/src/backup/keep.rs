//! Which backups of a folder are kept, by their age.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};

/// Of the backups made at these times, those to be removed: all of the last 24 hours stay, then the
/// last one of each day (in UTC) until they are older than `keep`. The newest one stays in any case,
/// so that a server that was off for a year still has one.
pub fn outlived(times: &[DateTime<Utc>], now: DateTime<Utc>, keep: TimeDelta) -> Vec<DateTime<Utc>> {
    let times: BTreeSet<_> = times.iter().copied().collect();
    let newest = times.last().copied();
    let mut days = BTreeSet::new();
    let mut outlived = Vec::new();
    for &time in times.iter().rev() {
        let age = now - time;
        let last_of_day = days.insert(time.date_naive());
        let stays = Some(time) == newest || age <= keep && (age <= TimeDelta::hours(24) || last_of_day);
        if !stays {
            outlived.push(time);
        }
    }
    outlived
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        format!("{text}:00Z").parse().expect("a time")
    }

    #[test]
    fn the_last_day_is_kept_whole_then_one_a_day_and_the_newest_always() {
        let now = at("2026-05-10T12:00");
        let keep = TimeDelta::days(30);
        let times = [
            "2026-05-10T11:00",
            "2026-05-10T03:00",
            "2026-05-09T12:00",
            // More than a day old, and not the last of their day.
            "2026-05-09T11:59",
            "2026-05-08T09:00",
            "2026-05-08T23:00",
            "2026-04-10T12:00",
            "2026-04-10T11:59",
            "2026-04-09T23:00",
        ]
        .map(at);
        let gone: BTreeSet<_> = outlived(&times, now, keep).into_iter().collect();
        let expected = [
            "2026-05-09T11:59",
            "2026-05-08T09:00",
            "2026-04-10T11:59",
            "2026-04-09T23:00",
        ]
        .map(at);
        assert_eq!(gone, BTreeSet::from(expected));
        assert!(outlived(&[at("2020-01-01T00:00")], now, keep).is_empty());
        assert!(outlived(&[], now, keep).is_empty());
        // A clock that was wrong once: what lies in the future is kept.
        let ahead = [at("2027-01-01T00:00"), at("2026-05-10T11:00")];
        assert!(outlived(&ahead, now, keep).is_empty());
    }
}
