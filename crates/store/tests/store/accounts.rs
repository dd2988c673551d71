use chrono::TimeDelta;
use sqlx::PgPool;
use store::{Refused, Role, Scope, accounts, attempts};

use crate::support::{Hall, moment, refused};

#[sqlx::test(migrations = "../../migrations")]
async fn users_sign_in_and_out(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut tx = hall.begin().await;
    let change = hall.change(1);
    let user = accounts::add_user(&mut tx, &change, " Ōno ", Some("hash"), Role::Director)
        .await
        .expect("a user");
    assert_eq!(user.name, "Ōno");
    let taken = refused(accounts::add_user(&mut tx, &change, "ŌNO", None, Role::Admin).await);
    assert_eq!(
        taken,
        Refused::UserExists {
            name: "ŌNO".to_owned()
        }
    );
    // A refusal that the database did not have to make leaves the transaction usable.
    assert_eq!(
        refused(accounts::add_user(&mut tx, &change, " ", None, Role::Admin).await),
        Refused::EmptyName
    );
    let found = accounts::find_user_by_name(&mut tx, "ōno").await.expect("asked");
    assert_eq!(found.as_ref(), Some(&user));
    assert_eq!(
        accounts::find_user_by_name(&mut tx, "nobody")
            .await
            .expect("asked"),
        None
    );

    accounts::create_session(&mut tx, user.id, &[1; 32], "Firefox", moment(0), moment(10))
        .await
        .expect("a session");
    let session = accounts::find_session(&mut tx, &[1; 32], moment(9))
        .await
        .expect("asked");
    assert_eq!(session.map(|session| session.user), Some(user.clone()));
    assert_eq!(
        accounts::find_session(&mut tx, &[1; 32], moment(10))
            .await
            .expect("asked"),
        None
    );
    assert_eq!(
        accounts::find_session(&mut tx, &[2; 32], moment(1))
            .await
            .expect("asked"),
        None
    );
    // A new password ends what was begun with the old one.
    accounts::set_password(&mut tx, &change, user.id, "another")
        .await
        .expect("set");
    assert_eq!(
        accounts::find_session(&mut tx, &[1; 32], moment(1))
            .await
            .expect("asked"),
        None
    );
    accounts::create_session(&mut tx, user.id, &[3; 32], "Firefox", moment(0), moment(10))
        .await
        .expect("a session");
    accounts::create_session(&mut tx, user.id, &[4; 32], "Firefox", moment(0), moment(20))
        .await
        .expect("a session");
    assert_eq!(
        accounts::purge_sessions(&mut tx, moment(15))
            .await
            .expect("purged"),
        1
    );
    accounts::delete_session(&mut tx, &[4; 32]).await.expect("ended");
    accounts::delete_session(&mut tx, &[4; 32])
        .await
        .expect("ended already");
    assert_eq!(
        accounts::find_session(&mut tx, &[4; 32], moment(1))
            .await
            .expect("asked"),
        None
    );
    assert_eq!(accounts::users(&mut tx).await.expect("users").len(), 1);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_session_lasts_while_it_is_used(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut tx = hall.begin().await;
    let user = accounts::add_user(&mut tx, &hall.change(0), "used", None, Role::Director)
        .await
        .expect("a user");
    let end = moment(0) + TimeDelta::days(14);
    accounts::create_session(&mut tx, user.id, &[1; 32], "Firefox", moment(0), end)
        .await
        .expect("a session");
    let idle = accounts::SESSION_IDLE;
    let last = moment(0) + idle - TimeDelta::seconds(1);
    let found = accounts::find_session(&mut tx, &[1; 32], last)
        .await
        .expect("asked");
    let found = found.expect("used a moment ago");
    accounts::use_session(&mut tx, found.id, last)
        .await
        .expect("used");
    let later = last + idle - TimeDelta::seconds(1);
    let found = accounts::find_session(&mut tx, &[1; 32], later)
        .await
        .expect("asked");
    assert_eq!(found.map(|found| found.used_at), Some(last));
    let too_late = last + idle;
    let found = accounts::find_session(&mut tx, &[1; 32], too_late)
        .await
        .expect("asked");
    assert_eq!(found, None);
    let listed = accounts::sessions(&mut tx, user.id, too_late)
        .await
        .expect("asked");
    assert_eq!(listed, []);
    assert_eq!(
        accounts::purge_sessions(&mut tx, too_late).await.expect("purged"),
        1
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn attempts_are_counted_until_their_window_has_passed(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut tx = hall.begin().await;
    let window = TimeDelta::minutes(10);
    for _ in 0..3 {
        let counted = attempts::count(&mut tx, &[1; 32], 3, window, moment(0)).await;
        assert_eq!(counted.expect("counted"), Ok(()));
    }
    let late = moment(0) + TimeDelta::minutes(9);
    let counted = attempts::count(&mut tx, &[1; 32], 3, window, late).await;
    assert_eq!(counted.expect("counted"), Err(60));
    let other = attempts::count(&mut tx, &[2; 32], 3, window, late).await;
    assert_eq!(other.expect("counted"), Ok(()));
    // One of them was right after all.
    attempts::take_back(&mut tx, &[1; 32]).await.expect("taken back");
    for expected in [Ok(()), Err(60)] {
        let counted = attempts::count(&mut tx, &[1; 32], 3, window, late).await;
        assert_eq!(counted.expect("counted"), expected);
    }
    let passed = moment(0) + window;
    let counted = attempts::count(&mut tx, &[1; 32], 3, window, passed).await;
    assert_eq!(counted.expect("counted"), Ok(()));
    attempts::forget(&mut tx, &[1; 32]).await.expect("forgotten");
    attempts::purge(&mut tx, passed + window).await.expect("purged");
    attempts::take_back(&mut tx, &[2; 32])
        .await
        .expect("nothing to take back");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_session_of_nobody_is_refused(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut tx = hall.begin().await;
    let nobody = uuid::Uuid::from_u128(1);
    let session = accounts::create_session(&mut tx, nobody, &[1; 32], "Firefox", moment(0), moment(1)).await;
    assert_eq!(refused(session).to_string(), "there is no such user");
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_revoked_token_opens_nothing(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut tx = hall.begin().await;
    let change = hall.change(1);
    let user = accounts::add_user(&mut tx, &change, "api", None, Role::Director)
        .await
        .expect("a user");
    let token = accounts::add_token(&mut tx, &change, user.id, "laptop", Scope::Results, &[5; 32])
        .await
        .expect("a token");
    tx.commit().await.expect("committed");
    let found = accounts::holder(&hall.store, &[5; 32]).await.expect("asked");
    assert_eq!(found, Some((token.clone(), user.clone())));
    let mut tx = hall.begin().await;
    accounts::revoke_token(&mut tx, &hall.change(2), token.id)
        .await
        .expect("revoked");
    accounts::revoke_token(&mut tx, &hall.change(3), token.id)
        .await
        .expect("revoked already");
    tx.commit().await.expect("committed");
    let found = accounts::holder(&hall.store, &[5; 32]).await.expect("asked");
    assert_eq!(found, None);
    let mut tx = hall.begin().await;
    let kept = accounts::tokens(&mut tx, user.id).await.expect("tokens");
    assert_eq!(kept[0].revoked_at, Some(moment(2)));
    let unknown = accounts::revoke_token(&mut tx, &change, uuid::Uuid::from_u128(1)).await;
    assert_eq!(refused(unknown), Refused::UnknownToken);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_first_administrator_comes_by_a_link_that_works_once(pool: PgPool) {
    let hall = Hall::open(pool, 5, 0).await;
    let mut tx = hall.begin().await;
    accounts::create_setup_token(&mut tx, &[1; 32], moment(0), moment(30))
        .await
        .expect("a link");
    accounts::create_setup_token(&mut tx, &[2; 32], moment(0), moment(30))
        .await
        .expect("a link");
    tx.commit().await.expect("committed");

    let mut tx = hall.begin().await;
    for (hash, minute, open) in [([1; 32], 1, false), ([2; 32], 1, true), ([2; 32], 30, false)] {
        let asked = accounts::setup_token_is_open(&mut tx, &hash, moment(minute))
            .await
            .expect("asked");
        assert_eq!(asked, open, "{} at {minute}", hash[0]);
    }
    let late = accounts::consume_setup_token(&mut tx, &[2; 32], moment(30)).await;
    assert_eq!(refused(late), Refused::SetupLinkSpent);
    drop(tx);

    // Two visitors at once: one becomes the administrator.
    let visit = async |name: &str| -> Result<(), store::Error> {
        let mut tx = hall.begin().await;
        accounts::consume_setup_token(&mut tx, &[2; 32], moment(5)).await?;
        accounts::add_user(&mut tx, &hall.change(5), name, Some("hash"), Role::Admin).await?;
        tx.commit().await
    };
    let (one, other) = tokio::join!(visit("one"), visit("other"));
    assert_eq!(
        usize::from(one.is_ok()) + usize::from(other.is_ok()),
        1,
        "{one:?} {other:?}"
    );
    let second = one.and(other).map_err(|error| match error {
        store::Error::Refused(refused) => refused,
        error => panic!("{error:?}"),
    });
    assert_eq!(second, Err(Refused::AdminExists));
    let mut tx = hall.begin().await;
    assert!(accounts::has_admin(&mut tx).await.expect("asked"));
    let again = accounts::create_setup_token(&mut tx, &[3; 32], moment(6), moment(7)).await;
    assert_eq!(refused(again), Refused::AdminExists);
}
