//! Every setting of the pairing and every choice of the director, by what it does.

mod support;

use support::{n, played, stage};
use tournament::Outcome::{Black, BlackForfeit, Draw};
use tournament::draw::{Label, Seed, shuffled};
use tournament::pairing::{
    Confirmed, Contradiction, Note, Pairing, Place, Refusal, Request, Rule, Shortage, pair,
};
use tournament::{
    Carried, Choices, Colours, NumberOrder, OrderBy, PairingOrder, Score, Stage, TeamAvoidance, ThirdColour,
    standings, validate,
};

const SEED: Seed = Seed([7; 32]);

fn request(choices: Choices) -> Request {
    Request {
        choices,
        ..Request::default()
    }
}

fn with_seed() -> Request {
    Request {
        seed: Some(SEED),
        ..Request::default()
    }
}

fn paired(stage: &Stage, request: impl Into<Request>) -> Pairing {
    pair(stage, request).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// Black and White by board.
fn boards(pairing: &Pairing) -> Vec<(u32, u32)> {
    let boards = pairing.boards.iter();
    boards
        .map(|board| (board.black.get(), board.white.get()))
        .collect()
}

/// The same without colours, sorted.
fn pairs(pairing: &Pairing) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = boards(pairing)
        .into_iter()
        .map(|(one, other)| (one.min(other), one.max(other)))
        .collect();
    pairs.sort_unstable();
    pairs
}

fn byes(pairing: &Pairing) -> Vec<u32> {
    pairing.byes.iter().map(|number| number.get()).collect()
}

fn start(stage: &mut Stage, scores: &[i32]) {
    for (entry, score) in stage.entries.iter_mut().zip(scores) {
        entry.start_score = Score(*score);
    }
}

fn teams(stage: &mut Stage, teams: &[&str]) {
    for (entry, team) in stage.entries.iter_mut().zip(teams) {
        entry.team = Some((*team).to_owned());
    }
}

fn shortage(result: Result<Pairing, Refusal>) -> Shortage {
    match result {
        Err(Refusal::NoTable { because, .. } | Refusal::RepeatsNeeded { because, .. }) => *because,
        other => panic!("too few opponents were expected: {other:?}"),
    }
}

#[test]
fn numbers_run_the_way_the_setting_says() {
    let mut stage = stage(3, 5);
    // The last in order has the bye.
    for (order, last) in [
        (NumberOrder::Alternate, [3, 1]),
        (NumberOrder::Ascending, [3, 3]),
        (NumberOrder::Descending, [1, 1]),
    ] {
        stage.pairing.number_order = order;
        for (round, last) in (1..).zip(last) {
            stage.first_round = round;
            assert_eq!(byes(&paired(&stage, Request::default())), [last], "{order:?}");
        }
    }
}

#[test]
fn a_random_order_is_that_of_the_lots() {
    let mut stage = stage(9, 5);
    stage.entries[4].absent_rounds = vec![1];
    stage.pairing.order = PairingOrder::Random;
    assert_eq!(
        pair(&stage, Request::default()),
        Err(Refusal::SeedNeeded { round: 1 })
    );
    let active = [1, 2, 3, 4, 6, 7, 8, 9];
    let order: Vec<u32> = shuffled(SEED, Label::Order, 8)
        .into_iter()
        .map(|who| active[who])
        .collect();
    let mut expected: Vec<(u32, u32)> = order
        .chunks(2)
        .map(|two| (two[0].min(two[1]), two[0].max(two[1])))
        .collect();
    let pairing = paired(&stage, with_seed());
    assert_eq!(
        boards(&pairing),
        expected,
        "in this order; the smaller number has Black"
    );
    expected.sort_unstable();
    assert_eq!(pairs(&pairing), expected);
    assert_eq!(pairing.to_round().seed, Some(SEED));
}

