//! Events, entries, rounds and results as JSON. The words are those of the event file.
#![expect(
    clippy::option_option,
    reason = "in a change, null empties and nothing leaves as it is"
)]

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use store::events::Visibility;
use store::events::{
    EarlierResult, Event, EventPatch, EventSummary, NewEvent, PairingPatch, RecordSettings, RecordsPatch,
    RoundInfo, RoundStatus,
};
use store::log::LogHead;
use store::{Role, Schedule, Tz};
use tournament::{
    Board, By, Carried, Choices, Colours, Criterion, Entry, Grade, Margin, Number, NumberOrder, OrderBy,
    Outcome, PairingOrder, PairingSettings, Ranking, Round, Score, Side, TeamAvoidance, ThirdColour,
    Unplayed, Warnings,
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::errors::{Arg, Error, FieldProblem, Problem, Result};

/// A moment as RFC 3339 in UTC, to the second.
pub fn moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A member that is there, null or not: so that null can empty something and nothing leaves it.
pub fn there<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    input: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(input).map(Some)
}

/// Faults found while values are read, each with its path.
#[derive(Debug, Default)]
pub struct Faults(Vec<FieldProblem>);

impl Faults {
    /// Adds a fault.
    pub fn add(
        &mut self,
        path: impl Into<String>,
        code: &'static str,
        found: &str,
        fallback: &(impl ToString + ?Sized),
    ) {
        self.0.push(FieldProblem {
            path: path.into(),
            code: code.into(),
            args: vec![("found", Arg::from(found))],
            fallback: fallback.to_string(),
            ..FieldProblem::default()
        });
    }

    /// A number of an entry.
    pub fn number(&mut self, path: impl Into<String>, number: u32) -> Option<Number> {
        let read = Number::new(number);
        if read.is_none() {
            self.0.push(FieldProblem {
                path: path.into(),
                code: "bad-number".into(),
                args: vec![("found", number.into()), ("most", Number::MAX.into())],
                fallback: format!(
                    "{number} is not a number of an entry: they go from 1 to {}",
                    Number::MAX
                ),
                ..FieldProblem::default()
            });
        }
        read
    }

    /// Numbers of entries.
    pub fn numbers(&mut self, path: &str, numbers: &[u32]) -> Vec<Number> {
        let read = numbers
            .iter()
            .enumerate()
            .filter_map(|(i, number)| self.number(format!("{path}[{i}]"), *number));
        read.collect()
    }

    /// Pairs of numbers of entries.
    pub fn pairs(&mut self, path: &str, pairs: &[[u32; 2]]) -> Vec<(Number, Number)> {
        let mut read = Vec::new();
        for (i, [one, other]) in pairs.iter().enumerate() {
            let one = self.number(format!("{path}[{i}][0]"), *one);
            let other = self.number(format!("{path}[{i}][1]"), *other);
            read.extend(one.zip(other));
        }
        read
    }

    /// A grade in any spelling; an empty text is none.
    pub fn grade(&mut self, path: impl Into<String>, text: &str) -> Option<Grade> {
        if text.trim().is_empty() {
            return None;
        }
        text.parse()
            .map_err(|error: tournament::grade::NotAGrade| self.add(path, "not-a-grade", text, &error))
            .ok()
    }

    /// The value, unless there are faults.
    ///
    /// # Errors
    /// `invalid` with every fault.
    pub fn none_or<T>(self, value: T) -> Result<T> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(
                Problem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "invalid")
                    .faults(self.0)
                    .into(),
            )
        }
    }
}

