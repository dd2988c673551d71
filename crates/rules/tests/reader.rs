//! Game records as programs and people really write them, read from their bytes.

#![expect(
    clippy::disallowed_methods,
    reason = "a test may read the records, and look at the clock"
)]

mod written;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252,
};
use rules::sgf::{self, Collection, GameTree};
use rules::{FindingKind, Place, Refusal, RefusalKind};
use serde_json::Value;
use written::{node as show, tree};

fn read(bytes: &[u8]) -> Collection<'_> {
    match sgf::read(bytes, None) {
        Ok(collection) => collection,
        Err(refusal) => panic!("{refusal:?} for {:?}", String::from_utf8_lossy(bytes)),
    }
}

fn refusal(bytes: &[u8]) -> Refusal {
    match sgf::read(bytes, None) {
        Ok(collection) => panic!("read: {:?}", collection.text().get(..100)),
        Err(refusal) => refusal,
    }
}

fn codes(collection: &Collection) -> Vec<&'static str> {
    collection
        .findings()
        .iter()
        .map(|finding| finding.kind.code())
        .collect()
}

/// The first game.
fn game<'c>(collection: &'c Collection<'c>) -> GameTree<'c> {
    collection.game(0).expect("there is a game")
}

#[test]
fn a_well_made_record_is_read_as_it_stands_and_nothing_is_said() {
    for text in [
        "(;)",
        "(;FF[4]GM[1]SZ[19];B[pd];W[dp])",
        "(;AB[aa][bb][cc:dd]AW[ee];B[];W[tt];B[ff]C[two\nlines \\] and a \\: colon])",
        "(;SZ[9](;B[aa];W[bb])(;B[cc](;W[dd])(;W[ee];B[ff])))",
        "(;B[aa](;W[bb])(;W[cc])(;W[dd]))",
        "(;;;B[aa];)",
        "(;C[(;not a tree)];B[aa])",
    ] {
        let collection = read(text.as_bytes());
        assert_eq!(tree(&game(&collection)), text);
        assert_eq!(collection.findings(), [], "{text}");
        assert_eq!(collection.encoding(), "US-ASCII");
    }
    let spread = "\n(\r\n;\tFF [4]\n AB\n[aa]\n [bb] ( ; B [cc] ) (\n;W[dd]\n)\n)\n";
    let collection = read(spread.as_bytes());
    assert_eq!(tree(&game(&collection)), "(;FF[4]AB[aa][bb](;B[cc])(;W[dd]))");
    assert_eq!(collection.findings(), []);
}

#[test]
fn games_branches_and_nodes_are_counted() {
    let collection = read(b"(;SZ[9](;B[aa];W[bb])(;B[cc](;W[dd])(;W[ee];B[ff])))\n(;SZ[13];B[aa])");
    let counts: Vec<_> = collection
        .games()
        .map(|game| (game.node_count(), game.main_line().count(), game.variations()))
        .collect();
    assert_eq!(counts, [(7, 3, 2), (2, 2, 0)]);
    assert_eq!(collection.games().len(), 2);
    assert!(collection.game(2).is_none());
    let root = game(&collection).root();
    assert_eq!(root.get("SZ").map(|size| size.value().raw()), Some("9"));
    assert!(root.get("KM").is_none());
    assert!(root.next_sibling().is_none());
}

