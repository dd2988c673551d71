//! What is said of a game record.

use crate::finding::{Finding, FindingKind, Place};
use crate::komi::Komi;
use crate::outcome::{Margin, Recorded};
use crate::point::{Colour, Move, Point, Sides, Size};
use crate::rule_set::{OnRepetition, RuleSet};

/// What the caller knows of the game. Everything may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The event's rules; without them the record's, else the Chinese.
    pub rules: Option<RuleSet>,
    /// The event's komi, in the unit of its rules.
    pub komi: Option<Komi>,
    /// The event's handicap; 0 is an even game.
    pub handicap: Option<u32>,
    /// The event's board: a record of another size is refused.
    pub size: Option<Size>,
    /// What a repetition means in the event.
    pub on_repetition: Option<OnRepetition>,
    /// Stones that are dead by the word of the players or the referee. `Some` of none says that all live.
    pub dead: Option<Vec<Point>>,
    /// Warnings, each of which costs its side one stone.
    pub warnings: Sides<u32>,
    /// The result entered for the board.
    pub entered: Option<Entered>,
    /// Names of the players of the board; several spellings of each.
    pub names: Option<Sides<Vec<String>>>,
    /// Which game of the file, from 1.
    pub game: Option<usize>,
    /// Read the text in this encoding, by its name, instead of detecting it.
    pub encoding: Option<String>,
}

/// A result entered for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    /// Who won; `None` for a draw and when both lost.
    pub winner: Option<Colour>,
    /// Whether both lost.
    pub both_lost: bool,
    /// How it ended, when that was entered: by counting, resignation or time.
    pub kind: Option<crate::outcome::RecordedKind>,
    /// By how much, when that was entered.
    pub margin: Option<Margin>,
}

/// Whether the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Every move is legal.
    Legal,
    /// A move is forbidden.
    Illegal,
    /// A referee has to say what a move counts for.
    Referee,
    /// The record does not say enough to certify the game.
    Uncertain,
    /// By a repetition, under the rules or the event's setting, the game has no result (无胜负).
    NoResult,
    /// By a repetition, the game is a draw.
    Draw,
    /// By a repetition, the game is played again.
    Replay,
}

/// How the game ended, by its moves and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// A side resigned.
    Resignation {
        /// Who.
        loser: Colour,
    },
    /// Passes in a row, as many as the rules ask.
    Passes,
    /// The record has a result by counting, and the passes are left out.
    Agreement,
    /// A side ran out of time.
    Time {
        /// Who.
        loser: Colour,
    },
    /// A forfeit, a penalty or a judge's decision.
    Decision,
    /// Somebody won, and neither the moves nor the result say how.
    Unsaid,
    /// The record stops, and says nothing of an end.
    Unfinished,
}

/// One move as it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// Whose.
    pub side: Colour,
    /// What was written; a point that cannot be read or lies outside is a pass here, with a finding.
    pub play: Move,
    /// The stones that it took off the board, in the order of the board. Its own, when it took those.
    pub captured: Vec<Point>,
    /// Whether it counts for nothing (无效): an illegal point is a void move and a pass (Art. 17.2).
    pub void: bool,
    /// Time left after it in milliseconds (BL, WL).
    pub time_left: Option<i64>,
    /// Where in the file.
    pub place: Place,
    /// The comment on it, as text.
    pub comment: String,
}

/// Who has a point at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Black's, by a living stone or by surrounding it.
    Black,
    /// White's.
    White,
    /// Between living stones of both: half each under area counting, nobody's under territory counting.
    Shared,
    /// In seki under territory counting: nobody's.
    Seki,
}

/// Where the dead stones come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadFrom {
    /// The caller's word.
    Given,
    /// The record's final marks (TB, TW).
    Record,
    /// A proposal: only stones that are certain, and to be confirmed.
    Proposal,
    /// Nobody's word: by the rules every stone on the board counts.
    Rules,
}

/// A counted position. All sums that make the margin are here, so that a reader can add them up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The dead stones.
    pub dead: Vec<Point>,
    /// Who says so.
    pub dead_from: DeadFrom,
    /// Who has each point, row by row from the top left.
    pub owners: Vec<Owner>,
    /// Living stones.
    pub stones: Sides<u32>,
    /// Surrounded points, those under dead stones among them.
    pub points: Sides<u32>,
    /// Shared points.
    pub shared: u32,
    /// Stones that each side has captured, the dead ones among them.
    pub prisoners: Sides<u32>,
    /// Komi, as a margin for White: a positive komi makes this positive.
    pub komi: Margin,
    /// What White gets back for the handicap.
    pub handicap: Margin,
    /// What White gets because White passed first.
    pub passed_first: Margin,
    /// Group tax (还棋头) that Black pays; negative when White does.
    pub group_tax: Margin,
    /// What Black loses by warnings; negative when White does.
    pub warnings: Margin,
    /// The margin after all of it.
    pub margin: Margin,
}

/// What counting came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// Counted.
    Counted(Counted),
    /// Somebody has to say which stones are dead; what a cautious proposal would give, when there is one.
    NeedsDeadStones(Option<Box<Counted>>),
    /// There is nothing to count: the game did not end by counting, or its position is not certain.
    Nothing,
}

/// Whether two statements agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// They do.
    Yes,
    /// They do not.
    No,
    /// One of them says too little.
    Unknown,
}

/// What the record says beside its moves; empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The players (PB, PW).
    pub names: Sides<String>,
    /// Their grades (BR, WR).
    pub grades: Sides<String>,
    /// Their teams (BT, WT).
    pub teams: Sides<String>,
    /// The event (EV).
    pub event: String,
    /// The round (RO).
    pub round: String,
    /// The date (DT).
    pub date: String,
    /// The place (PC).
    pub place: String,
    /// The rules (RU).
    pub rules: String,
    /// The program that wrote it (AP).
    pub program: String,
    /// The comment on the game (GC).
    pub comment: String,
}

