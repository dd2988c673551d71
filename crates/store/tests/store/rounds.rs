use sqlx::PgPool;
use store::entries::{self, Seated};
use store::events::{RoundInfo, RoundStatus};
use store::log::{Action, Filter};
use store::rounds::{self, Table};
use store::{Error, Refused};
use tournament::pairing::{Confirmed, Note, OpenBoard, Refusal};
use tournament::{Outcome, Score};

use crate::support::{Hall, moment, n, refused, won};

async fn throw_away(hall: &Hall, round: u32) -> Result<(), Error> {
    hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, round, None).await)
        .await
}

async fn by_hand(
    hall: &Hall,
    boards: &[(u32, u32)],
    byes: &[u32],
    confirmed: Confirmed,
) -> Result<RoundInfo, Error> {
    let table = Table {
        boards: boards
            .iter()
            .map(|(black, white)| (n(*black), n(*white)))
            .collect(),
        byes: byes.iter().map(|number| n(*number)).collect(),
    };
    hall.act(async |tx, change, event| rounds::by_hand(tx, change, event, table, confirmed).await)
        .await
}

async fn swap(hall: &Hall, round: u32, one: u32, other: u32) -> Result<RoundInfo, Error> {
    hall.act(async |tx, change, event| rounds::swap(tx, change, event, round, (n(one), n(other)), None).await)
        .await
}

async fn boards(hall: &Hall, round: u32) -> Vec<(u32, u32)> {
    let event = hall.event().await;
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

/// What is public knows nothing of a draft.
#[sqlx::test(migrations = "../../migrations")]
async fn a_draft_is_not_public(pool: PgPool) {
    let hall = Hall::open(pool, 5, 5).await;
    let before = hall.event().await;
    let draft = hall.pair().await.expect("paired");
    assert_eq!(
        (draft.round, draft.status, draft.edition),
        (1, RoundStatus::Draft, 1)
    );
    assert_eq!(
        (draft.paired_at, draft.paired_by.as_str()),
        (moment(5), "Director")
    );
    assert!(draft.criteria.is_some() && !draft.by_hand);
    let event = hall.event().await;
    assert_eq!(event.draft().map(|info| info.round), Some(1));
    assert_eq!(event.stage.rounds.len(), 1);
    assert_eq!(event.public_stage(), before.public_stage());
    assert_eq!(event.updated_at, before.updated_at);
    assert_eq!(event.version, before.version);
    let mut tx = hall.begin().await;
    let summary = store::events::summary(&mut tx, &hall.key)
        .await
        .expect("asked")
        .expect("there");
    assert_eq!((summary.last_published, summary.pending), (None, 0));
    drop(tx);
    let unpublished = refused(hall.put(1, 1, won(Outcome::Black)).await);
    assert_eq!(unpublished, Refused::NotPublished { round: 1 });

    let published = hall.publish(1).await.expect("published");
    assert_eq!(
        (published.status, published.published_at),
        (RoundStatus::Published, Some(moment(5)))
    );
    assert!(published.version > draft.version);
    assert_eq!(published.board_versions, draft.board_versions);
    let again = hall.publish(1).await.expect("published already");
    assert_eq!(again, published);
    assert_eq!(hall.event().await.public_stage(), hall.event().await.stage);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_second_to_pair_learns_who_was_first(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.pair().await.expect("paired");
    let second = refused(hall.pair().await);
    let expected = Refused::DraftExists {
        round: 1,
        by: "Director".to_owned(),
        at: moment(5),
    };
    assert_eq!(second, expected);
    assert_eq!(
        second.to_string(),
        "round 1 was paired by Director at 2026-05-01T09:05:00Z, and is a draft: publish it or throw it away"
    );
    hall.publish(1).await.expect("published");
    hall.black_wins(1).await;
    let pair = async |round| {
        hall.act(async |tx, change, event| {
            rounds::pair(tx, change, event, Some(round), Confirmed::default()).await
        })
        .await
    };
    // The click that meant round 1 does not make round 2.
    assert_eq!(refused(pair(1).await).code(), "round-exists");
    assert_eq!(
        refused(pair(3).await),
        Refused::NotNextRound { round: 3, next: 2 }
    );
    assert_eq!(hall.event().await.rounds.len(), 1);
    pair(2).await.expect("paired");
    assert_eq!(refused(pair(3).await).code(), "draft-exists");
}

/// A round with missing results names them and makes nothing.
#[sqlx::test(migrations = "../../migrations")]
async fn missing_results_are_named(pool: PgPool) {
    let hall = Hall::open(pool, 5, 10).await;
    let round = hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8), (9, 10)], None).await;
    hall.black_wins(round).await;
    hall.pair().await.expect("paired");
    hall.publish(2).await.expect("published");
    for board in [1, 3, 4] {
        hall.put(2, board, won(Outcome::White)).await.expect("a result");
    }
    let before = hall.event().await;
    let table = &before.stage.rounds[1];
    let open = |board: usize| OpenBoard {
        board: u32::try_from(board).expect("small"),
        black: table.boards[board - 1].black,
        white: table.boards[board - 1].white,
    };
    let missing = refused(hall.pair().await);
    assert_eq!(
        missing,
        Refused::Pairing(Refusal::MissingResults {
            round: 2,
            boards: vec![open(2), open(5)],
        })
    );
    assert_eq!(missing.code(), "missing-results");
    assert_eq!(hall.event().await, before);
}

