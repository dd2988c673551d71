//! Any bytes as a record to be judged, by the rules that the first byte chooses.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rules::{Asked, RuleSet};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else {
        return;
    };
    let asked = Asked {
        rules: RuleSet::ALL.get(usize::from(*first)).copied(),
        game: Some(1),
        ..Asked::default()
    };
    if let Ok(verdict) = rules::judge(bytes, &asked) {
        assert_eq!(verdict.position.len(), usize::from(verdict.size.points()));
    }
});
