//! Lists as text: what encoding, what separator, which cells.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

use super::{RawRow, Refusal, Source};

/// What may stand between cells; of several that do so equally well the first is taken.
const SEPARATORS: [char; 5] = ['\t', ';', '；', ',', '，'];
/// How many lines are looked at for the separator.
const LINES_LOOKED_AT: usize = 50;

/// The rows of a text.
pub(super) fn rows(bytes: &[u8], encoding: Option<&str>) -> Result<(Source, Vec<RawRow>, String), Refusal> {
    let (text, encoding) = decoded(bytes, encoding)?;
    let (separator, rows) = cut(&text);
    let source = Source::Text {
        encoding: encoding.name(),
        separator,
    };
    Ok((source, rows, text))
}

/// A text in rows, and what stands between its cells.
pub(super) fn cut(text: &str) -> (char, Vec<RawRow>) {
    if let Some((separator, rest)) = declared(text) {
        return (separator, cells(rest, separator, 2));
    }
    let separator = separator(text);
    (separator, cells(text, separator, 1))
}

fn exactly(bytes: &[u8], encoding: &'static Encoding) -> Option<String> {
    encoding
        .decode_without_bom_handling_and_without_replacement(bytes)
        .map(std::borrow::Cow::into_owned)
}

fn decoded(bytes: &[u8], chosen: Option<&str>) -> Result<(String, &'static Encoding), Refusal> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let text = exactly(&bytes[mark..], encoding).ok_or(Refusal::NoText)?;
        return Ok((text, encoding));
    }
    if let Some(name) = chosen {
        let refused = || Refusal::NotInEncoding(name.chars().take(40).collect());
        let encoding = Encoding::for_label(name.as_bytes()).ok_or_else(refused)?;
        let text = exactly(bytes, encoding).ok_or_else(refused)?;
        return Ok((text, encoding));
    }
    let zeros = |odd: bool| {
        let places = bytes.iter().enumerate().filter(|(at, _)| (at % 2 == 1) == odd);
        places.filter(|(_, byte)| **byte == 0).count()
    };
    let (high_first, low_first) = (zeros(false), zeros(true));
    if high_first + low_first > 0 {
        // No text in any other encoding has zero bytes; separators and line ends have them in UTF-16.
        let encoding = if low_first >= high_first {
            UTF_16LE
        } else {
            UTF_16BE
        };
        let text = exactly(bytes, encoding).filter(|text| !text.contains('\0'));
        return Ok((text.ok_or(Refusal::NoText)?, encoding));
    }
    if let Some(text) = exactly(bytes, UTF_8) {
        return Ok((text, UTF_8));
    }
    // Headings say it for certain, where there are any.
    for (encoding, heading) in [
        (GB18030, "姓名"),
        (BIG5, "姓名"),
        (SHIFT_JIS, "氏名"),
        (EUC_KR, "이름"),
    ] {
        if let Some(text) = exactly(bytes, encoding).filter(|text| text.contains(heading)) {
            return Ok((text, encoding));
        }
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guessed = detector.guess(Some(b"cn"), Utf8Detection::Deny);
    [guessed, GB18030]
        .into_iter()
        .map(|encoding| {
            if encoding.name() == "GBK" {
                GB18030
            } else {
                encoding
            }
        })
        .find_map(|encoding| Some((exactly(bytes, encoding)?, encoding)))
        .ok_or(Refusal::NoText)
}

/// Excel's own first line: `sep=;`.
fn declared(text: &str) -> Option<(char, &str)> {
    let (line, rest) = text.split_once('\n')?;
    let mut said = line.trim_end_matches('\r').strip_prefix("sep=")?.chars();
    match (said.next(), said.next()) {
        (Some(separator), None) => Some((separator, rest)),
        _ => None,
    }
}

/// What stands between cells: what is there in the most lines, and in most of those most often.
fn separator(text: &str) -> char {
    let mut lines_with = [0_usize; SEPARATORS.len()];
    let mut seen = [false; SEPARATORS.len()];
    let mut quoted = false;
    let mut lines = 0;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '\n' => {
                for (count, seen) in lines_with.iter_mut().zip(&mut seen) {
                    *count += usize::from(std::mem::take(seen));
                }
                lines += 1;
                // A quote that stays open is one in a name.
                quoted = false;
                if lines == LINES_LOOKED_AT {
                    break;
                }
            }
            c if !quoted => {
                if let Some(at) = SEPARATORS.iter().position(|separator| *separator == c) {
                    seen[at] = true;
                }
            }
            _ => {}
        }
    }
    let mut best = 0;
    for at in 0..SEPARATORS.len() {
        lines_with[at] += usize::from(seen[at]);
        if lines_with[at] > lines_with[best] {
            best = at;
        }
    }
    SEPARATORS[best]
}

/// The text as cells, each row with its line.
///
/// Read here and not by a library: those take the quotes out of `"Ann & Bob" <x>`, which is a name.
fn cells(text: &str, separator: char, first_line: usize) -> Vec<RawRow> {
    let mut rows: Vec<RawRow> = Vec::new();
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let (mut line, mut begun) = (first_line, first_line);
    let mut end = |begun: usize, row: &mut Vec<String>, cell: &mut String| {
        row.push(std::mem::take(cell));
        rows.push(RawRow {
            line: begun,
            cells: std::mem::take(row),
            errors: Vec::new(),
        });
    };
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            // A quote opens a cell only where the cell begins: a name may have quotes inside.
            '"' if cell.trim().is_empty() && closes(characters.clone(), separator) => {
                cell.clear();
                quoted = true;
            }
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' | '\r' if !quoted => {
                end(begun, &mut row, &mut cell);
                line += 1;
                begun = line;
            }
            '\n' | '\r' => {
                line += 1;
                cell.push(' ');
            }
            c if c == separator && !quoted => row.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    end(begun, &mut row, &mut cell);
    rows
}

/// Whether a quote that opens here is closed again at the end of a cell.
fn closes(mut rest: std::iter::Peekable<std::str::Chars<'_>>, separator: char) -> bool {
    while let Some(c) = rest.next() {
        if c == '"' {
            match rest.peek() {
                Some('"') => {
                    rest.next();
                }
                None | Some('\n' | '\r') => return true,
                Some(next) => return *next == separator,
            }
        }
    }
    false
}
