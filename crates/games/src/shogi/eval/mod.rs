//! The evaluation of shogi positions.
//!
//! A sum of features times weights, blended between the opening and the fight by how far the
//! game has gone, plus the pressure on either king, which grows with its square in the fight.
//! The features are drawn up in `layout`; `places` keeps the bulk of them as a running sum,
//! `terms` looks at attacks and hands anew each time. Swapping colours and mirroring files
//! leave the value as it is.
//!
//! The weights come from the laboratory's examples `labels` and `tune_shogi`: 123,134 quiet
//! positions of games that Fairy-Stockfish 11.1 played at 600 nodes a move, and 205,717 of
//! games of this engine at 1,000, each with the value of that search and the game's result.
//! A unit is about a seventieth of a pawn, which suits the search's margins.

mod layout;
mod outline;
mod places;
mod terms;
mod trace;
mod weights;

use shogi_core::{Color, Move, Square};
use shunsai::Position;

pub use self::layout::{LINEAR_GROUPS, PRESSURE_GROUPS};
use self::outline::Outline;
use self::places::{SPREAD, Spread, usual_king};
use self::terms::{FIGHT, Sink, progress, terms};
pub use self::trace::Trace;
use self::weights::{FINENESS, Pair, WEIGHTS, Weights};
pub use self::weights::{current as current_weights, to_file as weight_file};
use super::{Shogi, exchange};
use crate::{Evaluator, Tactics};

/// Divisor of the square of pressure in the fight.
const SQUARE_DIVISOR: i32 = 1_024;
/// Divisor of pressure in the opening.
const OPENING_DIVISOR: i32 = 16;

/// Judges shogi positions.
///
/// ```
/// use senbon_games::{Evaluator, Notation, shogi::{Shogi, ShogiEvaluator}};
/// let a_rook_up = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// let position = Shogi::parse_position(a_rook_up).unwrap();
/// assert!(ShogiEvaluator::default().evaluate(&position) > 200);
/// ```
#[derive(Clone)]
pub struct ShogiEvaluator {
    spread: &'static Spread,
    weights: &'static Weights,
    /// Sums of the places that each side sees, for every position on the way here.
    sums: Vec<[Pair; 2]>,
}

impl Default for ShogiEvaluator {
    fn default() -> Self {
        ShogiEvaluator { spread: &SPREAD, weights: &WEIGHTS, sums: Vec::new() }
    }
}

impl ShogiEvaluator {
    /// The sum of what `side` sees from `king`.
    fn seen_from(&self, position: &Position, side: Color, king: Square) -> Pair {
        let worth = |square| {
            let piece = position.piece_at(square)?;
            Some(self.spread.worth(side, king, piece, square))
        };
        position.occupied().filter_map(worth).fold(Pair::default(), |sum, pair| sum + pair)
    }

    fn seen_by_both(&self, position: &Position) -> [Pair; 2] {
        Color::all().map(|side| self.seen_from(position, side, king_of(position, side)))
    }

    /// The sums after `mv`, played at `before`, where they were `sums`.
    fn seen_after(&self, before: &Position, mv: Move, sums: [Pair; 2]) -> [Pair; 2] {
        let Some(arriving) = exchange::arriving(before, mv) else { return sums };
        let to = mv.to();
        let mut sums = sums;
        for side in Color::all() {
            let king = king_of(before, side);
            let worth = |piece, square| self.spread.worth(side, king, piece, square);
            let sum = &mut sums[side.array_index()];
            *sum += worth(arriving, to);
            if let Some(captured) = before.piece_at(to) {
                *sum = *sum - worth(captured, to);
            }
            let Move::Normal { from, .. } = mv else { continue };
            if let Some(leaving) = before.piece_at(from) {
                *sum = *sum - worth(leaving, from);
            }
            if from == king && before.king_square(side).is_some() {
                // The king sees everything anew; itself it does not see.
                *sum = self.seen_from(before, side, to);
                if let Some(captured) = before.piece_at(to) {
                    *sum = *sum - self.spread.worth(side, to, captured, to);
                }
            }
        }
        sums
    }
}

fn king_of(position: &Position, side: Color) -> Square {
    position.king_square(side).unwrap_or(usual_king(side))
}

/// Adds features up as they come.
struct Sums {
    weights: &'static Weights,
    linear: Pair,
    pressure: [Pair; 2],
}

impl Sink for Sums {
    #[inline]
    fn linear(&mut self, side: Color, feature: usize, count: i32) {
        let sign = if side == Color::Black { count } else { -count };
        self.linear += self.weights.linear(feature) * sign;
    }

    #[inline]
    fn pressure(&mut self, side: Color, feature: usize, count: i32) {
        self.pressure[side.array_index()] += self.weights.pressure(feature) * count;
    }
}

impl Evaluator<Shogi> for ShogiEvaluator {
    fn evaluate(&mut self, game: &Shogi) -> i32 {
        let position = game.position();
        let places = self.sums.last().copied().unwrap_or_else(|| self.seen_by_both(position));
        let mut sums = Sums {
            weights: self.weights,
            linear: places[0] - places[1],
            pressure: [Pair::default(); 2],
        };
        terms(position, &mut sums);
        let [black, white] = sums.pressure;
        let opening = |x: Pair| x.opening.max(0) / OPENING_DIVISOR;
        let fight = |x: Pair| x.fight * x.fight.max(0) / (SQUARE_DIVISOR * FINENESS);
        let progress = progress(position);
        let value = (FIGHT - progress) * (sums.linear.opening + opening(black) - opening(white))
            + progress * (sums.linear.fight + fight(black) - fight(white));
        let value = value / (FIGHT * FINENESS);
        let limit = <Self as Evaluator<Shogi>>::LIMIT;
        let value = value.clamp(-limit, limit);
        if position.side_to_move() == Color::Black { value } else { -value }
    }

    fn reset(&mut self, game: &Shogi) {
        self.sums.clear();
        self.sums.push(self.seen_by_both(game.position()));
    }

    fn played(&mut self, before: &Shogi, mv: Move) {
        let sums = match self.sums.last() {
            Some(&sums) => sums,
            None => self.seen_by_both(before.position()),
        };
        self.sums.push(self.seen_after(before.position(), mv, sums));
    }

    fn taken_back(&mut self) {
        self.sums.pop();
    }

    /// Pieces and places after the move.
    fn outlines(&mut self, before: &Shogi, moves: &[Move], mut tell: impl FnMut(i32)) {
        let position = before.position();
        let now = match self.sums.last() {
            Some(&sums) => sums,
            None => self.seen_by_both(position),
        };
        let mut outline = Outline::new(position, self.spread, now);
        for &mv in moves {
            tell(outline.gain(mv));
        }
    }

    /// What an exchange on the square of the move would cost.
    fn flaw(&mut self, before: &Shogi, mv: Move) -> i32 {
        (before.gain(mv) - before.exchange(mv)).max(0)
    }
}

#[cfg(test)]
mod tests;
