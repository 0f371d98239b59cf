//! The last ply of the plain searches, where most of their nodes are.

use std::ops::ControlFlow;

use senbon_games::{Evaluator, Game};

use crate::value::{INFINITE, Value, finished, leaf_value};
use crate::{Nodes, Pace};

/// The fail-soft value of a node right above the leaves: they are evaluated in move order
/// until one is worth `beta` or more.
#[inline]
pub(crate) fn best_leaf<G: Game, E: Evaluator<G>, P: Pace>(
    position: &mut G,
    ply: u32,
    beta: Value,
    evaluator: &mut E,
    pace: &mut P,
    nodes: &mut Nodes,
) -> Value {
    let mut best = -INFINITE;
    let mut leaves = 0;
    evaluator.each_leaf(position, |leaf| {
        pace.step();
        leaves += 1;
        best = best.max(-leaf_value(leaf, ply + 1));
        if best >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if leaves == 0 {
        return stuck(position, ply, evaluator, nodes);
    }
    *nodes += Nodes { interior: 1, leaves };
    best
}

/// The value of a node without moves.
pub(crate) fn stuck<G: Game, E: Evaluator<G>>(
    position: &G,
    ply: u32,
    evaluator: &mut E,
    nodes: &mut Nodes,
) -> Value {
    nodes.leaves += 1;
    finished(position, position.stuck(), ply, evaluator)
}
