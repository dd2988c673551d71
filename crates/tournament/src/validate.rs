//! Whether a stage makes sense as a whole: every fault is found, none is repaired.

use std::collections::{BTreeMap, BTreeSet};

use crate::entry::Number;
use crate::round::Choices;
use crate::stage::Stage;

/// Something wrong with a stage, and where: `entries[3].number`, `rounds[1].boards[11].white`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {kind}")]
pub struct Fault {
    /// The place, as a path into the event file.
    pub path: String,
    /// What is wrong there.
    pub kind: FaultKind,
}

/// What can be wrong with a stage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// Two entries have one number.
    #[error("number {0} is given to two entries: give one of them a number of its own")]
    DuplicateNumber(Number),
    /// A round, a history or a lot names a number that no entry has.
    #[error("no entry has number {0}: add the entry or correct the number")]
    UnknownNumber(Number),
    /// A player sits on two boards of a round.
    #[error(
        "player {number} is on boards {first} and {second} of round {round}: take the player off one of them"
    )]
    TwoBoards {
        /// The player.
        number: Number,
        /// The round.
        round: u32,
        /// The board met first.
        first: u32,
        /// The other board.
        second: u32,
    },
    /// A board has one player on both sides.
    #[error(
        "board {board} of round {round} pairs player {number} with himself or herself: name the opponent"
    )]
    AgainstOneself {
        /// The player.
        number: Number,
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// A player has a board and a bye, a board and an absence, or a bye and an absence.
    #[error("player {number} has both {first} and {second} in round {round}: keep one of them")]
    TwoPlaces {
        /// The player.
        number: Number,
        /// The round.
        round: u32,
        /// One of them: "a board", "a bye", "an absence".
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A number is listed twice in byes or absences.
    #[error("player {number} is listed twice in round {round}: keep one of them")]
    ListedTwice {
        /// The player.
        number: Number,
        /// The round.
        round: u32,
    },
    /// Two boards of a round have one board number.
    #[error("board {board} stands twice in round {round}: number the boards one by one")]
    DuplicateBoard {
        /// The board.
        board: u32,
        /// The round.
        round: u32,
    },
    /// A board number of 0.
    #[error("there is no board 0: number the boards from 1")]
    BoardZero,
    /// The rounds do not count upwards one by one from the first round.
    #[error(
        "round {found} stands where round {expected} should be: list the rounds one by one, in order, from `first_round`"
    )]
    RoundOutOfOrder {
        /// What is there.
        found: u32,
        /// What should be there.
        expected: u32,
    },
    /// More rounds than planned.
    #[error(
        "round {round} is beyond the {planned} planned rounds: raise `rounds` in `event` or take the round away"
    )]
    TooManyRounds {
        /// The round.
        round: u32,
        /// How many are planned.
        planned: u32,
    },
    /// A score below zero.
    #[error("a score cannot be negative ({0}): write 0 or more, two for a win")]
    NegativeScore(i32),
    /// A value outside its range.
    #[error("{found} is out of range: write a whole number from {least} to {most}")]
    OutOfRange {
        /// What was given.
        found: i64,
        /// The least that is allowed.
        least: i64,
        /// The most that is allowed.
        most: i64,
    },
    /// A year in which no event is played.
    #[error(
        "an event in the year {0} is most likely a slip of the pen: write a year from {YEAR_LEAST} to {YEAR_MOST}"
    )]
    UnlikelyYear(i32),
    /// A komi that no game has, in the unit of the event's rules.
    #[error("no event is played with a komi of {found}: write one from -{most} to {most}")]
    UnlikelyKomi {
        /// What was given.
        found: String,
        /// The most that is taken, either way.
        most: u32,
    },
    /// A quarter where the rules count in points.
    #[error(
        "a {field} of {found} does not exist in {unit}, which the rules of this event count in: write whole or half {unit}"
    )]
    NotInTheUnit {
        /// The field: `komi` or `margin`.
        field: &'static str,
        /// What was given.
        found: String,
        /// The unit of the rules.
        unit: &'static str,
    },
    /// An entry without a name.
    #[error("the name is empty: write one")]
    EmptyName,
    /// A text that is too long.
    #[error("the text is longer than {0} characters: shorten it")]
    TooLong(usize),
    /// A result that was not played has a way or a margin.
    #[error("a forfeited, drawn or unplayed game has no `{0}`: take it away or correct the result")]
    NotWithResult(&'static str),
    /// A board that is pending says how it ended.
    #[error("a board without a result has no `{0}`: enter the result or take it away")]
    NotPending(&'static str),
    /// A player met himself or herself in what is carried.
    #[error("player {0} cannot have met himself or herself: name the opponent")]
    MetOneself(Number),
    /// A text with a line break or another control character.
    #[error("the text holds a line break or another control character: take it away")]
    ControlCharacter,
    /// An entry has drawn two lots.
    #[error("player {0} has two lots: keep one of them")]
    DuplicateLot(Number),
    /// A pair of one player.
    #[error("player {0} is named twice in one pair: name two players")]
    PairOfOne(Number),
    /// A pair that is to be kept apart stands twice.
    #[error("players {first} and {second} are kept apart twice: keep one of the two")]
    DuplicatePair {
        /// The smaller number.
        first: Number,
        /// The larger number.
        second: Number,
    },
    /// An entry has asked for the bye in a round that it sits out.
    #[error("player {number} asks for the bye in round {round} and sits it out: keep one of them")]
    ByeWhileAbsent {
        /// The player.
        number: Number,
        /// The round.
        round: u32,
    },
    /// A ranking without a criterion.
    #[error("the ranking is empty: name at least one criterion, such as score")]
    NoCriterion,
    /// A criterion stands twice in the ranking.
    #[error("criterion {0} stands twice: keep the first")]
    DuplicateCriterion(&'static str),
}

impl FaultKind {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::DuplicateNumber(_) => "duplicate-number",
            Self::UnknownNumber(_) => "unknown-number",
            Self::TwoBoards { .. } => "two-boards",
            Self::AgainstOneself { .. } => "against-oneself",
            Self::TwoPlaces { .. } => "two-places",
            Self::ListedTwice { .. } => "listed-twice",
            Self::DuplicateBoard { .. } => "duplicate-board",
            Self::BoardZero => "board-zero",
            Self::RoundOutOfOrder { .. } => "round-out-of-order",
            Self::TooManyRounds { .. } => "too-many-rounds",
            Self::NegativeScore(_) => "negative-score",
            Self::OutOfRange { .. } => "out-of-range",
            Self::UnlikelyYear(_) => "unlikely-year",
            Self::UnlikelyKomi { .. } => "unlikely-komi",
            Self::NotInTheUnit { .. } => "not-in-the-unit",
            Self::EmptyName => "empty-name",
            Self::TooLong(_) => "too-long",
            Self::NotWithResult(_) => "not-with-result",
            Self::NotPending(_) => "not-pending",
            Self::MetOneself(_) => "met-oneself",
            Self::ControlCharacter => "control-character",
            Self::DuplicateLot(_) => "duplicate-lot",
            Self::PairOfOne(_) => "pair-of-one",
            Self::DuplicatePair { .. } => "duplicate-pair",
            Self::ByeWhileAbsent { .. } => "bye-while-absent",
            Self::NoCriterion => "no-criterion",
            Self::DuplicateCriterion(_) => "duplicate-criterion",
        }
    }

    /// The player that it is about, when it is about one.
    pub fn player(&self) -> Option<Number> {
        match *self {
            Self::DuplicateNumber(number)
            | Self::UnknownNumber(number)
            | Self::TwoBoards { number, .. }
            | Self::AgainstOneself { number, .. }
            | Self::TwoPlaces { number, .. }
            | Self::ListedTwice { number, .. }
            | Self::MetOneself(number)
            | Self::DuplicateLot(number)
            | Self::ByeWhileAbsent { number, .. }
            | Self::PairOfOne(number) => Some(number),
            _ => None,
        }
    }
}

