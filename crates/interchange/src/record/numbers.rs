//! Numbers as people say them: stones and points with their halves and quarters.

use rules::{Colour, Komi, Language, Margin, Unit};

/// `3¾`, `½`, `0`; in Chinese `3又3/4`, `1/2`, `0`. What is given is in quarters.
pub fn number_said(quarters: i32, language: Language) -> String {
    let sign = if quarters < 0 { "−" } else { "" };
    let (whole, rest) = (quarters.unsigned_abs() / 4, quarters.unsigned_abs() % 4);
    let part = match language {
        Language::Chinese => ["", "1/4", "1/2", "3/4"],
        Language::English => ["", "¼", "½", "¾"],
    }[rest as usize];
    match (whole, part) {
        (_, "") => format!("{sign}{whole}"),
        (0, _) => format!("{sign}{part}"),
        _ => format!("{sign}{whole}{}{part}", language.choose("又", "")),
    }
}

/// So many units, given in quarters of one: `3¾ stones`, `6½ points`; in Chinese `3又3/4子`, `6目半`.
pub(super) fn measured(quarters: i32, unit: Unit, language: Language) -> String {
    let sign = if quarters < 0 { "−" } else { "" };
    let size = quarters.unsigned_abs();
    match (language, unit) {
        (Language::Chinese, Unit::Points) if size % 4 == 2 => match size / 4 {
            0 => format!("{sign}半目"),
            whole => format!("{sign}{whole}目半"),
        },
        (Language::Chinese, unit) => {
            let name = match unit {
                Unit::Stones => "子",
                Unit::Points => "目",
            };
            format!("{}{name}", number_said(quarters, language))
        }
        (Language::English, unit) => {
            let name = unit.as_str();
            let name = if (1..=4).contains(&size) {
                name.trim_end_matches('s')
            } else {
                name
            };
            format!("{} {name}", number_said(quarters, language))
        }
    }
}

/// A komi in the unit of its rules.
pub fn komi_said(komi: Komi, unit: Unit, language: Language) -> String {
    measured(komi.quarters().into(), unit, language)
}

/// A margin as it is announced: `Black wins by ¾ stone`, `黑胜3/4子`; `even`, `和棋`.
pub fn margin_said(margin: Margin, unit: Unit, language: Language) -> String {
    let Some(winner) = margin.winner() else {
        return language.choose("和棋", "a draw").to_owned();
    };
    let by = measured(in_unit(margin, unit).saturating_abs(), unit, language);
    match (language, winner) {
        (Language::Chinese, Colour::Black) => format!("黑胜{by}"),
        (Language::Chinese, Colour::White) => format!("白胜{by}"),
        (Language::English, Colour::Black) => format!("Black wins by {by}"),
        (Language::English, Colour::White) => format!("White wins by {by}"),
    }
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
    fn margins_are_said_as_they_are_announced() {
        for (quarters, unit, chinese, english) in [
            (3, Unit::Stones, "黑胜3/4子", "Black wins by ¾ stone"),
            (-5, Unit::Stones, "白胜1又1/4子", "White wins by 1¼ stones"),
            (4, Unit::Stones, "黑胜1子", "Black wins by 1 stone"),
            (2, Unit::Stones, "黑胜1/2子", "Black wins by ½ stone"),
            (15, Unit::Points, "黑胜7目半", "Black wins by 7½ points"),
            (-1, Unit::Points, "白胜半目", "White wins by ½ point"),
            (-2, Unit::Points, "白胜1目", "White wins by 1 point"),
            (0, Unit::Points, "和棋", "a draw"),
        ] {
            let said = |language| margin_said(Margin(quarters), unit, language);
            assert_eq!(
                (said(Language::Chinese), said(Language::English)),
                (chinese.to_owned(), english.to_owned())
            );
        }
    }
}