/// Declares an enumeration of words for JSON, and how each stands for a choice of another room.
macro_rules! words {
    (
        $(#[$meta:meta])*
        $name:ident = $choice:ty {
            $($(#[$word_meta:meta])* $word:ident = $value:path),* $(,)?
        }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
        $(#[$meta])*
        pub enum $name { $($(#[$word_meta])* $word),* }

        impl From<$name> for $choice {
            fn from(word: $name) -> Self {
                match word { $($name::$word => $value),* }
            }
        }

        impl From<$choice> for $name {
            fn from(choice: $choice) -> Self {
                match choice { $($value => Self::$word),* }
            }
        }
    };
}

words! {
    /// The rules of the game. They give komi and margins their unit.
    #[serde(rename_all = "kebab-case")]
    RulesWord = rules::RuleSet {
        Chinese = rules::RuleSet::Chinese,
        Japanese = rules::RuleSet::Japanese,
        Korean = rules::RuleSet::Korean,
        #[serde(rename = "mind-sports-2008")]
        MindSports2008 = rules::RuleSet::MindSports2008,
        Ing = rules::RuleSet::Ing,
        WeighBoardA = rules::RuleSet::WeighBoardA,
        AncientChinese = rules::RuleSet::AncientChinese,
        Aga = rules::RuleSet::Aga,
        NewZealand = rules::RuleSet::NewZealand,
        TrompTaylor = rules::RuleSet::TrompTaylor,
    }
}

words! {
    /// The format.
    #[serde(rename_all = "snake_case")]
    SystemWord = tournament::Format { Swiss = tournament::Format::Swiss }
}

words! {
    /// Who may see an event: everybody, or directors only.
    #[serde(rename_all = "snake_case")]
    VisibilityWord = Visibility { Public = Visibility::Public, Hidden = Visibility::Hidden }
}

words! {
    /// What a repetition in a game leads to: the move is illegal, the game has no result (无胜负), is a
    /// draw or played again, or the referee decides.
    #[serde(rename_all = "snake_case")]
    OnRepetitionWord = rules::OnRepetition {
        Illegal = rules::OnRepetition::Illegal,
        NoResult = rules::OnRepetition::NoResult,
        Draw = rules::OnRepetition::Draw,
        Replay = rules::OnRepetition::Replay,
        Referee = rules::OnRepetition::Referee,
    }
}

words! {
    /// How score groups are paired: by number (编号序), by lots (随机编排), the upper half against
    /// the lower (高低对折), the first against the last (首尾).
    #[serde(rename_all = "snake_case")]
    OrderWord = PairingOrder {
        Classic = PairingOrder::Classic,
        Random = PairingOrder::Random,
        Fold = PairingOrder::Fold,
        Slide = PairingOrder::Slide,
    }
}

words! {
    /// Which way numbers run inside a score group; `alternate` is ascending in odd rounds.
    #[serde(rename_all = "snake_case")]
    NumberOrderWord = NumberOrder {
        Alternate = NumberOrder::Alternate,
        Ascending = NumberOrder::Ascending,
        Descending = NumberOrder::Descending,
    }
}

words! {
    /// What `fold` and `slide` go by: the higher rating or grade first, or the number. Equal ones,
    /// and those without it, follow by number.
    #[serde(rename_all = "snake_case")]
    OrderByWord = OrderBy { Rating = OrderBy::Rating, Grade = OrderBy::Grade, Number = OrderBy::Number }
}

words! {
    /// How much it matters that team mates are kept apart: they meet rather than float, players
    /// float rather than meet one, or never.
    #[serde(rename_all = "snake_case")]
    TeamAvoidanceWord = TeamAvoidance {
        Soft = TeamAvoidance::Soft,
        Strong = TeamAvoidance::Strong,
        Absolute = TeamAvoidance::Absolute,
    }
}

words! {
    /// Whether somebody may have the same colour in three games running.
    #[serde(rename_all = "snake_case")]
    ThirdColourWord = ThirdColour {
        Allowed = ThirdColour::Allowed,
        Avoided = ThirdColour::Avoided,
        Forbidden = ThirdColour::Forbidden,
    }
}

words! {
    /// Who has Black when the balances are equal: by number, whoever had White last, by lots of the
    /// draw's seed; `nigiri`: colours are never assigned and come from nigiri (猜先) at the board.
    #[serde(rename_all = "snake_case")]
    ColoursWord = Colours {
        Number = Colours::Number,
        Alternate = Colours::Alternate,
        Lots = Colours::Lots,
        Nigiri = Colours::Nigiri,
    }
}

words! {
    /// How unplayed games count in sums of opponents' scores.
    #[serde(rename_all = "snake_case")]
    UnplayedWord = Unplayed {
        Opponent = Unplayed::Opponent,
        Virtual = Unplayed::Virtual,
        Nothing = Unplayed::Nothing,
    }
}

words! {
    /// A result. `black_forfeit`: Black is absent and White scores.
    #[serde(rename_all = "snake_case")]
    OutcomeWord = Outcome {
        Black = Outcome::Black,
        White = Outcome::White,
        Draw = Outcome::Draw,
        BothLose = Outcome::BothLose,
        BlackForfeit = Outcome::BlackForfeit,
        WhiteForfeit = Outcome::WhiteForfeit,
        BothForfeit = Outcome::BothForfeit,
    }
}

words! {
    /// How a played game ended.
    #[serde(rename_all = "snake_case")]
    ByWord = By {
        Count = By::Count,
        Resignation = By::Resignation,
        Time = By::Time,
        Penalty = By::Penalty,
    }
}

words! {
    /// One side of a board.
    #[serde(rename_all = "snake_case")]
    SideWord = Side { Black = Side::Black, White = Side::White }
}

words! {
    /// Whether a round is seen by everybody or by directors only.
    #[serde(rename_all = "snake_case")]
    StatusWord = RoundStatus { Draft = RoundStatus::Draft, Published = RoundStatus::Published }
}

// ---------------------------------------------------------------- events

/// A criterion of the ranking: its word, or `{"opponents_score_cut": {"low": 1, "high": 2}}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CriterionWord(pub Criterion);

impl Serialize for CriterionWord {
    fn serialize<S: serde::Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Criterion::OpponentsScoreCut { low, high } if (low, high) != (1, 1) => {
                serde_json::json!({"opponents_score_cut": {"low": low, "high": high}}).serialize(output)
            }
            plain => plain.as_str().serialize(output),
        }
    }
}

impl<'de> Deserialize<'de> for CriterionWord {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;

        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Counts {
            low: u8,
            high: u8,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Cut {
            opponents_score_cut: Counts,
        }

        let value = Value::deserialize(input)?;
        let Value::String(word) = &value else {
            let Cut {
                opponents_score_cut: Counts { low, high },
            } = Cut::deserialize(value).map_err(D::Error::custom)?;
            return Ok(Self(Criterion::OpponentsScoreCut { low, high }));
        };
        Criterion::ALL
            .into_iter()
            .find(|criterion| criterion.as_str() == word)
            .map(Self)
            .ok_or_else(|| {
                let known = Criterion::ALL
                    .map(|criterion| format!("`{}`", criterion.as_str()))
                    .join(", ");
                D::Error::custom(format_args!("unknown variant `{word}`, expected one of {known}"))
            })
    }
}

impl utoipa::PartialSchema for CriterionWord {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};

        let words = ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(Criterion::ALL.map(Criterion::as_str)))
            .build();
        let count = || {
            ObjectBuilder::new()
                .schema_type(Type::Integer)
                .minimum(Some(0))
                .maximum(Some(255))
        };
        let counts = ObjectBuilder::new()
            .property("low", count())
            .required("low")
            .property("high", count())
            .required("high");
        let cut = ObjectBuilder::new()
            .property("opponents_score_cut", counts)
            .required("opponents_score_cut")
            .build();
        let schema = OneOfBuilder::new()
            .item(words)
            .item(cut)
            .description(Some(
                "A criterion of the ranking: its word, or how many opponents' scores are left out.",
            ))
            .build();
        utoipa::openapi::RefOr::T(utoipa::openapi::Schema::OneOf(schema))
    }
}

impl ToSchema for CriterionWord {}

/// A drawn lot.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Lot {
    /// The entry.
    pub number: u32,
    /// The lot; the smaller stands before.
    pub lot: u32,
}

/// How rounds are paired. What is left out of a new event is as in the classic profile; what is
/// left out of a change stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairingIn {
    /// The order inside a score group.
    pub order: Option<OrderWord>,
    /// What it goes by.
    pub order_by: Option<OrderByWord>,
    /// Which way numbers run.
    pub number_order: Option<NumberOrderWord>,
    /// Team mates are kept apart in rounds 1 to this one.
    pub avoid_team_rounds: Option<u32>,
    /// How much that matters.
    pub team_avoidance: Option<TeamAvoidanceWord>,
    /// Pairs that are never made in any round, such as brothers and sisters; the whole list.
    #[schema(example = json!([[1, 2]]))]
    pub forbidden_pairs: Option<Vec<[u32; 2]>>,
    /// Pairs that are avoided in every round as team mates are in the first ones; the whole list.
    pub unwanted_pairs: Option<Vec<[u32; 2]>>,
    /// The same colour in three games running.
    pub third_colour: Option<ThirdColourWord>,
    /// Who has Black when the balances are equal, and whether colours are assigned at all.
    pub colours: Option<ColoursWord>,
    /// Points for a bye: 2, 1 or 0.
    pub bye_score: Option<i32>,
    /// Points for a round missed with leave: 0 or 1.
    pub absent_score: Option<i32>,
    /// Whether a pair decided by forfeit may be paired again.
    pub forfeits_may_meet_again: Option<bool>,
    /// Whether repeated floats are avoided.
    pub avoid_repeated_floats: Option<bool>,
    /// Who has this score has reached the standard and is not paired any more; null is nobody.
    #[serde(default, deserialize_with = "there", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>, minimum = 1, maximum = 1000)]
    pub stop_at: Option<Option<i32>>,
}

