//! Any bytes in an encoding that the first byte chooses: what is ASCII in the text is so in the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rules::sgf;

const NAMES: [&str; 12] = [
    "UTF-8", "UTF-16LE", "UTF-16BE", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "ISO-2022-JP",
    "windows-1252", "KOI8-R", "no such encoding",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else {
        return;
    };
    let number = usize::from(*first) % NAMES.len();
    let Ok(collection) = sgf::read(bytes, Some(NAMES[number])) else {
        return;
    };
    let text = collection.text();
    let mut before = 0;
    for (offset, letter) in text.char_indices() {
        let place = collection.place(offset);
        assert!(place.offset >= before && place.offset <= bytes.len());
        before = place.offset;
        if letter.is_ascii() && !matches!(number, 1 | 2 | 8) {
            assert_eq!(char::from(bytes[place.offset]), letter);
        }
    }
});
