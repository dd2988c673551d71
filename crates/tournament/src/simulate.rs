//! Invented events, played out round by round: to try a pairing, a page or a printer on.
//!
//! The same [`Simulation`] gives the same event on every machine: chance comes from `ChaCha20`
//! streams keyed with the seed, and all arithmetic is on whole numbers. What only some events have
//! comes from streams of its own, so that asking for siblings, say, changes nobody's name.

pub mod trial;

use std::ops::RangeInclusive;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::draw::Seed;
use crate::entry::{Entry, Number};
use crate::grade::Grade;
use crate::pairing::{Confirmed, Pairing, Refusal, Request, pair};
use crate::result::{By, Margin, Outcome};
use crate::round::{Board, Choices, Round};
use crate::score::Score;
use crate::settings::{
    Colours, NumberOrder, OrderBy, PairingOrder, PairingSettings, TeamAvoidance, ThirdColour,
};
use crate::stage::Stage;
use crate::tally::tally;

/// What is played out. Rates are per mille.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// How many entries, numbered from 1.
    pub players: u32,
    /// How many rounds.
    pub rounds: u32,
    /// The seed.
    pub seed: u64,
    /// How rounds are paired. The pairs of `forbidden` and `unwanted` come on top.
    pub pairing: PairingSettings,
    /// Of the games with a winner, how many the weaker player wins. Without it the difference in
    /// strength decides: even players win every second game, 600 points make it 49 in 50.
    pub upsets: Option<u32>,
    /// Of the entries, how many have neither rating nor grade. They have a strength all the same.
    pub unrated: u32,
    /// The highest start score: the strongest players have it, the weakest 0.
    pub start_scores: u32,
    /// Of those still in the event after a round, how many withdraw then.
    pub withdrawals: u32,
    /// Of the entries, how many belong to a team; teams have about four members.
    pub teams: u32,
    /// Of the entries, how many belong to one large team, whichever they were in.
    pub large_team: u32,
    /// Of the entries, how many have a brother or sister in the field: a forbidden pair.
    pub forbidden: u32,
    /// Of the entries, how many have a friend in the field: an unwanted pair.
    pub unwanted: u32,
    /// Of the games played, how many are drawn.
    pub draws: u32,
    /// In each round, how many asked to sit it out.
    pub byes: u32,
    /// In each round, how many asked for the bye.
    pub bye_requests: u32,
    /// Of the boards, how many are decided because somebody is absent.
    pub forfeits: u32,
    /// Of the games played, how many both players lose.
    pub both_lose: u32,
    /// Of the entries, how many come in one to three rounds late; they have the last numbers.
    pub late: u32,
    /// Of the rounds, how many see the director fix something before they are paired.
    pub choices: u32,
}

impl Simulation {
    /// An event in which everybody plays every round and every game has a winner.
    pub fn new(players: u32, rounds: u32, seed: u64) -> Self {
        Self {
            players: players.min(Number::MAX),
            rounds,
            seed,
            pairing: PairingSettings::default(),
            upsets: None,
            unrated: 0,
            start_scores: 0,
            withdrawals: 0,
            teams: 0,
            large_team: 0,
            forbidden: 0,
            unwanted: 0,
            draws: 0,
            byes: 0,
            bye_requests: 0,
            forfeits: 0,
            both_lose: 0,
            late: 0,
            choices: 0,
        }
    }

    /// An event of which size, settings and rates are drawn from the seed too: of every kind that
    /// there is, most of them with a few peculiarities at once.
    pub fn mixed(players: RangeInclusive<u32>, rounds: RangeInclusive<u32>, seed: u64) -> Self {
        let mut chance = Chance::new(seed, Stream::Mix);
        let mut simulation = Self::new(chance.within(players), chance.within(rounds), seed);
        let mut rate = |often: u32, most: u32| {
            if chance.below(often) == 0 {
                chance.below(most + 1)
            } else {
                0
            }
        };
        simulation.unrated = rate(3, 500);
        simulation.start_scores = rate(5, 4);
        simulation.withdrawals = rate(3, 150);
        simulation.teams = rate(2, 1000);
        simulation.large_team = rate(6, 600);
        simulation.forbidden = rate(4, 400);
        simulation.unwanted = rate(4, 400);
        simulation.draws = rate(2, 500);
        simulation.byes = rate(3, 200);
        simulation.bye_requests = rate(4, 80);
        simulation.forfeits = rate(3, 300);
        simulation.both_lose = rate(5, 200);
        simulation.late = rate(3, 400);
        simulation.choices = rate(3, 500);
        simulation.upsets = (chance.below(3) == 0).then(|| chance.below(501));
        simulation.pairing = settings(simulation.rounds, &mut chance);
        simulation
    }
}

