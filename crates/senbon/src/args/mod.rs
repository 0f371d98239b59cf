//! The command line: what can be said, and the help that teaches it.

pub(crate) mod analyse;
pub(crate) mod compose;
pub(crate) mod csa;
pub(crate) mod front;
pub(crate) mod keep;
pub(crate) mod keys;
pub(crate) mod lab;
pub(crate) mod lab_fabric;
pub(crate) mod lab_minimal;
pub(crate) mod lab_vote;
pub(crate) mod listen;
pub(crate) mod matches;
pub(crate) mod quanta;
pub(crate) mod regret;
pub(crate) mod router;
pub(crate) mod serve;
pub(crate) mod sim;
mod strategy;
pub(crate) mod worker;
pub(crate) mod workers;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Many engines on many machines, one player.
#[derive(Debug, Parser)]
#[command(name = "senbon", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search a position with many workers and tell the best move
    Analyse(analyse::Analyse),
    /// Be one chess engine to a GUI (UCI), with many workers behind
    Uci(front::FrontArgs),
    /// Be one shogi engine to a GUI (USI), with many workers behind
    Usi(front::FrontArgs),
    /// Play on a shogi game server (CSA protocol), with many workers behind
    Csa(Box<csa::Csa>),
    /// Be a shogi game server (CSA protocol) for programs and GUIs
    Serve(Box<serve::Serve>),
    /// Lend this machine's engines to a master on another machine
    Worker(worker::Worker),
    /// Be a meeting place for masters and workers that cannot reach each other
    Router(router::Router),
    /// Tell who works for a master
    Workers(workers::Workers),
    /// Make and revoke the credentials that workers and masters show each other
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Count the move sequences from a position: the proof of a move generator
    Perft(Perft),
    /// Search fixed positions to a fixed depth: speed, and a signature of the search
    Bench(Bench),
    /// Be a chess engine (UCI) or a shogi engine (USI), for a GUI or a match runner
    Engine(Engine),
    /// End engines when the program that started them is gone; the program runs it itself
    #[command(hide = true)]
    Leash,
    /// Play games between two players and tell who is stronger, and how sure that is
    Match(Box<matches::Match>),
    /// Run an experiment
    #[command(
        subcommand,
        after_help = "senbon lab list tells what each reproduces and how long it takes."
    )]
    Lab(lab::Experiment),
    /// Try the coordinator with faulty workers and links in virtual time, and check its promises
    Sim(sim::Sim),
}

/// The games whose rules are built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameName {
    Chess,
    Shogi,
    Go,
}

#[derive(Debug, Args)]
#[command(after_help = "Enter `senbon engine chess` as the engine's command line in the GUI. \
To try it by hand, type `uci`, then `go movetime 1000`, then `quit`.")]
pub(crate) struct Engine {
    /// Which game to play
    #[arg(value_enum)]
    pub(crate) game: EngineGame,
}

/// The games with a built-in engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineGame {
    /// Speaks UCI
    Chess,
    /// Speaks USI
    Shogi,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  senbon perft 5
  senbon perft --game shogi 4
  senbon perft --position \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\" 6
  senbon perft --game go --json 3")]
pub(crate) struct Perft {
    /// How many moves deep to count
    pub(crate) depth: u32,
    /// Which rules
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: GameName,
    /// The position, in the game's notation: FEN, SFEN, or a Go position (docs/go.md).
    /// The usual start if not given
    #[arg(long)]
    pub(crate) position: Option<String>,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "The signature is the number of nodes searched. It changes only when \
the search or the evaluation does, never with the machine.")]
pub(crate) struct Bench {
    /// Only this game
    #[arg(long, value_enum)]
    pub(crate) game: Option<BenchGame>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the bench searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchGame {
    Chess,
    Shogi,
    /// On 9×9, by alpha-beta
    Go,
    /// Uniform trees of width 7, by plain alpha-beta
    Trees,
}