/// Every fault of a stage, in the order of the file. An empty list means that pairing and ranking
/// can be trusted with it.
pub fn faults(stage: &Stage) -> Vec<Fault> {
    let mut found = Vec::new();
    settings(stage, &mut found);
    let numbers = entries(stage, &mut found);
    kept_apart(stage, &numbers, &mut found);
    rounds(stage, &numbers, &mut found);
    found
}

/// The longest name, team or category, in characters.
pub const TEXT_LIMIT: usize = 200;
/// The largest lot that can be drawn.
pub const LOT_LIMIT: u32 = 2_147_483_647;
/// The most rounds an event can have.
pub const ROUNDS_LIMIT: u32 = 100;

/// The first year that an event can have: archives go back to the first events with published rules.
pub const YEAR_LEAST: i32 = 1900;
/// The last year that an event can have.
pub const YEAR_MOST: i32 = 2199;

/// What is wrong with the year of an event or of one of its rounds.
pub fn year_fault(year: i32) -> Option<FaultKind> {
    (!(YEAR_LEAST..=YEAR_MOST).contains(&year)).then_some(FaultKind::UnlikelyYear(year))
}

fn range(path: String, found: i64, least: i64, most: i64, faults: &mut Vec<Fault>) {
    if !(least..=most).contains(&found) {
        faults.push(Fault {
            path,
            kind: FaultKind::OutOfRange { found, least, most },
        });
    }
}

