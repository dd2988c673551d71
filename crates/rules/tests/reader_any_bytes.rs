//! Any bytes at all, records with some bytes changed, and records made by the grammar in every encoding.
//!
//! `TIANYUAN_SECONDS=300` goes on for so long per test instead of the usual few hundred cases, and says how
//! many there were.

#![expect(
    clippy::disallowed_methods,
    reason = "how long to test is for whoever runs the tests to say"
)]

mod written;

use std::ops::Range;
use std::time::{Duration, Instant};

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestRunner};
use rules::Refusal;
use rules::sgf::{self, Collection};

/// Cases between two looks at the clock.
const CASES: u32 = 128;

/// Tries cases until the time is up.
fn hold<S: Strategy>(name: &str, strategy: &S, test: impl Fn(S::Value) -> TestCaseResult) {
    let seconds = std::env::var("TIANYUAN_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let time = Duration::from_secs(seconds.unwrap_or(0));
    let begin = Instant::now();
    let mut cases = 0;
    loop {
        let mut runner = TestRunner::new(Config {
            cases: CASES,
            failure_persistence: None,
            ..Config::default()
        });
        if let Err(error) = runner.run(strategy, &test) {
            panic!("{name}: {error}");
        }
        cases += CASES;
        if begin.elapsed() >= time {
            break;
        }
    }
    if seconds.is_some() {
        println!("{name}: {cases} cases in {:?}", begin.elapsed());
    }
}

/// What must hold of whatever was read: places that lie in the file and say the same as counting by hand,
/// and trees in which each node is met once.
fn check(bytes: &[u8], collection: &Collection) -> TestCaseResult {
    let text = collection.text();
    let ascii_stays = !["UTF-16LE", "UTF-16BE", "ISO-2022-JP"].contains(&collection.encoding());
    let place = |offset: usize| {
        let place = collection.place(offset);
        let before = &text[..offset];
        // A `\r` at the very end of what comes before is half of a line's end when `\n` follows.
        let is_end = |at: usize, byte: u8| {
            byte == b'\n' || byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n')
        };
        let ends: Vec<usize> = before
            .bytes()
            .enumerate()
            .filter(|(at, byte)| is_end(*at, *byte))
            .map(|(at, _)| at)
            .collect();
        let start = ends.last().map_or(0, |at| at + 1);
        prop_assert_eq!(place.line as usize, ends.len() + 1);
        prop_assert_eq!(place.column as usize, before[start..].chars().count() + 1);
        prop_assert!(place.offset <= bytes.len());
        if let Some(byte) = text.as_bytes().get(offset).filter(|byte| byte.is_ascii())
            && ascii_stays
        {
            prop_assert_eq!(bytes.get(place.offset), Some(byte), "{}", collection.encoding());
        }
        Ok(place.offset)
    };
    let mut nodes = 0;
    for game in collection.games() {
        let mut waiting = vec![game.root()];
        let mut met = 0;
        let mut leaves = 0;
        while let Some(node) = waiting.pop() {
            met += 1;
            leaves += usize::from(node.first_child().is_none());
            waiting.extend(node.first_child());
            waiting.extend(node.next_sibling());
            // By hand is slow.
            if met > 50 {
                continue;
            }
            let at = place(node.offset())?;
            for property in node.properties() {
                prop_assert!(place(property.offset())? >= at);
                prop_assert!(!property.name().is_empty());
                prop_assert!(property.name().bytes().all(|byte| byte.is_ascii_uppercase()));
                prop_assert!(property.values().len() > 0);
                for value in property.values() {
                    place(value.offset())?;
                    prop_assert!(
                        value
                            .text()
                            .chars()
                            .all(|letter| letter == '\n' || !letter.is_control())
                    );
                    prop_assert!(!value.plain().contains('\n'));
                    if let Some((one, two)) = value.compose() {
                        prop_assert_eq!(format!("{}:{}", one.raw(), two.raw()), value.raw());
                    }
                }
            }
        }
        prop_assert_eq!(met, game.node_count());
        prop_assert_eq!(leaves, game.variations() + 1);
        prop_assert!(game.main_line().count() <= met);
        nodes += met;
    }
    prop_assert!(nodes > 0 && nodes <= sgf::NODES);
    prop_assert!(collection.findings().len() <= sgf::FINDINGS + 1);
    for finding in collection.findings() {
        if let Some(place) = finding.place {
            prop_assert!(place.offset <= bytes.len() && place.line > 0 && place.column > 0);
        }
    }
    Ok(())
}

/// Reads some bytes, by themselves and in some chosen encodings.
fn read_all_ways(bytes: &[u8]) -> TestCaseResult {
    for encoding in [
        None,
        Some("UTF-8"),
        Some("GB18030"),
        Some("Shift_JIS"),
        Some("ISO-2022-JP"),
        Some("UTF-16LE"),
        Some("windows-1252"),
    ] {
        if let Ok(collection) = sgf::read(bytes, encoding) {
            check(bytes, &collection)?;
        }
    }
    Ok(())
}

/// Bytes of every kind, with those that mean something more often.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => select(b"()[];\\\n\r ,:BWCAPSZxyzaa\x1B$\0".to_vec()).prop_map(|byte| vec![byte]),
        2 => select(vec![&b"(;"[..], b";B[aa]", b"W[]", b"CA[gbk]", b"AB[aa,bb]", b"C[", b"\\]", b"\x1B$B", b"\x1B(B", b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xE2\x80\x8B"]).prop_map(<[u8]>::to_vec),
        2 => vec(0x80..=0xFF_u8, 1..6),
        1 => vec(any::<u8>(), 1..6),
        1 => "\\PC{1,4}".prop_map(String::into_bytes),
    ];
    let mark = select(vec![
        &b""[..],
        b"",
        b"(;",
        b"(;CA[big5]",
        b"\xEF\xBB\xBF(;",
        b"\xFF\xFE(\0;\0",
        b"\xFE\xFF\0(\0;",
    ]);
    (mark, vec(piece, 0..200)).prop_map(|(mark, pieces)| [mark.to_vec(), pieces.concat()].concat())
}

#[test]
fn any_bytes_are_read_or_refused() {
    hold("any bytes", &any_bytes(), |bytes| read_all_ways(&bytes));
}

/// Writing in an encoding: characters with a half that looks like a bracket or an escape among them.
const WRITINGS: [(&Encoding, &str); 13] = [
    (UTF_8, "王小明李强围棋黑白胜山田太郎の김철수Žżé𠮷"),
    (UTF_16LE, "王小明李强围棋黑白胜山田太郎の김철수Žżé𠮷"),
    (UTF_16BE, "王小明李强围棋黑白胜山田太郎の김철수Žżé𠮷"),
    (
        GB18030,
        "王小明李强陈赵刘杨围棋黑白胜中盘乗俓俔嘰弢檂的是一不了在人有我他这",
    ),
    (BIG5, "王小華許功蓋陳林張圍棋黑白勝中盤的是一不了在人有我他這琵育"),
    (
        SHIFT_JIS,
        "山田太郎十能表予ソゼー鈴木一子佐藤碁黒白のはでにがとをた手",
    ),
    (
        EUC_JP,
        "山田太郎十能表予ソゼー鈴木一子佐藤碁黒白のはでにがとをた手",
    ),
    (
        ISO_2022_JP,
        "山田太郎十能表予ソゼー鈴木一子佐藤碁黒白のはでにがとをた手",
    ),
    (EUC_KR, "김이박최정강조윤장임철수영희민준바둑흑백승의이가는을를"),
    (WINDOWS_1250, "aąbcćdeęfłóśźżčřěůá"),
    (WINDOWS_1251, "абвгдежзиклмнопрстуфхцчшщыьэюяАБВГ"),
    (WINDOWS_1252, "aäbcdeéfgèhiïjöüßñçå"),
    (encoding_rs::KOI8_R, "абвгдежзиклмнопрстуфхцчшщыьэюяАБВГ"),
];

/// A record that keeps the grammar.
#[derive(Clone, Debug)]
struct Made {
    nodes: Vec<String>,
    branches: Vec<Made>,
}

impl Made {
    /// As it is written, and as the reader shows it: a branch of its own only beside others.
    fn write(&self, text: &mut String) {
        text.extend(self.nodes.iter().map(String::as_str));
        for branch in &self.branches {
            let alone = self.branches.len() == 1;
            text.push_str(if alone { "" } else { "(" });
            branch.write(text);
            text.push_str(if alone { "" } else { ")" });
        }
    }
}

fn any_text(letters: &'static str) -> impl Strategy<Value = String> {
    let letters: Vec<String> = letters.chars().map(String::from).collect();
    let piece = prop_oneof![
        8 => select(letters),
        1 => select(vec![" ", "a", "Z", "9", "\\]", "\\\\", "\\:", "\n", "[", "(", ")", ";"]).prop_map(str::to_owned),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_node(letters: &'static str) -> impl Strategy<Value = String> {
    let text = any_text(letters);
    let point = "[a-s]{2}";
    prop_oneof![
        6 => (select(vec!["B", "W"]), point).prop_map(|(side, point)| format!(";{side}[{point}]")),
        1 => (point, text).prop_map(|(point, text)| format!(";B[{point}]C[{text}]")),
        1 => vec(point, 1..5).prop_map(|points| format!(";AB[{}]PL[W]", points.join("]["))),
        1 => Just(";".to_owned()),
        1 => Just(";W[]BL[12.5]".to_owned()),
    ]
}

fn any_tree(letters: &'static str) -> impl Strategy<Value = Made> {
    let leaf = vec(any_node(letters), 1..8).prop_map(|nodes| Made {
        nodes,
        branches: Vec::new(),
    });
    leaf.prop_recursive(4, 24, 3, move |branch| {
        (vec(any_node(letters), 1..6), vec(branch, 0..4))
            .prop_map(|(nodes, branches)| Made { nodes, branches })
    })
}

/// A record: its writing, the names of its players, and its text; the root says which encoding it is in,
/// or does not.
fn any_record(declared: bool) -> impl Strategy<Value = (&'static Encoding, [String; 2], String)> {
    select(WRITINGS.to_vec()).prop_flat_map(move |(encoding, letters)| {
        let name = || any_text(letters);
        (name(), name(), any_text(letters), any_tree(letters)).prop_map(
            move |(black, white, comment, rest)| {
                let declared = if declared {
                    format!("CA[{}]", encoding.name())
                } else {
                    String::new()
                };
                let mut text = format!("(;FF[4]GM[1]PB[{black}]{declared}PW[{white}]C[{comment}]");
                rest.write(&mut text);
                text.push(')');
                (encoding, [black, white], text)
            },
        )
    })
}

fn refused(refusal: &Refusal) -> TestCaseError {
    TestCaseError::fail(format!("{refusal:?}"))
}

/// The bytes of a text in an encoding.
fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    if encoding == UTF_16LE {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == UTF_16BE {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{text} in {}", encoding.name());
        bytes.into_owned()
    }
}

#[test]
fn records_come_out_as_they_went_in() {
    hold(
        "declared",
        &any_record(true),
        |(encoding, [black, white], text)| {
            let bytes = encode(&text, encoding);
            // Where a few bytes are both, nobody can know.
            prop_assume!(encoding == UTF_8 || bytes.is_ascii() || std::str::from_utf8(&bytes).is_err());
            let collection = sgf::read(&bytes, None).map_err(|refusal| refused(&refusal))?;
            prop_assert_eq!(
                collection.text(),
                &text,
                "{} as {}",
                encoding.name(),
                collection.encoding()
            );
            check(&bytes, &collection)?;
            prop_assert_eq!(collection.games().len(), 1);
            let game = collection.game(0).expect("there is one");
            let root = game.root();
            prop_assert_eq!(root.get("PB").map(|name| name.value().raw()), Some(&*black));
            prop_assert_eq!(root.get("PW").map(|name| name.value().raw()), Some(&*white));
            prop_assert_eq!(written::tree(&game), text);
            prop_assert_eq!(collection.findings(), &[]);
            Ok(())
        },
    );
}

#[test]
fn moves_come_out_as_they_went_in_whatever_the_encoding_is_taken_for() {
    let moves = |collection: &Collection| -> Vec<String> {
        let game = collection.game(0).expect("there is a game");
        let properties = game.main_line().flat_map(|node| node.properties());
        let moves = properties.filter(|property| ["B", "W"].contains(&property.name()));
        moves.map(|property| property.value().raw().to_owned()).collect()
    };
    hold("undeclared", &any_record(false), |(encoding, _, text)| {
        let bytes = encode(&text, encoding);
        let collection = sgf::read(&bytes, None).map_err(|refusal| refused(&refusal))?;
        check(&bytes, &collection)?;
        let truth = sgf::read(text.as_bytes(), None).expect("it is a record");
        // What a wrong guess does to a name may hide a bracket; a right one hides nothing.
        if collection.text() == text {
            prop_assert_eq!(moves(&collection), moves(&truth));
        }
        Ok(())
    });
}

/// Some change to a file.
#[derive(Clone, Debug)]
enum Change {
    Delete(Index, usize),
    Insert(Index, Vec<u8>),
    Replace(Index, u8),
    Repeat(Index, Index),
    Cut(Index),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let at = |index: &Index, bytes: &[u8]| index.index(bytes.len() + 1);
        match self {
            Self::Delete(index, length) => {
                let start = at(index, bytes);
                let end = bytes.len().min(start + length);
                bytes.drain(start..end);
            }
            Self::Insert(index, new) => {
                let start = at(index, bytes);
                bytes.splice(start..start, new.iter().copied());
            }
            Self::Replace(index, byte) => {
                let start = at(index, bytes);
                if let Some(old) = bytes.get_mut(start) {
                    *old = *byte;
                }
            }
            Self::Repeat(one, two) => {
                let (one, two) = (at(one, bytes), at(two, bytes));
                let range: Range<usize> = one.min(two)..one.max(two);
                let again = bytes[range].to_vec();
                bytes.extend(again);
            }
            Self::Cut(index) => bytes.truncate(at(index, bytes)),
        }
    }
}

fn any_change() -> impl Strategy<Value = Change> {
    let index = any::<Index>;
    prop_oneof![
        3 => (index(), 1..4_usize).prop_map(|(at, length)| Change::Delete(at, length)),
        3 => (index(), vec(select(b"()[];\\B \n\0\xA0\x5C\xE5".to_vec()), 1..3)).prop_map(|(at, new)| Change::Insert(at, new)),
        2 => (index(), any::<u8>()).prop_map(|(at, byte)| Change::Replace(at, byte)),
        1 => (index(), index()).prop_map(|(one, two)| Change::Repeat(one, two)),
        1 => index().prop_map(Change::Cut),
    ]
}

#[test]
fn changed_records_are_read_or_refused() {
    let changed = (any_record(true), vec(any_change(), 1..8));
    hold("changed", &changed, |((encoding, _, text), changes)| {
        let mut bytes = encode(&text, encoding);
        for change in changes {
            change.apply(&mut bytes);
        }
        read_all_ways(&bytes)
    });
}