#[test]
fn fold_and_slide_go_by_rating_grade_or_number() {
    let mut stage = stage(8, 5);
    let ratings = [
        None,
        Some(1500),
        Some(1800),
        Some(1500),
        Some(2100),
        None,
        Some(900),
        Some(1600),
    ];
    let grades = ["1d", "3d", "1k", "2d", "9p", "5k", "", "1d"];
    for ((entry, rating), grade) in stage.entries.iter_mut().zip(ratings).zip(grades) {
        entry.rating = rating;
        entry.grade = grade.parse().ok();
    }
    for (by, order) in [
        (OrderBy::Rating, [5, 3, 8, 2, 4, 7, 1, 6]),
        (OrderBy::Grade, [5, 2, 4, 1, 8, 3, 6, 7]),
        (OrderBy::Number, [1, 2, 3, 4, 5, 6, 7, 8]),
    ] {
        stage.pairing.order_by = by;
        for (mode, partner) in [
            (PairingOrder::Fold, [4, 5, 6, 7]),
            (PairingOrder::Slide, [7, 6, 5, 4]),
        ] {
            stage.pairing.order = mode;
            let expected: Vec<(u32, u32)> = (0..4)
                .map(|at| (order[at], order[partner[at]]))
                .map(|(one, other)| (one.min(other), one.max(other)))
                .collect();
            assert_eq!(
                boards(&paired(&stage, Request::default())),
                expected,
                "{mode:?} {by:?}"
            );
        }
    }
}

#[test]
fn fold_goes_on_down_and_then_up_where_the_first_choice_is_not_allowed() {
    let mut stage = stage(6, 5);
    stage.pairing.order = PairingOrder::Fold;
    stage.pairing.order_by = OrderBy::Number;
    for (forbidden, partner) in [(vec![], 4), (vec![4], 5), (vec![4, 5], 6), (vec![4, 5, 6], 3)] {
        stage.pairing.forbidden_pairs = forbidden.iter().map(|other| (n(1), n(*other))).collect();
        assert_eq!(boards(&paired(&stage, Request::default()))[0], (1, partner));
    }
}

#[test]
fn team_mates_meet_float_or_are_never_paired() {
    let mut stage = stage(4, 5);
    start(&mut stage, &[2, 2, 0, 0]);
    teams(&mut stage, &["X", "X", "Y", "Z"]);
    for (avoidance, expected) in [
        (TeamAvoidance::Soft, [(1, 2), (3, 4)]),
        (TeamAvoidance::Strong, [(1, 3), (2, 4)]),
        (TeamAvoidance::Absolute, [(1, 3), (2, 4)]),
    ] {
        stage.pairing.team_avoidance = avoidance;
        stage.pairing.avoid_team_rounds = 1;
        assert_eq!(
            pairs(&paired(&stage, Request::default())),
            expected,
            "{avoidance:?}"
        );
        stage.pairing.avoid_team_rounds = 0;
        assert_eq!(pairs(&paired(&stage, Request::default())), [(1, 2), (3, 4)]);
    }
}

#[test]
fn a_team_too_large_for_absolute_avoidance_is_named_with_the_opponents_it_has() {
    let mut stage = stage(8, 5);
    teams(&mut stage, &["X", "X", "A", "X", "X", "B", "X", "C"]);
    stage.pairing.team_avoidance = TeamAvoidance::Absolute;
    let because = shortage(pair(
        &stage,
        Confirmed {
            repeats: true,
            provisional: false,
        },
    ));
    assert_eq!(because.groups, [[n(1)], [n(2)], [n(4)], [n(5)], [n(7)]]);
    assert_eq!(because.opponents, [n(3), n(6), n(8)]);
    assert_eq!(
        (because.rules, because.lift),
        (vec![Rule::TeamMates], vec![Rule::TeamMates])
    );
    let words = pair(&stage, Request::default())
        .expect_err("no table")
        .to_string();
    assert!(
        words.contains("the 5 players 1, 2, 4, 5 and 7 have only 3 possible opponents (3, 6 and 8)")
            && words.contains("absolute team avoidance")
            && words.contains("strong instead of absolute"),
        "{words}"
    );
    stage.pairing.team_avoidance = TeamAvoidance::Strong;
    assert_eq!(paired(&stage, Request::default()).criteria.team_mates[0].count, 1);
}

#[test]
fn a_group_closed_in_itself_is_explained_by_its_odd_count() {
    // Two teams of three, who may meet only inside: everybody has met all of the others.
    let mut stage = stage(6, 9);
    for (at, entry) in stage.entries.iter_mut().enumerate() {
        let others = if at < 3 { [4, 5, 6] } else { [1, 2, 3] };
        entry.carried = Some(Carried {
            met: others.map(n).to_vec(),
            ..Carried::default()
        });
    }
    stage.first_round = 4;
    let because = shortage(pair(&stage, Request::default()));
    assert_eq!(
        because.groups.concat().len(),
        3,
        "one odd group, nobody outside: {because:?}"
    );
    assert_eq!(
        (because.groups.len(), because.opponents.len(), because.bye),
        (1, 0, false)
    );
    assert_eq!(because.lift, [Rule::Met]);
}

