//! The main line, move by move.

use super::header::{SIDES, about, append};
use super::points::{self, Fault, Listed, PointSet};
use crate::board::Forbidden;
use crate::counting::Scene;
use crate::finding::{Finding, FindingKind, Place, Twice};
use crate::point::{Colour, Move, Point, Sides, Size};
use crate::replay::{Played, Problem, Replay};
use crate::rule_set::{OnRepetition, Rules};
use crate::sgf::{Collection, GameTree, Node, Property, Value};
use crate::verdict::{JudgedMove, Refusal, RefusalKind};

/// The most points that a record may set up, each counted as often as it is named.
const SETUPS: usize = 100_000;
/// The largest board on which `tt` is a pass.
const TT_IS_A_PASS: u8 = 19;

/// A move of which nothing is said yet.
const BLANK: JudgedMove = JudgedMove {
    side: Colour::Black,
    play: Move::Pass,
    captured: Vec::new(),
    void: false,
    time_left: None,
    place: Place {
        offset: 0,
        line: 0,
        column: 0,
    },
    comment: String::new(),
};

/// A game while it is played again.
pub(super) struct Line<'c> {
    collection: &'c Collection<'c>,
    size: Size,
    rules: &'static Rules,
    pub replay: Replay,
    pub findings: Vec<Finding>,
    /// Stones before the first move, in the order of the board.
    pub setup: Vec<(Colour, Point)>,
    pub moves: Vec<JudgedMove>,
    pub setup_midgame: Vec<(u32, Option<Colour>, Point)>,
    pub captures: Sides<u32>,
    /// Comments before the first move.
    pub comment: String,
    /// Results, wherever they stand.
    pub results: Vec<Value<'c>>,
    /// Territory marks (TB, TW) after the last stone.
    pub marks: Option<Node<'c>>,
    /// Passes in a row at the end.
    pub passes: usize,
    /// Who moved last.
    last: Option<Colour>,
    /// The number of the last stone of each side, and of the last move that took stones.
    last_stone: Sides<usize>,
    last_capture: usize,
    setups: usize,
    /// Points were set up since the last move.
    set_up_since: bool,
    /// As many passes in a row as end a game, and no stone since.
    over: bool,
}

/// What moves a node has had so far.
#[derive(Default)]
struct InNode<'c> {
    written: Sides<Option<Value<'c>>>,
    last: Option<(Colour, usize)>,
    said_sides: bool,
    said_moves: bool,
}

impl<'c> Line<'c> {
    /// Plays the main line of a game.
    ///
    /// # Errors
    /// Stones set up outside the board before the first move, and more of them than a game has use for.
    pub(super) fn play(
        collection: &'c Collection<'c>,
        game: GameTree<'c>,
        size: Size,
        rules: &'static Rules,
        on_repetition: Option<OnRepetition>,
    ) -> Result<Self, Refusal> {
        let mut line = Self {
            collection,
            size,
            rules,
            replay: Replay::new(size, rules, on_repetition),
            findings: Vec::new(),
            setup: Vec::new(),
            moves: Vec::with_capacity(game.node_count()),
            setup_midgame: Vec::new(),
            captures: Sides::default(),
            comment: String::new(),
            results: Vec::new(),
            marks: None,
            passes: 0,
            last: None,
            last_stone: Sides::default(),
            last_capture: 0,
            setups: 0,
            set_up_since: false,
            over: false,
        };
        for (number, node) in game.main_line().enumerate() {
            line.node(node, number == 0)?;
        }
        if line.moves.is_empty() {
            line.note_setup();
        }
        line.tell_passes_left_out();
        Ok(line)
    }

