//! `tianyuan simulate`: a random event, played out, or many of them to look for faults.

mod many;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use interchange::{EventFile, RecordSettings};
use rules::RuleSet;
use tournament::draw::Seed;
use tournament::pairing::{Confirmed, Request, pair};
use tournament::simulate::{Simulation, simulate};
use tournament::{
    Colours, Number, NumberOrder, OrderBy, PairingOrder, PairingSettings, Score, Stage, TeamAvoidance,
    ThirdColour,
};

use crate::failure::Failure;
use crate::output;

/// Play out a random event and print its event file, or many to look for faults. The same arguments
/// give the same events.
#[derive(clap::Args)]
pub struct Args {
    /// How many players: a number, or two to draw one between, as in 20-60 [of many events: 2-60].
    #[arg(long, value_name = "N", value_parser = |text: &str| span(text, 2, Number::MAX), required_unless_present = "events")]
    players: Option<RangeInclusive<u32>>,
    /// How many rounds: a number, or two to draw one between [of many events: 1-12].
    #[arg(long, value_name = "R", value_parser = |text: &str| span(text, 1, 100), required_unless_present = "events")]
    rounds: Option<RangeInclusive<u32>>,
    /// The seed; of many events that of the first, the others follow [of many events: 1].
    #[arg(long, value_name = "S", required_unless_present = "events")]
    seed: Option<u64>,
    /// Play so many events of every kind instead, judge each round by the independent checker, and
    /// print a summary. Exit 1 when a round is not as it should be.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    events: Option<u64>,
    /// Where the event file is written that shows what is wrong.
    #[arg(long, value_name = "FOLDER", default_value = ".", requires = "events")]
    failures: PathBuf,
    #[command(flatten)]
    rates: Rates,
    #[command(flatten)]
    settings: Settings,
}

impl Args {
    /// The event of a seed: of every kind, or plain, and then as was asked.
    fn simulation(&self, seed: u64) -> Simulation {
        let players = self.players.clone().unwrap_or(2..=60);
        let rounds = self.rounds.clone().unwrap_or(1..=12);
        let mut simulation = Simulation::mixed(players, rounds, seed);
        if self.events.is_none() {
            simulation = Simulation::new(simulation.players, simulation.rounds, seed);
        }
        self.rates.apply(&mut simulation);
        self.settings.apply(&mut simulation.pairing);
        simulation
    }
}

/// What happens in the event.
#[derive(clap::Args)]
#[command(next_help_heading = "What happens")]
struct Rates {
    /// Of the players, the share without rating and grade.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    unrated: Option<u32>,
    /// The highest start score, 0 to 1000; the strongest players have it, the weakest 0.
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u32).range(0..=1000))]
    start_scores: Option<u32>,
    /// Of those still in the event after a round, the share that withdraws then.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    withdrawals: Option<u32>,
    /// Of the players, the share that comes late.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    late: Option<u32>,
    /// Of the players, the share that belongs to a team.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    teams: Option<u32>,
    /// Of the players, the share that belongs to one large team.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    large_team: Option<u32>,
    /// Of the players, the share with a brother or sister in the field: a forbidden pair.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    forbidden: Option<u32>,
    /// Of the players, the share with a friend in the field: an unwanted pair.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    unwanted: Option<u32>,
    /// In each round, the share of players who sit it out.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    byes: Option<u32>,
    /// In each round, the share of players who ask for the bye.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    bye_requests: Option<u32>,
    /// Of the rounds, the share in which the director fixes something before they are paired.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    choices: Option<u32>,
    /// Of the games with a winner, the share that the weaker player wins; without it the difference
    /// in strength decides how likely that is.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    upsets: Option<u32>,
    /// Of the games, the share that is drawn.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    draws: Option<u32>,
    /// Of the boards, the share that is decided because somebody is absent.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    forfeits: Option<u32>,
    /// Of the games, the share that both players lose.
    #[arg(long, value_name = "RATE", value_parser = per_mille)]
    both_lose: Option<u32>,
}

