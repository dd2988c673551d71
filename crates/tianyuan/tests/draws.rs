//! Two checkers, one of them in another language and written from `docs/draw.md` alone, agree on a
//! thousand draws and on the same draws damaged.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use interchange::draw_file::{Content, DrawFile, Promise, Statement, check, read, write};
use interchange::{EventFile, RecordSettings};
use rules::RuleSet;
use serde_json::Value;
use tournament::draw::{Decides, EventId, Groups, Label, Lots, Secret, Seed, Split, Word, usual_slots};
use tournament::pairing::{Confirmed, Request, pair};
use tournament::{
    Carried, Choices, Colours, Entry, Grade, Number, NumberOrder, OrderBy, Outcome, PairingOrder,
    PairingSettings, Round, Score, Stage, TeamAvoidance, ThirdColour,
};

const DRAWS: u64 = 1000;

struct Chance(Lots);

impl Chance {
    fn new(number: u64) -> Self {
        let mut seed = [0x17; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        Self(Lots::new(Seed(seed), Label::Order))
    }

    fn below(&mut self, sides: usize) -> usize {
        usize::try_from(self.0.below(sides as u64)).expect("small")
    }

    fn small(&mut self, sides: usize) -> u32 {
        u32::try_from(self.below(sides)).expect("small")
    }

    /// True once in so many times.
    fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn pair(&mut self, numbers: &[Number]) -> (Number, Number) {
        let (one, other) = (self.of(numbers), self.of(numbers));
        (one.min(other), one.max(other))
    }

    fn pairs(&mut self, numbers: &[Number], most: usize) -> Vec<(Number, Number)> {
        let pairs: BTreeSet<(Number, Number)> =
            (0..self.below(most + 1)).map(|_| self.pair(numbers)).collect();
        pairs.into_iter().filter(|(one, other)| one != other).collect()
    }
}

fn event() -> EventId {
    EventId::new("0192f0c1-7a3b-7c4d-8e5f-a0b1c2d3e4f5").expect("an id")
}

fn promise(decides: Decides, chance: &mut Chance) -> (Promise, Seed) {
    let mut secret = [0; 32];
    for byte in &mut secret {
        *byte = u8::try_from(chance.below(256)).expect("a byte");
    }
    let words = [
        "天元",
        "wet cobblestones",
        "七子 \"quoted\" \\",
        "e\u{301}tude",
        "🀄 12:45",
    ];
    let words = (0..chance.below(4)).map(|_| Word::new(chance.of(&words)).expect("a word"));
    Promise::redeem(&event(), decides, Secret(secret), words.collect())
}

fn settings(chance: &mut Chance, numbers: &[Number]) -> PairingSettings {
    let classic = chance.one_in(5);
    let order = if classic {
        PairingOrder::Classic
    } else {
        chance.of(PairingOrder::ALL)
    };
    PairingSettings {
        order,
        order_by: chance.of(OrderBy::ALL),
        number_order: chance.of(NumberOrder::ALL),
        avoid_team_rounds: chance.small(5),
        team_avoidance: chance.of(TeamAvoidance::ALL),
        forbidden_pairs: if chance.one_in(4) {
            chance.pairs(numbers, 3)
        } else {
            Vec::new()
        },
        unwanted_pairs: if chance.one_in(4) {
            chance.pairs(numbers, 4)
        } else {
            Vec::new()
        },
        third_colour: chance.of(ThirdColour::ALL),
        colours: chance.of(Colours::ALL),
        bye_score: Score(chance.of(&[2, 2, 1, 0])),
        absent_score: Score(chance.of(&[0, 0, 1])),
        forfeits_may_meet_again: chance.one_in(3),
        avoid_repeated_floats: !chance.one_in(4),
        stop_at: chance.one_in(8).then(|| Score(chance.of(&[6, 7, 8]))),
    }
}

fn entries(chance: &mut Chance, numbers: &[Number], first_round: u32, rounds: u32) -> Vec<Entry> {
    let (teams, strong) = (chance.below(4), chance.one_in(2));
    let starts = chance.one_in(4);
    let entry = |number: &Number| {
        let some_round = first_round + chance.small(rounds as usize);
        let mut entry = Entry::new(*number, format!("Player {number}"));
        if teams > 0 && !chance.one_in(4) {
            entry.team = Some(
                chance
                    .of(&["North", " East ", "East", "South", "\u{3000}West"][..=teams])
                    .to_owned(),
            );
        }
        if strong {
            entry.rating =
                (!chance.one_in(4)).then(|| 2000 + i32::try_from(chance.below(5)).expect("small") * 50);
            let grades = ["5d", "1d", "1k", "3k", "2p", "9p", "8d"];
            entry.grade = (!chance.one_in(4)).then(|| chance.of(&grades).parse::<Grade>().expect("a grade"));
        }
        if starts {
            entry.start_score = Score(chance.of(&[0, 1, 2, 4]));
        }
        if chance.one_in(8) {
            entry.absent_rounds = vec![some_round];
        }
        if chance.one_in(12) {
            entry.bye_rounds = vec![some_round];
        }
        if chance.one_in(15) {
            entry.withdrawn_after = Some(some_round);
        }
        if first_round > 1 && !chance.one_in(5) {
            let met: BTreeSet<Number> = (0..chance.below(3)).map(|_| chance.of(numbers)).collect();
            entry.carried = Some(Carried {
                score: Score(chance.of(&[0, 2, 2, 3, 4])),
                balance: chance.of(&[-2, -1, 0, 0, 1, 2]),
                met: met.into_iter().filter(|other| other != number).collect(),
            });
        }
        entry
    };
    numbers.iter().map(entry).collect()
}

fn choices(chance: &mut Chance, numbers: &[Number]) -> Choices {
    if !chance.one_in(4) {
        return Choices::default();
    }
    let some = |chance: &mut Chance| {
        if chance.one_in(3) {
            vec![chance.of(numbers)]
        } else {
            Vec::new()
        }
    };
    Choices {
        pairs: chance.pairs(numbers, 1),
        apart: chance.pairs(numbers, 2),
        byes: some(chance),
        sitting_out: some(chance),
    }
}

fn play(round: &mut Round, chance: &mut Chance) {
    for board in &mut round.boards {
        if chance.one_in(20) {
            // Still pending: a draw, for the pairing.
            continue;
        }
        board.result = Some(match chance.below(20) {
            0 => Outcome::BlackForfeit,
            1 => Outcome::WhiteForfeit,
            2 => Outcome::BothForfeit,
            3 => Outcome::BothLose,
            4 | 5 => Outcome::Draw,
            6..=12 => Outcome::Black,
            _ => Outcome::White,
        });
        // The colours become known, or they do not.
        board.nigiri &= chance.one_in(3);
    }
}

/// An event paired round by round until its rules leave no table or the rounds are over.
fn round(chance: &mut Chance) -> Option<DrawFile> {
    let count = if chance.one_in(8) {
        11 + chance.small(30)
    } else {
        2 + chance.small(9)
    };
    let rounds = 1 + chance.small(7);
    let first_round = if chance.one_in(6) { 3 } else { 1 };
    // Some numbers stay vacant.
    let numbers: Vec<Number> = (1..=count + 3)
        .filter(|number| *number % 7 != 5)
        .filter_map(Number::new)
        .take(count as usize)
        .collect();
    let mut stage = Stage {
        first_round,
        pairing: settings(chance, &numbers),
        entries: entries(chance, &numbers, first_round, rounds),
        ..Stage::swiss(first_round + rounds)
    };
    let mut last = None;
    for _ in 0..rounds {
        if let Some(before) = stage.rounds.last_mut() {
            play(before, chance);
        }
        let decides = Decides::Round(stage.next_round());
        let needs_seed = stage.pairing.needs_seed();
        let promised = (needs_seed && !chance.one_in(6)).then(|| promise(decides, chance));
        let seed = needs_seed.then(|| promised.as_ref().map_or(Seed([9; 32]), |(_, seed)| *seed));
        let request = Request {
            confirmed: Confirmed {
                repeats: true,
                provisional: true,
            },
            choices: choices(chance, &numbers),
            seed,
        };
        let Ok(paired) = pair(&stage, request) else { break };
        stage.rounds.push(paired.to_round());
        last = Some(promised.map(|(promise, _)| promise));
    }
    let promise = last?;
    let round = stage.rounds.last()?.round;
    let file = EventFile {
        name: "Spring Open".to_owned(),
        place: None,
        starts_on: None,
        rules: RuleSet::default(),
        komi: RuleSet::default().default_komi(),
        records: RecordSettings::default(),
        awards: tournament::Awards::default(),
        circumstances: interchange::event_file::Circumstances::default(),
        stage,
    };
    let mut draw = DrawFile::of_round(event(), promise, &file, round)?;
    if chance.one_in(2) {
        draw.withhold_names();
    }
    Some(draw)
}

fn numbers(chance: &mut Chance) -> DrawFile {
    let (promise, seed) = promise(Decides::Numbers, chance);
    let count = 1 + chance.below(60);
    let entries: Vec<(Option<String>, bool)> = (0..count)
        .map(|place| {
            (
                chance.one_in(2).then(|| format!("Player {place}")),
                chance.one_in(6),
            )
        })
        .collect();
    let seeded = entries.iter().filter(|(_, seeded)| *seeded).count();
    let slots = usual_slots(count, seeded);
    DrawFile::draw_numbers(event(), Some(promise), seed, entries, slots).expect("numbers")
}

fn groups(chance: &mut Chance) -> DrawFile {
    let (promise, seed) = promise(Decides::Groups, chance);
    let groups = 2 + chance.below(5);
    let count = groups + chance.below(40);
    let split = if chance.one_in(2) {
        Split::Lots
    } else {
        Split::Snake {
            layer: chance.of(&[1, groups, 2 * groups, 5]),
        }
    };
    let entries = (1..).map(|n| (None, Number::new(n))).take(count).collect();
    DrawFile::draw_groups(event(), Some(promise), seed, entries, groups, split).expect("groups")
}

fn draw(chance: &mut Chance) -> DrawFile {
    let mut draw = match chance.below(10) {
        0 => numbers(chance),
        1 => groups(chance),
        _ => std::iter::repeat_with(|| round(chance))
            .flatten()
            .next()
            .expect("a draw"),
    };
    if chance.one_in(2) {
        let act = format!("{}:{}", chance.below(900) + 1, "3f2a91bc".repeat(8));
        draw.log = interchange::log_file::Head::parse(&act);
    }
    draw
}

/// Changes something of a draw and seals it anew: only the sense of the file can tell.
fn forged(draw: &DrawFile, chance: &mut Chance) -> DrawFile {
    let mut forged = draw.clone();
    if let Some(promise) = forged.promise.as_mut().filter(|_| chance.one_in(4)) {
        match chance.below(3) {
            0 => promise.commitment.0[7] ^= 16,
            1 => promise.secret.0[31] ^= 1,
            _ => promise.words.push(Word::new("one more").expect("a word")),
        }
        return forged;
    }
    match &mut forged.content {
        Content::Numbers(draw) => {
            let (one, other) = (chance.below(draw.entries.len()), chance.below(draw.entries.len()));
            let number = draw.entries[one].number;
            draw.entries[one].number = draw.entries[other].number;
            draw.entries[other].number = number;
        }
        Content::Groups(draw) => {
            let entry = chance.below(draw.entries.len());
            draw.entries[entry].group = chance.below(Groups::MAX.min(draw.groups));
        }
        Content::Round(draw) => {
            let small = draw.players.as_array().is_some_and(|players| players.len() <= 10);
            let boards = &mut draw.table.boards;
            let (one, other) = (chance.below(boards.len()), chance.below(boards.len()));
            match chance.below(7) {
                0 if small => {
                    let white = boards[one].white;
                    boards[one].white = boards[other].white;
                    boards[other].white = white;
                }
                1 => {
                    let board = &mut boards[one];
                    std::mem::swap(&mut board.black, &mut board.white);
                }
                2 => {
                    boards.swap(one, other);
                    let number = boards[one].board;
                    boards[one].board = boards[other].board;
                    boards[other].board = number;
                }
                3 => {
                    let players = draw.players.as_array_mut().expect("a list");
                    let player = chance.below(players.len());
                    let field = chance.of(&["score", "balance", "byes"]);
                    players[player][field] = Value::from(chance.below(4));
                }
                4 => draw.criteria["P3"]["float_squares"] = Value::from(chance.below(5)),
                5 if draw.order.is_some() => {
                    let order = draw.order.as_mut().expect("an order");
                    let last = order.len() - 1;
                    order.swap(0, last);
                }
                _ => {
                    let Some(past) = draw.input.stage.rounds.last_mut() else {
                        return forged;
                    };
                    if past.boards.is_empty() {
                        return forged;
                    }
                    let board = chance.below(past.boards.len());
                    past.boards[board].result =
                        Some(chance.of(&[Outcome::Black, Outcome::White, Outcome::BothForfeit]));
                }
            }
        }
    }
    forged
}

/// The exit code that `tianyuan check` would give, and what it says.
fn first_checker(bytes: &[u8]) -> (u64, Vec<String>) {
    match read(bytes) {
        Err(problems) => (2, problems.iter().map(ToString::to_string).collect()),
        Ok(sealed) => {
            let said = check(&sealed);
            let wrong: Vec<String> = said
                .iter()
                .filter(|statement| !statement.holds())
                .map(Statement::to_string)
                .collect();
            (u64::from(!wrong.is_empty()), wrong)
        }
    }
}

/// What the checker in Python says of every file of a folder.
fn second_checker(folder: &Path) -> Vec<(u64, Value)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/draw/check_draw.py");
    let output = Command::new("python3")
        .args([script.as_path(), Path::new("--each"), folder])
        .output()
        .expect("python3 is needed for the second checker");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines
        .map(|line| (line["exit"].as_u64().expect("a code"), line["said"].clone()))
        .collect()
}

