//! `tianyuan check`: every recorded round judged by the independent checker.

use clap::ValueEnum;
use interchange::EventFile;
use interchange::names::look_alikes;
use serde_json::json;
use std::fmt::Write as _;
use tournament::checker::{Judgement, Level, judge_event};

use super::criteria_line;
use crate::failure::Failure;
use crate::{input, output};

/// Judge every round of event files; exit 1 when something is wrong.
#[derive(clap::Args)]
pub struct Args {
    /// Event files; - or none is standard input.
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// How the findings are printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Also print what a director wants to see but is no breach: floats, repeats, same colours.
    #[arg(long)]
    notes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let stdin = [input::STDIN.to_owned()];
    let files = if args.files.is_empty() {
        &stdin[..]
    } else {
        &args.files
    };
    let (mut sound, mut unreadable, mut reports) = (true, Vec::new(), Vec::new());
    for path in files {
        let file = match input::event(path) {
            Ok(file) => file,
            Err(Failure::Input(lines)) => {
                unreadable.extend(lines);
                continue;
            }
            Err(other) => return Err(other),
        };
        let judged: Vec<Judgement> = judge_event(&file.stage)
            .into_iter()
            .map(|(_, judged)| judged)
            .collect();
        sound &= judged.iter().all(Judgement::is_sound);
        match args.format {
            Format::Text => output::answer(&report(path, &file, &judged, args.notes))?,
            Format::Json => reports.push(json!({
                "file": path,
                "event": file.name,
                "sound": judged.iter().all(Judgement::is_sound),
                "rounds": judged.iter().map(interchange::judgement_json).collect::<Vec<_>>(),
            })),
        }
    }
    if args.format == Format::Json {
        output::answer(&format!("{}\n", serde_json::Value::from(reports)))?;
    }
    if !unreadable.is_empty() {
        Err(Failure::Input(unreadable))
    } else if sound {
        Ok(())
    } else {
        Err(Failure::No(Vec::new()))
    }
}

fn report(path: &str, file: &EventFile, judged: &[Judgement], notes: bool) -> String {
    let name = if path == input::STDIN {
        "standard input"
    } else {
        path
    };
    let (entries, rounds) = (file.stage.entries.len(), judged.len());
    let mut text = format!(
        "{name}: {}, {}, {}\n",
        file.name,
        count(entries, "entry"),
        count(rounds, "round")
    );
    let team = |number| file.stage.entry(number).and_then(|entry| entry.team.as_ref());
    for alike in look_alikes(&file.stage.entries) {
        // Namesakes are nothing unusual, least of all where names have two characters.
        let (first, second) = (alike.first, alike.second);
        if alike.same_spelling && (team(first).is_none() || team(first) != team(second)) {
            continue;
        }
        let how = if alike.same_spelling {
            "one name and one team"
        } else {
            "one name in two spellings"
        };
        let _ = writeln!(
            text,
            "  warning: numbers {first} and {second} have {how}: if it is one person, take one entry away"
        );
    }
    let mut breaches = 0;
    for judgement in judged {
        let wrong = judgement.at(Level::Error).count();
        breaches += wrong;
        let verdict = if wrong == 0 {
            "no breach".to_owned()
        } else {
            count(wrong, "breach")
        };
        let _ = writeln!(
            text,
            "round {}: {verdict}; {}",
            judgement.round,
            criteria_line(&judgement.reached)
        );
        for finding in &judgement.findings {
            let level = match finding.level() {
                Level::Error => "breach",
                Level::Warning => "warning",
                Level::Note if notes => "note",
                Level::Note => continue,
            };
            let _ = writeln!(text, "  {level}: {finding}");
        }
    }
    let verdict = if breaches == 0 {
        "no breach".to_owned()
    } else {
        count(breaches, "breach")
    };
    let _ = writeln!(text, "{name}: {verdict}");
    text
}

/// `1 entry`, `2 entries`.
fn count(number: usize, what: &str) -> String {
    let plural = match what {
        "entry" => "entries",
        "breach" => "breaches",
        _ => "rounds",
    };
    format!("{number} {}", if number == 1 { what } else { plural })
}