/// What is said of a game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the game stands.
    pub standing: Standing,
    /// The rules it was judged by.
    pub rules: RuleSet,
    /// The board.
    pub size: Size,
    /// The komi that is counted with, in the unit of the rules.
    pub komi: Komi,
    /// Handicap stones that were placed.
    pub handicap: u32,
    /// What the record says beside its moves.
    pub header: Header,
    /// The encoding in which the text was read.
    pub encoding: &'static str,
    /// Which game of the file, from 1, and how many there are.
    pub game: (usize, usize),
    /// Stones on the board before the first move.
    pub setup: Vec<(Colour, Point)>,
    /// The main line.
    pub moves: Vec<JudgedMove>,
    /// Stones set up in the middle: before which move (from 1), what, `None` for a point made empty.
    pub setup_midgame: Vec<(u32, Option<Colour>, Point)>,
    /// Prisoners that each side has taken by its moves.
    pub captures: Sides<u32>,
    /// The last position, row by row from the top left.
    pub position: Vec<Option<Colour>>,
    /// What was noticed, in the order of the file and then of the game.
    pub findings: Vec<Finding>,
    /// How it ended.
    pub end: End,
    /// What counting came to.
    pub count: Count,
    /// The record's own result.
    pub recorded: Option<Recorded>,
    /// Whether the record's result agrees with what was counted.
    pub agrees_with_count: Agreement,
    /// Whether the record agrees with the result entered for the board.
    pub agrees_with_entered: Agreement,
}

/// The file cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub kind: RefusalKind,
    /// Where, when it is about one place.
    pub place: Option<Place>,
}

/// Why a file cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The file is empty.
    Empty,
    /// The file is larger than so many bytes.
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The file has more than so many nodes.
    TooManyNodes {
        /// The limit.
        limit: usize,
    },
    /// There is no game tree in it: a binary file, or text.
    NoTree,
    /// The caller asked for an encoding that is not known.
    NoSuchEncoding {
        /// The name.
        name: String,
    },
    /// A record of another game.
    NotGo {
        /// What GM says.
        text: String,
    },
    /// The size cannot be read, or is not within 2 to 52 lines.
    BadSize {
        /// What SZ says.
        text: String,
    },
    /// The board is not the event's, or not square.
    SizeNotPlayed {
        /// The record's.
        record: Size,
        /// The event's.
        event: Option<Size>,
    },
    /// A stone is set up outside the board, or on no point, so the position is not known.
    SetupOffBoard {
        /// What is written.
        text: String,
    },
    /// Moves are written, and none of them stands on a point of the board: with nothing to replay, nothing of
    /// the game is known.
    NoMoveOnBoard {
        /// What the first of them says.
        text: String,
        /// The board.
        size: Size,
    },
    /// More points are set up in the course of the record than any game has need of.
    TooManySetups {
        /// The limit.
        limit: usize,
    },
    /// Several games, and none was chosen.
    SeveralGames {
        /// The first of them, in the order of the file: at most [`RefusalKind::GAMES`].
        games: Vec<GameName>,
        /// How many there are.
        of: usize,
    },
    /// A game was chosen that the file does not have.
    NoSuchGame {
        /// The number asked for.
        asked: usize,
        /// How many there are.
        games: usize,
    },
    /// A point that is given as dead lies outside the board.
    DeadOffBoard {
        /// The point.
        point: Point,
        /// The board.
        size: Size,
    },
}

/// By what a game of a file can be told from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameName {
    /// The players.
    pub names: Sides<String>,
    /// Nodes of its main line.
    pub nodes: usize,
    /// Its result as written.
    pub result: String,
}

impl Verdict {
    /// The most findings of one kind and weight that are listed: nobody reads the thousandth. The rest is counted
    /// ([`FindingKind::MoreOfAKind`]).
    pub const OF_A_KIND: usize = 100;

    /// The margin that speaks for or against a result that was entered: counted, in a game of which the record
    /// does not say that it ended in another way. Who is ahead when a side resigns says nothing.
    pub fn counted_result(&self) -> Option<Margin> {
        match (&self.count, self.end) {
            (Count::Counted(counted), End::Passes | End::Agreement | End::Unsaid | End::Unfinished) => {
                Some(counted.margin)
            }
            _ => None,
        }
    }

    /// Whether it contradicts what was entered for the board: another result, or the players with the colours
    /// exchanged. It changes nothing by itself; the director is to look.
    pub fn contradicts(&self) -> bool {
        self.agrees_with_entered == Agreement::No
            || self
                .findings
                .iter()
                .any(|finding| finding.kind == FindingKind::NamesSwapped)
    }
}

impl RefusalKind {
    /// So many games of a file are named at most.
    pub const GAMES: usize = 100;

    /// The word of the API and of message keys. It does not change.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLarge { .. } => "too-large",
            Self::TooManyNodes { .. } => "too-many-nodes",
            Self::NoTree => "no-tree",
            Self::NoSuchEncoding { .. } => "no-such-encoding",
            Self::NotGo { .. } => "not-go",
            Self::BadSize { .. } => "bad-size",
            Self::SizeNotPlayed { .. } => "size-not-played",
            Self::SetupOffBoard { .. } => "setup-off-board",
            Self::NoMoveOnBoard { .. } => "no-move-on-board",
            Self::TooManySetups { .. } => "too-many-setups",
            Self::SeveralGames { .. } => "several-games",
            Self::NoSuchGame { .. } => "no-such-game",
            Self::DeadOffBoard { .. } => "dead-off-board",
        }
    }
}
