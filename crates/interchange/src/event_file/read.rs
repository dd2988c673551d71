//! Reading: bytes to an event without a fault, or to the list of every fault.
//!
//! A value that cannot be read leaves a stand-in, so that the rest of the file is still judged;
//! faults that only come from a stand-in are not reported.

use std::collections::{BTreeMap, HashSet};

use chrono::{Datelike as _, TimeZone as _};
use chrono_tz::Tz;
use rules::{Komi, OnRepetition, RuleSet, Size, Unit};
use tournament::draw::Seed;
use tournament::prizes::{PRIZE_COUNT_LIMIT, PRIZES_LIMIT};
use tournament::promotion::{ByPlace, ByWins, From, To};
use tournament::validate::{self, FaultKind, ROUNDS_LIMIT};
use tournament::{
    Awards, Board, Carried, Choices, Colours, Criterion, Entry, Number, NumberOrder, OrderBy, PairingOrder,
    PairingSettings, Prize, Prizes, Promotion, Ranking, Round, Score, Side, Stage, TeamAvoidance,
    ThirdColour, Unplayed, Warnings,
};

use super::circumstances::{LOCAL_TIME, local_time, moment};
use super::words;
use super::{
    Circumstances, Date, EarlierResult, EventFile, Place, Problem, ProblemKind, RecordSettings, TableFacts,
};
use crate::json::{self, Field, Node, Position, Value};

/// How many faults are listed before the rest is only counted.
pub const PROBLEMS_LIMIT: usize = 1_000;

/// The fields of each object of the file; the JSON Schema is held to them by a test.
pub(crate) mod fields {
    pub(crate) const FILE: &[&str] = &["format", "version", "event", "entries", "rounds"];
    pub(crate) const EVENT: &[&str] = &[
        "name",
        "place",
        "starts_on",
        "time_zone",
        "round_starts",
        "hidden",
        "final",
        "results",
        "rounds",
        "first_round",
        "system",
        "rules",
        "komi",
        "pairing",
        "ranking",
        "unplayed",
        "lots",
        "records",
        "promotion",
        "prizes",
    ];
    pub(crate) const RESULTS: &[&str] = &["by_two", "from_players"];
    pub(crate) const ROUND_START: &[&str] = &["round", "at"];
    pub(crate) const PROMOTION: &[&str] = &["byes_count", "by_wins", "by_place"];
    pub(crate) const BY_WINS: &[&str] = &["from", "wins", "games", "to"];
    pub(crate) const BY_PLACE: &[&str] = &["category", "percent", "to"];
    pub(crate) const PRIZES: &[&str] = &["double", "list"];
    pub(crate) const PRIZE: &[&str] = &["name", "category", "count"];
    pub(crate) const RECORDS: &[&str] = &["board_size", "repetition", "from_players"];
    pub(crate) const PAIRING: &[&str] = &[
        "order",
        "order_by",
        "number_order",
        "avoid_team_rounds",
        "team_avoidance",
        "forbidden_pairs",
        "unwanted_pairs",
        "third_colour",
        "colours",
        "bye_score",
        "absent_score",
        "forfeits_may_meet_again",
        "avoid_repeated_floats",
        "stop_at",
    ];
    pub(crate) const CUT: &[&str] = &["opponents_score_cut"];
    pub(crate) const CUT_COUNTS: &[&str] = &["low", "high"];
    pub(crate) const LOT: &[&str] = &["number", "lot"];
    pub(crate) const ENTRY: &[&str] = &[
        "number",
        "name",
        "name_withheld",
        "team",
        "grade",
        "rating",
        "category",
        "start_score",
        "absent_rounds",
        "bye_rounds",
        "withdrawn_after",
        "carried",
    ];
    pub(crate) const CARRIED: &[&str] = &["score", "balance", "balance_size", "met"];
    pub(crate) const ROUND: &[&str] = &[
        "round",
        "boards",
        "byes",
        "absent",
        "choices",
        "seed",
        "published_at",
        "edition",
        "by_hand",
        "earlier_results",
    ];
    pub(crate) const EARLIER: &[&str] = &["round", "board", "result"];
    pub(crate) const CHOICES: &[&str] = &["pairs", "apart", "byes", "sitting_out"];
    pub(crate) const BOARD: &[&str] = &[
        "board", "black", "white", "nigiri", "result", "by", "margin", "warnings",
    ];
    pub(crate) const WARNINGS: &[&str] = &["black", "white"];
}

/// Reads an event file.
///
/// # Errors
/// Every [`Problem`] of the file, in the order of the file: at most [`PROBLEMS_LIMIT`] of them and a
/// last one with the number of the rest. Bytes that are no JSON give exactly one.
pub fn read(bytes: &[u8]) -> Result<EventFile, Vec<Problem>> {
    let root = json::parse(bytes).map_err(|(at, syntax)| {
        vec![Problem {
            path: String::new(),
            line: at.line,
            column: at.column,
            place: Place::default(),
            kind: ProblemKind::Syntax(syntax),
        }]
    })?;
    of_node(&root)
}

/// Reads promotion and prizes as [`awards_json`](super::awards_json) writes them.
///
/// # Errors
/// Every [`Problem`].
pub fn read_awards(bytes: &[u8]) -> Result<Awards, Vec<Problem>> {
    let syntax = |(at, syntax): (Position, _)| {
        vec![Problem {
            path: String::new(),
            line: at.line,
            column: at.column,
            place: Place::default(),
            kind: ProblemKind::Syntax(syntax),
        }]
    };
    let root = json::parse(bytes).map_err(syntax)?;
    let mut reader = Reader::new(&root);
    let object = reader.object(&root, "event", &["promotion", "prizes"]);
    let awards = object.map(|object| reader.awards(&object)).unwrap_or_default();
    if reader.is_clean() {
        Ok(awards)
    } else {
        Err(reader.into_problems(&root))
    }
}

