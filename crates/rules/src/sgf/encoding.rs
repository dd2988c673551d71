//! What the bytes say: which encoding a file is in, and its text.
//!
//! In this order, each step only when those before it say nothing:
//! 1. the caller's word;
//! 2. a mark of byte order (BOM), or the zeros of UTF-16;
//! 3. valid UTF-8, whatever is declared: text that is something else hardly ever happens to be that;
//! 4. UTF-8 with a few bytes broken or cut off, which as anything else would be nonsense from end to end;
//! 5. the encoding that CA declares, when the bytes are valid in it;
//! 6. the one in which the characters are the most usual ones ([`guess`]).

mod guess;
mod usual;

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
};

use super::place::Origin;
use super::read::{Noticed, quote};
use crate::finding::FindingKind;
use crate::verdict::RefusalKind;

/// A file as text.
pub(super) struct Decoded<'b> {
    pub(super) text: Cow<'b, str>,
    /// The encoding's usual name.
    pub(super) name: &'static str,
    pub(super) origin: Origin,
    pub(super) noticed: Noticed,
}

/// So many bytes are looked at for broken UTF-8, from the first one on that is not ASCII.
const SAMPLE: usize = 64 * 1024;

/// The name for text in which no encoding makes a difference.
const ASCII: &str = "US-ASCII";

/// Decodes a file.
///
/// # Errors
/// When the caller asks for an encoding that is not known, and when the bytes are no text.
pub(super) fn decode<'b>(bytes: &'b [u8], chosen: Option<&str>) -> Result<Decoded<'b>, RefusalKind> {
    let mark = Encoding::for_bom(bytes);
    if let Some(label) = chosen {
        let Some(encoding) = by_label(label) else {
            return Err(RefusalKind::NoSuchEncoding { name: quote(label) });
        };
        let skip = mark.map_or(0, |(marked, length)| if marked == encoding { length } else { 0 });
        return Ok(in_encoding(bytes, skip, encoding));
    }
    if let Some((encoding, skip)) = mark {
        return Ok(against_declared(in_encoding(bytes, skip, encoding), encoding));
    }
    if let Some(encoding) = utf16_by_zeros(bytes) {
        return Ok(against_declared(in_encoding(bytes, 0, encoding), encoding));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => {
            if is_iso_2022_jp(bytes) {
                let decoded = in_encoding(bytes, 0, ISO_2022_JP);
                return Ok(match declared(bytes) {
                    Some(_) => against_declared(decoded, ISO_2022_JP),
                    None => guessed(decoded),
                });
            }
            return Ok(Decoded {
                text: Cow::Borrowed(text),
                name: ASCII,
                origin: Origin::default(),
                noticed: Noticed::default(),
            });
        }
        Ok(_) => {
            let label = declared(bytes).and_then(|label| by_label(&label));
            if !guess::is_utf8_by_chance(bytes, label) {
                return Ok(against_declared(in_encoding(bytes, 0, UTF_8), UTF_8));
            }
        }
        Err(_) if is_binary(bytes) => return Err(RefusalKind::NoTree),
        Err(_) => {}
    }
    let by_label = declared(bytes).and_then(|label| by_label(&label));
    if is_damaged_utf8(bytes, by_label) {
        return Ok(against_declared(in_encoding(bytes, 0, UTF_8), UTF_8));
    }
    let encoding = guess::guess(bytes, by_label);
    let decoded = in_encoding(bytes, 0, encoding);
    Ok(match by_label {
        Some(_) => against_declared(decoded, encoding),
        None => guessed(unknown(decoded)),
    })
}

/// Whether bytes that are not UTF-8 are no text in another encoding either, but have control characters all
/// over.
fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    // Zeros are left out: they fill up files. So are the shifts between alphabets.
    let control = |byte: &&u8| matches!(byte, 1..=8 | 0x10..=0x1A | 0x1C..=0x1F | 0x7F);
    let controls = head.iter().filter(control).count();
    controls >= 8 && controls * 25 > head.len()
}

