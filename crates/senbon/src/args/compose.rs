//! Which searchers make up the player, where that is more than workers on one tree.

use std::path::{Path, PathBuf};

use clap::Args;
use senbon_engines::process::EngineLine;
use senbon_fabric::compose::Composition;

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
    /// Write every vote down: FILE for people, FILE.jsonl for scripts; both grow
    #[arg(long, value_name = "FILE")]
    vote_log: Option<PathBuf>,
}

fn read(path: &str) -> Result<Composition, String> {
    Composition::read(Path::new(path)).map_err(|error| error.to_string())
}

impl Compose {
    /// What was asked for; nothing where the plain flags count.
    pub(crate) fn composition(&self, engines: &[EngineLine]) -> Option<Box<Composition>> {
        let vote = || self.vote.then(|| Composition::of_engines(engines));
        self.config.clone().or_else(vote).map(Box::new)
    }

    /// Where votes are written down.
    pub(crate) fn log(&self) -> Option<PathBuf> {
        let file = || self.config.as_ref().and_then(|composition| composition.log.clone());
        self.vote_log.clone().or_else(file)
    }
}
