//! `/manage/e/{slug}/log`: who did what, when, from what to what, and why.

use std::collections::HashSet;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chrono::DateTime;
use fluent_templates::fluent_bundle::FluentValue;
use interchange::log_file::Broken;
use interchange::record::{standing_said, standing_word};
use rules::Standing;
use serde::Deserialize;
use serde_json::Value;
use store::events::Event;
use store::log::{self, Action, Checked, Filter, LogEntry, Subject};
use store::rounds::{AT_ITS_TIME, NOT_PUBLISHED};
use store::undo::{self, Thing};
use store::{Paging, Tx};
use tournament::{Number, Stage};

use super::pairing_fields::option;
use super::{Fields, change, event_of, locked_even_final, picks, refused, told};
use crate::api::BASE;
use crate::errors::Result;
use crate::extract::{Director, InPath, InQuery, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done, encoded};
use crate::pages::{page, words};
use crate::records::language;
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
    /// The number of the act.
    pub seq: i64,
    /// The number as it is shown; of a run, its first and its last.
    pub seqs: String,
    /// Where all acts of the same person are.
    pub who_href: Option<String>,
    /// Where all acts on the same thing are.
    pub subject_href: Option<String>,
    /// Whether it can be taken back from here, and asks why.
    pub undo: Option<bool>,
}

/// A kind of act to choose.
#[derive(Clone, Debug, Default)]
pub struct KindChoice {
    /// Its word.
    pub word: &'static str,
    /// Its name.
    pub name: String,
    /// Whether it is chosen.
    pub chosen: bool,
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
    /// Where the log is, without a filter.
    pub here: String,
    /// What was asked for.
    pub asked: Asked,
    /// The kinds of acts.
    pub kinds: Vec<KindChoice>,
    /// Whether anything restricts what is shown.
    pub filtered: bool,
    /// Whether runs of the same act are one line.
    pub told: bool,
    /// The same acts in the other order.
    pub turned: String,
    /// The same acts, each for itself or as a story.
    pub otherwise: String,
    /// What went wrong.
    pub problem: Option<ProblemView>,
}

/// Which acts are asked for: fields of a form, empty ones restrict nothing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// Numbered below this one.
    pub before: Option<i64>,
    /// Numbered above this one.
    pub after: Option<i64>,
    /// `oldest` for the first act first.
    pub order: String,
    /// Whether each act has a line of its own, also where many of a kind come together.
    pub all: String,
    /// Of this round.
    pub round: String,
    /// Of this board.
    pub board: String,
    /// Of this player, by number or name.
    pub player: String,
    /// Of this kind.
    pub kind: String,
    /// By this user.
    pub by: String,
    /// Whether the chain is to be followed.
    pub check: String,
}

impl Asked {
    /// What is restricted, or what of it cannot be understood.
    fn filter(&self, t: Language, stage: &Stage) -> Result<Filter, ProblemView> {
        let number = |text: &str| match text.trim() {
            "" => Ok(None),
            text => match text.parse::<u32>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(ProblemView::of(t.with("log-filter-no-number", "found", text))),
            },
        };
        let entry = match self.player.trim() {
            "" => None,
            player => match picks::entry(stage, player) {
                Ok(number) => Some(number),
                Err(wrong) => return Err(ProblemView::of(wrong.told(t).detail)),
            },
        };
        Ok(Filter {
            entry,
            round: number(&self.round)?,
            board: number(&self.board)?,
            action: Action::ALL
                .into_iter()
                .find(|action| action.as_str() == self.kind),
            by: self.by.parse().ok(),
            before: self.before,
            after: self.after,
            oldest_first: self.oldest_first(),
        })
    }

    fn oldest_first(&self) -> bool {
        self.order == "oldest"
    }

    /// Whether runs of one act are told in one line: not where somebody looks at a board or a player.
    fn told(&self) -> bool {
        self.all.is_empty() && self.board.trim().is_empty() && self.player.trim().is_empty()
    }

    fn restricts(&self) -> bool {
        [&self.round, &self.board, &self.player, &self.kind, &self.by]
            .iter()
            .any(|value| !value.trim().is_empty())
    }

    /// The same in an address, with a question mark before it.
    fn address(&self, here: &str) -> String {
        match self.query().strip_prefix('&') {
            Some(query) => format!("{here}?{query}"),
            None => here.to_owned(),
        }
    }

    /// The same restrictions in an address.
    fn query(&self) -> String {
        let mut query = String::new();
        for (name, value) in [
            ("order", &self.order),
            ("all", &self.all),
            ("round", &self.round),
            ("board", &self.board),
            ("player", &self.player),
            ("kind", &self.kind),
            ("by", &self.by),
        ] {
            if !value.trim().is_empty() {
                query.extend(["&", name, "=", &encoded(value.trim())]);
            }
        }
        query
    }
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
            known.map_or_else(|| short(t, text), |key| t.say(&key))
        }
        Value::Array(items) if !items.is_empty() && items.iter().all(|item| pair(item).is_some()) => {
            let pairs = items.iter().filter_map(pair).take(PAIRS).collect::<Vec<_>>();
            let more = if items.len() > PAIRS { " …" } else { "" };
            let pairs = format!("{}{more}", t.list(pairs));
            if items[0].is_array() {
                return pairs;
            }
            let count = t.with("log-boards", "count", items.len());
            format!("{count}{}", t.in_brackets(&pairs))
        }
        Value::Array(items) if items.len() > 12 => t.with("log-items", "count", items.len()),
        Value::Array(items) => t.list(items.iter().map(|item| self::value(t, item))),
        Value::Object(fields) => {
            let said = fields
                .iter()
                .filter(|(name, field)| !field.is_null() && worth_saying(name, field));
            t.parts(
                said.map(|(name, field)| format!("{} {}", field_name(t, name), field_value(t, name, field))),
            )
        }
        Value::Number(number) => number.to_string(),
    }
}

