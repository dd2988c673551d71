//! `GET /e/{slug}/draw/{what}`: how a round was paired, or numbers or groups drawn, explained and
//! checkable.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde_json::Value;
use store::Schedule;
use store::draws::{self, Draw};
use store::events::{Event, RoundInfo, RoundStatus};
use tournament::draw::Decides;
use tournament::pairing::Note;
use tournament::{Criteria, InGroup};

use crate::api::BASE;
use crate::errors::{Error, Result};
use crate::extract::InPath;
use crate::i18n::Language;
use crate::pages::frame::{Frame, Visit};
use crate::pages::tables::{BoardRow, BoardlessRow, Field};
use crate::pages::words::{self, Fact, Mark};
use crate::pages::{page, public};
use crate::state::AppState;

/// A public word.
#[derive(Clone, Debug, Default)]
pub struct WordView {
    /// Its place.
    pub position: u32,
    /// The word.
    pub word: String,
    /// Who said it.
    pub said_by: String,
    /// When it was entered.
    pub at: String,
}

/// What was promised before a draw.
#[derive(Clone, Debug, Default)]
pub struct PromiseView {
    /// The commitment.
    pub commitment: String,
    /// When, and which act of the log says it.
    pub when: String,
    /// Said where it was not promised beforehand.
    pub late: Option<String>,
    /// The words of the public.
    pub words: Vec<WordView>,
}

impl PromiseView {
    /// What everybody may know of a draw.
    pub fn of(t: Language, schedule: &Schedule, draw: &Draw) -> Self {
        Self {
            commitment: draw.commitment.to_string(),
            when: t.with2(
                "draw-promised-when",
                "at",
                words::moment_of(t, schedule, draw.promised_at),
                "seq",
                draw.promised_seq,
            ),
            late: draw.late.then(|| t.say("draw-late")),
            words: draw
                .words
                .iter()
                .map(|word| WordView {
                    position: word.position,
                    word: word.word.as_str().to_owned(),
                    said_by: word.said_by.clone().unwrap_or_default(),
                    at: words::moment_of(t, schedule, word.at),
                })
                .collect(),
        }
    }
}

/// What was revealed with a draw.
#[derive(Clone, Debug, Default)]
pub struct RevealedView {
    /// The secret.
    pub secret: String,
    /// The seed.
    pub seed: String,
    /// When.
    pub when: String,
    /// What anybody can type into a terminal to see the commitment come out.
    pub commitment_command: String,
    /// The same for the seed.
    pub seed_command: String,
}

/// An order that lots gave.
#[derive(Clone, Debug, Default)]
pub struct LotsView {
    /// What for.
    pub title: String,
    /// The numbers in the order of the lots.
    pub numbers: String,
}

/// An entry that drew a number.
#[derive(Clone, Debug, Default)]
pub struct NumberRow {
    /// The number.
    pub number: i64,
    /// The name.
    pub name: String,
    /// Whether it was seeded.
    pub seeded: bool,
}

/// A group that was drawn.
#[derive(Clone, Debug, Default)]
pub struct GroupView {
    /// Its letter.
    pub letter: String,
    /// Who is in it.
    pub members: Vec<NumberRow>,
}

/// The page of a draw.
#[derive(Clone, Debug, Template)]
#[template(path = "public/draw.html")]
pub struct DrawPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name.
    pub event_name: String,
    /// What was drawn.
    pub title: String,
    /// Three sentences for everybody.
    pub intro: Vec<String>,
    /// What else should be known.
    pub notes: Vec<String>,
    /// What was promised.
    pub promise: Option<PromiseView>,
    /// Up to when words are taken.
    pub words_until: String,
    /// What was revealed.
    pub revealed: Option<RevealedView>,
    /// The orders that the lots gave.
    pub lots: Vec<LotsView>,
    /// What the program weighed, and what came out.
    pub criteria: Vec<Fact>,
    /// The boards.
    pub rows: Vec<BoardRow>,
    /// Byes, then the absent.
    pub without_board: Vec<BoardlessRow>,
    /// Numbers that were drawn.
    pub numbers: Vec<NumberRow>,
    /// Groups that were drawn.
    pub groups: Vec<GroupView>,
    /// Where the draw file is; none before the draw.
    pub file_href: Option<String>,
    /// Where what the log is now can be read.
    pub state_href: String,
    /// What a checker has to know: the event and the draw as commitments spell them.
    pub event_id: String,
    /// The draw.
    pub draw: String,
    /// The name of the file when it is kept.
    pub file_name: String,
    /// Other draws of this event.
    pub others: Vec<(String, String)>,
}

