//! Invented events, played out round by round: to try a pairing, a page or a printer on.
//!
//! The same [`Simulation`] gives the same event on every machine: chance comes from a `ChaCha20`
//! stream keyed with the seed, and all arithmetic is on whole numbers.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::entry::{Entry, Number};
use crate::grade::Grade;
use crate::pairing::{Confirmed, pair};
use crate::result::{By, Margin, Outcome};
use crate::round::{Board, Round};
use crate::stage::Stage;

/// What is played out. Rates are per mille.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// How many entries, numbered from 1.
    pub players: u32,
    /// How many rounds.
    pub rounds: u32,
    /// The seed.
    pub seed: u64,
    /// Of those still in the event after a round, how many withdraw then.
    pub withdrawals: u32,
    /// Of the entries, how many belong to a team; teams have about four members.
    pub teams: u32,
    /// Of the games played, how many are drawn.
    pub draws: u32,
    /// In each round, how many asked to sit it out.
    pub byes: u32,
    /// Of the boards, how many are decided because somebody is absent.
    pub forfeits: u32,
    /// Of the games played, how many both players lose.
    pub both_lose: u32,
    /// Of the entries, how many come in one to three rounds late; they have the last numbers.
    pub late: u32,
}

impl Simulation {
    /// An event in which everybody plays every round and every game has a winner.
    pub fn new(players: u32, rounds: u32, seed: u64) -> Self {
        Self {
            players: players.min(Number::MAX),
            rounds,
            seed,
            withdrawals: 0,
            teams: 0,
            draws: 0,
            byes: 0,
            forfeits: 0,
            both_lose: 0,
            late: 0,
        }
    }
}

/// Plays out an event with the engine. Where players have to meet again that is confirmed. When
/// fewer than two players are left in a round the event ends there, with fewer rounds than planned.
pub fn simulate(simulation: &Simulation) -> Stage {
    let confirmed = Confirmed {
        repeats: true,
        ..Confirmed::default()
    };
    simulate_with(simulation, |stage| {
        pair(stage, confirmed).ok().map(|pairing| pairing.to_round())
    })
}

/// Plays out an event in which `next` pairs each round; the event ends where it pairs none.
pub fn simulate_with(simulation: &Simulation, mut next: impl FnMut(&Stage) -> Option<Round>) -> Stage {
    let mut chance = Chance::new(simulation.seed);
    let mut stage = Stage::swiss(simulation.rounds);
    stage.entries = entries(simulation, &mut chance);
    for round in 1..=simulation.rounds {
        if round > 1 {
            withdraw(&mut stage, round, simulation, &mut chance);
        }
        let Some(mut table) = next(&stage) else { break };
        for board in &mut table.boards {
            play(board, &stage, simulation, &mut chance);
        }
        stage.rounds.push(table);
    }
    stage
}

struct Chance(ChaCha20Rng);

impl Chance {
    fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha20Rng::from_seed(key))
    }

    /// A number from 0 to `limit` − 1.
    fn below(&mut self, limit: u32) -> u32 {
        let wide = u64::from(self.0.next_u32()) * u64::from(limit.max(1));
        u32::try_from(wide >> 32).unwrap_or(0)
    }

    fn happens(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let last = u32::try_from(words.len()).unwrap_or(u32::MAX);
        words[self.below(last) as usize]
    }
}

// Invented names: old family names of two characters before words of the game.
const FAMILY: [&str; 16] = [
    "东方", "南宫", "西门", "北堂", "上官", "慕容", "令狐", "皇甫", "司空", "百里", "长孙", "公羊", "即墨",
    "太叔", "闾丘", "亓官",
];
const GIVEN_FIRST: [&str; 16] = [
    "小", "大", "高", "低", "飞", "星", "天", "目", "角", "边", "中", "手", "先", "后", "活", "妙",
];
const GIVEN_SECOND: [&str; 16] = [
    "目", "元", "尖", "跳", "镇", "挂", "扳", "长", "虎", "枷", "征", "劫", "势", "地", "眼", "算",
];
const TEAM_FIRST: [&str; 12] = [
    "青松", "白石", "黑子", "长河", "云山", "竹林", "明月", "秋水", "烂柯", "忘忧", "方圆", "清风",
];
const TEAM_SECOND: [&str; 6] = ["棋社", "棋院", "学校", "俱乐部", "道场", "队"];

