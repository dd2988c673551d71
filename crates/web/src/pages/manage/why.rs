//! `/manage/e/{slug}/rounds/{n}/why`: why a round is paired as it is, a draft or a published one.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use store::events::{Event, RoundStatus};
use tournament::pairing::why::{
    self, Bar, BoardReasons, ByeKind, ByeReason, Change, Choice, NotMet, Proof, Property, Reached, Reasons,
    Without,
};
use tournament::{Measure, Number, Round, Score, Side, Stage};

use super::{draft, event_of};
use crate::errors::{Error, Problem, Result};
use crate::extract::{InPath, InQuery, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit};
use crate::pages::{page, words};
use crate::state::AppState;

/// A criterion, what it has and how it is known that less is impossible.
#[derive(Clone, Debug, Default)]
pub struct ValueRow {
    /// `P1` to `P6`.
    pub criterion: &'static str,
    /// What is counted, and in which score group.
    pub counted: String,
    /// What the round has.
    pub reached: i64,
    /// Why it is not less.
    pub because: String,
    /// Whether somebody should look at it.
    pub now: bool,
}

/// Something unusual, and what would have been without it.
#[derive(Clone, Debug, Default)]
pub struct ReasonLine {
    /// What it is.
    pub what: String,
    /// What the alternatives would have cost; empty where that was not asked.
    pub without: String,
}

/// A board with something unusual about it.
#[derive(Clone, Debug, Default)]
pub struct BoardLines {
    /// The board.
    pub board: u32,
    /// The two players.
    pub pair: String,
    /// What there is to say.
    pub lines: Vec<ReasonLine>,
    /// Where the question can be asked, in a large field.
    pub ask_href: Option<String>,
}

/// The page of the reasons of a round.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/why.html")]
pub struct WhyPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// The round.
    pub round: u32,
    /// Draft or published.
    pub status: String,
    /// What is wrong with what was asked.
    pub problem: Option<ProblemView>,
    /// The two numbers as they were typed.
    pub one: String,
    /// The other.
    pub other: String,
    /// The answer to what was asked.
    pub answer: Option<ReasonLine>,
    /// The answer about one board.
    pub board: Option<BoardLines>,
    /// Every criterion that matters in this round.
    pub values: Vec<ValueRow>,
    /// Why somebody has the bye.
    pub byes: Vec<ReasonLine>,
    /// Boards with something unusual about them.
    pub boards: Vec<BoardLines>,
    /// How many boards have nothing unusual about them.
    pub usual: usize,
}

/// What is asked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// Why do this one …
    one: String,
    /// … and this one not meet?
    other: String,
    /// Why is this board as it is?
    board: Option<u32>,
}

/// Words for the reasons of one stage.
struct Told<'a> {
    t: Language,
    stage: &'a Stage,
}

