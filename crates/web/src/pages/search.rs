//! Finding a name by its characters, its pinyin, its initials or its number, and putting names in
//! the order in which people look for them.

use interchange::names::search_key;
use pinyin::ToPinyin;

/// Surnames that are read otherwise than the character usually is.
const SURNAMES: &[(char, &str)] = &[
    ('曾', "zeng"),
    ('单', "shan"),
    ('解', "xie"),
    ('仇', "qiu"),
    ('区', "ou"),
    ('查', "zha"),
    ('朴', "piao"),
    ('盖', "ge"),
    ('缪', "miao"),
    ('覃', "qin"),
    ('翟', "zhai"),
    ('召', "shao"),
    ('洗', "xian"),
    ('乐', "yue"),
    ('种', "chong"),
    ('员', "yun"),
    ('折', "she"),
    ('黑', "he"),
    ('秘', "bi"),
    ('尉', "yu"),
    ('万', "wan"),
    ('冼', "xian"),
    ('重', "chong"),
    ('长', "zhang"),
];

/// A text without case, accents, width, spaces and the difference of Unicode forms.
pub fn folded(text: &str) -> String {
    search_key(text).replace(' ', "")
}

/// The syllables of a name: one for each Chinese character, and each run of other letters as it is.
fn syllables(name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_run = false;
    for (at, c) in name.trim().chars().enumerate() {
        if let Some(reading) = c.to_pinyin() {
            let surname = SURNAMES.iter().find(|(surname, _)| at == 0 && *surname == c);
            found.push(
                surname
                    .map_or(reading.plain(), |(_, reading)| reading)
                    .replace('ü', "v"),
            );
            in_run = false;
        } else if c.is_whitespace() {
            in_run = false;
        } else {
            let letter = folded(&c.to_string());
            match found.last_mut() {
                Some(run) if in_run => run.push_str(&letter),
                _ => found.push(letter),
            }
            in_run = true;
        }
    }
    found
}

/// What the order of names goes by: pinyin among Latin letters, accents aside, then the name itself.
pub fn sort_key(name: &str) -> (String, String) {
    (syllables(name).join(" "), name.to_owned())
}

/// Everything by which an entry is found, parts joined by `|`: number, name, pinyin, initials,
/// team. The script of the pairing page looks in the same text by the same rule as [`matches`].
pub fn search_text(number: u32, name: &str, team: &str) -> String {
    let syllables = syllables(name);
    let initials: String = syllables
        .iter()
        .filter_map(|syllable| syllable.chars().next())
        .collect();
    let part = |text: &str| folded(text).replace('|', " ");
    format!(
        "{number}|{}|{}|{initials}|{}",
        part(name),
        syllables.concat().replace('|', " "),
        part(team)
    )
}

/// Whether what was typed finds an entry: digits the beginning of its number, anything else a part
/// of its name or team, or the beginning of its pinyin or initials. Several entries stand one a line.
pub fn matches(query: &str, search_text: &str) -> bool {
    let query = folded(query);
    if query.is_empty() {
        return true;
    }
    let digits = query.bytes().all(|b| b.is_ascii_digit());
    search_text.lines().any(|entry| {
        entry.split('|').enumerate().any(|(index, part)| match index {
            0 => digits && part.starts_with(&query),
            1 | 4 => part.contains(&query),
            _ => part.starts_with(&query),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(query: &str, name: &str) -> bool {
        matches(query, &search_text(151, name, "杭州棋院"))
    }

    #[test]
    fn a_name_is_found_by_characters_pinyin_initials_and_number() {
        for query in [
            "张",
            "文东",
            "zhang",
            "zhangwen",
            "zwd",
            "ZW",
            "151",
            "15",
            "杭州",
            " Zhang Wen ",
        ] {
            assert!(finds(query, "张文东"), "{query}");
        }
        for query in ["51", "wen", "李", "zl", "1510"] {
            assert!(!finds(query, "张文东"), "{query}");
        }
        assert!(finds("zeng", "曾小明") && finds("shan", "单于"));
    }

    #[test]
    fn accents_width_and_unicode_form_make_no_difference() {
        for (query, name) in [
            ("jose", "José Luis"),
            ("jose", "Jose\u{301} Luis"),
            ("MULLER", "Müller"),
            ("li ming", "ＬＩ\u{a0}Ming"),
            ("o’neil-luczak", "O'Neil-Łuczak"),
        ] {
            assert!(finds(query, name), "{query} {name}");
        }
    }

    #[test]
    fn names_stand_where_people_look_for_them() {
        let mut names = [
            "张",
            "李",
            "曾",
            "单",
            "阿",
            "Étienne",
            "Emil",
            "Zoë",
            "Ångström",
            "10th",
        ];
        names.sort_by_cached_key(|name| sort_key(name));
        assert_eq!(
            names,
            [
                "10th",
                "阿",
                "Ångström",
                "Emil",
                "Étienne",
                "李",
                "单",
                "曾",
                "张",
                "Zoë"
            ]
        );
    }
}
