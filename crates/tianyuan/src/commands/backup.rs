//! `tianyuan backup`: the whole database in one file.

use std::path::PathBuf;

use super::database;
use crate::backup;
use crate::failure::Failure;
use crate::output;

/// Copy the whole database into one file; also while the server runs.
///
/// The file holds everything as it was at one moment, accounts with the hashes of their passwords
/// included: only you can read it, and so should it stay.
#[derive(clap::Args)]
pub struct Args {
    /// The file. One that is there is replaced when the new one is whole.
    file: PathBuf,
    #[command(flatten)]
    database: database::Args,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let manifest = database::with_url(&args.database, async |url| backup::take(&url, &args.file).await)?;
    output::answer(&format!(
        "{}: {}, {} bytes\n",
        args.file.display(),
        backup::told(&manifest.contents),
        manifest.length
    ))
}
