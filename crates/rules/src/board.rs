//! A board with its stones.

use crate::point::{Colour, Point, Size};
use crate::rule_set::Suicide;

/// What a cell holds. The margin around the board is as full as a stone, and belongs to nobody.
const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const WHITE: u8 = 2;
const MARGIN: u8 = 3;

/// Cells of the largest board, its margin among them.
const MOST_CELLS: usize = cells(Size::MOST as usize, Size::MOST as usize);

/// One number for a stone of each side on each cell.
static KEYS: [[u64; 2]; MOST_CELLS] = keys();

/// A board with its stones (棋盘): it plays moves, takes captured stones off, and knows by one number which
/// position stands on it. What stood before is for [`Replay`](crate::Replay) to remember.
///
/// The cells lie in one row with a margin between the lines, so that no neighbour has to be looked for.
/// The stones of a chain form a ring. Its first stone knows how many pairs of a stone and an empty
/// neighbour there are: none of them means no liberties (气), and it can be kept with one addition per
/// neighbour, where the liberties themselves would have to be told apart.
///
/// A cell without a stone is its own head. What is counted there means nothing, and need not be kept apart
/// from what does, which would cost more than counting; one cell for all of them would make each count wait
/// for the one before.
#[derive(Clone, Debug)]
pub struct Board {
    size: Size,
    /// Cells from one row to the next.
    stride: u16,
    colours: Vec<u8>,
    links: Vec<Link>,
    /// Stones were set up since the rings were last right.
    stale: bool,
    sum: u64,
    difference: u64,
    captured: Vec<Point>,
}

/// A stone in its chain. The last two are right for the head alone.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The next stone of the ring.
    next: u16,
    /// The stone that stands for the chain.
    head: u16,
    /// How many stones.
    stones: u16,
    /// How many pairs of a stone and an empty neighbour.
    open: u16,
}

impl Link {
    /// Of a cell without a stone.
    fn of_nobody(cell: u16) -> Self {
        Self {
            next: cell,
            head: cell,
            stones: 0,
            open: 0,
        }
    }
}

/// Why a stone cannot be played. The board is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// The point lies outside the board.
    OffBoard,
    /// There is a stone on it.
    Occupied,
    /// The stone and its chain would have no liberty, and nothing would be captured (禁着点, Art. 5).
    Suicide {
        /// How many stones would be taken, the new one among them.
        stones: u32,
    },
}

