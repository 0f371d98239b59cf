//! The arguments of `senbon worker`.

use clap::Args;
use clap::builder::RangedI64ValueParser;
use senbon_engines::process::EngineLine;
use senbon_fabric::carrier::Address;
use senbon_fabric::front::Config;

use super::EngineGame;
use super::front::cores;
use super::listen::Protection;
use crate::metrics::MetricsAddress;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  On one machine, to try it
    senbon analyse --workers 0 --listen localhost --time 30
    senbon worker --connect localhost --engine stockfish
  Between machines: `senbon keys new keys`, `senbon keys worker keys attic`, then copy the
  folder keys/workers/attic to the worker's machine
    senbon uci --listen 0.0.0.0 --keys keys/master
    senbon worker --connect master.example --keys attic --engine stockfish --slots 8

It dials the master, again and again until there is one, and lends its engines until it is \
ended: by Ctrl-C or SIGTERM it leaves in good order. It runs only the engines named here.")]
pub(crate) struct Worker {
    /// The master's address: HOST or HOST:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) connect: Address,
    /// Command line of an engine, or `built-in`. Several may be given; slots run them in turn.
    /// The built-in engine if none is given
    #[arg(long, value_name = "COMMAND")]
    engine: Vec<EngineLine>,
    /// How many engines to lend; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = from_1_to(1024))]
    slots: Option<u32>,
    /// Table of each engine in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = from_1_to(1 << 20))]
    hash: u32,
    /// Threads of each engine; the built-in engine has one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = from_1_to(1024))]
    threads: u32,
    /// Which game the engines play
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// What the master calls this machine; with --keys it is the name in the certificate
    #[arg(long, conflicts_with = "keys")]
    pub(crate) name: Option<String>,
    /// Print what happens as JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Tell a monitor how the engines are doing (Prometheus, over HTTP): PORT, for this machine
    /// alone, or ADDRESS:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics: Option<MetricsAddress>,
    #[command(flatten)]
    pub(crate) protection: Protection,
}

impl Worker {
    pub(crate) fn config(&self) -> Config {
        Config {
            workers: self.slots.map_or_else(cores, |slots| slots as usize),
            engines: self.engine.clone(),
            hash_mib: self.hash as usize,
            threads: self.threads as usize,
            ..Config::default()
        }
    }
}

fn from_1_to(most: i64) -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=most)
}
