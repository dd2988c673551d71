//! Many hands at once, on connections of their own.

use std::task::Poll;
use std::time::{Duration, Instant};

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use store::idempotency::{self, Answer, Claimed};
use store::log::Filter;
use store::results::ResultInput;
use store::{Error, Refused, Role, Scope, Store, accounts, entries, events, people, results, rounds};
use tournament::pairing::Confirmed;
use tournament::{By, Outcome};
use uuid::Uuid;

use crate::support::{Hall, moment, name_of, new_event, player, won};

/// A hall with as many connections as there are hands.
async fn hall(options: PgPoolOptions, connect: PgConnectOptions, players: u32, hands: u32) -> Hall {
    let pool = options
        .max_connections(hands)
        .connect_with(connect)
        .await
        .expect("a pool");
    Hall::open(pool, 9, players).await
}

fn refusals<T: std::fmt::Debug>(done: Vec<Result<T, Error>>) -> (Vec<T>, Vec<Refused>) {
    let mut fine = Vec::new();
    let mut refused = Vec::new();
    for done in done {
        match done {
            Ok(done) => fine.push(done),
            Err(Error::Refused(reason)) => refused.push(reason),
            Err(error) => panic!("{error:?}"),
        }
    }
    (fine, refused)
}

/// Does the same thing with many hands and waits for them all.
async fn together<T>(hands: u32, work: impl AsyncFn(u32) -> T) -> Vec<T> {
    let work = &work;
    join_all((0..hands).map(|hand| async move { work(hand).await })).await
}

/// All futures at once on this task; each waits for the database, not for the processor.
async fn join_all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut futures: Vec<_> = futures.map(Box::pin).collect();
    let mut done: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        let mut all = true;
        for (future, done) in futures.iter_mut().zip(&mut done) {
            if done.is_none() {
                match future.as_mut().poll(context) {
                    Poll::Ready(output) => *done = Some(output),
                    Poll::Pending => all = false,
                }
            }
        }
        if all { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}

#[sqlx::test(migrations = "../../migrations")]
async fn two_directors_who_pair_at_once_make_one_draft(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 16, 6).await;
    let (made, refused) = refusals(together(5, async |_| hall.pair().await).await);
    assert_eq!((made.len(), refused.len()), (1, 4));
    for reason in refused {
        assert_eq!(
            reason,
            Refused::DraftExists {
                round: 1,
                by: "Director".to_owned(),
                at: moment(5)
            }
        );
    }
    let event = hall.event().await;
    assert_eq!(event.rounds.len(), 1);
    assert_eq!(event.rounds[0].version, made[0].version);
    hall.assert_log_without_gap().await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn of_two_results_for_one_board_the_second_is_stale(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 4, 6).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let seen = hall.event().await.rounds[0].board_version(2);
    let outcomes = [Outcome::Black, Outcome::White, Outcome::Draw, Outcome::BothLose];
    let done = together(4, async |hand| {
        let outcome = outcomes[usize::try_from(hand).expect("small")];
        hall.put_expecting(1, 2, seen, won(outcome)).await
    })
    .await;
    let (written, refused) = refusals(done);
    assert_eq!((written.len(), refused.len()), (1, 3));
    let current = written[0].version;
    assert!(
        refused.iter().all(|reason| *reason == Refused::Stale { current }),
        "{refused:?}"
    );
    let event = hall.event().await;
    assert_eq!(event.stage.rounds[0].boards[1], written[0].board);
    let on_board = Filter {
        board: Some(2),
        ..Filter::default()
    };
    assert_eq!(hall.log(on_board).await.len(), 1);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_same_result_by_many_hands_is_one_act(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 4, 8).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    let seen = hall.event().await.rounds[0].board_version(1);
    let done = together(8, async |_| {
        hall.put_expecting(1, 1, seen, won(Outcome::Black)).await
    })
    .await;
    let (done, refused) = refusals(done);
    assert_eq!(refused, []);
    assert_eq!(done.iter().filter(|done| done.changed).count(), 1);
    assert!(done.iter().all(|one| one.version == done[0].version));
    assert_eq!(
        hall.log(Filter {
            board: Some(1),
            ..Filter::default()
        })
        .await
        .len(),
        1
    );
}

