//! Writing: an event to the one text that stands for it.

use serde_json::{Map, Value, json};
use tournament::{
    Awards, Board, Choices, Criterion, Entry, Number, PairingSettings, Ranking, Round, Side, Stage,
};

use chrono::SecondsFormat;

use super::circumstances::LOCAL_TIME;
use super::words;
use super::{EventFile, RecordSettings, TableFacts};

/// The event as a file: the same event gives the same text, and [`read`](super::read) gives the
/// event back. The settings that every event has a view on are always written out, the others where
/// they differ from the default; of entries, rounds and boards only what is there. Every entry and
/// every board has a line.
pub fn write(file: &EventFile) -> String {
    text_of(&value(file), OPEN_LEVELS)
}

/// A value as a text that people can read: down to level `open` every value has lines of its own.
pub(crate) fn text_of(value: &Value, open: usize) -> String {
    let mut text = String::new();
    print(value, 0, open, &mut text);
    text.push('\n');
    text
}

/// The event as the value of its file.
pub(crate) fn value(file: &EventFile) -> Value {
    let stage = &file.stage;
    let mut event = Map::new();
    event.insert("name".into(), file.name.as_str().into());
    if let Some(place) = &file.place {
        event.insert("place".into(), place.as_str().into());
    }
    if let Some(day) = file.starts_on {
        event.insert("starts_on".into(), day.to_string().into());
    }
    let around = &file.circumstances;
    if let Some(zone) = around.zone {
        event.insert("time_zone".into(), zone.name().into());
    }
    if !around.starts.is_empty() {
        let starts = around
            .starts
            .iter()
            .map(|(round, at)| json!({ "round": round, "at": at.format(LOCAL_TIME).to_string() }));
        event.insert("round_starts".into(), starts.collect());
    }
    for (name, is) in [("hidden", around.hidden), ("final", around.is_final)] {
        if is {
            event.insert(name.into(), true.into());
        }
    }
    let mut results = Map::new();
    for (name, is) in [
        ("by_two", around.results_by_two),
        ("from_players", around.results_from_players),
    ] {
        if is {
            results.insert(name.into(), true.into());
        }
    }
    if !results.is_empty() {
        event.insert("results".into(), results.into());
    }
    event.insert("rounds".into(), stage.rounds_planned.into());
    event.insert("first_round".into(), stage.first_round.into());
    event.insert("system".into(), words::system(stage.format).into());
    event.insert("rules".into(), file.rules.slug().into());
    event.insert("komi".into(), file.komi.to_string().into());
    event.insert("pairing".into(), pairing(stage));
    ranking(&stage.ranking, &mut event);
    if file.records != RecordSettings::default() {
        event.insert("records".into(), records(file.records));
    }
    if let Value::Object(awards) = awards_json(&file.awards) {
        event.extend(awards);
    }
    json!({
        "format": "tianyuan-event",
        "version": 1,
        "event": event,
        "entries": stage.entries.iter().map(entry).collect::<Vec<_>>(),
        "rounds": stage
            .rounds
            .iter()
            .map(|table| round(table, around.tables.get(&table.round)))
            .collect::<Vec<_>>(),
    })
}

/// Promotion and prizes as they stand in `event`: `promotion` and `prizes`, each only where it differs
/// from nothing at all.
pub fn awards_json(awards: &Awards) -> Value {
    let mut value = Map::new();
    let (promotion, prizes) = (&awards.promotion, &awards.prizes);
    if *promotion != tournament::Promotion::default() {
        let by_wins = promotion.by_wins.iter().map(|line| {
            json!({
                "from": line.from.to_string(), "wins": line.wins, "games": line.games,
                "to": line.to.to_string(),
            })
        });
        let by_place = promotion.by_place.iter().map(|line| {
            let mut value = Map::new();
            if let Some(category) = &line.category {
                value.insert("category".into(), category.as_str().into());
            }
            value.insert("percent".into(), line.percent.into());
            value.insert("to".into(), line.to.to_string().into());
            Value::Object(value)
        });
        value.insert(
            "promotion".into(),
            json!({
                "byes_count": promotion.byes_count,
                "by_wins": by_wins.collect::<Vec<_>>(),
                "by_place": by_place.collect::<Vec<_>>(),
            }),
        );
    }
    if *prizes != tournament::Prizes::default() {
        let list = prizes.list.iter().map(|prize| {
            let mut value = Map::new();
            value.insert("name".into(), prize.name.as_str().into());
            if let Some(category) = &prize.category {
                value.insert("category".into(), category.as_str().into());
            }
            value.insert("count".into(), prize.count.into());
            Value::Object(value)
        });
        value.insert(
            "prizes".into(),
            json!({ "double": prizes.double, "list": list.collect::<Vec<_>>() }),
        );
    }
    value.into()
}

