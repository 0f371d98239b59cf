//! What a search in step thinks before it is over: its last whole level.

use senbon_games::{Branching, Game, Worth};

use super::Master;
use super::node::NO_BEST;

/// A level that nothing is missing of: what a search to that depth says. Every task it came by
/// was answered at that depth, whatever the windows were before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled<M> {
    /// Plies searched.
    pub depth: u8,
    /// Plies of them that workers searched below their leaves.
    pub level: u8,
    /// The value of the root at that depth.
    pub value: Worth,
    /// The best moves, as far as the master's tree goes.
    pub line: Vec<M>,
}

impl<G: Game, B: Branching<G>> Master<G, B> {
    /// The level as the pass that has just ended saw it.
    pub(super) fn settle(&self) -> Settled<G::Move> {
        let mut line = Vec::new();
        let mut at = 0;
        while self.nodes[at].open && self.nodes[at].best != NO_BEST {
            at = self.nodes[at].children().start + usize::from(self.nodes[at].best);
            line.extend(self.nodes[at].mv);
        }
        let full = self.settings.depth - self.reach;
        let level = match self.value() {
            Some(_) => full,
            // Findings are two plies apart, counted from the depth asked for.
            None => full.saturating_sub(2 * full.saturating_sub(self.level).div_ceil(2)),
        };
        let value = self.value().unwrap_or(self.nodes[0].guess);
        Settled { depth: self.reach + level, level, value, line }
    }
}
