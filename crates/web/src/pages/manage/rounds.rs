//! `/manage/e/{slug}/rounds`: the rounds, and pairing the next one.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::events::{Event, RoundStatus};
use store::{Refused, rounds as stored};
use tournament::pairing::{Confirmed, Refusal, Request};
use tournament::{Choices, Entry, Stage};

use super::{Fields, change, event_of, locked, picks, refused, told};
use crate::errors::{FieldProblem, Problem, Result, shortage_told, with_names};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done, go};
use crate::pages::public::event::round_state;
use crate::pages::{page, words};
use crate::state::AppState;

/// A round in the list.
#[derive(Clone, Debug, Default)]
pub struct RoundRow {
    /// The round.
    pub round: u32,
    /// Its table.
    pub href: String,
    /// Whether it is a draft.
    pub draft: bool,
    /// Draft or published.
    pub status: String,
    /// How far it is.
    pub state: String,
    /// Where its results are entered.
    pub results_href: Option<String>,
    /// Where its boards' codes are, where players bring records.
    pub codes_href: Option<String>,
}

/// What the director has to confirm before a round is paired.
#[derive(Clone, Debug, Default)]
pub struct Confirm {
    /// What is wrong.
    pub sentence: String,
    /// The pairs or boards that it is about.
    pub pairs: Vec<String>,
    /// Why it cannot be otherwise.
    pub because: Option<String>,
    /// What can be done instead.
    pub otherwise: String,
    /// The round.
    pub round: u32,
    /// Whether repeats are confirmed.
    pub repeats: bool,
    /// Whether provisional results are confirmed.
    pub provisional: bool,
    /// The word on the button.
    pub action: String,
}

/// What the director fixes before a round is paired, as it was typed.
#[derive(Clone, Debug, Default)]
pub struct FixForm {
    /// Pairs that meet, one a line.
    pub meet: String,
    /// Pairs that do not.
    pub apart: String,
    /// Who has the bye.
    pub byes: String,
    /// Who sits out.
    pub sitting_out: String,
    /// Why.
    pub reason: String,
}

impl FixForm {
    fn sent(fields: &Fields) -> Self {
        let text = |name: &str| fields.get(name).to_owned();
        Self {
            meet: text("meet"),
            apart: text("apart"),
            byes: text("byes"),
            sitting_out: text("sitting_out"),
            reason: text("reason"),
        }
    }

    /// Whether anything was typed.
    pub fn says_something(&self) -> bool {
        [
            &self.meet,
            &self.apart,
            &self.byes,
            &self.sitting_out,
            &self.reason,
        ]
        .into_iter()
        .any(|text| !text.is_empty())
    }

    /// What it fixes.
    ///
    /// # Errors
    /// `invalid`, with everybody who cannot be found.
    fn read(&self, stage: &Stage) -> Result<Choices> {
        let mut faults: Vec<FieldProblem> = Vec::new();
        let mut at = |path: &str, wrong: Vec<FieldProblem>| {
            faults.extend(wrong.into_iter().map(|fault| FieldProblem {
                path: path.to_owned(),
                ..fault
            }));
        };
        let mut choices = Choices::default();
        match picks::pairs(stage, &self.meet) {
            Ok(pairs) => choices.pairs = pairs,
            Err(wrong) => at("pairs", wrong),
        }
        match picks::pairs(stage, &self.apart) {
            Ok(pairs) => choices.apart = pairs,
            Err(wrong) => at("apart", wrong),
        }
        match picks::entries(stage, &self.byes) {
            Ok(byes) => choices.byes = byes,
            Err(wrong) => at("byes", wrong),
        }
        match picks::entries(stage, &self.sitting_out) {
            Ok(out) => choices.sitting_out = out,
            Err(wrong) => at("sitting_out", wrong),
        }
        if faults.is_empty() {
            Ok(choices)
        } else {
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid")
                .faults(faults)
                .into())
        }
    }
}

