//! `/manage/e/{slug}/log`: who did what, when, from what to what, and why.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use fluent_templates::fluent_bundle::FluentValue;
use interchange::log_file::Broken;
use serde::Deserialize;
use serde_json::Value;
use store::Paging;
use store::events::Event;
use store::log::{self, Action, Checked, Filter, LogEntry, Subject};

use super::event_of;
use super::pairing_fields::option;
use crate::api::BASE;
use crate::errors::Result;
use crate::extract::{InPath, InQuery, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::{page, words};
use crate::state::AppState;

/// One act.
#[derive(Clone, Debug, Default)]
pub struct LogLine {
    /// When.
    pub at: String,
    /// When, for programs.
    pub at_exact: String,
    /// Who.
    pub who: String,
    /// What was done.
    pub what: String,
    /// From what to what.
    pub change: String,
    /// Why.
    pub reason: String,
}

/// The log of an event.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/log.html")]
pub struct LogPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// The acts, the latest first.
    pub lines: Vec<LogLine>,
    /// Where older ones are.
    pub older: Option<String>,
    /// That the chain holds.
    pub sound: Option<String>,
    /// What does not hold in it.
    pub broken: Vec<String>,
    /// Where the whole log is as a file.
    pub file_href: String,
}

/// From which act on.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    before: Option<i64>,
}

/// A value in a few words: what is long is counted, not listed.
fn value(t: Language, value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(yes) => t.say(if *yes { "yes" } else { "no" }),
        Value::String(text) => {
            let known = ["outcome", "by", "criterion", "rules", "order", "log-value"]
                .into_iter()
                .map(|family| format!("{family}-{text}"))
                .find(|key| t.knows(key));
            known.map_or_else(|| text.clone(), |key| t.say(&key))
        }
        Value::Array(items) if !items.is_empty() && items.iter().all(|item| pair(item).is_some()) => {
            let pairs = items.iter().filter_map(pair).take(PAIRS).collect::<Vec<_>>();
            let more = if items.len() > PAIRS { " …" } else { "" };
            let pairs = format!("{}{more}", pairs.join(", "));
            if items[0].is_array() {
                return pairs;
            }
            format!("{} ({pairs})", t.with("log-boards", "count", items.len()))
        }
        Value::Array(items) if items.len() > 12 => t.with("log-items", "count", items.len()),
        Value::Array(items) => t.list(items.iter().map(|item| self::value(t, item))),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, field)| !field.is_null() && worth_saying(name, field))
            .map(|(name, field)| format!("{} {}", field_name(t, name), field_value(t, name, field)))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Number(number) => number.to_string(),
    }
}

/// How many boards of a table are named; the round's page has them all.
const PAIRS: usize = 8;

/// A board as the two numbers on it, Black first; or a pair of numbers.
fn pair(board: &Value) -> Option<String> {
    if let [one, other] = board.as_array().map(Vec::as_slice).unwrap_or_default() {
        return Some(format!("{}–{}", one.as_u64()?, other.as_u64()?));
    }
    Some(format!(
        "{}–{}",
        board.get("black")?.as_u64()?,
        board.get("white")?.as_u64()?
    ))
}

/// What the pairing reached is on the round's page; nobody absent and nothing confirmed is no news.
fn worth_saying(name: &str, value: &Value) -> bool {
    match (name, value) {
        ("criteria" | "notes", Value::Object(_)) | ("notes", _) => false,
        ("confirmed", Value::Object(confirmed)) => {
            confirmed.values().any(|value| *value == Value::Bool(true))
        }
        (_, Value::Array(items)) => !items.is_empty(),
        _ => true,
    }
}

fn field_name(t: Language, name: &str) -> String {
    let key = format!("log-field-{}", name.replace('_', "-"));
    if t.knows(&key) {
        t.say(&key)
    } else {
        name.to_owned()
    }
}

/// A value as its field is written elsewhere: a grade as 5段, not 5d; and what people have written
/// as they wrote it, even where it is a word of the event file too.
fn field_value(t: Language, name: &str, value: &Value) -> String {
    match (name, value) {
        (name, Value::String(text)) if written(name) => text.clone(),
        ("grade", Value::String(text)) => text
            .parse()
            .map_or_else(|_| text.clone(), |grade| words::grade(t, grade)),
        (
            "order" | "order_by" | "number_order" | "team_avoidance" | "third_colour" | "colours",
            Value::String(word),
        ) => option(t, name, word),
        _ => self::value(t, value),
    }
}

/// Whether people write what stands in a field; in a draw of numbers each number has a name.
fn written(field: &str) -> bool {
    ["name", "slug", "team", "category", "place"].contains(&field) || field.parse::<u32>().is_ok()
}

