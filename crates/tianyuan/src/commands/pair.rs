//! `tianyuan pair`: the next round of an event file.

use std::collections::HashMap;
use std::fmt::Write as _;

use clap::ValueEnum;
use tournament::draw::Seed;
use tournament::pairing::why::{self, NotMet};
use tournament::pairing::{self, Confirmed, Pairing, Request, prove};
use tournament::{Certificate, Choices, Number, Stage, tally};

use super::criteria_line;
use crate::failure::Failure;
use crate::table::{Align, Table};
use crate::{input, output};

/// Pair the next round of an event file.
#[derive(clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct Args {
    /// The event file; - is standard input.
    event: String,
    /// How the pairing is printed.
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// The seed of the draw, for an event that draws lots: up to 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", value_parser = seed)]
    seed: Option<Seed>,
    /// These two meet, also when they have met before. Can be given several times, as can the next ones.
    #[arg(long, value_name = "A-B", value_parser = pair)]
    fix: Vec<(Number, Number)>,
    /// These two do not meet.
    #[arg(long, value_name = "A-B", value_parser = pair)]
    apart: Vec<(Number, Number)>,
    /// This one has the bye.
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    bye: Vec<Number>,
    /// This one sits out.
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    sit_out: Vec<Number>,
    /// Let players meet again when there is no other way.
    #[arg(long)]
    allow_repeats: bool,
    /// Count boards without a result as draws, for this pairing only.
    #[arg(long)]
    provisional: bool,
    /// Also say why: for each criterion how it is known that it cannot be less, for each board what is
    /// unusual about it and what the best table without it would be like.
    #[arg(long)]
    why: bool,
    /// Also say why these two do not meet. Can be given several times.
    #[arg(long, value_name = "A-B", value_parser = pair)]
    why_not: Vec<(Number, Number)>,
    /// Also print a certificate: a proof that no table is better, for programs that check it.
    #[arg(long)]
    certificate: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For programs.
    Json,
    /// For people.
    Table,
}

/// A seed; zeros in front may be left out.
fn seed(text: &str) -> Result<Seed, String> {
    Seed::from_hex(&format!("{text:0>64}"))
        .filter(|_| !text.is_empty())
        .ok_or_else(|| "write 1 to 64 hexadecimal digits, 0–9 and a–f".to_owned())
}

fn number(text: &str) -> Result<Number, String> {
    text.parse()
        .ok()
        .and_then(Number::new)
        .ok_or_else(|| format!("write the number of an entry, 1 to {}", Number::MAX))
}

fn pair(text: &str) -> Result<(Number, Number), String> {
    let pair = text.split_once('-').and_then(|(one, other)| {
        let (one, other) = (number(one).ok()?, number(other).ok()?);
        Some((one.min(other), one.max(other)))
    });
    pair.ok_or_else(|| "write the numbers of two entries as in 3-7".to_owned())
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let file = input::event(&args.event)?;
    let draws_lots = file.stage.pairing.needs_seed();
    if args.seed.is_some() && !draws_lots {
        output::complain("this event draws no lots when a round is paired: --seed changes nothing");
    }
    if args.seed.is_none() && draws_lots {
        return Err(Failure::input(
            "this event draws lots when a round is paired: give the seed of the draw with --seed, up to 64 hexadecimal digits",
        ));
    }
    let request = Request {
        confirmed: Confirmed {
            repeats: args.allow_repeats,
            provisional: args.provisional,
        },
        choices: Choices {
            pairs: args.fix.clone(),
            apart: args.apart.clone(),
            byes: args.bye.clone(),
            sitting_out: args.sit_out.clone(),
        },
        seed: args.seed.filter(|_| draws_lots),
    };
    let paired = pairing::pair(&file.stage, request).map_err(|refusal| {
        let way = match refusal {
            pairing::Refusal::MissingResults { .. } => " (--provisional)",
            pairing::Refusal::RepeatsNeeded { .. } => " (--allow-repeats)",
            _ => "",
        };
        Failure::no(format!("{refusal}{way}"))
    })?;
    let round = paired.to_round();
    let reasons = args.why.then(|| why::reasons(&file.stage, &round));
    let why_not: Vec<(Number, Number, NotMet)> = args
        .why_not
        .iter()
        .map(|(one, other)| (*one, *other, why::not_met(&file.stage, &round, *one, *other)))
        .collect();
    let certificate = args.certificate.then(|| prove::certificate(&file.stage, &round));
    output::answer(&match args.format {
        Format::Json => {
            let mut answer = interchange::pairing_json(&paired);
            if let Some(reasons) = &reasons {
                answer["why"] = interchange::why::reasons_json(reasons);
            }
            if !why_not.is_empty() {
                let answers = why_not.iter();
                answer["why_not"] = answers
                    .map(|(one, other, reason)| interchange::why::not_met_json(*one, *other, reason))
                    .collect();
            }
            if let Some(certificate) = &certificate {
                answer["certificate"] = certificate.as_ref().map(interchange::certificate_json).into();
            }
            format!("{answer}\n")
        }
        Format::Table => {
            let mut text = table(&file.name, &file.stage, &paired);
            if let Some(reasons) = &reasons {
                let _ = write!(text, "\n{}", interchange::why::reasons_text(reasons));
            }
            for (one, other, reason) in &why_not {
                let _ = writeln!(text, "\n{}", interchange::why::not_met_text(*one, *other, reason));
            }
            if let Some(certificate) = &certificate {
                let _ = writeln!(text, "\n{}", proof(certificate.as_ref()));
            }
            text
        }
    })
}

