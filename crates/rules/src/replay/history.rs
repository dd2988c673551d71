//! What stood on the board, compactly: the changes from one position to the next, the whole board now and
//! then, and a table of the different positions.

use std::collections::BTreeMap;

use crate::board::{Board, code};
use crate::point::{Colour, Sides};

/// Where more points than this are set up between two moves, the history begins anew: another game is
/// shown, and a record of such set-ups could fill the memory.
const SET_UP_AT_MOST: usize = 64;
/// Places of the table at first.
const TABLE: usize = 1024;
/// A change is a cell, and from this bit on what it holds then.
const COLOUR: u32 = 12;
const CELL: u16 = (1 << COLOUR) - 1;

/// Everything that stood on a board.
///
/// Times count moves and what was set up before a move alike; time 0 is the start.
#[derive(Clone, Debug)]
pub(super) struct History {
    steps: Vec<Step>,
    /// A cell and what it holds from then on, 12 and 2 bits. A move's own point comes first.
    changes: Vec<u16>,
    /// After how many changes each whole board was kept.
    kept: Vec<usize>,
    /// At how many changes the next one is kept.
    keep_from: usize,
    /// Those boards, one after another.
    boards: Vec<u8>,
    /// Which stones each cell has had, as bits. A stone that is the first of its side on a cell makes a position
    /// that never stood, and most are.
    had: Vec<u8>,
    /// The time, plus one, at which each different position stood first; it lies where the last bits of its
    /// fingerprint say, or in the next free place. 0 is free.
    table: Vec<u32>,
    /// Times whose positions lie in the table: it is filled when something is to be looked for.
    filled: usize,
    /// How many different positions lie in it.
    positions: usize,
    /// When the position on the board stood first.
    current: usize,
    /// When a position stood last, of those that did so more than once. A pass leaves it standing.
    latest: BTreeMap<usize, usize>,
    /// The first time of a position in another situation than at its first.
    situations: BTreeMap<(usize, u32), usize>,
    /// For building an earlier board.
    scratch: Vec<u8>,
}

/// One time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Of the position; nothing after a pass.
    fingerprint: u64,
    /// How many changes there were after it.
    changes: u32,
    /// How many moves there were.
    pub number: u32,
    /// Stones lost by each side so far.
    pub lost: Sides<u32>,
    /// What the rules look at beside the stones, times two, and one more where White is to move.
    turn: u32,
    /// Whether its position never stood before.
    is_new: bool,
}

impl Step {
    /// After so many moves and losses, in a situation that the rules tell from others.
    pub fn new(number: u32, lost: Sides<u32>, situation: u32, to_move: Colour) -> Self {
        Self {
            fingerprint: 0,
            changes: 0,
            number,
            lost,
            turn: situation << 1 | u32::from(to_move == Colour::White),
            is_new: false,
        }
    }

    /// Who is to move then.
    pub fn to_move(self) -> Colour {
        if self.turn & 1 == 0 {
            Colour::Black
        } else {
            Colour::White
        }
    }

    fn situation(self) -> u32 {
        self.turn >> 1
    }
}

/// When a position stood before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Again {
    /// The first time at all.
    pub first: usize,
    /// The first time in the same situation.
    pub same: Option<usize>,
    /// The last time.
    pub latest: usize,
}

impl History {
    /// Of a board before anything was set up.
    pub fn new(board: &Board) -> Self {
        Self {
            steps: Vec::with_capacity(512),
            changes: Vec::with_capacity(512),
            kept: vec![0],
            keep_from: board.cells().len(),
            boards: board.cells().to_vec(),
            had: board.cells().to_vec(),
            table: Vec::new(),
            filled: 0,
            positions: 0,
            current: 0,
            latest: BTreeMap::new(),
            situations: BTreeMap::new(),
            scratch: Vec::new(),
        }
    }

    /// The last time.
    pub fn now(&self) -> usize {
        self.steps.len() - 1
    }

    pub fn step(&self, time: usize) -> &Step {
        &self.steps[time]
    }

