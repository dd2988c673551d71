//! What can go wrong: refusals, which are answers, and failures of the database, which are not.

use chrono::{DateTime, Utc};
use tournament::Number;
use tournament::pairing::{Refusal, RepeatedPair};
use tournament::validate::Fault;

/// The result of a use case.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a use case came to nothing. The transaction is then to be dropped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request cannot be granted; the sentence says why and what can be done.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The database failed.
    #[error("the database failed")]
    Database(#[source] sqlx::Error),
    /// The tables could not be brought up to this version.
    #[error("the database could not be migrated")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A stored value makes no sense; somebody wrote into the database by another way.
    #[error("a stored value cannot be read: {0}")]
    Unreadable(String),
}

impl Error {
    /// Whether the same request may well succeed when it is made again: the database was busy,
    /// restarting, or had two transactions wait for one another.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Database(error) => match error {
                sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) | sqlx::Error::WorkerCrashed => true,
                sqlx::Error::Database(database) => database.code().is_some_and(|code| {
                    // Lock timeout, statement timeout, deadlock, serialization, shutdown, starting up.
                    matches!(
                        &*code,
                        "55P03" | "57014" | "40P01" | "40001" | "57P01" | "57P02" | "57P03"
                    )
                }),
                _ => false,
            },
            _ => false,
        }
    }
}

impl From<sqlx::Error> for Error {
    /// A violated constraint becomes its refusal; everything else is a failure.
    fn from(error: sqlx::Error) -> Self {
        error
            .as_database_error()
            .and_then(|database| database.constraint())
            .and_then(Refused::of_constraint)
            .map_or_else(|| Self::Database(error), Self::Refused)
    }
}

