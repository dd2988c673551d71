//! Undo: an act of the log is taken back by another act, which says so and can be taken back too.
//!
//! Only the last act on a thing is taken back: what came later on the same board, entry, round or
//! settings depends on it, and the refusal names it. Everything goes through the ordinary use
//! cases, so nothing can be reached by undoing that could not be done by hand.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tournament::Number;
use tournament::draw::Decides;
use tournament::pairing::Confirmed;

use crate::entries::{self, NewEntry};
use crate::error::unreadable;
use crate::events::{self, EventPatch, Locked, PairingPatch, RecordsPatch, RoundStatus, Visibility};
use crate::json::{self, Word};
use crate::log::{self, Action, Filter, LogEntry, Subject};
use crate::result_links::{self, ResultSettings};
use crate::results::{self, ResultInput};
use crate::rounds::{self, Table};
use crate::{Change, Paging, Refused, Result, Tx, check_in, draws, sign_ups};

/// Whether acts of a kind can be taken back from the log, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undoing {
    /// They can.
    Here,
    /// Not from the log: by this way.
    Elsewhere(Way),
    /// Not at all.
    Never(Because),
}

/// Where something is taken back that the log does not take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The event is removed.
    RemoveEvent,
    /// On the page of the board's record, where every version is kept.
    Record,
    /// On the page of people.
    People,
    /// On the page of links for results.
    ResultLinks,
    /// On the page of results: whoever reported something says something else.
    Results,
    /// On the page of sign-ups, where it is decided again.
    SignUps,
    /// On the page of draws, where it is drawn again from the next promise.
    Draws,
}

/// Why something can never be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// The event is gone; the site's log keeps its file.
    Gone,
    /// Codes that were on paper count no more, whatever is done.
    Secret,
    /// It was said and changed nothing: what is said later stands beside it.
    Said,
}

impl Undoing {
    /// A stable word for programs and translations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Elsewhere(Way::RemoveEvent) => "remove-event",
            Self::Elsewhere(Way::Record) => "record",
            Self::Elsewhere(Way::People) => "people",
            Self::Elsewhere(Way::ResultLinks) => "result-links",
            Self::Elsewhere(Way::Results) => "results",
            Self::Elsewhere(Way::SignUps) => "sign-ups",
            Self::Elsewhere(Way::Draws) => "draws",
            Self::Never(Because::Gone) => "gone",
            Self::Never(Because::Secret) => "secret",
            Self::Never(Because::Said) => "said",
        }
    }
}

/// How acts of a kind are taken back.
pub fn undoing(action: Action) -> Undoing {
    match action {
        Action::EventUpdated
        | Action::EventFrozen
        | Action::EventUnfrozen
        | Action::EntryAdded
        | Action::EntryUpdated
        | Action::EntryDeleted
        | Action::EntryWithdrawn
        | Action::EntryReturned
        | Action::EntrySitsOut
        | Action::EntryPlays
        | Action::EntryHere
        | Action::EntryAway
        | Action::NumbersDrawn
        | Action::GroupsDrawn
        | Action::WordAdded
        | Action::WordRemoved
        | Action::RoundPaired
        | Action::RoundPairedByHand
        | Action::RoundPublished
        | Action::PublicationSet
        | Action::PublicationWithdrawn
        | Action::RoundThrownAway
        | Action::RoundChanged
        | Action::ResultEntered
        | Action::ResultCorrected
        | Action::ResultCleared
        | Action::ResultSettingsChanged
        | Action::SignUpSet
        | Action::SignUpRefused => Undoing::Here,
        Action::EventCreated | Action::EventImported => Undoing::Elsewhere(Way::RemoveEvent),
        Action::EventDeleted => Undoing::Never(Because::Gone),
        Action::RecordBrought
        | Action::RecordReplaced
        | Action::RecordWithdrawn
        | Action::RecordBroughtBack => Undoing::Elsewhere(Way::Record),
        Action::RecordCodesRenewed => Undoing::Never(Because::Secret),
        Action::BoardNoted => Undoing::Never(Because::Said),
        Action::RightGiven
        | Action::RightChanged
        | Action::RightTaken
        | Action::InvitationMade
        | Action::InvitationRevoked => Undoing::Elsewhere(Way::People),
        Action::ResultLinkMade | Action::ResultLinkRevoked => Undoing::Elsewhere(Way::ResultLinks),
        Action::ResultReported => Undoing::Elsewhere(Way::Results),
        Action::SignUpPutBack => Undoing::Elsewhere(Way::SignUps),
        Action::NumbersPutBack | Action::GroupsPutBack => Undoing::Elsewhere(Way::Draws),
    }
}

