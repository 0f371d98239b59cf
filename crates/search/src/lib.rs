//! Sequential search: plain negamax as the oracle, the alpha-beta family, the shared
//! transposition table, and the full iterative search of the built-in engines.
//!
//! Search code asks its [`Pace`] before each node and never looks at a clock itself, so the
//! same lines run live and in virtual time.

mod alphabeta;
pub mod fixed;
mod leaves;
mod negamax;
mod negascout;
mod pace;
mod quiescent;
mod searched;
mod searcher;
mod slot;
mod table;
mod value;
mod window;

pub use alphabeta::{alpha_beta, principal_variation};
pub use negamax::{negamax, negamax_moves};
pub use negascout::negascout;
pub use pace::{Free, Pace};
pub use quiescent::Quiescent;
pub use searched::{Nodes, Searched};
pub use searcher::{
    Found, Gleaning, Line, MAX_PLY, Progress, Request, Searcher, Signals, Switches, harvest,
};
pub use slot::Word;
pub use table::{Bound, Entry, Table};
pub use value::{INFINITE, Value, WIN, finished, is_forced, lost_in, won_in};
pub use window::Window;
