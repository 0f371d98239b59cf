//! The order in which moves are tried (distributed-search-go-2009, section 4.3).

use super::board::Board;
use super::point::Move;
use crate::Side;

/// The paper's six classes, most promising first.
///
/// Its list overlaps: a move may put its own chain in atari and take liberties as well. We
/// read the last two as exceptions from those before, so that what captures nothing and ends
/// in atari is a self-atari whatever else it does. What is then left for "any other move" is
/// the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveClass {
    /// Takes stones.
    Captures,
    /// Gives a chain of its own more liberties than it had.
    GainsLiberties,
    /// Takes a liberty from a chain of the other side.
    TakesLiberties,
    /// Neither.
    Quiet,
    /// Leaves its own chain with one liberty, or none.
    SelfAtari,
    /// A pass.
    Other,
}

/// The class of a legal move of `side`.
pub fn classify(board: &Board, side: Side, mv: Move) -> MoveClass {
    let Some(point) = mv.point().filter(|&point| board.is_empty(point)) else {
        return MoveClass::Other;
    };
    if board.takes_any(point, side) {
        return MoveClass::Captures;
    }
    let after = board.count_liberties_after(point, side);
    if after <= 1 {
        return MoveClass::SelfAtari;
    }
    if board.chains_beside(point, side).any(|own| after > board.liberties(own).len()) {
        MoveClass::GainsLiberties
    } else if board.chains_beside(point, !side).next().is_some() {
        MoveClass::TakesLiberties
    } else {
        MoveClass::Quiet
    }
}

/// The class as a number, higher first.
pub(super) fn hint(board: &Board, side: Side, mv: Move) -> i32 {
    MoveClass::Other as i32 - classify(board, side, mv) as i32
}
