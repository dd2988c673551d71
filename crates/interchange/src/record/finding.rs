//! A sentence for each finding: where, what, by which article, and what can be done.

use rules::{
    Finding, FindingKind, Language, OnRepetition, Repeated, RepetitionKind, RuleSet, Standing, Twice, Verdict,
};

use super::numbers::komi_said;
use super::text::quoted;
use super::verdict::recorded_said;
use super::words::{
    encoding_hint, encoding_said, on_repetition_said, repetition_said, rules_said, side_said,
};

/// A finding as a whole sentence: the move and the place in the file, what it is, the article of the
/// rules, and the way out where there is one.
pub fn sentence(finding: &Finding, verdict: &Verdict, language: Language) -> String {
    let (place, matter) = (
        whereabouts(finding, verdict, language),
        matter(finding, verdict, language),
    );
    if place.is_empty() {
        return matter;
    }
    match language {
        Language::Chinese => format!("{place}：{matter}"),
        Language::English => format!("{place}: {matter}"),
    }
}

/// Where a finding is: `Move 57, White Q16 (line 3, column 12)`; empty when it is about the whole record.
pub fn whereabouts(finding: &Finding, verdict: &Verdict, language: Language) -> String {
    let number = finding.move_number;
    if finding.kind == FindingKind::SetupMidgame {
        return between_moves(finding, language);
    }
    let judged = number
        .and_then(|number| usize::try_from(number).ok()?.checked_sub(1))
        .and_then(|index| verdict.moves.get(index));
    let point = finding
        .point
        .or_else(|| judged.and_then(|judged| judged.play.point()))
        .map(|point| point.name(verdict.size));
    let stone = match (judged, point) {
        (Some(judged), Some(point)) => {
            format!(
                "{}{}{point}",
                side_said(judged.side, language),
                language.choose("", " ")
            )
        }
        (Some(judged), None) => side_said(judged.side, language).to_owned(),
        (None, Some(point)) => point,
        (None, None) => String::new(),
    };
    let stone = stone.as_str();
    match language {
        Language::Chinese => {
            let place = finding
                .place
                .map(|place| format!("第{}行第{}列", place.line, place.column));
            match (number, stone, place) {
                (Some(number), "", None) => format!("第{number}手"),
                (Some(number), "", Some(place)) => format!("第{number}手（{place}）"),
                (Some(number), stone, None) => format!("第{number}手{stone}"),
                (Some(number), stone, Some(place)) => format!("第{number}手{stone}（{place}）"),
                (None, "", place) => place.unwrap_or_default(),
                (None, stone, None) => stone.to_owned(),
                (None, stone, Some(place)) => format!("{stone}（{place}）"),
            }
        }
        Language::English => {
            let place = finding
                .place
                .map(|place| format!("line {}, column {}", place.line, place.column));
            match (number, stone, place) {
                (Some(number), "", None) => format!("Move {number}"),
                (Some(number), "", Some(place)) => format!("Move {number} ({place})"),
                (Some(number), stone, None) => format!("Move {number}, {stone}"),
                (Some(number), stone, Some(place)) => format!("Move {number}, {stone} ({place})"),
                (None, "", Some(place)) => format!("L{}", place.trim_start_matches('l')),
                (None, "", None) => String::new(),
                (None, stone, None) => stone.to_owned(),
                (None, stone, Some(place)) => format!("{stone} ({place})"),
            }
        }
    }
}

/// Where something happens after a move and is none itself.
fn between_moves(finding: &Finding, language: Language) -> String {
    let number = finding.move_number.unwrap_or(0);
    match (language, finding.place) {
        (Language::Chinese, None) => format!("第{number}手之后"),
        (Language::Chinese, Some(place)) => {
            format!("第{number}手之后（第{}行第{}列）", place.line, place.column)
        }
        (Language::English, None) => format!("After move {number}"),
        (Language::English, Some(place)) => {
            format!(
                "After move {number} (line {}, column {})",
                place.line, place.column
            )
        }
    }
}

