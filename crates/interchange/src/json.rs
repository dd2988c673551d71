//! A JSON reader (RFC 8259) that remembers where every value stands, so that a fault found late can
//! still be shown by line and column.
//!
//! Stricter than the standard where it leaves room: a name may stand only once in an object, lone
//! surrogates are refused, and size, depth and the number of values are limited.

use std::fmt;

/// The largest file that is read, in bytes.
pub(crate) const SIZE_LIMIT: usize = 16 * 1024 * 1024;
/// How deep lists and objects may be nested.
pub(crate) const DEPTH_LIMIT: usize = 32;
/// How many values a file may hold; a bound on memory, far above any event.
pub(crate) const VALUES_LIMIT: usize = 4_000_000;

/// A place in the file: line and column, both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}

/// A value and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) at: Position,
    pub(crate) value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// A number without fraction and exponent.
    Whole(i64),
    /// Any other number, as it is written.
    Number(Box<str>),
    Text(Box<str>),
    List(Vec<Node>),
    Object(Vec<Field>),
}

impl Value {
    /// What it is, for a sentence.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Whole(_) | Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

impl Node {
    /// The value without its place. Numbers with a fraction or an exponent become texts.
    pub(crate) fn plain(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(truth) => (*truth).into(),
            Value::Whole(number) => (*number).into(),
            Value::Number(text) | Value::Text(text) => (**text).into(),
            Value::List(items) => items.iter().map(Self::plain).collect(),
            Value::Object(fields) => {
                let members = fields.iter();
                let members = members.map(|field| ((*field.name).into(), field.node.plain()));
                serde_json::Value::Object(members.collect())
            }
        }
    }
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: Box<str>,
    pub(crate) at: Position,
    pub(crate) node: Node,
}

/// Why bytes are no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// More bytes than are read.
    TooLarge,
    /// More values than are read.
    TooManyValues,
    /// Nested too deeply.
    TooDeep,
    /// The bytes are UTF-16.
    Utf16,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// Nothing but white space.
    Empty,
    /// The file ends in the middle.
    UnexpectedEnd {
        /// What should come.
        expected: &'static str,
    },
    /// Something else stands there.
    Unexpected {
        /// What stands there.
        found: char,
        /// What should.
        expected: &'static str,
    },
    /// A comma before a closing bracket.
    TrailingComma,
    /// Something after the end of the value.
    AfterEnd,
    /// A line break or another control character inside a text.
    ControlInText,
    /// A backslash that begins no escape.
    BadEscape,
    /// Half of a surrogate pair.
    LoneSurrogate,
    /// Digits that are no number.
    BadNumber,
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the file is larger than {} MiB", SIZE_LIMIT / 1024 / 1024),
            Self::TooManyValues => write!(f, "the file holds more than {VALUES_LIMIT} values"),
            Self::TooDeep => write!(f, "lists and objects are nested more than {DEPTH_LIMIT} deep"),
            Self::Utf16 => write!(f, "the file is UTF-16: save it as UTF-8"),
            Self::NotUtf8 => write!(f, "here the file is not UTF-8: save it as UTF-8"),
            Self::Empty => write!(f, "the file is empty: an event file is a JSON object"),
            Self::UnexpectedEnd { expected } => write!(f, "the file ends where {expected} should come"),
            Self::Unexpected { found, expected } => {
                write!(f, "found {found:?} where {expected} should come")
            }
            Self::TrailingComma => write!(f, "a comma stands before the closing bracket: take it away"),
            Self::AfterEnd => write!(f, "something follows after the end of the event: take it away"),
            Self::ControlInText => {
                write!(
                    f,
                    "a text holds a line break or another control character: write it as \\n or \\u"
                )
            }
            Self::BadEscape => write!(f, "after a backslash stands none of \" \\ / b f n r t u"),
            Self::LoneSurrogate => write!(
                f,
                "\\u names half of a character: write both halves or the character"
            ),
            Self::BadNumber => write!(f, "this is no number as JSON writes them: 12, -3, 0.5"),
        }
    }
}

/// Reads bytes as one JSON value. A UTF-8 byte order mark is skipped.
pub(crate) fn parse(bytes: &[u8]) -> Result<Node, (Position, Syntax)> {
    parse_up_to(bytes, SIZE_LIMIT)
}

/// The same for files that may be of another size.
pub(crate) fn parse_up_to(bytes: &[u8], size_limit: usize) -> Result<Node, (Position, Syntax)> {
    if bytes.len() > size_limit {
        return Err((Position::START, Syntax::TooLarge));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err((Position::START, Syntax::Utf16));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let mut at = Position::START;
            good.chars().for_each(|c| at.pass(c));
            return Err((at, Syntax::NotUtf8));
        }
    };
    let mut parser = Parser {
        rest: text,
        at: Position::START,
        values: 0,
    };
    parser.white_space();
    if parser.rest.is_empty() {
        return Err((Position::START, Syntax::Empty));
    }
    let node = parser.value(0)?;
    parser.white_space();
    if parser.rest.is_empty() {
        Ok(node)
    } else {
        parser.fail(Syntax::AfterEnd)
    }
}

