//! Whole numbers as wide as the criteria need.
//!
//! A pairing's cost is one number whose digits are the criteria, the first one highest. With a
//! digit for every score group it has hundreds of bits: more than `i128`, far more than a float.

use std::cmp::Ordering;
use std::ops::{Add, Sub};

/// A cost or a dual value of the matching: an ordered group with exact halves of even values.
pub(super) trait Weight: Copy + Ord + Add<Output = Self> + Sub<Output = Self> {
    /// Nothing.
    const ZERO: Self;
    /// Half of an even value.
    fn half(self) -> Self;
}

impl Weight for i64 {
    const ZERO: Self = 0;
    fn half(self) -> Self {
        self >> 1
    }
}

/// A signed integer of `64 * N` bits, two's complement, lowest limb first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Wide<N> {
    /// The limbs in two's complement, the lowest first.
    pub(super) fn limbs(&self) -> &[u64] {
        &self.0
    }

    /// Adds `value * 2^bit`.
    pub(super) fn add_at(&mut self, bit: usize, value: u64) {
        let (from, shift) = (bit / 64, bit % 64);
        let value = u128::from(value) << shift;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the two halves of the shifted value"
        )]
        let parts = [value as u64, (value >> 64) as u64];
        let mut carry = false;
        for (k, limb) in self.0[from..].iter_mut().enumerate() {
            let part = parts.get(k).copied().unwrap_or(0);
            if k >= 2 && !carry {
                break;
            }
            let (sum, first) = limb.overflowing_add(part);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *limb = sum;
            carry = first | second;
        }
    }
}

impl<const N: usize> Weight for Wide<N> {
    const ZERO: Self = Self([0; N]);

    fn half(mut self) -> Self {
        let mut above = self.0[N - 1] & (1 << 63);
        for limb in self.0.iter_mut().rev() {
            let next = *limb << 63;
            *limb = (*limb >> 1) | above;
            above = next;
        }
        self
    }
}

impl<const N: usize> Add for Wide<N> {
    type Output = Self;
    #[expect(
        clippy::suspicious_arithmetic_impl,
        reason = "a limb carries when either of its two sums does"
    )]
    fn add(mut self, other: Self) -> Self {
        let mut carry = false;
        for (limb, other) in self.0.iter_mut().zip(other.0) {
            let (sum, first) = limb.overflowing_add(other);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *limb = sum;
            carry = first | second;
        }
        self
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Self;
    #[expect(
        clippy::suspicious_arithmetic_impl,
        reason = "a limb borrows when either of its two differences does"
    )]
    fn sub(mut self, other: Self) -> Self {
        let mut borrow = false;
        for (limb, other) in self.0.iter_mut().zip(other.0) {
            let (difference, first) = limb.overflowing_sub(other);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            *limb = difference;
            borrow = first | second;
        }
        self
    }
}

impl<const N: usize> Ord for Wide<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        let top = N - 1;
        self.0[top]
            .cast_signed()
            .cmp(&other.0[top].cast_signed())
            .then_with(|| self.0[..top].iter().rev().cmp(other.0[..top].iter().rev()))
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wide(value: i128) -> Wide<3> {
        let raw = value.cast_unsigned();
        #[expect(clippy::cast_possible_truncation, reason = "limbs of the value")]
        Wide([
            raw as u64,
            (raw >> 64) as u64,
            if value < 0 { u64::MAX } else { 0 },
        ])
    }

    proptest! {
        #[test]
        fn it_counts_like_an_integer(a in -(1_i128 << 100)..(1_i128 << 100), b in -(1_i128 << 100)..(1_i128 << 100)) {
            prop_assert_eq!(wide(a) + wide(b), wide(a + b));
            prop_assert_eq!(wide(a) - wide(b), wide(a - b));
            prop_assert_eq!(wide(a).cmp(&wide(b)), a.cmp(&b));
            prop_assert_eq!(wide(a * 2).half(), wide(a));
        }

        #[test]
        fn digits_are_added_where_they_belong(a in 0_i128..(1 << 100), bit in 0_usize..60, value: u64) {
            let mut sum = wide(a);
            sum.add_at(bit, value);
            prop_assert_eq!(sum, wide(a + (i128::from(value) << bit)));
        }
    }
}
