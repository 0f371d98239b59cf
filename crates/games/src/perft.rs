//! Counting the leaves of the move tree, the standard proof of a move generator.

use crate::Game;

/// The number of move sequences of length `depth` from `position`.
///
/// Ends by rule (repetition, material) are left aside, as published counts do.
///
/// ```
/// use senbon_games::perft;
/// use senbon_games::{Notation, chess::Chess};
/// assert_eq!(perft(&mut Chess::start(), 3), 8_902);
/// ```
pub fn perft<G: Game>(position: &mut G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        _ => {
            let mut leaves = 0;
            for mv in position.moves() {
                let undo = position.play(mv);
                leaves += perft(position, depth - 1);
                position.take_back(mv, undo);
            }
            leaves
        }
    }
}

/// [`perft`] split by first move, in move order.
pub fn divide<G: Game>(position: &mut G, depth: u32) -> Vec<(G::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut counts = Vec::new();
    for mv in position.moves() {
        let undo = position.play(mv);
        counts.push((mv, perft(position, depth - 1)));
        position.take_back(mv, undo);
    }
    counts
}
