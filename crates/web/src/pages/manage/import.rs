//! `/manage/import`: an event file comes in.

use askama::Template;
use axum::extract::{Multipart, State};
use axum::http::StatusCode;
use axum::response::Response;
use store::events;

use super::{change, multipart, refused, told};
use crate::errors::{Error, Problem, Result};
use crate::extract::Director;
use crate::i18n::Language;
use crate::pages::frame::{Frame, ProblemView, Visit, done};
use crate::pages::page;
use crate::state::AppState;

/// The form for an event file.
#[derive(Clone, Debug, Template)]
#[template(path = "manage/import.html")]
pub struct ImportPage {
    /// The language.
    pub t: Language,
    /// Around the page.
    pub frame: Frame,
    /// What is wrong.
    pub problem: Option<ProblemView>,
    /// What was pasted.
    pub text: String,
}

/// The form.
///
/// # Errors
/// `sign-in-needed`.
pub async fn show(Director(_): Director, visit: Visit) -> Result<Response> {
    page(&ImportPage {
        t: visit.t,
        frame: visit.frame(),
        problem: None,
        text: String::new(),
    })
}

/// The uploaded file when there is one, else what was pasted.
async fn sent(form: Multipart) -> Result<(Vec<u8>, String)> {
    let (fields, mut file) = multipart(form).await?;
    let text = fields.exact("text").to_owned();
    if file.is_empty() {
        file = text.clone().into_bytes();
    }
    Ok((file, text))
}

/// Takes the file in, whole or not at all.
///
/// # Errors
/// Only of the database: every fault of the file is told on the form.
pub async fn import(
    State(state): State<AppState>,
    Director(actor): Director,
    visit: Visit,
    form: Multipart,
) -> Result<Response> {
    let (bytes, text) = sent(form).await?;
    let blank = bytes.iter().all(u8::is_ascii_whitespace);
    // Up to 16 MiB are read and checked away from the threads that answer requests.
    let file = tokio::task::spawn_blocking(move || interchange::read(&bytes))
        .await
        .map_err(Error::internal)?;
    let mut tx = state.store.begin().await?;
    let made = if blank {
        Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no-file").into())
    } else {
        match file {
            Ok(file) => events::import(&mut tx, &change(&state, &actor, None), &file)
                .await
                .map(|event| (event, file.rounds_beyond()))
                .map_err(Error::from),
            Err(faults) => Err(faults.into()),
        }
    };
    match made {
        Ok((event, beyond)) => {
            tx.commit().await?;
            let mut said = visit.t.with("done-event-imported", "name", event.name);
            if let Some((place, _)) = beyond.first() {
                said += visit.t.gap();
                said += &visit.t.tell(
                    "rounds-beyond",
                    &[
                        ("planned", event.stage.rounds_planned.into()),
                        ("count", beyond.len().into()),
                        ("place", place.clone().into()),
                    ],
                );
            }
            Ok(done(&format!("/manage/e/{}", event.slug), &said))
        }
        Err(error) => refused(&ImportPage {
            t: visit.t,
            frame: visit.frame(),
            problem: Some(told(error, visit.t)?),
            text,
        }),
    }
}
