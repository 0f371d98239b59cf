//! What is asked of workers, and what they tell.

use senbon_games::{Bounds, HIGHEST, Worth};

use super::LeafId;

/// The way from the root to a task by the ranks of the children on it, the most promising
/// counted first: tasks in this order are in the order of a depth-first search. Before the
/// ranks stands a class, which puts tasks before or behind others wherever they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature([u8; Signature::LONGEST]);

impl Signature {
    /// No master's tree is deeper.
    pub const LONGEST: usize = 24;

    /// With the rank of the child `ply` plies below the root, and nothing below it.
    #[must_use]
    pub fn with(mut self, ply: usize, rank: u8) -> Self {
        self.0[0] = self.0[0].max(1);
        if let Some(place) = self.0.get_mut(ply + 1) {
            // 0 is left for ways that end earlier: they come first.
            *place = rank.saturating_add(1);
        }
        if let Some(rest) = self.0.get_mut(ply + 2..) {
            rest.fill(0);
        }
        self
    }

    /// The same in another class.
    #[must_use]
    pub(super) fn of_class(mut self, class: u8) -> Self {
        self.0[0] = class + 1;
        self
    }

    /// The less, the sooner it is searched.
    pub(super) fn class(self) -> u8 {
        self.0[0].saturating_sub(1)
    }

    /// What it consists of, each counted from 1: its class, then the ranks of the way down.
    pub fn ranks(&self) -> &[u8] {
        let end = self.0.iter().position(|&rank| rank == 0).unwrap_or(self.0.len());
        &self.0[..end]
    }

    /// The signature that consists of these.
    pub fn from_ranks(ranks: &[u8]) -> Option<Self> {
        let mut all = [0; Signature::LONGEST];
        all.get_mut(..ranks.len())?.copy_from_slice(ranks);
        (!ranks.contains(&0)).then_some(Signature(all))
    }
}

/// A leaf of the master's tree, to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Which.
    pub leaf: LeafId,
    /// Plies to search.
    pub depth: u8,
    /// Values outside need not be exact.
    pub window: (Worth, Worth),
    /// The window the master passed by with. As long as a search under way covers it, it need
    /// not begin anew (section 5.4).
    pub pass_window: (Worth, Worth),
    /// Its place in a depth-first search.
    pub signature: Signature,
    /// Plies that others have searched already: no need to tell of those again.
    pub searched: u8,
    /// The depth at which the master waits for an answer to the window, though it was searched
    /// deeper: it was with another window. 0 when the next depth will do.
    pub due: u8,
}

impl Task {
    /// Whether a search of this task answers what the other one asks of the same leaf: it need
    /// not begin anew (section 5.4: windows are not updated as long as the pass window lies
    /// within). Full windows are always worth giving up for narrower ones.
    pub(super) fn covers(&self, other: &Task) -> bool {
        let ((alpha, beta), (low, high)) = (self.window, other.pass_window);
        let narrow = alpha > -HIGHEST || beta < HIGHEST;
        let enough = (alpha <= low && high <= beta && narrow) || self.window == other.window;
        self.depth == other.depth && enough
    }
}

/// What a worker found out about a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which.
    pub leaf: LeafId,
    /// Plies searched.
    pub depth: u8,
    /// Its value at that depth, to the side to move.
    pub bounds: Bounds,
    /// Nodes this took.
    pub nodes: u64,
    /// Which child, in the order of the tree, should be tried first;
    /// [`Finding::NO_BEST`] when not known.
    pub best: u8,
}

impl Finding {
    /// No child is better than another.
    pub const NO_BEST: u8 = u8::MAX;
}

/// What a foreman tells the master: what its crew found out, and how large it is. Bundles must
/// come in the order in which they were sent, as sessions see to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// Workers of the crew.
    pub crew: u32,
    /// What they found.
    pub findings: Vec<Finding>,
}
