//! The order of the boards and the colours (pairing specification, section 3).

use super::engine::Table;
use super::field::Field;
use super::group::Pair;
use crate::round::Board;

/// The boards of a table, numbered in the order in which the pairs are made: groups downwards, a
/// float at the head of its lower group, opposite balances before equal ones, then list order.
pub(super) fn boards(field: &Field, table: &Table) -> Vec<Board> {
    let mut boards = Vec::new();
    for (group, pairs) in table.groups.iter().enumerate() {
        let start = field.groups[group].start;
        let mut pairs = pairs.clone();
        pairs.sort_by_key(|pair| (pair.first >= start, pair.second_pass, pair.first));
        for pair in pairs {
            let (black, white) = colours(field, pair);
            let number = u32::try_from(boards.len() + 1).expect("fewer boards than 2^32");
            boards.push(Board::new(
                number,
                field.players[black].number,
                field.players[white].number,
            ));
        }
    }
    boards
}

/// The larger balance has Black; at equal balance, whoever comes first in the round's number order.
fn colours(field: &Field, pair: Pair) -> (usize, usize) {
    let (first, second) = (&field.players[pair.first], &field.players[pair.second]);
    let first_has_black = match first.balance.cmp(&second.balance) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => (first.number < second.number) == field.ascending,
    };
    if first_has_black {
        (pair.first, pair.second)
    } else {
        (pair.second, pair.first)
    }
}
