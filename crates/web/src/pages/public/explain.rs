//! What values of the standings are made of (`GET /e/{slug}/standings/{number}?after=N`), and why
//! one of two players is before the other (`GET /e/{slug}/standings/compare?p=3&p=5&after=N`).

use std::cmp::Ordering;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::events::Event;
use tournament::standings::explain::{Counted, Explained, Look, Made, Part, explain, steps, total};
use tournament::standings::{Ratio, Standings, Value, VirtualOpponent, standings};
use tournament::tally::Kind;
use tournament::{Criterion, Number, Score, Stage};

use super::standings::{Asked, missing, place, published_until, unplayed};
use crate::errors::{Error, Result};
use crate::extract::{InPath, InQuery};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit};
use crate::pages::tables::player_href;
use crate::pages::{event_of, page, page_with, words};
use crate::state::AppState;

/// One part of a value.
#[derive(Clone, Debug, Default)]
pub struct PartRow {
    /// The round; nothing for what was there before.
    pub round: String,
    /// The opponent's number and name, when there was one.
    pub opponent: String,
    /// What the opponent's own values are made of.
    pub href: String,
    /// What the round was.
    pub result: String,
    /// How it came to its amount.
    pub how: String,
    /// What it adds.
    pub amount: String,
    /// Whether it is left out.
    pub out: bool,
}

/// Parts that are added up, with a sentence before them.
#[derive(Clone, Debug, Default)]
pub struct PartTable {
    /// What is added up.
    pub sentence: String,
    /// The parts.
    pub rows: Vec<PartRow>,
    /// The sum; nothing where parts are no sum.
    pub sum: Option<String>,
}

/// One criterion of one player.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The word of the criterion, for addresses.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The value.
    pub printed: String,
    /// The value exactly, where that differs.
    pub exact: Option<String>,
    /// The formula with its numbers, where there is one.
    pub formula: Option<String>,
    /// The parts.
    pub tables: Vec<PartTable>,
    /// Whether it is open from the start.
    pub open: bool,
}

/// What the values of a player are made of.
#[derive(Clone, Debug, Template)]
#[template(path = "public/explain.html")]
pub struct ExplainPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// After this round.
    pub after: u32,
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The player's page.
    pub href: String,
    /// Place, after which round.
    pub lead: String,
    /// Which results are missing.
    pub provisional: Option<String>,
    /// The criteria.
    pub sections: Vec<Section>,
    /// How unplayed games count.
    pub unplayed_note: String,
    /// The neighbours in the table, to compare with: sentence and address.
    pub neighbours: Vec<(String, String)>,
}

/// One criterion of two players.
#[derive(Clone, Debug, Default)]
pub struct StepRow {
    /// The criterion.
    pub name: String,
    /// The value of the first.
    pub of_a: String,
    /// The value of the other.
    pub of_b: String,
    /// Equal, or who is before.
    pub verdict: String,
    /// Whether it decides.
    pub decides: bool,
}

/// One of two players.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// The number and the name.
    pub person: String,
    /// What all its values are made of.
    pub href: String,
    /// What the deciding value is made of.
    pub section: Section,
}

/// Two players compared.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Who is before whom, and why.
    pub sentence: String,
    /// The criteria in order, up to the one that decides.
    pub steps: Vec<StepRow>,
    /// The criteria that are not looked at any more.
    pub rest: Option<String>,
    /// The two, the one asked for first at the left.
    pub players: Vec<Compared>,
}

/// Why one of two players is before the other.
#[derive(Clone, Debug, Template)]
#[template(path = "public/compare.html")]
pub struct ComparePage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// After this round.
    pub after: u32,
    /// After which round, in words.
    pub lead: String,
    /// Which results are missing.
    pub provisional: Option<String>,
    /// Why nothing can be compared.
    pub problem: Option<ProblemView>,
    /// The two.
    pub comparison: Option<Comparison>,
    /// The players that can be chosen: number, words, chosen first, chosen second.
    pub choices: Vec<(u32, String, bool, bool)>,
}

