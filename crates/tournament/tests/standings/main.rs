//! Standings: golden lists, worked examples of the rules, cases from the field and properties.

mod cases;
mod criteria;
mod golden;
mod properties;
mod support;
