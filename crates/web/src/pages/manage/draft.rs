//! `/manage/e/{slug}/rounds/{n}`: the table of a round with what it reached on each criterion;
//! change it by hand, publish it, throw it away.

use std::collections::{HashMap, HashSet};

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, Utc};
use store::events::{Event, Locked, RoundInfo, RoundStatus};
use store::{Refused, rounds as stored};
use tournament::checker::{Finding, Judgement, Measure, judge};
use tournament::{Criteria, InGroup, Number, Round, Side, Stage};

use super::overview;
use super::settings::time;
use super::{Fields, change as change_of, event_of, locked, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::public::round::{earlier_results, published};
use crate::pages::tables::{BoardRow, BoardlessRow, Field};
use crate::pages::words::{Fact, Mark};
use crate::pages::{page, page_with, words};
use crate::state::AppState;

/// A criterion before and after a change.
#[derive(Clone, Debug, Default)]
pub struct CostRow {
    /// The criterion.
    pub criterion: String,
    /// As it is.
    pub now: String,
    /// As it would be.
    pub then: String,
    /// Whether that differs.
    pub differs: bool,
}

/// What was fixed before a round was paired, and what it costs.
#[derive(Clone, Debug, Default)]
pub struct FixedView {
    /// What was fixed, one by one.
    pub choices: Vec<String>,
    /// What it costs, in a sentence.
    pub cost: Option<String>,
    /// The criteria that differ, without and with it.
    pub rows: Vec<CostRow>,
}

/// A change that is looked at before it is kept.
#[derive(Clone, Debug, Default)]
pub struct ChangeView {
    /// What would change.
    pub sentence: String,
    /// What it costs.
    pub rows: Vec<CostRow>,
    /// What a director should see on the boards that would change.
    pub marks: Vec<String>,
    /// Where it is posted to.
    pub path: &'static str,
    /// The fields that say it.
    pub fields: Vec<(&'static str, String)>,
    /// The word on the button.
    pub action: String,
}

/// The table of a round, for directors.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether one part of the page is there"
)]
#[derive(Clone, Debug, Template)]
#[template(path = "manage/draft.html")]
pub struct DraftPage {
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
    /// Its version.
    pub version: i64,
    /// Whether it is a draft.
    pub draft: bool,
    /// The moment set for the draft, as a field has it; nothing when none is set.
    pub publish_at: String,
    /// The zone in which a moment is set.
    pub zone: String,
    /// Draft or published.
    pub status: String,
    /// By whom and when.
    pub made: String,
    /// Whether the director has to confirm that an outdated draft stays as it is.
    pub outdated: bool,
    /// Whether it can be thrown away.
    pub can_throw_away: bool,
    /// Whether the table can be changed.
    pub can_change: bool,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// What a director should know.
    pub warnings: Vec<String>,
    /// A change that is looked at.
    pub change: Option<ChangeView>,
    /// What was reached on each criterion.
    pub totals: Vec<Fact>,
    /// Whether colours come from nigiri.
    pub nigiri: bool,
    /// What was fixed before it was paired.
    pub fixed: Option<FixedView>,
    /// The boards.
    pub rows: Vec<BoardRow>,
    /// Byes, then the absent.
    pub without_board: Vec<BoardlessRow>,
}

/// The value of one criterion: what is reached, in which groups, and what is possible.
struct Total {
    measure: Measure,
    reached: i64,
    least: i64,
    attained: bool,
    groups: Vec<(i32, i64)>,
}

fn totals(judgement: &Judgement) -> Vec<Total> {
    let mut totals: Vec<Total> = Vec::new();
    for value in &judgement.values {
        let at = if let Some(at) = totals.iter().position(|total| total.measure == value.measure) {
            at
        } else {
            totals.push(Total {
                measure: value.measure,
                reached: 0,
                least: 0,
                attained: true,
                groups: Vec::new(),
            });
            totals.len() - 1
        };
        let total = &mut totals[at];
        total.reached += value.reached;
        total.least += value.least;
        total.attained &= value.attained;
        if let Some(group) = value.group
            && value.reached != 0
        {
            total.groups.push((group.0, value.reached));
        }
    }
    // How often those have met and when says nothing while nobody meets again, and the bye's
    // player is none in an even field.
    let repeats = totals
        .iter()
        .any(|total| total.measure == Measure::Repeats && total.reached > 0);
    totals.retain(|total| {
        repeats
            || !matches!(
                total.measure,
                Measure::RepeatMeetings | Measure::RepeatsJustBefore
            )
    });
    totals
}

