use sqlx::PgPool;
use store::draws::{self, GroupRequest, NumberRequest};
use store::entries::{self, EntryPatch, Seated};
use store::events::{self, EventPatch, Locked, RoundStatus};
use store::log::{Action, Filter, LogEntry};
use store::{Change, Error, Paging, Refused, Tx, check_in, log, rounds, sign_ups, undo};
use tournament::draw::{Decides, Split};
use tournament::pairing::Confirmed;
use tournament::{Criterion, Number, Outcome};

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
    let awards = r#"{"promotion": {"by_wins": [{"from": "none", "wins": 2, "games": 5, "to": "1d"}]},
                     "prizes": {"list": [{"name": "First"}]}}"#;
    let awards = interchange::event_file::read_awards(awards.as_bytes()).expect("awards");
    hall.act(async |tx, change, event| {
        let patch = EventPatch {
            name: Some("Autumn Open".to_owned()),
            place: Some(Some("Town hall".to_owned())),
            rounds_planned: Some(7),
            criteria: Some(vec![Criterion::Score, Criterion::BeatenOpponentsScore]),
            lots: Some(vec![(n(1), 3)]),
            time_zone: Some(Some(store::Tz::Asia__Shanghai)),
            starts: Some([(1, "2026-05-01T09:00:00".parse().expect("a time"))].into()),
            promotion: Some(awards.promotion.clone()),
            prizes: Some(awards.prizes.clone()),
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
        (
            &after.stage,
            &after.name,
            &after.place,
            &after.schedule,
            &after.awards
        ),
        (
            &before.stage,
            &before.name,
            &before.place,
            &before.schedule,
            &before.awards
        )
    );
    // The undo of the undo brings all of it back.
    undo_last(&hall, Action::EventUpdated).await.expect("taken back");
    let again = hall.event().await;
    assert_eq!(again.awards, awards);
    assert_eq!(again.schedule.zone_name(), Some("Asia/Shanghai"));
    assert_eq!(again.schedule.starts.len(), 1);
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

/// All that acts change, as far as it can be taken back.
#[derive(Debug, PartialEq)]
struct State {
    stage: tournament::Stage,
    settings: (String, store::Schedule, tournament::Awards),
    is_final: bool,
    results: store::result_links::ResultSettings,
    rounds: Vec<(RoundStatus, Option<chrono::DateTime<chrono::Utc>>)>,
    words: Vec<String>,
    drawn: usize,
    here: Vec<Number>,
    sign_up: store::sign_ups::Settings,
    sign_ups: Vec<store::sign_ups::Status>,
}

async fn state(hall: &Hall) -> State {
    let event = hall.event().await;
    let mut tx = hall.store.snapshot().await.expect("a snapshot");
    let here = check_in::list(&mut tx, event.id).await.expect("a list");
    let sign_up = sign_ups::settings(&mut tx, event.id).await.expect("settings");
    let list = sign_ups::list(&mut tx, event.id).await.expect("a list");
    let words = event.draws.iter().flat_map(|draw| &draw.words);
    State {
        settings: (event.name.clone(), event.schedule.clone(), event.awards.clone()),
        is_final: event.frozen.is_some(),
        results: event.results,
        rounds: event
            .rounds
            .iter()
            .map(|info| (info.status, info.publish_at))
            .collect(),
        words: words.map(|word| word.word.as_str().to_owned()).collect(),
        drawn: event.draws.iter().filter(|draw| draw.is_drawn()).count(),
        here: here.into_keys().collect(),
        sign_up,
        sign_ups: list.into_iter().map(|one| one.status).collect(),
        stage: event.stage,
    }
}

/// What is done, what it is called in the log, and that its undo leads back to where it was.
struct Undone<'h> {
    hall: &'h Hall,
    kinds: Vec<Action>,
}

impl Undone<'_> {
    /// Does something and takes it back.
    async fn step<T>(
        &mut self,
        action: Action,
        what: impl AsyncFnOnce(&mut Tx, &Change<'_>, &mut Locked) -> Result<T, Error>,
    ) {
        let before = state(self.hall).await;
        let done = self.hall.act(what).await;
        assert!(done.is_ok(), "{action:?}: {:?}", done.err());
        assert_ne!(state(self.hall).await, before, "{action:?} changes something");
        // An event that is final is opened with words only.
        let seq = last(self.hall, action).await;
        let mut tx = self.hall.begin().await;
        let mut event = self.hall.lock(&mut tx).await;
        let change = Change {
            reason: Some("a mistake"),
            ..self.hall.change(30)
        };
        let undone = undo::undo(&mut tx, &change, &mut event, seq).await;
        assert!(undone.is_ok(), "{action:?}: {:?}", undone.err());
        tx.commit().await.expect("committed");
        assert_eq!(state(self.hall).await, before, "{action:?}");
        self.kinds.push(action);
    }
}

async fn does<T>(
    hall: &Hall,
    what: impl AsyncFnOnce(&mut Tx, &Change<'_>, &mut Locked) -> Result<T, Error>,
) -> T {
    hall.act(what).await.expect("done")
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_kind_of_act_is_undone_to_what_was_there_or_has_a_reason_not_to_be(pool: PgPool) {
    let hall = Hall::open(pool, 3, 5).await;
    let mut undone = Undone {
        hall: &hall,
        kinds: Vec::new(),
    };
    before_the_first_round(&hall, &mut undone).await;
    in_a_round(&hall, &mut undone).await;
    let ways = Action::ALL.map(|action| (action, undo::undoing(action)));
    for (action, way) in ways {
        // What the log takes back has been taken back above; the rest has its way, or none.
        assert_eq!(
            undone.kinds.contains(&action),
            way == undo::Undoing::Here,
            "{action:?}: {}",
            way.as_str()
        );
    }
    let reasons = [
        (Action::EventCreated, "remove-event"),
        (Action::EventImported, "remove-event"),
        (Action::EventDeleted, "gone"),
        (Action::RecordBrought, "record"),
        (Action::RecordReplaced, "record"),
        (Action::RecordWithdrawn, "record"),
        (Action::RecordBroughtBack, "record"),
        (Action::RecordCodesRenewed, "secret"),
        (Action::BoardNoted, "said"),
        (Action::RightGiven, "people"),
        (Action::RightChanged, "people"),
        (Action::RightTaken, "people"),
        (Action::InvitationMade, "people"),
        (Action::InvitationRevoked, "people"),
        (Action::ResultLinkMade, "result-links"),
        (Action::ResultLinkRevoked, "result-links"),
        (Action::ResultReported, "results"),
        (Action::SignUpPutBack, "sign-ups"),
        (Action::NumbersPutBack, "draws"),
        (Action::GroupsPutBack, "draws"),
    ];
    for (action, way) in ways.into_iter().filter(|(_, way)| *way != undo::Undoing::Here) {
        assert!(
            reasons.contains(&(action, way.as_str())),
            "why can {action:?} not be taken back?"
        );
    }
    hall.assert_log_without_gap().await;
}

async fn before_the_first_round(hall: &Hall, undone: &mut Undone<'_>) {
    undone
        .step(Action::EventUpdated, async |tx, change, event| {
            let patch = EventPatch {
                time_zone: Some(Some(store::Tz::Asia__Shanghai)),
                ..EventPatch::default()
            };
            events::update(tx, change, event, patch, None).await
        })
        .await;
    undone
        .step(Action::EntryAdded, async |tx, change, event| {
            entries::add(tx, change, event, vec![crate::support::player("Late")]).await
        })
        .await;
    undone
        .step(Action::EntryUpdated, async |tx, change, event| {
            let patch = EntryPatch {
                name_withheld: Some(true),
                bye_rounds: Some(vec![3]),
                ..EntryPatch::default()
            };
            entries::update(tx, change, event, n(2), patch).await
        })
        .await;
    undone
        .step(Action::EntryDeleted, async |tx, change, event| {
            entries::delete(tx, change, event, n(5)).await
        })
        .await;
    undone
        .step(Action::EntryWithdrawn, async |tx, change, event| {
            entries::withdraw(tx, change, event, n(4), 0, Seated::Ask).await
        })
        .await;
    does(hall, async |tx, change, event| {
        entries::withdraw(tx, change, event, n(4), 0, Seated::Ask).await
    })
    .await;
    undone
        .step(Action::EntryReturned, async |tx, change, event| {
            entries::return_to(tx, change, event, n(4), 1).await
        })
        .await;
    does(hall, async |tx, change, event| {
        entries::return_to(tx, change, event, n(4), 1).await
    })
    .await;
    undone
        .step(Action::EntrySitsOut, async |tx, change, event| {
            entries::sit_out(tx, change, event, n(4), 2, true).await
        })
        .await;
    does(hall, async |tx, change, event| {
        entries::sit_out(tx, change, event, n(4), 2, true).await
    })
    .await;
    undone
        .step(Action::EntryPlays, async |tx, change, event| {
            entries::sit_out(tx, change, event, n(4), 2, false).await
        })
        .await;
    undone
        .step(Action::EntryHere, async |tx, change, event| {
            check_in::set(tx, change, event, n(3), true).await
        })
        .await;
    does(hall, async |tx, change, event| {
        check_in::set(tx, change, event, n(3), true).await
    })
    .await;
    undone
        .step(Action::EntryAway, async |tx, change, event| {
            check_in::set(tx, change, event, n(3), false).await
        })
        .await;
    let numbers = Decides::Numbers;
    undone
        .step(Action::WordAdded, async |tx, change, event| {
            draws::add_word(tx, change, event, numbers, "lake", Some("somebody")).await
        })
        .await;
    does(hall, async |tx, change, event| {
        draws::add_word(tx, change, event, numbers, "hill", None).await
    })
    .await;
    undone
        .step(Action::WordRemoved, async |tx, change, event| {
            let drawn = event.draws.iter().rfind(|draw| draw.decides == numbers);
            let position = drawn.expect("a promise").words[0].position;
            draws::remove_word(tx, change, event, numbers, position).await
        })
        .await;
    undone
        .step(Action::NumbersDrawn, async |tx, change, event| {
            draws::draw_numbers(tx, change, event, NumberRequest::default()).await
        })
        .await;
    undone
        .step(Action::GroupsDrawn, async |tx, change, event| {
            let request = GroupRequest {
                groups: 2,
                by: draws::StrengthBy::Number,
                split: Split::Lots,
                again: false,
            };
            draws::draw_groups(tx, change, event, request).await
        })
        .await;
    let open = sign_ups::Settings {
        open: true,
        places: Some(20),
        notice: "Bring a clock.".to_owned(),
        closes_at: Some(crate::support::moment(59)),
    };
    undone
        .step(Action::SignUpSet, async |tx, change, event| {
            sign_ups::set(tx, change, event, open.clone()).await
        })
        .await;
    does(hall, async |tx, change, event| {
        sign_ups::set(tx, change, event, open.clone()).await?;
        let new = sign_ups::NewSignUp {
            name: "Somebody new".to_owned(),
            contact: "by post".to_owned(),
            ..sign_ups::NewSignUp::default()
        };
        sign_ups::add(tx, change.at, event.id, new, &[7; 32]).await
    })
    .await;
    undone
        .step(Action::ResultSettingsChanged, async |tx, change, event| {
            let by_two = store::result_links::ResultSettings {
                by_two: true,
                from_players: false,
            };
            store::result_links::set_settings(tx, change, event.id, by_two).await
        })
        .await;
    undone
        .step(Action::SignUpRefused, async |tx, change, event| {
            sign_ups::refuse(tx, change, event, 1, Some("full")).await
        })
        .await;
}

async fn in_a_round(hall: &Hall, undone: &mut Undone<'_>) {
    undone
        .step(Action::RoundPaired, async |tx, change, event| {
            rounds::pair(tx, change, event, None, Confirmed::default()).await
        })
        .await;
    undone
        .step(Action::RoundPairedByHand, async |tx, change, event| {
            let table = rounds::Table {
                boards: vec![(n(1), n(3)), (n(2), n(5))],
                byes: vec![n(4)],
            };
            rounds::by_hand(tx, change, event, table, Confirmed::default()).await
        })
        .await;
    hall.pair().await.expect("a draft");
    undone
        .step(Action::RoundChanged, async |tx, change, event| {
            rounds::swap(tx, change, event, 1, (n(1), n(2)), None).await
        })
        .await;
    undone
        .step(Action::PublicationSet, async |tx, change, event| {
            let at = Some(crate::support::moment(58));
            rounds::publish_at(tx, change, event, 1, at, None).await
        })
        .await;
    undone
        .step(Action::RoundThrownAway, async |tx, change, event| {
            rounds::throw_away(tx, change, event, 1, None).await
        })
        .await;
    undone
        .step(Action::RoundPublished, async |tx, change, event| {
            rounds::publish(tx, change, event, 1, None, false).await
        })
        .await;
    hall.publish(1).await.expect("published");
    undone
        .step(Action::PublicationWithdrawn, async |tx, change, event| {
            rounds::withdraw_publication(tx, change, event, 1, None).await
        })
        .await;
    // Somebody who has the bye takes the seat of somebody who stays away.
    undone
        .step(Action::RoundChanged, async |tx, change, event| {
            let table = &event.stage.rounds[0];
            let (out, into) = (table.boards[1].white, table.byes[0]);
            rounds::replace(tx, change, event, 1, (out, into), None).await
        })
        .await;
    let put = async |tx: &mut Tx, change: &Change<'_>, event: &mut Locked, result| {
        let input = store::results::ResultInput {
            result,
            ..store::results::ResultInput::default()
        };
        store::results::put(tx, change, event.id, 1, 1, None, input).await
    };
    undone
        .step(Action::ResultEntered, async |tx, change, event| {
            put(tx, change, event, Some(Outcome::Black)).await
        })
        .await;
    hall.put(1, 1, won(Outcome::White)).await.expect("a result");
    undone
        .step(Action::ResultCorrected, async |tx, change, event| {
            put(tx, change, event, Some(Outcome::Draw)).await
        })
        .await;
    undone
        .step(Action::ResultCleared, async |tx, change, event| {
            put(tx, change, event, None).await
        })
        .await;
    hall.black_wins(1).await;
    undone
        .step(Action::EventFrozen, async |tx, change, event| {
            events::freeze(tx, change, event, None).await
        })
        .await;
    does(hall, async |tx, change, event| {
        events::freeze(tx, change, event, None).await
    })
    .await;
    undone
        .step(Action::EventUnfrozen, async |tx, change, event| {
            let change = Change {
                reason: Some("one more result"),
                ..*change
            };
            events::unfreeze(tx, &change, event, None).await
        })
        .await;
}

/// What a draw gave is put back only as long as nothing rests on it.
#[sqlx::test(migrations = "../../migrations")]
async fn a_draw_is_not_put_back_from_under_what_came_after_it(pool: PgPool) {
    let hall = Hall::open(pool, 3, 4).await;
    let draw = async |again| {
        let request = NumberRequest {
            again,
            ..NumberRequest::default()
        };
        does(&hall, async |tx, change, event| {
            draws::draw_numbers(tx, change, event, request.clone()).await
        })
        .await;
        last(&hall, Action::NumbersDrawn).await
    };
    let first = draw(false).await;
    let after_first = stage(&hall).await;
    let second = draw(true).await;
    assert!(matches!(
        refused(take_back(&hall, first).await),
        Refused::ChangedSince { later, .. } if later == second
    ));
    // The second goes back to the first; it was seen, so it stays told and counts no more.
    take_back(&hall, second).await.expect("put back");
    assert_eq!(stage(&hall).await.entries, after_first.entries);
    let event = hall.event().await;
    let told: Vec<bool> = event
        .draws
        .iter()
        .filter(|draw| draw.decides == Decides::Numbers && draw.revealed.is_some())
        .map(draws::Draw::is_drawn)
        .collect();
    assert_eq!(told, [true, false]);
    hall.pair().await.expect("paired");
    assert!(take_back(&hall, first).await.is_err());
}
