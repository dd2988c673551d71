//! Random events of every kind, each from one number.

use tournament::checker::Facts;
use tournament::draw::Seed;
use tournament::pairing::{Confirmed, Request};
use tournament::simulate::{Simulation, paired, simulate_requests};
use tournament::{Board, Carried, Colours, Number, Round, Score, Side, Stage};

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

/// An event with so many players at most, settings and peculiarities of every kind, drawn from the
/// seed. `next` pairs each round as it is asked for; repeats are confirmed.
pub fn event(seed: u64, least: u32, most: u32, next: impl FnMut(&Stage, &Request) -> Option<Round>) -> Stage {
    let rounds = 2..=if most < 12 { 8 } else { 10 };
    simulate_requests(&Simulation::mixed(least..=most, rounds, seed), next)
}

/// The round as the engine pairs it, without what the director fixed when that cannot be had.
pub fn engine(stage: &Stage, request: &Request) -> Option<Round> {
    paired(stage, request).ok().map(|pairing| pairing.to_round())
}

/// A table to be: what was fixed and drawn, and nobody on it.
pub fn empty(stage: &Stage, request: &Request) -> Round {
    Round {
        round: stage.next_round(),
        choices: request.choices.clone(),
        seed: request.seed,
        ..Round::default()
    }
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
                if outcome.played() && !board.nigiri {
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
    let facts = Facts::before(stage, round, &[]);
    let mut playing: Vec<Number> = facts.players.iter().map(|player| player.number).collect();
    for last in (1..playing.len()).rev() {
        playing.swap(last, dice.below(u32::try_from(last + 1).ok()?) as usize);
    }
    let mut table = Round {
        round,
        byes: facts.byes_asked,
        ..Round::default()
    };
    for pair in playing.chunks(2) {
        match *pair {
            [black, white] => {
                let board = u32::try_from(table.boards.len() + 1).ok()?;
                table.boards.push(Board {
                    nigiri: stage.pairing.colours == Colours::Nigiri,
                    ..Board::new(board, black, white)
                });
            }
            [bye] => table.byes.push(bye),
            _ => {}
        }
    }
    (playing.len() >= 2).then_some(table)
}

/// Before round 6 of an event of which only sums are known: few scores, lopsided colours, and so
/// many pairs that have met that new ones are hard to find. And how it is asked for.
pub fn lopsided(seed: u64, least: u32, most: u32) -> (Stage, Request) {
    let mut dice = Dice::new(seed);
    let players = least + dice.below(most - least + 1);
    let mut stage = crate::support::stage(players, 9);
    stage.pairing = Simulation::mixed(least..=most, 9..=9, seed).pairing;
    stage.pairing.stop_at = None;
    let mut pairs = |often: u32| -> Vec<(Number, Number)> {
        let count = if dice.one_in(often) {
            dice.below(players)
        } else {
            0
        };
        let mut pairs: Vec<(u32, u32)> = (0..count)
            .map(|_| (1 + dice.below(players), 1 + dice.below(players)))
            .filter(|(one, other)| one < other)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let numbered = |(one, other)| (crate::support::n(one), crate::support::n(other));
        pairs.into_iter().map(numbered).collect()
    };
    stage.pairing.forbidden_pairs = pairs(4);
    stage.pairing.unwanted_pairs = pairs(4);
    let request = Request {
        confirmed: Confirmed {
            repeats: true,
            provisional: false,
        },
        seed: stage
            .pairing
            .needs_seed()
            .then(|| Seed([dice.below(256).to_le_bytes()[0]; 32])),
        ..Request::default()
    };
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
        if dice.one_in(3) {
            entry.rating = Some(i32::try_from(dice.below(20)).expect("small"));
        }
        if dice.one_in(12) {
            entry.absent_rounds = vec![6];
        } else if dice.one_in(20) {
            entry.bye_rounds = vec![6];
        }
    }
    (stage, request)
}
