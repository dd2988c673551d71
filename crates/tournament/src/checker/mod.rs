//! The independent judge of a table: shares no code with [`pairing`](crate::pairing).
//!
//! Scores, balances, meetings and floats are worked out anew ([`Facts`]), the seats are checked,
//! and for each criterion the value reached stands beside the least value that can be proved.
//! Up to ten players every table is tried, so that the proof is complete; beyond that the bounds
//! are counted, and hold whoever has met whom.

mod bounds;
mod facts;
mod matching;
mod proof;
#[cfg(test)]
mod testing;
mod values;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

pub use crate::measure::Measure;
pub use facts::{Barred, Facts, Meetings, Player};
pub use proof::{CertificateFault, verify};
pub(crate) use values::{TRY_ALL, one_by_one};
pub use values::{Value, criteria};

use crate::criteria::Criteria;
use crate::entry::{Entry, Number};
use crate::result::Side;
use crate::round::{Board, Round};
use crate::score::Score;
use crate::stage::Stage;

/// What the checker says of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The round.
    pub round: u32,
    /// Everything found, the gravest first.
    pub findings: Vec<Finding>,
    /// The criteria, as the checker computes them over the boards that are well formed.
    pub reached: Criteria,
    /// Each criterion's value beside the least that is proved. Empty when the seats are wrong:
    /// such a table cannot be compared with others.
    pub values: Vec<Value>,
}

impl Judgement {
    /// Whether nothing is wrong: no finding is an error.
    pub fn is_sound(&self) -> bool {
        self.at(Level::Error).next().is_none()
    }

    /// The findings of one level.
    pub fn at(&self, level: Level) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.level() == level)
    }
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The table breaks a rule, or a better one is proved to exist.
    Error,
    /// The table is not the one that the rules of colour and board order give.
    Warning,
    /// Something that a director wants to see; it may have been unavoidable.
    Note,
}

/// A place in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seat {
    /// A board.
    Board(u32),
    /// A bye.
    Bye,
    /// The list of absences.
    Absent,
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(board) => write!(f, "board {board}"),
            Self::Bye => f.write_str("a bye"),
            Self::Absent => f.write_str("an absence"),
        }
    }
}

