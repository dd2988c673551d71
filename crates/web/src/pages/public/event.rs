//! `GET /e/{slug}`: one event.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use store::Tx;
use store::events::Event;
use tournament::Stage;

use super::withdrawn;
use crate::errors::Result;
use crate::extract::InPath;
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::words::{self, Fact, Mark};
use crate::pages::{event_in, page, tables};
use crate::released::HoldsUntil;
use crate::state::AppState;

/// What is going on.
#[derive(Clone, Debug, Default)]
pub struct Now {
    /// In one sentence.
    pub sentence: String,
    /// Where to look at it.
    pub href: String,
    /// The word on the button.
    pub action: String,
}

/// A round in a list.
#[derive(Clone, Debug, Default)]
pub struct RoundLine {
    /// The round.
    pub round: u32,
    /// Its table.
    pub href: String,
    /// How far it is.
    pub state: String,
}

/// An entry in the list of entries.
#[derive(Clone, Debug, Default)]
pub struct EntryLine {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The player's page.
    pub href: String,
    /// The team, or nothing.
    pub team: String,
    /// The grade, or nothing.
    pub grade: String,
    /// Withdrawn, sitting out.
    pub marks: Vec<Mark>,
}

/// The page of an event.
#[derive(Clone, Debug, Template)]
#[template(path = "public/event.html")]
pub struct EventPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The name in addresses.
    pub slug: String,
    /// The name.
    pub name: String,
    /// When, where, how.
    pub facts: Vec<Fact>,
    /// What is going on.
    pub now: Option<Now>,
    /// When the rounds begin that are not published yet.
    pub schedule: Vec<Fact>,
    /// The rounds, the latest first.
    pub rounds: Vec<RoundLine>,
    /// Where tables are that were published and withdrawn.
    pub withdrawn: Vec<(String, String)>,
    /// Pages of draws that are promised or were made.
    pub draws: Vec<(String, String)>,
    /// The entries by number.
    pub entries: Vec<EntryLine>,
    /// Whether players sign up now.
    pub signs_up: bool,
    /// Whether players can hand in results now.
    pub hands_in: bool,
}

/// What an event is, in terms and values.
pub fn facts(t: Language, event: &Event) -> Vec<Fact> {
    let mut facts = Vec::new();
    facts.extend(
        event
            .starts_on
            .map(|day| Fact::new(t.say("event-starts-on"), words::day(t, day))),
    );
    facts.extend(
        event
            .schedule
            .zone_name()
            .map(|zone| Fact::new(t.say("event-time-zone"), zone)),
    );
    facts.extend(
        event
            .place
            .as_ref()
            .map(|place| Fact::new(t.say("event-place"), place)),
    );
    facts.push(Fact::new(
        t.say("event-format"),
        t.with("format-swiss", "rounds", event.stage.rounds_planned),
    ));
    facts.push(Fact::new(t.say("event-rules"), words::rules(t, event.rules)));
    let komi = event.komi.quarters();
    let size = words::quarters(u32::from(komi.unsigned_abs()));
    let key = match event.rules.unit() {
        rules::Unit::Stones => "komi-stones",
        rules::Unit::Points => "komi-points",
    };
    let komi = if komi < 0 { format!("−{size}") } else { size };
    facts.push(Fact::new(t.say("event-komi"), t.with(key, "komi", komi)));
    facts
}

/// How far a round is.
pub fn round_state(t: Language, stage: &Stage, round: u32) -> String {
    let Some(round) = stage.rounds.iter().find(|one| one.round == round) else {
        return String::new();
    };
    let pending = round.pending().count();
    if pending == 0 {
        t.say("round-complete")
    } else {
        t.with2("round-pending", "pending", pending, "boards", round.boards.len())
    }
}

fn now(t: Language, slug: &str, stage: &Stage) -> Option<Now> {
    let last = stage.rounds.last()?;
    let complete = last.pending().next().is_none();
    Some(if complete && last.round >= stage.rounds_planned {
        Now {
            sentence: t.with("now-finished", "round", last.round),
            href: format!("/e/{slug}/standings"),
            action: t.say("see-final-standings"),
        }
    } else if complete {
        Now {
            sentence: t.with("now-between", "round", last.round),
            href: format!("/e/{slug}/standings"),
            action: t.say("see-standings"),
        }
    } else {
        Now {
            sentence: t.with("now-playing", "round", last.round),
            href: format!("/e/{slug}/rounds/{}", last.round),
            action: t.with("see-pairing", "round", last.round),
        }
    })
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event) -> EventPage {
    let t = visit.t;
    let stage = event.public_stage();
    let round_now = stage.rounds.last().map_or(stage.first_round, |round| round.round);
    let mut entries: Vec<_> = stage.entries.iter().collect();
    entries.sort_by_key(|entry| entry.number);
    EventPage {
        t,
        frame: visit.frame_of(event, "event"),
        slug: event.slug.clone(),
        name: event.name.clone(),
        facts: facts(t, event),
        now: now(t, &event.slug, &stage),
        schedule: (stage
            .rounds
            .last()
            .map_or(stage.first_round, |round| round.round + 1)..=stage.rounds_planned)
            .filter_map(|round| {
                let at = event.schedule.start_of(round)?;
                Some(Fact::new(t.with("round-n", "round", round), words::local(t, at)))
            })
            .collect(),
        rounds: stage
            .rounds
            .iter()
            .rev()
            .map(|round| RoundLine {
                round: round.round,
                href: format!("/e/{}/rounds/{}", event.slug, round.round),
                state: round_state(t, &stage, round.round),
            })
            .collect(),
        withdrawn: Vec::new(),
        draws: super::draw::links(t, event),
        entries: entries
            .into_iter()
            .map(|entry| EntryLine {
                number: entry.number.get(),
                name: entry.name.clone(),
                href: tables::player_href(&event.slug, entry.number),
                team: entry.team.clone().unwrap_or_default(),
                grade: entry
                    .grade
                    .map(|grade| words::grade(t, grade))
                    .unwrap_or_default(),
                marks: words::attendance(t, entry, round_now),
            })
            .collect(),
        signs_up: false,
        hands_in: false,
    }
}

/// Whether players can hand in the results of their games now.
///
/// # Errors
/// Only of the database.
pub async fn hands_in(tx: &mut Tx, event: &Event) -> Result<bool> {
    let settings = store::result_links::settings(tx, event.id).await?;
    let open = event.frozen.is_none() && settings.from_players;
    let last = event.last_published().map(|info| info.round);
    let table = event.stage.rounds.iter().find(|table| Some(table.round) == last);
    Ok(open && table.is_some_and(|table| table.pending().next().is_some()))
}

/// The page.
///
/// # Errors
/// `not-found` for an unknown event, and for a hidden one when nobody is signed in.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_in(&mut tx, &visit, &slug).await?;
    let settings = store::sign_ups::settings(&mut tx, event.id).await?;
    let rounds = store::log::withdrawn_rounds(&mut tx, &event).await?;
    let mut response = page(&EventPage {
        signs_up: event.frozen.is_none() && settings.takes(state.clock.now()),
        hands_in: hands_in(&mut tx, &event).await?,
        withdrawn: rounds
            .into_iter()
            .map(|round| withdrawn::link(visit.t, &slug, round))
            .collect(),
        ..view(&visit, &event)
    })?;
    let now = state.clock.now();
    if let Some(closes) = settings.closes_at.filter(|closes| *closes > now) {
        response.extensions_mut().insert(HoldsUntil(closes));
    }
    Ok(response)
}