/// What a criterion counts.
pub fn measure(t: Language, measure: Measure) -> String {
    t.say(&format!("measure-{}", measure.code()))
}

fn number_of(total: &Total, t: Language) -> String {
    let mut told = total.reached.to_string();
    if total.groups.len() > 1 || (total.groups.len() == 1 && total.reached > 0) {
        let key = if total.measure == Measure::FloatsAcross {
            "below-score"
        } else {
            "in-score-group"
        };
        let groups = total
            .groups
            .iter()
            .map(|(group, count)| t.with2(key, "group", *group, "count", *count));
        told = t.with2("result-with-details", "result", told, "details", t.list(groups));
    }
    told
}

/// Each criterion with what was reached and what is possible.
fn facts(t: Language, judgement: &Judgement) -> Vec<Fact> {
    totals(judgement)
        .iter()
        .map(|total| {
            let reached = number_of(total, t);
            let value = if total.reached == total.least {
                t.with("reached-best", "reached", reached)
            } else if total.attained {
                t.with2("reached-possible", "reached", reached, "least", total.least)
            } else {
                t.with2("reached-bound", "reached", reached, "least", total.least)
            };
            Fact::new(measure(t, total.measure), value)
        })
        .collect()
}

/// The marks of each board in words.
fn marks(t: Language, judgement: &Judgement) -> HashMap<u32, Vec<Mark>> {
    // A repeated float has a mark of its own, which says the float too.
    let again: HashSet<Number> = judgement
        .findings
        .iter()
        .filter_map(|finding| match finding {
            Finding::RepeatedFloat {
                number, down: true, ..
            } => Some(*number),
            _ => None,
        })
        .collect();
    let mut marks: HashMap<u32, Vec<Mark>> = HashMap::new();
    for finding in &judgement.findings {
        if matches!(finding, Finding::Float { down, .. } if again.contains(down)) {
            continue;
        }
        if let Some((board, mark)) = mark(t, finding) {
            marks.entry(board).or_default().push(mark);
        }
    }
    marks
}

fn mark(t: Language, finding: &Finding) -> Option<(u32, Mark)> {
    Some(match finding {
        Finding::Repeat { board, times, .. } => (*board, Mark::now(t.with("draft-repeat", "times", *times))),
        Finding::Float { board, down, .. } => {
            (*board, Mark::quiet(t.with("draft-float", "number", down.get())))
        }
        Finding::RepeatedFloat { board, number, down } => {
            let key = if *down {
                "draft-floats-down-again"
            } else {
                "draft-floats-up-again"
            };
            (*board, Mark::now(t.with(key, "number", number.get())))
        }
        Finding::TeamMates { board, .. } => (*board, Mark::now(t.say("draft-team-mates"))),
        Finding::SameColour { board, owed, .. } => {
            let key = if *owed == Side::Black {
                "draft-same-colour-black"
            } else {
                "draft-same-colour-white"
            };
            (*board, Mark::quiet(t.say(key)))
        }
        Finding::ThirdTimeRunning { board, number, side } => {
            let key = if *side == Side::Black {
                "draft-third-black"
            } else {
                "draft-third-white"
            };
            (*board, Mark::quiet(t.with(key, "number", number.get())))
        }
        Finding::Colours { board, .. } => (*board, Mark::quiet(t.say("draft-colours-by-hand"))),
        _ => return None,
    })
}

fn find(event: &Event, number: u32) -> Result<(&Round, &RoundInfo)> {
    let round = event.stage.rounds.iter().find(|round| round.round == number);
    match (round, event.round_info(number)) {
        (Some(round), Some(info)) => Ok((round, info)),
        _ => Err(Error::not_found()),
    }
}

