//! Dead stones by the territory marks of a record.

use super::Unfilled;
use super::life::Groups;
use super::scene::{Living, Scene};
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
    let scene = Scene::new(size, position);
    let living = scene.without_marked(marks)?;
    Ok(living.dead().collect())
}

impl Scene {
    /// What is left without the stones that territory marks call dead.
    ///
    /// # Errors
    /// As [`dead_from_marks`].
    pub(crate) fn without_marked(&self, marks: &Sides<Vec<Point>>) -> Result<Living<'_>, MarksFault> {
        if marks.black.is_empty() && marks.white.is_empty() {
            return Err(MarksFault::None);
        }
        let (ground, chains) = (&self.ground, self.chains());
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

        let living = self.without(gone);
        living.agrees_with(&marked)?;
        Ok(living)
    }
}

impl Living<'_> {
    /// Whether marks on points without a stone of the record fit what the living stones surround.
    fn agrees_with(&self, marked: &[Option<Colour>]) -> Result<(), MarksFault> {
        let (ground, parts) = (&self.scene.ground, self.parts());
        let says = |place: usize| match ground.at(place) {
            Some(stone) if self.is_gone(place) => Some(stone.other()),
            Some(_) => None,
            None => marked[place],
        };
        for place in 0..marked.len() {
            let Some(side) = says(place) else { continue };
            if self.borders(parts.of(place), side.other()) {
                return Err(MarksFault::NotSurrounded(ground.point(place)));
            }
        }
        let mut unmarked = (0..marked.len())
            .filter(|&place| self.surrounded_by(parts.of(place)).is_some() && says(place).is_none());
        // Only a point without a mark asks which groups live.
        if let Some(first) = unmarked.next() {
            let groups = Groups::find(self, Unfilled::Harmless);
            let open = |place: &usize| !groups.in_seki(parts.of(*place));
            if let Some(place) = std::iter::once(first).chain(unmarked).find(open) {
                return Err(MarksFault::NotMarked(ground.point(place)));
            }
        }
        Ok(())
    }
}
