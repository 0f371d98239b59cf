//! The game goes on: the tree-style pipeline (pgpp-2015 sections 3.2 and 4, step 1).

use senbon_games::Game;

use super::{Node, NodeId, Tree, following};
use crate::{Place, WorkerId};

impl<G: Game> Tree<G> {
    /// Follows the game to `place`. Nodes below stay as they are, with their workers; where the
    /// game leaves the tree, the worker that had the move in its rest goes with it. The
    /// workers of all others are returned. A place that is no continuation of the tree's
    /// starts a tree of its root alone.
    pub fn follow(&mut self, place: &Place<G>) -> Vec<WorkerId> {
        let way = self.place.way_to(place).map(<[_]>::to_vec);
        let mut collected = Vec::new();
        match way {
            Some(way) => {
                for mv in way {
                    self.step(mv, &mut collected);
                }
            }
            None => collected = self.restart(place),
        }
        if !self.place.way_to(place).is_some_and(<[_]>::is_empty) {
            self.restricted = false;
        }
        self.place = place.clone();
        collected
    }

    /// A tree of its root alone. Returns the workers of the old one.
    pub fn restart(&mut self, place: &Place<G>) -> Vec<WorkerId> {
        let collected = self.remove(self.root);
        self.root = self.insert(Node::new(place.position().clone(), None));
        self.restricted = false;
        self.place = place.clone();
        collected
    }

    /// As [`Self::follow`], with only some moves of the root allowed; all if `only` is empty.
    pub fn follow_restricted(&mut self, place: &Place<G>, only: &[G::Move]) -> Vec<WorkerId> {
        let root_was_restricted = self.is_restricted(self.root);
        let same_root = self.place.way_to(place).is_some_and(<[_]>::is_empty);
        if only.is_empty() && !(root_was_restricted && same_root) {
            return self.follow(place);
        }
        let collected = self.remove(self.root);
        let mut node = Node::new(place.position().clone(), None);
        if !only.is_empty() {
            node.legal.retain(|mv| only.contains(mv));
        }
        self.root = self.insert(node);
        self.restricted = !only.is_empty();
        self.place = place.clone();
        collected
    }

    /// Whether `id` may use only some of the legal moves: the root, when so asked.
    pub fn is_restricted(&self, id: NodeId) -> bool {
        self.restricted && id == self.root
    }

    /// The child by `mv` becomes the root; made first if there is none.
    fn step(&mut self, mv: G::Move, collected: &mut Vec<WorkerId>) {
        let old = self.root;
        let next = self.child(old, mv);
        let known = self.node_mut(old).take_line(mv);
        let mut position = self.node(old).position.clone();
        position.play(mv);
        let next = next.unwrap_or_else(|| {
            let mut node = Node::new(position, None);
            node.rest = known.map(following);
            self.insert(node)
        });
        if self.node(next).worker.is_none() {
            // Nobody foresaw this move, but it was among those that the root's worker had: of
            // all workers its table knows most of what comes now.
            self.node_mut(next).worker = self.node_mut(old).worker.take();
        }
        let node = self.node_mut(next);
        node.parent = None;
        node.mv = None;
        self.node_mut(old).children.retain(|&child| child != next);
        collected.extend(self.remove(old));
        self.root = next;
        self.reopen_root();
        self.update_from(next);
    }

    /// A node that counted as over by repetition must be searched once it is the root.
    fn reopen_root(&mut self) {
        let root = self.root;
        if self.node(root).over {
            let node = self.node(root);
            let mut fresh = Node::new(node.position.clone(), None);
            fresh.worker = node.worker;
            fresh.serial = node.serial;
            *self.node_mut(root) = fresh;
        }
    }

    /// Takes `id` and all below it out of the tree; its move goes back to the rest of its
    /// parent, with what was known of it. Returns the workers.
    pub fn prune(&mut self, id: NodeId) -> Vec<WorkerId> {
        let Some(parent) = self.node(id).parent else { return Vec::new() };
        let known =
            self.choices(parent).into_iter().find(|c| c.line.first() == self.node(id).mv.as_ref());
        let workers = self.remove(id);
        let overlapping = self.overlapping;
        let node = self.node_mut(parent);
        node.children.retain(|&child| child != id);
        node.settled = false;
        if let Some(choice) = known
            && node.rest.as_ref().is_none_or(|rest| choice.score > rest.score && !overlapping)
        {
            node.rest = Some(crate::Opinion::new(choice.score, choice.depth, choice.line));
        }
        self.update_from(parent);
        workers
    }

    /// Frees `id` and all below it.
    fn remove(&mut self, id: NodeId) -> Vec<WorkerId> {
        let mut workers = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if let Some(node) = self.nodes[id.index()].take() {
                workers.extend(node.worker);
                open.extend(node.children);
                self.free.push(id.slot);
            }
        }
        workers
    }
}
