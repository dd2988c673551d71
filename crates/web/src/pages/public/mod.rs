//! What everybody may see.

pub mod crosstable;
pub mod draw;
pub mod event;
pub mod events;
pub mod find;
pub mod language;
pub mod player;
pub mod round;
pub mod standings;