fn halves(ratio: Ratio) -> String {
    Value::Number(ratio).printed()
}

/// How a part came to its amount.
fn how(t: Language, part: &Part) -> String {
    let stands_in = |of: VirtualOpponent| {
        t.tell(
            "explain-virtual",
            &[
                ("before", of.before.0.into()),
                ("left", of.left.0.into()),
                ("later", of.later.into()),
                ("score", of.score().into()),
            ],
        )
    };
    let share = |points: Score, of: i64| match points {
        Score::WIN => t.with("explain-share-all", "of", of),
        Score::DRAW => t.with("explain-share-half", "of", of),
        _ => t.with("explain-share-none", "of", of),
    };
    match part.counted {
        Counted::Start => t.say("explain-start"),
        Counted::Carried => t.say("explain-carried"),
        Counted::Points => t.say("explain-points"),
        Counted::Running => t.say("explain-running"),
        Counted::Opponent if part.game.is_none() => t.say("explain-met"),
        Counted::Opponent => t.say("explain-opponent"),
        Counted::Share { points, of } => share(points, of),
        Counted::OpponentsSum => t.say("explain-opponents-sum"),
        Counted::Virtual(of) => stands_in(of),
        Counted::VirtualShare { points, of } => t.list([stands_in(of), share(points, of.score())]),
        Counted::Win if part.amount == Ratio::from(0) => String::new(),
        Counted::Win => t.say("explain-win"),
        Counted::Warnings => t.say("explain-warnings"),
        Counted::Place => t.say("explain-place"),
        Counted::Nothing => match part.game.map(|game| game.kind) {
            Some(Kind::Bye) => t.say("explain-nothing-bye"),
            Some(Kind::Absent) => t.say("explain-nothing-absent"),
            Some(Kind::Forfeit) => t.say("explain-nothing-forfeit"),
            _ => t.say("explain-nothing"),
        },
        Counted::NotYet => t.say("explain-not-yet"),
    }
}

/// Where something of an event is shown.
struct Place<'a> {
    t: Language,
    slug: &'a str,
    stage: &'a Stage,
    after: u32,
}

/// The address of what a player's values are made of.
pub fn explain_href(slug: &str, number: Number, after: u32) -> String {
    format!("/e/{slug}/standings/{number}?after={after}")
}

