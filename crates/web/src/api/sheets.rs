//! The sheets of an event as JSON, CSV and workbooks; declaring an event final.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use store::events;
use utoipa::{IntoParams, ToSchema};

use super::common::{
    ChangeRefusals, IfMatchHeader, ReadRefusals, change, changed, check_version, find, lock_even_final,
    tagged,
};
use super::model::EventOut;
use crate::errors::{Error, ProblemDetails, Result};
use crate::extract::{Caller, Director, IfMatch, InPath, InQuery, MaybeJson};
use crate::i18n::Language;
use crate::pages::manage::print::{As, XLSX, file, named};
use crate::pages::sheets::{Medium, sheet};
use crate::state::AppState;

/// Of which round.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct RoundQuery {
    /// Of this round, or as of it; the last published one when left out.
    pub round: Option<u32>,
}

/// What `Accept` asks for, the first that is known.
fn accepted(headers: &HeaderMap) -> As {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let mut wanted = accept
        .unwrap_or_default()
        .split(',')
        .map(|part| part.split(';').next().unwrap_or_default().trim());
    wanted
        .find_map(|media| match media {
            "text/csv" => Some(As::Csv),
            XLSX => Some(As::Xlsx),
            "application/json" | "*/*" => Some(As::Page),
            _ => None,
        })
        .unwrap_or(As::Page)
}

/// Shows a sheet
///
/// `programme`, `sign-in`, `pairing`, `pairing-by-name`, `results`, `standings`, `categories`,
/// `crosstable`, `promotion`, `prizes`, `report`: what is printed, in the language of
/// `Accept-Language`. As JSON (`event`, `title`, `facts`, `sections` with `columns` and `rows`,
/// `notes`), or by `Accept` or an ending (`standings.csv`, `standings.xlsx`) as CSV (UTF-8 with a mark)
/// or as a workbook. A text that a spreadsheet would take for a formula is preceded by an apostrophe
/// in CSV.
#[utoipa::path(get, path = "/events/{event}/sheets/{sheet}", tag = "standings",
    params(("event" = String, Path, description = "The id or the slug"),
        ("sheet" = String, Path, description = "The sheet, with `.csv` or `.xlsx` where that is wanted"), RoundQuery),
    responses((status = 200, description = "The sheet", content(
            (Object = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
            headers(("ETag" = String), ("Content-Disposition" = String))),
        (status = 304, description = "Unchanged"), ReadRefusals))]
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    t: Language,
    InPath((key, name)): InPath<(String, String)>,
    InQuery(query): InQuery<RoundQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let (which, form) = named(&name).ok_or_else(Error::not_found)?;
    let form = match form {
        As::Foot => return Err(Error::not_found()),
        As::Page => accepted(&headers),
        form => form,
    };
    let event = find(&mut state.store.snapshot().await?, &key, &caller).await?;
    let sheet = sheet(t, &event, which, query.round, Medium::Table).ok_or_else(Error::not_found)?;
    if form == As::Page {
        return tagged(&headers, &caller, None, &interchange::sheets::json(&sheet));
    }
    file(&event, which, sheet, form).await
}

/// Why.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FinalIn {
    /// Why, for the log.
    pub reason: Option<String>,
}

/// Declares an event final
///
/// Nothing of it can be changed then until it is opened again: every change is refused with 409
/// `frozen`. Refused while there is a draft or a board without a result. Final already: a success.
#[utoipa::path(put, path = "/events/{event}/final", tag = "events", request_body = FinalIn,
    params(("event" = String, Path, description = "The id or the slug"), IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = EventOut, headers(("ETag" = String))), ChangeRefusals,
        (status = 412, description = "Changed meanwhile; `current` is the state now", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn freeze(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    if_match: IfMatch,
    MaybeJson { value, .. }: MaybeJson<FinalIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = lock_even_final(&mut tx, &key).await?;
    check_version(&if_match, event.version, false, &EventOut::of(&event, true))?;
    let change = change(&state, &actor, value.reason.as_deref());
    events::freeze(&mut tx, &change, &mut event, None).await?;
    let response = changed(StatusCode::OK, Some(event.version), &EventOut::of(&event, true))?;
    tx.commit().await?;
    Ok(response)
}

/// Opens an event again that was final
///
/// With the reason in the body. Not final: a success.
#[utoipa::path(delete, path = "/events/{event}/final", tag = "events", request_body = FinalIn,
    params(("event" = String, Path, description = "The id or the slug"), IfMatchHeader),
    security(("token" = []), ("session" = [])),
    responses((status = 200, body = EventOut, headers(("ETag" = String))), ChangeRefusals,
        (status = 412, description = "Changed meanwhile; `current` is the state now", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub async fn unfreeze(
    State(state): State<AppState>,
    Director(actor): Director,
    InPath(key): InPath<String>,
    if_match: IfMatch,
    MaybeJson { value, .. }: MaybeJson<FinalIn>,
) -> Result<Response> {
    let mut tx = state.store.begin().await?;
    let mut event = lock_even_final(&mut tx, &key).await?;
    check_version(&if_match, event.version, false, &EventOut::of(&event, true))?;
    let change = change(&state, &actor, value.reason.as_deref());
    events::unfreeze(&mut tx, &change, &mut event, None).await?;
    let response = changed(StatusCode::OK, Some(event.version), &EventOut::of(&event, true))?;
    tx.commit().await?;
    Ok(response)
}
