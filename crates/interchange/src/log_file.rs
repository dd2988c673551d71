//! The log of an event as a chain of hashes, and the file that carries it (`docs/log.md`).
//!
//! Each act's hash covers the act and the hash before it, so the last hash covers the whole past:
//! whoever has noted a hash sees whether anything before it has been changed since.

use std::fmt;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::json::{self, Node, Position, Syntax};

/// What the file says it is.
pub const FORMAT: &str = "tianyuan-log";
/// The only version there is.
pub const VERSION: i64 = 1;
/// The largest file that is read, in bytes: some hundred thousand acts.
const SIZE_LIMIT: usize = 256 * 1024 * 1024;

/// The hash of an act.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LogHash(pub [u8; 32]);

impl LogHash {
    /// What stands before the first act of an event; the event is named by its id, lower case.
    pub fn beginning(event: &str) -> Self {
        Self(Sha256::digest(format!("tianyuan log 1\n{event}\n")).into())
    }

    /// The hash of the act that follows after this one.
    pub fn then(self, act: &Value) -> Self {
        Self(Sha256::digest(format!("{self}\n{}\n", canonical(act))).into())
    }

    /// The first twelve digits: what people compare.
    pub fn short(self) -> String {
        let mut digits = self.to_string();
        digits.truncate(12);
        digits
    }

    /// Reads 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        tournament::draw::Seed::from_hex(text).map(|bits| Self(bits.0))
    }
}

/// 64 hexadecimal digits, lower case.
impl fmt::Display for LogHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for LogHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LogHash({self})")
    }
}

/// The one text of a JSON value: members sorted by name, no white space, nothing escaped but `"`,
/// `\` and control characters.
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (index, (name, value)) in members.into_iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                write(item, text);
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

/// An act in the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its number: 1, 2, 3 … without a gap.
    pub seq: i64,
    /// Its hash, as it was recorded.
    pub hash: LogHash,
    /// The act without its hash; its member `seq` is its number.
    pub act: Value,
}

/// What a hash was said to be at an act: printed on a page, say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the act.
    pub seq: i64,
    /// The hash or its beginning, lower case.
    pub digits: String,
}

impl Head {
    /// Reads `412:3f2a91bc04d7`, with the short hash or the full one.
    pub fn parse(text: &str) -> Option<Self> {
        let (seq, digits) = text.split_once(':')?;
        let digits: String = digits
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
            .to_lowercase();
        let right = (12..=64).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let seq = seq.trim().parse().ok().filter(|seq| *seq >= 1)?;
        right.then_some(Self { seq, digits })
    }
}

/// `412:3f2a91bc04d7`.
impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seq, self.digits)
    }
}

/// Where a chain does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// An act is missing, stands twice or out of order.
    #[error("after act {after} comes act {found}: acts are missing or out of order")]
    Gap {
        /// The last one that was in order; 0 for none.
        after: i64,
        /// What comes next.
        found: i64,
    },
    /// An act does not give its hash.
    #[error("act {seq} does not give its hash: it was changed, or the hash before it was")]
    Changed {
        /// Its number.
        seq: i64,
    },
    /// The log ends before an act that is known.
    #[error("the log ends with act {last}, and act {seq} is known: the end is missing")]
    EndMissing {
        /// The last act there is.
        last: i64,
        /// The act that is known.
        seq: i64,
    },
    /// The hash of an act is not the one that is known of it.
    #[error(
        "act {seq} has the hash {found}, and {known} is known of it: act {seq} or one before it was changed"
    )]
    OtherHead {
        /// Its number.
        seq: i64,
        /// The hash it has.
        found: LogHash,
        /// What is known.
        known: String,
    },
}

impl Broken {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Gap { .. } => "gap",
            Self::Changed { .. } => "changed",
            Self::EndMissing { .. } => "end-missing",
            Self::OtherHead { .. } => "other-head",
        }
    }
}

/// A chain that is followed act by act.
#[derive(Clone, Debug)]
pub struct Chain {
    seq: i64,
    hash: LogHash,
}

impl Chain {
    /// The chain of an event before its first act.
    pub fn of(event: &str) -> Self {
        Self {
            seq: 0,
            hash: LogHash::beginning(event),
        }
    }

    /// The last act and its hash; act 0 is the beginning.
    pub fn last(&self) -> (i64, LogHash) {
        (self.seq, self.hash)
    }

    /// Takes the next act.
    ///
    /// # Errors
    /// [`Broken::Gap`] or [`Broken::Changed`]; the chain then goes on from the hash as it was recorded.
    pub fn follow(&mut self, link: &Link) -> Result<(), Broken> {
        let (after, before) = (self.seq, self.hash);
        self.seq = link.seq;
        self.hash = link.hash;
        if link.seq != after + 1 {
            let found = link.seq;
            return Err(Broken::Gap { after, found });
        }
        if link.act["seq"] != link.seq || before.then(&link.act) != link.hash {
            return Err(Broken::Changed { seq: link.seq });
        }
        Ok(())
    }
}

