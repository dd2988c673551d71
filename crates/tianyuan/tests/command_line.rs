//! The command line from outside: what goes in, what comes out, and the exit code.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Run {
    fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout.clone()).expect("UTF-8 on standard output"),
            err: String::from_utf8(output.stderr.clone()).expect("UTF-8 on standard error"),
        }
    }

    fn json(&self) -> Value {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""));
        serde_json::from_str(&self.out).expect("JSON on standard output")
    }

    /// The one line on standard error of a run that ends with this code and no answer.
    fn refusal(&self, code: i32) -> &str {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        self.err
            .trim_end()
            .strip_prefix("tianyuan: ")
            .expect("the name of the program first")
    }
}

fn tianyuan(arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tianyuan"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let feeding = std::thread::spawn(move || {
        // A program that refuses its arguments does not read.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the program ends");
    feeding.join().expect("the input was fed");
    Run::of(&output)
}

#[test]
fn the_chain_of_a_log_is_followed_and_compared_with_what_was_printed() {
    use interchange::log_file::{Link, LogFile, LogHash};
    let id = "0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5";
    let mut hash = LogHash::beginning(id);
    let links = (1..=3).map(|seq| {
        let act = json!({"seq": seq, "action": "result-entered", "after": {"result": "black"}});
        hash = hash.then(&act);
        Link { seq, hash, act }
    });
    let log = LogFile {
        event: id.to_owned(),
        name: "Open".to_owned(),
        links: links.collect(),
    };
    let text = log.write();
    let head = format!("2:{}", log.links[1].hash.short());
    let fine = tianyuan(&["check", "--head", &head], &text);
    assert_eq!((fine.code, fine.err.as_str()), (Some(0), ""));
    assert!(
        fine.out.contains("3 acts") && fine.out.contains(&hash.to_string()),
        "{}",
        fine.out
    );
    let changed = text.replacen("black", "white", 1);
    let found = tianyuan(&["check"], &changed);
    assert_eq!(found.code, Some(1));
    assert!(
        found.out.contains("act 1 does not give its hash"),
        "{}",
        found.out
    );
    let other = tianyuan(&["check", "--format", "json", "--head", "2:3f2a91bc04d7"], &text);
    assert_eq!(other.code, Some(1));
    let told: Value = serde_json::from_str(&other.out).expect("JSON");
    assert_eq!(told[0]["broken"][0]["code"], "other-head");
    let cut = tianyuan(&["check"], &text[..text.len() / 2]);
    assert!(cut.refusal(2).contains("line "), "{}", cut.err);
    assert_eq!(tianyuan(&["check", "--head", "2"], &text).code, Some(2));
}

fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tournament/tests/golden")
        .join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("a golden file")).expect("JSON")
}

fn event(fields: &Value, entries: &[Value], rounds: &[Value]) -> Value {
    json!({ "format": "tianyuan-event", "version": 1, "event": fields, "entries": entries, "rounds": rounds })
}

fn players(count: u64) -> Vec<Value> {
    (1..=count)
        .map(|number| json!({ "number": number, "name": format!("Player {number}") }))
        .collect()
}

/// A round-4 table of a national qualifier, taken over from paper after round 3.
fn qualifier(name: &str, boards: usize) {
    let golden = golden(name);
    let list = |field: &str| golden[field].as_array().expect("a list").clone();
    let entries = list("players").into_iter().map(|player| {
        let number = &player["number"];
        let met = list("met_before");
        let met: Vec<Value> = met
            .iter()
            .filter(|pair| pair[0] == *number)
            .map(|pair| pair[1].clone())
            .collect();
        let carried =
            json!({ "score": player["score"], "balance": player["balance"], "balance_size": 1, "met": met });
        json!({ "number": number, "name": format!("Player {number}"), "carried": carried })
    });
    let file = event(
        &json!({ "name": "Qualifier", "rounds": 13, "first_round": 4, "system": "swiss" }),
        &entries.collect::<Vec<_>>(),
        &[],
    );
    let paired = tianyuan(&["pair", "-"], &file.to_string()).json();
    assert_eq!(paired["round"], 4);
    assert_eq!(paired["byes"], json!([]));
    assert_eq!(paired["boards"].as_array().map(Vec::len), Some(boards));
    assert_eq!(paired["boards"], golden["boards"]);
    let keys: Vec<&String> = paired.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["round", "boards", "byes", "criteria", "notes"]);
    let criteria: Vec<&String> = paired["criteria"]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(criteria, ["P1", "P2", "P3", "P4", "P5", "P6"]);
}

