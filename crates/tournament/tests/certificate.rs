//! Certificates: those of the engine hold for the checker, and nothing that was changed does.

mod support;

use support::events::{Dice, by_lot, engine, event};
use support::{n, played, stage, table};
use tournament::certificate::{Certificate, Duals, OddSet, Whole};
use tournament::checker::{CertificateFault, Facts, Level, judge, verify};
use tournament::pairing::{Request, prove};
use tournament::simulate::{self, Simulation, simulate_requests};
use tournament::{Outcome, Round, Stage};

fn duals(certificate: &Certificate) -> Duals {
    match certificate {
        Certificate::Duals(duals) => duals.clone(),
        Certificate::Counting(_) => panic!("dual values were asked for"),
    }
}

fn with(duals: &Duals, change: impl FnOnce(&mut Duals)) -> Certificate {
    let mut changed = duals.clone();
    change(&mut changed);
    Certificate::Duals(changed)
}

fn more(value: &Whole, by: i64) -> Whole {
    let mut limbs = value.limbs().to_vec();
    let (sign, add) = (value.is_negative(), if by < 0 { u64::MAX } else { 0 });
    limbs.resize(limbs.len() + 2, if sign { u64::MAX } else { 0 });
    let mut carry = 0_u128;
    for (at, limb) in limbs.iter_mut().enumerate() {
        let part = if at == 0 { by.cast_unsigned() } else { add };
        let sum = u128::from(*limb) + u128::from(part) + carry;
        *limb = u64::try_from(sum & u128::from(u64::MAX)).expect("one limb");
        carry = sum >> 64;
    }
    Whole::from_limbs(&limbs)
}

#[test]
fn every_table_of_the_engine_has_a_certificate_that_holds() {
    let (mut rounds, mut counted, mut sets) = (0, 0, 0);
    for seed in 0..160 {
        event(seed, 2, 60, |stage, request| {
            let table = engine(stage, request)?;
            let place = format!("seed {seed}, round {}", table.round);
            let facts = Facts::of(stage, &table);
            if (0..facts.players.len()).all(|place| !facts.free(place)) {
                assert!(
                    prove::by_counting(stage, &table).is_some(),
                    "{place}: all is fixed"
                );
                return Some(table);
            }
            let certificate = prove::by_duals(stage, &table).unwrap_or_else(|| panic!("{place}"));
            assert_eq!(verify(stage, &table, &certificate), Ok(()), "{place}");
            sets += duals(&certificate).sets.len();
            rounds += 1;
            if let Some(certificate) = prove::by_counting(stage, &table) {
                assert_eq!(verify(stage, &table, &certificate), Ok(()), "{place}");
                counted += 1;
            }
            Some(table)
        });
    }
    eprintln!("{rounds} rounds, {counted} proved by counting, {sets} odd sets");
    assert!(rounds > 400 && counted * 2 > rounds && sets > 20);
}

/// Every setting, and choices of the director: the checker finds nothing, and a certificate holds.
#[test]
fn events_of_every_kind_are_sound_and_have_certificates() {
    let (mut rounds, mut fixed) = (0, 0);
    for seed in 0..300 {
        simulate_requests(&Simulation::mixed(2..=50, 1..=9, seed), |stage, request| {
            let pairing = simulate::paired(stage, request).ok()?;
            let table = pairing.to_round();
            let place = format!("seed {seed}, round {}: {:?}", table.round, stage.pairing);
            let judged = judge(stage, &table);
            assert!(judged.is_sound(), "{place}: {:?}", judged.findings);
            assert_eq!(judged.at(Level::Warning).next(), None, "{place}");
            assert_eq!(judged.reached, pairing.criteria, "{place}");
            for value in &judged.values {
                assert!(value.least <= value.reached, "{place}: {value:?}");
            }
            let certificate = prove::by_counting(stage, &table).or_else(|| prove::by_duals(stage, &table));
            let certificate = certificate.unwrap_or_else(|| panic!("{place}: {:?}", judged.values));
            assert_eq!(verify(stage, &table, &certificate), Ok(()), "{place}");
            if let Some(certificate) = prove::by_duals(stage, &table) {
                assert_eq!(verify(stage, &table, &certificate), Ok(()), "{place}");
            }
            rounds += 1;
            fixed += u32::from(!table.choices.is_empty());
            Some(table)
        });
    }
    assert!(
        rounds > 900 && fixed > 50,
        "{rounds} rounds, {fixed} with something fixed"
    );
}