/// Builds the page.
///
/// # Errors
/// `not-found` for a round that is not there.
pub fn view(visit: &Visit, event: &Event, number: u32) -> Result<DraftPage> {
    let t = visit.t;
    let (round, info) = find(event, number)?;
    let draft = info.status == RoundStatus::Draft;
    let field = Field::before(t, &event.slug, &event.stage, number);
    let judgement = judge(&event.stage, round);
    let mut rows = field.boards(round, event.rules.unit());
    let mut marks = marks(t, &judgement);
    for row in &mut rows {
        row.marks = marks.remove(&row.board).unwrap_or_default();
        if !row.result.is_empty() {
            row.marks.insert(0, Mark::quiet(row.result.clone()));
        }
    }
    let results = round.boards.iter().any(|board| board.result.is_some());
    let last = event.stage.rounds.last().is_some_and(|last| last.round == number);
    let mut warnings: Vec<String> = earlier_results(t, info).into_iter().collect();
    if info.by_hand {
        warnings.push(t.say("draft-by-hand"));
    }
    let made = t.with2(
        "paired-by-at",
        "by",
        info.paired_by.as_str(),
        "at",
        words::moment_of(t, &event.schedule, info.paired_at),
    );
    Ok(DraftPage {
        t,
        frame: visit.frame_of_round(event, "rounds", number),
        slug: event.slug.clone(),
        event_name: event.name.clone(),
        round: number,
        version: info.version,
        draft,
        publish_at: info
            .publish_at
            .map(|at| event.schedule.local(at).format("%Y-%m-%dT%H:%M").to_string())
            .unwrap_or_default(),
        zone: words::zone(&event.schedule, info.publish_at.unwrap_or(info.paired_at)),
        status: t.say(if draft { "status-draft" } else { "status-published" }),
        made: if let Some(at) = info.publish_at {
            format!(
                "{made} · {}",
                t.with("publishes-at", "at", words::moment_of(t, &event.schedule, at))
            )
        } else if draft {
            made
        } else {
            format!("{made} · {}", published(t, &event.schedule, info))
        },
        outdated: false,
        can_throw_away: last && !results,
        can_change: last && !results,
        problem: None,
        warnings,
        change: None,
        totals: facts(t, &judgement),
        nigiri: round.boards.iter().any(|board| board.nigiri),
        fixed: fixed(t, &event.stage, round, info),
        rows,
        without_board: field.without_board(round),
    })
}

/// The criteria as totals, each with its groups.
fn reached(criteria: &Criteria) -> Vec<Total> {
    let plain = |measure, reached: i64| Total {
        measure,
        reached,
        least: reached,
        attained: true,
        groups: Vec::new(),
    };
    let by_group = |measure, groups: Vec<(i32, i64)>| Total {
        groups: groups.iter().copied().filter(|(_, count)| *count != 0).collect(),
        ..plain(measure, groups.iter().map(|(_, count)| count).sum())
    };
    let groups = |counts: &[InGroup]| -> Vec<(i32, i64)> {
        counts
            .iter()
            .map(|count| (count.group.0, i64::from(count.count)))
            .collect()
    };
    let floats = criteria
        .floats
        .iter()
        .map(|border| (border.above.0, i64::from(border.pairs)))
        .collect();
    let squares = i64::try_from(criteria.float_squares).unwrap_or(i64::MAX);
    let mut totals = vec![
        plain(Measure::Repeats, criteria.repeats.into()),
        plain(Measure::RepeatMeetings, criteria.repeat_meetings.into()),
        plain(Measure::RepeatsJustBefore, criteria.repeats_just_before.into()),
        plain(Measure::ByeSoFar, criteria.bye_so_far.into()),
        plain(Measure::ByeScore, criteria.bye_score.0.into()),
        by_group(Measure::FloatsAcross, floats),
        plain(Measure::FloatSquares, squares),
        by_group(Measure::TeamMates, groups(&criteria.team_mates)),
        by_group(Measure::ThirdColour, groups(&criteria.third_colour)),
        by_group(Measure::SameColourTwice, groups(&criteria.same_colour_twice)),
        by_group(Measure::SameColour, groups(&criteria.same_colour)),
        by_group(Measure::RepeatedFloats, groups(&criteria.repeated_floats)),
    ];
    if criteria.team_mates_first {
        let teams = totals.remove(7);
        totals.insert(5, teams);
    }
    totals
}

