//! `/manage/e/{slug}/draws`: public words, the draw of numbers, the split into groups.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use store::draws::{self as stored, GroupRequest, NumberRequest, StrengthBy};
use store::events::{Event, RoundStatus};
use tournament::Number;
use tournament::draw::{Decides, Split};

use super::{Fields, change, event_of, locked, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::page;
use crate::pages::public::draw::{self, PromiseView};
use crate::state::AppState;

/// A draw that is promised and not made yet.
#[derive(Clone, Debug, Default)]
pub struct OpenDraw {
    /// As commitments spell it.
    pub draw: String,
    /// What to call it.
    pub title: String,
    /// Its public page.
    pub href: String,
    /// What was promised.
    pub promise: PromiseView,
    /// Whether words are taken now.
    pub takes_words: bool,
    /// Up to when.
    pub words_until: String,
}

/// An entry that may be seeded.
#[derive(Clone, Debug, Default)]
pub struct SeedRow {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The rating, or nothing.
    pub rating: String,
    /// Whether it is seeded.
    pub seeded: bool,
}

/// The draws of an event, for directors.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether one part of the page is there"
)]
#[derive(Clone, Debug, Template)]
#[template(path = "manage/draws.html")]
pub struct DrawsPage {
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
    /// What is promised.
    pub open: Vec<OpenDraw>,
    /// Whether numbers and groups can still be drawn.
    pub before_first_round: bool,
    /// Whether numbers were drawn already.
    pub numbers_drawn: bool,
    /// Whether groups were drawn already, or there are categories.
    pub groups_drawn: bool,
    /// Who may be seeded.
    pub entries: Vec<SeedRow>,
    /// Whether something was said of seeded entries.
    pub seeds_open: bool,
    /// The slots as they were typed.
    pub slots: String,
    /// How many groups were typed.
    pub groups: String,
    /// How the field is to be split: `lots`, or `rating`, `grade`, `number` for by strength.
    pub split: String,
    /// How many a layer has, as typed.
    pub layer: String,
    /// Pages of what was drawn.
    pub drawn: Vec<(String, String)>,
}

/// Builds the page with what was typed.
pub fn view(visit: &Visit, event: &Event, fields: &Fields) -> DrawsPage {
    let t = visit.t;
    let stage = &event.stage;
    let open = event
        .draws
        .iter()
        .filter(|draw| draw.revealed.is_none())
        .filter(|draw| match draw.decides {
            Decides::Round(round) => stored::next_public_round(event) == Some(round),
            _ => event.last_published().is_none(),
        })
        .map(|promised| OpenDraw {
            draw: promised.decides.to_string(),
            title: draw::title(t, promised.decides, false),
            href: draw::href(&event.slug, promised.decides),
            promise: PromiseView::of(t, &event.schedule, promised),
            takes_words: stored::takes_words(event, promised),
            words_until: match promised.decides {
                Decides::Round(round) if event.last_published().is_some() => {
                    t.with("draw-words-until-results", "round", round - 1)
                }
                Decides::Round(_) => t.say("draw-words-until-pairing"),
                _ => t.say("draw-words-until-draw"),
            },
        })
        .collect();
    let drawn = |decides| {
        let mut draws = event.draws.iter();
        draws.any(|draw| draw.decides == decides && draw.is_drawn())
    };
    let mut entries: Vec<_> = stage.entries.iter().collect();
    entries.sort_by_key(|entry| entry.number);
    let seeded: Vec<&str> = fields.all("seeded").collect();
    DrawsPage {
        t,
        frame: visit.frame_of(event, "entries"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        open,
        before_first_round: event.rounds.is_empty() && !stage.entries.is_empty(),
        numbers_drawn: drawn(Decides::Numbers),
        groups_drawn: drawn(Decides::Groups) || entries.iter().any(|entry| entry.category.is_some()),
        entries: entries
            .into_iter()
            .map(|entry| SeedRow {
                number: entry.number.get(),
                name: entry.name.clone(),
                rating: entry.rating.map(|rating| rating.to_string()).unwrap_or_default(),
                seeded: seeded.contains(&entry.number.to_string().as_str()),
            })
            .collect(),
        seeds_open: !seeded.is_empty() || !fields.get("slots").is_empty(),
        slots: fields.get("slots").to_owned(),
        groups: fields.some("groups").unwrap_or_else(|| "2".to_owned()),
        split: fields.some("split").unwrap_or_else(|| "lots".to_owned()),
        layer: fields.get("layer").to_owned(),
        drawn: draw::links(t, event)
            .into_iter()
            .filter(|(href, _)| {
                event.rounds.iter().any(|info| {
                    info.status == RoundStatus::Published
                        && *href == draw::href(&event.slug, Decides::Round(info.round))
                }) || [Decides::Numbers, Decides::Groups]
                    .into_iter()
                    .any(|decides| drawn(decides) && *href == draw::href(&event.slug, decides))
            })
            .collect(),
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
    page(&view(&visit, &event, &Fields::default()))
}

fn back(visit: &Visit, event: &Event, fields: &Fields, error: Error) -> Result<Response> {
    refused(&DrawsPage {
        problem: Some(told(error, visit.t)?),
        ..view(visit, event, fields)
    })
}

fn decides(fields: &Fields) -> Result<Decides> {
    Decides::from_word(fields.get("draw")).ok_or_else(Error::not_found)
}

/// Adds a public word.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn add_word(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let decides = decides(&fields)?;
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    let (word, said_by) = (fields.exact("word"), fields.some("said_by"));
    match stored::add_word(&mut tx, &change, &mut event, decides, word, said_by.as_deref()).await {
        Ok(()) => {
            tx.commit().await?;
            let said = visit.t.with("done-word-added", "word", word.trim());
            Ok(done(&format!("/manage/e/{slug}/draws"), &said))
        }
        Err(error) => back(&visit, &event, &fields, error.into()),
    }
}

/// Takes a public word back.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn remove_word(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let decides = decides(&fields)?;
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    let position = fields.get("position").parse().unwrap_or(0);
    match stored::remove_word(&mut tx, &change, &mut event, decides, position).await {
        Ok(()) => {
            tx.commit().await?;
            let said = visit.t.say("done-word-removed");
            Ok(done(&format!("/manage/e/{slug}/draws"), &said))
        }
        Err(error) => back(&visit, &event, &fields, error.into()),
    }
}

