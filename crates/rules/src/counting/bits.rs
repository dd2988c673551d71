//! Sets of points with a bit for each, which are moved, joined and filled a whole board at a time.

use std::ops::{BitAnd, BitOr, Sub};

use super::ground::Ground;
use crate::point::{Colour, Point, Size};

/// Rows of the boards that are played on most.
pub(super) const USUAL: usize = 20;
/// Rows of the largest board.
pub(super) const MOST: usize = Size::MOST as usize;

/// A set of points of a board of up to `ROWS` rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits<const ROWS: usize>([u64; ROWS]);

/// What stands where.
#[derive(Clone, Copy)]
pub(super) struct Stones<const ROWS: usize> {
    pub black: Bits<ROWS>,
    pub white: Bits<ROWS>,
    pub empty: Bits<ROWS>,
}

impl<const ROWS: usize> Stones<ROWS> {
    #[inline]
    pub(super) fn of(ground: &Ground) -> Self {
        let mut stones = Self {
            black: Bits::NONE,
            white: Bits::NONE,
            empty: Bits::NONE,
        };
        let columns = usize::from(ground.size().columns());
        let all = (1 << columns) - 1;
        for (at, row) in ground.points().chunks_exact(columns).take(ROWS).enumerate() {
            let (mut black, mut white) = (0, 0);
            for (column, stone) in row.iter().enumerate() {
                black |= u64::from(*stone == Some(Colour::Black)) << column;
                white |= u64::from(*stone == Some(Colour::White)) << column;
            }
            stones.black.0[at] = black;
            stones.white.0[at] = white;
            stones.empty.0[at] = all & !(black | white);
        }
        stones
    }

    #[inline]
    pub(super) fn side(&self, side: Colour) -> Bits<ROWS> {
        match side {
            Colour::Black => self.black,
            Colour::White => self.white,
        }
    }
}

impl<const ROWS: usize> Bits<ROWS> {
    pub(super) const NONE: Self = Self([0; ROWS]);

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, row| any | row) == 0
    }

    /// How many points there are.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// Its first point in the order of the board: its row, and its bit in the row.
    #[inline]
    pub(super) fn first(&self) -> Option<(usize, u64)> {
        let row = self.0.iter().position(|row| *row != 0)?;
        Some((row, self.0[row] & self.0[row].wrapping_neg()))
    }

    /// Whether a point is in it.
    #[inline]
    pub(super) fn has(&self, (row, bit): (usize, u64)) -> bool {
        self.0[row] & bit != 0
    }

    /// The points beside its first one.
    #[inline]
    pub(super) fn beside_first(&self) -> Self {
        let mut beside = Self::NONE;
        if let Some((row, bit)) = self.first() {
            beside.0[row] = bit << 1 | bit >> 1;
            if row > 0 {
                beside.0[row - 1] = bit;
            }
            if row + 1 < ROWS {
                beside.0[row + 1] = bit;
            }
        }
        beside
    }

    /// Its part with a point.
    #[inline]
    pub(super) fn part_with(&self, (row, bit): (usize, u64)) -> Self {
        let mut point = Self::NONE;
        point.0[row] = bit;
        point.fill(self)
    }

    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        !(*self & *other).is_empty()
    }

    /// The points above, below, left and right of its points, some of them its own or beyond the board.
    #[inline]
    pub(super) fn beside(&self) -> Self {
        let mut beside = [0; ROWS];
        for (at, row) in self.0.iter().enumerate() {
            beside[at] = row << 1 | row >> 1;
        }
        for at in 1..ROWS {
            beside[at] |= self.0[at - 1];
            beside[at - 1] |= self.0[at];
        }
        Self(beside)
    }

    /// The points of `within` that can be reached from its points without leaving `within`.
    #[inline]
    pub(super) fn fill(&self, within: &Self) -> Self {
        let mut filled = *self & *within;
        let Some(mut top) = filled.0.iter().position(|row| *row != 0) else {
            return filled;
        };
        // Up and down in turn over the rows that have something and the two beside them; most parts are small.
        let mut bottom = filled.0.iter().rposition(|row| *row != 0).unwrap_or(top);
        loop {
            let (first, last) = (top.saturating_sub(1), (bottom + 1).min(ROWS - 1));
            let down = (first..=last).fold(0, |new, row| new | filled.fill_row(row, within));
            if down == 0 {
                return filled;
            }
            let up = (first..=last)
                .rev()
                .fold(0, |new, row| new | filled.fill_row(row, within));
            let (above, below) = (
                first < top && filled.0[first] != 0,
                last > bottom && filled.0[last] != 0,
            );
            if up == 0 && !above && !below {
                return filled;
            }
            top -= usize::from(above);
            bottom += usize::from(below);
        }
    }

    /// Adds to a row what can be reached in it at once from it and from the rows beside it. Gives what is new.
    #[inline]
    fn fill_row(&mut self, row: usize, within: &Self) -> u64 {
        let (before, within) = (self.0[row], within.0[row]);
        let above = if row > 0 { self.0[row - 1] } else { 0 };
        let below = self.0.get(row + 1).copied().unwrap_or(0);
        let left = before >> 1 & within;
        let near = left | left >> 1 & within | (before | above | below) & within;
        // A carry runs to the end of a row of ones.
        let after = near | within & !(within + near);
        self.0[row] = after;
        before ^ after
    }

    /// Its connected parts, in the order of their first points.
    #[inline]
    pub(super) fn parts(self) -> impl Iterator<Item = Self> {
        let mut left = self;
        std::iter::from_fn(move || {
            let part = left.part_with(left.first()?);
            left = left - part;
            Some(part)
        })
    }

    /// Its points in the order of the board.
    #[inline]
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        (0..).zip(&self.0).flat_map(|(row, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let column = u8::try_from(left.trailing_zeros()).ok().filter(|_| left != 0)?;
                left &= left - 1;
                Some(Point { column, row })
            })
        })
    }

    /// Its rows: a bit for each column.
    #[inline]
    pub(super) fn rows(&self) -> &[u64; ROWS] {
        &self.0
    }
}

impl<const ROWS: usize> BitAnd for Bits<ROWS> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        for (row, other) in self.0.iter_mut().zip(other.0) {
            *row &= other;
        }
        self
    }
}

impl<const ROWS: usize> BitOr for Bits<ROWS> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        for (row, other) in self.0.iter_mut().zip(other.0) {
            *row |= other;
        }
        self
    }
}

impl<const ROWS: usize> Sub for Bits<ROWS> {
    type Output = Self;

    /// Without the points of another.
    #[inline]
    fn sub(mut self, other: Self) -> Self {
        for (row, other) in self.0.iter_mut().zip(other.0) {
            *row &= !other;
        }
        self
    }
}