#[test]
fn what_programs_write_wrong_is_read_and_said() {
    for (text, meant, said) in [
        // Around the tree
        (
            "From: player@example.org (P. One)\n(;B[aa])",
            "(;B[aa])",
            &["text-before"][..],
        ),
        (
            "(;-) well played\n\n(;B[aa])\n-- \nbye",
            "(;B[aa])",
            &["text-before", "text-after"],
        ),
        (
            "(see below) ((;B[aa]))",
            "(;B[aa])",
            &["text-before", "text-between"],
        ),
        (
            "<html><script>for(;;){a(b[0])}</script><pre>\n(;B[aa])\n</pre>",
            "(;B[aa])",
            &["text-before", "text-after"],
        ),
        (
            "\u{200B}(;B[aa])\u{FEFF}",
            "(;B[aa])",
            &["invisible-characters"; 2],
        ),
        (
            "(;B[aa]\u{200E};W[bb])",
            "(;B[aa];W[bb])",
            &["invisible-characters"],
        ),
        ("(;B[aa])\0\0\0\0", "(;B[aa])", &["invisible-characters"]),
        (
            "\0(;B[aa]\0;W[bb])",
            "(;B[aa];W[bb])",
            &["invisible-characters"; 2],
        ),
        (
            "<p>Game: <textarea>(;FF[4];B[aa])</textarea>",
            "(;FF[4];B[aa])",
            &["text-before", "text-after"],
        ),
        // Parentheses
        (
            "(;B[aa](;W[bb])(;W[cc]",
            "(;B[aa](;W[bb])(;W[cc]))",
            &["tree-not-closed"],
        ),
        ("(;B[aa];W[bb]))", "(;B[aa];W[bb])", &["tree-closed-twice"]),
        (
            "(;B[aa];W[bb])) )\nbye",
            "(;B[aa];W[bb])",
            &["tree-closed-twice", "text-after"],
        ),
        ("(;B[aa]();W[bb])", "(;B[aa];W[bb])", &["node-after-branches"]),
        (
            "(;B[aa](;W[bb]);W[cc];B[dd])",
            "(;B[aa](;W[bb])(;W[cc];B[dd]))",
            &["node-after-branches"],
        ),
        (
            "(;B[aa](;W[bb])C[late])",
            "(;B[aa](;W[bb])(;C[late]))",
            &["node-after-branches"],
        ),
        // Semicolons
        ("(TE[x]RE[B+1])", "(;TE[x]RE[B+1])", &["semicolon-missing"]),
        ("(B[pp];W[dd])", "(;B[pp];W[dd])", &["semicolon-missing"]),
        (
            "(;B[aa](W[bb])(W[cc]))",
            "(;B[aa](;W[bb])(;W[cc]))",
            &["semicolon-missing"; 2],
        ),
        // Brackets
        (
            "(;B[aa];W[oc]];B[bb])",
            "(;B[aa];W[oc];B[bb])",
            &["stray-bracket"],
        ),
        (
            "(;US[Town[3d]]RE[B+R];B[aa])",
            "(;US[Town[3d]RE[B+R];B[aa])",
            &["stray-bracket"],
        ),
        (
            "(;PW[[甲]棋手]PB[乙];B[aa])",
            "(;PW[[甲]PB[乙];B[aa])",
            &["text-between", "stray-bracket"],
        ),
        (
            "(;B[aa];C[cut off in the middle",
            "(;B[aa];C[cut off in the middle])",
            &["value-not-closed", "tree-not-closed"],
        ),
        (
            "(;B[aa];W[bb]C[\\",
            "(;B[aa];W[bb]C[\\])",
            &["value-not-closed", "tree-not-closed"],
        ),
        // Names
        (
            "(;ff[4]gm[1];b[ee];b[cc])",
            "(;FF[4]GM[1];B[ee];B[cc])",
            &["lower-case-name"; 3],
        ),
        (
            "(;GaMe[1]PlayerBlack[One]HAndicap[0];Black[aa]Comment[ok];Black[bb])",
            "(;GM[1]PB[One]HA[0];B[aa]C[ok];B[bb])",
            &["lower-case-name"; 5],
        ),
        (
            "(;SZ[9]SZ[19]RE[B+R]KM[0]RE[W+R];B[ee]B[cc];B[dd])",
            "(;SZ[9]SZ[19]RE[B+R]KM[0]RE[W+R];B[ee]B[cc];B[dd])",
            &["property-twice"; 3],
        ),
        (
            "(;MULTIGOGM[1]MULTIGOGM[1];MULTIGOGM[1])",
            "(;MULTIGOGM[1]MULTIGOGM[1];MULTIGOGM[1])",
            &["property-twice"],
        ),
        // Between
        (
            "(;B[aa] ok ;W[bb], B[cc] 12)",
            "(;B[aa];W[bb]B[cc])",
            &["text-between"; 3],
        ),
        ("(;[aa];B[bb])", "(;;B[bb])", &["text-between"]),
        ("(;B[aa])and(;B[bb])", "(;B[aa])", &["text-between"]),
        // Points
        (
            "(;AB[aa,bb, cc:dd]AW[ee];C[a,b])",
            "(;AB[aa][bb][cc:dd]AW[ee];C[a,b])",
            &["point-list"],
        ),
        ("(;AB[aa,b])", "(;AB[aa,b])", &[]),
    ] {
        let collection = read(text.as_bytes());
        let without_end = |text: &str| text.trim_end_matches(')').to_owned();
        assert_eq!(
            without_end(&tree(&game(&collection))),
            without_end(meant),
            "{text}"
        );
        assert_eq!(codes(&collection), said, "{text}");
    }
}