/// The rounds of an event.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/rounds.html")]
pub struct RoundsPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's name.
    pub event_name: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// What is to be confirmed.
    pub confirm: Option<Confirm>,
    /// The rounds, the latest first.
    pub rounds: Vec<RoundRow>,
    /// The round that can be paired now.
    pub can_pair: Option<u32>,
    /// What is fixed before it is paired.
    pub fix: FixForm,
    /// What is known of it already: byes asked for, who sits out.
    pub asked: Vec<String>,
    /// Whether a table can be made by hand.
    pub by_hand: bool,
    /// Why none can.
    pub cannot_pair: Option<String>,
    /// Which games are still on, and that the next round can be paired all the same.
    pub pending: Option<String>,
}

/// Builds the page.
pub fn view(visit: &Visit, event: &Event) -> RoundsPage {
    let t = visit.t;
    let stage = &event.stage;
    let next = stage.next_round();
    let rounds = event
        .rounds
        .iter()
        .rev()
        .map(|info| {
            let draft = info.status == RoundStatus::Draft;
            let href = format!("/manage/e/{}/rounds/{}", event.slug, info.round);
            RoundRow {
                round: info.round,
                draft,
                status: t.say(if draft { "status-draft" } else { "status-published" }),
                state: if draft {
                    String::new()
                } else {
                    round_state(t, stage, info.round)
                },
                results_href: (!draft).then(|| format!("{href}/results")),
                codes_href: (!draft && event.records.from_players).then(|| format!("{href}/codes")),
                href,
            }
        })
        .collect();
    let cannot_pair = if let Some(draft) = event.draft() {
        Some(t.with("cannot-pair-draft", "round", draft.round))
    } else if next > stage.rounds_planned {
        Some(t.with("cannot-pair-all", "planned", stage.rounds_planned))
    } else {
        None
    };
    RoundsPage {
        t,
        frame: visit.frame_of(event, "rounds"),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        problem: None,
        confirm: None,
        rounds,
        fix: FixForm::default(),
        asked: asked(t, stage, next),
        by_hand: event.draft().is_some() || next <= stage.rounds_planned,
        can_pair: cannot_pair.is_none().then_some(next),
        pending: pending(t, stage).filter(|_| cannot_pair.is_none()),
        cannot_pair,
    }
}

/// Which boards of earlier rounds have no result, adjourned ones (封棋) among them, and what that means for the
/// next round.
fn pending(t: Language, stage: &Stage) -> Option<String> {
    let open: Vec<String> = stage
        .rounds
        .iter()
        .flat_map(|table| table.pending().map(|board| (table.round, board.board)))
        .map(|(round, board)| t.with2("board-of-round", "round", round, "board", board))
        .collect();
    let more = if open.len() > PEOPLE { " …" } else { "" };
    (!open.is_empty()).then(|| {
        let boards = t.list(open.iter().take(PEOPLE));
        t.with2(
            "pair-pending",
            "boards",
            format!("{boards}{more}"),
            "round",
            stage.next_round(),
        )
    })
}

/// Who has asked for the bye in a round, and who sits it out.
fn asked(t: Language, stage: &Stage, round: u32) -> Vec<String> {
    let those = |wanted: &dyn Fn(&Entry) -> bool| -> Vec<String> {
        let entries = stage
            .entries
            .iter()
            .filter(|entry| entry.withdrawn_after.is_none() && wanted(entry));
        entries
            .map(|entry| words::person(t, stage, entry.number))
            .collect()
    };
    let out = |entry: &Entry| entry.absent_rounds.contains(&round);
    [
        (
            "asked-for-bye",
            those(&|entry| entry.bye_rounds.contains(&round) && !out(entry)),
        ),
        ("sit-out-already", those(&out)),
    ]
    .into_iter()
    .filter(|(_, people)| !people.is_empty())
    .map(|(key, people)| {
        let count = people.len();
        let more = if count > PEOPLE { " …" } else { "" };
        let people = t.list(people.into_iter().take(PEOPLE));
        t.tell(
            key,
            &[
                ("round", round.into()),
                ("count", count.into()),
                ("people", format!("{people}{more}").into()),
            ],
        )
    })
    .collect()
}

