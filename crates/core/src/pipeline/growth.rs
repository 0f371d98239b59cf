//! A new root: free workers are shared among the nodes, and the shares made concrete
//! (pgpp-2015 sections 4.2, 4.3 and, for random growth, 5.3).

use std::time::Duration;

use senbon_games::Game;

use super::{Output, Pipeline, Strategy};
use crate::tree::{NodeId, Share};
use crate::{Order, Score, Valued};

/// Longest wait for the harvests of a new root before growing with what is known.
const HARVEST_WAIT: Duration = Duration::from_millis(20);

/// How long the published form waits before the tree of a root is grown again.
const GROW_AGAIN: Duration = Duration::from_millis(100);

/// A harvest that is in, and where its positions belong.
pub(super) type Gathered<M> = (Share, Vec<Valued<M>>);

impl<G: Game> Pipeline<G> {
    /// Shares the free workers among the nodes and asks for harvests where several go.
    pub(super) fn regrow(&mut self, now: Duration) {
        self.grown_at = now;
        // Nodes with nothing to search keep nobody busy: a move that ends the game, a position
        // that was searched out.
        let extra = self.workers.len().saturating_sub(self.working_nodes());
        for share in self.tree.plan(extra) {
            let worker = self.tree.node(share.node).worker();
            let able = worker
                .filter(|id| self.workers.get(id).is_some_and(|worker| worker.ability.harvests));
            match able {
                Some(id) if self.settings.strategy != Strategy::RandomGrowth && share.count > 1 => {
                    self.epoch = self.epoch.next();
                    let (epoch, count) = (self.epoch, share.count);
                    let place = self.tree.place_of(share.node);
                    self.harvests.insert(epoch, share);
                    self.harvest_until = Some(now + HARVEST_WAIT);
                    let order = Order::Harvest { epoch, place, count };
                    self.output.push_back(Output::Below(id, order));
                }
                _ => self.grow_share(share, &[]),
            }
        }
    }

    /// In the published form a root of which too little was known is grown again when something
    /// is told, as long as somebody has no node. Random positions can be had at once.
    pub(super) fn grow_again(&mut self, now: Duration) {
        let again = now >= self.grown_at.saturating_add(GROW_AGAIN);
        if again && self.settings.strategy == Strategy::PublishedPipeline {
            self.regrow(now);
        }
    }

    /// The last harvest is in, or its time is up: grows all shares and gives out the orders.
    /// Once, because with a thousand workers each round of orders costs a millisecond, and
    /// hundreds of harvests come together.
    pub(super) fn bring_in(&mut self, now: Duration) {
        for (share, positions) in std::mem::take(&mut self.gathered) {
            self.grow_share(share, &positions);
        }
        // Nothing else will make up for a harvest that did not come.
        for share in std::mem::take(&mut self.harvests).into_values() {
            self.grow_share(share, &[]);
        }
        self.forget_harvests();
        self.staff(now);
    }

    pub(super) fn forget_harvests(&mut self) {
        self.harvests.clear();
        self.harvest_until = None;
        self.gathered.clear();
    }

    /// Makes a planned share concrete (section 4.3): the harvest, else the line known.
    pub(super) fn grow_share(&mut self, share: Share, harvest: &[Valued<G::Move>]) {
        if self.tree.get(share.node).is_none() {
            return;
        }
        if self.settings.strategy == Strategy::RandomGrowth {
            self.grow_at_random(share);
            return;
        }
        let mut harvest = harvest.to_vec();
        if let Some(rest) = self.tree.node(share.node).rest() {
            // What the worker thinks best comes first, as far as it told.
            let way: Vec<_> = rest.line.iter().copied().take(share.count).collect();
            let (score, depth) = (rest.score, rest.depth);
            harvest.insert(0, Valued { way, score, depth, best: None });
            if harvest.len() > 1 {
                harvest[0].way.truncate(1);
            }
        }
        self.tree.grow_from_harvest(share, &harvest);
    }

    /// Section 5.3: the position after the best move, and for the others "randomly picked up"
    /// positions: each after a random move of a random node of those grown so far.
    fn grow_at_random(&mut self, share: Share) {
        let best = self.tree.node(share.node).rest().and_then(|rest| rest.line.first().copied());
        let mut grown = vec![share.node];
        grown.extend(best.and_then(|mv| self.grow_by(share.node, mv)));
        // Nodes may be full, or the game over after a move: not every try adds one.
        for _ in 0..4 * share.count {
            if grown.len() > share.count {
                return;
            }
            let node = grown[self.rng.below(grown.len())];
            let moves = self.tree.rest(node);
            if !moves.is_empty() {
                let mv = moves[self.rng.below(moves.len())];
                grown.extend(self.grow_by(node, mv));
            }
        }
    }

    /// The node after `mv`, if it can be added and leaves work for both.
    fn grow_by(&mut self, node: NodeId, mv: G::Move) -> Option<NodeId> {
        let valued = Valued { way: vec![mv], score: Score::Centipawns(0), depth: 0, best: None };
        self.tree.grow_from_harvest(Share { node, count: 1 }, &[valued]).pop()
    }
}
