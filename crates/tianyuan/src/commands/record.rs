//! `tianyuan record`: game records judged, counted and compared with the result they state.

use clap::ValueEnum;
use interchange::record;
use rules::{Asked, Komi, Language, OnRepetition, Point, Refusal, RuleSet, Size, Standing, Verdict, sgf};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, ErrorKind};

use crate::failure::Failure;
use crate::{input, output};

/// Judge game records (SGF): whether every move is legal, what the position counts to, and whether the
/// record's result agrees with it; exit 1 when a game is illegal.
#[derive(clap::Args)]
pub struct Args {
    /// Game records; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The rules to judge by; by default the record's, else the Chinese ones.
    #[arg(long, value_name = "RULES")]
    rules: Option<RuleSet>,
    /// The komi to count with, in the unit of the rules (3.75 stones, 6.5 points); by default the record's.
    #[arg(long, requires = "rules", allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// The handicap that was agreed on, to be compared with the record's; 0 is an even game.
    #[arg(long, value_name = "STONES")]
    handicap: Option<u32>,
    /// The board that was played on; a record of another size is refused.
    #[arg(long, value_name = "LINES", value_parser = size)]
    size: Option<Size>,
    /// What a repetition means, if not what the rules say.
    #[arg(long, value_name = "illegal|no_result|draw|replay|referee", value_parser = on_repetition)]
    on_repetition: Option<OnRepetition>,
    /// The dead stones, by the letters of the record: cc,dd; "none" when all live.
    #[arg(long, value_name = "POINTS", value_parser = dead)]
    dead: Option<Dead>,
    /// Only this game of the file, from 1; without it every game is judged.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Read the text in this encoding (UTF-8, GB18030, Big5, EUC-KR, …) instead of finding it out.
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// How the verdict is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Also print the last position, as text.
    #[arg(long)]
    board: bool,
    /// The language of the sentences.
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum Lang {
    /// English.
    En,
    /// Chinese.
    Zh,
}

/// The points of `--dead`.
#[derive(Clone)]
struct Dead(Vec<Point>);

fn dead(text: &str) -> Result<Dead, String> {
    if text == "none" {
        return Ok(Dead(Vec::new()));
    }
    let points = text.split(',').map(|point| Point::from_record(point.trim()));
    points.collect::<Option<_>>().map(Dead).ok_or_else(|| {
        "write points by the two letters of the record with commas between, such as cc,dd, or none".to_owned()
    })
}

fn size(text: &str) -> Result<Size, String> {
    text.parse()
        .ok()
        .and_then(Size::square)
        .ok_or_else(|| format!("write a number from {} to {}", Size::LEAST, Size::MOST))
}

fn on_repetition(text: &str) -> Result<OnRepetition, String> {
    OnRepetition::from_word(text).ok_or_else(|| {
        format!(
            "write one of {}",
            OnRepetition::ALL.map(OnRepetition::as_str).join(", ")
        )
    })
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let asked = asked(args)?;
    let language = match args.lang {
        Lang::En => Language::English,
        Lang::Zh => Language::Chinese,
    };
    let mut answer = Answer::begin(args.format, language)?;
    for path in &args.files {
        let bytes = match input::bytes(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let line = unreadable(path, &error, language);
                let said = json!({"code": "unreadable-file", "place": null, "text": line});
                answer.refused(path, line, &said)?;
                continue;
            }
        };
        let file = match sgf::read(&bytes, args.encoding.as_deref()) {
            Ok(file) => file,
            Err(refusal) => {
                answer.refusal(path, &refusal)?;
                continue;
            }
        };
        let games = match (args.game, file.games().len()) {
            (Some(number), _) => {
                let index = (number as usize).wrapping_sub(1);
                index..index + 1
            }
            (None, games) if games > 1 && args.dead.is_some() => {
                return Err(Failure::input(format!(
                    "--dead is about one game, and {} holds {games}: choose one by --game",
                    name(path, language)
                )));
            }
            (None, games) => 0..games,
        };
        for index in games {
            match rules::judge_game(&file, index, &asked) {
                Ok(verdict) => answer.verdict(path, &verdict, args.board)?,
                Err(refusal) => answer.refusal(path, &refusal)?,
            }
        }
    }
    answer.end()
}

/// What is said of the games, as it comes: a file can hold thousands.
struct Answer {
    format: Format,
    language: Language,
    reports: usize,
    tally: Tally,
    unreadable: Vec<String>,
}

impl Answer {
    fn begin(format: Format, language: Language) -> Result<Self, Failure> {
        if format == Format::Json {
            output::answer("[")?;
        }
        Ok(Self {
            format,
            language,
            reports: 0,
            tally: Tally::default(),
            unreadable: Vec::new(),
        })
    }

    fn verdict(&mut self, path: &str, verdict: &Verdict, board: bool) -> Result<(), Failure> {
        self.tally.add(verdict);
        match self.format {
            Format::Text => output::answer(&report(path, verdict, board, self.language)),
            Format::Json => self.json(&json!({
                "file": path,
                "game": verdict.game.0,
                "verdict": record::json(verdict, self.language),
            })),
        }
    }

    fn refusal(&mut self, path: &str, refusal: &Refusal) -> Result<(), Failure> {
        let (name, said) = (name(path, self.language), record::refusal(refusal, self.language));
        let line = match self.language {
            Language::Chinese => format!("{name}：{said}"),
            Language::English => format!("{name}: {said}"),
        };
        self.refused(path, line, &record::refusal_json(refusal, self.language))
    }

