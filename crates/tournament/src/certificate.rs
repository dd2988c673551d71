//! A proof that a table is best on P1 to P6, as plain data: the engine writes it, the checker
//! verifies it, and neither needs the other's code.
//!
//! The cost of a pair is one whole number whose digits are the criteria, the first one highest: each
//! digit has a lowest bit and a width, wide enough that no sum over a table overflows into the
//! next digit. Every player `a` has a value `y(a)`, odd sets `S` of players have values `z(S) ≥ 0`,
//! and for every pair that may be made
//!
//! > `y(a) + y(b) ≤ cost(a, b) + the z of all sets that hold both`.
//!
//! A set of `2k + 1` players holds at most `k` pairs of any table. So no table costs less than the
//! sum of all `y` less `k·z(S)` for each set; a table that costs just that is best. With an odd
//! number of players the bye counts as one more player.
//!
//! Pairs that the director has fixed, and everybody with a bye that was asked for or chosen, are
//! the same in every table and left out. Where the table has no repeats, pairs that have met need
//! not fit: a table with one of them is worse in the first criterion.

use std::fmt;
use std::str::FromStr;

use crate::entry::Number;
use crate::measure::Measure;
use crate::score::Score;

/// A proof that a table is best on P1 to P6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// The table reaches what counting proves: the parity at each border, the surplus of a colour
    /// or a team in each group. The least of each digit, in the order of the criteria.
    Counting(Vec<Least>),
    /// Values for players and sets.
    Duals(Duals),
}

/// The least that a digit can be, all digits before it being as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    /// What is counted.
    pub measure: Measure,
    /// The score group it is counted in; for a border, the group above it.
    pub group: Option<Score>,
    /// The least.
    pub least: i64,
}

/// Values for players and odd sets of players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Duals {
    /// Where each digit stands in a cost, the highest first.
    pub digits: Vec<Digit>,
    /// The players by their value.
    pub players: Vec<Shared>,
    /// The value of the bye, where one player of those who are paired has it.
    pub bye: Option<Whole>,
    /// The sets.
    pub sets: Vec<OddSet>,
}

/// One digit of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// What is counted. For [`Measure::ByeScore`] it is the number of score groups below the one
    /// of the bye's player.
    pub measure: Measure,
    /// The score group it is counted in; for a border, the group above it.
    pub group: Option<Score>,
    /// Its lowest bit.
    pub bit: u32,
    /// How many bits it has.
    pub width: u32,
}

/// Players who have one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The value.
    pub value: Whole,
    /// Who has it.
    pub players: Vec<Number>,
}

/// An odd number of players, the bye counting as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddSet {
    /// The value.
    pub value: Whole,
    /// The players.
    pub players: Vec<Number>,
    /// Whether the bye is in the set.
    pub bye: bool,
}

/// A whole number of any size. Written in hexadecimal digits, with `-` before a negative one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Whole {
    /// 64 bits each, the lowest first, in two's complement: as few as hold the sign.
    limbs: Vec<u64>,
}

impl Whole {
    /// The number that these limbs are in two's complement, the lowest first; none are zero.
    pub fn from_limbs(limbs: &[u64]) -> Self {
        let mut limbs = limbs.to_vec();
        while let [.., before, last] = limbs[..] {
            let sign = if before >> 63 == 1 { u64::MAX } else { 0 };
            if last != sign {
                break;
            }
            limbs.pop();
        }
        if limbs == [0] {
            limbs.clear();
        }
        Self { limbs }
    }

    /// The limbs in two's complement, the lowest first, as few as hold the sign; none for zero.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.limbs.last().is_some_and(|limb| limb >> 63 == 1)
    }

    fn magnitude(&self) -> Vec<u64> {
        let mut limbs = self.limbs.clone();
        if self.is_negative() {
            negate(&mut limbs);
        }
        limbs
    }
}

fn negate(limbs: &mut [u64]) {
    let mut carry = true;
    for limb in limbs {
        let (sum, over) = (!*limb).overflowing_add(u64::from(carry));
        *limb = sum;
        carry = over;
    }
}

impl From<i64> for Whole {
    fn from(value: i64) -> Self {
        Self::from_limbs(&[value.cast_unsigned()])
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_negative() {
            f.write_str("-")?;
        }
        let magnitude = self.magnitude();
        let mut digits = magnitude.iter().rev().skip_while(|limb| **limb == 0);
        write!(f, "{:x}", digits.next().copied().unwrap_or(0))?;
        digits.try_for_each(|limb| write!(f, "{limb:016x}"))
    }
}

/// What was written is no whole number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no whole number in hexadecimal digits: write for example 1f0 or -3")]
pub struct NotWhole(pub String);

impl FromStr for Whole {
    type Err = NotWhole;

    /// Reads 1 to 20,000 hexadecimal digits of either case, `-` before them for a negative number.
    fn from_str(text: &str) -> Result<Self, NotWhole> {
        let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
        if !(1..=20_000).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_hexdigit) {
            let start: String = text.chars().take(40).collect();
            return Err(NotWhole(start));
        }
        let value = |digit: u8| u64::from(char::from(digit).to_digit(16).unwrap_or(0));
        let mut limbs: Vec<u64> = digits
            .rchunks(16)
            .map(|chunk| chunk.iter().fold(0, |sum, digit| sum << 4 | value(*digit)))
            .collect();
        limbs.push(0);
        if text.starts_with('-') {
            negate(&mut limbs);
        }
        Ok(Self::from_limbs(&limbs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_as_it_is_read() {
        for text in [
            "0",
            "1",
            "-1",
            "ffffffffffffffff",
            "-8000000000000000",
            "8000000000000000",
            "10000000000000000",
            "-10000000000000000",
            "123456789abcdef00000000000000000fedcba987654321",
        ] {
            assert_eq!(
                text.parse::<Whole>().map(|whole| whole.to_string()),
                Ok(text.to_owned())
            );
        }
        assert_eq!("-0".parse(), Ok(Whole::default()));
        assert_eq!("00F".parse(), Ok(Whole::from(15)));
        assert_eq!("-1".parse(), Ok(Whole::from(-1)));
        for wrong in ["", "-", "0x1", "1.5", "é", "--1", &"1".repeat(20_001)] {
            assert!(wrong.parse::<Whole>().is_err(), "{wrong}");
        }
    }
}
