//! What must not change, or only in a known way, when an event is told otherwise: each test says in
//! one line why that follows from the pairing specification.
//!
//! `TIANYUAN_EVENTS=5000` plays so many events per test instead of the usual few, `TIANYUAN_SEED=7`
//! begins at that seed.

mod support;

use std::collections::BTreeMap;

use support::events::{Dice, carried_over};
use support::seeds;
use tournament::checker::judge;
use tournament::pairing::{Confirmed, Pairing, Refusal, Request, again, pair};
use tournament::simulate::{Simulation, paired, simulate_requests};
use tournament::{
    Board, Choices, Colours, Entry, Number, NumberOrder, Outcome, PairingOrder, Round, Score, Side, Stage,
    TeamAvoidance,
};

const USUAL_EVENTS: u64 = 80;

/// A round of an event, as it is about to be paired.
struct Case {
    seed: u64,
    stage: Stage,
    request: Request,
    pairing: Pairing,
}

impl Case {
    fn place(&self) -> String {
        format!("seed {} round {}", self.seed, self.pairing.round)
    }

    /// The table of the same round, when the stage and what is asked for are told otherwise.
    fn told(&self, stage: &Stage, request: &Request) -> Pairing {
        pair(stage, request.clone())
            .unwrap_or_else(|refusal| panic!("{}: {refusal}\n{stage:?}\n{request:?}", self.place()))
    }

    /// Asserts that the same boards and byes come out.
    fn same(&self, stage: &Stage, request: &Request) {
        let told = self.told(stage, request);
        let (table, expected) = (
            (&told.boards, &told.byes),
            (&self.pairing.boards, &self.pairing.byes),
        );
        assert_eq!(table, expected, "{}: {:?}\n{request:?}", self.place(), self.stage);
    }

    fn dice(&self) -> Dice {
        Dice::new(self.seed * 100 + u64::from(self.pairing.round))
    }
}

/// Plays events of every kind, as `tweak` leaves them, and shows each round that can be paired.
fn every_round(most: u32, tweak: impl Fn(&mut Simulation), mut check: impl FnMut(&Case)) {
    for seed in seeds(USUAL_EVENTS) {
        let mut simulation = Simulation::mixed(2..=most, 1..=9, seed);
        tweak(&mut simulation);
        simulate_requests(&simulation, |stage, request| {
            let pairing = paired(stage, request).ok()?;
            let round = pairing.to_round();
            check(&Case {
                seed,
                stage: stage.clone(),
                request: Request {
                    choices: pairing.choices.clone(),
                    ..request.clone()
                },
                pairing,
            });
            Some(round)
        });
    }
}

fn as_they_come(_: &mut Simulation) {}

fn shuffle<T>(items: &mut [T], dice: &mut Dice) {
    for last in (1..items.len()).rev() {
        let other = dice.below(u32::try_from(last + 1).expect("a short list")) as usize;
        items.swap(last, other);
    }
}

fn of_pair(one: Number, other: Number) -> (Number, Number) {
    (one.min(other), one.max(other))
}

/// Pairs by board, whoever has Black.
fn pairs(boards: &[Board]) -> Vec<(Number, Number)> {
    boards
        .iter()
        .map(|board| of_pair(board.black, board.white))
        .collect()
}

/// The stage with other numbers.
fn renumbered(stage: &Stage, number: impl Fn(Number) -> Number) -> Stage {
    let two = |(one, other): &(Number, Number)| of_pair(number(*one), number(*other));
    let mut stage = stage.clone();
    for entry in &mut stage.entries {
        entry.number = number(entry.number);
        for met in entry.carried.iter_mut().flat_map(|carried| &mut carried.met) {
            *met = number(*met);
        }
    }
    let settings = &mut stage.pairing;
    for list in [&mut settings.forbidden_pairs, &mut settings.unwanted_pairs] {
        *list = list.iter().map(two).collect();
        list.sort_unstable();
    }
    for round in &mut stage.rounds {
        *round = Round {
            boards: boards_renumbered(&round.boards, &number),
            byes: round.byes.iter().copied().map(&number).collect(),
            absent: round.absent.iter().copied().map(&number).collect(),
            choices: choices_renumbered(&round.choices, &number),
            ..round.clone()
        };
    }
    stage
}