/// The round is thrown away to repair the one before; what must not be thrown away is refused.
#[sqlx::test(migrations = "../../migrations")]
async fn the_last_round_can_be_thrown_away_while_it_has_no_results(pool: PgPool) {
    let hall = Hall::open(pool, 5, 7).await;
    let round = hall.round(&[(1, 2), (3, 4), (5, 6)], Some(7)).await;
    hall.black_wins(round).await;
    let after_one = hall.event().await.stage;
    hall.pair().await.expect("paired");
    hall.publish(2).await.expect("published");
    let first_table = hall.event().await.stage.rounds[1].clone();
    assert_eq!(
        refused(throw_away(&hall, 1).await),
        Refused::NotLastRound { round: 1, last: 2 }
    );
    assert_eq!(
        refused(throw_away(&hall, 3).await),
        Refused::UnknownRound { round: 3 }
    );
    throw_away(&hall, 2).await.expect("thrown away");
    assert_eq!(hall.event().await.stage, after_one);
    hall.put(1, 1, won(Outcome::White)).await.expect("corrected");
    hall.pair().await.expect("paired");
    let info = hall.publish(2).await.expect("published");
    let event = hall.event().await;
    assert_ne!(event.stage.rounds[1], first_table);
    assert!(!info.made_on_earlier_results);
    assert_eq!(info.edition, 2);
    let sits_with = event.stage.rounds[1].board_of(n(2)).is_some();
    assert!(sits_with, "the corrected winner plays");
    hall.put(2, 1, won(Outcome::Black)).await.expect("a result");
    hall.put(2, 3, won(Outcome::Black)).await.expect("a result");
    assert_eq!(
        refused(throw_away(&hall, 2).await),
        Refused::HasResults {
            round: 2,
            boards: vec![1, 3]
        }
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn an_event_whose_only_round_is_gone_starts_again(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.pair().await.expect("paired");
    let versions = hall.publish(1).await.expect("published");
    throw_away(&hall, 1).await.expect("thrown away");
    let event = hall.event().await;
    assert!(event.rounds.is_empty() && event.stage.rounds.is_empty());
    let again = hall.pair().await.expect("paired");
    // No version comes twice: a slip for the table that is gone fits no board of this one.
    let newest = versions.board_versions.iter().map(|(_, version)| *version).max();
    assert!(
        again
            .board_versions
            .iter()
            .all(|(_, version)| Some(*version) > newest)
    );
    assert!(again.version > versions.version);
    let stale = versions.board_version(1);
    hall.publish(1).await.expect("published");
    let late = hall.put_expecting(1, 1, stale, won(Outcome::Black)).await;
    assert_eq!(refused(late).code(), "stale");
}

/// A table made by hand that cannot be is refused with everybody concerned.
#[sqlx::test(migrations = "../../migrations")]
async fn a_table_by_hand_seats_everybody_once(pool: PgPool) {
    let hall = Hall::open(pool, 5, 6).await;
    let round = hall.round(&[(1, 2), (3, 4), (5, 6)], None).await;
    let no = Confirmed::default();
    let early = refused(by_hand(&hall, &[(1, 3), (2, 5), (4, 6)], &[], no).await);
    assert_eq!(early.code(), "missing-results");
    hall.black_wins(round).await;
    let before = hall.event().await;
    let Refused::Table(faults) = refused(by_hand(&hall, &[(1, 2), (1, 3), (4, 5)], &[], no).await) else {
        panic!("no faults of the table");
    };
    assert_eq!((&faults.twice, &faults.missing), (&vec![n(1)], &vec![n(6)]));
    let Refused::Table(faults) = refused(by_hand(&hall, &[(1, 1), (2, 3), (4, 9)], &[5, 6], no).await) else {
        panic!("no faults of the table");
    };
    assert_eq!(faults.against_oneself, [n(1)]);
    assert_eq!(faults.unknown, [n(9)]);
    assert_eq!(faults.too_many_byes, [n(5), n(6)]);
    assert_eq!(
        faults.to_string(),
        "against oneself: 1; unknown: 9; more than one bye: 5, 6"
    );
    let repeat = [(1, 2), (3, 5), (4, 6)];
    let Refused::Repeats { pairs, .. } = refused(by_hand(&hall, &repeat, &[], no).await) else {
        panic!("no repeats");
    };
    assert_eq!(
        pairs
            .iter()
            .map(|pair| (pair.first, pair.second))
            .collect::<Vec<_>>(),
        [(n(1), n(2))]
    );
    assert_eq!(hall.event().await, before);

    let yes = Confirmed {
        repeats: true,
        provisional: false,
    };
    let info = by_hand(&hall, &repeat, &[], yes).await.expect("a table");
    assert!(info.by_hand);
    assert_eq!(info.criteria.as_ref().map(|criteria| criteria.repeats), Some(1));
    assert!(info.notes.iter().any(|note| matches!(
        note,
        Note::Repeat {
            board: 1,
            times: 1,
            ..
        }
    )));
    // A second table takes the place of the draft.
    let other = by_hand(&hall, &[(1, 3), (2, 5), (4, 6)], &[], no)
        .await
        .expect("a table");
    assert_eq!((other.round, other.edition), (2, 1));
    assert!(other.version > info.version);
    assert_eq!(boards(&hall, 2).await, [(1, 3), (2, 5), (4, 6)]);
}

/// Giving the bye to another leaves one bye, and counts it once.
#[sqlx::test(migrations = "../../migrations")]
async fn the_bye_can_be_given_to_another(pool: PgPool) {
    let hall = Hall::open(pool, 5, 9).await;
    let round = hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8)], Some(9)).await;
    hall.black_wins(round).await;
    hall.round(&[(2, 3), (4, 5), (6, 7), (8, 9)], Some(1)).await;
    let info = swap(&hall, 2, 1, 8).await.expect("swapped");
    assert_eq!(boards(&hall, 2).await, [(2, 3), (4, 5), (6, 7), (1, 9)]);
    let event = hall.event().await;
    assert_eq!(event.stage.rounds[1].byes, [n(8)]);
    assert_eq!(info.edition, 2);
    assert_eq!(
        (hall.points(1, 2).await, hall.points(8, 2).await),
        (Score(2), Score(2))
    );
    assert_eq!(
        refused(swap(&hall, 2, 1, 1).await),
        Refused::SameEntry { number: n(1) }
    );
    assert_eq!(
        refused(swap(&hall, 2, 1, 77).await),
        Refused::UnknownEntry { number: n(77) }
    );
}

