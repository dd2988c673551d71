//! The event file: what is read, what is refused, and how a refusal reads.

mod support;

use interchange::{EventFile, Problem, RecordSettings, read, write};
use rules::{Komi, OnRepetition, RuleSet};
use support::{SAMPLES, minimal};
use tournament::{
    By, Choices, Colours, Criterion, Grade, Number, OrderBy, Outcome, PairingOrder, PairingSettings, Score,
    Side, TeamAvoidance, ThirdColour, Unplayed,
};

fn codes(problems: &[Problem]) -> Vec<(&str, &str)> {
    problems
        .iter()
        .map(|problem| (problem.path.as_str(), problem.code()))
        .collect()
}

fn refused(text: &str) -> Vec<Problem> {
    read(text.as_bytes()).expect_err("the file is refused")
}

/// What stands where a problem points, to the end of the line.
fn standing_at(text: &str, problem: &Problem) -> String {
    let line = text
        .lines()
        .nth(problem.line as usize - 1)
        .expect("a line of the file");
    line.chars().skip(problem.column as usize - 1).collect()
}

fn accepted(text: &str) -> EventFile {
    read(text.as_bytes()).unwrap_or_else(|problems| {
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("{}", said.join("\n"))
    })
}

#[test]
fn every_field_arrives() {
    let file = accepted(SAMPLES[0].1);
    assert_eq!(
        (file.name.as_str(), file.place.as_deref()),
        ("Spring Open", Some("Old Town Hall"))
    );
    assert_eq!(
        file.starts_on.map(|day| day.to_string()).as_deref(),
        Some("2026-05-01")
    );
    assert_eq!((file.rules, file.komi.quarters()), (RuleSet::Chinese, 15));
    assert_eq!(
        file.records,
        RecordSettings {
            board_size: 13,
            repetition: Some(OnRepetition::NoResult),
            from_players: true,
        }
    );
    let stage = &file.stage;
    assert_eq!((stage.rounds_planned, stage.first_round), (7, 1));
    assert_eq!(
        (stage.pairing.bye_score, stage.pairing.absent_score),
        (Score(2), Score(1))
    );
    assert!(stage.pairing.forfeits_may_meet_again && !stage.pairing.avoid_repeated_floats);
    let number = |number| Number::new(number).expect("a number");
    let pair = |(one, other)| (number(one), number(other));
    assert_eq!(
        stage.pairing,
        PairingSettings {
            order: PairingOrder::Fold,
            order_by: OrderBy::Grade,
            team_avoidance: TeamAvoidance::Strong,
            // A pair has no first and second.
            forbidden_pairs: [(1, 3), (7, 9)].map(pair).into(),
            unwanted_pairs: [(2, 4)].map(pair).into(),
            third_colour: ThirdColour::Avoided,
            colours: Colours::Nigiri,
            absent_score: Score(1),
            forfeits_may_meet_again: true,
            avoid_repeated_floats: false,
            stop_at: Some(Score(12)),
            ..PairingSettings::default()
        }
    );
    assert_eq!(stage.entries[3].bye_rounds, [4]);
    let second = &stage.rounds[1];
    assert_eq!(
        second.choices,
        Choices {
            pairs: [(1, 9)].map(pair).into(),
            apart: [(1, 4)].map(pair).into(),
            ..Choices::default()
        }
    );
    assert_eq!(second.seed.map(|seed| (seed.0[0], seed.0[31])), Some((0, 31)));
    assert_eq!(
        second.boards.iter().map(|board| board.nigiri).collect::<Vec<_>>(),
        [true, false, false]
    );
    assert_eq!(
        stage.ranking.criteria[2],
        Criterion::OpponentsScoreCut { low: 2, high: 0 }
    );
    assert_eq!(stage.ranking.unplayed, Unplayed::Virtual);
    let number = |number| Number::new(number).expect("a number");
    assert_eq!(stage.ranking.lots, [(number(1), 2), (number(2), 1)]);
    let first = &stage.entries[0];
    assert_eq!((first.grade, first.rating), (Some(Grade::Dan(5)), Some(2310)));
    assert_eq!(
        (first.team.as_deref(), first.category.as_deref()),
        (Some("North"), Some("open"))
    );
    assert_eq!(
        (&first.absent_rounds[..], first.withdrawn_after),
        (&[3][..], None)
    );
    let carried = stage.entries[1].carried.as_ref().expect("a history");
    assert_eq!((carried.score, carried.balance), (Score(6), 1));
    assert_eq!(carried.met, [number(7), number(9)]);
    assert_eq!(stage.entries[2].withdrawn_after, Some(1));
    assert_eq!(stage.entries[3].start_score, Score(2));
    let board = &stage.rounds[0].boards[0];
    assert_eq!((board.result, board.by), (Some(Outcome::Black), Some(By::Count)));
    assert_eq!(board.margin.map(tournament::Margin::quarters), Some(3));
    assert_eq!(
        (board.warnings.of(Side::Black), board.warnings.of(Side::White)),
        (0, 1)
    );
    assert_eq!(
        (&stage.rounds[0].byes[..], &stage.rounds[0].absent[..]),
        (&[number(3)][..], &[number(4)][..])
    );
    // A board without a number has that of its place.
    assert_eq!(stage.rounds[1].boards[2].board, 3);
}

