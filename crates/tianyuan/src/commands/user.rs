//! `tianyuan user` and `tianyuan token`: who may direct, also while the server runs.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::process::{Command as Process, Stdio};

use chrono::Utc;
use clap::Subcommand;
use store::{Change, Role, accounts};

use super::database::{self, actor, with_store};
use crate::failure::Failure;
use crate::output;

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
        #[arg(long, value_name = "admin|director", value_parser = role)]
        role: Role,
        /// Read the password from the first line of the standard input. Without this it is asked
        /// for on the terminal; where there is none, one is made and printed once.
        #[arg(long)]
        password_stdin: bool,
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
        #[command(flatten)]
        database: database::Args,
    },
}

fn role(text: &str) -> Result<Role, String> {
    text.parse()
        .map_err(|error: tournament::result::UnknownWord| error.to_string())
}

/// Runs `tianyuan user`.
pub fn run_user(args: UserArgs) -> Result<(), Failure> {
    let UserCommand::Add {
        name,
        role,
        password_stdin,
        database,
    } = args.command;
    let given = if password_stdin {
        Some(line_of_stdin()?)
    } else {
        asked()?
    };
    let made = given.is_none();
    let password = given.unwrap_or_else(web::auth::generated_password);
    let shown = password.clone();
    with_store(&database, |store| async move {
        let mut tx = store.begin().await.map_err(database::failure)?;
        let actor = actor();
        let change = Change {
            actor: &actor,
            at: Utc::now(),
            reason: None,
            chance: web::state::chance(),
        };
        let user = web::auth::add_user(&mut tx, &change, &name, &password, role)
            .await
            .map_err(|error| database::refused(&error))?;
        tx.commit().await.map_err(database::failure)?;
        output::answer(&format!("{} can sign in as {}\n", user.name, user.role.as_str()))
    })?;
    if made {
        output::answer(&format!("password: {shown}\n"))
    } else {
        Ok(())
    }
}

/// Runs `tianyuan token`.
pub fn run_token(args: TokenArgs) -> Result<(), Failure> {
    let TokenCommand::Add {
        name,
        purpose,
        database,
    } = args.command;
    with_store(&database, |store| async move {
        let mut tx = store.begin().await.map_err(database::failure)?;
        let user = accounts::find_user_by_name(&mut tx, name.trim())
            .await
            .map_err(database::failure)?
            .ok_or_else(|| {
                Failure::no(format!(
                    "there is no user “{name}”: add one with tianyuan user add {name} --role director"
                ))
            })?;
        let actor = actor();
        let change = Change {
            actor: &actor,
            at: Utc::now(),
            reason: None,
            chance: web::state::chance(),
        };
        let token = web::auth::add_token(&mut tx, &change, user.id, &purpose)
            .await
            .map_err(|error| database::refused(&error))?;
        tx.commit().await.map_err(database::failure)?;
        output::answer(&format!("{token}\n"))
    })
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
