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

    /// The first of the children, for those who may not need the others. What is behind
    /// `children` afterwards is not in order, unless [`Self::other_children`] is called next.
    fn first_child(&mut self, position: &G, children: &mut Vec<G::Move>) -> Option<G::Move> {
        let first = children.len();
        self.children(position, children);
        children.get(first).copied()
    }

    /// After [`Self::first_child`] of the same `position`, which began at `first`: all the
    /// children, as [`Self::children`] would have put them there.
    fn other_children(&mut self, _position: &G, _children: &mut Vec<G::Move>, _first: usize) {}

    /// What a node right above the leaves is worth to the side to move: its children are
    /// visited in their order until one is worth `beta` or more to it. Nothing without
    /// children. Gives `position` and `children`, behind which there is room to work, back as
    /// they were.
    fn best_leaf(
        &mut self,
        position: &mut G,
        children: &mut Vec<G::Move>,
        beta: Worth,
    ) -> Option<BestLeaf> {
        visit_leaves(self, position, children, beta)
    }

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

/// What is found right above the leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestLeaf {
    /// What the best of the leaves visited is worth to the side that chooses it.
    pub worth: Worth,
    /// How many were visited.
    pub visited: u32,
}

/// Plays the moves to the leaves one by one. The first is usually enough.
fn visit_leaves<G: Game, B: Branching<G> + ?Sized>(
    branching: &mut B,
    position: &mut G,
    children: &mut Vec<G::Move>,
    beta: Worth,
) -> Option<BestLeaf> {
    let from = children.len();
    let visit = |branching: &mut B, position: &mut G, mv| {
        branching.played(position, mv);
        let undo = position.play(mv);
        let worth = -(branching.worth(position) as Worth);
        position.take_back(mv, undo);
        branching.taken_back();
        worth
    };
    let first = branching.first_child(position, children)?;
    let mut best = BestLeaf { worth: visit(branching, position, first), visited: 1 };
    if best.worth < beta {
        branching.other_children(position, children, from);
        for &mv in &children[from + 1..] {
            best.worth = best.worth.max(visit(branching, position, mv));
            best.visited += 1;
            if best.worth >= beta {
                break;
            }
        }
    }
    children.truncate(from);
    Some(best)
}

impl<G: Game> Branching<G> for Box<dyn Branching<G>> {
    fn children(&mut self, position: &G, children: &mut Vec<G::Move>) {
        (**self).children(position, children);
    }

    fn first_child(&mut self, position: &G, children: &mut Vec<G::Move>) -> Option<G::Move> {
        (**self).first_child(position, children)
    }

    fn other_children(&mut self, position: &G, children: &mut Vec<G::Move>, first: usize) {
        (**self).other_children(position, children, first);
    }

    fn best_leaf(
        &mut self,
        position: &mut G,
        children: &mut Vec<G::Move>,
        beta: Worth,
    ) -> Option<BestLeaf> {
        (**self).best_leaf(position, children, beta)
    }

    fn worth(&mut self, position: &G) -> i32 {
        (**self).worth(position)
    }

    fn ending(&mut self, position: &G, depth: u8) -> Worth {
        (**self).ending(position, depth)
    }

    fn reset(&mut self, position: &G) {
        (**self).reset(position);
    }

    fn played(&mut self, before: &G, mv: G::Move) {
        (**self).played(before, mv);
    }

    fn taken_back(&mut self) {
        (**self).taken_back();
    }
}

/// The tree of the most promising moves by an evaluator's [glance](Evaluator::glance)
/// (minimal-trees-2014, section 4.2: the best 5 or 20 of all moves).
#[derive(Clone, Debug)]
pub struct Promising<E> {
    evaluator: E,
    most: usize,
    seen: Vec<Seen>,
    best: Vec<Seen>,
    /// Where hints tell all: hints, negative, and places, a byte each.
    hints: Vec<i32>,
}

/// How promising a move is: the smaller the better. From the top: what it seems to be worth,
/// negative; its place in the game's own order, by which ties go; whether it was looked at
/// closely, without which it is no worse than it will be.
type Seen = i64;

const CLOSELY: Seen = 1;

/// Hints that are compared at once.
const LANES: usize = 8;

#[inline]
fn seen(outline: i32, index: usize) -> Seen {
    (-Seen::from(outline) << 32) + ((index as Seen) << 1)
}

#[inline]
const fn index(seen: Seen) -> usize {
    (seen as u32 >> 1) as usize
}

