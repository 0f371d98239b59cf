//! The arguments that put other people's engines into virtual time.

use clap::Args;
use senbon_engines::process::EngineLine;

#[derive(Debug, Args)]
pub(crate) struct QuantaArgs {
    /// Command line of the engine of all virtual workers, on both sides; the built-in engine if
    /// not given. It has to stop at a number of nodes, and each worker is a process of its own
    #[arg(long, value_name = "COMMAND")]
    pub(crate) engine: Option<EngineLine>,
    /// An option to set on it, NAME=VALUE; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "engine")]
    pub(crate) option: Vec<String>,
    /// Nodes that it searches at first in one go; each further quantum of a search is as long
    /// as all before it
    #[arg(long, value_name = "NODES", default_value_t = 500,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) quantum: u64,
    /// All quanta of a search are equally long
    #[arg(long, requires = "engine")]
    pub(crate) equal_quanta: bool,
}
