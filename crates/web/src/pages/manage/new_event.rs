//! `/manage/new`: a new event from a preset.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::NaiveDate;
use rules::RuleSet;
use store::Schedule;
use store::events::{self, NewEvent, Visibility};
use tournament::{PairingSettings, Ranking, Stage};

use super::pairing_fields::{Group, PairingForm};
use super::{Fields, change, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::Director;
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::page;
use crate::state::AppState;

/// Settings that fit a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// An open tournament over a long weekend: 9 rounds.
    Open,
    /// A grading tournament: 7 rounds.
    Grading,
    /// A qualifier: 13 rounds.
    Qualifier,
    /// A club evening: 5 rounds.
    Club,
}

impl Preset {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Open, Self::Grading, Self::Qualifier, Self::Club];

    /// Its word in forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Grading => "grading",
            Self::Qualifier => "qualifier",
            Self::Club => "club",
        }
    }

    fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.code() == code)
    }

    /// How many rounds.
    pub fn rounds(self) -> u32 {
        match self {
            Self::Open => 9,
            Self::Grading => 7,
            Self::Qualifier => 13,
            Self::Club => 5,
        }
    }

    fn pairing(self) -> PairingSettings {
        let classic = PairingSettings::default();
        match self {
            Self::Open | Self::Grading => classic,
            Self::Qualifier => PairingSettings {
                avoid_team_rounds: 3,
                ..classic
            },
            Self::Club => PairingSettings {
                avoid_team_rounds: 0,
                forfeits_may_meet_again: true,
                ..classic
            },
        }
    }

    fn ranking(self) -> Ranking {
        match self {
            Self::Open | Self::Qualifier => Ranking::association_2025(),
            Self::Grading | Self::Club => Ranking::method_b(),
        }
    }
}

/// A preset as it is offered.
#[derive(Clone, Debug, Default)]
pub struct PresetView {
    /// Its word in forms.
    pub code: String,
    /// Its name.
    pub name: String,
    /// What it sets.
    pub sentence: String,
    /// Whether it is chosen.
    pub chosen: bool,
}

/// What was typed.
#[derive(Clone, Debug, Default)]
pub struct NewEventForm {
    /// The name.
    pub name: String,
    /// The place.
    pub place: String,
    /// The first day.
    pub starts_on: String,
    /// The name of the time zone; nothing for that of the server.
    pub time_zone: String,
    /// How many rounds, when not as in the preset.
    pub rounds: String,
    /// The name in addresses.
    pub slug: String,
    /// Whether only directors see it.
    pub hidden: bool,
    /// How rounds are paired, where that is not as in the preset.
    pub pairing: PairingForm,
}

/// The form for a new event.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/new_event.html")]
pub struct NewEventPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// What is offered.
    pub presets: Vec<PresetView>,
    /// What was typed.
    pub form: NewEventForm,
    /// How rounds are paired.
    pub pairing: Vec<Group>,
    /// Whether something of that is said, so that it is shown.
    pub pairing_open: bool,
}

/// Builds the form.
pub fn view(visit: &Visit, chosen: Option<Preset>, form: NewEventForm) -> NewEventPage {
    let t = visit.t;
    let presets = Preset::ALL
        .into_iter()
        .map(|preset| PresetView {
            code: preset.code().to_owned(),
            name: t.say(&format!("preset-{}", preset.code())),
            sentence: t.say(&format!("preset-{}-sentence", preset.code())),
            chosen: chosen == Some(preset),
        })
        .collect();
    NewEventPage {
        t,
        frame: visit.frame(),
        problem: None,
        presets,
        pairing: form.pairing.groups(t, true),
        pairing_open: form.pairing.says_something(),
        form,
    }
}

/// The form.
///
/// # Errors
/// `sign-in-needed`.
pub async fn show(Director(_): Director, visit: Visit) -> Result<Response> {
    page(&view(&visit, Some(Preset::Open), NewEventForm::default()))
}

fn invalid(code: &'static str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code).into()
}

/// A day as a date field sends it, or nothing.
///
/// # Errors
/// `not-a-day`.
pub fn day(text: &str) -> Result<Option<NaiveDate>> {
    if text.is_empty() {
        return Ok(None);
    }
    let written = text.replace(['/', '.', '年', '月'], "-").replace('日', "");
    NaiveDate::parse_from_str(&written, "%Y-%m-%d")
        .map(Some)
        .map_err(|_| {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-a-day")
                .arg("found", text)
                .into()
        })
}

fn new_event(fields: &Fields) -> Result<NewEvent> {
    let preset = Preset::of(fields.get("preset")).ok_or_else(|| invalid("no-preset"))?;
    let rounds_planned = match fields.get("rounds") {
        "" => preset.rounds(),
        typed => typed
            .parse()
            .map_err(|_| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-rounds").arg("found", typed))?,
    };
    let pairing = PairingForm::sent(fields).read(&Stage::swiss(rounds_planned))?;
    Ok(NewEvent {
        slug: fields.some("slug"),
        name: fields.get("name").to_owned(),
        rules: RuleSet::Chinese,
        komi: RuleSet::Chinese.default_komi(),
        place: fields.some("place"),
        starts_on: day(fields.get("starts_on"))?,
        schedule: Schedule {
            zone: super::settings::zone(fields.get("time_zone"))?,
            ..Schedule::default()
        },
        visibility: if fields.ticked("hidden") {
            Visibility::Hidden
        } else {
            Visibility::Public
        },
        records: store::events::RecordSettings::default(),
        awards: tournament::Awards::default(),
        rounds_planned,
        first_round: 1,
        pairing: pairing.over(preset.pairing()),
        ranking: preset.ranking(),
    })
}

/// Makes the event.
///
/// # Errors
/// Only of the database: what is wrong is told on the form.
pub async fn create(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let made = match new_event(&fields) {
        Ok(new) => events::create(&mut tx, &change(&state, &actor, None), new)
            .await
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    match made {
        Ok(event) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{}", event.slug),
                &visit.t.with("done-event-created", "name", event.name),
            ))
        }
        Err(error) => {
            let form = NewEventForm {
                name: fields.get("name").to_owned(),
                place: fields.get("place").to_owned(),
                starts_on: fields.get("starts_on").to_owned(),
                time_zone: fields.get("time_zone").to_owned(),
                rounds: fields.get("rounds").to_owned(),
                slug: fields.get("slug").to_owned(),
                hidden: fields.ticked("hidden"),
                pairing: PairingForm::sent(&fields),
            };
            refused(&NewEventPage {
                problem: Some(told(error, visit.t)?),
                ..view(&visit, Preset::of(fields.get("preset")), form)
            })
        }
    }
}