fn boards_renumbered(boards: &[Board], number: impl Fn(Number) -> Number) -> Vec<Board> {
    let board = |board: &Board| Board {
        black: number(board.black),
        white: number(board.white),
        ..*board
    };
    boards.iter().map(board).collect()
}

fn choices_renumbered(choices: &Choices, number: impl Fn(Number) -> Number) -> Choices {
    let two = |(one, other): &(Number, Number)| of_pair(number(*one), number(*other));
    Choices {
        pairs: choices.pairs.iter().map(two).collect(),
        apart: choices.apart.iter().map(two).collect(),
        byes: choices.byes.iter().copied().map(&number).collect(),
        sitting_out: choices.sitting_out.iter().copied().map(&number).collect(),
    }
}

/// Asserts that the table of a renumbered stage is the renumbered table.
fn same_renumbered(case: &Case, stage: &Stage, number: impl Fn(Number) -> Number) {
    let request = Request {
        choices: choices_renumbered(&case.request.choices, &number),
        ..case.request.clone()
    };
    let told = case.told(&renumbered(stage, &number), &request);
    let expected = boards_renumbered(&case.pairing.boards, &number);
    assert_eq!(told.boards, expected, "{}", case.place());
    let byes: Vec<Number> = case.pairing.byes.iter().copied().map(&number).collect();
    assert_eq!(told.byes.len(), byes.len(), "{}", case.place());
    assert!(byes.iter().all(|bye| told.byes.contains(bye)), "{}", case.place());
    assert_eq!(told.criteria, case.pairing.criteria, "{}", case.place());
}

/// A table is a function of what happened, not of the order in which it was written down.
#[test]
fn the_order_of_lists_says_nothing() {
    every_round(40, as_they_come, |case| {
        let (mut stage, mut request, mut dice) = (case.stage.clone(), case.request.clone(), case.dice());
        shuffle(&mut stage.entries, &mut dice);
        shuffle(&mut stage.pairing.forbidden_pairs, &mut dice);
        shuffle(&mut stage.pairing.unwanted_pairs, &mut dice);
        for entry in &mut stage.entries {
            shuffle(&mut entry.absent_rounds, &mut dice);
            shuffle(&mut entry.bye_rounds, &mut dice);
        }
        for round in &mut stage.rounds {
            shuffle(&mut round.boards, &mut dice);
            shuffle(&mut round.byes, &mut dice);
            shuffle(&mut round.absent, &mut dice);
        }
        shuffle(&mut request.choices.pairs, &mut dice);
        shuffle(&mut request.choices.apart, &mut dice);
        let told = case.told(&stage, &request);
        let expected = Pairing {
            choices: request.choices,
            ..case.pairing.clone()
        };
        assert_eq!(told, expected, "{}", case.place());
    });
}

/// A meeting noted with one of the two, with both or in another order is the same meeting.
#[test]
fn the_order_of_histories_says_nothing() {
    every_round(30, as_they_come, |case| {
        let after = case.pairing.round - 1;
        if after == 0 {
            return;
        }
        let stage = carried_over(&case.stage, after);
        let Ok(pairing) = pair(&stage, case.request.clone()) else {
            return;
        };
        let (mut told, mut dice) = (stage.clone(), case.dice());
        for entry in &mut told.entries {
            let number = entry.number;
            if let Some(carried) = &mut entry.carried {
                shuffle(&mut carried.met, &mut dice);
                carried.met.retain(|other| *other < number || dice.one_in(2));
            }
        }
        assert_eq!(case.told(&told, &case.request), pairing, "{}", case.place());
    });
}

