//! The virtual world: one event queue, a virtual clock, links with faults, workers that spend
//! virtual time for each node, and checkers that watch from outside. One seed, one trace.
//!
//! [`World`] is the mechanism: it drives the same coordinator, the same built-in worker and
//! the same search as the live world. [`scenario`] draws a world with its faults from a seed
//! and checks the promises; [`swarm`] runs many of them.

mod check;
mod crews;
mod link;
mod machine;
pub mod minimal;
mod paced;
mod quanta;
mod queue;
pub mod scenario;
mod script;
mod sessions;
pub mod swarm;
mod trace;
mod watch;
mod wire;
mod world;

pub use check::{Books, Breach, Promise};
pub use link::{Link, LinkProfile};
pub use machine::{MachineId, Mind, Stepped};
pub use paced::PacedWorker;
pub use quanta::{Quanta, QuantaWorker};
pub use queue::Queue;
pub use script::Script;
pub use sessions::Weather;
pub use trace::{Digest, Listener, Trace};
pub use watch::{Sent, SessionNews, Unwatched, Watch, Way};
pub use wire::{Coded, EitherWire, Parcel, Values, Wire};
pub use world::{Happened, World};
