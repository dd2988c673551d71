//! Any bytes as a file of game records: read or refused, and all of what was read can be looked at.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rules::sgf;

fuzz_target!(|bytes: &[u8]| {
    let Ok(collection) = sgf::read(bytes, None) else {
        return;
    };
    for game in collection.games() {
        let mut waiting = vec![game.root()];
        let mut met = 0;
        while let Some(node) = waiting.pop() {
            met += 1;
            assert!(collection.place(node.offset()).offset <= bytes.len());
            for property in node.properties() {
                assert!(!property.name().is_empty());
                for value in property.values() {
                    assert!(value.text().len() <= value.raw().len());
                    assert!(value.plain().len() <= value.raw().len());
                    let _ = value.compose();
                }
            }
            waiting.extend(node.first_child());
            waiting.extend(node.next_sibling());
        }
        assert_eq!(met, game.node_count());
        assert!(game.main_line().count() + game.variations() <= met);
    }
    for finding in collection.findings() {
        assert!(finding.place.is_none_or(|place| place.offset <= bytes.len()));
    }
});
