//! Minimal-tree search in virtual time: one master, foremen or none, and as many workers as
//! wanted, each as fast as the measured costs say.
//!
//! The master, the desks and the searches are those of the live world; what is modelled is how
//! long things take. One seed, one course of events.

mod costs;
mod faults;
mod foremen;
mod ring;
mod worker;
mod world;

pub use costs::Costs;
pub use faults::Faults;
pub use world::{Field, Finished, PAUSE, Trial};