/// Whether nothing of a text can be seen: it has only spaces, marks of direction, joiners and fillers.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| {
        character.is_whitespace()
            || matches!(
                character,
                '\u{ad}'
                    | '\u{34f}'
                    | '\u{61c}'
                    | '\u{115f}'..='\u{1160}'
                    | '\u{180b}'..='\u{180f}'
                    | '\u{200b}'..='\u{200f}'
                    | '\u{202a}'..='\u{202e}'
                    | '\u{2060}'..='\u{206f}'
                    | '\u{2800}'
                    | '\u{3164}'
                    | '\u{fe00}'..='\u{fe0f}'
                    | '\u{feff}'
                    | '\u{ffa0}'
            )
    })
}

/// What is wrong with a name or another single line of text. The database and every table of
/// people hold it as it is, so control characters have no place in it.
pub fn text_fault(text: &str) -> Option<FaultKind> {
    if text.chars().count() > TEXT_LIMIT {
        Some(FaultKind::TooLong(TEXT_LIMIT))
    } else if text.chars().any(char::is_control) {
        Some(FaultKind::ControlCharacter)
    } else {
        None
    }
}

fn settings(stage: &Stage, faults: &mut Vec<Fault>) {
    let limit = i64::from(ROUNDS_LIMIT);
    range(
        "event.rounds".into(),
        i64::from(stage.rounds_planned),
        1,
        limit,
        faults,
    );
    range(
        "event.first_round".into(),
        i64::from(stage.first_round),
        1,
        i64::from(stage.rounds_planned),
        faults,
    );
    range(
        "event.pairing.avoid_team_rounds".into(),
        i64::from(stage.pairing.avoid_team_rounds),
        0,
        limit,
        faults,
    );
    range(
        "event.pairing.bye_score".into(),
        i64::from(stage.pairing.bye_score.0),
        0,
        2,
        faults,
    );
    range(
        "event.pairing.absent_score".into(),
        i64::from(stage.pairing.absent_score.0),
        0,
        1,
        faults,
    );
    if let Some(enough) = stage.pairing.stop_at {
        range("event.pairing.stop_at".into(), enough.0.into(), 1, 1000, faults);
    }
    if stage.ranking.criteria.is_empty() {
        let path = "event.ranking".into();
        faults.push(Fault {
            path,
            kind: FaultKind::NoCriterion,
        });
    }
    let mut seen = BTreeSet::new();
    for (index, criterion) in stage.ranking.criteria.iter().enumerate() {
        if !seen.insert(criterion.as_str()) {
            let kind = FaultKind::DuplicateCriterion(criterion.as_str());
            faults.push(Fault {
                path: format!("event.ranking[{index}]"),
                kind,
            });
        }
    }
}

