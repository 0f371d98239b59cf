//! Synthetic game trees: as large as wanted, none of it stored.
//!
//! A node is a 64-bit key, a value and its distance from the root. The key of a child follows
//! from its parent's key and the child's index, and the rest is read off the key, so every
//! node can be visited again, by anyone, and is the same. Only wrapping integer arithmetic is
//! used: the same seed gives the same tree on every machine. `docs/trees.md` is the
//! specification, with test vectors; whoever generates these trees elsewhere follows it.
//!
//! - [`Regular`]: fixed width and depth and a known minimax value, the best child placed by a
//!   [`Placement`]: uniform, geometric or p-ordered (simd-1995, section 4).
//! - [`Incremental`]: a leaf is worth the sum of the [`Edges`] on the way to it
//!   (minimal-trees-2014, section 4.1; also called N-game trees).

mod branch;
mod edges;
mod incremental;
mod key;
mod path;
mod placement;
mod regular;
mod text;

pub use branch::{Branch, Branches};
pub use edges::Edges;
pub use incremental::{Incremental, IncrementalShape};
pub use key::Node;
pub use path::MAX_DEPTH;
pub use placement::{ONE, Placement};
pub use regular::{Regular, RegularShape};

use std::ops::ControlFlow;

use crate::{Evaluator, Leaf};

/// What nodes of synthetic trees are worth, as the trees themselves define it.
///
/// In a [`Regular`] tree this is the exact minimax value, at any depth: a search of any depth
/// returns the root's value. In an [`Incremental`] tree it is the sum of the edges so far,
/// the static evaluation of that model.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeValue;

impl Evaluator<Regular> for TreeValue {
    #[inline]
    fn evaluate(&mut self, position: &Regular) -> i32 {
        position.value()
    }
}

impl Evaluator<Incremental> for TreeValue {
    const HINTS_TELL: bool = true;

    #[inline]
    fn hints(&self, position: &Incremental, visit: impl FnMut(i32)) {
        position.each_edge(visit);
    }

    #[inline]
    fn each_leaf(
        &mut self,
        position: &mut Incremental,
        mut visit: impl FnMut(Leaf) -> ControlFlow<()>,
    ) {
        let worth = position.value();
        position.each_edge_until(|edge| visit(Leaf::Worth(-(worth + edge))));
    }

    #[inline]
    fn evaluate(&mut self, position: &Incremental) -> i32 {
        position.value()
    }
}

/// No node is worth more: the default limit of [`Evaluator`], which shapes are checked against.
const LIMIT: i32 = 30_000;

/// Why a tree cannot be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The width is none that nodes can have.
    #[error("a tree is 1 to 255 wide, not {0}")]
    Width(u32),
    /// The tree is too deep to keep paths.
    #[error("a tree is at most {MAX_DEPTH} plies deep, not {0}")]
    Depth(u32),
    /// A probability above one.
    #[error("a probability is at most {ONE} (in 65536ths), not {0}")]
    Chance(u32),
    /// Draws per edge.
    #[error("an edge is the sum of 1 to 3 draws, not {0}")]
    Draws(u32),
    /// Some node could be worth more than evaluations may be.
    #[error("values could reach {0}, more than 30000: take smaller values or fewer plies")]
    Values(i64),
}
