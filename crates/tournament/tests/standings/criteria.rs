//! Each criterion, by what it is meant to separate.

use tournament::standings::{Standings, Value, standings, why};
use tournament::{Carried, Criterion, Number, Outcome, Score, Stage, Unplayed, Warnings};

use crate::support::{column, nothing, number, places, play, stage, value, wins};

fn order(standings: &Standings) -> Vec<u32> {
    standings.rows.iter().map(|row| row.number.get()).collect()
}

/// Player 1 with 18 points after 13 rounds, a leader with 22, and opponents with these scores.
fn after_13_rounds(opponents: &[i32]) -> Stage {
    let entries = u32::try_from(opponents.len()).expect("few") + 1;
    let mut stage = stage(entries, &[Criterion::TotalScore]);
    stage.rounds_planned = 14;
    stage.first_round = 14;
    for (entry, score) in stage.entries.iter_mut().zip([18].iter().chain(opponents)) {
        entry.carried = Some(Carried {
            score: Score(*score),
            balance: 0,
            met: vec![number(1)],
        });
    }
    let met: Vec<Number> = (2..=entries).map(number).collect();
    stage.entries[0].carried.as_mut().expect("carried").met = met;
    stage
}

#[test]
fn the_total_score_is_that_of_the_worked_examples() {
    let mut opponents = [11; 13];
    opponents[0] = 22;
    assert_eq!(opponents.iter().sum::<i32>(), 154);
    let table = standings(&after_13_rounds(&opponents), 13);
    assert_eq!((table.rounds_played, table.top_score), (13, Score(22)));
    assert_eq!(value(&table, 1, Criterion::TotalScore).as_deref(), Some("19"));

    let opponents = [22, 10, 10, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9];
    assert_eq!(opponents.iter().sum::<i32>(), 132);
    let table = standings(&after_13_rounds(&opponents), 13);
    assert_eq!(value(&table, 1, Criterion::TotalScore).as_deref(), Some("17"));

    // 18 + 200/11 − 13 = 255/11.
    let opponents = [22, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 13];
    assert_eq!(opponents.iter().sum::<i32>(), 200);
    let table = standings(&after_13_rounds(&opponents), 13);
    let total = &table.row(number(1)).expect("a row").values[0];
    assert_eq!(
        (total.exact().as_deref(), total.printed().as_str()),
        (Some("255/11"), "23.18")
    );
}

#[test]
fn a_paired_round_without_a_result_changes_no_total() {
    let mut stage = stage(4, &[Criterion::TotalScore]);
    wins(&mut stage, &[(1, 2), (3, 4)], &[]);
    let before = column(&standings(&stage, 1), Criterion::TotalScore);
    play(&mut stage, &[(1, 3, None), (2, 4, None)], &[]);
    assert_eq!(column(&standings(&stage, 2), Criterion::TotalScore), before);
}

#[test]
fn carried_opponents_count_in_opponents_sums_but_not_as_beaten() {
    let mut stage = stage(
        3,
        &[
            Criterion::OpponentsScore,
            Criterion::BeatenOpponentsScore,
            Criterion::OpponentsOpponentsScore,
            Criterion::RunningScore,
        ],
    );
    stage.first_round = 2;
    for (entry, (score, met)) in stage
        .entries
        .iter_mut()
        .zip([(2, vec![2]), (0, vec![1]), (2, vec![])])
    {
        entry.carried = Some(Carried {
            score: Score(score),
            balance: 0,
            met: met.into_iter().map(number).collect(),
        });
    }
    wins(&mut stage, &[(1, 3)], &[2]);
    let table = standings(&stage, 2);
    assert_eq!(column(&table, Criterion::OpponentsScore), ["4", "4", "4"]);
    assert_eq!(column(&table, Criterion::BeatenOpponentsScore), ["2", "0", "0"]);
    assert_eq!(
        column(&table, Criterion::OpponentsOpponentsScore),
        ["8", "4", "4"]
    );
    assert_eq!(column(&table, Criterion::RunningScore), ["4", "2", "2"]);
}

