//! Ending processes with the process that started them, however that one ends.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::Signal;

use crate::Error;

/// A shell that waits for its input, which nobody writes to, to close: when the watchdog is
/// dropped, or when this process ends, be it by `kill -9`.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
}

/// Repeats the removal, since the dying may still be writing.
const WATCH: &str = r#"
read -r _
kill -s "$1" -- "$2"
[ -n "$3" ] || exit 0
tries=0
until rm -rf -- "$3" || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
"#;

impl Watchdog {
    /// Sends `signal` to `target` (a process, or when negative its group) and then removes a
    /// folder.
    pub(crate) fn over(target: i32, signal: Signal, remove_afterwards: Option<&Path>) -> Result<Self, Error> {
        let shell = Path::new("/bin/sh");
        let child = Command::new(shell)
            .args(["-c", WATCH, "private-postgres-watchdog"])
            .args([signal.as_str().trim_start_matches("SIG"), &target.to_string()])
            .args(remove_afterwards)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A terminal's Ctrl-C is not the end of the process watched over.
            .process_group(0)
            .spawn()
            .map_err(Error::io("run", shell))?;
        Ok(Self { shell: child })
    }

    /// Ends the watch without consequences.
    pub(crate) fn dismiss(mut self) {
        // It may have ended by itself; either way it is gone afterwards.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }

    /// Does what it is there for, now, and waits until that is done.
    pub(crate) fn bite(mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}