/// A hall full of helpers: every result is in, the log has no gap, nobody waits long; a director
/// who pairs in the middle of it is not kept out by the stream of results.
#[sqlx::test(migrations = "../../migrations")]
async fn results_come_in_side_by_side(_: PgPoolOptions, connect: PgConnectOptions) {
    // More hands than the pool that tests share lends out.
    let hall = hall(PgPoolOptions::new(), connect, 128, 33).await;
    let pairs: Vec<(u32, u32)> = (0..64).map(|i| (2 * i + 1, 2 * i + 2)).collect();
    hall.round(&pairs, None).await;
    // The connections are open before the clock runs.
    for alive in together(33, async |_| hall.store.ping().await).await {
        alive.expect("a connection");
    }
    let slowest = together(32, async |hand| {
        let mut slowest = Duration::ZERO;
        for board in [hand + 1, hand + 33] {
            for outcome in [Outcome::White, Outcome::Black] {
                let begun = Instant::now();
                hall.put(1, board, won(outcome)).await.expect("a result");
                slowest = slowest.max(begun.elapsed());
            }
        }
        slowest
    });
    let director = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let begun = Instant::now();
        // Boards are open: refused, but only after the event was had alone.
        let refused = crate::support::refused(hall.pair().await);
        (refused.code(), begun.elapsed())
    };
    let (slowest, (code, waited)) = tokio::join!(slowest, director);
    let slowest = slowest.into_iter().max().expect("hands");
    println!("slowest result {slowest:?}, the director waited {waited:?} ({code})");
    assert!(slowest < Duration::from_secs(10), "{slowest:?}");
    assert!(waited < Duration::from_secs(10), "{waited:?}");
    let event = hall.event().await;
    assert!(
        event.stage.rounds[0]
            .boards
            .iter()
            .all(|board| board.result == Some(Outcome::Black))
    );
    hall.assert_log_without_gap().await;
    hall.store.close().await;
}

/// The last result, a correction and the pairing at one moment: one round, made of a
/// definite set of results, and whatever came after it is marked.
#[sqlx::test(migrations = "../../migrations")]
async fn a_pairing_reads_a_definite_set_of_results(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 8, 6).await;
    hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8)], None).await;
    for board in [1, 2, 3] {
        hall.put(1, board, won(Outcome::Black)).await.expect("a result");
    }
    for turn in 0..6_u32 {
        let (last, correction, paired) = tokio::join!(
            hall.put(1, 4, won(Outcome::Black)),
            hall.put(
                1,
                1,
                won(if turn % 2 == 0 {
                    Outcome::White
                } else {
                    Outcome::Black
                })
            ),
            hall.pair()
        );
        last.expect("the last result");
        correction.expect("the correction");
        match paired {
            Err(Error::Refused(reason)) => assert_eq!(reason.code(), "missing-results"),
            Err(error) => panic!("{error:?}"),
            Ok(_) => {
                let event = hall.event().await;
                let info = &event.rounds[1];
                // What the draft was made of: the results now, but for those that are marked.
                let mut made_of = event.stage.after(1);
                for earlier in &info.earlier_results {
                    let at = usize::try_from(earlier.board).expect("small") - 1;
                    made_of.rounds[0].boards[at].result = earlier.result;
                }
                let again = tournament::pairing::pair(&made_of, Confirmed::default()).expect("paired");
                assert_eq!(again.to_round(), event.stage.rounds[1], "turn {turn}");
                hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 2, None).await)
                    .await
                    .expect("thrown away");
            }
        }
        hall.put(1, 4, ResultInput::default()).await.expect("open again");
    }
    hall.assert_log_without_gap().await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn no_result_slips_into_a_round_that_is_thrown_away(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 8, 6).await;
    for _ in 0..6 {
        hall.pair().await.expect("paired");
        hall.publish(1).await.expect("published");
        let (thrown, one, other) = tokio::join!(
            hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await),
            hall.put(1, 1, won(Outcome::Black)),
            hall.put(1, 2, won(Outcome::White))
        );
        let (kept, refused) = refusals(vec![one, other]);
        match thrown {
            Ok(()) => {
                assert_eq!(kept, [], "a result was acknowledged and is gone");
                assert!(
                    refused
                        .iter()
                        .all(|reason| *reason == Refused::UnknownRound { round: 1 })
                );
                assert!(hall.event().await.rounds.is_empty());
            }
            Err(Error::Refused(Refused::HasResults { .. })) => {
                assert!(!kept.is_empty());
                for board in [1, 2] {
                    hall.put(1, board, ResultInput::default()).await.expect("cleared");
                }
                hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await)
                    .await
                    .expect("thrown away");
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    hall.assert_log_without_gap().await;
}