/// Only the order of numbers matters, not how large they are.
#[test]
fn numbers_with_gaps_give_the_same_table() {
    every_round(40, as_they_come, |case| {
        let shift = case.dice().below(50);
        let number = |number: Number| {
            let number = number.get();
            Number::new(number * 7 + shift + number * number).expect("small enough")
        };
        same_renumbered(case, &case.stage, number);
    });
}

/// Descending, the largest number comes first: with numbers from the other end that is the same list.
#[test]
fn numbers_from_the_other_end_and_the_other_direction_give_the_same_table() {
    let by_number = |simulation: &mut Simulation| {
        simulation.pairing.order = PairingOrder::Classic;
        if simulation.pairing.colours == Colours::Lots {
            simulation.pairing.colours = Colours::Number;
        }
        if simulation.pairing.number_order == NumberOrder::Alternate {
            simulation.pairing.number_order = NumberOrder::Ascending;
        }
    };
    every_round(40, by_number, |case| {
        let mut stage = case.stage.clone();
        stage.pairing.number_order = match stage.pairing.number_order {
            NumberOrder::Descending => NumberOrder::Ascending,
            _ => NumberOrder::Descending,
        };
        same_renumbered(case, &stage, |number| {
            Number::new(1000 - number.get()).expect("small enough")
        });
    });
}

/// No criterion and no order looks at names; of teams, only who has the same one matters.
#[test]
fn names_say_nothing() {
    every_round(40, as_they_come, |case| {
        let mut stage = case.stage.clone();
        let names: Vec<String> = stage
            .entries
            .iter()
            .rev()
            .map(|entry| entry.name.clone())
            .collect();
        for (entry, name) in stage.entries.iter_mut().zip(names) {
            entry.name = name;
            entry.category = Some("open".to_owned());
            entry.team = match entry.team.take() {
                Some(team) => Some(team.chars().rev().chain(" of old".chars()).collect()),
                // A team of one has no mates.
                None => Some(format!("{} alone", entry.number)),
            };
        }
        case.same(&stage, &case.request);
    });
}

/// P4 counts team mates as it counts unwanted pairs; absolute, both bar a pair as a forbidden one does.
#[test]
fn team_mates_are_unwanted_pairs_by_another_name() {
    let with_teams = |simulation: &mut Simulation| {
        simulation.teams = simulation.teams.max(500);
        simulation.pairing.avoid_team_rounds = 100;
    };
    every_round(30, with_teams, |case| {
        let mut stage = case.stage.clone();
        let mut mates = Vec::new();
        for (at, one) in stage.entries.iter().enumerate() {
            for other in &stage.entries[at + 1..] {
                if one.team.is_some() && one.team == other.team {
                    mates.push(of_pair(one.number, other.number));
                }
            }
        }
        for entry in &mut stage.entries {
            entry.team = None;
        }
        let settings = &mut stage.pairing;
        let list = match settings.team_avoidance {
            TeamAvoidance::Absolute => &mut settings.forbidden_pairs,
            _ => &mut settings.unwanted_pairs,
        };
        // A pair of mates that the director fixes may be made; a forbidden one may not.
        mates.retain(|pair| !list.contains(pair) && !case.request.choices.pairs.contains(pair));
        list.extend(mates);
        list.sort_unstable();
        if let Ok(told) = pair(&stage, case.request.clone()) {
            assert_eq!(
                pairs(&told.boards),
                pairs(&case.pairing.boards),
                "{}",
                case.place()
            );
            assert_eq!(told.byes, case.pairing.byes, "{}", case.place());
        }
    });
}

