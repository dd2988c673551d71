use sqlx::PgPool;
use store::draws::{self, NumberRequest};
use store::entries::{self, EntryPatch, NewEntry, Seated};
use store::events::RoundStatus;
use store::log::Filter;
use store::{Error, Refused, rounds};
use tournament::validate::FaultKind;
use tournament::{Carried, Number, Outcome, Score, Side, standings};

use crate::support::{Hall, n, player, refused, won};

async fn add(hall: &Hall, new: Vec<NewEntry>) -> Result<Vec<Number>, Error> {
    hall.act(async |tx, change, event| entries::add(tx, change, event, new).await)
        .await
}

async fn withdraw(hall: &Hall, number: u32, after: u32, seated: Seated) -> Result<(), Error> {
    hall.act(async |tx, change, event| entries::withdraw(tx, change, event, n(number), after, seated).await)
        .await
}

async fn return_to(hall: &Hall, number: u32, round: u32) -> Result<(), Error> {
    hall.act(async |tx, change, event| entries::return_to(tx, change, event, n(number), round).await)
        .await
}

async fn sit_out(hall: &Hall, number: u32, round: u32, out: bool) -> Result<(), Error> {
    hall.act(async |tx, change, event| entries::sit_out(tx, change, event, n(number), round, out).await)
        .await
}

async fn seat(hall: &Hall, round: u32, pair: (u32, u32)) -> Result<store::events::RoundInfo, Error> {
    let pair = (n(pair.0), n(pair.1));
    hall.act(async |tx, change, event| rounds::seat(tx, change, event, round, pair, None).await)
        .await
}

async fn delete(hall: &Hall, number: u32) -> Result<(), Error> {
    hall.act(async |tx, change, event| entries::delete(tx, change, event, n(number)).await)
        .await
}

fn boards(event: &store::events::Event, round: u32) -> Vec<(u32, u32)> {
    let table = event
        .stage
        .rounds
        .iter()
        .find(|table| table.round == round)
        .expect("a round");
    table
        .boards
        .iter()
        .map(|board| (board.black.get(), board.white.get()))
        .collect()
}

