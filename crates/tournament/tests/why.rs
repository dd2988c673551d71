//! The reasons of a pairing against every table that there is.

mod support;

use support::events::{Dice, by_lot, event};
use support::oracle::every_table;
use support::{n, played, stage, table};
use tournament::Outcome::{Black, Draw};
use tournament::checker::{Facts, criteria, reached};
use tournament::pairing::why::{
    Bar, ByeKind, Change, Choice, NotMet, Proof, Property, Without, bye, not_met, reasons,
};
use tournament::pairing::{Confirmed, Request, pair};
use tournament::{Choices, Criteria, Measure, Round, Score, Stage};

fn paired(stage: &Stage, choices: Choices) -> Option<Round> {
    let request = Request {
        confirmed: Confirmed {
            repeats: true,
            provisional: true,
        },
        choices,
        seed: Some(tournament::draw::Seed([3; 32])),
    };
    pair(stage, request).ok().map(|pairing| pairing.to_round())
}

/// The best of all tables that are allowed.
fn best(facts: &Facts, allowed: impl Fn(usize, Option<usize>) -> bool) -> Option<Criteria> {
    let mut best: Option<Criteria> = None;
    every_table(facts, &mut |partners| {
        let legal = |(a, b): (usize, &Option<usize>)| {
            allowed(a, *b) && b.is_none_or(|b| allowed(b, Some(a)) && facts.legal(a, b))
        };
        if partners.iter().enumerate().all(legal) {
            let pairs: Vec<(usize, usize)> = partners
                .iter()
                .enumerate()
                .filter_map(|(a, b)| Some((a, (*b)?)))
                .filter(|(a, b)| a < b)
                .collect();
            let byes: Vec<usize> = (0..partners.len()).filter(|a| partners[*a].is_none()).collect();
            let value = criteria(facts, &pairs, &byes);
            if best.as_ref().is_none_or(|best| value < *best) {
                best = Some(value);
            }
        }
    });
    best
}

fn first_difference(from: &Criteria, to: &Criteria) -> Option<(Measure, i64, i64)> {
    let count = |criteria: &Criteria| -> Vec<(Measure, i64)> {
        let groups = |measure, counts: &[tournament::InGroup]| -> Vec<(Measure, i64)> {
            counts
                .iter()
                .map(|count| (measure, i64::from(count.count)))
                .collect()
        };
        let mut list = vec![
            (Measure::Repeats, i64::from(criteria.repeats)),
            (Measure::RepeatMeetings, i64::from(criteria.repeat_meetings)),
            (
                Measure::RepeatsJustBefore,
                i64::from(criteria.repeats_just_before),
            ),
            (Measure::ByeSoFar, i64::from(criteria.bye_so_far)),
            (Measure::ByeScore, i64::from(criteria.bye_score.0)),
        ];
        let teams = groups(Measure::TeamMates, &criteria.team_mates);
        if criteria.team_mates_first {
            list.extend(&teams);
        }
        list.extend(
            criteria
                .floats
                .iter()
                .map(|border| (Measure::FloatsAcross, i64::from(border.pairs))),
        );
        list.push((
            Measure::FloatSquares,
            i64::try_from(criteria.float_squares).expect("small"),
        ));
        if !criteria.team_mates_first {
            list.extend(&teams);
        }
        list.extend(groups(Measure::ThirdColour, &criteria.third_colour));
        list.extend(groups(Measure::SameColourTwice, &criteria.same_colour_twice));
        list.extend(groups(Measure::SameColour, &criteria.same_colour));
        list.extend(groups(Measure::RepeatedFloats, &criteria.repeated_floats));
        list
    };
    let (from, to) = (count(from), count(to));
    let mut both = from.iter().zip(&to);
    both.find(|(one, other)| one != other)
        .map(|(one, other)| (one.0, one.1, other.1))
}