/// The field is who takes part: those who do not leave no trace in it.
#[test]
fn entries_that_are_out_change_nothing() {
    every_round(40, as_they_come, |case| {
        let mut stage = renumbered(&case.stage, |number| {
            Number::new(number.get() * 2).expect("small")
        });
        let mut dice = case.dice();
        for _ in 0..2 {
            let number = Number::new(1 + 2 * dice.below(40)).expect("small");
            if stage.entry(number).is_none() {
                let mut entry = Entry::new(number, "Nobody");
                entry.withdrawn_after = Some(0);
                entry.start_score = Score(i32::try_from(dice.below(5)).expect("small"));
                entry.rating = Some(9000);
                entry.team = stage.entries[0].team.clone();
                stage.entries.push(entry);
            }
        }
        let request = Request {
            choices: choices_renumbered(&case.request.choices, |number| {
                Number::new(number.get() * 2).expect("small")
            }),
            ..case.request.clone()
        };
        let told = case.told(&stage, &request);
        let expected = boards_renumbered(&case.pairing.boards, |number| {
            Number::new(number.get() * 2).expect("small")
        });
        assert_eq!(told.boards, expected, "{}", case.place());
        assert_eq!(told.criteria, case.pairing.criteria, "{}", case.place());
    });
}

/// Withdrawn, absent by the own word and sitting out by the director's: in each case not in the field.
#[test]
fn it_does_not_matter_why_somebody_is_out() {
    every_round(40, as_they_come, |case| {
        let (mut stage, mut request) = (case.stage.clone(), case.request.clone());
        let round = case.pairing.round;
        let mut out = std::mem::take(&mut request.choices.sitting_out);
        let mut dice = case.dice();
        for entry in &mut stage.entries {
            if out.contains(&entry.number) {
                if dice.one_in(2) {
                    entry.absent_rounds.push(round);
                } else {
                    entry.withdrawn_after = Some(round - 1);
                }
            } else if entry.absent_rounds.contains(&round)
                && entry.withdrawn_after.is_none()
                && dice.one_in(2)
            {
                entry.absent_rounds.retain(|absent| *absent != round);
                request.choices.sitting_out.push(entry.number);
                out.push(entry.number);
            }
        }
        case.same(&stage, &request);
    });
}

/// Fewer tables to choose from, the best one still among them: it is the best one still.
#[test]
fn keeping_apart_who_does_not_meet_changes_nothing() {
    every_round(40, as_they_come, |case| {
        let made = pairs(&case.pairing.boards);
        let playing: Vec<Number> = made.iter().flat_map(|(one, other)| [*one, *other]).collect();
        let (mut stage, mut request, mut dice) = (case.stage.clone(), case.request.clone(), case.dice());
        for _ in 0..12 {
            let mut any = || playing[dice.below(u32::try_from(playing.len()).expect("few")) as usize];
            let pair = of_pair(any(), any());
            let settings = &mut stage.pairing;
            if pair.0 == pair.1 || made.contains(&pair) || settings.forbidden_pairs.contains(&pair) {
                continue;
            }
            match dice.below(3) {
                0 if !settings.unwanted_pairs.contains(&pair) => settings.unwanted_pairs.push(pair),
                1 if !request.choices.apart.contains(&pair) => request.choices.apart.push(pair),
                _ => settings.forbidden_pairs.push(pair),
            }
        }
        case.same(&stage, &request);
    });
}

/// Every table that is left was there before, so none is better than the best was.
#[test]
fn keeping_apart_who_meets_makes_nothing_better() {
    every_round(30, as_they_come, |case| {
        let mut dice = case.dice();
        for two in pairs(&case.pairing.boards) {
            if case.request.choices.pairs.contains(&two) || !dice.one_in(3) {
                continue;
            }
            let mut request = case.request.clone();
            request.choices.apart.push(two);
            match pair(&case.stage, request) {
                Ok(other) => {
                    assert!(
                        other.criteria >= case.pairing.criteria,
                        "{} {two:?}",
                        case.place()
                    );
                    assert!(!pairs(&other.boards).contains(&two), "{} {two:?}", case.place());
                }
                Err(Refusal::TooFewPlayers { .. } | Refusal::MissingResults { .. }) => {
                    panic!("{}: refused for want of players or results", case.place())
                }
                // There may be no other table.
                Err(_) => {}
            }
        }
    });
}

