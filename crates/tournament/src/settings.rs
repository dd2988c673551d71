//! The choices of an event: how it is paired and how it is ranked.

use crate::entry::Number;
use crate::score::Score;

/// Gives every word of a setting one place: as event files, programs and the database spell it.
macro_rules! words {
    ($kind:ty { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $kind {
            /// All of them, the default one first.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word of event files.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// What a word of event files stands for.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

/// How score groups are paired (pairing specification, section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairingOrder {
    /// By number (编号序), the order of the Chinese association's own program.
    #[default]
    Classic,
    /// By lots (随机编排): the draw's seed shuffles everybody.
    Random,
    /// The upper half against the lower half (高低对折): 1 – n/2+1.
    Fold,
    /// The first against the last (首尾): 1 – n, 2 – n−1.
    Slide,
}

words!(PairingOrder { Classic = "classic", Random = "random", Fold = "fold", Slide = "slide" });

/// What makes the order inside a score group for [`PairingOrder::Fold`] and [`PairingOrder::Slide`].
/// Equal ones, and those without it, follow by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderBy {
    /// Higher rating first.
    #[default]
    Rating,
    /// Higher grade first.
    Grade,
    /// Smaller number first.
    Number,
}

words!(OrderBy { Rating = "rating", Grade = "grade", Number = "number" });

/// Which way numbers run inside a score group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberOrder {
    /// Ascending in odd rounds, descending in even ones.
    #[default]
    Alternate,
    /// Always ascending.
    Ascending,
    /// Always descending.
    Descending,
}

words!(NumberOrder { Alternate = "alternate", Ascending = "ascending", Descending = "descending" });

/// How much it matters that team mates are kept apart (P4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TeamAvoidance {
    /// After floats: team mates meet rather than float.
    #[default]
    Soft,
    /// Before floats: players float rather than meet a team mate.
    Strong,
    /// Always: team mates are never paired.
    Absolute,
}

words!(TeamAvoidance { Soft = "soft", Strong = "strong", Absolute = "absolute" });

/// Whether somebody may have the same colour in three games running (P5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThirdColour {
    /// It may happen.
    #[default]
    Allowed,
    /// Before the other colour criteria, as few as possible.
    Avoided,
    /// Never: such a pair is not made.
    Forbidden,
}

words!(ThirdColour { Allowed = "allowed", Avoided = "avoided", Forbidden = "forbidden" });

/// Who has Black when both balances are equal, and whether colours are assigned at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// Whoever comes first in the round's number order has Black.
    #[default]
    Number,
    /// Whoever had White in the last game has Black; where that decides nothing, by number.
    Alternate,
    /// The draw's seed decides.
    Lots,
    /// Nobody: colours come from nigiri (猜先) at the board, and no criterion looks at them.
    Nigiri,
}

words!(Colours { Number = "number", Alternate = "alternate", Lots = "lots", Nigiri = "nigiri" });

/// Settings of the pairing. [`Default`] is the classic profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingSettings {
    /// The order inside a score group.
    pub order: PairingOrder,
    /// What the order goes by, where it is fold or slide.
    pub order_by: OrderBy,
    /// The direction of numbers.
    pub number_order: NumberOrder,
    /// Team mates are kept apart in rounds 1 to this one.
    pub avoid_team_rounds: u32,
    /// How much that matters.
    pub team_avoidance: TeamAvoidance,
    /// Pairs that are never made in any round, the smaller number first: brothers and sisters, say.
    pub forbidden_pairs: Vec<(Number, Number)>,
    /// Pairs that are avoided in every round as team mates are in the first ones, the smaller
    /// number first. Never absolute.
    pub unwanted_pairs: Vec<(Number, Number)>,
    /// The same colour three times running.
    pub third_colour: ThirdColour,
    /// Who has Black when balances are equal.
    pub colours: Colours,
    /// Points for a bye: 2, 1 or 0.
    pub bye_score: Score,
    /// Points for a round missed with leave, before a late entry or after a withdrawal: 0 or 1.
    pub absent_score: Score,
    /// A pair that was decided by forfeit may be paired again.
    pub forfeits_may_meet_again: bool,
    /// Whether repeated floats are avoided (P6).
    pub avoid_repeated_floats: bool,
    /// Who has this score or more has reached the standard and is not paired any more.
    pub stop_at: Option<Score>,
}

impl Default for PairingSettings {
    fn default() -> Self {
        Self {
            order: PairingOrder::Classic,
            order_by: OrderBy::Rating,
            number_order: NumberOrder::Alternate,
            avoid_team_rounds: 1,
            team_avoidance: TeamAvoidance::Soft,
            forbidden_pairs: Vec::new(),
            unwanted_pairs: Vec::new(),
            third_colour: ThirdColour::Allowed,
            colours: Colours::Number,
            bye_score: Score::WIN,
            absent_score: Score::ZERO,
            forfeits_may_meet_again: false,
            avoid_repeated_floats: true,
            stop_at: None,
        }
    }
}

impl PairingSettings {
    /// Whether a round can only be paired with the seed of a draw.
    pub fn needs_seed(&self) -> bool {
        self.order == PairingOrder::Random || self.colours == Colours::Lots
    }
}

