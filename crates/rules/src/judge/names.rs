//! Whether the players of a record are those of the board.

use unicode_normalization::UnicodeNormalization;

use crate::finding::FindingKind;
use crate::point::{Colour, Sides};

/// A name longer than this is cut for comparing; no name is.
const LONGEST: usize = 200;

/// What is to be said of the record's names beside those of the board; each side of the board may have several
/// spellings. A name in another script is told as different and never as wrong: it may be the same person.
pub(super) fn compare(record: &Sides<String>, board: Option<&Sides<Vec<String>>>) -> Vec<FindingKind> {
    let sides = [Colour::Black, Colour::White];
    let missing = |side: Colour| record[side].trim().is_empty();
    let mut findings: Vec<_> = sides
        .into_iter()
        .filter(|side| missing(*side))
        .map(|side| FindingKind::NameMissing { side })
        .collect();
    let Some(board) = board else { return findings };

    let is = |side: Colour, player: Colour| {
        !missing(side) && board[player].iter().any(|spelling| same(&record[side], spelling))
    };
    let crossed = sides.map(|side| is(side, side.other()) && !is(side, side));
    let straight = sides.map(|side| is(side, side));
    if crossed.contains(&true) && !straight.contains(&true) {
        findings.push(FindingKind::NamesSwapped);
        return findings;
    }
    for (side, straight) in sides.into_iter().zip(straight) {
        let known = board[side].iter().find(|spelling| !spelling.trim().is_empty());
        if let Some(spelling) = known.filter(|_| !straight && !missing(side)) {
            findings.push(FindingKind::NameDiffers {
                side,
                record: record[side].clone(),
                board: spelling.clone(),
            });
        }
    }
    findings
}

/// Whether two spellings are the same but for case, width, accents, spaces, marks between the parts and the
/// order of the parts.
fn same(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (parts(one), parts(other));
    if one.is_empty() || other.is_empty() {
        return false;
    }
    // “LiCeshi”, “Li Ceshi”, “Ceshi Li”: family name first or last, together or apart.
    let joined = other.concat();
    for _ in 0..one.len() {
        if one.concat() == joined {
            return true;
        }
        one.rotate_left(1);
    }
    let joined = one.concat();
    for _ in 0..other.len() {
        if other.concat() == joined {
            return true;
        }
        other.rotate_left(1);
    }
    one.sort_unstable();
    other.sort_unstable();
    one == other
}

/// The parts of a name in a plain form.
fn parts(name: &str) -> Vec<String> {
    // Width and compatibility forms are one (NFKC); its decomposed twin lets accents be dropped.
    let plain: String = name
        .chars()
        .take(LONGEST)
        .nfkd()
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c) && !is_invisible(*c))
        .flat_map(char::to_lowercase)
        .collect();
    let plain = plain
        .replace('ł', "l")
        .replace('ø', "o")
        .replace(['đ', 'ð'], "d")
        .replace('ı', "i")
        .replace('ß', "ss")
        .replace('æ', "ae")
        .replace('œ', "oe");
    plain
        .split(|c: char| !c.is_alphanumeric() && !is_combining_kana(c))
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .take(16)
        .collect()
}

/// Characters without width, which editors and web pages leave in names.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

/// The sound marks of kana, which stand by themselves after decomposition.
fn is_combining_kana(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309a}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_are_the_same() {
        for (one, other) in [
            ("李测试", "李测试"),
            ("李测试", "李 测试"),
            ("李测试", "李\u{200b}测试"),
            ("Li Ceshi", "LI, Ceshi"),
            ("Li Ceshi", "ceshi li"),
            ("Li Ceshi", "LiCeshi"),
            ("CeshiLi", "Li Ceshi"),
            ("Ｌｉ　Ｃｅｓｈｉ", "li ceshi"),
            ("Jürgen Müßig", "jurgen mussig"),
            ("Łucja Próbna", "Probna Lucja"),
            ("Anna-Lena van der Test", "van der Test, Anna Lena"),
            ("ﾃｽﾄ がく", "テスト がく"),
        ] {
            assert!(same(one, other), "{one} / {other}");
            assert!(same(other, one), "{other} / {one}");
        }
        for (one, other) in [
            ("李测试", "Li Ceshi"),
            ("李测试", "李测"),
            ("がく", "かく"),
            ("", ""),
            ("?", "!"),
        ] {
            assert!(!same(one, other), "{one} / {other}");
        }
    }

    #[test]
    fn names_missing_exchanged_and_different_are_told_apart() {
        let board = Sides {
            black: vec!["甲一".to_owned(), "Jia Yi".to_owned()],
            white: vec!["乙二".to_owned(), "Yi Er".to_owned()],
        };
        let told = |black: &str, white: &str| {
            let record = Sides {
                black: black.to_owned(),
                white: white.to_owned(),
            };
            let kinds = compare(&record, Some(&board));
            kinds.iter().map(FindingKind::code).collect::<Vec<_>>()
        };
        assert_eq!(told("甲一", "Yi Er"), [""; 0]);
        assert_eq!(told("乙二", "甲一"), ["names-swapped"]);
        assert_eq!(told("Er Yi", "somebody"), ["names-swapped"]);
        assert_eq!(told("", "乙二"), ["name-missing"]);
        assert_eq!(told("", ""), ["name-missing", "name-missing"]);
        assert_eq!(told("Kapitan", "乙二"), ["name-differs"]);
        assert_eq!(told("丙", "丁"), ["name-differs", "name-differs"]);
        // White's name on both sides says nothing of an exchange.
        assert_eq!(told("乙二", "乙二"), ["name-differs"]);
        let none = Sides::default();
        assert_eq!(compare(&none, None).len(), 2);
    }
}
