//! The arguments of `senbon analyse`.

use std::time::Duration;

use clap::Args;

use senbon_engines::process::EngineLine;
use senbon_fabric::front::Config;

use super::EngineGame;
use super::front::cores;
use super::strategy::StrategyName;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  senbon analyse
  senbon analyse --engine stockfish --workers 4 --time 30
  senbon analyse --game shogi --moves \"7g7f 3c3d\" --nodes 5000000
  senbon analyse --position \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4\"

Ctrl-C answers with the best so far.")]
pub(crate) struct Analyse {
    /// Which game
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// The position (FEN, SFEN); the usual start if not given
    #[arg(long)]
    pub(crate) position: Option<String>,
    /// Moves to play from there first, in UCI or USI notation
    #[arg(long, default_value = "")]
    pub(crate) moves: String,
    /// Command line of an engine that speaks UCI (chess) or USI (shogi), or `built-in`.
    /// Several may be given; workers run them in turn. The built-in engine if none is given
    #[arg(long)]
    pub(crate) engine: Vec<EngineLine>,
    /// How many workers; as many as there are cores if not given
    #[arg(long)]
    pub(crate) workers: Option<usize>,
    /// How the workers are made one search
    #[arg(long, value_enum, default_value = "pipeline")]
    pub(crate) strategy: StrategyName,
    /// Seconds to think. Ten, if no limit is given
    #[arg(long, value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    /// Nodes to search, by all workers together
    #[arg(long)]
    pub(crate) nodes: Option<u64>,
    /// Depth to search
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// How many best lines to show
    #[arg(long, default_value_t = 1)]
    pub(crate) multipv: usize,
    /// Table of each worker in MiB
    #[arg(long, default_value_t = 64)]
    pub(crate) hash: usize,
    /// A line of JSON for every change (docs/protocol.md), for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

impl Analyse {
    pub(crate) fn config(&self) -> Config {
        Config {
            workers: self.workers.unwrap_or_else(cores).max(1),
            engines: self.engine.clone(),
            strategy: self.strategy.into(),
            hash_mib: self.hash.max(1),
            overhead: Duration::ZERO,
            ..Config::default()
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("{text:?} is not a number of seconds"))?;
    Duration::try_from_secs_f64(number).map_err(|_| format!("{text} seconds cannot be waited"))
}