impl Rates {
    /// Changes what was asked for.
    fn apply(&self, to: &mut Simulation) {
        for (asked, rate) in [
            (self.unrated, &mut to.unrated),
            (self.start_scores, &mut to.start_scores),
            (self.withdrawals, &mut to.withdrawals),
            (self.late, &mut to.late),
            (self.teams, &mut to.teams),
            (self.large_team, &mut to.large_team),
            (self.forbidden, &mut to.forbidden),
            (self.unwanted, &mut to.unwanted),
            (self.byes, &mut to.byes),
            (self.bye_requests, &mut to.bye_requests),
            (self.choices, &mut to.choices),
            (self.draws, &mut to.draws),
            (self.forfeits, &mut to.forfeits),
            (self.both_lose, &mut to.both_lose),
        ] {
            *rate = asked.unwrap_or(*rate);
        }
        to.upsets = self.upsets.or(to.upsets);
    }
}

/// The settings of the pairing, by the names that they have in event files.
#[derive(clap::Args)]
#[command(next_help_heading = "Settings")]
struct Settings {
    /// How score groups are paired.
    #[arg(long, value_parser = words(PairingOrder::ALL, PairingOrder::as_str))]
    order: Option<PairingOrder>,
    /// What the orders fold and slide go by.
    #[arg(long, value_parser = words(OrderBy::ALL, OrderBy::as_str))]
    order_by: Option<OrderBy>,
    /// Which way numbers run.
    #[arg(long, value_parser = words(NumberOrder::ALL, NumberOrder::as_str))]
    number_order: Option<NumberOrder>,
    /// Team mates are kept apart in rounds 1 to this one, 0 to 100.
    #[arg(long, value_name = "ROUND", value_parser = clap::value_parser!(u32).range(0..=100))]
    avoid_team_rounds: Option<u32>,
    /// How much that matters.
    #[arg(long, value_parser = words(TeamAvoidance::ALL, TeamAvoidance::as_str))]
    team_avoidance: Option<TeamAvoidance>,
    /// The same colour in three games running.
    #[arg(long, value_parser = words(ThirdColour::ALL, ThirdColour::as_str))]
    third_colour: Option<ThirdColour>,
    /// Who has Black when the balances are equal.
    #[arg(long, value_parser = words(Colours::ALL, Colours::as_str))]
    colours: Option<Colours>,
    /// Points for a bye, 0 to 2.
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(i32).range(0..=2))]
    bye_score: Option<i32>,
    /// Points for a round missed, 0 or 1.
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(i32).range(0..=1))]
    absent_score: Option<i32>,
    /// Whether a pair decided by forfeit may be paired again.
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    forfeits_may_meet_again: Option<bool>,
    /// Whether repeated floats are avoided.
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    avoid_repeated_floats: Option<bool>,
    /// Who has this score is not paired any more, 1 to 1000.
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(i32).range(1..=1000))]
    stop_at: Option<i32>,
}

impl Settings {
    /// Changes what was asked for.
    fn apply(&self, to: &mut PairingSettings) {
        to.order = self.order.unwrap_or(to.order);
        to.order_by = self.order_by.unwrap_or(to.order_by);
        to.number_order = self.number_order.unwrap_or(to.number_order);
        to.avoid_team_rounds = self.avoid_team_rounds.unwrap_or(to.avoid_team_rounds);
        to.team_avoidance = self.team_avoidance.unwrap_or(to.team_avoidance);
        to.third_colour = self.third_colour.unwrap_or(to.third_colour);
        to.colours = self.colours.unwrap_or(to.colours);
        to.bye_score = self.bye_score.map_or(to.bye_score, Score);
        to.absent_score = self.absent_score.map_or(to.absent_score, Score);
        to.forfeits_may_meet_again = self.forfeits_may_meet_again.unwrap_or(to.forfeits_may_meet_again);
        to.avoid_repeated_floats = self.avoid_repeated_floats.unwrap_or(to.avoid_repeated_floats);
        to.stop_at = self.stop_at.map(Score).or(to.stop_at);
    }
}

