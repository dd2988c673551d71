//! Random events of every kind, each from one number.

use tournament::simulate::{Simulation, simulate_with};
use tournament::{Board, Carried, Number, NumberOrder, Round, Score, Side, Stage};

/// A small generator (`SplitMix64`) for the choices around a simulation.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed ^ (mixed >> 31)) % u64::from(limit.max(1))).unwrap_or(0)
    }

    pub fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }
}

/// An event with so many players at most, and settings of every kind, drawn from the seed.
/// `next` pairs the rounds; the settings are in force when it is called.
pub fn event(seed: u64, least: u32, most: u32, mut next: impl FnMut(&Stage) -> Option<Round>) -> Stage {
    let mut dice = Dice::new(seed);
    let players = least + dice.below(most - least + 1);
    let rounds = 2 + dice.below(if players < 12 { 7 } else { 9 });
    let mut simulation = Simulation::new(players, rounds, seed);
    let mut rate = |often: u32, limit: u32| if dice.one_in(often) { dice.below(limit) } else { 0 };
    simulation.withdrawals = rate(3, 150);
    simulation.teams = rate(2, 1000);
    simulation.draws = rate(2, 500);
    simulation.byes = rate(3, 200);
    simulation.forfeits = rate(3, 300);
    simulation.both_lose = rate(5, 200);
    simulation.late = rate(3, 400);
    let mut template = Stage::swiss(rounds);
    settings(&mut template, &mut dice);
    let start_scores = dice.one_in(5).then(|| 1 + dice.below(4));
    let starts: Vec<i32> = (0..players)
        .map(|_| start_scores.map_or(0, |limit| i32::try_from(dice.below(limit + 1)).unwrap_or(0)))
        .collect();
    let dress = |stage: &Stage| {
        let mut stage = stage.clone();
        stage.pairing = template.pairing.clone();
        for (entry, start) in stage.entries.iter_mut().zip(&starts) {
            entry.start_score = Score(*start);
        }
        stage
    };
    let played = simulate_with(&simulation, |stage| next(&dress(stage)));
    dress(&played)
}

fn settings(stage: &mut Stage, dice: &mut Dice) {
    let pairing = &mut stage.pairing;
    pairing.number_order = match dice.below(6) {
        0 => NumberOrder::Ascending,
        1 => NumberOrder::Descending,
        _ => NumberOrder::Alternate,
    };
    pairing.avoid_team_rounds = [0, 1, 1, 1, 3, 100][dice.below(6) as usize];
    pairing.bye_score = [Score::WIN, Score::WIN, Score::DRAW, Score::ZERO][dice.below(4) as usize];
    pairing.absent_score = [Score::ZERO, Score::DRAW][dice.below(2) as usize];
    pairing.forfeits_may_meet_again = dice.one_in(3);
    pairing.avoid_repeated_floats = !dice.one_in(6);
}

/// The same event taken over after a round: what was before lies in `carried`.
pub fn carried_over(stage: &Stage, after: u32) -> Stage {
    let mut taken = stage.clone();
    taken.first_round = after + 1;
    taken.rounds.retain(|round| round.round > after);
    for entry in &mut taken.entries {
        let mut carried = Carried::default();
        for round in stage.rounds.iter().filter(|round| round.round <= after) {
            let number = entry.number;
            if let Some((board, side)) = round.board_of(number) {
                let outcome = board.result.expect("played");
                carried.score += outcome.score(side);
                if outcome.played() {
                    carried.balance += if side == Side::White { 1 } else { -1 };
                }
                if outcome.played() || !stage.pairing.forfeits_may_meet_again {
                    let other: Number = board.on(side.other());
                    if !carried.met.contains(&other) {
                        carried.met.push(other);
                    }
                }
            } else if round.byes.contains(&number) {
                carried.score += stage.pairing.bye_score;
            } else {
                carried.score += stage.pairing.absent_score;
            }
        }
        entry.carried = Some(carried);
    }
    taken
}

/// A table drawn by lot, colours too: histories that no sensible pairing leaves behind.
pub fn by_lot(stage: &Stage, dice: &mut Dice) -> Option<Round> {
    let round = stage.next_round();
    let mut playing: Vec<Number> = stage
        .entries
        .iter()
        .filter(|entry| entry.plays_in(round))
        .map(|entry| entry.number)
        .collect();
    for last in (1..playing.len()).rev() {
        playing.swap(last, dice.below(u32::try_from(last + 1).ok()?) as usize);
    }
    let mut table = Round {
        round,
        ..Round::default()
    };
    for pair in playing.chunks(2) {
        match *pair {
            [black, white] => {
                let board = u32::try_from(table.boards.len() + 1).ok()?;
                table.boards.push(Board::new(board, black, white));
            }
            [bye] => table.byes.push(bye),
            _ => {}
        }
    }
    (playing.len() >= 2).then_some(table)
}

/// Before round 6 of an event of which only sums are known: few scores, lopsided colours, and so
/// many pairs that have met that new ones are hard to find.
pub fn lopsided(seed: u64, least: u32, most: u32) -> Stage {
    let mut dice = Dice::new(seed);
    let players = least + dice.below(most - least + 1);
    let mut stage = crate::support::stage(players, 9);
    settings(&mut stage, &mut dice);
    stage.first_round = 6;
    let sparse = dice.one_in(3);
    let (scores, balance, met, teams) = (
        1 + dice.below(if sparse { 40 } else { 6 }),
        1 + dice.below(4),
        dice.below(1001),
        2 + dice.below(players),
    );
    let lean = i32::from(dice.one_in(2));
    let mut opponents: Vec<Vec<Number>> = vec![Vec::new(); players as usize];
    for a in 0..players {
        for b in a + 1..players {
            if dice.below(1000) < met {
                opponents[a as usize].push(crate::support::n(b + 1));
                opponents[b as usize].push(crate::support::n(a + 1));
            }
        }
    }
    for (entry, met) in stage.entries.iter_mut().zip(opponents) {
        let lean = lean * i32::try_from(balance).expect("small");
        let drawn = i32::try_from(dice.below(2 * balance + 1)).expect("small");
        entry.carried = Some(Carried {
            score: Score(i32::try_from(dice.below(scores)).expect("small")),
            balance: drawn - i32::try_from(balance).expect("small") + lean,
            met,
        });
        if dice.one_in(2) {
            entry.team = Some(format!("Club {}", dice.below(teams)));
        }
        if dice.one_in(12) {
            entry.absent_rounds = vec![6];
        }
    }
    stage
}
