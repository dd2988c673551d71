//! Why a file cannot be judged, as a sentence.

use rules::{Language, Refusal, RefusalKind};

use super::text::quoted;

/// A refusal as a whole sentence, with its place and the way out.
pub fn refusal(refusal: &Refusal, language: Language) -> String {
    let (chinese, english) = both(&refusal.kind);
    match (language, refusal.place) {
        (Language::Chinese, None) => chinese,
        (Language::Chinese, Some(place)) => format!("第{}行第{}列：{chinese}", place.line, place.column),
        (Language::English, None) => english,
        (Language::English, Some(place)) => {
            format!("Line {}, column {}: {english}", place.line, place.column)
        }
    }
}

fn both(kind: &RefusalKind) -> (String, String) {
    match kind {
        RefusalKind::Empty => (
            "文件是空的。请选择一个棋谱文件（SGF）。".to_owned(),
            "The file is empty. Choose a game record (SGF).".to_owned(),
        ),
        RefusalKind::TooLarge { limit } => (
            format!(
                "文件超过{}。请去掉变化和注释，或把每局分成一个文件。",
                bytes(*limit)
            ),
            format!(
                "The file is larger than {}. Leave out variations and comments, or give each game a file of its own.",
                bytes(*limit)
            ),
        ),
        RefusalKind::TooManyNodes { limit } => (
            format!("文件超过{limit}个节点。请去掉变化，或把每局分成一个文件。"),
            format!(
                "The file has more than {limit} nodes. Leave out variations, or give each game a file of its own."
            ),
        ),
        RefusalKind::TooManySetups { limit } => (
            format!("文件中摆放的棋子超过{limit}个。请用着手记录对局。"),
            format!("The file sets up more than {limit} points. Record the game by its moves."),
        ),
        RefusalKind::NoTree => (
            "文件中没有棋谱。请选择SGF格式的棋谱，它以“(;”开头。".to_owned(),
            "There is no game record in the file. Choose a record in the SGF format, which begins with “(;”."
                .to_owned(),
        ),
        RefusalKind::NoSuchEncoding { name } => (
            format!(
                "没有{}这种编码。可用的有UTF-8、GB18030、Big5、Shift_JIS、EUC-KR等。",
                quoted(name)
            ),
            format!(
                "{} is no encoding that is known. There are UTF-8, GB18030, Big5, Shift_JIS, EUC-KR and others.",
                quoted(name)
            ),
        ),
        RefusalKind::NotGo { text } => (
            format!("这是另一种棋的记录（GM[{}]），不是围棋（GM[1]）。", cut(text)),
            format!(
                "This is a record of another game (GM[{}]), not of Go (GM[1]).",
                cut(text)
            ),
        ),
        RefusalKind::BadSize { text } => (
            format!("棋盘大小{}不能用。请写2到52之间的数，如SZ[19]。", quoted(text)),
            format!(
                "The board size {} cannot be used. Write a number from 2 to 52, such as SZ[19].",
                quoted(text)
            ),
        ),
        RefusalKind::SizeNotPlayed {
            record,
            event: Some(event),
        } => (
            format!("棋谱是{record}棋盘，本局用{event}棋盘。请选择这一局的棋谱。"),
            format!(
                "The record is of a {record} board, the game was played on {event}. Choose the record of this game."
            ),
        ),
        RefusalKind::SizeNotPlayed { record, event: None } => (
            format!("棋谱是{record}棋盘，只能审查正方形棋盘的对局。"),
            format!("The record is of a {record} board; only games on a square board can be judged."),
        ),
        RefusalKind::SetupOffBoard { text } => (
            format!("摆放的棋子{}不在棋盘上，局面无法确定。请更正文件。", quoted(text)),
            format!(
                "A stone is set up at {}, which is not on the board, so the position is not known. Correct the file.",
                quoted(text)
            ),
        ),
        RefusalKind::NoMoveOnBoard { text, size } => (
            format!(
                "没有一手棋落在{size}棋盘上，第一手写的是{}。请检查棋盘大小（SZ），或选择这一局的棋谱。",
                quoted(text)
            ),
            format!(
                "No move stands on the {size} board; the first is written as {}. Check the size (SZ), or choose the record of this game.",
                quoted(text)
            ),
        ),
        RefusalKind::SeveralGames { games, of } => {
            let list = |language: Language| {
                let list: Vec<String> = (1..)
                    .zip(games.iter().take(LISTED))
                    .map(|(number, game)| {
                        let name = |name: &str, side| match cut(name) {
                            name if name.is_empty() => super::words::side_said(side, language).to_owned(),
                            name => name,
                        };
                        let result = match cut(&game.result) {
                            result if result.is_empty() => String::new(),
                            result => language.choose(format!("，{result}"), format!(", {result}")),
                        };
                        format!(
                            "{number} {} – {}{result}",
                            name(&game.names.black, rules::Colour::Black),
                            name(&game.names.white, rules::Colour::White)
                        )
                    })
                    .collect();
                let more = if *of > games.len().min(LISTED) {
                    language.choose("；……", "; …")
                } else {
                    ""
                };
                list.join(language.choose("；", "; ")) + more
            };
            (
                format!("文件中有{of}局棋，请指明是第几局：{}。", list(Language::Chinese)),
                format!(
                    "The file holds {of} games; say which one is meant: {}.",
                    list(Language::English)
                ),
            )
        }
        RefusalKind::NoSuchGame { asked, games } => (
            format!("文件中没有第{asked}局，只有{games}局。"),
            format!("The file has no game {asked}; it holds {games}."),
        ),
        RefusalKind::DeadOffBoard { point, size } => (
            format!(
                "指明为死子的点{}不在{size}棋盘上。请用棋谱的两个字母指明死子，如dd。",
                quoted(&point.to_record())
            ),
            format!(
                "The point {}, given as dead, is not on the {size} board. Name dead stones by the two letters of the record, such as dd.",
                quoted(&point.to_record())
            ),
        ),
    }
}

/// How many games of a file are listed in a sentence.
const LISTED: usize = 20;

/// A text of the file without quotation marks.
fn cut(text: &str) -> String {
    super::text::short(text)
}

/// `1 MiB`; a number that is no round one in bytes.
fn bytes(limit: usize) -> String {
    match (limit >> 20, limit % (1 << 20)) {
        (whole @ 1.., 0) => format!("{whole} MiB"),
        _ => format!("{limit} B"),
    }
}