/// A line for a shell that says each part on a line of its own and hashes them.
fn command(parts: &[&str]) -> String {
    let quoted: Vec<String> = parts
        .iter()
        .map(|part| format!("'{}'", part.replace('\'', r"'\''")))
        .collect();
    format!("printf '%s\\n' {} | sha256sum", quoted.join(" "))
}

fn revealed(t: Language, (event, schedule): (&str, &Schedule), draw: &Draw) -> Option<RevealedView> {
    let revealed = draw.revealed.as_ref()?;
    let (decides, secret) = (draw.decides.to_string(), revealed.secret.to_string());
    let mut parts = vec!["tianyuan seed 1", event, decides.as_str(), secret.as_str()];
    parts.extend(draw.words.iter().map(|word| word.word.as_str()));
    Some(RevealedView {
        commitment_command: command(&["tianyuan commitment 1", event, &decides, &secret]),
        seed_command: command(&parts),
        secret: secret.clone(),
        seed: revealed.seed.to_string(),
        when: words::moment_of(t, schedule, revealed.at),
    })
}

/// What is drawn, as a heading.
pub fn title(t: Language, decides: Decides, done: bool) -> String {
    match (decides, done) {
        (Decides::Round(round), true) => t.with("draw-title-round", "round", round),
        (Decides::Round(round), false) => t.with("draw-title-round-promised", "round", round),
        (Decides::Numbers, _) => t.say("draw-title-numbers"),
        (Decides::Groups, _) => t.say("draw-title-groups"),
    }
}

/// The address of a draw's page.
pub fn href(slug: &str, decides: Decides) -> String {
    let what = match decides {
        Decides::Round(round) => round.to_string(),
        Decides::Numbers | Decides::Groups => decides.to_string(),
    };
    format!("/e/{slug}/draw/{what}")
}

/// The draws of an event that have a page, with what to call them.
pub fn links(t: Language, event: &Event) -> Vec<(String, String)> {
    let mut links = Vec::new();
    let next = draws::next_public_round(event);
    for decides in [Decides::Numbers, Decides::Groups] {
        let draws = || event.draws.iter().filter(|draw| draw.decides == decides);
        let drawn = draws().any(Draw::is_drawn);
        // Before the first round they can still be drawn; later only what was drawn is of interest.
        if drawn || (event.last_published().is_none() && draws().next().is_some()) {
            let name = match (decides, drawn) {
                (Decides::Numbers, true) => t.say("draw-link-numbers"),
                (Decides::Numbers, false) => t.say("draw-link-numbers-promised"),
                (_, true) => t.say("draw-link-groups"),
                (_, false) => t.say("draw-link-groups-promised"),
            };
            links.push((href(&event.slug, decides), name));
        }
    }
    for info in event
        .rounds
        .iter()
        .filter(|info| info.status == RoundStatus::Published)
    {
        let name = t.with("draw-link-round", "round", info.round);
        links.push((href(&event.slug, Decides::Round(info.round)), name));
    }
    let promised = |round: &u32| {
        event
            .draws
            .iter()
            .any(|draw| draw.decides == Decides::Round(*round) && draw.revealed.is_none())
    };
    if let Some(round) = next.filter(promised) {
        let name = t.with("draw-link-round-promised", "round", round);
        links.push((href(&event.slug, Decides::Round(round)), name));
    }
    links
}

