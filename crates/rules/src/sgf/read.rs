//! From text to trees: one pass from left to right, with a list of the open branches instead of recursion.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::encoding::{self, Decoded};
use super::place::Index;
use super::{
    BYTES, Collection, FINDINGS, GameSpan, NODES, NONE, NodeSpan, PropertySpan, ValueSpan, is_invisible,
    narrow, wide,
};
use crate::finding::{Finding, FindingKind};
use crate::verdict::{Refusal, RefusalKind};

/// Reads a file of game records. `encoding` is what the caller knows better than the file: the name of the
/// encoding, which then is neither declared nor guessed.
///
/// # Errors
/// When the file is empty, larger than [`BYTES`] or of more than [`NODES`] nodes, when there is no game tree
/// in it, and when the caller's encoding is not known.
pub fn read<'b>(bytes: &'b [u8], encoding: Option<&str>) -> Result<Collection<'b>, Refusal> {
    let refused = |kind| Refusal { kind, place: None };
    if bytes.trim_ascii().is_empty() {
        return Err(refused(RefusalKind::Empty));
    }
    if bytes.len() > BYTES {
        return Err(refused(RefusalKind::TooLarge { limit: BYTES }));
    }
    if BINARY.iter().any(|magic| bytes.starts_with(magic)) || !bytes.contains(&b'(') {
        return Err(refused(RefusalKind::NoTree));
    }
    let decoded = encoding::decode(bytes, encoding).map_err(refused)?;
    let Decoded {
        text,
        name,
        origin,
        noticed,
    } = decoded;
    let mut reader = Reader::new(&text, noticed);
    let read = reader.all();
    let Reader {
        names,
        nodes,
        properties,
        values,
        games,
        noticed,
        ..
    } = reader;
    if let Err(stop) = read {
        let (kind, place) = match stop {
            Stop::NoTree => (RefusalKind::NoTree, None),
            Stop::TooManyNodes(at) => (
                RefusalKind::TooManyNodes { limit: NODES },
                Some(Index::new(&text).place(&text, &origin, at)),
            ),
        };
        return Err(Refusal { kind, place });
    }
    let mut collection = Collection {
        text,
        encoding: name,
        origin,
        index: OnceCell::new(),
        names,
        nodes,
        properties,
        values,
        games,
        findings: Vec::new(),
    };
    collection.findings = noticed.into_findings(&collection);
    Ok(collection)
}

/// How files begin that are no text, and in which a tree might be found by chance.
const BINARY: [&[u8]; 7] = [
    b"PK\x03\x04",
    b"\x89PNG",
    b"\x1F\x8B",
    b"%PDF",
    b"Rar!",
    b"7z\xBC\xAF",
    b"\x7FELF",
];

/// What was noticed so far: kinds and positions in the text.
#[derive(Debug, Default)]
pub(super) struct Noticed {
    list: Vec<(FindingKind, Option<usize>)>,
    /// How often each kind came.
    counts: Vec<(std::mem::Discriminant<FindingKind>, usize)>,
    more: u32,
}

impl Noticed {
    /// Adds one, or counts it when there are enough.
    pub(super) fn add(&mut self, kind: FindingKind, at: impl Into<Option<usize>>) {
        let which = std::mem::discriminant(&kind);
        let known = self.counts.iter().position(|(known, _)| *known == which);
        let known = known.unwrap_or_else(|| {
            self.counts.push((which, 0));
            self.counts.len() - 1
        });
        let count = &mut self.counts[known].1;
        *count += 1;
        if *count > FINDINGS / 5 || self.list.len() >= FINDINGS {
            self.more = self.more.saturating_add(1);
        } else {
            self.list.push((kind, at.into()));
        }
    }

    /// In the order of the text, with places.
    fn into_findings(mut self, collection: &Collection) -> Vec<Finding> {
        self.list.sort_by_key(|(_, at)| *at);
        if self.more > 0 {
            self.list
                .push((FindingKind::MoreInText { count: self.more }, None));
        }
        self.list
            .into_iter()
            .map(|(kind, at)| Finding {
                kind,
                place: at.map(|at| collection.place(at)),
                move_number: None,
                point: None,
            })
            .collect()
    }
}

