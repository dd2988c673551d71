//! `tianyuan standings`: the places of an event file.

use std::collections::HashMap;
use std::fmt::Write as _;

use clap::ValueEnum;
use tournament::standings::{Standings, standings};
use tournament::{Criterion, Entry, Number, Stage};

use crate::failure::Failure;
use crate::table::{Align, Table};
use crate::{input, output};

/// Print the standings of an event file.
#[derive(clap::Args)]
pub struct Args {
    /// The event file; - is standard input.
    event: String,
    /// As of this round; by default the last one.
    #[arg(long, value_name = "N")]
    after: Option<u32>,
    /// How the standings are printed.
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For programs.
    Json,
    /// For people.
    Table,
    /// For spreadsheets.
    Csv,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let file = input::event(&args.event)?;
    let stage = &file.stage;
    let (first, last) = (stage.first_round - 1, stage.next_round() - 1);
    if let Some(after) = args.after.filter(|after| !(first..=last).contains(after)) {
        return Err(Failure::input(format!(
            "--after {after}: this file has rounds {} to {last}: name one of them, or {first} for the standings before them",
            stage.first_round
        )));
    }
    let standings = standings(stage, args.after.unwrap_or(last));
    output::answer(&match args.format {
        Format::Json => format!("{}\n", interchange::standings_json(&standings, stage)),
        Format::Csv => interchange::standings_csv(&standings, stage),
        Format::Table => table(&file.name, stage, &standings),
    })
}

fn table(event: &str, stage: &Stage, standings: &Standings) -> String {
    let mut columns = [
        ("Place", Align::Right),
        ("No.", Align::Right),
        ("Name", Align::Left),
    ]
    .to_vec();
    columns.extend([("Team", Align::Left), ("Grade", Align::Right)]);
    columns.extend(
        standings
            .criteria
            .iter()
            .map(|criterion| (label(*criterion), Align::Right)),
    );
    let mut table = Table::new(
        columns
            .into_iter()
            .map(|(name, align)| (name.to_owned(), align))
            .collect(),
    );
    let entries: HashMap<Number, &Entry> = stage.entries.iter().map(|entry| (entry.number, entry)).collect();
    for row in &standings.rows {
        let Some(entry) = entries.get(&row.number) else {
            continue;
        };
        let mut cells = vec![
            row.place.to_string(),
            row.number.to_string(),
            entry.name.clone(),
            entry.team.clone().unwrap_or_default(),
            entry.grade.map(|grade| grade.to_string()).unwrap_or_default(),
        ];
        cells.extend(row.values.iter().map(tournament::standings::Value::printed));
        table.row(cells);
    }
    let mut text = format!("{event}, after round {}\n\n{}", standings.after, table.print());
    if standings.is_provisional() {
        let boards: Vec<String> = standings
            .pending
            .iter()
            .map(|board| format!("round {} board {}", board.round, board.board))
            .collect();
        let _ = writeln!(text, "\nProvisional, results are missing: {}", boards.join(", "));
    }
    text
}

/// A short head for the column of a criterion.
fn label(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Score => "Score",
        Criterion::TotalScore => "Total",
        Criterion::OpponentsScore => "SOS",
        Criterion::OpponentsScoreCut { .. } => "SOS cut",
        Criterion::BeatenOpponentsScore => "SODOS",
        Criterion::RunningScore => "Running",
        Criterion::RunningCut => "Running cut",
        Criterion::DirectEncounter => "Direct",
        Criterion::BestBeaten => "Best beaten",
        Criterion::OpponentsOpponentsScore => "SOSOS",
        Criterion::Wins => "Wins",
        Criterion::WinsAsWhite => "Wins W",
        Criterion::FewerWarnings => "Warnings",
        Criterion::Rating => "Rating",
        Criterion::Number => "Number",
        Criterion::Lots => "Lot",
    }
}
