//! `docs/record.schema.json` held to what is written, and every kind of finding to its sentences.

use std::collections::BTreeSet;

use rules::{Agreement, Count, FindingKind, Language, Margin, RefusalKind, RuleSet, Standing, Verdict};
use serde_json::{Value, json};

use super::samples::{every_kind, every_refusal, found, game, refused};
use super::{board, harmless, json, refusal, refusal_json, sentence, text};
use crate::event_file::schema::satisfies;

const SCHEMA: &str = include_str!("../../../../docs/record.schema.json");
const PAGE: &str = include_str!("../../../../docs/record.md");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).expect("the schema is JSON")
}

fn strings(value: &Value) -> BTreeSet<&str> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

/// A game with a finding of every kind.
fn everything() -> Verdict {
    let mut verdict = game();
    verdict.findings = every_kind().into_iter().map(found).collect();
    verdict
}

#[test]
fn whatever_is_written_satisfies_the_schema_and_no_field_may_be_missing() {
    let schema = schema();
    let full = everything();
    for language in Language::ALL {
        let written = json(&full, language);
        assert!(satisfies(&schema, &schema, &written), "{written:#}");
        for name in written.as_object().expect("an object").keys() {
            let mut without = written.clone();
            without.as_object_mut().expect("an object").remove(name);
            assert!(!satisfies(&schema, &schema, &without), "{name}");
        }
        for kind in every_refusal() {
            let written = refusal_json(&refused(kind), language);
            assert!(
                satisfies(&schema, &schema["$defs"]["refusal"], &written),
                "{written:#}"
            );
        }
    }
    let mut bare = game();
    bare.count = Count::Nothing;
    bare.recorded = None;
    let written = json(&bare, Language::English);
    assert!(satisfies(&schema, &schema, &written), "{written:#}");
}

#[test]
fn the_schema_and_the_page_name_every_code_and_every_rule_set() {
    let schema = schema();
    let codes: BTreeSet<&str> = every_kind().iter().map(FindingKind::code).collect();
    assert_eq!(
        strings(&schema["$defs"]["finding"]["properties"]["code"]["enum"]),
        codes
    );
    let refusals = every_refusal();
    let refusal_codes: BTreeSet<&str> = refusals.iter().map(RefusalKind::code).collect();
    assert_eq!(
        strings(&schema["$defs"]["refusal"]["properties"]["code"]["enum"]),
        refusal_codes
    );
    assert_eq!(
        strings(&schema["$defs"]["verdict"]["properties"]["rules"]["enum"]),
        RuleSet::ALL.map(RuleSet::slug).into_iter().collect()
    );
    for code in codes.iter().chain(&refusal_codes) {
        assert!(
            PAGE.contains(&format!("`{code}`")),
            "docs/record.md does not name {code}"
        );
    }
    let verdict = json(&everything(), Language::English);
    for (what, names) in [
        ("verdict", verdict.as_object()),
        ("finding", verdict["findings"][0].as_object()),
        ("move", verdict["moves"][0].as_object()),
        ("count", verdict["count"]["counted"].as_object()),
    ] {
        for name in names.expect("an object").keys() {
            assert!(
                PAGE.contains(&format!("`{name}`")),
                "docs/record.md does not name {name} of a {what}"
            );
        }
    }
    for finding in verdict["findings"].as_array().expect("a list") {
        for name in finding["details"].as_object().expect("an object").keys() {
            assert!(
                PAGE.contains(&format!("`{name}`")),
                "docs/record.md does not name {name}"
            );
        }
    }
}

#[test]
fn every_finding_has_a_sentence_in_each_language_that_says_where_it_is() {
    let verdict = game();
    let mut seen = BTreeSet::new();
    for kind in every_kind() {
        let finding = found(kind);
        let english = sentence(&finding, &verdict, Language::English);
        let chinese = sentence(&finding, &verdict, Language::Chinese);
        let (in_english, in_chinese) = if finding.kind == FindingKind::SetupMidgame {
            ("After move 4 (line 3, column 12): ", "第4手之后（第3行第12列）：")
        } else {
            (
                "Move 4, White B1 (line 3, column 12): ",
                "第4手白B1（第3行第12列）：",
            )
        };
        assert!(english.starts_with(in_english), "{english}");
        assert!(chinese.starts_with(in_chinese), "{chinese}");
        assert!(
            english.ends_with('.') && chinese.ends_with('。'),
            "{english} {chinese}"
        );
        assert!(
            !english.contains("..") && !chinese.contains("。。"),
            "{english} {chinese}"
        );
        assert!(english.len() > 60 && chinese.len() > 60, "{english} {chinese}");
        if let Some(article) = finding.kind.article() {
            assert!(english.contains(&format!("Art. {article}")), "{english}");
            let whole = article.split('.').next().unwrap_or(article);
            assert!(
                chinese.contains(&format!("《中国围棋规则》第{whole}条")),
                "{chinese}"
            );
        }
        assert!(
            seen.insert(english) && seen.insert(chinese),
            "{:?} is told like another",
            finding.kind
        );
    }
    let mut whole = found(every_kind().swap_remove(0));
    (whole.place, whole.move_number, whole.point) = (None, None, None);
    let english = sentence(&whole, &verdict, Language::English);
    assert!(english.starts_with("There is text"), "{english}");
}

