//! The forms in which values lie in JSON columns and in the log. Read strictly: a word that is not
//! known is a fault of the stored data, never a default.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tournament::pairing::Note;
use tournament::{
    Board, Border, Carried, Choices, Colours, Criteria, Criterion, Entry, Format, InGroup, Number,
    NumberOrder, OrderBy, PairingOrder, Round, Score, TeamAvoidance, ThirdColour, Unplayed,
};

use crate::error::unreadable;
use crate::events::Event;
use crate::{Error, Result};

/// The words of a value that lies in a text column.
pub(crate) trait Word: Copy + Sized + 'static {
    /// Every value.
    const ALL: &'static [Self];
    /// Its word.
    fn word(self) -> &'static str;
    /// The value of a stored word.
    fn of(word: &str) -> Result<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|value| value.word() == word)
            .ok_or_else(|| unreadable(word))
    }
}

impl Word for Format {
    const ALL: &'static [Self] = &[Self::Swiss];
    fn word(self) -> &'static str {
        match self {
            Self::Swiss => "swiss",
        }
    }
}

/// Settings have their words in one place: where they are defined.
macro_rules! words_of_settings {
    ($($kind:ty),+ $(,)?) => {$(
        impl Word for $kind {
            const ALL: &'static [Self] = Self::ALL;
            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    )+};
}

words_of_settings!(
    PairingOrder,
    OrderBy,
    NumberOrder,
    TeamAvoidance,
    ThirdColour,
    Colours,
    Unplayed
);

impl Word for crate::events::Visibility {
    const ALL: &'static [Self] = &[Self::Public, Self::Hidden];
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for crate::events::RoundStatus {
    const ALL: &'static [Self] = &[Self::Draft, Self::Published];
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for crate::Scope {
    const ALL: &'static [Self] = &crate::Scope::ALL;
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for crate::Role {
    const ALL: &'static [Self] = &[
        Self::Admin,
        Self::Director,
        Self::Arbiter,
        Self::Viewer,
        Self::Player,
    ];
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for crate::Via {
    const ALL: &'static [Self] = &Self::ALL;
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for crate::records::Status {
    const ALL: &'static [Self] = &[Self::Current, Self::Replaced, Self::Withdrawn];
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for rules::OnRepetition {
    const ALL: &'static [Self] = &Self::ALL;
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for rules::Colour {
    const ALL: &'static [Self] = &[Self::Black, Self::White];
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for rules::Unit {
    const ALL: &'static [Self] = &[Self::Stones, Self::Points];
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for rules::Standing {
    const ALL: &'static [Self] = &[
        Self::Legal,
        Self::Illegal,
        Self::Referee,
        Self::Uncertain,
        Self::NoResult,
        Self::Draw,
        Self::Replay,
    ];
    fn word(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Illegal => "illegal",
            Self::Referee => "referee",
            Self::Uncertain => "uncertain",
            Self::NoResult => "no_result",
            Self::Draw => "draw",
            Self::Replay => "replay",
        }
    }
}

impl Word for rules::RecordedKind {
    const ALL: &'static [Self] = &[
        Self::Score,
        Self::Resign,
        Self::Time,
        Self::Forfeit,
        Self::Judge,
        Self::Draw,
        Self::Void,
        Self::BothLose,
        Self::Unspecified,
        Self::Other,
        Self::Unknown,
    ];
    fn word(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Resign => "resign",
            Self::Time => "time",
            Self::Forfeit => "forfeit",
            Self::Judge => "judge",
            Self::Draw => "draw",
            Self::Void => "void",
            Self::BothLose => "both_lose",
            Self::Unspecified => "unspecified",
            Self::Other => "other",
            Self::Unknown => "unknown",
        }
    }
}

impl Word for crate::log::Action {
    const ALL: &'static [Self] = &Self::ALL;
    fn word(self) -> &'static str {
        self.as_str()
    }
}

/// A stored number of an entry.
pub(crate) fn number(stored: i32) -> Result<Number> {
    u32::try_from(stored)
        .ok()
        .and_then(Number::new)
        .ok_or_else(|| unreadable(stored))
}

/// A stored count that cannot be negative.
pub(crate) fn count(stored: impl TryInto<u32> + Copy + std::fmt::Display) -> Result<u32> {
    stored.try_into().map_err(|_| unreadable(stored))
}

/// A count as it is stored; what is too large is refused by the column's constraint, or matches no row.
pub(crate) fn stored(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The ranking as a list: a word for each criterion, an object for one with numbers.
pub(crate) fn ranking(criteria: &[Criterion]) -> Value {
    criteria
        .iter()
        .map(|criterion| match criterion {
            Criterion::OpponentsScoreCut { low, high } => {
                json!({"criterion": criterion.as_str(), "low": low, "high": high})
            }
            _ => json!(criterion.as_str()),
        })
        .collect()
}

/// The criteria of a stored ranking.
pub(crate) fn criteria_of_ranking(value: &Value) -> Result<Vec<Criterion>> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        Word(String),
        Cut(Cut),
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Cut {
        criterion: String,
        low: u8,
        high: u8,
    }
    let forms: Vec<Form> = read(value)?;
    forms
        .into_iter()
        .map(|form| match form {
            Form::Word(word) => Criterion::ALL
                .into_iter()
                .filter(|criterion| !matches!(criterion, Criterion::OpponentsScoreCut { .. }))
                .find(|criterion| criterion.as_str() == word)
                .ok_or_else(|| unreadable(word)),
            Form::Cut(Cut { criterion, low, high }) => {
                let cut = Criterion::OpponentsScoreCut { low, high };
                (cut.as_str() == criterion)
                    .then_some(cut)
                    .ok_or_else(|| unreadable(criterion))
            }
        })
        .collect()
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T> {
    T::deserialize(value).map_err(|error| Error::Unreadable(format!("{value}: {error}")))
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupForm {
    group: i32,
    count: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BorderForm {
    above: i32,
    below: i32,
    pairs: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CriteriaForm {
    repeats: u32,
    repeat_meetings: u32,
    repeats_just_before: u32,
    bye_so_far: u32,
    bye_score: i32,
    floats: Vec<BorderForm>,
    float_squares: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    team_mates_first: bool,
    team_mates: Vec<GroupForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    third_colour: Vec<GroupForm>,
    same_colour_twice: Vec<GroupForm>,
    same_colour: Vec<GroupForm>,
    repeated_floats: Vec<GroupForm>,
}

fn groups(values: &[InGroup]) -> Vec<GroupForm> {
    values
        .iter()
        .map(|value| GroupForm {
            group: value.group.0,
            count: value.count,
        })
        .collect()
}

fn groups_of(forms: Vec<GroupForm>) -> Vec<InGroup> {
    forms
        .into_iter()
        .map(|form| InGroup {
            group: Score(form.group),
            count: form.count,
        })
        .collect()
}

/// The values of the criteria.
pub(crate) fn criteria(criteria: &Criteria) -> Value {
    json!(CriteriaForm {
        repeats: criteria.repeats,
        repeat_meetings: criteria.repeat_meetings,
        repeats_just_before: criteria.repeats_just_before,
        bye_so_far: criteria.bye_so_far,
        bye_score: criteria.bye_score.0,
        floats: criteria
            .floats
            .iter()
            .map(|border| BorderForm {
                above: border.above.0,
                below: border.below.0,
                pairs: border.pairs,
            })
            .collect(),
        float_squares: criteria.float_squares,
        team_mates_first: criteria.team_mates_first,
        team_mates: groups(&criteria.team_mates),
        third_colour: groups(&criteria.third_colour),
        same_colour_twice: groups(&criteria.same_colour_twice),
        same_colour: groups(&criteria.same_colour),
        repeated_floats: groups(&criteria.repeated_floats),
    })
}

/// The criteria of a stored value.
pub(crate) fn criteria_of(value: &Value) -> Result<Criteria> {
    let form: CriteriaForm = read(value)?;
    Ok(Criteria {
        repeats: form.repeats,
        repeat_meetings: form.repeat_meetings,
        repeats_just_before: form.repeats_just_before,
        bye_so_far: form.bye_so_far,
        bye_score: Score(form.bye_score),
        floats: form
            .floats
            .into_iter()
            .map(|border| Border {
                above: Score(border.above),
                below: Score(border.below),
                pairs: border.pairs,
            })
            .collect(),
        float_squares: form.float_squares,
        team_mates_first: form.team_mates_first,
        team_mates: groups_of(form.team_mates),
        third_colour: groups_of(form.third_colour),
        same_colour_twice: groups_of(form.same_colour_twice),
        same_colour: groups_of(form.same_colour),
        repeated_floats: groups_of(form.repeated_floats),
    })
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case", deny_unknown_fields)]
enum NoteForm {
    Repeat {
        board: u32,
        black: i32,
        white: i32,
        times: u32,
    },
    Float {
        board: u32,
        down: i32,
        up: i32,
    },
    RepeatedFloat {
        board: u32,
        number: i32,
    },
    SameColour {
        board: u32,
        black: i32,
        white: i32,
    },
    TeamMates {
        board: u32,
        black: i32,
        white: i32,
    },
    Unwanted {
        board: u32,
        black: i32,
        white: i32,
    },
    ThirdColour {
        board: u32,
        number: i32,
    },
    Fixed {
        board: u32,
        black: i32,
        white: i32,
    },
    FurtherBye {
        number: i32,
    },
}

/// The notes of a pairing.
pub(crate) fn notes(notes: &[Note]) -> Value {
    let n = |number: Number| stored(number.get());
    notes
        .iter()
        .map(|note| {
            json!(match *note {
                Note::Repeat {
                    board,
                    black,
                    white,
                    times,
                } => NoteForm::Repeat {
                    board,
                    black: n(black),
                    white: n(white),
                    times,
                },
                Note::Float { board, down, up } => NoteForm::Float {
                    board,
                    down: n(down),
                    up: n(up),
                },
                Note::RepeatedFloat { board, number } => NoteForm::RepeatedFloat {
                    board,
                    number: n(number),
                },
                Note::SameColour { board, black, white } => NoteForm::SameColour {
                    board,
                    black: n(black),
                    white: n(white),
                },
                Note::TeamMates { board, black, white } => NoteForm::TeamMates {
                    board,
                    black: n(black),
                    white: n(white),
                },
                Note::Unwanted { board, black, white } => NoteForm::Unwanted {
                    board,
                    black: n(black),
                    white: n(white),
                },
                Note::ThirdColour { board, number } => NoteForm::ThirdColour {
                    board,
                    number: n(number),
                },
                Note::Fixed { board, black, white } => NoteForm::Fixed {
                    board,
                    black: n(black),
                    white: n(white),
                },
                Note::FurtherBye { number } => NoteForm::FurtherBye { number: n(number) },
            })
        })
        .collect()
}

/// The notes of a stored value.
pub(crate) fn notes_of(value: &Value) -> Result<Vec<Note>> {
    let forms: Vec<NoteForm> = read(value)?;
    forms
        .into_iter()
        .map(|form| {
            Ok(match form {
                NoteForm::Repeat {
                    board,
                    black,
                    white,
                    times,
                } => Note::Repeat {
                    board,
                    black: number(black)?,
                    white: number(white)?,
                    times,
                },
                NoteForm::Float { board, down, up } => Note::Float {
                    board,
                    down: number(down)?,
                    up: number(up)?,
                },
                NoteForm::RepeatedFloat { board, number: n } => Note::RepeatedFloat {
                    board,
                    number: number(n)?,
                },
                NoteForm::SameColour { board, black, white } => Note::SameColour {
                    board,
                    black: number(black)?,
                    white: number(white)?,
                },
                NoteForm::TeamMates { board, black, white } => Note::TeamMates {
                    board,
                    black: number(black)?,
                    white: number(white)?,
                },
                NoteForm::Unwanted { board, black, white } => Note::Unwanted {
                    board,
                    black: number(black)?,
                    white: number(white)?,
                },
                NoteForm::ThirdColour { board, number: n } => Note::ThirdColour {
                    board,
                    number: number(n)?,
                },
                NoteForm::Fixed { board, black, white } => Note::Fixed {
                    board,
                    black: number(black)?,
                    white: number(white)?,
                },
                NoteForm::FurtherBye { number: n } => Note::FurtherBye { number: number(n)? },
            })
        })
        .collect()
}

/// How the start of a round is told.
pub(crate) const START: &str = "%Y-%m-%d %H:%M";

/// The settings of an event, by the names of the event file.
pub(crate) fn settings(event: &Event) -> Map<String, Value> {
    let stage = &event.stage;
    let awards = interchange::event_file::awards_json(&event.awards);
    let lots: Map<String, Value> = stage
        .ranking
        .lots
        .iter()
        .map(|(number, lot)| (number.to_string(), json!(lot)))
        .collect();
    let starts: Map<String, Value> = event
        .schedule
        .starts
        .iter()
        .map(|(round, at)| (round.to_string(), json!(at.format(START).to_string())))
        .collect();
    object(json!({
        "name": event.name,
        "slug": event.slug,
        "rules": event.rules.slug(),
        "komi": event.komi.to_string(),
        "place": event.place,
        "starts_on": event.starts_on,
        "time_zone": event.schedule.zone_name(),
        "round_starts": (!starts.is_empty()).then_some(starts),
        "visibility": event.visibility.as_str(),
        "system": stage.format.word(),
        "rounds": stage.rounds_planned,
        "first_round": stage.first_round,
        "order": stage.pairing.order.word(),
        "order_by": stage.pairing.order_by.word(),
        "number_order": stage.pairing.number_order.word(),
        "avoid_team_rounds": stage.pairing.avoid_team_rounds,
        "team_avoidance": stage.pairing.team_avoidance.word(),
        "forbidden_pairs": pairs(&stage.pairing.forbidden_pairs),
        "unwanted_pairs": pairs(&stage.pairing.unwanted_pairs),
        "third_colour": stage.pairing.third_colour.word(),
        "colours": stage.pairing.colours.word(),
        "bye_score": stage.pairing.bye_score.0,
        "absent_score": stage.pairing.absent_score.0,
        "forfeits_may_meet_again": stage.pairing.forfeits_may_meet_again,
        "avoid_repeated_floats": stage.pairing.avoid_repeated_floats,
        "stop_at": stage.pairing.stop_at.map(|score| score.0),
        "ranking": ranking(&stage.ranking.criteria),
        "unplayed": stage.ranking.unplayed.word(),
        "lots": lots,
        "board_size": event.records.board_size,
        "repetition": event.records.repetition.map(Word::word),
        "records_from_players": event.records.from_players,
        "promotion": awards["promotion"],
        "prizes": awards["prizes"],
    }))
}

fn pairs(pairs: &[(Number, Number)]) -> Value {
    pairs
        .iter()
        .map(|(one, other)| json!([one.get(), other.get()]))
        .collect()
}

fn numbers(numbers: &[Number]) -> Value {
    numbers.iter().map(|number| number.get()).collect()
}

/// What was fixed before a round was paired, by the names of the event file.
pub(crate) fn choices(choices: &Choices) -> Value {
    json!({
        "pairs": pairs(&choices.pairs),
        "apart": pairs(&choices.apart),
        "byes": numbers(&choices.byes),
        "sitting_out": numbers(&choices.sitting_out),
    })
}

fn carried(carried: &Carried) -> Value {
    json!({
        "score": carried.score.0,
        "balance": carried.balance,
        "met": numbers(&carried.met),
    })
}

/// An entry, by the names of the event file.
pub(crate) fn entry(entry: &Entry) -> Map<String, Value> {
    object(json!({
        "number": entry.number.get(),
        "name": entry.name,
        "name_withheld": entry.name_withheld,
        "team": entry.team,
        "grade": entry.grade.map(|grade| grade.to_string()),
        "rating": entry.rating,
        "category": entry.category,
        "start_score": entry.start_score.0,
        "absent_rounds": entry.absent_rounds,
        "bye_rounds": entry.bye_rounds,
        "withdrawn_after": entry.withdrawn_after,
        "carried": entry.carried.as_ref().map(carried),
    }))
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The result of a board with its players, by the names of the event file.
pub(crate) fn board(board: &Board) -> Value {
    let mut value = json!({
        "black": board.black.get(),
        "white": board.white.get(),
        "result": board.result.map(tournament::Outcome::as_str),
        "by": board.by.map(tournament::By::as_str),
        "margin": board.margin.map(|margin| margin.to_string()),
        "warnings": {"black": board.warnings.black, "white": board.warnings.white},
    });
    if board.nigiri {
        value["nigiri"] = true.into();
    }
    value
}

/// The table of a round without results.
pub(crate) fn table(round: &Round) -> Map<String, Value> {
    let boards: Vec<Value> = round
        .boards
        .iter()
        .map(|board| {
            let mut value =
                json!({"board": board.board, "black": board.black.get(), "white": board.white.get()});
            if board.nigiri {
                value["nigiri"] = true.into();
            }
            value
        })
        .collect();
    object(json!({
        "boards": boards,
        "byes": numbers(&round.byes),
        "absent": numbers(&round.absent),
    }))
}

/// Two tables of one round, down to what differs.
pub(crate) fn table_difference(before: &Round, after: &Round) -> (Value, Value) {
    let (mut before, mut after) = (table(before), table(after));
    let lists = |map: &Map<String, Value>| map["boards"].as_array().cloned().unwrap_or_default();
    let (old, new) = (lists(&before), lists(&after));
    let only = |these: &[Value], not_those: &[Value]| -> Value {
        these
            .iter()
            .filter(|board| !not_those.contains(board))
            .cloned()
            .collect()
    };
    before.insert("boards".into(), only(&old, &new));
    after.insert("boards".into(), only(&new, &old));
    for list in ["byes", "absent"] {
        if before[list] == after[list] {
            before.shift_remove(list);
            after.shift_remove(list);
        }
    }
    (Value::Object(before), Value::Object(after))
}

/// Two objects, down to the fields that differ; none when nothing does.
pub(crate) fn difference(before: &Map<String, Value>, after: &Map<String, Value>) -> Option<(Value, Value)> {
    let changed: Vec<&String> = after
        .keys()
        .filter(|key| before.get(*key) != after.get(*key))
        .collect();
    if changed.is_empty() {
        return None;
    }
    let only = |map: &Map<String, Value>| {
        changed
            .iter()
            .map(|key| ((*key).clone(), map.get(*key).cloned().unwrap_or_default()))
            .collect()
    };
    Some((Value::Object(only(before)), Value::Object(only(after))))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
