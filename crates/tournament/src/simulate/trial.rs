//! Events played out to find fault with the pairing: every round is judged by the checker, which
//! shares no code with the engine, before a result is known.

use std::any::Any;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Simulation, simulate_requests};
use crate::certificate::Certificate;
use crate::checker::{Facts, Level, judge, verify};
use crate::pairing::prove::certificate;
use crate::pairing::{Confirmed, Contradiction, Proof, Refusal, Request, Shortage, pair};
use crate::round::{Board, Choices, Round};
use crate::stage::Stage;

/// The most players of whom every table is tried, to judge a table as well as a refusal.
const TRY_ALL: usize = 10;
/// So many findings make one breach; of more only the number is told.
const FINDINGS_TOLD: usize = 4;

/// An event that was played out and judged.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The event. With a breach it ends with the round that shows it, when there is a table, and
    /// before that round otherwise.
    pub stage: Stage,
    /// What was done.
    pub counts: Counts,
    /// What is wrong, when something is.
    pub breach: Option<Breach>,
}

/// Something wrong with a round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("round {round}: {what}")]
pub struct Breach {
    /// The round.
    pub round: u32,
    /// What is wrong, in words.
    pub what: String,
}

/// How much was tried, and how it was proven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events.
    pub events: u64,
    /// Rounds that were paired.
    pub rounds: u64,
    /// Boards of those.
    pub boards: u64,
    /// Rounds in which somebody had to meet again.
    pub repeats: u64,
    /// Rounds in which the director fixed something and had it.
    pub choices: u64,
    /// Rounds in which what the director wanted to fix could not be had.
    pub dropped: u64,
    /// Rounds that no table exists for.
    pub refused: u64,
    /// Rounds proven by counting.
    pub by_counting: u64,
    /// Rounds proven by searches of parts of the field.
    pub by_part: u64,
    /// Rounds proven by a search with every player.
    pub by_whole: u64,
    /// Rounds that the checker's own counting does not prove, and dual values do, which it verified.
    pub certified: u64,
    /// Rounds small enough to be held against every table there is.
    pub tried: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.events += more.events;
        self.rounds += more.rounds;
        self.boards += more.boards;
        self.repeats += more.repeats;
        self.choices += more.choices;
        self.dropped += more.dropped;
        self.refused += more.refused;
        self.by_counting += more.by_counting;
        self.by_part += more.by_part;
        self.by_whole += more.by_whole;
        self.certified += more.certified;
        self.tried += more.tried;
    }
}

/// Plays out an event and judges every round, up to the first breach.
pub fn trial(simulation: &Simulation) -> Trial {
    trial_with(simulation, |_, _| Ok(()))
}