/// What of a subject an act is about: acts on different things do not stand in one another's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// What the subject is: settings, an entry, a round, a board.
    Itself,
    /// Whether the event is final.
    Final,
    /// Whether and how players sign up.
    SignUp,
    /// What is asked of results.
    ResultSettings,
    /// Whether an entry is here.
    Door,
    /// Something that is looked at by itself when the act is taken back: a draw knows what came after it,
    /// a public word and a sign-up are there or not.
    OfItsOwn,
}

impl Thing {
    /// What an act of a kind is about.
    pub fn of(action: Action) -> Self {
        match action {
            Action::EventFrozen | Action::EventUnfrozen => Self::Final,
            Action::SignUpSet => Self::SignUp,
            Action::ResultSettingsChanged => Self::ResultSettings,
            Action::EntryHere | Action::EntryAway => Self::Door,
            Action::NumbersDrawn
            | Action::GroupsDrawn
            | Action::WordAdded
            | Action::WordRemoved
            | Action::SignUpRefused => Self::OfItsOwn,
            _ => Self::Itself,
        }
    }

    /// The acts on the event that change this thing.
    fn of_event(self) -> &'static [Action] {
        match self {
            Self::Final => &[Action::EventFrozen, Action::EventUnfrozen],
            Self::SignUp => &[Action::SignUpSet],
            Self::ResultSettings => &[Action::ResultSettingsChanged],
            Self::Itself => &[Action::EventUpdated],
            Self::Door | Self::OfItsOwn => &[],
        }
    }
}

/// Whether acts of a kind can be taken back from the log.
pub fn can_be_undone(action: Action) -> bool {
    undoing(action) == Undoing::Here
}

/// The act with a number.
///
/// # Errors
/// Refused when there is none.
pub async fn act(tx: &mut Tx, event: &events::Event, seq: i64) -> Result<LogEntry> {
    let filter = Filter {
        before: Some(seq.saturating_add(1)),
        ..Filter::default()
    };
    let one = Paging { offset: 0, limit: 1 };
    let found = log::list(tx, event, filter, one).await?.items.pop();
    Ok(found
        .filter(|act| act.seq == seq)
        .ok_or(Refused::UnknownAct { seq })?)
}