#[test]
fn a_draw_gives_half_of_the_opponents_score() {
    let mut stage = stage(4, &[Criterion::BeatenOpponentsScore]);
    play(
        &mut stage,
        &[(1, 2, Some(Outcome::Draw)), (3, 4, Some(Outcome::BothLose))],
        &[],
    );
    wins(&mut stage, &[(1, 3), (2, 4)], &[]);
    let table = standings(&stage, 2);
    assert_eq!(
        column(&table, Criterion::BeatenOpponentsScore),
        ["3/2", "3/2", "0", "0"]
    );
    assert_eq!(table.rows[0].values[0].printed(), "1.5");
}

#[test]
fn a_forfeit_counts_in_sums_as_the_event_says() {
    let mut stage = stage(
        4,
        &[
            Criterion::Score,
            Criterion::OpponentsScore,
            Criterion::BeatenOpponentsScore,
            Criterion::BestBeaten,
        ],
    );
    wins(&mut stage, &[(1, 2), (3, 4)], &[]);
    play(
        &mut stage,
        &[(3, 1, Some(Outcome::WhiteForfeit)), (2, 4, Some(Outcome::Black))],
        &[],
    );
    let of_3 = |unplayed| {
        let mut stage = stage.clone();
        stage.ranking.unplayed = unplayed;
        let table = standings(&stage, 2);
        table
            .row(number(3))
            .expect("a row")
            .values
            .iter()
            .map(Value::printed)
            .collect::<Vec<_>>()
    };
    // 4 has 0 points, 1 has 2; the virtual opponent has the 2 that 3 had before.
    assert_eq!(of_3(Unplayed::Opponent), ["4", "2", "2", "2 4"]);
    assert_eq!(of_3(Unplayed::Virtual), ["4", "2", "2", "4"]);
    assert_eq!(of_3(Unplayed::Nothing), ["4", "0", "0", "4"]);
}

#[test]
fn cutting_leaves_out_the_lowest_and_highest_terms() {
    let cut = |low, high| Criterion::OpponentsScoreCut { low, high };
    // Opponents of 1: 2 with 4 points, 3 with 2, and a bye.
    let mut stage = stage(4, &[cut(1, 1)]);
    wins(&mut stage, &[(1, 2), (4, 3)], &[]);
    wins(&mut stage, &[(1, 3), (2, 4)], &[]);
    wins(&mut stage, &[(2, 4)], &[1, 3]);
    for (low, high, expected) in [
        (0, 0, "6"),
        (1, 0, "6"),
        (2, 0, "4"),
        (1, 1, "2"),
        (2, 1, "0"),
        (9, 9, "0"),
    ] {
        stage.ranking.criteria = vec![cut(low, high)];
        let table = standings(&stage, 3);
        assert_eq!(
            value(&table, 1, cut(low, high)).as_deref(),
            Some(expected),
            "{low} {high}"
        );
    }
}

#[test]
fn running_scores_prefer_early_wins() {
    let mut stage = stage(
        4,
        &[Criterion::Score, Criterion::RunningScore, Criterion::RunningCut],
    );
    wins(&mut stage, &[(1, 2), (3, 4)], &[]);
    wins(&mut stage, &[(3, 1), (2, 4)], &[]);
    let table = standings(&stage, 2);
    assert_eq!(column(&table, Criterion::RunningScore), ["4", "2", "6", "0"]);
    assert_eq!(column(&table, Criterion::RunningCut), ["2", "2", "4", "0"]);
    assert_eq!(order(&table), [3, 1, 2, 4]);
    let difference = why(&table, number(2), number(1)).expect("a difference");
    assert_eq!(difference.criterion, Criterion::RunningScore);
    assert_eq!(
        (difference.of_a.printed(), difference.of_b.printed()),
        ("2".into(), "4".into())
    );
}

#[test]
fn the_running_cut_goes_on_round_by_round() {
    // Running scores 2 2 2 4 (win, loss, loss, win) against 0 2 4 4: both sum to 10.
    let mut stage = stage(6, &[Criterion::RunningScore, Criterion::RunningCut]);
    wins(&mut stage, &[(1, 3), (4, 2)], &[]);
    wins(&mut stage, &[(4, 1), (2, 3)], &[]);
    wins(&mut stage, &[(5, 1), (2, 6)], &[]);
    wins(&mut stage, &[(1, 6), (5, 2)], &[]);
    let table = standings(&stage, 4);
    assert_eq!(column(&table, Criterion::RunningScore)[..2], ["10", "10"]);
    assert_eq!(column(&table, Criterion::RunningCut)[..2], ["8,6,4", "10,8,4"]);
    assert!(table.row(number(2)).expect("2").place < table.row(number(1)).expect("1").place);
}

