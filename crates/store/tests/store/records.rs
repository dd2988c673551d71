use rules::{Colour, Margin, OnRepetition, Point, Recorded, RecordedKind, Standing};
use serde_json::json;
use sqlx::PgPool;
use store::events::{self, EventPatch, RecordSettings, RecordsPatch};
use store::log::{Action, Filter};
use store::records::{
    self, Choice, Contradiction, Done, Flagged, Kept, NewRecord, Put, Status, Summary, Tally,
};
use store::results::ResultInput;
use store::{Change, Error, Refused, rounds};
use tournament::{By, Outcome};

use crate::support::{Hall, moment, n, refused, won};

fn recorded(winner: Option<Colour>) -> Recorded {
    Recorded {
        text: "B+R".to_owned(),
        winner,
        kind: winner.map_or(RecordedKind::Draw, |_| RecordedKind::Resign),
        margin: None,
        unit: None,
    }
}

fn record(text: &str, winner: Option<Colour>) -> NewRecord {
    NewRecord {
        bytes: text.as_bytes().to_vec(),
        choice: Choice::default(),
        verdict: json!({"standing": "legal"}),
        summary: Summary {
            standing: Standing::Legal,
            recorded: Some(recorded(winner)),
            swapped: Some(false),
            counted: None,
        },
    }
}

fn black(text: &str) -> NewRecord {
    record(text, Some(Colour::Black))
}

/// Brings a record for a board of round 1, as the director or with the code of the board.
async fn bring(hall: &Hall, board: u32, new: NewRecord, from_player: bool) -> Result<Put, Error> {
    let event = hall.event().await;
    let actor = if from_player {
        let board = records::published_board(&event, 1, board).expect("a board");
        records::player(&event, board)
    } else {
        hall.director.clone()
    };
    let change = Change {
        actor: &actor,
        ..hall.change(20)
    };
    let mut tx = hall.begin().await;
    let put = records::put(&mut tx, &change, event.id, 1, board, new).await?;
    tx.commit().await?;
    Ok(put)
}

async fn done(hall: &Hall, board: u32, new: NewRecord) -> Done {
    bring(hall, board, new, false).await.expect("brought").done
}

async fn withdraw(hall: &Hall, board: u32, expected: Option<u32>) -> Result<Kept, Error> {
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    let kept = records::withdraw(&mut tx, &hall.change(21), event.id, 1, board, expected).await?;
    tx.commit().await?;
    Ok(kept)
}

async fn bring_back(hall: &Hall, board: u32, version: u32) -> Result<bool, Error> {
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    let (_, changed) = records::bring_back(&mut tx, &hall.change(22), event.id, 1, board, version).await?;
    tx.commit().await?;
    Ok(changed)
}

/// The text of a board's record.
async fn current(hall: &Hall, board: u32) -> Option<String> {
    let event = hall.event().await;
    let mut tx = hall.store.snapshot().await.expect("a snapshot");
    let record = records::current(&mut tx, event.id, 1, board).await.expect("read");
    record.map(|record| String::from_utf8(record.bytes).expect("text"))
}

async fn states(hall: &Hall, board: u32) -> Vec<(u32, Status)> {
    let event = hall.event().await;
    let mut tx = hall.store.snapshot().await.expect("a snapshot");
    records::all_of_board(&mut tx, event.id, 1, board)
        .await
        .expect("read")
        .iter()
        .map(|kept| (kept.version, kept.status))
        .collect()
}

async fn flagged(hall: &Hall) -> Vec<Flagged> {
    let event = hall.event().await;
    let mut tx = hall.store.snapshot().await.expect("a snapshot");
    records::flagged(&mut tx, &event).await.expect("read")
}

async fn contradictions(hall: &Hall) -> Vec<(u32, Vec<Contradiction>)> {
    let flagged = flagged(hall).await;
    flagged
        .into_iter()
        .map(|one| (one.board, one.contradictions))
        .collect()
}