/// The encoding of a name, in the many ways in which programs write them.
fn by_label(label: &str) -> Option<&'static Encoding> {
    let simple: String = label
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let encoding = match simple.as_str() {
        "utf8" | "utf8n" | "cp65001" | "65001" | "unicode11utf8" => UTF_8,
        "utf16" | "ucs2" | "utf16le" | "unicode" => UTF_16LE,
        "utf16be" => UTF_16BE,
        "gb" | "gb2312" | "gb231280" | "gbk" | "gb18030" | "cp936" | "936" | "ms936" | "windows936"
        | "euccn" | "xgbk" | "eucgb" | "gb18030simplified" | "chinese" | "hzgb" => GB18030,
        "big5" | "big5hkscs" | "big5eten" | "cp950" | "950" | "ms950" | "windows950" | "cnbig5"
        | "xxbig5" | "xbig5" => BIG5,
        "shiftjis" | "sjis" | "sjiswin" | "shiftjisx0213" | "xsjis" | "cp932" | "932" | "ms932"
        | "mskanji" | "windows932" | "windows31j" | "csshiftjis" => SHIFT_JIS,
        "euckr" | "ksc56011987" | "ksc5601" | "ksx1001" | "ks5601" | "cp949" | "949" | "ms949"
        | "windows949" | "uhc" | "korean" | "xwindows949" => EUC_KR,
        "eucjp" | "xeucjp" | "ujis" | "cp51932" | "eucjpwin" => EUC_JP,
        "iso2022jp" | "jis" | "csiso2022jp" | "iso2022jp1" | "cp50220" | "cp50221" => ISO_2022_JP,
        _ => {
            let number = simple.strip_prefix("latin").or(simple.strip_prefix("isolatin"));
            let known = match number {
                Some(number) => format!("latin{number}"),
                None => match simple.strip_prefix("iso8859").or(simple.strip_prefix("8859")) {
                    Some(number) => format!("iso-8859-{number}"),
                    None => match simple.strip_prefix("windows") {
                        Some(number) => format!("windows-{number}"),
                        None => simple,
                    },
                },
            };
            let encoding = Encoding::for_label_no_replacement(known.as_bytes())
                .or_else(|| Encoding::for_label_no_replacement(label.trim().as_bytes()))?;
            if encoding == GBK { GB18030 } else { encoding }
        }
    };
    Some(encoding)
}

/// An encoding's name as people write it.
fn usual_name(encoding: &'static Encoding) -> &'static str {
    match encoding.name() {
        "gb18030" => "GB18030",
        name => name,
    }
}

/// What CA says, wherever it stands; not within a value.
fn declared(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let range = declared_at(bytes)?;
    Some(String::from_utf8_lossy(&bytes[range]))
}

/// Where the value of CA stands in the first node. For bytes in any encoding that leaves ASCII as it is.
/// A half of a character can look like an escape, and an escape can come after a letter, so both are tried.
fn declared_at(bytes: &[u8]) -> Option<Range<usize>> {
    declared_with(bytes, true).or_else(|| declared_with(bytes, false))
}

/// The same, when some bytes are halves of characters or when none are.
fn declared_with(bytes: &[u8], halves: bool) -> Option<Range<usize>> {
    let mut from = 0;
    let mut nodes = 0;
    while nodes < 2 {
        let start = from + memchr::memchr(b'[', &bytes[from..])? + 1;
        let end = value_end(bytes, start, halves);
        let before = bytes[from..start - 1].trim_ascii_end();
        let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic());
        let (before, name) = before.split_at(before.len() - letters.count());
        let is_name = name.eq_ignore_ascii_case(b"ca")
            || name.iter().filter(|byte| byte.is_ascii_uppercase()).eq(b"CA");
        let blank = before.last().is_some_and(u8::is_ascii_whitespace);
        let last = before.trim_ascii_end().last().copied();
        if is_name && (blank || matches!(last, None | Some(b';' | b']' | b'('))) {
            return Some(start..end);
        }
        nodes += usize::from(last == Some(b';') && !name.is_empty());
        from = bytes.len().min(end + 1);
    }
    None
}

