//! `GET /manage/e/{slug}`: what is to be done next?

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use store::check_in::{self, Here};
use store::draws::Draw;
use store::events::{Event, Visibility};
use store::reports::Report;
use tournament::draw::Decides;
use tournament::tally::tally;
use tournament::{Entry, Number, Outcome, Score, Side, Stage};

use super::{event_of, records};
use crate::errors::Result;
use crate::extract::{InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::public::event::facts;
use crate::pages::public::round::earlier_results;
use crate::pages::words::Fact;
use crate::pages::{page, words};
use crate::state::AppState;

/// The next thing to do.
#[derive(Clone, Debug, Default)]
pub struct NextStep {
    /// What there is, in one sentence.
    pub sentence: String,
    /// Where the button leads.
    pub href: String,
    /// The word on the button.
    pub action: String,
    /// The fields to post; nothing for a plain link.
    pub post: Option<Vec<(&'static str, String)>>,
}

/// The overview of an event.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/overview.html")]
pub struct OverviewPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub name: String,
    /// What is to be done next.
    pub next: NextStep,
    /// Another thing that is often done at this moment.
    pub second: Option<NextStep>,
    /// What a director should know.
    pub warnings: Vec<String>,
    /// The records that contradict what was entered, in one sentence, with where they are listed.
    pub records: Option<(String, String)>,
    /// How many results are in and how many wait, as of when.
    pub coming_in: Option<String>,
    /// What is to be looked at before the next round is paired.
    pub ready: Option<Readiness>,
    /// What the event is.
    pub facts: Vec<Fact>,
}

/// What is to be looked at before a round is paired.
#[derive(Clone, Debug, Default)]
pub struct Readiness {
    /// The heading.
    pub title: String,
    /// Each thing as a sentence, whether it stands in the way, and where it is put right.
    pub lines: Vec<ReadyLine>,
}

/// One thing to look at.
#[derive(Clone, Debug, Default)]
pub struct ReadyLine {
    /// The sentence.
    pub sentence: String,
    /// Whether something is to be done.
    pub now: bool,
    /// The link and its word, where there is something to do.
    pub link: Option<(String, String)>,
}

/// How often an entry has stayed away from a board in the rounds so far.
fn forfeits(stage: &Stage, number: Number) -> usize {
    stage
        .rounds
        .iter()
        .filter_map(|round| round.board_of(number))
        .filter(|(board, side)| {
            matches!(
                (board.result, side),
                (Some(Outcome::BothForfeit), _)
                    | (Some(Outcome::BlackForfeit), Side::Black)
                    | (Some(Outcome::WhiteForfeit), Side::White)
            )
        })
        .count()
}

/// Who is missing before the first round; nothing where nobody is checked in, since such an event
/// does without.
fn not_here(event: &Event, here: &BTreeMap<Number, Here>) -> Vec<Number> {
    if here.is_empty() || !event.stage.rounds.is_empty() {
        return Vec::new();
    }
    let missing = check_in::missing(event, here);
    missing.iter().map(|entry| entry.number).collect()
}

/// What is to be looked at before the next round is paired; nothing while there is a draft and
/// when no round is left. `here` are those who are checked in.
pub fn readiness(t: Language, event: &Event, here: &BTreeMap<Number, Here>) -> Option<Readiness> {
    const NAMES: usize = 12;
    let stage = &event.stage;
    let round = stage.next_round();
    let closed = event.draft().is_some() || event.frozen.is_some();
    if closed || round > stage.rounds_planned || stage.entries.is_empty() {
        return None;
    }
    let base = format!("/manage/e/{}", event.slug);
    let people = |numbers: &[Number]| {
        let mut list = t.list(
            numbers
                .iter()
                .take(NAMES)
                .map(|number| words::person(t, stage, *number)),
        );
        if numbers.len() > NAMES {
            list.push('…');
        }
        list
    };
    let mut lines = Vec::new();
    if let Some(last) = stage.rounds.last() {
        // What is missing is the next thing to do, and said above.
        if last.pending().next().is_none() {
            lines.push(ReadyLine {
                sentence: t.with("ready-results", "last", last.round),
                ..ReadyLine::default()
            });
        }
    }
    if stage.rounds.is_empty() {
        let drawn = |draw: &Draw| draw.decides == Decides::Numbers && draw.is_drawn();
        let mut open = |undone: bool, sentence: &str, page: &str, act: &str| {
            if undone {
                lines.push(ReadyLine {
                    sentence: t.say(sentence),
                    now: false,
                    link: Some((format!("{base}/{page}"), t.say(act))),
                });
            }
        };
        open(
            !event.draws.iter().any(drawn),
            "ready-not-drawn",
            "draws",
            "draw-numbers",
        );
        open(here.is_empty(), "ready-nobody-here", "check-in", "check-in");
    }
    let missing = not_here(event, here);
    if !missing.is_empty() {
        lines.push(ReadyLine {
            sentence: t.with2(
                "ready-not-here",
                "count",
                missing.len(),
                "players",
                people(&missing),
            ),
            now: true,
            link: Some((
                format!("{base}/check-in?show=missing"),
                t.say("ready-not-here-do"),
            )),
        });
    }
    let active: Vec<&Entry> = stage
        .entries
        .iter()
        .filter(|entry| entry.plays_in(round))
        .collect();
    for entry in &active {
        if forfeits(stage, entry.number) > 1 {
            lines.push(ReadyLine {
                sentence: t.with("ready-forfeits", "player", words::person(t, stage, entry.number)),
                now: true,
                link: Some((
                    format!("{base}/entries/{}", entry.number),
                    t.say("ready-forfeits-do"),
                )),
            });
        }
    }
    if active.len() < 2 {
        lines.push(ReadyLine {
            sentence: t.with2("ready-too-few", "round", round, "count", active.len()),
            now: true,
            link: Some((format!("{base}/entries"), t.say("ready-look"))),
        });
    } else if active.len() % 2 == 1 {
        let books = tally(stage, round - 1);
        let free = |number: Number| {
            let byes = stage.rounds.iter().filter(|table| table.byes.contains(&number));
            byes.count() == 0
        };
        let candidates: Vec<(Score, Number)> = books
            .iter()
            .filter(|book| active.iter().any(|entry| entry.number == book.number) && free(book.number))
            .map(|book| (book.score, book.number))
            .collect();
        let lowest = candidates.iter().map(|(score, _)| *score).min();
        let lowest: Vec<Number> = candidates
            .iter()
            .filter(|(score, _)| Some(*score) == lowest)
            .map(|(_, number)| *number)
            .collect();
        lines.push(ReadyLine {
            sentence: t.with2("ready-odd", "count", active.len(), "players", people(&lowest)),
            ..ReadyLine::default()
        });
    } else {
        lines.push(ReadyLine {
            sentence: t.with("ready-even", "count", active.len()),
            ..ReadyLine::default()
        });
    }
    let away: Vec<Number> = stage
        .entries
        .iter()
        .filter(|entry| !entry.plays_in(round) && entry.withdrawn_after.is_none_or(|after| after >= round))
        .map(|entry| entry.number)
        .collect();
    if !away.is_empty() {
        lines.push(ReadyLine {
            sentence: t.with2("ready-absent", "round", round, "players", people(&away)),
            now: false,
            link: Some((format!("{base}/entries"), t.say("ready-look"))),
        });
    }
    Some(Readiness {
        title: t.with("ready-title", "round", round),
        lines,
    })
}

/// Boards by their numbers, the first dozen of them.
pub fn boards(t: Language, boards: &[u32]) -> String {
    let mut list = t.list(boards.iter().take(12).map(ToString::to_string));
    if boards.len() > 12 {
        list.push('…');
    }
    list
}

fn link(sentence: String, href: String, action: String) -> NextStep {
    NextStep {
        sentence,
        href,
        action,
        post: None,
    }
}

/// What is to be done next in an event, and what else is often done at this moment.
pub fn next(t: Language, event: &Event) -> (NextStep, Option<NextStep>) {
    let base = format!("/manage/e/{}", event.slug);
    let stage = &event.stage;
    let round = stage.next_round();
    let pair = |sentence: String| NextStep {
        sentence,
        href: format!("{base}/rounds"),
        action: t.with("pair-round", "round", round),
        post: Some(vec![("round", round.to_string())]),
    };
    if event.frozen.is_some() {
        return (
            link(
                t.say("next-final"),
                format!("/e/{}/standings", event.slug),
                t.say("see-final-standings"),
            ),
            Some(link(String::new(), format!("{base}/print"), t.say("rail-print"))),
        );
    }
    if let Some(draft) = event.draft() {
        return (
            link(
                t.with("next-draft", "round", draft.round),
                format!("{base}/rounds/{}", draft.round),
                t.with("look-at-draft", "round", draft.round),
            ),
            None,
        );
    }
    if let Some(last) = stage.rounds.last() {
        let pending: Vec<u32> = last.pending().map(|board| board.board).collect();
        if !pending.is_empty() {
            let sentence = t.tell(
                "next-missing",
                &[
                    ("round", last.round.into()),
                    ("count", pending.len().into()),
                    ("boards", boards(t, &pending).into()),
                ],
            );
            let results = format!("{base}/rounds/{}/results", last.round);
            // A game that is adjourned need not hold up the others.
            let all_the_same = (round <= stage.rounds_planned).then(|| {
                link(
                    String::new(),
                    format!("{base}/rounds#pair"),
                    t.with("pair-all-the-same", "round", round),
                )
            });
            return (link(sentence, results, t.say("enter-results")), all_the_same);
        }
        if round > stage.rounds_planned {
            let final_standings = link(
                t.with("next-finished", "round", last.round),
                format!("/e/{}/standings", event.slug),
                t.say("see-final-standings"),
            );
            if event.frozen.is_some() {
                return (final_standings, None);
            }
            return (
                link(
                    t.with("next-finished", "round", last.round),
                    format!("{base}/finish"),
                    t.say("to-finish"),
                ),
                Some(final_standings),
            );
        }
        let standings = link(
            String::new(),
            format!("/e/{}/standings", event.slug),
            t.say("see-standings"),
        );
        return (pair(t.with("next-all-in", "round", last.round)), Some(standings));
    }
    let active = stage.entries.iter().filter(|entry| entry.plays_in(round)).count();
    let paste = link(
        t.with("next-entries", "count", active),
        format!("{base}/entries/import"),
        t.say("import-entries"),
    );
    let entries = |action: &str| link(String::new(), format!("{base}/entries"), t.say(action));
    if active < 2 {
        (paste, Some(entries("add-entry")))
    } else {
        (
            pair(t.with2("next-first", "count", active, "round", round)),
            Some(entries("check-entries")),
        )
    }
}

/// What a director should know about the rounds.
pub fn warnings(t: Language, event: &Event) -> Vec<String> {
    event
        .rounds
        .iter()
        .filter_map(|info| {
            let told = earlier_results(t, info)?;
            Some(t.with2("round-says", "round", info.round, "sentence", told))
        })
        .collect()
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, here: &BTreeMap<Number, Here>) -> OverviewPage {
    let t = visit.t;
    let (next, second) = next(t, event);
    let mut facts = facts(t, event);
    let withdrawn = event
        .stage
        .entries
        .iter()
        .filter(|entry| entry.withdrawn_after.is_some())
        .count();
    facts.push(Fact::new(
        t.say("rail-entries"),
        t.with("players-n", "count", event.stage.entries.len()),
    ));
    if withdrawn > 0 {
        facts.push(Fact::new(
            t.say("withdrawn-title"),
            t.with("players-n", "count", withdrawn),
        ));
    }
    facts.push(Fact::new(
        t.say("event-visibility"),
        t.say(match event.visibility {
            Visibility::Public => "visible-to-all",
            Visibility::Hidden => "visible-to-directors",
        }),
    ));
    facts.push(Fact::new(
        t.say("changed-at"),
        words::moment_of(t, &event.schedule, event.updated_at),
    ));
    OverviewPage {
        t,
        frame: visit.frame_of(event, "overview"),
        slug: event.slug.clone(),
        name: event.name.clone(),
        next,
        second,
        warnings: warnings(t, event),
        records: None,
        coming_in: None,
        ready: readiness(t, event, here),
        facts,
    }
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let flagged = store::records::flagged(&mut tx, &event).await?;
    let here = check_in::list(&mut tx, event.id).await?;
    let mut view = view(&visit, &event, &here);
    view.records =
        records::sentence(visit.t, &flagged).map(|told| (told, format!("/manage/e/{slug}/records")));
    let reports = store::reports::waiting(&mut tx, event.id).await?;
    view.coming_in = coming_in(visit.t, &event, &reports, state.clock.now());
    if let Some(ready) = &mut view.ready {
        ready.lines.splice(0..0, unconfirmed(visit.t, &slug, &reports));
    }
    page(&view)
}

/// How many results of the last published round are in, how many were reported and do not count yet, and as
/// of when that is said; nothing once all are in.
fn coming_in(t: Language, event: &Event, reports: &[Report], now: DateTime<Utc>) -> Option<String> {
    let last = event.last_published()?.round;
    let table = event.stage.rounds.iter().find(|table| table.round == last)?;
    let missing = table.pending().count();
    if missing == 0 || event.frozen.is_some() {
        return None;
    }
    let waiting: BTreeSet<u32> = reports
        .iter()
        .filter(|report| report.round == last)
        .map(|report| report.board.board)
        .collect();
    Some(t.tell(
        "results-coming-in",
        &[
            ("round", last.into()),
            ("in", (table.boards.len() - missing).into()),
            ("boards", table.boards.len().into()),
            ("waiting", waiting.len().into()),
            ("at", words::clock(t, event.schedule.local(now)).into()),
        ],
    ))
}

/// The results that were reported and do not count yet, by round and by what is to be done with them.
pub fn unconfirmed(t: Language, slug: &str, reports: &[Report]) -> Vec<ReadyLine> {
    let mut found: BTreeMap<u32, BTreeMap<u32, Vec<&Report>>> = BTreeMap::new();
    for report in reports {
        let boards = found.entry(report.round).or_default();
        boards.entry(report.board.board).or_default().push(report);
    }
    let mut lines = Vec::new();
    for (round, of_round) in found {
        let of = |wanted: bool| {
            let boards = of_round
                .iter()
                .filter(|(_, said)| store::reports::disputed(said) == wanted);
            boards.map(|(board, _)| *board).collect::<Vec<u32>>()
        };
        for (key, found) in [("ready-disputed", of(true)), ("ready-unconfirmed", of(false))] {
            if found.is_empty() {
                continue;
            }
            let args = [
                ("round", round.into()),
                ("count", found.len().into()),
                ("boards", boards(t, &found).into()),
            ];
            lines.push(ReadyLine {
                sentence: t.tell(key, &args),
                now: true,
                link: Some((
                    format!("/manage/e/{slug}/rounds/{round}/results"),
                    t.say("ready-confirm"),
                )),
            });
        }
    }
    lines
}