fn entries(stage: &Stage, faults: &mut Vec<Fault>) -> BTreeSet<Number> {
    let mut numbers = BTreeSet::new();
    for (index, entry) in stage.entries.iter().enumerate() {
        let at = |field: &str| format!("entries[{index}].{field}");
        if !numbers.insert(entry.number) {
            faults.push(Fault {
                path: at("number"),
                kind: FaultKind::DuplicateNumber(entry.number),
            });
        }
        if is_blank(&entry.name) {
            faults.push(Fault {
                path: at("name"),
                kind: FaultKind::EmptyName,
            });
        }
        let texts = [
            ("name", Some(&entry.name)),
            ("team", entry.team.as_ref()),
            ("category", entry.category.as_ref()),
        ];
        for (field, text) in texts {
            faults.extend(text.and_then(|text| text_fault(text)).map(|kind| Fault {
                path: at(field),
                kind,
            }));
        }
        if entry.start_score.0 < 0 {
            faults.push(Fault {
                path: at("start_score"),
                kind: FaultKind::NegativeScore(entry.start_score.0),
            });
        } else {
            range(at("start_score"), i64::from(entry.start_score.0), 0, 1000, faults);
        }
        for (i, round) in entry.absent_rounds.iter().enumerate() {
            range(
                at(&format!("absent_rounds[{i}]")),
                i64::from(*round),
                1,
                i64::from(ROUNDS_LIMIT),
                faults,
            );
        }
        for (i, round) in entry.bye_rounds.iter().enumerate() {
            let path = at(&format!("bye_rounds[{i}]"));
            range(
                path.clone(),
                i64::from(*round),
                1,
                i64::from(ROUNDS_LIMIT),
                faults,
            );
            if entry.absent_rounds.contains(round) {
                let (number, round) = (entry.number, *round);
                faults.push(Fault {
                    path,
                    kind: FaultKind::ByeWhileAbsent { number, round },
                });
            }
        }
        if let Some(round) = entry.withdrawn_after {
            range(
                at("withdrawn_after"),
                i64::from(round),
                0,
                i64::from(ROUNDS_LIMIT),
                faults,
            );
        }
    }
    for (index, entry) in stage.entries.iter().enumerate() {
        let Some(carried) = &entry.carried else { continue };
        let at = |field: &str| format!("entries[{index}].carried{field}");
        if carried.score.0 < 0 {
            faults.push(Fault {
                path: at(".score"),
                kind: FaultKind::NegativeScore(carried.score.0),
            });
        } else {
            range(at(".score"), i64::from(carried.score.0), 0, 1000, faults);
        }
        range(
            at(".balance_size"),
            i64::from(carried.balance).abs(),
            0,
            i64::from(ROUNDS_LIMIT),
            faults,
        );
        for (i, other) in carried.met.iter().enumerate() {
            let path = at(&format!(".met[{i}]"));
            if *other == entry.number {
                faults.push(Fault {
                    path,
                    kind: FaultKind::MetOneself(*other),
                });
            } else if !numbers.contains(other) {
                faults.push(Fault {
                    path,
                    kind: FaultKind::UnknownNumber(*other),
                });
            }
        }
    }
    let mut drawn = BTreeSet::new();
    for (index, (number, lot)) in stage.ranking.lots.iter().enumerate() {
        let path = format!("event.lots[{index}].lot");
        range(path, i64::from(*lot), 1, i64::from(LOT_LIMIT), faults);
        let path = format!("event.lots[{index}].number");
        if !drawn.insert(number) {
            let kind = FaultKind::DuplicateLot(*number);
            faults.push(Fault { path, kind });
        } else if !numbers.contains(number) {
            faults.push(Fault {
                path,
                kind: FaultKind::UnknownNumber(*number),
            });
        }
    }
    numbers
}

/// What is wrong with a pair, beside others that stand before it.
fn pair(
    path: String,
    (one, other): (Number, Number),
    numbers: &BTreeSet<Number>,
    seen: &mut BTreeSet<(Number, Number)>,
    faults: &mut Vec<Fault>,
) {
    let (first, second) = (one.min(other), one.max(other));
    let unknown = [one, other].into_iter().find(|number| !numbers.contains(number));
    let kind = if first == second {
        FaultKind::PairOfOne(first)
    } else if let Some(number) = unknown {
        FaultKind::UnknownNumber(number)
    } else if !seen.insert((first, second)) {
        FaultKind::DuplicatePair { first, second }
    } else {
        return;
    };
    faults.push(Fault { path, kind });
}

fn kept_apart(stage: &Stage, numbers: &BTreeSet<Number>, faults: &mut Vec<Fault>) {
    let mut seen = BTreeSet::new();
    for (list, pairs) in [
        ("forbidden_pairs", &stage.pairing.forbidden_pairs),
        ("unwanted_pairs", &stage.pairing.unwanted_pairs),
    ] {
        for (index, two) in pairs.iter().enumerate() {
            let path = format!("event.pairing.{list}[{index}]");
            pair(path, *two, numbers, &mut seen, faults);
        }
    }
}

/// What was fixed before a round names entries; whether it contradicts itself is judged when it is
/// paired.
fn choices(path: &str, choices: &Choices, numbers: &BTreeSet<Number>, faults: &mut Vec<Fault>) {
    for (list, pairs) in [("pairs", &choices.pairs), ("apart", &choices.apart)] {
        let mut seen = BTreeSet::new();
        for (index, two) in pairs.iter().enumerate() {
            pair(
                format!("{path}.{list}[{index}]"),
                *two,
                numbers,
                &mut seen,
                faults,
            );
        }
    }
    for (list, those) in [("byes", &choices.byes), ("sitting_out", &choices.sitting_out)] {
        for (index, number) in those.iter().enumerate() {
            if !numbers.contains(number) {
                faults.push(Fault {
                    path: format!("{path}.{list}[{index}]"),
                    kind: FaultKind::UnknownNumber(*number),
                });
            }
        }
    }
}