/// Why a request is not granted: what is wrong, with which thing, and the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// No such event.
    #[error("there is no event “{key}”")]
    UnknownEvent {
        /// The id or slug asked for.
        key: String,
    },
    /// No such entry.
    #[error("no entry has number {number}")]
    UnknownEntry {
        /// The number asked for.
        number: Number,
    },
    /// No such round.
    #[error("there is no round {round}")]
    UnknownRound {
        /// The round asked for.
        round: u32,
    },
    /// No such board.
    #[error("round {round} has no board {board}")]
    UnknownBoard {
        /// The round.
        round: u32,
        /// The board asked for.
        board: u32,
    },
    /// No such user.
    #[error("there is no such user")]
    UnknownUser,
    /// No such bearer token.
    #[error("there is no such token")]
    UnknownToken,
    /// The thing has changed since the caller looked at it.
    #[error(
        "this has been changed meanwhile (now version {current}): look at it again, then repeat the change"
    )]
    Stale {
        /// Its version now.
        current: i64,
    },
    /// Another event has this slug.
    #[error("another event has the address “{slug}”: choose another one")]
    SlugTaken {
        /// The slug.
        slug: String,
    },
    /// What was given is no slug.
    #[error(
        "“{slug}” cannot be an address: use 1 to 80 small letters, digits, or letters of other scripts, joined by single hyphens"
    )]
    BadSlug {
        /// What was given.
        slug: String,
    },
    /// Another entry has this number.
    #[error("number {number} is given to another entry: choose a free one")]
    NumberTaken {
        /// The number.
        number: Number,
    },
    /// All numbers up to the largest are given away.
    #[error("no number is left after {last}: give a number yourself")]
    NoNumberLeft {
        /// The largest number in use.
        last: u32,
    },
    /// Numbers can no longer be changed.
    #[error(
        "numbers are fixed once a round is paired or something is carried over: throw the rounds away first"
    )]
    NumbersFixed,
    /// The first recorded round can no longer be changed.
    #[error("the first round is fixed once a round is paired: throw the rounds away first")]
    FirstRoundFixed,
    /// Fewer rounds than there are.
    #[error(
        "round {last} is there already, so {planned} rounds are too few: throw the later rounds away first"
    )]
    FewerThanPaired {
        /// How many were to be planned.
        planned: u32,
        /// The last round there is.
        last: u32,
    },
    /// There is a draft already.
    #[error("round {round} was paired by {by} at {at}, and is a draft: publish it or throw it away", at = at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))]
    DraftExists {
        /// The round.
        round: u32,
        /// Who made the draft.
        by: String,
        /// When.
        at: DateTime<Utc>,
    },
    /// The round to be paired is there already.
    #[error("round {round} was paired by {by} at {at} already: look at it", at = at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))]
    RoundExists {
        /// The round.
        round: u32,
        /// Who paired it.
        by: String,
        /// When.
        at: DateTime<Utc>,
    },
    /// The round to be paired is not the next one.
    #[error("the next round to pair is round {next}, not round {round}")]
    NotNextRound {
        /// The round asked for.
        round: u32,
        /// The next round.
        next: u32,
    },
    /// The round is not the last one.
    #[error("round {round} is not the last one: throw round {last} away first")]
    NotLastRound {
        /// The round.
        round: u32,
        /// The last round.
        last: u32,
    },
    /// The round is a draft.
    #[error("round {round} is not published: publish it first")]
    NotPublished {
        /// The round.
        round: u32,
    },
    /// Boards that would change or go have results.
    #[error("round {round} has results on board{} {}: clear them first", if boards.len() == 1 { "" } else { "s" }, listed(boards))]
    HasResults {
        /// The round.
        round: u32,
        /// The boards.
        boards: Vec<u32>,
    },
    /// The draft no longer fits what it was made of.
    #[error(
        "round {round} was paired before {}: throw it away and pair again, or confirm that it stays as it is",
        outdated(results, gone, unseated)
    )]
    Outdated {
        /// The round.
        round: u32,
        /// Boards, as round and board, with another result than when it was paired.
        results: Vec<(u32, u32)>,
        /// Entries on its table that do not play in this round any more.
        gone: Vec<Number>,
        /// Entries that play in this round now and are not on its table.
        unseated: Vec<Number>,
    },
    /// A table made by hand that does not seat everybody once.
    #[error(
        "this table cannot be: {}",
        faults_of_table(twice, against_oneself, missing, not_playing, unknown)
    )]
    Table {
        /// Entries with more than one place.
        twice: Vec<Number>,
        /// Entries that would play themselves.
        against_oneself: Vec<Number>,
        /// Entries that play in this round and have no place.
        missing: Vec<Number>,
        /// Entries that have withdrawn or sit the round out.
        not_playing: Vec<Number>,
        /// Numbers that no entry has.
        unknown: Vec<Number>,
    },
    /// A table made by hand lets players meet again.
    #[error("{} would meet again: confirm it, or change the table", listed(pairs.iter().map(|p| format!("{}–{}", p.first, p.second))))]
    Repeats {
        /// The round.
        round: u32,
        /// Who would meet again.
        pairs: Vec<RepeatedPair>,
    },
    /// The entry has had a board or a bye.
    #[error("number {number} is on the table of round{} {}: withdraw the entry instead of removing it", if rounds.len() == 1 { "" } else { "s" }, listed(rounds))]
    HasPlayed {
        /// The entry.
        number: Number,
        /// The rounds.
        rounds: Vec<u32>,
    },
    /// The entry is an opponent that others carry over.
    #[error(
        "number {number} is among the opponents carried over by {}: withdraw the entry instead of removing it",
        listed(by)
    )]
    MetInCarried {
        /// The entry.
        number: Number,
        /// Those who have met it.
        by: Vec<Number>,
    },
    /// The entry has withdrawn already.
    #[error("number {number} has withdrawn already, after round {after}: take that back first")]
    AlreadyWithdrawn {
        /// The entry.
        number: Number,
        /// After which round.
        after: u32,
    },
    /// The entry has not withdrawn.
    #[error("number {number} has not withdrawn")]
    NotWithdrawn {
        /// The entry.
        number: Number,
    },
    /// The entry still takes part in the round to return to.
    #[error("number {number} took part up to round {after}: choose a later round to return to")]
    ReturnTooEarly {
        /// The entry.
        number: Number,
        /// Its last round.
        after: u32,
    },
    /// Somebody leaves with a board that has no result.
    #[error(
        "number {number} sits at board {board} of round {round}, which is published: choose whether the opponent wins by forfeit, somebody else takes the seat, or the round is thrown away and paired again"
    )]
    SeatedNow {
        /// The entry.
        number: Number,
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// The entry has its place in a published round.
    #[error(
        "number {number} is on the table of round {round}, which is published: change the table of that round first"
    )]
    OnTable {
        /// The entry.
        number: Number,
        /// The round.
        round: u32,
    },
    /// The entry has a board where one without a board is needed.
    #[error("number {number} sits at board {board} of round {round} already")]
    HasBoard {
        /// The entry.
        number: Number,
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// The entry has no place in the round where one is needed.
    #[error("number {number} has neither a board nor a bye in round {round}")]
    HasNoPlace {
        /// The entry.
        number: Number,
        /// The round.
        round: u32,
    },
    /// The entry does not sit at the board.
    #[error("number {number} does not sit at board {board} of round {round}")]
    NotAtBoard {
        /// The entry.
        number: Number,
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// The entry has withdrawn or sits the round out.
    #[error("number {number} does not play in round {round}: return the entry first")]
    NotPlaying {
        /// The entry.
        number: Number,
        /// The round.
        round: u32,
    },
    /// Two different entries are needed.
    #[error("number {number} is named twice: name two different entries")]
    SameEntry {
        /// The entry.
        number: Number,
    },
    /// A board stands twice in one list of results.
    #[error("board {board} stands twice in the list: give each board once")]
    BoardTwice {
        /// The board.
        board: u32,
    },
    /// A user has this name.
    #[error("there is a user “{name}” already: choose another name")]
    UserExists {
        /// The name.
        name: String,
    },
    /// A name is empty.
    #[error("the name is empty")]
    EmptyName,
    /// There is an administrator already.
    #[error("there is an administrator already: sign in, or ask the administrator for an account")]
    AdminExists,
    /// The one-time link does not work, or no longer.
    #[error("this link has been used or has run out: start the server again for a new one")]
    SetupLinkSpent,
    /// The engine refuses.
    #[error(transparent)]
    Pairing(#[from] Refusal),
    /// What was given does not make sense as a whole.
    #[error("{}", listed(_0))]
    Faults(Vec<Fault>),
    /// A constraint of the database that nothing before it caught.
    #[error("{sentence}")]
    Constraint {
        /// Its name.
        name: &'static str,
        /// What it asks for.
        sentence: &'static str,
    },
}

impl Refused {
    /// A stable word for programs and translations. Faults have their own, one by one.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownEvent { .. } => "unknown-event",
            Self::UnknownEntry { .. } => "unknown-entry",
            Self::UnknownRound { .. } => "unknown-round",
            Self::UnknownBoard { .. } => "unknown-board",
            Self::UnknownUser => "unknown-user",
            Self::UnknownToken => "unknown-token",
            Self::Stale { .. } => "stale",
            Self::SlugTaken { .. } => "slug-taken",
            Self::BadSlug { .. } => "bad-slug",
            Self::NumberTaken { .. } => "number-taken",
            Self::NoNumberLeft { .. } => "no-number-left",
            Self::NumbersFixed => "numbers-fixed",
            Self::FirstRoundFixed => "first-round-fixed",
            Self::FewerThanPaired { .. } => "fewer-than-paired",
            Self::DraftExists { .. } => "draft-exists",
            Self::RoundExists { .. } => "round-exists",
            Self::NotNextRound { .. } => "not-next-round",
            Self::NotLastRound { .. } => "not-last-round",
            Self::NotPublished { .. } => "not-published",
            Self::HasResults { .. } => "has-results",
            Self::Outdated { .. } => "outdated",
            Self::Table { .. } => "table",
            Self::Repeats { .. } => "repeats",
            Self::HasPlayed { .. } => "has-played",
            Self::MetInCarried { .. } => "met-in-carried",
            Self::AlreadyWithdrawn { .. } => "already-withdrawn",
            Self::NotWithdrawn { .. } => "not-withdrawn",
            Self::ReturnTooEarly { .. } => "return-too-early",
            Self::SeatedNow { .. } => "seated-now",
            Self::OnTable { .. } => "on-table",
            Self::HasBoard { .. } => "has-board",
            Self::HasNoPlace { .. } => "has-no-place",
            Self::NotAtBoard { .. } => "not-at-board",
            Self::NotPlaying { .. } => "not-playing",
            Self::SameEntry { .. } => "same-entry",
            Self::BoardTwice { .. } => "board-twice",
            Self::UserExists { .. } => "user-exists",
            Self::EmptyName => "empty-name",
            Self::AdminExists => "admin-exists",
            Self::SetupLinkSpent => "setup-link-spent",
            Self::Pairing(refusal) => refusal.code(),
            Self::Faults(_) => "faults",
            Self::Constraint { .. } => "constraint",
        }
    }

    /// The refusal of a named constraint, for the violations that no check before it can see.
    fn of_constraint(name: &str) -> Option<Self> {
        CONSTRAINTS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(name, sentence)| Self::Constraint { name, sentence })
    }
}