/// How many people a sentence names.
const PEOPLE: usize = 20;

/// What the director can confirm when the engine refuses.
pub fn confirm(t: Language, event: &Event, refusal: &Refusal, confirmed: Confirmed) -> Option<Confirm> {
    let stage = &event.stage;
    let person = |number| words::person(t, stage, number);
    match refusal {
        Refusal::RepeatsNeeded {
            round,
            pairs,
            because,
        } => Some(Confirm {
            because: Some(shortage_told(t, because, stage)),
            sentence: t.with2("confirm-repeats", "round", *round, "count", pairs.len()),
            pairs: pairs
                .iter()
                .map(|pair| {
                    t.tell(
                        "confirm-repeat-pair",
                        &[
                            ("first", person(pair.first).into()),
                            ("second", person(pair.second).into()),
                            ("times", pair.times.into()),
                        ],
                    )
                })
                .collect(),
            otherwise: t.say("confirm-repeats-otherwise"),
            round: *round,
            repeats: true,
            provisional: confirmed.provisional,
            action: t.with("confirm-repeats-action", "round", *round),
        }),
        Refusal::MissingResults { round, boards } => Some(Confirm {
            because: None,
            sentence: t.with2("confirm-provisional", "round", *round, "count", boards.len()),
            pairs: boards
                .iter()
                .map(|board| {
                    t.tell(
                        "confirm-open-board",
                        &[
                            ("board", board.board.into()),
                            ("black", person(board.black).into()),
                            ("white", person(board.white).into()),
                        ],
                    )
                })
                .collect(),
            otherwise: t.with("confirm-provisional-otherwise", "round", *round),
            round: round + 1,
            repeats: confirmed.repeats,
            provisional: true,
            action: t.with("confirm-provisional-action", "round", round + 1),
        }),
        _ => None,
    }
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(slug): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    page(&view(&visit, &event))
}

/// Pairs the next round, as a draft.
///
/// # Errors
/// `not-found`; a refusal is told on the page, with what can be confirmed.
pub async fn pair(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(slug): InPath<String>,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let confirmed = Confirmed {
        repeats: fields.ticked("repeats"),
        provisional: fields.ticked("provisional"),
    };
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let round = fields.get("round").parse().ok();
    let fix = FixForm::sent(&fields);
    let choices = match fix.read(&event.stage) {
        Ok(choices) => choices,
        Err(error) => {
            return refused(&RoundsPage {
                problem: Some(told(error, t)?),
                fix,
                ..view(&visit, &event)
            });
        }
    };
    let request = Request {
        confirmed,
        choices,
        seed: None,
    };
    let reason = fields.some("reason");
    let change = change(&state, &actor, reason.as_deref());
    match stored::pair(&mut tx, &change, &mut event, round, request).await {
        Ok(info) => {
            tx.commit().await?;
            Ok(go(&format!("/manage/e/{slug}/rounds/{}", info.round)))
        }
        Err(error) => {
            let confirm = match &error {
                store::Error::Refused(Refused::Pairing(refusal)) => confirm(t, &event, refusal, confirmed),
                _ => None,
            };
            // A second click, or a second director: lead to what is there and say whose it is.
            let there = match &error {
                store::Error::Refused(
                    Refused::DraftExists { round, .. } | Refused::RoundExists { round, .. },
                ) => Some(*round),
                _ => None,
            };
            let problem = told(with_names(error, &event.stage), t)?;
            if let Some(round) = there {
                return Ok(done(
                    &format!("/manage/e/{slug}/rounds/{round}"),
                    &problem.sentence,
                ));
            }
            refused(&RoundsPage {
                problem: confirm.is_none().then_some(problem),
                confirm,
                fix,
                ..view(&visit, &event)
            })
        }
    }
}