fn entries(simulation: &Simulation, chance: &mut Chance) -> Vec<Entry> {
    let players = simulation.players.min(Number::MAX);
    let late = u64::from(players) * u64::from(simulation.late.min(1000)) / 1000;
    let teams = (u64::from(players) * u64::from(simulation.teams.min(1000)) / 4000).max(2);
    (1..=players)
        .filter_map(|number| {
            let mut entry = Entry::new(
                Number::new(number)?,
                [
                    chance.one_of(&FAMILY),
                    chance.one_of(&GIVEN_FIRST),
                    chance.one_of(&GIVEN_SECOND),
                ]
                .concat(),
            );
            let rating = 1000 + chance.below(1600);
            entry.rating = i32::try_from(rating).ok();
            entry.grade = Some(grade(rating));
            if chance.happens(simulation.teams) {
                let team = chance.below(u32::try_from(teams).unwrap_or(u32::MAX)) as usize;
                let (first, rest) = (team % TEAM_FIRST.len(), team / TEAM_FIRST.len());
                let (second, rest) = (rest % TEAM_SECOND.len(), rest / TEAM_SECOND.len());
                let mut name = [TEAM_FIRST[first], TEAM_SECOND[second]].concat();
                if rest > 0 {
                    name.push_str(&(rest + 1).to_string());
                }
                entry.team = Some(name);
            }
            if u64::from(number) > u64::from(players) - late && simulation.rounds > 1 {
                let missed = 1 + chance.below(3.min(simulation.rounds - 1));
                entry.absent_rounds.extend(1..=missed);
            }
            for round in 1..=simulation.rounds {
                if chance.happens(simulation.byes) && !entry.absent_rounds.contains(&round) {
                    entry.absent_rounds.push(round);
                }
            }
            Some(entry)
        })
        .collect()
}

/// The grade of a rating in which 2100 is the middle of 1 dan and a grade is 100 points.
fn grade(rating: u32) -> Grade {
    let step = rating.saturating_add(50) / 100;
    match u8::try_from(step).unwrap_or(u8::MAX) {
        dan @ 21.. => Grade::Dan((dan - 20).min(8)),
        kyu => Grade::Kyu((21 - kyu).min(32)),
    }
}

fn withdraw(stage: &mut Stage, round: u32, simulation: &Simulation, chance: &mut Chance) {
    for entry in &mut stage.entries {
        if entry.withdrawn_after.is_none() && chance.happens(simulation.withdrawals) {
            entry.withdrawn_after = Some(round - 1);
        }
    }
}

fn play(board: &mut Board, stage: &Stage, simulation: &Simulation, chance: &mut Chance) {
    if chance.happens(simulation.forfeits) {
        board.result = Some(match chance.below(8) {
            0 => Outcome::BothForfeit,
            1..=4 => Outcome::BlackForfeit,
            _ => Outcome::WhiteForfeit,
        });
        return;
    }
    if chance.happens(simulation.both_lose) {
        board.result = Some(Outcome::BothLose);
        board.by = Some(By::Penalty);
        return;
    }
    if chance.happens(simulation.draws) {
        board.result = Some(Outcome::Draw);
        return;
    }
    // Entries stand in number order here, from 1 without a gap.
    let rating = |number: Number| {
        let entry = stage.entries.get(number.get() as usize - 1);
        entry.and_then(|entry| entry.rating).unwrap_or(0)
    };
    // Even players win every second game; 600 points make it 49 in 50.
    let lead = (rating(board.black) - rating(board.white)).clamp(-600, 600);
    let black_wins = u32::try_from(500 + lead * 480 / 600).unwrap_or(0);
    board.result = Some(if chance.happens(black_wins) {
        Outcome::Black
    } else {
        Outcome::White
    });
    match chance.below(20) {
        0 => board.by = Some(By::Time),
        1..=10 => board.by = Some(By::Resignation),
        _ => {
            board.by = Some(By::Count);
            // With a komi of 3¾ stones a margin is an odd number of quarters.
            let quarters = 1 + 2 * chance.below(60);
            board.margin = u16::try_from(quarters)
                .ok()
                .and_then(|quarters| Margin::from_quarters(quarters).ok());
        }
    }
}
