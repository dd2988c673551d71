//! The API from outside: a real server, a real `PostgreSQL`, plain HTTP. The letters stand for numbers:
//! A is the entry with number 1.

mod access;
mod after;
mod at_once;
mod before;
mod bodies;
mod copies;
mod corrections;
mod doors;
mod draws;
mod entries;
mod entries_import;
mod events;
mod families;
mod hand_in;
mod live;
mod log;
mod pages;
mod pairing_settings;
mod people;
mod programs;
mod publishing;
mod records;
mod released;
mod result_links;
mod results;
mod rights;
mod rounds;
mod screen;
mod support;
