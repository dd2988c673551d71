//! The checker on tables made by hand: what it must refuse, and what it must prove.

mod support;

use support::{n, played, stage, table};
use tournament::Outcome::{Black, Draw, White, WhiteForfeit};
use tournament::checker::{Facts, Finding, Level, Measure, Seat, judge, judge_event};
use tournament::{Carried, Score, Stage, TeamAvoidance, ThirdColour};

fn codes(stage: &Stage, round: &tournament::Round, level: Level) -> Vec<&'static str> {
    judge(stage, round).at(level).map(Finding::code).collect()
}

#[test]
fn a_first_round_by_the_book_has_nothing_to_say_against_it() {
    let stage = stage(7, 5);
    let judgement = judge(&stage, &table(1, &[(1, 2), (3, 4), (5, 6)], &[7]));
    assert_eq!(judgement.findings, []);
    assert!(
        judgement
            .values
            .iter()
            .all(|value| value.attained && value.reached == 0)
    );
}

// A table made by hand puts a player on two boards, leaves another out, pairs one with himself.
#[test]
fn nobody_sits_twice_or_nowhere_or_opposite_oneself() {
    let mut stage = stage(6, 5);
    stage
        .rounds
        .push(played(1, &[(1, 2, Black), (3, 4, Black), (5, 6, Black)], &[]));
    let twice = judge(&stage, &table(2, &[(1, 2), (1, 3), (4, 5)], &[]));
    let errors: Vec<String> = twice.at(Level::Error).map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "number 1 has two places: board 1 and board 2",
            "number 6 takes part but has no board, no bye and no absence",
        ]
    );
    assert!(
        twice.values.is_empty(),
        "a table that is no table has no value to compare"
    );
    let oneself = judge(&stage, &table(2, &[(1, 1), (3, 5), (2, 4)], &[]));
    assert!(oneself.findings.contains(&Finding::AgainstOneself {
        board: 1,
        number: n(1)
    }));
    let repeat = judge(&stage, &table(2, &[(1, 2), (3, 5), (6, 4)], &[]));
    assert!(repeat.findings.contains(&Finding::Repeat {
        board: 1,
        black: n(1),
        white: n(2),
        times: 1,
        just_before: true
    }));
    assert!(
        repeat.findings.contains(&Finding::Improvable {
            measure: Measure::Repeats,
            group: None,
            reached: 1,
            least: 0
        }),
        "an avoidable repeat is an error, not only a note"
    );
}

#[test]
fn who_left_and_who_is_unknown_cannot_sit_at_a_board() {
    let mut stage = stage(6, 5);
    stage.entries[4].withdrawn_after = Some(0);
    stage.entries[5].absent_rounds = vec![1];
    let judgement = judge(&stage, &table(1, &[(1, 2), (3, 5), (4, 9)], &[6]));
    let errors: Vec<&Finding> = judgement.at(Level::Error).collect();
    assert!(errors.contains(&&Finding::NotPlaying {
        number: n(5),
        seat: Seat::Board(2)
    }));
    assert!(errors.contains(&&Finding::NotPlaying {
        number: n(6),
        seat: Seat::Bye
    }));
    assert!(errors.contains(&&Finding::Unknown {
        number: n(9),
        seat: Seat::Board(3)
    }));
}

// The number of byes follows from the number of players.
#[test]
fn byes_are_one_for_an_odd_count_and_none_for_an_even_one() {
    let even = stage(6, 5);
    assert!(codes(&even, &table(1, &[(1, 2), (3, 4)], &[5, 6]), Level::Error).contains(&"too-many-byes"));
    let odd = stage(9, 5);
    assert!(
        codes(
            &odd,
            &table(1, &[(1, 2), (3, 4), (5, 6)], &[7, 8, 9]),
            Level::Error
        )
        .contains(&"too-many-byes")
    );
    let mut asked = stage(5, 5);
    asked.entries[0].absent_rounds = vec![1];
    assert_eq!(
        judge(&asked, &table(1, &[(2, 3), (4, 5)], &[])).findings,
        [],
        "one who asked to sit out makes five players four"
    );
}

