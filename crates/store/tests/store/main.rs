//! The store against a real `PostgreSQL`: one database per test, made from the migrations.

mod accounts;
mod at_once;
mod changes;
mod draws;
mod entries;
mod events;
mod files;
mod log;
mod pairing_settings;
mod records;
mod replica;
mod results;
mod rounds;
mod schema;
mod support;
mod undo;