#[test]
fn unwanted_pairs_are_avoided_in_every_round_as_team_mates_in_the_first() {
    let mut stage = stage(4, 5);
    stage.first_round = 3;
    stage.pairing.unwanted_pairs = vec![(n(1), n(2))];
    assert_eq!(pairs(&paired(&stage, Request::default())), [(1, 3), (2, 4)]);
    start(&mut stage, &[2, 2, 0, 0]);
    let soft = paired(&stage, Request::default());
    assert_eq!(pairs(&soft), [(1, 2), (3, 4)], "rather than float");
    assert!(matches!(soft.notes[..], [Note::Unwanted { board: 1, .. }]));
    stage.pairing.team_avoidance = TeamAvoidance::Strong;
    assert_eq!(pairs(&paired(&stage, Request::default())), [(1, 3), (2, 4)]);
}

/// Players 1 and 2 have had White twice, 3 and 4 Black; 1–2 and 3–4 have not met.
fn two_colours_running(third_colour: ThirdColour) -> Stage {
    let mut stage = stage(4, 5);
    stage.pairing.third_colour = third_colour;
    stage.rounds = vec![
        played(1, &[(3, 1, Draw), (4, 2, Draw)], &[]),
        played(2, &[(4, 1, Draw), (3, 2, Draw)], &[]),
    ];
    stage
}

#[test]
fn a_third_colour_running_is_allowed_avoided_or_forbidden() {
    let allowed = paired(&two_colours_running(ThirdColour::Allowed), Request::default());
    assert_eq!(pairs(&allowed), [(1, 2), (3, 4)]);
    assert_eq!(allowed.criteria.third_colour, []);
    let avoided = paired(&two_colours_running(ThirdColour::Avoided), Request::default());
    assert_eq!(pairs(&avoided), [(1, 2), (3, 4)], "rather than meet again");
    assert_eq!(avoided.criteria.third_colour[0].count, 2);
    let third = |note: &&Note| matches!(note, Note::ThirdColour { .. });
    assert_eq!(avoided.notes.iter().filter(third).count(), 2);
    let forbidden = two_colours_running(ThirdColour::Forbidden);
    let because = shortage(pair(&forbidden, Request::default()));
    assert_eq!(because.lift, [Rule::ThirdColour, Rule::Met]);
    let confirmed = Confirmed {
        repeats: true,
        provisional: false,
    };
    assert_eq!(pairs(&paired(&forbidden, confirmed)), [(1, 3), (2, 4)]);
}

#[test]
fn who_would_have_a_colour_a_third_time_gets_the_other_before_balance_counts() {
    let mut stage = stage(3, 5);
    stage.first_round = 1;
    stage.entries[1].carried = Some(Carried {
        balance: 5,
        ..Carried::default()
    });
    stage.entries[2].withdrawn_after = Some(3);
    // A bye and a forfeit stand between the games and do not interrupt.
    stage.rounds = vec![
        played(1, &[(3, 1, Black)], &[2]),
        played(2, &[(3, 1, BlackForfeit)], &[2]),
        played(3, &[(3, 1, Black)], &[2]),
    ];
    assert_eq!(
        boards(&paired(&stage, Request::default())),
        [(2, 1)],
        "by balance"
    );
    stage.pairing.third_colour = ThirdColour::Avoided;
    assert_eq!(boards(&paired(&stage, Request::default())), [(1, 2)]);
}

