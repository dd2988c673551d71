//! Real and broken records, judged as they are described beside them.

#![expect(clippy::disallowed_methods, reason = "a test may read the records")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rules::{
    Asked, Colour, End, FindingKind, Move, Point, RecordedKind, Refusal, RefusalKind, Repeated, RuleSet,
    Size, Standing, Twice, Verdict, Weight, judge,
};
use serde_json::Value;

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

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).expect(name)
}

fn entries(folder: &Path, name: &str) -> Vec<Value> {
    serde_json::from_slice(&bytes(folder, name)).expect("a list of entries")
}

fn text<'v>(entry: &'v Value, name: &str) -> &'v str {
    entry[name].as_str().unwrap_or_default()
}

fn number(value: &Value) -> u32 {
    let number = value.as_u64().and_then(|number| number.try_into().ok());
    number.expect("a small number")
}

fn under(rules: RuleSet) -> Asked {
    Asked {
        rules: Some(rules),
        ..Asked::default()
    }
}

fn codes(verdict: &Verdict) -> Vec<&'static str> {
    verdict
        .findings
        .iter()
        .map(|finding| finding.kind.code())
        .collect()
}

/// The numbers of the moves with a finding of this kind.
fn moves_with(verdict: &Verdict, code: &str) -> Vec<u32> {
    let of_kind = verdict
        .findings
        .iter()
        .filter(|finding| finding.kind.code() == code);
    of_kind.filter_map(|finding| finding.move_number).collect()
}

fn repeated(verdict: &Verdict) -> Vec<Repeated> {
    let kinds = verdict.findings.iter().map(|finding| &finding.kind);
    kinds
        .filter_map(|kind| match kind {
            FindingKind::Repeated(repeated) => Some(*repeated),
            _ => None,
        })
        .collect()
}

/// What is wrong with a game, in the words of the list of games.
fn issues(verdict: &Verdict) -> BTreeSet<(u32, String)> {
    let mut issues = BTreeSet::new();
    for finding in &verdict.findings {
        let Some(number) = finding.move_number else {
            continue;
        };
        let word = match &finding.kind {
            FindingKind::SameSideTwice { .. } => "same-colour-twice".to_owned(),
            FindingKind::SetupMidgame => "setup-midgame".to_owned(),
            FindingKind::Occupied => "occupied".to_owned(),
            FindingKind::Suicide { stones } => format!("suicide{stones}"),
            FindingKind::Repeated(repeated) => format!("PSK<-{}", repeated.first),
            _ => continue,
        };
        issues.insert((number, word));
    }
    issues
}

/// What the list says of a game and is not so by the rules.
///
/// - A move that cannot be read is its side's turn all the same: it has a number, and the other side's next
///   move is no second one in a row. The list does not count it.
/// - A suicide is void: the position after it is no repetition, because nothing was played.
/// - Two stones were captured and one took the capturer back: at `fi` a stone is missing.
const OTHERWISE: [(&str, u32, &str); 6] = [
    ("games/ogs-197.sgf", 231, "badpoint:iem"),
    ("games/ogs-197.sgf", 232, "same-colour-twice"),
    ("games/ogs-198.sgf", 55, "badpoint:n"),
    ("games/ogs-198.sgf", 56, "same-colour-twice"),
    ("games/psk-repeat-232.sgf", 140, "PSK<-139"),
    ("games/psk-repeat-239.sgf", 2, "PSK<-0"),
];

/// The list names the first issues of a game only.
const LISTED: usize = 8;