/// An event file that is a value of its own or stands inside another file.
pub(crate) fn of_node(root: &Node) -> Result<EventFile, Vec<Problem>> {
    let mut reader = Reader::new(root);
    let file = reader.file(root);
    reader.whole(&file.stage, root);
    if reader.problems.is_empty() {
        Ok(file)
    } else {
        Err(reader.into_problems(root))
    }
}

pub(crate) struct Reader {
    problems: Vec<Problem>,
    /// Paths of what could not be read.
    unread: HashSet<String>,
    /// Faults that were found after the limit.
    uncounted: usize,
    /// Numbers that entries have: no stand-in may look like one of them.
    taken: HashSet<u32>,
    /// The number of the last stand-in.
    stand_in: u32,
    /// Whether the ranking has a stand-in: then nobody can say whether a criterion stands twice.
    ranking_unread: bool,
    /// Whether an entry has a stand-in for its number: then nobody can say which numbers are unknown.
    entries_unread: bool,
    /// Whether the round that comes first could not be read.
    first_round_unread: bool,
}

impl Reader {
    pub(crate) fn new(root: &Node) -> Self {
        Self {
            problems: Vec::new(),
            unread: HashSet::new(),
            uncounted: 0,
            taken: names(root).into_keys().collect(),
            stand_in: Number::MAX,
            ranking_unread: false,
            entries_unread: false,
            first_round_unread: false,
        }
    }

    fn problem(&mut self, at: Position, path: impl Into<String>, kind: ProblemKind) {
        let path = path.into();
        if self.problems.len() < PROBLEMS_LIMIT {
            let place = Place::default();
            self.problems.push(Problem {
                path,
                line: at.line,
                column: at.column,
                place,
                kind,
            });
        } else {
            self.uncounted += 1;
        }
    }

    /// A problem that left a stand-in.
    fn unread(&mut self, at: Position, path: impl Into<String>, kind: ProblemKind) {
        let path = path.into();
        self.unread.insert(path.clone());
        self.problem(at, path, kind);
    }

    /// Whether nothing has been found so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// A number for something that could not be read.
    fn next_stand_in(&mut self) -> Number {
        for _ in 0..Number::MAX {
            self.stand_in = if self.stand_in > 1 {
                self.stand_in - 1
            } else {
                Number::MAX
            };
            if !self.taken.contains(&self.stand_in) {
                break;
            }
        }
        Number::new(self.stand_in).expect("counts down inside the range of numbers")
    }
}

/// An object of the file whose fields have been checked for being known.
pub(crate) struct Object<'a> {
    pub(crate) at: Position,
    path: String,
    fields: &'a [Field],
}

impl<'a> Object<'a> {
    /// A field that has a value; null is none.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Node> {
        self.fields
            .iter()
            .find(|field| &*field.name == name)
            .map(|field| &field.node)
            .filter(|node| node.value != Value::Null)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        join(&self.path, name)
    }
}

fn join(path: &str, name: &str) -> String {
    let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match (path, plain) {
        ("", true) => name.to_owned(),
        (_, true) => format!("{path}.{name}"),
        (_, false) => format!("{path}[{name:?}]"),
    }
}