#[test]
fn the_qualifier_of_158_players_is_paired_as_it_was() {
    qualifier("qualifier-round4-a.json", 79);
}

#[test]
fn the_qualifier_of_162_players_is_paired_as_it_was() {
    qualifier("qualifier-round4-b.json", 81);
}

#[test]
fn the_world_championship_of_2010_is_paired_as_it_was() {
    let golden = golden("wagc-2010.json");
    let recorded = golden["rounds"].as_array().expect("rounds");
    let (mut pairs, mut turned) = (0, Vec::new());
    for (before, round) in recorded.iter().enumerate() {
        let entries = players(golden["players"].as_u64().expect("a count"));
        let file = event(
            &json!({ "name": "WAGC", "rounds": 8 }),
            &entries,
            &recorded[..before],
        );
        let paired = tianyuan(&["pair", "-"], &file.to_string()).json();
        assert_eq!(paired["round"], round["round"]);
        let boards = round["boards"].as_array().expect("boards");
        for board in paired["boards"].as_array().expect("boards") {
            let same = |black: &Value, white: &Value| {
                boards
                    .iter()
                    .any(|recorded| recorded["black"] == *black && recorded["white"] == *white)
            };
            if same(&board["black"], &board["white"]) {
                pairs += 1;
            } else if same(&board["white"], &board["black"]) {
                pairs += 1;
                turned.push(json!([round["round"], board["black"], board["white"]]));
            }
        }
    }
    assert_eq!(pairs, 240);
    assert_eq!(turned, [json!([5, 33, 36]), json!([7, 23, 25])]);
}

