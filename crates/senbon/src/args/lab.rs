//! The arguments of `senbon lab`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Subcommand};

use senbon_engines::process::EngineLine;
use senbon_fabric::front::TableFile;
use senbon_lab::pgpp::Arm;

use super::EngineGame;
use super::analyse::seconds;
use super::lab_fabric::Fabric;
use super::lab_minimal::MinimalTree;
use super::lab_vote::Vote;
use super::quanta::QuantaArgs;
use super::regret::Regret;
use super::strategy::StrategyName;

/// Lines of an experiment's long help that `senbon lab list` shows as well.
pub(crate) const REPRODUCES: &str = "Reproduces:";
pub(crate) const TAKES: &str = "Takes:";

#[derive(Debug, Subcommand)]
pub(crate) enum Experiment {
    /// Search positions with known best moves (EPD with bm or am) and count those found
    Solve(Solve),
    /// Count how often the move of each rank is played in recorded games
    ///
    /// The engine ranks the moves of every position at a fixed depth (MultiPV), and the rank
    /// of the move actually played is counted. To rank all moves takes long, so the engine is
    /// first asked for one line more than --ranks, which decides what is counted; only when
    /// the move played is not among them it is asked again for all legal moves, so that the
    /// journal tells how far behind the move was. --all-moves asks for all at once, as
    /// pgpp-2015 did, in several times the time.
    ///
    /// Every position is written to the journal at once. Interrupted (Ctrl-C, kill, power) and
    /// started again with the same arguments, the run goes on where it was; a journal of other
    /// games or settings is refused. When all positions are done the counts are written to
    /// --out, a file that `senbon uci`, `usi` and `analyse` read by --rank-table. With a
    /// complete journal no engine is started.
    RankFrequency(RankFrequency),
    /// Work out how far ahead of the game a greedily grown tree of workers is: U(T)
    Utility(Utility),
    /// Play many workers against one in virtual time: win rate and foresight
    ///
    /// Every point, a way to use many workers and their number, is a match against a single
    /// worker with the same engine: the built-in one, or any other that stops at a number of
    /// nodes (docs/sim.md says how that differs from a search in one go). The games of each point are kept in a journal of the
    /// folder --out; started again, with more games or more points, the run goes on where it
    /// was. At the end a page, a CSV file and two pictures are written there.
    Pgpp(Box<Pgpp>),
    /// Compare the virtual world with the live one: nodes and moves on the same positions
    ///
    /// The speed of a live worker is measured and given to the virtual ones. Both worlds then
    /// answer the same positions in the same time, each twice, because two live runs differ,
    /// too. Printed is how far they differ. The live side needs a machine that does nothing
    /// else, with a core for each worker.
    Fidelity(Fidelity),
    /// Measure what the moves of many workers cost, and how much faster than one worker they are
    ///
    /// Every team chooses a move in every position, in virtual time. The regret of a move is
    /// what the best move is worth more than it, by reference searches of equal effort after
    /// both. One worker with 1, 2, 4, … times the time is the ruler: where it is as good as a
    /// team is that team's effective speed-up.
    ///
    /// References and choices are written to journals of the folder --out at once. Interrupted
    /// (Ctrl-C, kill, power) and started again, the run goes on where it was; with more teams,
    /// times or positions only those are searched. At the end a page, CSV files and two
    /// pictures are written there.
    Regret(Box<Regret>),
    /// Measure the fabric on loopback: latency, messages a second, hundreds of workers
    ///
    /// Orders and their answers are exchanged within this process, by TCP in the open, and by
    /// QUIC with credentials made for the purpose, with one session and with many. Then many
    /// workers join one master and answer once a second. Stand-ins take the place of engines;
    /// the workers are another process, so that what the master uses is its own. Ctrl-C ends it
    /// with what there is.
    Fabric(Fabric),
    /// Play a vote, and each of its voters alone, against one of them
    ///
    /// The rows are matches from the same openings. Their games are kept in journals of the
    /// folder --out; started again, with more games, the run goes on where it was. At the end a
    /// page and a CSV file are written there, with the paper's table beside ours.
    Vote(Vote),
    /// Search one tree by many workers in virtual time: how much faster than by one
    ///
    /// The master, the workers and their searches are the real ones; how long things take is
    /// modelled, by costs that --measure finds on this machine. The searches are kept in a
    /// journal of the folder --out; started again, with more trees, workers or methods, the
    /// run goes on where it was. docs/minimal-tree.md tells what the methods are.
    MinimalTree(Box<MinimalTree>),
    /// List all experiments: what they reproduce and how long they take
    List(List),
}

