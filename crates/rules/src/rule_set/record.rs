//! Rule sets by the names that records give them (RU).

use super::RuleSet;
use crate::outcome::plain::plain;

/// The names in letters alone, without the word for rules and the year of an edition.
const NAMES: [(RuleSet, &[&str]); 10] = [
    (
        RuleSet::Chinese,
        &[
            "chinese",
            "china",
            "cn",
            "chn",
            "chinesearea",
            "中国",
            "中国围棋",
            "중국",
        ],
    ),
    (
        RuleSet::Japanese,
        &[
            "japanese",
            "japan",
            "jp",
            "jpn",
            "日本",
            "日本围棋",
            "日本棋院",
            "일본",
        ],
    ),
    (
        RuleSet::Korean,
        &["korean", "korea", "kr", "kor", "韩国", "韩国围棋", "한국"],
    ),
    (
        RuleSet::MindSports2008,
        &[
            "mindsports",
            "mindsportsgames",
            "worldmindsportsgames",
            "wmsg",
            "智力运动会",
            "世界智力运动会",
        ],
    ),
    (
        RuleSet::Ing,
        &[
            "ing",
            "goe",
            "inggoe",
            "ings",
            "应氏",
            "应式",
            "应氏计点",
            "应氏计点制",
            "计点制",
        ],
    ),
    (RuleSet::WeighBoardA, &["weighboarda", "计枰点a"]),
    (
        RuleSet::AncientChinese,
        &[
            "ancientchinese",
            "古棋",
            "中国古棋",
            "中国古代",
            "中国古代围棋",
            "座子棋",
        ],
    ),
    (RuleSet::Aga, &["aga", "american", "americangoassociation"]),
    (RuleSet::NewZealand, &["newzealand", "nz", "新西兰"]),
    (RuleSet::TrompTaylor, &["tromptaylor", "trompandtaylor"]),
];

impl RuleSet {
    /// The rule set that a record names: `Chinese`, `cn`, 中国规则, `JP`, `Tromp/Taylor`, `GOE` and their
    /// kind, in any spelling of letters, with or without “rules” and a year. `None` for a name that is not
    /// known; nothing is guessed.
    #[must_use]
    pub fn from_record(text: &str) -> Option<Self> {
        let mut name: String = plain(text)?
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .collect();
        let known = |name: &str| {
            let mut rows = NAMES.iter();
            rows.find(|(_, names)| names.contains(&name))
                .map(|(rules, _)| *rules)
        };
        if let Some(rules) = known(&name) {
            return Some(rules);
        }
        for word in ["ruleset", "rules", "rule", "规则", "ルール", "룰"] {
            name = name.replace(word, "");
        }
        // `Chinese 2002`, 2002年版中国围棋规则.
        let name = name.trim_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '年' | '版'));
        known(name)
    }
}
