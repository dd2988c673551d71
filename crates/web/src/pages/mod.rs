//! The pages.

use axum::Router;
use axum::http::{HeaderMap, Uri};
use axum::response::{Html, IntoResponse, Response};

use crate::errors::Problem;
use crate::i18n::Language;
use crate::state::AppState;

/// Every page and the files that pages load.
pub fn router() -> Router<AppState> {
    Router::new()
}

/// A refusal as a page. Called by [`tell`](crate::errors::tell), which adds the language and the
/// headers of the problem afterwards. `problem.code` is `sign-in-needed` when somebody must sign in
/// first: a page that was asked for by GET can then lead to `/login?next=…`.
pub fn error_page(
    _state: &AppState,
    _headers: &HeaderMap,
    _uri: &Uri,
    language: Language,
    problem: &Problem,
) -> Response {
    let escape = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;")
    };
    let html = format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><title>{}</title><h1>{}</h1><p>{}</p>",
        language.tag(),
        escape(&problem.title(language)),
        escape(&problem.title(language)),
        escape(&problem.detail(language)),
    );
    (problem.status, Html(html)).into_response()
}
