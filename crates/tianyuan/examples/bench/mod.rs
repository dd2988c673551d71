//! What the benchmarks of the pages and of the streams both begin with.

use anyhow::Result;
use chrono::Utc;
use mimalloc::MiMalloc;
use store::{Actor, Change, Role, Store, Via, events};
use tournament::Stage;

/// As the server has it.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

/// Who does what the benchmarks do.
pub fn actor() -> Actor {
    Actor {
        user: None,
        name: "bench".to_owned(),
        role: Role::Admin,
        via: Via::CommandLine,
    }
}

/// A change of now.
pub fn change(actor: &Actor) -> Change<'_> {
    Change {
        actor,
        at: Utc::now(),
        reason: Some("a benchmark"),
        chance: web::state::chance(),
    }
}

/// Takes a stage in as an event that everybody sees.
pub async fn event(store: &Store, stage: Stage) -> Result<events::Event> {
    let rules = rules::RuleSet::default();
    let file = interchange::EventFile {
        name: "Bench".to_owned(),
        place: None,
        starts_on: None,
        rules,
        komi: rules.default_komi(),
        records: interchange::RecordSettings::default(),
        awards: tournament::Awards::default(),
        circumstances: interchange::event_file::Circumstances::default(),
        stage,
    };
    let mut tx = store.begin().await?;
    let event = events::import(&mut tx, &change(&actor()), &file).await?;
    tx.commit().await?;
    Ok(event)
}
