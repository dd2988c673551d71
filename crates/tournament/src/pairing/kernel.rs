//! A large field without most of its interchangeable players.
//!
//! In a large group nearly everybody is like many others: owed one colour, without earlier floats.
//! Such players are left out in numbers that can meet one another at no cost, the rest is searched,
//! and the dual values of those who stayed are lent to those like them. If these values fit every
//! pair that was left out, they prove the whole field; if not, fewer are left out.

use super::cost::Plan;
use super::field::Field;
use super::matching::Proof;
use super::wide::{Weight, Wide};

/// Players of one group who are alike and have been left out.
#[derive(Clone, Debug)]
pub(super) struct Alike {
    group: usize,
    /// The sign of the balance.
    owed: i32,
    /// Two of those like them who stayed, as players of the smaller field.
    like: [usize; 2],
    /// The fewest byes of those left out.
    byes: u32,
}

/// A field with fewer players.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub(super) field: Field,
    /// Its players as players of the whole field.
    pub(super) kept: Vec<usize>,
    pub(super) left_out: Vec<usize>,
    pub(super) alike: Vec<Alike>,
}

impl Kernel {
    /// Leaves out players in the middle of each group, so that at least `keep` (four or more) of
    /// every kind stay. `None` when that leaves nobody out.
    pub(super) fn of(field: &Field, keep: usize) -> Option<Self> {
        let mut out = vec![false; field.players.len()];
        let mut kinds = Vec::new();
        for (group, span) in field.groups.iter().enumerate() {
            let of_sign = |owed: i32| -> Vec<usize> {
                let plain = |player: &usize| {
                    let player = &field.players[*player];
                    player.balance == owed
                        && !(field.floats_counted && (player.floated_down || player.floated_up))
                };
                (span.start..span.end).filter(plain).collect()
            };
            let (black, even, white) = (of_sign(-1), of_sign(0), of_sign(1));
            let both = black.len().min(white.len()).saturating_sub(keep);
            let neither = even.len().saturating_sub(keep) / 2 * 2;
            for (owed, members, count) in [(-1, black, both), (0, even, neither), (1, white, both)] {
                if count > 0 {
                    // The last in list order float and have byes: most of those who stay are there.
                    let from = keep / 4;
                    let left = members[from..from + count].to_vec();
                    for player in &left {
                        out[*player] = true;
                    }
                    kinds.push((
                        group,
                        owed,
                        [members.len() - 1, members.len() - 2].map(|at| members[at]),
                        left,
                    ));
                }
            }
        }
        let (left_out, kept): (Vec<usize>, Vec<usize>) =
            (0..field.players.len()).partition(|player| out[*player]);
        if left_out.is_empty() {
            return None;
        }
        let mut place = vec![usize::MAX; field.players.len()];
        for (at, player) in kept.iter().enumerate() {
            place[*player] = at;
        }
        let alike = kinds
            .into_iter()
            .map(
                |(group, owed, like, left): (usize, i32, [usize; 2], Vec<usize>)| Alike {
                    group,
                    owed,
                    like: like.map(|player| place[player]),
                    byes: left
                        .iter()
                        .map(|player| field.players[*player].byes)
                        .min()
                        .unwrap_or(0),
                },
            )
            .collect();
        Some(Self {
            field: field.only(&kept),
            kept,
            left_out,
            alike,
        })
    }
}

/// Whether dual values for those left out fit every pair that they could be in.
///
/// Costs are taken without team mates and without P7, so they are not too high; a float or bye of
/// somebody left out costs more than that in P7, so none of them is in any best table's choice.
/// Those left out join the blossoms that hold the ones like them: they are an even number, so an
/// odd set stays odd.
pub(super) fn proves<const N: usize>(
    field: &Field,
    plan: &Plan,
    proof: &Proof<'_, Wide<N>>,
    alike: &[Alike],
) -> bool {
    let players = field.players.len();
    let vertex = |player: usize| u32::try_from(player).expect("fewer players than 2^32");
    let cost = |a: usize, b: usize| plan.pair_alone::<N>(field, a.min(b), a.max(b));
    let opposite: Vec<Option<usize>> = alike
        .iter()
        .map(|kind| {
            alike
                .iter()
                .position(|other| other.group == kind.group && other.owed == -kind.owed)
        })
        .collect();
    // The innermost blossom that holds those like this kind and those whom they meet at no cost.
    let blossom: Vec<Option<u32>> = alike
        .iter()
        .zip(&opposite)
        .map(|(kind, opposite)| {
            let partner = if kind.owed == 0 {
                kind.like[1]
            } else {
                alike[(*opposite)?].like[0]
            };
            proof.both(vertex(kind.like[0]), vertex(partner))
        })
        .collect();
    let shared = |one: Option<u32>, other: Option<u32>| {
        proof.around(one.zip(other).and_then(|(one, other)| proof.both(one, other)))
    };
    // For each kind, the highest dual value that no pair with somebody who stayed forbids.
    let highest: Vec<Wide<N>> = alike
        .iter()
        .zip(&blossom)
        .map(|(kind, blossom)| {
            let [one, other] = kind.like;
            let with = |x: usize| {
                cost(if x == one { other } else { one }, x) - proof.dual(x)
                    + shared(*blossom, Some(vertex(x)))
            };
            let bye = (players % 2 == 1).then(|| {
                plan.bye_alone::<N>(field, one, kind.byes) - proof.dual(players)
                    + shared(*blossom, Some(vertex(players)))
            });
            (0..players).map(with).chain(bye).min().expect("somebody stayed")
        })
        .collect();
    // Two who meet at no cost have dual values that make up what is around them.
    let mut dual = vec![Wide::<N>::ZERO; alike.len()];
    for (at, kind) in alike.iter().enumerate() {
        let both = proof.around(blossom[at]);
        match (kind.owed, opposite[at]) {
            (0, _) => dual[at] = both.half(),
            (-1, Some(opposite)) => {
                let least = both - highest[opposite];
                dual[at] = proof.dual(kind.like[0]).max(least).min(highest[at]);
                dual[opposite] = both - dual[at];
            }
            _ => {}
        }
    }
    let fits = |at: usize| dual[at] <= highest[at] && (alike[at].owed == 0 || opposite[at].is_some());
    let fit_each_other = |at: usize, other: usize| {
        let (a, b) = (alike[at].like[0], alike[other].like[usize::from(at == other)]);
        dual[at] + dual[other] <= cost(a, b) + shared(blossom[at], blossom[other])
    };
    (0..alike.len()).all(|at| fits(at) && (0..=at).all(|other| fit_each_other(at, other)))
}