/// Values of the file, each from a node that is there.
impl Reader {
    pub(crate) fn object<'a>(&mut self, node: &'a Node, path: &str, known: &[&str]) -> Option<Object<'a>> {
        let Value::Object(fields) = &node.value else {
            self.wrong_type(node, path, "an object");
            return None;
        };
        let mut seen = HashSet::new();
        for field in fields {
            if !seen.insert(&field.name) {
                self.problem(
                    field.at,
                    join(path, &field.name),
                    ProblemKind::DuplicateField((*field.name).into()),
                );
            } else if !known.contains(&&*field.name) {
                let (field_name, known) = ((*field.name).into(), known.join(", "));
                let kind = ProblemKind::UnknownField {
                    field: field_name,
                    known,
                };
                self.problem(field.at, join(path, &field.name), kind);
            }
        }
        Some(Object {
            at: node.at,
            path: path.to_owned(),
            fields,
        })
    }

    fn wrong_type(&mut self, node: &Node, path: &str, expected: &'static str) {
        let found = node.value.kind();
        self.unread(node.at, path, ProblemKind::WrongType { expected, found });
    }

    pub(crate) fn required<'a>(&mut self, object: &Object<'a>, name: &'static str) -> Option<&'a Node> {
        let found = object.get(name);
        if found.is_none() {
            self.unread(object.at, object.path(name), ProblemKind::MissingField(name));
        }
        found
    }

    pub(crate) fn list<'a>(&mut self, node: &'a Node, path: &str) -> &'a [Node] {
        if let Value::List(items) = &node.value {
            items
        } else {
            self.wrong_type(node, path, "a list");
            &[]
        }
    }

    fn optional_list<'a>(&mut self, object: &Object<'a>, name: &str) -> &'a [Node] {
        match object.get(name) {
            Some(node) => self.list(node, &object.path(name)),
            None => &[],
        }
    }

    pub(crate) fn text<'a>(&mut self, node: &'a Node, path: &str) -> Option<&'a str> {
        if let Value::Text(text) = &node.value {
            Some(text)
        } else {
            self.wrong_type(node, path, "a text in double quotes");
            None
        }
    }

    pub(crate) fn truth(&mut self, object: &Object<'_>, name: &str, otherwise: bool) -> bool {
        match object.get(name) {
            None => otherwise,
            Some(node) => {
                if let Value::Bool(truth) = node.value {
                    truth
                } else {
                    self.wrong_type(node, &object.path(name), "true or false");
                    otherwise
                }
            }
        }
    }

    /// A whole number inside a range.
    pub(crate) fn whole_number(&mut self, node: &Node, path: &str, least: i64, most: i64) -> Option<i64> {
        match &node.value {
            Value::Whole(found) if (least..=most).contains(found) => return Some(*found),
            Value::Whole(found) => {
                self.unread(
                    node.at,
                    path,
                    ProblemKind::OutOfRange {
                        found: *found,
                        least,
                        most,
                    },
                );
            }
            Value::Number(written) => self.unread(node.at, path, ProblemKind::NotWhole((**written).into())),
            _ => self.wrong_type(node, path, "a whole number"),
        }
        None
    }

    fn count(&mut self, object: &Object<'_>, name: &str, least: u32, most: u32) -> Option<u32> {
        let node = object.get(name)?;
        let found = self.whole_number(node, &object.path(name), i64::from(least), i64::from(most))?;
        u32::try_from(found).ok()
    }

    /// A score; that it is not negative is judged with the whole.
    fn score(&mut self, object: &Object<'_>, name: &str) -> Option<Score> {
        let node = object.get(name)?;
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let found = self.whole_number(node, &object.path(name), least, most)?;
        i32::try_from(found).ok().map(Score)
    }

    pub(crate) fn number(&mut self, node: &Node, path: &str) -> Option<Number> {
        let found = self.whole_number(node, path, 1, i64::from(Number::MAX))?;
        u32::try_from(found).ok().and_then(Number::new)
    }

    /// A number that stands somewhere as a reference, or a stand-in.
    fn reference(&mut self, object: &Object<'_>, name: &'static str) -> Number {
        let node = self.required(object, name);
        let found = node.and_then(|node| self.number(node, &object.path(name)));
        found.unwrap_or_else(|| self.next_stand_in())
    }

    /// Pairs of numbers, each a list of two: they have no first and second, so the smaller number
    /// stands first. Of a pair that cannot be read both are stand-ins.
    fn pairs(&mut self, object: &Object<'_>, name: &str) -> Vec<(Number, Number)> {
        let path = object.path(name);
        let mut pairs = Vec::new();
        for (index, node) in self.optional_list(object, name).iter().enumerate() {
            let path = format!("{path}[{index}]");
            let pair = if let Value::List(items) = &node.value
                && let [one, other] = &items[..]
            {
                let one = self.number(one, &format!("{path}[0]"));
                let other = self.number(other, &format!("{path}[1]"));
                one.zip(other)
            } else {
                self.wrong_type(node, &path, "a list of two numbers");
                None
            };
            if pair.is_none() {
                self.unread.insert(path);
            }
            let (one, other) = pair.unwrap_or_else(|| (self.next_stand_in(), self.next_stand_in()));
            pairs.push((one.min(other), one.max(other)));
        }
        pairs
    }

    /// Rounds by their numbers. What cannot be read is round 1.
    fn round_numbers(&mut self, object: &Object<'_>, name: &str) -> Vec<u32> {
        let path = object.path(name);
        let mut rounds = Vec::new();
        for (index, node) in self.optional_list(object, name).iter().enumerate() {
            let path = format!("{path}[{index}]");
            let round = self.whole_number(node, &path, 1, i64::from(ROUNDS_LIMIT));
            rounds.push(round.and_then(|round| u32::try_from(round).ok()).unwrap_or(1));
        }
        rounds
    }

    fn numbers(&mut self, object: &Object<'_>, name: &str) -> Vec<Number> {
        let path = object.path(name);
        let mut numbers = Vec::new();
        for (index, node) in self.optional_list(object, name).iter().enumerate() {
            let found = self.number(node, &format!("{path}[{index}]"));
            numbers.push(found.unwrap_or_else(|| self.next_stand_in()));
        }
        numbers
    }

    /// Something that is written as a text and understood by `understand`.
    fn word<T>(
        &mut self,
        object: &Object<'_>,
        name: &str,
        understand: impl FnOnce(&str) -> Result<T, ProblemKind>,
    ) -> Option<T> {
        let node = object.get(name)?;
        let path = object.path(name);
        match understand(self.text(node, &path)?) {
            Ok(value) => Some(value),
            Err(kind) => {
                self.unread(node.at, path, kind);
                None
            }
        }
    }

    fn choice<T: Copy + Default>(
        &mut self,
        object: &Object<'_>,
        name: &str,
        choices: &[T],
        word_of: fn(T) -> &'static str,
    ) -> T {
        self.word(object, name, |word| {
            let found = choices.iter().find(|choice| word_of(**choice) == word);
            found.copied().ok_or_else(|| ProblemKind::UnknownWord {
                found: word.to_owned(),
                expected: words::listed(choices, word_of),
            })
        })
        .unwrap_or_default()
    }

    /// A text that may be left out; one of nothing but white space is none.
    fn optional_text(&mut self, object: &Object<'_>, name: &str) -> Option<String> {
        let node = object.get(name)?;
        let text = self.text(node, &object.path(name))?;
        (!text.trim().is_empty()).then(|| text.to_owned())
    }
}