    fn refused(&mut self, path: &str, line: String, refusal: &Value) -> Result<(), Failure> {
        self.tally.unreadable += 1;
        self.unreadable.push(line);
        match self.format {
            Format::Text => Ok(()),
            Format::Json => self.json(&json!({"file": path, "refusal": refusal})),
        }
    }

    fn json(&mut self, report: &Value) -> Result<(), Failure> {
        let comma = if self.reports > 0 { ",\n" } else { "" };
        self.reports += 1;
        output::answer(&format!("{comma}{report}"))
    }

    fn end(self) -> Result<(), Failure> {
        match self.format {
            Format::Json => output::answer("]\n")?,
            Format::Text if self.tally.games > 0 && self.tally.games + self.tally.unreadable > 1 => {
                output::answer(&self.tally.line(self.language))?;
            }
            Format::Text => {}
        }
        if !self.unreadable.is_empty() {
            Err(Failure::Input(self.unreadable))
        } else if self.tally.of(Standing::Illegal) > 0 {
            Err(Failure::No(Vec::new()))
        } else {
            Ok(())
        }
    }
}

/// How a file is called in a sentence, its name made harmless.
fn name(path: &str, language: Language) -> String {
    match (path, language) {
        (input::STDIN, Language::Chinese) => "标准输入".to_owned(),
        _ => record::harmless(input::name(path)),
    }
}

/// Why a file cannot be read.
fn unreadable(path: &str, error: &io::Error, language: Language) -> String {
    let name = name(path, language);
    match language {
        Language::English => format!("{name} cannot be read: {error}"),
        Language::Chinese => match error.kind() {
            ErrorKind::NotFound => format!("{name}无法读取：没有这个文件"),
            ErrorKind::PermissionDenied => format!("{name}无法读取：没有读取它的权限"),
            ErrorKind::IsADirectory => format!("{name}无法读取：它是一个文件夹"),
            _ if path == input::STDIN => format!("{name}无法读取：请指定文件，或由管道输入棋谱（{error}）"),
            _ => format!("{name}无法读取：{error}"),
        },
    }
}

/// What is known of the games.
fn asked(args: &Args) -> Result<Asked, Failure> {
    if let (Some(rules), Some(komi)) = (args.rules, args.komi)
        && !rules.unit().admits(komi.quarters().into())
    {
        return Err(Failure::input(format!(
            "--komi {komi}: under the rules “{rules}” komi is in points, whole or half ones"
        )));
    }
    if (args.dead.is_some() || args.game.is_some()) && args.files.len() > 1 {
        let option = if args.dead.is_some() { "--dead" } else { "--game" };
        return Err(Failure::input(format!(
            "{option} is about one game: name one file"
        )));
    }
    if args.files.iter().filter(|path| *path == input::STDIN).count() > 1 {
        return Err(Failure::input(
            "standard input can be read only once: name - one time",
        ));
    }
    Ok(Asked {
        rules: args.rules,
        komi: args.komi,
        handicap: args.handicap,
        size: args.size,
        on_repetition: args.on_repetition,
        dead: args.dead.clone().map(|Dead(points)| points),
        ..Asked::default()
    })
}

fn report(path: &str, verdict: &Verdict, board: bool, language: Language) -> String {
    let name = name(path, language);
    let (number, of) = verdict.game;
    let mut text = match (of, language) {
        (0 | 1, _) => format!("{name}\n"),
        (_, Language::Chinese) => format!("{name}：共{of}局，第{number}局\n"),
        (_, Language::English) => format!("{name}: game {number} of {of}\n"),
    };
    text.push_str(&record::text(verdict, language));
    if board {
        text.push_str(&record::board(verdict));
    }
    text.push('\n');
    text
}

/// How many games stand how.
#[derive(Default)]
struct Tally {
    games: usize,
    standings: Vec<(Standing, usize)>,
    unreadable: usize,
}

impl Tally {
    fn add(&mut self, verdict: &Verdict) {
        self.games += 1;
        match self
            .standings
            .iter_mut()
            .find(|(standing, _)| *standing == verdict.standing)
        {
            Some((_, count)) => *count += 1,
            None => self.standings.push((verdict.standing, 1)),
        }
    }

    fn of(&self, standing: Standing) -> usize {
        self.standings
            .iter()
            .find(|(one, _)| *one == standing)
            .map_or(0, |(_, count)| *count)
    }

    /// `5 games: 4 legal, 1 illegal; 1 cannot be judged`.
    fn line(&self, language: Language) -> String {
        let games = self.games;
        let standings: Vec<String> = self
            .standings
            .iter()
            .map(|(standing, count)| {
                let said = record::standing_said(*standing, language);
                language.choose(format!("{said}{count}局"), format!("{count} {said}"))
            })
            .collect();
        let mut line = match language {
            Language::Chinese => format!("共{games}局：{}", standings.join("，")),
            Language::English => {
                let plural = if games == 1 { "" } else { "s" };
                format!("{games} game{plural}: {}", standings.join(", "))
            }
        };
        let unreadable = self.unreadable;
        if unreadable > 0 {
            let _ = match language {
                Language::Chinese => write!(line, "；另有{unreadable}项无法审查"),
                Language::English => write!(line, "; {unreadable} cannot be judged"),
            };
        }
        line + "\n"
    }
}