/// The whole log of an event, or its beginning.
#[derive(Clone, Debug, PartialEq)]
pub struct LogFile {
    /// The id of the event.
    pub event: String,
    /// Its name, for people; the chain does not look at it.
    pub name: String,
    /// The acts from the first one on.
    pub links: Vec<Link>,
}

impl LogFile {
    /// Follows the chain from its beginning and compares it with heads that are known.
    /// Everything that does not hold; nothing when all is well.
    pub fn check(&self, known: &[Head]) -> Vec<Broken> {
        let mut chain = Chain::of(&self.event);
        let mut broken: Vec<Broken> = self
            .links
            .iter()
            .filter_map(|link| chain.follow(link).err())
            .collect();
        let (last, _) = chain.last();
        for Head { seq, digits } in known {
            let link = self.links.iter().find(|link| link.seq == *seq);
            let fault = match link {
                None => Some(Broken::EndMissing { last, seq: *seq }),
                Some(link) if !link.hash.to_string().starts_with(digits) => Some(Broken::OtherHead {
                    seq: *seq,
                    found: link.hash,
                    known: digits.clone(),
                }),
                Some(_) => None,
            };
            broken.extend(fault);
        }
        broken
    }

    /// The file, an act a line.
    pub fn write(&self) -> String {
        let mut text = format!(
            "{{\"format\": {}, \"version\": {VERSION}, \"event\": {}, \"name\": {}, \"acts\": [",
            json!(FORMAT),
            json!(self.event),
            json!(self.name)
        );
        for (index, link) in self.links.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { ",\n" });
            let mut act = match &link.act {
                Value::Object(members) => members.clone(),
                _ => Map::new(),
            };
            act.insert("hash".into(), link.hash.to_string().into());
            text.push_str(&Value::Object(act).to_string());
        }
        text.push_str("\n]}\n");
        text
    }
}

/// Why bytes are no log file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct LogProblem {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong there.
    pub kind: LogProblemKind,
}

/// What is wrong at a place of a log file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogProblemKind {
    /// No JSON.
    #[error("{0}")]
    Syntax(Syntax),
    /// More bytes than are read.
    #[error("the file is larger than {} MiB", SIZE_LIMIT / 1024 / 1024)]
    TooLarge,
    /// Another kind of file, or a version that is not known.
    #[error("this is no log of version {VERSION}: a log file begins with \"format\": \"{FORMAT}\"")]
    Format,
    /// A member is missing or something else than it has to be.
    #[error("{path} has to be {expected}")]
    Member {
        /// Which one.
        path: String,
        /// What it has to be.
        expected: &'static str,
    },
}

/// Whether a file says that it is a log.
pub fn is_log_file(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(200)];
    String::from_utf8_lossy(beginning).contains(&format!("\"{FORMAT}\""))
}

