//! What a search is asked for, what it tells on the way, and what it found.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::{Bound, Value};

/// What to search for and how far.
#[derive(Clone, Debug)]
pub struct Request<M> {
    /// Only these first moves; empty for all.
    pub only: Vec<M>,
    /// How many best lines to find (MultiPV), at least 1.
    pub lines: usize,
    /// Stop after this depth.
    pub depth: Option<u32>,
    /// Stop after this many nodes, exactly.
    pub nodes: Option<u64>,
    /// Stop when a forced win within this many plies is found.
    pub win_within: Option<u32>,
}

impl<M> Default for Request<M> {
    fn default() -> Self {
        Request { only: Vec::new(), lines: 1, depth: None, nodes: None, win_within: None }
    }
}

/// How the outside steers a running search: stop it, or give it a time.
///
/// Shared between threads. Times count from the start of the search, so that a ponder hit can
/// set them long after.
#[derive(Debug)]
pub struct Signals {
    stop: AtomicBool,
    /// Do not start what will not finish by then.
    soft_us: AtomicU64,
    /// Break off then.
    hard_us: AtomicU64,
}

impl Default for Signals {
    fn default() -> Self {
        Signals {
            stop: AtomicBool::new(false),
            soft_us: AtomicU64::new(u64::MAX),
            hard_us: AtomicU64::new(u64::MAX),
        }
    }
}

impl Signals {
    /// Tells the search to answer with what it has.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search was told to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Allows this much time in all since the search began: about `soft`, never beyond `hard`.
    pub fn allow(&self, soft: Duration, hard: Duration) {
        self.soft_us.store(micros(soft), Relaxed);
        self.hard_us.store(micros(hard), Relaxed);
    }

    pub(super) fn soft_us(&self) -> u64 {
        self.soft_us.load(Relaxed)
    }

    pub(super) fn hard_us(&self) -> u64 {
        self.hard_us.load(Relaxed)
    }
}

pub(super) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// One line of play and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// Value from the side to move's view.
    pub value: Value,
    /// Whether the value is exact or the search failed high or low.
    pub bound: Bound,
    /// Depth of the iteration that gave it.
    pub depth: u32,
    /// Deepest ply reached on the way.
    pub seldepth: u32,
    /// The moves, best first; at least one.
    pub moves: Vec<M>,
}

/// What a search tells on the way.
#[derive(Clone, Debug)]
pub struct Progress<'a, M> {
    /// The line this is about.
    pub line: &'a Line<M>,
    /// Its rank, from 0.
    pub rank: usize,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time so far, by the pace's clock.
    pub elapsed: Duration,
    /// Fullness of the table in thousandths.
    pub table_permille: u32,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The best lines, best first. Empty only if there is no legal move.
    pub lines: Vec<Line<M>>,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

impl<M: Copy> Found<M> {
    /// The move to play.
    pub fn best(&self) -> Option<M> {
        self.lines.first()?.moves.first().copied()
    }

    /// The answer expected to it.
    pub fn ponder(&self) -> Option<M> {
        self.lines.first()?.moves.get(1).copied()
    }

    /// Value of the best line.
    pub fn value(&self) -> Option<Value> {
        self.lines.first().map(|line| line.value)
    }
}