/// Score, direct encounter, number.
fn by_encounter(entries: u32) -> Stage {
    stage(
        entries,
        &[Criterion::Score, Criterion::DirectEncounter, Criterion::Number],
    )
}

#[test]
fn direct_encounter_places_two_who_have_met() {
    let mut stage = by_encounter(4);
    wins(&mut stage, &[(4, 1), (2, 3)], &[]);
    wins(&mut stage, &[(1, 3), (2, 4)], &[]);
    let table = standings(&stage, 2);
    assert_eq!(order(&table), [2, 4, 1, 3]);
    assert_eq!(column(&table, Criterion::DirectEncounter), ["0", "-", "-", "2"]);
    assert_eq!(
        why(&table, number(4), number(1)).map(|d| d.criterion),
        Some(Criterion::DirectEncounter)
    );
    assert_eq!(why(&table, number(4), number(4)), None);
    assert_eq!(why(&table, number(4), number(77)), None);
}

#[test]
fn direct_encounter_needs_all_of_the_tied_to_have_met() {
    // 1, 2 and 3 have two points each; 3 beat 2 and 2 beat 1, but 1 and 3 never met.
    let mut stage = by_encounter(4);
    wins(&mut stage, &[(3, 2), (1, 4)], &[]);
    wins(&mut stage, &[(2, 1), (4, 3)], &[]);
    let table = standings(&stage, 2);
    assert_eq!(column(&table, Criterion::Score), ["2", "2", "2", "2"]);
    assert!(table.rows.iter().all(|row| nothing(&row.values[1])));
    assert_eq!(order(&table), [1, 2, 3, 4]);
}

#[test]
fn direct_encounter_looks_again_at_parts_that_stay_tied() {
    // Among 1 to 4, who all met and ended equal: 1 and 2 made 4, 3 and 4 made 2; 2 beat 1 and 4 beat 3.
    let mut stage = by_encounter(6);
    wins(&mut stage, &[(1, 3), (2, 4)], &[]);
    wins(&mut stage, &[(1, 4), (3, 2)], &[]);
    wins(&mut stage, &[(2, 1), (4, 3)], &[]);
    wins(&mut stage, &[(3, 5), (4, 6)], &[]);
    let table = standings(&stage, 4);
    assert_eq!(column(&table, Criterion::Score)[..4], ["4", "4", "4", "4"]);
    assert_eq!(
        column(&table, Criterion::DirectEncounter)[..4],
        ["4,0", "4,2", "2,0", "2,2"]
    );
    assert_eq!(order(&table)[..4], [2, 1, 4, 3]);
}

#[test]
fn a_forfeit_is_an_encounter_unless_the_event_says_otherwise() {
    let mut stage = by_encounter(4);
    play(
        &mut stage,
        &[(2, 1, Some(Outcome::WhiteForfeit)), (3, 4, Some(Outcome::Black))],
        &[],
    );
    wins(&mut stage, &[(1, 4), (3, 2)], &[]);
    assert_eq!(order(&standings(&stage, 2)), [3, 2, 1, 4]);
    for unplayed in [Unplayed::Virtual, Unplayed::Nothing] {
        stage.ranking.unplayed = unplayed;
        assert_eq!(order(&standings(&stage, 2)), [3, 1, 2, 4]);
    }
    stage.ranking.unplayed = Unplayed::Opponent;
    stage.pairing.forfeits_may_meet_again = true;
    assert_eq!(order(&standings(&stage, 2)), [3, 1, 2, 4]);
}

#[test]
fn an_encounter_in_carried_rounds_is_not_guessed() {
    let mut stage = by_encounter(2);
    stage.first_round = 2;
    for (at, met) in [(0, 2), (1, 1)] {
        stage.entries[at].carried = Some(Carried {
            score: Score(2),
            balance: 0,
            met: vec![number(met)],
        });
    }
    let table = standings(&stage, 1);
    assert!(table.rows.iter().all(|row| nothing(&row.values[1])));
}

