//! The published JSON Schema says what the reader does: the same fields and words, and on every
//! damaged value the same judgement.

use rules::OnRepetition;
use serde_json::{Map, Value, json};
use tournament::{Colours, NumberOrder, OrderBy, PairingOrder, TeamAvoidance, ThirdColour, Unplayed};

use super::read::{fields, read};
use super::words;

const SCHEMA: &str = include_str!("../../../../docs/event-file.schema.json");
const SAMPLES: [&str; 4] = [
    include_str!("../../tests/samples/every-field.json"),
    include_str!("../../tests/samples/taken-over-midway.json"),
    include_str!("../../tests/samples/japanese.json"),
    include_str!("../../tests/samples/nobody-yet.json"),
];

/// Faults that no schema can see: they look at more than one value, or inside a text.
const BEYOND: [&str; 37] = [
    "duplicate-number",
    "unknown-number",
    "two-boards",
    "against-oneself",
    "two-places",
    "listed-twice",
    "duplicate-board",
    "round-out-of-order",
    "too-many-rounds",
    "empty-name",
    "control-character",
    "not-with-result",
    "not-pending",
    "met-oneself",
    "duplicate-criterion",
    "duplicate-lot",
    "pair-of-one",
    "duplicate-pair",
    "bye-while-absent",
    "not-a-grade",
    "not-a-margin",
    "not-a-komi",
    "not-a-date",
    "not-a-seed",
    "not-a-time-zone",
    "not-a-local-time",
    "not-a-moment",
    "skipped-time",
    "round-twice",
    "no-such-board",
    "final-but-pending",
    "not-in-the-unit",
    "unlikely-year",
    "unlikely-komi",
    "size-without-balance",
    "carried-from-nowhere",
    // The first round must be one of the planned ones.
    "out-of-range",
];

fn schema() -> Value {
    serde_json::from_str(SCHEMA).expect("the schema is JSON")
}

/// Whether a value satisfies a schema. Only the words that our schema uses are known, and any other
/// one stops the test: it would not be looked at.
pub(crate) fn satisfies(root: &Value, schema: &Value, value: &Value) -> bool {
    let count = |limit: &Value| usize::try_from(limit.as_u64().expect("a count")).expect("small");
    schema
        .as_object()
        .expect("a schema is an object")
        .iter()
        .all(|(word, limit)| match word.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "default" | "examples" | "format" => true,
            "$ref" if *limit == json!("urn:tianyuan:event-file:1") => {
                let event = self::schema();
                satisfies(&event, &event, value)
            }
            "$ref" => {
                let name = limit
                    .as_str()
                    .and_then(|path| path.strip_prefix("#/$defs/"))
                    .expect("a definition");
                satisfies(root, &root["$defs"][name], value)
            }
            "type" => match limit {
                Value::Array(types) => types.iter().any(|name| is_a(name, value)),
                name => is_a(name, value),
            },
            "const" => value == limit,
            "enum" => limit.as_array().expect("a list").contains(value),
            "anyOf" => limit
                .as_array()
                .expect("a list")
                .iter()
                .any(|schema| satisfies(root, schema, value)),
            "minimum" => value
                .as_i64()
                .is_none_or(|number| number >= limit.as_i64().expect("a limit")),
            "maximum" => value
                .as_i64()
                .is_none_or(|number| number <= limit.as_i64().expect("a limit")),
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() >= count(limit)),
            "maxLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() <= count(limit)),
            "minItems" => value.as_array().is_none_or(|items| items.len() >= count(limit)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() <= count(limit)),
            "items" => value
                .as_array()
                .is_none_or(|items| items.iter().all(|item| satisfies(root, limit, item))),
            "required" => value.as_object().is_none_or(|fields| {
                limit
                    .as_array()
                    .expect("a list")
                    .iter()
                    .all(|name| fields.contains_key(name.as_str().expect("a name")))
            }),
            "additionalProperties" => {
                assert_eq!(*limit, json!(false));
                let known = schema["properties"].as_object().expect("fields");
                value
                    .as_object()
                    .is_none_or(|fields| fields.keys().all(|name| known.contains_key(name)))
            }
            "properties" => value.as_object().is_none_or(|fields| {
                let known = limit.as_object().expect("fields");
                fields.iter().all(|(name, value)| {
                    known
                        .get(name)
                        .is_none_or(|schema| satisfies(root, schema, value))
                })
            }),
            other => panic!("the schema uses {other}, which this test does not know"),
        })
}