impl PairingIn {
    fn read(self, faults: &mut Faults) -> PairingPatch {
        let mut pairs = |name: &str, given: Option<Vec<[u32; 2]>>| {
            given.map(|pairs| faults.pairs(&format!("pairing.{name}"), &pairs))
        };
        PairingPatch {
            order: self.order.map(Into::into),
            order_by: self.order_by.map(Into::into),
            number_order: self.number_order.map(Into::into),
            avoid_team_rounds: self.avoid_team_rounds,
            team_avoidance: self.team_avoidance.map(Into::into),
            forbidden_pairs: pairs("forbidden_pairs", self.forbidden_pairs),
            unwanted_pairs: pairs("unwanted_pairs", self.unwanted_pairs),
            third_colour: self.third_colour.map(Into::into),
            colours: self.colours.map(Into::into),
            bye_score: self.bye_score.map(Score),
            absent_score: self.absent_score.map(Score),
            forfeits_may_meet_again: self.forfeits_may_meet_again,
            avoid_repeated_floats: self.avoid_repeated_floats,
            stop_at: self.stop_at.map(|score| score.map(Score)),
        }
    }
}

/// A new event.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventIn {
    /// The name.
    #[schema(example = "Spring Open")]
    pub name: String,
    /// The name in addresses; left out, it is made from the name.
    pub slug: Option<String>,
    /// How many rounds are planned.
    #[schema(minimum = 1, maximum = 100)]
    pub rounds: u32,
    /// The first round recorded here: 4 when rounds 1 to 3 are carried over. 1 when left out.
    pub first_round: Option<u32>,
    /// The format; Swiss when left out.
    pub system: Option<SystemWord>,
    /// The rules; Chinese when left out.
    pub rules: Option<RulesWord>,
    /// The komi as a decimal in the unit of the rules; that of the rules when left out.
    #[schema(example = "3.75")]
    pub komi: Option<String>,
    /// Where it is played.
    pub place: Option<String>,
    /// The day of the first round.
    pub starts_on: Option<NaiveDate>,
    /// The time zone, a name of the IANA database; that of the server when left out.
    #[schema(example = "Asia/Shanghai")]
    pub time_zone: Option<String>,
    /// When rounds begin; those left out are not announced.
    pub round_starts: Option<Vec<RoundStartIn>>,
    /// Who may see it; everybody when left out.
    pub visibility: Option<VisibilityWord>,
    /// How rounds are paired.
    pub pairing: Option<PairingIn>,
    /// The criteria of the final order; the association's order of 2025 when left out.
    pub ranking: Option<Vec<CriterionWord>>,
    /// How unplayed games count in opponents' sums.
    pub unplayed: Option<UnplayedWord>,
    /// Drawn lots.
    pub lots: Option<Vec<Lot>>,
    /// What is asked of game records.
    pub records: Option<RecordsIn>,
    /// Who goes up (升段), as in the event file.
    #[schema(value_type = Option<Object>)]
    pub promotion: Option<Value>,
    /// Prizes, as in the event file.
    #[schema(value_type = Option<Object>)]
    pub prizes: Option<Value>,
    /// Why, for the log.
    pub reason: Option<String>,
}

