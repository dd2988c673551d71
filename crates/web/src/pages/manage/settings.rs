//! `/manage/e/{slug}/settings`: what the event is, how it is paired and ranked.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::NaiveDateTime;
use rules::{OnRepetition, RuleSet, Size};
use store::Tz;
use store::events::{self, Event, EventPatch, RecordsPatch, Visibility};
use tournament::{Criterion, Number, Ranking, Stage, Unplayed};

use super::new_event::day;
use super::pairing_fields::{Group, PairingForm};
use super::{Fields, change, event_of, locked, locked_even_final, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, words};
use crate::state::AppState;

/// How many criteria can be chosen one by one.
const SLOTS: usize = 8;

/// The settings as they were typed.
#[derive(Clone, Debug, Default)]
pub struct SettingsForm {
    /// The version they were made from.
    pub version: String,
    /// The name.
    pub name: String,
    /// The place.
    pub place: String,
    /// The first day.
    pub starts_on: String,
    /// The name of the time zone; nothing for that of the server.
    pub time_zone: String,
    /// Round → when it begins, as the field has it.
    pub starts: Vec<(u32, String)>,
    /// The rules' word.
    pub rules: String,
    /// The komi.
    pub komi: String,
    /// How many rounds.
    pub rounds: String,
    /// `public` or `hidden`.
    pub visibility: String,
    /// How rounds are paired.
    pub pairing: PairingForm,
    /// Which order of criteria.
    pub ranking: String,
    /// The criteria one by one.
    pub criteria: Vec<String>,
    /// How unplayed games count.
    pub unplayed: String,
    /// Drawn lots.
    pub lots: String,
    /// How many lines the boards have.
    pub board_size: String,
    /// What a repetition leads to; nothing leaves it to the rules.
    pub repetition: String,
    /// Whether players bring records.
    pub from_players: bool,
    /// Why.
    pub reason: String,
}

/// A place in the order of criteria.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// 1 for the first.
    pub index: usize,
    /// Its name.
    pub label: String,
    /// The criterion's word, or nothing.
    pub chosen: String,
}

/// The settings of an event.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/settings.html")]
pub struct SettingsPage {
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
    /// What was typed.
    pub form: SettingsForm,
    /// The rules: word and name.
    pub rules: Vec<(String, String)>,
    /// Whether a start of a round is known, so that they are shown.
    pub starts_open: bool,
    /// How rounds are paired.
    pub pairing: Vec<Group>,
    /// The orders of criteria.
    pub rankings: Vec<(String, String)>,
    /// The places in an order of one's own.
    pub slots: Vec<Slot>,
    /// The criteria.
    pub criteria: Vec<(String, String)>,
    /// How unplayed games may count.
    pub unplayed: Vec<(String, String)>,
    /// What a repetition may lead to.
    pub repetitions: Vec<(String, String)>,
    /// What would be lost.
    pub delete_sentence: String,
}