fn holds(without: &Without, here: &Criteria, other: Option<Criteria>, place: &str) {
    match (without, other) {
        (Without::NoTable, None) => {}
        (Without::ListOrder(_), Some(other)) => assert_eq!(*here, other, "{place}"),
        (
            Without::Worse(Change {
                measure, from, to, ..
            }),
            Some(other),
        ) => {
            assert!(other > *here, "{place}");
            assert_eq!(
                first_difference(here, &other),
                Some((*measure, *from, *to)),
                "{place}"
            );
        }
        (
            Without::Better(Change {
                measure, from, to, ..
            }),
            Some(other),
        ) => {
            assert!(other < *here, "{place}");
            assert_eq!(
                first_difference(here, &other),
                Some((*measure, *from, *to)),
                "{place}"
            );
        }
        (without, other) => panic!("{place}: {without:?}, but {other:?}"),
    }
}

/// Every answer is what trying all tables finds, for tables of the engine and for tables by lot.
#[test]
fn every_alternative_costs_what_trying_all_tables_finds() {
    let (mut asked, mut worse, mut equal, mut none) = (0, 0, 0, 0);
    for seed in 0..120 {
        let mut dice = Dice::new(seed);
        event(seed, 3, 8, |stage, _| {
            let engine = paired(stage, Choices::default())?;
            let by_lot = by_lot(stage, &mut dice);
            for (table, own) in [(Some(engine.clone()), true), (by_lot, false)] {
                let Some(table) = table else { continue };
                let facts = Facts::of(stage, &table);
                let legal = table.boards.iter().all(|board| {
                    let places = facts.place(board.black).zip(facts.place(board.white));
                    places.is_none_or(|(a, b)| facts.legal(a, b))
                });
                if !legal {
                    continue;
                }
                let here = reached(stage, &table);
                let at = format!("seed {seed}, round {}", table.round);
                let mut tell = |without: &Without, other: Option<Criteria>| {
                    holds(without, &here, other, &at);
                    asked += 1;
                    match without {
                        Without::NoTable => none += 1,
                        Without::Worse(_) => worse += 1,
                        Without::ListOrder(_) => equal += 1,
                        Without::Better(_) => assert!(!own, "{at}: {without:?}"),
                    }
                };
                let found = reasons(stage, &table);
                assert_eq!(found.boards.len(), table.boards.len());
                for board in &found.boards {
                    let [a, b] =
                        [board.first, board.second].map(|number| facts.place(number).expect("plays"));
                    if let Some(without) = &board.without {
                        tell(without, best(&facts, |x, y| (x, y) != (a, Some(b))));
                    }
                    for property in &board.properties {
                        let (Some(without), Property::Float { .. }) = (&property.without, property.property)
                        else {
                            continue;
                        };
                        let score = facts.players[a].score;
                        let stays = |x: usize, y: Option<usize>| {
                            x != a || y.is_none_or(|y| facts.players[y].score >= score)
                        };
                        tell(without, best(&facts, stays));
                    }
                }
                for bye in &found.byes {
                    if let Some(without) = &bye.without {
                        let place = facts.place(bye.number).expect("may have the bye");
                        tell(without, best(&facts, |x, y| x != place || y.is_some()));
                    }
                }
                for (a, one) in facts.players.iter().enumerate() {
                    for (b, other) in facts.players.iter().enumerate().skip(a + 1) {
                        match not_met(stage, &table, one.number, other.number) {
                            NotMet::With { then, .. } => {
                                let together = |x: usize, y: Option<usize>| x != a || y == Some(b);
                                tell(&then, best(&facts, together));
                            }
                            NotMet::Meet { .. } => {}
                            NotMet::Barred(_) => assert!(facts.barred(a, b).is_some(), "{at}"),
                            other => panic!("{at}: {other:?}"),
                        }
                    }
                }
            }
            Some(engine)
        });
    }
    eprintln!("{asked} questions: {worse} worse, {equal} by list order, {none} without a table");
    assert!(worse > 1000 && equal > 100 && none > 20);
}

