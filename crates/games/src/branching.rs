//! Game trees as fixed-depth searches see them: which children a node has, in which order.

use crate::{Ending, Evaluator, Game, OVER, Worth};

/// Chooses and orders the children of nodes, and judges leaves.
///
/// The children depend on the position alone, never on the way to it, so that everybody who
/// searches the tree searches the same one. As with [`Evaluator`], whoever walks the tree
/// tells of every move.
pub trait Branching<G: Game> {
    /// Puts the children of `position` behind what is in `children`, the most promising
    /// first. None when the game is over there.
    fn children(&mut self, position: &G, children: &mut Vec<G::Move>);

    /// What a leaf is worth to the side to move, within ±30,000.
    fn worth(&mut self, position: &G) -> i32;

    /// What a node without children is worth with `depth` plies left: the end of a synthetic
    /// tree is worth what it says, a won game [`OVER`] and the plies left.
    fn ending(&mut self, position: &G, depth: u8) -> Worth {
        let outcome = position.ended().unwrap_or_else(|| position.stuck());
        match outcome.ending {
            Ending::Leaf => self.worth(position) as Worth,
            _ => {
                let sign = outcome.sign_for(position.side_to_move()) as Worth;
                sign * (OVER + Worth::from(depth))
            }
        }
    }

    /// Starts anew at `position`.
    fn reset(&mut self, position: &G);

    /// `mv` is about to be played at `before`.
    fn played(&mut self, before: &G, mv: G::Move);

    /// The last move was taken back.
    fn taken_back(&mut self);
}

/// The tree of the most promising moves by an evaluator's [glance](Evaluator::glance)
/// (minimal-trees-2014, section 4.2: the best 5 or 20 of all moves).
#[derive(Clone, Debug)]
pub struct Promising<E> {
    evaluator: E,
    most: usize,
    seen: Vec<(i32, u16)>,
}

impl<E> Promising<E> {
    /// At most `most` children at every node; at least one.
    pub fn new(evaluator: E, most: usize) -> Self {
        Promising { evaluator, most: most.max(1), seen: Vec::new() }
    }
}

impl<G: Game, E: Evaluator<G>> Branching<G> for Promising<E> {
    fn children(&mut self, position: &G, children: &mut Vec<G::Move>) {
        if position.ended().is_some() {
            return;
        }
        let first = children.len();
        children.extend(position.moves());
        self.seen.clear();
        for (index, &mv) in children[first..].iter().enumerate() {
            self.seen.push((-self.evaluator.glance(position, mv), index as u16));
        }
        // Few of many: find those, then put them in order. Ties go by the game's own order.
        if self.seen.len() > self.most {
            self.seen.select_nth_unstable(self.most - 1);
            self.seen.truncate(self.most);
        }
        self.seen.sort_unstable();
        let end = children.len();
        for &(_, index) in &self.seen {
            children.push(children[first + usize::from(index)]);
        }
        children.drain(first..end);
    }

    #[inline]
    fn worth(&mut self, position: &G) -> i32 {
        self.evaluator.evaluate(position)
    }

    fn reset(&mut self, position: &G) {
        self.evaluator.reset(position);
    }

    #[inline]
    fn played(&mut self, before: &G, mv: G::Move) {
        self.evaluator.played(before, mv);
    }

    #[inline]
    fn taken_back(&mut self) {
        self.evaluator.taken_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Notation;
    use crate::shogi::{Shogi, ShogiEvaluator};
    use crate::trees::{Incremental, IncrementalShape, TreeValue};

    #[test]
    fn the_best_edges_come_first() {
        let root = Incremental::new(IncrementalShape::new(20, 4, 7)).unwrap();
        let mut branching = Promising::new(TreeValue, 5);
        let mut children = vec![root.moves().next().unwrap()];
        branching.children(&root, &mut children);
        assert_eq!(children.len(), 6, "what was there stays");
        let edges: Vec<_> = children[1..].iter().map(|&mv| root.edge(mv)).collect();
        let mut all: Vec<_> = root.moves().map(|mv| root.edge(mv)).collect();
        all.sort_by_key(|edge| -edge);
        assert_eq!(edges, all[..5]);
    }

    /// A rook that can be had for nothing is looked at first.
    #[test]
    fn a_glance_at_shogi_sees_captures() {
        let sfen = "4k4/9/9/9/4r4/9/4R4/9/4K4 b - 1";
        let position = Shogi::parse_position(sfen).unwrap();
        let mut branching = Promising::new(ShogiEvaluator::default(), 5);
        branching.reset(&position);
        let mut children = Vec::new();
        branching.children(&position, &mut children);
        assert_eq!(children.len(), 5);
        assert!(position.format_move(children[0]).starts_with("5g5e"), "{children:?}");
    }
}
