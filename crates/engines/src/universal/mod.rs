//! The universal interfaces: UCI for chess and USI for shogi, which is UCI with other names.
//!
//! Both are one codec with a [`Dialect`]. A [`Command`] goes from the GUI to the engine, a
//! [`Reply`] comes back; each can be read from a line and written as one, so the same types
//! serve our engines behind other people's GUIs and other people's engines behind us.
//!
//! What a GUI sends is checked strictly, since a misread command loses games. What an engine
//! sends is read leniently, since engines take liberties: unknown or broken parts of an
//! `info` line are left out. What the dialects express differently is stored one way: clocks
//! by who moves first, forced wins in plies.

mod command;
mod error;
mod go;
mod harvest;
mod info;
mod option;
mod reply;
mod words;

pub use command::{Command, GameResult, Setup};
pub use error::SyntaxError;
pub use go::{Go, Mate};
pub use harvest::Harvested;
pub use info::{Info, Score, ScoreBound, Worth};
pub use option::{OptionDeclaration, OptionError, OptionKind, OptionValue};
pub use reply::{Best, Checkmate, Reply, Verdict};

/// Which of the two interfaces is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Shogi Interface.
    Usi,
}
