//! What is said of a whole game: its standing, its end, the count with its sums, what agrees.

use rules::{
    Agreement, Colour, Count, Counted, Counting, DeadFrom, End, Language, Margin, Recorded, RecordedKind,
    Sides, Size, Standing, Unit, Verdict, Weight,
};

use super::numbers::{in_unit, measured, number};
use super::text::quoted;
use super::words::{side_said, standing_said};

/// A verdict in one sentence: moves, standing, count or result.
pub fn summary(verdict: &Verdict, language: Language) -> String {
    let moves = verdict.moves.len();
    let standing = standing_said(verdict.standing, language);
    let result = match (&verdict.count, &verdict.recorded) {
        (Count::Counted(counted), _) => Some(counted.margin.said(verdict.rules.unit(), language)),
        (_, Some(recorded)) => Some(recorded_said(recorded, language)),
        (_, None) => None,
    };
    match language {
        Language::Chinese => {
            let result = result.map_or_else(String::new, |result| format!("，{result}"));
            format!("{moves}手，{standing}{result}")
        }
        Language::English => {
            let result = result.map_or_else(String::new, |result| format!(", {result}"));
            format!(
                "{moves} move{}, {standing}{result}",
                if moves == 1 { "" } else { "s" }
            )
        }
    }
}

/// Whether the game stands, and by which move it does not.
pub fn standing(verdict: &Verdict, language: Language) -> String {
    let weighty = match verdict.standing {
        Standing::Illegal => Some(Weight::Illegal),
        Standing::Referee => Some(Weight::Referee),
        Standing::Uncertain => Some(Weight::Broken),
        _ => None,
    };
    let at = weighty.and_then(|weight| {
        let finding = verdict
            .findings
            .iter()
            .find(|finding| finding.kind.weight() == weight)?;
        finding.move_number
    });
    let at = |chinese: &str, english: &str| {
        at.map_or_else(String::new, |number| match language {
            Language::Chinese => format!("{chinese}第{number}手"),
            Language::English => format!("{english} move {number}"),
        })
    };
    match language {
        Language::Chinese => match verdict.standing {
            Standing::Legal => "合法：每一手都符合规则。".to_owned(),
            Standing::Illegal => format!("违规：有规则禁止的着手{}。", at("，见", "")),
            Standing::Referee => format!("待裁判裁定：有须由裁判认定的着手{}。", at("，见", "")),
            Standing::Uncertain => format!("不能确定：棋谱不完整，无法认定整局合法{}。", at("，见", "")),
            Standing::NoResult => "无胜负：局面循环。".to_owned(),
            Standing::Draw => "和棋：局面循环。".to_owned(),
            Standing::Replay => "重下：局面循环。".to_owned(),
        },
        Language::English => match verdict.standing {
            Standing::Legal => "Legal: every move keeps to the rules.".to_owned(),
            Standing::Illegal => format!(
                "Illegal: the rules forbid a move of this game{}.",
                at("", "; see")
            ),
            Standing::Referee => {
                format!(
                    "For the referee, who has to say what a move counts for{}.",
                    at("", "; see")
                )
            }
            Standing::Uncertain => format!(
                "Not certain: the record does not say enough to call the whole game legal{}.",
                at("", "; see")
            ),
            Standing::NoResult => "No result, because the position repeats.".to_owned(),
            Standing::Draw => "A draw, because the position repeats.".to_owned(),
            Standing::Replay => "To be played again, because the position repeats.".to_owned(),
        },
    }
}

/// How the game ended.
pub fn end(end: End, language: Language) -> String {
    let side = |side: Colour| side_said(side, language);
    match (end, language) {
        (End::Resignation { loser }, Language::Chinese) => {
            format!("{}方认输，{}中盘胜。", side(loser), side(loser.other()))
        }
        (End::Resignation { loser }, Language::English) => format!("{} resigned.", side(loser)),
        (End::Passes, Language::Chinese) => "双方连续虚着终局。".to_owned(),
        (End::Passes, Language::English) => "Passes in a row ended the game.".to_owned(),
        (End::Agreement, Language::Chinese) => "双方同意终局，棋谱没有以规则要求的连续虚着结束。".to_owned(),
        (End::Agreement, Language::English) => {
            "Both agreed on the end; the record does not end with the passes that the rules ask for."
                .to_owned()
        }
        (End::Time { loser }, Language::Chinese) => format!("{}方超时判负。", side(loser)),
        (End::Time { loser }, Language::English) => format!("{} lost on time.", side(loser)),
        (End::Decision, Language::Chinese) => "由弃权、判罚或裁决终局。".to_owned(),
        (End::Decision, Language::English) => "A forfeit, a penalty or a decision ended the game.".to_owned(),
        (End::Unsaid, Language::Chinese) => "写明了胜方，没有写明如何终局。".to_owned(),
        (End::Unsaid, Language::English) => "Somebody won, and nothing says how the game ended.".to_owned(),
        (End::Unfinished, Language::Chinese) => "棋谱到此为止，没有写明如何终局。".to_owned(),
        (End::Unfinished, Language::English) => {
            "The record stops here and does not say how the game ended.".to_owned()
        }
    }
}