/// Takes an act back. Returns it.
///
/// # Errors
/// Refused for an unknown act, one of a kind that is not undone here, one on whose thing something
/// was done later (the refusal names it), and as the use case that takes it back refuses.
pub async fn undo(tx: &mut Tx, change: &Change<'_>, event: &mut Locked, seq: i64) -> Result<LogEntry> {
    let act = act(tx, event, seq).await?;
    let action = act.action;
    if !can_be_undone(action) {
        return Err(Refused::NoUndo { seq, action }.into());
    }
    if action != Action::EventFrozen {
        event.expect_open()?;
    }
    last_on_its_thing(tx, event, &act).await?;
    let before = Fields(act.before.as_object());
    match (action, act.subject) {
        (Action::EventUpdated, _) => {
            let patch = settings(&before)?;
            events::update(tx, change, event, patch, None).await?;
        }
        (Action::EventFrozen, _) => events::unfreeze(tx, change, event, None).await?,
        (Action::EventUnfrozen, _) => events::freeze(tx, change, event, None).await?,
        (Action::NumbersDrawn, _) => {
            let mut numbers = before.keys()?;
            numbers.sort_unstable();
            draws::put_numbers_back(tx, change, event, seq, &numbers).await?;
        }
        (Action::GroupsDrawn, _) => {
            let (before, after) = (before.categories()?, Fields(act.after.as_object()).categories()?);
            draws::put_groups_back(tx, change, event, seq, (&before, &after)).await?;
        }
        (Action::WordAdded, _) => {
            let after = Fields(act.after.as_object());
            let (decides, word, said_by) = after.word_of_draw()?;
            let position = event
                .draws
                .iter()
                .rfind(|draw| draw.decides == decides)
                .and_then(|draw| {
                    let same = |one: &&draws::PublicWord| one.word.as_str() == word && one.said_by == said_by;
                    draw.words.iter().rfind(same)
                })
                .map_or(0, |word| word.position);
            draws::remove_word(tx, change, event, decides, position).await?;
        }
        (Action::WordRemoved, _) => {
            let (decides, word, said_by) = before.word_of_draw()?;
            draws::add_word(tx, change, event, decides, &word, said_by.as_deref()).await?;
        }
        (Action::ResultSettingsChanged, _) => {
            let old = event.results;
            let new = ResultSettings {
                by_two: before.parsed("by_two")?.unwrap_or(old.by_two),
                from_players: before.parsed("from_players")?.unwrap_or(old.from_players),
            };
            result_links::set_settings(tx, change, event.id, new).await?;
            event.reload(tx).await?;
        }
        (Action::SignUpSet, _) => {
            let old = sign_ups::settings(tx, event.id).await?;
            let new = sign_ups::Settings {
                open: before.parsed("open")?.unwrap_or(old.open),
                closes_at: before.parsed("closes_at")?.unwrap_or(old.closes_at),
                places: before.parsed("places")?.unwrap_or(old.places),
                notice: before.parsed("notice")?.unwrap_or(old.notice),
            };
            sign_ups::set(tx, change, event, new).await?;
        }
        (Action::SignUpRefused, _) => {
            let after = Fields(act.after.as_object());
            let number = after.parsed("sign_up")?.ok_or_else(|| unreadable(seq))?;
            sign_ups::take_refusal_back(tx, change, event, number).await?;
        }
        (Action::EntryHere | Action::EntryAway, Subject::Entry(_)) => {
            let id = act.entry.ok_or_else(|| unreadable(seq))?;
            // Numbers may have been drawn since: the entry is known by its key.
            let number = event
                .0
                .ids
                .iter()
                .find(|(_, key)| **key == id)
                .map(|(number, _)| *number);
            let number = number.ok_or(Refused::UnknownAct { seq })?;
            check_in::set(tx, change, event, number, action == Action::EntryAway).await?;
        }
        (Action::RoundChanged, Subject::Round(round)) => {
            let after = Fields(act.after.as_object());
            let gone: Vec<u32> = after.boards()?.iter().map(|board| board.board).collect();
            let lists = (before.listed("byes")?, before.listed("absent")?);
            rounds::change_back(tx, change, event, round, (&gone, before.boards()?), lists).await?;
        }
        (Action::EntryAdded, Subject::Entry(number)) => {
            entries::delete(tx, change, event, number).await?;
        }
        (Action::EntryDeleted, Subject::Entry(number)) => {
            let new = entry(&before, number)?;
            entries::add(tx, change, event, vec![new]).await?;
        }
        (_, Subject::Entry(number)) => entry_back(tx, change, event, number, &act).await?,
        (Action::RoundPaired | Action::RoundPairedByHand, Subject::Round(round)) => {
            rounds::throw_away(tx, change, event, round, None).await?;
        }
        (Action::RoundPublished, Subject::Round(round)) => {
            rounds::withdraw_publication(tx, change, event, round, None).await?;
        }
        (Action::PublicationWithdrawn, Subject::Round(round)) => {
            rounds::publish(tx, change, event, round, None, false).await?;
        }
        (Action::PublicationSet, Subject::Round(round)) => {
            let at = before.parsed("publish_at")?.flatten();
            rounds::publish_at(tx, change, event, round, at, None).await?;
        }
        (Action::RoundThrownAway, Subject::Round(round)) => {
            rounds::expect_next(event, Some(round))?;
            // What was confirmed when the round was paired is not asked for again.
            let confirmed = Confirmed {
                provisional: true,
                repeats: true,
            };
            rounds::by_hand(tx, change, event, table(&before)?, confirmed).await?;
        }
        (_, Subject::Board { round, board }) => {
            let after = Fields(act.after.as_object());
            let input = result(&before, &after)?;
            results::put(tx, change, event.id, round, board, Some(seq), input)
                .await
                .map_err(|error| match error {
                    crate::Error::Refused(Refused::Stale { current }) => Refused::ChangedSince {
                        seq,
                        later: current,
                        action: Action::ResultCorrected,
                    }
                    .into(),
                    error => error,
                })?;
            event.reload(tx).await?;
        }
        _ => return Err(Refused::NoUndo { seq, action }.into()),
    }
    Ok(act)
}