/// A pair that is fixed costs what it costs; what is best for the others stays so. Where a half of the
/// list counts (fold), a list without the two has other halves.
#[test]
fn fixing_what_comes_out_anyway_changes_nothing() {
    let whole_list = |simulation: &mut Simulation| {
        if simulation.pairing.order == PairingOrder::Fold {
            simulation.pairing.order = PairingOrder::Slide;
        }
    };
    every_round(40, whole_list, |case| {
        let mut dice = case.dice();
        let few = 1 + dice.below(4);
        let mut request = case.request.clone();
        for two in pairs(&case.pairing.boards) {
            let fixed = &mut request.choices.pairs;
            if dice.one_in(few) && !fixed.contains(&two) && !forbidden(&case.stage, two) {
                fixed.push(two);
            }
        }
        case.same(&case.stage, &request);
    });
}

fn forbidden(stage: &Stage, two: (Number, Number)) -> bool {
    stage.pairing.forbidden_pairs.contains(&two)
}

/// The bye is chosen before anybody is paired.
#[test]
fn giving_the_bye_to_whom_it_falls_anyway_changes_nothing() {
    every_round(40, as_they_come, |case| {
        let mut request = case.request.clone();
        let asked = |number: &Number| {
            let entry = case.stage.entry(*number).expect("an entry");
            entry.bye_rounds.contains(&case.pairing.round)
        };
        for bye in &case.pairing.byes {
            if !asked(bye) && !request.choices.byes.contains(bye) {
                request.choices.byes.push(*bye);
            }
        }
        case.same(&case.stage, &request);
    });
}

/// The costs of a table are those of its pairs: without one pair, the others are the best of the rest.
#[test]
fn without_a_pair_the_rest_is_the_best_of_the_rest() {
    every_round(30, as_they_come, |case| {
        let mut dice = case.dice();
        for board in &case.pairing.boards {
            let two = of_pair(board.black, board.white);
            if case.request.choices.pairs.contains(&two) || !dice.one_in(4) {
                continue;
            }
            let mut request = case.request.clone();
            request.choices.sitting_out.extend([two.0, two.1]);
            request.choices.apart.retain(|apart| {
                [apart.0, apart.1]
                    .iter()
                    .all(|number| ![two.0, two.1].contains(number))
            });
            let Ok(rest) = pair(&case.stage, request.clone()) else {
                assert!(case.pairing.boards.len() == 1, "{}", case.place());
                continue;
            };
            let mut left: Vec<Board> = case
                .pairing
                .boards
                .iter()
                .filter(|other| *other != board)
                .copied()
                .collect();
            for (board, number) in left.iter_mut().zip(1..) {
                board.board = number;
            }
            let expected = Round {
                boards: left,
                byes: case.pairing.byes.clone(),
                ..rest.to_round()
            };
            let reached = judge(&case.stage, &expected).reached;
            assert_eq!(rest.criteria, reached, "{} without {two:?}", case.place());
            let settings = &case.stage.pairing;
            let by_lots = settings.needs_seed();
            if !by_lots && settings.order != PairingOrder::Fold {
                assert_eq!(rest.boards, expected.boards, "{} without {two:?}", case.place());
                assert_eq!(rest.byes, expected.byes, "{} without {two:?}", case.place());
            }
        }
    });
}

