//! The HTTP API, version 1.

use axum::Router;

use crate::state::AppState;

/// The API under `/api`.
pub fn router(_state: &AppState) -> Router<AppState> {
    Router::new()
}