/// Reads one of the words of a setting.
fn words<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|choice| word(*choice))).try_map(move |found| {
        let choice = all.iter().copied().find(|choice| word(*choice) == found);
        choice.ok_or_else(|| format!("“{found}” is none of these words"))
    })
}

/// A number, or two with a dash between; all from `least` to `most`.
fn span(text: &str, least: u32, most: u32) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str| -> Option<u32> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|number| plain && (least..=most).contains(number))
    };
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => Ok(from..=to),
        _ => Err(format!(
            "write a number from {least} to {most}, or two as in {least}-{most}"
        )),
    }
}

/// A rate from 0 to 1 with up to three decimals, in thousandths.
fn per_mille(text: &str) -> Result<u32, String> {
    let rate = || {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let decimals = decimals.get(..3).filter(|_| digits(decimals)).map_or_else(
            || digits(decimals).then(|| format!("{decimals:0<3}")),
            |first| decimals[3..].bytes().all(|b| b == b'0').then(|| first.to_owned()),
        )?;
        let whole: u32 = if digits(whole) && whole.len() <= 2 {
            whole.parse().ok()?
        } else {
            return None;
        };
        let rate = whole * 1000 + decimals.parse::<u32>().ok()?;
        (rate <= 1000).then_some(rate)
    };
    rate().ok_or_else(|| "write a rate from 0 to 1 with up to three decimals, such as 0.05".to_owned())
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(events) = args.events {
        return many::run(args, events);
    }
    let seed = args.seed.unwrap_or(FIRST_SEED);
    let stage = simulate(&args.simulation(seed));
    let played = stage.rounds.len();
    if played < stage.rounds_planned as usize {
        let next = Request {
            confirmed: Confirmed {
                repeats: true,
                provisional: false,
            },
            seed: Some(Seed([0; 32])),
            ..Request::default()
        };
        let why = pair(&stage, next)
            .err()
            .map_or_else(String::new, |refusal| format!(": {refusal}"));
        output::complain(&format!(
            "the event ends after {played} of {} rounds{why}",
            stage.rounds_planned
        ));
    }
    output::answer(&interchange::write(&file(seed, stage)))
}

fn file(seed: u64, stage: Stage) -> EventFile {
    let rules = RuleSet::default();
    EventFile {
        name: format!("Simulated event {seed}"),
        place: None,
        starts_on: None,
        rules,
        komi: rules.default_komi(),
        records: RecordSettings::default(),
        awards: tournament::Awards::default(),
        circumstances: interchange::event_file::Circumstances::default(),
        stage,
    }
}

const FIRST_SEED: u64 = 1;
#[cfg(test)]
mod tests {
    use super::{per_mille, span};

    #[test]
    fn spans_are_one_number_or_two() {
        assert_eq!(span("7", 2, 99), Ok(7..=7));
        assert_eq!(span("2-99", 2, 99), Ok(2..=99));
        for text in [
            "", "-", "1", "100", "9-3", "3-", "-3", "+3", "2-100", "2-3-4", "三",
        ] {
            assert!(span(text, 2, 99).is_err(), "{text}");
        }
    }

    #[test]
    fn rates_are_read_exactly() {
        for (text, rate) in [
            ("0", 0),
            ("0.05", 50),
            ("0.5", 500),
            ("0.125", 125),
            ("0.1250", 125),
            ("1", 1000),
            ("1.000", 1000),
        ] {
            assert_eq!(per_mille(text), Ok(rate), "{text}");
        }
        for text in [
            "", ".5", "0.", "-0.1", "1.001", "2", "0.0005", "5%", "1e-3", "0,05", "0.０５", "é.éé",
        ] {
            assert!(per_mille(text).is_err(), "{text}");
        }
    }
}