/// Everybody is owed the other colour then, so whoever was owed the same one still is.
#[test]
fn with_all_colours_swapped_the_same_pairs_meet() {
    every_round(40, as_they_come, |case| {
        let mut stage = case.stage.clone();
        for board in stage.rounds.iter_mut().flat_map(|round| &mut round.boards) {
            (board.black, board.white) = (board.white, board.black);
            board.result = board.result.map(mirrored);
        }
        for carried in stage
            .entries
            .iter_mut()
            .filter_map(|entry| entry.carried.as_mut())
        {
            carried.balance = -carried.balance;
        }
        let told = case.told(&stage, &case.request);
        assert_eq!(
            pairs(&told.boards),
            pairs(&case.pairing.boards),
            "{}",
            case.place()
        );
        assert_eq!(told.byes, case.pairing.byes, "{}", case.place());
        assert_eq!(told.criteria, case.pairing.criteria, "{}", case.place());
        let balance = balances(&case.stage);
        for (one, other) in told.boards.iter().zip(&case.pairing.boards) {
            let third = case.stage.pairing.third_colour != tournament::ThirdColour::Allowed;
            if case.stage.pairing.colours != Colours::Nigiri
                && !third
                && balance[&one.black] != balance[&one.white]
            {
                assert_eq!(one.black, other.white, "{} board {}", case.place(), one.board);
            }
        }
    });
}

fn mirrored(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Black => Outcome::White,
        Outcome::White => Outcome::Black,
        Outcome::BlackForfeit => Outcome::WhiteForfeit,
        Outcome::WhiteForfeit => Outcome::BlackForfeit,
        Outcome::Draw | Outcome::BothLose | Outcome::BothForfeit => outcome,
    }
}

/// Games as White less games as Black.
fn balances(stage: &Stage) -> BTreeMap<Number, i32> {
    let mut balances: BTreeMap<Number, i32> = stage.entries.iter().map(|entry| (entry.number, 0)).collect();
    for board in stage.rounds.iter().flat_map(|round| &round.boards) {
        if board.result.is_some_and(Outcome::played) && !board.nigiri {
            for (side, one) in [(Side::White, 1), (Side::Black, -1)] {
                *balances.entry(board.on(side)).or_default() += one;
            }
        }
    }
    balances
}

/// Scores are only ever compared and subtracted from one another.
#[test]
fn more_points_for_everybody_change_nothing() {
    every_round(40, as_they_come, |case| {
        let mut stage = case.stage.clone();
        let more = Score(i32::try_from(1 + case.dice().below(9)).expect("small"));
        for entry in &mut stage.entries {
            entry.start_score += more;
        }
        stage.pairing.stop_at = stage.pairing.stop_at.map(|enough| enough + more);
        case.same(&stage, &case.request);
    });
}

/// The same groups in the same order; and squares of differences that are all as many times larger.
#[test]
fn scores_in_another_unit_change_nothing() {
    every_round(30, as_they_come, |case| {
        let after = case.pairing.round - 1;
        if after == 0 {
            return;
        }
        let stage = carried_over(&case.stage, after);
        let Ok(pairing) = pair(&stage, case.request.clone()) else {
            return;
        };
        let times = i32::try_from(2 + case.dice().below(4)).expect("small");
        let mut told = stage.clone();
        for entry in &mut told.entries {
            entry.start_score.0 *= times;
            if let Some(carried) = &mut entry.carried {
                carried.score.0 *= times;
            }
        }
        told.pairing.stop_at = told.pairing.stop_at.map(|enough| Score(enough.0 * times));
        let told = case.told(&told, &case.request);
        assert_eq!(
            (&told.boards, &told.byes),
            (&pairing.boards, &pairing.byes),
            "{}",
            case.place()
        );
        let borders = |pairing: &Pairing| -> Vec<u32> {
            pairing
                .criteria
                .floats
                .iter()
                .map(|border| border.pairs)
                .collect()
        };
        assert_eq!(borders(&told), borders(&pairing), "{}", case.place());
        let square = u64::try_from(times * times).expect("small");
        assert_eq!(
            told.criteria.float_squares,
            pairing.criteria.float_squares * square,
            "{}",
            case.place()
        );
    });
}

/// What is recorded with a round is all that its pairing needs.
#[test]
fn a_recorded_round_comes_out_again() {
    every_round(40, as_they_come, |case| {
        let mut stage = case.stage.clone();
        stage.rounds.push(case.pairing.to_round());
        let recorded = stage.rounds.last().expect("just recorded");
        let again = again(&stage, recorded).unwrap_or_else(|refusal| panic!("{}: {refusal}", case.place()));
        assert_eq!(
            (&again.boards, &again.byes),
            (&case.pairing.boards, &case.pairing.byes),
            "{}",
            case.place()
        );
    });
}

