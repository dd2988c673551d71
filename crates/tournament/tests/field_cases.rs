//! Troubles that tournaments have really had, as rounds to pair. Points are doubled: a win is 2.

mod support;

use std::collections::BTreeMap;

use support::{n, played, stage, table};
use tournament::Outcome::{self, Black, BlackForfeit, Draw, White};
use tournament::checker::{Facts, Finding, Judgement, judge, judge_event};
use tournament::pairing::{Confirmed, OpenBoard, Refusal, Request, Rule, pair};
use tournament::{Choices, Number, Round, Score, Side, Stage, validate};

const CONFIRMED: Confirmed = Confirmed {
    repeats: true,
    provisional: false,
};

fn paired(stage: &Stage) -> Round {
    pair(stage, Confirmed::default())
        .unwrap_or_else(|refusal| panic!("{refusal}"))
        .to_round()
}

fn pairs(round: &Round) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = round
        .boards
        .iter()
        .map(|b| (b.black.get().min(b.white.get()), b.black.get().max(b.white.get())))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Plays out all rounds; the smaller number wins every game.
fn play_out(stage: &mut Stage, confirmed: Confirmed) {
    while stage.next_round() <= stage.rounds_planned {
        let mut round = pair(stage, confirmed)
            .unwrap_or_else(|refusal| panic!("{refusal}"))
            .to_round();
        for board in &mut round.boards {
            board.result = Some(if board.black < board.white { Black } else { White });
        }
        stage.rounds.push(round);
    }
}

fn sound(stage: &Stage, round: &Round) -> Judgement {
    let judgement = judge(stage, round);
    assert!(judgement.is_sound(), "{:?}", judgement.findings);
    judgement
}

#[test]
fn an_event_that_everybody_has_left_is_not_paired() {
    let mut left = stage(4, 5);
    left.rounds.push(played(1, &[(1, 2, Black), (3, 4, Black)], &[]));
    for entry in &mut left.entries {
        entry.withdrawn_after = Some(1);
    }
    let nobody = Refusal::TooFewPlayers {
        round: 2,
        active: vec![],
        byes: vec![],
    };
    assert_eq!(pair(&left, Confirmed::default()), Err(nobody));
    left.entries[2].withdrawn_after = None;
    let one = Refusal::TooFewPlayers {
        round: 2,
        active: vec![n(3)],
        byes: vec![],
    };
    assert_eq!(pair(&left, Confirmed::default()), Err(one));
    let empty = Refusal::TooFewPlayers {
        round: 1,
        active: vec![],
        byes: vec![],
    };
    assert_eq!(pair(&stage(0, 5), Confirmed::default()), Err(empty));
}

#[test]
fn club_mates_meet_only_where_there_is_no_other_way() {
    let mut one_club = stage(4, 5);
    for entry in &mut one_club.entries {
        entry.team = Some("X".into());
    }
    let round = paired(&one_club);
    assert_eq!((round.boards.len(), round.byes.len()), (2, 0));
    assert_eq!(sound(&one_club, &round).reached.team_mates[0].count, 2);

    let mut mixed = stage(8, 5);
    for (k, entry) in mixed.entries.iter_mut().enumerate() {
        entry.team = Some(if k < 5 { "X".into() } else { format!("Y{k}") });
    }
    let round = paired(&mixed);
    assert_eq!(sound(&mixed, &round).reached.team_mates[0].count, 1);
}

#[test]
fn the_number_of_rounds_can_change_but_not_below_what_is_paired() {
    let mut stage = stage(16, 5);
    play_out(&mut stage, CONFIRMED);
    stage.rounds.truncate(3);
    for (planned, possible) in [(4, true), (6, true), (3, true), (2, false)] {
        stage.rounds_planned = planned;
        assert_eq!(validate::faults(&stage).is_empty(), possible, "{planned} rounds");
    }
    stage.rounds_planned = 3;
    assert_eq!(
        pair(&stage, CONFIRMED),
        Err(Refusal::NoRoundLeft { planned: 3 }),
        "the event is over after the last planned round"
    );
}

