//! The oracles against one another, before the engine is measured against them.

mod support;

use support::events::event;
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