#[test]
fn what_is_left_out_has_the_documented_value() {
    let file = accepted(&minimal("", "", ""));
    assert_eq!(
        (file.rules, file.komi),
        (RuleSet::Chinese, RuleSet::Chinese.default_komi())
    );
    assert_eq!(file.stage.pairing, tournament::PairingSettings::default());
    assert_eq!(file.stage.ranking, tournament::Ranking::association_2025());
    assert_eq!(file.stage.first_round, 1);
    let japanese = accepted(&minimal(r#", "rules": "japanese""#, "", ""));
    assert_eq!(japanese.komi.to_string(), "6.5");
    let comma = accepted(&minimal(r#", "rules": "japanese", "komi": "6,5""#, "", ""));
    assert_eq!(comma.komi, Komi::from_quarters(26).expect("a komi"));
    let cut = accepted(&minimal(
        r#", "ranking": ["score", "opponents_score_cut"]"#,
        "",
        "",
    ));
    assert_eq!(
        cut.stage.ranking.criteria[1],
        Criterion::OpponentsScoreCut { low: 1, high: 1 }
    );
    // White space is no team: two players with it are no team mates.
    let blank = accepted(&minimal("", r#", "team": "", "category": " ""#, ""));
    assert_eq!(
        (&blank.stage.entries[0].team, &blank.stage.entries[0].category),
        (&None, &None)
    );
}

#[test]
fn a_director_may_take_over_from_paper_with_one_side_of_each_meeting() {
    let file = accepted(SAMPLES[1].1);
    assert_eq!(file.stage.next_round(), 4);
    let balances: Vec<i32> = file
        .stage
        .entries
        .iter()
        .filter_map(|entry| entry.carried.as_ref())
        .map(|c| c.balance)
        .collect();
    assert_eq!(balances, [-1, 3, 1, -1]);
}

#[test]
fn every_sample_comes_back_from_its_own_text() {
    for (name, text) in SAMPLES {
        let file = accepted(text);
        let written = write(&file);
        assert_eq!(accepted(&written), file, "{name}");
        assert_eq!(write(&accepted(&written)), written, "{name}");
    }
}

#[test]
fn a_written_file_has_a_line_for_each_entry_and_board() {
    let written = write(&accepted(SAMPLES[2].1));
    let expected = r#"{
  "format": "tianyuan-event",
  "version": 1,
  "event": {
    "name": "Japanese rules",
    "rounds": 3,
    "first_round": 1,
    "system": "swiss",
    "rules": "japanese",
    "komi": "6.5",
    "pairing": {"order": "classic", "number_order": "alternate", "avoid_team_rounds": 1, "bye_score": 2, "absent_score": 0, "forfeits_may_meet_again": false, "avoid_repeated_floats": true},
    "ranking": ["total_score", "opponents_score_cut", "number"],
    "unplayed": "opponent"
  },
  "entries": [
    {"number": 1, "name": "One"},
    {"number": 2, "name": "Two"}
  ],
  "rounds": [
    {
      "round": 1,
      "boards": [
        {"board": 1, "black": 1, "white": 2, "result": "white", "by": "count", "margin": "12.5"}
      ],
      "byes": [],
      "absent": []
    }
  ]
}
"#;
    assert_eq!(written, expected);
}

#[test]
fn a_file_full_of_faults_lists_every_one_with_its_place() {
    let text = r#"{
  "format": "tianyuan-event", "version": 1,
  "event": {"name": "Faults", "rounds": 3, "komi": 3.75, "colour": "red", "rules": "japanes",
            "pairing": {"order": "lots", "bye_score": 3, "forbidden_pairs": [[1, 2, 3], [1, "2"]], "stop_at": 0}, "ranking": ["score", "score"],
            "records": {"board_size": 53, "repetition": "superko", "from_players": 1, "codes": []}},
  "entries": [
    {"number": 1, "name": "Anna", "grade": "1500", "rating": "2000"},
    {"number": 2, "name": "Bo", "start_score": -2},
    {"number": 2, "name": "Cy", "absent_rounds": [0]},
    {"number": 0, "name": "  "},
    {"number": 5, "name": "Di", "name": "Do"}
  ],
  "rounds": [
    {"round": 2, "boards": [
      {"board": 1, "black": 1, "white": 2, "result": "won"},
      {"board": 1, "black": 1, "white": 1, "result": "black", "margin": "0.3"},
      {"board": 3, "black": 5, "white": 5},
      {"board": 4, "black": 2, "result": "black_forfeit", "by": "time"}],
     "byes": [5], "absent": [2]},
    {"round": 1, "boards": {}}
  ]
}"#;
    let problems = refused(text);
    assert_eq!(
        codes(&problems),
        [
            ("event.komi", "wrong-type"),
            ("event.colour", "unknown-field"),
            ("event.rules", "unknown-rules"),
            ("event.pairing.order", "unknown-word"),
            ("event.pairing.bye_score", "out-of-range"),
            ("event.pairing.forbidden_pairs[0]", "wrong-type"),
            ("event.pairing.forbidden_pairs[1][1]", "wrong-type"),
            ("event.pairing.stop_at", "out-of-range"),
            ("event.ranking[1]", "duplicate-criterion"),
            ("event.records.board_size", "out-of-range"),
            ("event.records.repetition", "unknown-word"),
            ("event.records.from_players", "wrong-type"),
            ("event.records.codes", "unknown-field"),
            ("entries[0].grade", "not-a-grade"),
            ("entries[0].rating", "wrong-type"),
            ("entries[1].start_score", "negative-score"),
            ("entries[2].number", "duplicate-number"),
            ("entries[2].absent_rounds[0]", "out-of-range"),
            ("entries[3].number", "out-of-range"),
            ("entries[3].name", "empty-name"),
            ("entries[4].name", "duplicate-field"),
            ("rounds[0].round", "round-out-of-order"),
            ("rounds[0].boards[0].result", "unknown-word"),
            ("rounds[0].boards[1].board", "duplicate-board"),
            ("rounds[0].boards[1].white", "against-oneself"),
            ("rounds[0].boards[1].margin", "not-a-margin"),
            ("rounds[0].boards[2].white", "against-oneself"),
            ("rounds[0].boards[3].white", "missing-field"),
            ("rounds[0].boards[3].black", "two-boards"),
            ("rounds[0].boards[3].by", "not-with-result"),
            ("rounds[0].byes[0]", "two-places"),
            ("rounds[0].absent[0]", "two-places"),
            ("rounds[1].round", "round-out-of-order"),
            ("rounds[1].boards", "wrong-type"),
        ]
    );
    assert!(standing_at(text, &problems[0]).starts_with("3.75, "));
    assert!(standing_at(text, &problems[13]).starts_with("\"1500\", "));
    assert!(standing_at(text, &problems[33]).starts_with("{}}"));
}

#[test]
fn a_sentence_names_the_board_the_player_the_field_and_the_way_out() {
    let round = |boards: &str, byes: &str| {
        minimal(
            "",
            "",
            &format!(r#"{{"round": 1, "boards": [{boards}], "byes": [{byes}]}}"#),
        )
    };
    let sentences = [
        (
            round(
                r#"{"board": 12, "black": 1, "white": 2}, {"board": 13, "black": 3, "white": 1}"#,
                "",
            ),
            "1}],",
            "line 7, rounds[0].boards[1].white (board 13, round 1, player 1 “Anna”): player 1 is on boards 12 and 13 of round 1: take the player off one of them",
        ),
        // Both a bye and a result in one round.
        (
            round(r#"{"board": 4, "black": 1, "white": 3, "result": "white"}"#, "3"),
            "3]",
            "line 7, rounds[0].byes[0] (round 1, player 3 “Cy”): player 3 has both a board and a bye in round 1: keep one of them",
        ),
        (
            round(r#"{"board": 1, "black": 1, "white": 57}"#, ""),
            "57}",
            "line 7, rounds[0].boards[0].white (board 1, round 1): no entry has number 57: add the entry or correct the number",
        ),
        (
            minimal(r#", "komi": "65.1""#, "", ""),
            r#""65.1""#,
            "line 3, event.komi: “65.1” is not a komi: write a decimal in whole, half or quarter units up to 400, such as 3.75, 6.5 or 0",
        ),
        (
            minimal(r#", "rules": "korean", "komi": "6.75""#, "", ""),
            r#""6.75""#,
            "line 3, event.komi: a komi of 6.75 does not exist in points, which the rules of this event count in: write whole or half points",
        ),
        (
            minimal("", r#", "raiting": 5"#, ""),
            r#""raiting": 5"#,
            "line 5, entries[0].raiting (player 1 “Anna”): there is no field `raiting` here: take it away or write one of number, name, name_withheld, team, grade, rating, category, start_score, absent_rounds, bye_rounds, withdrawn_after, carried",
        ),
        (
            minimal(r#", "pairing": {"unwanted_pairs": [[3, 1], [2]]}"#, "", ""),
            "[2]",
            "line 3, event.pairing.unwanted_pairs[1]: this is a list: write a list of two numbers",
        ),
        (
            minimal("", "", r#"{"round": 1, "seed": "c0ffee"}"#),
            r#""c0ffee""#,
            "line 7, rounds[0].seed (round 1): “c0ffee” is no seed: write the 64 hexadecimal digits, 0–9 and a–f, of the draw",
        ),
        (
            minimal("", r#", "grade": "1500""#, ""),
            r#""1500""#,
            "line 5, entries[0].grade (player 1 “Anna”): “1500” is not a grade: write 9p to 1p, 8d to 1d or 1k to 32k (also 九段, 5段, 3级)",
        ),
        (
            minimal("", r#", "carried": {"score": 4}"#, ""),
            r#"{"name": "Club""#,
            "line 3, event.first_round: results are carried, but nothing says how many rounds they come from: add `first_round`, the round to pair next, to `event`",
        ),
        (
            "{\"format\": \"tianyuan-event\",\n \"version\": 1,,}".to_owned(),
            ",}",
            "line 2: found ',' where a name in double quotes should come",
        ),
    ];
    for (text, standing, sentence) in sentences {
        let problems = refused(&text);
        let said: Vec<String> = problems
            .iter()
            .map(|problem| {
                problem
                    .to_string()
                    .replace(&format!(", column {}", problem.column), "")
            })
            .collect();
        assert_eq!(said, [sentence]);
        let found = standing_at(&text, &problems[0]);
        assert!(found.starts_with(standing), "{found}");
    }
}

#[test]
fn a_margin_is_given_in_the_unit_of_the_rules() {
    let margin = |rules: &str, margin: &str| {
        let board = format!(
            r#"{{"round": 1, "boards": [{{"board": 1, "black": 1, "white": 2, "result": "black", "margin": "{margin}"}}]}}"#
        );
        read(minimal(&format!(r#", "rules": "{rules}""#), "", &board).as_bytes()).map_err(|p| p[0].code())
    };
    assert!(margin("chinese", "0.25").is_ok());
    assert!(margin("japanese", "0.5").is_ok());
    assert_eq!(margin("japanese", "0.25"), Err("not-in-the-unit"));
    assert_eq!(margin("chinese", "-1"), Err("not-a-margin"));
    assert_eq!(margin("chinese", "1,5"), Err("not-a-margin"));
}

#[test]
fn a_day_and_a_komi_are_those_that_an_event_can_have() {
    let event = |field: &str| {
        read(minimal(&format!(", {field}"), "", "").as_bytes()).map_err(|p| (p[0].path.clone(), p[0].code()))
    };
    for (field, path, code) in [
        (r#""starts_on": "0001-01-01""#, "event.starts_on", "unlikely-year"),
        (r#""starts_on": "2200-01-01""#, "event.starts_on", "unlikely-year"),
        (
            r#""round_starts": [{"round": 1, "at": "0026-05-01T09:00"}]"#,
            "event.round_starts[0].at",
            "unlikely-year",
        ),
        (r#""komi": "375""#, "event.komi", "unlikely-komi"),
        (r#""komi": "-30""#, "event.komi", "unlikely-komi"),
        (
            r#""rules": "japanese", "komi": "3.75""#,
            "event.komi",
            "not-in-the-unit",
        ),
    ] {
        assert_eq!(event(field).map(|_| ()), Err((path.to_owned(), code)), "{field}");
    }
    for field in [
        r#""starts_on": "1900-01-01""#,
        r#""starts_on": "2199-12-31""#,
        r#""komi": "-3.75""#,
        r#""rules": "japanese", "komi": "-5.5""#,
    ] {
        assert!(event(field).is_ok(), "{field}");
    }
}

#[test]
fn rounds_that_the_event_does_not_have_are_taken_and_named() {
    let beyond = read(
        minimal(
            r#", "round_starts": [{"round": 1, "at": "2026-05-01T09:00"}, {"round": 90, "at": "2026-05-02T09:00"}]"#,
            r#", "absent_rounds": [1, 80], "bye_rounds": [70], "withdrawn_after": 60"#,
            "",
        )
        .as_bytes(),
    )
    .expect("it is read")
    .rounds_beyond();
    let beyond: Vec<_> = beyond
        .iter()
        .map(|(path, round)| (path.as_str(), *round))
        .collect();
    assert_eq!(
        beyond,
        [
            ("entries[0].absent_rounds[1]", 80),
            ("entries[0].bye_rounds[0]", 70),
            ("entries[0].withdrawn_after", 60),
            ("event.round_starts[1]", 90),
        ]
    );
}

#[test]
fn every_spelling_of_a_grade_is_read_and_no_other_is_turned_into_one() {
    let grade = |text: &str| {
        read(minimal("", &format!(r#", "grade": "{text}""#), "").as_bytes())
            .map(|file| file.stage.entries[0].grade)
            .map_err(|problems| {
                codes(&problems)
                    .into_iter()
                    .map(|(path, code)| format!("{path} {code}"))
                    .collect()
            })
    };
    for text in ["3d", "3D", "3 dan", "３段", "业余3段", "3段"] {
        assert_eq!(grade(text), Ok(Some(Grade::Dan(3))), "{text}");
    }
    for text in ["5级", "5k", "5K"] {
        assert_eq!(grade(text), Ok(Some(Grade::Kyu(5))), "{text}");
    }
    assert_eq!(grade("30k"), Ok(Some(Grade::Kyu(30))));
    assert_eq!(grade("初段"), Ok(Some(Grade::Professional(1))));
    assert!(grade("9p").expect("a grade") > grade("8d").expect("a grade"));
    for text in ["", "?", "1500", "0d", "-3d"] {
        let fault: Vec<String> = vec!["entries[0].grade not-a-grade".to_owned()];
        assert_eq!(grade(text), Err(fault), "{text}");
    }
}

#[test]
fn names_come_out_as_they_went_in() {
    for name in [
        "O'Neil-Łuczak",
        "\"Ann & Bob\" <x>",
        "李🐼",
        "דוד",
        "\u{202e}abc",
        "Jose\u{301}",
        "José",
        "ends with a space ",
        "comma, \"quote\"",
        "=1+2",
        "back\\slash",
    ] {
        let mut file = accepted(&minimal("", "", ""));
        file.stage.entries[0].name = name.to_owned();
        file.name = name.to_owned();
        file.place = Some(name.to_owned());
        let back = accepted(&write(&file));
        assert_eq!(back, file, "{name}");
        assert_eq!(back.stage.entries[0].name, name);
    }
    let problems = refused(&minimal("", r#", "team": "two\nlines""#, ""));
    assert_eq!(codes(&problems), [("entries[0].team", "control-character")]);
}

#[test]
fn a_file_may_begin_with_a_byte_order_mark() {
    let text = minimal("", "", "");
    let marked: Vec<u8> = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    assert_eq!(read(&marked), read(text.as_bytes()));
    let wide: Vec<u8> = std::iter::once(0xfeff)
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let problems = read(&wide).expect_err("UTF-16 is no UTF-8");
    assert_eq!(
        problems[0].to_string(),
        "line 1, column 1: the file is UTF-16: save it as UTF-8"
    );
}

#[test]
fn what_is_no_event_file_is_refused_as_such() {
    assert_eq!(codes(&refused("[]")), [("", "wrong-type")]);
    assert_eq!(
        codes(&refused("{}")),
        [
            ("format", "missing-field"),
            ("version", "missing-field"),
            ("event", "missing-field"),
            ("entries", "missing-field")
        ]
    );
    let other = r#"{"format": "other", "version": 2, "event": {"name": "X", "rounds": 1}, "entries": []}"#;
    assert_eq!(
        codes(&refused(other)),
        [("format", "wrong-format"), ("version", "wrong-version")]
    );
    let kinds = r#"{"format": 1, "version": "1", "event": [], "entries": {}, "rounds": 5, "": 1, "a b": 2}"#;
    assert_eq!(
        codes(&refused(kinds)),
        [
            ("format", "wrong-format"),
            ("version", "wrong-version"),
            ("event", "wrong-type"),
            ("entries", "wrong-type"),
            ("rounds", "wrong-type"),
            ("[\"\"]", "unknown-field"),
            ("[\"a b\"]", "unknown-field"),
        ]
    );
}

#[test]
fn a_fault_brings_no_followers() {
    // The number 2 cannot be read; that board 1 names it is then no second fault.
    let text = minimal(
        "",
        "",
        r#"{"round": 1, "boards": [{"board": 1, "black": 1, "white": 2}]}"#,
    )
    .replace(r#""number": 2"#, r#""number": "2""#);
    assert_eq!(codes(&refused(&text)), [("entries[1].number", "wrong-type")]);
    let text = minimal(r#", "first_round": "4""#, "", r#"{"round": 2}, {"round": 3}"#);
    assert_eq!(codes(&refused(&text)), [("event.first_round", "wrong-type")]);
    let text = minimal(r#", "ranking": ["scor", "score"]"#, "", "");
    assert_eq!(codes(&refused(&text)), [("event.ranking[0]", "unknown-word")]);
    let text = minimal(
        "",
        "",
        r#"{"round": 1, "boards": [5, {"board": 1, "black": 1, "white": 2}]}"#,
    );
    assert_eq!(codes(&refused(&text)), [("rounds[0].boards[0]", "wrong-type")]);
}

#[test]
fn a_flood_of_faults_is_counted() {
    let entries = r#", "x": 1"#.repeat(3_000);
    let problems = refused(&minimal("", &entries, ""));
    assert_eq!(problems.len(), interchange::event_file::PROBLEMS_LIMIT + 1);
    let last = problems.last().expect("a last one").to_string();
    assert_eq!(
        last,
        "line 1, column 1: and 2000 more faults: put these right first"
    );
}

#[test]
fn what_a_server_knows_beside_the_stage_arrives() {
    let file = accepted(SAMPLES[0].1);
    let around = &file.circumstances;
    assert_eq!(around.zone, Some(chrono_tz::Asia::Shanghai));
    let starts: Vec<(u32, String)> = around
        .starts
        .iter()
        .map(|(round, at)| (*round, at.to_string()))
        .collect();
    assert_eq!(
        starts,
        [
            (1, "2026-05-01 09:00:00".to_owned()),
            (2, "2026-05-01 14:45:00".to_owned())
        ]
    );
    assert_eq!((around.hidden, around.is_final), (true, false));
    assert!(around.results_by_two && around.results_from_players);
    let second = &around.tables[&2];
    assert_eq!(around.tables.len(), 1);
    assert_eq!((second.edition, second.by_hand), (2, true));
    let published = second.published_at.map(|at| at.timestamp_micros());
    assert_eq!(published, Some(1_777_617_000_250_000));
    let earlier = second.earlier_results[0];
    assert_eq!(
        (earlier.round, earlier.board, earlier.result),
        (1, 2, Some(Outcome::Draw))
    );
}

#[test]
fn times_and_facts_that_cannot_be_are_refused_where_they_stand() {
    let board = r#", "boards": [{"black": 1, "white": 2}]"#;
    let rounds = |more: &str| format!(r#"{{"round": 1{board}}}, {{"round": 2, "boards": [], {more}}}"#);
    for (event, more, path, code) in [
        (
            r#", "time_zone": "Peking""#,
            "",
            "event.time_zone",
            "not-a-time-zone",
        ),
        (
            r#", "round_starts": [{"round": 1, "at": "2026-05-01T09:00:00"}]"#,
            "",
            "event.round_starts[0].at",
            "not-a-local-time",
        ),
        (
            r#", "round_starts": [{"round": 1, "at": "2026-05-01T09:00Z"}]"#,
            "",
            "event.round_starts[0].at",
            "not-a-local-time",
        ),
        (
            r#", "round_starts": [{"round": 0, "at": "2026-05-01T09:00"}]"#,
            "",
            "event.round_starts[0].round",
            "out-of-range",
        ),
        (
            r#", "round_starts": [{"round": 1, "at": "2026-05-01T09:00"}, {"round": 1, "at": "2026-05-01T10:00"}]"#,
            "",
            "event.round_starts[1].round",
            "round-twice",
        ),
        (
            r#", "time_zone": "America/New_York", "round_starts": [{"round": 1, "at": "2026-03-08T02:30"}]"#,
            "",
            "event.round_starts[0].at",
            "skipped-time",
        ),
        (r#", "final": true"#, "", "event.final", "final-but-pending"),
        (
            "",
            r#""published_at": "2026-05-01T09:00:00""#,
            "rounds[1].published_at",
            "not-a-moment",
        ),
        (
            "",
            r#""published_at": "2026-05-01T09:00:00.0000001Z""#,
            "rounds[1].published_at",
            "not-a-moment",
        ),
        ("", r#""edition": 0"#, "rounds[1].edition", "out-of-range"),
        (
            "",
            r#""earlier_results": [{"round": 1, "board": 2}]"#,
            "rounds[1].earlier_results[0]",
            "no-such-board",
        ),
        (
            "",
            r#""earlier_results": [{"round": 2, "board": 1}]"#,
            "rounds[1].earlier_results[0]",
            "no-such-board",
        ),
        (
            "",
            r#""earlier_results": [{"round": 1, "board": 1}, {"round": 1, "board": 1, "result": "draw"}]"#,
            "rounds[1].earlier_results[1]",
            "no-such-board",
        ),
    ] {
        let more = if more.is_empty() { r#""byes": []"# } else { more };
        let problems = refused(&minimal(event, "", &rounds(more)));
        assert_eq!(codes(&problems), [(path, code)], "{event} {more}");
    }
}
