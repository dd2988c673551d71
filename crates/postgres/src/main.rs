//! Runs a private PostgreSQL by itself: for scripts, for tests, for a look with `psql`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};

use private_postgres::{Cluster, Durability, Options, default_data_dir, start, testing};
use tokio::process::Command;
use tokio::signal::unix::{SignalKind, signal};

const USAGE: &str = "\
Usage: private-postgres [DIR] [--volatile] [--database NAME] [--until-stdin-closes] [-- COMMAND…]

Starts a PostgreSQL with its data in DIR. With a COMMAND, runs it with DATABASE_URL set, shuts
PostgreSQL down when it ends, and ends with its status. Without one, prints DATABASE_URL=… and runs
until Ctrl-C or SIGTERM, restarting PostgreSQL when it dies.

  DIR                   the data folder; by default the server's own, with --volatile a temporary one
  --volatile            fast and forgetful, for tests; ends with this process, however it ends
  --database NAME       the database to make and to name in DATABASE_URL (default: postgres)
  --until-stdin-closes  also stop when the standard input closes
";

struct Request {
    dir: Option<PathBuf>,
    durability: Durability,
    database: String,
    until_stdin_closes: bool,
    command: Vec<OsString>,
}

fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Option<Request>, String> {
    let mut request = Request {
        dir: None,
        durability: Durability::Durable,
        database: "postgres".to_owned(),
        until_stdin_closes: false,
        command: Vec::new(),
    };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--help" | "-h") => return Ok(None),
            Some("--volatile") => request.durability = Durability::Volatile,
            Some("--until-stdin-closes") => request.until_stdin_closes = true,
            Some("--database") => {
                let name = arguments.next().and_then(|name| name.into_string().ok());
                request.database = name.ok_or("--database needs the name of a database")?;
            }
            Some("--") => {
                request.command = arguments.by_ref().collect();
                if request.command.is_empty() {
                    return Err("a command has to follow --".to_owned());
                }
            }
            Some(option) if option.starts_with('-') => {
                return Err(format!("there is no option {option}"));
            }
            _ if request.dir.is_some() => {
                return Err(format!("a second folder was given: {}", argument.display()));
            }
            _ => request.dir = Some(PathBuf::from(argument)),
        }
    }
    Ok(Some(request))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let request = match parse(std::env::args_os().skip(1)) {
        Ok(Some(request)) => request,
        Ok(None) => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(fault) => {
            eprintln!("private-postgres: {fault}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(request).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("private-postgres: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(request: Request) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let told_to_stop = async {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            () = stdin_closes(), if request.until_stdin_closes => {}
        }
    };
    tokio::pin!(told_to_stop);

    let cluster = tokio::select! {
        cluster = start_as(&request) => cluster?,
        () = &mut told_to_stop => return Ok(ExitCode::FAILURE),
    };
    let url = cluster.database_url(&request.database);
    let Some((program, arguments)) = request.command.split_first() else {
        println!("DATABASE_URL={url}");
        cluster.supervise(told_to_stop).await?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut command = match Command::new(program)
        .args(arguments)
        .env("DATABASE_URL", &url)
        .spawn()
    {
        Ok(command) => command,
        Err(error) => {
            cluster.stop().await?;
            return Err(format!("cannot run {}: {error}", program.display()).into());
        }
    };
    let status = tokio::select! {
        status = command.wait() => status,
        () = &mut told_to_stop => {
            // A terminal's Ctrl-C has reached the command too, which may have its own way to end.
            if let Some(pid) = command.id().and_then(|pid| i32::try_from(pid).ok()) {
                let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::SIGTERM);
            }
            command.wait().await
        }
    };
    cluster.stop().await?;
    Ok(code_of(status?))
}

async fn start_as(request: &Request) -> Result<Cluster, private_postgres::Error> {
    let cluster = match (&request.dir, request.durability) {
        (None, Durability::Volatile) => testing::start_scratch().await?,
        (dir, durability) => {
            let data_dir = dir.clone().unwrap_or_else(default_data_dir);
            start(&Options {
                durability,
                ..Options::durable(data_dir)
            })
            .await?
        }
    };
    cluster.create_database_if_missing(&request.database).await?;
    Ok(cluster)
}

/// On a thread of its own, which does not keep the process from ending.
async fn stdin_closes() {
    let (closed, when_closed) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let _ = closed.send(());
    });
    let _ = when_closed.await;
}

/// The command's own status, or as a shell would have it, 128 and the signal that ended it.
fn code_of(status: ExitStatus) -> ExitCode {
    use std::os::unix::process::ExitStatusExt;

    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX))
}