/// A copy of an earlier event; what is left out is as it was there.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyIn {
    /// The earlier event: its id or slug.
    pub of: String,
    /// Whether its people go along. They are numbered anew; no score, absence or withdrawal goes along.
    #[serde(default)]
    pub entries: bool,
    /// The name.
    #[schema(example = "Spring Open 2027")]
    pub name: String,
    /// The name in addresses; left out, it is made from the name.
    pub slug: Option<String>,
    /// The day of the first round. The starts of rounds move with it; left out, there are none.
    pub starts_on: Option<NaiveDate>,
    /// Where it is played.
    pub place: Option<String>,
    /// How many rounds are planned.
    #[schema(minimum = 1, maximum = 100)]
    pub rounds: Option<u32>,
    /// Who may see it.
    pub visibility: Option<VisibilityWord>,
    /// Why, for the log.
    pub reason: Option<String>,
}

impl CopyIn {
    /// The settings of the earlier event with what is said here in their place.
    pub fn over(&self, earlier: &Event) -> NewEvent {
        let copied = store::events::copied(earlier, self.starts_on);
        NewEvent {
            slug: self.slug.clone(),
            name: self.name.clone(),
            place: self.place.clone().or(copied.place),
            rounds_planned: self.rounds.unwrap_or(copied.rounds_planned),
            visibility: self.visibility.map_or(copied.visibility, Into::into),
            ..copied
        }
    }
}

/// What an event asks of game records, as far as it is said; what is left out stays as it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecordsIn {
    /// How many lines the boards have: records of other boards are refused. 19 in a new event.
    #[schema(minimum = 2, maximum = 52)]
    pub board_size: Option<u8>,
    /// What a repetition leads to (Art. 20); null leaves it to the rules, as in a new event.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<OnRepetitionWord>)]
    pub repetition: Option<Option<OnRepetitionWord>>,
    /// Whether players bring records too, each with the code of the board. Not in a new event.
    pub from_players: Option<bool>,
}

impl RecordsIn {
    fn read(self, faults: &mut Faults) -> RecordsPatch {
        let (least, most) = (rules::Size::LEAST, rules::Size::MOST);
        if let Some(lines) = self.board_size.filter(|lines| !(least..=most).contains(lines)) {
            let message = format!("{lines} is not between {least} and {most}");
            faults.add("records.board_size", "not-a-board", &lines.to_string(), &message);
        }
        RecordsPatch {
            board_size: self.board_size,
            repetition: self.repetition.map(|word| word.map(Into::into)),
            from_players: self.from_players,
        }
    }
}

/// What an event asks of game records.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordsOut {
    /// How many lines the boards have.
    pub board_size: u8,
    /// What a repetition leads to; null leaves it to the rules.
    pub repetition: Option<OnRepetitionWord>,
    /// Whether players bring records too.
    pub from_players: bool,
}

impl From<RecordSettings> for RecordsOut {
    fn from(records: RecordSettings) -> Self {
        Self {
            board_size: records.board_size,
            repetition: records.repetition.map(Into::into),
            from_players: records.from_players,
        }
    }
}

fn komi(faults: &mut Faults, text: &str) -> Option<rules::Komi> {
    text.parse()
        .map_err(|error: rules::NotAKomi| faults.add("komi", "not-a-komi", text, &error))
        .ok()
}

/// A time in the hall, as JSON has it.
const LOCAL_TIME: &str = "%Y-%m-%dT%H:%M";

/// When a round begins.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundStartIn {
    /// The round.
    #[schema(minimum = 1, maximum = 100)]
    pub round: u32,
    /// The time that the clock in the hall shows, without an offset.
    #[schema(example = "2026-05-01T14:45")]
    pub local: String,
}

/// When a round begins.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RoundStartOut {
    /// The round.
    pub round: u32,
    /// The time that the clock in the hall shows.
    #[schema(example = "2026-05-01T14:45")]
    pub local: String,
    /// The same moment with its offset from UTC.
    #[schema(example = "2026-05-01T14:45:00+08:00")]
    pub at: Option<String>,
}

fn zone(faults: &mut Faults, text: &str) -> Option<Tz> {
    text.parse()
        .map_err(|error| faults.add("time_zone", "not-a-time-zone", text, &error))
        .ok()
}

fn starts(faults: &mut Faults, given: &[RoundStartIn]) -> BTreeMap<u32, NaiveDateTime> {
    let mut starts = BTreeMap::new();
    for (i, start) in given.iter().enumerate() {
        if !(1..=100).contains(&start.round) {
            let found = start.round.to_string();
            faults.add(
                format!("round_starts[{i}].round"),
                "not-a-round",
                &found,
                &"rounds go from 1 to 100",
            );
            continue;
        }
        match NaiveDateTime::parse_from_str(&start.local, LOCAL_TIME) {
            Ok(local) => {
                starts.insert(start.round, local);
            }
            Err(error) => {
                let path = format!("round_starts[{i}].local");
                faults.add(path, "not-a-local-time", &start.local, &error);
            }
        }
    }
    starts
}

fn lots(faults: &mut Faults, lots: &[Lot]) -> Vec<(Number, u32)> {
    lots.iter()
        .enumerate()
        .filter_map(|(i, lot)| Some((faults.number(format!("lots[{i}].number"), lot.number)?, lot.lot)))
        .collect()
}

/// Promotion and prizes by the words of the event file.
fn awards(promotion: Option<&Value>, prizes: Option<&Value>) -> Result<tournament::Awards> {
    let given = serde_json::json!({ "promotion": promotion, "prizes": prizes });
    Ok(interchange::event_file::read_awards(
        given.to_string().as_bytes(),
    )?)
}

