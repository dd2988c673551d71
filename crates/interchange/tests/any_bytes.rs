//! Whatever the bytes, reading ends in an event or in faults with a place; whatever the event,
//! writing and reading give it back.

mod support;

use chrono::{DateTime, NaiveDateTime, TimeDelta};
use interchange::event_file::{Circumstances, EarlierResult, TableFacts};
use interchange::{Date, EventFile, RecordSettings, read, write};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rules::{Komi, OnRepetition, RuleSet};
use support::SAMPLES;
use tournament::draw::Seed;
use tournament::{
    Board, By, Carried, Colours, Criterion, Entry, Grade, Margin, Number, NumberOrder, OrderBy, Outcome,
    PairingOrder, PairingSettings, Ranking, Round, Score, Stage, TeamAvoidance, ThirdColour, Unplayed,
    Warnings,
};

/// Judges an answer to any bytes: it must be usable.
fn usable(bytes: &[u8]) -> Result<(), TestCaseError> {
    match read(bytes) {
        Ok(file) => {
            prop_assert_eq!(tournament::validate::faults(&file.stage), vec![]);
            let back = read(write(&file).as_bytes());
            prop_assert_eq!(back.as_ref(), Ok(&file));
        }
        Err(problems) => {
            prop_assert!(!problems.is_empty());
            for problem in &problems {
                prop_assert!(problem.line >= 1 && problem.column >= 1);
                let sentence = problem.to_string();
                prop_assert!(!sentence.chars().any(char::is_control), "{}", sentence);
                // A number that no entry has is a fault of what names it, never of a stand-in.
                prop_assert!(!sentence.contains("99998"), "{}", sentence);
            }
            prop_assert!(problems.is_sorted_by_key(|p| (p.code() == "more-problems", p.line, p.column)));
        }
    }
    Ok(())
}

/// Pieces that a file is likely to hold in wrong places.
const PIECES: [&str; 26] = [
    "null",
    "true",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "99999999999999999999",
    "1.5",
    "\"\"",
    "\"x\"",
    "[]",
    "{}",
    "[1]",
    ",",
    ":",
    "\"",
    "\\",
    "{\"number\": 1}",
    "[1, 2]",
    "[[7, 2], [1]]",
    "\"black\"",
    "\u{0}",
    "\"\\ud800\"",
    "\"九段\"",
    "1e400",
];

fn entry() -> impl Strategy<Value = Entry> {
    let text = || option::of("[^\\p{C}\\s]{1,3}[^\\p{Cc}]{0,8}");
    let grade = prop_oneof![
        (1..=9u8).prop_map(Grade::Professional),
        (1..=8u8).prop_map(Grade::Dan),
        (1..=32u8).prop_map(Grade::Kyu),
    ];
    let carried = (0..20i32, -5..5i32).prop_map(|(score, balance)| Carried {
        score: Score(score),
        balance,
        met: vec![],
    });
    (
        "[^\\p{C}\\s]{1,3}[^\\p{Cc}]{0,8}",
        text(),
        option::of(grade),
        option::of(any::<i32>()),
        text(),
        (
            0..10i32,
            vec(1..=9u32, 0..3),
            vec(10..=19u32, 0..3),
            option::of(0..9u32),
            option::of(carried),
        ),
    )
        .prop_map(
            |(
                name,
                team,
                grade,
                rating,
                category,
                (start, absent_rounds, bye_rounds, withdrawn_after, carried),
            )| Entry {
                team,
                grade,
                rating,
                category,
                start_score: Score(start),
                absent_rounds,
                bye_rounds,
                withdrawn_after,
                carried,
                ..Entry::new(Number::new(1).expect("a number"), name)
            },
        )
}

fn board() -> impl Strategy<Value = Board> {
    let number = Number::new(1).expect("a number");
    (
        option::of(select(Outcome::ALL.to_vec())),
        option::of(select(By::ALL.to_vec())),
        option::of(1..200u16),
        0..9u8,
        any::<bool>(),
    )
        .prop_map(move |(result, by, margin, warnings, nigiri)| Board {
            nigiri,
            result,
            by: by.filter(|_| result.is_some_and(Outcome::played)),
            margin: margin
                .filter(|_| result.is_some_and(|result| result.played() && result.winner().is_some()))
                .map(|halves| Margin::from_quarters(halves * 2).expect("a margin")),
            warnings: Warnings {
                black: warnings / 3,
                white: warnings % 3,
            },
            ..Board::new(1, number, number)
        })
}

