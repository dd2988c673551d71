//! `POST /language`: the reader chooses a language.

use axum::extract::Form;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Deserialize;

use crate::extract::LANGUAGE_COOKIE;
use crate::i18n::Language;
use crate::pages::frame::{go, safe_path};

/// The choice, and where it was made.
#[derive(Debug, Deserialize)]
pub struct Choice {
    language: String,
    #[serde(default)]
    back: String,
}

/// Remembers the choice for a year and goes back to the page.
pub async fn choose(Form(choice): Form<Choice>) -> Response {
    let mut response = go(safe_path(&choice.back));
    if let Some(language) = Language::from_tag(&choice.language) {
        let cookie = format!(
            "{LANGUAGE_COOKIE}={}; Path=/; SameSite=Lax; Max-Age=31536000",
            language.tag()
        );
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
    response
}
