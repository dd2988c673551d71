//! What was noticed in a record: by the reader in its text, by the judge in its game.

use crate::komi::Komi;
use crate::outcome::Recorded;
use crate::point::{Colour, Point, Sides};
use crate::rule_set::{OnRepetition, RuleSet, Unit};

/// A place in the file as it came in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Bytes before it.
    pub offset: usize,
    /// Its line, from 1.
    pub line: u32,
    /// Its column in characters, from 1.
    pub column: u32,
}

/// One thing that was noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// Where in the file, when it is about one place there.
    pub place: Option<Place>,
    /// The move that it is about, from 1.
    pub move_number: Option<u32>,
    /// The point that it is about.
    pub point: Option<Point>,
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// Good to know; the record is as good as without it.
    Note,
    /// Something was read that was not written so, or two things contradict one another.
    Warning,
    /// The record does not say enough to certify the game: a point that cannot be read, stones set up in
    /// the middle of the game.
    Broken,
    /// A move that only a referee can have let stand.
    Referee,
    /// A move that the rules forbid.
    Illegal,
}

/// The kind of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RepetitionKind {
    /// A single ko retaken at once (Art. 19).
    BasicKo,
    /// Two stones are sent and one comes back (送二还一).
    SendingTwoReturningOne,
    /// Two kos taken in turn (双劫循环).
    DoubleKo,
    /// Three kos taken in turn (三劫循环).
    TripleKo,
    /// Four kos or more (四劫循环).
    QuadrupleKo,
    /// A throw-in of two stones on each side, over and over (长生).
    EternalLife,
    /// A dead shape kept alive by threats in a double ko (假生).
    FalseLife,
    /// Round-robin ko (循环劫): a cycle with kos in which a side loses more than one stone at once.
    RoundRobinKo,
    /// A side took its own stones, and the position stands as before.
    Suicide,
    /// None of these.
    Other,
}

/// A position that came again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The move after which the position stood first; 0 is the start.
    pub first: u32,
    /// The move after which it stands again.
    pub second: u32,
    /// Moves in between: second − first.
    pub cycle: u32,
    /// Stones that each side lost on the way.
    pub lost: Sides<u32>,
    /// Whether the same side is to move both times.
    pub same_to_move: bool,
    /// What kind of cycle it is.
    pub kind: RepetitionKind,
    /// What it means for this game: by the rule set, or by the event's setting. `None` when the rules let
    /// it pass: another side is to move, or somebody passed in between, and they look at that.
    pub ruling: Option<OnRepetition>,
}

/// What it is that the same side moves twice in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Twice {
    /// A handicap stone that is written as a move: Black's moves before White's first, as many as HA or the
    /// event says.
    Handicap,
    /// A pass is left out: the other side plays no stone any more, and nothing is captured any more.
    PassLeftOut,
    /// A pass left out or a move too many; a second move counts for nothing (Art. 18), and which of the two
    /// it is only the referee knows.
    Unclear,
}

