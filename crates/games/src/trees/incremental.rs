//! Incremental random trees.

use std::ops::ControlFlow;

use super::key::{Node, child_key, child_keys, root_key};
use super::path::Path;
use super::regular::leaf_outcome;
use super::{Branch, Branches, Edges, LIMIT, MAX_DEPTH, ShapeError};
use crate::{Game, Outcome, Side, Tactics};

/// What fixes an [`Incremental`] tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncrementalShape {
    /// Children of every inner node, 1 to 255.
    pub width: u8,
    /// Plies from the root to every leaf, at most [`MAX_DEPTH`].
    pub depth: u8,
    /// Which of the trees of this form.
    pub seed: u64,
    /// How edges are valued.
    pub edges: Edges,
}

impl IncrementalShape {
    /// A tree with edges [as published](Edges::ORDERED_AS_PUBLISHED).
    pub const fn new(width: u8, depth: u8, seed: u64) -> Self {
        IncrementalShape { width, depth, seed, edges: Edges::ORDERED_AS_PUBLISHED }
    }

    fn check(&self) -> Result<(), ShapeError> {
        if self.width == 0 {
            return Err(ShapeError::Width(0));
        }
        if self.depth > MAX_DEPTH {
            return Err(ShapeError::Depth(self.depth.into()));
        }
        self.edges.check()?;
        let most = self.edges.most() * i64::from(self.depth);
        if most > LIMIT.into() { Err(ShapeError::Values(most)) } else { Ok(()) }
    }
}

/// A node of an incremental random tree: what it is worth is the sum of the edges on the way
/// from the root, those of the side to move counted for it and the opponent's against it.
///
/// The sum is there at every node, so it is the static value that a search of any depth ends
/// in. Nodes reached by different paths are different nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incremental {
    node: Node,
    path: Path,
    shape: IncrementalShape,
}

impl Incremental {
    /// The root of the tree of this shape.
    pub fn new(shape: IncrementalShape) -> Result<Self, ShapeError> {
        shape.check()?;
        let node = Node { key: root_key(shape.seed), value: 0 };
        Ok(Incremental { node, path: Path::EMPTY, shape })
    }

    /// The tree this is a node of.
    pub const fn shape(&self) -> &IncrementalShape {
        &self.shape
    }

    /// The static value of this node to the side to move.
    #[inline]
    pub const fn value(&self) -> i32 {
        self.node.value
    }

    /// What `branch` adds to the static value, to the side that takes it.
    #[inline]
    pub const fn edge(&self, branch: Branch) -> i32 {
        self.shape.edges.value(child_key(self.node.key, branch.index()))
    }

    /// What each branch adds, in order. Searches spend much of their time here, so the usual
    /// kind of edges has a loop of its own.
    #[inline]
    pub(super) fn each_edge(&self, mut visit: impl FnMut(i32)) {
        self.each_edge_until(|edge| {
            visit(edge);
            ControlFlow::Continue(())
        });
    }

    /// The same until it is broken off.
    #[inline]
    pub(super) fn each_edge_until(&self, mut visit: impl FnMut(i32) -> ControlFlow<()>) {
        let mut keys = child_keys(self.node.key).take(self.count_moves());
        let _ = if self.shape.edges.is_plain() {
            let quiet = self.shape.edges.quiet;
            keys.try_for_each(|key| visit(Edges::plain_value(key, quiet)))
        } else {
            keys.try_for_each(|key| visit(self.shape.edges.value(key)))
        };
    }

    /// The branches that lead here from the root.
    pub fn path(&self) -> impl Iterator<Item = Branch> {
        self.path.branches()
    }
}

impl Game for Incremental {
    const NAME: &'static str = "incremental-tree";
    const KINDRED_MOVES: bool = false;

    type Move = Branch;
    type Undo = Node;
    type Moves = Branches;

    #[inline]
    fn side_to_move(&self) -> Side {
        if self.path.plies() & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn moves(&self) -> Branches {
        Branches::new(if self.path.plies() < self.shape.depth { self.shape.width } else { 0 })
    }

    #[inline]
    fn play(&mut self, mv: Branch) -> Node {
        let parent = self.node;
        self.node.key = child_key(self.node.key, mv.index());
        self.node.value = -(self.node.value + self.shape.edges.value(self.node.key));
        self.path.push(mv);
        parent
    }

    #[inline]
    fn take_back(&mut self, _mv: Branch, undo: Node) {
        self.node = undo;
        self.path.pop();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.node.key
    }

    #[inline]
    fn code(mv: Branch) -> u16 {
        mv.number()
    }

    #[inline]
    fn ended(&self) -> Option<Outcome> {
        None
    }

    /// A leaf is won by whom its value favours. Searches take the value itself.
    fn stuck(&self) -> Outcome {
        leaf_outcome(self.node.value, self.side_to_move())
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.moves().len()
    }

    /// The static value of the child.
    #[inline]
    fn order_hint(&self, mv: Branch) -> i32 {
        self.edge(mv)
    }
}

impl Tactics for Incremental {}
