//! Komi (贴子, 贴目): what White is given for moving second.

mod record;

pub use record::{KomiNotRead, RecordKomi};

use std::fmt;
use std::str::FromStr;

use crate::Unit;

/// A komi in quarters of the event's unit (stones 子 or points 目, see
/// [`Unit`](crate::Unit)). Exact; 0 is none, negative is a komi that Black is given. At most 400 units
/// either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Komi(i16);

/// What was written is no komi.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "“{0}” is not a komi: write a decimal in whole, half or quarter units up to 400, such as 3.75, 6.5 or 0"
)]
pub struct NotAKomi(pub String);

impl Komi {
    /// No komi.
    pub const NONE: Self = Self(0);
    /// The largest komi, in quarters.
    const LIMIT: i16 = 1_600;

    /// A komi of so many quarters of the event's unit.
    ///
    /// # Errors
    /// When it is more than 400 units either way.
    pub fn from_quarters(quarters: i16) -> Result<Self, NotAKomi> {
        if (-Self::LIMIT..=Self::LIMIT).contains(&quarters) {
            Ok(Self(quarters))
        } else {
            Err(NotAKomi(format!("{quarters}/4")))
        }
    }

    /// For the table of rule sets, whose values are known to be in range.
    pub(crate) const fn known(quarters: i16) -> Self {
        Self(quarters)
    }

    /// The largest komi of an event, either way, in the unit: 25 stones (子) or 50 points (目). A komi makes an
    /// even game fair, and no event has asked for more than the first dozen points; beyond this it is a slip,
    /// as 375 for 3.75. Less than nothing stays: where the weaker side always has Black, Black may be given
    /// some (让先倒贴).
    pub const fn most_in_an_event(unit: Unit) -> u32 {
        match unit {
            Unit::Stones => 25,
            Unit::Points => 50,
        }
    }

    /// Whether an event whose rules count in the unit can be played with it.
    pub fn fits_an_event(self, unit: Unit) -> bool {
        u32::from(self.0.unsigned_abs()) <= Self::most_in_an_event(unit) * 4
    }

    /// The komi in quarters of the event's unit.
    pub fn quarters(self) -> i16 {
        self.0
    }
}

impl FromStr for Komi {
    type Err = NotAKomi;

    /// Reads a decimal: `3.75`, `6.5`, `0`, `-5`; a decimal comma is a point, so `6,5` is 6.5 and never 65.
    fn from_str(text: &str) -> Result<Self, NotAKomi> {
        parse(text).ok_or_else(|| NotAKomi(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Komi> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if whole.len() > 3 || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let quarters = match fraction.trim_end_matches('0') {
        "" => 0,
        "25" => 1,
        "5" => 2,
        "75" => 3,
        _ => return None,
    };
    let quarters = whole.parse::<i16>().ok()? * 4 + quarters;
    Komi::from_quarters(if negative { -quarters } else { quarters }).ok()
}

impl fmt::Display for Komi {
    /// With a decimal point and no zeros to spare: `3.75`, `6.5`, `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        let fraction = ["", ".25", ".5", ".75"][usize::from(size % 4)];
        write!(f, "{sign}{}{fraction}", size / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_komi_is_exact_and_a_comma_is_a_point() {
        for (text, quarters, printed) in [
            ("3.75", 15, "3.75"),
            ("3,75", 15, "3.75"),
            ("6.5", 26, "6.5"),
            ("6,5", 26, "6.5"),
            ("6.50", 26, "6.5"),
            (" 7 ", 28, "7"),
            ("0", 0, "0"),
            ("-0", 0, "0"),
            ("-5.5", -22, "-5.5"),
            ("0.25", 1, "0.25"),
            ("-0.5", -2, "-0.5"),
            ("400", 1600, "400"),
        ] {
            let komi: Komi = text.parse().expect(text);
            assert_eq!(
                (komi.quarters(), komi.to_string().as_str()),
                (quarters, printed),
                "{text}"
            );
        }
    }

    #[test]
    fn an_event_has_a_komi_that_a_game_can_have_and_black_may_be_given_it() {
        for (text, stones, points) in [
            ("3.75", true, true),
            ("-3.75", true, true),
            ("25", true, true),
            ("25.25", false, true),
            ("-50", false, true),
            ("50.5", false, false),
            ("375", false, false),
        ] {
            let komi: Komi = text.parse().expect(text);
            let fits = [Unit::Stones, Unit::Points].map(|unit| komi.fits_an_event(unit));
            assert_eq!(fits, [stones, points], "{text}");
        }
    }

    #[test]
    fn what_is_no_komi_is_refused_and_not_guessed() {
        for text in [
            "", "x", "6.", ".5", "6.55", "6.1", "6,5,0", "1.000,5", "1e1", "+6.5", "--1", "400.25", "65000",
            "６", "-", "6 .5",
        ] {
            assert_eq!(text.parse::<Komi>(), Err(NotAKomi(text.to_owned())), "{text}");
        }
    }
}