/// Settings of every kind; the classic profile has a good share of each.
fn settings(rounds: u32, chance: &mut Chance) -> PairingSettings {
    let most = rounds.saturating_mul(2).max(1);
    PairingSettings {
        order: chance.word(PairingOrder::ALL),
        order_by: chance.word(OrderBy::ALL),
        number_order: chance.word(NumberOrder::ALL),
        avoid_team_rounds: chance.word(&[1, 1, 0, 3, 100]),
        team_avoidance: chance.word(TeamAvoidance::ALL),
        third_colour: chance.word(ThirdColour::ALL),
        colours: chance.word(Colours::ALL),
        bye_score: chance.word(&[Score::WIN, Score::WIN, Score::DRAW, Score::ZERO]),
        absent_score: chance.word(&[Score::ZERO, Score::DRAW]),
        forfeits_may_meet_again: chance.below(3) == 0,
        avoid_repeated_floats: chance.below(4) > 0,
        stop_at: (chance.below(6) == 0)
            .then(|| Score(i32::try_from(2 + chance.below(most)).unwrap_or(i32::MAX))),
        forbidden_pairs: Vec::new(),
        unwanted_pairs: Vec::new(),
    }
}

/// Plays out an event with the engine. Where players have to meet again that is confirmed; what the
/// director wants to fix is dropped where it cannot be had. The event ends, with fewer rounds than
/// planned, where a round cannot be paired: when fewer than two players are left, say.
pub fn simulate(simulation: &Simulation) -> Stage {
    simulate_requests(simulation, |stage, request| {
        paired(stage, request).ok().map(|pairing| pairing.to_round())
    })
}

/// Pairs a round as asked, or without what the director wants to fix when that cannot be had.
///
/// # Errors
/// As [`pair`]: the refusal of the round in which nothing is fixed.
pub fn paired(stage: &Stage, request: &Request) -> Result<Pairing, Refusal> {
    pair(stage, request.clone()).or_else(|refusal| {
        if request.choices.is_empty() {
            return Err(refusal);
        }
        let free = Request {
            choices: Choices::default(),
            ..request.clone()
        };
        pair(stage, free)
    })
}

/// Plays out an event in which `next` pairs each round; the event ends where it pairs none.
pub fn simulate_with(simulation: &Simulation, mut next: impl FnMut(&Stage) -> Option<Round>) -> Stage {
    simulate_requests(simulation, |stage, _| next(stage))
}

/// Plays out an event in which `next` pairs each round as the director asks for it; the event ends
/// where it pairs none.
pub fn simulate_requests(
    simulation: &Simulation,
    mut next: impl FnMut(&Stage, &Request) -> Option<Round>,
) -> Stage {
    let seed = simulation.seed;
    let mut chance = Chance::new(seed, Stream::Event);
    let mut nigiri = Chance::new(seed, Stream::Nigiri);
    let mut director = Chance::new(seed, Stream::Director);
    let mut draws = Chance::new(seed, Stream::Draws);
    let mut stage = Stage::swiss(simulation.rounds);
    stage.pairing = simulation.pairing.clone();
    let strengths = enter(&mut stage, simulation, &mut chance);
    for round in 1..=simulation.rounds {
        if round > 1 {
            withdraw(&mut stage, round, simulation, &mut chance);
        }
        let request = Request {
            confirmed: Confirmed {
                repeats: true,
                provisional: false,
            },
            choices: choices(&stage, simulation, &mut director),
            seed: stage.pairing.needs_seed().then(|| draws.seed()),
        };
        let Some(mut table) = next(&stage, &request) else {
            break;
        };
        for board in &mut table.boards {
            // Half of the time somebody writes down what came of it.
            if board.nigiri && nigiri.below(2) == 0 {
                board.nigiri = false;
                if nigiri.below(2) == 0 {
                    (board.black, board.white) = (board.white, board.black);
                }
            }
            play(board, &strengths, simulation, &mut chance);
        }
        stage.rounds.push(table);
    }
    stage
}

