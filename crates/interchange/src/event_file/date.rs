//! Days, without a clock.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar, years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// What was written is no day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a day: write year, month and day as 2026-05-01")]
pub struct NotADate(pub String);

impl Date {
    /// The day, when the calendar has it.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return None,
        };
        ((1..=9999).contains(&year) && (1..=days).contains(&day)).then_some(Self { year, month, day })
    }

    /// The year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    pub fn day(self) -> u8 {
        self.day
    }
}

impl FromStr for Date {
    type Err = NotADate;

    /// Reads `2026-05-01`.
    fn from_str(text: &str) -> Result<Self, NotADate> {
        let part = |range: std::ops::Range<usize>| {
            text.get(range)
                .filter(|part| part.bytes().all(|b| b.is_ascii_digit()))
        };
        let date = || {
            if text.len() != 10 || text.get(4..5)? != "-" || text.get(7..8)? != "-" {
                return None;
            }
            Self::new(
                part(0..4)?.parse().ok()?,
                part(5..7)?.parse().ok()?,
                part(8..10)?.parse().ok()?,
            )
        };
        date().ok_or_else(|| NotADate(text.to_owned()))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_read() {
        for text in [
            "2026-05-01",
            "2024-02-29",
            "2000-02-29",
            "0001-01-01",
            "9999-12-31",
        ] {
            assert_eq!(
                text.parse::<Date>().map(|date| date.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in [
            "",
            "2026-5-1",
            "2026/05/01",
            "2025-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "0000-01-01",
            "+026-05-01",
            "2026-05-0１",
            "2026-05-01T00:00",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
