//! `GET /e/{slug}/rounds/{n}/boards/{b}`: a board with its game.

use std::collections::BTreeSet;
use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use interchange::record;
use rules::{Colour, Count, Counted, FindingKind, Move, Owner, Point, Standing, Verdict, Weight};
use serde::Deserialize;
use serde_json::json;
use store::Schedule;
use store::events::Event;
use store::records::{Choice, Kept};
use tournament::Board;

use super::diagram::{Diagram, Position};
use super::record::ENCODINGS;
use crate::auth;
use crate::errors::{Error, Result};
use crate::extract::{InPath, InQuery, Peer};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::tables::{Field, SeatView};
use crate::pages::words::{self, Fact, Mark};
use crate::pages::{event_in, page};
use crate::records::{Judged as JudgedFile, asked, judge, judge_kept, language};
use crate::state::AppState;

/// The most moves that are listed as text and replayed by the script. A longer record, which no real game
/// makes, is stepped through by links.
const LISTED: usize = 2_000;
/// The most findings that are told one by one.
const FINDINGS: usize = 100;
/// The most comments that are shown.
const COMMENTS: usize = 500;
/// The most characters of a word that is no point.
const WORD: usize = 20;

/// How the page is asked for. What cannot be read is as if it were not said.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// After which move; the last one without it.
    #[serde(default, rename = "move")]
    pub at: String,
    /// How many of the last moves carry numbers.
    #[serde(default)]
    pub numbers: String,
    /// One point of each dead chain.
    pub dead: Option<String>,
}

/// A step to another position.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Which one, for the script.
    pub key: &'static str,
    /// The sign.
    pub sign: &'static str,
    /// What it does.
    pub words: String,
    /// Where to; nothing when the position is there already.
    pub href: Option<String>,
}

/// One move as text.
#[derive(Clone, Debug, Default)]
pub struct MoveLine {
    /// Its number.
    pub number: usize,
    /// Whether Black's.
    pub black: bool,
    /// The point, or that it was a pass.
    pub point: String,
    /// What it took, or that it counts for nothing.
    pub more: String,
    /// The position after it.
    pub href: String,
    /// Whether it is the one that is shown.
    pub here: bool,
}

/// Something that was noticed.
#[derive(Clone, Debug, Default)]
pub struct FindingLine {
    /// How much it weighs.
    pub mark: Option<Mark>,
    /// What it is.
    pub sentence: String,
    /// Its move.
    pub number: Option<u32>,
    /// The position after that move.
    pub href: Option<String>,
}

/// A comment on a move.
#[derive(Clone, Debug, Default)]
pub struct CommentLine {
    /// The move.
    pub number: usize,
    /// The position after it.
    pub href: String,
    /// What is said.
    pub text: String,
}

/// A counted position.
#[derive(Clone, Debug, Default)]
pub struct CountView {
    /// Who won by how much.
    pub sentence: String,
    /// The sums that make it, each a line.
    pub sums: Vec<String>,
}

/// The game of a board.
#[derive(Clone, Debug, Default)]
pub struct GameView {
    /// The drawing.
    pub diagram: String,
    /// After which move.
    pub at: usize,
    /// How many moves there are.
    pub moves_count: usize,
    /// How many moves carry numbers in the drawing.
    pub numbers: u32,
    /// To other positions.
    pub steps: Vec<Step>,
    /// The move that is shown, in words.
    pub at_words: String,
    /// The same with places for number, side and point.
    pub at_pattern: String,
    /// Prisoners so far, in words.
    pub captures: String,
    /// What is said of the move that is shown: its comment.
    pub at_comment: String,
    /// A sign for whether the game stands.
    pub standing_sign: &'static str,
    /// Whether the game stands, in words, with what that means.
    pub standing: String,
    /// How it ended.
    pub end: String,
    /// What was noticed.
    pub findings: Vec<FindingLine>,
    /// How many more things were noticed.
    pub more_findings: usize,
    /// What counting came to.
    pub count: Option<CountView>,
    /// Whether every point has its owner in the drawing.
    pub owned: bool,
    /// Said where there is no count.
    pub no_count: Option<String>,
    /// Whether dead stones can be marked here.
    pub can_mark: bool,
    /// The dead stones, one point of each chain.
    pub dead: String,
    /// What is wrong with the dead stones asked for.
    pub dead_problem: Option<String>,
    /// Whether the dead stones are those the reader has marked.
    pub marked: bool,
    /// The moves as text.
    pub moves: Vec<MoveLine>,
    /// How many moves are not in the list.
    pub more_moves: usize,
    /// Comments on moves.
    pub comments: Vec<CommentLine>,
    /// What the record says beside its moves.
    pub facts: Vec<Fact>,
    /// The comment on the whole game.
    pub about: String,
    /// What the script replays; none for a record that is too long for it.
    pub data: Option<String>,
}