/// What a stream of chance is for.
#[derive(Clone, Copy)]
enum Stream {
    /// Names, ratings, teams, absences, results.
    Event,
    /// What a mixed event is made of.
    Mix,
    /// Who has no rating.
    Unrated,
    /// Who is in the large team.
    LargeTeam,
    /// Who asks for the bye.
    Byes,
    /// Brothers, sisters and friends.
    Pairs,
    /// What the director fixes.
    Director,
    /// The seeds of the draws.
    Draws,
    /// Who has Black after nigiri.
    Nigiri,
}

struct Chance(ChaCha20Rng);

impl Chance {
    fn new(seed: u64, stream: Stream) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut rng = ChaCha20Rng::from_seed(key);
        rng.set_stream(stream as u64);
        Self(rng)
    }

    /// A number from 0 to `limit` − 1.
    fn below(&mut self, limit: u32) -> u32 {
        let wide = u64::from(self.0.next_u32()) * u64::from(limit.max(1));
        u32::try_from(wide >> 32).unwrap_or(0)
    }

    fn within(&mut self, range: RangeInclusive<u32>) -> u32 {
        let (least, most) = range.into_inner();
        least + self.below(most.saturating_sub(least).saturating_add(1))
    }

    fn happens(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }

    /// One of them, which must not be none.
    fn word<T: Copy>(&mut self, words: &[T]) -> T {
        let count = u32::try_from(words.len()).unwrap_or(u32::MAX);
        words[self.below(count) as usize]
    }

    fn seed(&mut self) -> Seed {
        let mut seed = [0; 32];
        self.0.fill_bytes(&mut seed);
        Seed(seed)
    }

    /// So many of them, in an order drawn by lot.
    fn some<T: Copy>(&mut self, of: &[T], count: usize) -> Vec<T> {
        let mut left = of.to_vec();
        let mut drawn = Vec::new();
        while drawn.len() < count && !left.is_empty() {
            let at = self.below(u32::try_from(left.len()).unwrap_or(u32::MAX));
            drawn.push(left.swap_remove(at as usize));
        }
        drawn
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

/// The share of a count that a rate stands for.
fn share(count: u32, per_mille: u32) -> usize {
    let share = u64::from(count) * u64::from(per_mille.min(1000)) / 1000;
    usize::try_from(share).unwrap_or(usize::MAX)
}

/// Puts the entries and who is kept apart into a stage. Comes back with everybody's strength, by
/// number from 1.
fn enter(stage: &mut Stage, simulation: &Simulation, chance: &mut Chance) -> Vec<i32> {
    let players = simulation.players.min(Number::MAX);
    let late = u64::from(players) * u64::from(simulation.late.min(1000)) / 1000;
    let teams = (u64::from(players) * u64::from(simulation.teams.min(1000)) / 4000).max(2);
    let teams = u32::try_from(teams).unwrap_or(u32::MAX);
    let mut unrated = Chance::new(simulation.seed, Stream::Unrated);
    let mut byes = Chance::new(simulation.seed, Stream::Byes);
    let mut strengths = Vec::new();
    for number in 1..=players {
        let Some(id) = Number::new(number) else { break };
        let name = [
            chance.word(&FAMILY),
            chance.word(&GIVEN_FIRST),
            chance.word(&GIVEN_SECOND),
        ];
        let mut entry = Entry::new(id, name.concat());
        let strength = 1000 + chance.below(1600);
        strengths.push(i32::try_from(strength).unwrap_or(0));
        if !unrated.happens(simulation.unrated) {
            entry.rating = i32::try_from(strength).ok();
            entry.grade = Some(grade(strength));
        }
        let highest = u64::from(simulation.start_scores.min(1000));
        let start = u64::from(strength - 1000) * (highest + 1) / 1600;
        entry.start_score = Score(i32::try_from(start).unwrap_or(0));
        if chance.happens(simulation.teams) {
            entry.team = Some(team(chance.below(teams) as usize));
        }
        if u64::from(number) > u64::from(players) - late && simulation.rounds > 1 {
            let missed = 1 + chance.below(3.min(simulation.rounds - 1));
            entry.absent_rounds.extend(1..=missed);
        }
        for round in 1..=simulation.rounds {
            let sits_out = chance.happens(simulation.byes) && !entry.absent_rounds.contains(&round);
            if sits_out {
                entry.absent_rounds.push(round);
            }
            if byes.happens(simulation.bye_requests) && !entry.absent_rounds.contains(&round) {
                entry.bye_rounds.push(round);
            }
        }
        stage.entries.push(entry);
    }
    let mut lots = Chance::new(simulation.seed, Stream::LargeTeam);
    let places: Vec<usize> = (0..stage.entries.len()).collect();
    for place in lots.some(&places, share(players, simulation.large_team)) {
        stage.entries[place].team = Some(team(0));
    }
    let mut lots = Chance::new(simulation.seed, Stream::Pairs);
    let numbers: Vec<Number> = stage.entries.iter().map(|entry| entry.number).collect();
    let mut twos = |per_mille: u32| -> Vec<(Number, Number)> {
        let drawn = lots.some(&numbers, share(players, per_mille));
        let two = |two: &[Number]| (two[0].min(two[1]), two[0].max(two[1]));
        drawn.chunks_exact(2).map(two).collect()
    };
    let (forbidden, unwanted) = (twos(simulation.forbidden), twos(simulation.unwanted));
    add_pairs(&mut stage.pairing.forbidden_pairs, forbidden, &[]);
    let never = stage.pairing.forbidden_pairs.clone();
    add_pairs(&mut stage.pairing.unwanted_pairs, unwanted, &never);
    strengths
}

fn add_pairs(to: &mut Vec<(Number, Number)>, pairs: Vec<(Number, Number)>, but: &[(Number, Number)]) {
    to.extend(pairs.into_iter().filter(|pair| !but.contains(pair)));
    to.sort_unstable();
    to.dedup();
}

fn team(team: usize) -> String {
    let (first, rest) = (team % TEAM_FIRST.len(), team / TEAM_FIRST.len());
    let (second, rest) = (rest % TEAM_SECOND.len(), rest / TEAM_SECOND.len());
    let mut name = [TEAM_FIRST[first], TEAM_SECOND[second]].concat();
    if rest > 0 {
        name.push_str(&(rest + 1).to_string());
    }
    name
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

/// What the director fixes before the next round, if anything: among those who take part, and
/// nothing that contradicts itself. It may still be more than can be had.
fn choices(stage: &Stage, simulation: &Simulation, chance: &mut Chance) -> Choices {
    let mut choices = Choices::default();
    if !chance.happens(simulation.choices) {
        return choices;
    }
    let round = stage.next_round();
    let enough = |score: Score| stage.pairing.stop_at.is_some_and(|enough| score >= enough);
    let mut free: Vec<Number> = stage
        .entries
        .iter()
        .zip(tally(stage, round - 1))
        .filter(|(entry, book)| {
            entry.plays_in(round) && !entry.bye_rounds.contains(&round) && !enough(book.score)
        })
        .map(|(entry, _)| entry.number)
        .collect();
    let mut take = |chance: &mut Chance, count: usize| -> Vec<Number> {
        let drawn = chance.some(&free, count);
        free.retain(|number| !drawn.contains(number));
        drawn
    };
    if chance.below(3) == 0 {
        choices.sitting_out = take(chance, 1);
    }
    for _ in 0..chance.below(3) {
        let two = take(chance, 2);
        if let [one, other] = two[..] {
            let two = (one.min(other), one.max(other));
            if chance.below(2) == 0 && !stage.pairing.forbidden_pairs.contains(&two) {
                choices.pairs.push(two);
            } else {
                choices.apart.push(two);
            }
        }
    }
    // The others and those of the pairs are even in number then.
    if free.len() % 2 == 1 && chance.below(2) == 0 {
        choices.byes = chance.some(&free, 1);
    }
    choices
}

fn play(board: &mut Board, strengths: &[i32], simulation: &Simulation, chance: &mut Chance) {
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
    let strength = |number: Number| {
        let strength = strengths.get(number.get() as usize - 1);
        strength.copied().unwrap_or(0)
    };
    let lead = strength(board.black) - strength(board.white);
    let by_lead = 500 + lead.clamp(-600, 600) * 480 / 600;
    let black_wins = match (simulation.upsets, lead.signum()) {
        (Some(upsets), 1) => 1000_u32.saturating_sub(upsets),
        (Some(upsets), -1) => upsets,
        _ => u32::try_from(by_lead).unwrap_or(0),
    };
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