impl EventIn {
    /// As the store takes it.
    ///
    /// # Errors
    /// `invalid` with every value that cannot be read.
    pub fn read(self) -> Result<NewEvent> {
        let mut faults = Faults::default();
        let rules: rules::RuleSet = self.rules.map(Into::into).unwrap_or_default();
        let komi = match &self.komi {
            Some(text) => komi(&mut faults, text),
            None => Some(rules.default_komi()),
        };
        let association = Ranking::association_2025();
        let ranking = Ranking {
            criteria: self.ranking.map_or(association.criteria, |words| {
                words.into_iter().map(|word| word.0).collect()
            }),
            unplayed: self.unplayed.map_or(association.unplayed, Into::into),
            lots: self
                .lots
                .map(|given| lots(&mut faults, &given))
                .unwrap_or_default(),
        };
        let pairing = self.pairing.unwrap_or_default().read(&mut faults);
        let records = self.records.unwrap_or_default().read(&mut faults);
        let awards = awards(self.promotion.as_ref(), self.prizes.as_ref())?;
        let zone = self.time_zone.as_deref().and_then(|text| zone(&mut faults, text));
        let starts = self.round_starts.map(|given| starts(&mut faults, &given));
        faults.none_or(NewEvent {
            slug: self.slug,
            name: self.name,
            rules,
            komi: komi.unwrap_or_default(),
            place: self.place,
            starts_on: self.starts_on,
            schedule: Schedule {
                zone,
                starts: starts.unwrap_or_default(),
            },
            visibility: self.visibility.map_or(Visibility::default(), Into::into),
            records: records.over(RecordSettings::default()),
            awards,
            rounds_planned: self.rounds,
            first_round: self.first_round.unwrap_or(1),
            pairing: pairing.over(PairingSettings::default()),
            ranking,
        })
    }
}

/// A change of an event; what is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EventChange {
    /// The name.
    pub name: Option<String>,
    /// The name in addresses.
    pub slug: Option<String>,
    /// How many rounds are planned; not fewer than there are.
    #[schema(minimum = 1, maximum = 100)]
    pub rounds: Option<u32>,
    /// The first round recorded here; only while there is none.
    pub first_round: Option<u32>,
    /// The rules.
    pub rules: Option<RulesWord>,
    /// The komi.
    pub komi: Option<String>,
    /// Where it is played; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<String>)]
    pub place: Option<Option<String>>,
    /// The day of the first round; null empties it.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<NaiveDate>)]
    pub starts_on: Option<Option<NaiveDate>>,
    /// The time zone, a name of the IANA database; null is that of the server.
    #[serde(deserialize_with = "there")]
    #[schema(value_type = Option<String>)]
    pub time_zone: Option<Option<String>>,
    /// When rounds begin, in the place of all that is known.
    pub round_starts: Option<Vec<RoundStartIn>>,
    /// Who may see it.
    pub visibility: Option<VisibilityWord>,
    /// How rounds are paired.
    pub pairing: Option<PairingIn>,
    /// The criteria of the final order.
    pub ranking: Option<Vec<CriterionWord>>,
    /// How unplayed games count.
    pub unplayed: Option<UnplayedWord>,
    /// Drawn lots.
    pub lots: Option<Vec<Lot>>,
    /// What is asked of game records.
    pub records: Option<RecordsIn>,
    /// Who goes up (升段), as in the event file.
    #[schema(value_type = Option<Object>)]
    pub promotion: Option<Value>,
    /// Prizes, as in the event file.
    #[schema(value_type = Option<Object>)]
    pub prizes: Option<Value>,
    /// Why, for the log.
    pub reason: Option<String>,
}

impl EventChange {
    /// As the store takes it.
    ///
    /// # Errors
    /// `invalid` with every value that cannot be read.
    pub fn read(self) -> Result<EventPatch> {
        let mut faults = Faults::default();
        let komi = self.komi.as_deref().and_then(|text| komi(&mut faults, text));
        let lots = self.lots.map(|given| lots(&mut faults, &given));
        let pairing = self.pairing.unwrap_or_default().read(&mut faults);
        let records = self.records.unwrap_or_default().read(&mut faults);
        let awards = awards(self.promotion.as_ref(), self.prizes.as_ref())?;
        let time_zone = self
            .time_zone
            .map(|given| given.and_then(|text| zone(&mut faults, &text)));
        let starts = self.round_starts.map(|given| starts(&mut faults, &given));
        faults.none_or(EventPatch {
            promotion: self.promotion.map(|_| awards.promotion),
            prizes: self.prizes.map(|_| awards.prizes),
            time_zone,
            starts,
            slug: self.slug,
            name: self.name,
            rules: self.rules.map(Into::into),
            komi,
            place: self.place,
            starts_on: self.starts_on,
            visibility: self.visibility.map(Into::into),
            records,
            rounds_planned: self.rounds,
            first_round: self.first_round,
            pairing,
            criteria: self
                .ranking
                .map(|words| words.into_iter().map(|word| word.0).collect()),
            unplayed: self.unplayed.map(Into::into),
            lots,
        })
    }
}

/// How rounds are paired.
#[derive(Debug, Serialize, ToSchema)]
pub struct PairingOut {
    /// The order inside a score group.
    pub order: OrderWord,
    /// What it goes by, where it is `fold` or `slide`.
    pub order_by: OrderByWord,
    /// Which way numbers run.
    pub number_order: NumberOrderWord,
    /// Team mates are kept apart in rounds 1 to this one.
    pub avoid_team_rounds: u32,
    /// How much that matters.
    pub team_avoidance: TeamAvoidanceWord,
    /// Pairs that are never made.
    pub forbidden_pairs: Vec<[u32; 2]>,
    /// Pairs that are avoided in every round.
    pub unwanted_pairs: Vec<[u32; 2]>,
    /// The same colour in three games running.
    pub third_colour: ThirdColourWord,
    /// Who has Black when the balances are equal.
    pub colours: ColoursWord,
    /// Points for a bye.
    pub bye_score: i32,
    /// Points for a round missed with leave.
    pub absent_score: i32,
    /// Whether a pair decided by forfeit may be paired again.
    pub forfeits_may_meet_again: bool,
    /// Whether repeated floats are avoided.
    pub avoid_repeated_floats: bool,
    /// The score at which nobody is paired any more; null where there is none.
    pub stop_at: Option<i32>,
}