impl<E> Promising<E> {
    /// At most `most` children at every node; at least one.
    pub fn new(evaluator: E, most: usize) -> Self {
        let (seen, best, hints) = (Vec::new(), Vec::new(), Vec::new());
        Promising { evaluator, most: most.max(1), seen, best, hints }
    }

    /// Lists all moves behind `children`, and what they seem to be worth at most.
    #[inline]
    fn look<G: Game>(&mut self, position: &G, children: &mut Vec<G::Move>)
    where
        E: Evaluator<G>,
    {
        self.seen.clear();
        if position.ended().is_some() {
            return;
        }
        let first = children.len();
        children.extend(position.moves());
        let all = &mut self.seen;
        let tell = |outline| all.push(seen(outline, all.len()));
        self.evaluator.outlines(position, &children[first..], tell);
    }

    #[inline]
    fn closely<G: Game>(&mut self, position: &G, mv: G::Move, seen: Seen) -> Seen
    where
        E: Evaluator<G>,
    {
        match seen & CLOSELY {
            CLOSELY => seen,
            _ => seen + (Seen::from(self.evaluator.flaw(position, mv)) << 32) + CLOSELY,
        }
    }

    /// Lists the best moves behind `children`, in order, where hints tell all. A move goes
    /// where the number of better ones says: for few moves that takes less time than sorting,
    /// since it depends on nothing that has to be guessed.
    #[inline]
    fn by_hints<G: Game>(&mut self, position: &G, children: &mut Vec<G::Move>)
    where
        E: Evaluator<G>,
    {
        let first = children.len();
        children.extend(position.moves());
        let (count, places) = (children.len() - first, &mut children[first..]);
        debug_assert!(count <= 256, "a place takes a byte");
        if count <= LANES {
            let (mut hints, mut next) = ([i32::MAX; LANES], 0);
            self.evaluator.hints(position, |hint| {
                if let Some(place) = hints.get_mut(next) {
                    *place = (-hint << 8) + next as i32;
                }
                next += 1;
            });
            put_in_order(position, &hints, count, places);
        } else {
            let hints = &mut self.hints;
            hints.clear();
            self.evaluator.hints(position, |hint| hints.push((-hint << 8) + hints.len() as i32));
            hints.resize(count.next_multiple_of(LANES), i32::MAX);
            put_in_order(position, hints, count, places);
        }
        children.truncate(first + count.min(self.most));
    }

    /// Finds the best of what was seen, in order.
    #[inline]
    fn choose<G: Game>(&mut self, position: &G, moves: &[G::Move])
    where
        E: Evaluator<G>,
    {
        self.seen.sort_unstable();
        self.best.clear();
        for at in 0..self.seen.len() {
            let rough = self.seen[at];
            let full = self.best.len() == self.most;
            // No move from here on can turn out better than the worst of the best.
            if full && self.best.last().is_some_and(|&worst| worst < rough) {
                break;
            }
            let close = self.closely(position, moves[index(rough)], rough);
            let place = self.best.iter().rposition(|&better| better < close);
            let place = place.map_or(0, |place| place + 1);
            if place < self.most {
                self.best.truncate(self.most - 1);
                self.best.insert(place, close);
            }
        }
    }
}