#[derive(Debug, Args)]
#[command(before_long_help = "Reproduces: nothing published; Win at Chess measures our engine
Takes: about 2 s a position and core at the usual nodes")]
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
#[command(
    before_long_help = "Reproduces: pgpp-2015 Table 2 (section 5.2)
Takes: about an hour for 12 games with two Stockfish at depth 15 on two shared cores",
    after_help = "Examples:
  senbon lab rank-frequency games.pgn --engine stockfish
  senbon lab rank-frequency --game shogi *.csa --engine fairy-stockfish --depth 8 --out shogi.txt"
)]
pub(crate) struct RankFrequency {
    /// Records of games: PGN for chess, .csa or .kif for shogi
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Command line of an engine that speaks UCI (chess) or USI (shogi) and has MultiPV
    #[arg(long)]
    pub(crate) engine: EngineLine,
    /// An option to set on it, NAME=VALUE; may be given several times
    #[arg(long)]
    pub(crate) option: Vec<String>,
    /// Which game
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// Depth of each search
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) depth: u32,
    /// Ranks counted one by one; the rest is one class
    #[arg(long, default_value_t = 10, value_parser = whole_number::<1, 600>)]
    pub(crate) ranks: usize,
    /// Rank all legal moves of every position at once
    #[arg(long)]
    pub(crate) all_moves: bool,
    /// Engines at work at the same time, each on a game of its own
    #[arg(long, default_value_t = 1, value_parser = whole_number::<1, 1024>)]
    pub(crate) threads: usize,
    /// Table of each engine in MiB
    #[arg(long, default_value_t = 64)]
    pub(crate) hash: usize,
    /// The rank table to write
    #[arg(long, default_value = "rank-table.txt")]
    pub(crate) out: PathBuf,
    /// The journal; the name of --out with .journal behind if not given
    #[arg(long)]
    pub(crate) journal: Option<PathBuf>,
    /// Also write a page of results, in Markdown, with the published table beside
    #[arg(long)]
    pub(crate) markdown: Option<PathBuf>,
    /// Print one JSON object at the end instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

pub(super) fn whole_number<const LEAST: usize, const MOST: usize>(
    text: &str,
) -> Result<usize, String> {
    let number = text.parse().map_err(|_| format!("{text:?} is not a whole number"))?;
    if (LEAST..=MOST).contains(&number) {
        Ok(number)
    } else {
        Err(format!("{number} is not from {LEAST} to {MOST}"))
    }
}

#[derive(Debug, Args)]
#[command(
    before_long_help = "Reproduces: pgpp-2015 Fig. 4b, \"simulation result\" (sections 4.1 and 4.2)
Takes: less than a second",
    after_help = "Examples:
  senbon lab utility
  senbon lab utility --table rank-table.txt --workers 1..64"
)]
pub(crate) struct Utility {
    /// A rank table, as `senbon lab rank-frequency` writes it, beside the published one
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<TableFile>,
    /// How many workers: numbers and ranges with commas between, such as 1..8,60
    #[arg(long, default_value = "1,2,4,8,16,32,60,64,128,256,512,1024,1536")]
    pub(crate) workers: Numbers,
    /// Moves of each position, by rank
    #[arg(long, default_value_t = 10, value_parser = whole_number::<1, 600>)]
    pub(crate) ranks: usize,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print a JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Numbers of workers.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(Vec<usize>);

/// More workers are not asked about.
const MOST_WORKERS: usize = 100_000;

impl Numbers {
    pub(crate) fn numbers(&self) -> &[usize] {
        &self.0
    }
}

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut numbers = Vec::new();
        for part in text.split(',') {
            let number = |text: &str| whole_number::<1, MOST_WORKERS>(text.trim());
            let (first, last) = match part.split_once("..") {
                Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
                None => (number(part)?, number(part)?),
            };
            if last < first {
                return Err(format!("{part} counts down"));
            }
            numbers.extend(first..=last);
            if numbers.len() > MOST_WORKERS {
                return Err(format!("more than {MOST_WORKERS} numbers"));
            }
        }
        Ok(Numbers(numbers))
    }
}

