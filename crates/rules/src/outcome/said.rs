//! Margins as people and records say them.

use super::Margin;
use crate::language::Language;
use crate::point::Colour;
use crate::rule_set::Unit;

impl Margin {
    /// The margin of an amount in quarters of a unit, as a komi is kept; `None` for a quarter of a point,
    /// which no count comes to.
    #[must_use]
    pub fn from_quarters(quarters: i32, unit: Unit) -> Option<Self> {
        match unit {
            Unit::Stones => Some(Self(quarters)),
            Unit::Points => (quarters % 2 == 0).then_some(Self(quarters / 2)),
        }
    }

    /// Its size in quarters of a unit.
    fn size(self, unit: Unit) -> u64 {
        let size = u64::from(self.0.unsigned_abs());
        match unit {
            Unit::Stones => size,
            Unit::Points => size * 2,
        }
    }

    /// Its size as a decimal in a unit, without a sign: `0.75` stones, `1.5` points.
    #[must_use]
    pub fn decimal(self, unit: Unit) -> String {
        let size = self.size(unit);
        let part = ["", ".25", ".5", ".75"][usize::from((size % 4).to_le_bytes()[0])];
        format!("{}{part}", size / 4)
    }

    /// As a record writes it (RE): `B+3.25` in stones, `W+0.5` in points, `0` for a draw.
    #[must_use]
    pub fn to_record(self, unit: Unit) -> String {
        match self.winner() {
            None => "0".to_owned(),
            Some(Colour::Black) => format!("B+{}", self.decimal(unit)),
            Some(Colour::White) => format!("W+{}", self.decimal(unit)),
        }
    }

    /// As people say it: 黑胜1又1/4子, 白胜半目, 和棋; `Black wins by 1 1/4 stones`, `White wins by 0.5
    /// points`, `Draw`.
    #[must_use]
    pub fn said(self, unit: Unit, language: Language) -> String {
        let Some(winner) = self.winner() else {
            return language.choose("和棋", "Draw").to_owned();
        };
        let amount = self.amount_said(unit, language);
        match (language, winner) {
            (Language::Chinese, Colour::Black) => format!("黑胜{amount}"),
            (Language::Chinese, Colour::White) => format!("白胜{amount}"),
            (Language::English, Colour::Black) => format!("Black wins by {amount}"),
            (Language::English, Colour::White) => format!("White wins by {amount}"),
        }
    }

    /// Its size as people say it: 1又1/4子, 7目半, 半目; `1 1/4 stones`, `7.5 points`.
    #[must_use]
    pub fn amount_said(self, unit: Unit, language: Language) -> String {
        let size = self.size(unit);
        let (whole, part) = (size / 4, size % 4);
        let quarter = match part {
            1 => "1/4",
            2 => "1/2",
            _ => "3/4",
        };
        match (language, unit) {
            (Language::Chinese, Unit::Stones) => match (whole, part) {
                (_, 0) => format!("{whole}子"),
                (0, 2) => "半子".to_owned(),
                (0, _) => format!("{quarter}子"),
                _ => format!("{whole}又{quarter}子"),
            },
            (Language::Chinese, Unit::Points) => match (whole, part) {
                (_, 0) => format!("{whole}目"),
                (0, _) => "半目".to_owned(),
                _ => format!("{whole}目半"),
            },
            (Language::English, Unit::Stones) => match (whole, part) {
                (1, 0) => "1 stone".to_owned(),
                (_, 0) => format!("{whole} stones"),
                (0, _) => format!("{quarter} stone"),
                _ => format!("{whole} {quarter} stones"),
            },
            (Language::English, Unit::Points) => match size {
                4 => "1 point".to_owned(),
                _ => format!("{} points", self.decimal(unit)),
            },
        }
    }
}
