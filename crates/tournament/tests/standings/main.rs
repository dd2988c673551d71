//! Standings: golden lists, worked examples of the rules, field cases and properties.

mod cases;
mod criteria;
mod golden;
mod properties;
mod support;
