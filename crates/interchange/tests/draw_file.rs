//! Draw files: written, read, repeated, and damaged in every way.

use interchange::draw_file::{Content, DrawFile, Promise, Statement, check, is_draw_file, read, write};
use interchange::{EventFile, RecordSettings};
use proptest::prelude::*;
use rules::RuleSet;
use tournament::draw::{Decides, EventId, Secret, Seed, Split, Word, usual_slots};
use tournament::pairing::{Confirmed, Request, pair};
use tournament::simulate::{Simulation, simulate_with};
use tournament::{Choices, Colours, Number, PairingOrder, PairingSettings, Stage};

fn event() -> EventId {
    EventId::new("0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5").expect("an id")
}

fn word(text: &str) -> Word {
    Word::new(text).expect("a word")
}

fn promise(decides: Decides) -> (Promise, Seed) {
    let words = vec![word("天元"), word("wet cobblestones, 7")];
    Promise::redeem(&event(), decides, Secret([0x5a; 32]), words)
}

/// An event whose last round is paired and not played.
fn played(players: u32, rounds: u32, settings: &PairingSettings, choices: &Choices) -> EventFile {
    let simulation = Simulation {
        draws: 200,
        forfeits: 60,
        byes: 60,
        teams: 600,
        ..Simulation::new(players, rounds, 11)
    };
    let with_settings = |stage: &Stage| Stage {
        pairing: settings.clone(),
        ..stage.clone()
    };
    let mut stage = simulate_with(&simulation, |stage| {
        let last = stage.next_round() == rounds;
        let request = Request {
            confirmed: Confirmed {
                repeats: true,
                provisional: true,
            },
            choices: choices.clone(),
            seed: settings
                .needs_seed()
                .then(|| promise(Decides::Round(stage.next_round())).1),
        };
        let request = if last {
            request
        } else {
            Request {
                choices: Choices::default(),
                ..request
            }
        };
        pair(&with_settings(stage), request)
            .ok()
            .map(|paired| paired.to_round())
    });
    stage.pairing = settings.clone();
    for board in &mut stage.rounds.last_mut().expect("a round").boards {
        board.result = None;
        board.by = None;
        board.margin = None;
    }
    EventFile {
        name: "Spring Open".to_owned(),
        place: Some("the old town hall".to_owned()),
        starts_on: None,
        rules: RuleSet::default(),
        komi: RuleSet::default().default_komi(),
        records: RecordSettings::default(),
        awards: tournament::Awards::default(),
        circumstances: interchange::event_file::Circumstances::default(),
        stage,
    }
}

fn settings(order: PairingOrder, colours: Colours) -> PairingSettings {
    PairingSettings {
        order,
        colours,
        ..PairingSettings::default()
    }
}

/// A draw of round 4 of 9 players, and one of 24 with choices.
fn samples() -> Vec<DrawFile> {
    let number = |n| Number::new(n).expect("a number");
    let choices = Choices {
        pairs: vec![(number(3), number(8))],
        apart: vec![(number(1), number(2))],
        ..Choices::default()
    };
    let round = |players, round, settings: &PairingSettings, choices: &Choices| {
        let file = played(players, round, settings, choices);
        let promise = settings.needs_seed().then(|| promise(Decides::Round(round)).0);
        DrawFile::of_round(event(), promise, &file, round).expect("a round")
    };
    let mut withheld = round(
        9,
        4,
        &settings(PairingOrder::Random, Colours::Lots),
        &Choices::default(),
    );
    withheld.withhold_names();
    let (promised, seed) = promise(Decides::Numbers);
    let entries = (0..12)
        .map(|i| (Some(format!("Player {i}")), i % 5 == 0))
        .collect();
    let numbers = DrawFile::draw_numbers(event(), Some(promised), seed, entries, usual_slots(12, 3));
    let (promised, seed) = promise(Decides::Groups);
    let entries = (1..=11).map(|n| (None, Number::new(n))).collect();
    let groups = DrawFile::draw_groups(
        event(),
        Some(promised),
        seed,
        entries,
        3,
        Split::Snake { layer: 3 },
    );
    vec![
        withheld,
        round(
            24,
            5,
            &settings(PairingOrder::Classic, Colours::Number),
            &Choices::default(),
        ),
        round(8, 2, &settings(PairingOrder::Classic, Colours::Lots), &choices),
        numbers.expect("numbers"),
        groups.expect("groups"),
    ]
}

fn wrong(text: &str) -> Vec<String> {
    let sealed = read(text.as_bytes()).expect("a draw file");
    let said = check(&sealed);
    let wrong = said.iter().filter(|statement| !statement.holds());
    wrong.map(ToString::to_string).collect()
}