#[test]
fn published_final_lists_come_out_again() {
    let lists = golden("final-lists.json");
    let mut compared = 0;
    for list in lists["events"].as_array().expect("events") {
        let rounds = list["rounds"].as_array().expect("rounds");
        let fields = json!({
            "name": list["event"], "rounds": rounds.len(),
            "ranking": ["score", "opponents_score", "opponents_opponents_score"],
        });
        let file = event(
            &fields,
            &players(list["players"].as_u64().expect("a count")),
            rounds,
        );
        let standings = tianyuan(&["standings", "-"], &file.to_string()).json();
        let rows = standings["rows"].as_array().expect("rows");
        for expected in list["expect"].as_array().expect("lines") {
            let row = rows
                .iter()
                .find(|row| row["number"] == expected["number"])
                .expect("a row");
            for criterion in ["score", "opponents_score", "opponents_opponents_score"] {
                if let Some(value) = expected.get(criterion) {
                    assert_eq!(
                        row["values"][criterion],
                        value.to_string(),
                        "{} {expected}",
                        list["event"]
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1_500, "{compared}");
}

#[test]
fn a_simulated_event_stands_up_to_the_checker() {
    let simulated = tianyuan(
        &["simulate", "--players", "200", "--rounds", "9", "--seed", "7"],
        "",
    );
    assert_eq!((simulated.code, simulated.err.as_str()), (Some(0), ""));
    for arguments in [&["check"][..], &["check", "-"]] {
        let checked = tianyuan(arguments, &simulated.out);
        assert_eq!((checked.code, checked.err.as_str()), (Some(0), ""));
        let lines: Vec<&str> = checked.out.lines().collect();
        assert_eq!(
            lines[0],
            "standard input: Simulated event 7, 200 entries, 9 rounds"
        );
        for (line, round) in lines[1..10].iter().zip(1..) {
            assert!(
                line.starts_with(&format!("round {round}: no breach; P1 repeats 0; ")),
                "{line}"
            );
        }
        assert_eq!(lines[10..], ["standard input: no breach"]);
    }
    let again = tianyuan(
        &["simulate", "--players", "200", "--rounds", "9", "--seed", "7"],
        "",
    );
    assert_eq!(again.out, simulated.out);
    let other = tianyuan(
        &["simulate", "--players", "200", "--rounds", "9", "--seed", "8"],
        "",
    );
    assert_ne!(other.out, simulated.out);
}

#[test]
fn an_uneasy_event_stands_up_to_the_checker_too() {
    let rates = "--withdrawals 0.05 --teams 0.5 --draws 0.1 --byes 0.03 --forfeits 0.02 --late 0.05";
    let mut arguments = vec!["simulate", "--players", "61", "--rounds", "7", "--seed", "11"];
    arguments.extend(rates.split(' '));
    let simulated = tianyuan(&arguments, "");
    assert_eq!((simulated.code, simulated.err.as_str()), (Some(0), ""));
    let reports = tianyuan(&["check", "--format", "json"], &simulated.out).json();
    assert_eq!(reports[0]["sound"], true);
    assert_eq!(reports[0]["rounds"].as_array().map(Vec::len), Some(7));
    assert_eq!(reports[0]["rounds"][6]["criteria"]["P1"]["repeats"], 0);
}

/// Many events, few of them large.
const MANY: [&str; 6] = ["simulate", "--players", "2-30", "--rounds", "1-6", "--events"];

#[test]
fn many_events_are_judged_and_summed_up() {
    let first = tianyuan(&[&MANY[..], &["60", "--seed", "5"]].concat(), "");
    assert_eq!((first.code, first.err.as_str()), (Some(0), ""), "{}", first.out);
    let (summed_up, _time) = first.out.trim_end().rsplit_once('\n').expect("lines");
    assert!(
        summed_up.starts_with("events ") && summed_up.contains(" 60  seeds 5 to 64\n"),
        "{summed_up}"
    );
    assert!(
        summed_up.ends_with(" 0") && summed_up.contains("\nbreaches "),
        "{summed_up}"
    );
    let again = tianyuan(&[&MANY[..], &["60", "--seed", "5"]].concat(), "");
    assert!(again.out.starts_with(summed_up), "{}", again.out);
}

#[test]
fn ctrl_c_ends_many_events_with_the_summary_so_far() {
    let many = Command::new(env!("CARGO_BIN_EXE_tianyuan"))
        .args(MANY)
        .arg("100000000")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let interrupt = Command::new("kill")
        .args(["-INT", &many.id().to_string()])
        .status();
    assert!(interrupt.expect("kill runs").success());
    let ended = Run::of(&many.wait_with_output().expect("it ends"));
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.starts_with("events "), "{}", ended.out);
    assert!(ended.err.ends_with(" of 100000000 events\n"), "{}", ended.err);
}

#[test]
fn a_table_that_could_be_better_is_a_no() {
    let rounds = [
        json!({ "round": 1, "boards": [{ "board": 1, "black": 1, "white": 2, "result": "black" },
                                       { "board": 2, "black": 3, "white": 4, "result": "black" }] }),
        json!({ "round": 2, "boards": [{ "board": 1, "black": 2, "white": 1 }, { "board": 2, "black": 4, "white": 3 }] }),
    ];
    let file = event(&json!({ "name": "Again", "rounds": 3 }), &players(4), &rounds).to_string();
    let checked = tianyuan(&["check"], &file);
    assert_eq!((checked.code, checked.err.as_str()), (Some(1), ""));
    let breaches: Vec<&str> = checked
        .out
        .lines()
        .filter(|line| line.starts_with("  breach: "))
        .collect();
    assert_eq!(
        breaches,
        ["  breach: P1: 2 pairs that have met where 0 is possible"]
    );
    assert_eq!(checked.out.lines().last(), Some("standard input: 1 breach"));
}

#[test]
fn a_table_that_is_not_the_one_of_the_rules_is_shown_beside_it() {
    let drawn = json!({ "round": 1, "boards": [{ "board": 1, "black": 1, "white": 2 }, { "board": 2, "black": 3, "white": 4 }] });
    let swapped = json!({ "round": 1, "boards": [{ "board": 1, "black": 1, "white": 4 }, { "board": 2, "black": 3, "white": 2 }] });
    let bye =
        json!({ "round": 1, "boards": [{ "board": 1, "black": 1, "white": 2 }], "byes": [3], "absent": [4] });
    let warnings = |round: &Value| {
        let file = event(
            &json!({ "name": "Drawn", "rounds": 3 }),
            &players(4),
            std::slice::from_ref(round),
        )
        .to_string();
        let checked = tianyuan(&["check"], &file);
        assert_eq!(
            (checked.code, checked.err.as_str()),
            (Some(0), ""),
            "{}",
            checked.out
        );
        let reports = tianyuan(&["check", "--format", "json"], &file).json();
        let once_more = checked.out.lines().find(|line| line.contains("once more"));
        (
            once_more.map(str::to_owned),
            reports[0]["rounds"][0]["paired_again"].clone(),
        )
    };
    assert_eq!(warnings(&drawn), (None, Value::Null));
    assert_eq!(warnings(&bye), (None, Value::Null));
    let (line, pairs) = warnings(&swapped);
    assert!(line.is_some_and(|line| {
        line.starts_with("  warning: paired once more, this round has 1–2, 3–4 instead of 1–4, 2–3: ")
    }));
    assert_eq!(pairs, json!({ "pairs": [[1, 2], [3, 4]], "byes": [] }));
}

#[test]
fn one_name_in_two_spellings_is_worth_a_warning_and_namesakes_are_not() {
    let names = ["José", "李明", "Jose\u{301}", "李明"];
    let entries: Vec<Value> = (1..)
        .zip(names)
        .map(|(number, name)| json!({ "number": number, "name": name }))
        .collect();
    let file = event(&json!({ "name": "Names", "rounds": 3 }), &entries, &[]).to_string();
    let checked = tianyuan(&["check"], &file);
    assert_eq!(checked.code, Some(0));
    let warnings: Vec<&str> = checked
        .out
        .lines()
        .filter(|line| line.contains("warning"))
        .collect();
    assert_eq!(
        warnings,
        [
            "  warning: numbers 1 and 3 have one name in two spellings: if it is one person, take one entry away"
        ]
    );
}

#[test]
fn a_round_that_cannot_be_paired_is_a_no_that_names_the_way_out() {
    let pair = |entries: &[Value], rounds: &[Value], options: &[&str]| {
        let file = event(&json!({ "name": "Small", "rounds": 3 }), entries, rounds);
        let arguments: Vec<&str> = ["pair", "-"].iter().chain(options).copied().collect();
        tianyuan(&arguments, &file.to_string())
    };
    let open = [json!({ "round": 1, "boards": [{ "board": 1, "black": 1, "white": 2 }] })];
    assert_eq!(
        pair(&players(2), &open, &[]).refusal(1),
        "round 1 has no result yet on board 1 (1 against 2): enter it, or pair with provisional results (--provisional)"
    );
    let played =
        [json!({ "round": 1, "boards": [{ "board": 1, "black": 1, "white": 2, "result": "draw" }] })];
    let repeated = pair(&players(2), &played, &[]);
    let said = repeated.refusal(1);
    assert!(
        said.starts_with("round 2 cannot be paired without players meeting again"),
        "{said}"
    );
    assert!(said.ends_with("(--allow-repeats)"), "{said}");
    let confirmed = pair(&players(2), &open, &["--allow-repeats", "--provisional"]).json();
    assert_eq!(confirmed["criteria"]["P1"]["repeats"], 1);
    assert_eq!(confirmed["notes"][0]["code"], "repeat");
    // Everybody has left, one is left, nobody came.
    let gone = vec![
        json!({ "number": 1, "name": "One", "withdrawn_after": 1 }),
        json!({ "number": 2, "name": "Two", "withdrawn_after": 1 }),
    ];
    assert!(
        pair(&gone, &played, &[])
            .refusal(1)
            .contains("at least two players")
    );
    assert!(
        pair(&players(1), &[], &[])
            .refusal(1)
            .contains("at least two players")
    );
    assert!(pair(&[], &[], &[]).refusal(1).contains("at least two players"));
}

#[test]
fn every_fault_of_a_file_is_said_with_line_and_column() {
    let file = "{\"format\": \"tianyuan-event\", \"version\": 1,\n \"event\": {\"name\": \"X\", \"rounds\": 3},\n \"entries\": [{\"number\": 1, \"name\": \"Anna\"}, {\"number\": 1, \"name\": \"Bo\"}],\n \"rounds\": [{\"round\": 1, \"boards\": [{\"board\": 12, \"black\": 1, \"white\": 57}]}]}";
    for command in ["pair", "standings", "check"] {
        let run = tianyuan(&[command, "-"], file);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        let lines: Vec<&str> = run.err.lines().collect();
        assert_eq!(
            lines,
            [
                "tianyuan: standard input: line 3, column 56, entries[1].number (player 1 “Anna”): number 1 is given to two entries: give one of them a number of its own",
                "tianyuan: standard input: line 4, column 72, rounds[0].boards[0].white (board 12, round 1): no entry has number 57: add the entry or correct the number",
            ]
        );
    }
    let broken = tianyuan(&["standings", "-"], "{\n  \"format\" 1}");
    assert_eq!(
        broken.refusal(2),
        "standard input: line 2, column 12: found '1' where a colon should come"
    );
    let missing = tianyuan(&["pair", "/nowhere/event.json"], "");
    assert!(
        missing
            .refusal(2)
            .starts_with("/nowhere/event.json cannot be read: ")
    );
}

#[test]
fn bad_usage_is_2() {
    for arguments in [
        &[][..],
        &["pair"],
        &["pair", "-", "--seed", "xyz"],
        &["pair", "-", "--seed", ""],
        &["pair", "-", "--fix", "3"],
        &["pair", "-", "--apart", "3-0"],
        &["pair", "-", "--bye", "nobody"],
        &["pair", "-", "--format", "csv"],
        &["standings", "-", "--after", "-1"],
        &["simulate", "--players", "0", "--rounds", "3", "--seed", "1"],
        &[
            "simulate",
            "--players",
            "9",
            "--rounds",
            "3",
            "--seed",
            "1",
            "--draws",
            "5%",
        ],
        &["simulate", "--players", "9", "--rounds", "3"],
        &["nonsense"],
    ] {
        let run = tianyuan(arguments, "");
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.err);
        assert!(run.out.is_empty() && !run.err.is_empty(), "{arguments:?}");
    }
    assert_eq!(tianyuan(&["--version"], "").code, Some(0));
    assert_eq!(tianyuan(&["pair", "--help"], "").code, Some(0));
}

fn small_event() -> String {
    let entries = vec![
        json!({ "number": 1, "name": "李小明", "team": "North", "grade": "5d" }),
        json!({ "number": 2, "name": "=1+2", "grade": "3k" }),
        json!({ "number": 3, "name": "Ann \"A\", Bob" }),
        json!({ "number": 4, "name": "Zoë" }),
    ];
    let rounds = [
        json!({ "round": 1, "boards": [{ "board": 1, "black": 1, "white": 2, "result": "black" },
                                       { "board": 2, "black": 3, "white": 4, "result": "white" }] }),
        json!({ "round": 2, "boards": [{ "board": 1, "black": 4, "white": 1, "result": "draw" },
                                       { "board": 2, "black": 2, "white": 3 }] }),
    ];
    let fields = json!({ "name": "Club", "rounds": 3, "ranking": ["score", "total_score", "number"] });
    event(&fields, &entries, &rounds).to_string()
}

#[test]
fn standings_come_as_json_table_and_csv() {
    let file = small_event();
    let standings = tianyuan(&["standings", "-"], &file).json();
    assert_eq!(standings["after"], 2);
    assert_eq!(standings["provisional"], true);
    assert_eq!(
        standings["pending"],
        json!([{ "round": 2, "board": 2, "black": 2, "white": 3 }])
    );
    assert_eq!(
        standings["rows"][0],
        json!({
            "place": 1, "shared": false, "number": 1, "name": "李小明", "score": 3,
            "values": { "score": "3", "total_score": "3", "number": "1" },
            "printed": { "score": "3", "total_score": "3.00", "number": "1" },
        })
    );
    let first = tianyuan(&["standings", "-", "--after", "1"], &file).json();
    assert_eq!(
        (&first["after"], &first["provisional"]),
        (&json!(1), &json!(false))
    );
    let before = tianyuan(&["standings", "-", "--after", "0"], &file).json();
    assert_eq!(before["rows"][0]["score"], 0);
    assert_eq!(
        tianyuan(&["standings", "-", "--after", "3"], &file).refusal(2),
        "--after 3: this file has rounds 1 to 2: name one of them, or 0 for the standings before them"
    );
    let table = tianyuan(&["standings", "-", "--format", "table", "--after", "1"], &file);
    assert_eq!(
        table.out,
        "\
Club, after round 1

Place  No.  Name          Team   Grade  Score  Total  Number
    1    1  李小明        North     5d      2   1.00       1
    2    4  Zoë                             2   1.00       4
    3    2  =1+2                    3k      0   1.00       2
    4    3  Ann \"A\", Bob                    0   1.00       3
"
    );
    let csv = tianyuan(&["standings", "-", "--format", "csv", "--after", "1"], &file);
    assert_eq!(
        csv.out,
        "place,number,name,team,grade,category,score,total_score,number\r\n1,1,李小明,North,5d,,2,1.00,1\r\n2,4,Zoë,,,,2,1.00,4\r\n3,2,'=1+2,,3k,,0,1.00,2\r\n4,3,\"Ann \"\"A\"\", Bob\",,,,0,1.00,3\r\n"
    );
}

#[test]
fn a_pairing_comes_as_a_table_with_names() {
    let table = tianyuan(
        &["pair", "-", "--format", "table", "--provisional"],
        &small_event(),
    );
    assert_eq!((table.code, table.err.as_str()), (Some(0), ""));
    assert!(
        table.out.starts_with("Club, round 3\n\nBoard  No.  Black"),
        "{}",
        table.out
    );
    assert!(
        table.out.contains("李小明") && table.out.contains("\nP1 repeats 0; "),
        "{}",
        table.out
    );
}

#[test]
fn a_pairing_says_why_and_prints_its_proof() {
    let event = event(&json!({ "name": "Small", "rounds": 3 }), &players(7), &[]);
    let file = event.to_string();
    let plain = tianyuan(&["pair", "-"], &file).json();
    assert!(
        ["why", "why_not", "certificate"]
            .iter()
            .all(|field| plain.get(field).is_none())
    );
    let arguments = [
        "pair",
        "-",
        "--why",
        "--why-not",
        "1-3",
        "--why-not",
        "1-2",
        "--certificate",
    ];
    let said = tianyuan(&arguments, &file).json();
    assert_eq!(said["boards"], plain["boards"]);
    assert_eq!(said["why"]["boards"].as_array().map(Vec::len), Some(3));
    assert_eq!(said["why"]["byes"][0]["number"], 7);
    assert_eq!(said["why_not"][0]["code"], "list-order");
    assert_eq!(
        said["why_not"][0]["choice"],
        json!({"code": "partner", "number": 1, "takes": 2, "instead": 3})
    );
    assert_eq!(
        said["why_not"][1],
        json!({
            "first": 1, "second": 2, "code": "meet", "text": "1 and 2 meet at board 1", "board": 1,
        })
    );
    let certificate = interchange::certificate(&said["certificate"]).expect("a certificate");
    let stage = interchange::read(file.as_bytes()).expect("an event").stage;
    let table = tournament::pairing::pair(&stage, tournament::pairing::Request::default());
    let table = table.expect("a first round").to_round();
    assert_eq!(tournament::checker::verify(&stage, &table, &certificate), Ok(()));
    let text = tianyuan(&[&arguments[..], &["--format", "table"]].concat(), &file).out;
    for sentence in [
        "Nothing speaks against this table: every criterion is zero",
        "an odd number of players is paired, and 7 has the bye; with the bye for somebody else another table is as good on P1 to P6, and list order decides: the bye goes to the last for whom it is allowed, to 7 rather than 6",
        "1 and 2 meet at board 1",
        "no table is better",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
}

#[test]
fn a_seed_is_accepted_and_changes_nothing_in_the_classic_order() {
    let file = event(&json!({ "name": "Small", "rounds": 3 }), &players(6), &[]).to_string();
    let plain = tianyuan(&["pair", "-"], &file);
    let seeded = tianyuan(&["pair", "-", "--seed", "00ff"], &file);
    assert_eq!((seeded.code, seeded.out), (Some(0), plain.out));
    assert!(seeded.err.contains("--seed changes nothing"), "{}", seeded.err);
}

#[test]
fn an_event_that_draws_lots_asks_for_the_seed_and_says_it() {
    let file = |pairing: Value| {
        event(
            &json!({ "name": "Small", "rounds": 3, "pairing": pairing }),
            &players(6),
            &[],
        )
        .to_string()
    };
    for pairing in [json!({ "order": "random" }), json!({ "colours": "lots" })] {
        let file = file(pairing);
        assert!(tianyuan(&["pair", "-"], &file).refusal(2).contains("--seed"));
        let paired = tianyuan(&["pair", "-", "--seed", "C0FFEE"], &file).json();
        assert_eq!(paired["seed"], format!("{:0>64}", "c0ffee"));
        assert_eq!(
            paired,
            tianyuan(&["pair", "-", "--seed", "00c0ffee"], &file).json()
        );
    }
}

#[test]
fn what_is_fixed_before_pairing_is_kept_and_the_rest_is_paired_around_it() {
    let file = event(&json!({ "name": "Small", "rounds": 3 }), &players(9), &[]).to_string();
    let arguments = [
        "pair",
        "-",
        "--fix",
        "9-1",
        "--apart",
        "2-3",
        "--bye",
        "4",
        "--sit-out",
        "5",
        "--sit-out",
        "6",
    ];
    let paired = tianyuan(&arguments, &file).json();
    let mut pairs: Vec<[u64; 2]> = paired["boards"]
        .as_array()
        .expect("boards")
        .iter()
        .map(|board| {
            let mut pair = ["black", "white"].map(|side| board[side].as_u64().expect("a number"));
            pair.sort_unstable();
            pair
        })
        .collect();
    pairs.sort_unstable();
    assert_eq!(pairs, [[1, 9], [2, 7], [3, 8]]);
    assert_eq!(paired["byes"], json!([4]));
    let choices = json!({ "pairs": [[1, 9]], "apart": [[2, 3]], "byes": [4], "sitting_out": [5, 6] });
    assert_eq!(paired["choices"], choices);
    let mut table = arguments.to_vec();
    table.extend(["--format", "table"]);
    let table = tianyuan(&table, &file);
    assert_eq!(table.code, Some(0), "{}", table.err);
    assert!(
        table
            .out
            .contains("Fixed before pairing: 1 and 9 meet, 2 and 3 do not meet, 4 has the bye"),
        "{}",
        table.out
    );
    let contradiction = tianyuan(&["pair", "-", "--fix", "1-2", "--apart", "1-2"], &file);
    assert!(!contradiction.refusal(1).is_empty());
}

#[test]
fn the_order_of_entries_in_the_file_changes_nothing() {
    let mut entries = players(9);
    let file = |entries: &[Value]| event(&json!({ "name": "Small", "rounds": 3 }), entries, &[]).to_string();
    let one = tianyuan(&["pair", "-"], &file(&entries));
    entries.reverse();
    let other = tianyuan(&["pair", "-"], &file(&entries));
    assert_eq!(one.json(), other.json());
}

#[test]
fn several_files_are_checked_and_one_that_is_no_event_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file is written");
        path
    };
    let good = file(
        "good.json",
        &event(&json!({ "name": "Good", "rounds": 1 }), &players(2), &[]).to_string(),
    );
    let bad = file("bad.json", "nonsense");
    let paths: Vec<&str> = [&bad, &good].iter().filter_map(|path| path.to_str()).collect();
    let run = tianyuan(&["check", paths[0], paths[1]], "");
    assert_eq!(run.code, Some(2));
    assert!(
        run.out.contains("good.json: Good, 2 entries, 0 rounds"),
        "{}",
        run.out
    );
    assert!(run.err.contains("bad.json: line 1, column 1: "), "{}", run.err);
}

#[test]
fn a_reader_that_goes_away_is_no_failure_and_a_full_disk_is() {
    let run = |script: &str| {
        let output = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_tianyuan")])
            .output()
            .expect("a shell runs");
        Run::of(&output)
    };
    let simulate = "\"$0\" simulate --players 300 --rounds 5 --seed 1";
    let left = run(&format!("{{ {simulate}; echo \"ended with $?\" >&2; }} | true"));
    assert_eq!(left.err, "ended with 0\n");
    let full = run(&format!("{simulate} > /dev/full"));
    assert!(full.refusal(3).starts_with("standard output cannot be written: "));
}

/// A draw of numbers with a promise before it.
fn draw_of_numbers() -> String {
    use tournament::draw::{Decides, EventId, Secret, Word, usual_slots};
    let event = EventId::new("0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5").expect("an id");
    let words = vec![Word::new("wet cobblestones").expect("a word")];
    let (promise, seed) =
        interchange::draw_file::Promise::redeem(&event, Decides::Numbers, Secret([3; 32]), words);
    let entries = (0..8).map(|place| (None, place < 2)).collect();
    let slots = usual_slots(8, 2);
    let draw = interchange::draw_file::DrawFile::draw_numbers(event, Some(promise), seed, entries, slots);
    interchange::draw_file::write(&draw.expect("a draw"))
}

#[test]
fn check_repeats_a_draw_and_says_what_is_wrong() {
    let text = draw_of_numbers();
    let right = tianyuan(&["check"], &text);
    assert_eq!((right.code, right.err.as_str()), (Some(0), ""), "{}", right.out);
    assert!(
        right.out.ends_with("standard input: the draw holds\n"),
        "{}",
        right.out
    );
    let json = tianyuan(&["check", "--format", "json"], &text).json();
    assert_eq!(json[0]["sound"], true);
    assert_eq!(json[0]["draw"], "numbers");

    let damaged = text.replace("wet cobblestones", "dry cobblestones");
    let wrong = tianyuan(&["check"], &damaged);
    assert_eq!((wrong.code, wrong.err.as_str()), (Some(1), ""), "{}", wrong.out);
    for part in [
        "  wrong: sum: ",
        "  wrong: seed: ",
        "  holds: the secret is the one that was promised",
    ] {
        assert!(wrong.out.contains(part), "{}", wrong.out);
    }

    let newer = text.replace("tianyuan 0.1.0", "tianyuan 8.0.0");
    assert_eq!(
        tianyuan(&["check"], &newer).refusal(2),
        "standard input: line 4, column 13, engine: this draw was made by the rules of tianyuan 8.0.0, and only those of tianyuan 0.1.0 are known here: check it with tianyuan 8.0.0"
    );
}
