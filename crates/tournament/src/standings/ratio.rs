//! Exact fractions, as far as standings need them.

use std::cmp::Ordering;
use std::fmt;

/// A reduced fraction. Standings only make fractions, compare them and print them; a general
/// number library would bring four crates for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i64,
    denominator: i64,
}

impl Ratio {
    /// `numerator / denominator`, reduced.
    ///
    /// # Panics
    /// When the denominator is not positive: no criterion divides by anything else.
    pub fn new(numerator: i64, denominator: i64) -> Self {
        assert!(denominator > 0, "a criterion's denominator is positive");
        let mut common = denominator;
        let mut rest = numerator
            .checked_abs()
            .expect("scores are far from the limits of i64");
        while rest != 0 {
            (common, rest) = (rest, common % rest);
        }
        Self {
            numerator: numerator / common,
            denominator: denominator / common,
        }
    }

    /// Above the line; carries the sign.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// Below the line; positive, 1 for a whole number.
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    /// With two decimals, the last one rounded to the nearest, halves away from zero: `25.36`.
    pub fn two_decimals(self) -> String {
        let size = i128::from(self.numerator).abs() * 200 + i128::from(self.denominator);
        let hundredths = size / (i128::from(self.denominator) * 2);
        let sign = if self.numerator < 0 && hundredths > 0 {
            "-"
        } else {
            ""
        };
        format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

impl From<i64> for Ratio {
    fn from(whole: i64) -> Self {
        Self {
            numerator: whole,
            denominator: 1,
        }
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let across = |a: &Self, b: &Self| i128::from(a.numerator) * i128::from(b.denominator);
        across(self, other).cmp(&across(other, self))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    /// Exactly: `19`, `279/11`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            self.numerator.fmt(f)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced_and_compared_exactly() {
        assert_eq!(Ratio::new(558, 22).to_string(), "279/11");
        assert_eq!(Ratio::new(-6, 3), Ratio::from(-2));
        assert_eq!(Ratio::new(0, 7), Ratio::from(0));
        // Both print as 0.33.
        assert!(Ratio::new(33_333_333, 100_000_000) < Ratio::new(1, 3));
        assert!(Ratio::new(i64::MAX - 1, i64::MAX) < Ratio::from(1));
    }

    #[test]
    fn decimals_are_rounded_to_the_nearest() {
        for (numerator, denominator, printed) in [
            (279, 11, "25.36"),
            (1, 3, "0.33"),
            (2, 3, "0.67"),
            (1, 200, "0.01"),
            (-1, 200, "-0.01"),
            (-1, 300, "0.00"),
            (-7, 2, "-3.50"),
            (199, 100, "1.99"),
            (1999, 1000, "2.00"),
            (19, 1, "19.00"),
        ] {
            assert_eq!(Ratio::new(numerator, denominator).two_decimals(), printed);
        }
    }
}
