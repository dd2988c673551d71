//! The checker on tables made by hand: what it must refuse, and what it must prove.

mod support;

use support::{n, played, stage, table};
use tournament::Outcome::{Black, Draw, White, WhiteForfeit};
use tournament::checker::{Facts, Finding, Level, Measure, Seat, judge, judge_event};
use tournament::{Carried, Score, Stage};

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

// C011: a table made by hand puts a player on two boards, leaves another out, pairs one with himself.
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

// C048 and C049: the number of byes follows from the number of players.
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

// C002: avoidance that cannot be met is counted, and the count is the least possible.
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

// C010: a win by forfeit and a bye carry no colour.
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
    assert_eq!(facts.black_by_rule(a, f), f);
    assert_eq!(facts.players[a].points_without_play, 2);
}

// C012 and C013: where repeats are unavoidable their least number is known.
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

// C008: a draw must not leave somebody a whole point away when half a point is possible.
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

// C042: whoever leaves when the table is out already loses by default, and the table was right.
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
