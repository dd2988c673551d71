//! Real events, paired by hand or by the Chinese association's own program, come out again.
#![expect(clippy::disallowed_methods, reason = "a test reads its files itself")]

use serde_json::Value;
use tournament::pairing::{Confirmed, pair};
use tournament::{Board, Carried, Entry, Number, Outcome, Round, Score, Stage};

fn golden(name: &str) -> Value {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("a golden file")).expect("JSON")
}

fn number(value: &Value) -> Number {
    Number::new(u32::try_from(value.as_u64().expect("an integer")).expect("small")).expect("a number")
}

fn int(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("an integer")).expect("small")
}

/// A round-4 table of a national qualifier: every board, with colours and board number.
fn qualifier(name: &str, boards: usize) {
    let golden = golden(name);
    let mut stage = Stage::swiss(13);
    stage.first_round = 4;
    for player in golden["players"].as_array().expect("players") {
        let mut entry = Entry::new(number(&player["number"]), "player");
        let met = golden["met_before"].as_array().expect("pairs").iter();
        entry.carried = Some(Carried {
            score: Score(int(&player["score"]).cast_signed()),
            balance: match player["balance"].as_str() {
                Some("white") => 1,
                Some("black") => -1,
                _ => 0,
            },
            met: met
                .filter(|pair| number(&pair[0]) == entry.number)
                .map(|pair| number(&pair[1]))
                .collect(),
        });
        stage.entries.push(entry);
    }
    let expected: Vec<Board> = golden["boards"]
        .as_array()
        .expect("boards")
        .iter()
        .map(|board| {
            Board::new(
                int(&board["board"]),
                number(&board["black"]),
                number(&board["white"]),
            )
        })
        .collect();
    assert_eq!(expected.len(), boards);
    let pairing = pair(&stage, Confirmed::default()).expect("a pairing");
    assert_eq!(pairing.boards, expected);
    assert!(pairing.byes.is_empty());
}

#[test]
fn the_qualifier_of_158_players_gives_79_of_79_boards() {
    qualifier("qualifier-round4-a.json", 79);
}

#[test]
fn the_qualifier_of_162_players_gives_81_of_81_boards() {
    qualifier("qualifier-round4-b.json", 81);
}

#[test]
fn the_world_championship_of_2010_gives_every_pair_and_all_colours_but_two() {
    let golden = golden("wagc-2010.json");
    let mut stage = Stage::swiss(8);
    let players = int(&golden["players"]);
    stage.entries = (1..=players)
        .map(|n| Entry::new(Number::new(n).expect("a number"), "player"))
        .collect();
    let (mut pairs, mut turned) = (0, Vec::new());
    for recorded in golden["rounds"].as_array().expect("rounds") {
        let round = int(&recorded["round"]);
        let boards: Vec<Board> = (1..)
            .zip(recorded["boards"].as_array().expect("boards"))
            .map(|(at, board)| Board {
                result: board["result"]
                    .as_str()
                    .map(|word| word.parse::<Outcome>().expect("a result")),
                ..Board::new(at, number(&board["black"]), number(&board["white"]))
            })
            .collect();
        let pairing = pair(&stage, Confirmed::default()).expect("a pairing");
        let unordered = |boards: &[Board]| {
            let mut pairs: Vec<(Number, Number)> = boards
                .iter()
                .map(|b| (b.black.min(b.white), b.black.max(b.white)))
                .collect();
            pairs.sort_unstable();
            pairs
        };
        assert_eq!(unordered(&pairing.boards), unordered(&boards), "round {round}");
        pairs += boards.len();
        for board in &pairing.boards {
            if boards
                .iter()
                .any(|b| b.black == board.white && b.white == board.black)
            {
                turned.push((round, board.black.get(), board.white.get()));
            }
        }
        stage.rounds.push(Round {
            round,
            boards,
            byes: Vec::new(),
            absent: Vec::new(),
            ..Round::default()
        });
    }
    assert_eq!(pairs, 240);
    assert_eq!(turned, [(5, 33, 36), (7, 23, 25)]);
}
