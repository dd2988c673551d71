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

    /// A number for what each point holds; see [`bit`].
    pub(super) fn keys(&self) -> Vec<u8> {
        self.points.iter().map(|stone| bit(*stone)).collect()
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
    of: Vec<u16>,
    /// The first point of each part.
    first: Vec<u16>,
    /// The next point of the same part.
    next: Vec<u16>,
}

/// No point, no label.
const NONE: u16 = u16::MAX;

impl Parts {
    /// Parts of points with equal `keys`.
    pub(super) fn of_equal(size: Size, keys: &[u8]) -> Self {
        let (of, count) = numbered(size, keys);
        let mut first = vec![NONE; count];
        let mut next = vec![NONE; of.len()];
        for (place, (part, next)) in (0..size.points()).zip(of.iter().zip(&mut next)).rev() {
            *next = std::mem::replace(&mut first[usize::from(*part)], place);
        }
        Self {
            size,
            of,
            first,
            next,
        }
    }

    /// The part that a point belongs to.
    pub(super) fn of(&self, place: usize) -> usize {
        usize::from(self.of[place])
    }

    pub(super) fn count(&self) -> usize {
        self.first.len()
    }

    /// The first point of a part.
    pub(super) fn first(&self, part: usize) -> usize {
        usize::from(self.first[part])
    }

    /// The points of a part in the order of the board; at least one.
    pub(super) fn members(&self, part: usize) -> impl Iterator<Item = usize> + Clone {
        let next =
            |place: &usize| Some(usize::from(self.next[*place])).filter(|next| *next < self.next.len());
        std::iter::successors(Some(self.first(part)), next)
    }

    /// The parts beside a part, each once, in order.
    pub(super) fn around(&self, part: usize) -> Vec<usize> {
        let near = self.members(part).flat_map(|place| neighbours(self.size, place));
        let mut around: Vec<usize> = near
            .map(|near| self.of(near))
            .filter(|other| *other != part)
            .collect();
        around.sort_unstable();
        around.dedup();
        around
    }
}

/// What the four neighbours of each point hold, one bit for each side: 1 a black stone, 2 a white one.
pub(super) fn touched(ground: &Ground) -> Vec<u8> {
    let columns = usize::from(ground.size.columns());
    let stones = ground.keys();
    let mut touched = vec![0; stones.len()];
    let add = |to: &mut [u8], from: &[u8]| {
        for (to, from) in to.iter_mut().zip(from) {
            *to |= from;
        }
    };
    add(&mut touched, &stones[columns..]);
    add(&mut touched[columns..], &stones);
    for (touched, stones) in touched
        .chunks_exact_mut(columns)
        .zip(stones.chunks_exact(columns))
    {
        add(touched, &stones[1..]);
        add(&mut touched[1..], stones);
    }
    touched
}

/// The bit of a side among what a point touches.
pub(super) fn bit(stone: Option<Colour>) -> u8 {
    match stone {
        None => 0,
        Some(Colour::Black) => 1,
        Some(Colour::White) => 2,
    }
}

/// The part of each place, and how many there are.
fn numbered(size: Size, keys: &[u8]) -> (Vec<u16>, usize) {
    let columns = usize::from(size.columns());
    let (mut like_left, mut like_above) = (vec![false; keys.len()], vec![false; keys.len()]);
    for (like, row) in like_left.chunks_mut(columns).zip(keys.chunks(columns)) {
        note_equal(&mut like[1..], &row[1..], row);
    }
    note_equal(&mut like_above[columns..], &keys[columns..], keys);

    // A place takes the label of the one to the left or above, else a new one. Two labels that meet are one part:
    // the later leads to the earlier, and one that leads to itself is the first of its part. No processor can
    // foresee what is alike, so there is but one branch, for labels that meet.
    let mut labels = vec![NONE; keys.len() + columns];
    let mut lead = vec![0; keys.len() + 1];
    let mut new: u16 = 0;
    let mut left = NONE;
    for place in 0..keys.len() {
        let (like_left, like_above) = (like_left[place], like_above[place]);
        let above = labels[place];
        let other = if like_above { above } else { new };
        let label = if like_left { left } else { other };
        lead[usize::from(new)] = new;
        new += u16::from(!(like_left | like_above));
        let both = like_left & like_above;
        if both && left != above {
            let (one, other) = (first(&mut lead, left), first(&mut lead, above));
            lead[usize::from(one.max(other))] = one.min(other);
        }
        labels[place + columns] = label;
        left = label;
    }
    let mut count = 0;
    // What leads to an earlier label finds that one's number already.
    for label in 0..new {
        let at = usize::from(label);
        if lead[at] == label {
            lead[at] = count;
            count += 1;
        } else {
            lead[at] = lead[usize::from(lead[at])];
        }
    }
    let of = labels[columns..].iter().map(|label| lead[usize::from(*label)]);
    (of.collect(), usize::from(count))
}

fn note_equal(equal: &mut [bool], one: &[u8], other: &[u8]) {
    for (equal, (one, other)) in equal.iter_mut().zip(one.iter().zip(other)) {
        *equal = one == other;
    }
}

/// Where a label leads to in the end.
pub(super) fn first<L: Copy + PartialEq + Into<usize>>(lead: &mut [L], mut label: L) -> L {
    loop {
        let next = lead[label.into()];
        if next == label {
            return label;
        }
        let after = lead[next.into()];
        lead[label.into()] = after;
        label = after;
    }
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