/// A published table that is changed is another edition, under another version.
#[sqlx::test(migrations = "../../migrations")]
async fn a_changed_table_says_that_it_is_another(pool: PgPool) {
    let hall = Hall::open(pool, 5, 6).await;
    hall.pair().await.expect("paired");
    let draft = swap(&hall, 1, 2, 4).await.expect("swapped");
    assert_eq!((draft.edition, draft.by_hand), (1, true));
    let first = hall.publish(1).await.expect("published");
    assert_eq!(first.edition, 1);
    hall.put(1, 3, won(Outcome::Black)).await.expect("a result");
    let before = hall.event().await;
    let second = swap(&hall, 1, 2, 4).await.expect("swapped");
    assert_eq!((second.edition, second.published_at), (2, first.published_at));
    assert!(second.version > first.version);
    for board in [1, 2] {
        assert!(second.board_version(board) > before.rounds[0].board_version(board));
    }
    // Board 3 was not touched: same version, same result.
    assert_eq!(second.board_version(3), before.rounds[0].board_version(3));
    assert_eq!(
        hall.event().await.stage.rounds[0].boards[2],
        before.stage.rounds[0].boards[2]
    );
    let (player, other) = {
        let boards = boards(&hall, 1).await;
        (boards[2].0, boards[0].0)
    };
    assert_eq!(
        refused(swap(&hall, 1, player, other).await),
        Refused::HasResults {
            round: 1,
            boards: vec![3]
        }
    );
    // The act holds what differs: the two boards.
    let act = &hall
        .log(Filter {
            action: Some(Action::RoundChanged),
            ..Filter::default()
        })
        .await[0];
    assert_eq!(act.before["boards"].as_array().map(Vec::len), Some(2));
    assert_eq!(act.after["boards"].as_array().map(Vec::len), Some(2));
    assert!(act.after.get("byes").is_none());
}

