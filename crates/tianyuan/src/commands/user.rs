//! `tianyuan user` and `tianyuan token`: who may direct, also while the server runs.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::process::{Command as Process, Stdio};

use chrono::{DateTime, Utc};
use clap::Subcommand;
use store::{Change, Role, Scope, Tx, accounts};
use uuid::Uuid;

use super::database::{self, actor, with_store};
use crate::failure::Failure;
use crate::output;
use crate::table::{Align, Table};

/// Manage users.
#[derive(clap::Args)]
pub struct UserArgs {
    #[command(subcommand)]
    command: UserCommand,
}

#[derive(Subcommand)]
enum UserCommand {
    /// Add a user who can sign in; also while the server runs.
    Add {
        /// The name to sign in with.
        name: String,
        /// What the user may do.
        #[arg(long, value_name = "admin|director|arbiter|viewer", value_parser = role)]
        role: Role,
        /// Read the password from the first line of the standard input. Without this it is asked
        /// for on the terminal; where there is none, one is made and printed once.
        #[arg(long)]
        password_stdin: bool,
        #[command(flatten)]
        database: database::Args,
    },
    /// List the users.
    List {
        #[command(flatten)]
        database: database::Args,
    },
    /// Give a user a new password: all sessions of the user end.
    Password {
        /// The user's name.
        name: String,
        /// Read the password from the first line of the standard input. Without this it is asked
        /// for on the terminal; where there is none, one is made and printed once.
        #[arg(long)]
        password_stdin: bool,
        #[command(flatten)]
        database: database::Args,
    },
    /// Give a user another role on the site.
    Role {
        /// The user's name.
        name: String,
        /// What the user may do.
        #[arg(value_name = "admin|director|arbiter|viewer", value_parser = role)]
        role: Role,
        #[command(flatten)]
        database: database::Args,
    },
    /// Close a user's account: sessions end, tokens open nothing; nothing is deleted.
    Disable {
        /// The user's name.
        name: String,
        #[command(flatten)]
        database: database::Args,
    },
    /// Open a closed account again.
    Enable {
        /// The user's name.
        name: String,
        #[command(flatten)]
        database: database::Args,
    },
}

/// Manage bearer tokens for programs.
#[derive(clap::Args)]
pub struct TokenArgs {
    #[command(subcommand)]
    command: TokenCommand,
}

#[derive(Subcommand)]
enum TokenCommand {
    /// Make a token for a user and print it once; also while the server runs.
    Add {
        /// The user's name.
        name: String,
        /// What the token is for, as the list of tokens shows it.
        #[arg(long, default_value = "command line")]
        purpose: String,
        /// What the token may do of what the user may: everything, see and enter results, or only see.
        #[arg(long, value_name = "everything|results|reading", default_value = "everything", value_parser = scope)]
        scope: Scope,
        #[command(flatten)]
        database: database::Args,
    },
    /// List the tokens of a user.
    List {
        /// The user's name.
        name: String,
        #[command(flatten)]
        database: database::Args,
    },
    /// Revoke a token: it opens nothing any more.
    Revoke {
        /// The token's id, as the list shows it.
        id: Uuid,
        #[command(flatten)]
        database: database::Args,
    },
}

fn scope(text: &str) -> Result<Scope, String> {
    text.parse()
        .map_err(|error: tournament::result::UnknownWord| error.to_string())
}

fn role(text: &str) -> Result<Role, String> {
    text.parse()
        .map_err(|error: tournament::result::UnknownWord| error.to_string())
}

/// Runs `tianyuan user`.
pub fn run_user(args: UserArgs) -> Result<(), Failure> {
    match args.command {
        UserCommand::Add {
            name,
            role,
            password_stdin,
            database,
        } => {
            let (password, made) = chosen(password_stdin)?;
            changed(&database, async |tx, change| {
                let user = web::auth::add_user(tx, change, &name, &password, role)
                    .await
                    .map_err(|error| database::refused(&error))?;
                Ok(format!("{} can sign in as {}\n", user.name, user.role.as_str()))
            })?;
            shown(&password, made)
        }
        UserCommand::Password {
            name,
            password_stdin,
            database,
        } => {
            let (password, made) = chosen(password_stdin)?;
            changed(&database, async |tx, change| {
                let user = find(tx, &name).await?;
                let hash = web::auth::hash_password(&user.name, &password)
                    .await
                    .map_err(|error| database::refused(&error))?;
                accounts::set_password(tx, change, user.id, &hash)
                    .await
                    .map_err(database::failure)?;
                web::auth::forgive(tx, &user.name)
                    .await
                    .map_err(|error| database::refused(&error))?;
                Ok(format!(
                    "{} has a new password; all sessions have ended\n",
                    user.name
                ))
            })?;
            shown(&password, made)
        }
        UserCommand::List { database } => changed(&database, async |tx, _| {
            let mut table = Table::new(
                ["name", "role", "since", "closed"]
                    .map(|head| (head.to_owned(), Align::Left))
                    .to_vec(),
            );
            for user in accounts::users(tx).await.map_err(database::failure)? {
                table.row(vec![
                    user.name,
                    user.role.as_str().to_owned(),
                    moment(user.created_at),
                    user.disabled_at.map(moment).unwrap_or_default(),
                ]);
            }
            Ok(table.print())
        }),
        UserCommand::Role { name, role, database } => changed(&database, async |tx, change| {
            let user = find(tx, &name).await?;
            accounts::set_role(tx, change, user.id, role)
                .await
                .map_err(database::failure)?;
            Ok(format!("{} is {} now\n", user.name, role.as_str()))
        }),
        UserCommand::Disable { name, database } => changed(&database, async |tx, change| {
            let user = find(tx, &name).await?;
            accounts::disable(tx, change, user.id)
                .await
                .map_err(database::failure)?;
            Ok(format!("the account {} is closed\n", user.name))
        }),
        UserCommand::Enable { name, database } => changed(&database, async |tx, change| {
            let user = find(tx, &name).await?;
            accounts::enable(tx, change, user.id)
                .await
                .map_err(database::failure)?;
            Ok(format!("the account {} is open\n", user.name))
        }),
    }
}