/// The parts of the file.
impl Reader {
    fn file(&mut self, root: &Node) -> EventFile {
        let mut file = EventFile {
            name: String::new(),
            place: None,
            starts_on: None,
            rules: RuleSet::default(),
            komi: RuleSet::default().default_komi(),
            records: RecordSettings::default(),
            awards: Awards::default(),
            circumstances: Circumstances::default(),
            stage: Stage::swiss(ROUNDS_LIMIT),
        };
        let Some(object) = self.object(root, "", fields::FILE) else {
            return file;
        };
        if let Some(node) = self.required(&object, "format")
            && node.value != Value::Text("tianyuan-event".into())
        {
            self.unread(node.at, "format", ProblemKind::WrongFormat);
        }
        if let Some(node) = self.required(&object, "version") {
            let found = match &node.value {
                Value::Whole(1) => None,
                Value::Whole(found) => Some(found.to_string()),
                Value::Number(found) => Some((**found).into()),
                Value::Text(found) => Some(format!("\"{found}\"")),
                other => Some(other.kind().to_owned()),
            };
            if let Some(found) = found {
                self.unread(node.at, "version", ProblemKind::WrongVersion(found));
            }
        }
        let rounds = object.get("rounds");
        if let Some(node) = self.required(&object, "event") {
            if let Some(event) = self.object(node, "event", fields::EVENT) {
                self.event(&event, &mut file);
            }
        } else {
            self.first_round_unread = true;
        }
        if self.first_round_unread {
            file.stage.first_round = rounds.and_then(first_of).unwrap_or(1);
        }
        if let Some(node) = self.required(&object, "entries") {
            for (index, node) in self.list(node, "entries").iter().enumerate() {
                let entry = self.entry(node, &format!("entries[{index}]"));
                file.stage.entries.push(entry);
            }
        }
        self.entries_unread |= self.unread.contains("entries");
        if let Some(node) = rounds {
            for (index, node) in self.list(node, "rounds").iter().enumerate() {
                let expected = file.stage.next_round();
                let round = self.round(node, &format!("rounds[{index}]"), expected, &mut file);
                file.stage.rounds.push(round);
            }
        }
        let pending = file.stage.rounds.iter().find_map(|round| {
            let board = round.pending().next()?;
            Some((round.round, board.board))
        });
        if let Some(Node {
            at,
            value: Value::Object(fields),
        }) = object.get("event")
            && file.circumstances.is_final
            && let Some((round, board)) = pending
        {
            let named = fields.iter().find(|field| &*field.name == "final");
            let at = named.map_or(*at, |field| field.node.at);
            self.unread(at, "event.final", ProblemKind::FinalButPending { round, board });
        }
        let event_at = object.get("event").and_then(|node| match &node.value {
            Value::Object(fields) if !fields.iter().any(|field| &*field.name == "first_round") => {
                Some(node.at)
            }
            _ => None,
        });
        let carried = file
            .stage
            .entries
            .iter()
            .position(|entry| entry.carried.is_some());
        if let (Some(at), Some(_), true) = (event_at, carried, file.stage.rounds.is_empty()) {
            self.unread(at, "event.first_round", ProblemKind::CarriedFromNowhere);
        }
        file
    }

    fn event(&mut self, event: &Object<'_>, file: &mut EventFile) {
        if let Some(node) = self.required(event, "name")
            && let Some(text) = self.text(node, "event.name")
        {
            text.clone_into(&mut file.name);
            if text.trim().is_empty() {
                self.unread(node.at, "event.name", ProblemKind::Fault(FaultKind::EmptyName));
            }
        }
        file.place = self.optional_text(event, "place");
        for (name, text) in [("name", Some(&file.name)), ("place", file.place.as_ref())] {
            if let (Some(kind), Some(node)) =
                (text.and_then(|text| validate::text_fault(text)), event.get(name))
            {
                self.unread(node.at, event.path(name), ProblemKind::Fault(kind));
            }
        }
        file.starts_on = self.word(event, "starts_on", |text| {
            let day: Date = text.parse().map_err(ProblemKind::Date)?;
            likely_year(day.year().into()).map(|()| day)
        });
        if self.required(event, "rounds").is_some()
            && let Some(rounds) = self.count(event, "rounds", 1, ROUNDS_LIMIT)
        {
            file.stage.rounds_planned = rounds;
        }
        match self.count(event, "first_round", 1, ROUNDS_LIMIT) {
            Some(round) => file.stage.first_round = round,
            None => self.first_round_unread = event.get("first_round").is_some(),
        }
        file.stage.format = self.choice(event, "system", words::SYSTEMS, words::system);
        let rules = self.word(event, "rules", |text| text.parse().map_err(ProblemKind::Rules));
        file.rules = rules.unwrap_or_default();
        let komi = self.word(event, "komi", |text| {
            let komi: Komi = text.parse().map_err(ProblemKind::Komi)?;
            let unit = file.rules.unit();
            // Of rules that could not be read the unit is not known.
            let unit_known = rules.is_some() || event.get("rules").is_none();
            match komi_fault(komi, unit) {
                Some(kind) if unit_known => Err(ProblemKind::Fault(kind)),
                _ => Ok(komi),
            }
        });
        file.komi = komi.unwrap_or_else(|| file.rules.default_komi());
        if let Some(node) = event.get("pairing")
            && let Some(pairing) = self.object(node, "event.pairing", fields::PAIRING)
        {
            file.stage.pairing = self.pairing(&pairing);
        }
        if let Some(node) = event.get("ranking") {
            file.stage.ranking = Ranking::of(&self.ranking(node));
        }
        file.stage.ranking.unplayed = self.choice(event, "unplayed", Unplayed::ALL, Unplayed::as_str);
        for (index, node) in self.optional_list(event, "lots").iter().enumerate() {
            let path = format!("event.lots[{index}]");
            let lot = self.object(node, &path, fields::LOT).map(|lot| {
                let number = self.reference(&lot, "number");
                let drawn = self
                    .required(&lot, "lot")
                    .and_then(|_| self.count(&lot, "lot", 1, validate::LOT_LIMIT));
                (number, drawn.unwrap_or(1))
            });
            let lot = lot.unwrap_or_else(|| (self.next_stand_in(), 1));
            file.stage.ranking.lots.push(lot);
        }
        if let Some(node) = event.get("records")
            && let Some(records) = self.object(node, "event.records", fields::RECORDS)
        {
            file.records = self.records(&records);
        }
        file.awards = self.awards(event);
        self.circumstances(event, &mut file.circumstances);
    }

