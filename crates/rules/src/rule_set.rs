//! Rule sets as data (game rules specification, section 1).

use std::fmt;
use std::str::FromStr;

use crate::komi::Komi;

/// The rules that an event is played under.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// Chinese rules of 2002: area, positional superko (Art. 6), komi 3¾ stones (Art. 11).
    #[default]
    Chinese,
    /// Japanese: territory, simple ko, komi 6½ points.
    Japanese,
    /// Korean: as Japanese.
    Korean,
    /// World Mind Sports Games 2008: area, a point from Black when White passed first, komi 6½ points.
    MindSports2008,
    /// Ing: area by filling in, komi 8 points.
    Ing,
    /// Weigh-board A (计枰点 A): area, a point from Black when White passed first, komi 6½ points.
    WeighBoardA,
    /// Ancient Chinese: area with group tax (还棋头), four stones placed first (座子), no komi.
    AncientChinese,
    /// American Go Association: area, situational superko, komi 7½ points.
    Aga,
    /// New Zealand: area, situational superko, komi 7 points.
    NewZealand,
    /// Tromp-Taylor: area, positional superko, komi 7½ points.
    TrompTaylor,
}

/// What is counted at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counting {
    /// Living stones and the points they surround (数子).
    Area,
    /// Surrounded points and prisoners (数目).
    Territory,
}

/// The unit in which an event states komi and margins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Stones (子), in quarters. One stone is two points.
    Stones,
    /// Points (目), in halves.
    Points,
}

impl Unit {
    /// Whether a value given in quarters of the unit can occur: every quarter of a stone, but only
    /// whole and half points.
    pub fn admits(self, quarters: i32) -> bool {
        match self {
            Self::Stones => true,
            Self::Points => quarters % 2 == 0,
        }
    }

    /// `stones` or `points`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stones => "stones",
            Self::Points => "points",
        }
    }
}

/// A word that names no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "“{0}” is not one of chinese, japanese, korean, mind-sports-2008, ing, weigh-board-a, ancient-chinese, aga, new-zealand, tromp-taylor"
)]
pub struct UnknownRuleSet(pub String);

impl RuleSet {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 10] = [
        Self::Chinese,
        Self::Japanese,
        Self::Korean,
        Self::MindSports2008,
        Self::Ing,
        Self::WeighBoardA,
        Self::AncientChinese,
        Self::Aga,
        Self::NewZealand,
        Self::TrompTaylor,
    ];

    /// The word of the event file.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Chinese => "chinese",
            Self::Japanese => "japanese",
            Self::Korean => "korean",
            Self::MindSports2008 => "mind-sports-2008",
            Self::Ing => "ing",
            Self::WeighBoardA => "weigh-board-a",
            Self::AncientChinese => "ancient-chinese",
            Self::Aga => "aga",
            Self::NewZealand => "new-zealand",
            Self::TrompTaylor => "tromp-taylor",
        }
    }

    /// What is counted.
    pub fn counting(self) -> Counting {
        match self {
            Self::Japanese | Self::Korean => Counting::Territory,
            _ => Counting::Area,
        }
    }

    /// The unit of komi and margins. The Chinese rules count in stones; the others, area rules
    /// among them, publish their komi in points.
    pub fn unit(self) -> Unit {
        match self {
            Self::Chinese | Self::AncientChinese => Unit::Stones,
            _ => Unit::Points,
        }
    }

    /// The komi of the rules, in [`unit`](Self::unit)s, for an event that names none.
    pub fn default_komi(self) -> Komi {
        match self {
            Self::Chinese => Komi::known(15),
            Self::Japanese | Self::Korean | Self::MindSports2008 | Self::WeighBoardA => Komi::known(26),
            Self::Ing => Komi::known(32),
            Self::AncientChinese => Komi::NONE,
            Self::Aga | Self::TrompTaylor => Komi::known(30),
            Self::NewZealand => Komi::known(28),
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    fn from_str(text: &str) -> Result<Self, UnknownRuleSet> {
        Self::ALL
            .into_iter()
            .find(|rules| rules.slug() == text)
            .ok_or_else(|| UnknownRuleSet(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_set_has_its_own_word_and_a_komi_in_its_unit() {
        for rules in RuleSet::ALL {
            assert_eq!(rules.slug().parse(), Ok(rules));
            assert!(
                rules.unit().admits(rules.default_komi().quarters().into()),
                "{rules}"
            );
        }
        let error = "Chinese"
            .parse::<RuleSet>()
            .expect_err("words are written as listed")
            .to_string();
        assert!(
            RuleSet::ALL.iter().all(|rules| error.contains(rules.slug())),
            "{error}"
        );
    }

    #[test]
    fn komi_by_default_is_that_of_the_rules() {
        let printed = RuleSet::ALL.map(|rules| (rules.default_komi().to_string(), rules.unit()));
        let expected = [
            ("3.75", Unit::Stones),
            ("6.5", Unit::Points),
            ("6.5", Unit::Points),
            ("6.5", Unit::Points),
            ("8", Unit::Points),
            ("6.5", Unit::Points),
            ("0", Unit::Stones),
            ("7.5", Unit::Points),
            ("7", Unit::Points),
            ("7.5", Unit::Points),
        ];
        assert_eq!(printed, expected.map(|(komi, unit)| (komi.to_owned(), unit)));
    }
}
