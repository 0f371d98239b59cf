//! The arguments of `senbon lab`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::EngineGame;

#[derive(Debug, Subcommand)]
pub(crate) enum Experiment {
    /// Search positions with known best moves (EPD with bm or am) and count those found
    Solve(Solve),
    /// Play a built-in engine against another program, both at fixed nodes a move
    Spar(Spar),
}

#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// EPD file, one position a line
    pub(crate) file: PathBuf,
    /// Nodes for each position
    #[arg(long, default_value_t = 2_000_000)]
    pub(crate) nodes: u64,
    /// Table size in MiB for each search
    #[arg(long, default_value_t = 64)]
    pub(crate) hash: usize,
    /// Positions searched at the same time; all cores if not given
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  senbon lab spar --opponent glaurung --nodes 50000 --opponent-nodes 10000
  senbon lab spar --game shogi --opponent fairy-stockfish --option UCI_Variant=shogi \\
      --nodes 50000 --opponent-nodes 5000 --openings openings.sfen")]
pub(crate) struct Spar {
    /// Command line of the other engine, which speaks UCI (chess) or USI (shogi)
    #[arg(long)]
    pub(crate) opponent: String,
    /// An option to set on it, NAME=VALUE; may be given several times
    #[arg(long)]
    pub(crate) option: Vec<String>,
    /// Which game
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// Our nodes for a move
    #[arg(long, default_value_t = 50_000)]
    pub(crate) nodes: u64,
    /// The opponent's nodes for a move
    #[arg(long, default_value_t = 50_000)]
    pub(crate) opponent_nodes: u64,
    /// Games to play, rounded up to pairs
    #[arg(long, default_value_t = 100)]
    pub(crate) games: usize,
    /// Openings: a position a line (FEN, SFEN), or `startpos moves …`; random ones if not given
    #[arg(long)]
    pub(crate) openings: Option<PathBuf>,
    /// Draws the openings
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Our table size in MiB
    #[arg(long, default_value_t = 16)]
    pub(crate) hash: usize,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub(crate) json: bool,
}
