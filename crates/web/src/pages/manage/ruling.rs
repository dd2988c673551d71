//! What a director rules at a board, as directors say it: a warning, a loss for lateness, both lose, wrong
//! colours, adjourned. Each becomes a result with the article and the remark as its reason.

use axum::http::StatusCode;
use store::results::ResultInput;
use tournament::{Board, By, Outcome, Side};

use super::Fields;
use crate::errors::{Error, Problem, Result};
use crate::i18n::Language;

/// A ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// A warning (警告); the second one in a game loses it (Art. 24).
    Warning(Side),
    /// Late for longer than is allowed (Art. 22).
    Late(Side),
    /// Both were (Art. 22.3): no game, so no colours either.
    BothLate,
    /// Loses by penalty (Art. 23.1).
    Penalty(Side),
    /// Both lose a game that was played (Art. 17.5).
    BothLose,
    /// Both lose by penalty (Art. 23.1).
    BothPenalty,
    /// Played with the colours exchanged, and found too late: the game stands, and so do the colours of
    /// the pairing (Art. 17.1). Whoever is paired on this side has won.
    WrongColours(Side),
    /// Adjourned (封棋): there is no result yet.
    Adjourned,
    /// To be played again (重赛): there is no result yet.
    Replay,
}

impl Ruling {
    /// All of them, as they stand on the page.
    pub const ALL: [Self; 13] = [
        Self::Warning(Side::Black),
        Self::Warning(Side::White),
        Self::Late(Side::Black),
        Self::Late(Side::White),
        Self::BothLate,
        Self::Penalty(Side::Black),
        Self::Penalty(Side::White),
        Self::BothLose,
        Self::BothPenalty,
        Self::WrongColours(Side::Black),
        Self::WrongColours(Side::White),
        Self::Adjourned,
        Self::Replay,
    ];

    /// The word in the form.
    pub fn word(self) -> &'static str {
        let of = |side, black, white| if side == Side::Black { black } else { white };
        match self {
            Self::Warning(side) => of(side, "warning-black", "warning-white"),
            Self::Late(side) => of(side, "late-black", "late-white"),
            Self::BothLate => "both-late",
            Self::Penalty(side) => of(side, "penalty-black", "penalty-white"),
            Self::BothLose => "both-lose",
            Self::BothPenalty => "both-penalty",
            Self::WrongColours(side) => of(side, "colours-black", "colours-white"),
            Self::Adjourned => "adjourned",
            Self::Replay => "replay",
        }
    }

    /// The one with a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ruling| ruling.word() == word)
    }

    /// Whom it is about; nobody in particular where it is about both.
    pub fn side(self) -> Option<Side> {
        match self {
            Self::Warning(side) | Self::Late(side) | Self::Penalty(side) | Self::WrongColours(side) => {
                Some(side)
            }
            _ => None,
        }
    }

    /// The key of its sentences.
    pub fn key(self) -> &'static str {
        match self {
            Self::Warning(_) => "ruling-warning",
            Self::Late(_) => "ruling-late",
            Self::BothLate => "ruling-both-late",
            Self::Penalty(_) => "ruling-penalty",
            Self::BothLose => "ruling-both-lose",
            Self::BothPenalty => "ruling-both-penalty",
            Self::WrongColours(_) => "ruling-colours",
            Self::Adjourned => "ruling-adjourned",
            Self::Replay => "ruling-replay",
        }
    }

    /// The article that it follows; nothing where the rules of the event decide.
    pub fn article(self) -> &'static str {
        match self {
            Self::Warning(_) => "24",
            Self::Late(_) => "22",
            Self::BothLate => "22.3",
            Self::Penalty(_) | Self::BothPenalty => "23.1",
            Self::BothLose => "17.5",
            Self::WrongColours(_) => "17.1",
            Self::Adjourned | Self::Replay => "",
        }
    }

    /// The board's result by the ruling.
    ///
    /// # Errors
    /// `ruling-without-game` where there is no game to warn in.
    pub fn input(self, board: &Board) -> Result<ResultInput> {
        let lost = |side| match side {
            Side::Black => Outcome::White,
            Side::White => Outcome::Black,
        };
        let with = |result, by| ResultInput {
            result,
            by,
            margin: None,
            warnings: board.warnings,
            black: None,
        };
        Ok(match self {
            Self::Warning(side) => {
                if board.result.is_some_and(|result| !result.played()) {
                    return Err(Error::from(
                        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "ruling-without-game")
                            .arg("board", board.board),
                    ));
                }
                let mut warnings = board.warnings;
                let count = match side {
                    Side::Black => &mut warnings.black,
                    Side::White => &mut warnings.white,
                };
                *count = count.saturating_add(1);
                let as_it_was = ResultInput {
                    by: board.by,
                    margin: board.margin,
                    ..with(board.result, None)
                };
                let input = if *count == 2 {
                    with(Some(lost(side)), Some(By::Penalty))
                } else {
                    as_it_was
                };
                ResultInput { warnings, ..input }
            }
            Self::Late(Side::Black) => with(Some(Outcome::BlackForfeit), None),
            Self::Late(Side::White) => with(Some(Outcome::WhiteForfeit), None),
            Self::BothLate => with(Some(Outcome::BothForfeit), None),
            Self::Penalty(side) => with(Some(lost(side)), Some(By::Penalty)),
            Self::BothLose | Self::BothPenalty => with(Some(Outcome::BothLose), Some(By::Penalty)),
            Self::WrongColours(side) => with(Some(lost(side.other())), None),
            Self::Adjourned | Self::Replay => with(None, None),
        })
    }

    /// What the log keeps as the reason: what was ruled and by which article, and the remark.
    pub fn reason(self, t: Language, fields: &Fields) -> String {
        let article = match fields.get("article") {
            "" => self.article(),
            typed => typed,
        };
        let ruled = t.say(&format!("{}.reason", self.key()));
        let ruled = if article.is_empty() {
            ruled
        } else {
            t.with2("ruling-by-article", "ruled", ruled, "article", article.to_owned())
        };
        let reason = match fields.get("remark") {
            "" => ruled,
            remark => t.with2("ruling-with-remark", "ruled", ruled, "remark", remark.to_owned()),
        };
        reason.chars().take(300).collect()
    }
}

