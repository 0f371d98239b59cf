//! The arguments of `senbon analyse`.

use std::time::Duration;

use clap::Args;
use clap::builder::RangedI64ValueParser;

use senbon_core::Limits;
use senbon_engines::process::EngineLine;
use senbon_fabric::front::{Config, TableFile};

use super::EngineGame;
use super::compose::Compose;
use super::front::cores;
use super::keep::Keep;
use super::listen::Listen;
use super::strategy::StrategyName;
use crate::report::Failure;

/// How long without a limit.
const USUAL_TIME: Duration = Duration::from_secs(10);

#[derive(Debug, Args)]
#[command(
    after_long_help = "Without arguments: the start position of chess, the built-in engine \
on every core, ten seconds. In a terminal the search is shown while it runs; otherwise a line \
is printed for every change. The last line is the answer.

Examples:
  Ten seconds on the start position
    senbon analyse
  Four Stockfish as one player, half a minute, the three best lines
    senbon analyse --engine stockfish --workers 4 --time 30 --multipv 3
  Two different engines side by side
    senbon analyse --engine stockfish --engine glaurung --workers 2
  Three engines vote (docs/vote.md)
    senbon analyse --engine stockfish --engine glaurung --engine toga2 --vote
  After some moves, as people write them
    senbon analyse --moves \"1. e4 e5 2. Nf3 Nc6 3. Bb5\"
  Is there a mate in two?
    senbon analyse --mate 2 --position \"r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1\"
  Shogi, until Ctrl-C
    senbon analyse --game shogi --moves \"7g7f 3c3d\" --infinite
  With the engines of other machines only, which run `senbon worker`
    senbon analyse --workers 0 --listen 0.0.0.0 --keys keys/master
  For a script: one JSON object a line, described in docs/protocol.md
    senbon analyse --json --nodes 1000000 | tail -n 1

What the tree shows: each row is a position that one worker searches, without the moves that \
have rows of their own. `own moves` is how many are left to it, `likely` the chance that \
the game comes there. Scores are from the view of the side to move now.

An engine's command line may begin with a word that says what the engine can do, such as \
`manners=one-by-one,no-nodes toga2`; docs/protocol.md has all of them.

Ctrl-C answers with the best so far; a second one quits at once. Exit status: 0 an answer, \
1 no worker could be started or none reported, 2 wrong use, 130 quit without an answer.
NO_COLOR turns colours off; with TERM=dumb, lines are printed.",
    after_help = "Examples: senbon analyse
          senbon analyse --engine stockfish --workers 4 --time 30
          senbon analyse --moves \"1. e4 e5 2. Nf3\" --multipv 3
Ctrl-C answers with the best so far. More with --help."
)]
pub(crate) struct Analyse {
    /// Which game
    #[arg(long, value_enum, default_value = "chess", help_heading = "Position")]
    pub(crate) game: EngineGame,
    /// The position (FEN, SFEN); the usual start if not given
    #[arg(long, value_name = "FEN", help_heading = "Position")]
    pub(crate) position: Option<String>,
    /// Moves to play from there first, as in UCI and USI, or in algebraic notation
    #[arg(long, default_value = "", hide_default_value = true, help_heading = "Position")]
    pub(crate) moves: String,

    /// Command line of an engine that speaks UCI (chess) or USI (shogi), or `built-in`.
    /// Several may be given; workers run them in turn. The built-in engine if none is given
    #[arg(long, value_name = "COMMAND", help_heading = "Workers")]
    pub(crate) engine: Vec<EngineLine>,
    /// How many workers on this machine; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4096), help_heading = "Workers")]
    pub(crate) workers: Option<u32>,
    /// How the workers are made one search
    #[arg(long, value_enum, default_value = "pipeline", help_heading = "Workers")]
    pub(crate) strategy: StrategyName,
    /// How likely the move of each rank is, as `senbon lab rank-frequency` writes it; the
    /// published table for chess if not given
    #[arg(long, value_name = "FILE", help_heading = "Workers")]
    pub(crate) rank_table: Option<TableFile>,
    /// Table of each worker in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = from_1_to(1 << 20), help_heading = "Workers")]
    pub(crate) hash: u32,
    /// Threads of each worker; the built-in engine has one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = from_1_to(1024), help_heading = "Workers")]
    pub(crate) threads: u32,

    #[command(flatten)]
    pub(crate) compose: Compose,
    #[command(flatten)]
    pub(crate) keep: Keep,
    #[command(flatten)]
    pub(crate) listen: Listen,

    /// Seconds to think. Ten, if no limit is given; of several limits the first reached counts
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Positions to search, by all workers together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) nodes: Option<u64>,
    /// Depth to search
    #[arg(long, value_name = "PLIES", value_parser = from_1_to(1000), help_heading = "Limits")]
    pub(crate) depth: Option<u32>,
    /// Look for a mate in at most so many moves
    #[arg(long, value_name = "MOVES", value_parser = from_1_to(500), help_heading = "Limits")]
    pub(crate) mate: Option<u32>,
    /// Until Ctrl-C
    #[arg(long, conflicts_with_all = ["time", "nodes", "depth", "mate"], help_heading = "Limits")]
    pub(crate) infinite: bool,

    /// How many best lines to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = from_1_to(256), help_heading = "Output")]
    pub(crate) multipv: u32,
    /// A line of JSON for every change (docs/protocol.md), for scripts
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

impl Analyse {
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        Ok(Config {
            workers: self.workers.map_or_else(cores, |workers| workers as usize),
            composition: self.compose.composition(&self.engine)?,
            engines: self.engine.clone(),
            strategy: self.strategy.into(),
            rank_table: self.rank_table.clone().unwrap_or_default(),
            hash_mib: self.hash as usize,
            threads: self.threads as usize,
            lines: self.multipv as usize,
            overhead: Duration::ZERO,
            ..Config::default()
        })
    }

    pub(crate) fn limits(&self) -> Limits {
        let counted = self.nodes.is_some() || self.depth.is_some() || self.mate.is_some();
        let usual = (!counted && !self.infinite).then_some(USUAL_TIME);
        Limits {
            move_time: self.time.or(usual),
            nodes: self.nodes,
            depth: self.depth,
            mate: self.mate,
            infinite: self.infinite,
            ..Limits::default()
        }
    }
}

fn from_1_to(most: i64) -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=most)
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("{text:?} is not a number of seconds"))?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(format!("{text} seconds cannot be waited")),
    }
}
