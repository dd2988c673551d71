//! Tianyuan: a Swiss-system tournament server for Go.

mod backup;
mod commands;
mod failure;
mod input;
mod output;
mod table;

use std::panic;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use mimalloc::MiMalloc;

use crate::commands::{
    backup as back_up, check, doctor, pair, record, restore, serve, simulate, standings, user,
};
use crate::failure::Failure;

/// A result that is entered asks for memory hundreds of times; the C library's takes a tenth of the time of it all.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

/// A Swiss-system tournament server for Go, and its command line.
///
/// Exit codes: 0 fine, 1 the answer is "no", 2 bad usage or unreadable input, 3 an internal failure.
#[derive(Parser)]
#[command(name = "tianyuan", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Doctor(doctor::Args),
    User(user::UserArgs),
    Token(user::TokenArgs),
    Pair(pair::Args),
    Standings(standings::Args),
    Check(check::Args),
    Record(record::Args),
    Simulate(simulate::Args),
    Backup(back_up::Args),
    Restore(restore::Args),
}

fn main() -> ExitCode {
    panic::set_hook(Box::new(|failure| output::complain(&failure::of_panic(failure))));
    let cli = Cli::parse();
    match panic::catch_unwind(|| run(cli)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            for line in failure.lines() {
                output::complain(line);
            }
            ExitCode::from(failure.exit_code())
        }
        // The hook has said what happened.
        Err(_) => ExitCode::from(failure::INTERNAL),
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Serve(args) => serve::run(args),
        Command::Doctor(args) => doctor::run(&args),
        Command::User(args) => user::run_user(args),
        Command::Token(args) => user::run_token(args),
        Command::Pair(args) => pair::run(&args),
        Command::Standings(args) => standings::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Backup(args) => back_up::run(&args),
        Command::Restore(args) => restore::run(&args),
    }
}