/// What can be noticed. Texts are as they stand in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    // The text of the file
    /// Text before the first game.
    TextBefore,
    /// Text after the last game.
    TextAfter,
    /// Characters that belong to nothing, between games, nodes or properties.
    TextBetween,
    /// A node that does not begin with `;`.
    SemicolonMissing,
    /// The file ends with so many `(` open.
    TreeNotClosed {
        /// How many.
        missing: u32,
    },
    /// A `)` with nothing open.
    TreeClosedTwice,
    /// A `]` with nothing open.
    StrayBracket,
    /// A value that the end of the file cuts off.
    ValueNotClosed,
    /// A node after branches of the node before it; taken for one more branch.
    NodeAfterBranches,
    /// A property's name with lower-case letters, or all of them.
    LowerCaseName {
        /// The name as written.
        name: String,
    },
    /// A property twice in a node.
    PropertyTwice {
        /// Its name.
        name: String,
    },
    /// Several points in one value, with commas between.
    PointList {
        /// The value.
        text: String,
    },
    /// The text is in another encoding than the file declares.
    EncodingNotAsDeclared {
        /// What CA says.
        declared: String,
        /// What was used.
        used: &'static str,
    },
    /// No encoding is declared; this one fits.
    EncodingGuessed {
        /// What was used.
        used: &'static str,
    },
    /// CA names no encoding that is known.
    EncodingUnknown {
        /// What CA says.
        declared: String,
    },
    /// Bytes that are no character in the encoding; each is shown as U+FFFD.
    TextDamaged,
    /// Characters without width around the game or in a result, which were passed over.
    InvisibleCharacters,
    /// More was noticed in the text than is listed.
    MoreInText {
        /// How much.
        count: u32,
    },

    // What the record says of the game
    /// No GM: taken for a game of Go.
    GameNotNamed,
    /// No GM, and the 15 lines that renju is played on: somebody should look whether it is Go.
    GameDoubtful,
    /// No size: taken for 19×19.
    SizeAssumed,
    /// A square size written as two numbers.
    SizeWrittenTwice,
    /// Two sizes that are not the same.
    SizesConflict {
        /// The first; it is used.
        first: String,
        /// The other.
        second: String,
    },
    /// RU names no rule set that is known.
    RulesUnknown {
        /// What RU says.
        text: String,
    },
    /// The record's rules are not the event's; judged by the event's.
    RulesDiffer {
        /// The record's.
        record: RuleSet,
        /// The event's.
        event: RuleSet,
    },
    /// Neither record nor caller names rules: judged by the Chinese ones.
    RulesAssumed,
    /// No komi: that of the caller or of the rules is used.
    KomiMissing,
    /// KM is no komi.
    KomiUnreadable {
        /// What KM says.
        text: String,
    },
    /// KM is written in another unit than the format's, as some servers do.
    KomiConverted {
        /// What KM says.
        text: String,
        /// What it means.
        komi: Komi,
        /// In which unit.
        unit: Unit,
    },
    /// KM can be read, but hardly be meant under these rules.
    KomiDoubtful {
        /// What KM says.
        text: String,
    },
    /// The record's komi is not the event's; counted with the event's. Both in the unit of the rules.
    KomiDiffers {
        /// The record's.
        record: Komi,
        /// The event's.
        event: Komi,
    },
    /// HA is no number.
    HandicapUnreadable {
        /// What HA says.
        text: String,
    },
    /// Declared, placed and expected handicap are not the same.
    HandicapDiffers {
        /// By HA.
        declared: Option<u32>,
        /// Black stones before the first move.
        placed: u32,
        /// By the event.
        expected: Option<u32>,
    },
    /// HA\[1\]: Black only moves first without komi (让先).
    HandicapOfOne,
    /// Black moves first although there are handicap stones.
    BlackFirstAfterHandicap,
    /// White moves first in a game without handicap, under rules by which Black does.
    WhiteFirst,
    /// Stones are set up after the first node, before the first move.
    SetupAfterRoot,
    /// A node sets up two things on one point; which of them is meant nothing tells.
    SetupTwice,
    /// A chain that is set up without a liberty, which no game can start from.
    SetupWithoutLiberty,
    /// The first move stands in the first node.
    MoveInRoot,
    /// No name for a side.
    NameMissing {
        /// Whose.
        side: Colour,
    },
    /// The names are those of the board, with the colours exchanged.
    NamesSwapped,
    /// A name is not that of the player of the board; it may be the same person in another script.
    NameDiffers {
        /// Whose.
        side: Colour,
        /// The record's.
        record: String,
        /// The board's.
        board: String,
    },
    /// Branches beside the main line, which alone is judged.
    Variations {
        /// How many.
        count: u32,
    },

    // The moves
    /// A move that names no point.
    PointUnreadable {
        /// What is written.
        text: String,
    },
    /// A move outside the board.
    PointOffBoard {
        /// What is written.
        text: String,
    },
    /// A move on a stone.
    Occupied,
    /// A move without liberties that captures nothing (禁着点).
    Suicide {
        /// How many stones it would take, its own among them.
        stones: u32,
    },
    /// A position that stood before; a ko retaken at once among them.
    Repeated(Repeated),
    /// The same side moves twice in a row.
    SameSideTwice {
        /// Who.
        side: Colour,
        /// What that is.
        reading: Twice,
    },
    /// A move of each side in one node; played in the order of the file.
    TwoSidesInNode,
    /// Two moves of one side in one node; neither can be told to be the one.
    TwoMovesInNode,
    /// Stones set up in the middle of the game, after the move that the finding names.
    SetupMidgame,
    /// A move after the game had ended by passes.
    MoveAfterEnd,
    /// There is more in the game of a kind that is listed [`Verdict::OF_A_KIND`](crate::Verdict::OF_A_KIND) times.
    MoreOfAKind {
        /// How much, of all such kinds.
        count: u32,
    },

    // The end
    /// No result in the record.
    ResultMissing,
    /// RE says nothing that is known.
    ResultUnreadable {
        /// What RE says.
        text: String,
    },
    /// Two results that are not the same.
    ResultsConflict {
        /// The first; it is used.
        first: String,
        /// The other.
        second: String,
    },
    /// The record's result is not what the position counts to.
    ResultAgainstCount,
    /// The record's result is not the one entered for the board.
    ResultAgainstBoard {
        /// By RE.
        record: Recorded,
    },
    /// The counted margin is not the one entered for the board.
    CountAgainstBoard,
    /// The territory marks of the record (TB, TW) contradict one another or the position; they are not used.
    MarksContradict,
    /// A point given as dead has no stone.
    DeadPointEmpty,
    /// With these dead stones ground stays open at the point: of several dead chains one was not named, a border
    /// is not closed, or the game is not over there.
    DeadDoubtful,
    /// The dead stones are only proposed.
    DeadProposed,
    /// The position cannot be counted before somebody says which stones are dead.
    DeadNeeded,
}

