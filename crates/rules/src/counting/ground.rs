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

/// The largest connected parts of a board whose points are alike, numbered by their first points. All lists lie in
/// a few flat ones: counting makes several divisions of a board, and parts are many and small.
pub(super) struct Parts {
    of: Vec<usize>,
    members: Vec<usize>,
    /// Where the members of each part begin, and the end of the last.
    starts: Vec<usize>,
    around: Vec<usize>,
    /// The same of what is around.
    around_starts: Vec<usize>,
}

impl Parts {
    /// Parts of points with equal `keys`.
    pub(super) fn of_equal<K: PartialEq>(size: Size, keys: &[K]) -> Self {
        let (of, count) = numbered(size, keys);
        let mut starts = vec![0; count + 1];
        for &part in &of {
            starts[part + 1] += 1;
        }
        for part in 0..count {
            starts[part + 1] += starts[part];
        }
        let mut members = vec![0; of.len()];
        let mut next = starts.clone();
        for (place, &part) in of.iter().enumerate() {
            members[next[part]] = place;
            next[part] += 1;
        }

        let mut around = Vec::with_capacity(4 * count);
        let mut around_starts = Vec::with_capacity(count + 1);
        around_starts.push(0);
        // The part that has seen a part last.
        let mut seen_by = vec![usize::MAX; count];
        for part in 0..count {
            let begin = around.len();
            seen_by[part] = part;
            for &place in &members[starts[part]..starts[part + 1]] {
                for near in neighbours(size, place) {
                    let other = of[near];
                    if std::mem::replace(&mut seen_by[other], part) != part {
                        around.push(other);
                    }
                }
            }
            around[begin..].sort_unstable();
            around_starts.push(around.len());
        }
        Self {
            of,
            members,
            starts,
            around,
            around_starts,
        }
    }

    /// The part that a point belongs to.
    pub(super) fn of(&self, place: usize) -> usize {
        self.of[place]
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The points of a part in the order of the board; at least one.
    pub(super) fn members(&self, part: usize) -> &[usize] {
        &self.members[self.starts[part]..self.starts[part + 1]]
    }

    /// The parts beside a part, each once, in order.
    pub(super) fn around(&self, part: usize) -> &[usize] {
        &self.around[self.around_starts[part]..self.around_starts[part + 1]]
    }
}

/// The part of each place, and how many there are.
fn numbered<K: PartialEq>(size: Size, keys: &[K]) -> (Vec<usize>, usize) {
    let columns = usize::from(size.columns());
    // Each place leads to an earlier one of its part, or to itself when it is the first.
    let mut lead: Vec<usize> = Vec::with_capacity(keys.len());
    let first = |lead: &mut Vec<usize>, mut place: usize| {
        while lead[place] != place {
            lead[place] = lead[lead[place]];
            place = lead[place];
        }
        place
    };
    let mut column = 0;
    for place in 0..keys.len() {
        let left = (column > 0 && keys[place - 1] == keys[place]).then(|| first(&mut lead, place - 1));
        let above = place
            .checked_sub(columns)
            .filter(|above| keys[*above] == keys[place]);
        let above = above.map(|above| first(&mut lead, above));
        let to = match (left, above) {
            (Some(left), Some(above)) => {
                let to = left.min(above);
                lead[left.max(above)] = to;
                to
            }
            (one, other) => one.or(other).unwrap_or(place),
        };
        lead.push(to);
        column += 1;
        if column == columns {
            column = 0;
        }
    }
    let mut count = 0;
    // What leads to an earlier place finds that one's number already.
    for place in 0..lead.len() {
        lead[place] = if lead[place] == place {
            count += 1;
            count - 1
        } else {
            lead[lead[place]]
        };
    }
    (lead, count)
}

/// The places beside a place: above, below, left and right.
pub(super) fn neighbours(size: Size, place: usize) -> impl Iterator<Item = usize> {
    let columns = u32::from(size.columns());
    let points = u32::from(size.points());
    let place = u32::try_from(place).unwrap_or(u32::MAX);
    let column = place % columns;
    let none = u32::MAX;
    [
        place.wrapping_sub(columns),
        place.wrapping_add(columns),
        if column > 0 { place - 1 } else { none },
        if column + 1 < columns { place + 1 } else { none },
    ]
    .into_iter()
    .filter(move |near| *near < points)
    .map(|near| near as usize)
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