/// The page of a board.
#[derive(Clone, Debug, Template)]
#[template(path = "public/game.html")]
pub struct GamePage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// The round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// The table of the round.
    pub round_href: String,
    /// This page.
    pub path: String,
    /// Whether it is not known who has Black.
    pub nigiri: bool,
    /// Who has Black.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// The entered result beside the record's own and the counted one.
    pub results: Vec<Fact>,
    /// What does not agree.
    pub contradictions: Vec<String>,
    /// The game, when there is a record.
    pub game: Option<GameView>,
    /// Why the record that is kept cannot be judged any more.
    pub refused: Option<String>,
    /// When and by whom the record came.
    pub came: String,
    /// Where a record can be brought, by whoever may.
    pub upload_href: Option<String>,
    /// What directors can do.
    pub tools: Option<ToolsView>,
}

/// What directors can do with a record.
#[derive(Clone, Debug, Default)]
pub struct ToolsView {
    /// Where the entered result is changed.
    pub result_href: String,
    /// The board's address among the directors' pages.
    pub base: String,
    /// The version of the record.
    pub version: String,
    /// In which encodings the text can be read, each with whether it is the one.
    pub encodings: Vec<(&'static str, bool)>,
}

/// What is known of a board's record when its page is made.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The verdict as it is now, with the dead stones that are kept with the record.
    pub verdict: &'a Verdict,
    /// The verdict with the dead stones that the reader asks for, and what of them names no stone.
    pub marked: Option<&'a Marked>,
}

/// A count with the dead stones that a reader asks for.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The verdict with them.
    pub verdict: Verdict,
    /// What was named.
    pub named: NamedDead,
}

/// A number of the query, when it is one.
fn number(text: &str) -> Option<usize> {
    text.trim().parse().ok()
}

/// The address of a position of the game; the last one needs no number.
fn position_href(path: &str, at: usize, last: usize, numbers: u32) -> String {
    let mut query = Vec::new();
    if at != last {
        query.push(format!("move={at}"));
    }
    if numbers > 0 {
        query.push(format!("numbers={numbers}"));
    }
    if query.is_empty() {
        format!("{path}#game")
    } else {
        format!("{path}?{}#game", query.join("&"))
    }
}

fn steps(t: Language, path: &str, at: usize, last: usize, numbers: u32) -> Vec<Step> {
    let step = |key: &'static str, sign: &'static str, words: &str, to: usize| Step {
        key,
        sign,
        words: t.say(words),
        href: (to != at).then(|| position_href(path, to, last, numbers)),
    };
    vec![
        step("first", "|◀", "game-first", 0),
        step("back", "−10", "game-back-ten", at.saturating_sub(10)),
        step("previous", "◀", "game-previous", at.saturating_sub(1)),
        step("next", "▶", "game-next", (at + 1).min(last)),
        step("on", "+10", "game-on-ten", (at + 10).min(last)),
        step("last", "▶|", "game-last", last),
    ]
}

fn side_word(t: Language, side: Colour) -> String {
    t.say(match side {
        Colour::Black => "black",
        Colour::White => "white",
    })
}

fn point_word(t: Language, verdict: &Verdict, play: Move) -> String {
    match play {
        Move::Stone(point) => point.name(verdict.size),
        Move::Pass => t.say("game-pass"),
    }
}

/// What a move did beside being played.
fn more_of(t: Language, verdict: &Verdict, index: usize) -> String {
    let Some(played) = verdict.moves.get(index) else {
        return String::new();
    };
    let mut more = Vec::new();
    if played.void {
        more.push(t.say("game-void"));
    }
    if !played.captured.is_empty() {
        more.push(t.with("game-took", "count", played.captured.len()));
    }
    t.list(more)
}

