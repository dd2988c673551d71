//! In whose hand a result comes: of somebody with an account, or with a link for some boards.

use axum::http::StatusCode;
use store::events::Event;
use store::reports::Reporter;
use store::result_links::{self, ResultLink};
use store::results::ResultInput;
use store::{Actor, Refused, Role, Tx};
use uuid::Uuid;

use crate::errors::{Error, Problem, Result};
use crate::state::AppState;

/// Whoever enters results.
#[derive(Clone, Copy, Debug)]
pub enum Hand<'a> {
    /// Somebody with an account.
    Account(&'a Actor),
    /// Whoever comes with a link, and how the log names that.
    Link(&'a ResultLink, &'a Actor),
}

impl<'a> Hand<'a> {
    /// As the log shows it.
    pub fn actor(&self) -> &'a Actor {
        match self {
            Self::Account(actor) | Self::Link(_, actor) => actor,
        }
    }

    /// The link.
    pub fn link(&self) -> Option<&'a ResultLink> {
        match self {
            Self::Account(_) => None,
            Self::Link(link, _) => Some(link),
        }
    }

    /// Makes sure that the link, if it is one, has not been taken back meanwhile.
    ///
    /// # Errors
    /// `result-link-spent`.
    pub async fn still_works(&self, tx: &mut Tx, state: &AppState) -> Result<()> {
        let Some(link) = self.link() else { return Ok(()) };
        match result_links::use_now(tx, link.id, state.clock.now()).await {
            Err(store::Error::Refused(Refused::InvitationSpent)) => {
                Err(Problem::new(StatusCode::GONE, "result-link-spent").into())
            }
            done => Ok(done?),
        }
    }

    /// Whose word it is, where the event wants two to say the same. What a director enters counts.
    ///
    /// # Errors
    /// Only of the database.
    pub async fn reporter(&self, tx: &mut Tx, event: Uuid) -> Result<Option<Reporter>> {
        let reporter = match self {
            Self::Link(link, _) => Reporter::Link(link.id),
            Self::Account(Actor {
                role: Role::Arbiter,
                user: Some(user),
                ..
            }) => Reporter::User(*user),
            Self::Account(_) => return Ok(None),
        };
        let settings = result_links::settings(tx, event).await?;
        Ok(Some(reporter).filter(|_| settings.by_two))
    }
}

/// Refuses what is not of the boards of a link, and another round than the one that is played.
///
/// # Errors
/// `not-of-link`, `not-round-of-link`.
pub fn played_now(event: &Event, link: &ResultLink, round: u32, board: u32) -> Result<()> {
    if !link.holds(board) {
        tracing::warn!(event = %event.id, link = %link.id, round, board, "a result came for a board that is not of the link");
        return Err(Problem::new(StatusCode::FORBIDDEN, "not-of-link")
            .arg("board", board)
            .arg("first", link.first)
            .arg("last", link.last)
            .into());
    }
    let current = event.last_published().map_or(0, |info| info.round);
    if current != round {
        return Err(Problem::new(StatusCode::CONFLICT, "not-round-of-link")
            .arg("round", round)
            .arg("current", current)
            .into());
    }
    Ok(())
}

/// Refuses to take away, by one word, what counts by two.
///
/// # Errors
/// `counts-by-two`.
pub fn clearing(board: u32, there: bool, input: ResultInput) -> Result<()> {
    if there && input.result.is_none() {
        return Err(Error::from(
            Problem::new(StatusCode::FORBIDDEN, "counts-by-two").arg("board", board),
        ));
    }
    Ok(())
}