/// A result of a record in words; what cannot be read as it is written.
pub fn recorded(recorded: &Recorded, language: Language) -> String {
    recorded_said(recorded, language)
}

pub(super) fn recorded_said(recorded: &Recorded, language: Language) -> String {
    let written = quoted(&recorded.text);
    let unit = recorded.unit.unwrap_or(Unit::Points);
    match language {
        Language::Chinese => {
            let winner = recorded.winner.map(|side| side_said(side, language));
            let said = match (recorded.kind, winner) {
                (RecordedKind::Draw, _) => "和棋".to_owned(),
                (RecordedKind::Void, _) => "无胜负".to_owned(),
                (RecordedKind::BothLose, _) => "双方均负".to_owned(),
                (RecordedKind::Unknown, _) | (_, None) => return written,
                (RecordedKind::Score, Some(winner)) => match recorded.margin {
                    Some(margin) => margin.said(unit, language),
                    None => format!("{winner}数棋胜"),
                },
                (RecordedKind::Resign, Some(winner)) => format!("{winner}中盘胜"),
                (RecordedKind::Time, Some(winner)) => format!("{winner}超时胜"),
                (RecordedKind::Forfeit, Some(winner)) => format!("{winner}胜，对方弃权或判负"),
                (RecordedKind::Judge, Some(winner)) => format!("{winner}裁定胜"),
                (RecordedKind::Unspecified | RecordedKind::Other, Some(winner)) => format!("{winner}胜"),
            };
            format!("{said}（{written}）")
        }
        Language::English => {
            let winner = recorded.winner.map(|side| side_said(side, language));
            let said = match (recorded.kind, winner) {
                (RecordedKind::Draw, _) => "a draw".to_owned(),
                (RecordedKind::Void, _) => "no result".to_owned(),
                (RecordedKind::BothLose, _) => "both lose".to_owned(),
                (RecordedKind::Unknown, _) | (_, None) => return written,
                (RecordedKind::Score, Some(winner)) => match recorded.margin {
                    Some(margin) => margin.said(unit, language),
                    None => format!("{winner} wins by counting"),
                },
                (RecordedKind::Resign, Some(winner)) => format!("{winner} wins by resignation"),
                (RecordedKind::Time, Some(winner)) => format!("{winner} wins on time"),
                (RecordedKind::Forfeit, Some(winner)) => format!("{winner} wins by forfeit or penalty"),
                (RecordedKind::Judge, Some(winner)) => format!("{winner} wins by decision"),
                (RecordedKind::Unspecified | RecordedKind::Other, Some(winner)) => format!("{winner} wins"),
            };
            format!("{said} ({written})")
        }
    }
}

/// How many points are listed in a sentence.
const LISTED: usize = 20;

/// What counting came to, in one sentence.
pub fn count(verdict: &Verdict, language: Language) -> String {
    let unit = verdict.rules.unit();
    let said = |counted: &Counted| counted.margin.said(unit, language);
    match (&verdict.count, language) {
        (Count::Counted(counted), Language::Chinese) => {
            format!("{}，{}。", said(counted), dead_said(counted, language))
        }
        (Count::Counted(counted), Language::English) => {
            format!("{}; {}.", said(counted), dead_said(counted, language))
        }
        // The margin of a proposal that leaves stones open is no margin, and is not told.
        (Count::NeedsDeadStones(proposal), _) => {
            let dead = proposal.as_ref().map_or(&[][..], |proposal| &proposal.dead);
            let names: Vec<String> = dead
                .iter()
                .take(LISTED)
                .map(|point| point.name(verdict.size))
                .collect();
            let names = names.join(language.choose("、", ", "));
            match (language, dead.len()) {
                (Language::Chinese, 0) => "还不能数棋：须先指明死子。".to_owned(),
                (Language::Chinese, count) if count > LISTED => {
                    format!("还不能数棋：须先指明死子。确定已死的有{names}等{count}子。")
                }
                (Language::Chinese, count) => {
                    format!("还不能数棋：须先指明死子。确定已死的有{names}，共{count}子。")
                }
                (Language::English, 0) => "Not counted: the dead stones must be named first.".to_owned(),
                (Language::English, count) if count > LISTED => format!(
                    "Not counted: the dead stones must be named first. Certainly dead are {count} stones: {names} and others."
                ),
                (Language::English, count) => format!(
                    "Not counted: the dead stones must be named first. Certainly dead: {} ({names}).",
                    stones(count)
                ),
            }
        }
        (Count::Nothing, _) => match verdict.end {
            End::Passes | End::Agreement => language.choose(
                "没有数棋：局面不能确定。",
                "Not counted: the position is not certain.",
            ),
            End::Unfinished => language.choose(
                "没有数棋：棋谱没有到终局。",
                "Not counted: the record does not come to an end.",
            ),
            End::Resignation { .. } | End::Time { .. } | End::Decision | End::Unsaid => language.choose(
                "不须数棋：本局不是数棋决定的。",
                "Nothing to count: the game did not end by counting.",
            ),
        }
        .to_owned(),
    }
}

