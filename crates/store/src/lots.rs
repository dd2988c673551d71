//! Drawing of numbers by lot, so that anybody can draw again from the published seed.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// Shuffles a list by Fisher and Yates with `ChaCha20` (20 rounds, the seed is the key, nonce and
/// counter 0, the stream read as 32-bit little-endian words).
///
/// For i from the last place down to the second: words are taken until one is below the largest
/// multiple of i + 1 that fits into 32 bits; its remainder by i + 1 is the place to change with.
pub(crate) fn shuffle<T>(list: &mut [T], seed: [u8; 32]) {
    let mut stream = ChaCha20Rng::from_seed(seed);
    for i in (1..list.len()).rev() {
        let sides = u64::try_from(i).unwrap_or(u64::MAX) + 1;
        let fair = (1_u64 << 32) / sides * sides;
        let word = loop {
            let word = u64::from(stream.next_u32());
            if word < fair {
                break word;
            }
        };
        list.swap(i, usize::try_from(word % sides).unwrap_or(i));
    }
}

#[cfg(test)]
mod tests {
    use super::shuffle;

    #[test]
    fn a_draw_can_be_repeated_from_its_seed() {
        // The first words of the key stream for the zero key are known from RFC 8439, A.1:
        // ade0b876, 903df1a0, e56a5d40, 28bd8653.
        let mut list = [1, 2, 3, 4];
        shuffle(&mut list, [0; 32]);
        // ade0b876 mod 4 = 2, 903df1a0 mod 3 = 1, e56a5d40 mod 2 = 0.
        let mut by_hand = [1, 2, 3, 4];
        by_hand.swap(3, 2);
        by_hand.swap(2, usize::try_from(0x903d_f1a0_u32 % 3).expect("small"));
        by_hand.swap(1, 0);
        assert_eq!(list, by_hand);
    }

    #[test]
    fn every_order_comes_about_equally_often() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..6000_u16 {
            let mut list = [1, 2, 3];
            let mut key = [0; 32];
            key[..2].copy_from_slice(&seed.to_le_bytes());
            shuffle(&mut list, key);
            *counts.entry(list).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(
            counts.values().all(|count| (900..1100).contains(count)),
            "{counts:?}"
        );
    }
}
