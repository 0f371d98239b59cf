//! What a tuner needs: the features of a position as counts, and the weights as they are.

use super::trace::Counts;
use super::weights::{LINEAR_WEIGHTS, PRESSURE_WEIGHTS};
use super::{ALL_PIECES, Blend, Score, collect, endgame, pawns};
use crate::chess::Chess;

/// The features of a position: its value is linear in the weights, but for pressure.
///
/// With early and late pressure `P` of either side, the value from White's view is
/// `early·(Σ linear + P²/1024) + late·(Σ linear + P/16)`, negative pressure aside.
#[derive(Clone, Debug)]
pub struct Traced {
    /// Features and how often they occur, Black's negative.
    pub linear: Vec<(u16, i16)>,
    /// Features of the pressure that White and Black put on the other king.
    pub pressure: [Vec<(u16, i16)>; 2],
    /// How much the middle-game weights count, 0 to 1.
    pub early: f32,
    /// How much the end-game weights count, 0 to 1.
    pub late: f32,
}

/// The features of `position`; `None` where the evaluation does not go by features.
pub fn trace(position: &Chess) -> Option<Traced> {
    let board = position.board();
    if endgame::bare_king(board).is_some() {
        return None;
    }
    let mut counts = Counts::default();
    let active = collect(board, &mut counts, pawns::evaluate);
    let Blend { phase, scale } = Blend::of(board);
    let early = phase as f32 / ALL_PIECES as f32;
    let pressure =
        [0, 1].map(|side| if active[side] { sparse(&counts.pressure[side]) } else { Vec::new() });
    Some(Traced {
        linear: sparse(&counts.linear),
        pressure,
        early,
        late: (1.0 - early) * scale as f32 / endgame::FULL as f32,
    })
}

fn sparse(counts: &[i16]) -> Vec<(u16, i16)> {
    let present = counts.iter().enumerate().filter(|&(_, &count)| count != 0);
    present.map(|(feature, &count)| (feature as u16, count)).collect()
}

/// The weights: those that add up, and those of pressure; middle game, then end game.
pub fn weights() -> (Vec<[i32; 2]>, Vec<[i32; 2]>) {
    let pairs = |scores: &[Score]| scores.iter().map(|s| [s.middle(), s.end()]).collect();
    (pairs(&LINEAR_WEIGHTS), pairs(&PRESSURE_WEIGHTS))
}

/// The value that the features and weights stand for.
#[cfg(test)]
pub(super) fn value_of(position: &Chess) -> Option<f32> {
    use super::{LATE_DIVISOR, SQUARE_DIVISOR};
    let traced = trace(position)?;
    let (linear, pressure) = weights();
    let sum = |counts: &[(u16, i16)], weights: &[[i32; 2]], phase: usize| -> f32 {
        let one = |&(feature, count): &(u16, i16)| {
            (i32::from(count) * weights[usize::from(feature)][phase]) as f32
        };
        counts.iter().map(one).sum()
    };
    let early = |side: usize| {
        let pressure = sum(&traced.pressure[side], &pressure, 0);
        pressure * pressure.max(0.0) / SQUARE_DIVISOR as f32
    };
    let late =
        |side: usize| sum(&traced.pressure[side], &pressure, 1).max(0.0) / LATE_DIVISOR as f32;
    let middle = sum(&traced.linear, &linear, 0) + early(0) - early(1);
    let end = sum(&traced.linear, &linear, 1) + late(0) - late(1);
    Some(traced.early * middle + traced.late * end)
}