/// The same with a judge more, who is shown the stage and the table of its next round and says in
/// words what is wrong.
pub fn trial_with(
    simulation: &Simulation,
    mut also: impl FnMut(&Stage, &Round) -> Result<(), String>,
) -> Trial {
    let mut counts = Counts {
        events: 1,
        ..Counts::default()
    };
    let mut breach = None;
    // What the breach is shown with: nobody is to see the results of a table that is wrong.
    let mut shown = None;
    let played = simulate_requests(simulation, |stage, request| {
        let mut table = None;
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let paired = judged(stage, request, &mut counts, &mut table)?;
            paired.map_or(Ok(()), |round| also(stage, &round))
        }));
        let what = match judged {
            Ok(Ok(())) => return table,
            Ok(Err(what)) => what,
            Err(panic) => format!("a panic: {}", words(&*panic)),
        };
        let mut stage = stage.clone();
        breach = Some(Breach {
            round: stage.next_round(),
            what,
        });
        stage.rounds.extend(table);
        shown = Some(stage);
        None
    });
    Trial {
        stage: shown.unwrap_or(played),
        counts,
        breach,
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let said = panic.downcast_ref::<&str>().copied();
    said.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// Pairs a round and judges it; `table` is what was paired, as soon as it is known. Comes back with
/// it too, with nothing when no table exists, or with what is wrong.
fn judged(
    stage: &Stage,
    request: &Request,
    counts: &mut Counts,
    table: &mut Option<Round>,
) -> Result<Option<Round>, String> {
    let free;
    let (request, paired) = match pair(stage, request.clone()) {
        Err(refusal) if !request.choices.is_empty() => {
            refused(stage, request, &refusal)?;
            counts.dropped += 1;
            free = Request {
                choices: Choices::default(),
                ..request.clone()
            };
            (&free, pair(stage, free.clone()))
        }
        paired => (request, paired),
    };
    let pairing = match paired {
        Ok(pairing) => pairing,
        Err(refusal) => {
            refused(stage, request, &refusal)?;
            counts.refused += u64::from(!matches!(refusal, Refusal::TooFewPlayers { .. }));
            return Ok(None);
        }
    };
    let round = pairing.to_round();
    *table = Some(round.clone());
    if round.choices != request.choices || round.seed != request.seed {
        return Err("the table does not say what was fixed, or its seed".to_owned());
    }
    let judgement = judge(stage, &round);
    let wrong = judgement.at(Level::Error).chain(judgement.at(Level::Warning));
    let mut wrong: Vec<String> = wrong.map(ToString::to_string).collect();
    if !wrong.is_empty() {
        if wrong.len() > FINDINGS_TOLD {
            let more = wrong.len() - FINDINGS_TOLD;
            wrong.truncate(FINDINGS_TOLD);
            wrong.push(format!("{more} more"));
        }
        return Err(wrong.join("; "));
    }
    if judgement.reached != pairing.criteria {
        return Err(format!(
            "the table has {:?}, but the engine says {:?}",
            judgement.reached, pairing.criteria
        ));
    }
    if let Some(value) = judgement.values.iter().find(|value| value.least > value.reached) {
        return Err(format!("the checker's bound does not hold: {value:?}"));
    }
    let facts = Facts::of(stage, &round);
    // A pair that the director has fixed meets again without further leave.
    let again = |board: &&Board| {
        let (black, white) = (facts.place(board.black), facts.place(board.white));
        black.zip(white).is_some_and(|(black, white)| {
            facts.meetings(black, white).times > 0 && facts.fixed(black) != Some(white)
        })
    };
    let repeats = round.boards.iter().filter(again).count();
    let unconfirmed = Request {
        confirmed: Confirmed::default(),
        ..request.clone()
    };
    match pair(stage, unconfirmed) {
        Ok(other) if other == pairing && repeats == 0 => {}
        Err(Refusal::RepeatsNeeded { pairs, because, .. }) if repeats > 0 && pairs.len() == repeats => {
            if !is_short(&facts, &because, false) {
                return Err(format!("repeats are needed, but not because {because}"));
            }
        }
        Ok(_) => return Err("without leave to meet again another table comes out".to_owned()),
        Err(refusal) => {
            return Err(format!(
                "{repeats} repeats, but without leave to meet again: {refusal}"
            ));
        }
    }
    let certificate = certificate(stage, &round).ok_or("no certificate proves the table")?;
    if let Err(fault) = verify(stage, &round, &certificate) {
        return Err(format!("the certificate does not prove the table: {fault}"));
    }
    counts.certified += u64::from(matches!(certificate, Certificate::Duals(_)));
    counts.rounds += 1;
    counts.boards += round.boards.len() as u64;
    counts.repeats += u64::from(repeats > 0);
    counts.choices += u64::from(!round.choices.is_empty());
    counts.tried += u64::from(facts.players.len() <= TRY_ALL);
    *match pairing.proof {
        Proof::Counting => &mut counts.by_counting,
        Proof::PartOfField { .. } => &mut counts.by_part,
        Proof::WholeField => &mut counts.by_whole,
    } += 1;
    Ok(Some(round))
}

/// Whether a round was refused with reason: the field says so, worked out by the checker.
fn refused(stage: &Stage, request: &Request, refusal: &Refusal) -> Result<(), String> {
    let with = |choices: Choices| {
        let round = Round {
            round: stage.next_round(),
            choices,
            seed: request.seed,
            ..Round::default()
        };
        Facts::of(stage, &round)
    };
    let facts = with(request.choices.clone());
    let count = facts.players.len();
    let right = match refusal {
        Refusal::TooFewPlayers { .. } => count < 2,
        Refusal::NoTable { because, .. } => {
            is_short(&facts, because, true) && (count > TRY_ALL || !table_exists(&facts))
        }
        // Whoever is asked to meet must be somebody whom a rule keeps apart.
        Refusal::Contradictions { found, .. } => {
            let free = with(Choices {
                pairs: Vec::new(),
                ..request.choices.clone()
            });
            let barred = |found: &Contradiction| match found {
                Contradiction::Barred { first, second, .. } => {
                    let two = free.place(*first).zip(free.place(*second));
                    request.choices.pairs.contains(&(*first, *second))
                        && two.is_some_and(|(a, b)| free.barred(a, b).is_some())
                }
                _ => false,
            };
            !found.is_empty() && found.iter().all(barred)
        }
        _ => false,
    };
    if right {
        Ok(())
    } else {
        Err(format!("refused without reason: {refusal}"))
    }
}

/// Whether the players that a shortage names are indeed too many for their possible opponents, so
/// that no table exists: each of its groups, being odd, needs somebody from outside.
fn is_short(facts: &Facts, shortage: &Shortage, repeats: bool) -> bool {
    let mut group_of = vec![None; facts.players.len()];
    for (group, members) in shortage.groups.iter().enumerate() {
        for number in members {
            match facts.place(*number) {
                Some(place) if group_of[place].is_none() => group_of[place] = Some(group),
                _ => return false,
            }
        }
    }
    let may_meet = |a: usize, b: usize| {
        let new = facts.fixed(a) == Some(b) || facts.meetings(a, b).times == 0;
        facts.legal(a, b) && (repeats || new)
    };
    let outside: Vec<Option<usize>> = shortage
        .opponents
        .iter()
        .map(|number| facts.place(*number))
        .collect();
    let closed = (0..facts.players.len()).all(|a| {
        let inside = |b: usize| group_of[b] == group_of[a] || outside.contains(&Some(b));
        group_of[a].is_none() || (0..facts.players.len()).all(|b| a == b || inside(b) || !may_meet(a, b))
    });
    let free = (0..facts.players.len())
        .filter(|player| facts.free(*player))
        .count();
    let bye = free % 2;
    let odd = shortage.groups.iter().all(|members| members.len() % 2 == 1);
    closed && odd && shortage.bye == (bye == 1) && shortage.groups.len() > shortage.opponents.len() + bye
}

/// Whether everybody can be seated: by trying.
fn table_exists(facts: &Facts) -> bool {
    fn seat(facts: &Facts, open: &[usize], bye_left: bool) -> bool {
        let Some((first, rest)) = open.split_first() else {
            return true;
        };
        let without =
            |other: usize| -> Vec<usize> { rest.iter().copied().filter(|player| *player != other).collect() };
        let meets = |other: &usize| facts.legal(*first, *other) && seat(facts, &without(*other), bye_left);
        rest.iter().any(meets) || (bye_left && seat(facts, rest, false))
    }
    let open: Vec<usize> = (0..facts.players.len())
        .filter(|player| facts.free(*player))
        .collect();
    seat(facts, &open, open.len() % 2 == 1)
}
