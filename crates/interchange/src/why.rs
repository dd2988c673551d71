//! The reasons of a pairing as JSON: stable codes for programs, plain English for people.

use serde_json::{Value, json};
use tournament::pairing::why::{
    Bar, BoardReasons, ByeKind, ByeReason, Change, Choice, NotMet, Proof, Property, PropertyReason, Reached,
    Reasons, Without,
};
use tournament::{Measure, Number, Score, Side};

fn colour(side: Side) -> &'static str {
    match side {
        Side::Black => "Black",
        Side::White => "White",
    }
}

fn word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// The report of a round: `round`, `values` (criterion, measure, group, reached, least, proof),
/// `boards` and `byes`. Boards with nothing unusual about them have no `properties`.
pub fn reasons_json(reasons: &Reasons) -> Value {
    json!({
        "round": reasons.round,
        "values": reasons.values.iter().map(reached_json).collect::<Vec<_>>(),
        "boards": reasons.boards.iter().map(board_reasons_json).collect::<Vec<_>>(),
        "byes": reasons.byes.iter().map(bye_reason_json).collect::<Vec<_>>(),
    })
}

/// The report of a round in English, a line for each criterion that is not zero and for each thing
/// that is unusual.
pub fn reasons_text(reasons: &Reasons) -> String {
    let mut lines: Vec<String> = reasons
        .values
        .iter()
        .filter(|value| value.reached != 0)
        .map(|value| format!("{} {}", value.measure.criterion(), reached_text(value)))
        .collect();
    if lines.is_empty() {
        lines.push("Nothing speaks against this table: every criterion is zero".to_owned());
    }
    let then = |without: Option<&Without>, what: &str| {
        without.map_or_else(String::new, |without| {
            format!("; {}", without_text(without, what))
        })
    };
    for board in &reasons.boards {
        for reason in &board.properties {
            lines.push(format!(
                "board {}: {}{}",
                board.board,
                property_text(reason.property),
                then(reason.without.as_ref(), condition(reason.property))
            ));
        }
    }
    for bye in &reasons.byes {
        lines.push(format!(
            "{}{}",
            bye_text(bye),
            then(bye.without.as_ref(), OTHER_BYE)
        ));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// What is changed to see what would be without something unusual.
fn condition(property: Property) -> &'static str {
    match property {
        Property::Float { .. } | Property::RepeatedFloat { .. } => "without this float",
        _ => "without this pair",
    }
}

const OTHER_BYE: &str = "with the bye for somebody else";

fn reached_json(value: &Reached) -> Value {
    json!({
        "criterion": value.measure.criterion(),
        "measure": value.measure.code(),
        "group": value.group.map(|group| group.0),
        "reached": value.reached,
        "least": value.least,
        "proof": value.proof.code(),
        "text": reached_text(value),
    })
}

/// What a round reached in one criterion and why it is not less, in English.
pub fn reached_text(value: &Reached) -> String {
    let counted = counted(value.measure, value.group, value.reached);
    let because = match value.proof {
        Proof::Nothing => return counted,
        Proof::EveryTable => "every possible table was tried, and none has less".to_owned(),
        Proof::Counting => "counting shows that no table has less".to_owned(),
        Proof::Certificate => "a certificate proves that no table has less".to_owned(),
        Proof::Better => format!("a table with {} exists", value.least),
        Proof::Open => format!("at least {} is proved", value.least),
    };
    format!("{counted}; {because}")
}

fn counted(measure: Measure, group: Option<Score>, count: i64) -> String {
    format!("{measure}{}: {count}", measure.place(group))
}

fn instead(change: &Change) -> String {
    format!(
        "{}{}, {} instead of {}",
        change.measure,
        change.measure.place(change.group),
        change.to,
        change.from
    )
}

/// What there is to say of a board: `board`, `first`, `second`, `chosen`, `properties` and `without`,
/// what the best table without this pair is like; null where that was not asked.
pub fn board_reasons_json(board: &BoardReasons) -> Value {
    json!({
        "board": board.board,
        "first": board.first.get(),
        "second": board.second.get(),
        "chosen": board.chosen,
        "properties": board.properties.iter().map(property_json).collect::<Vec<_>>(),
        "without": board.without.as_ref().map(|without| without_json(without, "without this pair")),
    })
}

fn property_json(reason: &PropertyReason) -> Value {
    let mut value = json!({ "code": reason.property.code() });
    match reason.property {
        Property::Repeat { times, just_before } => {
            value["times"] = times.into();
            value["just_before"] = just_before.into();
        }
        Property::Float { down, up } => {
            value["down"] = down.get().into();
            value["up"] = up.get().into();
        }
        Property::RepeatedFloat { number, down } => {
            value["number"] = number.get().into();
            value["down"] = down.into();
        }
        Property::ThirdColour { side } => value["colour"] = word(side).into(),
        Property::SameColour { owed, twice } => {
            value["owed"] = word(owed).into();
            value["twice"] = twice.into();
        }
        Property::TeamMates | Property::Unwanted => {}
    }
    let (measure, group) = reason.counted;
    value["criterion"] = measure.criterion().into();
    value["measure"] = measure.code().into();
    value["group"] = group.map(|group| group.0).into();
    value["text"] = property_text(reason.property).into();
    let what = condition(reason.property);
    let without = reason.without.as_ref();
    value["without"] = without
        .map(|without| without_json(without, what))
        .unwrap_or_default();
    value
}

/// What is unusual about a board, in English.
pub fn property_text(property: Property) -> String {
    match property {
        Property::Repeat { times, just_before } => format!(
            "the two have met before, {times} time{}{}",
            if times == 1 { "" } else { "s" },
            if just_before {
                ", once in the round just before"
            } else {
                ""
            }
        ),
        Property::Float { down, up } => format!("{down} floats down to meet {up}"),
        Property::RepeatedFloat { number, down } => {
            format!("{number} floats {} again", if down { "down" } else { "up" })
        }
        Property::TeamMates => "the two are of one team".to_owned(),
        Property::Unwanted => "the two are a pair to avoid".to_owned(),
        Property::ThirdColour { side } => format!(
            "both had {} in their last two games, so one of them has it a third time",
            colour(side)
        ),
        Property::SameColour { owed, twice } => format!(
            "both are owed {}{}",
            colour(owed),
            if twice { ", by two games or more" } else { "" }
        ),
    }
}

fn without_json(without: &Without, what: &str) -> Value {
    let mut value = json!({ "code": without.code() });
    match without {
        Without::NoTable => {}
        Without::Worse(change) | Without::Better(change) => value["change"] = change_json(change),
        Without::ListOrder(choice) => value["choice"] = choice_json(choice),
    }
    value["text"] = without_text(without, what).into();
    value
}

fn change_json(change: &Change) -> Value {
    json!({
        "criterion": change.measure.criterion(),
        "measure": change.measure.code(),
        "group": change.group.map(|group| group.0),
        "from": change.from,
        "to": change.to,
    })
}

fn choice_json(choice: &Choice) -> Value {
    match choice {
        Choice::Bye { number, instead } => {
            json!({ "code": "bye", "number": number.get(), "instead": instead.get() })
        }
        Choice::Float { number, instead } => {
            json!({ "code": "float", "number": number.get(), "instead": instead.get() })
        }
        Choice::Partner {
            number,
            takes,
            instead,
        } => json!({
            "code": "partner", "number": number.get(), "takes": takes.get(), "instead": instead.get(),
        }),
        Choice::None => json!({ "code": "none" }),
    }
}

/// What the best table under another condition is like, in English. `what` is the condition:
/// “without this pair”.
pub fn without_text(without: &Without, what: &str) -> String {
    match without {
        Without::NoTable => format!("{what} there is no table at all"),
        Without::Worse(change) => {
            format!(
                "{what} {} is worse: {}",
                change.measure.criterion(),
                instead(change)
            )
        }
        Without::Better(change) => format!(
            "{what} {} is better: {}; this table was changed by hand, or made on other results",
            change.measure.criterion(),
            instead(change)
        ),
        Without::ListOrder(choice) => {
            format!(
                "{what} another table is as good on P1 to P6, and list order decides{}",
                choice_text(choice)
            )
        }
    }
}

fn choice_text(choice: &Choice) -> String {
    match choice {
        Choice::Bye { number, instead } => {
            format!(": the bye goes to the last for whom it is allowed, to {number} rather than {instead}")
        }
        Choice::Float { number, instead } => format!(
            ": whoever comes first in the list stays in the group, so {number} floats rather than {instead}"
        ),
        Choice::Partner {
            number,
            takes,
            instead,
        } => format!(": {number} takes the first who is allowed, {takes} rather than {instead}"),
        Choice::None => String::new(),
    }
}

/// Why somebody has the bye: `number`, `kind` (asked, chosen, odd) and `without`.
pub fn bye_reason_json(bye: &ByeReason) -> Value {
    json!({
        "number": bye.number.get(),
        "kind": bye.kind.code(),
        "text": bye_text(bye),
        "without": bye.without.as_ref().map(|without| without_json(without, OTHER_BYE)),
    })
}

/// Why somebody has the bye, in English.
pub fn bye_text(bye: &ByeReason) -> String {
    match bye.kind {
        ByeKind::Asked => format!("{} asked for the bye", bye.number),
        ByeKind::Chosen => format!("the director gave {} the bye", bye.number),
        ByeKind::Odd => format!(
            "an odd number of players is paired, and {} has the bye",
            bye.number
        ),
    }
}

/// Why two players did not meet: `code`, the numbers, a `text`, and what belongs to the code.
pub fn not_met_json(one: Number, other: Number, reason: &NotMet) -> Value {
    let mut value = json!({
        "first": one.get(), "second": other.get(), "code": reason.code(), "text": not_met_text(one, other, reason),
    });
    match reason {
        NotMet::Meet { board } => value["board"] = (*board).into(),
        NotMet::NotPaired { number } | NotMet::Chosen { number } => value["number"] = number.get().into(),
        NotMet::Barred(_) => {}
        NotMet::With { met, then } => {
            value["met"] = met.clone().into();
            match then {
                Without::NoTable => {}
                Without::Worse(change) | Without::Better(change) => value["change"] = change_json(change),
                Without::ListOrder(choice) => value["choice"] = choice_json(choice),
            }
        }
    }
    value
}

/// Why two players did not meet, in English.
pub fn not_met_text(one: Number, other: Number, reason: &NotMet) -> String {
    match reason {
        NotMet::Meet { board } => format!("{one} and {other} meet at board {board}"),
        NotMet::NotPaired { number } => format!("{number} is not paired in this round"),
        NotMet::Chosen { number } => format!("the director fixed what {number} does in this round"),
        NotMet::Barred(bar) => match bar {
            Bar::ForbiddenPair => format!("{one} and {other} are a forbidden pair"),
            Bar::TeamMates => {
                format!("{one} and {other} are of one team, and team mates are never paired in this round")
            }
            Bar::ThirdColour(side) => format!(
                "{one} and {other} both had {} in their last two games, and a third time is forbidden",
                colour(*side)
            ),
            Bar::Apart => format!("the director keeps {one} and {other} apart in this round"),
        },
        NotMet::With { met, then } => {
            let rounds: Vec<String> = met.iter().map(ToString::to_string).collect();
            let met = match &rounds[..] {
                [] => String::new(),
                [round] => format!("{one} and {other} met in round {round}; "),
                rounds => format!("{one} and {other} met in rounds {}; ", rounds.join(", ")),
            };
            format!(
                "{met}{}",
                without_text(then, &format!("with {one} against {other}"))
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(number: u32) -> Number {
        Number::new(number).expect("a number")
    }

    #[test]
    fn a_board_says_what_is_unusual_and_what_would_be_without_it() {
        let worse = Without::Worse(Change {
            measure: Measure::SameColour,
            group: Some(Score(4)),
            from: 0,
            to: 1,
        });
        let board = BoardReasons {
            board: 3,
            first: n(57),
            second: n(2),
            chosen: false,
            properties: vec![PropertyReason {
                property: Property::Float {
                    down: n(57),
                    up: n(2),
                },
                counted: (Measure::FloatsAcross, Some(Score(6))),
                without: Some(worse),
            }],
            without: Some(Without::ListOrder(Choice::Partner {
                number: n(57),
                takes: n(2),
                instead: n(4),
            })),
        };
        assert_eq!(
            board_reasons_json(&board),
            json!({
                "board": 3, "first": 57, "second": 2, "chosen": false,
                "properties": [{
                    "code": "float", "down": 57, "up": 2,
                    "criterion": "P3", "measure": "floats", "group": 6,
                    "text": "57 floats down to meet 2",
                    "without": {
                        "code": "worse",
                        "change": { "criterion": "P5", "measure": "same_colour", "group": 4, "from": 0, "to": 1 },
                        "text": "without this float P5 is worse: pairs both owed the same colour in score group 4, 1 instead of 0",
                    },
                }],
                "without": {
                    "code": "list-order",
                    "choice": { "code": "partner", "number": 57, "takes": 2, "instead": 4 },
                    "text": "without this pair another table is as good on P1 to P6, and list order decides: 57 takes the first who is allowed, 2 rather than 4",
                },
            })
        );
    }

    #[test]
    fn two_who_did_not_meet_are_told_why() {
        let text = |reason: NotMet| not_met_text(n(3), n(8), &reason);
        assert_eq!(
            text(NotMet::Barred(Bar::ForbiddenPair)),
            "3 and 8 are a forbidden pair"
        );
        assert_eq!(
            text(NotMet::With {
                met: vec![1, 4],
                then: Without::Worse(Change {
                    measure: Measure::Repeats,
                    group: None,
                    from: 0,
                    to: 1
                })
            }),
            "3 and 8 met in rounds 1, 4; with 3 against 8 P1 is worse: pairs that have met, 1 instead of 0"
        );
        assert_eq!(
            text(NotMet::With {
                met: Vec::new(),
                then: Without::NoTable
            }),
            "with 3 against 8 there is no table at all"
        );
    }
}