#[test]
fn properties_of_the_root_are_found_in_any_order_and_with_escapes() {
    let collection =
        read(b"(;GM[1]FF[4]CA[UTF-8]SZ[19]PW[w]PB[b]C[guest [8k\\]: good luck]RE[B+5.50];B[pd])");
    let root = game(&collection).root();
    let value = |name| {
        root.get(name)
            .map(|property| property.value().text().into_owned())
    };
    assert_eq!(value("RE").as_deref(), Some("B+5.50"));
    assert_eq!(value("C").as_deref(), Some("guest [8k]: good luck"));
    assert_eq!(collection.findings(), []);
}

#[test]
fn places_are_bytes_of_the_file_and_lines_and_columns_of_its_text() {
    let lines = "(;PB[甲乙]\r\nPW[丙]]\rC[é]x;W[aa]\n  junk;B[bb])";
    let place = |offset, line, column| Place { offset, line, column };
    // The bytes before each: a character has two in GB18030 (of 甲乙丙é), in UTF-16 all have two.
    for (encoding, mark, expected) in [
        (
            UTF_8,
            &b""[..],
            [place(21, 2, 6), place(28, 3, 5), place(38, 4, 3)],
        ),
        (
            UTF_8,
            b"\xEF\xBB\xBF",
            [place(24, 2, 6), place(31, 3, 5), place(41, 4, 3)],
        ),
        (GB18030, b"", [place(18, 2, 6), place(25, 3, 5), place(35, 4, 3)]),
    ] {
        let mut bytes = mark.to_vec();
        bytes.extend_from_slice(&encoding.encode(lines).0);
        let collection = read(&bytes);
        let places: Vec<Place> = collection
            .findings()
            .iter()
            .filter(|finding| !matches!(finding.kind, FindingKind::EncodingGuessed { .. }))
            .filter_map(|finding| finding.place)
            .collect();
        assert_eq!(places, expected, "{} {mark:?}", encoding.name());
        assert_eq!(codes(&collection).len() - 3, usize::from(encoding == GB18030));
    }
    let wide: Vec<u8> = "\u{FEFF}(;B[aa]\n𠮷;W[bb])"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let collection = read(&wide);
    let moves: Vec<Place> = game(&collection)
        .main_line()
        .map(|node| collection.place(node.offset()))
        .collect();
    assert_eq!(moves, [place(4, 1, 2), place(22, 2, 2)]);
}

#[test]
fn broken_characters_leave_the_places_after_them_right() {
    for (encoding, broken) in [
        ("GB18030", &b"\xA38E"[..]),
        ("GB18030", b"\x810\x81A\xFF \x81"),
        ("GB18030", b"\xCE\xA7\x81\x30\x81"),
        ("Big5", b"\xA1 \x80\xFE!"),
        ("Shift_JIS", b"\x83 \xA0\xFF\x82("),
        ("EUC-KR", b"\xB0(\xB0\xA1\xC9"),
        ("EUC-JP", b"\x8F\xA1(\x8E!"),
        ("UTF-8", b"\xE5\x8C(\xFF\xF0\x9F\x80"),
    ] {
        let bytes = [b"(;C[", broken, b"\n];B[aa])"].concat();
        let collection = sgf::read(&bytes, Some(encoding)).expect("it is a record");
        let text = collection.text();
        for (offset, letter) in text.char_indices().filter(|(_, letter)| letter.is_ascii()) {
            let place = collection.place(offset).offset;
            assert_eq!(
                char::from(bytes[place]),
                letter,
                "{encoding} {text:?} at {offset}"
            );
        }
        let last = game(&collection).main_line().last().expect("a move");
        assert_eq!(
            collection.place(last.offset()).offset,
            bytes.len() - 7,
            "{encoding}"
        );
        assert!(codes(&collection).contains(&"text-damaged"));
    }
}

/// A record with two names and a comment, whose encoding nothing declares, in each of these encodings.
const SHORT: [(&str, &Encoding, &str, &str, &str); 12] = [
    (
        "GB18030",
        GB18030,
        "王小明",
        "李志强",
        "黑中盘胜，白棋左下角是活的",
    ),
    ("GB18030", GB18030, "陈一凡", "赵婷", "第三手太缓"),
    ("Big5", BIG5, "陳小華", "許功蓋", "黑中盤勝，白棋左下角是活的"),
    (
        "Shift_JIS",
        SHIFT_JIS,
        "山田 太郎",
        "十河 能美",
        "この手は少し甘い",
    ),
    ("EUC-JP", EUC_JP, "山田 太郎", "鈴木 一子", "白の打ち込みが厳しい"),
    ("EUC-KR", EUC_KR, "김철수", "박영희", "백의 침입이 좋았다"),
    (
        "ISO-2022-JP",
        ISO_2022_JP,
        "山田 太郎",
        "鈴木 一子",
        "黒中押し勝ち",
    ),
    (
        "windows-1251",
        WINDOWS_1251,
        "Иван Кузнецов",
        "Ольга Попова",
        "Хороший ход",
    ),
    ("KOI8-U", KOI8_R, "Иван Кузнецов", "Ольга Попова", "Хороший ход"),
    (
        "windows-1250",
        WINDOWS_1250,
        "Žofie Dvořáková",
        "Paweł Wiśniewski",
        "Dobře, to je lepší",
    ),
    (
        "windows-1252",
        WINDOWS_1252,
        "Jörg Müller",
        "François Lefèvre",
        "Très bien joué",
    ),
    (
        "windows-1252",
        WINDOWS_1252,
        "Åsa Öberg",
        "José Núñez",
        "Muy fuerte, señor",
    ),
];