/// Refuses an act after which something was done to the same thing.
async fn last_on_its_thing(tx: &mut Tx, event: &Locked, act: &LogEntry) -> Result<()> {
    let filter = match act.subject {
        // A result has its board's version, which says the same.
        Subject::Board { .. } => return Ok(()),
        Subject::Event | Subject::Round(_) if Thing::of(act.action) == Thing::OfItsOwn => return Ok(()),
        Subject::Event => {
            for kind in Thing::of(act.action).of_event() {
                let filter = Filter {
                    action: Some(*kind),
                    ..Filter::default()
                };
                let one = Paging { offset: 0, limit: 1 };
                if let Some(later) = log::list(tx, event, filter, one).await?.items.pop()
                    && later.seq > act.seq
                {
                    return Err(Refused::ChangedSince {
                        seq: act.seq,
                        later: later.seq,
                        action: later.action,
                    }
                    .into());
                }
            }
            return Ok(());
        }
        Subject::Entry(_) => Filter::default(),
        Subject::Round(round) => Filter {
            round: Some(round),
            ..Filter::default()
        },
    };
    let mut below = None;
    loop {
        let page = log::list(
            tx,
            event,
            Filter {
                before: below,
                ..filter
            },
            Paging {
                offset: 0,
                limit: Paging::MOST,
            },
        )
        .await?;
        let Some(end) = page.items.last().map(|act| act.seq) else {
            return Ok(());
        };
        for later in page.items {
            if later.seq <= act.seq {
                return Ok(());
            }
            // Numbers are drawn by lot and given anew: an entry is known by its key.
            let same = match act.subject {
                Subject::Entry(number) => match (act.entry, later.entry) {
                    (Some(one), Some(other)) => {
                        one == other
                            || (act.action == Action::EntryDeleted && later.subject == Subject::Entry(number))
                    }
                    _ => later.subject == act.subject,
                },
                _ => later.subject == act.subject,
            };
            if same && Thing::of(later.action) == Thing::of(act.action) {
                return Err(Refused::ChangedSince {
                    seq: act.seq,
                    later: later.seq,
                    action: later.action,
                }
                .into());
            }
        }
        below = Some(end);
    }
}

/// Gives an entry back what it was before an act.
async fn entry_back(
    tx: &mut Tx,
    change: &Change<'_>,
    event: &mut Locked,
    number: Number,
    act: &LogEntry,
) -> Result<()> {
    let before = Fields(act.before.as_object());
    let mut new = event
        .stage
        .entry(number)
        .cloned()
        .ok_or(Refused::UnknownEntry { number })?;
    // A round that was published in between was made of what is taken back now.
    let published = |event: &Locked, round: u32| {
        event
            .round_info(round)
            .is_some_and(|info| info.status == RoundStatus::Published)
    };
    let old_absent = new.absent_rounds.clone();
    let old_withdrawn = new.withdrawn_after;
    before.put_into(&mut new)?;
    let plays = |after: Option<u32>, absent: &[u32], round: u32| {
        after.is_none_or(|after| round <= after) && !absent.contains(&round)
    };
    let other = event.stage.rounds.iter().map(|table| table.round).find(|round| {
        published(event, *round)
            && plays(old_withdrawn, &old_absent, *round)
                != plays(new.withdrawn_after, &new.absent_rounds, *round)
    });
    if let Some(round) = other {
        return Err(Refused::PublishedSince { number, round }.into());
    }
    if new.number != number && entries::numbers_are_fixed(event) {
        return Err(Refused::NumbersFixed.into());
    }
    let action = match act.action {
        Action::EntryWithdrawn => Action::EntryReturned,
        Action::EntryReturned => Action::EntryWithdrawn,
        Action::EntrySitsOut => Action::EntryPlays,
        Action::EntryPlays => Action::EntrySitsOut,
        other => other,
    };
    entries::replace(tx, change, event, number, action, new).await
}