impl Finding {
    /// How much it weighs.
    pub fn weight(&self) -> Weight {
        self.kind.weight()
    }
}

impl FindingKind {
    /// How much a finding of the kind weighs.
    pub fn weight(&self) -> Weight {
        match self {
            Self::TextBefore
            | Self::TextAfter
            | Self::EncodingGuessed { .. }
            | Self::InvisibleCharacters
            | Self::GameNotNamed
            | Self::SizeAssumed
            | Self::RulesAssumed
            | Self::HandicapOfOne
            | Self::NameMissing { .. }
            | Self::Variations { .. }
            | Self::SameSideTwice {
                reading: Twice::Handicap,
                ..
            }
            | Self::MoveAfterEnd
            | Self::ResultMissing
            | Self::DeadProposed
            | Self::DeadNeeded => Weight::Note,

            Self::TextBetween
            | Self::SemicolonMissing
            | Self::TreeNotClosed { .. }
            | Self::TreeClosedTwice
            | Self::StrayBracket
            | Self::ValueNotClosed
            | Self::NodeAfterBranches
            | Self::LowerCaseName { .. }
            | Self::PropertyTwice { .. }
            | Self::PointList { .. }
            | Self::EncodingNotAsDeclared { .. }
            | Self::EncodingUnknown { .. }
            | Self::TextDamaged
            | Self::MoreInText { .. }
            | Self::GameDoubtful
            | Self::SizeWrittenTwice
            | Self::RulesUnknown { .. }
            | Self::RulesDiffer { .. }
            | Self::KomiMissing
            | Self::KomiUnreadable { .. }
            | Self::KomiConverted { .. }
            | Self::KomiDoubtful { .. }
            | Self::KomiDiffers { .. }
            | Self::HandicapUnreadable { .. }
            | Self::HandicapDiffers { .. }
            | Self::BlackFirstAfterHandicap
            | Self::WhiteFirst
            | Self::SetupAfterRoot
            | Self::MoveInRoot
            | Self::NamesSwapped
            | Self::NameDiffers { .. }
            | Self::SameSideTwice {
                reading: Twice::PassLeftOut,
                ..
            }
            | Self::TwoSidesInNode
            | Self::MoreOfAKind { .. }
            | Self::ResultUnreadable { .. }
            | Self::ResultsConflict { .. }
            | Self::ResultAgainstCount
            | Self::ResultAgainstBoard { .. }
            | Self::CountAgainstBoard
            | Self::MarksContradict
            | Self::DeadPointEmpty
            | Self::DeadDoubtful => Weight::Warning,

            Self::PointUnreadable { .. }
            | Self::PointOffBoard { .. }
            | Self::TwoMovesInNode
            | Self::SizesConflict { .. }
            | Self::SetupTwice
            | Self::SetupWithoutLiberty
            | Self::SetupMidgame => Weight::Broken,

            Self::SameSideTwice {
                reading: Twice::Unclear,
                ..
            } => Weight::Referee,
            Self::Repeated(repeated) => match repeated.ruling {
                None => Weight::Note,
                Some(OnRepetition::Illegal) => Weight::Illegal,
                Some(
                    OnRepetition::NoResult
                    | OnRepetition::Draw
                    | OnRepetition::Replay
                    | OnRepetition::Referee,
                ) => Weight::Referee,
            },

            Self::Occupied | Self::Suicide { .. } => Weight::Illegal,
        }
    }

