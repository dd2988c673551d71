use chrono::NaiveDate;
use sqlx::PgPool;
use store::events::{self, EventPatch, NewEvent, PairingPatch, Visibility};
use store::log::{Action, Filter, Subject};
use store::{Paging, Refused};
use tournament::pairing::Confirmed;
use tournament::validate::FaultKind;
use tournament::{Criterion, Outcome, Score, standings};

use crate::support::{Hall, moment, new_event, refused, won};

async fn create(hall: &Hall, new: NewEvent) -> Result<events::Event, store::Error> {
    let mut tx = hall.begin().await;
    let event = events::create(&mut tx, &hall.change(1), new).await?;
    tx.commit().await?;
    Ok(event)
}

async fn update(hall: &Hall, patch: EventPatch) -> Result<(), store::Error> {
    hall.act(async |tx, change, event| events::update(tx, change, event, patch, None).await)
        .await
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_event_is_found_by_id_and_by_address(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut new = new_event("  第3届 天元杯 — Final!  ", 7);
    new.place = Some(" Hall 2 ".to_owned());
    new.starts_on = NaiveDate::from_ymd_opt(2026, 5, 1);
    new.pairing.bye_score = Score(0);
    let made = create(&hall, new).await.expect("an event");
    assert_eq!(made.slug, "第3届-天元杯-final");
    assert_eq!(made.name, "第3届 天元杯 — Final!");
    assert_eq!(made.place.as_deref(), Some("Hall 2"));
    assert_eq!(made.stage.pairing.bye_score, Score(0));
    assert_eq!(made.created_at, moment(1));
    let mut tx = hall.begin().await;
    for key in [made.slug.as_str(), &made.id.to_string()] {
        let found = events::find(&mut tx, key).await.expect("found");
        assert_eq!(found.as_ref(), Some(&made), "{key}");
    }
    for key in ["nothing", "", "\0", "0", "00000000-0000-0000-0000-000000000000"] {
        assert_eq!(events::find(&mut tx, key).await.expect("asked"), None, "{key:?}");
        assert!(
            events::lock(&mut tx, key).await.expect("asked").is_none(),
            "{key:?}"
        );
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn addresses_are_unique_and_made_when_none_is_given(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    assert_eq!(hall.key, "spring-open");
    let second = create(&hall, new_event("Spring Open", 5))
        .await
        .expect("an event");
    let third = create(&hall, new_event("spring  open", 5))
        .await
        .expect("an event");
    assert_eq!(
        (second.slug.as_str(), third.slug.as_str()),
        ("spring-open-2", "spring-open-3")
    );
    let marks_only = create(&hall, new_event("!?", 5)).await.expect("an event");
    assert_eq!(marks_only.slug, "event");

    let with = |slug: &str| NewEvent {
        slug: Some(slug.to_owned()),
        ..new_event("Another", 5)
    };
    let taken = refused(create(&hall, with("spring-open")).await);
    assert_eq!(
        taken,
        Refused::SlugTaken {
            slug: "spring-open".to_owned()
        }
    );
    for bad in [
        "",
        "Spring",
        "a b",
        "a--b",
        "-a",
        "import",
        "018f3e1c-0000-7000-8000-000000000000",
        "a/b",
    ] {
        assert_eq!(
            refused(create(&hall, with(bad)).await).code(),
            "bad-slug",
            "{bad}"
        );
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_event_that_makes_no_sense_is_refused_with_every_fault(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut new = new_event(" ", 0);
    new.pairing.bye_score = Score(3);
    new.ranking.criteria = vec![Criterion::Score, Criterion::Score];
    let Refused::Faults(faults) = refused(create(&hall, new).await) else {
        panic!("no faults");
    };
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    for path in [
        "event.name",
        "event.rounds",
        "event.pairing.bye_score",
        "event.ranking[1]",
    ] {
        assert!(paths.contains(&path), "{path} in {paths:?}");
    }
    let Refused::Faults(faults) = refused(create(&hall, new_event("a\0b", 5)).await) else {
        panic!("no faults");
    };
    assert_eq!(faults[0].kind, FaultKind::ControlCharacter);
    // A reason may have many lines, but a NUL is the one character that no text can hold.
    let mut tx = hall.begin().await;
    let change = store::Change {
        reason: Some("a\nb\0c"),
        chance: store::Chance([7; 32]),
        ..hall.change(1)
    };
    let nul = refused(events::create(&mut tx, &change, new_event("Named", 5)).await);
    assert_eq!(nul, Refused::Unstorable);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_hidden_event_is_listed_for_directors_only(pool: PgPool) {
    let hall = Hall::open(pool, 5, 3).await;
    let mut hidden = new_event("Hidden", 5);
    hidden.visibility = Visibility::Hidden;
    hidden.starts_on = NaiveDate::from_ymd_opt(2026, 5, 1);
    create(&hall, hidden).await.expect("an event");
    hall.round(&[(1, 2)], Some(3)).await;
    let mut tx = hall.begin().await;
    let public = events::list(&mut tx, events::Listed::Public, Paging::default())
        .await
        .expect("a list");
    assert_eq!((public.total, public.items.len()), (1, 1));
    let summary = &public.items[0];
    assert_eq!(
        (
            summary.name.as_str(),
            summary.entries,
            summary.last_published,
            summary.pending
        ),
        ("Spring Open", 3, Some(1), 1)
    );
    let all = events::list(&mut tx, events::Listed::All, Paging { offset: 0, limit: 1 })
        .await
        .expect("a list");
    assert_eq!((all.total, all.items.len()), (2, 1));
    assert_eq!(all.items[0].name, "Hidden");
}

/// Omitted fields keep their value; 0 is a value.
#[sqlx::test(migrations = "../../migrations")]
async fn saving_one_setting_leaves_the_others(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    let zero = EventPatch {
        pairing: PairingPatch {
            bye_score: Some(Score(0)),
            avoid_team_rounds: Some(0),
            ..PairingPatch::default()
        },
        ..EventPatch::default()
    };
    update(&hall, zero).await.expect("updated");
    hall.round(&[(1, 2), (3, 4)], None).await;
    hall.black_wins(1).await;
    let before = hall.event().await;
    let place = EventPatch {
        place: Some(Some("Town hall".to_owned())),
        ..EventPatch::default()
    };
    update(&hall, place).await.expect("updated");
    let after = hall.event().await;
    assert_eq!(after.place.as_deref(), Some("Town hall"));
    assert_eq!(after.stage, before.stage);
    assert_eq!(after.stage.pairing.bye_score, Score(0));
    assert_eq!(after.stage.pairing.avoid_team_rounds, 0);
    assert_eq!(after.rounds, before.rounds);
    // The log holds what changed and nothing else.
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!((act.action, act.subject), (Action::EventUpdated, Subject::Event));
    assert_eq!(act.before, serde_json::json!({"place": null}));
    assert_eq!(act.after, serde_json::json!({"place": "Town hall"}));
    let empty = EventPatch {
        place: Some(None),
        ..EventPatch::default()
    };
    update(&hall, empty).await.expect("updated");
    assert_eq!(hall.event().await.place, None);
}

/// The number of rounds may change in mid-event, but not below what is there.
#[sqlx::test(migrations = "../../migrations")]
async fn rounds_can_be_added_and_dropped_while_they_are_not_paired(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    for pairs in [[(1, 2), (3, 4)], [(1, 3), (2, 4)]] {
        let round = hall.round(&pairs, None).await;
        hall.black_wins(round).await;
    }
    hall.round(&[(1, 4), (2, 3)], None).await;
    let standings_before = standings::standings(&hall.event().await.stage, 3);
    let planned = |rounds| EventPatch {
        rounds_planned: Some(rounds),
        ..EventPatch::default()
    };
    update(&hall, planned(4)).await.expect("updated");
    let too_few = refused(update(&hall, planned(2)).await);
    assert_eq!(too_few, Refused::FewerThanPaired { planned: 2, last: 3 });
    update(&hall, planned(6)).await.expect("updated");
    let event = hall.event().await;
    assert_eq!(event.stage.rounds_planned, 6);
    assert_eq!(standings::standings(&event.stage, 3), standings_before);
    let first = EventPatch {
        first_round: Some(2),
        ..EventPatch::default()
    };
    assert_eq!(refused(update(&hall, first).await), Refused::FirstRoundFixed);
    assert_eq!(
        hall.log(Filter {
            action: Some(Action::EventUpdated),
            ..Filter::default()
        })
        .await
        .len(),
        2
    );
}

/// Another tie-break list changes the table, no pairing; switching back restores it.
#[sqlx::test(migrations = "../../migrations")]
async fn the_ranking_can_be_changed_and_changed_back(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    let round = hall.round(&[(1, 2), (3, 4)], None).await;
    hall.black_wins(round).await;
    let round = hall.round(&[(1, 3), (4, 2)], None).await;
    hall.black_wins(round).await;
    let before = hall.event().await;
    let list = |criteria: Vec<Criterion>| EventPatch {
        criteria: Some(criteria),
        ..EventPatch::default()
    };
    let cut = vec![
        Criterion::Score,
        Criterion::OpponentsScoreCut { low: 1, high: 0 },
        Criterion::Lots,
    ];
    update(&hall, list(cut.clone())).await.expect("updated");
    let changed = hall.event().await;
    assert_eq!(changed.stage.ranking.criteria, cut);
    assert_eq!(changed.stage.rounds, before.stage.rounds);
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(act.before["ranking"][1], "opponents_score");
    assert_eq!(
        act.after["ranking"][1],
        serde_json::json!({"criterion": "opponents_score_cut", "low": 1, "high": 0})
    );
    update(&hall, list(before.stage.ranking.criteria.clone()))
        .await
        .expect("updated");
    let back = hall.event().await;
    assert_eq!(
        standings::standings(&back.stage, 2),
        standings::standings(&before.stage, 2)
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn drawn_lots_are_kept(pool: PgPool) {
    let hall = Hall::open(pool, 5, 3).await;
    let lots = vec![(crate::support::n(3), 2), (crate::support::n(1), 1)];
    let patch = |lots| EventPatch {
        lots: Some(lots),
        ..EventPatch::default()
    };
    update(&hall, patch(lots)).await.expect("updated");
    let kept = hall.event().await.stage.ranking.lots;
    assert_eq!(kept, vec![(crate::support::n(1), 1), (crate::support::n(3), 2)]);
    let Refused::Faults(faults) = refused(update(&hall, patch(vec![(crate::support::n(9), 1)])).await) else {
        panic!("no faults");
    };
    assert_eq!(faults[0].kind, FaultKind::UnknownNumber(crate::support::n(9)));
}

/// What a bye is worth, changed while the event runs.
#[sqlx::test(migrations = "../../migrations")]
async fn a_bye_is_worth_what_the_event_says_now(pool: PgPool) {
    let hall = Hall::open(pool, 3, 3).await;
    for (pair, bye) in [((1, 2), 3), ((1, 3), 2), ((2, 3), 1)] {
        let round = hall.round(&[pair], Some(bye)).await;
        hall.black_wins(round).await;
    }
    for (worth, points) in [(2, [6, 4, 2]), (1, [5, 3, 1]), (0, [4, 2, 0])] {
        let patch = EventPatch {
            pairing: PairingPatch {
                bye_score: Some(Score(worth)),
                ..PairingPatch::default()
            },
            ..EventPatch::default()
        };
        update(&hall, patch).await.expect("updated");
        for (number, points) in (1..).zip(points) {
            assert_eq!(
                hall.points(number, 3).await,
                Score(points),
                "bye {worth}, number {number}"
            );
        }
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_second_of_two_who_save_settings_is_told(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let seen = hall.event().await.version;
    let named = |name: &str| EventPatch {
        name: Some(name.to_owned()),
        ..EventPatch::default()
    };
    let save = async |name: &str| {
        let patch = named(name);
        hall.act(async |tx, change, event| events::update(tx, change, event, patch, Some(seen)).await)
            .await
    };
    save("Spring Open 2026").await.expect("saved");
    let current = hall.event().await.version;
    assert_eq!(refused(save("Autumn Open").await), Refused::Stale { current });
    // The first one's request once more, after a lost answer: fine, and no trace.
    let acts = hall.log(Filter::default()).await.len();
    save("Spring Open 2026").await.expect("saved already");
    assert_eq!(hall.log(Filter::default()).await.len(), acts);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_removed_event_leaves_its_log(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    hall.put(1, 1, won(Outcome::Black)).await.expect("a result");
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    let locked = hall.lock(&mut tx).await;
    events::delete(&mut tx, &hall.change(7), locked, Some(event.version))
        .await
        .expect("removed");
    tx.commit().await.expect("committed");
    let mut tx = hall.begin().await;
    assert_eq!(events::find(&mut tx, &hall.key).await.expect("asked"), None);
    let left: i64 = sqlx::query_scalar("select count(*) from log where event_id = $1")
        .bind(event.id)
        .fetch_one(&hall.pool)
        .await
        .expect("a count");
    assert_eq!(left, event.last_seq + 1);
    // What was removed can be brought back from the site's log.
    let file: serde_json::Value =
        sqlx::query_scalar("select before from site_log where action = 'event-deleted'")
            .fetch_one(&hall.pool)
            .await
            .expect("a file");
    let file = interchange::read(file.to_string().as_bytes()).expect("an event file");
    assert_eq!(file.stage, event.stage);
}

/// Confirmed is not a setting: it holds for one pairing only.
#[sqlx::test(migrations = "../../migrations")]
async fn what_is_confirmed_for_one_pairing_is_in_the_log(pool: PgPool) {
    let hall = Hall::open(pool, 5, 2).await;
    let round = hall.round(&[(1, 2)], None).await;
    hall.black_wins(round).await;
    assert_eq!(refused(hall.pair().await).code(), "repeats-needed");
    let confirmed = Confirmed {
        repeats: true,
        provisional: false,
    };
    hall.act(async |tx, change, event| store::rounds::pair(tx, change, event, Some(2), confirmed).await)
        .await
        .expect("paired");
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(act.action, Action::RoundPaired);
    assert_eq!(
        act.after["confirmed"],
        serde_json::json!({"repeats": true, "provisional": false})
    );
    assert_eq!(act.after["criteria"]["repeats"], 1);
}
