//! The arguments of `senbon lab minimal-tree`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use senbon_lab::minimal::Method;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ForestName {
    /// Incremental random trees
    Synthetic,
    /// The most promising moves of shogi positions
    Shogi,
}

#[derive(Debug, Args)]
#[command(before_long_help = "Reproduces: minimal-trees-2014 Tables 1 to 4, 6 and 7
Takes: seconds a search as it stands; with --full, minutes a search and up to 8 GiB")]
pub(crate) struct MinimalTree {
    /// Which trees
    #[arg(long, value_enum, default_value = "synthetic")]
    pub(crate) trees: ForestName,
    /// Folder of the journal and the results
    #[arg(long, required_unless_present = "measure")]
    pub(crate) out: Option<PathBuf>,
    /// The paper's sizes: 24 plies of 5 children or 12 of 20, half of them the master's, and
    /// 1,536 workers
    #[arg(long)]
    pub(crate) full: bool,
    /// Children of a node
    #[arg(long, default_value_t = 5)]
    pub(crate) width: u8,
    /// Plies in all
    #[arg(long)]
    pub(crate) depth: Option<u8>,
    /// Plies of the master's tree
    #[arg(long)]
    pub(crate) reach: Option<u8>,
    /// Numbers of workers
    #[arg(long, value_delimiter = ',')]
    pub(crate) workers: Vec<usize>,
    /// Of published, without-updates, share, epsilon, in-step, extended; the last three may say
    /// how much wider windows are, as in in-step:50
    #[arg(long, value_delimiter = ',', default_value = "published,epsilon,in-step,extended")]
    pub(crate) methods: Vec<Method>,
    /// How many trees
    #[arg(long, default_value_t = 4)]
    pub(crate) count: usize,
    /// The number of the first synthetic tree; draws the positions of shogi trees
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games or positions that shogi trees begin at (.csa, .kif or SFEN lines); the start
    /// position if not given
    #[arg(long)]
    pub(crate) positions: Option<PathBuf>,
    /// Plies of a game before the position of a shogi tree
    #[arg(long, default_value_t = 50)]
    pub(crate) plies: usize,
    /// Searches at the same time
    #[arg(long, default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// The shallowest nodes that are remembered
    #[arg(long, default_value_t = 4)]
    pub(crate) remember_from: u8,
    /// Nanoseconds of a worker's node
    #[arg(long, default_value_t = 2_900)]
    pub(crate) node: u64,
    /// Nanoseconds of the master's visit of a node it knows
    #[arg(long, default_value_t = 33)]
    pub(crate) visit: u64,
    /// Nanoseconds to make a node of the master's tree
    #[arg(long, default_value_t = 1_870)]
    pub(crate) make: u64,
    /// Nanoseconds that a message costs the master
    #[arg(long, default_value_t = 8_850)]
    pub(crate) message: u64,
    /// Nanoseconds for each task in it
    #[arg(long, default_value_t = 210)]
    pub(crate) item: u64,
    /// Microseconds from machine to machine
    #[arg(long, default_value_t = 343)]
    pub(crate) latency: u64,
    /// Say what things take on this machine, and end
    #[arg(long)]
    pub(crate) measure: bool,
}
