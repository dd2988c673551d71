//! What can go wrong: refusals, which are answers, and failures of the database, which are not.

use chrono::{DateTime, Utc};
use tournament::Number;
use tournament::draw::{Decides, GroupFault, NumberFault, WordFault};
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
    /// restarting, out of reach, or had two transactions wait for one another.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Database(error) => match error {
                sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                // What was cut in the middle of a message.
                | sqlx::Error::Protocol(_)
                | sqlx::Error::WorkerCrashed => true,
                sqlx::Error::Database(database) => database.code().is_some_and(|code| {
                    // Lock timeout, statement timeout, deadlock, serialization; too long in a
                    // transaction; and by class: the connection, resources (their number, memory, the
                    // disk), the server being stopped or started, the system below it.
                    matches!(&*code, "55P03" | "57014" | "40P01" | "40001" | "25P03")
                        || ["08", "53", "57P", "58"].iter().any(|class| code.starts_with(class))
                }),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the disk of the database is full.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(database))
            if database.code().is_some_and(|code| code == "53100"))
    }
}

/// The failure of a stored value that cannot be read.
pub(crate) fn unreadable(value: impl std::fmt::Display) -> Error {
    Error::Unreadable(value.to_string())
}

impl From<sqlx::Error> for Error {
    /// A violated constraint becomes its refusal; everything else is a failure.
    fn from(error: sqlx::Error) -> Self {
        let refused = error.as_database_error().and_then(|database| {
            // A NUL in a text, or as \u0000 in a JSON value.
            if database
                .code()
                .is_some_and(|code| matches!(&*code, "22021" | "22P05"))
            {
                return Some(Refused::Unstorable);
            }
            database.constraint().and_then(Refused::of_constraint)
        });
        refused.map_or_else(|| Self::Database(error), Self::Refused)
    }
}

/// What is wrong with a table made by hand; everybody concerned is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableFaults {
    /// Entries with more than one place.
    pub twice: Vec<Number>,
    /// Entries that would play themselves.
    pub against_oneself: Vec<Number>,
    /// Entries that play in this round and have no place.
    pub missing: Vec<Number>,
    /// Entries that have withdrawn or sit the round out.
    pub not_playing: Vec<Number>,
    /// Numbers that no entry has.
    pub unknown: Vec<Number>,
    /// Entries with a bye, when there is more than one.
    pub too_many_byes: Vec<Number>,
}

impl TableFaults {
    /// The lists that are not empty, each with a stable word for what is wrong with its entries.
    pub fn lists(&self) -> impl Iterator<Item = (&'static str, &[Number])> {
        [
            ("twice", &self.twice),
            ("against-oneself", &self.against_oneself),
            ("missing", &self.missing),
            ("not-playing", &self.not_playing),
            ("unknown", &self.unknown),
            ("too-many-byes", &self.too_many_byes),
        ]
        .into_iter()
        .filter(|(_, numbers)| !numbers.is_empty())
        .map(|(word, numbers)| (word, numbers.as_slice()))
    }
}