/// Where a value ends. Where bytes can be halves of characters, a backslash after an odd number of bytes that
/// are not ASCII is one.
fn value_end(bytes: &[u8], start: usize, halves: bool) -> usize {
    let mut at = start;
    while let Some(step) = memchr::memchr2(b']', b'\\', &bytes[at..]) {
        at += step;
        if bytes[at] == b']' {
            return at;
        }
        let others = bytes[start..at].iter().rev().take_while(|byte| !byte.is_ascii());
        let is_half = halves && others.count() % 2 == 1;
        at = bytes.len().min(at + if is_half { 1 } else { 2 });
    }
    bytes.len()
}

/// Says so when a text is in another encoding than it declares.
fn against_declared<'b>(mut decoded: Decoded<'b>, used: &'static Encoding) -> Decoded<'b> {
    let Some(range) = declared_at(decoded.text.as_bytes()) else {
        return decoded;
    };
    let label = decoded.text[range.clone()].trim();
    let kind = match by_label(label) {
        Some(encoding) if encoding == used => return decoded,
        // “UTF-16” says nothing of the order of bytes.
        Some(encoding) if encoding == UTF_16LE && used == UTF_16BE => return decoded,
        Some(_) => FindingKind::EncodingNotAsDeclared {
            declared: quote(label),
            used: decoded.name,
        },
        None if label.is_empty() => return decoded,
        None => FindingKind::EncodingUnknown {
            declared: quote(label),
        },
    };
    decoded.noticed.add(kind, range.start);
    decoded
}

