//! `/manage/new`: a new event by choosing what it is, or as a copy of an earlier one.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::NaiveDate;
use rules::RuleSet;
use serde::Deserialize;
use store::events::{self, Event, Listed, NewEvent, Visibility};
use store::{Actor, Paging, Role, Schedule};
use tournament::{PairingSettings, Ranking, Stage, Unplayed};

use super::pairing_fields::{Group, PairingForm};
use super::settings::{named_rankings, zone};
use super::{Fields, change, refused, told};
use crate::earlier::{self, Earlier};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InQuery};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::{page, words};
use crate::state::AppState;

/// Settings that fit a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// An open tournament (公开赛) over a long weekend: 9 rounds.
    Open,
    /// A grading tournament (升段赛): 7 rounds.
    Grading,
    /// A qualifier (定段赛): 13 rounds.
    Qualifier,
    /// A club evening: 4 rounds.
    Club,
    /// Nothing but the defaults; the number of rounds is for the director to say.
    Blank,
}

impl Preset {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 5] = [
        Self::Open,
        Self::Grading,
        Self::Qualifier,
        Self::Club,
        Self::Blank,
    ];

    /// Its word in forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Grading => "grading",
            Self::Qualifier => "qualifier",
            Self::Club => "club",
            Self::Blank => "blank",
        }
    }

    fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.code() == code)
    }

    /// How many rounds; none where that is open.
    pub fn rounds(self) -> Option<u32> {
        match self {
            Self::Open => Some(9),
            Self::Grading => Some(7),
            Self::Qualifier => Some(13),
            Self::Club => Some(4),
            Self::Blank => None,
        }
    }

    fn pairing(self) -> PairingSettings {
        let classic = PairingSettings::default();
        match self {
            Self::Open | Self::Grading | Self::Blank => classic,
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
            Self::Open | Self::Qualifier | Self::Blank => Ranking::association_2025(),
            Self::Grading | Self::Club => Ranking::method_b(),
        }
    }

    fn event(self) -> NewEvent {
        NewEvent {
            slug: None,
            name: String::new(),
            rules: RuleSet::Chinese,
            komi: RuleSet::Chinese.default_komi(),
            place: None,
            starts_on: None,
            schedule: Schedule::default(),
            visibility: Visibility::Public,
            records: store::events::RecordSettings::default(),
            awards: tournament::Awards::default(),
            rounds_planned: self.rounds().unwrap_or(0),
            first_round: 1,
            pairing: self.pairing(),
            ranking: self.ranking(),
        }
    }
}

/// What a new event is made from.
#[derive(Clone, Debug)]
pub enum Basis {
    /// What kind it is.
    Kind(Preset),
    /// An earlier event.
    Earlier(Box<Earlier>),
}

impl Basis {
    fn event(&self, starts_on: Option<NaiveDate>) -> NewEvent {
        match self {
            Self::Kind(preset) => preset.event(),
            Self::Earlier(earlier) => events::copied(&earlier.event, starts_on),
        }
    }

    fn earlier(&self) -> Option<&Earlier> {
        match self {
            Self::Kind(_) => None,
            Self::Earlier(earlier) => Some(earlier),
        }
    }
}

/// A kind of event as it is offered.
#[derive(Clone, Debug, Default)]
pub struct PresetView {
    /// Its word in forms.
    pub code: &'static str,
    /// Its name.
    pub name: String,
    /// What it sets.
    pub sentence: String,
    /// Whether the form is filled in for it.
    pub chosen: bool,
}

/// An earlier event of which a copy is being made.
#[derive(Clone, Debug, Default)]
pub struct CopyView {
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// What of it goes along, and what does not.
    pub sentence: String,
    /// How many people can go along, in words; none where the reader may not see them all.
    pub entries: Option<String>,
}

/// What the form holds.
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
    /// How many rounds.
    pub rounds: String,
    /// The rules' word.
    pub rules: String,
    /// The komi; nothing for that of the rules.
    pub komi: String,
    /// The name in addresses.
    pub slug: String,
    /// Whether only directors see it.
    pub hidden: bool,
    /// How rounds are paired.
    pub pairing: PairingForm,
    /// Which order of criteria.
    pub ranking: String,
    /// How unplayed games count.
    pub unplayed: String,
    /// Whether the people of the earlier event go along.
    pub entries: bool,
}

/// An order of criteria that has no name: that of the earlier event.
const EARLIER_ORDER: &str = "earlier";