/// The proof of one table is no proof of a worse one, and none can be made.
#[test]
fn a_worse_table_has_no_certificate() {
    let mut worse = 0;
    for seed in 0..80 {
        let mut dice = Dice::new(seed);
        event(seed, 4, 30, |stage, request| {
            let best = engine(stage, request)?;
            let certificate = prove::by_duals(stage, &best)?;
            let mut other = by_lot(stage, &mut dice)?;
            other.choices.clone_from(&best.choices);
            other.seed = best.seed;
            let reached = (judge(stage, &other).reached, judge(stage, &best).reached);
            let fault = verify(stage, &other, &certificate);
            if reached.0 > reached.1 {
                worse += 1;
                assert!(fault.is_err(), "seed {seed}: {reached:?}");
                assert_eq!(prove::certificate(stage, &other), None, "seed {seed}");
            }
            Some(best)
        });
    }
    assert!(worse > 150, "{worse}");
}

/// A round whose proof needs odd sets: three players of one group who can meet only one another.
fn with_sets() -> (Stage, Round, Duals) {
    for seed in 0..400 {
        let mut found = None;
        event(seed, 7, 31, |stage, request| {
            let table = engine(stage, request)?;
            if let Some(certificate) = prove::by_duals(stage, &table) {
                let duals = duals(&certificate);
                if found.is_none() && duals.bye.is_some() && !duals.sets.is_empty() {
                    found = Some((stage.clone(), table.clone(), duals));
                }
            }
            Some(table)
        });
        if let Some(found) = found {
            return found;
        }
    }
    panic!("no round with a bye needs odd sets");
}

#[test]
fn whatever_is_changed_is_found_and_named() {
    let (stage, table, duals) = with_sets();
    let fault = |certificate: &Certificate| verify(&stage, &table, certificate).expect_err("it was changed");
    assert_eq!(verify(&stage, &table, &Certificate::Duals(duals.clone())), Ok(()));

    // A value that is larger fits some pair no more, or the sum; one that is smaller never adds up.
    for at in 0..duals.players.len() {
        let larger = fault(&with(&duals, |d| {
            d.players[at].value = more(&d.players[at].value, 4);
        }));
        match larger {
            CertificateFault::Pair { first, second } => {
                let players = &duals.players[at].players;
                assert!(players.contains(&first) || players.contains(&second));
            }
            CertificateFault::ByeCost { number } => assert!(duals.players[at].players.contains(&number)),
            other => panic!("{other:?}"),
        }
        let smaller = fault(&with(&duals, |d| {
            d.players[at].value = more(&d.players[at].value, -4);
        }));
        assert!(
            matches!(smaller, CertificateFault::Sum { less: true, .. }),
            "{smaller:?}"
        );
    }
    let bye = fault(&with(&duals, |d| d.bye = d.bye.as_ref().map(|bye| more(bye, 4))));
    assert!(matches!(bye, CertificateFault::ByeCost { .. }), "{bye:?}");

    // Sets.
    let set = &duals.sets[0];
    let smaller = fault(&with(&duals, |d| d.sets[0].value = Whole::default()));
    match smaller {
        CertificateFault::Pair { first, second } => {
            assert!(set.players.contains(&first) && set.players.contains(&second));
        }
        CertificateFault::ByeCost { number } => assert!(set.players.contains(&number) && set.bye),
        other => panic!("{other:?}"),
    }
    let larger = fault(&with(&duals, |d| d.sets[0].value = more(&d.sets[0].value, 4)));
    assert!(
        matches!(larger, CertificateFault::Sum { less: true, .. }),
        "{larger:?}"
    );
    let negative = fault(&with(&duals, |d| d.sets[0].value = Whole::from(-4)));
    assert_eq!(negative, CertificateFault::NegativeSet { set: 1 });
    let size = set.players.len() + usize::from(set.bye) - 1;
    let even = fault(&with(&duals, |d| {
        d.sets[0].players.pop();
    }));
    assert_eq!(even, CertificateFault::EvenSet { set: 1, size });
    let twice = fault(&with(&duals, |d| {
        let one = d.sets[0].players[0];
        d.sets[0].players.extend([one, one]);
    }));
    assert!(
        matches!(twice, CertificateFault::Twice { set: Some(1), .. }),
        "{twice:?}"
    );
    let no_set = fault(&with(&duals, |d| d.sets.clear()));
    assert!(matches!(
        no_set,
        CertificateFault::Pair { .. } | CertificateFault::ByeCost { .. }
    ));

    // Who is named.
    let missing = fault(&with(&duals, |d| {
        d.players[0].players.remove(0);
    }));
    assert_eq!(
        missing,
        CertificateFault::Missing {
            number: duals.players[0].players[0]
        }
    );
    let again = fault(&with(&duals, |d| {
        let one = d.players[0].players[0];
        d.players[1].players.push(one);
    }));
    assert!(
        matches!(again, CertificateFault::Twice { set: None, .. }),
        "{again:?}"
    );
    let unknown = fault(&with(&duals, |d| d.players[0].players.push(n(9999))));
    assert_eq!(unknown, CertificateFault::Unknown { number: n(9999) });
    let no_bye = fault(&with(&duals, |d| d.bye = None));
    assert_eq!(no_bye, CertificateFault::Bye { needed: true });

    // Digits: each of them missing, too narrow, in another order, over another one.
    for at in 0..duals.digits.len() {
        let gone = fault(&with(&duals, |d| {
            d.digits.remove(at);
        }));
        assert!(matches!(gone, CertificateFault::Digit { .. }), "{gone:?}");
        if at > 0 {
            let before = duals.digits[at - 1];
            let overlap = fault(&with(&duals, |d| d.digits[at].bit = before.bit));
            assert!(matches!(overlap, CertificateFault::Overlap { .. }), "{overlap:?}");
            let swapped = fault(&with(&duals, |d| d.digits.swap(at - 1, at)));
            assert!(matches!(swapped, CertificateFault::Digit { .. }), "{swapped:?}");
        }
        let narrow = fault(&with(&duals, |d| d.digits[at].width = 0));
        let digit = duals.digits[at];
        assert!(
            matches!(narrow, CertificateFault::Narrow { measure, group, .. } if (measure, group) == (digit.measure, digit.group))
                || (digit.measure == tournament::Measure::ByeSoFar),
            "{narrow:?}"
        );
    }
    let wide = fault(&with(&duals, |d| d.digits[0].bit = u32::MAX - 1));
    assert!(matches!(wide, CertificateFault::TooWide { .. }), "{wide:?}");
    let none = fault(&Certificate::Duals(Duals::default()));
    assert!(
        matches!(
            none,
            CertificateFault::Digit {
                at: 1,
                found: None,
                ..
            }
        ),
        "{none:?}"
    );
}

