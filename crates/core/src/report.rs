//! What a searcher tells.

use std::time::Duration;

use senbon_games::Game;

use crate::minimal::Finding;
use crate::{Bound, Epoch, Score};

/// A worker, as its coordinator numbers it. Never used again after the worker left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u32);

/// What a searcher tells on the way and at the end.
#[derive(Clone, Debug)]
pub enum Report<G: Game> {
    /// What the search thinks now.
    Opinion {
        /// The order this answers.
        epoch: Epoch,
        /// The newest opinion; it replaces the one of the same rank.
        opinion: Opinion<G::Move>,
    },
    /// The search is over.
    Done {
        /// The order this answers.
        epoch: Epoch,
        /// The best move; `None` when there is no legal one.
        best: Option<G::Move>,
        /// The answer expected to it.
        ponder: Option<G::Move>,
    },
    /// Valuable positions, most valuable first.
    Harvest {
        /// The order this answers.
        epoch: Epoch,
        /// Ways and values.
        positions: Vec<Valued<G::Move>>,
    },
    /// What was found out about leaves of a minimal tree.
    Findings {
        /// The order this answers.
        epoch: Epoch,
        /// Nodes searched so far under this order.
        nodes: u64,
        /// The findings.
        findings: Vec<Finding>,
    },
    /// Something went wrong with the searcher; it may or may not go on.
    Fault(Fault),
}

/// A line of play and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion<M> {
    /// Rank among the lines asked for, from 0.
    pub rank: usize,
    /// From the view of the side to move.
    pub score: Score,
    /// How to read it.
    pub bound: Bound,
    /// Depth of the search behind it.
    pub depth: u32,
    /// Deepest ply looked at.
    pub seldepth: u32,
    /// Nodes searched so far under this order.
    pub nodes: u64,
    /// Time so far under this order.
    pub time: Duration,
    /// Fullness of the searcher's table in thousandths.
    pub hashfull: Option<u32>,
    /// The moves; may be empty when the engine tells none.
    pub line: Vec<M>,
    /// Visits of each first move, of engines that count them (Monte-Carlo).
    pub visits: Vec<(M, u64)>,
}

impl<M> Opinion<M> {
    /// An exact opinion from the essentials, the rest empty.
    pub fn new(score: Score, depth: u32, line: Vec<M>) -> Self {
        Opinion {
            rank: 0,
            score,
            bound: Bound::Exact,
            depth,
            seldepth: depth,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: None,
            line,
            visits: Vec::new(),
        }
    }
}

/// A position worth a worker of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued<M> {
    /// The way there.
    pub way: Vec<M>,
    /// From the view of the side to move there.
    pub score: Score,
    /// Depth searched under it.
    pub depth: u32,
    /// Best move there, if known.
    pub best: Option<M>,
}

/// What can go wrong with a searcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process ended, or the link broke.
    Died(String),
    /// It did not answer in time.
    Silent(String),
    /// It said something that makes no sense, or chose an illegal move.
    Nonsense(String),
}

/// Who a worker is and what it can do. What it cannot do is never asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    /// The engine's name.
    pub name: String,
    /// The game it plays, by [`Game::NAME`].
    pub game: String,
    /// Nodes a second, measured; 0 when not known.
    pub speed: u64,
    /// It can be restricted to some first moves.
    pub restricts: bool,
    /// It stops at a number of nodes.
    pub counts_nodes: bool,
    /// It can tell the most valuable positions of its table.
    pub harvests: bool,
    /// It finds several best lines.
    pub several_lines: bool,
    /// It searches leaves of minimal trees: [`Order::Tasks`](crate::Order::Tasks).
    pub tasks: bool,
    /// The crew it belongs to, if any.
    pub berth: Option<Berth>,
}

/// A worker's place in a crew: workers of one process that search tasks with a memory in common,
/// so that one of them can lead the others ([`Crew`](crate::minimal::Crew)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Berth {
    /// Drawn at random by the process.
    pub crew: u64,
    /// Its number in the crew, never used again.
    pub number: u32,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Fault::Died(why) | Fault::Silent(why) | Fault::Nonsense(why)) = self;
        f.write_str(why)
    }
}