#[test]
fn boards_are_numbered_in_order_and_colours_follow_the_rule() {
    let stage = stage(4, 5);
    let mut gap = table(1, &[(1, 2), (3, 4)], &[]);
    gap.boards[1].board = 3;
    assert_eq!(codes(&stage, &gap, Level::Error), ["board-number"]);
    let swapped = judge(&stage, &table(1, &[(3, 4), (2, 1)], &[]));
    let warnings: Vec<String> = swapped.at(Level::Warning).map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "board 2: by the rule 1 has Black and 2 has White",
            "board 2: 2 against 1 should stand at board 1",
            "board 1: 3 against 4 should stand at board 2",
        ]
    );
    assert!(swapped.is_sound(), "wrong colours are a warning");
}

// Avoidance that cannot be met is counted, and the count is the least possible.
#[test]
fn team_mates_that_cannot_be_avoided_are_listed_and_proved_unavoidable() {
    let mut stage = stage(8, 5);
    for entry in &mut stage.entries[..5] {
        entry.team = Some("X".into());
    }
    let best = judge(&stage, &table(1, &[(1, 2), (3, 6), (4, 7), (5, 8)], &[]));
    assert!(best.is_sound(), "{:?}", best.findings);
    assert_eq!(best.reached.team_mates[0].count, 1);
    assert!(best.findings.contains(&Finding::TeamMates {
        board: 1,
        black: n(1),
        white: n(2)
    }));
    let worse = judge(&stage, &table(1, &[(1, 2), (3, 4), (5, 6), (7, 8)], &[]));
    assert!(worse.findings.contains(&Finding::Improvable {
        measure: Measure::TeamMates,
        group: Some(Score::ZERO),
        reached: 2,
        least: 1
    }));
}

// A win by forfeit and a bye carry no colour.
#[test]
fn forfeits_and_byes_carry_no_colour() {
    let mut stage = stage(6, 5);
    stage.rounds = vec![
        played(1, &[(1, 2, Black), (3, 6, Black), (4, 5, Black)], &[]),
        played(
            2,
            &[
                (3, 1, tournament::Outcome::BlackForfeit),
                (6, 4, Black),
                (2, 5, Black),
            ],
            &[],
        ),
        played(3, &[(2, 6, Black), (4, 3, Black)], &[1]),
    ];
    let facts = Facts::before(&stage, 4, &[]);
    let [a, f] = [1, 6].map(|number| facts.place(n(number)).expect("takes part"));
    assert_eq!(facts.players[a].balance, -1);
    assert_eq!(facts.players[f].balance, 1);
    assert_eq!(facts.black_by_rule(a, f), Some(f));
    assert_eq!(facts.players[a].points_without_play, 2);
}

// Where repeats are unavoidable their least number is known.
#[test]
fn the_fewest_repeats_are_proved() {
    let mut six = stage(6, 5);
    six.rounds = vec![
        played(1, &[(1, 4, Black), (2, 5, Black), (3, 6, Black)], &[]),
        played(2, &[(1, 5, Black), (2, 6, Black), (3, 4, Black)], &[]),
        played(3, &[(1, 6, Black), (2, 4, Black), (3, 5, Black)], &[]),
    ];
    let one = judge(&six, &table(4, &[(1, 4), (2, 3), (5, 6)], &[]));
    assert_eq!(one.reached.repeats, 1);
    let repeats = one.values[0];
    assert_eq!(
        (repeats.measure, repeats.least, repeats.attained),
        (Measure::Repeats, 1, true)
    );
    let three = judge(&six, &table(4, &[(1, 4), (2, 5), (3, 6)], &[]));
    assert_eq!((three.values[0].reached, three.values[0].least), (3, 1));

    // The same for a field too large to try every table: two halves that have met completely.
    let mut large = stage(12, 9);
    for round in 1..=5 {
        let games: Vec<_> = (0..6).map(|k| (k + 1, 7 + (k + round) % 6, Draw)).collect();
        large.rounds.push(played(round, &games, &[]));
    }
    let halves = judge(
        &large,
        &table(6, &[(1, 8), (2, 3), (4, 5), (6, 7), (9, 10), (11, 12)], &[]),
    );
    assert_eq!(
        halves.values[0].reached, 2,
        "1 and 8, 6 and 7 met in the first round"
    );
    assert_eq!((halves.values[0].least, halves.values[0].attained), (0, true));
    assert!(!halves.is_sound());
}