/// Every named constraint, and what it asks for.
pub(crate) const CONSTRAINTS: &[(&str, &str)] = &[];

fn listed<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items
        .into_iter()
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

fn outdated(results: &[(u32, u32)], gone: &[Number], unseated: &[Number]) -> String {
    let mut parts = Vec::new();
    if !results.is_empty() {
        let boards = results
            .iter()
            .map(|(round, board)| format!("board {board} of round {round}"));
        parts.push(format!("the result of {} changed", listed(boards)));
    }
    if !gone.is_empty() {
        parts.push(format!("number {} left", listed(gone)));
    }
    if !unseated.is_empty() {
        parts.push(format!("number {} came", listed(unseated)));
    }
    parts.join(" and ")
}

fn faults_of_table(
    twice: &[Number],
    against_oneself: &[Number],
    missing: &[Number],
    not_playing: &[Number],
    unknown: &[Number],
) -> String {
    [
        ("on more than one place", twice),
        ("against oneself", against_oneself),
        ("without a place", missing),
        ("not playing in this round", not_playing),
        ("unknown", unknown),
    ]
    .into_iter()
    .filter(|(_, numbers)| !numbers.is_empty())
    .map(|(what, numbers)| format!("{what}: {}", listed(numbers)))
    .collect::<Vec<_>>()
    .join("; ")
}
