//! `tianyuan pair`: the next round of an event file.

use std::collections::HashMap;
use std::fmt::Write as _;

use clap::ValueEnum;
use tournament::pairing::{self, Confirmed, Pairing};
use tournament::{Number, Stage, tally};

use super::criteria_line;
use crate::failure::Failure;
use crate::table::{Align, Table};
use crate::{input, output};

/// Pair the next round of an event file.
#[derive(clap::Args)]
pub struct Args {
    /// The event file; - is standard input.
    event: String,
    /// How the pairing is printed.
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// The seed of a random order, up to 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", value_parser = seed)]
    seed: Option<String>,
    /// Let players meet again when there is no other way.
    #[arg(long)]
    allow_repeats: bool,
    /// Count boards without a result as draws, for this pairing only.
    #[arg(long)]
    provisional: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For programs.
    Json,
    /// For people.
    Table,
}

fn seed(text: &str) -> Result<String, String> {
    if (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit()) {
        Ok(text.to_owned())
    } else {
        Err("write 1 to 64 hexadecimal digits, 0–9 and a–f".to_owned())
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let file = input::event(&args.event)?;
    if args.seed.is_some() {
        output::complain(
            "this event is paired in the classic order, which draws no lots: --seed changes nothing",
        );
    }
    let confirmed = Confirmed {
        repeats: args.allow_repeats,
        provisional: args.provisional,
    };
    let paired = pairing::pair(&file.stage, confirmed).map_err(|refusal| {
        let way = match refusal {
            pairing::Refusal::MissingResults { .. } => " (--provisional)",
            pairing::Refusal::RepeatsNeeded { .. } => " (--allow-repeats)",
            _ => "",
        };
        Failure::no(format!("{refusal}{way}"))
    })?;
    output::answer(&match args.format {
        Format::Json => format!("{}\n", interchange::pairing_json(&paired)),
        Format::Table => table(&file.name, &file.stage, &paired),
    })
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
    let mut table = Table::new(
        [
            ("Board", Align::Right),
            ("No.", Align::Right),
            ("Black", Align::Left),
            ("Score", Align::Right),
            ("No.", Align::Right),
            ("White", Align::Left),
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
    for (what, numbers) in [("Bye", &paired.byes), ("Not paired", &paired.absent)] {
        if !numbers.is_empty() {
            let listed: Vec<String> = numbers
                .iter()
                .map(|number| format!("{number} {}", name(*number)))
                .collect();
            let _ = writeln!(text, "\n{what}: {}", listed.join(", "));
        }
    }
    let _ = writeln!(text, "\n{}", criteria_line(&paired.criteria));
    for note in &paired.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}
