//! The arguments of `senbon lab regret`.

use std::path::PathBuf;

use clap::Args;
use senbon_core::pipeline::Strategy;
use senbon_fabric::front::TableFile;
use senbon_lab::matches::Team;
use senbon_lab::regret::Plies;

use super::EngineGame;

#[derive(Debug, Args)]
#[command(
    before_long_help = "Reproduces: nothing published; the fast yardstick for ways of joining workers
Takes: about 1.5 s a core for a reference search of 1,000,000 nodes, two to six a position, once; \
then the nodes of all workers",
    after_help = "Examples:
  senbon lab regret --positions games.pgn --out regret --teams pipeline:8,pipeline:16,root-split:8
  senbon lab regret --positions games.pgn --out regret --teams all:8 --times 1,2 --ruler 1,2,4,8,16
  senbon lab regret --positions openings.epd --out regret --teams pipeline:60 --speed 2000 \\
      --count 200 --tag after-my-change
The first makes regret/regret.md, which says for instance that pipeline:8 plays as well as one \
worker in 2.3 times the time. The others use its references again: only what is new is searched."
)]
pub(crate) struct Regret {
    /// Folder of the journals and the results
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Where positions come from: games (.pgn, .csa; a position at a random ply of each, then
    /// another of each, …), lines (EPD, FEN, SFEN, `startpos moves …`) or a Polyglot book (.bin);
    /// random moves if not given
    #[arg(long, num_args = 1..)]
    pub(crate) positions: Vec<PathBuf>,
    /// Positions to look at
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) count: u32,
    /// Plies from which positions are taken: 16..80 of games, 12 of a book, 6..10 random moves
    /// if not given
    #[arg(long)]
    pub(crate) plies: Option<Plies>,
    /// Leave out positions that are worth more centipawns than this to either side
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    pub(crate) decided: i32,
    /// Which game
    #[arg(long, value_enum, default_value = "chess")]
    pub(crate) game: EngineGame,
    /// Who chooses: STRATEGY:WORKERS, all:WORKERS for every strategy, linear:TIMES for one
    /// worker that is as many times as fast
    #[arg(long, value_delimiter = ',', default_value = "all:8")]
    pub(crate) teams: Vec<Teams>,
    /// Their times, as multiples of --move-time
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = multiple)]
    pub(crate) times: Vec<f64>,
    /// Times of the one worker that is the ruler, as multiples of --move-time
    #[arg(long, value_delimiter = ',', default_value = "1,2,4,8,16,32,64", value_parser = multiple)]
    pub(crate) ruler: Vec<f64>,
    /// Virtual seconds that multiples are of
    #[arg(long, default_value_t = 1.0, value_parser = multiple)]
    pub(crate) move_time: f64,
    /// Nodes of a worker in a virtual second
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) speed: u32,
    /// Table of a worker in KiB
    #[arg(long, default_value_t = 1_024)]
    pub(crate) hash: usize,
    /// Teams have thought at their move before and pondered while the opponent took
    /// --move-time, as in a game; positions need the moves before them
    #[arg(long)]
    pub(crate) warm: bool,
    /// Nodes of a reference search; several times those of the longest time of the ruler
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) reference_nodes: u64,
    /// The file of references; references.jsonl in --out if not given. Runs may share it, one
    /// at a time
    #[arg(long)]
    pub(crate) references: Option<PathBuf>,
    /// Names the searching code: choices of another tag are not used again. Give another one
    /// when a strategy has changed; the program's version if not given
    #[arg(long)]
    pub(crate) tag: Option<String>,
    /// Probabilities of ranks; the published table if not given
    #[arg(long, default_value = "")]
    pub(crate) rank_table: TableFile,
    /// Searches at the same time; all cores if not given
    #[arg(long)]
    pub(crate) concurrency: Option<usize>,
    /// Draws the positions, the random strategy and the resampling
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// One team, or one of every strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Teams(pub(crate) Vec<Team>);

impl std::str::FromStr for Teams {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(number) = text.strip_prefix("all:") else {
            return Ok(Teams(vec![text.parse()?]));
        };
        // One worker is the ruler.
        let many = Strategy::ALL.into_iter().filter(|&strategy| strategy != Strategy::Single);
        let teams = many.map(|strategy| format!("{}:{number}", strategy.name()).parse());
        Ok(Teams(teams.collect::<Result<_, _>>()?))
    }
}

/// More than that is a slip of the pen.
const MOST_TIMES: f64 = 1e6;

fn multiple(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    match number > 0.0 && number <= MOST_TIMES {
        true => Ok(number),
        false => Err(format!("'{text}' is not above 0 and at most {MOST_TIMES}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_stands_for_every_way_of_joining_workers() {
        let Teams(teams) = "all:4".parse().unwrap();
        assert_eq!(teams.len(), Strategy::ALL.len() - 1);
        assert!(teams.iter().all(|team| team.workers == 4 && team.strategy != Strategy::Single));
        assert_eq!("linear:4".parse::<Teams>().unwrap().0[0].speedup, 4);
        assert!("all:0".parse::<Teams>().is_err() && "crowd:2".parse::<Teams>().is_err());
        assert!(multiple("0").is_err() && multiple("NaN").is_err() && multiple("0.5").is_ok());
    }
}
