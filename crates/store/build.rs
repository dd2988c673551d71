//! Tells Cargo what the macros of sqlx read: the migrations are embedded, the queries checked.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
    println!("cargo:rerun-if-changed=.sqlx");
}
