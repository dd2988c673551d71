//! The event as values: entries, results, scores, standings, pairing and its checker.
//!
//! Everything here is a pure function of its arguments. Time, chance, files and the
//! database are outside; seeds and moments come in as values.

pub mod certificate;
pub mod criteria;
pub mod draw;
pub mod entry;
pub mod grade;
pub mod measure;
pub mod prizes;
pub mod promotion;
pub mod result;
pub mod round;
pub mod score;
pub mod settings;
pub mod stage;
pub mod standings;
pub mod tally;
pub mod validate;

pub mod checker;
pub mod pairing;
pub mod simulate;

pub use certificate::Certificate;
pub use criteria::{Border, Criteria, InGroup};
pub use entry::{Carried, Entry, Number};
pub use grade::Grade;
pub use measure::Measure;
pub use prizes::{Awards, Prize, Prizes};
pub use promotion::Promotion;
pub use result::{By, Margin, Outcome, Side, Warnings};
pub use round::{Board, Choices, Round};
pub use score::Score;
pub use settings::{
    Colours, Criterion, NumberOrder, OrderBy, PairingOrder, PairingSettings, Ranking, TeamAvoidance,
    ThirdColour, Unplayed,
};
pub use stage::{Format, Stage};
pub use standings::{Standings, standings};
pub use tally::{EntryTally, Kind, Played, tally};