/// One thing found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// A player who takes part has no place in the round.
    #[error("number {number} takes part but has no board, no bye and no absence")]
    Unseated {
        /// The player.
        number: Number,
    },
    /// A player has two places.
    #[error("number {number} has two places: {first} and {second}")]
    TwoSeats {
        /// The player.
        number: Number,
        /// The place met first.
        first: Seat,
        /// The other place.
        second: Seat,
    },
    /// A player sits on both sides of a board.
    #[error("board {board} pairs number {number} with himself or herself")]
    AgainstOneself {
        /// The board.
        board: u32,
        /// The player.
        number: Number,
    },
    /// No entry has this number.
    #[error("no entry has number {number}, named at {seat}")]
    Unknown {
        /// The number.
        number: Number,
        /// Where.
        seat: Seat,
    },
    /// A player who withdrew or sits the round out has a board or a bye.
    #[error("number {number} does not take part in this round but has {seat}")]
    NotPlaying {
        /// The player.
        number: Number,
        /// Where.
        seat: Seat,
    },
    /// A player who has reached the standard, and is not paired any more, has a board or a bye.
    #[error("number {number} has reached the standard and is not paired any more, but has {seat}")]
    Finished {
        /// The player.
        number: Number,
        /// Where.
        seat: Seat,
    },
    /// A player who asked for the bye, or was given it by the director, has none.
    #[error("number {number} {}, but has {seat}", if *chosen { "was given the bye by the director" } else { "asked for the bye" })]
    ByeNotGiven {
        /// The player.
        number: Number,
        /// Whether the director chose it.
        chosen: bool,
        /// Where he or she is.
        seat: Seat,
    },
    /// A pair that the director fixed is not made.
    #[error("the director fixed {first} against {second}, and no board has them")]
    NotMade {
        /// One.
        first: Number,
        /// The other.
        second: Number,
    },
    /// A pair that no table may have.
    #[error("board {board}: {black} and {white} {}", match why {
        Barred::Forbidden => "are a forbidden pair",
        Barred::Apart => "are kept apart in this round by the director",
        Barred::TeamMates => "are of one team, and team mates are never paired in this round",
        Barred::ThirdColour => "had the same colour in their last two games, and a third time is forbidden",
    })]
    Barred {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
        /// What forbids it.
        why: Barred,
    },
    /// More byes than an odd count asks for: one when it is odd, none when it is even.
    #[error("{} players are to be paired, so {} bye{} allowed; byes are given to {}",
        players, if *allowed == 0 { "no" } else { "one" }, if *allowed == 0 { "s are" } else { " is" }, listed(byes))]
    TooManyByes {
        /// How many are to be paired: byes that were asked for or chosen do not count.
        players: usize,
        /// How many byes there may be.
        allowed: usize,
        /// Who has one of them.
        byes: Vec<Number>,
    },
    /// Boards are not numbered 1, 2, 3 … in order.
    #[error("board {found} ({black} against {white}) stands where board {expected} should be")]
    BoardNumber {
        /// What should be there.
        expected: u32,
        /// What is there.
        found: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
    },
    /// A table with a better value is proved to exist, equal in everything that comes before.
    #[error("{}: {} {measure}{} where {least} is possible", measure.criterion(), reached, measure.place(*group))]
    Improvable {
        /// What could be better.
        measure: Measure,
        /// The group it is counted in; for a border, the group above.
        group: Option<Score>,
        /// What the table has.
        reached: i64,
        /// What is possible.
        least: i64,
    },
    /// The colours are the other way round by the rule.
    #[error("board {board}: by the rule {white} has Black and {black} has White")]
    Colours {
        /// The board.
        board: u32,
        /// Who has Black in the table.
        black: Number,
        /// Who has White in the table.
        white: Number,
    },
    /// Colours are assigned where they come from nigiri (猜先), or the other way round.
    #[error("board {board}: {}", if *nigiri { "colours are left to nigiri in an event that assigns them" } else { "colours are assigned in an event that leaves them to nigiri" })]
    Nigiri {
        /// The board.
        board: u32,
        /// What the table says.
        nigiri: bool,
    },
    /// A board stands before one that should come first.
    #[error("board {board}: {black} against {white} should stand at board {expected}")]
    BoardOrder {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
        /// Where it belongs.
        expected: u32,
    },
    /// The pair has met before.
    #[error("board {board}: {black} and {white} have met before ({times} time{}{})",
        if *times == 1 { "" } else { "s" }, if *just_before { ", once in the round just before" } else { "" })]
    Repeat {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
        /// How often.
        times: u32,
        /// Whether once in the round just before.
        just_before: bool,
    },
    /// Players of different scores meet.
    #[error("board {board}: {down} ({down_score}) floats down to meet {up} ({up_score})")]
    Float {
        /// The board.
        board: u32,
        /// The higher player.
        down: Number,
        /// The higher score.
        down_score: Score,
        /// The lower player.
        up: Number,
        /// The lower score.
        up_score: Score,
    },
    /// A player floats in a direction in which he or she has floated before.
    #[error("board {board}: {number} floats {} again", if *down { "down" } else { "up" })]
    RepeatedFloat {
        /// The board.
        board: u32,
        /// The player.
        number: Number,
        /// Whether down.
        down: bool,
    },
    /// A pair that the settings name as one to avoid.
    #[error("board {board}: {black} and {white} are a pair to avoid")]
    Unwanted {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
    },
    /// Team mates meet in a round in which that is avoided.
    #[error("board {board}: {black} and {white} are of one team")]
    TeamMates {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
    },
    /// Both are owed the same colour.
    #[error("board {board}: {black} and {white} are both owed {}", match owed { Side::Black => "Black", Side::White => "White" })]
    SameColour {
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
        /// Who has White.
        white: Number,
        /// The colour owed.
        owed: Side,
    },
    /// A player has the same colour for the third played game running.
    #[error("board {board}: {number} has {} for the third time running", match side { Side::Black => "Black", Side::White => "White" })]
    ThirdTimeRunning {
        /// The board.
        board: u32,
        /// The player.
        number: Number,
        /// The colour.
        side: Side,
    },
    /// A player who takes part is listed as absent.
    #[error("number {number} is listed as absent without having withdrawn or asked for it")]
    SatOut {
        /// The player.
        number: Number,
    },
}