    fn circumstances(&mut self, event: &Object<'_>, around: &mut Circumstances) {
        around.zone = self.word(event, "time_zone", |text| {
            text.parse()
                .map_err(|_| ProblemKind::NotATimeZone(text.to_owned()))
        });
        around.hidden = self.truth(event, "hidden", false);
        around.is_final = self.truth(event, "final", false);
        if let Some(node) = event.get("results")
            && let Some(results) = self.object(node, "event.results", fields::RESULTS)
        {
            around.results_by_two = self.truth(&results, "by_two", false);
            around.results_from_players = self.truth(&results, "from_players", false);
        }
        for (index, node) in self.optional_list(event, "round_starts").iter().enumerate() {
            let path = format!("event.round_starts[{index}]");
            let Some(start) = self.object(node, &path, fields::ROUND_START) else {
                continue;
            };
            for name in ["round", "at"] {
                self.required(&start, name);
            }
            let round = self.count(&start, "round", 1, ROUNDS_LIMIT);
            let zone = around.zone;
            let at = self.word(&start, "at", |text| {
                let local = local_time(text).ok_or_else(|| ProblemKind::NotALocalTime(text.to_owned()))?;
                likely_year(local.year())?;
                match zone.filter(|zone| zone.from_local_datetime(&local).earliest().is_none()) {
                    Some(zone) => Err(ProblemKind::SkippedTime {
                        local: local.format(LOCAL_TIME).to_string(),
                        zone: Tz::name(zone),
                    }),
                    None => Ok(local),
                }
            });
            if let (Some(round), Some(at)) = (round, at)
                && around.starts.insert(round, at).is_some()
            {
                self.unread(start.at, start.path("round"), ProblemKind::RoundTwice(round));
            }
        }
    }

    fn awards(&mut self, event: &Object<'_>) -> Awards {
        let mut awards = Awards::default();
        if let Some(node) = event.get("promotion")
            && let Some(promotion) = self.object(node, "event.promotion", fields::PROMOTION)
        {
            awards.promotion = self.promotion(&promotion);
        }
        if let Some(node) = event.get("prizes")
            && let Some(prizes) = self.object(node, "event.prizes", fields::PRIZES)
        {
            awards.prizes = self.prizes(&prizes);
        }
        awards
    }

    fn promotion(&mut self, promotion: &Object<'_>) -> Promotion {
        let mut table = Promotion {
            byes_count: self.truth(promotion, "byes_count", false),
            ..Promotion::default()
        };
        for (index, node) in self.bounded_list(promotion, "by_wins").iter().enumerate() {
            let path = format!("event.promotion.by_wins[{index}]");
            table.by_wins.extend(self.by_wins(node, &path));
        }
        for (index, node) in self.bounded_list(promotion, "by_place").iter().enumerate() {
            let path = format!("event.promotion.by_place[{index}]");
            table.by_place.extend(self.by_place(node, &path));
        }
        table
    }

    fn by_wins(&mut self, node: &Node, path: &str) -> Option<ByWins> {
        let line = self.object(node, path, fields::BY_WINS)?;
        for name in ["from", "wins", "games", "to"] {
            self.required(&line, name);
        }
        let from = self.word(&line, "from", |text| {
            text.parse::<From>().map_err(ProblemKind::Grade)
        });
        let wins = self.count(&line, "wins", 1, ROUNDS_LIMIT);
        let games = self.count(&line, "games", 1, ROUNDS_LIMIT);
        let to = self.word(&line, "to", |text| text.parse().map_err(ProblemKind::Grade));
        if let (Some(wins), Some(games)) = (wins, games)
            && wins > games
        {
            let kind = FaultKind::OutOfRange {
                found: wins.into(),
                least: 1,
                most: games.into(),
            };
            self.unread(line.at, line.path("wins"), ProblemKind::Fault(kind));
        }
        Some(ByWins {
            from: from?,
            wins: wins?,
            games: games?,
            to: to?,
        })
    }

    fn by_place(&mut self, node: &Node, path: &str) -> Option<ByPlace> {
        let line = self.object(node, path, fields::BY_PLACE)?;
        self.required(&line, "percent");
        self.required(&line, "to");
        let category = self.plain_text(&line, "category");
        let percent = self.count(&line, "percent", 1, 100);
        let to = self.word(&line, "to", |text| text.parse::<To>().map_err(ProblemKind::Grade));
        Some(ByPlace {
            category,
            percent: percent?,
            to: to?,
        })
    }

    fn prizes(&mut self, prizes: &Object<'_>) -> Prizes {
        let mut all = Prizes {
            double: self.truth(prizes, "double", false),
            ..Prizes::default()
        };
        for (index, node) in self.bounded_list(prizes, "list").iter().enumerate() {
            let path = format!("event.prizes.list[{index}]");
            all.list.extend(self.prize(node, &path));
        }
        all
    }

    fn prize(&mut self, node: &Node, path: &str) -> Option<Prize> {
        let prize = self.object(node, path, fields::PRIZE)?;
        let name = self.required(&prize, "name");
        let name = name.and_then(|node| self.text(node, &prize.path("name")))?;
        if name.trim().is_empty() {
            let kind = ProblemKind::Fault(FaultKind::EmptyName);
            self.unread(prize.at, prize.path("name"), kind);
        }
        if let Some(kind) = validate::text_fault(name) {
            self.unread(prize.at, prize.path("name"), ProblemKind::Fault(kind));
        }
        let category = self.plain_text(&prize, "category");
        let count = match prize.get("count") {
            Some(_) => self.count(&prize, "count", 1, PRIZE_COUNT_LIMIT)?,
            None => 1,
        };
        Some(Prize {
            name: name.to_owned(),
            category,
            count,
        })
    }

    /// A text that may be left out, judged like a name.
    fn plain_text(&mut self, object: &Object<'_>, name: &str) -> Option<String> {
        let text = self.optional_text(object, name)?;
        if let Some(kind) = validate::text_fault(&text) {
            self.unread(object.at, object.path(name), ProblemKind::Fault(kind));
        }
        Some(text)
    }

