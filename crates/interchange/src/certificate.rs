//! Certificates as JSON: in answers, and as a member of draw files.

use std::fmt;

use serde_json::{Map, Value, json};
use tournament::certificate::{Certificate, Digit, Duals, Least, OddSet, Shared, Whole};
use tournament::{Measure, Number, Score};

/// A certificate. By counting: `kind` `counting` and `least`, a list of `measure`, `group`, `least`.
/// With dual values: `kind` `duals`, `digits` (`measure`, `group`, `bit`, `width`), `players` (a
/// `value` and the `players` who have it), `bye` (a value, null without a bye) and `sets` (`value`,
/// `players`, `bye`). Values are whole numbers in hexadecimal digits, in texts.
pub fn certificate_json(certificate: &Certificate) -> Value {
    let numbers = |players: &[Number]| -> Value { players.iter().map(|number| number.get()).collect() };
    let group = |group: Option<Score>| group.map(|group| group.0);
    match certificate {
        Certificate::Counting(least) => {
            let least = least.iter().map(|value| {
                json!({ "measure": value.measure.code(), "group": group(value.group), "least": value.least })
            });
            json!({ "kind": "counting", "least": least.collect::<Vec<_>>() })
        }
        Certificate::Duals(duals) => {
            let digits = duals.digits.iter().map(|digit| {
                json!({
                    "measure": digit.measure.code(), "group": group(digit.group), "bit": digit.bit, "width": digit.width,
                })
            });
            let players = duals.players.iter().map(
                |shared| json!({ "value": shared.value.to_string(), "players": numbers(&shared.players) }),
            );
            let sets = duals.sets.iter().map(|set| {
                json!({ "value": set.value.to_string(), "players": numbers(&set.players), "bye": set.bye })
            });
            json!({
                "kind": "duals",
                "digits": digits.collect::<Vec<_>>(),
                "players": players.collect::<Vec<_>>(),
                "bye": duals.bye.as_ref().map(ToString::to_string),
                "sets": sets.collect::<Vec<_>>(),
            })
        }
    }
}

/// What is wrong in a certificate that was read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {fault}")]
pub struct CertificateProblem {
    /// Where, from the certificate down: `players[3].value`.
    pub path: String,
    /// What.
    pub fault: CertificateShape,
}

/// A fault in the shape of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateShape {
    /// A field is missing.
    Missing,
    /// A field that no certificate has.
    Unknown,
    /// Something else than this was expected.
    Not(&'static str),
}

impl CertificateShape {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing => "certificate-missing",
            Self::Unknown => "certificate-unknown",
            Self::Not(_) => "certificate-not",
        }
    }
}

impl fmt::Display for CertificateShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("is missing"),
            Self::Unknown => f.write_str("is no field of a certificate"),
            Self::Not(expected) => write!(f, "should be {expected}"),
        }
    }
}

type Read<T> = Result<T, CertificateProblem>;

fn fault<T>(path: &str, fault: CertificateShape) -> Read<T> {
    let path = path.trim_start_matches('.').to_owned();
    let path = if path.is_empty() {
        "certificate".to_owned()
    } else {
        path
    };
    Err(CertificateProblem { path, fault })
}