#[test]
fn every_value_says_how_it_is_known() {
    let mut seen = [0; 5];
    for seed in 0..60 {
        event(seed, 6, 40, |stage, _| {
            let table = paired(stage, Choices::default())?;
            for value in reasons(stage, &table).values {
                assert_eq!(value.reached, value.least, "seed {seed}, {value:?}");
                seen[match value.proof {
                    Proof::Nothing => 0,
                    Proof::EveryTable => 1,
                    Proof::Counting => 2,
                    Proof::Certificate => 3,
                    Proof::Better | Proof::Open => panic!("seed {seed}: {value:?}"),
                }] += 1;
            }
            Some(table)
        });
    }
    assert!(seen[..4].iter().all(|count| *count > 20), "{seen:?}");
}

#[test]
fn list_order_says_whom_it_prefers() {
    let stage = stage(6, 5);
    let first = paired(&stage, Choices::default()).expect("a first round");
    assert_eq!(
        not_met(&stage, &first, n(1), n(3)),
        NotMet::With {
            met: vec![],
            then: Without::ListOrder(Choice::Partner {
                number: n(1),
                takes: n(2),
                instead: n(3)
            })
        }
    );
    let odd = support::stage(7, 5);
    let first = paired(&odd, Choices::default()).expect("a first round");
    let reason = bye(&odd, &first, n(7)).expect("7 has the bye");
    assert_eq!(reason.kind, ByeKind::Odd);
    assert_eq!(
        reason.without,
        Some(Without::ListOrder(Choice::Bye {
            number: n(7),
            instead: n(6)
        }))
    );
    assert_eq!(bye(&odd, &first, n(1)), None);
}

#[test]
fn what_is_fixed_or_barred_is_said_and_not_asked() {
    let mut stage = stage(8, 5);
    stage.pairing.forbidden_pairs = vec![(n(3), n(4))];
    stage.rounds = vec![played(
        1,
        &[(1, 2, Black), (3, 6, Black), (4, 5, Black), (7, 8, Draw)],
        &[],
    )];
    let choices = Choices {
        pairs: vec![(n(1), n(2))],
        apart: vec![(n(5), n(8))],
        sitting_out: vec![n(6), n(7)],
        ..Choices::default()
    };
    let second = paired(&stage, choices).expect("a second round");
    let ask = |one, other| not_met(&stage, &second, n(one), n(other));
    assert!(matches!(ask(1, 2), NotMet::Meet { .. }));
    assert_eq!(ask(1, 3), NotMet::Chosen { number: n(1) });
    assert_eq!(ask(3, 4), NotMet::Barred(Bar::ForbiddenPair));
    assert_eq!(ask(8, 5), NotMet::Barred(Bar::Apart));
    assert_eq!(ask(3, 6), NotMet::NotPaired { number: n(6) });
    match ask(4, 5) {
        NotMet::With { met, then } => {
            assert_eq!(met, [1]);
            assert_eq!(
                then,
                Without::Worse(Change {
                    measure: Measure::Repeats,
                    group: None,
                    from: 1,
                    to: 2
                })
            );
        }
        other => panic!("{other:?}"),
    }
    let report = reasons(&stage, &second);
    let chosen = report
        .boards
        .iter()
        .find(|board| board.chosen)
        .expect("1 against 2");
    assert_eq!(chosen.without, None);
    assert!(chosen.properties.iter().any(|reason| matches!(
        reason.property,
        Property::Repeat {
            times: 1,
            just_before: true
        }
    )));
}

#[test]
fn a_table_changed_by_hand_is_told_what_is_better() {
    let mut stage = stage(4, 5);
    stage.rounds = vec![played(1, &[(1, 2, Black), (3, 4, Black)], &[])];
    let worse = table(2, &[(4, 1), (2, 3)], &[]);
    let report = reasons(&stage, &worse);
    let float = &report.boards[0].properties[0];
    assert_eq!(
        float.without,
        Some(Without::Better(Change {
            measure: Measure::FloatsAcross,
            group: Some(Score(2)),
            from: 2,
            to: 0
        }))
    );
    assert!(
        report
            .values
            .iter()
            .any(|value| value.proof == Proof::Better && value.least == 0)
    );
}
