//! What everybody may see.

pub mod archive;
pub mod crosstable;
pub mod diagram;
pub mod draw;
pub mod enter;
pub mod event;
pub mod events;
pub mod explain;
pub mod family;
pub mod find;
pub mod game;
pub mod hand_in;
pub mod language;
pub mod player;
pub mod poster;
pub mod record;
pub mod round;
pub mod screen;
pub mod sign_up;
pub mod standings;
pub mod withdrawn;