impl NewEventForm {
    /// The form as it is filled in.
    fn of(basis: &Basis) -> Self {
        let event = basis.event(None);
        let ranking = named_rankings()
            .into_iter()
            .find(|(_, ranking)| ranking.criteria == event.ranking.criteria)
            .map_or(EARLIER_ORDER, |(word, _)| word);
        let mut stage = Stage::swiss(event.rounds_planned);
        stage.pairing = event.pairing;
        Self {
            name: event.name,
            place: event.place.unwrap_or_default(),
            starts_on: String::new(),
            time_zone: event.schedule.zone_name().unwrap_or_default().to_owned(),
            rounds: Some(event.rounds_planned)
                .filter(|rounds| *rounds > 0)
                .map(|rounds| rounds.to_string())
                .unwrap_or_default(),
            rules: event.rules.slug().to_owned(),
            komi: Some(event.komi)
                .filter(|komi| *komi != event.rules.default_komi())
                .map(|komi| komi.to_string())
                .unwrap_or_default(),
            slug: String::new(),
            hidden: event.visibility == Visibility::Hidden,
            pairing: PairingForm::of(&stage),
            ranking: ranking.to_owned(),
            unplayed: event.ranking.unplayed.as_str().to_owned(),
            entries: false,
        }
    }

    /// The form as it was sent.
    fn sent(fields: &Fields) -> Self {
        let text = |name: &str| fields.get(name).to_owned();
        Self {
            name: text("name"),
            place: text("place"),
            starts_on: text("starts_on"),
            time_zone: text("time_zone"),
            rounds: text("rounds"),
            rules: text("rules"),
            komi: text("komi"),
            slug: text("slug"),
            hidden: fields.ticked("hidden"),
            pairing: PairingForm::sent(fields),
            ranking: text("ranking"),
            unplayed: text("unplayed"),
            entries: fields.ticked("entries"),
        }
    }

    /// The event that is wanted; what the form leaves empty is as the basis has it.
    fn read(&self, basis: &Basis) -> Result<NewEvent> {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let starts_on = day(&self.starts_on)?;
        let base = basis.event(starts_on);
        let rules = match self.rules.as_str() {
            "" => base.rules,
            word => word.parse().map_err(|_| wrong("not-a-choice", word))?,
        };
        let rounds_planned = match self.rounds.as_str() {
            "" if base.rounds_planned == 0 => return Err(invalid("rounds-missing")),
            "" => base.rounds_planned,
            typed => typed.parse().map_err(|_| wrong("not-rounds", typed))?,
        };
        let mut ranking = match self.ranking.as_str() {
            "" | EARLIER_ORDER => base.ranking.clone(),
            word => {
                let named = named_rankings().into_iter().find(|(known, _)| *known == word);
                named.ok_or_else(|| wrong("not-a-choice", word))?.1
            }
        };
        ranking.unplayed = match self.unplayed.as_str() {
            "" => base.ranking.unplayed,
            word => Unplayed::from_word(word).ok_or_else(|| wrong("not-a-choice", word))?,
        };
        Ok(NewEvent {
            slug: some(&self.slug),
            name: self.name.clone(),
            rules,
            komi: match self.komi.as_str() {
                "" => rules.default_komi(),
                typed => typed.parse().map_err(|_| wrong("not-a-komi", typed))?,
            },
            place: some(&self.place),
            schedule: Schedule {
                zone: zone(&self.time_zone)?,
                ..base.schedule
            },
            visibility: if self.hidden {
                Visibility::Hidden
            } else {
                Visibility::Public
            },
            pairing: self
                .pairing
                .read(&Stage::swiss(rounds_planned))?
                .over(base.pairing),
            rounds_planned,
            ranking,
            ..base
        })
    }
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
    /// The kinds of events.
    pub presets: Vec<PresetView>,
    /// The earlier events: name in addresses, and name with the first day.
    pub events: Vec<(String, String)>,
    /// The chosen kind's word.
    pub kind: Option<&'static str>,
    /// The earlier event that is copied.
    pub copy: Option<CopyView>,
    /// What the form holds.
    pub form: NewEventForm,
    /// The rules: word and name.
    pub rules: Vec<(String, String)>,
    /// How rounds are paired.
    pub pairing: Vec<Group>,
    /// The orders of criteria.
    pub rankings: Vec<(String, String)>,
    /// How unplayed games may count.
    pub unplayed: Vec<(String, String)>,
}