impl Position {
    fn pass(&mut self, c: char) {
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    at: Position,
    values: usize,
}

type Parsed<T> = Result<T, (Position, Syntax)>;

impl Parser<'_> {
    fn fail<T>(&self, syntax: Syntax) -> Parsed<T> {
        Err((self.at, syntax))
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        self.at.pass(c);
        Some(c)
    }

    fn white_space(&mut self) {
        while let Some(' ' | '\t' | '\r' | '\n') = self.peek() {
            self.bump();
        }
    }

    fn unexpected<T>(&self, expected: &'static str) -> Parsed<T> {
        self.fail(match self.peek() {
            Some(found) => Syntax::Unexpected { found, expected },
            None => Syntax::UnexpectedEnd { expected },
        })
    }

    fn value(&mut self, depth: usize) -> Parsed<Node> {
        let at = self.at;
        self.values += 1;
        if self.values > VALUES_LIMIT {
            return self.fail(Syntax::TooManyValues);
        }
        let value = match self.peek() {
            Some('{' | '[') if depth >= DEPTH_LIMIT => return self.fail(Syntax::TooDeep),
            Some('{') => self.object(depth)?,
            Some('[') => self.list(depth)?,
            Some('"') => Value::Text(self.text()?.into()),
            Some('-' | '0'..='9') => self.number()?,
            Some('n') => self.word("null", Value::Null)?,
            Some('t') => self.word("true", Value::Bool(true))?,
            Some('f') => self.word("false", Value::Bool(false))?,
            _ => return self.unexpected("a value"),
        };
        Ok(Node { at, value })
    }

    fn word(&mut self, word: &'static str, value: Value) -> Parsed<Value> {
        let Some(rest) = self.rest.strip_prefix(word) else {
            return self.unexpected("a value");
        };
        self.rest = rest;
        self.at.column += u32::try_from(word.len()).unwrap_or(0);
        Ok(value)
    }