/// Reads a certificate. Whether it proves anything is for
/// [`verify`](tournament::checker::verify) to say.
///
/// # Errors
/// The first thing that has another shape than [`certificate_json`] gives it.
pub fn certificate(value: &Value) -> Read<Certificate> {
    let Some(fields) = value.as_object() else {
        return fault("", CertificateShape::Not("an object"));
    };
    match fields.get("kind").and_then(Value::as_str) {
        Some("counting") => {
            only("", fields, &["kind", "least"])?;
            let least = list("", fields, "least", |path, value| {
                let fields = object(path, value, &["measure", "group", "least"])?;
                let least = get(path, fields, "least")?;
                let Some(least) = least.as_i64() else {
                    return fault(&format!("{path}.least"), CertificateShape::Not("a whole number"));
                };
                let (measure, group) = digit(path, fields)?;
                Ok(Least {
                    measure,
                    group,
                    least,
                })
            });
            Ok(Certificate::Counting(least?))
        }
        Some("duals") => {
            only("", fields, &["kind", "digits", "players", "bye", "sets"])?;
            Ok(Certificate::Duals(Duals {
                digits: list("", fields, "digits", |path, value| {
                    let fields = object(path, value, &["measure", "group", "bit", "width"])?;
                    let (measure, group) = digit(path, fields)?;
                    Ok(Digit {
                        measure,
                        group,
                        bit: small(path, fields, "bit")?,
                        width: small(path, fields, "width")?,
                    })
                })?,
                players: list("", fields, "players", |path, value| {
                    let fields = object(path, value, &["value", "players"])?;
                    Ok(Shared {
                        value: whole(&format!("{path}.value"), get(path, fields, "value")?)?,
                        players: numbers(path, fields)?,
                    })
                })?,
                bye: match get("", fields, "bye")? {
                    Value::Null => None,
                    value => Some(whole("bye", value)?),
                },
                sets: list("", fields, "sets", |path, value| {
                    let fields = object(path, value, &["value", "players", "bye"])?;
                    let Some(bye) = get(path, fields, "bye")?.as_bool() else {
                        return fault(&format!("{path}.bye"), CertificateShape::Not("true or false"));
                    };
                    Ok(OddSet {
                        value: whole(&format!("{path}.value"), get(path, fields, "value")?)?,
                        players: numbers(path, fields)?,
                        bye,
                    })
                })?,
            }))
        }
        Some(_) => fault("kind", CertificateShape::Not("counting or duals")),
        None => fault("kind", CertificateShape::Missing),
    }
}

fn only(path: &str, fields: &Map<String, Value>, known: &[&str]) -> Read<()> {
    match fields.keys().find(|key| !known.contains(&key.as_str())) {
        Some(unknown) => fault(&format!("{path}.{unknown}"), CertificateShape::Unknown),
        None => Ok(()),
    }
}

fn object<'a>(path: &str, value: &'a Value, known: &[&str]) -> Read<&'a Map<String, Value>> {
    let Some(fields) = value.as_object() else {
        return fault(path, CertificateShape::Not("an object"));
    };
    only(path, fields, known)?;
    Ok(fields)
}

fn get<'a>(path: &str, fields: &'a Map<String, Value>, name: &str) -> Read<&'a Value> {
    match fields.get(name) {
        Some(value) => Ok(value),
        None => fault(&format!("{path}.{name}"), CertificateShape::Missing),
    }
}

fn list<T>(
    path: &str,
    fields: &Map<String, Value>,
    name: &str,
    mut read: impl FnMut(&str, &Value) -> Read<T>,
) -> Read<Vec<T>> {
    let path = format!("{path}.{name}");
    let Some(values) = get("", fields, name)?.as_array() else {
        return fault(&path, CertificateShape::Not("a list"));
    };
    let values = values.iter().enumerate();
    values
        .map(|(at, value)| read(&format!("{path}[{at}]"), value))
        .collect()
}

fn digit(path: &str, fields: &Map<String, Value>) -> Read<(Measure, Option<Score>)> {
    let measure = get(path, fields, "measure")?
        .as_str()
        .and_then(Measure::from_code);
    let Some(measure) = measure else {
        let expected = "what a criterion counts, as in the criteria of an answer";
        return fault(&format!("{path}.measure"), CertificateShape::Not(expected));
    };
    let group = match get(path, fields, "group")? {
        Value::Null => None,
        value => match value.as_i64().and_then(|score| i32::try_from(score).ok()) {
            Some(score) => Some(Score(score)),
            None => return fault(&format!("{path}.group"), CertificateShape::Not("a score or null")),
        },
    };
    Ok((measure, group))
}

fn small(path: &str, fields: &Map<String, Value>, name: &str) -> Read<u32> {
    let number = get(path, fields, name)?
        .as_u64()
        .and_then(|number| u32::try_from(number).ok());
    number.map_or_else(
        || {
            fault(
                &format!("{path}.{name}"),
                CertificateShape::Not("a whole number from 0"),
            )
        },
        Ok,
    )
}

