//! Files that the tests share.
#![allow(dead_code, reason = "every test binary uses its own part")]

/// Every sample, with a name for messages.
pub const SAMPLES: [(&str, &str); 4] = [
    ("every-field", include_str!("../samples/every-field.json")),
    (
        "taken-over-midway",
        include_str!("../samples/taken-over-midway.json"),
    ),
    ("japanese", include_str!("../samples/japanese.json")),
    ("nobody-yet", include_str!("../samples/nobody-yet.json")),
];

/// Three players and what a test adds: fields of the event, fields of the first entry, rounds.
pub fn minimal(event: &str, entry: &str, rounds: &str) -> String {
    format!(
        r#"{{
  "format": "tianyuan-event", "version": 1,
  "event": {{"name": "Club", "rounds": 3{event}}},
  "entries": [
    {{"number": 1, "name": "Anna"{entry}}},
    {{"number": 2, "name": "Bo"}}, {{"number": 3, "name": "Cy"}}],
  "rounds": [{rounds}]
}}
"#
    )
}
