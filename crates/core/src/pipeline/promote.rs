//! Faster workers to the more valuable nodes, where moving them pays.
//!
//! Whoever is free gets the most probable node that has nobody. A worker that searches already
//! has a warm table, so it is moved only when it is clearly faster than the worker of a node
//! that is clearly more probable, and would soon make up for what that one has done.

use std::time::Duration;

use senbon_games::Game;

use super::{Pipeline, Strategy};
use crate::WorkerId;
use crate::tree::NodeId;

/// So many times as fast is clearly faster. After a change the same factor the other way would
/// be needed to undo it.
const FASTER: u64 = 2;
/// So many times as probable is clearly more probable: less than a position against the one
/// after its best move, by the published table.
const LIKELIER: f64 = 1.5;
/// The time for making up is at most this part of the time that is left.
const PART: u32 = 4;
/// The most probable nodes are looked at; those behind them matter little.
const MOST_NODES: usize = 8;
/// How often it is looked for when nobody has come or gone.
const PAUSE: Duration = Duration::from_millis(500);

/// A node with its worker; a worker without a node stands on one that nobody will come to.
#[derive(Clone, Copy)]
struct Seat {
    probability: f64,
    node: Option<NodeId>,
    worker: WorkerId,
    speed: u64,
}

impl<G: Game> Pipeline<G> {
    /// Looks from time to time whether workers should change places; speeds are learned while
    /// they search.
    pub(super) fn promote_now_and_then(&mut self, now: Duration) {
        if now >= self.promoted_at.saturating_add(PAUSE) && self.promote(now) {
            self.staff(now);
        }
    }

    /// Lets workers change places where that clearly pays. Whether any did.
    pub(super) fn promote(&mut self, now: Duration) -> bool {
        self.promoted_at = now;
        if self.settings.strategy != Strategy::Pipeline {
            return false;
        }
        let mut seats = self.seats();
        seats.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let mut any = false;
        for high in 0..seats.len().min(MOST_NODES) {
            let behind =
                (high + 1..seats.len()).filter(|&low| self.pays(now, seats[high], seats[low]));
            // Of several the one that is missed least.
            let Some(low) = behind.max_by_key(|&low| (seats[low].speed, low)) else { continue };
            self.exchange(seats[high], seats[low]);
            let (one, other) = (seats[high], seats[low]);
            (seats[high].worker, seats[high].speed) = (other.worker, other.speed);
            (seats[low].worker, seats[low].speed) = (one.worker, one.speed);
            any = true;
        }
        any
    }

    fn seats(&self) -> Vec<Seat> {
        let probabilities = self.tree.probabilities();
        let seat = |(&worker, it): (&WorkerId, &super::Worker<G::Move>)| Seat {
            probability: it.node.map_or(0.0, |node| probabilities[node.index()]),
            node: it.node,
            worker,
            speed: it.speed(),
        };
        self.workers.iter().map(seat).collect()
    }

    fn pays(&self, now: Duration, high: Seat, low: Seat) -> bool {
        let Some(node) = high.node else { return false };
        let faster = high.speed > 0 && low.speed / FASTER >= high.speed;
        let likelier = high.probability >= LIKELIER * low.probability;
        if !faster || !likelier || self.surveys.contains_key(&node) {
            return false;
        }
        let [above, below] = [high, low].map(|seat| &self.workers[&seat.worker]);
        if above.is_called() || below.is_called() {
            return false;
        }
        let inner = !self.tree.node(node).children().is_empty();
        if inner && above.ability.restricts && !below.ability.restricts {
            return false;
        }
        let known = self.tree.node(node).rest().map_or(0, |rest| rest.nodes);
        known.max(above.nodes).saturating_mul(1_000) / low.speed <= self.worth_waiting(now)
    }

    /// For how many milliseconds a worker may make up for another. Where the end is not known
    /// it is taken to be as far away as the beginning.
    fn worth_waiting(&self, now: Duration) -> u64 {
        let left = self.thinking.as_ref().map_or(Duration::ZERO, |thinking| {
            let elapsed = thinking.elapsed(now);
            thinking.aim().map_or(elapsed, |aim| aim.saturating_sub(elapsed))
        });
        u64::try_from((left / PART).as_millis()).unwrap_or(u64::MAX)
    }

    fn exchange(&mut self, high: Seat, low: Seat) {
        for (node, worker) in [(high.node, low.worker), (low.node, high.worker)] {
            if let Some(node) = node {
                self.tree.assign(node, Some(worker));
            }
            if let Some(worker) = self.workers.get_mut(&worker) {
                worker.node = node;
            }
        }
    }
}
