//! What a table reached on each criterion, and what a director should look at.

use std::collections::BTreeMap;

use super::Note;
use super::choices::Fixed;
use super::cost::{Digit, of_pair};
use super::engine::Table;
use super::field::Field;
use crate::criteria::{Border, Criteria, InGroup};
use crate::entry::Number;
use crate::result::Side;
use crate::round::Board;
use crate::settings::{Colours, TeamAvoidance, ThirdColour};

/// The value of each criterion.
pub(super) fn criteria(field: &Field, table: &Table) -> Criteria {
    let groups = field.groups.len();
    let zeros = || vec![0_u32; groups];
    let (mut across, mut teams, mut floats) = (zeros(), zeros(), zeros());
    let (mut third, mut twice, mut same) = (zeros(), zeros(), zeros());
    let mut criteria = Criteria {
        team_mates_first: field.team_avoidance == TeamAvoidance::Strong,
        ..Criteria::default()
    };
    let count = |value: u64| u32::try_from(value).expect("a count of players");
    for pair in table.groups.iter().flatten() {
        of_pair(field, pair.first, pair.second, |digit, value| match digit {
            Digit::Repeat => criteria.repeats += count(value),
            Digit::Meetings => criteria.repeat_meetings += count(value),
            Digit::JustBefore => criteria.repeats_just_before += count(value),
            Digit::Across(border) => across[border] += count(value),
            Digit::Square => criteria.float_squares += value,
            Digit::TeamMates(group) => teams[group] += count(value),
            Digit::ThirdColour(group) => third[group] += count(value),
            Digit::SameColourTwice(group) => twice[group] += count(value),
            Digit::SameColour(group) => same[group] += count(value),
            Digit::RepeatedFloats(group) => floats[group] += count(value),
            Digit::ByesSoFar | Digit::ByeGroup => {}
        });
    }
    if let Some(bye) = table.bye {
        criteria.bye_so_far = field.players[bye].byes;
        criteria.bye_score = field.players[bye].score;
    }
    criteria.floats = field
        .groups
        .windows(2)
        .zip(across)
        .map(|(groups, pairs)| Border {
            above: groups[0].score,
            below: groups[1].score,
            pairs,
        })
        .collect();
    let by_group = |counts: Vec<u32>| -> Vec<InGroup> {
        field
            .groups
            .iter()
            .zip(counts)
            .map(|(group, count)| InGroup {
                group: group.score,
                count,
            })
            .collect()
    };
    if field.colours != Colours::Nigiri {
        criteria.same_colour_twice = by_group(twice);
        criteria.same_colour = by_group(same);
    }
    if field.third_colour == ThirdColour::Avoided {
        criteria.third_colour = by_group(third);
    }
    if field.teams_apart || field.unwanted.is_some() {
        criteria.team_mates = by_group(teams);
    }
    if field.floats_counted {
        criteria.repeated_floats = by_group(floats);
    }
    criteria
}

/// The notes, board by board.
pub(super) fn notes(field: &Field, boards: &[Board], fixed: &Fixed, bye: Option<usize>) -> Vec<Note> {
    let mut notes = Vec::new();
    let places: BTreeMap<Number, usize> = (0..)
        .zip(&field.players)
        .map(|(at, player)| (player.number, at))
        .collect();
    let place = |number| places.get(&number).copied();
    for &Board {
        board, black, white, ..
    } in boards
    {
        let (Some(one), Some(other)) = (place(black), place(white)) else {
            continue;
        };
        let (high, low) = (one.min(other), one.max(other));
        if fixed.pairs.contains(&(high, low)) {
            notes.push(Note::Fixed { board, black, white });
        }
        of_pair(field, high, low, |digit, value| match digit {
            Digit::Meetings => {
                let times = u32::try_from(value).unwrap_or(u32::MAX);
                notes.push(Note::Repeat {
                    board,
                    black,
                    white,
                    times,
                });
            }
            Digit::Square => {
                let (down, up) = (field.players[high].number, field.players[low].number);
                notes.push(Note::Float { board, down, up });
            }
            Digit::TeamMates(_) => notes.push(if field.team_mates(high, low) && field.teams_apart {
                Note::TeamMates { board, black, white }
            } else {
                Note::Unwanted { board, black, white }
            }),
            Digit::ThirdColour(_) => {
                let third = match field.players[high].streak {
                    Some(Side::White) => white,
                    _ => black,
                };
                notes.push(Note::ThirdColour { board, number: third });
            }
            Digit::SameColour(_) => notes.push(Note::SameColour { board, black, white }),
            Digit::RepeatedFloats(_) => {
                for (repeated, player) in [
                    (field.players[high].floated_down, high),
                    (field.players[low].floated_up, low),
                ] {
                    if repeated {
                        notes.push(Note::RepeatedFloat {
                            board,
                            number: field.players[player].number,
                        });
                    }
                }
            }
            Digit::Repeat
            | Digit::JustBefore
            | Digit::ByesSoFar
            | Digit::ByeGroup
            | Digit::Across(_)
            | Digit::SameColourTwice(_) => {}
        });
    }
    if let Some(bye) = bye.filter(|_| !fixed.byes.is_empty()) {
        let number = field.players[bye].number;
        notes.push(Note::FurtherBye { number });
    }
    notes
}
