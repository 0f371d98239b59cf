//! The master tree (pgpp-2015 section 3.1, simplified notation of Fig. 2a).
//!
//! A node stands for a position. Its children are some of its moves; the **rest** is all its
//! other moves, searched under restriction by the node's one worker. So the children and the
//! rest cover all legal moves, each once, by construction. The value of a node is the best of
//! its rest and its children.
//!
//! The tree knows positions, opinions and workers' places. It does not know time, orders or
//! how workers are reached; the coordinators do.

mod growth;
mod memory;
mod minimax;
mod node;
mod reroot;

use senbon_games::Game;

use crate::{Opinion, Place, RankTable, WorkerId};

pub use growth::Share;
pub use minimax::Choice;
pub use node::{Node, NodeId};

/// The positions under search and what is known of them.
#[derive(Clone, Debug)]
pub struct Tree<G: Game> {
    /// Where the root is, with its history.
    place: Place<G>,
    /// Slots of nodes; those in `free` are unused.
    nodes: Vec<Option<Node<G>>>,
    free: Vec<u32>,
    next_serial: u32,
    root: NodeId,
    table: RankTable,
    /// The root may use only some of the legal moves.
    restricted: bool,
    /// Moves of children stay with the rest, too.
    overlapping: bool,
}

impl<G: Game> Tree<G> {
    /// A tree of the root alone.
    pub fn new(place: Place<G>, table: RankTable) -> Self {
        let root = NodeId { serial: 0, slot: 0 };
        let nodes = vec![Some(Node::new(place.position().clone(), None))];
        let free = Vec::new();
        let (restricted, overlapping) = (false, false);
        Tree { place, nodes, free, root, table, restricted, overlapping, next_serial: 1 }
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Where the root is.
    pub fn place(&self) -> &Place<G> {
        &self.place
    }

    /// Judges the ranks of moves by another table from now on.
    pub fn set_table(&mut self, table: RankTable) {
        self.table = table;
    }

    /// Whether workers search the moves of children as well, as in optimistic pondering: what
    /// they tell of such a move stays theirs.
    pub fn set_overlapping(&mut self, overlapping: bool) {
        self.overlapping = overlapping;
    }

    /// Whether workers search the moves of children as well.
    pub fn is_overlapping(&self) -> bool {
        self.overlapping
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Never: there is always the root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// A node of this tree.
    ///
    /// # Panics
    /// If the node was removed.
    pub fn node(&self, id: NodeId) -> &Node<G> {
        self.get(id).expect("the node is in the tree")
    }

    /// The node, unless it was removed.
    pub fn get(&self, id: NodeId) -> Option<&Node<G>> {
        self.nodes.get(id.index())?.as_ref().filter(|node| node.serial == id.serial)
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node<G> {
        self.nodes[id.index()].as_mut().expect("the node is in the tree")
    }

    /// All nodes, parents before their children.
    pub fn ids(&self) -> Vec<NodeId> {
        let mut order = vec![self.root];
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            order.extend_from_slice(&self.node(id).children);
            next += 1;
        }
        order
    }

    /// The child of `id` by `mv`.
    pub fn child(&self, id: NodeId, mv: G::Move) -> Option<NodeId> {
        let children = &self.node(id).children;
        children.iter().copied().find(|&child| self.node(child).mv == Some(mv))
    }

    /// The way from the root to `id`.
    pub fn way(&self, id: NodeId) -> Vec<G::Move> {
        let mut way = Vec::new();
        let mut at = id;
        while let (Some(mv), Some(parent)) = (self.node(at).mv, self.node(at).parent) {
            way.push(mv);
            at = parent;
        }
        way.reverse();
        way
    }

    /// Where `id` is, with the whole history.
    pub fn place_of(&self, id: NodeId) -> Place<G> {
        let mut place = self.place.clone();
        for mv in self.way(id) {
            place.play(mv);
        }
        place
    }

    /// The moves of `id` that are no children: what its worker searches.
    pub fn rest(&self, id: NodeId) -> Vec<G::Move> {
        let node = self.node(id);
        let is_child = |mv: G::Move| self.child(id, mv).is_some();
        node.legal.iter().copied().filter(|&mv| !is_child(mv)).collect()
    }

    /// Makes the legal move `mv` of `id` a child. What the rest knew of it goes with it.
    pub fn expand(&mut self, id: NodeId, mv: G::Move) -> NodeId {
        debug_assert!(self.node(id).legal.contains(&mv) && self.child(id, mv).is_none());
        let mut position = self.node(id).position.clone();
        position.play(mv);
        let mut node = Node::new(position, Some((id, mv)));
        let overlapping = self.overlapping;
        let parent = self.node_mut(id);
        if overlapping {
            node.rest = parent.line_of(mv).cloned().map(following);
        } else if let Some(known) = parent.take_line(mv) {
            // The rest lost a move that its worker has told of, and is another one now.
            parent.handed = (known.depth, known.nodes);
            node.rest = Some(following(known));
            parent.settled = false;
        }
        let child = self.insert(node);
        self.node_mut(id).children.push(child);
        self.update_from(child);
        self.update_from(id);
        child
    }

    /// A worker's newest opinion on the rest of `id`: its best line, or by rank a further
    /// one. Only the best counts for the value, and from a worker that is new here only once it
    /// knows as much as what the node has from others: it begins with the first depth.
    pub fn report(&mut self, id: NodeId, mut opinion: Opinion<G::Move>) {
        let node = self.node_mut(id);
        let less = |known: &Opinion<G::Move>| knows_less(&opinion, known);
        if opinion.rank == 0 && node.foreign && node.rest.as_ref().is_some_and(less) {
            return;
        }
        // Engines cut a line short when they have just proved a bound: what was known of its
        // further course still holds.
        if let Some(known) = node.rest.as_ref().filter(|_| opinion.rank == 0)
            && known.line.len() > opinion.line.len()
            && known.line.starts_with(&opinion.line)
        {
            opinion.line.clone_from(&known.line);
        }
        node.further.retain(|known| {
            known.rank != opinion.rank && known.line.first() != opinion.line.first()
        });
        if opinion.rank > 0 {
            node.further.push(opinion);
            return;
        }
        node.rest = Some(opinion);
        node.foreign = false;
        self.update_from(id);
    }

    /// The rest of `id` has been searched out: more search would not change it.
    pub fn settle(&mut self, id: NodeId) {
        self.node_mut(id).settled = true;
    }

    /// All that was searched out may be searched again.
    pub(crate) fn unsettle(&mut self) {
        for node in self.nodes.iter_mut().flatten() {
            node.settled = false;
        }
    }

    /// Puts a worker on `id`, or takes it off.
    pub fn assign(&mut self, id: NodeId, worker: Option<WorkerId>) {
        let node = self.node_mut(id);
        node.foreign |= worker.is_some() && worker != node.worker;
        node.worker = worker;
    }

    fn insert(&mut self, mut node: Node<G>) -> NodeId {
        node.serial = self.next_serial;
        self.next_serial += 1;
        let serial = node.serial;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            (self.nodes.len() - 1) as u32
        });
        self.nodes[slot as usize] = Some(node);
        NodeId { serial, slot }
    }
}

/// Whether one opinion stands on less search than another. Depths of different engines do not
/// compare, so that as many nodes count as much; a mate that was found is one at any depth.
fn knows_less<M>(opinion: &Opinion<M>, known: &Opinion<M>) -> bool {
    opinion.depth < known.depth && opinion.nodes < known.nodes && !opinion.score.is_mate()
}

/// The opinion on the position after its first move, which the line goes on to tell.
fn following<M: Copy>(opinion: Opinion<M>) -> Opinion<M> {
    Opinion {
        rank: 0,
        score: opinion.score.one_ply_down(),
        bound: match opinion.bound {
            crate::Bound::Exact => crate::Bound::Exact,
            crate::Bound::Lower => crate::Bound::Upper,
            crate::Bound::Upper => crate::Bound::Lower,
        },
        depth: opinion.depth.saturating_sub(1),
        seldepth: opinion.seldepth.saturating_sub(1),
        line: opinion.line.get(1..).unwrap_or_default().to_vec(),
        visits: Vec::new(),
        ..opinion
    }
}