// 1 and 2 are never paired, and each has met 3 and 4.
#[test]
fn a_ban_that_leaves_no_new_table_is_named_with_the_ways_out() {
    let mut stage = stage(4, 5);
    stage.pairing.forbidden_pairs = vec![(n(1), n(2))];
    stage.rounds = vec![
        played(1, &[(1, 3, Black), (2, 4, Black)], &[]),
        played(2, &[(4, 1, White), (3, 2, White)], &[]),
    ];
    let refusal = pair(&stage, Confirmed::default()).expect_err("a rule has to give way");
    let Refusal::RepeatsNeeded { because, .. } = &refusal else {
        panic!("{refusal}")
    };
    assert_eq!(because.rules, [Rule::Forbidden, Rule::Met]);
    assert_eq!(because.lift, [Rule::Forbidden, Rule::Met]);
    assert_eq!(because.pairs, [(n(1), n(2))]);
    let words = refusal.to_string();
    for part in [
        "forbidden pairs",
        "earlier meetings",
        "(1–2)",
        "lift a forbidden pair",
        "confirm repeats",
    ] {
        assert!(words.contains(part), "{words}");
    }
    let confirmed = pairs(&pair(&stage, CONFIRMED).expect("confirmed").to_round());
    assert!(
        confirmed == [(1, 3), (2, 4)] || confirmed == [(1, 4), (2, 3)],
        "{confirmed:?}"
    );
    stage.pairing.forbidden_pairs.clear();
    assert_eq!(pairs(&paired(&stage)), [(1, 2), (3, 4)]);
}

// R1 A+E B=F C+G D=H, R2 A+C B+D F+H E+G with A to H as 1 to 8.
#[test]
fn nobody_meets_an_opponent_a_whole_point_away_while_half_a_point_is_possible() {
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
    let round = paired(&stage);
    let judgement = sound(&stage, &round);
    assert_eq!(judgement.reached.repeats, 0);
    for finding in &judgement.findings {
        if let Finding::Float {
            down_score, up_score, ..
        } = finding
        {
            assert_eq!(*down_score - *up_score, Score(1), "{finding}");
        }
    }
    assert_eq!(judgement.reached.float_squares, 4);
}

// A has played one game, as Black; F three, two of them as White.
#[test]
fn colours_are_counted_over_games_that_were_played() {
    let mut stage = stage(6, 5);
    stage.rounds = vec![
        played(1, &[(1, 2, Black), (3, 6, White), (4, 5, Black)], &[]),
        played(2, &[(3, 1, BlackForfeit), (6, 4, Black), (5, 2, Black)], &[]),
        played(3, &[(2, 6, White), (4, 3, Black)], &[1]),
    ];
    stage.entries[4].withdrawn_after = Some(2);
    for number in 2..=5 {
        stage.entries[number - 1].withdrawn_after = Some(3);
    }
    let round = paired(&stage);
    assert_eq!((round.boards[0].black, round.boards[0].white), (n(6), n(1)));
}

#[test]
fn a_field_that_has_played_itself_out_meets_again_but_not_at_once() {
    let mut four = stage(4, 4);
    four.rounds = vec![
        played(1, &[(1, 2, Black), (3, 4, Black)], &[]),
        played(2, &[(3, 1, Black), (4, 2, Black)], &[]),
        played(3, &[(1, 4, Black), (2, 3, Black)], &[]),
    ];
    let Err(Refusal::RepeatsNeeded { round: 4, pairs, .. }) = pair(&four, Confirmed::default()) else {
        panic!("repeats must be confirmed first");
    };
    assert_eq!(pairs.len(), 2);
    let pairing = pair(&four, CONFIRMED).expect("confirmed");
    assert_eq!(pairing.criteria.repeats, 2);
    assert_eq!(pairing.criteria.repeats_just_before, 0);
    let judgement = sound(&four, &pairing.to_round());
    let repeats = judgement
        .findings
        .iter()
        .filter(|finding| matches!(finding, Finding::Repeat { .. }))
        .count();
    assert_eq!(repeats, 2, "each is marked");

    let mut two = stage(2, 2);
    play_out(&mut two, CONFIRMED);
    assert_eq!(two.rounds.len(), 2);
    assert_ne!(two.rounds[0].boards[0].black, two.rounds[1].boards[0].black);
}

// Every player of {1,2,3} has met every one of {4,5,6}.
#[test]
fn where_no_new_round_exists_one_repeat_is_named_and_then_made() {
    let mut stage = stage(6, 5);
    stage.rounds = vec![
        played(1, &[(1, 4, Black), (2, 5, White), (3, 6, Black)], &[]),
        played(2, &[(5, 1, Black), (6, 2, Black), (4, 3, White)], &[]),
        played(3, &[(1, 6, Draw), (2, 4, Black), (3, 5, White)], &[]),
    ];
    let refusal = pair(&stage, Confirmed::default()).expect_err("a repeat is needed");
    let Refusal::RepeatsNeeded {
        round: 4,
        pairs,
        because,
    } = &refusal
    else {
        panic!("{refusal}")
    };
    assert_eq!(
        (because.groups.as_slice(), because.opponents.as_slice()),
        ([vec![n(1), n(2), n(3)]].as_slice(), [].as_slice()),
        "an odd number who can meet only one another"
    );
    assert_eq!(because.lift, [Rule::Met]);
    let [repeat] = pairs[..] else {
        panic!("one repeat is the least: {pairs:?}")
    };
    let words = refusal.to_string();
    assert!(
        words.contains(&format!("{}–{}", repeat.first, repeat.second)),
        "{words}"
    );
    let round = pair(&stage, CONFIRMED).expect("confirmed").to_round();
    assert_eq!(round.boards.len(), 3);
    assert!(
        round
            .board_of(repeat.first)
            .is_some_and(|(board, side)| board.on(side.other()) == repeat.second)
    );
    sound(&stage, &round);
}

