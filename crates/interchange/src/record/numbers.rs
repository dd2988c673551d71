//! Numbers as people say them, beside what [`Margin::said`] says.

use rules::{Komi, Language, Margin, Unit};

/// A number in quarters of a unit, without the unit's name: `184 1/2`, `184又1/2` stones, `76.5` points.
pub(super) fn number(quarters: i32, unit: Unit, language: Language) -> String {
    let sign = if quarters < 0 { "−" } else { "" };
    let (whole, rest) = (quarters.unsigned_abs() / 4, quarters.unsigned_abs() % 4);
    let and = language.choose("又", " ");
    let part = match (unit, rest) {
        (_, 0) => return format!("{sign}{whole}"),
        (Unit::Points, _) => {
            let decimals = ["", ".25", ".5", ".75"][rest as usize];
            return format!("{sign}{whole}{decimals}");
        }
        (Unit::Stones, 1) => "1/4",
        (Unit::Stones, 2) => "1/2",
        (Unit::Stones, _) => "3/4",
    };
    match whole {
        0 => format!("{sign}{part}"),
        _ => format!("{sign}{whole}{and}{part}"),
    }
}

/// So many units, given in quarters of one: `3 3/4 stones`, `6.5 points`; in Chinese `3又3/4子`, `6目半`.
pub(super) fn measured(quarters: i32, unit: Unit, language: Language) -> String {
    let sign = if quarters < 0 { "−" } else { "" };
    match Margin::from_quarters(quarters, unit) {
        Some(margin) => format!("{sign}{}", margin.amount_said(unit, language)),
        // A quarter of a point, which only a doubtful komi can have.
        None => format!(
            "{}{}",
            number(quarters, unit, language),
            language.choose("目", " points")
        ),
    }
}

/// A komi in the unit of its rules: `3 3/4 stones`, `6.5 points`, `3又3/4子`, `6目半`.
pub fn komi_said(komi: Komi, unit: Unit, language: Language) -> String {
    measured(komi.quarters().into(), unit, language)
}

/// A margin in quarters of a unit: a stone is two points.
pub(super) fn in_unit(margin: Margin, unit: Unit) -> i32 {
    match unit {
        Unit::Stones => margin.0,
        Unit::Points => margin.0.saturating_mul(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_said_in_their_unit() {
        for (quarters, unit, chinese, english) in [
            (15, Unit::Stones, "3又3/4子", "3 3/4 stones"),
            (0, Unit::Stones, "0子", "0 stones"),
            (26, Unit::Points, "6目半", "6.5 points"),
            (-26, Unit::Points, "−6目半", "−6.5 points"),
            (15, Unit::Points, "3.75目", "3.75 points"),
        ] {
            let said = |language| measured(quarters, unit, language);
            assert_eq!(
                (said(Language::Chinese), said(Language::English)),
                (chinese.to_owned(), english.to_owned())
            );
        }
        assert_eq!(number(738, Unit::Stones, Language::English), "184 1/2");
        assert_eq!(number(-738, Unit::Stones, Language::Chinese), "−184又1/2");
        assert_eq!(number(306, Unit::Points, Language::Chinese), "76.5");
    }
}