/// The orders of criteria that have a name.
pub(super) fn named_rankings() -> [(&'static str, Ranking); 4] {
    [
        ("association_2025", Ranking::association_2025()),
        ("method_a", Ranking::method_a()),
        ("method_b", Ranking::method_b()),
        ("round_robin", Ranking::round_robin()),
    ]
}

/// A criterion's word in the form; the cut one carries its counts.
fn criterion_word(criterion: Criterion) -> String {
    match criterion {
        Criterion::OpponentsScoreCut { low, high } => format!("{}-{low}-{high}", criterion.as_str()),
        criterion => criterion.as_str().to_owned(),
    }
}

fn criterion_of(word: &str) -> Option<Criterion> {
    if let Some(counts) = word.strip_prefix("opponents_score_cut-") {
        let (low, high) = counts.split_once('-')?;
        return Some(Criterion::OpponentsScoreCut {
            low: low.parse().ok()?,
            high: high.parse().ok()?,
        });
    }
    Criterion::ALL
        .into_iter()
        .find(|criterion| criterion.as_str() == word)
}

fn form_of(event: &Event) -> SettingsForm {
    let stage = &event.stage;
    let ranking = named_rankings()
        .into_iter()
        .find(|(_, ranking)| ranking.criteria == stage.ranking.criteria)
        .map_or("own", |(word, _)| word);
    let lots = stage
        .ranking
        .lots
        .iter()
        .map(|(number, lot)| format!("{number}:{lot}"));
    SettingsForm {
        version: event.version.to_string(),
        name: event.name.clone(),
        place: event.place.clone().unwrap_or_default(),
        starts_on: event.starts_on.map(|day| day.to_string()).unwrap_or_default(),
        time_zone: event.schedule.zone_name().unwrap_or_default().to_owned(),
        starts: (stage.first_round..=stage.rounds_planned)
            .map(|round| {
                let at = event.schedule.starts.get(&round);
                (
                    round,
                    at.map(|at| at.format("%Y-%m-%dT%H:%M").to_string())
                        .unwrap_or_default(),
                )
            })
            .collect(),
        rules: event.rules.slug().to_owned(),
        komi: event.komi.to_string(),
        rounds: stage.rounds_planned.to_string(),
        visibility: event.visibility.as_str().to_owned(),
        pairing: PairingForm::of(stage),
        ranking: ranking.to_owned(),
        criteria: stage
            .ranking
            .criteria
            .iter()
            .map(|criterion| criterion_word(*criterion))
            .collect(),
        unplayed: stage.ranking.unplayed.as_str().to_owned(),
        lots: lots.collect::<Vec<_>>().join(" "),
        board_size: event.records.board_size.to_string(),
        repetition: event
            .records
            .repetition
            .map_or("", OnRepetition::as_str)
            .to_owned(),
        from_players: event.records.from_players,
        reason: String::new(),
    }
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, form: Option<SettingsForm>) -> SettingsPage {
    let t = visit.t;
    let stored = form_of(event);
    let form = match form {
        // Every round keeps its field, also one that was sent empty.
        Some(mut form) => {
            let mut starts = stored.starts;
            for (round, start) in &mut starts {
                let sent = form.starts.iter().find(|(sent, _)| sent == round);
                *start = sent.map(|(_, start)| start.clone()).unwrap_or_default();
            }
            form.starts = starts;
            form
        }
        None => stored,
    };
    let slots = (0..SLOTS.max(form.criteria.len()))
        .map(|index| Slot {
            index: index + 1,
            label: t.with("criterion-n", "n", index + 1),
            chosen: form.criteria.get(index).cloned().unwrap_or_default(),
        })
        .collect();
    let mut criteria: Vec<(String, String)> = Criterion::ALL
        .into_iter()
        .map(|criterion| (criterion_word(criterion), words::criterion(t, criterion)))
        .collect();
    for word in &form.criteria {
        if let Some(criterion) = criterion_of(word)
            && !criteria.iter().any(|(known, _)| known == word)
        {
            criteria.push((word.clone(), words::criterion(t, criterion)));
        }
    }
    let choice = |word: &str, key: &str| (word.to_owned(), t.say(key));
    let mut rankings: Vec<(String, String)> = named_rankings()
        .into_iter()
        .map(|(word, _)| (word.to_owned(), t.say(&format!("order-{word}"))))
        .collect();
    rankings.push(choice("own", "order-own"));
    SettingsPage {
        t,
        frame: visit.frame_of(event, "settings"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        pairing: form.pairing.groups(t, false),
        starts_open: form.starts.iter().any(|(_, start)| !start.is_empty()),
        form,
        rules: RuleSet::ALL
            .into_iter()
            .map(|rules| (rules.slug().to_owned(), words::rules(t, rules)))
            .collect(),
        rankings,
        slots,
        criteria,
        unplayed: Unplayed::ALL
            .iter()
            .map(|unplayed| unplayed.as_str())
            .map(|word| (word.to_owned(), t.say(&format!("unplayed-{word}-short"))))
            .collect(),
        repetitions: OnRepetition::ALL
            .map(|one| {
                (
                    one.as_str().to_owned(),
                    t.say(&format!("repetition-{}", one.as_str())),
                )
            })
            .to_vec(),
        delete_sentence: t.with2(
            "delete-event-sentence",
            "entries",
            event.stage.entries.len(),
            "rounds",
            event.stage.rounds.len(),
        ),
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
    page(&view(&visit, &event, None))
}

fn wrong(code: &'static str, found: &str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
        .arg("found", found)
        .into()
}

fn whole(code: &'static str, text: &str) -> Result<u32> {
    text.parse().map_err(|_| wrong(code, text))
}

/// Lots as `57:1 12:2`: number and lot.
fn lots(text: &str) -> Result<Vec<(Number, u32)>> {
    text.split([' ', ',', '，', '、', ';', '；'])
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let read = || {
                let (number, lot) = pair.split_once([':', '：', '='])?;
                Some((Number::new(number.parse().ok()?)?, lot.parse().ok()?))
            };
            read().ok_or_else(|| wrong("not-lots", pair))
        })
        .collect()
}

/// How many lines a board has.
fn lines(text: &str) -> Result<u8> {
    let lines = text
        .parse()
        .ok()
        .filter(|lines| (Size::LEAST..=Size::MOST).contains(lines));
    lines.ok_or_else(|| wrong("not-a-board-size", text))
}

/// A time zone by its name; nothing is that of the server.
///
/// # Errors
/// `not-a-time-zone`.
pub fn zone(text: &str) -> Result<Option<Tz>> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| wrong("not-a-time-zone", text))
}

