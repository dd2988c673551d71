//! `docs/draw-file.schema.json` held to the reader: they know the same fields, and what is written
//! satisfies the schema.

use rules::RuleSet;
use serde_json::{Value, json};
use tournament::draw::{Decides, EventId, Secret, Seed, Split, usual_slots};
use tournament::pairing::{Confirmed, Request, pair};
use tournament::simulate::{Simulation, simulate};
use tournament::{Colours, PairingOrder, TeamAvoidance};

use super::read::fields;
use super::{DrawFile, Promise, write};
use crate::event_file::schema::satisfies;
use crate::event_file::{EventFile, event_fields};

const SCHEMA: &str = include_str!("../../../../docs/draw-file.schema.json");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).expect("the schema is JSON")
}

fn event() -> EventId {
    EventId::new("0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5").expect("an id")
}

fn promise(decides: Decides) -> (Promise, Seed) {
    Promise::redeem(&event(), decides, Secret([1; 32]), Vec::new())
}

fn round() -> DrawFile {
    let simulation = Simulation {
        teams: 900,
        byes: 100,
        forfeits: 100,
        ..Simulation::new(13, 5, 3)
    };
    let mut stage = simulate(&simulation);
    stage.pairing.order = PairingOrder::Random;
    stage.pairing.colours = Colours::Lots;
    stage.pairing.team_avoidance = TeamAvoidance::Strong;
    stage.pairing.avoid_team_rounds = 9;
    stage.rounds_planned = 6;
    let (promise, seed) = promise(Decides::Round(6));
    let mut request = Request::from(Confirmed {
        repeats: true,
        provisional: true,
    });
    request.seed = Some(seed);
    request.choices.sitting_out = vec![stage.entries[2].number];
    let table = pair(&stage, request).expect("a pairing").to_round();
    stage.rounds.push(table);
    let file = EventFile {
        name: "Spring Open".to_owned(),
        place: None,
        starts_on: None,
        rules: RuleSet::default(),
        komi: RuleSet::default().default_komi(),
        records: crate::RecordSettings::default(),
        awards: tournament::Awards::default(),
        circumstances: crate::event_file::Circumstances::default(),
        stage,
    };
    DrawFile::of_round(event(), Some(promise), &file, 6).expect("a round")
}

fn samples() -> Vec<DrawFile> {
    let (promised, seed) = promise(Decides::Numbers);
    let entries = (0..9).map(|i| (Some(format!("Player {i}")), i < 2)).collect();
    let numbers = DrawFile::draw_numbers(event(), Some(promised), seed, entries, usual_slots(9, 2));
    let (promised, seed) = promise(Decides::Groups);
    let entries = vec![(None, None); 9];
    let groups = DrawFile::draw_groups(
        event(),
        Some(promised),
        seed,
        entries,
        3,
        Split::Snake { layer: 3 },
    );
    let mut round = round();
    round.log = crate::log_file::Head::parse(&format!("412:{}", "3f".repeat(32)));
    vec![round, numbers.expect("numbers"), groups.expect("groups")]
}

#[test]
fn whatever_is_written_satisfies_the_schema() {
    let schema = schema();
    for draw in samples() {
        let written: Value = serde_json::from_str(&write(&draw)).expect("JSON");
        assert!(satisfies(&schema, &schema, &written), "{written}");
        for name in ["format", "sum", "event", "draw", "engine"] {
            let mut without = written.clone();
            without.as_object_mut().expect("an object").remove(name);
            assert!(!satisfies(&schema, &schema, &without), "{name}");
        }
        let mut more = written.clone();
        more["unknown"] = json!(1);
        assert!(!satisfies(&schema, &schema, &more));
    }
}

#[test]
fn the_schema_has_the_fields_of_the_reader() {
    let schema = schema();
    let definitions = &schema["$defs"];
    for (name, known) in [
        ("round", fields::ROUND),
        ("numbers", fields::NUMBERS),
        ("groups", fields::GROUPS),
        ("choices", event_fields::CHOICES),
        ("table", fields::TABLE),
        ("board", fields::BOARD),
        ("numbered", fields::NUMBERED),
        ("grouped", fields::GROUPED),
    ] {
        let object = &definitions[name];
        let names: Vec<&String> = object["properties"].as_object().expect("fields").keys().collect();
        assert_eq!(names, known, "{name}");
        assert_eq!(object["additionalProperties"], json!(false), "{name}");
    }
}