impl From<&PairingSettings> for PairingOut {
    fn from(pairing: &PairingSettings) -> Self {
        Self {
            order: pairing.order.into(),
            order_by: pairing.order_by.into(),
            number_order: pairing.number_order.into(),
            avoid_team_rounds: pairing.avoid_team_rounds,
            team_avoidance: pairing.team_avoidance.into(),
            forbidden_pairs: pairs_out(&pairing.forbidden_pairs),
            unwanted_pairs: pairs_out(&pairing.unwanted_pairs),
            third_colour: pairing.third_colour.into(),
            colours: pairing.colours.into(),
            bye_score: pairing.bye_score.0,
            absent_score: pairing.absent_score.0,
            forfeits_may_meet_again: pairing.forfeits_may_meet_again,
            avoid_repeated_floats: pairing.avoid_repeated_floats,
            stop_at: pairing.stop_at.map(|score| score.0),
        }
    }
}

fn pairs_out(pairs: &[(Number, Number)]) -> Vec<[u32; 2]> {
    pairs
        .iter()
        .map(|(one, other)| [one.get(), other.get()])
        .collect()
}

fn numbers_out(numbers: &[Number]) -> Vec<u32> {
    numbers.iter().map(|number| number.get()).collect()
}

/// An event and its settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventOut {
    /// The id; never changes.
    pub id: Uuid,
    /// The name in addresses.
    pub slug: String,
    /// The name.
    pub name: String,
    /// The version of the settings, for `If-Match`; directors only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// How many rounds are planned.
    pub rounds: u32,
    /// The first round recorded here.
    pub first_round: u32,
    /// The last published round; null before the first.
    pub last_published: Option<u32>,
    /// The round that waits to be published; directors only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<u32>,
    /// The format.
    pub system: SystemWord,
    /// The rules.
    pub rules: RulesWord,
    /// The komi, a decimal in the unit of the rules.
    pub komi: String,
    /// Where it is played.
    pub place: Option<String>,
    /// The day of the first round.
    pub starts_on: Option<NaiveDate>,
    /// The time zone, a name of the IANA database; null is that of the server.
    pub time_zone: Option<String>,
    /// When rounds begin.
    pub round_starts: Vec<RoundStartOut>,
    /// Who may see it.
    pub visibility: VisibilityWord,
    /// How rounds are paired.
    pub pairing: PairingOut,
    /// The criteria of the final order.
    pub ranking: Vec<CriterionWord>,
    /// How unplayed games count.
    pub unplayed: UnplayedWord,
    /// Drawn lots.
    pub lots: Vec<Lot>,
    /// What is asked of game records.
    pub records: RecordsOut,
    /// Who goes up (升段), as in the event file; null when nobody does.
    #[schema(value_type = Option<Object>)]
    pub promotion: Value,
    /// Prizes, as in the event file; null when there are none.
    #[schema(value_type = Option<Object>)]
    pub prizes: Value,
    /// Since when it is final and takes no change.
    pub final_since: Option<String>,
    /// How many entries there are.
    pub entries: usize,
    /// The log at the last publication: a later change to its past shows.
    pub log_head: Option<LogHeadOut>,
    /// When it was made.
    pub created_at: String,
    /// When the settings were changed last.
    pub updated_at: String,
}

/// The end of the log as it is public: what stands at the foot of pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LogHeadOut {
    /// The number of the act.
    pub seq: i64,
    /// Its hash, which covers everything before it.
    pub hash: String,
}

impl From<LogHead> for LogHeadOut {
    fn from(head: LogHead) -> Self {
        Self {
            seq: head.seq,
            hash: head.hash.to_string(),
        }
    }
}

impl EventOut {
    /// The event as a caller sees it.
    pub fn of(event: &Event, directs: bool) -> Self {
        let stage = &event.stage;
        let awards = interchange::event_file::awards_json(&event.awards);
        Self {
            id: event.id,
            slug: event.slug.clone(),
            name: event.name.clone(),
            version: directs.then_some(event.version),
            rounds: stage.rounds_planned,
            first_round: stage.first_round,
            last_published: event.last_published().map(|info| info.round),
            draft: event.draft().filter(|_| directs).map(|info| info.round),
            system: stage.format.into(),
            rules: event.rules.into(),
            komi: event.komi.to_string(),
            place: event.place.clone(),
            starts_on: event.starts_on,
            time_zone: event.schedule.zone_name().map(str::to_owned),
            round_starts: event
                .schedule
                .starts
                .iter()
                .map(|(round, local)| RoundStartOut {
                    round: *round,
                    local: local.format(LOCAL_TIME).to_string(),
                    at: event.schedule.moment(*local).map(|at| at.to_rfc3339()),
                })
                .collect(),
            visibility: event.visibility.into(),
            pairing: (&stage.pairing).into(),
            ranking: stage
                .ranking
                .criteria
                .iter()
                .copied()
                .map(CriterionWord)
                .collect(),
            unplayed: stage.ranking.unplayed.into(),
            lots: stage
                .ranking
                .lots
                .iter()
                .map(|(number, lot)| Lot {
                    number: number.get(),
                    lot: *lot,
                })
                .collect(),
            records: event.records.into(),
            promotion: awards["promotion"].clone(),
            prizes: awards["prizes"].clone(),
            final_since: event.frozen.as_ref().map(|frozen| moment(frozen.at)),
            entries: stage.entries.len(),
            log_head: event.head.map(Into::into),
            created_at: moment(event.created_at),
            updated_at: moment(event.updated_at),
        }
    }
}

