//! A position as plain points, and its division into connected parts.

use std::cell::OnceCell;

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
        let mut marked = vec![false; self.points.len()];
        if points.is_empty() {
            return marked;
        }
        let chains = Parts::of_equal(self.size, &self.points);
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
    size: Size,
    of: Vec<usize>,
    members: Vec<usize>,
    /// Where the members of each part begin, and the end of the last.
    starts: Vec<usize>,
    /// What lies around each part, and where that begins; found when it is asked for.
    around: OnceCell<(Vec<usize>, Vec<usize>)>,
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

        Self {
            size,
            of,
            members,
            starts,
            around: OnceCell::new(),
        }
    }

    /// The parts beside each part, and where those of each begin.
    fn find_around(&self) -> (Vec<usize>, Vec<usize>) {
        // Room for every border there can be, so that a border is written first and kept when it is new: which
        // ones are new no processor can guess.
        let mut around = vec![0; 4 * self.of.len()];
        let mut starts = Vec::with_capacity(self.starts.len());
        starts.push(0);
        let mut end = 0;
        // The part that has seen a part last.
        let mut seen_by = vec![usize::MAX; self.count()];
        for part in 0..self.count() {
            let begin = end;
            seen_by[part] = part;
            for &place in self.members(part) {
                for near in neighbours(self.size, place) {
                    let other = self.of[near];
                    around[end] = other;
                    end += usize::from(std::mem::replace(&mut seen_by[other], part) != part);
                }
            }
            around[begin..end].sort_unstable();
            starts.push(end);
        }
        (around, starts)
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
        let (around, starts) = self.around.get_or_init(|| self.find_around());
        &around[starts[part]..starts[part + 1]]
    }
}

/// The part of each place, and how many there are.
fn numbered<K: PartialEq>(size: Size, keys: &[K]) -> (Vec<usize>, usize) {
    const NONE: usize = usize::MAX;
    let columns = usize::from(size.columns());
    // A place takes the label of the one to the left or above, else a new one. Two labels that meet are one part:
    // the later leads to the earlier, and one that leads to itself is the first of its part.
    let mut labels: Vec<usize> = Vec::with_capacity(keys.len());
    let mut lead: Vec<usize> = Vec::with_capacity(keys.len() / 2);
    let mut column = 0;
    for (place, key) in keys.iter().enumerate() {
        let like = |near: Option<usize>| match near {
            Some(near) if keys[near] == *key => labels[near],
            _ => NONE,
        };
        let left = like(place.checked_sub(1).filter(|_| column > 0));
        let above = like(place.checked_sub(columns));
        let mut label = left.min(above);
        if label == NONE {
            label = lead.len();
            lead.push(label);
        } else if left != above && left.max(above) != NONE {
            let (one, other) = (first(&mut lead, left), first(&mut lead, above));
            lead[one.max(other)] = one.min(other);
        }
        labels.push(label);
        column = if column + 1 == columns { 0 } else { column + 1 };
    }
    let mut count = 0;
    // What leads to an earlier label finds that one's number already.
    for label in 0..lead.len() {
        if lead[label] == label {
            lead[label] = count;
            count += 1;
        } else {
            lead[label] = lead[lead[label]];
        }
    }
    for label in &mut labels {
        *label = lead[*label];
    }
    (labels, count)
}

/// Where a label leads to in the end.
fn first(lead: &mut [usize], mut label: usize) -> usize {
    while lead[label] != label {
        lead[label] = lead[lead[label]];
        label = lead[label];
    }
    label
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
