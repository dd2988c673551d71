//! `/manage/f/{family}/entries/import`: one list of entries for all groups, with a column that names
//! the group of each row (组别): looked at row by row, then taken into all groups or into none.

use askama::Template;
use axum::extract::{Multipart, State};
use axum::response::Response;
use interchange::entries_table::{self as table, Plan, Row, RowProblem, Table, Verdict};
use store::entries_import::take_in;
use store::events::{self, Event};
use store::families::{self, Family};

use super::import_entries::{PreviewRow, mark, not_as_seen, notes, row_view, sent};
use super::{change, multipart, refused, told};
use crate::entry_lists;
use crate::errors::{Error, Result};
use crate::extract::{Director, InPath, Reader};
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::page;
use crate::state::AppState;

/// The form for a list of all groups, with what is made of it.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/family_import.html")]
pub struct FamilyImportPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// The family's name in addresses.
    pub slug: String,
    /// The family's name.
    pub name: String,
    /// The labels of its groups.
    pub labels: String,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// What was read, and what the columns were taken for.
    pub notes: Vec<String>,
    /// What would happen, in numbers.
    pub summary: String,
    /// The rows.
    pub rows: Vec<PreviewRow>,
    /// The list as text.
    pub text: String,
    /// What the button that takes it in says; empty when there is nothing to take in.
    pub keep: String,
    /// Stands for what was looked at.
    pub mark: String,
    /// Whether it is to be asked whether people of one name are different people.
    pub asks_namesakes: bool,
    /// Whether that was said.
    pub namesakes: bool,
}

/// The form before anything was sent.
pub fn empty(visit: &Visit, family: &Family) -> FamilyImportPage {
    FamilyImportPage {
        t: visit.t,
        frame: visit.frame(),
        slug: family.slug.clone(),
        name: family.name.clone(),
        labels: visit.t.list(family.groups.iter().map(|group| &group.label)),
        problem: None,
        notes: Vec::new(),
        summary: String::new(),
        rows: Vec::new(),
        text: String::new(),
        keep: String::new(),
        mark: String::new(),
        asks_namesakes: false,
        namesakes: false,
    }
}

/// The group that a cell names: `A`, `a` and `A组` are one.
fn group_of(family: &Family, cell: &str) -> Option<usize> {
    let plain = |text: &str| {
        let text = text.trim().to_lowercase();
        text.strip_suffix('组')
            .map_or(text.clone(), |short| short.trim().to_owned())
    };
    let wanted = plain(cell);
    let fits = |group: &families::Group| plain(&group.label) == wanted;
    family.groups.iter().position(fits)
}

/// What is made of a list: the page that shows it, and a plan for each group.
pub fn look(
    visit: &Visit,
    family: &Family,
    events: &[Event],
    list: Table,
    (pasted, namesakes): (bool, bool),
) -> (FamilyImportPage, Vec<Plan>) {
    let t = visit.t;
    let notes = notes(t, &list, pasted);
    let mut of_group: Vec<Vec<Row>> = vec![Vec::new(); family.groups.len()];
    let mut views = Vec::new();
    for row in list.rows {
        let cell = row.category.clone().unwrap_or_default();
        match group_of(family, &cell) {
            // The group is not a category inside the group.
            Some(index) => of_group[index].push(Row {
                category: None,
                ..row
            }),
            None => views.push(PreviewRow {
                line: row.line,
                name: row.name,
                team: row.team.unwrap_or_default(),
                category: cell.clone(),
                verdicts: vec![t.with("family-row-without-group", "found", cell)],
                bad: true,
                ..PreviewRow::default()
            }),
        }
    }
    let [mut new, mut changed, mut same, mut bad] = [0, 0, 0, views.len()];
    let (mut plans, mut doubt) = (Vec::new(), false);
    for (group, rows) in family.groups.iter().zip(of_group) {
        let event = events.iter().find(|event| event.id == group.event.id);
        let there = event.map_or(&[][..], |event| &event.stage.entries);
        let plan = table::plan(rows, there, namesakes);
        let counts = plan.counts();
        new += counts[0];
        changed += counts[1];
        same += counts[2];
        bad += counts[3];
        doubt |= plan.rows.iter().any(|planned| match &planned.verdict {
            Verdict::Bad(problems) => problems.iter().any(RowProblem::is_of_namesakes),
            _ => false,
        });
        views.extend(plan.rows.iter().map(|planned| PreviewRow {
            category: group.label.clone(),
            ..row_view(t, planned)
        }));
        plans.push(plan);
    }
    views.sort_by_key(|view| (!view.bad, view.line));
    let numbers = [
        ("new", new.into()),
        ("changed", changed.into()),
        ("same", same.into()),
        ("bad", bad.into()),
    ];
    let page = FamilyImportPage {
        problem: (bad > 0).then(|| ProblemView::of(t.with("paste-bad-rows", "count", bad))),
        notes,
        summary: t.tell("list-summary", &numbers),
        rows: views,
        mark: mark(&list.text, &plans),
        text: list.text,
        keep: if bad > 0 || new + changed == 0 {
            String::new()
        } else {
            t.with2("list-keep", "new", new, "changed", changed)
        },
        asks_namesakes: doubt || namesakes,
        namesakes,
        ..empty(visit, family)
    };
    (page, plans)
}