// A draw must not leave somebody a whole point away when half a point is possible.
#[test]
fn one_long_float_is_worse_than_two_short_ones() {
    let mut stage = stage(8, 5);
    stage.rounds = vec![
        played(
            1,
            &[(1, 5, Black), (2, 6, Draw), (3, 7, Black), (4, 8, Draw)],
            &[],
        ),
        played(
            2,
            &[(1, 3, Black), (2, 4, Black), (6, 8, Black), (5, 7, Black)],
            &[],
        ),
    ];
    let near = judge(&stage, &table(3, &[(1, 2), (6, 3), (5, 4), (8, 7)], &[]));
    assert_eq!(near.reached.float_squares, 4);
    assert!(
        near.values
            .iter()
            .filter(|v| v.measure.criterion() == "P3")
            .all(|v| v.reached == v.least)
    );
    let far = judge(&stage, &table(3, &[(1, 4), (2, 3), (6, 5), (8, 7)], &[]));
    assert!(far.at(Level::Error).any(|finding| matches!(
        finding,
        Finding::Improvable {
            measure: Measure::FloatsAcross,
            ..
        }
    )));
}

#[test]
fn what_is_carried_counts_as_played() {
    let mut stage = stage(4, 5);
    stage.first_round = 3;
    for (entry, (score, balance, met)) in
        stage
            .entries
            .iter_mut()
            .zip([(4, 2, [2, 3]), (2, -2, [1, 4]), (2, 0, [1, 4]), (0, 0, [2, 3])])
    {
        entry.carried = Some(Carried {
            score: Score(score),
            balance,
            met: met.map(n).to_vec(),
        });
    }
    let judgement = judge(&stage, &table(3, &[(1, 4), (3, 2)], &[]));
    assert_eq!(judgement.reached.repeats, 0);
    assert!(judgement.is_sound(), "{:?}", judgement.findings);
    assert_eq!(
        judge(&stage, &table(3, &[(1, 2), (3, 4)], &[])).reached.repeats,
        2
    );
}

#[test]
fn forfeited_pairs_may_meet_again_only_where_the_event_says_so() {
    let mut stage = stage(4, 5);
    stage.rounds = vec![played(1, &[(1, 2, WhiteForfeit), (3, 4, White)], &[])];
    let again = table(2, &[(1, 2), (3, 4)], &[]);
    assert_eq!(judge(&stage, &again).reached.repeats, 2);
    stage.pairing.forfeits_may_meet_again = true;
    assert_eq!(judge(&stage, &again).reached.repeats, 1);
}

#[test]
fn every_recorded_round_is_judged_on_the_rounds_before_it() {
    let mut stage = stage(4, 3);
    stage.rounds = vec![
        played(1, &[(1, 2, Black), (3, 4, Black)], &[]),
        played(2, &[(3, 1, Black), (4, 2, Black)], &[]),
        played(3, &[(1, 2, Black), (3, 4, Black)], &[]),
    ];
    let sound: Vec<(u32, bool)> = judge_event(&stage)
        .iter()
        .map(|(round, judgement)| (*round, judgement.is_sound()))
        .collect();
    assert_eq!(sound, [(1, true), (2, true), (3, false)]);
}

// Whoever leaves when the table is out already loses by default, and the table was right.
#[test]
fn who_left_after_the_pairing_took_part_in_it() {
    let mut stage = stage(4, 3);
    stage.entries[1].withdrawn_after = Some(0);
    for (outcome, sound) in [(WhiteForfeit, true), (Black, false)] {
        stage.rounds = vec![played(1, &[(1, 2, outcome), (3, 4, Black)], &[])];
        let judged = judge_event(&stage);
        assert_eq!(judged[0].1.is_sound(), sound, "{:?}", judged[0].1.findings);
    }
}

/// The codes of the gravest level, for a stage with other settings.
fn errors(stage: &Stage, round: &tournament::Round) -> Vec<&'static str> {
    codes(stage, round, Level::Error)
}

