//! Files in and out: the event file.
//!
//! Bytes in, values out, and back: nothing here opens a file. A file is taken whole or refused
//! whole, and a refusal lists every fault with its place.

mod json;

pub mod event_file;

pub use event_file::{Date, EventFile, Problem, ProblemKind, read, write};
