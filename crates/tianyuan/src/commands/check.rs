//! `tianyuan check`: every recorded round judged by the independent checker; draws repeated; the
//! chain of a log.

use clap::ValueEnum;
use interchange::EventFile;
use interchange::draw_file::{self, Sealed, Statement};
use interchange::log_file::{self, Head};
use interchange::names::look_alikes;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use tournament::checker::{Judgement, Level, judge_event};
use tournament::pairing::prove;
use tournament::{Certificate, Number, Round, Stage, pairing};

use super::criteria_line;
use crate::failure::Failure;
use crate::{input, output};

/// Judge every round of event files, repeat draws, or follow the chain of log files; exit 1 when
/// something is wrong.
#[derive(clap::Args)]
pub struct Args {
    /// Event files, draw files and log files; - or none is standard input.
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// How the findings are printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Also print what a director wants to see but is no breach: floats, repeats, same colours.
    #[arg(long)]
    notes: bool,
    /// What a page or a draw file says of the log: the act and the first twelve digits of its hash, or
    /// all of them. Log files are held to it.
    #[arg(long, value_name = "SEQ:HASH", value_parser = head)]
    head: Vec<Head>,
}

fn head(text: &str) -> Result<Head, String> {
    Head::parse(text).ok_or_else(|| {
        "write the number of the act, a colon and the first 12 to all 64 digits: 412:3f2a91bc04d7".to_owned()
    })
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
        let bytes = match input::contents(path) {
            Ok(bytes) => bytes,
            Err(Failure::Input(lines)) => {
                unreadable.extend(lines);
                continue;
            }
            Err(other) => return Err(other),
        };
        if log_file::is_log_file(&bytes) {
            let log = match log_file::read(&bytes) {
                Ok(log) => log,
                Err(problem) => {
                    unreadable.push(format!("{}: {problem}", input::name(path)));
                    continue;
                }
            };
            let broken = log.check(&args.head);
            sound &= broken.is_empty();
            match args.format {
                Format::Text => output::answer(&log_report(path, &log, &broken, &args.head))?,
                Format::Json => reports.push(json!({
                    "file": path,
                    "event": log.name,
                    "sound": broken.is_empty(),
                    "acts": log.links.len(),
                    "broken": broken.iter().map(|one| json!({"code": one.code(), "text": one.to_string()}))
                        .collect::<Vec<_>>(),
                })),
            }
            continue;
        }
        if draw_file::is_draw_file(&bytes) {
            let sealed = match draw_file::read(&bytes) {
                Ok(sealed) => sealed,
                Err(problems) => {
                    unreadable.extend_from_slice(input::refused(path, &problems).lines());
                    continue;
                }
            };
            let said = draw_file::check(&sealed);
            sound &= said.iter().all(Statement::holds);
            match args.format {
                Format::Text => output::answer(&draw_report(path, &sealed, &said))?,
                Format::Json => reports.push(draw_json(path, &sealed, &said)),
            }
            continue;
        }
        let file = match input::event_of(path, &bytes) {
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
                "rounds": judged.iter().map(|judgement| with_other_table(&file.stage, judgement)).collect::<Vec<_>>(),
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

/// What one of two tables has and the other has not.
#[derive(Default)]
struct Unlike {
    pairs: Vec<(Number, Number)>,
    byes: Vec<Number>,
}

impl Unlike {
    fn of(one: &Round, other: &Round) -> Self {
        let pairs = |table: &Round| -> BTreeSet<(Number, Number)> {
            let pairs = table.boards.iter();
            pairs
                .map(|board| (board.black.min(board.white), board.black.max(board.white)))
                .collect()
        };
        let byes = |table: &Round| table.byes.iter().copied().collect::<BTreeSet<_>>();
        Self {
            pairs: pairs(one).difference(&pairs(other)).copied().collect(),
            byes: byes(one).difference(&byes(other)).copied().collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.byes.is_empty()
    }

    /// `3–4, 5–6 and the bye of 7`; of a long list the beginning.
    fn words(&self) -> String {
        const LONGEST: usize = 6;
        let mut words: Vec<String> = self
            .pairs
            .iter()
            .map(|(one, other)| format!("{one}–{other}"))
            .collect();
        words.extend(self.byes.iter().map(|number| format!("the bye of {number}")));
        if words.len() > LONGEST {
            let more = words.len() - LONGEST;
            words.truncate(LONGEST);
            words.push(format!("{more} more"));
        }
        words.join(", ")
    }
}

/// What the pairing gives when the round is paired once more, and what is recorded in its place.
fn other_table(stage: &Stage, round: u32) -> Option<(Unlike, Unlike)> {
    let recorded = stage.rounds.iter().find(|table| table.round == round)?;
    let again = pairing::again(stage, recorded).ok()?.to_round();
    let given = Unlike::of(&again, recorded);
    (!given.is_empty()).then(|| (given, Unlike::of(recorded, &again)))
}

fn with_other_table(stage: &Stage, judgement: &Judgement) -> serde_json::Value {
    let mut value = interchange::judgement_json(judgement);
    let pairs = other_table(stage, judgement.round).map(|(given, _)| {
        let pairs = given.pairs.iter().map(|(one, other)| [one.get(), other.get()]);
        let byes = given.byes.iter().map(|number| number.get());
        json!({"pairs": pairs.collect::<Vec<_>>(), "byes": byes.collect::<Vec<_>>()})
    });
    value["paired_again"] = pairs.unwrap_or_default();
    value["proof"] = proof(stage, judgement.round).into();
    value
}

/// How it is proved that no table of a round is better; none where it is not.
fn proof(stage: &Stage, round: u32) -> Option<&'static str> {
    let recorded = stage.rounds.iter().find(|table| table.round == round)?;
    Some(match prove::certificate(stage, recorded)? {
        Certificate::Counting(_) => "counting",
        Certificate::Duals(_) => "certificate",
    })
}

fn log_report(path: &str, log: &log_file::LogFile, broken: &[log_file::Broken], heads: &[Head]) -> String {
    let name = input::name(path);
    let mut text = format!("{name}: {}, log of {}\n", log.name, count(log.links.len(), "act"));
    for one in broken {
        let _ = writeln!(text, "  breach: {one}");
    }
    if broken.is_empty() {
        let heads = heads.iter().fold(String::new(), |mut text, head| {
            let _ = write!(text, ", act {} has the hash {}", head.seq, head.digits);
            text
        });
        let last = log.links.last().map_or_else(String::new, |link| {
            format!("; the last act {} has the hash {}", link.seq, link.hash)
        });
        let _ = writeln!(
            text,
            "{name}: the chain holds from the first act to the last{heads}{last}"
        );
    } else {
        let _ = writeln!(text, "{name}: {}", count(broken.len(), "breach"));
    }
    text
}

fn draw_json(path: &str, sealed: &Sealed, said: &[Statement]) -> serde_json::Value {
    let statements = said
        .iter()
        .map(|statement| json!({ "holds": statement.holds(), "code": statement.code(), "text": statement.to_string() }));
    json!({
        "file": path,
        "event": sealed.draw.event.as_str(),
        "draw": sealed.draw.decides().to_string(),
        "engine": sealed.draw.engine,
        "sound": said.iter().all(Statement::holds),
        "statements": statements.collect::<Vec<_>>(),
    })
}

fn draw_report(path: &str, sealed: &Sealed, said: &[Statement]) -> String {
    let name = input::name(path);
    let draw = &sealed.draw;
    let mut text = format!("{name}: draw of {}, event {}\n", draw.decides(), draw.event);
    for statement in said {
        let verdict = if statement.holds() { "holds" } else { "wrong" };
        let _ = writeln!(text, "  {verdict}: {statement}");
    }
    let wrong = said.iter().filter(|statement| !statement.holds()).count();
    let verdict = match wrong {
        0 => "the draw holds".to_owned(),
        1 => "the draw does not hold: 1 thing is wrong".to_owned(),
        wrong => format!("the draw does not hold: {wrong} things are wrong"),
    };
    let _ = writeln!(text, "{name}: {verdict}");
    text
}

fn report(path: &str, file: &EventFile, judged: &[Judgement], notes: bool) -> String {
    let name = input::name(path);
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
    for (path, round) in file.rounds_beyond() {
        let _ = writeln!(
            text,
            "  warning: {path} names round {round}, which is beyond the event's {}: it has no effect",
            file.stage.rounds_planned
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
            "round {}: {verdict}; {}; {}",
            judgement.round,
            criteria_line(&judgement.reached),
            match proof(&file.stage, judgement.round) {
                Some("counting") => "no table is better, by counting",
                Some(_) => "no table is better, by a certificate",
                None => "not proved to be the best",
            }
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
        if let Some((given, recorded)) = other_table(&file.stage, judgement.round) {
            let _ = writeln!(
                text,
                "  warning: paired once more, this round has {} instead of {}: changed by hand, made on other results or settings, or not made by these rules",
                given.words(),
                recorded.words()
            );
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
        "act" => "acts",
        _ => "rounds",
    };
    format!("{number} {}", if number == 1 { what } else { plural })
}
