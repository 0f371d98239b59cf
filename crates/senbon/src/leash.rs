//! `senbon leash`, and putting engines on it: no engine process outlives the program.

use std::process::Command;

pub(crate) use senbon_engines::process::leash::mind;

use senbon_engines::process::Leash;
use senbon_fabric::WorkerSource;

/// Puts the engines among `sources` on a leash. Without one they are run all the same: most
/// engines end with their input.
pub(crate) fn hold(sources: Vec<WorkerSource>) -> Vec<WorkerSource> {
    if !sources.iter().any(WorkerSource::is_program) {
        return sources;
    }
    match start() {
        Some(leash) => sources.into_iter().map(|source| source.leashed(&leash)).collect(),
        None => sources,
    }
}

/// A leash for engines; `None`, and a warning, where there can be none.
pub(crate) fn start() -> Option<Leash> {
    let started = std::env::current_exe()
        .and_then(|program| Leash::start(Command::new(program).arg("leash")));
    started
        .inspect_err(|error| {
            eprintln!("senbon: engines may outlive a kill of this program: no leash: {error}");
        })
        .ok()
}