impl Place<'_> {
    fn row(&self, part: &Part) -> PartRow {
        let t = self.t;
        let word = part.opponent.map(|number| words::person(t, self.stage, number));
        let mut how = how(t, part);
        if part.left_out {
            how = t.list([how, t.say("explain-left-out")]);
        }
        PartRow {
            round: part.game.map(|game| game.round.to_string()).unwrap_or_default(),
            href: part
                .opponent
                .map(|number| explain_href(self.slug, number, self.after))
                .unwrap_or_default(),
            opponent: word.unwrap_or_default(),
            result: part.game.map(|game| words::played(t, &game)).unwrap_or_default(),
            how,
            amount: if part.counted == Counted::NotYet {
                "–".to_owned()
            } else {
                halves(part.amount)
            },
            out: part.left_out,
        }
    }

    fn table(&self, sentence: String, parts: &[Part], summed: bool) -> PartTable {
        PartTable {
            sentence,
            rows: parts.iter().map(|part| self.row(part)).collect(),
            sum: summed.then(|| halves(total(parts))),
        }
    }

    fn look(&self, look: &Look) -> PartTable {
        let t = self.t;
        let mut among = t.list(
            look.among
                .iter()
                .take(12)
                .map(|number| words::person(t, self.stage, *number)),
        );
        if look.among.len() > 12 {
            among.push('…');
        }
        let key = if look.all_met {
            "explain-look"
        } else {
            "explain-look-not-met"
        };
        let sentence = t.with2(key, "count", look.among.len(), "players", among);
        self.table(sentence, &look.parts, look.all_met)
    }

    fn section(&self, explained: &Explained, open: bool) -> Section {
        let t = self.t;
        let say = |key: &str| t.say(&format!("explain-of-{key}"));
        let (formula, tables) = match &explained.made {
            Made::Sum(parts) => (
                None,
                vec![self.table(say(explained.criterion.as_str()), parts, true)],
            ),
            Made::Total {
                score,
                opponents,
                top,
                rounds,
            } => {
                let sum = total(opponents);
                let parts = vec![self.table(say("opponents_score"), opponents, true)];
                (
                    Some(self.formula(*score, sum, *top, *rounds, &explained.value)),
                    parts,
                )
            }
            Made::Cuts(parts) => (
                Some(say("running_cut")),
                vec![self.table(say("running_score"), parts, false)],
            ),
            Made::Looks(looks) if looks.is_empty() => (Some(t.say("explain-no-tie")), Vec::new()),
            Made::Looks(looks) => (None, looks.iter().map(|look| self.look(look)).collect()),
            Made::Places(parts) if parts.is_empty() => (Some(t.say("explain-nobody-beaten")), Vec::new()),
            Made::Places(parts) => (None, vec![self.table(say("best_beaten"), parts, false)]),
            Made::Given(_) => (Some(say(explained.criterion.as_str())), Vec::new()),
        };
        let tables = tables
            .into_iter()
            .filter(|table| !table.rows.is_empty() || !table.sentence.is_empty())
            .collect();
        Section {
            id: explained.criterion.as_str().to_owned(),
            name: words::criterion(t, explained.criterion),
            printed: explained.value.printed(),
            exact: fraction(&explained.value),
            formula,
            tables,
            open,
        }
    }

    /// `18 + (154 ÷ (22 ÷ 2) − 13) = 19`.
    fn formula(&self, score: Score, sum: Ratio, top: Score, rounds: u32, value: &Value) -> String {
        let t = self.t;
        if top.0 <= 0 {
            return t.say("explain-total-nobody");
        }
        let printed = value.printed();
        let exact = value.exact().unwrap_or_default();
        let key = if exact.contains('/') {
            "explain-total-fraction"
        } else {
            "explain-total"
        };
        t.tell(
            key,
            &[
                ("score", score.0.into()),
                ("sum", halves(sum).into()),
                ("top", top.0.into()),
                ("rounds", rounds.into()),
                ("exact", exact.into()),
                ("printed", printed.into()),
            ],
        )
    }
}

/// A value as a fraction, where it is one that people do not read off what is printed.
pub fn fraction(value: &Value) -> Option<String> {
    value
        .exact()
        .filter(|exact| exact.contains('/') && matches!(value, Value::Total(_)))
}

fn after_words(t: Language, after: u32) -> String {
    if after == 0 {
        t.say("standings-before")
    } else {
        t.with("standings-after-round", "round", after)
    }
}