/// What was fixed before a round was paired, and what it costs beside the best table without it.
fn fixed(t: Language, stage: &Stage, round: &Round, info: &RoundInfo) -> Option<FixedView> {
    if round.choices.is_empty() {
        return None;
    }
    let person = |number| words::person(t, stage, number);
    let pair = |key| {
        move |(one, other): &(Number, Number)| t.with2(key, "one", person(*one), "other", person(*other))
    };
    let one = |key| move |number: &Number| t.with(key, "person", person(*number));
    let choices = &round.choices;
    let said = choices
        .pairs
        .iter()
        .map(pair("fixed-meet"))
        .chain(choices.apart.iter().map(pair("fixed-apart")))
        .chain(choices.byes.iter().map(one("fixed-bye")))
        .chain(choices.sitting_out.iter().map(one("fixed-sits-out")))
        .collect();
    let mut view = FixedView {
        choices: said,
        ..FixedView::default()
    };
    if let (Some(free), Some(with)) = (&info.free_criteria, &info.criteria) {
        let both: Vec<(Total, Total)> = reached(free).into_iter().zip(reached(with)).collect();
        let differ =
            |free: &Total, with: &Total| (free.reached, &free.groups) != (with.reached, &with.groups);
        // The groups from the top, as the criteria are compared; one that only one table has counts
        // for nothing in the other.
        let worse = |free: &Total, with: &Total| {
            let mut groups: Vec<i32> = free
                .groups
                .iter()
                .chain(&with.groups)
                .map(|(group, _)| *group)
                .collect();
            groups.sort_unstable_by(|a, b| b.cmp(a));
            let count = |total: &Total, group: i32| {
                total
                    .groups
                    .iter()
                    .find(|(other, _)| *other == group)
                    .map_or(0, |(_, count)| *count)
            };
            let first = groups
                .into_iter()
                .find(|group| count(free, *group) != count(with, *group));
            first.map_or(with.reached > free.reached, |group| {
                count(with, group) > count(free, group)
            })
        };
        let first = both.iter().find(|(free, with)| differ(free, with));
        view.cost = match first {
            Some((free, with)) if worse(free, with) => Some(t.tell(
                "fixed-cost",
                &[
                    ("criterion", measure(t, with.measure).into()),
                    ("with", number_of(with, t).into()),
                    ("free", number_of(free, t).into()),
                ],
            )),
            // Where somebody sits out, the two tables are of other players and may differ either way.
            Some(_) => None,
            None => Some(t.say("fixed-costs-nothing")),
        };
        view.rows = both
            .iter()
            .filter(|(free, with)| differ(free, with))
            .map(|(free, with)| CostRow {
                criterion: measure(t, with.measure),
                now: number_of(free, t),
                then: number_of(with, t),
                differs: true,
            })
            .collect();
    }
    Some(view)
}

/// What a change costs: the criteria of the table as it is beside those of the table as it would be.
fn cost(t: Language, event: &Event, now: &Round, then: &Round) -> (Vec<CostRow>, Vec<String>) {
    let (before, after) = (judge(&event.stage, now), judge(&event.stage, then));
    let (old, new) = (totals(&before), totals(&after));
    let value = |totals: &[Total], measure| {
        totals
            .iter()
            .find(|total| total.measure == measure)
            .map_or_else(|| "0".to_owned(), |total| number_of(total, t))
    };
    let mut measures: Vec<Measure> = old.iter().chain(&new).map(|total| total.measure).collect();
    measures.sort();
    measures.dedup();
    let rows = measures
        .into_iter()
        .map(|one| {
            let (now, then) = (value(&old, one), value(&new, one));
            CostRow {
                criterion: measure(t, one),
                differs: now != then,
                now,
                then,
            }
        })
        .collect();
    let changed = then.boards.iter().filter(|board| !now.boards.contains(board));
    let mut words = marks(t, &after);
    let marks = changed
        .flat_map(|board| {
            words
                .remove(&board.board)
                .unwrap_or_default()
                .into_iter()
                .map(|mark| t.with2("board-says", "board", board.board, "words", mark.word))
        })
        .collect();
    (rows, marks)
}

