//! Regular trees with a known value.

use super::key::{Node, child_key, high, low, root_key, scale};
use super::path::Path;
use super::{Branch, Branches, LIMIT, MAX_DEPTH, ONE, Placement, ShapeError};
use crate::{Ending, Game, Outcome, Side, Tactics};

/// What fixes a [`Regular`] tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegularShape {
    /// Where best children stand.
    pub placement: Placement,
    /// Children of every inner node, 1 to 255.
    pub width: u8,
    /// Plies from the root to every leaf, at most [`MAX_DEPTH`].
    pub depth: u8,
    /// Which of the trees of this form.
    pub seed: u64,
    /// The minimax value of the root.
    pub value: i32,
    /// Children other than the best are worse by 0 to this much, all equally likely. At 1
    /// searches visit about as many nodes as published (see `docs/trees.md`).
    pub spread: u16,
}

impl RegularShape {
    /// A tree whose root is worth 0, with spread 1.
    pub const fn new(placement: Placement, width: u8, depth: u8, seed: u64) -> Self {
        RegularShape { placement, width, depth, seed, value: 0, spread: 1 }
    }

    fn check(&self) -> Result<(), ShapeError> {
        if self.width == 0 {
            return Err(ShapeError::Width(0));
        }
        if self.depth > MAX_DEPTH {
            return Err(ShapeError::Depth(self.depth.into()));
        }
        if let Some(p) = self.placement.p().filter(|&p| p > ONE) {
            return Err(ShapeError::Chance(p));
        }
        let most = i64::from(self.value).abs() + i64::from(self.spread) * i64::from(self.depth);
        if most > LIMIT.into() { Err(ShapeError::Values(most)) } else { Ok(()) }
    }
}

/// A node of a regular tree: all inner nodes have the same number of children, all leaves the
/// same depth, and the minimax value of every node is known before any search.
///
/// Values are made from the root down. One child, drawn by the [`Placement`], has exactly the
/// negated value; no other is better for the parent.
///
/// ```
/// use senbon_games::trees::Regular;
/// use senbon_games::{Game, Notation};
/// let root = Regular::parse_position("uniform:w7:d12:seed42").unwrap();
/// let values = root.moves().map(|branch| {
///     let mut child = root.clone();
///     child.play(branch);
///     -child.value()
/// });
/// assert_eq!(values.max(), Some(root.value()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regular {
    node: Node,
    path: Path,
    shape: RegularShape,
}

impl Regular {
    /// The root of the tree of this shape.
    pub fn new(shape: RegularShape) -> Result<Self, ShapeError> {
        shape.check()?;
        let node = Node { key: root_key(shape.seed), value: shape.value };
        Ok(Regular { node, path: Path::EMPTY, shape })
    }

    /// The tree this is a node of.
    pub const fn shape(&self) -> &RegularShape {
        &self.shape
    }

    /// The minimax value of this node to the side to move.
    #[inline]
    pub const fn value(&self) -> i32 {
        self.node.value
    }

    /// The branch to a child with exactly the negated value. Others may be as good.
    #[inline]
    pub const fn best(&self) -> Branch {
        Branch::new(self.shape.placement.index(high(self.node.key), self.shape.width))
    }

    /// The branches that lead here from the root.
    pub fn path(&self) -> impl Iterator<Item = Branch> {
        self.path.branches()
    }
}

impl Game for Regular {
    const NAME: &'static str = "tree";
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
        let is_best = mv == self.best();
        self.node.key = child_key(self.node.key, mv.index());
        let worse = scale(low(self.node.key), u32::from(self.shape.spread) + 1) as i32;
        self.node.value = if is_best { 0 } else { worse } - self.node.value;
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
}

impl Tactics for Regular {}

/// The result at a leaf that is worth `value` to `side`.
pub(super) fn leaf_outcome(value: i32, side: Side) -> Outcome {
    match value.signum() {
        1 => Outcome::win(side, Ending::Leaf),
        -1 => Outcome::win(!side, Ending::Leaf),
        _ => Outcome::draw(Ending::Leaf),
    }
}