    /// A list of the tables of promotion and prizes.
    fn bounded_list<'a>(&mut self, object: &Object<'a>, name: &str) -> &'a [Node] {
        let list = self.optional_list(object, name);
        if list.len() > PRIZES_LIMIT {
            let kind = FaultKind::OutOfRange {
                found: i64::try_from(list.len()).unwrap_or(i64::MAX),
                least: 0,
                most: i64::try_from(PRIZES_LIMIT).unwrap_or(i64::MAX),
            };
            self.unread(object.at, object.path(name), ProblemKind::Fault(kind));
            return &[];
        }
        list
    }

    fn records(&mut self, records: &Object<'_>) -> RecordSettings {
        let default = RecordSettings::default();
        RecordSettings {
            board_size: self
                .count(records, "board_size", Size::LEAST.into(), Size::MOST.into())
                .and_then(|lines| u8::try_from(lines).ok())
                .unwrap_or(default.board_size),
            repetition: self.word(records, "repetition", |text| {
                OnRepetition::from_word(text).ok_or_else(|| ProblemKind::UnknownWord {
                    found: text.to_owned(),
                    expected: words::listed(&OnRepetition::ALL, OnRepetition::as_str),
                })
            }),
            from_players: self.truth(records, "from_players", default.from_players),
        }
    }

    fn pairing(&mut self, pairing: &Object<'_>) -> PairingSettings {
        let default = PairingSettings::default();
        PairingSettings {
            order: self.choice(pairing, "order", PairingOrder::ALL, PairingOrder::as_str),
            order_by: self.choice(pairing, "order_by", OrderBy::ALL, OrderBy::as_str),
            number_order: self.choice(pairing, "number_order", NumberOrder::ALL, NumberOrder::as_str),
            avoid_team_rounds: self
                .count(pairing, "avoid_team_rounds", 0, ROUNDS_LIMIT)
                .unwrap_or(default.avoid_team_rounds),
            team_avoidance: self.choice(
                pairing,
                "team_avoidance",
                TeamAvoidance::ALL,
                TeamAvoidance::as_str,
            ),
            forbidden_pairs: self.pairs(pairing, "forbidden_pairs"),
            unwanted_pairs: self.pairs(pairing, "unwanted_pairs"),
            third_colour: self.choice(pairing, "third_colour", ThirdColour::ALL, ThirdColour::as_str),
            colours: self.choice(pairing, "colours", Colours::ALL, Colours::as_str),
            bye_score: self.score(pairing, "bye_score").unwrap_or(default.bye_score),
            absent_score: self
                .score(pairing, "absent_score")
                .unwrap_or(default.absent_score),
            forfeits_may_meet_again: self.truth(
                pairing,
                "forfeits_may_meet_again",
                default.forfeits_may_meet_again,
            ),
            avoid_repeated_floats: self.truth(
                pairing,
                "avoid_repeated_floats",
                default.avoid_repeated_floats,
            ),
            stop_at: self
                .count(pairing, "stop_at", 1, 1000)
                .and_then(|score| i32::try_from(score).ok())
                .map(Score),
        }
    }

    fn ranking(&mut self, node: &Node) -> Vec<Criterion> {
        let mut criteria = Vec::new();
        for (index, node) in self.list(node, "event.ranking").iter().enumerate() {
            let path = format!("event.ranking[{index}]");
            let criterion = match &node.value {
                Value::Text(word) => {
                    let known = words::criterion(word);
                    if known.is_none() {
                        let (found, expected) = ((**word).into(), words::criteria_listed());
                        self.unread(node.at, &path, ProblemKind::UnknownWord { found, expected });
                    }
                    known
                }
                Value::Object(_) => self.cut(node, &path),
                _ => {
                    self.wrong_type(node, &path, "the word of a criterion");
                    None
                }
            };
            self.ranking_unread |= criterion.is_none();
            criteria.push(criterion.unwrap_or(Criterion::Score));
        }
        criteria
    }

    /// `{"opponents_score_cut": {"low": 2, "high": 1}}`.
    fn cut(&mut self, node: &Node, path: &str) -> Option<Criterion> {
        let cut = self.object(node, path, fields::CUT)?;
        let node = self.required(&cut, "opponents_score_cut")?;
        let counts = self.object(node, &cut.path("opponents_score_cut"), fields::CUT_COUNTS)?;
        let mut count = |name| {
            self.required(&counts, name)?;
            let limit = ROUNDS_LIMIT.min(u8::MAX.into());
            self.count(&counts, name, 0, limit)
                .and_then(|count| u8::try_from(count).ok())
        };
        let (low, high) = (count("low"), count("high"));
        Some(Criterion::OpponentsScoreCut {
            low: low?,
            high: high?,
        })
    }

    fn entry(&mut self, node: &Node, path: &str) -> Entry {
        let Some(object) = self.object(node, path, fields::ENTRY) else {
            self.entries_unread = true;
            return Entry::new(self.next_stand_in(), "");
        };
        let number = self
            .required(&object, "number")
            .and_then(|node| self.number(node, &object.path("number")));
        self.entries_unread |= number.is_none();
        let name = self
            .required(&object, "name")
            .and_then(|node| self.text(node, &object.path("name")));
        let rating = object.get("rating").and_then(|node| {
            let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
            self.whole_number(node, &object.path("rating"), least, most)
        });
        Entry {
            name: name.unwrap_or_default().to_owned(),
            name_withheld: self.truth(&object, "name_withheld", false),
            team: self.optional_text(&object, "team"),
            grade: self.word(&object, "grade", |text| text.parse().map_err(ProblemKind::Grade)),
            rating: rating.and_then(|rating| i32::try_from(rating).ok()),
            category: self.optional_text(&object, "category"),
            start_score: self.score(&object, "start_score").unwrap_or_default(),
            absent_rounds: self.round_numbers(&object, "absent_rounds"),
            bye_rounds: self.round_numbers(&object, "bye_rounds"),
            withdrawn_after: self.count(&object, "withdrawn_after", 0, ROUNDS_LIMIT),
            carried: object
                .get("carried")
                .and_then(|node| self.carried(node, &object.path("carried"))),
            ..Entry::new(number.unwrap_or_else(|| self.next_stand_in()), "")
        }
    }

    fn carried(&mut self, node: &Node, path: &str) -> Option<Carried> {
        let object = self.object(node, path, fields::CARRIED)?;
        let colour = self.word(&object, "balance", |word| match word {
            "white" => Ok(Side::White),
            "black" => Ok(Side::Black),
            _ => Err(ProblemKind::UnknownWord {
                found: word.to_owned(),
                expected: "white, black".to_owned(),
            }),
        });
        let size = self.count(&object, "balance_size", 1, ROUNDS_LIMIT);
        if let (None, Some(_), Some(node)) = (object.get("balance"), size, object.get("balance_size")) {
            let path = object.path("balance_size");
            self.unread(node.at, path, ProblemKind::SizeWithoutBalance);
        }
        let size = i32::try_from(size.unwrap_or(1)).unwrap_or(0);
        Some(Carried {
            score: self.score(&object, "score").unwrap_or_default(),
            balance: match colour {
                Some(Side::White) => size,
                Some(Side::Black) => -size,
                None => 0,
            },
            met: self.numbers(&object, "met"),
        })
    }

    fn round(&mut self, node: &Node, path: &str, expected: u32, file: &mut EventFile) -> Round {
        let rules = file.rules;
        let mut round = Round {
            round: expected,
            ..Round::default()
        };
        let Some(object) = self.object(node, path, fields::ROUND) else {
            return round;
        };
        if self.required(&object, "round").is_some() {
            round.round = self.count(&object, "round", 0, u32::MAX - 1).unwrap_or(expected);
        }
        let boards = format!("{path}.boards");
        for (index, node) in self.optional_list(&object, "boards").iter().enumerate() {
            let place = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
            let board = self.board(node, &format!("{boards}[{index}]"), place, rules);
            round.boards.push(board);
        }
        round.byes = self.numbers(&object, "byes");
        round.absent = self.numbers(&object, "absent");
        if let Some(node) = object.get("choices")
            && let Some(choices) = self.object(node, &object.path("choices"), fields::CHOICES)
        {
            round.choices = self.choices(&choices);
        }
        round.seed = self.word(&object, "seed", |text| {
            Seed::from_hex(text).ok_or_else(|| ProblemKind::NotASeed(text.to_owned()))
        });
        let facts = self.table_facts(&object, &round, &file.stage);
        if facts != TableFacts::default() {
            file.circumstances.tables.insert(round.round, facts);
        }
        round
    }

    /// What is known of a round beside its table; the rounds before it have been read.
    fn table_facts(&mut self, object: &Object<'_>, round: &Round, stage: &Stage) -> TableFacts {
        let mut facts = TableFacts {
            published_at: self.word(object, "published_at", |text| {
                moment(text).ok_or_else(|| ProblemKind::NotAMoment(text.to_owned()))
            }),
            edition: self.count(object, "edition", 1, 1_000_000).unwrap_or(1),
            by_hand: self.truth(object, "by_hand", false),
            earlier_results: Vec::new(),
        };
        let path = object.path("earlier_results");
        for (index, node) in self.optional_list(object, "earlier_results").iter().enumerate() {
            let path = format!("{path}[{index}]");
            let Some(earlier) = self.object(node, &path, fields::EARLIER) else {
                continue;
            };
            for name in ["round", "board"] {
                self.required(&earlier, name);
            }
            let on_round = self.count(&earlier, "round", 1, ROUNDS_LIMIT);
            let board = self.count(&earlier, "board", 1, 999_999);
            let result = self.word(&earlier, "result", |word| word.parse().map_err(ProblemKind::word));
            let (Some(on_round), Some(board)) = (on_round, board) else {
                continue;
            };
            let there = stage.rounds.iter().any(|table| {
                table.round == on_round
                    && on_round < round.round
                    && table.boards.iter().any(|other| other.board == board)
            });
            let same = |other: &EarlierResult| (other.round, other.board) == (on_round, board);
            if !there || facts.earlier_results.iter().any(same) {
                let kind = ProblemKind::NoSuchBoard {
                    round: on_round,
                    board,
                };
                self.unread(earlier.at, path, kind);
                continue;
            }
            facts.earlier_results.push(EarlierResult {
                round: on_round,
                board,
                result,
            });
        }
        facts
            .earlier_results
            .sort_unstable_by_key(|earlier| (earlier.round, earlier.board));
        facts
    }

    /// What a director has fixed.
    pub(crate) fn choices(&mut self, choices: &Object<'_>) -> Choices {
        Choices {
            pairs: self.pairs(choices, "pairs"),
            apart: self.pairs(choices, "apart"),
            byes: self.numbers(choices, "byes"),
            sitting_out: self.numbers(choices, "sitting_out"),
        }
    }

    fn board(&mut self, node: &Node, path: &str, place: u32, rules: RuleSet) -> Board {
        let Some(object) = self.object(node, path, fields::BOARD) else {
            let (black, white) = (self.next_stand_in(), self.next_stand_in());
            return Board::new(u32::MAX - place, black, white);
        };
        let board = match object.get("board") {
            // A board that could not be read must not look like another one.
            Some(_) => self
                .count(&object, "board", 0, 999_999)
                .unwrap_or(u32::MAX - place),
            None => place,
        };
        let (black, white) = (self.reference(&object, "black"), self.reference(&object, "white"));
        let result = self.word(&object, "result", |word| word.parse().map_err(ProblemKind::word));
        let by = self.word(&object, "by", |word| word.parse().map_err(ProblemKind::word));
        let margin = self.word(&object, "margin", |text| {
            let margin: tournament::Margin = text.parse().map_err(ProblemKind::Margin)?;
            let unit = rules.unit();
            if unit.admits(margin.quarters().into()) {
                Ok(margin)
            } else {
                Err(ProblemKind::Fault(FaultKind::NotInTheUnit {
                    field: "margin",
                    found: margin.to_string(),
                    unit: unit.as_str(),
                }))
            }
        });
        let warnings = object.get("warnings").and_then(|node| {
            let warnings = self.object(node, &object.path("warnings"), fields::WARNINGS)?;
            let mut of = |name| {
                self.count(&warnings, name, 0, 99)
                    .and_then(|count| u8::try_from(count).ok())
                    .unwrap_or(0)
            };
            Some(Warnings {
                black: of("black"),
                white: of("white"),
            })
        });
        if result.is_none() && object.get("result").is_some() {
            // Whether these fit the result cannot be said when the result could not be read.
            self.unread.insert(object.path("by"));
            self.unread.insert(object.path("margin"));
        }
        Board {
            nigiri: self.truth(&object, "nigiri", false),
            result,
            by,
            margin,
            warnings: warnings.unwrap_or_default(),
            ..Board::new(board, black, white)
        }
    }
}

