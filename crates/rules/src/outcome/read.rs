//! Reading the result of a record (RE) in the spellings that are met.

use super::amount::{Amount, amount};
use super::plain::plain;
use super::{Margin, Recorded, RecordedKind};
use crate::point::Colour;
use crate::rule_set::Unit;

use Colour::{Black, White};
use RecordedKind::{BothLose, Draw, Forfeit, Judge, Other, Resign, Score, Time, Unknown, Unspecified, Void};

impl Recorded {
    /// Reads a result: `B+R`, `W+0.5`, `Draw`, `Black wins by resignation`, 黑胜3又3/4子, 白中押し勝ち,
    /// 흑 불계승 and their kind. What is not known is [`RecordedKind::Unknown`], with its text; nothing is
    /// guessed.
    ///
    /// A number without a unit is in points when it is whole or has a half, and in stones when it has a
    /// quarter, which no count of points comes to.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let said = plain(text)
            .and_then(|plain| read(&plain))
            .unwrap_or(Said::of(None, Unknown));
        Self {
            text: text.to_owned(),
            winner: said.winner,
            kind: said.kind,
            margin: said.margin,
            unit: said.unit,
        }
    }

    /// Who lost, when one side did.
    #[must_use]
    pub fn loser(&self) -> Option<Colour> {
        self.winner.map(Colour::other)
    }
}

/// What a text says.
#[derive(Clone, Copy)]
struct Said {
    winner: Option<Colour>,
    kind: RecordedKind,
    margin: Option<Margin>,
    unit: Option<Unit>,
}

impl Said {
    fn of(winner: Option<Colour>, kind: RecordedKind) -> Self {
        Self {
            winner,
            kind,
            margin: None,
            unit: None,
        }
    }

    /// A win by an amount. Nobody wins by nothing.
    fn by(winner: Colour, amount: Amount) -> Option<Self> {
        let Amount { quarters, unit } = amount;
        if quarters == Some(0) {
            return None;
        }
        let unit = unit.or(quarters.map(|quarters| {
            if quarters % 2 == 0 {
                Unit::Points
            } else {
                Unit::Stones
            }
        }));
        let size = quarters
            .zip(unit)
            .and_then(|(quarters, unit)| Margin::from_quarters(quarters, unit));
        Some(Self {
            winner: Some(winner),
            kind: Score,
            margin: size.map(|size| match winner {
                Black => size,
                White => Margin(-size.0),
            }),
            unit,
        })
    }
}

fn read(text: &str) -> Option<Said> {
    let whole = match text {
        "0" | "draw" | "drawn" | "tie" | "jigo" | "game drawn" | "draw game" => Some(Draw),
        "void" | "no result" | "noresult" => Some(Void),
        "both lose" | "both lost" | "both players lose" | "both players lost" => Some(BothLose),
        _ => None,
    };
    if let Some(kind) = whole {
        return Some(Said::of(None, kind));
    }
    if let Some((winner, rest)) = text.split_once('+') {
        return record_form(winner.trim(), rest.trim());
    }
    if text.is_ascii() {
        sentence(text)
    } else {
        east_asian(text)
    }
}

/// What a side is called.
fn side(name: &str) -> Option<Colour> {
    match name {
        "b" | "black" | "黑" => Some(Black),
        "w" | "white" | "白" => Some(White),
        _ => None,
    }
}

/// `B+…`.
fn record_form(winner: &str, rest: &str) -> Option<Said> {
    if winner == "d" || winner == "draw" {
        return matches!(rest, "" | "j" | "r" | "0").then_some(Said::of(None, Draw));
    }
    let winner = side(winner)?;
    // A remark behind the result: `R (moves beyond 257 not known)`.
    let rest = match rest.split_once(['(', '{']) {
        Some((rest, remark)) if !remark.contains('?') => rest.trim_end(),
        _ => rest,
    };
    if rest.is_empty() {
        return Some(Said::of(Some(winner), Unspecified));
    }
    if let Some(kind) = way(rest) {
        return Some(Said::of(Some(winner), kind));
    }
    if let Some(amount) = amount(rest) {
        // `3 1/4` is nothing that a record's number may be: its text is kept and no number made of it.
        let amount = match amount.unit {
            None if rest.contains(' ') => Amount {
                quarters: None,
                unit: None,
            },
            _ => amount,
        };
        return Said::by(winner, amount);
    }
    if [
        "draw",
        "jigo",
        "void",
        "no result",
        "lose",
        "loss",
        "lost",
        "unknown",
    ]
    .contains(&rest)
    {
        return None;
    }
    let word = rest.len() <= 20
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
    word.then_some(Said::of(Some(winner), Other))
}

