//! `senbon lab`: experiments by name.

mod list;
mod pgpp;
pub(crate) mod progress;
mod rank_frequency;
mod solve;
mod utility;

use crate::args::lab::Experiment;
use crate::report::Failure;

pub(crate) fn run(experiment: &Experiment) -> Result<(), Failure> {
    match experiment {
        Experiment::Solve(args) => solve::run(args),
        Experiment::Utility(args) => utility::run(args),
        Experiment::Pgpp(args) => pgpp::run(args),
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
