//! Simulated events: the same seed gives the same event, and every event is one that could be.

use tournament::checker::judge_event;
use tournament::simulate::{Simulation, simulate};
use tournament::{
    By, Colours, Outcome, PairingOrder, PairingSettings, Stage, TeamAvoidance, ThirdColour, validate,
};

fn everything(players: u32, rounds: u32, seed: u64) -> Simulation {
    Simulation {
        withdrawals: 30,
        teams: 600,
        draws: 100,
        byes: 50,
        forfeits: 50,
        both_lose: 20,
        late: 100,
        unrated: 100,
        large_team: 200,
        forbidden: 100,
        unwanted: 100,
        bye_requests: 20,
        start_scores: 2,
        choices: 300,
        ..Simulation::new(players, rounds, seed)
    }
}

#[test]
fn what_is_asked_for_changes_nothing_else() {
    let plain = simulate(&Simulation::new(60, 1, 9));
    let peculiar = simulate(&Simulation {
        unrated: 300,
        large_team: 500,
        forbidden: 300,
        unwanted: 300,
        start_scores: 3,
        ..Simulation::new(60, 1, 9)
    });
    let names =
        |stage: &Stage| -> Vec<String> { stage.entries.iter().map(|entry| entry.name.clone()).collect() };
    assert_eq!(names(&plain), names(&peculiar));
    for (one, other) in plain.entries.iter().zip(&peculiar.entries) {
        assert!(other.rating.is_none() || one.rating == other.rating);
    }
    let rated = |stage: &Stage| {
        stage
            .entries
            .iter()
            .filter(|entry| entry.rating.is_some())
            .count()
    };
    assert_eq!(rated(&plain), 60);
    assert!((30..55).contains(&rated(&peculiar)), "{}", rated(&peculiar));
    let members = |stage: &Stage| stage.entries.iter().filter(|entry| entry.team.is_some()).count();
    assert_eq!((members(&plain), members(&peculiar)), (0, 30));
    assert_eq!(peculiar.pairing.forbidden_pairs.len(), 9);
    assert!((5..=9).contains(&peculiar.pairing.unwanted_pairs.len()));
    let mut seen = std::collections::BTreeSet::new();
    for entry in &peculiar.entries {
        seen.insert(entry.start_score);
        // The strongest have the most.
        if let Some(rating) = entry.rating {
            assert_eq!(entry.start_score.0, (rating - 1000) / 400);
        }
    }
    assert_eq!(seen.len(), 4);
}

#[test]
fn upsets_come_as_often_as_asked() {
    for (rate, expected) in [(0, 0..=0), (250, 190..=260), (1000, 880..=891)] {
        let stage = simulate(&Simulation {
            upsets: Some(rate),
            ..Simulation::new(198, 9, 5)
        });
        let rating = |number| stage.entry(number).and_then(|entry| entry.rating);
        let upsets = stage
            .rounds
            .iter()
            .flat_map(|round| &round.boards)
            .filter(|board| {
                let (black, white) = (rating(board.black), rating(board.white));
                let winner_is_black = board.result == Some(Outcome::Black);
                black != white && winner_is_black == (black < white)
            });
        let upsets = upsets.count();
        assert!(expected.contains(&upsets), "{rate}: {upsets}");
    }
}

#[test]
fn the_director_fixes_what_can_be_had() {
    let (mut fixed, mut apart, mut byes, mut out) = (0, 0, 0, 0);
    for seed in 0..40 {
        let stage = simulate(&Simulation {
            choices: 1000,
            ..Simulation::new(15, 5, seed)
        });
        for round in &stage.rounds {
            let meet = |(one, other): &(tournament::Number, tournament::Number)| {
                round
                    .boards
                    .iter()
                    .any(|board| board.side_of(*one).is_some() && board.side_of(*other).is_some())
            };
            fixed += round.choices.pairs.len();
            apart += round.choices.apart.len();
            byes += round.choices.byes.len();
            out += round.choices.sitting_out.len();
            assert!(round.choices.pairs.iter().all(meet));
            assert!(!round.choices.apart.iter().any(meet));
            assert!(
                round
                    .choices
                    .byes
                    .iter()
                    .all(|number| round.byes.contains(number))
            );
            assert!(
                round
                    .choices
                    .sitting_out
                    .iter()
                    .all(|number| round.absent.contains(number))
            );
        }
    }
    assert!(
        fixed > 20 && apart > 20 && byes > 10 && out > 20,
        "{fixed} {apart} {byes} {out}"
    );
}