/// The position after a move, in words: which move it was and what it did.
fn at_words(t: Language, verdict: &Verdict, at: usize) -> String {
    let Some(index) = at.checked_sub(1) else {
        return t.say("game-at-start");
    };
    let Some(played) = verdict.moves.get(index) else {
        return String::new();
    };
    let told = t.tell(
        "game-at-move",
        &[
            ("number", at.into()),
            ("side", side_word(t, played.side).into()),
            ("point", point_word(t, verdict, played.play).into()),
        ],
    );
    let more = more_of(t, verdict, index);
    if more.is_empty() {
        told
    } else {
        t.list([told, more])
    }
}

/// The dead stones that a reader names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedDead {
    /// The stones, with all of their chains.
    pub dead: Vec<Point>,
    /// Points, as they are written, on which no stone is.
    pub empty: Vec<String>,
    /// What is no point of the board, as it is written.
    pub unreadable: Vec<String>,
}

/// The dead stones that a reader names: points as people write them or as records do, each of which
/// stands for its chain.
pub fn named_dead(position: &Position, text: &str) -> NamedDead {
    let (mut named, mut dead) = (NamedDead::default(), BTreeSet::new());
    let words = text
        .split(|c: char| c.is_whitespace() || ",;，；、".contains(c))
        .filter(|word| !word.is_empty());
    for word in words.take(usize::from(position.size.points())) {
        match named_point(position.size, word) {
            Some(point) if position.at(point).is_some() => dead.extend(position.chain(point)),
            Some(_) => named.empty.push(word.to_owned()),
            None => named.unreadable.push(word.to_owned()),
        }
    }
    named.dead = dead.into_iter().collect();
    named
}

/// A point as people write it, `Q16`, or as records do, `pd`.
fn named_point(size: rules::Size, word: &str) -> Option<Point> {
    let word: String = word.chars().map(half_width).collect();
    if !word.contains(|c: char| c.is_ascii_digit()) {
        return Point::from_record(&word).filter(|point| size.holds(*point));
    }
    size.all()
        .find(|point| point.name(size).eq_ignore_ascii_case(&word))
}

/// Full-width letters and digits as the plain ones.
fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    }
}

/// The first point of each dead chain, as people write points.
fn dead_chains(position: &Position, dead: &[Point]) -> String {
    let chains = position.chains();
    let names = chains
        .iter()
        .filter_map(|chain| chain.first().filter(|first| dead.contains(first)))
        .map(|point| point.name(position.size));
    names.collect::<Vec<_>>().join(" ")
}

/// What the script replays. Everything in it is of the verdict: moves with what they took, chains of
/// the last position, owners of its points.
fn data(verdict: &Verdict, marked: Option<&NamedDead>, last: &Position, at: usize) -> String {
    let letter = |side: Colour| match side {
        Colour::Black => "b",
        Colour::White => "w",
    };
    let joined = |points: &[Point]| points.iter().map(|point| point.to_record()).collect::<String>();
    let moves: Vec<_> = verdict
        .moves
        .iter()
        .map(|played| {
            let point = match played.play {
                Move::Stone(point) if !played.void => point.to_record(),
                _ => String::new(),
            };
            json!([letter(played.side), point, joined(&played.captured)])
        })
        .collect();
    let setup: Vec<_> = verdict
        .setup
        .iter()
        .map(|(side, point)| json!([0, letter(*side), point.to_record()]))
        .chain(
            verdict
                .setup_midgame
                .iter()
                .map(|(before, side, point)| json!([before, side.map_or("", letter), point.to_record()])),
        )
        .collect();
    let chains: Vec<String> = last.chains().iter().map(|chain| joined(chain)).collect();
    let value = json!({
        "columns": verdict.size.columns(),
        "rows": verdict.size.rows(),
        "setup": setup,
        "moves": moves,
        "chains": chains,
        "count": count_data(verdict, marked),
        "at": at,
    });
    // Inside a script element only `<` could end it.
    value.to_string().replace('<', "\\u003c")
}

