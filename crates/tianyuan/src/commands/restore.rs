//! `tianyuan restore`: a backup becomes the database again, wholly or not at all.

use std::path::PathBuf;
use std::process::Stdio;

use private_postgres::{Client, Options};
use store::backup::{Beside, Kept, Target};

use super::database::{self, DATABASE};
use crate::backup::file::{Backup, Manifest};
use crate::backup::{ended, listen, program, told};
use crate::failure::Failure;
use crate::output;

/// Put a backup in the place of the database, with the server stopped.
///
/// The backup goes into a database of its own first, is brought up to this version, and takes the
/// place of the old one in one step when it is whole; until then the old one is as it was.
#[derive(clap::Args)]
pub struct Args {
    /// The file that `tianyuan backup` or the server made.
    file: PathBuf,
    /// Give up what the database holds now.
    #[arg(long, conflicts_with = "check")]
    replace: bool,
    /// Only read the file through and say what it holds.
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    database: database::Args,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let backup = Backup::open(&args.file)?;
    if args.check {
        return say(args, "whole", &backup.manifest);
    }
    let manifest = backup.manifest.clone();
    database::runtime()?.block_on(async {
        if let Some(url) = args.database.url() {
            return restore(args, backup, &url).await;
        }
        let data_dir = args.database.data_dir();
        let cluster = private_postgres::start(&Options::durable(&data_dir))
            .await
            .map_err(|error| database::in_lines(&error))?;
        let restored = restore(args, backup, &cluster.database_url(DATABASE)).await;
        let stopped = cluster.stop().await;
        restored?;
        stopped.map_err(|error| Failure::Internal(error.to_string()))
    })?;
    say(args, "restored", &manifest)
}

fn say(args: &Args, what: &str, manifest: &Manifest) -> Result<(), Failure> {
    output::answer(&format!(
        "{}: {what}, taken at {} by tianyuan {}: {}\n",
        args.file.display(),
        manifest.taken_at.format("%Y-%m-%d %H:%M:%S UTC"),
        manifest.version,
        told(&manifest.contents),
    ))
}

async fn restore(args: &Args, backup: Backup, url: &str) -> Result<(), Failure> {
    let mut target = Target::open(url)
        .await
        .map_err(database::unreachable)?
        .ok_or_else(|| Failure::no("somebody else restores on this PostgreSQL: wait until that is done"))?;
    let manifest = &backup.manifest;
    if target.major < manifest.postgres {
        return Err(Failure::no(format!(
            "the backup was taken from PostgreSQL {}, and this is PostgreSQL {}, which cannot read it: \
             restore into PostgreSQL {} or newer",
            manifest.postgres, target.major, manifest.postgres
        )));
    }
    let users = target.users().await.map_err(database::failure)?;
    if !users.is_empty() {
        return Err(in_use(target.name(), &users));
    }
    let contents = target.contents().await.map_err(database::failure)?;
    if !contents.is_empty() && !args.replace {
        let holds = if contents.foreign_tables > 0 {
            format!("{} tables of another program", contents.foreign_tables)
        } else {
            told(&contents)
        };
        return Err(Failure::no(format!(
            "the database {} is not empty: it holds {holds}. Add --replace to give that up (a backup of it \
             first does no harm), or name another database",
            target.name()
        )));
    }
    let client = Client::find(target.major).map_err(|error| database::in_lines(&error))?;
    let beside = target.make_beside().await.map_err(|error| {
        let said = database::failure(error);
        Failure::No(vec![format!(
            "the backup needs a database of its own beside {} until it is whole: {} (ALTER ROLE … CREATEDB \
             lets a user make databases)",
            target.name(),
            said.lines().join(" ")
        )])
    })?;
    let replaced = match fill(&client, url, backup, &beside).await {
        Ok(()) => target.replace(&beside).await,
        Err(failure) => {
            // What fails here too is removed by the next restore.
            let _ = target.give_up(&beside).await;
            return Err(failure);
        }
    };
    match replaced {
        Ok(()) => Ok(()),
        Err(kept) => {
            let _ = target.give_up(&beside).await;
            Err(match kept {
                Kept::Failed(error) => database::failure(error),
                Kept::InUse => {
                    let users = target.users().await.unwrap_or_default();
                    in_use(target.name(), &users)
                }
            })
        }
    }
}

fn in_use(name: &str, users: &[String]) -> Failure {
    Failure::no(format!(
        "the database {name} is in use (by {}), and nothing was changed: stop every server that uses it, \
         then restore",
        users.join(", ")
    ))
}

/// Puts the backup into the database made for it, compares, and brings it up to this version.
async fn fill(client: &Client, url: &str, backup: Backup, beside: &Beside) -> Result<(), Failure> {
    let manifest = backup.manifest.clone();
    let dump = backup
        .dump()
        .map_err(|error| Failure::input(format!("the backup cannot be read: {error}")))?;
    // A name could be taken for a list of settings.
    let name = beside.name().replace('\\', r"\\").replace('\'', r"\'");
    let mut restore = program(&client.pg_restore(), url)?
        .args([
            "--no-owner",
            "--no-privileges",
            "--single-transaction",
            "--exit-on-error",
        ])
        .arg(format!("--dbname=dbname='{name}'"))
        .stdin(Stdio::from(dump))
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| Failure::Internal(format!("{}: {error}", client.pg_restore().display())))?;
    let words = listen(&mut restore);
    ended(restore, words, "pg_restore", Ok(())).await?;
    let found = beside.contents().await.map_err(database::failure)?;
    if found != manifest.contents {
        return Err(Failure::Internal(format!(
            "the backup says it holds {}, and {} came out of it",
            told(&manifest.contents),
            told(&found)
        )));
    }
    beside.migrate().await.map_err(database::failure)
}
