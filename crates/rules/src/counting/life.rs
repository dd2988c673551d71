//! Which groups live by themselves, and which only in seki (双活).

use super::Unfilled;
use super::ground::{Ground, Parts, neighbours};
use crate::point::{Colour, Sides};

/// A region that can be an eye.
pub(super) struct Eye {
    /// The chains around it.
    pub around: Vec<usize>,
    /// For which of them it is an eye, and how many eyes it is worth.
    pub eye_of: Vec<(usize, u8)>,
}

/// The chains that have two eyes each, when an eye only counts as long as every chain around it has two
/// (after Benson, *Life in the game of Go*, 1976). `chains` says which numbers are chains at all.
pub(super) fn two_eyed(mut chains: Vec<bool>, eyes: &[Eye]) -> Vec<bool> {
    let mut open = vec![true; eyes.len()];
    loop {
        let mut worth = vec![0_u32; chains.len()];
        for (eye, _) in eyes.iter().zip(&open).filter(|(_, open)| **open) {
            for &(chain, eyes) in &eye.eye_of {
                worth[chain] += u32::from(eyes);
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
    /// Who surrounds a part of empty points.
    surrounded_by: Vec<Option<Colour>>,
    /// The group of a part, by the first of its parts.
    group: Vec<usize>,
    /// By the first part of a group.
    seki: Vec<bool>,
    alive: Sides<u32>,
}

impl Groups {
    pub(super) fn find(living: &Ground, parts: &Parts, unfilled: Unfilled) -> Self {
        let side = |part: usize| living.at(parts.members(part)[0]);
        let all = 0..parts.count();
        let surrounded_by: Vec<_> = all
            .clone()
            .map(|part| match (side(part), parts.around(part)) {
                (None, [first, rest @ ..]) => {
                    let first = side(*first);
                    rest.iter()
                        .all(|&other| side(other) == first)
                        .then_some(first)
                        .flatten()
                }
                _ => None,
            })
            .collect();

        let group = joined(parts, |part| side(part).or(surrounded_by[part]));
        let eyes: Vec<Eye> = all
            .clone()
            .filter(|&part| surrounded_by[part].is_some())
            .map(|part| {
                let worth = eyes_within(living, parts.members(part));
                Eye {
                    around: parts.around(part).to_vec(),
                    eye_of: parts.around(part).iter().map(|&chain| (chain, worth)).collect(),
                }
            })
            .collect();
        let two_eyed = two_eyed(all.clone().map(|part| side(part).is_some()).collect(), &eyes);

        let mut lives = vec![false; parts.count()];
        for part in all.clone().filter(|&part| two_eyed[part]) {
            lives[group[part]] = true;
        }

        // A shared point is part of a seki when neither side has a living group to fill it from. Where one
        // side has, it could have been filled: the stones beside it live although they do not look it.
        let mut seki = vec![false; parts.count()];
        for part in all
            .clone()
            .filter(|&part| side(part).is_none() && surrounded_by[part].is_none())
        {
            let chains = parts.around(part).iter().copied();
            let held: Vec<usize> = match unfilled {
                Unfilled::MakesSeki => chains.collect(),
                Unfilled::Harmless => {
                    let uneasy: Vec<usize> = chains.filter(|&chain| !lives[group[chain]]).collect();
                    let of = |colour| uneasy.iter().any(|&chain| side(chain) == Some(colour));
                    if of(Colour::Black) && of(Colour::White) {
                        uneasy
                    } else {
                        Vec::new()
                    }
                }
            };
            for chain in held {
                seki[group[chain]] = true;
            }
        }
        // Which groups pay for their eyes: all that have two, be one of them false. What has fewer lives by
        // being joined to another across shared points.
        let mut worth = vec![0_u32; parts.count()];
        let mut alive = Sides::default();
        for part in all {
            let Some(side) = surrounded_by[part] else { continue };
            let (of, before) = (group[part], worth[group[part]]);
            worth[of] += u32::from(eyes_within(living, parts.members(part)));
            if before < 2 && worth[of] >= 2 && !seki[of] {
                alive[side] += 1;
            }
        }
        Self {
            surrounded_by,
            group,
            seki,
            alive,
        }
    }

    /// Who alone surrounds a part of empty points.
    pub(super) fn surrounded_by(&self, part: usize) -> Option<Colour> {
        self.surrounded_by[part]
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

/// Joins neighbouring parts that belong to the same side, and numbers what comes out.
fn joined(parts: &Parts, side: impl Fn(usize) -> Option<Colour>) -> Vec<usize> {
    let mut group: Vec<Option<usize>> = vec![None; parts.count()];
    for start in 0..parts.count() {
        if group[start].is_some() {
            continue;
        }
        group[start] = Some(start);
        let Some(owner) = side(start) else { continue };
        let mut open = vec![start];
        while let Some(part) = open.pop() {
            for &near in parts.around(part) {
                if group[near].is_none() && side(near) == Some(owner) {
                    group[near] = Some(start);
                    open.push(near);
                }
            }
        }
    }
    group
        .into_iter()
        .enumerate()
        .map(|(part, group)| group.unwrap_or(part))
        .collect()
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
