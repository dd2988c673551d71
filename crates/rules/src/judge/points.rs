//! Lists of points, as setup stones and territory marks are written.

use crate::point::{Point, Size};
use crate::sgf::{Property, Value};

/// A set of points of a board of up to 52 lines.
pub(super) struct PointSet {
    rows: [u64; Size::MOST as usize],
}

/// What is wrong with a list of points.
pub(super) enum Fault<'c> {
    /// A value that names no point.
    Unreadable(Value<'c>),
    /// A value that names a point outside the board.
    OffBoard(Value<'c>),
}

/// What a list of points holds.
pub(super) struct Listed<'c> {
    /// The points on the board.
    pub points: PointSet,
    /// The first fault.
    pub fault: Option<Fault<'c>>,
    /// The first value with commas in it.
    pub commas: Option<Value<'c>>,
}

impl PointSet {
    pub(super) fn new() -> Self {
        Self {
            rows: [0; Size::MOST as usize],
        }
    }

    /// Adds all points of another.
    pub(super) fn add_all(&mut self, other: &Self) {
        for (row, other) in self.rows.iter_mut().zip(other.rows) {
            *row |= other;
        }
    }

    /// Adds the points between two corners, whichever they are.
    fn add(&mut self, one: Point, other: Point) {
        let columns = one.column.min(other.column)..=one.column.max(other.column);
        let mask = columns.fold(0, |mask, column| mask | 1 << column);
        let rows = usize::from(one.row.min(other.row))..=usize::from(one.row.max(other.row));
        for row in self.rows.get_mut(rows).into_iter().flatten() {
            *row |= mask;
        }
    }

    /// The first point that both have.
    pub(super) fn common(&self, other: &Self) -> Option<Point> {
        let mut both = Self::new();
        for (row, (one, other)) in both.rows.iter_mut().zip(self.rows.iter().zip(other.rows)) {
            *row = one & other;
        }
        both.iter().next()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The points in the order of the board.
    pub(super) fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        (0..).zip(&self.rows).flat_map(|(row, mask)| {
            let mut left = *mask;
            std::iter::from_fn(move || {
                let column = u8::try_from(left.trailing_zeros()).ok().filter(|_| left != 0)?;
                left &= left - 1;
                Some(Point { column, row })
            })
        })
    }
}

/// Reads points (`aa`), rectangles (`aa:cc`) and lists with commas (`aa,bb`). A value without text, as in `AB[]`, is
/// no point and no fault.
pub(super) fn read(property: Property<'_>, size: Size) -> Listed<'_> {
    let mut listed = Listed {
        points: PointSet::new(),
        fault: None,
        commas: None,
    };
    for value in property.values() {
        let text = value.plain();
        if text.is_empty() {
            continue;
        }
        if text.contains(',') {
            listed.commas.get_or_insert(value);
        }
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (one, other) = part.split_once(':').unwrap_or((part, part));
            let fault = match Point::from_record(one).zip(Point::from_record(other)) {
                Some((one, other)) if size.holds(one) && size.holds(other) => {
                    listed.points.add(one, other);
                    continue;
                }
                Some(_) => Fault::OffBoard(value),
                None => Fault::Unreadable(value),
            };
            listed.fault.get_or_insert(fault);
        }
    }
    listed
}
