//! Game records in the Smart Game Format, FF\[1\] to FF\[4\]: bytes in, trees out.
//!
//! Three steps, each in a file of its own: [`encoding`] finds out what the bytes say, because in some
//! encodings a half of a character looks like `[`, `\` or `]`; [`read`](mod@read) takes the text apart, with a stack of
//! its own instead of recursion; and this file is how the trees are looked at. Nodes, properties and values
//! lie in flat lists and are spans of one text, which is the caller's own bytes wherever those are UTF-8.
//!
//! What programs write wrong in known ways is read, and each time said: see
//! [`Collection::findings`]. A file is refused only when there is no game tree in it, or too much of it.

mod encoding;
mod place;
mod read;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use crate::finding::{Finding, Place};
use place::{Index, Origin};
pub use read::read;

/// The largest file that is read, in bytes.
pub const BYTES: usize = 1 << 20;
/// The most nodes that a file may have, all its games together.
pub const NODES: usize = 100_000;
/// The most findings about the text that are listed. Beyond them, and beyond a fifth of them of one kind, the
/// rest is counted ([`FindingKind::MoreInText`](crate::FindingKind::MoreInText)).
pub const FINDINGS: usize = 100;

/// No node.
const NONE: u32 = u32::MAX;

/// A position in the text as the lists keep it. Files are at most [`BYTES`] long, and a byte becomes at most
/// three.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a text is far shorter than 4 GiB: read refuses larger files"
)]
fn narrow(position: usize) -> u32 {
    position as u32
}

/// The same the other way.
fn wide(position: u32) -> usize {
    position as usize
}

/// What a file holds: its games (棋谱), in the order of the file.
#[derive(Debug)]
pub struct Collection<'b> {
    text: Cow<'b, str>,
    encoding: &'static str,
    origin: Origin,
    index: OnceCell<Index>,
    /// Names that are not spelled in the text as they are meant.
    names: String,
    nodes: Vec<NodeSpan>,
    properties: Vec<PropertySpan>,
    values: Vec<ValueSpan>,
    games: Vec<GameSpan>,
    findings: Vec<Finding>,
}

/// A node: where it begins, its first property (the next node's ends them), and its kin.
#[derive(Clone, Copy, Debug)]
struct NodeSpan {
    offset: u32,
    properties: u32,
    first_child: u32,
    next_sibling: u32,
}

/// A property: where it begins, its name, and its first value (the next property's ends them).
#[derive(Clone, Copy, Debug)]
struct PropertySpan {
    offset: u32,
    /// Where the name stands: in the text, or beyond its end in `names`.
    name: u32,
    length: u32,
    values: u32,
}

/// A value, without its brackets.
#[derive(Clone, Copy, Debug)]
struct ValueSpan {
    start: u32,
    end: u32,
}

/// A game: its first node, and how many branches it has beside its main line. The nodes of a game lie together.
#[derive(Clone, Copy, Debug)]
struct GameSpan {
    root: u32,
    branches: u32,
}

impl Collection<'_> {
    /// In which encoding the text was read, by its usual name.
    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    /// The whole text, decoded. Offsets of nodes, properties and values are offsets in it, in bytes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was noticed, in the order of the text.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The games, in the order of the file. There is at least one.
    pub fn games(&self) -> impl ExactSizeIterator<Item = GameTree<'_>> {
        (0..self.games.len()).map(|number| GameTree {
            collection: self,
            number,
        })
    }

    /// A game by its number, from 0.
    pub fn game(&self, number: usize) -> Option<GameTree<'_>> {
        (number < self.games.len()).then_some(GameTree {
            collection: self,
            number,
        })
    }

    /// Where an offset in the text lies in the file as it came in: bytes of the file, line, and column in
    /// characters.
    #[inline]
    pub fn place(&self, offset: usize) -> Place {
        let index = self.index.get_or_init(|| Index::new(&self.text));
        index.place(&self.text, &self.origin, offset)
    }

    /// The nodes of a game, and the end of the last one's properties.
    fn nodes_of(&self, game: usize) -> Range<usize> {
        let start = wide(self.games[game].root);
        let end = self
            .games
            .get(game + 1)
            .map_or(self.nodes.len(), |next| wide(next.root));
        start..end
    }

    fn node(&self, number: u32) -> Option<Node<'_>> {
        (number != NONE).then_some(Node {
            collection: self,
            number,
        })
    }
}

