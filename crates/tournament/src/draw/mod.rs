//! Draws by lot that anybody can repeat (抽签; pairing specification, section 5; rules
//! specification, section 11).
//!
//! `docs/draw.md` says all of this to the byte, so that a checker can be written from it alone.

mod groups;
mod lots;
mod numbers;
mod parts;

use std::fmt;

use sha2::{Digest, Sha256};

pub use groups::{GroupFault, Groups, Split};
pub use lots::{Label, Lots, shuffled};
pub use numbers::{NumberFault, Numbers, usual_slots};
pub use parts::{Decides, EventId, Word, WordFault, commitment, seed};

/// The rules that a draw follows, as draw files name them: by the first version of the program that
/// has them. It changes only when the same input may give another draw.
pub const ENGINE: &str = "tianyuan 0.1.0";

/// 256 bits with a meaning of their own, written as 64 hexadecimal digits.
macro_rules! bits256 {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; 32]);

        impl $name {
            /// Reads 64 hexadecimal digits, of either case.
            pub fn from_hex(text: &str) -> Option<Self> {
                from_hex(text).map(Self)
            }

            /// Reads 64 hexadecimal digits in lower case, as files spell them.
            pub fn from_lower_hex(text: &str) -> Option<Self> {
                Self::from_hex(text).filter(|bits| bits.to_string() == text)
            }
        }

        /// 64 hexadecimal digits, lower case.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
    };
}

bits256! {
    /// What a draw is made from.
    Seed
}

bits256! {
    /// What is promised before a draw and revealed with it.
    Secret
}

bits256! {
    /// The promise: whoever has made it can reveal one secret only.
    Commitment
}

bits256! {
    /// What a file's content comes to: it changes when anything in it is changed.
    Sum
}

impl Sum {
    /// SHA-256 of a text.
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
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
    Some(bytes)
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