    fn list(&mut self, depth: usize) -> Parsed<Value> {
        self.bump();
        let mut items = Vec::new();
        self.white_space();
        if self.peek() == Some(']') {
            self.bump();
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if !self.next_item(']', "a comma or ]")? {
                return Ok(Value::List(items));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Parsed<Value> {
        self.bump();
        let mut fields = Vec::new();
        self.white_space();
        if self.peek() == Some('}') {
            self.bump();
            return Ok(Value::Object(fields));
        }
        loop {
            let at = self.at;
            if self.peek() != Some('"') {
                return self.unexpected("a name in double quotes");
            }
            let name = self.text()?.into();
            self.white_space();
            if self.peek() != Some(':') {
                return self.unexpected("a colon");
            }
            self.bump();
            self.white_space();
            let node = self.value(depth + 1)?;
            fields.push(Field { name, at, node });
            if !self.next_item('}', "a comma or }")? {
                return Ok(Value::Object(fields));
            }
        }
    }

    /// After an item: passes a comma (true) or the closing bracket (false).
    fn next_item(&mut self, close: char, expected: &'static str) -> Parsed<bool> {
        self.white_space();
        match self.peek() {
            Some(',') => {
                let comma = self.at;
                self.bump();
                self.white_space();
                if self.peek() == Some(close) {
                    Err((comma, Syntax::TrailingComma))
                } else {
                    Ok(true)
                }
            }
            Some(c) if c == close => {
                self.bump();
                Ok(false)
            }
            _ => self.unexpected(expected),
        }
    }

    fn text(&mut self) -> Parsed<String> {
        self.bump();
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return self.unexpected("the closing quote of a text"),
                Some('"') => {
                    self.bump();
                    return Ok(text);
                }
                Some('\\') => text.push(self.escape()?),
                Some('\0'..='\x1f') => return self.fail(Syntax::ControlInText),
                Some(c) => {
                    self.bump();
                    text.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> Parsed<char> {
        let at = self.at;
        self.bump();
        Ok(match self.bump() {
            Some('"') => '"',
            Some('\\') => '\\',
            Some('/') => '/',
            Some('b') => '\x08',
            Some('f') => '\x0c',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let first = self.four_digits(at)?;
                let code = match first {
                    0xd800..=0xdbff => {
                        if !self.rest.starts_with("\\u") {
                            return Err((at, Syntax::LoneSurrogate));
                        }
                        self.bump();
                        self.bump();
                        let second = self.four_digits(at)?;
                        if !(0xdc00..=0xdfff).contains(&second) {
                            return Err((at, Syntax::LoneSurrogate));
                        }
                        0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    }
                    _ => first,
                };
                char::from_u32(code).ok_or((at, Syntax::LoneSurrogate))?
            }
            _ => return Err((at, Syntax::BadEscape)),
        })
    }

    fn four_digits(&mut self, at: Position) -> Parsed<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self
                .bump()
                .and_then(|c| c.to_digit(16))
                .ok_or((at, Syntax::BadEscape))?;
            code = code * 16 + digit;
        }
        Ok(code)
    }

    fn number(&mut self) -> Parsed<Value> {
        let at = self.at;
        let length = self
            .rest
            .find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'))
            .unwrap_or(self.rest.len());
        let (written, rest) = self.rest.split_at(length);
        if !is_number(written) {
            return Err((at, Syntax::BadNumber));
        }
        self.rest = rest;
        self.at.column = self
            .at
            .column
            .saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
        // A zero with a sign would be the same value in two spellings.
        let whole = written.parse().ok().filter(|_| written != "-0");
        Ok(whole.map_or_else(|| Value::Number(written.into()), Value::Whole))
    }
}

fn is_number(written: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = written.strip_prefix('-').unwrap_or(written);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (
            mantissa,
            Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        ),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_shown_where_it_stands() {
        let cases: &[(&[u8], (u32, u32), Syntax)] = &[
            (b"", (1, 1), Syntax::Empty),
            (b" \n ", (1, 1), Syntax::Empty),
            (
                b"{",
                (1, 2),
                Syntax::UnexpectedEnd {
                    expected: "a name in double quotes",
                },
            ),
            (
                b"{\"a\": 1,\n  \"b\" 2}",
                (2, 7),
                Syntax::Unexpected {
                    found: '2',
                    expected: "a colon",
                },
            ),
            (b"[1,\n 2,]", (2, 3), Syntax::TrailingComma),
            (
                b"[1 2]",
                (1, 4),
                Syntax::Unexpected {
                    found: '2',
                    expected: "a comma or ]",
                },
            ),
            (b"[01]", (1, 2), Syntax::BadNumber),
            (b"[1.]", (1, 2), Syntax::BadNumber),
            (b"[-]", (1, 2), Syntax::BadNumber),
            (b"[1e]", (1, 2), Syntax::BadNumber),
            (
                b"[nul]",
                (1, 2),
                Syntax::Unexpected {
                    found: 'n',
                    expected: "a value",
                },
            ),
            (b"{} {}", (1, 4), Syntax::AfterEnd),
            (b"[\"a\nb\"]", (1, 4), Syntax::ControlInText),
            (b"[\"\\x\"]", (1, 3), Syntax::BadEscape),
            (b"[\"\\ud83d\"]", (1, 3), Syntax::LoneSurrogate),
            (b"[\"\\udc3c\"]", (1, 3), Syntax::LoneSurrogate),
            (b"[\"\\ud83d\\u0041\"]", (1, 3), Syntax::LoneSurrogate),
            (b"\xff\xfe{\0}\0", (1, 1), Syntax::Utf16),
            (b"[\n\"\xe6\x9d\x8e\xff\"]", (2, 3), Syntax::NotUtf8),
            (
                "[\"李\" x]".as_bytes(),
                (1, 6),
                Syntax::Unexpected {
                    found: 'x',
                    expected: "a comma or ]",
                },
            ),
        ];
        for (bytes, (line, column), syntax) in cases {
            let at = Position {
                line: *line,
                column: *column,
            };
            assert_eq!(
                parse(bytes),
                Err((at, syntax.clone())),
                "{}",
                String::from_utf8_lossy(bytes)
            );
        }
        let deep = "[".repeat(100_000);
        assert_eq!(
            parse(deep.as_bytes()),
            Err((Position { line: 1, column: 33 }, Syntax::TooDeep))
        );
        assert_eq!(
            parse(&vec![b' '; SIZE_LIMIT + 1]),
            Err((Position::START, Syntax::TooLarge))
        );
    }

    #[test]
    fn texts_come_out_as_they_went_in() {
        for text in [
            "",
            "O'Neil-Łuczak",
            "\"Ann & Bob\" <x>",
            "李🐼",
            "שלום",
            "e\u{301}",
            "a\tb\u{0}\\",
            "\u{202e}x",
        ] {
            let written = serde_json::to_string(&[text]).expect("a text can be written");
            let node = parse(written.as_bytes()).expect("what was written can be read");
            let Value::List(items) = node.value else {
                panic!("a list was written")
            };
            assert_eq!(items[0].value, Value::Text(text.into()));
        }
        let node = parse(br#""\u674e\ud83d\udc3c\/""#).expect("escapes are read");
        assert_eq!(node.value, Value::Text("李🐼/".into()));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_file() {
        let node = parse(b"\xef\xbb\xbf[1]").expect("a marked file is read");
        assert_eq!(node.at, Position::START);
    }
}