fn in_groups(values: &[InGroup]) -> u32 {
    values.iter().map(|value| value.count).sum()
}

/// What the program weighed, in plain words, with what came out.
fn criteria(t: Language, criteria: &Criteria, by_hand: bool, bye: bool) -> Vec<Fact> {
    let mut facts = vec![("draw-criterion-repeats", u64::from(criteria.repeats).to_string())];
    if bye {
        facts.push((
            "draw-criterion-bye",
            t.with2(
                "draw-criterion-bye-value",
                "score",
                criteria.bye_score.0,
                "before",
                criteria.bye_so_far,
            ),
        ));
    }
    let floats: u32 = criteria.floats.iter().map(|border| border.pairs).sum();
    facts.push(("draw-criterion-floats", floats.to_string()));
    facts.push((
        "draw-criterion-teams",
        in_groups(&criteria.team_mates).to_string(),
    ));
    facts.push((
        "draw-criterion-colours",
        in_groups(&criteria.same_colour).to_string(),
    ));
    facts.push((
        "draw-criterion-floats-again",
        in_groups(&criteria.repeated_floats).to_string(),
    ));
    facts
        .into_iter()
        .map(|(key, value)| {
            let least = if by_hand {
                value
            } else {
                t.with("draw-criterion-least", "value", value)
            };
            Fact::new(t.say(key), least)
        })
        .collect()
}

fn note_mark(t: Language, note: &Note) -> Option<(u32, Mark)> {
    Some(match note {
        Note::Repeat { board, times, .. } => (*board, Mark::now(t.with("draft-repeat", "times", *times))),
        Note::Float { board, down, .. } => (*board, Mark::quiet(t.with("draft-float", "number", down.get()))),
        Note::TeamMates { board, .. } => (*board, Mark::quiet(t.say("draft-team-mates"))),
        _ => return None,
    })
}

fn lots(t: Language, file: &Value) -> Vec<LotsView> {
    [("order", "draw-lots-order"), ("colours", "draw-lots-colours")]
        .into_iter()
        .filter_map(|(member, key)| {
            let numbers = file[member].as_array()?;
            let numbers: Vec<String> = numbers.iter().map(Value::to_string).collect();
            Some(LotsView {
                title: t.say(key),
                numbers: numbers.join(" "),
            })
        })
        .collect()
}

/// An entry of a draw file. Where the file has no name, it is withheld from the reader.
fn number_row(t: Language, entry: &Value) -> NumberRow {
    let number = entry["number"].as_i64().unwrap_or_default();
    NumberRow {
        number,
        name: entry["name"]
            .as_str()
            .map_or_else(|| t.with("withheld-name", "number", number), str::to_owned),
        seeded: entry["seeded"] == true,
    }
}

fn number_rows(t: Language, file: &Value) -> Vec<NumberRow> {
    let entries = file["entries"].as_array().map_or(&[][..], Vec::as_slice);
    let mut rows: Vec<NumberRow> = entries.iter().map(|entry| number_row(t, entry)).collect();
    rows.sort_by_key(|row| row.number);
    rows
}

fn group_views(t: Language, file: &Value) -> Vec<GroupView> {
    let mut groups: BTreeMap<String, Vec<NumberRow>> = BTreeMap::new();
    let entries = file["entries"].as_array().map_or(&[][..], Vec::as_slice);
    for entry in entries {
        let letter = entry["group"].as_str().unwrap_or_default().to_owned();
        groups.entry(letter).or_default().push(number_row(t, entry));
    }
    groups
        .into_iter()
        .map(|(letter, mut members)| {
            members.sort_by_key(|row| row.number);
            GroupView { letter, members }
        })
        .collect()
}

