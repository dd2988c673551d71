//! What values of the standings are made of, and why one of two entries stands before the other, as
//! JSON.

use std::cmp::Ordering;

use serde_json::{Value, json};
use tournament::standings::explain::{Counted, Explained, Made, Part, explain, steps, total};
use tournament::standings::{self, Ratio, Standings, VirtualOpponent};
use tournament::tally::Kind;
use tournament::{Number, Outcome, Score, Stage};

use crate::event_file::criterion_json;

fn exact(ratio: Ratio) -> Value {
    standings::Value::Number(ratio).exact().into()
}

fn virtual_opponent(of: VirtualOpponent) -> Value {
    json!({ "before": of.before.0, "left": of.left.0, "later": of.later, "score": of.score() })
}

/// The word for how a part came to its amount.
fn word(counted: Counted) -> &'static str {
    match counted {
        Counted::Start => "start",
        Counted::Carried => "carried",
        Counted::Points => "points",
        Counted::Running => "running",
        Counted::Opponent => "opponent",
        Counted::Share { .. } => "share",
        Counted::OpponentsSum => "opponents_sum",
        Counted::Virtual(_) => "virtual",
        Counted::VirtualShare { .. } => "virtual_share",
        Counted::Win => "win",
        Counted::Warnings => "warnings",
        Counted::Place => "place",
        Counted::Nothing => "nothing",
        Counted::NotYet => "not_yet",
    }
}

fn part(part: &Part) -> Value {
    let game = part.game.map(|game| {
        let kind = match game.kind {
            Kind::Game => "game",
            Kind::Forfeit => "forfeit",
            Kind::Pending => "pending",
            Kind::Bye => "bye",
            Kind::Absent => "absent",
        };
        json!({ "kind": kind, "result": game.outcome.map(Outcome::as_str), "points": game.points.0 })
    });
    let mut value = json!({
        "round": part.game.map(|game| game.round),
        "opponent": part.opponent.map(Number::get),
        "game": game,
        "counted": word(part.counted),
        "amount": exact(part.amount),
        "left_out": part.left_out,
    });
    match part.counted {
        Counted::Share { points, of } => value["share"] = share(points, of),
        Counted::Virtual(of) => value["virtual"] = virtual_opponent(of),
        Counted::VirtualShare { points, of } => {
            value["virtual"] = virtual_opponent(of);
            value["share"] = share(points, of.score());
        }
        _ => {}
    }
    value
}

fn share(points: Score, of: i64) -> Value {
    json!({ "points": points.0, "of": of })
}

fn parts(list: &[Part]) -> Value {
    list.iter().map(part).collect()
}

fn made(made: &Made) -> Value {
    match made {
        Made::Sum(list) => json!({ "kind": "sum", "parts": parts(list), "sum": exact(total(list)) }),
        Made::Total {
            score,
            opponents,
            top,
            rounds,
        } => json!({
            "kind": "total", "score": score.0, "top_score": top.0, "rounds": rounds,
            "parts": parts(opponents), "sum": exact(total(opponents)),
        }),
        Made::Cuts(list) => json!({ "kind": "cuts", "parts": parts(list) }),
        Made::Looks(looks) => {
            let looks = looks.iter().map(|look| {
                let among: Vec<u32> = look.among.iter().map(|number| number.get()).collect();
                json!({
                    "among": among, "all_met": look.all_met, "parts": parts(&look.parts),
                    "sum": look.all_met.then(|| exact(total(&look.parts))),
                })
            });
            json!({ "kind": "looks", "looks": looks.collect::<Vec<_>>() })
        }
        Made::Places(list) => json!({ "kind": "places", "parts": parts(list) }),
        Made::Given(_) => json!({ "kind": "given" }),
    }
}

fn criterion(explained: &Explained) -> Value {
    json!({
        "criterion": criterion_json(explained.criterion),
        "value": explained.value.exact(),
        "printed": explained.value.printed(),
        "made": made(&explained.made),
    })
}