impl std::fmt::Display for TableFaults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = self.lists().map(|(word, numbers)| {
            let what = match word {
                "twice" => "on more than one place",
                "against-oneself" => "against oneself",
                "missing" => "without a place",
                "not-playing" => "not playing in this round",
                "unknown" => "unknown",
                _ => "more than one bye",
            };
            format!("{what}: {}", listed(numbers))
        });
        f.write_str(&parts.collect::<Vec<_>>().join("; "))
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
    /// Nothing that was done together and can be taken back has this number.
    #[error("this was taken back already, or was never there: look at the page again")]
    UnknownBatch,
    /// Entries have changed since they were changed together.
    #[error(
        "{} changed since: undo those changes first, or put each right on its page",
        listed(numbers)
    )]
    Overtaken {
        /// The entries.
        numbers: Vec<Number>,
    },
    /// A round is there, so what is before it can no longer be done at once.
    #[error("round {round} is paired: put each entry right on its own page, or throw the round away first")]
    RoundsBegun {
        /// The round.
        round: u32,
    },
    /// No such sign-up.
    #[error("there is no such sign-up")]
    UnknownSignUp,
    /// Nobody signs up now.
    #[error("sign-up is closed: ask the organisers")]
    SignUpClosed,
    /// Too many sign-ups wait.
    #[error("too many sign-ups wait for a decision: ask the organisers, or try again later")]
    SignUpsFull,
    /// Somebody has decided on the sign-up.
    #[error("sign-up {sign_up} was decided on already: look at the list again")]
    SignUpDecided {
        /// Its number.
        sign_up: u32,
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
    /// The event is finished and takes no change.
    #[error("this event was declared final by {by} at {at}: a director can open it again, with a reason", at = at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))]
    Frozen {
        /// Who.
        by: String,
        /// When.
        at: DateTime<Utc>,
    },
    /// Boards without a result, so that the event is not finished.
    #[error("the event is not finished: {} without a result: enter them first", listed(boards.iter().map(|(round, board)| format!("board {board} of round {round}"))))]
    NotFinished {
        /// Round and board.
        boards: Vec<(u32, u32)>,
    },
    /// Something that needs a reason was asked for without one.
    #[error("this needs a reason, for the log: write one")]
    ReasonNeeded,
    /// A reason that is no longer one.
    #[error("the reason has {characters} characters, and at most {most} are kept: shorten it")]
    ReasonTooLong {
        /// How many it has.
        characters: usize,
        /// How many are kept.
        most: usize,
    },
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
    /// A round is to begin at a time that the clock in the hall skips.
    #[error(
        "no clock in {zone} shows {local} on that day: it is put forward past it; choose another time for round {round}"
    )]
    SkippedTime {
        /// The round.
        round: u32,
        /// The time.
        local: chrono::NaiveDateTime,
        /// The zone.
        zone: String,
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
    /// No act of the log has the number.
    #[error("the log has no act {seq}")]
    UnknownAct {
        /// The number asked for.
        seq: i64,
    },
    /// Acts of the kind are not taken back from the log.
    #[error("act {seq} ({}) cannot be taken back from the log", action.as_str())]
    NoUndo {
        /// The act.
        seq: i64,
        /// What was done.
        action: crate::log::Action,
    },
    /// Something was done to the same thing later.
    #[error("act {later} ({}) came after act {seq} and depends on it: take that one back first", action.as_str())]
    ChangedSince {
        /// The act.
        seq: i64,
        /// The later act.
        later: i64,
        /// What was done then.
        action: crate::log::Action,
    },
    /// A round was published with or without the entry since.
    #[error(
        "round {round} was published since, and number {number} would play or miss it: withdraw its publication first"
    )]
    PublishedSince {
        /// The entry.
        number: Number,
        /// The round.
        round: u32,
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
    #[error("this table cannot be: {_0}")]
    Table(Box<TableFaults>),
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
    /// The event has no such round.
    #[error(
        "the event has {planned} rounds, and round {round} is none of them: name a round from {least} to {planned}"
    )]
    BeyondRounds {
        /// The round that was asked for.
        round: u32,
        /// The first that can be.
        least: u32,
        /// How many rounds are planned.
        planned: u32,
    },
    /// The entry has played later than it is to have left.
    #[error("number {number} has a result in round {round}: let the withdrawal count from after that round")]
    PlayedLater {
        /// The entry.
        number: Number,
        /// The round.
        round: u32,
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
    #[error(
        "number {number} has neither a board nor a bye in round {round}: give it a seat there first, or leave it absent"
    )]
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
    /// A player says something else than what counts already.
    #[error(
        "the result of board {board} in round {round} counts already: if it is wrong, tell an arbiter, who corrects it"
    )]
    ResultCounts {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// The pairing has assigned other colours, and those stand (Art. 17.1).
    #[error(
        "on board {board} of round {round} the pairing gave Black to number {black}, and that stands also when the game was played with the wrong colours (Art. 17.1): leave `black` away; who had Black is only recorded where colours come from nigiri"
    )]
    ColoursAssigned {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
        /// Who has Black.
        black: Number,
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
    /// Words are given to a draw that nobody has promised.
    #[error("nothing is promised for {decides}: lots are drawn only where the settings say so")]
    NothingPromised {
        /// The draw.
        decides: Decides,
    },
    /// A public word comes too late.
    #[error("no word is taken any more for {decides}: the last result is in, or the draw was made")]
    WordsClosed {
        /// The draw.
        decides: Decides,
    },
    /// A text is no public word.
    #[error(transparent)]
    Word(WordFault),
    /// Too many public words.
    #[error("there are {most} public words already, and no draw takes more")]
    TooManyWords {
        /// How many it takes.
        most: usize,
    },
    /// There is no such public word.
    #[error("there is no public word {position}")]
    UnknownWord {
        /// Its place.
        position: u32,
    },
    /// Numbers or groups were drawn before.
    #[error(
        "{decides} were drawn already: say that they are to be drawn again, and everybody gets another one"
    )]
    DrawnAlready {
        /// The draw.
        decides: Decides,
        /// When.
        at: DateTime<Utc>,
    },
    /// Nothing was drawn.
    #[error("{decides} have not been drawn")]
    NothingDrawn {
        /// The draw.
        decides: Decides,
    },
    /// Groups cannot be drawn any more.
    #[error("groups are drawn before the first round: change the category of single entries instead")]
    GroupsFixed,
    /// Entries have categories, which groups would replace.
    #[error("{} entries have a category already: say that groups are to replace them", numbers.len())]
    CategoriesThere {
        /// Who.
        numbers: Vec<Number>,
    },
    /// No such family.
    #[error("there is no family “{key}”: look for it in the list of events")]
    UnknownFamily {
        /// The id or slug asked for.
        key: String,
    },
    /// A family of too many groups.
    #[error("a family has at most {most} groups, not {found}")]
    TooManyGroups {
        /// How many were given.
        found: usize,
        /// How many there can be.
        most: usize,
    },
    /// What a group is to be called is no label.
    #[error("a group is called by 1 to {most} characters, not “{label}”")]
    BadLabel {
        /// The label.
        label: String,
        /// How long it can be.
        most: usize,
    },
    /// Two groups are called the same.
    #[error("two groups are called {label}: call one of them otherwise")]
    LabelTwice {
        /// The label.
        label: String,
    },
    /// The first board of a group is none.
    #[error("the first board of group {label} is a number from 1 to {most}")]
    BadFirstBoard {
        /// The group.
        label: String,
        /// The highest there can be.
        most: u32,
    },
    /// An event is a group of another family.
    #[error("{label} belongs to {family} already: take it out there first")]
    GroupElsewhere {
        /// The group, or the event.
        label: String,
        /// The other family.
        family: String,
    },
    /// Groups cannot be removed any more.
    #[error(
        "rounds are paired in {}: throw them away first, or dissolve the family and keep its groups",
        listed(labels)
    )]
    GroupsPaired {
        /// In which.
        labels: Vec<String>,
    },
    /// Entries belong to no group yet.
    #[error(
        "number {} has no category: draw the groups, or give each entry its category",
        listed(numbers)
    )]
    WithoutCategory {
        /// Who.
        numbers: Vec<Number>,
    },
    /// There is nothing to split.
    #[error("all entries are in one category: draw the groups, or give entries their categories")]
    OneCategory,
    /// Groups refuse what was to be done to all of them: nothing was done.
    #[error("{}", listed(_0.iter().map(|(label, why)| format!("{label}: {why}"))))]
    InGroups(Vec<(String, Refused)>),
    /// There is no group to do it to.
    #[error("there is no group in which this can be done now: look at what is next in each")]
    NothingInGroups,
    /// Numbers cannot be drawn as asked for.
    #[error(transparent)]
    NumberDraw(NumberFault),
    /// Groups cannot be drawn as asked for.
    #[error(transparent)]
    GroupDraw(GroupFault),
    /// A board has no game record, or none of the version asked for.
    #[error("board {board} of round {round} has no such record")]
    NoRecord {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// A player brings a record where a director has brought one.
    #[error(
        "the record of board {board} of round {round} was brought by a director: show yours to the director"
    )]
    RecordFromDirector {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// A player brings a record that a director has withdrawn.
    #[error("this record of board {board} of round {round} was withdrawn by a director: ask the director")]
    RecordIsWithdrawn {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
    },
    /// So many records of a game are kept already.
    #[error(
        "board {board} of round {round} has {most} records already, and no more are taken: ask the director, or bring an earlier one back"
    )]
    TooManyRecords {
        /// The round.
        round: u32,
        /// The board.
        board: u32,
        /// How many are taken.
        most: usize,
    },
    /// Players have brought as much to the event as is taken from them.
    #[error("no more records are taken from players of this event: bring yours to the director")]
    RecordsFull,
    /// A record is empty or too large.
    #[error("a record has 1 to {most} bytes")]
    RecordSize {
        /// The most.
        most: usize,
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
    /// Without this administrator there would be none.
    #[error("{name} is the only administrator: make somebody else one first")]
    LastAdmin {
        /// The name.
        name: String,
    },
    /// Without this director the event would have none.
    #[error("{name} is the only director of this event: make somebody else one first")]
    LastDirector {
        /// The name.
        name: String,
    },
    /// Somebody has no right in the event.
    #[error("this person has no right in this event: look at the list again")]
    NotAmongPeople,
    /// No such invitation.
    #[error("there is no such invitation")]
    UnknownInvitation,
    /// An invitation that does not work, or no longer.
    #[error("this link has been used, has run out or was taken back: ask for a new one")]
    InvitationSpent,
    /// The account was closed.
    #[error("the account {name} is closed: ask an administrator")]
    AccountClosed {
        /// The name.
        name: String,
    },
    /// The one-time link does not work, or no longer.
    #[error("this link has been used or has run out: start the server again for a new one")]
    SetupLinkSpent,
    /// The engine refuses.
    #[error(transparent)]
    Pairing(#[from] Refusal),
    /// What was given does not make sense as a whole.
    #[error("{}", listed(_0))]
    Faults(Vec<Fault>),
    /// A text holds a character that no text can hold.
    #[error("a text contains the character NUL: remove it")]
    Unstorable,
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
            Self::Frozen { .. } => "frozen",
            Self::NotFinished { .. } => "not-finished",
            Self::ReasonNeeded => "reason-needed",
            Self::ReasonTooLong { .. } => "reason-too-long",
            Self::FirstRoundFixed => "first-round-fixed",
            Self::FewerThanPaired { .. } => "fewer-than-paired",
            Self::SkippedTime { .. } => "skipped-time",
            Self::DraftExists { .. } => "draft-exists",
            Self::RoundExists { .. } => "round-exists",
            Self::NotNextRound { .. } => "not-next-round",
            Self::NotLastRound { .. } => "not-last-round",
            Self::NotPublished { .. } => "not-published",
            Self::HasResults { .. } => "has-results",
            Self::UnknownAct { .. } => "unknown-act",
            Self::NoUndo { .. } => "no-undo",
            Self::ChangedSince { .. } => "changed-since",
            Self::PublishedSince { .. } => "published-since",
            Self::Outdated { .. } => "outdated",
            Self::Table(_) => "table",
            Self::Repeats { .. } => "repeats",
            Self::HasPlayed { .. } => "has-played",
            Self::MetInCarried { .. } => "met-in-carried",
            Self::AlreadyWithdrawn { .. } => "already-withdrawn",
            Self::NotWithdrawn { .. } => "not-withdrawn",
            Self::ReturnTooEarly { .. } => "return-too-early",
            Self::BeyondRounds { .. } => "beyond-rounds",
            Self::PlayedLater { .. } => "played-later",
            Self::SeatedNow { .. } => "seated-now",
            Self::OnTable { .. } => "on-table",
            Self::HasBoard { .. } => "has-board",
            Self::HasNoPlace { .. } => "has-no-place",
            Self::NotAtBoard { .. } => "not-at-board",
            Self::ResultCounts { .. } => "result-counts",
            Self::ColoursAssigned { .. } => "colours-assigned",
            Self::NotPlaying { .. } => "not-playing",
            Self::SameEntry { .. } => "same-entry",
            Self::BoardTwice { .. } => "board-twice",
            Self::NothingPromised { .. } => "nothing-promised",
            Self::WordsClosed { .. } => "words-closed",
            Self::Word(fault) => fault.code(),
            Self::TooManyWords { .. } => "too-many-words",
            Self::UnknownWord { .. } => "unknown-word",
            Self::DrawnAlready { .. } => "drawn-already",
            Self::NothingDrawn { .. } => "nothing-drawn",
            Self::GroupsFixed => "groups-fixed",
            Self::CategoriesThere { .. } => "categories-there",
            Self::UnknownFamily { .. } => "unknown-family",
            Self::TooManyGroups { .. } => "too-many-groups",
            Self::BadLabel { .. } => "bad-label",
            Self::LabelTwice { .. } => "label-twice",
            Self::BadFirstBoard { .. } => "bad-first-board",
            Self::GroupElsewhere { .. } => "group-elsewhere",
            Self::GroupsPaired { .. } => "groups-paired",
            Self::WithoutCategory { .. } => "without-category",
            Self::OneCategory => "one-category",
            Self::InGroups(_) => "in-groups",
            Self::NothingInGroups => "nothing-in-groups",
            Self::NumberDraw(fault) => fault.code(),
            Self::GroupDraw(fault) => fault.code(),
            Self::NoRecord { .. } => "no-record",
            Self::RecordFromDirector { .. } => "record-from-director",
            Self::RecordIsWithdrawn { .. } => "record-is-withdrawn",
            Self::TooManyRecords { .. } => "too-many-records",
            Self::RecordsFull => "records-full",
            Self::RecordSize { .. } => "record-size",
            Self::UserExists { .. } => "user-exists",
            Self::EmptyName => "empty-name",
            Self::AdminExists => "admin-exists",
            Self::LastAdmin { .. } => "last-admin",
            Self::LastDirector { .. } => "last-director",
            Self::NotAmongPeople => "not-among-people",
            Self::UnknownInvitation => "unknown-invitation",
            Self::UnknownBatch => "unknown-batch",
            Self::Overtaken { .. } => "overtaken",
            Self::RoundsBegun { .. } => "rounds-begun",
            Self::UnknownSignUp => "unknown-sign-up",
            Self::SignUpClosed => "sign-up-closed",
            Self::SignUpsFull => "sign-ups-full",
            Self::SignUpDecided { .. } => "sign-up-decided",
            Self::InvitationSpent => "invitation-spent",
            Self::AccountClosed { .. } => "account-closed",
            Self::SetupLinkSpent => "setup-link-spent",
            Self::Pairing(refusal) => refusal.code(),
            Self::Faults(_) => "faults",
            Self::Unstorable => "unstorable",
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
pub(crate) const CONSTRAINTS: &[(&str, &str)] = &[
    (
        "log_heads_public_no_from_zero",
        "public changes are numbered from 1 on",
    ),
    (
        "public_changes_key",
        "a public change has this number already: try again",
    ),
    (
        "users_name_unique",
        "there is a user of this name already: choose another name",
    ),
    ("users_name_filled", "a user's name has 1 to 200 characters"),
    ("users_role_known", "a role is admin, director, arbiter or viewer"),
    ("users_key", "this user is there already"),
    ("sessions_key", "this session is there already: sign in again"),
    (
        "sessions_token_is_hash",
        "a session is kept by a hash of 32 bytes",
    ),
    ("sessions_user_exists", "there is no such user"),
    (
        "sessions_id_unique",
        "this session is there already: sign in again",
    ),
    (
        "sessions_browser_sized",
        "the name of a browser has at most 100 characters",
    ),
    (
        "event_people_key",
        "this person has a right in this event already",
    ),
    ("event_people_event_exists", "there is no such event"),
    ("event_people_user_exists", "there is no such user"),
    (
        "event_people_role_known",
        "a right in an event is director, arbiter or viewer",
    ),
    ("invitations_key", "this invitation is there already"),
    (
        "invitations_token_unique",
        "this link is there already: make another one",
    ),
    (
        "invitations_token_is_hash",
        "a link is kept by a hash of 32 bytes",
    ),
    ("invitations_event_exists", "there is no such event"),
    ("invitations_user_exists", "there is no such user"),
    (
        "invitations_role_known",
        "a role is admin, director, arbiter or viewer",
    ),
    (
        "invitations_note_sized",
        "for whom an invitation is has at most 200 characters",
    ),
    (
        "invitations_one_purpose",
        "an invitation gives a role or sets a password",
    ),
    (
        "invitations_event_role",
        "a right in an event is director, arbiter or viewer",
    ),
    (
        "invitations_used_whole",
        "a used invitation says by whom and when",
    ),
    ("api_tokens_key", "this token is there already: make another one"),
    (
        "api_tokens_hash_unique",
        "this token is there already: make another one",
    ),
    (
        "api_tokens_token_is_hash",
        "a token is kept by a hash of 32 bytes",
    ),
    ("api_tokens_user_exists", "there is no such user"),
    (
        "api_tokens_scope_known",
        "a token is for everything, results or reading",
    ),
    ("attempts_key", "this attempt is counted already: try again"),
    (
        "attempts_key_is_hash",
        "what is guessed at is kept by a hash of 32 bytes",
    ),
    ("attempts_count_positive", "an attempt is counted from 1"),
    ("api_tokens_name_filled", "a token's name has 1 to 200 characters"),
    ("setup_tokens_key", "this link is there already: make another one"),
    (
        "setup_tokens_token_is_hash",
        "a link is kept by a hash of 32 bytes",
    ),
    (
        "idempotency_keys_key",
        "this request was answered already: look at its answer",
    ),
    (
        "idempotency_keys_key_sized",
        "an idempotency key has 1 to 255 characters",
    ),
    (
        "idempotency_keys_request_is_hash",
        "a request is kept by a hash of 32 bytes",
    ),
    ("idempotency_keys_status_known", "a status is between 100 and 599"),
    ("events_key", "this event is there already"),
    (
        "events_slug_unique",
        "another event has this address: choose another one",
    ),
    ("events_slug_sized", "an address has 1 to 80 characters"),
    ("events_name_filled", "an event's name has 1 to 200 characters"),
    ("events_place_sized", "a place has 1 to 200 characters"),
    (
        "events_time_zone_named",
        "a time zone has a name, such as Asia/Shanghai",
    ),
    ("round_starts_key", "this round has a start already"),
    ("round_starts_round_in_range", "a round is between 1 and 100"),
    ("round_starts_stage_exists", "there is no such stage"),
    ("events_visibility_known", "an event is public or hidden"),
    ("groups_key", "this group is there already"),
    ("groups_event_exists", "there is no such event"),
    ("stages_key", "this stage is there already"),
    ("stages_group_exists", "there is no such group"),
    ("stages_format_known", "this format is not known"),
    ("stages_rounds_planned_in_range", "an event has 1 to 100 rounds"),
    (
        "stages_first_round_in_range",
        "the first round is between 1 and the number of rounds",
    ),
    ("stages_pairing_order_known", "this order of pairing is not known"),
    (
        "stages_order_by_known",
        "fold and slide go by rating, grade or number",
    ),
    (
        "stages_team_avoidance_known",
        "team mates are kept apart soft, strong or absolute",
    ),
    (
        "stages_third_colour_known",
        "a third game with the same colour is allowed, avoided or forbidden",
    ),
    (
        "stages_colours_known",
        "colours come by number, alternate, by lots or from nigiri",
    ),
    (
        "stages_stop_at_in_range",
        "the score at which a player stops is between 1 and 1000",
    ),
    ("kept_apart_key", "this pair is kept apart already"),
    (
        "kept_apart_rule_known",
        "a pair that is kept apart is forbidden or unwanted",
    ),
    ("kept_apart_in_order", "a pair is two entries, kept in one order"),
    ("kept_apart_entry_exists", "there is no such entry"),
    ("kept_apart_other_exists", "there is no such entry"),
    (
        "stages_number_order_known",
        "numbers run alternate, ascending or descending",
    ),
    (
        "stages_avoid_team_rounds_in_range",
        "team mates can be kept apart in 0 to 100 rounds",
    ),
    ("stages_bye_score_in_range", "a bye is worth 0, 1 or 2 points"),
    ("stages_absent_score_in_range", "an absence is worth 0 or 1 point"),
    ("stages_ranking_is_list", "a ranking is a list of criteria"),
    (
        "stages_unplayed_known",
        "unplayed games count as opponent, virtual or nothing",
    ),
    ("entries_key", "this entry is there already"),
    (
        "entries_number_unique",
        "another entry has this number: choose a free one",
    ),
    ("entries_number_in_range", "a number is between 1 and 99999"),
    ("entries_kind_known", "an entry is a player or a team"),
    ("entries_name_filled", "a name has 1 to 200 characters"),
    ("entries_team_sized", "a team has 1 to 200 characters"),
    ("entries_category_sized", "a category has 1 to 200 characters"),
    ("entries_group_exists", "there is no such group"),
    ("stage_entries_key", "this entry takes part already"),
    ("stage_entries_stage_exists", "there is no such stage"),
    ("stage_entries_entry_exists", "there is no such entry"),
    (
        "stage_entries_start_score_in_range",
        "a starting score is between 0 and 1000",
    ),
    (
        "stage_entries_withdrawn_after_in_range",
        "a withdrawal counts from after round 0 to 100",
    ),
    (
        "stage_entries_carried_score_in_range",
        "a carried score is between 0 and 1000",
    ),
    (
        "stage_entries_carried_balance_in_range",
        "a carried balance is between -100 and 100",
    ),
    (
        "stage_entries_carried_whole",
        "a carried score and balance come together",
    ),
    ("carried_meetings_key", "this meeting is carried already"),
    (
        "carried_meetings_not_oneself",
        "nobody can have met himself or herself",
    ),
    ("carried_meetings_entry_exists", "there is no such entry"),
    (
        "carried_meetings_opponent_exists",
        "a carried opponent takes part: withdraw the entry instead of removing it",
    ),
    ("lots_key", "an entry draws one lot"),
    ("lots_lot_in_range", "a lot is 0 or more"),
    ("lots_entry_exists", "there is no such entry"),
    ("rounds_key", "this round is paired already: look at it"),
    (
        "rounds_one_draft",
        "there is a draft already: publish it or throw it away",
    ),
    ("rounds_round_in_range", "a round is between 1 and 100"),
    ("rounds_status_known", "a round is a draft or published"),
    ("rounds_edition_from_one", "editions count from 1"),
    ("rounds_seed_is_seed", "a seed has 32 bytes"),
    ("round_choices_key", "this is fixed already"),
    (
        "round_choices_choice_known",
        "what is fixed is a pair that meets or does not, a bye, or somebody sitting out",
    ),
    (
        "round_choices_pairs_are_two",
        "a pair is two entries, a bye or a rest is one",
    ),
    ("round_choices_round_exists", "there is no such round"),
    ("round_choices_entry_exists", "there is no such entry"),
    ("round_choices_other_exists", "there is no such entry"),
    (
        "rounds_published_at_when_published",
        "a published round says when, a draft does not",
    ),
    (
        "rounds_publish_at_for_drafts",
        "only a draft waits to be published",
    ),
    (
        "rounds_publish_at_by_somebody",
        "somebody sets the time of a publication",
    ),
    ("rounds_stage_exists", "there is no such stage"),
    ("withdrawn_editions_key", "this edition is kept already"),
    ("withdrawn_editions_stage_exists", "there is no such stage"),
    ("boards_key", "this board is there already"),
    ("boards_board_from_one", "boards are numbered from 1"),
    ("boards_result_known", "this result is not known"),
    (
        "boards_ended_by_known",
        "a game ends by count, resignation, time or penalty",
    ),
    ("boards_margin_in_range", "a margin is between a quarter and 3000"),
    ("boards_black_warnings_in_range", "warnings are between 0 and 255"),
    ("boards_white_warnings_in_range", "warnings are between 0 and 255"),
    (
        "boards_pending_says_nothing",
        "a board without a result has neither a way it ended nor a margin",
    ),
    (
        "boards_margin_needs_winner",
        "only a game won on the board has a margin",
    ),
    (
        "boards_forfeit_was_not_played",
        "a forfeited game has no way it ended",
    ),
    ("boards_round_exists", "there is no such round"),
    ("seats_key", "a player has one place in a round"),
    ("seats_side_unique", "a board has one Black and one White"),
    ("seats_place_known", "a place is black, white, bye or absent"),
    (
        "seats_board_for_sides",
        "players sit at boards, byes and absences do not",
    ),
    ("seats_round_exists", "there is no such round"),
    ("seats_board_exists", "there is no such board"),
    ("seats_entry_exists", "there is no such entry"),
    ("earlier_results_key", "this earlier result is kept already"),
    (
        "earlier_results_on_earlier_round",
        "a round is made on results of earlier rounds",
    ),
    ("earlier_results_round_exists", "there is no such round"),
    ("earlier_results_board_exists", "there is no such board"),
    ("log_heads_key", "this log is there already"),
    ("draws_put_back_was_drawn", "only what was drawn can be put back"),
    (
        "log_heads_frozen_whole",
        "an event is final since a moment, by somebody",
    ),
    (
        "events_awards_object",
        "promotion and prizes are kept as an object",
    ),
    (
        "log_heads_hash_is_hash",
        "the end of a log is kept by a hash of 32 bytes",
    ),
    ("log_hash_is_hash", "an act is kept with a hash of 32 bytes"),
    ("draws_key", "this draw is promised already"),
    ("draws_event_exists", "there is no such event"),
    (
        "draws_draw_known",
        "a draw is of a round, of numbers or of groups",
    ),
    ("draws_edition_from_one", "draws count from 1"),
    ("draws_secret_is_secret", "a secret has 32 bytes"),
    ("draws_commitment_is_hash", "a commitment has 32 bytes"),
    ("draws_revealed_whole", "a draw is revealed by an act of the log"),
    ("draws_revealed_when_drawn", "a draw is revealed once it was made"),
    ("draw_words_key", "this public word is there already"),
    ("draw_words_position_from_one", "public words count from 1"),
    ("draw_words_word_sized", "a public word has 1 to 200 characters"),
    (
        "draw_words_said_by_sized",
        "the name of who said a public word has 1 to 200 characters",
    ),
    ("draw_words_draw_exists", "there is no such draw"),
    ("draw_files_key", "this draw file is kept already"),
    ("draw_files_event_exists", "there is no such event"),
    ("events_board_size_in_range", "a board has 2 to 52 lines"),
    (
        "events_repetition_known",
        "a repetition is illegal, no result, a draw, a replay or the referee's",
    ),
    ("record_secrets_key", "this event has its codes already"),
    ("record_secrets_event_exists", "there is no such event"),
    ("record_secrets_secret_is_secret", "a secret has 32 bytes"),
    ("records_key", "this record is kept already"),
    ("records_event_exists", "there is no such event"),
    ("records_version_from_one", "versions count from 1"),
    (
        "records_status_known",
        "a record is current, replaced or withdrawn",
    ),
    ("records_bytes_sized", "a record has 1 to 1048576 bytes"),
    ("records_size_is_size", "a record has as many bytes as it has"),
    ("records_hash_is_hash", "a record is known by a hash of 32 bytes"),
    ("records_game_from_one", "the games of a file count from 1"),
    (
        "records_encoding_sized",
        "the name of an encoding has 1 to 40 characters",
    ),
    ("records_board_from_one", "boards are numbered from 1"),
    (
        "records_names_known",
        "the names of a record are straight or swapped",
    ),
    (
        "records_recorded_winner_known",
        "a record is won by Black or White",
    ),
    ("records_recorded_unit_known", "a margin is in stones or points"),
    ("records_two_players", "a game is two entries, kept in one order"),
    (
        "records_one_current",
        "another record of this board came at the same moment: look at it",
    ),
    ("batches_key", "this number is taken: try again"),
    ("batches_event_exists", "there is no such event"),
    (
        "batches_batch_from_one",
        "what is done together is counted from 1",
    ),
    (
        "batches_kind_known",
        "a list, sign-ups, absences or withdrawals are done together",
    ),
    ("batches_acts_in_order", "acts stand in the order of the log"),
    ("check_ins_key", "this entry is known to be here"),
    ("check_ins_entry_exists", "there is no such entry"),
    ("sign_up_settings_key", "the sign-up of this event is set already"),
    ("sign_up_settings_event_exists", "there is no such event"),
    (
        "sign_up_settings_places_in_range",
        "an event has 1 to 20000 places",
    ),
    (
        "sign_up_settings_notice_sized",
        "a notice has at most 2000 characters",
    ),
    ("sign_ups_key", "this sign-up is there already"),
    ("sign_ups_event_exists", "there is no such event"),
    ("sign_ups_number_from_one", "sign-ups count from 1"),
    ("sign_ups_name_sized", "a name has 1 to 200 characters"),
    ("sign_ups_team_sized", "a team has 1 to 200 characters"),
    ("sign_ups_category_sized", "a category has 1 to 200 characters"),
    ("sign_ups_contact_sized", "a contact has at most 200 characters"),
    ("sign_ups_note_sized", "a note has at most 1000 characters"),
    ("sign_ups_token_unique", "this sign-up is there already"),
    ("sign_ups_token_is_hash", "a link is known by a hash of 32 bytes"),
    (
        "sign_ups_status_known",
        "a sign-up waits, is confirmed, refused or withdrawn",
    ),
    ("sign_ups_reason_sized", "a reason has at most 500 characters"),
    (
        "sign_ups_confirmed_has_entry",
        "a confirmed sign-up has its entry",
    ),
    (
        "sign_ups_decided_whole",
        "a decision has a moment and somebody who made it",
    ),
    ("result_settings_key", "this is settled already: try again"),
    ("result_settings_event_exists", "there is no such event"),
    ("result_links_key", "this link is there already: make another one"),
    ("result_links_event_exists", "there is no such event"),
    (
        "result_links_token_unique",
        "this link is there already: make another one",
    ),
    (
        "result_links_token_is_hash",
        "a link is kept by a hash of 32 bytes",
    ),
    (
        "result_links_name_sized",
        "the name of a link has 1 to 80 characters",
    ),
    ("result_links_first_from_one", "boards count from 1"),
    (
        "result_links_range",
        "the last board of a link is not before its first",
    ),
    ("reported_results_key", "this was reported just now: try again"),
    ("reported_results_board_exists", "there is no such board"),
    (
        "reported_results_kind_known",
        "a result is reported by an account, a link or a player",
    ),
    ("reported_results_result_known", "this result is not known"),
    (
        "reported_results_ended_by_known",
        "a game ends by count, resignation, time or penalty",
    ),
    (
        "reported_results_margin_in_range",
        "a margin is between a quarter and 3000",
    ),
    (
        "reported_results_black_warnings_in_range",
        "warnings are between 0 and 255",
    ),
    (
        "reported_results_white_warnings_in_range",
        "warnings are between 0 and 255",
    ),
    ("log_key", "this number of the log is taken"),
    ("log_seq_from_one", "the log counts from 1"),
    (
        "log_subject_known",
        "the log tells of events, entries, rounds and boards",
    ),
    ("site_log_key", "this number of the log is taken"),
    ("families_key", "this family is there already"),
    (
        "families_slug_unique",
        "another family has this address: choose another one",
    ),
    ("families_slug_sized", "an address has 1 to 80 characters"),
    ("families_name_filled", "a family's name has 1 to 200 characters"),
    ("families_place_sized", "a place has 1 to 200 characters"),
    ("families_field_exists", "there is no such event"),
    (
        "family_events_key",
        "this event is a group already: take it out of its family first",
    ),
    ("family_events_event_exists", "there is no such event"),
    ("family_events_family_exists", "there is no such family"),
    (
        "family_events_label_sized",
        "a group is called by 1 to 60 characters",
    ),
    (
        "family_events_first_board_in_range",
        "the first board of a group is a number from 1 to 90000",
    ),
    (
        "family_events_label_once",
        "two groups are called the same: call one of them otherwise",
    ),
    (
        "family_people_key",
        "this person has a right in this family already",
    ),
    ("family_people_family_exists", "there is no such family"),
    ("family_people_user_exists", "there is no such user"),
    (
        "family_people_role_known",
        "a right in a family is director, arbiter or viewer",
    ),
];

fn listed<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sqlx::PgPool;

    use super::{CONSTRAINTS, Error, Refused};

    #[sqlx::test(migrations = "../../migrations")]
    async fn every_constraint_has_its_sentence(pool: PgPool) {
        let there: Vec<String> = sqlx::query_scalar(
            "select conname::text from pg_constraint c
             join pg_namespace n on n.oid = c.connamespace and n.nspname = 'public'
             where conrelid <> '_sqlx_migrations'::regclass
             union
             select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
             join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
             where i.indisunique and i.indrelid <> '_sqlx_migrations'::regclass",
        )
        .fetch_all(&pool)
        .await
        .expect("names");
        let there: BTreeSet<&str> = there.iter().map(String::as_str).collect();
        let known: BTreeSet<&str> = CONSTRAINTS.iter().map(|(name, _)| *name).collect();
        assert_eq!(there, known);
        assert_eq!(known.len(), CONSTRAINTS.len(), "no name stands twice");
    }

    #[sqlx::test(migrations = "../../migrations")]
    async fn a_violated_constraint_is_a_refusal(pool: PgPool) {
        let error = sqlx::query(
            "insert into log_heads (event_id, last_seq, hash)
             values ($1, 1, sha256('')), ($1, 2, sha256(''))",
        )
        .bind(uuid::Uuid::nil())
        .execute(&pool)
        .await
        .expect_err("twice the same key");
        let Error::Refused(refused) = Error::from(error) else {
            panic!("no refusal");
        };
        assert_eq!(refused.code(), "constraint");
        let error = sqlx::query("select 1 / 0")
            .execute(&pool)
            .await
            .expect_err("no number");
        assert!(matches!(Error::from(error), Error::Database(_)));
    }

    #[test]
    fn what_may_be_tried_again_is_known() {
        assert!(Error::Database(sqlx::Error::PoolTimedOut).is_transient());
        assert!(!Error::Database(sqlx::Error::RowNotFound).is_transient());
        assert!(!Error::Refused(Refused::EmptyName).is_transient());
    }
}
