//! The oracles against one another, before the engine is measured against them.

mod support;

use support::events::{Dice, by_lot, event};
use support::oracle::{Listed, by_the_book, optimum, room};
use tournament::checker::{Facts, judge};
use tournament::{Round, Stage};

fn book(stage: &Stage) -> Option<Round> {
    let facts = Facts::before(stage, stage.next_round(), &[]);
    (facts.players.len() >= 2).then(|| by_the_book(&facts, &mut *room(&facts)))
}

#[test]
fn trying_every_table_and_matching_find_the_same() {
    for seed in 0..200 {
        event(seed, 2, 10, |stage| {
            let facts = Facts::before(stage, stage.next_round(), &[]);
            if facts.players.len() < 2 {
                return None;
            }
            let mut listed = Listed::new(&facts);
            let by_trying = by_the_book(&facts, &mut listed);
            let matched = book(stage)?;
            assert_eq!(matched, by_trying, "seed {seed} round {}", facts.round);
            Some(matched)
        });
    }
}

#[test]
fn the_checker_accepts_what_the_oracle_makes_and_its_bounds_hold() {
    for seed in 0..60 {
        let stage = event(seed, 2, 24, book);
        for round in &stage.rounds {
            let judgement = judge(&stage, round);
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
            let facts = Facts::before(&stage, round.round, &round.absent);
            assert_eq!(judgement.reached, optimum(&facts), "{place}");
        }
    }
}

/// The bounds hold for any table, not only for good ones, and what is called improvable is.
#[test]
fn the_bounds_hold_for_tables_drawn_by_lot() {
    let mut improvable = 0;
    let mut tables = 0;
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let stage = event(seed, 2, 30, |stage| by_lot(stage, &mut dice));
        for round in &stage.rounds {
            let judgement = judge(&stage, round);
            let place = format!("seed {seed} round {}", round.round);
            assert!(!judgement.values.is_empty(), "{place}");
            for value in &judgement.values {
                assert!(value.least <= value.reached, "{place}: {value:?}");
            }
            let best = optimum(&Facts::before(&stage, round.round, &round.absent));
            assert!(best <= judgement.reached, "{place}");
            tables += 1;
            if !judgement.is_sound() {
                improvable += 1;
                assert!(best < judgement.reached, "{place}: {:?}", judgement.findings);
            }
        }
    }
    assert!(improvable * 2 > tables, "{improvable} of {tables}");
}
