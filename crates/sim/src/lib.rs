//! The virtual world: one event queue, a virtual clock, links with faults, workers that spend
//! virtual time for each node, and checkers that watch from outside. One seed, one trace.
//!
//! [`World`] is the mechanism: it drives the same coordinator, the same built-in worker and
//! the same search as the live world.

mod link;
mod machine;
mod paced;
mod queue;
mod script;
mod trace;
mod wire;
mod world;

pub use link::{Link, LinkProfile};
pub use machine::{MachineId, Mind};
pub use paced::PacedWorker;
pub use queue::Queue;
pub use script::Script;
pub use trace::{Digest, Listener, Trace};
pub use wire::{Parcel, Values, Wire};
pub use world::{Happened, Sent, Unwatched, Watch, World};
