//! Sessions between a master and its workers: who is there, and what must arrive.
//!
//! Sans-IO, like everything here: both ends are told of frames and of the time, and say which
//! frames to send. A worker ([`Guest`]) says hello; the master ([`Host`]) asks for a proof of
//! who it is, if that is wanted, and welcomes or refuses it. Then orders go down and reports go
//! up as letters, which arrive once and in order, while progress may get lost. Both ends give
//! signs of life several times a lease; whoever gives none for a lease is taken for gone. The
//! network may lose, double, delay and mix frames.
//!
//! docs/protocol.md describes the frames, docs/fabric.md the rules.

mod frame;
mod gate;
mod guest;
mod host;
mod parcel;
mod post;
mod proof;
mod talk;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::wire::VERSION;
pub use frame::{Body, Frame, FrameError, Hello, MOST_NAME, PeerId, SessionId};
pub use gate::{Denial, Refusal};
pub use guest::{Asked, Guest, GuestEvent};
pub use host::{Host, HostEvent, HostRules};
pub use parcel::{MOST_PARCEL, Parcels, frames};
pub use post::{MOST_WAITING, WINDOW_BYTES, WINDOW_LETTERS, Weight};
pub use proof::{Candidate, Challenge, Doorkeeper, MOST_CHALLENGE, MOST_PROOF, Side};

/// The usual lease.
pub const LEASE: Duration = Duration::from_secs(1);

/// What is told to whoever speaks another version.
fn refused_version(version: u8, whose: &str) -> String {
    format!(
        "{whose} speaks version {version} of the protocol, the other end version {VERSION}: \
         install the same release of senbon on both"
    )
}
