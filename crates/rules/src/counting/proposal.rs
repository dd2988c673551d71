//! A cautious proposal for dead stones: only what no play can change.

use super::ground::{Ground, Parts, neighbours};
use super::life::{Eye, two_eyed};
use super::scene::Scene;
use crate::point::{Colour, Point, Size};
use crate::rule_set::Suicide;

/// Which stones are dead for certain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// Stones that cannot live even when their opponent passes from now on.
    pub dead: Vec<Point>,
    /// Whether every stone is either dead or safe, so that the position counts without anybody's word.
    pub settled: bool,
    /// The stones of which nothing is certain.
    pub unsettled: Vec<Point>,
}

/// Proposes dead stones.
///
/// Safe are chains that live although their side passes for ever (Benson). Dead are stones in what safe
/// chains of the other side enclose, when two eyes do not fit in: an eye needs a point that touches none
/// of the enclosing chains, and the two points must not touch each other. All else is left open. Where
/// stones may be taken off by their own side, less is certain.
#[must_use]
pub fn propose(size: Size, position: &[Option<Colour>], suicide: Suicide) -> Proposal {
    propose_on(&Ground::new(size, position), suicide)
}

impl Scene {
    /// Proposes dead stones, as [`propose`] does.
    pub(crate) fn propose(&self, suicide: Suicide) -> Proposal {
        propose_on(&self.ground, suicide)
    }
}

fn propose_on(ground: &Ground, suicide: Suicide) -> Proposal {
    let size = ground.size();
    let mut dead = vec![false; ground.points().len()];
    let mut safe = dead.clone();
    for side in [Colour::Black, Colour::White] {
        let lives = unconditionally_alive(ground, side, suicide);
        // The whole board without a safe chain is enclosed by nobody.
        if !lives.contains(&true) {
            continue;
        }
        let enclosures = Parts::of_equal(size, &keys(&lives));
        for part in 0..enclosures.count() {
            let members = enclosures.members(part);
            let inside = !lives[enclosures.first(part)];
            if inside && !too_small_for_two_eyes(size, members.clone(), &lives) {
                continue;
            }
            for place in members {
                match ground.at(place) {
                    Some(stone) if stone == side => safe[place] = true,
                    Some(_) => dead[place] = true,
                    None => {}
                }
            }
        }
    }
    let points = |which: &dyn Fn(usize) -> bool| -> Vec<Point> {
        (0..ground.points().len())
            .filter(|&place| which(place))
            .map(|place| ground.point(place))
            .collect()
    };
    let unsettled = points(&|place| ground.at(place).is_some() && !dead[place] && !safe[place]);
    Proposal {
        dead: points(&|place| dead[place]),
        settled: unsettled.is_empty(),
        unsettled,
    }
}

fn keys(marked: &[bool]) -> Vec<u8> {
    marked.iter().map(|marked| u8::from(*marked)).collect()
}

/// The points of `side`'s chains that nothing can capture.
fn unconditionally_alive(ground: &Ground, side: Colour, suicide: Suicide) -> Vec<bool> {
    let own: Vec<bool> = ground.points().iter().map(|stone| *stone == Some(side)).collect();
    let parts = Parts::of_equal(ground.size(), &keys(&own));
    let is_chain = |part: usize| own[parts.first(part)];
    // Opponents who may take their own stones off make room where they stand.
    let is_open = |place: &usize| suicide != Suicide::Forbidden || ground.at(*place).is_none();
    let beside = |place: usize| {
        let near = neighbours(ground.size(), place).filter(|near| own[*near]);
        near.map(|near| parts.of(near))
    };
    // An eye of a chain is a region whose every open point touches it: one that touches the first and all others.
    let eye = |part: usize| {
        let mut open = parts.members(part).filter(is_open);
        let mut chains: Vec<usize> = beside(open.next()?).collect();
        chains.sort_unstable();
        chains.dedup();
        while !chains.is_empty() {
            let Some(place) = open.next() else {
                let around = parts.around(part);
                return Some(Eye {
                    around,
                    chains,
                    worth: 1,
                });
            };
            chains.retain(|chain| beside(place).any(|near| near == *chain));
        }
        None
    };
    let regions = (0..parts.count()).filter(|part| !is_chain(*part));
    let eyes: Vec<Eye> = regions.filter_map(eye).collect();
    if eyes.len() < 2 {
        return vec![false; own.len()];
    }
    let alive = two_eyed((0..parts.count()).map(is_chain).collect(), &eyes);
    (0..own.len()).map(|place| alive[parts.of(place)]).collect()
}

/// Whether what safe chains enclose has no two points, apart from one another, that touch none of them.
fn too_small_for_two_eyes(size: Size, enclosure: impl Iterator<Item = usize>, lives: &[bool]) -> bool {
    let mut inner = enclosure.filter(|&place| !neighbours(size, place).any(|near| lives[near]));
    match (inner.next(), inner.next(), inner.next()) {
        (Some(first), Some(second), None) => neighbours(size, first).any(|near| near == second),
        (.., more) => more.is_none(),
    }
}