async fn patch(hall: &Hall, records: RecordsPatch) {
    let patch = EventPatch {
        records,
        ..EventPatch::default()
    };
    hall.act(async |tx, change, event| events::update(tx, change, event, patch, None).await)
        .await
        .expect("changed");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_record_is_kept_as_it_came_and_none_is_ever_lost(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    assert_eq!(current(&hall, 1).await, None);
    assert_eq!(done(&hall, 1, black("(;one)")).await, Done::Brought);
    assert_eq!(done(&hall, 1, black("(;one)")).await, Done::Nothing);
    assert_eq!(done(&hall, 1, black("(;two)")).await, Done::Replaced(1));
    assert_eq!(current(&hall, 1).await.as_deref(), Some("(;two)"));

    // Another choice of the same file is another record.
    let dead = Choice {
        dead: Some(vec![Point { column: 2, row: 3 }]),
        ..Choice::default()
    };
    let chosen = NewRecord {
        choice: dead.clone(),
        ..black("(;two)")
    };
    let third = bring(&hall, 1, chosen, false).await.expect("brought").record;
    assert_eq!((third.version, &third.choice), (3, &dead));
    assert_eq!(
        (third.brought_at, third.brought_by.as_str(), third.players),
        (moment(20), "Director", (n(1), n(2)))
    );

    let stale = refused(withdraw(&hall, 1, Some(2)).await);
    assert_eq!(stale, Refused::Stale { current: 3 });
    withdraw(&hall, 1, Some(3)).await.expect("withdrawn");
    assert_eq!(current(&hall, 1).await, None);
    let none = Refused::NoRecord { round: 1, board: 1 };
    assert_eq!(refused(withdraw(&hall, 1, None).await), none);
    assert_eq!(refused(bring_back(&hall, 1, 4).await), none);
    assert!(bring_back(&hall, 1, 1).await.expect("back"));
    assert!(!bring_back(&hall, 1, 1).await.expect("there"), "nothing to do");
    assert_eq!(current(&hall, 1).await.as_deref(), Some("(;one)"));
    // A file that is kept comes back when it is brought again.
    assert_eq!(done(&hall, 1, black("(;two)")).await, Done::BroughtBack);
    assert_eq!(
        states(&hall, 1).await,
        [
            (3, Status::Withdrawn),
            (2, Status::Current),
            (1, Status::Replaced)
        ]
    );
    assert_eq!(states(&hall, 2).await, []);

    let of_board = Filter {
        round: Some(1),
        board: Some(1),
        ..Filter::default()
    };
    let log = hall.log(of_board).await;
    let acts: Vec<_> = log
        .iter()
        .map(|act| {
            (
                act.action,
                act.before["version"].as_u64(),
                act.after["version"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        acts,
        [
            (Action::RecordBroughtBack, Some(1), Some(2)),
            (Action::RecordBroughtBack, None, Some(1)),
            (Action::RecordWithdrawn, Some(3), None),
            (Action::RecordReplaced, Some(2), Some(3)),
            (Action::RecordReplaced, Some(1), Some(2)),
            (Action::RecordBrought, None, Some(1)),
        ]
    );
    assert_eq!(log[3].after["dead"], json!(["cd"]));
    hall.assert_log_without_gap().await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_record_is_only_for_a_board_of_a_published_round(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    let bring = async |round: u32, board: u32, text: String| {
        let event = hall.event().await;
        let mut tx = hall.begin().await;
        records::put(&mut tx, &hall.change(20), event.id, round, board, black(&text)).await
    };
    let few = || "(;one)".to_owned();
    assert_eq!(
        refused(bring(1, 1, few()).await),
        Refused::UnknownRound { round: 1 }
    );
    hall.pair().await.expect("a draft");
    assert_eq!(
        refused(bring(1, 1, few()).await),
        Refused::NotPublished { round: 1 }
    );
    hall.publish(1).await.expect("published");
    assert_eq!(
        refused(bring(1, 3, few()).await),
        Refused::UnknownBoard { round: 1, board: 3 }
    );
    let most = records::SIZE_LIMIT;
    for text in [String::new(), "(".repeat(most + 1)] {
        assert_eq!(refused(bring(1, 1, text).await), Refused::RecordSize { most });
    }
    assert!(bring(1, 1, "(".repeat(most)).await.is_ok());
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_record_follows_its_two_players(pool: PgPool) {
    let hall = Hall::open(pool, 5, 6).await;
    hall.round(&[(1, 2), (3, 4), (5, 6)], None).await;
    hall.put(1, 1, won(Outcome::Black)).await.expect("a result");
    assert_eq!(done(&hall, 2, black("(;three-four)")).await, Done::Brought);
    let with_records = async || {
        let event = hall.event().await;
        let mut tx = hall.begin().await;
        let boards = records::boards_with_records(&mut tx, event.id, 1)
            .await
            .expect("read");
        let all = records::all_with_records(&mut tx, event.id).await.expect("read");
        assert!(all.into_iter().eq(boards.iter().map(|board| (1, *board))));
        let lost = records::without_board(&mut tx, event.id).await.expect("read");
        (boards.into_iter().collect::<Vec<_>>(), lost.len())
    };
    assert_eq!(with_records().await, (vec![2], 0));
    // Colours exchanged: the names that were right are exchanged now.
    hall.act(async |tx, change, event| rounds::set_colours(tx, change, event, 1, 2, n(4), None).await)
        .await
        .expect("exchanged");
    assert_eq!(with_records().await, (vec![2], 0));
    assert_eq!(contradictions(&hall).await, [(2, vec![Contradiction::Names])]);
    // Other people at the board: the record waits for the two.
    let swap = async |one, other| {
        hall.act(async |tx, change, event| rounds::swap(tx, change, event, 1, (n(one), n(other)), None).await)
            .await
            .expect("swapped")
    };
    swap(3, 5).await;
    assert_eq!(with_records().await, (vec![], 1));
    assert_eq!(current(&hall, 2).await, None);
    swap(4, 6).await;
    assert_eq!(with_records().await, (vec![3], 0));
    assert_eq!(current(&hall, 3).await.as_deref(), Some("(;three-four)"));
    // A round that is thrown away takes no record with it.
    hall.put(1, 1, ResultInput::default()).await.expect("cleared");
    hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await)
        .await
        .expect("thrown away");
    assert_eq!(with_records().await, (vec![], 1));
    hall.round(&[(4, 3), (1, 2), (5, 6)], None).await;
    assert_eq!(current(&hall, 1).await.as_deref(), Some("(;three-four)"));
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_contradicts_is_told_by_the_result_as_it_is_now(pool: PgPool) {
    let hall = Hall::open(pool, 5, 8).await;
    hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8)], None).await;
    assert_eq!(
        done(&hall, 1, record("(;w)", Some(Colour::White))).await,
        Done::Brought
    );
    assert_eq!(contradictions(&hall).await, [], "nothing is entered yet");
    hall.put(1, 1, won(Outcome::Black)).await.expect("a result");
    assert_eq!(contradictions(&hall).await, [(1, vec![Contradiction::Result])]);
    hall.put(1, 1, won(Outcome::Draw)).await.expect("a result");
    assert_eq!(contradictions(&hall).await, [(1, vec![Contradiction::Result])]);
    hall.put(1, 1, won(Outcome::White)).await.expect("a result");
    assert_eq!(contradictions(&hall).await, []);

    // A count is compared as long as it would come out the same today.
    let counted = |quarters: i32, rules| NewRecord {
        summary: Summary {
            counted: Some(Tally {
                margin: Margin(quarters),
                rules,
                komi: rules::RuleSet::Chinese.default_komi(),
                warnings: (0, 0),
            }),
            recorded: Some(Recorded {
                kind: RecordedKind::Score,
                ..recorded(Some(Colour::Black))
            }),
            ..black("").summary
        },
        ..black("(;counted)")
    };
    let by_count = |margin: &str| ResultInput {
        by: Some(By::Count),
        margin: margin.parse().ok(),
        ..won(Outcome::Black)
    };
    hall.put(1, 2, by_count("1.25")).await.expect("a result");
    done(&hall, 2, counted(3, rules::RuleSet::Chinese)).await;
    assert_eq!(contradictions(&hall).await, [(2, vec![Contradiction::Count])]);
    hall.put(1, 2, by_count("0.75")).await.expect("a result");
    assert_eq!(contradictions(&hall).await, []);
    hall.put(1, 3, by_count("1.25")).await.expect("a result");
    done(&hall, 3, counted(3, rules::RuleSet::Ing)).await;
    assert_eq!(contradictions(&hall).await, []);

    // A game that is not in order is told whatever is entered.
    let illegal = NewRecord {
        summary: Summary {
            standing: Standing::Illegal,
            ..black("").summary
        },
        ..black("(;illegal)")
    };
    done(&hall, 4, illegal).await;
    let told = flagged(&hall).await;
    assert_eq!(
        (told[0].board, told[0].version, told[0].summary.standing),
        (4, 1, Standing::Illegal)
    );
    withdraw(&hall, 4, None).await.expect("withdrawn");
    assert_eq!(flagged(&hall).await, []);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_file_that_hangs_on_another_board_is_pointed_out(pool: PgPool) {
    let hall = Hall::open(pool, 5, 6).await;
    hall.round(&[(1, 2), (3, 4), (5, 6)], None).await;
    let duplicates = async |board: u32, text: &str, game: Option<u32>| {
        let new = NewRecord {
            choice: Choice {
                game,
                ..Choice::default()
            },
            ..black(text)
        };
        let put = bring(&hall, board, new, false).await.expect("brought");
        let event = hall.event().await;
        let mut tx = hall.begin().await;
        records::duplicates(&mut tx, event.id, &put.record)
            .await
            .expect("read")
    };
    assert_eq!(duplicates(1, "(;a)", None).await, []);
    assert_eq!(duplicates(3, "(;a)", None).await, [(1, 1)]);
    // One file with the games of several boards is none.
    assert_eq!(duplicates(1, "(;a)(;b)", Some(1)).await, []);
    assert_eq!(duplicates(2, "(;a)(;b)", Some(2)).await, []);
    assert_eq!(
        duplicates(3, "(;a)", None).await,
        [],
        "board 1 has another one now"
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn players_bring_records_within_bounds(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let first = bring(&hall, 1, black("(;0)"), true)
        .await
        .expect("brought")
        .record;
    assert_eq!((first.brought_by.as_str(), first.from_player), ("A / B", true));
    for text in ["(;1)", "(;2)", "(;3)", "(;4)"] {
        bring(&hall, 1, black(text), true).await.expect("brought");
    }
    let many = Refused::TooManyRecords {
        round: 1,
        board: 1,
        most: records::PER_GAME_BY_PLAYERS,
    };
    assert_eq!(refused(bring(&hall, 1, black("(;5)"), true).await), many);
    // What a director has withdrawn or brought is not for a player to change.
    withdraw(&hall, 1, None).await.expect("withdrawn");
    assert_eq!(
        refused(bring(&hall, 1, black("(;4)"), true).await),
        Refused::RecordIsWithdrawn { round: 1, board: 1 }
    );
    let back = bring(&hall, 1, black("(;3)"), true).await.expect("brought");
    assert_eq!(back.done, Done::BroughtBack);
    assert_eq!(done(&hall, 1, black("(;d)")).await, Done::Replaced(4));
    assert_eq!(
        refused(bring(&hall, 1, black("(;2)"), true).await),
        Refused::RecordFromDirector { round: 1, board: 1 }
    );
    let same = bring(&hall, 1, black("(;d)"), true).await.expect("the same");
    assert_eq!(same.done, Done::Nothing);
    for more in 6..records::PER_GAME {
        done(&hall, 1, black(&format!("(;{more})"))).await;
    }
    assert_eq!(
        refused(bring(&hall, 1, black("(;last)"), false).await),
        Refused::TooManyRecords {
            round: 1,
            board: 1,
            most: records::PER_GAME
        }
    );
    let player = hall.log(Filter::default()).await.into_iter().find(|act| {
        act.action == Action::RecordBrought
            && act.subject == store::log::Subject::Board { round: 1, board: 1 }
    });
    let actor = player.expect("an act").actor;
    assert_eq!(
        (actor.name.as_str(), actor.role.as_str(), actor.via.as_str()),
        ("A / B", "player", "code")
    );
    hall.assert_log_without_gap().await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_code_is_for_one_board_and_its_two_players(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let codes = async || {
        let event = hall.event().await;
        let mut tx = hall.store.snapshot().await.expect("a snapshot");
        records::codes(&mut tx, event.id).await.expect("read")
    };
    let board = async |board: u32| {
        let event = hall.event().await;
        *records::published_board(&event, 1, board).expect("a board")
    };
    assert!(codes().await.is_none());
    let allowed = RecordsPatch {
        from_players: Some(true),
        ..RecordsPatch::default()
    };
    patch(&hall, allowed).await;
    let first = codes().await.expect("codes");
    let code = first.of(1, &board(1).await);
    assert_eq!(code.len(), 14, "{code}");
    for written in [
        code.clone(),
        code.replace('-', ""),
        code.to_uppercase(),
        code.replace('-', " "),
    ] {
        assert!(first.fits(1, &board(1).await, &written), "{written}");
    }
    for wrong in [
        "",
        "-",
        "abcd-efgh-ijkm",
        &code[..13],
        &format!("{code}a"),
        "对局者",
    ] {
        assert!(!first.fits(1, &board(1).await, wrong), "{wrong}");
    }
    assert!(!first.fits(1, &board(2).await, &code));
    assert!(!first.fits(2, &board(1).await, &code));
    // It stays when colours are exchanged and is void when somebody else sits there.
    hall.act(async |tx, change, event| rounds::set_colours(tx, change, event, 1, 1, n(2), None).await)
        .await
        .expect("exchanged");
    assert!(first.fits(1, &board(1).await, &code));
    hall.act(async |tx, change, event| rounds::swap(tx, change, event, 1, (n(1), n(3)), None).await)
        .await
        .expect("swapped");
    assert!(!first.fits(1, &board(1).await, &code));
    hall.act(async |tx, change, event| rounds::swap(tx, change, event, 1, (n(1), n(3)), None).await)
        .await
        .expect("swapped");
    // Renewed, all are void; taken away and given again, they stay.
    patch(
        &hall,
        RecordsPatch {
            from_players: Some(false),
            ..allowed
        },
    )
    .await;
    patch(&hall, allowed).await;
    assert!(codes().await.expect("codes").fits(1, &board(1).await, &code));
    hall.act(async |tx, change, event| {
        let change = Change {
            chance: store::Chance([8; 32]),
            ..*change
        };
        records::renew_codes(tx, &change, event).await
    })
    .await
    .expect("renewed");
    assert!(!codes().await.expect("codes").fits(1, &board(1).await, &code));
    assert_eq!(format!("{:?}", codes().await.expect("codes")), "Codes");
    assert_eq!(
        hall.log(Filter::default()).await[0].action,
        Action::RecordCodesRenewed
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn what_an_event_asks_of_records_goes_through_its_file_and_its_log(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    let event = hall.event().await;
    assert_eq!(event.records, RecordSettings::default());
    let file = interchange::write(&events::export(&event));
    assert!(!file.contains("records"), "{file}");
    let settings = RecordSettings {
        board_size: 13,
        repetition: Some(OnRepetition::NoResult),
        from_players: true,
    };
    patch(
        &hall,
        RecordsPatch {
            board_size: Some(13),
            repetition: Some(Some(OnRepetition::NoResult)),
            from_players: Some(true),
        },
    )
    .await;
    assert_eq!(hall.event().await.records, settings);
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(
        act.after,
        json!({"board_size": 13, "repetition": "no_result", "records_from_players": true})
    );
    let file = interchange::write(&events::export(&hall.event().await));
    let read = interchange::read(file.as_bytes()).expect("a file");
    let mut tx = hall.begin().await;
    let copy = events::import(&mut tx, &hall.change(30), &read)
        .await
        .expect("taken in");
    assert_eq!(copy.records, settings);
    assert!(records::codes(&mut tx, copy.id).await.expect("read").is_some());
    tx.commit().await.expect("committed");
    patch(
        &hall,
        RecordsPatch {
            repetition: Some(None),
            ..RecordsPatch::default()
        },
    )
    .await;
    assert_eq!(hall.event().await.records.repetition, None);
}