/// One game of a file, with its variations (变化图).
#[derive(Clone, Copy, Debug)]
pub struct GameTree<'c> {
    collection: &'c Collection<'c>,
    number: usize,
}

impl<'c> GameTree<'c> {
    /// Its first node.
    pub fn root(&self) -> Node<'c> {
        Node {
            collection: self.collection,
            number: self.collection.games[self.number].root,
        }
    }

    /// The root, its first child, that one's first child, and so on to the end (实战).
    pub fn main_line(&self) -> impl Iterator<Item = Node<'c>> + use<'c> {
        std::iter::successors(Some(self.root()), Node::first_child)
    }

    /// How many branches there are beside the main line, branches of branches among them.
    pub fn variations(&self) -> usize {
        wide(self.collection.games[self.number].branches)
    }

    /// How many nodes it has, those of all variations among them.
    pub fn node_count(&self) -> usize {
        self.collection.nodes_of(self.number).len()
    }
}

/// A node: a move, or whatever its properties say.
#[derive(Clone, Copy, Debug)]
pub struct Node<'c> {
    collection: &'c Collection<'c>,
    number: u32,
}

impl<'c> Node<'c> {
    fn span(&self) -> &'c NodeSpan {
        &self.collection.nodes[wide(self.number)]
    }

    /// Its properties, in the order of the file. One that stands twice comes twice.
    pub fn properties(&self) -> impl ExactSizeIterator<Item = Property<'c>> + use<'c> {
        let collection = self.collection;
        let end = collection
            .nodes
            .get(wide(self.number) + 1)
            .map_or(collection.properties.len(), |next| wide(next.properties));
        (wide(self.span().properties)..end).map(move |number| Property { collection, number })
    }

    /// Its first property of the name, such as `PB`.
    pub fn get(&self, name: &str) -> Option<Property<'c>> {
        self.properties().find(|property| property.name() == name)
    }

    /// Its move, when that is all it says: the side's letter, and the value.
    #[inline]
    pub(crate) fn lone_move(&self) -> Option<(u8, Value<'c>)> {
        let Collection {
            text,
            nodes,
            properties,
            values,
            ..
        } = self.collection;
        let node = wide(self.number);
        let first = wide(nodes.get(node)?.properties);
        let after = (nodes.get(node + 1)).map_or(properties.len(), |next| wide(next.properties));
        let property = properties.get(first).filter(|_| after == first + 1)?;
        let value = wide(property.values);
        let after = (properties.get(first + 1)).map_or(values.len(), |next| wide(next.values));
        let span = *values.get(value).filter(|_| after == value + 1)?;
        let name = text.as_bytes().get(wide(property.name))?;
        (property.length == 1).then_some((*name, Value { text, span }))
    }

    /// The node after it: of several, the one on the main line.
    pub fn first_child(&self) -> Option<Node<'c>> {
        self.collection.node(self.span().first_child)
    }

    /// The next branch that begins after the same node as this one.
    pub fn next_sibling(&self) -> Option<Node<'c>> {
        self.collection.node(self.span().next_sibling)
    }

    /// Where it begins in the text.
    pub fn offset(&self) -> usize {
        wide(self.span().offset)
    }
}

/// A property: a name and at least one value.
#[derive(Clone, Copy, Debug)]
pub struct Property<'c> {
    collection: &'c Collection<'c>,
    number: usize,
}