fn byes(event: &store::events::Event, round: u32) -> Vec<u32> {
    let table = event
        .stage
        .rounds
        .iter()
        .find(|table| table.round == round)
        .expect("a round");
    table.byes.iter().map(|number| number.get()).collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn names_come_out_as_they_went_in(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let names = [
        "O'Neil-Łuczak",
        "\"Ann & Bob\" <x>",
        "李🐼",
        "שלום",
        "Jose\u{301}",
        "José",
        "a, \"b\"",
        "<script>alert(1)</script>",
        "'; drop table entries; --",
        "𠮷田 䶮",
        "\u{202e}right",
    ];
    add(
        &hall,
        names.iter().map(|name| player(&format!("  {name} \n"))).collect(),
    )
    .await
    .expect("added");
    let event = hall.event().await;
    let kept: Vec<&str> = event
        .stage
        .entries
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert_eq!(kept, names);
}

#[sqlx::test(migrations = "../../migrations")]
async fn entries_come_in_all_or_none(pool: PgPool) {
    let hall = Hall::open(pool, 5, 3).await;
    let whole = NewEntry {
        number: Some(n(10)),
        team: Some("  ".to_owned()),
        grade: Some("5段".parse().expect("a grade")),
        rating: Some(-5),
        category: Some(" U12 ".to_owned()),
        start_score: Score(1),
        absent_rounds: vec![3, 2, 3],
        ..player("D")
    };
    let numbers = add(&hall, vec![whole, player("E")]).await.expect("added");
    assert_eq!(numbers, [n(10), n(11)]);
    let event = hall.event().await;
    let kept = event.stage.entry(n(10)).expect("there");
    assert_eq!(kept.team, None);
    assert_eq!(kept.category.as_deref(), Some("U12"));
    assert_eq!(kept.grade.map(|grade| grade.to_string()).as_deref(), Some("5d"));
    assert_eq!((kept.rating, kept.start_score), (Some(-5), Score(1)));
    assert_eq!(kept.absent_rounds, [2, 3]);

    let taken = NewEntry {
        number: Some(n(2)),
        ..player("F")
    };
    let Refused::Faults(faults) = refused(add(&hall, vec![player("G"), taken, player(" ")]).await) else {
        panic!("no faults");
    };
    let found: Vec<(&str, &FaultKind)> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), &fault.kind))
        .collect();
    assert_eq!(
        found,
        [
            ("entries[1].number", &FaultKind::DuplicateNumber(n(2))),
            ("entries[2].name", &FaultKind::EmptyName)
        ]
    );
    assert_eq!(hall.event().await, event);
    assert_eq!(add(&hall, Vec::new()).await.expect("nothing"), []);
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_entry_is_patched_field_by_field(pool: PgPool) {
    let hall = Hall::open(pool, 5, 2).await;
    let update = async |number: u32, patch: EntryPatch| {
        hall.act(async |tx, change, event| entries::update(tx, change, event, n(number), patch).await)
            .await
    };
    let patch = EntryPatch {
        rating: Some(Some(0)),
        team: Some(Some("Red".to_owned())),
        ..EntryPatch::default()
    };
    update(1, patch.clone()).await.expect("updated");
    let named = EntryPatch {
        name: Some("Alpha".to_owned()),
        ..EntryPatch::default()
    };
    update(1, named).await.expect("updated");
    let event = hall.event().await;
    let kept = event.stage.entry(n(1)).expect("there");
    assert_eq!(
        (kept.name.as_str(), kept.team.as_deref(), kept.rating),
        ("Alpha", Some("Red"), Some(0))
    );
    let acts = hall.log(Filter::default()).await.len();
    update(1, patch).await.expect("nothing to do");
    assert_eq!(hall.log(Filter::default()).await.len(), acts);

    let number = |wanted: u32| EntryPatch {
        number: Some(n(wanted)),
        ..EntryPatch::default()
    };
    assert_eq!(
        refused(update(1, number(2)).await),
        Refused::NumberTaken { number: n(2) }
    );
    update(1, number(7)).await.expect("updated");
    assert_eq!(
        refused(update(1, number(8)).await),
        Refused::UnknownEntry { number: n(1) }
    );
    hall.round(&[(7, 2)], None).await;
    assert_eq!(refused(update(7, number(8)).await), Refused::NumbersFixed);
}

/// A result, then a withdrawal, then the other result; what was played stands.
#[sqlx::test(migrations = "../../migrations")]
async fn a_player_who_left_is_not_paired_and_keeps_the_games(pool: PgPool) {
    let hall = Hall::open(pool, 7, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    hall.put(1, 1, won(Outcome::Black)).await.expect("a result");
    withdraw(&hall, 2, 1, Seated::Ask).await.expect("withdrawn");
    hall.put(1, 2, won(Outcome::Black)).await.expect("a result");
    hall.pair().await.expect("paired");
    hall.publish(2).await.expect("published");
    let event = hall.event().await;
    assert_eq!(boards(&event, 2).len(), 1);
    assert_eq!(byes(&event, 2).len(), 1);
    let table = &event.stage.rounds[1];
    assert_eq!(table.absent, [n(2)]);
    assert!(
        table
            .boards
            .iter()
            .all(|board| board.black != board.white && board.side_of(n(2)).is_none())
    );
    assert_eq!(boards(&event, 1), [(1, 2), (3, 4)]);
    assert_eq!(event.stage.rounds[0].boards[0].result, Some(Outcome::Black));
    assert_eq!(hall.points(1, 1).await, Score(2));
}

/// A withdrawal by mistake, noticed when the next round is paired.
#[sqlx::test(migrations = "../../migrations")]
async fn a_withdrawal_by_mistake_is_undone_against_the_bye(pool: PgPool) {
    let hall = Hall::open(pool, 5, 8).await;
    let round = hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8)], None).await;
    hall.black_wins(round).await;
    withdraw(&hall, 4, 1, Seated::Ask).await.expect("withdrawn");
    // Asked for again: nothing more to do.
    withdraw(&hall, 4, 1, Seated::Ask)
        .await
        .expect("withdrawn already");
    assert_eq!(
        refused(withdraw(&hall, 4, 2, Seated::Ask).await),
        Refused::AlreadyWithdrawn {
            number: n(4),
            after: 1
        }
    );
    hall.pair().await.expect("paired");
    hall.publish(2).await.expect("published");
    let before = hall.event().await;
    let [bye] = byes(&before, 2)[..] else {
        panic!("no bye")
    };
    assert_eq!(
        refused(seat(&hall, 2, (4, bye)).await),
        Refused::NotPlaying {
            number: n(4),
            round: 2
        }
    );
    assert_eq!(
        refused(return_to(&hall, 4, 1).await),
        Refused::ReturnTooEarly {
            number: n(4),
            after: 1
        }
    );
    return_to(&hall, 4, 2).await.expect("returned");
    assert_eq!(
        refused(return_to(&hall, 4, 2).await),
        Refused::NotWithdrawn { number: n(4) }
    );
    seat(&hall, 2, (4, bye)).await.expect("seated");
    let after = hall.event().await;
    let mut expected = boards(&before, 2);
    expected.push((4, bye));
    assert_eq!(boards(&after, 2), expected);
    assert_eq!(byes(&after, 2), Vec::<u32>::new());
    assert_eq!(after.stage.rounds[1].absent, []);
    let entry = after.stage.entry(n(4)).expect("there");
    assert_eq!(
        (entry.withdrawn_after, entry.absent_rounds.as_slice()),
        (None, [].as_slice())
    );
    // Boards that stayed kept their versions, and the table says it is another one.
    assert_eq!(
        after.rounds[1].board_versions[..3],
        before.rounds[1].board_versions[..]
    );
    assert_eq!((before.rounds[1].edition, after.rounds[1].edition), (1, 2));
}

