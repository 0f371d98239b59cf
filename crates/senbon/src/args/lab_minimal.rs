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
#[command(
    before_long_help = "Reproduces: minimal-trees-2014 Tables 1 to 7, Figures 6 to 11
Takes: minutes on two cores as it stands; with --full, minutes to hours a tree and 6 to 12 GiB",
    after_help = "Writes into --out: a page (minimal-tree.md), tables (.csv), the figures (figure-6.svg to \
figure-11.svg) and the journal. What the journal has is not searched again: a run that was \
stopped goes on, and one with more trees, workers or methods searches those alone. One folder is \
for one kind of trees of one size.

Tables 1 and 6 are of synthetic trees, Tables 2 to 5 and 7 of shogi trees (3 with --width 20).

Examples:
  senbon lab minimal-tree --out synthetic
  senbon lab minimal-tree --trees shogi --positions games --out shogi
  senbon lab minimal-tree --trees shogi --positions games --width 20 --out wide
  senbon lab minimal-tree --full --workers 1536 --methods published,in-step --out full
  senbon lab minimal-tree --measure"
)]
pub(crate) struct MinimalTree {
    /// Which trees
    #[arg(long, value_enum, default_value = "synthetic")]
    pub(crate) trees: ForestName,
    /// Folder of the journal and the results
    #[arg(long, required_unless_present_any = ["measure", "live"])]
    pub(crate) out: Option<PathBuf>,
    /// The paper's sizes: 24 plies of 5 children or 12 of 20, half of them the master's, by 512
    /// and 1,536 workers
    #[arg(long)]
    pub(crate) full: bool,
    /// Children of a node
    #[arg(long, default_value_t = 5)]
    pub(crate) width: u8,
    /// Plies in all; 16 of synthetic, 12 of shogi trees, half as many of wide ones, if not given
    #[arg(long)]
    pub(crate) depth: Option<u8>,
    /// Plies of the master's tree
    #[arg(long)]
    pub(crate) reach: Option<u8>,
    /// Plies of it at first, in methods in step: it grows by two whenever 6 plies below are
    /// settled. All of them if not given, but 6 (2 in wide trees) in growing and hasty
    #[arg(long, value_name = "PLIES")]
    pub(crate) start: Option<u8>,
    /// Levels do not wait for the last few tasks, in methods in step, as in hasty
    #[arg(long)]
    pub(crate) hurry: bool,
    /// Numbers of workers; 16,64 if not given
    #[arg(long, value_delimiter = ',')]
    pub(crate) workers: Vec<usize>,
    /// Foremen between the workers and the master; 0 is none
    #[arg(long, default_value_t = 0)]
    pub(crate) foremen: usize,
    /// Of published, without-updates, share, negascout, epsilon, in-step, extended, growing,
    /// hasty, crews, front; the last seven may say how much wider windows are, as in in-step:50. If
    /// not given, all but extended, hasty, crews and front, and share for shogi trees alone
    #[arg(long, value_delimiter = ',')]
    pub(crate) methods: Vec<Method>,
    /// How many trees; 4 synthetic ones or 32 positions if not given
    #[arg(long)]
    pub(crate) count: Option<usize>,
    /// The number of the first synthetic tree; draws the positions of shogi trees
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games or positions that shogi trees begin at: a folder of .csa and .kif files, one such
    /// file, or a file of SFEN lines; the start position if not given
    #[arg(long)]
    pub(crate) positions: Option<PathBuf>,
    /// Plies of a game before the position of a shogi tree
    #[arg(long, default_value_t = 50)]
    pub(crate) plies: usize,
    /// At how many nodes of each kind the ordering of trees is measured (Figure 6): roots of
    /// synthetic trees, and positions where there are any
    #[arg(long, default_value_t = 100, value_name = "NODES")]
    pub(crate) ordering: usize,
    /// Split the increase of leaves (Table 5, Figures 9 and 11) for synthetic trees, too
    #[arg(long)]
    pub(crate) analysis: bool,
    /// Do not split it, which takes about fifteen sequential searches a tree
    #[arg(long, conflicts_with = "analysis")]
    pub(crate) no_analysis: bool,
    /// Searches at the same time; as many as there are cores if not given, but 1 with --full
    #[arg(long)]
    pub(crate) concurrency: Option<usize>,
    /// Print one JSON object at the end instead of the page
    #[arg(long)]
    pub(crate) json: bool,
    /// Plies of the shallowest nodes that are remembered: with more it takes less memory, but more
    /// is searched again, by one and by many
    #[arg(long, default_value_t = 2)]
    pub(crate) remember_from: u8,
    /// Plies by which searches by many go deeper at a time; 2 as in the paper. 4 leaves out every
    /// other level: on most trees that saves more than their better order is worth
    #[arg(long, default_value_t = 2, value_parser = plies)]
    pub(crate) stride: u8,
    /// The same of the search by one
    #[arg(long, default_value_t = 2, value_parser = plies)]
    pub(crate) alone_stride: u8,
    /// The search by one has null windows (NegaScout), too, as workers of crews have; otherwise it
    /// is alpha-beta, as in the paper
    #[arg(long)]
    pub(crate) alone_scouts: bool,
    /// Mebibytes in which a crew remembers positions together (methods crews, front)
    #[arg(long, default_value_t = 128)]
    pub(crate) pool: usize,
    /// Nanoseconds of a worker's node
    #[arg(long, default_value_t = 2_180)]
    pub(crate) node: u64,
    /// Nanoseconds of the master's visit of a node it knows
    #[arg(long, default_value_t = 48)]
    pub(crate) visit: u64,
    /// Nanoseconds to list the children of a node of the master's tree
    #[arg(long, default_value_t = 4_100)]
    pub(crate) open: u64,
    /// Nanoseconds to judge such a node
    #[arg(long, default_value_t = 1_040)]
    pub(crate) judge: u64,
    /// Nanoseconds that a message costs the master
    #[arg(long, default_value_t = 8_850)]
    pub(crate) message: u64,
    /// Nanoseconds for each task in it
    #[arg(long, default_value_t = 230)]
    pub(crate) item: u64,
    /// Microseconds from machine to machine
    #[arg(long, default_value_t = 343)]
    pub(crate) latency: u64,
    /// Nanoseconds that a message from thread to thread costs (methods crews, front)
    #[arg(long, default_value_t = 7_800)]
    pub(crate) handover: u64,
    /// Microseconds from one thread to another that waits (methods crews, front)
    #[arg(long, default_value_t = 22)]
    pub(crate) wake: u64,
    /// Search shogi trees with so many real worker processes on this machine, and in virtual
    /// time, and say how far the prediction is off: 1,2 on two cores
    #[arg(long, value_name = "WORKERS", value_delimiter = ',')]
    pub(crate) live: Vec<usize>,
    /// Workers of each of these processes; more than one are a crew
    #[arg(long, default_value_t = 1, requires = "live")]
    pub(crate) slots: usize,
    /// How often each live search is made; the middle one counts
    #[arg(long, default_value_t = 3, requires = "live")]
    pub(crate) rounds: usize,
    /// Say what things take on this machine, and end
    #[arg(long)]
    pub(crate) measure: bool,
}

/// Findings are told of every second depth, and strides beyond 8 leave nothing to go by.
fn plies(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(plies @ (2 | 4 | 6 | 8)) => Ok(plies),
        _ => Err("2, 4, 6 or 8 plies at a time".to_owned()),
    }
}
