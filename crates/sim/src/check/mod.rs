//! Checkers of the promises. They stand outside: they see messages and look at the tree, and
//! keep books of their own.

mod answers;
mod books;
mod ledger;
mod sessions;
mod tree;

use std::fmt;
use std::time::Duration;

pub(crate) use answers::Asked;
pub use books::Books;
pub(crate) use ledger::{Ledger, wanted};
pub(crate) use sessions::{AGAIN, NOTICED, Pledge, Sessions};

/// The promises of the design that a scenario checks, by their numbers there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// 1: one legal best move for each search, before the flag falls.
    Answer,
    /// 2: children and rest cover all moves, each once; workers have work; late reports
    /// change nothing; values are the minimax of what was reported.
    Tree,
    /// 6: what was found is not lost with a worker.
    Kept,
    /// 7: one seed, one trace.
    Repeatable,
    /// 8: no wait without an end, and no crash.
    Bounded,
}

impl Promise {
    /// Its number in the design.
    pub fn number(self) -> u8 {
        match self {
            Promise::Answer => 1,
            Promise::Tree => 2,
            Promise::Kept => 6,
            Promise::Repeatable => 7,
            Promise::Bounded => 8,
        }
    }
}

/// A promise was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Which one.
    pub promise: Promise,
    /// When, in virtual time.
    pub at: Duration,
    /// What happened.
    pub what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.as_secs_f64() * 1e3;
        write!(f, "promise {} broken at {at:.6} ms: {}", self.promise.number(), self.what)
    }
}