fn proof(certificate: Option<&Certificate>) -> String {
    match certificate {
        None => "No certificate: counting does not prove this table, and the field is too large for values for everybody"
            .to_owned(),
        Some(Certificate::Counting(_)) => "Counting proves that no table is better".to_owned(),
        Some(Certificate::Duals(duals)) => format!(
            "A certificate with {} values and {} odd sets proves that no table is better: --format json prints it",
            duals.players.len(),
            duals.sets.len()
        ),
    }
}

fn table(event: &str, stage: &Stage, paired: &Pairing) -> String {
    let scores: HashMap<Number, String> = tally(stage, paired.round - 1)
        .into_iter()
        .map(|books| (books.number, books.score.to_string()))
        .collect();
    let names: HashMap<Number, &str> = stage
        .entries
        .iter()
        .map(|entry| (entry.number, entry.name.as_str()))
        .collect();
    let name = |number: Number| {
        names
            .get(&number)
            .map_or_else(String::new, |name| (*name).to_owned())
    };
    let score = |number: Number| scores.get(&number).cloned().unwrap_or_default();
    let nigiri = paired.boards.iter().any(|board| board.nigiri);
    let (black, white) = if nigiri {
        ("Player", "Player")
    } else {
        ("Black", "White")
    };
    let mut table = Table::new(
        [
            ("Board", Align::Right),
            ("No.", Align::Right),
            (black, Align::Left),
            ("Score", Align::Right),
            ("No.", Align::Right),
            (white, Align::Left),
            ("Score", Align::Right),
        ]
        .map(|(name, align)| (name.to_owned(), align))
        .into(),
    );
    for board in &paired.boards {
        let mut cells = vec![board.board.to_string()];
        for number in [board.black, board.white] {
            cells.extend([number.to_string(), name(number), score(number)]);
        }
        table.row(cells);
    }
    let mut text = format!("{event}, round {}\n\n{}", paired.round, table.print());
    if nigiri {
        text.push_str("\nColours by nigiri at the board\n");
    }
    for (what, numbers) in [("Bye", &paired.byes), ("Not paired", &paired.absent)] {
        if !numbers.is_empty() {
            let listed: Vec<String> = numbers
                .iter()
                .map(|number| format!("{number} {}", name(*number)))
                .collect();
            let _ = writeln!(text, "\n{what}: {}", listed.join(", "));
        }
    }
    let fixed = fixed(&paired.choices);
    if !fixed.is_empty() {
        let _ = writeln!(text, "\nFixed before pairing: {}", fixed.join(", "));
    }
    if let Some(seed) = paired.seed {
        let _ = writeln!(text, "\nSeed of the draw: {seed}");
    }
    let _ = writeln!(text, "\n{}", criteria_line(&paired.criteria));
    for note in &paired.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// What was fixed, a phrase each.
fn fixed(choices: &Choices) -> Vec<String> {
    let pair =
        |what: &'static str| move |(one, other): &(Number, Number)| format!("{one} and {other} {what}");
    let one = |what: &'static str| move |number: &Number| format!("{number} {what}");
    let pairs = choices.pairs.iter().map(pair("meet"));
    pairs
        .chain(choices.apart.iter().map(pair("do not meet")))
        .chain(choices.byes.iter().map(one("has the bye")))
        .chain(choices.sitting_out.iter().map(one("sits out")))
        .collect()
}