/// The fields of what was there before an act.
struct Fields<'a>(Option<&'a Map<String, Value>>);

impl Fields<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0?.get(name)
    }

    /// A field as the type it is of; none when the act did not touch it.
    fn parsed<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let value = self.get(name);
        value
            .map(|value| serde_json::from_value(value.clone()).map_err(unreadable))
            .transpose()
    }

    /// A field that is written as text.
    fn text<T>(&self, name: &str) -> Result<Option<T>>
    where
        T: std::str::FromStr,
        T::Err: std::fmt::Display,
    {
        Ok(self.optional(name)?.flatten())
    }

    /// A field that is written as text and can be empty.
    #[expect(
        clippy::option_option,
        reason = "not named, named empty and a value are three things"
    )]
    fn optional<T>(&self, name: &str) -> Result<Option<Option<T>>>
    where
        T: std::str::FromStr,
        T::Err: std::fmt::Display,
    {
        self.get(name)
            .map(|value| {
                value
                    .as_str()
                    .map(|text| text.parse().map_err(unreadable))
                    .transpose()
            })
            .transpose()
    }

    /// A field that is one of the words of a type.
    fn word<T: Word>(&self, name: &str) -> Result<Option<T>> {
        let value = self.get(name).and_then(Value::as_str);
        value.map(Word::of).transpose()
    }

    fn number(&self, name: &str) -> Option<Number> {
        let number = self.get(name)?.as_u64()?;
        Number::new(u32::try_from(number).ok()?)
    }

    /// The names of the fields, which are numbers of entries.
    fn keys(&self) -> Result<Vec<Number>> {
        let names = self.0.into_iter().flat_map(Map::keys);
        names
            .map(|name| {
                name.parse()
                    .ok()
                    .and_then(Number::new)
                    .ok_or_else(|| unreadable(name))
            })
            .collect()
    }

    /// Categories by number; what else stands beside them is no category.
    fn categories(&self) -> Result<draws::Categories> {
        let fields = self.0.into_iter().flatten();
        fields
            .filter_map(|(name, value)| Some((name.parse().ok().and_then(Number::new)?, value)))
            .map(|(number, value)| Ok((number, serde_json::from_value(value.clone()).map_err(unreadable)?)))
            .collect()
    }

    /// The draw, the word, and who said it.
    fn word_of_draw(&self) -> Result<(Decides, String, Option<String>)> {
        let draw: String = self.parsed("draw")?.unwrap_or_default();
        Ok((
            Decides::from_word(&draw).ok_or_else(|| unreadable(&draw))?,
            self.parsed("word")?.unwrap_or_default(),
            self.parsed("said_by")?.flatten(),
        ))
    }

    /// The boards of a table, without results.
    fn boards(&self) -> Result<Vec<tournament::Board>> {
        let boards = self.get("boards").and_then(Value::as_array);
        let board = |value: &Value| {
            let fields = Fields(value.as_object());
            let of = |side: &str| fields.number(side).ok_or_else(|| unreadable(value));
            let number = fields.parsed("board")?.ok_or_else(|| unreadable(value))?;
            let mut board = tournament::Board::new(number, of("black")?, of("white")?);
            board.nigiri = fields.parsed("nigiri")?.unwrap_or_default();
            Ok(board)
        };
        boards.into_iter().flatten().map(board).collect()
    }

    /// A list of numbers; none when the act did not touch it.
    fn listed(&self, name: &str) -> Result<Option<Vec<Number>>> {
        match self.get(name) {
            None => Ok(None),
            Some(_) => self.numbers(name).map(Some),
        }
    }

    fn numbers(&self, name: &str) -> Result<Vec<Number>> {
        let numbers: Vec<u32> = self.parsed(name)?.unwrap_or_default();
        numbers
            .into_iter()
            .map(|number| Number::new(number).ok_or_else(|| unreadable(number)))
            .collect()
    }

    fn pairs(&self, name: &str) -> Result<Option<Vec<(Number, Number)>>> {
        let Some(pairs) = self.parsed::<Vec<(u32, u32)>>(name)? else {
            return Ok(None);
        };
        let number = |number: u32| Number::new(number).ok_or_else(|| unreadable(number));
        let pairs = pairs
            .into_iter()
            .map(|(one, other)| Ok((number(one)?, number(other)?)));
        pairs.collect::<Result<Vec<_>>>().map(Some)
    }

    /// When rounds began to begin, as the settings tell it.
    fn starts(&self) -> Result<Option<BTreeMap<u32, chrono::NaiveDateTime>>> {
        let Some(value) = self.get("round_starts") else {
            return Ok(None);
        };
        let starts = value.as_object().into_iter().flatten().map(|(round, at)| {
            let at = at.as_str().unwrap_or_default();
            let at = chrono::NaiveDateTime::parse_from_str(at, json::START).map_err(unreadable)?;
            Ok((round.parse().map_err(unreadable)?, at))
        });
        starts.collect::<Result<_>>().map(Some)
    }

    /// Promotion and prizes, as far as the act touched them; what it did not touch is empty here.
    fn awards(&self) -> Result<Option<tournament::Awards>> {
        let mut value = Map::new();
        for name in ["promotion", "prizes"] {
            if let Some(table) = self.get(name) {
                value.insert(name.to_owned(), table.clone());
            }
        }
        if value.is_empty() {
            return Ok(None);
        }
        let text = Value::Object(value).to_string();
        let awards = interchange::event_file::read_awards(text.as_bytes());
        awards.map(Some).map_err(|_| unreadable("promotion and prizes"))
    }

    fn score(&self, name: &str) -> Result<Option<tournament::Score>> {
        Ok(self.parsed(name)?.map(tournament::Score))
    }

    #[expect(
        clippy::option_option,
        reason = "not named, named empty and a value are three things"
    )]
    fn carried(&self) -> Result<Option<Option<tournament::Carried>>> {
        let Some(value) = self.get("carried") else {
            return Ok(None);
        };
        let fields = Fields(value.as_object());
        if fields.0.is_none() {
            return Ok(Some(None));
        }
        Ok(Some(Some(tournament::Carried {
            score: fields.score("score")?.unwrap_or_default(),
            balance: fields.parsed("balance")?.unwrap_or_default(),
            met: fields.numbers("met")?,
        })))
    }

    /// Puts the fields into an entry.
    fn put_into(&self, entry: &mut tournament::Entry) -> Result<()> {
        fn set<T>(field: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *field = value;
            }
        }
        set(&mut entry.number, self.number("number"));
        set(&mut entry.name, self.parsed("name")?);
        set(&mut entry.name_withheld, self.parsed("name_withheld")?);
        set(&mut entry.team, self.parsed("team")?);
        set(&mut entry.grade, self.optional("grade")?);
        set(&mut entry.rating, self.parsed("rating")?);
        set(&mut entry.category, self.parsed("category")?);
        set(&mut entry.start_score, self.score("start_score")?);
        set(&mut entry.absent_rounds, self.parsed("absent_rounds")?);
        set(&mut entry.bye_rounds, self.parsed("bye_rounds")?);
        set(&mut entry.withdrawn_after, self.parsed("withdrawn_after")?);
        set(&mut entry.carried, self.carried()?);
        Ok(())
    }
}

