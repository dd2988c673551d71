//! The vectors of `docs/draw.md`, from which others write their checkers, are what the program draws.

use tournament::Number;
use tournament::draw::{
    Decides, EventId, Groups, Label, Lots, Numbers, Secret, Seed, Split, Word, commitment, seed, shuffled,
};

const PAGE: &str = include_str!("../../../docs/draw.md");

/// The lines of the blocks of section 7 that begin with a word: what stands before and after the colon.
fn vectors(word: &str) -> Vec<(&'static str, &'static str)> {
    let section = PAGE
        .split_once("## 7. Vectors")
        .expect("a section with vectors")
        .1;
    let lines = section
        .lines()
        .filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    lines
        .map(|line| line.trim().rsplit_once(": ").unwrap_or(("", line.trim())))
        .collect()
}

fn numbers(text: &str) -> Vec<usize> {
    text.split(' ')
        .map(|number| number.parse().expect("a number"))
        .collect()
}

fn secret() -> Secret {
    Secret::from_lower_hex(vectors("secret")[0].1).expect("a secret")
}

fn second_seed() -> Seed {
    Seed::from_lower_hex(vectors("seed")[1].1).expect("a seed")
}

/// The event and what is drawn.
fn what(text: &str) -> (EventId, Decides) {
    let mut parts = text.split(", ");
    let event = EventId::new(parts.next().expect("an event")).expect("an event");
    let decides = Decides::from_word(parts.next().expect("a draw")).expect("a draw");
    (event, decides)
}

#[test]
fn commitment_and_seeds_are_those_of_the_page() {
    let [(of, expected)] = vectors("commitment")[..] else {
        panic!("one commitment")
    };
    let (event, decides) = what(of);
    assert_eq!(commitment(&event, decides, secret()).to_string(), expected);
    let seeds = vectors("seed");
    assert_eq!(seeds.len(), 2);
    for (of, expected) in seeds {
        let (event, decides) = what(of);
        let words: Vec<Word> = match of.rsplit_once(", ").expect("words").1 {
            "no words" => Vec::new(),
            words => words
                .split(" | ")
                .map(|word| Word::new(word).expect("a word"))
                .collect(),
        };
        assert_eq!(seed(&event, decides, secret(), &words).to_string(), expected);
    }
}

#[test]
fn words_and_shuffles_are_those_of_the_page() {
    let label = |word: &str| {
        let all = [Label::Order, Label::Colours, Label::Numbers, Label::Groups];
        all.into_iter()
            .find(|label| label.as_str() == word)
            .expect("a label")
    };
    let [(of, expected)] = vectors("words")[..] else {
        panic!("one line of words")
    };
    let mut lots = Lots::new(second_seed(), label(of));
    // Of 2^63 sides nothing is thrown away, and only the highest bit is not seen.
    for word in expected.split(' ') {
        let word = u64::from_str_radix(word, 16).expect("a word");
        assert_eq!(lots.below(1 << 63), word & ((1 << 63) - 1));
    }
    let shuffles = vectors("shuffle");
    assert_eq!(shuffles.len(), 4);
    for (of, expected) in shuffles {
        let (word, count) = of.split_once(", ").expect("label and count");
        let count = count.parse().expect("a count");
        assert_eq!(
            shuffled(second_seed(), label(word), count),
            numbers(expected),
            "{of}"
        );
    }
}

#[test]
fn numbers_and_groups_are_those_of_the_page() {
    let number = |n: usize| Number::new(u32::try_from(n).expect("small")).expect("a number");
    let lines = vectors("numbers");
    assert_eq!(lines.len(), 2);
    for (of, expected) in lines {
        let list = |word: &str| -> Vec<usize> {
            of.split(", ")
                .find_map(|part| part.strip_prefix(word))
                .map(numbers)
                .unwrap_or_default()
        };
        let draw = Numbers {
            entries: 10,
            seeded: list("seeded ").into_iter().map(|place| place - 1).collect(),
            slots: list("slots ").into_iter().map(number).collect(),
        };
        let expected: Vec<Number> = numbers(expected).into_iter().map(number).collect();
        assert_eq!(draw.draw(second_seed()), Ok(expected), "{of}");
    }
    let lines = vectors("groups");
    assert_eq!(lines.len(), 2);
    for (of, expected) in lines {
        let split = if of.contains("lots") {
            Split::Lots
        } else {
            Split::Snake { layer: 3 }
        };
        let draw = Groups {
            entries: 10,
            groups: 3,
            split,
        };
        let letters: String = draw
            .draw(second_seed())
            .expect("groups")
            .into_iter()
            .map(Groups::letter)
            .collect();
        assert_eq!(letters, expected, "{of}");
    }
}