fn stones(number: usize) -> String {
    format!("{number} stone{}", if number == 1 { "" } else { "s" })
}

fn dead_said(counted: &Counted, language: Language) -> String {
    let dead = counted.dead.len();
    if dead == 0 && counted.stones == Sides::default() {
        return language
            .choose("盘上没有棋子", "no stone is on the board")
            .to_owned();
    }
    match (counted.dead_from, language) {
        (DeadFrom::Rules, Language::Chinese) => "按规则盘上的棋子全部计算".to_owned(),
        (DeadFrom::Rules, Language::English) => "by the rules every stone on the board counts".to_owned(),
        (DeadFrom::Given, Language::Chinese) if dead == 0 => "没有死子".to_owned(),
        (DeadFrom::Record, Language::Chinese) if dead == 0 => "按棋谱的标记没有死子".to_owned(),
        (DeadFrom::Proposal, Language::Chinese) if dead == 0 => "没有死子，这是建议，待确认".to_owned(),
        (DeadFrom::Given, Language::Chinese) => format!("按指明的{dead}个死子计算"),
        (DeadFrom::Record, Language::Chinese) => format!("按棋谱标出的{dead}个死子计算"),
        (DeadFrom::Proposal, Language::Chinese) => format!("按建议的{dead}个死子计算，待确认"),
        (DeadFrom::Given, Language::English) if dead == 0 => "no stone is dead".to_owned(),
        (DeadFrom::Record, Language::English) if dead == 0 => {
            "by the marks of the record no stone is dead".to_owned()
        }
        (DeadFrom::Proposal, Language::English) if dead == 0 => {
            "as is proposed, no stone is dead; to be confirmed".to_owned()
        }
        (DeadFrom::Given, Language::English) => format!("with {} given as dead", stones(dead)),
        (DeadFrom::Record, Language::English) => {
            format!("with {} marked as dead in the record", stones(dead))
        }
        (DeadFrom::Proposal, Language::English) => {
            format!("with {} proposed as dead, to be confirmed", stones(dead))
        }
    }
}

/// The sums of a count, line by line, so that a reader can add them up.
pub fn count_sums(counted: &Counted, verdict: &Verdict, language: Language) -> Vec<String> {
    let (rules, size) = (verdict.rules, verdict.size);
    let mut lines = match rules.counting() {
        Counting::Area => area_sums(counted, rules.unit(), size, language),
        Counting::Territory => territory_sums(counted, language),
    };
    let unit = rules.unit();
    let taken = [
        (counted.komi, language.choose("贴子", "komi")),
        (counted.handicap, language.choose("还让子", "handicap returned")),
        (
            counted.passed_first,
            language.choose("白先虚着", "White passed first"),
        ),
        (counted.group_tax, language.choose("还棋头", "group tax")),
        (counted.warnings, language.choose("警告", "warnings")),
    ];
    let komi = usize::from(unit == Unit::Points);
    for (index, (margin, name)) in taken.into_iter().enumerate() {
        if margin.0 != 0 {
            let name = if (index, komi, language) == (0, 1, Language::Chinese) {
                "贴目"
            } else {
                name
            };
            let amount = measured(in_unit(Margin(margin.0.saturating_neg()), unit), unit, language);
            let amount = if amount.starts_with('−') {
                amount
            } else {
                format!("+{amount}")
            };
            lines.push(match language {
                Language::Chinese => format!("{name}：黑{amount}"),
                Language::English => format!("{name}: Black {amount}"),
            });
        }
    }
    lines.push(counted.margin.said(unit, language));
    lines
}