#[test]
fn colours_at_equal_balance_come_as_the_setting_says() {
    let mut stage = stage(4, 5);
    stage.rounds = vec![
        played(1, &[(1, 3, Draw), (4, 2, Draw)], &[]),
        played(2, &[(3, 1, Draw), (2, 4, Draw)], &[]),
    ];
    // Round 3, ascending: 1–2 and 3–4. White last were 1 and 4, Black last 2 and 3.
    let colours = |stage: &mut Stage, colours| {
        stage.pairing.colours = colours;
        boards(&paired(stage, with_seed()))
    };
    assert_eq!(colours(&mut stage, Colours::Number), [(1, 2), (3, 4)]);
    stage.rounds[1].boards[0].black = n(1);
    stage.rounds[1].boards[0].white = n(3);
    stage.rounds[0].boards[0].black = n(3);
    stage.rounds[0].boards[0].white = n(1);
    // Now 1 had Black last and 2 too: nothing is decided there, nor between 3 and 4.
    assert_eq!(colours(&mut stage, Colours::Alternate), [(1, 2), (3, 4)]);
    stage.rounds[1].boards[1] = tournament::Board {
        black: n(4),
        white: n(2),
        ..stage.rounds[1].boards[1]
    };
    stage.rounds[0].boards[1] = tournament::Board {
        black: n(2),
        white: n(4),
        ..stage.rounds[0].boards[1]
    };
    assert_eq!(colours(&mut stage, Colours::Alternate), [(2, 1), (3, 4)]);
    let lot = |number: usize| {
        let order = shuffled(SEED, Label::Colours, 4);
        order.iter().position(|who| *who + 1 == number)
    };
    let by_lot = |one: u32, other: u32| {
        let first = lot(one as usize) < lot(other as usize);
        if first { (one, other) } else { (other, one) }
    };
    assert_eq!(colours(&mut stage, Colours::Lots), [by_lot(1, 2), by_lot(3, 4)]);
    assert_eq!(
        pair(&stage, Request::default()),
        Err(Refusal::SeedNeeded { round: 3 })
    );
}

#[test]
fn with_nigiri_nobody_is_owed_a_colour_and_no_game_counts_as_one() {
    let mut stage = stage(4, 5);
    stage.pairing.colours = Colours::Nigiri;
    stage.pairing.third_colour = ThirdColour::Forbidden;
    for entry in &mut stage.entries {
        entry.carried = Some(Carried {
            balance: 3,
            ..Carried::default()
        });
    }
    let first = paired(&stage, Request::default());
    assert_eq!(boards(&first), [(1, 2), (3, 4)]);
    assert!(first.boards.iter().all(|board| board.nigiri));
    assert_eq!(first.criteria.same_colour, []);
    let mut round = first.to_round();
    for board in &mut round.boards {
        board.result = Some(tournament::Outcome::White);
    }
    stage.rounds.push(round);
    stage.ranking = tournament::Ranking::of(&[tournament::Criterion::WinsAsWhite]);
    let wins = |stage: &Stage| -> Vec<String> {
        standings(stage, 1)
            .rows
            .iter()
            .map(|row| row.values[0].printed())
            .collect()
    };
    assert_eq!(wins(&stage), ["0", "0", "0", "0"]);
    stage.rounds[0].boards[0].nigiri = false;
    assert_eq!(wins(&stage), ["1", "0", "0", "0"], "the colours became known");
}

#[test]
fn a_pair_decided_by_forfeit_may_be_paired_again_when_the_event_says_so() {
    let mut stage = stage(2, 3);
    stage.rounds = vec![played(1, &[(1, 2, BlackForfeit)], &[])];
    assert!(matches!(
        pair(&stage, Request::default()),
        Err(Refusal::RepeatsNeeded { .. })
    ));
    stage.pairing.forfeits_may_meet_again = true;
    assert_eq!(paired(&stage, Request::default()).criteria.repeats, 0);
}

#[test]
fn repeated_floats_are_avoided_or_not_looked_at() {
    let mut stage = stage(8, 5);
    stage.pairing.number_order = NumberOrder::Ascending;
    start(&mut stage, &[2, 2, 2, 0, 0, 0, 0, 0]);
    let first = [(1, 2, Draw), (3, 4, Draw), (5, 6, Draw), (7, 8, Draw)];
    stage.rounds = vec![played(1, &first, &[])];
    // 1 floats; 4, the first who is owed the other colour, has floated up before.
    let avoided = paired(&stage, Request::default());
    assert_eq!(pairs(&avoided), [(1, 6), (2, 3), (4, 7), (5, 8)]);
    stage.pairing.avoid_repeated_floats = false;
    let ignored = paired(&stage, Request::default());
    assert_eq!(pairs(&ignored), [(1, 4), (2, 3), (5, 8), (6, 7)]);
    assert_eq!(ignored.criteria.repeated_floats, []);
}

