//! A position that is asked several things, and what is left of it without its dead stones.

use super::ground::{Ground, Parts, bit, touched};
use crate::point::{Colour, Point, Size};

/// A position with its chains (块).
pub(crate) struct Scene {
    pub(super) ground: Ground,
    /// Its chains, and the connected empty points.
    pub(super) chains: Parts,
}

/// A position without its dead stones.
pub(crate) struct Living<'s> {
    pub(super) scene: &'s Scene,
    /// Which stones are dead.
    pub(super) gone: Vec<bool>,
    /// What is left and its parts; those of the scene when nothing is dead.
    rest: Option<(Ground, Parts)>,
    /// What each point touches, in bits.
    touched: Vec<u8>,
    /// What the points of each empty part touch, in bits.
    borders: Vec<u8>,
}

impl Scene {
    /// `position` is row by row from the top left; what it lacks is empty.
    pub(crate) fn new(size: Size, position: &[Option<Colour>]) -> Self {
        let ground = Ground::new(size, position);
        Self {
            chains: Parts::of_equal(size, &ground.keys()),
            ground,
        }
    }

    /// The first stone of each chain that has no liberty.
    pub(crate) fn without_liberty(&self) -> impl Iterator<Item = Point> {
        let stone = |part: &usize| self.ground.at(self.chains.first(*part)).is_some();
        let choked = |part: &usize| {
            let mut around = self.chains.around(*part).into_iter();
            around.all(|near| self.ground.at(self.chains.first(near)).is_some())
        };
        let chains = (0..self.chains.count()).filter(stone).filter(choked);
        chains.map(|part| self.ground.point(self.chains.first(part)))
    }

    /// What is left without the chains that have a stone on one of `dead`.
    pub(crate) fn without_chains_at(&self, dead: &[Point]) -> Living<'_> {
        let mut gone = vec![false; self.ground.points().len()];
        for place in dead.iter().filter_map(|point| self.ground.place(*point)) {
            if self.ground.at(place).is_some() && !gone[place] {
                for member in self.chains.members(self.chains.of(place)) {
                    gone[member] = true;
                }
            }
        }
        self.without(gone)
    }

    /// What is left without the stones on the marked points, which are whole chains.
    pub(super) fn without(&self, gone: Vec<bool>) -> Living<'_> {
        let rest = gone.contains(&true).then(|| {
            let ground = self.ground.without(&gone);
            let parts = Parts::of_equal(ground.size(), &ground.keys());
            (ground, parts)
        });
        let (ground, parts) = rest
            .as_ref()
            .map_or((&self.ground, &self.chains), |(g, p)| (g, p));
        let touched = touched(ground);
        let mut borders = vec![0; parts.count()];
        for (place, stone) in ground.points().iter().enumerate() {
            if stone.is_none() {
                borders[parts.of(place)] |= touched[place];
            }
        }
        Living {
            scene: self,
            gone,
            rest,
            touched,
            borders,
        }
    }
}

impl Living<'_> {
    /// The dead stones, in the order of the board.
    pub(crate) fn dead(&self) -> impl Iterator<Item = Point> {
        let gone = self.gone.iter().enumerate().filter(|(_, gone)| **gone);
        gone.map(|(place, _)| self.scene.ground.point(place))
    }

    pub(super) fn ground(&self) -> &Ground {
        self.rest
            .as_ref()
            .map_or(&self.scene.ground, |(ground, _)| ground)
    }

    /// The living chains, and the connected points without any.
    pub(super) fn parts(&self) -> &Parts {
        self.rest.as_ref().map_or(&self.scene.chains, |(_, parts)| parts)
    }

    /// Whose chain a part is.
    pub(super) fn side(&self, part: usize) -> Option<Colour> {
        self.ground().at(self.parts().first(part))
    }

    /// Who alone surrounds a part of empty points.
    pub(super) fn surrounded_by(&self, part: usize) -> Option<Colour> {
        let sides = [Colour::Black, Colour::White];
        sides
            .into_iter()
            .find(|side| self.borders[part] == bit(Some(*side)))
    }

    /// Whether a part of empty points borders on living stones of a side.
    pub(super) fn borders(&self, part: usize, side: Colour) -> bool {
        self.borders[part] & bit(Some(side)) != 0
    }

    /// Whether a part of empty points is surrounded by nobody.
    pub(super) fn is_shared(&self, part: usize) -> bool {
        self.surrounded_by(part).is_none() && self.side(part).is_none()
    }

    /// Whether no living stone stands beside a point.
    pub(super) fn touches_none(&self, place: usize) -> bool {
        self.touched[place] == 0
    }
}