fn short(declared: &str, black: &str, white: &str, comment: &str) -> String {
    format!("(;GM[1]PB[{black}]{declared}PW[{white}]SZ[19];B[pd];W[dp]C[{comment}];B[pp];W[dd])")
}

#[test]
fn a_short_record_comes_out_right_without_a_word_on_its_encoding() {
    for (name, encoding, black, white, comment) in SHORT {
        let text = short("", black, white, comment);
        let (bytes, _, unmappable) = encoding.encode(&text);
        assert!(!unmappable, "{text}");
        let collection = read(&bytes);
        assert_eq!(collection.text(), text, "{name} as {}", collection.encoding());
        assert_eq!(collection.encoding(), name);
        assert_eq!(codes(&collection), ["encoding-guessed"], "{text}");
        assert_eq!(game(&collection).main_line().count(), 5);
    }
}

#[test]
fn a_declared_encoding_is_used_wherever_it_stands_and_however_it_is_spelled() {
    for (labels, number) in [
        (
            &["GB2312", "gbk", "GB18030", "cp936", "gb_2312-80", "GB 18030"][..],
            0,
        ),
        (&["Big5", "BIG-5", "cp950", "big5-hkscs"], 2),
        (
            &[
                "Shift_JIS",
                "SJIS",
                "shift-jis",
                "CP932",
                "windows-31j",
                "MS_Kanji",
            ],
            3,
        ),
        (&["EUC-JP", "eucJP"], 4),
        (&["EUC-KR", "ks_c_5601-1987", "CP949", "uhc"], 5),
        (&["ISO-2022-JP"], 6),
        (&["windows-1251", "cp1251"], 7),
        (&["KOI8-U"], 8),
        (&["windows-1250", "cp1250", "CP-1250"], 9),
        (
            &["ISO-8859-1", "ISO8859_1", "latin-1", "Latin1", "windows-1252"],
            10,
        ),
    ] {
        let (name, encoding, black, white, comment) = SHORT[number];
        for label in labels {
            let text = short(&format!("CA[{label}]"), black, white, comment);
            let bytes = encoding.encode(&text).0;
            let collection = read(&bytes);
            assert_eq!(collection.text(), text, "{label}");
            assert_eq!(collection.encoding(), name, "{label}");
            assert_eq!(codes(&collection), [""; 0], "{label}");
        }
    }
}

#[test]
fn a_wrong_declaration_is_overruled_and_said() {
    let chinese = SHORT[0];
    for (declared, encoding, used) in [
        ("GB2312", UTF_8, "UTF-8"),
        ("Shift_JIS", UTF_8, "UTF-8"),
        ("UTF-8", GB18030, "GB18030"),
        ("ISO-8859-1", GB18030, "GB18030"),
        ("US-ASCII", GB18030, "GB18030"),
    ] {
        let text = short(&format!("CA[{declared}]"), chinese.2, chinese.3, chinese.4);
        let bytes = encoding.encode(&text).0;
        let collection = read(&bytes);
        assert_eq!(collection.text(), text, "{declared}");
        let [finding] = collection.findings() else {
            panic!("{:?}", collection.findings());
        };
        let declared = declared.to_owned();
        assert_eq!(
            finding.kind,
            FindingKind::EncodingNotAsDeclared { declared, used }
        );
        let at = finding.place.expect("where it is declared").offset;
        assert!(bytes[..at].ends_with(b"CA["));
    }
    let text = short("CA[Klingon]", chinese.2, chinese.3, chinese.4);
    let bytes = GB18030.encode(&text).0;
    let collection = read(&bytes);
    assert_eq!(collection.text(), text);
    assert_eq!(codes(&collection), ["encoding-guessed", "encoding-unknown"]);
    // What is not needed is not missed.
    assert_eq!(codes(&read(b"(;CA[Klingon];B[aa])")), [""; 0]);
}

