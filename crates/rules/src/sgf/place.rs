//! From a position in the decoded text back to the file: byte, line, column.

use std::cell::Cell;

use super::{narrow, wide};
use crate::finding::Place;

/// How the text lies over the bytes it came from: from each of these positions on, text and file run side by
/// side, byte for byte. Empty for a text that lies over the file from the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin(Vec<(u32, u32)>);

impl Origin {
    /// A text that is the file without so many bytes before it.
    pub(super) fn after(bytes: usize) -> Self {
        let mut origin = Self::default();
        origin.note(0, bytes);
        origin
    }

    /// A character at this position of the text begins at that byte of the file. To be told in order.
    pub(super) fn note(&mut self, text: usize, file: usize) {
        let (last_text, last_file) = self.0.last().copied().unwrap_or_default();
        if file.wrapping_sub(text) != wide(last_file).wrapping_sub(wide(last_text)) {
            self.0.push((narrow(text), narrow(file)));
        }
    }

    /// The byte of the file.
    #[inline]
    fn file(&self, text: usize) -> usize {
        if self.0.is_empty() {
            return text;
        }
        let after = self.0.partition_point(|(start, _)| wide(*start) <= text);
        let (start, file) = after.checked_sub(1).map_or((0, 0), |before| self.0[before]);
        let file = wide(file) + (text - wide(start));
        // Within a character that is longer in the text than in the file.
        self.0.get(after).map_or(file, |(_, next)| file.min(wide(*next)))
    }
}

/// Bytes between two counts of characters.
const STEP: usize = 256;

/// Where lines begin, and how many characters come before.
#[derive(Clone, Debug)]
pub(super) struct Index {
    lines: Vec<u32>,
    /// Characters before every [`STEP`]th byte; empty when each byte is one.
    characters: Vec<u32>,
    /// What was asked for last: places are asked for in the order of the text.
    last: Cell<Last>,
}

/// An offset, and where it lies.
#[derive(Clone, Copy, Debug)]
struct Last {
    offset: usize,
    /// Its line, from 0, and where the next one begins.
    line: usize,
    next: usize,
    /// Characters before it in the line.
    characters: usize,
}

/// Characters that begin in some bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    // So few at a time that a byte holds their number, which is counted many times faster.
    let few = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| u8::from(*byte & 0xC0 != 0x80))
            .sum::<u8>()
    };
    bytes.chunks(128).map(|bytes| usize::from(few(bytes))).sum()
}

impl Index {
    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut lines = vec![0];
        lines.extend(
            memchr::memchr2_iter(b'\n', b'\r', bytes)
                .filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'))
                .map(|at| narrow(at + 1)),
        );
        let mut counts = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for chunk in bytes.chunks(STEP) {
                counts.push(narrow(before));
                before += characters(chunk);
            }
            counts.push(narrow(before));
        }
        Self {
            lines,
            characters: counts,
            // Before every line.
            last: Cell::new(Last {
                offset: 0,
                line: 0,
                next: 0,
                characters: 0,
            }),
        }
    }

    /// Characters between two offsets.
    #[inline]
    fn between(&self, text: &str, from: usize, to: usize) -> usize {
        let bytes = text.as_bytes();
        let before = |offset: usize| {
            let chunk = offset / STEP;
            wide(self.characters[chunk]) + characters(&bytes[chunk * STEP..offset])
        };
        if self.characters.is_empty() {
            to - from
        } else if to - from < STEP {
            characters(&bytes[from..to])
        } else {
            before(to) - before(from)
        }
    }

    #[inline]
    pub(super) fn place(&self, text: &str, origin: &Origin, offset: usize) -> Place {
        let offset = offset.min(text.len());
        let mut last = self.last.get();
        if !(last.offset..last.next).contains(&offset) {
            last = self.line(last.line, offset);
        }
        last.characters += self.between(text, last.offset, offset);
        last.offset = offset;
        self.last.set(last);
        Place {
            offset: origin.file(offset),
            line: narrow(last.line + 1),
            column: narrow(last.characters + 1),
        }
    }

    /// The beginning of the line in which an offset lies; most often it is the one after the last.
    fn line(&self, last: usize, offset: usize) -> Last {
        let start = |line: usize| self.lines.get(line).map_or(usize::MAX, |start| wide(*start));
        let is_next = (start(last + 1)..start(last + 2)).contains(&offset);
        let line = if is_next {
            last + 1
        } else {
            // The text begins with a line.
            self.lines.partition_point(|start| wide(*start) <= offset) - 1
        };
        Last {
            offset: start(line),
            line,
            next: start(line + 1),
            characters: 0,
        }
    }
}