// The director fixes 3 against 6; 5 had the bye.
#[test]
fn one_board_is_fixed_and_the_others_are_paired_around_it() {
    let mut stage = stage(9, 5);
    stage.rounds.push(played(
        1,
        &[(1, 2, Black), (3, 4, Black), (6, 7, White), (8, 9, Black)],
        &[5],
    ));
    let request = Request {
        choices: Choices {
            pairs: vec![(n(3), n(6))],
            ..Choices::default()
        },
        ..Request::default()
    };
    let pairing = pair(&stage, request).expect("a table");
    assert!(pairs(&pairing.to_round()).contains(&(3, 6)));
    assert_eq!((pairing.boards.len(), pairing.byes.len()), (4, 1));
    assert!(!pairing.byes.contains(&n(5)));
    assert_eq!(pairing.criteria.repeats, 0);
    sound(&stage, &pairing.to_round());
}

#[test]
fn colours_stay_balanced_over_seven_rounds() {
    let mut stage = stage(16, 7);
    play_out(&mut stage, CONFIRMED);
    let facts = Facts::before(&stage, 8, &[]);
    let mut balances: Vec<i32> = facts.players.iter().map(|player| player.balance.abs()).collect();
    balances.sort_unstable();
    assert!(balances[15] <= 3, "{balances:?}");
    assert!(
        balances.iter().filter(|balance| **balance <= 1).count() >= 12,
        "almost all differ by one game at most: {balances:?}"
    );
    for (round, judgement) in judge_event(&stage) {
        assert!(judgement.is_sound(), "round {round}: {:?}", judgement.findings);
        let running = judgement
            .findings
            .iter()
            .filter(|finding| matches!(finding, Finding::ThirdTimeRunning { .. }))
            .count();
        let counted = third_times_running(&stage, round);
        assert_eq!(running, counted, "round {round}: every streak of three is listed");
    }
}

fn third_times_running(stage: &Stage, round: u32) -> usize {
    let colour = |number: Number, round: u32| -> Option<Side> {
        let round = stage.rounds.get(usize::try_from(round).ok()?.checked_sub(1)?)?;
        round.board_of(number).map(|(_, side)| side)
    };
    stage
        .entries
        .iter()
        .filter(|entry| {
            let last = [round, round.wrapping_sub(1), round.wrapping_sub(2)].map(|r| colour(entry.number, r));
            last[0].is_some() && last[0] == last[1] && last[1] == last[2]
        })
        .count()
}

#[test]
fn one_who_dropped_out_keeps_the_result_and_gets_no_opponent() {
    let mut stage = stage(4, 3);
    stage.rounds.push(played(1, &[(1, 2, Black), (3, 4, Black)], &[]));
    stage.entries[1].withdrawn_after = Some(1);
    let round = paired(&stage);
    assert_eq!((round.boards.len(), round.byes.len()), (1, 1));
    assert!(round.board_of(n(2)).is_none() && !round.byes.contains(&n(2)));
    assert_eq!(round.absent, [n(2)]);
    sound(&stage, &round);
    assert_eq!(stage.rounds[0].boards[0].result, Some(Black));
}

#[test]
fn a_round_is_not_paired_on_results_that_are_missing() {
    let mut stage = stage(10, 5);
    let first = paired(&stage);
    let results: Vec<(u32, u32, Outcome)> = first
        .boards
        .iter()
        .map(|b| (b.black.get(), b.white.get(), Black))
        .collect();
    stage.rounds.push(played(1, &results, &[]));
    let mut second = paired(&stage);
    for board in &mut second.boards {
        board.result = (board.board != 2 && board.board != 5).then_some(White);
    }
    let open: Vec<OpenBoard> = second
        .pending()
        .map(|b| OpenBoard {
            board: b.board,
            black: b.black,
            white: b.white,
        })
        .collect();
    stage.rounds.push(second);
    let refusal = pair(&stage, Confirmed::default()).expect_err("two results are missing");
    assert_eq!(
        refusal,
        Refusal::MissingResults {
            round: 2,
            boards: open.clone()
        }
    );
    let words = refusal.to_string();
    for board in open {
        assert!(words.contains(&board.black.to_string()) && words.contains(&board.white.to_string()));
    }
}

fn byes(stage: &Stage) -> Vec<u32> {
    stage
        .rounds
        .iter()
        .flat_map(|round| &round.byes)
        .map(|number| number.get())
        .collect()
}