#[test]
fn a_written_draw_is_read_back_and_holds() {
    for draw in samples() {
        let text = write(&draw);
        assert!(is_draw_file(text.as_bytes()));
        let sealed = read(text.as_bytes()).unwrap_or_else(|problems| panic!("{}\n{text}", problems[0]));
        assert_eq!(write(&sealed.draw), text);
        let said = check(&sealed);
        assert!(said.iter().all(Statement::holds), "{:?}\n{text}", wrong(&text));
        assert!(said.len() >= 4 || matches!(draw.content, Content::Round(_)));
    }
}

#[test]
fn a_withheld_name_stands_nowhere_in_the_file() {
    let file = played(9, 4, &PairingSettings::default(), &Choices::default());
    let mut draw = DrawFile::of_round(event(), None, &file, 4).expect("a round");
    draw.withhold_names();
    let text = write(&draw);
    for entry in &file.stage.entries {
        assert!(!text.contains(&entry.name), "{}", entry.name);
        if let Some(team) = &entry.team {
            assert!(!text.contains(team), "{team}");
        }
    }
}

#[test]
fn one_changed_byte_is_found() {
    for draw in samples() {
        let text = write(&draw);
        let bytes = text.as_bytes();
        // A prime step, so that all kinds of places are met.
        for (turn, at) in (0..bytes.len()).step_by(7).enumerate() {
            let mut damaged = bytes.to_vec();
            damaged[at] = match turn % 4 {
                0 => bytes[at] ^ 1,
                1 => bytes[at] ^ 2,
                2 => b'0' + u8::try_from(turn % 10).expect("a digit"),
                _ => b' ',
            };
            let blank = |byte: u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
            if damaged[at] == bytes[at] || (blank(damaged[at]) && blank(bytes[at])) {
                continue;
            }
            match read(&damaged) {
                Err(problems) => assert!(!problems.is_empty()),
                Ok(sealed) => assert!(
                    check(&sealed).iter().any(|statement| !statement.holds()),
                    "byte {at}, {:?} instead of {:?}, changes nothing",
                    char::from(damaged[at]),
                    char::from(bytes[at])
                ),
            }
        }
    }
}

#[test]
fn what_is_wrong_is_named() {
    let draws = samples();
    let text = write(&draws[1]);
    let Content::Round(round) = &draws[1].content else {
        panic!("a round")
    };
    let (first, second) = (round.table.boards[6], round.table.boards[7]);
    let line = |number: u32, black: Number, white: Number| {
        format!("{{\"board\": {number}, \"black\": {black}, \"white\": {white}}}")
    };
    let swapped = text
        .replace(
            &line(7, first.black, first.white),
            &line(7, first.black, second.white),
        )
        .replace(
            &line(8, second.black, second.white),
            &line(8, second.black, first.white),
        );
    let said = wrong(&swapped);
    let expected = format!(
        "board 7: the file has {}–{}, the rules give {}–{}",
        first.black, second.white, first.black, first.white
    );
    assert!(said.contains(&expected), "{said:?}");
    assert!(said[0].starts_with("sum: the file has "), "{said:?}");

    // A cheat who seals the file anew is found by what the sum stands over.
    let mut sealed_anew = draws[0].clone();
    if let Some(promise) = &mut sealed_anew.promise {
        promise.words[0] = word("天圆");
    }
    let said = wrong(&write(&sealed_anew));
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("seed: the file has "), "{said:?}");
    let mut sealed_anew = draws[0].clone();
    if let Some(promise) = &mut sealed_anew.promise {
        promise.secret.0[31] ^= 1;
    }
    let said = wrong(&write(&sealed_anew));
    assert!(said[0].starts_with("commitment: the file has "), "{said:?}");
    let mut sealed_anew = draws[1].clone();
    if let Content::Round(round) = &mut sealed_anew.content {
        round.players[2]["score"] = 40.into();
    }
    let said = wrong(&write(&sealed_anew));
    assert_eq!(said.len(), 1);
    assert!(
        said[0].starts_with("players, number 3, score: the file has 40, the rounds before give "),
        "{said:?}"
    );
    let mut sealed_anew = draws[3].clone();
    if let Content::Numbers(draw) = &mut sealed_anew.content {
        let (first, second) = (draw.entries[2].number, draw.entries[3].number);
        draw.entries[2].number = second;
        draw.entries[3].number = first;
        assert_eq!(
            wrong(&write(&sealed_anew))[0],
            format!("entry 3 of the list: the file has number {second}, the draw gives number {first}")
        );
    }
}

