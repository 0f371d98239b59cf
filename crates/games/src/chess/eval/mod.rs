//! A hand-made evaluation of chess positions.
//!
//! It finds features of a position and adds up their weights, twice: for the middle game and
//! for the end game, blended by the pieces left. Only pressure on kings grows faster than
//! its parts. The same code that adds up weights can record which features it found
//! ([`trace`]), so a tuner sees exactly what the evaluation sees; the weights in `weights.rs`
//! are written by it.

mod bits;
mod cache;
mod endgame;
mod king;
mod layout;
mod pawns;
mod pieces;
mod score;
mod threats;
mod trace;
mod tuning;
mod view;
mod weights;

use cozy_chess::{BitBoard, Board, Color, Piece};

pub use layout::{Groups, LINEAR_GROUPS, PRESSURE_GROUPS};
pub use tuning::{Traced, trace, weights};

use self::cache::PawnCache;
use self::layout::TEMPO;
use self::pawns::Skeleton;
use self::score::Score;
use self::trace::{Sum, Trace};
use self::view::{View, sign};
use super::Chess;
use crate::Evaluator;

/// The built-in evaluation, in hundredths of a pawn.
///
/// ```
/// use senbon_games::chess::{Chess, ChessEvaluator};
/// use senbon_games::{Evaluator, Notation};
/// let queen_up = Chess::parse_position("4k3/8/8/8/8/8/4P3/3QK3 b - - 0 1").unwrap();
/// assert!(ChessEvaluator::default().evaluate(&queen_up) < -500);
/// ```
#[derive(Clone, Debug)]
pub struct ChessEvaluator {
    pawns: PawnCache,
}

impl Default for ChessEvaluator {
    fn default() -> Self {
        ChessEvaluator { pawns: PawnCache::new() }
    }
}

impl Evaluator<Chess> for ChessEvaluator {
    fn evaluate(&mut self, position: &Chess) -> i32 {
        let board = &position.board;
        let value = match endgame::bare_king(board) {
            Some((strong, value)) => sign(strong) * value,
            None => {
                let mut sum = Sum::default();
                let active = collect(board, &mut sum, |skeleton, sum: &mut Sum| {
                    let (score, passed) = self.pawns.evaluate(skeleton);
                    sum.linear += score;
                    passed
                });
                blend(&sum, active, &Blend::of(board))
            }
        };
        let value = sign(board.side_to_move()) * value;
        // Without progress the draw comes nearer.
        value - value * i32::from(board.halfmove_clock()) / 256
    }
}

/// Finds all features. `pawns` evaluates pawns and kings, and gives the passed pawns. Says
/// for either side whether its pressure on the other king counts.
fn collect<T: Trace>(
    board: &Board,
    trace: &mut T,
    pawns: impl FnOnce(&Skeleton, &mut T) -> BitBoard,
) -> [bool; 2] {
    let mut view = View::new(board);
    let passed = pawns(&Skeleton { pawns: view.pawns, kings: view.kings }, trace);
    pieces::evaluate(&mut view, Color::White, trace);
    pieces::evaluate(&mut view, Color::Black, trace);
    let active = Color::ALL.map(|us| king::is_attacked_by(&view, us));
    for us in Color::ALL {
        if active[us as usize] {
            king::evaluate(&view, us, trace);
        }
        threats::evaluate(&view, us, trace);
        threats::space(&view, us, trace);
        threats::passed(&view, us, passed, trace);
    }
    trace.add(TEMPO, sign(board.side_to_move()));
    active
}

/// How much of middle and end game a position is.
struct Blend {
    /// Pieces left, of [`ALL_PIECES`].
    phase: i32,
    /// What stands of the end-game value, of [`endgame::FULL`].
    scale: i32,
}

/// The phase at the start of a game: a knight or bishop counts 1, a rook 2, a queen 4.
const ALL_PIECES: i32 = 24;

impl Blend {
    fn of(board: &Board) -> Self {
        let count = |piece| board.pieces(piece).len() as i32;
        let phase = count(Piece::Knight)
            + count(Piece::Bishop)
            + 2 * count(Piece::Rook)
            + 4 * count(Piece::Queen);
        Blend { phase: phase.min(ALL_PIECES), scale: endgame::scale(board) }
    }
}

/// Divisors of pressure: early pressure counts with its square, late pressure as it is.
const SQUARE_DIVISOR: i32 = 1024;
const LATE_DIVISOR: i32 = 16;

/// The value from White's view.
fn blend(sum: &Sum, active: [bool; 2], blend: &Blend) -> i32 {
    let early = |pressure: Score| pressure.middle() * pressure.middle().max(0) / SQUARE_DIVISOR;
    let late = |pressure: Score| pressure.end().max(0) / LATE_DIVISOR;
    let [white, black] =
        [0, 1].map(|side| if active[side] { sum.pressure[side] } else { Score::ZERO });
    let middle = sum.linear.middle() + early(white) - early(black);
    let end = sum.linear.end() + late(white) - late(black);
    let end = end * blend.scale / endgame::FULL;
    (middle * blend.phase + end * (ALL_PIECES - blend.phase)) / ALL_PIECES
}

#[cfg(test)]
mod tests;
