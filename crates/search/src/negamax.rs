//! Plain negamax: every node to a fixed depth, nothing pruned, nothing remembered.
//!
//! It is the oracle of all other searches. [`alpha_beta`](crate::alpha_beta) and
//! [`negascout`](crate::negascout) search the same tree by the same rules and must return
//! the same value.

use senbon_games::{Evaluator, Game};

use crate::value::{INFINITE, Value, finished};
use crate::{Nodes, Pace, Searched};

/// Searches all of `position`'s tree to `depth` plies.
///
/// The tree is fixed by these rules, the same for all plain searches:
/// - A position that ends the game by itself ([`Game::ended`]) is a leaf, at any depth.
/// - At depth 0 a position is worth what the evaluator says. Whether it still has moves is
///   not asked there.
/// - Above depth 0 a position without moves is a leaf ([`Game::stuck`]).
/// - Wins and losses tell their distance from the root and sooner wins are better
///   (see [`won_in`](crate::won_in)).
/// - Endings by history (repetition, fifty moves) are left aside, so a position's value does
///   not depend on the way to it.
///
/// ```
/// use senbon_games::Notation;
/// use senbon_games::tiny::{ConnectFour, Threats};
/// use senbon_search::{Free, negamax, won_in};
/// let mut position = ConnectFour::parse_position("121212").unwrap();
/// assert_eq!(negamax(&mut position, 3, &mut Threats, &mut Free).value, won_in(1));
/// ```
pub fn negamax<G: Game, E: Evaluator<G>, P: Pace>(
    position: &mut G,
    depth: u32,
    evaluator: &mut E,
    pace: &mut P,
) -> Searched {
    evaluator.reset(position);
    let mut search = Negamax { position, evaluator, pace, nodes: Nodes::default() };
    let value = search.node(depth, 0);
    Searched { value, nodes: search.nodes }
}

/// The value of each move of `position` to the side that makes it, with the rest of the tree
/// searched to `depth - 1` plies; in move order. Empty at depth 0 and when the game is over.
///
/// The best of them is the value that [`negamax`] returns.
pub fn negamax_moves<G: Game, E: Evaluator<G>, P: Pace>(
    position: &mut G,
    depth: u32,
    evaluator: &mut E,
    pace: &mut P,
) -> Vec<(G::Move, Value)> {
    if depth == 0 || position.ended().is_some() {
        return Vec::new();
    }
    evaluator.reset(position);
    let mut search = Negamax { position, evaluator, pace, nodes: Nodes::default() };
    let moves = search.position.moves();
    moves.into_iter().map(|mv| (mv, search.after(mv, depth, 0))).collect()
}

struct Negamax<'a, G, E, P> {
    position: &'a mut G,
    evaluator: &'a mut E,
    pace: &'a mut P,
    nodes: Nodes,
}

impl<G: Game, E: Evaluator<G>, P: Pace> Negamax<'_, G, E, P> {
    fn node(&mut self, depth: u32, ply: u32) -> Value {
        self.pace.step();
        if let Some(outcome) = self.position.ended() {
            self.nodes.leaves += 1;
            return finished(self.position, outcome, ply, self.evaluator);
        }
        if depth == 0 {
            self.nodes.leaves += 1;
            return self.evaluator.evaluate(self.position);
        }
        let mut best = -INFINITE;
        for mv in self.position.moves() {
            best = best.max(self.after(mv, depth, ply));
        }
        if best == -INFINITE {
            self.nodes.leaves += 1;
            return finished(self.position, self.position.stuck(), ply, self.evaluator);
        }
        self.nodes.interior += 1;
        best
    }

    /// The value of `mv`, played at a node `ply` plies below the root, to the side that plays it.
    fn after(&mut self, mv: G::Move, depth: u32, ply: u32) -> Value {
        self.evaluator.played(self.position, mv);
        let undo = self.position.play(mv);
        let value = -self.node(depth - 1, ply + 1);
        self.position.take_back(mv, undo);
        self.evaluator.taken_back();
        value
    }
}