/// What a finding says, without where it is; the article of the rules at its end.
pub fn matter(finding: &Finding, verdict: &Verdict, language: Language) -> String {
    let (chinese, english) = both(&finding.kind, verdict);
    // The articles are those of the Chinese rules: under other rules they would only confuse.
    let article = finding
        .kind
        .article()
        .filter(|_| verdict.rules == RuleSet::Chinese);
    let english = capitalised(english);
    match language {
        Language::Chinese => match article {
            Some(article) => {
                let article = article.split_once('.').map_or_else(
                    || format!("第{article}条"),
                    |(article, part)| format!("第{article}条第{part}款"),
                );
                format!("{chinese}（《中国围棋规则》{article}）。")
            }
            None => format!("{chinese}。"),
        },
        Language::English => match article {
            Some(article) => format!("{english} (Chinese rules, Art. {article})."),
            None => format!("{english}."),
        },
    }
}

/// The sentence in Chinese and in English, without the full stop.
fn both(kind: &FindingKind, verdict: &Verdict) -> (String, String) {
    let say = |chinese: &str, english: &str| (chinese.to_owned(), english.to_owned());
    let unit = verdict.rules.unit();
    let zh = Language::Chinese;
    let en = Language::English;
    let counted_zh = || komi_said(verdict.komi, unit, zh);
    let counted_en = || komi_said(verdict.komi, unit, en);
    match kind {
        FindingKind::TextBefore => say(
            "棋谱之前有其他文字，已略过",
            "there is text before the game; it was passed over",
        ),
        FindingKind::TextAfter => say(
            "棋谱之后有其他文字，已略过",
            "there is text after the last game; it was passed over",
        ),
        FindingKind::TextBetween => say(
            "此处的字符不属于棋谱，已略过",
            "characters here belong to nothing in the record; they were passed over",
        ),
        FindingKind::SemicolonMissing => say(
            "节点开头缺少“;”，已按有“;”读取",
            "a node begins without “;”; it was read as if the “;” were there",
        ),
        FindingKind::TreeNotClosed { missing } => (
            format!(
                "文件结束时还有{missing}个“(”没有闭合，已读取到此为止；如果后面缺手，请重新提供完整的文件"
            ),
            format!(
                "the file ends with {missing} “(” still open; everything up to here was read. If moves are missing, give the whole file again"
            ),
        ),
        FindingKind::TreeClosedTwice => {
            say("多出一个“)”，已略过", "a “)” closes nothing; it was passed over")
        }
        FindingKind::StrayBracket => say(
            "多出一个“]”，已略过；注释中的方括号应写作“\\]”",
            "a “]” closes nothing; it was passed over. In a comment it is written “\\]”",
        ),
        FindingKind::ValueNotClosed => say(
            "文件在一个值的中间断开，已读取到此为止；如果后面缺手，请重新提供完整的文件",
            "the file ends in the middle of a value; everything up to here was read. If moves are missing, give the whole file again",
        ),
        FindingKind::NodeAfterBranches => say(
            "变化之后还有节点，当作又一个变化",
            "a node follows the branches of the node before it; it was taken for one more branch",
        ),
        FindingKind::LowerCaseName { name } => (
            format!("属性名{}含有小写字母，已照常读取", quoted(name)),
            format!(
                "the property name {} has small letters; it was read all the same",
                quoted(name)
            ),
        ),
        FindingKind::PropertyTwice { name } => (
            format!("同一节点中有两个{}属性，请看两处是否一致", quoted(name)),
            format!(
                "the property {} stands twice in one node; see whether both say the same",
                quoted(name)
            ),
        ),
        FindingKind::PointList { text } => (
            format!("一个值中写了多个点{}，已逐点读取", quoted(text)),
            format!(
                "several points stand in one value, {}; each was read by itself",
                quoted(text)
            ),
        ),
        FindingKind::EncodingNotAsDeclared { declared, used } => {
            let used = encoding_said(used);
            (
                format!(
                    "文件声明的编码是{}，实际是{used}，已按{used}读取；{}",
                    quoted(declared),
                    encoding_hint(zh)
                ),
                format!(
                    "the file says that its encoding is {}, but it is {used} and was read so; {}",
                    quoted(declared),
                    encoding_hint(en)
                ),
            )
        }
        FindingKind::EncodingGuessed { used } => {
            let used = encoding_said(used);
            (
                format!(
                    "文件没有声明编码，{used}读得通，已按此读取；{}",
                    encoding_hint(zh)
                ),
                format!(
                    "the file names no encoding; {used} fits and was used; {}",
                    encoding_hint(en)
                ),
            )
        }
        FindingKind::EncodingUnknown { declared } => (
            format!(
                "文件声明的编码{}无法识别，已按{}读取；{}",
                quoted(declared),
                encoding_said(verdict.encoding),
                encoding_hint(zh)
            ),
            format!(
                "the file names an encoding that is not known, {}; it was read as {}; {}",
                quoted(declared),
                encoding_said(verdict.encoding),
                encoding_hint(en)
            ),
        ),
        FindingKind::TextDamaged => (
            format!(
                "有些字节不是{}的字符，显示为“\u{fffd}”；{}",
                encoding_said(verdict.encoding),
                encoding_hint(zh)
            ),
            format!(
                "some bytes are no characters in {}; each is shown as “\u{fffd}”; {}",
                encoding_said(verdict.encoding),
                encoding_hint(en)
            ),
        ),
        FindingKind::InvisibleCharacters => say(
            "有不可见的字符，已略过",
            "there are characters that cannot be seen; they were passed over",
        ),

        FindingKind::MoreInText { count } => (
            format!("文件的文字中还有{count}处类似的问题，没有一一列出"),
            format!(
                "there {} in the text of the file, not listed one by one",
                count_of(*count, "is 1 more thing", "are", "more things")
            ),
        ),

        FindingKind::GameNotNamed => say(
            "没有写明是哪种棋（GM），按围棋处理",
            "the record does not say of which game it is (GM); it was taken for Go",
        ),
        FindingKind::GameDoubtful => say(
            "没有写明是哪种棋（GM），而棋盘是15路，也可能是五子棋；已按围棋审查，请核对",
            "the record does not say of which game it is (GM), and 15 lines are the board of renju; it was judged as Go. See whether it is",
        ),
        FindingKind::SizeAssumed => say(
            "没有写明棋盘大小（SZ），按19×19处理",
            "the record names no board size (SZ); 19×19 was taken",
        ),
        FindingKind::SizeWrittenTwice => (
            format!("棋盘大小写成了两个相同的数，按{}处理", verdict.size),
            format!(
                "the board size is written as two equal numbers; it was read as {}",
                verdict.size
            ),
        ),
        FindingKind::SizesConflict { first, second } => (
            format!(
                "写了两种棋盘大小：{}和{}，按前者读取，但不能确定下的是哪一种；请更正文件",
                quoted(first),
                quoted(second)
            ),
            format!(
                "two board sizes are written, {} and {}; the first was taken, and nothing tells which was played on. Correct the file",
                quoted(first),
                quoted(second)
            ),
        ),
        FindingKind::RulesUnknown { text } => (
            format!(
                "棋谱写的规则{}无法识别，按{}审查；如果不对，请指定规则",
                quoted(text),
                rules_said(verdict.rules, zh)
            ),
            format!(
                "the record’s rules {} are not known; it is judged by the {}. If that is wrong, name the rules",
                quoted(text),
                rules_said(verdict.rules, en)
            ),
        ),
        FindingKind::RulesDiffer { record, event } => (
            format!(
                "棋谱写的是{}，本局应用{}，按后者审查",
                rules_said(*record, zh),
                rules_said(*event, zh)
            ),
            format!(
                "the record names the {}, but the game was to be played under the {}; it is judged by the latter",
                rules_said(*record, en),
                rules_said(*event, en)
            ),
        ),
        FindingKind::RulesAssumed => (
            format!(
                "没有写明规则，按{}审查；如果不对，请指定规则",
                rules_said(verdict.rules, zh)
            ),
            format!(
                "nothing says under which rules the game was played; the {} were taken. If that is wrong, name the rules",
                rules_said(verdict.rules, en)
            ),
        ),
        FindingKind::KomiMissing => (
            format!("没有写明贴子（KM），按{}计算", counted_zh()),
            format!("the record names no komi (KM); counted with {}", counted_en()),
        ),
        FindingKind::KomiUnreadable { text } => (
            format!("贴子{}无法识别，按{}计算", quoted(text), counted_zh()),
            format!(
                "the record’s komi {} cannot be read; counted with {}",
                quoted(text),
                counted_en()
            ),
        ),
        FindingKind::KomiConverted { text, komi, unit } => (
            format!(
                "贴子写作{}，是某些服务器的写法，即{}",
                quoted(text),
                komi_said(*komi, *unit, zh)
            ),
            format!(
                "the komi is written {}, as some servers do; that means {}",
                quoted(text),
                komi_said(*komi, *unit, en)
            ),
        ),
        FindingKind::KomiDoubtful { text } => (
            format!(
                "贴子{}在{}下不大可能，按{}计算；请核对",
                quoted(text),
                rules_said(verdict.rules, zh),
                counted_zh()
            ),
            format!(
                "a komi of {} can hardly be meant under the {}; counted with {}. Please check it",
                quoted(text),
                rules_said(verdict.rules, en),
                counted_en()
            ),
        ),
        FindingKind::KomiDiffers { record, event } => (
            format!(
                "棋谱写的贴子是{}，本局应为{}，按后者计算",
                komi_said(*record, unit, zh),
                komi_said(*event, unit, zh)
            ),
            format!(
                "the record’s komi is {}, that of the game was to be {}; counted with the latter",
                komi_said(*record, unit, en),
                komi_said(*event, unit, en)
            ),
        ),
        FindingKind::HandicapUnreadable { text } => (
            format!("让子数（HA）{}不是数字，按盘上的子处理", quoted(text)),
            format!(
                "the handicap (HA) {} is no number; the stones on the board count",
                quoted(text)
            ),
        ),
        FindingKind::HandicapDiffers {
            declared,
            placed,
            expected,
        } => {
            let number = |n: &Option<u32>, none: &str| n.map_or_else(|| none.to_owned(), |n| n.to_string());
            let (by_event, expected) = match expected {
                Some(expected) => (
                    format!("，本局应为{expected}"),
                    format!(", {expected} to be expected"),
                ),
                None => Default::default(),
            };
            (
                format!(
                    "让子不一致：棋谱写明（HA）{}，盘上摆了{placed}子{by_event}；请核对是不是这一局",
                    number(declared, "无")
                ),
                format!(
                    "the handicap does not add up: {} declared (HA), {placed} placed{expected}; see whether it is this game",
                    number(declared, "none")
                ),
            )
        }
        FindingKind::HandicapOfOne => say(
            "让子数写作1，即让先：黑先行，不贴子",
            "a handicap of 1 places no stone: Black moves first without komi (让先)",
        ),
        FindingKind::BlackFirstAfterHandicap => say(
            "有让子，却由黑先行；白的第一手可能漏记",
            "Black moves first although there are handicap stones; White’s first move may be missing",
        ),
        FindingKind::WhiteFirst => say(
            "没有让子，却由白先行；请核对黑白，或是否漏记了黑的第一手",
            "White moves first in a game without handicap; see whether the colours are right and no move is missing",
        ),
        FindingKind::SetupAfterRoot => say(
            "棋子在第一个节点之后、第一手之前摆放，按开局局面处理",
            "stones are set up after the first node and before the first move; they were taken as the start",
        ),
        FindingKind::SetupTwice => say(
            "同一节点中对此点摆放了两次，且不相同，局面不能确定；请更正文件",
            "one node sets up two different things on the point, so the position is not certain. Correct the file",
        ),
        FindingKind::SetupWithoutLiberty => say(
            "开局摆放的这块棋没有气，对局不能由此开始；请更正文件",
            "the chain that is set up here has no liberty, and no game can start so. Correct the file",
        ),
        FindingKind::MoveInRoot => say(
            "第一手写在第一个节点里，已照常读取",
            "the first move stands in the first node; it was read all the same",
        ),
        FindingKind::NameMissing { side } => (
            format!("没有写明{}方姓名", side_said(*side, zh)),
            format!("the record does not name {}", side_said(*side, en)),
        ),
        FindingKind::NamesSwapped => say(
            "棋谱中双方姓名与本台黑白相反；请核对黑白和结果",
            "the players’ names are those of the board with the colours exchanged; check colours and result",
        ),
        FindingKind::NameDiffers { side, record, board } => (
            format!(
                "{}方姓名在棋谱中是{}，本台是{}；请核对是不是这一局，或只是同一人的另一种写法",
                side_said(*side, zh),
                quoted(record),
                quoted(board)
            ),
            format!(
                "{} is {} in the record and {} at the board; see whether it is this game, or one person in two spellings",
                side_said(*side, en),
                quoted(record),
                quoted(board)
            ),
        ),
        FindingKind::Variations { count } => (
            format!("除主线外有{count}个变化，只审查主线"),
            format!(
                "there {} beside the main line, which alone is judged",
                count_of(*count, "is 1 variation", "are", "variations")
            ),
        ),

        FindingKind::PointUnreadable { text } => (
            format!(
                "{}不是棋盘上的点，当作虚着，其后的局面不能确定；请更正文件",
                quoted(text)
            ),
            format!(
                "{} names no point; it was taken as a pass, and what follows is not certain. Correct the file",
                quoted(text)
            ),
        ),
        FindingKind::PointOffBoard { text } => (
            format!(
                "{}在{}棋盘之外，当作虚着，其后的局面不能确定；请更正文件",
                quoted(text),
                verdict.size
            ),
            format!(
                "{} lies outside the {} board; it was taken as a pass, and what follows is not certain. Correct the file",
                quoted(text),
                verdict.size
            ),
        ),
        FindingKind::Occupied => say(
            "此点已有棋子，不能再下；着手无效，视为虚着",
            "there is a stone on the point already; the move is illegal, void, and counts as a pass",
        ),
        FindingKind::Suicide { stones } => (
            format!("此处是禁着点：落子后己方{stones}子没有气，又不能提对方的子；着手无效，视为虚着"),
            format!(
                "a forbidden point: the move would leave {} without a liberty and captures nothing; it is illegal, void, and counts as a pass",
                count_of(*stones, "its own stone", "", "of its own stones")
            ),
        ),
        FindingKind::Repeated(repeated) => repetition(repeated, verdict.standing),
        FindingKind::SameSideTwice {
            side,
            reading: Twice::Handicap,
        } => (
            format!("{}方连下的这一手是让子，写成了着手", side_said(*side, zh)),
            format!(
                "{} moves again: a handicap stone that is written as a move",
                side_said(*side, en)
            ),
        ),
        FindingKind::SameSideTwice {
            side,
            reading: Twice::PassLeftOut,
        } => (
            format!(
                "{}方连下两手，应是漏记了对方的虚着；不影响审查",
                side_said(*side, zh)
            ),
            format!(
                "{} moves twice in a row; a pass of the other side was left out of the record, and nothing depends on it",
                side_said(*side, en)
            ),
        ),
        FindingKind::SameSideTwice {
            side,
            reading: Twice::Unclear,
        } => (
            format!(
                "{}方连下两手：或漏记了对方的虚着，或多下了一手，多下的一手无效并警告；由裁判裁定",
                side_said(*side, zh)
            ),
            format!(
                "{} moves twice in a row: either a pass was left out of the record, or this move is one too many, which is void and costs a warning; the referee decides",
                side_said(*side, en)
            ),
        ),
        FindingKind::TwoSidesInNode => say(
            "一个节点里黑白各有一手，已按文件中的次序读取",
            "a node has a move of each side; they were played in the order of the file",
        ),
        FindingKind::TwoMovesInNode => say(
            "一个节点里同一方有两手，无法确定下的是哪一手；请更正文件",
            "a node has two moves of one side, and nothing tells which was played. Correct the file",
        ),
        FindingKind::SetupMidgame => say(
            "对局中途摆放或拿掉了棋子，其后的局面不能由着手得出；请改用着手记录",
            "stones are set up or taken away in the middle of the game, so the moves alone do not give what follows. Record them as moves",
        ),
        FindingKind::MoveAfterEnd => say(
            "连续虚着终局之后还有着手；请核对对局在哪里结束",
            "there is a move after the passes that ended the game; see where the game ended",
        ),
        FindingKind::MoreOfAKind { count } => (
            format!("对局中还有{count}处同类的问题，没有一一列出"),
            format!(
                "there {} of the same kinds in the game, not listed one by one",
                count_of(*count, "is 1 more thing", "are", "more things")
            ),
        ),

        FindingKind::ResultMissing => say("没有写明结果（RE）", "the record names no result (RE)"),
        FindingKind::ResultUnreadable { text } => (
            format!("结果{}无法识别，不作猜测", quoted(text)),
            format!("the result {} cannot be read; no guess is made", quoted(text)),
        ),
        FindingKind::ResultsConflict { first, second } => (
            format!(
                "两个结果不一致：{}和{}，采用前者；请核对",
                quoted(first),
                quoted(second)
            ),
            format!(
                "there are two results that differ, {} and {}; the first is used. Please check it",
                quoted(first),
                quoted(second)
            ),
        ),
        FindingKind::ResultAgainstCount => {
            let said = |language| {
                verdict
                    .recorded
                    .as_ref()
                    .map(|recorded| recorded_said(recorded, language))
            };
            let margin = |language| match &verdict.count {
                rules::Count::Counted(counted) => Some(counted.margin.said(unit, language)),
                _ => None,
            };
            (
                match (said(zh), margin(zh)) {
                    (Some(said), Some(margin)) => {
                        format!("棋谱的结果是{said}，数棋得{margin}；请核对死子、贴子和结果")
                    }
                    _ => "棋谱的结果与数棋不符；请核对死子、贴子和结果".to_owned(),
                },
                match (said(en), margin(en)) {
                    (Some(said), Some(margin)) => format!(
                        "by the record {said}, but the position is counted: {margin}. Check the dead stones, the komi and the result"
                    ),
                    _ => "the record’s result is not what the position counts to. Check the dead stones, the komi and the result".to_owned(),
                },
            )
        }
        FindingKind::ResultAgainstBoard { record } => (
            format!(
                "棋谱的结果是{}，与录入的结果不符；录入的结果不变，请核对",
                recorded_said(record, zh)
            ),
            format!(
                "by the record {}, which is not what was entered. The entered result stands; please check it",
                recorded_said(record, en)
            ),
        ),
        FindingKind::CountAgainstBoard => say(
            "数棋所得与录入的结果不符；录入的结果不变，请核对",
            "the position does not count to the result that was entered. The entered result stands; please check it",
        ),
        FindingKind::MarksContradict => say(
            "棋谱中的地域标记（TB、TW）互相矛盾或与局面不符，未予采用；请指明死子",
            "the record’s territory marks (TB, TW) contradict one another or the position, and were not used. Name the dead stones",
        ),
        FindingKind::DeadPointEmpty => say(
            "指定为死子的点上没有棋子，已略过；请核对",
            "the point was given as dead but has no stone; it was passed over. Please check it",
        ),
        FindingKind::DeadDoubtful => say(
            "按所指定的死子，此处的地没有围定：可能漏指了死子，或者边界没有走完；请核对死子",
            "with these dead stones the ground here stays open: a dead chain may be missing from them, or a border was not closed. Check the dead stones",
        ),
        FindingKind::DeadProposed => say(
            "死子只是建议，未经对局者或裁判确认；请确认死子",
            "the dead stones are only proposed, by nobody’s word. Confirm or correct them",
        ),
        FindingKind::DeadNeeded => say(
            "须先指明死子才能数棋；请指明死子，没有死子也请写明",
            "the position cannot be counted before the dead stones are named. Name them, or say that there are none",
        ),
    }
}

