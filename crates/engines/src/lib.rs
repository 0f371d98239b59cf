//! Engine protocols: what engines and the programs that drive them say to each other.
//!
//! Everything here works on bytes and text that somebody else reads and writes: no process,
//! no pipe, no clock. Positions and moves are carried as text; whether they are legal is
//! decided where the rules are known.
//!
//! - [`LineSplitter`] cuts a byte stream into lines of bounded length.
//! - [`universal`] reads and writes UCI and USI, in both directions.

mod line;
pub mod universal;

pub use line::{Line, LineSplitter};
