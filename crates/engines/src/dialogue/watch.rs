//! Limits that an engine does not honour: we watch what it tells, and stop it.

use std::time::Duration;

use senbon_core::{Budget, Score, Search};
use senbon_games::Notation;

use super::{Manners, translate};
use crate::universal::Info;

/// What ends a search that the engine would not end by itself.
#[derive(Debug, Default)]
pub(super) struct Watch {
    nodes: Option<u64>,
    depth: Option<u32>,
    /// Plies to a mate.
    mate: Option<u32>,
    until: Option<Duration>,
    /// An engine that tells no numbers at all is stopped then.
    blind_until: Option<Duration>,
}

impl Watch {
    /// The limits of `search` that `manners` do not cover. `blind` is how long to wait for a
    /// first number.
    pub(super) fn new<G: Notation>(
        now: Duration,
        manners: &Manners,
        search: &Search<G>,
        blind: Duration,
    ) -> Self {
        let limits = &search.limits;
        let timed = !manners.time && !limits.infinite && !limits.ponder;
        let side = search.place.position().side_to_move();
        let budget = Budget::new(limits, side, Duration::ZERO).filter(|_| timed);
        let nodes = limits.nodes.filter(|_| !manners.nodes);
        let depth = limits.depth.filter(|_| !manners.depth);
        Watch {
            nodes,
            depth,
            mate: limits.mate.filter(|_| !manners.mate).map(|moves| moves.saturating_mul(2)),
            until: budget.map(|budget| now + budget.soft.min(budget.hard)),
            blind_until: (nodes.is_some() || depth.is_some()).then(|| now + blind),
        }
    }

    /// Until the given depth is told.
    pub(super) fn depth(now: Duration, depth: u32, blind: Duration) -> Self {
        Watch { depth: Some(depth), blind_until: Some(now + blind), ..Watch::default() }
    }

    /// When the time is up.
    pub(super) fn deadline(&self) -> Option<Duration> {
        [self.until, self.blind_until].into_iter().flatten().min()
    }

    /// Whether what an engine tells is enough. `before` are nodes of searches already done
    /// under the same order.
    pub(super) fn is_reached(&mut self, info: &Info, before: u64) -> bool {
        let nodes = self.nodes.zip(info.nodes).map(|(limit, told)| before + told >= limit);
        // Some engines name a depth when they begin it; a line of play comes when it is done.
        let done = info.depth.filter(|_| !info.pv.is_empty() && info.score.is_some());
        let depth = self.depth.zip(done).map(|(limit, told)| told >= limit);
        if nodes.or(depth).is_some() {
            self.blind_until = None;
        }
        let mates = match translate::score(info) {
            Some((Score::Mates(plies), _)) => self.mate.is_some_and(|limit| plies < limit),
            _ => false,
        };
        nodes == Some(true) || depth == Some(true) || mates
    }
}
