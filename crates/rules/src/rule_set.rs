//! Rule sets as data (game rules specification, section 1).

mod record;

use std::fmt;
use std::str::FromStr;

use crate::komi::Komi;
use crate::point::Colour;

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
    /// Living stones and the points they surround; points between living stones of both sides are
    /// shared half and half (数子, Art. 9).
    Area,
    /// Surrounded points and prisoners; none in seki (数目).
    Territory,
}

/// Whether stones may be taken off the board by their own side (自杀, 禁着点).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Never (Art. 5).
    Forbidden,
    /// Several stones may, one stone may not.
    Several,
    /// Any number. One stone gives the position before the move again: a rule of repetition that looks
    /// at the position alone forbids it after all.
    Allowed,
}

/// Which position may not come again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// A single ko may not be retaken at once; any longer repetition is not forbidden, but without
    /// result (无胜负).
    SimpleKo,
    /// The whole board may not recur, whoever is to move (全局同形再现, Art. 6).
    Positional,
    /// The whole board may not recur with the same side to move.
    Situational,
    /// As positional, but the stones played off the board belong to the position: a cycle with a void
    /// move (虚着) in it is none. A record writes void moves as passes, and so they are read.
    PositionalWithStonesOut,
}

/// What a repetition leads to that the rules do not forbid outright, or that the event rules otherwise
/// (Art. 20 leaves it to the event).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnRepetition {
    /// The move that repeats is illegal.
    Illegal,
    /// The game has no result (无胜负).
    NoResult,
    /// The game is a draw (和棋).
    Draw,
    /// The game is played again (加赛, 重下).
    Replay,
    /// The referee decides.
    Referee,
}

impl OnRepetition {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 5] = [
        Self::Illegal,
        Self::NoResult,
        Self::Draw,
        Self::Replay,
        Self::Referee,
    ];

    /// The word of files and the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Illegal => "illegal",
            Self::NoResult => "no_result",
            Self::Draw => "draw",
            Self::Replay => "replay",
            Self::Referee => "referee",
        }
    }

    /// The one that the word names.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == word)
    }
}

/// What White gets back for `n` handicap stones (还让子数的一半) under area counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandicapReturn {
    /// n/2 stones, that is n points.
    Whole,
    /// n − 1 points.
    AllButOne,
    /// Nothing.
    Nothing,
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

/// One row of the table of rule sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "columns of a table, each of them yes or no by itself"
)]
pub struct Rules {
    /// The word of the event file.
    pub slug: &'static str,
    /// Whether a side may take its own stones.
    pub suicide: Suicide,
    /// Which repetition is forbidden.
    pub repetition: Repetition,
    /// What a repetition means that an event says nothing of: illegal where it is forbidden, no result
    /// under simple ko.
    pub on_repetition: OnRepetition,
    /// How many passes in a row end the game.
    pub passes: u8,
    /// What is counted.
    pub counting: Counting,
    /// The unit of komi and margins.
    pub unit: Unit,
    /// The komi for an event that names none, in quarters of the unit.
    pub komi: Komi,
    /// What a handicap gives back under area counting.
    pub handicap: HandicapReturn,
    /// Whether Black pays a point when White passed first.
    pub white_passed_first: bool,
    /// Whether each living group beyond the opponent's number costs two points (还棋头).
    pub group_tax: bool,
    /// Whether every stone on the board counts as alive once the passes have ended the game, whatever it looks
    /// like: who wants it off takes it off first.
    pub all_stones_live: bool,
    /// Whether four stones are placed on the corner stars before the first move (座子).
    pub corner_stones: bool,
    /// Who moves first in an even game.
    pub first: Colour,
}

/// A row without what is rare.
const fn row(
    slug: &'static str,
    suicide: Suicide,
    repetition: Repetition,
    counting: Counting,
    unit: Unit,
    komi: i16,
) -> Rules {
    Rules {
        slug,
        suicide,
        repetition,
        on_repetition: match repetition {
            Repetition::SimpleKo => OnRepetition::NoResult,
            _ => OnRepetition::Illegal,
        },
        passes: 2,
        counting,
        unit,
        komi: Komi::known(komi),
        handicap: HandicapReturn::Whole,
        white_passed_first: false,
        group_tax: false,
        all_stones_live: false,
        corner_stones: false,
        first: Colour::Black,
    }
}

use Counting::{Area, Territory};
use Repetition::{Positional, PositionalWithStonesOut, SimpleKo, Situational};
use Suicide::{Allowed, Forbidden, Several};
use Unit::{Points, Stones};

/// The table of section 1, in its order; komi in quarters of the unit.
#[rustfmt::skip]
const TABLE: [Rules; 10] = [
    row("chinese",            Forbidden, Positional,              Area,      Stones, 15),
    Rules { handicap: HandicapReturn::Nothing,
      ..row("japanese",       Forbidden, SimpleKo,                Territory, Points, 26) },
    Rules { handicap: HandicapReturn::Nothing,
      ..row("korean",         Forbidden, SimpleKo,                Territory, Points, 26) },
    Rules { white_passed_first: true,
      ..row("mind-sports-2008", Forbidden, Positional,            Area,      Points, 26) },
    Rules { passes: 4,
      ..row("ing",            Several,   Positional,              Area,      Points, 32) },
    Rules { white_passed_first: true,
      ..row("weigh-board-a",  Several,   PositionalWithStonesOut, Area,      Points, 26) },
    Rules { group_tax: true, corner_stones: true, first: Colour::White,
      ..row("ancient-chinese", Forbidden, SimpleKo,               Area,      Stones, 0) },
    Rules { handicap: HandicapReturn::AllButOne,
      ..row("aga",            Forbidden, Situational,             Area,      Points, 30) },
    Rules { handicap: HandicapReturn::Nothing,
      ..row("new-zealand",    Allowed,   Situational,             Area,      Points, 28) },
    Rules { handicap: HandicapReturn::Nothing, all_stones_live: true,
      ..row("tromp-taylor",   Allowed,   Positional,              Area,      Points, 30) },
];

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

    /// Its row in the table.
    pub fn rules(self) -> &'static Rules {
        &TABLE[self as usize]
    }

    /// The word of the event file.
    pub fn slug(self) -> &'static str {
        self.rules().slug
    }

    /// What is counted.
    pub fn counting(self) -> Counting {
        self.rules().counting
    }

    /// The unit of komi and margins. The Chinese rules count in stones; the others, area rules
    /// among them, publish their komi in points.
    pub fn unit(self) -> Unit {
        self.rules().unit
    }

    /// The komi of the rules, in [`unit`](Self::unit)s, for an event that names none.
    pub fn default_komi(self) -> Komi {
        self.rules().komi
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
            assert_eq!(RuleSet::ALL[rules as usize], rules);
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
