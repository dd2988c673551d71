//! Where the clock of an event stands, and when its rounds begin.

use std::collections::BTreeMap;

use chrono::{DateTime, FixedOffset, Local, LocalResult, NaiveDateTime, TimeZone as _, Utc};
pub use chrono_tz::Tz;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::unreadable;
use crate::json::{count, stored};
use crate::load::STAGE;
use crate::{Refused, Result, Tx};

/// The zone of an event and the starts of its rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The zone; none for that of the server.
    pub zone: Option<Tz>,
    /// Round → when it begins, as the clock in the hall shows it.
    pub starts: BTreeMap<u32, NaiveDateTime>,
}

impl Schedule {
    /// The name of the zone; none for that of the server.
    pub fn zone_name(&self) -> Option<&'static str> {
        self.zone.map(Tz::name)
    }

    /// A moment as the clock in the hall shows it, with its offset from UTC.
    pub fn local(&self, at: DateTime<Utc>) -> DateTime<FixedOffset> {
        match self.zone {
            Some(zone) => at.with_timezone(&zone).fixed_offset(),
            None => at.with_timezone(&Local).fixed_offset(),
        }
    }

    /// The moment at which the clock in the hall shows a time. When clocks go back it shows some
    /// times twice, and the first is meant; when they go forward it skips some, and there is none.
    pub fn moment(&self, local: NaiveDateTime) -> Option<DateTime<FixedOffset>> {
        fn first<Z: chrono::TimeZone>(found: LocalResult<DateTime<Z>>) -> Option<DateTime<FixedOffset>> {
            found.earliest().map(|at| at.fixed_offset())
        }
        match self.zone {
            Some(zone) => first(zone.from_local_datetime(&local)),
            None => first(Local.from_local_datetime(&local)),
        }
    }

    /// When a round begins; none where that is not known.
    pub fn start_of(&self, round: u32) -> Option<DateTime<FixedOffset>> {
        self.moment(*self.starts.get(&round)?)
    }

    /// Refuses a start at a time that no clock of the zone shows.
    pub(crate) fn check(&self) -> std::result::Result<(), Refused> {
        match self
            .starts
            .iter()
            .find(|(_, local)| self.moment(**local).is_none())
        {
            None => Ok(()),
            Some((round, local)) => Err(Refused::SkippedTime {
                round: *round,
                local: *local,
                zone: self.zone_name().unwrap_or("local").to_owned(),
            }),
        }
    }
}

/// The schedule of an event.
pub(crate) async fn of(conn: &mut PgConnection, event: Uuid) -> Result<Schedule> {
    let zone = sqlx::query_scalar!("select time_zone from events where event_id = $1", event)
        .fetch_one(&mut *conn)
        .await?;
    let starts = sqlx::query!(
        "select round_no, starts_at from round_starts where event_id = $1 and stage_no = $2",
        event,
        STAGE
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|row| Ok((count(row.round_no)?, row.starts_at)))
    .collect::<Result<_>>()?;
    Ok(Schedule {
        zone: zone.map(|zone| zone.parse().map_err(unreadable)).transpose()?,
        starts,
    })
}

/// Puts a schedule in the place of the one that is there.
pub(crate) async fn write(tx: &mut Tx, event: Uuid, schedule: &Schedule) -> Result<()> {
    let starts = &schedule.starts;
    sqlx::query!(
        "update events set time_zone = $2 where event_id = $1",
        event,
        schedule.zone_name()
    )
    .execute(tx.conn())
    .await?;
    sqlx::query!(
        "delete from round_starts where event_id = $1 and stage_no = $2",
        event,
        STAGE
    )
    .execute(tx.conn())
    .await?;
    let rounds: Vec<i32> = starts.keys().map(|round| stored(*round)).collect();
    let times: Vec<NaiveDateTime> = starts.values().copied().collect();
    sqlx::query!(
        r#"insert into round_starts (event_id, stage_no, round_no, starts_at)
           select $1, $2, s.* from unnest($3::integer[], $4::timestamp[]) s"#,
        event,
        STAGE,
        &rounds,
        &times
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(text: &str) -> NaiveDateTime {
        text.parse().expect("a local time")
    }

    #[test]
    fn a_time_in_the_hall_is_a_moment_everywhere_or_is_refused() {
        let mut schedule = Schedule {
            zone: Some(Tz::America__New_York),
            ..Schedule::default()
        };
        for (hall, utc) in [
            ("2026-10-31T13:30:00", "2026-10-31T17:30:00Z"),
            // Clocks have gone back in the night.
            ("2026-11-01T13:30:00", "2026-11-01T18:30:00Z"),
            // Half past one comes twice; the first is meant.
            ("2026-11-01T01:30:00", "2026-11-01T05:30:00Z"),
        ] {
            let moment = schedule.moment(local(hall)).expect(hall);
            assert_eq!(moment, utc.parse::<DateTime<Utc>>().expect("a moment"), "{hall}");
            assert_eq!(schedule.local(moment.to_utc()).naive_local(), local(hall));
        }
        schedule.starts.insert(1, local("2026-11-01T13:30:00"));
        assert!(schedule.check().is_ok());
        schedule.starts.insert(2, local("2026-03-08T02:30:00"));
        assert!(matches!(
            schedule.check(),
            Err(Refused::SkippedTime { round: 2, .. })
        ));
    }
}
