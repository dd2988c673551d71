//! Tianyuan: a Swiss-system tournament server for Go
fn main() {}