impl Finding {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unseated { .. } => "unseated",
            Self::TwoSeats { .. } => "two-seats",
            Self::AgainstOneself { .. } => "against-oneself",
            Self::Unknown { .. } => "unknown-number",
            Self::NotPlaying { .. } => "not-playing",
            Self::Finished { .. } => "finished",
            Self::ByeNotGiven { .. } => "bye-not-given",
            Self::NotMade { .. } => "not-made",
            Self::Barred { why, .. } => match why {
                Barred::Forbidden => "forbidden-pair",
                Barred::Apart => "kept-apart",
                Barred::TeamMates => "team-mates-barred",
                Barred::ThirdColour => "third-colour-barred",
            },
            Self::TooManyByes { .. } => "too-many-byes",
            Self::BoardNumber { .. } => "board-number",
            Self::Improvable { .. } => "improvable",
            Self::Colours { .. } => "colours",
            Self::Nigiri { .. } => "nigiri",
            Self::BoardOrder { .. } => "board-order",
            Self::Repeat { .. } => "repeat",
            Self::Float { .. } => "float",
            Self::RepeatedFloat { .. } => "repeated-float",
            Self::Unwanted { .. } => "unwanted-pair",
            Self::TeamMates { .. } => "team-mates",
            Self::SameColour { .. } => "same-colour",
            Self::ThirdTimeRunning { .. } => "third-time-running",
            Self::SatOut { .. } => "sat-out",
        }
    }

    /// How grave it is.
    pub fn level(&self) -> Level {
        match self {
            Self::Unseated { .. }
            | Self::TwoSeats { .. }
            | Self::AgainstOneself { .. }
            | Self::Unknown { .. }
            | Self::NotPlaying { .. }
            | Self::Finished { .. }
            | Self::ByeNotGiven { .. }
            | Self::NotMade { .. }
            | Self::Barred { .. }
            | Self::TooManyByes { .. }
            | Self::BoardNumber { .. }
            | Self::Improvable { .. } => Level::Error,
            Self::Colours { .. } | Self::Nigiri { .. } | Self::BoardOrder { .. } => Level::Warning,
            Self::Repeat { .. }
            | Self::Float { .. }
            | Self::RepeatedFloat { .. }
            | Self::Unwanted { .. }
            | Self::TeamMates { .. }
            | Self::SameColour { .. }
            | Self::ThirdTimeRunning { .. }
            | Self::SatOut { .. } => Level::Note,
        }
    }
}

fn listed(numbers: &[Number]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(", ")
}

/// Judges a table for round `table.round` of a stage. Of the rounds in `before`, only those
/// before that round count; results in `table` are not looked at. The director's choices and the seed
/// are those of the table.
///
/// Players listed in `table.absent` are taken as not in the field; when they have neither
/// withdrawn nor asked for it, that is noted.
pub fn judge(before: &Stage, table: &Round) -> Judgement {
    let facts = Facts::of(before, table);
    let mut findings = seats(before, table, &facts);
    let seats_are_right = findings.is_empty();
    let pairs = placed(&facts, table);
    let places: Vec<(usize, usize)> = pairs.iter().map(|(_, black, white)| (*black, *white)).collect();
    let byes = free_byes(&facts, table);
    findings.extend(choices(&facts, table, &pairs));
    let (reached, values) = if findings.is_empty() {
        values::values(&facts, &places, &byes)
    } else {
        (criteria(&facts, &places, &byes), Vec::new())
    };
    // What comes after the first improvable value would change with it.
    if let Some(value) = values.iter().find(|value| value.improvable()) {
        findings.push(Finding::Improvable {
            measure: value.measure,
            group: value.group,
            reached: value.reached,
            least: value.least,
        });
    }
    for (board, black, white) in &pairs {
        findings.extend(about(&facts, board, *black, *white));
    }
    if seats_are_right && facts.order_known {
        findings.extend(board_order(&facts, &pairs));
    }
    for number in &table.absent {
        let plays = |entry: &Entry| entry.plays_in(table.round);
        let expected =
            table.choices.sitting_out.contains(number) || facts.finished.binary_search(number).is_ok();
        if before.entry(*number).is_some_and(plays) && !expected {
            findings.push(Finding::SatOut { number: *number });
        }
    }
    findings.sort_by_key(Finding::level);
    Judgement {
        round: table.round,
        findings,
        reached,
        values,
    }
}

/// The boards of which both players are in the field, with their places.
fn placed<'a>(facts: &Facts, table: &'a Round) -> Vec<(&'a Board, usize, usize)> {
    let boards = table.boards.iter().filter(|board| board.black != board.white);
    boards
        .filter_map(|board| Some((board, facts.place(board.black)?, facts.place(board.white)?)))
        .collect()
}