/// A moment as clocks show it, and of a hash as much as people compare: the file of the log has all of it.
fn short(t: Language, text: &str) -> String {
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return words::moment(t, at.to_utc());
    }
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return format!("{}…", &text[..12]);
    }
    text.to_owned()
}

/// A draw as its page calls it.
fn draw(t: Language, text: &str) -> String {
    match text.split_once(' ') {
        Some(("round", round)) => t.with("draw-title-round-promised", "round", round),
        None if text == "numbers" => t.say("draw-title-numbers"),
        None if text == "groups" => t.say("draw-title-groups"),
        _ => text.to_owned(),
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
        ("draw", Value::String(text)) => draw(t, text),
        ("commitments", Value::Object(promised)) => {
            let promised = promised.iter();
            t.list(promised.map(|(of, hash)| format!("{} {}", draw(t, of), self::value(t, hash))))
        }
        ("grade", Value::String(text)) => text
            .parse()
            .map_or_else(|_| text.clone(), |grade| words::grade(t, grade)),
        (
            "order" | "order_by" | "number_order" | "team_avoidance" | "third_colour" | "colours",
            Value::String(word),
        ) => option(t, name, word),
        ("standing", Value::String(word)) => {
            let known = STANDINGS
                .into_iter()
                .find(|standing| standing_word(*standing) == word);
            known.map_or_else(
                || word.clone(),
                |known| standing_said(known, language(t)).to_owned(),
            )
        }
        _ => self::value(t, value),
    }
}

/// What a record can say of a game.
const STANDINGS: [Standing; 7] = [
    Standing::Legal,
    Standing::Illegal,
    Standing::Referee,
    Standing::Uncertain,
    Standing::NoResult,
    Standing::Draw,
    Standing::Replay,
];

