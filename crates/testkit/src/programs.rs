//! Other people's programs that tests drive: engines, GUIs, an interpreter with a library.
//!
//! `./test` installs them. Where one is missing the test notes that it was skipped.

use std::path::PathBuf;

use crate::skipped;

/// Where Debian puts engines; often not on the `PATH` of a service or of root.
const ENGINES: &str = "/usr/games";

/// An engine by the name of its program (`stockfish`, `gpsusi`…), or `None` with a note that
/// the test was skipped.
pub fn engine(name: &str) -> Option<PathBuf> {
    program(name)
}

/// A program on the `PATH` or among Debian's games, or `None` with a note that the test was
/// skipped.
pub fn program(name: &str) -> Option<PathBuf> {
    let found = find(name);
    if found.is_none() {
        skipped(&format!("{name} is not installed; ./test installs it where it can"));
    }
    found
}

/// A Python that has the libraries `chess`, `mache` and `shogi`, in an environment of its own:
/// the one that `SENBON_PYTHON` names, or `target/python` as `./test` makes it. `None` with a note that the
/// test was skipped.
pub fn python() -> Option<PathBuf> {
    let made = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/python/bin/python3");
    let named = std::env::var_os("SENBON_PYTHON").map_or_else(|| PathBuf::from(made), Into::into);
    if named.is_file() {
        return Some(named);
    }
    skipped("no Python with python-chess, mache and python-shogi; ./test makes one where it can");
    None
}

/// A program on the `PATH` or among Debian's games, for tests that can do without.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from(ENGINES)]);
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The engines among the children of the process `parent`, on Linux: all but the one that
/// ends engines when the program is killed (`senbon leash`).
pub fn engines_of(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("Linux has /proc");
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let is_engine = |id: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        if after.split_whitespace().nth(1) != Some(parent.to_string().as_str()) {
            return false;
        }
        // The dead have no command line.
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        !line.is_empty() && !line.split(|&byte| byte == 0).any(|word| word == b"leash")
    };
    numbers.filter(is_engine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_on_the_path() {
        assert!(find("sh").is_some_and(|path| path.is_absolute()));
        assert_eq!(find("no such program"), None);
    }
}
