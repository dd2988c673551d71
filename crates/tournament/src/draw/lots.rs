//! Chance from a seed: the stream, fair numbers and shuffles, written down to the byte in
//! `docs/draw.md`.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::Seed;

/// What lots are drawn for. Each has a stream of its own, so that one seed serves several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// The order of the active players, where it is by lots (随机编排).
    Order,
    /// Who has Black at equal balance, where that is by lots.
    Colours,
    /// Numbers (编号).
    Numbers,
    /// Groups (分组).
    Groups,
}

impl Label {
    /// The word that stands in the nonce.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Colours => "colours",
            Self::Numbers => "numbers",
            Self::Groups => "groups",
        }
    }

    /// The word with zero bytes after it.
    fn nonce(self) -> [u8; 12] {
        let mut nonce = [0; 12];
        for (byte, letter) in nonce.iter_mut().zip(self.as_str().bytes()) {
            *byte = letter;
        }
        nonce
    }
}

/// A stream of lots: the `ChaCha20` key stream of RFC 8439, read as 64-bit words, least byte first.
#[derive(Debug)]
pub struct Lots(ChaCha20Rng);

impl Lots {
    /// The stream of a seed for a label, from its beginning.
    pub fn new(seed: Seed, label: Label) -> Self {
        Self::with_nonce(seed.0, label.nonce())
    }

    /// The generator counts blocks with 64 bits and has a nonce of 64; in the RFC the upper half
    /// of that counter is the beginning of the nonce.
    fn with_nonce(key: [u8; 32], nonce: [u8; 12]) -> Self {
        let (first, rest) = nonce.split_at(4);
        let word = |bytes: &[u8]| {
            let bits = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
            bytes.iter().rev().fold(0, bits)
        };
        let mut stream = ChaCha20Rng::from_seed(key);
        stream.set_stream(word(rest));
        stream.set_block_pos(word(first) << 32);
        Self(stream)
    }

    /// A number from 0 to `sides` − 1, each as likely as the others: words of the stream are thrown
    /// away until one is below the largest multiple of `sides` that is at most 2^64, and its remainder
    /// is the number. `sides` is at least 1.
    pub fn below(&mut self, sides: u64) -> u64 {
        let over = (u64::MAX % sides + 1) % sides;
        loop {
            let word = self.0.next_u64();
            if word <= u64::MAX - over {
                return word % sides;
            }
        }
    }

    /// Shuffles by Fisher and Yates: for each place from the last one down to the second, a number
    /// from the first place up to this one is drawn, and the two change places.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for place in (1..list.len()).rev() {
            let other = self.below(place as u64 + 1);
            list.swap(place, usize::try_from(other).unwrap_or(place));
        }
    }
}

/// The numbers 0 to `count` − 1 as they lie after a shuffle: at each place, who came to it.
pub fn shuffled(seed: Seed, label: Label, count: usize) -> Vec<usize> {
    let mut list: Vec<usize> = (0..count).collect();
    Lots::new(seed, label).shuffle(&mut list);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(of: &mut Lots, count: usize) -> Vec<u8> {
        let words = (0..count.div_ceil(8)).flat_map(|_| of.0.next_u64().to_le_bytes());
        words.take(count).collect()
    }

    fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
        let byte = |pair: &[u32]| u8::try_from(pair[0] * 16 + pair[1]).expect("two digits");
        digits.chunks(2).map(byte).collect()
    }

    #[test]
    fn the_stream_is_that_of_rfc_8439() {
        // Section 2.3.2: the block with counter 1 of this key and this nonce.
        let key: [u8; 32] = std::array::from_fn(|i| u8::try_from(i).expect("small"));
        let nonce = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0];
        let mut stream = Lots::with_nonce(key, nonce);
        let _ = bytes(&mut stream, 64);
        assert_eq!(
            bytes(&mut stream, 64),
            hex("10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e
                 d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e")
        );
        // Appendix A.1, vectors 1 and 5: counter 0.
        assert_eq!(
            bytes(&mut Lots::with_nonce([0; 32], [0; 12]), 16),
            hex("76b8e0ada0f13d90405d6ae55386bd28")
        );
        let last = std::array::from_fn(|i| if i == 11 { 2 } else { 0 });
        assert_eq!(
            bytes(&mut Lots::with_nonce([0; 32], last), 16),
            hex("c2c64d378cd536374ae204b9ef933fcd")
        );
    }

    #[test]
    fn every_order_is_as_likely_as_the_others() {
        let mut seen = std::collections::BTreeMap::<Vec<usize>, u32>::new();
        for seed in 0..2400_u32 {
            let mut key = [0; 32];
            key[..4].copy_from_slice(&seed.to_le_bytes());
            *seen.entry(shuffled(Seed(key), Label::Order, 4)).or_default() += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(seen.values().all(|times| (60..140).contains(times)), "{seen:?}");
    }

    #[test]
    fn a_word_that_would_favour_small_numbers_is_thrown_away() {
        // 2^64 is 1 more than a multiple of 3 and of 5: only the largest word is thrown away; of
        // 2^63 + 1 sides nearly every second one.
        let count = |sides: u64| {
            let mut lots = Lots::new(Seed([7; 32]), Label::Numbers);
            let drawn: Vec<u64> = (0..100).map(|_| lots.below(sides)).collect();
            let mut words = Lots::new(Seed([7; 32]), Label::Numbers);
            let fair =
                |word: &u64| u128::from(*word) < (1_u128 << 64) / u128::from(sides) * u128::from(sides);
            let by_hand: Vec<u64> = std::iter::repeat_with(|| words.0.next_u64())
                .filter(fair)
                .map(|word| word % sides)
                .take(100)
                .collect();
            assert_eq!(drawn, by_hand, "{sides} sides");
        };
        for sides in [1, 2, 3, 5, 10_000, (1 << 63) + 1, u64::MAX] {
            count(sides);
        }
    }

    #[test]
    fn labels_have_streams_of_their_own() {
        let seed = Seed([1; 32]);
        let all = [Label::Order, Label::Colours, Label::Numbers, Label::Groups];
        let orders: std::collections::BTreeSet<Vec<usize>> =
            all.iter().map(|label| shuffled(seed, *label, 20)).collect();
        assert_eq!(orders.len(), all.len());
        assert_eq!(shuffled(seed, Label::Order, 0), Vec::<usize>::new());
        assert_eq!(shuffled(seed, Label::Order, 1), [0]);
    }
}