/// The number of the first round in a list of rounds.
fn first_of(rounds: &Node) -> Option<u32> {
    let Value::List(items) = &rounds.value else {
        return None;
    };
    let Value::Object(fields) = &items.first()?.value else {
        return None;
    };
    match fields.iter().find(|field| &*field.name == "round")?.node.value {
        Value::Whole(round) => u32::try_from(round)
            .ok()
            .filter(|round| (1..=ROUNDS_LIMIT).contains(round)),
        _ => None,
    }
}

/// The whole, and the list of problems.
impl Reader {
    /// Adds the faults of the stage as a whole, except those that come from stand-ins.
    fn whole(&mut self, stage: &Stage, root: &Node) {
        for fault in validate::faults(stage) {
            let from_stand_in = self.comes_from_stand_in(&fault.path)
                || (self.entries_unread && matches!(fault.kind, FaultKind::UnknownNumber(_)))
                || (self.ranking_unread && matches!(fault.kind, FaultKind::DuplicateCriterion(_)));
            if !from_stand_in {
                let at = locate(root, &fault.path);
                self.problem(at, fault.path, ProblemKind::Fault(fault.kind));
            }
        }
    }

    fn comes_from_stand_in(&self, path: &str) -> bool {
        !self.unread.is_empty()
            && std::iter::once(path.len())
                .chain(
                    path.char_indices()
                        .filter(|(_, c)| matches!(c, '.' | '['))
                        .map(|(at, _)| at),
                )
                .any(|end| self.unread.contains(&path[..end]))
    }