/// Which draw an address means: the edition that is public.
fn asked(event: &Event, what: &str) -> Option<Decides> {
    let decides = Decides::from_word(what)
        .filter(|decides| !matches!(decides, Decides::Round(_)))
        .or_else(|| Decides::from_word(&format!("round {what}")))?;
    let there = match decides {
        Decides::Round(round) => {
            let published = event
                .round_info(round)
                .is_some_and(|info| info.status == RoundStatus::Published);
            let promised = draws::next_public_round(event) == Some(round)
                && event
                    .draws
                    .iter()
                    .any(|draw| draw.decides == decides && draw.revealed.is_none());
            published || promised
        }
        Decides::Numbers | Decides::Groups => event.draws.iter().any(|draw| draw.decides == decides),
    };
    there.then_some(decides)
}

/// Builds the page; nothing for what is not public. `file` is the draw file, once there is one.
pub fn view(visit: &Visit, event: &Event, what: &str, file: Option<&Value>) -> Option<DrawPage> {
    let t = visit.t;
    let decides = asked(event, what)?;
    let of_this = || event.draws.iter().filter(|draw| draw.decides == decides);
    let shown = of_this()
        .rfind(|draw| draw.is_drawn())
        .or_else(|| of_this().next_back());
    let id = event.id.hyphenated().to_string();
    let round = match decides {
        Decides::Round(round) => event
            .round_info(round)
            .filter(|info| info.status == RoundStatus::Published),
        _ => None,
    };
    let done = round.is_some() || shown.is_some_and(Draw::is_drawn);
    let nothing = Value::Null;
    let file_value = file.unwrap_or(&nothing);
    let by_seed = match decides {
        Decides::Round(_) => done && file_value["seed"].is_string(),
        Decides::Numbers | Decides::Groups => true,
    };
    // A promise that a round was not paired by says nothing about it.
    let used = shown.filter(|_| !done || by_seed);
    let mut page = DrawPage {
        t,
        frame: match decides {
            Decides::Round(number) if done => visit.frame_of_round(event, "pairings", number),
            _ => visit.frame_of(event, "pairings"),
        },
        event_name: event.name.clone(),
        title: title(t, decides, done),
        intro: intro(t, decides, done, by_seed),
        notes: notes(t, round, file_value, done && by_seed && used.is_none())
            .into_iter()
            .chain(of_this().filter_map(|draw| put_back(t, &event.schedule, draw)))
            .collect(),
        promise: used.map(|draw| PromiseView::of(t, &event.schedule, draw)),
        words_until: match decides {
            Decides::Round(round) if event.last_published().is_some() => {
                t.with("draw-words-until-results", "round", round - 1)
            }
            Decides::Round(_) => t.say("draw-words-until-pairing"),
            _ => t.say("draw-words-until-draw"),
        },
        revealed: used.and_then(|draw| revealed(t, (&id, &event.schedule), draw)),
        lots: lots(t, file_value),
        criteria: Vec::new(),
        rows: Vec::new(),
        without_board: Vec::new(),
        numbers: Vec::new(),
        groups: Vec::new(),
        file_href: done.then(|| match decides {
            Decides::Round(round) => format!("{BASE}/events/{id}/rounds/{round}/draw"),
            _ => format!("{BASE}/events/{id}/{decides}/draw"),
        }),
        state_href: match decides {
            Decides::Round(round) if done => format!("{BASE}/events/{id}/rounds/{round}"),
            _ => format!("{BASE}/events/{id}"),
        },
        event_id: id,
        draw: decides.to_string(),
        file_name: format!("{}-{}.json", event.slug, decides.to_string().replace(' ', "-")),
        others: links(t, event)
            .into_iter()
            .filter(|(other, _)| *other != href(&event.slug, decides))
            .collect(),
    };
    match decides {
        Decides::Round(number) => add_table(&mut page, event, number, round),
        Decides::Numbers if done => page.numbers = number_rows(t, file_value),
        Decides::Groups if done => page.groups = group_views(t, file_value),
        _ => {}
    }
    Some(page)
}

