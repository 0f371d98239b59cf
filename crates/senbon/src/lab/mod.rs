//! `senbon lab`: experiments by name.

mod fabric;
mod fidelity;
mod list;
mod minimal;
mod minimal_live;
mod pgpp;
pub(crate) mod progress;
mod rank_frequency;
mod regret;
mod solve;
mod utility;
mod vote;

use std::ffi::OsStr;
use std::path::Path;

use crate::args::lab::Experiment;
use crate::report::Failure;

pub(crate) fn run(experiment: &Experiment) -> Result<(), Failure> {
    match experiment {
        Experiment::Solve(args) => solve::run(args),
        Experiment::Utility(args) => utility::run(args),
        Experiment::Pgpp(args) => pgpp::run(args),
        Experiment::Fidelity(args) => fidelity::run(args),
        Experiment::Regret(args) => regret::run(args),
        Experiment::Fabric(args) => fabric::run(args),
        Experiment::Vote(args) => vote::run(args),
        Experiment::MinimalTree(args) => minimal::run(args),
        Experiment::List(args) => list::run(args),
        Experiment::RankFrequency(args) => rank_frequency::run(args),
    }
}

/// An engine option as the user writes it, NAME=VALUE.
pub(crate) fn option(text: &str) -> Result<(String, String), Failure> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Failure::Input(format!("option {text:?} is not of the form NAME=VALUE")))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// The command line again, for a page of results. Without folders: they say nothing to others.
fn command() -> String {
    let name = |word: String| Path::new(&word).file_name().map(OsStr::to_os_string);
    let words = std::env::args().skip(1).filter_map(name);
    let words: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    format!("senbon {}", words.join(" "))
}
