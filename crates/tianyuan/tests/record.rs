//! `tianyuan record` from outside: what goes in, what comes out, and the exit code.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// White retakes a ko at once with the tenth move.
const KO: &str = "(;GM[1]FF[4]SZ[5]RU[Chinese]KM[0]PB[甲]PW[Player Two]RE[B+R]\n\
    ;B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[ee];W[bb];B[cb]\n;W[bb])";
/// Black has three of five columns, with a white stone in them.
const COUNTED: &str = "(;GM[1]FF[4]SZ[5]RU[Chinese]KM[0]PB[甲]PW[Player Two]RE[B+5]\n\
    ;B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[aa];B[];W[])";

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("JSON on standard output")
    }
}

fn record(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tianyuan"))
        .arg("record")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.0.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path.to_str().expect("a path in UTF-8").to_owned()
    }
}

#[test]
fn a_record_of_which_no_move_stands_on_the_board_is_unreadable_and_says_where() {
    let run = record(&["-"], b"(;GM[1]SZ[9]\n;B[ss];W[zz])");
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(
        run.err
            .contains("No move stands on the 9×9 board; the first is written as “ss”"),
        "{}",
        run.err
    );
    assert!(run.err.contains("Line 2, column 4"), "{}", run.err);
    // One move that can be replayed is a game, if not a certain one.
    assert_eq!(record(&["-"], b"(;GM[1]SZ[9];B[ss];W[dd])").code, Some(0));
}

#[test]
fn an_illegal_move_is_named_and_the_answer_is_no() {
    let run = record(&["-"], KO.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert!(
        run.out.contains("illegal: Move 10, White B4 (line 3, column "),
        "{}",
        run.out
    );
    assert!(run.out.contains("Art. 19"), "{}", run.out);
    assert!(!run.out.contains('\u{1b}'));

    let chinese = record(&["--lang", "zh", "-"], KO.as_bytes());
    assert_eq!(chinese.code, Some(1));
    assert!(
        chinese.out.contains("违规：第10手白B4（第3行第"),
        "{}",
        chinese.out
    );

    let told = record(&["--format", "json", "-"], KO.as_bytes());
    assert_eq!(told.code, Some(1));
    let verdict = &told.json()[0]["verdict"];
    assert_eq!(verdict["standing"], "illegal");
    let finding = verdict["findings"].as_array().expect("findings");
    let finding = finding
        .iter()
        .find(|one| one["code"] == "repeated")
        .expect("the ko");
    assert_eq!(
        (
            &finding["move"],
            &finding["point"],
            &finding["name"],
            &finding["details"]["kind"]
        ),
        (&json!(10), &json!("bb"), &json!("B4"), &json!("basic_ko"))
    );
    assert_eq!(verdict["moves"][8]["captured"], json!(["bb"]));
}

#[test]
fn what_a_repetition_means_is_for_the_event_to_say_but_a_ko_is_never_retaken_at_once() {
    let run = record(&["--on-repetition", "no_result", "-"], KO.as_bytes());
    assert_eq!(run.code, Some(1), "{}", run.out);
    let wrong = record(&["--on-repetition", "nothing", "-"], KO.as_bytes());
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(2), ""));
    assert!(wrong.err.contains("no_result"), "{}", wrong.err);
}

#[test]
fn a_position_is_counted_with_the_dead_stones_that_are_named() {
    let run = record(
        &["--rules", "chinese", "--dead", "aa", "--board", "-"],
        COUNTED.as_bytes(),
    );
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    for line in [
        "Count: Black wins by 2 1/2 stones; with 1 stone given as dead.\n",
        "  Black: 5 living stones + 10 surrounded points = 15\n",
        "  Black 15 − half of the board 12 1/2 = 2 1/2 stones\n",
        "The record’s result agrees with the count.\n",
        "  5(O). X O . 5\n",
    ] {
        assert!(run.out.contains(line), "{line}{}", run.out);
    }
    let komi = record(
        &[
            "--rules", "chinese", "--komi", "3.75", "--dead", "aa", "--format", "json", "-",
        ],
        COUNTED.as_bytes(),
    );
    let verdict = &komi.json()[0]["verdict"];
    assert_eq!(verdict["count"]["counted"]["margin"]["quarter_stones"], -5);
    assert_eq!(verdict["agrees_with_count"], "no");
    assert_eq!(verdict["komi"], "3.75");
    // All alive: the corner is shared between both.
    let alive = record(&["--dead", "none", "--format", "json", "-"], COUNTED.as_bytes());
    let counted = &alive.json()[0]["verdict"]["count"]["counted"];
    assert_eq!((&counted["dead"], &counted["shared"]), (&json!([]), &json!(9)));
}

