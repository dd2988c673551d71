//! Why a round is paired as it is.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use store::{Refused, events};
use utoipa::IntoParams;

use super::common::{ReadRefusals, RightRefusals, changed, number};
use super::model::RoundOut;
use crate::errors::{Error, Result};
use crate::extract::{InPath, InQuery, Reader};
use crate::pages::manage::why::{Question, answers};
use crate::state::AppState;

/// What is asked beside the round itself.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct WhyQuery {
    /// Why does this one …
    pub one: Option<u32>,
    /// … not meet this one?
    pub other: Option<u32>,
    /// What there is to say of this board, every question asked.
    pub board: Option<u32>,
}

/// Says why a round is paired as it is
///
/// For each criterion (`values`) what was reached and how it is known that less is impossible; for
/// each board and bye what is unusual and what would have been without it. In fields of more than
/// 300 the boards are not asked one by one: `board` asks one. `one` and `other` ask why two did not
/// meet (`why_not`). For directors, of drafts too.
#[utoipa::path(get, path = "/events/{event}/rounds/{round}/why", tag = "rounds",
    params(("event" = String, Path, description = "The id or the slug"), ("round" = u32, Path), WhyQuery),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = Object), RightRefusals, ReadRefusals))]
pub async fn why(
    State(state): State<AppState>,
    _reader: Reader,
    InPath((key, round)): InPath<(String, u32)>,
    InQuery(query): InQuery<WhyQuery>,
) -> Result<Response> {
    let mut tx = state.store.snapshot().await?;
    let event = events::find(&mut tx, &key)
        .await?
        .ok_or_else(|| Refused::UnknownEvent { key: key.clone() })?;
    drop(tx);
    let version = RoundOut::find(&event, round, Some(store::Role::Director))?.version;
    let pair = match (query.one, query.other) {
        (Some(one), Some(other)) => Some((number(one)?, number(other)?)),
        _ => None,
    };
    for number in pair.into_iter().flat_map(|(one, other)| [one, other]) {
        if event.stage.entry(number).is_none() {
            return Err(Refused::UnknownEntry { number }.into());
        }
    }
    let question = Question {
        pair,
        board: query.board,
    };
    let answers = answers(&event, round, question).await?;
    let mut out = interchange::why::reasons_json(&answers.reasons);
    if let Some(((one, other), reason)) = pair.zip(answers.not_met.as_ref()) {
        out["why_not"] = interchange::why::not_met_json(one, other, reason);
    }
    if let Some(board) = query.board {
        let reasons = answers
            .board
            .as_ref()
            .ok_or_else(|| Error::from(Refused::UnknownBoard { round, board }))?;
        out["board"] = interchange::why::board_reasons_json(reasons);
    }
    changed(StatusCode::OK, version, &out)
}