/// The way of winning that is named in a record's own form, or after “wins by”.
fn way(text: &str) -> Option<RecordedKind> {
    Some(match text {
        "r" | "res" | "resign" | "resigns" | "resigned" | "resignation" | "中盘" | "中盘胜" => Resign,
        "t" | "time" | "timeout" | "time out" | "time over" | "overtime" | "超时" => Time,
        "f" | "forfeit" | "forfeiture" | "default" | "illegal" | "illegal move" | "repetition"
        | "superko" | "penalty" | "no show" | "弃权" => Forfeit,
        "j" | "judge" | "judgement" | "judgment" | "decision" | "judge's decision" | "adjudication"
        | "referee" | "referee's decision" => Judge,
        _ => return None,
    })
}

/// `Black wins by 2.5 points`, `White resigns`.
fn sentence(text: &str) -> Option<Said> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let subject = side(name)?;
    let won = |kind| Some(Said::of(Some(subject), kind));
    let lost = |kind| Some(Said::of(Some(subject.other()), kind));
    match rest {
        "" | "win" | "wins" | "won" => return won(Unspecified),
        "lose" | "loses" | "lost" => return lost(Unspecified),
        "resign" | "resigns" | "resigned" | "has resigned" => return lost(Resign),
        "times out" | "timed out" | "time out" | "timeout" | "ran out of time" | "runs out of time"
        | "loses on time" | "lost on time" | "loses by time" | "lost by time" | "forfeits on time" => {
            return lost(Time);
        }
        "forfeits" | "forfeited" | "loses by forfeit" | "lost by forfeit" => return lost(Forfeit),
        _ => {}
    }
    let rest = ["wins ", "won ", "win "]
        .iter()
        .find_map(|verb| rest.strip_prefix(verb))
        .unwrap_or(rest);
    let rest = ["by ", "on "].iter().find_map(|word| rest.strip_prefix(word))?;
    match (way(rest), amount(rest)) {
        (Some(kind), _) => won(kind),
        (None, Some(amount)) => Said::by(subject, amount),
        (None, None) => None,
    }
}

