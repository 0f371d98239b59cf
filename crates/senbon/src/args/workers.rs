//! The arguments of `senbon workers`.

use std::time::Duration;

use clap::Args;
use senbon_fabric::carrier::Address;

use super::listen::Protection;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  senbon workers
  senbon workers --connect master.example --keys keys/master
  senbon workers --json

The master must listen (`--listen`). Whoever may join as a worker may also ask. docs/protocol.md \
has the fields of --json.")]
pub(crate) struct Workers {
    /// The master's address: HOST or HOST:PORT
    #[arg(long, value_name = "ADDRESS", default_value = "localhost")]
    pub(crate) connect: Address,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// How many seconds to wait for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    wait: u16,
    #[command(flatten)]
    pub(crate) protection: Protection,
}

impl Workers {
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(u64::from(self.wait))
    }
}
