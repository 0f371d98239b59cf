//! The arguments of `senbon router`.

use clap::Args;
use senbon_fabric::carrier::Address;

use super::listen::Protection;

#[derive(Debug, Args)]
#[command(after_help = "Example: two sites that only reach a machine on the internet
  senbon keys new keys attic && senbon keys router keys meeting-place
  there    senbon router --listen 0.0.0.0 --keys meeting-place
  site 1   senbon uci --connect there.example --keys keys/master
  site 2   senbon worker --connect there.example --keys attic --engine stockfish

Masters and workers prove to each other who they are. The router passes what they say on and \
does not lend or order anything itself; it sees what it passes on.")]
pub(crate) struct Router {
    /// Where masters and workers dial: HOST or HOST:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Address,
    /// Another router to be joined with this one; may be given several times
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) connect: Vec<Address>,
    #[command(flatten)]
    pub(crate) protection: Protection,
}
