//! What carries frames between processes: one small interface, two ways of doing it.
//!
//! A carrier delivers messages, tells who has come and who has gone, and never waits: a
//! message that cannot go out now is dropped, and the session above sends it again.

mod address;
pub(crate) mod ear;
mod hub;
mod net;
mod router;
mod settings;

pub use address::{Address, AddressError, PORT};
pub use hub::Hub;
pub use net::{Net, NetError};
pub use router::Router;

use senbon_core::session::PeerId;

use crate::keys::Identity;

/// What a carrier delivers. It is handed over on a thread of the carrier, and messages must be
/// taken without waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// A message for us.
    Message {
        /// Who sent it.
        from: PeerId,
        /// What.
        bytes: Vec<u8>,
    },
    /// Somebody of the other role is there.
    Joined(PeerId),
    /// Somebody of the other role is gone.
    Left(PeerId),
}

impl Delivery {
    /// Whether it may be dropped where there is no room: a message is sent again, but who
    /// comes and goes is told once.
    pub(crate) fn is_message(&self) -> bool {
        matches!(self, Delivery::Message { .. })
    }
}

/// Takes deliveries.
pub type Deliver = Box<dyn Fn(Delivery) + Send + Sync>;

/// Which end of the fabric a process is. Masters hear of workers, workers of masters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Gives orders.
    Master,
    /// Takes them.
    Worker,
}

/// Carries messages. What arrives is given to the [`Deliver`] that it was made with.
pub trait Carrier: Send + Sync {
    /// Our own name.
    fn me(&self) -> PeerId;

    /// Sends a message, or drops it where there is no room.
    fn send(&self, to: PeerId, bytes: Vec<u8>);

    /// By what we prove who we are and check others; `None` where nobody need prove anything.
    fn identity(&self) -> Option<&Identity>;
}