#[test]
fn options_that_make_no_sense_are_bad_usage() {
    for (arguments, word) in [
        (&["--dead", "q16"][..], "two letters"),
        (&["--rules", "house"], "weigh-board-a"),
        (&["--komi", "3.75"], "--rules"),
        (&["--rules", "japanese", "--komi", "3.75"], "points"),
        (&["--size", "53"], "from 2 to 52"),
        (&["--game", "0"], "0"),
        (&["--lang", "tlh"], "zh"),
    ] {
        let run = record(&[arguments, &["-"]].concat(), KO.as_bytes());
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.err.contains(word), "{arguments:?} {}", run.err);
    }
    assert_eq!(record(&[], b"").code, Some(2));
    let twice = record(&["-", "-"], KO.as_bytes());
    assert_eq!((twice.code, twice.out.as_str()), (Some(2), ""));
    assert!(twice.err.contains("only once"), "{}", twice.err);
    let two = record(&["--dead", "aa", "one.sgf", "two.sgf"], b"");
    assert_eq!(two.code, Some(2));
    assert!(two.err.contains("--dead is about one game"), "{}", two.err);
    let negative = record(
        &["--rules", "japanese", "--komi", "-5.5", "-"],
        COUNTED.as_bytes(),
    );
    assert_ne!(negative.code, Some(2), "{}", negative.err);
}

#[test]
fn an_unreadable_file_is_named_with_its_place_and_stops_no_other() {
    let folder = Folder::new();
    let (good, bad) = (
        folder.file("good.sgf", COUNTED),
        folder.file("bad.sgf", "(;GM[1]\nSZ[53])"),
    );
    let gone = folder.0.path().join("gone.sgf");
    let gone = gone.to_str().expect("a path in UTF-8");
    let illegal = folder.file("ko.sgf", KO);
    let run = record(&[&bad, gone, &good, &illegal], b"");
    assert_eq!(run.code, Some(2));
    let errors: Vec<&str> = run.err.lines().collect();
    assert_eq!(errors.len(), 2, "{}", run.err);
    assert!(errors[0].contains("bad.sgf: Line 2, column "), "{}", run.err);
    assert!(errors[1].contains("gone.sgf"), "{}", run.err);
    assert!(
        run.out.contains("good.sgf\n") && run.out.contains("ko.sgf\n"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .ends_with("2 games: 1 legal, 1 illegal; 2 cannot be judged\n"),
        "{}",
        run.out
    );

    let told = record(&["--format", "json", &bad, gone, &good], b"");
    assert_eq!(told.code, Some(2));
    let reports = told.json();
    assert_eq!(reports[0]["refusal"]["code"], "bad-size");
    assert_eq!(reports[0]["refusal"]["place"]["line"], 2);
    assert_eq!(reports[1]["refusal"]["code"], "unreadable-file");
    assert_eq!(reports[2]["verdict"]["standing"], "legal");

    for nothing in ["", "PK\u{3}\u{4}", "a letter"] {
        let run = record(&["-"], nothing.as_bytes());
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{nothing:?}");
        assert!(run.err.starts_with("tianyuan: standard input: "), "{}", run.err);
    }
}

#[test]
fn a_name_of_a_file_does_no_harm_and_what_is_wrong_is_said_in_the_language_asked_for() {
    let folder = Folder::new();
    let gone = folder.0.path().join("no\u{1b}[31m\npe.sgf");
    let gone = gone.to_str().expect("a path in UTF-8");
    let run = record(&[gone], b"");
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(
        run.err.contains("no\u{fffd}[31m pe.sgf cannot be read"),
        "{}",
        run.err
    );
    assert_eq!((run.err.contains('\u{1b}'), run.err.lines().count()), (false, 1));

    let good = folder.file("good.sgf", COUNTED);
    let run = record(&["--lang", "zh", gone, &good, "-"], b"");
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("无法读取：没有这个文件") && run.err.contains("标准输入：文件是空的"),
        "{}",
        run.err
    );
    assert!(run.out.ends_with("；另有2项无法审查\n"), "{}", run.out);
    let folder = record(&["--lang", "zh", folder.0.path().to_str().expect("a path")], b"");
    assert!(folder.err.contains("它是一个文件夹"), "{}", folder.err);
}