/// From what to what: only the fields that differ.
fn difference(t: Language, before: &Value, after: &Value) -> String {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            let mut names: Vec<&String> = old.keys().collect();
            names.extend(new.keys().filter(|name| !old.contains_key(*name)));
            let nothing = Value::Null;
            // What a table reached stands on the round's page, in words.
            names.retain(|name| *name != "criteria");
            let parts = names.into_iter().filter_map(|name| {
                let (old, new) = (
                    old.get(name).unwrap_or(&nothing),
                    new.get(name).unwrap_or(&nothing),
                );
                (old != new).then(|| {
                    let (old, new) = (field_value(t, name, old), field_value(t, name, new));
                    format!("{} {old} → {new}", field_name(t, name))
                })
            });
            parts.collect::<Vec<_>>().join("; ")
        }
        (Value::Null, after) => value(t, after),
        (before, Value::Null) => format!("{} → –", value(t, before)),
        (before, after) => format!("{} → {}", value(t, before), value(t, after)),
    }
}

fn what(t: Language, event: &Event, entry: &LogEntry) -> String {
    let act = t.say(&format!("log-{}", entry.action.as_str()));
    let subject = match entry.subject {
        Subject::Event => return act,
        // Who had this number then: numbers drawn by lot since have given it to somebody else.
        Subject::Entry(number) => match entry.after["name"].as_str().or(entry.before["name"].as_str()) {
            Some(name) => t.with2("person", "number", number.get(), "name", name),
            None => words::person(t, &event.stage, number),
        },
        Subject::Round(round) => t.with("round-n", "round", round),
        Subject::Board { round, board } => t.with2("board-of-round", "round", round, "board", board),
    };
    t.with2("log-act", "subject", subject, "act", act)
}

/// What does not hold in the chain.
fn broken(t: Language, broken: &Broken) -> String {
    let args: Vec<(&'static str, FluentValue<'static>)> = match broken {
        Broken::Gap { after, found } => vec![("after", (*after).into()), ("found", (*found).into())],
        Broken::Changed { seq } => vec![("seq", (*seq).into())],
        Broken::EndMissing { last, seq } => vec![("last", (*last).into()), ("seq", (*seq).into())],
        Broken::OtherHead { seq, found, known } => vec![
            ("seq", (*seq).into()),
            ("found", found.short().into()),
            ("known", known.chars().take(12).collect::<String>().into()),
        ],
    };
    t.tell(&format!("log-broken-{}", broken.code()), &args)
}

/// Builds the page.
pub fn view(
    visit: &Visit,
    event: &Event,
    entries: &[LogEntry],
    more: bool,
    checked: Option<&Checked>,
) -> LogPage {
    let t = visit.t;
    LogPage {
        t,
        frame: visit.frame_of(event, "log"),
        event_name: event.name.clone(),
        lines: entries
            .iter()
            .map(|entry| LogLine {
                at: words::moment(t, entry.at),
                at_exact: entry.at.to_rfc3339(),
                who: entry.actor.name.clone(),
                what: what(t, event, entry),
                change: match entry.action {
                    // Everything is new: the settings page says what it is.
                    Action::EventCreated | Action::EventImported => value(t, &entry.after["name"]),
                    _ => difference(t, &entry.before, &entry.after),
                },
                reason: entry.reason.clone().unwrap_or_default(),
            })
            .collect(),
        sound: checked
            .filter(|checked| checked.broken.is_empty())
            .map(|checked| t.with("log-sound", "acts", checked.acts)),
        broken: checked
            .map(|checked| checked.broken.iter().map(|one| broken(t, one)).collect())
            .unwrap_or_default(),
        file_href: format!("{BASE}/events/{}/log/file", event.id),
        older: entries
            .last()
            .filter(|_| more)
            .map(|last| format!("/manage/e/{}/log?before={}", event.slug, last.seq)),
    }
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let filter = Filter {
        before: asked.before,
        ..Filter::default()
    };
    let list = log::list(&mut tx, &event, filter, Paging::default()).await?;
    let more = list.total > u64::try_from(list.items.len()).unwrap_or(u64::MAX);
    // Every visit to the first page follows the whole chain: whoever opens the log wants to trust it.
    let checked = match asked.before {
        None => Some(log::check(&mut tx, &event).await?),
        Some(_) => None,
    };
    page(&view(&visit, &event, &list.items, more, checked.as_ref()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_that_is_also_a_word_of_the_file_stays_a_name() {
        let told = |before, after| difference(Language::Chinese, &before, &after);
        let renamed = told(json!({"name": "black"}), json!({"name": "time"}));
        assert!(renamed.contains("black → time"), "{renamed}");
        let entered = told(json!({"result": null}), json!({"result": "black"}));
        assert!(!entered.contains("black"), "{entered}");
    }
}
