//! One search out of many: the vocabulary that fronts, coordinators, engines and the network
//! share, and the coordinators themselves.
//!
//! A **searcher** takes [`Order`]s and gives [`Report`]s. A coordinator is a searcher made of
//! searchers: it takes the same orders from above and sends the same orders below.
//!
//! Everything here is sans-IO: state machines that are told the time and say what they want
//! done. No clock, no thread, no socket, no random number of their own.

mod budget;
mod coordinator;
mod memory;
pub mod minimal;
mod order;
pub mod pipeline;
mod place;
mod probability;
mod report;
mod score;
pub mod session;
pub mod tree;
pub mod vote;
pub mod wire;

pub use budget::Budget;
pub use coordinator::Coordinator;
pub use memory::{Known, Memory};
pub use order::{Clock, Epoch, Limits, Order, Search};
pub use place::Place;
pub use probability::{RankTable, RankTableError};
pub use report::{Ability, Berth, Fault, Opinion, Report, Valued, WorkerId};
pub use score::{Bound, Score};