/// The page.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = event_of(&mut tx, &slug).await?;
    let mut view = view(&visit, &event, round)?;
    let reports = store::reports::waiting(&mut tx, event.id).await?;
    let waits = overview::unconfirmed(visit.t, &slug, &reports);
    view.warnings.extend(waits.into_iter().map(|line| line.sentence));
    page(&view)
}

fn back(visit: &Visit, event: &Event, round: u32, error: Error, outdated: bool) -> Result<Response> {
    let problem = Some(told(error, visit.t)?);
    page_with(
        StatusCode::CONFLICT,
        &DraftPage {
            outdated,
            problem,
            ..view(visit, event, round)?
        },
    )
}

/// Publishes the draft.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn publish(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let change = change_of(&state, &actor, None);
    let outdated = fields.ticked("outdated");
    match stored::publish(&mut tx, &change, &mut event, round, fields.version(), outdated).await {
        Ok(_) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}"),
                &visit.t.with("done-published", "round", round),
            ))
        }
        Err(error) => {
            let outdated = matches!(error, store::Error::Refused(Refused::Outdated { .. }));
            back(&visit, &event, round, error.into(), outdated)
        }
    }
}

/// Reads the moment that was typed: a time in the hall, still to come.
pub(super) fn moment_typed(
    visit: &Visit,
    event: &Event,
    text: &str,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>> {
    let local = time(text)?;
    let wrong = |code: &'static str| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code);
    let Some(at) = event.schedule.moment(local) else {
        let zone = words::zone(&event.schedule, now);
        let found = local.format("%Y-%m-%d %H:%M").to_string();
        return Err(wrong("no-such-time").arg("zone", zone).arg("found", found).into());
    };
    if at <= now {
        let told = |at| words::moment_of(visit.t, &event.schedule, at);
        let problem = wrong("time-is-past")
            .arg("at", told(at.to_utc()))
            .arg("now", told(now));
        return Err(problem.into());
    }
    Ok(at.to_utc())
}

/// Sets the moment at which the draft is published by itself, or takes it away.
///
/// # Errors
/// `not-found`; a refusal is told on the page, with what was typed.
pub async fn publish_at(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let change = change_of(&state, &actor, None);
    let at = if fields.ticked("never") {
        Ok(None)
    } else {
        moment_typed(&visit, &event, fields.get("at"), change.at).map(Some)
    };
    let set = match at {
        Ok(at) => stored::publish_at(&mut tx, &change, &mut event, round, at, fields.version())
            .await
            .map(|_| at)
            .map_err(Error::from),
        Err(error) => Err(error),
    };
    match set {
        Ok(at) => {
            tx.commit().await?;
            let told = match at {
                Some(at) => {
                    let at = words::moment_of(visit.t, &event.schedule, at);
                    visit.t.with2("done-publish-at", "round", round, "at", at)
                }
                None => visit.t.with("done-keep-as-draft", "round", round),
            };
            Ok(done(&format!("/manage/e/{slug}/rounds/{round}"), &told))
        }
        Err(error) => {
            let problem = Some(told(error, visit.t)?);
            page_with(
                StatusCode::UNPROCESSABLE_ENTITY,
                &DraftPage {
                    problem,
                    publish_at: fields.get("at").to_owned(),
                    ..view(&visit, &event, round)?
                },
            )
        }
    }
}

/// Throws the round away.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn throw_away(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    // Whoever has looked at a published table reads why it is gone.
    let reason = fields.some("reason");
    let change = change_of(&state, &actor, reason.as_deref());
    match stored::throw_away(&mut tx, &change, &mut event, round, fields.version()).await {
        Ok(()) => {
            tx.commit().await?;
            Ok(done(
                &format!("/manage/e/{slug}"),
                &visit.t.with("done-thrown-away", "round", round),
            ))
        }
        Err(error) => back(&visit, &event, round, error.into(), false),
    }
}

