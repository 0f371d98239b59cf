//! The arguments of `senbon match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use senbon_engines::process::EngineLine;
use senbon_lab::matches::{Control, DrawRule, ImpasseRule, ResignRule};

use super::EngineGame;
use super::listen::Listen;
use super::quanta::QuantaArgs;

#[derive(Debug, Args)]
#[command(after_help = "A player is any program that speaks UCI (chess) or USI (shogi). \
`built-in` is Senbon's own engine; `senbon` as the program is this very one, so that any \
strategy over any workers can play:

  senbon match --first stockfish --second ethereal-chess --control 10+0.1
  senbon match --first \"senbon uci --engine stockfish --workers 4\" --second stockfish \\
      --control movetime=0.5 --games 200 --openings book.epd --out games.pgn
  senbon match --game shogi --first built-in --second fairy-stockfish \\
      --second-option UCI_Variant=shogi --control nodes=20000
  senbon match --virtual --first pipeline:8 --second single --ponder \\
      --first-control movetime=0.95 --second-control movetime=1
  senbon match --virtual --engine stockfish --first pipeline:8 --second single --ponder \\
      --control movetime=1 --speed 8000
  senbon match --first new --second old --control 8+0.08 --sprt 0:5 --concurrency 4

Controls: 10+0.1 (seconds and increment), 40/60+0.5 (moves, seconds, increment), byoyomi=5, \
movetime=1, nodes=20000, depth=8, or several joined by commas.
A match with --journal goes on where it was when it is started again.

With --listen or --connect a player has workers of other machines beside its own: the first \
player that is `senbon uci` or `senbon usi`. The other one gets some of its own by a --listen at \
another address in its command line:

  senbon match --first \"senbon uci --workers 0\" --second stockfish --control 60+1 \\
      --listen 0.0.0.0 --keys keys/master")]
pub(crate) struct Match {
    /// Command line of the player whose result is told
    #[arg(long)]
    pub(crate) first: EngineLine,
    /// Command line of the other player
    #[arg(long)]
    pub(crate) second: EngineLine,
    /// Name of the first player in records; its command line if not given
    #[arg(long)]
    pub(crate) first_name: Option<String>,
    /// Name of the second player
    #[arg(long)]
    pub(crate) second_name: Option<String>,
    /// An option to set on the first player, NAME=VALUE; may be given several times
    #[arg(long)]
    pub(crate) first_option: Vec<String>,
    /// An option to set on the second player
    #[arg(long)]
    pub(crate) second_option: Vec<String>,
    /// Which game
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// Limits of both players
    #[arg(long, default_value = "10+0.1")]
    pub(crate) control: Control,
    /// Limits of the first player, where they differ
    #[arg(long)]
    pub(crate) first_control: Option<Control>,
    /// Limits of the second player, where they differ
    #[arg(long)]
    pub(crate) second_control: Option<Control>,
    /// Games to play, two for each opening
    #[arg(long, default_value_t = 100)]
    pub(crate) games: usize,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// Openings: positions a line (EPD, FEN, SFEN, `startpos moves …`), games (.pgn, .csa) or a
    /// Polyglot book (.bin); random moves if not given
    #[arg(long)]
    pub(crate) openings: Option<PathBuf>,
    /// Plies of an opening taken from games, a book or at random
    #[arg(long, default_value_t = 8)]
    pub(crate) plies: usize,
    /// Draws the order of the openings, and the random ones
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Let both players think on the opponent's time
    #[arg(long)]
    pub(crate) ponder: bool,
    /// Play in virtual time: players are teams of workers, written STRATEGY:WORKERS or
    /// linear:TIMES, and a thousand built-in workers need one core
    #[arg(long = "virtual")]
    pub(crate) virtual_time: bool,
    /// Nodes of a worker in a virtual second
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) speed: u32,
    #[command(flatten)]
    pub(crate) quanta: QuantaArgs,
    /// Table of each player, or of each virtual worker, in MiB
    #[arg(long, default_value_t = 16)]
    pub(crate) hash: usize,
    /// End games that both players see as lost: CENTIPAWNS:MOVES
    #[arg(long)]
    pub(crate) resign: Option<ResignRule>,
    /// End games that both players see as even: FROM_MOVE:MOVES:CENTIPAWNS
    #[arg(long)]
    pub(crate) draw: Option<DrawRule>,
    /// A game of so many plies is a draw
    #[arg(long, default_value_t = 600)]
    pub(crate) longest: usize,
    /// What ends a game of shogi whose kings have entered: `declared` (28 points of Black or 27
    /// of White win for a player that declares), `27` (the same without being declared) or `24`
    /// (31 points win, and a draw when both sides have entered with 24)
    #[arg(long, default_value_t)]
    pub(crate) impasse: ImpasseRule,
    /// Milliseconds that a player may be late
    #[arg(long, default_value = "50", value_parser = milliseconds)]
    pub(crate) grace: Duration,
    /// Stop when it is clear whether the first player is stronger by ELO0 or by ELO1
    /// (sequential probability ratio test, errors of 5 %): ELO0:ELO1
    #[arg(long, value_parser = hypotheses, allow_hyphen_values = true)]
    pub(crate) sprt: Option<(f64, f64)>,
    /// Write the games to this file, PGN or CSA
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Keep the match in this file, and go on from it
    #[arg(long)]
    pub(crate) journal: Option<PathBuf>,
    /// A line of JSON for every game and one for the result (docs/protocol.md), for scripts
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) listen: Listen,
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().map_err(|_| format!("{text:?} is not a number of milliseconds"))?;
    Ok(Duration::from_millis(number))
}

fn hypotheses(text: &str) -> Result<(f64, f64), String> {
    let wrong = || format!("{text:?} is not of the form ELO0:ELO1 with ELO0 below ELO1");
    let (low, high) = text.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<f64>().ok().filter(|elo| elo.abs() <= 1_000.0);
    match (number(low), number(high)) {
        (Some(low), Some(high)) if low < high => Ok((low, high)),
        _ => Err(wrong()),
    }
}