#[test]
fn dead_stones_off_the_board_or_in_part_give_no_number() {
    let off = record(&["--dead", "zz", "-"], COUNTED.as_bytes());
    assert_eq!((off.code, off.out.as_str()), (Some(2), ""));
    assert!(off.err.contains("“zz”") && off.err.contains("5×5"), "{}", off.err);

    // Of two white stones in Black's ground, apart from one another, one is named.
    let two = COUNTED.replace(";B[];W[])", ";B[];W[ae];B[];W[])");
    let part = record(&["--dead", "aa", "-"], two.as_bytes());
    assert_eq!(part.code, Some(0), "{}", part.err);
    assert!(
        part.out.contains("Not counted") && !part.out.contains("Count: "),
        "{}",
        part.out
    );
    let whole = record(&["--dead", "aa,ae", "-"], two.as_bytes());
    assert!(
        whole
            .out
            .contains("Black wins by 2 1/2 stones; with 2 stones given as dead."),
        "{}",
        whole.out
    );
}

#[test]
fn every_game_of_a_file_is_judged_unless_one_is_chosen() {
    let both = format!("{COUNTED}\n{KO}");
    let run = record(&["-"], both.as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("standard input: game 1 of 2\n"), "{}", run.out);
    assert!(run.out.contains("standard input: game 2 of 2\n"), "{}", run.out);
    assert!(run.out.ends_with("2 games: 1 legal, 1 illegal\n"), "{}", run.out);

    let first = record(&["--game", "1", "--dead", "aa", "-"], both.as_bytes());
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert!(!first.out.contains("game 2 of 2"), "{}", first.out);
    let third = record(&["--game", "3", "-"], both.as_bytes());
    assert_eq!((third.code, third.out.as_str()), (Some(2), ""));
    assert!(third.err.contains("no game 3; it holds 2"), "{}", third.err);
    let dead = record(&["--dead", "aa", "-"], both.as_bytes());
    assert_eq!(dead.code, Some(2));
    assert!(dead.err.contains("choose one by --game"), "{}", dead.err);
}

#[test]
fn names_are_read_in_the_encoding_that_is_asked_for_and_do_no_harm() {
    // 甲 in GB18030.
    let bytes = [
        b"(;GM[1]SZ[5]RU[Chinese]KM[0]PB[\xbc\xd7]PW[x\x1b[31m".as_slice(),
        b"\\]]RE[B+R];B[bb])",
    ]
    .concat();
    let run = record(&["--encoding", "GB18030", "-"], &bytes);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.contains("Black: 甲\n") && run.out.contains("read as GB18030"),
        "{}",
        run.out
    );
    assert!(!run.out.contains('\u{1b}'), "{}", run.out);
    let wrong = record(&["--encoding", "latin-99", "-"], &bytes);
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(2), ""));
    assert!(wrong.err.contains("latin-99"), "{}", wrong.err);
}

#[test]
fn a_file_of_very_many_games_is_answered_at_once() {
    let run = record(&["-"], "(;B[aa])".repeat(20_000).as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.ends_with("20000 games: 20000 legal\n"));
}
