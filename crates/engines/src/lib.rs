//! Engine protocols: what engines and the programs that drive them say to each other.
//!
//! The codecs work on bytes and text that somebody else reads and writes: no process, no
//! pipe, no clock. Positions and moves are carried as text; whether they are legal is decided
//! where the rules are known.
//!
//! - [`LineSplitter`] cuts a byte stream into lines of bounded length.
//! - [`universal`] reads and writes UCI and USI, in both directions.
//! - [`csa`] reads and writes what shogi game servers and their players say.
//! - [`dialogue`] holds the conversation with somebody else's engine.
//! - [`compose`] reads `senbon.toml`, a tree of searchers.
//! - [`process`] runs such engines as child processes.
//! - [`builtin`] plays the games with our own search behind those protocols; it alone has
//!   threads and a clock.

#[allow(clippy::disallowed_methods, reason = "the command loop is part of the live world")]
pub mod builtin;
pub mod compose;
pub mod csa;
pub mod dialogue;
mod line;
#[allow(clippy::disallowed_methods, reason = "processes are part of the live world")]
pub mod process;
pub mod universal;

pub use line::{Line, LineSplitter, read_lines};