/// The form.
///
/// # Errors
/// `sign-in-needed`, `not-found`.
pub async fn show(
    State(state): State<AppState>,
    Reader(_): Reader,
    visit: Visit,
    InPath(key): InPath<String>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let family = families::find(&mut tx, &key)
        .await?
        .ok_or_else(Error::not_found)?;
    page(&empty(&visit, &family))
}

/// Looks at a list; takes it into the groups when exactly this list was looked at before and would do
/// the same.
///
/// # Errors
/// `not-found`; what is wrong is told row by row.
pub async fn import(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    InPath(key): InPath<String>,
    form: Multipart,
) -> Result<Response> {
    let (fields, file) = multipart(form).await?;
    let list = sent(&fields, file).await;
    let mut tx = state.store.begin().await?;
    let family = families::lock(&mut tx, &key)
        .await?
        .ok_or_else(Error::not_found)?;
    let (list, pasted) = match list {
        Ok(list) => list,
        Err(error) => {
            return refused(&FamilyImportPage {
                problem: Some(told(error, visit.t)?),
                text: fields.exact("text").to_owned(),
                ..empty(&visit, &family)
            });
        }
    };
    let mut ids: Vec<String> = family
        .groups
        .iter()
        .map(|group| group.event.id.to_string())
        .collect();
    ids.sort_unstable();
    let mut locked = Vec::new();
    for id in &ids {
        locked.push(events::lock(&mut tx, id).await?.ok_or_else(Error::not_found)?);
    }
    let there: Vec<Event> = locked.iter().map(|event| Event::clone(event)).collect();
    let how = (pasted, fields.ticked("namesakes"));
    let (view, plans) = look(&visit, &family, &there, list, how);
    if view.problem.is_some() {
        return refused(&view);
    }
    if view.keep.is_empty() || fields.get("keep") != view.mark {
        return page(&FamilyImportPage {
            problem: not_as_seen(&visit, &fields),
            ..view
        });
    }
    let change = change(&state, &actor, None);
    let (mut new, mut changed) = (0, 0);
    for (group, plan) in family.groups.iter().zip(&plans) {
        let Some(event) = locked.iter_mut().find(|event| event.id == group.event.id) else {
            continue;
        };
        let (added, changes) = entry_lists::taken(plan);
        if added.is_empty() && changes.is_empty() {
            continue;
        }
        let counts = plan.counts();
        new += counts[0];
        changed += counts[1];
        if let Err(error) = take_in(&mut tx, &change, event, added, changes).await {
            let inside = store::Error::Refused(match error {
                store::Error::Refused(why) => store::Refused::InGroups(vec![(group.label.clone(), why)]),
                error => return Err(error.into()),
            });
            return refused(&FamilyImportPage {
                problem: Some(told(crate::errors::in_groups(inside, visit.t), visit.t)?),
                keep: String::new(),
                ..view
            });
        }
    }
    tx.commit().await?;
    Ok(done(
        &format!("/manage/f/{key}"),
        &visit.t.with2("done-list-taken", "new", new, "changed", changed),
    ))
}
