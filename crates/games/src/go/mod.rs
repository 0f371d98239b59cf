//! Go on boards of 2 to 25 rows, on a board of our own made for playouts.
//!
//! - [`Board`]: stones, chains and captures; [`Playout`]: random games on it.
//! - [`Go`]: a position with its [`Rules`] and history, as a [`Game`](crate::Game); its text
//!   form is specified in `docs/go.md`.
//! - [`Score`], [`life`]: counting, and which stones live for certain.
//! - [`sgf`]: game records.

mod board;
mod evaluate;
mod handicap;
mod history;
pub mod life;
mod notation;
mod order;
mod playout;
mod point;
mod position;
mod rows;
mod rules;
mod score;
pub mod sgf;
mod zobrist;

pub use board::Board;
pub use evaluate::Influence;
pub use handicap::{HandicapError, fixed_handicap, most_fixed_handicap};
pub use notation::{parse_vertex, vertex};
pub use order::{MoveClass, classify};
pub use playout::Playout;
pub use point::{MAX_SIZE, MIN_SIZE, Move, Point};
pub use position::{Go, Illegal, Moves, Undo};
pub use rows::Rows;
pub use rules::{Ko, Komi, Rules, Scoring, Tax};
pub use score::Score;