/// Builds the page of a player's values; nothing for a round that is not published or a number
/// that no entry has. The criterion `open` is unfolded, all of them when it is none.
pub fn view(
    visit: &Visit,
    event: &Event,
    number: Number,
    after: Option<u32>,
    open: &str,
) -> Option<ExplainPage> {
    let t = visit.t;
    let stage = event.public_stage();
    let after = published_until(&stage, after)?;
    let entry = stage.entry(number)?;
    let table = standings(&stage, after);
    let row = table.row(number)?;
    let here = Place {
        t,
        slug: &event.slug,
        stage: &stage,
        after,
    };
    let explained = explain(&stage, after, number)?;
    let known = explained.iter().any(|one| one.criterion.as_str() == open);
    let sections = explained
        .iter()
        .map(|one| here.section(one, !known || one.criterion.as_str() == open))
        .collect();
    let at = table.rows.iter().position(|row| row.number == number)?;
    let around = [at.checked_sub(1), at.checked_add(1)];
    let neighbours = around
        .into_iter()
        .flatten()
        .filter_map(|at| table.rows.get(at))
        .map(|other| {
            let who = words::person(t, &stage, other.number);
            let place = place(other.place, other.shared);
            (
                t.with2("explain-against", "place", place, "player", who),
                compare_href(&event.slug, number, other.number, after),
            )
        })
        .collect();
    Some(ExplainPage {
        t,
        frame: visit.frame_of(event, "standings"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        after,
        number: number.get(),
        name: entry.name.clone(),
        href: player_href(&event.slug, number),
        lead: t.with2(
            "explain-lead",
            "after",
            after_words(t, after),
            "place",
            place(row.place, row.shared),
        ),
        provisional: missing(t, &table),
        sections,
        unplayed_note: unplayed(t, table.unplayed),
        neighbours,
    })
}

/// The address of a comparison.
pub fn compare_href(slug: &str, a: Number, b: Number, after: u32) -> String {
    format!("/e/{slug}/standings/compare?p={a}&p={b}&after={after}")
}

fn sentence(t: Language, stage: &Stage, table: &Standings, (a, b): (Number, Number)) -> Option<String> {
    let steps = steps(table, a, b)?;
    let (a, b) = (table.row(a)?, table.row(b)?);
    let person = |number: Number| words::person(t, stage, number);
    let decides = steps.last().filter(|step| step.ordering.is_ne());
    let Some(step) = decides else {
        return Some(t.tell(
            "compare-shared",
            &[
                ("a", person(a.number).into()),
                ("b", person(b.number).into()),
                ("place", a.place.into()),
            ],
        ));
    };
    let values = |value: &Value| {
        fraction(value).map_or_else(
            || value.printed(),
            |exact| format!("{} ({exact})", value.printed()),
        )
    };
    let (first, second) = match step.ordering {
        Ordering::Greater => ((b, &step.of_b), (a, &step.of_a)),
        _ => ((a, &step.of_a), (b, &step.of_b)),
    };
    Some(
        t.tell(
            if steps.len() == 1 {
                "compare-first"
            } else {
                "compare-later"
            },
            &[
                ("a", person(first.0.number).into()),
                ("b", person(second.0.number).into()),
                ("placea", place(first.0.place, first.0.shared).into()),
                ("placeb", place(second.0.place, second.0.shared).into()),
                ("criterion", words::criterion(t, step.criterion).into()),
                ("better", values(first.1).into()),
                ("worse", values(second.1).into()),
                (
                    "equal",
                    t.list(
                        steps[..steps.len() - 1]
                            .iter()
                            .map(|step| words::criterion(t, step.criterion)),
                    )
                    .into(),
                ),
                ("direction", direction(t, step.criterion).into()),
            ],
        ),
    )
}

/// Which of two values stands before.
fn direction(t: Language, criterion: Criterion) -> String {
    t.say(match criterion {
        Criterion::FewerWarnings | Criterion::Number | Criterion::Lots | Criterion::BestBeaten => {
            "compare-smaller"
        }
        _ => "compare-larger",
    })
}

fn comparison(here: &Place, table: &Standings, (a, b): (Number, Number)) -> Option<Comparison> {
    let t = here.t;
    let steps = steps(table, a, b)?;
    let short = |number: Number| words::person(t, here.stage, number);
    let rows = steps
        .iter()
        .map(|step| StepRow {
            name: words::criterion(t, step.criterion),
            of_a: step.of_a.printed(),
            of_b: step.of_b.printed(),
            verdict: match step.ordering {
                Ordering::Equal => t.say("compare-equal"),
                Ordering::Less => t.with("compare-before", "player", short(a)),
                Ordering::Greater => t.with("compare-before", "player", short(b)),
            },
            decides: step.ordering.is_ne(),
        })
        .collect();
    let rest = &table.criteria[steps.len()..];
    let decided = steps.last()?;
    let player = |number: Number| {
        let explained = explain(here.stage, here.after, number)?;
        let section = explained.get(steps.len() - 1)?;
        Some(Compared {
            person: short(number),
            href: explain_href(here.slug, number, here.after),
            section: here.section(section, true),
        })
    };
    let players = if decided.ordering.is_ne() {
        vec![player(a)?, player(b)?]
    } else {
        Vec::new()
    };
    Some(Comparison {
        sentence: sentence(t, here.stage, table, (a, b))?,
        steps: rows,
        rest: (!rest.is_empty()).then(|| {
            let rest = t.list(rest.iter().map(|criterion| words::criterion(t, *criterion)));
            t.with("compare-rest", "criteria", rest)
        }),
        players,
    })
}

/// Builds the page of two players; nothing for a round that is not published. Whatever is not two
/// different players comes back as a sentence with a form.
pub fn compared(visit: &Visit, event: &Event, chosen: &[String], after: Option<u32>) -> Option<ComparePage> {
    let t = visit.t;
    let stage = event.public_stage();
    let after = published_until(&stage, after)?;
    let table = standings(&stage, after);
    let here = Place {
        t,
        slug: &event.slug,
        stage: &stage,
        after,
    };
    let mut numbers: Vec<Number> = Vec::new();
    let mut problem = None;
    for one in chosen {
        let number = one.trim().parse::<u32>().ok().and_then(Number::new);
        match number.filter(|number| stage.entry(*number).is_some()) {
            Some(number) if !numbers.contains(&number) => numbers.push(number),
            Some(_) => {}
            None => problem = Some(t.with("compare-unknown", "number", one.trim().to_owned())),
        }
    }
    if problem.is_none() && numbers.len() != 2 && !chosen.is_empty() {
        problem = Some(t.with("compare-two", "count", numbers.len()));
    }
    let pair = (problem.is_none() && numbers.len() == 2).then(|| (numbers[0], numbers[1]));
    let choices = table
        .rows
        .iter()
        .map(|row| {
            let words = t.with2(
                "explain-against",
                "place",
                place(row.place, row.shared),
                "player",
                words::person(t, &stage, row.number),
            );
            let is = |at: usize| numbers.get(at) == Some(&row.number);
            (row.number.get(), words, is(0), is(1))
        })
        .collect();
    Some(ComparePage {
        t,
        frame: visit.frame_of(event, "standings"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        after,
        lead: after_words(t, after),
        provisional: missing(t, &table),
        problem: words::problem(problem),
        comparison: pair.and_then(|pair| comparison(&here, &table, pair)),
        choices,
    })
}

/// The page of a player's values.
///
/// # Errors
/// `not-found` for a round that is not published or a number that no entry has.
pub async fn show(
    State(state): State<AppState>,
    visit: Visit,
    InPath((slug, number)): InPath<(String, u32)>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let event = event_of(&state, &visit, &slug).await?;
    let open = asked.of.as_deref().unwrap_or_default();
    let view = Number::new(number).and_then(|number| view(&visit, &event, number, asked.after, open));
    page(&view.ok_or_else(Error::not_found)?)
}

/// The page of two players.
///
/// # Errors
/// `not-found` for a round that is not published.
pub async fn compare(
    State(state): State<AppState>,
    visit: Visit,
    InPath(slug): InPath<String>,
    InQuery(fields): InQuery<Vec<(String, String)>>,
) -> Result<Response> {
    let event = event_of(&state, &visit, &slug).await?;
    let of = |name: &'static str| {
        fields
            .iter()
            .filter(move |(key, _)| key == name)
            .map(|(_, value)| value.clone())
    };
    let chosen: Vec<String> = of("p").filter(|value| !value.trim().is_empty()).collect();
    let after = of("after").next().and_then(|after| after.parse().ok());
    let view = compared(&visit, &event, &chosen, after).ok_or_else(Error::not_found)?;
    if view.problem.is_some() {
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &view);
    }
    page(&view)
}
