//! The sample events of `--demo`: one played to its end, one taken over midway, one in its third
//! round.

use chrono::Utc;
use store::{Change, Paging, Store, events};

use super::database;
use crate::failure::Failure;

const SAMPLES: [&str; 3] = [
    include_str!("../../samples/qualifier.json"),
    include_str!("../../samples/lake-cup.json"),
    include_str!("../../samples/club-evening.json"),
];

/// Loads the sample events that are not there, by their names.
pub async fn load(store: &Store) -> Result<(), Failure> {
    let actor = database::actor();
    let mut tx = store.begin().await.map_err(database::failure)?;
    let mut there = Vec::new();
    let mut paging = Paging {
        offset: 0,
        limit: Paging::MOST,
    };
    loop {
        let page = events::list(&mut tx, events::Listed::All, paging)
            .await
            .map_err(database::failure)?;
        paging.offset += Paging::MOST;
        let last = page.items.is_empty() || u64::from(paging.offset) >= page.total;
        there.extend(page.items.into_iter().map(|event| event.name));
        if last {
            break;
        }
    }
    for sample in SAMPLES {
        let file = interchange::read(sample.as_bytes())
            .map_err(|faults| Failure::Internal(format!("a sample event: {faults:?}")))?;
        if there.contains(&file.name) {
            continue;
        }
        let change = Change {
            actor: &actor,
            at: Utc::now(),
            reason: Some("sample event"),
            chance: web::state::chance(),
        };
        events::import(&mut tx, &change, &file)
            .await
            .map_err(database::failure)?;
    }
    tx.commit().await.map_err(database::failure)
}
