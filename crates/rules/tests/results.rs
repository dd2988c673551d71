//! Results, komi and rule sets as records write them, and margins as people say them.

#![expect(clippy::disallowed_methods, reason = "a test may read the records")]

use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rules::{Colour, FindingKind, Komi, Language, Margin, Recorded, RecordedKind, RuleSet, Unit};
use serde_json::Value;

use RecordedKind::{BothLose, Draw, Forfeit, Judge, Other, Resign, Score, Time, Unknown, Unspecified, Void};

const B: Option<Colour> = Some(Colour::Black);
const W: Option<Colour> = Some(Colour::White);

/// The folder of real records beside the project, if it is there.
fn records() -> Option<PathBuf> {
    let folder = std::env::var_os("TIANYUAN_RECORDS").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/records")),
        PathBuf::from,
    );
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no records in {}", folder.display());
    None
}

fn json(name: &str) -> Option<Value> {
    let bytes = std::fs::read(records()?.join(name)).expect("the file of the folder");
    Some(serde_json::from_slice(&bytes).expect("JSON"))
}

#[test]
fn each_spelling_of_a_result_without_a_number_is_read() {
    for (texts, winner, kind) in [
        (
            "B+R|B+Resign|B+R.|b+r|B + R|B+Res|Black+Resign|B+Resignation|Ｂ＋Ｒ|\u{200e}B+R\u{feff}|黑+R|\
             Black wins by resignation|White resigns.|White resigned|B+R (moves after 150 not known)|\
             黑中盘胜|黑中盤勝|黑方中盘胜|黑棋中盘胜|黑胜（中盘）|黑胜，中盘|中盘黑胜|黑不计点胜|白认输|白投子认负|白方中盘负|\
             黒中押し勝ち|黒番中押勝|黒の中押し勝ち|210手完、黒中押し勝ち|共210手，黑中盘胜|흑 불계승|백 불계패",
            B,
            Resign,
        ),
        (
            "W+T|W+Time|W+time|W+Time Over|W+timeout|Black lost on time|White wins on time|White wins by time|\
             黑超时负|黑方超时|黑超時負|白超时胜|白胜（超时）|黒時間切れ負け|黒時間切れ|흑 시간패|백 시간승",
            W,
            Time,
        ),
        (
            "B+F|B+Forfeit|B+forfeit|B+Illegal|B+Repetition|Black wins by forfeit|White forfeits|白方弃权|白棄權|\
             白判负|白犯规负|白缺席|黑弃权胜|白反則負け|黒不戦勝|백 반칙패|흑 기권승",
            B,
            Forfeit,
        ),
        (
            "W+J|W+Judge|White wins by judge|White wins by adjudication|白判胜|白裁定胜",
            W,
            Judge,
        ),
        (
            "B+|B|b|Black|Black win|Black wins|Black won|White loses|黑胜|黑勝|黑方胜|白负|黒勝ち|黒番勝ち|흑 승",
            B,
            Unspecified,
        ),
        ("B+V|B+AW|B+Whatever", B, Other),
        (
            "0|Draw|draw|DRAW|Jigo|和棋|和局|双方和棋|D+J|持碁|ジゴ|引き分け|무승부|빅|平局",
            None,
            Draw,
        ),
        ("Void|void|No result|无胜负|無勝負|无结果|무효", None, Void),
        ("双负|雙負|双方判负|Both lose|双方弃权", None, BothLose),
        (
            "|?| |Unknown|unfinished|has adjourned.|打挂|B+?|B+0|W+0.0|B+-3.5|B+R or W+R|B+Draw|Black wins?|+R|R|X+R|\
             黑白|黑胜白负吗|甲执黑中盘胜|1-0|B-R|不明|黑胜零目|B+3.5.5|2:1|Black did not win|B+R?|B+R (?)|\
             黑胜三分|半目|中盘胜|胜|+|超时",
            None,
            Unknown,
        ),
    ] {
        for text in texts.split('|') {
            let read = Recorded::read(text);
            assert_eq!((read.winner, read.kind), (winner, kind), "{text}");
            assert_eq!((read.margin, read.unit), (None, None), "{text}");
            assert_eq!(read.text, text);
        }
    }
}