/// Builds the form; `form` is what was sent.
pub fn view(
    visit: &Visit,
    basis: &Basis,
    events: Vec<(String, String)>,
    form: Option<NewEventForm>,
) -> NewEventPage {
    let t = visit.t;
    let kind = match basis {
        Basis::Kind(preset) => Some(preset.code()),
        Basis::Earlier(_) => None,
    };
    let presets = Preset::ALL
        .into_iter()
        .map(|preset| PresetView {
            code: preset.code(),
            name: t.say(&format!("preset-{}", preset.code())),
            sentence: t.say(&format!("preset-{}-sentence", preset.code())),
            chosen: kind == Some(preset.code()),
        })
        .collect();
    let form = form.unwrap_or_else(|| NewEventForm::of(basis));
    let mut rankings: Vec<(String, String)> = named_rankings()
        .into_iter()
        .map(|(word, _)| (word.to_owned(), t.say(&format!("order-{word}"))))
        .collect();
    let own = |event: &Event| {
        let criteria = &event.stage.ranking.criteria;
        let named = named_rankings();
        (!named.iter().any(|(_, ranking)| ranking.criteria == *criteria))
            .then(|| t.list(criteria.iter().map(|criterion| words::criterion(t, *criterion))))
    };
    if let Some(criteria) = basis.earlier().and_then(|earlier| own(&earlier.event)) {
        let sentence = t.with("order-earlier", "criteria", criteria);
        rankings.insert(0, (EARLIER_ORDER.to_owned(), sentence));
    }
    NewEventPage {
        t,
        frame: visit.frame(),
        problem: None,
        presets,
        events,
        kind,
        copy: basis.earlier().map(|earlier| CopyView {
            slug: earlier.event.slug.clone(),
            name: earlier.event.name.clone(),
            sentence: t.with("copy-of", "name", earlier.event.name.as_str()),
            entries: earlier
                .shows_entries()
                .then(|| t.with("copy-entries", "count", earlier.event.stage.entries.len())),
        }),
        pairing: form.pairing.groups(t, true),
        form,
        rules: RuleSet::ALL
            .into_iter()
            .map(|rules| (rules.slug().to_owned(), words::rules(t, rules)))
            .collect(),
        rankings,
        unplayed: Unplayed::ALL
            .iter()
            .map(|unplayed| unplayed.as_str())
            .map(|word| (word.to_owned(), t.say(&format!("unplayed-{word}-short"))))
            .collect(),
    }
}

/// What a new event is to be made from.
#[derive(Debug, Default, Deserialize)]
pub struct Wanted {
    /// The kind's word.
    #[serde(default)]
    kind: String,
    /// An earlier event.
    #[serde(default)]
    copy: String,
}

/// The events of which the reader can make a copy.
async fn earlier_events(state: &AppState, actor: &Actor) -> Result<Vec<(String, String)>> {
    let listed = match actor.user {
        Some(user) if actor.role != Role::Admin => Listed::SeenBy(user),
        _ => Listed::All,
    };
    let list = events::list(&mut state.store.snapshot().await?, listed, Paging::default()).await?;
    let named = list.items.into_iter().map(|event| {
        let name = match event.starts_on {
            Some(day) => format!("{} ({day})", event.name),
            None => event.name,
        };
        (event.slug, name)
    });
    Ok(named.collect())
}

async fn basis(state: &AppState, actor: &Actor, kind: &str, copy: &str) -> Result<Basis> {
    if !copy.is_empty() {
        let mut tx = state.store.snapshot().await?;
        let earlier = earlier::find(&mut tx, actor, copy).await?;
        return Ok(Basis::Earlier(Box::new(earlier)));
    }
    Preset::of(kind)
        .map(Basis::Kind)
        .ok_or_else(|| invalid("no-preset"))
}

/// The form.
///
/// # Errors
/// `sign-in-needed`, `no-preset`, `unknown-event`.
pub async fn show(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InQuery(wanted): InQuery<Wanted>,
) -> Result<Response> {
    let kind = if wanted.kind.is_empty() {
        Preset::Open.code()
    } else {
        &wanted.kind
    };
    let basis = basis(&state, &actor, kind, &wanted.copy).await?;
    let events = earlier_events(&state, &actor).await?;
    page(&view(&visit, &basis, events, None))
}

fn invalid(code: &'static str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code).into()
}

fn wrong(code: &'static str, found: &str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
        .arg("found", found)
        .into()
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
        .map_err(|_| wrong("not-a-day", text))
}

/// Makes the event.
///
/// # Errors
/// `unknown-event` for a copy of one that is gone; what else is wrong is told on the form.
pub async fn create(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    fields: Fields,
) -> Result<Response> {
    let basis = match basis(&state, &actor, fields.get("preset"), fields.get("copy")).await {
        Ok(basis) => basis,
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            let events = earlier_events(&state, &actor).await?;
            let form = Some(NewEventForm::sent(&fields));
            return refused(&NewEventPage {
                problem,
                ..view(&visit, &Basis::Kind(Preset::Blank), events, form)
            });
        }
    };
    let form = NewEventForm::sent(&fields);
    match make(&state, &actor, &basis, &form).await {
        Ok(event) => Ok(done(
            &format!("/manage/e/{}", event.slug),
            &visit.t.with("done-event-created", "name", event.name),
        )),
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            let events = earlier_events(&state, &actor).await?;
            refused(&NewEventPage {
                problem,
                ..view(&visit, &basis, events, Some(form))
            })
        }
    }
}

async fn make(state: &AppState, actor: &Actor, basis: &Basis, form: &NewEventForm) -> Result<Event> {
    let new = form.read(basis)?;
    let change = change(state, actor, None);
    let mut tx = state.store.begin().await?;
    let event = match basis {
        Basis::Kind(_) => events::create(&mut tx, &change, new).await?,
        Basis::Earlier(earlier) => {
            if form.entries {
                earlier.require_entries(actor)?;
            }
            events::copy(&mut tx, &change, &earlier.event, new, form.entries).await?
        }
    };
    tx.commit().await?;
    Ok(event)
}