#[test]
fn pairs_that_a_setting_or_the_director_bars_are_breaches_unless_the_director_fixed_them() {
    let mut stage = stage(6, 5);
    stage.pairing.forbidden_pairs = vec![(n(1), n(2))];
    stage.entries[2].team = Some("X".into());
    stage.entries[3].team = Some("X".into());
    stage.pairing.team_avoidance = TeamAvoidance::Absolute;
    let mut barred = table(1, &[(1, 2), (3, 4), (5, 6)], &[]);
    barred.choices.apart = vec![(n(6), n(5))];
    let judged = judge(&stage, &barred);
    let words: Vec<String> = judged.at(Level::Error).map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "board 1: 1 and 2 are a forbidden pair",
            "board 2: 3 and 4 are of one team, and team mates are never paired in this round",
            "board 3: 5 and 6 are kept apart in this round by the director",
        ]
    );
    assert!(
        judged.values.is_empty(),
        "no table that is allowed can be compared with it"
    );
    barred.choices.apart.clear();
    barred.choices.pairs = vec![(n(2), n(1)), (n(3), n(4))];
    assert_eq!(errors(&stage, &barred), [""; 0]);
    stage.pairing.avoid_team_rounds = 0;
    let made = table(1, &[(1, 5), (3, 4), (2, 6)], &[]);
    assert_eq!(
        errors(&stage, &made),
        [""; 0],
        "team mates are kept apart in no round"
    );
}

#[test]
fn unwanted_pairs_count_as_team_mates_in_every_round() {
    let mut stage = stage(6, 5);
    stage.pairing.avoid_team_rounds = 0;
    stage.pairing.unwanted_pairs = vec![(n(1), n(2))];
    let judged = judge(&stage, &table(1, &[(1, 2), (3, 4), (5, 6)], &[]));
    assert_eq!(judged.reached.team_mates[0].count, 1);
    assert!(judged.findings.contains(&Finding::Improvable {
        measure: Measure::TeamMates,
        group: Some(Score::ZERO),
        reached: 1,
        least: 0
    }));
    assert!(
        judged
            .at(Level::Note)
            .any(|finding| finding.code() == "unwanted-pair")
    );
}

// With strong avoidance two floats are better than one pair of team mates; otherwise they are not.
#[test]
fn strong_avoidance_prefers_a_float_to_team_mates() {
    let mut stage = stage(4, 5);
    for (entry, (team, score)) in stage
        .entries
        .iter_mut()
        .zip([("X", 2), ("X", 2), ("Y", 0), ("Z", 0)])
    {
        entry.team = Some(team.into());
        entry.start_score = Score(score);
    }
    let together = table(1, &[(1, 2), (3, 4)], &[]);
    let apart = table(1, &[(1, 3), (2, 4)], &[]);
    let improvable = |stage: &Stage, table| {
        let judged = judge(stage, table);
        judged.findings.into_iter().find_map(|finding| match finding {
            Finding::Improvable { measure, .. } => Some(measure),
            _ => None,
        })
    };
    assert_eq!(improvable(&stage, &together), None);
    assert_eq!(improvable(&stage, &apart), Some(Measure::FloatsAcross));
    stage.pairing.team_avoidance = TeamAvoidance::Strong;
    assert_eq!(improvable(&stage, &together), Some(Measure::TeamMates));
    assert_eq!(improvable(&stage, &apart), None);
}

/// 1 and 2 have had White twice, 3 and 4 Black twice; 1 and 2 have had a game with nigiri since.
fn after_two_games() -> Stage {
    let mut stage = stage(8, 9);
    stage.rounds = vec![
        played(1, &[(3, 1, Draw), (4, 2, Draw), (5, 7, Draw), (6, 8, Draw)], &[]),
        played(2, &[(3, 2, Draw), (4, 1, Draw), (8, 5, Draw), (7, 6, Draw)], &[]),
        played(3, &[(1, 5, Draw), (2, 6, Draw), (3, 7, Draw), (4, 8, Draw)], &[]),
    ];
    for board in &mut stage.rounds[2].boards {
        board.nigiri = true;
    }
    stage
}

#[test]
fn the_same_colour_a_third_time_is_counted_or_forbidden_as_the_event_says() {
    let mut stage = after_two_games();
    let third = table(4, &[(1, 2), (3, 4), (5, 6), (7, 8)], &[]);
    let judged = judge(&stage, &third);
    assert!(judged.reached.third_colour.is_empty());
    stage.pairing.third_colour = ThirdColour::Avoided;
    let judged = judge(&stage, &third);
    assert_eq!(judged.reached.third_colour[0].count, 2);
    assert!(judged.findings.contains(&Finding::Improvable {
        measure: Measure::ThirdColour,
        group: Some(Score(3)),
        reached: 2,
        least: 0
    }));
    stage.pairing.third_colour = ThirdColour::Forbidden;
    assert_eq!(errors(&stage, &third), ["third-colour-barred"; 2]);
    stage.pairing.colours = tournament::Colours::Nigiri;
    let mut nigiri = third.clone();
    nigiri.boards.iter_mut().for_each(|board| board.nigiri = true);
    let judged = judge(&stage, &nigiri);
    assert_eq!(judged.at(Level::Error).count(), 0, "{:?}", judged.findings);
    assert!(judged.reached.same_colour.is_empty() && judged.reached.same_colour_twice.is_empty());
}

