//! The CSA server protocol, by which shogi programs play on game servers: version 1.2.1 with
//! the forms that Floodgate added (game names, `'* score pv` comments, `%%` commands).
//!
//! - [`ClientLine`] and [`ServerLine`] are the lines of both directions.
//! - [`Summary`] is the offer of a game; [`SummaryReader`] gathers it from its lines.
//! - [`TimeControl`] is the clock, as server and player both reckon it; [`GameName`] says it
//!   in the name of a game.
//! - [`Client`] is the player's end as a state machine: lines and the time in, lines and
//!   events out.
//!
//! The server's end is the crate `senbon-server`.

mod client;
mod comment;
mod event;
mod message;
mod name;
mod summary;
mod time;

pub use client::{Client, ClientEvent, ClientSay, Login, Played};
pub use comment::Comment;
pub use event::{Mark, Special};
pub use message::{ClientLine, Meta, ServerLine, SyntaxError, Turn, is_name};
pub use name::{GameName, GameNameError};
pub use summary::{Summary, SummaryError, SummaryReader};
pub use time::TimeControl;

/// The port of CSA servers.
pub const PORT: u16 = 4081;

/// Lines longer than this are refused on both ends; a variation of a hundred moves fits.
pub const LINE_LIMIT: usize = 2048;

use senbon_games::Side;

fn sign(side: Side) -> char {
    match side {
        Side::First => '+',
        Side::Second => '-',
    }
}

fn side_of(text: &str) -> Option<Side> {
    match text {
        "+" => Some(Side::First),
        "-" => Some(Side::Second),
        _ => None,
    }
}
