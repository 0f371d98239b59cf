//! The games Senbon knows: their rules, their notation, their evaluation.
//!
//! Everything here is a pure function of a position. Nothing knows of search, clocks,
//! engines or files; see `ARCHITECTURE.md` for the direction of dependencies.
//!
//! [`Game`] is the one interface that searches are written against. It lives on a position
//! type of ours, so the rule crates beneath need not know us. [`Tactics`] adds what a
//! selective search of chess-like games asks for, [`Evaluator`] judges positions, and
//! [`Notation`] reads and writes them.

mod bounds;
mod branching;
pub mod chess;
mod evaluator;
mod game;
pub mod go;
mod notation;
mod outcome;
mod perft;
mod rng;
pub mod shogi;
mod tactics;
pub mod tiny;
pub mod trees;

pub use bounds::{Bounds, HIGHEST, OVER, Worth};
pub use branching::{BestLeaf, Branching, Promising};
pub use evaluator::{Evaluator, Leaf, Zero};
pub use game::Game;
pub use notation::{Notation, NotationError};
pub use outcome::{Ending, Outcome, Side};
pub use perft::{divide, perft};
pub use rng::Rng;
pub use tactics::Tactics;
