//! Which encoding fits best, where none is declared or the declared one does not fit.
//!
//! Each candidate explains the same bytes as other characters, and some characters are far more usual than
//! others. So every candidate is charged for what it makes of the bytes, about −100·ln of how often such a
//! character comes; the cheapest one wins. Two names and a comment are enough to tell, where counting errors
//! tells nothing: most bytes are valid in most of these encodings.
//!
//! Among the alphabets, which are many and alike, chardetng knows better; of Chinese, Japanese and Korean names
//! it takes more to convince it than most records have.

use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
};

use super::step_through;
use super::usual::{self, Writing};

/// At most so many bytes are looked at.
const SAMPLE: usize = 4 * 1024;
/// So many ASCII characters are looked at after others.
const AFTER: usize = 8;

/// A byte that is no character.
const ERROR: u32 = 2_500;
/// A value within a value, or an end without a beginning: an encoding that swallows brackets brings them about.
const BRACKET: u32 = 400;
/// What a character of the right encoding is charged on average, at most.
const FITS: u32 = 950;

/// What a letter of the right alphabet is charged on average, at most.
const FITS_WELL: u32 = 600;

/// The candidates, and what each is charged for being rarer than the others.
static CANDIDATES: [(&Encoding, u32); 8] = [
    (GB18030, 0),
    (BIG5, 200),
    (SHIFT_JIS, 150),
    (EUC_KR, 150),
    (EUC_JP, 350),
    (WINDOWS_1252, 150),
    (WINDOWS_1250, 250),
    (WINDOWS_1251, 250),
];

/// The encoding that fits best. `declared` wins when the bytes are valid in it, unless it is one in which
/// any bytes are valid and the text in it is nonsense.
pub(super) fn guess(bytes: &[u8], declared: Option<&'static Encoding>) -> &'static Encoding {
    let declared = declared.filter(|encoding| *encoding != UTF_8);
    if let Some(encoding) = declared
        && !encoding.is_single_byte()
        && encoding
            .decode_without_bom_handling_and_without_replacement(bytes)
            .is_some()
    {
        return encoding;
    }
    let sample = sample(bytes);
    let charged = |(encoding, rare): (&'static Encoding, u32)| {
        let cost = cost(bytes, &sample, encoding);
        (encoding, cost.sum.saturating_add(rare), cost)
    };
    let declared = declared.filter(|encoding| encoding.is_single_byte());
    if let Some(encoding) = declared {
        let (_, sum, cost) = charged((encoding, 0));
        if sum < FITS_WELL.saturating_mul(cost.characters) {
            return encoding;
        }
        // Between alphabets the declaration decides. To overrule it in favour of other writing takes nonsense.
        let others = CANDIDATES
            .into_iter()
            .filter(|(other, _)| !other.is_single_byte());
        let other = others.map(charged).min_by_key(|(_, sum, _)| *sum);
        return match other {
            Some((other, least, cost)) if cost.characters > 2 && least.saturating_mul(2) < sum => other,
            _ => encoding,
        };
    }
    let cheapest = CANDIDATES.into_iter().map(charged).min_by_key(|(_, sum, _)| *sum);
    let Some((mut best, least, cost)) = cheapest else {
        return GB18030;
    };
    if best.is_single_byte() || cost.sum > FITS.saturating_mul(cost.characters) {
        let (alphabet, sum, _) = charged((alphabet(bytes, &sample), 450));
        // To tell alphabets apart is beyond these charges, except Cyrillic in a word or two.
        let known = best.is_single_byte()
            && (cost.characters > 16
                || usual::writing(best) == Writing::Latin && usual::writing(alphabet) == Writing::Latin);
        if alphabet.is_single_byte() && (known || sum < least) {
            best = alphabet;
        }
    }
    best
}

/// Whether bytes that are valid UTF-8 are so by chance, since as Chinese they make more sense. It takes two
/// characters or so to be sure that they are not.
pub(super) fn is_utf8_by_chance(bytes: &[u8], declared: Option<&'static Encoding>) -> bool {
    let longer = |byte: &u8| *byte >= 0xE0;
    let declared = match declared {
        Some(encoding) if encoding == UTF_8 || encoding.is_single_byte() => return false,
        other => other,
    };
    if bytes.iter().filter(|byte| !byte.is_ascii()).count() > 32 || bytes.iter().any(longer) {
        return false;
    }
    if declared.is_none() && only_fractions(bytes) {
        return false;
    }
    let sample = sample(bytes);
    let other = cost(bytes, &sample, declared.unwrap_or(GB18030)).sum;
    let utf8 = cost(bytes, &sample, UTF_8).sum;
    match declared {
        Some(_) => other < utf8 + 300,
        None => other + 200 < utf8,
    }
}

/// Whether nothing but fractions of numbers is not ASCII: “B+½”, whose bytes are also those of a surname (陆).
fn only_fractions(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let mut before = None;
    text.chars().all(|letter| {
        let number = matches!(before.replace(letter), Some('0'..='9' | '+' | '-'));
        letter.is_ascii() || (number && matches!(letter, '¼' | '½' | '¾'))
    })
}

/// What chardetng makes of it.
fn alphabet(bytes: &[u8], sample: &[Range<usize>]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for part in sample {
        detector.feed(&bytes[part.clone()], false);
    }
    detector.feed(b"", true);
    detector.guess(None, Utf8Detection::Deny)
}

/// The parts of a file that tell something: values with characters that are not ASCII, from their `[` to
/// a little after the last such character.
fn sample(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut taken = 0;
    let mut at = 0;
    while taken < SAMPLE
        && let Some(step) = bytes[at..].iter().position(|byte| !byte.is_ascii())
    {
        let first = at + step;
        let quiet = |part: &[u8]| part.iter().all(u8::is_ascii);
        let mut end = first + 1;
        while end < bytes.len() && end - first < SAMPLE && !quiet(&bytes[end..bytes.len().min(end + AFTER)]) {
            end += 1;
        }
        let end = bytes.len().min(end + AFTER);
        let bracket = bytes[at..first].iter().rposition(|byte| *byte == b'[');
        let start = bracket.map_or(at.max(first.saturating_sub(AFTER)), |bracket| at + bracket);
        taken += end - start;
        parts.push(start..end);
        at = end;
    }
    parts
}

/// What an encoding is charged, and for how many characters beside ASCII.
struct Cost {
    sum: u32,
    characters: u32,
}

fn cost(bytes: &[u8], sample: &[Range<usize>], encoding: &'static Encoding) -> Cost {
    let usual = usual::of(encoding);
    let mut cost = Cost {
        sum: 0,
        characters: 0,
    };
    for part in sample {
        let part = &bytes[part.clone()];
        let mut before = ' ';
        let mut open = false;
        let mut escaped = false;
        step_through(part, encoding, |piece, from| {
            for letter in piece.chars() {
                let charge = match letter {
                    '[' | ']' if !escaped => {
                        let is_wrong = open == (letter == '[');
                        open = letter == '[';
                        if is_wrong { BRACKET } else { 0 }
                    }
                    char::REPLACEMENT_CHARACTER if from.end < part.len() => ERROR,
                    // What is cut off at the end of the sample is no fault.
                    char::REPLACEMENT_CHARACTER => 0,
                    _ if letter.is_ascii() => usual.after(before, letter),
                    _ => {
                        cost.characters += 1;
                        usual.charge(letter, &part[from.clone()]) + usual.neighbours(before, letter)
                    }
                };
                cost.sum = cost.sum.saturating_add(charge);
                escaped = letter == '\\' && !escaped;
                before = letter;
            }
        });
    }
    cost
}