#[test]
fn who_asks_for_the_bye_has_it_and_it_counts_later() {
    let mut stage = stage(5, 5);
    stage.entries[0].bye_rounds = vec![1];
    let one = paired(&stage, Request::default());
    assert_eq!((pairs(&one), byes(&one)), (vec![(2, 3), (4, 5)], vec![1]));
    stage.entries[4].bye_rounds = vec![1];
    let two = paired(&stage, Request::default());
    assert_eq!((pairs(&two), byes(&two)), (vec![(2, 3)], vec![1, 4, 5]));
    assert_eq!(two.criteria.bye_score, Score::ZERO);
    stage.rounds.push(two.to_round());
    stage.rounds[0].boards[0].result = Some(Draw);
    let scores: Vec<i32> = tournament::tally(&stage, 1)
        .iter()
        .map(|books| books.score.0)
        .collect();
    assert_eq!(scores, [2, 1, 1, 2, 2], "an asked bye is scored as a bye");
    let second = paired(&stage, Request::default());
    assert_eq!(byes(&second), [2], "who has had a bye is not given another one");
    let mut all = support::stage(5, 5);
    for entry in &mut all.entries {
        entry.bye_rounds = vec![1];
    }
    let refusal = pair(&all, Request::default()).expect_err("nobody is left");
    assert_eq!(
        refusal.to_string(),
        "round 1 needs at least two players, and nobody is to be paired: take back a bye (1, 2, 3, 4, 5), or return \
         somebody who withdrew or sits out"
    );
}

#[test]
fn who_has_reached_the_standard_is_not_paired_any_more() {
    let mut stage = stage(5, 5);
    start(&mut stage, &[4, 3, 4, 0, 0]);
    stage.pairing.stop_at = Some(Score(4));
    let pairing = paired(&stage, Request::default());
    assert_eq!(pairing.absent, [n(1), n(3)]);
    assert_eq!(pairing.boards.len() + pairing.byes.len(), 2);
}

#[test]
fn a_pair_that_is_fixed_is_made_and_the_rest_is_the_best_around_it() {
    let mut stage = stage(6, 5);
    start(&mut stage, &[2, 2, 2, 0, 0, 0]);
    let choices = Choices {
        pairs: vec![(n(1), n(5))],
        apart: vec![(n(2), n(3))],
        ..Choices::default()
    };
    let pairing = paired(&stage, request(choices.clone()));
    assert_eq!(pairs(&pairing), [(1, 5), (2, 4), (3, 6)]);
    assert_eq!(
        boards(&pairing)[0],
        (1, 5),
        "a float heads the lower group as any does"
    );
    assert_eq!(
        pairing.criteria.floats[0].pairs, 3,
        "the criteria are those of the whole table"
    );
    assert!(pairing.notes.contains(&Note::Fixed {
        board: 1,
        black: n(1),
        white: n(5)
    }));
    assert_eq!(pairing.to_round().choices, choices);
    // A fixed pair may have met before: nobody need confirm what was asked for.
    stage.rounds = vec![played(1, &[(1, 5, Draw), (2, 4, Draw), (3, 6, Draw)], &[])];
    let again = paired(
        &stage,
        request(Choices {
            pairs: vec![(n(1), n(5))],
            ..Choices::default()
        }),
    );
    assert_eq!(again.criteria.repeats, 1);
    assert!(pairs(&again).contains(&(1, 5)));
}

#[test]
fn a_bye_that_is_given_leaves_one_more_where_the_others_are_odd() {
    let odd = stage(5, 5);
    let given = |byes: Vec<u32>| {
        let byes = byes.into_iter().map(n).collect();
        request(Choices {
            byes,
            ..Choices::default()
        })
    };
    let one = paired(&odd, given(vec![2]));
    assert_eq!((byes(&one), one.boards.len()), (vec![2], 2));
    let even = stage(6, 5);
    let two = paired(&even, given(vec![2]));
    assert_eq!((byes(&two), two.boards.len()), (vec![2, 6], 2));
    assert!(two.notes.contains(&Note::FurtherBye { number: n(6) }));
    let sitting_out = request(Choices {
        sitting_out: vec![n(1), n(2)],
        ..Choices::default()
    });
    let out = paired(&even, sitting_out);
    assert_eq!((out.absent, out.boards.len()), (vec![n(1), n(2)], 2));
}