fn rounds(stage: &Stage, numbers: &BTreeSet<Number>, faults: &mut Vec<Fault>) {
    for (index, round) in stage.rounds.iter().enumerate() {
        let path = format!("rounds[{index}]");
        let expected = stage
            .first_round
            .saturating_add(u32::try_from(index).unwrap_or(u32::MAX));
        if round.round != expected {
            let kind = FaultKind::RoundOutOfOrder {
                found: round.round,
                expected,
            };
            faults.push(Fault {
                path: format!("{path}.round"),
                kind,
            });
        }
        if round.round > stage.rounds_planned {
            let kind = FaultKind::TooManyRounds {
                round: round.round,
                planned: stage.rounds_planned,
            };
            faults.push(Fault {
                path: format!("{path}.round"),
                kind,
            });
        }
        let mut boards = BTreeSet::new();
        let mut seated: BTreeMap<Number, u32> = BTreeMap::new();
        for (b, board) in round.boards.iter().enumerate() {
            let path = format!("{path}.boards[{b}]");
            let mut fault = |field: &str, kind| {
                faults.push(Fault {
                    path: format!("{path}.{field}"),
                    kind,
                });
            };
            if board.board == 0 {
                fault("board", FaultKind::BoardZero);
            }
            if !boards.insert(board.board) {
                fault(
                    "board",
                    FaultKind::DuplicateBoard {
                        board: board.board,
                        round: round.round,
                    },
                );
            }
            for (field, number) in [("black", board.black), ("white", board.white)] {
                if !numbers.contains(&number) {
                    fault(field, FaultKind::UnknownNumber(number));
                }
            }
            if board.black == board.white {
                let kind = FaultKind::AgainstOneself {
                    number: board.black,
                    round: round.round,
                    board: board.board,
                };
                fault("white", kind);
                seated.insert(board.black, board.board);
            } else {
                for (field, number) in [("black", board.black), ("white", board.white)] {
                    if let Some(first) = seated.insert(number, board.board) {
                        let (round, second) = (round.round, board.board);
                        fault(
                            field,
                            FaultKind::TwoBoards {
                                number,
                                round,
                                first,
                                second,
                            },
                        );
                    }
                }
            }
            match board.result {
                None => {
                    if board.by.is_some() {
                        fault("by", FaultKind::NotPending("by"));
                    }
                    if board.margin.is_some() {
                        fault("margin", FaultKind::NotPending("margin"));
                    }
                }
                Some(outcome) => {
                    if board.by.is_some() && !outcome.played() {
                        fault("by", FaultKind::NotWithResult("by"));
                    }
                    if board.margin.is_some() && (!outcome.played() || outcome.winner().is_none()) {
                        fault("margin", FaultKind::NotWithResult("margin"));
                    }
                }
            }
        }
        choices(&format!("{path}.choices"), &round.choices, numbers, faults);
        let mut placed: BTreeMap<Number, &'static str> =
            seated.keys().map(|number| (*number, "a board")).collect();
        for (list, here, what) in [
            ("byes", &round.byes, "a bye"),
            ("absent", &round.absent, "an absence"),
        ] {
            for (i, number) in here.iter().enumerate() {
                let path = format!("{path}.{list}[{i}]");
                if !numbers.contains(number) {
                    faults.push(Fault {
                        path: path.clone(),
                        kind: FaultKind::UnknownNumber(*number),
                    });
                }
                let (number, round) = (*number, round.round);
                match placed.insert(number, what) {
                    Some(first) if first == what => {
                        faults.push(Fault {
                            path,
                            kind: FaultKind::ListedTwice { number, round },
                        });
                    }
                    Some(first) => {
                        let kind = FaultKind::TwoPlaces {
                            number,
                            round,
                            first,
                            second: what,
                        };
                        faults.push(Fault { path, kind });
                    }
                    None => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_which_nothing_can_be_seen_is_no_name() {
        for blank in [
            "",
            " \u{3000}\t",
            "\u{200b}\u{200b}",
            "\u{feff}",
            "\u{202e}\u{2066}\u{ad}",
            "\u{3164}",
        ] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for seen in ["甲", "\u{200b}甲", "O\u{200d}o", "👨\u{200d}👩", "-", "\u{202e}א"] {
            assert!(!is_blank(seen), "{seen:?}");
        }
    }
}