#[sqlx::test(migrations = "../../migrations")]
async fn entries_added_at_once_get_numbers_of_their_own(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 0, 9).await;
    let numbers = together(8, async |hand| {
        hall.act(async |tx, change, event| {
            let new = (0..5).map(|i| player(&name_of(hand * 5 + i))).collect();
            entries::add(tx, change, event, new).await
        })
        .await
        .expect("added")
    })
    .await;
    let mut numbers: Vec<u32> = numbers
        .into_iter()
        .flatten()
        .map(tournament::Number::get)
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    hall.assert_log_without_gap().await;
}

/// A long import into one event, results into another.
#[sqlx::test(migrations = "../../migrations")]
async fn an_import_delays_no_result_of_another_event(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 8, 4).await;
    hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8)], None).await;
    let mut tx = hall.begin().await;
    let big = events::create(&mut tx, &hall.change(1), new_event("Big Open", 9))
        .await
        .expect("an event");
    let mut big = events::lock(&mut tx, &big.slug)
        .await
        .expect("found")
        .expect("there");
    let new = (0..500).map(|i| player(&name_of(i))).collect();
    entries::add(&mut tx, &hall.change(1), &mut big, new)
        .await
        .expect("added");
    // Five hundred entries are in and not yet committed.
    for board in 1..=4 {
        let begun = Instant::now();
        hall.put(1, board, won(Outcome::Black)).await.expect("a result");
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
    assert_eq!(big.stage.entries.len(), 500);
    drop(tx);
    let mut tx = hall.begin().await;
    assert!(
        events::find(&mut tx, "big-open").await.expect("asked").is_none(),
        "all or nothing"
    );
}

/// A transaction that is never committed leaves nothing, and keeps nobody waiting.
#[sqlx::test(migrations = "../../migrations")]
async fn what_breaks_off_leaves_nothing(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 8, 3).await;
    let before = hall.event().await;
    let mut tx = hall.begin().await;
    let mut event = hall.lock(&mut tx).await;
    rounds::pair(&mut tx, &hall.change(1), &mut event, None, Confirmed::default())
        .await
        .expect("paired");
    drop(tx);
    assert_eq!(hall.event().await, before);
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    let id = before.id;
    let before = hall.event().await;
    let mut tx = hall.begin().await;
    let input = ResultInput {
        by: Some(By::Resignation),
        ..won(Outcome::Black)
    };
    results::put(&mut tx, &hall.change(1), id, 1, 1, None, input)
        .await
        .expect("a result");
    drop(tx);
    assert_eq!(hall.event().await, before);
    hall.put(1, 1, input).await.expect("a result");
    hall.assert_log_without_gap().await;
}