/// An event in the list.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventLine {
    /// The id.
    pub id: Uuid,
    /// The name in addresses.
    pub slug: String,
    /// The name.
    pub name: String,
    /// Where it is played.
    pub place: Option<String>,
    /// The day of the first round.
    pub starts_on: Option<NaiveDate>,
    /// Who may see it.
    pub visibility: VisibilityWord,
    /// How many entries there are.
    pub entries: u32,
    /// How many rounds are planned.
    pub rounds: u32,
    /// The last published round; null before the first.
    pub last_published: Option<u32>,
    /// Boards of published rounds without a result.
    pub pending: u32,
    /// The tournament of which it is a group (组别); null for an event of its own.
    pub family: Option<FamilyName>,
}

/// A tournament of several groups, by its names.
#[derive(Debug, Serialize, ToSchema)]
pub struct FamilyName {
    /// The name in addresses.
    pub slug: String,
    /// The name.
    pub name: String,
}

impl From<EventSummary> for EventLine {
    fn from(event: EventSummary) -> Self {
        Self {
            id: event.id,
            slug: event.slug,
            name: event.name,
            place: event.place,
            starts_on: event.starts_on,
            visibility: event.visibility.into(),
            entries: event.entries,
            rounds: event.rounds_planned,
            last_published: event.last_published,
            pending: event.pending,
            family: event.family.map(|(slug, name)| FamilyName { slug, name }),
        }
    }
}

// ---------------------------------------------------------------- entries

/// What earlier rounds left behind, without the rounds themselves.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CarriedWord {
    /// Points from those rounds.
    #[serde(default)]
    pub score: i32,
    /// The colour played more often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<SideWord>,
    /// By how many games; 1 when only `balance` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance_size: Option<u32>,
    /// The numbers of the opponents met so far.
    #[serde(default)]
    pub met: Vec<u32>,
}

impl CarriedWord {
    /// As the store takes it.
    pub fn read(&self, path: &str, faults: &mut Faults) -> Carried {
        let size = match (self.balance, self.balance_size) {
            (None, Some(1..)) => {
                faults.add(
                    format!("{path}.balance_size"),
                    "size-without-balance",
                    "",
                    "balance_size without balance",
                );
                0
            }
            (None, _) => 0,
            (Some(_), size) => size.unwrap_or(1),
        };
        let size = i32::try_from(size).unwrap_or(i32::MAX);
        Carried {
            score: Score(self.score),
            balance: if self.balance == Some(SideWord::Black) {
                -size
            } else {
                size
            },
            met: self
                .met
                .iter()
                .enumerate()
                .filter_map(|(i, number)| faults.number(format!("{path}.met[{i}]"), *number))
                .collect(),
        }
    }
}

impl From<&Carried> for CarriedWord {
    fn from(carried: &Carried) -> Self {
        Self {
            score: carried.score.0,
            balance: carried.balance_side().map(Into::into),
            balance_size: carried.balance_side().map(|_| carried.balance.unsigned_abs()),
            met: carried.met.iter().map(|number| number.get()).collect(),
        }
    }
}

/// An entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryOut {
    /// The number (编号).
    pub number: u32,
    /// The name; for a withheld one, to whoever has no right in the event, the number in words.
    pub name: String,
    /// Whether the public reads the number instead of the name.
    pub name_withheld: bool,
    /// The club or team.
    pub team: Option<String>,
    /// The grade: `9p` … `1p`, `8d` … `1d`, `1k` … `32k`.
    pub grade: Option<String>,
    /// The rating.
    pub rating: Option<i32>,
    /// The category.
    pub category: Option<String>,
    /// Points before the first round.
    pub start_score: i32,
    /// Rounds that are sat out.
    pub absent_rounds: Vec<u32>,
    /// Rounds in which the bye is asked for.
    pub bye_rounds: Vec<u32>,
    /// Not paired after this round; null while taking part.
    pub withdrawn_after: Option<u32>,
    /// What is carried over.
    pub carried: Option<CarriedWord>,
}

impl From<&Entry> for EntryOut {
    fn from(entry: &Entry) -> Self {
        Self {
            number: entry.number.get(),
            name: entry.name.clone(),
            name_withheld: entry.name_withheld,
            team: entry.team.clone(),
            grade: entry.grade.map(|grade| grade.to_string()),
            rating: entry.rating,
            category: entry.category.clone(),
            start_score: entry.start_score.0,
            absent_rounds: entry.absent_rounds.clone(),
            bye_rounds: entry.bye_rounds.clone(),
            withdrawn_after: entry.withdrawn_after,
            carried: entry.carried.as_ref().map(Into::into),
        }
    }
}

// ---------------------------------------------------------------- rounds and results

/// Warnings in a game.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WarningsWord {
    /// To Black.
    pub black: u8,
    /// To White.
    pub white: u8,
}

impl From<WarningsWord> for Warnings {
    fn from(warnings: WarningsWord) -> Self {
        Self {
            black: warnings.black,
            white: warnings.white,
        }
    }
}

/// A board with its result.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardOut {
    /// The board (台次).
    pub board: u32,
    /// Who has Black.
    pub black: u32,
    /// Who has White.
    pub white: u32,
    /// Whether the colours come from nigiri and are not known yet: `black` is then just the player
    /// who is named first.
    pub nigiri: bool,
    /// The result; null while it is pending.
    pub result: Option<OutcomeWord>,
    /// How the game ended.
    pub by: Option<ByWord>,
    /// By how much, a decimal in the unit of the rules.
    pub margin: Option<String>,
    /// Warnings.
    pub warnings: WarningsWord,
    /// The version of the result, for `If-Match`; directors only. Versions count every act in an
    /// event, drafts included: their gaps would tell the public that there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