/// The flag counts from its round only; rounds missed are absences after the return.
#[sqlx::test(migrations = "../../migrations")]
async fn who_returns_later_was_absent_meanwhile(pool: PgPool) {
    let hall = Hall::open(pool, 6, 4).await;
    let round = hall.round(&[(1, 2), (3, 4)], None).await;
    hall.black_wins(round).await;
    withdraw(&hall, 4, 1, Seated::Ask).await.expect("withdrawn");
    let entry = hall.event().await.stage.entry(n(4)).cloned().expect("there");
    assert!(entry.plays_in(1) && !entry.plays_in(2) && !entry.plays_in(5));
    hall.round(&[(1, 3)], Some(2)).await;
    hall.black_wins(2).await;
    return_to(&hall, 4, 4).await.expect("returned");
    let entry = hall.event().await.stage.entry(n(4)).cloned().expect("there");
    assert_eq!(entry.absent_rounds, [2, 3]);
    assert!(entry.plays_in(4) && !entry.plays_in(3));
}

/// A newcomer is put against the bye, everybody else stays; the bye is gone with it.
#[sqlx::test(migrations = "../../migrations")]
async fn a_newcomer_is_seated_against_the_bye(pool: PgPool) {
    let hall = Hall::open(pool, 5, 7).await;
    let round = hall.round(&[(1, 2), (3, 4), (5, 6)], Some(7)).await;
    hall.black_wins(round).await;
    hall.round(&[(1, 3), (5, 7), (2, 4)], Some(6)).await;
    let before = hall.event().await;
    let numbers = add(&hall, vec![player("L")]).await.expect("added");
    assert_eq!(numbers, [n(8)]);
    assert_eq!(
        hall.event().await.stage.entry(n(8)).expect("there").absent_rounds,
        [1, 2]
    );
    seat(&hall, 2, (8, 6)).await.expect("seated");
    let after = hall.event().await;
    assert_eq!(boards(&after, 2), [(1, 3), (5, 7), (2, 4), (8, 6)]);
    assert_eq!(byes(&after, 2), Vec::<u32>::new());
    assert_eq!(after.stage.entry(n(8)).expect("there").absent_rounds, [1]);
    assert_eq!(after.stage.rounds[0], before.stage.rounds[0]);
    // The bye's two points are gone; the game's come with the result.
    assert_eq!(hall.points(6, 2).await, Score(0));
    hall.put(2, 4, won(Outcome::White)).await.expect("a result");
    assert_eq!(hall.points(6, 2).await, Score(2));
    // Asked for again, it is done already.
    let again = seat(&hall, 2, (8, 6)).await.expect("seated already");
    assert_eq!(again.edition, after.rounds[1].edition);
    assert_eq!(
        refused(seat(&hall, 2, (8, 7)).await),
        Refused::HasBoard {
            number: n(8),
            round: 2,
            board: 4
        }
    );
}