    /// The problems in the order of the file, each with the player and the board it is about.
    pub(crate) fn into_problems(mut self, root: &Node) -> Vec<Problem> {
        let names = names(root);
        for problem in &mut self.problems {
            problem.place = place_of(root, &problem.path);
            let player = match &problem.kind {
                ProblemKind::Fault(kind) => kind.player().or(player_at(root, &problem.path)),
                _ => player_at(root, &problem.path),
            };
            problem.place.player =
                player.and_then(|number| names.get(&number.get()).map(|name| (number, (*name).to_owned())));
        }
        self.problems
            .sort_by_key(|problem| (problem.line, problem.column));
        if self.uncounted > 0 {
            self.problems.push(Problem {
                path: String::new(),
                line: root.at.line,
                column: root.at.column,
                place: Place::default(),
                kind: ProblemKind::MoreProblems(self.uncounted),
            });
        }
        self.problems
    }
}

fn member<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    match &node.value {
        Value::Object(fields) => fields
            .iter()
            .find(|field| &*field.name == name)
            .map(|field| &field.node),
        _ => None,
    }
}

fn item(node: &Node, index: usize) -> Option<&Node> {
    match &node.value {
        Value::List(items) => items.get(index),
        _ => None,
    }
}

/// Where a path stands; of a field that is not there, the object that would hold it.
fn locate(root: &Node, path: &str) -> Position {
    let mut node = root;
    for part in path.split(['.', '[']) {
        let next = match part.strip_suffix(']') {
            Some(index) => index.parse().ok().and_then(|index| item(node, index)),
            None => member(node, part),
        };
        match next {
            Some(found) => node = found,
            None => break,
        }
    }
    node.at
}

fn whole_member(node: &Node, name: &str) -> Option<u32> {
    match member(node, name)?.value {
        Value::Whole(found) => u32::try_from(found).ok(),
        _ => None,
    }
}

/// The names of the entries by number, as far as both can be read; of one number the first name.
fn names(root: &Node) -> BTreeMap<u32, &str> {
    let mut names = BTreeMap::new();
    if let Some(Value::List(entries)) = member(root, "entries").map(|node| &node.value) {
        for entry in entries {
            if let (Some(number), Some(Value::Text(name))) = (
                whole_member(entry, "number"),
                member(entry, "name").map(|node| &node.value),
            ) {
                names.entry(number).or_insert(&**name);
            }
        }
    }
    names
}

/// The index in `list[index]…`, and what follows.
fn index_in<'a>(path: &'a str, list: &str) -> Option<(usize, &'a str)> {
    let (index, rest) = path.strip_prefix(list)?.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

/// The player of the entry that a path leads into.
fn player_at(root: &Node, path: &str) -> Option<Number> {
    let (index, _) = index_in(path, "entries")?;
    whole_member(item(member(root, "entries")?, index)?, "number").and_then(Number::new)
}

/// The round and the board that a path leads into.
fn place_of(root: &Node, path: &str) -> Place {
    let mut place = Place::default();
    let round = index_in(path, "rounds")
        .and_then(|(index, rest)| Some((item(member(root, "rounds")?, index)?, rest)));
    if let Some((node, rest)) = round {
        place.round = whole_member(node, "round");
        let board = index_in(rest, ".boards").and_then(|(index, _)| item(member(node, "boards")?, index));
        place.board = board.and_then(|node| whole_member(node, "board"));
    }
    place
}

/// Refuses a year in which no event is played.
fn likely_year(year: i32) -> Result<(), ProblemKind> {
    validate::year_fault(year).map_or(Ok(()), |kind| Err(ProblemKind::Fault(kind)))
}

/// What is wrong with a komi as that of an event whose rules count in the unit.
pub fn komi_fault(komi: Komi, unit: Unit) -> Option<FaultKind> {
    if !komi.fits_an_event(unit) {
        return Some(FaultKind::UnlikelyKomi {
            found: komi.to_string(),
            most: Komi::most_in_an_event(unit),
        });
    }
    (!unit.admits(komi.quarters().into())).then(|| FaultKind::NotInTheUnit {
        field: "komi",
        found: komi.to_string(),
        unit: unit.as_str(),
    })
}
