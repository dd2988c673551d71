//! Writing: a draw to the one text that stands for it.

use serde_json::{Map, Value, json};
use tournament::draw::{Groups, Split, Sum, Word};
use tournament::{Board, Number, Round};

use super::{Content, DrawFile, GroupDraw, NumberDraw, RoundDraw};
use crate::event_file::{OPEN_LEVELS, choices_json, text_of, value as event_value};
use crate::log_file::canonical;

/// The draw as a file, sealed with the sum of its content: the same draw gives the same text.
pub fn write(draw: &DrawFile) -> String {
    let mut content = members(draw);
    let sum = sum(Value::Object(content.clone()));
    content.insert("sum".into(), sum.to_string().into());
    // The event lies one level deeper than in a file of its own.
    text_of(&content.into(), OPEN_LEVELS + 1)
}

/// The sum of a file's content, its own `sum` left out.
pub(super) fn sum(mut content: Value) -> Sum {
    if let Value::Object(members) = &mut content {
        members.shift_remove("sum");
    }
    Sum::of(&canonical(&content))
}

fn members(draw: &DrawFile) -> Map<String, Value> {
    let mut members = Map::new();
    let mut put = |name: &str, value: Value| {
        members.insert(name.to_owned(), value);
    };
    put("format", "tianyuan-draw".into());
    put("version", 1.into());
    put("engine", draw.engine.as_str().into());
    put("event", draw.event.as_str().into());
    put("draw", draw.decides().to_string().into());
    if let Some(promise) = &draw.promise {
        put("commitment", promise.commitment.to_string().into());
        put("secret", promise.secret.to_string().into());
        put("words", promise.words.iter().map(Word::as_str).collect());
    }
    if let Some(seed) = draw.seed {
        put("seed", seed.to_string().into());
    }
    if let Some(log) = &draw.log {
        put("log", log.to_string().into());
    }
    match &draw.content {
        Content::Round(draw) => round(draw, put),
        Content::Numbers(draw) => number_draw(draw, put),
        Content::Groups(draw) => group_draw(draw, put),
    }
    members
}

fn round(draw: &RoundDraw, mut put: impl FnMut(&str, Value)) {
    put("input", event_value(&draw.input));
    if !draw.choices.is_empty() {
        put("choices", choices_json(&draw.choices));
    }
    if let Some(order) = &draw.order {
        put("order", numbers(order));
    }
    if let Some(colours) = &draw.colours {
        put("colours", numbers(colours));
    }
    put("players", draw.players.clone());
    put("table", table(&draw.table));
    put("criteria", draw.criteria.clone());
    if let Some(certificate) = &draw.certificate {
        put("certificate", certificate.clone());
    }
}

fn numbers(numbers: &[Number]) -> Value {
    numbers.iter().map(|number| number.get()).collect()
}

fn table(table: &Round) -> Value {
    let board = |board: &Board| json!({ "board": board.board, "black": board.black.get(), "white": board.white.get() });
    json!({
        "boards": table.boards.iter().map(board).collect::<Vec<_>>(),
        "byes": numbers(&table.byes),
    })
}

fn number_draw(draw: &NumberDraw, mut put: impl FnMut(&str, Value)) {
    put("slots", numbers(&draw.slots));
    let entries = draw.entries.iter().map(|entry| {
        let mut value = Map::new();
        if let Some(name) = &entry.name {
            value.insert("name".into(), name.as_str().into());
        }
        value.insert("seeded".into(), entry.seeded.into());
        value.insert("number".into(), entry.number.get().into());
        Value::from(value)
    });
    put("entries", entries.collect());
}

fn group_draw(draw: &GroupDraw, mut put: impl FnMut(&str, Value)) {
    put("groups", draw.groups.into());
    match draw.split {
        Split::Lots => put("split", "lots".into()),
        Split::Snake { layer } => {
            put("split", "snake".into());
            put("layer", layer.into());
        }
    }
    let entries = draw.entries.iter().map(|entry| {
        let mut value = Map::new();
        if let Some(number) = entry.number {
            value.insert("number".into(), number.get().into());
        }
        if let Some(name) = &entry.name {
            value.insert("name".into(), name.as_str().into());
        }
        value.insert("group".into(), Groups::letter(entry.group).to_string().into());
        Value::from(value)
    });
    put("entries", entries.collect());
}
