//! `senbon lab`: experiments by name.

mod solve;
mod spar;

use crate::args::lab::Experiment;
use crate::report::Failure;

pub(crate) fn run(experiment: &Experiment) -> Result<(), Failure> {
    match experiment {
        Experiment::Solve(args) => solve::run(args),
        Experiment::Spar(args) => spar::run(args),
    }
}
