//! `docs/record.schema.json` held to what is written, and every kind of finding to its sentences.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use rules::{
    Agreement, Asked, Count, Counting, FindingKind, Language, Margin, OnRepetition, Point, RefusalKind,
    RuleSet, Standing, Verdict,
};
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
fn of_very_many_games_the_first_are_listed_and_all_are_counted() {
    let record = "(;GM[1]PB[x];B[aa])".repeat(30_000);
    let refused = rules::judge(record.as_bytes(), &Asked::default()).expect_err("several games");
    let told = refusal_json(&refused, Language::English);
    assert_eq!(
        (told["games"].as_array().map(Vec::len), &told["of"]),
        (Some(100), &json!(30_000))
    );
    let text = told["text"].as_str().expect("a sentence");
    assert!(text.contains("30000 games") && text.ends_with("; …."), "{text}");
    assert!(told.to_string().len() < 20_000);
}

#[test]
fn that_players_may_agree_on_no_result_is_not_said_as_if_they_had() {
    let finding = found(FindingKind::Repeated(super::samples::cycle(
        rules::RepetitionKind::EternalLife,
        OnRepetition::NoResult,
    )));
    let mut verdict = game();
    for (standing, played_on) in [(Standing::Referee, true), (Standing::NoResult, false)] {
        verdict.standing = standing;
        let english = sentence(&finding, &verdict, Language::English);
        let chinese = sentence(&finding, &verdict, Language::Chinese);
        assert_eq!(english.contains("it was played on"), played_on, "{english}");
        assert_eq!(chinese.contains("对局继续了"), played_on, "{chinese}");
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

#[test]
fn a_proposal_that_leaves_stones_open_has_no_margin_to_be_mistaken_for_a_count() {
    let mut verdict = game();
    let Count::Counted(mut proposal) = verdict.count else {
        unreachable!("the sample is counted")
    };
    proposal.dead = verdict.setup.iter().map(|(_, point)| *point).collect();
    verdict.count = Count::NeedsDeadStones(Some(Box::new(proposal)));
    let told = json(&verdict, Language::English)["count"].clone();
    assert_eq!(
        (&told["state"], &told["counted"], &told["certainly_dead"]),
        (&json!("needs_dead_stones"), &Value::Null, &json!(["cc"]))
    );
    for language in Language::ALL {
        let told = super::count(&verdict, language);
        assert!(
            told.contains("C1") && !told.contains("1 3/4") && !told.contains("1又3/4"),
            "{told}"
        );
    }
}

#[test]
fn of_many_findings_of_one_kind_the_first_are_listed_and_no_other_kind_is_lost() {
    let mut verdict = game();
    verdict.findings = vec![found(FindingKind::MoveAfterEnd); 1000];
    verdict.findings.push(found(FindingKind::Occupied));
    let told = json(&verdict, Language::English);
    assert_eq!(told["findings"].as_array().map(Vec::len), Some(101));
    assert_eq!(told["findings"][100]["code"], "occupied");
    assert_eq!(told["findings_left_out"], 900);
    let told = text(&verdict, Language::English);
    assert!(
        told.contains("  990 more of the same kinds are not listed.\n"),
        "{told}"
    );
    assert!(told.contains("  illegal: "), "{told}");
}

/// Records to be damaged: a game with a ko, one that is counted, one with setup, handicap and variations.
const RECORDS: [&str; 3] = [
    "(;GM[1]FF[4]CA[UTF-8]SZ[5]RU[Chinese]KM[0]PB[甲]PW[乙]RE[B+R];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[ee];W[bb];B[cb];W[bb])",
    "(;GM[1]SZ[5:5]RU[Japanese]KM[650]RE[黑胜3/4子];B[ca]BL[61.5];W[da]C[a\\]b];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[]TB[aa:be]TW[ea:ee])",
    "before (;HA[2]AB[pd][dp]PB[];W[dd](;B[qq];W[qq];AE[dd])(;B[tt];B[zz]))(;GM[2])",
];

/// Bytes that mean something in a record.
const MEANT: &[u8] = b"[]();\\BWAEabcdtz019";

proptest! {
    #[test]
    fn the_verdict_on_any_damaged_record_satisfies_the_schema_and_does_no_harm(
        which in 0..RECORDS.len(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 0..12),
        rules in prop::option::of(0..RuleSet::ALL.len()),
        on_repetition in prop::option::of(0..OnRepetition::ALL.len()),
        dead in any::<bool>(),
        game in prop::option::of(1..3_usize),
    ) {
        let mut bytes = RECORDS[which].as_bytes().to_vec();
        for (at, byte, how) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            // What means something in a record comes more often than any byte.
            let byte = if how < 3 { MEANT[usize::from(byte) % MEANT.len()] } else { byte };
            match how {
                0 => { bytes.remove(at); }
                1 => bytes.insert(at, byte),
                _ => bytes[at] = byte,
            }
        }
        let asked = Asked {
            rules: rules.map(|index| RuleSet::ALL[index]),
            on_repetition: on_repetition.map(|index| OnRepetition::ALL[index]),
            dead: dead.then(|| vec![Point { column: 0, row: 0 }]),
            game,
            ..Asked::default()
        };
        let root = schema();
        for language in Language::ALL {
            match rules::judge(&bytes, &asked) {
                Ok(verdict) => {
                    let written = json(&verdict, language);
                    prop_assert!(satisfies(&root, &root, &written), "{written:#}");
                    let told = text(&verdict, language) + &board(&verdict);
                    prop_assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{told:?}");
                    prop_assert_eq!(replayed(&written), written["position"].clone());
                    if let Some((added, told)) = added_up(&written) {
                        prop_assert_eq!(added, told, "{:#}", written);
                    }
                }
                Err(refused) => {
                    let written = refusal_json(&refused, language);
                    prop_assert!(satisfies(&root, &root["$defs"]["refusal"], &written), "{written:#}");
                    let told = refusal(&refused, language);
                    prop_assert!(!told.contains(char::is_control), "{told:?}");
                }
            }
        }
    }
}

/// The last position from the lists of the JSON alone, without any rule of the game.
fn replayed(verdict: &Value) -> Value {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let rows = usize::try_from(verdict["size"]["rows"].as_u64().expect("a number")).expect("small");
    let columns = usize::try_from(verdict["size"]["columns"].as_u64().expect("a number")).expect("small");
    let mut board = vec![vec!['.'; columns]; rows];
    let mut put = |point: &Value, side: &Value| {
        let point = Point::from_record(point.as_str().expect("letters")).expect("a point");
        board[usize::from(point.row)][usize::from(point.column)] = match side.as_str() {
            Some("black") => 'B',
            Some(_) => 'W',
            None => '.',
        };
    };
    for stone in list(&verdict["setup"]) {
        put(&stone["point"], &stone["side"]);
    }
    let changes = list(&verdict["setup_midgame"]);
    let mut changes = changes.iter().peekable();
    let moves = list(&verdict["moves"]);
    for number in 1..=moves.len() + 1 {
        while let Some(change) = changes.next_if(|change| change["before_move"] == json!(number)) {
            put(&change["point"], &change["side"]);
        }
        let Some(judged) = moves
            .get(number - 1)
            .filter(|judged| judged["void"] == json!(false))
        else {
            continue;
        };
        if !judged["point"].is_null() {
            put(&judged["point"], &judged["side"]);
        }
        for captured in list(&judged["captured"]) {
            put(&captured, &Value::Null);
        }
    }
    board.iter().map(|row| row.iter().collect::<String>()).collect()
}

/// The margin of a count, added up as `docs/record.md` says it, and the margin that is told.
fn added_up(verdict: &Value) -> Option<(i64, i64)> {
    let counted = &verdict["count"]["counted"];
    let number = |value: &Value| value.as_i64().expect("a whole number");
    let told = counted["margin"]["quarter_stones"].as_i64()?;
    let both = |name: &str| ["black", "white"].map(|side| number(&counted[name][side]));
    let (stones, points, prisoners) = (both("stones"), both("points"), both("prisoners"));
    let taken: i64 = counted["quarter_stones"]
        .as_object()
        .expect("fields")
        .values()
        .map(number)
        .sum();
    let rules: RuleSet = verdict["rules"].as_str().expect("a word").parse().expect("rules");
    let before = match rules.counting() {
        Counting::Area => {
            let board = number(&verdict["size"]["columns"]) * number(&verdict["size"]["rows"]);
            4 * (stones[0] + points[0]) + 2 * number(&counted["shared"]) - 2 * board
        }
        Counting::Territory => 2 * (points[0] + prisoners[0] - points[1] - prisoners[1]),
    };
    Some((before - taken, told))
}