/// A count for the script: owners point by point, and the dead stones as they are shown; without owners
/// where nothing is settled.
pub fn count_data(verdict: &Verdict, marked: Option<&NamedDead>) -> Option<serde_json::Value> {
    let owners = match &verdict.count {
        Count::Counted(counted) => counted.owners.as_slice(),
        Count::NeedsDeadStones(None) | Count::Nothing if marked.is_none() => return None,
        Count::NeedsDeadStones(_) | Count::Nothing => &[],
    };
    let owners: String = owners
        .iter()
        .map(|owner| match owner {
            Owner::Black => 'b',
            Owner::White => 'w',
            Owner::Shared | Owner::Seki => 's',
        })
        .collect();
    let dead: String = shown_dead(verdict, marked)
        .iter()
        .map(|point| point.to_record())
        .collect();
    Some(json!({"owners": owners, "dead": dead}))
}

/// What is wrong with the dead stones that a reader named.
pub fn unknown_dead(t: Language, named: &NamedDead) -> Option<String> {
    let told = |key: &str, words: &[String]| {
        let words = words.iter().take(10).map(|word| {
            let word = record::harmless(word);
            match word.char_indices().nth(WORD) {
                Some((end, _)) => format!("{}…", &word[..end]),
                None => word,
            }
        });
        (words.len() > 0).then(|| t.with(key, "points", t.list(words)))
    };
    let parts = [
        told("game-dead-unreadable", &named.unreadable),
        told("game-dead-unknown", &named.empty),
    ];
    let said: Vec<String> = parts.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// What counting came to, with its sums; without sums where dead stones must be named first.
pub fn count_view(t: Language, verdict: &Verdict) -> CountView {
    CountView {
        sentence: record::count(verdict, language(t)),
        sums: match &verdict.count {
            Count::Counted(counted) => record::count_sums(counted, verdict, language(t)),
            Count::NeedsDeadStones(_) | Count::Nothing => Vec::new(),
        },
    }
}

/// The count of a verdict, a proposal too.
pub fn counted(verdict: &Verdict) -> Option<&Counted> {
    match &verdict.count {
        Count::Counted(counted) => Some(counted),
        Count::NeedsDeadStones(proposal) => proposal.as_deref(),
        Count::Nothing => None,
    }
}

/// The dead stones to show: those that were counted with, else those that the reader has marked so far, who
/// would lose them to the proposal otherwise, else those of the proposal.
fn shown_dead<'a>(verdict: &'a Verdict, marked: Option<&'a NamedDead>) -> &'a [Point] {
    match (&verdict.count, marked) {
        (Count::Counted(counted), _) => &counted.dead,
        (_, Some(named)) => &named.dead,
        _ => counted(verdict).map_or(&[], |counted| &counted.dead),
    }
}

/// Whether a finding is about what the record says against the board, which stands in a place of its own.
fn against_board(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::ResultAgainstBoard { .. } | FindingKind::CountAgainstBoard | FindingKind::NamesSwapped
    )
}

/// The heaviest findings, and how many more there are.
fn findings(t: Language, verdict: &Verdict, path: &str, directs: bool) -> (Vec<FindingLine>, usize) {
    let mut found: Vec<_> = verdict
        .findings
        .iter()
        .filter(|finding| !against_board(&finding.kind))
        .collect();
    found.sort_by_key(|finding| std::cmp::Reverse(finding.weight()));
    let more = found.len().saturating_sub(FINDINGS);
    let lines = found
        .into_iter()
        .take(FINDINGS)
        .map(|finding| {
            let weight = finding.weight();
            let word = record::weight_said(weight, language(t)).to_owned();
            FindingLine {
                mark: Some(if weight >= Weight::Referee && directs {
                    Mark::now(word)
                } else {
                    Mark::quiet(word)
                }),
                sentence: record::sentence(finding, verdict, language(t)),
                number: finding.move_number,
                href: finding
                    .move_number
                    .map(|at| position_href(path, at as usize, verdict.moves.len(), 0)),
            }
        })
        .collect();
    (lines, more)
}