/// Reads a log file. Whether its chain holds is for [`LogFile::check`].
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read(bytes: &[u8]) -> Result<LogFile, LogProblem> {
    let at = |at: Position, kind| LogProblem {
        line: at.line,
        column: at.column,
        kind,
    };
    if bytes.len() > SIZE_LIMIT {
        return Err(at(Position::START, LogProblemKind::TooLarge));
    }
    let root = json::parse_up_to(bytes, SIZE_LIMIT)
        .map_err(|(place, syntax)| at(place, LogProblemKind::Syntax(syntax)))?;
    let member = |of: &Node, path: String, expected: &'static str| {
        at(of.at, LogProblemKind::Member { path, expected })
    };
    let field = |name: &str| match &root.value {
        json::Value::Object(fields) => fields.iter().find(|field| *field.name == *name),
        _ => None,
    };
    let text = |name: &str| match field(name).map(|field| &field.node.value) {
        Some(json::Value::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    let version = field("version").map(|field| field.node.plain());
    if text("format").as_deref() != Some(FORMAT) || version != Some(json!(VERSION)) {
        return Err(at(root.at, LogProblemKind::Format));
    }
    let event = text("event").ok_or_else(|| member(&root, "event".into(), "the id of the event"))?;
    let Some(json::Value::List(acts)) = field("acts").map(|field| &field.node.value) else {
        return Err(member(&root, "acts".into(), "the list of acts"));
    };
    let mut links = Vec::with_capacity(acts.len());
    for (index, node) in acts.iter().enumerate() {
        let Value::Object(mut act) = node.plain() else {
            return Err(member(node, format!("acts[{index}]"), "an object"));
        };
        let hash = act.shift_remove("hash");
        let hash = hash.as_ref().and_then(Value::as_str).and_then(LogHash::from_hex);
        let hash =
            hash.ok_or_else(|| member(node, format!("acts[{index}].hash"), "64 hexadecimal digits"))?;
        let seq = act.get("seq").and_then(Value::as_i64);
        let seq = seq.ok_or_else(|| member(node, format!("acts[{index}].seq"), "a whole number"))?;
        links.push(Link {
            seq,
            hash,
            act: Value::Object(act),
        });
    }
    Ok(LogFile {
        event,
        name: text("name").unwrap_or_default(),
        links,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(acts: &[Value]) -> LogFile {
        let event = "0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5";
        let mut hash = LogHash::beginning(event);
        let links = (1..).zip(acts).map(|(seq, act)| {
            let mut act = act.clone();
            act["seq"] = json!(seq);
            hash = hash.then(&act);
            Link { seq, hash, act }
        });
        LogFile {
            event: event.to_owned(),
            name: "春季赛".to_owned(),
            links: links.collect(),
        }
    }

    fn four() -> LogFile {
        log(&[
            json!({"action": "event-created", "after": {"name": "春季赛 “1”", "rounds": 7}}),
            json!({"action": "entry-added", "after": {"name": "A\\\"\u{1}\n\u{7f}", "rating": -3}}),
            json!({"action": "round-paired", "before": null, "after": {"b": [], "a": {}, "ab": true}}),
            json!({"action": "result-entered", "reason": "…"}),
        ])
    }

    #[test]
    fn the_text_of_a_value_is_one() {
        let value = json!({"b": [1, null, {"z": "é\"\\\n\u{1}\u{7f}天", "y": false}], "a": -3, "B": {}});
        assert_eq!(
            canonical(&value),
            "{\"B\":{},\"a\":-3,\"b\":[1,null,{\"y\":false,\"z\":\"é\\\"\\\\\\n\\u0001\u{7f}天\"}]}"
        );
    }

    #[test]
    fn a_log_comes_back_as_it_went_and_holds() {
        let file = four();
        let read = read(file.write().as_bytes()).expect("a log");
        assert_eq!(read, file);
        let heads: Vec<Head> = file
            .links
            .iter()
            .map(|link| Head::parse(&format!("{}:{}", link.seq, link.hash.short())).expect("a head"))
            .collect();
        assert_eq!(read.check(&heads), []);
        assert!(is_log_file(file.write().as_bytes()));
        // What the page of docs/log.md computes by hand.
        assert_eq!(
            LogHash::beginning(&file.event).to_string(),
            "a2c21393f9897389bc0ec7438cfcd2b11b1f2cc5445fcb747cb2868e1716c444"
        );
    }

    #[test]
    fn any_change_of_the_past_shows() {
        let file = four();
        let mut changed = file.clone();
        changed.links[1].act["after"]["rating"] = json!(3);
        assert_eq!(changed.check(&[]), [Broken::Changed { seq: 2 }]);
        let mut cut = file.clone();
        cut.links.remove(2);
        assert_eq!(cut.check(&[]), [Broken::Gap { after: 2, found: 4 }]);
        let mut short = file.clone();
        short.links.pop();
        let head = Head::parse(&format!("4: {}", file.links[3].hash)).expect("a head");
        assert_eq!(short.check(&[]), [], "a log that ends earlier is sound by itself");
        assert_eq!(
            short.check(std::slice::from_ref(&head)),
            [Broken::EndMissing { last: 3, seq: 4 }]
        );
        // All hashes made anew after a change: what was printed tells.
        let acts: Vec<Value> = changed.links.iter().map(|link| link.act.clone()).collect();
        let anew = log(&acts);
        assert_eq!(anew.check(&[]), []);
        assert!(matches!(
            anew.check(&[head])[..],
            [Broken::OtherHead { seq: 4, .. }]
        ));
        // The acts of another event do not pass for this one's.
        let other = LogFile {
            event: file.event.replace('0', "1"),
            ..file
        };
        assert_eq!(other.check(&[]), [Broken::Changed { seq: 1 }]);
    }

    #[test]
    fn what_is_no_log_is_refused_with_its_place() {
        let text = four().write();
        for (bytes, place) in [
            (text.replace("tianyuan-log", "tianyuan-event"), (1, 1)),
            (text.replace("\"version\": 1", "\"version\": 2"), (1, 1)),
            (text.replacen("\"hash\"", "\"ha\"", 1), (2, 1)),
            (text.replace("\"seq\":3", "\"seq\":\"3\""), (4, 1)),
            (text[..text.len() - 3].to_owned(), (6, 1)),
        ] {
            let problem = read(bytes.as_bytes()).expect_err("no log");
            assert_eq!((problem.line, problem.column), place, "{problem}");
        }
        for wrong in [
            "",
            "4",
            "4:12",
            "0:3f2a91bc04d7",
            "x:3f2a91bc04d7",
            "4:3f2a91bc04dg",
        ] {
            assert_eq!(Head::parse(wrong), None, "{wrong}");
        }
    }
}