#[test]
fn few_bytes_that_happen_to_be_utf_8_are_what_they_are_declared_to_be() {
    for (declared, encoding, name) in [
        ("CA[GBK]", GB18030, "小"),
        ("CA[GBK]", GB18030, "陆"),
        ("CA[GBK]", GB18030, "牛莹"),
        ("CA[GBK]", UTF_8, "José"),
        ("CA[GBK]", UTF_8, "Иван"),
        ("", UTF_8, "José"),
        ("", UTF_8, "é"),
        ("", UTF_8, "Иван"),
    ] {
        let text = format!("(;{declared}PB[{name}];B[aa])");
        let bytes = encoding.encode(&text).0;
        assert!(std::str::from_utf8(&bytes).is_ok());
        assert_eq!(read(&bytes).text(), text, "{}", encoding.name());
    }
}

#[test]
fn utf_8_and_utf_16_are_known_by_their_bytes() {
    let text = short("CA[GBK]", "王小明", "李志强", "好");
    let wide =
        |bytes: fn(u16) -> [u8; 2], text: &str| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let marked = format!("\u{FEFF}{text}");
    for (bytes, name) in [
        (text.clone().into_bytes(), "UTF-8"),
        (marked.clone().into_bytes(), "UTF-8"),
        (wide(u16::to_le_bytes, &marked), "UTF-16LE"),
        (wide(u16::to_be_bytes, &marked), "UTF-16BE"),
        (wide(u16::to_le_bytes, &text), "UTF-16LE"),
        (wide(u16::to_be_bytes, &text), "UTF-16BE"),
    ] {
        let collection = read(&bytes);
        assert_eq!(collection.encoding(), name);
        assert_eq!(collection.text(), text);
        assert_eq!(codes(&collection), ["encoding-not-as-declared"]);
    }
}

#[test]
fn utf_8_with_a_byte_cut_off_stays_utf_8() {
    for declared in ["CA[UTF-8]", "", "CA[GBK]"] {
        // 匠 is E5 8C A0, and A0 alone is a space that some programs trim away.
        let text = format!("(;{declared}PB[王小明20]BR[9段]PW[李木匠]WR[9段];B[pd];W[dp])");
        let mut bytes = text.clone().into_bytes();
        let cut = bytes
            .iter()
            .position(|byte| *byte == 0xA0)
            .expect("the last byte of 匠");
        bytes.remove(cut);
        let collection = read(&bytes);
        assert_eq!(collection.encoding(), "UTF-8");
        assert_eq!(collection.text(), text.replace('匠', "\u{FFFD}"));
        let damaged = collection
            .findings()
            .iter()
            .find(|finding| finding.kind == FindingKind::TextDamaged)
            .and_then(|finding| finding.place);
        assert_eq!(damaged.map(|place| place.offset), Some(cut - 2));
        let last = game(&collection).main_line().last().expect("a move");
        let place = collection.place(last.offset());
        assert_eq!(&bytes[place.offset..place.offset + 2], b";W");
    }
}

#[test]
fn the_caller_can_choose_another_encoding() {
    let text = short("CA[GBK]", "山田 太郎", "鈴木 一子", "白の打ち込み");
    let bytes = SHIFT_JIS.encode(&text).0;
    let collection = sgf::read(&bytes, Some("sjis")).expect("it is a record");
    assert_eq!(collection.text(), text);
    assert_eq!(collection.encoding(), "Shift_JIS");
    let again = sgf::read(&bytes, Some(collection.encoding())).expect("names that come out go in");
    assert_eq!(again.text(), text);
    let wrong = sgf::read(&bytes, Some("UTF-8")).expect("moves are ASCII anyway");
    assert!(codes(&wrong).contains(&"text-damaged"));
    let name = "Klingon".to_owned();
    assert_eq!(
        sgf::read(&bytes, Some("Klingon"))
            .expect_err("no such encoding")
            .kind,
        RefusalKind::NoSuchEncoding { name }
    );
}

