//! A game played again, with everything that stood on the board.

mod cycle;
mod history;

use crate::board::{Board, Forbidden, Put};
use crate::finding::{Repeated, RepetitionKind};
use crate::point::{Colour, Move, Point, Sides, Size};
use crate::rule_set::{OnRepetition, Repetition, Rules, Suicide};
use history::{Again, History, Step};

/// A game under its rules, move by move.
///
/// Every position that comes again is noticed, on the real position and not on a number for it. What that
/// means follows from the rules' [`Repetition`]:
///
/// - simple ko: a ko retaken at once is illegal. Any other position that comes again with the same side to
///   move, nobody having passed in between, is what the event says, else what the rules say: no result.
///   (Who passes in a cycle could have stopped it, and agreed to end the game.)
/// - positional: whatever comes again is illegal, unless the event says otherwise.
/// - situational: the same, when the same side is to move. A pass makes a new situation.
/// - positional with the stones out: the same, when nobody passed in between.
///
/// A ko retaken at once is illegal under all of them, whatever the event says (Art. 19). A repetition that
/// the rules let pass is reported without a ruling. Each round of a cycle is reported anew, with the
/// earliest time that matters to the rules; what kind of cycle it is, its last round says. Stones set up
/// within the cycle make it the referee's: they are nobody's move.
///
/// Void moves count as passes here too. Where the stones out belong to the position, all that a record
/// writes as passes is taken for stones played outside (虚着).
#[derive(Clone, Debug)]
pub struct Replay {
    board: Board,
    suicide: Suicide,
    repetition: Repetition,
    on_repetition: OnRepetition,
    history: History,
    /// Moves so far, passes and void ones among them.
    moves: u32,
    /// Passes so far, and void moves, which count as such.
    passes: u32,
    /// Stones that each side lost so far.
    lost: Sides<u32>,
    /// Whether the position on the board has yet to be remembered: the start, or stones set up.
    unsettled: bool,
    /// The last time at which stones were set up.
    set_up: usize,
    /// Of the last move, when it was more than a stone: whether it took its own stones, and what is wrong with it.
    own: bool,
    problem: Option<Problem>,
}

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played<'a> {
    /// The stones that it took, in the order of the board.
    pub captured: &'a [Point],
    /// Whether they are the player's own.
    pub own: bool,
    /// What is wrong with it.
    pub problem: Option<Problem>,
}

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It cannot be played: it is void, the board stays as it was, and it counts as a pass (Art. 17.2).
    Void(Forbidden),
    /// The position stood before. The move is played, because the record goes on from it; whether it was
    /// forbidden the ruling says.
    Repeated(Repeated),
}

impl Replay {
    /// An empty board under `rules`. `on_repetition` is the event's word on positions that come again.
    pub fn new(size: Size, rules: &Rules, on_repetition: Option<OnRepetition>) -> Self {
        let board = Board::new(size);
        Self {
            history: History::new(&board),
            board,
            suicide: rules.suicide,
            repetition: rules.repetition,
            on_repetition: on_repetition.unwrap_or(rules.on_repetition),
            moves: 0,
            passes: 0,
            lost: Sides::default(),
            unsettled: true,
            set_up: 0,
            own: false,
            problem: None,
        }
    }

    /// The board as it stands.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many moves were played, passes and void ones among them.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Sets up a point, before the first move or later: a stone, or none. Nothing is captured by it; a
    /// point outside the board is passed over.
    pub fn set_up(&mut self, point: Point, stone: Option<Colour>) {
        let Some(cell) = self.board.cell(point) else {
            return;
        };
        if self.board.at(point) != stone {
            self.board.place(point, stone);
            self.history.set_up(cell, &self.board);
            self.unsettled = true;
        }
    }

