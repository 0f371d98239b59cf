//! Plain alpha-beta: fail-soft, moves as the game lists them, nothing remembered.

use std::marker::PhantomData;

use senbon_games::{Evaluator, Game};

use crate::leaves::{best_leaf, stuck};
use crate::value::{INFINITE, Value, finished};
use crate::{Nodes, Pace, Searched, Window};

/// Searches the tree of [`negamax`](crate::negamax()) to `depth` plies and leaves out what
/// cannot change the result (simd-1995, figure 1; Knuth and Moore 1975).
///
/// The value is exact if it lies inside `window`. Outside it is a bound: at most the true
/// value from the window's upper end on, at least the true value from the lower end down.
/// Fail-soft: bounds are as tight as what was seen allows.
///
/// ```
/// use senbon_games::Notation;
/// use senbon_games::trees::{Regular, TreeValue};
/// use senbon_search::{Free, Window, alpha_beta};
/// // A perfectly ordered tree: only the minimal tree of Knuth and Moore is visited.
/// let mut tree = Regular::parse_position("geometric:p65536:w7:d4:seed1:v5").unwrap();
/// let searched = alpha_beta(&mut tree, 4, Window::OPEN, &mut TreeValue, &mut Free);
/// assert_eq!(searched.value, 5);
/// assert_eq!(searched.nodes.leaves, 7u64.pow(2) + 7u64.pow(2) - 1);
/// ```
pub fn alpha_beta<G: Game, E: Evaluator<G>, P: Pace>(
    position: &mut G,
    depth: u32,
    window: Window,
    evaluator: &mut E,
    pace: &mut P,
) -> Searched {
    evaluator.reset(position);
    let mut search = AlphaBeta::<G, E, P>::new(evaluator, pace);
    let value = search.node(position, depth, 0, window.alpha, window.beta);
    Searched { value, nodes: search.nodes }
}

/// The value of `position` and the line of play that leads to it: at every node the first
/// move, in the game's order, that keeps the value.
pub fn principal_variation<G: Game, E: Evaluator<G>, P: Pace>(
    position: &mut G,
    depth: u32,
    evaluator: &mut E,
    pace: &mut P,
) -> (Searched, Vec<G::Move>) {
    evaluator.reset(position);
    let mut search = AlphaBeta::<G, E, P>::new(evaluator, pace);
    let value = search.node(position, depth, 0, -INFINITE, INFINITE);
    let mut line = Vec::new();
    search.follow(position, depth, 0, value, &mut line);
    (Searched { value, nodes: search.nodes }, line)
}

struct AlphaBeta<'a, G, E, P> {
    evaluator: &'a mut E,
    pace: &'a mut P,
    nodes: Nodes,
    game: PhantomData<G>,
}

impl<'a, G: Game, E: Evaluator<G>, P: Pace> AlphaBeta<'a, G, E, P> {
    fn new(evaluator: &'a mut E, pace: &'a mut P) -> Self {
        AlphaBeta { evaluator, pace, nodes: Nodes::default(), game: PhantomData }
    }

    #[inline(always)]
    fn node(&mut self, position: &mut G, depth: u32, ply: u32, alpha: Value, beta: Value) -> Value {
        self.pace.step();
        if let Some(outcome) = position.ended() {
            self.nodes.leaves += 1;
            return finished(position, outcome, ply, self.evaluator);
        }
        match depth {
            0 => {
                self.nodes.leaves += 1;
                self.evaluator.evaluate(position)
            }
            1 => best_leaf(position, ply, beta, self.evaluator, self.pace, &mut self.nodes),
            _ => self.interior(position, depth, ply, alpha, beta),
        }
    }

    /// A node further up than right above the leaves.
    fn interior(
        &mut self,
        position: &mut G,
        depth: u32,
        ply: u32,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let mut best = -INFINITE;
        for mv in position.moves() {
            self.evaluator.played(position, mv);
            let undo = position.play(mv);
            let value = -self.node(position, depth - 1, ply + 1, -beta, -alpha.max(best));
            position.take_back(mv, undo);
            self.evaluator.taken_back();
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        if best == -INFINITE {
            return stuck(position, ply, self.evaluator, &mut self.nodes);
        }
        self.nodes.interior += 1;
        best
    }

    /// Appends the moves that keep `value`, which is the node's, to `line`.
    fn follow(
        &mut self,
        position: &mut G,
        depth: u32,
        ply: u32,
        value: Value,
        line: &mut Vec<G::Move>,
    ) {
        if depth == 0 || position.ended().is_some() {
            return;
        }
        for mv in position.moves() {
            self.evaluator.played(position, mv);
            let undo = position.play(mv);
            let keeps = self.node(position, depth - 1, ply + 1, -value, 1 - value) <= -value;
            if keeps {
                line.push(mv);
                self.follow(position, depth - 1, ply + 1, -value, line);
            }
            position.take_back(mv, undo);
            self.evaluator.taken_back();
            if keeps {
                return;
            }
        }
    }
}