impl BoardOut {
    /// A board with its version, for directors.
    pub fn of(board: &Board, version: Option<i64>) -> Self {
        Self {
            board: board.board,
            black: board.black.get(),
            white: board.white.get(),
            nigiri: board.nigiri,
            result: board.result.map(Into::into),
            by: board.by.map(Into::into),
            margin: board.margin.map(|margin: Margin| margin.to_string()),
            warnings: WarningsWord {
                black: board.warnings.black,
                white: board.warnings.white,
            },
            version,
        }
    }
}

/// A result of an earlier round as it stood when a round was paired, and has changed since.
#[derive(Debug, Serialize, ToSchema)]
pub struct EarlierOut {
    /// The earlier round.
    pub round: u32,
    /// The board.
    pub board: u32,
    /// The result then; null for a board that was pending.
    pub result: Option<OutcomeWord>,
}

impl From<&EarlierResult> for EarlierOut {
    fn from(earlier: &EarlierResult) -> Self {
        Self {
            round: earlier.round,
            board: earlier.board,
            result: earlier.result.map(Into::into),
        }
    }
}

/// What a director had fixed before a round was paired.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChoicesOut {
    /// These two meet.
    pub fixed: Vec<[u32; 2]>,
    /// These two do not.
    pub apart: Vec<[u32; 2]>,
    /// These have the bye.
    pub byes: Vec<u32>,
    /// These sit out.
    pub sitting_out: Vec<u32>,
}

impl From<&Choices> for ChoicesOut {
    fn from(choices: &Choices) -> Self {
        Self {
            fixed: pairs_out(&choices.pairs),
            apart: pairs_out(&choices.apart),
            byes: numbers_out(&choices.byes),
            sitting_out: numbers_out(&choices.sitting_out),
        }
    }
}

/// A round.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoundOut {
    /// The round.
    pub round: u32,
    /// Draft or published.
    pub status: StatusWord,
    /// The version of the table, for `If-Match`; directors only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// 1 for the table as it was first published, one more for every later published one.
    pub edition: u32,
    /// When it was published.
    pub published_at: Option<String>,
    /// When a draft is published by itself; directors only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publish_at: Option<String>,
    /// When it was paired; directors only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired_at: Option<String>,
    /// Who paired it; directors only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired_by: Option<String>,
    /// The log when this table was published; null for a draft.
    pub log_head: Option<LogHeadOut>,
    /// Whether people have changed the table after the engine made it.
    pub by_hand: bool,
    /// The boards in order.
    pub boards: Vec<BoardOut>,
    /// Who has the bye.
    pub byes: Vec<u32>,
    /// Who was known to be absent.
    pub absent: Vec<u32>,
    /// What was fixed before it was paired.
    pub choices: ChoicesOut,
    /// The value of each criterion `P1` to `P6` when the pairing was made; null for a round that
    /// came in a file.
    #[schema(value_type = Option<Object>)]
    pub criteria: Option<Value>,
    /// What the best table without what was fixed would have reached; null where nothing was.
    #[schema(value_type = Option<Object>)]
    pub criteria_without_choices: Option<Value>,
    /// What the pairing had to say, board by board: `code`, `board`, the numbers, `text`.
    #[schema(value_type = Vec<Object>)]
    pub notes: Vec<Value>,
    /// Whether a result of an earlier round is another one now than when this was paired.
    pub made_on_earlier_results: bool,
    /// Which results those were, as they stood then.
    pub earlier_results: Vec<EarlierOut>,
}

impl RoundOut {
    /// A round as a caller sees it.
    pub fn of(round: &Round, info: &RoundInfo, directs: bool) -> Self {
        Self {
            round: round.round,
            status: info.status.into(),
            version: directs.then_some(info.version),
            edition: info.edition,
            published_at: info.published_at.map(moment),
            publish_at: info.publish_at.filter(|_| directs).map(moment),
            paired_at: directs.then(|| moment(info.paired_at)),
            paired_by: directs.then(|| info.paired_by.clone()),
            log_head: info.head.map(Into::into),
            by_hand: info.by_hand,
            boards: round
                .boards
                .iter()
                .map(|board| BoardOut::of(board, info.board_version(board.board).filter(|_| directs)))
                .collect(),
            byes: numbers_out(&round.byes),
            absent: numbers_out(&round.absent),
            choices: (&round.choices).into(),
            criteria: info.criteria.as_ref().map(interchange::criteria_json),
            criteria_without_choices: info.free_criteria.as_ref().map(interchange::criteria_json),
            notes: info.notes.iter().map(interchange::note_json).collect(),
            made_on_earlier_results: info.made_on_earlier_results,
            earlier_results: info.earlier_results.iter().map(Into::into).collect(),
        }
    }

    /// A round of an event by its number, when somebody in this role may see it; with the versions
    /// for everybody with a right in the event.
    ///
    /// # Errors
    /// `unknown-round`: for a draft and the public just as for a round that does not exist.
    pub fn find(event: &Event, round: u32, role: Option<Role>) -> Result<Self> {
        let drafts = role.is_some_and(Role::sees_all);
        event
            .round_info(round)
            .filter(|info| drafts || info.status == RoundStatus::Published)
            .and_then(|info| {
                let table = event.stage.rounds.iter().find(|table| table.round == round)?;
                Some(Self::of(table, info, role.is_some()))
            })
            .ok_or_else(|| Error::from(store::Refused::UnknownRound { round }))
    }
}
