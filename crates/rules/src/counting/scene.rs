//! A position that is asked several things, and what is left of it without its dead stones.

use std::cell::OnceCell;

use super::ground::{Ground, Parts, bit, touched};
use crate::point::{Colour, Point, Size};

/// A position with its chains (块). Whoever asks for no chain does not wait for them.
pub(crate) struct Scene {
    pub(super) ground: Ground,
    chains: OnceCell<Parts>,
}

/// A position without its dead stones.
pub(crate) struct Living<'s> {
    pub(super) scene: &'s Scene,
    /// Which stones are dead, when any are, and what is left.
    gone: Option<(Vec<bool>, Ground)>,
    /// What is left in parts.
    divided: OnceCell<Divided>,
}

/// What is left in parts, and what lies beside them.
struct Divided {
    /// Nothing when they are those of the scene.
    parts: Option<Parts>,
    /// What each point touches, in bits.
    touched: Vec<u8>,
    /// What the points of each empty part touch, in bits.
    borders: Vec<u8>,
}

impl Scene {
    /// `position` is row by row from the top left; what it lacks is empty.
    pub(crate) fn new(size: Size, position: &[Option<Colour>]) -> Self {
        Self {
            ground: Ground::new(size, position),
            chains: OnceCell::new(),
        }
    }

    /// Its chains, and the connected empty points.
    pub(super) fn chains(&self) -> &Parts {
        self.chains
            .get_or_init(|| Parts::of_equal(self.ground.size(), &self.ground.keys()))
    }

    /// The first stone of each chain that has no liberty.
    pub(crate) fn without_liberty(&self) -> impl Iterator<Item = Point> {
        let chains = self.chains();
        let stone = move |part: &usize| self.ground.at(chains.first(*part)).is_some();
        let choked = move |part: &usize| {
            let mut around = chains.around(*part).into_iter();
            around.all(|near| self.ground.at(chains.first(near)).is_some())
        };
        let choked = (0..chains.count()).filter(stone).filter(choked);
        choked.map(|part| self.ground.point(chains.first(part)))
    }

    /// What is left without the chains that have a stone on one of `dead`.
    pub(crate) fn without_chains_at(&self, dead: &[Point]) -> Living<'_> {
        if dead.is_empty() {
            return self.without(Vec::new());
        }
        let mut gone = vec![false; self.ground.points().len()];
        for place in dead.iter().filter_map(|point| self.ground.place(*point)) {
            if self.ground.at(place).is_some() && !gone[place] {
                for member in self.chains().members(self.chains().of(place)) {
                    gone[member] = true;
                }
            }
        }
        self.without(gone)
    }

    /// What is left without the stones on the marked points, which are whole chains; no marks mark none.
    pub(super) fn without(&self, gone: Vec<bool>) -> Living<'_> {
        let gone = gone.contains(&true).then(|| {
            let ground = self.ground.without(&gone);
            (gone, ground)
        });
        Living {
            scene: self,
            gone,
            divided: OnceCell::new(),
        }
    }
}

impl Living<'_> {
    /// The dead stones, in the order of the board.
    pub(crate) fn dead(&self) -> impl Iterator<Item = Point> {
        let gone = self.gone.iter().flat_map(|(gone, _)| gone).enumerate();
        let gone = gone.filter(|(_, gone)| **gone);
        gone.map(|(place, _)| self.scene.ground.point(place))
    }

    /// Whether the stone on a place is dead.
    pub(super) fn is_gone(&self, place: usize) -> bool {
        self.gone.as_ref().is_some_and(|(gone, _)| gone[place])
    }

    pub(super) fn ground(&self) -> &Ground {
        self.gone
            .as_ref()
            .map_or(&self.scene.ground, |(_, ground)| ground)
    }

    /// The living chains, and the connected points without any.
    pub(super) fn parts(&self) -> &Parts {
        self.divided()
            .parts
            .as_ref()
            .unwrap_or_else(|| self.scene.chains())
    }

    fn divided(&self) -> &Divided {
        self.divided.get_or_init(|| {
            let own = self.gone.as_ref();
            let own = own.map(|(_, ground)| Parts::of_equal(ground.size(), &ground.keys()));
            let parts = own.as_ref().unwrap_or_else(|| self.scene.chains());
            let touched = touched(self.ground());
            let mut borders = vec![0; parts.count()];
            for (place, stone) in self.ground().points().iter().enumerate() {
                if stone.is_none() {
                    borders[parts.of(place)] |= touched[place];
                }
            }
            Divided {
                parts: own,
                touched,
                borders,
            }
        })
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
            .find(|side| self.divided().borders[part] == bit(Some(*side)))
    }

    /// Whether a part of empty points borders on living stones of a side.
    pub(super) fn borders(&self, part: usize, side: Colour) -> bool {
        self.divided().borders[part] & bit(Some(side)) != 0
    }

    /// Whether a part of empty points is surrounded by nobody.
    pub(super) fn is_shared(&self, part: usize) -> bool {
        self.surrounded_by(part).is_none() && self.side(part).is_none()
    }

    /// Whether no living stone stands beside a point.
    pub(super) fn touches_none(&self, place: usize) -> bool {
        self.divided().touched[place] == 0
    }
}