#[test]
fn byes_go_to_different_players_from_the_bottom_and_never_to_the_leader() {
    let mut stage = stage(9, 6);
    play_out(&mut stage, Confirmed::default());
    let mut given = byes(&stage);
    assert_eq!(given.len(), 6);
    assert!(!given.contains(&1), "{given:?}");
    given.sort_unstable();
    given.dedup();
    assert_eq!(given.len(), 6, "six byes for six players");
    for (round, judgement) in judge_event(&stage) {
        // Nine players: every table was tried, so the lowest possible group is proved.
        assert!(judgement.is_sound(), "round {round}: {:?}", judgement.findings);
        assert_eq!(judgement.reached.bye_so_far, 0, "round {round}");
    }
}

#[test]
fn when_everybody_has_had_a_bye_they_go_round_again() {
    let mut stage = stage(3, 6);
    play_out(&mut stage, CONFIRMED);
    let given = byes(&stage);
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for (round, number) in given.iter().enumerate() {
        let fewest = (1..=3)
            .map(|k| counts.get(&k).copied().unwrap_or(0))
            .min()
            .unwrap_or(0);
        let had = counts.entry(*number).or_default();
        assert_eq!(*had, fewest, "round {}: {given:?}", round + 1);
        *had += 1;
    }
    assert_eq!(counts.values().copied().collect::<Vec<_>>(), [2, 2, 2]);
    for round in &stage.rounds[3..] {
        assert_eq!(judge(&stage, round).reached.repeats, 1, "flagged");
    }
}

// Whoever gets the bye by hand, there is one.
#[test]
fn a_bye_given_by_hand_replaces_the_other_one() {
    let mut stage = stage(9, 5);
    stage.rounds.push(played(
        1,
        &[(1, 2, Black), (3, 4, Black), (5, 6, Black), (7, 8, Black)],
        &[9],
    ));
    let given = Request {
        choices: Choices {
            byes: vec![n(7)],
            ..Choices::default()
        },
        ..Request::default()
    };
    let kept = pair(&stage, given).expect("a table");
    assert_eq!((kept.boards.len(), kept.byes), (4, vec![n(7)]), "the only bye");
    let by_hand = table(2, &[(3, 1), (7, 5), (9, 2), (6, 8)], &[4]);
    assert_eq!(judge(&stage, &by_hand).reached.bye_so_far, 0);
    let two_byes = table(2, &[(3, 1), (7, 5), (9, 2)], &[4, 6, 8]);
    assert!(!judge(&stage, &two_byes).is_sound());
}

// (a) two boards and no other bye, (b) one board and one more bye,
// (c) nobody is left.
#[test]
fn byes_that_were_asked_for_are_given_and_the_others_paired() {
    let asked = |asked: usize| {
        let mut stage = stage(5, 3);
        for entry in &mut stage.entries[..asked] {
            entry.bye_rounds = vec![1];
        }
        stage
    };
    let one = paired(&asked(1));
    assert_eq!((one.boards.len(), one.byes), (2, vec![n(1)]));
    let two = paired(&asked(2));
    assert_eq!((two.boards.len(), two.byes), (1, vec![n(1), n(2), n(5)]));
    let everybody = (1..=5).map(n).collect();
    assert_eq!(
        pair(&asked(5), Confirmed::default()),
        Err(Refusal::TooFewPlayers {
            round: 1,
            active: vec![],
            byes: everybody
        })
    );
}

#[test]
fn rounds_that_were_asked_off_are_no_byes() {
    let off = |asked: usize| {
        let mut stage = stage(5, 3);
        for entry in &mut stage.entries[..asked] {
            entry.absent_rounds = vec![1];
        }
        stage
    };
    let one = paired(&off(1));
    assert_eq!((pairs(&one), one.byes.len()), (vec![(2, 3), (4, 5)], 0));
    let two = paired(&off(2));
    assert_eq!((pairs(&two), two.byes), (vec![(3, 4)], vec![n(5)]));
    assert!(matches!(
        pair(&off(5), Confirmed::default()),
        Err(Refusal::TooFewPlayers { .. })
    ));
}

// Three players, each with one bye; 1 wins both games, 2 one, 3 none.
#[test]
fn a_bye_is_worth_what_the_event_says() {
    let mut stage = stage(3, 3);
    play_out(&mut stage, CONFIRMED);
    for (worth, totals) in [(2, [6, 4, 2]), (1, [5, 3, 1]), (0, [4, 2, 0])] {
        stage.pairing.bye_score = Score(worth);
        let facts = Facts::before(&stage, 4, &[]);
        let scores: Vec<i32> = facts.players.iter().map(|player| player.score.0).collect();
        assert_eq!(scores, totals, "a bye of {worth}");
    }
}