#[test]
fn colours_follow_the_setting() {
    let mut stage = after_two_games();
    let facts = |stage: &Stage| {
        let facts = Facts::before(stage, 4, &[]);
        let place = |number| facts.place(n(number)).expect("takes part");
        let black = |one, other| {
            let black = facts.black_by_rule(place(one), place(other))?;
            Some(facts.players[black].number.get())
        };
        [black(1, 3), black(5, 8), black(6, 7), black(6, 8)]
    };
    // 5 and 7 had White last, 6 and 8 Black; all four are even.
    assert_eq!(
        facts(&stage),
        [Some(1), Some(8), Some(7), Some(8)],
        "the round is descending"
    );
    stage.pairing.colours = tournament::Colours::Alternate;
    let last = [1, 5, 6, 7, 8].map(|number| {
        let facts = Facts::before(&stage, 4, &[]);
        facts.players[facts.place(n(number)).expect("takes part")].last
    });
    let [black, white] = [Some(tournament::Side::Black), Some(tournament::Side::White)];
    assert_eq!(last, [white, white, white, black, black]);
    assert_eq!(facts(&stage), [Some(1), Some(5), Some(6), Some(6)]);
    stage.pairing.colours = tournament::Colours::Nigiri;
    assert_eq!(facts(&stage), [None; 4]);
    let assigned = judge(&stage, &table(4, &[(1, 2), (3, 4), (5, 6), (7, 8)], &[]));
    assert_eq!(
        assigned
            .at(Level::Warning)
            .filter(|f| f.code() == "nigiri")
            .count(),
        4
    );
    // Once they have been played, boards say who had Black at nigiri.
    let colours_known = [(1, 2, Draw), (3, 4, Draw), (5, 6, Draw), (7, 8, Draw)];
    let judged = judge(&stage, &played(4, &colours_known, &[]));
    assert!(judged.findings.iter().all(|f| f.code() != "nigiri"));
}

#[test]
fn a_colour_that_nobody_has_a_third_time_comes_before_the_balance() {
    let mut stage = stage(4, 9);
    // 1 has had White twice after Black three times; 2 is even, and had each colour once.
    stage.entries[0].carried = Some(Carried {
        balance: -3,
        ..Carried::default()
    });
    stage.rounds = vec![
        played(1, &[(2, 1, Draw), (3, 4, Draw)], &[]),
        played(2, &[(3, 1, Draw), (4, 2, Draw)], &[]),
    ];
    let black = |stage: &Stage| {
        let facts = Facts::before(stage, 3, &[]);
        let [one, four] = [1, 4].map(|number| facts.place(n(number)).expect("takes part"));
        facts
            .black_by_rule(one, four)
            .map(|black| facts.players[black].number.get())
    };
    assert_eq!(black(&stage), Some(4));
    for third in [ThirdColour::Avoided, ThirdColour::Forbidden] {
        stage.pairing.third_colour = third;
        assert_eq!(black(&stage), Some(1));
    }
}

#[test]
fn byes_that_were_asked_for_or_chosen_are_given_and_leave_the_rest_as_usual() {
    let mut stage = stage(7, 5);
    stage.entries[0].bye_rounds = vec![1];
    let mut asked = table(1, &[(2, 3), (4, 5), (6, 7)], &[1]);
    assert_eq!(judge(&stage, &asked).findings, []);
    asked.choices.byes = vec![n(2)];
    asked.boards = table(1, &[(3, 4), (5, 6)], &[]).boards;
    asked.byes = vec![n(1), n(2), n(7)];
    assert_eq!(judge(&stage, &asked).findings, []);
    let ignored = judge(&stage, &table(1, &[(1, 2), (3, 4), (5, 6)], &[7]));
    let words: Vec<String> = ignored.at(Level::Error).map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "number 1 asked for the bye, but has board 1",
            "6 players are to be paired, so no byes are allowed; byes are given to 7",
        ]
    );
    let mut missing = table(1, &[(3, 4), (5, 6)], &[2, 7]);
    missing.choices.byes = vec![n(2)];
    assert_eq!(errors(&stage, &missing), ["unseated"]);
}

