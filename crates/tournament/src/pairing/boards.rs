//! The order of the boards and the colours (pairing specification, section 3).

use std::cmp::Ordering;

use super::field::{Field, Player};
use super::group::Pair;
use crate::result::Side;
use crate::round::Board;
use crate::settings::{Colours, ThirdColour};

/// The boards of a table, numbered in the order in which the pairs are made: groups downwards, a
/// float at the head of its lower group, opposite balances before equal ones, then list order.
pub(super) fn boards(field: &Field, groups: &[Vec<Pair>]) -> Vec<Board> {
    let mut boards = Vec::new();
    for (group, pairs) in groups.iter().enumerate() {
        let start = field.groups[group].start;
        let mut pairs = pairs.clone();
        pairs.sort_by_key(|pair| (pair.first >= start, pair.second_pass, pair.first));
        for pair in pairs {
            let (black, white) = colours(field, pair.first, pair.second);
            let number = u32::try_from(boards.len() + 1).expect("fewer boards than 2^32");
            boards.push(Board {
                nigiri: field.colours == Colours::Nigiri,
                ..Board::new(number, field.players[black].number, field.players[white].number)
            });
        }
    }
    boards
}

/// Who has Black, and who White. Whoever would get the same colour a third time running gets the
/// other, where that matters; then the larger balance has Black; at equal balance the settings say.
/// Where nobody assigns colours, whoever comes first in list order is named first.
pub(super) fn colours(field: &Field, a: usize, b: usize) -> (usize, usize) {
    let (one, other) = (&field.players[a], &field.players[b]);
    let third = |side: Side| {
        let of = |player: &Player| field.third_colour != ThirdColour::Allowed && player.streak == Some(side);
        of(one).cmp(&of(other))
    };
    let for_black = third(Side::White)
        .then(third(Side::Black).reverse())
        .then(one.balance.cmp(&other.balance))
        .then_with(|| at_equal_balance(field, a, b));
    if for_black == Ordering::Less {
        (b, a)
    } else {
        (a, b)
    }
}

/// Greater when `a` has Black.
fn at_equal_balance(field: &Field, a: usize, b: usize) -> Ordering {
    let (one, other) = (&field.players[a], &field.players[b]);
    let by_number = if field.ascending {
        other.number.cmp(&one.number)
    } else {
        one.number.cmp(&other.number)
    };
    match field.colours {
        Colours::Number => by_number,
        Colours::Alternate => match (one.last, other.last) {
            (Some(Side::White), Some(Side::Black)) => Ordering::Greater,
            (Some(Side::Black), Some(Side::White)) => Ordering::Less,
            _ => by_number,
        },
        Colours::Lots => other.lot.cmp(&one.lot),
        Colours::Nigiri => b.cmp(&a),
    }
}
