//! Game records as the server judges them: by the event's rules, against the board as it is now.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::http::{HeaderValue, StatusCode, header};
use pinyin::ToPinyin as _;
use rules::{Asked, Refusal, RefusalKind, Sides, Verdict};
use serde_json::Value;
use store::Actor;
use store::events::{self, Event};
use store::records::{self, Choice, Kept, NewRecord, Summary};
use tokio::sync::Semaphore;
use tournament::{Board, Number};

use crate::auth;
use crate::errors::{Error, FieldProblem, Problem, Result};
use crate::extract::Peer;
use crate::i18n::Language;
use crate::metrics::Gauge;
use crate::rights::{Caller, Right};
use crate::state::AppState;

/// How many moves of a record an answer lists: many more than a game has, and few enough for the memory
/// of a small machine.
pub const MOVES_LISTED: usize = 5_000;

/// So many records are judged at once: whoever sends twenty waits, and everybody else does not.
static JUDGING: Semaphore = Semaphore::const_new(2);

/// The language of sentences about records.
pub fn language(t: Language) -> rules::Language {
    match t {
        Language::Chinese => rules::Language::Chinese,
        Language::English => rules::Language::English,
    }
}

/// What is known of the game of a board beside its record.
pub fn asked(event: &Event, board: &Board, choice: &Choice) -> Asked {
    let name = |number: Number| {
        let entry = event.stage.entry(number);
        entry.map(|entry| spellings(&entry.name)).unwrap_or_default()
    };
    Asked {
        rules: Some(event.rules),
        komi: Some(event.komi),
        handicap: Some(0),
        size: Some(event.records.size()),
        on_repetition: event.records.repetition,
        dead: choice.dead.clone(),
        warnings: Sides {
            black: board.warnings.black.into(),
            white: board.warnings.white.into(),
        },
        entered: records::entered(board, event.rules.unit()),
        // Who has Black is not known there, so the names can stand either way.
        names: (!board.nigiri).then(|| Sides {
            black: name(board.black),
            white: name(board.white),
        }),
        game: choice.game.and_then(|game| usize::try_from(game).ok()),
        encoding: choice.encoding.clone(),
    }
}

/// A name as it is written, and by its pinyin where it has some: 李测试 is also “li ce shi”.
fn spellings(name: &str) -> Vec<String> {
    let mut read = String::new();
    for c in name.chars() {
        match c.to_pinyin() {
            Some(syllable) => {
                read.push_str(syllable.plain());
                read.push(' ');
            }
            None => read.push(c),
        }
    }
    let read = read.trim_end().to_owned();
    if read == name {
        return vec![read];
    }
    // 吕 is lü; without the dots it is written lu, which is the same to a judge, lv or lyu.
    let others: Vec<String> = ["v", "yu"]
        .map(|vowel| read.replace('ü', vowel))
        .into_iter()
        .filter(|other| *other != read)
        .collect();
    let mut all = vec![name.to_owned(), read];
    all.extend(others);
    all
}

/// What came of judging a file.
pub type Judged = std::result::Result<Verdict, Refusal>;

/// Does what takes long away from the threads that answer requests, few at a time. Whoever waits here
/// holds no connection to the database.
///
/// # Errors
/// Only when the server stops meanwhile.
pub async fn work<T: Send + 'static>(task: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let _waiting = Gauge::up("tianyuan_records_waiting");
    let _permit = JUDGING.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(task).await.map_err(Error::internal)
}

/// Judges a file; gives it back with what was found.
///
/// # Errors
/// Only when the server stops meanwhile.
pub async fn judge(bytes: Vec<u8>, asked: Asked) -> Result<(Vec<u8>, Judged)> {
    work(move || {
        let judged = rules::judge(&bytes, &asked);
        (bytes, judged)
    })
    .await
}

/// Judges a record that is kept against the board as it is now, once for all who look at it meanwhile.
///
/// # Errors
/// Of the database; and when the server stops meanwhile.
pub async fn judge_kept(state: &AppState, event: &Event, board: &Board, kept: &Kept) -> Result<Arc<Judged>> {
    let asked = asked(event, board, &kept.choice);
    if let Some(known) = remembered(&kept.hash, &asked) {
        return Ok(known);
    }
    let _waiting = Gauge::up("tianyuan_records_waiting");
    let _permit = JUDGING.acquire().await.map_err(Error::internal)?;
    // Of many who came at once, all but the first find it here.
    if let Some(known) = remembered(&kept.hash, &asked) {
        return Ok(known);
    }
    let bytes = records::file(&mut state.store.snapshot().await?, event.id, kept).await?;
    let hash = kept.hash;
    tokio::task::spawn_blocking(move || {
        let judged = Arc::new(rules::judge(&bytes, &asked));
        if let Ok(mut all) = VERDICTS.lock() {
            all.remember(hash, asked, bytes.len(), Arc::clone(&judged));
        }
        judged
    })
    .await
    .map_err(Error::internal)
}

