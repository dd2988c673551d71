//! Amounts of stones and points as people write them: `3.75`, `3又3/4子`, `四分之一子`, `7目半`, `4집반`.

use crate::rule_set::Unit;

/// An amount. Not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Amount {
    /// In quarters of its unit; `None` when it is no whole number of quarters.
    pub quarters: Option<i32>,
    /// The unit that is written.
    pub unit: Option<Unit>,
}

impl Amount {
    fn of(quarters: Option<i32>) -> Self {
        Self { quarters, unit: None }
    }
}

/// Reads an amount that is the whole of the text, which is [`plain`](super::plain::plain).
pub(crate) fn amount(text: &str) -> Option<Amount> {
    let text = text.trim();
    let (before, half) = match text.strip_suffix(['半', '반']) {
        Some(before) => (before.trim_end(), true),
        None => (text, false),
    };
    let (number, unit) = without_unit(before);
    let number = number.trim_end();
    let half_more = |whole: &str| {
        Some(Amount::of(Some(
            whole_number(whole)?.checked_mul(4)?.checked_add(2)?,
        )))
    };
    // 半目 and 반집 have the half in front.
    let amount = match (number.strip_suffix(['半', '반']), half) {
        (Some(""), false) if unit.is_some() => Amount::of(Some(2)),
        (Some(whole), false) if unit.is_some() => half_more(whole)?,
        (Some(_), _) => return None,
        (None, false) => without_half(number)?,
        // 7目半, 七半: a half is only said of whole numbers.
        (None, true) => half_more(number)?,
    };
    Some(Amount { unit, ..amount })
}

/// Takes the unit from the end.
fn without_unit(text: &str) -> (&str, Option<Unit>) {
    const UNITS: [(&str, Unit); 14] = [
        ("子", Unit::Stones),
        ("目", Unit::Points),
        ("点", Unit::Points),
        ("집", Unit::Points),
        ("points", Unit::Points),
        ("point", Unit::Points),
        ("pts", Unit::Points),
        ("pt", Unit::Points),
        ("p", Unit::Points),
        ("moku", Unit::Points),
        ("stones", Unit::Stones),
        ("stone", Unit::Stones),
        ("zi", Unit::Stones),
        ("子儿", Unit::Stones),
    ];
    UNITS
        .iter()
        .find_map(|(word, unit)| Some((text.strip_suffix(word)?, Some(*unit))))
        .unwrap_or((text, None))
}

/// A number without unit and 半.
fn without_half(text: &str) -> Option<Amount> {
    for between in ["又", "と", " "] {
        if let Some((whole, part)) = text.split_once(between) {
            let whole = whole_number(whole.trim())?.checked_mul(4)?;
            let (over, under) = fraction(part.trim())?;
            let part = if over < under { quarters(over, under) } else { None };
            return Some(Amount::of(part.map(|part| whole + part)));
        }
    }
    if let Some((over, under)) = fraction(text) {
        return Some(Amount::of(quarters(over, under)));
    }
    let Some((whole, part)) = text.split_once(['.', ',']) else {
        return Some(Amount::of(whole_number(text)?.checked_mul(4)));
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(part) || !(whole.is_empty() || digits(whole)) {
        return None;
    }
    // `.5` has nothing in front.
    let whole = if whole.is_empty() {
        0
    } else {
        whole_number(whole)?.checked_mul(4)?
    };
    Some(Amount::of(match part.trim_end_matches('0') {
        "" => Some(whole),
        "25" => Some(whole + 1),
        "5" => Some(whole + 2),
        "75" => Some(whole + 3),
        _ => None,
    }))
}

/// `3/4`, `四分之三`, `4分之3`, with the upper part first.
fn fraction(text: &str) -> Option<(i32, i32)> {
    let (over, under) = match text.split_once("分之") {
        Some((under, over)) => (over, under),
        None => text.split_once('/')?,
    };
    let (over, under) = (whole_number(over.trim())?, whole_number(under.trim())?);
    (under > 0).then_some((over, under))
}

fn quarters(over: i32, under: i32) -> Option<i32> {
    let over = over.checked_mul(4)?;
    (over % under == 0).then_some(over / under)
}

/// A whole number up to 9,999 in digits or in Chinese.
fn whole_number(text: &str) -> Option<i32> {
    if !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    let (mut sum, mut digit) = (0, None);
    let mut least = i32::MAX;
    if text.is_empty() {
        return None;
    }
    for letter in text.chars() {
        let value = match letter {
            '零' | '〇' => 0,
            '一' => 1,
            '二' | '两' => 2,
            '三' => 3,
            '四' => 4,
            '五' => 5,
            '六' => 6,
            '七' => 7,
            '八' => 8,
            '九' => 9,
            '十' | '百' => {
                let times = if letter == '十' { 10 } else { 100 };
                if times >= least {
                    return None;
                }
                least = times;
                sum += times
                    * match digit.take() {
                        None | Some(0) if times == 100 => return None,
                        None | Some(0) => 1,
                        Some(digit) => digit,
                    };
                continue;
            }
            _ => return None,
        };
        // 一百零五 has a zero before its last digit.
        if digit.is_some_and(|digit| digit != 0) {
            return None;
        }
        digit = Some(value);
    }
    Some(sum + digit.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_or_none() {
        use Unit::{Points, Stones};
        for (text, quarters, unit) in [
            ("3.75", Some(15), None),
            ("3,75", Some(15), None),
            ("0.50", Some(2), None),
            (".5", Some(2), None),
            ("206.5", Some(826), None),
            ("7", Some(28), None),
            ("3/4", Some(3), None),
            ("2/4", Some(2), None),
            ("3又3/4子", Some(15), Some(Stones)),
            ("3又3/4", Some(15), None),
            ("三又四分之一子", Some(13), Some(Stones)),
            ("1又4分之1子", Some(5), Some(Stones)),
            ("四分之三子", Some(3), Some(Stones)),
            ("3 1/4 子", Some(13), Some(Stones)),
            ("半目", Some(2), Some(Points)),
            ("半子", Some(2), Some(Stones)),
            ("1目半", Some(6), Some(Points)),
            ("七目半", Some(30), Some(Points)),
            ("一百零五目", Some(420), Some(Points)),
            ("二十三目", Some(92), Some(Points)),
            ("十五目半", Some(62), Some(Points)),
            ("4집반", Some(18), Some(Points)),
            ("4집 반", Some(18), Some(Points)),
            ("반집", Some(2), Some(Points)),
            ("2.5 points", Some(10), Some(Points)),
            ("1 stone", Some(4), Some(Stones)),
            ("1/3子", None, Some(Stones)),
            ("3.8", None, None),
        ] {
            assert_eq!(amount(text), Some(Amount { quarters, unit }), "{text}");
        }
        for text in [
            "",
            "半",
            "目",
            "3.",
            "1.5.5",
            "-3",
            "1/0",
            "一一",
            "百",
            "十百",
            "3又3",
            "3又5/4/2",
            "e3",
            "七.5",
            "12345",
            "3.5半目",
            "半半目",
            "1/2半目",
        ] {
            assert_eq!(amount(text), None, "{text}");
        }
    }
}