#[test]
fn a_certificate_in_a_file_proves_the_table_or_is_told_what_it_does_not_prove() {
    for at in 0..3 {
        let mut draw = samples().swap_remove(at);
        let seed = draw.seed;
        let Content::Round(round) = &mut draw.content else {
            panic!("a round")
        };
        assert!(round.certify(seed));
        let holds = check(&read(write(&draw).as_bytes()).expect("a draw file"));
        assert!(holds.iter().all(Statement::holds), "{holds:?}");
        assert!(holds.contains(&Statement::CertificateHolds));
    }
    let mut draw = samples().swap_remove(1);
    let Content::Round(round) = &mut draw.content else {
        panic!("a round")
    };
    let stage = &round.input.stage;
    let recorded = tournament::pairing::again(stage, &round.table)
        .expect("the round")
        .to_round();
    let certificate = tournament::pairing::prove::by_duals(stage, &recorded).expect("the best table");
    round.certificate = Some(interchange::certificate_json(&certificate));
    let sealed = |draw: &DrawFile| wrong(&write(draw));
    assert_eq!(sealed(&draw), [""; 0]);
    let change = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut draw = draw.clone();
        if let Content::Round(round) = &mut draw.content {
            change(round.certificate.as_mut().expect("one"));
        }
        wrong(&write(&draw))
    };
    let smaller = change(&|certificate| certificate["players"][0]["value"] = "-7fff".into());
    assert!(
        smaller[0].starts_with("the certificate does not prove the table: the values "),
        "{smaller:?}"
    );
    let gone = change(&|certificate| certificate["players"] = serde_json::json!([]));
    assert_eq!(gone.len(), 1);
    assert!(gone[0].ends_with(" has no value"), "{gone:?}");
    assert_eq!(
        change(&|certificate| certificate["sets"] = 3.into()),
        ["certificate, sets: should be a list"]
    );
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    let text = write(&samples()[0]);
    let refusals = |text: &str| -> Vec<String> {
        let problems = read(text.as_bytes()).expect_err("a refusal");
        problems.iter().map(ToString::to_string).collect()
    };
    for (from, to, says) in [
        (
            "\"tianyuan-draw\"",
            "\"tianyuan-event\"",
            "line 2, column 13, format: this is not a draw file: `format` must be \"tianyuan-draw\"",
        ),
        (
            "\"version\": 1,\n  \"engine\"",
            "\"version\": 2,\n  \"engine\"",
            "line 3, column 14, version: version 2 of the draw file is not known here, only version 1: a newer tianyuan can check it",
        ),
        (
            "\"tianyuan 0.1.0\"",
            "\"tianyuan 9.7.0\"",
            "line 4, column 13, engine: this draw was made by the rules of tianyuan 9.7.0, and only those of tianyuan 0.1.0 are known here: check it with tianyuan 9.7.0",
        ),
        (
            "\"0192f0c1-",
            "\"0192F0C1-",
            "line 5, column 12, event: “0192F0C1-7a3b-7c4d-8e5f-a0b1c2d3e4f5” is no event's id: a UUID of 36 characters in lower case",
        ),
        (
            "\"round 4\"",
            "\"round four\"",
            "line 6, column 11, draw: “round four” is not drawn here: write round and a number, numbers, or groups",
        ),
        (
            "\"draw\": \"round 4\"",
            "\"draw\": \"round 4\", \"log\": \"412:3f2a91bc04d7\"",
            "log: “412:3f2a91bc04d7” names no act of a log: write its number, a colon and the 64 digits of its hash",
        ),
        (
            "\"天元\"",
            "\"天元 \"",
            "a public word has white space at an end or is not in Unicode's form NFC: it must stand here as it was hashed, “天元”",
        ),
        (
            "\"round 4\"",
            "\"round 5\"",
            "the draw is of round 5, and round 4 comes after the rounds in `input`",
        ),
        ("\"secret\"", "\"secrets\"", "there is no field `secrets` here"),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        let said = refusals(&damaged);
        assert!(said.iter().any(|line| line.contains(says)), "{said:?}");
    }
}

proptest! {
    /// Whatever happens to a file, there is an answer.
    #[test]
    fn any_damage_is_answered(sample in 0_usize..5, at in 0_usize..1_000_000, cut in 0_usize..40, put in proptest::collection::vec(any::<u8>(), 0..6)) {
        let mut bytes = write(&samples()[sample]).into_bytes();
        let at = at % bytes.len();
        let end = (at + cut).min(bytes.len());
        bytes.splice(at..end, put);
        if let Ok(sealed) = read(&bytes) {
            let _ = check(&sealed);
        }
    }
}
