//! A cautious proposal for dead stones: only what no play can change.

use super::ground::{Ground, Parts, neighbours};
use super::life::{Eye, two_eyed};
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
    let ground = Ground::new(size, position);
    let mut dead = vec![false; ground.points().len()];
    let mut safe = dead.clone();
    for side in [Colour::Black, Colour::White] {
        let lives = unconditionally_alive(&ground, side, suicide);
        // The whole board without a safe chain is enclosed by nobody.
        if !lives.contains(&true) {
            continue;
        }
        let enclosures = Parts::of_equal(size, &lives);
        for part in 0..enclosures.count() {
            let members = enclosures.members(part);
            let inside = !lives[members[0]];
            if inside && !too_small_for_two_eyes(size, members, &lives) {
                continue;
            }
            for &place in members {
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

/// The points of `side`'s chains that nothing can capture.
fn unconditionally_alive(ground: &Ground, side: Colour, suicide: Suicide) -> Vec<bool> {
    let own: Vec<bool> = ground.points().iter().map(|stone| *stone == Some(side)).collect();
    let parts = Parts::of_equal(ground.size(), &own);
    let is_chain = |part: usize| own[parts.members(part)[0]];
    // Opponents who may take their own stones off make room where they stand.
    let is_open = |place: &usize| suicide != Suicide::Forbidden || ground.at(*place).is_none();
    let touches =
        |chain: usize, place: usize| neighbours(ground.size(), place).any(|near| parts.of(near) == chain);
    let eyes: Vec<Eye> = (0..parts.count())
        .filter(|&part| !is_chain(part))
        .filter_map(|part| {
            let open = || parts.members(part).iter().copied().filter(is_open);
            open().next()?;
            let eye_of: Vec<(usize, u8)> = (parts.around(part).iter())
                .filter(|&&chain| open().all(|place| touches(chain, place)))
                .map(|&chain| (chain, 1))
                .collect();
            (!eye_of.is_empty()).then(|| Eye {
                around: parts.around(part).to_vec(),
                eye_of,
            })
        })
        .collect();
    if eyes.is_empty() {
        return vec![false; own.len()];
    }
    let alive = two_eyed((0..parts.count()).map(is_chain).collect(), &eyes);
    (0..own.len()).map(|place| alive[parts.of(place)]).collect()
}

/// Whether what safe chains enclose has no two points, apart from one another, that touch none of them.
fn too_small_for_two_eyes(size: Size, enclosure: &[usize], lives: &[bool]) -> bool {
    let inner: Vec<usize> = enclosure
        .iter()
        .copied()
        .filter(|&place| !neighbours(size, place).any(|near| lives[near]))
        .collect();
    match inner.as_slice() {
        [] | [_] => true,
        [first, second] => neighbours(size, *first).any(|near| near == *second),
        _ => false,
    }
}
