//! Draws by lot that anybody can repeat (抽签; pairing specification, section 5).

use std::fmt;

/// What a draw is made from: 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// Reads 64 hexadecimal digits, of either case.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        let mut bytes = [0; 32];
        if digits.len() != 2 * bytes.len() {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            for digit in pair {
                let value = char::from(*digit).to_digit(16)?;
                *byte = *byte << 4 | u8::try_from(value).ok()?;
            }
        }
        Some(Self(bytes))
    }
}

/// 64 hexadecimal digits, lower case.
impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;

    #[test]
    fn a_seed_is_64_digits() {
        let text = format!("{}7f", "0a".repeat(31));
        let seed = Seed::from_hex(&text).expect("64 digits");
        assert_eq!(seed.to_string(), text);
        assert_eq!(Seed::from_hex(&text.to_uppercase()), Some(seed));
        for wrong in [
            "",
            "0a",
            &text[1..],
            &format!("{text}0"),
            &text.replace('7', "g"),
            &"é".repeat(32),
        ] {
            assert_eq!(Seed::from_hex(wrong), None, "{wrong}");
        }
    }
}
