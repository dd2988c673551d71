//! Which encoding fits best, where none is declared or the declared one does not fit.
//!
//! Each candidate explains the same bytes as other characters, and some characters are far more usual than
//! others. So every candidate is charged for what it makes of the bytes, about −100·ln of how often such a
//! character comes; the cheapest one wins. Two names and a comment are enough to tell, where counting errors
//! tells nothing: most bytes are valid in most of these encodings.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
};

use super::step_through;
use super::usual;

/// So many bytes are looked at, from the first one on that is not ASCII.
const SAMPLE: usize = 16 * 1024;

/// A byte that is no character.
const ERROR: u32 = 2_500;

/// The candidates, and what each is charged for being rarer than the others.
static CANDIDATES: [(&Encoding, u32); 8] = [
    (GB18030, 0),
    (BIG5, 200),
    (SHIFT_JIS, 150),
    (EUC_KR, 150),
    (WINDOWS_1252, 150),
    (WINDOWS_1250, 250),
    (WINDOWS_1251, 250),
    (EUC_JP, 350),
];

/// The encoding that fits best. `declared` wins when the bytes are valid in it, unless it is one in which
/// any bytes are valid and the text in it is nonsense.
pub(super) fn guess(bytes: &[u8], declared: Option<&'static Encoding>) -> &'static Encoding {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    // What stands before it tells whether a value is open.
    let from = bytes[..first]
        .iter()
        .rposition(|byte| *byte == b'[')
        .unwrap_or(first);
    let sample = &bytes[from..bytes.len().min(from + SAMPLE)];
    let declared = declared.filter(|encoding| *encoding != UTF_8);
    if let Some(encoding) = declared
        && !encoding.is_single_byte()
        && encoding
            .decode_without_bom_handling_and_without_replacement(bytes)
            .is_some()
    {
        return encoding;
    }
    let costs = CANDIDATES
        .iter()
        .map(|(encoding, rare)| (*encoding, cost(sample, encoding).saturating_add(*rare)));
    let Some((best, least)) = costs.min_by_key(|(_, cost)| *cost) else {
        return GB18030;
    };
    match declared {
        // To overrule a declaration takes more than to be a little cheaper.
        Some(encoding) if cost(sample, encoding) / 3 <= least / 2 => encoding,
        _ => best,
    }
}

/// What an encoding is charged for a sample.
fn cost(sample: &[u8], encoding: &'static Encoding) -> u32 {
    let usual = usual::of(encoding);
    let mut sum = 0_u32;
    let mut before = ' ';
    let mut open = false;
    let mut escaped = false;
    step_through(sample, encoding, |piece, bytes| {
        for letter in piece.chars() {
            let charge = if letter.is_ascii() {
                let mut charge = 0;
                match letter {
                    _ if escaped => {}
                    // An encoding that swallows brackets leaves values open or closes them twice.
                    '[' => {
                        charge = if open { 400 } else { 0 };
                        open = true;
                    }
                    ']' => {
                        charge = if open { 0 } else { 400 };
                        open = false;
                    }
                    _ => {}
                }
                charge
            } else if letter == char::REPLACEMENT_CHARACTER {
                ERROR
            } else {
                usual.charge(letter, &sample[bytes.clone()]) + usual.neighbours(before, letter)
            };
            let after = if letter.is_ascii() {
                usual.after(before, letter)
            } else {
                0
            };
            sum = sum.saturating_add(charge + after);
            escaped = letter == '\\' && !escaped;
            before = letter;
        }
    });
    sum
}
