//! Lists of legal moves.

use std::ops::ControlFlow;

use shogi_core::Move;
use shunsai::{MoveSet, Position};

/// No position has more legal moves.
const MOST_MOVES: usize = 593;

/// Room for the captures and promotions of nearly every position.
const USUAL_NOISY_MOVES: usize = 32;

/// The legal moves of one position.
///
/// On the heap, because the generator fills a `Vec` faster than its public iterators fill an
/// array: even with the allocation, perft comes out 5 % ahead of a list on the stack.
#[derive(Clone, Debug, Default)]
pub struct Moves(Vec<Move>);

impl Moves {
    /// Every legal move.
    #[inline]
    pub(super) fn all(position: &Position) -> Self {
        let mut moves = Moves(Vec::with_capacity(MOST_MOVES));
        let _ = position.generate_moves(|set| {
            set.write_into(&mut moves.0);
            ControlFlow::Continue(())
        });
        moves
    }

    /// What `wanted` leaves of each group of legal moves, up to the first `None`.
    #[inline]
    pub(super) fn some(position: &Position, wanted: impl Fn(MoveSet) -> Option<MoveSet>) -> Self {
        let mut moves = Moves(Vec::with_capacity(USUAL_NOISY_MOVES));
        let _ = position.generate_moves(|set| match wanted(set) {
            Some(set) => {
                set.write_into(&mut moves.0);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        });
        moves
    }

    /// The moves in order.
    pub fn as_slice(&self) -> &[Move] {
        &self.0
    }
}

impl IntoIterator for Moves {
    type Item = Move;
    type IntoIter = std::vec::IntoIter<Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// How many legal moves there are, without listing them.
#[inline]
pub(super) fn count(position: &Position) -> usize {
    let mut count = 0;
    let _ = position.generate_moves(|set| {
        count += set.len();
        ControlFlow::Continue(())
    });
    count
}