fn settings() -> impl Strategy<Value = (PairingSettings, Ranking)> {
    let words = (
        select(PairingOrder::ALL),
        select(OrderBy::ALL),
        select(NumberOrder::ALL),
        select(TeamAvoidance::ALL),
        select(ThirdColour::ALL),
        select(Colours::ALL),
    );
    (
        words,
        (0..=9u32, 0..=2i32, 0..=1i32, any::<bool>(), any::<bool>()),
        option::of(1..=1000i32),
        proptest::sample::subsequence(Criterion::ALL.to_vec(), 1..=16),
        (0..4u8, 0..4u8),
        select(Unplayed::ALL),
    )
        .prop_map(
            |(words, (teams, bye, absent, meet, floats), stop_at, mut criteria, (low, high), unplayed)| {
                let (order, order_by, number_order, team_avoidance, third_colour, colours) = words;
                for criterion in &mut criteria {
                    if let Criterion::OpponentsScoreCut { .. } = criterion {
                        *criterion = Criterion::OpponentsScoreCut { low, high };
                    }
                }
                let pairing = PairingSettings {
                    order,
                    order_by,
                    number_order,
                    avoid_team_rounds: teams,
                    team_avoidance,
                    third_colour,
                    colours,
                    bye_score: Score(bye),
                    absent_score: Score(absent),
                    forfeits_may_meet_again: meet,
                    avoid_repeated_floats: floats,
                    stop_at: stop_at.map(Score),
                    ..PairingSettings::default()
                };
                (
                    pairing,
                    Ranking {
                        criteria,
                        unplayed,
                        lots: vec![],
                    },
                )
            },
        )
}

/// Any event: entries in any order with gaps between numbers, some of them met, seated, with byes.
fn event() -> impl Strategy<Value = EventFile> {
    (
        vec(entry(), 0..9),
        vec((vec(board(), 4), vec(any::<Index>(), 9)), 0..4),
        settings(),
        (select(RuleSet::ALL.to_vec()), -50..=50i16, 1..5u32, 1..9u32),
        any::<Index>(),
        (
            2..=52u8,
            option::of(select(OnRepetition::ALL.to_vec())),
            any::<bool>(),
        ),
    )
        .prop_map(
            |(mut entries, rounds, (pairing, ranking), (rules, komi, first, step), shift, records)| {
                let (board_size, repetition, from_players) = records;
                let records = RecordSettings {
                    board_size,
                    repetition,
                    from_players,
                };
                let count = u32::try_from(entries.len()).expect("few");
                let turn = if count == 0 {
                    0
                } else {
                    u32::try_from(shift.index(entries.len())).expect("few")
                };
                for (entry, place) in entries.iter_mut().zip(0..) {
                    entry.number = Number::new(1 + (place + turn) % count * step).expect("a number");
                }
                let numbers: Vec<Number> = entries.iter().map(|entry| entry.number).collect();
                for (entry, next) in entries.iter_mut().zip(numbers.iter().cycle().skip(1)) {
                    if let Some(carried) = entry.carried.as_mut().filter(|_| *next != entry.number) {
                        carried.met.push(*next);
                    }
                }
                let mut stage = Stage::swiss(12);
                stage.first_round = first;
                stage.pairing = pairing;
                stage.ranking = ranking;
                for (pair, wanted) in numbers.chunks_exact(2).zip((0..2).cycle()) {
                    let pairs = if wanted == 0 {
                        &mut stage.pairing.forbidden_pairs
                    } else {
                        &mut stage.pairing.unwanted_pairs
                    };
                    pairs.push((pair[0].min(pair[1]), pair[0].max(pair[1])));
                }
                stage.ranking.lots = numbers.iter().copied().zip(1..).take(3).collect();
                for ((boards, shuffle), round) in rounds.into_iter().zip(first..) {
                    let mut order = numbers.clone();
                    for (at, index) in shuffle.iter().enumerate().take(order.len()) {
                        let other = index.index(order.len());
                        order.swap(at, other);
                    }
                    let mut seats = order.chunks_exact(2);
                    let boards = seats.by_ref().zip(boards).zip(1..);
                    let boards = boards.map(|((seats, board), at)| Board {
                        board: at,
                        black: seats[0],
                        white: seats[1],
                        ..board
                    });
                    let mut round = Round {
                        round,
                        boards: boards.collect(),
                        ..Round::default()
                    };
                    round.byes = seats.remainder().to_vec();
                    if round.boards.iter().any(|board| board.nigiri) {
                        round.choices.byes.clone_from(&round.byes);
                        let pair =
                            |board: &Board| (board.black.min(board.white), board.black.max(board.white));
                        round.choices.pairs = round.boards.iter().map(pair).collect();
                        round.seed = Some(Seed([round.boards.len().to_le_bytes()[0]; 32]));
                    }
                    stage.rounds.push(round);
                }
                stage.entries = entries;
                EventFile {
                    name: "Any event".into(),
                    place: None,
                    starts_on: Date::new(2026, 2, 28),
                    rules,
                    komi: Komi::from_quarters(komi * 2).expect("a komi"),
                    records,
                    awards: tournament::Awards::default(),
                    circumstances: interchange::event_file::Circumstances::default(),
                    stage,
                }
            },
        )
}