/// Says that a declared encoding is not known.
fn unknown(mut decoded: Decoded<'_>) -> Decoded<'_> {
    if let Some(range) = declared_at(decoded.text.as_bytes()) {
        let declared = quote(decoded.text[range.clone()].trim());
        if !declared.is_empty() {
            decoded
                .noticed
                .add(FindingKind::EncodingUnknown { declared }, range.start);
        }
    }
    decoded
}

/// Says that an encoding was guessed, at the first character that it is about.
fn guessed(mut decoded: Decoded<'_>) -> Decoded<'_> {
    let first = decoded.text.bytes().position(|byte| !byte.is_ascii());
    let used = decoded.name;
    decoded.noticed.add(FindingKind::EncodingGuessed { used }, first);
    decoded
}

/// UTF-16 without a mark: the file begins with `(;`, or every second byte of what is mostly ASCII is zero.
fn utf16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(1024)];
    if !head[..head.len().min(32)].contains(&0) {
        return None;
    }
    let units = |number: fn([u8; 2]) -> u16| {
        let mut units = head.as_chunks::<2>().0.iter().map(|unit| number(*unit));
        let blank = |unit: &u16| matches!(unit, 0x09..=0x0D | 0x20);
        let first = units.by_ref().find(|unit| !blank(unit));
        first == Some(u16::from(b'(')) && units.find(|unit| !blank(unit)) == Some(u16::from(b';'))
    };
    if units(u16::from_le_bytes) {
        return Some(UTF_16LE);
    }
    if units(u16::from_be_bytes) {
        return Some(UTF_16BE);
    }
    let zeros = |parity| {
        head.iter()
            .skip(parity)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let most = head.len() / 2;
    match (zeros(0), zeros(1)) {
        (0, little) if little * 2 > most => Some(UTF_16LE),
        (big, 0) if big * 2 > most => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether an ASCII text has the escapes of ISO-2022-JP, and is valid in it.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    let shifts = |at: usize| matches!(bytes[at + 1..], [b'$', b'B' | b'@', ..]);
    memchr::memchr_iter(0x1B, bytes).any(shifts)
        && ISO_2022_JP
            .decode_without_bom_handling_and_without_replacement(bytes)
            .is_some()
}

/// Whether bytes that are not valid UTF-8 still can be nothing else: far more characters are whole than
/// broken. By chance whole ones of three bytes are rare in other encodings.
fn is_damaged_utf8(bytes: &[u8], declared: Option<&'static Encoding>) -> bool {
    let (mut whole, mut broken, mut cut) = (0_usize, 0_usize, 0_usize);
    let first = Encoding::ascii_valid_up_to(bytes);
    let sample = &bytes[first..bytes.len().min(first + SAMPLE)];
    for chunk in sample.utf8_chunks() {
        whole += chunk.valid().bytes().filter(|byte| *byte >= 0xE0).count();
        match chunk.invalid() {
            [] => {}
            // All but the last byte, as cutting off a “space” 0xA0 leaves it.
            [0xE0..=0xEF, _] | [0xF0..=0xF4, _, _] => cut += 1,
            _ => broken += 1,
        }
    }
    if declared == Some(UTF_8) {
        broken + cut > 0 && whole + cut > broken
    } else {
        broken + cut > 0 && whole >= 2 * (broken + cut)
    }
}

/// A text in a known encoding, with U+FFFD for what is no character in it.
fn in_encoding<'b>(bytes: &'b [u8], skip: usize, encoding: &'static Encoding) -> Decoded<'b> {
    let mut decoded = Decoded {
        text: Cow::Borrowed(""),
        name: usual_name(encoding),
        origin: Origin::after(skip),
        noticed: Noticed::default(),
    };
    let rest = &bytes[skip..];
    if encoding == UTF_8 {
        if let Ok(text) = std::str::from_utf8(rest) {
            decoded.text = Cow::Borrowed(text);
            return decoded;
        }
        let mut text = String::with_capacity(rest.len() + 64);
        let mut at = skip;
        for chunk in rest.utf8_chunks() {
            decoded.origin.note(text.len(), at);
            text.push_str(chunk.valid());
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                decoded.noticed.add(FindingKind::TextDamaged, text.len());
                text.push(char::REPLACEMENT_CHARACTER);
                at += chunk.invalid().len();
            }
        }
        decoded.origin.note(text.len(), at);
        decoded.text = Cow::Owned(text);
        return decoded;
    }
    let mut text = String::with_capacity(rest.len() + rest.len() / 2);
    step_through(rest, encoding, |piece, bytes| {
        if piece.is_ascii() {
            decoded.origin.note(text.len(), skip + bytes.start);
            text.push_str(piece);
            return;
        }
        let mut at = bytes.start;
        for letter in piece.chars() {
            if letter == char::REPLACEMENT_CHARACTER {
                decoded.noticed.add(FindingKind::TextDamaged, text.len());
            } else if let Ok(byte) = u8::try_from(letter)
                && byte.is_ascii()
            {
                // It was tried as a part of a character before.
                at += memchr::memchr(byte, &rest[at..bytes.end]).unwrap_or(0);
            }
            decoded.origin.note(text.len(), skip + at);
            text.push(letter);
            at = bytes.end.min(at + 1);
        }
    });
    decoded.origin.note(text.len(), bytes.len());
    decoded.text = Cow::Owned(text);
    decoded
}

/// Decodes piece by piece: tells the text of each piece and which bytes became it. A piece is a run of
/// ASCII, or what came of the bytes up to the one that completed a character.
fn step_through(bytes: &[u8], encoding: &'static Encoding, mut tell: impl FnMut(&str, Range<usize>)) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut buffer = [0; 32];
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        if start == at && encoding.is_ascii_compatible() {
            let run = Encoding::ascii_valid_up_to(&bytes[at..]);
            if run > 0 {
                let ascii = std::str::from_utf8(&bytes[at..at + run]).unwrap_or_default();
                at += run;
                tell(ascii, start..at);
                start = at;
                continue;
            }
        }
        let last = at + 1 == bytes.len();
        let (_, _, written, _) = decoder.decode_to_utf8(&bytes[at..=at], &mut buffer, last);
        at += 1;
        if written > 0 {
            let piece = std::str::from_utf8(&buffer[..written]).unwrap_or_default();
            tell(piece, start..at);
            start = at;
        }
    }
}