    /// The cell of a move's stone, and those that it emptied; nothing for a pass.
    pub fn stone_at(&self, time: usize) -> Option<(u16, &[u16])> {
        let [from, to] = [time - 1, time].map(|time| self.steps[time].changes as usize);
        // An empty cell is the number of the cell and nothing more.
        let (stone, emptied) = self.changes[from..to].split_first()?;
        Some((stone & CELL, emptied))
    }

    /// Takes note of a point that was set up.
    pub fn set_up(&mut self, cell: u16, board: &Board) {
        let holds = board.cells()[usize::from(cell)];
        self.had[usize::from(cell)] |= holds;
        if self.unsettled() <= SET_UP_AT_MOST {
            self.changes.push(change(cell, holds));
        }
    }

    /// Remembers the start, or a position that was set up. Gives its time.
    pub fn settle(&mut self, step: Step, board: &Board) -> usize {
        if self.unsettled() > SET_UP_AT_MOST {
            self.changes.clear();
            self.kept.clear();
            self.boards.clear();
            self.keep(board);
            self.filled = self.steps.len();
            self.positions = 0;
            self.latest.clear();
            self.table.clear();
            self.situations.clear();
        }
        let is_new = self.filled == self.steps.len() && self.positions == 0;
        self.remember(step, board, is_new);
        self.now()
    }

    /// Remembers a pass: the position stands in another situation.
    pub fn pass(&mut self, step: Step) {
        let (time, situation) = (self.push(step), step.situation());
        self.latest.insert(self.current, time);
        if self.steps[self.current].situation() != situation {
            self.situations.entry((self.current, situation)).or_insert(time);
        }
    }

    /// Remembers a stone that the board has put on a cell, where it stands.
    #[inline]
    pub fn stone(&mut self, step: Step, cell: u16, board: &Board) -> Option<Again> {
        let is_new = self.note(step, cell);
        self.remember(step, board, is_new)
    }

    /// Remembers a stone that took others, or its own chain and itself, so that it does not stand.
    pub fn stone_taking(&mut self, step: Step, cell: u16, stands: bool, board: &Board) -> Option<Again> {
        // A stone that goes at once with its own chain was there all the same.
        let is_new = self.note(step, cell) && stands;
        for point in board.captured() {
            self.changes.extend(board.cell(*point));
        }
        self.remember(step, board, is_new)
    }

    /// Takes note of a stone, and tells whether it is the first of its side on the cell.
    #[inline]
    fn note(&mut self, step: Step, cell: u16) -> bool {
        let holds = code(step.to_move().other());
        self.changes.push(change(cell, holds));
        let had = &mut self.had[usize::from(cell)];
        let is_first = *had & holds == 0;
        *had |= holds;
        is_first
    }

    /// Changes since the last step.
    fn unsettled(&self) -> usize {
        let settled = self.steps.last().map_or(0, |step| step.changes as usize);
        self.changes.len() - settled
    }

    #[inline]
    fn push(&mut self, mut step: Step) -> usize {
        step.changes = narrow(self.changes.len());
        self.steps.push(step);
        self.now()
    }

    /// Remembers the position on the board; `is_new` when it is known never to have stood before.
    #[inline]
    fn remember(&mut self, mut step: Step, board: &Board, is_new: bool) -> Option<Again> {
        step.fingerprint = board.fingerprint();
        step.is_new = is_new;
        let time = self.push(step);
        // A position is never far from a board that is kept, and those take no more room than the changes.
        if self.changes.len() >= self.keep_from {
            self.keep(board);
        }
        self.current = time;
        if is_new { None } else { self.look_for(time, board) }
    }

    /// Looks for the position on the board, of this time, among those before.
    #[inline(never)]
    fn look_for(&mut self, time: usize, board: &Board) -> Option<Again> {
        for before in self.filled..time {
            if self.steps[before].is_new {
                self.fill(before);
            }
        }
        self.filled = time;
        let fingerprint = self.steps[time].fingerprint;
        let mut place = self.place(fingerprint);
        while let Some(first) = (self.at(place) as usize).checked_sub(1) {
            if self.steps[first].fingerprint == fingerprint && self.stood(first, board) {
                return Some(self.again(first, time));
            }
            place += 1;
        }
        self.steps[time].is_new = true;
        None
    }

    /// What lies in a place of the table, after the last of which the first comes again.
    fn at(&self, place: usize) -> u32 {
        self.table
            .get(place & self.table.len().wrapping_sub(1))
            .copied()
            .unwrap_or(0)
    }

