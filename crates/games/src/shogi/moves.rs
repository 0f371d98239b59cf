//! Lists of legal moves.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use shogi_core::Move;
use shunsai::{Bitboard, MoveSet, Position};

/// No position has more legal moves.
const MOST_MOVES: usize = 593;

/// The legal moves of one position, on the stack.
#[derive(Clone, Debug, Default)]
pub struct Moves(ArrayVec<Move, MOST_MOVES>);

impl Moves {
    /// Every legal move.
    #[inline]
    pub(super) fn all(position: &Position) -> Self {
        let mut moves = Moves::default();
        let _ = position.generate_moves(|set| {
            moves.add(set);
            ControlFlow::Continue(())
        });
        moves
    }

    /// What `wanted` leaves of each group of legal moves, up to the first `None`.
    #[inline]
    pub(super) fn some(position: &Position, wanted: impl Fn(MoveSet) -> Option<MoveSet>) -> Self {
        let mut moves = Moves::default();
        let _ = position.generate_moves(|set| match wanted(set) {
            Some(set) => {
                moves.add(set);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        });
        moves
    }

    #[inline]
    fn add(&mut self, set: MoveSet) {
        match set {
            MoveSet::Normal { from, promotions, non_promotions, .. } => {
                self.add_each(promotions, |to| Move::Normal { from, to, promote: true });
                self.add_each(non_promotions, |to| Move::Normal { from, to, promote: false });
            }
            MoveSet::Drop { piece, to } => self.add_each(to, |to| Move::Drop { piece, to }),
        }
    }

    #[inline]
    fn add_each(&mut self, squares: Bitboard, mv: impl Fn(shogi_core::Square) -> Move) {
        for to in squares {
            self.0.push(mv(to));
        }
    }

    /// The moves in order.
    pub fn as_slice(&self) -> &[Move] {
        &self.0
    }
}

impl IntoIterator for Moves {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, MOST_MOVES>;

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