/// What a repetition means. That it gives no result the players have to agree on: where they played on, the
/// referee decides.
fn ruling_said(ruling: Option<OnRepetition>, standing: Standing, language: Language) -> &'static str {
    match (ruling, language) {
        (Some(OnRepetition::NoResult), _) if standing == Standing::Referee => language.choose(
            "按规则可判无胜负，但对局继续了，由裁判裁定",
            "by the rules the game may end without result, but it was played on; the referee decides",
        ),
        (Some(ruling), _) => on_repetition_said(ruling, language),
        (None, Language::Chinese) => "按所用规则不算违规",
        (None, Language::English) => "the rules let it pass",
    }
}

fn repetition(repeated: &Repeated, standing: Standing) -> (String, String) {
    let Repeated {
        first,
        second,
        cycle,
        lost,
        same_to_move,
        kind,
        ruling,
    } = *repeated;
    let (zh, en) = (Language::Chinese, Language::English);
    let start = if first == 0 {
        "开局时".to_owned()
    } else {
        format!("第{first}手后")
    };
    if kind == RepetitionKind::BasicKo {
        let (chinese, english) = match ruling {
            Some(OnRepetition::Illegal) => (
                "未隔一手立即提回，此手违规",
                "it is retaken at once, which is illegal; a move must be played elsewhere first",
            ),
            other => (ruling_said(other, standing, zh), ruling_said(other, standing, en)),
        };
        return (
            format!(
                "{}：第{second}手后的局面与{start}相同；{chinese}",
                repetition_said(kind, zh)
            ),
            format!(
                "{}: after move {second} the board is as it was {}; {english}",
                repetition_said(kind, en),
                after_move(first)
            ),
        );
    }
    (
        format!(
            "第{second}手后全局与{start}同形：{}，循环{cycle}手，其间黑失{}子、白失{}子，{}；{}",
            repetition_said(kind, zh),
            lost.black,
            lost.white,
            if same_to_move {
                "轮到同一方下"
            } else {
                "轮到另一方下"
            },
            ruling_said(ruling, standing, zh)
        ),
        format!(
            "after move {second} the whole board is as it was {}: {}, a cycle of {} in which Black lost {} and White {}, with {} to move; {}",
            after_move(first),
            repetition_said(kind, en),
            count_of(cycle, "1 move", "", "moves"),
            count_of(lost.black, "1 stone", "", "stones"),
            lost.white,
            if same_to_move {
                "the same side"
            } else {
                "the other side"
            },
            ruling_said(ruling, standing, en)
        ),
    )
}

fn capitalised(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if first.is_ascii_lowercase() => {
            format!("{}{}", first.to_ascii_uppercase(), letters.as_str())
        }
        _ => text,
    }
}

fn after_move(number: u32) -> String {
    if number == 0 {
        "at the start".to_owned()
    } else {
        format!("after move {number}")
    }
}

/// `1 move`, `6 moves`, `are 6 variations`.
fn count_of(number: u32, one: &str, verb: &str, many: &str) -> String {
    match (number, verb) {
        (1, _) => one.to_owned(),
        (_, "") => format!("{number} {many}"),
        _ => format!("{verb} {number} {many}"),
    }
}