impl Told<'_> {
    fn person(&self, number: Number) -> String {
        words::person(self.t, self.stage, number)
    }

    fn counted(&self, measure: Measure, group: Option<Score>) -> String {
        let counted = draft::measure(self.t, measure);
        match (group, measure) {
            (None, _) => counted,
            (Some(group), Measure::FloatsAcross) => {
                self.t.with2("why-below", "counted", counted, "group", group.0)
            }
            (Some(group), _) => self.t.with2("why-in-group", "counted", counted, "group", group.0),
        }
    }

    fn value(&self, value: &Reached) -> ValueRow {
        let t = self.t;
        ValueRow {
            criterion: value.measure.criterion(),
            counted: self.counted(value.measure, value.group),
            reached: value.reached,
            because: t.with(&format!("why-proof-{}", value.proof.code()), "least", value.least),
            now: value.proof == Proof::Better,
        }
    }

    fn change(&self, change: &Change) -> String {
        self.t.tell(
            "why-change",
            &[
                ("counted", self.counted(change.measure, change.group).into()),
                ("from", change.from.into()),
                ("to", change.to.into()),
            ],
        )
    }

    fn choice(&self, choice: Choice) -> String {
        let t = self.t;
        match choice {
            Choice::Bye { number, instead } => t.with2(
                "why-choice-bye",
                "number",
                self.person(number),
                "instead",
                self.person(instead),
            ),
            Choice::Float { number, instead } => t.with2(
                "why-choice-float",
                "number",
                self.person(number),
                "instead",
                self.person(instead),
            ),
            Choice::Partner {
                number,
                takes,
                instead,
            } => t.tell(
                "why-choice-partner",
                &[
                    ("number", self.person(number).into()),
                    ("takes", self.person(takes).into()),
                    ("instead", self.person(instead).into()),
                ],
            ),
            Choice::None => t.say("why-choice-none"),
        }
    }

    /// What would be otherwise; `when` says under which condition.
    fn without(&self, without: &Without, when: &str) -> String {
        let t = self.t;
        let (key, what) = match without {
            Without::NoTable => ("why-no-table", String::new()),
            Without::Worse(change) => ("why-worse", self.change(change)),
            Without::ListOrder(choice) => ("why-list-order", self.choice(*choice)),
            Without::Better(change) => ("why-better", self.change(change)),
        };
        t.with2(key, "when", t.say(when), "what", what)
    }

    fn property(&self, property: Property) -> (String, &'static str) {
        let t = self.t;
        let side = |side| t.say(if side == Side::Black { "black" } else { "white" });
        match property {
            Property::Repeat { times, just_before } => {
                let key = if just_before {
                    "why-repeat-just-before"
                } else {
                    "why-repeat"
                };
                (t.with(key, "times", times), "why-when-pair")
            }
            Property::Float { down, up } => (
                t.with2("why-float", "down", self.person(down), "up", self.person(up)),
                "why-when-float",
            ),
            Property::RepeatedFloat { number, down } => {
                let key = if down {
                    "why-floats-down-again"
                } else {
                    "why-floats-up-again"
                };
                (t.with(key, "number", self.person(number)), "why-when-float")
            }
            Property::TeamMates => (t.say("why-team-mates"), "why-when-pair"),
            Property::Unwanted => (t.say("why-unwanted"), "why-when-pair"),
            Property::ThirdColour { side: colour } => (
                t.with("why-third-colour", "colour", side(colour)),
                "why-when-pair",
            ),
            Property::SameColour { owed, twice } => {
                let key = if twice {
                    "why-same-colour-twice"
                } else {
                    "why-same-colour"
                };
                (t.with(key, "colour", side(owed)), "why-when-pair")
            }
        }
    }

    fn board(&self, reasons: &BoardReasons, ask_href: Option<String>) -> BoardLines {
        let t = self.t;
        let asked = |without: &Option<Without>, when| {
            without
                .as_ref()
                .map(|without| self.without(without, when))
                .unwrap_or_default()
        };
        let mut lines: Vec<ReasonLine> = Vec::new();
        if reasons.chosen {
            lines.push(ReasonLine {
                what: t.say("why-chosen-pair"),
                without: String::new(),
            });
        }
        for reason in &reasons.properties {
            let (what, when) = self.property(reason.property);
            lines.push(ReasonLine {
                what,
                without: asked(&reason.without, when),
            });
        }
        let unanswered = reasons.properties.iter().any(|reason| reason.without.is_none());
        if reasons.properties.is_empty() && !reasons.chosen {
            lines.push(ReasonLine {
                what: t.say("why-usual-board"),
                without: String::new(),
            });
        }
        BoardLines {
            board: reasons.board,
            pair: t.with2(
                "why-pair",
                "first",
                self.person(reasons.first),
                "second",
                self.person(reasons.second),
            ),
            lines,
            ask_href: ask_href.filter(|_| unanswered && !reasons.chosen),
        }
    }

    fn bye(&self, bye: &ByeReason) -> ReasonLine {
        let key = match bye.kind {
            ByeKind::Asked => "why-bye-asked",
            ByeKind::Chosen => "why-bye-chosen",
            ByeKind::Odd => "why-bye-odd",
        };
        ReasonLine {
            what: self.t.with(key, "number", self.person(bye.number)),
            without: bye
                .without
                .as_ref()
                .map(|without| self.without(without, "why-when-bye"))
                .unwrap_or_default(),
        }
    }

    fn not_met(&self, one: Number, other: Number, reason: &NotMet) -> ReasonLine {
        let t = self.t;
        let what = match reason {
            NotMet::Meet { board } => t.with("why-meet", "board", *board),
            NotMet::NotPaired { number } => t.with("why-not-paired", "number", self.person(*number)),
            NotMet::Chosen { number } => t.with("why-fixed", "number", self.person(*number)),
            NotMet::Barred(bar) => match bar {
                Bar::ForbiddenPair => t.say("why-bar-forbidden"),
                Bar::TeamMates => t.say("why-bar-team-mates"),
                Bar::ThirdColour(side) => t.with(
                    "why-bar-third-colour",
                    "colour",
                    t.say(if *side == Side::Black { "black" } else { "white" }),
                ),
                Bar::Apart => t.say("why-bar-apart"),
            },
            NotMet::With { met, then } => {
                let met_words = if met.is_empty() {
                    String::new()
                } else {
                    let rounds = t.list(met.iter().map(ToString::to_string));
                    t.with("why-met-in", "rounds", rounds)
                };
                return ReasonLine {
                    what: self.asked(one, other),
                    without: format!("{met_words}{}", self.without(then, "why-when-together")),
                };
            }
        };
        ReasonLine {
            what: self.asked(one, other),
            without: what,
        }
    }

    fn asked(&self, one: Number, other: Number) -> String {
        self.t
            .with2("why-asked", "one", self.person(one), "other", self.person(other))
    }
}