#[test]
fn another_table_than_the_proved_one_is_refused() {
    let (stage, table, duals) = with_sets();
    let certificate = Certificate::Duals(duals);
    let mut missing = table.clone();
    missing.boards.pop();
    let fault = verify(&stage, &missing, &certificate).expect_err("two have no place");
    assert!(matches!(fault, CertificateFault::Table(_)), "{fault}");
    // Results that were changed since: other scores, other costs.
    let mut other = stage.clone();
    for board in &mut other.rounds[0].boards {
        board.result = Some(match board.result {
            Some(Outcome::Black) => Outcome::White,
            _ => Outcome::Black,
        });
    }
    assert!(verify(&other, &table, &certificate).is_err());
}

#[test]
fn a_certificate_by_counting_is_counted_again() {
    let stage = stage(31, 5);
    let table = engine(&stage, &Request::default()).expect("a first round");
    let certificate = prove::by_counting(&stage, &table).expect("a first round has nothing against it");
    assert_eq!(verify(&stage, &table, &certificate), Ok(()));
    let Certificate::Counting(least) = certificate else {
        panic!("by counting")
    };
    let mut wrong = least.clone();
    wrong[4].least += 1;
    let fault = verify(&stage, &table, &Certificate::Counting(wrong)).expect_err("it was changed");
    assert!(
        matches!(
            fault,
            CertificateFault::Least {
                claimed: 1,
                proved: 0,
                ..
            }
        ),
        "{fault}"
    );
    let mut short = least.clone();
    short.pop();
    let fault = verify(&stage, &table, &Certificate::Counting(short)).expect_err("one is missing");
    assert!(
        matches!(fault, CertificateFault::Digit { found: None, .. }),
        "{fault}"
    );
    let mut worse = table.clone();
    let boards = worse.boards.len();
    worse.byes = vec![worse.boards[boards - 1].black];
    worse.boards[boards - 1].black = n(31);
    assert_eq!(
        verify(&stage, &worse, &Certificate::Counting(least)),
        Ok(()),
        "any bye is as good"
    );
}

/// Values that fit but do not add up are told from a table that could be better.
#[test]
fn the_first_difference_of_the_sums_is_named() {
    let mut stage = stage(4, 5);
    stage.rounds = vec![played(1, &[(1, 2, Outcome::Black), (3, 4, Outcome::Black)], &[])];
    let best = table(2, &[(3, 1), (4, 2)], &[]);
    let worse = table(2, &[(4, 1), (3, 2)], &[]);
    let certificate = prove::by_duals(&stage, &best).expect("the best table");
    let fault = verify(&stage, &worse, &certificate).expect_err("two floats more");
    assert_eq!(
        fault.to_string(),
        "the values add up to less than the table costs; the first difference is in pairs across the border below score 2"
    );
    let empty = with(&duals(&certificate), |d| {
        for shared in &mut d.players {
            shared.value = Whole::from(-4);
        }
        d.sets = vec![OddSet {
            value: Whole::default(),
            players: vec![n(1)],
            bye: false,
        }];
    });
    let fault = verify(&stage, &best, &empty).expect_err("nothing adds up");
    assert!(
        matches!(fault, CertificateFault::Sum { less: true, .. }),
        "{fault}"
    );
}
