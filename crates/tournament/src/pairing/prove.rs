//! The certificate of a table: why no other one is better on P1 to P6, for somebody who does not
//! trust this program. It is verified by the checker before it is given out.

use std::collections::{BTreeMap, BTreeSet};

use super::cost::Digit;
use super::duals;
use super::engine;
use super::field::Field;
use crate::certificate::{self, Certificate, Duals, Least, OddSet, Shared, Whole};
use crate::checker;
use crate::measure::Measure;
use crate::round::Round;
use crate::settings::{Colours, ThirdColour};
use crate::stage::Stage;

/// Up to so many players a certificate with dual values is made without being asked for: a second or
/// two of work.
const VALUED: usize = 2000;

/// A certificate for a round of a stage, as it was paired or as a draft: by counting where that is
/// enough, by dual values where not. `None` when the table is not the best one for those who have a
/// place in it, on the results of the rounds before as they are now; and where counting does not prove
/// it and the field has more than 2,000 players.
pub fn certificate(stage: &Stage, table: &Round) -> Option<Certificate> {
    by_counting(stage, table).or_else(|| {
        let few = table.boards.len() * 2 <= VALUED;
        few.then(|| by_duals(stage, table)).flatten()
    })
}

/// A certificate by counting alone; `None` where that does not prove the table.
pub fn by_counting(stage: &Stage, table: &Round) -> Option<Certificate> {
    let (before, _) = super::as_recorded(stage, table);
    let judged = checker::judge(&before, table);
    let proved = !judged.values.is_empty() && judged.values.iter().all(|value| value.reached == value.least);
    proved.then(|| {
        let values = judged.values.iter();
        let least = values.map(|value| Least {
            measure: value.measure,
            group: value.group,
            least: value.least,
        });
        Certificate::Counting(least.collect())
    })
}

/// A certificate with dual values for everybody; `None` when the table is not the best one.
pub fn by_duals(stage: &Stage, table: &Round) -> Option<Certificate> {
    let (before, request) = super::as_recorded(stage, table);
    let field = super::field_of(&before, &request)?;
    let duals = engine::duals(&field, false)
        .filter(|_| checker::reached(&before, table).repeats == 0)
        .or_else(|| engine::duals(&field, true))?;
    let certificate = Certificate::Duals(written(&field, duals));
    checker::verify(&before, table, &certificate).ok()?;
    Some(certificate)
}

/// The dual values by number, with the digits that the round's criteria have.
fn written(field: &Field, duals: duals::Duals) -> Duals {
    let digits = duals.places.into_iter().filter_map(|(digit, bit, width)| {
        let (measure, group) = measure(field, digit)?;
        Some(certificate::Digit {
            measure,
            group: group.map(|group| field.groups[group].score),
            bit: u32::try_from(bit).ok()?,
            width: u32::try_from(width).ok()?,
        })
    });
    let number = |player: usize| field.players[player].number;
    let players = field.players.len();
    let mut shared: BTreeMap<Whole, Vec<_>> = BTreeMap::new();
    let mut bye = None;
    for (vertex, value) in duals.vertices.into_iter().enumerate() {
        if vertex < players {
            shared.entry(value).or_default().push(number(vertex));
        } else {
            bye = Some(value);
        }
    }
    let by_value = shared.into_iter().map(|(value, mut players)| {
        players.sort_unstable();
        Shared { value, players }
    });
    let sets = duals.sets.into_iter().map(|(vertices, value)| {
        let members: BTreeSet<_> = vertices
            .iter()
            .filter(|vertex| **vertex < players)
            .map(|v| number(*v))
            .collect();
        OddSet {
            value,
            players: members.into_iter().collect(),
            bye: vertices.last() == Some(&players),
        }
    });
    let mut shared: Vec<Shared> = by_value.collect();
    shared.sort_by_key(|shared| shared.players[0]);
    let mut sets: Vec<OddSet> = sets.collect();
    sets.sort_by(|one, other| one.players.cmp(&other.players));
    Duals {
        digits: digits.collect(),
        players: shared,
        bye,
        sets,
    }
}

/// What a digit counts; `None` for one that this round's criteria do not have.
fn measure(field: &Field, digit: Digit) -> Option<(Measure, Option<usize>)> {
    let teams = field.teams_apart || field.unwanted.is_some();
    let colours = field.colours != Colours::Nigiri;
    Some(match digit {
        Digit::Repeat => (Measure::Repeats, None),
        Digit::Meetings => (Measure::RepeatMeetings, None),
        Digit::JustBefore => (Measure::RepeatsJustBefore, None),
        Digit::ByesSoFar => (Measure::ByeSoFar, None),
        Digit::ByeGroup => (Measure::ByeScore, None),
        Digit::Across(border) => (Measure::FloatsAcross, Some(border)),
        Digit::Square => (Measure::FloatSquares, None),
        Digit::TeamMates(group) if teams => (Measure::TeamMates, Some(group)),
        Digit::ThirdColour(group) if field.third_colour == ThirdColour::Avoided => {
            (Measure::ThirdColour, Some(group))
        }
        Digit::SameColourTwice(group) if colours => (Measure::SameColourTwice, Some(group)),
        Digit::SameColour(group) if colours => (Measure::SameColour, Some(group)),
        Digit::RepeatedFloats(group) if field.floats_counted => (Measure::RepeatedFloats, Some(group)),
        _ => return None,
    })
}