#[test]
fn moves_passes_captures_and_issues_of_real_games_are_as_listed() {
    let Some(folder) = records() else { return };
    let games = entries(&folder, "games.json");
    let mut wrong = Vec::new();
    for game in &games {
        let file = text(game, "file");
        // By the position alone, so that every repetition of one is told.
        let verdict = match judge(&bytes(&folder, file), &under(RuleSet::Chinese)) {
            Ok(verdict) => verdict,
            Err(refusal) => {
                wrong.push(format!("{file}: refused, {refusal:?}"));
                continue;
            }
        };
        let is_pass = |at: &usize| verdict.moves[*at].play == Move::Pass && !verdict.moves[*at].void;
        let passes = (0..verdict.moves.len()).filter(is_pass).count();
        let captures = verdict.captures.black + verdict.captures.white;
        let unreadable = moves_with(&verdict, "point-unreadable").len();
        let told = [verdict.moves.len() - unreadable, passes, captures as usize];
        let expected = ["moves", "passes", "captures"].map(|name| number(&game[name]) as usize);
        if told != expected {
            wrong.push(format!("{file}: {told:?} instead of {expected:?}"));
        }

        let listed = game["issues"].as_array().expect("a list");
        let is_full = listed.len() >= LISTED;
        let listed: BTreeSet<_> = listed
            .iter()
            .map(|issue| {
                (
                    number(&issue[0]),
                    issue[1].as_str().unwrap_or_default().to_owned(),
                )
            })
            .filter(|(number, issue)| !OTHERWISE.contains(&(file, *number, issue)))
            .collect();
        let issues = issues(&verdict);
        let last = listed.last().map(|(number, _)| *number);
        let beyond_list = |number: u32| is_full && Some(number) >= last;
        let extra: Vec<_> = issues
            .difference(&listed)
            .filter(|(number, _)| !beyond_list(*number))
            .collect();
        let lacking: Vec<_> = listed.difference(&issues).collect();
        if !extra.is_empty() || !lacking.is_empty() {
            wrong.push(format!("{file}: too many {extra:?}, lacking {lacking:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        games.len(),
        wrong.join("\n")
    );
    assert!(games.len() > 200);
}

/// The file of an entry, as it is or made by its description.
fn file_of(folder: &Path, name: &str) -> Vec<u8> {
    match name {
        "nasty/gen-deep-nesting" => ["(;B[aa]".repeat(200_000), ")".repeat(200_000)]
            .concat()
            .into_bytes(),
        "nasty/gen-huge-comment" => ["(;FF[4]GM[1]SZ[9]C[", &"a".repeat(64 << 20), "];B[ee])"]
            .concat()
            .into_bytes(),
        name => bytes(folder, name),
    }
}

fn stones(verdict: &Verdict, side: Colour) -> usize {
    verdict.setup.iter().filter(|(stone, _)| *stone == side).count()
}

fn played(verdict: &Verdict) -> String {
    let words = verdict.moves.iter().map(|judged| {
        let side = if judged.side == Colour::Black { "B" } else { "W" };
        let point = judged.play.point().map_or_else(String::new, Point::to_record);
        format!("{side}{point}")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Holds a broken file to what is expected of it.
fn check_nasty(file: &str, judged: Result<Verdict, Refusal>) {
    let name = file.strip_prefix("nasty/").unwrap_or(file);
    match judged {
        Err(refusal) => check_refused(name, &refusal),
        Ok(verdict) => {
            if !check_text(name, &verdict) {
                check_game(name, &verdict);
            }
        }
    }
}

fn check_refused(file: &str, refusal: &Refusal) {
    let place = refusal.place.map(|place| (place.line, place.column));
    match (file, &refusal.kind) {
        ("syn-size-after-setup-small.sgf", RefusalKind::SetupOffBoard { text }) => {
            assert_eq!((text.as_str(), place), ("pp", Some((1, 6))));
        }
        ("syn2-rect-board.sgf", RefusalKind::SizeNotPlayed { record, event }) => {
            assert_eq!((Some(*record), *event), (Size::new(19, 9), None));
        }
        ("syn2-size-huge.sgf", RefusalKind::BadSize { text }) => assert_eq!(text, "1000000"),
        ("syn-deep-tree.sgf", RefusalKind::SeveralGames { games, .. }) => {
            assert_eq!(games.iter().map(|game| game.nodes).max(), Some(5_000));
        }
        ("syn2-empty.sgf", RefusalKind::Empty)
        | ("gen-deep-nesting" | "gen-huge-comment", RefusalKind::TooLarge { .. }) => {}
        (file, refusal) => panic!("{file}: {refusal:?}"),
    }
}

fn told(file: &str, verdict: &Verdict, code: &str) {
    let codes = codes(verdict);
    assert!(codes.contains(&code), "{file}: {code} is not in {codes:?}");
}

fn result(file: &str, verdict: &Verdict, winner: Option<Colour>, kind: RecordedKind) {
    let recorded = verdict.recorded.as_ref().expect(file);
    assert_eq!((recorded.winner, recorded.kind), (winner, kind), "{file}");
}

/// Files whose text is the trouble; gives whether it is one.
fn check_text(file: &str, verdict: &Verdict) -> bool {
    let names = &verdict.header.names;
    let names = (names.black.as_str(), names.white.as_str());
    let told = |code: &str| told(file, verdict, code);
    let moves = verdict.moves.len();
    match file {
        "enc-gb2312.sgf" => {
            assert_eq!(names, ("古力", "柯洁"));
            assert_eq!(verdict.moves[1].comment, "围棋 is fun");
        }
        "enc-shiftjis-5c-trap.sgf" => assert_eq!(names, ("井山 裕太", "山下 敬吾")),
        "enc-utf16le-bom.sgf" | "enc-utf8-bom.sgf" => {
            assert!(moves > 100, "{file}");
            assert_eq!(verdict.standing, Standing::Legal);
        }
        "enc-gbk.sgf" | "enc-big5.sgf" | "enc-iso2022jp.sgf" => {
            let header = format!("{:?}", verdict.header);
            assert!(
                !header.contains('\u{fffd}') && !header.is_ascii(),
                "{file}: {header}"
            );
        }
        "enc-utf8-cut-a0-fox.sgf" => {
            assert_eq!((verdict.encoding, names.0), ("UTF-8", "天下无狗20"));
            assert!(names.1.starts_with("巧花"));
            told("text-damaged");
        }
        "syn-verbose-lowercase-props.sgf" => {
            told("lower-case-name");
            assert!(moves > 100 && !names.0.is_empty());
        }
        "syn-missing-parens.sgf" | "iss-missing-final-paren.sgf" => told("tree-not-closed"),
        "syn-extra-bracket.sgf" => told("stray-bracket"),
        "iss-unescaped-bracket.sgf" => {
            told("stray-bracket");
            assert_eq!(moves, 2);
        }
        "iss-tree-without-semicolon.sgf" => {
            assert_eq!(played(verdict), "Bpp Wdd");
            told("semicolon-missing");
        }
        "iss-extra-close-paren.sgf" => told("tree-closed-twice"),
        "iss-leading-newline.sgf" => {
            let heaviest = verdict.findings.iter().map(rules::Finding::weight).max();
            assert!(moves == 2 && heaviest < Some(Weight::Broken));
        }
        "syn2-ca-utf8-bytes-gbk.sgf" | "syn2-ca-gb2312-bytes-utf8.sgf" => {
            told("encoding-not-as-declared");
            result(file, verdict, Some(Colour::Black), RecordedKind::Resign);
        }
        "syn2-lowercase-ids.sgf" => {
            told("lower-case-name");
            assert_eq!(moves, 2);
        }
        "syn2-zero-width.sgf" => {
            result(file, verdict, Some(Colour::Black), RecordedKind::Resign);
            assert_eq!(names.0, "柯\u{200b}洁", "the name as it is written");
        }
        "syn2-text-before-and-after.sgf" => {
            told("text-before");
            told("text-after");
            assert_eq!(moves, 2);
        }
        "syn2-crlf-softbreak.sgf" => assert_eq!(verdict.header.comment, "ab ] : \\"),
        _ => return false,
    }
    true
}

/// Files whose game is the trouble.
fn check_game(file: &str, verdict: &Verdict) {
    let told = |code: &str| told(file, verdict, code);
    let result = |winner, kind| result(file, verdict, winner, kind);
    let at = |code: &str| moves_with(verdict, code);
    let stands = |standing| assert_eq!(verdict.standing, standing, "{file}: {:?}", codes(verdict));
    match file {
        "syn-one-letter-point.sgf" => {
            assert_eq!(at("point-unreadable"), [56]);
            stands(Standing::Uncertain);
        }
        "syn-three-letter-point.sgf" => {
            assert_eq!(at("point-unreadable"), [232]);
            stands(Standing::Uncertain);
        }
        "syn-numeric-points.sgf" => {
            assert!(!at("point-unreadable").is_empty());
            stands(Standing::Uncertain);
        }
        "syn-ff1-championgo-pass-props.sgf" => {
            assert_eq!((verdict.rules, verdict.handicap), (RuleSet::Japanese, 4));
        }
        "syn-root-without-semicolon-before-B.sgf" => {
            told("move-in-root");
            assert!(played(verdict).starts_with("Bpd Wdd"));
        }
        "syn-illegal-AB-list-commas.sgf" => {
            told("point-list");
            assert_eq!(
                (stones(verdict, Colour::Black), stones(verdict, Colour::White)),
                (7, 6)
            );
        }
        "syn-compressed-points.sgf" => {
            assert_eq!(
                (stones(verdict, Colour::Black), stones(verdict, Colour::White)),
                (11, 8)
            );
        }
        "syn-N-escaped-bracket.sgf" => stands(Standing::Legal),
        "syn-instabranch.sgf" => {
            assert_eq!(played(verdict), "Bpd");
            told("variations");
        }
        "syn-fox-like-handicap-node1.sgf" => {
            assert_eq!((verdict.handicap, verdict.komi.to_string().as_str()), (2, "3.25"));
            assert_eq!(played(verdict), "Wdc Bce");
            result(None, RecordedKind::Draw);
            told("setup-after-root");
            told("komi-converted");
            stands(Standing::Legal);
        }
        "syn-messy-setup-variations.sgf" => {
            assert_eq!(played(verdict), "Bfd Wdf Bff Wdd Bdg");
            assert_eq!(at("setup-midgame"), [0; 0]);
            stands(Standing::Legal);
        }
        "rule-capture-then-more.sgf" => {
            let captures = verdict.captures.black + verdict.captures.white;
            assert_eq!((verdict.moves.len(), captures), (18, 1));
            stands(Standing::Legal);
        }
        "rule-occupied-and-repeat-fox.sgf" => {
            assert_eq!(at("occupied")[..2], [242, 246]);
            assert!(verdict.moves[241].void && verdict.moves[241].captured.is_empty());
            stands(Standing::Illegal);
        }
        "rule-psk-6cycle-fox.sgf" => {
            let repeated = repeated(verdict)[0];
            assert_eq!((repeated.first, repeated.second, repeated.cycle), (248, 254, 6));
            assert_eq!(
                repeated.lost.black, repeated.lost.white,
                "a referee may call it no result"
            );
            stands(Standing::Illegal);
        }
        "rule-psk-3cycle-aq-golaxy.sgf" => {
            let repeated = repeated(verdict)[0];
            assert_eq!((repeated.first, repeated.second), (316, 319));
            assert!(!repeated.same_to_move);
            stands(Standing::Illegal);
        }
        "rule-setup-midgame.sgf" => {
            assert_eq!(at("setup-midgame")[0], 111);
            stands(Standing::Uncertain);
        }
        "rule-not-go-synthetic-fixture.sgf" => {
            let mut grave = verdict
                .findings
                .iter()
                .filter(|finding| finding.weight() >= Weight::Broken);
            let first = grave
                .next()
                .map(|finding| (finding.kind.code(), finding.move_number));
            assert_eq!(first, Some(("occupied", Some(66))));
            assert_eq!(at("suicide"), [78]);
            assert_eq!(at("point-off-board").len(), 4, "all errors are told");
            stands(Standing::Illegal);
        }
        "iss-fox-HA1-no-AB.sgf" => {
            assert_eq!((verdict.handicap, verdict.komi.quarters()), (0, 0));
            told("handicap-of-one");
            assert!(!codes(verdict).contains(&"handicap-differs"));
            stands(Standing::Legal);
        }
        "iss-re-after-comment-kgs.sgf" => {
            result(Some(Colour::Black), RecordedKind::Score);
            let margin = verdict.recorded.as_ref().and_then(|recorded| recorded.margin);
            assert_eq!(margin.map(|margin| margin.0), Some(111));
            assert!(verdict.header.comment.starts_with("deje [6k]: Hi, gg"));
        }
        "iss-mixed-bracket-name.sgf" => {
            told("game-doubtful");
            result(Some(Colour::White), RecordedKind::Unspecified);
        }
        "syn2-suicide-multi.sgf" => {
            assert_eq!(at("suicide"), [1]);
            stands(Standing::Illegal);
        }
        "syn2-fullwidth-result.sgf" => result(Some(Colour::Black), RecordedKind::Resign),
        "syn2-dup-props.sgf" => {
            told("property-twice");
            told("results-conflict");
            assert_eq!(at("two-moves-in-node"), [1]);
            stands(Standing::Uncertain);
        }
        "syn2-b-and-w-one-node.sgf" => {
            assert_eq!(played(verdict), "Bee Wcc Bdd");
            told("two-sides-in-node");
            stands(Standing::Legal);
        }
        "syn2-sz-19-19.sgf" => {
            told("size-written-twice");
            assert_eq!(verdict.size, Size::NINETEEN);
        }
        other => panic!("{other} was not to be judged, or has no expectation here"),
    }
}

#[test]
fn broken_and_hostile_files_are_treated_as_expected() {
    let Some(folder) = records() else { return };
    let mut seen = 0;
    for entry in entries(&folder, "nasty.json") {
        let file = text(&entry, "file");
        if Path::new(file).extension().is_none_or(|kind| kind != "json") {
            // Repetitions are described by the position; the records name other rules, or none.
            let asked = if file.contains("psk") {
                under(RuleSet::Chinese)
            } else {
                Asked::default()
            };
            check_nasty(file, judge(&file_of(&folder, file), &asked));
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} files");

    let cycle = bytes(&folder, "nasty/rule-psk-6cycle-fox.sgf");
    let by_its_rules = judge(&cycle, &Asked::default()).expect("a game");
    assert_eq!(
        (by_its_rules.rules, by_its_rules.standing),
        (RuleSet::Japanese, Standing::NoResult)
    );

    let deep = bytes(&folder, "nasty/syn-deep-tree.sgf");
    for game in 1..=5 {
        let asked = Asked {
            game: Some(game),
            ..Asked::default()
        };
        assert_eq!(judge(&deep, &asked).expect("a game").game, (game, 5));
    }
}

#[test]
fn a_suicide_of_several_stones_is_legal_where_the_rules_allow_it() {
    let Some(folder) = records() else { return };
    let bytes = bytes(&folder, "nasty/syn2-suicide-multi.sgf");
    for (rules, standing, lost) in [
        (RuleSet::Chinese, Standing::Illegal, 0),
        (RuleSet::Japanese, Standing::Illegal, 0),
        (RuleSet::TrompTaylor, Standing::Legal, 4),
        (RuleSet::NewZealand, Standing::Legal, 4),
        (RuleSet::Ing, Standing::Legal, 4),
        (RuleSet::WeighBoardA, Standing::Legal, 4),
    ] {
        let verdict = judge(&bytes, &under(rules)).expect("a game");
        assert_eq!(
            (verdict.standing, verdict.captures.white),
            (standing, lost),
            "{rules}"
        );
    }
}

#[test]
fn a_repetition_with_the_other_side_to_move_is_for_positional_superko_alone() {
    let Some(folder) = records() else { return };
    let bytes = bytes(&folder, "nasty/rule-psk-3cycle-aq-golaxy.sgf");
    for (rules, standing) in [
        (RuleSet::Chinese, Standing::Illegal),
        (RuleSet::Aga, Standing::Legal),
        (RuleSet::Japanese, Standing::Legal),
    ] {
        let verdict = judge(&bytes, &under(rules)).expect("a game");
        assert_eq!(verdict.standing, standing, "{rules}: {:?}", repeated(&verdict));
        assert_eq!(verdict.end, End::Resignation { loser: Colour::Black });
    }
}

#[test]
fn moves_of_one_side_in_a_row_are_told_apart() {
    let Some(folder) = records() else { return };
    let readings = |file: &str| {
        let verdict = judge(&bytes(&folder, file), &Asked::default()).expect(file);
        let kinds = verdict.findings.iter().map(|finding| &finding.kind);
        let readings = kinds.filter_map(|kind| match kind {
            FindingKind::SameSideTwice { reading, .. } => Some(*reading),
            _ => None,
        });
        (readings.collect::<Vec<_>>(), verdict.standing)
    };
    let (handicap, left_out, unclear) = (Twice::Handicap, Twice::PassLeftOut, Twice::Unclear);
    for (file, expected, standing) in [
        ("games/handicap-127.sgf", vec![handicap; 5], Standing::Legal),
        ("games/kgs-variations-150.sgf", vec![handicap; 3], Standing::Legal),
        (
            "games/fox-same-colour-091.sgf",
            vec![left_out; 5],
            Standing::Legal,
        ),
        ("games/fox-same-colour-084.sgf", vec![unclear], Standing::Referee),
        ("games/fox-same-colour-086.sgf", vec![unclear], Standing::Referee),
    ] {
        assert_eq!(readings(file), (expected, standing), "{file}");
    }
}

#[test]
fn ko_cases_stand_or_fall_as_records_too() {
    let Some(folder) = records() else { return };
    let mut squares = 0;
    for case in entries(&folder, "ko.json") {
        let name = text(&case, "name");
        let rows: Vec<&str> = (case["rows"].as_array().expect(name).iter())
            .filter_map(Value::as_str)
            .collect();
        if rows[0].len() != rows.len() {
            // A record of such a board is not judged; the board has its own test of these cases.
            continue;
        }
        squares += 1;
        let mut record = format!("(;GM[1]SZ[{}]", rows.len());
        for (letter, property) in [('x', "AB"), ('o', "AW")] {
            let mut values = String::new();
            for (row, line) in (0..).zip(&rows) {
                for (column, stone) in (0..).zip(line.chars()) {
                    if stone == letter {
                        values.extend(["[", &Point { column, row }.to_record(), "]"]);
                    }
                }
            }
            if !values.is_empty() {
                record.extend([property, &values]);
            }
        }
        let mut black = text(&case, "first") == "B";
        for play in case["moves"].as_array().expect(name) {
            let place = |at: usize| u8::try_from(number(&play[at])).expect(name);
            let point = play.as_array().map(|_| Point {
                column: place(0),
                row: place(1),
            });
            let side = if black { "B" } else { "W" };
            let point = point.map_or_else(String::new, Point::to_record);
            record.extend([";", side, "[", &point, "]"]);
            black = !black;
        }
        record.push(')');
        for (word, rules) in [
            ("SIMPLE", RuleSet::Japanese),
            ("PSK", RuleSet::Chinese),
            ("SSK", RuleSet::Aga),
        ] {
            let verdict = judge(record.as_bytes(), &under(rules)).expect(name);
            let illegal = verdict
                .findings
                .iter()
                .find(|finding| finding.weight() == Weight::Illegal);
            let said = text(&case["verdict"], word);
            let expected = said.strip_prefix("illegal-at-").map(|rest| {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                digits.parse::<u32>().expect(name)
            });
            assert_eq!(
                illegal.and_then(|finding| finding.move_number),
                expected,
                "{name} under {word}: {said}; {:?}",
                verdict.findings
            );
        }
    }
    assert!(squares > 8);
}

#[test]
fn rare_positions_are_judged() {
    let Some(folder) = records() else { return };
    let mut judged = 0;
    for file in std::fs::read_dir(folder.join("exotics")).expect("the folder") {
        let path = file.expect("an entry").path();
        if path.extension().is_some_and(|kind| kind == "sgf") {
            let verdict = judge(&std::fs::read(&path).expect("a file"), &Asked::default());
            assert!(verdict.is_ok(), "{}: {verdict:?}", path.display());
            judged += 1;
        }
    }
    assert!(judged > 20);
}