    /// The word of the API and of message keys. It does not change.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TextBefore => "text-before",
            Self::TextAfter => "text-after",
            Self::TextBetween => "text-between",
            Self::SemicolonMissing => "semicolon-missing",
            Self::TreeNotClosed { .. } => "tree-not-closed",
            Self::TreeClosedTwice => "tree-closed-twice",
            Self::StrayBracket => "stray-bracket",
            Self::ValueNotClosed => "value-not-closed",
            Self::NodeAfterBranches => "node-after-branches",
            Self::LowerCaseName { .. } => "lower-case-name",
            Self::PropertyTwice { .. } => "property-twice",
            Self::PointList { .. } => "point-list",
            Self::EncodingNotAsDeclared { .. } => "encoding-not-as-declared",
            Self::EncodingGuessed { .. } => "encoding-guessed",
            Self::EncodingUnknown { .. } => "encoding-unknown",
            Self::TextDamaged => "text-damaged",
            Self::InvisibleCharacters => "invisible-characters",
            Self::MoreInText { .. } => "more-in-text",
            Self::GameNotNamed => "game-not-named",
            Self::GameDoubtful => "game-doubtful",
            Self::SizeAssumed => "size-assumed",
            Self::SizeWrittenTwice => "size-written-twice",
            Self::SizesConflict { .. } => "sizes-conflict",
            Self::RulesUnknown { .. } => "rules-unknown",
            Self::RulesDiffer { .. } => "rules-differ",
            Self::RulesAssumed => "rules-assumed",
            Self::KomiMissing => "komi-missing",
            Self::KomiUnreadable { .. } => "komi-unreadable",
            Self::KomiConverted { .. } => "komi-converted",
            Self::KomiDoubtful { .. } => "komi-doubtful",
            Self::KomiDiffers { .. } => "komi-differs",
            Self::HandicapUnreadable { .. } => "handicap-unreadable",
            Self::HandicapDiffers { .. } => "handicap-differs",
            Self::HandicapOfOne => "handicap-of-one",
            Self::BlackFirstAfterHandicap => "black-first-after-handicap",
            Self::WhiteFirst => "white-first",
            Self::SetupAfterRoot => "setup-after-root",
            Self::SetupTwice => "setup-twice",
            Self::SetupWithoutLiberty => "setup-without-liberty",
            Self::MoveInRoot => "move-in-root",
            Self::NameMissing { .. } => "name-missing",
            Self::NamesSwapped => "names-swapped",
            Self::NameDiffers { .. } => "name-differs",
            Self::Variations { .. } => "variations",
            Self::PointUnreadable { .. } => "point-unreadable",
            Self::PointOffBoard { .. } => "point-off-board",
            Self::Occupied => "occupied",
            Self::Suicide { .. } => "suicide",
            Self::Repeated(_) => "repeated",
            Self::SameSideTwice { .. } => "same-side-twice",
            Self::TwoSidesInNode => "two-sides-in-node",
            Self::TwoMovesInNode => "two-moves-in-node",
            Self::SetupMidgame => "setup-midgame",
            Self::MoveAfterEnd => "move-after-end",
            Self::MoreOfAKind { .. } => "more-of-a-kind",
            Self::ResultMissing => "result-missing",
            Self::ResultUnreadable { .. } => "result-unreadable",
            Self::ResultsConflict { .. } => "results-conflict",
            Self::ResultAgainstCount => "result-against-count",
            Self::ResultAgainstBoard { .. } => "result-against-board",
            Self::CountAgainstBoard => "count-against-board",
            Self::MarksContradict => "marks-contradict",
            Self::DeadPointEmpty => "dead-point-empty",
            Self::DeadDoubtful => "dead-doubtful",
            Self::DeadProposed => "dead-proposed",
            Self::DeadNeeded => "dead-needed",
        }
    }

    /// The article of the Chinese rules (2002) that it is about.
    pub fn article(&self) -> Option<&'static str> {
        match self {
            Self::Occupied => Some("17.2"),
            Self::Suicide { .. } => Some("5"),
            Self::Repeated(repeated) => Some(match (repeated.kind, repeated.ruling) {
                (RepetitionKind::BasicKo, _) => "19",
                (_, Some(OnRepetition::Illegal)) => "6",
                _ => "20",
            }),
            Self::SameSideTwice {
                reading: Twice::Unclear,
                ..
            } => Some("18"),
            _ => None,
        }
    }
}
