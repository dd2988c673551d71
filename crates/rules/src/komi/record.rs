//! Reading the komi of a record (KM), in whichever unit its server writes it.

use super::Komi;
use crate::finding::FindingKind;
use crate::outcome::amount::{Amount, amount};
use crate::outcome::plain::plain;
use crate::rule_set::{RuleSet, Unit};

/// The komi of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordKomi {
    /// In the unit of the rules.
    pub komi: Komi,
    /// What is to be said of the way in which it is written.
    pub finding: Option<FindingKind>,
}

/// What is written as komi is none that can be read with certainty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no komi that can be read")]
pub struct KomiNotRead(pub String);

/// More than so many points, in quarters, hardly are a komi.
const MANY_POINTS: i32 = 4 * 40;

/// A komi in hundredths is no more than so many units, in quarters.
const MANY_HUNDREDTHS: i32 = 4 * 20;

impl Komi {
    /// Reads the komi of a record played under `rules`; none when nothing is written.
    ///
    /// Records count komi in points. Written without a unit, a number is in stones when it has a quarter,
    /// which no komi in points has; a whole number from 100 on that has no other sense is in hundredths, as
    /// some servers write: `375` is 3¾ stones, `650` is 6½ points. 子 and 目 say it themselves.
    ///
    /// # Errors
    /// When it is no amount, or one that the rules' unit does not have.
    pub fn from_record(text: &str, rules: RuleSet) -> Result<Option<RecordKomi>, KomiNotRead> {
        let error = || KomiNotRead(text.to_owned());
        let plain = plain(text).ok_or_else(error)?;
        if plain.is_empty() {
            return Ok(None);
        }
        let read = read(&plain, rules.unit()).ok_or_else(error)?;
        let finding = match read.way {
            Way::AsUsual => None,
            Way::Converted => Some(FindingKind::KomiConverted {
                text: text.trim().to_owned(),
                komi: read.komi,
                unit: rules.unit(),
            }),
            Way::Doubtful => Some(FindingKind::KomiDoubtful {
                text: text.trim().to_owned(),
            }),
        };
        Ok(Some(RecordKomi {
            komi: read.komi,
            finding,
        }))
    }
}

/// How sure it is that a komi is meant so.
enum Way {
    AsUsual,
    Converted,
    Doubtful,
}

struct Read {
    komi: Komi,
    way: Way,
}

fn read(text: &str, unit: Unit) -> Option<Read> {
    let (negative, size) = match text.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let Amount {
        quarters,
        unit: written,
    } = amount(size)?;
    let quarters = quarters?;
    let in_hundredths =
        written.is_none() && size.len() >= 3 && size.bytes().all(|byte| byte.is_ascii_digit());
    let quarters = if in_hundredths && quarters != 0 {
        // 375 is 15 quarters: a twenty-fifth of its own number.
        let number = quarters / 4;
        (number % 25 == 0 && number / 25 <= MANY_HUNDREDTHS).then_some(number / 25)?
    } else {
        quarters
    };
    let meant = written.unwrap_or(if quarters % 2 == 0 {
        Unit::Points
    } else {
        Unit::Stones
    });
    let in_points = match meant {
        Unit::Points if quarters % 2 != 0 => return None,
        Unit::Points => quarters,
        Unit::Stones => quarters.checked_mul(2)?,
    };
    let komi = match unit {
        Unit::Points => in_points,
        Unit::Stones => in_points / 2,
    };
    let way =
        if in_points > MANY_POINTS || (written.is_none() && meant == Unit::Stones && unit == Unit::Points) {
            Way::Doubtful
        } else if in_hundredths && quarters != 0 || meant == Unit::Stones {
            Way::Converted
        } else {
            Way::AsUsual
        };
    let komi = Komi::from_quarters(i16::try_from(if negative { -komi } else { komi }).ok()?).ok()?;
    Some(Read { komi, way })
}