/// Puts the moves of a position where the number of smaller hints says. Behind the `count` hints
/// there is something greater, up to whole lanes.
#[inline]
fn put_in_order<G: Game>(position: &G, hints: &[i32], count: usize, places: &mut [G::Move]) {
    let mut moves = position.moves().into_iter();
    for lanes in hints.as_chunks::<LANES>().0 {
        let mut ranks = [0; LANES];
        for &other in &hints[..count] {
            for (rank, &hint) in ranks.iter_mut().zip(lanes) {
                *rank += u32::from(other < hint);
            }
        }
        for (rank, mv) in ranks.into_iter().zip(moves.by_ref()) {
            if let Some(place) = places.get_mut(rank as usize) {
                *place = mv;
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>> Branching<G> for Promising<E> {
    #[inline]
    fn children(&mut self, position: &G, children: &mut Vec<G::Move>) {
        if E::HINTS_TELL {
            return self.by_hints(position, children);
        }
        let first = children.len();
        self.look(position, children);
        self.other_children(position, children, first);
    }

    #[inline]
    fn first_child(&mut self, position: &G, children: &mut Vec<G::Move>) -> Option<G::Move> {
        if E::HINTS_TELL {
            // The first of the largest.
            let (mut best, mut left) = (i32::MIN, 0xff);
            self.evaluator.hints(position, |hint| {
                best = best.max((hint << 8) + left);
                left -= 1;
            });
            return position.moves().into_iter().nth(0xff - (best & 0xff) as usize);
        }
        let first = children.len();
        self.look(position, children);
        loop {
            let (at, &best) = self.seen.iter().enumerate().min_by_key(|(_, seen)| **seen)?;
            let mv = children[first + index(best)];
            if best & CLOSELY != 0 {
                return Some(mv);
            }
            self.seen[at] = self.closely(position, mv, best);
        }
    }

    #[inline]
    fn other_children(&mut self, position: &G, children: &mut Vec<G::Move>, first: usize) {
        if E::HINTS_TELL {
            children.truncate(first);
            return self.by_hints(position, children);
        }
        self.choose(position, &children[first..]);
        let end = children.len();
        for &best in &self.best {
            children.push(children[first + index(best)]);
        }
        children.drain(first..end);
    }

    #[inline]
    fn best_leaf(
        &mut self,
        position: &mut G,
        children: &mut Vec<G::Move>,
        beta: Worth,
    ) -> Option<BestLeaf> {
        if !E::HINTS_TELL {
            return visit_leaves(self, position, children, beta);
        }
        // The first child is the best one. The others are visited when it does not do.
        let (mut count, mut best) = (0, i32::MIN);
        self.evaluator.hints(position, |hint| (count, best) = (count + 1, best.max(hint)));
        let worth = self.evaluator.evaluate(position).saturating_add(best) as Worth;
        let all = self.most.min(count) as u32;
        (count > 0).then_some(BestLeaf { worth, visited: if worth >= beta { 1 } else { all } })
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
    use crate::shogi::{Shogi, ShogiEvaluator};
    use crate::trees::{Edges, Incremental, IncrementalShape, TreeValue};
    use crate::{Notation, Rng};

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

    /// Knows nothing of hints.
    #[derive(Clone, Default)]
    struct Slow(TreeValue);

    impl Evaluator<Incremental> for Slow {
        fn evaluate(&mut self, position: &Incremental) -> i32 {
            self.0.evaluate(position)
        }
    }

    /// Where hints tell all, everything is the same as where they do not.
    #[test]
    fn hints_that_tell_all() {
        let mut rng = Rng::new(senbon_testkit::seed());
        for _ in 0..500 {
            let (width, most) = (1 + rng.below(40), 1 + rng.below(40));
            // Few values, so that many are the same.
            let edges =
                Edges { draws: 1 + rng.below(3) as u8, quiet: 4, swing: 9, swing_chance: 9999 };
            let shape =
                IncrementalShape { edges, ..IncrementalShape::new(width as u8, 2, rng.next_u64()) };
            let mut node = Incremental::new(shape).unwrap();
            let (mut fast, mut slow) =
                (Promising::new(TreeValue, most), Promising::new(Slow::default(), most));
            for _ in 0..3 {
                let (mut one, mut other) = (Vec::new(), Vec::new());
                for _ in 0..2 {
                    fast.children(&node, &mut one);
                    slow.children(&node, &mut other);
                    assert_eq!(one, other, "{node:?} {most}");
                }
                let beta = node.value() as Worth + rng.below(20) as Worth - 5;
                let leaf = fast.best_leaf(&mut node, &mut one, beta);
                assert_eq!(leaf, slow.best_leaf(&mut node, &mut other, beta), "{node:?} {most}");
                assert_eq!(one, other, "{node:?} {most}");
                let Some(&mv) = rng.pick(&one) else { break };
                node.play(mv);
            }
        }
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

    /// Whichever way they are asked for: the best by a glance at every move, ties by the
    /// game's own order.
    #[test]
    fn the_best_of_all_moves_by_a_glance() {
        let mut rng = Rng::new(senbon_testkit::seed());
        let mut game = Shogi::start();
        for ply in 0..400 {
            let all: Vec<_> = game.moves().into_iter().collect();
            let Some(&mv) = rng.pick(&all) else { break };
            let mut evaluator = ShogiEvaluator::default();
            evaluator.reset(&game);
            let mut best: Vec<_> = all.clone();
            best.sort_by_key(|&mv| -evaluator.glance(&game, mv));
            best.truncate(1 + ply % 30);
            let mut branching = Promising::new(evaluator, 1 + ply % 30);
            let mut children = vec![mv];
            branching.children(&game, &mut children);
            assert_eq!(children[1..], best, "{game:?}");
            children.truncate(1);
            assert_eq!(branching.first_child(&game, &mut children), best.first().copied());
            branching.other_children(&game, &mut children, 1);
            assert_eq!(children[0], mv, "what was there stays");
            assert_eq!(children[1..], best, "{game:?}");
            game.play(mv);
        }
    }
}
