use interchange::EventFile;
use sqlx::PgPool;
use store::entries::{self, NewEntry, Seated};
use store::events::{self, EventPatch, PairingPatch, RoundStatus};
use store::log::{Action, Filter};
use store::{Error, Refused};
use tournament::draw::Seed;
use tournament::pairing::Request;
use tournament::validate::FaultKind;
use tournament::{
    By, Carried, Choices, Colours, Margin, OrderBy, Outcome, PairingOrder, Score, TeamAvoidance, ThirdColour,
    Warnings,
};

use crate::support::{Hall, n, player, refused, won};

async fn import(hall: &Hall, file: &EventFile) -> Result<events::Event, Error> {
    let mut tx = hall.begin().await;
    let event = events::import(&mut tx, &hall.change(3), file).await?;
    tx.commit().await?;
    Ok(event)
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_one_server_gives_out_another_takes_in(pool: PgPool) {
    let hall = Hall::open(pool, 6, 7).await;
    let patch = EventPatch {
        place: Some(Some("厅 2".to_owned())),
        starts_on: Some(chrono::NaiveDate::from_ymd_opt(2026, 5, 1)),
        komi: Some("0".parse().expect("a komi")),
        pairing: PairingPatch {
            order: Some(PairingOrder::Slide),
            order_by: Some(OrderBy::Grade),
            team_avoidance: Some(TeamAvoidance::Absolute),
            forbidden_pairs: Some(vec![(n(2), n(1))]),
            unwanted_pairs: Some(vec![(n(4), n(5)), (n(3), n(1))]),
            third_colour: Some(ThirdColour::Avoided),
            colours: Some(Colours::Alternate),
            bye_score: Some(Score(1)),
            stop_at: Some(Some(Score(14))),
            ..PairingPatch::default()
        },
        lots: Some(vec![(n(3), 2), (n(1), 5)]),
        ..EventPatch::default()
    };
    hall.act(async |tx, change, event| {
        events::update(tx, change, event, patch, None).await?;
        let late = NewEntry {
            team: Some("红队".to_owned()),
            grade: "3p".parse().ok(),
            rating: Some(2400),
            category: Some("open".to_owned()),
            start_score: Score(1),
            absent_rounds: vec![1],
            bye_rounds: vec![4],
            ..player("晚到 “X”")
        };
        entries::add(tx, change, event, vec![late]).await
    })
    .await
    .expect("changed");
    hall.round(&[(1, 2), (3, 4), (5, 6)], Some(7)).await;
    let counted = store::results::ResultInput {
        by: Some(By::Count),
        margin: Margin::from_quarters(3).ok(),
        warnings: Warnings { black: 1, white: 0 },
        ..won(Outcome::White)
    };
    hall.put(1, 1, counted).await.expect("a result");
    hall.put(1, 2, won(Outcome::BothForfeit)).await.expect("a result");
    hall.put(1, 3, won(Outcome::Draw)).await.expect("a result");
    hall.act(async |tx, change, event| entries::withdraw(tx, change, event, n(6), 1, Seated::Ask).await)
        .await
        .expect("withdrawn");
    let choices = Choices {
        apart: vec![(n(5), n(3)), (n(1), n(4))],
        sitting_out: vec![n(2)],
        ..Choices::default()
    };
    let request = Request {
        choices,
        ..Request::default()
    };
    hall.act(async |tx, change, event| store::rounds::pair(tx, change, event, None, request.clone()).await)
        .await
        .expect("paired");
    hall.publish(2).await.expect("published");
    hall.black_wins(2).await;
    hall.pair().await.expect("a draft");

    let event = hall.event().await;
    let mut file = events::export(&event);
    assert_eq!(file.stage.rounds.len(), 2, "the draft stays at home");
    file.stage.rounds[1].seed = Some(Seed([7; 32]));
    // Through the text, as it goes from one server to another.
    let read = interchange::read(interchange::write(&file).as_bytes()).expect("an event file");
    assert_eq!(read, file);
    let second = &file.stage.rounds[1];
    assert_eq!(second.choices.apart, [(n(1), n(4)), (n(3), n(5))]);
    assert_eq!(
        (second.choices.sitting_out.as_slice(), second.seed),
        (&[n(2)][..], Some(Seed([7; 32])))
    );
    let copy = import(&hall, &read).await.expect("imported");
    assert_eq!(copy.slug, "spring-open-2");
    assert_eq!(copy.stage, file.stage);
    assert_eq!(events::export(&copy), file);
    assert!(
        copy.rounds
            .iter()
            .all(|info| info.status == RoundStatus::Published && info.criteria.is_none())
    );
    // The original is as it was, and both go on to the same next round.
    assert_eq!(hall.event().await, event);
    let mut tx = hall.begin().await;
    let mut locked = events::lock(&mut tx, "spring-open-2")
        .await
        .expect("found")
        .expect("there");
    store::rounds::pair(
        &mut tx,
        &hall.change(4),
        &mut locked,
        None,
        tournament::pairing::Confirmed::default(),
    )
    .await
    .expect("paired");
    assert_eq!(locked.stage.rounds[2], event.stage.rounds[2]);
}

/// Zone, starts, visibility, awards, withheld names, warnings, absences announced for rounds to come,
/// published tables with their editions and the results they were made on: all of it, to the byte.
#[sqlx::test(migrations = "../../migrations")]
async fn an_event_with_everything_in_it_gives_the_same_file_after_an_import(pool: PgPool) {
    let hall = Hall::open(pool, 4, 5).await;
    let awards = r#"{"promotion": {"by_wins": [{"from": "none", "wins": 2, "games": 4, "to": "1d"}],
                                   "by_place": [{"percent": 20, "to": "next"}]},
                     "prizes": {"double": true, "list": [{"name": "冠军"}, {"name": "女子第一", "category": "women"}]}}"#;
    let awards = interchange::event_file::read_awards(awards.as_bytes()).expect("awards");
    let patch = EventPatch {
        time_zone: Some(Some(store::Tz::Asia__Shanghai)),
        starts: Some(
            (1..5)
                .map(|round| {
                    (
                        round,
                        format!("2026-05-0{round}T14:45:00").parse().expect("a time"),
                    )
                })
                .collect(),
        ),
        visibility: Some(events::Visibility::Hidden),
        records: events::RecordsPatch {
            board_size: Some(13),
            from_players: Some(true),
            ..events::RecordsPatch::default()
        },
        promotion: Some(awards.promotion),
        prizes: Some(awards.prizes),
        pairing: PairingPatch {
            order: Some(PairingOrder::Random),
            ..PairingPatch::default()
        },
        ..EventPatch::default()
    };
    hall.act(async |tx, change, event| {
        events::update(tx, change, event, patch, None).await?;
        let withheld = entries::EntryPatch {
            name_withheld: Some(true),
            ..entries::EntryPatch::default()
        };
        entries::update(tx, change, event, n(2), withheld).await?;
        entries::sit_out(tx, change, event, n(3), 4, true).await?;
        let request = store::draws::NumberRequest::default();
        store::draws::draw_numbers(tx, change, event, request).await
    })
    .await
    .expect("set");
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    hall.act(async |tx, change, event| {
        let table = &event.stage.rounds[0];
        let two = (table.boards[0].black, table.boards[1].black);
        store::rounds::swap(tx, change, event, 1, two, None).await
    })
    .await
    .expect("changed by hand, after it was published");
    let penalty = store::results::ResultInput {
        by: Some(By::Penalty),
        warnings: Warnings { black: 0, white: 2 },
        ..won(Outcome::Black)
    };
    hall.put(1, 1, penalty).await.expect("a result");
    hall.put(1, 2, won(Outcome::BothLose)).await.expect("a result");
    hall.pair().await.expect("paired");
    hall.publish(2).await.expect("published");
    hall.put(1, 2, won(Outcome::White)).await.expect("a correction");

    let by_two = store::result_links::ResultSettings {
        by_two: true,
        from_players: true,
    };
    hall.act(async |tx, change, event| store::result_links::set_settings(tx, change, event.id, by_two).await)
        .await
        .expect("set");
    let text = |event: &events::Event| interchange::write(&events::export(event));
    let again = async || {
        let event = hall.event().await;
        let before = text(&event);
        let file = interchange::read(before.as_bytes()).expect("an event file");
        let copy = import(&hall, &file).await.expect("imported");
        assert_eq!(text(&copy), before);
        (event, copy)
    };
    let (event, copy) = again().await;
    assert_eq!(copy.visibility, events::Visibility::Hidden);
    assert_eq!(copy.schedule, event.schedule);
    let facts = |event: &events::Event| -> Vec<_> {
        let infos = event.rounds.iter();
        infos
            .map(|info| {
                (
                    info.published_at,
                    info.edition,
                    info.by_hand,
                    info.earlier_results.clone(),
                )
            })
            .collect()
    };
    assert_eq!(facts(&copy), facts(&event));
    assert_eq!(facts(&copy)[0].1, 2, "the version on the wall");
    assert_eq!(facts(&copy)[1].3.len(), 1, "made on another result");
    assert!(
        copy.stage.entries.iter().any(|entry| entry.absent_rounds == [4]),
        "announced before"
    );
    // Everybody's file says nothing of rounds to come.
    let public = events::export_public(&event);
    assert!(
        public
            .stage
            .entries
            .iter()
            .all(|entry| entry.absent_rounds.is_empty())
    );

    hall.black_wins(2).await;
    hall.act(async |tx, change, event| events::freeze(tx, change, event, None).await)
        .await
        .expect("final");
    let (event, copy) = again().await;
    assert!(event.frozen.is_some() && copy.frozen.is_some());
    assert_eq!(
        copy.frozen.map(|frozen| frozen.by),
        Some(hall.director.name.clone())
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_event_taken_over_midway_goes_on(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut file = events::export(&hall.event().await);
    "Midway".clone_into(&mut file.name);
    file.stage.first_round = 3;
    for (number, score, balance, met) in [
        (1, 4, 0, [2, 3]),
        (2, 2, 1, [1, 4]),
        (3, 2, -1, [4, 1]),
        (4, 0, 0, [3, 2]),
    ] {
        let mut entry = tournament::Entry::new(n(number), format!("P{number}"));
        entry.carried = Some(Carried {
            score: Score(score),
            balance,
            met: met.map(n).to_vec(),
        });
        file.stage.entries.push(entry);
    }
    let event = import(&hall, &file).await.expect("imported");
    assert_eq!(event.stage, file.stage);
    let mut tx = hall.begin().await;
    let mut locked = events::lock(&mut tx, &event.slug)
        .await
        .expect("found")
        .expect("there");
    let info = store::rounds::pair(
        &mut tx,
        &hall.change(4),
        &mut locked,
        None,
        tournament::pairing::Confirmed::default(),
    )
    .await
    .expect("paired");
    assert_eq!(info.round, 3);
}

/// What people enter is trimmed, what a file says is kept: also beside another change.
#[sqlx::test(migrations = "../../migrations")]
async fn names_of_a_file_come_out_as_they_went_in(pool: PgPool) {
    let hall = Hall::open(pool, 5, 2).await;
    let mut file = events::export(&hall.event().await);
    file.name = " Spring\u{3000}".to_owned();
    file.stage.entries[0].name = "\u{3000}王 明 ".to_owned();
    file.stage.entries[1].team = Some("\u{2028}North".to_owned());
    let copy = import(&hall, &file).await.expect("imported");
    assert_eq!(events::export(&copy), file);
    let other = Hall {
        key: copy.slug.clone(),
        ..hall
    };
    let patch = entries::EntryPatch {
        rating: Some(Some(1)),
        ..entries::EntryPatch::default()
    };
    other
        .act(async |tx, change, event| entries::update(tx, change, event, n(1), patch).await)
        .await
        .expect("changed");
    assert_eq!(other.event().await.stage.entries[0].name, "\u{3000}王 明 ");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_lot_is_kept_or_refused_never_made_another(pool: PgPool) {
    let hall = Hall::open(pool, 5, 2).await;
    for (lot, kept) in [
        (0, false),
        (1, true),
        (2_147_483_647, true),
        (2_147_483_648, false),
    ] {
        let patch = EventPatch {
            lots: Some(vec![(n(1), lot)]),
            ..EventPatch::default()
        };
        let put = hall
            .act(async |tx, change, event| events::update(tx, change, event, patch, None).await)
            .await;
        assert_eq!(put.is_ok(), kept, "{lot}");
        if kept {
            assert_eq!(hall.event().await.stage.ranking.lots, [(n(1), lot)]);
        }
    }
}

/// Bad input is refused whole, every fault listed.
#[sqlx::test(migrations = "../../migrations")]
async fn a_broken_event_is_refused_whole(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    hall.round(&[(1, 2), (3, 4)], Some(5)).await;
    let mut file = events::export(&hall.event().await);
    "Broken".clone_into(&mut file.name);
    let round = &mut file.stage.rounds[0];
    round.byes.push(n(1));
    round.boards[1].white = n(1);
    round.boards[0].white = n(9);
    file.stage.entries[4].number = n(4);
    let Refused::Faults(faults) = refused(import(&hall, &file).await) else {
        panic!("no faults");
    };
    let kinds: Vec<&FaultKind> = faults.iter().map(|fault| &fault.kind).collect();
    assert!(kinds.contains(&&FaultKind::DuplicateNumber(n(4))), "{faults:?}");
    assert!(kinds.contains(&&FaultKind::UnknownNumber(n(9))), "{faults:?}");
    assert!(
        kinds
            .iter()
            .any(|kind| matches!(kind, FaultKind::TwoBoards { .. })),
        "{faults:?}"
    );
    assert!(
        kinds
            .iter()
            .any(|kind| matches!(kind, FaultKind::TwoPlaces { .. })),
        "{faults:?}"
    );
    let mut tx = hall.begin().await;
    assert!(events::find(&mut tx, "broken").await.expect("asked").is_none());
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_import_is_one_act(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let file = events::export(&hall.event().await);
    let copy = import(&hall, &file).await.expect("imported");
    let other = Hall {
        key: copy.id.to_string(),
        ..hall
    };
    let acts = other.log(Filter::default()).await;
    assert_eq!(
        acts.iter().map(|act| act.action).collect::<Vec<_>>(),
        [Action::EventImported]
    );
    assert_eq!(
        (&acts[0].after["entries"], &acts[0].after["rounds_paired"]),
        (&4.into(), &1.into())
    );
    let by_now = other.put(1, 1, won(Outcome::Black)).await.expect("a result");
    assert_eq!(by_now.version, 2);
    other.assert_log_without_gap().await;
}

/// A new event has no statistics: queries must be quick whatever the planner believes.
#[sqlx::test(migrations = "../../migrations")]
async fn a_big_event_is_read_at_once_before_anything_is_known_of_it(pool: PgPool) {
    let hall = Hall::open(pool, 9, 0).await;
    let mut file = events::export(&hall.event().await);
    file.stage = tournament::simulate::simulate(&tournament::simulate::Simulation::new(400, 9, 7));
    let begun = std::time::Instant::now();
    let mut tx = hall.begin().await;
    let event = events::import(&mut tx, &hall.change(3), &file)
        .await
        .expect("imported");
    let board = store::results::put(
        &mut tx,
        &hall.change(4),
        event.id,
        9,
        200,
        None,
        won(Outcome::Draw),
    )
    .await;
    assert!(board.expect("a result").changed);
    let summary = events::summary(&mut tx, &event.slug)
        .await
        .expect("asked")
        .expect("there");
    assert_eq!((summary.entries, summary.last_published), (400, Some(9)));
    let waited = begun.elapsed();
    assert!(waited < std::time::Duration::from_secs(10), "{waited:?}");
    assert_eq!(event.stage.rounds, file.stage.rounds);
}
