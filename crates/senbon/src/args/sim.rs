//! The arguments of `senbon sim`.

use std::ops::Range;
use std::time::Duration;

use clap::{Args, ValueEnum};
use senbon_sim::scenario::Planted;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  senbon sim                          one scenario of a fresh seed
  senbon sim --seed 42 --verbose      one scenario, every message of it
  senbon sim --seeds 1..10001         ten thousand of them on all cores
  senbon sim --minutes 60             fresh seeds for an hour

A seed draws everything: the game, the coordinator's strategy, its workers, their links, the
faults and when they happen, and who lies. The same seed gives the same trace. The exit
status is 1 if a promise was broken. Ctrl-C ends a swarm with what it has. docs/sim.md says what is drawn and what is checked.")]
pub(crate) struct Sim {
    /// Run the scenario of this seed
    #[arg(long, conflicts_with_all = ["seeds", "minutes"])]
    pub(crate) seed: Option<u64>,
    /// Run the scenarios of these seeds, FIRST..END (END is left out), until one breaks a promise
    #[arg(long, value_parser = range)]
    pub(crate) seeds: Option<Range<u64>>,
    /// Begin no further scenario after so many minutes
    #[arg(long, value_parser = minutes)]
    pub(crate) minutes: Option<Duration>,
    /// Scenarios at the same time; as many as there are cores if not given
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// Go on after a broken promise, and list them all at the end
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Print every event of a single scenario
    #[arg(long, conflicts_with_all = ["seeds", "minutes"])]
    pub(crate) verbose: bool,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub(crate) json: bool,
    /// Plant a fault in the coordinator or the sessions: a check of the checkers
    #[arg(long, value_enum)]
    pub(crate) plant: Option<Plant>,
}

/// The faults that can be planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Plant {
    /// Reports on old orders are taken for reports on the newest
    LateReports,
    /// Answers are moves from anywhere in the game
    IllegalAnswer,
    /// Every search is answered twice
    SecondAnswer,
    /// The coordinator sleeps through its deadlines
    Oversleep,
    /// Sessions lose one report in eight
    LostResult,
    /// Sessions hand on one report in eight twice
    SecondResult,
    /// The lease of sessions is three seconds
    LongLease,
    /// The lease of sessions is shorter than the time between two signs of life
    ShortLease,
    /// Who has lost its session does not come back
    NoReturn,
}

impl From<Plant> for Planted {
    fn from(plant: Plant) -> Planted {
        match plant {
            Plant::LateReports => Planted::LateReports,
            Plant::IllegalAnswer => Planted::IllegalAnswer,
            Plant::SecondAnswer => Planted::SecondAnswer,
            Plant::Oversleep => Planted::Oversleep,
            Plant::LostResult => Planted::LostResult,
            Plant::SecondResult => Planted::SecondResult,
            Plant::LongLease => Planted::LongLease,
            Plant::ShortLease => Planted::ShortLease,
            Plant::NoReturn => Planted::NoReturn,
        }
    }
}

impl Plant {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Plant::LateReports => "late-reports",
            Plant::IllegalAnswer => "illegal-answer",
            Plant::SecondAnswer => "second-answer",
            Plant::Oversleep => "oversleep",
            Plant::LostResult => "lost-result",
            Plant::SecondResult => "second-result",
            Plant::LongLease => "long-lease",
            Plant::ShortLease => "short-lease",
            Plant::NoReturn => "no-return",
        }
    }
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let (first, end) = text.split_once("..").ok_or("write FIRST..END, such as 1..1001")?;
    let number = |text: &str| {
        text.parse::<u64>().map_err(|_| format!("{text:?} is not a seed, a number from 0 on"))
    };
    let (first, end) = (number(first)?, number(end)?);
    if first >= end {
        return Err(format!("{first}..{end} holds no seed"));
    }
    Ok(first..end)
}

fn minutes(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("{text:?} is not a number of minutes"))?;
    Duration::try_from_secs_f64(number * 60.0)
        .map_err(|_| format!("{text} minutes cannot be waited"))
}
