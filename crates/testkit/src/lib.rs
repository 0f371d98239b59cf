//! What the tests of every crate share: where reference data and other people's programs are,
//! seeds that are printed, folders of their own, and speeds that are compared.
//!
//! Only a dev-dependency; it may read files and the clock.
#![allow(clippy::disallowed_methods)]

mod folder;
mod programs;
mod rates;

pub use folder::Folder;
pub use programs::{engine, engines_of, find, program, python};
pub use rates::{Contender, Rates, thread_time};

use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// A file or folder of the reference data: below `SENBON_DATA`, or `../shared/data` beside
/// the project. When it is not there the test is skipped, and says so: on standard error and
/// in the file that `SENBON_SKIPS` names, where `./test` collects them.
pub fn reference(path: &str) -> Option<PathBuf> {
    let base = std::env::var_os("SENBON_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let full = base.join(path);
    if full.exists() {
        return Some(full);
    }
    skipped(&format!("reference data {path} not found; set SENBON_DATA to its folder"));
    None
}

/// The text of a reference file, or `None` with a note that the test was skipped.
pub fn reference_text(path: &str) -> Option<String> {
    let full = reference(path)?;
    Some(std::fs::read_to_string(&full).unwrap_or_else(|e| panic!("{}: {e}", full.display())))
}

/// Notes that the calling test was skipped, and why.
pub fn skipped(why: &str) {
    let line = format!("SKIPPED {}: {why}", running());
    eprintln!("{line}");
    if let Some(log) = std::env::var_os("SENBON_SKIPS") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(log);
        if let Ok(mut file) = file {
            let _ = writeln!(file, "{line}");
        }
    }
}

/// Package, test program and name of the running test; the name alone is not unique.
fn running() -> String {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let program = std::env::current_exe().unwrap_or_default();
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    // Cargo appends a hash to the names of test programs.
    let stem = stem.rsplit_once('-').map_or(&*stem, |(name, _)| name);
    let thread = std::thread::current();
    format!("{package}/{stem} {}", thread.name().unwrap_or("a test"))
}

/// The seed of a randomised test: `SENBON_SEED` if set, else fresh from the clock. Printed,
/// so that a failure can be replayed.
pub fn seed() -> u64 {
    let seed = match std::env::var("SENBON_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("SENBON_SEED={text} is not a number")),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| d.as_nanos() as u64),
    };
    eprintln!("{}: replay with SENBON_SEED={seed}", running());
    seed
}

/// Whether the long suites were asked for (`./test --long`).
pub fn long() -> bool {
    std::env::var_os("SENBON_LONG").is_some()
}