/// The byes that nobody asked for or chose, by place.
fn free_byes(facts: &Facts, table: &Round) -> Vec<usize> {
    let byes = table.byes.iter();
    byes.filter_map(|number| facts.place(*number))
        .filter(|place| facts.free(*place))
        .collect()
}

/// Whether the director's choices are kept, and no pair is one that no table may have.
fn choices(facts: &Facts, table: &Round, pairs: &[(&Board, usize, usize)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (first, second) in &table.choices.pairs {
        let made = |board: &Board| {
            [(board.black, board.white), (board.white, board.black)].contains(&(*first, *second))
        };
        if !table.boards.iter().any(made) {
            findings.push(Finding::NotMade {
                first: *first,
                second: *second,
            });
        }
    }
    for (board, black, white) in pairs {
        if let Some(why) = facts.barred(*black, *white) {
            findings.push(Finding::Barred {
                board: board.board,
                black: board.black,
                white: board.white,
                why,
            });
        }
    }
    findings
}

/// The criteria of a table, over the boards that are well formed.
pub fn reached(before: &Stage, table: &Round) -> Criteria {
    let facts = Facts::of(before, table);
    let pairs = placed(&facts, table);
    let places: Vec<(usize, usize)> = pairs.iter().map(|(_, black, white)| (*black, *white)).collect();
    criteria(&facts, &places, &free_byes(&facts, table))
}

/// Judges every recorded round of a stage, each on the results of the rounds before it as they
/// stand now.
pub fn judge_event(stage: &Stage) -> Vec<(u32, Judgement)> {
    stage
        .rounds
        .iter()
        .map(|round| (round.round, judge(&as_paired(stage, round), round)))
        .collect()
}

/// The stage as it was when a round was paired, as far as the record tells: whoever withdrew after
/// that and lost the board by default (Art. 28) took part in it.
fn as_paired<'a>(stage: &'a Stage, table: &Round) -> Cow<'a, Stage> {
    let left = |entry: &Entry| {
        let forfeited = || {
            let (board, side) = table.board_of(entry.number)?;
            let outcome = board.result?;
            Some(!outcome.played() && outcome.score(side) == Score::ZERO)
        };
        entry.withdrawn_after.is_some_and(|last| last < table.round) && forfeited() == Some(true)
    };
    let mut stage = Cow::Borrowed(stage);
    if stage.entries.iter().any(left) {
        let entries = &mut stage.to_mut().entries;
        for entry in entries.iter_mut().filter(|entry| left(entry)) {
            entry.withdrawn_after = Some(table.round);
        }
    }
    stage
}

fn seats(before: &Stage, table: &Round, facts: &Facts) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut places: BTreeMap<Number, Seat> = BTreeMap::new();
    let known: std::collections::BTreeSet<Number> = before.entries.iter().map(|entry| entry.number).collect();
    let absent: std::collections::BTreeSet<Number> = table.absent.iter().copied().collect();
    let mut seated: Vec<(Number, Seat)> = Vec::new();
    for board in &table.boards {
        seated.push((board.black, Seat::Board(board.board)));
        if board.black == board.white {
            findings.push(Finding::AgainstOneself {
                board: board.board,
                number: board.black,
            });
        } else {
            seated.push((board.white, Seat::Board(board.board)));
        }
    }
    seated.extend(table.byes.iter().map(|number| (*number, Seat::Bye)));
    seated.extend(table.absent.iter().map(|number| (*number, Seat::Absent)));
    for (number, seat) in seated {
        if !known.contains(&number) {
            findings.push(Finding::Unknown { number, seat });
        } else if let Some(first) = places.get(&number) {
            findings.push(Finding::TwoSeats {
                number,
                first: *first,
                second: seat,
            });
        } else {
            places.insert(number, seat);
            let chosen = facts.byes_chosen.binary_search(&number).is_ok();
            if seat == Seat::Absent || (facts.place(number).is_some() && !chosen) {
                continue;
            }
            if chosen || facts.byes_asked.binary_search(&number).is_ok() {
                if seat != Seat::Bye {
                    findings.push(Finding::ByeNotGiven { number, chosen, seat });
                }
            } else if facts.finished.binary_search(&number).is_ok() {
                findings.push(Finding::Finished { number, seat });
            } else if !absent.contains(&number) {
                findings.push(Finding::NotPlaying { number, seat });
            }
        }
    }
    let expected = facts.players.iter().map(|player| player.number);
    for number in expected.chain(facts.byes_asked.iter().copied()) {
        if !places.contains_key(&number) {
            findings.push(Finding::Unseated { number });
        }
    }
    let players = facts.players.len() - facts.byes_chosen.len();
    let allowed = players % 2;
    let outside = |number: &&Number| {
        facts.byes_chosen.binary_search(number).is_err() && facts.byes_asked.binary_search(number).is_err()
    };
    let byes: Vec<Number> = table.byes.iter().filter(outside).copied().collect();
    if byes.len() > allowed {
        findings.push(Finding::TooManyByes {
            players,
            allowed,
            byes,
        });
    }
    for (board, expected) in table.boards.iter().zip(1..) {
        if board.board != expected {
            findings.push(Finding::BoardNumber {
                expected,
                found: board.board,
                black: board.black,
                white: board.white,
            });
        }
    }
    findings
}

