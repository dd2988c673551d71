//! Which groups live by themselves, and which only in seki (双活).

use super::Unfilled;
use super::ground::{Ground, first, neighbours};
use super::scene::Living;
use crate::point::{Colour, Sides};

/// A region that can be an eye.
pub(super) struct Eye {
    /// The chains around it.
    pub around: Vec<usize>,
    /// For which of them it is an eye.
    pub chains: Vec<usize>,
    /// How many eyes it is worth.
    pub worth: u8,
}

/// The chains that have two eyes each, when an eye only counts as long as every chain around it has two
/// (after Benson, *Life in the game of Go*, 1976). `chains` says which numbers are chains at all.
pub(super) fn two_eyed(mut chains: Vec<bool>, eyes: &[Eye]) -> Vec<bool> {
    let mut open = vec![true; eyes.len()];
    let mut worth = vec![0_u32; chains.len()];
    loop {
        worth.fill(0);
        for (eye, _) in eyes.iter().zip(&open).filter(|(_, open)| **open) {
            for &chain in &eye.chains {
                worth[chain] += u32::from(eye.worth);
            }
        }
        let mut changed = false;
        for (chain, worth) in chains.iter_mut().zip(&worth) {
            if *chain && *worth < 2 {
                *chain = false;
                changed = true;
            }
        }
        if !changed {
            return chains;
        }
        for (eye, open) in eyes.iter().zip(&mut open) {
            *open &= eye.around.iter().all(|&chain| chains[chain]);
        }
    }
}

/// The groups of a position without its dead stones. A group is what stones and the points that only they
/// surround join together.
pub(super) struct Groups {
    /// The group of a part, by the first of its parts.
    group: Vec<usize>,
    /// By the first part of a group.
    seki: Vec<bool>,
    alive: Sides<u32>,
}

impl Groups {
    pub(super) fn find(living: &Living<'_>, unfilled: Unfilled) -> Self {
        let parts = living.parts();
        let all = 0..parts.count();
        let surrounded: Vec<(usize, Colour)> = all
            .clone()
            .filter_map(|part| Some((part, living.surrounded_by(part)?)))
            .collect();
        let eyes: Vec<Eye> = surrounded
            .iter()
            .map(|&(part, _)| {
                let around = parts.around(part);
                Eye {
                    chains: around.clone(),
                    around,
                    worth: eyes_within(living.ground(), &parts.members(part).collect::<Vec<_>>()),
                }
            })
            .collect();
        let group = joined(parts.count(), surrounded.iter().map(|(part, _)| *part).zip(&eyes));
        let chains = all.clone().map(|part| living.side(part).is_some()).collect();
        let mut lives = vec![false; parts.count()];
        for (part, two_eyed) in two_eyed(chains, &eyes).into_iter().enumerate() {
            lives[group[part]] |= two_eyed;
        }

        // A shared point is part of a seki when neither side has a living group to fill it from. Where one
        // side has, it could have been filled: the stones beside it live although they do not look it.
        let mut seki = vec![false; parts.count()];
        for part in all.filter(|&part| living.is_shared(part)) {
            let mut held = parts.around(part);
            if unfilled == Unfilled::Harmless {
                held.retain(|&chain| !lives[group[chain]]);
                let of = |colour| held.iter().any(|&chain| living.side(chain) == Some(colour));
                if !(of(Colour::Black) && of(Colour::White)) {
                    held.clear();
                }
            }
            for chain in held {
                seki[group[chain]] = true;
            }
        }
        // Which groups pay for their eyes: all that have two, be one of them false. What has fewer lives by
        // being joined to another across shared points.
        let mut worth = vec![0_u32; parts.count()];
        let mut alive = Sides::default();
        for ((part, side), eye) in surrounded.into_iter().zip(&eyes) {
            let (of, before) = (group[part], worth[group[part]]);
            worth[of] += u32::from(eye.worth);
            if before < 2 && worth[of] >= 2 && !seki[of] {
                alive[side] += 1;
            }
        }
        Self { group, seki, alive }
    }

    /// Whether a part belongs to a group in seki.
    pub(super) fn in_seki(&self, part: usize) -> bool {
        self.seki[self.group[part]]
    }

    /// How many groups of each side have two eyes and are not in seki.
    pub(super) fn alive(&self) -> Sides<u32> {
        self.alive
    }
}

/// Joins the chains around each eye with it, and numbers what comes out by the first parts. Neighbouring
/// chains are of two sides, so nothing else joins any.
fn joined<'e>(parts: usize, eyes: impl Iterator<Item = (usize, &'e Eye)>) -> Vec<usize> {
    let mut lead: Vec<usize> = (0..parts).collect();
    for (part, eye) in eyes {
        for &chain in &eye.around {
            let (one, other) = (first(&mut lead, part), first(&mut lead, chain));
            lead[one.max(other)] = one.min(other);
        }
    }
    (0..parts).map(|part| first(&mut lead, part)).collect()
}

/// How many eyes a surrounded region is worth whoever moves first: two when it can always be divided, else
/// one. Three points can be spoiled by a stone in the middle, and so can the larger nakade shapes: square
/// and pyramid four, bulky and crossed five, rabbity six.
fn eyes_within(living: &Ground, region: &[usize]) -> u8 {
    /// How many neighbours within the shape each of its points has, in order; that tells these shapes
    /// from all others.
    const NAKADE: [&[usize]; 5] = [
        &[2, 2, 2, 2],
        &[1, 1, 1, 3],
        &[1, 2, 2, 2, 3],
        &[1, 1, 1, 1, 4],
        &[1, 1, 2, 2, 2, 4],
    ];
    match region.len() {
        0..=3 => 1,
        4..=6 => {
            let mut near: Vec<usize> = region
                .iter()
                .map(|&place| {
                    neighbours(living.size(), place)
                        .filter(|near| region.contains(near))
                        .count()
                })
                .collect();
            near.sort_unstable();
            if NAKADE.contains(&near.as_slice()) { 1 } else { 2 }
        }
        _ => 2,
    }
}