/// The answer that was lost is given again; the key with another request is refused.
#[sqlx::test(migrations = "../../migrations")]
async fn a_repeated_request_gets_the_first_answer(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 0, 6).await;
    let actor = Uuid::from_u128(1);
    let request = async |hash: u8, add: &str| -> Result<(Claimed, bool), Error> {
        let mut tx = hall.begin().await;
        let claimed = idempotency::claim(&mut tx, "key-1", actor, &[hash; 32]).await?;
        if claimed != Claimed::New {
            return Ok((claimed, false));
        }
        let mut event = hall.lock(&mut tx).await;
        let numbers = entries::add(&mut tx, &hall.change(1), &mut event, vec![player(add)]).await?;
        let answer = Answer {
            status: 201,
            headers: vec![("etag".to_owned(), "\"1\"".to_owned())],
            body: numbers[0].to_string().into_bytes(),
        };
        idempotency::complete(&mut tx, "key-1", actor, &[hash; 32], moment(1), &answer).await?;
        tx.commit().await?;
        Ok((Claimed::Replay(answer), true))
    };
    // A request that is refused leaves its key free.
    assert!(request(1, "").await.is_err());
    let done = together(5, async |_| request(1, "A").await.expect("answered")).await;
    assert_eq!(done.iter().filter(|(_, worked)| *worked).count(), 1);
    assert!(done.iter().all(|(answer, _)| *answer == done[0].0), "{done:?}");
    assert_eq!(hall.event().await.stage.entries.len(), 1);
    assert_eq!(request(2, "B").await.expect("asked").0, Claimed::Conflict);
    let mut tx = hall.begin().await;
    let other = idempotency::claim(&mut tx, "key-1", Uuid::from_u128(2), &[1; 32])
        .await
        .expect("asked");
    assert_eq!(other, Claimed::New, "another user's keys are others");
    assert_eq!(idempotency::purge(&mut tx, moment(2)).await.expect("purged"), 1);
    let again = idempotency::claim(&mut tx, "key-1", actor, &[1; 32])
        .await
        .expect("asked");
    assert_eq!(again, Claimed::New);
}

#[sqlx::test(migrations = "../../migrations")]
async fn migrations_may_run_at_once_and_again(options: PgPoolOptions, connect: PgConnectOptions) {
    let pool = options
        .max_connections(4)
        .connect_with(connect)
        .await
        .expect("a pool");
    let store = Store::from(pool);
    let (one, other) = tokio::join!(store.migrate(), store.migrate());
    one.expect("migrated");
    other.expect("migrated");
    store.ping().await.expect("alive");
}

#[sqlx::test(migrations = "../../migrations")]
async fn one_address_goes_to_one_event(options: PgPoolOptions, connect: PgConnectOptions) {
    let hall = hall(options, connect, 0, 6).await;
    let create = async |slug: Option<&str>| {
        let new = events::NewEvent {
            slug: slug.map(str::to_owned),
            ..new_event("Autumn Open", 5)
        };
        let mut tx = hall.begin().await;
        let event = events::create(&mut tx, &hall.change(1), new).await?;
        tx.commit().await?;
        Ok::<_, Error>(event.slug)
    };
    let (mut slugs, refused) = refusals(together(4, async |_| create(None).await).await);
    slugs.sort_unstable();
    assert_eq!(
        slugs,
        ["autumn-open", "autumn-open-2", "autumn-open-3", "autumn-open-4"]
    );
    assert_eq!(refused, []);
    let (slugs, refused) = refusals(together(4, async |_| create(Some("cup")).await).await);
    assert_eq!((slugs.len(), refused.len()), (1, 3));
    let slug = "cup".to_owned();
    assert!(
        refused
            .iter()
            .all(|reason| *reason == Refused::SlugTaken { slug: slug.clone() }),
        "{refused:?}"
    );
}

