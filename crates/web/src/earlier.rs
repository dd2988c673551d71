//! Earlier events of which somebody makes a copy.

use axum::http::StatusCode;
use store::events::{self, Event, Visibility};
use store::{Actor, Refused, Role, Tx, people};

use crate::errors::{Problem, Result};

/// An earlier event, and the role of whoever copies it.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// The event.
    pub event: Event,
    /// The role in it, where there is one.
    pub role: Option<Role>,
}

impl Earlier {
    /// Whether its people may be copied: by those only who see of it what its directors see, as names
    /// may be withheld from all others.
    pub fn shows_entries(&self) -> bool {
        self.role.is_some_and(Role::sees_all)
    }

    /// Refuses to copy its people when they may not be.
    ///
    /// # Errors
    /// `needs-viewer`.
    pub fn require_entries(&self, actor: &Actor) -> Result<()> {
        if self.shows_entries() {
            return Ok(());
        }
        Err(Problem::new(StatusCode::FORBIDDEN, "needs-viewer")
            .arg("event", self.event.name.as_str())
            .arg("yours", self.role.map_or("none", Role::as_str))
            .arg("name", actor.name.as_str())
            .into())
    }
}

/// An earlier event, whose settings are there for everybody who sees it.
///
/// # Errors
/// `unknown-event` for one that is not there for the actor.
pub async fn find(tx: &mut Tx, actor: &Actor, key: &str) -> Result<Earlier> {
    let unknown = || Refused::UnknownEvent { key: key.to_owned() };
    let event = events::find(tx, key).await?.ok_or_else(unknown)?;
    let role = match (actor.role, actor.user) {
        (Role::Admin, _) => Some(Role::Admin),
        (_, Some(user)) => people::roles_of(tx, user).await?.get(&event.id).copied(),
        (_, None) => None,
    };
    if role.is_none() && event.visibility == Visibility::Hidden {
        return Err(unknown().into());
    }
    Ok(Earlier { event, role })
}
