//! Simulated events: the same seed gives the same event, and every event is one that could be.

use tournament::checker::judge_event;
use tournament::simulate::{Simulation, simulate};
use tournament::{By, Outcome, Stage, validate};

fn everything(players: u32, rounds: u32, seed: u64) -> Simulation {
    Simulation {
        withdrawals: 30,
        teams: 600,
        draws: 100,
        byes: 50,
        forfeits: 50,
        both_lose: 20,
        late: 100,
        ..Simulation::new(players, rounds, seed)
    }
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
    let base = Simulation::new(100, 5, 9);
    let results = |simulation: &Simulation| -> Vec<Outcome> {
        let stage = simulate(simulation);
        let boards = stage.rounds.iter().flat_map(|round| &round.boards);
        boards.filter_map(|board| board.result).collect()
    };
    let all_drawn = results(&Simulation { draws: 1000, ..base });
    assert!(all_drawn.iter().all(|outcome| *outcome == Outcome::Draw));
    let nobody_comes = results(&Simulation {
        forfeits: 1000,
        ..base
    });
    assert!(nobody_comes.iter().all(|outcome| !outcome.played()));
    let teams = simulate(&Simulation { teams: 1000, ..base });
    assert!(teams.entries.iter().all(|entry| entry.team.is_some()));
    let late = simulate(&Simulation { late: 250, ..base });
    assert_eq!(late.rounds[0].absent.len(), 25);
    let gone = simulate(&Simulation {
        withdrawals: 1000,
        ..base
    });
    assert_eq!(gone.rounds.len(), 1, "nobody is left after the first round");
}
