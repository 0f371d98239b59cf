//! A shogi game server that speaks the CSA protocol: who is logged in, who plays whom, the
//! clocks, the rules, the records, and a journal by which a server that was killed goes on.
//!
//! - [`Table`] is one game with its clocks.
//! - [`Hall`] is everything else that has no input or output: accounts, waiting players, games.
//!   Tell it of connections, lines and the time; then do what [`Hall::poll`] says.
//! - [`Entry`] is what the journal holds, [`Secret`] a password as it is stored.
//! - [`live`] drives a hall by threads, sockets and files.
//!
//! docs/csa.md says what players see of it.

mod hall;
mod journal;
#[allow(clippy::disallowed_methods, reason = "this part has threads, a clock and files")]
pub mod live;
mod record;
mod secret;
mod table;

pub use hall::{Conn, Event, Hall, Limits, Output, Settings};
pub use journal::{Entry, Journal, JournalError};
pub use secret::Secret;
pub use table::{End, Impasse, Made, Rules, Table};
