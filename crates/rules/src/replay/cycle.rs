//! What kind of cycle brought a position back.

use super::history::History;
use crate::board::Board;
use crate::finding::RepetitionKind;
use crate::point::Colour;

/// Longer cycles than this have no name.
const LONGEST: usize = 64;

/// One stone of a cycle.
struct Turn {
    side: Colour,
    cell: u16,
    taken: Vec<u16>,
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
/// - A ko, and more than one stone taken at once: round robin.
pub(super) fn kind(history: &History, from: usize, to: usize, board: &Board) -> RepetitionKind {
    if to - from > LONGEST {
        return RepetitionKind::Other;
    }
    let turns: Vec<Turn> = (from + 1..=to)
        .filter_map(|time| {
            let mut changes = history.changes(time);
            let cell = changes.next()?;
            Some(Turn {
                side: history.step(time).to_move.other(),
                cell,
                taken: changes.collect(),
            })
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
        [0, 0, 2, 2] if both_take(&turns) => RepetitionKind::EternalLife,
        [.., most] if most > 1 && !kos.is_empty() => RepetitionKind::RoundRobinKo,
        _ => RepetitionKind::Other,
    }
}

/// The ko that a stone takes, when it takes one and is taken back so within the cycle.
fn ko(turn: &Turn, turns: &[Turn]) -> Option<Ko> {
    let [taken] = *turn.taken else { return None };
    let back = |other: &Turn| other.cell == taken && other.taken == [turn.cell];
    turns
        .iter()
        .any(back)
        .then(|| [turn.cell.min(taken), turn.cell.max(taken)])
}

/// Whether each side takes stones.
fn both_take(turns: &[Turn]) -> bool {
    let takes = |side| {
        turns
            .iter()
            .any(|turn| turn.side == side && !turn.taken.is_empty())
    };
    takes(Colour::Black) && takes(Colour::White)
}

/// Three kos: two of them a double ko, which gives the threats for a third that has nothing to do with it,
/// is a false life (假生); otherwise a triple ko.
///
/// Kos belong together when the stones around them are of one chain, of either side. A double ko is
/// fought about one group, so its two kos always do; three that are all linked, or none with another,
/// each count.
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