#[test]
fn choices_of_the_director_are_kept() {
    let mut stage = stage(6, 5);
    let mut fixed = table(1, &[(1, 4), (2, 3), (5, 6)], &[]);
    fixed.choices.pairs = vec![(n(4), n(1))];
    assert_eq!(judge(&stage, &fixed).findings, []);
    fixed.choices.pairs = vec![(n(3), n(5))];
    let words: Vec<String> = judge(&stage, &fixed)
        .at(Level::Error)
        .map(ToString::to_string)
        .collect();
    assert_eq!(words, ["the director fixed 3 against 5, and no board has them"]);
    let mut out = table(1, &[(1, 2), (3, 4)], &[]);
    out.choices.sitting_out = vec![n(5), n(6)];
    out.absent = vec![n(5), n(6)];
    assert_eq!(judge(&stage, &out).findings, []);
    out.boards = table(1, &[(1, 2), (3, 4), (5, 6)], &[]).boards;
    out.absent.clear();
    assert_eq!(errors(&stage, &out), ["not-playing", "not-playing"]);
    // The criteria are least given the fixed pair: 1 and 2 meet again, and nobody else has to.
    stage.rounds = vec![played(1, &[(1, 2, Draw), (3, 4, Draw), (5, 6, Draw)], &[])];
    let mut again = table(2, &[(2, 1), (6, 3), (5, 4)], &[]);
    again.choices.pairs = vec![(n(1), n(2))];
    let judged = judge(&stage, &again);
    assert_eq!((judged.values[0].reached, judged.values[0].least), (1, 1));
}

#[test]
fn who_has_reached_the_standard_is_not_paired() {
    let mut stage = stage(6, 5);
    stage.pairing.stop_at = Some(Score(2));
    stage.rounds = vec![played(1, &[(1, 2, Black), (3, 4, Draw), (5, 6, Draw)], &[])];
    let mut without = table(2, &[(6, 3), (5, 4)], &[2]);
    without.absent = vec![n(1)];
    assert_eq!(judge(&stage, &without).at(Level::Error).count(), 0);
    assert!(
        !judge(&stage, &without)
            .findings
            .iter()
            .any(|finding| finding.code() == "sat-out")
    );
    assert_eq!(
        errors(&stage, &table(2, &[(2, 1), (6, 3), (5, 4)], &[])),
        ["finished"]
    );
}

#[test]
fn an_order_by_lots_is_checked_where_the_seed_is_known() {
    let mut stage = stage(40, 5);
    stage.pairing.order = tournament::PairingOrder::Random;
    stage.pairing.colours = tournament::Colours::Lots;
    let pairs: Vec<(u32, u32)> = (0..20).map(|k| (2 * k + 1, 2 * k + 2)).collect();
    let mut lots = table(1, &pairs, &[]);
    assert_eq!(codes(&stage, &lots, Level::Warning), [""; 0]);
    lots.seed = Some(tournament::draw::Seed([7; 32]));
    let warnings = codes(&stage, &lots, Level::Warning);
    assert!(warnings.contains(&"board-order") && warnings.contains(&"colours"));
}

#[test]
fn fold_and_slide_have_the_stronger_first() {
    let mut stage = stage(4, 5);
    stage.pairing.order = tournament::PairingOrder::Fold;
    for (entry, rating) in stage
        .entries
        .iter_mut()
        .zip([None, Some(1200), Some(2000), Some(1200)])
    {
        entry.rating = rating;
    }
    let order = |stage: &Stage| {
        let facts = Facts::before(stage, 1, &[]);
        facts
            .players
            .iter()
            .map(|player| player.number.get())
            .collect::<Vec<_>>()
    };
    assert_eq!(order(&stage), [3, 2, 4, 1]);
    stage.pairing.order_by = tournament::OrderBy::Number;
    assert_eq!(order(&stage), [1, 2, 3, 4]);
}