/// Whoever asks goes away at any moment: a page is closed, a request is given up.
#[sqlx::test(migrations = "../../migrations")]
async fn a_transaction_that_is_given_up_while_it_begins_stays_open_for_nobody(pool: PgPool) {
    let one = PgPoolOptions::new()
        .max_connections(1)
        .connect_with((*pool.connect_options()).clone())
        .await
        .expect("a connection");
    let backend: i32 = sqlx::query_scalar("select pg_backend_pid()")
        .fetch_one(&one)
        .await
        .expect("a number");
    let store = Store::from(one.clone());
    for patience in 0..60 {
        let begins = async {
            if patience % 2 == 0 {
                drop(store.begin().await);
            } else {
                drop(store.snapshot().await);
            }
        };
        let given_up = async {
            for _ in 0..patience {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! { biased; () = begins => {}, () = given_up => {} }
        // The next in turn gets the same connection.
        sqlx::query("select 1").execute(&one).await.expect("it goes on");
        let state: String = sqlx::query_scalar("select state from pg_stat_activity where pid = $1")
            .bind(backend)
            .fetch_one(&pool)
            .await
            .expect("its state");
        assert_eq!(state, "idle", "given up after {patience} looks");
    }
}

// They are asked of the database as one, and each is answered as if it were alone.
#[sqlx::test(migrations = "../../migrations")]
async fn who_asks_at_the_same_time_gets_the_own_answer_and_never_an_old_one(
    options: PgPoolOptions,
    connect: PgConnectOptions,
) {
    let hall = hall(options, connect, 0, 4).await;
    let user = async |name: &str| {
        let mut tx = hall.begin().await;
        let user = accounts::add_user(&mut tx, &hall.change(1), name, None, Role::Director).await;
        tx.commit().await.expect("committed");
        user.expect("a user").id
    };
    let users = [user("Zhao").await, user("Qian").await, user("Sun").await];
    let mut tokens = Vec::new();
    let mut tx = hall.begin().await;
    for (hash, user) in (0_u8..).zip(users) {
        let (change, kept) = (hall.change(1), [hash; 32]);
        let made = accounts::add_token(&mut tx, &change, user, "laptop", Scope::Reading, &kept).await;
        tokens.push(made.expect("a token").id);
        let until = (moment(1), moment(20 + u32::from(hash)));
        accounts::create_session(&mut tx, user, &[hash; 32], "Firefox", until.0, until.1)
            .await
            .expect("a session");
    }
    tx.commit().await.expect("committed");

    let holders = async || {
        together(40, async |hand| {
            let hash = u8::try_from(hand % 4).expect("small");
            let found = accounts::holder(&hall.store, &[hash; 32]).await.expect("asked");
            (hash, found.map(|(token, user)| (token.id, user.id)))
        })
        .await
    };
    for (hash, found) in holders().await {
        let at = usize::from(hash);
        assert_eq!(found, tokens.get(at).copied().zip(users.get(at).copied()));
    }
    // Whoever asks after it was revoked hears of it, whatever others are asking.
    let mut tx = hall.begin().await;
    accounts::revoke_token(&mut tx, &hall.change(2), tokens[1])
        .await
        .expect("revoked");
    let asking = async {
        tx.commit().await.expect("committed");
        holders().await
    };
    let (_, after) = tokio::join!(holders(), asking);
    for (hash, found) in after {
        assert_eq!(found.is_some(), hash == 0 || hash == 2, "{hash}");
    }
    // A session has run out for whoever asks later, and not for whoever asks at the same time but before.
    let sessions = together(40, async |hand| {
        let (hash, minute) = (u8::try_from(hand % 3).expect("small"), 19 + hand / 3 % 5);
        let found = accounts::session(&hall.store, &[hash; 32], moment(minute)).await;
        (hash, minute, found.expect("asked"))
    })
    .await;
    for (hash, minute, found) in sessions {
        let works = minute < 20 + u32::from(hash);
        assert_eq!(
            found.map(|found| found.user.id),
            works.then_some(users[usize::from(hash)])
        );
    }
    // Where they stand, by id, by slug, and nowhere.
    let id = hall.event().await.id;
    let keys = [
        hall.key.clone(),
        id.to_string(),
        "elsewhere".to_owned(),
        "\0".to_owned(),
    ];
    let standings = together(40, async |hand| {
        let at = usize::try_from(hand % 4).expect("small");
        let user = users.get(usize::try_from(hand % 5).expect("small")).copied();
        let found = people::standing(&hall.store, &keys[at], user)
            .await
            .expect("asked");
        (at, found.map(|found| (found.event, found.role)))
    })
    .await;
    for (at, found) in standings {
        assert_eq!(found, (at < 2).then_some((id, None)));
    }
    // Whoever goes away takes nobody else's answer along.
    let mut going = Box::pin(holders());
    let asked = std::future::poll_fn(|context| Poll::Ready(going.as_mut().poll(context).is_pending()));
    assert!(asked.await);
    drop(going);
    assert_eq!(holders().await.len(), 40);
    // And when there is no answer, nobody waits for ever.
    hall.pool.close().await;
    let refused = together(9, async |_| accounts::holder(&hall.store, &[0; 32]).await).await;
    assert!(
        refused
            .iter()
            .all(|answer| answer.as_ref().is_err_and(Error::is_transient))
    );
}