/// What a record says beside its moves.
fn facts(t: Language, verdict: &Verdict) -> Vec<Fact> {
    let header = &verdict.header;
    let player = |name: &str, grade: &str, team: &str| {
        t.list(
            [name, grade, team]
                .into_iter()
                .map(record::harmless)
                .filter(|part| !part.is_empty()),
        )
    };
    let unit = verdict.rules.unit();
    let said = language(t);
    let all = [
        (
            "black",
            player(&header.names.black, &header.grades.black, &header.teams.black),
        ),
        (
            "white",
            player(&header.names.white, &header.grades.white, &header.teams.white),
        ),
        (
            "game-result-written",
            verdict
                .recorded
                .as_ref()
                .map_or_else(String::new, |one| record::harmless(&one.text)),
        ),
        ("game-event", record::harmless(&header.event)),
        ("col-round", record::harmless(&header.round)),
        ("game-date", record::harmless(&header.date)),
        ("event-place", record::harmless(&header.place)),
        (
            "game-judged-by",
            record::rules_said(verdict.rules, said).to_owned(),
        ),
        ("event-komi", record::komi_said(verdict.komi, unit, said)),
        (
            "game-handicap",
            if verdict.handicap > 0 {
                verdict.handicap.to_string()
            } else {
                String::new()
            },
        ),
        ("game-size", verdict.size.to_string()),
        ("game-encoding", verdict.encoding.to_owned()),
        ("game-program", record::harmless(&header.program)),
    ];
    all.into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| Fact::new(t.say(key), value))
        .collect()
}

/// The moves that are listed: all, or of a longer record those around the one that is shown.
fn listed(at: usize, last: usize) -> std::ops::RangeInclusive<usize> {
    let most = last.saturating_sub(LISTED);
    let first = at.saturating_sub(LISTED / 2).min(most) + 1;
    first..=(first + LISTED - 1).min(last)
}

/// The game of a record, as it is asked for.
pub fn game(t: Language, judged: Judged<'_>, asked: &Asked, path: &str, directs: bool) -> GameView {
    let verdict = judged.marked.map_or(judged.verdict, |marked| &marked.verdict);
    let last = verdict.moves.len();
    let at = number(&asked.at).map_or(last, |at| at.min(last));
    let numbers = number(&asked.numbers).map_or(0, |count| u32::try_from(count.min(last)).unwrap_or(0));
    let end = Position::after(verdict, last);
    let counted = counted(verdict);
    let position = if at == last {
        end.clone()
    } else {
        Position::after(verdict, at)
    };
    let dead = shown_dead(verdict, judged.marked.map(|marked| &marked.named));
    let captures = t.with2(
        "game-captures",
        "black",
        position.captures.black,
        "white",
        position.captures.white,
    );
    let at_words = at_words(t, verdict, at);
    let diagram = Diagram {
        numbered: numbers,
        number: u32::try_from(at).unwrap_or(u32::MAX),
        // A proposal settles nothing: only its stones are shown.
        owners: match &verdict.count {
            Count::Counted(counted) if at == last => counted.owners.clone(),
            _ => Vec::new(),
        },
        dead: if at == last { dead.to_vec() } else { Vec::new() },
        title: t.with2(
            "game-diagram",
            "size",
            verdict.size.to_string(),
            "at",
            at_words.as_str(),
        ),
        description: described(t, &position),
        position,
    };
    let (findings, more_findings) = findings(t, verdict, path, directs);
    let href = |number| position_href(path, number, last, numbers);
    let comments = verdict
        .moves
        .iter()
        .enumerate()
        .filter(|(_, played)| !played.comment.is_empty());
    GameView {
        diagram: diagram.to_string(),
        at,
        moves_count: last,
        numbers,
        steps: steps(t, path, at, last, numbers),
        at_words,
        at_pattern: t.tell(
            "game-at-move",
            &[
                ("number", "{number}".into()),
                ("side", "{side}".into()),
                ("point", "{point}".into()),
            ],
        ),
        captures,
        at_comment: at
            .checked_sub(1)
            .and_then(|index| verdict.moves.get(index))
            .map_or_else(String::new, |played| played.comment.clone()),
        standing_sign: match verdict.standing {
            Standing::Legal => "✓",
            Standing::Illegal => "✗",
            _ => "?",
        },
        standing: record::standing(verdict, language(t)),
        end: record::end(verdict.end, language(t)),
        findings,
        more_findings,
        count: counted.is_some().then(|| count_view(t, verdict)),
        owned: at == last && matches!(verdict.count, Count::Counted(_)),
        no_count: counted.is_none().then(|| record::count(verdict, language(t))),
        can_mark: end.stones.iter().any(Option::is_some),
        dead: dead_chains(&end, dead),
        dead_problem: judged.marked.and_then(|marked| unknown_dead(t, &marked.named)),
        marked: judged.marked.is_some(),
        moves: listed(at, last)
            .map(|number| MoveLine {
                number,
                black: verdict.moves[number - 1].side == Colour::Black,
                point: point_word(t, verdict, verdict.moves[number - 1].play),
                more: more_of(t, verdict, number - 1),
                href: href(number),
                here: number == at,
            })
            .collect(),
        more_moves: last.saturating_sub(LISTED),
        comments: comments
            .take(COMMENTS)
            .map(|(index, played)| CommentLine {
                number: index + 1,
                href: href(index + 1),
                text: played.comment.clone(),
            })
            .collect(),
        facts: facts(t, verdict),
        about: verdict.header.comment.clone(),
        data: (last <= LISTED).then(|| data(verdict, judged.marked.map(|marked| &marked.named), &end, at)),
    }
}