#[test]
fn mixed_events_have_every_setting() {
    let settings: Vec<PairingSettings> = (0..200)
        .map(|seed| Simulation::mixed(2..=60, 1..=12, seed).pairing)
        .collect();
    for order in PairingOrder::ALL {
        assert!(
            settings.iter().any(|settings| settings.order == *order),
            "{order:?}"
        );
    }
    for colours in Colours::ALL {
        assert!(
            settings.iter().any(|settings| settings.colours == *colours),
            "{colours:?}"
        );
    }
    for avoidance in TeamAvoidance::ALL {
        assert!(
            settings
                .iter()
                .any(|settings| settings.team_avoidance == *avoidance),
            "{avoidance:?}"
        );
    }
    for third in ThirdColour::ALL {
        assert!(
            settings.iter().any(|settings| settings.third_colour == *third),
            "{third:?}"
        );
    }
    let sizes: std::collections::BTreeSet<u32> = (0..2000)
        .map(|seed| Simulation::mixed(2..=60, 1..=12, seed).players)
        .collect();
    assert_eq!(sizes.len(), 59);
}

#[test]
fn a_seed_is_an_event() {
    assert_eq!(simulate(&everything(40, 7, 3)), simulate(&everything(40, 7, 3)));
    assert_ne!(simulate(&everything(40, 7, 3)), simulate(&everything(40, 7, 4)));
}

#[test]
fn every_event_could_have_been_played() {
    for seed in 0..40 {
        let players = u32::try_from(seed).expect("small") * 3;
        let stage = simulate(&everything(players, 6, seed));
        assert_eq!(validate::faults(&stage), [], "seed {seed}");
        assert!(
            stage.rounds.iter().all(|round| round.pending().next().is_none()),
            "every game has a result"
        );
        for (round, judgement) in judge_event(&stage) {
            assert!(
                judgement.is_sound(),
                "seed {seed} round {round}: {:?}",
                judgement.findings
            );
        }
    }
}

#[test]
fn without_rates_everybody_plays_every_round_to_a_win() {
    let stage = simulate(&Simulation::new(64, 6, 1));
    assert_eq!(stage.rounds.len(), 6);
    for round in &stage.rounds {
        assert_eq!(
            (round.boards.len(), round.byes.len(), round.absent.len()),
            (32, 0, 0)
        );
        for board in &round.boards {
            assert!(matches!(board.result, Some(Outcome::Black | Outcome::White)));
            assert_eq!(board.margin.is_some(), board.by == Some(By::Count));
        }
    }
}

#[test]
fn the_stronger_player_usually_wins() {
    let stage = simulate(&Simulation::new(200, 9, 5));
    let rating = |stage: &Stage, number| stage.entry(number).and_then(|entry| entry.rating);
    let (mut games, mut expected) = (0, 0);
    for board in stage.rounds.iter().flat_map(|round| &round.boards) {
        let (black, white) = (rating(&stage, board.black), rating(&stage, board.white));
        games += 1;
        expected += i32::from((black > white) == (board.result == Some(Outcome::Black)));
    }
    assert!(expected * 100 > games * 60, "{expected} of {games}");
    assert!(expected < games, "upsets happen");
}

#[test]
fn each_rate_does_what_it_says() {
    let base = || Simulation::new(100, 5, 9);
    let results = |simulation: &Simulation| -> Vec<Outcome> {
        let stage = simulate(simulation);
        let boards = stage.rounds.iter().flat_map(|round| &round.boards);
        boards.filter_map(|board| board.result).collect()
    };
    let all_drawn = results(&Simulation {
        draws: 1000,
        ..base()
    });
    assert!(all_drawn.iter().all(|outcome| *outcome == Outcome::Draw));
    let nobody_comes = results(&Simulation {
        forfeits: 1000,
        ..base()
    });
    assert!(nobody_comes.iter().all(|outcome| !outcome.played()));
    let teams = simulate(&Simulation {
        teams: 1000,
        ..base()
    });
    assert!(teams.entries.iter().all(|entry| entry.team.is_some()));
    let late = simulate(&Simulation { late: 250, ..base() });
    assert_eq!(late.rounds[0].absent.len(), 25);
    let gone = simulate(&Simulation {
        withdrawals: 1000,
        ..base()
    });
    assert_eq!(gone.rounds.len(), 1, "nobody is left after the first round");
}