fn remembered(hash: &[u8; 32], asked: &Asked) -> Option<Arc<Judged>> {
    VERDICTS.lock().ok()?.find(hash, asked)
}

/// The verdicts that were given last. A verdict follows from the file and what is asked alone, so it is
/// as right as a new one, whatever has become of the board.
static VERDICTS: Mutex<Verdicts> = Mutex::new(Verdicts {
    latest: VecDeque::new(),
    bytes: 0,
});

/// The bytes that remembered verdicts may take: a thousand games, or two of the largest files.
const VERDICTS_BYTES: usize = 64 * 1024 * 1024;

#[derive(Debug)]
struct Verdicts {
    /// The one that was asked for last is the first.
    latest: VecDeque<Remembered>,
    bytes: usize,
}

#[derive(Debug)]
struct Remembered {
    hash: [u8; 32],
    asked: Asked,
    judged: Arc<Judged>,
    bytes: usize,
}

impl Verdicts {
    fn find(&mut self, hash: &[u8; 32], asked: &Asked) -> Option<Arc<Judged>> {
        let place = self
            .latest
            .iter()
            .position(|one| one.hash == *hash && one.asked == *asked)?;
        let found = self.latest.remove(place)?;
        let judged = Arc::clone(&found.judged);
        self.latest.push_front(found);
        Some(judged)
    }

    fn remember(&mut self, hash: [u8; 32], asked: Asked, file: usize, judged: Arc<Judged>) {
        if self.find(&hash, &asked).is_some() {
            return;
        }
        let bytes = room(&judged, file);
        self.bytes += bytes;
        self.latest.push_front(Remembered {
            hash,
            asked,
            judged,
            bytes,
        });
        while self.bytes > VERDICTS_BYTES {
            let Some(oldest) = self.latest.pop_back() else {
                break;
            };
            self.bytes -= oldest.bytes;
        }
    }
}

/// About how many bytes a verdict takes in memory. All its texts come from the file.
fn room(judged: &Judged, file: usize) -> usize {
    // A board's lists, and what belongs to the question.
    const BOARD: usize = 16 * 1024;
    // What a move took is a list of its own; a stone falls once for each time it was played.
    const CAPTURED: usize = 32;
    let Ok(verdict) = judged else {
        return BOARD + file;
    };
    let moves = verdict.moves.len() * (size_of::<rules::JudgedMove>() + CAPTURED);
    let findings = verdict.findings.len() * size_of::<rules::Finding>();
    let setup = verdict.setup_midgame.len() * size_of::<(u32, Option<rules::Colour>, rules::Point)>();
    BOARD + 2 * file + moves + findings + setup
}

/// A verdict as JSON, and how many moves beyond [`MOVES_LISTED`] its list leaves out.
pub fn told(mut verdict: Verdict, t: Language) -> (Value, usize) {
    let left_out = verdict.moves.len().saturating_sub(MOVES_LISTED);
    verdict.moves.truncate(MOVES_LISTED);
    (interchange::record::json(&verdict, language(t)), left_out)
}

/// A record as it is kept: the file with what was chosen, and the verdict as it is given now. The lists
/// that can be made again of the file are not in it.
pub fn new_record(
    t: Language,
    board: &Board,
    bytes: Vec<u8>,
    choice: Choice,
    verdict: &Verdict,
) -> NewRecord {
    let (mut value, _) = told(verdict.clone(), t);
    if let Value::Object(members) = &mut value {
        for list in ["moves", "setup", "setup_midgame", "position"] {
            members.remove(list);
        }
    }
    storable(&mut value);
    let mut summary = Summary::of(verdict, board);
    if let Some(recorded) = &mut summary.recorded {
        recorded.text = recorded.text.replace('\0', "\u{fffd}");
    }
    NewRecord {
        bytes,
        choice: Choice {
            // A file with one game leaves no choice, and the same file is the same record.
            game: choice.game.filter(|_| verdict.game.1 > 1),
            encoding: choice.encoding.map(|_| verdict.encoding.to_owned()),
            dead: choice.dead,
        },
        verdict: value,
        summary,
    }
}

/// Takes out the one character that a database cannot keep. Values are as deep as a verdict is.
fn storable(value: &mut Value) {
    match value {
        Value::String(text) if text.contains('\0') => *text = text.replace('\0', "\u{fffd}"),
        Value::Array(items) => items.iter_mut().for_each(storable),
        Value::Object(members) => members.values_mut().for_each(storable),
        _ => {}
    }
}