fn entry(before: &Fields, number: Number) -> Result<NewEntry> {
    Ok(NewEntry {
        number: Some(number),
        name: before.parsed("name")?.unwrap_or_default(),
        name_withheld: before.parsed("name_withheld")?.unwrap_or_default(),
        team: before.parsed("team")?.flatten(),
        grade: before.optional("grade")?.flatten(),
        rating: before.parsed("rating")?.flatten(),
        category: before.parsed("category")?.flatten(),
        start_score: before.score("start_score")?.unwrap_or_default(),
        absent_rounds: before.parsed("absent_rounds")?.unwrap_or_default(),
        bye_rounds: before.parsed("bye_rounds")?.unwrap_or_default(),
        carried: before.carried()?.flatten(),
    })
}

fn result(before: &Fields, after: &Fields) -> Result<ResultInput> {
    let warnings = Fields(before.get("warnings").and_then(Value::as_object));
    let black = before.number("black");
    Ok(ResultInput {
        result: before.text("result")?,
        by: before.text("by")?,
        margin: before.text("margin")?,
        warnings: tournament::Warnings {
            black: warnings.parsed("black")?.unwrap_or_default(),
            white: warnings.parsed("white")?.unwrap_or_default(),
        },
        black: black.filter(|black| after.number("black") != Some(*black)),
    })
}