#[test]
fn each_spelling_of_a_margin_is_read_exactly() {
    use Unit::{Points, Stones};
    for (texts, margin, unit) in [
        (
            "W+0.5|W+.5|W+0.50|W+0,5|白胜半目|白半目勝ち|白番半目勝|백 반집승|White wins by 0.5 points",
            -1,
            Points,
        ),
        (
            "B+3.5|B+3.50|B+3.5 points|B+3.5目|黑胜3目半|黑胜三目半|黑3目半勝ち|黒三目半勝|흑 3집반승|흑 3집 반 승|白负3目半|Black wins by 3.5",
            7,
            Points,
        ),
        (
            "白胜12.5目|白勝十二目半|257手完, 白12目半勝ち|W+12.5|White wins by 12.5 points",
            -25,
            Points,
        ),
        ("B+7|B+7.0|黑胜7目|黒7目勝ち|黑胜七点|흑 7집승", 14, Points),
        (
            "B+0.75|B+3/4|B+¾|黑胜3/4子|黑胜四分之三子|黑勝3/4子|黑胜３／４子|B+3/4子|黑胜¾子",
            3,
            Stones,
        ),
        (
            "W+1.25|白胜1又1/4子|白胜1又四分之一子|白胜一又四分之一子|白勝 1又1/4 子|白胜1¼子|黑负1又1/4子|白胜1 1/4子",
            -5,
            Stones,
        ),
        (
            "B+3.75|黑胜3又3/4子|黑胜三又四分之三子|黑方胜3又3/4子|黑胜3.75子",
            15,
            Stones,
        ),
        ("黑胜5子|黑胜五子|B+5 stones", 20, Stones),
        ("黑胜半子|黑胜1/2子|黑胜：半子|黑胜（半子）", 2, Stones),
        ("B+206.5", 413, Points),
    ] {
        for text in texts.split('|') {
            let read = Recorded::read(text);
            let margin = Margin(margin);
            assert_eq!((read.kind, read.winner), (Score, margin.winner()), "{text}");
            assert_eq!((read.margin, read.unit), (Some(margin), Some(unit)), "{text}");
        }
    }
    // A win by a number that cannot be read exactly keeps the number as text.
    for (text, winner) in [
        ("B+3 1/4", B),
        ("B+3¼", B),
        ("W+0.3", W),
        ("B+1/3", B),
        ("W+2.25 points", W),
        ("白胜三分之一子", W),
    ] {
        let read = Recorded::read(text);
        assert_eq!(
            (read.kind, read.winner, read.margin),
            (Score, winner, None),
            "{text}"
        );
        assert_eq!(read.text, text);
    }
}

#[test]
fn results_of_real_records_are_read_as_listed() {
    let Some(entries) = json("results.json") else {
        return;
    };
    for entry in entries.as_array().expect("entries") {
        let text = entry["re"].as_str().expect("a result");
        let read = Recorded::read(text);
        let winner = match entry["winner"].as_str() {
            Some("B") => B,
            Some("W") => W,
            _ => None,
        };
        let kind = match entry["kind"].as_str().expect("a kind") {
            "score" => Score,
            "resign" => Resign,
            "time" => Time,
            "forfeit" => Forfeit,
            "judge" => Judge,
            "draw" => Draw,
            "void" => Void,
            "both_lose" => BothLose,
            "unspecified" => Unspecified,
            "other" => Other,
            other => panic!("{other} is a new kind"),
        };
        assert_eq!((read.winner, read.kind), (winner, kind), "{text}");
        assert_eq!(read.unit.map(Unit::as_str), entry["unit"].as_str(), "{text}");
        let value = entry["value"].as_number().map(ToString::to_string);
        let said = read
            .margin
            .zip(read.unit)
            .map(|(margin, unit)| margin.decimal(unit));
        assert_eq!(said, value, "{text}");
    }
}

#[test]
fn no_text_is_too_odd_to_be_read() {
    let long = "黑胜".repeat(100_000);
    let digits = format!("B+{}", "9".repeat(1_000));
    for text in [
        long.as_str(),
        &digits,
        "\u{0}",
        "+",
        "++",
        "B+\u{0}R",
        "半",
        "黑胜半",
        "又",
        "黑胜又子",
        "분",
        "/",
        "B+/",
        "B+1/0",
    ] {
        let read = Recorded::read(text);
        assert_eq!(read.margin, None);
    }
    assert_eq!(Recorded::read(&long).kind, Unknown);
}

