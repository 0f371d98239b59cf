//! The rules of a game, as a search sees them.

use std::fmt::Debug;

use crate::{Outcome, Side};

/// A position of a two-player, zero-sum game of perfect information, and the rules to go on.
///
/// A position is changed in place by [`play`](Game::play) and restored by
/// [`take_back`](Game::take_back). Games whose positions are small values use the old
/// position itself as [`Undo`](Game::Undo); others store only what changed. History that
/// rules need (repetition) is part of the position and follows the same two calls.
///
/// # Contract
/// - [`moves`](Game::moves) gives every legal move once, in the same order for equal positions.
/// - `play` then `take_back` restores the position, its key and its history exactly.
/// - [`key`](Game::key) is maintained incrementally and equals that of the same position
///   reached by any other path. It leaves history out.
pub trait Game: Clone {
    /// The game's name as users type it: `chess`, `shogi`, `go`, …
    const NAME: &'static str;

    /// Whether moves with the same code have much in common, so that what was good in one
    /// position may be good in another. Not so where moves are mere numbers.
    const KINDRED_MOVES: bool = true;

    /// A move. Small and cheap to copy.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// What `take_back` needs to know.
    type Undo;

    /// The legal moves of one position, by value.
    type Moves: IntoIterator<Item = Self::Move>;

    /// Who moves next.
    fn side_to_move(&self) -> Side;

    /// All legal moves.
    fn moves(&self) -> Self::Moves;

    /// Plays a legal move. Behaviour for an illegal one is unspecified, but safe.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move played, which was `mv`.
    fn take_back(&mut self, mv: Self::Move, undo: Self::Undo);

    /// Hash key of the position without its history.
    fn key(&self) -> u64;

    /// A number that tells the moves of one position apart, never zero.
    ///
    /// Tables store it in place of the move.
    fn code(mv: Self::Move) -> u16;

    /// The result when this position by itself ends the game although moves may be left
    /// (a completed line, insufficient material, two passes).
    fn ended(&self) -> Option<Outcome>;

    /// The result when the side to move has no legal move (checkmate, stalemate, full board).
    ///
    /// Only asked in that case.
    fn stuck(&self) -> Outcome;

    /// The result when the way here ends the game (repetition, fifty moves).
    fn ended_by_history(&self) -> Option<Outcome> {
        None
    }

    /// Whether this position occurred before since the last move that cannot be undone.
    fn repeats(&self) -> bool {
        false
    }

    /// The result of the game if it is over, by whichever rule.
    fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.ended() {
            return Some(outcome);
        }
        if self.count_moves() == 0 {
            return Some(self.stuck());
        }
        self.ended_by_history()
    }

    /// How many legal moves there are. Override where counting is cheaper than listing.
    fn count_moves(&self) -> usize {
        self.moves().into_iter().count()
    }

    /// How promising a move looks by the rules alone, higher first. Only an order of trial.
    fn order_hint(&self, _mv: Self::Move) -> i32 {
        0
    }
}