/// Runs `tianyuan token`.
pub fn run_token(args: TokenArgs) -> Result<(), Failure> {
    match args.command {
        TokenCommand::Add {
            name,
            purpose,
            scope,
            database,
        } => changed(&database, async |tx, change| {
            let user = find(tx, &name).await?;
            let token = web::auth::add_token(tx, change, user.id, &purpose, scope)
                .await
                .map_err(|error| database::refused(&error))?;
            Ok(format!("{token}\n"))
        }),
        TokenCommand::List { name, database } => changed(&database, async |tx, _| {
            let user = find(tx, &name).await?;
            let mut table = Table::new(
                ["id", "purpose", "scope", "since", "revoked"]
                    .map(|head| (head.to_owned(), Align::Left))
                    .to_vec(),
            );
            let tokens = accounts::tokens(tx, user.id).await.map_err(database::failure)?;
            for token in tokens {
                table.row(vec![
                    token.id.to_string(),
                    token.name,
                    token.scope.as_str().to_owned(),
                    moment(token.created_at),
                    token.revoked_at.map(moment).unwrap_or_default(),
                ]);
            }
            Ok(table.print())
        }),
        TokenCommand::Revoke { id, database } => changed(&database, async |tx, change| {
            accounts::revoke_token(tx, change, id)
                .await
                .map_err(database::failure)?;
            Ok(format!("the token {id} is revoked\n"))
        }),
    }
}

/// Does something in one transaction, and says what came of it.
fn changed<W>(database: &database::Args, work: W) -> Result<(), Failure>
where
    W: AsyncFnOnce(&mut Tx, &Change<'_>) -> Result<String, Failure>,
{
    with_store(database, async |store| {
        let mut tx = store.begin().await.map_err(database::failure)?;
        let actor = actor();
        let change = Change {
            actor: &actor,
            at: Utc::now(),
            reason: None,
            chance: web::state::chance(),
        };
        let said = work(&mut tx, &change).await?;
        tx.commit().await.map_err(database::failure)?;
        output::answer(&said)
    })
}

async fn find(tx: &mut Tx, name: &str) -> Result<accounts::User, Failure> {
    accounts::find_user_by_name(tx, name.trim())
        .await
        .map_err(database::failure)?
        .ok_or_else(|| {
            Failure::no(format!(
                "there is no user “{name}”: add one with tianyuan user add {name} --role director"
            ))
        })
}

/// A moment as a table shows it.
fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// The password that was given, or one that was made.
fn chosen(stdin: bool) -> Result<(String, bool), Failure> {
    let given = if stdin { Some(line_of_stdin()?) } else { asked()? };
    let made = given.is_none();
    Ok((given.unwrap_or_else(web::auth::generated_password), made))
}

/// Prints a password that was made.
fn shown(password: &str, made: bool) -> Result<(), Failure> {
    if made {
        output::answer(&format!("password: {password}\n"))
    } else {
        Ok(())
    }
}

fn line_of_stdin() -> Result<String, Failure> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(|error| {
        Failure::input(format!(
            "the password cannot be read from the standard input: {error}"
        ))
    })?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

/// A password typed twice on the terminal; none where there is no terminal, or where only Enter
/// was pressed.
fn asked() -> Result<Option<String>, Failure> {
    if !io::stdin().is_terminal() {
        return Ok(None);
    }
    let ask = |what: &str| {
        let _ = write!(io::stderr(), "{what}: ").and_then(|()| io::stderr().flush());
        let line = line_of_stdin();
        let _ = writeln!(io::stderr());
        line
    };
    let quiet = Quiet::begin();
    let first = ask("Password (Enter alone makes one)")?;
    if first.is_empty() {
        return Ok(None);
    }
    let second = ask("The same again")?;
    drop(quiet);
    if first == second {
        Ok(Some(first))
    } else {
        Err(Failure::input("the two passwords differ: run the command again"))
    }
}

/// While this lives, the terminal does not show what is typed.
struct Quiet;

impl Quiet {
    fn begin() -> Self {
        Self::stty("-echo");
        Self
    }

    fn stty(mode: &str) {
        // Without stty the password is seen while it is typed, which is no reason to refuse it.
        let _ = Process::new("stty")
            .arg(mode)
            .stdin(Stdio::inherit())
            .stderr(Stdio::null())
            .status();
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        Self::stty("echo");
    }
}