/// A time in the hall as a field sends it or people type it.
///
/// # Errors
/// `not-a-time`.
pub fn time(text: &str) -> Result<NaiveDateTime> {
    let written = text
        .trim()
        .replace(['/', '.', '年', '月'], "-")
        .replace('日', " ")
        .replace('：', ":");
    let written = written.replace('T', " ");
    let words: Vec<&str> = written.split_whitespace().collect();
    let written = words.join(" ");
    let read = ["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]
        .into_iter()
        .find_map(|form| NaiveDateTime::parse_from_str(&written, form).ok());
    read.ok_or_else(|| wrong("not-a-time", text))
}

fn patch(form: &SettingsForm, stage: &Stage) -> Result<EventPatch> {
    let criteria = match named_rankings()
        .into_iter()
        .find(|(word, _)| *word == form.ranking)
    {
        Some((_, ranking)) => ranking.criteria,
        None => form
            .criteria
            .iter()
            .filter(|word| !word.is_empty())
            .map(|word| criterion_of(word).ok_or_else(|| wrong("not-a-criterion", word)))
            .collect::<Result<_>>()?,
    };
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Ok(EventPatch {
        name: Some(form.name.clone()),
        place: Some(some(&form.place)),
        starts_on: Some(day(&form.starts_on)?),
        time_zone: Some(zone(&form.time_zone)?),
        starts: Some(
            form.starts
                .iter()
                .filter(|(_, text)| !text.is_empty())
                .map(|(round, text)| Ok((*round, time(text)?)))
                .collect::<Result<_>>()?,
        ),
        rules: Some(
            form.rules
                .parse()
                .map_err(|_| wrong("not-a-choice", &form.rules))?,
        ),
        komi: Some(form.komi.parse().map_err(|_| wrong("not-a-komi", &form.komi))?),
        rounds_planned: Some(whole("not-rounds", &form.rounds)?),
        visibility: Some(match form.visibility.as_str() {
            "hidden" => Visibility::Hidden,
            "public" => Visibility::Public,
            other => return Err(wrong("not-a-choice", other)),
        }),
        pairing: form.pairing.read(stage)?,
        criteria: Some(criteria),
        unplayed: Some(
            Unplayed::from_word(&form.unplayed).ok_or_else(|| wrong("not-a-choice", &form.unplayed))?,
        ),
        lots: Some(lots(&form.lots)?),
        records: RecordsPatch {
            board_size: Some(lines(&form.board_size)?),
            repetition: Some(match form.repetition.as_str() {
                "" => None,
                word => Some(OnRepetition::from_word(word).ok_or_else(|| wrong("not-a-choice", word))?),
            }),
            from_players: Some(form.from_players),
        },
        ..EventPatch::default()
    })
}

/// Saves the settings.
///
/// # Errors
/// `not-found`; what is wrong is told on the form.
pub async fn save(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let text = |name: &str| fields.get(name).to_owned();
    let form = SettingsForm {
        version: text("version"),
        name: text("name"),
        place: text("place"),
        starts_on: text("starts_on"),
        time_zone: text("time_zone"),
        starts: (1..=100)
            .map(|round| (round, text(&format!("start{round}"))))
            .filter(|(_, start)| !start.is_empty())
            .collect(),
        rules: text("rules"),
        komi: text("komi"),
        rounds: text("rounds"),
        visibility: text("visibility"),
        pairing: PairingForm::sent(&fields),
        ranking: text("ranking"),
        criteria: (1..=16)
            .map(|index| text(&format!("criterion{index}")))
            .filter(|word| !word.is_empty())
            .collect(),
        unplayed: text("unplayed"),
        lots: text("lots"),
        board_size: text("board_size"),
        repetition: text("repetition"),
        from_players: fields.ticked("from_players"),
        reason: text("reason"),
    };
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let reason = fields.some("reason");
    let change = change(&state, &actor, reason.as_deref());
    let saved = match patch(&form, &event.stage) {
        Ok(patch) => events::update(&mut tx, &change, &mut event, patch, fields.version())
            .await
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}/settings"),
                &visit.t.say("done-settings"),
            ))
        }
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            refused(&SettingsPage {
                problem,
                ..view(&visit, &event, Some(form))
            })
        }
    }
}

/// Removes the event, once its address was typed: this cannot be undone.
///
/// # Errors
/// `not-found`; without the word the page comes back and says what to type.
pub async fn delete(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let event = locked_even_final(&mut tx, &slug).await?;
    if fields.get("word") != event.slug {
        let problem = ProblemView::of(visit.t.with("delete-word-wrong", "slug", event.slug.as_str()));
        return refused(&SettingsPage {
            problem: Some(problem),
            ..view(&visit, &event, None)
        });
    }
    let name = event.name.clone();
    events::delete(&mut tx, &change(&state, &actor, None), event, None).await?;
    tx.commit().await?;
    Ok(done("/manage", &visit.t.with("done-event-deleted", "name", name)))
}
