//! Random fields with settings and choices of every kind, and random tables for them.

use super::facts::Facts;
use crate::entry::{Carried, Entry, Number};
use crate::result::Outcome;
use crate::round::{Board, Choices, Round};
use crate::score::Score;
use crate::settings::{Colours, TeamAvoidance, ThirdColour};
use crate::stage::Stage;

/// A small generator (`SplitMix64`).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed ^ (mixed >> 31)) % u64::from(limit.max(1))).unwrap_or(0)
    }

    pub(super) fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(u32::try_from(last + 1).expect("a short list"));
            list.swap(last, other as usize);
        }
    }
}

pub(super) fn number(number: u32) -> Number {
    Number::new(number).expect("a number in range")
}

/// A stage of so many players before a round that has not been paired, and choices for it.
pub(super) fn stage(dice: &mut Dice, players: u32) -> (Stage, Choices) {
    let played = dice.below(4);
    let mut stage = Stage::swiss(20);
    let settings = &mut stage.pairing;
    settings.avoid_team_rounds = [0, 1, 100, 100][dice.below(4) as usize];
    settings.team_avoidance = TeamAvoidance::ALL[dice.below(3) as usize];
    settings.third_colour = ThirdColour::ALL[dice.below(3) as usize];
    settings.colours = [
        Colours::Number,
        Colours::Alternate,
        Colours::Number,
        Colours::Nigiri,
    ][dice.below(4) as usize];
    settings.avoid_repeated_floats = !dice.one_in(4);
    settings.forfeits_may_meet_again = dice.one_in(3);
    let two = |dice: &mut Dice| {
        let one = 1 + dice.below(players);
        let other = 1 + (one + dice.below(players - 1)) % players;
        (number(one.min(other)), number(one.max(other)))
    };
    if dice.one_in(3) {
        settings.forbidden_pairs = (0..dice.below(4)).map(|_| two(dice)).collect();
    }
    if dice.one_in(3) {
        settings.unwanted_pairs = (0..dice.below(4)).map(|_| two(dice)).collect();
    }
    let teams = 1 + dice.below(players);
    let scores = 1 + dice.below(4);
    stage.entries = (1..=players)
        .map(|at| {
            let mut entry = Entry::new(number(at), format!("Player {at}"));
            let team = dice.below(teams + 1);
            entry.team = (team > 0).then(|| format!("T{team}"));
            if dice.one_in(2) {
                entry.start_score = Score(i32::try_from(dice.below(scores)).expect("small"));
            }
            entry.carried = dice.one_in(3).then(|| Carried {
                balance: i32::try_from(dice.below(5)).expect("small") - 2,
                ..Carried::default()
            });
            entry
        })
        .collect();
    for round in 1..=played {
        let mut table = by_lot(&stage, dice, Choices::default());
        for board in &mut table.boards {
            board.result = Some(Outcome::ALL[[0, 1, 0, 1, 0, 1, 2, 4, 5][dice.below(9) as usize]]);
        }
        assert_eq!(table.round, round);
        stage.rounds.push(table);
    }
    let mut choices = Choices::default();
    if dice.one_in(4) {
        let (one, other) = two(dice);
        choices.pairs.push((one, other));
    }
    if dice.one_in(4) {
        choices.apart.push(two(dice));
    }
    if players > 4 && dice.one_in(6) {
        let bye = 1 + dice.below(players);
        if choices
            .pairs
            .iter()
            .all(|(one, other)| one.get() != bye && other.get() != bye)
        {
            choices.byes.push(number(bye));
        }
    }
    (stage, choices)
}

/// A table drawn by lot around the choices; pairs that are barred may be among them.
pub(super) fn by_lot(stage: &Stage, dice: &mut Dice, choices: Choices) -> Round {
    let mut table = Round {
        round: stage.next_round(),
        choices,
        ..Round::default()
    };
    let facts = Facts::of(stage, &table);
    let mut playing: Vec<usize> = (0..facts.players.len())
        .filter(|place| facts.free(*place))
        .collect();
    dice.shuffle(&mut playing);
    let fixed = (0..facts.players.len()).filter_map(|place| Some((place, facts.fixed(place)?)));
    table.byes.clone_from(&facts.byes_chosen);
    let mut pairs: Vec<(usize, usize)> = fixed.filter(|(a, b)| a < b).collect();
    if playing.len() % 2 == 1 {
        let bye = playing.pop().expect("an odd count");
        table.byes.push(facts.players[bye].number);
    }
    pairs.extend(playing.chunks_exact(2).map(|two| (two[0], two[1])));
    for ((a, b), board) in pairs.into_iter().zip(1..) {
        let (a, b) = (facts.players[a].number, facts.players[b].number);
        table.boards.push(Board {
            nigiri: !facts.colours_matter(),
            ..Board::new(board, a, b)
        });
    }
    table
}
