//! What a backup asks of the database: a moment to copy it at, and a place to put a copy in.
//!
//! A copy is made by PostgreSQL's own programs; here is what they must be told, and what has to be
//! true before and after. The statements go to whichever database is named, so they are not those
//! that the build checks.

use std::fmt;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection as _, PgConnection, Row as _};
use url::Url;

use crate::{MIGRATOR, Result};

/// The lock of whoever restores into a cluster; any number that nobody else uses.
const RESTORE_LOCK: i64 = 0x7469_616e_7975_616e;

/// PostgreSQL cuts longer names.
const LONGEST_NAME: usize = 63;

/// The number of the last migration that this program knows.
pub fn newest_migration() -> i64 {
    MIGRATOR.iter().map(|one| one.version).max().unwrap_or(0)
}

/// Where a database is, as the environment of PostgreSQL's programs: unlike their arguments, it is
/// seen by nobody else on the machine.
#[derive(Clone)]
pub struct Reach(Vec<(&'static str, String)>);

impl Reach {
    /// Of a `postgres://` address.
    ///
    /// # Errors
    /// When it is none.
    pub fn of(url: &str) -> Result<Self> {
        let options: PgConnectOptions = url.parse()?;
        let host = options.get_socket().map_or_else(
            || options.get_host().to_owned(),
            |socket| socket.to_string_lossy().into_owned(),
        );
        let ssl = match options.get_ssl_mode() {
            PgSslMode::Disable => "disable",
            PgSslMode::Allow => "allow",
            PgSslMode::Require => "require",
            PgSslMode::VerifyCa => "verify-ca",
            PgSslMode::VerifyFull => "verify-full",
            PgSslMode::Prefer => "prefer",
        };
        let mut reach = vec![
            ("PGHOST", host),
            ("PGPORT", options.get_port().to_string()),
            ("PGUSER", options.get_username().to_owned()),
            ("PGDATABASE", database_name(&options)),
            ("PGSSLMODE", ssl.to_owned()),
            ("PGCONNECT_TIMEOUT", "10".to_owned()),
            ("PGAPPNAME", "tianyuan backup".to_owned()),
        ];
        // What the driver keeps to itself.
        let url = Url::parse(url).map_err(|error| sqlx::Error::Configuration(error.into()))?;
        if let Some(password) = url.password() {
            reach.push(("PGPASSWORD", percent_decoded(password)));
        }
        for (name, value) in url.query_pairs() {
            let variable = match &*name {
                "password" => "PGPASSWORD",
                "sslrootcert" | "ssl-root-cert" => "PGSSLROOTCERT",
                "sslcert" | "ssl-cert" => "PGSSLCERT",
                "sslkey" | "ssl-key" => "PGSSLKEY",
                _ => continue,
            };
            reach.push((variable, value.into_owned()));
        }
        Ok(Self(reach))
    }

    /// The variables. Those that would lead elsewhere are to be taken out of the environment:
    /// `PGSERVICE`, `PGHOSTADDR`, `PGOPTIONS`.
    pub fn variables(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

impl fmt::Debug for Reach {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.variables().filter(|(name, _)| *name != "PGPASSWORD"))
            .finish()
    }
}

fn database_name(options: &PgConnectOptions) -> String {
    // As PostgreSQL has it: without a name, that of the user.
    options
        .get_database()
        .unwrap_or_else(|| options.get_username())
        .to_owned()
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .filter(|_| first == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(digits.unwrap_or(first));
        rest = &after[if digits.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is in a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The last migration it has seen; 0 where there was none.
    pub migration: i64,
    /// Events.
    pub events: u64,
    /// Acts in the logs of events.
    pub acts: u64,
    /// Accounts.
    pub accounts: u64,
    /// Tables that are not this program's, where none of its own are.
    pub foreign_tables: u64,
}

impl Contents {
    /// Whether nothing is lost with it: a server may have been started on it, no more.
    pub fn is_empty(&self) -> bool {
        self.events == 0 && self.acts == 0 && self.accounts == 0 && self.foreign_tables == 0
    }

    async fn of(conn: &mut PgConnection) -> Result<Self> {
        let ours: bool = sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null")
            .fetch_one(&mut *conn)
            .await?;
        if !ours {
            let tables: i64 = sqlx::query_scalar(
                "select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
                 where c.relkind in ('r', 'p')
                     and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')",
            )
            .fetch_one(conn)
            .await?;
            return Ok(Self {
                foreign_tables: tables.unsigned_abs(),
                ..Self::default()
            });
        }
        let migration: i64 =
            sqlx::query_scalar("select coalesce(max(version), 0) from _sqlx_migrations where success")
                .fetch_one(&mut *conn)
                .await?;
        let mut contents = Self {
            migration,
            ..Self::default()
        };
        // A server that was killed before its first migration leaves the list of migrations alone.
        if migration > 0 {
            let row = sqlx::query(
                "select (select count(*) from events), (select count(*) from log), (select count(*) from users)",
            )
            .fetch_one(conn)
            .await?;
            let count = |column: usize| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
            (contents.events, contents.acts, contents.accounts) = (count(0)?, count(1)?, count(2)?);
        }
        Ok(contents)
    }
}

/// A moment of a database, held for as long as a copy is made of it.
#[derive(Debug)]
pub struct Snapshot {
    conn: PgConnection,
    /// The name by which `pg_dump --snapshot` shares the moment.
    pub id: String,
    /// What is there.
    pub contents: Contents,
    /// The major version of the server.
    pub major: u32,
}

impl Snapshot {
    /// Takes a moment of the database of a `postgres://` address.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take(url: &str) -> Result<Self> {
        let options: PgConnectOptions = url.parse()?;
        let options = options.application_name("tianyuan backup");
        let mut conn = options.connect().await?;
        sqlx::raw_sql("begin isolation level repeatable read read only")
            .execute(&mut conn)
            .await?;
        let id = sqlx::query_scalar("select pg_export_snapshot()")
            .fetch_one(&mut conn)
            .await?;
        let contents = Contents::of(&mut conn).await?;
        let major = major(&mut conn).await?;
        Ok(Self {
            conn,
            id,
            contents,
            major,
        })
    }

    /// Lets go of the moment.
    ///
    /// # Errors
    /// When the database is gone: what was copied of this moment may then not be whole.
    pub async fn end(mut self) -> Result<()> {
        sqlx::raw_sql("commit").execute(&mut self.conn).await?;
        Ok(self.conn.close().await?)
    }
}

async fn major(conn: &mut PgConnection) -> Result<u32> {
    let version: i32 = sqlx::query_scalar("select current_setting('server_version_num')::int")
        .fetch_one(conn)
        .await?;
    Ok(version.unsigned_abs() / 10_000)
}

/// What is in the database of a `postgres://` address.
///
/// # Errors
/// When the database fails.
pub async fn contents(url: &str) -> Result<Contents> {
    let options: PgConnectOptions = url.parse()?;
    let mut conn = options.connect().await?;
    let contents = Contents::of(&mut conn).await?;
    conn.close().await?;
    Ok(contents)
}

/// How much has been written to the database since its counters began, sessions included: the same
/// number twice means that nothing was.
///
/// # Errors
/// When the database fails.
pub async fn writes(url: &str) -> Result<i64> {
    let options: PgConnectOptions = url.parse()?;
    let mut conn = options.application_name("tianyuan backup").connect().await?;
    let writes = sqlx::query_scalar(
        "select tup_inserted + tup_updated + tup_deleted from pg_stat_database where datname = current_database()",
    )
    .fetch_one(&mut conn)
    .await?;
    conn.close().await?;
    Ok(writes)
}

/// A database that is to become what a backup holds, and the server it is on.
///
/// The copy goes into a database beside it, which takes its name when it is whole; until then the
/// old one is as it was.
#[derive(Debug)]
pub struct Target {
    options: PgConnectOptions,
    /// To another database of the same server: none can be renamed while somebody is in it.
    conn: PgConnection,
    name: String,
    /// The major version of the server.
    pub major: u32,
}

/// Why a copy cannot take a database's name.
#[derive(Debug, thiserror::Error)]
pub enum Kept {
    /// Somebody is in the old database.
    #[error("somebody uses the database")]
    InUse,
    /// The database failed.
    #[error(transparent)]
    Failed(#[from] crate::Error),
}

impl Target {
    /// The database of a `postgres://` address, which need not be there; `None` while somebody else
    /// restores on the same server.
    ///
    /// # Errors
    /// When the server does not answer, or lets this user see neither `postgres` nor `template1`.
    pub async fn open(url: &str) -> Result<Option<Self>> {
        let options: PgConnectOptions = url.parse()?;
        let options = options.application_name("tianyuan restore");
        let name = database_name(&options);
        if name.len() + RESTORING.len().max(REPLACED.len()) > LONGEST_NAME {
            return Err(sqlx::Error::Configuration(
                format!("the name of the database, {name}, is too long to put another one beside it").into(),
            )
            .into());
        }
        let mut conn = match options.clone().database("postgres").connect().await {
            Ok(conn) => conn,
            Err(sqlx::Error::Database(_)) => options.clone().database("template1").connect().await?,
            Err(error) => return Err(error.into()),
        };
        let alone: bool = sqlx::query_scalar("select pg_try_advisory_lock($1)")
            .bind(RESTORE_LOCK)
            .fetch_one(&mut conn)
            .await?;
        let major = major(&mut conn).await?;
        Ok(alone.then_some(Self {
            options,
            conn,
            name,
            major,
        }))
    }

    /// The database's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who is in the database, by the names of the programs.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn users(&mut self) -> Result<Vec<String>> {
        let users = sqlx::query_scalar(
            "select distinct coalesce(nullif(application_name, ''), 'a program') from pg_stat_activity
             where datname = $1 order by 1",
        )
        .bind(&self.name)
        .fetch_all(&mut self.conn)
        .await?;
        Ok(users)
    }

    /// What is in the database now; nothing where there is none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn contents(&mut self) -> Result<Contents> {
        if !self.exists(&self.name.clone()).await? {
            return Ok(Contents::default());
        }
        let mut conn = self.options.clone().connect().await?;
        let contents = Contents::of(&mut conn).await?;
        conn.close().await?;
        Ok(contents)
    }

    /// Makes an empty database beside it, after removing what a restore that was killed left.
    ///
    /// # Errors
    /// When the user may not make databases.
    pub async fn make_beside(&mut self) -> Result<Beside> {
        let name = format!("{}{RESTORING}", self.name);
        self.drop_database(&name).await?;
        if self.exists(&self.name.clone()).await? {
            self.drop_database(&format!("{}{REPLACED}", self.name)).await?;
        }
        let made = format!(
            "create database {} template template0 encoding 'UTF8'",
            quoted(&name)
        );
        self.run(made).await?;
        Ok(Beside {
            options: self.options.clone().database(&name),
            name,
        })
    }

    /// Gives the database beside it its name, in one step, and then removes the old one.
    ///
    /// # Errors
    /// [`Kept::InUse`] when somebody is in the old one, which then stays.
    pub async fn replace(&mut self, beside: &Beside) -> std::result::Result<(), Kept> {
        let old = format!("{}{REPLACED}", self.name);
        let there = self.exists(&self.name.clone()).await?;
        let (name, new) = (quoted(&self.name), quoted(&beside.name));
        let aside = if there {
            format!("alter database {name} rename to {};", quoted(&old))
        } else {
            String::new()
        };
        let steps = format!("begin; {aside} alter database {new} rename to {name}; commit;");
        if let Err(error) = self.run(steps).await {
            let _ = self.run("rollback".to_owned()).await;
            let in_use = matches!(&error, crate::Error::Database(sqlx::Error::Database(told))
                if told.code().is_some_and(|code| code == "55006"));
            return Err(if in_use { Kept::InUse } else { Kept::Failed(error) });
        }
        if there {
            self.drop_database(&old).await?;
        }
        Ok(())
    }

    /// Removes the database beside it.
    ///
    /// # Errors
    /// When the database fails; the next restore removes it then.
    pub async fn give_up(&mut self, beside: &Beside) -> Result<()> {
        self.drop_database(&beside.name).await
    }

    async fn exists(&mut self, name: &str) -> Result<bool> {
        Ok(
            sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
                .bind(name)
                .fetch_one(&mut self.conn)
                .await?,
        )
    }

    /// What is still connected is a program of ours that is ending, or one that was killed.
    async fn drop_database(&mut self, name: &str) -> Result<()> {
        self.run(format!("drop database if exists {} with (force)", quoted(name)))
            .await
    }

    async fn run(&mut self, statements: String) -> Result<()> {
        // Names cannot be bound; each is quoted.
        sqlx::raw_sql(AssertSqlSafe(statements))
            .execute(&mut self.conn)
            .await?;
        Ok(())
    }
}

const RESTORING: &str = "_tianyuan_restoring";
const REPLACED: &str = "_tianyuan_replaced";

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The database that a backup is put into.
#[derive(Clone, Debug)]
pub struct Beside {
    options: PgConnectOptions,
    name: String,
}

impl Beside {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is in it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn contents(&self) -> Result<Contents> {
        let mut conn = self.options.clone().connect().await?;
        let contents = Contents::of(&mut conn).await?;
        conn.close().await?;
        Ok(contents)
    }

    /// Brings it up to this version, and has the database count what lies in it.
    ///
    /// # Errors
    /// When a step fails.
    pub async fn migrate(&self) -> Result<()> {
        let pool = sqlx::postgres::PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(Duration::from_secs(10))
            .connect_with(self.options.clone())
            .await?;
        MIGRATOR.run(&pool).await?;
        sqlx::raw_sql("analyze").execute(&pool).await?;
        pool.close().await;
        Ok(())
    }
}

/// Databases as earlier versions left them.
pub mod testing {
    use std::borrow::Cow;

    use sqlx::migrate::Migrator;
    use sqlx::postgres::PgPoolOptions;

    use crate::{MIGRATOR, Result};

    /// Brings an empty database up to an earlier migration, with one account in it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn migrate_to(url: &str, migration: i64) -> Result<()> {
        let pool = PgPoolOptions::new().max_connections(1).connect(url).await?;
        let earlier = MIGRATOR.iter().filter(|one| one.version <= migration).cloned();
        let migrator = Migrator {
            migrations: Cow::Owned(earlier.collect()),
            ..Migrator::DEFAULT
        };
        migrator.run(&pool).await?;
        sqlx::raw_sql(
            "insert into users (user_id, name, name_folded, role, created_at)
             values (gen_random_uuid(), 'Wu', 'wu', 'admin', now())",
        )
        .execute(&pool)
        .await?;
        pool.close().await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_becomes_an_environment_and_its_password_is_never_shown() {
        let reach =
            Reach::of("postgres://go:a%40b%25@db.example:5433/open?sslmode=require&sslrootcert=/ca.pem")
                .expect("an address");
        let found: Vec<_> = reach.variables().collect();
        for pair in [
            ("PGHOST", "db.example"),
            ("PGPORT", "5433"),
            ("PGUSER", "go"),
            ("PGDATABASE", "open"),
            ("PGSSLMODE", "require"),
            ("PGPASSWORD", "a@b%"),
            ("PGSSLROOTCERT", "/ca.pem"),
        ] {
            assert!(found.contains(&pair), "{pair:?}: {found:?}");
        }
        assert!(!format!("{reach:?}").contains("a@b"));
        let socket = Reach::of("postgres:///tianyuan?host=/srv/go/run&port=5432&user=tianyuan").expect("one");
        assert!(socket.variables().any(|pair| pair == ("PGHOST", "/srv/go/run")));
        assert!(Reach::of("nonsense").is_err());
    }
}