    fn node(&mut self, node: Node<'c>, is_root: bool) -> Result<(), Refusal> {
        let before_first = self.moves.is_empty();
        // As most nodes are.
        if !before_first && let Some((name @ (b'B' | b'W'), value)) = node.lone_move() {
            let side = if name == b'B' {
                Colour::Black
            } else {
                Colour::White
            };
            self.judge(value, side);
            return Ok(());
        }
        if before_first {
            // Properties of a node have no order: what is set up stands before the first move of its node.
            let mut said = false;
            let mut here: Vec<(&str, PointSet)> = Vec::new();
            for property in node.properties() {
                if sets_up(property.name()) {
                    let points = self.set_up(property, false)?;
                    let mut before = (here.iter()).filter(|(name, _)| *name != property.name());
                    let twice = before.find_map(|(_, before)| before.common(&points));
                    if twice.is_some() {
                        self.findings.push(Finding {
                            place: Some(self.collection.place(property.offset())),
                            point: twice,
                            ..about(FindingKind::SetupTwice)
                        });
                    }
                    let empty = points.len() == 0;
                    match here.iter_mut().find(|(name, _)| *name == property.name()) {
                        Some((_, before)) => before.add_all(&points),
                        None => here.push((property.name(), points)),
                    }
                    if !empty && !is_root && !std::mem::replace(&mut said, true) {
                        self.tell(FindingKind::SetupAfterRoot, property.offset());
                    }
                }
            }
        }
        let mut here = InNode::default();
        let (mut said_setup, mut marks, mut more) = (false, false, false);
        for property in node.properties() {
            match property.name() {
                "B" => self.written(property, Colour::Black, &mut here),
                "W" => self.written(property, Colour::White, &mut here),
                "C" | "BL" | "WL" => more = true,
                "RE" => self.results.extend(property.values()),
                "TB" | "TW" => marks = true,
                name if sets_up(name) && !before_first => {
                    let points = self.set_up(property, true)?;
                    if points.len() > 0 && !std::mem::replace(&mut said_setup, true) {
                        self.tell(FindingKind::SetupMidgame, property.offset());
                    }
                }
                _ => {}
            }
        }
        if marks {
            self.marks = Some(node);
        }
        if more {
            self.said_of_move(node, &here);
        }
        if is_root && !self.moves.is_empty() {
            self.tell_of(1, FindingKind::MoveInRoot);
        }
        Ok(())
    }

    /// Keeps comment and time of a node, which may stand before or after its move.
    fn said_of_move(&mut self, node: Node<'c>, here: &InNode<'c>) {
        for property in node.properties() {
            match property.name() {
                "C" => {
                    let text = property.value().text();
                    let comment = self.moves.last_mut().map(|judged| &mut judged.comment);
                    append(comment.unwrap_or(&mut self.comment), &text);
                }
                name @ ("BL" | "WL") => {
                    let side = if name == "BL" {
                        Colour::Black
                    } else {
                        Colour::White
                    };
                    let judged = here.last.filter(|(last, _)| *last == side);
                    if let Some(judged) = judged.and_then(|(_, at)| self.moves.get_mut(at)) {
                        judged.time_left = milliseconds(&property.value().plain());
                    }
                }
                _ => {}
            }
        }
    }

    /// Sets up the points of a property, and gives them.
    fn set_up(&mut self, property: Property<'c>, midgame: bool) -> Result<PointSet, Refusal> {
        let stone = match property.name() {
            "AB" => Some(Colour::Black),
            "AW" => Some(Colour::White),
            _ => None,
        };
        let Listed {
            points,
            fault,
            commas,
        } = points::read(property, self.size);
        if let Some(value) = commas {
            let text = value.plain().into_owned();
            self.tell(FindingKind::PointList { text }, value.offset());
        }
        if let Some(fault) = fault {
            let (value, off_board) = match fault {
                Fault::Unreadable(value) => (value, false),
                Fault::OffBoard(value) => (value, true),
            };
            let text = value.plain().into_owned();
            if !midgame {
                return Err(Refusal {
                    kind: RefusalKind::SetupOffBoard { text },
                    place: Some(self.collection.place(value.offset())),
                });
            }
            let kind = if off_board {
                FindingKind::PointOffBoard { text }
            } else {
                FindingKind::PointUnreadable { text }
            };
            self.tell(kind, value.offset());
        }
        let count = points.len();
        self.set_up_since |= count > 0;
        self.setups += count;
        if self.setups > SETUPS {
            return Err(Refusal {
                kind: RefusalKind::TooManySetups { limit: SETUPS },
                place: Some(self.collection.place(property.offset())),
            });
        }
        let next = narrow(self.moves.len() + 1);
        for point in points.iter() {
            self.replay.set_up(point, stone);
            if midgame {
                self.setup_midgame.push((next, stone, point));
            }
        }
        Ok(points)
    }

    /// Plays what a B or a W says.
    fn written(&mut self, property: Property<'c>, side: Colour, here: &mut InNode<'c>) {
        for value in property.values() {
            if let Some(first) = here.written[side] {
                if first.raw() != value.raw() && !std::mem::replace(&mut here.said_moves, true) {
                    self.tell(FindingKind::TwoMovesInNode, value.offset());
                }
                continue;
            }
            here.written[side] = Some(value);
            self.judge(value, side);
            here.last = Some((side, self.moves.len() - 1));
            if here.written[side.other()].is_some() && !std::mem::replace(&mut here.said_sides, true) {
                self.tell(FindingKind::TwoSidesInNode, value.offset());
            }
        }
    }

