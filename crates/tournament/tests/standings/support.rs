//! Short ways to write down a stage.

use tournament::standings::{Standings, Value};
use tournament::{Board, Criterion, Entry, Number, Outcome, Ranking, Round, Stage};

pub fn number(n: u32) -> Number {
    Number::new(n).expect("a number between 1 and 99,999")
}

/// A stage with entries 1 to `entries`, ranked by these criteria.
pub fn stage(entries: u32, criteria: &[Criterion]) -> Stage {
    Stage {
        entries: (1..=entries)
            .map(|n| Entry::new(number(n), format!("Player {n}")))
            .collect(),
        ranking: Ranking::of(criteria),
        ..Stage::swiss(10)
    }
}

/// Plays the next round: boards as (black, white, result), then byes.
pub fn play(stage: &mut Stage, boards: &[(u32, u32, Option<Outcome>)], byes: &[u32]) {
    let round = stage.next_round();
    let boards = (1..).zip(boards).map(|(board, (black, white, result))| Board {
        result: *result,
        ..Board::new(board, number(*black), number(*white))
    });
    stage.rounds.push(Round {
        round,
        boards: boards.collect(),
        byes: byes.iter().copied().map(number).collect(),
        absent: Vec::new(),
        ..Round::default()
    });
}

/// The next round, where the first of each pair has Black and wins.
pub fn wins(stage: &mut Stage, boards: &[(u32, u32)], byes: &[u32]) {
    let boards: Vec<_> = boards
        .iter()
        .map(|(w, l)| (*w, *l, Some(Outcome::Black)))
        .collect();
    play(stage, &boards, byes);
}

/// The value of a criterion, exactly.
pub fn value(standings: &Standings, entry: u32, criterion: Criterion) -> Option<String> {
    let at = standings
        .criteria
        .iter()
        .position(|c| *c == criterion)
        .expect("a criterion of the ranking");
    standings.row(number(entry)).expect("an entry").values[at].exact()
}

/// The values of a criterion for entries 1, 2, 3 …, exactly; "-" where it says nothing.
pub fn column(standings: &Standings, criterion: Criterion) -> Vec<String> {
    let entries = u32::try_from(standings.rows.len()).expect("few entries");
    (1..=entries)
        .map(|entry| value(standings, entry, criterion).unwrap_or_else(|| "-".into()))
        .collect()
}

/// (place, number) from the top.
pub fn places(standings: &Standings) -> Vec<(u32, u32)> {
    standings
        .rows
        .iter()
        .map(|row| (row.place, row.number.get()))
        .collect()
}

pub fn nothing(value: &Value) -> bool {
    *value == Value::Nothing
}