/// At most so many characters of the file stand in a finding.
const QUOTED: usize = 60;

/// Some of the file's text for a finding.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// With what programs begin a record.
const FIRST: [&[u8]; 12] = [
    b"FF", b"GM", b"SZ", b"CA", b"AP", b"PB", b"PW", b"EV", b"GN", b"DT", b"RE", b"KM",
];

/// How many names of one or two letters there are.
const SHORT: usize = 26 + 26 * 26;

/// Why reading ended early.
enum Stop {
    NoTree,
    TooManyNodes(usize),
}

/// A `(` that is open.
struct Open {
    /// The node before it, after which its first node comes; [`NONE`] for a game.
    parent: u32,
    /// The first node in it.
    first: u32,
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<NodeSpan>,
    properties: Vec<PropertySpan>,
    values: Vec<ValueSpan>,
    games: Vec<GameSpan>,
    names: String,
    /// Names that are spelled in another way, as written: where they stand in `names`, and how long they are.
    spelled: BTreeMap<&'t str, (u32, u32)>,
    /// For each name of one or two letters, how many nodes there were when it came last.
    came: [u32; SHORT],
    /// The longer names in this node.
    longer: BTreeSet<String>,
    open: Vec<Open>,
    /// The node after which the next one comes.
    node: u32,
    /// Its last branch so far.
    last: u32,
    /// Whether a property would belong to it: not after a parenthesis.
    takes: bool,
    noticed: Noticed,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The first position from `at` on that is not blank.
fn after_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| is_blank(*byte)) {
        at += 1;
    }
    at
}

/// The end of the letters that begin at `at`.
fn after_letters(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
        at += 1;
    }
    at
}

/// The letters of a property's name at `at`: where they end, and where the `[` after them is.
fn name_at(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let end = after_letters(bytes, at);
    let bracket = after_blanks(bytes, end);
    (end > at && bytes.get(bracket) == Some(&b'[')).then_some((end, bracket))
}

