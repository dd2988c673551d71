//! Grades (段位, 级位) and every spelling of them that directors type.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A player's grade. Professional and amateur dan are different ladders; for one order of
/// strength every professional stands before every amateur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grade {
    /// Professional dan (职业段), 1 to 9.
    Professional(u8),
    /// Amateur dan (业余段), 1 to 8.
    Dan(u8),
    /// Kyu (级), 1 (strongest) to 32.
    Kyu(u8),
}

/// What was typed is no grade that we know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a grade: write 9p to 1p, 8d to 1d or 1k to 32k (also 九段, 5段, 3级)")]
pub struct NotAGrade(pub String);

impl Grade {
    fn new(ladder: Ladder, step: u8) -> Option<Self> {
        match ladder {
            Ladder::Professional if (1..=9).contains(&step) => Some(Self::Professional(step)),
            Ladder::Dan if (1..=8).contains(&step) => Some(Self::Dan(step)),
            Ladder::Kyu if (1..=32).contains(&step) => Some(Self::Kyu(step)),
            _ => None,
        }
    }

    /// Larger is stronger; only for ordering.
    fn strength(self) -> i16 {
        match self {
            Self::Professional(step) => 100 + i16::from(step),
            Self::Dan(step) => i16::from(step),
            Self::Kyu(step) => 1 - i16::from(step),
        }
    }
}

impl Ord for Grade {
    fn cmp(&self, other: &Self) -> Ordering {
        self.strength().cmp(&other.strength())
    }
}

impl PartialOrd for Grade {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Grade {
    /// The spelling of the event file: `9p`, `5d`, `3k`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Professional(step) => write!(f, "{step}p"),
            Self::Dan(step) => write!(f, "{step}d"),
            Self::Kyu(step) => write!(f, "{step}k"),
        }
    }
}

#[derive(Clone, Copy)]
enum Ladder {
    Professional,
    Dan,
    Kyu,
}

impl FromStr for Grade {
    type Err = NotAGrade;

    /// Reads `9p`, `5d`, `5D`, `5 dan`, `3K`, `3 kyu`, `九段`, `初段`, `5段`, `３段`, `业余5段`, `职业三段`, `3级`.
    ///
    /// 段 with a Chinese numeral is how professional grades are written (九段), and so is 初段;
    /// with a digit it is an amateur grade (5段). 业余 and 职业 before it decide where they stand.
    /// No number is guessed: anything else is an error.
    fn from_str(text: &str) -> Result<Self, NotAGrade> {
        parse(text).ok_or_else(|| NotAGrade(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Grade> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(narrow).collect();
    let text = text.to_lowercase();
    let (rest, said) = if let Some(rest) = strip_any(&text, &["业余", "業餘", "业", "業"]) {
        (rest, Some(Ladder::Dan))
    } else if let Some(rest) = strip_any(&text, &["职业", "職業", "专业", "專業"]) {
        (rest, Some(Ladder::Professional))
    } else {
        (text.as_str(), None)
    };
    let unit_at = rest.find(|c: char| !c.is_ascii_digit() && chinese_digit(c).is_none())?;
    let (count, unit) = rest.split_at(unit_at);
    if count.is_empty() {
        return None;
    }
    let chinese = !count.chars().all(|c| c.is_ascii_digit());
    let step = if chinese {
        chinese_number(count)?
    } else {
        count.parse().ok()?
    };
    let ladder = match (unit, said) {
        ("p" | "pro" | "dp" | "danpro", None | Some(Ladder::Professional)) => Ladder::Professional,
        ("d" | "dan" | "段", Some(said)) => said,
        ("段", None) if chinese => Ladder::Professional,
        ("d" | "dan" | "段", None) => Ladder::Dan,
        ("k" | "kyu" | "kyū" | "gup" | "级" | "級", None | Some(Ladder::Dan)) => Ladder::Kyu,
        _ => return None,
    };
    Grade::new(ladder, step)
}

fn strip_any<'a>(text: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes.iter().find_map(|prefix| text.strip_prefix(prefix))
}

/// Full-width letters and digits are the same letters and digits.
fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

fn chinese_digit(c: char) -> Option<u8> {
    Some(match c {
        '初' | '一' => 1,
        '二' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        _ => return None,
    })
}

/// Numerals up to 九十九, as far as grades need them.
fn chinese_number(text: &str) -> Option<u8> {
    let digits: Vec<u8> = text.chars().map(chinese_digit).collect::<Option<_>>()?;
    match digits[..] {
        [one] => Some(one),
        [10, ones] if ones < 10 => Some(10 + ones),
        [tens, 10] if tens < 10 => Some(tens * 10),
        [tens, 10, ones] if tens < 10 && ones < 10 => Some(tens * 10 + ones),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_one_grade_is_that_grade() {
        for text in [
            "3d",
            "3D",
            "3 dan",
            "３段",
            "3段",
            "业余3段",
            "业余三段",
            "業餘3段",
            " 3 Dan ",
        ] {
            assert_eq!(text.parse(), Ok(Grade::Dan(3)), "{text}");
        }
        for text in ["9p", "9P", "九段", "职业九段", "职业9段", "9 pro"] {
            assert_eq!(text.parse(), Ok(Grade::Professional(9)), "{text}");
        }
        for text in ["初段", "1p"] {
            assert_eq!(text.parse(), Ok(Grade::Professional(1)), "{text}");
        }
        for text in ["5k", "5K", "5级", "五级", "5 kyu", "业余5级", "５Ｋ"] {
            assert_eq!(text.parse(), Ok(Grade::Kyu(5)), "{text}");
        }
        assert_eq!("三十二级".parse(), Ok(Grade::Kyu(32)));
    }

    #[test]
    fn what_is_no_grade_is_refused_and_not_guessed() {
        for text in [
            "",
            "?",
            "1500",
            "0d",
            "-3d",
            "9d",
            "10p",
            "33k",
            "0k",
            "段",
            "3",
            "d3",
            "职业3级",
            "300d",
        ] {
            assert_eq!(text.parse::<Grade>(), Err(NotAGrade(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn grades_are_ordered_by_strength_and_spelled_one_way() {
        let weakest_first =
            ["32k", "1k", "1d", "8d", "1p", "9p"].map(|text| text.parse::<Grade>().expect("a grade"));
        assert!(weakest_first.is_sorted());
        assert_eq!(
            weakest_first.map(|grade| grade.to_string()),
            ["32k", "1k", "1d", "8d", "1p", "9p"]
        );
    }
}
