//! Translations, templates and static files are read at compile time: a file that is new among
//! them must be seen.
fn main() {
    for folder in ["translations", "../../templates", "../../static"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