fn whole(path: &str, value: &Value) -> Read<Whole> {
    let whole = value.as_str().and_then(|text| text.parse().ok());
    whole.map_or_else(
        || {
            fault(
                path,
                CertificateShape::Not("a whole number in hexadecimal digits, as a text"),
            )
        },
        Ok,
    )
}

fn numbers(path: &str, fields: &Map<String, Value>) -> Read<Vec<Number>> {
    list_of(path, get(path, fields, "players")?)
}

fn list_of(path: &str, value: &Value) -> Read<Vec<Number>> {
    let path = format!("{path}.players");
    let Some(values) = value.as_array() else {
        return fault(&path, CertificateShape::Not("a list"));
    };
    let values = values.iter().enumerate();
    let number = |(at, value): (usize, &Value)| {
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        number.and_then(Number::new).map_or_else(
            || {
                fault(
                    &format!("{path}[{at}]"),
                    CertificateShape::Not("a number from 1 to 99999"),
                )
            },
            Ok,
        )
    };
    values.map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(number: u32) -> Number {
        Number::new(number).expect("a number")
    }

    fn duals() -> Certificate {
        Certificate::Duals(Duals {
            digits: vec![
                Digit {
                    measure: Measure::FloatsAcross,
                    group: Some(Score(4)),
                    bit: 9,
                    width: 3,
                },
                Digit {
                    measure: Measure::FloatSquares,
                    group: None,
                    bit: 2,
                    width: 7,
                },
            ],
            players: vec![Shared {
                value: Whole::from(-31),
                players: vec![n(1), n(7)],
            }],
            bye: Some(Whole::from(16)),
            sets: vec![OddSet {
                value: Whole::from(4),
                players: vec![n(1), n(7)],
                bye: true,
            }],
        })
    }

    #[test]
    fn what_is_written_is_read() {
        let written = certificate_json(&duals());
        assert_eq!(
            written,
            json!({
                "kind": "duals",
                "digits": [
                    { "measure": "floats", "group": 4, "bit": 9, "width": 3 },
                    { "measure": "float_squares", "group": null, "bit": 2, "width": 7 },
                ],
                "players": [{ "value": "-1f", "players": [1, 7] }],
                "bye": "10",
                "sets": [{ "value": "4", "players": [1, 7], "bye": true }],
            })
        );
        assert_eq!(certificate(&written), Ok(duals()));
        let counting = Certificate::Counting(vec![Least {
            measure: Measure::SameColour,
            group: Some(Score(0)),
            least: 2,
        }]);
        assert_eq!(certificate(&certificate_json(&counting)), Ok(counting));
    }

    #[test]
    fn every_fault_is_named_with_its_place() {
        let told = |change: &dyn Fn(&mut Value)| {
            let mut value = certificate_json(&duals());
            change(&mut value);
            certificate(&value).expect_err("it was changed").to_string()
        };
        for (change, expected) in [
            (
                &(|v: &mut Value| *v = json!([])) as &dyn Fn(&mut Value),
                "certificate: should be an object",
            ),
            (
                &|v| v["kind"] = json!("faith"),
                "kind: should be counting or duals",
            ),
            (&|v| v["more"] = json!(1), "more: is no field of a certificate"),
            (&|v| v["sets"] = json!({}), "sets: should be a list"),
            (
                &|v| v["sets"][0]["players"][1] = json!(0),
                "sets[0].players[1]: should be a number from 1 to 99999",
            ),
            (
                &|v| v["players"][0]["value"] = json!(31),
                "players[0].value: should be a whole number in hexadecimal digits, as a text",
            ),
            (
                &|v| v["digits"][1]["width"] = json!(-1),
                "digits[1].width: should be a whole number from 0",
            ),
            (
                &|v| v["digits"][0]["group"] = json!("4"),
                "digits[0].group: should be a score or null",
            ),
            (
                &|v| v["digits"][0]["measure"] = json!("luck"),
                "digits[0].measure: should be what a criterion counts, as in the criteria of an answer",
            ),
            (
                &|v| {
                    v.as_object_mut().expect("an object").remove("bye");
                },
                "bye: is missing",
            ),
        ] {
            assert_eq!(told(change), expected);
        }
    }
}