/// Without a bye: the newcomer was absent before and is paired next.
#[sqlx::test(migrations = "../../migrations")]
async fn a_newcomer_in_mid_event_was_absent_before(pool: PgPool) {
    let hall = Hall::open(pool, 5, 8).await;
    for pairs in [[(1, 2), (3, 4), (5, 6), (7, 8)], [(1, 3), (5, 7), (2, 4), (6, 8)]] {
        let round = hall.round(&pairs, None).await;
        hall.black_wins(round).await;
    }
    let before = hall.event().await;
    add(&hall, vec![player("L")]).await.expect("added");
    assert_eq!(hall.points(9, 2).await, Score(0));
    let half = store::events::EventPatch {
        pairing: store::events::PairingPatch {
            absent_score: Some(Score(1)),
            ..Default::default()
        },
        ..store::events::EventPatch::default()
    };
    hall.act(async |tx, change, event| store::events::update(tx, change, event, half, None).await)
        .await
        .expect("updated");
    assert_eq!(hall.points(9, 2).await, Score(2));
    hall.pair().await.expect("no result is asked of the newcomer");
    let after = hall.event().await;
    assert_eq!(boards(&after, 3).len(), 4);
    assert_eq!(byes(&after, 3).len(), 1);
    assert_eq!(after.stage.rounds[..2], before.stage.rounds[..]);
    let table = standings::standings(&after.public_stage(), 2);
    let played: Vec<_> = table
        .row(n(9))
        .expect("a row")
        .games
        .iter()
        .map(|game| game.kind)
        .collect();
    assert!(
        played.iter().all(|kind| matches!(kind, tournament::Kind::Absent)),
        "{played:?}"
    );
}

/// Somebody leaves when the round is published and not begun; the director says what then.
#[sqlx::test(migrations = "../../migrations")]
async fn who_leaves_a_published_round_costs_the_opponent_nothing(pool: PgPool) {
    let hall = Hall::open(pool, 5, 9).await;
    hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8)], Some(9)).await;
    let asked = refused(withdraw(&hall, 4, 0, Seated::Ask).await);
    assert_eq!(
        asked,
        Refused::SeatedNow {
            number: n(4),
            round: 1,
            board: 2
        }
    );
    assert_eq!(
        hall.event()
            .await
            .stage
            .entry(n(4))
            .expect("there")
            .withdrawn_after,
        None
    );

    withdraw(&hall, 4, 0, Seated::ReplacedBy(n(9)))
        .await
        .expect("withdrawn");
    let event = hall.event().await;
    assert_eq!(boards(&event, 1), [(1, 2), (3, 9), (5, 6), (7, 8)]);
    assert_eq!(byes(&event, 1), Vec::<u32>::new());
    assert_eq!(event.stage.rounds[0].absent, [n(4)]);
    assert_eq!(event.rounds[0].edition, 2);

    withdraw(&hall, 5, 0, Seated::Forfeit).await.expect("withdrawn");
    let event = hall.event().await;
    assert_eq!(
        event.stage.rounds[0].boards[2].result,
        Some(Outcome::BlackForfeit)
    );
    assert_eq!(
        (hall.points(6, 1).await, hall.points(5, 1).await),
        (Score(2), Score(0))
    );

    // The third way: the round is thrown away, and paired again without them.
    let hall_of_again = refused(
        hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await)
            .await,
    );
    assert_eq!(
        hall_of_again,
        Refused::HasResults {
            round: 1,
            boards: vec![3]
        }
    );
    hall.put(1, 3, store::results::ResultInput::default())
        .await
        .expect("cleared");
    hall.act(async |tx, change, event| {
        rounds::throw_away(tx, change, event, 1, None).await?;
        let info = rounds::pair(
            tx,
            change,
            event,
            Some(1),
            tournament::pairing::Confirmed::default(),
        )
        .await?;
        rounds::publish(tx, change, event, 1, Some(info.version), false).await
    })
    .await
    .expect("paired again");
    let event = hall.event().await;
    assert_eq!(event.rounds[0].edition, 3);
    let table = &event.stage.rounds[0];
    assert_eq!(table.absent, [n(4), n(5)]);
    assert!(table.board_of(n(4)).is_none() && table.board_of(n(5)).is_none());
}