/// Ends a change by hand: kept when the director has seen what it costs, else shown first. The
/// transaction of a change that is only shown is rolled back.
async fn keep_or_show(
    visit: &Visit,
    tx: store::Tx,
    (before, after): (&Event, &Locked),
    round: u32,
    keep: bool,
    change: ChangeView,
) -> Result<Response> {
    let t = visit.t;
    if keep {
        tx.commit().await?;
        let path = format!("/manage/e/{}/rounds/{round}", before.slug);
        return Ok(done(
            &path,
            &t.with("done-table-changed", "change", change.sentence),
        ));
    }
    let (now, _) = find(before, round)?;
    let (then, _) = find(after, round)?;
    let (rows, marks) = cost(t, before, now, then);
    page(&DraftPage {
        change: Some(ChangeView {
            rows,
            marks,
            ..change
        }),
        ..view(visit, before, round)?
    })
}

/// Exchanges the places of two entries.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn swap(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let before = Event::clone(&event);
    let picked: Vec<Number> = fields
        .all("pick")
        .filter_map(|number| number.parse().ok())
        .filter_map(Number::new)
        .collect();
    let [one, other] = picked[..] else {
        let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "pick-two").arg("count", picked.len());
        return back(&visit, &before, round, problem.into(), false);
    };
    let reason = fields.some("reason");
    let change = change_of(&state, &actor, reason.as_deref());
    // Two who have no board get one of their own; anybody else changes places.
    let (table, _) = find(&before, round)?;
    let seat = picked.iter().all(|number| table.board_of(*number).is_none());
    let changed = if seat {
        stored::seat(
            &mut tx,
            &change,
            &mut event,
            round,
            (one, other),
            fields.version(),
        )
        .await
    } else {
        stored::swap(
            &mut tx,
            &change,
            &mut event,
            round,
            (one, other),
            fields.version(),
        )
        .await
    };
    match changed {
        Ok(_) => {
            let person = |number| words::person(t, &before.stage, number);
            let key = if seat { "change-seat" } else { "change-swap" };
            let change = ChangeView {
                sentence: t.with2(key, "one", person(one), "other", person(other)),
                path: "swap",
                fields: vec![("pick", one.to_string()), ("pick", other.to_string())],
                action: t.say(if seat { "keep-seat" } else { "keep-swap" }),
                ..ChangeView::default()
            };
            keep_or_show(
                &visit,
                tx,
                (&before, &event),
                round,
                fields.ticked("keep"),
                change,
            )
            .await
        }
        Err(error) => back(&visit, &before, round, error.into(), false),
    }
}

/// Exchanges the colours of a board.
///
/// # Errors
/// `not-found`; a refusal is told on the page.
pub async fn colours(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath((slug, round)): InPath<(String, u32)>,
    fields: Fields,
) -> Result<Response> {
    let t = visit.t;
    let mut tx = state.store.begin().await?;
    let mut event = locked(&mut tx, &slug).await?;
    let before = Event::clone(&event);
    let wanted: u32 = fields.get("board").parse().unwrap_or(0);
    let (table, _) = find(&before, round)?;
    let board = *table
        .boards
        .iter()
        .find(|board| board.board == wanted)
        .ok_or_else(Error::not_found)?;
    let reason = fields.some("reason");
    let change = change_of(&state, &actor, reason.as_deref());
    match stored::set_colours(
        &mut tx,
        &change,
        &mut event,
        round,
        wanted,
        board.white,
        fields.version(),
    )
    .await
    {
        Ok(_) => {
            let black = words::person(t, &before.stage, board.white);
            let change = ChangeView {
                sentence: t.with2("change-colours", "board", wanted, "black", black),
                path: "colours",
                fields: vec![("board", wanted.to_string())],
                action: t.say("keep-colours"),
                ..ChangeView::default()
            };
            keep_or_show(
                &visit,
                tx,
                (&before, &event),
                round,
                fields.ticked("keep"),
                change,
            )
            .await
        }
        Err(error) => back(&visit, &before, round, error.into(), false),
    }
}
