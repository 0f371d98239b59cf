//! Which searchers make up the player, where that is more than workers on one tree.

use std::path::{Path, PathBuf};

use clap::Args;
use senbon_engines::compose::Composition;
use senbon_engines::process::EngineLine;

use crate::report::Failure;

#[derive(Debug, Args)]
#[command(next_help_heading = "Vote")]
pub(crate) struct Compose {
    /// Every --engine has a vote, and the majority plays; ties go to the one named first
    #[arg(long, requires = "engine", conflicts_with_all = ["workers", "strategy", "config"])]
    vote: bool,
    /// A tree of searchers, votes and pipelines, instead of --engine and its kin
    /// (docs/vote.md)
    #[arg(long, value_name = "FILE", value_parser = read, conflicts_with_all = ["engine", "workers", "strategy"])]
    config: Option<Composition>,
    /// Only this voter of the file, to see what it is worth alone
    #[arg(long, value_name = "NAME", requires = "config")]
    only: Option<String>,
    /// Write every vote down: FILE for people, FILE.jsonl for scripts; both grow
    #[arg(long, value_name = "FILE")]
    vote_log: Option<PathBuf>,
}

pub(crate) fn read(path: &str) -> Result<Composition, String> {
    Composition::read(Path::new(path)).map_err(|error| error.to_string())
}

impl Compose {
    /// What was asked for; nothing where the plain flags count.
    pub(crate) fn composition(
        &self,
        engines: &[EngineLine],
    ) -> Result<Option<Box<Composition>>, Failure> {
        let vote = || self.vote.then(|| Composition::of_engines(engines));
        let found = match (&self.config, &self.only) {
            (Some(file), Some(name)) => {
                Some(file.only(name).map_err(|error| Failure::Input(format!("--only: {error}")))?)
            }
            (file, _) => file.clone().or_else(vote),
        };
        Ok(found.map(Box::new))
    }

    /// Where votes are written down.
    pub(crate) fn log(&self) -> Option<PathBuf> {
        let file = || self.config.as_ref().and_then(|composition| composition.log.clone());
        self.vote_log.clone().or_else(file)
    }
}