/// What is on the board, in a sentence.
fn described(t: Language, position: &Position) -> String {
    let stones = |colour| {
        position
            .stones
            .iter()
            .filter(|stone| **stone == Some(colour))
            .count()
    };
    t.tell(
        "game-described",
        &[
            ("black", stones(Colour::Black).into()),
            ("white", stones(Colour::White).into()),
        ],
    )
}

/// What the record says against the result that was entered, in sentences.
pub fn contradictions(t: Language, verdict: &Verdict) -> Vec<String> {
    let said = language(t);
    verdict
        .findings
        .iter()
        .filter(|finding| against_board(&finding.kind))
        .map(|finding| record::matter(finding, verdict, said))
        .collect()
}

/// The entered result beside the record's own and the counted one.
fn results(t: Language, event: &Event, board: &Board, verdict: Option<&Verdict>) -> Vec<Fact> {
    let unit = event.rules.unit();
    let entered = crate::pages::manage::board::told_result(t, unit, board);
    let mut results = vec![Fact::new(t.say("game-entered"), entered)];
    if let Some(verdict) = verdict {
        let said = language(t);
        let recorded = verdict.recorded.as_ref();
        let recorded = recorded.map_or_else(|| t.say("game-not-written"), |one| record::recorded(one, said));
        results.push(Fact::new(t.say("game-recorded"), recorded));
        let counted = match &verdict.count {
            Count::Counted(counted) => counted.margin.said(verdict.rules.unit(), said),
            Count::NeedsDeadStones(_) => t.say("game-dead-missing"),
            Count::Nothing => t.say("game-not-counted"),
        };
        results.push(Fact::new(t.say("game-count"), counted));
    }
    results
}

/// The board of a published round, without a game; nothing for what is not published.
pub fn view(visit: &Visit, event: &Event, round: u32, number: u32) -> Option<GamePage> {
    let t = visit.t;
    let stage = event.public_stage();
    let table = stage.rounds.iter().find(|table| table.round == round)?;
    let board = table.boards.iter().find(|board| board.board == number)?;
    let field = Field::before(t, &event.slug, &stage, round);
    Some(GamePage {
        t,
        frame: visit.frame_of_round(event, "pairings", round),
        event_name: event.name.clone(),
        round,
        board: number,
        round_href: format!("/e/{}/rounds/{round}", event.slug),
        path: path(&event.slug, round, number),
        nigiri: board.nigiri,
        black: field.seat_view(board.black),
        white: field.seat_view(board.white),
        results: results(t, event, board, None),
        contradictions: Vec::new(),
        game: None,
        refused: None,
        came: String::new(),
        upload_href: None,
        tools: None,
    })
}

/// The address of a board's page.
pub fn path(slug: &str, round: u32, board: u32) -> String {
    format!("/e/{slug}/rounds/{round}/boards/{board}")
}

/// A board with its record, judged as things are now.
struct Found {
    event: Event,
    board: Board,
    kept: Option<(Kept, Arc<JudgedFile>)>,
}