    /// Puts a time into the table.
    fn fill(&mut self, time: usize) {
        if (self.positions + 1) * 2 > self.table.len() {
            self.grow();
        }
        self.put(time);
        self.positions += 1;
    }

    fn put(&mut self, time: usize) {
        let last = self.table.len() - 1;
        let mut place = self.place(self.steps[time].fingerprint) & last;
        while self.table[place] != 0 {
            place = (place + 1) & last;
        }
        self.table[place] = narrow(time + 1);
    }

    #[cold]
    fn again(&mut self, first: usize, time: usize) -> Again {
        self.current = first;
        let situation = self.steps[time].situation();
        let same = if self.steps[first].situation() == situation {
            Some(first)
        } else {
            let seen = self.situations.get(&(first, situation)).copied();
            self.situations.entry((first, situation)).or_insert(time);
            seen
        };
        let latest = self.latest.insert(first, time).unwrap_or(first);
        Again { first, same, latest }
    }

    /// Whether a position that stood is the one on the board.
    #[cold]
    fn stood(&mut self, first: usize, board: &Board) -> bool {
        let changes = self.steps[first].changes as usize;
        let kept = self.kept.partition_point(|kept| *kept <= changes) - 1;
        let cells = board.cells().len();
        self.scratch.clear();
        self.scratch
            .extend_from_slice(&self.boards[kept * cells..(kept + 1) * cells]);
        for change in &self.changes[self.kept[kept]..changes] {
            let cell = usize::from(change & CELL);
            self.scratch[cell] = (change >> COLOUR) as u8;
        }
        self.scratch == board.cells()
    }

    /// Keeps the whole board.
    #[cold]
    fn keep(&mut self, board: &Board) {
        self.kept.push(self.changes.len());
        self.keep_from = self.changes.len() + board.cells().len();
        self.boards.extend_from_slice(board.cells());
    }

    #[expect(clippy::cast_possible_truncation, reason = "the last bits are wanted")]
    fn place(&self, fingerprint: u64) -> usize {
        // The table is shorter than either half.
        (fingerprint as u32) as usize & self.table.len().wrapping_sub(1)
    }

    /// Doubles the table.
    #[cold]
    fn grow(&mut self) {
        let more = (self.table.len() * 2).max(TABLE);
        for first in std::mem::replace(&mut self.table, vec![0; more]) {
            if let Some(first) = (first as usize).checked_sub(1) {
                self.put(first);
            }
        }
    }
}

fn change(cell: u16, holds: u8) -> u16 {
    cell | u16::from(holds) << COLOUR
}

/// A record has far fewer moves than this can count.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Put;
    use crate::point::{Point, Size};
    use crate::rule_set::Suicide;

    #[test]
    fn two_positions_with_one_fingerprint_are_told_apart() {
        let at = |column| Point { column, row: 0 };
        let mut board = Board::new(Size::NINETEEN);
        let mut history = History::new(&board);
        let step = |number| Step::new(number, Sides::default(), 0, Colour::White);
        history.settle(step(0), &board);
        let mut play = |history: &mut History, column| {
            let cell = board.cell(at(column)).expect("a point of the board");
            let put = board.put(Colour::Black, cell, Suicide::Forbidden);
            assert_eq!(put, Put::Alone);
            // As if the cell had had such a stone before, so that the position is looked for.
            history.had.fill(3);
            history.stone(step(1), cell, &board).is_some()
        };
        assert!(!play(&mut history, 0));
        // Let the next position have the fingerprint of this one.
        let mut next = Board::new(Size::NINETEEN);
        for column in 0..2 {
            next.place(at(column), Some(Colour::Black));
        }
        history.steps[1].fingerprint = next.fingerprint();
        assert!(!play(&mut history, 1), "another position");
        // And it is found behind the other when it comes again.
        let again = history.remember(step(2), &next, false);
        let place = history.place(next.fingerprint());
        assert_eq!(
            history.table[place..=place + 1],
            [2, 3],
            "it is kept beside the other"
        );
        assert_eq!(again.map(|again| (again.first, again.latest)), Some((2, 2)));
    }
}