    /// Keeps what stands on the board before the first move.
    fn note_setup(&mut self) {
        if self.setups > 0 {
            let board = self.replay.board();
            let stones = self
                .size
                .all()
                .filter_map(|point| Some((board.at(point)?, point)));
            self.setup.extend(stones);
            let scene = Scene::new(self.size, &board.position());
            let choked = scene.without_liberty().map(|point| Finding {
                point: Some(point),
                ..about(FindingKind::SetupWithoutLiberty)
            });
            self.findings.extend(choked);
        }
    }

    /// Plays a move of a side.
    fn judge(&mut self, value: Value<'c>, side: Colour) {
        match Point::from_letters(value.bytes()) {
            Some(point) if self.size.holds(point) && !self.moves.is_empty() => {
                if self.add(side, Move::Stone(point), value) {
                    self.stone_stands(side);
                } else {
                    self.look_at_last(value, None);
                }
            }
            _ => self.judge_unusual(value, side),
        }
    }

    /// The same for the first move, and for what is not plainly a point of the board.
    #[inline(never)]
    fn judge_unusual(&mut self, value: Value<'c>, side: Colour) {
        if self.moves.is_empty() {
            self.note_setup();
        }
        let (play, unclear) = match self.meant(value) {
            Ok(play) => (play, None),
            Err(kind) => (Move::Pass, Some(kind)),
        };
        self.add(side, play, value);
        self.look_at_last(value, unclear);
    }

    /// Plays a move and lists it. Tells whether it is a stone that took nothing and of which nothing is to be said.
    #[inline]
    fn add(&mut self, side: Colour, play: Move, value: Value<'c>) -> bool {
        let place = self.collection.place(value.offset());
        // After stones were set up it may be anybody's turn.
        let in_turn = std::mem::take(&mut self.set_up_since);
        if self.last.replace(side) == Some(side) && !in_turn {
            self.tell_same_side(side, place);
        }
        let plain = self.replay.put(side, play);
        // Filled in where it lies: to be put together elsewhere and copied takes a processor longer.
        self.moves.push(BLANK);
        if let Some(judged) = self.moves.last_mut() {
            judged.side = side;
            judged.play = play;
            judged.place = place;
        }
        plain
    }

    /// Says that a side moves again.
    #[cold]
    fn tell_same_side(&mut self, side: Colour, place: Place) {
        let reading = Twice::Unclear;
        self.findings.push(Finding {
            place: Some(place),
            move_number: Some(narrow(self.moves.len() + 1)),
            ..about(FindingKind::SameSideTwice { side, reading })
        });
    }

    /// Notes what the last move did, and says what is to be said of it.
    #[inline(never)]
    fn look_at_last(&mut self, value: Value<'c>, unclear: Option<FindingKind>) {
        let number = self.moves.len();
        let Some(judged) = self.moves.last_mut() else {
            return;
        };
        let (side, play) = (judged.side, judged.play);
        let Played {
            captured,
            own,
            problem,
        } = self.replay.last();
        judged.void = unclear.is_some() || matches!(problem, Some(Problem::Void(_)));
        if !captured.is_empty() {
            let taker = if own { side.other() } else { side };
            self.captures[taker] += narrow(captured.len());
            self.last_capture = number;
            judged.captured = captured.to_vec();
        }
        if let Some(problem) = problem {
            self.tell_of(number, problem_kind(problem, value));
        }
        match (play, unclear) {
            (_, Some(kind)) => {
                self.tell_of(number, kind);
                self.passes = 0;
            }
            (Move::Stone(_), None) => self.stone_stands(side),
            (Move::Pass, None) => {
                self.passes += 1;
                self.over |= self.passes >= usize::from(self.rules.passes);
            }
        }
    }

    /// The last move is a stone.
    #[inline]
    fn stone_stands(&mut self, side: Colour) {
        let number = self.moves.len();
        self.last_stone[side] = number;
        self.passes = 0;
        // Marks before the last stone are those of a comment.
        self.marks = None;
        if std::mem::replace(&mut self.over, false) {
            self.tell_of(number, FindingKind::MoveAfterEnd);
        }
    }