/// The `]` that closes a value which begins at `at`.
fn closing(bytes: &[u8], mut at: usize) -> Option<usize> {
    // Most values are shorter than a search takes to begin.
    for _ in 0..6 {
        match bytes.get(at)? {
            b']' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    loop {
        at += memchr::memchr2(b']', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b']' {
            return Some(at);
        }
        at += 2;
    }
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, noticed: Noticed) -> Self {
        // A move with its semicolon and brackets takes six bytes.
        let expected = (text.len() / 6).min(NODES) + 8;
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            nodes: Vec::with_capacity(expected),
            properties: Vec::with_capacity(expected + 16),
            values: Vec::with_capacity(expected + 16),
            games: Vec::new(),
            names: String::new(),
            spelled: BTreeMap::new(),
            came: [0; SHORT],
            longer: BTreeSet::new(),
            open: Vec::with_capacity(8),
            node: NONE,
            last: NONE,
            takes: false,
            noticed,
        }
    }

    fn all(&mut self) -> Result<(), Stop> {
        let mut start = self.next_game(0).ok_or(Stop::NoTree)?;
        self.outside(0, start, &FindingKind::TextBefore);
        loop {
            self.at = start;
            self.game()?;
            let end = self.at;
            if let Some(next) = self.next_game(end) {
                self.outside(end, next, &FindingKind::TextBetween);
                start = next;
            } else {
                self.outside(end, self.bytes.len(), &FindingKind::TextAfter);
                return Ok(());
            }
        }
    }

    /// The `(` of the next game from a position on: the first one after which, in front of the first
    /// property, there is a `;`. Else the first at the start of a line with a property right after it. Else the
    /// first `(;` of the file, when nothing stands before it. After a game, whichever comes first: to look
    /// through the rest for something better after each game would take its time.
    fn next_game(&self, from: usize) -> Option<usize> {
        let bytes = self.bytes;
        let is_first = from == 0;
        let seen = if is_first { self.first_seen() } else { bytes.len() };
        // In a page or a script brackets follow names everywhere.
        let page = bytes.get(seen) == Some(&b'<');
        let mut without_semicolon = None;
        let mut without_property = None;
        let mut at = from;
        while let Some(step) = memchr::memchr(b'(', &bytes[at..]) {
            let open = at + step;
            let mut semicolon = false;
            at = open + 1;
            while let Some(&byte) = bytes.get(at) {
                semicolon |= byte == b';';
                if !is_blank(byte) && byte != b'(' && byte != b';' {
                    break;
                }
                at += 1;
            }
            let property = name_at(bytes, at).map(|(end, _)| &bytes[at..end]);
            let capital = property.is_some_and(|name| name.iter().all(u8::is_ascii_uppercase));
            let line = self.text[from..open].trim_end_matches([' ', '\t', '(']);
            let at_line = line.is_empty() || line.ends_with(['\n', '\r']);
            let in_page = at_line || property.is_some_and(|name| FIRST.contains(&name));
            if semicolon && property.is_some() && (!page || capital && in_page) {
                return Some(open);
            } else if semicolon && open == seen {
                without_property = Some(open);
            } else if !semicolon && !page && capital && at_line {
                without_semicolon = without_semicolon.or(Some(open));
                if !is_first {
                    break;
                }
            }
        }
        without_semicolon.or(without_property)
    }

    /// Whether there is nothing to be seen between two positions.
    fn is_unseen(&self, from: usize, to: usize) -> bool {
        self.text[from..to]
            .chars()
            .all(|letter| letter.is_whitespace() || is_invisible(letter))
    }

    /// The first position where there is something to be seen.
    fn first_seen(&self) -> usize {
        let seen = |letter: char| !letter.is_whitespace() && !is_invisible(letter);
        self.text.find(seen).unwrap_or(self.bytes.len())
    }

    /// Says what stands outside the games, between two positions.
    fn outside(&mut self, from: usize, to: usize, kind: &FindingKind) {
        let mut from = from;
        let mut closed = false;
        while let Some(letter) = self.text[from..to].chars().next() {
            if letter == ')' && *kind != FindingKind::TextBefore {
                if !closed {
                    self.noticed.add(FindingKind::TreeClosedTwice, from);
                }
                closed = true;
            } else if !letter.is_whitespace() {
                let kind = if self.is_unseen(from, to) {
                    FindingKind::InvisibleCharacters
                } else {
                    kind.clone()
                };
                self.noticed.add(kind, from);
                return;
            }
            from += letter.len_utf8();
        }
    }

    /// Reads a game from its `(` to its `)`, or to the end of the file.
    fn game(&mut self) -> Result<(), Stop> {
        self.node = NONE;
        self.last = NONE;
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                let missing = narrow(self.open.len());
                self.open.clear();
                self.noticed.add(FindingKind::TreeNotClosed { missing }, self.at);
                return Ok(());
            };
            match byte {
                b';' => {
                    if !self.takes && self.open.last().is_some_and(|open| open.first != NONE) {
                        self.noticed.add(FindingKind::NodeAfterBranches, self.at);
                    }
                    self.new_node()?;
                    self.at += 1;
                    self.lone_moves()?;
                }
                b'A'..=b'Z' | b'a'..=b'z' => self.property()?,
                b'(' => {
                    if self.open.last().is_some_and(|open| open.first == NONE) {
                        self.noticed.add(FindingKind::TextBetween, self.at);
                    }
                    self.open.push(Open {
                        parent: self.node,
                        first: NONE,
                    });
                    self.takes = false;
                    self.at += 1;
                }
                b')' => {
                    self.at += 1;
                    self.close();
                    if self.open.is_empty() {
                        return Ok(());
                    }
                }
                b']' => {
                    self.noticed.add(FindingKind::StrayBracket, self.at);
                    self.at += 1;
                }
                byte if is_blank(byte) => self.at += 1,
                _ => self.nothing(),
            }
        }
    }

    /// Goes back to the node before the branch that ends.
    fn close(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        // Without a node of its own it was empty, or held branches that are the parent's by now.
        if open.first != NONE {
            self.last = open.first;
        }
        self.node = open.parent;
        self.takes = false;
    }

    /// A node begins here.
    #[inline]
    fn new_node(&mut self) -> Result<(), Stop> {
        if self.nodes.len() >= NODES {
            return Err(Stop::TooManyNodes(self.at));
        }
        let number = narrow(self.nodes.len());
        match self.nodes.last_mut() {
            Some(parent) if self.takes => parent.first_child = number,
            _ => self.branch(number),
        }
        self.nodes.push(NodeSpan {
            offset: narrow(self.at),
            properties: narrow(self.properties.len()),
            first_child: NONE,
            next_sibling: NONE,
        });
        self.node = number;
        self.takes = true;
        if !self.longer.is_empty() {
            self.longer.clear();
        }
        Ok(())
    }

    /// Puts a node after a parenthesis into its place.
    fn branch(&mut self, number: u32) {
        if self.node == NONE {
            self.games.push(GameSpan {
                root: number,
                branches: 0,
            });
        } else {
            let parent = &mut self.nodes[wide(self.node)];
            if parent.first_child == NONE {
                parent.first_child = number;
            } else {
                self.nodes[wide(self.last)].next_sibling = number;
                if let Some(game) = self.games.last_mut() {
                    game.branches += 1;
                }
            }
        }
        if let Some(open) = self.open.last_mut()
            && open.first == NONE
        {
            open.first = number;
        }
        self.last = NONE;
    }

    /// Reads a move that is all there is in a node, as in most, and those of the nodes after it: what follows
    /// would read them too, and slower.
    fn lone_moves(&mut self) -> Result<(), Stop> {
        while let Some((name, next)) = self.lone_move() {
            let offset = narrow(self.at);
            self.properties.push(PropertySpan {
                offset,
                name: offset,
                length: 1,
                values: narrow(self.values.len()),
            });
            self.values.push(ValueSpan {
                start: offset + 2,
                end: offset + 4,
            });
            self.came[usize::from(name - b'A')] = narrow(self.nodes.len());
            self.at = next;
            if self.bytes.get(next) != Some(&b';') {
                break;
            }
            self.new_node()?;
            self.at = next + 1;
        }
        Ok(())
    }

    /// The side of a move that is all there is in its node, and where what comes after it begins.
    #[inline]
    fn lone_move(&self) -> Option<(u8, usize)> {
        let start = self.at;
        let &[name @ (b'B' | b'W'), b'[', column, row, b']', end] = self.bytes[start..].first_chunk()? else {
            return None;
        };
        let is_plain = |byte: u8| byte != b'\\' && byte != b']';
        let next = match end {
            b';' | b')' | b'(' => start + 5,
            b'\n' if matches!(self.bytes.get(start + 6), Some(b';' | b')' | b'(')) => start + 6,
            _ => return None,
        };
        (is_plain(column) && is_plain(row)).then_some((name, next))
    }

    /// Reads a property, or passes over letters that are none.
    fn property(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let Some((end, bracket)) = name_at(self.bytes, start) else {
            self.nothing();
            return Ok(());
        };
        if !self.takes {
            let kind = if self.open.last().is_some_and(|open| open.first == NONE) {
                FindingKind::SemicolonMissing
            } else {
                FindingKind::NodeAfterBranches
            };
            self.noticed.add(kind, start);
            self.new_node()?;
        }
        let written = &self.bytes[start..end];
        let (name, length) = if written.iter().all(u8::is_ascii_uppercase) {
            (narrow(start), narrow(end - start))
        } else {
            self.spell(start, end)
        };
        let property = PropertySpan {
            offset: narrow(start),
            name,
            length,
            values: narrow(self.values.len()),
        };
        self.properties.push(property);
        let points = self.check_twice(property);
        self.at = bracket;
        while self.bytes.get(self.at) == Some(&b'[') {
            self.value();
            if points {
                self.part_points();
            }
            self.at = after_blanks(self.bytes, self.at);
        }
        Ok(())
    }

    /// Reads a value from its `[` on.
    fn value(&mut self) {
        let start = self.at + 1;
        let end = closing(self.bytes, start).unwrap_or_else(|| {
            self.noticed.add(FindingKind::ValueNotClosed, self.at);
            self.bytes.len()
        });
        self.values.push(ValueSpan {
            start: narrow(start),
            end: narrow(end),
        });
        self.at = self.bytes.len().min(end + 1);
    }

    /// Parts the value that was read last when it is several points with commas between.
    fn part_points(&mut self) {
        let Some(&ValueSpan { start, end }) = self.values.last() else {
            return;
        };
        let text = &self.text[wide(start)..wide(end)];
        let parts = || text.split(',').map(str::trim_ascii);
        let is_point = |part: &str| {
            matches!(
                part.as_bytes(),
                [one, two] | [one, two, b':', ..] if one.is_ascii_alphabetic() && two.is_ascii_alphabetic()
            ) && matches!(part.len(), 2 | 5)
        };
        if !text.contains(',') || !parts().all(is_point) {
            return;
        }
        self.values.pop();
        let mut from = wide(start);
        for part in text.split(',') {
            let blank = part.len() - part.trim_ascii_start().len();
            let point = from + blank..from + blank + part.trim_ascii().len();
            self.values.push(ValueSpan {
                start: narrow(point.start),
                end: narrow(point.end),
            });
            from += part.len() + 1;
        }
        let text = quote(text);
        self.noticed.add(FindingKind::PointList { text }, wide(start));
    }

    /// The name that is meant by one with lower-case letters, which FF\[1\] to FF\[3\] do not count.
    fn spell(&mut self, start: usize, end: usize) -> (u32, u32) {
        let written = &self.text[start..end];
        if let Some(known) = self.spelled.get(written) {
            return *known;
        }
        self.noticed
            .add(FindingKind::LowerCaseName { name: quote(written) }, start);
        let from = self.names.len();
        let capitals = written.chars().filter(char::is_ascii_uppercase);
        self.names.extend(capitals);
        if self.names.len() == from {
            self.names
                .extend(written.chars().map(|letter| letter.to_ascii_uppercase()));
        }
        let name = (narrow(self.text.len() + from), narrow(self.names.len() - from));
        self.spelled.insert(written, name);
        name
    }

    /// The name of a property that was read.
    fn name(&self, property: &PropertySpan) -> &str {
        let (from, length) = (wide(property.name), wide(property.length));
        match from.checked_sub(self.text.len()) {
            None => &self.text[from..from + length],
            Some(from) => &self.names[from..from + length],
        }
    }

    /// Says when a name comes again in the node. Tells whether its values are points of the board.
    fn check_twice(&mut self, property: PropertySpan) -> bool {
        let nodes = narrow(self.nodes.len());
        let name = self.name(&property).as_bytes();
        let points = matches!(name, [b'A', b'B' | b'W' | b'E'] | [b'T', b'B' | b'W']);
        let again = match *name {
            [one] => self.came_again(usize::from(one - b'A'), nodes),
            [one, two] => {
                let short = usize::from(one - b'A') * 26 + usize::from(two - b'A') + 26;
                self.came_again(short, nodes)
            }
            _ => {
                let name = self.name(&property).to_owned();
                !self.longer.insert(name)
            }
        };
        if again {
            let name = quote(self.name(&property));
            self.noticed
                .add(FindingKind::PropertyTwice { name }, wide(property.offset));
        }
        points
    }

    /// Whether a short name came in this node before; notes that it has.
    fn came_again(&mut self, short: usize, nodes: u32) -> bool {
        std::mem::replace(&mut self.came[short], nodes) == nodes
    }

    /// Passes over what belongs to nothing, up to the next thing that may.
    fn nothing(&mut self) {
        let start = self.at;
        let bytes = self.bytes;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b';' | b'(' | b')' | b']' => break,
                b'[' => self.at = closing(bytes, self.at + 1).map_or(bytes.len(), |end| end + 1),
                b'A'..=b'Z' | b'a'..=b'z' => {
                    if self.at > start && name_at(bytes, self.at).is_some() {
                        break;
                    }
                    self.at = after_blanks(bytes, after_letters(bytes, self.at));
                }
                _ => self.at += 1,
            }
        }
        let kind = if self.is_unseen(start, self.at) {
            FindingKind::InvisibleCharacters
        } else {
            FindingKind::TextBetween
        };
        self.noticed.add(kind, start);
    }
}
