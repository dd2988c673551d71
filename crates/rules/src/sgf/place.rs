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
    /// The line that was asked for last: places are asked for in the order of the text.
    last: Cell<usize>,
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
            last: Cell::new(0),
        }
    }

    /// Characters between two offsets.
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

    /// The line in which an offset lies, from 0.
    fn line(&self, offset: usize) -> usize {
        let last = self.last.get();
        let later = |line: usize| self.lines.get(line).is_none_or(|start| wide(*start) > offset);
        let line = if later(last) || !later(last + 2) {
            // The text begins with a line.
            self.lines.partition_point(|start| wide(*start) <= offset) - 1
        } else if later(last + 1) {
            last
        } else {
            last + 1
        };
        self.last.set(line);
        line
    }

    pub(super) fn place(&self, text: &str, origin: &Origin, offset: usize) -> Place {
        let offset = offset.min(text.len());
        let line = self.line(offset);
        let start = wide(self.lines[line]);
        Place {
            offset: origin.file(offset),
            line: narrow(line + 1),
            column: narrow(self.between(text, start, offset) + 1),
        }
    }
}