    /// The move that is written, or what is wrong with it.
    fn meant(&self, value: Value<'c>) -> Result<Move, FindingKind> {
        let point = Point::from_letters(value.bytes());
        if let Some(point) = point.filter(|point| self.size.holds(*point)) {
            return Ok(Move::Stone(point));
        }
        let text = value.plain();
        let small = self.size.columns() <= TT_IS_A_PASS && self.size.rows() <= TT_IS_A_PASS;
        if text.is_empty() || (text == "tt" && small) {
            return Ok(Move::Pass);
        }
        match Point::from_record(&text) {
            Some(point) if self.size.holds(point) => Ok(Move::Stone(point)),
            Some(_) => Err(FindingKind::PointOffBoard {
                text: text.into_owned(),
            }),
            None => Err(FindingKind::PointUnreadable {
                text: text.into_owned(),
            }),
        }
    }

    /// Black's moves before White's first, when nobody moves in between.
    pub(super) fn black_alone(&self) -> usize {
        let black = |judged: &&JudgedMove| judged.side == Colour::Black;
        self.moves.iter().take_while(black).count()
    }

    /// Black's first moves are handicap stones: it is no wonder then that there are several.
    pub(super) fn moves_are_handicap(&mut self, stones: usize) {
        for finding in &mut self.findings {
            if let FindingKind::SameSideTwice { reading, .. } = &mut finding.kind
                && finding.move_number.is_some_and(|number| wide(number) <= stones)
            {
                *reading = Twice::Handicap;
            }
        }
    }

    /// Whether a stone was played after a move.
    pub(super) fn stones_after(&self, number: u32) -> bool {
        let last = self.last_stone.black.max(self.last_stone.white);
        last > wide(number)
    }

    /// Where the other side plays no stone any more and nothing is captured any more, it has passed.
    fn tell_passes_left_out(&mut self) {
        let captured = self.last_capture;
        let last = SIDES.map(|side| self.last_stone[side]);
        for finding in &mut self.findings {
            if let FindingKind::SameSideTwice { side, reading } = &mut finding.kind
                && let Some(number) = finding.move_number.map(wide)
                && number > captured
                && number > last[usize::from(*side == Colour::Black)]
            {
                *reading = Twice::PassLeftOut;
            }
        }
    }

    /// A finding about a place in the file, with the last move played so far.
    fn tell(&mut self, kind: FindingKind, offset: usize) {
        self.findings.push(Finding {
            place: Some(self.collection.place(offset)),
            move_number: Some(narrow(self.moves.len())).filter(|number| *number > 0),
            ..about(kind)
        });
    }

    /// A finding about a move.
    pub(super) fn tell_of(&mut self, number: usize, kind: FindingKind) {
        let judged = number.checked_sub(1).and_then(|at| self.moves.get(at));
        self.findings.push(Finding {
            place: judged.map(|judged| judged.place),
            move_number: Some(narrow(number)),
            point: judged.and_then(|judged| judged.play.point()),
            ..about(kind)
        });
    }
}

/// What is to be said of a problem with a move.
fn problem_kind(problem: Problem, written: Value<'_>) -> FindingKind {
    match problem {
        Problem::Void(Forbidden::Occupied) => FindingKind::Occupied,
        Problem::Void(Forbidden::Suicide { stones }) => FindingKind::Suicide { stones },
        // Told before by what is written; the board has the last word.
        Problem::Void(Forbidden::OffBoard) => FindingKind::PointOffBoard {
            text: written.raw().to_owned(),
        },
        Problem::Repeated(repeated) => FindingKind::Repeated(repeated),
    }
}

/// Whether a property sets up points.
fn sets_up(name: &str) -> bool {
    matches!(name, "AB" | "AW" | "AE")
}

/// Seconds with a decimal point, in milliseconds; what is beyond them is cut off.
fn milliseconds(text: &str) -> Option<i64> {
    let (negative, size) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = size.split_once('.').unwrap_or((size, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || !digits(whole) || !digits(fraction) {
        return None;
    }
    let part = (fraction.bytes().chain(std::iter::repeat(b'0')))
        .take(3)
        .fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    let size = whole.parse::<i64>().ok()? * 1_000 + part;
    Some(if negative { -size } else { size })
}

/// A count of moves or stones; a file has not that many.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_exact_to_the_millisecond() {
        for (text, expected) in [
            ("0", Some(0)),
            ("1200", Some(1_200_000)),
            ("59.5", Some(59_500)),
            ("59.0004", Some(59_000)),
            ("-1.25", Some(-1_250)),
            ("999999999999", Some(999_999_999_999_000)),
            ("", None),
            (".5", None),
            ("1e3", None),
            ("1:00", None),
            ("9999999999999", None),
        ] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