/// A refusal of a file, as a problem: 413 for one that is too large, 422 for all others. `refusal` has its
/// code, place, and the games to choose from.
pub fn problem(refusal: &Refusal, t: Language) -> Problem {
    let status = match refusal.kind {
        RefusalKind::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let sentence = interchange::record::refusal(refusal, language(t));
    let place = refusal.place.as_ref();
    let line_and_column =
        |part: fn(&rules::Place) -> u32| place.map(part).and_then(|number| usize::try_from(number).ok());
    Problem::new(status, "record-refused")
        .arg("told", sentence.as_str())
        .extra("refusal", interchange::record::refusal_json(refusal, language(t)))
        .faults(vec![FieldProblem {
            code: refusal.kind.code().into(),
            fallback: sentence,
            line: line_and_column(|place| place.line),
            column: line_and_column(|place| place.column),
            ..FieldProblem::default()
        }])
}

/// Who brings a record: who enters results too, or a player with the code of the board. The board is one
/// of a published round of an event that the caller may see.
///
/// # Errors
/// Without a code `record-needs-code` where players bring records, else as for results; `record-by-directors` where players may not; `record-wrong-code`;
/// `too-many-codes` with `Retry-After`.
pub async fn bringer(
    state: &AppState,
    caller: &Caller,
    peer: Peer,
    event: &Event,
    (round, board): (u32, &Board),
    code: Option<&str>,
) -> Result<Actor> {
    let code = code.map(str::trim).filter(|code| !code.is_empty());
    let Some(code) = code.filter(|_| !caller.enters_results()) else {
        if event.records.from_players && !caller.enters_results() {
            let bearer = HeaderValue::from_static("Bearer");
            let problem = match caller.actor {
                None => Problem::new(StatusCode::UNAUTHORIZED, "record-needs-code")
                    .header(header::WWW_AUTHENTICATE, bearer),
                Some(_) => Problem::new(StatusCode::FORBIDDEN, "record-needs-code"),
            };
            return Err(problem.into());
        }
        return caller.require(Right::EntersResults);
    };
    if !event.records.from_players {
        return Err(Problem::new(StatusCode::FORBIDDEN, "record-by-directors").into());
    }
    let key = format!("record {} {round} {}", event.id, board.board);
    let attempt = auth::attempt(state, peer, &key, "too-many-codes").await?;
    let codes = records::codes(&mut state.store.snapshot().await?, event.id).await?;
    if !codes.is_some_and(|codes| codes.fits(round, board, code)) {
        tracing::warn!(event = %event.id, round, board = board.board, "a record came with a wrong code");
        return Err(Problem::new(StatusCode::FORBIDDEN, "record-wrong-code").into());
    }
    attempt.succeeded(state).await?;
    Ok(records::player(event, board))
}

/// The event with all names, to judge by what somebody brings: for whoever [`bringer`] has let in.
///
/// # Errors
/// 404 when it was removed meanwhile.
pub async fn with_names(state: &AppState, event: &Event) -> Result<Event> {
    let mut tx = state.store.snapshot().await?;
    events::find(&mut tx, &event.id.to_string())
        .await?
        .ok_or_else(Error::not_found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_is_known_by_its_pinyin_too() {
        assert_eq!(spellings("Player One"), ["Player One"]);
        assert_eq!(spellings("李测试"), ["李测试", "li ce shi"]);
        assert_eq!(spellings("吕甲"), ["吕甲", "lü jia", "lv jia", "lyu jia"]);
    }

    #[test]
    fn verdicts_are_remembered_by_file_and_question_and_the_oldest_make_room() {
        let mut all = Verdicts {
            latest: VecDeque::new(),
            bytes: 0,
        };
        let judged = |text: &str| Arc::new(rules::judge(text.as_bytes(), &Asked::default()));
        let other = Asked {
            handicap: Some(2),
            ..Asked::default()
        };
        all.remember([1; 32], Asked::default(), 100, judged("(;B[aa])"));
        assert!(all.find(&[1; 32], &Asked::default()).is_some());
        assert!(all.find(&[1; 32], &other).is_none() && all.find(&[2; 32], &Asked::default()).is_none());
        let third = VERDICTS_BYTES / 6;
        for number in 2..=9 {
            all.remember([number; 32], other.clone(), third, judged("(;B[aa])"));
            assert!(all.bytes <= VERDICTS_BYTES);
            // What is asked for again and again stays.
            assert!(all.find(&[1; 32], &Asked::default()).is_some());
        }
        assert!(all.find(&[2; 32], &other).is_none());
        assert!(all.find(&[9; 32], &other).is_some());
        assert_eq!(all.bytes, all.latest.iter().map(|one| one.bytes).sum::<usize>());
        // One that is larger than all room is not kept, and leaves none.
        all.remember([10; 32], other.clone(), VERDICTS_BYTES, judged("(;B[aa])"));
        assert_eq!((all.bytes, all.latest.len()), (0, 0));
    }

    #[test]
    fn a_character_that_no_database_keeps_is_taken_out() {
        let mut value = json!({"a": ["x\0y", {"b": "\0"}], "c": "fine"});
        storable(&mut value);
        assert_eq!(
            value,
            json!({"a": ["x\u{fffd}y", {"b": "\u{fffd}"}], "c": "fine"})
        );
    }
}
