//! The proof of a best table in numbers that anybody can add up: a dual value for every player,
//! and odd sets of players with a value each.
//!
//! What a pair costs is one whole number, whose digits are the criteria P1 to P6 ([`Duals::places`]
//! says which digit stands where). For every pair that is allowed,
//!
//! > cost ≥ value of the one + value of the other − the values of all sets that hold both.
//!
//! A set of 2k + 1 players holds at most k pairs of any table; so no table can cost less than
//! the sum of all players' values less k times the value of each set. The best one costs just that.
//! With an odd number of players the bye counts as one more player, who costs as P2 says.

use super::cost::Digit;
use crate::certificate::Whole;

/// What proves that a table is best on P1 to P6.
#[derive(Clone, Debug)]
pub(super) struct Duals {
    /// Where each digit stands in a cost, the highest first: the digit, its lowest bit, its width
    /// in bits. The same for [`of_pair`](super::cost::of_pair) and the bye.
    pub(super) places: Vec<(Digit, usize, usize)>,
    /// The value of each player, in the field's order; with an odd number, the bye's after them.
    pub(super) vertices: Vec<Whole>,
    /// Odd sets of vertices, in ascending order, with their values: all greater than zero.
    pub(super) sets: Vec<(Vec<usize>, Whole)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::cost::{Plan, of_pair};
    use crate::pairing::field::Field;
    use crate::pairing::wide::{Weight, Wide};
    use crate::pairing::{Confirmed, engine, pair};
    use crate::round::Choices;
    use crate::simulate::{Simulation, simulate_with};

    type Number = Wide<32>;

    fn number(whole: &Whole) -> Number {
        let mut number = Number::ZERO;
        for (at, limb) in whole.limbs().iter().enumerate() {
            number.add_at(64 * at, *limb);
        }
        if whole.limbs().last().is_some_and(|limb| limb >> 63 == 1) {
            let mut above = Number::ZERO;
            above.add_at(64 * whole.limbs().len(), 1);
            number = number - above;
        }
        number
    }

    /// The cost as the documentation of the proof has it.
    fn cost(field: &Field, duals: &Duals, a: usize, b: usize) -> Number {
        let mut cost = Number::ZERO;
        let mut add = |digit: Digit, value: u64| {
            if let Some((_, place, _)) = duals.places.iter().find(|(other, _, _)| *other == digit) {
                cost.add_at(*place, value);
            }
        };
        if b < field.players.len() {
            of_pair(field, a, b, add);
        } else {
            add(Digit::ByesSoFar, field.players[a].byes.into());
            add(
                Digit::ByeGroup,
                (field.groups.len() - 1 - field.group_of[a]) as u64,
            );
        }
        cost
    }

    fn check(field: &Field, repeats: bool) -> bool {
        let (Some(table), Some(duals)) = (engine::best(field, repeats), engine::duals(field, repeats)) else {
            return false;
        };
        let players = field.players.len();
        assert_eq!(duals.vertices.len(), players + players % 2);
        let values: Vec<Number> = duals.vertices.iter().map(number).collect();
        for a in 0..players {
            for b in (a + 1..values.len()).filter(|b| *b == players || field.legal(a, *b, repeats)) {
                let mut room = cost(field, &duals, a, b) - values[a] - values[b];
                for (set, value) in &duals.sets {
                    if set.contains(&a) && set.contains(&b) {
                        room = room + number(value);
                    }
                }
                assert!(room >= Number::ZERO, "{a} and {b}");
            }
        }
        let mut least = values.iter().fold(Number::ZERO, |sum, value| sum + *value);
        for (set, value) in &duals.sets {
            assert_eq!(set.len() % 2, 1);
            assert!(number(value) > Number::ZERO);
            for _ in 0..set.len() / 2 {
                least = least - number(value);
            }
        }
        let mut reached = table
            .bye
            .map_or(Number::ZERO, |bye| cost(field, &duals, bye, players));
        for pair in table.groups.iter().flatten() {
            reached = reached + cost(field, &duals, pair.first, pair.second);
        }
        assert_eq!(reached, least);
        let plan = Plan::of_field(field, repeats, None);
        assert_eq!(
            plan.pair::<32>(field, 0, players - 1),
            cost(field, &duals, 0, players - 1)
        );
        true
    }

    #[test]
    fn the_values_prove_the_table() {
        let mut proven = 0;
        for seed in 0..60 {
            let rate = |of: u64, most: u32| u32::try_from((seed / of) % 4).expect("small") * most / 3;
            let simulation = Simulation {
                withdrawals: rate(1, 80),
                teams: rate(4, 800),
                draws: rate(2, 400),
                byes: rate(8, 60),
                ..Simulation::new(4 + u32::try_from(seed % 40).expect("small"), 6, seed)
            };
            simulate_with(&simulation, |stage| {
                let field = Field::of(stage, &Choices::default(), None);
                if field.players.len() > 1 {
                    proven += u32::from(check(&field, false)) + u32::from(check(&field, true));
                }
                let confirmed = Confirmed {
                    repeats: true,
                    provisional: false,
                };
                pair(stage, confirmed).ok().map(|pairing| pairing.to_round())
            });
        }
        assert!(proven > 500, "{proven}");
    }
}
