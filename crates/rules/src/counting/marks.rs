//! Dead stones by the territory marks of a record.

use super::Unfilled;
use super::ground::{Ground, Parts};
use super::life::Groups;
use crate::point::{Colour, Point, Sides, Size};

/// Why territory marks (TB, TW) do not say which stones are dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarksFault {
    /// There are none.
    None,
    /// A point outside the board.
    OffBoard(Point),
    /// A point, or two points of one chain, marked for both sides.
    Both(Point),
    /// A point marked as a side's that living stones of the other side border on: a dead stone is not
    /// marked, or a border is open.
    NotSurrounded(Point),
    /// A point that one side surrounds, and not in seki, without a mark: by the marks it does not count,
    /// and what else they leave out is not known.
    NotMarked(Point),
}

/// Dead stones from territory marks: the chains with a stone under a mark of the other side. A mark under a
/// stone of its own side says that it lives.
///
/// # Errors
/// When there are no marks, and when they contradict one another or the position.
pub fn dead_from_marks(
    size: Size,
    position: &[Option<Colour>],
    marks: &Sides<Vec<Point>>,
) -> Result<Vec<Point>, MarksFault> {
    if marks.black.is_empty() && marks.white.is_empty() {
        return Err(MarksFault::None);
    }
    let ground = Ground::new(size, position);
    let chains = Parts::of_equal(size, ground.points());
    let mut marked: Vec<Option<Colour>> = vec![None; ground.points().len()];
    let mut chain_marked: Vec<Option<Colour>> = vec![None; chains.count()];
    for side in [Colour::Black, Colour::White] {
        for &point in &marks[side] {
            let place = ground.place(point).ok_or(MarksFault::OffBoard(point))?;
            let before = if ground.at(place).is_some() {
                &mut chain_marked[chains.of(place)]
            } else {
                &mut marked[place]
            };
            if before.replace(side) == Some(side.other()) {
                return Err(MarksFault::Both(point));
            }
        }
    }
    let gone: Vec<bool> = (0..marked.len())
        .map(|place| {
            ground
                .at(place)
                .is_some_and(|stone| chain_marked[chains.of(place)] == Some(stone.other()))
        })
        .collect();

    let living = ground.without(&gone);
    let parts = Parts::of_equal(size, living.points());
    let says = |place: usize| match ground.at(place) {
        Some(stone) if gone[place] => Some(stone.other()),
        Some(_) => None,
        None => marked[place],
    };
    for place in 0..marked.len() {
        let Some(side) = says(place) else { continue };
        let other = Some(side.other());
        if parts
            .around(parts.of(place))
            .iter()
            .any(|&part| living.at(parts.members(part)[0]) == other)
        {
            return Err(MarksFault::NotSurrounded(ground.point(place)));
        }
    }
    let groups = Groups::find(&living, &parts, Unfilled::Harmless);
    for place in 0..marked.len() {
        let part = parts.of(place);
        if groups.surrounded_by(part).is_some() && !groups.in_seki(part) && says(place).is_none() {
            return Err(MarksFault::NotMarked(ground.point(place)));
        }
    }
    Ok((0..gone.len())
        .filter(|&place| gone[place])
        .map(|place| ground.point(place))
        .collect())
}