/// What is to be said of one pair.
fn about(facts: &Facts, at: &Board, black: usize, white: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (board, players) = (at.board, (at.black, at.white));
    let (has_black, has_white) = (&facts.players[black], &facts.players[white]);
    // Once a game has been played, who had Black at nigiri is known and stands on its board.
    let open = at.nigiri || (at.result.is_some() && !facts.colours_matter());
    if open == facts.colours_matter() {
        findings.push(Finding::Nigiri {
            board,
            nigiri: at.nigiri,
        });
    } else if facts
        .black_by_rule(black, white)
        .is_some_and(|by_rule| by_rule != black)
    {
        findings.push(Finding::Colours {
            board,
            black: players.0,
            white: players.1,
        });
    }
    let meetings = facts.meetings(black, white);
    if meetings.times > 0 {
        findings.push(Finding::Repeat {
            board,
            black: players.0,
            white: players.1,
            times: meetings.times,
            just_before: meetings.just_before,
        });
    }
    if has_black.score != has_white.score {
        let (down, up) = if has_black.score > has_white.score {
            (has_black, has_white)
        } else {
            (has_white, has_black)
        };
        findings.push(Finding::Float {
            board,
            down: down.number,
            down_score: down.score,
            up: up.number,
            up_score: up.score,
        });
        if facts.repeated_floats_matter {
            for (player, down, again) in [(down, true, down.floated_down), (up, false, up.floated_up)] {
                if again {
                    findings.push(Finding::RepeatedFloat {
                        board,
                        number: player.number,
                        down,
                    });
                }
            }
        }
    }
    if facts.teams_matter && facts.team_mates(black, white) {
        findings.push(Finding::TeamMates {
            board,
            black: players.0,
            white: players.1,
        });
    }
    if facts.unwanted(black, white) {
        findings.push(Finding::Unwanted {
            board,
            black: players.0,
            white: players.1,
        });
    }
    if facts.same_sign(black, white) {
        findings.push(Finding::SameColour {
            board,
            black: players.0,
            white: players.1,
            owed: if has_black.balance > 0 {
                Side::Black
            } else {
                Side::White
            },
        });
    }
    for (player, side) in [(has_black, Side::Black), (has_white, Side::White)] {
        if !at.nigiri && facts.colours_matter() && player.streak == Some(side) {
            findings.push(Finding::ThirdTimeRunning {
                board,
                number: player.number,
                side,
            });
        }
    }
    findings
}

/// Where each board belongs: lower groups later, a float heading its lower group, opposite
/// balances before equal ones, then list order.
fn board_order(facts: &Facts, pairs: &[(&Board, usize, usize)]) -> Vec<Finding> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|k| {
        let (_, a, b) = pairs[*k];
        let (first, second) = (a.min(b), a.max(b));
        let (high, low) = (&facts.players[first], &facts.players[second]);
        (
            std::cmp::Reverse(low.score),
            high.score == low.score,
            facts.same_sign(a, b),
            first,
        )
    });
    order
        .into_iter()
        .zip(1..)
        .filter(|(k, expected)| pairs[*k].0.board != *expected)
        .map(|(k, expected)| Finding::BoardOrder {
            board: pairs[k].0.board,
            black: pairs[k].0.black,
            white: pairs[k].0.white,
            expected,
        })
        .collect()
}