impl Found {
    /// The record with its verdict; none where the file can be judged no longer.
    fn verdict(&self) -> Option<(&Kept, &Verdict)> {
        let (kept, judged) = self.kept.as_ref()?;
        Some((kept, judged.as_ref().as_ref().ok()?))
    }
}

/// The board of an address with its record.
async fn found(state: &AppState, visit: &Visit, slug: &str, round: u32, number: u32) -> Result<Found> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, visit, slug).await?;
    let board = *store::records::published_board(&event, round, number).map_err(|_| Error::not_found())?;
    let kept = store::records::current_kept(&mut tx, event.id, round, number)
        .await?
        .filter(|_| visit.caller.reads_record(&event, &board));
    drop(tx);
    let kept = match kept {
        Some(kept) => {
            let judged = judge_kept(state, &event, &board, &kept).await?;
            Some((kept, judged))
        }
        None => None,
    };
    Ok(Found { event, board, kept })
}

/// The verdict with the dead stones that a reader names. Readers without an account are counted: each time
/// a file is judged anew.
async fn marked(
    state: &AppState,
    visit: &Visit,
    peer: Peer,
    found: &Found,
    text: &str,
) -> Result<Option<Marked>> {
    let Some((kept, verdict)) = found.verdict() else {
        return Ok(None);
    };
    if visit.caller.actor.is_none() {
        auth::check(state, peer)?;
    }
    let named = named_dead(&Position::after(verdict, usize::MAX), text);
    let choice = Choice {
        dead: Some(named.dead.clone()),
        ..kept.choice.clone()
    };
    let bytes = store::records::file(&mut state.store.snapshot().await?, found.event.id, kept).await?;
    let (_, judged) = judge(bytes, asked(&found.event, &found.board, &choice)).await?;
    Ok(judged.ok().map(|verdict| Marked { verdict, named }))
}

/// The page.
///
/// # Errors
/// `not-found` for what is not published, exactly as for what does not exist.
pub async fn show(
    State(state): State<AppState>,
    peer: Peer,
    visit: Visit,
    InPath((slug, round, number)): InPath<(String, u32, u32)>,
    InQuery(query): InQuery<Asked>,
) -> Result<Response> {
    let t = visit.t;
    let found = found(&state, &visit, &slug, round, number).await?;
    let event = &found.event;
    let mut view = view(&visit, event, round, number).ok_or_else(Error::not_found)?;
    if visit.caller.enters_results() || event.records.from_players {
        view.upload_href = Some(format!("{}/record", view.path));
    }
    let marked = match &query.dead {
        Some(text) => marked(&state, &visit, peer, &found, text).await?,
        None => None,
    };
    if let Some((kept, judged)) = &found.kept
        && let Err(refusal) = judged.as_ref()
    {
        view.came = came(t, &event.schedule, kept, visit.directs());
        view.refused = Some(record::refusal(refusal, language(t)));
    }
    if let Some((kept, verdict)) = found.verdict() {
        let judged = Judged {
            verdict,
            marked: marked.as_ref(),
        };
        view.results = results(t, event, &found.board, Some(verdict));
        view.contradictions = contradictions(t, verdict);
        view.came = came(t, &event.schedule, kept, visit.directs());
        view.game = Some(game(t, judged, &query, &view.path, visit.directs()));
        view.tools = visit.directs().then(|| ToolsView {
            result_href: format!("/manage{}", view.path),
            base: format!("/manage{}", view.path),
            version: kept.version.to_string(),
            encodings: ENCODINGS.map(|name| (name, name == verdict.encoding)).to_vec(),
        });
    }
    page(&view)
}

/// When a record came and from whom. A director is named to directors only.
fn came(t: Language, schedule: &Schedule, kept: &Kept, directs: bool) -> String {
    let who = if kept.from_player {
        t.say("game-by-player")
    } else if directs {
        kept.brought_by.clone()
    } else {
        t.say("game-by-director")
    };
    t.tell(
        "game-came",
        &[
            ("who", who.into()),
            ("at", words::moment_of(t, schedule, kept.brought_at).into()),
            ("version", kept.version.into()),
        ],
    )
}