/// Two fields of which no pair across is allowed, one above the other: costs add up, groups come one
/// after the other, so each gets the table that it gets alone.
#[test]
fn two_fields_that_never_mix_are_paired_as_each_is_alone() {
    let mut rounds = 0;
    for seed in seeds(USUAL_EVENTS) {
        let events = [2 * seed, 2 * seed + 1].map(|part| field_of_its_own(seed, part));
        for after in 0..events.iter().map(|stage| stage.rounds.len()).min().unwrap_or(0) {
            let after = u32::try_from(after).expect("few rounds");
            let [above, below] = [&events[0], &events[1]].map(|stage| stage.after(after));
            let alone = [&above, &below].map(|stage| pair(stage, leave()).expect("paired before"));
            let playing = |of: &Pairing| 2 * of.boards.len() + of.byes.len();
            // With a bye above, the two would have to share one.
            if !alone[0].byes.is_empty() || playing(&alone[1]) < 2 {
                continue;
            }
            let together = above_one_another(&above, &below);
            let told = pair(&together, leave()).unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}"));
            let mut expected = alone[0].boards.clone();
            expected.extend(boards_renumbered(&alone[1].boards, below_all));
            for (board, number) in expected.iter_mut().zip(1..) {
                board.board = number;
            }
            let place = format!("seed {seed} round {}", after + 1);
            assert_eq!(told.boards, expected, "{place}");
            let byes: Vec<Number> = alone[1].byes.iter().copied().map(below_all).collect();
            assert_eq!(told.byes, byes, "{place}");
            rounds += 1;
        }
    }
    assert!(rounds > 50, "{rounds}");
}

fn leave() -> Confirmed {
    Confirmed {
        repeats: true,
        provisional: false,
    }
}

/// An event whose settings come from `seed` and whose players from `part`.
fn field_of_its_own(seed: u64, part: u64) -> Stage {
    let mut settings = Simulation::mixed(2..=20, 7..=7, seed).pairing;
    // Lots are drawn for everybody at once.
    if settings.order == PairingOrder::Random {
        settings.order = PairingOrder::Classic;
    }
    if settings.colours == Colours::Lots {
        settings.colours = Colours::Alternate;
    }
    settings.stop_at = None;
    let simulation = Simulation {
        pairing: settings,
        choices: 0,
        bye_requests: 0,
        ..Simulation::mixed(2..=20, 7..=7, part)
    };
    simulate_requests(&simulation, |stage, _| {
        pair(stage, leave()).ok().map(|pairing| pairing.to_round())
    })
}

fn below_all(number: Number) -> Number {
    Number::new(number.get() + 100).expect("small")
}

fn above_one_another(above: &Stage, below: &Stage) -> Stage {
    let (mut stage, below) = (above.clone(), renumbered(below, below_all));
    for entry in &mut stage.entries {
        entry.start_score += Score(500);
    }
    for one in &stage.entries {
        for other in &below.entries {
            stage
                .pairing
                .forbidden_pairs
                .push(of_pair(one.number, other.number));
        }
    }
    stage
        .pairing
        .forbidden_pairs
        .extend(&below.pairing.forbidden_pairs);
    stage.pairing.forbidden_pairs.sort_unstable();
    stage.pairing.unwanted_pairs.extend(&below.pairing.unwanted_pairs);
    // The same names of clubs on both sides: nobody meets across anyway.
    stage.entries.extend(below.entries);
    for (round, more) in stage.rounds.iter_mut().zip(below.rounds) {
        let boards = u32::try_from(round.boards.len()).expect("few boards");
        round.boards.extend(more.boards.into_iter().map(|board| Board {
            board: board.board + boards,
            ..board
        }));
        round.byes.extend(more.byes);
        round.absent.extend(more.absent);
    }
    stage
}