fn table(before: &Fields) -> Result<Table> {
    let boards = before.get("boards").and_then(Value::as_array);
    let pair = |board: &Value| {
        let fields = Fields(board.as_object());
        let of = |side: &str| fields.number(side).ok_or_else(|| unreadable(board));
        Ok((of("black")?, of("white")?))
    };
    Ok(Table {
        boards: boards.into_iter().flatten().map(pair).collect::<Result<_>>()?,
        byes: before.numbers("byes")?,
    })
}

fn settings(before: &Fields) -> Result<EventPatch> {
    let awards = before.awards()?;
    let lots = match before.parsed::<BTreeMap<u32, u32>>("lots")? {
        None => None,
        Some(lots) => Some(
            lots.into_iter()
                .map(|(number, lot)| Ok((Number::new(number).ok_or_else(|| unreadable(number))?, lot)))
                .collect::<Result<Vec<_>>>()?,
        ),
    };
    Ok(EventPatch {
        slug: before.parsed("slug")?,
        name: before.parsed("name")?,
        rules: before.text("rules")?,
        komi: before.text("komi")?,
        place: before.parsed("place")?,
        starts_on: before.parsed("starts_on")?,
        time_zone: before.optional("time_zone")?,
        starts: before.starts()?,
        promotion: awards
            .as_ref()
            .and_then(|awards| before.get("promotion").map(|_| awards.promotion.clone())),
        prizes: awards
            .as_ref()
            .and_then(|awards| before.get("prizes").map(|_| awards.prizes.clone())),
        visibility: before.word::<Visibility>("visibility")?,
        records: RecordsPatch {
            board_size: before.parsed("board_size")?,
            repetition: match before.get("repetition") {
                None => None,
                Some(_) => Some(before.word("repetition")?),
            },
            from_players: before.parsed("records_from_players")?,
        },
        rounds_planned: before.parsed("rounds")?,
        first_round: before.parsed("first_round")?,
        pairing: PairingPatch {
            order: before.word("order")?,
            order_by: before.word("order_by")?,
            number_order: before.word("number_order")?,
            avoid_team_rounds: before.parsed("avoid_team_rounds")?,
            team_avoidance: before.word("team_avoidance")?,
            forbidden_pairs: before.pairs("forbidden_pairs")?,
            unwanted_pairs: before.pairs("unwanted_pairs")?,
            third_colour: before.word("third_colour")?,
            colours: before.word("colours")?,
            bye_score: before.score("bye_score")?,
            absent_score: before.score("absent_score")?,
            forfeits_may_meet_again: before.parsed("forfeits_may_meet_again")?,
            avoid_repeated_floats: before.parsed("avoid_repeated_floats")?,
            stop_at: before
                .parsed::<Option<i32>>("stop_at")?
                .map(|score| score.map(tournament::Score)),
        },
        criteria: before.get("ranking").map(json::criteria_of_ranking).transpose()?,
        unplayed: before.word("unplayed")?,
        lots,
    })
}
