//! A position as plain points, and its division into connected parts.

use crate::point::{Colour, Point, Size};

/// A position, row by row.
#[derive(Clone)]
pub(super) struct Ground {
    size: Size,
    points: Vec<Option<Colour>>,
}

impl Ground {
    /// What `position` lacks is empty; what it has too much is left out.
    pub(super) fn new(size: Size, position: &[Option<Colour>]) -> Self {
        let mut points = position.to_vec();
        points.resize(usize::from(size.points()), None);
        Self { size, points }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn points(&self) -> &[Option<Colour>] {
        &self.points
    }

    pub(super) fn at(&self, place: usize) -> Option<Colour> {
        self.points[place]
    }

    /// The place of a point, when it is on the board.
    pub(super) fn place(&self, point: Point) -> Option<usize> {
        self.size.holds(point).then(|| place_of(self.size, point))
    }

    pub(super) fn point(&self, place: usize) -> Point {
        point_of(self.size, place)
    }

    /// Which points belong to the chains that have a stone on one of `points`.
    pub(super) fn chains_at(&self, points: &[Point]) -> Vec<bool> {
        let chains = Parts::of_equal(self.size, &self.points);
        let mut marked = vec![false; self.points.len()];
        for place in points.iter().filter_map(|point| self.place(*point)) {
            if self.points[place].is_some() && !marked[place] {
                for &member in chains.members(chains.of(place)) {
                    marked[member] = true;
                }
            }
        }
        marked
    }

    /// The position without the stones on the marked points.
    pub(super) fn without(&self, gone: &[bool]) -> Self {
        let keep = |(stone, gone): (&Option<Colour>, &bool)| if *gone { None } else { *stone };
        Self {
            size: self.size,
            points: self.points.iter().zip(gone).map(keep).collect(),
        }
    }
}

/// The largest connected parts of a board whose points are alike.
pub(super) struct Parts {
    of: Vec<usize>,
    members: Vec<Vec<usize>>,
    around: Vec<Vec<usize>>,
}

impl Parts {
    /// Parts of points with equal `keys`.
    pub(super) fn of_equal<K: PartialEq>(size: Size, keys: &[K]) -> Self {
        const NONE: usize = usize::MAX;
        let mut of = vec![NONE; keys.len()];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for start in 0..keys.len() {
            if of[start] != NONE {
                continue;
            }
            let part = members.len();
            of[start] = part;
            let mut found = vec![start];
            let mut next = 0;
            while let Some(&place) = found.get(next) {
                next += 1;
                for near in neighbours(size, place) {
                    if of[near] == NONE && keys[near] == keys[start] {
                        of[near] = part;
                        found.push(near);
                    }
                }
            }
            found.sort_unstable();
            members.push(found);
        }
        let mut around = vec![Vec::new(); members.len()];
        for (part, members) in members.iter().enumerate() {
            let near: &mut Vec<usize> = &mut around[part];
            near.extend(
                members
                    .iter()
                    .flat_map(|&place| neighbours(size, place))
                    .map(|place| of[place])
                    .filter(|&other| other != part),
            );
            near.sort_unstable();
            near.dedup();
        }
        Self { of, members, around }
    }

    /// The part that a point belongs to.
    pub(super) fn of(&self, place: usize) -> usize {
        self.of[place]
    }

    pub(super) fn count(&self) -> usize {
        self.members.len()
    }

    /// The points of a part in the order of the board; at least one.
    pub(super) fn members(&self, part: usize) -> &[usize] {
        &self.members[part]
    }

    /// The parts beside a part, each once.
    pub(super) fn around(&self, part: usize) -> &[usize] {
        &self.around[part]
    }
}

/// The places beside a place.
pub(super) fn neighbours(size: Size, place: usize) -> impl Iterator<Item = usize> {
    point_of(size, place)
        .neighbours(size)
        .map(move |point| place_of(size, point))
}

fn place_of(size: Size, point: Point) -> usize {
    usize::from(point.row) * usize::from(size.columns()) + usize::from(point.column)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a place on a board has a row and a column below 52"
)]
fn point_of(size: Size, place: usize) -> Point {
    let columns = usize::from(size.columns());
    Point {
        column: (place % columns) as u8,
        row: (place / columns) as u8,
    }
}
