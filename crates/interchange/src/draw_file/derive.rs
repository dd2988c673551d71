//! What a draw file of a round holds besides the rounds: all of it follows from them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tournament::checker::{Facts, Judgement, judge};
use tournament::draw::{Label, Seed, shuffled};
use tournament::{Board, Choices, Criterion, Entry, Number, OrderBy, PairingOrder, Ranking, Round, Stage};

use crate::event_file::EventFile;

/// The event as the pairing of a round saw it: the rounds before, who takes part, and of entries
/// and boards only what the pairing looks at.
pub(super) fn input(file: &EventFile, recorded: &Round) -> EventFile {
    let round = recorded.round;
    let mut input = file.clone();
    input.place = None;
    input.starts_on = None;
    input.circumstances = crate::event_file::Circumstances::default();
    let stage = &mut input.stage;
    stage.rounds.retain(|table| table.round < round);
    stage.rounds_planned = stage.rounds_planned.max(round);
    stage.ranking = Ranking::of(&[Criterion::Score]);
    let by_strength = matches!(stage.pairing.order, PairingOrder::Fold | PairingOrder::Slide);
    let placed: BTreeSet<Number> = recorded
        .boards
        .iter()
        .flat_map(|board| [board.black, board.white])
        .chain(recorded.byes.iter().copied())
        .chain(recorded.choices.sitting_out.iter().copied())
        .collect();
    for entry in &mut stage.entries {
        let takes_part = placed.contains(&entry.number);
        *entry = Entry {
            team: entry.team.take(),
            grade: entry
                .grade
                .filter(|_| by_strength && stage.pairing.order_by == OrderBy::Grade),
            rating: entry
                .rating
                .filter(|_| by_strength && stage.pairing.order_by == OrderBy::Rating),
            start_score: entry.start_score,
            absent_rounds: if takes_part { Vec::new() } else { vec![round] },
            bye_rounds: entry
                .bye_rounds
                .iter()
                .copied()
                .filter(|bye| takes_part && *bye == round)
                .collect(),
            carried: entry.carried.take(),
            ..Entry::new(entry.number, std::mem::take(&mut entry.name))
        };
    }
    for table in &mut stage.rounds {
        *table = Round {
            round: table.round,
            boards: table.boards.iter().map(bare).collect(),
            byes: std::mem::take(&mut table.byes),
            ..Round::default()
        };
    }
    input
}

/// A board without what only spectators look at.
fn bare(board: &Board) -> Board {
    Board {
        nigiri: board.nigiri,
        result: board.result,
        ..Board::new(board.board, board.black, board.white)
    }
}

/// The table of a round without results. Groups in one hall number their boards on from one another;
/// the rules number them from 1, and so does the file.
pub(super) fn table(recorded: &Round) -> Round {
    let first = recorded.boards.iter().map(|board| board.board).min().unwrap_or(1);
    let unplayed = |board: &Board| Board {
        nigiri: board.nigiri,
        ..Board::new(board.board - first.saturating_sub(1), board.black, board.white)
    };
    Round {
        round: recorded.round,
        boards: recorded.boards.iter().map(unplayed).collect(),
        byes: recorded.byes.clone(),
        absent: Vec::new(),
        ..Round::default()
    }
}

/// What the next round looks at.
fn facts(stage: &Stage, choices: &Choices) -> Facts {
    let table = Round {
        round: stage.next_round(),
        choices: choices.clone(),
        ..Round::default()
    };
    Facts::of(stage, &table)
}

/// The numbers of those who are paired in the next round or may have the bye, ascending.
fn active(stage: &Stage, choices: &Choices) -> Vec<Number> {
    let mut active: Vec<Number> = facts(stage, choices)
        .players
        .iter()
        .map(|player| player.number)
        .collect();
    active.sort_unstable();
    active
}

/// Those who take part, in the order of their lots.
pub(super) fn lots(stage: &Stage, choices: &Choices, seed: Seed, label: Label) -> Vec<Number> {
    let active = active(stage, choices);
    let order = shuffled(seed, label, active.len());
    order.into_iter().map(|place| active[place]).collect()
}

/// What the rounds before left with everybody who takes part, by number.
pub(super) fn players(stage: &Stage, choices: &Choices) -> Value {
    let facts = facts(stage, choices);
    let mut met: BTreeMap<Number, BTreeSet<Number>> = BTreeMap::new();
    let mut colours: BTreeMap<Number, String> = BTreeMap::new();
    let mut meet = |one: Number, other: Number| {
        met.entry(one).or_default().insert(other);
        met.entry(other).or_default().insert(one);
    };
    for entry in &stage.entries {
        for other in entry.carried.iter().flat_map(|carried| &carried.met) {
            meet(entry.number, *other);
        }
    }
    for board in stage.rounds.iter().flat_map(|table| &table.boards) {
        meet(board.black, board.white);
        if !board.nigiri && board.result.is_none_or(tournament::Outcome::played) {
            for (number, colour) in [(board.black, 'b'), (board.white, 'w')] {
                colours.entry(number).or_default().push(colour);
            }
        }
    }
    let mut players: Vec<&tournament::checker::Player> = facts.players.iter().collect();
    players.sort_unstable_by_key(|player| player.number);
    let line = |player: &tournament::checker::Player| {
        let place = facts.place(player.number)?;
        let mut others: Vec<u32> = Vec::new();
        let mut last: Vec<u32> = Vec::new();
        for other in met.get(&player.number).into_iter().flatten() {
            let Some(across) = facts.place(*other) else {
                continue;
            };
            let meetings = facts.meetings(place, across);
            others.extend((0..meetings.times).map(|_| other.get()));
            if meetings.just_before {
                last.push(other.get());
            }
        }
        let colours = colours.get(&player.number).map_or("", String::as_str);
        Some(json!({
            "number": player.number.get(),
            "score": player.score.0,
            "balance": player.balance,
            "colours": &colours[colours.len().saturating_sub(2)..],
            "byes": player.points_without_play,
            "floated_down": player.floated_down,
            "floated_up": player.floated_up,
            "met": others,
            "met_just_before": last,
        }))
    };
    players.into_iter().filter_map(line).collect()
}

/// What the independent checker says of a table that was paired with these choices and this seed.
pub(super) fn judged(stage: &Stage, choices: &Choices, seed: Option<Seed>, table: &Round) -> Judgement {
    judge(stage, &seated(stage, choices, seed, table))
}

/// The table with everything that it was made from, and everybody absent who does not take part.
pub(super) fn seated(stage: &Stage, choices: &Choices, seed: Option<Seed>, table: &Round) -> Round {
    let absent = stage.entries.iter().filter(|entry| !entry.plays_in(table.round));
    Round {
        absent: absent
            .map(|entry| entry.number)
            .chain(choices.sitting_out.iter().copied())
            .collect(),
        choices: choices.clone(),
        seed,
        ..table.clone()
    }
}

/// Numbers instead of names, letters instead of teams.
pub(super) fn withhold_names(input: &mut EventFile) {
    let mut letters: BTreeMap<String, String> = BTreeMap::new();
    for entry in &mut input.stage.entries {
        entry.name = entry.number.to_string();
        if let Some(team) = &mut entry.team {
            let next = letters.len();
            let letter = letters
                .entry(team.trim().to_owned())
                .or_insert_with(|| letter(next));
            team.clone_from(letter);
        }
    }
}

/// A to Z, then AA, AB ….
fn letter(index: usize) -> String {
    let last = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
    match index / 26 {
        0 => last.to_string(),
        before => letter(before - 1) + &last.to_string(),
    }
}