#[cfg(test)]
mod tests {
    use tournament::{Number, Warnings};

    use super::*;

    fn board(result: Option<Outcome>, warnings: (u8, u8)) -> Board {
        let number = |number| Number::new(number).expect("a number");
        Board {
            result,
            warnings: Warnings {
                black: warnings.0,
                white: warnings.1,
            },
            ..Board::new(1, number(1), number(2))
        }
    }

    #[test]
    fn a_ruling_becomes_the_result_that_its_article_asks_for() {
        use Outcome::{Black, BlackForfeit, BothForfeit, BothLose, White, WhiteForfeit};
        let penalty = Some(By::Penalty);
        for (ruling, was, result, by, warnings) in [
            ("warning-black", board(None, (0, 0)), None, None, (1, 0)),
            ("warning-black", board(None, (1, 0)), Some(White), penalty, (2, 0)),
            (
                "warning-white",
                board(Some(White), (0, 1)),
                Some(Black),
                penalty,
                (0, 2),
            ),
            (
                "warning-white",
                board(Some(White), (1, 0)),
                Some(White),
                None,
                (1, 1),
            ),
            (
                "late-black",
                board(None, (0, 0)),
                Some(BlackForfeit),
                None,
                (0, 0),
            ),
            (
                "late-white",
                board(None, (0, 0)),
                Some(WhiteForfeit),
                None,
                (0, 0),
            ),
            ("both-late", board(None, (0, 0)), Some(BothForfeit), None, (0, 0)),
            (
                "penalty-white",
                board(Some(White), (0, 1)),
                Some(Black),
                penalty,
                (0, 1),
            ),
            (
                "both-lose",
                board(Some(White), (0, 0)),
                Some(BothLose),
                penalty,
                (0, 0),
            ),
            ("colours-black", board(None, (0, 0)), Some(Black), None, (0, 0)),
            ("colours-white", board(None, (0, 0)), Some(White), None, (0, 0)),
            ("adjourned", board(Some(White), (1, 0)), None, None, (1, 0)),
        ] {
            let told = Ruling::of(ruling)
                .expect("a ruling")
                .input(&was)
                .expect("a result");
            let given = (told.warnings.black, told.warnings.white);
            assert_eq!((told.result, told.by, given), (result, by, warnings), "{ruling}");
        }
        let absent = board(Some(BlackForfeit), (0, 0));
        assert!(Ruling::Warning(Side::White).input(&absent).is_err());
    }
}
