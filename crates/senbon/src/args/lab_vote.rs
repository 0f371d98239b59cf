//! The arguments of `senbon lab vote`.

use std::path::PathBuf;

use clap::Args;

use super::EngineGame;

#[derive(Debug, Args)]
#[command(before_long_help = "Reproduces: akara-2010 Table II (section IV)
Takes: as long as the engines think: with a few milliseconds a move about a second a game")]
pub(crate) struct Vote {
    /// The vote (docs/vote.md). Let every voter have a limit of its own, nodes or depth: then
    /// the games do not depend on the machine
    #[arg(long, value_name = "FILE")]
    pub(crate) config: PathBuf,
    /// Folder of the journals and the results
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// The voter that all others play against; the first if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) opponent: Option<String>,
    /// Which game
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// Games of each row, two for each opening
    #[arg(long, default_value_t = 400)]
    pub(crate) games: usize,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// Openings: positions a line (EPD, FEN, SFEN, `startpos moves …`), games (.pgn, .csa) or
    /// a Polyglot book (.bin)
    #[arg(long)]
    pub(crate) openings: PathBuf,
    /// Plies of an opening taken from games or a book
    #[arg(long, default_value_t = 8)]
    pub(crate) plies: usize,
    /// Draws the order of the openings
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Table of each worker in MiB
    #[arg(long, default_value_t = 8)]
    pub(crate) hash: usize,
}
