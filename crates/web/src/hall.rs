//! The clock that counts while a request is answered: what time it is, and in which zone the event of the
//! address is played. Refusals are made far from the event that they are of, and tell times all the same.

use chrono::{DateTime, Datelike, FixedOffset, Local, Utc};
use store::{Schedule, Tz};

/// The clock of a request.
#[derive(Clone, Copy, Debug)]
pub struct Hall {
    /// Now.
    pub now: DateTime<Utc>,
    /// The zone of the event or the family in the address; none for that of the server.
    pub zone: Option<Tz>,
}

tokio::task_local! {
    static HALL: Hall;
}

/// Answers a request by a clock.
pub async fn within<F: Future>(hall: Hall, answer: F) -> F::Output {
    HALL.scope(hall, answer).await
}

/// A moment as the clock of the event in the address shows it; elsewhere as the server's does.
pub fn local(at: DateTime<Utc>) -> DateTime<FixedOffset> {
    let zone = HALL.try_with(|hall| hall.zone).ok().flatten();
    match zone {
        Some(zone) => at.with_timezone(&zone).fixed_offset(),
        None => at.with_timezone(&Local).fixed_offset(),
    }
}

/// The schedule of nothing in particular, in the zone of the address.
pub fn schedule() -> Schedule {
    Schedule {
        zone: HALL.try_with(|hall| hall.zone).ok().flatten(),
        ..Schedule::default()
    }
}

/// Whether a local time is in the year that is now.
pub fn is_this_year(local: DateTime<FixedOffset>) -> bool {
    let now = HALL.try_with(|hall| hall.now).unwrap_or_else(|_| Utc::now());
    now.with_timezone(local.offset()).year() == local.year()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::pages::words;

    #[tokio::test]
    async fn a_moment_is_told_by_the_clock_of_the_hall_with_the_year_where_it_is_another() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a moment");
        let hall = Hall {
            now: at("2026-11-30T12:00:00Z"),
            zone: Some(Tz::Asia__Shanghai),
        };
        for (moment, zh, en) in [
            ("2026-05-01T01:30:00Z", "5月1日 09:30 UTC+8", "1 May, 09:30 UTC+8"),
            (
                "2025-05-01T01:30:00Z",
                "2025年5月1日 09:30 UTC+8",
                "1 May 2025, 09:30 UTC+8",
            ),
            // In the hall the new year has begun.
            (
                "2026-12-31T17:00:00Z",
                "2027年1月1日 01:00 UTC+8",
                "1 Jan 2027, 01:00 UTC+8",
            ),
        ] {
            let told = |t| within(hall, async move { words::moment(t, at(moment)) });
            assert_eq!(told(Language::Chinese).await, zh);
            assert_eq!(told(Language::English).await, en);
        }
    }
}