fn placed(stage: &Stage, table: &Standings, number: Number) -> Option<Value> {
    let row = table.row(number)?;
    let name = stage.entry(number).map(|entry| entry.name.as_str());
    Some(json!({ "number": number.get(), "name": name, "place": row.place, "shared": row.shared }))
}

/// What every value of one entry is made of as of round `after`: its `place`, and for each criterion
/// its `value` (exact), the value as it is `printed`, and what it is `made` of: parts that add up to it
/// again. None when no entry has the number.
pub fn explained_json(stage: &Stage, after: u32, number: Number) -> Option<Value> {
    let table = standings::standings(stage, after);
    let mut value = placed(stage, &table, number)?;
    value["after"] = after.into();
    value["provisional"] = table.is_provisional().into();
    value["unplayed"] = table.unplayed.as_str().into();
    value["criteria"] = explain(stage, after, number)?.iter().map(criterion).collect();
    Some(value)
}

/// Why one of two entries stands before the other as of round `after`: the criteria one by one up to
/// the one that decides, with both values; `before` is who stands before, null where the two share a
/// place. None when one of the two is not there.
pub fn compared_json(stage: &Stage, after: u32, (a, b): (Number, Number)) -> Option<Value> {
    let table = standings::standings(stage, after);
    let steps = steps(&table, a, b)?;
    let decided = steps.last().filter(|step| step.ordering.is_ne());
    let before = decided.map(|step| if step.ordering == Ordering::Less { a } else { b });
    let by = |number: Number| {
        decided?;
        explain(stage, after, number)?.get(steps.len() - 1).map(criterion)
    };
    let told = steps.iter().map(|step| {
        let side = |value: &standings::Value| json!({ "value": value.exact(), "printed": value.printed() });
        json!({
            "criterion": criterion_json(step.criterion),
            "a": side(&step.of_a), "b": side(&step.of_b), "decides": step.ordering.is_ne(),
        })
    });
    Some(json!({
        "after": after,
        "provisional": table.is_provisional(),
        "a": placed(stage, &table, a)?,
        "b": placed(stage, &table, b)?,
        "before": before.map(Number::get),
        "steps": told.collect::<Vec<_>>(),
        "deciding": { "a": by(a), "b": by(b) },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    /// Every explanation adds up to the value it explains, and the step that decides is the last one.
    #[test]
    fn parts_add_up_and_the_last_step_decides() {
        let text = include_str!("../tests/samples/every-field.json");
        let stage = read(text.as_bytes()).expect("an event").stage;
        let number = |number| Number::new(number).expect("a number");
        let told = explained_json(&stage, 1, number(1)).expect("an entry");
        assert_eq!((&told["number"], &told["after"]), (&json!(1), &json!(1)));
        let criteria = told["criteria"].as_array().expect("criteria");
        assert_eq!(criteria.len(), stage.ranking.criteria.len());
        assert_eq!(criteria[0]["criterion"], "score");
        for one in criteria.iter().filter(|one| one["made"]["kind"] == "sum") {
            assert_eq!(one["made"]["sum"], one["value"], "{one}");
        }
        assert_eq!(explained_json(&stage, 1, number(77)), None);
        let told = compared_json(&stage, 1, (number(9), number(1))).expect("two entries");
        let steps = told["steps"].as_array().expect("steps");
        let (last, equal) = steps.split_last().expect("a step");
        assert_eq!(last["decides"], true, "{told}");
        assert!(
            equal
                .iter()
                .all(|step| step["decides"] == false && step["a"] == step["b"]),
            "{told}"
        );
        let place = |side: &str| told[side]["place"].as_u64().expect("a place");
        let first = if place("a") < place("b") { "a" } else { "b" };
        assert_eq!(told["before"], told[first]["number"]);
        assert_eq!(told["deciding"]["a"]["value"], last["a"]["value"]);
    }
}