fn not_numbers(text: &str) -> Error {
    Problem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "not-a-number")
        .arg("found", text)
        .into()
}

fn numbers<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Vec<Number>> {
    texts
        .map(|text| {
            let number = text.parse().ok().and_then(Number::new);
            number.ok_or_else(|| not_numbers(text))
        })
        .collect()
}

fn number_request(fields: &Fields) -> Result<NumberRequest> {
    let slots = fields.get("slots");
    let parts = slots
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '，' | '、' | '；'))
        .filter(|part| !part.is_empty());
    Ok(NumberRequest {
        seeded: numbers(fields.all("seeded"))?,
        slots: (!slots.is_empty()).then(|| numbers(parts)).transpose()?,
        again: fields.ticked("again"),
    })
}

/// Draws the numbers by lot.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn draw_numbers(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    if event.stage.entries.is_empty() {
        let nobody = ProblemView::of(visit.t.say("entries-none-director"));
        return refused(&DrawsPage {
            problem: Some(nobody),
            ..view(&visit, &event, &fields)
        });
    }
    let drawn = match number_request(&fields) {
        Ok(request) => stored::draw_numbers(&mut tx, &change, &mut event, request)
            .await
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    match drawn {
        Ok(()) => {
            tx.commit().await?;
            let count = event.stage.entries.len();
            let said = visit.t.with("done-numbers-drawn", "count", count);
            Ok(done(&format!("/manage/e/{slug}/draws"), &said))
        }
        Err(error) => back(&visit, &event, &fields, error),
    }
}

fn group_request(fields: &Fields) -> Result<GroupRequest> {
    let size = |name: &str| -> Result<usize> {
        let text = fields.get(name);
        text.parse().map_err(|_| not_numbers(text))
    };
    let groups = size("groups")?;
    let (by_strength, by) = match fields.get("split") {
        "rating" => (true, StrengthBy::Rating),
        "grade" => (true, StrengthBy::Grade),
        "number" => (true, StrengthBy::Number),
        _ => (false, StrengthBy::Rating),
    };
    let layer = if fields.get("layer").is_empty() {
        groups
    } else {
        size("layer")?
    };
    Ok(GroupRequest {
        groups,
        by,
        split: if by_strength {
            Split::Snake { layer }
        } else {
            Split::Lots
        },
        again: fields.ticked("again"),
    })
}

/// Splits the field into groups.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn draw_groups(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let change = change(&state, &actor, None);
    let drawn = match group_request(&fields) {
        Ok(request) => stored::draw_groups(&mut tx, &change, &mut event, request)
            .await
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    match drawn {
        Ok(()) => {
            tx.commit().await?;
            let said = visit.t.say("done-groups-drawn");
            Ok(done(&format!("/manage/e/{slug}/draws"), &said))
        }
        Err(error) => back(&visit, &event, &fields, error),
    }
}