#[test]
fn a_margin_is_said_as_people_and_records_say_it() {
    use Unit::{Points, Stones};
    for (margin, unit, chinese, english, record) in [
        (3, Stones, "黑胜3/4子", "Black wins by 3/4 stone", "B+0.75"),
        (-5, Stones, "白胜1又1/4子", "White wins by 1 1/4 stones", "W+1.25"),
        (13, Stones, "黑胜3又1/4子", "Black wins by 3 1/4 stones", "B+3.25"),
        (2, Stones, "黑胜半子", "Black wins by 1/2 stone", "B+0.5"),
        (4, Stones, "黑胜1子", "Black wins by 1 stone", "B+1"),
        (-6, Stones, "白胜1又1/2子", "White wins by 1 1/2 stones", "W+1.5"),
        (15, Points, "黑胜7目半", "Black wins by 7.5 points", "B+7.5"),
        (-1, Points, "白胜半目", "White wins by 0.5 points", "W+0.5"),
        (-2, Points, "白胜1目", "White wins by 1 point", "W+1"),
        (0, Points, "和棋", "Draw", "0"),
    ] {
        let margin = Margin(margin);
        assert_eq!(margin.said(unit, Language::Chinese), chinese);
        assert_eq!(margin.said(unit, Language::English), english);
        assert_eq!(margin.to_record(unit), record);
        for text in [chinese, english] {
            let read = Recorded::read(text);
            assert_eq!(read.winner, margin.winner(), "{text}");
            assert_eq!(read.margin.unwrap_or_default(), margin, "{text}");
        }
    }
    // No number within range is too large to say.
    for margin in [i32::MIN, i32::MAX] {
        assert!(Margin(margin).said(Points, Language::Chinese).len() > 10);
    }
}

#[test]
fn the_arithmetic_of_chinese_counting_is_said_as_listed() {
    let Some(entries) = json("chinese-arithmetic.json") else {
        return;
    };
    for entry in entries.as_array().expect("entries") {
        let quarters = |value: &Value| {
            let text = format!("B+{value}子");
            Recorded::read(&text).margin.expect("an amount").0
        };
        // Margin = Black's area − half of 361 − komi, in quarters.
        let margin = Margin(quarters(&entry["black_area"]) - 722 - quarters(&entry["komi_stones"]));
        assert_eq!(
            margin.said(Unit::Stones, Language::Chinese),
            entry["cn"],
            "{entry}"
        );
        assert_eq!(
            margin.winner(),
            if entry["winner"] == "B" { B } else { W },
            "{entry}"
        );
        assert_eq!(
            margin.decimal(Unit::Stones),
            entry["margin_stones"].to_string(),
            "{entry}"
        );
        assert_eq!(
            margin.decimal(Unit::Points),
            entry["margin_points"].to_string(),
            "{entry}"
        );
    }
}

/// What is said of how a komi is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Said {
    Nothing,
    Converted,
    Doubtful,
}

/// In the unit of the rules, or nothing where it is not to be read.
fn komi(text: &str, rules: RuleSet) -> Option<(String, Said)> {
    let read = Komi::from_record(text, rules).ok()??;
    let said = match read.finding {
        None => Said::Nothing,
        Some(FindingKind::KomiConverted { komi, unit, .. }) => {
            assert_eq!((komi, unit), (read.komi, rules.unit()));
            Said::Converted
        }
        Some(FindingKind::KomiDoubtful { .. }) => Said::Doubtful,
        Some(other) => panic!("{other:?}"),
    };
    Some((read.komi.to_string(), said))
}

#[test]
fn komi_is_read_in_the_unit_that_is_meant() {
    use Said::{Converted, Doubtful, Nothing};
    for (texts, stones, points) in [
        (
            "7.5|7.50|7,5|7目半|七目半|7.5目|7半|7 1/2|+7.5",
            ("3.75", Nothing),
            ("7.5", Nothing),
        ),
        ("6.5|6,5|6目半|６．５", ("3.25", Nothing), ("6.5", Nothing)),
        ("750", ("3.75", Converted), ("7.5", Converted)),
        ("650", ("3.25", Converted), ("6.5", Converted)),
        (
            "375|3.75|3又3/4|三又四分之三",
            ("3.75", Converted),
            ("7.5", Doubtful),
        ),
        ("325|3.25", ("3.25", Converted), ("6.5", Doubtful)),
        ("3又3/4子|3.75子", ("3.75", Converted), ("7.5", Converted)),
        ("0|0.00|0.0|-0|000", ("0", Nothing), ("0", Nothing)),
        ("-5.5", ("-2.75", Nothing), ("-5.5", Nothing)),
        ("-59.5", ("-29.75", Doubtful), ("-59.5", Doubtful)),
        ("65", ("32.5", Doubtful), ("65", Doubtful)),
        ("8", ("4", Nothing), ("8", Nothing)),
    ] {
        for text in texts.split('|') {
            let said = |(komi, said): (&str, Said)| Some((komi.to_owned(), said));
            assert_eq!(komi(text, RuleSet::Chinese), said(stones), "{text}");
            assert_eq!(komi(text, RuleSet::Japanese), said(points), "{text}");
        }
    }
    for rules in RuleSet::ALL {
        for text in ["", " ", "\u{200b}"] {
            assert_eq!(Komi::from_record(text, rules), Ok(None), "nothing is written");
        }
        for text in [
            "x",
            "6.6",
            "361",
            "999",
            "37500",
            "6.25目",
            "--6",
            "-",
            "目",
            "6.5.5",
            "1/3",
            "99999999999",
        ] {
            assert!(Komi::from_record(text, rules).is_err(), "{text}");
        }
    }
}