#[test]
fn every_refusal_has_a_sentence_in_each_language_with_its_place() {
    let mut seen = BTreeSet::new();
    for kind in every_refusal() {
        let refused = refused(kind);
        let english = refusal(&refused, Language::English);
        let chinese = refusal(&refused, Language::Chinese);
        assert!(english.starts_with("Line 3, column 12: "), "{english}");
        assert!(chinese.starts_with("第3行第12列："), "{chinese}");
        assert!(
            english.ends_with('.') && chinese.ends_with('。'),
            "{english} {chinese}"
        );
        assert!(seen.insert(english) && seen.insert(chinese));
    }
}

#[test]
fn a_verdict_is_told_as_json() {
    insta::assert_json_snapshot!("chinese", json(&game(), Language::Chinese));
    insta::assert_json_snapshot!("english", json(&game(), Language::English));
}

#[test]
fn a_verdict_is_told_as_text() {
    insta::assert_snapshot!("text_chinese", text(&game(), Language::Chinese));
    insta::assert_snapshot!("text_english", text(&game(), Language::English));
    insta::assert_snapshot!("board", board(&game()));
}

#[test]
fn every_kind_is_told() {
    let sentences = |language| {
        let verdict = game();
        let told = every_kind()
            .into_iter()
            .map(|kind| sentence(&found(kind), &verdict, language))
            .chain(
                every_refusal()
                    .into_iter()
                    .map(|kind| refusal(&refused(kind), language)),
            );
        told.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("sentences_chinese", sentences(Language::Chinese));
    insta::assert_snapshot!("sentences_english", sentences(Language::English));
}

#[test]
fn texts_of_a_file_do_no_harm_on_a_terminal() {
    for language in Language::ALL {
        let told = text(&game(), language);
        let harmful = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}');
        assert!(!told.contains(harmful), "{told:?}");
    }
    for (text, shown) in [
        ("  a\tb\r\n c ", "a b c"),
        ("\u{1b}[2J", "\u{fffd}[2J"),
        ("x\u{9b}31m", "x\u{fffd}31m"),
        ("x\u{202e}y", "x\u{fffd}y"),
        ("דוד", "\u{2068}דוד\u{2069}"),
    ] {
        assert_eq!(harmless(text), shown);
    }
}

#[test]
fn each_rule_set_shows_the_sums_of_its_own_way_of_counting() {
    let mut verdict = game();
    verdict.rules = RuleSet::Japanese;
    let Count::Counted(counted) = &mut verdict.count else {
        unreachable!("the sample is counted")
    };
    (counted.komi, counted.margin) = (Margin(13), Margin(-6));
    let told = text(&verdict, Language::English);
    assert!(
        told.contains("  Black: 2 surrounded points + 1 prisoners = 3\n"),
        "{told}"
    );
    assert!(told.contains("  Black 3 − White 0 = 3\n"), "{told}");
    assert!(told.contains("  komi: Black −6.5 points\n"), "{told}");
    assert!(told.contains("  warnings: Black +2 points\n"), "{told}");
    let told = text(&verdict, Language::Chinese);
    assert!(
        told.contains("  贴目：黑−6目半\n") && told.contains("  白胜3目\n"),
        "{told}"
    );
}

#[test]
fn a_standing_names_the_move_it_comes_from() {
    let mut verdict = game();
    for (standing, english) in [
        (
            Standing::Referee,
            "For the referee, who has to say what a move counts for; see move 4.",
        ),
        (
            Standing::Illegal,
            "Illegal: the rules forbid a move of this game.",
        ),
        (Standing::Legal, "Legal: every move keeps to the rules."),
    ] {
        verdict.standing = standing;
        assert_eq!(super::standing(&verdict, Language::English), english);
    }
    assert_eq!(
        super::agreement_with_count(Agreement::Unknown, Language::English),
        None
    );
    assert_eq!(json(&verdict, Language::English)["contradicts"], json!(true));
}