/// How unplayed games count in sums of opponents' scores (rules specification, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unplayed {
    /// A forfeited game counts with the score of the opponent who was paired; a round without an
    /// opponent counts nothing.
    #[default]
    Opponent,
    /// A virtual opponent: the player's own score before the round, what the round left the
    /// opponent (a win leaves nothing, a bye worth two likewise), and a draw for every round after it.
    Virtual,
    /// Nothing: only played games count.
    Nothing,
}

words!(Unplayed { Opponent = "opponent", Virtual = "virtual", Nothing = "nothing" });

/// One tie-break or other criterion of the final order. `opponents_score` and its relatives sum
/// over the rounds up to the one that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// Score (积分).
    Score,
    /// Total score (总得分), method A of Art. 27.1 ②.
    TotalScore,
    /// Opponents' score (对手分, SOS).
    OpponentsScore,
    /// Opponents' score without the lowest and highest so many (去高低分).
    OpponentsScoreCut {
        /// How many of the lowest are left out.
        low: u8,
        /// How many of the highest are left out.
        high: u8,
    },
    /// Scores of opponents beaten plus half of those drawn with (胜者小分, SODOS, Sonneborn-Berger).
    BeatenOpponentsScore,
    /// Sum of the running scores after each round (累进分).
    RunningScore,
    /// Running score without the first rounds, one more at a time (逐轮减).
    RunningCut,
    /// Direct encounter (直胜), when all tied players have met.
    DirectEncounter,
    /// The best opponents beaten, one by one (所胜最优对手).
    BestBeaten,
    /// Opponents' opponents' score (SOSOS).
    OpponentsOpponentsScore,
    /// Games won.
    Wins,
    /// Games won as White (后手胜局).
    WinsAsWhite,
    /// Fewer warnings (Art. 24, 27).
    FewerWarnings,
    /// Higher rating (等级分).
    Rating,
    /// Smaller number (编号).
    Number,
    /// Drawn lots (抽签).
    Lots,
}

impl Criterion {
    /// The word of the event file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::TotalScore => "total_score",
            Self::OpponentsScore => "opponents_score",
            Self::OpponentsScoreCut { .. } => "opponents_score_cut",
            Self::BeatenOpponentsScore => "beaten_opponents_score",
            Self::RunningScore => "running_score",
            Self::RunningCut => "running_cut",
            Self::DirectEncounter => "direct_encounter",
            Self::BestBeaten => "best_beaten",
            Self::OpponentsOpponentsScore => "opponents_opponents_score",
            Self::Wins => "wins",
            Self::WinsAsWhite => "wins_as_white",
            Self::FewerWarnings => "fewer_warnings",
            Self::Rating => "rating",
            Self::Number => "number",
            Self::Lots => "lots",
        }
    }

    /// All criteria; the cut one with one low and one high score left out.
    pub const ALL: [Self; 16] = [
        Self::Score,
        Self::TotalScore,
        Self::OpponentsScore,
        Self::OpponentsScoreCut { low: 1, high: 1 },
        Self::BeatenOpponentsScore,
        Self::RunningScore,
        Self::RunningCut,
        Self::DirectEncounter,
        Self::BestBeaten,
        Self::OpponentsOpponentsScore,
        Self::Wins,
        Self::WinsAsWhite,
        Self::FewerWarnings,
        Self::Rating,
        Self::Number,
        Self::Lots,
    ];
}

/// How places are made: criteria in order, and how unplayed games count in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The criteria, the first one deciding first. Entries equal in all of them share a place.
    pub criteria: Vec<Criterion>,
    /// How unplayed games count in opponents' sums.
    pub unplayed: Unplayed,
    /// Drawn lots: the number drawn by each entry that drew one, the smaller before.
    pub lots: Vec<(Number, u32)>,
}

impl Ranking {
    /// The association's order of 2025: score, opponents' score, direct encounter, best opponents beaten, lots.
    pub fn association_2025() -> Self {
        Self::of(&[
            Criterion::Score,
            Criterion::OpponentsScore,
            Criterion::DirectEncounter,
            Criterion::BestBeaten,
            Criterion::Lots,
        ])
    }

    /// Method A of Art. 27.1 ②: total score, then as in the round robin.
    pub fn method_a() -> Self {
        Self::of(&[
            Criterion::TotalScore,
            Criterion::BeatenOpponentsScore,
            Criterion::FewerWarnings,
            Criterion::Lots,
        ])
    }

    /// Method B of Art. 27.1 ②: score, opponents' score, then as in the round robin.
    pub fn method_b() -> Self {
        Self::of(&[
            Criterion::Score,
            Criterion::OpponentsScore,
            Criterion::BeatenOpponentsScore,
            Criterion::FewerWarnings,
            Criterion::Lots,
        ])
    }

    /// The round robin of Art. 27.1 ①.
    pub fn round_robin() -> Self {
        Self::of(&[
            Criterion::Score,
            Criterion::BeatenOpponentsScore,
            Criterion::FewerWarnings,
            Criterion::Lots,
        ])
    }

    /// These criteria, unplayed games by default, no lots drawn yet.
    pub fn of(criteria: &[Criterion]) -> Self {
        Self {
            criteria: criteria.to_vec(),
            unplayed: Unplayed::default(),
            lots: Vec::new(),
        }
    }
}