    /// Plays a move, whichever side is to move. A stone that cannot be played is void and counts as a
    /// pass (Art. 17.2). A pass repeats nothing.
    #[inline]
    pub fn play(&mut self, side: Colour, play: Move) -> Played<'_> {
        if self.put(side, play) {
            return Played {
                captured: &[],
                own: false,
                problem: None,
            };
        }
        self.last()
    }

    /// The same, but tells only whether it was a stone that took nothing, with which nothing is wrong: as most
    /// are. What any other did [`last`](Self::last) says.
    #[inline]
    pub(crate) fn put(&mut self, side: Colour, play: Move) -> bool {
        if self.unsettled {
            self.settle(side);
        }
        self.moves += 1;
        let Move::Stone(point) = play else {
            return self.pass(side, None);
        };
        let Some(cell) = self.board.cell(point) else {
            return self.pass(side, Some(Forbidden::OffBoard));
        };
        match self.board.put(side, cell, self.suicide) {
            Put::Alone => {
                let step = self.step(side.other());
                match self.history.stone(step, cell, &self.board) {
                    None => true,
                    Some(again) => self.came_again(again, side),
                }
            }
            took => self.took(side, cell, took),
        }
    }

    /// What the last move did, unless it was a stone that took nothing, with which nothing is wrong.
    pub(crate) fn last(&self) -> Played<'_> {
        Played {
            captured: self.board.captured(),
            own: self.own,
            problem: self.problem,
        }
    }

    /// A stone that came to something else than to stand.
    #[inline(never)]
    fn took(&mut self, side: Colour, cell: u16, put: Put) -> bool {
        self.own = match put {
            Put::Occupied => return self.pass(side, Some(Forbidden::Occupied)),
            Put::Suicide => {
                let stones = self.board.chain_to_be(side, cell);
                return self.pass(side, Some(Forbidden::Suicide { stones }));
            }
            Put::Alone | Put::Took => false,
            Put::TookOwn => true,
        };
        let loser = if self.own { side } else { side.other() };
        let stones = u32::try_from(self.board.captured().len());
        self.lost[loser] += stones.unwrap_or(u32::MAX);
        self.problem = None;
        let step = self.step(side.other());
        if let Some(again) = self.history.stone_taking(step, cell, !self.own, &self.board) {
            let again = self.repeated(again, side.other());
            self.problem = Some(Problem::Repeated(again));
        }
        false
    }

    /// A stone by which a position came again without anything being taken.
    #[cold]
    fn came_again(&mut self, again: Again, side: Colour) -> bool {
        self.own = false;
        self.problem = Some(Problem::Repeated(self.repeated(again, side.other())));
        false
    }

    /// A pass, or a stone that cannot be played.
    #[inline(never)]
    fn pass(&mut self, side: Colour, forbidden: Option<Forbidden>) -> bool {
        self.passes += 1;
        self.history.pass(self.step(side.other()));
        self.board.nothing_captured();
        self.own = false;
        self.problem = forbidden.map(Problem::Void);
        false
    }

    /// Remembers the start, or what was set up, now that somebody moves.
    #[cold]
    fn settle(&mut self, to_move: Colour) {
        self.unsettled = false;
        self.set_up = self.history.settle(self.step(to_move), &self.board);
    }

    #[cold]
    fn repeated(&self, again: Again, to_move: Colour) -> Repeated {
        let now = self.history.now();
        let kind = if self.set_up > again.latest {
            RepetitionKind::Other
        } else {
            cycle::kind(&self.history, again.latest, now, &self.board)
        };
        let basic = kind == RepetitionKind::BasicKo;
        let first = match again.same {
            _ if basic => again.latest,
            Some(same) => same,
            None => again.first,
        };
        let ruling = if basic {
            Some(OnRepetition::Illegal)
        } else {
            let setting = if self.set_up > first {
                OnRepetition::Referee
            } else {
                self.on_repetition
            };
            again.same.map(|_| setting)
        };
        let before = self.history.step(first);
        Repeated {
            first: before.number,
            second: self.moves,
            cycle: self.moves - before.number,
            lost: Sides {
                black: self.lost.black - before.lost.black,
                white: self.lost.white - before.lost.white,
            },
            same_to_move: before.to_move() == to_move,
            kind,
            ruling,
        }
    }

    #[inline]
    fn step(&self, to_move: Colour) -> Step {
        Step::new(self.moves, self.lost, self.situation(to_move), to_move)
    }

    /// What has to be equal beside the stones for the rules to see the same position.
    #[inline]
    fn situation(&self, to_move: Colour) -> u32 {
        let to_move = u32::from(to_move == Colour::White);
        match self.repetition {
            Repetition::SimpleKo => self.passes * 2 + to_move,
            Repetition::Positional => 0,
            Repetition::Situational => to_move,
            Repetition::PositionalWithStonesOut => self.passes,
        }
    }
}
