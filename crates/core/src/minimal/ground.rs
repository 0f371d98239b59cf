//! The master's tree as it is made: positions, children, leaves.

use senbon_games::{Branching, Game, HIGHEST, OVER, Worth};

use super::leaf::Leaf;
use super::node::{NO_LEAF, Node};
use super::{LeafId, Master};

/// Where the branching is: a position of the tree, and the steps to it from the root. Nodes that
/// are looked at one after the other are near each other, so that few steps lead from one to the
/// next.
pub(super) struct Ground<G: Game, B> {
    branching: B,
    pub place: G,
    track: Vec<Step<G>>,
    /// Room for the way to another place.
    way: Vec<u32>,
    /// Room for children.
    room: Vec<G::Move>,
}

/// A step down the tree: to which node, and how to take it back.
struct Step<G: Game> {
    node: u32,
    mv: G::Move,
    undo: G::Undo,
}

impl<G: Game, B: Branching<G>> Ground<G, B> {
    /// At the root, where the branching is, too.
    pub(super) fn new(root: G, branching: B) -> Self {
        let (track, way, room) = (Vec::new(), Vec::new(), Vec::new());
        Ground { branching, place: root, track, way, room }
    }

    /// Goes to the position of a node by the node where the ways part.
    fn seek(&mut self, nodes: &[Node<G::Move>], at: usize) {
        let mut node = at;
        let here = loop {
            let ply = usize::from(nodes[node].ply);
            if ply == 0 || self.track.get(ply - 1).is_some_and(|step| step.node == node as u32) {
                break ply;
            }
            self.way.push(node as u32);
            node = nodes[node].parent as usize;
        };
        while self.track.len() > here
            && let Some(Step { mv, undo, .. }) = self.track.pop()
        {
            self.place.take_back(mv, undo);
            self.branching.taken_back();
        }
        while let Some(node) = self.way.pop() {
            let Some(mv) = nodes[node as usize].mv else { continue };
            self.branching.played(&self.place, mv);
            let undo = self.place.play(mv);
            self.track.push(Step { node, mv, undo });
        }
    }

    /// The children of the place, in order. Whoever has read them gives the room back.
    fn children(&mut self) -> Vec<G::Move> {
        let mut children = std::mem::take(&mut self.room);
        children.clear();
        self.branching.children(&self.place, &mut children);
        children
    }

    fn take_room(&mut self, room: Vec<G::Move>) {
        self.room = room;
    }

    fn worth(&mut self) -> Worth {
        self.branching.worth(&self.place) as Worth
    }

    fn ending(&mut self, depth: u8) -> Worth {
        self.branching.ending(&self.place, depth)
    }
}

impl<G: Game, B: Branching<G>> Master<G, B> {
    /// Makes the children of a node, once.
    pub(super) fn open(&mut self, at: usize) {
        if self.nodes[at].open {
            return;
        }
        self.ground.seek(&self.nodes, at);
        let mut moves = self.ground.children();
        if at == 0 && !self.only.is_empty() {
            moves.retain(|mv| self.only.contains(mv));
        }
        self.cost.opened += 1;
        let (ply, depth) = (self.nodes[at].ply + 1, self.nodes[at].depth - 1);
        let first = self.nodes.len();
        moves.truncate(usize::from(u8::MAX));
        for (index, &mv) in moves.iter().enumerate() {
            self.nodes.push(Node::new(Some(mv), at as u32, ply, depth, 0));
            self.order.push(index as u8);
        }
        let ending = moves.is_empty().then(|| self.ground.ending(depth + 1));
        let node = &mut self.nodes[at];
        (node.open, node.first, node.count) = (true, first as u32, moves.len() as u8);
        if let Some(value) = ending {
            node.decide(value);
        }
        self.ground.take_room(moves);
    }

    /// Looks at the position of a node, once: what it is worth, and which leaf it is.
    pub(super) fn judge(&mut self, at: usize) {
        if self.nodes[at].judged {
            return;
        }
        self.ground.seek(&self.nodes, at);
        self.cost.judged += 1;
        let worth = self.ground.worth();
        let key = (self.ground.place.key(), self.nodes[at].depth);
        let seen = if self.settings.history { seen_before(&self.ground.place) } else { None };
        let node = &mut self.nodes[at];
        (node.judged, node.guess) = (true, worth);
        if let Some(value) = seen {
            node.decide(value);
        } else if self.is_end(at) {
            self.find_leaf(at, key);
        }
    }

    /// The node is a leaf: the one that another way led to, or a new one.
    fn find_leaf(&mut self, at: usize, key: (u64, u8)) {
        if let Some(&leaf) = self.by_key.get(&key) {
            self.nodes[at].leaf = leaf;
            return;
        }
        let leaf = self.make_leaf(at);
        self.by_key.insert(key, leaf);
    }

    pub(super) fn make_leaf(&mut self, at: usize) -> LeafId {
        let leaf = LeafId(self.leaves.len() as u32);
        let owner = self.owner_above(at);
        let node = &mut self.nodes[at];
        let mut new = Leaf::new(node.depth, at as u32, node.guess);
        new.seat.owner = owner;
        self.leaves.push(new);
        node.leaf = leaf;
        leaf
    }

    /// Who searched the leaf that the tree has outgrown above this one: what is below here is
    /// remembered there.
    fn owner_above(&self, mut at: usize) -> Option<u32> {
        while at > 0 {
            at = self.nodes[at].parent as usize;
            let was = self.nodes[at].was;
            if was != NO_LEAF {
                return self.leaves[was.0 as usize].seat.owner;
            }
        }
        None
    }

    /// The shallower searches before a first visit (figure 4, line 14): alpha-beta by static
    /// values, two plies deeper each time, which puts the children in order.
    pub(super) fn preview(&mut self, at: usize, alpha: Worth, beta: Worth) {
        let ply = self.nodes[at].ply;
        if self.reach > ply + 2 {
            self.glimpse(at, self.reach - 2, alpha, beta);
        }
        self.nodes[at].previewed = true;
    }

    fn glimpse(&mut self, at: usize, horizon: u8, alpha: Worth, beta: Worth) -> Worth {
        self.cost.visits += 1;
        self.judge(at);
        let ply = self.nodes[at].ply;
        if ply >= horizon || self.nodes[at].leaf != NO_LEAF {
            return self.nodes[at].guess;
        }
        self.open(at);
        if self.nodes[at].count == 0 {
            return self.nodes[at].guess;
        }
        if !self.nodes[at].previewed {
            self.nodes[at].previewed = true;
            if horizon > ply + 2 {
                self.glimpse(at, horizon - 2, alpha, beta);
            }
        }
        self.sort(at);
        let children = self.nodes[at].children();
        let mut best = -HIGHEST;
        for rank in 0..children.len() {
            let child = children.start + usize::from(self.order[children.start + rank]);
            let value = -self.glimpse(child, horizon, -beta, -alpha.max(best));
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        self.nodes[at].guess = best;
        best
    }
}

/// What a position is worth because of the game before it; nothing usually.
fn seen_before<G: Game>(position: &G) -> Option<Worth> {
    if let Some(outcome) = position.ended_by_history() {
        return Some(outcome.sign_for(position.side_to_move()) as Worth * OVER);
    }
    // Who can repeat once can repeat again.
    position.repeats().then_some(0)
}