fn area_sums(counted: &Counted, unit: Unit, size: Size, language: Language) -> Vec<String> {
    let quarters = |side: Colour| {
        let whole = counted.stones[side].saturating_add(counted.points[side]);
        i32::try_from(
            whole
                .saturating_mul(4)
                .saturating_add(counted.shared.saturating_mul(2)),
        )
        .unwrap_or(i32::MAX)
    };
    let shown = |quarters: i32| number(quarters, unit, language);
    let mut lines: Vec<String> = [Colour::Black, Colour::White]
        .into_iter()
        .map(|side| {
            let (stones, points, total) = (counted.stones[side], counted.points[side], shown(quarters(side)));
            let name = side_said(side, language);
            match (language, counted.shared) {
                (Language::Chinese, 0) => format!("{name}：活子{stones} + 围点{points} = {total}"),
                (Language::Chinese, shared) => {
                    format!("{name}：活子{stones} + 围点{points} + 公共点{shared}的一半 = {total}")
                }
                (Language::English, 0) => {
                    format!("{name}: {stones} living stones + {points} surrounded points = {total}")
                }
                (Language::English, shared) => format!(
                    "{name}: {stones} living stones + {points} surrounded points + half of {shared} shared = {total}"
                ),
            }
        })
        .collect();
    let (black, white) = (quarters(Colour::Black), quarters(Colour::White));
    let half = i32::from(size.points()) * 2;
    lines.push(match (unit, language) {
        (Unit::Stones, Language::Chinese) => {
            format!(
                "黑{} − 盘面的一半{} = {}子",
                shown(black),
                shown(half),
                shown(black.saturating_sub(half))
            )
        }
        (Unit::Stones, Language::English) => format!(
            "Black {} − half of the board {} = {}",
            shown(black),
            shown(half),
            measured(black.saturating_sub(half), unit, language)
        ),
        (Unit::Points, Language::Chinese) => {
            format!(
                "黑{} − 白{} = {}目",
                shown(black),
                shown(white),
                shown(black.saturating_sub(white))
            )
        }
        (Unit::Points, Language::English) => format!(
            "Black {} − White {} = {}",
            shown(black),
            shown(white),
            measured(black.saturating_sub(white), unit, language)
        ),
    });
    lines
}

fn territory_sums(counted: &Counted, language: Language) -> Vec<String> {
    let total = |side: Colour| counted.points[side].saturating_add(counted.prisoners[side]);
    let mut lines: Vec<String> = [Colour::Black, Colour::White]
        .into_iter()
        .map(|side| {
            let name = side_said(side, language);
            let (points, prisoners, total) = (counted.points[side], counted.prisoners[side], total(side));
            match language {
                Language::Chinese => format!("{name}：围空{points} + 提子{prisoners} = {total}"),
                Language::English => {
                    format!("{name}: {points} surrounded points + {prisoners} prisoners = {total}")
                }
            }
        })
        .collect();
    let (black, white) = (total(Colour::Black), total(Colour::White));
    let difference = i64::from(black) - i64::from(white);
    let sign = if difference < 0 { "−" } else { "" };
    let difference = difference.unsigned_abs();
    lines.push(match language {
        Language::Chinese => format!("黑{black} − 白{white} = {sign}{difference}目"),
        Language::English => format!("Black {black} − White {white} = {sign}{difference}"),
    });
    lines
}

/// Whether the record's result agrees with what was counted; nothing when one of them says too little.
pub fn agreement_with_count(agreement: Agreement, language: Language) -> Option<&'static str> {
    match agreement {
        Agreement::Yes => Some(language.choose(
            "棋谱的结果与数棋一致。",
            "The record’s result agrees with the count.",
        )),
        Agreement::No => Some(language.choose(
            "棋谱的结果与数棋不一致。",
            "The record’s result does not agree with the count.",
        )),
        Agreement::Unknown => None,
    }
}

/// Whether the record agrees with the result entered for the board; nothing when one of them says too
/// little.
pub fn agreement_with_entered(agreement: Agreement, language: Language) -> Option<&'static str> {
    match agreement {
        Agreement::Yes => Some(language.choose(
            "棋谱与录入的结果一致。",
            "The record agrees with the result that was entered.",
        )),
        Agreement::No => Some(language.choose(
            "棋谱与录入的结果不一致；录入的结果不变。",
            "The record does not agree with the result that was entered, which stands.",
        )),
        Agreement::Unknown => None,
    }
}
