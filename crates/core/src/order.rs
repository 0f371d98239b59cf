//! What a searcher is told.

use std::time::Duration;

use senbon_games::{Game, Side};

use crate::Place;
use crate::minimal::Tasks;

/// The number of an order. Every report repeats the number of the order it answers, so a
/// late report of an old order is recognised and dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The number after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Epoch(self.0 + 1)
    }
}

/// What a searcher is told to do.
#[derive(Clone, Debug)]
pub enum Order<G: Game> {
    /// Begin a search; whatever was searched before is over.
    Search(Search<G>),
    /// Answer with what you have.
    Stop(Epoch),
    /// The move pondered on was played: the limits count from now.
    PonderHit(Epoch),
    /// Tell of up to this many of the most valuable positions you know below this place, with
    /// the way to each (pgpp-2015 section 4.3). The search goes on.
    Harvest {
        /// Repeated by the report.
        epoch: Epoch,
        /// Below this place.
        place: Place<G>,
        /// At most so many.
        count: usize,
    },
    /// Leaves of a minimal tree, to be searched until told otherwise (minimal-trees-2014). A
    /// stop of their epoch ends that, and is answered as the stop of a search is.
    Tasks(Tasks<G>),
    /// Another game begins: forget what was learnt.
    NewGame,
}

/// A search to be made.
#[derive(Clone, Debug)]
pub struct Search<G: Game> {
    /// Repeated by every report.
    pub epoch: Epoch,
    /// The position and its history.
    pub place: Place<G>,
    /// Only these first moves; empty for all.
    pub only: Vec<G::Move>,
    /// How many best lines to report (MultiPV), at least 1.
    pub lines: usize,
    /// When to stop.
    pub limits: Limits,
}

/// Every limit that UCI and USI know. None set is a search until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Clocks of the first and the second player.
    pub clocks: [Clock; 2],
    /// Time for each move once the clock has run out (USI).
    pub byoyomi: Option<Duration>,
    /// Moves until the clock is filled again.
    pub moves_to_go: Option<u32>,
    /// Think exactly this long.
    pub move_time: Option<Duration>,
    /// Stop at this depth.
    pub depth: Option<u32>,
    /// Stop at this many nodes.
    pub nodes: Option<u64>,
    /// Look for a mate within this many moves of the mating side.
    pub mate: Option<u32>,
    /// Do not answer before being told to stop.
    pub infinite: bool,
    /// Think on the opponent's time: limits count from the ponder hit.
    pub ponder: bool,
}

/// One player's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left. A negative time, which some GUIs send, is read as none.
    pub time: Option<Duration>,
    /// Added after each move.
    pub increment: Option<Duration>,
}

impl Limits {
    /// The clock of `side`.
    pub fn clock(&self, side: Side) -> Clock {
        self.clocks[side.index()]
    }

    /// Whether any clock or time is set for `side`.
    pub fn is_timed(&self, side: Side) -> bool {
        self.move_time.is_some() || self.byoyomi.is_some() || self.clock(side).time.is_some()
    }
}