/// Whether people write what stands in a field; in a draw of numbers each number has a name.
fn written(field: &str) -> bool {
    [
        "name", "slug", "team", "category", "place", "word", "said_by", "note",
    ]
    .contains(&field)
        || field.parse::<u32>().is_ok()
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
            t.changes(parts)
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

/// A reason: what the server wrote by itself in the reader's language, what people wrote as they
/// wrote it.
fn reason_said(t: Language, reason: &str) -> String {
    match reason {
        AT_ITS_TIME => t.say("log-at-its-time"),
        NOT_PUBLISHED => t.say("log-not-published"),
        written => written.to_owned(),
    }
}

/// A result as a sentence with both players; nothing for other acts.
fn result_said(t: Language, event: &Event, entry: &LogEntry) -> Option<String> {
    let Subject::Board { round, board } = entry.subject else {
        return None;
    };
    if !matches!(
        entry.action,
        Action::ResultEntered | Action::ResultCorrected | Action::ResultCleared
    ) {
        return None;
    }
    let player = |side: &str| {
        let number = entry.after.get(side).or(entry.before.get(side))?.as_u64()?;
        let number = Number::new(u32::try_from(number).ok()?)?;
        Some(words::person(t, &event.stage, number))
    };
    let told = |value: &Value| {
        let part = |name: &str| value.get(name).filter(|part| !part.is_null());
        let parts = ["result", "by", "margin"].into_iter().filter_map(part);
        let parts: Vec<String> = parts.map(|part| self::value(t, part)).collect();
        if parts.is_empty() {
            "–".to_owned()
        } else {
            parts.join(" ")
        }
    };
    let result = match entry.action {
        Action::ResultEntered => told(&entry.after),
        _ => format!("{} → {}", told(&entry.before), told(&entry.after)),
    };
    Some(t.tell(
        "log-result-said",
        &[
            ("round", round.into()),
            ("board", board.into()),
            ("black", player("black")?.into()),
            ("white", player("white")?.into()),
            ("act", t.say(&format!("log-{}", entry.action.as_str())).into()),
            ("result", result.into()),
        ],
    ))
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

/// So many acts of a kind one after another are a run.
const RUN: usize = 4;

/// What comes in many lines that say the same.
fn in_runs(action: Action) -> bool {
    matches!(
        action,
        Action::ResultEntered
            | Action::EntryAdded
            | Action::EntryUpdated
            | Action::EntryHere
            | Action::EntrySitsOut
    )
}

fn round_of(entry: &LogEntry) -> Option<u32> {
    match entry.subject {
        Subject::Round(round) | Subject::Board { round, .. } => Some(round),
        Subject::Event | Subject::Entry(_) => None,
    }
}

/// A run of one act in one line: from when to when, by whom, on how many boards or players.
fn run_line(t: Language, event: &Event, here: &str, run: &[LogEntry]) -> Option<LogLine> {
    let (first, last) = (
        run.iter().min_by_key(|entry| entry.seq)?,
        run.iter().max_by_key(|entry| entry.seq)?,
    );
    let act = t.say(&format!("log-{}", first.action.as_str()));
    let mut who: Vec<&str> = run.iter().map(|entry| entry.actor.name.as_str()).collect();
    who.sort_unstable();
    who.dedup();
    let round = round_of(first);
    let what = match round {
        Some(round) => t.tell(
            "log-run-boards",
            &[
                ("round", round.into()),
                ("act", act.into()),
                ("count", run.len().into()),
            ],
        ),
        None => t.with2("log-run-people", "act", act, "count", run.len()),
    };
    let schedule = &event.schedule;
    let to = words::moment_of(t, schedule, last.at);
    let at = if words::moment_of(t, schedule, first.at) == to {
        to
    } else {
        // The zone is said once.
        let from = words::clock(t, schedule.local(first.at));
        format!("{from} – {to}")
    };
    Some(LogLine {
        at,
        at_exact: first.at.to_rfc3339(),
        who: t.list(who),
        what,
        seq: last.seq,
        seqs: format!("{}–{}", first.seq, last.seq),
        subject_href: Some(format!(
            "{here}?all=1&kind={}{}",
            first.action.as_str(),
            round.map_or_else(String::new, |round| format!("&round={round}"))
        )),
        ..LogLine::default()
    })
}

/// Builds the page.
pub fn view(
    visit: &Visit,
    event: &Event,
    entries: &[LogEntry],
    more: bool,
    checked: Option<&Checked>,
    asked: &Asked,
) -> LogPage {
    let t = visit.t;
    let here = format!("/manage/e/{}/log", event.slug);
    // Only the last act on a thing can be taken back; the store refuses what came before.
    let mut seen = HashSet::new();
    let mut line = |entry: &LogEntry| {
        let thing = Thing::of(entry.action);
        let first = seen.insert((entry.subject, entry.entry, thing)) || thing == Thing::OfItsOwn;
        let last = first && asked.before.is_none() && !asked.oldest_first();
        // In a final event only its opening is an undo that is not refused.
        let open = event.frozen.is_none() || entry.action == Action::EventFrozen;
        let undo = last && open && visit.directs() && undo::can_be_undone(entry.action);
        let said = result_said(t, event, entry);
        LogLine {
            at: words::moment_of(t, &event.schedule, entry.at),
            at_exact: entry.at.to_rfc3339(),
            who: entry.actor.name.clone(),
            change: match entry.action {
                _ if said.is_some() => String::new(),
                // Everything is new: the settings page says what it is.
                Action::EventCreated | Action::EventImported => value(t, &entry.after["name"]),
                _ => difference(t, &entry.before, &entry.after),
            },
            what: said.unwrap_or_else(|| what(t, event, entry)),
            reason: reason_said(t, entry.reason.as_deref().unwrap_or_default()),
            seq: entry.seq,
            seqs: entry.seq.to_string(),
            who_href: entry.actor.user.map(|user| format!("{here}?by={user}")),
            subject_href: match entry.subject {
                Subject::Event => None,
                Subject::Entry(number) => Some(format!("{here}?player={number}")),
                Subject::Round(round) => Some(format!("{here}?round={round}")),
                Subject::Board { round, board } => Some(format!("{here}?round={round}&board={board}")),
            },
            undo: undo.then_some(matches!(
                entry.action,
                Action::RoundPublished | Action::EventUpdated | Action::EventFrozen
            )),
        }
    };
    let told = asked.told();
    let mut lines = Vec::new();
    for run in entries.chunk_by(|one, other| {
        (one.action, round_of(one)) == (other.action, round_of(other)) && in_runs(one.action)
    }) {
        // Each is looked at, so that what came before a run is known not to be the last.
        let each: Vec<LogLine> = run.iter().map(&mut line).collect();
        match run_line(t, event, &here, run).filter(|_| told && run.len() >= RUN) {
            Some(whole) => lines.push(whole),
            None => lines.extend(each),
        }
    }
    let kinds = Action::ALL
        .into_iter()
        .map(|action| KindChoice {
            word: action.as_str(),
            name: t.say(&format!("log-{}", action.as_str())),
            chosen: asked.kind == action.as_str(),
        })
        .collect();
    LogPage {
        t,
        frame: visit.frame_of(event, "log"),
        event_name: event.name.clone(),
        lines,
        sound: checked
            .filter(|checked| checked.broken.is_empty())
            .map(|checked| t.with("log-sound", "acts", checked.acts)),
        broken: checked
            .map(|checked| checked.broken.iter().map(|one| broken(t, one)).collect())
            .unwrap_or_default(),
        file_href: format!("{BASE}/events/{}/log/file", event.id),
        older: entries.last().filter(|_| more).map(|last| {
            let from = if asked.oldest_first() { "after" } else { "before" };
            format!("{here}?{from}={}{}", last.seq, asked.query())
        }),
        filtered: asked.restricts(),
        told,
        turned: Asked {
            order: if asked.oldest_first() { "" } else { "oldest" }.to_owned(),
            ..asked.clone()
        }
        .address(&here),
        otherwise: Asked {
            all: if told { "1" } else { "" }.to_owned(),
            ..asked.clone()
        }
        .address(&here),
        here,
        asked: asked.clone(),
        kinds,
        problem: None,
    }
}

async fn page_of(tx: &mut Tx, visit: &Visit, event: &Event, asked: &Asked) -> Result<LogPage> {
    let filter = match asked.filter(visit.t, &event.stage) {
        Ok(filter) => filter,
        Err(problem) => {
            let mut page = view(visit, event, &[], false, None, asked);
            page.problem = Some(problem);
            return Ok(page);
        }
    };
    // A story has few lines of many acts.
    let limit = if asked.told() {
        Paging::MOST
    } else {
        Paging::default().limit
    };
    let list = log::list(tx, event, filter, Paging { offset: 0, limit }).await?;
    let more = list.total > u64::try_from(list.items.len()).unwrap_or(u64::MAX);
    // The whole chain is long: it is followed when somebody asks for it.
    let checked = if asked.check.is_empty() {
        None
    } else {
        Some(log::check(tx, event).await?)
    };
    Ok(view(visit, event, &list.items, more, checked.as_ref(), asked))
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
    page(&page_of(&mut tx, &visit, &event, &asked).await?)
}

/// Takes an act back.
///
/// # Errors
/// `sign-in-needed`, `not-found`; whatever else the store refuses comes back on the page.
pub async fn take_back(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let mut tx = state.store.begin().await?;
    let mut event = locked_even_final(&mut tx, &slug).await?;
    let seq = fields.get("seq").parse().unwrap_or_default();
    // A mark that needs no language, then what the director says.
    let reason = format!("↶ {seq} {}", fields.get("reason"));
    let change = change(&state, &actor, Some(reason.trim()));
    match undo::undo(&mut tx, &change, &mut event, seq).await {
        Ok(act) => {
            let told = what(t, &event, &act);
            let here = format!("/manage/e/{}/log", event.slug);
            tx.commit().await?;
            Ok(done(&here, &t.with2("log-undone", "seq", seq, "what", told)))
        }
        Err(error) => {
            drop(tx);
            let problem = told(error.into(), t)?;
            let mut tx = state.store.snapshot().await?;
            let event = event_of(&mut tx, &slug).await?;
            let mut view = page_of(&mut tx, &visit, &event, &Asked::default()).await?;
            view.problem = Some(problem);
            refused(&view)
        }
    }
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
        let record = told(json!(null), json!({"standing": "legal", "version": 1}));
        assert!(record.contains("合法") && !record.contains("legal"), "{record}");
        let word = told(json!(null), json!({"draw": "round 5", "word": "round 5"}));
        assert!(word.contains("第5轮抽签") && word.contains("round 5"), "{word}");
    }

    #[test]
    fn moments_and_hashes_are_told_as_people_read_them() {
        let told = |after| difference(Language::English, &json!(null), &after);
        let hash = "0123456789abcdef".repeat(4);
        let promised = told(json!({"commitments": {"round 2": hash}}));
        assert!(
            promised.contains("The draw of round 2 0123456789ab…"),
            "{promised}"
        );
        let until = told(json!({"until": "2026-12-07T11:59:39.971509Z"}));
        assert!(!until.contains("T11") && until.contains("Dec"), "{until}");
    }
}