#[test]
fn both_checkers_agree_on_a_thousand_draws() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files: Vec<(PathBuf, Vec<u8>, bool)> = Vec::new();
    let put = |name: String, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).expect("a file");
        (path, bytes)
    };
    for number in 0..DRAWS {
        let mut chance = Chance::new(number);
        let draw = draw(&mut chance);
        let text = write(&draw);
        let (path, bytes) = put(format!("{number:04}-a-drawn.json"), text.clone().into_bytes());
        files.push((path, bytes, true));
        let forged = write(&forged(&draw, &mut chance));
        let same = forged == text;
        let (path, bytes) = put(format!("{number:04}-b-forged.json"), forged.into_bytes());
        files.push((path, bytes, same));
        if number % 4 == 0 {
            let mut damaged = text.into_bytes();
            let at = chance.below(damaged.len());
            damaged[at] = damaged[at].wrapping_add(1);
            let (path, bytes) = put(format!("{number:04}-c-damaged.json"), damaged);
            files.push((path, bytes, false));
        }
    }
    let second = second_checker(folder.path());
    assert_eq!(second.len(), files.len());
    let (mut found, mut forgeries) = (0, 0);
    let mut wrong = Vec::new();
    for ((path, bytes, untouched), (code, said)) in files.iter().zip(second) {
        let (first, said_first) = first_checker(bytes);
        let agree = (first == 0) == (code == 0) && (!untouched || first == 0);
        if !agree {
            wrong.push(format!(
                "{}: {first} {said_first:?}, and {code} {said}",
                path.display()
            ));
        }
        if !untouched {
            forgeries += 1;
            found += u64::from(first != 0);
        }
    }
    if !wrong.is_empty() {
        let kept = folder.keep();
        panic!(
            "{} of {} files in {}:\n{}",
            wrong.len(),
            files.len(),
            kept.display(),
            wrong.join("\n")
        );
    }
    // A result that changes nothing for the pairing can be forged; nearly everything else cannot.
    assert!(found * 100 > forgeries * 85, "{found} of {forgeries}");
    eprintln!(
        "{} files, {found} of {forgeries} forged or damaged ones found",
        files.len()
    );
}