fn records(records: RecordSettings) -> Value {
    let default = RecordSettings::default();
    let mut value = Map::new();
    if records.board_size != default.board_size {
        value.insert("board_size".into(), records.board_size.into());
    }
    if let Some(repetition) = records.repetition {
        value.insert("repetition".into(), repetition.as_str().into());
    }
    if records.from_players {
        value.insert("from_players".into(), true.into());
    }
    value.into()
}

fn pairing(stage: &Stage) -> Value {
    let pairing = &stage.pairing;
    let default = PairingSettings::default();
    let mut value = Map::new();
    value.insert("order".into(), pairing.order.as_str().into());
    if pairing.order_by != default.order_by {
        value.insert("order_by".into(), pairing.order_by.as_str().into());
    }
    value.insert("number_order".into(), pairing.number_order.as_str().into());
    value.insert("avoid_team_rounds".into(), pairing.avoid_team_rounds.into());
    if pairing.team_avoidance != default.team_avoidance {
        value.insert("team_avoidance".into(), pairing.team_avoidance.as_str().into());
    }
    insert_pairs(&mut value, "forbidden_pairs", &pairing.forbidden_pairs);
    insert_pairs(&mut value, "unwanted_pairs", &pairing.unwanted_pairs);
    if pairing.third_colour != default.third_colour {
        value.insert("third_colour".into(), pairing.third_colour.as_str().into());
    }
    if pairing.colours != default.colours {
        value.insert("colours".into(), pairing.colours.as_str().into());
    }
    value.insert("bye_score".into(), pairing.bye_score.0.into());
    value.insert("absent_score".into(), pairing.absent_score.0.into());
    value.insert(
        "forfeits_may_meet_again".into(),
        pairing.forfeits_may_meet_again.into(),
    );
    value.insert(
        "avoid_repeated_floats".into(),
        pairing.avoid_repeated_floats.into(),
    );
    if let Some(score) = pairing.stop_at {
        value.insert("stop_at".into(), score.0.into());
    }
    value.into()
}

fn insert_pairs(value: &mut Map<String, Value>, name: &str, pairs: &[(Number, Number)]) {
    if !pairs.is_empty() {
        let pairs = pairs.iter().map(|(one, other)| json!([one.get(), other.get()]));
        value.insert(name.into(), pairs.collect());
    }
}

fn numbers(numbers: &[Number]) -> Value {
    numbers.iter().map(|number| number.get()).collect()
}

fn ranking(ranking: &Ranking, event: &mut Map<String, Value>) {
    event.insert(
        "ranking".into(),
        ranking.criteria.iter().copied().map(criterion_json).collect(),
    );
    event.insert("unplayed".into(), ranking.unplayed.as_str().into());
    if !ranking.lots.is_empty() {
        let lots = ranking
            .lots
            .iter()
            .map(|(number, lot)| json!({ "number": number.get(), "lot": lot }));
        event.insert("lots".into(), lots.collect());
    }
}

/// A criterion as it stands in `ranking`: its word, or an object where it has counts of its own.
pub(crate) fn criterion_json(criterion: Criterion) -> Value {
    match criterion {
        Criterion::OpponentsScoreCut { low, high } if (low, high) != (1, 1) => {
            json!({ "opponents_score_cut": { "low": low, "high": high } })
        }
        other => other.as_str().into(),
    }
}

fn entry(entry: &Entry) -> Value {
    let mut value = Map::new();
    value.insert("number".into(), entry.number.get().into());
    value.insert("name".into(), entry.name.as_str().into());
    if entry.name_withheld {
        value.insert("name_withheld".into(), true.into());
    }
    if let Some(team) = &entry.team {
        value.insert("team".into(), team.as_str().into());
    }
    if let Some(grade) = entry.grade {
        value.insert("grade".into(), grade.to_string().into());
    }
    if let Some(rating) = entry.rating {
        value.insert("rating".into(), rating.into());
    }
    if let Some(category) = &entry.category {
        value.insert("category".into(), category.as_str().into());
    }
    if entry.start_score.0 != 0 {
        value.insert("start_score".into(), entry.start_score.0.into());
    }
    if !entry.absent_rounds.is_empty() {
        value.insert("absent_rounds".into(), entry.absent_rounds.clone().into());
    }
    if !entry.bye_rounds.is_empty() {
        value.insert("bye_rounds".into(), entry.bye_rounds.clone().into());
    }
    if let Some(round) = entry.withdrawn_after {
        value.insert("withdrawn_after".into(), round.into());
    }
    if let Some(carried) = &entry.carried {
        let mut what = Map::new();
        what.insert("score".into(), carried.score.0.into());
        if let Some(side) = carried.balance_side() {
            let word = match side {
                Side::White => "white",
                Side::Black => "black",
            };
            what.insert("balance".into(), word.into());
            what.insert("balance_size".into(), carried.balance.unsigned_abs().into());
        }
        what.insert("met".into(), numbers(&carried.met));
        value.insert("carried".into(), what.into());
    }
    value.into()
}