#[test]
fn komi_of_real_servers_is_read_as_listed() {
    let Some(entries) = json("nasty/syn2-km-variants.json") else {
        return;
    };
    for (text, points) in entries.as_object().expect("entries") {
        let expected = points.as_number().map(ToString::to_string);
        let read = komi(text, RuleSet::Japanese).map(|(komi, _)| komi);
        assert_eq!(read, expected, "{text}");
        let stones = Komi::from_record(text, RuleSet::Chinese).expect("a komi or none");
        let twice = stones.map(|read| {
            Komi::from_quarters(read.komi.quarters() * 2)
                .expect("small")
                .to_string()
        });
        assert_eq!(twice, expected, "{text} in stones");
    }
}

#[test]
fn a_rule_set_is_known_by_its_names_in_records() {
    for (rules, names) in [
        (
            RuleSet::Chinese,
            "Chinese|chinese|CHINESE|cn|中国规则|中國規則|中國|中国|Chinese 2002|Chinese rules|2002年版中国围棋规则|中国围棋规则(2002)|중국룰",
        ),
        (
            RuleSet::Japanese,
            "Japanese|japanese|JP|日本|日本ルール|日本规则|Japanese 1989|Japanese Rules",
        ),
        (RuleSet::Korean, "Korean|韩国|韓國規則|한국룰|KR"),
        (RuleSet::Aga, "AGA|aga|AGA rules"),
        (RuleSet::NewZealand, "NZ|New Zealand|new-zealand|NewZealand"),
        (
            RuleSet::TrompTaylor,
            "Tromp/Taylor|Tromp-Taylor|tromp taylor|Tromp–Taylor rules",
        ),
        (RuleSet::Ing, "Ing|GOE|应氏|應氏規則|ING GOE|应氏计点制规则"),
        (RuleSet::AncientChinese, "中国古棋|Ancient Chinese"),
        (RuleSet::MindSports2008, "Mind Sports 2008|世界智力运动会规则"),
        (RuleSet::WeighBoardA, "计枰点A|计枰点 A 规则"),
    ] {
        for name in names.split('|').chain([rules.slug()]) {
            assert_eq!(RuleSet::from_record(name), Some(rules), "{name}");
        }
    }
    for name in [
        "",
        "rules",
        "2002",
        "French",
        "Chinese or Japanese",
        "GNU",
        "规则",
        "Old",
        "B",
    ] {
        assert_eq!(RuleSet::from_record(name), None, "{name}");
    }
}

/// Pieces of results, komi and noise.
const PIECES: [&str; 48] = [
    "B",
    "W",
    "+",
    "-",
    "黑",
    "白",
    "흑",
    "백",
    "方",
    "番",
    "胜",
    "勝ち",
    "负",
    "승",
    "패",
    "中盘",
    "中押し",
    "불계",
    "超时",
    "弃权",
    "半",
    "반",
    "又",
    "分之",
    "/",
    ".",
    ",",
    " ",
    "0",
    "1",
    "3",
    "4",
    "75",
    "三",
    "十",
    "百",
    "零",
    "子",
    "目",
    "집",
    "¾",
    "９",
    "(",
    ")",
    "\u{200e}",
    "R",
    "wins by ",
    "points",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_written_no_result_contradicts_itself(pieces in vec(select(&PIECES[..]), 0..9), noise in any::<String>()) {
        for text in [pieces.concat(), noise] {
            let read = Recorded::read(&text);
            prop_assert_eq!(&read.text, &text);
            let nobody = matches!(read.kind, Draw | Void | BothLose | Unknown);
            prop_assert_eq!(read.winner.is_none(), nobody, "{}", text);
            if let Some(margin) = read.margin {
                prop_assert_eq!((read.kind, margin.winner()), (Score, read.winner), "{}", text);
                prop_assert!(read.unit.is_some());
            }
            for rules in RuleSet::ALL {
                if let Ok(Some(read)) = Komi::from_record(&text, rules) {
                    prop_assert!(rules.unit().admits(read.komi.quarters().into()), "{}", text);
                }
            }
            let _rules = RuleSet::from_record(&text);
        }
    }

    #[test]
    fn what_is_said_of_a_margin_is_read_again(margin in -1500..1500_i32, stones in any::<bool>()) {
        let unit = if stones { Unit::Stones } else { Unit::Points };
        let margin = Margin(margin);
        for language in Language::ALL {
            let text = margin.said(unit, language);
            prop_assert_eq!(Recorded::read(&text).margin.unwrap_or_default(), margin, "{}", text);
        }
    }
}