#[derive(Debug, Args)]
#[command(
    before_long_help = "Reproduces: pgpp-2015 Fig. 4a and 4b (section 5.3)
Takes: at 4,000 nodes a move about 8 s a game and core with 8 workers, in proportion to workers",
    after_help = "Examples:
  senbon lab pgpp --openings performance.bin --out results --games 100
  senbon lab pgpp --workers 8,16 --arms pipeline,gpp --speed 10000 --openings performance.bin \\
      --out results
  senbon lab pgpp --engine stockfish --workers 8,16 --arms pipeline --openings performance.bin \\
      --out results"
)]
pub(crate) struct Pgpp {
    /// Folder of the journals and the results
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Which game
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// Numbers of workers
    #[arg(long, value_delimiter = ',', default_value = "1,2,4,8,16,32,60",
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) workers: Vec<u16>,
    /// Ways to use them: pipeline, random, linear, gpp, optimistic, root-split, ponder-only,
    /// equal-cpu
    #[arg(long, value_delimiter = ',', default_value = "pipeline,random,linear")]
    pub(crate) arms: Vec<Arm>,
    /// Games of each point
    #[arg(long, default_value_t = 40)]
    pub(crate) games: usize,
    /// Games at the same time; all cores if not given
    #[arg(long)]
    pub(crate) concurrency: Option<usize>,
    /// Nodes of a worker in a virtual second
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) speed: u32,
    /// Virtual seconds of a move of the single worker
    #[arg(long, default_value_t = 1.0)]
    pub(crate) move_time: f64,
    /// Part of it that the many do not have
    #[arg(long, default_value_t = 0.05)]
    pub(crate) penalty: f64,
    /// Table of a worker in KiB; other engines get whole MiB
    #[arg(long, default_value_t = 1_024)]
    pub(crate) hash: usize,
    #[command(flatten)]
    pub(crate) quanta: QuantaArgs,
    /// Openings, as in `senbon match`
    #[arg(long)]
    pub(crate) openings: PathBuf,
    /// Plies of an opening taken from games or a book
    #[arg(long, default_value_t = 12)]
    pub(crate) plies: usize,
    /// Probabilities of ranks; the published table if not given
    #[arg(long, default_value = "")]
    pub(crate) rank_table: TableFile,
    /// Draws the openings
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
#[command(
    before_long_help = "Reproduces: nothing published; measures the model behind all virtual results
Takes: about three minutes as it is, on two idle cores",
    after_help = "Examples:
  senbon lab fidelity --out results
  senbon lab fidelity --game shogi --workers 2 --move-time 1 --json"
)]
pub(crate) struct Fidelity {
    /// Folder for a page and a CSV file
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Which game
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// How the workers are made one search
    #[arg(long, value_enum, default_value = "pipeline")]
    pub(crate) strategy: StrategyName,
    /// Numbers of workers
    #[arg(long, value_delimiter = ',', default_value = "1,2",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) workers: Vec<u16>,
    /// Positions to answer
    #[arg(long, default_value_t = 30, value_parser = whole_number::<1, 10_000>)]
    pub(crate) positions: usize,
    /// Seconds for each
    #[arg(long, default_value = "0.3", value_parser = seconds)]
    pub(crate) move_time: Duration,
    /// Table of a worker in MiB
    #[arg(long, default_value_t = 16, value_parser = whole_number::<1, 65_536>)]
    pub(crate) hash: usize,
    /// Nodes of a virtual worker in a second; measured on a live one if not given
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) speed: Option<u64>,
    /// Draws the positions, and the jitter of the virtual links
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}