/// What the reasons of a round are asked about beside the round itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question {
    /// Two who do not meet.
    pub pair: Option<(Number, Number)>,
    /// A board.
    pub board: Option<u32>,
}

/// The reasons of a round, and the answers to what was asked beside.
pub struct Answers {
    /// The report.
    pub reasons: Reasons,
    /// Why two do not meet.
    pub not_met: Option<NotMet>,
    /// All of one board.
    pub board: Option<BoardReasons>,
}

/// Works the answers out on a thread of its own: a large field takes a while.
///
/// # Errors
/// `not-found` for a round that is not there.
pub async fn answers(event: &Event, round: u32, question: Question) -> Result<Answers> {
    let stage = store::draws::as_it_stood(event, round);
    let table = stage.rounds.iter().find(|table| table.round == round);
    let table: Round = table.cloned().ok_or_else(Error::not_found)?;
    tokio::task::spawn_blocking(move || Answers {
        not_met: question
            .pair
            .map(|(one, other)| why::not_met(&stage, &table, one, other)),
        board: question.board.and_then(|board| why::board(&stage, &table, board)),
        reasons: why::reasons(&stage, &table),
    })
    .await
    .map_err(Error::internal)
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event, answers: &Answers, question: Question) -> WhyPage {
    let t = visit.t;
    let round = answers.reasons.round;
    let told = Told {
        t,
        stage: &event.stage,
    };
    let href = |board: u32| format!("/manage/e/{}/rounds/{round}/why?board={board}#board", event.slug);
    let draft = event
        .round_info(round)
        .is_some_and(|info| info.status == RoundStatus::Draft);
    let unusual = |board: &&BoardReasons| board.chosen || !board.properties.is_empty();
    let boards: Vec<BoardLines> = answers
        .reasons
        .boards
        .iter()
        .filter(unusual)
        .map(|board| told.board(board, Some(href(board.board))))
        .collect();
    WhyPage {
        t,
        frame: visit.frame_of_round(event, "rounds", round),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round,
        status: t.say(if draft { "status-draft" } else { "status-published" }),
        problem: None,
        one: question.pair.map(|(one, _)| one.to_string()).unwrap_or_default(),
        other: question
            .pair
            .map(|(_, other)| other.to_string())
            .unwrap_or_default(),
        answer: question
            .pair
            .zip(answers.not_met.as_ref())
            .map(|((one, other), reason)| told.not_met(one, other, reason)),
        board: answers.board.as_ref().map(|board| told.board(board, None)),
        values: answers
            .reasons
            .values
            .iter()
            // What is nothing in a score group is the rule; in the whole field it is worth a line.
            .filter(|value| value.reached != 0 || value.group.is_none())
            .map(|value| told.value(value))
            .collect(),
        byes: answers.reasons.byes.iter().map(|bye| told.bye(bye)).collect(),
        usual: answers.reasons.boards.len() - boards.len(),
        boards,
    }
}

/// The two numbers of a question; nothing when none was asked.
///
/// # Errors
/// A problem that names what is no number of this event.
pub fn pair(event: &Event, one: &str, other: &str) -> Result<Option<(Number, Number)>> {
    if one.trim().is_empty() && other.trim().is_empty() {
        return Ok(None);
    }
    let mut found = Vec::new();
    for text in [one, other] {
        let number = super::entries::number(text.trim())?.ok_or_else(|| {
            Error::from(
                Problem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "not-a-number").arg("found", ""),
            )
        })?;
        if event.stage.entry(number).is_none() {
            return Err(store::Refused::UnknownEntry { number }.into());
        }
        found.push(number);
    }
    Ok(Some((found[0], found[1])))
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`; what is asked wrongly is told on the page.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    InQuery(asked): InQuery<Asked>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    drop(tx);
    let (pair, problem) = match pair(&event, &asked.one, &asked.other) {
        Ok(pair) => (pair, None),
        Err(Error::Problem(problem)) => (None, Some(ProblemView::told(&problem, visit.t))),
        Err(error) => return Err(error),
    };
    let question = Question {
        pair,
        board: asked.board,
    };
    let answers = answers(&event, round, question).await?;
    let mut view = view(&visit, &event, &answers, question);
    if problem.is_some() {
        view.problem = problem;
        (view.one, view.other) = (asked.one, asked.other);
    }
    page(&view)
}