#[sqlx::test(migrations = "../../migrations")]
async fn who_has_played_leaves_after_that_round(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    hall.round(&[(1, 2), (3, 4)], Some(5)).await;
    hall.put(1, 1, won(Outcome::Black)).await.expect("a result");
    assert_eq!(
        refused(withdraw(&hall, 1, 0, Seated::Forfeit).await),
        Refused::PlayedLater {
            number: n(1),
            round: 1
        }
    );
    // The one with the bye may go at once; the bye is no bye then.
    withdraw(&hall, 5, 0, Seated::Ask).await.expect("withdrawn");
    let event = hall.event().await;
    assert_eq!(byes(&event, 1), Vec::<u32>::new());
    assert_eq!(event.stage.rounds[0].absent, [n(5)]);
    assert_eq!(hall.points(5, 1).await, Score(0));
    // Nobody else notices: boards and their versions are the same, the result too.
    assert_eq!(event.stage.rounds[0].boards[0].result, Some(Outcome::Black));
}

/// The last game of a round is between two who are out of the event.
#[sqlx::test(migrations = "../../migrations")]
async fn a_game_of_two_disqualified_players_blocks_nothing(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    hall.put(1, 1, won(Outcome::Black)).await.expect("a result");
    for number in [3, 4] {
        withdraw(&hall, number, 1, Seated::Ask).await.expect("withdrawn");
    }
    hall.put(1, 2, won(Outcome::BothLose)).await.expect("a result");
    let confirmed = tournament::pairing::Confirmed {
        repeats: true,
        provisional: false,
    };
    hall.act(async |tx, change, event| rounds::pair(tx, change, event, Some(2), confirmed).await)
        .await
        .expect("paired");
    let event = hall.event().await;
    assert_eq!(event.stage.rounds[1].absent, [n(3), n(4)]);
    assert_eq!(
        (hall.points(3, 1).await, hall.points(4, 1).await),
        (Score(0), Score(0))
    );
}

/// Who has played cannot be erased; who has not, can.
#[sqlx::test(migrations = "../../migrations")]
async fn only_who_has_not_played_can_be_removed(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    sit_out(&hall, 4, 1, true).await.expect("out");
    hall.round(&[(1, 2)], Some(3)).await;
    let played = refused(delete(&hall, 1).await);
    assert_eq!(
        played,
        Refused::HasPlayed {
            number: n(1),
            rounds: vec![1]
        }
    );
    assert_eq!(refused(delete(&hall, 3).await).code(), "has-played");
    delete(&hall, 4).await.expect("removed");
    assert_eq!(
        refused(delete(&hall, 4).await),
        Refused::UnknownEntry { number: n(4) }
    );
    let event = hall.event().await;
    assert_eq!(event.stage.entries.len(), 3);
    assert_eq!(event.stage.rounds[0].absent, []);
    assert_eq!(tournament::validate::faults(&event.stage), []);
    // The vacant number at the end is the next free one again; one in the middle stays vacant.
    assert_eq!(
        add(&hall, vec![player("E"), player("F")]).await.expect("added"),
        [n(4), n(5)]
    );
    delete(&hall, 4).await.expect("removed");
    assert_eq!(add(&hall, vec![player("G")]).await.expect("added"), [n(6)]);
}

