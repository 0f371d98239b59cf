//! Where a game or an analysis is kept.

use std::path::PathBuf;

use clap::Args;
use senbon_fabric::GameJournal;

use crate::report::Failure;

#[derive(Clone, Debug, Args)]
pub(crate) struct Keep {
    /// Keep what is found in this file, and go on from it: after a crash, a kill or a restart
    /// the same game or position is searched with the tree that was there
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

impl Keep {
    /// Opens the journal, if there is to be one.
    pub(crate) fn open(&self) -> Result<Option<GameJournal>, Failure> {
        let opened = self.journal.as_deref().map(GameJournal::open).transpose();
        opened.map_err(|error| Failure::Input(error.to_string()))
    }
}
