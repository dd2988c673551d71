//! The game of Go: rule sets, komi and counting units