/// What became of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// It stands, and took nothing.
    Alone,
    /// It stands, and took stones of the other side.
    Took,
    /// It was taken with its own chain.
    TookOwn,
    /// There is a stone already; the board is as it was.
    Occupied,
    /// It would take its own chain, which it may not; the board is as it was.
    Suicide,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Self {
        let (columns, rows) = (usize::from(size.columns()), usize::from(size.rows()));
        let count = cells(columns, rows);
        let mut colours = vec![MARGIN; count];
        let stride = columns + 1;
        for row in 1..=rows {
            colours[row * stride + 1..=row * stride + columns].fill(EMPTY);
        }
        Self {
            size,
            stride: u16::from(size.columns()) + 1,
            colours,
            links: (0..=u16::MAX).take(count).map(Link::of_nobody).collect(),
            stale: false,
            sum: 0,
            difference: 0,
            captured: Vec::new(),
        }
    }

    /// Its size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stone on a point; `None` when it is empty or outside the board.
    pub fn at(&self, point: Point) -> Option<Colour> {
        let cell = self.cell(point)?;
        colour(self.colours[usize::from(cell)])
    }

    /// Sets up a point: a stone, or none. Nothing is captured by it, so chains without liberties can
    /// come about, as in a problem's diagram; a later move takes them only when it takes their last
    /// liberty. A point outside the board is passed over.
    pub fn place(&mut self, point: Point, stone: Option<Colour>) {
        let Some(cell) = self.cell(point) else { return };
        let new = stone.map_or(EMPTY, code);
        let old = self.colours[usize::from(cell)];
        if old == new {
            return;
        }
        if old != EMPTY {
            self.unmark(cell, old);
        }
        if new != EMPTY {
            self.mark(cell, new);
        }
        // Rectangles of set-up stones in a row must not cost a look at whole chains each.
        self.stale = true;
    }

    /// Plays a stone, and takes off the chains of the other side that it leaves without liberties, or
    /// its own chain where `suicide` lets it. Gives the stones taken, in the order of the board.
    ///
    /// # Errors
    /// A point that cannot be played; the board is as it was.
    pub fn play(&mut self, side: Colour, point: Point, suicide: Suicide) -> Result<&[Point], Forbidden> {
        self.captured.clear();
        let cell = self.cell(point).ok_or(Forbidden::OffBoard)?;
        match self.put(side, cell, suicide) {
            Put::Occupied => Err(Forbidden::Occupied),
            Put::Suicide => Err(Forbidden::Suicide {
                stones: self.chain_to_be(side, cell),
            }),
            Put::Alone | Put::Took | Put::TookOwn => Ok(&self.captured),
        }
    }

    /// The same for a cell of the board. What it took is [`captured`](Self::captured).
    #[inline]
    pub(crate) fn put(&mut self, side: Colour, cell: u16, suicide: Suicide) -> Put {
        if self.stale {
            self.link_all();
        }
        self.captured.clear();
        if self.colours[usize::from(cell)] != EMPTY {
            return Put::Occupied;
        }
        let (own, foreign) = (code(side), code(side.other()));
        let near = self.around(cell);
        let colours = near.map(|near| self.colours[usize::from(near)]);
        let links = self.links.as_mut_slice();
        let heads = near.map(|near| usize::from(links[usize::from(near)].head));
        for head in heads {
            links[head].open = links[head].open.wrapping_sub(1);
        }
        // Bits, because branches on what lies around a point are hard to foresee.
        let (mut open, mut friends, mut takes, mut lives) = (0, 0, 0, 0);
        for at in 0..4 {
            let left = u8::from(links[heads[at]].open > 0);
            let (is_own, is_foreign) = (u8::from(colours[at] == own), u8::from(colours[at] == foreign));
            open += u16::from(colours[at] == EMPTY);
            friends |= is_own << at;
            takes |= is_foreign & !left;
            lives |= is_own & left;
        }
        let takes = takes != 0;
        if open == 0 && !takes && lives == 0 && suicide != Suicide::Allowed {
            // One stone alone may not take itself, several may where the rules let them.
            if suicide == Suicide::Forbidden || friends == 0 {
                for head in heads {
                    links[head].open = links[head].open.wrapping_add(1);
                }
                return Put::Suicide;
            }
        }

        let mut head = cell;
        if friends == 0 {
            links[usize::from(cell)] = Link {
                next: cell,
                head: cell,
                stones: 1,
                open,
            };
        } else {
            // A stone more in the first chain, and the others join it.
            let friend = |friends: u8| heads[friends.trailing_zeros() as usize & 3];
            let first = friend(friends);
            let chain = &mut links[first];
            chain.stones += 1;
            chain.open += open;
            let next = std::mem::replace(&mut chain.next, cell);
            // A head is its own head.
            head = chain.head;
            let link = &mut links[usize::from(cell)];
            (link.next, link.head) = (next, head);
            friends &= friends - 1;
            while friends > 0 {
                let other = links[friend(friends)].head;
                if other != head {
                    head = join(links, head, other);
                }
                friends &= friends - 1;
            }
        }
        let last = !takes && links[usize::from(head)].open == 0;
        self.mark(cell, own);
        if takes {
            self.take_around(near, foreign);
            Put::Took
        } else if last {
            self.take(head, own);
            self.sort_captured();
            Put::TookOwn
        } else {
            Put::Alone
        }
    }

    /// Takes the chains of a side that have no liberty any more off four cells.
    #[inline(never)]
    fn take_around(&mut self, near: [u16; 4], foreign: u8) {
        for near in near {
            // The chain may have gone with a neighbour before.
            if self.colours[usize::from(near)] == foreign {
                let head = self.links[usize::from(near)].head;
                if self.links[usize::from(head)].open == 0 {
                    self.take(head, foreign);
                }
            }
        }
        self.sort_captured();
    }

    fn sort_captured(&mut self) {
        if self.captured.len() > 1 {
            self.captured
                .sort_unstable_by_key(|point| (point.row, point.column));
        }
    }

    /// How many stones a side's chain would have with a stone on an empty cell.
    pub(crate) fn chain_to_be(&self, side: Colour, cell: u16) -> u32 {
        let own = |near: &u16| self.colours[usize::from(*near)] == code(side);
        let near = self.around(cell).into_iter().filter(own);
        let mut heads: Vec<u16> = near.map(|near| self.links[usize::from(near)].head).collect();
        heads.sort_unstable();
        heads.dedup();
        let stones = heads.into_iter().map(|head| self.links[usize::from(head)].stones);
        1 + stones.map(u32::from).sum::<u32>()
    }

    /// The stones that the last move took, in the order of the board.
    pub(crate) fn captured(&self) -> &[Point] {
        &self.captured
    }

    /// A move that put no stone on the board took none.
    pub(crate) fn nothing_captured(&mut self) {
        self.captured.clear();
    }

    /// The position, row by row from the top left.
    pub fn position(&self) -> Vec<Option<Colour>> {
        let mut position = Vec::with_capacity(usize::from(self.size.points()));
        let columns = usize::from(self.size.columns());
        // After the margin above, each row has one cell of margin before it.
        for row in self
            .colours
            .chunks_exact(columns + 1)
            .skip(1)
            .take(usize::from(self.size.rows()))
        {
            position.extend(row[1..].iter().map(|code| colour(*code)));
        }
        position
    }

    /// The stones of the chain (块) on a point, in the order of the board; none when the point is empty.
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let mut chain = self.flood(point).0;
        chain.sort_unstable();
        let stride = self.stride;
        chain.into_iter().map(move |cell| point_of(cell, stride))
    }

    /// How many liberties (气) the chain on a point has; 0 when the point is empty.
    pub fn liberties(&self, point: Point) -> u32 {
        self.flood(point).1
    }

    /// A number for the position: equal for equal ones, and hardly ever for others.
    ///
    /// Sum and exclusive or of the same keys go into it. Each alone could be steered by someone who
    /// knows the keys, and so be made equal for many positions of a record; one takes the other's way out.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.difference ^ self.sum.rotate_left(32)
    }

    /// What each cell holds, the margin's among them: equal for equal positions of one size.
    pub(crate) fn cells(&self) -> &[u8] {
        &self.colours
    }

    /// The cell of a point on the board.
    pub(crate) fn cell(&self, point: Point) -> Option<u16> {
        let at = (u16::from(point.row) + 1) * self.stride + u16::from(point.column) + 1;
        self.size.holds(point).then_some(at)
    }

    /// The chains around two neighbouring cells, each by its head; their own stones are left out.
    pub(crate) fn heads_around(&self, cells: [u16; 2]) -> Vec<u16> {
        let near = cells.into_iter().flat_map(|cell| self.around(cell));
        near.filter(|near| !cells.contains(near) && colour(self.colours[usize::from(*near)]).is_some())
            .map(|near| self.links[usize::from(near)].head)
            .collect()
    }

    fn around(&self, cell: u16) -> [u16; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }

    fn mark(&mut self, cell: u16, code: u8) {
        let key = KEYS[usize::from(cell)][usize::from(code - 1) & 1];
        self.colours[usize::from(cell)] = code;
        self.difference ^= key;
        self.sum = self.sum.wrapping_add(key);
    }

    fn unmark(&mut self, cell: u16, code: u8) {
        let key = KEYS[usize::from(cell)][usize::from(code - 1) & 1];
        self.colours[usize::from(cell)] = EMPTY;
        self.difference ^= key;
        self.sum = self.sum.wrapping_sub(key);
    }

    /// Takes a chain off the board.
    fn take(&mut self, head: u16, code: u8) {
        let mut cell = head;
        loop {
            self.unmark(cell, code);
            self.captured.push(point_of(cell, self.stride));
            for near in self.around(cell) {
                let head = usize::from(self.links[usize::from(near)].head);
                self.links[head].open = self.links[head].open.wrapping_add(1);
            }
            let link = &mut self.links[usize::from(cell)];
            link.head = cell;
            cell = link.next;
            if cell == head {
                break;
            }
        }
    }

    /// Makes every ring anew.
    fn link_all(&mut self) {
        self.stale = false;
        for (cell, code) in (0..=u16::MAX).zip(self.colours.clone()) {
            if colour(code).is_none() {
                self.links[usize::from(cell)] = Link::of_nobody(cell);
                continue;
            }
            let near = self.around(cell).map(usize::from);
            let open = near.map(|near| u16::from(self.colours[near] == EMPTY));
            self.links[usize::from(cell)] = Link {
                next: cell,
                head: cell,
                stones: 1,
                open: open.iter().sum(),
            };
            // Those to the right and below come later, and join then.
            let own = self.colours[usize::from(cell)];
            let mut head = cell;
            for before in [near[0], near[1]] {
                if self.colours[before] == own {
                    let other = self.links[before].head;
                    if other != head {
                        head = join(&mut self.links, head, other);
                    }
                }
            }
        }
    }

    /// The cells of the chain on a point, and the number of its liberties. It looks at the stones alone,
    /// because the rings are not right while stones are set up.
    fn flood(&self, point: Point) -> (Vec<u16>, u32) {
        let Some(start) = self.cell(point) else {
            return (Vec::new(), 0);
        };
        let own = self.colours[usize::from(start)];
        if own == EMPTY {
            return (Vec::new(), 0);
        }
        let mut seen = vec![false; self.colours.len()];
        seen[usize::from(start)] = true;
        let mut chain = vec![start];
        let mut liberties = 0;
        let mut looked = 0;
        while let Some(cell) = chain.get(looked).copied() {
            looked += 1;
            for near in self.around(cell) {
                let at = usize::from(near);
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                if self.colours[at] == own {
                    chain.push(near);
                } else {
                    liberties += u32::from(self.colours[at] == EMPTY);
                }
            }
        }
        (chain, liberties)
    }
}

