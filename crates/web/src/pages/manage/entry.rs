//! `/manage/e/{slug}/entries/{number}`: one entry: change, withdraw, return, sit out, remove.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::entries::{self as stored, EntryPatch, Seated};
use store::events::{Event, Locked};
use tournament::{Entry, Number};

use super::entries::EntryForm;
use super::{Fields, change as change_of, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::words::Mark;
use crate::pages::{page, words};
use crate::state::AppState;

/// A round that can be sat out, or in which the bye can be asked for.
#[derive(Clone, Debug, Default)]
pub struct SitOut {
    /// The round.
    pub round: u32,
    /// Whether it is.
    pub out: bool,
    /// Whether the bye is asked for in it.
    pub bye: bool,
}

/// Somebody who could take a seat.
#[derive(Clone, Debug, Default)]
pub struct Replacement {
    /// The number.
    pub number: u32,
    /// Number and name.
    pub words: String,
    /// What he or she has in the round now.
    pub hint: String,
}

/// What is to become of the seat of somebody who leaves with a board that has no result.
#[derive(Clone, Debug, Default)]
pub struct SeatedChoice {
    /// What there is.
    pub sentence: String,
    /// What a forfeit would mean.
    pub forfeit: String,
    /// Who could take the seat.
    pub replacements: Vec<Replacement>,
    /// How to pair the round again instead.
    pub again: String,
}

/// The page of one entry.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/entry.html")]
pub struct EntryPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// The number.
    pub number: u32,
    /// The name as it is stored.
    pub heading: String,
    /// Withdrawn, sitting out.
    pub marks: Vec<Mark>,
    /// What was typed.
    pub form: EntryForm,
    /// The last round it plays, when it has withdrawn.
    pub withdrawn_after: Option<u32>,
    /// The round it could return to.
    pub return_round: Option<u32>,
    /// The rounds to come.
    pub sit_out: Vec<SitOut>,
    /// After which round it would withdraw.
    pub withdraw_after: String,
    /// What is to become of its seat.
    pub seated: Option<SeatedChoice>,
    /// Why.
    pub reason: String,
    /// Whether it can be removed.
    pub can_delete: bool,
}

fn find(event: &Event, number: u32) -> Result<&Entry> {
    Number::new(number)
        .and_then(|number| event.stage.entry(number))
        .ok_or_else(Error::not_found)
}

/// The seat of somebody at a board of the last published round that has no result.
fn seated(t: Language, event: &Event, number: Number) -> Option<SeatedChoice> {
    let info = event.last_published()?;
    let round = event
        .stage
        .rounds
        .iter()
        .find(|round| round.round == info.round)?;
    let (board, side) = round.board_of(number)?;
    if board.result.is_some() {
        return None;
    }
    let opponent = words::person(t, &event.stage, board.on(side.other()));
    let others = event.stage.entries.iter().filter(|entry| {
        entry.plays_in(round.round) && entry.number != number && round.board_of(entry.number).is_none()
    });
    Some(SeatedChoice {
        sentence: t.with2("seated-sentence", "round", round.round, "board", board.board),
        forfeit: t.with("seated-forfeit-hint", "opponent", opponent.as_str()),
        replacements: others
            .map(|entry| Replacement {
                number: entry.number.get(),
                words: t.with2(
                    "seated-replaced",
                    "person",
                    words::person(t, &event.stage, entry.number),
                    "opponent",
                    opponent.as_str(),
                ),
                hint: if round.byes.contains(&entry.number) {
                    t.say("seated-bye-lost")
                } else {
                    t.say("seated-was-absent")
                },
            })
            .collect(),
        again: t.with("seated-again", "round", round.round),
    })
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, entry: &Entry) -> EntryPage {
    let t = visit.t;
    let stage = &event.stage;
    let number = entry.number;
    let next = stage.next_round();
    let paired = stage
        .rounds
        .iter()
        .any(|round| round.board_of(number).is_some() || round.byes.contains(&number));
    let last = event
        .last_published()
        .map_or(stage.first_round - 1, |info| info.round);
    let seat = seated(t, event, number);
    let first_free = entry.withdrawn_after.map_or(next, |after| next.max(after + 1));
    EntryPage {
        t,
        frame: visit.frame_of(event, "entries"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        number: number.get(),
        heading: entry.name.clone(),
        marks: words::marks(t, entry, next),
        form: EntryForm {
            number_fixed: !stage.rounds.is_empty(),
            ..EntryForm::of(t, entry)
        },
        withdrawn_after: entry.withdrawn_after,
        return_round: (entry.withdrawn_after.is_some() && first_free <= stage.rounds_planned)
            .then_some(first_free),
        sit_out: (next..=stage.rounds_planned)
            .map(|round| SitOut {
                round,
                out: entry.absent_rounds.contains(&round),
                bye: entry.bye_rounds.contains(&round),
            })
            .collect(),
        // Whoever leaves with a game still to be played leaves before it, unless it is said otherwise.
        withdraw_after: if seat.is_some() {
            last.saturating_sub(1)
        } else {
            last
        }
        .to_string(),
        seated: seat,
        reason: String::new(),
        can_delete: !paired && entry.carried.is_none(),
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
    InPath((slug, number)): InPath<(String, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    page(&view(&visit, &event, find(&event, number)?))
}

fn back(visit: &Visit, event: &Locked, number: u32, error: Error, fields: &Fields) -> Result<Response> {
    let problem = Some(told(error, visit.t)?);
    refused(&EntryPage {
        problem,
        reason: fields.get("reason").to_owned(),
        ..view(visit, event, find(event, number)?)
    })
}

/// Ends an act on an entry: kept, and said on its page, or refused there.
async fn end(
    visit: &Visit,
    tx: store::Tx,
    event: &Locked,
    number: u32,
    sentence: Result<String>,
    fields: &Fields,
) -> Result<Response> {
    match sentence {
        Ok(sentence) => {
            tx.commit().await?;
            let path = format!("/manage/e/{}/entries/{number}", event.slug);
            Ok(done(&path, &sentence))
        }
        Err(error) => back(visit, event, number, error, fields),
    }
}

/// Changes an entry.
///
/// # Errors
/// `not-found`; what is wrong is told on the form.
pub async fn change(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, number)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let entry = find(&event, number)?.clone();
    let form = EntryForm::sent(&fields);
    let changed = match form.read() {
        Ok(new) => {
            let patch = EntryPatch {
                number: new.number.filter(|number| *number != entry.number),
                name: Some(new.name),
                team: Some(new.team),
                grade: Some(new.grade),
                rating: Some(new.rating),
                category: Some(new.category),
                start_score: Some(new.start_score),
                name_withheld: Some(new.name_withheld),
                ..EntryPatch::default()
            };
            stored::update(
                &mut tx,
                &change_of(&state, &actor, None),
                &mut event,
                entry.number,
                patch,
            )
            .await
            .map_err(Error::from)
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(()) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}/entries"),
                &visit.t.with("done-entry-changed", "name", form.name),
            ))
        }
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            let page = view(&visit, &event, &entry);
            let number_fixed = page.form.number_fixed;
            refused(&EntryPage {
                problem,
                form: EntryForm { number_fixed, ..form },
                ..page
            })
        }
    }
}