#[test]
fn every_contradiction_of_what_is_fixed_is_named() {
    let mut stage = stage(12, 5);
    teams(&mut stage, &["X", "X"]);
    stage.pairing.team_avoidance = TeamAvoidance::Absolute;
    stage.pairing.forbidden_pairs = vec![(n(3), n(4))];
    stage.pairing.stop_at = Some(Score(4));
    start(&mut stage, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0]);
    stage.entries[9].withdrawn_after = Some(0);
    stage.entries[11].bye_rounds = vec![1];
    let pair_of = |one, other| (n(one), n(other));
    let choices = Choices {
        pairs: vec![
            pair_of(1, 2),
            pair_of(3, 4),
            pair_of(5, 5),
            pair_of(5, 6),
            pair_of(6, 7),
            pair_of(8, 10),
            pair_of(9, 11),
            pair_of(4, 99),
            pair_of(1, 12),
        ],
        apart: vec![pair_of(5, 6), pair_of(98, 1)],
        byes: vec![n(7), n(10)],
        sitting_out: vec![n(8), n(97)],
    };
    let Err(Refusal::Contradictions { round: 1, found }) = pair(&stage, request(choices)) else {
        panic!("nothing of this can be kept");
    };
    let two_places = |number, first, second| Contradiction::TwoPlaces {
        number: n(number),
        first,
        second,
    };
    let two_pairs = |number, first, second| Contradiction::TwoPairs {
        number: n(number),
        first: n(first),
        second: n(second),
    };
    let barred = |first, second, rule| Contradiction::Barred {
        first: n(first),
        second: n(second),
        rule,
    };
    let mut expected = vec![
        Contradiction::Unknown(n(97)),
        Contradiction::Unknown(n(98)),
        Contradiction::Unknown(n(99)),
        Contradiction::Oneself(n(5)),
        Contradiction::NotPlaying(n(10)),
        Contradiction::Stopped(n(11)),
        two_pairs(1, 2, 12),
        two_pairs(4, 3, 99),
        two_pairs(6, 5, 7),
        Contradiction::MeetAndApart {
            first: n(5),
            second: n(6),
        },
        barred(1, 2, Rule::TeamMates),
        barred(3, 4, Rule::Forbidden),
        two_places(7, Place::Board, Place::Bye),
        two_places(8, Place::Board, Place::SittingOut),
        two_places(10, Place::Board, Place::Bye),
        two_places(12, Place::Board, Place::Bye),
    ];
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn what_is_fixed_can_leave_the_others_without_opponents() {
    let mut stage = stage(4, 5);
    stage.pairing.forbidden_pairs = vec![(n(1), n(2))];
    let choices = Choices {
        pairs: vec![(n(3), n(4))],
        ..Choices::default()
    };
    let because = shortage(pair(&stage, request(choices)));
    assert_eq!(because.lift, [Rule::Forbidden, Rule::Chosen]);
    assert_eq!(because.pairs, [(n(1), n(2))]);
}

#[test]
fn settings_that_make_no_sense_are_faults() {
    let mut stage = stage(4, 5);
    stage.pairing.stop_at = Some(Score::ZERO);
    stage.pairing.forbidden_pairs = vec![(n(1), n(2)), (n(1), n(2)), (n(3), n(3)), (n(1), n(9))];
    stage.pairing.unwanted_pairs = vec![(n(1), n(2))];
    stage.entries[3].bye_rounds = vec![2];
    stage.entries[3].absent_rounds = vec![2];
    let mut round = played(1, &[(1, 2, Draw), (3, 4, Draw)], &[]);
    round.choices = Choices {
        pairs: vec![(n(1), n(2))],
        apart: vec![(n(1), n(2))],
        byes: vec![n(9)],
        sitting_out: vec![],
    };
    stage.rounds.push(round);
    let found: Vec<(String, &str)> = validate::faults(&stage)
        .into_iter()
        .map(|fault| (fault.path, fault.kind.code()))
        .collect();
    let expected = [
        ("event.pairing.stop_at", "out-of-range"),
        ("entries[3].bye_rounds[0]", "bye-while-absent"),
        ("event.pairing.forbidden_pairs[1]", "duplicate-pair"),
        ("event.pairing.forbidden_pairs[2]", "pair-of-one"),
        ("event.pairing.forbidden_pairs[3]", "unknown-number"),
        ("event.pairing.unwanted_pairs[0]", "duplicate-pair"),
        ("rounds[0].choices.byes[0]", "unknown-number"),
    ];
    let expected = expected.map(|(path, code)| (path.to_owned(), code));
    assert_eq!(found, expected);
}