#[sqlx::test(migrations = "../../migrations")]
async fn colours_are_changed_before_the_result(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let colours = async |board, black, expected| {
        hall.act(async |tx, change, event| {
            rounds::set_colours(tx, change, event, 1, board, n(black), expected).await
        })
        .await
    };
    let version = hall.event().await.rounds[0].version;
    let stale = refused(colours(1, 2, Some(version - 1)).await);
    assert_eq!(stale, Refused::Stale { current: version });
    colours(1, 2, Some(version)).await.expect("changed");
    assert_eq!(boards(&hall, 1).await, [(2, 1), (3, 4)]);
    let acts = hall.log(Filter::default()).await.len();
    colours(1, 2, Some(version)).await.expect("as it is already");
    assert_eq!(hall.log(Filter::default()).await.len(), acts);
    assert_eq!(
        refused(colours(1, 3, None).await),
        Refused::NotAtBoard {
            number: n(3),
            round: 1,
            board: 1
        }
    );
    assert_eq!(
        refused(colours(9, 3, None).await),
        Refused::UnknownBoard { round: 1, board: 9 }
    );
    hall.put(1, 2, won(Outcome::Draw)).await.expect("a result");
    assert_eq!(refused(colours(2, 4, None).await).code(), "has-results");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_draft_that_no_longer_fits_is_not_published_unasked(pool: PgPool) {
    let hall = Hall::open(pool, 5, 6).await;
    let round = hall.round(&[(1, 2), (3, 4), (5, 6)], None).await;
    hall.black_wins(round).await;
    hall.pair().await.expect("paired");
    let seen = hall.event().await;
    hall.put(1, 2, won(Outcome::White)).await.expect("corrected");
    hall.act(async |tx, change, event| {
        entries::withdraw(tx, change, event, n(6), 1, Seated::Ask).await?;
        entries::add(tx, change, event, vec![crate::support::player("G")]).await
    })
    .await
    .expect("changed");
    // The table itself stays as it was until the director decides.
    assert_eq!(hall.event().await.stage.rounds[1], seen.stage.rounds[1]);
    let outdated = refused(hall.publish(2).await);
    assert_eq!(
        outdated,
        Refused::Outdated {
            round: 2,
            results: vec![(1, 2)],
            gone: vec![n(6)],
            unseated: vec![n(7)]
        }
    );
    assert_eq!(
        outdated.to_string(),
        "round 2 was paired before the result of board 2 of round 1 changed and number 6 left and number 7 \
         came: throw it away and pair again, or confirm that it stays as it is"
    );
    let info = hall
        .act(async |tx, change, event| rounds::publish(tx, change, event, 2, None, true).await)
        .await
        .expect("published all the same");
    assert!(info.made_on_earlier_results);
}

#[sqlx::test(migrations = "../../migrations")]
async fn all_planned_rounds_are_enough(pool: PgPool) {
    let hall = Hall::open(pool, 1, 4).await;
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    hall.black_wins(1).await;
    assert_eq!(refused(hall.pair().await).code(), "no-round-left");
    let more = by_hand(&hall, &[(1, 3), (2, 4)], &[], Confirmed::default()).await;
    assert_eq!(refused(more).code(), "no-round-left");
}
