//! What kind of cycle brought a position back.

use super::history::History;
use crate::board::Board;
use crate::finding::RepetitionKind;
use crate::point::Colour;

/// Longer cycles than this have no name.
const LONGEST: usize = 32;

/// One stone of a cycle.
struct Turn<'h> {
    side: Colour,
    cell: u16,
    taken: &'h [u16],
}

/// The two points of a ko, the lower first.
type Ko = [u16; 2];

/// The kind of the cycle that leads from the position at one time to the same position at a later one,
/// nothing being set up in between. By the stones alone; passes in the cycle change nothing, but that a ko
/// is not retaken at once then.
///
/// Whatever is played in a cycle is taken in it, so a threat that is answered on the board shows as a
/// capture too.
///
/// - Every stone takes one: kos taken in turn. How many there are says which; of three, see [`three`].
/// - One stone takes nothing, one takes two, one takes one: two are sent and one comes back.
/// - Four stones, of which two take nothing and one of each side takes two: eternal life.
/// - Twice that, in two places that are fought in turn, or a ko and more than one stone taken at once:
///   round robin.
pub(super) fn kind(history: &History, from: usize, to: usize, board: &Board) -> RepetitionKind {
    if to - from > LONGEST {
        return RepetitionKind::Other;
    }
    let turns: Vec<Turn<'_>> = (from + 1..=to)
        .filter_map(|time| {
            let (cell, taken) = history.stone_at(time)?;
            let side = history.step(time).to_move().other();
            Some(Turn { side, cell, taken })
        })
        .collect();
    if turns.iter().any(|turn| turn.taken.contains(&turn.cell)) {
        return RepetitionKind::Suicide;
    }
    let mut kos: Vec<Ko> = turns.iter().filter_map(|turn| ko(turn, &turns)).collect();
    let singles = kos.len();
    kos.sort_unstable();
    kos.dedup();
    if singles == turns.len() {
        return match *kos {
            [_] if to - from == 2 => RepetitionKind::BasicKo,
            [_, _] => RepetitionKind::DoubleKo,
            [a, b, c] => three([a, b, c], board),
            [_, _, _, _, ..] => RepetitionKind::QuadrupleKo,
            _ => RepetitionKind::Other,
        };
    }
    let mut sizes: Vec<usize> = turns.iter().map(|turn| turn.taken.len()).collect();
    sizes.sort_unstable();
    match *sizes {
        [0, 1, 2] => RepetitionKind::SendingTwoReturningOne,
        [0, 0, 2, 2] if all_lose_as_much(&turns) => RepetitionKind::EternalLife,
        [0, 0, 0, 0, 2, 2, 2, 2] if all_lose_as_much(&turns) => RepetitionKind::RoundRobinKo,
        [.., most] if most > 1 && !kos.is_empty() => RepetitionKind::RoundRobinKo,
        _ => RepetitionKind::Other,
    }
}

/// The ko that a stone takes, when it takes one and is taken back so within the cycle.
fn ko(turn: &Turn<'_>, turns: &[Turn<'_>]) -> Option<Ko> {
    let &[taken] = turn.taken else { return None };
    let back = |other: &Turn<'_>| other.cell == taken && other.taken == [turn.cell];
    turns
        .iter()
        .any(back)
        .then(|| [turn.cell.min(taken), turn.cell.max(taken)])
}

/// Whether both sides take the same number of stones.
fn all_lose_as_much(turns: &[Turn<'_>]) -> bool {
    let takes = |side| -> usize {
        let of_side = turns.iter().filter(|turn| turn.side == side);
        of_side.map(|turn| turn.taken.len()).sum()
    };
    takes(Colour::Black) == takes(Colour::White)
}

/// Three kos: two of them a double ko, which gives the threats for a third that has nothing to do with it,
/// are the mechanism of false life (假生); otherwise they are a triple ko. What lives by the third ko, a
/// referee sees.
///
/// Kos belong together when stones around them are of one chain, of either side: the two of a double ko
/// are fought about one group. Two links or three tie all three kos together, and without any each stands
/// for itself, as in games with three ko fights in three corners.
fn three(kos: [Ko; 3], board: &Board) -> RepetitionKind {
    let around = kos.map(|ko| board.heads_around(ko));
    let linked = |a: usize, b: usize| around[a].iter().any(|head| around[b].contains(head));
    let links = [(0, 1), (0, 2), (1, 2)]
        .into_iter()
        .filter(|(a, b)| linked(*a, *b));
    match links.count() {
        1 => RepetitionKind::FalseLife,
        _ => RepetitionKind::TripleKo,
    }
}