#[sqlx::test(migrations = "../../migrations")]
async fn carried_opponents_are_not_removed(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let patch = store::events::EventPatch {
        first_round: Some(3),
        ..store::events::EventPatch::default()
    };
    hall.act(async |tx, change, event| store::events::update(tx, change, event, patch, None).await)
        .await
        .expect("updated");
    let carried = |name: &str, number, met: Vec<Number>| NewEntry {
        number: Some(n(number)),
        carried: Some(Carried {
            score: Score(2),
            balance: -1,
            met,
        }),
        ..player(name)
    };
    // Met twice, and in the order in which the paper had them.
    add(
        &hall,
        vec![
            carried("A", 1, vec![n(3), n(2), n(3)]),
            carried("B", 2, vec![n(1)]),
            carried("C", 3, vec![n(1), n(1)]),
            player("D"),
        ],
    )
    .await
    .expect("added");
    let event = hall.event().await;
    let entry = event
        .stage
        .entry(n(1))
        .expect("there")
        .carried
        .clone()
        .expect("carried");
    assert_eq!(entry.met, [n(3), n(2), n(3)]);
    assert_eq!(entry.balance_side(), Some(Side::Black));
    assert_eq!(
        refused(delete(&hall, 2).await),
        Refused::MetInCarried {
            number: n(2),
            by: vec![n(1)]
        }
    );
    delete(&hall, 4).await.expect("removed");
    let draw = hall
        .act(async |tx, change, event| draws::draw_numbers(tx, change, event, NumberRequest::default()).await)
        .await;
    assert_eq!(refused(draw), Refused::NumbersFixed);
    // Corrected on one side, the list of the other stays.
    let carried = Carried {
        met: vec![n(3)],
        ..entry
    };
    let patch = EntryPatch {
        carried: Some(Some(carried.clone())),
        ..EntryPatch::default()
    };
    hall.act(async |tx, change, event| entries::update(tx, change, event, n(1), patch).await)
        .await
        .expect("updated");
    let event = hall.event().await;
    let met = |number| {
        event
            .stage
            .entry(n(number))
            .and_then(|entry| entry.carried.clone())
            .map(|c| c.met)
    };
    assert_eq!((met(1), met(2)), (Some(vec![n(3)]), Some(vec![n(1)])));
}

/// Who asked to sit out round 1, with an odd field.
#[sqlx::test(migrations = "../../migrations")]
async fn a_round_sat_out_is_no_bye(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    sit_out(&hall, 5, 1, true).await.expect("out");
    hall.pair().await.expect("paired");
    let event = hall.event().await;
    assert_eq!((boards(&event, 1).len(), byes(&event, 1).len()), (2, 0));
    assert_eq!(event.stage.rounds[0].absent, [n(5)]);
    hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await)
        .await
        .expect("thrown away");

    sit_out(&hall, 4, 1, true).await.expect("out");
    hall.pair().await.expect("paired");
    let event = hall.event().await;
    assert_eq!((boards(&event, 1).len(), byes(&event, 1).len()), (1, 1));
    hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await)
        .await
        .expect("thrown away");

    for number in 1..=3 {
        sit_out(&hall, number, 1, true).await.expect("out");
    }
    assert_eq!(refused(hall.pair().await).code(), "too-few-players");
    assert!(hall.event().await.rounds.is_empty());
    for number in 1..=5 {
        sit_out(&hall, number, 1, false).await.expect("in");
    }
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    let event = hall.event().await;
    assert_eq!((boards(&event, 1).len(), byes(&event, 1).len()), (2, 1));
    assert_eq!(event.rounds[0].status, RoundStatus::Published);
    assert_eq!(
        refused(sit_out(&hall, 1, 1, true).await),
        Refused::OnTable {
            number: n(1),
            round: 1
        }
    );
}

/// Nobody is ever nowhere: who came after a round was published is absent in it, whatever is asked.
#[sqlx::test(migrations = "../../migrations")]
async fn a_late_entry_stays_absent_where_it_has_no_place(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    add(&hall, vec![player("Late")]).await.expect("added");
    let before = hall.event().await;
    assert_eq!(
        refused(sit_out(&hall, 5, 1, false).await),
        Refused::HasNoPlace {
            number: n(5),
            round: 1
        }
    );
    assert_eq!(hall.event().await, before);

    // A draft made before somebody came, published all the same: that round is missed too.
    hall.black_wins(1).await;
    sit_out(&hall, 5, 2, true).await.expect("sits out");
    hall.pair().await.expect("paired");
    add(&hall, vec![player("Later")]).await.expect("added");
    sit_out(&hall, 5, 2, false)
        .await
        .expect("a draft can be paired again");
    hall.act(async |tx, change, event| rounds::publish(tx, change, event, 2, None, true).await)
        .await
        .expect("published");
    let event = hall.event().await;
    let absences = |number| event.stage.entry(n(number)).expect("there").absent_rounds.clone();
    assert_eq!((absences(5), absences(6)), (vec![1, 2], vec![1, 2]));
    assert!(
        tournament::checker::judge_event(&event.stage)
            .iter()
            .all(|(_, judged)| judged.is_sound())
    );
}