fn add_table(page: &mut DrawPage, event: &Event, number: u32, info: Option<&RoundInfo>) {
    let (t, stage) = (page.t, event.public_stage());
    let (Some(info), Some(table)) = (info, stage.rounds.iter().find(|round| round.round == number)) else {
        return;
    };
    if let Some(values) = &info.criteria {
        page.criteria = criteria(t, values, info.by_hand, !table.byes.is_empty());
    }
    let field = Field::before(t, &event.slug, &stage, number);
    page.rows = field.boards(table, event.rules.unit());
    let mut marks: BTreeMap<u32, Vec<Mark>> = BTreeMap::new();
    for (board, mark) in info.notes.iter().filter_map(|note| note_mark(t, note)) {
        marks.entry(board).or_default().push(mark);
    }
    for row in &mut page.rows {
        row.marks = marks.remove(&row.board).unwrap_or_default();
    }
    page.without_board = field.without_board(table);
}

/// Three sentences for parents.
fn intro(t: Language, decides: Decides, done: bool, by_seed: bool) -> Vec<String> {
    let keys: &[&str] = match (decides, done, by_seed) {
        (Decides::Round(_), true, false) => {
            &["draw-intro-rules-1", "draw-intro-rules-2", "draw-intro-rules-3"]
        }
        (Decides::Round(_), true, true) => &["draw-intro-lots-1", "draw-intro-lots-2", "draw-intro-lots-3"],
        (_, false, _) => &[
            "draw-intro-promise-1",
            "draw-intro-promise-2",
            "draw-intro-promise-3",
        ],
        (Decides::Numbers, true, _) => &["draw-intro-numbers-1", "draw-intro-lots-2", "draw-intro-lots-3"],
        (Decides::Groups, true, _) => &["draw-intro-groups-1", "draw-intro-lots-2", "draw-intro-lots-3"],
    };
    keys.iter().map(|key| t.say(key)).collect()
}

/// What else should be known of how a table came about.
/// That something was drawn and put back: what it revealed stays told.
fn put_back(t: Language, schedule: &Schedule, draw: &Draw) -> Option<String> {
    let revealed = draw.revealed.as_ref()?;
    let at = words::moment_of(t, schedule, revealed.put_back_at?);
    Some(t.tell(
        "draw-put-back",
        &[
            ("drawn", words::moment_of(t, schedule, revealed.at).into()),
            ("at", at.into()),
            ("secret", revealed.secret.to_string().into()),
        ],
    ))
}

fn notes(t: Language, info: Option<&RoundInfo>, file: &Value, unpromised: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if unpromised {
        notes.push(t.say("draw-unpromised"));
    }
    if let Some(info) = info {
        if info.by_hand {
            notes.push(t.say("draw-by-hand"));
        }
        if info.edition > 1 {
            notes.push(t.with("draw-edition", "edition", info.edition));
        }
        if !file["choices"].is_null() {
            notes.push(t.say("draw-choices"));
        }
        notes.extend(public::round::earlier_results(t, info));
    }
    notes
}

/// The page.
///
/// # Errors
/// `not-found` for what is not public, exactly as for what does not exist.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, what)): InPath<(String, String)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = store::events::find(&mut tx, &slug)
        .await?
        .and_then(|event| visit.caller.shown(event))
        .ok_or_else(Error::not_found)?;
    let decides = asked(&event, &what).ok_or_else(Error::not_found)?;
    let drawn = match decides {
        Decides::Round(round) => event
            .round_info(round)
            .is_some_and(|info| info.status == RoundStatus::Published),
        _ => event
            .draws
            .iter()
            .any(|draw| draw.decides == decides && draw.is_drawn()),
    };
    let file: Option<Value> = if drawn {
        let text = draws::file(&mut tx, &event, decides).await?;
        Some(serde_json::from_str(&text).map_err(Error::internal)?)
    } else {
        None
    };
    page(&view(&visit, &event, &what, file.as_ref()).ok_or_else(Error::not_found)?)
}