/// The count with the dead stones that the query names, for the script.
///
/// # Errors
/// `not-found` where there is no record.
pub async fn count(
    State(state): State<AppState>,
    peer: Peer,
    visit: Visit,
    InPath((slug, round, number)): InPath<(String, u32, u32)>,
    InQuery(query): InQuery<Asked>,
) -> Result<Response> {
    let t = visit.t;
    let found = found(&state, &visit, &slug, round, number).await?;
    let text = query.dead.unwrap_or_default();
    let marked = marked(&state, &visit, peer, &found, &text)
        .await?
        .ok_or_else(Error::not_found)?;
    let told = count_view(t, &marked.verdict);
    let end = Position::after(&marked.verdict, usize::MAX);
    let answer = json!({
        "sentence": told.sentence,
        "sums": told.sums,
        "problem": unknown_dead(t, &marked.named),
        "dead": dead_chains(&end, shown_dead(&marked.verdict, Some(&marked.named))),
        "count": count_data(&marked.verdict, Some(&marked.named)),
    });
    Ok(Json(answer).into_response())
}

/// The file of the record as it came.
///
/// # Errors
/// `not-found` where there is no record.
pub async fn file(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, round, number)): InPath<(String, u32, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let board = store::records::published_board(&event, round, number).map_err(|_| Error::not_found())?;
    let record = store::records::current(&mut tx, event.id, round, number)
        .await?
        .filter(|_| visit.caller.reads_record(&event, board));
    Ok(file_response(round, number, record.ok_or_else(Error::not_found)?))
}

/// A record to be downloaded: never shown by the browser, whatever is in it.
pub fn file_response(round: u32, board: u32, record: store::records::Record) -> Response {
    let name = format!("attachment; filename=\"round-{round}-board-{board}.sgf\"");
    let headers = [
        (header::CONTENT_TYPE, "application/x-go-sgf".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    (headers, record.bytes).into_response()
}

#[cfg(test)]
mod tests {
    use rules::{Sides, Size};

    use super::*;

    #[test]
    fn dead_stones_are_named_as_people_and_records_write_points_and_stand_for_their_chains() {
        let size = Size::NINETEEN;
        let at = |text: &str| Point::from_record(text).expect("a point");
        let chain = ["pd", "qd"].map(at);
        let position = Position {
            size,
            stones: size
                .all()
                .map(|point| chain.contains(&point).then_some(Colour::Black))
                .collect(),
            numbers: vec![0; usize::from(size.points())],
            last: None,
            captures: Sides::default(),
        };
        for text in ["Q16", "q16", "pd", "Ｑ１６", "R16, Q16;pd", "qd"] {
            let named = NamedDead {
                dead: chain.to_vec(),
                ..NamedDead::default()
            };
            assert_eq!(named_dead(&position, text), named, "{text}");
        }
        let named = named_dead(&position, "Q16，A1、U20 x 围;<script>\u{1b}[31m,zz");
        assert_eq!(named.dead.len(), 2);
        assert_eq!(named.empty, ["A1"]);
        assert_eq!(named.unreadable, ["U20", "x", "围", "<script>\u{1b}[31m", "zz"]);
        let told = unknown_dead(Language::English, &named).expect("something is wrong");
        assert!(
            told.contains("<script>\u{fffd}[31m") && told.contains("A1"),
            "{told}"
        );
        let long = named_dead(&position, &"围".repeat(10_000));
        let told = unknown_dead(Language::Chinese, &long).expect("something is wrong");
        assert!(told.chars().count() < 100, "{told}");
        assert_eq!(named_dead(&position, " , "), NamedDead::default());
        assert_eq!(unknown_dead(Language::English, &NamedDead::default()), None);
        assert_eq!(dead_chains(&position, &chain), "Q16");
    }

    #[test]
    fn of_a_long_record_the_moves_around_the_one_that_is_shown_are_listed() {
        for (at, last, first, end) in [
            (0, 0, 1, 0),
            (3, 250, 1, 250),
            (2_000, 2_000, 1, 2_000),
            (0, 99_000, 1, 2_000),
            (50_000, 99_000, 49_001, 51_000),
            (99_000, 99_000, 97_001, 99_000),
        ] {
            let listed = listed(at, last);
            assert_eq!((*listed.start(), *listed.end()), (first, end), "{at} of {last}");
            assert!(at == 0 || listed.contains(&at));
        }
    }
}
