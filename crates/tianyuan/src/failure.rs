//! How a command ends when it does not end well.

use std::panic::PanicHookInfo;

/// The exit code of an internal failure.
pub const INTERNAL: u8 = 3;

/// Why a command gave no answer, or the answer "no". Each has its exit code and its lines for
/// stderr, none where the answer itself stands on stdout.
#[derive(Debug)]
pub enum Failure {
    /// The answer is "no": 1.
    No(Vec<String>),
    /// Bad usage or unreadable input: 2.
    Input(Vec<String>),
    /// A fault of this program or its machine: 3.
    Internal(String),
}

impl Failure {
    /// The answer is "no", and why.
    pub fn no(why: impl Into<String>) -> Self {
        Self::No(vec![why.into()])
    }

    /// Input that cannot be used, and why.
    pub fn input(why: impl Into<String>) -> Self {
        Self::Input(vec![why.into()])
    }

    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::No(_) => 1,
            Self::Input(_) => 2,
            Self::Internal(_) => INTERNAL,
        }
    }

    /// What is said on stderr.
    pub fn lines(&self) -> &[String] {
        match self {
            Self::No(lines) | Self::Input(lines) => lines,
            Self::Internal(line) => std::slice::from_ref(line),
        }
    }
}

/// One line for a panic: where it was and what it said, no stack trace.
pub fn of_panic(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let said = payload.downcast_ref::<&str>().copied();
    let said = said.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let said = said.unwrap_or("no message").replace(['\n', '\r'], " ");
    match info.location() {
        Some(place) => format!("internal failure at {}:{}: {said}", place.file(), place.line()),
        None => format!("internal failure: {said}"),
    }
}
