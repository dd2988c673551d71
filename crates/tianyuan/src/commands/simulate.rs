//! `tianyuan simulate`: a random event, played out.

use interchange::EventFile;
use rules::RuleSet;
use tournament::simulate::{Simulation, simulate};

use crate::failure::Failure;
use crate::output;

/// Play out a random event and print its event file. The same arguments give the same event.
#[derive(clap::Args)]
pub struct Args {
    /// How many players.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=99_999))]
    players: u32,
    /// How many rounds.
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// The seed.
    #[arg(long, value_name = "S")]
    seed: u64,
    /// Of those still in the event after a round, the share that withdraws then.
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = per_mille)]
    withdrawals: u32,
    /// Of the players, the share that belongs to a team.
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = per_mille)]
    teams: u32,
    /// Of the games, the share that is drawn.
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = per_mille)]
    draws: u32,
    /// In each round, the share of players who sit it out.
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = per_mille)]
    byes: u32,
    /// Of the boards, the share that is decided because somebody is absent.
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = per_mille)]
    forfeits: u32,
    /// Of the games, the share that both players lose.
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = per_mille)]
    both_lose: u32,
    /// Of the players, the share that comes late.
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = per_mille)]
    late: u32,
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
    let stage = simulate(&Simulation {
        withdrawals: args.withdrawals,
        teams: args.teams,
        draws: args.draws,
        byes: args.byes,
        forfeits: args.forfeits,
        both_lose: args.both_lose,
        late: args.late,
        ..Simulation::new(args.players, args.rounds, args.seed)
    });
    let played = stage.rounds.len();
    if played < args.rounds as usize {
        output::complain(&format!(
            "the event ends after {played} of {} rounds: fewer than two players are left",
            args.rounds
        ));
    }
    let rules = RuleSet::default();
    let file = EventFile {
        name: format!("Simulated event {}", args.seed),
        place: None,
        starts_on: None,
        rules,
        komi: rules.default_komi(),
        stage,
    };
    output::answer(&interchange::write(&file))
}

#[cfg(test)]
mod tests {
    use super::per_mille;

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
