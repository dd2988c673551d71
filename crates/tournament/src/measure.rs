//! What the pairing criteria P1 to P6 count, by name (pairing specification, section 2).

use std::fmt;

use crate::score::Score;

/// What is counted: the parts of the criteria P1 to P6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// P1: pairs that have met.
    Repeats,
    /// P1: how often those have met, summed.
    RepeatMeetings,
    /// P1: pairs that met in the round just before.
    RepeatsJustBefore,
    /// P2: byes and wins by forfeit of the bye's player so far.
    ByeSoFar,
    /// P2: the score of the bye's player.
    ByeScore,
    /// P3: pairs across a border between score groups.
    FloatsAcross,
    /// P3: squares of the score differences.
    FloatSquares,
    /// P4: pairs of team mates, and unwanted pairs, in a group.
    TeamMates,
    /// P5: pairs in a group in which one has the same colour for the third game running.
    ThirdColour,
    /// P5: pairs in a group both owed the same colour by two games or more.
    SameColourTwice,
    /// P5: pairs in a group both owed the same colour.
    SameColour,
    /// P6: players in a group floating again in the same direction.
    RepeatedFloats,
}

impl Measure {
    /// All of them, in the order of the specification.
    pub const ALL: [Self; 12] = [
        Self::Repeats,
        Self::RepeatMeetings,
        Self::RepeatsJustBefore,
        Self::ByeSoFar,
        Self::ByeScore,
        Self::FloatsAcross,
        Self::FloatSquares,
        Self::TeamMates,
        Self::ThirdColour,
        Self::SameColourTwice,
        Self::SameColour,
        Self::RepeatedFloats,
    ];

    /// The criterion: `P1` to `P6`.
    pub fn criterion(self) -> &'static str {
        match self {
            Self::Repeats | Self::RepeatMeetings | Self::RepeatsJustBefore => "P1",
            Self::ByeSoFar | Self::ByeScore => "P2",
            Self::FloatsAcross | Self::FloatSquares => "P3",
            Self::TeamMates => "P4",
            Self::ThirdColour | Self::SameColourTwice | Self::SameColour => "P5",
            Self::RepeatedFloats => "P6",
        }
    }

    /// A stable word for programs and translations: the field of [`Criteria`].
    pub fn code(self) -> &'static str {
        match self {
            Self::Repeats => "repeats",
            Self::RepeatMeetings => "repeat_meetings",
            Self::RepeatsJustBefore => "repeats_just_before",
            Self::ByeSoFar => "bye_so_far",
            Self::ByeScore => "bye_score",
            Self::FloatsAcross => "floats",
            Self::FloatSquares => "float_squares",
            Self::TeamMates => "team_mates",
            Self::ThirdColour => "third_colour",
            Self::SameColourTwice => "same_colour_twice",
            Self::SameColour => "same_colour",
            Self::RepeatedFloats => "repeated_floats",
        }
    }

    /// What a [`code`](Self::code) stands for.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.code() == code)
    }

    /// Where it is counted, in words after a number: empty without a group.
    pub fn place(self, group: Option<Score>) -> String {
        match (self, group) {
            (Self::FloatsAcross, Some(above)) => format!(" below score {above}"),
            (_, Some(group)) => format!(" in score group {group}"),
            (_, None) => String::new(),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Repeats => "pairs that have met",
            Self::RepeatMeetings => "earlier meetings of those pairs",
            Self::RepeatsJustBefore => "pairs that met in the round just before",
            Self::ByeSoFar => "earlier byes and wins by forfeit of the bye's player",
            Self::ByeScore => "score of the bye's player",
            Self::FloatsAcross => "pairs across the border",
            Self::FloatSquares => "squares of the score differences",
            Self::TeamMates => "pairs of team mates or unwanted pairs",
            Self::ThirdColour => "pairs with the same colour for the third time running",
            Self::SameColourTwice => "pairs both owed the same colour by two games or more",
            Self::SameColour => "pairs both owed the same colour",
            Self::RepeatedFloats => "players floating again in the same direction",
        })
    }
}
