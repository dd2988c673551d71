//! The oracles against one another, before the engine is measured against them.

mod support;

use support::events::{Dice, by_lot, empty, event};
use support::oracle::{by_the_book, listed, optimum, room};
use tournament::checker::{Facts, judge};
use tournament::pairing::Request;
use tournament::{Board, Round, Stage};

fn book(stage: &Stage, request: &Request) -> Option<Round> {
    let facts = Facts::of(stage, &empty(stage, request));
    let mut room = room(&facts).filter(|_| facts.players.len() >= 2)?;
    let table = by_the_book(&facts, stage.pairing.order, &mut *room);
    Some(Round {
        boards: table.boards,
        byes: table.byes,
        ..empty(stage, request)
    })
}

#[test]
fn trying_every_table_and_matching_find_the_same() {
    for seed in 0..200 {
        event(seed, 2, 10, |stage, request| {
            let facts = Facts::of(stage, &empty(stage, request));
            if facts.players.len() < 2 {
                return None;
            }
            let by_trying =
                listed(&facts).map(|mut room| by_the_book(&facts, stage.pairing.order, &mut *room));
            let matched = book(stage, request);
            assert_eq!(
                matched.as_ref().map(|table| (&table.boards, &table.byes)),
                by_trying.as_ref().map(|table| (&table.boards, &table.byes)),
                "seed {seed} round {}",
                facts.round
            );
            matched
        });
    }
}

#[test]
fn the_checker_accepts_what_the_oracle_makes_and_its_bounds_hold() {
    for seed in 0..60 {
        event(seed, 2, 24, |stage, request| {
            let round = &book(stage, request)?;
            let judgement = judge(stage, round);
            let place = format!("seed {seed} round {}", round.round);
            assert!(judgement.is_sound(), "{place}: {:?}", judgement.findings);
            assert!(
                judgement.at(tournament::checker::Level::Warning).next().is_none(),
                "{place}: {:?}",
                judgement.findings
            );
            for value in &judgement.values {
                assert!(value.least <= value.reached, "{place}: {value:?}");
            }
            let facts = Facts::of(stage, round);
            assert_eq!(Some(judgement.reached), optimum(&facts), "{place}");
            Some(round.clone())
        });
    }
}

/// The bounds hold for any table, not only for good ones, and what is called improvable is.
#[test]
fn the_bounds_hold_for_tables_drawn_by_lot() {
    let mut improvable = 0;
    let mut tables = 0;
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        event(seed, 2, 30, |stage, _| {
            let round = by_lot(stage, &mut dice)?;
            let judgement = judge(stage, &round);
            let place = format!("seed {seed} round {}", round.round);
            let facts = Facts::of(stage, &round);
            let barred = |board: &Board| {
                let places = facts.place(board.black).zip(facts.place(board.white));
                places.is_some_and(|(a, b)| facts.barred(a, b).is_some())
            };
            if round.boards.iter().any(barred) {
                assert!(!judgement.is_sound(), "{place}: a rule is broken");
                return Some(round);
            }
            assert!(!judgement.values.is_empty(), "{place}");
            for value in &judgement.values {
                assert!(value.least <= value.reached, "{place}: {value:?}");
            }
            let best = optimum(&facts).expect("this is a table");
            assert!(best <= judgement.reached, "{place}");
            tables += 1;
            if !judgement.is_sound() {
                improvable += 1;
                assert!(best < judgement.reached, "{place}: {:?}", judgement.findings);
            }
            Some(round)
        });
    }
    assert!(improvable * 2 > tables, "{improvable} of {tables}");
}