#[test]
fn what_is_no_record_is_refused() {
    let mut noise: Vec<u8> = Vec::new();
    let mut state = 1_u32;
    while noise.len() < sgf::BYTES {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.push((state >> 24) as u8);
    }
    let mut zip = b"PK\x03\x04\x14\0\0\0\0\0game.sgf(;B[aa])".to_vec();
    zip.resize(500, b'x');
    for (bytes, kind) in [
        (&b""[..], RefusalKind::Empty),
        (b" \r\n", RefusalKind::Empty),
        (b"Dear Sir, (see above) I won.", RefusalKind::NoTree),
        (b"(((((((", RefusalKind::NoTree),
        (b"{\"moves\": [\"aa\", \"bb\"]}", RefusalKind::NoTree),
        (
            b"<!DOCTYPE html><script>for(;;){f(a[0])} if(B[x]) (;a[1])</script>",
            RefusalKind::NoTree,
        ),
        (b"\x89PNG\r\n\x1A\n(;B[aa])", RefusalKind::NoTree),
        (&zip, RefusalKind::NoTree),
        (&noise, RefusalKind::NoTree),
        (&[0; 4096], RefusalKind::NoTree),
    ] {
        assert_eq!(refusal(bytes).kind, kind, "{:?}", bytes.get(..50));
    }
    let huge = format!("(;C[{}];B[ee])", "a".repeat(64 << 20));
    let limit = sgf::BYTES;
    assert_eq!(refusal(huge.as_bytes()).kind, RefusalKind::TooLarge { limit });
    let many = refusal("(;".repeat(sgf::BYTES / 2).as_bytes());
    assert_eq!(many.kind, RefusalKind::TooManyNodes { limit: sgf::NODES });
    let place = Place {
        offset: 200_001,
        line: 1,
        column: 200_002,
    };
    assert_eq!(many.place, Some(place));
}

