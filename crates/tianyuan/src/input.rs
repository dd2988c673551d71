//! Event files from the disk and from standard input.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Read};

use interchange::EventFile;
use interchange::record::harmless;

use crate::failure::Failure;

/// The name under which standard input is given.
pub const STDIN: &str = "-";
/// A little more than any reader takes, so that the reader is the one to refuse.
const SIZE_LIMIT: u64 = 257 * 1024 * 1024;

/// Reads an event file by its path; `-` is standard input.
pub fn event(path: &str) -> Result<EventFile, Failure> {
    event_of(path, &contents(path)?)
}

/// How a file is called in a sentence.
pub fn name(path: &str) -> &str {
    if path == STDIN { "standard input" } else { path }
}

/// The bytes of a file; `-` is standard input.
pub fn contents(path: &str) -> Result<Vec<u8>, Failure> {
    let name = harmless(name(path));
    bytes(path).map_err(|error| Failure::input(format!("{name} cannot be read: {error}")))
}

/// The event that the bytes of a file hold.
pub fn event_of(path: &str, bytes: &[u8]) -> Result<EventFile, Failure> {
    interchange::read(bytes).map_err(|problems| refused(path, &problems))
}

/// Why a file cannot be read, a line for each problem.
pub fn refused(path: &str, problems: &[impl Display]) -> Failure {
    let name = harmless(name(path));
    let lines = problems.iter().map(|problem| format!("{name}: {problem}"));
    Failure::Input(lines.collect())
}

/// The bytes of a file, or what the system says.
pub fn bytes(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == STDIN {
        if io::stdin().is_terminal() {
            return Err(io::Error::other(
                "it is a terminal: name a file or pipe an event in",
            ));
        }
        io::stdin().take(SIZE_LIMIT).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(SIZE_LIMIT).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
