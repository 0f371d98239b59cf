//! Where further workers are worth most: greedy growth by realization probability
//! (pgpp-2015 sections 4.1 to 4.3).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use senbon_games::Game;

use super::{NodeId, Tree};
use crate::{Opinion, Score, Valued};

/// Plies that a rest may lack of the depth that it had before.
const NEARLY: u32 = 2;

/// How many further nodes belong below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Below this node,
    pub node: NodeId,
    /// so many.
    pub count: usize,
}

/// A node that could be added, and how probable it is that the game comes there.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    probability: f64,
    /// Earlier candidates win ties, so that growth is repeatable.
    number: usize,
    /// The real node that it counts for.
    base: NodeId,
    /// Probability of its parent, and its rank there.
    parent: f64,
    rank: usize,
    /// Further moves at that parent, `usize::MAX` where the parent is itself only planned.
    siblings: usize,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.probability.total_cmp(&other.probability).then(other.number.cmp(&self.number))
    }
}

impl<G: Game> Tree<G> {
    /// How probable it is that the game comes to each node; by [`NodeId::index`], 0 for those
    /// not in the tree. The rank of a move is its place among its siblings by score, the best
    /// of the rest among them (section 4.3).
    pub fn probabilities(&self) -> Vec<f64> {
        let mut probabilities = vec![0.0; self.nodes.len()];
        probabilities[self.root.index()] = 1.0;
        for id in self.ids() {
            let here = probabilities[id.index()];
            let rest_rank = self.rest_rank(id);
            for (place, child) in self.ranked_children(id).into_iter().enumerate() {
                let rank = if place + 1 < rest_rank { place + 1 } else { place + 2 };
                probabilities[child.index()] = here * self.table.rank(rank);
            }
        }
        probabilities
    }

    /// Children by score, best first; those without a score last.
    fn ranked_children(&self, id: NodeId) -> Vec<NodeId> {
        let mut children = self.node(id).children.clone();
        // A child's value is the opponent's: the lowest is best for us, unknown comes last.
        children.sort_by_key(|&child| {
            let value = self.node(child).value;
            (value.is_none(), value)
        });
        children
    }

    /// The rank, from 1, of the best move of the rest; behind all children if unknown.
    fn rest_rank(&self, id: NodeId) -> usize {
        let node = self.node(id);
        let Some(score) = self.rest_opinion(id).map(|rest| rest.score) else {
            return node.children.len() + 1;
        };
        let better = |child: &&NodeId| {
            self.node(**child).value.is_some_and(|value| value.one_ply_up() >= score)
        };
        1 + node.children.iter().filter(better).count()
    }

    /// Section 4.2: shares `extra` nodes among the nodes of the tree so that the utility of
    /// equation 1 grows most, planning nodes whose moves are not known yet.
    pub fn plan(&self, extra: usize) -> Vec<Share> {
        let probabilities = self.probabilities();
        let mut heap = BinaryHeap::new();
        let mut number = 0;
        for id in self.ids() {
            let node = self.node(id);
            // The last move of a rest needs no node of its own: its worker has it already.
            let open = node.legal.len().saturating_sub(node.children.len() + 1);
            if open > 0 && node.has_work() {
                let rank = self.rest_rank(id);
                let parent = probabilities[id.index()];
                let probability = parent * self.table.rank(rank);
                heap.push(Candidate {
                    probability,
                    number,
                    base: id,
                    parent,
                    rank,
                    siblings: open,
                });
                number += 1;
            }
        }
        let mut counts = vec![0; self.nodes.len()];
        for _ in 0..extra {
            let Some(taken) = heap.pop() else { break };
            counts[taken.base.index()] += 1;
            let planned_below = Candidate {
                probability: taken.probability * self.table.rank(1),
                number,
                base: taken.base,
                parent: taken.probability,
                rank: 1,
                siblings: usize::MAX,
            };
            heap.push(planned_below);
            number += 1;
            if taken.siblings > 1 {
                let rank = self.next_rank(&taken);
                let probability = taken.parent * self.table.rank(rank);
                let siblings = taken.siblings.saturating_sub(1);
                heap.push(Candidate { probability, number, rank, siblings, ..taken });
                number += 1;
            }
        }
        let shares = self.ids().into_iter().map(|node| Share { node, count: counts[node.index()] });
        shares.filter(|share| share.count > 0).collect()
    }