fn is_a(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    }
}

#[test]
fn every_sample_and_whatever_is_written_satisfies_the_schema() {
    let schema = schema();
    for text in SAMPLES {
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert!(satisfies(&schema, &schema, &value), "{text}");
        let file = read(text.as_bytes()).expect("a sample is read");
        let written: Value = serde_json::from_str(&super::write(&file)).expect("JSON");
        assert!(satisfies(&schema, &schema, &written), "{written}");
    }
}

#[test]
fn the_schema_has_the_fields_and_the_words_of_the_reader() {
    let schema = schema();
    let names = |fields: &Value| -> Vec<String> {
        fields["properties"]
            .as_object()
            .expect("fields")
            .keys()
            .cloned()
            .collect()
    };
    let definitions = &schema["$defs"];
    let cut = &definitions["criterion"]["anyOf"][1];
    for (object, known) in [
        (&schema, fields::FILE),
        (&definitions["event"], fields::EVENT),
        (&definitions["pairing"], fields::PAIRING),
        (&definitions["round_start"], fields::ROUND_START),
        (&definitions["results"], fields::RESULTS),
        (&definitions["earlier_result"], fields::EARLIER),
        (&definitions["records"], fields::RECORDS),
        (&definitions["promotion"], fields::PROMOTION),
        (&definitions["by_wins"], fields::BY_WINS),
        (&definitions["by_place"], fields::BY_PLACE),
        (&definitions["prizes"], fields::PRIZES),
        (&definitions["prize"], fields::PRIZE),
        (cut, fields::CUT),
        (&cut["properties"]["opponents_score_cut"], fields::CUT_COUNTS),
        (&definitions["lot"], fields::LOT),
        (&definitions["entry"], fields::ENTRY),
        (&definitions["carried"], fields::CARRIED),
        (&definitions["round"], fields::ROUND),
        (&definitions["choices"], fields::CHOICES),
        (&definitions["board"], fields::BOARD),
        (&definitions["warnings"], fields::WARNINGS),
    ] {
        assert_eq!(names(object), known);
        assert_eq!(object["additionalProperties"], json!(false), "{known:?}");
    }
    let event = &definitions["event"]["properties"];
    let pairing = &definitions["pairing"]["properties"];
    let board = &definitions["board"]["properties"];
    let records = &definitions["records"]["properties"];
    let rules: Vec<&str> = rules::RuleSet::ALL.map(rules::RuleSet::slug).into();
    for (choice, listed) in [
        (&event["system"], words::listed(words::SYSTEMS, words::system)),
        (&event["rules"], rules.join(", ")),
        (&event["unplayed"], words::listed(Unplayed::ALL, Unplayed::as_str)),
        (
            &pairing["order"],
            words::listed(PairingOrder::ALL, PairingOrder::as_str),
        ),
        (&pairing["order_by"], words::listed(OrderBy::ALL, OrderBy::as_str)),
        (
            &pairing["number_order"],
            words::listed(NumberOrder::ALL, NumberOrder::as_str),
        ),
        (
            &pairing["team_avoidance"],
            words::listed(TeamAvoidance::ALL, TeamAvoidance::as_str),
        ),
        (
            &pairing["third_colour"],
            words::listed(ThirdColour::ALL, ThirdColour::as_str),
        ),
        (&pairing["colours"], words::listed(Colours::ALL, Colours::as_str)),
        (
            &records["repetition"],
            words::listed(&OnRepetition::ALL, OnRepetition::as_str),
        ),
        (&definitions["criterion"]["anyOf"][0], words::criteria_listed()),
        (
            &board["result"],
            tournament::Outcome::ALL
                .map(tournament::Outcome::as_str)
                .join(", "),
        ),
        (
            &board["by"],
            tournament::By::ALL.map(tournament::By::as_str).join(", "),
        ),
    ] {
        let words: Vec<&str> = choice["enum"]
            .as_array()
            .expect("words")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(words.join(", "), listed);
    }
}

