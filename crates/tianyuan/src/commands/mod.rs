//! One file for each command: its arguments, what it does, how it speaks.

pub mod backup;
pub mod check;
pub mod database;
pub mod doctor;
pub mod pair;
pub mod record;
pub mod restore;
mod samples;
pub mod serve;
pub mod simulate;
pub mod standings;
pub mod user;

use tournament::Criteria;

/// The criteria of a pairing in one line.
fn criteria_line(criteria: &Criteria) -> String {
    let sum = |counts: &[tournament::InGroup]| counts.iter().map(|count| count.count).sum::<u32>();
    let across: u32 = criteria.floats.iter().map(|border| border.pairs).sum();
    format!(
        "P1 repeats {}; P2 bye score {}, byes before {}; P3 floats {across}, squares {}; P4 team mates {}; P5 same colour {}, twice {}; P6 repeated floats {}",
        criteria.repeats,
        criteria.bye_score,
        criteria.bye_so_far,
        criteria.float_squares,
        sum(&criteria.team_mates),
        sum(&criteria.same_colour),
        sum(&criteria.same_colour_twice),
        sum(&criteria.repeated_floats),
    )
}