    /// After the best of a real node's rest come its known children, then the others.
    fn next_rank(&self, taken: &Candidate) -> usize {
        if taken.siblings == usize::MAX {
            return taken.rank + 1;
        }
        (taken.rank + 1).max(self.node(taken.base).children.len() + 2)
    }

    /// Section 4.3, step 3: adds up to `share.count` nodes below its node, taking the
    /// positions of `harvest` in their order (ways from that node). Returns the new nodes.
    pub fn grow_from_harvest(&mut self, share: Share, harvest: &[Valued<G::Move>]) -> Vec<NodeId> {
        let mut grown = Vec::new();
        for valued in harvest {
            if grown.len() >= share.count {
                break;
            }
            self.grow_way(share, &valued.way, &mut grown);
        }
        grown
    }

    /// Adds the nodes of a way that are missing, as far as the share reaches.
    fn grow_way(&mut self, share: Share, way: &[G::Move], grown: &mut Vec<NodeId>) {
        let mut at = share.node;
        for &mv in way {
            if let Some(child) = self.child(at, mv) {
                at = child;
                continue;
            }
            if grown.len() >= share.count || !self.may_expand(at, mv) {
                return;
            }
            at = self.expand(at, mv);
            if self.node(at).is_over() {
                return;
            }
            grown.push(at);
        }
    }

    /// Whether `mv` can become a child of `id` and leave work for its worker. Where somebody
    /// tells of a mate on the board and of moves to it, one ply further would be another mate.
    pub(crate) fn may_expand(&self, id: NodeId, mv: G::Move) -> bool {
        let node = self.node(id);
        let no_end =
            |known: &Opinion<G::Move>| !matches!(known.score, Score::Mates(0) | Score::Mated(0));
        node.line_of(mv).is_none_or(no_end)
            && node.has_work()
            && node.legal.len() > node.children.len() + 1
            && node.legal.contains(&mv)
            && self.child(id, mv).is_none()
    }

    /// Adds up to `count` nodes, the most probable ones whose moves are known: the best move of
    /// some rest, one for each. Returns the new nodes, most probable first.
    ///
    /// A new node gets none itself before something more is told: what its line says of the
    /// moves behind its first is worth little. Where workers overlap the line is all there is.
    pub fn grow_from_opinions(&mut self, count: usize) -> Vec<NodeId> {
        let probabilities = self.probabilities();
        let mut heap = BinaryHeap::new();
        let mut number = 0;
        for id in self.ids() {
            self.push_named(id, probabilities[id.index()], &mut number, &mut heap);
        }
        let mut grown = Vec::new();
        while grown.len() < count
            && let Some(taken) = heap.pop()
        {
            let Some(mv) = self.named_move(taken.base) else { continue };
            let child = self.expand(taken.base, mv);
            if self.node(child).is_over() {
                continue;
            }
            grown.push(child);
            if self.overlapping {
                self.push_named(child, taken.probability, &mut number, &mut heap);
            }
        }
        grown
    }

    fn push_named(
        &self,
        id: NodeId,
        here: f64,
        number: &mut usize,
        heap: &mut BinaryHeap<Candidate>,
    ) {
        if self.named_move(id).is_some() {
            let rank = self.rest_rank(id);
            let probability = here * self.table.rank(rank);
            heap.push(Candidate {
                probability,
                number: *number,
                base: id,
                parent: here,
                rank,
                siblings: 0,
            });
            *number += 1;
        }
    }

    /// The best move of the rest, if it is known and may become a child. A rest that has lost
    /// its best move is searched anew: what it names before it has come nearly as far again is
    /// not worth a worker.
    fn named_move(&self, id: NodeId) -> Option<G::Move> {
        let rest = self.rest_opinion(id)?;
        let (depth, nodes) = self.node(id).handed;
        if rest.depth.saturating_add(NEARLY) < depth && rest.nodes < nodes {
            return None;
        }
        let &mv = rest.line.first()?;
        self.may_expand(id, mv).then_some(mv)
    }
}