/// Results in Chinese, Japanese and Korean.
fn east_asian(text: &str) -> Option<Said> {
    // `257手完, 白4目半勝ち` says first how long the game was.
    let text = match text.split_once(',') {
        Some((length, rest)) if is_length(length) => rest,
        _ => text,
    };
    let text = ["结果:", "比赛结果:", "result:"]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text);
    let text: String = joined(text);
    let whole = match text.as_str() {
        "和棋" | "和局" | "和" | "平局" | "平手" | "双方和棋" | "双方和局" | "持棋" | "持碁" | "引き分け"
        | "ジゴ" | "무승부" | "빅" => Some(Draw),
        "无胜负" | "无结果" | "双方无胜负" | "比赛无胜负" | "无效" | "无效局" | "무효" => {
            Some(Void)
        }
        "双负" | "双方负" | "双方判负" | "双方均负" | "双败" | "双方败" | "双输" | "双方超时负"
        | "双方弃权" | "双负け" | "双者负け" => Some(BothLose),
        _ => None,
    };
    if let Some(kind) = whole {
        return Some(Said::of(None, kind));
    }
    if let Some(winner) = text
        .strip_prefix("中盘")
        .and_then(|rest| rest.strip_suffix('胜'))
        .and_then(side)
    {
        return Some(Said::of(Some(winner), Resign));
    }
    let (subject, rest) = subject(&text)?;
    let won = |kind| Some(Said::of(Some(subject), kind));
    let lost = |kind| Some(Said::of(Some(subject.other()), kind));
    match rest {
        "" | "胜" | "获胜" | "胜出" | "胜利" | "赢" | "胜ち" | "승" | "승리" => {
            return won(Unspecified);
        }
        "负" | "败" | "输" | "负け" | "败れ" | "패" => return lost(Unspecified),
        "中盘" | "中盘胜" | "中盘获胜" | "中盘赢" | "胜中盘" | "中押" | "中押胜" | "中押し胜"
        | "中押し胜ち" | "中押胜ち" | "中押し" | "不计点胜" | "不计点" | "不计目胜" | "不计子胜"
        | "불계승" | "불계" | "승불계" => {
            return won(Resign);
        }
        "认输" | "中盘认输" | "投子" | "投子认负" | "投子认输" | "认负" | "中盘负" | "中盘败" | "投了"
        | "中押し负け" | "中押负" | "不计点负" | "불계패" | "기권패(불계)" => {
            return lost(Resign);
        }
        "超时胜" | "时间胜" | "胜超时" | "时间切れ胜" | "时间切れ胜ち" | "시간승" => {
            return won(Time);
        }
        "超时" | "超时负" | "超时判负" | "超时败" | "时间负" | "时间败" | "时间切れ" | "时间切れ负"
        | "时间切れ负け" | "读秒超时" | "读秒超时负" | "시간패" | "시간초과" => {
            return lost(Time);
        }
        "弃权胜" | "不战胜" | "不战胜ち" | "对方弃权胜" | "反则胜" | "反则胜ち" | "기권승" | "반칙승" =>
        {
            return won(Forfeit);
        }
        "弃权" | "弃权负" | "弃权败" | "缺席" | "缺席负" | "缺席判负" | "不战负" | "不战败" | "判负"
        | "判罚负" | "犯规负" | "犯规" | "违规负" | "反则" | "反则负" | "反则负け" | "禁着负" | "기권"
        | "기권패" | "반칙패" => return lost(Forfeit),
        "判胜" | "裁定胜" | "裁判判胜" | "판정승" => return won(Judge),
        "裁定负" | "裁判判负" | "판정패" => return lost(Judge),
        _ => {}
    }
    // 胜3又3/4子, 负半子, 4目半胜ち, 4집반승.
    for (before, after, wins) in [
        ("胜", "", true),
        ("赢", "", true),
        ("负", "", false),
        ("输", "", false),
        ("", "胜ち", true),
        ("", "胜", true),
        ("", "负け", false),
        ("", "负", false),
        ("", "승", true),
        ("", "패", false),
    ] {
        let inner = rest
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after));
        if let Some(amount) = inner.and_then(amount) {
            return Said::by(if wins { subject } else { subject.other() }, amount);
        }
    }
    None
}

/// The side that a text begins with, and what is said of it.
fn subject(text: &str) -> Option<(Colour, &str)> {
    let (subject, rest) = [("黑", Black), ("흑", Black), ("白", White), ("백", White)]
        .iter()
        .find_map(|(name, side)| Some((*side, text.strip_prefix(name)?)))?;
    let rest = ["方", "棋", "番", "の", "이", "은"]
        .iter()
        .find_map(|word| rest.strip_prefix(word))
        .unwrap_or(rest);
    Some((subject, rest.strip_prefix('の').unwrap_or(rest)))
}

/// 257手完, 共257手.
fn is_length(text: &str) -> bool {
    let text: String = joined(text);
    let text = text
        .trim_start_matches(['共', '全'])
        .trim_end_matches(['完', '止', '终', '了']);
    text.strip_suffix('手').is_some_and(|number| {
        !number.is_empty() && number.len() <= 4 && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Without spaces, brackets and commas, but for those within numbers.
fn joined(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let digit = |place: Option<usize>| {
        place
            .and_then(|place| letters.get(place))
            .is_some_and(char::is_ascii_digit)
    };
    letters
        .iter()
        .enumerate()
        .filter(|(place, letter)| match letter {
            ' ' | ',' => digit(place.checked_sub(1)) && digit(Some(place + 1)),
            '(' | ')' | ':' => false,
            _ => true,
        })
        .map(|(_, letter)| *letter)
        .collect()
}
