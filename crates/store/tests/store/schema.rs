use sqlx::PgPool;
use store::events;
use store::log::Filter;

use crate::support::Hall;

#[sqlx::test(migrations = "../../migrations")]
async fn every_key_of_an_event_begins_with_the_event(pool: PgPool) {
    let of_the_site = [
        "users",
        "sessions",
        "api_tokens",
        "setup_tokens",
        "invitations",
        "idempotency_keys",
        "site_log",
        "families",
        "family_people",
        "attempts",
    ];
    let keys: Vec<(String, String)> = sqlx::query_as(
        "select c.relname::text, a.attname::text
         from pg_index i join pg_class c on c.oid = i.indrelid
         join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
         join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
         where i.indisprimary and c.relname <> '_sqlx_migrations'",
    )
    .fetch_all(&pool)
    .await
    .expect("keys");
    assert!(keys.len() > 15, "{keys:?}");
    for (table, first) in keys {
        let expected = !of_the_site.contains(&table.as_str());
        assert_eq!(first == "event_id", expected, "{table} ({first})");
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn every_constraint_was_given_its_name(pool: PgPool) {
    // A name that PostgreSQL makes up ends like this.
    let made_up: Vec<String> = sqlx::query_scalar(
        "select conname::text from pg_constraint c
         join pg_namespace n on n.oid = c.connamespace and n.nspname = 'public'
         where conrelid <> '_sqlx_migrations'::regclass
           and (conname ~ '_(pkey|fkey|check|excl)[0-9]*$' or conname ~ '_key[0-9]+$')",
    )
    .fetch_all(&pool)
    .await
    .expect("names");
    assert_eq!(made_up, Vec::<String>::new());
}

#[sqlx::test(migrations = "../../migrations")]
async fn nobody_can_rewrite_the_log(pool: PgPool) {
    let hall = Hall::open(pool, 5, 2).await;
    let before = hall.log(Filter::default()).await;
    for table in ["log", "site_log"] {
        for statement in [
            format!("update {table} set reason = 'no'"),
            format!("delete from {table}"),
            format!("delete from {table} where false"),
            format!("truncate {table}"),
        ] {
            let error = sqlx::query(sqlx::AssertSqlSafe(statement.clone()))
                .execute(&hall.pool)
                .await
                .expect_err(&statement);
            assert!(error.to_string().contains("append-only"), "{statement}: {error}");
        }
    }
    assert_eq!(hall.log(Filter::default()).await, before);
}

#[sqlx::test(migrations = "../../migrations")]
async fn the_database_itself_keeps_everybody_at_one_place(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    hall.round(&[(1, 2), (3, 4)], None).await;
    // Past all checks: number 1 on board 2 as well, and a second Black there.
    for place in ["black", "bye"] {
        let board = (place == "black").then_some(2);
        let error = sqlx::query(
            "insert into seats (event_id, stage_no, round_no, entry_id, place, board_no)
             select event_id, 1, 1, entry_id, $1, $2 from entries where number = 1",
        )
        .bind(place)
        .bind(board)
        .execute(&hall.pool)
        .await
        .expect_err("a second place");
        let refused = crate::support::refused::<()>(Err(store::Error::from(error)));
        assert_eq!(refused.code(), "constraint");
        assert_eq!(refused.to_string(), "a player has one place in a round");
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_snapshot_shows_one_moment_and_waits_for_nobody(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    let mut reading = hall.store.snapshot().await.expect("a snapshot");
    let first = events::find(&mut reading, &hall.key)
        .await
        .expect("found")
        .expect("there");
    let mut writing = hall.begin().await;
    let locked = hall.lock(&mut writing).await;
    // The event is locked, and can be read all the same.
    let again = events::find(&mut reading, &hall.key)
        .await
        .expect("found")
        .expect("there");
    assert_eq!(first, again);
    drop(locked);
    writing.commit().await.expect("committed");
    hall.round(&[(1, 2), (3, 4)], None).await;
    let still = events::find(&mut reading, &hall.key)
        .await
        .expect("found")
        .expect("there");
    assert_eq!(first, still);
}