impl<'c> Property<'c> {
    fn span(&self) -> &'c PropertySpan {
        &self.collection.properties[self.number]
    }

    /// Its name in capital letters, as FF\[4\] has it: `PB` also where the file says `PlayerBlack` or `pb`.
    #[inline]
    pub fn name(&self) -> &'c str {
        let PropertySpan { name, length, .. } = *self.span();
        let text = &*self.collection.text;
        let (name, length) = (wide(name), wide(length));
        if name < text.len() {
            &text[name..name + length]
        } else {
            let name = name - text.len();
            &self.collection.names[name..name + length]
        }
    }

    /// Its values, in the order of the file. There is at least one.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value<'c>> + use<'c> {
        let collection = self.collection;
        let end = collection
            .properties
            .get(self.number + 1)
            .map_or(collection.values.len(), |next| wide(next.values));
        collection.values[wide(self.span().values)..end]
            .iter()
            .map(move |span| Value {
                text: &collection.text,
                span: *span,
            })
    }

    /// Its first value.
    pub fn value(&self) -> Value<'c> {
        Value {
            text: &self.collection.text,
            span: self.collection.values[wide(self.span().values)],
        }
    }

    /// Where its name begins in the text.
    pub fn offset(&self) -> usize {
        wide(self.span().offset)
    }
}

/// What stands between two brackets.
#[derive(Clone, Copy, Debug)]
pub struct Value<'c> {
    text: &'c str,
    span: ValueSpan,
}

impl<'c> Value<'c> {
    /// As it stands in the file, escapes and all.
    pub fn raw(&self) -> &'c str {
        &self.text[wide(self.span.start)..wide(self.span.end)]
    }

    /// The same, byte by byte.
    pub(crate) fn bytes(&self) -> &'c [u8] {
        (self.text.as_bytes())
            .get(wide(self.span.start)..wide(self.span.end))
            .unwrap_or_default()
    }

    /// Where it begins in the text, after its bracket.
    pub fn offset(&self) -> usize {
        wide(self.span.start)
    }

    /// As a text of several lines: escapes are resolved, escaped ends of lines (soft breaks) are gone, the
    /// others are `\n`, other white space is a space. Control characters are left out.
    pub fn text(&self) -> Cow<'c, str> {
        resolve(self.raw(), '\n')
    }

    /// As a text of one line: as [`text`](Self::text), with a space for the end of a line.
    pub fn simple_text(&self) -> Cow<'c, str> {
        resolve(self.raw(), ' ')
    }

    /// As a text of one line for comparing and for reading results: without characters that cannot be seen
    /// (zero-width ones, marks of direction and of byte order), and without white space around it.
    pub fn plain(&self) -> Cow<'c, str> {
        match self.simple_text() {
            Cow::Borrowed(text) => match without_invisible(text) {
                Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
                Cow::Owned(text) => Cow::Owned(trimmed(text)),
            },
            Cow::Owned(text) => Cow::Owned(trimmed(without_invisible(&text).into_owned())),
        }
    }

    /// The two sides of a composed value, parted by the first `:` that is not escaped.
    pub fn compose(&self) -> Option<(Value<'c>, Value<'c>)> {
        let raw = self.raw().as_bytes();
        let mut at = 0;
        while let Some(step) = memchr::memchr2(b':', b'\\', &raw[at..]) {
            at += step;
            if raw[at] == b':' {
                let middle = self.span.start + narrow(at);
                let side = |start, end| Value {
                    text: self.text,
                    span: ValueSpan { start, end },
                };
                return Some((side(self.span.start, middle), side(middle + 1, self.span.end)));
            }
            at = raw.len().min(at + 2);
        }
        None
    }
}

/// Without the white space around it.
fn trimmed(text: String) -> String {
    let inner = text.trim();
    if inner.len() == text.len() {
        text
    } else {
        inner.to_owned()
    }
}

