//! Standard output and standard error.

use std::io::{self, ErrorKind, Write};

use crate::failure::Failure;

/// Writes an answer to standard output. A reader that has gone away (`… | head`) has what it wanted.
pub fn answer(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Internal(format!(
            "standard output cannot be written: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Writes a line to standard error; when nobody can read it there is nobody to tell.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "tianyuan: {line}");
}