#[test]
fn best_beaten_compares_victims_one_by_one() {
    // 1 and 2 have four points and have not met. 1 beat 3 (2 points) and 6 (0), 2 beat 5 (2 points)
    // and 4 (2 points): equal in the best one, and then 2 beat the better second.
    let mut stage = stage(6, &[Criterion::Score, Criterion::BestBeaten]);
    wins(&mut stage, &[(1, 3), (2, 4), (5, 6)], &[]);
    wins(&mut stage, &[(1, 6), (2, 5), (3, 4)], &[]);
    wins(&mut stage, &[(4, 6)], &[]);
    let table = standings(&stage, 3);
    assert_eq!(column(&table, Criterion::Score), ["4", "4", "2", "2", "2", "0"]);
    assert_eq!(column(&table, Criterion::BestBeaten)[..2], ["3,6", "3,3"]);
    assert_eq!(order(&table)[..2], [2, 1]);
}

#[test]
fn best_beaten_goes_by_the_criteria_before_it() {
    // The same results with opponents' scores before: 5 is now a lesser victim than 3 and 4.
    let mut stage = stage(
        6,
        &[Criterion::Score, Criterion::OpponentsScore, Criterion::BestBeaten],
    );
    wins(&mut stage, &[(1, 3), (2, 4), (5, 6)], &[]);
    wins(&mut stage, &[(1, 6), (2, 5), (3, 4)], &[]);
    wins(&mut stage, &[(4, 6)], &[]);
    let table = standings(&stage, 3);
    // 3: 4 + 2 = 6; 4: 4 + 2 + 0 = 6; 5: 0 + 4 = 4.
    assert_eq!(column(&table, Criterion::OpponentsScore)[2..5], ["6", "6", "4"]);
    assert_eq!(column(&table, Criterion::BestBeaten)[1], "3,5");
}

#[test]
fn fewer_warnings_stand_before() {
    let mut stage = stage(4, &[Criterion::Score, Criterion::FewerWarnings]);
    wins(&mut stage, &[(1, 3), (2, 4)], &[]);
    stage.rounds[0].boards[0].warnings = Warnings { black: 1, white: 0 };
    let table = standings(&stage, 1);
    assert_eq!(places(&table), [(1, 2), (2, 1), (3, 3), (3, 4)]);
    assert_eq!(column(&table, Criterion::FewerWarnings), ["1", "0", "0", "0"]);
}

#[test]
fn a_rating_stands_before_a_lower_one_and_that_before_none() {
    let mut stage = stage(3, &[Criterion::Rating]);
    stage.entries[1].rating = Some(-50);
    stage.entries[2].rating = Some(2100);
    let table = standings(&stage, 0);
    assert_eq!(places(&table), [(1, 3), (2, 2), (3, 1)]);
    assert_eq!(column(&table, Criterion::Rating), ["-", "-50", "2100"]);
}

#[test]
fn lots_decide_when_all_of_the_tied_have_drawn() {
    let mut stage = stage(3, &[Criterion::Score, Criterion::Lots]);
    stage.ranking.lots = vec![(number(1), 3), (number(3), 1)];
    let table = standings(&stage, 0);
    assert_eq!(places(&table), [(1, 1), (1, 2), (1, 3)]);
    assert_eq!(why(&table, number(1), number(3)), None);
    stage.ranking.lots.push((number(2), 2));
    assert_eq!(places(&standings(&stage, 0)), [(1, 3), (2, 2), (3, 1)]);
}

#[test]
fn byes_are_no_wins_and_the_number_separates_everybody() {
    let mut stage = stage(4, &[Criterion::Wins, Criterion::Number]);
    wins(&mut stage, &[(4, 3)], &[1, 2]);
    let table = standings(&stage, 1);
    assert_eq!(places(&table), [(1, 4), (2, 1), (3, 2), (4, 3)]);
    assert_eq!(column(&table, Criterion::Wins), ["0", "0", "0", "1"]);
}