#[test]
fn the_page_for_people_names_every_field_and_word_and_its_example_is_read() {
    let page = include_str!("../../../../docs/event-file.md");
    let every = [
        fields::FILE,
        fields::EVENT,
        fields::PAIRING,
        fields::RECORDS,
        fields::PROMOTION,
        fields::BY_WINS,
        fields::BY_PLACE,
        fields::PRIZES,
        fields::PRIZE,
        fields::CUT,
        fields::ENTRY,
        fields::CARRIED,
        fields::ROUND,
        fields::CHOICES,
        fields::BOARD,
    ];
    let words = [
        words::listed(words::SYSTEMS, words::system),
        words::listed(Unplayed::ALL, Unplayed::as_str),
        words::listed(PairingOrder::ALL, PairingOrder::as_str),
        words::listed(OrderBy::ALL, OrderBy::as_str),
        words::listed(NumberOrder::ALL, NumberOrder::as_str),
        words::listed(TeamAvoidance::ALL, TeamAvoidance::as_str),
        words::listed(ThirdColour::ALL, ThirdColour::as_str),
        words::listed(Colours::ALL, Colours::as_str),
        words::listed(&OnRepetition::ALL, OnRepetition::as_str),
        words::criteria_listed(),
        rules::RuleSet::ALL.map(rules::RuleSet::slug).join(", "),
        tournament::Outcome::ALL
            .map(tournament::Outcome::as_str)
            .join(", "),
        tournament::By::ALL.map(tournament::By::as_str).join(", "),
    ];
    for word in every
        .concat()
        .into_iter()
        .chain(words.iter().flat_map(|words| words.split(", ")))
    {
        assert!(page.contains(&format!("`{word}`")), "{word}");
    }
    let example = page
        .split("```json\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    assert_eq!(
        read(example.as_bytes()).map(|file| file.stage.rounds.len()),
        Ok(1)
    );
}

/// Calls `with` with every value that differs from `value` in one place.
fn damaged(value: &Value, with: &mut dyn FnMut(Value)) {
    let replacements = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(3),
        json!(101),
        json!(1001),
        json!(100_000),
        json!(5_000_000_000_i64),
        json!(1.5),
        json!(""),
        json!("x"),
        json!("x".repeat(201)),
        json!([]),
        json!([null]),
        json!({}),
        json!({ "x": 1 }),
    ];
    replacements.into_iter().for_each(&mut *with);
    match value {
        Value::Object(fields) => {
            for name in fields.keys() {
                let mut fewer = fields.clone();
                fewer.shift_remove(name);
                with(fewer.into());
                damaged(&fields[name], &mut |changed| {
                    let mut fields: Map<String, Value> = fields.clone();
                    fields.insert(name.clone(), changed);
                    with(fields.into());
                });
            }
            let mut more = fields.clone();
            more.insert("colour".into(), json!(null));
            with(more.into());
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                damaged(item, &mut |changed| {
                    let mut items = items.clone();
                    items[at] = changed;
                    with(items.into());
                });
            }
        }
        _ => {}
    }
}

#[test]
fn schema_and_reader_judge_every_damage_alike() {
    let schema = schema();
    let (mut refused_by_both, mut beyond) = (0, 0);
    for text in SAMPLES {
        damaged(&serde_json::from_str(text).expect("JSON"), &mut |value| {
            let satisfied = satisfies(&schema, &schema, &value);
            match read(value.to_string().as_bytes()) {
                Ok(_) => assert!(satisfied, "the reader takes what the schema refuses: {value}"),
                Err(problems) if satisfied => {
                    beyond += 1;
                    for problem in problems {
                        assert!(
                            BEYOND.contains(&problem.code()),
                            "the schema takes what is refused: {problem}\n{value}"
                        );
                    }
                }
                Err(_) => refused_by_both += 1,
            }
        });
    }
    assert!(
        refused_by_both > 1_000 && beyond > 100,
        "{refused_by_both} {beyond}"
    );
}
