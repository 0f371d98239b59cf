//! The arguments of `senbon uci` and `senbon usi`.

use clap::Args;
use senbon_engines::process::EngineLine;
use senbon_fabric::front::{Config, TableFile};

use super::compose::Compose;
use super::keep::Keep;
use super::listen::Listen;
use super::strategy::StrategyName;
use crate::report::Failure;

#[derive(Debug, Args)]
#[command(after_help = "In a GUI, add the program `senbon` with the argument `uci` (chess) or \
`usi` (shogi) as an engine. Everything here can also be set there, as engine options.

Examples:
  senbon uci
  senbon uci --engine stockfish --workers 8
  senbon usi --engine \"fairy-stockfish\" --workers 4
  senbon uci --engine stockfish --engine glaurung --engine toga2 --vote
  senbon usi --config senbon.toml
  senbon uci --listen 0.0.0.0 --keys keys/master

The engine's command line may begin with a word that says what the engine can do, such as \
`manners=one-by-one,no-nodes toga2`; docs/protocol.md has all of them.")]
pub(crate) struct FrontArgs {
    /// Command line of an engine, or `built-in`. Several may be given; workers run them in
    /// turn. The built-in engine if none is given
    #[arg(long)]
    engine: Vec<EngineLine>,
    /// How many workers on this machine; as many as there are cores if not given
    #[arg(long)]
    workers: Option<usize>,
    /// How the workers are made one search
    #[arg(long, value_enum, default_value = "pipeline")]
    strategy: StrategyName,
    /// How likely the move of each rank is, as `senbon lab rank-frequency` writes it; the
    /// published table for chess if not given
    #[arg(long, value_name = "FILE")]
    rank_table: Option<TableFile>,
    /// Table of each worker in MiB
    #[arg(long, default_value_t = 64)]
    hash: usize,
    #[command(flatten)]
    pub(crate) compose: Compose,
    #[command(flatten)]
    pub(crate) keep: Keep,
    #[command(flatten)]
    pub(crate) listen: Listen,
}

impl FrontArgs {
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let least = usize::from(!self.listen.is_open());
        Ok(Config {
            workers: self.workers.unwrap_or_else(cores).max(least),
            engines: self.engine.clone(),
            strategy: self.strategy.into(),
            composition: self.compose.composition(&self.engine)?,
            rank_table: self.rank_table.clone().unwrap_or_default(),
            hash_mib: self.hash.max(1),
            ..Config::default()
        })
    }
}

/// As many workers as cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