/// Makes one chain of two, and gives its head. The smaller one is renamed, so that over a whole game
/// a stone is renamed a few times only.
fn join(links: &mut [Link], one: u16, other: u16) -> u16 {
    let (keep, drop) = if links[usize::from(one)].stones >= links[usize::from(other)].stones {
        (one, other)
    } else {
        (other, one)
    };
    let mut cell = drop;
    loop {
        let link = &mut links[usize::from(cell)];
        link.head = keep;
        cell = link.next;
        if cell == drop {
            break;
        }
    }
    // Two rings become one when two of their stones exchange what comes next.
    let Link {
        next, stones, open, ..
    } = links[usize::from(drop)];
    let link = &mut links[usize::from(keep)];
    link.stones += stones;
    link.open += open;
    links[usize::from(drop)].next = std::mem::replace(&mut link.next, next);
    keep
}

/// Cells of a board: a row of margin above and below, one cell of it between the rows, and one at the end.
const fn cells(columns: usize, rows: usize) -> usize {
    (columns + 1) * (rows + 2) + 1
}

/// What a cell holds that has a stone of the side.
pub(crate) fn code(side: Colour) -> u8 {
    match side {
        Colour::Black => BLACK,
        Colour::White => WHITE,
    }
}

fn colour(code: u8) -> Option<Colour> {
    match code {
        BLACK => Some(Colour::Black),
        WHITE => Some(Colour::White),
        _ => None,
    }
}

/// The point of a cell on the board.
fn point_of(cell: u16, stride: u16) -> Point {
    // Both are less than 52.
    let byte = |number| u8::try_from(number).unwrap_or_default();
    Point {
        column: byte(cell % stride - 1),
        row: byte(cell / stride - 1),
    }
}

/// The keys: the outputs of the splitmix64 generator from zero.
#[expect(
    clippy::large_stack_arrays,
    reason = "made when it is compiled, on no stack of ours"
)]
const fn keys() -> [[u64; 2]; MOST_CELLS] {
    let mut keys = [[0; 2]; MOST_CELLS];
    let mut state = 0u64;
    let mut cell = 0;
    while cell < MOST_CELLS {
        let mut side = 0;
        while side < 2 {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut key = state;
            key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            keys[cell][side] = key ^ (key >> 31);
            side += 1;
        }
        cell += 1;
    }
    keys
}