#[test]
fn monstrous_records_are_read_at_once() {
    let lines = |count: usize| format!("(;SZ[19]{})", ";B[aa]\n;W[bb]\n".repeat(count / 2));
    let nested = format!("{}{}", "(;B[aa]".repeat(99_999), ")".repeat(99_999));
    let branches = format!("(;SZ[19]{})", "(;B[aa])".repeat(99_000));
    let levels = format!(
        "(;SZ[19]{};B[ff]{})",
        ";B[aa];W[bb];B[cc];W[dd](".repeat(200),
        ")(;B[ee])".repeat(200)
    );
    for (what, text, nodes, main, variations) in [
        ("a line of moves", lines(99_998), 99_999, 99_999, 0),
        ("nested games", nested, 99_999, 99_999, 0),
        ("branches of one node", branches, 99_001, 2, 98_999),
        ("a real game with 200 levels", levels, 1_002, 802, 200),
        (
            "points",
            format!("(;{})", "AB[aa]".to_owned() + &"[zz]".repeat(200_000)),
            1,
            1,
            0,
        ),
        ("names", format!("(;{})", "AB[aa]ABC[x]".repeat(80_000)), 1, 1, 0),
        (
            "semicolons",
            format!("({})", ";".repeat(99_999)),
            99_999,
            99_999,
            0,
        ),
        (
            "parentheses",
            format!("(;B[aa]{}{})", "(".repeat(500_000), ")".repeat(500_000)),
            1,
            1,
            0,
        ),
        ("brackets", format!("(;B[aa]{})", "]".repeat(1_000_000)), 1, 1, 0),
        ("words", format!("(;B[aa]{})", "a b ".repeat(250_000)), 1, 1, 0),
        ("escapes", format!("(;C[{}])", "\\]".repeat(500_000)), 1, 1, 0),
        (
            "blanks",
            format!("{}(;B[aa]{})", " ".repeat(500_000), "\n".repeat(500_000)),
            1,
            1,
            0,
        ),
        (
            "beginnings",
            format!("{}\n(;B[aa])", "(;1".repeat(300_000)),
            1,
            1,
            0,
        ),
    ] {
        let begin = Instant::now();
        let collection = read(text.as_bytes());
        let game = game(&collection);
        assert_eq!(game.node_count(), nodes, "{what}");
        assert_eq!(game.main_line().count(), main, "{what}");
        assert_eq!(game.variations(), variations, "{what}");
        assert!(collection.findings().len() <= sgf::FINDINGS + 1, "{what}");
        for node in game.main_line() {
            assert_eq!(text.as_bytes()[collection.place(node.offset()).offset], b';');
        }
        drop(collection);
        // Milliseconds with optimisation; here the machine may have more to do.
        assert!(
            begin.elapsed() < Duration::from_secs(2),
            "{what}: {:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn many_games_in_one_file_are_read_at_once() {
    let blank = " ".repeat(300_000);
    for text in [
        "(;B[aa])".repeat(100_000),
        "(B[aa])\n".repeat(100_000),
        format!("{blank}{}", "(;B[a]) x".repeat(80_000)),
        format!("(;B[aa]){}", "\n(1".repeat(300_000)),
    ] {
        let begin = Instant::now();
        let collection = read(text.as_bytes());
        let nodes: usize = collection.games().map(|game| game.node_count()).sum();
        assert_eq!(nodes, collection.games().len());
        assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    }
}

#[test]
fn findings_beyond_a_measure_are_counted() {
    let text = format!("(;B[aa]{};ff[4])", "]".repeat(1_000));
    let collection = read(text.as_bytes());
    let stray = collection
        .findings()
        .iter()
        .filter(|finding| finding.kind == FindingKind::StrayBracket);
    assert_eq!(stray.count(), sgf::FINDINGS / 5);
    assert!(
        codes(&collection).contains(&"lower-case-name"),
        "one kind does not hide another"
    );
    let last = collection.findings().last().map(|finding| finding.kind.clone());
    assert_eq!(last, Some(FindingKind::MoreInText { count: 980 }));
}

/// The folder of real records beside the project, if it is there.
fn records() -> Option<PathBuf> {
    let folder = std::env::var_os("TIANYUAN_RECORDS").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/records")),
        PathBuf::from,
    );
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no records in {}", folder.display());
    None
}

fn entries(folder: &Path, name: &str) -> Vec<Value> {
    serde_json::from_slice(&std::fs::read(folder.join(name)).expect(name)).expect("a list of entries")
}

#[test]
fn real_records_are_read_in_the_encodings_they_are_known_to_be_in() {
    let Some(folder) = records() else { return };
    let entries = entries(&folder, "games.json");
    for entry in &entries {
        let file = entry["file"].as_str().expect("a file");
        let bytes = std::fs::read(folder.join(file)).expect(file);
        let collection = read(&bytes);
        let encoding = match entry["encoding"].as_str().expect("an encoding") {
            _ if bytes.is_ascii() => "US-ASCII",
            "utf-8" | "utf-8 with a cut last byte (0xA0)" => "UTF-8",
            "euc-kr" => "EUC-KR",
            // It declares windows-1250 and holds Polish names.
            "gb18030" if entry["CA"] == "windows-1250" => "windows-1250",
            "gb18030" => "GB18030",
            other => panic!("{file}: {other}"),
        };
        assert_eq!(collection.encoding(), encoding, "{file}");
        let game = game(&collection);
        let root = game.root();
        for name in ["CA", "SZ", "HA", "KM", "RU"] {
            let value = root
                .get(name)
                .map(|property| property.value().simple_text().trim().to_owned());
            assert_eq!(
                value.unwrap_or_default(),
                entry[name].as_str().unwrap_or_default().trim(),
                "{file} {name}"
            );
        }
        let is_move = |name: &str| name == "B" || name == "W";
        let moves = game
            .main_line()
            .flat_map(|node| node.properties())
            .filter(|property| is_move(property.name()))
            .count();
        let issues = entry["issues"].as_array().expect("a list").iter();
        let unreadable =
            issues.filter(|issue| issue[1].as_str().is_some_and(|text| text.starts_with("badpoint")));
        let listed = entry["moves"].as_u64().expect("a number");
        assert_eq!(
            moves,
            usize::try_from(listed).expect("a number") + unreadable.count(),
            "{file}"
        );
    }
}

#[test]
fn broken_records_are_treated_as_they_should_be() {
    let Some(folder) = records() else { return };
    let mut seen = 0;
    for entry in entries(&folder, "nasty.json") {
        let file = entry["file"].as_str().expect("a file");
        let Ok(bytes) = std::fs::read(folder.join(file)) else {
            continue;
        };
        let expect = entry["expect"].as_str().expect("what to expect");
        let name = file.trim_start_matches("nasty/");
        // What the file is known to be, how many nodes its main line has, and what is said of it.
        let (encoding, nodes, said): (&str, usize, &[&str]) = match name {
            "syn2-empty.sgf" => {
                assert_eq!(refusal(&bytes).kind, RefusalKind::Empty);
                continue;
            }
            "syn2-km-variants.json" => {
                assert_eq!(refusal(&bytes).kind, RefusalKind::NoTree);
                continue;
            }
            "enc-gb2312.sgf" => ("GB18030", 3, &[]),
            "enc-shiftjis-5c-trap.sgf" => ("Shift_JIS", 3, &[]),
            "enc-utf16le-bom.sgf" => ("UTF-16LE", 165, &[]),
            "enc-utf8-bom.sgf" => ("UTF-8", 165, &[]),
            "enc-gbk.sgf" => ("GB18030", 4, &[]),
            "enc-big5.sgf" => ("Big5", 4, &[]),
            "enc-iso2022jp.sgf" => ("ISO-2022-JP", 4, &[]),
            "enc-utf8-cut-a0-fox.sgf" => ("UTF-8", 52, &["text-damaged"]),
            "syn-verbose-lowercase-props.sgf" => ("US-ASCII", 186, &["lower-case-name"]),
            "syn-missing-parens.sgf" => ("UTF-8", 10, &["tree-not-closed"]),
            "syn-extra-bracket.sgf" => ("US-ASCII", 9, &["stray-bracket"]),
            "syn-illegal-AB-list-commas.sgf" => ("US-ASCII", 11, &["point-list", "point-list"]),
            "syn-N-escaped-bracket.sgf" => ("US-ASCII", 289, &[]),
            "syn-instabranch.sgf" | "syn2-crlf-softbreak.sgf" => ("US-ASCII", 2, &[]),
            "syn-deep-tree.sgf" => ("US-ASCII", 6, &[]),
            "syn-fox-like-handicap-node1.sgf" => ("UTF-8", 5, &["property-twice"]),
            "iss-unescaped-bracket.sgf" => ("US-ASCII", 3, &["stray-bracket"]),
            "iss-tree-without-semicolon.sgf" => ("US-ASCII", 2, &["semicolon-missing"]),
            "iss-extra-close-paren.sgf" => ("US-ASCII", 3, &["tree-closed-twice"]),
            "iss-leading-newline.sgf" | "iss-re-after-comment-kgs.sgf" => ("US-ASCII", 3, &[]),
            "iss-missing-final-paren.sgf" => ("US-ASCII", 3, &["tree-not-closed"]),
            "iss-mixed-bracket-name.sgf" => (
                "UTF-8",
                4,
                &["text-between", "stray-bracket", "text-between", "stray-bracket"],
            ),
            "syn2-ca-utf8-bytes-gbk.sgf" => ("GB18030", 3, &["encoding-not-as-declared"]),
            "syn2-ca-gb2312-bytes-utf8.sgf" => ("UTF-8", 3, &["encoding-not-as-declared"]),
            "syn2-lowercase-ids.sgf" => ("US-ASCII", 3, &["lower-case-name"; 5]),
            "syn2-zero-width.sgf" => ("UTF-8", 3, &["invisible-characters"]),
            "syn2-fullwidth-result.sgf" => ("UTF-8", 3, &[]),
            "syn2-text-before-and-after.sgf" => ("US-ASCII", 3, &["text-before", "text-after"]),
            "syn2-dup-props.sgf" => ("US-ASCII", 3, &["property-twice"; 3]),
            // About the rules: read without a word.
            _ => {
                assert_eq!(codes(&read(&bytes)), [""; 0], "{file}");
                continue;
            }
        };
        seen += 1;
        let collection = read(&bytes);
        assert_eq!(collection.encoding(), encoding, "{file}");
        let game = game(&collection);
        assert_eq!(game.main_line().count(), nodes, "{file}");
        if name == "syn-verbose-lowercase-props.sgf" {
            assert!(codes(&collection).starts_with(said));
        } else {
            assert_eq!(codes(&collection), said, "{file}");
        }
        // Where the entry says what a property holds: “PB=… PW=…; …”.
        let words = expect.split(';').next().unwrap_or_default();
        for (name, property) in [("PB", " PB="), ("PW", " PW="), ("C", " C=")] {
            let Some((_, value)) = words.split_once(property) else {
                continue;
            };
            let end = [" PW=", " C="].iter().filter_map(|next| value.find(next)).min();
            let value = value[..end.unwrap_or(value.len())].trim();
            let found = game.main_line().find_map(|node| node.get(name)).expect(name);
            assert_eq!(found.value().simple_text(), value, "{file}");
        }
        let value = |name| {
            let property = game.main_line().find_map(|node| node.get(name)).expect(name);
            property.value()
        };
        match name {
            "syn2-crlf-softbreak.sgf" => assert_eq!(value("C").text(), "ab ] : \\"),
            "iss-unescaped-bracket.sgf" => assert_eq!(value("US").raw(), "Matsuyama[3d"),
            "iss-re-after-comment-kgs.sgf" => assert_eq!(value("RE").plain(), "B+55.50"),
            "syn2-zero-width.sgf" => {
                assert_eq!(value("RE").plain(), "B+R");
                assert!(
                    value("PB").raw().contains('\u{200B}'),
                    "the name is kept as it is"
                );
                assert_eq!(value("PB").plain().chars().count(), 2);
            }
            "syn-instabranch.sgf" => {
                let first = game.root().first_child().expect("a move");
                assert_eq!(show(first), "B[pd]");
                assert_eq!(game.variations(), 2);
            }
            "syn-illegal-AB-list-commas.sgf" => {
                let placed = game.root().get("AB").expect("handicap stones").values().len();
                assert_eq!(placed, 7);
            }
            _ => {}
        }
    }
    assert_eq!(seen, 31, "entries about text");
}
