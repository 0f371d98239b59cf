//! The arguments of `senbon lab fabric`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use senbon_fabric::carrier::Address;
use senbon_lab::fabric::Way;

use super::lab::whole_number;

#[derive(Debug, Args)]
#[command(
    before_long_help = "Reproduces: nothing published; measures what the network between machines costs at best
Takes: about seven minutes as it is, on two idle cores",
    after_help = "Examples:
  senbon lab fabric --out results
  senbon lab fabric --seconds 2 --sessions 20 --minutes 0.1 --json
  senbon lab fabric --seconds 0 --sessions 200 --minutes 60 --out hour"
)]
pub(crate) struct Fabric {
    /// Folder for a page and CSV files
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Seconds for each exchange of orders and answers; 0 for none
    #[arg(long, default_value = "8", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Sessions that exchange them at the same time, where there are many
    #[arg(long, default_value_t = 64, value_parser = whole_number::<1, 4_000>)]
    pub(crate) load: usize,
    /// How many of them share a connection, where connections are shared
    #[arg(long, default_value_t = 16, value_parser = whole_number::<1, 4_000>)]
    pub(crate) slots: usize,
    /// What carries them: `process` (within one), `tcp` or `quic`; all if not given
    #[arg(long, value_parser = way)]
    pub(crate) way: Vec<Way>,
    /// Workers that join one master; 0 for none
    #[arg(long, default_value_t = 500, value_parser = whole_number::<0, 4_000>)]
    pub(crate) sessions: usize,
    /// Minutes that they stay
    #[arg(long, default_value = "5", value_parser = minutes)]
    pub(crate) minutes: Duration,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub(crate) json: bool,
    /// Be the workers of a measurement under way
    #[arg(long, hide = true)]
    pub(crate) lend: Option<Address>,
    /// Their credentials
    #[arg(long, hide = true, requires = "lend")]
    pub(crate) keys: Option<PathBuf>,
    /// Their time to answer
    #[arg(long, hide = true, default_value_t = 0.0, requires = "lend")]
    pub(crate) pause: f64,
}

fn way(text: &str) -> Result<Way, String> {
    let found = Way::ALL.into_iter().find(|way| way.key() == text);
    found.ok_or_else(|| format!("{text:?} is not process, tcp or quic"))
}

fn minutes(text: &str) -> Result<Duration, String> {
    time(text, "minutes", 60.0)
}

fn seconds(text: &str) -> Result<Duration, String> {
    time(text, "seconds", 1.0)
}

fn time(text: &str, unit: &str, size: f64) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("{text:?} is not a number of {unit}"))?;
    Duration::try_from_secs_f64(number * size)
        .map_err(|_| format!("{text} {unit} cannot be waited"))
}
