//! The fields of the pairing's settings, on the page of a new event and on that of the settings.

use axum::http::StatusCode;
use store::events::PairingPatch;
use tournament::{
    Colours, Number, NumberOrder, OrderBy, PairingOrder, PairingSettings, Score, Stage, TeamAvoidance,
    ThirdColour,
};

use super::{Fields, picks};
use crate::errors::{Error, FieldProblem, Problem, Result};
use crate::i18n::Language;

/// A choice among words.
#[derive(Clone, Debug, Default)]
pub struct Select {
    /// The field, and the key of its label.
    pub name: &'static str,
    /// What it is.
    pub label: String,
    /// What it means.
    pub hint: String,
    /// The words and what they say.
    pub options: Vec<(String, String)>,
    /// The chosen word.
    pub chosen: String,
}

/// A text that is typed.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    /// The field.
    pub name: &'static str,
    /// What it is.
    pub label: String,
    /// What it means.
    pub hint: String,
    /// What was typed.
    pub value: String,
    /// Whether it is a list, a line each.
    pub lines: bool,
}

/// Fields that belong together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// What they are about.
    pub legend: String,
    /// The choices.
    pub selects: Vec<Select>,
    /// The texts.
    pub texts: Vec<Typed>,
}

/// What was typed, by the name of the field.
#[derive(Clone, Debug, Default)]
pub struct PairingForm(Vec<(&'static str, String)>);

/// Every field.
const NAMES: [&str; 14] = [
    "order",
    "order_by",
    "number_order",
    "avoid_team_rounds",
    "team_avoidance",
    "forbidden_pairs",
    "unwanted_pairs",
    "third_colour",
    "colours",
    "bye_score",
    "absent_score",
    "avoid_repeated_floats",
    "forfeits_may_meet_again",
    "stop_at",
];

impl PairingForm {
    /// What was sent.
    pub fn sent(fields: &Fields) -> Self {
        let sent = NAMES
            .into_iter()
            .filter(|name| fields.0.iter().any(|(key, _)| key == name));
        Self(sent.map(|name| (name, fields.get(name).to_owned())).collect())
    }

    /// The settings of an event.
    pub fn of(stage: &Stage) -> Self {
        let PairingSettings {
            order,
            order_by,
            number_order,
            avoid_team_rounds,
            team_avoidance,
            forbidden_pairs,
            unwanted_pairs,
            third_colour,
            colours,
            bye_score,
            absent_score,
            forfeits_may_meet_again,
            avoid_repeated_floats,
            stop_at,
        } = &stage.pairing;
        Self(vec![
            ("order", order.as_str().to_owned()),
            ("order_by", order_by.as_str().to_owned()),
            ("number_order", number_order.as_str().to_owned()),
            ("avoid_team_rounds", avoid_team_rounds.to_string()),
            ("team_avoidance", team_avoidance.as_str().to_owned()),
            ("forbidden_pairs", picks::pairs_text(stage, forbidden_pairs)),
            ("unwanted_pairs", picks::pairs_text(stage, unwanted_pairs)),
            ("third_colour", third_colour.as_str().to_owned()),
            ("colours", colours.as_str().to_owned()),
            ("bye_score", bye_score.to_string()),
            ("absent_score", absent_score.to_string()),
            (
                "avoid_repeated_floats",
                yes_or_no(*avoid_repeated_floats).to_owned(),
            ),
            (
                "forfeits_may_meet_again",
                yes_or_no(*forfeits_may_meet_again).to_owned(),
            ),
            (
                "stop_at",
                stop_at.map(|score| score.to_string()).unwrap_or_default(),
            ),
        ])
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.as_str())
    }

    /// A field that says something.
    fn said(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    fn word<T>(&self, name: &str, of: fn(&str) -> Option<T>) -> Result<Option<T>> {
        self.said(name)
            .map(|word| of(word).ok_or_else(|| wrong("not-a-choice", word)))
            .transpose()
    }

    fn score(&self, name: &str) -> Result<Option<Score>> {
        self.said(name)
            .map(|text| text.parse().map(Score).map_err(|_| wrong("not-a-score", text)))
            .transpose()
    }

    fn truth(&self, name: &str) -> Result<Option<bool>> {
        self.word(name, |word| match word {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        })
    }

    fn pairs(
        &self,
        name: &str,
        stage: &Stage,
        faults: &mut Vec<FieldProblem>,
    ) -> Option<Vec<(Number, Number)>> {
        match picks::pairs(stage, self.get(name)?) {
            Ok(pairs) => Some(pairs),
            Err(wrong) => {
                faults.extend(wrong.into_iter().map(|fault| FieldProblem {
                    path: name.to_owned(),
                    ..fault
                }));
                None
            }
        }
    }

    /// What it changes; what was not sent, and a choice that says nothing, stay as they are.
    ///
    /// # Errors
    /// A value that cannot be, or every line of pairs that names nobody.
    pub fn read(&self, stage: &Stage) -> Result<PairingPatch> {
        let mut faults = Vec::new();
        let patch = PairingPatch {
            order: self.word("order", PairingOrder::from_word)?,
            order_by: self.word("order_by", OrderBy::from_word)?,
            number_order: self.word("number_order", NumberOrder::from_word)?,
            avoid_team_rounds: self
                .said("avoid_team_rounds")
                .map(|text| text.parse().map_err(|_| wrong("not-rounds", text)))
                .transpose()?,
            team_avoidance: self.word("team_avoidance", TeamAvoidance::from_word)?,
            forbidden_pairs: self.pairs("forbidden_pairs", stage, &mut faults),
            unwanted_pairs: self.pairs("unwanted_pairs", stage, &mut faults),
            third_colour: self.word("third_colour", ThirdColour::from_word)?,
            colours: self.word("colours", Colours::from_word)?,
            bye_score: self.score("bye_score")?,
            absent_score: self.score("absent_score")?,
            forfeits_may_meet_again: self.truth("forfeits_may_meet_again")?,
            avoid_repeated_floats: self.truth("avoid_repeated_floats")?,
            stop_at: match self.get("stop_at") {
                None => None,
                Some(_) => Some(self.score("stop_at")?),
            },
        };
        if faults.is_empty() {
            Ok(patch)
        } else {
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid")
                .faults(faults)
                .into())
        }
    }

    /// The fields in their groups; of a new event without those of pairs, as there is nobody yet.
    pub fn groups(&self, t: Language, new: bool) -> Vec<Group> {
        let label = |name: &str| t.say(&format!("pairing-{}", name.replace('_', "-")));
        let hint = |name: &str| t.say(&format!("pairing-{}-hint", name.replace('_', "-")));
        let select = |name: &'static str, words: &[&str]| Select {
            name,
            label: label(name),
            hint: hint(name),
            options: words
                .iter()
                .map(|word| ((*word).to_owned(), option(t, name, word)))
                .collect(),
            chosen: self.get(name).unwrap_or_default().to_owned(),
        };
        let typed = |name: &'static str, lines: bool| Typed {
            name,
            label: label(name),
            hint: hint(name),
            value: self.get(name).unwrap_or_default().to_owned(),
            lines,
        };
        let mut teams = vec![typed("avoid_team_rounds", false)];
        if !new {
            teams.extend([typed("forbidden_pairs", true), typed("unwanted_pairs", true)]);
        }
        let yes_no = ["yes", "no"];
        vec![
            Group {
                legend: t.say("pairing-group-order"),
                selects: vec![
                    select("order", &all(PairingOrder::ALL, PairingOrder::as_str)),
                    select("order_by", &all(OrderBy::ALL, OrderBy::as_str)),
                    select("number_order", &all(NumberOrder::ALL, NumberOrder::as_str)),
                ],
                texts: Vec::new(),
            },
            Group {
                legend: t.say("pairing-group-teams"),
                selects: vec![select(
                    "team_avoidance",
                    &all(TeamAvoidance::ALL, TeamAvoidance::as_str),
                )],
                texts: teams,
            },
            Group {
                legend: t.say("pairing-group-colours"),
                selects: vec![
                    select("colours", &all(Colours::ALL, Colours::as_str)),
                    select("third_colour", &all(ThirdColour::ALL, ThirdColour::as_str)),
                ],
                texts: Vec::new(),
            },
            Group {
                legend: t.say("pairing-group-points"),
                selects: vec![
                    select("bye_score", &["2", "1", "0"]),
                    select("absent_score", &["0", "1"]),
                    select("avoid_repeated_floats", &yes_no),
                    select("forfeits_may_meet_again", &yes_no),
                ],
                texts: vec![typed("stop_at", false)],
            },
        ]
    }
}

/// A word of a setting as the page and the log say it.
pub fn option(t: Language, field: &str, word: &str) -> String {
    let key = format!("pairing-{}-{word}", field.replace('_', "-"));
    match word {
        "yes" | "no" => t.say(word),
        _ if t.knows(&key) => t.say(&key),
        _ => word.to_owned(),
    }
}

fn all<T: Copy>(choices: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
    choices.iter().map(|choice| word(*choice)).collect()
}

fn yes_or_no(truth: bool) -> &'static str {
    if truth { "yes" } else { "no" }
}

fn wrong(code: &'static str, found: &str) -> Error {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
        .arg("found", found)
        .into()
}