/// Whether a character has no width and no meaning here: zero-width spaces and joiners, marks of direction,
/// the mark of byte order, the soft hyphen, NUL.
pub(crate) fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\0' | '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}' | '\u{FEFF}'
    )
}

fn without_invisible(text: &str) -> Cow<'_, str> {
    if text.contains(is_invisible) {
        Cow::Owned(text.chars().filter(|letter| !is_invisible(*letter)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// A value's text with escapes resolved, and `line` for the end of a line.
fn resolve(raw: &str, line: char) -> Cow<'_, str> {
    let plain = |letter: char| letter != '\\' && (letter == line || !letter.is_control());
    let Some(first) = raw.find(|letter| !plain(letter)) else {
        return Cow::Borrowed(raw);
    };
    let mut text = String::with_capacity(raw.len());
    text.push_str(&raw[..first]);
    let mut letters = raw[first..].chars().peekable();
    while let Some(letter) = letters.next() {
        let (letter, escaped) = match letter {
            '\\' => match letters.next() {
                Some(letter) => (letter, true),
                None => break,
            },
            letter => (letter, false),
        };
        match letter {
            '\n' | '\r' => {
                // Either order of the two is one end of a line.
                letters.next_if(|next| matches!(next, '\n' | '\r') && *next != letter);
                if !escaped {
                    text.push(line);
                }
            }
            '\t' | '\u{B}' | '\u{C}' => text.push(' '),
            letter if letter.is_control() => {}
            letter => text.push(letter),
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(raw: &str) -> Value<'_> {
        Value {
            text: raw,
            span: ValueSpan {
                start: 0,
                end: narrow(raw.len()),
            },
        }
    }

    #[test]
    fn texts_lose_escapes_and_soft_breaks_and_keep_lines() {
        for (raw, text, simple) in [
            ("", "", ""),
            ("plain", "plain", "plain"),
            (r"a \] b \\ c \: d", r"a ] b \ c : d", r"a ] b \ c : d"),
            ("a\\\nb", "ab", "ab"),
            ("a\\\r\nb", "ab", "ab"),
            ("a\\\n\rb", "ab", "ab"),
            ("a\nb", "a\nb", "a b"),
            ("a\r\nb\n\rc\rd", "a\nb\nc\nd", "a b c d"),
            ("a\n\nb", "a\n\nb", "a  b"),
            ("a\tb\u{B}c\\\td", "a b c d", "a b c d"),
            ("甲\0乙\u{1B}", "甲乙", "甲乙"),
            ("cut\\", "cut", "cut"),
        ] {
            assert_eq!(value(raw).text(), text, "{raw:?}");
            assert_eq!(value(raw).simple_text(), simple, "{raw:?}");
        }
        assert!(
            matches!(value("甲\n乙").text(), Cow::Borrowed(_)),
            "nothing to resolve"
        );
    }

    #[test]
    fn what_cannot_be_seen_is_no_part_of_a_plain_text() {
        for (raw, plain) in [
            ("\u{200E}B+R\u{FEFF}", "B+R"),
            (" 甲\u{200B}乙\n", "甲乙"),
            ("\\\u{200B} B+R", "B+R"),
            ("  B+R ", "B+R"),
        ] {
            assert_eq!(value(raw).plain(), plain, "{raw:?}");
        }
    }

    #[test]
    fn a_composed_value_is_parted_at_its_first_open_colon() {
        for (raw, sides) in [
            ("aa:bb", Some(("aa", "bb"))),
            (r"a\:b:c:d", Some((r"a\:b", "c:d"))),
            (r"a\\:b", Some((r"a\\", "b"))),
            (":", Some(("", ""))),
            (r"a\:b", None),
            ("\\", None),
            ("", None),
        ] {
            let parted = value(raw).compose().map(|(one, two)| (one.raw(), two.raw()));
            assert_eq!(parted, sides, "{raw:?}");
        }
    }
}
