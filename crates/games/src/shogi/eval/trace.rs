//! The features of a position, for tuning.

use shogi_core::Color;

use super::king_of;
use super::places::features_of;
use super::terms::{FIGHT, Sink, progress, terms};
use crate::shogi::Shogi;

/// Which features a position has, and how often.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Linear features; the second player's counted negative.
    pub linear: Vec<(u16, i16)>,
    /// Features of either side's pressure on the other's king.
    pub pressure: [Vec<(u16, i16)>; 2],
    /// How much of the position is fight, from 0 to 1; the rest is opening.
    pub fight: f32,
}

impl Trace {
    /// The features of `game`'s position. One that occurs several times is listed as often.
    pub fn new(game: &Shogi) -> Self {
        let position = game.position();
        let mut trace =
            Trace { fight: progress(position) as f32 / FIGHT as f32, ..Trace::default() };
        for side in Color::all() {
            let king = king_of(position, side);
            for square in position.occupied() {
                let Some(piece) = position.piece_at(square) else { continue };
                for feature in features_of(side, king, piece, square) {
                    trace.linear(side, feature, 1);
                }
            }
        }
        terms(position, &mut trace);
        trace
    }
}

impl Sink for Trace {
    fn linear(&mut self, side: Color, feature: usize, count: i32) {
        let sign = if side == Color::Black { count } else { -count };
        self.linear.push((feature as u16, sign as i16));
    }

    fn pressure(&mut self, side: Color, feature: usize, count: i32) {
        self.pressure[side.array_index()].push((feature as u16, count as i16));
    }
}