fn round_field(fields: &Fields, name: &str) -> Result<u32> {
    let typed = fields.get(name);
    typed.parse().map_err(|_| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-a-round")
            .arg("found", typed)
            .into()
    })
}

/// Withdraws an entry.
///
/// # Errors
/// `not-found`; a refusal is told on the page, with what can be chosen.
pub async fn withdraw(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, number)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let entry = find(&event, number)?.clone();
    let seated = match fields.get("seated") {
        "" => Seated::Ask,
        "forfeit" => Seated::Forfeit,
        other => other
            .parse()
            .ok()
            .and_then(Number::new)
            .map_or(Seated::Ask, Seated::ReplacedBy),
    };
    let reason = fields.some("reason");
    let change = change_of(&state, &actor, reason.as_deref());
    let withdrawn = match round_field(&fields, "after") {
        Ok(after) => stored::withdraw(&mut tx, &change, &mut event, entry.number, after, seated)
            .await
            .map(|()| after)
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    let sentence = withdrawn.map(|after| {
        let person = words::person(visit.t, &event.stage, entry.number);
        visit
            .t
            .with2("done-withdrawn", "person", person, "round", after + 1)
    });
    end(&visit, tx, &event, number, sentence, &fields).await
}

/// Takes a withdrawal back.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn return_to(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, number)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let entry = find(&event, number)?.clone();
    let change = change_of(&state, &actor, None);
    let returned = match round_field(&fields, "round") {
        Ok(round) => stored::return_to(&mut tx, &change, &mut event, entry.number, round)
            .await
            .map(|()| round)
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    let sentence = returned.map(|round| {
        let person = words::person(visit.t, &event.stage, entry.number);
        visit.t.with2("done-returned", "person", person, "round", round)
    });
    end(&visit, tx, &event, number, sentence, &fields).await
}

/// Sets the rounds that are sat out, and those in which the bye is asked for.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn sit_out(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, number)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let entry = find(&event, number)?.clone();
    let change = change_of(&state, &actor, None);
    let known: Vec<u32> = fields
        .all("known")
        .filter_map(|round| round.parse().ok())
        .collect();
    let mut byes = entry.bye_rounds.clone();
    byes.retain(|round| !known.contains(round));
    byes.extend(known.iter().filter(|round| fields.ticked(&format!("b{round}"))));
    let patch = EntryPatch {
        bye_rounds: Some(byes),
        ..EntryPatch::default()
    };
    for round in known {
        let out = fields.ticked(&format!("r{round}"));
        if out == entry.absent_rounds.contains(&round) {
            continue;
        }
        if let Err(error) = stored::sit_out(&mut tx, &change, &mut event, entry.number, round, out).await {
            return back(&visit, &event, number, error.into(), &fields);
        }
    }
    if let Err(error) = stored::update(&mut tx, &change, &mut event, entry.number, patch).await {
        return back(&visit, &event, number, error.into(), &fields);
    }
    let person = words::person(visit.t, &event.stage, entry.number);
    let sentence = Ok(visit.t.with("done-sit-out", "person", person));
    end(&visit, tx, &event, number, sentence, &fields).await
}

/// Removes an entry.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn delete(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, number)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let entry = find(&event, number)?.clone();
    let change = change_of(&state, &actor, None);
    match stored::delete(&mut tx, &change, &mut event, entry.number).await {
        Ok(()) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}/entries"),
                &visit
                    .t
                    .with2("done-entry-deleted", "number", number, "name", entry.name),
            ))
        }
        Err(error) => back(&visit, &event, number, error.into(), &fields),
    }
}