/// What a server knows beside the stage, for any event: of its published rounds, results that were
/// other ones when they were paired.
fn circumstances() -> impl Strategy<Value = Circumstances> {
    let zones = [
        None,
        Some(chrono_tz::Asia::Shanghai),
        Some(chrono_tz::America::New_York),
    ];
    let published = (option::of(0..4_000_000_000_i64), 0..1_000_000_u32);
    (
        select(zones.to_vec()),
        // Noon is skipped by no clock.
        vec((1..=100u32, 0..20_000i64), 0..4),
        any::<(bool, bool, bool)>(),
        vec(
            (
                published,
                1..9u32,
                any::<bool>(),
                option::of(select(Outcome::ALL.to_vec())),
            ),
            0..4,
        ),
    )
        .prop_map(|(zone, starts, (hidden, is_final, results_by_two), tables)| {
            let day = |day| NaiveDateTime::default() + TimeDelta::days(day) + TimeDelta::hours(12);
            let facts =
                |((at, micros), edition, by_hand, result): ((Option<i64>, u32), u32, bool, _)| TableFacts {
                    published_at: at.and_then(|at| DateTime::from_timestamp(at, micros * 1000)),
                    edition,
                    by_hand,
                    earlier_results: vec![EarlierResult {
                        round: 0,
                        board: 1,
                        result,
                    }],
                };
            Circumstances {
                zone,
                starts: starts.into_iter().map(|(round, at)| (round, day(at))).collect(),
                hidden,
                is_final,
                results_by_two,
                results_from_players: hidden != results_by_two,
                tables: (0..).zip(tables.into_iter().map(facts)).collect(),
            }
        })
}

/// Circumstances of an event, those of rounds and boards that it has.
fn in_circumstances(mut file: EventFile, mut around: Circumstances) -> EventFile {
    let stage = &file.stage;
    around.is_final &= stage.rounds.iter().all(|round| round.pending().next().is_none());
    let tables = std::mem::take(&mut around.tables);
    for ((_, mut facts), (table, before)) in tables.into_iter().zip(
        stage
            .rounds
            .iter()
            .zip(std::iter::once(None).chain(stage.rounds.iter().map(Some))),
    ) {
        facts.earlier_results = before
            .and_then(|before| Some((before.round, before.boards.first()?.board)))
            .map(|(round, board)| EarlierResult {
                round,
                board,
                ..facts.earlier_results[0]
            })
            .into_iter()
            .collect();
        if facts != TableFacts::default() {
            around.tables.insert(table.round, facts);
        }
    }
    file.circumstances = around;
    file
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_an_answer(bytes in vec(any::<u8>(), 0..200)) {
        usable(&bytes)?;
    }

    #[test]
    fn any_json_gives_an_answer(pieces in vec(select(PIECES.to_vec()), 0..40)) {
        usable(pieces.concat().as_bytes())?;
    }

    #[test]
    fn a_damaged_file_gives_an_answer(
        sample in 0..SAMPLES.len(),
        damages in vec((any::<Index>(), 0..12usize, select(PIECES.to_vec())), 1..4),
    ) {
        let mut bytes = SAMPLES[sample].1.as_bytes().to_vec();
        for (at, length, piece) in damages {
            let at = at.index(bytes.len());
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, piece.bytes());
        }
        usable(&bytes)?;
    }

    /// One whole value is replaced, so that the file stays JSON and the reader has to judge it.
    #[test]
    fn a_file_with_a_wrong_value_gives_an_answer(
        sample in 0..SAMPLES.len(),
        at in any::<Index>(),
        with in any::<Index>(),
    ) {
        let text = SAMPLES[sample].1;
        let values: Vec<usize> = text.match_indices(": ").map(|(at, _)| at + 2).collect();
        let start = values[at.index(values.len())];
        let piece = ["null", "true", "-1", "0", "7", "99999999999999999999", "1.5", "\"\"", "\"x\"", "[]", "{}", "[null]"];
        let end = start + text[start..].find([',', '}', ']']).expect("a value ends");
        let changed = format!("{}{}{}", &text[..start], piece[with.index(piece.len())], &text[end..]);
        usable(changed.as_bytes())?;
    }

    #[test]
    fn any_event_comes_back(file in event(), around in circumstances()) {
        let file = in_circumstances(file, around);
        prop_assert_eq!(tournament::validate::faults(&file.stage), vec![]);
        let written = write(&file);
        let back = read(written.as_bytes());
        prop_assert_eq!(back.as_ref(), Ok(&file), "{}", written);
        prop_assert_eq!(back.map(|file| write(&file)), Ok(written));
    }
}
