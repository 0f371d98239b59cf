//! NegaScout: after the first move of a node, the others only have to be refuted.

use std::cmp::Reverse;

use senbon_games::{Evaluator, Game};

use crate::leaves::{best_leaf, stuck};
use crate::value::{INFINITE, Value, finished};
use crate::{Nodes, Pace, Searched, Window};

/// Searches the tree of [`negamax`](crate::negamax()) to `depth` plies; the value is exact
/// inside `window` and a fail-soft bound outside, as with [`alpha_beta`](crate::alpha_beta).
///
/// The first move of a node is searched with the whole window, each other with an empty one
/// that only asks whether it is better, and again if it is (Reinefeld 1983;
/// minimal-trees-2014, section 5.4). This pays when good moves come first, so moves are tried
/// by falling [`Game::order_hint`]; only the nodes above the leaves keep the game's order.
pub fn negascout<G: Game, E: Evaluator<G>, P: Pace>(
    position: &mut G,
    depth: u32,
    window: Window,
    evaluator: &mut E,
    pace: &mut P,
) -> Searched {
    evaluator.reset(position);
    let (moves, nodes) = (Vec::new(), Nodes::default());
    let mut search = NegaScout { position, evaluator, pace, moves, nodes };
    let value = search.node(depth, 0, window.alpha, window.beta);
    Searched { value, nodes: search.nodes }
}

struct NegaScout<'a, G: Game, E, P> {
    position: &'a mut G,
    evaluator: &'a mut E,
    pace: &'a mut P,
    /// The moves of all nodes on the way to the current one, with their hints.
    moves: Vec<(i32, G::Move)>,
    nodes: Nodes,
}

impl<G: Game, E: Evaluator<G>, P: Pace> NegaScout<'_, G, E, P> {
    fn node(&mut self, depth: u32, ply: u32, alpha: Value, beta: Value) -> Value {
        self.pace.step();
        if let Some(outcome) = self.position.ended() {
            self.nodes.leaves += 1;
            return finished(self.position, outcome, ply, self.evaluator);
        }
        match depth {
            0 => {
                self.nodes.leaves += 1;
                self.evaluator.evaluate(self.position)
            }
            1 => {
                let nodes = &mut self.nodes;
                best_leaf(self.position, ply, beta, self.evaluator, self.pace, nodes)
            }
            _ => self.interior(depth, ply, alpha, beta),
        }
    }

    fn interior(&mut self, depth: u32, ply: u32, alpha: Value, beta: Value) -> Value {
        let first = self.moves.len();
        self.list_moves();
        if self.moves.len() == first {
            return stuck(self.position, ply, self.evaluator, &mut self.nodes);
        }
        self.nodes.interior += 1;
        let mut best = -INFINITE;
        for index in first..self.moves.len() {
            let mv = self.moves[index].1;
            best = best.max(self.after(mv, depth, ply, alpha.max(best), beta, index == first));
            if best >= beta {
                break;
            }
        }
        self.moves.truncate(first);
        best
    }

    /// Puts the moves of the position onto the stack in the order they are tried.
    fn list_moves(&mut self) {
        let first = self.moves.len();
        let position = &*self.position;
        let hinted = position.moves().into_iter().map(|mv| (position.order_hint(mv), mv));
        self.moves.extend(hinted);
        self.moves[first..].sort_by_key(|&(hint, _)| Reverse(hint));
    }

    /// The value of `mv` at a node `depth` above the leaves.
    fn after(
        &mut self,
        mv: G::Move,
        depth: u32,
        ply: u32,
        alpha: Value,
        beta: Value,
        is_first: bool,
    ) -> Value {
        self.evaluator.played(self.position, mv);
        let undo = self.position.play(mv);
        let scout_beta = if is_first { beta } else { alpha + 1 };
        let mut value = -self.node(depth - 1, ply + 1, -scout_beta, -alpha);
        // Within two plies of the leaves an answer above alpha is exact already: all replies
        // were evaluated to get it.
        if scout_beta <= value && value < beta && depth > 2 {
            value = value.max(-self.node(depth - 1, ply + 1, -beta, -value));
        }
        self.position.take_back(mv, undo);
        self.evaluator.taken_back();
        value
    }
}
