//! A cautious proposal for dead stones: only what no play can change.

use super::bits::{Bits, MOST, Stones, USUAL};
use super::ground::Ground;
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
    if usize::from(ground.size().rows()) <= USUAL {
        propose_with::<USUAL>(ground, suicide)
    } else {
        propose_with::<MOST>(ground, suicide)
    }
}

fn propose_with<const ROWS: usize>(ground: &Ground, suicide: Suicide) -> Proposal {
    let stones = Stones::<ROWS>::of(ground);
    let Stones { black, white, empty } = stones;
    let all = black | white | empty;
    let (mut dead, mut safe) = (Bits::NONE, Bits::NONE);
    for side in [Colour::Black, Colour::White] {
        let own = stones.side(side);
        // Opponents who may take their own stones off make room where they stand.
        let open = if suicide == Suicide::Forbidden {
            empty
        } else {
            all - own
        };
        let lives = unconditionally_alive(own, all - own, open);
        // The whole board without a safe chain is enclosed by nobody.
        if lives.is_empty() {
            continue;
        }
        let beside = lives.beside();
        safe = safe | lives;
        for enclosed in (all - lives).parts() {
            if too_small_for_two_eyes(enclosed - beside) {
                safe = safe | enclosed & own;
                dead = dead | enclosed & stones.side(side.other());
            }
        }
    }
    let unsettled = (black | white) - (dead | safe);
    Proposal {
        dead: dead.points().collect(),
        settled: unsettled.is_empty(),
        unsettled: unsettled.points().collect(),
    }
}

/// A chain, and the points beside it.
struct Chain<const ROWS: usize> {
    stones: Bits<ROWS>,
    beside: Bits<ROWS>,
}

/// Adds the numbers of the chains of some stones; of those that have none yet, they get the next.
fn add_chains<const ROWS: usize>(
    numbers: &mut Vec<usize>,
    mut stones: Bits<ROWS>,
    own: Bits<ROWS>,
    chains: &mut Vec<Chain<ROWS>>,
) {
    while let Some(stone) = stones.first() {
        let known = chains.iter().position(|chain| chain.stones.has(stone));
        let number = known.unwrap_or_else(|| {
            let stones = own.part_with(stone);
            let beside = stones.beside();
            chains.push(Chain { stones, beside });
            chains.len() - 1
        });
        numbers.push(number);
        stones = stones - chains[number].stones;
    }
}

/// The points of a side's chains that nothing can capture. `others` are the points without its stones, and
/// `open` those among them that an eye may have only beside its chain.
fn unconditionally_alive<const ROWS: usize>(
    own: Bits<ROWS>,
    others: Bits<ROWS>,
    open: Bits<ROWS>,
) -> Bits<ROWS> {
    // An eye of a chain is a region whose every open point touches it, so none of them touches nothing.
    let free = open - own.beside();
    let regions: Vec<Bits<ROWS>> = (others - free.fill(&others))
        .parts()
        .filter(|region| region.meets(&open))
        .collect();
    if regions.len() < 2 {
        return Bits::NONE;
    }
    let mut chains: Vec<Chain<ROWS>> = Vec::new();
    let mut eyes = Vec::new();
    for region in regions {
        let open = region & open;
        // Its chains touch the first point and all others.
        let mut first = Vec::with_capacity(4);
        add_chains(&mut first, open.beside_first() & own, own, &mut chains);
        first.retain(|chain| (open - chains[*chain].beside).is_empty());
        if !first.is_empty() {
            let mut around = Vec::with_capacity(8);
            add_chains(&mut around, region.beside() & own, own, &mut chains);
            eyes.push(Eye {
                around,
                chains: first,
                worth: 1,
            });
        }
    }
    if eyes.len() < 2 {
        return Bits::NONE;
    }
    let alive = two_eyed(vec![true; chains.len()], &eyes);
    let alive = chains.into_iter().zip(alive).filter(|(_, alive)| *alive);
    alive.fold(Bits::NONE, |all, (chain, _)| all | chain.stones)
}

/// Whether what safe chains enclose is too small: no two of its points that touch none of them lie apart.
fn too_small_for_two_eyes<const ROWS: usize>(inner: Bits<ROWS>) -> bool {
    match inner.count() {
        0 | 1 => true,
        2 => inner.meets(&inner.beside()),
        _ => false,
    }
}
