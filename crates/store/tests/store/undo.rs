use sqlx::PgPool;
use store::entries::{self, EntryPatch, Seated};
use store::events::{self, EventPatch, RoundStatus};
use store::log::{Action, Filter, LogEntry};
use store::{Error, Paging, Refused, log, rounds, undo};
use tournament::{Criterion, Outcome};

use crate::support::{Hall, n, refused, won};

async fn take_back(hall: &Hall, seq: i64) -> Result<LogEntry, Error> {
    hall.act(async |tx, change, event| undo::undo(tx, change, event, seq).await)
        .await
}

/// The number of the last act of a kind.
async fn last(hall: &Hall, action: Action) -> i64 {
    let event = hall.event().await;
    let mut tx = hall.store.snapshot().await.expect("a snapshot");
    let filter = Filter {
        action: Some(action),
        ..Filter::default()
    };
    let list = log::list(&mut tx, &event, filter, Paging::default()).await;
    list.expect("a list").items.first().expect("an act").seq
}

async fn undo_last(hall: &Hall, action: Action) -> Result<LogEntry, Error> {
    let seq = last(hall, action).await;
    take_back(hall, seq).await
}

/// The same event as far as anybody can tell: versions and the log go on.
async fn stage(hall: &Hall) -> tournament::Stage {
    hall.event().await.stage.clone()
}

#[sqlx::test(migrations = "../../migrations")]
async fn each_act_on_an_entry_is_taken_back_and_that_again(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    let before = stage(&hall).await;
    hall.act(async |tx, change, event| {
        let patch = EntryPatch {
            name: Some("Somebody else".to_owned()),
            team: Some(Some("Club".to_owned())),
            rating: Some(Some(2100)),
            ..EntryPatch::default()
        };
        entries::update(tx, change, event, n(2), patch).await
    })
    .await
    .expect("changed");
    let changed = stage(&hall).await;
    let first = last(&hall, Action::EntryUpdated).await;
    take_back(&hall, first).await.expect("taken back");
    assert_eq!(stage(&hall).await, before);
    // The undo is an act, and is taken back in its turn; what it stands on is not any more.
    assert!(matches!(
        refused(take_back(&hall, first).await),
        Refused::ChangedSince { seq, .. } if seq == first
    ));
    undo_last(&hall, Action::EntryUpdated).await.expect("again");
    assert_eq!(stage(&hall).await, changed);

    hall.act(async |tx, change, event| entries::withdraw(tx, change, event, n(4), 0, Seated::Ask).await)
        .await
        .expect("withdrawn");
    undo_last(&hall, Action::EntryWithdrawn).await.expect("back");
    assert_eq!(stage(&hall).await, changed);
    hall.act(async |tx, change, event| entries::sit_out(tx, change, event, n(4), 2, true).await)
        .await
        .expect("sits out");
    undo_last(&hall, Action::EntrySitsOut).await.expect("plays");
    assert_eq!(stage(&hall).await, changed);
    hall.act(async |tx, change, event| entries::delete(tx, change, event, n(5)).await)
        .await
        .expect("removed");
    undo_last(&hall, Action::EntryDeleted).await.expect("there again");
    assert_eq!(stage(&hall).await, changed);
}

#[sqlx::test(migrations = "../../migrations")]
async fn settings_come_back_as_they_were(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    let before = hall.event().await;
    hall.act(async |tx, change, event| {
        let patch = EventPatch {
            name: Some("Autumn Open".to_owned()),
            place: Some(Some("Town hall".to_owned())),
            rounds_planned: Some(7),
            criteria: Some(vec![Criterion::Score, Criterion::BeatenOpponentsScore]),
            lots: Some(vec![(n(1), 3)]),
            ..EventPatch::default()
        };
        events::update(tx, change, event, patch, None).await
    })
    .await
    .expect("changed");
    assert_ne!(stage(&hall).await, before.stage);
    undo_last(&hall, Action::EventUpdated).await.expect("taken back");
    let after = hall.event().await;
    assert_eq!(
        (&after.stage, &after.name, &after.place),
        (&before.stage, &before.name, &before.place)
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_result_goes_back_to_the_one_before(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    hall.put(1, 1, won(Outcome::Black)).await.expect("entered");
    hall.put(1, 1, won(Outcome::White)).await.expect("corrected");
    let result = async || stage(&hall).await.rounds[0].boards[0].result;
    let entered = last(&hall, Action::ResultEntered).await;
    assert!(matches!(
        refused(take_back(&hall, entered).await),
        Refused::ChangedSince { .. }
    ));
    undo_last(&hall, Action::ResultCorrected)
        .await
        .expect("taken back");
    assert_eq!(result().await, Some(Outcome::Black));
    undo_last(&hall, Action::ResultCorrected)
        .await
        .expect("taken back");
    assert_eq!(result().await, Some(Outcome::White));
    assert!(matches!(
        refused(undo_last(&hall, Action::RoundPublished).await),
        Refused::HasResults { round: 1, boards } if boards == [1]
    ));
}

/// A published table that is withdrawn stays in the log with its reason, and the next one on the
/// wall is a later version.
#[sqlx::test(migrations = "../../migrations")]
async fn a_publication_is_withdrawn_and_a_draft_made_again(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    let table = stage(&hall).await.rounds[0].clone();
    undo_last(&hall, Action::RoundPublished).await.expect("withdrawn");
    let event = hall.event().await;
    let info = event.round_info(1).expect("a round");
    assert_eq!((info.status, info.edition), (RoundStatus::Draft, 2));
    assert!(event.public_stage().rounds.is_empty());
    let act = last(&hall, Action::PublicationWithdrawn).await;
    let mut tx = hall.store.snapshot().await.expect("a snapshot");
    let act = undo::act(&mut tx, &event, act).await.expect("an act");
    assert_eq!(act.before["edition"], 1);
    assert_eq!(act.before["boards"].as_array().map(Vec::len), Some(2));
    drop(tx);

    hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await)
        .await
        .expect("thrown away");
    undo_last(&hall, Action::RoundThrownAway)
        .await
        .expect("made again");
    let again = stage(&hall).await.rounds[0].clone();
    assert_eq!((&again.boards, &again.byes), (&table.boards, &table.byes));
    hall.publish(1).await.expect("published");
    assert_eq!(hall.event().await.round_info(1).expect("a round").edition, 2);
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_cannot_be_taken_back_says_so(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    let created = last(&hall, Action::EventCreated).await;
    assert_eq!(
        refused(take_back(&hall, created).await),
        Refused::NoUndo {
            seq: created,
            action: Action::EventCreated
        }
    );
    assert_eq!(
        refused(take_back(&hall, 999).await),
        Refused::UnknownAct { seq: 999 }
    );
    hall.act(async |tx, change, event| entries::withdraw(tx, change, event, n(4), 0, Seated::Ask).await)
        .await
        .expect("withdrawn");
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    assert_eq!(
        refused(undo_last(&hall, Action::EntryWithdrawn).await),
        Refused::PublishedSince {
            number: n(4),
            round: 1
        }
    );
}