fn round(round: &Round, facts: Option<&TableFacts>) -> Value {
    let mut value = Map::new();
    value.insert("round".into(), round.round.into());
    value.insert("boards".into(), round.boards.iter().map(board).collect());
    value.insert("byes".into(), numbers(&round.byes));
    value.insert("absent".into(), numbers(&round.absent));
    if !round.choices.is_empty() {
        value.insert("choices".into(), choices_json(&round.choices));
    }
    if let Some(seed) = round.seed {
        value.insert("seed".into(), seed.to_string().into());
    }
    if let Some(facts) = facts {
        table_facts(facts, &mut value);
    }
    value.into()
}

/// What is known of a round beside its table, where it differs from the default.
fn table_facts(facts: &TableFacts, value: &mut Map<String, Value>) {
    if let Some(at) = facts.published_at {
        let at = at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
        value.insert("published_at".into(), at.into());
    }
    if facts.edition != 1 {
        value.insert("edition".into(), facts.edition.into());
    }
    if facts.by_hand {
        value.insert("by_hand".into(), true.into());
    }
    if !facts.earlier_results.is_empty() {
        let earlier = facts.earlier_results.iter().map(|earlier| {
            let result = earlier.result.map(tournament::Outcome::as_str);
            json!({ "round": earlier.round, "board": earlier.board, "result": result })
        });
        value.insert("earlier_results".into(), earlier.collect());
    }
}

/// What was fixed before a round was paired, as far as something was.
pub(crate) fn choices_json(choices: &Choices) -> Value {
    let mut value = Map::new();
    insert_pairs(&mut value, "pairs", &choices.pairs);
    insert_pairs(&mut value, "apart", &choices.apart);
    for (name, list) in [("byes", &choices.byes), ("sitting_out", &choices.sitting_out)] {
        if !list.is_empty() {
            value.insert(name.into(), numbers(list));
        }
    }
    value.into()
}

fn board(board: &Board) -> Value {
    let mut value = Map::new();
    value.insert("board".into(), board.board.into());
    value.insert("black".into(), board.black.get().into());
    value.insert("white".into(), board.white.get().into());
    if board.nigiri {
        value.insert("nigiri".into(), true.into());
    }
    value.insert(
        "result".into(),
        board.result.map(tournament::Outcome::as_str).into(),
    );
    if let Some(by) = board.by {
        value.insert("by".into(), by.as_str().into());
    }
    if let Some(margin) = board.margin {
        value.insert("margin".into(), margin.to_string().into());
    }
    if board.warnings != tournament::Warnings::default() {
        let warnings = json!({ "black": board.warnings.black, "white": board.warnings.white });
        value.insert("warnings".into(), warnings);
    }
    value.into()
}

/// The deepest level at which every value gets lines of its own: file, event or list of entries,
/// settings or one round.
pub(crate) const OPEN_LEVELS: usize = 4;

fn print(value: &Value, level: usize, open: usize, text: &mut String) {
    let indent = |level: usize, text: &mut String| {
        text.push('\n');
        (0..level).for_each(|_| text.push_str("  "));
    };
    match value {
        Value::Object(fields) if level < open && opens(value) => {
            text.push('{');
            for (index, (name, value)) in fields.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                indent(level + 1, text);
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push_str(": ");
                print(value, level + 1, open, text);
            }
            indent(level, text);
            text.push('}');
        }
        Value::Array(items) if level < open && opens(value) => {
            text.push('[');
            for (index, value) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                indent(level + 1, text);
                print(value, level + 1, open, text);
            }
            indent(level, text);
            text.push(']');
        }
        Value::Object(fields) => {
            text.push('{');
            for (index, (name, value)) in fields.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push_str(": ");
                print(value, open, open, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (index, value) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                print(value, open, open, text);
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

/// Whether a value is spread over lines: the file, the event, and every list or object that holds
/// more than plain values, except a single entry.
fn opens(value: &Value) -> bool {
    let holds_more = |value: &Value| value.is_array() || value.is_object();
    match value {
        Value::Object(fields) => !fields.contains_key("number") && fields.values().any(holds_more),
        Value::Array(items) => items.iter().any(holds_more),
        _ => false,
    }
}
